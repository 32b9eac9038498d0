#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests faults of a device on a real link, and of the link.

Each run ends in time, with the right verdict and the results so far.

Usage: tools/lab faults.py RUNG [FAULT...]
"""
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from timely import late  # pylint: disable=wrong-import-position

RUNG = os.path.abspath(sys.argv[1])
HERE = pathlib.Path(__file__).resolve().parent
PEER = os.environ["LAB_PEER"].split()
NEXT = "uet/rud/read-std-return@target"  # needs no control channel
PATIENCE = 30  # seconds
RARE = 2       # tests that a pause of the machine may disturb

SLOW = """title Slow
covers RUD-SVC-2
needs rud send

chair target
  use open
  base fwd=333
  >  rud_req psn=333 clear_psn=332 ar | std send message_id=1 som eom | data 64
  <  ack ack_psn=333 | response message_id=1  [RUD-SVC-2]
  wait 700ms
  >  rud_req psn=334 clear_psn=333 ar | std send message_id=2 som eom | data 64
  <  ack ack_psn=334 | response message_id=2  [RUD-SVC-2]
  use close
"""


class Spoilt(Exception):
    """Returns whether the tester reported that it was late itself."""


class Lab:
    """Starts a device at vb, and a run of a slow and a quick case at va."""

    def __init__(self, kind):
        self.kind = kind
        pathlib.Path("slow.lad").write_text(SLOW)
        self.frames = socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                                    socket.htons(3))
        self.frames.bind(("va", 0))
        self.frames.settimeout(PATIENCE)
        self.device = None

    def start_device(self):
        self.device = subprocess.Popen(
            [*PEER, RUNG, "serve", "--port", f"{self.kind}:vb,ip=10.2.0.2",
             "--decl", HERE / "wire.decl"], stderr=subprocess.PIPE, text=True)
        assert "listening" in self.device.stderr.readline()

    def start_run(self):
        self.run = subprocess.Popen(
            [RUNG, "run", "-q", "--out", "out", "--decl", HERE / "wire.decl",
             "--dut", f"{self.kind}:va,ip=10.2.0.1,peer=10.2.0.2", "slow.lad",
             NEXT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.began = time.monotonic()

    def await_middle(self):
        """Waits until the slow case has received its first two answers."""
        answers = 0
        while answers < 2:
            frame = self.frames.recv(2048)
            udp = frame[34:42]
            if frame[12:14] == b"\x08\x00" and len(udp) == 8 and \
                    struct.unpack("!H", udp[2:4])[0] == 4793 and \
                    frame[29] == 2:  # from 10.2.0.2
                answers += 1

    def verdicts(self, code):
        out, err = self.run.communicate(timeout=PATIENCE)
        doc = json.loads(pathlib.Path("out/results.json").read_text())
        for case in doc["cases"]:
            if late(case):
                raise Spoilt(case["reason"])
        assert self.run.returncode == code, (self.run.returncode, out, err)
        return {c["id"]: c for c in doc["cases"]}

    def end(self):
        self.frames.close()
        if self.device:
            self.device.kill()
            self.device.communicate(timeout=PATIENCE)


def link(*args, where=()):
    subprocess.run([*where, "ip", "link", "set", *args], check=True)


def killed(lab):
    """The device is blamed if an answer is missing; if it was silent from the
    start, the set-up may be wrong."""
    lab.await_middle()
    lab.device.kill()
    got = lab.verdicts(1)
    assert got["slow@target"]["verdict"] == "fail", got["slow@target"]
    assert "nothing came" in got["slow@target"]["reason"]
    assert got[NEXT]["verdict"] == "inconclusive", got[NEXT]


def hung(lab):
    lab.await_middle()
    lab.device.send_signal(signal.SIGSTOP)
    got = lab.verdicts(1)
    assert got["slow@target"]["verdict"] == "fail", got["slow@target"]
    assert got[NEXT]["verdict"] == "inconclusive", got[NEXT]


def restarted(lab):
    """The restarted device answers the second packet as an unknown PDC."""
    lab.await_middle()
    lab.device.kill()
    lab.device.communicate(timeout=PATIENCE)
    lab.start_device()
    got = lab.verdicts(1)
    assert got["slow@target"]["verdict"] == "fail", got["slow@target"]
    assert got[NEXT]["verdict"] == "pass", got[NEXT]


def link_down_here(lab):
    """The tester's own link goes down: no fault of the device."""
    lab.await_middle()
    link("va", "down")
    until = time.monotonic() + PATIENCE
    done = pathlib.Path("out/cases/slow@target/replay.json")
    while not done.exists():
        assert lab.run.poll() is None and time.monotonic() < until
        time.sleep(0.01)
    link("va", "up")
    got = lab.verdicts(5)
    assert got["slow@target"]["verdict"] == "error", got["slow@target"]
    assert "cannot send" in got["slow@target"]["reason"]
    assert got[NEXT]["verdict"] in ("error", "pass"), got[NEXT]


def link_flaps_here(lab):
    """The link goes down and up again while no packet is sent: the losses are
    unknown."""
    lab.await_middle()
    link("va", "down")
    link("va", "up")
    got = lab.verdicts(3)
    slow = got["slow@target"]
    assert slow["verdict"] == "inconclusive", slow
    assert "the link went down" in slow["reason"], slow
    doubts = json.loads(pathlib.Path(
        "out/cases/slow@target/integrity.json").read_text())["doubts"]
    assert doubts[0]["what"] == "downs" and doubts[0]["after_frame"] >= 2
    assert got[NEXT]["verdict"] == "pass", got[NEXT]


def interrupted(lab):
    """After Ctrl-C the slow case is reported as far as it got, and the other
    one did not run."""
    lab.await_middle()
    lab.run.send_signal(signal.SIGINT)
    got = lab.verdicts(130)
    assert time.monotonic() - lab.began < 10
    assert got["slow@target"]["verdict"] == "inconclusive", got
    assert NEXT not in got, got
    assert os.path.getsize("out/cases/slow@target/capture.pcapng") > 400


def nobody_there(kind):
    """No device exists: address resolution gets no answer."""
    done = subprocess.run(
        [RUNG, "run", "-q", "--out", "out", "--dut",
         f"{kind}:va,ip=10.2.0.1,peer=10.2.0.9", NEXT],
        capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 3, done
    doubts = json.loads(pathlib.Path(
        f"out/cases/{NEXT}/integrity.json").read_text())["doubts"]
    assert {d["what"] for d in doubts} <= {"unreachable"}, doubts


FAULTS = [f for f in (killed, hung, restarted, link_down_here,
                      link_flaps_here, interrupted)
          if not sys.argv[2:] or f.__name__ in sys.argv[2:]]


def in_the_lab(kind, fault):
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        lab = Lab(kind)
        try:
            lab.start_device()
            lab.start_run()
            fault(lab)
        finally:
            lab.end()
            os.chdir("/")


if __name__ == "__main__":
    spoilt = 0
    for kind in ("raw", "ring"):
        for fault in FAULTS:
            try:
                in_the_lab(kind, fault)
                print("ok  ", kind, fault.__name__)
            except Spoilt as why:
                print("late", kind, fault.__name__, why)
                spoilt += 1
        if sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as where:
            os.chdir(where)
            nobody_there(kind)
            os.chdir("/")
            print("ok  ", kind, "nobody_there")
    assert spoilt <= RARE, "no machine for this"
