#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests help, version, and command lines that are refused before a case
runs."""
import json
import pathlib
import re
import shutil
import sys

from lib import CASE, RUNG, expect, main, rung, write

ROOT = pathlib.Path(__file__).resolve().parents[2]

LISTED = rung("--help").stdout.split("\nCommands:\n")[1].split("\n\n")[0]
COMMANDS = re.findall(r"^  ([a-z][a-z-]+) ", LISTED, re.M)


def test_help():
    done = expect(rung("--help"), 0, "Usage: rung COMMAND")
    assert len(COMMANDS) == 26 and not done.stderr, COMMANDS
    for command in COMMANDS:
        text = expect(rung(command, "--help"), 0, f"Usage: rung {command}")
        assert not text.stderr, text.stderr
        assert max(map(len, text.stdout.split("\n"))) <= 80, command
        assert "\n\n\n" not in text.stdout, command
        assert "\n\nExit codes: " in text.stdout, command


def test_options_are_documented():
    """docs/options.md has every option of every command."""
    sys.path.insert(0, str(ROOT / "tools"))
    import option_list
    assert (ROOT / "docs/options.md").read_text() == option_list.page(RUNG), \
        "tools/option_list.py RUNG > docs/options.md"


def test_version():
    expect(rung("--version"), 0, "rung 0.")


def test_unknown_command():
    expect(rung("frobnicate"), 2, err="there is no command 'frobnicate'")
    expect(rung("frobnicate"), 2, err="run, list, show")
    expect(rung(), 2, err="a command is missing")


def test_unknown_option():
    for command in COMMANDS:
        if command == "replay": # its options follow the folder
            continue
        expect(rung(command, "--frobnicate"), 2,
               err=f"rung {command}: unrecognized option '--frobnicate'")


def test_bad_values():
    for args, why in [
            (["--seed", "x"], "--seed is a number"),
            (["--seed", "-1"], "--seed is a number"),
            (["--seed", ""], "--seed is a number"),
            (["-j", "0"], "--jobs is a number"),
            (["-j", "1000000"], "--jobs is a number"),
            (["--repeat", "-1"], "--repeat is a number"),
            (["--repeat", "4294967295", "--from", "2"], "count beyond"),
            (["--timeout", "soon"], "--timeout is a time"),
            (["--timeout", "0"], "--timeout is a time"),
            (["--timeout", "99999999999999"], "--timeout is a time"),
            (["--color", "blue"], "--color is"),
            (["--profile", "quick"], "--profile is"),
            (["--req", "RUD-NOPE-1"], "no requirement is called"),
            (["--req", "RUD-SEQ-76/both/x"], "a role of RUD-SEQ-76 is src, dst or both"),
            (["--dut", "telepathy"], "expected ref, virtual"),
            (["--dut", "udp:127.0.0.1"], "expected ,peer=HOST"),
            (["--dut", "udp:127.0.0.1:0,peer=127.0.0.2"], "udp:ADDR[:PORT]"),
            (["--dut", "udp:127.0.0.1,peer="], "no address"),
            (["--dut", "udp:127.0.0.1,peer=::1"], "different families"),
            (["--dut", "raw:eth0,peer=10.0.0.1"], "expected ,ip=ADDR"),
            (["--dut", "ring:eth0,ip=10.0.0.1"], "expected ,peer=HOST"),
            (["--dut", "raw:,ip=10.0.0.1,peer=10.0.0.2"], "an interface"),
            (["--dut", "raw:eth0,ip=10.0.0.1,vlan=4095"], "vlan=4094"),
            (["--dut", "raw:eth0,ip=10.0.0.1,proto=256"], "proto=255"),
            (["--dut", "raw:eth0,ip=10.0.0.1,mac=02:00"], "mac=02:00:00"),
            (["--dut", "raw:eth0,ip=10.0.0.1,via=::1"], "and via= are of"),
            (["--dut", "raw:eth0,ip=10.0.0.1,mtu=9"], "expected ip=, peer="),
            (["--dut", "udp:127.0.0.1,vlan=2"], "expected ,peer=HOST"),
            (["--dut", "ref", "--dut", "virtual"], "exclude other words"),
            (["--dut", "virtual,ip7"], "expected native, ip6"),
            (["--dut", "virtual,"], "expected native, ip6"),
            (["--dut", "exec:"], "exec:COMMAND"),
            (["--control", "smoke-signals"], "expected stdio"),
            (["--control", "tcp:localhost"], "tcp:HOST:PORT"),
            (["--control", "unix:/tmp/x"], "for other devices"),
            (["--json", "-", "--tap"], "only one of"),
            (["--mutant", "no-such-mutant", "--dut", "virtual"],
             "there is no mutant or variant"),
            (["--mutant", "x", "--dut", "udp:127.0.0.1,peer=127.0.0.2"],
             "--mutant is for"),
            (["-j", "2", "--dut", "udp:127.0.0.1,peer=127.0.0.2"], "-j 1"),
    ]:
        expect(rung("run", *args), 2, err=why)


def selected(*args):
    listed = json.loads(expect(rung("list", "--json", *args), 0).stdout)
    return [c["id"] for c in listed["cases"]]


def test_selections():
    every = selected()
    folder = [i for i in every if i.startswith("uet/rudi/")]
    assert selected("uet/rudi") == selected("uet/rudi/") == folder
    assert selected("uet/rudi@target") == \
        [i for i in folder if i.endswith("@target")]
    assert selected("-k", "lost") == \
        [i for i in every if "lost" in i.split("@")[0]]
    assert selected("uet", "--exclude", "uet/rudi") == \
        [i for i in every if i.startswith("uet/") and i not in folder]
    assert selected("uet", "--exclude", "uet/rudi", "--exclude", "uet/rud") == \
        [i for i in every if i.startswith("uet/") and
         i.split("/")[1] not in ("rud", "rudi")]
    some = selected("--clause", "3.5.20.2")
    assert "uet/rud/send-gtd@target" in some and len(some) < len(every)
    # --clause 3.5.2 does not select 3.5.20.
    expect(rung("list", "--clause", "3.5.2"), 4, err="nothing is selected")


def test_misspelt_names():
    expect(rung("run", "--dut", "virtual", "uet/rud/send-gdt@target"), 4,
           err="did you mean 'uet/rud/send-gtd'?")
    done = expect(rung("run", "--dut", "virtual", "--mutant", "cack-ahed"), 2,
                  err="did you mean 'cack-ahead'?")
    assert len(done.stderr.splitlines()) == 2, done.stderr
    expect(rung("list", "--req", "rud-seq-76"), 2, err="did you mean 'RUD-SEQ-76'?")
    expect(rung("check", "--explain", "RUD-SEQ-76/none"), 2,
           err="a role of RUD-SEQ-76 is src, dst or both")
    case = write("cases/a/first.lad",
                 "title T\ncovers RUD-SVC-2\nneeds rud send\n\n"
                 "chair target\n  use open\n")
    expect(rung("list", "--cases", pathlib.Path(case).parents[1], "a/frist"),
           4, err="did you mean 'a/first'?")
    case = write("misspelt/first.lad",
                 "title T\ncovers RUD-SVC-2\nneeds rud send\n\n"
                 "chair target\n  use opne\n  use clsoe\n")
    done = expect(rung("run", "--dut", "virtual", case), 2,
                  err="no fragment 'opne'; did you mean 'open'?")
    assert "no fragment 'clsoe'; did you mean 'close'?" in done.stderr, done.stderr


def test_durations():
    done = expect(rung("run", "--dut", "virtual", "-q", "--durations", "2",
                       "uet/rudi"), 0, "the slowest 2 of")
    rows = done.stdout.split("the slowest 2 of")[1].splitlines()[1:3]
    assert all(" ms  uet/rudi/" in row for row in rows), rows
    assert float(rows[0].split()[0]) >= float(rows[1].split()[0]), rows


def test_widths():
    """A ladder fits the terminal."""
    for columns in (72, 80, 120):
        done = expect(rung("show", "uet/rud/ack-lost@target",
                           env={"COLUMNS": str(columns)}), 0)
        ladder = done.stdout.split("== The reference")[1]
        assert max(map(len, ladder.splitlines())) <= columns, ladder


def test_nothing_selected():
    """If no case is selected, rung prints no report but writes the requested
    files."""
    done = expect(rung("run", "--dut", "virtual", "no-such"), 4,
                  err="nothing is selected")
    assert not done.stdout, done.stdout
    done = expect(rung("run", "--dut", "virtual", "no-such", "--json", "-"), 4)
    assert json.loads(done.stdout)["cases"] == []


def test_device_that_does_not_start():
    """The error stands alone: no totals of nothing, and no hints."""
    done = expect(rung("run", "--dut", "exec:false", "uet/rud/ack-lost"), 5,
                  err="the control channel ended before hello")
    assert "0 cases" not in done.stdout and "try next" not in done.stdout, \
        done.stdout
    done = expect(rung("run", "--dut", "exec:false", "--json", "-",
                       "uet/rud/ack-lost"), 5)
    assert json.loads(done.stdout)["cases"] == []


def test_options_that_exclude_each_other():
    link = ["--dut", "udp:127.0.0.1,peer=127.0.0.2"]
    for command, args, why in [
            ("run", ["--map-out", "x"], "--map-out needs --map"),
            ("run", ["--map", "x"], "--map needs --map-out or --out"),
            ("run", ["--failed-first"], "--failed-first needs a file"),
            ("run", ["--resume"], "--resume needs --out"),
            ("run", ["--shard", "1/2"], "--shard needs --out"),
            ("run", ["--shard", "3/2"], "--shard 3/2: expected I/N"),
            ("run", ["--shard", "0/2"], "--shard 0/2: expected I/N"),
            ("run", ["--shard", "1/2x"], "--shard 1/2x: expected I/N"),
            ("run", ["--balance", "x"], "--balance needs --shard"),
            ("run", ["--shard", "1/2", "--out", "x", "--fail-fast"],
             "a shard must run all its cases"),
            ("run", ["--shard", "1/2", "--out", "x", "--failed-first"],
             "--shard and --failed-first exclude"),
            ("run", ["--shard", "1/2", "--out", "x", "--repeat", "0"],
             "--shard needs an end"),
            ("run", ["--shard", "1/2", "--out", "x", *link],
             "--shard needs --seed"),
            ("merge", ["--out", "x"], "the folders of the shards are missing"),
            ("merge", ["x"], "--out is missing"),
            ("run", ["--sizes", "ack_ccx=32"], "--sizes is for other"),
            ("run", ["--control", "stdio", *link], "--control stdio needs"),
            ("run", ["--trigger", "x"], "--trigger is for a device"),
            ("run", ["--json", "-", "--html", "-"], "only one of the reports"),
            ("report", ["--json", "-", "--tap", "x"],
             "only one of the reports"),
            ("report", ["x", "y"], "only one folder"),
            ("probe", ["--mutant", "x", *link], "--mutant is for"),
            ("probe", ["--control", "unix:/tmp/x", "--dut", "ref"],
             "--control is for other"),
            ("probe", ["--check", *link], "--check needs --decl"),
            ("probe", ["--name", "a#b", *link], "--name is one line"),
            ("serve", ["--udp", "127.0.0.1", "--port", "udp:127.0.0.1"],
             "--udp and --port are the same"),
            ("check", ["--port", "lo", "x"], "it takes no capture"),
            ("compare", ["--json", "-", "--html", "-", "a", "b"],
             "only one of --json - and --html -"),
            ("compare", ["a"], "two runs are needed"),
            ("ladder", ["a", "b"], "one capture is needed"),
    ]:
        expect(rung(command, *args), 2, err=why)


def test_ranges():
    for command, option, bad, why in [
            ("run", "--jobs", "65", "from 1 to 64"),
            ("run", "--from", "0", "from 1 to 4294967295"),
            ("run", "--repeat", "4294967296", "from 0 to 4294967295"),
            ("check", "--jobs", "0", "from 1 to 64"),
            ("check", "--ip-proto", "256", "from 1 to 255"),
            ("check", "--udp-port", "65536", "from 1 to 65535"),
            ("check", "--max-findings", "1073741824", "from 1 to 1073741823"),
            ("check", "--idle", "0", "a time such as"),
            ("ladder", "--frame", "0", "from 1 to 4294967295"),
            ("ladder", "--format", "png", "text, svg or json"),
            ("send", "--ip-proto", "0", "from 1 to 255"),
            ("serve", "--family", "tcp", "srd, wqe or roce, not 'tcp'"),
            ("gen", "--rate", "fast", "a second, not 'fast'"),
    ]:
        expect(rung(command, option, bad), 2, err=f"{option} is ")
        expect(rung(command, option, bad), 2, err=why)


def test_selectors():
    expect(rung("run", "no/such/case"), 4, err="no case matches")
    expect(rung("run", "--dut", "virtual", CASE, "no/such/case"), 2,
           err="no case matches 'no/such/case'")
    expect(rung("run", "nowhere.lad"), 2, err="nowhere.lad: No such file")
    write("folder/case.text", "")
    expect(rung("run", "folder"), 4, err="--cases DIR reads the cases below")
    expect(rung("run", "folder/case.text"), 4, err="a case file ends in .lad")
    expect(rung("run", "--as", "mine", CASE), 2, err="name one .lad file")
    done = expect(rung("list", "-k", "no-such", "--profile", "smoke"), 4,
                  err="no case passes --keyword no-such and --profile smoke")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    expect(rung("list", CASE, "--exclude", "uet", "--exclude", "srd"), 4,
           err="no case passes --exclude uet and --exclude srd")
    expect(rung("list", *["--exclude=uet"] * 33), 2, err="at most 32")
    done = expect(rung("list", "no-such", "-k", "lost"), 4)
    assert "passes" not in done.stderr, done.stderr
    expect(rung("run", "--cases", "nowhere"), 2, err="nowhere: No such file")
    expect(rung("show"), 2, err="a case is missing")
    expect(rung("cover", "x"), 2, err="unexpected argument 'x'")


def test_exclude_without_match():
    """A mistyped --exclude must not run what the user leaves out. A case that
    is not selected may be excluded."""
    for wrong in ("uet/rud/send-gdt", "uet/nothing", "*gdt*", "uet/rud@x",
                  "cases/uet/rud/send-gtd.lad"):
        done = expect(rung("run", "--dut", "virtual", CASE, "--exclude", wrong),
                      2, err=f"no case matches --exclude '{wrong}'")
        assert not done.stdout, done.stdout
    expect(rung("list", "--exclude", "uet/rud/send-gdt"), 2,
           err="did you mean 'uet/rud/send-gtd'?")
    expect(rung("list", "--exclude", "x.lad"), 2, err="takes no path")
    done = expect(rung("list", "srd", "--exclude", "uet/rud",
                       "--exclude", "*[len=*"), 0)
    assert not done.stderr, done.stderr
    text = (ROOT / "cases/uet/rud/send-gtd.lad").read_text()
    path = write("mine.lad", text)
    expect(rung("list", path, "--exclude", "mine*"), 4,
           err="no case passes --exclude mine*")
    write("tree/uet/one.lad", text)
    shutil.copytree(ROOT / "cases/common", "tree/common")
    write("tree/uet/two.lad", "title Two\n\nchair target\n> nonsense\n")
    expect(rung("list", "uet/one", "--cases", "tree", "--exclude", "uet/two"),
           0)
    expect(rung("list", "uet/one", "--cases", "tree", "--exclude", "uet/tow"),
           2, err="no case matches --exclude 'uet/tow'")


def test_empty_tree():
    write("tree/README", "no cases here\n")
    expect(rung("run", "--cases", "tree"), 4, err="nothing is selected")


def test_malformed_case():
    path = write("bad.lad", "title Bad\n\nchair target\n> rud_req psn=zebra\n")
    done = expect(rung("run", path), 2, err="bad.lad:4:")
    assert "> rud_req psn=zebra" in done.stderr, done.stderr
    assert "^" in done.stderr, done.stderr
    expect(rung("list", path), 2, err="bad.lad:4:")
    write("tree/uet/bad.lad", "nonsense\n")
    expect(rung("list", "--cases", "tree"), 2, err="bad.lad:1:")


def test_unreadable_case():
    path = write("dir.lad/x", "")
    expect(rung("run", path[:-2]), 2, err="dir.lad: ")


def test_malformed_declaration():
    path = write("dut.decl", "name x\nwombat 7\n")
    expect(rung("run", "--decl", path, "--dut", "virtual", CASE), 2,
           err="dut.decl:2:")
    expect(rung("run", "--decl", "nowhere", "--dut", "virtual", CASE), 2,
           err="nowhere")


if __name__ == "__main__":
    main(globals())
