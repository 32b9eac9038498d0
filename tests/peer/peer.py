# SPDX-License-Identifier: BSD-2-Clause
"""An endpoint of UET over UDP, driven by JSON lines on stdin.

    peer.py --udp ADDR[:PORT] [--entropies N] [--late MS]

Packets go to the UET port with the entropy value as source port, and an answer
carries the entropy of what it answers (1.3, 3.6.16.4): so each entropy value
is a socket bound to it.  Ends at the end of stdin.
"""
import argparse
import collections
import json
import os
import random
import selectors
import socket
import struct
import sys
import time

from pattern import digest_of
from pds import Config, Pds
from ses import Ses
from wire import RUDI_REQ, ROD_REQ, RUD_REQ, UUD_REQ

UET_PORT = 4793
MTU, MAX_ACK_DATA = 1024, 16
FIRST_ENTROPY = 49200
SOCKETS_MAX = 256
SO_NO_CHECK, IP_MTU_DISCOVER, IP_PMTUDISC_DO = 11, 10, 2   # linux; not in socket
REQUESTS = (RUD_REQ, ROD_REQ, RUDI_REQ, UUD_REQ)
VERBS = ["hello", "reset", "stats", "mem_digest", "completions", "send", "write", "read",
         "post_recv", "expose", "ses_policy", "ask_close"]


def tos_of(data):
    """Requests are data, DSCP 0 and ECT(0); all else is control, DSCP 46."""
    return 0x02 if data[0] >> 3 in REQUESTS else 46 << 2


class Sockets:
    """One socket to receive on, and one for each entropy value to send with."""

    def __init__(self, addr, port):
        self.addr, self.port = addr, port
        self.main = self.bind(port)
        self.main.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
        self.main.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 21)
        self.by_entropy = collections.OrderedDict()

    def bind(self, port):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.setblocking(False)
        s.setsockopt(socket.SOL_SOCKET, SO_NO_CHECK, 1)
        s.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO)
        s.bind((self.addr, port))
        return s

    def send(self, peer, entropy, data):
        if entropy == self.port:
            s = self.main
        elif entropy in self.by_entropy:
            s = self.by_entropy[entropy]
            self.by_entropy.move_to_end(entropy)
        else:
            s = self.by_entropy[entropy] = self.bind(entropy)
            if len(self.by_entropy) > SOCKETS_MAX:
                self.by_entropy.popitem(last=False)[1].close()
        s.sendmsg([data], [(socket.IPPROTO_IP, socket.IP_TOS, struct.pack("i", tos_of(data)))], 0,
                  (peer, UET_PORT))

    def receive(self):
        """Yields (bytes, peer, entropy, congestion experienced) of each
        waiting datagram."""
        while True:
            try:
                data, anc, _, (peer, port) = self.main.recvmsg(16384, 64)
            except BlockingIOError:
                return
            tos = next((value[0] for level, kind, value in anc
                        if (level, kind) == (socket.IPPROTO_IP, socket.IP_TOS)), 0)
            yield data, peer, port, tos & 3 == 3


class Peer:
    def __init__(self, addr, port, entropies, late):
        self.sockets, self.entropies = Sockets(addr, port), entropies
        self.late, self.arrived = late, collections.deque()
        self.reset(1)

    def reset(self, seed):
        config = Config(entropies=tuple(range(FIRST_ENTROPY, FIRST_ENTROPY + self.entropies)))
        self.ses = Ses(self.emit, MTU, MAX_ACK_DATA, integer(seed))
        self.pds = self.ses.pds = Pds(config, self.ses, random.Random(seed),
                                      time.monotonic)

    def emit(self, event, **fields):
        """Sends an event; members that are zero or empty are left out."""
        must = ("handle", "status", "rx_pkt_handle", "tx_pkt_handle")
        self.say({"event": event, **{k: v for k, v in fields.items() if v or k in must}})

    @staticmethod
    def say(message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    # ---- the control channel

    def line(self, text, now):
        try:
            r = json.loads(text)
            answer = self.verb(r, now) if r.get("verb") in VERBS else {"error": "unsupported"}
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            answer = {"error": str(e) or type(e).__name__}
            r = r if "r" in locals() and isinstance(r, dict) else {}
        if "error" not in answer:
            answer["ok"] = True
        self.say({"id": r.get("id", 0), **answer})

    def verb(self, r, now):
        verb = r["verb"]
        if verb == "hello":
            if r["version"] != 2:
                return {"error": f"version {r['version']} asked for, version 2 spoken here"}
            return {"name": "UET endpoint in Python", "version": 2, "verbs": VERBS}
        if verb == "reset":
            self.reset(r.get("seed", 1))
        elif verb == "stats":
            return {"stats": dict(self.pds.stats)}
        elif verb == "mem_digest":
            key = integer(r.get("key", 0))
            memory = self.ses.memory[key] if key else self.ses.received
            return digest_of(memory, r)
        elif verb == "post_recv":
            self.ses.receives += [r.get("handle", 0)] * max(r.get("count", 1), 1)
        elif verb == "expose":
            self.ses.expose(integer(r["key"]), r["len"])
        elif verb == "ses_policy":
            if r.get("manual"):
                return {"error": "unsupported"}
            self.ses.set_policy(r)
        elif verb == "ask_close":
            self.pds.ask_close(r["peer"], r.get("by", "both"), now)
        elif verb in ("send", "write", "read"):
            mode = r.get("mode", "rud")
            if mode not in ("rud", "rod", "rudi", "uud"):
                return {"error": "unsupported"}
            self.ses.start(verb, r["peer"], r["len"], r.get("handle", 0), r.get("msg_id", 0),
                           r.get("header", "std"), integer(r.get("key", 0)),
                           integer(r.get("offset", 0)), mode, now)
        return {}                 # completions are sent when they happen

    # ---- the loop

    def take_packets(self):
        for datagram in self.sockets.receive():
            self.arrived.append((time.monotonic() + self.late, datagram))
        while self.arrived and self.arrived[0][0] <= time.monotonic():
            self.pds.feed(*self.arrived.popleft()[1], time.monotonic())
            self.flush()

    def run(self):
        os.set_blocking(0, False)
        selector = selectors.DefaultSelector()
        selector.register(0, selectors.EVENT_READ)
        selector.register(self.sockets.main, selectors.EVENT_READ)
        buffer = b""
        while True:
            # what has arrived by now comes before what is due by now
            now = time.monotonic()
            self.take_packets()
            self.pds.tick(now)
            self.ses.tick(now)
            self.flush()
            due = [t for t in (self.pds.deadline(), self.ses.deadline()) if t is not None]
            due += [self.arrived[0][0]] if self.arrived else []
            wait = max(0.0, min(due) - time.monotonic()) if due else None
            for key, _ in selector.select(wait):
                if key.fd == 0:
                    more = os.read(0, 65536)
                    if not more:
                        return
                    *lines, buffer = (buffer + more).split(b"\n")
                    for text in filter(None, lines):
                        self.line(text, time.monotonic())
                        self.flush()
                else:
                    self.take_packets()

    def flush(self):
        while self.pds.outputs:
            peer, entropy, data, sent = self.pds.outputs.popleft()
            try:
                self.sockets.send(peer, entropy, data)
            except OSError:       # a port in use or a full queue: the packet
                                  # counts as lost
                self.pds.stats["not_sent"] += 1
            if sent:
                self.pds.left(sent, time.monotonic())


def hurry():
    """Takes real-time priority if permitted, as rung does."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except OSError:
        pass


def integer(value):
    """Integers above 2^63 - 1 travel as strings."""
    return int(value, 16) if isinstance(value, str) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--udp", required=True, metavar="ADDR[:PORT]")
    parser.add_argument("--entropies", type=int, default=8, metavar="N",
                        help="how many entropy values requests take in turn")
    parser.add_argument("--late", type=float, default=0, metavar="MS",
                        help="look at each packet so long after it arrived, at lines of the "
                        "control channel at once")
    args = parser.parse_args()
    addr, _, port = args.udp.partition(":")
    hurry()
    Peer(addr, int(port or UET_PORT), args.entropies, args.late / 1000).run()


if __name__ == "__main__":
    main()
