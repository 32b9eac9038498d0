#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A sample of the kill matrix: mutants drawn at random, each with its killers.

A case kills a mutant if it fails, or its tear-down does, and a finding names
the row and role that the mutant violates.  A remark counts as a finding: the
row may be one of level S.  matrix.py runs every mutant against every case and
takes minutes.

Usage: tests/mutants/sample.py RUNG ROOT [--number N] [--seed N] [NAME...]
       With names, these mutants instead of a sample.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys


def field(text, name):
    return next(line.split()[1:] for line in text.splitlines()
                if line.startswith(name + " "))


def killed(rung, path):
    """The listed killers that do not kill the mutant, as lines of text."""
    text = path.read_text()
    row = field(text, "violates")[0]
    killers = field(text, "killed-by")
    done = subprocess.run(
        [rung, "run", "--dut", "virtual", "--strict", "--mutant", path.stem,
         "--json", "-", *killers], capture_output=True, text=True, timeout=60,
        check=False)
    if done.returncode != 1:
        return [f"{path.stem}: wanted exit code 1, got {done.returncode}: "
                f"{done.stderr}"]
    bad = []
    results = {c["id"]: c for c in json.loads(done.stdout)["cases"]}
    for case in killers:
        if case not in results:
            bad.append(f"{path.stem}: there is no case {case}")
            continue
        result = results[case]
        found = {f"{f['requirement']}/{f['role']}" for f in result["findings"]
                 if not f["consequence"]}
        failed = "fail" in (result["verdict"],
                            result.get("teardown", {}).get("verdict"))
        if not failed or row not in found:
            bad.append(f"{path.stem} survives {case}: {result['verdict']}, "
                       f"{result['reason']}; wanted {row}, "
                       f"found {sorted(found)}")
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int,
                        default=random.randrange(1 << 32))
    args = parser.parse_args()
    folder = args.root / "cases/mutants"
    mutants = sorted(folder.glob("*.mut"))
    drawn = [folder / f"{name}.mut" for name in args.names]
    for path in drawn:
        if path not in mutants:
            parser.error(f"there is no {path}")
    if not drawn:
        drawn = random.Random(args.seed).sample(
            mutants, min(args.number, len(mutants)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [lines for lines in
               pool.map(lambda path: killed(args.rung, path), drawn) if lines]
    for lines in bad:
        print("\n".join(lines))
    how = "" if args.names else f", seed {args.seed}"
    print(f"{len(drawn)} of {len(mutants)} mutants{how}: {len(bad)} survive")
    return bool(bad) or not drawn


if __name__ == "__main__":
    sys.exit(main())
