#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The kill matrix: every mutant against every case, in virtual time.

A mutant of oracle/uet/ runs the cases of uet/ only, and one of another
transport those of all others, which share the queue pairs of InfiniBand: in a
case of the other kind not one of its lines is executed.

A mutant is killed where a case that passes on the reference fails with a
finding of the mutant's own requirement and role.  This fails if

* a mutant survives, or fails cases under other requirements only;
* a case on its killed-by line does not kill it;
* a case that passes on the reference ends as error;
* a level M row of the families below has no mutant that is killed, and
  open.txt does not say why;
* open.txt lists a row that is killed, or that does not exist;
* the program has other mutants than cases/mutants/.

Opening and closing a PDC kills some mutants in every case.  Cases that kill none
but such are listed at the end; they are not an error.

With --write FILE the matrix is written for the program, which finds it beside
the mutants (docs/kills.schema.json) and says of a failing device which mutants
fail alike.

Usage: tests/mutants/matrix.py RUNG ROOT [--grid] [--json FILE] [--write FILE]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

FAMILIES = re.compile(
    r"(RUD|MODE-(RUDI?|ROD|UUD|PSN)|PDS-SVC|PDS-IF|UET-\w+|SRD|DER|WQE)-")
# The cases that can execute a folder of oracle/; all of them if it is not here.
INFINIBAND = ("srd/*", "wqe/*", "roce/*")
REACHES = {"uet": ("uet/*",), "srd": INFINIBAND, "wqe": INFINIBAND,
           "roce": INFINIBAND}
OPEN = pathlib.Path(__file__).parent / "open.txt"

# The cases of "for" lines, a value each: hundreds that few mutants concern.
SWEEPS = "*[*=*"


def swept(cases):
    """Those that are one value of a "for" line."""
    return [c for c in cases if "[" in c]


def run_all(rung, head):
    """What a mutant does in every case; of a sweep, in the values it lists."""
    folder = head["file"].split("/")[1]
    found = run(rung, head["mutant"], "--exclude", SWEEPS,
                *REACHES.get(folder, ()))
    if swept(head["killed-by"]):
        found.update(run(rung, head["mutant"], *swept(head["killed-by"])))
    return found


def run(rung, mutant=None, *more):
    """Returns the results by case, none after a crash; without a mutant those
    of the reference."""
    cmd = [rung, "run", "--dut", "virtual", "--quiet", "--strict",
           "--timeout", "5s", "--json", "-", *more]
    if mutant:
        cmd += ["--mutant", mutant]
    done = subprocess.run(cmd, capture_output=True, text=True, timeout=50,
                          check=False)
    if not done.stdout:
        print(f"{' '.join(cmd)}: exit code {done.returncode}\n{done.stderr}")
        return {}
    cases = {}
    for c in json.loads(done.stdout)["cases"]:
        found = {f"{f['requirement']}/{f['role']}" for f in c["findings"]
             if not f["consequence"]}
        torn = c.get("teardown", {}).get("verdict") == "fail"
        cases[c["id"]] = ("fail" if torn else c["verdict"], found)
    return cases


def read_open(problems):
    rows = {}
    for number, line in enumerate(OPEN.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        row, _, why = line.partition(" ")
        if not why.strip() or row in rows:
            problems.append(f"open.txt:{number}: wants a row once, and why")
        rows[row] = why.strip()
    return rows


class Mutant:
    """One mutant, and its result in each case."""

    def __init__(self, head, cases, passing):
        self.name = head["mutant"]
        self.row = head["violates"]
        self.what = head["what"]
        self.listed = head["killed-by"]
        self.kills = set()
        self.other = {}
        self.found = {}
        for case, (verdict, found) in cases.items():
            if case not in passing or verdict in ("pass", "na"):
                continue
            if verdict == "fail":
                self.found[case] = found
            if verdict == "fail" and self.row in found:
                self.kills.add(case)
            else:
                self.other[case] = (verdict, found)

    def problems(self):
        errors = [c for c, (v, _) in self.other.items() if v == "error"]
        if errors:
            yield (f"{self.name} ends as error, which is rung's own: "
                   + " ".join(sorted(errors)))
        if not self.kills:
            rows = sorted({r for _, found in self.other.values()
                           for r in found})
            verdicts = sorted({v for v, _ in self.other.values()})
            yield (f"{self.name} survives: no case finds {self.row}"
                   + (f"; {'/'.join(verdicts)} with {' '.join(rows)}"
                      if self.other else ""))
            return
        for case in self.listed:
            if case not in self.kills:
                yield f"{self.name} survives {case} of its killed-by line"


def write_kills(path, mutants, passing):
    """Writes the matrix for the program, with numbers for cases and rows."""
    cases = sorted(passing)
    fails = [{c: found for c, found in m.found.items() if found}
             for m in mutants]
    rows = sorted({r for f in fails for found in f.values() for r in found})
    number = {name: i for names in (cases, rows)
              for i, name in enumerate(names)}
    doc = {"schema": "rung.kills/1", "cases": cases, "rows": rows,
           "mutants": [{"name": m.name, "violates": m.row, "what": m.what,
                        "fails": [[number[c], *sorted(number[r] for r in f[c])]
                                  for c in sorted(f)]}
                       for m, f in zip(mutants, fails)]}
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(doc, separators=(",", ":")) + "\n")
    temporary.replace(path)


def check_rows(rung, mutants, problems):
    """Checks that every M row of the families has a killed mutant or is
    open."""
    done = subprocess.run([rung, "cover", "--json"], capture_output=True,
                          text=True, check=True)
    rows = {f"{r['id']}/{r['role']}": r
            for r in json.loads(done.stdout)["requirements"]}
    killed = {m.row for m in mutants if m.kills}
    open_rows = read_open(problems)
    known = {name for r in rows.values() for name in r["mutants"]}
    for name in sorted(known ^ {m.name for m in mutants}):
        problems.append(f"{name}: rung cover and cases/mutants/ disagree; "
                        "build again")
    wanted = [n for n, r in rows.items()
              if r["level"] == "M" and FAMILIES.match(n)]
    for row in wanted:
        if row not in killed and row not in open_rows:
            problems.append(f"{row}: no mutant of this row is killed")
    for row in open_rows:
        if row not in wanted:
            problems.append(f"open.txt: {row} is no M row of these families")
        elif row in killed:
            problems.append(f"open.txt: {row} is killed")
    return wanted, killed, open_rows


def idle_cases(mutants, passing):
    """Returns the cases that kill no mutant except those that most cases of
    their chair kill."""
    idle = set(passing)
    for chair in ("target", "initiator"):
        chairs = {c for c in passing if c.endswith("@" + chair)}
        for m in mutants:
            if 2 * len(m.kills & chairs) <= len(chairs):
                idle -= m.kills & chairs
    return sorted(idle)


def show(mutants, cases, grid):
    width = max(len(m.name) for m in mutants)
    order = sorted(cases)
    for m in sorted(mutants, key=lambda m: (m.row, m.name)):
        marks = "".join("K" if c in m.kills else "o" if c in m.other else "."
                        for c in order)
        text = marks if grid else " ".join(sorted(m.kills, key=len)[:2])
        print(f"{m.row:<16} {m.name:<{width}} {len(m.kills):4} "
              f"{len(m.other):4}  {text}")
    if grid:
        print("\nK killed, o fails under another requirement, . passes; "
              "columns:")
        for i, case in enumerate(order):
            print(f"  {i + 1:3} {case}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("rung")
    ap.add_argument("root", type=pathlib.Path)
    ap.add_argument("--grid", action="store_true", help="a column per case")
    ap.add_argument("--json", type=pathlib.Path, help="the matrix as JSON")
    ap.add_argument("--write", type=pathlib.Path,
                    help="the matrix for the program")
    args = ap.parse_args()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(args.root / "tools"))
    import mutate  # pylint: disable=import-outside-toplevel,import-error

    heads = [mutate.parse(p)[0]
             for p in sorted((args.root / "cases/mutants").glob("*.mut"))]
    listed = {c for h in heads for c in swept(h["killed-by"])}
    passing = {c for c, (v, _) in run(args.rung).items()
               if v == "pass" and ("[" not in c or c in listed)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda h: run_all(args.rung, h), heads))
    mutants = [Mutant(h, r, passing) for h, r in zip(heads, results)]

    print(f"{'row':<16} mutant: cases that kill it, and that fail for "
          "another reason")
    show(mutants, passing, args.grid)
    problems = [p for m in mutants for p in m.problems()]
    wanted, killed, open_rows = check_rows(args.rung, mutants, problems)
    idle = idle_cases(mutants, passing)
    if idle:
        print(f"\n{len(idle)} cases kill none but what most cases kill:")
        print("\n".join(f"  {case}" for case in idle))
    if args.json:
        args.json.write_text(json.dumps(
            {m.name: {"violates": m.row, "killed-by": sorted(m.kills),
                      "other": sorted(m.other)} for m in mutants}, indent=1))
    if args.write:
        write_kills(args.write, mutants, passing)
    print(f"\n{len(mutants)} mutants, {len(passing)} cases; "
          f"{len(killed & set(wanted))} of {len(wanted)} M rows proved, "
          f"{len(open_rows)} open")
    for problem in problems:
        print(f"FAIL {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
