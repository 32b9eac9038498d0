#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measure how many mutants "rung explore" alone finds, and how soon.

Draws a sample of cases/mutants/ from a seed and explores each for a budget of
processor time on one core, so that the load of the machine does not matter.  A
mutant counts as killed if the exploration has a finding; findings count only if
the reference passes the same sequence.  Each mutant is printed as it ends, the
survivors with what they do wrong.

Usage: tools/explore_kills.py [--count N] [--seed N] [--budget SECONDS]
                              [--family NAME] [--mutants A,B,..] [--json FILE]
                              [RUNG]
Exit status 0, or 1 if a run of rung went wrong.
"""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile

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
    """Returns (found, seconds of processor time, rungs, first line)."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (budget, budget + 1))

    with tempfile.TemporaryFile("w+") as out, subprocess.Popen(
            [rung, "explore", "--mutant", mutant["mutant"], "--first", "--strict", "--seed",
             str(seed), "--budget", f"{budget * 1000}s", "--only",
             subjects(mutant), "-q"], stdout=out, stderr=subprocess.STDOUT,
            preexec_fn=limit) as run:
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return False, None, None, ""
    if code not in (0, 1, 3):
        raise RuntimeError(f"{mutant['mutant']}: exit {code}: {text}")
    rungs = re.search(r"reduced to (\d+) rungs", text)
    return (code == 1, used.ru_utime + used.ru_stime,
            int(rungs[1]) if rungs else None, text.split("\n")[0])


def main():
    """Measure, and print the figures and the survivors."""
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", nargs="?", default=str(ROOT / "build/bin/rung"))
    ap.add_argument("--count", type=int, default=60)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--budget", type=int, default=60)
    ap.add_argument("--family", help="uet, srd, wqe or roce")
    ap.add_argument("--mutants", help="these alone, separated by commas")
    ap.add_argument("--json")
    args = ap.parse_args()
    built = pathlib.Path(args.rung).resolve().parents[1] / "mutants"
    mutants = [head(p) for p in sorted((ROOT / "cases/mutants").glob("*.mut"))
               if (built / f"{p.stem}.so").exists()]
    if args.family:
        mutants = [m for m in mutants
                   if f"{args.family}/" in f" {m['killed-by']}"]
    if args.mutants:
        mutants = [m for m in mutants
                   if m["mutant"] in args.mutants.split(",")]
    sample = random.Random(args.seed).sample(mutants,
                                             min(args.count, len(mutants)))
    times, rungs, survivors, same = [], [], [], 0
    for m in sample:
        found, after, size, line = explore(args.rung, m, args.seed, args.budget)
        if not found:
            survivors.append(m)
            print(f"  lives: {m['mutant']}: {m['what']} [{m['violates']}] "
                  f"{m['killed-by'].split()[0]}", flush=True)
            continue
        print(f"  {m['mutant']}: {line} ({after:.1f} s)", flush=True)
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
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(
            {"seed": args.seed, "budget": args.budget, "sample": len(sample),
             "killed": len(times), "seconds": times, "rungs": rungs,
             "survivors": [m["mutant"] for m in survivors]}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
