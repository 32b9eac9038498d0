/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_srd_target.c -- the moves of an SRD requester
 * that are written as lines: several QPs and contexts, every outcome, wrong
 * packets.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* The DUT is the responder. */
const struct draft_script script_srd_target[] = {
	{.violates = "I6/src I8/src",
	 .ids = "SRD-17",
	 .lines =
		"> srd_send_only psn={p} lup={p} {:ver=0/ver=2/ver=3/tver=1/tver=2/pkey=0x1234/pkey=0x7fff/scid=0/opcode=0x04/opcode=0xf3/opcode=0xf7/opcode=0xff} | data 60\n"
		"never < any for 1 rto  [I13:any.forbidden]\n"
		"> srd_send_only psn={p} lup={p} | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p}\n"
		"received len=60 none\n"
		"received len={l} once\n",
	 .psns = 1, .mids = 1, .weight = 5},
	{.violates = "I6/src I8/src",
	 .ids = "SRD-17",
	 .lines =
		"> srd_send_only psn={p} lup={p} | data 60 {:crc wrong/crc none/crc swapped/cut 11/cut 12/cut 20/cut 27/cut 28/cut 35}\n"
		"never < any for 1 rto  [I13:any.forbidden]\n"
		"> srd_send_only psn={p} lup={p} | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p}\n"
		"received len=60 none\n",
	 .psns = 1, .mids = 1, .weight = 4},
	{.violates = "I6/src I8/src",
	 .ids = "I13",
	 .lines =
		"> srd_send_only psn={p} lup={p+1} | data 60\n"
		"> srd_send_only psn={p} lup={p+101} | data 60\n"
		"> srd_send_only psn={p} lup={p} | data 1mtu+1\n"
		"never < any for 1 rto  [I13:any.forbidden]\n"
		"> srd_send_only psn={p} lup={p} | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p}\n"
		"received len=60 none\n",
	 .psns = 1, .mids = 1, .weight = 3},
	{.violates = "I6/src",
	 .ids = "SRD-17",
	 .lines =
		"> srd_send_only psn={p} lup={p} | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p} rcid=$x{s}  [SRD-03]\n"
		"> srd_send_only psn={p+1} lup={p+1} rcid=0x1111 | data 60\n"
		"< srd_ack psn={p+1} syndrome=ctx_reset rcid=0x1111 cack==0 lup==0\n"
		"received len=60 none\n"
		"> srd_send_only psn={p+1} lup={p+1} rcid=$x{s} | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p+1} rcid=$x{s}\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-05",
	 .lines =
		"> srd_send_only psn={p} lup={p} | data 0\n"
		"< srd_ack psn={p} syndrome=ack  [SRD-03]\n"
		"> srd_send_only psn={p+1} lup={p+1} | data 1\n"
		"< srd_ack psn={p+1} syndrome=ack  [SRD-03]\n"
		"> srd_send_only psn={p+2} lup={p+2} | data 1mtu{:/-1}\n"
		"< srd_ack psn={p+2} syndrome=ack  [SRD-03]\n",
	 .psns = 3, .weight = 2},
	{.violates = "SRD-52/src",
	 .ids = "DER-1",
	 .lines =
		"use srd-rts\n"
		"let $d{s} = $qp\n"
		"use srd-qp\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$d{s} | data {l}\n"
		"< srd_ack psn={p} syndrome=rnr cack={p-1} lost  [SRD-51]\n"
		"post post_recv qpn=$d{s} len=1mtu\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$d{s} | same after rto\n"
		"< srd_ack psn={p} syndrome=rnr cack={p-1} exact  [DER-1:srd_ack.syndrome]\n"
		"> srd_send_only psn={p+1} lup={p} dest_qp=$qp | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p-1} sack_bitmap=0x4000000000000000  [DER-2 I5:srd_ack.sack_bitmap,srd_ack.cack]\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$d{s} | data {l} after rto\n"
		"< srd_ack psn={p} syndrome=rnr cack={p-1} sack_bitmap=0x4000000000000000 exact  [DER-2]\n"
		"> srd_send_only psn={p+2} lup={p+2} dest_qp=$qp | data {l+2}\n"
		"< srd_ack psn={p+2} syndrome=ack cack={p+2} sack_bitmap=0  [DER-2]\n"
		"received len={l} none  [DER-1 SRD-18]\n"
		"received len={l+1} once, len={l+2} once  [SRD-24]\n",
	 .psns = 3, .mids = 3, .weight = 4},
	{.ids = "DER-1",
	 .lines =
		"use srd-rts\n"
		"let $d{s} = $qp\n"
		"use srd-qp\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$qp | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p}  [SRD-03]\n"
		"> srd_send_only psn={p+1} lup={p} dest_qp=$qp | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p+1} lost  [SRD-03]\n"
		"> srd_send_only psn={p+2} lup={p} dest_qp=$d{s} | data {l+2}\n"
		"< srd_ack psn={p+2} syndrome=rnr cack={p+1} lost  [SRD-51]\n"
		"> srd_send_only psn={p+3} lup={p+1} dest_qp=$qp | data {l+3}\n"
		"< srd_ack psn={p+3} syndrome=ack cack={p+1} sack_bitmap=0x4000000000000000  [DER-2]\n"
		"post post_recv qpn=$d{s} len=1mtu\n"
		"> srd_send_only psn={p+2} lup={p+1} dest_qp=$d{s} | data {l+2}\n"
		"< srd_ack psn={p+2} syndrome=rnr cack={p+1} exact  [DER-1]\n"
		"> srd_send_only psn={p+4} lup={p+4} dest_qp=$qp | data {l+4}\n"
		"< srd_ack psn={p+4} syndrome=ack cack={p+4} sack_bitmap=0  [DER-2]\n",
	 .psns = 5, .mids = 5, .weight = 3},
	{.ids = "SRD-22",
	 .lines =
		"post create_qp qpn=$n{s}\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$n{s} | data {l}\n"
		"< srd_ack psn={p} syndrome=bad_dest_qp\n"
		"post modify_qp qpn=$n{s} state=init\n"
		"post post_recv qpn=$n{s} len=1mtu count=8\n"
		"> srd_send_only psn={p+1} lup={p+1} dest_qp=$n{s} | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=bad_dest_qp\n"
		"post modify_qp qpn=$n{s} state=rtr\n"
		"> srd_send_only psn={p+2} lup={p+2} dest_qp=$n{s} | data {l+2}\n"
		"< srd_ack psn={p+2} syndrome=ack cack={p+2}  [SRD-32:srd_ack.syndrome]\n"
		"received len={l+2} once  [SRD-32]\n"
		"received len={l} none, len={l+1} none  [SRD-21]\n"
		"post modify_qp qpn=$n{s} state=err\n"
		"> srd_send_only psn={p+3} lup={p+3} dest_qp=$n{s} | data {l+3}\n"
		"< srd_ack psn={p+3} syndrome=bad_dest_qp  [SRD-22:srd_ack.missing SRD-50:srd_ack.syndrome SRD-37]\n"
		"> srd_send_only psn={p+4} lup={p+3} dest_qp=$qp | data {l+4}\n"
		"< srd_ack psn={p+4} syndrome=ack  [SRD-24:srd_ack.missing]\n"
		"> srd_send_only psn={p+5} lup={p+5} dest_qp=$qp | data {l+5}\n"
		"< srd_ack psn={p+5} syndrome=ack cack={p+5}  [SRD-03]\n"
		"received len={l+3} none  [SRD-21]\n"
		"use srd-qp\n",
	 .psns = 6, .mids = 6, .weight = 3},
	{.ids = "SRD-48",
	 .lines =
		"post create_qp qpn=$u{s} type=ud\n"
		"post modify_qp qpn=$u{s} state=init\n"
		"post modify_qp qpn=$u{s} state=rtr\n"
		"post post_recv qpn=$u{s} len=1mtu\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$u{s} | data {l}\n"
		"< srd_ack psn={p} syndrome=invalid_req\n"
		"received len={l} none  [SRD-21]\n"
		"> srd_send_only psn={p+1} lup={p+1} dest_qp=$qp | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p+1}  [SRD-24]\n"
		"use srd-qp\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.ids = "SRD-48",
	 .lines =
		"use srd-rts\n"
		"let $h{s} = $qp\n"
		"post post_recv qpn=$h{s} len=32\n"
		"use srd-qp\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$h{s} | data 33\n"
		"< srd_ack psn={p} syndrome=invalid_req cack={p-1}  [SRD-48 SRD-18:srd_ack.syndrome]\n"
		"received len=33 none  [SRD-21]\n"
		"post post_recv qpn=$h{s} len=32\n"
		"> srd_send_only psn={p+1} lup={p+1} dest_qp=$h{s} | data 32\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p+1}  [SRD-24]\n",
	 .psns = 2, .weight = 2},
	{.ids = "SRD-49",
	 .lines =
		"use srd-rts\n"
		"let $k{s} = $qp\n"
		"post post_recv qpn=$k{s} len=1mtu lkey=0xbad\n"
		"use srd-qp\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$k{s} | data {l}\n"
		"< srd_ack psn={p} syndrome=remote_op cack={p-1}\n"
		"received len={l} none  [SRD-21]\n"
		"> srd_send_only psn={p+1} lup={p+1} dest_qp=$qp | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p+1}  [SRD-24]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.ids = "SRD-24",
	 .lines =
		"> srd_send_only psn={p} lup={p} ackreq=0 | data {l}\n"
		"> srd_send_only psn={p+1} lup={p} ackreq=0 | data {l+1}\n"
		"> srd_send_only psn={p+2} lup={p} ackreq=0 dest_qp=0xabcdef | data {l+2}\n"
		"< srd_ack psn={p} syndrome=ack optional\n"
		"< srd_ack psn={p+1} syndrome=ack optional\n"
		"< srd_ack psn={p+2} syndrome=bad_dest_qp cack={p+1} sack_bitmap=0  [SRD-22 SRD-50]\n"
		"> srd_send_only psn={p+3} lup={p+3} dest_qp=$qp | data {l+3}\n"
		"< srd_ack psn={p+3} syndrome=ack cack={p+3} lup={p+3}  [DER-2]\n"
		"received len={l} once, len={l+1} once, len={l+2} none, len={l+3} once\n",
	 .psns = 4, .mids = 4, .weight = 2},
	{.ids = "SRD-08",
	 .lines =
		"let $f{s} = $qp\n"
		"use srd-qp\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$f{s} src_qp=0x34 | data {l} lost\n"
		"> srd_send_only psn={p+1} lup={p} dest_qp=$qp src_qp=0x35 | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack dest_qp=0x35  [SRD-04:srd_ack.missing]\n"
		"received qpn=$qp len={l+1} src_qp=0x35 once\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$f{s} src_qp=0x34 | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p+1} dest_qp=0x34  [SRD-03]\n"
		"received qpn=$f{s} len={l} src_qp=0x34 once\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.ids = "SRD-26",
	 .lines =
		"> srd_send_only ctx=c{s} psn=$s{s} lup=$s{s} syn src_qp=0x36 | data {l}\n"
		"< srd_ack ctx=c{s} psn=$s{s} syndrome=ack dest_qp=0x36  [SRD-03]\n"
		"received len={l} src_qp=0x36 once\n"
		"> srd_send_only ctx=c{s} psn=$s{s} lup=$s{s} syn rcid=0 src_qp=0x36 | same\n"
		"< srd_ack ctx=c{s} psn=$s{s} syndrome=ack dest_qp=0x36  [SRD-03]\n"
		"received len={l} src_qp=0x36 once  [SRD-17]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.violates = "DER-4/src",
	 .ids = "SRD-17",
	 .lines =
		"> srd_send_only psn={p+1} lup={p} | data {l}\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p-1} sack_bitmap=0x4000000000000000  [SRD-04:srd_ack.missing]\n"
		"> srd_send_only psn={p+3} lup={p+3} | data {l+1}\n"
		"< srd_ack psn={p+3} syndrome=ack cack={p+3} sack_bitmap=0 lup={p+3}  [DER-2]\n"
		"> srd_send_only psn={p} lup={p} | data {l+2}\n"
		"never < srd_ack psn={p} for 1 rto\n"
		"received len={l+2} none\n",
	 .psns = 4, .mids = 3, .weight = 2},
	{.ids = "I13",
	 .lines =
		"> srd_send_only psn={p+100000} lup={p+100000} | data {l}\n"
		"< srd_ack psn={p+100000} syndrome=ack cack={p+100000} sack_bitmap=0 lup={p+100000}  [DER-2:srd_ack.missing]\n"
		"> srd_send_only psn={p+100001} lup={p+100000} | data {l+1}\n"
		"< srd_ack psn={p+100001} syndrome=ack cack={p+100001}\n"
		"received len={l} once, len={l+1} once\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	{.ids = "DER-2",
	 .lines =
		"> srd_sync psn={p} lup={p}\n"
		"never < srd_ack for 1 rto  [I13]\n"
		"> srd_send_only psn={p} lup={p} | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p} sack_bitmap=0  [DER-2 SRD-03]\n",
	 .psns = 1, .mids = 1, .weight = 1},
	{.ids = "SRD-34",
	 .lines =
		"use srd-rts\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"> srd_send_only psn={p+1} lup={p} dest_qp=$qp | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack  [SRD-04]\n"
		"> srd_send_only psn={p} lup={p} dest_qp=$qp | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p+1}  [SRD-03]\n"
		"post modify_qp qpn=$qp state=err\n"
		"> srd_send_only psn={p+2} lup={p+2} dest_qp=$qp | data {l+2}\n"
		"< srd_ack psn={p+2} syndrome=bad_dest_qp  [SRD-22 SRD-50]\n"
		"use srd-qp\n",
	 .psns = 3, .mids = 3, .weight = 2},
	{.ids = "SRD-31",
	 .lines =
		"post create_qp qpn=$e{s} type=srd depth=2\n"
		"post modify_qp qpn=$e{s} state=init\n"
		"post post_recv qpn=$e{s} len=1mtu count=3 refused\n"
		"post create_qp qpn=$w{s} type=rc refused\n"
		"use srd-qp\n",
	 .weight = 1},
	/* a duplicate with the LUP of now */
	{.ids = "DER-3",
	 .lines =
		"> srd_send_only psn={p} lup={p} | data {l}\n"
		"< srd_ack psn={p} syndrome=ack cack={p}  [SRD-04]\n"
		"> srd_send_only psn={p+1} lup={p} | data {l+1}\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p+1}  [SRD-04]\n"
		"> srd_send_only psn={p+1} lup={p+1} try=1 | same\n"
		"< srd_ack psn={p+1} syndrome=ack cack={p+1}\n"
		"received len={l+1} once  [SRD-17 I1]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.weight = 0}};

/* The DUT is the responder; how a case may begin. */
const struct draft_script script_srd_target_first[] = {
	{.needs = "srd.verbs",
	 .ids = "SRD-45",
	 .lines =
		"use srd-rts\n"
		"post post_recv qpn=$qp len=1mtu count=3\n"
		"base fwd=100\n"
		"> srd_send_only psn=100 lup=100 | data 64\n"
		"< srd_ack psn=100 syndrome=ack  [SRD-03]\n"
		"post modify_qp qpn=$qp state=err\n"
		"received op=1 status=flushed x 2\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.setting = "icrc=2",
	 .needs = "srd.verbs",
	 .ids = "SRD-03",
	 .lines =
		"> srd_send_only psn=100 lup=100 | data 61 crc wrong\n"
		"< srd_ack psn=100 syndrome=ack cack=100  [SRD-29]\n"
		"received len=61 once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "srd_window=64",
	 .ids = "I5",
	 .lines =
		"> srd_send_only psn=101 lup=100 | data 61\n"
		"< srd_ack psn=101 syndrome=ack cack=99  [SRD-04]\n"
		"> srd_send_only psn=164 lup=100 | data 62\n"
		"never < srd_ack psn=164 for 1 rto\n"
		"> srd_send_only psn=164 lup=102 | same\n"
		"< srd_ack psn=164 syndrome=ack cack=101  [SRD-03 DER-2]\n"
		"received len=62 once  [SRD-17]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "srd_max_ctx=1 srd_gc=10ack_time",
	 .ids = "SRD-12",
	 .lines =
		"> srd_send_only psn=100 lup=100 | data 61\n"
		"< srd_ack psn=100 syndrome=ack  [SRD-03]\n"
		"> srd_send_only ctx=b psn=$s lup=$s syn | data 62\n"
		"never < srd_ack ctx=b for 2 ack_time  [SRD-17]\n"
		"> srd_sync ctx=a fin psn=101 lup=101\n"
		"wait 16 ack_time\n"
		"> srd_send_only ctx=b psn=$s lup=$s syn | same\n"
		"< srd_ack ctx=b psn=$s syndrome=ack  [SRD-12:srd_ack.missing]\n"
		"received len=62 once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "srd.verbs",
	 .ids = "SRD-17",
	 .lines =
		"use srd-qp\n"
		"> srd_send_only psn==100 lup==100 syn=0 rcid=0x1234 | data 61\n"
		"< srd_ack psn==100 syndrome=ctx_reset rcid=0x1234 cack==0 sack_bitmap=0  [SRD-17:srd_ack.syndrome]\n"
		"received len=61 none\n"
		"base fwd=200\n"
		"> srd_send_only psn=200 lup=200 syn rcid=0 | data 62\n"
		"< srd_ack psn=200 syndrome=ack cack=200  [SRD-03]\n"
		"received len=62 once  [SRD-03]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "srd.verbs",
	 .violates = "I6/src I8/src",
	 .ids = "SRD-17",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"> srd_send_only psn=100 lup=100 syn | data 61\n"
		"< srd_ack psn=100 syndrome=ack rcid=$x  [SRD-03]\n"
		"> srd_send_only psn=101 lup=101 syn rcid=$x | data 60\n"
		"never < any for 1 rto  [I13:any.forbidden]\n"
		"> srd_send_only psn=101 lup=101 rcid=$x | data 62\n"
		"< srd_ack psn=101 syndrome=ack cack=101 rcid=$x\n"
		"received len=60 none\n"
		"post reset\n"
		"use srd-qp\n"
		"> srd_send_only psn=102 lup=102 rcid=$x | data 63\n"
		"< srd_ack psn=102 syndrome=ctx_reset rcid=$x cack==0 lup==0  [SRD-17:srd_ack.syndrome]\n"
		"received len=63 none\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-04",
	 .lines =
		"use srd-rts\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"base fwd=100\n"
		"> srd_send_only psn=101 lup=100 | data 68\n"
		"< srd_ack psn=101 syndrome=ack\n"
		"> srd_send_only psn=100 lup=100 | data 64\n"
		"< srd_ack psn=100 syndrome=ack cack=101\n"
		"received op=1 len=68 once, op=2 len=64 once  [SRD-34:received.len]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-03",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"> srd_send_only_imm psn=100 lup=100 imm=0xdeadbeef src_qp=0x1234 | data 5\n"
		"< srd_ack psn=100 syndrome=ack dest_qp=0x1234\n"
		"received len=5 imm=0xdeadbeef src_qp=0x1234 once  [SRD-40]\n"
		"> srd_send_only_imm psn=101 lup=101 imm=0 | data 6\n"
		"< srd_ack psn=101 syndrome=ack\n"
		"received len=6 imm=0 once  [SRD-40]\n"
		"> srd_send_only_imm psn=102 lup=102 imm=0x80000001 | data 0\n"
		"< srd_ack psn=102 syndrome=ack\n"
		"received len=0 imm=0x80000001 once  [SRD-40]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "SRD-03",
	 .lines =
		"use srd-qp\n"
		"base fwd=100\n"
		"> srd_send_only psn=100 lup=100 syn | data 64\n"
		"< srd_ack psn=100 syndrome=ack cack=100 lup=100 rcid=$x\n"
		"received qpn=$qp len=64 src_qp=$srd_qpn once  [SRD-40 SRD-03]\n"
		"> srd_send_only psn=101 lup=101 rcid=$x | data 65\n"
		"< srd_ack psn=101 syndrome=ack cack=101 rcid=$x  [SRD-03 I5]\n"
		"received qpn=$qp len=65 once  [SRD-40]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.weight = 0}};
/* clang-format on */
