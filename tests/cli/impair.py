#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests impairments in cases: ladder, judge and rung check must recognise
packets that the impairment removed, duplicated or changed."""
from lib import expect, main, rung, write

HEAD = """title   An impairment
covers  RUD-SVC-2
needs   rud send control

chair initiator
  {}
  post send len=8
  <  rud_req syn psn=$p | std message_id=$m            [RUD-SVC-2]
  >  ack ack_psn=$p cack_psn=$p | response message_id=$m
  post send len=8
  <  rud_req psn=$q | std message_id=$n                [RUD-SVC-2]
"""
AGAIN = "  <  rud_req psn=$q retx | std [RUD-SVC-2]\n"
TAIL = """  >  ack ack_psn=$q cack_psn=$q | response message_id=$n
  completed op=2                                       [RUD-SVC-2]
  use close
"""


def test_an_injected_nack_makes_it_send_again():
    line = "inject > nack no_pkt_buffer on < rud_req nth=2"
    path = write("nack.lad", HEAD.format(line) + AGAIN + TAIL)
    done = expect(rung("run", "--dut", "virtual", "--ladders", path), 0,
                  "--- nack no_pkt_buffer nack_psn=")
    assert "(injected on the way)" in done.stdout, done.stdout
    expect(rung("run", path), 0)
    expect(rung("run", "--dut", "virtual", path, "--out", "out"), 0)
    expect(rung("check", "--whole", "out/cases/nack@initiator/capture.pcapng"),
           0)


def test_a_packet_is_rewritten():
    line = "rewrite message_id=4711 > ack | response nth=2"
    path = write("id.lad", HEAD.format(line) + TAIL)
    done = expect(rung("run", "--dut", "virtual", "--ladders", path), 0,
                  "message_id=4711")
    assert "(changed on the way)" in done.stdout, done.stdout
    line = "rewrite dscp=9 ecn=ce > ack nth=1..2"
    path = write("outer.lad", HEAD.format(line) + TAIL)
    for dut in ["virtual", "virtual,native,ip6,crc=big", "ref"]:
        expect(rung("run", "--dut", dut, path), 0)


def test_sockets_do_not_write_addresses():
    line = "rewrite src=10.0.0.1 > ack nth=1"
    path = write("src.lad", HEAD.format(line) + TAIL)
    expect(rung("run", path), 4, "the rest of the UDP header and padding")


def test_extension_headers_need_ipv6_and_whole_packets():
    line = "rewrite ext=both > ack nth=1"
    path = write("ext.lad", HEAD.format(line) + TAIL)
    expect(rung("run", path), 4, "the rest of the UDP header and padding")
    expect(rung("run", "--dut", "virtual", path), 4, "IPv4 has no extension")
    expect(rung("run", "--dut", "virtual,ip6", path), 0)


def test_what_a_rule_means_is_narrowed():
    for which, code in [("nth=1 dscp=63", 3), ("nth=7..9", 3),
                        ("every=2 ecn=ect0", 0), ("src=10.9.9.9", 3)]:
        path = write("which.lad",
                     HEAD.format(f"rewrite dscp=1 < rud_req {which}") + TAIL)
        expect(rung("run", "--dut", "virtual", path), code)


if __name__ == "__main__":
    main(globals())
