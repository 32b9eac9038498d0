#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that rung doctor names the offloads of an interface, switches them
off, and says whether AF_XDP works there.

Usage: tools/lab doctor.py RUNG
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

RUNG = sys.argv[1]


def doctor(*args):
    done = subprocess.run([RUNG, "doctor", "--json", *args],
                          capture_output=True, text=True)
    rows = json.loads(done.stdout)["checks"]
    lacks = any(r["state"] == "lacks" for r in rows)
    assert done.returncode == (1 if lacks else 0), done
    return {check: [(r["state"], r["text"]) for r in rows
                    if r["check"] == check]
            for check in ("offloads", "queues", "timestamps", "xdp",
                          "interfaces")}


def may_lock(size):
    """Limits the locked memory of all processes of the user; returns False if
    that is not permitted."""
    try:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (size, size))
    except (PermissionError, ValueError):
        return False
    return True


def xdp_with(*capabilities, lock=None):
    """Returns what rung doctor says of AF_XDP with these capabilities only."""
    keep = ",".join(["-all", *capabilities])
    done = subprocess.run(
        ["setpriv", "--bounding-set", keep, "--inh-caps", keep,
         RUNG, "doctor", "--json", "va"], capture_output=True, text=True,
        check=False, preexec_fn=lock and (lambda: may_lock(lock)))
    row = [r for r in json.loads(done.stdout)["checks"]
           if r["check"] == "xdp"][-1]
    return row["state"], row["text"]


def link(*args):
    subprocess.run(["ip", "link", *args], check=True)


def no_tshark(where):
    """tshark takes a second to start, and this test does not need it."""
    path = pathlib.Path(where) / "tshark"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    os.environ["PATH"] = f"{where}:{os.environ['PATH']}"


def look_at_rights():
    state, text = xdp_with()
    assert state == "note" and "CAP_NET_RAW" in text, text
    state, text = xdp_with("+net_raw", lock=1 << 20)
    assert state == "lacks" and 'see "ulimit -l"' in text, text
    unlimited = may_lock(resource.RLIM_INFINITY)
    state, text = xdp_with("+net_raw")
    if unlimited or state != "lacks":
        assert state == "note" and "CAP_SYS_ADMIN" in text, text
    else:  # other processes of this user have locked too much memory
        assert 'see "ulimit -l"' in text, text


def main():
    rows = doctor("va")
    named = [text for state, text in rows["offloads"] if state == "note"]
    assert any("TX checksumming is on" in text for text in named), rows
    assert any("TSO is on" in text for text in named), rows
    assert rows["queues"][0][0] == "ok" and "noqueue" in rows["queues"][0][1]
    assert rows["timestamps"][0][0] == "ok", rows

    works = ("ok", "va: xdp ports work, the kernel copies each frame")
    assert rows["xdp"] == [
        works, ("note", "va: MTU 9300: xdp ports receive no frame above 3840 "
                "bytes")], rows["xdp"]
    assert doctor()["xdp"] == [
        ("note", "tried out on interfaces that are named")]
    decl = pathlib.Path(os.environ["PATH"].split(":")[0], "large.decl")
    decl.write_text("name large\nclaims rud\nsize mtu 4096\n")
    assert ("ok", "va: MTU 9300") in doctor("va")["interfaces"]
    link("set", "va", "mtu", "3000")
    assert ("lacks", "va: MTU 3000, too small for the declared payloads of "
            "4096 bytes") in doctor("--decl", decl, "va")["interfaces"]
    assert doctor("va")["xdp"] == [works]
    look_at_rights()
    held = subprocess.Popen(
        [RUNG, "send", "uet/rud/send-gtd@target", "--port", "xdp:va",
         "--loop", "0", "--rate", "1000"], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    until = time.monotonic() + 10
    while doctor("va")["xdp"] == [works]:
        assert time.monotonic() < until
    state, text = doctor("va")["xdp"][0]
    assert state == "lacks" and "another program has its queue" in text, text
    held.terminate()
    held.wait()

    rows = doctor("--offloads-off", "va")
    assert len(rows["offloads"]) == len(named), rows
    assert all(state == "ok" and "is off now" in text
               for state, text in rows["offloads"]), rows
    assert doctor("va")["offloads"] == [
        ("ok", "va: no offload makes a capture differ from the wire")]

    subprocess.run(["tc", "qdisc", "replace", "dev", "va", "root", "tbf",
                    "rate", "1mbit", "burst", "32kbit", "latency", "400ms"],
                   check=True)
    state, text = doctor("va")["queues"][0]
    assert state == "note" and "tbf may delay" in text, text

    assert doctor("nosuch0")["offloads"] == [
        ("lacks", "nosuch0: no such interface")]
    link("set", "va", "down")
    assert doctor("va")["offloads"] == [
        ("lacks", "va: no Ethernet, or it is down")]
    assert doctor()["offloads"] == [
        ("note", "there is no Ethernet that is up")]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        no_tshark(folder)
        main()
