#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung matrix in virtual time: correct ends pass in every pair, a mutant
is named with the requirement that it violates, its role and the shortest
exchange, and the JSON fits its schema. tests/peer/matrix_test.py runs programs
over UDP."""
import json
import pathlib
import re
import textwrap

from formats import ROOT, schema_of, validate
from lib import RUNG, expect, main, rung, write

# Variants without code of their own: they are in every build.
ENDS = ("reference", "spray", "ack-cc", "window-of-one", "clear-late", "infer-loss")


def matrix(*args, code):
    done = expect(rung("matrix", "-q", "--json", *args), code)
    doc = json.loads(done.stdout)
    validate(schema_of("matrix"), doc)
    return doc


def test_six_correct_ends_pass():
    doc = matrix(*ENDS, code=0)
    assert len(doc["cells"]) == 4 * 36
    assert {c["verdict"] for c in doc["cells"]} == {"pass"}
    for cell in doc["cells"]:
        assert cell["exchanges"] > 5 and cell["packets"] > 50, cell


def test_every_claimed_operation_is_used():
    """A cell without operations would pass for nothing."""
    doc = matrix("reference", code=0)
    least = {"uet": 150, "srd": 20, "wqe": 40, "roce": 40}
    for cell in doc["cells"]:
        assert cell["operations"] >= least[cell["family"]], cell


def test_numbers_are_adopted_or_named():
    """The reference takes the MTU of the other end; two ends that both declare
    one have no common MTU."""
    doc = matrix("reference", "mtu-4096", "mtu-8192", "--family", "uet", code=0)
    got = {(c["initiator"], c["target"]): c for c in doc["cells"]}
    assert got["reference", "mtu-4096"]["verdict"] == "pass"
    assert got["mtu-8192", "mtu-4096"]["verdict"] == "na"
    assert "mtu" in got["mtu-8192", "mtu-4096"]["reason"]


def mutants():
    return (pathlib.Path(RUNG).parent.parent / "mutants" / "retx-not-marked.so").exists()


def test_a_red_cell_names_end_requirement_and_shortest_exchange():
    if not mutants():
        return
    out = pathlib.Path("out")
    doc = matrix("reference", "retx-not-marked", "--family", "uet", "-o", out, code=1)
    assert doc == json.loads((out / "matrix.json").read_text())
    got = {(c["initiator"], c["target"]): c for c in doc["cells"]}
    assert got["reference", "reference"]["verdict"] == "pass"
    for pair, side in ((("retx-not-marked", "reference"), "initiator"),
                       (("reference", "retx-not-marked"), "target")):
        fault = got[pair]["faults"][0]
        assert got[pair]["verdict"] == "fail" and fault["with_reference"]
        assert (fault["side"], fault["end"]) == (side, "retx-not-marked"), fault
        assert (fault["requirement"], fault["role"]) == ("RUD-SEQ-84b", "src"), fault
        assert len(fault["shortest"]["operations"]) == 1, fault
        assert fault["shortest"]["packets"] <= 6, fault
        assert "rud_req" in expect(rung("ladder", out / fault["capture"]), None).stdout
    page = (out / "matrix.html").read_text()
    assert "RUD-SEQ-84b/src" in page and "http" not in page.replace('"http', "")


def test_contents_and_deliveries_are_compared():
    """No packet shows that a message is delivered twice."""
    if not mutants():
        return
    doc = matrix("reference", "duplicate-delivered", "--family", "uet", code=1)
    faults = [f for c in doc["cells"] for f in c["faults"]
              if (c["initiator"], c["target"]) == ("reference", "duplicate-delivered")]
    assert ("I1", "duplicate-delivered") in [(f["requirement"], f["end"]) for f in faults]


def test_over_udp():
    """The reference as two programs; a machine under load may lose packets."""
    doc = matrix("reference", "--udp", "--family", "srd", code=None)
    assert doc["time"] == "real"
    assert [c["verdict"] for c in doc["cells"]] in (["pass"], ["inconclusive"])


def test_wrong_use():
    expect(rung("matrix"), 2, err="name 1 to 64 endpoints")
    expect(rung("matrix", "reference", "reference"), 2, err="'reference' stands twice")
    expect(rung("matrix", "no-such-variant"), 2, err="no-such-variant")
    expect(rung("matrix", "bench:nic"), 2, err="bench.yaml")
    expect(rung("matrix", "reference", "--family", "tcp"), 2, err="uet, srd, wqe or roce")
    write("bench.yaml", "benches:\n  a:\n    dut: virtual\n  b:\n    dut: "
                        "udp:127.0.0.1,peer=127.0.0.2\n")
    expect(rung("matrix", "bench:a"), 2, err="virtual is no device")
    expect(rung("matrix", "bench:b"), 2, err="needs a control channel")


def test_the_page_of_the_document_is_real():
    if not mutants():
        return
    text = (ROOT / "docs" / "matrix.md").read_text()
    args, block = re.search(r"<!-- from: (.*?) -->\n\n((?:    .*\n|\n(?=    ))+)", text).groups()
    out = expect(rung(*args.split(), env={"COLUMNS": "80"}), 1).stdout
    assert textwrap.dedent(block).strip() == out.strip(), out


def test_text():
    done = expect(rung("matrix", "reference", "spray", "--family", "srd"), 0,
                  "4 cells: 4 pass", "1 of 4: srd: reference -> reference")
    assert "  2 spray" in done.stdout


if __name__ == "__main__":
    main(globals())
