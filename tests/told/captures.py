# SPDX-License-Identifier: BSD-2-Clause
"""Captures of tests/told/checked.py: reads, changes and writes them.

A capture is a list of (time in ns, frame).  Everything that is drawn depends
on the name of the capture alone, through random.random(), whose values Python
keeps from version to version.
"""
import random
import struct
import zlib

SECTION, INTERFACE, PACKET = 0x0a0d0d0a, 1, 6
LINK_RAW = 101  # a frame begins with the IP header
BTH_PORTS = {4791, 61791, 61792}  # RoCEv2, SRD, WQE
ETHERNET, IPV4, UDP = 14, 20, 8
HEADS = ETHERNET + IPV4 + UDP
MS = 1_000_000
KEPT = 150  # bytes of a frame that a stored capture keeps


def blocks(data):
    """Yields (type, place, length) of each block of a pcapng file."""
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        yield kind, at, length
        at += length


def read(data):
    """Returns the packets of the first interface, as Ethernet frames."""
    packets, links = [], []
    for kind, at, _ in blocks(data):
        if kind == INTERFACE:
            links += struct.unpack_from("<H", data, at + 8)
        if kind != PACKET:
            continue
        interface, high, low, kept = struct.unpack_from("<IIII", data, at + 8)
        if interface == 0:
            packets.append((high << 32 | low, ethernet(
                links[0], data[at + 28:at + 28 + kept])))
    return packets


def ethernet(link, frame):
    """Returns a frame with an Ethernet header."""
    if link != LINK_RAW:
        return frame
    return bytes(12) + (b"\x86\xdd" if frame[0] >> 4 == 6 else b"\x08\x00") \
        + frame


def block(kind, body):
    body += bytes(-len(body) % 4)
    length = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + length + body + length


def write(packets):
    """Returns packets (time, frame, length on the wire) as a pcapng file."""
    out = [block(SECTION, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)),
           block(INTERFACE, struct.pack("<HHI", 1, 0, 0)
                 + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0))]
    for time, frame, length in packets:
        out.append(block(PACKET, struct.pack(
            "<IIIII", 0, time >> 32, time & 0xffffffff, len(frame), length)
            + frame))
    return b"".join(out)


def is_plain(frame):
    """Returns whether IPv4 without options carries UDP."""
    return len(frame) >= HEADS and frame[12:15] == b"\x08\x00\x45" \
        and frame[23] == 17


def port(frame):
    return struct.unpack_from(">H", frame, ETHERNET + IPV4 + 2)[0]


def has_icrc(frame):
    return is_plain(frame) and port(frame) in BTH_PORTS \
        and len(frame) >= HEADS + 16


def icrc(frame):
    """Returns the ICRC of a frame, with the fields masked that may change."""
    masked = bytearray(frame[ETHERNET:-4])
    masked[1] = masked[8] = 0xff
    masked[10:12] = masked[26:28] = b"\xff\xff"
    masked[32] = 0xff
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + masked))


def mend(frame):
    """Writes the lengths and the checksum of IPv4, and the ICRC."""
    frame = bytearray(frame)
    if not is_plain(frame):
        return bytes(frame)
    struct.pack_into(">H", frame, 16, len(frame) - ETHERNET)
    struct.pack_into(">H", frame, 38, len(frame) - ETHERNET - IPV4)
    frame[24:26] = b"\0\0"
    total = sum(struct.unpack_from(">10H", frame, ETHERNET))
    total = (total & 0xffff) + (total >> 16)
    struct.pack_into(">H", frame, 24, ~(total + (total >> 16)) & 0xffff)
    if has_icrc(frame):
        frame[-4:] = icrc(frame)
    return bytes(frame)


def bare(data, most):
    """Returns a pcapng file with its first |most| packets, without payload."""
    out, n = [], 0
    for kind, at, length in blocks(data):
        raw = bytearray(data[at:at + length])
        if kind == PACKET:
            n += 1
            if n > most:
                break
            kept = struct.unpack_from("<I", raw, 20)[0]
            frame = bytes(raw[28:28 + kept])
            right = has_icrc(frame) and frame[-4:] == icrc(frame)
            if kept > KEPT + 4:
                frame = frame[:KEPT] + bytes(kept - KEPT - 4) + frame[-4:]
            if right:
                frame = frame[:-4] + icrc(frame)
            raw[28:28 + kept] = frame
        out.append(bytes(raw))
    return b"".join(out)


class Changer:
    """Draws changes of one capture: what a network or a device may do."""

    STEPS = (1, -1, 1, -1, 1, -1, 2, -2, 63, 64, -64, 127, 128, -128, 255,
             1023, 1024, 1 << 14, 1 << 15)
    SPANS = (1_000, 20_000, 900_000, MS, 5 * MS, 40 * MS, 300 * MS,
             1_100 * MS, 10_000 * MS, 61_000 * MS)
    # Times that end with a limit of the declared devices, in microseconds.
    LIMITS = (200, 250, 300, 350, 500, 600, 800, 900, 1_000, 1_100, 1_200,
              1_800, 2_000, 2_200, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000,
              14_000, 12_000, 28_000, 150_000, 200_000, 250_000, 1_000_000,
              60_000_000)

    def __init__(self, name):
        self.rng = random.Random(name)

    def below(self, n):
        return int(self.rng.random() * n)

    def of(self, values):
        return values[self.below(len(values))]

    def changed(self, packets):
        """Returns (time, frame, length) of the packets with some changes."""
        now = [list(p) + [len(p[1])] for p in packets]
        kinds = (self.drop, self.copy, self.swap, self.delay, self.pause,
                 self.cut, self.trim, self.outside, self.entropy, self.shift,
                 self.edge, self.edge, self.again, self.borrow, self.borrow,
                 self.bits, self.bits, self.field, self.field, self.number,
                 self.number, self.number)
        for _ in range(1 + self.below(3)):
            if now:
                self.of(kinds)(now, self.below(len(now)))
        return now

    def span(self):
        return self.of(self.SPANS) + self.below(3) * self.below(100_000)

    def drop(self, now, at):
        del now[at]

    def copy(self, now, at):
        time, frame, length = now[at]
        now.append([time + self.of((0, 1_000, self.span())), frame, length])
        now.sort(key=lambda p: p[0])

    def swap(self, now, at):
        if at:
            a, b = now[at - 1], now[at]
            a[1:], b[1:] = b[1:], a[1:]

    def delay(self, now, at):
        now[at][0] += self.span()
        now.sort(key=lambda p: p[0])

    def pause(self, now, at):
        span = self.span()
        for packet in now[at:]:
            packet[0] += span

    def edge(self, now, at):
        """A packet comes just when a limit after another one ends."""
        start = now[self.below(at + 1)][0]
        span = start + self.of(self.LIMITS) * 1_000 + self.below(3) - 1 \
            - now[at][0]
        for packet in now[at:] if self.below(2) else now[at:at + 1]:
            packet[0] += max(span, 0)
        now.sort(key=lambda p: p[0])

    def again(self, now, at):
        """A packet is sent again, with another flag."""
        time, frame, _ = now[at]
        frame = bytearray(frame)
        if len(frame) > HEADS + 1:
            frame[HEADS + 1] ^= 1 << self.below(7)
        packet = [time + self.span(), b"", 0]
        self.put(packet, frame)
        now.append(packet)
        now.sort(key=lambda p: p[0])

    def borrow(self, now, at):
        """A field has the value of another packet."""
        frame, other = bytearray(now[at][1]), self.of(now)[1]
        size = self.of((1, 2, 4))
        place = HEADS + size * self.below(32 // size)
        if min(len(frame), len(other)) >= place + size:
            frame[place:place + size] = other[place:place + size]
        self.put(now[at], frame)

    def cut(self, now, at):
        """The capture keeps fewer bytes than crossed."""
        now[at][1] = now[at][1][:HEADS + self.below(len(now[at][1]) - 40)]

    def trim(self, now, at):
        """A switch trims a packet, and marks it."""
        frame = bytearray(now[at][1][:HEADS + 12 + self.below(60)])
        if len(frame) > 15:
            frame[15] = self.of((26, 28)) << 2 | frame[15] & 3
        self.put(now[at], frame)

    def outside(self, now, at):
        """Another DSCP or ECN, or another identification."""
        frame = bytearray(now[at][1])
        byte = self.of((15, 15, 19))
        if len(frame) > byte:
            frame[byte] ^= 1 << self.below(8)
        self.put(now[at], frame)

    def entropy(self, now, at):
        frame = bytearray(now[at][1])
        if is_plain(frame):
            frame[35] ^= 1
        self.put(now[at], frame)

    def field(self, now, at):
        """A field is a little greater or less, or an extreme."""
        size = self.of((1, 2, 2, 3, 4, 4))
        step = size if size != 3 else 1
        self.set(now[at], step * self.below(64 // step), size)

    def number(self, now, at):
        """The same, in the first words, where most numbers stand."""
        size = self.of((2, 4))
        self.set(now[at], size * self.below(24 // size), size)

    def set(self, packet, place, size):
        frame = bytearray(packet[1])
        place += HEADS
        if len(frame) < place + size:
            return
        old = int.from_bytes(frame[place:place + size], "big")
        new = self.of((old + self.of(self.STEPS), old + self.of(self.STEPS),
                       old + self.of(self.STEPS), 0, -1, self.below(1 << 32)))
        frame[place:place + size] = (new % (1 << 8 * size)).to_bytes(
            size, "big")
        self.put(packet, frame)

    def bits(self, now, at):
        frame = bytearray(now[at][1])
        if len(frame) > HEADS:
            place = HEADS + self.below(min(len(frame) - HEADS, 12))
            frame[place] ^= 1 << self.below(8)
        self.put(now[at], frame)

    def shift(self, now, at):
        """A packet is longer or shorter by a few bytes."""
        frame = bytearray(now[at][1])
        by = self.of((-4, -1, 1, 4))
        frame = frame[:by] if by < 0 else frame + bytes(by)
        self.put(now[at], frame)

    def put(self, packet, frame):
        """Stores a frame; one in ten has a wrong ICRC."""
        packet[1] = bytes(frame) if self.below(10) == 0 else mend(frame)
        packet[2] = len(packet[1])


def moved(packets, number, start):
    """Returns packets between addresses of their own, from |start| on."""
    out = []
    for time, frame, length in packets:
        if is_plain(frame) and length == len(frame):
            frame = bytearray(frame)
            for at in (26, 30):
                frame[at + 1:at + 3] = struct.pack(">H", number)
            frame = mend(frame)
        out.append((time - packets[0][0] + start, frame, length))
    return out


def edged(packets, at, what, value):
    """Returns packets (time, frame, length), of which one is changed.

    |what| is "wait": it and all later ones come |value| ns later; "late": it
    alone does; or the place and the size of a field, "4:2", which is |value|.
    """
    now = [[time, frame, len(frame)] for time, frame in packets]
    if what == "wait":
        for packet in now[at:]:
            packet[0] += value
    elif what == "late":
        now[at][0] += value
        now.sort(key=lambda p: p[0])
    else:
        place, size = (int(n) for n in what.split(":"))
        frame = bytearray(now[at][1])
        frame[HEADS + place:HEADS + place + size] = value.to_bytes(size, "big")
        now[at][1] = mend(frame)
    return now
