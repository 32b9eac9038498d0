#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Measures the share of mutants that rung check finds in captures of their
cases.

Each mutant runs the cases on its killed-by line.  The packets are written as
three plain captures: at the link of the device, at the link of the tester, and
between them.  "rung check --whole" judges
each, at the ends with --at.  Only findings against the device count, and of
those only rows that the reference does not show in the same case and place.

With --than FILE, written before by --json, a mutant that is found no more in
a place is an error if the share of that place is lower than it was.

Usage: tests/mutants/passive.py RUNG ROOT [--judge RUNG] [--keep DIR]
                                [--json FILE] [--than FILE]
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile

SECTION, INTERFACE, PACKET = 0x0a0d0d0a, 1, 6
COMMENT, DIRECTION = 1, 2
LINK = 0  # the interface of packets that crossed; reports/format/pcapng.h
PLACES = ("device", "tester", "middle")
REFERENCE = "reference"


def options(data):
    """The options of a block, as (code, bytes)."""
    while len(data) >= 4:
        code, length = struct.unpack_from("<HH", data)
        if not code:
            return
        yield code, data[4:4 + length]
        data = data[4 + (length + 3 & ~3):]


class Packet:
    """One packet of a capture that rung run wrote."""

    def __init__(self, number, block):
        self.iface, high, low, kept = struct.unpack_from("<IIII", block, 8)
        self.at = high << 32 | low
        self.data = block[28:28 + kept]
        self.sent = False  # by the device
        self.turn = 2 * number
        self.fate = self.behind = None
        first = True
        for code, value in options(block[28 + (kept + 3 & ~3):-4]):
            if code == DIRECTION:
                self.sent = struct.unpack("<I", value)[0] & 3 == 1
            elif code == COMMENT and first:
                first = False
                last = value.decode("utf-8", "replace").split(" -- ")[-1]
                m = re.match(r"(\w+) on the way(?: behind #(\d+))?", last)
                if m:
                    self.fate, self.behind = m.groups()

    def made(self):
        """Returns whether the packet is a duplicate, or was sent by neither
        end."""
        return self.fate in ("duplicate", "duplicated", "injected")

    def ends(self):
        """Returns the addresses of device and tester in an Ethernet frame."""
        data = self.data[14:]
        at, length = (12, 4) if data[0] >> 4 == 4 else (8, 16)
        pair = [socket.inet_ntop(
            socket.AF_INET if length == 4 else socket.AF_INET6,
            data[i:i + length]) for i in (at, at + length)]
        return pair if self.sent else pair[::-1]


def read(path):
    data, at, packets = path.read_bytes(), 0, []
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == PACKET:
            packets.append(Packet(len(packets) + 1, data[at:at + length]))
        at += length
    return packets


def seen_by(packets, device):
    """Returns the packets that an end sent, and those that arrived there."""
    seen = [p for p in packets
            if (not p.made() if p.sent == device else p.iface == LINK)]
    for p in seen:
        if device and not p.sent and p.behind:
            p.turn = 2 * int(p.behind) + 1
    return sorted(seen, key=lambda p: (p.at, p.turn))


def crossed(packets):
    return sorted((p for p in packets if p.iface == LINK),
                  key=lambda p: p.at)


def write(path, packets):
    out = [struct.pack("<IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1)]
    for p in packets:
        out.append(struct.pack("<IIII", p.at // 10**9, p.at % 10**9,
                               len(p.data), len(p.data)) + p.data)
    path.write_bytes(b"".join(out))


def capture(rung, mutant, cases, folder):
    """Writes three captures per case; a name has mutant, case, addresses and
    place."""
    with tempfile.TemporaryDirectory() as out:
        cmd = [rung, "run", "--dut", "virtual", "--quiet", "--strict",
               "--out", out]
        if mutant != REFERENCE:
            cmd += ["--mutant", mutant]
        subprocess.run(cmd + cases, capture_output=True, timeout=300,
                       check=False)
        for case in cases:
            path = pathlib.Path(out) / "cases" / case / "capture.pcapng"
            packets = read(path) if path.exists() else []
            if not packets:
                continue
            name = f"{mutant}~{case.replace('/', '%')}~"
            name += "~".join(packets[0].ends())
            write(folder / f"{name}~device.pcap", seen_by(packets, True))
            write(folder / f"{name}~tester.pcap", seen_by(packets, False))
            write(folder / f"{name}~middle.pcap", crossed(packets))


def judge(rung, files, at, more=()):
    """Findings against the device by file."""
    found = collections.defaultdict(set)
    args = [*more, *(["--at", at] if at else [])]
    for i in range(0, len(files), 400):
        done = subprocess.run(
            [rung, "check", "--whole", "--json", "--strict", *args,
             *map(str, files[i:i + 400])],
            capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            f = json.loads(line)
            name = pathlib.Path(f.get("file") or "").name
            if f["type"] == "finding" and f["side"] == name.split("~")[2]:
                found[name].add(f"{f['requirement']}/{f['role']}")
    return found


def judge_all(rung, folder, more=()):
    """Findings by place, mutant and case."""
    result = {place: collections.defaultdict(dict) for place in PLACES}
    by_args = collections.defaultdict(list)
    for path in sorted(folder.glob("*.pcap")):
        ends = dict(zip(PLACES, path.stem.split("~")[2:4]))
        by_args[ends.get(path.stem.split("~")[4])].append(path)
    for at, files in by_args.items():
        found = judge(rung, files, at, more)
        for path in files:
            mutant, case, _, _, place = path.stem.split("~")
            result[place][mutant][case] = found[path.name]
    return result


def shares(heads, result):
    """Counts by place the mutants found under their own row, and under any
    row."""
    seen = {}
    for place in PLACES:
        right = result[place][REFERENCE]
        own, any_row = set(), set()
        for head in heads:
            for case, rows in result[place][head["mutant"]].items():
                rows = rows - right.get(case, set())
                if head["violates"] in rows:
                    own.add(head["mutant"])
                if rows:
                    any_row.add(head["mutant"])
        seen[place] = {"own": sorted(own), "any": sorted(any_row),
                       "reference": sum(map(bool, right.values()))}
    return seen


def compare(seen, before):
    lower = False
    for place in PLACES:
        for kind in ("own", "any"):
            was, now = set(before[place][kind]), set(seen[place][kind])
            lower |= len(now) < len(was)
            for sign, names in ("-", was - now), ("+", now - was):
                for name in sorted(names):
                    print(f"{sign} {place} {kind}: {name}")
    return lower


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("rung")
    ap.add_argument("root", type=pathlib.Path)
    ap.add_argument("--judge", help="another rung judges")
    ap.add_argument("--keep", type=pathlib.Path,
                    help="the folder of the captures; those in it are used")
    ap.add_argument("--json", type=pathlib.Path)
    ap.add_argument("--than", type=pathlib.Path)
    args = ap.parse_args()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(args.root / "tools"))
    import mutate  # pylint: disable=import-outside-toplevel,import-error

    heads = [mutate.parse(p)[0]
             for p in sorted((args.root / "cases/mutants").glob("*.mut"))]
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.glob("*.pcap")):
            jobs = [(h["mutant"], h["killed-by"]) for h in heads]
            jobs.append((REFERENCE,
                         sorted({c for h in heads for c in h["killed-by"]})))
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                list(pool.map(
                    lambda j: capture(args.rung, j[0], j[1], folder), jobs))
        seen = shares(heads, judge_all(args.judge or args.rung, folder))
    for place in PLACES:
        s = seen[place]
        print(f"{place}: of {len(heads)} mutants {len(s['own'])} are found "
              f"under their own row, {len(s['any'])} under any; the reference "
              f"has findings in {s['reference']} cases")
    if args.json:
        args.json.write_text(json.dumps(seen, indent=1) + "\n")
    if args.than and compare(seen, json.loads(args.than.read_text())):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
