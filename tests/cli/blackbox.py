#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What the suite sees of a device without hooks (tools/blackbox.py): the
figures, and the list of what is left in docs/requirements.md."""
import pathlib
import re
import subprocess
import sys

from lib import RUNG, main

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/blackbox.py"


def test_figures():
    done = subprocess.run([sys.executable, "-B", TOOL, RUNG, "--check"],
                          capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    shares = dict(re.findall(r"^(\w+) +\d+ of \d+ chairs run, (\S+) %",
                             done.stdout, re.M))
    assert float(shares["wire"]) >= 94.3, done.stdout
    assert float(shares["declared"]) >= 98.0, done.stdout
    assert float(shares["minimum"]) >= 92.8, done.stdout
    left = int(re.search(r"(\d+) with any declaration", done.stdout).group(1))
    assert left <= 4, done.stdout


main(globals())
