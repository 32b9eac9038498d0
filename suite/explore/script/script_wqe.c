/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_wqe.c -- the moves of the WQE extension that are
 * written as lines: losses, caches, reads, packets that are wrong.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* The DUT is the responder. */
const struct draft_script script_wqe_target[] = {
	{.violates = "WQE-10/src WQE-02/src WQE-16/src WQE-01/src WQE-11/src WQE-09/src WQE-06/src",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_write_only psn={p} wqe_sn={m} {1:wqe_length=64 dmalen=128/wqe_length=60 dmalen=60 pad=1/wqe_length=3mtu/wqe_length=0 dmalen=0/ver=1 wqe_length=64/rsvd_2=1 wqe_length=64/rsvd_2=32 wqe_length=64/wqe_offset=1mtu wqe_length=1mtu/wqe_offset=0xfffffc00 wqe_length=8mtu/wqe_offset=4 wqe_length=68/wqe_length=64 rkey=$rkey+1} | data {1=64/60/1mtu/64/64/64/64/1mtu/1mtu/64/64}\n"
		"never < wqe_ack psn={p} syndrome=ack for 2 rto\n"
		"?post mem_digest key=$rkey\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 7},
	{.violates = "WQE-10/src WQE-02/src WQE-16/src WQE-01/src WQE-11/src WQE-09/src WQE-06/src",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_write_{1:first/first/first/first/last/first} psn={p} wqe_sn={m} wqe_length={1=100/3mtu/0x7fffffff/0xffffffff/2mtu/3mtu} wqe_offset={1=0/0/0/0/1mtu/4} | data {1=100/mtu-24/1mtu/1mtu/1mtu/1mtu}\n"
		"never < wqe_ack psn={p} syndrome=ack for 2 rto\n"
		"?post mem_digest key=$rkey\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 4},
	{.violates = "WQE-09/src WQE-16/src",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_write_only psn={p} wqe_sn={m} | data 1mtu\n"
		"< wqe_ack psn={p} syndrome=ack msn={m+1}  [WQE-21]\n"
		"> wqe_write_only psn={p+1} wqe_sn={m} | data 1mtu\n"
		"never < wqe_ack psn={p+1} syndrome=ack for 2 rto\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.violates = "WQE-06/src WQE-16/src WQE-02/src",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_{1:send/write/write}_first psn={p} wqe_sn={m} wqe_length=3mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length={1=3mtu/4mtu/3mtu} ackreq | data {1=1mtu/1mtu/mtu-24}\n"
		"never < wqe_ack psn={p+1} syndrome=ack for 2 rto\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 4},
	{.ids = "WQE-24",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=2mtu va=$memory_offset+7mtu-168 | data 1mtu\n"
		"< wqe_ack psn={p} syndrome=remote_access\n"
		"> wqe_write_last psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"never < any for 4 rto\n"
		"?post mem_digest key=$rkey\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe_cache.8 wqe.selective",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=3mtu rkey=$rkey+1 | data 1mtu lost\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=3mtu | data 1mtu\n"
		"> wqe_write_last psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=3mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p} k wqe_sn={m} count=1 | bytes {b}  [WQE-34]\n"
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=3mtu rkey=$rkey+1 | same\n"
		"< wqe_ack psn={p} syndrome=remote_access\n"
		"post query_qp qpn=$qp state=err\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.violates = "WQE-16/src WQE-02/src WQE-10/src WQE-11/src",
	 .ids = "I13",
	 .lines =
		"< wqe_ack syndrome=ack optional\n"
		"> wqe_send_only psn={p} wqe_sn={m} wqe_length=8 {:opcode=0xd5/opcode=0xdf/pkey=0x7fff/tver=1/dest_qp=0xabcdef} | data 8\n"
		"> wqe_send_only_inv psn={p} wqe_sn={m} inv_rkey=$rkey | data 8\n"
		"> wqe_send_only psn={p} wqe_sn={m} wqe_length=8 | data 8 crc {:wrong/none}\n"
		"never < any for 2 rto\n"
		"> wqe_write_only psn={p} wqe_sn={m} | data 1mtu\n"
		"< wqe_ack psn={p} syndrome=ack msn={m+1}  [WQE-21]\n",
	 .psns = 1, .mids = 1, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe.selective",
	 .violates = "WQE-16/src WQE-11/src WQE-02/src WQE-01/src WQE-10/src",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | data 1mtu lost\n"
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_last psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=4mtu | data 1mtu crc wrong\n"
		"> wqe_write_last psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=4mtu {:pkey=0x7fff/dest_qp=0xabcdef/tver=1} | data 1mtu\n"
		"> wqe_{1:write_middle/write_last/send_last/write_last/write_middle/write_only/write_last/write_last} psn={p+3} wqe_sn={m} wqe_offset={1=1mtu/3mtu/3mtu/3mtu+4/5mtu/3mtu/3mtu/3mtu} wqe_length={1=4mtu/4mtu-96/4mtu/4mtu/4mtu/4mtu/0xffffffff/4mtu} {1=pad=0/pad=0/pad=0/pad=0/pad=0/pad=0/pad=0/ver=1} | data {1=1mtu/mtu-96/1mtu/1mtu/1mtu/1mtu/1mtu/1mtu}\n"
		"never < wqe_ack psn={p+3} syndrome=ack for 0.5 rto\n"
		"> wqe_write_last psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"any {\n"
		"  < wqe_rtx_ind optional\n"
		"  < wqe_ack psn={p+3} syndrome=ack msn={m+1}  [WQE-21]\n"
		"}\n",
	 .psns = 4, .mids = 1, .flags = SCRIPT_MIXED, .weight = 4},
	{.needs = "wqe.selective",
	 .violates = "WQE-01/src WQE-11/src WQE-02/src WQE-16/src WQE-04/src",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+3} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_{1:write/send/write}_last psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length={1=4mtu-96/4mtu/4mtu-96} | data {1=mtu-96/1mtu/mtu-96}\n"
		"> wqe_write_last psn={p+3} wqe_sn={m+1} wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"never < wqe_ack psn={p+3} syndrome=ack until next\n"
		"one {\n"
		"  < wqe_rtx_ind psn={p+1} k wqe_sn={m} count=1 | bytes {b+1}  [WQE-24:wqe_rtx_ind.missing WQE-35]\n"
		"or\n"
		"  < wqe_rtx_ind psn={p+1} k wqe_sn={m} count=2 | bytes {b+1} {b+3}  [WQE-24:wqe_rtx_ind.missing WQE-35]\n"
		"}\n"
		"> wqe_write_last psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"< wqe_ack psn={p+3} syndrome=ack msn={m+1}\n"
		"?post mem_digest key=$rkey first={p} last={p+3}  [WQE-26]\n",
	 .psns = 4, .mids = 1, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe.selective",
	 .ids = "WQE-34",
	 .lines =
		"> wqe_send_first psn={p} wqe_sn={m} wqe_length=3mtu | data 1mtu\n"
		"> wqe_send_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=3mtu | data 1mtu lost\n"
		"> wqe_send_last psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=3mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p+1} k wqe_sn={m} count=1 | bytes {b+1} lost\n"
		"< wqe_rtx_ind psn={p+1} k wqe_sn={m} count=1 | bytes {b+1} after 2 rto within 40 rto + ack_time exact  [WQE-34 WQE-39]\n"
		"> wqe_send_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=3mtu | same\n"
		"< wqe_ack psn={p+2} syndrome=ack msn={m+1}  [WQE-21]\n"
		"received qpn=$qp len=3mtu x 1..40  [WQE-26]\n",
	 .psns = 3, .mids = 1, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe.selective",
	 .ids = "WQE-34",
	 .lines =
		"> wqe_send_first psn={p} wqe_sn={m} wqe_length=3mtu | data 1mtu\n"
		"> wqe_send_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=3mtu | data 1mtu\n"
		"> wqe_send_last psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=3mtu | data 1mtu lost\n"
		"< wqe_rtx_ind psn={p+2} k wqe_sn={m} count=1 | bytes {b+2} within tail_time + 4 rto\n"
		"> wqe_send_last psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=3mtu | same\n"
		"< wqe_ack psn={p+2} syndrome=ack msn={m+1}  [WQE-21]\n"
		"received qpn=$qp len=3mtu x 1..40  [WQE-26]\n",
	 .psns = 3, .mids = 1, .flags = SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe_ooo.2 wqe.selective wqe_ind.2",
	 .ids = "WQE-35",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=5mtu | data 1mtu lost\n"
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=5mtu | data 1mtu lost\n"
		"> wqe_write_last psn={p+4} wqe_sn={m} wqe_offset=4mtu wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_first psn={p+5} wqe_sn={m+1} wqe_length=3mtu va=$memory_offset+5mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+6} wqe_sn={m+1} wqe_offset=1mtu wqe_length=3mtu | data 1mtu lost\n"
		"> wqe_write_last psn={p+7} wqe_sn={m+1} wqe_offset=2mtu wqe_length=3mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p+1} k wqe_sn={m} count=2 | bytes {b+1} {b+3}\n"
		"< wqe_rtx_ind psn={p+1} k wqe_sn={m+1} count=1 | bytes {b+6}\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=5mtu | same\n"
		"> wqe_write_middle psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=5mtu | same\n"
		"> wqe_write_middle psn={p+6} wqe_sn={m+1} wqe_offset=1mtu wqe_length=3mtu | same\n"
		"< wqe_ack psn={p+7} syndrome=ack msn={m+2}  [WQE-21]\n"
		"?post mem_digest key=$rkey first={p} last={p+7}  [WQE-26]\n",
	 .psns = 8, .mids = 2, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe_cache.8 wqe_ooo.2 wqe.selective wqe_ind.3",
	 .ids = "WQE-35",
	 .lines =
		"> wqe_send_first psn={p} wqe_sn={m} wqe_length=3mtu | data 1mtu lost\n"
		"> wqe_send_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=3mtu | data 1mtu lost\n"
		"> wqe_send_last psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=3mtu | data 1mtu lost\n"
		"> wqe_send_only psn={p+3} wqe_sn={m+1} | data 1mtu\n"
		"< wqe_rtx_ind psn={p} k=0 count=3 | bytes {b} {b+1} {b+2}\n"
		"> wqe_send_first psn={p} wqe_sn={m} wqe_length=3mtu | same\n"
		"> wqe_send_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=3mtu | same\n"
		"> wqe_send_last psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=3mtu | same\n"
		"< wqe_ack psn={p+3} syndrome=ack msn={m+2}  [WQE-21]\n",
	 .psns = 4, .mids = 2, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe_cache.8 wqe.selective",
	 .ids = "WQE-34",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=4mtu | data 1mtu lost\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_last psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p} k wqe_sn={m} count=1 | bytes {b}\n"
		"?post stats cache_bytes=4mtu  [WQE-30]\n"
		"?post mem_digest key=$rkey  [WQE-26]\n"
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=4mtu | same\n"
		"< wqe_ack psn={p+3} syndrome=ack msn={m+1}  [WQE-21]\n"
		"?post mem_digest key=$rkey first={p} last={p+3}  [WQE-26]\n"
		"?post stats cache_bytes=0 cache_peak=4mtu  [WQE-30]\n",
	 .psns = 4, .mids = 1, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe.selective",
	 .ids = "WQE-30",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | data 1mtu lost\n"
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_write_last psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p+1} syndrome=psn_seq_err k wqe_sn={m} count=1 | bytes {b+1}  [WQE-34]\n"
		"?post stats cache_bytes=0 cache_peak=0  [WQE-26]\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | same\n"
		"< wqe_ack psn={p+3} syndrome=ack msn={m+1}  [WQE-21]\n"
		"never < wqe_rtx_ind for 12 rto  [WQE-34]\n",
	 .psns = 4, .mids = 1, .flags = SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe.selective",
	 .violates = "WQE-16/src WQE-01/src",
	 .ids = "WQE-31",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=5mtu-120 | data 1mtu\n"
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=5mtu-120 | data 1mtu\n"
		"< wqe_rtx_ind psn={p+1} k wqe_sn={m}  [WQE-34]\n"
		"?post stats bitmaps=1 bitmap_bits=5 bitmap_set=2 bitmap_first=0x05\n"
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=5mtu-120 | same\n"
		"> wqe_write_last psn={p+4} wqe_sn={m} wqe_offset=4mtu wqe_length=5mtu-120 | data mtu-120\n"
		"< wqe_rtx_ind optional\n"
		"?post stats bitmaps=1 bitmap_bits=5 bitmap_set=3 bitmap_first=0x15\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=5mtu-120 | data 1mtu\n"
		"> wqe_write_middle psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=5mtu-120 | data 1mtu\n"
		"any {\n"
		"  < wqe_rtx_ind optional\n"
		"  < wqe_ack psn={p+4} syndrome=ack msn={m+1}  [WQE-21]\n"
		"}\n"
		"?post stats bitmaps=0 cache_bytes=0\n",
	 .psns = 5, .mids = 1, .flags = SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe_cache.8 wqe_miss.long wqe.selective",
	 .violates = "WQE-01/src",
	 .ids = "WQE-26",
	 .lines =
		"> wqe_write_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_first psn={p} wqe_sn={m} wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_last psn={p+4} wqe_sn={m} wqe_offset=4mtu wqe_length=5mtu | data 1mtu after 0.1 ack_time\n"
		"> wqe_write_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+3} wqe_sn={m} wqe_offset=3mtu wqe_length=5mtu | data 1mtu\n"
		"< wqe_ack psn={p+4} syndrome=ack msn={m+1}  [WQE-21]\n"
		"?post mem_digest key=$rkey first={p} last={p+4}\n"
		"never < wqe_rtx_ind for 12 rto  [WQE-34]\n",
	 .psns = 5, .mids = 1, .flags = SCRIPT_MIXED, .weight = 3},
	{.ids = "WQE-22",
	 .lines =
		"post create_qp qpn=$x{s} type=rc\n"
		"post modify_qp qpn=$x{s} state=init\n"
		"post modify_qp qpn=$x{s} state=rtr\n"
		"post modify_qp qpn=$x{s} state=rts\n"
		"> wqe_write_first psn={p} dest_qp=$qp wqe_sn={m} wqe_length=3mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} dest_qp=$qp wqe_sn={m} wqe_offset=1mtu wqe_length=3mtu | data mtu-24\n"
		"< wqe_ack psn={p+1} syndrome=invalid_req  [WQE-24]\n"
		"post query_qp qpn=$qp state=err  [WQE-24]\n"
		"post query_qp qpn=$x{s} state=rts  [WQE-24]\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe.read",
	 .ids = "WQE-41",
	 .lines =
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length=4mtu-96 va=$memory_offset+100\n"
		"< wqe_read_resp_first psn={p} syndrome=ack msn={m+1} wqe_sn={m} wqe_offset=0 wqe_length=4mtu-96 | data 1mtu\n"
		"< wqe_read_resp_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu-96 | data 1mtu\n"
		"< wqe_read_resp_middle psn={p+2} wqe_sn={m} wqe_offset=2mtu wqe_length=4mtu-96 | data 1mtu\n"
		"< wqe_read_resp_last psn={p+3} syndrome=ack msn={m+1} wqe_sn={m} wqe_offset=3mtu | data mtu-96\n"
		"> wqe_read_req psn={p+4} wqe_sn={m+1} wqe_length={1:4/0} va=$memory_offset+2\n"
		"< wqe_read_resp_only psn={p+4} syndrome=ack msn={m+2} wqe_sn={m+1} wqe_offset=0 | data {1=4/0}\n",
	 .psns = 5, .mids = 2, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe.read",
	 .violates = "I7/src WQE-16/src WQE-02/src WQE-09/src",
	 .ids = "WQE-41",
	 .lines =
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length=3mtu\n"
		"< wqe_read_resp_first psn={p} msn={m+1}  [WQE-41]\n"
		"< wqe_read_resp_middle psn={p+1}  [WQE-41]\n"
		"< wqe_read_resp_last psn={p+2} msn={m+1}  [WQE-41]\n"
		"> wqe_read_req psn={p} wqe_sn={m} wqe_offset=0 wqe_length=3mtu va=$memory_offset dmalen=3mtu\n"
		"< wqe_read_resp_first psn={p} wqe_offset=0\n"
		"< wqe_read_resp_middle psn={p+1} wqe_offset=1mtu\n"
		"< wqe_read_resp_last psn={p+2} wqe_offset=2mtu\n"
		"> wqe_read_req psn={p} wqe_sn={m} wqe_offset=0 wqe_length=2mtu va=$memory_offset dmalen=2mtu\n"
		"> wqe_read_req psn={p+1} wqe_sn={m+1} wqe_offset=1mtu wqe_length=3mtu va=$memory_offset+1mtu dmalen=2mtu\n"
		"never < wqe_read_resp_first for 2 rto\n"
		"> wqe_write_only psn={p+3} wqe_sn={m+1} | data 8\n"
		"< wqe_ack psn={p+3} syndrome=ack msn={m+2}  [WQE-21]\n",
	 .psns = 4, .mids = 2, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe.read",
	 .violates = "WQE-34/dst WQE-35/dst",
	 .ids = "WQE-41",
	 .lines =
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length=4mtu\n"
		"< wqe_read_resp_first psn={p} wqe_sn={m}  [WQE-41]\n"
		"< wqe_read_resp_middle psn={p+1} wqe_sn={m} lost  [WQE-41]\n"
		"< wqe_read_resp_middle psn={p+2} wqe_sn={m}  [WQE-41]\n"
		"< wqe_read_resp_last psn={p+3} wqe_sn={m}  [WQE-41]\n"
		"> wqe_rtx_ind psn={p+1} d k wqe_sn={m} | bytes {b+1} x 5\n"
		"< wqe_read_resp_middle psn={p+1} wqe_sn={m} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"never < wqe_read_resp_first for 0.2 rto\n"
		"never < wqe_read_resp_last for 0.2 rto\n"
		"never < wqe_read_resp_middle for 1 rto\n"
		"> wqe_rtx_ind psn={p+1} d k wqe_sn={m+1} | bytes {b+2}\n"
		"never < wqe_read_resp_middle for 1 rto\n",
	 .psns = 4, .mids = 1, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "wqe.read wqe.selective",
	 .ids = "WQE-41",
	 .lines =
		"> wqe_write_only psn={p} wqe_sn={m} | data 8 lost\n"
		"> wqe_read_req psn={p+1} wqe_sn={m+1} wqe_length=8\n"
		"never < wqe_read_resp_only until next\n"
		"< wqe_rtx_ind psn={p} k=0 count=1 | bytes {b}  [WQE-34]\n"
		"> wqe_write_only psn={p} wqe_sn={m} | same\n"
		"any {\n"
		"  < wqe_ack psn={p}|{p+1} syndrome=ack\n"
		"  < wqe_read_resp_only psn={p+1} msn={m+2} wqe_sn={m+1} | data 8\n"
		"}\n",
	 .psns = 2, .mids = 2, .flags = SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe.read wqe_cache.8 wqe_ooo.2 wqe.selective wqe_ind.3",
	 .ids = "WQE-34",
	 .lines =
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length=3mtu lost\n"
		"> wqe_send_only psn={p+3} wqe_sn={m+1} | data 8\n"
		"< wqe_rtx_ind psn={p} count=3 | bytes {b} {b+1} {b+2}\n"
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length=3mtu | same\n"
		"any {\n"
		"  < wqe_read_resp_first psn={p} wqe_sn={m}  [WQE-41]\n"
		"  < wqe_read_resp_middle psn={p+1} wqe_sn={m}  [WQE-41]\n"
		"  < wqe_read_resp_last psn={p+2} wqe_sn={m}  [WQE-41]\n"
		"  < wqe_ack psn={p+3} syndrome=ack msn={m+2}  [WQE-21]\n"
		"}\n",
	 .psns = 4, .mids = 2, .flags = SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe.read",
	 .ids = "WQE-24",
	 .lines =
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length={1:2mtu/8} {1=va=$memory_offset+7mtu-168/dmalen=16}\n"
		"< wqe_ack psn={p} syndrome={1=remote_access/invalid_req} msn={m}\n"
		"never < wqe_read_resp_first for 2 rto\n"
		"never < wqe_read_resp_only for 1 rto\n"
		"post query_qp qpn=$qp state=err\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.weight = 0}};

/* The DUT is the responder; how a case may begin. */
const struct draft_script script_wqe_target_first[] = {
	/* a QP that is reset forgets incomplete WQEs */
	{.needs = "wqe.verbs",
	 .ids = "WQE-21",
	 .lines =
		"> wqe_write_only psn={p} wqe_sn=0 wqe_length=64 | data 64\n"
		"< wqe_ack psn={p} syndrome=ack msn=1\n"
		"> wqe_write_first psn={p+1} wqe_sn=1 wqe_length={:2/3}mtu | data 1mtu\n"
		"wait ack_time\n"
		"post modify_qp qpn=$qp state=reset\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr rq_psn=10\n"
		"post modify_qp qpn=$qp state=rts sq_psn=10\n"
		"> wqe_write_only psn=10 wqe_sn=0 wqe_length=64 | data 64\n"
		"< wqe_ack psn=10 syndrome=ack msn=1\n"
		"> wqe_write_only psn=11 wqe_sn=1 wqe_length=65 | data 65\n"
		"< wqe_ack psn=11 syndrome=ack msn=2\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "wqe.verbs",
	 .ids = "WQE-21",
	 .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post expose len=25mtu\n"
		"each packet of {1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  > wqe_write wqe_sn=0 | data $piece\n"
		"}\n"
		"< wqe_ack syndrome=ack msn=1\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "wqe.verbs",
	 .ids = "WQE-21",
	 .lines =
		"use wqe-bare\n"
		"post post_recv qpn=$qp len={1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1}\n"
		"each packet of {1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  > wqe_send wqe_sn=0 | data $piece\n"
		"}\n"
		"< wqe_ack syndrome=ack msn=1\n"
		"received qpn=$qp len={1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} once  [WQE-39]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.setting = "wqe_in_order=1",
	 .needs = "wqe_cache.8 wqe_ooo.2 wqe.selective",
	 .ids = "WQE-20",
	 .lines =
		"> wqe_send_only psn={p} wqe_sn=0 | data 8 lost\n"
		"> wqe_write_only psn={p+1} wqe_sn=1 | data 1mtu\n"
		"< wqe_rtx_ind psn={p} count=1 | bytes {b}  [WQE-34]\n"
		"post mem_digest key=$rkey\n"
		"post stats cache_bytes=1mtu\n"
		"> wqe_send_only psn={p} wqe_sn=0 | same\n"
		"< wqe_ack psn={p+1} syndrome=ack msn=2  [WQE-21]\n"
		"post stats cache_bytes=0\n",
	 .psns = 2, .mids = 2, .flags = SCRIPT_MIXED, .weight = 2},
	{.setting = "wqe_bitmap=1",
	 .needs = "wqe.selective wqe_ind.2",
	 .ids = "WQE-36",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn=0 wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+1} wqe_sn=0 wqe_offset=1mtu wqe_length=5mtu | data 1mtu lost\n"
		"> wqe_write_middle psn={p+2} wqe_sn=0 wqe_offset=2mtu wqe_length=5mtu | data 1mtu\n"
		"> wqe_write_middle psn={p+3} wqe_sn=0 wqe_offset=3mtu wqe_length=5mtu | data 1mtu lost\n"
		"> wqe_write_last psn={p+4} wqe_sn=0 wqe_offset=4mtu wqe_length=5mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p+1} fmt=bitmap k wqe_sn=0 count=1 | bytes {b+1} a0 00 00 00\n"
		"> wqe_write_middle psn={p+3} wqe_sn=0 wqe_offset=3mtu wqe_length=5mtu | same\n"
		"> wqe_write_middle psn={p+1} wqe_sn=0 wqe_offset=1mtu wqe_length=5mtu | same\n"
		"< wqe_ack psn={p+4} syndrome=ack msn=1  [WQE-21]\n",
	 .psns = 5, .mids = 1, .flags = SCRIPT_MIXED, .weight = 2},
	{.setting = "wqe_cache_time=6rto+2ack_time",
	 .needs = "wqe_cache.8 wqe.selective",
	 .violates = "WQE-16/src",
	 .ids = "WQE-32",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn=0 wqe_length=2mtu | data 1mtu lost\n"
		"> wqe_write_last psn={p+1} wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p} count=1 | bytes {b}  [WQE-34]\n"
		"post stats cache_bytes=2mtu\n"
		"wait 12 rto + 4 ack_time\n"
		"post stats cache_bytes=0\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.setting = "wqe_cache_device=2mtu",
	 .needs = "wqe_cache.8 wqe.selective",
	 .ids = "WQE-33",
	 .lines =
		"post create_qp qpn=$other type=rc\n"
		"post modify_qp qpn=$other state=init\n"
		"post modify_qp qpn=$other state=rtr rq_psn={p}\n"
		"> wqe_write_last psn={p+1} dest_qp=$qp wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"> wqe_write_last psn={p+1} dest_qp=$other wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p} count=1 | bytes {b}  [WQE-34]\n"
		"post stats cache_bytes=2mtu\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.needs = "wqe.verbs wqe_cache.8 wqe_ooo.3 wqe.selective",
	 .ids = "WQE-25",
	 .lines =
		"use wqe-bare\n"
		"> wqe_send_first psn=10 wqe_sn=0 wqe_length=2mtu | data 1mtu lost\n"
		"> wqe_send_last psn=11 wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"> wqe_send_only psn=12 wqe_sn=1 | data 1mtu\n"
		"< wqe_rtx_ind psn=10 k wqe_sn=0 count=1 | bytes 00 00 00 0a  [WQE-34]\n"
		"> wqe_send_first psn=10 wqe_sn=0 wqe_length=2mtu | same\n"
		"< wqe_ack psn=10 syndrome=32..63  [I5:wqe_ack.syndrome]\n"
		"post post_recv qpn=$qp len=2mtu\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"> wqe_send_first psn=10 wqe_sn=0 wqe_length=2mtu | same\n"
		"< wqe_ack psn=12 syndrome=ack msn=2  [WQE-21]\n"
		"received op=1 len=2mtu once, op=2 len=1mtu once\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "wqe.verbs wqe_cache.8 wqe_ooo.3 wqe_miss.long wqe.selective",
	 .ids = "WQE-25",
	 .lines =
		"use wqe-bare\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"post post_recv qpn=$qp len=2mtu\n"
		"post post_recv qpn=$qp len=3mtu-72\n"
		"> wqe_send_last psn=15 wqe_sn=2 wqe_offset=2mtu wqe_length=3mtu-72 | data mtu-72\n"
		"> wqe_send_middle psn=14 wqe_sn=2 wqe_offset=1mtu wqe_length=3mtu-72 | data 1mtu\n"
		"> wqe_send_first psn=13 wqe_sn=2 wqe_length=3mtu-72 | data 1mtu after 0.1 ack_time\n"
		"> wqe_send_last psn=12 wqe_sn=1 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"> wqe_send_first psn=11 wqe_sn=1 wqe_length=2mtu | data 1mtu\n"
		"> wqe_send_only psn=10 wqe_sn=0 | data 1mtu after 0.1 ack_time\n"
		"< wqe_ack psn=15 syndrome=ack msn=3  [WQE-21]\n"
		"received op=1 len=1mtu once, op=2 len=2mtu once, op=3 len=3mtu-72 once\n"
		"post mem_digest first=13 last=15  [WQE-26]\n"
		"never < wqe_rtx_ind for 12 rto  [WQE-34]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "wqe.verbs wqe_cache.8 wqe_ooo.3 wqe.selective",
	 .ids = "WQE-25",
	 .lines =
		"use wqe-bare\n"
		"post post_recv qpn=$qp len=2mtu\n"
		"post post_recv qpn=$qp len=2mtu\n"
		"> wqe_send_first psn=10 wqe_sn=0 wqe_length=2mtu | data 1mtu\n"
		"> wqe_send_last psn=11 wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | data 1mtu lost\n"
		"> wqe_send_first psn=12 wqe_sn=1 wqe_length=mtu+76 | data 1mtu\n"
		"> wqe_send_last psn=13 wqe_sn=1 wqe_offset=1mtu wqe_length=mtu+76 | data 76\n"
		"< wqe_rtx_ind psn=11 k wqe_sn=0 count=1 | bytes 00 00 00 0b  [WQE-34]\n"
		"post stats cache_bytes=mtu+76  [WQE-30]\n"
		"> wqe_send_last psn=11 wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | same\n"
		"< wqe_ack psn=13 syndrome=ack msn=2  [WQE-21]\n"
		"received op=1 len=2mtu once, op=2 len=mtu+76 once\n"
		"post mem_digest first=12 last=13  [WQE-26]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.setting = "wqe_max_ooo=1",
	 .needs = "wqe_cache.8 wqe.selective",
	 .ids = "WQE-29",
	 .lines =
		"> wqe_send_only psn={p} wqe_sn=0 | data 100 lost\n"
		"> wqe_send_only psn={p+1} wqe_sn=1 | data 200\n"
		"> wqe_send_only psn={p+2} wqe_sn=2 | data 1mtu\n"
		"< wqe_rtx_ind psn={p} k=0 count=1 | bytes {b}  [WQE-34]\n"
		"> wqe_send_only psn={p} wqe_sn=0 | same\n"
		"< wqe_ack psn={p+1} syndrome=ack msn=2  [WQE-21]\n"
		"> wqe_send_only psn={p+2} wqe_sn=2 | same\n"
		"< wqe_ack psn={p+2} syndrome=ack msn=3  [WQE-21]\n"
		"received len=100 once, len=200 once, len=1mtu once  [WQE-26]\n",
	 .psns = 3, .mids = 3, .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	/* messages of many packets: their offsets take more than 16 bits */
	{.needs = "wqe.read",
	 .ids = "WQE-41 WQE-42",
	 .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post expose len={1:65537/65537/65537/1048576}\n"
		"> wqe_read_req psn=10 wqe_sn=0 wqe_length={1=65537/65537/65537/1048576}\n"
		"each packet of {1=65537/65537/65537/1048576} {\n"
		"  < wqe_read_resp psn=$index+10 wqe_sn=0 wqe_offset=$at wqe_length={1=65537/65537/65537/1048576} | data $piece\n"
		"}\n",
	 .flags = SCRIPT_BARE | SCRIPT_LONG | SCRIPT_OVER, .weight = 2},
	{.ids = "WQE-21",
	 .lines =
		"use wqe-bare\n"
		"post post_recv qpn=$qp len={1:65537/262145}\n"
		"each packet of {1=65537/262145} {\n"
		"  > wqe_send wqe_sn=0 | data $piece\n"
		"}\n"
		"< wqe_ack syndrome=ack msn=1\n"
		"received qpn=$qp len={1=65537/262145} once  [WQE-39]\n",
	 .flags = SCRIPT_BARE | SCRIPT_LONG | SCRIPT_OVER, .weight = 1},
	{.ids = "WQE-21",
	 .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post expose len={1:64/64/64/64/64/1mtu/3mtu/8mtu/65537/1048576}\n"
		"each packet of {1=1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65537/1048576} {\n"
		"  > wqe_write wqe_sn=0 | data $piece\n"
		"  wait 20us\n"
		"}\n"
		"< wqe_ack syndrome=ack msn=1\n"
		"post mem_digest key=$rkey first=10  [I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_LONG | SCRIPT_OVER, .weight = 2},
	{.needs = "wqe_ooo.2 wqe_cache.8 wqe.selective",
	 .ids = "WQE-35",
	 .lines =
		"use wqe-bare\n"
		"post post_recv qpn=$qp len=2mtu\n"
		"post post_recv qpn=$qp len=2mtu\n"
		"> wqe_send_first psn=10 wqe_sn=0 wqe_length=2mtu | data 1mtu\n"
		"> wqe_send_last psn=11 | data 1mtu lost\n"
		"> wqe_write_only_imm psn=12 wqe_sn=1 imm=0xd3e4beef | data 1mtu\n"
		"< wqe_rtx_ind psn=11 k wqe_sn=0 count=1 | bytes 00 00 00 0b\n"
		"> wqe_send_last psn=11 | same\n"
		"< wqe_ack psn=12 syndrome=ack msn=2  [WQE-23]\n"
		"received op=1 len=2mtu once, op=2 imm=0xd3e4beef once  [WQE-39]\n"
		"post mem_digest key=$rkey first=12 last=12  [WQE-37]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "WQE-39",
	 .lines =
		"use wqe-bare\n"
		"> wqe_write_only_imm psn=10 wqe_sn=0 imm=0xbeef | data 1mtu\n"
		"< wqe_ack psn=10 syndrome=32..63 msn=0\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"post post_recv qpn=$qp len=1mtu\n"
		"> wqe_write_only_imm psn=10 wqe_sn=0 imm=0xbeef | same\n"
		"< wqe_ack psn=10 syndrome=ack msn=1\n"
		"received op=1 imm=0xbeef once  [WQE-39 I2]\n"
		"> wqe_send_only psn=11 wqe_sn=1 | data 64\n"
		"< wqe_ack psn=11 syndrome=ack msn=2\n"
		"received op=2 len=64 once  [WQE-39 I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	/* two caches are dropped after a silence */
	{.setting = "wqe_cache_time=6rto+2ack_time",
	 .needs = "wqe.verbs wqe_cache.8 wqe_ooo.2 wqe.selective",
	 .violates = "WQE-16/src",
	 .ids = "WQE-35",
	 .lines =
		"> wqe_write_last psn={p+1} wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"> wqe_write_last psn={p+3} wqe_sn=1 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p}\n"
		"post stats cache_bytes=4mtu  [WQE-25]\n"
		"wait 24 rto + 8 ack_time\n"
		"post stats cache_bytes=0  [I12]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/* a WQE fills the cache to its last byte */
	{.setting = "wqe_cache_max=2mtu",
	 .needs = "wqe.verbs wqe_cache.8 wqe.selective",
	 .ids = "WQE-35",
	 .lines =
		"> wqe_write_last psn={p+1} wqe_sn=0 wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"< wqe_rtx_ind psn={p} count=1\n"
		"post stats cache_bytes=2mtu  [I12]\n"
		"> wqe_write_first psn={p} wqe_sn=0 wqe_length=2mtu | data 1mtu\n"
		"< wqe_ack psn={p+1} syndrome=ack msn=1  [WQE-23]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/* a QP that is reset asks again for what is missing */
	{.needs = "wqe.verbs wqe_cache.8 wqe.selective",
	 .ids = "WQE-21",
	 .lines =
		"> wqe_write_first psn={p} wqe_sn=0 wqe_length=2mtu | data 1mtu lost\n"
		"> wqe_write_last psn={p+1} | data 1mtu\n"
		"< wqe_rtx_ind psn={p} within 40 rto + ack_time\n"
		"> wqe_write_first psn={p} wqe_sn=0 wqe_length=2mtu | data 1mtu\n"
		"< wqe_ack psn={p+1} syndrome=ack msn=1  [WQE-23]\n"
		"wait ack_time\n"
		"post modify_qp qpn=$qp state=reset\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr rq_psn=10\n"
		"post modify_qp qpn=$qp state=rts sq_psn=10\n"
		"> wqe_write_first psn=10 wqe_sn=0 wqe_length=2mtu | data 1mtu lost\n"
		"> wqe_write_last psn=11 | data 1mtu\n"
		"< wqe_rtx_ind psn=10 within 40 rto + ack_time\n"
		"> wqe_write_first psn=10 wqe_sn=0 wqe_length=2mtu | data 1mtu\n"
		"< wqe_ack psn=11 syndrome=ack msn=1  [WQE-23]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* The DUT is the requester. */
const struct draft_script script_wqe_initiator[] = {
	{.ids = "WQE-08",
	 .lines =
		"post post_send qpn=$qp opcode=write len=5mtu\n"
		"< wqe_write_first psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=5mtu  [WQE-01]\n"
		"< wqe_write_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=5mtu  [WQE-01]\n"
		"< wqe_write_middle psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu wqe_length=5mtu  [WQE-01]\n"
		"< wqe_write_middle psn={p+3} wqe_sn=$s{s} wqe_offset=3mtu wqe_length=5mtu  [WQE-01]\n"
		"< wqe_write_last psn={p+4} wqe_sn=$s{s} wqe_offset=4mtu wqe_length=5mtu  [WQE-01]\n"
		"> wqe_rtx_ind psn={p+1} k wqe_sn=$s{s} | bytes {b+1} {b+3}\n"
		"< wqe_write_middle psn={p+1} wqe_offset=1mtu wqe_length=5mtu | same\n"
		"< wqe_write_middle psn={p+3} wqe_offset=3mtu wqe_length=5mtu | same\n"
		"never < wqe_write_middle psn={p+2} for 0.2 rto\n"
		"never < wqe_write_last for 0.2 rto\n"
		"> wqe_ack psn={p+4}\n"
		"completed op={o+1} once  [WQE-06]\n",
	 .psns = 5, .ops = 1, .weight = 4},
	{.ids = "WQE-05",
	 .lines =
		"post post_send qpn=$qp{1:/ opcode=write} len=mtu+6 imm={2:0xcafe/0xffffffff}\n"
		"< wqe_{1=send/write}_first psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=mtu+6  [WQE-10]\n"
		"< wqe_{1=send/write}_last_imm psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=mtu+6 imm={2=0xcafe/0xffffffff} | data 6\n"
		"> wqe_ack psn={p+1}\n"
		"post post_send qpn=$qp len=8 imm=0xf00d\n"
		"< wqe_send_only_imm psn={p+2} wqe_sn=$s{s}+1 wqe_offset=0 wqe_length=8 imm=0xf00d | data 8\n"
		"> wqe_ack psn={p+2}\n"
		"completed op={o+1} once, op={o+2} once  [WQE-06]\n",
	 .psns = 3, .ops = 2, .weight = 2},
	{.ids = "WQE-08",
	 .lines =
		"post post_send qpn=$qp len=2mtu+{1:33/1}\n"
		"< wqe_send_first psn={p} wqe_sn=$s{s} wqe_offset=0 | data 1mtu  [WQE-01]\n"
		"< wqe_send_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu | data 1mtu  [WQE-01]\n"
		"< wqe_send_last psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu | data {1=33/1} lost  [WQE-01]\n"
		"> wqe_ack psn={p+1}\n"
		"< wqe_send_last psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu | same within 1.5 rto  [WQE-08 WQE-21]\n"
		"> wqe_ack psn={p+2}\n"
		"completed op={o+1} once\n",
	 .psns = 3, .ops = 1, .weight = 2},
	{.ids = "WQE-37",
	 .lines =
		"post post_send qpn=$qp opcode=write len=5mtu\n"
		"< wqe_write_first psn={p} wqe_sn=$s{s}  [WQE-01]\n"
		"< wqe_write_middle psn={p+1}  [WQE-01]\n"
		"< wqe_write_middle psn={p+2}  [WQE-01]\n"
		"< wqe_write_middle psn={p+3}  [WQE-01]\n"
		"< wqe_write_last psn={p+4}  [WQE-01]\n"
		"> wqe_rtx_ind psn={p} fmt=bitmap k wqe_sn=$s{s} count=1 | bytes {b} 90 00 00 00\n"
		"< wqe_write_first psn={p} wqe_offset=0 | same\n"
		"< wqe_write_middle psn={p+3} wqe_offset=3mtu | same\n"
		"> wqe_ack psn={p+4}\n"
		"never < wqe_write_last for 0.2 rto\n"
		"completed op={o+1} once  [WQE-06]\n",
	 .psns = 5, .ops = 1, .weight = 2},
	{.ids = "WQE-36",
	 .lines =
		"post post_send qpn=$qp len=2mtu\n"
		"< wqe_send_first psn={p} wqe_sn=$s{s} lost  [WQE-01]\n"
		"< wqe_send_last psn={p+1} wqe_sn=$s{s} lost  [WQE-01]\n"
		"post post_send qpn=$qp len=8\n"
		"< wqe_send_only psn={p+2} wqe_sn=$s{s}+1  [WQE-01]\n"
		"> wqe_rtx_ind psn={p} k=0 | bytes {b} {b+1}\n"
		"< wqe_send_first psn={p} wqe_sn=$s{s} | same\n"
		"< wqe_send_last psn={p+1} wqe_sn=$s{s} | same\n"
		"never < wqe_send_only for 0.2 rto\n"
		"> wqe_ack psn={p+2}\n"
		"completed op={o+1} once, op={o+2} once  [WQE-06]\n",
	 .psns = 3, .ops = 2, .weight = 2},
	{.ids = "WQE-06",
	 .lines =
		"post post_send qpn=$qp opcode=write len=2mtu\n"
		"< wqe_write_first psn={p} wqe_sn=$s{s}  [WQE-01]\n"
		"< wqe_write_last psn={p+1} wqe_sn=$s{s}  [WQE-01]\n"
		"post post_send qpn=$qp len=8\n"
		"< wqe_send_only psn={p+2} wqe_sn=$s{s}+1  [WQE-01]\n"
		"> wqe_ack psn={p} syndrome=remote_access msn=0\n"
		"failed op={o+1} status=remote_access once, op={o+2} status=flushed once\n"
		"never < any for 4 rto\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "rto_retx.2",
	 .ids = "WQE-07",
	 .lines =
		"post post_send qpn=$qp len=8\n"
		"< wqe_send_only psn={p} wqe_sn=$s{s} lost  [WQE-01]\n"
		"< wqe_send_only psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=8 | same within 4 rto  [WQE-02]\n"
		"> wqe_ack psn={p} lost\n"
		"< wqe_send_only psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=8 | same within 4 rto  [WQE-02]\n"
		"> wqe_ack psn={p}\n"
		"completed op={o+1} once  [WQE-06]\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.ids = "WQE-10",
	 .lines =
		"post post_send qpn=$qp len=2mtu-48\n"
		"< wqe_send_first psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=2mtu-48 | data 1mtu\n"
		"< wqe_send_last psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=2mtu-48 ackreq | data mtu-48\n"
		"post post_send qpn=$qp len=100 count=3\n"
		"< wqe_send_only psn={p+2} wqe_sn=$s{s}+1 wqe_offset=0 wqe_length=100 | data 100\n"
		"< wqe_send_only psn={p+3} wqe_sn=$s{s}+2 wqe_offset=0\n"
		"< wqe_send_only psn={p+4} wqe_sn=$s{s}+3 wqe_offset=0\n"
		"post post_send qpn=$qp opcode=write len=3mtu offset=64 key=0x55\n"
		"< wqe_write_first psn={p+5} wqe_sn=$s{s}+4 wqe_offset=0 va=64 rkey=0x55 dmalen=3mtu\n"
		"< wqe_write_middle psn={p+6} wqe_sn=$s{s}+4 wqe_offset=1mtu\n"
		"< wqe_write_last psn={p+7} wqe_sn=$s{s}+4 wqe_offset=2mtu wqe_length=3mtu\n"
		"> wqe_ack psn={p+7}\n"
		"completed op={o+1} once, op={o+3} once  [WQE-06]\n",
	 .psns = 8, .ops = 3, .weight = 2},
	{.violates = "I5/dst WQE-21/dst",
	 .ids = "I13",
	 .lines =
		"post post_send qpn=$qp len=8\n"
		"< wqe_send_only psn={p}  [WQE-01]\n"
		"> rc_ack psn={p} pkey=0xffff dest_qp=$qp syndrome=ack\n"
		"> wqe_ack psn={p} tver=1\n"
		"< wqe_send_only psn={p} | same within 4 rto  [WQE-02]\n"
		"> wqe_ack psn={p}\n"
		"completed op={o+1} once\n",
	 .psns = 1, .ops = 1, .weight = 3},
	{.needs = "wqe.read",
	 .ids = "WQE-41",
	 .lines =
		"post post_send qpn=$qp opcode=read len=4mtu\n"
		"< wqe_read_req psn={p} wqe_sn=$s{s} wqe_length=4mtu dmalen=4mtu | data 0  [WQE-40]\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} wqe_length=4mtu | data 1mtu\n"
		"> wqe_read_resp_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_read_resp_middle psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_read_resp_last psn={p+3} wqe_sn=$s{s} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"completed op={o+1} once\n"
		"?post mem_digest first={p} last={p+3}  [I2]\n"
		"post post_send qpn=$qp len=8\n"
		"< wqe_send_only psn={p+4} wqe_sn=$s{s}+1  [WQE-40]\n"
		"> wqe_ack psn={p+4}\n"
		"completed op={o+2} once\n",
	 .psns = 5, .ops = 2, .weight = 3},
	{.needs = "wqe.read",
	 .ids = "WQE-41",
	 .lines =
		"post post_send qpn=$qp opcode=read len=4mtu\n"
		"< wqe_read_req psn={p} wqe_sn=$s{s}  [WQE-40]\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} wqe_length=4mtu | data 1mtu\n"
		"> wqe_read_resp_middle psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu wqe_length=4mtu | data 1mtu\n"
		"one {\n"
		"  < wqe_rtx_ind psn={p+1} d k wqe_sn=$s{s} count=1 | bytes {b+1} within 12 rto + ack_time\n"
		"  > wqe_read_resp_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"  > wqe_read_resp_last psn={p+3} wqe_sn=$s{s} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"or\n"
		"  < wqe_rtx_ind psn={p+1} d k wqe_sn=$s{s} count=2 | bytes {b+1} {b+3} within 12 rto + ack_time\n"
		"  > wqe_read_resp_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"  > wqe_read_resp_last psn={p+3} wqe_sn=$s{s} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"or\n"
		"  < wqe_read_req psn={p+1} wqe_sn=$s{s} dmalen=3mtu va=1mtu\n"
		"  > wqe_read_resp_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"  > wqe_read_resp_middle psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu wqe_length=4mtu | data 1mtu\n"
		"  > wqe_read_resp_last psn={p+3} wqe_sn=$s{s} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"}\n"
		"completed op={o+1} once  [WQE-41]\n",
	 .psns = 4, .ops = 1, .weight = 3},
	{.needs = "wqe.read",
	 .ids = "WQE-41",
	 .lines =
		"post post_send qpn=$qp opcode=read len=3mtu\n"
		"< wqe_read_req psn={p} wqe_sn=$s{s} va=0 dmalen=3mtu wqe_length=3mtu  [WQE-40]\n"
		"never < wqe_read_req psn={p+1} for 0.2 rto\n"
		"> wqe_rtx_ind psn={p} k wqe_sn=$s{s} | bytes {b} {b+1} {b+2}\n"
		"< wqe_read_req psn={p} va=0 dmalen=3mtu | same\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} wqe_length=3mtu | data 1mtu\n"
		"> wqe_read_resp_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=3mtu | data 1mtu\n"
		"> wqe_read_resp_last psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu wqe_length=3mtu | data 1mtu\n"
		"completed op={o+1} once  [WQE-41]\n",
	 .psns = 3, .ops = 1, .weight = 2},
	{.needs = "wqe.read",
	 .ids = "WQE-06",
	 .lines =
		"post post_send qpn=$qp opcode=read len=2mtu offset=7mtu-168\n"
		"< wqe_read_req psn={p} wqe_sn=$s{s}  [WQE-40]\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"< wqe_read_req psn={p+2} wqe_sn=$s{s}+1  [WQE-40]\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} wqe_length=2mtu | data 1mtu\n"
		"> wqe_ack psn={p+2} syndrome=remote_access msn=1\n"
		"failed op={o+1} status=flushed once, op={o+2} status=remote_access once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/* messages by their length, up to some of many packets */
	{.ids = "WQE-05 WQE-06:wqe_req.wqe_length",
	 .lines =
		"post post_send qpn=$qp {2:opcode=write /}len={1:0/1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65537}\n"
		"each packet of {1=0/1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65537} {\n"
		"  < wqe_{2=write/send} psn=$p{s} wqe_offset=$at wqe_length={1=0/1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65537} | data $piece\n"
		"  > wqe_ack psn=$p{s} msn=$eom+{m-1}\n"
		"}\n"
		"completed op={o+1} once  [I2]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "wqe.read",
	 .ids = "I2",
	 .lines =
		"post post_send qpn=$qp opcode=read len={1:1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65536/65537}\n"
		"< wqe_read_req psn={p} wqe_sn=$s{s} wqe_length={1=1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65536/65537} | data 0  [WQE-41]\n"
		"each packet of {1=1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65536/65537} {\n"
		"  > wqe_read_resp psn=$index+{p} wqe_sn=$s{s} wqe_offset=$at wqe_length={1=1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65536/65537} | data $piece\n"
		"}\n"
		"completed op={o+1} once\n"
		"?post mem_digest first={p}\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* The DUT is the requester; how a case may begin. */
const struct draft_script script_wqe_initiator_first[] = {
	{.needs = "wqe.verbs",
	 .ids = "WQE-05",
	 .lines =
		"use wqe-qp\n"
		"post post_send qpn=$qp opcode={2:send/write} len={1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1}\n"
		"each packet of {1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  < wqe_{2=send/write} psn=$p wqe_offset=$at wqe_length={1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} | data $piece  [WQE-05 WQE-06:wqe_req.wqe_length]\n"
		"  > wqe_ack psn=$p msn=$eom\n"
		"}\n"
		"completed op=1 once  [I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.setting = "rto_init=100rto",
	 .violates = "WQE-35/dst I5/dst WQE-34/dst",
	 .ids = "WQE-16",
	 .lines =
		"post post_send qpn=$qp opcode=write len=4mtu\n"
		"< wqe_write_first psn={p} wqe_sn=$s{s}  [WQE-01]\n"
		"< wqe_write_middle psn={p+1} wqe_sn=$s{s}  [WQE-01]\n"
		"< wqe_write_middle psn={p+2} wqe_sn=$s{s}  [WQE-01]\n"
		"< wqe_write_last psn={p+3} wqe_sn=$s{s}  [WQE-01]\n"
		"> wqe_ack psn={p}\n"
		"> wqe_rtx_ind psn={p+1} k wqe_sn=$s{s} count={:0/65/2} | bytes {b+1}\n"
		"> wqe_rtx_ind psn={p+1} k wqe_sn=$s{s} {:ver=1/fmt=2/dest_qp=0xabcdef} | bytes {b+1}\n"
		"> wqe_rtx_ind psn={p+5} k wqe_sn=$s{s} | bytes {b+1}\n"
		"> wqe_rtx_ind psn={p-1} k wqe_sn=$s{s} | bytes {b+1}\n"
		"> wqe_rtx_ind psn={p+1} k wqe_sn=$s{s} | bytes {b} {b+4} {b-1}\n"
		"> wqe_ack psn={p+10}\n"
		"never < any for 4 rto\n"
		"> wqe_rtx_ind psn={p+1} k wqe_sn=$s{s} | bytes {b+2} {b+1} {b+2}\n"
		"any {\n"
		"  < wqe_write_middle psn={p+1} | same\n"
		"  < wqe_write_middle psn={p+2} | same\n"
		"}\n"
		"> wqe_ack psn={p+2}\n"
		"never < any for 4 rto\n"
		"> wqe_ack psn={p+3}\n"
		"completed op=1 once  [WQE-06]\n",
	 .psns = 4, .ops = 1, .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "rto_init=100rto",
	 .ids = "WQE-39",
	 .lines =
		"post post_send qpn=$qp len=2mtu\n"
		"< wqe_send_first psn={p} wqe_sn=$s{s}  [WQE-01]\n"
		"< wqe_send_last psn={p+1} wqe_sn=$s{s}  [WQE-01]\n"
		"> wqe_rtx_ind psn={p} k wqe_sn=$s{s} | bytes {b} x 20\n"
		"< wqe_send_first psn={p} | same\n"
		"never < any for 1 rto\n"
		"> wqe_ack psn={p+1}\n"
		"completed op=1 once  [WQE-06]\n",
	 .psns = 2, .ops = 1, .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "wqe_window=6",
	 .ids = "WQE-12",
	 .lines =
		"post post_send qpn=$qp opcode=write len=8mtu\n"
		"< wqe_write_first psn={p} wqe_sn=$s{s}  [WQE-01]\n"
		"< wqe_write_middle psn={p+1}  [WQE-01]\n"
		"< wqe_write_middle psn={p+2}  [WQE-01]\n"
		"< wqe_write_middle psn={p+3}  [WQE-01]\n"
		"< wqe_write_middle psn={p+4}  [WQE-01]\n"
		"< wqe_write_middle psn={p+5}  [WQE-01]\n"
		"> wqe_rtx_ind psn={p+2} k wqe_sn=$s{s} | bytes {b+2} {b+4}\n"
		"< wqe_write_middle psn={p+2} wqe_offset=2mtu | same  [WQE-08]\n"
		"< wqe_write_middle psn={p+4} wqe_offset=4mtu | same  [WQE-08]\n"
		"< wqe_write_middle psn={p+6} wqe_offset=6mtu  [WQE-08]\n"
		"< wqe_write_last psn={p+7} wqe_offset=7mtu  [WQE-08]\n"
		"> wqe_ack psn={p+7}\n"
		"completed op=1 once  [WQE-06]\n",
	 .psns = 8, .ops = 1, .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "rto_init=100rto",
	 .needs = "wqe.read",
	 .violates = "WQE-04/src WQE-06/src WQE-42/src I5/dst",
	 .ids = "WQE-41",
	 .lines =
		"post post_send qpn=$qp opcode=read len=2mtu\n"
		"< wqe_read_req psn={p} wqe_sn=$s{s}  [WQE-40]\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s}+1 wqe_length=2mtu | data 1mtu\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} {:wqe_offset=1mtu wqe_length=2mtu/wqe_offset=0 wqe_length=3mtu/wqe_offset=0 wqe_length=2mtu ver=1} | data 1mtu\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=2mtu | data mtu-24\n"
		"> wqe_read_resp_last psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu wqe_length=3mtu | data 1mtu\n"
		"never < any for 2 rto  [I13]\n"
		"> wqe_read_resp_last psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=2mtu | data 1mtu\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=2mtu | data 1mtu\n"
		"completed op=1 once\n"
		"post mem_digest first={p} last={p+1}  [I2]\n",
	 .psns = 2, .ops = 1, .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "wqe_miss=4rto rto_init=20rto",
	 .needs = "wqe.read",
	 .ids = "WQE-38",
	 .lines =
		"post post_send qpn=$qp opcode=read len=4mtu\n"
		"< wqe_read_req psn={p} wqe_sn=$s{s}  [WQE-40]\n"
		"> wqe_read_resp_last psn={p+3} wqe_sn=$s{s} wqe_offset=3mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_read_resp_middle psn={p+1} wqe_sn=$s{s} wqe_offset=1mtu wqe_length=4mtu | data 1mtu\n"
		"> wqe_read_resp_first psn={p} wqe_sn=$s{s} wqe_offset=0 wqe_length=4mtu | data 1mtu\n"
		"> wqe_read_resp_middle psn={p+2} wqe_sn=$s{s} wqe_offset=2mtu wqe_length=4mtu | data 1mtu after rto\n"
		"never < any for 8 rto\n"
		"completed op=1 once  [WQE-41]\n",
	 .psns = 4, .ops = 1, .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "rnr_retry.1",
	 .ids = "I2",
	 .lines =
		"configure wqe_rnr_retry=1\n"
		"use wqe-qp\n"
		"post post_send qpn=$qp len=64\n"
		"< wqe_send_only psn=10  [WQE-01]\n"
		"> wqe_ack psn=10 syndrome=33\n"
		"< wqe_send_only psn=10 | same within 3 rto  [WQE-02]\n"
		"> wqe_ack psn=10 syndrome=33\n"
		"failed op=1 status=rnr once within 2 rto\n"
		"never < wqe_send_only for 2 rto\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "I2",
	 .lines =
		"use wqe-qp\n"
		"post post_send qpn=$qp opcode=write len=64\n"
		"< wqe_write_only psn=10 | data 64 lost  [WQE-01]\n"
		"post modify_qp qpn=$qp state=reset\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr rq_psn=10\n"
		"post modify_qp qpn=$qp state=rts sq_psn=10\n"
		"never < wqe_write_only for 3 rto  [I7]\n"
		"post post_send qpn=$qp opcode=write len=65\n"
		"< wqe_write_only psn=10 | data 65  [WQE-01 WQE-09]\n"
		"> wqe_ack psn=10\n"
		"completed op=2 once\n"
		"completed op=1 none\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* clang-format on */
