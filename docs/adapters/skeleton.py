#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The beginning of an adapter: it runs as it stands, with a device that has
memory and no network.  Replace class Device by calls of your stack.

    rung adapter-check --dut 'exec:python3 docs/adapters/skeleton.py {dut}'
"""
import json
import os
import select
import sys

VERBS = ["reset", "send", "write", "read", "post_recv", "expose",
         "completions", "mem_digest", "stats"]
MASK = (1 << 64) - 1


class Refused(Exception):
    """Its text is the error of the answer."""


def pattern(seed, owner, length):
    """The bytes of a message or of memory (docs/dut-control.md, Bytes)."""
    out = bytearray()
    for word in range(-(-length // 8)):
        x = (seed + owner * 0x9e3779b97f4a7c15 +
             (word + 1) * 0xd1342543de82ef95) & MASK
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & MASK
        x = (x ^ x >> 27) * 0x94d049bb133111eb & MASK
        out += (x ^ x >> 31).to_bytes(8, "little")
    return bytes(out[:length])


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


class Device:
    """Your stack stands here.  |tell| sends an event to rung at any time."""

    def __init__(self, address, tell):
        self.address, self.tell = address, tell
        self.reset({})

    def reset(self, r):
        # Close connections, drop receives and memory.
        self.seed = number(r.get("seed", 0))
        self.memory, self.room = {}, 0

    def post_recv(self, r):
        self.room += r.get("count", 1)

    def expose(self, r):
        key = number(r["key"])
        self.memory[key] = pattern(self.seed, MASK - key, r["len"])

    def mem_digest(self, r):
        at, length = r.get("offset", 0), r.get("len", 0)
        data = self.memory.get(number(r.get("key", 0)), b"")[at:]
        data = data[:length] if length else data
        return {"digest": crc32c(data), "digest_len": len(data)}

    def stats(self, r):
        return {"stats": {"receives": self.room}}

    def send(self, r):
        """Start it; tell the completion when the stack reports one."""
        if r.get("mode", "rud") != "rud" or "header" in r or "msg_id" in r:
            raise Refused("unsupported")
        data = pattern(self.seed, r["handle"], r["len"])
        # stack.send(r["peer"], data): nothing here has a network.
        self.tell(event="completion", handle=r["handle"], status="retries",
                  len=len(data))

    write = read = send

    def file(self):
        """A descriptor that is readable when poll() has work, or None."""

    def poll(self):
        """What arrived: self.tell(event="recv", len=..., digest=...)."""


def number(value):
    """Numbers of 64 bits may be strings, "0x..."."""
    return int(value, 0) if isinstance(value, str) else value


def tell(**message):
    print(json.dumps(message), flush=True)


def answer(device, r):
    verb = r.get("verb")
    if verb == "hello":
        if r.get("version") != 2:
            return {"error": f"version {r.get('version')} asked for, "
                             "version 2 spoken here"}
        return {"ok": True, "name": "skeleton", "version": 2, "verbs": VERBS}
    if verb not in VERBS:
        return {"error": "unsupported"}
    if verb == "completions":  # events are told as they happen
        return {"ok": True}
    try:
        return {"ok": True, **(getattr(device, verb)(r) or {})}
    except Refused as why:
        return {"error": str(why)}
    except (KeyError, TypeError, ValueError) as why:
        return {"error": f"{verb}: {why!r}"}


def main():
    held = []  # events of an operation follow its answer
    device = Device(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1",
                    lambda **event: held.append(event))
    pending = b""
    while True:
        files = [0] + ([device.file()] if device.file() is not None else [])
        ready = select.select(files, [], [])[0]
        if files[-1] in ready and len(files) > 1:
            device.poll()
        if 0 in ready:
            got = os.read(0, 65536)
            if not got:
                return  # rung has gone
            *lines, pending = (pending + got).split(b"\n")
            for line in filter(None, lines):
                try:
                    r = json.loads(line)
                    tell(id=r["id"], **answer(device, r))
                except (ValueError, KeyError, TypeError):
                    tell(id=0, error="this is no request")
                if held and r.get("verb") == "reset":
                    held.clear()
        for event in held:
            tell(**event)
        held.clear()


if __name__ == "__main__":
    main()
