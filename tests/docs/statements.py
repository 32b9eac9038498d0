#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks docs/statements.md: each row and each case of a statement exists, a
case covers the row, and a mutant proves it; the sums are right.

The mutant breaks the row itself. Of a row that no device may fail (levels O, N,
I), or of a statement without a row, it breaks another one in a case that covers
the row, or in the case that the statement names.

Usage: tests/docs/statements.py [--write]
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOC = ROOT / "docs/statements.md"
ROW = r"\b(?:[A-Z]+-)+\w+\b|\bI\d+\b"

def words(folder, pattern, key):
    """The ids behind a key word in all files; a role is cut off."""
    return {w.partition("/")[0]
            for p in (ROOT / folder).rglob(pattern)
            for line in p.read_text().splitlines() if line.startswith(key)
            for w in line.split()[1:]}


def statements():
    """(document, text) of each statement, continued lines joined."""
    document = None
    for part in re.split(r"\n(?=\* |#)", DOC.read_text()):
        if part.startswith("## "):
            document = part[3:6]
        elif part.startswith("* ") and document:
            yield document, " ".join(part.split("\n\n")[0].split())[2:]


def state(text):
    found = re.search(r"\*\*(partly|open)\*\*", text)
    return found[1] if found else "fully"


def sums(all_of_them):
    rows = []
    for document in sorted({d for d, _ in all_of_them}) + [""]:
        states = [state(t) for d, t in all_of_them if d.startswith(document)]
        rows.append(f"| {document or 'all'} | {len(states)} "
                    + "".join(f"| {states.count(s)} "
                              for s in ("fully", "partly", "open"))
                    + f"| {100 * states.count('fully') / len(states):.1f} % |")
    return ("| document | statements | fully | partly | open | fully |\n"
            "|---|---|---|---|---|---|\n" + "\n".join(rows) + "\n")


def coverage():
    """Row: the cases that name it in "covers" or behind a line."""
    found = collections.defaultdict(set)
    for p in (ROOT / "cases").rglob("*.lad"):
        name = str(p.relative_to(ROOT / "cases"))[:-len(".lad")]
        for row in set(re.findall(ROW, p.read_text())):
            found[row].add(name)
    return found


def faults_of(text, levels, cover, broken, killing):
    decided = text.partition(": ")[2]
    rows = re.findall(ROW, decided)
    cases = re.findall(r"`(\w+/[\w/-]+)`", decided)
    whole = state(text) == "fully"
    if whole and not rows + cases:
        yield "neither a row nor a case"
    for row in rows:
        if row not in levels:
            yield f"there is no row {row}"
        elif whole and not cover[row]:
            yield f"no case covers {row}"
        elif whole and row not in broken and (
                levels[row] in "MS" or not cover[row] & killing):
            yield f"no mutant breaks {row}"
    for case in cases:
        if not (ROOT / f"cases/{case}.lad").exists():
            yield f"there is no case {case}"
    if whole and cases and not rows and not set(cases) & killing:
        yield "no mutant fails its cases"


def faults(all_of_them):
    levels = dict(re.findall(
        r'^REQ\(\w+, "([^"]+)", (\w),',
        (ROOT / "judge/requirements.def").read_text(), re.M))
    cover = coverage()
    broken = words("cases/mutants", "*.mut", "violates")
    killing = {w for p in (ROOT / "cases/mutants").glob("*.mut")
               for w in re.findall(r"(\w+/[\w/-]+)@", p.read_text())}
    for _, text in all_of_them:
        for fault in faults_of(text, levels, cover, broken, killing):
            yield f"{text.partition(': ')[0]}: {fault}"


def main():
    all_of_them = list(statements())
    text = DOC.read_text()
    mark = "<!-- sums -->\n"
    head, _, rest = text.partition(mark)
    new = head + mark + "\n" + sums(all_of_them) + "\n" + rest[rest.index("## 000"):]
    if "--write" in sys.argv:
        DOC.write_text(new)
    wrong = list(faults(all_of_them))
    if "--write" not in sys.argv and new != text:
        wrong.append("the sums differ: run tests/docs/statements.py --write")
    for fault in wrong:
        print(f"docs/statements.md: {fault}")
    sys.exit(bool(wrong))


main()
