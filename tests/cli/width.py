#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that no line is wider than a terminal of 80 columns, unless by one
long word.

Usage: width.py RUNG         every command, a sample of the cases
       width.py RUNG --all   every case
"""
import json
import pathlib
import random
import re
import sys

from lib import RUNG, expect, main, rung, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 80
SAMPLE = 40
WORD = 60  # a field with many permitted values is one word, which stays whole


def narrow(*args, code=0):
    """Returns the output of a command on a terminal of COLUMNS columns."""
    out = expect(rung(*args, env={"COLUMNS": str(COLUMNS)}), code).stdout
    wide = [line for line in out.splitlines()
            if len(line) > COLUMNS and len(max(line.split(), key=len)) < WORD]
    assert not wide, (args, wide[:3])
    return out


def ids():
    found = [c["id"] for c in json.loads(rung("list", "--json").stdout)["cases"]]
    assert len(found) > 500, len(found)
    if "--all" in sys.argv:
        return found
    return random.Random(1).sample(found, SAMPLE)


def test_help():
    text = narrow("--help")
    commands = re.findall(r"^  ([a-z]+) ", text.split("Commands:")[1], re.M)
    assert len(commands) > 10, commands
    for command in commands:
        if command != "rung":
            narrow(command, "--help")


def test_run():
    narrow("run", "--dut", "virtual", "--ladders", *ids())
    narrow("run", "--dut", "virtual", "-v", *ids()[:SAMPLE])
    narrow("run", "--dut", "virtual")


def test_run_that_fails():
    name = "cack-over-uncleared"
    if not (pathlib.Path(RUNG).parent.parent / f"mutants/{name}.so").exists():
        return
    for more in ((), ("-q",)):
        narrow("run", "--dut", "virtual", "--mutant", name, *more,
               "uet/rud/*", code=1)


def test_run_that_does_not_apply():
    write("few.decl", "name few\nversion 1.0.1\nclaims rud send\n")
    out = narrow("run", "--dut", "virtual", "--decl", "few.decl")
    said = out.split("not applicable, by reason:\n")[1].split("\n\n")[0]
    found = int(re.search(r"(\d+) na", out)[1])
    assert found > 500, found
    counts = [int(n) for n in re.findall(r"^ *(\d+)  ", said, re.M)]
    assert sum(counts) == found and counts == sorted(counts)[::-1], said
    assert "\nna " not in out
    every = rung("run", "--dut", "virtual", "--decl", "few.decl", "-v").stdout
    assert len(re.findall(r"^na ", every, re.M)) == found


def test_show():
    for name in ids():
        text = narrow("show", name).split("\n== Requirements")[0]
        head, body = text.split("\n\n", 1)
        if "-" in name and not re.search(r"\((.*)\)", head, re.S)[1].endswith(
                name.split("@")[0].split("/")[-1] + ".lad)"):
            continue  # a section: its head is in the plain case
        write("one.lad", body)
        expect(rung("list", "one.lad"), 0)


def test_ladder_and_check():
    for path in sorted((ROOT / "tests/captures").glob("*.pcap")):
        narrow("ladder", path, code=None)
        narrow("ladder", "-v", path, code=None)
        narrow("check", path, code=None)
    narrow("check", "--explain", "UET-ACK-26")


def test_a_reader_that_leaves_is_no_error():
    import subprocess
    for args in (["list"], ["run", "--dut", "virtual", "-q", "--json", "-"],
                 ["gen", "uet/rud/send-gtd@target", "--pdcs", "2000", "-q",
                  "-o", "-"],
                 ["check", "--json"]
                 + [str(p) for p in (ROOT / "tests/captures").glob("*.pcap")]):
        child = subprocess.Popen([RUNG, *args], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        child.stdout.read(1)
        child.stdout.close()
        said = child.stderr.read().decode()
        child.wait()
        assert "tandard output" not in said and "roken" not in said, said


if __name__ == "__main__":
    main(globals())
