#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""How many mutants die by the wire alone.

The mutants are those that a case of a UET target kills, and that break a row
which shows on the wire. Each is the device of tests/blackbox/device.decl,
without a control channel, in virtual time, and runs every UET case of a
target. A mutant dies if a case or its tear-down fails; it dies by its own row
if a finding names the row that it violates. The survivors run again with the
declarations of the other configurations of tools/blackbox.py.

A device has one policy of congestion control and one set of limits at a time.
So a second share leaves out the mutants that the first declaration rules out:
those of which no listed killer runs with it.

Usage: tools/blackbox_kills.py RUNG [--number N] [--seed N] [NAME...]
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from blackbox import DECL, OTHERS, ROOT, other, ran_in, run  # noqa: E402


def seen_on_wire():
    """Returns the pairs of a row and a role that the wire alone shows."""
    text = (ROOT / "judge/requirements.def").read_text()
    rows = re.findall(r'^REQ\(\w+, "([^"]+)", \w, (\w+), (\w+)', text, re.M)
    return {f"{row}/{role}" for row, _, seen in rows for role in ("src", "dst")
            if seen == "WIRE" or (seen == "BY_ROLE" and role == "dst")}


def field(text, name):
    return next((line.split()[1:] for line in text.splitlines()
                 if line.startswith(name + " ")), [])


def eligible():
    """Returns the mutants: name, the row that it violates, and its killers."""
    wire, found = seen_on_wire(), {}
    for path in sorted((ROOT / "cases/mutants").glob("*.mut")):
        text = path.read_text()
        row = field(text, "violates")[0]
        killers = [case for case in field(text, "killed-by")
                   if re.match(r"uet/.*@target$", case)]
        if row in wire and killers:
            found[path.stem] = row, killers
    return found


def ruled_out(rung, mutants, names):
    """Returns the mutants of which no killer runs with the declaration."""
    ran = ran_in(run(rung, "--dut", "virtual", "--without", "control",
                     "--decl", DECL, "uet/*@target"))
    return {name for name in names if name in mutants and
            ran.isdisjoint(mutants[name][1])}


def failed(rung, name, decl, cases, port="virtual"):
    """Returns the rows and roles that fail; None if no case does."""
    done = subprocess.run(
        [rung, "run", "-q", "--strict", "--seed", "1", "--dut", port,
         "--without", "control", "--decl", decl, "--mutant", name,
         "--json", "-", *cases],
        capture_output=True, text=True, timeout=120, check=False)
    if not done.stdout:
        sys.exit(f"{name}: {done.stderr}")
    bad = [c for c in json.loads(done.stdout)["cases"]
           if "fail" in (c["verdict"], c.get("teardown", {}).get("verdict"))]
    return {f"{f['requirement']}/{f['role']}" for c in bad
            for f in c["findings"]} if bad else None


def killed(rung, name, decls):
    """Returns how the mutant dies, and the rows that failed."""
    rows = failed(rung, name, DECL, ["uet/*@target"])
    if rows is not None:
        return "one", rows
    for decl, port, cases in decls:
        rows = failed(rung, name, decl, cases, port)
        if rows is not None:
            return "other", rows
    return None, set()


def share(part, whole):
    return f"{part} of {whole}, {100 * part / max(whole, 1):.1f} %"


def tell(ends, rows, out):
    """Prints the survivors and the shares."""
    for name, (how, _) in ends.items():
        if how != "one":
            print(f"{name}: {rows.get(name, '?')}: "
                  f"{'another declaration' if how else 'LIVES'}"
                  f"{', ruled out by the first one' if name in out else ''}")
    one = {name for name, (how, _) in ends.items() if how == "one"}
    either = sum(bool(how) for how, _ in ends.values())
    own = sum(rows.get(n) in found for n, (_, found) in ends.items())
    print(f"with one declaration: {share(len(one), len(ends))}\n"
          "without those that it rules out: "
          f"{share(len(one - out), len(ends) - len(out))}\n"
          f"with one or another: {share(either, len(ends))}\n"
          f"by their own row: {share(own, len(ends))}")


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", help="the program, build/bin/rung")
    ap.add_argument("names", nargs="*", metavar="NAME",
                    help="these mutants alone")
    ap.add_argument("--number", type=int, help="draw so many; default: all")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("-j", type=int, default=1)
    args = ap.parse_args()
    mutants = eligible()
    rows = {name: row for name, (row, _) in mutants.items()}
    names = args.names or sorted(mutants)
    if args.number:
        names = random.Random(args.seed).sample(names, args.number)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        decls = []
        for i, (lines, port, cases) in enumerate(OTHERS):
            (pathlib.Path(folder) / str(i)).mkdir()
            decls.append((other(lines, f"{folder}/{i}"), port, cases))
        ends = dict(zip(names, pool.map(
            lambda name: killed(args.rung, name, decls), names)))
    tell(ends, rows, ruled_out(args.rung, mutants, names))


if __name__ == "__main__":
    main()
