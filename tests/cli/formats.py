#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests every format against its schema, for runs that pass, fail, are
inconclusive, interrupted, repeated, have known failures, or are empty."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
import xml.etree.ElementTree as ET

from lib import CASE, RUNG, expect, main, rung, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
VIRTUAL = ("--dut", "virtual")
MUTANT = "cack-over-uncleared"
KNOWN = f"""expect fail {CASE}
  because  it is *known* | and <odd>
  owner    ann
  until    2999-12-31
  link     https://bugs.example.com/1
"""

# ---- JSON Schema, the words that ours use; another word is an error ----

TYPES = {"object": dict, "array": list, "string": str, "integer": int,
         "number": (int, float), "boolean": bool, "null": type(None)}
SILENT = {"$schema", "$comment", "title", "description", "definitions",
          "format"}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def validate(schema, value, root=None, at="root"):
    root = root or schema
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/definitions/")
        validate(root["definitions"][name], value, root, at)
        return
    for word, rule in schema.items():
        if word in SILENT:
            continue
        if word == "type":
            names = rule if isinstance(rule, list) else [rule]
            assert any(is_type(value, n) for n in names), (at, value)
        elif word == "const":
            assert value == rule, (at, value)
        elif word == "enum":
            assert value in rule, (at, value)
        elif word == "minimum":
            assert not isinstance(value, (int, float)) or value >= rule, \
                (at, value)
        elif word == "maximum":
            assert value <= rule, (at, value)
        elif word == "maxLength":
            assert len(value) <= rule, (at, len(value))
        elif word == "anyOf":
            assert any(not refuses(one, value, root) for one in rule), \
                (at, value)
        elif word == "minLength":
            assert value is None or len(value) >= rule, (at, value)
        elif word == "minItems":
            assert len(value) >= rule, (at, value)
        elif word == "maxItems":
            assert len(value) <= rule, (at, value)
        elif word == "pattern":
            assert not isinstance(value, str) or re.search(rule, value), \
                (at, value)
        elif word == "required":
            assert value is None or not set(rule) - set(value), \
                (at, set(rule) - set(value))
        elif word == "additionalProperties" and isinstance(rule, dict):
            for name, one in value.items():
                validate(rule, one, root, f"{at}.{name}")
        elif word == "additionalProperties":
            assert value is None or not set(value) - set(schema["properties"]), \
                (at, set(value) - set(schema["properties"]))
        elif word == "properties":
            for name, one in rule.items():
                if value is not None and name in value:
                    validate(one, value[name], root, f"{at}.{name}")
        elif word == "items":
            for i, one in enumerate(value):
                validate(rule, one, root, f"{at}[{i}]")
        else:
            raise AssertionError(f"{at}: the word {word} is not known here")


def schema_of(name):
    return json.loads((ROOT / "docs" / f"{name}.schema.json").read_text())


def refuses(schema, value, root=None):
    try:
        validate(schema, value, root)
    except AssertionError:
        return True
    return False


# ---- The formats ----

def check_json(path):
    doc = json.loads(pathlib.Path(path).read_text())
    validate(schema_of("results"), doc)
    totals = {v: sum(c["verdict"] == v for c in doc["cases"])
              for v in doc["totals"]}
    assert totals == doc["totals"], (totals, doc["totals"])
    return doc


def check_stream(path, doc):
    lines = [json.loads(x) for x in pathlib.Path(path).read_text().split("\n")
             if x]
    schema = schema_of("stream")
    for line in lines:
        validate(schema, line)
    assert lines[0]["type"] == "begin" and lines[-1]["type"] == "end"
    cases = [x for x in lines if x["type"] == "case"]
    assert [c["number"] for c in cases] == list(range(1, len(cases) + 1))
    for c in cases:
        c.pop("type")
        c.pop("number")
    assert cases == doc["cases"]
    assert lines[-1]["totals"] == doc["totals"]
    assert lines[-1]["interrupted"] == doc["interrupted"]


def check_junit(path, doc):
    if shutil.which("xmllint"):
        done = subprocess.run(["xmllint", "--noout", "--schema",
                               str(ROOT / "tests/formats/junit.xsd"),
                               str(path)], capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, done.stderr
    root = ET.parse(path).getroot()
    cases = root.findall("./testsuite/testcase")
    assert len(cases) == len(doc["cases"]) == int(root.get("tests"))
    for tag in ("failure", "error"):
        count = len(root.findall(f"./testsuite/testcase/{tag}"))
        assert count == int(root.get(tag + "s")), (tag, count)
    for case in cases:
        out = case.findtext("system-out")
        for word in ("clause", "requirements", "seed"):
            assert f"[[PROPERTY|{word}=" in out, out
        for name in re.findall(r"\[\[ATTACHMENT\|(.*?)\]\]", out):
            assert pathlib.Path(name).exists(), name


def check_tap(text, doc):
    """TAP 14: version, points numbered from 1, YAML blocks, a plan or a bail."""
    lines = text.rstrip("\n").split("\n")
    assert lines[0] == "TAP version 14", lines[0]
    points, block = [], False
    for line in lines[1:]:
        if line == "  ---":
            assert not block and points
            block = True
        elif line == "  ...":
            assert block
            block = False
        elif block:
            assert re.match(r"  +[a-z- ]+:( .*)?$", line), line
        elif match := re.match(r"(not )?ok (\d+) - ([^#]*?)"
                               r"(?: # (SKIP|TODO) .*)?$", line):
            points.append(match.groups())
        else:
            assert re.match(r"# |1\.\.\d+|Bail out! ", line), line
    assert not block
    assert [int(p[1]) for p in points] == list(range(1, len(points) + 1))
    assert len(points) == len(doc["cases"])
    if doc["interrupted"]:
        assert lines[-1].startswith("Bail out! Interrupted after"), lines[-1]
    else:
        assert lines[-1].split(" #")[0] == f"1..{len(points)}", lines[-1]
    for point, case in zip(points, doc["cases"]):
        state = case.get("baseline", {}).get("state")
        good = case["verdict"] in ("pass", "na") and state != "fixed"
        assert (point[0] is None) == good, (point, case["verdict"])
        assert (point[3] == "SKIP") == (case["verdict"] == "na"), point
        assert (point[3] == "TODO") == (not good and state == "known"), point


def check_markdown(path, doc):
    """Tables have the same number of cells in every row."""
    text = pathlib.Path(path).read_text()
    assert text.startswith("# rung: ") and str(len(doc["cases"])) in text
    width = None
    for line in text.split("\n"):
        if not line.startswith("|"):
            width = None
            continue
        cells = len(re.findall(r"(?<!\\)\|", line))
        assert width in (None, cells), line
        width = cells
    assert "<odd>" not in text.replace("\\<odd\\>", "")
    for case in doc["cases"]:
        if case["verdict"] == "fail" and "baseline" not in case:
            assert f"`{case['id']}`" in text, case["id"]


# ---- The formats of other test systems ----

def foreign_schema(name):
    return json.loads((ROOT / "tests/formats" / name).read_text())


def good(case):
    """Whether a result does not stop a pipeline."""
    state = case.get("baseline", {}).get("state")
    return (case["verdict"] in ("pass", "na") or state == "known") and \
        state != "fixed"


def check_ktap(path, doc):
    """Version and plan at each level, points numbered from 1, subtests before
    their test, which fails if one of them does."""
    lines = pathlib.Path(path).read_text().rstrip("\n").split("\n")
    assert lines[0] == "KTAP version 1", lines[0]
    if doc["interrupted"]:
        assert lines.pop().startswith("Bail out! "), lines[-1]
    tests, points, plan, inner = 0, {}, None, None
    total = int(re.fullmatch(r"1\.\.(\d+)", lines[1])[1])
    point = r"(not )?ok (\d+) ([^#]*?)(?: # (.*))?"
    for line in lines[2:]:
        if match := re.fullmatch("  " + point, line):
            inner.append(match.groups())
            assert int(match[2]) == len(inner) <= plan, line
        elif match := re.fullmatch(r"  1\.\.(\d+)", line):
            plan = int(match[1])
        elif match := re.fullmatch(point, line):
            tests += 1
            assert int(match[2]) == tests and len(inner) == plan, line
            assert (match[1] is None) == all(p[0] is None for p in inner), line
            for p in inner:
                points[f"{match[3]}/{p[2]}"] = p
        elif line == "  KTAP version 1":
            inner = []
        else:
            assert re.match(r" *# ", line), line
    assert tests == total and len(points) == len(doc["cases"])
    for case in doc["cases"]:
        name = case["id"] if "/" in case["id"] else f"rung/{case['id']}"
        if case.get("repeat"):
            name += f" ({case['repeat'] + 1})"
        bad, _, _, why = points[name]
        assert (bad is None) == good(case), (case["id"], bad)
        for verdict, word in (("na", "SKIP "), ("error", "ERROR "),
                              ("inconclusive", "ERROR ")):
            if case["verdict"] == verdict:
                assert why.startswith(word), why


def check_ctrf(path, doc):
    got = json.loads(pathlib.Path(path).read_text())
    validate(foreign_schema("ctrf-schema-0.0.json"), got)
    tests, summary = got["results"]["tests"], got["results"]["summary"]
    assert [t["name"] for t in tests] == [c["id"] for c in doc["cases"]]
    for status in ("passed", "failed", "skipped", "pending", "other"):
        assert summary[status] == sum(t["status"] == status for t in tests)
    assert summary["tests"] == len(tests)
    for test, case in zip(tests, doc["cases"]):
        assert test["rawStatus"] == case["verdict"]
        assert (test["status"] in ("passed", "skipped")) == good(case), test
        assert len(test["extra"]["findings"]) == len(case["findings"])
        for file in test.get("attachments", []):
            assert pathlib.Path(file["path"]).exists(), file


def check_otlp(path, doc):
    got = json.loads(pathlib.Path(path).read_text())
    validate(foreign_schema("otlp.schema.json"), got)
    root, *spans = got["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert "parentSpanId" not in root and root["traceId"] == doc["run"]
    assert [s["name"] for s in spans] == [c["id"] for c in doc["cases"]]
    assert len({s["spanId"] for s in [root, *spans]}) == len(spans) + 1
    for span, case in zip(spans, doc["cases"]):
        assert span["traceId"] == doc["run"]
        assert span["parentSpanId"] == root["spanId"]
        start, end = (int(span[f"{x}TimeUnixNano"]) for x in ("start", "end"))
        assert int(root["startTimeUnixNano"]) <= start, span
        assert end <= int(root["endTimeUnixNano"]), span
        assert end - start == case["wall_ns"], span
        assert len(span["events"]) == len(case["findings"])
        assert (span["status"]["code"] != 2) == good(case), span


def check_kcidb(path, doc):
    got = json.loads(pathlib.Path(path).read_text())
    validate(foreign_schema("kcidb.schema.json"), got)
    status = {"pass": "PASS", "fail": "FAIL", "na": "SKIP", "error": "ERROR",
              "inconclusive": "ERROR"}
    builds = {b["id"] for b in got["builds"]}
    assert {b["checkout_id"] for b in got["builds"]} == \
        {c["id"] for c in got["checkouts"]}
    assert len({t["id"] for t in got["tests"]}) == len(doc["cases"])
    for test, case in zip(got["tests"], doc["cases"]):
        assert test["status"] == status[case["verdict"]]
        assert test["build_id"] in builds
        assert test["path"] == "rung." + re.sub(
            "[^-.a-zA-Z0-9]", "_", re.sub("[/@]", ".", case["id"]))
        assert test["waived"] == (case.get("baseline", {}).get("state")
                                  == "known")


def check_exports(folder, doc):
    """The report command makes the other formats of the same records."""
    with tempfile.TemporaryDirectory() as out:
        rung("report", folder, "--quiet", "--ktap", f"{out}/ktap", "--ctrf",
             f"{out}/ctrf", "--otlp", f"{out}/otlp", "--kcidb", f"{out}/kcidb")
        check_ktap(f"{out}/ktap", doc)
        check_ctrf(f"{out}/ctrf", doc)
        check_otlp(f"{out}/otlp", doc)
        check_kcidb(f"{out}/kcidb", doc)


def check(folder, tap=None):
    doc = check_json(f"{folder}/results.json")
    check_stream(f"{folder}/stream.jsonl", doc)
    check_junit(f"{folder}/junit.xml", doc)
    check_markdown(f"{folder}/summary.md", doc)
    html = pathlib.Path(f"{folder}/report.html").read_text()
    assert html.count("<details class=\"c ") == len({c["id"] for c in
                                                     doc["cases"]})
    if tap is not None:
        check_tap(tap, doc)
    schema = schema_of("replay")
    for path in pathlib.Path(folder).rglob("replay.json"):
        validate(schema, json.loads(path.read_text()))
    check_records(folder, doc)
    check_exports(folder, doc)
    return doc


def check_records(folder, doc):
    """The files from which rung report writes the reports again."""
    validate(schema_of("run"),
             json.loads(pathlib.Path(folder, "run.json").read_text()))
    schema = schema_of("record")
    paths = list(pathlib.Path(folder).glob("cases/**/record.jsonl"))
    assert len(paths) == len(doc["cases"])
    for path in paths:
        head, *lines = map(json.loads, path.read_text().splitlines())
        assert len(lines) == sum(head[x] for x in ("findings", "requirements",
                                                   "entries")), path
        for line in [head, *lines]:
            validate(schema, line)


def run(folder, *args, code):
    pathlib.Path(folder).mkdir()
    done = expect(rung("run", *VIRTUAL, "--out", folder, "--tap", "--jsonl",
                       f"{folder}/stream.jsonl", *args), code)
    return check(folder, done.stdout)


def has_mutants():
    return (pathlib.Path(RUNG).parent / "../mutants" / f"{MUTANT}.so").exists()


def test_pass():
    doc = run("pass", "uet/rud/send-*", "uet/encap/ipv6-*", code=0)
    assert doc["totals"]["pass"] == len(doc["cases"]) > 4


def test_fail():
    if has_mutants():
        doc = run("fail", "--mutant", MUTANT, "uet/rud/send-*", code=1)
        assert doc["totals"]["fail"] > 2


def test_not_applicable():
    decl = write("dut.decl", "name no|thing\n")
    doc = run("na", "--decl", decl, CASE, code=4)
    assert doc["totals"]["na"] == 1


def test_the_head_names_what_a_profile_lacks():
    decl = write("profile.decl", "name x\nprofile ai_full\n"
                 "claims rud rod uud send write read control\n")
    out = pathlib.Path(decl).parent / "profile"
    done = expect(rung("run", *VIRTUAL, "--decl", decl, "--out", out,
                       "uet/rud/ack-lost@target"), 0,
                  "profile ai_full: not claimed: send.tagged send.deferrable atomic")
    assert done.stdout.index("profile") < done.stdout.index("pass"), done
    doc = json.loads((out / "results.json").read_text())
    validate(schema_of("results"), doc)
    assert doc["dut"]["profile"] == {
        "name": "ai_full", "not_claimed": "send.tagged send.deferrable atomic"}, doc["dut"]
    assert "Not claimed of the profile<dd>send.tagged send.deferrable atomic" in \
        (out / "report.html").read_text()


def test_empty():
    doc = run("empty", "uet/nosuch/*", code=4)
    assert not doc["cases"] and not any(doc["totals"].values())


def test_inconclusive():
    """A device that never answers."""
    pathlib.Path("mute").mkdir()
    done = expect(rung("run", "--dut", "exec:cat >/dev/null", "--timeout",
                       "2s", "--out", "mute", "--tap", "--jsonl",
                       "mute/stream.jsonl", CASE), None)
    doc = check("mute", done.stdout)
    assert done.returncode in (3, 5), done
    assert doc["totals"]["pass"] + doc["totals"]["fail"] == 0, doc["totals"]


def test_repeated():
    doc = run("again", "--repeat", "3", CASE, code=0)
    assert [c.get("repeat", 0) for c in doc["cases"]] == [0, 1, 2]
    assert doc["flaky"] == []


def test_known():
    base = write("known.baseline", KNOWN)
    doc = run("fixed", "--baseline", base, CASE, code=1)
    assert doc["cases"][0]["baseline"]["state"] == "fixed"
    if has_mutants():
        doc = run("known", "--baseline", base, "--mutant", MUTANT, CASE,
                  code=0)
        assert doc["cases"][0]["baseline"]["state"] == "known"


def test_interrupted():
    pathlib.Path("cut").mkdir()
    with open("cut/tap", "w") as tap:
        child = subprocess.Popen(
            [RUNG, "run", "--dut", "ref", "--repeat", "10000", "--out", "cut",
             "--jsonl", "cut/stream.jsonl", "--tap", CASE], stdout=tap,
            stderr=subprocess.PIPE, text=True)
        while not pathlib.Path(f"cut/cases/{CASE}.2").exists():
            assert child.poll() is None, child.communicate()
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
    assert child.returncode == 130
    doc = check("cut", pathlib.Path("cut/tap").read_text())
    assert doc["interrupted"] and 2 <= len(doc["cases"]) < 10000


def test_compare():
    run("a", "uet/rud/send-*", code=0)
    run("b", "uet/rud/send-gtd*", code=0)
    # Cases that are gone are an error.
    done = expect(rung("compare", "--json", "-", "a", "b"), 1)
    doc = json.loads(done.stdout)
    validate(schema_of("compare"), doc)
    assert doc["totals"]["removed"] > 0 and doc["totals"]["broken"] == 0
    if has_mutants():
        run("c", "--mutant", MUTANT, "uet/rud/send-*", code=1)
        doc = json.loads(expect(rung("compare", "--json", "-", "a", "c"),
                                1).stdout)
        validate(schema_of("compare"), doc)
        assert doc["totals"]["broken"] > 2


def test_kills():
    path = pathlib.Path(RUNG).parent / "../mutants/kills.json"
    if path.exists():
        validate(schema_of("kills"), json.loads(path.read_text()))


def named(folder, *args):
    """Run one case; the device's name in each report, and results.json."""
    done = rung("run", *args, "--operator", "Ann <a>", "--timeout", "1s",
                "--quiet", "--out", folder, CASE)
    assert done.returncode in (0, 1, 3, 4), done
    doc = json.loads(pathlib.Path(folder, "results.json").read_text())
    root = ET.parse(f"{folder}/junit.xml").getroot()
    page = pathlib.Path(folder, "report.html").read_text()
    suite = root.find("./testsuite")
    found = {p.get("name"): p.get("value")
             for p in suite.findall("./properties/property")}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", doc["date"])
    assert suite.get("timestamp") + "Z" == doc["date"] and doc["date"] in page
    assert suite.get("hostname") == doc["host"] == socket.gethostname()
    assert doc["operator"] == found["operator"] == "Ann <a>"
    assert "<dd>Ann &lt;a&gt;</div>" in page and doc["host"] in page
    name = doc["dut"]["name"]
    assert found["device"] == name and f"<h1>{name}</h1>" in page, name
    again = rung("report", folder, "--json", "-")
    assert json.loads(again.stdout)["dut"]["name"] == name
    return doc


def test_whose_report():
    """The device's own name: hello, declaration, command line."""
    hello = """
    import json, sys
    for line in sys.stdin:
        print(json.dumps({"id": json.loads(line)["id"], "ok": True,
                          "name": "NIC 3000", "version": 2,
                          "verbs": ["reset", "send"]}), flush=True)
    """
    decl = write("my.decl", "name ACME 7\nrelease firmware 4.2\n")
    path = os.path.abspath(write("hello.py", textwrap.dedent(hello)))
    by_hello = ("--dut", f"exec:{sys.executable} {path}")
    silent = "udp:127.81.0.1,peer=127.81.0.2"
    assert named("n1", *by_hello)["dut"]["name"] == "NIC 3000"
    doc = named("n2", *by_hello, "--decl", decl)
    assert doc["dut"]["name"] == "NIC 3000"
    assert doc["dut"]["release"] == "firmware 4.2"
    assert named("n3", "--dut", silent, "--decl",
                 decl)["dut"]["name"] == "ACME 7"
    assert named("n4", "--dut", silent)["dut"]["name"] == silent
    assert named("n5", *VIRTUAL)["dut"]["name"] == "rung reference endpoint"


def test_a_build_of_kernel_ci():
    """The tests belong to the build that the user names."""
    expect(rung("run", *VIRTUAL, "--kcidb", "k", "--kcidb-build",
                "maestro:6638f2", CASE), 0)
    got = json.loads(pathlib.Path("k").read_text())
    validate(foreign_schema("kcidb.schema.json"), got)
    assert "builds" not in got and "checkouts" not in got
    assert [(t["build_id"], t["origin"]) for t in got["tests"]] == \
        [("maestro:6638f2", "maestro")]
    assert got["tests"][0]["id"].startswith("maestro:")
    for bad in ("6638f2", "Maestro:1", ":1", "maestro:"):
        expect(rung("run", *VIRTUAL, "--kcidb", "k", "--kcidb-build", bad,
                    CASE), 2, err="ORIGIN:ID")
    expect(rung("run", *VIRTUAL, "--kcidb-build", "a:1", CASE), 2,
           err="needs --kcidb")


def test_many_failures_stay_small():
    """Each case fails with a long ladder; JUnit keeps 2 MiB of them."""
    lines = ["title Long\nref rung\ncovers RUD-SVC-2\nneeds rud send\nchair target\n"
             "  use open\n  base fwd=100\n"]
    for psn in range(100, 180):
        lines.append(f"  >  rud_req psn={psn} clear_psn=99 ar | std send "
                     f"message_id={psn} som eom | data 32\n"
                     f"  <  ack  [RUD-SVC-3]\n")
    lines.append("  <  ack cack_psn=1 [RUD-SVC-3]\n  use close\n")
    case = write("long.lad", "".join(lines))
    expect(rung("run", *VIRTUAL, "--repeat", "60", "--quiet", "--out", "o",
                case), 1)
    text = pathlib.Path("o/junit.xml").read_text()
    whole = sum(p.stat().st_size for p in
                pathlib.Path("o").rglob("ladder.txt"))
    assert whole > 4 << 20, whole
    assert len(text) < 3 << 20, len(text)
    cut = re.findall(r"rung left out \d+ of \d+ bytes here; (\S+) has", text)
    assert len(cut) == 60 and all(pathlib.Path(p).exists() for p in cut)
    check_junit("o/junit.xml", check_json("o/results.json"))
    check_exports("o", check_json("o/results.json"))


def test_the_checks_refuse():
    """Checks that the validator refuses invalid documents."""
    run("ok", CASE, code=0)
    doc = json.loads(pathlib.Path("ok/results.json").read_text())
    schema = schema_of("results")
    for name, change in (("otlp.schema.json", lambda d: d.update(x=1)),
                         ("kcidb.schema.json", lambda d: d.pop("version")),
                         ("ctrf-schema-0.0.json",
                          lambda d: d["results"].pop("summary"))):
        kind = re.match("[a-z]+", name)[0]
        rung("report", "ok", "--quiet", f"--{kind}", kind)
        bad = json.loads(pathlib.Path(kind).read_text())
        assert not refuses(foreign_schema(name), bad)
        change(bad)
        assert refuses(foreign_schema(name), bad), name
    for change in (lambda d: d.pop("totals"),
                   lambda d: d.update(surplus=1),
                   lambda d: d.update(interrupted=1),
                   lambda d: d["cases"][0].update(verdict="good"),
                   lambda d: d["cases"][0].update(id="no chair@x"),
                   lambda d: d["requirements"][0].update(role="both"),
                   lambda d: d["totals"].update(fail=-1)):
        bad = json.loads(json.dumps(doc))
        change(bad)
        assert refuses(schema, bad), change
    assert not refuses(schema, doc)
    text = pathlib.Path("ok/junit.xml").read_text()
    if shutil.which("xmllint"):
        bad = write("bad.xml", text.replace(
            "<system-out>", "<properties/><system-out>"))
        done = subprocess.run(["xmllint", "--noout", "--schema",
                               str(ROOT / "tests/formats/junit.xsd"), bad],
                              capture_output=True, check=False)
        assert done.returncode != 0


if __name__ == "__main__":
    main(globals())
