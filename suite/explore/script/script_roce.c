/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_roce.c -- the moves of plain RoCEv2 that are
 * written as lines.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* The DUT is the responder. */
const struct draft_script script_roce_target[] = {
	{.ids = "ROCE-11",
	 .lines =
		"> rc_{1:write_first/send_first/send_first/write_first/write_first} psn={p} {1=dmalen=2mtu/pad=0/pad=0/dmalen=mtu+6/dmalen=mtu+6} | data 1mtu\n"
		"> rc_{1=write_only/send_only/write_last/write_last/write_middle} psn={p+1} | data {1=8/8/8/5/1mtu}\n"
		"< rc_ack psn={p+1} syndrome=invalid_req msn={m}\n"
		"post query_qp qpn=$qp state=err\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 5},
	{.ids = "ROCE-11",
	 .lines =
		"> rc_{1:send_middle/send_first/write_last} psn={p} | data {1=1mtu/mtu-24/8}\n"
		"< rc_ack psn={p} syndrome=invalid_req msn={m}\n"
		"post query_qp qpn=$qp state=err\n"
		"?post mem_digest key=$rkey\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 3},
	{.ids = "ROCE-11",
	 .lines =
		"> rc_write_first psn={p} va=$memory_offset+7mtu-168 dmalen=2mtu | data 1mtu\n"
		"< rc_ack psn={p} syndrome=remote_access\n"
		"post query_qp qpn=$qp state=err\n"
		"> rc_write_last psn={p+1} | data 1mtu\n"
		"never < any for 2 rto\n"
		"?post mem_digest key=$rkey\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.ids = "ROCE-11",
	 .lines =
		"> rc_read_req psn={p} rkey=$rkey+1 dmalen=8\n"
		"< rc_ack psn={p} syndrome=remote_access\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 1},
	{.ids = "I13",
	 .lines =
		"> rc_send_only psn={p} {:pkey=0x1234/tver=1/dest_qp=0x999} | data 8\n"
		"> rc_send_only psn={p} | data 8 crc {:wrong/none}\n"
		"> wqe_send_only psn={p} pkey=0xffff dest_qp=$qp ackreq wqe_length=8 | data 8\n"
		"never < any for 4 rto\n"
		"> rc_send_only psn={p} | data 8\n"
		"< rc_ack psn={p} syndrome=ack msn={m+1}\n"
		"received qpn=$qp len=8 x 1..40\n",
	 .psns = 1, .mids = 1, .flags = SCRIPT_MIXED, .weight = 3},
	{.violates = "I7/src",
	 .ids = "ROCE-12",
	 .lines =
		"> rc_write_only psn={p} | data 16\n"
		"< rc_ack psn={p} syndrome=ack msn={m+1}  [ROCE-09]\n"
		"> rc_write_only psn={p+1} | data 8\n"
		"< rc_ack psn={p+1} syndrome=ack msn={m+2}  [ROCE-09]\n"
		"> rc_write_only psn={p} | same\n"
		"< rc_ack psn={p+1} syndrome=ack msn={m+2}\n"
		"?post mem_digest key=$rkey first={p} last={p+1}\n"
		"> rc_send_only psn={p+2} | data 41\n"
		"< rc_ack psn={p+2} syndrome=ack msn={m+3} lost  [ROCE-09]\n"
		"> rc_send_only psn={p+2} | same\n"
		"< rc_ack psn={p+2} syndrome=ack msn={m+3}\n",
	 .psns = 3, .mids = 3, .flags = SCRIPT_MIXED, .weight = 4},
	{.ids = "ROCE-10",
	 .lines =
		"> rc_write_first psn={p} dmalen=4mtu | data 1mtu\n"
		"> rc_write_middle psn={p+1} | data 1mtu lost\n"
		"> rc_write_middle psn={p+2} | data 1mtu\n"
		"< rc_ack psn={p+1} syndrome=psn_seq_err msn={m}\n"
		"> rc_write_last psn={p+3} | data 1mtu\n"
		"never < any for 2 rto\n"
		"> rc_write_middle psn={p+1} | same\n"
		"> rc_write_middle psn={p+2} | same\n"
		"> rc_write_last psn={p+3} | same\n"
		"< rc_ack psn={p+3} syndrome=ack msn={m+1}  [ROCE-09]\n"
		"> rc_write_only psn={p+4} | data 0 lost\n"
		"> rc_write_only psn={p+5} | data 0\n"
		"< rc_ack psn={p+4} syndrome=psn_seq_err msn={m+1}\n"
		"> rc_write_only psn={p+4} | same\n"
		"> rc_write_only psn={p+5} | same\n"
		"< rc_ack psn={p+5} syndrome=ack msn={m+3}  [ROCE-09]\n",
	 .psns = 6, .mids = 3, .flags = SCRIPT_MIXED, .weight = 4},
	{.ids = "ROCE-07",
	 .lines =
		"> rc_send_only_imm psn={p} imm=0xcafe | data 43\n"
		"< rc_ack psn={p} syndrome=ack msn={m+1}  [ROCE-09]\n"
		"received qpn=$qp len=43 imm=0xcafe x 1..20\n"
		"> rc_write_first psn={p+1} dmalen=2mtu | data 1mtu\n"
		"> rc_write_last_imm psn={p+2} imm=0xbeef | data 1mtu\n"
		"< rc_ack psn={p+2} syndrome=ack msn={m+2}  [ROCE-09]\n"
		"received qpn=$qp imm=0xbeef x 1..20\n",
	 .psns = 3, .mids = 2, .flags = SCRIPT_MIXED, .weight = 2},
	{.violates = "I7/src",
	 .ids = "ROCE-08",
	 .lines =
		"> rc_read_req psn={p} dmalen=4mtu-96 va=$memory_offset+100\n"
		"< rc_read_resp_first psn={p} syndrome=ack msn={m+1} | data 1mtu\n"
		"< rc_read_resp_middle psn={p+1} | data 1mtu\n"
		"< rc_read_resp_middle psn={p+2} | data 1mtu\n"
		"< rc_read_resp_last psn={p+3} syndrome=ack msn={m+1} | data mtu-96\n"
		"> rc_read_req psn={p+4} dmalen=4 va=$memory_offset+2\n"
		"< rc_read_resp_only psn={p+4} syndrome=ack msn={m+2} | data 4\n"
		"> rc_read_req psn={p+4} dmalen=4 va=$memory_offset+2\n"
		"< rc_read_resp_only psn={p+4} syndrome=ack | data 4\n"
		"> rc_send_only psn={p+5} | data 8\n"
		"< rc_ack psn={p+5} syndrome=ack msn={m+3}  [ROCE-09]\n",
	 .psns = 6, .mids = 3, .flags = SCRIPT_MIXED, .weight = 3},
	{.needs = "roce.verbs",
	 .ids = "ROCE-12",
	 .lines =
		"> rc_write_first psn={p} dmalen=2mtu | data 1mtu\n"
		"wait ack_time\n"
		"post destroy_qp qpn=$qp\n"
		"post create_qp qpn=$n{s} type=rc\n"
		"post modify_qp qpn=$n{s} state=init\n"
		"post modify_qp qpn=$n{s} state=rtr rq_psn={p+5000}\n"
		"post modify_qp qpn=$n{s} state=rts\n"
		"post post_recv qpn=$n{s} len=1mtu\n"
		"> rc_write_{1:last/first} psn={p+1} dest_qp=$qp {1=pad=0/dmalen=2mtu} | data 1mtu\n"
		"> rc_write_last psn={p+2} dest_qp=$qp | data 1mtu\n"
		"never < rc_ack psn={p+2}\n"
		"wait 2 ack_time\n"
		"> rc_send_only psn={p+5000} dest_qp=$n{s} | data 65\n"
		"< rc_ack psn={p+5000} syndrome=ack msn=1  [ROCE-09]\n"
		"received qpn=$n{s} len=65 once  [I2]\n",
	 .flags = SCRIPT_OVER | SCRIPT_MIXED, .weight = 2},
	{.weight = 0}};

/* The DUT is the responder; how a case may begin. */
const struct draft_script script_roce_target_first[] = {
	{.needs = "roce.verbs",
	 .ids = "I5",
	 .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post expose len=25mtu\n"
		"each packet of {1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  > rc_write | data $piece\n"
		"}\n"
		"< rc_ack syndrome=ack msn=1\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "roce.verbs",
	 .ids = "I5",
	 .lines =
		"use roce-bare\n"
		"post post_recv qpn=$qp len={1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1}\n"
		"each packet of {1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  > rc_send | data $piece\n"
		"}\n"
		"< rc_ack syndrome=ack msn=1\n"
		"received qpn=$qp len={1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} once  [I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.needs = "roce.verbs",
	 .ids = "ROCE-09",
	 .lines =
		"use roce-bare\n"
		"> rc_send_only psn=10 | data 1mtu\n"
		"< rc_ack psn=10 syndrome=32..63 msn=0\n"
		"post post_recv qpn=$qp len=1mtu count=2\n"
		"> rc_send_only psn=10 | same\n"
		"< rc_ack psn=10 syndrome=ack msn=1\n"
		"> rc_send_first psn=11 | data 1mtu\n"
		"> rc_send_last psn=12 | data 8\n"
		"< rc_ack psn=12 syndrome=invalid_req msn=1  [ROCE-11]\n"
		"post query_qp qpn=$qp state=err  [ROCE-11]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 3},
	/* messages of many packets: their offsets take more than 16 bits */
	{.ids = "ROCE-10",
	 .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post expose len={1:65537/65537/65537/1048576}\n"
		"> rc_read_req psn=10 dmalen={1=65537/65537/65537/1048576}\n"
		"each packet of {1=65537/65537/65537/1048576} {\n"
		"  < rc_read_resp psn=$index+10 | data $piece\n"
		"}\n",
	 .flags = SCRIPT_BARE | SCRIPT_LONG | SCRIPT_OVER, .weight = 2},
	{.ids = "I5",
	 .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr\n"
		"post modify_qp qpn=$qp state=rts\n"
		"post expose len={1:64/64/64/64/64/1mtu/3mtu/8mtu/65537/1048576}\n"
		"each packet of {1=1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65537/1048576} {\n"
		"  > rc_write | data $piece\n"
		"  wait 20us\n"
		"}\n"
		"< rc_ack syndrome=ack msn=1\n"
		"post mem_digest key=$rkey first=10  [I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_LONG | SCRIPT_OVER, .weight = 2},
	{.ids = "ROCE-09 I5",
	 .lines =
		"use roce-qp\n"
		"> rc_write_only psn=10 migreq dmalen=64 | data 64\n"
		"< rc_ack psn=10 syndrome=ack msn=1\n"
		"> rc_write_only psn=11 migreq=0 dmalen=65 | data 65\n"
		"< rc_ack psn=11 syndrome=ack msn=2\n"
		"> rc_write_first psn=12 migreq=0 dmalen=3mtu | data 1mtu\n"
		"> rc_write_middle psn=13 migreq | data 1mtu\n"
		"> rc_write_last psn=14 migreq=0 | data 1mtu\n"
		"< rc_ack psn=14 syndrome=ack msn=3\n"
		"post mem_digest key=$rkey first=10 last=14  [I2]\n"
		"> rc_send_only psn=15 migreq | data 8\n"
		"< rc_ack psn=15 syndrome=ack msn=4\n"
		"received qpn=$qp len=8 once  [I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "I2",
	 .lines =
		"use roce-qp\n"
		"> rc_send_only_imm psn=10 imm=0xa1b2cafe | data 8\n"
		"< rc_ack psn=10 syndrome=ack msn=1  [I5]\n"
		"> rc_write_first psn=11 dmalen=2mtu | data 1mtu\n"
		"> rc_write_last_imm psn=12 imm=0xd3e4beef | data 1mtu\n"
		"< rc_ack psn=12 syndrome=ack msn=2  [I5]\n"
		"received qpn=$qp len=8 imm=0xa1b2cafe once\n"
		"received qpn=$qp imm=0xd3e4beef once\n"
		"post mem_digest key=$rkey first=11 last=12\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* The DUT is the requester. */
const struct draft_script script_roce_initiator[] = {
	{.needs = "roce.verbs",
	 .ids = "ROCE-02",
	 .lines =
		"post post_send qpn=$qp opcode={2:send/write} len={1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1}\n"
		"each packet of {1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  < rc_{2=send/write} psn=$p | data $piece  [ROCE-02 ROCE-03:rc_req.data]\n"
		"  > rc_ack psn=$p msn=$eom+{m-1}\n"
		"}\n"
		"completed op={o+1} once  [I2]\n",
	 .ops = 1, .mids = 1, .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "ROCE-04",
	 .lines =
		"post post_send qpn=$qp opcode=write len=4mtu\n"
		"< rc_write_first psn={p}  [ROCE-01]\n"
		"< rc_write_middle psn={p+1}  [ROCE-01]\n"
		"< rc_write_middle psn={p+2}  [ROCE-01]\n"
		"< rc_write_last psn={p+3}  [ROCE-01]\n"
		"> rc_ack psn={p+1} syndrome=psn_seq_err msn=0\n"
		"< rc_write_middle psn={p+1} | same\n"
		"< rc_write_middle psn={p+2} | same\n"
		"< rc_write_last psn={p+3} | same\n"
		"> rc_ack psn={p+3}\n"
		"never < rc_write_first psn={p} for 0.2 rto\n"
		"completed op={o+1} once  [I2]\n",
	 .psns = 4, .ops = 1, .weight = 3},
	{.ids = "ROCE-06",
	 .lines =
		"post post_send qpn=$qp len=2mtu\n"
		"< rc_send_first psn={p}  [ROCE-01]\n"
		"< rc_send_last psn={p+1} lost  [ROCE-01]\n"
		"never < any for 0.5 rto\n"
		"< rc_send_first psn={p} | same within 4 rto\n"
		"< rc_send_last psn={p+1} | same\n"
		"> rc_ack psn={p+1}\n"
		"completed op={o+1} once  [I2]\n",
	 .psns = 2, .ops = 1, .weight = 3},
	{.ids = "ROCE-06",
	 .lines =
		"post post_send qpn=$qp len=8\n"
		"< rc_send_only psn={p}  [ROCE-01]\n"
		"failed op={o+1} status=timeout once within 20 rto\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	{.ids = "ROCE-08",
	 .lines =
		"post post_send qpn=$qp opcode=read len=4mtu\n"
		"< rc_read_req psn={p} va=0 dmalen=4mtu | data 0\n"
		"> rc_read_resp_first psn={p} | data 1mtu\n"
		"> rc_read_resp_middle psn={p+2} | data 1mtu\n"
		"one {\n"
		"  < rc_read_req psn={p+1} va=1mtu dmalen=3mtu within 4 rto\n"
		"  > rc_read_resp_first psn={p+1} | data 1mtu\n"
		"  > rc_read_resp_middle psn={p+2} | data 1mtu\n"
		"  > rc_read_resp_last psn={p+3} | data 1mtu\n"
		"or\n"
		"  < rc_read_req psn={p} va=0 dmalen=4mtu within 4 rto\n"
		"  > rc_read_resp_first psn={p} | data 1mtu\n"
		"  > rc_read_resp_middle psn={p+1} | data 1mtu\n"
		"  > rc_read_resp_middle psn={p+2} | data 1mtu\n"
		"  > rc_read_resp_last psn={p+3} | data 1mtu\n"
		"}\n"
		"completed op={o+1} once  [I2]\n",
	 .psns = 4, .ops = 1, .weight = 3},
	{.ids = "ROCE-08",
	 .lines =
		"post post_send qpn=$qp opcode=read len=2mtu-96 offset=100\n"
		"< rc_read_req psn={p} va=100 dmalen=2mtu-96 | data 0\n"
		"> rc_read_resp_first psn={p} | data 1mtu\n"
		"> rc_read_resp_last psn={p+1} | data mtu-96\n"
		"completed op={o+1} once  [I2]\n"
		"?post mem_digest first={p} last={p+1}  [I2]\n"
		"post post_send qpn=$qp len=8\n"
		"< rc_send_only psn={p+2}\n"
		"> rc_ack psn={p+2}\n"
		"completed op={o+2} once  [I2]\n",
	 .psns = 3, .ops = 2, .weight = 3},
	{.violates = "I5/dst",
	 .ids = "I13",
	 .lines =
		"post post_send qpn=$qp len=8\n"
		"< rc_send_only psn={p}  [ROCE-01]\n"
		"> rc_ack psn={p+290}\n"
		"> rc_ack psn={p} tver=1\n"
		"> wqe_ack psn={p} pkey=0xffff dest_qp=$qp syndrome=ack\n"
		"< rc_send_only psn={p} | same within 4 rto  [ROCE-06]\n"
		"> rc_ack psn={p}\n"
		"completed op={o+1} once  [I2]\n",
	 .psns = 1, .ops = 1, .weight = 3},
	{.ids = "ROCE-05",
	 .lines =
		"post post_send qpn=$qp len=2mtu\n"
		"< rc_send_first psn={p}  [ROCE-01]\n"
		"< rc_send_last psn={p+1}  [ROCE-01]\n"
		"> rc_ack psn={p} syndrome=52 msn=0\n"
		"never < any for 9ms\n"
		"< rc_send_first psn={p} | same within 4 rto\n"
		"< rc_send_last psn={p+1} | same\n"
		"> rc_ack psn={p+1}\n"
		"completed op={o+1} once  [I2]\n",
	 .psns = 2, .ops = 1, .weight = 2},
	{.ids = "ROCE-13",
	 .lines =
		"post post_send qpn=$qp len=8\n"
		"< rc_send_only psn={p}  [ROCE-01]\n"
		"> rc_ack psn={p}\n"
		"post post_send qpn=$qp opcode=write len=8\n"
		"< rc_write_only psn={p+1}  [ROCE-01]\n"
		"post post_send qpn=$qp len=8\n"
		"< rc_send_only psn={p+2}  [ROCE-01]\n"
		"> rc_ack psn={p+1} syndrome=remote_access msn=1\n"
		"completed op={o+1} once  [I2]\n"
		"failed op={o+2} status=remote_access once, op={o+3} status=flushed once\n"
		"never < any for 4 rto\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "ROCE-07",
	 .lines =
		"post post_send qpn=$qp opcode=write len=mtu+6 imm=0xcafe\n"
		"< rc_write_first psn={p} dmalen=mtu+6 | data 1mtu\n"
		"< rc_write_last_imm psn={p+1} imm=0xcafe | data 6\n"
		"> rc_ack psn={p+1}\n"
		"completed op={o+1} once  [I2]\n",
	 .psns = 2, .ops = 1, .weight = 1},
	/* messages by their length, up to some of many packets */
	{.ids = "ROCE-02 ROCE-03:rc_req.data",
	 .lines =
		"post post_send qpn=$qp {2:opcode=write /}len={1:0/1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65537}\n"
		"each packet of {1=0/1/3/5/31/63/mtu-1/2mtu+1/8mtu-1/65537} {\n"
		"  < rc_{2=write/send} psn=$p{s} | data $piece\n"
		"  > rc_ack psn=$p{s} msn=$eom+{m-1}\n"
		"}\n"
		"completed op={o+1} once  [I2]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* How such a case may begin. */
const struct draft_script script_roce_initiator_first[] = {
	{.ids = "I2",
	 .lines =
		"use roce-qp\n"
		"post post_send qpn=$qp opcode=write len=64\n"
		"< rc_write_only psn=10 | data 64 lost  [ROCE-01]\n"
		"post modify_qp qpn=$qp state=reset\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr rq_psn=10\n"
		"post modify_qp qpn=$qp state=rts sq_psn=10\n"
		"never < rc_write_only for 3 rto  [I7]\n"
		"post post_send qpn=$qp opcode=write len=65\n"
		"< rc_write_only psn=10 | data 65  [ROCE-01:rc_req.psn]\n"
		"> rc_ack psn=10\n"
		"completed op=2 once\n"
		"completed op=1 none\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.ids = "ROCE-01",
	 .lines =
		"use roce-qp\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"post post_send qpn=$qp opcode=read len=8\n"
		"< rc_read_req dmalen=8 flight $sent for 0.3 rto\n"
		"< rc_read_req psn=10 dmalen=8 within 4 rto  [ROCE-13]\n"
		"> rc_read_resp_only psn=10 | data 8\n"
		"completed op=1 once  [I2]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* clang-format on */
