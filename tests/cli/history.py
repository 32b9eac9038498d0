#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rung history: results of many runs in a database.

"history.py RUNG --million" measures the questions on 1,000,000 results.
"""
import json
import os
import pathlib
import sqlite3
import sys
import time

from lib import expect, main, rung, write

ONE = "uet/rud/send-gtd@target"


def document(number, verdicts, bench="nic7", firmware="1.4", reason=""):
    """A results.json as another day's run would have written it."""
    cases = [{"id": k, "chair": "target", "title": "t", "verdict": v,
              "kind": None, "reason_id": reason, "reason": "",
              "requirements": [], "not_reached": [], "findings": [],
              "rungs": {"expected": 1, "matched": 1}, "wall_ns": 1000000,
              "virtual_ns": 1000, "capture": None}
             for k, v in verdicts.items()]
    return {"schema": "rung.results/2",
            "tool": {"name": "rung", "version": "0.1.0", "commit": "c"},
            "run": f"{number:032x}",
            "date": f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}"
                    f"T08:00:{number // 336 % 60:02}Z",
            "host": "h", "operator": None, "seed": 1,
            "bench": {"name": bench, "firmware": firmware, "driver": None,
                      "clock": None, "cabling": None, "path": None,
                      "tags": None},
            "dut": {"spec": "udp:", "control": None, "name": "nic",
                    "release": None, "version": "9", "claims": []},
            "interrupted": False, "cases": cases, "requirements": []}


def put(number, *args, **more):
    return write(f"r{number}.json", json.dumps(document(number, *args, **more)))


def history(*args, code=0, out="", err=""):
    return expect(rung("history", "lab.db", *args), code, out, err)


def rows(done):
    return [line.split() for line in done.stdout.splitlines()
            if line.startswith("  ")][1:]


def test_import():
    expect(rung("run", "--dut", "virtual", "-q", "--out", "out",
                "uet/rud/send*"), 0)
    n = len(json.loads(pathlib.Path("out/results.json").read_text())["cases"])
    history("out", err=f"{n} new results of 1 run")
    history("out", "out/results.json", err="0 new results of 0 runs")
    done = history("--case", ONE)
    assert [r[3] for r in rows(done)] == ["pass"], done.stdout
    assert len(rows(history())) == 1
    with sqlite3.connect("lab.db") as db:
        assert db.execute("SELECT count(*) FROM result").fetchone() == (n,)


def test_flakes():
    for i in range(6):
        history(put(i, {"a@target": "pass" if i % 3 else "fail",
                        "b@target": "pass", "c@target": "fail"}))
    # Another firmware and another bench are judged for themselves.
    history(put(6, {"b@target": "fail"}, firmware="1.5"),
            put(7, {"b@target": "fail"}, bench="nic8"))
    assert rows(history("--flakes")) == \
        [["a@target", "nic7", "1.4", "4", "2", "2026-01-04T08:00:00Z"]]
    assert not rows(history("--flakes", "--last", "2"))
    assert not rows(history("--flakes", "--bench", "nic8"))
    assert not rows(history("--flakes", "--bench", "unknown"))
    assert not rows(history("--flakes", "--case", "b@target"))


def test_bisection():
    first = ["1.2", "1.4", "1.9", "1.10", "2.0"]
    for i, (firmware, verdict) in enumerate(zip(first, [
            "pass", "pass", None, None, "fail"])):
        history(put(i, {"a@target": verdict} if verdict else {"b": "pass"},
                    firmware=firmware))
    done = history("--bisect", "--case", "a@target")
    assert [r[0] for r in rows(done)] == first, done.stdout
    assert "first bad firmware: 2.0; last good: 1.4" in done.stdout
    assert "untested between them: 1.9, 1.10; test 1.9 next" in done.stdout
    history(put(10, {"a@target": "fail"}, firmware="1.10"))
    done = history("--bisect", "--case", "a@target")
    assert "first bad firmware: 1.10; last good: 1.4" in done.stdout
    assert "test 1.9 next" in done.stdout
    history(put(11, {"a@target": "pass"}, firmware="1.9"))
    done = history("--bisect", "--case", "a@target")
    assert "first bad firmware: 1.10; last good: 1.9\n" in done.stdout
    assert "next" not in done.stdout
    done = history("--bisect")
    assert [[r[0], *r[3:]] for r in rows(done)] == \
        [["a@target", "1.10", "1.9"]], done.stdout
    history("--html", "page.html")
    page = pathlib.Path("page.html").read_text()
    assert "<td>1.10<td>1.9" in page, page
    history(put(12, {"a@target": "pass"}, firmware="2.1"))
    history("--bisect", "--case", "a@target", out="no firmware is bad")
    history("--bisect", out="failing since a firmware: none")
    # A case that never passed has no last good firmware.
    history(put(13, {"c@target": "fail"}, firmware="1.2"))
    assert [r[3] for r in rows(history("--bisect"))] == ["1.2"]


def test_what_vanished():
    history(put(1, {"a@target": "pass", "b@target": "fail"}),
            put(2, {"a@target": "pass", "b@target": "pass"}, bench="nic8"))
    history("--vanished", code=0)
    history(put(3, {"a@target": "pass"}))
    done = history("--vanished", code=1)
    assert [r[:2] for r in rows(done)] == [["b@target", "nic7"]], done.stdout
    history("--vanished", "--bench", "nic8", code=0)
    write("base.txt", "expect gone b*\n  because  it was split\n")
    history("--vanished", "--baseline", "base.txt", code=0)
    write("base.txt", "expect gone b*\n  because  x\n  until 2020-01-01\n")
    history("--vanished", "--baseline", "base.txt", code=1)
    # An entry for a vanished case says nothing of a result.
    write("base.txt", f"expect gone {ONE}\n  because  x\n")
    expect(rung("run", "--dut", "virtual", "-q", "--baseline", "base.txt",
                ONE), 0)
    # A case that comes back has not vanished.
    history(put(4, {"a@target": "pass", "b@target": "pass"}))
    history("--vanished", code=0)


def test_page():
    history(put(1, {"<b>@target": "pass"}, bench="<script>"),
            put(2, {"<b>@target": "fail"}, bench="<script>"))
    history("--html", "page.html")
    page = pathlib.Path("page.html").read_text()
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "&lt;b&gt;@target" in page


def test_bad_input():
    expect(rung("history"), 2, err="the database is missing")
    history("none", code=2, err="No such file")
    history(write("x.json", "{"), code=2)
    write("text.db", "no database at all, only a text of some length\n" * 50)
    expect(rung("history", "text.db"), 2, err="file is not a database")
    expect(rung("history", "none.db", "--flakes"), 2,
           err="none.db: No such file or directory; 'rung history DB DIR'")
    assert not pathlib.Path("none.db").exists()
    with sqlite3.connect("other.db") as db:
        db.execute("CREATE TABLE t(x)")
    expect(rung("history", "other.db"), 2, err="it is no history of rung")
    old = document(1, {"a@target": "pass"})
    del old["run"]
    history(write("old.json", json.dumps(old)), code=2, err="has no id")
    # All results of a run are stored or none.
    bad = document(2, {"a@target": "pass", "b@target": "pass"})
    bad["cases"][1]["verdict"] = "perhaps"
    history(write("bad.json", json.dumps(bad)), code=2)
    assert not rows(history())


def timed(what, *args, limit, **more):
    begin = time.monotonic()
    history(*args, **more)
    took = time.monotonic() - begin
    print(f"{what}: {took:.2f} s, limit {limit} s")


def test_import_of_ten_thousand():
    """Times are printed, and measured by hand only."""
    put(1, {f"x/{i:05}@target": "pass" for i in range(10000)})
    timed("import of 10,000", "r1.json", limit=5, err="10000 new results")


def test_a_million():
    if "--million" not in sys.argv:
        return
    history(write("x.json", "{"), code=2) # makes the tables
    with sqlite3.connect("lab.db") as db:
        db.executemany("INSERT INTO kase VALUES(?, ?)",
                       ((i, f"x/{i}@target") for i in range(1000)))
        db.executemany(
            "INSERT INTO run VALUES(?, ?, ?, 'c', 'nic', ?, ?, '1', '')",
            ((i, f"{i:032x}", f"2026-01-01T{i // 60:02}:{i % 60:02}:00Z",
              f"nic{i % 4}", f"1.{i // 100}") for i in range(1000)))
        db.executemany(
            "INSERT INTO result(kase, run, repeat, verdict, reason, wall_ns)"
            " VALUES(?, ?, 0, ?, '', 1)",
            ((k, r, int((k * 7919 + r * 104729) % 997 == 0))
             for r in range(1000) for k in range(1000)))
    for what, args in [("flakes", ["--flakes"]),
                       ("flakes, all runs", ["--flakes", "--last", "1000"]),
                       ("case", ["--case", "x/7@target"]),
                       ("bisect", ["--bisect", "--case", "x/7@target"]),
                       ("bisect all", ["--bisect"]),
                       ("runs", ["--runs"]), ("vanished", ["--vanished"]),
                       ("page", ["--html", "page.html"])]:
        timed(what, *args, limit=1)
    print(os.path.getsize("lab.db") >> 20, "MiB")


main(globals())
