#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that rung check finds no fault in captures of the soak.

rung_soak writes what each end of its runs and a point between them
saw; rung check judges all of it, with --whole and without, at the ends with
--at.  No side is blamed for packets that the link lost, copied, delayed,
trimmed or corrupted. Forged packets have a comment: findings about them, or
about their PDC, are ignored.

Without --seed the seed is a new one each time.

Usage: tests/soak/captures.py RUNG RUNG_SOAK [--runs N] [--seed N]
                              [--family NAME] [--modes LIST] [--honest]
                              [--keep DIR]
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

PACKET = 6
COMMENT = 1
TRIMMED = "26,28"  # DSCPs of oracle/core/orc.c
# Some runs have a fixed Start_PSN, and rarely is a PDCID used again in them.
CHOSEN = {"UET-PDC-19"}


def forged(path):
    """Marked frames by number: the PDCIDs that their comment names."""
    data, at, number, marks = path.read_bytes(), 0, 0, {}
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == PACKET:
            number += 1
            kept = struct.unpack_from("<I", data, at + 20)[0]
            comment = data[at + 28 + (kept + 3 & ~3):at + length]
            if b"forged" in comment:
                marks[number] = {int(x, 16) for x in
                                 re.findall(rb"0x[0-9a-f]{4}", comment)}
        at += length
    return marks


class Marks:
    """The forged packets of each capture, read on demand."""

    def __init__(self):
        self.files = {}

    def excuse(self, finding):
        path = pathlib.Path(finding["file"])
        if path not in self.files:
            self.files[path] = forged(path)
        marks = self.files[path]
        flow = finding["flow"]
        if finding["frame"] in marks or finding["requirement"] in CHOSEN:
            return True
        return flow and any(pdcid in flow["pdcid"]
                   for number, pdcids in marks.items() for pdcid in pdcids
                   if pdcid and number <= (finding["frame"] or number))


def check(rung, args, files):
    for i in range(0, len(files), 400):
        done = subprocess.run([rung, "check", "--json", "--strict", *args,
                               *map(str, files[i:i + 400])],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 3):
            raise SystemExit(f"rung check: exit {done.returncode}: "
                             f"{done.stderr}")
        for line in done.stdout.splitlines():
            said = json.loads(line)
            if said["type"] == "finding":
                yield said


def judge(rung, folder):
    """Returns the findings as (how it was judged, finding), and how many were
    ignored."""
    marks, left, excused, captures = Marks(), [], 0, 0
    by_place = collections.defaultdict(list)
    for path in sorted(folder.glob("*.pcapng")):
        by_place[path.stem.split("@")[1]].append(path)
    for place, files in by_place.items():
        captures += len(files)
        ats = [[]] if place == "middle" else [[], ["--at", place]]
        for args in itertools.product(
                ([], ["--whole"]), ats, ([], ["--trimmed", TRIMMED])):
            args = sum(args, [])
            for f in check(rung, args, files):
                if marks.excuse(f):
                    excused += 1
                else:
                    left.append((" ".join(args), f))
    return left, excused, captures


def report(left):
    """The first finding of each kind, with how many there are."""
    kinds = collections.defaultdict(list)
    for args, f in left:
        file = pathlib.Path(f["file"]).name
        who = "own" if f"@{f['side']}." in file else "far"
        if "middle" in file:
            who = "middle"
        kinds[args, f"{f['requirement']}/{f['role']}", who].append((file, f))
    for (args, row, who), found in sorted(kinds.items()):
        file, f = found[0]
        print(f"{len(found):5} {row} {who} [{args}] {file} frame "
              f"{f['frame']}: {f['text']} ({f['expected']}, not "
              f"{f['actual']})")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("rung")
    ap.add_argument("soak")
    ap.add_argument("--runs", default=400, type=int)
    ap.add_argument("--seed", type=int)
    ap.add_argument("--family", default="uet")
    ap.add_argument("--modes")
    ap.add_argument("--honest", action="store_true",
                    help="the link forges nothing")
    ap.add_argument("--keep", type=pathlib.Path)
    args = ap.parse_args()
    seed = random.SystemRandom().randrange(10**9) if args.seed is None \
        else args.seed
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or pathlib.Path(temporary)
        os.makedirs(folder, exist_ok=True)
        cmd = [args.soak, "--family", args.family, "--runs", str(args.runs),
               "--seed", str(seed), "--captures", str(folder)]
        if args.honest or args.family in ("wqe", "roce"):
            cmd += ["--honest"]  # RUDI and UUD have one flow for all
        if args.modes:
            cmd += ["--modes", args.modes]
        print(" ".join(cmd), flush=True)
        subprocess.run(cmd, stdout=subprocess.DEVNULL, check=True)
        left, excused, captures = judge(args.rung, folder)
    report(left)
    print(f"{captures} captures: {len(left)} findings, {excused} more about "
          "packets that were forged")
    return 1 if left or not captures else 0


if __name__ == "__main__":
    sys.exit(main())
