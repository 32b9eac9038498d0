#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how many packets "rung explore" judges per second of processor time:
in drafted sequences of each transport in virtual time, in the schedules of
--all, in drawn schedules of eight requests, and over UDP, one and 16 sequences
at a time, where the time that passes counts as well; the processor time is that
of both ends.

Prints one JSON object.

Usage: bench/explore.py [BUILD_DIR]
BENCH_SECONDS sets the duration of each measurement (default 1).
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

RUNG = pathlib.Path(sys.argv[1] if sys.argv[1:] else "build") / "bin/rung"
SECONDS = float(os.environ.get("BENCH_SECONDS", 1))
SUBJECTS = ("rud", "rod", "rudi", "uud", "srd", "wqe", "roce")


def explore(*args):
    """Returns (packets, seconds of processor time, seconds)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run([str(RUNG), "explore", "-q", "--seed", "1", *args],
                          capture_output=True, text=True, check=False)
    took = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    packets = sum(int(n) for n in
                  re.findall(r"(\d+) packets judged", done.stdout))
    if done.returncode not in (0, 3):
        raise SystemExit(f"explore {' '.join(args)}: {done.stdout}{done.stderr}")
    cpu = (after.ru_utime + after.ru_stime
           - before.ru_utime - before.ru_stime)
    return packets, cpu, took


def rate(packets, seconds):
    """None: the measurement was too short for a packet."""
    if not packets:
        return None
    return round(packets / max(seconds, 0.001))


def main():
    budget = ["--budget", f"{int(SECONDS * 1000)}ms"]
    doc = {"unit": "judged packets per second", "sequences": {},
           "schedules": {}, "drawn": {}, "udp": {}}
    for name in SUBJECTS:
        packets, cpu, _ = explore("--only", name, *budget)
        doc["sequences"][name] = rate(packets, cpu)
        if name == "roce":
            continue
        packets, cpu, _ = explore("--only", name, "--all", "--requests", "3",
                                  "--faults", "2", *budget)
        doc["schedules"][name] = rate(packets, cpu)
        packets, cpu, _ = explore("--only", name, "--all", "--draw",
                                  "--requests", "8", "--faults", "6", *budget)
        doc["drawn"][name] = rate(packets, cpu)
    for jobs in ("1", "16"):
        packets, cpu, took = explore("--dut", "ref", "--only", "rud", "-j",
                                     jobs, *budget)
        doc["udp"][jobs] = {"in_time": rate(packets, took),
                            "in_processor_time": rate(packets, cpu)}
    print(json.dumps(doc))


if __name__ == "__main__":
    main()
