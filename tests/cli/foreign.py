# SPDX-License-Identifier: BSD-2-Clause
"""Tests which findings the captures of tests/captures/ have, and which they
have not.

Usage: foreign.py RUNG
"""
import json
import pathlib
import struct
import sys

from lib import expect, main, rung

CAPTURES = pathlib.Path(__file__).resolve().parents[1] / "captures"
A, B, C = "10.99.0.1", "10.99.0.2", "10.99.0.3"


def lines(path, *args):
    done = expect(rung("check", "--json", "--max-findings", 10000, *args, path),
                  None)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(name, *args):
    """{(requirement/role, side)} and {(requirement/role, side, frame)}, and
    the restrictions of the summary."""
    out = lines(CAPTURES / f"{name}.pcap", "--whole", *args)
    found = set()
    for f in out:
        if f["type"] == "finding":
            what = f"{f['requirement']}/{f['role']}", f["side"]
            found |= {what, (*what, f["frame"])}
    return found, {r["name"]: r["count"] for r in out[-1]["restrictions"]}


def test_a_storm_is_judged():
    """Equal control packets at once do not show a mirror: their
    identifications differ."""
    for at in ((), ("--at", B), ("--at", C)):
        found, restrictions = check("uet-two-endpoints-storm", *at)
        assert ("UET-ACK-26/dst", C, 2) in found, (at, found)
        assert ("UET-CP-03/src", B, 14) in found, (at, found)
        assert "copies" not in restrictions, restrictions
        assert restrictions["repeats"] >= 4, restrictions


def doubled(data, offset, same_id=True):
    """The capture of a mirror that has each frame twice."""
    out, at, last = [data[:24]], 24, 0
    while at < len(data):
        s, us, n, orig = struct.unpack_from("<IIII", data, at)
        frame = data[at + 16:at + 16 + n]
        at += 16 + n
        last = max(last + 2 * offset, s * 10**6 + us)
        for time in (last, last + offset):
            out.append(struct.pack("<IIII", time // 10**6, time % 10**6, n,
                                   orig) + frame)
            if not same_id:
                number = struct.unpack_from("!H", frame, 18)[0] ^ 0x8000
                frame = frame[:18] + struct.pack("!H", number) + frame[20:]
    return b"".join(out)


def test_a_mirror_of_both_directions():
    """A capture that has each frame twice has no more findings than one that
    has it once."""
    for name in ("uet-provider-silent", "uet-ns3-engine"):
        data = (CAPTURES / f"{name}.pcap").read_bytes()
        pathlib.Path("mirror.pcap").write_bytes(doubled(data, 15))
        out = lines("mirror.pcap", "--whole", "--at", B)
        once = lines(CAPTURES / f"{name}.pcap", "--whole", "--at", B)
        copies = [r["count"] for r in out[-1]["restrictions"]
                  if r["name"] == "copies"]
        assert copies == [once[-1]["frames"]], (copies, once[-1])
        rows = {f["requirement"] for f in once if f["type"] == "finding"}
        more = {f["requirement"] for f in out if f["type"] == "finding"} - rows
        assert not more, more


def test_two_that_send_all_twice_are_no_mirror():
    """With another identification the second frame is a packet of its own."""
    data = (CAPTURES / "uet-provider-silent.pcap").read_bytes()
    pathlib.Path("twice.pcap").write_bytes(doubled(data, 15, False))
    out = lines("twice.pcap", "--whole", "--at", B)
    names = {r["name"] for r in out[-1]["restrictions"]}
    assert "copies" not in names and "repeats" in names, names
    assert [f for f in out if f["type"] == "finding" and f["side"] == B]


def test_silence_at_the_own_link():
    found, _ = check("uet-provider-silent", "--at", C)
    assert ("RUD-SVC-3/dst", C) in found, found
    found, _ = check("uet-provider-silent", "--at", B)
    assert ("RUD-SVC-3/dst", C) not in found, found  # they may have been lost
    found, _ = check("uet-provider-silent")
    assert ("RUD-SVC-3/dst", C) not in found, found


def test_the_ladder_says_so():
    path = CAPTURES / "uet-provider-silent.pcap"
    there = expect(rung("ladder", "--whole", "--at", C, path), 0).stdout
    assert "not answered" in there and "or its answer" not in there, there
    away = expect(rung("ladder", "--whole", "--at", A, path), 0).stdout
    assert "lost, or its answer" in away, away
    assert "not answered" not in away, away


def test_what_a_provider_refuses_or_ignores():
    found, _ = check("uet-provider-probed", "--at", B)
    assert ("UET-CP-01/dst", B, 28) in found, found
    assert ("UET-NACK-19/dst", B, 32) in found, found
    assert ("UET-NACK-16/dst", B, 25) in found, found
    assert ("UET-ACK-03/dst", B, 4) in found, found
    # It answers the previous packet, which had another spdcid.
    assert ("UET-ENC-45/dst", B, 21) not in found, found


def test_the_others():
    found, _ = check("uet-ns3-engine-probed", "--at", B)
    for want in (("RUD-SVC-3/dst", B, 2), ("UET-ACK-10/dst", B, 12)):
        assert want in found, (want, found)
    found, _ = check("uet-soft-ue-probed", "--at", B)
    assert ("UET-ACK-26/dst", B, 2) in found, found
    found, _ = check("uet-ns3-engine")
    assert ("RUD-SVC-3/dst", B, 2) in found, found


def test_roce_has_no_finding():
    """The device always uses identification 1, and sends the same bytes
    again."""
    for at in ((), ("--at", A), ("--at", B)):
        found, restrictions = check("roce-sim", *at)
        assert not found and "copies" not in restrictions, (at, found)


if __name__ == "__main__":
    sys.exit(main(globals()))
