#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that rung check finds no fault in captures of legal variants.

Each variant runs all cases in virtual time.  What crossed is written as three
plain captures: at the link of the device, at the link of the tester, and
between them.  "rung check --whole" judges each, at the ends with --at.  Every
finding against the device is a false one, but for the rows that the reference
shows in the same case and place: there the tester makes the device look so.

With --results the cases are not run: the folder is what "rung run --out" wrote
for any device that is correct, such as those of tests/peer.

Usage: tests/variants/passive.py RUNG ROOT [--sample N [--seed N]]
       [--only NAME...] [--results DIR] [SELECTOR...]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
REFERENCE = "reference"
VARIANTS = pathlib.Path(__file__).resolve().parents[2] / "cases/variants"
# A verb destroys a queue pair in the middle, and a new one gets its number.  No
# packet says so: to a capture it is one connection whose PSNs begin anew.
NUMBER_REUSED = {("qp-numbers-reused", f"{family}%order%gone@target")
                 for family in ("roce", "wqe")}


def ended_early(results):
    """The cases that are na: their captures end before the device answered."""
    doc = json.loads((results / "results.json").read_text())
    return {case["id"] for case in doc["cases"] if case["verdict"] == "na"}


def split(passive, name, results, folder):
    """Writes the three captures of each case of a folder of results."""
    cut = ended_early(results)
    for path in sorted(results.glob("cases/**/capture.pcapng")):
        case = path.parent.relative_to(results / "cases").as_posix()
        packets = passive.read(path)
        if not packets or case in cut:
            continue
        stem = "~".join([name, case.replace("/", "%"), *packets[0].ends()])
        for place, seen in (("device", passive.seen_by(packets, True)),
                            ("tester", passive.seen_by(packets, False)),
                            ("middle", passive.crossed(packets))):
            passive.write(folder / f"{stem}~{place}.pcap", seen)


def trimmed(name):
    """The codepoints of trimmed packets, which a switch is configured with."""
    path = VARIANTS / f"{name}.var"
    said = dict(re.findall(r"^declares dscp (trimmed\w*) (\d+)$",
                           path.read_text() if path.exists() else "", re.M))
    return (said.get("trimmed", "26") + ","
            + said.get("trimmed_lasthop", "28"))


def judged(passive, rung, name, results):
    """Returns findings by place and case, and how many captures there are."""
    with tempfile.TemporaryDirectory() as folder:
        split(passive, name, results, pathlib.Path(folder))
        count = len(list(pathlib.Path(folder).iterdir()))
        found = passive.judge_all(rung, pathlib.Path(folder),
                                  ["--trimmed", trimmed(name)])
    return {(place, case): rows for place in passive.PLACES
            for case, rows in found[place][name].items() if rows}, count


def variant(passive, rung, name, selectors):
    """Runs all cases on a variant; returns what judged() does."""
    with tempfile.TemporaryDirectory() as out:
        cmd = [rung, "run", "--dut", "virtual", "--quiet", "-j1", "--out", out]
        if name != REFERENCE:
            cmd += ["--variant", name]
        subprocess.run(cmd + selectors, capture_output=True, timeout=600,
                       check=False)
        return judged(passive, rung, name, pathlib.Path(out))


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("rung")
    ap.add_argument("root", type=pathlib.Path)
    ap.add_argument("selector", nargs="*")
    ap.add_argument("--sample", type=int, help="so many variants at random")
    ap.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    ap.add_argument("--only", nargs="+", default=[])
    ap.add_argument("--results", type=pathlib.Path)
    args = ap.parse_intermixed_args()
    sys.path.insert(0, str(args.root / "tests/mutants"))
    import passive  # pylint: disable=import-outside-toplevel,import-error

    names = args.only or sorted(
        p.stem for p in (args.root / "cases/variants").glob("*.var"))
    if args.results:
        names = []
    elif args.sample:
        rng = random.Random(args.seed)
        names = rng.sample(names, min(len(names), args.sample))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip([REFERENCE, *names], pool.map(
            lambda n: variant(passive, args.rung, n, args.selector),
            [REFERENCE, *names])))
    if args.results:
        found["results"] = judged(passive, args.rung, "results", args.results)
    known = found.pop(REFERENCE)[0]
    count = collections.Counter()
    for name, (rows, captures) in found.items():
        count["captures"] += captures
        for (place, case), bad in sorted(rows.items()):
            bad -= known.get((place, case), set())
            if (name, case) in NUMBER_REUSED:
                continue
            for row in sorted(bad):
                count["findings"] += 1
                print(f"FAIL {name} {case.replace('%', '/')} {place}: {row}")
    shown = sum(map(len, known.values()))
    print(f"{len(found)} devices, {count['captures']} captures, "
          f"{count['findings']} findings; the reference shows {shown}"
          + (f"; seed {args.seed}" if args.sample else ""))
    return bool(count["findings"]) or not count["captures"]


if __name__ == "__main__":
    sys.exit(main())
