# SPDX-License-Identifier: BSD-2-Clause
"""WQE-SR: the receiver of a queue pair (srd_wqe.md, B.6 to B.9).

What the specification leaves open is chosen so: sets of packet numbers instead
of bitmaps, coalesced ACKs, an indication of several missing PSNs as a bitmap
or as short lists, a small cache, few WQEs at once.
"""
import collections
import struct

import wqe
from ib import bth_pack, padded, psn_add, psn_diff

WINDOW = 1024
LENGTH_MAX = 1 << 20
CACHE_MAX = 96 * 1024
WQES_MAX = 24
RNR_CODE = 14                       # 1.28 ms
READS_KEPT = 16
MISS_TIME, AGAIN_TIME, TAIL_TIME = 0.004, 0.025, 0.050
ACKS_COALESCED, ACK_TIME = 6, 0.005
LIST_MAX, BITMAP_FROM = 8, 12       # entries of a list; so many become a bitmap


class Lie(Exception):
    """Raised for an inconsistent packet; code is that of the NAK."""

    def __init__(self, code=wqe.NAK_INVALID):
        super().__init__(code)
        self.code = code


class Entry:
    """A WQE of which a packet arrived and that is not complete."""

    def __init__(self, d, base, count, mtu):
        self.sn, self.base, self.count, self.length = d.sn, base, count, d.length
        self.mtu = mtu
        self.kind = wqe.kind_of(d.bth.opcode)
        self.got = set()
        self.memory, self.at = None, 0   # where its bytes go in the host
        self.receive = None              # the receive WQE of a send
        self.cache = None
        self.imm = None
        self.refused = None              # NAK code for when its turn comes
        self.request = d if self.kind == "read" else None
        self.sent = {}                   # read data that were sent: index to time

    @property
    def end(self):
        return psn_add(self.base, self.count)

    def place(self, offset, payload):
        if self.memory is not None:
            self.memory[self.at + offset:self.at + offset + len(payload)] = payload
        else:
            self.cache[offset:offset + len(payload)] = payload

    def resolve(self, memory, at):
        """The host address is known now: moves the cached bytes there."""
        self.memory, self.at = memory, at
        if self.cache is None:
            return
        for i in self.got:
            start = i * self.mtu
            piece = self.cache[start:start + self.mtu]
            memory[at + start:at + start + len(piece)] = piece
        self.cache = None


class Receiver:
    def __init__(self, qp, psn, mtu, send, regions):
        self.qp, self.mtu, self.send, self.regions = qp, mtu, send, regions
        self.epsn, self.msn = psn, 0
        self.entries = {}                # SN to Entry
        self.highest = psn_add(psn, -1)
        self.wanted = {}                 # missing PSN: (since, when it was last asked for)
        self.too_much = {}               # PSN that was dropped for want of cache: LEN
        self.heard = 0.0                 # the last data packet
        self.unacked, self.ack_due = 0, None
        self.rnr_at = None               # the expected PSN of the last RNR NAK
        self.peak = 0
        self.reads = collections.deque(maxlen=READS_KEPT)

    # ---- answers

    def answer(self, syndrome, psn):
        aeth = struct.pack(">I", syndrome << 24 | self.msn)
        self.send(self.qp, bth_pack(wqe.WQE_ACK, psn, self.qp.dest_qp) + aeth)

    def ack(self):
        self.unacked, self.ack_due = 0, None
        self.answer(wqe.ACKED, psn_add(self.epsn, -1))

    def indicate(self, sn, psns):
        """One indication or more for the missing PSNs of one WQE, or of unknown ones."""
        if len(psns) >= BITMAP_FROM and psn_diff(psns[-1], psns[0]) < 32 * wqe.ENTRIES_MAX:
            base = psns[0]
            words = [0] * (psn_diff(psns[-1], base) // 32 + 1)
            for psn in psns:
                word, bit = divmod(psn_diff(psn, base), 32)
                words[word] |= 1 << (31 - bit)
            self.indication(sn, 1, len(words), [base, *words], False)
            return
        for i in range(0, len(psns), LIST_MAX):
            part = psns[i:i + LIST_MAX]
            self.indication(sn, 0, len(part), part, i + LIST_MAX < len(psns))

    def indication(self, sn, form, count, words, more):
        first = form << 4 | (0 if sn is None else 8) | (2 if more else 0)
        packet = bth_pack(wqe.RTX_IND, self.epsn, self.qp.dest_qp)
        packet += struct.pack(">IIHH", wqe.NAK_SEQUENCE << 24 | self.msn,
                              first << 24 | (sn or 0), count, 0)
        self.send(self.qp, packet + struct.pack(f">{len(words)}I", *words))

    # ---- validation (B.6): V2 to V11

    def check(self, d):
        """Raises Lie if the packet lies; returns (index, base, count)."""
        size, length = len(d.payload), d.length
        if length > LENGTH_MAX:
            raise Lie
        i, rest = divmod(d.offset, self.mtu)
        count = wqe.packets_of(length, self.mtu)
        if rest or i >= count:
            raise Lie
        if d.bth.opcode == wqe.READ_REQ:
            if d.offset or d.dmalen != length or size or d.bth.pad:
                raise Lie
            self.check_neighbours(d.sn, d.bth.psn, count, length, "read")
            return 0, d.bth.psn, count
        if size != min(self.mtu, length - d.offset) or d.bth.pad != -size % 4:
            raise Lie
        kind = wqe.kind_of(d.bth.opcode)
        if d.bth.opcode != wqe.opcode_of(kind, i == 0, i == count - 1, d.imm is not None):
            raise Lie
        if d.dmalen is not None and d.dmalen != length:
            raise Lie
        base = psn_add(d.bth.psn, -i)
        self.check_neighbours(d.sn, base, count, length, kind)
        return i, base, count

    def check_neighbours(self, sn, base, count, length, kind):
        known = self.entries.get(sn)
        if known:
            if (known.base, known.length, known.kind) != (base, length, kind):
                raise Lie
            return
        current = self.entries.get(self.msn)
        start = current.base if current else self.epsn
        distance = psn_diff(sn, self.msn)
        if distance < 0 or psn_diff(base, start) < distance:
            raise Lie
        if (distance == 0) != (base == start):
            raise Lie
        for e in self.entries.values():
            low, high = ((e.sn, e.end), (sn, base))
            if psn_diff(sn, e.sn) < 0:
                low, high = ((sn, psn_add(base, count)), (e.sn, e.base))
            if psn_diff(high[1], low[1]) < psn_diff(high[0], low[0]) - 1:
                raise Lie

    def reach(self, d):
        """(memory, index) of a write, whose key and range are checked."""
        if d.length == 0:
            return bytearray(), 0
        region = self.regions.get(d.rkey)
        if not region or d.va < region.address:
            raise Lie(wqe.NAK_ACCESS)
        if d.va + d.length > region.address + len(region.memory):
            raise Lie(wqe.NAK_ACCESS)
        return region.memory, d.va - region.address

    # ---- a data packet

    def data(self, d, now):
        ahead = psn_diff(d.bth.psn, self.epsn)
        if ahead >= WINDOW:
            self.qp.stats["rx_dropped"] += 1
            return
        if ahead < 0:
            self.qp.stats["rx_duplicate"] += 1
            if not d.bth.opcode == wqe.READ_REQ:
                self.ack()
            elif not d.version:
                self.read_again(d)
            return
        if d.version:                    # the version and the reserved bits
            self.qp.stats["rx_dropped"] += 1
            return
        try:
            place = self.check(d)
        except Lie as lie:
            if ahead == 0:
                self.refuse(lie.code)
            else:
                self.qp.stats["rx_dropped"] += 1
            return
        self.heard = now
        try:
            self.take(d, *place, now)
        except Lie as lie:
            self.refuse(lie.code)

    def refuse(self, code):
        self.answer(code, self.epsn)
        self.qp.fail(None)

    def take(self, d, i, base, count, now):
        psn, in_order = d.bth.psn, d.bth.psn == self.epsn
        last = psn if d.bth.opcode != wqe.READ_REQ else psn_add(psn, count - 1)
        if psn_diff(last, self.highest) > 0:
            self.highest = last
        e = self.entries.get(d.sn)
        if not e:
            if not in_order and len(self.entries) >= WQES_MAX:
                self.too_much[psn] = d.length
                return
            e = self.entries[d.sn] = Entry(d, base, count, self.mtu)
        if i in e.got:
            self.qp.stats["rx_duplicate"] += 1
        elif not self.store(e, d, i, in_order):
            if not e.got:
                del self.entries[d.sn]
            return
        moved = self.move(psn)
        if not moved and in_order:
            return                       # refused, or not ready
        self.miss(now)
        if d.bth.ackreq:
            self.ack()
        elif in_order:
            self.unacked += 1
            if self.unacked >= ACKS_COALESCED:
                self.ack()
            elif self.ack_due is None:
                self.ack_due = now + ACK_TIME

    def store(self, e, d, i, in_order):
        """Records a packet; false: there is no room for it."""
        if e.kind == "read":
            e.got.update(range(e.count))
            return True
        if d.dmalen is not None:
            try:
                memory, at = self.reach(d)
                if e.memory is None:
                    e.resolve(memory, at)
            except Lie as lie:
                if in_order:
                    if not e.got:
                        del self.entries[e.sn]
                    raise
                e.refused = lie.code
        if e.kind == "send" and e.memory is None and psn_diff(e.base, self.epsn) <= 0:
            self.give_receive(e)
        if e.memory is None and e.cache is None:
            used = self.cache_bytes()
            if used + e.length > CACHE_MAX:
                if in_order and e.kind == "send":
                    self.not_ready(True)
                self.too_much[d.bth.psn] = e.length
                return False
            e.cache = bytearray(e.length)
            self.peak = max(self.peak, used + e.length)
        e.place(d.offset, d.payload)
        e.got.add(i)
        if d.imm is not None:
            e.imm = d.imm
        self.too_much.pop(d.bth.psn, None)
        return True

    def give_receive(self, e):
        """Takes the next receive WQE for a send; false: there is none."""
        if not self.qp.receives:
            return False
        receive = self.qp.receives[0]
        if receive.lkey:
            raise Lie(wqe.NAK_OPERATION)
        if receive.len < e.length:
            raise Lie
        e.receive = self.qp.receives.popleft()
        e.resolve(bytearray(e.length), 0)
        return True

    def not_ready(self, asked):
        """An RNR NAK: for each packet with the expected PSN, else once."""
        if asked or self.rnr_at != self.epsn:
            self.rnr_at = self.epsn
            self.answer(wqe.RNR_CLASS | RNR_CODE, self.epsn)

    def owner(self, psn):
        for e in self.entries.values():
            if 0 <= psn_diff(psn, e.base) < e.count:
                return e
        return None

    def move(self, psn):
        """Moves the expected PSN over what has arrived, psn last; false: it could not move."""
        before = self.epsn
        while True:
            e = self.owner(self.epsn)
            if not e or psn_diff(self.epsn, e.base) not in e.got:
                break
            if e.refused:
                raise Lie(e.refused)
            if e.kind == "send" and e.memory is None and not self.give_receive(e):
                self.not_ready(psn == self.epsn)
                break
            if e.kind == "read" and self.epsn == e.base:
                self.reach(e.request)
            at_end = psn_add(self.epsn, 1) == e.end
            if at_end and not self.complete(e):
                self.not_ready(psn == self.epsn)
                break
            self.wanted.pop(self.epsn, None)
            self.epsn = psn_add(self.epsn, 1)
        return self.epsn != before

    def complete(self, e):
        """Ends a WQE; false: its immediate data needs a receive WQE."""
        if e.kind == "write" and e.imm is not None:
            if not self.qp.receives:
                return False
            if self.qp.receives[0].lkey:
                raise Lie(wqe.NAK_OPERATION)
            e.receive = self.qp.receives.popleft()
        del self.entries[e.sn]
        self.msn = psn_add(self.msn, 1)
        if e.receive:
            self.qp.received(e)
        if e.kind == "read":
            self.reads.append(e)
            self.respond(e, range(e.count), 0)
        return True

    # ---- read data

    def respond(self, e, indexes, start):
        """Sends packets of the data of a read, from the memory as it is now."""
        memory, at = self.reach(e.request)
        for i in indexes:
            offset = i * self.mtu
            data = bytes(memory[at + offset:at + min(offset + self.mtu, e.length)])
            opcode = wqe.response_opcode(i, start, e.count)
            packet = bth_pack(opcode, psn_add(e.base, i), self.qp.dest_qp, False, -len(data) % 4)
            if opcode != wqe.READ_MIDDLE:
                packet += struct.pack(">I", wqe.ACKED << 24 | self.msn)
            packet += struct.pack(">III", e.sn, offset, e.length)
            self.send(self.qp, packet + padded(data))

    def read_of(self, psn):
        return next((e for e in self.reads if 0 <= psn_diff(psn, e.base) < e.count), None)

    def read_again(self, d):
        """A copy of a read that was executed, or the rest of one."""
        e = self.read_of(d.bth.psn)
        index = psn_diff(d.bth.psn, e.base) if e else 0
        offset = index * self.mtu
        if not e or (d.sn, d.length, d.offset, d.dmalen) != (
                e.sn, e.length, offset, e.length - offset):
            return
        if (d.rkey, d.va) == (e.request.rkey, e.request.va + offset):
            self.respond(e, range(index, e.count), index)

    def resend(self, psns, sn, now):
        """Sends the packets of read data that an indication names, each alone."""
        for psn in psns:
            e = self.read_of(psn)
            i = psn_diff(psn, e.base) if e else 0
            if e and sn in (None, e.sn) and now - e.sent.get(i, now - wqe.HOLD) >= wqe.HOLD:
                e.sent[i] = now
                self.respond(e, [i], 0)

    # ---- what is missing

    def cache_bytes(self):
        return sum(e.length for e in self.entries.values() if e.cache is not None)

    def arrived(self, psn):
        e = self.owner(psn)
        return e is not None and psn_diff(psn, e.base) in e.got

    def askable(self, psn):
        """Whether the packet could be kept if it came now."""
        if psn == self.epsn or psn not in self.too_much:
            return True
        e = self.owner(psn)
        if e and (e.memory is not None or e.cache is not None):
            return True
        return self.cache_bytes() + self.too_much[psn] <= CACHE_MAX

    def miss(self, now):
        """Notes the PSNs that are missing, with the time."""
        psn = self.epsn
        self.too_much = {p: n for p, n in self.too_much.items() if psn_diff(p, psn) >= 0}
        self.wanted = {p: w for p, w in self.wanted.items()
                       if psn_diff(p, psn) >= 0 and not self.arrived(p)}
        while psn_diff(psn, self.highest) <= 0:
            if not self.arrived(psn):
                self.wanted.setdefault(psn, (now, None))
            psn = psn_add(psn, 1)

    def tails(self):
        """Packets of known WQEs behind the highest PSN that arrived."""
        psns = {}
        for e in self.entries.values():
            for i in range(e.count - 1, -1, -1):
                psn = psn_add(e.base, i)
                if psn_diff(psn, self.highest) <= 0:
                    break
                psns[psn] = None
        return list(psns)

    def stuck(self):
        """Returns whether the head waits for a receive WQE and not for a
        packet."""
        return self.arrived(self.epsn)

    @staticmethod
    def due_of(wanted):
        since, asked = wanted
        return since + MISS_TIME if asked is None else asked + AGAIN_TIME

    def deadline(self):
        due = [self.due_of(w) for p, w in self.wanted.items() if self.askable(p)]
        if self.ack_due is not None:
            due.append(self.ack_due)
        if self.tails_unasked():
            due.append(self.heard + TAIL_TIME)
        return min(due, default=None)

    def tails_unasked(self):
        return [p for p in self.tails() if p not in self.wanted]

    def tick(self, now):
        if self.ack_due is not None and now >= self.ack_due:
            self.ack()
        if now >= self.heard + TAIL_TIME:
            for psn in self.tails_unasked():
                self.wanted[psn] = (now - MISS_TIME, None)
        ripe = [p for p, w in self.wanted.items() if self.due_of(w) <= now and self.askable(p)]
        if not ripe:
            return
        groups = {}
        for psn in sorted(ripe, key=lambda p: psn_diff(p, self.epsn)):
            e = self.owner(psn)
            groups.setdefault(e.sn if e else None, []).append(psn)
            self.wanted[psn] = (self.wanted[psn][0], now)
        for sn, psns in groups.items():
            self.indicate(sn, psns)
