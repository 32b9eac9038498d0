#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Searches the exact values at which rung check begins to say something else.

A packet of a stored capture comes later, or one of its fields has another
value.  Where two values differ in what is found or looked at, the search
halves the distance until they are neighbours: there a rule has a limit.
tests/told/edges.txt keeps them, and tests/told/checked.py judges both sides of
each, so that a limit that moves by one is noticed.

A line is: capture, way, packet, what changes, the last value before the edge.
Few edges are kept at which the same requirements begin or end in one way.

Usage: tests/told/edges.py RUNG
"""
import argparse
import collections
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import captures  # noqa: E402  pylint: disable=wrong-import-position
import checked  # noqa: E402  pylint: disable=wrong-import-position
import halving  # noqa: E402  pylint: disable=wrong-import-position

WAYS = ("whole at 1", "whole at 2")
SAME = 2       # edges kept of the same requirements
PACKETS = 1    # packets that are changed in a capture
FIELDS = 2     # fields of such a packet
LONGEST = 100  # packets of a capture
PARTS = 5      # of so many captures a way takes one
SPREAD = [-(1 << k) for k in range(14, -1, -1)] + [0] + \
    [1 << k for k in range(15)]
SAID = re.compile(r'"type":"(\w+)","file":"[^"]*/([^"/]*)".*?"requirement":'
                  r'"([^"]+)","role":"(\w+)"(?:.*?"seen":(\d+))?')


def said_by_file(lines):
    """Returns for each file how often each requirement was looked at, and how
    many findings it has."""
    counts = collections.defaultdict(collections.Counter)
    for line in lines:
        m = SAID.search(line)
        if m and m[1] == "requirement":
            counts[m[2]][f"{m[3]}/{m[4]}"] += int(m[5])
        elif m:
            counts[m[2]][f"{m[3]}/{m[4]}!"] += 1
    return counts


class Search(halving.Halving):
    """Searches the edges of one way in all captures."""

    def __init__(self, rung, way, stored):
        super().__init__()
        self.rung, self.stored = rung, stored
        self.options = next(w[2] for w in checked.WAYS if w[0] == way)
        self.way = way

    def judge(self, points):
        with tempfile.TemporaryDirectory() as tmp:
            folder = pathlib.Path(tmp)
            (folder / "edges").mkdir()
            for i, (name, packet, what, value) in enumerate(points):
                (folder / f"edges/{i:05}.pcapng").write_bytes(
                    captures.write(captures.edged(
                        self.stored[name], packet, what, value)))
            counts = said_by_file(checked.check(
                self.rung, folder, "edges",
                (*checked.JSON, *self.options)))
        return [counts[f"{i:05}.pcapng"] for i in range(len(points))]

    @staticmethod
    def signature(before, after):
        """The requirements of which more or less is said."""
        return tuple(sorted(
            (k, before[k] > after[k]) for k in before.keys() | after.keys()
            if before[k] != after[k]))

    def starts(self):
        """Yields (name, packet, what, values) of the first scan."""
        part = [w for w, *_ in checked.WAYS].index(self.way)
        for name, packets in list(self.stored.items())[part::PARTS]:
            if not 0 < len(packets) <= LONGEST:
                continue
            draw = captures.Changer(f"{name} {self.way}")
            for _ in range(PACKETS):
                at = draw.below(len(packets))
                for what in ("wait", "late"):
                    yield name, at, what, [1 << k for k in range(8, 37, 2)]
                for _ in range(FIELDS):
                    size = draw.of((1, 2, 2, 4, 4))
                    place = size * draw.below((32 if size > 1 else 48) // size)
                    frame = packets[at][1][captures.HEADS:]
                    if len(frame) < place + size:
                        continue
                    old = int.from_bytes(frame[place:place + size], "big")
                    most = (1 << 8 * size) - 1
                    yield name, at, f"{place}:{size}", sorted(
                        {v for s in SPREAD for v in [old + s]
                         if 0 <= v <= most} | {0, most})


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", type=pathlib.Path)
    rung = ap.parse_args().rung.resolve()
    stored = {name: captures.read(data) for name, data in checked.stored()}
    out = []
    for way in WAYS:
        search = Search(rung, way, stored)
        found = search.search(list(search.starts()), SAME)
        print(f"{way}: {len(found)} edges")
        out += [f"{n} {p} {w} {v}" for n, p, w, v in found]
    checked.EDGES.write_text(
        "# SPDX-License-Identifier: BSD-2-Clause\n"
        "# Limits of rules in stored captures: tests/told/edges.py writes "
        "this file.\n" + "\n".join(sorted(set(out))) + "\n")


if __name__ == "__main__":
    main()
