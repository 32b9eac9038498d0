# SPDX-License-Identifier: BSD-2-Clause
"""Tests that rung check gives a reason for each frame that it does not judge,
and for flows that it forgot.

Usage: unread.py RUNG
"""
import json
import pathlib
import struct
import sys
import tempfile

import captures
from lib import expect, main, rung

ROOT = pathlib.Path(__file__).resolve().parents[2]
MACS = bytes.fromhex("020000000002020000000001")
UET = 4793


def udp(dport, data=bytes(64), proto=17, offset=0):
    """An IPv4 packet."""
    inner = struct.pack(">HHHH", 49152, dport, 8 + len(data), 0) + data
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(inner), 1, offset, 64, proto, 0,
                       bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]))
    return head + inner


def ip(data, proto):
    """An IPv4 packet around an IP packet."""
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(data), 1, 0, 64, proto, 0,
                       bytes([10, 0, 1, 1]), bytes([10, 0, 1, 2])) + data


def in_ip(depth):
    packet = udp(UET)
    for _ in range(depth):
        packet = ip(packet, 4)
    return packet


def ethernet(data=b"", kind=0x0800, tags=()):
    return MACS + b"".join(struct.pack(">HH", t, 1) for t in tags) + struct.pack(">H", kind) + data


# Returns each reason with a frame that has it, for a link type.
FRAMES = [
    ("link-type", 147, [bytes(60)]),
    ("ppp", 9, [b"\xff\x03\x00\x21" + udp(UET)]),
    ("ppp", 1, [ethernet(bytes(8) + udp(UET), 0x8864)]),
    ("mpls", 1, [ethernet(bytes.fromhex("00010140") + udp(UET), 0x8847)]),
    ("tags", 1, [ethernet(udp(UET), tags=(0x88a8, 0x8100, 0x8100)),
                 ethernet(udp(UET), tags=(0x9100,))]),
    ("ethertype", 1, [ethernet(bytes(46), 0x0806)]),
    ("gre", 1, [ethernet(udp(UET, proto=47))]),
    ("ip-in-ip", 1, [ethernet(in_ip(5)), ethernet(in_ip(6))]),
    ("ipsec", 1, [ethernet(udp(UET, proto=50))]),
    ("protocol", 1, [ethernet(udp(UET, proto=6)), ethernet(udp(UET, proto=1))]),
    ("vxlan", 1, [ethernet(udp(4789)), ethernet(udp(4789), tags=(0x8100,))]),
    ("geneve", 1, [ethernet(udp(6081))]),
    ("port", 1, [ethernet(udp(53))]),
    ("fragment", 1, [ethernet(udp(UET, offset=0x2000))]),
    ("short", 1, [ethernet(udp(UET)[:18])]),
]


def summary(path, *args):
    done = rung("check", "--json", *args, path)
    return json.loads(done.stdout.splitlines()[-1]), done


def write(where, packets, link=1):
    path = pathlib.Path(where, "x.pcap")
    path.write_bytes(captures.pcap([(i * 10**6, p) for i, p in enumerate(packets)], link))
    return path


def test_every_reason():
    schema = json.loads((ROOT / "docs/check.schema.json").read_text())
    names = schema["definitions"]["summary"]["properties"]["unread"]["items"]["properties"]
    assert {n for n, _, _ in FRAMES} == set(names["name"]["enum"])
    with tempfile.TemporaryDirectory() as where:
        for name, link, packets in FRAMES:
            path = write(where, packets, link)
            seen, _ = summary(path)
            told = [(u["name"], u["count"]) for u in seen["unread"]]
            assert told == [(name, len(packets))], (name, told)
            assert seen["frames"] == len(packets) and not seen["packets"], name
            text = rung("check", path).stdout
            assert f"not read, {name} ({len(packets)}): " in text, text


def test_all_frames_are_accounted_for():
    with tempfile.TemporaryDirectory() as where:
        packets = [p for _, link, some in FRAMES if link == 1 for p in some]
        packets += [ethernet(udp(UET))] * 3
        path = write(where, packets)
        one, _ = summary(path)
        assert one["packets"] == 3
        assert one["frames"] == one["packets"] + sum(u["count"] for u in one["unread"])
        many, _ = summary(path, "-j", "4")
        assert many == one


def block(kind, body):
    size = 12 + len(body)
    return struct.pack("<II", kind, size) + body + struct.pack("<I", size)


def test_drops_beyond_counting():
    """Two interfaces that report 2^64 - 1 dropped packets each."""
    out = block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1))
    out += block(1, struct.pack("<HHI", 1, 0, 65535)) * 2
    frame = ethernet(udp(UET))
    frame += bytes(-len(frame) % 4)
    out += block(6, struct.pack("<IIIII", 0, 0, 1, len(frame), len(frame)) + frame)
    for iface in range(2):
        out += block(5, struct.pack("<IIIHHQHH", iface, 0, 1, 5, 8, 2**64 - 1, 0, 0))
    with tempfile.TemporaryDirectory() as where:
        path = pathlib.Path(where, "x.pcapng")
        path.write_bytes(out)
        seen, _ = summary(path)
        told = {r["name"]: r["count"] for r in seen["restrictions"]}
        assert told["drops"] == 2**63 - 1, told


def test_forgotten_flows_are_told():
    with tempfile.TemporaryDirectory() as where:
        path = pathlib.Path(where, "many.pcapng")
        expect(rung("gen", "-q", "uet/rud/send-gtd@target", "--side", "both", "--pdcs", "2000",
                    "-o", path), 0)
        seen, done = summary(path, "--max-flows", "32")
        told = {r["name"]: r["count"] for r in seen["restrictions"]}
        assert told.get("forgotten", 0) > 100, told
        assert f"{told['forgotten']} flows were forgotten" in done.stderr, done.stderr
        seen, done = summary(path)
        assert "forgotten" not in {r["name"] for r in seen["restrictions"]}
        assert "forgotten" not in done.stderr
        drawn = expect(rung("ladder", path), 0)
        assert "forgotten" not in drawn.stderr


if __name__ == "__main__":
    sys.exit(main(globals()))
