#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Mutants of congestion control that only many endpoints show.

Each tests/fabric/NAME.mut names on its killed-by line the options of a fabric,
bars among them.  The reference reaches the bars, the mutant misses one, and no
case of UET finds it with two endpoints.

Usage: tests/fabric/mutants.py RUNG ROOT FOLDER [NAME...]
       FOLDER has NAME.so of each mutant.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

PASSED, FAILED = 0, 1


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=300,
                          check=False)


def problems(rung, path, folder):
    """What is wrong with a mutant, as lines of text."""
    line = next(line for line in path.read_text().splitlines()
                if line.startswith("killed-by "))
    fabric = [rung, "fabric", "--judge", "0", *line.split()[1:]]
    module = str(folder / f"{path.stem}.so")
    for wanted, args in ((PASSED, fabric),
                         (FAILED, [*fabric, "--mutant", module]),
                         (PASSED, [rung, "run", "--dut", "virtual", "--quiet",
                                   "--strict", "--mutant", module, "uet"])):
        done = run(*args)
        if done.returncode != wanted:
            yield (f"{path.stem}: exit code {done.returncode} instead of "
                   f"{wanted}: {' '.join(args)}\n{done.stdout[-600:]}"
                   f"{done.stderr}")


def main():
    rung, root, folder, *names = sys.argv[1:]
    paths = sorted(pathlib.Path(root).glob("tests/fabric/*.mut"))
    if names:
        paths = [p for p in paths if p.stem in names]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda p: list(problems(
            rung, p, pathlib.Path(folder))), paths))
    for text in sum(found, []):
        print(text)
    print(f"{len(paths)} mutants, {sum(map(bool, found))} with a problem")
    return any(found) or not paths


if __name__ == "__main__":
    sys.exit(main())
