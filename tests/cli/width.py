#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that no line is wider than a terminal of 80 columns, unless by one
long word.

Usage: width.py RUNG         every command, a sample of the cases
       width.py RUNG --all   every case
"""
import json
import os
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
    commands = re.findall(r"^  ([a-z-]+) ", text.split("Commands:")[1], re.M)
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


CASE = """title   A wrong expectation, in words that are long enough to be wide
covers  RUD-SVC-2
needs   rud send

chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=%d | response message_id=7        [RUD-SVC-3]
  use close

impaired twice
title   The same once more
covers  RUD-SVC-2

chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=%d | response message_id=7        [RUD-SVC-3]
  use close
"""


WHYS = re.compile(r" +(the same run, every packet|the case, and how it should go|"
                  r"that result again, from its folder)$", re.M)


def hints(out):
    """The commands that a report ends with."""
    said = out.split("try next:\n")[1].replace("\\\n", "")
    return [line.strip() for line in WHYS.sub("", said).splitlines()
            if line.startswith("  rung ")]


def path_with_rung():
    return f"{os.path.dirname(RUNG)}:{os.environ['PATH']}"


def test_hints_work_when_typed():
    """Also for cases of a file whose name a shell must quote."""
    import subprocess
    path = "my cases/it's a long name of a file.lad"
    write(path, CASE % (99, 99))
    write("own/common/open.lad", (ROOT / "cases/common/open.lad").read_text())
    write("own/common/close.lad", (ROOT / "cases/common/close.lad").read_text())
    write("own/first.lad", CASE % (99, 99))
    for args in ([path], [path + ":twice"], ["--cases", "own", "first"]):
        out = narrow("run", "--dut", "virtual", "-q", "--out", "my results",
                     *args, code=1)
        found = hints(out)
        assert len(found) == 3, out
        for command in found:
            code = 0 if command.startswith("rung show") else 1
            done = subprocess.run(
                ["sh", "-c", command], capture_output=True, text=True,
                check=False, env={**os.environ, "PATH": path_with_rung()})
            assert done.returncode == code, (command, done)


def test_compare():
    write("a.lad", CASE % (100, 100))
    narrow("run", "--dut", "virtual", "-q", "--out", "before", "a.lad")
    write("a.lad", CASE % (99, 100))
    narrow("run", "--dut", "virtual", "-q", "--out", "after", "a.lad", code=1)
    out = narrow("compare", "before", "after", code=1)
    assert "what line 9 expects" in out, out
    wide = expect(rung("compare", "before", "after",
                       env={"COLUMNS": "150"}), 1).stdout
    assert "".join(out.split()) == "".join(wide.split()), (out, wide)


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
