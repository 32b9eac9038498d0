#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A device without the verb ses_policy, which declares the causes of its
answers.

The device is the reference without its verb ses_policy: a request for an index
that does not exist is refused, and the refusal is guaranteed.
"""
from lib import expect, main, results, rung, write

WITHOUT = ("--dut", "virtual", "--without", "ses_policy")
HEAD = """\
name     reference
claims   rud rod rudi uud send write read read.medium read.small atomic multi
claims   response.gtd response.code control close.initiator close.target
"""
REFUSED_SYN = """\
title   A refused SYN
covers  UET-NACK-07
needs   rud send response.nack

chair target
  respond nack=no_pkt_buffer times=1
  base fwd=333
  >  rud_req syn ar psn=333 clear_psn=332 | std send message_id=1 som eom | data 64
  <  nack no_pkt_buffer nack_psn=333                                    [UET-NACK-07]
"""
TWO_PACKETS = """\
title   Two packets, the second one lost
covers  UET-ACK-15
needs   rud send multi response.gtd

chair target
  use open
  base fwd=333
  respond gtd
  >  rud_req psn=333 ar | std send message_id=1 som request_length=2mtu | data mtu
  >  rud_req psn=334 ar | std send message_id=1 eom request_length=2mtu message_offset=mtu | data mtu lost
  <  ack ack_psn=333 optional
  >  rud_req psn=334 ar retx | same after rto
  <  ack ack_psn=334 [UET-ACK-15]
  {}
"""


def declare(*causes):
    return ("--decl", write("d.decl", HEAD + "\n".join(causes) + "\n"))


def one(doc, case):
    return next(c for c in doc["cases"] if c["id"] == case)


def test_declared_causes_stand_in_for_the_verb():
    doc = results(*WITHOUT, "uet/*")
    verdicts = {c["id"]: c["verdict"] for c in doc["cases"]}
    assert set(verdicts.values()) == {"pass", "na"}, doc["totals"]
    for case in ("uet/rud/send-gtd@target", "uet/rud/ack/error-at-once@target",
                 "uet/rudi/error@target", "uet/rudi/read-error@target",
                 "uet/rud/edge/rto-current-clear@target",
                 "uet/rud/clear/offset-positive@target"):
        assert verdicts[case] == "pass", case
    for c in doc["cases"]:
        assert c["verdict"] == "pass" or "ses_policy" in c["reason"], c


def test_only_the_first_packet_errs():
    """Each packet of a message then becomes a message of its own."""
    doc = results(*WITHOUT, "uet/rud/send-multi-gtd@target")
    assert doc["totals"]["pass"] == 1, doc["cases"]
    done = expect(rung("run", *WITHOUT, "-v", "uet/rod/send-gtd@target"), 0)
    assert done.stdout.count("resource_index=0xffe") == 4, done.stdout
    assert done.stdout.count("--->|  std send eom som") >= 4, done.stdout
    # a part of a message
    doc = results(*WITHOUT, "uet/rud/clear/mixed-message@target", code=4)
    assert "all packets of a message" in doc["cases"][0]["reason"]


def test_a_trimmed_request_is_refused():
    """A device that claims trim refuses what it shall refuse by a NACK, if
    the tester trims it; the row of the code that the case has stays open."""
    case = "uet/rud/nack-no-pkt-buffer@target"
    doc = results(*WITHOUT, case)
    [req] = [r for r in doc["requirements"]
             if (r["id"], r["role"]) == ("UET-NACK-07", "dst")]
    assert doc["totals"]["pass"] == 1 and req["verdict"] != "pass", req
    done = expect(rung("run", *WITHOUT, "-v", case), 0)
    assert "nack trimmed" in done.stdout, done.stdout
    # without the claim
    doc = results(*WITHOUT, *declare(), case, code=4)
    assert doc["cases"][0]["reason_id"] == "not-claimed", doc["cases"]
    decl = declare("claims response.nack")
    doc = results(*WITHOUT, *decl, case, code=4)
    assert doc["cases"][0]["reason_id"] == "no-cause", doc["cases"]
    # a target may drop a trimmed SYN
    doc = results(*WITHOUT, write("syn.lad", REFUSED_SYN), code=4)
    assert "trimmed SYN" in doc["cases"][0]["reason"], doc["cases"]


def test_the_answer_may_have_the_declared_codes_only():
    case = "uet/rudi/error@target"
    any_error = declare("cause error resource_index=0xffe")
    results(*WITHOUT, *any_error, case)
    some = declare("cause error resource_index=0xffe "
                   "return_code=no_match|bad_index")
    results(*WITHOUT, *some, case)
    other = declare("cause error resource_index=0xffe return_code=no_match")
    doc = results(*WITHOUT, *other, case, code=1)
    [found] = doc["cases"][0]["findings"][:1]
    assert found["what"] == "ses.return_code", found
    assert "return_code=no_match" in found["expected"], found


def test_a_cause_is_carried_by_all_packets_and_their_copies():
    lad = write("two.lad", TWO_PACKETS.format(""))
    decl = declare("cause gtd resource_index=0xffe")
    done = expect(rung("run", *WITHOUT, *decl, "-v", lad), 0)
    assert done.stdout.count("resource_index=0xffe") == 3, done.stdout
    decl = declare("cause gtd resource_index=0xffe packets=single")
    done = expect(rung("run", *WITHOUT, *decl, "-v", lad), 0)
    assert done.stdout.count("resource_index=0xffe") == 3, done.stdout
    lad = write("read.lad", TWO_PACKETS.format("").replace("send", "read"))
    expect(rung("run", *WITHOUT, *decl, lad), 4,
           out="messages of one packet")


def test_a_copy_cannot_be_answered_otherwise():
    lad = write("copy.lad", """\
title   The copy of a lost packet is to be answered otherwise
covers  UET-ACK-15
needs   rud send response.gtd

chair target
  use open
  base fwd=333
  respond gtd
  >  rud_req psn=333 ar | std send message_id=1 som eom | data 64 lost
  respond ok
  >  rud_req psn=333 ar retx | same after rto
  <  ack ack_psn=333 req!=clear [UET-ACK-15]
""")
    expect(rung("run", *WITHOUT, lad), 4, out="carries what the first one")
    expect(rung("run", "--dut", "virtual", lad), 0)


def test_a_declared_setting_needs_no_verb():
    """The device was configured by its own tool before the run, and its
    declaration says so."""
    cases = ("uet/nack/no-bitmap@target", "uet/rud/ack/coalesce-trigger@target",
             "uet/rud/edge/rto-limit-two@initiator",
             "uet/rud/nack/limit@initiator")
    expect(rung("run", "--without", "control,configur"), 2,
           err="no verb is called 'configur'; did you mean 'configure'?")
    without = ("--dut", "virtual", "--without", "configure")
    doc = results(*without, *cases, code=4)
    for case in doc["cases"]:
        assert "the device cannot be configured (" in case["reason"], case
    decl = declare("setting max_bitmaps=1 ack_gen_trigger=16384",
                   "setting ack_gen_min_pkt_add=1024",
                   "limit max_rto_retx 2", "limit max_nack_retx 2")
    doc = results(*without, *decl, *cases)
    assert [c["verdict"] for c in doc["cases"]] == 4 * ["pass"], doc["cases"]
    # another value of one of them
    decl = declare("setting max_bitmaps=2", "limit max_rto_retx 3")
    doc = results(*without, *decl, *cases, code=4)
    assert {c["verdict"] for c in doc["cases"]} == {"na"}, doc["cases"]


def test_a_claim_that_is_not_kept_is_one_finding():
    """The device claims ack_cc and sends plain ACKs: no row fails for it, and
    the cases that build on it are not reached."""
    build_on_it = ["uet/cc/rcvd-bytes@target", "uet/rud/ack/type-cc@target",
                   "uet/rud/edge/wrap-sack@target"]
    doc = results("--dut", "virtual", "--without", "configure", *build_on_it,
                  "uet/rud/send-gtd@target", code=1)
    assert doc["not_kept"] == [{"claim": "ack_cc", "seen": "ack", "cases": 3,
                                "case": build_on_it[0]}], doc["not_kept"]
    assert not doc["causes"], doc["causes"]
    for case in build_on_it:
        assert one(doc, case)["reason_id"] == "declaration-not-kept", case
        assert not one(doc, case)["findings"], case
    assert one(doc, "uet/rud/send-gtd@target")["verdict"] == "pass"
    verdicts = {(r["id"], r["role"]): r["verdict"] for r in doc["requirements"]}
    assert "fail" not in verdicts.values(), verdicts
    assert verdicts["UET-ACK-06", "dst"] == "not reached", verdicts


def test_without_any_control_the_wire_is_left():
    doc = results("--dut", "virtual", "--without", "control",
                  "uet/rud/send-gtd@*")
    assert one(doc, "uet/rud/send-gtd@target")["verdict"] == "pass"
    assert one(doc, "uet/rud/send-gtd@initiator")["verdict"] == "na"


def test_a_device_without_control_has_its_memory():
    doc = results("--dut", "virtual", "--without", "control",
                  "uet/rud/write-nongtd@*", "uet/rud/read-in-ack@*")
    assert one(doc, "uet/rud/write-nongtd@target")["verdict"] == "pass"
    assert one(doc, "uet/rud/read-in-ack@target")["verdict"] == "pass"


REFUSED = """\
title   A request that is refused
covers  UET-ACK-26
needs   rud send

chair target
  use open
  base fwd=333
  respond return_code=no_match times=1
  >  rud_req psn=333 ar | std send message_id=1 som eom | data 64
  <  ack ack_psn=333 cack_psn=333 req!=clear | response {} [UET-ACK-26]
"""


def test_what_follows_from_an_error_is_not_blamed():
    """An error is guaranteed, so that its CACK_PSN waits for the clear.  The
    code is the deviation, unless the line expects an error."""
    for terms, row, what in (
            ("message_id=1", "UET-SES-30", "ses.return_code"),
            ("return_code=ok", "UET-SES-30", "ses.return_code"),
            ("return_code=no_match", "UET-ACK-26", "ack.cack_psn")):
        lad = write("refused.lad", REFUSED.format(terms))
        doc = results("--dut", "virtual", lad, code=1)
        found = [f for f in doc["cases"][0]["findings"]
                 if not f["consequence"]]
        assert (found[0]["requirement"], found[0]["what"]) == (row, what), found
        failed = {r["id"] for r in doc["requirements"]
                  if r["verdict"] == "fail"}
        assert row in failed and len(failed) == 1, (terms, failed)


ACKED = """\
title   Two requests, the first one without success
covers  UET-ACK-15
needs   rud send

chair target
  use open
  base fwd=333
  {}
  >  rud_req psn=333 ar | std send message_id=1 som eom | data 64{}
  <  acked 333                                      [RUD-SVC-3]
  >  rud_req psn=334 ar | std send message_id=2 som eom | data 64
  <  ack ack_psn=334 | response return_code=ok      [UET-ACK-15]
"""


def test_acked_is_stepped_over():
    """The case continues behind an error, and behind an ACK that does not come.
    The row of the deviation fails in either case."""
    for respond, lost, row, what in (
            ("respond return_code=no_match times=1", "", "UET-SES-30",
             "ses.return_code"),
            ("", " lost", "RUD-SVC-3", "ack.missing")):
        lad = write("acked.lad", ACKED.format(respond, lost))
        rungs = []
        for options in ((), ("--step-over",)):
            doc = results("--dut", "virtual", *options, lad, code=1)
            [case] = doc["cases"]
            found = [f for f in case["findings"] if not f["consequence"]]
            assert [(f["requirement"], f["what"], f["stepped"])
                    for f in found] == [(row, what, bool(options))], found
            failed = {(r["id"], r["role"]) for r in doc["requirements"]
                      if r["verdict"] == "fail"}
            assert failed == {(row, "dst")}, failed
            rungs.append((case["rungs"]["expected"], case["rungs"]["matched"]))
        stop, go = rungs
        assert go == (stop[0] + 1, stop[1] + 1), rungs


# What an adapter of a page has: it posts, and reports what ended.
MINIMUM = ("configure,ses_policy,ses_pds_tx_req,ses_pds_tx_rsp,ses_pds_tx_ret,"
           "ses_pds_unlock,ses_pds_eager_req,send_cp")


def test_a_minimum_adapter_fails_nothing():
    for without in (MINIMUM, "control"):
        # Without configure the reference sends plain ACKs only.
        doc = results("--dut", "virtual", "--without", without, "uet/*",
                      code=None)
        assert not [c["id"] for c in doc["cases"] if c["verdict"] == "fail"]


def test_row_of_contents_says_what_was_compared():
    wire = ("--dut", "virtual", "--without", "control")
    expect(rung("run", *wire, "uet/lengths/send[len=64]@target"), 0,
           out="contents (I2/dst): no bytes were compared")
    done = expect(rung("run", "--dut", "virtual", "uet/lengths/send[len=64]"), 0)
    assert "contents" not in done.stdout


main(globals())
