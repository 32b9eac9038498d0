# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung run, check and ladder on the WQE extension and on plain RoCEv2:
the captures of their cases, whole, truncated and changed.

Usage: wqe.py RUNG
"""
import json
import pathlib
import struct
import tempfile

import captures
from lib import RESETS, RUNG, expect, main, results, rung, write

LOSS = "wqe/loss/write-middle"


def run(*cases, code=0):
    """Runs cases. Returns each result with the path of its capture."""
    where = tempfile.mkdtemp(dir=".")
    done = rung("run", "--dut", "virtual", "--quiet", "--out", where, *cases,
                timeout=300)
    expect(done, code)
    ran = json.loads(pathlib.Path(where, "results.json").read_text())["cases"]
    return [(c, str(pathlib.Path(where, c["capture"]))) for c in ran]


def check(*args, code=None):
    done = rung("check", "--json", "--flows", *args, timeout=300)
    expect(done, code)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {kind: [x for x in lines if x["type"] == kind]
            for kind in ("finding", "flow", "summary")}


def packets(path):
    """Returns the packets that crossed as a plain capture of Ethernet
    frames."""
    return [(at, frame) for iface, at, frame
            in captures.frames(pathlib.Path(path).read_bytes()) if iface == 0]


def anybodys(path, change=lambda n, frame: frame):
    kept = [(at, change(n, frame)) for n, (at, frame)
            in enumerate(packets(path), 1)]
    pathlib.Path("x.pcap").write_bytes(
        captures.pcap([(at, f) for at, f in kept if f is not None]))
    return "x.pcap"


def test_captures_of_all_cases():
    """rung check finds nothing against the device, and names the flows by
    their families."""
    for family, least in (("wqe", 60), ("roce", 20)):
        ran = run(f"{family}/*")
        assert len(ran) >= least
        lines = check("--max-findings", 10000, *[path for _, path in ran])
        assert len(lines["summary"]) == len(ran)
        device = [f for f in lines["finding"] if f["side"] == "10.0.0.2"
                  and f["level"] == "M"
                  and not any(f"/{case}/" in f["file"] for case in RESETS)]
        assert not device, device
        modes = {f["mode"] for f in lines["flow"]}
        assert family in modes and modes <= {"wqe", "roce"}, modes


def test_a_loss_as_a_ladder():
    for case, words in ((f"{LOSS}@target",
                         ("wqe_rtx_ind psn=11", "wqe_ack psn=13")),
                        ("roce/loss/gap@target",
                         ("syndrome=psn_seq_err", "rc_write_last psn=13"))):
        (_, path), = run(case)
        done = expect(rung("ladder", "--flow", 2, "--all", "--width", 120,
                           path), None)
        for word in words:
            assert word in done.stdout, done.stdout
        svg = rung("ladder", "--flow", 2, "--format", "svg", path).stdout
        assert svg.startswith("<svg") and words[0].split()[0] in svg


def test_numbers_of_a_flow():
    (_, path), = run(f"{LOSS}@initiator")
    lines = check("--whole", "--at", "10.0.0.2", anybodys(path), code=0)
    side = lines["flow"][0]["sides"]
    assert lines["flow"][0]["mode"] == "wqe" and lines["flow"][0]["whole"]
    assert side[0]["requests"] == 5 and side[1]["nacks"] == 1, side
    assert sum(side[0]["again"].values()) == 1, side


def test_another_offset_in_a_repetition():
    (_, path), = run(f"{LOSS}@initiator")
    off = 42 + 12 + 4  # Ethernet, IP, UDP; BTH; in WQETH
    middles = [n for n, (_, f) in enumerate(packets(path), 1) if f[42] == 0xc7]
    assert len(middles) == 3, middles

    def bend(n, frame):
        if n != middles[-1]:
            return frame
        return frame[:off] + struct.pack(">I", 2048) + frame[off + 4:]
    name = anybodys(path, lambda n, f: captures.sealed(bend(n, f)))
    found = check(name, code=1)["finding"]
    assert [(f["requirement"], f["frame"]) for f in found] == \
        [("WQE-02", middles[-1])], found


def test_cut_captures_show_nothing_new():
    """rung check blames no side for packets that are left out."""
    for case in (f"{LOSS}@initiator", "wqe/loss/several@target",
                 "wqe/read/answer-lost@initiator", "wqe/read/clean@target",
                 "roce/loss/data@initiator", "roce/loss/gap@initiator", "roce/loss/wrap@target"):
        (_, path), = run(case)
        n = len(packets(path))
        for gone in range(1, n + 1):
            name = anybodys(path, lambda k, f, gone=gone:
                            None if k == gone else f)
            found = check(name)["finding"]
            assert not [f for f in found if f["level"] == "M"], (case, gone,
                                                                 found)


STEPPED = """\
title   An answer is missing, and the next line does not need it
family  wqe
covers  WQE-23
needs   wqe.verbs

chair target
  use wqe-qp
  >  wqe_write_only psn=10 wqe_sn=0 wqe_length=64 ackreq | data 64
  <  wqe_ack psn=10 syndrome=ack msn=1             [WQE-23]
  <  wqe_rtx_ind psn=10                            [WQE-20]
  >  wqe_write_only psn=11 wqe_sn=1 wqe_length=64 ackreq | data 64
  <  wqe_ack psn=11 syndrome=ack msn=2             [WQE-23]
"""


def test_a_missing_answer_is_stepped_over():
    """The case continues behind an answer that does not come, as a case of UET
    does."""
    path = write("stepped.lad", STEPPED)
    for options, rungs in (((), 3), (("--step-over",), 4)):
        case = results("--dut", "virtual", *options, path, code=1)["cases"][0]
        assert case["verdict"] == "fail", case
        assert case["rungs"]["expected"] == rungs, case["rungs"]


def test_a_dropped_icrc_is_the_reason():
    """A packet that the tester dropped is not called missing alone."""
    if not (pathlib.Path(RUNG).parents[1] / "mutants/wqe-no-icrc.so").exists():
        return
    case = results("--dut", "virtual", "--mutant", "wqe-no-icrc",
                   "wqe/loss/again@target", code=1)["cases"][0]
    assert "with a wrong ICRC" in case["reason"], case["reason"]


def test_an_ack_of_nothing_sent_is_not_on_the_way():
    """It is blamed itself, not the ACK that is missing then."""
    mutants = pathlib.Path(RUNG).parents[1] / "mutants"
    if not (mutants / "roce-acks-ahead.so").exists():
        return
    case = results("--dut", "virtual", "--mutant", "roce-acks-ahead",
                   "roce/order/clean@target", code=1)["cases"][0]
    first = case["findings"][0]
    assert first["requirement"] == "I5", first
    assert "psn=10" in first["actual"], first


if __name__ == "__main__":
    main(globals())
