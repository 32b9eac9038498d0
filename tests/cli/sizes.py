#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests captures of implementations whose headers have other sizes.

The test changes a capture of the reference: ACK_CCX and NACK_CCX lose their
last 8 bytes, and the two upper bits of payload_length get another meaning.
"""
import json
import pathlib

from captures import frames, pcap
from lib import expect, main, rung

UET, IP, UDP = 42, 14, 34
ACK_CCX, NACK_CCX = 9, 12


def shorter(frame, at, by):
    """An Ethernet frame of IPv4 and UDP without some bytes of its payload."""
    out = bytearray(frame[:at] + frame[at + by:])
    for place in (IP + 2, UDP + 4):
        length = int.from_bytes(out[place:place + 2], "big") - by
        out[place:place + 2] = length.to_bytes(2, "big")
    out[IP + 10:IP + 12] = b"\0\0"
    total = sum(int.from_bytes(out[i:i + 2], "big")
                for i in range(IP, IP + 20, 2))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    out[IP + 10:IP + 12] = (0xffff - total).to_bytes(2, "big")
    return bytes(out)


def bent(frame):
    kind = frame[UET] >> 3
    if kind == ACK_CCX:
        return shorter(frame, UET + 32, 8)
    if kind == NACK_CCX:
        return shorter(frame, UET + 24, 8)
    return frame


def capture():
    case = "uet/encap/layout-ccx@target"
    expect(rung("run", "--dut", "virtual", "--out", "out", "-q", case), 0)
    [path] = pathlib.Path("out").rglob("capture.pcapng")
    seen = frames(path.read_bytes())
    kinds = {frame[UET] >> 3 for _, _, frame in seen}
    assert {ACK_CCX, NACK_CCX} <= kinds, kinds
    pathlib.Path("bent.pcap").write_bytes(
        pcap([(at, bent(frame)) for _, at, frame in seen]))


def check(*options):
    """Failures, and packets that end inside a header."""
    doc = json.loads(rung("check", "--json", *options, "bent.pcap").stdout)
    broken = [r["count"] for r in doc["restrictions"] if r["name"] == "broken"]
    return doc["fails"], sum(broken)


def test_sizes_that_are_told():
    capture()
    fails, broken = check()
    assert fails or broken > 1, (fails, broken)
    told = check("--sizes", "ack_ccx=32,nack_ccx=24,payload_length=12")
    assert told == (0, 1), told  # the packet that the case trims


def test_a_ladder_of_them():
    capture()
    drawn = [rung("ladder", *options, "--all", "bent.pcap").stdout for options
             in ((), ("--sizes", "ack_ccx=32,nack_ccx=24"))]
    whole = rung("ladder", "--all", *pathlib.Path("out").rglob(
        "capture.pcapng")).stdout
    right = [line for line in whole.splitlines() if "ack_ccx" in line]
    assert right
    assert all(line.rstrip() in drawn[1] for line in right), drawn[1]
    assert not all(line.rstrip() in drawn[0] for line in right), drawn[0]


def test_a_device_of_ours_has_the_usual_ones():
    expect(rung("run", "--dut", "virtual", "--sizes", "ack_ccx=32"), 2,
           err="for other devices")
    expect(rung("probe", "--dut", "virtual", "--sizes", "ack_ccx=28"), 2,
           err="expected ack_ccx=32")


def test_sizes_are_checked():
    capture()
    expect(rung("check", "--sizes", "ack_ccx=28", "bent.pcap"), 2,
           err="expected ack_ccx=32")


main(globals())
