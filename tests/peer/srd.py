# SPDX-License-Identifier: BSD-2-Clause
"""SRD contexts: packets of the reference encapsulation, requester, responder.

Written from srd_wqe.md, part A, alone.  The choices that it leaves open:
random paths, ACK requests only at the end of a burst, repair by SACK before
the time-out, WRs that end in a time-out at T_unresp, coalesced accepts.
"""
import collections
import heapq
import struct

from ib import BTH_LEN, Malformed, P_KEY, bth_pack, bth_unpack, padded, psn_add, psn_diff

SRD_PORT = 61792
SEND_ONLY, SEND_ONLY_IMM, SYNC, ACK = 0xf0, 0xf1, 0xf2, 0xf8
RESPONSES = range(0xf8, 0x100)
VERSION, SYN, FIN = 1, 8, 4
SETH_LEN, DETH_LEN, IMM_LEN = 16, 8, 4
ACCEPTED, RNR, INVALID, ACCESS, OPERATION, BAD_QP, CTX_RESET = (
    0x1f, 0x20, 0x61, 0x62, 0x63, 0x64, 0x65)
STATUS_OF = {ACCEPTED: "ok", INVALID: "remote_invalid_request", ACCESS: "remote_access",
             OPERATION: "remote_operation", BAD_QP: "bad_dest_qp"}
SACK_BITS = 64

PATHS = (3, 17, 40, 96, 131, 200, 255)
SEND_WINDOW, RECEIVE_WINDOW = 1300, 2000
RTO_FIRST, RTO_LAST = 0.060, 0.240
UNRESPONSIVE = 0.9
SACKS_BEFORE_REPAIR = 6
BURST = 3                      # requests that may pass without an ACK request
COALESCED, COALESCE_TIME = 3, 0.008
IDLE_ROTATE, CTX_FORGET, CTX_MAX = 20.0, 60.0, 20000

Seth = collections.namedtuple("Seth", "flags path tries scid rcid lup")


def seth_pack(seth):
    return struct.pack(">BBBBIII", VERSION << 4 | seth.flags, seth.path, seth.tries, 0,
                       seth.scid, seth.rcid, seth.lup)


def seth_unpack(data):
    first, path, tries, _, scid, rcid, lup = struct.unpack_from(">BBBBIII", data, BTH_LEN)
    if first >> 4 != VERSION:
        raise Malformed("version")
    return Seth(first & 15, path, tries, scid, rcid, lup & 0xffffff)


def status_of(syndrome):
    if syndrome >> 5 == RNR >> 5:
        return "rnr"
    return STATUS_OF.get(syndrome, "bad_response")


def parse(packet):
    """(BTH, SETH, what follows) of a packet that passes the checks of A.4.4."""
    if len(packet) < BTH_LEN + SETH_LEN:
        raise Malformed("length")
    bth = bth_unpack(packet)
    if bth.tver or bth.p_key != P_KEY:
        raise Malformed("bth")
    seth = seth_unpack(packet)
    if not seth.scid:
        raise Malformed("scid")
    return bth, seth, packet[BTH_LEN + SETH_LEN:]


class Message:
    """A request that arrived: what the queue pair looks at."""

    def __init__(self, bth, body, mtu):
        head = DETH_LEN + (IMM_LEN if bth.opcode == SEND_ONLY_IMM else 0)
        if len(body) < head + bth.pad or len(body) % 4:
            raise Malformed("length")
        self.dest_qp = bth.dest_qp
        self.qkey, source = struct.unpack_from(">II", body)
        self.src_qp = source & 0xffffff
        self.imm = None
        if bth.opcode == SEND_ONLY_IMM:
            self.imm = struct.unpack_from(">I", body, DETH_LEN)[0]
        self.data = body[head:len(body) - bth.pad]
        if len(self.data) > mtu:
            raise Malformed("longer than the MTU")


class Sent:
    """A request on the wire."""

    def __init__(self, wr, psn, now):
        self.wr, self.psn, self.tries, self.path = wr, psn, 0, None
        self.rto, self.due = RTO_FIRST, now + RTO_FIRST
        self.passed = 0          # accepted requests that were sent after this one


class Requester:
    """The context of one address handle (A.4.5)."""

    def __init__(self, peer, ah, rng, send, event):
        self.peer, self.ah, self.rng, self.send, self.event = peer, ah, rng, send, event
        self.armed = True        # the next silence is told
        self.queue = collections.deque()
        self.begin(0.0)

    def begin(self, now):
        """Starts over with an SCID and a PSN that are not related to earlier ones."""
        self.scid, self.rcid = self.rng.randrange(1, 1 << 32), 0
        self.next = self.rng.randrange(1 << 24)
        self.flight, self.timers = {}, []
        self.used, self.heard = False, now

    @property
    def lup(self):
        return next(iter(self.flight), self.next)

    def seth(self, flags=0, path=0, tries=0):
        if not self.rcid:
            flags |= SYN
        return Seth(flags, path, tries, self.scid, self.rcid, self.lup)

    def transmit(self, sent, ackreq, now):
        others = [p for p in PATHS if p != sent.path]
        sent.path = self.rng.choice(others)
        wr = sent.wr
        head = bth_pack(SEND_ONLY if wr.imm is None else SEND_ONLY_IMM, sent.psn, wr.dest_qp,
                        ackreq, -len(wr.data) % 4)
        head += seth_pack(self.seth(0, sent.path, min(sent.tries, 255)))
        head += struct.pack(">II", wr.qkey, wr.qp.qpn)
        if wr.imm is not None:
            head += struct.pack(">I", wr.imm)
        sent.tries += 1
        sent.due = now + sent.rto
        heapq.heappush(self.timers, (sent.due, sent.psn))
        self.send(self.peer, sent.path, head + padded(wr.data))

    def pump(self, now):
        silent = 0
        if self.queue and not self.flight:
            if self.used and now - self.heard > IDLE_ROTATE:
                self.begin(now)
            self.heard = now     # the silence is counted from here
        while self.queue and psn_diff(self.next, self.lup) < SEND_WINDOW:
            sent = Sent(self.queue.popleft(), self.next, now)
            self.flight[sent.psn] = sent
            self.next = psn_add(self.next, 1)
            self.used = True
            silent = (silent + 1) % BURST
            self.transmit(sent, not self.queue or silent == 0, now)

    def repeat(self, sent, now):
        sent.rto = min(2 * sent.rto, RTO_LAST)
        self.transmit(sent, True, now)

    def sync(self, flags=0):
        """Tells the responder LUP without a request."""
        if not self.rcid:
            return
        packet = bth_pack(SYNC, self.next, 0) + seth_pack(self.seth(flags, PATHS[0]))
        self.send(self.peer, PATHS[0], packet)

    # ---- answers

    def answer(self, bth, seth, body, now):
        if seth.scid != self.scid or not self.used:
            return
        if bth.opcode != ACK:
            self.bad_response(bth, seth, now)
            return
        if len(body) != 12:
            return
        aeth, sack = struct.unpack(">IQ", body)
        syndrome, cack = aeth >> 24, aeth & 0xffffff
        if syndrome == CTX_RESET:
            if self.rcid and seth.rcid == self.rcid:
                self.abort(now)
            return
        if not seth.rcid or self.rcid not in (0, seth.rcid):
            return
        covered = [psn_add(cack, 1 + k) for k in range(SACK_BITS) if sack >> (63 - k) & 1]
        if any(psn_diff(psn, self.next) >= 0 for psn in [bth.psn, cack, *covered]):
            return
        self.rcid = seth.rcid
        self.heard, self.armed = now, True
        self.resolve(bth.psn, status_of(syndrome))
        accepted = covered + ([bth.psn] if syndrome == ACCEPTED else [])
        for psn in [p for p in self.flight if psn_diff(p, cack) <= 0]:
            self.resolve(psn, "ok")
        for psn in covered:
            self.resolve(psn, "ok")
        if accepted:
            self.repair(accepted, now)
        self.pump(now)

    def bad_response(self, bth, seth, now):
        if self.rcid in (0, seth.rcid) and bth.psn in self.flight:
            self.heard, self.armed = now, True
            self.resolve(bth.psn, "bad_response")
            self.pump(now)

    def resolve(self, psn, status):
        sent = self.flight.pop(psn, None)
        if sent:
            sent.wr.complete(status)

    def repair(self, accepted, now):
        """Sends a PSN again, once, that many later requests have overtaken."""
        last = max(accepted, key=lambda psn: psn_diff(psn, self.next))
        late = []
        for sent in self.flight.values():
            if psn_diff(sent.psn, last) >= 0:
                break
            if sent.tries == 1:
                sent.passed += 1
                if sent.passed >= SACKS_BEFORE_REPAIR:
                    late.append(sent)
        for sent in late:
            self.transmit(sent, True, now)

    # ---- ends

    def everything(self):
        wrs = [sent.wr for sent in self.flight.values()] + list(self.queue)
        self.flight, self.timers = {}, []
        self.queue.clear()
        return wrs

    def abort(self, now):
        wrs = self.everything()
        self.begin(now)
        for wr in wrs:
            wr.complete("remote_abort")

    def close(self):
        wrs = self.everything()
        if self.used:
            self.sync(FIN)
        for wr in wrs:
            wr.complete("flushed")

    def cancel(self, qp, status, now):
        """Forgets the WRs of a queue pair; without a status nothing is told."""
        gone = [s for s in self.flight.values() if s.wr.qp is qp]
        queued = [wr for wr in self.queue if wr.qp is qp]
        for sent in gone:
            del self.flight[sent.psn]
        self.queue = collections.deque(wr for wr in self.queue if wr.qp is not qp)
        for wr in [s.wr for s in gone] + queued:
            wr.complete(status)
        if gone:
            self.sync()
        self.pump(now)

    # ---- time

    def deadline(self):
        due = [self.timers[0][0]] if self.timers else []
        if self.flight:
            due.append(self.heard + UNRESPONSIVE)
        return min(due, default=None)

    def tick(self, now):
        if self.flight and now >= self.heard + UNRESPONSIVE:
            self.give_up(now)
        while self.timers and self.timers[0][0] <= now:
            due, psn = heapq.heappop(self.timers)
            sent = self.flight.get(psn)
            if sent and sent.due == due:
                self.repeat(sent, now)

    def give_up(self, now):
        """The remote is unresponsive: the WRs on the wire end, the context stays."""
        if self.armed:
            self.armed = False
            self.event("unresponsive", ah=self.ah)
        wrs = [sent.wr for sent in self.flight.values()]
        self.flight, self.timers, self.heard = {}, [], now
        for wr in wrs:
            wr.complete("timeout")
        self.pump(now)


class Responder:
    """What a peer's context, (address, SCID), has come to (A.4.4)."""

    def __init__(self, peer, scid, rcid, lup):
        self.peer, self.scid, self.rcid = peer, scid, rcid
        self.base = self.lup = lup
        self.accepted, self.outcome = set(), {}
        self.closing, self.seen = False, 0.0
        self.waiting, self.waiting_since = [], None   # (BTH, SETH, source QP) not answered yet

    def learn(self, lup):
        if psn_diff(lup, self.lup) > 0:
            self.lup = lup
        if psn_diff(self.lup, self.base) > RECEIVE_WINDOW:
            self.base = self.lup
            self.accepted.clear()
            self.outcome.clear()
        self.advance()

    def advance(self):
        while self.base in self.accepted or psn_diff(self.base, self.lup) < 0:
            self.accepted.discard(self.base)
            self.outcome.pop(self.base, None)
            self.base = psn_add(self.base, 1)

    def known(self, psn):
        """The syndrome that a copy of psn gets, None: psn is new."""
        if psn_diff(psn, self.base) < 0 or psn in self.accepted:
            return ACCEPTED
        return self.outcome.get(psn)

    def sack(self):
        return sum(1 << (63 - k) for k in range(SACK_BITS)
                   if psn_add(self.base, k) in self.accepted)


class Responders:
    """All contexts of peers, and the answers to their requests."""

    def __init__(self, rng, send, deliver, mtu):
        self.rng, self.send, self.deliver, self.mtu = rng, send, deliver, mtu
        self.contexts = collections.OrderedDict()      # by the last use
        self.delayed = {}                              # contexts with answers that wait

    def reply(self, peer, bth, seth, src_qp, syndrome, c):
        """Answers one request; without a context as one that does not know it."""
        cack, sack, lup, rcid = 0, 0, 0, seth.rcid
        if c:
            cack, sack, lup, rcid = psn_add(c.base, -1), c.sack(), c.lup, c.rcid
            c.waiting, c.waiting_since = [], None
            self.delayed.pop((peer, c.scid), None)
        echo = Seth(0, seth.path, seth.tries, seth.scid, rcid, lup)
        packet = bth_pack(ACK, bth.psn, src_qp) + seth_pack(echo)
        packet += struct.pack(">IQ", syndrome << 24 | cack, sack)
        self.send(peer, seth.path, packet)

    def create(self, peer, seth, now):
        """A new context; None: too many are in use."""
        if len(self.contexts) >= CTX_MAX:
            key, oldest = next(iter(self.contexts.items()))
            if now - oldest.seen < CTX_FORGET:
                return None
            del self.contexts[key]
        c = Responder(peer, seth.scid, self.rng.randrange(1, 1 << 32), seth.lup)
        self.contexts[peer, seth.scid] = c
        return c

    def find(self, peer, seth, now):
        """(context or None, whether the request may be answered)."""
        c = self.contexts.get((peer, seth.scid))
        if not c and seth.flags & SYN:
            c = self.create(peer, seth, now)
            return c, c is not None
        if c and seth.rcid not in (0, c.rcid):
            return None, True
        return c, True

    def request(self, bth, seth, body, peer, now):
        if seth.flags & SYN and seth.rcid or psn_diff(seth.lup, bth.psn) > 0:
            raise Malformed("seth")
        message = None if bth.opcode == SYNC else Message(bth, body, self.mtu)
        if not message:
            self.synchronise(bth, seth, body, peer, now)
            return
        c, answered = self.find(peer, seth, now)
        if not c:
            if answered:
                self.reply(peer, bth, seth, message.src_qp, CTX_RESET, None)
            return
        c.seen = now
        self.contexts.move_to_end((peer, seth.scid))
        c.learn(seth.lup)
        psn = bth.psn
        if c.closing or psn_diff(psn, c.lup) < 0 or psn_diff(psn, c.base) >= RECEIVE_WINDOW:
            return
        syndrome, again = c.known(psn), True
        if syndrome is None:
            syndrome, again = self.deliver(message, peer), False
            if syndrome == ACCEPTED:
                c.accepted.add(psn)
            else:
                c.outcome[psn] = syndrome
            c.advance()
        if bth.ackreq or again or syndrome != ACCEPTED:
            self.reply(peer, bth, seth, message.src_qp, syndrome, c)
        else:
            self.delay(c, (bth, seth, message.src_qp), now)

    def synchronise(self, bth, seth, body, peer, now):
        c = self.contexts.get((peer, seth.scid))
        if body or not c or seth.rcid not in (0, c.rcid):
            return
        c.seen = now
        c.learn(seth.lup)
        c.closing = c.closing or seth.flags & FIN != 0

    def delay(self, c, request, now):
        """Holds back the answer to an accepted request that asks for none."""
        c.waiting.append(request)
        self.delayed[c.peer, c.scid] = c
        if c.waiting_since is None:
            c.waiting_since = now
        outside = psn_diff(request[0].psn, c.base) >= SACK_BITS
        if outside or len(c.waiting) >= COALESCED:
            self.catch_up(c)

    def catch_up(self, c):
        """Answers what waits: the last request, and those that no SACK bit covers."""
        waiting = c.waiting
        for request in waiting[:-1]:
            if psn_diff(request[0].psn, c.base) >= SACK_BITS:
                self.reply(c.peer, *request, ACCEPTED, c)
        self.reply(c.peer, *waiting[-1], ACCEPTED, c)

    def deadline(self):
        return min((c.waiting_since + COALESCE_TIME for c in self.delayed.values()), default=None)

    def tick(self, now):
        for c in [c for c in self.delayed.values() if now >= c.waiting_since + COALESCE_TIME]:
            self.catch_up(c)
