#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung check on a live port: several threads and AF_XDP find what one
thread finds in the file, and an interface that is removed ends the check with a
message.

Usage: tools/lab live.py RUNG [TEST...]
"""
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

RUNG = os.path.abspath(sys.argv[1])
PEER = os.environ["LAB_PEER"].split()
PATIENCE = 60  # seconds
HOSTS = 60
NET_RAW = 13  # CAP_NET_RAW
FRAME = struct.Struct("=IIII")
SAME = ("packets", "flows", "whole_flows", "fails", "remarks", "nacks")


def rung(*args):
    return subprocess.run([RUNG, *args], capture_output=True, text=True,
                          timeout=PATIENCE)


def summary(text):
    return json.loads(text.splitlines()[-1])


def findings(text):
    """The findings of a check, without what differs between captures."""
    rows = map(json.loads, text.splitlines())
    return sorted((r["requirement"], r["role"], r["side"]) for r in rows
                  if r["type"] == "finding")


def checksum(header):
    total = sum(struct.unpack("!10H", header))
    return ~((total & 0xffff) + (total >> 16)) & 0xffff


def moved(frame, host, tags):
    """A copy of an IPv4 frame between two other hosts, with VLAN tags."""
    ip = bytearray(frame[14:34])
    for at in 13, 17:
        ip[at] = host
    ip[10:12] = b"\0\0"
    ip[10:12] = struct.pack("!H", checksum(ip))
    return frame[:12] + b"\x81\0\0\x07" * tags + frame[12:14] + bytes(ip) + \
        frame[34:]


def ipv4_frames():
    """Frames of UET between two hosts: an exchange of the reference."""
    done = rung("run", "--dut", "virtual", "--quiet", "--out", "run",
                "uet/rud/send-gtd@target", "uet/rud/ack-lost@target",
                "uet/rud/read-std-return@target")
    assert done.returncode in (0, 1), done
    for path in sorted(pathlib.Path("run").rglob("*.pcapng")):
        data, at = path.read_bytes(), 0
        while at < len(data):
            kind, length = struct.unpack_from("<II", data, at)
            if kind == 6:
                kept = struct.unpack_from("<I", data, at + 20)[0]
                yield data[at + 28:at + 28 + kept]
            at += length


def write_traffic():
    """Writes one exchange between each of several pairs of hosts."""
    out = [struct.pack("=IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 1)]
    at = 0
    for frame in list(ipv4_frames()):
        assert frame[12:14] == b"\x08\0" and frame[14] == 0x45, frame
        for host in range(HOSTS):
            copy = moved(frame, host, host % 3)
            at += 1000
            out += FRAME.pack(1, at, len(copy), len(copy)), copy
    pathlib.Path("traffic.pcap").write_bytes(b"".join(out))


class Refused(Exception):
    """rung ended before it captured; the argument is its message."""


class Live:
    """rung check of vb."""

    def __init__(self, *args, port="vb", peer=PEER):
        self.process = subprocess.Popen(
            [*peer, RUNG, "check", "--json", "--port", port, *args],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def until_it_captures(self):
        """rung drops its capabilities when all queues are open."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        while True:
            if self.process.poll() is not None:
                raise Refused(self.process.communicate()[1])
            rows = dict(line.split(":\t", 1) for line in
                        status.read_text().splitlines() if ":\t" in line)
            if rows["Name"] == "rung" and \
                    not int(rows["CapEff"], 16) >> NET_RAW & 1:
                return

    def captures_by_xdp(self):
        """False on a machine without AF_XDP."""
        try:
            self.until_it_captures()
        except Refused as message:
            assert "Operation not supported" in str(message), message
            return False
        return True

    def end(self, how=None):
        if how:
            self.process.send_signal(how)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def test_threads_divide_the_pairs():
    write_traffic()
    file = rung("check", "--json", "traffic.pcap").stdout
    want = summary(file)
    assert want["packets"] > 100 and want["flows"] >= HOSTS, want
    for threads in 1, 2, 3:
        with Live("-j", str(threads)) as live:
            live.until_it_captures()
            sent = rung("send", "traffic.pcap", "--port", "ring:va", "--rate",
                        "20k", "-q")
            assert sent.returncode == 0, sent
            code, out, err = live.end(signal.SIGINT)
        assert code == 130, (code, err)
        got = summary(out)
        queues = got["queues"]
        assert len(queues) == threads, queues
        assert sum(q["frames"] for q in queues) == got["frames"], got
        assert not any(q["dropped"] for q in queues), queues
        assert all(q["frames"] for q in queues), queues
        assert [got[k] for k in SAME] == [want[k] for k in SAME], (got, want)
        assert findings(out) == findings(file), threads


def assert_no_program(port):
    shown = subprocess.run([*PEER, "ip", "link", "show", port],
                           capture_output=True, text=True, check=True)
    assert "xdp" not in shown.stdout, shown.stdout


def test_af_xdp_finds_the_same():
    write_traffic()
    file = rung("check", "--json", "traffic.pcap").stdout
    want = summary(file)
    with Live(port="xdp:vb") as live:
        if not live.captures_by_xdp():
            return
        rung("send", "traffic.pcap", "--port", "ring:va", "--rate", "20k")
        code, out, err = live.end(signal.SIGINT)
    assert code == 130, (code, err)
    got = summary(out)
    assert [q["dropped"] for q in got["queues"]] == [0], got
    assert [got[k] for k in SAME] == [want[k] for k in SAME], (got, want)
    assert findings(out) == findings(file)
    assert_no_program("vb")


def test_af_xdp_reads_all_queues():
    """The directions of a flow come to different queues of an interface."""
    write_traffic()
    file = rung("check", "--json", "traffic.pcap").stdout
    want = summary(file)
    subprocess.run(["ip", "link", "add", "vc", "numrxqueues", "3",
                    "numtxqueues", "3", "type", "veth", "peer", "name", "vd",
                    "numrxqueues", "3", "numtxqueues", "3"], check=True)
    for port in "vc", "vd":
        subprocess.run(["ip", "link", "set", port, "up"], check=True)
    seen = {}
    for port in "xdp:vd", "xdp:vd:0", "xdp:vd:1", "xdp:vd:2":
        with Live(port=port, peer=[]) as live:
            if not live.captures_by_xdp():
                return
            # all frames wait when rung reads the first one
            live.process.send_signal(signal.SIGSTOP)
            rung("send", "traffic.pcap", "--port", "ring:vc", "--rate", "20k")
            live.process.send_signal(signal.SIGCONT)
            code, out, err = live.end(signal.SIGINT)
        assert code == 130, (code, err)
        seen[port] = summary(out)
        if port == "xdp:vd":
            assert findings(out) == findings(file)
    got = seen.pop("xdp:vd")
    for key in *SAME, "restrictions":  # "backward": they are not in order
        assert got[key] == want[key], (key, got, want)
    counts = [row["packets"] for row in seen.values()]
    assert sum(counts) == want["packets"] and max(counts) < sum(counts), counts


def test_af_xdp_leaves_nothing_behind():
    with Live(port="xdp:vb") as live:
        if not live.captures_by_xdp():
            return
        live.end(signal.SIGKILL)
    assert_no_program("vb")


def test_what_af_xdp_refuses():
    for port, code, said in (("xdp:nowhere", 5, "nowhere"),
                             ("xdp:va:7", 2, "has 1 queue,"),
                             ("xdp:va,ip=10.0.0.1", 2, "xdp:IFACE[:QUEUE]"),
                             ("xdp:va:x", 2, "xdp:IFACE:QUEUE")):
        done = rung("check", "--port", port)
        assert done.returncode == code and said in done.stderr, done
    done = rung("check", "--port", "xdp:va", "--filter", "nonsense(")
    assert done.returncode == 2 and "filter: " in done.stderr, done
    alone = subprocess.run(
        ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all", RUNG,
         "check", "--port", "xdp:va"], capture_output=True, text=True)
    assert alone.returncode == 5 and "va" in alone.stderr, alone


def test_interface_lost():
    """The check survives that the link goes down, and ends with a message when
    the interface is removed.  It is the last test, since vb is gone after it."""
    with Live("-j", "2") as live:
        live.until_it_captures()
        for state in "down", "up":
            subprocess.run([*PEER, "ip", "link", "set", "vb", state],
                           check=True)
        assert live.process.poll() is None, live.process.communicate()
        subprocess.run(["ip", "link", "delete", "va"], check=True)
        code, out, err = live.end()
    assert code == 5 and "vb: capture: " in err, (code, out, err)
    assert len(summary(out)["queues"]) == 2, out


def main():
    tests = {k[5:]: v for k, v in globals().items() if k.startswith("test_")}
    for name, test in tests.items():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as where:
            os.chdir(where)
            test()
            os.chdir("/")
        print("ok", name)


if __name__ == "__main__":
    main()
