# SPDX-License-Identifier: BSD-2-Clause
"""Reads captures as lists of blocks: enough of pcapng to truncate and to
change files."""
import struct
import zlib

PACKET = 6


def blocks(data):
    """The blocks of a little-endian pcapng file, as (type, bytes)."""
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        yield kind, data[at:at + length]
        at += length


def frame_of(block):
    """Interface, time and bytes of an Enhanced Packet Block."""
    iface, high, low, kept = struct.unpack_from("<IIII", block, 8)
    return iface, high << 32 | low, block[28:28 + kept]


def frames(data):
    return [frame_of(b) for kind, b in blocks(data) if kind == PACKET]


def pcap(packets, link=1):
    """A pcap file of (time in ns, bytes)."""
    out = [struct.pack("<IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, link)]
    for at, data in packets:
        out.append(struct.pack("<IIII", at // 10**9, at % 10**9, len(data),
                               len(data)) + data)
    return b"".join(out)


def moved(frame, net):
    """Moves an Ethernet frame from hosts of 10.0.0.0 to hosts of
    10.net.0.0."""
    data = bytearray(frame)
    for at in (26, 30):
        data[at + 1] = net >> 8
        data[at + 2] = net & 0xff
    return bytes(data)


def sealed(frame):
    """Returns an Ethernet frame of IPv4 and UDP with a correct ICRC."""
    masked = bytearray(b"\xff" * 8 + frame[14:-4])
    for at in (8 + 1, 8 + 8, 8 + 10, 8 + 11, 28 + 6, 28 + 7, 36 + 4):
        masked[at] = 0xff
    return frame[:-4] + struct.pack("<I", zlib.crc32(masked))
