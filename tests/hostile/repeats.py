# SPDX-License-Identifier: BSD-2-Clause
"""Attacks rung with endless repetitions: memory must not grow, and no result
may be lost.

Usage: repeats.py RUNG
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
FEW, MANY = 3000, 12000
GROWTH = 2 << 20  # permitted growth in bytes
CASE = "uet/rud/send-gtd@target"


def run(*args):
    """Returns the peak of resident memory in bytes."""
    child = subprocess.Popen([RUNG, "run", "--dut", "virtual", "-q", *map(str, args)],
                             stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    return used.ru_maxrss * 1024


def test_memory_stays(where):
    out = where / "results.json"
    few = run("--repeat", FEW, "--json", out, CASE)
    many = run("--repeat", MANY, "--json", out, "--jsonl", where / "s.jsonl", CASE)
    assert many - few < GROWTH, (few, many)
    results = json.loads(out.read_text())
    assert results["totals"]["pass"] == MANY, results["totals"]
    assert len(results["cases"]) == 1000
    assert sum(1 + c.get("folded", 0) for c in results["cases"]) == MANY
    lines = (where / "s.jsonl").read_text().splitlines()
    assert len(lines) == MANY + 2, len(lines)


def test_until_interrupted(where):
    child = subprocess.Popen([RUNG, "run", "--dut", "virtual", "-q", "--repeat", "0", "--out",
                              where / "out", CASE, "uet/rud/ack-lost@target"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stream = where / "out/stream.jsonl"
    until = time.monotonic() + 30
    while not (stream.exists() and stream.read_bytes().count(b"\n") > 50):
        assert time.monotonic() < until and child.poll() is None
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    assert child.wait(30) == 130
    results = json.loads((where / "out/results.json").read_text())
    ids = {c["id"] for c in results["cases"]}
    assert len(ids) == 2 and results["interrupted"], ids
    told = results["totals"]["pass"]
    assert told >= 50
    # The folder announces billions of results; the report takes those that
    # exist.
    done = subprocess.run([RUNG, "report", "-q", where / "out"], stdout=subprocess.DEVNULL,
                          timeout=60, check=False)
    assert done.returncode == 130, done.returncode
    again = json.loads((where / "out/results.json").read_text())
    assert again["totals"]["pass"] == told, (again["totals"], told)


def main():
    bad = 0
    for name, test in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as where:
            try:
                test(pathlib.Path(where))
                print(f"ok   {name}")
            except (AssertionError, OSError, ValueError) as why:
                bad += 1
                print(f"FAIL {name}: {why}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
