#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung send over UDP sockets: the packets that arrive are those that
rung gen writes, and wrong arguments are refused."""
import json
import os
import pathlib
import socket
import struct
import subprocess

from lib import CASE, RUNG, expect, main, rung

NET = f"127.{os.getpid() % 200 + 20}.{os.getpid() // 200 % 250}"
HERE, THERE = f"{NET}.5", f"{NET}.6"
PORT = f"udp:{HERE},peer={THERE}"


def payloads(path):
    """The UET bytes of a pcap."""
    data, at, out = pathlib.Path(path).read_bytes(), 24, []
    while at < len(data):
        kept = struct.unpack_from("=I", data, at + 8)[0]
        out.append(data[at + 16 + 42:at + 16 + kept])
        at += 16 + kept
    return out


def received(*args, code=0):
    """Sends to a socket. Returns the received packets and the finished
    process."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        s.bind((THERE, 4793))
        done = expect(rung("send", *args, "--port", PORT), code)
        s.setblocking(False)
        out = []
        try:
            while True:
                out.append(s.recvfrom(10000))
        except BlockingIOError:
            pass
    assert all(a[0] == HERE for _, a in out), out[:1]
    return [d for d, _ in out], done


def test_a_case_arrives():
    expect(rung("gen", CASE, "-o", "x.pcap"), 0)
    came, done = received(CASE)
    assert came == payloads("x.pcap")
    assert "6 packets" in done.stdout and "late for their" in done.stdout
    came, _ = received("x.pcap", "--rate", "max")
    assert came == payloads("x.pcap")


def test_what_is_varied_arrives():
    how = ("--count", 500, "--set", "psn=+7", "--set", "message_id=rand",
           "--seed", 5)
    expect(rung("gen", CASE, *how, "-o", "x.pcap"), 0)
    for rate in ("max", "20k", "100Mbit"):
        came, done = received(CASE, *how, "--rate", rate, "--json")
        assert came == payloads("x.pcap"), rate
        said = json.loads(done.stdout)
        assert said["packets"] == 500 and said["port"] == "udp", said
        assert ("late_ns" in said) == (rate != "max"), said


def test_a_pace_is_never_too_fast():
    _, done = received(CASE, "--count", 400, "--rate", "2k", "--json")
    said = json.loads(done.stdout)
    assert said["seconds"] >= 0.1995, said
    assert said["packets_per_second"] <= 2005, said


def test_interrupted():
    process = subprocess.Popen(
        [RUNG, "send", CASE, "--port", PORT, "--loop", "0", "--rate", "10"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        process.wait(0.5)
    except subprocess.TimeoutExpired:
        process.terminate()
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130 and "packets/s" in out, out


def test_refused():
    for args, code, why in [
            ([CASE], 2, "where the packets go"),
            ([CASE, "--port", "udp:127.0.0.1"], 2, "expected ,peer=HOST"),
            ([CASE, "--port", "raw:lo,peer=10.0.0.1"], 2, "expected ,ip=ADDR"),
            ([CASE, "--port", "telepathy:x"], 2, "--port telepathy:x"),
            ([CASE, "--port", "ring:nowhere"], 5, "nowhere"),
            ([CASE, "--port", "nowhere"], 5, "rung send: nowhere"),
            ([CASE, "--port", PORT, "--rate", "fast"], 2, "--rate is"),
            (["--port", PORT], 2, "a case or a capture is missing"),
            ([CASE, "--port", PORT, "--set", "nack_code=3"], 2,
             "no packet has it"),
    ]:
        expect(rung("send", *args), code, err=why)


if __name__ == "__main__":
    main(globals())
