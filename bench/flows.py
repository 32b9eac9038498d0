#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures what many flows at a time cost rung check.

bench_check makes captures of 1 flow up to 10,000,000 flows, interleaved at
random, 5,000,000 packets a second.  In turns, a loop of libpcap reads each
capture, and rung check judges it with room for all flows.  The largest capture
is judged with less room and with shorter times of silence too (--max-flows,
--idle), which shows what these options save and what they lose.

Usage: bench/flows.py BIN [--flows N] [--each N] [--idle T,...] [--runs N]

BIN is build/bin.  A capture has --each packets for each flow on average, and at
least --packets.  The first --idle is that of every capture.  Times are of the
processor, the best of the runs, without the time that a program needs to start.
Memory is the largest resident set, without that of a run over no packets;
"bytes_per_flow" divides it by the flows, or by --max-flows if that is less.
"forgotten" flows gave way to others, and "evicted" is how often a silent flow
gave its hot memory back.  Captures are written to TMPDIR, about 120 bytes for
each packet; 10,000,000 flows need 15 GB of memory unless --idle is 1s or less.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import figure


def run(*command):
    """Returns seconds of processor time, bytes of memory, and the output."""
    child = subprocess.Popen([str(word) for word in command],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 4):  # findings; no packets
        raise SystemExit(f"failed: {command}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, out


class Bench:
    def __init__(self, conf, where):
        self.bin, self.runs = conf.bin, conf.runs
        self.path = where / "capture"
        self.make(1, 0)
        self.start = {name: min(run(*command)[:2] for _ in range(self.runs))
                      for name, command in self.commands(1, conf.idle[0]).items()}

    def make(self, flows, packets):
        subprocess.run([self.bin / "bench_check", "make", self.path,
                        str(flows), str(packets)], check=True)

    def commands(self, room, idle):
        return {"libpcap_loop": (self.bin / "bench_real", "loop", self.path),
                "judged": (self.bin / "rung", "check", "--json", "--max-flows",
                           room, "--idle", idle, "--max-findings", 1,
                           self.path)}

    def put_memory(self, out, most, flows):
        least = self.start["judged"][1]
        if most < 2 * least:
            out.put("memory", None, f"less than {least} bytes, which the "
                    "program needs without flows")
            return
        out.put("memory", most - least)
        out.put("bytes_per_flow", round((most - least) / flows))

    def measure(self, flows, packets, room, idle):
        took = {name: [] for name in self.start}
        for _ in range(self.runs):
            for name, command in self.commands(room, idle).items():
                took[name].append(run(*command))
        out = figure.Figures()
        for name, runs in took.items():
            out.rate(name, packets, min(r[0] for r in runs),
                     self.start[name][0])
        out.ratio("judged_over_libpcap", "judged", "libpcap_loop")
        rate = out.values["judged"]
        self.put_memory(out, min(r[1] for r in took["judged"]),
                        min(flows, room))
        end = json.loads(took["judged"][-1][2].splitlines()[-1])
        limits = {r["name"]: r["count"] for r in end["restrictions"]}
        return {"flows": flows, "packets": packets, "max_flows": room,
                "idle": idle, **out.json(),
                "ns_per_packet": round(1e9 / rate) if rate else None,
                "forgotten": limits.get("forgotten", 0),
                "evicted": limits.get("evicted", 0)}


def figures(conf, bench):
    """Yields the figures of each capture."""
    flows = 1
    while flows <= conf.flows:
        packets = max(conf.packets, flows * conf.each)
        bench.make(flows, packets)
        yield bench.measure(flows, packets, flows * 5 // 4 + 1, conf.idle[0])
        if flows == conf.flows:
            for idle in conf.idle[1:]:
                yield bench.measure(flows, packets, flows * 5 // 4, idle)
            for room in (flows // 10, flows // 100):
                yield bench.measure(flows, packets, max(room, 1), conf.idle[0])
        flows *= 10


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--flows", type=int, default=1000000,
                        help="the largest number, a power of 10")
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--packets", type=int, default=5000000)
    parser.add_argument("--idle", type=lambda s: s.split(","),
                        default=["60s", "1s", "100ms"])
    parser.add_argument("--runs", type=int, default=3)
    conf = parser.parse_args()
    with tempfile.TemporaryDirectory() as where:
        bench = Bench(conf, pathlib.Path(where))
        done = list(figures(conf, bench))
    print(json.dumps({"name": "flows", "captures": done}, indent=1))


if __name__ == "__main__":
    main()
