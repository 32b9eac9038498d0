# SPDX-License-Identifier: BSD-2-Clause
"""The modes without a PDC: both ends of RUDI, and UUD (3.5.7.3, 3.5.7.4).

A RUDI request has an identifier and a timer; the response with the same
identifier acknowledges it.  The target keeps nothing, and hands on every copy.
UUD is sent and forgotten.
"""
import wire

#: NACK codes after which the request is retransmitted, at once or later.
AT_ONCE = {wire.TRIMMED, wire.TRIMMED_LASTHOP, wire.RCVR_INFER_LOSS}


class Sent:
    """A RUDI request without its response."""

    def __init__(self, pkt_id, peer, packet):
        self.pkt_id, self.peer, self.packet = pkt_id, peer, packet
        self.due = None
        self.copies = self.timeouts = self.nacks = 0
        self.nack_wait = False


class Rudi:
    """Replaces the PDC in calls of the SES; its PDCID is 0."""
    lid, rod, stateless = 0, False, True

    def __init__(self, pds):
        self.pds, self.config = pds, pds.config
        self.out = {}             # pkt_id to Sent

    # ---- initiator

    def tx_message(self, peer, packets, now):
        """Each packet by itself: nothing joins those of a message (3.5.7.3)."""
        for packet in packets:
            while True:           # locally unique, not a sequence (table 3-39)
                pkt_id = self.pds.rng.randrange(1 << 32)
                if pkt_id not in self.out:
                    break
            packet.pdc, packet.psn = self, 0
            self.out[pkt_id] = s = Sent(pkt_id, peer, packet)
            self.transmit(s, now)

    def transmit(self, s, now):
        f = {"type": wire.RUDI_REQ, "next_hdr": s.packet.next_hdr, "pkt_id": s.pkt_id,
             "retx": int(s.copies > 0)}
        s.copies += 1
        self.left(s, now)
        self.pds.output(s.peer, self.pds.entropy(), wire.pds_pack(f) + s.packet.body)

    def left(self, s, now):
        s.due = now + min(self.config.rto * 2 ** s.timeouts, 8.0)

    def deadline(self):
        return min((s.due for s in self.out.values()), default=None)

    def tick(self, now):
        for s in [s for s in self.out.values() if s.due <= now]:
            if s.nack_wait:
                s.nack_wait = False
            else:
                s.timeouts += 1
                if s.timeouts > self.config.max_rto_retx:
                    self.fail(s, 0, now)
                    continue
            self.transmit(s, now)

    def fail(self, s, code, now):
        del self.out[s.pkt_id]
        self.pds.ses.on_error(s.packet, "retries", code, now)

    def on_response(self, f, body, peer, now):
        s = self.out.get(f["pkt_id"])
        if s is None or s.peer != peer:
            self.pds.stats["rudi_unmatched"] += 1
            return
        wire.ses_unpack(f["next_hdr"], body)      # whole, or Malformed
        del self.out[s.pkt_id]
        self.pds.ses.on_response(s.packet, f["next_hdr"], body, now)

    def on_nack(self, f, peer, now):
        """nt = 1: early news of a loss (3.5.12.7)."""
        s, code = self.out.get(f["nack_pkt_id"]), f["nack_code"]
        self.pds.stats["nack_rx"] += 1
        if s is None or s.peer != peer or s.nack_wait or f["retx"] < (s.copies > 1):
            return
        s.nacks += 1
        if s.nacks > self.config.max_nack_retx:
            self.fail(s, code, now)
        elif code in AT_ONCE:
            self.transmit(s, now)
        else:
            s.nack_wait, s.due = True, now + self.config.nack_time

    # ---- target, and UUD

    def feed(self, kind, f, body, peer, how, now):
        if kind == wire.RUDI_RESP:
            self.on_response(f, body, peer, now)
        elif kind == wire.UUD_REQ:
            self.on_datagram(f, body, now)
        else:
            self.on_request(f, body, peer, how, now)

    def on_request(self, f, body, peer, how, now):
        if f["next_hdr"] not in (wire.SMALL, wire.MEDIUM, wire.STD):
            self.pds.stats["malformed"] += 1
            return
        wire.ses_unpack(f["next_hdr"], body)      # whole, or Malformed
        refusal = self.pds.ses.refuse()
        if refusal:
            self.pds.stats["nack_tx"] += 1
            self.pds.output(peer, how.entropy, wire.pds_pack(
                {"type": wire.NACK, "m": how.m, "retx": how.retx, "nt": 1,
                 "nack_code": refusal, "nack_pkt_id": f["pkt_id"]}))
            return
        self.pds.last_handle += 1
        self.pds.handles[self.pds.last_handle] = (self, (f["pkt_id"], peer, how))
        self.pds.ses.on_request(self, 0, self.pds.last_handle, f["next_hdr"], body, now)

    def respond(self, asked, next_hdr, body):
        """The entropy, the mark and retx of the very copy that it answers."""
        pkt_id, peer, how = asked
        f = {"type": wire.RUDI_RESP, "next_hdr": next_hdr, "pkt_id": pkt_id, "m": how.m,
             "retx": how.retx}
        self.pds.output(peer, how.entropy, wire.pds_pack(f) + body)

    def tx_datagram(self, peer, packet):
        f = {"type": wire.UUD_REQ, "next_hdr": packet.next_hdr}
        self.pds.output(peer, self.pds.entropy(), wire.pds_pack(f) + packet.body)

    def on_datagram(self, f, body, now):
        """A single packet, which is never answered (3.5.7.4)."""
        if f["next_hdr"] not in (wire.SMALL, wire.MEDIUM, wire.STD):
            self.pds.stats["malformed"] += 1
            return
        ses, size = wire.ses_unpack(f["next_hdr"], body)
        if ses["opcode"] != wire.DATAGRAM_SEND or not (ses["som"] and ses["eom"]):
            self.pds.stats["uud_dropped"] += 1
            return
        self.pds.ses.on_datagram(ses, f["next_hdr"], body[size:], now)
