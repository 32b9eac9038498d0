#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests the plugin in tshark: exported fields, registration, tables.

Usage: plugin.py GOLDEN_DIR PLUGIN_DIR STUB_DIR
"""
import pathlib
import shutil
import struct
import subprocess
import sys

from shark import ROCE, Shark, icrc, ipv6, main, need, pcap, udp

GOLDEN, PLUGINS, STUB = map(pathlib.Path, sys.argv[1:4])
ACK, ACK_CCX = 7, 9  # types of PDS headers
ENTRIES = {"plugin_version", "plugin_want_major", "plugin_want_minor",
           "plugin_register", "plugin_describe"}


def packets(name):
    """Returns the payloads of a golden capture."""
    data, at, found = (GOLDEN / f"{name}.pcap").read_bytes(), 24, []
    while at < len(data):
        size = int.from_bytes(data[at + 8:at + 12], "little")
        found.append(data[at + 16 + 28:at + 16 + size])
        at += 16 + size
    return found


def hosts(name):
    """Returns the last bytes of source and destination of its packets."""
    data, at, found = (GOLDEN / f"{name}.pcap").read_bytes(), 24, []
    while at < len(data):
        found.append((data[at + 16 + 15], data[at + 16 + 19]))
        at += 16 + int.from_bytes(data[at + 8:at + 12], "little")
    return found


def test_exports(shark):
    for path in PLUGINS.rglob("*.so"):
        done = subprocess.run(["nm", "-D", "--defined-only", path], check=True,
                              capture_output=True, text=True)
        names = {line.split()[-1] for line in done.stdout.splitlines()}
        assert names <= ENTRIES, names - ENTRIES
        assert "plugin_register" in names


def test_loaded(shark):
    text = shark.run(None, "-G", "plugins")
    assert "rung.so" in text, text


def test_fields_of_the_tables(shark):
    text = shark.run(None, "-G", "fields", bugs=False)
    names = {line.split("\t")[2] for line in text.split("\n")
             if line.startswith("F\t")}
    for name in ("psn", "clear_psn", "clear_psn_offset", "sack_bitmap", "retx",
                 "nack_code", "message_id", "amo_opcode", "feature_mask",
                 "read_memory_key", "pkt_id", "counter", "req_in", "ack_in",
                 "retx_of", "rtt", "requirement"):
        assert f"uet.{name}" in names, name
    for name in ("uet.req.rud_seq_76", "wqe.req.wqe_14", "srd.req.der_1",
                 "wqe.psn", "srd.psn", "wqe.wqe_offset", "wqe.missing_psn",
                 "wqe.analysis.retransmission", "srd.retx_of"):
        assert name in names, name
    assert "uet.req.wqe_14" not in names


def test_links(shark):
    """One pass, two passes and a single packet give the same result."""
    path = shark.keep(GOLDEN / "repair.pcap")
    names = ("frame.number", "uet.req_in", "uet.retx_of", "uet.nack_of",
             "uet.rtt", "uet.response_time")
    once = shark.fields(path, *names)
    assert once == shark.fields(path, *names, args=("-2",)), once
    assert once[1][1] == "1" and once[3][2] == "3" and once[7][3] == "7", once
    assert once[1][4] == "0.000010000" and not once[4][4], once
    assert once[4][5] == "0.005010000", once
    alone = shark.fields(path, *names, args=("-2", "-Y", "frame.number == 8"))
    assert alone == [once[7]], alone
    later = shark.fields(path, "uet.ack_in", "uet.nack_in", "uet.retx_in",
                         args=("-2",))
    assert later[2] == ["5", "", "4"] and later[5] == ["9", "7", "8"], later


def test_reads_and_clears(shark):
    path = shark.keep(GOLDEN / "figure_3_79.pcap")
    rows = shark.fields(path, "uet.read_in", "uet.data_in", args=("-2",))
    assert rows[4][0] == "3" and rows[2][1] == "5", rows
    assert rows[8][0] == "7" and rows[6][1] == "9", rows
    path = shark.keep(GOLDEN / "figure_3_76.pcap")
    rows = shark.fields(path, "uet.clear_of", "uet.clear_in", args=("-2",))
    assert rows[4][0] == "4" and rows[3][1] == "5", rows


def test_streams(shark):
    """A reused PDCID is another PDC."""
    rows = shark.fields(shark.keep(GOLDEN / "wrap.pcap"), "uet.stream")
    assert [row[0] for row in rows] == ["0"] * 8 + ["1"] * 2, rows


def test_flow_state(shark):
    """Relative PSN, time since the packet before, and what is in flight."""
    path = shark.keep(GOLDEN / "repair.pcap")
    names = ("uet.relative_psn", "uet.time_delta", "uet.psns_in_flight",
             "uet.bytes_in_flight")
    rows = shark.fields(path, *names)
    assert rows[0] == ["0", "", "1", "8"], rows[0]
    assert rows[1] == ["0", "0.000010000", "", ""], rows[1]
    # the first PSN was acknowledged; the repeat puts nothing more in flight
    assert rows[3] == ["1", "0.005000000", "1", "16"], rows[3]
    assert rows[6][0] == "2" and rows[10][2] == "1", rows
    assert rows == shark.fields(path, *names, args=("-2",)), rows
    text = shark.run(path, "-o", "uet.relative_psn:TRUE")
    assert "[0] rud_req psn=1 clear_psn=0 ar" in text, text
    assert "[0] ack ack_psn=1 cack_psn=1 retx" in text, text


def test_a_pdc_is_one_conversation(shark):
    """In the first packet the responder's PDCID is not known."""
    n = 50
    first, answer = packets("repair")[:2]
    frames = []
    for i in range(n):
        ours, theirs = (0x100 + i).to_bytes(2, "big"), \
            (0x900 + i).to_bytes(2, "big")
        frames.append(udp(1, 2, first[:8] + ours + first[10:]))
        frames.append(udp(2, 1, answer[:8] + theirs + ours + answer[12:]))
    path = shark.keep("pdcs.pcap", pcap(frames))
    ids = shark.fields(path, "uet.spdcid", "uet.dpdcid", "uet.stream")
    assert ids[3] == [str(0x901), str(0x101), "1"] or \
        ids[3] == ["0x0901", "0x0101", "1"], ids[:4]
    text = shark.run(path, "-q", "-z", "conv,uet")
    assert text.count("<->") == n, text
    text = shark.run(path, "-q", "-z", "uet,streams")
    assert sum(line[:1].isdigit() for line in text.split("\n")) == n, text


def test_follow_stream_by_psn(shark):
    """What came out of order stands in its place; a repeat adds nothing."""
    data = packets("repair")

    def request(psn, text):
        body = data[2]  # psn 334, 16 bytes of payload
        assert body[4:8] == (334).to_bytes(4, "big"), body
        return udp(1, 2, body[:4] + psn.to_bytes(4, "big") + body[8:-16] +
                   text)

    path = shark.keep("order.pcap", pcap([
        udp(1, 2, data[0]), udp(2, 1, data[1]), request(334, b"A" * 16),
        request(336, b"C" * 16), request(335, b"B" * 16),
        request(336, b"C" * 16)]))
    text = shark.run(path, "-q", "-z", "follow,uet,ascii,0")
    at = [text.find(letter * 16) for letter in "ABC"]
    assert -1 < at[0] < at[1] < at[2] and text.count("C" * 16) == 1, text


def check_tables(shark, family, name, counts, rung, expert):
    """Returns the output of -z for a golden capture."""
    path = shark.keep(GOLDEN / f"{name}.pcap")
    for table in ("conv", "endpoints"):
        text = shark.run(path, "-q", "-z", f"{table},{family}")
        assert "10.0.0.1" in text and "10.0.0.2" in text, text
    text = shark.run(path, "-q", "-z", f"{family},tree")
    for words in counts:
        assert any(line.split()[:2] == list(words)
                   for line in text.split("\n")), f"{words}: {text}"
    text = shark.run(path, "-q", "-z", f"flow,{family},standard")
    assert rung in text, text
    text = shark.run(path, "-q", "-z", "expert")
    assert expert in text, text


def test_tables(shark):
    check_tables(shark, "uet", "repair",
                 (("rud_req", "8"), ("nack", "1"), ("no_pkt_buffer", "1"),
                  ("time-out", "2"), ("NACK", "1")),
                 "rud_req psn=334 clear_psn=333 ar", "[RUD-SEQ-82, UET")
    check_tables(shark, "wqe", "wqe_repair",
                 (("wqe_send_only", "4"), ("wqe_rtx_ind", "1"), ("rnr", "1"),
                  ("time-out", "2"), ("NACK", "2")),
                 "wqe_rtx_ind psn=16777215", "[WQE-08, Patent of the WQE extension")


def test_ports(shark):
    """Another port by Decode As, or by the heuristic, which is off by
    default."""
    data = packets("repair")
    path = shark.keep("port.pcap", pcap([udp(1, 2, one, dport=50000)
                                         for one in data]))
    assert not shark.fields(path, "uet.type"), "guessed"
    rows = shark.fields(path, "uet.psn", args=("-d", "udp.port==50000,uet"))
    assert rows[0] == ["333"], rows
    rows = shark.fields(path, "uet.psn",
                        args=("--enable-heuristic", "uet_udp"))
    assert rows[0] == ["333"], rows


def test_wqe_links(shark):
    """Requested PSNs, their retransmissions, and the packets of one WQE."""
    path = shark.keep(GOLDEN / "wqe_repair.pcap")
    names = ("wqe.stream", "wqe.req_in", "wqe.retx_of", "wqe.nack_of",
             "wqe.begins_in", "wqe.rtt")
    once = shark.fields(path, *names)
    assert once == shark.fields(path, *names, args=("-2",)), once
    assert once[5] == ["0", "", "2", "5", "1", ""], once[5]
    assert once[16] == ["0", "", "14", "15", "12", ""], once[16]
    assert once[9] == ["0", "9", "", "", "", "0.000010000"], once[9]
    later = shark.fields(path, "wqe.ack_in", "wqe.nack_in", "wqe.retx_in",
                         "wqe.ends_in", args=("-2",))
    assert later[1] == ["8", "5", "6", "4"], later[1]
    path = shark.keep(GOLDEN / "wqe_bitmap.pcap")
    rows = shark.fields(path, "wqe.missing", "wqe.nack_of", "wqe.bytes")
    assert rows[4][0] == "11 13" and rows[5][0] == "15", rows
    assert rows[6][1:] == ["5", "192-255 of 320"], rows[6]


def test_icrc(shark):
    """The ICRC covers the captured IP header; a packet with a wrong ICRC is
    not judged."""
    path = shark.keep(GOLDEN / "wqe_odd.pcap")
    rows = shark.fields(path, "wqe.icrc.status", "wqe.stream")
    assert rows[3] == ["bad", ""] and rows[12][0] == "good", rows
    data = packets("wqe_repair")[0][:-4]
    packet = bytearray(udp(1, 2, data + bytes(4), dport=61791))
    packet[4:7] = b"\x12\x34\0"  # ID, no DF
    packet[-4:] = icrc(packet[:-4])
    path = shark.keep("id.pcap", pcap([bytes(packet)]))
    assert shark.fields(path, "wqe.icrc.status") == [["good"]]


def test_roce(shark):
    """Plain RoCEv2 is followed beside Wireshark's own dissector, unless
    disabled."""
    on = ROCE
    off = ("-o", "roce.follow:FALSE", *ROCE[2:])
    path = shark.keep(GOLDEN / "roce_repair.pcap")
    names = ("infiniband.bth.psn", "roce.stream", "roce.req_in",
             "roce.retx_of", "roce.nack_of", "roce.read_in")
    rows = shark.fields(path, *names, args=off)
    assert rows[7] == ["1", "", "", "", "", ""], rows[7]
    rows = shark.fields(path, *names, args=on)
    assert rows == shark.fields(path, *names, args=("-2", *on)), rows
    assert rows[6] == ["0", "0", "", "", "6", ""], rows[6]
    assert rows[7] == ["1", "0", "", "4", "6", ""], rows[7]
    assert rows[22] == ["7", "0", "", "", "", "20"], rows[22]
    for name, frames in (("retransmission", "7 8 9 13 16"), ("gap", "4"),
                         ("spurious_retransmission", "18"),
                         ("nack", "6 12"), ("nack_fatal", "26")):
        found = shark.fields(path, "frame.number", args=(
            *on, "-2", "-Y", f"roce.analysis.{name}"))
        assert [row[0] for row in found] == frames.split(), (name, found)
    text = shark.run(path, *on)
    assert "RC Send Middle QP=0x000043   [retransmitted: requested]" in text, text
    assert "NAK rnr, wait " in text and "NAK psn_seq_err, PSN " in text, text
    text = shark.run(path, "-q", "-z", "roce,tree", *on)
    assert "psn_seq_err" in text, text


def test_wqe_ports(shark):
    """Another port by Decode As, or by preference."""
    data = packets("wqe_repair")[0]
    packet = bytearray(udp(1, 2, data, dport=50000))
    packet[-4:] = icrc(packet[:-4])
    path = shark.keep("port.pcap", pcap([bytes(packet)]))
    names = ("wqe.psn", "wqe.icrc.status")
    assert shark.fields(path, *names) == [["", ""]]
    for args in (("-d", "udp.port==50000,wqe"), ("-o", "wqe.udp.port:50000")):
        assert shark.fields(path, *names, args=args) == [["16777214", "good"]]


def test_guess_refuses_others(shark):
    noise = [bytes((i * 7 + k * 13) % 256 for k in range(60))
             for i in range(200)]
    path = shark.keep("noise.pcap", pcap([udp(1, 2, one, sport=50001,
                                              dport=50000) for one in noise]))
    rows = shark.fields(path, "uet.type",
                        args=("--enable-heuristic", "uet_udp", "-Y", "uet"))
    assert not rows, rows


def test_native(shark):
    path = shark.keep(GOLDEN / "native.pcap")
    rows = shark.fields(path, "uet.entropy", "uet.psn", "uet.stream")
    assert rows[0] == ["0x1234", "333", "0"], rows
    data = path.read_bytes().replace(b"\x40\xfd\0\0\x0a", b"\x40\xfe\0\0\x0a")
    other = shark.keep("native-254.pcap", data)
    assert not shark.fields(other, "uet.psn")
    rows = shark.fields(other, "uet.psn", args=("-o", "uet.ip.proto:254"))
    assert rows[0] == ["333"], rows


OPTIONS = bytes((0, 1, 4)) + bytes(4)  # 8 bytes with their type: PadN
ATOMIC = bytes((0, 0, 0)) + b"same"    # offset 0, no M, one identification
HEADS = ((), ((0, OPTIONS),), ((60, OPTIONS),), ((0, OPTIONS), (60, OPTIONS)),
         ((44, ATOMIC),), ((0, OPTIONS), (44, ATOMIC), (60, OPTIONS)))


def test_ipv6_extensions(shark):
    """Options and the Fragment header of a whole packet stand before UDP and
    before the entropy header. All such fragments have one identification, and
    each is a packet of its own (RFC 6946). Links between packets are shown."""
    data = list(zip(hosts("repair"), packets("repair")))
    plain = shark.fields(shark.keep("plain.pcap", pcap(
        [udp(*ends, one) for ends, one in data])),
        "uet.psn", "uet.stream", "uet.ack_in", args=("-2",))
    assert plain[2][2] == "5", plain
    for heads in HEADS:
        for native in False, True:
            path = shark.keep("heads.pcap", pcap([
                ipv6(*ends, 253 if native else 17,
                     b"\x12\x34\0\0" + one if native else
                     struct.pack(">HHHH", 51000, 4793, 8 + len(one), 0) + one,
                     *heads) for ends, one in data]))
            rows = shark.fields(path, "uet.psn", "uet.stream", "uet.ack_in",
                                args=("-2",))
            assert rows == plain, (heads, native, rows)
            assert "Malformed" not in shark.run(path, "-2", "-V")


def test_ipv6_fragments(shark):
    """A packet in two fragments is shown with the second one, and an atomic
    fragment between them, of the same identification, is not part of it."""
    one, _, other = packets("repair")[:3]
    whole = struct.pack(">HHHH", 51000, 4793, 8 + len(one), 0) + one
    atom = struct.pack(">HHHH", 51000, 4793, 8 + len(other), 0) + other
    path = shark.keep("parts.pcap", pcap([
        ipv6(1, 2, 17, whole[:32], (44, b"\0\0\x01same")),
        ipv6(1, 2, 17, atom, (44, ATOMIC)),
        ipv6(1, 2, 17, whole[32:], (44, b"\0\0\x20same"))]))
    alone = shark.fields(shark.keep("alone.pcap", pcap(
        [udp(1, 2, x) for x in (other, one)])), "uet.psn")
    rows = shark.fields(path, "frame.number", "uet.psn")
    assert rows == [["1", ""], ["2", *alone[0]], ["3", *alone[1]]], rows


def test_not_following(shark):
    path = shark.keep(GOLDEN / "repair.pcap")
    rows = shark.fields(path, "uet.psn", "uet.stream",
                        args=("-o", "uet.track:FALSE"))
    assert rows[0] == ["333", ""], rows


def test_whole(shark):
    """Missing packets are judged only in a complete capture."""
    data = packets("repair")
    path = shark.keep("absent.pcap", pcap([
        (100000 * i, udp(1 + i % 2, 2 - i % 2, one)) for i, one in
        enumerate([data[0], data[1], data[2], data[1]])]))
    for whole, shown in (("auto", False), ("yes", True)):
        text = shark.run(path, "-2", "-V", "-o", f"uet.whole:{whole}")
        assert ("UET-ACK-15/dst" in text) == shown, whole


def test_sizes(shark):
    """The preference sets where an ACK_CCX of 32 bytes ends."""
    ack = next(p for p in packets("repair") if p[0] >> 3 == ACK)
    short = bytes([ACK_CCX << 3 | ack[0] & 7]) + ack[1:12] + bytes(20)
    path = shark.keep("sizes.pcap", pcap([(0, udp(2, 1, short + ack[12:]))]))
    for preference, right in (("ack_ccx_32:FALSE", False),
                              ("nack_ccx_24:TRUE", False),
                              ("ack_ccx_32:TRUE", True)):
        text = shark.run(path, "-V", "-o", f"uet.{preference}", bugs=right)
        assert ("| response message_id=" in text) == right, text


def test_captured_twice(shark):
    """A mirror shows a packet twice, at once, with one IP identification."""
    data = packets("repair")
    at = 1000
    for apart, ident, copied in ((100, 9, True), (100, 10, False),
                                 (5000, 10, False)):
        path = shark.keep(f"twice-{apart}-{ident}.pcap", pcap([
            (0, udp(1, 2, data[2], ident=8)),
            (at, udp(1, 2, data[0], ident=9)),
            (at + apart, udp(1, 2, data[0], ident=ident))]))
        for name, shown in (("captured_twice", copied), ("duplicate", True)):
            rows = shark.fields(path, "uet.stream", args=(
                "-2", "-Y", f"uet.analysis.{name}"))
            assert len(rows) == shown, (apart, ident, name, rows)


def cut_to(data, size):
    """Returns the first record of a capture, truncated to |size| bytes."""
    head, whole = data[24:40], int.from_bytes(data[32:36], "little")
    return data[:24] + head[:8] + size.to_bytes(4, "little") + \
        whole.to_bytes(4, "little") + data[40:40 + size]


def test_cut(shark):
    """Bytes that a snapshot length cut off cause no finding."""
    one = bytearray(packets("repair")[0])
    whole = pcap([udp(1, 2, bytes(one))])
    path = shark.keep("snap.pcap", cut_to(whole, len(whole) - 24 - 16 - 8))
    text = shark.run(path, "-2", "-V", "-o", "uet.whole:yes")
    assert "uet.stream" not in text or "UET-" not in text, text
    assert not shark.fields(path, "frame.number", args=(
        "-2", "-Y", "_ws.expert.severity == error")), text


def test_trimmed(shark):
    """A declared codepoint shows that a switch trimmed the packet."""
    data = packets("repair")[0]
    for size in (len(data) - 8, 20):
        path = shark.keep(f"trimmed-{size}.pcap", pcap([
            udp(1, 2, data[:size], tos=21 << 2 | 2)]))
        for dscp, shown in ((0, False), (21, True)):
            text = shark.run(path, "-2", "-V", "-o",
                             f"uet.dscp_trimmed:{dscp}")
            assert ("Trimmed by a switch" in text or
                    "uet.decode.trimmed" in text or
                    "UET-ENC-14" in text) == shown, (size, dscp, text)
            assert ("Malformed" in text) == (size == 20 and not shown), text


def test_quoted_packets(shark):
    """A packet quoted by ICMP is shown and not followed."""
    quoted = (GOLDEN / "repair.pcap").read_bytes()[40:40 + 92]
    icmp = b"\x03\x03" + bytes(6) + quoted
    from shark import ipv4
    path = shark.keep("icmp.pcap", pcap([ipv4(2, 1, 1, icmp)]))
    rows = shark.fields(path, "uet.psn", "uet.stream")
    assert rows == [["333", ""]], rows


def test_colours(shark):
    """Wireshark accepts the colour rules, and they match packets."""
    rules = PLUGIN_SOURCE / "colorfilters"
    home = shark.home / ".config" / "wireshark"
    home.mkdir(parents=True, exist_ok=True)
    shutil.copy(rules, home / "colorfilters")
    for path in (shark.home / ".config", home, home / "colorfilters"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    rows = shark.fields(shark.keep(GOLDEN / "repair.pcap"),
                        "frame.coloring_rule.name",
                        args=("--color", "-2"))
    wqe = shark.fields(shark.keep(GOLDEN / "wqe_repair.pcap"),
                       "frame.coloring_rule.name", args=("--color", "-2"))
    shutil.rmtree(shark.home / ".config")
    assert rows[3] == ["UET retransmitted"] and rows[6] == ["UET NACK"], rows
    assert wqe[4] == ["WQE requests again"] and wqe[5] == ["WQE retransmitted"], wqe
    assert wqe[7] == ["WQE ACK"] and wqe[24] == ["WQE fatal NAK"], wqe


def test_beside_another(shark):
    """If the name "uet" is taken, ours has another name beside it."""
    home = shark.where / "other"
    plugins = home / ".local" / "lib" / "wireshark" / "plugins"
    shutil.copytree(STUB, plugins)
    for path in (home, *home.rglob("*")):
        path.chmod(0o755)
    path = shark.keep(GOLDEN / "repair.pcap")
    text = shark.run(path, "-V", home=home)
    assert "\nUltra Ethernet Transport\n" in text, text[:2000]
    assert "\nUltra Ethernet Transport (rung)" in text, text[:2000]
    assert "[RUD-SEQ-82, UET" in text
    assert "10.0.0.1" in shark.run(path, "-q", "-z", "conv,uet_rung",
                                   home=home)
    assert "retransmitted" in shark.run(path, "-Y", "uet.retx_of", home=home)


if __name__ == "__main__":
    need("tshark", "nm")
    PLUGIN_SOURCE = GOLDEN.parent
    main(globals(), Shark(PLUGINS))
