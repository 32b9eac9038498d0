#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how many random mutants of the reference die.

tools/random_mutants.py draws and builds the mutants.  Each runs every case in
virtual time, and if none fails, "rung explore" for some seconds of processor
time.  A mutant is killed by the first of

    cases    a case fails, with --strict; or rung ends by a signal or not at all
    explore  a sequence that no one wrote fails
    unit     with --units: a unit test of oracle/ fails, built with sanitizers

A change that tests/mutants/excused.txt lists changes nothing, nothing that
crosses the wire, or something that the specification leaves open.  It runs the
unit tests alone, and is excluded if none fails.  Survivors are printed with
their difference.

Usage: tools/random_kills.py RUNG DIR [--units BUILD] [--seconds N] [-j N]
                             [--json FILE]
BUILD is a build of the dev preset with the unit tests of oracle/.
Exit status 0, or 1 if the reference itself does not pass.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

from oracle_units import Units

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXCUSED = ROOT / "tests/mutants/excused.txt"
LIMIT = 12  # seconds of processor time for all cases, which take one


def excuses():
    """The excused changes: (file, function or "", old line, new line) to
    (word, reason)."""
    known = {}
    for paragraph in EXCUSED.read_text().split("\n\n"):
        lines = [l for l in paragraph.split("\n")
                 if l and not l.startswith("#")]
        if lines:
            word, path, *function = lines[0].split()
            known[path, "".join(function), lines[1], lines[2]] = (
                word, " ".join(line.strip() for line in lines[3:]))
    return known


def function_of(path, number):
    """The name of the function that has a line, from 0."""
    for line in (ROOT / path).read_text().split("\n")[number::-1]:
        m = re.match(r"(?:\w[\w *]*[ *])?(\w+)\(", line)
        if m:
            return m[1]
    return None


def excuse(known, diff):
    """The excuse of a difference; None: it has none."""
    path, old, new = change(diff)
    for (files, function, was, becomes), reason in known.items():
        if ((was, becomes) == (old, new) and fnmatch.fnmatch(path, files)
                and function in ("", function_of(path, line_of(diff)))):
            return reason
    return None


def line_of(diff):
    """The number of the changed line, from 0."""
    lines = diff.split("\n")
    start = int(re.match(r"@@ -(\d+)", lines[2])[1])
    return start - 1 + next(
        i for i, l in enumerate(lines[3:]) if l.startswith("-"))


def change(diff):
    """The key of excuses() for a difference."""
    lines = diff.split("\n")
    old = next(l for l in lines[2:] if l.startswith("-"))
    new = next(l for l in lines[2:] if l.startswith("+"))
    return (lines[0].split()[1], "- " + old[1:].strip(),
            "+ " + new[1:].strip())


def run(seconds, *args):
    """The exit status of rung; negative if a signal ended it."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

    return subprocess.run(args, stdout=subprocess.DEVNULL, cwd=ROOT,
                          stderr=subprocess.DEVNULL, preexec_fn=limit,
                          check=False).returncode


def cases(rung, name):
    mutant = ["--mutant", name] if name else []
    return run(LIMIT, rung, "run", "--dut", "virtual", "-q", "--strict",
               "--fail-fast", *mutant) != 0


def explore(rung, name, seconds):
    """The limit of processor time ends the exploration, not the budget."""
    status = run(seconds, rung, "explore", "--mutant", name, "--first",
                 "--strict", "-q", "--budget", f"{seconds * 20}s")
    return status not in (0, 3, -24)


class Killer:
    """Runs the stages on one mutant after the other."""

    def __init__(self, args):
        self.rung, self.seconds = str(args.rung.resolve()), args.seconds
        self.units = Units(args.units.resolve()) if args.units else None

    def first(self, path, diff, excused):
        """Returns the stage that kills a mutant, or None."""
        name = str(path)
        if not excused and cases(self.rung, name):
            return "cases"
        if not excused and explore(self.rung, name, self.seconds):
            return "explore"
        return "unit" if self.units and self.units.fail(diff) else None


def summary(why, by):
    """Returns the lines that say how many died, and by what."""
    dead = collections.Counter(how for p, how in by.items() if not why[p])
    words = collections.Counter(w[0] for p, w in why.items() if w)
    out = collections.Counter(w[0] for p, w in why.items()
                              if w and not by[p])
    excluded, n = out.total(), len(by)
    suite = dead["cases"] + dead["explore"]
    died = n - excluded - dead[None]
    return "\n".join([
        f"{n} mutants; excused: " + (", ".join(
            f"{k} {word}" for word, k in sorted(words.items())) or "none"),
        f"of the other {dead.total()} died {suite} by the suite: "
        f"{dead['cases']} by cases, {dead['explore']} by explore",
        f"with unit tests {died} of {n - excluded} died: {dead['unit']} more, "
        f"and {words.total() - excluded} of the excused; excluded {excluded}: "
        + (", ".join(f"{k} {word}" for word, k in sorted(out.items()))
           or "none")])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", type=pathlib.Path,
                    help="the program, build/bin/rung")
    ap.add_argument("dir", type=pathlib.Path,
                    help="the OUT of tools/random_mutants.py")
    ap.add_argument("--units", type=pathlib.Path,
                    help="run the unit tests of this build of the dev preset")
    ap.add_argument("--seconds", type=int, default=5,
                    help="processor time of each exploration; default: "
                    "%(default)s")
    ap.add_argument("-j", type=int, default=os.cpu_count())
    ap.add_argument("--json", type=pathlib.Path)
    args = ap.parse_args()
    killer = Killer(args)
    if cases(killer.rung, None):
        print("the reference does not pass")
        return 1
    known = excuses()
    diffs = {p: p.with_suffix(".diff").read_text()
             for p in sorted(args.dir.resolve().glob("*.so"))}
    why = {p: excuse(known, d) for p, d in diffs.items()}
    by = {}
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for path, how in zip(diffs, pool.map(
                lambda p: killer.first(p, diffs[p], why[p]), diffs)):
            by[path] = how
            word = f"excused ({why[path][0]}) " if why[path] else ""
            print(f"{path.stem}: {word}{how or 'LIVES'}", flush=True)
            if not how and not word:
                print(diffs[path], flush=True)
    print(summary(why, by))
    if args.json:
        args.json.write_text(json.dumps(
            {p.stem: {"killed": by[p], "excused": why[p], "diff": diffs[p]}
             for p in diffs}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
