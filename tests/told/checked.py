#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares what "rung check" says about many small captures with a record.

tests/told/captures.tar.xz has the capture of a case for each written mutant,
and the beginning of some runs of the soak at three places, with zeroes as
payload.  Each is judged as it is, and so are copies of it with drawn changes:
packets are lost, copied, delayed, cut or trimmed, numbers are one off, and so
on (tests/told/captures.py).  Copies are judged with several promises about
them, and side by side in one stream with room for few flows.

The record, tests/golden/checked_golden.txt, has a line for each requirement
and role in each of these ways: how often it was looked at, how many findings
it has, and a digest of them all, with their frames, flows and words.  Other
lines have the flows and the summaries.  A wrong line is no proof of a fault:
the record is what the judge said when it was written.

Of the short captures every packet is changed in turn (tests/told/swept.py), and
these copies stand side by side in a few files.

A change that is meant changes the record: --write, and read the difference.
--lines WAY prints all that is said in one way, to compare two programs.  In a
swept way a finding names an address, and the summary behind it the file:
--change FILE ADDRESS prints which packet of which capture was changed there.

Usage: tests/told/checked.py RUNG [--write | --lines WAY | --change FILE ADDRESS]
Exit status 0, or 1 if something differs.
"""
import argparse
import collections
import difflib
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
import captures  # noqa: E402  pylint: disable=wrong-import-position
import swept  # noqa: E402  pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
STORED = HERE / "captures.tar.xz"
EDGES = HERE / "edges.txt"
RECORD = HERE.parent / "golden/checked_golden.txt"
HEAD = """\
# SPDX-License-Identifier: BSD-2-Clause
# What rung check says about drawn captures: tests/told/checked.py writes this
# file.  Requirement and role, times looked at, findings, digest of them.
"""
COPIES = 6
LIMIT = 300  # seconds of one way
DECL = """\
name another device
claims rud rod rudi uud send write read response.gtd
size mtu 2048
size max_ack_data 64
size mp_range 128
limit max_rto_retx 2
limit max_nack_retx 1
timer rto 1ms tolerance 100us
timer nack_time 300us tolerance 50us
timer ack_time 500us tolerance 100us
timer clear_time 300us tolerance 200us
"""
ENDS = ("10.0.0.1", "10.0.0.2")
# Options for captures that are seen at each of the ends.
LONG = ("--idle", "1h")
SWEPT = (("--whole", "--at", ENDS[0], "--decl", "ref", *LONG),
         ("--whole", "--at", ENDS[1], "--decl", "ref", "--trimmed", "26,28",
          *LONG))
JSON = ("--json",)
# Name of a way, folder that is judged, options.  JSON tells more of each flow,
# but rung needs twice as long for it as for text.
WAYS = (
    ("as recorded", "stored", JSON),
    ("no promise", "drawn", JSON),
    ("whole", "drawn", ("--whole",)),
    ("whole at 1", "drawn", ("--whole", "--at", ENDS[0], "--decl", "ref")),
    ("whole at 2", "drawn", ("--whole", "--at", ENDS[1], "--decl", "ref",
                             "--trimmed", "26,28")),
    ("other times", "drawn", ("--whole", "--at", ENDS[1], "--decl",
                              "other.decl")),
    ("edges at 1", "edges", ("--whole", "--at", ENDS[0], "--decl", "ref")),
    ("edges at 2", "edges", ("--whole", "--at", ENDS[1], "--decl", "ref",
                             "--trimmed", "26,28")),
    ("other sizes", "drawn", ("--whole", "--sizes",
                              "ack_ccx=32,nack_ccx=24,payload_length=12")),
    ("stream", "stream", (*JSON, "--whole")),
    ("stream of few flows", "stream", (*JSON, "--max-flows", "6", "--idle",
                                       "20ms")),
    ("swept at 1", "swept1", SWEPT[0]),
    ("swept at 2", "swept2", SWEPT[1]),
    ("swept at 1, undeclared", "swept1", ("--whole", "--at", ENDS[0], *LONG)),
    ("swept at 2, undeclared", "swept2", (*JSON, "--at", ENDS[1], *LONG)),
    ("swept, other times", "swept1", ("--whole", "--decl", "other.decl",
                                      *LONG)),
    ("one after another", "sequence", (*JSON, "--whole", "--max-flows",
                                       "3")),
)
KIND = re.compile(r'"type":"(\w+)"')
ROW = re.compile(r'"requirement":"([^"]+)","role":"(\w+)"')
SEEN = re.compile(r'"seen":(\d+)')
LOOKED = re.compile(r"  \w+ +(\S+/\w+) +\d+ findings, looked at (\d+) times")


def stored():
    """Yields (name, bytes) of the stored captures."""
    with tarfile.open(STORED) as tar:
        for member in tar:
            yield member.name, tar.extractfile(member).read()


def known_edges():
    """Returns the edges (packet, what, value) of each stored capture."""
    edges = collections.defaultdict(list)
    for line in EDGES.read_text().splitlines():
        if not line.startswith("#"):
            name, packet, what, value = line.split()
            edges[name].append((int(packet), what, int(value)))
    return edges


def fill_edges(folder, stem, edges, packets):
    """Writes both sides of each edge of a capture."""
    for packet, what, value in edges:
        for side in (value, value + 1):
            changed = captures.edged(packets, packet, what, side)
            file = f"{stem}.{packet}.{what}.{side}.pcapng".replace(":", "-")
            (folder / file).write_bytes(captures.write(changed))


def fill(folder):
    """Writes all captures that are judged."""
    for name in {place for _, place, _ in WAYS}:
        (folder / name).mkdir()
    (folder / "other.decl").write_text(DECL)
    streams, edges = ([], []), known_edges()
    for name, data in stored():
        (folder / "stored" / name).write_bytes(data)
        packets = captures.read(data)
        stem = name.removesuffix(".pcapng")
        fill_edges(folder / "edges", stem, edges[name], packets)
        for i in range(COPIES):
            changed = captures.Changer(f"{name} {i}").changed(packets)
            (folder / "drawn" / f"{stem}.{i}.pcapng").write_bytes(
                captures.write(changed))
            if i < 2 and changed:
                streams[i].append(changed)
    every = [(name, captures.read(data)) for name, data in stored()]
    for place, keeps in zip(("swept1", "swept2"), swept.ENDS):
        swept.fill(folder / place, every, keeps)
    join(folder / "stream" / "all.pcapng", streams[0], lambda n, _: n)
    join(folder / "sequence" / "all.pcapng", streams[1], lambda _, end: end)


def join(path, parts, start):
    """Writes captures as one, each with addresses of its own.  |start| gives
    the time of each in ms, from its number and the end of the one before."""
    packets, end = [], 0
    for number, part in enumerate(parts):
        new = captures.moved(part, 256 + number,
                             start(number, end) * captures.MS)
        end = max(p[0] for p in new) // captures.MS + 1
        packets += new
    path.write_bytes(captures.write(sorted(packets, key=lambda p: p[0])))


def check(rung, folder, place, options, **env):
    """Returns the lines that rung prints."""
    files = sorted(str(p.relative_to(folder))
                   for p in (folder / place).iterdir())
    try:
        done = subprocess.run(
            [rung, "check", "--strict", "--flows", "--requirements",
             "--max-findings", "1000000", *options, *files], cwd=folder,
            env={**os.environ, **env}, capture_output=True, timeout=LIMIT,
            check=False)
    except subprocess.TimeoutExpired:
        return ["rung check does not end"]
    if done.returncode not in (0, 1, 3, 4):
        return [f"rung check ends with status {done.returncode}: "
                + done.stderr.decode(errors="replace")[-500:]]
    return done.stdout.decode(errors="replace").splitlines()


def keyed_json(line):
    """Returns what a line of JSON is about: a requirement and role or another
    type; how often it was looked at; and the number of its findings."""
    row = ROW.search(line)
    if not row:
        kind = KIND.search(line)
        return kind[1] if kind else "other", 1, 0
    looked = SEEN.search(line)
    return ("/".join(row.groups()), int(looked[1]), 0) if looked \
        else ("/".join(row.groups()), 0, 1)


def keyed_text(line):
    """The same for a line of text that continues no other."""
    if line[0] != " " and line.startswith(("FAIL ", "REMARK ")):
        return line.split(None, 2)[1], 0, 1
    looked = LOOKED.match(line)
    if looked:
        return looked[1], int(looked[2]), 0
    return "flow" if line.startswith("  flow ") else "summary", 1, 0


def condensed(lines):
    """Returns a line for each requirement and role, and for the rest."""
    seen, found = collections.Counter(), collections.Counter()
    parts, key = collections.defaultdict(list), "other"
    for line in lines:
        if line[:4] != "    ":  # it continues the line before
            key, looked, finding = (keyed_json if line[:1] == "{"
                                    else keyed_text)(line or " ")
            seen[key] += looked
            found[key] += finding
        parts[key].append(line)
    return [f"{key} {seen[key]} {found[key]} "
            + hashlib.sha256("\n".join(parts[key]).encode()).hexdigest()[:8]
            for key in sorted(parts)]


def said(rung, folder, **env):
    """Yields (name of a way, lines)."""
    for name, place, options in WAYS:
        yield name, check(rung, folder, place, options, **env)


def record(rung, folder):
    """Returns the lines of the record."""
    out = HEAD.split("\n")[:-1]
    for name, lines in said(rung, folder):
        out += [f"== {name}", *condensed(lines)]
    return out


def threads_agree(rung, folder):
    """Returns whether two threads say what one says."""
    both = [check(rung, folder, "stream", ("--whole", "-j", n))
            for n in ("1", "2")]
    if both[0] != both[1]:
        print("\n".join(list(difflib.unified_diff(
            *both, "-j 1", "-j 2", lineterm="", n=0))[:20]))
    return both[0] == both[1]


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("rung", type=pathlib.Path)
    ap.add_argument("--write", action="store_true",
                    help="record what rung says now")
    ap.add_argument("--lines", metavar="WAY",
                    help="print what is said in this way, and compare nothing")
    ap.add_argument("--change", nargs=2, metavar=("FILE", "ADDRESS"),
                    help="print the change behind an address of a swept way")
    args = ap.parse_args()
    rung = args.rung.resolve()
    if args.change:
        print(swept.name(((n, captures.read(d)) for n, d in stored()),
                         *args.change))
        return 0
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        fill(folder)
        if args.lines:
            print("\n".join(dict(said(rung, folder))[args.lines]))
            return 0
        fresh = record(rung, folder)
        if not threads_agree(rung, folder):
            return 1
    if args.write:
        RECORD.write_text("\n".join(fresh) + "\n")
        return 0
    diff = list(difflib.unified_diff(
        RECORD.read_text().split("\n")[:-1], fresh, "recorded", "said",
        lineterm="", n=0))
    print("\n".join(diff[:60]))
    return 1 if diff else 0


if __name__ == "__main__":
    sys.exit(main())
