#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What the suite sees of a device that has none of the reference's hooks.

The device is the reference in virtual time, as tests/blackbox/device.decl
declares it, in three set-ups:

* wire: no control channel and no --trigger; chairs of targets count;
* minimum: a control channel that posts operations and reports their ends,
  without configure, ses_policy and the verbs of table 3-27;
* settings: both again for each line of OTHERS: a device that its maker has
  configured otherwise, and declares so.

A pair is a mandatory row and a role.  Pairs that pass with every hook and in no
set-up here are those that no black box can reach: docs/requirements.md lists
each with the reason, and --check compares the list.

Usage: tools/blackbox.py RUNG [--na] [--pairs] [--check]
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DECL = ROOT / "tests/blackbox/device.decl"
LIST = ROOT / "docs/requirements.md"
MINIMUM = ("configure,ses_policy,ses_pds_tx_req,ses_pds_tx_rsp,ses_pds_tx_ret,"
           "ses_pds_unlock,ses_pds_eager_req,send_cp")
# What another device of that kind declares: lines in place of those that begin
# alike, the port, and the cases that need it.
OTHERS = [
    ([], "virtual,native", ["uet/encap/native*"]),
    (["size     in_flight       128", "setting  ack_type=1"], "virtual",
     ["uet/cc/default-range", "uet/rud/edge/messages-in-turn",
      "uet/rud/edge/return-window", "uet/rud/edge/window-la*",
      "uet/ses-if/pause-*"]),
    (["size     in_flight       128",
      "setting  ack_type=1 max_pdcs=2 close_req_time=1s"], "virtual",
     ["uet/rud/edge/return-window-two"]),
    (["setting  ack_type=2 nack_ccx=1", "size     mp_range        1024"],
     "virtual", ["uet/encap/layout-ccx", "uet/rud/ack/type-ccx"]),
    (["setting  ack_type=1 cc=1 cc_policy=0 ccc_id=9 credit_unit=256 "
      "credit_init=100"], "virtual", ["uet/encap/layout-credit"]),
    (["claims   credit.return", "setting  ack_type=1 cc=1 cc_policy=0 ccc_id=9 "
      "credit_unit=256 credit_init=100 read_time=0"], "virtual",
     ["uet/rccc/return-spent"]),
    (["claims   credit.return", "setting  ack_type=1 cc=1 cc_policy=0 ccc_id=9 "
      "credit_unit=1 credit_init=2488"], "virtual",
     ["uet/rccc/return-repeat"]),
    (["claims   credit.return", "setting  ack_type=1 cc=1 cc_policy=0 ccc_id=9 "
      "credit_unit=1024 credit_init=2"], "virtual",
     ["uet/rudi/answer-no-credit"]),
    (["setting  ack_type=1 cc=1 cc_policy=0"], "virtual", ["uet/cc/c*"]),
    (["setting  cc=0 cc_policy=0 cwnd=1200"], "virtual",
     ["uet/rudi/answer-no-window"]),
    (["timer    nack_time   4500us tolerance 200us"], "virtual",
     ["uet/trim/return-at-once"]),
    (["setting  max_pdcs=1 close_req_time=1s"], "virtual",
     ["uet/nack/no-pdc-avail"]),
    (["setting  max_pdcs=1"], "virtual", ["uet/pdc/start-psn-again"]),
    (["setting  slow_index=0xdcc slow_time=2ms"], "virtual",
     ["uet/rud/send-deferred-slow"]),
    (["setting  max_cccs=1"], "virtual", ["uet/nack/no-ccc-avail"]),
    (["setting  max_bitmaps=1"], "virtual", ["uet/nack/no-bitmap"]),
    (["setting  max_peer_pdcs=1"], "virtual", ["uet/nack/no-resource-syn"]),
    (["setting  ack_type=1 sack_base=2"], "virtual",
     ["uet/cc/sack-base-aligned"]),
    (["setting  ack_type=1 sack_base=3",
      "setting  ack_gen_trigger=16384 ack_gen_min_pkt_add=1"], "virtual",
     ["uet/cc/sack-base-step"]),
    (["setting  read_time=2ms"], "virtual", ["uet/rud/read-multi-drawn"]),
    (["crc      big"], "virtual", ["uet/encap/crc-big-endian"]),
    (["setting  rod_nack_payload=0"], "virtual",
     ["uet/rod/nack-payload-zero"]),
    (["crc      none"], "virtual", ["uet/cp/noop", "uet/cc/probe"]),
    (["claims   rccc", "setting  ack_type=1 cc=1 cc_policy=2 link_rate=10 "
      "credit_init=0 credit_unit=1024 rccc_quantum=1"], "virtual",
     ["uet/rccc/*"]),
]


def run(rung, *args):
    """Returns the results of a run of the UET cases."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "results.json"
        done = subprocess.run([rung, "run", "--quiet", "--seed", "1", "--json",
                               out, *map(str, args)], capture_output=True,
                              text=True)
        if not out.exists():
            sys.exit(done.stderr)
        return json.loads(out.read_text())


def other(lines, folder):
    """Writes the declaration with other lines, and returns its path."""
    text = DECL.read_text()
    if any(line.startswith("setting") for line in lines):
        text = re.sub(r"^setting .*\n", "", text, flags=re.M)
    for line in lines:
        key = line.split()[:-1][:2]  # what a line of another value replaces
        if not line.startswith(("setting", "claims")):
            text = "".join(t for t in text.splitlines(True)
                           if t.split()[:len(key)] != key)
        text += line + "\n"
    if "ack_type=1" not in text or "cc=1" in text:
        text = text.replace(" nscc ", " ")
    if "cc_policy=1" not in text:
        text = text.replace(" window window.return", "")
    if "ack_type" not in text:
        text = text.replace(" ack_cc ", " ")
    path = pathlib.Path(folder) / "other.decl"
    path.write_text(text)
    return path


def levels():
    rows = (ROOT / "judge/requirements.def").read_text()
    return dict(re.findall(r'^REQ\(\w+, "([^"]+)", (\w),', rows, re.M))


def passed(doc):
    return {f"{r['id']}/{r['role']}" for r in doc["requirements"]
            if r["verdict"] == "pass"}


def ran_in(doc):
    return {c["id"] for c in doc["cases"] if c["verdict"] == "pass"}


def listed():
    """Returns the pairs that docs/requirements.md lists."""
    text = LIST.read_text().split("## Pairs that no black box reaches")[-1]
    return re.findall(r"^\* `([A-Z0-9a-z-]+/(?:src|dst))`", text, re.M)


def figures(rung):
    wire = run(rung, "--dut", "virtual", "--without", "control", "--decl", DECL,
               "uet/*@target")
    least = run(rung, "--dut", "virtual", "--without", MINIMUM, "--decl", DECL,
                "uet/*")
    full = run(rung, "--dut", "virtual", "uet/*")
    seen = passed(least)
    docs, ran = [wire, least], ran_in(wire)
    with tempfile.TemporaryDirectory() as folder:
        for lines, port, cases in OTHERS:
            decl = other(lines, folder)
            docs.append(run(rung, "--dut", port, "--without", MINIMUM,
                            "--decl", decl, *cases))
            seen |= passed(docs[-1])
            docs.append(run(rung, "--dut", port, "--without", "control",
                            "--decl", decl, *cases))
            ran |= {c for c in ran_in(docs[-1]) if c.endswith("@target")}
    level = levels()
    must = {p for p in passed(full) if level.get(p.split("/")[0]) == "M"}
    return (wire, least, docs, len(ran), sorted(must - passed(least)),
            sorted(must - seen))


def told(name, doc, na):
    ran = doc["totals"]["pass"]
    every = sum(doc["totals"].values())
    print(f"{name:9} {ran} of {every} chairs run, {100 * ran / every:.1f} %")
    if not na:
        return
    reasons = collections.Counter(c["reason_id"] for c in doc["cases"]
                                  if c["verdict"] == "na")
    for reason, n in reasons.most_common():
        print(f"  {n:4} {reason}")
        for c in doc["cases"]:
            if c["verdict"] == "na" and c["reason_id"] == reason:
                print(f"         {c['id']}: {c['reason']}")


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("rung", help="the program, build/bin/rung")
    args.add_argument("--na", action="store_true", help="why chairs do not run")
    args.add_argument("--pairs", action="store_true",
                      help="the mandatory pairs that need a hook")
    args.add_argument("--check", action="store_true",
                      help="compare docs/requirements.md")
    args = args.parse_args()
    wire, least, docs, ran, hooks, never = figures(args.rung)
    told("wire", wire, args.na)
    every = len(wire["cases"])
    print(f"declared  {ran} of {every} chairs run, {100 * ran / every:.1f} %, "
          "with one declaration or another")
    told("minimum", least, args.na)
    print(f"pairs     {len(hooks)} mandatory ones need a hook, "
          f"{len(never)} with any declaration")
    if args.pairs:
        print("".join(f"  {p}{'' if p in never else ' (by a setting)'}\n"
                      for p in hooks), end="")
    bad = [f"{c['id']}: {c['verdict']}: {c['reason']}" for doc in docs
           for c in doc["cases"] if c["verdict"] not in ("pass", "na")]
    if args.check and listed() != never:
        bad.append(f"{LIST.name} lists {listed()}, and these are {never}")
    for line in bad:
        print(line)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
