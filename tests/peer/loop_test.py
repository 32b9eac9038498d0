#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that an endpoint reads the packets that have arrived before it looks at
its timers: one that had no processor for a while would ask again for a packet
that waits in its socket.

A request of the control channel sends a packet to the endpoint itself, behind
the back of its loop.  The next thing that the endpoint sees is that packet.
"""
import os
import sys

import ib

ADDR, PORT = "127.0.7.9", 4793


class Loop(ib.Adapter):
    VERBS = ("knock",)

    def __init__(self):
        self.seen = []
        super().__init__(ADDR, PORT)

    def do_knock(self, _request):
        self.seen.append("knock")
        self.sockets.send(ADDR, 49152, bytes(ib.BTH_LEN))

    def reset(self, seed):
        pass

    def feed(self, *_packet):
        self.seen.append("packet")

    def tick(self, _now):
        self.seen.append("tick")

    def deadline(self):
        return None


def main():
    read, write = os.pipe()
    os.dup2(read, 0)
    os.write(write, b'{"id": 1, "verb": "knock"}\n')
    os.close(write)
    loop = Loop()
    loop.say = lambda _message: None
    loop.run()
    expected = ["tick", "knock", "packet", "tick"]
    if loop.seen[:4] != expected:
        sys.exit(f"expected {expected}, got {loop.seen}")


if __name__ == "__main__":
    main()
