# SPDX-License-Identifier: BSD-2-Clause
"""An endpoint of SRD over UDP, driven by JSON lines on stdin.

    srd_peer.py --udp ADDR[:PORT]

Queue pairs and address handles as of UD (A.4.6); the contexts are in srd.py.
Ends at the end of stdin.
"""
import argparse
import collections
import random

import srd
from ib import Adapter, FIRST_SOURCE_PORT, Malformed, Refused, integer
from pattern import crc32c, pattern

MTU = 2048
DEPTH = 8192
TRANSITIONS = {("reset", "init"), ("init", "init"), ("init", "rtr"), ("rtr", "rts"),
               ("rts", "rts"), ("rts", "sqd"), ("sqd", "sqd"), ("sqd", "rts"), ("sqe", "rts")}
RECEIVING = ("rtr", "rts", "sqd", "sqe")


class Receive:
    def __init__(self, request):
        self.handle = request.get("handle", 0)
        self.len = request["len"] + request.get("len2", 0)
        self.lkey = request.get("lkey", 0)


class Send:
    """A send WR; complete() tells how it ended, once."""

    def __init__(self, qp, request, data):
        self.qp, self.data = qp, data
        self.handle = request.get("handle", 0)
        self.dest_qp = request.get("dest_qp", 0)
        self.qkey = request.get("qkey", 0)
        self.imm = request.get("imm", 0) if request.get("with_imm") else None
        qp.sends += 1

    def complete(self, status):
        """Without a status the WR vanishes."""
        self.qp.sends -= 1
        if status:
            self.qp.emit("completion", handle=self.handle, status=status, qpn=self.qp.qpn)


class QueuePair:
    def __init__(self, qpn, kind, depth, emit):
        self.qpn, self.kind, self.depth, self.emit = qpn, kind, depth or DEPTH, emit
        self.state, self.qkey, self.sends = "reset", 0, 0
        self.receives = collections.deque()
        self.held = []            # (requester, WR) posted in SQD

    def drop_receives(self, tell):
        receives, self.receives = self.receives, collections.deque()
        for r in receives if tell else ():
            self.emit("recv", handle=r.handle, qpn=self.qpn, status="flushed")


class SrdPeer(Adapter):
    NAME = "SRD endpoint in Python"
    VERBS = ("reset", "create_qp", "modify_qp", "query_qp", "destroy_qp", "create_ah",
             "destroy_ah", "post_send", "post_recv", "poll_cq", "completions", "mem_digest",
             "stats")

    def reset(self, seed):
        self.rng = random.Random(seed)
        self.qps, self.ahs, self.received = {}, {}, b""
        self.next_qpn = self.rng.randrange(0x1000, 0x800000)
        self.next_ah = self.rng.randrange(1, 1 << 16)
        self.stats = collections.Counter()
        self.responders = srd.Responders(self.rng, self.transmit, self.deliver, MTU)

    def transmit(self, peer, path, packet):
        self.stats["tx"] += 1
        self.sockets.send(peer, FIRST_SOURCE_PORT + path, packet)

    # ---- packets

    def feed(self, packet, peer, _port, now):
        self.stats["rx"] += 1
        try:
            bth, seth, body = srd.parse(packet)
            if bth.opcode in srd.RESPONSES:
                for requester in list(self.ahs.values()):
                    if requester.peer == peer:
                        requester.answer(bth, seth, body, now)
            elif bth.opcode in (srd.SEND_ONLY, srd.SEND_ONLY_IMM, srd.SYNC):
                self.responders.request(bth, seth, body, peer, now)
            else:
                raise Malformed("opcode")
        except Malformed:
            self.stats["rx_dropped"] += 1

    def deliver(self, message, _peer):
        """Gives a message to its queue pair; returns the syndrome of the answer."""
        qp = self.qps.get(message.dest_qp)
        if not qp or qp.state not in RECEIVING:
            return srd.BAD_QP
        if qp.kind != "srd":
            return srd.INVALID
        if message.qkey != qp.qkey:
            return srd.BAD_QP
        if not qp.receives:
            return srd.RNR
        if qp.receives[0].lkey:
            return self.bad_receive(qp)
        if qp.receives[0].len < len(message.data):
            return srd.INVALID
        receive = qp.receives.popleft()
        self.received = message.data
        self.stats["delivered"] += 1
        fields = {"handle": receive.handle, "qpn": qp.qpn, "len": len(message.data),
                  "src_qp": message.src_qp, "digest": crc32c(message.data)}
        if message.imm is not None:
            fields.update(with_imm=True, imm=message.imm)
        self.emit("recv", **fields)
        return srd.ACCEPTED

    def bad_receive(self, qp):
        """A receive WQE without valid memory ends its queue pair, as on UD."""
        receive = qp.receives.popleft()
        self.emit("recv", handle=receive.handle, qpn=qp.qpn, status="local_protection")
        self.fail(qp)
        return srd.OPERATION

    # ---- verbs: queue pairs

    def qp(self, request):
        qp = self.qps.get(request["qpn"])
        if not qp:
            raise Refused("no such queue pair")
        return qp

    def do_create_qp(self, request):
        kind = request.get("type", "srd")
        if kind not in ("srd", "ud"):
            raise Refused("unsupported")
        qpn = self.next_qpn
        self.next_qpn += 5
        self.qps[qpn] = QueuePair(qpn, kind, request.get("depth", 0), self.emit)
        return {"qpn": qpn}

    def do_modify_qp(self, request):
        qp, state = self.qp(request), request["state"]
        if state not in ("reset", "err") and (qp.state, state) not in TRANSITIONS:
            raise Refused("state")
        if state == "err":
            self.fail(qp)
        elif state == "reset":
            self.cancel(qp, None)
            qp.drop_receives(False)
        elif state == "init":
            qp.qkey = request.get("qkey", qp.qkey)
        qp.state = state
        if state == "rts":
            held, qp.held = qp.held, []
            for requester, wr in held:
                requester.queue.append(wr)
                requester.pump(self.now)

    def fail(self, qp):
        qp.state = "err"
        self.cancel(qp, "flushed")
        qp.drop_receives(True)

    def cancel(self, qp, status):
        held, qp.held = qp.held, []
        for requester in self.ahs.values():
            requester.cancel(qp, status, self.now)
        for _, wr in held:
            wr.complete(status)

    def do_query_qp(self, request):
        return {"state": self.qp(request).state}

    def do_destroy_qp(self, request):
        qp = self.qp(request)
        del self.qps[qp.qpn]
        self.cancel(qp, "flushed")
        qp.drop_receives(False)

    # ---- verbs: address handles

    def do_create_ah(self, request):
        ah = self.next_ah
        self.next_ah += 3
        self.ahs[ah] = srd.Requester(request["peer"], ah, self.rng, self.transmit, self.emit)
        return {"ah": ah}

    def do_destroy_ah(self, request):
        requester = self.ahs.pop(request["ah"], None)
        if not requester:
            raise Refused("no such address handle")
        for qp in self.qps.values():
            mine = [wr for r, wr in qp.held if r is requester]
            qp.held = [(r, wr) for r, wr in qp.held if r is not requester]
            for wr in mine:
                wr.complete("flushed")
        requester.close()

    # ---- verbs: work requests

    def do_post_recv(self, request):
        qp, count = self.qp(request), max(request.get("count", 1), 1)
        if qp.state == "reset":
            raise Refused("state")
        if len(qp.receives) + count > qp.depth:
            raise Refused("nomem")
        qp.receives.extend(Receive(request) for _ in range(count))
        if qp.state == "err":
            qp.drop_receives(True)

    def do_post_send(self, request):
        qp, count = self.qp(request), max(request.get("count", 1), 1)
        if qp.kind != "srd" or request.get("opcode", "send") != "send":
            raise Refused("not an operation of this queue pair")
        if qp.state not in ("rts", "sqd", "sqe"):
            raise Refused("state")
        if qp.sends + count > qp.depth:
            raise Refused("nomem")
        length = request["len"] + request.get("len2", 0)
        data = pattern(min(length, MTU), self.seed, request.get("handle", 0))
        requester = self.ahs.get(request["ah"])
        for _ in range(count):
            self.post(qp, Send(qp, request, data), requester, length, request.get("lkey", 0))
        if requester:
            requester.pump(self.now)

    def post(self, qp, wr, requester, length, lkey):
        """A local error takes the queue pair to SQE, where WRs are flushed."""
        if qp.state == "sqe":
            wr.complete("flushed")
            return
        error = None
        if not requester:
            error = "local_qp_operation"
        elif lkey:
            error = "local_protection"
        elif length > MTU:
            error = "local_length"
        if error:
            qp.state = "sqe"
            wr.complete(error)
        elif qp.state == "sqd":
            qp.held.append((requester, wr))
        else:
            requester.queue.append(wr)

    # ---- verbs: the rest

    def do_mem_digest(self, request):
        if integer(request.get("key", 0)):
            raise Refused("unsupported")
        return self.digest(self.received, request)

    def do_stats(self, _request):
        return {"stats": {**self.stats, "contexts": len(self.responders.contexts)}}

    # ---- time

    def deadline(self):
        due = [r.deadline() for r in self.ahs.values()] + [self.responders.deadline()]
        return min((t for t in due if t is not None), default=None)

    def tick(self, now):
        for requester in list(self.ahs.values()):
            requester.tick(now)
        self.responders.tick(now)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--udp", required=True, metavar="ADDR[:PORT]")
    args = parser.parse_args()
    addr, _, port = args.udp.partition(":")
    SrdPeer(addr, int(port or srd.SRD_PORT)).run()


if __name__ == "__main__":
    main()
