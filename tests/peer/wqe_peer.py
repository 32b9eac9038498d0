# SPDX-License-Identifier: BSD-2-Clause
"""An endpoint of WQE-SR over UDP, driven by JSON lines on stdin.

    wqe_peer.py --udp ADDR[:PORT] [--mtu BYTES]

Queue pairs as of RC; the sender is in wqe.py, the receiver in wqe_rx.py.  Ends
at the end of stdin.
"""
import argparse
import collections
import random

import wqe
import wqe_rx
from ib import Adapter, Malformed, Refused, integer
from pattern import crc32c, of_memory, pattern

MTU = 512
DEPTH = 1024
MESSAGE_MAX = 1 << 20
FIRST_PSN = 10                       # where the tester names none
REGION_ADDRESS = 0x7f5500010000      # of memory that is exposed without an offset
DATA_SOURCE, ANSWER_SOURCE = 0xc0a1, 0xf00d
TRANSITIONS = {("reset", "init"), ("init", "init"), ("init", "rtr"), ("rtr", "rts"),
               ("rts", "rts"), ("rts", "sqd"), ("sqd", "sqd"), ("sqd", "rts")}
ACTIVE = ("rtr", "rts", "sqd")


class Region:
    def __init__(self, address, length, seed, key):
        self.address = address
        self.memory = bytearray(pattern(length, seed, of_memory(key)))


class Receive:
    def __init__(self, request):
        self.handle = request.get("handle", 0)
        self.len = request["len"] + request.get("len2", 0)
        self.lkey = request.get("lkey", 0)


class Work:
    """A send or write WR; complete() tells how it ended, once."""

    def __init__(self, qp, request, kind, data):
        self.qp, self.kind, self.data = qp, kind, data
        self.handle = request.get("handle", 0)
        self.rkey, self.va = integer(request.get("key", 0)), integer(request.get("offset", 0))
        self.imm = request.get("imm", 0) if request.get("with_imm") else None
        self.sn = self.last_psn = self.error = None
        qp.outstanding += 1

    def complete(self, status):
        self.qp.outstanding -= 1
        brought = {}
        if self.kind == "read" and status == "ok":
            self.qp.device.last = bytes(self.data)
            brought["digest"] = crc32c(self.data)
        self.qp.emit("completion", handle=self.handle, status=status, qpn=self.qp.qpn, **brought)


class QueuePair:
    def __init__(self, qpn, depth, peer):
        self.qpn, self.depth, self.device = qpn, depth or DEPTH, peer
        self.stats, self.emit = peer.stats, peer.emit
        self.clear()

    def clear(self):
        self.state, self.peer, self.dest_qp, self.outstanding = "reset", None, 0, 0
        self.receives = collections.deque()
        self.sender = self.receiver = None

    def received(self, entry):
        """A send, or a write with immediate data, is complete."""
        fields = {"handle": entry.receive.handle, "qpn": self.qpn, "len": entry.length,
                  "src_qp": self.dest_qp}
        if entry.imm is not None:
            fields.update(with_imm=True, imm=entry.imm)
        if entry.kind == "send":
            self.device.last = bytes(entry.memory)
            fields["digest"] = crc32c(self.device.last)
        self.stats["delivered"] += 1
        self.emit("recv", **fields)

    def fail(self, status, blamed=None):
        """To ERR: the blamed WR, or else the first, ends in status; the others are flushed."""
        self.state = "err"
        unfinished = self.sender.unfinished() if self.sender else []
        if not blamed and unfinished and status:
            blamed = unfinished[0]
        for wr in unfinished:
            wr.complete(status if wr is blamed else "flushed")
        waiting = [e.receive for e in self.receiver.entries.values() if e.receive] \
            if self.receiver else []
        self.receiver = self.sender = None
        for receive in [*waiting, *self.receives]:
            self.emit("recv", handle=receive.handle, qpn=self.qpn, status="flushed")
        self.receives.clear()


class WqePeer(Adapter):
    NAME = "WQE-SR endpoint in Python"
    VERBS = ("reset", "create_qp", "modify_qp", "query_qp", "destroy_qp", "post_send",
             "post_recv", "poll_cq", "completions", "expose", "mem_digest", "stats")

    def __init__(self, addr, port, mtu):
        self.mtu = mtu
        super().__init__(addr, port)

    def reset(self, seed):
        self.rng = random.Random(seed)
        self.qps, self.regions, self.last = {}, {}, b""
        self.next_qpn = self.rng.randrange(0x100, 0x800000)
        self.stats = collections.Counter()

    def data_out(self, qp, packet):
        self.stats["tx"] += 1
        self.sockets.send(qp.peer, DATA_SOURCE + qp.qpn % 7, packet)

    def answer_out(self, qp, packet):
        self.stats["tx_ack"] += 1
        self.sockets.send(qp.peer, ANSWER_SOURCE, packet)

    # ---- packets

    def feed(self, packet, peer, _port, now):
        self.stats["rx"] += 1
        try:
            bth = wqe.parse_bth(packet)
            qp = self.qps.get(bth.dest_qp)
            if not qp or qp.state not in ACTIVE or qp.peer != peer:
                raise Malformed("queue pair")
            if bth.opcode in wqe.REQUESTS:
                qp.receiver.data(wqe.parse_data(bth, packet), now)
            elif bth.opcode in (wqe.WQE_ACK, wqe.RTX_IND):
                if not qp.sender:
                    raise Malformed("nothing is sent yet")
                report = wqe.parse_report(bth, packet)
                if report.of_read:
                    qp.receiver.resend(report.missing, report.sn, now)
                else:
                    qp.sender.report(report, now)
            elif bth.opcode in wqe.READ_RESPONSES and qp.sender:
                qp.sender.response(wqe.parse_data(bth, packet), now)
            else:
                raise Malformed("opcode")
        except Malformed:
            self.stats["rx_dropped"] += 1

    # ---- verbs: queue pairs

    def qp(self, request):
        qp = self.qps.get(request["qpn"])
        if not qp:
            raise Refused("no such queue pair")
        return qp

    def do_create_qp(self, request):
        if request.get("type", "rc") != "rc":
            raise Refused("unsupported")
        qpn = self.next_qpn
        self.next_qpn += 11
        self.qps[qpn] = QueuePair(qpn, request.get("depth", 0), self)
        return {"qpn": qpn}

    def do_modify_qp(self, request):
        qp, state = self.qp(request), request["state"]
        if state == "reset":
            qp.clear()
            return
        if state == "err":
            qp.fail(None)
            return
        if (qp.state, state) not in TRANSITIONS:
            raise Refused("state")
        if state == "rtr":
            qp.peer, qp.dest_qp = request["peer"], request["dest_qp"]
            qp.receiver = wqe_rx.Receiver(qp, request.get("rq_psn", FIRST_PSN), self.mtu,
                                          self.answer_out, self.regions)
        elif state == "rts" and not qp.sender:
            qp.sender = wqe.Sender(qp, request.get("sq_psn", FIRST_PSN), self.mtu, self.data_out)
        qp.state = state
        if qp.sender:
            qp.sender.pump(self.now)

    def do_query_qp(self, request):
        return {"state": self.qp(request).state}

    def do_destroy_qp(self, request):
        self.qp(request).clear()
        del self.qps[request["qpn"]]

    # ---- verbs: work requests and memory

    def do_post_recv(self, request):
        qp, count = self.qp(request), max(request.get("count", 1), 1)
        if qp.state == "reset":
            raise Refused("state")
        if len(qp.receives) + count > qp.depth:
            raise Refused("nomem")
        qp.receives.extend(Receive(request) for _ in range(count))
        if qp.state == "err":
            qp.fail(None)

    def do_post_send(self, request):
        qp, count = self.qp(request), max(request.get("count", 1), 1)
        kind = request.get("opcode", "send")
        if kind not in ("send", "write", "read"):
            raise Refused("not an operation of this device")
        if qp.state not in ("rts", "sqd", "err"):
            raise Refused("state")
        if qp.outstanding + count > qp.depth:
            raise Refused("nomem")
        length = request["len"] + request.get("len2", 0)
        if kind == "read" and wqe.packets_of(length, self.mtu) > wqe.WINDOW:
            raise Refused("longer than the window")
        data = pattern(min(length, MESSAGE_MAX), self.seed, request.get("handle", 0))
        for _ in range(count):
            self.post(qp, Work(qp, request, kind, bytearray(data)), length, request.get("lkey", 0))
        if qp.sender:
            qp.sender.pump(self.now)

    def post(self, qp, wr, length, lkey):
        """A local error ends the queue pair, as of RC."""
        if qp.state == "err":
            wr.complete("flushed")
            return
        if lkey:
            wr.error = "local_protection"
        elif length > MESSAGE_MAX:
            wr.error = "local_length"
        qp.sender.post(wr)

    def do_expose(self, request):
        address = integer(request.get("offset", 0)) or REGION_ADDRESS
        key = integer(request["key"])
        self.regions[key] = Region(address, request["len"], self.seed, key)

    def do_mem_digest(self, request):
        key = integer(request.get("key", 0))
        return self.digest(self.regions[key].memory if key else self.last, request)

    def do_stats(self, _request):
        receivers = [qp.receiver for qp in self.qps.values() if qp.receiver]
        return {"stats": {**self.stats,
                          "cache_bytes": sum(r.cache_bytes() for r in receivers),
                          "cache_peak": max((r.peak for r in receivers), default=0),
                          "bitmaps": sum(len(r.entries) for r in receivers)}}

    # ---- time

    def halves(self):
        for qp in list(self.qps.values()):
            for half in (qp.sender, qp.receiver):
                if half:
                    yield qp, half

    def deadline(self):
        return min((t for _, h in self.halves() if (t := h.deadline()) is not None), default=None)

    def tick(self, now):
        for qp, half in list(self.halves()):
            if half in (qp.sender, qp.receiver):
                half.tick(now)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--udp", required=True, metavar="ADDR[:PORT]")
    parser.add_argument("--mtu", type=int, default=MTU, help="bytes of a full packet")
    args = parser.parse_args()
    addr, _, port = args.udp.partition(":")
    WqePeer(addr, int(port or wqe.WQE_PORT), args.mtu).run()


if __name__ == "__main__":
    main()
