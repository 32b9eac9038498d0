#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung bridge between two reference endpoints in three namespaces, on
whole frames. Each frame crosses byte for byte, except where a rule changes it.

Usage: bridge.py RUNG TOOLS_DIR
Exit status 77 where there can be no lab.
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from bridge import CASE, DECL, Endpoint, comments  # noqa: E402
from lib import RUNG, expect, main, write  # noqa: E402

PEER = os.environ.get("LAB_PEER", "").split()
MIDDLE = os.environ.get("LAB_MIDDLE", "").split()
A, B = "10.93.0.1", "10.93.0.2"
ADDR = bytes([10, 93, 0, 1])


def blocks(path="x.pcapng"):
    """(interface, frame) of each packet of the capture."""
    data, at, out = open(path, "rb").read(), 0, []
    while at < len(data):
        kind, length = (int.from_bytes(data[i:i + 4], "little")
                        for i in (at, at + 4))
        if kind == 6:
            kept = int.from_bytes(data[at + 20:at + 24], "little")
            out.append((int.from_bytes(data[at + 8:at + 12], "little"),
                        data[at + 28:at + 28 + kept]))
        at += length
    return out


def through(port, rules, code, out, form="", change=None, ends=(A, B)):
    """Lets A send three messages to B; calls |change| after the second."""
    done = subprocess.Popen(
        [*MIDDLE, RUNG, "bridge", "-o", "x.pcapng", "--silence", "1s",
         "--decl", "ref", "--rules", write("x.rules", rules),
         f"{port}:ma", f"{port}:mb"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "between" in done.stderr.readline()
    a = Endpoint(f"{port}:va,ip={ends[0]}{form}", "a.sock", how="--port")
    b = Endpoint(f"{port}:vb,ip={ends[1]}{form}", "b.sock", PEER, "--port")
    try:
        for i in range(3):
            if i == 2 and change:
                change()
                break
            a.ask("send", handle=i + 1, peer=ends[1], len=64)
            a.until("completion", 1)
        text, errors = done.communicate(timeout=30)
    finally:
        a.close()
        b.close()
        done.kill()
        done.stdout.close()
        done.stderr.close()
    return expect(subprocess.CompletedProcess(
        done.args, done.returncode, text, errors), code, out)


def test_frames_cross_as_they_are():
    for port, form in ("ring", ""), ("raw", ",native"), ("ring", ",vlan=7"), \
            ("xdp", ""):
        through(port, "", 0, "\npass\n", form)
        sides = blocks()
        ours = [[f for s, f in sides if s == i and ADDR in f[:46] and
                 f[12:14] != b"\x08\x06"] for i in range(2)]
        assert ours[0] == ours[1] and len(ours[0]) >= 6, (port, form)
        assert not comments()


def test_a_loss_and_a_cut():
    """A trimmed packet is answered by a NACK and retransmitted."""
    done = through("ring", "drop > rud_req nth=2\n"
                   "trim 16 last_hop udp_kept < ack nth=3\n"
                   "rewrite dscp=33 entropy=777 > rud_req nth=1\n", None, "")
    assert done.returncode in (0, 1), done.stdout
    notes = comments()
    assert (0, "dropped by line 1") in notes and \
        (1, "changed by line 3") in notes, notes
    changed = [f for s, f in blocks() if f[14 + 20:14 + 22] == b"\x03\x09"]
    assert changed and changed[0][15] >> 2 == 33, changed
    assert sum(int.from_bytes(changed[0][i:i + 2], "big")
               for i in range(14, 34, 2)) % 0xffff == 0  # checksum of IP


def test_ipv6():
    """The same in IPv6, over UDP and natively."""
    ends = "fd93::1", "fd93::2"
    for form, shim in ("", 8), (",native", 4):
        through("ring", "", 0, "\npass\n", form, ends=ends)
        assert not comments()
        done = through("ring", "drop > rud_req nth=2\n"
                       "rewrite dscp=33 entropy=777 > rud_req nth=1\n"
                       "inject < nack no_pkt_buffer on > rud_req nth=3\n",
                       None, "", form, ends=ends)
        assert done.returncode in (0, 1), done.stdout
        notes = comments()
        assert (0, "dropped by line 1") in notes and \
            (1, "changed by line 2") in notes, notes
        frames = [(s, f) for s, f in blocks() if f[12:14] == b"\x86\xdd" and
                  f[14 + 6] in (17, 253) and len(f) > 54 + shim + 12]
        changed = [f for s, f in frames if s == 1 and
                   f[54:56] == b"\x03\x09"]
        assert changed, frames
        assert int.from_bytes(changed[0][14:16], "big") >> 6 & 63 == 33
        nacks = [f for s, f in frames if f[54 + shim] >> 3 == 10]
        acks = [f for s, f in frames if s == 0 and f[54 + shim] >> 3 == 7]
        assert nacks and acks and nacks[0][:12] == acks[0][:12], frames


OPTIONS = bytes((0, 1, 4)) + bytes(4)  # 8 bytes with their type: PadN
ATOMIC = bytes((0, 0, 0)) + b"same"    # offset 0, no M
HEADS = (((0, OPTIONS),), ((60, OPTIONS),), ((0, OPTIONS), (60, OPTIONS)),
         ((44, ATOMIC),), ((0, OPTIONS), (44, ATOMIC), (60, OPTIONS)),
         ((44, b"\0\0\x01same"),))     # the last is a part of a packet


def behind(heads, frame):
    """The frame with extension headers of IPv6 before its payload."""
    kinds = [kind for kind, _ in heads] + [frame[14 + 6]]
    more = b"".join(bytes((after,)) + rest
                    for after, (_, rest) in zip(kinds[1:], heads))
    size = int.from_bytes(frame[18:20], "big") + len(more)
    return (frame[:18] + size.to_bytes(2, "big") + bytes(kinds[:1]) +
            frame[21:54] + more + frame[54:])


def sent(frames, rules):
    """The frames of either side of a bridge to whose first port all of
    |frames| come."""
    with subprocess.Popen(
            [*MIDDLE, RUNG, "bridge", "-o", "x.pcapng", "--silence", "1s",
             "--decl", "ref", "--rules", write("x.rules", rules), "ring:ma",
             "ring:mb"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True) as process, socket.socket(
                socket.AF_PACKET, socket.SOCK_RAW) as out:
        assert "between" in process.stderr.readline()
        out.bind(("va", 0))
        for frame in frames:
            out.send(frame)
        process.communicate(timeout=30)
    known = {frame[22:38] for frame in frames}
    return [[f for s, f in blocks() if s == i and f[22:38] in known and
             f[20] in (0, 17, 44, 60, 253)] for i in range(2)]


def test_ipv6_extensions():
    """What stands behind extension headers is read, a part of a packet is
    not, and each frame that no rule changes crosses as it is."""
    for form, shim in ("", 8), (",native", 4):
        through("ring", "", 0, "\npass\n", form, ends=("fd93::1", "fd93::2"))
        one = next(f for s, f in blocks() if s == 0 and len(f) > 54 + shim and
                   f[12:14] == b"\x86\xdd" and f[54 + shim] >> 3 == 2)
        frames = [behind(heads, one) for heads in HEADS]
        first, second = sent(frames, "")
        assert first == second == frames, (form, first, second)
        for i, frame in enumerate(frames[:-1]):
            first, second = sent([frame], "drop > rud_req nth=1\n")
            assert (first, second) == ([frame], []), (form, i)
            second = sent([frame], "rewrite entropy=777 > rud_req\n")[1]
            at = len(frame) - len(one) + 54
            want = frame[:at] + b"\x03\x09" + frame[at + 2:]
            assert second == [want], (form, i, second, want)
        both = frames[-1], frames[0]
        first, second = sent(both, "drop > rud_req nth=1\n")
        assert (first, second) == ([*both], [frames[-1]]), form


def test_an_injected_packet_has_the_other_macs():
    through("ring", "inject < nack no_pkt_buffer on > rud_req nth=2\n"
            "drop > ack nth=1\ndrop < ack nth=2\n", None, "line 1")
    frames = [f for s, f in blocks() if s == 0 and len(f) > 42 + 12]
    nacks = [f for f in frames if f[12:14] == b"\x08\0" and f[42] >> 3 == 10]
    acks = [f for f in frames if f[12:14] == b"\x08\0" and f[42] >> 3 == 7]
    assert nacks and acks and nacks[0][:12] == acks[0][:12], (nacks, acks)


def test_a_port_that_fails():
    def down():
        subprocess.run([*MIDDLE, "ip", "link", "set", "dev", "mb", "down"],
                       check=True)
    try:
        done = through("ring", "", 5, "packets in", change=down)
        assert "ring:mb" in done.stderr and "down" in done.stderr, done.stderr
        assert len(blocks()) >= 8
    finally:
        subprocess.run([*MIDDLE, "ip", "link", "set", "dev", "mb", "up"],
                       check=True)


def listens(process, names):
    """Returns whether a process captures on interfaces of its namespace."""
    rows = pathlib.Path(f"/proc/{process.pid}/net/packet").read_text()
    found = {row.split()[4] for row in rows.splitlines()[1:]
             if row.split()[3] == "0003"}
    links = json.loads(subprocess.run(
        [*MIDDLE, "ip", "-j", "link"], capture_output=True, text=True,
        check=True).stdout)
    return found.issuperset(str(x["ifindex"]) for x in links
                            if x["ifname"] in names)


def case_between(port, faces, form=""):
    """rung run between A, the device, and B, by an address at each side."""
    a = Endpoint(f"{port}:va,ip={A}{form}", "a.sock", how="--port")
    b = Endpoint(f"{port}:vb,ip={B}{form}", "b.sock", PEER, "--port")
    process = subprocess.Popen(
        [*MIDDLE, RUNG, "run", "--json", "-", "--decl", write("a.decl", DECL),
         "--dut", f"{port}:ma,ip={faces[0]},peer={A}{form}", "--bridge",
         f"{port}:mb,ip={faces[1]},peer={B}{form}", "--timeout", "5s",
         write("between.lad", CASE)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while process.poll() is None and not listens(process, ("ma", "mb")):
            time.sleep(0.01)
        for i in range(2):
            time.sleep(0.5)  # a user starts the device by hand
            a.ask("send", handle=i + 1, peer=faces[0], len=64)
        out, err = process.communicate(timeout=30)
    finally:
        a.close()
        b.close()
        process.kill()
        process.stdout.close()
        process.stderr.close()
    case = json.loads(out)["cases"][0]
    late = "late for itself" in case["reason"]
    assert case["verdict"] == "pass" or late, (case, err)


def test_a_case_between_two_interfaces():
    """Each end sends to an address of the bridge, which may be the address of
    the other end."""
    case_between("ring", (B, A))
    case_between("raw", ("10.93.0.3", "10.93.0.4"), ",native")


if __name__ == "__main__":
    if not MIDDLE:
        lab = os.path.join(os.path.abspath(sys.argv[2]), "lab")
        sys.exit(subprocess.run([lab, "--between", sys.executable,
                                 os.path.abspath(__file__), RUNG,
                                 sys.argv[2]]).returncode)
    main(globals())
