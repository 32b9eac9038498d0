#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests the functions for a lab: baseline, comparison of runs, repetition,
replay, checklist."""
import csv
import json
import os
import pathlib
import pty
import re
import subprocess

from lib import CASE, RUNG, expect, main, results, rung, write

ROOT = pathlib.Path(__file__).resolve().parents[2]

VIRTUAL = ("--dut", "virtual")
MUTANT = "cack-over-uncleared"
BUG = (*VIRTUAL, "--mutant", MUTANT)
GROUP = "uet/rud/send-gtd*@target"


def has_mutants():
    return (pathlib.Path(RUNG).parent / "../mutants" / f"{MUTANT}.so").exists()


# ---- Baseline ----

def test_baseline():
    base = write("b", f"expect fail {GROUP}\n  because it is known\n")
    done = expect(rung("run", *VIRTUAL, "--baseline", base, CASE), 1,
                  "unexpected pass: it is known")
    assert "baseline: 0 known, 1 unexpected pass; 1 to answer for" \
        in done.stdout
    if not has_mutants():
        return
    done = expect(rung("run", *BUG, "--baseline", base, GROUP), 0,
                  "known: it is known")
    assert "actual" not in done.stdout, "a known failure draws no ladder"
    expect(rung("run", *BUG, "--baseline", base, "uet/rud/ack/at-once@target",
                CASE), 1)
    base = write("flaky", f"expect flaky {CASE}\n  because it depends\n")
    expect(rung("run", *BUG, "--baseline", base, CASE), 0)
    expect(rung("run", *VIRTUAL, "--baseline", base, CASE), 0)


WRONG = """title   A wrong expectation
ref     rung
covers  RUD-SVC-2
needs   rud send
chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=99 | response message_id=7  [RUD-SVC-3]
  use close
"""


def test_another_fault_does_not_hide():
    """A baseline that names rows excuses no finding under another row."""
    case = write("wrong.lad", WRONG)
    doc = results(*VIRTUAL, case, code=1)
    found = doc["cases"][0]["findings"][0]
    row = f"{found['requirement']}/{found['role']}"
    text = "expect fail wrong\n  because  bug 7\n  under    "
    base = write("rows.baseline", text + row + "\n")
    done = expect(rung("run", *VIRTUAL, "--baseline", base, "--out", "o",
                       case), 0, "known: bug 7")
    expect(rung("report", "o"), 0, "known: bug 7")
    base = write("rows.baseline", text + "RUD-SVC-5/src\n")
    done = expect(rung("run", *VIRTUAL, "--baseline", base, "--json", "j",
                       case), 1)
    assert "not the expected failure: bug 7 (under RUD-SVC-5/src)" in \
        " ".join(done.stdout.split()), done.stdout
    doc = json.loads(pathlib.Path("j").read_text())
    assert doc["cases"][0]["baseline"]["state"] == "other"


def test_baseline_expires():
    base = write("b", f"expect fail {CASE}\n  because x\n  until 2001-02-03\n")
    done = expect(rung("run", *VIRTUAL, "--baseline", base, CASE), 1)
    assert "expired: line 1 of b" in done.stdout, done.stdout
    base = write("other", "expect fail no/such/case\n  because x\n"
                 "  until 2001-02-03\n")
    expect(rung("run", *VIRTUAL, "--baseline", base, CASE), 1)


def test_baseline_is_read_with_care():
    for text, place, why in (
            ("expect fail x\n", "b:1:1", "no 'because'"),
            ("because x\n", "b:1:1", "begins with 'expect'"),
            ("expect pass x\n", "b:1:8", "wants fail, flaky"),
            ("expect fail\n", "b:1:12", "one case or glob"),
            ("expect fail a b\n", "b:1:13", "one case or glob"),
            ("expect fail x\n  until tomorrow\n", "b:2:9", "a date"),
            ("expect fail x\n  until 2027-13-01\n", "b:2:9", "a date"),
            ("expect fail x\n  because y\n  because z\n", "b:3:3", "twice"),
            ("expect fail x\n  becuase y\n", "b:2:3", "because, link")):
        base = write("b", text)
        done = expect(rung("run", *VIRTUAL, "--baseline", base, CASE), 2)
        assert place in done.stderr and why in done.stderr, (text, done.stderr)
    expect(rung("run", *VIRTUAL, "--baseline", "none", CASE), 2,
           err="none: No such file")


# ---- Compare ----

def edit(path, change):
    doc = json.loads(pathlib.Path(path).read_text())
    change(doc)
    return write(path, json.dumps(doc))


def test_compare():
    expect(rung("run", *VIRTUAL, "--out", "a", GROUP), 0)
    expect(rung("run", *VIRTUAL, "--out", "b", GROUP), 0)
    expect(rung("compare", "a", "b"), 0, "0 broken")

    def worse(doc):
        doc["cases"][0].update(verdict="fail", kind="protocol", reason="odd")
        doc["cases"][1]["virtual_ns"] += 10 ** 9
        doc["cases"][2]["virtual_ns"] += 1000

    edit("b/results.json", worse)
    done = expect(rung("compare", "a", "b/results.json"), 1, "1 broken")
    assert "New failures (1)" in done.stdout and "odd" in done.stdout
    assert "1 slower" in done.stdout and "Slower (1)" in done.stdout
    expect(rung("compare", "b", "a"), 0, "Fixed (1)")
    less = json.loads(pathlib.Path("a/results.json").read_text())
    gone = less["cases"].pop()["id"]
    write("less.json", json.dumps(less))
    expect(rung("compare", "a", "less.json"), 1, gone, f"{gone}: gone")
    expect(rung("compare", "less.json", "a"), 0, gone)
    write("base.txt", f"expect gone {gone}\n  because  it was split\n")
    expect(rung("compare", "--baseline", "base.txt", "a", "less.json"), 0, gone)
    expect(rung("compare", "--baseline", "none", "a", "less.json"), 2, err="none: No such")
    expect(rung("compare", "--html", "c.html", "a", "b"), 1)
    page = pathlib.Path("c.html").read_text()
    assert "New failures" in page and page.rstrip().endswith("</html>")
    expect(rung("compare", "--json", "/dev/full", "a", "b"), 5,
           err="/dev/full: No space left")


def test_compare_knows_noise():
    """A change is reported only if the repetitions agree."""
    expect(rung("run", *VIRTUAL, "--repeat", "5", "--out", "a", CASE), 0)
    expect(rung("run", *VIRTUAL, "--repeat", "5", "--out", "b", CASE), 0)

    def times(*ms):
        def change(doc):
            for case, t in zip(doc["cases"], ms):
                case["virtual_ns"] = t * 10 ** 6
        return change

    edit("a/results.json", times(100, 101, 100, 99, 100))
    edit("b/results.json", times(140, 141, 140, 139, 140))
    expect(rung("compare", "a", "b"), 0, "1 slower")
    edit("b/results.json", times(70, 200, 140, 100, 180))
    expect(rung("compare", "a", "b"), 0, "0 slower")


def test_compare_is_read_with_care():
    expect(rung("run", *VIRTUAL, "--out", "a", CASE), 0)
    text = pathlib.Path("a/results.json").read_text()
    for bad, why in (("", "no JSON"), (text[:200], "x.json:"),
                     ("[1]", "this is no rung.results/2"),
                     ('{"schema": "rung.kills/1"}', "rung.kills/1"),
                     (text.replace('"pass","kind"', '"good","kind"'),
                      "cases[0]: there is no verdict 'good'"),
                     (text.replace('"cases"', '"kases"', 1),
                      "'cases' is missing")):
        path = write("x.json", bad)
        done = expect(rung("compare", "a", path), 2)
        assert why in done.stderr and "x.json" in done.stderr, done.stderr
    expect(rung("compare", "a", "nowhere"), 2, err="nowhere: No such file")
    expect(rung("compare", "a"), 2, err="two runs")
    write("bad.list", "nonsense\n")
    done = expect(rung("compare", "a", "a", "--baseline", "bad.list"), 2,
                  err="bad.list:1:1: the list begins with 'expect'")
    assert not done.stdout, done.stdout
    os.mkdir("empty")
    expect(rung("compare", "a", "empty"), 2,
           err="empty/results.json: No such file")


# ---- Repeat ----

def test_until_fail():
    doc = results(*VIRTUAL, "--until-fail", "--repeat", "4", CASE,
                  "uet/rud/ack-lost@target")
    assert len(doc["cases"]) == 8 and doc["totals"]["pass"] == 8
    if has_mutants():
        doc = results(*BUG, "--until-fail", "uet/rud/ack-lost@target", CASE,
                      code=1)
        assert [c["verdict"] for c in doc["cases"]] == ["pass", "fail"]


def test_failed_first():
    expect(rung("run", *VIRTUAL, "--out", "out", GROUP), 0)

    def one_failed(doc):
        doc["cases"][-1]["verdict"] = "fail"

    edit("out/results.json", one_failed)
    doc = json.loads(pathlib.Path("out/results.json").read_text())
    failed = doc["cases"][-1]["id"]
    done = expect(rung("run", *VIRTUAL, "--failed-first", "--out", "out",
                       GROUP), 0, err="1 that failed before")
    lines = [x.split()[1] for x in done.stdout.split("\n")
             if x.startswith("pass ")]
    assert lines[0] == failed and sorted(lines)[0] == lines[2], lines
    doc = json.loads(pathlib.Path("out/results.json").read_text())
    ids = [c["id"] for c in doc["cases"]]
    assert ids.index(failed) > 0, "the report keeps the order of the ids"
    expect(rung("run", *VIRTUAL, "--failed-first", CASE), 2, err="--out")
    expect(rung("run", *VIRTUAL, "--failed-first=none", CASE), 2,
           err="none: No such file")
    expect(rung("run", *VIRTUAL, "--failed-first", "--out", "new", CASE), 0)


def test_flake_score():
    doc = results(*VIRTUAL, "--repeat", "3", CASE)
    assert doc["flaky"] == []


# ---- Replay ----

def capture(folder):
    return (pathlib.Path(folder) / "capture.pcapng").read_bytes()


def test_replay():
    """Replays the same packets from the folder alone, fragments included."""
    write("tree/common/start.lad", "chair target\n  use open\n  base fwd=77\n")
    path = write("tree/mine.lad", """title Mine
covers RUD-SVC-2
needs rud send

chair target
  use start
  >  rud_req psn=77 clear_psn=76 ar | std send message_id=1 som eom | data 64
  <  ack ack_psn=77 cack_psn=77 | response message_id=1  [RUD-SVC-3]
  use close
""")
    expect(rung("run", *VIRTUAL, "--seed", "9", "--repeat", "2", "--out",
                "out", path), 0)
    os.rename("tree", "gone")
    done = expect(rung("replay", "out/cases/mine@target.2", "--out", "again"),
                  0, err="mine@target was pass")
    assert "seed 9" in done.stdout
    assert capture("again/cases/mine@target.2") == \
        capture("out/cases/mine@target.2")
    assert capture("out/cases/mine@target") != \
        capture("out/cases/mine@target.2")


def test_a_section_is_a_case():
    """Selects by id, glob and file; the folder of a case replays that case
    alone."""
    path = str(ROOT / "cases/uet/rud/send-nongtd.lad")
    plain, drop = "uet/rud/send-nongtd@target", "uet/rud/send-nongtd-drop@target"

    def ids(*selectors):
        listed = json.loads(rung("list", "--json", *selectors).stdout)
        return [c["id"] for c in listed["cases"]]

    assert ids(drop) == ids(f"{path}:drop@target") == [drop]
    assert ids(plain) == ids(f"{path}:plain@target") == [plain]
    assert ids("uet/rud/send-nongtd-d*@target") == \
        ids(f"{path}@target")[1:4]
    assert len(ids(path)) == 10
    expect(rung("list", f"{path}:lost"), 4, err="no case matches")
    shown = rung("show", drop).stdout
    assert "\nimpaired drop\n" in shown and "impaired delay" not in shown
    assert "impaired" not in rung("show", plain).stdout
    expect(rung("run", *VIRTUAL, "--out", "out", drop, plain), 0)
    for case in drop, plain:
        done = expect(rung("replay", f"out/cases/{case}", "--out", "again"),
                      0, err=f"{case} was pass")
        assert "1 case: 1 pass" in done.stdout
        assert capture(f"again/cases/{case}") == capture(f"out/cases/{case}")


def test_replay_a_failure():
    if not has_mutants():
        return
    expect(rung("run", *BUG, "--out", "out", CASE), 1)
    done = expect(rung("replay", f"out/cases/{CASE}"), 1, "RUD-SEQ-76/dst",
                  "was fail")
    assert "cack_psn=332" in done.stdout
    expect(rung("replay", f"out/cases/{CASE}", "--dut", "virtual",
                "--until-fail"), 1)


def test_replay_is_read_with_care():
    expect(rung("run", *VIRTUAL, "--out", "out", CASE), 0)
    bundle = pathlib.Path(f"out/cases/{CASE}")
    text = (bundle / "replay.json").read_text()
    for bad, why in (("{", "no JSON"), ("{}", "this is no rung.replay/1"),
                     (text.replace('"id"', '"name"'), "'id' is missing"),
                     (text.replace('"seed": 1', '"seed": "x"'),
                      "'seed' is no number"),
                     (text.replace('"repeat": 0', '"repeat": -1'),
                      "'repeat' is out of range")):
        (bundle / "replay.json").write_text(bad)
        done = expect(rung("replay", bundle), 2, err="replay.json")
        assert why in done.stderr, (why, done.stderr)
    (bundle / "replay.json").write_text(text)
    (bundle / "case.lad").unlink()
    expect(rung("replay", bundle), 2, err="case.lad: No such file")
    for command in ("replay", "why"): # the folder of a run
        expect(rung(command, "out"), 2, err="out/replay.json: No such file or "
               "directory; name the folder of one result, such as OUT/cases/")
    expect(rung("replay"), 2, err="a folder is missing")


# ---- Checklist ----

LIST = '''id,"What, in words",requirements
PDS-1,One,RUD-SVC-2/dst
PDS-2,"Two ""quoted""",RUD-SVC-2 RUD-SVC-5/src
SES-26,Three,
CMS-1,Four,RUD-MSG-1
'''


def test_map():
    done = rung("list", "--reqs", "--json")
    known = {r["id"] for r in json.loads(done.stdout)["requirements"]}
    other = sorted(r for r in known if not r.startswith("RUD"))[0]
    path = write("list.csv", LIST.replace("RUD-MSG-1", other))
    expect(rung("run", *VIRTUAL, "--map", path, "--out", "out", CASE), 0)
    rows = list(csv.DictReader(open("out/checklist.csv")))
    assert [r["id"] for r in rows] == ["PDS-1", "PDS-2", "SES-26", "CMS-1"]
    assert [r["verdict"] for r in rows][:3] == ["pass", "partial",
                                                 "unmapped"], rows
    assert rows[1]["What, in words"] == 'Two "quoted"'
    assert rows[0]["observed"] == "RUD-SVC-2/dst=pass"
    assert rows[0]["evidence"] == f"out/cases/{CASE}/capture.pcapng"
    assert pathlib.Path(rows[0]["evidence"]).exists()
    path = write("cases.csv", "id,cases\n1,uet/rud/send-gtd\n"
                 f"2,{CASE} uet/none*\n3,uet/none\n4,\n")
    expect(rung("run", *VIRTUAL, "--map", path, "--map-out", "c.csv", CASE), 0)
    rows = list(csv.DictReader(open("c.csv")))
    assert [r["verdict"] for r in rows] == ["pass", "partial", "untested",
                                            "unmapped"], rows
    assert rows[0]["observed"] == f"{CASE}=pass"
    assert rows[0]["evidence"] == CASE
    if not has_mutants():
        return
    path = write("fail.csv", "requirements\nRUD-SEQ-76\n")
    expect(rung("run", *BUG, "--map", path, "--map-out", "filled.csv", "--out",
                "bad", CASE), 1)
    row = next(csv.DictReader(open("filled.csv")))
    assert row["verdict"] == "fail", row
    assert pathlib.Path(row["evidence"].split()[0]).exists(), row


def test_map_is_read_with_care():
    for text, place in (
            ("", "m.csv:1:1: the list is empty"),
            ("a,b\n", "m.csv:1:1: no column is called 'requirements'"),
            ("requirements\nRUD-NONE-1\n", "m.csv:2:1: no requirement"),
            ("requirements,x\nRUD-SVC-2\n", "m.csv:2:1: 1 fields"),
            ('requirements\nRUD-SVC-2\0x\n', "m.csv:2:1: a NUL"),
            ('requirements\rx\n', "m.csv:1:1: a line ends"),
            ('requirements\n"RUD-SVC-2\n', "m.csv:2:1: a quote"),
            ('requirements\n"RUD-SVC-2"x\n', "m.csv:2:1: a comma")):
        path = write("m.csv", text)
        done = expect(rung("run", *VIRTUAL, "--map", path, "--map-out", "o",
                           CASE), 2)
        assert place in done.stderr, (text, done.stderr)
    expect(rung("run", *VIRTUAL, "--map", "none", "--map-out", "o", CASE), 2,
           err="none: No such file")
    expect(rung("run", *VIRTUAL, "--map", "x", CASE), 2, err="--map needs")


# ---- The terminal ----

def test_progress():
    """The terminal shows counts and the running case, and clears them at the
    end."""
    master, slave = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "NO_COLOR": "", "LC_ALL": "C.UTF-8"}
    many = ["--dut", "virtual", "-j", "4", "--repeat", "9", "uet/rud/send-*"]
    quiet = subprocess.run([RUNG, "run", "--quiet", *many], stderr=slave,
                           stdout=subprocess.PIPE, env=env, check=False)
    assert quiet.returncode == 0 and b"pass" in quiet.stdout
    child = subprocess.Popen([RUNG, "run", *many], stdout=subprocess.DEVNULL,
                             stderr=slave, env=env)
    os.close(slave)
    text = b""
    try:
        while chunk := os.read(master, 65536):
            text += chunk
    except OSError:
        pass
    os.close(master)
    assert child.wait() == 0
    text = text.decode()
    assert re.search(r"\[[█░]{20}\] +\d+% \[\d+/\d+\]", text), text
    assert "uet/rud/send-" in text
    assert text.endswith("\r\033[K"), text[-60:]


if __name__ == "__main__":
    main(globals())
