# SPDX-License-Identifier: BSD-2-Clause
"""WQE-SR: packets of the reference form (srd_wqe.md, B.4), and the sender (B.7).

Written from srd_wqe.md, part B, alone.
"""
import collections
import struct

from ib import (BTH_LEN, Malformed, P_KEY, bth_pack, bth_unpack, padded, psn_add, psn_diff)

WQE_PORT = 61791
CLASS = 0xc0
SEND_FIRST, SEND_MIDDLE, SEND_LAST, SEND_LAST_IMM, SEND_ONLY, SEND_ONLY_IMM = range(0xc0, 0xc6)
(WRITE_FIRST, WRITE_MIDDLE, WRITE_LAST, WRITE_LAST_IMM, WRITE_ONLY,
 WRITE_ONLY_IMM) = range(0xc6, 0xcc)
READ_REQ, WQE_ACK, RTX_IND = 0xcc, 0xd1, 0xd8
READ_FIRST, READ_MIDDLE, READ_LAST, READ_ONLY = READ_RESPONSES = range(0xcd, 0xd1)
REQUESTS = range(SEND_FIRST, READ_REQ + 1)
WITH_RETH = (WRITE_FIRST, WRITE_ONLY, WRITE_ONLY_IMM, READ_REQ)
WITH_IMM = (SEND_LAST_IMM, SEND_ONLY_IMM, WRITE_LAST_IMM, WRITE_ONLY_IMM)
RETH_LEN, WQETH_LEN, AETH_LEN, RIETH_LEN = 16, 12, 4, 8
ACKED, RNR_CLASS, NAK_SEQUENCE = 0x1f, 0x20, 0x60
NAK_INVALID, NAK_ACCESS, NAK_OPERATION = 0x61, 0x62, 0x63
NAK_STATUS = {NAK_INVALID: "remote_invalid_request", NAK_ACCESS: "remote_access",
              NAK_OPERATION: "remote_operation"}
RNR_MS = (655.36, .01, .02, .03, .04, .06, .08, .12, .16, .24, .32, .48, .64, .96, 1.28, 1.92,
          2.56, 3.84, 5.12, 7.68, 10.24, 15.36, 20.48, 30.72, 40.96, 61.44, 81.92, 122.88,
          163.84, 245.76, 327.68, 491.52)
ENTRIES_MAX = 64

WINDOW = 150
ACK_INTERVAL = 5
RTO = 0.060
RETRIES = 4
HOLD = 0.008
READ_MISS = 0.006

Data = collections.namedtuple("Data", "bth va rkey dmalen imm version sn offset length payload")
Report = collections.namedtuple("Report", "bth syndrome msn missing sn of_read")


def kind_of(opcode):
    if opcode == READ_REQ:
        return "read"
    return "send" if opcode < WRITE_FIRST else "write"


def packets_of(length, mtu):
    """How many packets, and PSNs, a WQE of that length has."""
    return max(1, -(-length // mtu))


def response_opcode(index, start, count):
    """Of packet |index| of read data that begin with packet |start|."""
    if index == count - 1:
        return READ_ONLY if index == start else READ_LAST
    return READ_FIRST if index == start else READ_MIDDLE


def opcode_of(kind, first, last, imm):
    if kind == "read":
        return READ_REQ
    base = SEND_FIRST if kind == "send" else WRITE_FIRST
    if first and last:
        return base + (5 if imm else 4)
    if last:
        return base + (3 if imm else 2)
    return base + (0 if first else 1)


def parse_bth(packet):
    bth = bth_unpack(packet)
    if bth.tver or bth.p_key != P_KEY or len(packet) % 4:
        raise Malformed("bth")
    return bth


def parse_data(bth, packet):
    at, va, rkey, dmalen, imm = BTH_LEN, 0, 0, None, None
    if bth.opcode in READ_RESPONSES and bth.opcode != READ_MIDDLE:
        at += AETH_LEN
    need = (RETH_LEN if bth.opcode in WITH_RETH else 0) + (4 if bth.opcode in WITH_IMM else 0)
    if len(packet) < at + need + WQETH_LEN:
        raise Malformed("length")
    if bth.opcode in WITH_RETH:
        va, rkey, dmalen = struct.unpack_from(">QII", packet, at)
        at += RETH_LEN
    if bth.opcode in WITH_IMM:
        imm = struct.unpack_from(">I", packet, at)[0]
        at += 4
    first, offset, length = struct.unpack_from(">III", packet, at)
    rest = packet[at + WQETH_LEN:]
    if len(rest) < bth.pad:
        raise Malformed("pad")
    return Data(bth, va, rkey, dmalen, imm, first >> 24, first & 0xffffff, offset, length,
                rest[:len(rest) - bth.pad])


def parse_missing(packet):
    """The PSNs of an RTX_IND; entries that are out of order are left out.

    With them the SN, None if the indication names none (K), and whether they
    are PSNs of read data (D).
    """
    at = BTH_LEN + AETH_LEN
    if len(packet) < at + RIETH_LEN:
        raise Malformed("length")
    first, count = packet[at], struct.unpack_from(">H", packet, at + 4)[0]
    version, form, data_of_read = first >> 6, first >> 4 & 3, first >> 2 & 1
    sn = struct.unpack_from(">I", packet, at)[0] & 0xffffff if first >> 3 & 1 else None
    at += RIETH_LEN
    if version or form > 1 or not 1 <= count <= ENTRIES_MAX:
        raise Malformed("rieth")
    if len(packet) != at + 4 * (count + form):
        raise Malformed("count")
    words = struct.unpack_from(f">{count + form}I", packet, at)
    if form == 1:
        base = words[0] & 0xffffff
        return [psn_add(base, 32 * w + b) for w, word in enumerate(words[1:])
                for b in range(32) if word >> (31 - b) & 1], sn, data_of_read
    psns = []
    for word in words:
        if not psns or psn_diff(word & 0xffffff, psns[-1]) > 0:
            psns.append(word & 0xffffff)
    return psns, sn, data_of_read


def parse_report(bth, packet):
    """An ACK, a NAK or an RTX_IND."""
    if len(packet) < BTH_LEN + AETH_LEN:
        raise Malformed("length")
    aeth = struct.unpack_from(">I", packet, BTH_LEN)[0]
    missing, sn, of_read = None, None, 0
    if bth.opcode == RTX_IND:
        missing, sn, of_read = parse_missing(packet)
        if aeth >> 24 != NAK_SEQUENCE:
            raise Malformed("syndrome")
    elif len(packet) != BTH_LEN + AETH_LEN:
        raise Malformed("length")
    return Report(bth, aeth >> 24, aeth & 0xffffff, missing, sn, of_read)


class Packet:
    """A data packet that has a PSN: its bytes are made once."""

    def __init__(self, psn, wr, head, body, count):
        self.psn, self.wr, self.head, self.body = psn, wr, head, body
        self.count = count           # PSNs: those of its answer, if it is a read
        self.repeated = None
        self.missing = list(range(count)) if wr.kind == "read" else []

    @property
    def end(self):
        return psn_add(self.psn, self.count)

    def covers(self, psn):
        return 0 <= psn_diff(psn, self.psn) < self.count

    def bytes(self, ackreq=False):
        opcode, pad, dest_qp, asked = self.head
        if opcode == READ_REQ and self.missing:
            return self.rest()
        return bth_pack(opcode, self.psn, dest_qp, asked or ackreq, pad) + self.body


    def rest(self):
        """The read from its first missing packet on."""
        index, wr = self.missing[0], self.wr
        offset = index * wr.mtu
        return (bth_pack(READ_REQ, psn_add(self.psn, index), self.head[2], True)
                + struct.pack(">QII", wr.va + offset, wr.rkey, len(wr.data) - offset)
                + struct.pack(">III", wr.sn, offset, len(wr.data)))


class Sender:
    """The requester half of a queue pair (B.7)."""

    def __init__(self, qp, psn, mtu, send):
        self.qp, self.mtu, self.send = qp, mtu, send
        self.una = self.next = psn
        self.sn = 0
        self.work = collections.deque()      # WRs of which packets are not sent yet
        self.offset = 0                      # into the first of them
        self.flight = collections.deque()    # packets from una to next
        self.recover = []                    # packets that leave before anything new
        self.retries, self.due, self.paused = 0, None, None
        self.rnr_psn = None
        self.gap_due = None                  # when a gap in read data is a loss

    def post(self, wr):
        wr.sn, self.sn = self.sn, psn_add(self.sn, 1)
        self.work.append(wr)

    def packet(self):
        """The next packet of the first WR."""
        wr = self.work[0]
        if wr.kind == "read":
            return self.read_packet(wr)
        payload = wr.data[self.offset:self.offset + self.mtu]
        first, last = self.offset == 0, self.offset + len(payload) == len(wr.data)
        opcode = opcode_of(wr.kind, first, last, wr.imm is not None)
        body = b""
        if opcode in WITH_RETH:
            body += struct.pack(">QII", wr.va, wr.rkey, len(wr.data))
        if opcode in WITH_IMM:
            body += struct.pack(">I", wr.imm)
        body += struct.pack(">III", wr.sn, self.offset, len(wr.data)) + padded(payload)
        index = self.offset // self.mtu
        asked = last or index % ACK_INTERVAL == ACK_INTERVAL - 1
        p = Packet(self.next, wr, (opcode, -len(payload) % 4, self.qp.dest_qp, asked), body, 1)
        self.next = psn_add(self.next, 1)
        self.offset += len(payload)
        if last:
            wr.last_psn = p.psn
            self.work.popleft()
            self.offset = 0
        return p

    def read_packet(self, wr):
        count = packets_of(len(wr.data), self.mtu)
        p = Packet(self.next, wr, (READ_REQ, 0, self.qp.dest_qp, True), b"", count)
        self.next = p.end
        wr.mtu, wr.last_psn = self.mtu, psn_add(p.end, -1)
        self.work.popleft()
        return p

    def room(self):
        wr = self.work[0]
        count = packets_of(len(wr.data), self.mtu) if wr.kind == "read" else 1
        first = self.flight[0].psn if self.flight else self.next
        return psn_diff(self.next, first) + count <= WINDOW

    def pump(self, now):
        if self.paused is not None or self.qp.state not in ("rts", "sqd"):
            return
        for p in self.recover:
            p.repeated = now
            self.send(self.qp, p.bytes())
        self.recover = []
        while self.work and self.room():
            if self.work[0].error:
                self.local_error()
                break
            if self.qp.state == "sqd" and self.offset == 0:
                break            # a queue that is drained begins no further WR
            p = self.packet()
            self.flight.append(p)
            self.send(self.qp, p.bytes())
        if self.flight and self.due is None:
            self.due = now + RTO

    def local_error(self):
        """A WR that cannot be sent ends the queue pair once those before it are complete."""
        if not self.flight:
            self.qp.fail(self.work[0].error)

    # ---- answers

    def report(self, r, now):
        """Acts on an ACK, a NAK or an RTX_IND."""
        psn, negative = r.bth.psn, r.syndrome >> 5 != 0
        if psn_diff(psn, psn_add(self.una, 0 if negative else -1)) < 0:
            return
        if psn_diff(psn, self.next) > (0 if r.missing is not None else -1):
            return
        self.advance(psn if negative else psn_add(psn, 1), now)
        if r.missing is not None:
            self.repeat([p for p in self.flight if any(p.covers(q) for q in r.missing)
                         and r.sn in (None, p.wr.sn)
                         and (p.missing or psn_diff(p.psn, self.una) >= 0)
                         and (p.repeated is None or now - p.repeated >= HOLD)], now)
        elif r.syndrome >> 5 == RNR_CLASS >> 5:
            self.paused, self.rnr_psn = now + RNR_MS[r.syndrome & 31] / 1000, psn
            self.due = None
        elif r.syndrome == NAK_SEQUENCE:
            self.repeat([p for p in self.flight
                         if p.missing or psn_diff(p.psn, self.una) >= 0], now)
        elif r.syndrome in NAK_STATUS:
            blamed = next((p.wr for p in self.flight if p.covers(psn)), None)
            self.qp.fail(NAK_STATUS[r.syndrome], blamed)
        self.pump(now)

    def repeat(self, packets, now):
        if packets:
            again = {p.psn: p for p in self.recover + packets}
            self.recover = [p for p in self.flight if p.psn in again]
            self.due = now + RTO

    def advance(self, una, now):
        """Everything before una has arrived."""
        if psn_diff(una, self.una) > 0:
            self.una, self.retries = una, 0
            self.retire(now)

    def retire(self, now):
        """Completes the WRs that are done, in order; a read needs its data."""
        una, done = self.una, []
        while self.flight and psn_diff(self.flight[0].end, una) <= 0 \
                and not self.flight[0].missing:
            p = self.flight.popleft()
            if p.wr.last_psn == psn_add(p.end, -1):
                done.append(p.wr)
        self.recover = [p for p in self.recover if p.missing or psn_diff(p.psn, una) >= 0]
        self.due = now + RTO if self.flight else None
        if self.rnr_psn is not None and psn_diff(self.rnr_psn, una) < 0:
            self.paused = self.rnr_psn = None
        for wr in done:
            wr.complete("ok")

    def response(self, d, now):
        """A packet of read data."""
        p = next((p for p in self.flight if p.wr.kind == "read" and p.covers(d.bth.psn)), None)
        if not p:
            raise Malformed("no read")
        index, wr = psn_diff(d.bth.psn, p.psn), p.wr
        offset = index * self.mtu
        size = min(self.mtu, len(wr.data) - offset)
        if (d.version, d.sn, d.offset, d.length, len(d.payload), d.bth.pad) != (
                0, wr.sn, offset, len(wr.data), size, -size % 4):
            raise Malformed("of another read")
        if index not in p.missing:
            return
        wr.data[offset:offset + size] = d.payload
        p.missing.remove(index)
        self.retries, self.due = 0, now + RTO
        if p.missing and p.missing[0] < index and self.gap_due is None:
            self.gap_due = now + READ_MISS
        self.advance(p.psn if p.missing else p.end, now)
        self.retire(now)
        self.pump(now)

    def read_gap(self, now):
        """Asks again for reads of which a packet is missing in the middle."""
        self.gap_due = None
        self.repeat([p for p in self.flight if p.missing and len(p.missing) < p.count], now)
        self.pump(now)

    # ---- time

    def deadline(self):
        if self.paused is not None:
            return self.paused
        return min((t for t in (self.due, self.gap_due) if t is not None), default=None)

    def tick(self, now):
        if self.gap_due is not None and now >= self.gap_due:
            self.read_gap(now)
        if self.paused is not None and now >= self.paused:
            self.after_rnr(now)
        elif self.paused is None and self.due is not None and now >= self.due:
            self.time_out(now)

    def after_rnr(self, now):
        """Tries the packet that was refused once more; the others are not lost."""
        self.paused = self.rnr_psn = None
        if self.flight:
            self.probe(now)
        self.pump(now)

    def probe(self, now):
        p = self.flight[0]
        p.repeated = now
        self.send(self.qp, p.bytes(True))
        self.due = now + RTO

    def time_out(self, now):
        self.retries += 1
        if self.retries > RETRIES:
            self.qp.fail("timeout")
        elif self.flight:
            self.probe(now)
        else:
            self.due = None

    def unfinished(self):
        """The WRs that have no completion, in order; the sender forgets them."""
        wrs = list(dict.fromkeys([p.wr for p in self.flight] + list(self.work)))
        self.flight.clear()
        self.work.clear()
        self.recover, self.due, self.paused, self.gap_due = [], None, None, None
        return wrs
