#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Judges captures of other people's endpoints by librung, packet by packet and
by batches of frames, by "rung check" and, where there is a tshark, by the
Wireshark plugin, and compares the findings.

Usage: findings_test.py RUNG LIBRUNG PLUGIN_DIR CAPTURE...
"""
import ctypes
import json
import pathlib
import shutil
import socket
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "wireshark"))
from shark import ROCE, Shark  # noqa: E402

ICRC = 4
# UDP ports, enum rung_family, bytes behind the payload
FAMILIES = {4793: (0, 0), 61791: (2, ICRC), 4791: (3, ICRC)}


class Datagram(ctypes.Structure):
    """struct rung_datagram"""
    _fields_ = [("bytes", ctypes.c_char_p), ("len", ctypes.c_size_t),
                ("src", ctypes.c_char_p), ("dst", ctypes.c_char_p),
                ("entropy", ctypes.c_uint16), ("dscp", ctypes.c_uint8),
                ("ecn", ctypes.c_uint8), ("at_ns", ctypes.c_uint64),
                ("frame", ctypes.c_uint32)]


class Finding(ctypes.Structure):
    """struct rung_finding"""
    _fields_ = [("requirement", ctypes.c_char * 40),
                ("side", ctypes.c_char * 48), ("frame", ctypes.c_uint32),
                ("text", ctypes.c_char * 240),
                ("expected", ctypes.c_char * 240),
                ("actual", ctypes.c_char * 240),
                ("row", ctypes.c_uint32), ("role", ctypes.c_int),
                ("timing", ctypes.c_int), ("flow", ctypes.c_uint64),
                ("ends", ctypes.c_char * 48 * 2),
                ("pdcid", ctypes.c_uint16 * 2)]


class Conf(ctypes.Structure):
    """struct rung_conf"""
    _fields_ = [("complete", ctypes.c_int), ("at", ctypes.c_char_p),
                ("max_flows", ctypes.c_size_t), ("times", ctypes.c_uint64 * 4),
                ("sizes", ctypes.c_uint32 * 3), ("dscp", ctypes.c_uint8 * 2),
                ("udp_port", ctypes.c_uint16), ("facts", ctypes.c_int),
                ("part", ctypes.c_uint), ("parts", ctypes.c_uint)]


class Frame(ctypes.Structure):
    """struct rung_frame"""
    _fields_ = [("bytes", ctypes.c_char_p), ("len", ctypes.c_uint32),
                ("link", ctypes.c_uint32), ("at_ns", ctypes.c_uint64),
                ("doubtful", ctypes.c_uint8)]


class Facts(ctypes.Structure):
    """struct rung_facts"""
    _fields_ = [("flow", ctypes.c_uint64), ("times", ctypes.c_uint64 * 2),
                ("numbers", ctypes.c_uint32 * 10),
                ("initiator", ctypes.c_int), ("cause", ctypes.c_int),
                ("flags", ctypes.c_uint8 * 9)]


class Counts(ctypes.Structure):
    """struct rung_counts"""
    _fields_ = [("frames", ctypes.c_uint64), ("order", ctypes.c_uint64 * 2),
                ("times", ctypes.c_uint64 * 2), ("packets", ctypes.c_uint64),
                ("tunnels", ctypes.c_uint64), ("unread", ctypes.c_uint64 * 24),
                ("others", ctypes.c_uint64 * 7), ("flows", ctypes.c_uint64),
                ("rest", ctypes.c_uint64 * (3 + 256 + 192))]


FOUND = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Finding))
FLOW = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
RAW_IP, BATCH = 101, 64
NO_FLOW = 2**64 - 1


def frames(path):
    """The frames of a pcap file: time in ns, bytes without the link layer."""
    data = path.read_bytes()
    link = struct.unpack_from("<I", data, 20)[0]
    assert data[:4] == b"\xd4\xc3\xb2\xa1" and link in (1, 101), path
    at = 24
    while at < len(data):
        seconds, micros, length, _ = struct.unpack_from("<IIII", data, at)
        frame = data[at + 16:at + 16 + length]
        yield (seconds * 1000000 + micros) * 1000, \
            frame[14:] if link == 1 else frame
        at += 16 + length


def datagram(packet, at_ns, number):
    """A UDP datagram over IPv4 of a family that rung knows, or None."""
    head = 4 * (packet[0] & 15) if packet else 0
    if not head or packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_UDP:
        return None
    sport, dport, length = struct.unpack_from(">HHH", packet, head)
    if dport not in FAMILIES:
        return None
    family, trailer = FAMILIES[dport]
    payload = packet[head + 8:head + length - trailer]
    return family, Datagram(
        payload, len(payload), socket.inet_ntoa(packet[12:16]).encode(),
        socket.inet_ntoa(packet[16:20]).encode(), sport, packet[1] >> 2,
        packet[1] & 3, at_ns, number)


def by_library(lib, path):
    judge, found, room = ctypes.c_void_p(), set(), (Finding * 32)()
    assert not lib.rung_judge_new(ctypes.byref(judge), 0)
    for number, (at_ns, packet) in enumerate(frames(path), 1):
        item = datagram(packet, at_ns, number)
        if not item:
            continue
        n = lib.rung_judge_push(judge, item[0], ctypes.byref(item[1]), room, 32)
        assert 0 <= n <= 32, n
        found |= {(f.frame, f.requirement.decode(), f.side.decode(),
                   f.text.decode()) for f in room[:n]}
    lib.rung_judge_free(judge)
    return found


def by_watch(lib, path, size, facts=False):
    """The same by rung_watch_push, |size| frames a call: findings, counts,
    summaries of flows, and with |facts| the flows of the packets."""
    watch, conf, found, seen = ctypes.c_void_p(), Conf(), set(), set()
    counts, summaries, last = Counts(), [], Facts()
    lib.rung_conf_default(ctypes.byref(conf), 0)
    conf.facts = facts

    def take(_, finding):
        f = finding.contents
        found.add((f.frame, f.requirement.decode(), f.side.decode(),
                   f.text.decode()))

    hear, see = FOUND(take), FLOW(lambda _, flow: summaries.append(flow))
    assert not lib.rung_watch_new(ctypes.byref(watch), ctypes.byref(conf))
    lib.rung_watch_over(watch, see, None)
    every = list(frames(path))
    for at in range(0, len(every), size):
        some = every[at:at + size]
        room = (Frame * len(some))(*(Frame(p, len(p), RAW_IP, ns, 0)
                                     for ns, p in some))
        assert not lib.rung_watch_push(watch, room, len(some), at + 1, hear,
                                       None)
        if facts and not lib.rung_watch_facts(watch, ctypes.byref(last)):
            seen.add(last.flow)
    assert not lib.rung_watch_end(watch, 0, hear, None)
    lib.rung_watch_flows(watch, see, None)
    lib.rung_watch_counts(watch, ctypes.byref(counts))
    lib.rung_watch_free(watch)
    assert counts.frames == len(every)
    return found, counts, len(summaries), seen - {NO_FLOW}


def watches_agree(lib, path, program):
    """Batches of any size find what the program finds, which shares the code
    of rung_watch_push, in as many flows."""
    findings, summary, flows = program
    good = True
    for size in (1, 7, BATCH):
        found, counts, told, seen = by_watch(lib, path, size, size == 1)
        if found != findings:
            print(f"{path.name}: batches of {size}:", found ^ findings)
            good = False
        if (counts.packets, counts.flows, told) != (
                summary["packets"], summary["flows"], flows):
            print(f"{path.name}: {counts.packets} packets, {counts.flows} "
                  f"flows, {told} told, not", summary, flows)
            good = False
        good = good and (size > 1 or len(seen) > 0)
    return good


def by_program(rung, path):
    """Findings, the summary, and how many flows it lists."""
    done = subprocess.run([rung, "check", "--json", "--flows", path], text=True,
                          capture_output=True, check=False)
    assert done.returncode in (0, 1), done
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return ({(f["frame"], f'{f["requirement"]}/{f["role"]}', f["side"],
              f["text"]) for f in lines if f["type"] == "finding"},
            lines[-1], sum(f["type"] == "flow" for f in lines))


def by_plugin(shark, path):
    """Frames and requirements; the other members are no fields."""
    found = set()
    for frame, *texts in shark.fields(shark.keep(path), "frame.number",
                                      "uet.requirement", "roce.requirement",
                                      args=ROCE):
        found |= {(int(frame), name) for text in texts
                  for name in text.split(",") if name}
    return found


def main():
    rung, library, plugins, *captures = sys.argv[1:]
    shark = shutil.which("tshark") and pathlib.Path(plugins).is_dir() and \
        Shark(plugins)
    lib = ctypes.CDLL(library)
    lib.rung_judge_free.argtypes = [ctypes.c_void_p]
    lib.rung_watch_push.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
                                    ctypes.c_size_t, ctypes.c_uint64, FOUND,
                                    ctypes.c_void_p]
    total, same = 0, True
    for path in map(pathlib.Path, captures):
        ours, program = by_library(lib, path), by_program(rung, path)
        theirs = program[0]
        same = watches_agree(lib, path, program) and same
        for who, only in (("library", ours - theirs), ("program", theirs - ours)):
            for finding in sorted(only):
                print(f"{path.name}: only the {who}: {finding}")
        if shark:
            ours_too = {finding[:2] for finding in theirs}
            shown = by_plugin(shark, path)
            if shown != ours_too:
                print(f"{path.name}: only one of plugin and program:",
                      sorted(shown ^ ours_too))
                same = False
        total += len(ours & theirs)
        same = same and ours == theirs
    assert same and total > 20, total
    print(f"{len(captures)} captures, {total} findings, alike")


if __name__ == "__main__":
    main()
