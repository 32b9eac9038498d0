#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Draws one-line mutants of the reference at random, and builds them.

A person thought of each written mutant.  These are drawn from a
seed: an operator, a constant or a condition of one line of oracle/**/*.c changes,
or a statement is removed. No case is written for a particular one, so they
measure how precisely the suite blames an unknown device
(tools/blame.py --objects DIR).

Each mutant becomes OUT/NAME.so and OUT/NAME.diff.  A draw is drawn again that
does not compile, that uses a variable before it is set, or whose object equals
the reference's: as it is linked, or better optimised, without assertions and
hints to prefetch, which change no behaviour.  The order of
the draw and NAME depend on the seed and the changed line alone: a seed draws
the same mutants from a later tree, but for the lines that differ there.

Usage: tools/random_mutants.py --build BUILD [--seed N] [--count N] [-j N] OUT
"""
import argparse
import collections
import concurrent.futures
import difflib
import hashlib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["-std=c17", "-O1", "-g0", "-w", "-fPIC", "-fvisibility=hidden",
         "-D_GNU_SOURCE"]
STRICT = ["-std=c17", "-O2", "-g0", "-fPIC", "-fvisibility=hidden",
          "-D_GNU_SOURCE", "-DNDEBUG", "-D__builtin_prefetch(...)=((void)0)",
          "-Wmaybe-uninitialized", "-Werror=maybe-uninitialized"]
LINK = ["-shared", "-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL",
        "-Wl,--no-undefined"]  # as cmake/mutant.cmake does
SWAPS = [(r"(?<=\s)<=(?=\s)", "<"), (r"(?<=\s)>=(?=\s)", ">"),
         (r"(?<=\s)<(?=\s)", "<="), (r"(?<=\s)>(?=\s)", ">="),
         (r"(?<=\s)==(?=\s)", "!="), (r"(?<=\s)!=(?=\s)", "=="),
         (r"(?<=\s)&&(?=\s)", "||"), (r"(?<=\s)\|\|(?=\s)", "&&"),
         (r"(?<=\s)\+(?=\s)", "-"), (r"(?<=\s)-(?=\s)", "+"),
         (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
         (r"(?<=\s)\+=(?=\s)", "-="), (r"(?<=\w)\+\+(?=[;\])])", "--")]
STATEMENT = re.compile(r"^\t+(?!return\b|break\b|continue\b|goto\b|case\b)"
                       r"(?:[\w>.\-\[\]]+ (?:=|\+=|-=|\|=|&=) .*|"
                       r"\w+\(.*\)|[\w>.\-\[\]]+(?:\+\+|--));$")
CONDITION = re.compile(r"^(\t+(?:} else )?(?:if|while) \()(.*)(\)(?: \{)?)$")


def sites_of_line(line):
    """Yields (kind, new line) for each change that fits the line."""
    if not line.startswith("\t") or re.match(r"\s*(/?\*|//|static |const |#)",
                                             line):
        return
    code = re.sub(r'"(?:[^"\\]|\\.)*"', lambda m: "\0" * len(m[0]), line)
    for pattern, to in SWAPS:
        for m in re.finditer(pattern, code):
            yield "operator", line[:m.start()] + to + line[m.end():]
    for m in re.finditer(r"(?<![\w.])\d+(?![\w.])", code):
        n = int(m[0], 8 if m[0][0] == "0" and len(m[0]) > 1 else 10)
        for to in (n + 1, n - 1 if n else None):
            if to is not None:
                yield "constant", line[:m.start()] + str(to) + line[m.end():]
    m = CONDITION.match(line)
    if m and m[2].count("(") == m[2].count(")"):
        yield "negation", f"{m[1]}!({m[2]}){m[3]}"
    if STATEMENT.match(code) and code.count("(") == code.count(")"):
        yield "removal", line[:len(line) - len(line.lstrip())] + ";"


def drawn_sites(paths, seed):
    """Returns (name, site) of each change of |paths|, in the order of a seed.

    The name is a digest of the seed, the file, the line before and after, and
    how often the same change came before in the file.
    """
    sites = []
    seen = collections.Counter()
    for path in paths:
        for number, line in enumerate(path.read_text().split("\n")):
            for kind, new in sites_of_line(line):
                change = f"{seed} {path.relative_to(ROOT)} {line} {new}"
                seen[change] += 1
                digest = hashlib.sha256(f"{change} {seen[change]}".encode())
                sites.append((digest.hexdigest()[:10],
                              (path, number, kind, new)))
    return sorted(sites)


def sources():
    return [p for p in (ROOT / "oracle").rglob("*.c")
            if not p.name.endswith("_test.c") and p.name != "mutant_entry.c"]


class Factory:
    """Compiles and links mutants."""

    def __init__(self, build, out):
        self.build, self.out = build, out
        self.entry = out / "mutant_entry.o"
        self.plain = {}
        self.compile((ROOT / "oracle/core/mutant_entry.c").read_text(), self.entry)
        self.libs = self.libraries()
        if not self.link(self.entry, out / "reference.so"):
            raise SystemExit("the reference does not link")
        (out / "reference.so").unlink()

    def compile(self, text, to, flags=()):
        """Write an object; its bytes depend on the text alone."""
        return subprocess.run(
            ["cc", *(flags or FLAGS), f"-I{ROOT}", f"-I{self.build / 'generated'}", "-c",
             "-o", str(to), "-x", "c", "-"], input=text, text=True,
            capture_output=True, check=False).returncode == 0

    def objects(self, text, to):
        """The bytes of both objects of a source; shorter if it is refused.

        |to| holds the object to link afterwards.
        """
        out = []
        for flags in (STRICT, FLAGS):
            if not self.compile(text, to, flags):
                break
            out.append(to.read_bytes())
        return out

    def reference(self, victim):
        if victim not in self.plain:
            to = self.out / f"{victim.stem}.plain.o"
            self.plain[victim] = self.objects(victim.read_text(), to)
            if len(self.plain[victim]) < 2:
                raise SystemExit(f"{victim} does not compile")
            to.unlink()
        return self.plain[victim]

    def libraries(self):
        """The libraries that a written mutant is linked with."""
        ninja = (self.build / "build.ninja").read_text()
        m = re.search(r"^build mutants/\S+\.so:[\s\S]*?"
                      r"^  LINK_LIBRARIES = (.*)$", ninja, re.M)
        if not m:
            raise SystemExit(f"{self.build}: no mutant is built here")
        return m[1].split()

    def link(self, obj, to):
        objs = {str(obj), str(self.entry)}
        return subprocess.run(
            ["cc", *LINK, "-o", str(to), *objs, *self.libs], cwd=self.build,
            capture_output=True, check=False).returncode == 0

    def make(self, name, site):
        """Return whether NAME.so was built and differs from the reference."""
        victim, number, kind, new = site
        lines = victim.read_text().split("\n")
        changed = lines[:number] + [new] + lines[number + 1:]
        obj = self.out / f"{name}.o"
        built = self.objects("\n".join(changed), obj)
        made = (len(built) == 2 and all(
            map(bytes.__ne__, built, self.reference(victim)))
                and self.link(obj, self.out / f"{name}.so"))
        obj.unlink(missing_ok=True)
        if not made:
            return False
        rel = victim.relative_to(ROOT)
        (self.out / f"{name}.diff").write_text("\n".join(difflib.unified_diff(
            lines, changed, f"{rel}", f"{rel} ({kind})", lineterm="", n=2))
            + "\n")
        return True


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("out", type=pathlib.Path,
                    help="the folder of NAME.so and NAME.diff")
    ap.add_argument("--build", type=pathlib.Path, required=True,
                    help="a build of the release preset")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=200,
                    help="draw so many; default: %(default)s")
    ap.add_argument("-j", type=int, default=2)
    args = ap.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    factory = Factory(args.build.resolve(), args.out.resolve())
    sites = drawn_sites(sources(), args.seed)
    for victim in sources():
        factory.reference(victim)
    made = 0
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for at in range(0, len(sites), 8 * args.j):
            if made >= args.count:
                break
            batch = sites[at:at + min(8 * args.j, args.count - made)]
            made += sum(pool.map(lambda s: factory.make(*s), batch))
    print(f"{made} mutants of {len(sites)} sites in {args.out}")
    return 0 if made == args.count else 1


if __name__ == "__main__":
    sys.exit(main())
