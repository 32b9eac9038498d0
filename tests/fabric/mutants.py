#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Mutants of congestion control that only many endpoints show.

Each tests/fabric/NAME.mut names on its killed-by line the options of a fabric,
bars among them.  The reference reaches the bars, the mutant misses one, and no
case of UET finds it with two endpoints.  With --strict the judges find the
mutant under its own row, and with --live the fabric stands around a device in
real time, and its judges do.

Usage: tests/fabric/mutants.py RUNG ROOT FOLDER [NAME...]
       FOLDER has NAME.so of each mutant.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# A busy machine keeps packets waiting; no retry is to fail because of that.
SLOW = "name slow\ntimer rto 500ms tolerance 100ms\n"
PASSED, FAILED = 0, 1


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=300,
                          check=False)


def head(path, word):
    """The words of a line of a mutant's head."""
    line = next(line for line in path.read_text().splitlines()
                if line.startswith(word + " "))
    return line.split()[1:]


def rows_of(done):
    """The rows that the judges of a fabric found."""
    try:
        first = json.loads(done.stdout)["judged"]["first"]
    except ValueError:
        return set()
    return {f"{each['requirement']}/{each['role']}" for each in first}


def problems(rung, path, folder, slow):
    """What is wrong with a mutant, as lines of text."""
    options = head(path, "killed-by")
    live = "--live" in options
    judged = live or "--strict" in options
    fabric = [rung, "fabric", *options]
    fabric += ["--json"] if judged else ["--judge", "0"]
    fabric += ["--decl", slow] if live else []
    module = str((folder / f"{path.stem}.so").resolve())
    for wanted, args in ((PASSED, fabric),
                         (FAILED, [*fabric, "--mutant", module]),
                         (PASSED, [rung, "run", "--dut", "virtual", "--quiet",
                                   "--strict", "--mutant", module, "uet"])):
        done = run(*args)
        if done.returncode != wanted:
            yield (f"{path.stem}: exit code {done.returncode} instead of "
                   f"{wanted}: {' '.join(args)}\n{done.stdout[-600:]}"
                   f"{done.stderr}")
        elif judged and wanted == FAILED and not (
                set(head(path, "violates")) & rows_of(done)):
            yield f"{path.stem}: found as {sorted(rows_of(done))}"


def main():
    rung, root, folder, *names = sys.argv[1:]
    paths = sorted(pathlib.Path(root).glob("tests/fabric/*.mut"))
    if names:
        paths = [p for p in paths if p.stem in names]
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        slow = pathlib.Path(scratch) / "slow.decl"
        slow.write_text(SLOW)
        found = list(pool.map(lambda p: list(problems(
            rung, p, pathlib.Path(folder), str(slow))), paths))
    for text in sum(found, []):
        print(text)
    print(f"{len(paths)} mutants, {sum(map(bool, found))} with a problem")
    return any(found) or not paths


if __name__ == "__main__":
    sys.exit(main())
