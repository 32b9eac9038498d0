#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures the structure and the language of the C sources of the tree.

Each figure is printed with its limit and, with --than REV, beside the same
figure of another commit.  --list NAME prints what a figure counts, one place a
line, so that grep and an editor find it.  Tables (.def), cases and mutants are
exempt.

Usage: tools/house.py [ROOT] [--than REV] [--list NAME] [--check]
Exit status 1 with --check if a figure is beyond its limit.
"""
import argparse
import collections
import io
import pathlib
import re
import subprocess
import sys
import tarfile

FLOORS = ["base", "wire", "oracle", "judge", "gen", "suite", "fabric", "reports",
          "cli", "dissector"]
ROOMS = FLOORS + ["bench", "fuzz", "tests", "docs"]
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "do", "else",
            "defined", "alignof", "typeof", "__attribute__", "_Static_assert"}

# Names that another program requires.
GIVEN = {"main", "LLVMFuzzerTestOneInput", "plugin_register"}
# Adapters are examples: docs/dut-control.md shows one from its first line.
SHOWN = "docs/adapters/"
# Tests replace these by a struct of their own.
DOUBLES = {"orc"}

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
                   r"|'(?:\\.|[^'\\])+'", re.S)
COMMENT = re.compile(r"/\*(.*?)\*/|//([^\n]*)|\"(?:\\.|[^\"\\\n])*\""
                     r"|'(?:\\.|[^'\\])+'", re.S)
DEFINITION = re.compile(r"^(?!\s|#|typedef\b)(?:[\w*\s\[\]()]*?[\s*])?(\w+)"
                        r"\(((?:[^(){};]|\([^(){};]*\))*)\)\s*\n?\{", re.M)
PROTOTYPE = re.compile(r"^(?!\s|#|typedef\b|static\b|return\b)"
                       r"[\w][\w*\s]*?[\s*](\w+)"
                       r"\(((?:[^(){};]|\([^(){};]*\))*)\)[^;{}()]*;", re.M)
STRUCT = re.compile(r"^(?:static\s+)?(?:const\s+)?struct\s+(\w+)\s*\{", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)

# A comment that begins or ends like this has to be read twice.
FRAGMENT = re.compile(r"^(What|Who|Whoever|Of|Where|Whether|That|Whatever)\b"
                      r"|[,:;]$")
ARCHAIC = re.compile(
    r"\b(whoever|whomever|whosoever|nobody|somebody|everybody|anybody|whence|"
    r"hence|thereof|therein|thereby|hither|nought|afar|astray|hearsay|spoilt|"
    r"slept|twain|vouch\w*|tells of|told of|is told|has its say|goes by|"
    r"falls asleep|of which|gives way|not all there|sent again|by itself|"
    r"stands? for itself|whatever)\b", re.I)


def is_measured(name):
    return name.endswith((".c", ".h")) and name.split("/")[0] in ROOMS


def read_tree(root, rev):
    """Path -> text of all C sources, of the folder or of a commit."""
    files = {}
    if rev:
        data = subprocess.run(["git", "-C", str(root), "archive", rev],
                              capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            for member in tar.getmembers():
                if member.isfile() and is_measured(member.name):
                    files[member.name] = tar.extractfile(member).read().decode(
                        "utf-8", "replace")
        return files
    listed = subprocess.run(["git", "-C", str(root), "ls-files"], text=True,
                            capture_output=True, check=True).stdout
    for name in listed.splitlines():
        if is_measured(name) and (root / name).exists():
            files[name] = (root / name).read_text("utf-8", "replace")
    return files


def blank(match):
    """Keeps line breaks, so that line numbers stay right."""
    return "\n" * match.group().count("\n") or " "


def number(text, at):
    return text.count("\n", 0, at) + 1


def comments_of(text):
    """(line, words) of each comment but the licence."""
    for m in COMMENT.finditer(text):
        raw = m.group(1) if m.group(1) is not None else m.group(2)
        if raw is None:
            continue
        words = re.sub(r"\n\s*\*", "\n", raw)
        words = " ".join(words.split()).strip(" *-")
        if words and "SPDX" not in words and not words.startswith("clang-"):
            yield number(text, m.start()), words


def body_end(code, start):
    """The offset behind the brace that closes the one at |start|."""
    depth = 0
    for m in re.finditer(r"[{}]", code[start:]):
        depth += 1 if m.group() == "{" else -1
        if not depth:
            return start + m.end()
    return len(code)


class Tree:
    """The figures of one state of the sources."""

    def __init__(self, files):
        self.files = files
        self.code = {n: NOISE.sub(blank, t) for n, t in files.items()}
        self.functions = []  # (name, file, line, lines)
        for name, code in self.code.items():
            for m in DEFINITION.finditer(code):
                if m.group(1) in KEYWORDS or m.group(1).isupper():
                    continue
                end = body_end(code, m.end() - 1)
                self.functions.append((m.group(1), name,
                                       number(code, m.start()),
                                       code.count("\n", m.start(), end) + 1))

    def lines(self):
        return sum(t.count("\n") for t in self.files.values())

    def duplicates(self):
        """A name counts once for each further file that defines it."""
        homes = collections.defaultdict(dict)
        for name, file, line, _ in self.functions:
            if name not in GIVEN:
                homes[name].setdefault(file, line)
        return [f"{file}:{line}: {name}() stands in {len(at)} files"
                for name, at in sorted(homes.items()) if len(at) > 1
                for file, line in at.items()]

    def duplicate_names(self):
        return sorted({d.split(": ")[1].split("(")[0]
                       for d in self.duplicates()})

    def prototypes(self):
        """Prototypes of headers, and those that another .c defines."""
        homes = collections.defaultdict(set)
        for name, file, _, _ in self.functions:
            if file.endswith(".c"):
                homes[name].add(file)
        total, away = 0, []
        for file, code in self.code.items():
            if not file.endswith(".h") or file.endswith("_test.h"):
                continue
            for m in PROTOTYPE.finditer(code):
                if m.group(1) not in homes:
                    continue
                total += 1
                if file[:-1] + "c" not in homes[m.group(1)]:
                    away.append(f"{file}:{number(code, m.start())}: "
                                f"{m.group(1)}() is defined in "
                                f"{' '.join(sorted(homes[m.group(1)]))}")
        return total, away

    def comments(self):
        return [(n, line, words) for n, t in self.files.items()
                for line, words in comments_of(t)]

    def fragments(self):
        return [f"{n}:{line}: {w}" for n, line, w in self.comments()
                if FRAGMENT.search(w)]

    def archaic(self):
        return [f"{n}:{line}: {w}" for n, line, w in self.comments()
                if ARCHAIC.search(w)]

    def ternaries(self):
        return [f"{n}:{number(c, m.start())}: {m.group()}"
                for n, c in self.code.items()
                for m in re.finditer(r"\?", c)]

    def long_files(self):
        return [f"{n}: {t.count(chr(10))} lines" for n, t in self.files.items()
                if t.count("\n") > 700]

    def full_rooms(self):
        rooms = collections.Counter(str(pathlib.PurePath(n).parent)
                                    for n in self.files)
        return [f"{room}: {n} files" for room, n in sorted(rooms.items())
                if n > 30]

    def tags_twice(self):
        """A struct of a test counts only if the program has it too: each test
        is a binary of its own."""
        tags = collections.defaultdict(set)
        for name, code in self.code.items():
            if name.split("/", maxsplit=1)[0] in FLOORS:
                for m in STRUCT.finditer(code):
                    tags[m.group(1)].add(name)
        return [f"struct {tag}: {' '.join(sorted(at))}"
                for tag, at in sorted(tags.items())
                if len(at) > 1 and tag not in DOUBLES and
                any("_test." not in f for f in at)]

    def families(self):
        return [f"{n}:{i}: {line.strip()}" for n, c in self.code.items()
                if n.split("/", maxsplit=1)[0] in FLOORS and "_test." not in n
                for i, line in enumerate(c.splitlines(), 1)
                if re.search(r"\bFAMILY_", line)]

    def silent_files(self):
        """.c files that do not open with a paragraph about themselves."""
        bad = []
        for name, text in self.files.items():
            if not name.endswith(".c") or name.endswith("_test.c") or \
                    name.startswith(SHOWN):
                continue
            head = re.sub(r"^/\* SPDX[^\n]*\n", "", text)
            if not head.startswith(f"/*\n * {name} -- "):
                bad.append(name)
        return bad

    def circles(self):
        """Returns the sets of modules (a .c and its .h) that include each
        other."""
        needs = collections.defaultdict(set)
        for name, text in self.files.items():
            me = re.sub(r"(_test)?\.[ch]$", "", name)
            if name.endswith(("_test.c", "_test.h")):
                continue
            for inc in INCLUDE.findall(text):
                other = inc.rsplit(".", 1)[0]
                if inc in self.files and other != me:
                    needs[me].add(other)
        return [" ".join(sorted(c)) for c in strong(needs) if len(c) > 1]


def strong(needs):
    """The strongly connected components of a graph (Tarjan)."""
    index, low, stack, on, found = {}, {}, [], set(), []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on.add(v)
        for w in sorted(needs.get(v, ())):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            part = set()
            while True:
                w = stack.pop()
                on.discard(w)
                part.add(w)
                if w == v:
                    break
            found.append(part)

    sys.setrecursionlimit(10000)
    for v in sorted(needs):
        if v not in index:
            visit(v)
    return found


def share(part, whole):
    return 100 * part / whole if whole else 0


def percentile(values, p):
    values = sorted(values) or [0]
    return values[min(len(values) - 1, int(len(values) * p))]


# Name, what it says, limit (the figure may be at most, None: no limit), how.
def figures(t):
    total, away = t.prototypes()
    ncomments = len(t.comments())
    families = t.families()
    return [
        ("duplicates", "function names that stand in several files", 0,
         len(t.duplicate_names())),
        ("tags", "struct tags that stand in several files", 0,
         len(t.tags_twice())),
        ("away", "% of prototypes away from home", 3, share(len(away), total)),
        ("circles", "circles between files", 0, len(t.circles())),
        ("fragments", "% of comments that are fragments", 1,
         share(len(t.fragments()), ncomments)),
        ("archaic", "% of comments with archaic words", 1,
         share(len(t.archaic()), ncomments)),
        ("ternaries", "ternaries per 1,000 lines", 10,
         1000 * len(t.ternaries()) / max(1, t.lines())),
        ("functions", "lines of a function, p90", 30,
         percentile([f[3] for f in t.functions], .9)),
        ("files", "files over 700 lines", 0, len(t.long_files())),
        ("rooms", "rooms over 30 files", 0, len(t.full_rooms())),
        ("silent", ".c files without an opening paragraph", 0,
         len(t.silent_files())),
        ("families", "lines with FAMILY_ (no include guards)", 30, len(families)),
        ("familyfiles", "files with FAMILY_ (no include guards)", 10,
         len({f.split(":")[0] for f in families})),
    ]


LISTS = {
    "duplicates": Tree.duplicates, "tags": Tree.tags_twice,
    "away": lambda t: t.prototypes()[1], "circles": Tree.circles,
    "fragments": Tree.fragments, "archaic": Tree.archaic,
    "ternaries": Tree.ternaries, "files": Tree.long_files,
    "functions": lambda t: [f"{f}:{line}: {name}() {n} lines"
                            for name, f, line, n in t.functions if n > 30],
    "rooms": Tree.full_rooms, "silent": Tree.silent_files,
    "families": Tree.families,
    "familyfiles": lambda t: sorted({f.split(":")[0] for f in t.families()}),
}


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("root", nargs="?", type=pathlib.Path,
                    default=pathlib.Path(__file__).resolve().parent.parent)
    ap.add_argument("--than", metavar="REV")
    ap.add_argument("--list", metavar="NAME", choices=sorted(LISTS))
    ap.add_argument("--check", action="store_true")
    args = ap.parse_args()
    tree = Tree(read_tree(args.root, None))
    if args.list:
        print("\n".join(LISTS[args.list](tree)))
        return 0
    now = figures(tree)
    before = {}
    if args.than:
        then = Tree(read_tree(args.root, args.than))
        before = {name: value for name, _, _, value in figures(then)}
    wrong = 0
    for name, what, limit, value in now:
        beyond = value > limit
        wrong += beyond
        old = f"{before[name]:9.1f} -> " if before else ""
        print(f"{old}{value:8.1f}  at most {limit:2}  {what}"
              f"  (--list {name}){'  BEYOND' if beyond else ''}")
    return 1 if args.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
