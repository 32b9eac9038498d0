#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how many small packets a second "rung bridge" forwards one way
between two
pairs of virtual Ethernet ports, with 100 rules: generator, bridge and sink on
the same two processors, counted at the sink.

The load on each kind of port grows step by step; the output has the rate that
arrived.  Then the
same with judge and capture on.  Prints one JSON object.

Usage: bench/bridge.py [BUILD_DIR]
BENCH_SECONDS is how long each is counted (default 1).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = pathlib.Path(sys.argv[1] if sys.argv[1:] else "build").resolve() / "bin"
RUNG = str(BIN / "rung")
SECONDS = float(os.environ.get("BENCH_SECONDS", 1))
PEER = os.environ.get("LAB_PEER", "").split()
MIDDLE = os.environ.get("LAB_MIDDLE", "").split()
OFFERED = (100, 150, 200, 300, 400, 600)  # thousands a second
RULES = 100


def count():
    done = subprocess.run([*PEER, "ip", "-s", "-j", "link", "show", "vb"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[0]["stats64"]["rx"]["packets"]


def offer(kpps):
    """Sends at that rate; returns the offered rate and the rate that
    arrived."""
    packets = int(kpps * 1000 * SECONDS)
    before, began = count(), time.monotonic()
    done = subprocess.run(
        ["taskset", "-c", "0", RUNG, "send", "f.pcap", "--port", "va", "-q",
         "--json", "--rate", f"{kpps}k", "--count", str(packets),
         "--set", "psn=0..999"], capture_output=True, text=True, check=True)
    said, sent = json.loads(done.stdout), packets
    last = -1
    while (now := count()) != last:  # for packets that are still in flight
        last = now
        time.sleep(0.1)
    arrived = last - before
    return {"offered_kpps": round(sent / said["seconds"] / 1000, 1),
            "forwarded_kpps": round(arrived / said["seconds"] / 1000, 1),
            "arrived": round(min(1, arrived / sent), 4),
            "took": round(time.monotonic() - began, 2)}


def measure(port, *args):
    """Raises the load until a tenth of the packets is lost."""
    bridge = subprocess.Popen(
        [*MIDDLE, "taskset", "-c", "1", RUNG, "bridge", "--rules", "x.rules",
         "-q", *args, f"{port}:ma", f"{port}:mb"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    out = []
    try:
        time.sleep(0.5)
        offer(10)
        for kpps in OFFERED:
            out.append(offer(kpps))
            if out[-1]["arrived"] < 0.9:
                break
    finally:
        bridge.terminate()
        bridge.wait()
    whole = [x["forwarded_kpps"] for x in out if x["arrived"] >= 0.999]
    return {"without_loss_kpps": max(whole, default=0),
            "most_kpps": max(x["forwarded_kpps"] for x in out), "offers": out}


def main():
    pathlib.Path("x.rules").write_text("".join(
        f"drop > rud_req psn={i * 7} nth=4294967295\n" for i in range(RULES)))
    subprocess.run([RUNG, "gen", "uet/rud/send-gtd@target", "--count", "1",
                    "-q", "-o", "f.pcap"], check=True)
    size = pathlib.Path("f.pcap").stat().st_size - 40
    result = {"bench": "bridge", "bytes": size, "rules": RULES,
              "seconds": SECONDS, "forwarding_alone": {}, "judged": {},
              "judged_and_captured": {}}
    for port in ("ring", "xdp", "raw"):
        result["forwarding_alone"][port] = measure(port, "--no-judge")
    result["judged"]["ring"] = measure("ring")
    result["judged_and_captured"]["ring"] = measure("ring", "-o", "x.pcapng")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    if not MIDDLE:
        sys.exit(subprocess.run([str(ROOT / "tools/lab"), "--between",
                                 sys.executable, os.path.abspath(__file__),
                                 str(BIN.parent)]).returncode)
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        main()
