#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The reference with other declared numbers passes every case.

Each line of CHANGES is a declaration that differs in one number.  The reference
is what it says, so that a case that fails demands a number of the reference and
not the one that the device declares.  A case may be na; the reason names the
line of the declaration.

Usage: tests/declared/declared.py RUNG [--only TEXT] [-j JOBS]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

CHANGES = """
limit max_nack_retx 1
limit max_nack_retx 9
limit max_nack_retx 15
limit max_rto_retx 1
limit max_rto_retx 2
limit max_rto_retx 7
limit max_rto_retx 15
timer nack_time 0us
timer nack_time 10us
timer nack_time 4ms
timer rto 50ms
timer rto 1s
timer clear_time 100us
timer clear_time 10ms
timer clear_time 20ms
id job_id 0
id job_id 0xffffff
id pid_on_fep 0
id pid_on_fep 0xfff
id resource_index 0
id resource_index 0xfff
id ri_generation 1
id ri_generation 0xff
id initiator 7
id memory_key 0x5eed0102
id srd_qpn 0x1234
id srd_qkey 0xbadcafe
id wqe_qpn 0x9a5
size mtu 2048
size mtu 8192
id initiator 0xffffffff
size max_ack_data 0
size max_ack_data 1
size max_ack_data 7
size max_ack_data 8
size max_ack_data 512
size max_ack_data 1024
size max_ack_data 8192
id memory_key 0x1001
size memory_len 8192
size memory_len 1048576
size max_message 4096
size max_message 1048576
size mp_range 128
size mp_range 4096
port 5000
size mtu 2048
size mtu 4096
size mtu 8192
crc little
crc big
""".strip().splitlines()


def reference():
    """The declaration of the reference endpoint."""
    source = (ROOT / "suite/decl/decl_reference.c").read_text()
    source = source[source.index("decl_reference[]"):]
    lines = re.findall(r'"((?:\\.|[^"\\])*)"', source)
    return "".join(lines).encode().decode("unicode_escape")


def changed(text, change):
    """The text with the line of the same key replaced, or with one more."""
    *key, value = change.split()
    pattern = re.compile(r"^(" + r"\s+".join(key) + r"\s+)\S+", re.M)
    if pattern.search(text):
        return pattern.sub(lambda m: m[1] + value, text)
    return f"{text}{change}\n"


def bad_cases(rung, change):
    """What is neither pass nor na, a line each, and how many are na."""
    with tempfile.TemporaryDirectory() as folder:
        decl = pathlib.Path(folder, "decl")
        decl.write_text(changed(reference(), change))
        done = subprocess.run(
            [rung, "run", "--dut", "virtual", "--decl", decl, "--quiet",
             "--json", "-"], capture_output=True, text=True, timeout=120,
            check=False)
    if not done.stdout:
        return [f"rung ended with {done.returncode}: {done.stderr}"], 0
    cases = json.loads(done.stdout)["cases"]
    if not cases:
        return ["no case was run"], 0
    count = collections.Counter(c["verdict"] for c in cases)
    bad = [f"{c['verdict']} {c['id']}: {c['reason']}" for c in cases
           if c["verdict"] not in ("pass", "na")]
    return bad, count["na"]


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("rung")
    ap.add_argument("--only", default="", help="lines with this text")
    ap.add_argument("-j", type=int, default=os.cpu_count())
    args = ap.parse_args()
    changes = [c for c in CHANGES if args.only in c]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        runs = pool.map(lambda c: bad_cases(args.rung, c), changes)
        for change, (bad, na) in zip(changes, runs):
            print(f"{'FAIL' if bad else 'ok  '} {change} ({na} na)")
            for line in bad:
                print(f"     {line}")
            failed += bool(bad)
    return 1 if failed or not changes else 0


if __name__ == "__main__":
    sys.exit(main())
