#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that a device that does not keep a declared size or time is reported.

The reference is started with one declaration and tested by another.  With
another MTU the run fails once, for the declaration, and the cases that build on
the number are na.  Another number fails the cases that show it on the wire.

Usage: tests/declared/kept.py RUNG
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import declared  # pylint: disable=wrong-import-position

# Slow enough for a machine that others use as well.
SLOW = "; ".join(f"timer {t} {v} tolerance 100ms" for t, v in (
    ("rto", "40ms"), ("nack_time", "8ms"), ("ack_time", "16ms"),
    ("clear_time", "8ms")))
UET = ["uet/rud/send-multi-nongtd@initiator", "uet/rod/lost-first@initiator",
       "uet/cp/ack-request-sent@initiator"]
# Cases in which two packets of a message become one packet that is too long.
ONE_LONG = ["uet/rud/send-multi-nongtd@initiator",
            "uet/cp/ack-request-sent@initiator"]
WQE = ["wqe/order/clean@initiator"]
ROCE = ["roce/order/clean@initiator"]

# Cases, what the device has, what it declares, and a text of the finding.
ROWS = [
    (UET, "size mtu 1024", "size mtu 1024", None),
    (UET, "size mtu 1024", "size mtu 4096", "1024-byte packets"),
    (ONE_LONG, "size mtu 4096", "size mtu 2048", "4096-byte packets"),
    (WQE, "size mtu 1024", "size mtu 2048", "1024-byte packets"),
    (ROCE, "size mtu 2048", "size mtu 1024", "2048-byte packets"),
]

# Likewise, and the row that the case fails; None: it is na.
FOUND = [
    ("uet/rud/read-in-ack@target", "size max_ack_data 16",
     "size max_ack_data 8192", "RUD-SEQ-80o"),
    ("uet/rud/read-std-return@target", "size max_ack_data 8192",
     "size max_ack_data 16", "RUD-SVC-8"),
    ("uet/rud/ack-lost-drop@initiator", "timer rto 40ms tolerance 10ms",
     "timer rto 400ms tolerance 10ms", "UET-RTX-12"),
    ("uet/rud/edge/rto-back-off@initiator",
     "timer rto_max 40ms", "timer rto_max 8s", "UET-RTX-12"),
    ("uet/rud/send-gtd@initiator", "timer close_idle 1ms tolerance 1ms",
     "timer close_idle 10s tolerance 1ms", "RUD-SVC-1"),
    ("uet/rud/send-gtd@initiator", "timer close_idle 1ms tolerance 1ms",
     "timer close_idle 1ms tolerance 1ms", None),
]


def run(rung, cases, has, declares, *options):
    """Runs a device that has one line and declares another. Returns the
    process."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, line in (("has", has), ("declares", declares)):
            path = pathlib.Path(folder, name)
            path.write_text(declared.changed(declared.reference(),
                                             f"{SLOW}; {line}"))
            paths.append(path)
        serve = (f"exec:{rung} serve --udp {{dut}} --control stdio "
                 f"--family {{family}} --decl {paths[0]}")
        return subprocess.run(
            [rung, "run", "--dut", serve, "--decl", paths[1], "--quiet",
             *options, *cases], capture_output=True, text=True, timeout=120,
            check=False)


def faults(rung, cases, has, declares, seen):
    """Returns the faults, a line each."""
    done = run(rung, cases, has, declares, "--json", "-")
    if not done.stdout:
        yield f"exit {done.returncode}: {done.stderr}"
        return
    want = "na" if seen else "pass"
    for case in json.loads(done.stdout)["cases"]:
        if case["verdict"] != want or (seen or "") not in case["reason"]:
            yield f"{case['id']}: {case['verdict']}: {case['reason']}"
    if done.returncode != (1 if seen else 0):
        yield f"exit {done.returncode}"
    if seen:
        said = run(rung, cases, has, declares).stdout.count(
            'not kept: the device claims "size mtu"')
        if said != 1:
            yield f"the report says so {said} times"


def missed(rung, case, has, declares, row):
    """Returns what a case says instead of failing a row, or of being na."""
    done = run(rung, [case], has, declares, "--json", "-")
    if not done.stdout:
        return f"exit {done.returncode}: {done.stderr}"
    got = json.loads(done.stdout)["cases"][0]
    rows = [f["requirement"] for f in got["findings"]]
    if row in rows or (not row and got["verdict"] == "na"):
        return None
    return f"{got['verdict']}: {got['reason']}"


def main():
    rung = str(pathlib.Path(sys.argv[1]).resolve())
    failed = 0
    for cases, has, declares, seen in ROWS:
        bad = list(faults(rung, cases, has, declares, seen))
        print(f"{'FAIL' if bad else 'ok  '} has {has}, declares {declares}, "
              f"{cases[0]}")
        for line in bad:
            print(f"     {line}")
        failed += bool(bad)
    for case, has, declares, row in FOUND:
        bad = missed(rung, case, has, declares, row)
        print(f"{'FAIL' if bad else 'ok  '} has {has}, declares {declares}, "
              f"{case}")
        if bad:
            print(f"     {bad}")
        failed += bool(bad)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
