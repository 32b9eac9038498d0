#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The reference with other declared numbers passes every case.

Each line of CHANGES is a declaration that differs in one or a few lines, and
each combination of a covering array differs in nearly all of them: any two
values of two different lines stand together in one combination.  The reference
keeps what it declares, so a case that fails demands a number of the reference
and not the one that the device
declares.  A case may be na; the reason names the
line of the declaration.

Usage: tests/declared/declared.py RUNG [--only TEXT] [--pairs] [--seed N] [-j N]
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Sweeps up to 64 KiB are enough here.
LONG = ("uet/lengths/*mib*", "*=1048576]")

# "; " separates lines; "not WORD..." removes capabilities.
CHANGES = """
setting max_pdcs=1
setting max_peer_pdcs=2
setting max_bitmaps=1
setting max_cccs=1
setting ack_per_pkt=1
setting spray=4
setting max_pkt_buffers=1
setting max_pkt_buffers=3
setting max_ses_msgs=1
setting max_ses_msgs=3
setting max_rudi=1
setting max_rudi=2
setting psn_range=16
setting psn_range=64
setting cwnd=1
setting cwnd=3000
setting cwnd=4000
setting cwnd=5000
setting cwnd=65536
setting cc=1; not nscc
setting cc=1 credit_init=10; not nscc
setting cc=1 credit_init=64; not nscc
setting cc=1 credit_init=4 credit_unit=1024; not nscc
setting cc=1 cc_policy=2; not nscc
setting cc=1 credit_init=8388607; not nscc
setting cc_policy=1 link_rate=64000 base_rtt=2048 nscc_qa_gate=16; size in_flight 16
setting credit_unit=1
setting ack_gen_trigger=32768 ack_gen_min_pkt_add=0
setting ack_gen_trigger=8192 ack_gen_min_pkt_add=512
setting ack_gen_trigger=8192 ack_gen_min_pkt_add=100
setting ack_gen_trigger=32768 ack_gen_min_pkt_add=300; size mp_range 64; version 1.0.3
setting ack_gen_trigger=4096
setting ask_close_idle=400ms
setting ask_clear_time=10ms
setting start_psn=4294967295
setting read_time=1ms
setting read_time=2ms
setting infer_loss=1
setting srd_paths=1
setting srd_idle=1ms
setting srd_max_ctx=1
setting wqe_window=1
setting wqe_window=7
setting wqe_gbn=1
setting wqe_ind_psns=1
setting wqe_ind_psns=2
setting wqe_miss=0ms
setting wqe_miss=100us
setting wqe_rnr_retry=0
setting wqe_cache_device=0
limit max_nack_retx 1
limit max_nack_retx 9
limit max_nack_retx 31
limit max_rto_retx 1
limit max_rto_retx 2
limit max_rto_retx 7
limit max_rto_retx 15
timer nack_time 0us
timer nack_time 10us
timer nack_time 4ms
timer nack_time 1s
timer nack_time 8s
timer rto 1ms
timer rto 50ms
timer rto 1s
timer rto 8s
timer rto 5ms tolerance 100us
timer rto 5ms tolerance 20ms
timer ack_time 100us
timer ack_time 10ms
timer ack_time 1s
timer ack_time 2ms tolerance 100us
timer rto 1ms; timer ack_time 10ms
timer rto 100us tolerance 100us; timer ack_time 100us tolerance 100us; timer nack_time 10us
timer rto 8s; timer nack_time 8s; timer ack_time 1s; limit max_rto_retx 15; limit max_nack_retx 31
timer rto_max 5ms
timer rto_max 12ms
timer close_idle 1us
timer close_idle 10ms tolerance 100us
timer close_idle 1s tolerance 1ms
timer clear_time 0us
timer clear_time 100us
timer clear_time 10ms
timer clear_time 100ms
timer unresponsive 20ms
timer unresponsive 10s
id job_id 0
id job_id 0xffffff
id pid_on_fep 0
id pid_on_fep 0xfff
id resource_index 0
id resource_index 0xfff
id ri_generation 1
id ri_generation 0xff
id initiator 7
id initiator 0xffffffff
id memory_key 0x1001
id memory_key 0x5eed0102
id memory_key 0xfeedfacecafebeef; id rkey 0x77
id rkey 0xffffffff
id memory_offset 0x40
id memory_offset 0x100000000
id memory_offset 0xffffffffffe00000
id srd_qpn 0x1234
id srd_qkey 0xbadcafe
id wqe_qpn 0x9a5
size max_ack_data 0
size max_ack_data 1
size max_ack_data 7
size max_ack_data 8
size max_ack_data 512
size max_ack_data 1024
size max_ack_data 8192
size memory_len 0
size memory_len 64
size memory_len 1024
size memory_len 8192
size memory_len 1048576
size max_message 1
size max_message 1024
size max_message 4096
size max_message 8191
size max_message 1048576
size mp_range 128
size mp_range 4096
size mp_range 32640
size in_flight 1
size in_flight 127
size in_flight 1024
size stored 1
size stored 4
size stored 200
size eager 1
size eager 1024
size wqe_ooo 1
size wqe_ooo 2
size wqe_cache 0
size wqe_cache 8191
size wqe_cache 65537
size mp_range 64; version 1.0.3
size mp_range 127; version 1.0.3
size mtu 2048
size mtu 4096
size mtu 8192; not roce
size mtu 256; not rud rod rudi uud
size mtu 512; not rud rod rudi uud
size mtu 2048; not rud rod rudi uud
size mtu 4096; not rud rod rudi uud
size mtu 260; not rud rod rudi uud roce
size mtu 1000; not rud rod rudi uud roce
size mtu 9000; not rud rod rudi uud roce
size mtu 1500; not rud rod rudi uud roce wqe
size mtu 8999; not rud rod rudi uud roce wqe
dscp data 63
dscp control 0
dscp data 46; dscp control 0
dscp trimmed 63; dscp trimmed_lasthop 62
version 1.0.2
version 1.0.3
port 5000
port 65535
crc little
crc big
icrc strict
""".strip().splitlines()

# The values of each line of the covering array.
VALUES = """
version: 1.0.1 1.0.2 1.0.3
id job_id: 0x1 0 0xffffff
id pid_on_fep: 0x1 0 0xfff
id resource_index: 0x1 0 0xfff
id ri_generation: 0 0xff
id initiator: 0 0xffffffff
id memory_key: 0x1000 0x5eed0102 0xfeedfacecafebeef
id rkey: 0x1000 0xffffffff
id memory_offset: 0 0x40 0xffffffffff000000
id srd_qpn: 0x34 0xfffffe
id srd_qkey: 0x11223344 0
id wqe_qpn: 0x43 0xfffffe
size memory_len: 73728 1048576
size max_message: 67108864 262144 65536
size mtu: 1024 2048 4096 8192
size max_ack_data: 16 0 1 8 1024 8192
size mp_range: 1024 128 32640
size in_flight: 32640 1024 128
size stored: 64 1 20
dscp data: 0 10
dscp control: 46 0
dscp trimmed: 26 63
timer rto: 5ms 1ms 50ms 8s
timer nack_time: 1ms 0us 20ms 8s
timer ack_time: 2ms 100us 10ms 1s
timer clear_time: 1ms 0us 100ms
timer unresponsive: 200ms 10s
limit max_rto_retx: 5 1 2 15
limit max_nack_retx: 5 1 2 31
port: 4793 50000
crc: none little big
icrc: sock strict
""".strip().splitlines()

UET = ["rud", "rod", "rudi", "uud"]
# The groups of families that share an MTU; each needs its own combinations.
MTUS = [
    ("1024 2048 4096 8192", ["roce"]),
    ("256 512 1024 2048 4096", UET),
    ("256 260 1500 9000", UET + ["roce"]),
]

# A reason of na that names the declaration.
NA = re.compile(r'"(size|limit|timer|id|setting) \w+(, \w+ \w+)?" of the declaration|'
                r"the device does not claim|and the device opened another one")


def reference():
    """The declaration of the reference endpoint."""
    source = (ROOT / "suite/decl/decl_reference.c").read_text()
    source = source[source.index("decl_reference[]"):]
    lines = re.findall(r'"((?:\\.|[^"\\])*)"', source)
    return "".join(lines).encode().decode("unicode_escape")


def without(text, words):
    """The text without these capabilities."""
    def keep(match):
        left = [w for w in match[1].split() if w not in words]
        return f"claims {' '.join(left)}" if left else ""
    return re.sub(r"^claims (.*)$", keep, text, flags=re.M)


def changed_line(text, line):
    """The text with the line of the same key replaced, or with one more."""
    words = line.split()
    if words[0] == "not":
        return without(text, words[1:])
    keys = 2 if words[0] in ("id", "size", "dscp", "timer", "limit") else 1
    key, value = words[:keys], " ".join(words[keys:])
    old = r"\S+" if "tolerance" not in line else r"\S.*"
    pattern = re.compile(r"^(" + r"\s+".join(key) + r"\s+)" + old, re.M)
    if pattern.search(text):
        return pattern.sub(lambda m: m[1] + value, text)
    return f"{text}{line}\n"


def changed(text, change):
    """The text with all lines of a change."""
    for line in change.split("; "):
        text = changed_line(text, line)
    return text


def rows():
    """The lines of the covering array: key and values."""
    for line in VALUES:
        key, values = line.split(":")
        yield key, values.split()


def combine(lines, rng):
    """A covering array: any two values of two lines meet in one combination.

    Each combination takes up pairs that did not meet yet, as many as it can.
    """
    keys = [k for k, _ in lines]
    values = dict(lines)
    left = {frozenset(((a, x), (b, y)))
            for a, b in itertools.combinations(keys, 2)
            for x in values[a] for y in values[b]}
    while left:
        best, gain = None, -1
        for _ in range(8):
            seed = rng.choice(sorted(left, key=sorted))
            chosen = dict(seed)
            order = [k for k in keys if k not in chosen]
            rng.shuffle(order)
            for key in order:
                chosen[key] = max(rng.sample(values[key], len(values[key])),
                                  key=lambda v: sum(
                    frozenset(((key, v), item)) in left
                    for item in chosen.items()))
            met = {p for p in map(frozenset, itertools.combinations(
                chosen.items(), 2))} & left
            if len(met) > gain:
                best, gain, taken = chosen, len(met), met
        left -= taken
        yield best


def combinations(seed):
    """Changes of many lines, for each group of families that share an MTU."""
    rng = random.Random(seed)
    for mtus, other in MTUS:
        lines = [(k, mtus.split() if k == "size mtu" else v)
                 for k, v in rows()]
        for chosen in combine(lines, rng):
            change = [f"{k} {chosen[k]}" for k, _ in lines]
            yield "; ".join(change + ["not " + " ".join(other)])


def bad_cases(rung, change, seed):
    """Returns the results other than pass and na, a line each, and the count
    of verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        decl = pathlib.Path(folder, "decl")
        decl.write_text(changed(reference(), change))
        done = subprocess.run(
            [rung, "run", "--dut", "virtual", "--decl", decl, "--quiet",
             "--seed", str(seed), "--json", "-",
             *(f"--exclude={pattern}" for pattern in LONG)],
            capture_output=True, text=True, timeout=300, check=False)
    if not done.stdout or done.returncode == 2:
        return [f"rung ended with {done.returncode}: {done.stderr}"], {}
    cases = json.loads(done.stdout)["cases"]
    if not cases:
        return ["no case was run"], {}
    count = collections.Counter(c["verdict"] for c in cases)
    bad = [f"{c['verdict']} {c['id']}: {c['reason']}" for c in cases
           if c["verdict"] not in ("pass", "na") or
           (c["verdict"] == "na" and not NA.search(c["reason"]))]
    return bad, count


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("rung")
    ap.add_argument("--only", default="", help="changes with this text")
    ap.add_argument("--pairs", action="store_true",
                    help="the combinations of the covering array")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("-j", type=int, default=os.cpu_count())
    args = ap.parse_args()
    changes = list(combinations(args.seed)) if args.pairs else CHANGES
    changes = [c for c in changes if args.only in c]
    failed = 0
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        runs = pool.map(lambda c: bad_cases(args.rung, c, args.seed), changes)
        for change, (bad, count) in zip(changes, runs):
            print(f"{'FAIL' if bad else 'ok  '} {change} "
                  f"({count.get('na', 0)} na)")
            for line in bad:
                print(f"     {line}")
            failed += bool(bad)
            total.update(count)
    print(f"{len(changes)} declarations, {failed} with faults: "
          + ", ".join(f"{n} {v}" for v, n in sorted(total.items())))
    return 1 if failed or not changes else 0


if __name__ == "__main__":
    sys.exit(main())
