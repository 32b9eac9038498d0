#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A sample of the kill matrix: mutants drawn at random, each with its killers.

matrix.py runs every mutant against every case and takes minutes.

Usage: tests/mutants/sample.py RUNG ROOT [--number N] [--seed N]
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def field(text, name):
    return next(line.split()[1:] for line in text.splitlines()
                if line.startswith(name + " "))


def killed(rung, path):
    """What killed.py says of the mutant's killers, or "" if all kill it."""
    text = path.read_text()
    row = field(text, "violates")[0]
    for case in field(text, "killed-by"):
        done = subprocess.run(
            [sys.executable, HERE / "killed.py", rung, path.stem, case, row],
            capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            return done.stdout + done.stderr
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int,
                        default=random.randrange(1 << 32))
    args = parser.parse_args()
    mutants = sorted(args.root.glob("cases/mutants/**/*.mut"))
    drawn = random.Random(args.seed).sample(
        mutants, min(args.number, len(mutants)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [text for text in
               pool.map(lambda path: killed(args.rung, path), drawn) if text]
    print("".join(bad), end="")
    print(f"{len(drawn)} of {len(mutants)} mutants, seed {args.seed}: "
          f"{len(bad)} survive")
    return bool(bad) or not drawn


if __name__ == "__main__":
    sys.exit(main())
