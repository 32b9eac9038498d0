#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung run in virtual time: selection, verdicts, outputs,
determinism."""
import json
import pathlib
import re

from lib import CASE, expect, main, results, rung, write

VIRTUAL = ("--dut", "virtual")
FILES = ["capture.pcapng", "case.lad", "common", "control.jsonl",
         "device.decl", "dut.json", "integrity.json", "ladder.txt",
         "record.jsonl", "replay.json"]


def listed(*args):
    done = expect(rung("list", "--json", *args), 0)
    return [c["id"] for c in json.loads(done.stdout)["cases"]]


REPEATS = """title   A source repeats packets whose ACKs are lost
covers  RUD-SVC-1
needs   rud send multi window message.64 in_flight.8

chair initiator
  configure cc=0 cc_policy=1 link_rate=128000 base_rtt=2mtu nscc_qa_gate=16
  use open
  base fwd=333
  drop > ack_cc nth=1..20
  post send len=8mtu
  <  rud_req | std send flight $a for 0.3 rto within rto  [RUD-SVC-1]
  >  ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1
     | response default_response message_id=0 each
  <  rud_req | std send flight $b for 0.3 rto within 2 rto  [RUD-SVC-1]
  >  ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1
     | response default_response message_id=0 each
"""


def test_answers_to_repeats_keep_the_cack_psn():
    """With $psn in place of $newest, the tester's CACK_PSN goes back."""
    path = write("repeats.lad", REPEATS)
    done = expect(rung("run", *VIRTUAL, "--ladders", path), 0, "retx")
    assert done.stdout.count("cack_psn=340") > 1, done.stdout
    path = write("back.lad", REPEATS.replace("$newest", "$psn"))
    expect(rung("run", *VIRTUAL, path), 5, "CACK_PSN decreased")


FLIGHT = """title   A source repeats what nobody acknowledges
covers  RUD-SVC-1
needs   rud send multi message.8 in_flight.3

chair initiator
  use open
  base fwd=333
  post send len=3mtu
  <  rud_req | std send flight $a for 1.5 rto within 2 rto  [RUD-SVC-1]
  check $a = 3  [RUD-SVC-1]
"""


def test_a_flight_counts_a_psn_once():
    """The RTO expires before the flight ends, and all packets come again."""
    path = write("flight.lad", FLIGHT)
    done = expect(rung("run", *VIRTUAL, "--ladders", path), 0, "retx")
    assert done.stdout.count("psn=335") > 1, done.stdout


ACKED = FLIGHT.replace("1.5 rto", "0.3 rto") + """
  drop > ack nth=1
  >  ack ack_psn=335 cack_psn=335 | response default_response message_id=0
  post send len=mtu
  <  rud_req | std send flight $b for 1.5 rto within 2 rto  [RUD-SVC-1]
  check $b = 1  [RUD-SVC-1]
"""


def test_a_flight_leaves_out_what_an_ack_covered():
    """The ACK is lost, and the source repeats what it covers."""
    path = write("acked.lad", ACKED.replace("in_flight.3", "in_flight.8"))
    done = expect(rung("run", *VIRTUAL, "--ladders", path), 0, "retx")
    assert done.stdout.count("psn=335 clear_psn=332") > 1, done.stdout


def stable(doc):
    """Removes the duration, and the id of the run."""
    doc.pop("run")
    doc.pop("date")
    for case in doc["cases"]:
        case.pop("wall_ns")
    return doc


def test_all_pass():
    doc = results(*VIRTUAL, "-j", "2")
    ids = [c["id"] for c in doc["cases"]]
    assert ids == listed(), ids
    assert doc["totals"]["pass"] == len(ids) > 0, doc["totals"]


def reference(**sizes):
    """Returns the declaration of the reference with other sizes."""
    source = pathlib.Path(__file__).parents[2] / "suite/decl/decl_reference.c"
    text = "".join(re.findall(r'^\t"(.*)"', source.read_text(), re.M)
                   ).replace("\\n", "\n")
    for size, value in sizes.items():
        text, n = re.subn(rf"^(size +{size} +)\d+$", rf"\g<1>{value}", text,
                          flags=re.M)
        assert n == 1, size
    return text


def test_other_mtus():
    """Most cases count in MTUs; cases that count bytes say so and are not
    selected."""
    for mtu in 2048, 4096, 8192:
        # Plain RoCEv2 ends at 4096.
        text = reference(mtu=mtu).replace("claims   roce roce.verbs\n", "")
        decl = write("other.decl", text)
        doc = results(*VIRTUAL, "--decl", decl, "uet/*")
        left = {c["id"] for c in doc["cases"] if c["verdict"] == "na"}
        assert len(left) < 5, (mtu, left)
        assert doc["totals"]["pass"] == len(doc["cases"]) - len(left), \
            (mtu, doc["totals"])


def test_requests_follow_answers():
    """A post waits until the device has read the previous ACK."""
    path = write("order.lad", """
title   A message behind an ACK carries its CLEAR_PSN
covers  RUD-SVC-5/src
needs   rud send

chair initiator
  post send len=8
  <  rud_req syn psn=$s | std message_id=$m | data 8              [RUD-SVC-5]
  >  ack ack_psn=$s cack_psn=$s | response message_id=$m
  post send len=64
  <  rud_req psn=$s+1 clear_psn=$s | std message_id=$n | data 64  [RUD-SVC-5]
  >  ack ack_psn=$s+1 cack_psn=$s+1 | response message_id=$n
  post send len=64
  <  rud_req psn=$s+2 clear_psn=$s+1 | std | data 64              [RUD-SVC-5]
""")
    case, = results(*VIRTUAL, path)["cases"]
    assert case["verdict"] == "pass", case["reason"]
    # The reports show that the device read the ACK, so the tester does not
    # wait.
    assert case["virtual_ns"] < 1e6, case["virtual_ns"]


def test_other_nack_times():
    """NACK_Retx_Time near 0 is legal: the retransmission arrives like any
    answer."""
    for time in "0us  tolerance 0us", "1us  tolerance 1us":
        text, n = re.subn(r"^(timer +nack_time +).*$", rf"\g<1>{time}",
                          reference(), flags=re.M)
        assert n == 1
        doc = results(*VIRTUAL, "--strict", "--decl", write("other.decl", text))
        assert doc["totals"]["pass"] == len(doc["cases"]), doc["totals"]


def test_no_remarks():
    """The reference also fulfils the rows of level S."""
    doc = results(*VIRTUAL, "--strict")
    assert doc["totals"]["fail"] == 0, doc["totals"]


def test_selection():
    case = CASE.split("@")[0]
    both = listed(case)
    assert CASE in both and {i.split("@")[0] for i in both} == {case}
    assert listed(CASE) == [CASE]
    assert CASE in listed("*send-gtd@target")
    assert listed("uet*") == listed("uet/*")
    families = [listed(f"{x}/*") for x in ("uet", "srd", "wqe", "roce")]
    assert all(families) and sorted(sum(families, [])) == sorted(listed())
    assert listed("uet/rud/send-gt?@target") == [CASE]
    assert listed(CASE, case, "uet/rud/send-gtd*@target").count(CASE) == 1
    assert CASE in listed("--req", "RUD-SEQ-76/dst")
    assert set(listed("--profile", "smoke")) <= set(listed())


def test_file():
    """A path selects the case in that file, with the fragments of the
    program."""
    doc = results(*VIRTUAL, "--out", "out", CASE)
    folder = pathlib.Path("out/cases") / CASE
    text = (folder / "case.lad").read_text()
    path = write("mine.lad", text)
    doc = results(*VIRTUAL, path + ":plain@target")
    assert [c["id"] for c in doc["cases"]] == ["mine@target"], doc["cases"]
    doc = results(*VIRTUAL, path + "@target")
    found = [c["id"] for c in doc["cases"]]
    assert found[0] == "mine@target" and "mine-drop@target" in found, found
    path = write("cases/a/mine.lad", text)
    doc = results(*VIRTUAL, path + ":plain@target")
    assert [c["id"] for c in doc["cases"]] == ["a/mine@target"], doc["cases"]


def content(path):
    """Returns the bytes of a file without request ids, which count on from
    case to case."""
    if path.name == "control.jsonl":
        return re.sub(r'"id":\d+', '"id":0', path.read_text())
    if path.name == "record.jsonl":
        return re.sub(r'"(run|wall_ns|elapsed_ns|parts)":("\w+"|\d+|{.*?})|'
                      r'\\"id\\":\d+', "", path.read_text())
    if path.name == "replay.json":
        return re.sub(r'"run": "[0-9a-f]{32}"', '"run"', path.read_text())
    return path.read_bytes()


def test_jobs_are_deterministic():
    """Verdicts, ladders and captures do not depend on -j."""
    one = results(*VIRTUAL, "-j", "1", "--out", "one", code=None)
    eight = results(*VIRTUAL, "-j", "8", "--out", "eight", code=None)
    assert stable(one) == stable(eight)
    for path in sorted(pathlib.Path("one").rglob("*")):
        if path.name in FILES and path.is_file():
            other = pathlib.Path("eight") / path.relative_to("one")
            assert content(path) == content(other), path


def test_seed():
    """The same seed gives the same bytes; another seed gives other PSNs."""
    for folder, seed in (("a", 7), ("b", 7), ("c", 8)):
        doc = results(*VIRTUAL, "--seed", seed, "--out", folder, CASE)
        assert doc["seed"] == seed
    capture = f"cases/{CASE}/capture.pcapng"
    a, b, c = (pathlib.Path(x, capture).read_bytes() for x in "abc")
    assert a == b != c
    expect(rung("run", *VIRTUAL, "--seed", "77", CASE), 0, "77")
    expect(rung("run", *VIRTUAL, "--seed", "77", "--tap", CASE), 0, err="77")


def test_order_does_not_matter():
    alone = results(*VIRTUAL, CASE)["cases"]
    among = results(*VIRTUAL, code=None)["cases"]
    among = [c for c in among if c["id"] == CASE]
    for c in alone + among:
        c.pop("wall_ns")
    assert alone == among


def test_repeat():
    doc = results(*VIRTUAL, "--repeat", "3", "--out", "out", CASE)
    assert [c["id"] for c in doc["cases"]] == [CASE] * 3
    for end in ("", ".2", ".3"):
        assert pathlib.Path(f"out/cases/{CASE}{end}/ladder.txt").exists(), end


def test_out_folder():
    done = expect(rung("run", *VIRTUAL, "--out", "a/b/out", CASE), 0)
    out = pathlib.Path("a/b/out")
    assert sorted(p.name for p in (out / "cases" / CASE).iterdir()) == FILES
    doc = json.loads((out / "results.json").read_text())
    assert doc["schema"] == "rung.results/2"
    assert (out / doc["cases"][0]["capture"]).exists()
    assert "<title>rung: " in (out / "report.html").read_text()
    assert (out / "junit.xml").read_text().startswith("<?xml")
    assert CASE in (out / "report.txt").read_text()
    assert "\033" not in done.stdout
    head = (out / "cases" / CASE / "capture.pcapng").read_bytes()[:4]
    assert head == b"\x0a\x0d\x0d\x0a", head
    for line in open(out / "cases" / CASE / "control.jsonl"):
        json.loads(line)
    for name in ("dut.json", "integrity.json"):
        json.loads((out / "cases" / CASE / name).read_text())


def test_formats():
    expect(rung("run", *VIRTUAL, "--tap", CASE), 0, "TAP version 14\n")
    expect(rung("run", *VIRTUAL, "--junit", "-", CASE), 0, "<testsuites")
    expect(rung("run", *VIRTUAL, "--junit", "j.xml", "--json", "r.json", CASE),
           0, CASE)
    assert json.load(open("r.json"))["totals"]["pass"] == 1
    assert "<testsuites" in open("j.xml").read()


def test_colour():
    plain = rung("run", *VIRTUAL, "-v", CASE)
    assert "\033" not in plain.stdout + plain.stderr
    always = rung("run", *VIRTUAL, "-v", "--color", "always", CASE)
    assert "\033[" in always.stdout
    never = rung("run", *VIRTUAL, "-v", "--color", "never", CASE)
    assert never.stdout.count("\n") == always.stdout.count("\n")


def test_not_applicable():
    """A device that claims nothing: no case runs."""
    path = write("dut.decl", "name nothing\n")
    doc = results(*VIRTUAL, "--decl", path, CASE, code=4)
    assert doc["cases"][0]["verdict"] == "na", doc["cases"]
    assert "claim" in doc["cases"][0]["reason"]


def test_show():
    done = expect(rung("show", CASE), 0, "title")
    for word in ("RUD-SEQ-76", "rud_req", "The reference as target"):
        assert word in done.stdout, word


def test_cover():
    doc = json.loads(expect(rung("cover", "--json"), 0).stdout)
    rows = {(r["id"], r["role"]): r for r in doc["requirements"]}
    assert CASE in rows["RUD-SEQ-76", "dst"]["cases"]
    assert CASE not in rows["RUD-SEQ-76", "src"]["cases"]
    assert ("MODE-RUD-1", "src") not in rows
    expect(rung("cover"), 0, "M rows")


def test_list_reqs():
    expect(rung("list", "--reqs"), 0, "RUD-SEQ-76 ")
    done = expect(rung("list", "--reqs", "--json"), 0)
    assert json.loads(done.stdout)["requirements"]




if __name__ == "__main__":
    main(globals())
