#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests --trigger: a command starts the operations of the device.

The device is the reference; the command uses its control channel, which the
tester does not know.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

from lib import RUNG, expect, main, results, rung, write

DECL = pathlib.Path(__file__).resolve().parent.parent / "lab/wire.decl"
CASE = "uet/rud/send-nongtd@initiator"
LINK = ("--decl", DECL, "--dut", "udp:127.80.0.1,peer=127.80.0.2")

TELL = """
import json, socket, sys
op, length, peer, mode, key = sys.argv[1:]
ask = {"id": 1, "verb": op}
if op != "reset":
    ask.update(handle=1, peer=peer, len=int(length), mode=mode)
if op in ("read", "write"):
    ask["key"] = int(key)
channel = socket.socket(socket.AF_UNIX)
channel.connect("nic.sock")
lines = channel.makefile("rw")
lines.write(json.dumps(ask) + "\\n")
lines.flush()
answer = json.loads(lines.readline())
sys.exit(0 if answer.get("ok") else answer["error"])
"""


@contextlib.contextmanager
def device():
    serve = subprocess.Popen(
        [RUNG, "serve", "--udp", "127.80.0.2", "--control", "unix:nic.sock",
         "--decl", DECL], stderr=subprocess.PIPE, text=True)
    try:
        assert "listening" in serve.stderr.readline()
        yield f"{sys.executable} -S {write('tell.py', TELL)}"
    finally:
        serve.terminate()
        serve.communicate(timeout=10)


def test_initiator():
    with device() as tell:
        doc = results(*LINK, "--trigger",
                      tell + " {op} {len} {peer} {mode} {key}",
                      CASE, "uet/rod/send@initiator",
                      "uet/rud/read-std-return@initiator",
                      "uet/rud/nack/unknown-psn@initiator",
                      "uet/cp/noop@initiator", code=None)
    got = {c["id"]: (c["verdict"], c["reason"]) for c in doc["cases"]}
    assert got[CASE][0] == "pass", got
    assert got["uet/rod/send@initiator"][0] == "pass", got
    assert got["uet/rud/read-std-return@initiator"][0] == "pass", got
    # only the wire was observed
    halves = {(r["id"], r["role"]): r["verdict"] for r in doc["requirements"]}
    assert halves["RUD-SVC-4", "src"] != "fail", halves


def test_without_reset():
    """A command without {op} can only send."""
    with device() as tell:
        doc = results(*LINK, "--trigger", tell + " send {len} {peer} rud 0",
                      CASE)
        assert doc["cases"][0]["verdict"] == "pass", doc["cases"]


def test_start_psns_differ():
    """A reset without a seed does not begin the last life again."""
    with device() as tell:
        doc = results(*LINK, "--repeat", 9, "--trigger",
                      tell + " {op} {len} {peer} {mode} {key}", CASE)
    assert doc["totals"]["pass"] == 9, doc["cases"]


def test_slow_command():
    """A timer that runs out while a command starts the next operation is not
    the device's fault."""
    lad = write("slow.lad", """\
title   A second operation before the first is acknowledged
covers  RUD-SVC-1
needs   rud send

chair initiator
  use open
  base fwd=333
  post send len=64
  <  rud_req psn=333 | std send message_id=$m som eom | data 64  [RUD-SVC-1]
  wait 0.1 rto
  post send len=64
  <  rud_req psn=334 | std send message_id=$n som eom | data 64  [RUD-SVC-1]
  >  ack ack_psn=334 cack_psn=334 | response message_id=$n
  never < rud_req psn=333 retx for 3 rto                         [RUD-SVC-1]
  wait 4 rto
  <  rud_req psn=336                                             [RUD-SVC-1]
""")
    with device() as tell:
        doc = results(*LINK, "--trigger", "[ {op} = reset ] || sleep 0.4; " +
                      tell + " {op} {len} {peer} {mode} {key}", lad, code=3)
    [case] = doc["cases"]
    assert case["verdict"] == "inconclusive", case


def test_words_that_are_missing():
    """A case is not applicable if it needs a parameter that the command
    lacks."""
    with device() as tell:
        doc = results(*LINK, "--trigger",
                      tell + " {op} {len} {peer} rud {key}", CASE,
                      "uet/cp/noop@initiator", "uet/rod/send@initiator",
                      "uet/rud/read-small-return@initiator", code=None)
    got = {c["id"]: c["verdict"] for c in doc["cases"]}
    assert got.pop(CASE) == "pass", doc["cases"]
    assert set(got.values()) == {"na"}, doc["cases"]


def test_command_fails():
    """The reason quotes the last line of the command; the device is not
    blamed."""
    with device():
        doc = results(*LINK, "--trigger", "echo odd >&2; exit 3", CASE,
                      code=5)
        case = doc["cases"][0]
        assert case["verdict"] == "error", case
        assert "exited with status 3: odd" in case["reason"], case


def test_command_is_silent():
    """The device never sends: inconclusive, because the command may be
    wrong."""
    with device():
        doc = results(*LINK, "--trigger", "true", CASE, code=3)
    assert doc["cases"][0]["verdict"] == "inconclusive", doc["cases"]


def test_command_goes_on():
    """A command that keeps running is ended after the first packet."""
    with device() as tell:
        began = time.monotonic()
        expect(rung("run", *LINK, "--trigger",
                    "echo $$ >>pids; [ {op} = reset ] || " + tell +
                    " {op} {len} {peer} {mode} {key}; sleep 300", CASE), 0)
        assert time.monotonic() - began < 60
    for pid in pathlib.Path("pids").read_text().split():
        assert not os.path.exists(f"/proc/{pid}"), pid


def test_output_is_shown():
    with device() as tell:
        expect(rung("run", *LINK, "--out", "out", "-v", "--trigger",
                    "printf 'one \\033[2J two\\n'; " + tell +
                    " {op} {len} {peer} {mode} {key}", CASE), 0,
               "the trigger says: one")
    where = pathlib.Path("out/cases") / CASE
    assert "\033" not in (where / "ladder.txt").read_text()
    replay = json.loads((where / "replay.json").read_text())
    assert replay, replay


def test_usage():
    for args in (("--dut", "ref"), ("--dut", "exec:x"),
                 (*LINK, "--control", "unix:x")):
        expect(rung("run", *args, "--trigger", "true", CASE), 2,
               err="--trigger is for")


if __name__ == "__main__":
    main(globals())
