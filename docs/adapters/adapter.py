#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""An adapter: it translates between rung's control channel on standard input
and output and the driver of a device.

    adapter.py COMMAND...

COMMAND is the driver program of the device. It reads and writes lines of words
(tests/peer/toy.py). For another device, replace the code that uses |nic|.
"""
import json
import selectors
import subprocess
import sys

VERBS = ["reset", "send", "write", "read", "post_recv", "expose"]


def tell(**message):
    print(json.dumps(message), flush=True)


class Adapter:
    def __init__(self, command):
        self.nic = subprocess.Popen(command, stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, bufsize=0)
        self.resetting = None  # id of the request

    def say(self, *words):
        self.nic.stdin.write((" ".join(map(str, words)) + "\n").encode())

    def request(self, r):
        """Returns None, or the members of an answer besides its id."""
        verb = r["verb"]
        if verb == "hello":
            if r["version"] != 2:
                return {"error": "this adapter speaks version 2 only"}
            return {"ok": True, "name": "Toy NIC", "version": 2,
                    "verbs": VERBS}
        if verb not in VERBS or r.get("mode", "rud") != "rud" or \
                r.get("header", "std") != "std" or "offset" in r or \
                "msg_id" in r:
            return {"error": "unsupported"}
        if verb == "reset":
            self.resetting = r["id"]
            self.say("reset", r.get("seed", 0))
            return None
        if verb == "post_recv":
            self.say("room", r.get("count", 1))
        elif verb == "expose":
            self.say("map", r["key"], r["len"])
        else:
            self.say(verb, r["handle"], r["peer"], r["len"], r.get("key", 0))
        return {"ok": True}

    def heard(self, words):
        """Turns the driver's lines into answers and events."""
        if words[0] == "ready":
            tell(id=self.resetting, ok=True)
        elif words[0] == "sent":
            tell(event="completion", handle=int(words[1]), status=words[2])
        elif words[0] == "got":
            tell(event="recv", len=int(words[1]))

    def run(self):
        stdin = open(0, "rb", buffering=0)
        select = selectors.DefaultSelector()
        for file in (stdin, self.nic.stdout):
            select.register(file, selectors.EVENT_READ)
        while True:
            for key, _ in select.select():
                line = key.fileobj.readline()
                if not line:
                    return  # rung or the driver has ended
                if key.fileobj is not stdin:
                    self.heard(line.decode().split())
                    continue
                if not line.strip():
                    continue  # empty lines are passed over
                r = json.loads(line)
                try:
                    answer = self.request(r)
                except (KeyError, TypeError) as why:
                    answer = {"error": f"{r.get('verb')}: {why!r}"}
                if answer:
                    tell(id=r["id"], **answer)


if __name__ == "__main__":
    Adapter(sys.argv[1:]).run()
