#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Several runs, reports and resumed runs use the same folder at once. One gets
it; the others exit with 2 and a message, and change nothing.
"""
import os
import pathlib
import shutil
import subprocess
import time

from folders import (RUNG, VIRTUAL, attacks, check_ended, expect, load, rung,
                     start, verdicts)

ARGS = (*VIRTUAL, "-q", "uet/rud/send*", "uet/rud/a*")
SLOW = """title   Slow
covers  RUD-SVC-2
needs   rud send

chair target
  use open
  wait 20s
  use close
"""
TAKEN = "out: another run writes there"


def tree(folder):
    """Returns every file below the folder, with the time of its last
    change."""
    return {str(p): p.stat().st_mtime_ns
            for p in sorted(pathlib.Path(folder).rglob("*"))}


def began():
    """Whether the run in the folder has written the first line of its stream.
    Until its case ends, it writes nothing else."""
    stream = pathlib.Path("out/stream.jsonl")
    return stream.exists() and stream.read_bytes().endswith(b"\n")


def meanwhile():
    """While one run uses the folder, rung refuses all others."""
    shutil.rmtree("out")
    first = start("run", "slow.lad", "--timeout", "30", "--out", "out")
    try:
        while not began():
            assert first.poll() is None
            time.sleep(0.002)
        before = tree("out")
        for args in (("run", *ARGS), ("run", "--resume", *ARGS)):
            expect(rung(*args, "--out", "out"), 2, err=TAKEN)
        expect(rung("report", "out"), 2, err=TAKEN)
        after = tree("out")
        assert after == before, (before, after)
    finally:
        first.kill()
        first.wait()
    expect(rung("report", "-q", "out"), 130)


def together(number, draw):
    """All start at the same time. At the end the folder has one run."""
    runs = []
    for _ in range(number):
        args = ["run", *ARGS, "--out", "out"]
        if draw.random() < 0.3:
            args.insert(1, "--resume")
        runs.append(subprocess.Popen([RUNG, *args], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True))
    ended = 0
    for run in runs:
        _, said = run.communicate(timeout=60)
        if run.returncode == 0:
            ended += 1
        else:
            assert run.returncode == 2 and TAKEN in said, (run, said)
    assert ended > 0
    return ended


def attack(count, draw):
    pathlib.Path("slow.lad").write_text(SLOW)
    expect(rung("run", *ARGS, "--out", "out"), 0)
    whole = verdicts(load("out/results.json"))
    ended = tried = 0
    for _ in range(count):
        number = draw.randrange(2, 6)
        tried += number
        ended += together(number, draw)
        check_ended("out")
        assert verdicts(load("out/results.json")) == whole
        if os.path.exists("out/earlier"):
            check_ended("out/earlier")
    meanwhile()
    return f"{ended} of {tried} runs had the folder, one after another"


if __name__ == "__main__":
    attacks(attack, 6)
