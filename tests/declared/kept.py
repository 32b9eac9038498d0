#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that a device that does not keep a declared size is reported once in a
run.

The reference is started with one declaration and tested by another.  The run
fails for the declaration, and the cases that build on the number are na.

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


def run(rung, cases, has, declares, *options):
    """Runs a device that has one line and declares another. Returns the
    process."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, line in (("has", has), ("declares", declares)):
            path = pathlib.Path(folder, name)
            path.write_text(declared.changed(declared.reference(),
                                             f"{line}; {SLOW}"))
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
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
