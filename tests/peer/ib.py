# SPDX-License-Identifier: BSD-2-Clause
"""The common part of the SRD and WQE-SR endpoints: BTH, ICRC, UDP sockets,
control channel.

Section numbers in this file and its users are those of srd_wqe.md.  Packets
hold all numbers big-endian, except the ICRC.
"""
import collections
import json
import os
import selectors
import socket
import struct
import sys
import time
import zlib

from pattern import digest_of
from peer import hurry, integer

FIRST_SOURCE_PORT = 0xC000
SOCKETS_MAX = 256
RECEIVE_BUFFER = 1 << 22
IP_MTU_DISCOVER, IP_PMTUDISC_DO = 10, 2   # linux; not in socket
P_KEY = 0xffff
PSN_MASK = 0xffffff
BTH_LEN, ICRC_LEN = 12, 4
HELLO_VERSION = 2


class Malformed(Exception):
    """Raised for bytes that this endpoint must drop."""


class Refused(Exception):
    """Raised if the endpoint refuses a verb; the text gives the reason."""


def psn_add(psn, count):
    return (psn + count) & PSN_MASK


def psn_diff(a, b):
    """a - b as a signed number modulo 2^24: negative if a is before b."""
    return ((a - b + 0x800000) & PSN_MASK) - 0x800000


# ---- BTH (B.3)

Bth = collections.namedtuple("Bth", "opcode pad tver p_key dest_qp ackreq psn")


def bth_pack(opcode, psn, dest_qp, ackreq=False, pad=0):
    return struct.pack(">BBHII", opcode, pad << 4, P_KEY, dest_qp, ackreq << 31 | psn)


def bth_unpack(data):
    opcode, flags, p_key, dest, psn = struct.unpack_from(">BBHII", data)
    return Bth(opcode, flags >> 4 & 3, flags & 15, p_key, dest & PSN_MASK, psn >> 31 == 1,
               psn & PSN_MASK)


def padded(payload):
    return payload + bytes(-len(payload) % 4)


# ---- ICRC (A.4.7): of a socket that sends IP ID 0 and sets DF

def icrc(packet, source, destination):
    """The ICRC field for packet, a UDP payload without it; addresses are (ip, port)."""
    length = 8 + len(packet) + ICRC_LEN
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0xff, 20 + length, 0, 0x4000, 0xff, 17, 0xffff,
                     socket.inet_aton(source[0]), socket.inet_aton(destination[0]))
    udp = struct.pack(">HHHH", source[1], destination[1], length, 0xffff)
    masked = b"\xff" * 8 + ip + udp + packet[:4] + b"\xff" + packet[5:]
    return struct.pack("<I", zlib.crc32(masked))


class Sockets:
    """One socket that receives, and one for each source port that is sent from."""

    def __init__(self, addr, port):
        self.addr, self.port = addr, port
        self.main = self.bind(port)
        self.main.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        self.by_port = collections.OrderedDict()

    def bind(self, port):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.setblocking(False)
        s.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO)
        s.bind((self.addr, port))
        return s

    def source(self, port):
        if port in self.by_port:
            self.by_port.move_to_end(port)
            return self.by_port[port]
        if len(self.by_port) >= SOCKETS_MAX:
            self.by_port.popitem(last=False)[1].close()
        s = self.by_port[port] = self.bind(port)
        return s

    def send(self, peer, source_port, packet):
        """Adds the ICRC and sends; a queue that is full loses the packet."""
        to = (peer, self.port)
        try:
            self.source(source_port).sendto(packet + icrc(packet, (self.addr, source_port), to), to)
        except OSError:
            pass

    def receive(self):
        """(packet without its ICRC, peer, source port) of each datagram whose ICRC is right."""
        while True:
            try:
                data, (peer, port) = self.main.recvfrom(65536)
            except BlockingIOError:
                return
            if len(data) < BTH_LEN + ICRC_LEN:
                continue
            packet = data[:-ICRC_LEN]
            if icrc(packet, (peer, port), (self.addr, self.port)) == data[-ICRC_LEN:]:
                yield packet, peer, port


class Adapter:
    """The control channel on stdin and stdout, and the loop around an endpoint.

    A subclass has NAME, VERBS, one method do_VERB(request) for each verb that
    returns the keys of the answer, and reset(seed), feed(packet, peer, port,
    now), tick(now) and deadline().
    """
    NAME, VERBS = "", ()

    def __init__(self, addr, port):
        self.sockets = Sockets(addr, port)
        self.now = time.monotonic()
        self.seed = 1             # also of the bytes of its messages
        self.reset(1)

    def emit(self, event, **fields):
        self.say({"event": event, **fields})

    @staticmethod
    def say(message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def line(self, text):
        request = {}
        try:
            request = json.loads(text)
            answer = self.verb(request)
            answer["ok"] = True
        except (Refused, ValueError, KeyError, TypeError, AttributeError) as e:
            answer = {"error": str(e) or type(e).__name__}
        self.say({"id": request.get("id", 0) if isinstance(request, dict) else 0, **answer})

    def verb(self, request):
        verb = request["verb"]
        if verb == "hello":
            return self.hello(request["version"])
        if verb not in self.VERBS:
            raise Refused("unsupported")
        if verb == "reset":
            self.seed = integer(request.get("seed", 1))
            self.reset(self.seed)
            return {}
        if verb in ("completions", "poll_cq"):   # events are sent when they
                                                 # happen
            return {}
        return getattr(self, "do_" + verb)(request) or {}

    def hello(self, version):
        if version != HELLO_VERSION:
            raise Refused(f"version {version} asked for, version {HELLO_VERSION} spoken here")
        return {"name": self.NAME, "version": HELLO_VERSION, "verbs": list(self.VERBS)}

    @staticmethod
    def digest(data, request):
        answer = digest_of(data, request)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def take_packets(self):
        for packet, peer, port in self.sockets.receive():
            self.feed(packet, peer, port, self.now)

    def run(self):
        os.set_blocking(0, False)
        hurry()
        selector = selectors.DefaultSelector()
        selector.register(0, selectors.EVENT_READ)
        selector.register(self.sockets.main, selectors.EVENT_READ)
        rest = b""
        while True:
            # what has arrived by now comes before what is due by now
            self.now = time.monotonic()
            self.take_packets()
            self.tick(self.now)
            due = self.deadline()
            wait = None if due is None else max(0.0, due - time.monotonic())
            for key, _ in selector.select(wait):
                self.now = time.monotonic()
                if key.fd != 0:
                    self.take_packets()
                    continue
                more = os.read(0, 65536)
                if not more:
                    return
                *lines, rest = (rest + more).split(b"\n")
                for text in filter(None, lines):
                    self.line(text)
