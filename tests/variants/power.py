#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that mutants die on top of legal variants as well.

A rule that accepts a variant may hide a bug.  So mutants are drawn, and each is
put on top of PER variants of its transport.  These have no code, because one
file of the reference differs at most, and claim all that it claims.  A mutant
dies if a case of its killed-by line fails, or its tear-down does; if none, any
other case counts.  At least 99 % of the mutants that are tried have to die; of
few, one may live.  A pair is not tried if each killing case is na on the
variant, because the declaration excludes what the mutant breaks.

A mutant whose own fault a variant takes away is no fault of a case:
tests/variants/spared.txt lists such pairs, each with its reason.

Usage: tests/variants/power.py RUNG ROOT [--mutants N] [--per N] [--seed N]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys

SHARE = 0.99
FAMILIES = {"uet": "uet", "srd": "srd", "wqe": "ib", "roce": "ib"}


def run(rung, names, selectors):
    """Returns how the selected cases end on a device, as a set of words."""
    done = subprocess.run(
        [rung, "run", "--dut", "virtual", "--quiet", "-j1", "--strict",
         "--json", "-", "--mutant", "+".join(names), *selectors],
        capture_output=True, text=True, timeout=300, check=False)
    if not done.stdout:
        raise SystemExit(f"{'+'.join(names)}: exit {done.returncode}: "
                         f"{done.stderr}")
    return {verdict for case in json.loads(done.stdout)["cases"]
            for verdict in (case["verdict"],
                            case.get("teardown", {}).get("verdict"))
            if verdict}


def fate(rung, mutant, killers, variant):
    """Returns how a mutant ends on a variant, see main()."""
    own = run(rung, [mutant, variant], killers)
    if "fail" in own:
        return "killed"
    if "fail" in run(rung, [mutant, variant], []):
        return "elsewhere"
    return "untried" if own == {"na"} else "alive"


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
    ap.add_argument("--per", type=int, default=3, help="variants per mutant")
    ap.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = ap.parse_args()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(args.root / "tools"))
    sys.path.insert(0, str(args.root / "tests/variants"))
    import mutate  # pylint: disable=import-outside-toplevel,import-error
    import matrix  # pylint: disable=import-outside-toplevel,import-error

    rng = random.Random(args.seed)
    variants = [matrix.Variant(head) for head in
                (mutate.parse(p)[0] for p in
                 sorted((args.root / "cases/variants").glob("*.var")))
                if "file" not in head and "without" not in head]
    mutants = [mutate.parse(p)[0] for p in
               sorted((args.root / "cases/mutants").glob("*.mut"))]
    known = spared(args.root)
    pairs = []
    for m in rng.sample(mutants, min(len(mutants), args.mutants)):
        family = FAMILIES[m["killed-by"][0].split("/")[0]]
        fit = [v.name for v in variants if family in v.transports
               and (m["mutant"], v.name) not in known]
        pairs += [(m, v) for v in rng.sample(fit, min(len(fit), args.per))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = list(pool.map(lambda p: fate(
            args.rung, p[0]["mutant"], p[0]["killed-by"], p[1]),
            pairs))
    for (mutant, variant), end in zip(pairs, ends):
        if end != "killed":
            print(f"{end:9} {mutant['mutant']} on {variant}, "
                  f"{mutant['violates']}")
    count = collections.Counter(ends)
    tried = len(ends) - count["untried"]
    print(f"{tried - count['alive']} of {tried} die, {count['elsewhere']} of "
          f"them in other cases than their own; {count['untried']} not tried; "
          f"seed {args.seed}")
    return count["alive"] > max(1, (1 - SHARE) * tried)


if __name__ == "__main__":
    sys.exit(main())
