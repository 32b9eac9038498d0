# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung check and rung ladder on plain RoCEv2: a capture of a foreign
stack, and captures with a gap, a duplicate, and an ignored NAK.

Usage: roce.py RUNG
"""
import json
import pathlib
import struct
import sys

import captures
from lib import expect, main, rung

ROCE = 4791
SEND, WRITE, READ, READ_RESP, ACK, ATOMIC_ACK = 0, 6, 12, 13, 17, 18
FIRST, MIDDLE, LAST, LAST_IMM, ONLY = range(5)
NAK, RNR = 0x60, 0x20
MTU = 256
HOSTS = {"A": "10.99.0.1", "B": "10.99.0.2"}

# The packets that a stack in Python exchanged with itself: send, read, write,
# atomic, an error, RNR NAKs and sequence errors. Columns: side, ms, opcode,
# PSN; for an answer its syndrome and MSN, for a READ or WRITE its length.
FOREIGN = """
B 0 0 1000 | B 28 1 1001 | B 64 1 1002 | B 92 3 1003 | A 180 17 1003 31 1
A 208 12 10000 1016 | B 224 13 10000 31 0 | B 268 14 10001 | B 300 14 10002
B 332 15 10003 31 0 | A 360 6 10004 1016 | A 392 7 10005 | A 416 7 10006
A 440 8 10007 | B 456 17 10007 31 2 | B 480 11 1004 0 | A 496 17 1004 31 2
B 528 19 1005 | A 536 18 1005 31 2 | A 568 12 10008 1016 | B 576 17 10008 98 2
A 608 0 10008 | B 617 17 10008 97 2 | A 640 1 10009 | A 666 1 10010
A 689 3 10011 | B 712 0 1006 | A 728 17 1006 32 3 | B 735 1 1007
B 776 1 1008 | B 800 3 1009 | B 1484 0 1006 | A 1504 17 1006 32 3
B 1532 1 1007 | B 1564 1 1008 | B 1600 3 1009 | B 2281 0 1006
A 2296 17 1006 32 3 | B 2304 1 1007 | B 2336 1 1008 | B 2361 3 1009
A 3044 0 10008 | B 3062 17 10008 33 2 | A 3068 1 10009 | B 3128 17 10008 96 2
A 3136 1 10010 | A 3172 3 10011 | A 3844 0 10008 | B 3860 17 10008 33 2
A 3868 1 10009 | B 3892 17 10008 96 2 | A 3900 1 10010 | A 3933 3 10011
"""


def ext(op, rest):
    """Returns the headers behind the BTH, and how many bytes of payload fit
    the opcode."""
    if op in (ACK, READ_RESP, READ_RESP + 2, READ_RESP + 3, ATOMIC_ACK):
        head = struct.pack(">BBH", rest[0], 0, rest[1])
        size = {ACK: 0, ATOMIC_ACK: 8, READ_RESP: MTU}.get(op, 248)
        return head, size
    if op == READ_RESP + 1:
        return b"", MTU
    if op == 19:  # compare and swap
        return bytes(28), 0
    if op in (WRITE, READ, WRITE + 4, WRITE + 5):
        imm = 4 if op == WRITE + 5 else 0
        size = {WRITE: MTU, WRITE + 4: 8}.get(op, 0)
        return struct.pack(">QII", 0, 0, rest[0]) + bytes(imm), size
    part = op % 6
    return bytes(4 if part == LAST_IMM else 0), \
        MTU if part in (FIRST, MIDDLE) else 248


def frame(who, op, psn, *rest, fill=0x55, bad=False):
    """Returns an Ethernet frame with an ICRC that covers an IP id and no
    DF."""
    src, dst = HOSTS[who], HOSTS["B" if who == "A" else "A"]
    head, size = ext(op, rest)
    pdu = struct.pack(">BBHII", op, 0, 0xffff, 2, psn & 0xffffff) + head + \
        bytes([fill]) * size
    addrs = b"".join(bytes(map(int, a.split("."))) for a in (src, dst))
    total = 20 + 8 + len(pdu) + 4
    ip = struct.pack(">BBHHHBBH", 0x45, 0, total, 7, 0, 64, 17, 0) + addrs
    udp = struct.pack(">HHHH", 0xc000, ROCE, total - 20, 0)
    out = captures.sealed(bytes.fromhex("020000000002020000000001" "0800") +
                          ip + udp + pdu + bytes(4))
    return out[:-1] + bytes([out[-1] ^ bad])


def capture(packets, name="x.pcap"):
    """Writes packets (side, ms, ...) to a file."""
    pathlib.Path(name).write_bytes(captures.pcap(
        [(int(p[1] * 1e6), frame(p[0], *p[2:])) for p in packets]))
    return name


def foreign():
    for row in FOREIGN.replace("|", "\n").split("\n"):
        word = row.split()
        if word:
            yield (word[0], *map(int, word[1:]))


def check(packets, *args, code=0):
    done = rung("check", "--json", "--flows", *args, capture(packets))
    expect(done, code)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    found = [(f["requirement"], f["frame"]) for f in lines
             if f["type"] == "finding"]
    return found, [f for f in lines if f["type"] == "flow"], lines[-1]


def at(who):
    return "--whole", "--at", HOSTS[who]


# Sends of one packet, from A, a millisecond apart.
def sends(*psns):
    return [("A", i, SEND + ONLY, psn) for i, psn in enumerate(psns)]


def test_a_foreign_stack():
    packets = list(foreign())
    for args in ((), at("A"), at("B")):
        found, flows, total = check(packets, *args)
        assert not found, found
        assert [f["mode"] for f in flows] == ["roce"] * 2
        assert total["nacks"] == {"0x20": 3, "0x21": 2, "0x60": 2, "0x61": 1,
                                  "0x62": 1}
        again = flows[0]["sides"][0]["again"]
        assert again["nack"] == 8 and again["timer"] == 0, again


def test_a_foreign_stack_as_a_ladder():
    name = capture(foreign())
    done = expect(rung("ladder", "--flow", 2, "--all", "--width", 120, name), 0)
    for word in ("rc_read_req psn=10000", "rc_read_resp_last psn=10003",
                 "syndrome=psn_seq_err", "rc_write_last psn=10007"):
        assert word in done.stdout, done.stdout


def test_a_gap_and_its_repair():
    """Go-back-N; the PSNs wrap in the middle."""
    lost = [("A", 0, SEND + ONLY, 0xffffff), ("A", 2, SEND + ONLY, 1),
            ("B", 3, ACK, 0, NAK, 1), ("A", 4, SEND + ONLY, 0),
            ("A", 5, SEND + ONLY, 1), ("B", 6, ACK, 1, 0x1f, 3)]
    found, flows, total = check(lost, *at("B"))
    assert not found, found
    assert flows[0]["sides"][0]["again"]["nack"] == 1
    assert "0x60" in total["nacks"]
    done = expect(rung("ladder", "--width", 120, "x.pcap"), 0)
    assert "PSN 0 was not seen yet" in done.stdout, done.stdout


def test_a_psn_that_was_left_out():
    found, _, _ = check(sends(0, 1, 3), *at("A"))
    assert found == [("ROCE-01", 3)], found


def test_a_gap_is_nobodys_fault_without_a_vantage_point():
    found, _, total = check(sends(0, 1, 3))
    assert not found, found
    assert "missing" in [x["name"] for x in total["restrictions"]]


def test_a_duplicate():
    twice = sends(5, 6) + [("B", 3, ACK, 6, 0x1f, 2),
                           ("A", 3.5, SEND + ONLY, 6)]
    found, flows, _ = check(twice, *at("A"))
    assert not found, found  # it was in its queue
    assert flows[0]["sides"][0]["duplicates"] == 1
    twice[-1] = ("A", 3000, SEND + ONLY, 6)
    found, _, _ = check(twice, *at("A"), code=1)
    assert found == [("I7", 4)], found


def test_a_timer():
    found, flows, _ = check(sends(5, 6) + [("A", 70, SEND + ONLY, 5)],
                            *at("A"))
    assert not found, found
    assert flows[0]["sides"][0]["again"]["timer"] == 1
    done = expect(rung("ladder", "--width", 120, "x.pcap"), 0)
    assert "lost, or its answer" in done.stdout, done.stdout


def test_a_nak_that_is_not_heeded():
    deaf = sends(5, 6, 7) + [("B", 3, ACK, 6, NAK, 1),
                             ("A", 4, SEND + ONLY, 8),
                             ("A", 1500, SEND + ONLY, 9)]
    found, _, _ = check(deaf, *at("A"))
    assert found == [("ROCE-04", 6)], found
    check(deaf, "--strict", *at("A"), code=1)


def test_an_ack_of_what_is_missing():
    found, _, _ = check(sends(5, 7) + [("B", 3, ACK, 7, 0x1f, 2)], *at("B"),
                        code=1)
    assert ("I5", 3) in found, found


def test_other_bytes_under_the_same_psn():
    packets = [frame("A", SEND + ONLY, 5),
               frame("A", SEND + ONLY, 5, fill=0x66)]
    pathlib.Path("x.pcap").write_bytes(
        captures.pcap([(i * 1000, p) for i, p in enumerate(packets)]))
    expect(rung("check", "x.pcap"), 1, "FAIL   I6/src")


def test_a_wrong_icrc_is_not_judged():
    packets = [frame("A", SEND + ONLY, 5),
               frame("A", SEND + ONLY, 5, fill=0x66, bad=True)]
    pathlib.Path("x.pcap").write_bytes(
        captures.pcap([(i * 1000, p) for i, p in enumerate(packets)]))
    expect(rung("check", "--whole", "x.pcap"), 0, "0 findings")


if __name__ == "__main__":
    main(globals())
