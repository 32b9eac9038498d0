#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measure how many mutants "rung explore" alone finds, and how soon.

Draws a sample of cases/mutants/ from a seed and explores each for a budget of
processor time on one core.  A mutant counts as killed if the exploration has a
finding; findings count only if the reference passes the same sequence.  The
survivors are listed with what they do wrong.

Usage: tools/explore_kills.py [--count N] [--seed N] [--budget SECONDS]
                              [--family NAME] [--json FILE] [RUNG]
Exit status 0, or 1 if a run of rung went wrong.
"""
import argparse
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def head(path):
    """The words of a mutant's head, by key."""
    keys = {}
    for line in path.read_text().splitlines():
        if line == "replace":
            break
        key, _, rest = line.partition(" ")
        keys[key] = rest.strip()
    return keys


def subjects(mutant):
    """The transports whose sequences can show the mutant."""
    families = {c.split("/")[0] for c in mutant["killed-by"].split()}
    if "uet" in families:
        return "rud,rod,rudi,uud"
    return ",".join(sorted(families & {"srd", "wqe", "roce"})) or "rud"


def explore(rung, mutant, seed, budget):
    """Returns (found, seconds, first line) of one exploration."""
    run = subprocess.run(
        [rung, "explore", "--mutant", mutant["mutant"], "--first", "--seed",
         str(seed), "--budget", f"{budget}s", "--only", subjects(mutant), "-q"],
        capture_output=True, text=True, timeout=budget * 4 + 60, check=False)
    if run.returncode not in (0, 1, 3):
        raise RuntimeError(f"{mutant['mutant']}: exit {run.returncode}: "
                           f"{run.stderr}{run.stdout}")
    after = re.search(r"after ([\d.]+) s", run.stdout)
    rungs = re.search(r"reduced to (\d+) rungs", run.stdout)
    return (run.returncode == 1, float(after[1]) if after else None,
            int(rungs[1]) if rungs else None, run.stdout.split("\n")[0])


def main():
    """Measure, and print the figures and the survivors."""
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", nargs="?", default=str(ROOT / "build/bin/rung"))
    ap.add_argument("--count", type=int, default=60)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--budget", type=int, default=60)
    ap.add_argument("--family", help="uet, srd, wqe or roce")
    ap.add_argument("--json")
    args = ap.parse_args()
    built = pathlib.Path(args.rung).resolve().parents[1] / "mutants"
    mutants = [head(p) for p in sorted((ROOT / "cases/mutants").glob("*.mut"))
               if (built / f"{p.stem}.so").exists()]
    if args.family:
        mutants = [m for m in mutants
                   if f"{args.family}/" in f" {m['killed-by']}"]
    sample = random.Random(args.seed).sample(mutants,
                                             min(args.count, len(mutants)))
    times, rungs, survivors, same = [], [], [], 0
    for m in sample:
        found, after, size, line = explore(args.rung, m, args.seed, args.budget)
        if not found:
            survivors.append(m)
            continue
        times.append(after)
        rungs.append(size)
        same += m["violates"].split("/")[0] in line
    print(f"{len(times)} of {len(sample)} killed within {args.budget} s "
          f"({100 * len(times) / len(sample):.0f} %), seed {args.seed}")
    if times:
        print(f"median {statistics.median(times):.1f} s, longest "
              f"{max(times):.1f} s; median {statistics.median(rungs):.0f} "
              f"rungs, {sum(r <= 12 for r in rungs)} with at most 12; "
              f"{same} by the row that the mutant names")
    for m in survivors:
        print(f"  {m['mutant']}: {m['what']} [{m['violates']}]")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(
            {"seed": args.seed, "budget": args.budget, "sample": len(sample),
             "killed": len(times), "seconds": times, "rungs": rungs,
             "survivors": [m["mutant"] for m in survivors]}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
