#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests rung send on a link: the frames at its other end are those that rung
gen writes, for every kind of port.

Usage: send.py RUNG TOOLS_DIR
Exit status 77 where there can be no lab.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from lib import CASE, RUNG, expect, main, rung  # noqa: E402

PEER = os.environ.get("LAB_PEER", "").split()
COUNT = 2000
LISTEN = """
import socket, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
s.setsockopt(socket.SOL_SOCKET, 33, 1 << 25)  # SO_RCVBUFFORCE
s.bind(("vb", 0x0800))
s.settimeout(10)
print("ready", flush=True)
for i in range(int(sys.argv[1])):
    print(s.recv(10000).hex(), flush=True)
"""


def frames(path):
    data, at, out = pathlib.Path(path).read_bytes(), 24, []
    while at < len(data):
        kept = struct.unpack_from("=I", data, at + 8)[0]
        out.append(data[at + 16:at + 16 + kept])
        at += 16 + kept
    return out


def arrived(n, *args):
    listen = subprocess.Popen([*PEER, sys.executable, "-c", LISTEN, str(n)],
                              stdout=subprocess.PIPE, text=True)
    assert listen.stdout.readline() == "ready\n"
    done = rung("send", *args)
    out, _ = listen.communicate(timeout=60)
    return [bytes.fromhex(x) for x in out.split()], expect(done, 0)


def test_every_port_puts_the_same_frames():
    how = (CASE, "--count", COUNT, "--set", "psn=+1", "--set", "entropy=rand")
    expect(rung("gen", *how, "-o", "x.pcap"), 0)
    want = frames("x.pcap")
    for port in "va", "ring:va", "raw:va", "xdp:va", "xdp:va:0":
        for rate in "max", "50k":
            came, done = arrived(COUNT, *how, "--port", port, "--rate", rate,
                                 "--json")
            assert came == want, (port, rate, len(came))
            assert json.loads(done.stdout)["packets"] == COUNT


def test_mac_addresses_are_as_told():
    came, _ = arrived(6, CASE, "--port",
                      "ring:va,mac=02:00:00:00:00:07,"
                      "peer-mac=02:00:00:00:00:08")
    assert {f[:12].hex() for f in came} == {"020000000008020000000007"}, came


if __name__ == "__main__":
    if not PEER:
        lab = os.path.join(os.path.abspath(sys.argv[2]), "lab")
        sys.exit(subprocess.run([lab, sys.executable,
                                 os.path.abspath(__file__), RUNG,
                                 sys.argv[2]]).returncode)
    main(globals())
