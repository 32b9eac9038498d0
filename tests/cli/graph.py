#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests "rung graph": the marks are those that "rung check" counts, and they
stand inside the drawing.  RUNG_BLESS=1 draws the picture of the documents
again.

Usage: graph.py RUNG
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

from lib import RUNG, expect, main, rung

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = sorted(ROOT.glob("dissector/golden/*.pcap*"))
SVG = "{http://www.w3.org/2000/svg}"
PICTURE = ROOT / "docs/img/graph.svg"
CASE = "uet/rud/read-multi-return-drop@initiator"


def counts(svg):
    """The legends of all panels as one: {"sent": 4, ...}."""
    total = {}
    for word, n in re.findall(r">([A-Za-z]+) (\d+)</text>", svg):
        total[word] = total.get(word, 0) + int(n)
    return total


def graph(*args, code=0):
    out = expect(rung("graph", *args), code).stdout
    xml.fromstring(out)
    return out


def run_capture(case):
    expect(rung("run", "--dut", "virtual", "--seed", 1, "--quiet",
                "--out", "o", case), 0)
    return f"o/cases/{case}/capture.pcapng"


def test_marks_are_those_that_check_counts():
    seen = set()
    for path in GOLDEN:
        lines = [json.loads(line) for line in expect(
            rung("check", "--json", "--flows", path), None).stdout.splitlines()]
        flows = [x for x in lines if x["type"] == "flow" and "mode" in x]
        if not flows or "sides" not in flows[0]:
            continue
        for number, flow in enumerate(flows, 1):
            got = counts(graph("--flow", number, path))
            again = sum(sum(s["again"].values()) for s in flow["sides"])
            copies = sum(s["duplicates"] for s in flow["sides"])
            sent = sum(s["requests"] + s["cps"] for s in flow["sides"])
            if flow["mode"] not in ("rud", "rod"):
                continue
            assert got.get("retransmitted", 0) == again, (path, flow, got)
            assert got.get("duplicate", 0) == copies, (path, flow, got)
            # A control packet may have no PSN.
            assert got.get("sent", 0) <= sent - again - copies, (path, got)
            seen |= set(got)
    assert {"sent", "retransmitted", "duplicate", "ACK", "SACK",
            "NACK"} <= seen, seen


def test_each_mark_is_inside():
    for path in GOLDEN:
        root = xml.fromstring(graph(path))
        wide, high = float(root.get("width")), float(root.get("height"))
        for mark in root.iter(SVG + "path"):
            x, y = map(float, re.match(r"M(\S+?) (\S+?)[a-zA-Z]",
                                       mark.get("d")).groups())
            assert 0 < x <= wide and 0 < y < high, (path, mark.get("d"))


def test_a_packet_that_was_removed():
    """The capture of a run says what the impairments removed."""
    path = run_capture("uet/rud/ack-lost@target")
    assert counts(graph(path))["removed"] == 1
    assert ": removed by an impairment" in graph(path)
    assert "   X<--" in rung("ladder", path).stdout


def test_findings_and_labels():
    path = ROOT / "tests/captures/uet-ns3-engine-probed.pcap"
    found = graph(path)
    assert counts(found)["finding"] > 0 and ">0</text>" in found
    first = re.search(r"first (\d+)<", found).group(1)
    live = graph("--wire", path)
    assert f">{first}</text>" not in found and f">{first}</text>" in live, first


def test_the_picture_of_the_documents():
    capture = run_capture(CASE)
    pathlib.Path(capture).rename("read.pcapng")
    drawn = graph("read.pcapng")
    if os.environ.get("RUNG_BLESS") == "1":
        PICTURE.write_text(drawn)
    assert PICTURE.read_text() == drawn


def test_no_flow_but_a_finding():
    """A packet of a reserved type belongs to no flow."""
    data = bytearray((ROOT / "dissector/golden/repair.pcap").read_bytes())
    length = int.from_bytes(data[32:36], "little")
    data[data.index(b"\x12\xb9", 24 + 16 + 14) + 6] = 0x1f << 3  # behind its port
    pathlib.Path("one.pcap").write_bytes(data[:24 + 16 + length])
    expect(rung("check", "one.pcap"), 1, out="1 packets in 0 flows")
    expect(rung("ladder", "one.pcap"), 0)
    for command in ("graph", "ladder"):
        expect(rung(command, "--flow", 3, "one.pcap"), 4, err="there is no flow")


def test_bad_input():
    expect(rung("graph"), 2, err="one capture is needed")
    expect(rung("graph", "nothing.pcap"), 2, err="No such file")
    expect(rung("graph", "--flow", 99, GOLDEN[0]), 4,
           err="there is no flow 99: the capture has flows 1 to ")
    for command in ("graph", "ladder"):
        expect(rung(command, "--flow", 1, "--frame", 1, GOLDEN[0]), 2,
               err="--flow and --frame exclude each other")
    data = (ROOT / "dissector/golden/repair.pcap").read_bytes()
    done = subprocess.run([RUNG, "graph", "-"], input=data[:-20],
                          capture_output=True, check=False)
    assert done.returncode == 3 and b"</svg>" in done.stdout, done
    assert b"the file ends inside a block" in done.stderr, done.stderr


if __name__ == "__main__":
    sys.exit(main(globals()))
