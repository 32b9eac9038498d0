#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that a benchmark gives no figure for a run that is too short."""
import unittest

import figure


class Test(unittest.TestCase):
    def setUp(self):
        self.all = figure.Figures()

    def test_rate(self):
        self.assertEqual(self.all.rate("r", 1000, 1.5, 0.5), 1000)
        self.assertEqual(self.all.json(), {"r": 1000})

    def test_too_short(self):
        for took, start in ((0.1, 0), (0.5, 0.5), (0.5, 0.7)):
            self.assertIsNone(self.all.rate("r", 5000, took, start))
            self.assertIn("too short", self.all.reasons["r"])

    def test_small_difference(self):
        self.assertIsNone(self.all.rate("r", 5000, 3.3, 3.0))
        self.assertIn("small difference", self.all.reasons["r"])

    def test_ratio(self):
        self.all.rate("a", 300, 1)
        self.all.rate("b", 100, 1)
        self.all.rate("none", 100, 0)
        self.assertEqual(self.all.ratio("q", "a", "b"), 3)
        self.assertIsNone(self.all.ratio("p", "a", "none"))
        self.assertIsNone(self.all.ratio("o", "none", "a"))
        self.assertIn("none", self.all.json()["no_figure"]["o"])


if __name__ == "__main__":
    unittest.main()
