#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that mutants die on top of legal variants as well.

A rule that accepts a variant may hide a bug.  So mutants are drawn, and each is
put on top of PER variants.  These have no code, because one file of the
reference differs at most, and claim all that it claims.  The mutant has to fail
its killing cases, or any other case if these are na.  Survivors are printed.
The test fails if fewer than 99 % die, of few mutants if two live.

A mutant whose own fault a variant takes away is no fault of a case:
tests/variants/spared.txt lists such pairs, each with its reason.

Usage: tests/variants/power.py RUNG ROOT [--mutants N] [--seed N]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys

PER = 3
SHARE = 0.99


def verdicts(rung, names, selectors):
    """Returns the verdicts of the selected cases on a device."""
    done = subprocess.run(
        [rung, "run", "--dut", "virtual", "--quiet", "-j1", "--strict",
         "--json", "-", "--mutant", "+".join(names), *selectors],
        capture_output=True, text=True, timeout=300, check=False)
    if not done.stdout:
        raise SystemExit(f"{'+'.join(names)}: exit {done.returncode}: "
                         f"{done.stderr}")
    return [case["verdict"] for case in json.loads(done.stdout)["cases"]]


def dies(rung, mutant, killers, variant):
    """Returns how a mutant ends on a variant: killed, elsewhere, or alive."""
    got = verdicts(rung, [mutant, variant], killers)
    if "fail" in got:
        return "killed"
    if "fail" in verdicts(rung, [mutant, variant], []):
        return "elsewhere"
    return "alive"


def spared(root):
    """Returns the pairs of tests/variants/spared.txt."""
    path = root / "tests/variants/spared.txt"
    return {tuple(line.split()[:2]) for line in path.read_text().splitlines()
            if line and not line.startswith("#")}


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("rung")
    ap.add_argument("root", type=pathlib.Path)
    ap.add_argument("--mutants", type=int, default=100)
    ap.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = ap.parse_args()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(args.root / "tools"))
    import mutate  # pylint: disable=import-outside-toplevel,import-error

    rng = random.Random(args.seed)
    variants = [head["variant"] for head in
                (mutate.parse(p)[0] for p in
                 sorted((args.root / "cases/variants").glob("*.var")))
                if "file" not in head and "without" not in head]
    mutants = [mutate.parse(p)[0] for p in
               sorted((args.root / "cases/mutants").glob("*.mut"))]
    known = spared(args.root)
    pairs = [(m, v) for m in rng.sample(mutants, args.mutants)
             for v in rng.sample(variants, PER)
             if (m["mutant"], v) not in known]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = list(pool.map(lambda p: dies(
            args.rung, p[0]["mutant"], p[0]["killed-by"], p[1]),
            pairs))
    for (mutant, variant), end in zip(pairs, ends):
        if end != "killed":
            print(f"{end:9} {mutant['mutant']} on {variant}, "
                  f"{mutant['violates']}")
    dead = len(ends) - ends.count("alive")
    print(f"{dead} of {len(ends)} die, {ends.count('elsewhere')} of them in "
          f"other cases than their own; seed {args.seed}")
    return ends.count("alive") > max(1, (1 - SHARE) * len(ends))


if __name__ == "__main__":
    sys.exit(main())
