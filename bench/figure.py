# SPDX-License-Identifier: BSD-2-Clause
"""Figures of benchmarks, or null with the reason why there is none.

A difference of two short times is noise, and a rate that is computed from it
may be anything.  These functions return no number for it.
"""
import os

LEAST = 0.2  # seconds that a figure needs
SHARE = 0.5  # least difference, as a part of the time that is subtracted


class Figures:
    """Figures by name. A figure without a value is None."""

    def __init__(self):
        self.values = {}
        self.reasons = {}

    def put(self, name, value, reason=None):
        self.values[name] = value
        if reason:
            self.reasons[name] = reason
        return value

    def rate(self, name, count, took, start=0, least=LEAST):
        """Records |count| for each second of |took|, without |start|."""
        seconds = took - start
        if seconds < least:
            return self.put(name, None, f"{max(seconds, 0):.3f} s is too "
                            f"short; {least} s are needed")
        if seconds < SHARE * start:
            return self.put(name, None, f"{seconds:.3f} s is a small "
                            f"difference of {took:.3f} s and {start:.3f} s")
        return self.put(name, round(count / seconds))

    def ratio(self, name, above, below):
        """Records the ratio of two values; None if either is missing."""
        a, b = self.values.get(above), self.values.get(below)
        if a is None or not b:
            missing = above if a is None else below
            return self.put(name, None, f"there is no figure for {missing}")
        return self.put(name, round(a / b, 3))

    def json(self):
        """Returns the figures, and the reasons of those that are None."""
        if not self.reasons:
            return dict(self.values)
        return {**self.values, "no_figure": dict(self.reasons)}


def idle(processors):
    """Returns why wall-clock times of so many threads are not measured, or
    None if they are."""
    if (os.cpu_count() or 1) < processors:
        return f"the machine has fewer than {processors} processors"
    load = os.getloadavg()[0]
    if load > (os.cpu_count() or 1) - processors + 0.5:
        return f"other programs use the processors (load {load:.1f})"
    return None
