#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests variants: settings and declarations of the reference, several at
once."""
import json
import pathlib

from lib import CASE, RUNG, expect, main, results, rung, write

HEAD = "variant mine\nwhat It does.\nwhy uet.md 7.1\n"
READ = "uet/rud/read-in-ack@target"


def device(text, *args, code=0):
    path = write("mine.var", HEAD + text)
    return results("--dut", "virtual", "--variant", path, *args, code=code)


def refused(text, names="./mine.var"):
    write("mine.var", HEAD + text)
    return expect(rung("run", "--dut", "virtual", "--variant", names, CASE), 2)


def test_setting_changes_the_packets():
    for kind in ("ack_cc", "ack_ccx"):
        write("mine.var", HEAD + f"set ack_type {kind}\n")
        done = rung("show", "--variant", "./mine.var", CASE)
        expect(done, 0, out=f"--- {kind} ")


def test_declaration_changes():
    doc = device("declares version 1.0.3\n", CASE)
    assert doc["cases"][0]["verdict"] == "pass", doc["cases"][0]
    text = device("declares size max_ack_data 0\n", READ, code=None)
    case = text["cases"][0]
    assert case["verdict"] == "na" and "max_ack_data" in case["reason"], case


def test_a_claim_is_lacking():
    doc = device("without read\nwithout rod\n", READ, "uet/rod/send@target",
                 CASE, code=None)
    verdicts = {c["id"]: c["verdict"] for c in doc["cases"]}
    assert verdicts == {READ: "na", "uet/rod/send@target": "na",
                        CASE: "pass"}, verdicts


def test_variants_go_together():
    done = rung("show", "--variant", "ack-ccx+default-ok", CASE)
    expect(done, 0, out="--- ack_ccx ")


def has_objects():
    """Only some builds have the shared objects of mutants and variants."""
    return bool(list(pathlib.Path(RUNG).parents[1].glob("mutants/*.so")))


def test_a_second_name_does_not_replace_the_first():
    for first, second in (("--mutant", "--variant"), ("--variant", "--mutant"),
                          ("--variant", "--variant")):
        for command in ("run", "explore", "probe"):
            expect(rung(command, "--dut", "virtual", first, "ack-cc", second,
                        "default-ok"), 2,
                   err=f"{second} default-ok after ack-cc: one device plays; "
                   "join the names with")
    expect(rung("show", "--mutant", "ack-cc", "--variant", "default-ok", CASE),
           2, err="one device plays")


def test_mutant_and_variant():
    if not has_objects():
        return
    doc = results("--dut", "virtual", "--mutant", "cack-over-uncleared+ack-cc",
                  CASE, code=1)
    assert doc["cases"][0]["verdict"] == "fail"


def test_reference_as_a_process():
    write("mine.var", HEAD + "set ack_type ack_ccx\n"
          "declares id job_id 0x77\n")
    doc = results("--dut", "ref", "--variant", "./mine.var", CASE)
    assert doc["cases"][0]["verdict"] == "pass", doc["cases"][0]


CLASSES = """title    A write, and then a send
covers   UET-PDC-23
needs    rud send write

chair initiator
  use open
  base fwd=100 ret=500
  post write len=64
  < rud_req psn=100 | std write message_id=$w  [UET-PDC-23]
  > ack ack_psn=100 cack_psn=100 | response message_id=$w
  post send len=64
  < rud_req psn=101 | std send message_id=$s  [UET-PDC-23]
  > ack ack_psn=101 cack_psn=101 | response message_id=$s
  use close
"""

NACK = """title    A NACK of a packet that belongs to no PDC
covers   UET-PDC-17
needs    rud send atomic read
violates UET-PDC-17/src UET-PDC-23/src RUD-SEQ-84b/src UET-PDC-17/dst

chair initiator
  use open
  base fwd=100 ret=500
  post atomic amo=sum datatype=int8 operand=0x4d offset=1000
  < rud_req psn=100 | std atomic message_id=$m0 som eom | atomic amo_opcode=sum datatype=int8  [UET-SES-35]
  > ack ack_psn=100 cack_psn=100 | response message_id=$m0
  post read len=512 offset=0
  < rud_req psn=101 dpdcid=$b1 | std read message_id=$m1 som eom request_length=512 | data 0  [UET-PDC-17]
  > ack ack_psn=101 cack_psn=101 | response message_id=$m1
  > rud_req psn=500 clear_psn=499 ar spdcid=$b1+1 | response_data response_message_id=9 read_request_message_id=$m1 | data 512
  < nack pdc_hdr_mismatch nack_psn=500 spdcid=0  [UET-PDC-17]
"""


def test_device_returns_to_an_older_pdc():
    """One PDC for each class: the send goes on where the first send was."""
    if not (pathlib.Path(RUNG).parents[1] / "variants").is_dir():
        return
    case = write("classes.lad", CLASSES)
    results("--dut", "virtual", case)
    doc = results("--dut", "virtual", "--variant", "pdc-per-class", case,
                  code=None)
    assert doc["cases"][0]["reason_id"] == "several-pdcs", doc["cases"][0]
    # the NACK names no PDC: it answers the newest packet of the tester
    case = write("nack.lad", NACK)
    results("--dut", "virtual", case)
    results("--dut", "virtual", "--variant", "pdc-per-class", case)


def test_each_device_in_turn():
    write("mine.var", HEAD + "without rud\nset ack_type ack_ccx\n")
    path = write("devices", "# two\nack-cc\n\n./mine.var+mtu-4096\n")
    done = rung("run", "--dut", "virtual", "--quiet", "--each-variant", path,
                CASE)
    expect(done, 0, err="ack-cc: exit 0\n./mine.var+mtu-4096: exit 4\n")
    done = rung("run", "--dut", "virtual", "--json", "-", "--each-variant",
                path, CASE)
    first, end = json.JSONDecoder().raw_decode(done.stdout)
    second = json.loads(done.stdout[end:])
    assert first["cases"][0]["verdict"] == "pass", first
    assert second["cases"][0]["verdict"] == "na", second


def test_a_file_of_devices_with_other_ends_of_lines():
    path = write("devices", "ack-cc\r\n")
    expect(rung("run", "--dut", "virtual", "--quiet", "--each-variant", path,
                CASE), 0, err="ack-cc: exit 0\n")
    path = write("devices", "# none\n")
    expect(rung("run", "--dut", "virtual", "--each-variant", path, CASE), 4,
           err="devices: the file names no device")


def test_the_first_bad_device_gives_the_exit_code():
    path = write("devices", "nope\nack-cc\n")
    done = rung("run", "--dut", "virtual", "--each-variant", path, CASE)
    expect(done, 2, err="no mutant or variant 'nope'")
    assert "ack-cc: exit 0" in done.stderr, done.stderr
    for more in (["--variant", "ack-cc"], ["--json", "x.json"],
                 ["--out", "x"]):
        expect(rung("run", "--dut", "virtual", "--each-variant", path, *more,
                    CASE), 2, err="--each-variant")
    expect(rung("run", "--dut", "virtual", "--each-variant", "none", CASE), 2,
           err="none")


def test_what_is_refused():
    assert "no setting" in refused("set ack_typ ack_cc\n").stderr
    assert "no setting" in refused("set ack_type nack\n").stderr
    assert "max_ack_dat" in refused("declares size max_ack_dat 1\n").stderr
    assert "shared object" in refused("file oracle/core/orc.c\n").stderr
    both = refused("set probe 1\n", "probe+./mine.var").stderr
    assert "another one also declares" in both, both
    if has_objects():
        both = refused("", "drop-ahead+nack-behind").stderr
        assert "so does another" in both, both


if __name__ == "__main__":
    main(globals())
