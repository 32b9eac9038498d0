#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests an endpoint that shares no code with the reference against it, through
a bridge that loses, duplicates, delays, reorders, marks and trims packets.

Both post operations of all kinds at once. Every operation completes, every
send is received exactly once, and rung check finds nothing in the capture of
both links. The bridge itself does not judge: it reads one link after the other,
and only the capture tells which packet came first.

Usage: pair_test.py RUNG ENDPOINT DECL [--seed N] [--ops N]
ENDPOINT is as for stranger_test.py. Exit status: 0; 77 without the compiler; 1
"""
import argparse
import collections
import json
import os
import pathlib
import queue
import random
import re
import subprocess
import tempfile
import threading

from stranger_test import judge, program

NET = f"127.{os.getpid() % 200 + 20}.{os.getpid() // 200 % 250}"
A, B = f"{NET}.1", f"{NET}.2"        # the stranger and the reference
TO_B, TO_A = f"{NET}.3", f"{NET}.4"  # the address at which each sees the other
PATIENCE = 20  # seconds without an event before the test gives up

# A packet that an endpoint repeats is lost at most twice more: chance must not
# use up the repeats that the endpoint is permitted.
LOST = [(f"{mode}_req", f"retx=0 every={11 + i}") for i, mode in enumerate(("rud", "rod"))] + \
    [(f"{mode}_req", f"retx=1 nth={n}") for mode in ("rud", "rod") for n in (1, 4, 9)] + \
    [(name, "every=13") for name in ("rudi_req", "rudi_resp", "ack", "ack_cc", "nack", "cp")]
RULES = "".join(f"drop {way} {what} {which}\n" for what, which in LOST for way in "<>") + """\
duplicate 1 > any every=17
duplicate 1 < any every=19
delay     3ms > rud_req every=7
delay     3ms < rud_req every=8
reorder   > rud_req every=5
reorder   < rud_req every=6
mark_ce   > any every=9
mark_ce   < any every=10
"""
TRIM = """\
trim      16 > rud_req every=23
trim      16 < rud_req every=29
"""


class Endpoint:
    """A process with the control channel on its standard input and output."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.heard = queue.Queue()
        self.events = []
        self.id = 0
        threading.Thread(target=self.read, daemon=True).start()
        self.ask("hello", version=2)
        self.ask("reset", seed=random.getrandbits(32))

    def read(self):
        for line in self.process.stdout:
            self.heard.put(json.loads(line))
        self.heard.put(None)

    def hear(self):
        """The next line; an event is kept."""
        said = self.heard.get(timeout=PATIENCE)
        assert said is not None, "the endpoint has ended"
        if "event" in said:
            self.events.append(said)
        return said

    def ask(self, verb, **keys):
        self.id += 1
        self.process.stdin.write(json.dumps({"id": self.id, "verb": verb, **keys}) + "\n")
        self.process.stdin.flush()
        while (said := self.hear()).get("id") != self.id:
            pass
        return said

    def all(self, name):
        return [e for e in self.events if e["event"] == name]

    def until(self, name, count):
        while len(self.all(name)) < count:
            self.hear()

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


def plan(decl, count, peer, atomics):
    """Operations of all kinds, as keys of a verb."""
    out = []
    for handle in range(1, count + 1):
        mode = random.choice(["rud", "rud", "rod", "rudi"])
        verb = random.choice(["write", "read"] if mode == "rudi" else
                             ["send", "write", "read"] + ["atomic"] * atomics)
        keys = {"verb": verb, "handle": handle, "mode": mode, "peer": peer}
        if verb != "send":
            keys.update(key=decl["memory_key"], offset=decl["memory_offset"])
        if verb == "atomic":
            keys.update(amo=random.choice(["sum", "max", "bxor"]), datatype="uint32",
                        operand=random.getrandbits(20), fetch=random.random() < 0.5)
        else:
            sizes = [1, 8, 64, 700, decl["mtu"], 3 * decl["mtu"] + 5, 9 * decl["mtu"]]
            keys["len"] = random.choice(sizes + [0] * (verb != "read"))
        out.append(keys)
    return out


def numbers(path):
    """The ids and sizes of a declaration."""
    rows = re.findall(r"^(?:id|size)\s+(\w+)\s+(\w+)", pathlib.Path(path).read_text(), re.M)
    return {name: int(value, 0) for name, value in rows}


def drive(pair, plans):
    """Posts all operations, by turns, and waits until all have ended."""
    ends = [0, 0]
    for keys in (k for both in zip(*plans) for k in enumerate(both)):
        side, request = keys[0], dict(keys[1])
        answer = pair[side].ask(request.pop("verb"), **request)
        assert answer.get("ok"), (side, keys, answer)
        ends[side] += 1
    for side, (endpoint, count) in enumerate(zip(pair, ends)):
        try:
            endpoint.until("completion", count)
        except queue.Empty:
            done = {e["handle"] for e in endpoint.all("completion")}
            never = [k for k in plans[side] if k["handle"] not in done]
            raise AssertionError(f"{'AB'[side]} never completed {never}") from None


def compare(pair, plans):
    """Checks that each operation completed once with success, and that each
    send was received once."""
    for side, posted in enumerate(plans):
        ended = collections.Counter(e["handle"] for e in pair[side].all("completion"))
        assert ended == {k["handle"]: 1 for k in posted}, ended
        bad = [(e, posted[e["handle"] - 1]) for e in pair[side].all("completion")
               if e["status"] != "ok"]
        assert not bad, bad
        got = [e for e in pair[1 - side].all("recv") if e.get("opcode") == 5]
        sends = [k for k in posted if k["verb"] == "send"]
        assert len(got) == len(sends), (len(got), len(sends))
        assert sorted(e["len"] for e in got if "len" in e and e["len"]) == \
            sorted(k["len"] for k in sends if k["len"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rung")
    parser.add_argument("endpoint")
    parser.add_argument("decl")
    parser.add_argument("--seed", type=int, default=random.getrandbits(32))
    parser.add_argument("--ops", type=int, default=40)
    args = parser.parse_args()
    random.seed(args.seed)
    print("seed", args.seed)
    decl = numbers(args.decl)
    claims = " ".join(re.findall(r"^claims(.*)", pathlib.Path(args.decl).read_text(), re.M)).split()
    with tempfile.TemporaryDirectory() as where:
        rules, capture = pathlib.Path(where, "rules"), pathlib.Path(where, "both.pcapng")
        rules.write_text(RULES + TRIM * ("trim" in claims))
        pair = (Endpoint([*program(args.endpoint, where).split(), "--udp", A]),
                Endpoint([args.rung, "serve", "--udp", B, "--control", "stdio", "--decl",
                          args.decl, "--seed", str(args.seed)]))
        bridge = subprocess.Popen(
            [args.rung, "bridge", "--rules", rules, "-o", capture, "--silence", "1s", "--no-judge", f"udp:{TO_B},peer={A}", f"udp:{TO_A},peer={B}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert "between" in bridge.stderr.readline()
        plans = [plan(decl, args.ops, TO_B, False), plan(decl, args.ops, TO_A, "atomic" in claims)]
        try:
            for endpoint in pair:
                endpoint.ask("post_recv", handle=1, len=decl["max_message"], count=2 * args.ops)
                endpoint.ask("expose", handle=2, len=decl["memory_len"], key=decl["memory_key"],
                             offset=decl["memory_offset"])
            drive(pair, plans)
            bridge.communicate(timeout=PATIENCE)
            for endpoint in pair:
                endpoint.ask("completions")
            compare(pair, plans)
        finally:
            bridge.kill()
            for endpoint in pair:
                endpoint.close()
        found, judged = judge(args.rung, [capture])
        assert not found, [(f["requirement"], f["side"], f["frame"], f["text"]) for f in found]
        print(f"{2 * args.ops} operations completed, {judged[0]['packets']} packets judged")


if __name__ == "__main__":
    main()
