#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung report and rung run --resume on the results of ended runs."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from lib import CASE, RUNG, expect, main, rung, write

VIRTUAL = ("--dut", "virtual")
FEW = "uet/rud/send-gtd*"
MINE = """title   A wrong expectation
covers  RUD-SVC-2
needs   rud send

chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=99 | response message_id=7        [RUD-SVC-3]
  use close
"""
REPORTS = ["results.json", "junit.xml", "report.html", "report.txt",
           "summary.md"]


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def reports(folder):
    """Returns all files that are not in the folder of a case."""
    return {p.name: p.read_bytes() for p in pathlib.Path(folder).iterdir()
            if p.is_file()}


def again(folder, code, **more):
    """Writes the reports after removing the old ones, on which they must not
    depend."""
    for name in REPORTS:
        pathlib.Path(folder, name).unlink(missing_ok=True)
    return expect(rung("report", folder, "-q"), code, **more)


def verdicts(doc):
    return {(c["id"], c.get("repeat", 0)): (c["verdict"], c["reason"])
            for c in doc["cases"]}


def cut(folder, keep, tear=0):
    """Turns a run into what is left if it is killed after |keep| results."""
    lines = pathlib.Path(folder, "stream.jsonl").read_bytes().split(b"\n")
    torn = lines[keep + 1][:tear]
    pathlib.Path(folder, "stream.jsonl").write_bytes(
        b"\n".join(lines[:keep + 1]) + b"\n" + torn)
    for line in lines[keep + 1:]:
        place = re.search(rb'"capture":"(.*?)/capture.pcapng"', line)
        if place:
            shutil.rmtree(pathlib.Path(folder, place[1].decode()),
                          ignore_errors=True)
    for name in REPORTS:
        pathlib.Path(folder, name).unlink(missing_ok=True)


def lines(folder):
    return [json.loads(x) for x in
            pathlib.Path(folder, "stream.jsonl").read_text().splitlines()]


def test_the_same_bytes():
    """rung report rewrites every report of an ended run unchanged, from any
    directory."""
    mine = write("mine.lad", MINE)
    known = write("known.txt", "expect fail mine@target\n  because  it is\n"
                  "  until  2020-01-31\nexpect fail x\n  because  it is\n")
    for number, (args, code) in enumerate([
            ((FEW,), 0), (("srd/*", "roce/*"), 0), ((FEW, mine), 1),
            ((FEW, mine, "--baseline", known), 1),
            ((FEW, mine, "--fail-fast", "--step-over"), 1),
            ((FEW, "--repeat", "3", "--from", "2", "-j", "2"), 0),
            ((FEW, mine, "--until-fail", "--repeat", "4"), 1),
            ((FEW, "--timeout", "1us"), None),
            (("srd/*", "--req", "RUD-SEQ-76"), 4)]):
        out = f"out{number}"
        done = rung("run", *VIRTUAL, "--out", out, "--strict", *args)
        expect(done, code)
        was = reports(out)
        assert set(REPORTS) <= set(was), was.keys()
        report = again(out, done.returncode)
        assert reports(out) == was, out
        assert not report.stderr, report.stderr
        shutil.copytree(out, f"copy/{out}")
        again(f"copy/{out}", done.returncode)
        assert reports(f"copy/{out}") == was, out
        told = rung("report", out)
        assert told.stdout == done.stdout, (told.stdout, done.stdout)


def test_the_checklist():
    write("map.csv", "id,text,requirements\n1,One,RUD-SEQ-76\n")
    done = expect(rung("run", *VIRTUAL, "--out", "out", "--map", "map.csv",
                       FEW), 0)
    was = reports("out")
    os.unlink("map.csv")
    os.unlink("out/checklist.csv")
    again("out", done.returncode)
    assert reports("out") == was


def test_other_places():
    """rung report obeys the same options for file names as rung run."""
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW), 0)
    for option, name in (("--json", "results.json"), ("--junit", "junit.xml"),
                         ("--html", "report.html"),
                         ("--markdown", "summary.md")):
        done = expect(rung("report", option, "-", "out"), 0)
        assert done.stdout == pathlib.Path("out", name).read_text(), name
    expect(rung("report", "--tap", "out"), 0, "ok 1 - ")
    expect(rung("report", "--ladders", "out"), 0, "rud_req psn=")


def test_killed():
    """A killed run is reported as interrupted."""
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW, "--repeat", "4"), 0)
    shutil.copytree("out", "was")
    full = load("out/results.json")
    total = len(full["cases"])
    for keep in (total - 1, total // 2, 1, 0):
        shutil.rmtree("out")
        shutil.copytree("was", "out")
        cut("out", keep, tear=keep * 20)
        again("out", 130 if keep < total else 0)
        doc = load("out/results.json")
        assert doc["interrupted"] and doc["run"] == full["run"]
        assert len(doc["cases"]) == keep == doc["totals"]["pass"]
        assert f"interrupted: {keep} results of {total}" in \
            pathlib.Path("out/report.txt").read_text()
        assert "interrupted" in pathlib.Path("out/report.html").read_text()
        assert set(verdicts(doc).items()) <= set(verdicts(full).items())


def test_killed_while_it_reported():
    """If all results exist, only the reports were interrupted."""
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW), 0)
    full = load("out/results.json")
    stream = pathlib.Path("out/stream.jsonl")
    stream.write_text("".join(stream.read_text().splitlines(True)[:-1]))
    again("out", 0)
    assert load("out/results.json") == full


def test_damaged_folders():
    """rung report names each damaged file and reports the others."""
    expect(rung("run", *VIRTUAL, "--out", "other", "-q", FEW), 0)
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW), 0)
    total = len(load("out/results.json")["cases"])
    where = f"cases/{CASE}"
    shutil.copytree(f"out/{where}", "kept")
    record = pathlib.Path("out", where, "record.jsonl")
    whole = record.read_text()

    def restore():
        shutil.rmtree(f"out/{where}", ignore_errors=True)
        shutil.copytree("kept", f"out/{where}")

    def truncated():
        record.write_text(whole[:len(whole) // 2])
        return f"out/{where}/record.jsonl:"

    def foreign():
        shutil.rmtree(f"out/{where}")
        shutil.copytree(f"other/{where}", f"out/{where}")
        return "it is of another run, " + load("other/results.json")["run"]

    def other_case():
        record.write_text(whole.replace(CASE, "uet/rud/x@target"))
        return "it is of another case, uet/rud/x@target"

    def gone():
        shutil.rmtree(f"out/{where}")
        return f"the folder {where} of this result is gone"

    def link():
        record.unlink()
        record.symlink_to("../../../../../kept/record.jsonl")
        return f"out/{where}/record.jsonl: "

    def fifo():
        record.unlink()
        os.mkfifo(record)
        return "it is no regular file"

    for damage in truncated, foreign, other_case, gone, link, fifo:
        say = damage()
        again("out", 5, err=say)
        doc = load("out/results.json")
        assert len(doc["cases"]) == total - 1, damage
        assert CASE not in {c["id"] for c in doc["cases"]}, damage
        assert doc["interrupted"], damage
        restore()
    again("out", 0)
    was = reports("out")
    # rung report does not overwrite reports that have more results than it can
    # read.
    truncated()
    expect(rung("report", "-q", "out"), 5, err="stay as they are")
    assert reports("out") == was


def test_damaged_files():
    """The record suffices; rung report names the other file that is
    incomplete."""
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW), 0)
    was = reports("out")
    capture = pathlib.Path(f"out/cases/{CASE}/capture.pcapng")
    capture.write_bytes(capture.read_bytes()[:100])
    again("out", 0, err="capture.pcapng: it has 100 bytes")
    capture.unlink()
    again("out", 0, err="capture.pcapng: No such file")
    assert reports("out") == was


def test_strangers():
    """The report contains no folders or streams of other runs."""
    expect(rung("run", *VIRTUAL, "--out", "other", "-q", "srd/*"), 0)
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW), 0)
    was = reports("out")
    shutil.copytree("other/cases/srd", "out/cases/srd")
    again("out", 0, err="no result of this run; left out")
    assert reports("out") == was
    shutil.copy("other/stream.jsonl", "out/stream.jsonl")
    again("out", 0, err="out/stream.jsonl:1: the stream is of another run")
    assert verdicts(load("out/results.json")) == \
        verdicts(json.loads(was["results.json"]))


def test_a_damaged_stream():
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW), 0)
    was = reports("out")
    stream = pathlib.Path("out/stream.jsonl")
    text = stream.read_text().splitlines(True)
    stream.write_text(text[0] + text[1][:40] + "\n" + "".join(text[2:]))
    again("out", 0, err="out/stream.jsonl:2: no line of a stream")
    was.pop("stream.jsonl")
    now = reports("out")
    now.pop("stream.jsonl")
    assert now == was


def test_a_damaged_manifest():
    expect(rung("run", *VIRTUAL, "--out", "out", "-q", FEW), 0)
    path = pathlib.Path("out/run.json")
    text = path.read_text()
    for bad, why in ((text[:len(text) // 2], "run.json:"), ("", "run.json"),
                     ("{}", "this is no rung.run/1"),
                     (text.replace("declaration", "decoration"),
                      "'declaration' is missing"),
                     (re.sub('"repeat": 1', '"repeat": -1', text),
                      "'repeat' is out of range"),
                     (re.sub('"repeat": 1', '"repeat": 4000000000', text),
                      "stay as they are")):
        path.write_text(bad)
        done = expect(rung("report", "out"), None, err=why)
        assert done.returncode in (2, 5, 130), done
    path.unlink()
    expect(rung("report", "out"), 2, err="no run has begun here")
    path.symlink_to("../elsewhere.json")
    expect(rung("report", "out"), 2, err="out/run.json: ")


def test_no_run():
    expect(rung("report"), 2, err="a folder is missing")
    expect(rung("report", "a", "b"), 2, err="only one folder")
    expect(rung("report", "nowhere"), 2, err="nowhere: No such file")
    write("file", "")
    expect(rung("report", "file"), 2, err="file: Not a directory")
    os.mkdir("empty")
    expect(rung("report", "empty"), 2, err="no run has begun here")


def test_resume():
    """A resumed run has the verdicts and reports of an uninterrupted one."""
    mine = write("mine.lad", MINE)
    args = (*VIRTUAL, "--seed", "7", "--repeat", "3", FEW, mine)
    whole = expect(rung("run", *args, "--out", "whole"), 1)
    full = load("whole/results.json")
    total = len(full["cases"])
    for keep in (0, 1, total // 2, total - 1, total):
        shutil.rmtree("out", ignore_errors=True)
        shutil.copytree("whole", "out")
        cut("out", keep, tear=25)
        kept = {p: p.stat().st_ino for p in
                pathlib.Path("out").rglob("record.jsonl")}
        done = expect(rung("run", *args, "--out", "out", "--resume"), 1)
        doc = load("out/results.json")
        assert verdicts(doc) == verdicts(full) and not doc["interrupted"]
        assert doc["run"] == full["run"]
        assert [x["type"] for x in lines("out")] == \
            ["begin"] + ["case"] * total + ["end"]
        for path, inode in kept.items():
            assert path.stat().st_ino == inode, path
        strip = re.compile(r" +[0-9.]+ (ms|s)$|\([0-9.]+ (ms|s)\)", re.M)
        assert strip.sub("", done.stdout) == strip.sub("", whole.stdout)
        was = reports("out")
        again("out", 1)
        assert reports("out") == was


def test_resume_runs_what_is_damaged():
    args = (*VIRTUAL, "-q", FEW)
    expect(rung("run", *args, "--out", "out"), 0)
    full = load("out/results.json")
    record = pathlib.Path(f"out/cases/{CASE}/record.jsonl")
    record.write_text(record.read_text()[:200])
    expect(rung("run", *args, "--out", "out", "--resume"), 0,
           err="the case runs again")
    again("out", 0)
    assert verdicts(load("out/results.json")) == verdicts(full)


def test_resume_refuses_another_run():
    mine = write("mine.lad", MINE)
    base = ("--out", "out", "--seed", "7")
    expect(rung("run", *base, "-q", *VIRTUAL, FEW, mine), 1)
    was = reports("out")
    decl = pathlib.Path(f"out/cases/{CASE}/device.decl").read_text()
    other = write("other.decl", decl.replace("mtu", "mtu", 1) + "\n" +
                  "size max_ack_data 7\n" if "max_ack_data" not in decl else
                  re.sub(r"(max_ack_data +)\d+", r"\g<1>64", decl))
    for args, why in [
            (("--seed", "8", FEW, mine), "the seed was 7 and is 8"),
            ((FEW,), "the selection had"),
            (("uet/rud/ack-l*", mine), "the selection"),
            ((FEW, mine, "--decl", other), "the declaration was"),
            ((FEW, mine, "--repeat", "2"), "repeat was 1 and is 2"),
            ((FEW, mine, "--strict"), "strict was false and is true"),
            ((FEW, mine, "--dut", "virtual,native"),
             'dut was "virtual" and is "virtual,native"'),
            ((FEW, mine, "--without", "send"),
             'without was null and is "send"')]:
        if "--dut" not in args:
            args = (*VIRTUAL, *args)
        done = expect(rung("run", *base, "--resume", *args), 2, err=why)
        assert "this is not the same run" in done.stderr, done
    write("mine.lad", MINE.replace("data 32", "data 48"))
    expect(rung("run", *base, *VIRTUAL, "--resume", FEW, mine), 2,
           err="the case mine@target has changed since")
    write("mine.lad", MINE)
    version = load("out/run.json")
    version["tool"]["version"] = "0.0.0"
    pathlib.Path("out/run.json").write_text(json.dumps(version))
    expect(rung("run", *base, *VIRTUAL, "--resume", FEW, mine), 2,
           err='version was "0.0.0" and is "')
    now = reports("out")
    now.pop("run.json"), was.pop("run.json")
    assert now == was
    expect(rung("run", *VIRTUAL, "--resume", FEW), 2,
           err="--resume needs --out")


def test_resume_takes_the_seed():
    """A resumed run draws a new seed for a device at a port, but not for a
    virtual one."""
    args = (*VIRTUAL, "-q", "--out", "out", FEW)
    expect(rung("run", *args, "--seed", "18446744073709551615"), 0)
    cut("out", 1)
    expect(rung("run", *args, "--resume"), 0)
    assert load("out/results.json")["seed"] == "18446744073709551615"


def test_resume_of_nothing():
    expect(rung("run", *VIRTUAL, "-q", "--out", "out", "--resume", FEW), 0,
           err="starts from the beginning")
    assert os.path.exists("out/results.json")


def test_resume_an_interrupted_run():
    """After Ctrl-C results.json exists and says that the run was
    interrupted."""
    args = (*VIRTUAL, "-q", "--out", "out", FEW)
    expect(rung("run", *args), 0)
    full = load("out/results.json")
    cut("out", 1)
    again("out", 130)
    expect(rung("run", *args, "--resume"), 0)
    doc = load("out/results.json")
    assert verdicts(doc) == verdicts(full) and not doc["interrupted"]
    assert not os.path.exists("out/earlier")
    assert not os.path.exists("out/unfinished")


def test_resume_runs_the_interrupted_case():
    """Ctrl-C ends the running case, which then has no result."""
    slow = write("zz.lad",  # the last one
                 "title Slow\ncovers RUD-SVC-2\nneeds rud send\n\n"
                 "chair target\n  use open\n  wait 2s\n  use close\n")
    args = ("--dut", "ref", "-q", "--out", "out", CASE, slow)
    run = subprocess.Popen([RUNG, "run", *args], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    while not os.path.exists(f"out/cases/{CASE}"):
        assert run.poll() is None
        time.sleep(0.005)
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=20) == 130
    was = reports("out")
    ids = {c["id"]: c["reason_id"] for c in load("out/results.json")["cases"]}
    assert ids.get("zz@target", "interrupted") == "interrupted", ids
    again("out", 130)
    assert reports("out") == was
    expect(rung("run", *args, "--resume"), 0)
    doc = load("out/results.json")
    assert doc["totals"]["pass"] == len(doc["cases"]) == 2, doc["totals"]


def test_a_move_is_finished():
    """A kill while rung moves an earlier run aside loses none of its files."""
    for ended in True, False:
        shutil.rmtree("out", ignore_errors=True)
        expect(rung("run", *VIRTUAL, "-q", "--out", "out", FEW), 0)
        name = "earlier" if ended else "unfinished"
        run = load("out/run.json")["run"]
        if not ended:
            cut("out", 2)
        files = {str(p.relative_to("out"))
                 for p in pathlib.Path("out").rglob("*")}
        os.mkdir(f"out/.rung-{name}.part")
        os.mkdir(f"out/{name}")
        for entry in ("run.json", "cases"):
            os.rename(f"out/{entry}", f"out/{name}/{entry}")
        expect(rung("run", *VIRTUAL, "-q", "--out", "out", FEW), 0)
        found = {str(p.relative_to(f"out/{name}"))
                 for p in pathlib.Path("out", name).rglob("*")}
        assert found == files, found ^ files
        assert load(f"out/{name}/run.json")["run"] == run
        again(f"out/{name}", 0 if ended else 130)
        assert not list(pathlib.Path("out").glob(".rung*"))


if __name__ == "__main__":
    main(globals())
