#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how many frames of 128 bytes a second "rung send" sends over a pair
of virtual Ethernet ports, compared with trafgen, tcpreplay and bare loops: all
in one run, in turn, counted at the receiver.

Prints one JSON object.  The figure of a program that is not installed is null.

Usage: bench/send.py [BUILD_DIR]
BENCH_SECONDS sets the duration of each measurement (default 1), BENCH_ROUNDS
the number of rounds.
"""
import json
import os
import pathlib
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = pathlib.Path(sys.argv[1] if sys.argv[1:] else "build").resolve() / "bin"
SECONDS = float(os.environ.get("BENCH_SECONDS", 1))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 3))
PEER = os.environ.get("LAB_PEER", "").split()
SIZE = 128


# A port of rung takes real-time priority. On a shared machine the comparison
# would be unfair without the same priority for the other tools.
ALIKE = ["taskset", "-c", "0", "chrt", "--rr", "1"]


def frame():
    """UDP to UET's port, to a MAC address that no port has."""
    payload = bytes([0x10, 0, 0, 0]) + bytes(SIZE - 42 - 4)
    udp = struct.pack("!HHHH", 50000, 4793, 8 + len(payload), 0)
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp) + len(payload),
                       0, 0x4000, 64, 17, 0, bytes([10, 0, 0, 1]),
                       bytes([10, 0, 0, 2]))
    total = sum(struct.unpack("!10H", head))
    total = ~((total & 0xffff) + (total >> 16)) & 0xffff
    head = head[:10] + struct.pack("!H", total) + head[12:]
    return bytes.fromhex("020000000099020000000001" "0800") + head + udp + \
        payload


def write_inputs(data):
    head = struct.pack("=IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
    pathlib.Path("f.pcap").write_bytes(
        head + struct.pack("=IIII", 0, 0, SIZE, SIZE) + data)
    pathlib.Path("f.cfg").write_text(
        "{" + ", ".join(f"0x{b:02x}" for b in data) + "}\n")


def count():
    done = subprocess.run([*PEER, "ip", "-s", "-j", "link", "show", "vb"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[0]["stats64"]["rx"]["packets"]


def rate(command):
    """Returns how many frames arrive per second while the command runs."""
    if not shutil.which(command[0]):
        return None
    process = subprocess.Popen([*ALIKE, *map(str, command)],
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        before = count()
        until = time.monotonic() + 10
        while count() < before + 20000:
            if process.poll() is not None or time.monotonic() > until:
                return None
            time.sleep(0.01)
        first, began = count(), time.monotonic()
        time.sleep(SECONDS)
        last, ended = count(), time.monotonic()
        return (last - first) / (ended - began)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # trafgen has children
        process.wait()


def pace():
    """Measures a rate of 10,000 packets a second, as the sender reports it and
    as the receiver counts it."""
    seconds = max(1, round(SECONDS * 10))
    before = count()
    done = subprocess.run(
        [str(BIN / "rung"), "send", "f.pcap", "--port", "ring:va", "--rate",
         "10k", "--count", str(10000 * seconds), "-q", "--json"],
        capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    return {"asked": 10000, "seconds": said["seconds"],
            "packets_per_second": said["packets_per_second"],
            "arrived": count() - before, "late_ns": said["late_ns"]}


def main():
    data = frame()
    assert len(data) == SIZE
    write_inputs(data)
    rung = [str(BIN / "rung"), "send", "f.pcap", "-q", "--rate", "max",
            "--loop", "0", "--port"]
    bare = str(BIN / "bench_bare")
    ways = {
        "rung": [*rung, "va"],
        "rung_xdp": [*rung, "xdp:va"],
        "rung_ring": [*rung, "ring:va"],
        "rung_raw": [*rung, "raw:va"],
        "bare_xdp": [bare, "xdp", "va", data.hex()],
        "bare_packet": [bare, "packet", "va", data.hex()],
        "bare_libnet": [bare, "libnet", "va", data.hex()],
        "trafgen": ["trafgen", "--dev", "va", "--conf", "f.cfg", "--cpus",
                    "1", "--no-sock-mem"],
        "tcpreplay": ["tcpreplay", "-i", "va", "--topspeed", "--preload-pcap",
                      "--loop", "0", "f.pcap"],
    }
    runs = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, command in ways.items():
            if (got := rate(command)) is not None:
                runs[name].append(got)
    kpps = {name: round(statistics.median(got) / 1000, 1) if got else None
            for name, got in runs.items()}
    others = [kpps[x] for x in ("trafgen", "tcpreplay") if kpps[x]]

    def ratio(a, b):
        return round(a / b, 3) if a and b else None
    print(json.dumps({
        "bench": "send", "bytes": SIZE, "rounds": ROUNDS, "seconds": SECONDS,
        "kpps": kpps,
        "to_the_better_of_the_others":
            ratio(kpps["rung"], max(others, default=None)),
        "to_its_bare_loop": {
            "xdp": ratio(kpps["rung_xdp"], kpps["bare_xdp"]),
            "ring": ratio(kpps["rung_ring"], kpps["bare_packet"]),
            "raw": ratio(kpps["rung_raw"], kpps["bare_libnet"])},
        "pace": pace()}, indent=1))


if __name__ == "__main__":
    if not PEER:
        sys.exit(subprocess.run([str(ROOT / "tools/lab"), sys.executable,
                                 os.path.abspath(__file__),
                                 str(BIN.parent)]).returncode)
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        main()
