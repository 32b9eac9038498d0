#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how many rows fail for a device with one bug.

Every mutant runs all cases in virtual time with --strict.  Printed are the
failed rows per mutant (median, p90, worst), the mutants whose own row is not
among them, those with more than three, and the rows that were not reached.  A
row that fails but that another row explains was observed: it counts apart.
A row that fails in both roles counts once, by its id; the figures by role, as
the report lists them, are printed as well.

This fails if the median is above 1, the 90th percentile above 3, if a row of a
written mutant is missing, if a mutant with more than three rows has no line
in tests/mutants/wide.txt that says why, or if a line there is no longer true.
With --objects the mutants of a folder are measured instead, which
tools/random_mutants.py drew: those that no case fails are left out, as are
those that crash or do not end, and no list is compared.

Usage: tools/blame.py RUNG ROOT [--sample N] [--objects DIR] [--json FILE]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True
import mutate  # pylint: disable=wrong-import-position
import virtual_run  # pylint: disable=wrong-import-position

MEDIAN, P90 = 1, 3


def run(rung, mutant):
    """Failed rows, rows not reached and cases that fail; None: no result."""
    doc = virtual_run.results(rung, "--mutant", mutant, limit=60)
    if not doc:
        return None
    rows = {"fail": [], "not reached": [], "explained": []}
    for r in doc["requirements"]:
        what = "explained" if r.get("explained_by") else r["verdict"]
        if what in rows:
            rows[what].append(f"{r['id']}/{r['role']}")
    cases = collections.Counter()
    failed = [c for c in doc["cases"] if c["verdict"] == "fail"]
    for case in failed:
        cases.update({f"{f['requirement']}/{f['role']}"
                      for f in case["findings"] if not f["consequence"]})
    return {"failed": rows["fail"], "hidden": rows["not reached"],
            "explained": rows["explained"],
            "cases": dict(cases), "fails": len(failed)}


def percentile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * p))]


def count_ids(rows):
    return len({row.split("/")[0] for row in rows})


def figures(results):
    failed = [count_ids(r["failed"]) for r in results.values()]
    roles = [len(r["failed"]) for r in results.values()]
    hidden = [count_ids(r["hidden"]) for r in results.values()]
    explained = [count_ids(r["explained"]) for r in results.values()]
    for name, v in (("failed", failed), ("failed, by role", roles),
                    ("explained", explained), ("not reached", hidden)):
        print(f"rows {name} per mutant: median {percentile(v, .5)}, "
              f"p90 {percentile(v, .9)}, worst {max(v)}")
    print(f"{sum(n == 1 for n in failed)} of {len(failed)} mutants fail one "
          f"row, {sum(n > 3 for n in failed)} more than three")
    return percentile(failed, .5), percentile(failed, .9)


def read_wide(path, problems):
    wide = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        name, _, why = line.partition(" ")
        if not why.strip() or name in wide:
            problems.append(f"{path.name}:{number}: wants a mutant once, "
                            "and why")
        wide[name] = why.strip()
    return wide


def check(results, heads, wide, problems):
    """Checks the own row of each mutant, and the list of mutants above
    three."""
    for name, r in results.items():
        own = heads[name]["violates"]
        if own not in r["failed"]:
            problems.append(f"{name}: {own} is not among "
                            f"{' '.join(r['failed']) or 'none'}")
        rows = count_ids(r["failed"])
        if rows > P90 and name not in wide:
            problems.append(f"{name}: {rows} rows, and no line in wide.txt")
        if rows <= P90 and name in wide:
            problems.append(f"wide.txt: {name} has {rows} rows")
    for name in wide:
        if name not in heads:
            problems.append(f"wide.txt: there is no mutant {name}")


def show(results, heads):
    for name, r in sorted(results.items(),
                          key=lambda kv: (-count_ids(kv[1]["failed"]), kv[0])):
        if count_ids(r["failed"]) <= P90:
            break
        own = heads[name]["violates"] if name in heads else ""
        rows = " ".join(f"{row}:{r['cases'].get(row, 0)}" for row in sorted(
            r["failed"], key=lambda row: -r["cases"].get(row, 0)))
        print(f"  {count_ids(r['failed']):3} {name} {own}  {rows}")


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("rung")
    ap.add_argument("root", type=pathlib.Path)
    ap.add_argument("--sample", type=int, help="so many, drawn at random")
    ap.add_argument("--seed", type=int, default=23)
    ap.add_argument("--objects", type=pathlib.Path)
    ap.add_argument("--json", type=pathlib.Path)
    ap.add_argument("-j", type=int, default=os.cpu_count())
    args = ap.parse_args()

    heads = {}
    if args.objects:
        names = sorted(p.stem for p in args.objects.glob("*.so"))
    else:
        for path in sorted((args.root / "cases/mutants").glob("*.mut")):
            heads[path.stem] = mutate.parse(path)[0]
        names = sorted(heads)
    if args.sample:
        names = random.Random(args.seed).sample(names, args.sample)

    def one(name):
        return run(args.rung, str(args.objects.resolve() / f"{name}.so")
                   if args.objects else name)

    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        found = dict(zip(names, pool.map(one, names)))
    results = {n: r for n, r in found.items() if r and r["fails"]}
    if args.json:
        args.json.write_text(json.dumps(results, indent=0) + "\n")
    quiet = sum(bool(r) and not r["fails"] for r in found.values())
    gone = sum(r is None for r in found.values())
    print(f"{len(results)} mutants fail a case, {quiet} fail none, {gone} "
          "crash or do not end")
    problems = []
    median, p90 = figures(results)
    print("more than three:")
    show(results, heads)
    if median > MEDIAN or p90 > P90:
        problems.append(f"wanted a median of {MEDIAN} and a p90 of {P90}")
    if not args.objects:
        problems += [f"{n}: no case fails" for n in names if n not in results]
        wide = read_wide(args.root / "tests/mutants/wide.txt", problems)
        check(results, heads, wide, problems)
    for problem in problems:
        print(f"FAIL {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
