#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests delays and losses in the tester's own queue and in the network: rung
must not blame the device, and the run must end.

Usage: tools/lab queues.py RUNG [--count N] [TEST...]
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

RUNG = os.path.abspath(sys.argv[1])
HERE = pathlib.Path(__file__).resolve().parent
PEER = os.environ["LAB_PEER"].split()
KINDS = ("udp", "ring", "raw")
CASES = ("uet/rud/read-std-return@target", "uet/rud/send-multi-nongtd@target",
         "uet/rud/read-multi-return@target", "uet/rud/request-lost@target")
SKIPPED = 77
STUCK = ("tbf", "rate", "8kbit", "burst", "400", "limit", "500")
SHUT = ("tbf", "rate", "8bit", "burst", "400", "limit", "500")
PATIENCE = 60  # seconds


def sh(*args, where=(), **more):
    return subprocess.run([*where, *args], check=True, timeout=PATIENCE, **more)


def queue(*args, where=(), dev="va"):
    """Replaces the queueing discipline; without arguments restores the
    default."""
    subprocess.run([*where, "tc", "qdisc", "del", "dev", dev, "root"],
                   stderr=subprocess.DEVNULL, check=False)
    if args:
        sh("tc", "qdisc", "add", "dev", dev, "root", *args, where=where)


def addresses():
    for end, where, host in (("va", (), 1), ("vb", PEER, 2)):
        sh("ip", "addr", "add", f"10.3.0.{host}/24", "dev", end, where=where)
        mac = json.loads(sh("ip", "-j", "link", "show", "dev", end, where=where,
                            capture_output=True).stdout)[0]["address"]
        # A blocked queue also delays ARP.
        sh("ip", "neigh", "replace", f"10.3.0.{host}", "lladdr", mac, "nud",
           "permanent", "dev", "vb" if end == "va" else "va",
           where=() if where else PEER)


def at(kind, host):
    """The port at va or vb.  UDP sockets need the machine's own address."""
    end = "va" if host == 1 else "vb"
    return f"udp:10.3.0.{host}" if kind == "udp" else \
        f"{kind}:{end},ip=10.2.0.{host}"


class Run:
    def __init__(self, kind, *args, cases=CASES):
        net = 3 if kind == "udp" else 2
        self.device = subprocess.Popen(
            [*PEER, RUNG, "serve", "--port", at(kind, 2), "--decl",
             HERE / "wire.decl"], stderr=subprocess.PIPE, text=True)
        assert "listening" in self.device.stderr.readline()
        self.began = time.monotonic()
        self.run = subprocess.Popen(
            [RUNG, "run", "-q", "--out", "out", "--decl", HERE / "wire.decl",
             "--dut", f"{at(kind, 1)},peer=10.{net}.0.2", *args, *cases],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self):
        """Returns {case: verdict}, the names of the doubts, and the
        seconds."""
        try:
            out, err = self.run.communicate(timeout=PATIENCE)
        finally:
            self.run.kill()
            self.device.kill()
            self.device.communicate(timeout=PATIENCE)
        self.took = time.monotonic() - self.began
        self.said = out + err
        self.cases = json.loads(
            pathlib.Path("out/results.json").read_text())["cases"]
        self.doubts = {
            d["what"] for c in self.cases for d in json.loads(
                pathlib.Path("out/cases", c["id"], "integrity.json")
                .read_text())["doubts"]}
        return self

    def verdicts(self):
        return {c["verdict"] for c in self.cases}


def a_full_queue(kind):
    """Each send fails: the cases end in time, and no side is blamed."""
    queue(*STUCK)
    run = Run(kind, "--timeout", "3s").end()
    assert run.took < 30, run.took
    assert run.verdicts() <= {"inconclusive", "pass"}, \
        [(c["id"], c["verdict"], c["reason"]) for c in run.cases]
    assert "inconclusive" in run.verdicts(), run.cases
    assert "unsent" in run.doubts, (run.doubts, run.cases)
    assert any("could not send" in c["reason"] for c in run.cases), run.cases


def a_signal_on_a_full_queue(kind):
    for number in (signal.SIGINT, signal.SIGTERM):
        queue(*STUCK)
        run = Run(kind, "--repeat", "50")
        time.sleep(1)
        run.run.send_signal(number)
        sent = time.monotonic()
        run.end()
        assert time.monotonic() - sent < 10, number
        assert run.run.returncode == 130, (run.run.returncode, run.said)


def sending_on_a_full_queue(kind):
    """rung send waits for a slow link for a limited time."""
    queue(*SHUT)
    net = 3 if kind == "udp" else 2
    began = time.monotonic()
    done = subprocess.run(
        [RUNG, "send", "-q", CASES[0], "--loop", "0", "--rate", "max",
         "--port", f"{at(kind, 1)},peer=10.{net}.0.2" if kind == "udp" else
         f"{kind}:va"],
        capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert time.monotonic() - began < 30
    assert done.returncode == 5, done


# Duplicates each packet that leaves a port: as a network duplicate, or as a
# packet with its own identification.
REPEATER = """
import socket, struct, sys
dev, other = sys.argv[1], int(sys.argv[2])
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
s.bind((dev, 0))
print("up", flush=True)
def checksum(p):
    n = sum(struct.unpack("!10H", p))
    n = (n & 0xffff) + (n >> 16)
    return 0xffff - (n & 0xffff) - (n >> 16)
while True:
    p, at = s.recvfrom(9300)
    if at[2] != socket.PACKET_OUTGOING or p[12:14] != bytes([8, 0]):
        continue
    number = struct.unpack("!H", p[18:20])[0] ^ other
    ip = p[14:18] + struct.pack("!H", number) + p[20:24] + bytes(2) + p[26:34]
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    s.send(p[:14] + ip + p[34:])
"""


class Repeater:
    def __init__(self, dev, other, where=()):
        self.args = [*where, sys.executable, "-c", REPEATER, dev, str(other)]

    def __enter__(self):
        self.process = subprocess.Popen(self.args, stdout=subprocess.PIPE,
                                        text=True)
        assert self.process.stdout.readline() == "up\n"

    def __exit__(self, *why):
        self.process.kill()
        self.process.communicate()


def a_network_that_doubles(kind):
    """The packets of the device, or of the tester, arrive twice."""
    ends = [("vb", PEER)] + ([("va", ())] if kind != "udp" else [])
    for dev, where in ends:
        with Repeater(dev, 0, where):
            run = Run(kind).end()
        assert run.verdicts() <= {"inconclusive", "pass"}, \
            (dev, [(c["id"], c["verdict"], c["reason"]) for c in run.cases])
        assert "inconclusive" in run.verdicts(), run.cases
        assert "doubled" in run.doubts, (dev, run.doubts, run.said)


def a_device_that_repeats_itself(kind):
    """A device that sends each packet twice is blamed."""
    with Repeater("vb", 0x8000, PEER):
        run = Run(kind).end()
    assert "doubled" not in run.doubts, (run.doubts, run.cases)
    assert "fail" in run.verdicts(), \
        [(c["id"], c["verdict"], c["reason"]) for c in run.cases]


def a_device_that_loses(kind):
    """The device does not answer, and the kernel confirms that the tester's
    packets left."""
    queue("tbf", "rate", "8bit", "burst", "600", "limit", "700",
          where=PEER, dev="vb")
    run = Run(kind).end()
    assert "fail" in run.verdicts(), \
        [(c["id"], c["verdict"], c["reason"]) for c in run.cases]


def a_short_mtu(kind):
    """Packets that the tester's link refuses did not leave."""
    sh("ip", "link", "set", "va", "mtu", "600")
    try:
        run = Run(kind, cases=("uet/rud/send-multi-nongtd@target",)).end()
    finally:
        sh("ip", "link", "set", "va", "mtu", "1500")
    assert run.verdicts() == {"inconclusive"}, \
        [(c["id"], c["verdict"], c["reason"]) for c in run.cases]
    assert "too_long" in run.doubts, run.doubts


def a_clean_link(kind):
    """On a good link rung reports no such doubt."""
    run = Run(kind).end()
    assert run.verdicts() == {"pass"}, \
        [(c["id"], c["verdict"], c["reason"]) for c in run.cases]
    assert not run.doubts, run.doubts


TESTS = (a_clean_link, a_short_mtu, a_network_that_doubles,
         a_device_that_repeats_itself, a_device_that_loses, a_full_queue, a_signal_on_a_full_queue,
         sending_on_a_full_queue)


def in_the_lab(kind, test):
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        try:
            test(kind)
        finally:
            os.chdir(home)
            queue()
            queue(where=PEER, dev="vb")


if __name__ == "__main__":
    try:
        queue("tbf", "rate", "1gbit", "burst", "10000", "limit", "100000")
    except (OSError, subprocess.CalledProcessError) as why:
        print("skipped: no tc, or no tbf:", why)
        sys.exit(SKIPPED)
    addresses()
    args, count = sys.argv[2:], 1
    if args[:1] == ["--count"]:
        count, args = int(args[1]), args[2:]
    for t in TESTS:
        for k in KINDS:
            if args and t.__name__ not in args:
                continue
            for _ in range(count):
                in_the_lab(k, t)
            print("ok  ", k, t.__name__, f"{count} of {count}", flush=True)
