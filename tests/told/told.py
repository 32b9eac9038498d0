#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares what the judge tells in its unit tests with the recorded text.

A unit test checks what it is about.  This check notices everything else that
the judge tells meanwhile: the words of each finding, its frame and role, how
often each requirement was checked, and the statistics of each flow.  The
record, tests/golden/told_golden.txt, has the findings of each test, and one
digest of the counts.  Of a test with many findings, most of them of traffic
that is drawn at random, it has their number by row, and one digest.

A change that is meant changes the record: --write, and read the difference.

Usage: tests/told/told.py DIR [--write]
DIR holds the unit tests, for example build/tests.
Exit status 0, or 1 if something differs, or a unit test is missing or fails.
"""
import argparse
import collections
import difflib
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORD = ROOT / "tests/golden/told_golden.txt"
HEAD = """\
# SPDX-License-Identifier: BSD-2-Clause
# What the judge tells in its unit tests: tests/told/told.py writes this file.
"""
MOST = 60  # findings of a test that are recorded one by one


class ProgramFails(Exception):
    """A unit test fails; the text says how."""


def programs(folder):
    return sorted(folder.glob("judge_*_test"))


def told(program, **env):
    """Returns the lines that one program records."""
    with tempfile.TemporaryDirectory() as tmp:
        path = pathlib.Path(tmp) / "told"
        path.touch()
        try:
            done = subprocess.run(
                [program], env={**os.environ, **env, "JUDGE_TOLD": path},
                cwd=ROOT, capture_output=True, timeout=240, check=False)
        except (OSError, subprocess.TimeoutExpired) as e:
            raise ProgramFails(f"{program.name}: {e}") from e
        if done.returncode:
            raise ProgramFails(
                f"{program.name} ends with status {done.returncode}\n"
                + (done.stdout + done.stderr).decode(errors="replace")[-2000:])
        return path.read_text(errors="replace").split("\n")[:-1]


def tests_of(lines):
    """Yields (name, findings, counts) of each test of a program."""
    name, findings, counts = "before any test", [], []
    for line in lines:
        if line.startswith("  #"):
            findings.append(line)
        elif line.startswith(" "):
            counts.append(line)
        else:
            if findings or counts:
                yield name, findings, counts
            name, findings, counts = line, [], []
    if findings or counts:
        yield name, findings, counts


def digest(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:10]


def summed(lines):
    """Returns how many findings each row and role has, and a digest."""
    rows = collections.Counter(line.split()[1] for line in lines
                               if line.startswith("  #"))
    return [*(f"  {row} {n}" for row, n in sorted(rows.items())),
            f"  all {digest(lines)}"]


def condensed(program, lines):
    """Returns the record of a program."""
    out = [f"== {program.name}"]
    for name, findings, counts in tests_of(lines):
        if len(findings) > MOST:
            out += [name, *summed(findings + counts)]
        else:
            out += [name, *findings, f"  counts {digest(counts)}"]
    return out


def compare(fresh, was):
    """Prints the tests whose record differs; returns how many lines do."""
    diff = list(difflib.unified_diff(was, fresh, "recorded", "told",
                                     lineterm="", n=3))
    print("\n".join(diff[:80]))
    return len(diff)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("dir", type=pathlib.Path)
    ap.add_argument("--write", action="store_true",
                    help="record what the judge tells now")
    args = ap.parse_args()
    fresh = HEAD.split("\n")[:-1]
    was = RECORD.read_text().split("\n")[:-1]
    found = programs(args.dir.resolve())
    missing = {line[3:] for line in was if line.startswith("== ")} - {
        program.name for program in found}
    if missing and not args.write:
        print(f"{args.dir} lacks", *sorted(missing))
        return 1
    try:
        for program in found:
            fresh += condensed(program, told(program))
    except ProgramFails as e:
        print(e)
        return 1
    if args.write:
        RECORD.write_text("\n".join(fresh) + "\n")
        return 0
    return 1 if compare(fresh, was) else 0


if __name__ == "__main__":
    sys.exit(main())
