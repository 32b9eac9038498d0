#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests two devices on libfabric by the minimum profile of their control
channels.

Usage: libfabric_test.py PROGRAM
"""
import json
import subprocess
import sys

VERBS = {"reset", "send", "write", "read", "post_recv", "expose",
         "completions"}


class Device:
    def __init__(self, addr):
        self.addr, self.id = addr, 0
        self.process = subprocess.Popen(
            [sys.argv[1], addr], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.events = []

    def line(self):
        text = self.process.stdout.readline()
        assert text, "the adapter ended"
        return json.loads(text)

    def ask(self, verb, **keys):
        self.id += 1
        self.process.stdin.write(
            json.dumps({"id": self.id, "verb": verb, **keys}) + "\n")
        self.process.stdin.flush()
        while "id" not in (answer := self.line()):
            self.events.append(answer)
        assert answer.pop("id") == self.id
        return answer

    def do(self, verb, **keys):
        assert self.ask(verb, **keys) == {"ok": True}, (verb, keys)

    def event(self):
        return self.events.pop(0) if self.events else self.line()

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(timeout=20) == 0


a, b = Device("127.90.0.1"), Device("127.90.0.2")
hello = a.ask("hello", version=2)
assert hello["version"] == 2 and set(hello["verbs"]) == VERBS, hello
assert "error" in b.ask("hello", version=3)
for again in range(2):
    for device in a, b:
        device.do("reset", seed=again)
    b.do("post_recv", handle=3, len=4096, count=2)
    for n, length in enumerate((64, 4096), 1):
        a.do("send", handle=n, peer=b.addr, len=length, mode="rud")
        assert b.event() == {"event": "recv", "handle": 3, "len": length}
        assert a.event() == {"event": "completion", "handle": n,
                             "status": "ok"}
    b.do("expose", key=0x1000, len=8192)
    for n, verb in enumerate(("write", "read"), 10):
        a.do(verb, handle=n, peer=b.addr, len=1024, key=0x1000, offset=512)
        assert a.event() == {"event": "completion", "handle": n,
                             "status": "ok"}
    a.do("read", handle=20, peer=b.addr, len=64, key=0x2000)
    assert a.event() == {"event": "completion", "handle": 20,
                         "status": "refused"}
    a.do("completions")
    assert a.ask("atomic", peer=b.addr) == {"error": "unsupported"}
a.end()
b.end()
