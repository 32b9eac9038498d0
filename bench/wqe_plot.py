# SPDX-License-Identifier: BSD-2-Clause
"""Draws the figures of bench_wqe as one SVG file: retransmitted packets and
bytes cached at the receiver, against the loss rate.

Usage: bench_wqe | wqe_plot.py > docs/wqe-loss.svg
"""
import json
import math
import sys

WIDE, HIGH, LEFT, TOP, GAP = 330, 240, 64, 40, 84
LOSS = (0.01, 10)  # percent
SERIES = [("selective", 64, "a", ""), ("selective", 1024, "a", "6 4"),
          ("go_back_n", 64, "b", ""), ("go_back_n", 1024, "b", "6 4")]
# srd_wqe.md B.11: a model with a window of 64, made before anything ran.
MODEL = {"selective": [(0.1, 0.10), (1, 0.93), (5, 5.3)],
         "go_back_n": [(0.1, 4.6), (1, 42), (5, 224)]}
STYLE = """
text { font: 12px sans-serif; fill: #222 } .head { font-weight: bold }
.grid { stroke: #8886; stroke-width: .5 } .axis { stroke: #888; fill: none }
.a { stroke: #1769aa } .b { stroke: #c2410c }
path, circle { fill: none; stroke-width: 1.6 }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd } .a { stroke: #6cb6ff } .b { stroke: #ff9a5c } }
"""


class Panel:
    """Draws two logarithmic axes: the loss rate and a second value."""

    def __init__(self, at, title, low, high, unit):
        self.x0, self.low, self.high = at, low, high
        self.out = [text(at, TOP - 18, title, "head")]
        for power in range(round(math.log10(high / low)) + 1):
            self.rule(low * 10 ** power, unit)
        for percent in (0.01, 0.1, 1, 10):
            self.mark(percent)
        self.out.append(f'<path class="axis" d="M{at} {TOP}v{HIGH}h{WIDE}"/>')

    def x(self, percent):
        return self.x0 + WIDE * share(percent, *LOSS)

    def y(self, value):
        return TOP + HIGH * (1 - share(max(value, self.low), self.low,
                                       self.high))

    def rule(self, value, unit):
        y = self.y(value)
        self.out.append(f'<path class="grid" d="M{self.x0} {y:.1f}h{WIDE}"/>')
        self.out.append(text(self.x0 - 6, y + 4, f"{value:g}{unit}", "", "end"))

    def mark(self, percent):
        x = self.x(percent)
        self.out.append(f'<path class="grid" d="M{x:.1f} {TOP}v{HIGH}"/>')
        self.out.append(text(x, TOP + HIGH + 16, f"{percent:g} %", "",
                             "middle"))

    def line(self, points, colour, dash):
        where = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.out.append(f'<path class="{colour}" stroke-dasharray="{dash}" '
                        f'd="M{where}"/>')

    def rings(self, points, colour):
        for x, y in points:
            self.out.append(f'<circle class="{colour}" cx="{self.x(x):.1f}" '
                            f'cy="{self.y(y):.1f}" r="4"/>')


def share(value, low, high):
    return math.log(value / low) / math.log(high / low)


def text(x, y, what, style="", anchor="start"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" '
            f'text-anchor="{anchor}">{what}</text>')


def legend(y):
    out = []
    for i, (mode, window, colour, dash) in enumerate(SERIES):
        x = LEFT + i * 178
        out.append(f'<path class="{colour}" stroke-dasharray="{dash}" '
                   f'd="M{x} {y - 4}h26"/>')
        out.append(text(x + 32, y, f"{mode.replace('_', ' ')}, {window}"))
    out.append(text(LEFT, y + 20, "Rings: the model, window 64. Memory below "
                    "one packet is drawn at the lower edge."))
    return out


def picture(points):
    extra = Panel(LEFT, "packets sent again, of those sent once", 0.01, 10000,
                  " %")
    cache = Panel(LEFT + WIDE + GAP, "most bytes cached at the receiver", 10,
                  10000, "")
    for mode, window, colour, dash in SERIES:
        of = [p for p in points if (p["mode"], p["window"]) == (mode, window)]
        loss = [p["loss_ppm"] / 10000 for p in of]
        extra.line(zip(loss, (p["extra_percent"] for p in of)), colour, dash)
        cache.line(zip(loss, (p["cache_peak_bytes"] for p in of)), colour,
                   dash)
    for mode, colour in (("selective", "a"), ("go_back_n", "b")):
        extra.rings(MODEL[mode], colour)
    wide, high = LEFT + 2 * WIDE + GAP + 20, TOP + HIGH + 90
    title = "What a loss costs: selective repetition and go-back-N"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'role="img"><title>{title}</title><style>{STYLE}</style>',
        *extra.out, *cache.out,
        text(LEFT + WIDE / 2, TOP + HIGH + 34, "packets lost", "", "middle"),
        *legend(TOP + HIGH + 60), "</svg>"])


if __name__ == "__main__":
    print(picture(json.load(sys.stdin)["points"]))
