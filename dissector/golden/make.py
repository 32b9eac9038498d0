#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes the captures of this folder, byte by byte after the specification's
figures. This script packs the headers itself and does not use the code that
decodes them.

Usage: make.py          (in this folder)
"""
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "wireshark"))
from shark import icrc, ipv4, pcap, udp  # noqa: E402

A, B = 1, 2  # hosts
IDS = {A: 0x0a0a, B: 0x0b0b}
RUD, ROD, RUDI, RUDI_RESP, UUD = 2, 3, 4, 5, 6
SMALL, MEDIUM, STD, RESPONSE, DATA, DATA_SMALL = 1, 2, 3, 4, 5, 6
SEND, READ, WRITE, FETCH = 5, 2, 1, 4
CLEAR = 1


def prologue(kind, next_hdr, flags):
    return struct.pack(">H", kind << 11 | next_hdr << 7 | flags)


def req(src, psn, body, *, kind=RUD, next_hdr=STD, clear=-1, retx=0, ar=0,
        syn=0, offset=0, more=b""):
    """Returns a request; with |syn|, psn_offset replaces dpdcid."""
    dst = A + B - src
    return prologue(kind, next_hdr, retx << 4 | ar << 3 | syn << 2) + \
        struct.pack(">hIHH", clear, psn & 0xffffffff, IDS[src],
                    offset if syn else IDS[dst]) + more + body


def std(length, message_id, *, opcode=SEND, som=1, eom=1, data=None):
    """A standard request and its payload."""
    flags = eom << 1 | som
    head = struct.pack(">BBHBBHHHQIQ", opcode, flags, message_id, 0, 0, 1, 1, 1,
                       0, 0, 0)
    tail = struct.pack(">QI", 0, length)
    return head + tail + (bytes(range(length % 256)) if data is None else data)


def small(length, *, opcode=SEND, data=b""):
    return struct.pack(">BBHBBHHHQ", opcode, 3, length, 0, 0, 1, 1, 1, 0) + data


def response(message_id, *, opcode=1, code=1, length=0):
    return struct.pack(">BBHBBHI", opcode, code, message_id, 0, 0, 1, length)


def read_data(message_id, data, *, offset=0):
    return struct.pack(">BBHBBHHHII", 2, 1, 9, 0, 0, 1, message_id, len(data),
                       len(data), offset) + data


def ack(src, psn, cack, body=b"", *, kind=7, next_hdr=None, asks=0, retx=0,
        m=0, cc=b""):
    dst = A + B - src
    if next_hdr is None:
        next_hdr = RESPONSE if body else 0
    return prologue(kind, next_hdr, m << 5 | retx << 4 | asks << 1) + \
        struct.pack(">hIHH", psn - cack, cack & 0xffffffff, IDS[src],
                    IDS[dst]) + cc + body


def nscc(mpr, offset, bitmap, service, received):
    """CC section and NSCC state of an ACK_CC."""
    return struct.pack(">BBhQHB", 0, mpr, offset, bitmap, service, 0) + \
        received.to_bytes(3, "big") + struct.pack(">H", 0)


def nack(src, psn, code, *, retx=0, payload=0):
    dst = A + B - src
    return prologue(10, 0, retx << 4) + \
        struct.pack(">BBIHHI", code, 0, psn & 0xffffffff, IDS[src], IDS[dst],
                    payload)


def cp(src, ctl, psn, payload=0, *, ar=0, retx=0):
    dst = A + B - src
    return prologue(11, ctl, retx << 4 | ar << 3) + \
        struct.pack(">HIHHI", 0, psn, IDS[src], IDS[dst], payload & 0xffffffff)


def talk(*packets, native=False):
    """(microseconds, source, bytes) as packets over UDP, or over IP."""
    for at, src, data in packets:
        dst = A + B - src
        yield (at, ipv4(src, dst, 253, struct.pack(">HH", 0x1234, 0) + data)
               if native else udp(src, dst, data, sport=0x1234))


def opening(start=333, **more):
    """Opens a PDC: a SYN and its ACK."""
    return [(0, A, req(A, start, std(8, 99), syn=1, ar=1, **more)),
            (10, B, ack(B, start, start, response(99)))]


def repair():
    """Loss and repair: a time-out, a NACK, a duplicate, a needless
    retransmission."""
    first = req(A, 334, std(16, 1), ar=1)
    again = req(A, 334, std(16, 1), ar=1, retx=1)
    late = req(A, 335, std(16, 2), ar=1)
    return [*opening(),
            (100, A, first), (5100, A, again),
            (5110, B, ack(B, 334, 334, response(1), retx=1)),
            (5200, A, late), (5210, B, nack(B, 335, 0x07)),
            (6500, A, req(A, 335, std(16, 2), ar=1, retx=1)),
            (6510, B, ack(B, 335, 335, response(2), retx=1)),
            (6600, A, req(A, 336, std(16, 3), ar=1)),
            (6601, A, req(A, 336, std(16, 3), ar=1)),
            (6610, B, ack(B, 336, 336, response(3))),
            (12000, A, req(A, 336, std(16, 3), ar=1, retx=1)),
            (12010, B, ack(B, 336, 336, response(3, opcode=0), retx=1))]


def figure_3_76():
    """A guaranteed response: stored, cleared, released."""
    return [*opening(332),
            (100, A, req(A, 333, std(64, 1), ar=1)),
            (110, B, ack(B, 333, 332, response(1, code=5), asks=CLEAR)),
            (200, A, cp(A, 2, 0, 333)),
            (300, A, req(A, 334, std(64, 2), ar=1)),
            (310, B, ack(B, 334, 334, response(2)))]


def figure_3_79():
    """A read: request, ACK, return data, its ACK; then one by PSN."""
    data = bytes(64)
    return [*opening(332),
            (100, A, req(A, 333, std(64, 88, opcode=READ, data=b""), ar=1)),
            (110, B, ack(B, 333, 333, response(88))),
            (120, B, req(B, 332, read_data(88, data), next_hdr=DATA, ar=1)),
            (130, A, ack(A, 332, 332, response(9))),
            (200, A, req(A, 334, small(32, opcode=READ), next_hdr=SMALL, ar=1)),
            (210, B, ack(B, 334, 334, response(0))),
            (220, B, req(B, 333, struct.pack(">BBHBBHI", 2, 1, 32, 0, 0, 1, 334)
                         + bytes(32), next_hdr=DATA_SMALL, ar=1)),
            (230, A, ack(A, 333, 333, response(0)))]


def sack():
    """A gap that a bitmap shows and a retransmission fills; the receiver's
    counters."""
    return [*opening(),
            *[(100 + psn - 334, A, req(A, psn, std(8, psn))) for psn in
              (334, 335, 337, 338, 340)],
            (200, B, ack(B, 340, 335, response(340), kind=8,
                         cc=nscc(8, 1, 0b10110, 100, 10))),
            (300, A, req(A, 336, std(8, 336), retx=0)),
            (400, A, req(A, 339, std(8, 339), retx=0)),
            (500, B, ack(B, 339, 340, response(339), kind=8,
                         cc=nscc(0, 1, 0, 0xffff, 16)))]


def wrap():
    """PSNs across the wrap, then a reuse of the PDCID."""
    top = 0xffffffff
    start = 0x20000
    return [*opening(top - 1),
            (100, A, req(A, top, std(8, 1), ar=1)),
            (110, B, ack(B, top, top, response(1))),
            (200, A, req(A, 0, std(8, 2), ar=1)),
            (210, B, ack(B, 1 << 32, 1 << 32, response(2))),
            (300, A, cp(A, 4, 1, ar=1)),
            (310, B, ack(B, (1 << 32) + 1, (1 << 32) + 1)),
            (1000, A, req(A, start, std(8, 3), syn=1, ar=1)),
            (1010, B, ack(B, start, start, response(3)))]


def middle():
    """The capture begins midstream."""
    return repair()[4:]


def modes():
    """ROD, RUDI, UUD, TSS, and every rare header."""
    rudi = prologue(RUDI, SMALL, 0) + struct.pack(">HI", 0, 0x1234)
    again = prologue(RUDI, SMALL, 0x10) + struct.pack(">HI", 0, 0x1234)
    answer = prologue(RUDI_RESP, RESPONSE, 0) + struct.pack(">HI", 0, 0x1234)
    uud = prologue(UUD, SMALL, 0) + struct.pack(">H", 0)
    tss = struct.pack(">B3sHHI", 1 << 3, b"\0\0\7", 3, 0, 42)
    atomic = struct.pack(">BBBB", 0x0d, 7, 0, 0) + struct.pack(">QQQQ", 0, 1, 0,
                                                              2)
    return [(0, A, rudi + small(8, data=bytes(8))),
            (5000, A, again + small(8, data=bytes(8))),
            (5010, B, answer + response(0)),
            (6000, A, uud + small(8, opcode=7, data=bytes(8))),
            (7000, A, tss + bytes(range(80))),
            (8000, A, req(A, 500, std(8, 4, opcode=FETCH, data=b"") + atomic +
                          bytes(8), kind=ROD, syn=1, ar=1)),
            (8010, B, ack(B, 500, 500, response(4))),
            (8020, A, req(A, 501, std(8, 5), kind=14, ar=1,
                          more=struct.pack(">I", 0x01000040))),
            (8030, B, ack(B, 501, 501, response(5), kind=9,
                          cc=nscc(8, 1, 0, 0, 0)[:12] + bytes(16))),
            (8040, A, cp(A, 6, 501, 501, ar=1)),
            (8050, B, nack(B, 501, 0x16)),
            (8060, A, cp(A, 1, 501, 5, ar=1))]


def odd():
    """Malformed packets: the dissector must show them and must not crash."""
    good = req(A, 334, std(8, 1))
    return [(0, A, b""), (1, A, b"\x10"), (2, A, b"\x00\x00" + bytes(10)),
            (3, A, b"\xff\xff\xff"), (4, A, good[:11]), (5, A, good[:30]),
            (6, A, good[:1] + b"\xff" + good[2:]),
            (7, A, prologue(RUD, 9, 0) + bytes(10)),
            (8, A, good + b"more than it says"),
            (9, A, good[:-3]),
            (10, B, ack(B, 334, 334, response(1, code=0x3d))),
            (11, B, nack(B, 1, 0x0c)),
            (12, A, cp(A, 15, 1)), (13, A, prologue(1, 0, 0))]


def checked():
    """The same packet with its CRC in either order, and with a wrong one."""
    data = req(A, 333, std(8, 1), syn=1)
    head = bytes((10, 0, 0, A)) + bytes((10, 0, 0, B)) + \
        struct.pack(">HHHH", 0x1234, 4793, 8 + len(data) + 4, 0)
    crc = crc32c(head + data)
    return [(0, A, data + struct.pack("<I", crc)),
            (1, A, data + struct.pack(">I", crc)),
            (2, A, data + struct.pack("<I", crc ^ 1))]


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


# ---- Packets that begin with a BTH ----

QPN = {A: 0x21, B: 0x43}  # a packet carries the queue pair number of its
                          # receiver
WQE_PORT, SRD_PORT, ROCE_PORT = 61791, 61792, 4791
FIRST, MIDDLE, LAST, ONLY, ONLY_IMM = 0, 1, 2, 4, 5
WRITE_ONLY_IMM, READ_REQ, READ_RESP, WQE_ACK, INVALIDATE, RTX_IND = \
    0xb, 0xc, 0x10, 0x11, 0x17, 0x18
ACKED, RNR, SEQUENCE, INVALID = 0x1f, 0x2c, 0x60, 0x61
WRONG = b"<wrong>"


def bth(opcode, src, psn, *, ackreq=0, pad=0, tver=0):
    return struct.pack(">BBHII", opcode, pad << 4 | tver, 0xffff,
                       QPN[A + B - src], ackreq << 31 | psn & 0xffffff)


def talk_ib(port, *packets):
    """Likewise with an ICRC; bytes that end in WRONG get a wrong one."""
    for at, src, data in packets:
        body = data.removesuffix(WRONG)
        packet = udp(src, A + B - src, body + bytes(4), dport=port,
                     sport=0xc001)
        crc = icrc(packet[:-4])
        if body != data:
            crc = bytes((crc[0] ^ 1,)) + crc[1:]
        yield at, packet[:-4] + crc


def wqe(opcode, psn, sn, off, total, data=b"", *, more=b"", ver=0, src=A,
        **flags):
    """A packet of a WQE; |more| stands before the extension."""
    pad = -len(data) % 4
    return bth(0xc0 | opcode, src, psn, pad=pad, **flags) + more + \
        struct.pack(">III", ver << 24 | sn, off, total) + data + bytes(pad)


def part(psn, sn, i, n, **more):
    """Packet |i| of a send of |n|, 64 bytes each."""
    opcode = ONLY if n == 1 else FIRST if i == 0 else \
        LAST if i + 1 == n else MIDDLE
    return wqe(opcode, psn, sn, 64 * i, 64 * n, bytes([sn] * 64),
               ackreq=i + 1 == n, **more)


def wqe_ack(psn, msn, syndrome=ACKED):
    return bth(0xc0 | WQE_ACK, B, psn) + struct.pack(">I", syndrome << 24 | msn)


def rtx_ind(psn, sn, words, *, fmt=0, count=None, k=1, flags=0):
    """An indication; with a bitmap the first word is the base."""
    if count is None:
        count = len(words) - fmt
    return bth(0xc0 | RTX_IND, B, psn) + struct.pack(
        ">IIHH", SEQUENCE << 24 | sn, fmt << 28 | k << 27 | flags << 24 | sn,
        count, 0) + b"".join(struct.pack(">I", word) for word in words)


def wqe_repair():
    """Captured at the sender: requested retransmissions, a needless one,
    go-back-N after a NAK, a receiver that is not ready."""
    low = 0xfffffe
    return [*[(i, A, part(low + i, 0, i, 4)) for i in range(4)],
            (40, B, rtx_ind(low + 1, 0, [0xffffff, 0])),
            (50, A, part(low + 1, 0, 1, 4)), (51, A, part(0, 0, 2, 4)),
            (60, B, wqe_ack(1, 1)),
            (70, A, wqe(WRITE_ONLY_IMM, 2, 1, 0, 6, b"write!", ackreq=1,
                        more=struct.pack(">QIII", 0x1000, 7, 6, 42))),
            (80, B, wqe_ack(2, 2)),
            (90, A, wqe(WRITE_ONLY_IMM, 2, 1, 0, 6, b"write!", ackreq=1,
                        more=struct.pack(">QIII", 0x1000, 7, 6, 42))),
            (100, A, part(3, 2, 0, 3)), (101, A, part(4, 2, 1, 3)),
            (102, A, part(5, 2, 2, 3)),
            (110, B, wqe_ack(4, 2, SEQUENCE)),
            (120, A, part(4, 2, 1, 3)), (121, A, part(5, 2, 2, 3)),
            (130, B, wqe_ack(5, 3)),
            (140, A, part(6, 3, 0, 1)), (150, B, wqe_ack(6, 3, RNR)),
            (900, A, part(6, 3, 0, 1)), (910, B, wqe_ack(6, 4)),
            (920, A, part(7, 4, 0, 1)), (5000, A, part(7, 4, 0, 1)),
            (5010, B, wqe_ack(7, 4, INVALID))]


def wqe_bitmap():
    """Captured at the receiver: gaps, reordering, and both forms of an
    indication."""
    return [(0, A, part(10, 0, 0, 5)), (2, A, part(12, 0, 2, 5)),
            (4, A, part(14, 0, 4, 5)), (5, A, part(16, 2, 0, 1)),
            (50, B, rtx_ind(11, 0, [11, 0xa0000000], fmt=1, flags=2)),
            (51, B, rtx_ind(11, 0, [15], k=0)),
            (60, A, part(13, 0, 3, 5)), (61, A, part(11, 0, 1, 5)),
            (62, A, part(15, 1, 0, 1)), (70, B, wqe_ack(16, 3)),
            (80, A, part(19, 5, 0, 1)), (81, A, part(18, 4, 0, 1))]


def wqe_rules():
    """Violations by a sender and by a receiver."""
    return [(0, A, part(10, 0, 0, 2)), (1, A, part(11, 0, 1, 2)),
            (10, B, wqe_ack(11, 1)),
            (20, A, part(12, 3, 0, 2)),
            (21, A, wqe(LAST, 13, 3, 32, 128, bytes(64))),
            (30, A, wqe(LAST, 13, 3, 64, 96, bytes(64))),
            (40, B, wqe_ack(20, 9)),
            (50, B, rtx_ind(12, 3, [10, 40]))]


def wqe_odd():
    """Malformed and rare packets."""
    good = part(10, 0, 0, 1)
    reth = struct.pack(">QII", 0x1000, 7, 64)
    return [(0, A, b""), (1, A, good[:5]), (2, A, good[:16]),
            (3, A, good + WRONG),
            (4, A, bth(0xd9, A, 10) + bytes(8)),
            (5, A, wqe(ONLY, 10, 0, 0, 64, bytes(64), ver=0x41)),
            (6, A, part(11, 0, 0, 1, tver=1)),
            (7, B, rtx_ind(10, 0, [10], fmt=2, count=1)),
            (8, B, rtx_ind(10, 0, [10], count=70)),
            (9, B, rtx_ind(10, 0, [10], count=0)),
            (10, B, rtx_ind(10, 0, [10, 0x40000000], fmt=1, count=2)),
            (11, B, wqe_ack(10, 0, 0x6f)),
            (12, A, wqe(READ_REQ, 20, 5, 0, 64, more=reth)),
            (13, B, wqe(READ_RESP, 20, 5, 0, 64, bytes(64), src=B,
                        more=struct.pack(">I", ACKED << 24 | 6))),
            (14, A, wqe(INVALIDATE, 21, 6, 0, 3, b"abc",
                        more=struct.pack(">I", 7)))]


def srd(src, opcode, psn, *, syn=0, fin=0, lup, scid=7, rcid, more):
    return bth(opcode, src, psn) + struct.pack(
        ">BBBBIII", 1 << 4 | syn << 3 | fin << 2, 0, 0, 0, scid, rcid,
        lup) + more


def srd_send(psn, lup, *, syn=0, rcid=9):
    return srd(A, 0xf0, psn, syn=syn, lup=lup, rcid=rcid,
               more=struct.pack(">II", 0x1234, QPN[A]) + bytes(8))


def srd_ack(psn, cack, *, syndrome=ACKED, sack=0):
    return srd(B, 0xf8, psn, lup=0, rcid=9, more=struct.pack(
        ">IQ", syndrome << 24 | cack, sack))


def srd_outcomes():
    """A context: reordering, a lost answer, a drop, and the end of the
    context."""
    return [(0, A, srd_send(1, 1, syn=1, rcid=0)), (10, B, srd_ack(1, 1)),
            (20, A, srd_send(3, 2)), (21, A, srd_send(2, 2)),
            (30, B, srd_ack(3, 1, sack=1 << 62)), (31, B, srd_ack(2, 3)),
            (40, A, srd_send(4, 4)), (5040, A, srd_send(4, 4)),
            (5050, B, srd_ack(4, 3, syndrome=RNR)),
            (5060, A, srd(A, 0xf2, 5, fin=1, lup=5, rcid=9, more=b""))]


def rc_send(psn, i, n, **more):
    """Packet |i| of a send of |n| over a plain connection."""
    opcode = ONLY if n == 1 else FIRST if i == 0 else \
        LAST if i + 1 == n else MIDDLE
    return bth(opcode, A, psn, ackreq=i + 1 == n, **more) + b"rung" * 64


def rc_answer(psn, msn, syndrome=ACKED):
    return bth(0x11, B, psn) + struct.pack(">I", syndrome << 24 | msn)


def rc_data(opcode, psn, size, msn=None):
    """Returns the data of a read; a middle packet has no AETH."""
    return bth(opcode, B, psn) + bytes(size) if msn is None else \
        bth(opcode, B, psn) + struct.pack(">I", ACKED << 24 | msn) + bytes(size)


def roce_repair():
    """A gap, its NAK and go-back-N; a receiver that is not ready; a time-out;
    a duplicate; a read and its data; an error; a wrong ICRC."""
    read = struct.pack(">QII", 0x1000, 7, 640)
    return [(0, A, rc_send(0xfffffe, 0, 1)), (10, B, rc_answer(0xfffffe, 1)),
            (20, A, rc_send(0xffffff, 0, 4)), (22, A, rc_send(1, 2, 4)),
            (23, A, rc_send(2, 3, 4)), (30, B, rc_answer(0, 1, SEQUENCE)),
            (40, A, rc_send(0, 1, 4)), (41, A, rc_send(1, 2, 4)),
            (42, A, rc_send(2, 3, 4)), (50, B, rc_answer(2, 2)),
            (60, A, rc_send(3, 0, 1)), (70, B, rc_answer(3, 2, RNR)),
            (800, A, rc_send(3, 0, 1)), (810, B, rc_answer(3, 3)),
            (820, A, rc_send(4, 0, 1)), (9000, A, rc_send(4, 0, 1)),
            (9010, B, rc_answer(4, 4)), (9020, A, rc_send(4, 0, 1)),
            (9030, B, rc_answer(4, 4)),
            (9100, A, bth(READ_REQ, A, 5, ackreq=1) + read),
            (9110, B, rc_data(13, 5, 256, 5)), (9111, B, rc_data(14, 6, 256)),
            (9112, B, rc_data(15, 7, 128, 5)),
            (9200, A, rc_send(8, 0, 1) + WRONG),
            (9210, A, rc_send(8, 0, 1)), (9220, B, rc_answer(8, 5, INVALID))]


def cut(size, packets):
    """A capture with a snapshot length: its packets are truncated."""
    packets = list(packets)
    out, at = bytearray(pcap([(us, data[:size]) for us, data in packets])), 24
    for _, data in packets:
        struct.pack_into("<I", out, at + 12, len(data))
        at += 16 + min(len(data), size)
    return out


def main():
    for make in (wqe_repair, wqe_bitmap, wqe_rules, wqe_odd, srd_outcomes,
                 roce_repair):
        port = SRD_PORT if make is srd_outcomes else \
            ROCE_PORT if make is roce_repair else WQE_PORT
        (HERE / f"{make.__name__}.pcap").write_bytes(
            pcap(list(talk_ib(port, *make()))))
    for make in (repair, figure_3_76, figure_3_79, sack, wrap, middle, modes,
                 odd, checked):
        (HERE / f"{make.__name__}.pcap").write_bytes(
            pcap(list(talk(*make()))))
    (HERE / "native.pcap").write_bytes(
        pcap(list(talk(*repair()[:5], native=True))))
    (HERE / "cut.pcap").write_bytes(cut(100, talk(*repair())))
    (HERE / "srd_cut.pcap").write_bytes(
        cut(70, talk_ib(SRD_PORT, *srd_outcomes())))


if __name__ == "__main__":
    main()
