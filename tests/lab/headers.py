#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests faults in the headers around datagrams, on real frames: ports and
checksums of UDP, the IP protocol, DF, the padding of Ethernet.

Each mutant of these headers is a device in the other namespace, and must fail
under its own requirement. The reference passes the same cases.

Usage: tools/lab headers.py RUNG ROOT
Exit status 77 where no mutants were built.
"""
import json
import os
import pathlib
import subprocess
import sys

RUNG = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(sys.argv[2])
BUILT = pathlib.Path(RUNG).parent / "../mutants"
ROWS = ("02", "03", "04", "05", "09", "24")
LATE = "late for itself"


def mutants():
    """Yields (name, row, cases) of the mutants that violate a row about
    headers."""
    for path in sorted((ROOT / "cases/mutants").glob("*.mut")):
        head = dict(x.split(" ", 1) for x in path.read_text().splitlines()
                    if x.startswith(("mutant ", "violates ", "killed-by ")))
        if head["violates"].split("/")[0] in [f"UET-ENC-{r}" for r in ROWS]:
            yield head["mutant"], head["violates"], head["killed-by"].split()


def run(port, cases, *args, strict=False):
    serve = f"{os.environ['LAB_PEER']} {RUNG} serve --port " \
            f"{port}:vb,ip=10.2.0.2 --control stdio {' '.join(args)}"
    done = subprocess.run(
        [RUNG, "run", "--json", "-", "--keep-privileges", "--dut",
         f"{port}:va,ip=10.2.0.1,peer=10.2.0.2", "--dut", f"exec:{serve}",
         *(["--strict"] if strict else []), *cases], capture_output=True, text=True, timeout=60)
    doc = json.loads(done.stdout)
    assert len(doc["cases"]) >= len(cases), done
    return doc["cases"]


def main():
    late = 0
    for i, (name, row, cases) in enumerate(broken := list(mutants())):
        port = ("ring", "raw")[i % 2]
        for case in run(port, cases, "--mutant", name, strict=True):
            found = {f"{f['requirement']}/{f['role']}"
                     for f in case["findings"]}
            if case["verdict"] == "inconclusive" and LATE in case["reason"]:
                late += 1
            else:
                assert case["verdict"] == "fail" and row in found, \
                    (name, port, case)
        print("ok  ", port, name, row)
    assert {row.split("-")[2].split("/")[0] for _, row, _ in broken} == \
        set(ROWS)
    assert late <= 2, late
    for port in ("ring", "raw"):
        for case in run(port, sorted({c for *_, all in broken for c in all})):
            assert case["verdict"] == "pass" or LATE in case["reason"], case
        print("ok  ", port, "the reference")


if __name__ == "__main__":
    if not BUILT.exists():
        sys.exit(77)
    main()
