#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Searches the exact times at which rung check begins to find something else.

Each packet of each short stored capture comes later, alone or with all that
follow it.  Where two delays differ in the findings, the search halves the
distance until they are neighbours: there a rule has a limit.
tests/told/times.txt keeps them, and tests/told/swept.py has captures on both
sides of each, so that a limit that moves by one nanosecond is noticed.

tests/told/edges.py searches likewise in a few captures, but by all that is
said about each; this search looks at findings alone, in all captures.

A line is: capture, packet, what changes, the last delay before the edge.  Few
edges are kept at which the same findings begin or end, and of these some are
drawn.

Usage: tests/told/times.py RUNG
"""
import argparse
import collections
import pathlib
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import captures  # noqa: E402  pylint: disable=wrong-import-position
import checked  # noqa: E402  pylint: disable=wrong-import-position
import halving  # noqa: E402  pylint: disable=wrong-import-position
import swept  # noqa: E402  pylint: disable=wrong-import-position

SAME = 3  # edges kept at which the same findings begin or end
MOST = 6_000  # edges that are stored
DELAYS = [1 << k for k in range(8, 37)]
FOUND = re.compile(r'"type":"finding","file":"[^"]*?/?(\d+)\.pcapng".*?'
                   r'"requirement":"([^"]+)","role":"(\w+)".*?'
                   r'"ends":\["([^"]*)","([^"]*)"\].*?"text":"([^"]*)"')


class Search(halving.Halving):
    """Searches the edges that are seen at one end."""
    BATCH = 40_000

    def __init__(self, rung, keeps, options, stored):
        super().__init__()
        self.rung, self.keeps, self.options = rung, keeps, options
        self.packets = dict(swept.plain(stored))

    def judge(self, points):
        with tempfile.TemporaryDirectory() as tmp:
            folder = pathlib.Path(tmp) / "times"
            folder.mkdir()
            swept.write_all(folder, "", self.keeps, (
                swept.delayed(self.packets[n], p, w, v)
                for n, p, w, v in points))
            lines = checked.check(self.rung, folder.parent, "times",
                                  (*checked.JSON, *self.options))
        found = collections.defaultdict(collections.Counter)
        for line in lines:
            m = FOUND.search(line)
            if m:
                number = max(self.number(m[4]), self.number(m[5]))
                found[int(m[1]) * swept.AT_ONCE + number][m[2], m[3], m[6]] \
                    += 1
        return [frozenset(found[i].items()) for i in range(len(points))]

    @staticmethod
    def signature(before, after):
        """The findings that are new, and those that end."""
        return before - after, after - before

    @staticmethod
    def number(address):
        _, high, low, _ = (int(n) for n in address.split("."))
        return (high << 8 | low) - swept.FIRST

    def scans(self):
        """Yields (name, packet, what, delays) of the first scan."""
        for name, packets in self.packets.items():
            for at in range(len(packets)):
                for what in ("wait", "late"):
                    yield name, at, what, DELAYS


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", type=pathlib.Path)
    rung = ap.parse_args().rung.resolve()
    stored = [(name, captures.read(data)) for name, data in checked.stored()]
    out = set()
    for keeps, options in zip(swept.ENDS, checked.SWEPT):
        search = Search(rung, keeps, options, stored)
        found = search.search(list(search.scans()), SAME)
        print(f"{len(found)} edges", flush=True)
        out |= {" ".join(map(str, edge)) for edge in found}
    out = sorted(out)
    random.Random("edges").shuffle(out)
    swept.TIMES.write_text(
        "# SPDX-License-Identifier: BSD-2-Clause\n"
        "# Limits of times in stored captures: tests/told/times.py writes "
        "this file.\n" + "\n".join(sorted(out[:MOST])) + "\n")


if __name__ == "__main__":
    main()
