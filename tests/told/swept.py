# SPDX-License-Identifier: BSD-2-Clause
"""Captures of tests/told/checked.py in which every packet is changed in turn.

Each packet of each short stored capture is lost, comes twice, changes places
with the next, comes again late, and has another value in some bytes of its
headers.  Which bytes those are, and the values, depends on the number of the
packet, so that all bytes of all kinds of packets have their turn.  Others come
just before and just after a limit of a time (tests/told/times.py).

The changed captures stand side by side in a few files, one for each kind of
change: one end keeps its address, so that --at can name it, and the other end
has an address of its own in each.
"""
import collections
import itertools
import pathlib
import struct

import captures

TIMES = pathlib.Path(__file__).resolve().parent / "times.txt"

ENDS = (b"\x0a\0\0\1", b"\x0a\0\0\2")
LONGEST = 24  # packets of a capture
AT_ONCE = 2500  # captures of one file
HEADER = 48  # bytes that are changed
TURN = 6  # of so many bytes one is changed
FIRST = 256  # number of the first address
SHORT = 1_000  # ns
SPACE = 7_001  # ns between the beginnings of two captures
SPANS = (50_000, 450_000, 1_050_000, 2_100_000, 5_000_000, 30_000_000,
         310_000_000, 61_000_000_000)


def lost(packets, at, _):
    yield packets[:at] + packets[at + 1:]


def twice(packets, at, _):
    time, frame = packets[at]
    yield packets + [(time + SHORT, frame)]


def swapped(packets, at, _):
    if at + 1 < len(packets):
        now = list(packets)
        now[at] = packets[at][0], packets[at + 1][1]
        now[at + 1] = packets[at + 1][0], packets[at][1]
        yield now


def again(packets, at, turn):
    """The packet comes again late, or it and all later ones come late."""
    time, frame = packets[at]
    span = SPANS[turn % len(SPANS)]
    yield packets + [(time + span, frame)]
    span = SPANS[(turn + 3) % len(SPANS)]
    yield packets[:at] + [(t + span, f) for t, f in packets[at:]]


def stepped(packets, at, turn):
    """Some bytes of the headers have other values."""
    time, frame = packets[at]
    end = min(len(frame), captures.HEADS + HEADER)
    for place in range(captures.HEADS + turn % TURN, end, TURN):
        now = bytearray(frame)
        now[place] = (now[place] + 1 & 255, now[place] - 1 & 255,
                      now[place] ^ 1 << (turn + place) % 8, 0,
                      255)[(turn // TURN + place) % 5]
        yield packets[:at] + [(time, captures.mend(now))] + packets[at + 1:]


def delayed(packets, at, what, value):
    """Returns packets of which one comes |value| ns later: "late"; or it and
    all later ones do: "wait"."""
    end = len(packets) if what == "wait" else at + 1
    return packets[:at] + [(t + value, f) for t, f in packets[at:end]] \
        + packets[end:]


def timed(packets, at, edges):
    """Both sides of each edge."""
    for what, value in edges:
        yield delayed(packets, at, what, value)
        yield delayed(packets, at, what, value + 1)


KINDS = {"lost": lost, "twice": twice, "swapped": swapped, "again": again,
         "stepped": stepped, "timed": timed}


def moved(frame, keeps, number):
    """Returns a frame in which the end that is not |keeps| has an address of
    its own."""
    frame = bytearray(frame)
    for at in (26, 30):
        if frame[at:at + 4] != keeps:
            frame[at + 1:at + 3] = struct.pack(">H", number)
    if captures.has_icrc(frame):
        frame[-4:] = captures.icrc(frame)
    return bytes(frame)


def plain(stored):
    """Yields (name, packets) of the captures that are changed."""
    for capture, packets in stored:
        if 0 < len(packets) <= LONGEST and all(
                captures.is_plain(frame) for _, frame in packets):
            begin = packets[0][0]
            yield capture, [(time - begin, frame) for time, frame in packets]


def known_times():
    """Returns the edges (what, value) of each capture and packet."""
    edges = collections.defaultdict(list)
    for line in TIMES.read_text().splitlines():
        if not line.startswith("#"):
            capture, packet, what, value = line.split()
            edges[capture, int(packet)].append((what, int(value)))
    return edges


def changed(stored, kind):
    """Yields (name, number of the packet, packets) of each change."""
    turn, edges = 0, known_times()
    for capture, packets in plain(stored):
        for at in range(len(packets)):
            turn += 1
            for now in KINDS[kind](packets, at, edges[capture, at]
                                   if kind == "timed" else turn):
                yield capture, at, now


def fill(folder, stored, keeps):
    """Writes the changed captures; |keeps| is the address of one end."""
    for kind in KINDS:
        write_all(folder, f"{kind}-", keeps, (
            packets for _, _, packets in changed(stored, kind)))


def name(stored, file, address):
    """Returns which capture and packet were changed in this file and between
    these addresses."""
    kind, number = file.removesuffix(".pcapng").split("-")
    high, low = address.split(".")[1:3]
    at = int(number) * AT_ONCE + int(high) * 256 + int(low) - FIRST
    capture, packet, _ = next(itertools.islice(
        changed(stored, kind), at, None))
    return f"{capture}, packet {packet}"


def write_all(folder, stem, keeps, many):
    """Writes captures side by side, in files |stem| and a number."""
    part, number = [], 0
    for number, packets in enumerate(many):
        if number and number % AT_ONCE == 0:
            write(folder, stem, number // AT_ONCE - 1, part)
            part = []
        start = captures.MS + number % AT_ONCE * SPACE
        part += [(start + time, moved(frame, keeps, FIRST + number % AT_ONCE),
                  len(frame)) for time, frame in packets]
    write(folder, stem, number // AT_ONCE, part)


def write(folder, stem, number, part):
    (folder / f"{stem}{number:03}.pcapng").write_bytes(
        captures.write(sorted(part, key=lambda p: p[0])))
