#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how many packets a second rung check takes from a live port without
loss, with every monitor on, compared with "tcpdump -w /dev/null" on the same
pair of virtual Ethernet ports, in one run.

bench_real makes a capture of imperfect traffic, and rung send sends it.  The
programs capture in turn, first at the highest rate of the sender, then at half
the interval between a rate with loss and one without.  Prints one JSON object.

Usage: bench/live.py [BUILD_DIR] [--few]

--few tries the highest rate only.  BENCH_SECONDS sets how long each one lasts
(default 1).  A figure is null if it cannot be known, and "no_figure" says why.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import figure

ROOT = pathlib.Path(__file__).resolve().parents[1]
FEW = "--few" in sys.argv
ARGS = [x for x in sys.argv[1:] if x != "--few"]
BIN = pathlib.Path(ARGS[0] if ARGS else "build").resolve() / "bin"
SECONDS = float(os.environ.get("BENCH_SECONDS", 1))
PEER = os.environ.get("LAB_PEER", "").split()
STEPS = 0 if FEW else 5
PACKETS = 200000
TRAFFIC = {"permille": 10, "paths": 8, "pdcs": 1000, "acks": 1, "modes": 1,
           "short": 0}
CHECK = [str(BIN / "rung"), "check", "--json", "--filter", "udp"]
DUMP = ["tcpdump", "-n", "-i", "vb", "-w", "/dev/null"]
PROGRAMS = {"check": [*CHECK, "--port", "vb"],
            "check_2_threads": [*CHECK, "--port", "vb", "-j", "2"],
            "check_xdp": [*CHECK, "--port", "xdp:vb"],
            "tcpdump": [*DUMP, "udp"],
            "tcpdump_32_mib": [*DUMP, "-B", "32768", "udp"]}
DELAY = 1.2  # seconds; libpcap has frames up to a second later
NET_RAW = 13  # CAP_NET_RAW


def status(pid):
    rows = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(row.split(":\t", 1) for row in rows if ":\t" in row)


def until_it_captures(process, name):
    """tcpdump says so; rung drops its capabilities."""
    if name.startswith("tcpdump"):
        while "listening on" not in process.stderr.readline():
            if process.poll() is not None:
                raise SystemExit(f"{name} ended")
        return
    while True:
        if process.poll() is not None:
            raise SystemExit(f"{name}: {process.stderr.read()}")
        now = status(process.pid)
        if now["Name"] == "rung" and not int(now["CapEff"], 16) >> NET_RAW & 1:
            return


def captured(name, out, err):
    """Returns the frames that a program had, and those that were dropped."""
    if name.startswith("tcpdump"):
        return (int(re.search(r"(\d+) packets? captured", err)[1]),
                int(re.search(r"(\d+) packets? dropped by kernel", err)[1]))
    last = json.loads(out.splitlines()[-1])
    return last["frames"], sum(q["dropped"] for q in last["queues"])


def send(rate, count):
    """Returns what the sender tells of itself."""
    done = subprocess.run(
        [str(BIN / "rung"), "send", "traffic.pcap", "--port", "va", "--loop",
         "0", "--count", str(count), "--rate", str(rate), "-q", "--json"],
        capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def trial(name, rate, count):
    """Sends |count| packets while a program captures them."""
    process = subprocess.Popen([*PEER, *PROGRAMS[name]], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        until_it_captures(process, name)
        sent = send(rate, count)
        time.sleep(DELAY)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    frames, dropped = captured(name, out, err)
    return {"offered": round(sent["packets_per_second"]),
            "seconds": sent["seconds"], "sent": count, "captured": frames,
            "dropped": dropped}


def lost(trial):
    return trial["dropped"] or trial["captured"] < trial["sent"]


def better(name, rate, count):
    """Tries once more if frames were lost, since other programs may be the
    cause.  Returns the better trial."""
    first = trial(name, rate, count)
    if FEW or not lost(first):
        return first
    return max(first, trial(name, rate, count), key=lambda t: t["captured"])


def search(name, most):
    """Returns all trials of a program, the first one at the highest rate."""
    trials = [better(name, "max", round(most * SECONDS))]
    low, high = 0, trials[0]["offered"]
    for _ in range(STEPS):
        if not lost(trials[0]):
            break
        rate = (low + high) // 2
        trials.append(better(name, rate, max(1, round(rate * SECONDS))))
        if lost(trials[-1]):
            high = rate
        else:
            low = rate
    return trials


def put_figures(out, name, trials):
    """At the highest rate, and the highest one that lost nothing."""
    first = trials[0]
    out.rate(f"{name}_taken", first["captured"], first["seconds"])
    whole = [t for t in trials if not lost(t)]
    best = max(whole, key=lambda t: t["offered"], default=None)
    if best:
        out.rate(f"{name}_without_loss", best["sent"], best["seconds"])
    elif FEW:
        out.put(f"{name}_without_loss", None, "only the highest rate was tried")
    else:
        out.put(f"{name}_without_loss", None, "each rate lost packets")


def main():
    subprocess.run([BIN / "bench_real", "make", "traffic.pcap",
                    f"packets={PACKETS}",
                    *(f"{k}={v}" for k, v in TRAFFIC.items())], check=True)
    busy = figure.idle(2)
    most = send("max", PACKETS)["packets_per_second"]
    out, trials = figure.Figures(), {}
    for name, command in PROGRAMS.items():
        if not shutil.which(command[0]):
            for what in "taken", "without_loss":
                out.put(f"{name}_{what}", None, "it is not installed")
            continue
        trials[name] = search(name, most)
        put_figures(out, name, trials[name])
    for what in "taken", "without_loss":
        name = f"check_over_tcpdump_{what}"
        if busy:
            out.put(name, None, busy)
        else:
            out.ratio(name, f"check_{what}", f"tcpdump_{what}")
    print(json.dumps({"bench": "live", "seconds": SECONDS, "traffic": TRAFFIC,
                      **out.json(), "trials": trials},
                     indent=1))


if __name__ == "__main__":
    if not PEER:
        sys.exit(subprocess.run([str(ROOT / "tools/lab"), sys.executable,
                                 os.path.abspath(__file__),
                                 *sys.argv[1:]]).returncode)
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        main()
