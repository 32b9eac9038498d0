#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Judges captures of other people's endpoints by librung, by "rung check" and,
where there is a tshark, by the Wireshark plugin, and compares the findings.

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
                ("actual", ctypes.c_char * 240)]


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


def by_program(rung, path):
    done = subprocess.run([rung, "check", "--json", path], text=True,
                          capture_output=True, check=False)
    assert done.returncode in (0, 1), done
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {(f["frame"], f'{f["requirement"]}/{f["role"]}', f["side"],
             f["text"]) for f in lines if f["type"] == "finding"}


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
    total, same = 0, True
    for path in map(pathlib.Path, captures):
        ours, theirs = by_library(lib, path), by_program(rung, path)
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
