#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Captures inside tunnels: check, ladder and graph show what they show of the
plain capture.

Each frame of a capture is put into a tunnel by the layouts of its
specification; no code of rung is used for it.
"""
import json
import pathlib
import re
import struct

from lib import expect, main, rung

CAPTURES = pathlib.Path(__file__).resolve().parents[1] / "captures"
# Captures of other implementations, with findings in each.
PLAIN = ["uet-ns3-engine-probed", "uet-soft-ue-probed", "roce-sim"]
SRH = bytes([2, 4, 0, 0, 0, 0, 0, 0xfc, 0, 0, 1] + [0] * 12)


def frames(path):
    """The head of a pcap file, and its records: their heads and frames."""
    data = path.read_bytes()
    magic, = struct.unpack("<I", data[:4])
    order = "<" if magic in (0xa1b2c3d4, 0xa1b23c4d) else ">"
    link, = struct.unpack(order + "I", data[20:24])
    assert link == 1, path
    at, found = 24, []
    while at < len(data):
        sec, sub, kept, whole = struct.unpack(order + "4I", data[at:at + 16])
        found.append(((sec, sub, whole - kept), data[at + 16:at + 16 + kept]))
        at += 16 + kept
    return order, data[:24], found


def ipv4(proto, data, missing):
    """An outer IPv4 header; a capture may have cut the frame: |missing|."""
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(data) + missing, 7,
                       0, 64, proto, 0, bytes([10, 9, 0, 1]),
                       bytes([10, 9, 0, 2])) + data


def ipv6(proto, data, missing):
    return struct.pack(">IHBB16s16s", 6 << 28, len(data) + missing, proto, 64,
                       bytes([0xfc] + [0] * 14 + [1]),
                       bytes([0xfc] + [0] * 14 + [2])) + data


def vxlan(frame, missing, ip):
    data = bytes([8, 0, 0, 0, 0, 0, 42, 0]) + frame
    udp = struct.pack(">4H", 51234, 4789, 8 + len(data) + missing, 0)
    return ip(17, udp + data, missing)


def gre(kind, *more, strip=0):
    head = bytes([0x10 if more and kind in (0x88be, 0x22eb) else 0, 0]) + \
        struct.pack(">H", kind) + b"".join(more)
    return lambda frame, missing, ip: ip(47, head + frame[strip:], missing)


SEQ = bytes([0, 0, 0, 1])
TUNNELS = {
    "vxlan": vxlan,
    "gre-ethernet": gre(0x6558),
    "gre-ipv4": gre(0x0800, strip=14),
    "erspan-1": gre(0x88be),
    "erspan-2": gre(0x88be, SEQ, bytes([0x10, 100, 0x18, 1, 0, 0, 0, 3])),
    "erspan-3": gre(0x22eb, SEQ, bytes([0x20, 100, 0, 1, 1, 2, 3, 4, 0, 0, 0,
                                        3, 0x14, 0, 0, 0, 0, 0, 0, 9])),
    "ip-in-ip": lambda f, m, ip: ip(4, f[14:], m),
    "srv6-ethernet": lambda f, m, ip: ipv6(43, bytes([143]) + SRH + f, m),
    "srv6-ipv4": lambda f, m, ip: ipv6(43, bytes([4]) + SRH + f[14:], m),
}


def wrap(path, to, tunnel, ip):
    order, head, found = frames(path)
    kind = b"\x86\xdd" if ip is ipv6 or tunnel.startswith("srv6") else \
        b"\x08\x00"
    with open(to, "wb") as out:
        out.write(head)
        for (sec, sub, missing), frame in found:
            data = bytes(12) + kind + TUNNELS[tunnel](frame, missing, ip)
            out.write(struct.pack(order + "4I", sec, sub, len(data),
                                  len(data) + missing) + data)


def check(path, *args):
    """The findings of rung check, without what only a file's bytes decide."""
    done = rung("check", "--json", "--flows", "--requirements", *args, path)
    text = re.sub('"tunnels":[0-9]+,', "", done.stdout)
    return done.returncode, text.replace(str(path), "CAPTURE")


def of_two(*ips):
    """Each capture, with each tunnel, in each of the outer headers."""
    for name in PLAIN:
        for tunnel in TUNNELS:
            for ip in ips:
                path = CAPTURES / f"{name}.pcap"
                wrap(path, "wrapped.pcap", tunnel, ip)
                yield path, tunnel


def test_check_finds_the_same():
    plain = {}
    for path, tunnel in of_two(ipv4, ipv6):
        if path not in plain:
            plain[path] = check(path)
        assert check("wrapped.pcap") == plain[path], (path, tunnel)
    assert len(plain) == len(PLAIN)
    assert any('"type":"finding"' in text for _, text in plain.values())


def test_threads_find_the_same():
    path = CAPTURES / f"{PLAIN[0]}.pcap"
    wrap(path, "wrapped.pcap", "vxlan", ipv6)
    assert check("wrapped.pcap", "-j", "4") == check(path)
    for jobs in ("1", "4"):
        done = rung("check", "--json", "-j", jobs, "wrapped.pcap")
        end = json.loads(done.stdout.splitlines()[-1])
        assert end["tunnels"] == end["packets"] > 0, end
    assert "in tunnels: " in rung("check", "wrapped.pcap").stdout
    assert "tunnels" not in rung("check", path).stdout


def test_ladder_and_graph_draw_the_same():
    path = CAPTURES / f"{PLAIN[1]}.pcap"
    wrap(path, "wrapped.pcap", "erspan-3", ipv4)
    for command in (("ladder", "--all"), ("ladder", "--format", "json"),
                    ("graph",)):
        want = rung(*command, path)
        got = rung(*command, "wrapped.pcap")
        assert want.returncode == got.returncode, got
        assert want.stdout.replace(str(path), "") == \
            got.stdout.replace("wrapped.pcap", ""), command
        assert len(got.stdout) > 500


def test_too_deep():
    """What lies deeper is counted as not read, and nothing is lost."""
    path = CAPTURES / f"{PLAIN[0]}.pcap"
    for i in range(5):
        wrap(path, f"{i}.pcap", "erspan-2", ipv4)
        path = pathlib.Path(f"{i}.pcap")
    done = expect(rung("check", "--json", "4.pcap"), None)
    end = json.loads(done.stdout.splitlines()[-1])
    assert [u["count"] for u in end["unread"]] == [len(frames(path)[2])], end
    assert end["unread"][0]["name"] == "gre", end
    assert check("3.pcap")[0] == check(CAPTURES / f"{PLAIN[0]}.pcap")[0]


if __name__ == "__main__":
    main(globals())
