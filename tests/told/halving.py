# SPDX-License-Identifier: BSD-2-Clause
"""Searches the neighbouring values at which a judge begins to say something
else: tests/told/edges.py and tests/told/times.py search so."""
import collections


class Halving:
    """A point is (name, packet, what, value); a span has two values.

    A class that searches has BATCH, the most points that it judges at once,
    judge(points), which returns what is said of each, and signature(before,
    after), the same for all spans of which few are enough.
    """
    BATCH = 4_000

    def __init__(self):
        self.asked = {}

    def ask(self, points):
        """Judges the points that were not judged before."""
        todo = sorted(set(points) - self.asked.keys())
        for at in range(0, len(todo), self.BATCH):
            part = todo[at:at + self.BATCH]
            self.asked.update(zip(part, self.judge(part)))

    def differs(self, n, p, w, a, b):
        return self.asked[n, p, w, a] != self.asked[n, p, w, b]

    def search(self, scans, same):
        """Returns (name, packet, what, value before the edge) of the edges
        in scans, which are (name, packet, what, values); at most |same| of a
        signature."""
        self.ask([(*s, v) for *s, values in scans for v in values])
        spans = [(*s, a, b) for *s, values in scans
                 for a, b in zip(values, values[1:]) if self.differs(*s, a, b)]
        spans = self.few(spans, 3 * same)
        while any(b - a > 1 for *_, a, b in spans):
            self.ask([(*s, (a + b) // 2) for *s, a, b in spans])
            spans = [self.half(*span) for span in spans]
        return [(*s, a) for *s, a, _ in self.few(spans, same)]

    def half(self, n, p, w, a, b):
        middle = (a + b) // 2
        if b - a <= 1:
            return n, p, w, a, b
        if self.differs(n, p, w, a, middle):
            return n, p, w, a, middle
        return n, p, w, middle, b

    def few(self, spans, most):
        """Returns the spans, at most |most| of a change with a signature."""
        seen, out = collections.Counter(), []
        for n, p, w, a, b in spans:
            key = w, self.signature(self.asked[n, p, w, a],
                                    self.asked[n, p, w, b])
            seen[key] += 1
            if seen[key] <= most:
                out.append((n, p, w, a, b))
        return out
