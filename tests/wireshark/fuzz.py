#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The fuzzers' seeds, and packets with some bytes changed, through tshark.

Whatever the bytes are, every packet is shown and nothing complains of the
dissector.

Usage: fuzz.py CORPUS_DIR GOLDEN_DIR PLUGIN_DIR
"""
import pathlib
import random
import sys

from shark import Shark, main, need, pcap, udp

CORPUS, GOLDEN, PLUGINS = map(pathlib.Path, sys.argv[1:4])


def packets():
    """UET bytes of the golden captures."""
    for path in sorted(GOLDEN.glob("*.pcap")):
        data, at = path.read_bytes(), 24
        while at < len(data):
            size = int.from_bytes(data[at + 8:at + 12], "little")
            yield data[at + 16 + 28:at + 16 + size]
            at += 16 + size


def shown(shark, name, bodies, *args):
    path = shark.keep(name, pcap([(10 * i, udp(1 + i % 2, 2 - i % 2, body))
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


def test_changed(shark):
    chance = random.Random(1)
    seeds = [body for body in packets() if len(body) > 2]
    bodies = []
    for _ in range(3000):
        body = bytearray(chance.choice(seeds))
        for _ in range(chance.randrange(4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        bodies.append(bytes(body[:chance.randrange(1, len(body) + 1)]
                            if chance.random() < 0.2 else body))
    shown(shark, "changed.pcap", bodies, "-o", "uet.whole:yes", "-o",
          "uet.flows:3")


def test_noise(shark):
    chance = random.Random(2)
    shown(shark, "noise.pcap", [chance.randbytes(chance.randrange(1, 200))
                                for _ in range(1000)])


if __name__ == "__main__":
    need("tshark")
    main(globals(), Shark(PLUGINS))
