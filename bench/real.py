#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures how fast rung check judges traffic of an imperfect network,
compared with other programs.

bench_real makes captures of the reference: with 0.1 %, 1 % and 5 % of each
impairment, 1, 8 and 64 paths, 1,000 and 100,000 PDCs, ACK, ACK_CC and ACK_CCX,
all modes.  One more joins captures of the soak, of all four families.  In turns,
a loop of libpcap reads each capture, rung check judges it with one thread and
with two, and tshark reads the first packets of it, without and with the UET
plugin of the build.  Prints one JSON object, which names the versions of both.

Usage: bench/real.py BIN [--packets N] [--runs N] [--all | --few]

BIN is build/bin.  Rates are packets per second of processor time, the best run
of each, without the time that a program needs to start; "times_2_threads" is
the ratio of wall-clock times, and null while other programs use the processors.
Each capture is read from the disk once before it is measured: the kernel then
holds it in large pieces, which cost a reader less than those of a new file.
tshark is slower without the plugin, since it then asks its other dissectors
whether a packet is theirs.  Without --all one value at a time differs from 1 %,
8 paths, 1,000 PDCs and ACK_CC.
"""
import argparse
import itertools
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

import figure

USUAL = {"permille": 10, "paths": 8, "pdcs": 1000, "acks": 1, "modes": 1,
         "short": 0}
VARIED = {"permille": (0, 1, 10, 50), "paths": (1, 8, 64),
          "pdcs": (1000, 100000), "acks": (0, 1, 2, 3), "modes": (1, 15),
          "short": (0, 1)}
TRIMMED = "26,28"  # DSCPs of oracle/core/orc.c
TSHARK_PACKETS = 100000
TSHARK = "tshark", "tshark_plugin"
FAMILIES = "uet", "srd", "wqe", "roce"
SOAK_RUNS = 300
NOBODY = 65534
NO_TSHARK = "tshark is not installed, or it does not load the plugin"
PCAP = struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 101)
PACKET = 6  # enhanced packet block
SECOND = 10**9


def append(out, data, now):
    """Appends the packets of a pcapng file that begins at |now|, in ns; its
    times have that unit.  Returns the time of the next file."""
    at, last = 0, 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == PACKET:
            high, low, kept, orig = struct.unpack_from("<IIII", data, at + 12)
            last = high << 32 | low
            out.write(struct.pack("<IIII", *divmod(now + last, SECOND), kept,
                                  orig) + data[at + 28:at + 28 + kept])
        at += length
    return now + last


def drop(path):
    """Writes a file to the disk, and drops it from memory."""
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


def run(*command, **as_user):
    """Returns seconds of processor time and of the clock."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, **as_user)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 3, 4):  # findings; no packets
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
    return used.ru_utime + used.ru_stime, time.monotonic() - began


class Shark:
    """tshark without a plugin, and with the one of the build.  It runs as a
    user other than root: root may not load plugins from a folder."""

    def __init__(self, plugins, where):
        self.path, self.where = shutil.which("tshark"), where
        (where / "none").mkdir()
        if plugins.is_dir():
            shutil.copytree(plugins, where / "plugins")
        for path in [where, *where.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        self.version = self.says("--version").split("\n")[0] or None
        rows = [row.split("\t") for row in
                self.says("-G", "plugins", plugin=True).splitlines()
                if row.endswith("rung.so")]
        self.plugin = rows[0][1] if rows else None

    def user(self, plugin):
        """Returns the arguments of subprocess for user and plugins."""
        folder = self.where / ("plugins" if plugin else "none")
        out = {"env": {"PATH": os.environ["PATH"],
                       "HOME": str(self.where / "none"),
                       "WIRESHARK_PLUGIN_DIR": str(folder)}}
        if os.getuid() == 0:
            out.update(user=NOBODY, group=NOBODY, extra_groups=[])
        return out

    def says(self, *args, plugin=False):
        if not self.path:
            return ""
        return subprocess.run([self.path, *args], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False,
                              **self.user(plugin)).stdout


class Bench:
    """The programs, and how long each takes to start."""

    def __init__(self, conf, where):
        self.bin, self.runs, self.where = conf.bin, conf.runs, where
        self.shark = Shark(conf.bin.parent / "plugins", where)
        self.make("empty", packets=0)
        self.start = {name: min(self.run(name, command)[0]
                                for _ in range(self.runs))
                      for name, command in self.commands("empty").items()}

    def run(self, name, command):
        if name not in TSHARK:
            return run(*command)
        return run(*command, **self.shark.user(name != "tshark"))

    def path(self, name):
        return str(self.where / name)

    def make(self, name, **values):
        subprocess.run([self.bin / "bench_real", "make", self.path(name),
                        *(f"{k}={v}" for k, v in values.items())], check=True)

    def join_families(self, name):
        """Joins captures of the soak, taken between the ends: one pcap file,
        since libpcap reads one section of a pcapng file."""
        now = 0
        with open(self.path(name), "wb") as out:
            out.write(PCAP)
            for family in FAMILIES:
                folder = self.where / family
                folder.mkdir()
                subprocess.run([self.bin / "rung_soak", "--family", family,
                                "--runs", str(SOAK_RUNS), "--captures",
                                folder], stdout=subprocess.DEVNULL, check=True)
                for path in sorted(folder.glob("*@middle.pcapng")):
                    now = append(out, path.read_bytes(), now)
                shutil.rmtree(folder)

    def commands(self, name):
        path = self.path(name)
        check = (self.bin / "rung", "check", "--trimmed", TRIMMED, path)
        all_of_them = {"libpcap_loop": (self.bin / "bench_real", "loop", path),
                       "judged": (*check, "-j", "1"),
                       "judged_2_threads": (*check, "-j", "2")}
        for word, is_there in zip(TSHARK, (self.shark.path,
                                           self.shark.plugin)):
            if is_there:
                all_of_them[word] = (
                    self.shark.path, "-n", "-q", "-z", "io,stat,0",
                    "-c", str(TSHARK_PACKETS), "-r", path)
        return all_of_them

    def count(self, name):
        """Returns the packets of a capture."""
        done = subprocess.run([self.bin / "bench_real", "loop",
                               self.path(name)], capture_output=True,
                              text=True, check=True)
        return int(done.stdout.split()[1])

    def measure(self, name):
        drop(self.path(name))
        commands, packets = self.commands(name), self.count(name)
        cpu = {word: [] for word in commands}
        wall = {word: [] for word in commands}
        busy = figure.idle(2)
        for _ in range(self.runs):
            for word, command in commands.items():
                if word in TSHARK and cpu[word]:
                    continue  # it takes longer than all others together
                took = self.run(word, command)
                cpu[word].append(took[0])
                wall[word].append(took[1])
        out = figure.Figures()
        for word, times in cpu.items():
            n = min(packets, TSHARK_PACKETS) if word in TSHARK else packets
            out.rate(word, n, min(times), self.start[word])
        out.ratio("judged_over_libpcap", "judged", "libpcap_loop")
        for word in TSHARK:
            if word not in cpu:
                out.put(word, None, NO_TSHARK)
            out.ratio(f"judged_over_{word}", "judged", word)
        busy = busy or figure.idle(2)
        if busy:
            out.put("times_2_threads", None, busy)
        else:
            out.put("times_2_threads", round(min(wall["judged"]) /
                                             min(wall["judged_2_threads"]), 2))
        return {"packets": packets,
                "bytes": os.path.getsize(self.path(name)), **out.json()}


def captures(every):
    """Values of the captures that are made."""
    if every:
        for values in itertools.product(*VARIED.values()):
            yield dict(zip(VARIED, values))
        return
    yield dict(USUAL)
    for name, values in VARIED.items():
        for value in values:
            if value != USUAL[name]:
                yield {**USUAL, name: value}
    # Measures the cost of a packet for a capture of small packets in order.
    yield {**USUAL, "permille": 0, "paths": 1, "acks": 0, "short": 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--packets", type=int, default=4000000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--few", action="store_true",
                        help="the first capture only, to see that it works")
    conf = parser.parse_args()
    with tempfile.TemporaryDirectory() as where:
        bench = Bench(conf, pathlib.Path(where))
        done = []
        for values in itertools.islice(captures(conf.all),
                                       1 if conf.few else None):
            bench.make("capture", packets=conf.packets, **values)
            done.append({**values, **bench.measure("capture")})
        if not conf.few:
            bench.join_families("families")
            done.append({"families": FAMILIES, **bench.measure("families")})
    print(json.dumps({"name": "real", "tshark_version": bench.shark.version,
                      "plugin_version": bench.shark.plugin, "captures": done},
                     indent=1))


if __name__ == "__main__":
    main()
