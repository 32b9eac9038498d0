#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the lab disappears with its script: after the command, Ctrl-C,
even SIGKILL.

Usage: ends.py TOOLS_DIR
Exit status 77 where there can be no lab.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

LAB = os.path.join(os.path.abspath(sys.argv[1]), "lab")
SKIPPED = 77
PATIENCE = 20  # seconds


def start(script):
    return subprocess.Popen([LAB, "sh", "-c", script], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def inhabitants(namespaces):
    """Returns the processes in any of these network namespaces."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "ns/net") in namespaces:
                found.append(process.name)
        except OSError:
            continue  # the process has ended, or is not ours
    return found


def is_gone(namespaces):
    until = time.monotonic() + PATIENCE
    while left := inhabitants(namespaces):
        assert time.monotonic() < until, f"still there: {left}"
        time.sleep(0.01)


SHOW = ("readlink /proc/self/ns/net; $LAB_PEER readlink /proc/self/ns/net; "
        "echo up; ")


def both(lab):
    names = [lab.stdout.readline().strip() for _ in range(2)]
    assert lab.stdout.readline() == "up\n"
    assert len(set(names)) == 2 and all(n.startswith("net:") for n in names)
    assert os.readlink("/proc/self/ns/net") not in names
    return names


def test_command_ends():
    lab = start(SHOW + "ip -br link show va; $LAB_PEER ip -br link show vb; "
                "exit 7")
    names = both(lab)
    out = lab.stdout.read()  # communicate() forgets what readline() has read
    lab.wait(timeout=PATIENCE)
    assert "va@" in out and "vb@" in out, out
    assert lab.returncode == 7
    is_gone(names)


def test_signals():
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143),
                         (signal.SIGKILL, -signal.SIGKILL)):
        lab = start(SHOW + "exec sleep 300")
        names = both(lab)
        assert inhabitants(names)
        lab.send_signal(number)
        assert lab.wait(timeout=PATIENCE) == code, (number, lab.returncode)
        if number == signal.SIGKILL:
            # a killed script cannot end the processes that it started
            for pid in inhabitants(names[:1]):
                os.kill(int(pid), signal.SIGKILL)
        is_gone(names)


def test_usage():
    for args in ([], ["--no-such"], ["--suite", "rung"],
                 ["--suite", "rung", "raw", "udp", "5"],
                 ["--suite", "rung", "raw", "tcp", "4"]):
        done = subprocess.run([LAB, *args], capture_output=True, text=True)
        assert done.returncode == 2 and "Usage" in done.stderr, (args, done)


if __name__ == "__main__":
    if subprocess.run([LAB, "true"]).returncode == SKIPPED:
        sys.exit(SKIPPED)
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok  ", name)
