#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measure how many random mutants of judge/ the tests notice.

A change of one line is drawn from a seed, as tools/random_mutants.py draws it
for the reference.  The judge is linked as a shared library, so that "rung" and
the unit tests of judge/ run with each mutant without being linked anew.  A
mutant is killed by the first of

    unit     a unit test of judge/ fails, or what the judge tells in one
             differs (tests/told/told.py)
    checked  what "rung check" says about drawn captures differs
             (tests/told/checked.py)
    cases    a case fails the reference
    mutants  a written mutant of cases/mutants/ is no longer found by its row:
             a monitor is dead

A draw that does not compile, or whose object equals the original's, is drawn
again: as it is linked, or better optimised, without assertions and hints to
prefetch, which change nothing that the judge says.  A change that
tests/mutants/excused.txt lists is not run.  Survivors are printed with their
difference.

Usage: tools/judge_mutants.py --build BUILD [--seed N] [--count N] [-j N]
                              [--stages LIST] [--json FILE] OUT
BUILD has "rung", the unit tests of judge/ and the mutants.
Exit status 0, or 1 if the unchanged judge does not pass.
"""
import argparse
import collections
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

from oracle_units import link_command
from random_kills import excuse, excuses
from random_mutants import FLAGS, ROOT, STRICT, drawn_sites

sys.path.append(str(ROOT / "tests/told"))
import checked  # noqa: E402  pylint: disable=wrong-import-position
import told  # noqa: E402  pylint: disable=wrong-import-position

STAGES = ("unit", "checked", "cases", "mutants")
DEFAULT = [f for f in FLAGS if f != "-fvisibility=hidden"]


def sources(room):
    return [p for p in sorted((ROOT / room).rglob("*.c"))
            if not p.name.endswith("_test.c")]


def heads():
    """Yields (name, row and role, case) of each written mutant."""
    for path in sorted((ROOT / "cases/mutants").glob("*.mut")):
        words = dict(line.partition(" ")[::2]
                     for line in path.read_text().split("replace\n")[0]
                     .splitlines())
        yield (path.stem, words["violates"].split()[0],
               words["killed-by"].split()[0])


class Bench:
    """The judge as a shared library, and the programs that use it."""

    def __init__(self, build, out):
        self.build, self.out = build, out
        self.best = {}  # optimised objects, by source
        (out / "obj").mkdir(parents=True, exist_ok=True)
        (out / "bin").mkdir(exist_ok=True)
        for link in ("mutants", "variants"):
            if not (out / link).is_symlink():
                (out / link).symlink_to(build / link)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            below = list(pool.map(self.plain, sources("wire") +
                                  sources("base")))
            self.objects = dict(zip(sources("judge"), pool.map(
                self.plain, sources("judge"))))
        # The judge compares addresses of tables, so that one copy must serve
        # it and the programs.
        self.below = out / "libbelow.so"
        self.link(self.below, below, "-lisal", "-lz")
        self.library(out / "plain", {})
        self.tests = [self.relink(t) for t in self.targets()]
        self.rung = self.relink("bin/rung")
        self.told = {t.name: self.tells(t, out / "plain")
                     for t in told.programs(out / "bin")}
        self.captures = out / "captures"
        if not self.captures.exists():
            self.captures.mkdir()
            checked.fill(self.captures)
        self.said = {way: checked.condensed(lines)
                     for way, lines in self.says(out / "plain")}

    def compile(self, path, text, to, flags=()):
        """The bytes of the object depend on the text alone."""
        return subprocess.run(
            ["cc", *(flags or DEFAULT), f"-I{ROOT}", f"-I{path.parent}",
             f"-I{self.build / 'generated'}", "-c", "-o", str(to), "-x", "c",
             "-"], input=text, text=True, capture_output=True,
            check=False).returncode == 0

    def optimised(self, path, text, to):
        """The object without what changes no behaviour, or None."""
        if not self.compile(path, text, to, STRICT):
            return None
        return to.read_bytes()

    def is_same(self, path, text, to):
        """Returns whether the optimised objects are equal, or refused."""
        if path not in self.best:
            self.best[path] = self.optimised(path, path.read_text(), to)
            if not self.best[path]:
                raise SystemExit(f"{path} is refused")
        return self.optimised(path, text, to) in (None, self.best[path])

    def plain(self, path):
        to = self.out / "obj" / (str(path.relative_to(ROOT))
                                 .replace("/", "-") + ".o")
        if not self.compile(path, path.read_text(), to):
            raise SystemExit(f"{path} does not compile")
        return to

    def library(self, folder, changed):
        folder.mkdir(exist_ok=True)
        return self.link(folder / "libjudge.so",
                         [changed.get(p, o) for p, o in self.objects.items()],
                         str(self.below))

    @staticmethod
    def link(to, objects, *libraries):
        return subprocess.run(
            ["cc", "-shared", f"-Wl,-soname,{to.name}", "-o", str(to),
             *map(str, objects), *libraries],
            capture_output=True, check=False).returncode == 0

    def targets(self):
        listed = subprocess.run(["ninja", "-C", str(self.build), "-t",
                                 "targets", "all"], text=True,
                                capture_output=True, check=True).stdout
        return sorted(set(re.findall(r"^(tests/judge_\w+_test):", listed,
                                     re.M)))

    def relink(self, target, obj=None, to=None):
        """Links a program again, with the shared judge; its own object may be
        another one."""
        command = link_command(self.build, target)
        to = to or self.out / "bin" / pathlib.Path(target).name
        command = re.sub(r" \S+_test\.c\.o ", f" {obj} ", command) \
            if obj else command
        command = re.sub(r"-o \S+", f"-o {to}", command, count=1)
        command = command.replace(
            "libjudge.a", str(self.out / "plain/libjudge.so"))
        for name in ("libwire.a", "libbase.a"):
            command = command.replace(name, str(self.below))
        command = command.replace(f"-o {to}",
                                  f"-o {to} -Wl,-rpath-link,{self.out}")
        subprocess.run(command, shell=True, cwd=self.build, check=True,
                       capture_output=True)
        return to

    def include(self, path, text, folder):
        """Builds the unit tests that include a source, with this text."""
        line = f'#include "{path.relative_to(ROOT)}"\n'
        for test in path.parent.glob("*_test.c"):
            whole = test.read_text()
            if line not in whole:
                continue
            obj = folder / "test.o"
            target = f"tests/judge_{test.stem}"
            if self.compile(test, whole.replace(line, text), obj):
                self.relink(target, obj, folder / f"judge_{test.stem}")
            obj.unlink(missing_ok=True)

    def run(self, folder, *args, timeout=60):
        try:
            return subprocess.run(
                [str(a) for a in args], text=True, capture_output=True,
                timeout=timeout, check=False, cwd=ROOT,
                env={**os.environ,
                     "LD_LIBRARY_PATH": f"{folder}:{self.out}"})
        except (subprocess.TimeoutExpired, UnicodeDecodeError):
            return None

    def unit(self, folder):
        own = {t.name: t for t in folder.glob("judge_*_test")}
        for test in self.tests:
            test = own.get(test.name, test)
            if test.name in self.told:
                same = self.tells_same(test, folder)
            else:
                done = self.run(folder, test)
                same = done and not done.returncode
            if not same:
                return test.name
        return None

    def tells(self, test, folder):
        """The record of a unit test."""
        return told.condensed(test, told.told(
            test, LD_LIBRARY_PATH=f"{folder}:{self.out}"))

    def tells_same(self, test, folder):
        try:
            return self.tells(test, folder) == self.told[test.name]
        except told.ProgramFails:
            return False

    def says(self, folder):
        """Yields what rung check says in each way."""
        return checked.said(self.rung, self.captures,
                            LD_LIBRARY_PATH=f"{folder}:{self.out}")

    def checked(self, folder):
        return next((f"rung check, {way}" for way, lines in self.says(folder)
                     if checked.condensed(lines) != self.said[way]), None)

    def cases(self, folder):
        done = self.run(folder, self.rung, "run", "--dut", "virtual", "-q",
                        "--seed", "1")
        return None if done and done.returncode == 0 else "a case"

    def mutants(self, folder):
        for name, row, case in heads():
            if not (self.build / f"mutants/{name}.so").exists():
                continue
            if not self.finds(folder, name, row, case):
                return name
        return None

    def finds(self, folder, name, row, case):
        done = self.run(folder, self.rung, "run", "--dut", "virtual",
                        "--mutant", name, "--strict", "--json", "-", case)
        if not done or done.returncode not in (0, 1):
            return False
        try:
            doc = json.loads(done.stdout)
        except ValueError:
            return False
        return row.split("/")[0] in json.dumps(
            [c.get("findings") for c in doc["cases"]])


class Drawn:
    """One mutant, made and run."""

    def __init__(self, bench, name, site):
        self.bench, self.name, self.site = bench, name, site
        self.folder = bench.out / name
        self.killed, self.by = None, None
        self.made = self.make()

    def make(self):
        path, number, kind, new = self.site
        lines = path.read_text().split("\n")
        changed = lines[:number] + [new] + lines[number + 1:]
        self.folder.mkdir(exist_ok=True)
        obj, best = self.folder / "mutant.o", self.folder / "best.o"
        self.diff = "\n".join(difflib.unified_diff(
            lines, changed, str(path.relative_to(ROOT)), kind, lineterm="",
            n=2))
        made = (self.bench.compile(path, "\n".join(changed), obj)
                and not self.bench.is_same(path, "\n".join(changed), best)
                and obj.read_bytes() != self.bench.objects[path].read_bytes()
                and self.bench.library(self.folder, {path: obj}))
        obj.unlink(missing_ok=True)
        best.unlink(missing_ok=True)
        if made:
            self.bench.include(path, "\n".join(changed), self.folder)
        else:
            self.folder.rmdir()
        return made

    def judge(self, stages, known):
        """Runs the stages until one notices, unless the change is excused."""
        reason = excuse(known, self.diff)
        if reason:
            self.killed, self.by = "excused", reason[0]
            stages = ()
        for stage in stages:
            self.by = getattr(self.bench, stage)(self.folder)
            if self.by:
                self.killed = stage
                break
        for built in self.folder.iterdir():
            built.unlink()
        return self


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("out", type=pathlib.Path,
                    help="a folder for what is built")
    ap.add_argument("--build", type=pathlib.Path, required=True,
                    help="a build of the release preset")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=60,
                    help="draw so many; default: %(default)s")
    ap.add_argument("-j", type=int, default=2)
    ap.add_argument("--stages", default=",".join(STAGES),
                    help="these alone, in this order; default: %(default)s, "
                    "of which \"mutants\" takes longest")
    ap.add_argument("--json", type=pathlib.Path)
    args = ap.parse_args()
    stages = args.stages.split(",")
    if not set(stages) <= set(STAGES):
        ap.error(f"a stage is one of {', '.join(STAGES)}")
    bench = Bench(args.build.resolve(), args.out.resolve())
    for stage in stages:
        by = getattr(bench, stage)(bench.out / "plain")
        if by:
            print(f"the unchanged judge: {stage}: {by}")
            return 1
    sites = drawn_sites(sources("judge"), args.seed)
    drawn = []
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        at = 0
        while len(drawn) < args.count and at < len(sites):
            batch = sites[at:at + args.count - len(drawn)]
            drawn += [d for d in pool.map(
                lambda s: Drawn(bench, *s), batch) if d.made]
            at += len(batch)
        known = excuses()
        for d in pool.map(lambda d: d.judge(stages, known), drawn):
            print(f"{d.name}: {d.killed or 'LIVES'} {d.by or ''}", flush=True)
            if not d.killed:
                print(d.diff, flush=True)
    counts = collections.Counter(d.killed for d in drawn)
    print(f"{len(drawn)} mutants of {len(sites)} sites, seed {args.seed}: "
          + ", ".join(f"{counts[s]} by {s}" for s in stages)
          + f", {counts['excused']} excused, {counts[None]} live")
    if args.json:
        args.json.write_text(json.dumps(
            [{"name": d.name, "killed": d.killed, "by": d.by, "diff": d.diff}
             for d in drawn], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
