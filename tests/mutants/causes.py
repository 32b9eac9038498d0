#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how well a run names causes, and how much it still tests after
deviations.

first    each mutant against every case: does the first cause of results.json
         name the row that the mutant violates, as its row or as an
         alternative to it?  A row in both roles is one row, as in
         tools/blame.py.  How many are its row is printed as well.
hidden   rows "not reached" per mutant, without and with --step-over, and
         those of them that no other row explains
pairs    devices with two bugs: random pairs of mutants whose patches do not
         overlap.  Are both rows found in one run with --step-over?  A
         consequence of another deviation counts as found as well, as it is
         in the report; how many pairs fail both rows is printed too.

The pairs are compiled by hand in a temporary folder, as cmake/mutant.cmake
does it, each under the name of its first mutant and with a copy of the
program, which looks for mutants beside itself.

Usage: tests/mutants/causes.py RUNG ROOT first|hidden|pairs [--share S]
       [--count N] [--sample N] [--seed N] [--json FILE] [-j N] [-v]

Exit code 1 if less than the share S of mutants or pairs is right.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import mutate  # pylint: disable=wrong-import-position
import virtual_run  # pylint: disable=wrong-import-position


def results(rung, mutant, *more):
    return virtual_run.results(rung, "--mutant", mutant, *more)


def row_of(thing):
    return f"{thing['requirement']}/{thing['role']}"


def rows_found(doc):
    return {row_of(f) for c in doc["cases"] for f in c["findings"]}


def rows_failed(doc):
    """Rows with a finding that is no consequence of an earlier one."""
    return {row_of(f) for c in doc["cases"] for f in c["findings"]
            if not f["consequence"]}


def not_reached(doc):
    """Rows "not reached", and those of them that no other row explains."""
    rows = [r for r in doc["requirements"] if r["verdict"] == "not reached"]
    return len(rows), sum(not r.get("explained_by") for r in rows)


def first(args, heads):
    """Returns a line for each mutant: right or wrong, and why."""
    def one(head):
        doc = results(args.rung, head["mutant"])
        if not doc:
            return False, f"{head['mutant']}: no results"
        named = [row_of(c) for c in doc["causes"]]
        place = (named.index(head["violates"]) + 1
                 if head["violates"] in named else 0)
        where = ("found, no cause" if head["violates"] in rows_found(doc)
                 else "not found")
        own = head["violates"].split("/")[0]
        rows = named[:1] + (doc["causes"][0]["alternatives"] if named else [])
        ids = [row.split("/")[0] for row in rows]
        return (own in ids,
                f"{head['mutant']} {head['violates']}: "
                f"{f'cause {place}' if place else where}; first is "
                + (f"{named[0]} {doc['causes'][0]['what']}, "
                   f"{doc['causes'][0]['explains']} cases"
                   if named else "none"), ids[:1] == [own])
    lines = run_all(args, one, heads)
    print(f"the row of the first cause: "
          f"{sum(len(x) > 2 and x[2] for x in lines)} of {len(lines)}")
    return lines


def hidden(args, heads):
    """A mutant counts as right if it hides at most half as many rows.  A row
    that another row explains is not hidden: no line behind shows it."""
    def one(head):
        stop = results(args.rung, head["mutant"])
        go = results(args.rung, head["mutant"], "--step-over")
        if not stop or not go:
            return False, f"{head['mutant']}: no results", (0, 0), (0, 0)
        a, b = not_reached(stop), not_reached(go)
        return (2 * b[1] <= a[1], f"{head['mutant']}: {a[1]} rows hidden, "
                f"{b[1]} stepping", a, b)
    lines = run_all(args, one, heads)
    for i, name in enumerate(("not reached", "not reached and not explained")):
        print(f"rows {name} per mutant: "
              f"{sum(x[2][i] for x in lines) / len(lines):.2f}, with "
              f"--step-over {sum(x[3][i] for x in lines) / len(lines):.2f}")
    return lines


def run_all(args, one, things):
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        return list(pool.map(one, things))


# ---- Pairs ----

def patched(root, paths):
    """The sources of both patches, by file; None if they overlap."""
    sources = {}
    for path in paths:
        head, blocks = mutate.parse(path)
        text = sources.get(head["file"],
                           (root / head["file"]).read_text())
        for _, old, new in blocks:
            text = mutate.replaced(text, old, new)
            if text is None:
                return None
        sources[head["file"]] = text
    for path in paths:  # the second patch must not overwrite the first
        for _, _, new in mutate.parse(path)[1]:
            if new and new not in "".join(sources.values()):
                return None
    return sources


def build(args, folder, name, sources):
    """Compile and link one module; the mutated files come first."""
    (folder / "bin").mkdir(parents=True)
    (folder / "mutants").mkdir()
    shutil.copy2(args.rung, folder / "bin/rung")
    objects = []
    for i, (victim, text) in enumerate(sources.items()):
        source = folder / f"{i}_{pathlib.Path(victim).name}"
        source.write_text(text)
        objects.append(str(source))
    libs = pathlib.Path(args.rung).resolve().parent.parent
    subprocess.run(
        ["cc", "-std=c17", "-O1", "-w", "-fPIC", "-shared",
         "-fvisibility=hidden", f"-I{args.root}",
         f"-I{libs / 'generated'}", *objects,
         str(args.root / "oracle/core/mutant_entry.c"),
         "-o", str(folder / f"mutants/{name}.so"), "-Wl,-Bsymbolic",
         "-Wl,--exclude-libs,ALL", "-Wl,--no-undefined",
         *(str(libs / f"lib{x}.a") for x in ("oracle", "wire", "base")),
         *subprocess.run(["pkg-config", "--libs", "libisal"],
                         capture_output=True, text=True,
                         check=True).stdout.split()],
        check=True, capture_output=True)


def draw(args, heads):
    """|count| pairs with their sources, drawn from the seed."""
    rng = random.Random(args.seed)
    seen, pairs = set(), []
    while len(pairs) < args.count:
        two = rng.sample(heads, 2)
        names = tuple(h["mutant"] for h in two)
        if names in seen or names[::-1] in seen:
            continue
        seen.add(names)
        sources = patched(args.root,
                          [args.root / f"cases/mutants/{n}.mut"
                           for n in names])
        if sources:
            pairs.append((two, sources))
    return pairs


def pairs(args, heads):
    """A pair counts as right if one run finds both rows."""
    def one(pair):
        two, sources = pair
        names = " + ".join(h["mutant"] for h in two)
        with tempfile.TemporaryDirectory(prefix="pair.") as where:
            folder = pathlib.Path(where) / "it"
            try:
                build(args, folder, two[0]["mutant"], sources)
            except subprocess.CalledProcessError as e:
                return False, f"{names}: {e.stderr.decode()[:300]}"
            doc = results(str(folder / "bin/rung"), two[0]["mutant"],
                          "--step-over")
        if not doc:
            return False, f"{names}: no results"
        own = {h["violates"] for h in two}
        lost = own - rows_found(doc)
        behind = own - rows_failed(doc)
        return (not lost, f"{names}: " +
                (f"lost {' '.join(sorted(lost))}" if lost else "both") +
                (f", behind {' '.join(sorted(behind - lost))}"
                 if behind - lost else ""), not behind)
    lines = run_all(args, one, draw(args, heads))
    print(f"both rows fail: {sum(len(x) > 2 and x[2] for x in lines)} of "
          f"{len(lines)}")
    return lines


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("rung")
    ap.add_argument("root", type=pathlib.Path)
    ap.add_argument("what", choices=("first", "hidden", "pairs"))
    ap.add_argument("--share", type=float, default=0)
    ap.add_argument("--count", type=int, default=200, help="pairs")
    ap.add_argument("--seed", type=int, default=1, help="of the draws")
    ap.add_argument("--only", help="a part of the mutants' names")
    ap.add_argument("--sample", type=int, help="so many mutants, drawn from "
                    "the seed")
    ap.add_argument("--json", type=pathlib.Path)
    ap.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    ap.add_argument("-v", action="store_true", help="a line for each")
    args = ap.parse_args()
    args.root = args.root.resolve()

    heads = [mutate.parse(p)[0]
             for p in sorted((args.root / "cases/mutants").glob("*.mut"))
             if not args.only or args.only in p.stem]
    if args.sample:
        heads = random.Random(args.seed).sample(heads, args.sample)
    if args.what == "pairs":
        lines = pairs(args, heads)
    else:
        lines = {"first": first, "hidden": hidden}[args.what](args, heads)
    right = sum(x[0] for x in lines)
    for line in lines:
        if args.v or not line[0]:
            print(line[1])
    if args.json:
        args.json.write_text(json.dumps([x[:2] for x in lines], indent=1))
    print(f"{args.what}: {right} of {len(lines)}, "
          f"{100 * right / max(1, len(lines)):.1f} %")
    return right < args.share * len(lines)


if __name__ == "__main__":
    sys.exit(main())
