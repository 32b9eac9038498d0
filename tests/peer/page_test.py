#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that docs/dut-control.md shows the adapter that is built.

Usage: page_test.py ROOT
"""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/dut-control.md").read_text()
shown = page.split("```c\n")[1].split("```\n")[0]
built = (root / "docs/adapters/adapter.c").read_text()
if shown != built:
    sys.exit("docs/dut-control.md does not show docs/adapters/adapter.c")
