# SPDX-License-Identifier: BSD-2-Clause
"""The packet delivery sublayer: RUD and ROD on PDCs, both ends of them, sans I/O.

    feed(bytes, ...)  a datagram came        outputs    datagrams to send
    tick(now)         timers that are due    deadline() when to tick next

A PDC has two directions, each with its own PSN space (3.5.8): `Tx` is the
source's half of one, `Rx` the destination's half.  The initiator has the
forward Tx and the return Rx, the target the other two.  A PDC is RUD or ROD
for life (3.5.8.1).  What has no PDC is rudi.py's.  Times are seconds.
"""
import collections
import dataclasses

import wire
from rudi import Rudi
from wire import add, diff

#: PDC_FATAL codes (table 3-59): the PDC is of no use any more.
FATAL = {wire.INV_DPDCID, wire.PDC_HDR_MISMATCH, wire.CLOSING, wire.CLOSING_IN_ERR,
         wire.GTD_RESP_UNAVAIL, wire.INVALID_SYN, wire.PDC_MODE_MISMATCH,
         wire.UNEXP_EVENT, wire.EXP_NACK_FATAL}
#: Of those, where the other end still has the PDC: a Close Command is due.
FATAL_OPEN = {wire.GTD_RESP_UNAVAIL, wire.PDC_MODE_MISMATCH, wire.UNEXP_EVENT,
              wire.EXP_NACK_FATAL}
#: Answered by a retransmission at once; other normal codes wait NACK_Retx_Time.
AT_ONCE = {wire.TRIMMED, wire.TRIMMED_LASTHOP, wire.TRIMMED_ACK, wire.PKT_NOT_RCVD,
           wire.ACK_WITH_DATA, wire.RCVR_INFER_LOSS}
#: Control packets whose sender waits for an answer (table of 3.5.16.8).
CP_ANSWERED = {wire.NOOP, wire.ACK_REQUEST, wire.CLOSE_CMD, wire.CLOSE_REQ, wire.PROBE,
               wire.NEGOTIATION}
#: next_hdr of requests, by whether we are the initiator: a target's are return data.
TAKES = {False: (wire.SMALL, wire.MEDIUM, wire.STD),
         True: (wire.RESPONSE_DATA, wire.RESPONSE_DATA_SMALL)}

#: ccx_type of the ACKs of ROD, which have SACK and MPR but no state: one of those that are free.
CCX_TYPE = 14
#: Congestion state of the ACKs of RUD (table 3-74): sizes count an IP header as well (8.5).
CC_NSCC, UDP_HEADER, NOMINAL_ADD, RCVD_UNIT, OOO_MOST = 0, 8, 40, 256, 0xfffe
SERVICE_UNIT = 128e-9

#: next_hdr of ACKs that announce an SES response.
ANSWERS = (wire.RESPONSE, *TAKES[True])


@dataclasses.dataclass
class Config:
    """Parameters of table 3-28, as the declaration gives them."""
    rto: float = 0.060
    max_rto_retx: int = 5
    nack_time: float = 0.020
    max_nack_retx: int = 5
    ack_delay: float = 0.010      # ours: the longest that an ACK is held back
    ack_gen_trigger: int = 16384
    ack_gen_min: int = 1024
    clear_time: float = 0.002
    clear_req_time: float = 0.5   # ours: then a stored response asks for its clear
    mp_range: int = 1024
    entropies: tuple = (49200,)


class Sent:
    """A packet with a PSN that we are the source of."""

    def __init__(self, packet=None, next_hdr=0, body=b"", eom=False, ctl=None):
        self.packet = packet      # the SES's own object; None of a control packet
        self.next_hdr, self.body, self.eom, self.ctl = next_hdr, body, eom, ctl
        self.psn = self.due = None
        self.copies = self.timeouts = self.nacks = 0
        self.nack_wait = self.arrived = False


class Entry:
    """A PSN that has arrived and is not below CACK_PSN yet."""

    def __init__(self, how, urgent):
        self.state = "ses"        # then "ok", or "gtd": stored until cleared
        self.next_hdr, self.body = wire.HDR_NONE, b""
        self.how, self.urgent = how, urgent
        self.size = 0


class Tx:
    def __init__(self, start, mp_range):
        self.start = self.next = start
        self.cack = self.clear = add(start, -1)    # 3.5.11.4.4
        self.mp_range = mp_range
        self.queue = collections.deque()
        self.out = {}             # PSN to Sent: without its response
        self.clear_asked = None   # highest PSN whose ACK said REQ_CLEAR
        self.clear_due = None
        self.back = None          # ROD: (PSN gone back to, PSN that was refused)

    def idle(self):
        return not self.out and not self.queue

    def been_back(self, psn, refused):
        """Whether a ROD_OOO is of the burst that we have gone back for: it refuses a later PSN."""
        if self.back and self.back[0] == psn and diff(refused, self.back[1]) > 0:
            return True
        self.back = psn, refused
        return False


class Rx:
    def sack(self, base):
        """The bitmap from a PSN on; else from the multiple of 64 below the first missing one."""
        if base is None or abs(diff(base, self.cack)) > 32767:
            base = add(self.cack, 1) & ~63
        bits = 0
        for i in range(64):
            psn = add(base, i)
            old = diff(psn, self.start) >= 0 and diff(psn, self.cack) <= 0
            entry = self.entries.get(psn)
            if old or entry and entry.state != "ses":
                bits |= 1 << i
        return {"sack_psn_offset": diff(base, self.cack), "sack_bitmap": bits}

    def __init__(self, start):
        self.start = start
        self.cack = self.clear = self.high = add(start, -1)
        self.entries = {}
        self.unacked = set()      # arrived, in no ACK so far
        self.count = 0            # ACK_GEN_COUNT
        self.last = None          # (PSN, Entry) answered last
        self.ack_due = self.ask_due = None
        self.asked = 0            # Clear Requests since the store was empty
        self.ooo_told = None      # ROD: the PSN that the last ROD_OOO asked for
        self.bytes = 0            # nominal sizes of the new data packets

    def nscc(self, service):
        """Congestion state of an ACK; |service|: seconds that its request was here."""
        gap = add(self.cack, 1)
        while gap in self.entries:
            gap = add(gap, 1)
        behind = sum(diff(psn, gap) > 0 for psn in self.entries)
        units = min(max(int(service / SERVICE_UNIT), 1), 0xffff)  # 0 is not valid
        return {"service_time": units, "ooo_count": min(behind, OOO_MOST),
                "rcvd_bytes": (self.bytes + RCVD_UNIT - 1) // RCVD_UNIT & 0xffffff}


class Pdc:
    def __init__(self, lid, peer, rid, start, initiator, rod, config):
        self.lid, self.peer, self.rid, self.initiator = lid, peer, rid, initiator
        self.rod, self.entropy = rod, None    # ROD: one path (3.5.7.2)
        self.tx, self.rx = Tx(start, config.mp_range), Rx(start)
        self.locks = 0            # reads whose data is still to come
        self.closing = False      # no new message; Close Command when idle
        self.close_psn = self.close_how = None
        self.ask = wire.REQ_NONE  # a target that wants it closed says so in its ACKs
        self.asks = False         # it sent a Close Request


class How:
    """What an answer takes from the packet that it answers (1.3, 2.3)."""

    def __init__(self, f, entropy, ce, size, now):
        self.entropy, self.m, self.retx = entropy, int(ce), f.get("retx", 0)
        self.at = now             # when that arrived
        self.nominal = size + UDP_HEADER + NOMINAL_ADD
        self.dpdcid = f.get("spdcid", 0)


def tx_first(tx, expected):
    """The packet that a ROD_OOO asks for: its payload's, else the first outstanding."""
    return tx.out.get(expected) or next(iter(tx.out.values()))


class Pds:
    def __init__(self, config, ses, rng, clock):
        self.config, self.ses, self.rng = config, ses, rng
        self.clock = clock        # the time now, for service_time alone
        self.outputs = collections.deque()    # (peer, entropy, bytes, Sent or None)
        self.pdcs = {}            # local PDCID to Pdc
        self.open_to = {}         # (peer, rod) to Pdc: takes new messages
        self.targets = {}         # (peer, its PDCID) to Pdc
        self.last_psn = {}        # PDCID to the last PSN that was sent with it
        self.handles = {}         # rx_pkt_handle to (Pdc, PSN)
        self.last_handle = self.turn = 0
        self.last_lid = rng.randrange(1, 0x10000)
        self.stats = collections.Counter()
        self.rudi = Rudi(self)

    # ---- what the SES calls

    def tx_message(self, peer, packets, now, lock=False, rod=False):
        """ses_pds_tx_req of a whole message: all of it on one PDC (3.5.20)."""
        pdc = self.open_to.get((peer, rod))
        if pdc is None:
            pdc = self.open_to[peer, rod] = self.create(peer, None, None, True, rod)
        pdc.locks += lock
        for p in packets:
            pdc.tx.queue.append(Sent(p, p.next_hdr, p.body, p.eom))
        self.pump(pdc, now)

    def tx_ret(self, pdc, packet, now):
        """ses_pds_tx_ret: read data, on the PDC of its request (3.5.12.1)."""
        if self.pdcs.get(pdc.lid) is pdc:
            pdc.tx.queue.append(Sent(packet, packet.next_hdr, packet.body, packet.eom))
            self.pump(pdc, now)

    def tx_rsp(self, handle, next_hdr, body, gtd, now):
        """ses_pds_tx_rsp: the one response to a request that was handed up."""
        pdc, psn = self.handles.pop(handle, (None, 0))
        if pdc is self.rudi:
            return self.rudi.respond(psn, next_hdr, body)
        if pdc is None or self.pdcs.get(pdc.lid) is not pdc:
            return
        entry = pdc.rx.entries[psn]
        entry.state, entry.next_hdr, entry.body = "gtd" if gtd else "ok", next_hdr, body
        self.answered(pdc, psn, entry, now)

    def unlock(self, pdc, now):
        """ses_pds_unlock"""
        pdc.locks -= 1
        self.close_if_idle(pdc, now)

    # ---- time

    def deadline(self):
        due = [t for pdc in self.pdcs.values()
               for t in (pdc.rx.ack_due, pdc.rx.ask_due, pdc.tx.clear_due,
                         *(s.due for s in self.timed(pdc)))]
        due.append(self.rudi.deadline())
        return min((t for t in due if t is not None), default=None)

    def tick(self, now):
        self.rudi.tick(now)
        for pdc in list(self.pdcs.values()):
            self.tick_sent(pdc, now)
            if pdc.rx.ack_due is not None and pdc.rx.ack_due <= now:
                self.flush(pdc)
            if pdc.tx.clear_due is not None and pdc.tx.clear_due <= now:
                self.send_clear(pdc)
            if pdc.rx.ask_due is not None and pdc.rx.ask_due <= now:
                self.ask_clear(pdc, now)

    def tick_sent(self, pdc, now):
        """Retransmission time-out and the wait after a NACK (3.5.15)."""
        for s in [s for s in self.timed(pdc) if s.due <= now]:
            if s.nack_wait:
                s.nack_wait = False
            else:
                s.timeouts += 1
                self.stats["rto"] += 1
                if s.timeouts > self.config.max_rto_retx:
                    return self.fail(pdc, "retries", 0, True, now)
            if s.arrived:  # a SACK bit told: its response is missing, not the packet
                self.send_cp(pdc, wire.ACK_REQUEST, psn=s.psn, ar=1,
                             payload=self.ses.message_id_of(s.packet))
                s.due = now + self.rto(s)
            else:
                self.again(pdc, s, now)

    @staticmethod
    def timed(pdc):
        """The packets whose timers count: of ROD the first, and what a NACK put off."""
        out = pdc.tx.out.values()
        return [s for i, s in enumerate(out) if not pdc.rod or not i or s.nack_wait]

    def again(self, pdc, s, now):
        """Selective repeat in RUD, Go-Back-N in ROD (3.5.7.1, 3.5.7.2)."""
        for other in [s] if not pdc.rod else list(pdc.tx.out.values()):
            if diff(other.psn, s.psn) >= 0:
                self.transmit(pdc, other, now)

    def rto(self, s):
        return min(self.config.rto * 2 ** s.timeouts, 8.0)

    # ---- source: sending

    def create(self, peer, rid, start, initiator, rod):
        """A PDC under the next free PDCID; an initiator's |start| is None."""
        while True:
            self.last_lid = self.last_lid % 0xffff + 1
            if self.last_lid not in self.pdcs:
                break
        while start is None:      # random, 2^16 away from the last PSN there (3.5.8.2)
            start = self.rng.randrange(1 << 32)
            if abs(diff(start, self.last_psn.get(self.last_lid, start + 0x80000000))) < 1 << 16:
                start = None
        pdc = Pdc(self.last_lid, peer, rid, start, initiator, rod, self.config)
        pdc.entropy = self.entropy()
        self.pdcs[pdc.lid] = pdc
        if not initiator:
            self.targets[peer, rid] = pdc
        return pdc

    def free(self, pdc):
        self.pdcs.pop(pdc.lid, None)
        self.last_psn[pdc.lid] = add(pdc.tx.next, -1)
        if self.open_to.get((pdc.peer, pdc.rod)) is pdc:
            del self.open_to[pdc.peer, pdc.rod]
        if self.targets.get((pdc.peer, pdc.rid)) is pdc:
            del self.targets[pdc.peer, pdc.rid]

    def pump(self, pdc, now):
        """Sends what the window allows: psn <= CACK_PSN + MP_RANGE (6.6)."""
        tx = pdc.tx
        while tx.queue and diff(tx.next, tx.cack) <= tx.mp_range:
            s = tx.queue.popleft()
            s.psn = tx.next
            tx.next = add(tx.next, 1)
            tx.out[s.psn] = s
            if s.packet:
                s.packet.pdc, s.packet.psn = pdc, s.psn
            self.transmit(pdc, s, now)

    def transmit(self, pdc, s, now):
        """A request or CP with a PSN, for the first time or again (8.6)."""
        tx = pdc.tx
        f = {"psn": s.psn, "spdcid": pdc.lid, "retx": int(s.copies > 0)}
        if pdc.rid is None:
            f.update(syn=1, psn_offset=diff(s.psn, tx.start))
        else:
            f["dpdcid"] = pdc.rid
        if s.ctl is not None:
            f.update(type=wire.CP, ctl_type=s.ctl, ar=1)
        else:
            f.update(type=wire.ROD_REQ if pdc.rod else wire.RUD_REQ, next_hdr=s.next_hdr, ar=int(s.eom or s.copies > 0),
                     clear_psn_offset=diff(tx.clear, s.psn))
            self.clear_told(tx)
        s.copies += 1
        self.left(s, now)
        self.output(pdc.peer, self.entropy(pdc), wire.pds_pack(f) + s.body, s)

    def left(self, s, now):
        """|s| leaves at this moment: its timer counts from here."""
        s.due = now + self.rto(s)

    def entropy(self, pdc=None):
        """RUD may take another path for each packet (3.6.16.4); ROD keeps to one."""
        if pdc and pdc.rod:
            return pdc.entropy
        self.turn = (self.turn + 1) % len(self.config.entropies)
        return self.config.entropies[self.turn]

    def output(self, peer, entropy, data, sent=None):
        self.stats["tx"] += 1
        self.outputs.append((peer, entropy, data, sent))

    def send_cp(self, pdc, ctl, **fields):
        """A control packet that takes no PSN: sent once, never repeated."""
        if pdc.rid is not None:
            f = dict(fields, type=wire.CP, ctl_type=ctl, spdcid=pdc.lid, dpdcid=pdc.rid)
            self.output(pdc.peer, self.entropy(pdc), wire.pds_pack(f))

    # ---- source: clear (7.3)

    def clear_told(self, tx):
        """CLEAR_PSN has just been sent."""
        if tx.clear_asked is not None and diff(tx.clear, tx.clear_asked) >= 0:
            tx.clear_asked = tx.clear_due = None

    def clear_when_idle(self, tx, now):
        """A Clear Command is due only if no request is there to carry it."""
        if tx.clear_asked is not None and diff(tx.cack, tx.clear_asked) >= 0:
            tx.clear_asked = None
        if tx.clear_asked is None or not tx.idle():
            tx.clear_due = None
        elif tx.clear_due is None:
            tx.clear_due = now + self.config.clear_time

    def send_clear(self, pdc):
        pdc.tx.clear_due = None
        self.send_cp(pdc, wire.CLEAR_CMD, payload=pdc.tx.clear)
        self.clear_told(pdc.tx)

    # ---- source: ACK and NACK

    def on_ack(self, pdc, f, body, now):
        tx, cack = pdc.tx, f["cack_psn"]
        if diff(cack, add(tx.next, -1)) > 0 or diff(cack, add(tx.start, -1)) < 0:
            self.stats["ack_out_of_range"] += 1
            return
        self.learn(pdc, f["spdcid"])
        if f.get("mpr") and diff(cack, tx.cack) >= 0:
            tx.mp_range = f["mpr"] * 128
        if diff(cack, tx.cack) > 0:
            tx.cack = cack
        done = []
        if not f["p"]:
            done += self.acked(tx, add(cack, f["ack_psn_offset"]), f, body)
        if not pdc.rod:
            self.sacked(tx, f)
        for psn in sorted(tx.out, key=lambda psn: diff(psn, tx.start)):
            if diff(psn, tx.cack) <= 0:   # no state is kept: it was a success
                done.append((tx.out.pop(psn), wire.HDR_NONE, b""))
        while diff(tx.next, tx.clear) > 1 and add(tx.clear, 1) not in tx.out:
            tx.clear = add(tx.clear, 1)   # up to the first without its response
        for s, next_hdr, data in done:
            if s.packet:
                self.ses.on_response(s.packet, next_hdr, data, now)
        if f["req"] == wire.REQ_CLOSE and pdc.initiator:
            self.want_close(pdc, now)
        self.progress(pdc, now)

    def acked(self, tx, psn, f, body):
        """The PSN that the ACK is about: its own response, or "wait for it"."""
        if f["req"] == wire.REQ_CLEAR and diff(psn, tx.cack) > 0 and diff(psn, tx.next) < 0:
            if tx.clear_asked is None or diff(psn, tx.clear_asked) > 0:
                tx.clear_asked = psn
        s = tx.out.get(psn)
        if s is None:
            return []
        early = f["next_hdr"] == wire.RESPONSE and body and body[0] & 0x3f == wire.RSP_NONE
        if early and diff(psn, tx.cack) > 0:
            s.arrived = True
            return []
        return [(tx.out.pop(psn), f["next_hdr"], body)]

    def sacked(self, tx, f):
        """A SACK bit says that a packet arrived, not what came of it (7.2)."""
        base, bits = add(f["cack_psn"], f.get("sack_psn_offset", 0)), f.get("sack_bitmap", 0)
        for i in range(64):
            if bits >> i & 1 and add(base, i) in tx.out:
                tx.out[add(base, i)].arrived = True

    def progress(self, pdc, now):
        """After a response, or the last of something: what may go on now."""
        if self.pdcs.get(pdc.lid) is not pdc:
            return
        if pdc.initiator and pdc.close_psn is not None and pdc.close_psn not in pdc.tx.out:
            return self.free(pdc)             # the Close Command is acknowledged
        self.pump(pdc, now)
        self.clear_when_idle(pdc.tx, now)
        self.close_if_idle(pdc, now)
        if not pdc.initiator and pdc.close_psn is not None and pdc.tx.idle():
            self.close_target(pdc)

    def learn(self, pdc, spdcid):
        """CREATING to ESTABLISHED (6.3)"""
        if pdc.rid is None and spdcid:
            pdc.rid = spdcid

    def on_nack(self, pdc, f, now):
        """The reaction that the code asks for (section 4); a stale one is ignored."""
        code, s = f["nack_code"], pdc.tx.out.get(f["nack_psn"])
        self.stats["nack_rx"] += 1
        if s is None:
            return
        if code == wire.NEW_START_PSN:
            return self.restart(pdc, f["payload"], now)
        self.learn(pdc, f["spdcid"])
        if code in FATAL:
            if code == wire.INV_DPDCID and s.psn == pdc.close_psn:
                return self.free(pdc)         # its ACK was lost: closed all the same
            return self.fail(pdc, "fatal", code, code in FATAL_OPEN, now)
        if s.nack_wait or f["retx"] < (s.copies > 1):
            return                            # of an earlier copy
        if pdc.rod and code == wire.ROD_OOO:  # Go-Back-N from the first that is missing
            s = tx_first(pdc.tx, f["payload"])
            if s.nack_wait or pdc.tx.been_back(s.psn, f["nack_psn"]):
                return
        s.nacks += 1
        if s.nacks > self.config.max_nack_retx:
            return self.fail(pdc, "retries", code, True, now)
        at_once = code in AT_ONCE or (pdc.rod and code == wire.ROD_OOO)
        s.nack_wait, s.arrived = not at_once, False
        if s.nack_wait:
            s.due = now + self.config.nack_time
        else:
            self.again(pdc, s, now)

    def restart(self, pdc, start, now):
        """Every packet gets a new PSN, from the one that the target wants (4.3, 6.4)."""
        sent = list(pdc.tx.out.values())
        if pdc.rid is not None or sent[0].psn == start:
            return                            # it has answered before, or all begin there
        again, tx = Tx(start, pdc.tx.mp_range), pdc.tx
        again.queue.extend(sent)
        again.queue.extend(tx.queue)
        for s in sent:
            s.copies = s.timeouts = s.nacks = 0
            s.nack_wait = s.arrived = False
        pdc.tx, pdc.rx = again, Rx(start)
        self.pump(pdc, now)

    def fail(self, pdc, status, code, polite, now):
        """pds_ses_error for each request without response, then close (6.7)."""
        tx = pdc.tx
        lost = [s.packet for s in (*tx.out.values(), *tx.queue) if s.packet]
        gave_up_closing = pdc.close_psn is not None
        tx.out.clear()
        tx.queue.clear()
        tx.clear_asked = tx.clear_due = None
        pdc.locks = 0
        self.stats["pdc_error"] += 1
        if polite and pdc.initiator and pdc.rid is not None and not gave_up_closing:
            self.want_close(pdc, now)
        else:
            self.free(pdc)
        for packet in lost:
            self.ses.on_error(packet, status, code, now)
        self.ses.on_pdc_error(pdc, status, code, now)

    # ---- closing (6.7)

    def want_close(self, pdc, now):
        pdc.closing = True
        if self.open_to.get((pdc.peer, pdc.rod)) is pdc:
            del self.open_to[pdc.peer, pdc.rod]
        self.close_if_idle(pdc, now)

    def ask_close(self, peer, by, now):
        """As target: ask for a close, by a Close Request, in all ACKs, or both."""
        for pdc in [p for p in self.targets.values() if p.peer == peer and not p.closing]:
            if by in ("both", "ack"):
                pdc.ask = wire.REQ_CLOSE
            if by in ("both", "cp") and not pdc.asks:
                pdc.asks = True
                pdc.tx.queue.append(Sent(ctl=wire.CLOSE_REQ))
                self.pump(pdc, now)

    def close_if_idle(self, pdc, now):
        if pdc.closing and pdc.close_psn is None and pdc.tx.idle() and not pdc.locks:
            self.flush(pdc)
            pdc.tx.queue.append(Sent(ctl=wire.CLOSE_CMD))
            pdc.close_psn = pdc.tx.next
            self.pump(pdc, now)

    def close_target(self, pdc):
        """The closing ACK; the PDC is gone with it."""
        self.send_ack(pdc, pdc.close_psn, wire.HDR_NONE, b"", pdc.close_how)
        self.free(pdc)

    # ---- destination: answers

    def send_ack(self, pdc, psn, next_hdr, body, how, req=wire.REQ_NONE, probe=None, base=None):
        rx = pdc.rx
        f = {"next_hdr": next_hdr, "m": how.m, "retx": how.retx, "req": req or pdc.ask,
             "cack_psn": rx.cack, "spdcid": pdc.lid, "dpdcid": pdc.rid,
             "mpr": self.config.mp_range // 128, **rx.sack(base)}
        if pdc.rod:
            f.update(type=wire.ACK_CCX, ccx_type=CCX_TYPE)
        else:
            f.update(type=wire.ACK_CC, cc_type=CC_NSCC, **rx.nscc(self.clock() - how.at))
        if probe is None:
            f["ack_psn_offset"] = diff(psn, rx.cack)
            rx.unacked.discard(psn)
        else:
            f.update(p=1, probe_opaque=probe)
        rx.unacked = {p for p in rx.unacked if diff(p, rx.cack) > 0}
        if not rx.unacked:
            rx.ack_due, rx.count = None, 0
        self.output(pdc.peer, how.entropy, wire.pds_pack(f) + body)

    def send_nack(self, peer, code, psn, how, spdcid=0, payload=0):
        self.stats["nack_tx"] += 1
        self.output(peer, how.entropy, wire.pds_pack(
            {"type": wire.NACK, "m": how.m, "retx": how.retx, "nack_code": code,
             "nack_psn": psn, "spdcid": spdcid, "dpdcid": how.dpdcid, "payload": payload}))

    def resend(self, pdc, entry, psn, body, next_hdr, how):
        """Again, for a duplicate: what is stored, else the default response."""
        if entry and entry.state == "gtd":
            self.send_ack(pdc, psn, entry.next_hdr, entry.body, how, wire.REQ_CLEAR)
        elif next_hdr == wire.HDR_NONE:
            self.send_ack(pdc, psn, wire.HDR_NONE, b"", how)
        else:
            self.send_ack(pdc, psn, wire.RESPONSE, self.ses.default(next_hdr, body), how)

    def answered(self, pdc, psn, entry, now):
        """A response is there: acknowledge at once, or gather (3.5.12.2)."""
        rx = pdc.rx
        self.advance(rx)
        if pdc.rod and (entry.state == "gtd" or entry.urgent):
            self.ack_before(pdc, psn)
        if entry.state == "gtd":
            rx.ask_due = rx.ask_due or now + self.config.clear_req_time
            return self.send_ack(pdc, psn, entry.next_hdr, entry.body, entry.how,
                                 wire.REQ_CLEAR)
        rx.unacked.add(psn)
        rx.last = (psn, entry)
        rx.count += max(entry.size, self.config.ack_gen_min)
        if entry.urgent or rx.count >= self.config.ack_gen_trigger:
            rx.count = 0
            self.send_ack(pdc, psn, entry.next_hdr, entry.body, entry.how)
        if rx.unacked and rx.ack_due is None:
            rx.ack_due = now + self.config.ack_delay

    def ack_before(self, pdc, psn):
        """ROD: what came before |psn| and no CACK_PSN covers is acknowledged first."""
        rx = pdc.rx
        for p in sorted(rx.unacked, key=lambda p: diff(p, rx.start)):
            if diff(p, rx.cack) > 0 and diff(p, psn) < 0:
                e = rx.entries[p]
                self.send_ack(pdc, p, e.next_hdr, e.body, e.how)

    def flush(self, pdc):
        """ACKs for all that is in none so far: the latest, then what that left over."""
        rx = pdc.rx
        rx.ack_due = None
        while rx.unacked:
            psn, e = rx.last
            if pdc.rod:
                self.ack_before(pdc, psn)
            if psn not in rx.unacked:         # what is left is above CACK_PSN
                if not rx.unacked:
                    break
                psn = next(iter(rx.unacked))
                e = rx.entries[psn]
            self.send_ack(pdc, psn, e.next_hdr, e.body, e.how)

    def advance(self, rx):
        """CACK_PSN over all that needs no state any more (7.2)."""
        while (e := rx.entries.get(add(rx.cack, 1))) and e.state != "ses":
            if e.state == "gtd" and diff(add(rx.cack, 1), rx.clear) > 0:
                break
            rx.cack = add(rx.cack, 1)
            del rx.entries[rx.cack]
        if not any(e.state == "gtd" for e in rx.entries.values()):
            rx.ask_due, rx.asked = None, 0

    def cleared(self, pdc, clear):
        """CLEAR_PSN came: responses at or below it are released (7.3)."""
        rx = pdc.rx
        if diff(clear, rx.clear) > 0 and diff(clear, rx.high) <= 0:
            rx.clear = clear
            self.advance(rx)

    def ask_clear(self, pdc, now):
        """Clear Request, three times at the most (3.5.16.3)."""
        rx = pdc.rx
        rx.asked += 1
        wanted = [p for p, e in rx.entries.items() if e.state == "gtd"]
        self.send_cp(pdc, wire.CLEAR_REQ, payload=max(wanted, key=lambda p: diff(p, rx.start)))
        rx.ask_due = now + self.config.clear_req_time * 2 ** rx.asked if rx.asked < 3 else None

    # ---- destination: arrivals

    def feed(self, data, peer, entropy, ce, now):
        """One datagram from |peer|; |entropy| is its source port."""
        self.stats["rx"] += 1
        try:
            f, size = wire.pds_unpack(data)
            kind, body = f["type"], data[size:]
            how = How(f, entropy, ce, len(data), now)
            if kind in (wire.ACK, wire.ACK_CC, wire.ACK_CCX, wire.NACK, wire.NACK_CCX):
                self.feedback(f, body, peer, now)
            elif kind == wire.CP:
                self.on_cp(f, peer, how, now)
            elif kind in (wire.RUD_REQ, wire.RUD_CC_REQ, wire.ROD_REQ, wire.ROD_CC_REQ):
                pdc = self.find(f, peer, how, f["next_hdr"])
                if pdc:
                    wire.ses_unpack(f["next_hdr"], body)  # whole, or Malformed
                    self.receive(pdc, f, body, how, now)
            elif kind in (wire.RUDI_REQ, wire.RUDI_RESP, wire.UUD_REQ):
                self.rudi.feed(kind, f, body, peer, how, now)
            else:
                self.stats["not_spoken"] += 1             # TSS
        except wire.Malformed:
            self.stats["malformed"] += 1

    def feedback(self, f, body, peer, now):
        """ACK or NACK: only for a PDC of ours, from the other end of it."""
        pdc = self.pdcs.get(f["dpdcid"])
        if f.get("nt"):
            self.rudi.on_nack(f, peer, now)
        elif not pdc or pdc.peer != peer:
            self.stats["feedback_unknown"] += 1
        elif f["type"] in (wire.NACK, wire.NACK_CCX):
            if f["spdcid"] in (0, pdc.rid) or pdc.rid is None:
                self.on_nack(pdc, f, now)
        elif pdc.rid in (None, f["spdcid"]):
            if f["next_hdr"] in ANSWERS:
                wire.ses_unpack(f["next_hdr"], body)  # whole, or Malformed
            self.on_ack(pdc, f, body, now)

    def find(self, f, peer, how, next_hdr):
        """The PDC of a request or CP, in the order of 3.5.8.2; else a NACK."""
        psn = f["psn"]
        rod = f["type"] in (wire.ROD_REQ, wire.ROD_CC_REQ) or bool(f.get("isrod"))
        if f["syn"]:
            return self.find_syn(f, peer, how, next_hdr, rod)
        pdc = self.pdcs.get(f["dpdcid"])
        if pdc is None:
            if f["type"] != wire.CP or f["ctl_type"] in CP_ANSWERED:
                self.send_nack(peer, wire.INV_DPDCID, psn, how)
            return None
        if pdc.peer != peer or pdc.rid not in (None, f["spdcid"]):
            code = wire.PDC_HDR_MISMATCH
        elif f["type"] != wire.CP and rod != pdc.rod:
            code = wire.PDC_MODE_MISMATCH
        elif f["type"] != wire.CP and next_hdr not in TAKES[pdc.initiator]:
            code = wire.PDC_HDR_MISMATCH
        else:
            self.learn(pdc, f["spdcid"])
            return pdc
        # "spdcid: 0 if it has no PDC": a mismatch means that it is another's
        self.send_nack(peer, code, psn, how,
                       0 if code == wire.PDC_HDR_MISMATCH else pdc.lid)
        return None

    def find_syn(self, f, peer, how, next_hdr, rod):
        """syn = 1: a known PDC of that source, or a new one (6.3)."""
        start = add(f["psn"], -f["psn_offset"])
        pdc = self.targets.get((peer, f["spdcid"]))
        own = [p for p in self.pdcs.values()
               if p.initiator and (p.peer, p.rid) == (peer, f["spdcid"])]
        if own or (pdc and pdc.rx.start != start):
            code, pdc = wire.INVALID_SYN, pdc or own[0]
        elif pdc:
            code = wire.PDC_MODE_MISMATCH if rod != pdc.rod else 0
        elif f["spdcid"] == 0 or (f["type"] == wire.CP and f["ctl_type"] != wire.NOOP):
            code = wire.UNEXP_EVENT
        elif f["type"] != wire.CP and next_hdr not in TAKES[False]:
            code = wire.PDC_HDR_MISMATCH
        elif rod and f["psn_offset"]:         # the first has to be the first (7.6)
            self.send_nack(peer, wire.ROD_OOO, f["psn"], how, payload=start)
            return None
        else:
            return self.create(peer, f["spdcid"], start, False, rod)
        if not code:
            return pdc
        self.send_nack(peer, code, f["psn"], how, pdc.lid if pdc else 0)
        return None

    def receive(self, pdc, f, body, how, now):
        """A packet with a PSN: window, clear, duplicate, delivery (3.5.12)."""
        rx, psn, ctl = pdc.rx, f["psn"], f.get("ctl_type")
        ahead = diff(psn, rx.cack)
        if ahead > self.config.mp_range:
            return self.send_nack(pdc.peer, wire.PSN_OOR_WINDOW, psn, how, pdc.lid)
        if ahead <= -self.config.mp_range or diff(psn, rx.start) < 0:
            self.stats["too_old"] += 1
            return None
        if pdc.rod and diff(psn, rx.high) > 1:
            return self.out_of_order(pdc, f, how)
        if ctl is None:
            self.cleared(pdc, add(psn, f["clear_psn_offset"]))
        entry = rx.entries.get(psn)
        if entry or diff(psn, rx.cack) <= 0:
            return self.duplicate(pdc, f, entry, body, how)
        if pdc.close_psn is not None and not pdc.initiator:
            return self.send_nack(pdc.peer, wire.CLOSING, psn, how, pdc.lid)
        refusal = 0
        if ctl is None and not pdc.initiator:
            refusal = self.ses.full(pdc, f["next_hdr"], body) or self.ses.refuse()
        if refusal:
            return self.send_nack(pdc.peer, refusal, psn, how, pdc.lid)
        entry = Entry(how, f["ar"] or f["syn"] or f["retx"] or how.m)
        rx.entries[psn] = entry
        if diff(psn, rx.high) > 0:
            rx.high = psn
        if ctl is None:
            rx.bytes += how.nominal
            return self.deliver(pdc, psn, f["next_hdr"], body, entry, now)
        entry.state = "ok"
        return self.consume(pdc, psn, ctl, entry, how, now)

    def out_of_order(self, pdc, f, how):
        """ROD drops it; one NACK for a gap, another if a repeat has a gap before it."""
        rx, expected = pdc.rx, add(pdc.rx.high, 1)
        self.stats["out_of_order"] += 1
        if rx.ooo_told != expected or f["retx"]:
            rx.ooo_told = expected
            self.send_nack(pdc.peer, wire.ROD_OOO, f["psn"], how, pdc.lid, expected)

    def deliver(self, pdc, psn, next_hdr, body, entry, now):
        """pds_ses_rx_req or pds_ses_rx_ret; the SES answers with tx_rsp."""
        self.last_handle += 1
        self.handles[self.last_handle] = (pdc, psn)
        entry.size = len(body)
        up = self.ses.on_return if pdc.initiator else self.ses.on_request
        up(pdc, psn, self.last_handle, next_hdr, body, now)

    def consume(self, pdc, psn, ctl, entry, how, now):
        """NOOP, Close Command, Close Request: control packets with a PSN."""
        entry.urgent = True
        if ctl == wire.CLOSE_CMD:
            pdc.close_psn, pdc.close_how = psn, how
            for e in pdc.rx.entries.values():             # it clears all before it
                e.state = "ok" if e.state == "gtd" else e.state
            self.advance(pdc.rx)
            return self.progress(pdc, now)
        self.answered(pdc, psn, entry, now)
        if ctl == wire.CLOSE_REQ:
            self.want_close(pdc, now)

    def duplicate(self, pdc, f, entry, body, how):
        """Never to the SES again; retx = 1 has to be answered (7.4)."""
        self.stats["duplicate"] += 1
        psn = f["psn"]
        if not f["retx"] or psn == pdc.close_psn:
            return
        if entry and entry.state == "ses":
            self.send_nack(pdc.peer, wire.RCVD_SES_PROCG, psn, how, pdc.lid)
        else:
            self.resend(pdc, entry, psn, body, f.get("next_hdr", wire.HDR_NONE), how)

    def on_cp(self, f, peer, how, now):
        """Control packets (3.5.16)"""
        ctl = f["ctl_type"]
        if ctl in (wire.CREDIT, wire.CREDIT_REQ) or ctl > wire.NEGOTIATION:
            self.stats["not_spoken"] += 1
            return
        pdc = self.find(f, peer, how, wire.HDR_NONE)
        if pdc is None:
            return
        wrong_way = pdc.initiator if ctl == wire.CLOSE_CMD else (
            ctl == wire.CLOSE_REQ and not pdc.initiator)
        if wrong_way or ctl == wire.NEGOTIATION:
            self.send_nack(peer, wire.UNEXP_EVENT, f["psn"], how, pdc.lid)
        elif ctl == wire.CLEAR_CMD:
            self.cleared(pdc, f["payload"])
        elif ctl == wire.CLEAR_REQ:
            self.send_clear(pdc)
        elif ctl == wire.PROBE:
            self.send_ack(pdc, 0, wire.HDR_NONE, b"", how, probe=f["probe_opaque"],
                          base=f["payload"])
        elif ctl == wire.ACK_REQUEST:
            self.on_ack_request(pdc, f, how)
        else:
            self.receive(pdc, f, b"", how, now)

    def on_ack_request(self, pdc, f, how):
        """An ACK for a PSN, as for a duplicate of it (3.5.16.2)."""
        rx, psn = pdc.rx, f["psn"]
        entry, ahead = rx.entries.get(psn), diff(psn, rx.cack)
        if abs(ahead) > self.config.mp_range or diff(psn, rx.start) < 0:
            self.stats["too_old"] += 1
        elif entry is None and ahead > 0:
            self.send_nack(pdc.peer, wire.PKT_NOT_RCVD, psn, how, pdc.lid)
        elif entry and entry.state == "ses":
            self.send_nack(pdc.peer, wire.RCVD_SES_PROCG, psn, how, pdc.lid)
        elif entry and entry.state == "gtd":
            self.resend(pdc, entry, psn, b"", wire.HDR_NONE, how)
        else:
            body = self.ses.default_of(f["payload"] & 0xffff)
            self.send_ack(pdc, psn, wire.RESPONSE, body, how)
