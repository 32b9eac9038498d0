#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Sends SIGKILL at random times to a run, to 'rung report', and to a resumed
run. No finished case may be lost, and no file of another run may be mixed in.
"""
import json
import pathlib
import time

from folders import (VIRTUAL, attacks, check_ended, check_parts, expect, load,
                     records, rung, start, verdicts)

ARGS = (*VIRTUAL, "-q", "uet/rud/send*", "uet/rud/a*", "--repeat", "2")


def kill_at(moment, *args):
    """Kills a program after so many seconds. Returns whether it had ended
    before."""
    child = start(*args)
    time.sleep(moment)
    ended = child.poll() is not None
    child.kill()
    child.wait()
    return ended


def check_streams(run):
    """Checks that every line is whole, except the last, which a kill may
    truncate."""
    path = pathlib.Path("out/stream.jsonl")
    if not path.exists():
        return
    *lines, _ = path.read_text().split("\n")
    for line in lines:
        doc = json.loads(line)
        assert doc.get("run", run) == run, doc


def check_earlier(run):
    """Checks that the earlier run is whole, in the folder or moved aside."""
    for folder in "out", "out/earlier":
        path = pathlib.Path(folder, "results.json")
        if path.exists() and load(path)["run"] == run:
            return
    raise AssertionError(f"the results of {run} are gone")


def check_report(run, whole):
    """Checks that the reports have exactly the results in the folder."""
    done = expect(rung("report", "-q", "out"), 0, 130)
    doc = load("out/results.json")
    assert doc["run"] == run, (doc["run"], run)
    check_parts("out", run)
    finished = {(r["id"], r.get("repeat", 0)) for r in records("out")}
    assert set(verdicts(doc)) == finished, set(verdicts(doc)) ^ finished
    assert verdicts(doc).items() <= whole.items()
    assert doc["interrupted"] == (len(finished) < len(whole))
    assert done.returncode == (130 if doc["interrupted"] else 0), done
    return len(finished)


def finish(seed, whole, draw, span):
    """Resumes the run until it ends, with random kills in between."""
    args = ("run", *ARGS, "--seed", seed, "--out", "out", "--resume")
    if draw.random() < 0.5:
        kill_at(draw.uniform(0, span), *args)
    if draw.random() < 0.3:
        kill_at(draw.uniform(0, span / 2), "report", "-q", "out")
    expect(rung(*args), 0)
    doc = load("out/results.json")
    assert verdicts(doc) == whole and not doc["interrupted"]
    return check_ended("out")


def one(seed, whole, draw, span):
    """Kills a run, reports it, and resumes it. Returns how many cases had
    finished."""
    before = check_ended("out")
    args = ("run", *ARGS, "--seed", seed, "--out", "out")
    if draw.random() < 0.3:
        args += ("-j", "2")
    kill_at(draw.uniform(0, span), *args)
    check_earlier(before)
    manifest = pathlib.Path("out/run.json")
    run = load(manifest)["run"] if manifest.exists() else None
    if run == before:  # the run had not begun
        check_ended("out")
        expect(rung(*args), 0)
        return "not begun"
    if run is None:
        expect(rung("report", "out"), 2, err="no run has begun here")
        assert check_ended("out/earlier") == before
        came = "moving"
    else:
        check_streams(run)
        n = check_report(run, whole)
        came = "all" if n == len(whole) else "some" if n else "none"
    assert finish(seed, whole, draw, span) != before
    assert check_ended("out/earlier") == before
    return came


def attack(count, draw):
    for _ in range(2):  # the second moves the first one aside
        began = time.monotonic()
        expect(rung("run", *ARGS, "--seed", 0, "--out", "out"), 0)
        span = 1.1 * (time.monotonic() - began)
    whole = verdicts(load("out/results.json"))
    came = [one(i + 1, whole, draw, span) for i in range(count)]
    return ", ".join(f"{came.count(x)} {x}" for x in sorted(set(came)))


if __name__ == "__main__":
    attacks(attack, 6)
