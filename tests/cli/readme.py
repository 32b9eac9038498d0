#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that the ladders in README.md and the documents are those that rung
prints, and that the first case runs.

A comment "<!-- from: ARGUMENTS -->" stands above an indented block that is the
ladder of "rung ARGUMENTS".

Usage: readme.py RUNG            compares readme.py RUNG --bless rewrites the
blocks; review the difference
"""
import pathlib
import re
import sys
import textwrap

from lib import RUNG, expect, main, rung, write

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"(<!-- from: (.*?) -->\n\n)((?:    .*\n|\n(?=    ))+)")


def ladder(args):
    """Returns the lines from the name of the case to the legend or the
    verdict."""
    out = rung(*args.split()).stdout
    case = re.escape(args.split()[-1])
    match = re.search(rf"^{case} .*?(?=\n\n+\d+ cases?:|\Z)", out,
                      re.M | re.S)
    assert match, out
    return match.group().rstrip() + "\n"


def test_ladders_are_real():
    blocks = BLOCK.findall(README.read_text())
    assert blocks
    mutants = pathlib.Path(RUNG).parent.parent / "mutants"
    for _, args, block in blocks:
        mutant = re.search(r"--mutant (\S+)", args)
        if mutant and not (mutants / f"{mutant[1]}.so").exists():
            continue  # a tree may be built without all of them
        got, want = textwrap.dedent(block).strip("\n"), ladder(args).strip("\n")
        assert got == want, f"rung {args} prints\n{want}\nREADME says\n{got}" \
            "\n(tests/cli/readme.py RUNG --bless)"


def test_first_case_runs():
    text = README.read_text()
    case = re.search(r"Write `first.lad`:\n\n((?:    .*\n|\n)+)", text)
    path = write("first.lad", textwrap.dedent(case.group(1)))
    expect(rung("run", "--dut", "virtual", "--ladders", path), 0)
    expect(rung("run", path), 0)
    broken = case.group(1).replace("cack_psn=100 | response message_id",
                                   "cack_psn=99 | response message_id")
    path = write("broken.lad", textwrap.dedent(broken))
    expect(rung("run", "--dut", "virtual", path), 1, "UET-ACK-26")


def bless():
    def anew(match):
        return match.group(1) + textwrap.indent(ladder(match.group(2)), "    ")
    README.write_text(BLOCK.sub(anew, README.read_text()))


if __name__ == "__main__":
    if sys.argv[2:] == ["--bless"]:
        bless()
    else:
        main(globals())
