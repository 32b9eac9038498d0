#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Passes the fuzzers' seeds, and packets with some changed bytes, through
tshark as packets of each family.

The plugin must show every packet without an error of the dissector.

Usage: fuzz.py CORPUS_DIR GOLDEN_DIR PLUGIN_DIR
"""
import pathlib
import random
import sys

from shark import Shark, icrc, main, need, pcap, udp

CORPUS, GOLDEN, PLUGINS = map(pathlib.Path, sys.argv[1:4])
PORTS = {"wqe": 61791, "srd": 61792}


def packets(family=""):
    """Returns the packets of the golden captures of a family; without a family
    those of all."""
    for path in sorted(GOLDEN.glob(f"{family}*.pcap")):
        data, at = path.read_bytes(), 24
        while at < len(data):
            size = int.from_bytes(data[at + 8:at + 12], "little")
            yield data[at + 16 + 28:at + 16 + size]
            at += 16 + size


def shown(shark, name, bodies, *args, port=4793):
    path = shark.keep(name, pcap([
        (10 * i, udp(1 + i % 2, 2 - i % 2, body, dport=port))
        for i, body in enumerate(bodies)]))
    frames = shark.frames(path, *args)
    assert len(frames) == len(bodies)
    return frames


def test_seeds(shark):
    seeds = [path.read_bytes()[:8000] for path in
             sorted(CORPUS.glob("*/*")) if path.stat().st_size < 60000]
    assert len(seeds) > 100
    shown(shark, "seeds.pcap", seeds)
    shown(shark, "seeds.pcap", seeds, "-o", "uet.crc:yes", "-o",
          "uet.whole:yes", "-o", "uet.rto:1000")
    for port in PORTS.values():
        shown(shark, f"seeds-{port}.pcap", seeds, port=port)


def changed(seeds, count):
    chance = random.Random(1)
    seeds = [body for body in seeds if len(body) > 2]
    bodies = []
    for _ in range(count):
        body = bytearray(chance.choice(seeds))
        for _ in range(chance.randrange(4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        bodies.append(bytes(body[:chance.randrange(1, len(body) + 1)]
                            if chance.random() < 0.2 else body))
    return bodies


def test_changed(shark):
    shown(shark, "changed.pcap", changed(packets(), 3000), "-o",
          "uet.whole:yes", "-o", "uet.flows:3")
    for family, port in PORTS.items():
        shown(shark, f"changed-{family}.pcap",
              [sealed(body, i, port) for i, body in
               enumerate(changed((b[:-4] for b in packets(family)), 1000))],
              "-o", "uet.whole:yes", port=port)


def test_roce(shark):
    """Wireshark's own dissector reports many of these packets as malformed."""
    bodies = [sealed(body, i, 4791) for i, body in
              enumerate(changed((b[:-4] for b in packets("roce")), 1000))]
    path = shark.keep("changed-roce.pcap", pcap([
        (10 * i, udp(1 + i % 2, 2 - i % 2, body, dport=4791))
        for i, body in enumerate(bodies)]))
    text = shark.run(path, "-2", "-V", "-o", "roce.follow:TRUE", "-o",
                     "uet.whole:yes", bugs=False)
    assert text.count("\n[RoCEv2, followed by rung, ") > 900
    assert "RoCE rung: Dissector bug" not in text


def sealed(body, i, port):
    """Returns the packet with a correct ICRC, so that the receiver does not
    drop it."""
    packet = udp(1 + i % 2, 2 - i % 2, body + bytes(4), dport=port)
    return body + icrc(packet[:-4])


def test_noise(shark):
    chance = random.Random(2)
    shown(shark, "noise.pcap", [chance.randbytes(chance.randrange(1, 200))
                                for _ in range(1000)])


if __name__ == "__main__":
    need("tshark")
    main(globals(), Shark(PLUGINS))
