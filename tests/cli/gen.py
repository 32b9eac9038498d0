#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests that rung gen writes the packets that crossed, with the requested
variations only."""
import json
import struct
import subprocess

from lib import CASE, RUNG, expect, main, rung, write


def gen(*args, code=0, err=""):
    return expect(rung("gen", *args), code, err=err)


def check(path):
    """The summary that "rung check" makes of a capture."""
    done = rung("check", "--json", path)
    expect(done, 0)
    return json.loads(done.stdout.splitlines()[-1])


def frames(path):
    """Returns the frames of a pcap with their times in nanoseconds."""
    data, at, out = open(path, "rb").read(), 24, []
    assert data[:4] == b"\x4d\x3c\xb2\xa1", data[:4]
    while at < len(data):
        sec, ns, kept, length = struct.unpack_from("=IIII", data, at)
        assert kept == length
        out.append((sec * 10**9 + ns, data[at + 16:at + 16 + kept]))
        at += 16 + kept
    return out


def psn(frame):
    return struct.unpack_from("!I", frame, 14 + 20 + 8 + 4)[0]


def test_a_case():
    gen(CASE, "-o", "tester.pcap", err="6 packets")
    gen(CASE, "--side", "dut", "-o", "dut.pcap", err="5 packets")
    gen(CASE, "--side", "both", "-o", "both.pcapng", err="11 packets")
    assert {f[26:30] for _, f in frames("tester.pcap")} == {b"\n\0\0\1"}
    assert {f[26:30] for _, f in frames("dut.pcap")} == {b"\n\0\0\2"}
    whole = check("both.pcapng")
    assert whole["packets"] == 11 and whole["flows"] == 1, whole


def test_what_an_impairment_did_is_in_it():
    """The file lacks the lost packet and has its retransmission."""
    gen("uet/rud/ack-lost@target", "--side", "both", "-o", "x.pcap")
    gen("uet/rud/ack-lost@target", "--side", "dut", "-o", "y.pcap")
    all_of_it, lost = frames("x.pcap"), frames("y.pcap")
    assert [t for t, _ in all_of_it] == sorted(t for t, _ in all_of_it)
    assert len(lost) < len(all_of_it) / 2, (len(lost), len(all_of_it))


def test_thousands_of_pdcs():
    gen(CASE, "--side", "both", "--pdcs", 3000, "-o", "x.pcapng",
        err="33000 packets")
    whole = check("x.pcapng")
    assert whole["flows"] == 3000 and whole["fails"] == 0, whole


def test_sweeps():
    gen(CASE, "-o", "one.pcap", "--count", 1)
    first = psn(frames("one.pcap")[0][1])
    gen("one.pcap", "-o", "x.pcap", "--loop", 5, "--set", "psn=+3")
    assert [psn(f) for _, f in frames("x.pcap")] == \
        [(first + 3 * i) % 2**32 for i in range(5)]
    gen("one.pcap", "-o", "y.pcap", "--count", 70000, "-q",
        "--set", "clear_psn_offset=-32768..0")
    offsets = [struct.unpack_from("!h", f, 44)[0]
               for _, f in frames("y.pcap")]
    assert offsets[:32769] == list(range(-32768, 1)), offsets[:3]
    assert offsets[32769:65538] == offsets[:32769]
    for out, seed in [("a", 1), ("b", 1), ("c", 2)]:
        gen("one.pcap", "-o", f"{out}.pcap", "--loop", 9, "--seed", seed,
            "--set", "spdcid=rand")
    a, b, c = (frames(f"{x}.pcap") for x in "abc")
    assert a == b and a != c and len({f for _, f in a}) == 9


def test_rate():
    gen(CASE, "-o", "x.pcap", "--count", 100, "--rate", "10k")
    assert [t for t, _ in frames("x.pcap")] == \
        [100_000 * i for i in range(100)]
    gen(CASE, "-o", "y.pcap", "--count", 2, "--rate", "1Mbit")
    (_, first), (then, _) = frames("y.pcap")
    assert then == len(first) * 8 * 1000


def test_standard_output():
    with open("x.pcapng", "wb") as out:
        done = subprocess.run([RUNG, "gen", CASE, "-o", "-"], stdout=out,
                              stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0, done.stderr
    assert check("x.pcapng")["packets"] == 6


def test_refused():
    write("empty.pcap", "")
    gen(CASE, code=2, err="-o is missing")
    gen("-o", "x", code=2, err="a case or a capture is missing")
    gen("no/such", "-o", "x", code=4, err="no case matches")
    gen("empty.pcap", "-o", "x", code=2, err="empty.pcap")
    gen("none.pcap", "-o", "x", code=2, err="none.pcap: No such file")
    gen(".", "-o", "x", code=2, err=".: Is a directory")
    gen(CASE, "-o", "no/such/x", code=5, err="no/such/x: No such file")
    for args, why in [
            (["--set", "pns=1"], "--set:1:1: no header has a field 'pns'; "
             "did you mean 'psn'?"),
            (["--set", "psn=x"], "--set:1:5: 'x' is no number"),
            (["--set", "nack_code=4"], "no packet has it"),
            (["--set", "psn=4294967296"], "does not fit"),
            (["--rate", "fast"], "--rate is"),
            (["--rate", "0"], "--rate is"),
            (["--side", "left"], "--side is tester, dut or both"),
            (["--loop", "0"], "--loop 0 never ends"),
            (["--pdcs", "65536"], "--pdcs is a number from 1 to 65535"),
            (["--count", "-1"], "--count is a number from 1 to"),
    ]:
        gen(CASE, "-o", "x", *args, code=2, err=why)


if __name__ == "__main__":
    main(globals())
