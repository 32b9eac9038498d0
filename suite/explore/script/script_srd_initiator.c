/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_srd_initiator.c -- the moves of an SRD responder
 * that are written as lines: every answer, right and wrong.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* The DUT is the requester. */
const struct draft_script script_srd_initiator[] = {
	/* the whole numbers of the destination, and of another one */
	{.ids = "SRD-01 SRD-03",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p} dest_qp=$srd_qpn qkey=$srd_qkey | data {l}\n"
		"> srd_ack psn={p} syndrome=ack cack={p} sack_bitmap=0\n"
		"post post_send qpn=$qp ah=$ah len={l+1} dest_qp={1:0x810001/0x7f00ff/0x12}\n"
		"< srd_send_only psn={p+1} dest_qp={1=0x810001/0x7f00ff/0x12} | data {l+1}\n"
		"> srd_ack psn={p+1} syndrome=ack cack={p+1} sack_bitmap=0\n"
		"completed op={o+1} once, op={o+2} once  [SRD-41]\n",
	 .psns = 2, .mids = 2, .ops = 2, .weight = 3},
	{.ids = "SRD-20",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"post post_send qpn=$qp ah=$ah len={l+2}\n"
		"any {\n"
		"  < srd_send_only psn={p}  [SRD-05]\n"
		"  < srd_send_only psn={p+1}  [SRD-05]\n"
		"  < srd_send_only psn={p+2}  [SRD-05]\n"
		"}\n"
		"> srd_ack psn={p+2} syndrome=ack cack={p-1} sack_bitmap=0x6000000000000000\n"
		"completed op={o+2} once, op={o+3} once\n"
		"< srd_send_only psn={p} lup={p} within 3 rto  [SRD-19]\n"
		"> srd_ack psn={p} syndrome=ack cack={p+2} sack_bitmap=0\n"
		"completed op={o+1} once\n",
	 .psns = 3, .mids = 3, .ops = 3, .weight = 3},
	{.ids = "SRD-20",
	 .lines =
		"post post_send qpn=$qp ah=$ah len=64 count={1:2..9}\n"
		"< srd_send_only psn={p}..{p+8} x {1}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p} sack_bitmap=0\n"
		"wait 1 ack_time\n",
	 .ops = 1, .flags = SCRIPT_OVER, .weight = 1},
	{.ids = "SRD-23",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome={1:bad_dest_qp/invalid_req/remote_op/rnr/0x2e/0x7f} cack={p-1}\n"
		"failed op={o+1} status={1=bad_dest_qp/remote_invalid_request/remote_operation/rnr/rnr/bad_response} once  [SRD-{1=50/48/49/51/51/47} SRD-36:failed.status SRD-37:failed.status]\n"
		"never < srd_send_only psn={p} for 3 rto  [SRD-52]\n"
		"post query_qp qpn=$qp state=rts  [SRD-39]\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"< srd_send_only psn={p+1} lup={p+1}  [SRD-38 DER-4]\n"
		"> srd_ack psn={p+1} syndrome=ack cack={p+1}\n"
		"completed op={o+2} once  [SRD-39]\n",
	 .psns = 2, .mids = 2, .ops = 2, .weight = 6},
	{.ids = "SRD-47",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"> srd_ack opcode=0xf9 psn={p} syndrome=ack cack={p-1}\n"
		"failed op={o+1} status=bad_response once  [SRD-47:failed.missing]\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"< srd_send_only psn={p+1}  [SRD-38]\n"
		"> srd_ack psn={p+1} syndrome=ack cack={p+1}\n"
		"completed op={o+2} once  [SRD-41]\n",
	 .psns = 2, .mids = 2, .ops = 2, .weight = 2},
	{.ids = "SRD-24",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"post post_send qpn=$qp ah=$ah len={l+1} dest_qp=0x99\n"
		"post post_send qpn=$qp ah=$ah len={l+2}\n"
		"any {\n"
		"  < srd_send_only psn={p}  [SRD-25]\n"
		"  < srd_send_only psn={p+1} dest_qp=0x99  [SRD-25]\n"
		"  < srd_send_only psn={p+2}  [SRD-25]\n"
		"}\n"
		"> srd_ack psn={p+1} syndrome=bad_dest_qp cack={p-1} sack_bitmap=0\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"> srd_ack psn={p+2} syndrome=ack cack={p} sack_bitmap=0x4000000000000000\n"
		"completed op={o+1} once, op={o+3} once  [SRD-24 SRD-25:completed.missing]\n"
		"failed op={o+2} status=bad_dest_qp once  [SRD-23:failed.missing]\n"
		"never < srd_send_only for 3 rto\n"
		"post query_qp qpn=$qp state=rts  [SRD-39]\n",
	 .psns = 3, .mids = 3, .ops = 3, .weight = 3},
	{.violates = "I5/dst DER-3/dst DER-1/dst",
	 .ids = "I13",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p} {:crc wrong/cut 31/cut 39/cut 12}\n"
		"< srd_send_only psn={p} within 6 rto  [SRD-19]\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+1} once  [SRD-41]\n",
	 .psns = 1, .mids = 1, .ops = 1, .weight = 3},
	{.violates = "I5/dst DER-3/dst DER-1/dst",
	 .ids = "I13",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome={:ack/rnr/bad_dest_qp/0x7f} cack={p-1} sack_bitmap=0 {:ver=3/ver=0/tver=2/pkey=0x7fff/scid=0x7777}\n"
		"failed op={o+1} none\n"
		"< srd_send_only psn={p} within 6 rto  [SRD-19]\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+1} once  [SRD-41]\n",
	 .psns = 1, .mids = 1, .ops = 1, .weight = 3},
	{.violates = "I5/dst DER-3/dst DER-1/dst",
	 .ids = "SRD-18",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"any {\n"
		"  < srd_send_only psn={p}  [SRD-05]\n"
		"  < srd_send_only psn={p+1}  [SRD-05]\n"
		"}\n"
		"> srd_ack psn={p+2} syndrome=ack cack={p+2} sack_bitmap=0\n"
		"> srd_ack psn={p} syndrome=ack cack={p+2} sack_bitmap=0\n"
		"> srd_ack psn={p} syndrome=ack cack={p-1} sack_bitmap=0x1000000000000000\n"
		"> srd_ack psn={p-1} syndrome=rnr cack={p-2} sack_bitmap=0\n"
		"> srd_ack psn={p+40} syndrome=bad_dest_qp cack={p-1} sack_bitmap=0\n"
		"wait 1 ack_time\n"
		"completed op={o+1} none, op={o+2} none  [SRD-18 I2]\n"
		"failed op={o+1} none, op={o+2} none  [I13]\n",
	 .flags = SCRIPT_OVER, .weight = 3},
	{.ids = "SRD-42",
	 .lines =
		"post post_send qpn=$qp ah=$ah len=1mtu+1 refusable\n"
		"never < srd_send_only for 2 rto\n"
		"failed op={o+1} status=local_length once\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post post_send qpn=$qp ah=$ah len=1mtu\n"
		"< srd_send_only psn={p} | data 1mtu  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+2} once  [SRD-41]\n",
	 .psns = 1, .ops = 2, .weight = 2},
	{.ids = "SRD-44",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l} lkey=0xbad\n"
		"never < srd_send_only for 2 rto\n"
		"failed op={o+1} status=local_protection once\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+2} once  [SRD-41]\n",
	 .psns = 1, .mids = 1, .ops = 2, .weight = 2},
	{.ids = "SRD-43",
	 .lines =
		"post post_send qpn=$qp ah=0x7777 len={l}\n"
		"failed op={o+1} status=local_qp_operation once\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+2} once  [SRD-41]\n",
	 .psns = 1, .mids = 1, .ops = 2, .weight = 2},
	{.ids = "SRD-27",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l} opcode={:write/read/atomic} refusable\n"
		"never < any for 2 rto\n"
		"completed op={o+1} none\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+2} once  [SRD-41]\n",
	 .psns = 1, .mids = 1, .ops = 2, .weight = 2},
	{.ids = "SRD-33",
	 .lines =
		"post create_qp qpn=$i{s}\n"
		"post query_qp qpn=$i{s} state=reset  [SRD-32]\n"
		"post modify_qp qpn=$i{s} state={:rtr/rts} refused  [SRD-32]\n"
		"post post_send qpn=$i{s} ah=$ah len={l} refused\n"
		"post modify_qp qpn=$i{s} state=init\n"
		"post modify_qp qpn=$i{s} state=rts refused  [SRD-32]\n"
		"post post_send qpn=$i{s} ah=$ah len={l} refused\n"
		"post modify_qp qpn=$i{s} state=rtr\n"
		"post modify_qp qpn=$i{s} state=sqd refused  [SRD-32]\n"
		"post post_send qpn=$i{s} ah=$ah len={l} refused\n"
		"post modify_qp qpn=$i{s} state=rts\n"
		"post query_qp qpn=$i{s} state=rts  [SRD-32]\n"
		"post modify_qp qpn=$i{s} state=init refused  [SRD-32]\n"
		"post post_send qpn=$i{s} ah=$ah len={l+1}\n"
		"< srd_send_only psn={p} | data {l+1}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+4} once  [SRD-41]\n"
		"post modify_qp qpn=$i{s} state=sqd\n"
		"post query_qp qpn=$i{s} state=sqd  [SRD-32]\n"
		"post modify_qp qpn=$i{s} state=err\n"
		"post query_qp qpn=$i{s} state=err  [SRD-32]\n"
		"post modify_qp qpn=$i{s} state=rts refused  [SRD-32]\n",
	 .psns = 1, .mids = 2, .ops = 4, .weight = 2},
	{.ids = "SRD-32",
	 .lines =
		"post modify_qp qpn=$qp state=sqd\n"
		"post post_send qpn=$qp ah=$ah len={l} refusable\n"
		"never < srd_send_only for 2 rto  [SRD-32 SRD-33]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-45",
	 .lines =
		"post modify_qp qpn=$qp state=sqd\n"
		"post post_send qpn=$qp ah=$ah len={l} refusable\n"
		"post modify_qp qpn=$qp state=err\n"
		"failed op={o+1} status=flushed once  [SRD-45:failed.missing]\n"
		"never < srd_send_only | data {l} for 2 rto\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-31",
	 .lines =
		"post create_qp qpn=$w{s} type=rc refused\n"
		"post create_qp qpn=$v{s} type=srd depth=4\n"
		"post modify_qp qpn=$v{s} state=init\n"
		"post modify_qp qpn=$v{s} state=rtr\n"
		"post modify_qp qpn=$v{s} state=rts\n"
		"post post_send qpn=$v{s} ah=$ah len=64 count=4\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"post post_send qpn=$v{s} ah=$ah len=64 refused\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	{.ids = "SRD-45",
	 .lines =
		"let $a{s} = $qp\n"
		"use srd-rts\n"
		"post post_send qpn=$a{s} ah=$ah len=64 count=3\n"
		"< srd_send_only psn={p}..{p+2} x 3  [SRD-05]\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"< srd_send_only psn={p+3}  [SRD-05]\n"
		"post modify_qp qpn=$a{s} state=err\n"
		"failed op={o+1} status=flushed x 3  [SRD-45 SRD-46]\n"
		"> srd_ack psn={p+3} syndrome=ack cack={p-1} sack_bitmap=0x1000000000000000\n"
		"completed op={o+2} once  [SRD-15]\n"
		"never < srd_send_only for 3 rto  [SRD-14]\n"
		"post post_send qpn=$qp ah=$ah len={l+2}\n"
		"< srd_send_only psn={p+4} lup={p+4}  [DER-4 SRD-15]\n"
		"> srd_ack psn={p+4} syndrome=ack cack={p+4} sack_bitmap=0\n"
		"completed op={o+3} once  [SRD-15]\n",
	 .psns = 5, .mids = 3, .ops = 3, .weight = 2},
	{.ids = "SRD-15",
	 .lines =
		"let $a{s} = $qp\n"
		"use srd-rts\n"
		"post post_send qpn=$a{s} ah=$ah len={l}\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"post post_send qpn=$a{s} ah=$ah len={l+2}\n"
		"any {\n"
		"  < srd_send_only psn={p} src_qp=$a{s}  [SRD-10]\n"
		"  < srd_send_only psn={p+1} src_qp=$qp  [SRD-10]\n"
		"  < srd_send_only psn={p+2} src_qp=$a{s}  [SRD-10]\n"
		"}\n"
		"> srd_ack psn={p+1} syndrome=ack cack={p-1} sack_bitmap=0x4000000000000000\n"
		"completed op={o+2} once  [SRD-15]\n"
		"post destroy_qp qpn=$a{s}\n"
		"never < srd_send_only for 2 rto  [SRD-14 I7]\n"
		"completed op={o+1} none, op={o+3} none  [SRD-13]\n"
		"post post_send qpn=$qp ah=$ah len={l+3}\n"
		"< srd_send_only psn={p+3} lup={p+3}  [DER-4 SRD-15]\n"
		"> srd_ack psn={p+3} syndrome=ack cack={p+3} sack_bitmap=0\n"
		"completed op={o+4} once\n",
	 .psns = 4, .mids = 4, .ops = 4, .weight = 3},
	{.ids = "SRD-20",
	 .lines =
		"let $a{s} = $qp\n"
		"use srd-rts\n"
		"post post_send qpn=$a{s} ah=$ah len={l}\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"any {\n"
		"  < srd_send_only psn={p}  [SRD-10]\n"
		"  < srd_send_only psn={p+1}  [SRD-10]\n"
		"}\n"
		"post destroy_qp qpn=$a{s}\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"> srd_ack psn={p+1} syndrome=ack cack={p+1}\n"
		"completed op={o+2} once  [SRD-20 SRD-15:completed.missing]\n"
		"completed op={o+1} none  [SRD-13]\n",
	 .psns = 2, .mids = 2, .ops = 2, .weight = 2},
	{.ids = "SRD-08",
	 .lines =
		"let $a{s} = $qp\n"
		"use srd-rts\n"
		"post post_send qpn=$a{s} ah=$ah len={l} dest_qp=0x40\n"
		"< srd_send_only psn={p} src_qp=$a{s} dest_qp=0x40 | data {l}  [SRD-10]\n"
		"post post_send qpn=$qp ah=$ah len={l+1} dest_qp=0x41\n"
		"< srd_send_only psn={p+1} src_qp=$qp dest_qp=0x41 | data {l+1}  [SRD-08 SRD-10]\n"
		"> srd_ack psn={p+1} syndrome=ack cack={p-1} sack_bitmap=0x4000000000000000\n"
		"completed op={o+2} once\n"
		"< srd_send_only psn={p} src_qp=$a{s} | same within 3 rto  [SRD-19]\n"
		"> srd_ack psn={p} syndrome=ack cack={p+1}\n"
		"completed op={o+1} once\n",
	 .psns = 2, .mids = 2, .ops = 2, .weight = 2},
	{.ids = "SRD-05",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l} imm=0xdeadbeef\n"
		"< srd_send_only_imm psn={p} imm=0xdeadbeef src_qp=$qp | data {l}\n"
		"> srd_ack psn={p} syndrome=ack\n"
		"completed op={o+1} once  [SRD-41]\n",
	 .psns = 1, .mids = 1, .ops = 1, .weight = 2},
	{.ids = "SRD-05",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={1:0/1/1mtu-1/1mtu}\n"
		"< srd_send_only psn={p} | data {1=0/1/1mtu-1/1mtu}\n"
		"> srd_ack psn={p} syndrome=ack\n"
		"completed op={o+1} once  [SRD-41]\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.ids = "SRD-16",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l} count=10\n"
		"< srd_send_only psn={p}..{p+9} x 10  [SRD-02]\n"
		"post destroy_ah ah=$ah\n"
		"failed op={o+1} status=flushed x 10  [SRD-16:failed.missing SRD-46]\n"
		"never < srd_send_only for 4 rto  [SRD-12:srd_req.forbidden I7]\n"
		"> srd_ack psn={p+9} syndrome=ack cack={p+9} sack_bitmap=0\n"
		"wait 1 ack_time\n"
		"completed op={o+1} none\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-53",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-05]\n"
		"unresponsive ah=$ah once within unresponsive_time  [SRD-53:unresponsive.missing SRD-54:unresponsive.missing SRD-30:unresponsive.count]\n"
		"completed op={o+1} none  [SRD-18]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* The DUT is the requester; how a case may begin. */
const struct draft_script script_srd_initiator_first[] = {
	/* a context with a send in flight is not renewed */
	{.setting = "srd_idle=2rto srd_unresponsive=200rto rto_max=100rto",
	 .ids = "SRD-10",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p} scid=$c{s}  [SRD-05]\n"
		"> srd_ack psn={p} syndrome=ack cack={p} rcid=7\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"< srd_send_only psn={p+1} scid=$c{s} rcid=7 | data {l+1} lost  [DER-4]\n"
		"< srd_send_only psn={p+1} scid=$c{s} within 1.5 rto lost  [SRD-10]\n"
		"< srd_send_only psn={p+1} scid=$c{s} within 2.5 rto  [SRD-10]\n"
		"post post_send qpn=$qp ah=$ah len={l+2}\n"
		"< srd_send_only psn={p+2} scid=$c{s} rcid=7 syn=0 | data {l+2}  [DER-4 SRD-10]\n"
		"> srd_ack psn={p+2} syndrome=ack cack={p+2} sack_bitmap=0 rcid=7\n"
		"completed op={o+1} once, op={o+2} once, op={o+3} once  [SRD-12]\n",
	 .psns = 3, .mids = 3, .ops = 3, .flags = SCRIPT_OVER, .weight = 2},
	/* the first and the last bit of SACK */
	{.setting = "srd_window=1024",
	 .ids = "SRD-41",
	 .lines =
		"post post_send qpn=$qp ah=$ah len=8 count=64\n"
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"< srd_send_only psn={p}..{p+65} try=0 x 66  [SRD-20]\n"
		"> srd_ack psn={p+2} syndrome=ack cack={p} sack_bitmap=0x4000000000000001\n"
		"never < srd_send_only psn={p+2} for 2 rto\n"
		"never < srd_send_only psn={p+64} for 2 rto\n"
		"> srd_ack psn={p+65} syndrome=ack cack={p+65} sack_bitmap=0\n"
		"completed op={o+1} x 64  [SRD-41:completed.count]\n"
		"completed op={o+2} once, op={o+3} once\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	/* SACK and RTT show a loss before the RTO */
	{.setting = "srd_fast=1",
	 .needs = "srd_paths.2",
	 .ids = "SRD-19",
	 .lines =
		"post post_send qpn=$qp ah=$ah len={l}\n"
		"< srd_send_only psn={p}  [SRD-20]\n"
		"> srd_ack psn={p} syndrome=ack cack={p} sack_bitmap=0\n"
		"completed op={o+1} once  [SRD-41]\n"
		"post post_send qpn=$qp ah=$ah len={l+1}\n"
		"post post_send qpn=$qp ah=$ah len={l+2}\n"
		"any {\n"
		"  < srd_send_only psn={p+1} path=$w{s} | data {l+1} lost  [SRD-20]\n"
		"  < srd_send_only psn={p+2} | data {l+2}  [SRD-20]\n"
		"}\n"
		"> srd_ack psn={p+2} syndrome=ack cack={p} sack_bitmap=0x4000000000000000\n"
		"< srd_send_only psn={p+1} lup={p+1} try=1 path!=$w{s} | same within 0.5 rto\n"
		"> srd_ack psn={p+1} syndrome=ack cack={p+2} sack_bitmap=0 try=1\n"
		"completed op={o+2} once, op={o+3} once  [SRD-41]\n",
	 .psns = 3, .mids = 3, .ops = 3, .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "srd.verbs",
	 .ids = "DER-6",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn=100 scid=$c syn  [SRD-05 SRD-11]\n"
		"> srd_ack psn=100 syndrome=ack cack=100 rcid=7\n"
		"completed op=1 once  [SRD-41]\n"
		"post post_send qpn=$qp ah=$ah len=65 count=2\n"
		"< srd_send_only psn=101..102 x 2  [SRD-05]\n"
		"> srd_ack psn=101 syndrome=ctx_reset cack==0 sack_bitmap=0 lup==0 rcid=7\n"
		"failed op=2 x 2  [DER-6:failed.missing SRD-18]\n"
		"never < srd_send_only for 3 rto\n"
		"post post_send qpn=$qp ah=$ah len=66\n"
		"< srd_send_only ctx=b psn=$p syn rcid=0 scid!=$c | data 66\n"
		"> srd_ack ctx=b psn=$p syndrome=ack cack=$p sack_bitmap=0\n"
		"completed op=3 once  [SRD-41]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "srd.verbs",
	 .ids = "I13",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn=100  [SRD-05]\n"
		"> srd_ack psn=100 syndrome=ctx_reset cack==0 sack_bitmap=0 lup==0 rcid={:9/0}\n"
		"wait 1 ack_time\n"
		"failed op=1 none\n"
		"> srd_ack psn=100 syndrome=ack cack=100 rcid=7\n"
		"completed op=1 once  [I13:completed.missing]\n"
		"post post_send qpn=$qp ah=$ah len=65\n"
		"< srd_send_only psn=101 rcid=7  [SRD-10]\n"
		"> srd_ack psn=101 syndrome=ctx_reset cack==0 sack_bitmap=0 lup==0 rcid=8\n"
		"> srd_ack psn=101 syndrome=rnr cack=100 sack_bitmap=0 rcid=8\n"
		"wait 1 ack_time\n"
		"completed op=2 none  [SRD-18 I2:completed.count]\n"
		"failed op=2 none\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "srd.verbs",
	 .violates = "I5/dst DER-3/dst",
	 .ids = "DER-5",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn=100 scid=$old  [SRD-05]\n"
		"> srd_ack psn=100 syndrome=ack cack=100 rcid=7\n"
		"post destroy_ah ah=$ah\n"
		"< srd_sync fin optional  [DER-4]\n"
		"post create_ah ah=$new\n"
		"post post_send qpn=$qp ah=$new len=65\n"
		"< srd_send_only ctx=b psn=$p syn scid!=$old rcid=0 | data 65\n"
		"> srd_ack ctx=a psn=$p syndrome=ack cack=$p sack_bitmap=0 scid=$old rcid=7\n"
		"wait 1 ack_time\n"
		"completed op=2 none  [DER-5 I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "srd.verbs",
	 .ids = "SRD-55",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn=100 scid=$c  [SRD-05]\n"
		"> srd_ack psn=100 syndrome=ack cack=100\n"
		"completed op=1 once  [SRD-41]\n"
		"post post_send qpn=$qp ah=$ah len=65 count=3\n"
		"< srd_send_only psn=101..103 x 3  [SRD-05]\n"
		"unresponsive ah=$ah once within unresponsive_time  [SRD-53:unresponsive.missing SRD-54:unresponsive.missing SRD-30:unresponsive.count]\n"
		"post post_send qpn=$qp ah=$ah len=66\n"
		"one {\n"
		"  < srd_send_only psn=104 scid=$c lup=101\n"
		"  < srd_send_only psn=101 within 20 rto\n"
		"  > srd_ack psn=104 syndrome=ack cack=104 sack_bitmap=0\n"
		"  completed op=2 x 3, op=3 once  [SRD-55:completed.missing]\n"
		"or\n"
		"  < srd_send_only psn=104 scid=$c lup=104\n"
		"  failed op=2 status=timeout x 3  [SRD-55:failed.missing]\n"
		"  > srd_ack psn=104 syndrome=ack cack=104 sack_bitmap=0\n"
		"  completed op=3 once  [SRD-55:completed.missing]\n"
		"}\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "srd.verbs unresponsive.long",
	 .ids = "SRD-19",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn=100 try=0 path=$w lost  [SRD-05]\n"
		"< srd_send_only psn=100 try=1 path!=$w lost within 3 rto  [SRD-19 SRD-09]\n"
		"< srd_send_only psn=100 try=2 lost within 5 rto\n"
		"< srd_send_only psn=100 try=3 lost within 9 rto\n"
		"< srd_send_only psn=100 try=4 | same within 17 rto\n"
		"> srd_ack psn=100 syndrome=ack cack=100\n"
		"completed op=1 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.setting = "srd_sqe=1",
	 .ids = "SRD-42",
	 .lines =
		"post post_send qpn=$qp ah=$ah len=1mtu+1\n"
		"failed op=1 status=local_length once\n"
		"post query_qp qpn=$qp state=sqe  [SRD-32]\n"
		"post post_send qpn=$qp ah=$ah len=64\n"
		"failed op=2 status=flushed once  [SRD-46]\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post post_send qpn=$qp ah=$ah len=65\n"
		"< srd_send_only psn=100 | data 65\n"
		"> srd_ack psn=100 syndrome=ack cack=100\n"
		"completed op=3 once\n",
	 .psns = 1, .ops = 3, .weight = 2},
	{.ids = "SRD-32",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"post modify_qp qpn=$qp state=sqd\n"
		"post post_send qpn=$qp ah=$ah len=64 refusable\n"
		"never < srd_send_only for 2 rto\n"
		"post destroy_ah ah=$ah\n"
		"post modify_qp qpn=$qp state=rts\n"
		"failed op=1 status=flushed once  [SRD-16:failed.missing SRD-16:failed.count SRD-46]\n"
		"never < srd_send_only for 2 rto  [SRD-16]\n"
		"post create_ah ah=$new\n"
		"post post_send qpn=$qp ah=$new len=65\n"
		"< srd_send_only psn=100 | data 65  [SRD-33]\n"
		"> srd_ack psn=100 syndrome=ack cack=100 sack_bitmap=0 rcid=7\n"
		"completed op=2 once  [SRD-33:completed.missing I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "srd_idle.long ack_time.short",
	 .ids = "SRD-10",
	 .lines =
		"configure srd_window=64 rto_init=8ack_time\n"
		"use srd-qp\n"
		"let $a = $qp\n"
		"use srd-rts\n"
		"base fwd=100\n"
		"post post_send qpn=$a ah=$ah len=64 count=64\n"
		"post post_send qpn=$qp ah=$ah len=65\n"
		"< srd_send_only flight $sent for 1 ack_time\n"
		"check $sent < 65 else na\n"
		"post destroy_qp qpn=$a\n"
		"< srd_send_only psn=$p | data 65  [SRD-15:srd_req.missing SRD-15:srd_req.late]\n"
		"> srd_ack psn=$p syndrome=ack cack=$p\n"
		"completed op=1 none, op=2 once  [SRD-15 SRD-13]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-18:completed.count",
	 .lines =
		"use srd-self\n"
		"post post_recv qpn=$b len=1mtu count=1000\n"
		"post post_send qpn=$qp ah=$ah dest_qp=$b len=64 count=1000\n"
		"completed op=2 x 1000 within 1s\n"
		"received qpn=$b len=64 x 1000 within 1s  [SRD-17/dst]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-32",
	 .lines =
		"use srd-qp\n"
		"post create_ah ah=$other\n"
		"post modify_qp qpn=$qp state=sqd\n"
		"post post_send qpn=$qp ah=$ah len=64 refusable\n"
		"post post_send qpn=$qp ah=$other len=65 refusable\n"
		"never < srd_send_only for 2 rto\n"
		"post destroy_ah ah=$ah\n"
		"post modify_qp qpn=$qp state=rts\n"
		"failed op=1 status=flushed once  [SRD-16:failed.missing SRD-16:failed.count SRD-46]\n"
		"< srd_send_only | data 65 optional\n"
		"post post_send qpn=$qp ah=$other len=66\n"
		"< srd_send_only psn=$p | data 66  [SRD-33]\n"
		"> srd_ack psn=$p syndrome=ack cack=$p sack_bitmap=0\n"
		"completed op=2 once  [SRD-16:completed.missing I2]\n"
		"completed op=3 once  [SRD-33 I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	/* WRs are posted while others wait for the window */
	{.needs = "srd_idle.long ack_time.short",
	 .ids = "SRD-03",
	 .lines =
		"configure srd_window=64 rto_init=8ack_time\n"
		"use srd-qp\n"
		"base fwd=100\n"
		"post post_send qpn=$qp ah=$ah len=8 count=67\n"
		"< srd_send_only flight $sent for 1 ack_time\n"
		"check $sent < 65 else na\n"
		"check $sent > 63 else na\n"
		"> srd_ack psn=100 syndrome=ack cack=100\n"
		"< srd_send_only psn=164\n"
		"post post_send qpn=$qp ah=$ah len=9\n"
		"post post_send qpn=$qp ah=$ah len=10\n"
		"> srd_ack psn=164 syndrome=ack cack=164\n"
		"< srd_send_only psn=165..168 x 4\n"
		"> srd_ack psn=168 syndrome=ack cack=168\n"
		"completed op=2 once, op=3 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	/* SACK says nothing of the PSN behind its bitmap */
	{.setting = "srd_window=1024",
	 .ids = "SRD-19",
	 .lines =
		"post post_send qpn=$qp ah=$ah len=8 count=64\n"
		"post post_send qpn=$qp ah=$ah len=65\n"
		"post post_send qpn=$qp ah=$ah len=66\n"
		"< srd_send_only psn=100..165 try=0 x 66  [SRD-20]\n"
		"> srd_ack psn={1:101/128/163} cack=100 sack_bitmap={1=0x8000000000000001/0x8000001000000001/0x8000000000000003}\n"
		"< srd_send_only psn=165 within 3 rto\n"
		"never < srd_send_only psn={1=101/128/163} for 1 rto  [SRD-41]\n"
		"never < srd_send_only psn=164 for 1 rto  [SRD-41]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* clang-format on */
