#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Adds the figures of all shards of "rung explore --all --shard I/N --json".

Prints for each transport how many schedules and packets there were, how many
requirements a judge checked, and how many schedules were wrong; and which
shards are missing, or ended too early.

Usage: tools/add_schedules.py FILE...
Exit status 0: all shards are there, and nothing is wrong; 1: a schedule is
wrong; 2: files that are not of one run, or one shard twice; 3: shards are
missing or did not end.
"""
import collections
import json
import pathlib
import sys

SAME = ("schema", "tool", "mutant", "chair", "requests", "faults")
ADDED = ("series", "schedules", "known", "packets", "wrong")


def usage(why):
    sys.stderr.write(f"add_schedules.py: {why}\n")
    sys.exit(2)


def read(paths):
    """Returns the documents by their numbers."""
    shards = {}
    first = None
    for path in paths:
        doc = json.loads(pathlib.Path(path).read_text())
        first = first or doc
        if any(doc[k] != first[k] for k in SAME) or \
                doc["shard"]["of"] != first["shard"]["of"]:
            usage(f"{path}: of another run")
        if shards.setdefault(doc["shard"]["number"], doc) is not doc:
            usage(f"{path}: this shard was given already")
    return shards


def add(shards):
    """Returns the sum of each transport, and the shards that did not end."""
    sums = {}
    early = set()
    for number, doc in shards.items():
        for part in doc["transports"]:
            total = sums.setdefault(part["transport"],
                                    collections.Counter(of=part["of"]))
            for key in ADDED:
                total[key] += part[key]
            for row in part["requirements"]:
                total["row " + row] = 1
            if not part["whole"]:
                early.add(number)
            if part["wrong"]:
                print(f"shard {number}: {part['transport']}: {part['first']}")
    return sums, early


def main(paths):
    if not paths:
        usage("Usage: tools/add_schedules.py FILE...")
    shards = read(paths)
    sums, early = add(shards)
    of = next(iter(shards.values()))["shard"]["of"]
    missing = sorted(set(range(1, of + 1)) - set(shards))
    for name, total in sums.items():
        rows = sum(key.startswith("row ") for key in total)
        print(f"{name:5} {total['schedules']:10} schedules, {total['known']} "
              f"ended in a known state, {total['packets']} packets judged, "
              f"{rows} requirements checked, {total['wrong']} wrong; "
              f"{total['series']} of {total['of']} series")
    if missing:
        print("missing shards:", *missing)
    if early:
        print("shards that did not end:", *sorted(early))
    if any(total["wrong"] for total in sums.values()):
        return 1
    return 3 if missing or early or any(
        total["series"] != total["of"] for total in sums.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
