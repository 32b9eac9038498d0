#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung bridge between two reference endpoints over UDP sockets. The
effect of each rule must appear in the capture of both sides, in the behaviour
of the endpoints, and in the verdict."""
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

from formats import refuses, schema_of, validate
from lib import RUNG, expect, main, rung, write

NET = f"127.{os.getpid() % 200 + 20}.{os.getpid() // 200 % 250}"
A, B = f"{NET}.1", f"{NET}.2"          # the endpoints, and the address of the
TO_B, TO_A = f"{NET}.3", f"{NET}.4"    # bridge that each of them sends to
PORTS = (f"udp:{TO_B},peer={A}", f"udp:{TO_A},peer={B}")


class Endpoint:
    """A reference endpoint and its control channel."""

    def __init__(self, addr, path, where=(), how="--udp"):
        self.process = subprocess.Popen(
            [*where, RUNG, "serve", how, addr, "--control", f"unix:{path}"],
            stderr=subprocess.PIPE, text=True)
        assert "listening" in self.process.stderr.readline()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")
        self.id = 0
        self.ask("hello", version=2)

    def ask(self, verb, **keys):
        self.id += 1
        line = json.dumps({"id": self.id, "verb": verb, **keys}) + "\n"
        self.socket.sendall(line.encode())
        while "id" not in (answer := json.loads(self.lines.readline())):
            pass
        assert not answer.get("error"), answer
        return answer

    def until(self, event, n):
        """Waits for |n| events of a kind."""
        self.socket.settimeout(20)
        while n:
            n -= json.loads(self.lines.readline()).get("event") == event

    def close(self):
        self.lines.close()
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()


@contextlib.contextmanager
def bridge(*args, rules=None):
    """A running bridge; finish() returns the finished process."""
    if rules is not None:
        args = ("--rules", write("x.rules", rules), *args)
    process = subprocess.Popen(
        [RUNG, "bridge", *args, *PORTS], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert "between" in process.stderr.readline()

    def finish():
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode,
                                           out, err)
    process.finish = finish
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.stderr.close()


def exchange(count=3, **keys):
    """Lets A send |n| messages to B, one after another."""
    a, b = Endpoint(A, "a.sock"), Endpoint(B, "b.sock")
    try:
        for i in range(count):
            a.ask("send", handle=i + 1, peer=TO_B, len=64, **keys)
            a.until("completion", 1)
    finally:
        a.close()
        b.close()


def through(rules, code, out, *args, count=3):
    with bridge("-o", "x.pcapng", "--silence", "1s", "--decl", "ref", *args,
                rules=rules) as process:
        exchange(count)
        return expect(process.finish(), code, out)


def packets():
    """Returns (interface, comment, UDP payload) of each packet of the
    capture."""
    data, at, out = open("x.pcapng", "rb").read(), 0, []
    while at < len(data):
        kind, length = (int.from_bytes(data[i:i + 4], "little")
                        for i in (at, at + 4))
        if kind == 6:
            side = int.from_bytes(data[at + 8:at + 12], "little")
            kept = int.from_bytes(data[at + 20:at + 24], "little")
            end = at + 28 + kept + -kept % 4
            code, n = (int.from_bytes(data[i:i + 2], "little")
                       for i in (end, end + 2))
            comment = data[end + 4:end + 4 + n].decode() if code == 1 else ""
            out.append((side, comment, data[at + 28 + 42:at + 28 + kept]))
        at += length
    return out


def psn(packet):
    return int.from_bytes(packet[4:8], "big")


def comments():
    return [(side, c) for side, c, _ in packets() if c]


def test_nothing_is_done_without_rules():
    done = through(None, 0, "\npass\n")
    seen = packets()
    assert not comments()
    assert [p for s, _, p in seen if s == 0] == [p for s, _, p in seen if s]
    sums = re.findall(r"(\d+) packets in, (\d+) out", done.stdout)
    assert sums[0][0] == sums[1][1] and sums[0][1] == sums[1][0], sums
    expect(rung("check", "x.pcapng"), 0)


def test_a_lost_packet_is_sent_again():
    done = through("drop > rud_req nth=2\n", 0, "line 1           1 x")
    assert comments() == [(0, "dropped by line 1")]
    lost = [p for _, c, p in packets() if c]
    again = [p for s, _, p in packets() if s and p[0] >> 3 == 2
             and psn(p) == psn(lost[0])]
    assert len(again) == 1 and again[0][1] & 0x10, again  # retx
    assert "\npass\n" in done.stdout


def test_each_rule_shows_on_both_sides():
    rules = """delay 2ms > rud_req nth=1
duplicate 2 < ack nth=2
mark_ce > rud_req nth=2
rewrite dscp=9 < ack nth=1
"""
    through(rules, 0, "\npass\n")
    assert comments() == [
        (0, "kept back"), (1, "let go late by line 1"),
        (0, "changed by line 4"),
        (1, "changed by line 3"),
        (0, "copied by line 2"), (0, "copied by line 2")], comments()


def test_an_injected_nack_makes_it_send_again():
    through("inject < nack no_pkt_buffer on > rud_req nth=2\n"
            "drop < ack nth=2\n", 0, "\npass\n")
    notes = comments()
    assert notes[0] == (0, "injected by line 1"), notes
    nack = [p for _, c, p in packets() if c == "injected by line 1"][0]
    again = [p for s, _, p in packets() if s == 0 and p[0] >> 3 == 2
             and psn(p) == psn(nack)]
    assert len(again) >= 2, notes


def test_a_fault_is_laid_at_the_right_door():
    """The tester, as A, violates a rule on purpose. No side is blamed for what
    the bridge's rules change."""
    b = Endpoint(B, "b.sock")
    try:
        with bridge("--silence", "1s", "--json") as process:
            rung("run", "--dut", f"udp:{A},peer={TO_B}",
                 "uet/rud/ack-lost@target")
            said = as_json(expect(process.finish(), 1))
    finally:
        b.close()
    assert said["verdict"] == "fail" and said["fails"] >= 1, said
    assert any(f["requirement"] == "MODE-RUD-3" and f["role"] == "src"
               for f in said["findings"]), said
    assert {f["side"] for f in said["findings"]} == {A}, said
    done = through("rewrite cack_psn=1 ack_psn_offset=0 < ack nth=2\n", 0,
                   "line 1")
    assert "FAIL" not in done.stdout


def test_a_rule_that_never_fired():
    through("drop > rud_req nth=99\ndrop > rod_req\n", 3,
            "inconclusive: 2 rules never fired")


def as_json(done):
    said = json.loads(done.stdout)
    validate(schema_of("bridge"), said)
    return said


def test_as_json():
    rules = "drop > rud_req nth=2\n# \ndrop > rod_req\n"
    said = as_json(through(rules, 3, "", "--json"))
    assert said["verdict"] == "inconclusive" and said["error"] is None
    assert said["rules"] == [
        {"line": 1, "text": "drop > rud_req nth=2", "hits": 1},
        {"line": 3, "text": "drop > rod_req", "hits": 0}], said["rules"]
    a, b = said["sides"]
    assert (a["port"], b["port"]) == PORTS and said["dropped"] == 1
    assert a["in"] == b["out"] + 1 and b["in"] == a["out"] >= 3, said
    assert said["capture"] == "x.pcapng" and not said["interrupted"]
    for change in ({"more": 1}, {"sides": [a]}, {"verdict": "good"}):
        assert refuses(schema_of("bridge"), {**said, **change}), change


def test_nothing_came():
    with bridge("--for", "200ms") as process:
        expect(process.finish(), 4, "nothing came")
    with bridge("--for", "100ms", "--json") as process:
        assert as_json(expect(process.finish(), 4))["verdict"] == "nothing"


def test_interrupted():
    with bridge("-o", "x.pcapng", rules="drop > rud_req nth=9\n") as process:
        exchange(2)
        process.send_signal(signal.SIGINT)
        done = expect(process.finish(), 130, "line 1           0 x")
    assert "inconclusive" in done.stdout
    assert len(packets()) >= 8


def test_the_capture_is_there_while_it_runs():
    with bridge("-o", "x.pcapng") as process:
        exchange(1)
        end = time.monotonic() + 10
        while len(packets()) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        process.kill()
        process.wait()
    assert len(packets()) >= 4


CASE = """title   An ACK that is lost between two endpoints
covers  RUD-SEQ-84
needs   rud send

chair initiator
  drop > ack nth=2
  post send len=64
  <  rud_req syn psn=$p | std message_id=$m          [RUD-SEQ-84]
  >  ack ack_psn=$p cack_psn=$p | response message_id=$m
  post send len=64
  <  rud_req psn=$p+1 retx=0 | std                   [RUD-SEQ-84]
  >  ack ack_psn=$p+1 cack_psn=$p+1 | response
  <  rud_req psn=$p+1 retx | std                     [RUD-SEQ-84]
  >  ack ack_psn=$p+1 cack_psn=$p+1 retx | response
  never < rud_req psn=$p+1 for 0.5 rto               [MODE-RUD-3]
"""
BETWEEN = ("--dut", f"udp:{TO_B},peer={A}", "--bridge", f"udp:{TO_A},peer={B}")


def is_bound(addr):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.bind((addr, 4793))
        except OSError:
            return True
    return False


def run_between(case, *args, sends=0):
    """rung run between A, the device, and B. The test, not rung, tells A to
    send."""
    a, b = Endpoint(A, "a.sock"), Endpoint(B, "b.sock")
    try:
        process = subprocess.Popen(
            [RUNG, "run", *BETWEEN, "--decl", write("a.decl", DECL),
             "--timeout", "3s", *args, write("between.lad", case)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while sends and process.poll() is None and \
                not (is_bound(TO_A) and is_bound(TO_B)):
            time.sleep(0.01)
        for i in range(sends):
            time.sleep(0.7)  # a user starts the device by hand
            a.ask("send", handle=i + 1, peer=TO_B, len=64)
        out, err = process.communicate(timeout=30)
        return subprocess.CompletedProcess(process.args, process.returncode,
                                           out, err)
    finally:
        a.close()
        b.close()


DECL = """name A
claims rud send
timer rto 40ms tolerance 100ms
timer ack_time 16ms tolerance 100ms
"""


def test_a_case_between_two_endpoints():
    """A has no control channel, so it may begin at any time."""
    expect(run_between(CASE, sends=2), 0, "pass          between@initiator")
    wrong = CASE.replace("message_id=$m  ", "message_id=77 ") \
        .replace("response message_id=$m", "response")
    done = expect(run_between(wrong, "--ladders", sends=1), 1,
                  "frame 1 is not what line 8 expects")
    assert "message_id=77" in done.stdout, done.stdout


def test_what_the_other_endpoint_does_is_not_the_devices_fault():
    silent = CASE.replace("ack_psn=$p cack_psn=$p |",
                          "ack_psn=$p+9 cack_psn=$p |")
    expect(run_between(silent, sends=1), 3,
           "the other endpoint does not send what line 9 says")
    quick = CASE.split("  >  ack")[0] + \
        "  never < rud_req for 100ms [RUD-SEQ-84]\n" \
        "  <  rud_req psn=$p retx | std [RUD-SEQ-84]\n"
    quick = quick.replace("nth=2", "nth=9")
    expect(run_between(quick, sends=1), 3, "which no line says")
    expect(run_between(CASE), 3, "inconclusive")


def test_what_a_tester_alone_can_do():
    broken = CASE.replace("needs   rud send", "needs   rud send\n"
                          "violates UET-ACK-20/dst")
    expect(run_between(broken), 4, "the tester has to break a rule")
    lost = CASE.replace("cack_psn=$p+1 | response",
                        "cack_psn=$p+1 | response lost")
    expect(run_between(lost), 4, "are a tester's")
    for args, why in [
            (("--bridge", PORTS[1]), "--bridge needs a device at a port"),
            (("--dut", PORTS[0], "--bridge", "udp:127.0.0.1"), "peer=HOST"),
            (("--dut", PORTS[0], "--bridge", PORTS[1], "-j", "2"),
             "--bridge: -j 1"),
    ]:
        expect(rung("run", *args), 2, err=why)


def block(text, name):
    """Returns the indented block behind a marker of the document."""
    lines = text.split(f"<!-- {name} -->\n\n")[1].split("\n")
    end = next(i for i, x in enumerate(lines) if x and x[0] != " ")
    return "\n".join(x[4:] for x in lines[:end]).strip("\n")


def without_times(text):
    return re.sub(r" +", " ", re.sub(r"\d+\.\d{3}", "T", text)).strip()


def test_the_chapter_tells_the_truth():
    """Runs the example investigation of docs/bridge.md as printed there."""
    here = pathlib.Path(RUNG).parent
    if not (here / "../mutants/retx-not-marked.so").exists():
        return
    root = pathlib.Path(__file__).resolve().parents[2]
    chapter = (root / "docs/bridge.md").read_text()
    done = subprocess.run(
        ["sh", "-c", block(chapter, "script")], capture_output=True, text=True,
        timeout=60, check=False,
        env={**os.environ, "PATH": f"{here}:{os.environ['PATH']}"})
    said = expect(done, None).stdout
    assert without_times(said) == without_times(block(chapter, "verdict")), said
    drawn = rung("ladder", "both.pcapng").stdout
    assert without_times(drawn) == without_times(block(chapter, "ladder")), \
        drawn


def test_refused():
    for args, code, why in [
            ([], 2, "two ports are needed"),
            (["udp:127.0.0.1", PORTS[1]], 2, "expected udp:ADDR,peer=HOST"),
            ([PORTS[0], "raw:lo"], 2, "both ports must be udp:"),
            (["raw:lo,ip=10.0.0.1", "raw:lo"], 2, "no address of its own"),
            (["telepathy", "raw:lo"], 2,
             "telepathy: expected udp:ADDR,peer=HOST, raw:IFACE, ring:"),
            (["--for", "soon", *PORTS], 2, "--for is a time such as"),
            (["--rules", "nowhere", *PORTS], 2, "nowhere: No such file"),
            (["-o", "no/such/x", *PORTS], 5, "no/such/x"),
            (["udp:192.0.2.77,peer=192.0.2.1", PORTS[1]], 5, "192.0.2.77"),
    ]:
        expect(rung("bridge", *args), code, err=why)
    path = write("bad.rules", "drop > rud_req\ndrop > rud_req pns=1\n")
    expect(rung("bridge", "--rules", path, *PORTS), 2,
           err="bad.rules:2:16: no field 'pns' in rud_req; did you mean 'psn'")
    path = write("bad.rules", "trim 16 udp_kept > rud_req\n")
    expect(rung("bridge", "--rules", path, *PORTS), 2,
           err="bad.rules:1: on a udp: port the kernel sets addresses")


if __name__ == "__main__":
    main(globals())
