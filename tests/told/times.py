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
import swept  # noqa: E402  pylint: disable=wrong-import-position

SAME = 3  # edges kept at which the same findings begin or end
MOST = 6_000  # edges that are stored
BATCH = 40_000  # delays that are judged by one run of the program
DELAYS = [1 << k for k in range(8, 37)]
FOUND = re.compile(r'"type":"finding","file":"[^"]*?/?(\d+)\.pcapng".*?'
                   r'"requirement":"([^"]+)","role":"(\w+)".*?'
                   r'"ends":\["([^"]*)","([^"]*)"\].*?"text":"([^"]*)"')


class Search:
    """Searches the edges that are seen at one end."""

    def __init__(self, rung, keeps, options, stored):
        self.rung, self.keeps, self.options = rung, keeps, options
        self.packets = dict(swept.plain(stored))
        self.asked = {}

    def ask(self, points):
        """Judges points (name, packet, what, delay) not judged before."""
        todo = sorted(set(points) - self.asked.keys())
        for at in range(0, len(todo), BATCH):
            self.ask_batch(todo[at:at + BATCH])

    def ask_batch(self, points):
        with tempfile.TemporaryDirectory() as tmp:
            folder = pathlib.Path(tmp) / "times"
            folder.mkdir()
            swept.write_all(folder, "", self.keeps, (
                swept.delayed(self.packets[n], p, w, v)
                for n, p, w, v in points))
            lines = checked.check(self.rung, folder.parent, "times",
                                  self.options)
        found = collections.defaultdict(collections.Counter)
        for line in lines:
            m = FOUND.search(line)
            if m:
                number = max(self.number(m[4]), self.number(m[5]))
                found[int(m[1]) * swept.AT_ONCE + number][m[2], m[3], m[6]] \
                    += 1
        for i, point in enumerate(points):
            self.asked[point] = frozenset(found[i].items())

    @staticmethod
    def number(address):
        _, high, low, _ = (int(n) for n in address.split("."))
        return (high << 8 | low) - swept.FIRST

    def edges(self):
        starts = [(name, at, what) for name, packets in self.packets.items()
                  for at in range(len(packets)) for what in ("wait", "late")]
        self.ask([(*s, v) for s in starts for v in DELAYS])
        spans = [(*s, a, b) for s in starts for a, b in zip(DELAYS, DELAYS[1:])
                 if self.asked[*s, a] != self.asked[*s, b]]
        spans = self.few(spans, 3 * SAME)
        while any(b - a > 1 for *_, a, b in spans):
            self.ask([(*s, (a + b) // 2) for *s, a, b in spans])
            spans = [self.half(*s) for s in spans]
        return [(n, p, w, a) for n, p, w, a, _ in self.few(spans, SAME)]

    def half(self, n, p, w, a, b):
        middle = (a + b) // 2
        if b - a <= 1:
            return n, p, w, a, b
        if self.asked[n, p, w, a] != self.asked[n, p, w, middle]:
            return n, p, w, a, middle
        return n, p, w, middle, b

    def few(self, spans, most):
        """Returns the spans, at most |most| with the same findings."""
        seen, out = collections.Counter(), []
        for n, p, w, a, b in spans:
            before, after = self.asked[n, p, w, a], self.asked[n, p, w, b]
            key = w, before - after, after - before
            seen[key] += 1
            if seen[key] <= most:
                out.append((n, p, w, a, b))
        return out


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", type=pathlib.Path)
    rung = ap.parse_args().rung.resolve()
    stored = [(name, captures.read(data)) for name, data in checked.stored()]
    out = set()
    for keeps, options in zip(swept.ENDS, checked.SWEPT):
        found = Search(rung, keeps, options, stored).edges()
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
