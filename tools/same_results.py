#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares the findings of two builds of rung.

Each build runs every case in virtual time against the reference and against
each mutant and variant beside its program. The script compares the verdict and
requirements of each case, and the row, role, frame, line, expected and actual
of each finding. Sentences may differ. With --explore N each build also explores
each device with N sequences, and the script compares what was reached and the
files of the findings. Use it to check a change that must not change verdicts.

Usage: tools/same_results.py OLD/rung NEW/rung [--sample N] [--explore N]
                             [--seed N] [-j N]
Exit status 1 and one line per difference, 0 if there is none.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import virtual_run  # pylint: disable=wrong-import-position

OF_CASE = ["verdict", "kind", "reason_id", "requirements", "not_reached",
           "rungs", "virtual_ns", "teardown"]
OF_FINDING = ["requirement", "role", "level", "kind", "frame", "line",
              "expected", "actual", "what", "phase", "known", "stepped",
              "consequence"]


def facts_of(rung, more):
    """The facts of each case by its id, or None after a crash."""
    doc = virtual_run.results(rung, *more)
    if not doc:
        return None
    cases = {}
    for case in doc["cases"]:
        facts = {k: case.get(k) for k in OF_CASE}
        if facts["teardown"]:
            facts["teardown"] = facts["teardown"]["verdict"]
        facts["findings"] = [{k: f.get(k) for k in OF_FINDING}
                             for f in case["findings"]]
        cases[case["id"]] = facts
    cases["(requirements)"] = {f"{r['id']}/{r['role']}": r["verdict"]
                               for r in doc["requirements"]}
    return cases


def differences(name, old, new):
    if old is None or new is None:
        if (old is None) != (new is None):
            yield f"{name}: one of them crashed or did not end"
        return
    for case in sorted(set(old) | set(new)):
        a, b = old.get(case), new.get(case)
        if a is None or b is None:
            yield f"{name}: {case}: only one of them has it"
        elif a != b:
            keys = [k for k in sorted(set(a) | set(b)) if a.get(k) != b.get(k)]
            yield (f"{name}: {case}: {keys[0]}: {a.get(keys[0])} -> "
                   f"{b.get(keys[0])}"[:300])


def explored(rung, more, runs, seed):
    """What 'rung explore' prints, without times, and the files that it writes."""
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(
            [rung, "explore", "--dut", "virtual", "--runs", str(runs), "--seed",
             str(seed), "--out", out, *more],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        said = re.sub(r" \(\d+ a second\)| after [\d.]+ s\b", "", done.stdout.decode())
        found = {"exit": done.returncode, "output": said.replace(out, "OUT")}
        for file in pathlib.Path(out).glob("*.*"):
            found[file.name] = file.read_text()
    return found


def modules(rung, folder):
    where = pathlib.Path(rung).resolve().parent.parent / folder
    return {p.stem for p in where.glob("*.so")}


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("old")
    ap.add_argument("new")
    ap.add_argument("--sample", type=int, help="so many mutants, at random")
    ap.add_argument("--explore", type=int, metavar="N",
                    help="explore each device with N sequences as well")
    ap.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    ap.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
    args = ap.parse_args()
    runs = [("reference", [])]
    for folder, option in (("mutants", "--mutant"), ("variants", "--variant")):
        both = modules(args.old, folder) & modules(args.new, folder)
        for name in sorted(modules(args.old, folder) ^
                           modules(args.new, folder)):
            print(f"{name}: only one of them has it")
        names = sorted(both)
        if args.sample and len(names) > args.sample:
            names = random.Random(args.seed).sample(names, args.sample)
        runs += [(name, [option, name]) for name in names]

    def one(run):
        name, more = run
        lines = list(differences(name, facts_of(args.old, more),
                                 facts_of(args.new, more)))
        if args.explore:
            old, new = (explored(rung, more, args.explore, args.seed)
                        for rung in (args.old, args.new))
            lines += [f"{name}: explored: {key} differs"
                      for key in sorted(set(old) | set(new))
                      if old.get(key) != new.get(key)]
        return lines

    bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for lines in pool.map(one, runs):
            bad += len(lines)
            for line in lines:
                print(line)
    print(f"{len(runs)} devices, {bad} differences (seed {args.seed})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
