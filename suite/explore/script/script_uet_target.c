/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_uet_target.c -- the moves of RUD and ROD that are
 * written as lines, for a device that is the target: atomics, reads, limits,
 * credit.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* A PDC is open. */
const struct draft_script script_uet_target[] = {
	/* a send without a tag leaves the tagged receive to a tagged one */
	{.needs = "send.tagged",
	 .ids = "UET-SES-37",
	 .lines =
		"post post_recv len=64 count=1 tagged=1 tag=$tag\n"
		"post post_recv len=64 count=1\n"
		"> {q} ar psn={p} | std send message_id={m} som eom | data {1:64/1}\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok\n"
		"> {q} ar psn={p+1} | std tagged_send message_id={m+1} som eom match_bits=$tag | data 64\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok\n"
		"received message_id={m} len={1=64/1} once  [RUD-SVC-2]\n"
		"received message_id={m+1} len=64 once  [RUD-SVC-2]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/* two open messages whose ids differ in one high bit */
	{.needs = "multi ses_msgs.2",
	 .ids = "RUD-SVC-2",
	 .lines =
		"let $i{s} = {m}\n"
		"hold > rud_req psn={p+1} nth=1 until < ack ack_psn={p+2}\n"
		"> rud_req ar psn={p} | std send message_id={m} som request_length=mtu+8 | data mtu\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-19]\n"
		"> rud_req ar psn={p+1} | std send message_id={m} eom request_length=mtu+8 message_offset=mtu payload_length=8 | data 8\n"
		"> rud_req ar psn={p+2} | std send message_id=$i{s}+{1:256/4096/32768} som request_length=mtu+70 | data mtu\n"
		"any {\n"
		"  < ack ack_psn={p+2} | response return_code=ok  [UET-SES-19]\n"
		"  < ack ack_psn={p+1} | response return_code=ok  [UET-SES-19]\n"
		"}\n"
		"> rud_req ar psn={p+3} | std send message_id=$i{s}+{1=256/4096/32768} eom request_length=mtu+70 message_offset=mtu payload_length=70 | data 70\n"
		"< ack ack_psn={p+3} | response return_code=ok  [UET-SES-19]\n"
		"received message_id={m} len=mtu+8 once\n"
		"received message_id=$i{s}+{1=256/4096/32768} len=mtu+70 once\n",
	 .psns = 4, .mids = 1, .flags = SCRIPT_RUD, .weight = 2},
	/* reads of two packets, by what the second one asks for */
	{.needs = "read multi return_data",
	 .ids = "UET-SES-21",
	 .lines =
		"> {q} ar psn={p} | std read message_id={m} som request_length={1:mtu+1/mtu+2/mtu+3/mtu+5/mtu+31/2mtu-1}\n"
		"any {\n"
		"  < ack ack_psn={p} | response message_id={m}|0 return_code=ok  [UET-SES-36:ses.return_code]\n"
		"  < {q} psn={r} | response_data response_message_id=$v{s} read_request_message_id={m} message_offset=0 | data mtu\n"
		"}\n"
		"> ack ack_psn={r} | response message_id=$v{s}\n"
		"> {q} ar psn={p+1} | std read message_id={m} eom request_length={1=mtu+1/mtu+2/mtu+3/mtu+5/mtu+31/2mtu-1} message_offset=mtu payload_length={1=1/2/3/5/31/mtu-1}\n"
		"any {\n"
		"  < ack ack_psn={p+1} | response message_id={m}|0 return_code=ok  [UET-SES-36:ses.return_code]\n"
		"  < {q} psn={r+1} | response_data response_message_id=$w{s} read_request_message_id={m} message_offset=mtu | data {1=1/2/3/5/31/mtu-1}\n"
		"}\n"
		"> ack ack_psn={r+1} | response message_id=$w{s}\n",
	 .psns = 2, .mids = 1, .rets = 2, .weight = 3},
	{.needs = "stored.4",
	 .violates = "UET-SES-27/src UET-PDC-48/src",
	 .ids = "I13",
	 .lines =
		"never < ack ack_psn={p} | response return_code=null|ok\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std opcode={:0x10/0x2f/0x3d} message_id={m} som eom | data 64\n"
		"< any optional\n"
		"received message_id={m} none\n"
		"> rud_req ar psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 64 after ack_time\n"
		"< ack ack_psn={p+1} | response message_id={m+1}  [I13:ack.missing]\n"
		"received message_id={m+1} len=64 once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* guaranteed responses come at once, without ar */
	{.needs = "response.gtd multi stored.4",
	 .ids = "RUD-SEQ-78",
	 .lines =
		"respond gtd\n"
		"> rud_req psn={p} clear_psn={p-1} | std send message_id={m} som request_length=2mtu | data mtu\n"
		"> rud_req psn={p+1} clear_psn={p-1} | std send message_id={m} eom request_length=2mtu message_offset=mtu | data mtu\n"
		"any {\n"
		"  < ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m}  [RUD-SEQ-78:ack.missing UET-ACK-17]\n"
		"  < ack ack_psn={p+1} cack_psn={p-1} req=clear | response message_id={m}  [RUD-SEQ-78:ack.missing UET-ACK-17]\n"
		"}\n"
		"respond default\n"
		"> rud_req ar psn={p+2} clear_psn={p+1} | std send message_id={m+1} som eom | data 8\n"
		"< ack ack_psn={p+2} cack_psn={p+2} | response message_id={m+1}  [RUD-SVC-7]\n",
	 .psns = 3, .mids = 2, .flags = SCRIPT_RUD, .weight = 3},
	/* the first response comes late: no ACK of ROD overtakes it */
	{.needs = "response.delay pkt_buffers.2",
	 .ids = "MODE-ROD-4",
	 .lines =
		"respond delay=ses_time times=1\n"
		"> rod_req psn={p} ar | std send message_id={m} som eom | data 8\n"
		"> rod_req psn={p+1} ar | std send message_id={m+1} som eom | data 8\n"
		"> rod_req psn={p+2} ar | std send message_id={m+2} som eom | data 8\n"
		"< ack ack_psn={p} cack_psn={p}..{p+2} | response message_id={m}|0 within ses_time + 2 ack_time  [MODE-ROD-4:ack.ack_psn]\n"
		"< ack ack_psn={p+1} cack_psn={p+1}..{p+2} | response message_id={m+1}|0\n"
		"< ack ack_psn={p+2} cack_psn={p+2} | response message_id={m+2}\n",
	 .psns = 3, .mids = 3, .flags = SCRIPT_ROD, .weight = 2},
	{.needs = "atomic write",
	 .ids = "I2",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom | bytes {1:9c/c8/d0 8a/61 ea/ff 6b ca 88/01 28 6b ee/ff ff 7b 1d af 93 19 83/03 00 a4 1d ee 21 ec eb} 00 00 00 00\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length={1=1/1/2/2/4/4/8/8} buffer_offset=$memory_offset | atomic amo_opcode={:sum/prod/diff/min/max/land/lor/lxor/band/bor/bxor/write} datatype={1=int8/uint8/int16/uint16/int32/uint32/int64/uint64} | bytes {1=4d/63/39 30/e1 10/07 b3 3f 71/09 a3 e1 11/15 81 e9 7d f4 10 22 11/b3 63 d7 cc f1 b9 dc 0d}\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size  [RUD-SVC-3]\n",
	 .psns = 2, .mids = 2, .weight = 6},
	{.needs = "atomic write",
	 .ids = "I2",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom buffer_offset=$memory_offset+16 | bytes {1:00 00 c0 3f/00 00 00 00 00 00 02 c0} 00 00 00 00\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length={1=4/8} buffer_offset=$memory_offset+16 | atomic amo_opcode={:sum/prod/diff/min/max} datatype={1=float/double} | bytes {1=00 00 20 c0/00 00 00 20 00 00 30 41}\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size  [RUD-SVC-3]\n",
	 .psns = 2, .mids = 2, .weight = 3},
	{.needs = "atomic write",
	 .ids = "I2",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom buffer_offset=$memory_offset+24 | bytes 00 00 00 00 00 00 02 c0\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length=8 buffer_offset=$memory_offset+24 | atomic amo_opcode={:cswap/cswap_ne/cswap_le/cswap_lt/cswap_ge/cswap_gt} datatype=double | cswap {:compare_value_hi=0xac0 compare_value_lo=0xc00a000000000000/compare_value_hi=0x2c0 compare_value_lo=0xc002000000000000/compare_value_hi=0xf4bf compare_value_lo=0xbff4000000000000} swap_value_hi=0x2000003041 swap_value_lo=0x4130000020000000\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size  [RUD-SVC-3]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.needs = "atomic write",
	 .ids = "I2",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom | bytes {1:9c/c8/d0 8a/61 ea/ff 6b ca 88/01 28 6b ee/ff ff 7b 1d af 93 19 83/03 00 a4 1d ee 21 ec eb} 00 00 00 00\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length={1=1/1/2/2/4/4/8/8} buffer_offset=$memory_offset | atomic amo_opcode={:cswap/cswap_ne/cswap_le/cswap_lt/cswap_ge/cswap_gt} datatype={1=int8/uint8/int16/uint16/int32/uint32/int64/uint64} | cswap {1=compare_value_hi=0x9b00000000000000 compare_value_lo=0x9b/compare_value_hi=0xc700000000000000 compare_value_lo=0xc7/compare_value_hi=0xcf8a000000000000 compare_value_lo=0x8acf/compare_value_hi=0x60ea000000000000 compare_value_lo=0xea60/compare_value_hi=0xfe6bca8800000000 compare_value_lo=0x88ca6bfe/compare_value_hi=0x286bee00000000 compare_value_lo=0xee6b2800/compare_value_hi=0xfeff7b1daf931983 compare_value_lo=0x831993af1d7bfffe/compare_value_hi=0x200a41dee21eceb compare_value_lo=0xebec21ee1da40002} {1=swap_value_hi=0x4d00000000000000 swap_value_lo=0x4d/swap_value_hi=0x6300000000000000 swap_value_lo=0x63/swap_value_hi=0x3930000000000000 swap_value_lo=0x3039/swap_value_hi=0xe110000000000000 swap_value_lo=0x10e1/swap_value_hi=0x7b33f7100000000 swap_value_lo=0x713fb307/swap_value_hi=0x9a3e11100000000 swap_value_lo=0x11e1a309/swap_value_hi=0x1581e97df4102211 swap_value_lo=0x112210f47de98115/swap_value_hi=0xb363d7ccf1b9dc0d swap_value_lo=0xddcb9f1ccd763b3}\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size  [RUD-SVC-3]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.needs = "atomic write",
	 .ids = "I2",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom | bytes {1:9c/c8/d0 8a/61 ea/ff 6b ca 88/01 28 6b ee/ff ff 7b 1d af 93 19 83/03 00 a4 1d ee 21 ec eb} 00 00 00 00\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length={1=1/1/2/2/4/4/8/8} buffer_offset=$memory_offset | atomic amo_opcode={:cswap/cswap_ne/cswap_le/cswap_lt/cswap_ge/cswap_gt} datatype={1=int8/uint8/int16/uint16/int32/uint32/int64/uint64} | cswap {1=compare_value_hi=0x9c00000000000000 compare_value_lo=0x9c/compare_value_hi=0xc800000000000000 compare_value_lo=0xc8/compare_value_hi=0xd08a000000000000 compare_value_lo=0x8ad0/compare_value_hi=0x61ea000000000000 compare_value_lo=0xea61/compare_value_hi=0xff6bca8800000000 compare_value_lo=0x88ca6bff/compare_value_hi=0x1286bee00000000 compare_value_lo=0xee6b2801/compare_value_hi=0xffff7b1daf931983 compare_value_lo=0x831993af1d7bffff/compare_value_hi=0x300a41dee21eceb compare_value_lo=0xebec21ee1da40003} {1=swap_value_hi=0x4d00000000000000 swap_value_lo=0x4d/swap_value_hi=0x6300000000000000 swap_value_lo=0x63/swap_value_hi=0x3930000000000000 swap_value_lo=0x3039/swap_value_hi=0xe110000000000000 swap_value_lo=0x10e1/swap_value_hi=0x7b33f7100000000 swap_value_lo=0x713fb307/swap_value_hi=0x9a3e11100000000 swap_value_lo=0x11e1a309/swap_value_hi=0x1581e97df4102211 swap_value_lo=0x112210f47de98115/swap_value_hi=0xb363d7ccf1b9dc0d swap_value_lo=0xddcb9f1ccd763b3}\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size  [RUD-SVC-3]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.needs = "atomic write",
	 .ids = "I2",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom | bytes {1:9c/c8/d0 8a/61 ea/ff 6b ca 88/01 28 6b ee/ff ff 7b 1d af 93 19 83/03 00 a4 1d ee 21 ec eb} 00 00 00 00\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length={1=1/1/2/2/4/4/8/8} buffer_offset=$memory_offset | atomic amo_opcode={:cswap/cswap_ne/cswap_le/cswap_lt/cswap_ge/cswap_gt} datatype={1=int8/uint8/int16/uint16/int32/uint32/int64/uint64} | cswap {1=compare_value_hi=0x9d00000000000000 compare_value_lo=0x9d/compare_value_hi=0xc900000000000000 compare_value_lo=0xc9/compare_value_hi=0xd18a000000000000 compare_value_lo=0x8ad1/compare_value_hi=0x62ea000000000000 compare_value_lo=0xea62/compare_value_hi=0x6cca8800000000 compare_value_lo=0x88ca6c00/compare_value_hi=0x2286bee00000000 compare_value_lo=0xee6b2802/compare_value_hi=0x7c1daf931983 compare_value_lo=0x831993af1d7c0000/compare_value_hi=0x400a41dee21eceb compare_value_lo=0xebec21ee1da40004} {1=swap_value_hi=0x4d00000000000000 swap_value_lo=0x4d/swap_value_hi=0x6300000000000000 swap_value_lo=0x63/swap_value_hi=0x3930000000000000 swap_value_lo=0x3039/swap_value_hi=0xe110000000000000 swap_value_lo=0x10e1/swap_value_hi=0x7b33f7100000000 swap_value_lo=0x713fb307/swap_value_hi=0x9a3e11100000000 swap_value_lo=0x11e1a309/swap_value_hi=0x1581e97df4102211 swap_value_lo=0x112210f47de98115/swap_value_hi=0xb363d7ccf1b9dc0d swap_value_lo=0xddcb9f1ccd763b3}\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size  [RUD-SVC-3]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	{.needs = "atomic write",
	 .ids = "I2",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length={1:3/16/16} buffer_offset=$memory_offset+{1=0/16/40} | atomic amo_opcode=sum datatype={1=uint8/uint32/uint64} | bytes {1=01 80 ff/01 00 00 00 ff ff ff ff 00 01 00 00 78 56 34 12/01 00 00 00 00 00 00 00 ff fe fd fc 00 00 01 00}\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size  [RUD-SVC-3]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	/*
	 * Rendezvous, deferrable and tagged sends.  Answers to requests of the
	 * device's own PDC have no message id, which another PDC may use, too.
	 */
	{.needs = "send.rendezvous",
	 .ids = "RUD-SVC-3",
	 .lines =
		"> {q} ar psn={p} | std rendezvous_send message_id={m} som eom request_length={1:0/1/64/mtu} | rendezvous eager_length={1=0/1/64/mtu} read_offset=0x5000 read_memory_key=0x99 | data {1=0/1/64/mtu}\n"
		"< ack ack_psn={p} | response message_id={m}\n"
		"received message_id={m} len={1=0/1/64/mtu} once  [RUD-SVC-2]\n",
	 .psns = 1, .mids = 1, .weight = 2},
	{.needs = "send.rendezvous",
	 .ids = "UET-SES-35/src:req.missing UET-SES-35/src",
	 .lines =
		"> rud_req ar psn={p} | std rendezvous_send message_id={m} som eom request_length=264 | rendezvous eager_length=64 read_offset=0x5000 read_memory_key=0x99 | data 64\n"
		"any {\n"
		"  < ack pdc=a ack_psn={p} | response message_id={m}  [RUD-SVC-3]\n"
		"  < rud_req syn pdc=w psn=$u{s} | std read message_id=$r{s} buffer_offset=0x5000|0x5040 match_bits=0x99 request_length=200 | data 0\n"
		"}\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s} | response default_response message_id=0\n"
		"> rud_req pdc=w psn=$x{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=0 | data 200\n"
		"< ack pdc=w ack_psn=$x{s}  [UET-ACK-15/src]\n"
		"received message_id={m} len=264 once  [RUD-SVC-2]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	/* a tagged one that matches no receive: nothing of it is read */
	{.needs = "send.tagged send.rendezvous",
	 .ids = "UET-SES-37",
	 .lines =
		"post post_recv len=264 count=1 tagged=1 tag=$tag\n"
		"> rud_req ar psn={p} | std rendezvous_tsend message_id={m} som eom request_length={1:200/264} match_bits=$tag+2 | rendezvous eager_length={1=0/64} read_offset=0x5000 read_memory_key=0x98 | data {1=0/64}\n"
		"< ack ack_psn={p}  [UET-ACK-15]\n"
		"never < rud_req syn for 2 rto  [UET-SES-37:req.forbidden]\n"
		"received message_id={m} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.deferrable",
	 .ids = "RUD-SVC-3",
	 .lines =
		"> {q} ar psn={p} | std deferrable_send message_id={m} som eom initiator_token=7 | data 64\n"
		"< ack ack_psn={p} | response message_id={m}\n"
		"received message_id={m} len=64 once  [RUD-SVC-2]\n",
	 .psns = 1, .mids = 1, .weight = 2},
	{.needs = "send.deferrable control",
	 .ids = "UET-SES-35/src:req.missing UET-SES-35/src",
	 .lines =
		"post post_recv len=64 count=1\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-36]\n"
		"> rud_req ar psn={p+1} | std deferrable_send message_id={m+1} som eom initiator_token=0x51 | data 65\n"
		"< ack ack_psn={p+1}  [UET-ACK-15]\n"
		"received message_id={m+1} none  [RUD-SVC-2]\n"
		"post post_recv len=65 count=1\n"
		"< rud_req syn pdc=w psn=$u{s} | std deferrable_rtr message_id=$r{s} som eom initiator_token=0x51 target_token=$t{s}\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s} | response default_response message_id=0\n"
		"> rud_req pdc=a ar psn={p+2} | std deferrable_send message_id={m+2} som eom initiator_token=0x51 target_token=$t{s} | data 65\n"
		"< ack pdc=a ack_psn={p+2} | response message_id={m+2} return_code=ok  [UET-SES-36]\n"
		"received message_id={m+2} len=65 once  [RUD-SVC-2]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	{.needs = "send.tagged control",
	 .ids = "UET-SES-37",
	 .lines =
		"post post_recv len=64 count=1\n"
		"post post_recv len=64 count=1 tagged=1 tag=$tag\n"
		"> {q} ar psn={p} | std tagged_send message_id={m} som eom match_bits=$tag+1 | data 64\n"
		"< ack ack_psn={p}  [UET-ACK-15]\n"
		"> {q} ar psn={p+1} | std tagged_send message_id={m+1} som eom match_bits=$tag | data 64\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok  [UET-SES-36]\n"
		"received message_id={m} none, message_id={m+1} len=64 once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/* message ids above 255 */
	{.needs = "multi write",
	 .ids = "UET-SES-36",
	 .lines =
		"> {q} psn={p} ar | std {1:send/write} message_id={2:0x8105/0xfffe} som request_length=mtu+70 | data mtu\n"
		"< ack ack_psn={p} | response message_id={2=0x8105/0xfffe} return_code=ok\n"
		"> {q} psn={p+1} ar | std {1=send/write} message_id={2=0x8105/0xfffe} eom request_length=mtu+70 message_offset=mtu payload_length=70 | data 70\n"
		"< ack ack_psn={p+1} | response message_id={2=0x8105/0xfffe} return_code=ok lost\n"
		"> {q} psn={p+1} ar retx | same after rto\n"
		"< ack ack_psn={p+1} retx | response default_response message_id={2=0x8105/0xfffe}|0  [UET-SES-23]\n",
	 .psns = 2, .weight = 2},
	{.needs = "multi write",
	 .ids = "UET-SES-36",
	 .lines =
		"> {q} psn={p} ar | std {1:send/write} message_id={m} som request_length=2mtu+{2:1..255} | data mtu\n"
		"< ack ack_psn={p} | response message_id={m}|0 return_code=ok\n"
		"> {q} psn={p+1} ar | std {1=send/write} message_id={m} request_length=2mtu+{2} message_offset=mtu payload_length=mtu | data mtu\n"
		"< ack ack_psn={p+1} | response message_id={m}|0 return_code=ok\n"
		"> {q} psn={p+2} ar | std {1=send/write} message_id={m} eom request_length=2mtu+{2} message_offset=2mtu payload_length={2} | data {2}\n"
		"< ack ack_psn={p+2} | response message_id={m}|0 return_code=ok\n",
	 .psns = 3, .mids = 1, .weight = 4},
	{.needs = "multi",
	 .ids = "UET-SES-36",
	 .lines =
		"> {q} psn={p} | std send message_id={m} som request_length=24mtu | data mtu\n"
		"> {q} psn={p+1} | std send message_id={m} request_length=24mtu message_offset=1mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+2} | std send message_id={m} request_length=24mtu message_offset=2mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+3} | std send message_id={m} request_length=24mtu message_offset=3mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+4} | std send message_id={m} request_length=24mtu message_offset=4mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+5} | std send message_id={m} request_length=24mtu message_offset=5mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+6} | std send message_id={m} request_length=24mtu message_offset=6mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+7} | std send message_id={m} request_length=24mtu message_offset=7mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+8} | std send message_id={m} request_length=24mtu message_offset=8mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+9} | std send message_id={m} request_length=24mtu message_offset=9mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+10} | std send message_id={m} request_length=24mtu message_offset=10mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+11} | std send message_id={m} request_length=24mtu message_offset=11mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+12} | std send message_id={m} request_length=24mtu message_offset=12mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+13} | std send message_id={m} request_length=24mtu message_offset=13mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+14} | std send message_id={m} request_length=24mtu message_offset=14mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+15} | std send message_id={m} request_length=24mtu message_offset=15mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+16} | std send message_id={m} request_length=24mtu message_offset=16mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+17} | std send message_id={m} request_length=24mtu message_offset=17mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+18} | std send message_id={m} request_length=24mtu message_offset=18mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+19} | std send message_id={m} request_length=24mtu message_offset=19mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+20} | std send message_id={m} request_length=24mtu message_offset=20mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+21} | std send message_id={m} request_length=24mtu message_offset=21mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+22} | std send message_id={m} request_length=24mtu message_offset=22mtu payload_length=mtu | data mtu\n"
		"> {q} psn={p+23} ar | std send message_id={m} eom request_length=24mtu message_offset=23mtu payload_length=mtu | data mtu\n"
		"< acked {p+23}  [RUD-SVC-3]\n"
		"received message_id={m} len=24mtu once  [RUD-SVC-2]\n"
		"wait ack_time\n"
		"< any optional x 0..24\n"
		"> {q} psn={p+24} ar | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+24} cack_psn={p+24} | response  [UET-ACK-26:ack.cack_psn]\n",
	 .psns = 25, .mids = 2, .weight = 1},
	{.needs = "read return_data multi",
	 .ids = "RUD-SEQ-81",
	 .lines =
		"> rud_req psn={p} | std read message_id={m} som request_length=2mtu+12\n"
		"> rud_req psn={p+1} ar | std read message_id={m} request_length=2mtu+12 message_offset=mtu payload_length=mtu\n"
		"> rud_req psn={p+2} ar | std read message_id={m} eom request_length=2mtu+12 message_offset=2mtu payload_length=12\n"
		"any {\n"
		"  < ack ack_psn={p} optional  [RUD-SVC-3]\n"
		"  < ack ack_psn={p+1} req!=clear | response message_id={m}|0 return_code=ok\n"
		"  < ack ack_psn={p+2} req!=clear | response message_id={m}|0 return_code=ok\n"
		"  < rud_req psn=$x{s} | response_data response_message_id=$a{s} read_request_message_id={m} message_offset=0 | data mtu\n"
		"  < rud_req psn=$y{s} | response_data response_message_id=$b{s} read_request_message_id={m} message_offset=mtu | data mtu\n"
		"  < rud_req psn=$z{s} | response_data response_message_id=$c{s} read_request_message_id={m} message_offset=2mtu | data 12\n"
		"}\n"
		"> ack ack_psn={r+2} cack_psn={r+2} | response default_response\n",
	 .psns = 3, .mids = 1, .rets = 3, .flags = SCRIPT_RUD, .weight = 4},
	{.needs = "read ack_data.8",
	 .ids = "UET-SES-36",
	 .lines =
		"> {q} psn={p} ar | std read message_id={m} som eom request_length={1:1/3/7/8} buffer_offset=$memory_offset+{:3/1/11/501} | data 0\n"
		"< ack ack_psn={p} req=clear | response_data read_request_message_id={m} | data {1=1/3/7/8}\n"
		"> cp clear_command clear_psn={p}\n",
	 .psns = 1, .mids = 1, .weight = 3},
	{.ids = "RUD-SVC-3c",
	 .lines =
		"> rud_req psn={p} | std send message_id={m} som eom | data 64 lost\n"
		"> rud_req psn={p+1} ar | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} | response message_id={m+1} lost  [RUD-SVC-3]\n"
		"> rud_req retx ar psn={p+1} clear_psn={p-1} | same after rto\n"
		"< ack ack_psn={p+1} retx | response default_response\n"
		"> rud_req retx ar psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} retx | response message_id={m}  [RUD-SEQ-84b]\n"
		"delivered psn={p+1} once  [RUD-SVC-2]\n",
	 .psns = 2, .mids = 2, .flags = SCRIPT_RUD, .weight = 3},
	{.violates = "UET-PDC-48/src UET-SES-01/src UET-ENC-30/src RUD-SEQ-79/dst UET-PDC-23/src",
	 .ids = "UET-NACK-0F",
	 .lines =
		"> rud_req ar psn={p} | response_data | data 64\n"
		"< nack pdc_hdr_mismatch nack_psn={p} spdcid=0 payload=0\n"
		"never < ack ack_psn={p} for rto\n"
		"delivered psn={p} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.violates = "UET-PDC-25/src UET-PDC-07/src UET-PDC-17/src UET-PDC-37/src UET-PDC-48/src UET-PDC-23/src UET-PDC-15/src UET-PDC-38/src",
	 .ids = "UET-NACK-0E",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} spdcid=$b{s} dpdcid=$a{s} | response message_id={m}  [RUD-SVC-3]\n"
		"> rod_req ar psn={p+20001} clear_psn={p} dpdcid=$b{s}+20481 spdcid=$a{s}+1 | std send message_id={m+1} som eom | data 64\n"
		"< nack inv_dpdcid spdcid=0\n"
		"> rod_req ar psn={p+20001} clear_psn={p} spdcid=$a{s}+1 | std send message_id={m+1} som eom | data 64\n"
		"< nack pdc_hdr_mismatch spdcid=0  [UET-NACK-0F]\n"
		"> rod_req ar psn={p+20001} clear_psn={p} | std send message_id={m+1} som eom | data 64\n"
		"< nack pdc_mode_mismatch spdcid=$b{s}  [UET-NACK-16]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.refuse",
	 .violates = "UET-CP-05/dst UET-CP-05/src UET-ENC-48/src UET-ENC-48/dst UET-PDC-48/src UET-PDC-23/src",
	 .ids = "UET-NACK-19",
	 .lines =
		"> cp ctl_type=12 ar psn={p}\n"
		"< nack unexp_event nack_psn={p} optional\n"
		"> cp close_request ar psn={p}\n"
		"< nack unexp_event nack_psn={p}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 1},
	{.needs = "trim noop",
	 .ids = "UET-NACK-01",
	 .lines =
		"trim 16 > cp noop psn={p} nth=1\n"
		"> cp noop ar psn={p}\n"
		"never < ack for ack_time  [UET-CP-00]\n"
		"> cp noop ar retx psn={p} after rto\n"
		"< ack ack_psn={p} retx next_hdr=none|cp_ack  [UET-CP-00]\n",
	 .psns = 1, .weight = 2},
	{.needs = "probe ecn",
	 .ids = "UET-CP-06",
	 .lines =
		"mark_ce > cp probe nth=1\n"
		"> cp probe ar probe_opaque=0x11\n"
		"< ack p probe_opaque=0x11 m  [UET-ACK-02]\n"
		"> cp probe ar probe_opaque=0x8001\n"
		"< ack p probe_opaque=0x8001 m=0  [UET-ACK-02]\n",
	 .weight = 2},
	{.violates = "UET-PDC-12/src UET-PDC-24/src UET-PDC-48/src",
	 .ids = "UET-PDC-24",
	 .lines =
		"> {q} syn ar pdc=y{s} psn=$s{s} | std send message_id={m} som eom | data 64\n"
		"< ack pdc=y{s} ack_psn=$s{s} spdcid=$b{s} | response message_id={m}  [UET-PDC-08]\n"
		"> {q} syn ar pdc=y{s} psn=$s{s}+1 psn_offset=0 | std send message_id={m+1} som eom | data 64\n"
		"< nack pdc=y{s} invalid_syn nack_psn=$s{s}+1 spdcid=$b{s}  [UET-NACK-15]\n"
		"never < ack pdc=y{s} ack_psn=$s{s}+1 for rto  [UET-NACK-15]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.violates = "UET-PDC-12/src UET-RTX-05/src",
	 .ids = "UET-PDC-08",
	 .lines =
		"> {q} syn ar pdc=y{s} psn=$s{s} | std send message_id={m} som eom | data 64 lost\n"
		"> {q} syn ar pdc=y{s} psn=$s{s}+1 psn_offset=1 clear_psn=$s{s}-1 | std send message_id={m+1} som eom | data 64\n"
		"< ack pdc=y{s} ack_psn=$s{s}+1 cack_psn=$s{s}-1 spdcid=$b{s} | response message_id={m+1}\n"
		"> {q} syn retx ar pdc=y{s} psn=$s{s} psn_offset=0 clear_psn=$s{s}-1 | same after rto\n"
		"< ack pdc=y{s} ack_psn=$s{s} cack_psn=$s{s}+1 spdcid=$b{s} | response message_id={m}\n"
		"delivered pdc=y{s} psn=$s{s} once, pdc=y{s} psn=$s{s}+1 once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read return_data close.target",
	 .violates = "UET-PDC-43/src UET-PDC-42/src UET-PDC-48/src",
	 .ids = "UET-PDC-43",
	 .lines =
		"> {q} ar psn={p} | std read message_id={m} som eom request_length=mtu | data 0\n"
		"any {\n"
		"  < ack ack_psn={p} spdcid=$b{s} | response message_id={m}  [RUD-SVC-3]\n"
		"  < {q} psn={r} | response_data response_message_id=$r{s} read_request_message_id={m} | data mtu  [RUD-SEQ-79]\n"
		"}\n"
		"> cp close_command ar psn={p+1}\n"
		"never < ack ack_psn={p+1} for 0.5 rto\n"
		"> {q} ar psn={p+2} | std send message_id={m+1} som eom | data 64\n"
		"< nack closing nack_psn={p+2} spdcid=$b{s}  [UET-NACK-10]\n"
		"delivered psn={p+2} none  [UET-NACK-10]\n"
		"> ack ack_psn={r} cack_psn={r} | response message_id=$r{s}\n"
		"< ack ack_psn={p+1} cack_psn={p+1} next_hdr=none|cp_ack  [UET-CP-04]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "response.gtd close.target",
	 .ids = "UET-CP-04",
	 .lines =
		"respond gtd\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} req=clear | response message_id={m}  [RUD-SVC-3b]\n"
		"> cp close_command ar psn={p+1}\n"
		"< ack ack_psn={p+1} cack_psn={p+1} next_hdr=none|cp_ack req!=clear\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.ask close.target close.initiator",
	 .violates = "UET-PDC-42/src UET-PDC-46/src UET-PDC-23/src UET-PDC-48/src",
	 .ids = "UET-PDC-42",
	 .lines =
		"post ask_close by={1:ack/cp}\n"
		"> {q} ar psn={p} | std send message_id={m} som eom | data 64\n"
		"any {\n"
		"  < ack ack_psn={p} | response message_id={m}  [RUD-SVC-3]\n"
		"  < cp close_request ar psn=$q{s} optional  [UET-CP-05]\n"
		"}\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	{.needs = "close.target noop",
	 .violates = "UET-PDC-42/src UET-PDC-46/src UET-PDC-23/src UET-PDC-48/src",
	 .ids = "UET-NACK-0E",
	 .lines =
		"> cp close_command ar psn={p}\n"
		"< ack ack_psn={p} next_hdr=none|cp_ack  [UET-CP-04]\n"
		"> {:cp noop ar/cp close_command ar} psn={p+1}\n"
		"< nack inv_dpdcid nack_psn={p+1} spdcid=0\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "read return_data",
	 .violates = "UET-ENC-47/dst",
	 .ids = "RUD-SVC-4",
	 .lines =
		"> {q} ar psn={p} | std read message_id={m} som eom request_length=mtu\n"
		"any {\n"
		"  < ack ack_psn={p} | response message_id={m}  [RUD-SVC-3]\n"
		"  < {q} psn={r} | response_data response_message_id=$r{s} read_request_message_id={m} | data mtu  [RUD-SEQ-79]\n"
		"}\n"
		"> nack {1:no_pkt_buffer/trimmed/no_resource} nack_psn={r} vendor_code=0x0e payload=0xdeadbeef\n"
		"< {q} psn={r} retx | same within nack_time  [UET-RTX-01]\n"
		"> ack ack_psn={r} cack_psn={r} retx | response message_id=$r{s}\n",
	 .psns = 1, .mids = 1, .rets = 1, .weight = 2},
	{.ids = "RUD-SVC-3",
	 .lines =
		"rewrite udp_checksum={:0x1234/0xffff} > {q} psn={p}\n"
		"> {q} ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m}\n"
		"delivered psn={p} once\n",
	 .psns = 1, .mids = 1, .weight = 1},
	{.ids = "RUD-SVC-3",
	 .lines =
		"rewrite padding=18 > {q} psn={p}\n"
		"> {q} ar psn={p} | std send message_id={m} som eom | data 8\n"
		"< ack ack_psn={p} | response message_id={m} modified_length=8|0\n"
		"received message_id={m} len=8 once\n",
	 .psns = 1, .mids = 1, .weight = 1},
	{.ids = "RUD-SVC-2",
	 .lines =
		"> {q} ar psn={p} | std send message_id={m} som eom | data 0\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [RUD-SVC-3]\n"
		"received message_id={m} len=0 once\n",
	 .psns = 1, .mids = 1, .weight = 2},
	{.violates = "MODE-RUD-3/src RUD-SVC-5/src UET-ENC-37/src",
	 .ids = "RUD-SVC-3",
	 .lines =
		"> rud_req psn={p} | std send message_id={m} som eom | data 64\n"
		"> rud_req psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"> rud_req psn={p+2} | std send message_id={m+2} som eom | data 64\n"
		"> rud_req ar psn={p+3} | std send message_id={m+3} som eom | data 64\n"
		"< ack ack_psn={p+3} | response\n"
		"wait ack_time\n"
		"< any optional x 0..3\n"
		"> rud_req ar psn={p+4} | std send message_id={m+4} som eom | data 64\n"
		"< ack ack_psn={p+4} cack_psn={p+4} | response\n"
		"> rud_req retx ar psn={p+2} clear_psn={p+4} | same after rto\n"
		"< ack ack_psn={p+2} cack_psn={p+4} retx req!=clear | response default_response message_id={m+2}|0  [RUD-SVC-3c]\n"
		"> rud_req retx ar psn={p} clear_psn={p+4} | same\n"
		"< ack ack_psn={p} cack_psn={p+4} retx req!=clear | response default_response message_id={m}|0  [RUD-SVC-3c]\n"
		"delivered psn={p} once, psn={p+2} once  [RUD-SVC-2]\n",
	 .psns = 5, .mids = 5, .flags = SCRIPT_RUD, .weight = 2},
	{.needs = "read.small return_data",
	 .ids = "UET-SES-21",
	 .lines =
		"> {q} psn={p} ar | small read som eom request_length=mtu\n"
		"any {\n"
		"  < ack ack_psn={p} | response  [RUD-SVC-3]\n"
		"  < {q} psn={r} | response_data_small original_request_psn={p} | data mtu\n"
		"}\n"
		"> ack ack_psn={r} cack_psn={r} | response\n",
	 .psns = 1, .rets = 1, .weight = 2},
	{.needs = "ack_data read.medium",
	 .ids = "UET-SES-21",
	 .lines =
		"> {q} psn={p} ar | medium read som eom request_length=$ack_data\n"
		"< ack ack_psn={p} req=clear | response_data_small original_request_psn={p} | data $ack_data\n"
		"> cp clear_command clear_psn={p}\n",
	 .psns = 1, .weight = 2},
	{.needs = "multi response.nack",
	 .ids = "RUD-SEQ-82c",
	 .lines =
		"> {q} ar psn={p} | std send message_id={m} som request_length=3mtu | data mtu\n"
		"< ack ack_psn={p}  [UET-ACK-15]\n"
		"respond nack=no_pkt_buffer times=1\n"
		"> {q} ar psn={p+1} | std send message_id={m} request_length=3mtu message_offset=mtu payload_length=mtu | data mtu\n"
		"< nack no_pkt_buffer nack_psn={p+1}  [RUD-SEQ-82c:nack.missing UET-NACK-07]\n"
		"> {q} retx ar psn={p+1} | same after nack_time\n"
		"< ack ack_psn={p+1} retx  [RUD-SEQ-82c RUD-SEQ-84c]\n"
		"> {q} ar psn={p+2} | std send message_id={m} eom request_length=3mtu message_offset=2mtu payload_length=mtu | data mtu\n"
		"< ack ack_psn={p+2}\n"
		"received message_id={m} len=3mtu once  [RUD-SVC-2]\n",
	 .psns = 3, .mids = 1, .weight = 2},
	{.needs = "response.gtd control.pds",
	 .ids = "UET-CP-03",
	 .lines =
		"respond gtd\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m}  [UET-ACK-17]\n"
		"respond default\n"
		"post send_cp cp=clear_request payload=$start+{p-99}\n"
		"< cp clear_request psn==0 ar=0 clear_psn={p} exact\n"
		"> cp clear_command clear_psn={p}\n"
		"> rud_req ar psn={p+1} clear_psn={p} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} cack_psn={p+1} | response message_id={m+1}  [RUD-SVC-7 UET-ACK-15]\n",
	 .psns = 2, .mids = 2, .flags = SCRIPT_RUD, .weight = 2},
	{.needs = "send.tagged control",
	 .ids = "UET-SES-37",
	 .lines =
		"post post_recv len=64 count=1 tagged=1 tag=0x40001000\n"
		"> {q} ar psn={p} | std tagged_send message_id={m} som eom match_bits={:0x40001001/0x1000/0x48001000/0x8000000040001000/0x140001000/0} | data 64\n"
		"< any optional\n"
		"received message_id={m} none\n"
		"> {q} ar psn={p+1} | std tagged_send message_id={m+1} som eom match_bits=0x40001000 | data 64 after ack_time\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok\n"
		"received message_id={m+1} len=64 once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.tagged multi control",
	 .ids = "UET-SES-37",
	 .lines =
		"post post_recv len=64 count=1 tagged=1 tag={1:7/0x4000000000000000}\n"
		"post post_recv len=2mtu count=1 tagged=1 tag={2:0xfedcba9876543210/1}\n"
		"> {q} ar psn={p} | std tagged_send message_id={m} som request_length=2mtu match_bits={2=0xfedcba9876543210/1} | data mtu\n"
		"< ack ack_psn={p} | response message_id={m}|0 return_code=ok\n"
		"> {q} ar psn={p+1} | std tagged_send message_id={m} eom request_length=2mtu message_offset=mtu match_bits={2=0xfedcba9876543210/1} | data mtu\n"
		"< ack ack_psn={p+1} | response message_id={m}|0 return_code=ok\n"
		"received message_id={m} len=2mtu once\n"
		"> {q} ar psn={p+2} | std tagged_send message_id={m+1} som eom match_bits={1=7/0x4000000000000000} | data 64\n"
		"< ack ack_psn={p+2} | response message_id={m+1} return_code=ok\n"
		"received message_id={m+1} len=64 once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "multi ses_msgs.2",
	 .violates = "RUD-SEQ-79a/src UET-PDC-12/src",
	 .ids = "UET-SES-36:ses.return_code",
	 .lines =
		"> {q} syn ar pdc=y{s} psn=$s{s} | std send message_id={m} som request_length=mtu+40 | data mtu\n"
		"< ack pdc=y{s} ack_psn=$s{s} | response message_id={m} return_code=ok\n"
		"> {q} syn ar pdc=z{s} psn=$t{s} | std send message_id={m} som request_length=2mtu+9 | data mtu\n"
		"< ack pdc=z{s} ack_psn=$t{s} | response message_id={m} return_code=ok\n"
		"> {q} ar pdc=y{s} psn=$s{s}+1 clear_psn=$s{s} | std send message_id={m} eom request_length=mtu+40 message_offset=mtu payload_length=40 | data 40\n"
		"< ack pdc=y{s} ack_psn=$s{s}+1 | response message_id={m} return_code=ok\n"
		"> {q} ar pdc=z{s} psn=$t{s}+1 clear_psn=$t{s} | std send message_id={m} request_length=2mtu+9 message_offset=mtu payload_length=mtu | data mtu\n"
		"< ack pdc=z{s} ack_psn=$t{s}+1 | response message_id={m} return_code=ok\n"
		"> {q} ar pdc=z{s} psn=$t{s}+2 clear_psn=$t{s}+1 | std send message_id={m} eom request_length=2mtu+9 message_offset=2mtu payload_length=9 | data 9\n"
		"< ack pdc=z{s} ack_psn=$t{s}+2 | response message_id={m} return_code=ok\n"
		"received message_id={m} len=mtu+40 once, message_id={m} len=2mtu+9 once  [RUD-SVC-2]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/* a read around the limit of what an ACK may carry */
	{.needs = "read return_data ack_data",
	 .ids = "RUD-SVC-8 UET-SES-36:ses.return_code",
	 .lines =
		"> {q} psn={p} ar | std read message_id={m} som eom request_length=$ack_data{1:+1/-1/}\n"
		"one {\n"
		"  < ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-36:ses.return_code]\n"
		"  < {q} psn={r} | response_data response_message_id=$r{s} read_request_message_id={m} | data $ack_data{1=+1/-1/}  [RUD-SEQ-79]\n"
		"  > ack ack_psn={r} | response message_id=$r{s}\n"
		"or\n"
		"  < ack ack_psn={p} | response_data read_request_message_id={m} return_code=ok | data $ack_data{1=+1/-1/}\n"
		"or\n"
		"  < {q} psn={r} | response_data response_message_id=$r{s} read_request_message_id={m} | data $ack_data{1=+1/-1/}  [RUD-SEQ-79]\n"
		"  < ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-36:ses.return_code]\n"
		"  > ack ack_psn={r} | response message_id=$r{s}\n"
		"}\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "UET-SES-36",
	 .lines =
		"corrupt bits=175 > rud_req psn={p+1}\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok\n"
		"> rud_req ar psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} | response  [I13 PDS-SVC-5:ack.missing]\n"
		"> rud_req ar psn={p+2} clear_psn={p+1} | std send message_id={m+2} som eom | data 64\n"
		"< ack ack_psn={p+2} cack_psn={p+2} | response message_id={m+2} return_code=ok  [UET-SES-36 UET-ACK-26]\n"
		"delivered psn={p} once, psn={p+2} once  [MODE-RUD-1]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .ids = "UET-SES-36",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som eom hd header_data=0x40 | data 96\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok\n"
		"received message_id={m} len=96 once  [RUD-SVC-2]\n"
		"> rud_req ar psn={p+1} | std send message_id={m+1} som hd header_data=0xfedcba9800000020 request_length=mtu+40 | data mtu\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok\n"
		"> rud_req ar psn={p+2} | std send message_id={m+1} eom request_length=mtu+40 message_offset=mtu payload_length=40 | data 40\n"
		"< ack ack_psn={p+2} | response message_id={m+1} return_code=ok\n"
		"received message_id={m+1} len=mtu+40 once  [RUD-SVC-2]\n"
		"> rud_req ar psn={p+3} | medium send som eom hd header_data=0x8000000000000010 | data 33\n"
		"< ack ack_psn={p+3} | response return_code=ok\n"
		"received len=33 once  [RUD-SVC-2]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read response.delay return_data pkt_buffers.2",
	 .ids = "MODE-ROD-4",
	 .lines =
		"respond delay=ses_time times=1\n"
		"> rod_req psn={p} clear_psn={p-1} ar | std read message_id={m} som eom request_length=mtu\n"
		"> rod_req psn={p+1} clear_psn={p-1} ar | std read message_id={m+1} som eom request_length=mtu\n"
		"any {\n"
		"  < ack ack_psn={p} cack_psn={p}..{p+1} within ses_time + 2 ack_time optional\n"
		"  < ack ack_psn={p+1} cack_psn={p+1} within ses_time + 2 ack_time\n"
		"  < rod_req psn=$p{s} clear_psn={r-1} | response_data response_message_id=$r{s} read_request_message_id={m} | data mtu within ses_time + 2 ack_time  [MODE-ROD-5]\n"
		"  < rod_req psn=$q{s} clear_psn={r-1} | response_data response_message_id=$s{s} read_request_message_id={m+1} | data mtu within ses_time + 2 ack_time  [MODE-ROD-5]\n"
		"}\n"
		"> ack ack_psn=$p{s} cack_psn=$p{s} | response message_id=$r{s}\n"
		"> ack ack_psn=$q{s} cack_psn=$q{s} | response message_id=$s{s}\n"
		"delivered psn={p} once, psn={p+1} once  [MODE-ROD-1]\n",
	 .flags = SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.deferrable multi control stored.2",
	 .ids = "UET-ACK-15",
	 .lines =
		"post post_recv len=64 count=1\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-36]\n"
		"received message_id={m} len=64 once  [RUD-SVC-2]\n"
		"> rud_req psn={p+1} | std deferrable_send message_id={m+1} som request_length=mtu+5 initiator_token=7 | data mtu lost\n"
		"> rud_req ar psn={p+2} | std deferrable_send message_id={m+1} eom request_length=mtu+5 message_offset=mtu | data 5\n"
		"one {\n"
		"  < ack ack_psn={p+2} | response list=overflow modified_length=0\n"
		"  post post_recv len=mtu+5 count=1\n"
		"  > rud_req retx ar psn={p+1} | same\n"
		"  any {\n"
		"    < ack pdc=a ack_psn={p+1}\n"
		"    < rud_req syn pdc=b psn=$s{s} | std deferrable_rtr message_id=$r{s} som eom initiator_token=7 target_token=$t{s}  [UET-SES-35/src UET-PDC-11:req.missing]\n"
		"  }\n"
		"  > ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"  > rud_req pdc=a ar psn={p+3} | std deferrable_send message_id={m+2} som request_length=mtu+5 initiator_token=7 target_token=$t{s} | data mtu\n"
		"  < ack pdc=a ack_psn={p+3} | response message_id={m+2} return_code=ok  [UET-SES-36]\n"
		"  > rud_req pdc=a ar psn={p+4} | std deferrable_send message_id={m+2} eom request_length=mtu+5 message_offset=mtu | data 5\n"
		"  < ack pdc=a ack_psn={p+4} | response message_id={m+2} return_code=ok  [UET-SES-36]\n"
		"  received message_id={m+2} len=mtu+5 once  [RUD-SVC-2]\n"
		"  received message_id={m+1} none  [RUD-SVC-2]\n"
		"or\n"
		"  < ack ack_psn={p+2} | response return_code=no_match|dropped\n"
		"  post post_recv len=mtu+5 count=1\n"
		"  > rud_req retx ar psn={p+1} | same\n"
		"  any {\n"
		"    < ack pdc=a ack_psn={p+1}\n"
		"    < rud_req syn pdc=b psn=$s{s} | std deferrable_rtr message_id=$r{s} som eom initiator_token=7 target_token=$t{s}  [UET-SES-35/src UET-PDC-11:req.missing]\n"
		"  }\n"
		"  > ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"  > rud_req pdc=a ar psn={p+3} | std deferrable_send message_id={m+2} som request_length=mtu+5 initiator_token=7 target_token=$t{s} | data mtu\n"
		"  < ack pdc=a ack_psn={p+3} | response message_id={m+2} return_code=ok  [UET-SES-36]\n"
		"  > rud_req pdc=a ar psn={p+4} | std deferrable_send message_id={m+2} eom request_length=mtu+5 message_offset=mtu | data 5\n"
		"  < ack pdc=a ack_psn={p+4} | response message_id={m+2} return_code=ok  [UET-SES-36]\n"
		"  received message_id={m+2} len=mtu+5 once  [RUD-SVC-2]\n"
		"  received message_id={m+1} none  [RUD-SVC-2]\n"
		"or\n"
		"  < ack ack_psn={p+2}\n"
		"  post post_recv len=mtu+5 count=1\n"
		"  > rud_req retx ar psn={p+1} | same\n"
		"  < ack pdc=a ack_psn={p+1}\n"
		"}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.rendezvous",
	 .ids = "UET-SES-35/src:req.missing UET-SES-35/src",
	 .lines =
		"> rod_req ar psn={p} | std rendezvous_send message_id={m} som eom request_length=264 | rendezvous eager_length=64 read_offset=0x5000 read_memory_key=0x99 | data 64\n"
		"one {\n"
		"  < ack pdc=a ack_psn={p} | response message_id={m}  [UET-ACK-15]\n"
		"  one {\n"
		"    < rod_req syn pdc=b psn=$s{s} | std read message_id=$r{s} buffer_offset=0x5000|0x5040 match_bits=0x99 | data 0\n"
		"    > ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"    > rod_req pdc=b psn=$x{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=0 | data 200\n"
		"  or\n"
		"    < rud_req syn pdc=b psn=$s{s} | std read message_id=$r{s} buffer_offset=0x5000|0x5040 match_bits=0x99 | data 0\n"
		"    > ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"    > rud_req pdc=b psn=$x{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=0 | data 200\n"
		"  }\n"
		"or\n"
		"  < rod_req syn pdc=b psn=$s{s} | std read message_id=$r{s} buffer_offset=0x5000|0x5040 match_bits=0x99 | data 0\n"
		"  < ack pdc=a ack_psn={p} | response message_id={m}  [UET-ACK-15]\n"
		"  > ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"  > rod_req pdc=b psn=$x{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=0 | data 200\n"
		"or\n"
		"  < rud_req syn pdc=b psn=$s{s} | std read message_id=$r{s} buffer_offset=0x5000|0x5040 match_bits=0x99 | data 0\n"
		"  < ack pdc=a ack_psn={p} | response message_id={m}  [UET-ACK-15]\n"
		"  > ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$x{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=0 | data 200\n"
		"}\n"
		"< acked $x{s}  [UET-ACK-15/src]\n"
		"received message_id={m} len=264 once  [MODE-ROD-1]\n"
		"> rod_req pdc=a ar psn={p+1} | std send message_id={m+1} som eom | data 8\n"
		"< ack pdc=a ack_psn={p+1} | response message_id={m+1} return_code=ok  [UET-SES-36]\n"
		"received message_id={m+1} len=8 once  [MODE-ROD-1]\n",
	 .flags = SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "response.code",
	 .violates = "MODE-RUD-3/src",
	 .ids = "RUD-SVC-3c RUD-SVC-7:ack.resend UET-PDC-40",
	 .lines =
		"respond return_code=no_match times=1\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m} return_code=no_match lost  [RUD-SEQ-76]\n"
		"> rud_req retx ar psn={p} clear_psn={p-1} | same after rto\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear retx | response message_id={m} return_code=no_match  [RUD-SVC-3b]\n"
		"> rud_req retx ar psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear retx | response message_id={m} return_code=no_match  [RUD-SVC-3b RUD-SVC-3d]\n"
		"> cp clear_command clear_psn={p}\n"
		"> rud_req retx ar psn={p} clear_psn={p-1} | same\n"
		"one {\n"
		"  < ack ack_psn={p} cack_psn={p} req!=clear retx | response default_response message_id={m}|0 job_id=$job_id\n"
		"or\n"
		"  < ack ack_psn={p} cack_psn={p} req!=clear retx | response default_response message_id={m}|0 job_id=$j{s}\n"
		"  check $j{s} = 0  [UET-SES-23:req.in_flight]\n"
		"}\n"
		"delivered psn={p} once  [MODE-RUD-1 MODE-RUD-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "write multi",
	 .ids = "RUD-SVC-3",
	 .lines =
		"respond ok\n"
		"hold > rud_req psn={p} nth=1 until > rud_req psn={p+2}\n"
		"hold > rud_req psn={p+2} nth=1 until < ack ack_psn={p+3}\n"
		"hold > rud_req psn={p+5} nth=1 until < ack ack_psn={p+4}\n"
		"hold < ack ack_psn={p+3} nth=1 until > rud_req psn={p+4}\n"
		"> rud_req psn={p} clear_psn={p-1} | std write message_id={m} som request_length=4mtu | data mtu\n"
		"wait ack_time\n"
		"> rud_req psn={p+1} clear_psn={p-1} ar | std write message_id={m} request_length=4mtu message_offset=mtu | data mtu\n"
		"< ack ack_psn={p+1} cack_psn={p-1} req!=clear | response message_id={m} return_code=ok  [RUD-SEQ-77 RUD-SVC-3 UET-ACK-15 UET-ACK-26 UET-SES-36:ses.return_code]\n"
		"delivered psn={p+1} once  [MODE-RUD-1 RUD-SVC-2 MODE-RUD-2:delivered.missing]\n"
		"> rud_req psn={p+2} clear_psn={p-1} | std write message_id={m} request_length=4mtu message_offset=2mtu | data mtu\n"
		"wait ack_time\n"
		"> rud_req psn={p+3} clear_psn={p-1} ar | std write message_id={m} eom request_length=4mtu message_offset=3mtu | data mtu\n"
		"delivered psn={p+3} once, psn={p+2} once  [MODE-RUD-1 RUD-SVC-2]\n"
		"> rud_req psn={p+4} clear_psn={p-1} ar | std write message_id={m+1} som request_length=2mtu | data mtu after 2 ack_time\n"
		"any {\n"
		"  < ack ack_psn={p} cack_psn={p+1} optional\n"
		"  < ack ack_psn={p+2} cack_psn={p+3} optional\n"
		"  < ack ack_psn={p+3} cack_psn={p+1} req!=clear | response message_id={m}|0 return_code=ok  [RUD-SEQ-77 UET-ACK-26]\n"
		"}\n"
		"> rud_req psn={p+5} clear_psn={p+1} | std write message_id={m+1} eom request_length=2mtu message_offset=mtu | data mtu\n"
		"any {\n"
		"  < ack ack_psn={p+2} cack_psn={p+3}..{p+4} optional\n"
		"  < ack ack_psn={p+4} cack_psn={p+4} req!=clear | response message_id={m+1}|0 return_code=ok  [RUD-SEQ-77 UET-ACK-26]\n"
		"}\n"
		"< ack ack_psn={p+5} cack_psn={p+5} req!=clear | response optional  [RUD-SEQ-77]\n"
		"delivered psn={p} once, psn={p+2} once, psn={p+3} once, psn={p+4} once, psn={p+5} once  [MODE-RUD-1 RUD-SVC-2 RUD-SEQ-77]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .ids = "UET-SES-36",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som request_length=3mtu | data mtu\n"
		"< ack ack_psn={p} | response return_code=ok\n"
		"> rud_req ar psn={p+1} | std send message_id={m} request_length=3mtu message_offset=mtu | data mtu\n"
		"< ack ack_psn={p+1} | response return_code=ok\n"
		"> rud_req ar psn={p+2} | std msg_error message_id={m} eom ie request_length=3mtu message_offset=2mtu payload_length=0\n"
		"one {\n"
		"  < ack ack_psn={p+2} | response  [I13 PDS-SVC-5:ack.missing]\n"
		"or\n"
		"  < nack nack_psn={p+2}  [I13]\n"
		"}\n"
		"> rud_req ar psn={p+3} | std send message_id={m+1} som eom | data 64 after ack_time\n"
		"< ack ack_psn={p+3} | response message_id={m+1} return_code=ok  [I13:ack.missing UET-ACK-15 UET-SES-36]\n"
		"received message_id={m+1} len=64 once  [I13]\n"
		"received message_id={m} none  [UET-SES-38:received.count]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.refuse",
	 .violates = "UET-CP-05/dst UET-CP-05/src UET-ENC-48/src UET-ENC-48/dst UET-PDC-48/src UET-PDC-23/src",
	 .ids = "UET-NACK-19",
	 .lines =
		"> cp close_request ar psn={p}\n"
		"< nack unexp_event nack_psn={p} spdcid=$b{s}\n"
		"> cp ctl_type=12 ar psn={p+1}\n"
		"< nack unexp_event nack_psn={p+1} spdcid=$b{s} optional\n"
		"> cp ctl_type=15 ar psn={p+2}\n"
		"< nack unexp_event nack_psn={p+2} spdcid=$b{s} optional\n"
		"> rud_req ar psn={p+3} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p+3} cack_psn={p-1} spdcid=$b{s} | response message_id={m}  [UET-ACK-15]\n"
		"delivered psn={p+3} once  [MODE-RUD-1]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.initiator",
	 .ids = "UET-ACK-04",
	 .lines =
		"post ask_close by=ack\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p} req=close | response message_id={m}\n"
		"> rud_req ar psn={p+1} clear_psn={p} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} cack_psn={p+1} req=close | response message_id={m+1}\n"
		"> cp close_command ar psn={p+2}\n"
		"< ack ack_psn={p+2} cack_psn={p+2} next_hdr=none|cp_ack  [UET-CP-04]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "write ids.exact",
	 .ids = "UET-SES-39:ses.return_code",
	 .lines =
		"> rud_req ar psn={p} | std write message_id={m} som eom job_id=$job_id+1 | data 8\n"
		"< ack ack_psn={p} | response message_id={m} return_code!=ok\n"
		"> rud_req ar psn={p+1} clear_psn={p} | std write message_id={m+1} som eom job_id=$job_id+0x800000 | data 8\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code!=ok\n"
		"> rud_req ar psn={p+2} clear_psn={p+1} | std write message_id={m+2} som eom pid_on_fep=$pid_on_fep+1 | data 8\n"
		"< ack ack_psn={p+2} | response message_id={m+2} return_code!=ok\n"
		"> rud_req ar psn={p+3} clear_psn={p+2} | std write message_id={m+3} som eom pid_on_fep=$pid_on_fep+0x800 | data 8\n"
		"< ack ack_psn={p+3} | response message_id={m+3} return_code!=ok\n"
		"> rud_req ar psn={p+4} clear_psn={p+3} | std write message_id={m+4} som eom resource_index=$resource_index+1 | data 8\n"
		"< ack ack_psn={p+4} | response message_id={m+4} return_code!=ok\n"
		"> rud_req ar psn={p+5} clear_psn={p+4} | std write message_id={m+5} som eom resource_index=$resource_index+0x800 | data 8\n"
		"< ack ack_psn={p+5} | response message_id={m+5} return_code!=ok\n"
		"> rud_req ar psn={p+6} clear_psn={p+5} | std write message_id={m+6} som eom match_bits=$memory_key+1 | data 8\n"
		"< ack ack_psn={p+6} | response message_id={m+6} return_code!=ok\n"
		"> rud_req ar psn={p+7} clear_psn={p+6} | std write message_id={m+7} som eom | data 8\n"
		"< ack ack_psn={p+7} | response message_id={m+7} return_code=ok  [UET-SES-36:ses.return_code]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read close.target return_data",
	 .violates = "UET-PDC-43/src MODE-RUD-3/src",
	 .ids = "RUD-SEQ-79",
	 .lines =
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p} | response message_id={m}  [RUD-SVC-3]\n"
		"> rud_req ar psn={p+1} clear_psn={p} | std read message_id={m+1} som eom request_length=mtu | data 0\n"
		"any {\n"
		"  < ack ack_psn={p+1} cack_psn={p+1} | response message_id={m+1}\n"
		"  < rud_req psn={r} clear_psn={r-1} | response_data response_message_id=$r{s} read_request_message_id={m+1} | data mtu\n"
		"}\n"
		"> cp close_command ar psn={p+2}\n"
		"never < ack ack_psn={p+2} for 0.2 rto  [UET-PDC-45]\n"
		"> rud_req retx ar psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p+1}|{p+2} retx | response  [RUD-SVC-3c UET-NACK-10:ack.type]\n"
		"delivered psn={p} once  [RUD-SVC-2]\n"
		"> ack ack_psn={r} cack_psn={r} | response message_id=$r{s}\n"
		"< ack ack_psn={p+2} cack_psn={p+2} next_hdr=none|cp_ack  [UET-CP-04 UET-PDC-45]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read multi return_data ses_msgs.2",
	 .ids = "UET-SES-19",
	 .lines =
		"hold > rud_req psn={p+1} nth=1 until < ack ack_psn={p+2}\n"
		"> rud_req ar psn={p} | std send message_id=0x8105 som request_length=mtu+8 | data mtu\n"
		"< ack ack_psn={p} | response message_id=0x8105 return_code=ok\n"
		"> rud_req ar psn={p+1} | std send message_id=0x8105 eom request_length=mtu+8 message_offset=mtu payload_length=8 | data 8\n"
		"> rud_req ar psn={p+2} | std send message_id=0x8205 som request_length=mtu+70 | data mtu\n"
		"any {\n"
		"  < ack ack_psn={p+2} | response message_id=0x8205 return_code=ok\n"
		"  < ack ack_psn={p+1} | response message_id=0x8105 return_code=ok\n"
		"}\n"
		"> rud_req ar psn={p+3} | std send message_id=0x8205 eom request_length=mtu+70 message_offset=mtu payload_length=70 | data 70\n"
		"< ack ack_psn={p+3} | response message_id=0x8205 return_code=ok lost\n"
		"received message_id=0x8105 len=mtu+8 once, message_id=0x8205 len=mtu+70 once  [RUD-SVC-2]\n"
		"> rud_req ar retx psn={p+3} | same after rto\n"
		"< ack ack_psn={p+3} retx | response default_response message_id=0x8205|0  [UET-SES-23]\n"
		"> rud_req ar psn={p+4} | std read message_id=0xfffe som eom request_length=mtu\n"
		"any {\n"
		"  < ack ack_psn={p+4} | response message_id=0xfffe return_code=ok\n"
		"  < rud_req psn={r} | response_data response_message_id=$r{s} read_request_message_id=0xfffe message_offset=0 | data mtu  [UET-SES-21]\n"
		"}\n"
		"> ack ack_psn={r} | response message_id=$r{s}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "write read memory.end",
	 .ids = "I12:ses.return_code",
	 .lines =
		"> rud_req ar psn={p} | std write message_id={m} som eom buffer_offset=$memory_end-8 | data 8\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-36]\n"
		"> rud_req ar psn={p+1} | std write message_id={m+1} som eom buffer_offset=$memory_end-7 | data 8\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code!=ok\n"
		"> rud_req ar psn={p+2} clear_psn={p+1} | std read message_id={m+2} som eom request_length=8 buffer_offset=$memory_end-7\n"
		"< ack ack_psn={p+2} | response message_id={m+2} return_code!=ok\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "trim",
	 .ids = "UET-NACK-01 UET-ENC-14:nack.type",
	 .lines =
		"trim 156 > rud_req psn={p} nth=1\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data mtu\n"
		"< nack trimmed nack_psn={p}\n"
		"> rud_req ar retx psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p} retx | response message_id={m}  [UET-ACK-18]\n"
		"received message_id={m} len=mtu once  [MODE-RUD-1]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.rendezvous multi",
	 .ids = "UET-SES-35/src:req.missing UET-SES-35/src",
	 .lines =
		"> rud_req psn={p} | std rendezvous_send message_id={m} som eom request_length=2mtu+76 | rendezvous eager_length=64 read_offset=0x5000 read_memory_key=0x99 | data 64\n"
		"< rud_req syn pdc=b psn=$s{s} | std read message_id=$r{s} som buffer_offset=0x5000|0x5040 match_bits=0x99 | data 0\n"
		"> ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"> rud_req pdc=b psn=$x{s} | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=0 | data mtu\n"
		"one {\n"
		"  < rud_req pdc=b psn=$t{s} | std read message_id=$r{s} request_length=2mtu+12 message_offset=mtu | data 0\n"
		"  > ack pdc=b ack_psn=$t{s} cack_psn=$t{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$y{s} | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=mtu | data mtu\n"
		"  < rud_req pdc=b psn=$u{s} | std read message_id=$r{s} eom request_length=2mtu+12 message_offset=2mtu | data 0\n"
		"  > ack pdc=b ack_psn=$u{s} cack_psn=$u{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$z{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=2mtu | data 12\n"
		"or\n"
		"  < rud_req pdc=b psn=$t{s} | std read message_id=$r{s} eom request_length=2mtu+12 message_offset=2mtu | data 0\n"
		"  > ack pdc=b ack_psn=$t{s} cack_psn=$t{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$y{s} | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=2mtu | data 12\n"
		"  < rud_req pdc=b psn=$u{s} | std read message_id=$r{s} request_length=2mtu+12 message_offset=mtu | data 0\n"
		"  > ack pdc=b ack_psn=$u{s} cack_psn=$u{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$z{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=mtu | data mtu\n"
		"or\n"
		"  < rud_req pdc=b psn=$t{s} | std read message_id=$q{s} som eom buffer_offset=mtu+20480|mtu+20544 request_length=mtu | data 0\n"
		"  > ack pdc=b ack_psn=$t{s} cack_psn=$t{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$y{s} | response_data response_message_id=4 read_request_message_id=$q{s} message_offset=0 | data mtu\n"
		"  < rud_req pdc=b psn=$u{s} | std read message_id=$p{s} som eom buffer_offset=2mtu+20480|2mtu+20544 request_length=12 | data 0\n"
		"  > ack pdc=b ack_psn=$u{s} cack_psn=$u{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$z{s} ar | response_data response_message_id=5 read_request_message_id=$p{s} message_offset=0 | data 12\n"
		"or\n"
		"  < rud_req pdc=b psn=$t{s} | std read message_id=$q{s} som eom buffer_offset=2mtu+20480|2mtu+20544 request_length=12 | data 0\n"
		"  > ack pdc=b ack_psn=$t{s} cack_psn=$t{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$y{s} | response_data response_message_id=4 read_request_message_id=$q{s} message_offset=0 | data 12\n"
		"  < rud_req pdc=b psn=$u{s} | std read message_id=$p{s} som eom buffer_offset=mtu+20480|mtu+20544 request_length=mtu | data 0\n"
		"  > ack pdc=b ack_psn=$u{s} cack_psn=$u{s} | response default_response message_id=0\n"
		"  > rud_req pdc=b psn=$z{s} ar | response_data response_message_id=5 read_request_message_id=$p{s} message_offset=0 | data mtu\n"
		"}\n"
		"< acked $x{s}..$z{s}  [UET-ACK-15/src]\n"
		"received message_id={m} len=2mtu+76 once  [RUD-SVC-2]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "response.code",
	 .ids = "UET-ACK-21 UET-SES-32 RUD-NACK-1 UET-SES-20:ses.modified_length",
	 .lines =
		"respond return_code=no_match times=1\n"
		"> rud_req psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m} return_code=no_match modified_length=0\n"
		"> rud_req retx ar psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear retx | response message_id={m} return_code=no_match  [RUD-SVC-3b RUD-NACK-1]\n"
		"> cp clear_command clear_psn={p}\n"
		"delivered psn={p} once  [MODE-RUD-1]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.violates = "MODE-ROD-2/src UET-PDC-23/src UET-PDC-37/src",
	 .ids = "MODE-ROD-3d",
	 .lines =
		"> rod_req ar psn={p+127} clear_psn={p-1} | std send message_id={m+2} som eom | data 64\n"
		"< nack nack_code=rod_ooo|psn_oor_window nack_psn={p+127} optional\n"
		"> rod_req ar psn={p+128} clear_psn={p-1} | std send message_id={m+3} som eom | data 64\n"
		"< nack nack_code=rod_ooo|psn_oor_window nack_psn={p+128} optional\n"
		"never < ack for rto  [MODE-ROD-3d:ack.forbidden]\n"
		"> rod_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p} | response message_id={m}  [MODE-ROD-1]\n"
		"delivered psn={p+127} none\n"
		"delivered psn={p+128} none\n"
		"delivered psn={p} once  [MODE-ROD-1]\n",
	 .flags = SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "control.pds pkt_buffers.4",
	 .ids = "PDS-IF-5",
	 .lines =
		"respond manual\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"> rud_req ar psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 64\n"
		"> rud_req ar psn={p+2} clear_psn={p-1} | std send message_id={m+2} som eom | data 64\n"
		"> rud_req ar psn={p+3} clear_psn={p-1} | std send message_id={m+3} som eom | data 64\n"
		"delivered psn={p} once, psn={p+1} once, psn={p+2} once  [PDS-IF-2 MODE-RUD-1]\n"
		"delivered psn={p+3}  [PDS-IF-2]\n"
		"never < ack for 0.5 rto\n"
		"post ses_pds_tx_rsp psn={p+1} | response message_id={m+1} return_code=ok\n"
		"< ack ack_psn={p+1} cack_psn={p-1} req!=clear | response message_id={m+1} return_code=ok  [PDS-IF-5 UET-ACK-25]\n"
		"post ses_pds_tx_rsp psn={p} gtd_del=1 | response message_id={m} return_code=no_match\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m} return_code=no_match  [PDS-IF-5 UET-ACK-17]\n"
		"post ses_pds_tx_rsp psn={p+2}\n"
		"< ack ack_psn={p+2} cack_psn={p-1} | response default_response message_id={m+2}|0 job_id=$job_id|0  [PDS-IF-5 UET-SES-23:ses.job_id]\n"
		"post ses_pds_tx_rsp psn={p+3} ses_nack=no_resource\n"
		"< nack no_resource nack_psn={p+3} spdcid!=0 payload=0  [PDS-IF-5 UET-NACK-0A]\n"
		"respond default\n"
		"> rud_req retx ar psn={p+3} clear_psn={p+2} | same after nack_time\n"
		"< ack ack_psn={p+3} cack_psn={p+3} retx | response message_id={m+3}  [RUD-SEQ-84c]\n"
		"delivered psn={p+3} x 2\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.target",
	 .violates = "UET-PDC-43/src",
	 .ids = "MODE-ROD-4",
	 .lines =
		"respond delay=ses_time times=1\n"
		"> rod_req psn={p} clear_psn={p-1} ar | std send message_id={m} som eom | data 8\n"
		"> cp close_command ar psn={p+1}\n"
		"< ack ack_psn={p} | response message_id={m} within ses_time + 2 ack_time optional\n"
		"< ack ack_psn={p+1} next_hdr=none|cp_ack within ses_time + 2 ack_time  [UET-CP-04:ack.missing UET-PDC-44]\n"
		"delivered psn={p} once  [MODE-ROD-1]\n",
	 .flags = SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "ecn",
	 .ids = "UET-ACK-02",
	 .lines =
		"mark_ce > rud_req psn={p+1} nth=2\n"
		"mark_ce > rud_req psn={p+2} nth=1\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64 lost\n"
		"> rud_req ar psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} cack_psn={p-1} m=0 | response message_id={m+1} lost\n"
		"> rud_req ar psn={p+2} clear_psn={p-1} | std send message_id={m+2} som eom | data 64\n"
		"< ack ack_psn={p+2} cack_psn={p-1} m | response message_id={m+2} lost\n"
		"> rud_req ar retx psn={p+1} clear_psn={p-1} | same after rto\n"
		"< ack ack_psn={p+1} cack_psn={p-1} m retx | response  [UET-ACK-02:ack.m,ack.resend RUD-SVC-3c]\n"
		"> rud_req ar retx psn={p+2} clear_psn={p-1} | same\n"
		"< ack ack_psn={p+2} cack_psn={p-1} m=0 retx | response  [UET-ACK-02:ack.m,ack.resend RUD-SVC-3c]\n"
		"> rud_req ar retx psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p+2} retx | response message_id={m}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "write response.gtd",
	 .ids = "RUD-SEQ-76 RUD-SVC-3 UET-ACK-17:ack.missing",
	 .lines =
		"respond gtd\n"
		"> rud_req psn={p} clear_psn={p-1} ar | std write message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m}\n"
		"delivered psn={p} message_id={m} once  [MODE-RUD-1 RUD-SVC-2 RUD-SEQ-76]\n"
		"> rud_req psn={p} clear_psn={p-1} retx ar | same\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m} modified_length=64  [RUD-SVC-3b:ack.missing RUD-SVC-3d UET-SES-20:ack.missing]\n"
		"> cp clear_command clear_psn={p}\n"
		"respond ok\n"
		"> rud_req psn={p+1} clear_psn={p} ar | std write message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} cack_psn={p+1} req!=clear | response message_id={m+1}  [RUD-SVC-7 RUD-SEQ-76 UET-ACK-26]\n"
		"delivered psn={p+1} message_id={m+1} once  [MODE-RUD-1 RUD-SVC-2]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "atomic write",
	 .ids = "UET-SES-36:ses.return_code",
	 .lines =
		"> rud_req psn={p} ar | std write message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok\n"
		"> rud_req psn={p+1} ar | std fetching_atomic message_id={m+1} som eom request_length=16 buffer_offset=$memory_offset+16 | atomic amo_opcode=sum datatype=uint32 | bytes 01 00 00 00 ff ff ff ff 00 01 00 00 78 56 34 12\n"
		"one {\n"
		"  < ack ack_psn={p+1} | response message_id={m+1} return_code=amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size\n"
		"or\n"
		"  < ack ack_psn={p+1} | response_data read_request_message_id={m+1} return_code=ok | data *  [RUD-SVC-8 UET-SES-36:ses.return_code]\n"
		"or\n"
		"  < ack ack_psn={p+1} | response message_id={m+1} return_code=ok\n"
		"  < rud_req psn={r} | response_data response_message_id=$r{s} read_request_message_id={m+1} | data *  [RUD-SVC-8]\n"
		"  > ack ack_psn={r} | response message_id=$r{s}\n"
		"or\n"
		"  < rud_req psn={r} | response_data response_message_id=$r{s} read_request_message_id={m+1} | data *  [RUD-SVC-8]\n"
		"  < ack ack_psn={p+1} | response message_id={m+1} return_code=ok\n"
		"  > ack ack_psn={r} | response message_id=$r{s}\n"
		"}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read response.delay ack_data.8",
	 .ids = "RUD-SEQ-80o RUD-SVC-8 UET-SES-21 UET-SES-36:ses.return_code",
	 .lines =
		"respond delay=ses_time times=1\n"
		"> rud_req psn={p} clear_psn={p-1} ar | std read message_id={m} som eom request_length=$ack_data\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response_data read_request_message_id={m} return_code=ok | data $ack_data within ses_time + 2 ack_time\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.tagged send.deferrable control",
	 .ids = "UET-SES-37",
	 .lines =
		"post post_recv len=64 count=1 tagged=1 tag=$tag+2\n"
		"post post_recv len=64 count=1\n"
		"> rud_req ar psn={p} | std deferrable_tsend message_id={m} som eom initiator_token=7 match_bits=$tag+1 | data 64\n"
		"< ack ack_psn={p}  [UET-ACK-15]\n"
		"> rud_req ar psn={p+1} | std deferrable_tsend message_id={m+1} som eom initiator_token=8 match_bits=$tag | data 63 after ack_time\n"
		"< ack ack_psn={p+1}  [UET-ACK-15]\n"
		"> rud_req ar psn={p+2} | std send message_id={m+2} som eom | data 64 after ack_time\n"
		"< ack ack_psn={p+2} | response message_id={m+2} return_code=ok  [UET-SES-37 UET-SES-36]\n"
		"received message_id={m+2} len=64 once\n"
		"post post_recv len=63 count=1 tagged=1 tag=$tag\n"
		"< rud_req syn pdc=b psn=$s{s} | std deferrable_rtr message_id=$r{s} som eom initiator_token=8 target_token=$t{s}\n"
		"> ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"> rud_req pdc=a ar psn={p+3} | std deferrable_tsend message_id={m+3} som eom initiator_token=8 target_token=$t{s} match_bits=$tag | data 63\n"
		"< ack pdc=a ack_psn={p+3} | response message_id={m+3} return_code=ok  [UET-SES-37 UET-SES-36]\n"
		"received message_id={m+3} len=63 once\n"
		"post post_recv len=64 count=1 tagged=1 tag=$tag+1\n"
		"one {\n"
		"  < rud_req pdc=b syn=0 psn=$q{s} | std deferrable_rtr message_id=$v{s} som eom initiator_token=7 target_token=$u{s}\n"
		"  > ack pdc=b ack_psn=$q{s} cack_psn=$q{s} | response default_response message_id=0\n"
		"or\n"
		"  < rud_req syn pdc=c psn=$q{s} | std deferrable_rtr message_id=$v{s} som eom initiator_token=7 target_token=$u{s}\n"
		"  > ack pdc=c ack_psn=$q{s} cack_psn=$q{s} | response default_response message_id=0\n"
		"}\n"
		"> rud_req pdc=a ar psn={p+4} | std deferrable_tsend message_id={m+4} som eom initiator_token=7 target_token=$u{s} match_bits=$tag+1 | data 64\n"
		"< ack pdc=a ack_psn={p+4} | response message_id={m+4} return_code=ok  [UET-SES-37 UET-SES-36]\n"
		"received message_id={m+4} len=64 once\n"
		"received message_id={m} none, message_id={m+1} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* which numbers are true */
	{.needs = "write atomic",
	 .ids = "UET-SES-36",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom | bytes {2:00 00 00 00 00 00/00 00/00 00 00 00 00 00} {:f0 3f/80 3f/04 40/00 00/00 80}\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-36:ses.return_code]\n"
		"> {q} psn={p+1} ar | std atomic message_id={m+1} som eom request_length={2=8/4/8} | atomic amo_opcode={:land/lor/lxor} datatype={2=double/float/uint64} | bytes {2=00 00 00 00 00 00/00 00/00 00 00 00 00 00} {:f0 3f/80 3f/04 40/00 00/00 80}\n"
		"< ack ack_psn={p+1} | response message_id={m+1} return_code=ok|null|amo_unsupported_op|amo_unsupported_dt  [UET-SES-36:ses.return_code]\n",
	 .psns = 2, .mids = 2, .weight = 2},
	/* an atomic that reads has no operand */
	{.needs = "write atomic",
	 .ids = "UET-SES-36:ses.return_code",
	 .lines =
		"> {q} psn={p} ar | std write message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok\n"
		"> {q} psn={p+1} ar | std fetching_atomic message_id={m+1} som eom request_length=8 buffer_offset=$memory_offset+{1:0/16/56} | atomic amo_opcode=read datatype={:uint64/int64/double}\n"
		"one {\n"
		"  < ack ack_psn={p+1} | response message_id={m+1} return_code=amo_unsupported_op|amo_unsupported_dt|amo_unsupported_size\n"
		"or\n"
		"  < ack ack_psn={p+1} | response_data read_request_message_id={m+1} return_code=ok | data *\n"
		"or\n"
		"  < ack ack_psn={p+1} | response message_id={m+1} return_code=ok\n"
		"  < {q} psn={r} | response_data response_message_id=$r{s} read_request_message_id={m+1} | data *  [RUD-SVC-8]\n"
		"or\n"
		"  < {q} psn={r} | response_data response_message_id=$r{s} read_request_message_id={m+1} | data *  [RUD-SVC-8]\n"
		"  < ack ack_psn={p+1} | response message_id={m+1} return_code=ok\n"
		"}\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/*
	 * Copies of requests whose responses are or were stored.  The tester
	 * does not wait for its RTO, so that a live device is asked often.
	 */
	{.needs = "response.gtd",
	 .violates = "MODE-RUD-3/src",
	 .ids = "RUD-SVC-3c",
	 .lines =
		"respond gtd\n"
		"> {q} ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m}  [RUD-SEQ-76]\n"
		"respond default\n"
		"> cp clear_command clear_psn={p}\n"
		"> {q} retx ar psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p} req!=clear retx | response default_response message_id={m}|0\n"
		"delivered psn={p} once  [RUD-SVC-2]\n"
		"received message_id={m} len=64 once  [RUD-SVC-2]\n",
	 .psns = 1, .mids = 1, .weight = 4},
	{.needs = "response.gtd stored.2",
	 .violates = "MODE-RUD-3/src",
	 .ids = "RUD-SVC-3b",
	 .lines =
		"respond gtd\n"
		"> {q} ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m}  [RUD-SEQ-76]\n"
		"> {q} ar psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 65\n"
		"< ack ack_psn={p+1} cack_psn={p-1} req=clear | response message_id={m+1}  [RUD-SEQ-76]\n"
		"respond default\n"
		"> {q} retx ar psn={p+1} clear_psn={p-1} | same\n"
		"< ack ack_psn={p+1} cack_psn={p-1} req=clear retx | response message_id={m+1}\n"
		"> {q} retx ar psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear retx | response message_id={m}\n"
		"> cp clear_command clear_psn={p+1}\n"
		"delivered psn={p} once, psn={p+1} once  [RUD-SVC-2]\n",
	 .psns = 2, .mids = 2, .weight = 4},
	/* a Probe while a response is stored changes nothing */
	{.needs = "response.gtd probe",
	 .violates = "MODE-RUD-3/src",
	 .ids = "UET-CP-06",
	 .lines =
		"respond gtd\n"
		"> {q} ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear | response message_id={m}  [RUD-SEQ-76]\n"
		"respond default\n"
		"> cp probe ar probe_opaque={1:1..65535}\n"
		"< ack p probe_opaque={1} cack_psn={p-1} next_hdr=none|cp_ack\n"
		"> {q} retx ar psn={p} clear_psn={p-1} | same\n"
		"< ack ack_psn={p} cack_psn={p-1} req=clear retx | response message_id={m}  [RUD-SVC-3b]\n"
		"> cp clear_command clear_psn={p}\n",
	 .psns = 1, .mids = 1, .weight = 3},
	{.weight = 0}};

/* Acknowledge a flight of read data, marked or not, and await the next one. */
#define RETURN_AWAIT \
	"< rud_req | response_data flight $b{s} for 0.3 rto within rto  [PDS-SVC-6/src:req.missing RUD-SEQ-79]\n"
#define RETURN_ROUND \
	"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n" \
	RETURN_AWAIT
#define RETURN_MARKED \
	"> ack_cc m ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n" \
	RETURN_AWAIT
#define RETURN_LIMITED "check $b{s} <= 24  [PDS-SVC-6/src]\n"

/* The close of PDC b is forgotten soon, that of PDC c later. */
#define TWO_CLOSED \
	"configure syn_retx_safety=syn_safety_time\n" \
	"> rud_req syn ar pdc=b psn==1000 spdcid=0x77 clear_psn==999 | std send message_id={m} som eom | data 64\n" \
	"< ack pdc=b ack_psn==1000 dpdcid=0x77 | response message_id={m}\n" \
	"> cp close_command ar pdc=b psn==1001\n" \
	"< ack pdc=b ack_psn==1001 next_hdr=none|cp_ack  [UET-CP-04]\n" \
	"wait 0.9 syn_safety_time\n" \
	"> rud_req syn ar pdc=c psn==200000 spdcid=0x78 clear_psn==199999 | std send message_id={m+1} som eom | data 64\n" \
	"< ack pdc=c ack_psn==200000 dpdcid=0x78 | response message_id={m+1}\n" \
	"> cp close_command ar pdc=c psn==200001\n" \
	"< ack pdc=c ack_psn==200001 next_hdr=none|cp_ack  [UET-CP-04]\n" \
	"wait 0.2 syn_safety_time\n"

/* How a case may begin. */
const struct draft_script script_uet_target_first[] = {
	/* the initiator refuses the body of a rendezvous */
	{.needs = "send.rendezvous",
	 .ids = "I2",
	 .lines =
		"> rud_req ar psn={p} | std rendezvous_send message_id={m} som eom request_length=264 | rendezvous eager_length=64 read_offset=0x5000 read_memory_key=0x9a | data 64\n"
		"any {\n"
		"  < ack pdc=a ack_psn={p} | response message_id={m}  [RUD-SVC-3]\n"
		"  < rud_req syn pdc=w psn=$u{s} | std read message_id=$r{s} | data 0  [UET-SES-35/src:req.missing UET-SES-35/src]\n"
		"}\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s}-1 req=clear | response message_id=$r{s} return_code={:bad_mkey/unsupported_op/perm_violation}\n"
		"> rud_req pdc=a ar psn={p+1} | std send message_id={m+1} som eom | data 8\n"
		"< ack pdc=a ack_psn={p+1} | response message_id={m+1} return_code=ok  [UET-SES-36]\n"
		"received message_id={m+1} len=8 once  [RUD-SVC-2]\n"
		"received message_id={m} none  [I2:received.count]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	/*
	 * the PDC fails while one request is not answered, and return data is
	 * not acknowledged
	 */
	{.needs = "read control.pds pkt_buffers.2",
	 .ids = "PDS-IF-10/src",
	 .lines =
		"respond manual\n"
		"> rud_req ar psn={p} clear_psn={p-1} | std send message_id={m} som eom | data {1:64/1}\n"
		"> rud_req ar psn={p+1} clear_psn={p-1} | std read message_id={m+1} som eom request_length=512 | data 0\n"
		"delivered psn={p} once, psn={p+1} once  [PDS-IF-2]\n"
		"post ses_pds_tx_rsp psn={p+1} | response message_id={m+1}\n"
		"< ack ack_psn={p+1} cack_psn={p-1} | response message_id={m+1}  [UET-ACK-15]\n"
		"post ses_pds_tx_ret psn={p+1} som=1 eom=1 | response_data response_message_id=9 read_request_message_id={m+1} | data 512\n"
		"< rud_req psn=$q syn=0 | response_data response_message_id=9 read_request_message_id={m+1} | data 512  [PDS-IF-3]\n"
		"> nack exp_nack_fatal nack_psn=$q\n"
		"error op=2 nack_code=exp_nack_fatal once\n"
		"error psn={p} x 0..1, psn={p+1} none\n"
		"never < rud_req for 2 rto  [UET-NACK-FF/src]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi write",
	 .ids = "UET-SES-36",
	 .lines =
		"each packet of {1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  > {q} ar psn=$p | std {2:send/write} message_id={m} | data $piece\n"
		"  < ack ack_psn=$p | response message_id={m}|0 return_code=ok\n"
		"}\n",
	 .mids = 1, .flags = SCRIPT_OVER, .weight = 3},
	{.needs = "rod noop",
	 .ids = "UET-CP-00",
	 .lines =
		"> cp noop syn ar isrod psn=$start\n"
		"< ack ack_psn=$start cack_psn=$start next_hdr=none|cp_ack  [UET-CP-00 UET-ACK-16]\n"
		"> rod_req psn=$start+1 clear_psn=$start ar | std send message_id=1 som eom | data 8\n"
		"< ack ack_psn=$start+1 cack_psn=$start+1 | response message_id=1\n"
		"delivered psn=$start+1 once  [MODE-ROD-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER | SCRIPT_ROD, .weight = 1},
	{.needs = "noop",
	 .ids = "UET-CP-00",
	 .lines =
		"> cp noop syn ar psn=$start\n"
		"< ack ack_psn=$start cack_psn=$start next_hdr=none|cp_ack  [UET-CP-00 UET-ACK-16]\n"
		"> rud_req psn=$start+1 clear_psn=$start ar | std send message_id=1 som eom | data 8\n"
		"< ack ack_psn=$start+1 cack_psn=$start+1 | response message_id=1\n"
		"delivered psn=$start+1 once  [MODE-RUD-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER | SCRIPT_RUD, .weight = 1},
	{.needs = "ack_cc",
	 .violates = "UET-PDC-23/src",
	 .ids = "UET-ACK-06",
	 .lines =
		"configure ack_type=1 sack_base=2\n"
		"> rud_req syn ar psn==0x1010 psn_offset=0 clear_psn==0x100f | std send message_id=1 som eom | data 64\n"
		"< ack_cc ack_psn==0x1010 cack_psn==0x1010 sack_psn==0x1010 sack_bitmap=0x1 | response message_id=1\n"
		"> rud_req ar psn==0x1013 clear_psn==0x1010 | std send message_id=4 som eom | data 64\n"
		"< ack_cc ack_psn==0x1013 cack_psn==0x1010 sack_psn==0x1010 sack_bitmap=0x9 | response message_id=4\n"
		"> rud_req ar psn==0x1041 clear_psn==0x1010 | std send message_id=5 som eom | data 64\n"
		"< ack_cc ack_psn==0x1041 cack_psn==0x1010 sack_psn==0x1040 sack_bitmap=0x2 | response message_id=5\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER | SCRIPT_RUD, .weight = 2},
	{.setting = "default_mpr=1",
	 .needs = "read.small return_data in_flight.128 mp_range.128",
	 .ids = "RUD-SVC-8",
	 .lines =
		"> rud_req clear_psn={p-1} | small read som eom request_length=mtu x 99\n"
		"< rud_req psn={r}..{r+98} retx=0 | response_data_small x 99\n"
		"> rud_req ar psn={p+99} clear_psn={p-1} | small read som eom request_length=mtu\n"
		"any {\n"
		"  < ack ack_psn={p+99} cack_psn={p+99} | response  [UET-ACK-15]\n"
		"  < rud_req psn={r+99} retx=0 | response_data_small\n"
		"}\n"
		"> rud_req clear_psn={p-1} | small read som eom request_length=mtu x 36\n"
		"< rud_req psn={r+100}..{r+127} retx=0 | response_data_small x 28\n"
		"never < rud_req psn={r+128}..{r+135} for 0.2 rto  [UET-PDC-37]\n"
		"> ack ack_psn={r+127} cack_psn={r+127} | response default_response\n"
		"< rud_req psn={r+128}..{r+135} retx=0 | response_data_small x 8 within rto\n"
		"> ack ack_psn={r+135} cack_psn={r+135} | response default_response\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 1},
	{.setting = "crc=1",
	 .violates = "UET-ENC-36/src",
	 .ids = "UET-ENC-20",
	 .lines =
		"> {q} ar psn={p} | std send message_id={m} som eom | data 64 crc {:wrong/none}\n"
		"never < ack for ack_time\n"
		"> {q} ar retx psn={p} | std send message_id={m} som eom | data 64 after rto\n"
		"< ack ack_psn={p} retx | response message_id={m}\n"
		"delivered psn={p} once\n"
		"> {q} ar psn={p+1} | std send message_id={m+1} som eom | data 0\n"
		"< ack ack_psn={p+1} | response message_id={m+1} modified_length=0\n"
		"received message_id={m+1} len=0 once\n",
	 .psns = 2, .mids = 2, .weight = 6},
	{.setting = "crc=1",
	 .needs = "trim",
	 .ids = "UET-ENC-20",
	 .lines =
		"trim 16 > {q} psn={p} nth=1\n"
		"> {q} ar psn={p} | std send message_id={m} som eom | data mtu\n"
		"< nack trimmed nack_psn={p}\n"
		"> {q} ar retx psn={p} | same\n"
		"< ack ack_psn={p} retx | response message_id={m}\n",
	 .psns = 1, .mids = 1, .weight = 2},
	{.setting = "crc=1",
	 .needs = "read ack_data",
	 .ids = "UET-ENC-20",
	 .lines =
		"> {q} ar psn={p} | std read message_id={m} som eom request_length=$ack_data | data 0\n"
		"< ack ack_psn={p} req=clear | response_data read_request_message_id={m} | data $ack_data\n"
		"> cp clear_command clear_psn={p}\n",
	 .psns = 1, .mids = 1, .weight = 1},
	{.setting = "native=1",
	 .ids = "UET-ENC-20",
	 .lines =
		"> {q} ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m}\n",
	 .psns = 1, .mids = 1, .weight = 3},
	{.setting = "native=1 crc=1",
	 .ids = "UET-ENC-20",
	 .lines =
		"> {q} ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m}\n",
	 .psns = 1, .mids = 1, .weight = 1},
	{.setting = "ack_type=1 cc=1 credit_init=0x700000",
	 .needs = "credit",
	 .ids = "UET-ACK-38",
	 .lines =
		"> cp credit_request ccc_id=7 credit_target=0xe00000\n"
		"< cp credit psn=0 ar=0 credit=0xe00000 rsvd_24=0\n"
		"> cp credit_request ccc_id=7 credit_target=0xfffff0\n"
		"< cp credit credit=0xfffff0\n"
		"> cp credit_request ccc_id=7 credit_target=0x10\n"
		"< cp credit credit=0x10\n"
		"> cp credit_request ccc_id=7 credit_target=0xfffff8\n"
		"< cp credit credit=0x10\n"
		"> rud_cc_req ar psn={p} ccc_id=7 credit_target=0xfffff8 | std send message_id={m} som eom | data 64\n"
		"< ack_cc cc_type=credit ack_psn={p} credit=0x10 | response message_id={m}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* the link of the destination takes 82 ms for what is asked */
	{.setting = "ack_type=1 cc=1 cc_policy=2 link_rate=10 credit_init=0 credit_unit=1024 rccc_quantum=1",
	 .needs = "credit rccc",
	 .ids = "PDS-SVC-6",
	 .lines =
		"> cp credit_request ccc_id=7 credit_target=100\n"
		"never < cp credit credit>={:50..60} for 30ms\n"
		"never < cp credit credit>=101\n"
		"< cp credit credit=100 within 200ms  [PDS-SVC-6:cp.missing UET-CP-08]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* the service time of a coalesced ACK is that of its own packet */
	{.setting = "ack_type=1 ack_gen_trigger=$spec_trigger",
	 .needs = "ack_cc nscc",
	 .ids = "UET-ACK-08",
	 .lines =
		"check $spec_unacked_mtus >= 3mtu else na\n"
		"> rud_req psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"> rud_req ar psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 64 after {:20/30}ms\n"
		"< ack_cc ack_psn={p+1} cack_psn={p+1} service_time!=0xffff | response\n",
	 .psns = 2, .mids = 2, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* an older, smaller wish changes nothing */
	{.setting = "ack_type=1 cc=1 cc_policy=2 link_rate=10 credit_init=0 credit_unit=1024 rccc_quantum=1",
	 .needs = "credit rccc",
	 .ids = "PDS-SVC-6",
	 .lines =
		"> cp credit_request ccc_id=7 credit_target={1:30..45}\n"
		"> cp credit_request ccc_id=7 credit_target={:8..20}\n"
		"never < cp credit credit>={1+1}\n"
		"< cp credit credit={1} within 100ms  [PDS-SVC-6:cp.missing UET-ACK-38]\n"
		"never < cp credit for 20ms\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "ack_type=1 cc=1 ccc_id=9 credit_init=100",
	 .needs = "read ack_cc credit return_data",
	 .ids = "UET-ACK-38",
	 .lines =
		"> rud_cc_req ar psn={p} ccc_id=1 credit_target=500 | std read message_id={m} som eom request_length=mtu\n"
		"any {\n"
		"  < ack_cc ack_psn={p} cack_psn={p} cc_type=credit cc_flags=0 credit=500 ooo_count=0 | response message_id={m}\n"
		"  < rud_cc_req psn={r} ccc_id=9 credit_target=1..100 | response_data response_message_id=$r read_request_message_id={m} | data mtu\n"
		"}\n"
		"> ack ack_psn={r} cack_psn={r} | response message_id=$r\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "ack_type=2 nack_ccx=1 mpr=8",
	 .needs = "trim",
	 .ids = "UET-ENC-48",
	 .lines =
		"trim 16 > {q} psn={p} nth=1\n"
		"> {q} ar psn={p} | std send message_id={m} som eom | data mtu\n"
		"< nack_ccx trimmed nccx_type=14|15 nack_psn={p}\n"
		"> {q} ar retx psn={p} | same\n"
		"< ack_ccx ccx_type=14|15 ack_psn={p} mpr=8 retx | response message_id={m}\n",
	 .psns = 1, .mids = 1, .weight = 2},
	{.setting = "ack_type=1 mpr=8 sack_base=1 rcv_cwnd_pend=0 restore_cwnd=0",
	 .needs = "ack_cc nscc",
	 .ids = "UET-ACK-34",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack_cc ack_psn={p} cack_psn={p} cc_type=nscc cc_flags=0 mpr=8 sack_psn={p} service_time>=1 rc=0 rcv_cwnd_pend=0 rcvd_bytes>=1 ooo_count=0 | response message_id={m}\n",
	 .psns = 1, .mids = 1, .flags = SCRIPT_RUD, .weight = 2},
	{.setting = "ack_type=1",
	 .needs = "ack_cc nscc response.nack",
	 .violates = "MODE-RUD-3/src",
	 .ids = "UET-ACK-34",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 1024\n"
		"< ack_cc ack_psn={p} rcvd_bytes=$y{s} ooo_count=0|0xffff | response message_id={m}\n"
		"respond nack=no_pkt_buffer times=1\n"
		"> rud_req ar psn={p+1} | std send message_id={m+1} som eom | data 1024\n"
		"< nack no_pkt_buffer nack_psn={p+1}  [UET-NACK-07]\n"
		"> rud_req ar retx psn={p+1} | same after nack_time\n"
		"< ack_cc ack_psn={p+1} rcvd_bytes=$y{s}+3..$y{s}+6 | response message_id={m+1}\n"
		"> rud_req ar retx psn={p+1} clear_psn={p} | same\n"
		"< ack_cc ack_psn={p+1} rcvd_bytes=$y{s}+3..$y{s}+6 | response\n"
		"> rud_req psn={p+2} | std send message_id={m+2} som eom | data 64 lost\n"
		"> rud_req ar psn={p+3} | std send message_id={m+3} som eom | data 64\n"
		"< ack_cc ack_psn={p+3} cack_psn={p+1} ooo_count!=0 sack_bitmap!=0 | response message_id={m+3}\n"
		"> rud_req ar retx psn={p+2} | same\n"
		"< ack_cc ack_psn={p+2} cack_psn={p+3} ooo_count=0|0xffff retx | response message_id={m+2}\n",
	 .psns = 4, .mids = 4, .flags = SCRIPT_RUD, .weight = 3},
	{.setting = "ack_type=1",
	 .needs = "ack_cc nscc response.delay response.gtd stored.2",
	 .ids = "UET-ACK-34",
	 .lines =
		"respond delay=1ms times=1\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack_cc ack_psn={p} service_time>=7700 | response message_id={m} within 1ms + 2 ack_time\n"
		"respond default\n"
		"respond gtd times=1\n"
		"> rud_req ar psn={p+1} clear_psn={p} | std send message_id={m+1} som eom | data 64\n"
		"< ack_cc ack_psn={p+1} cack_psn={p} ooo_count=0|0xffff req=clear | response message_id={m+1}\n"
		"> rud_req ar psn={p+2} clear_psn={p} | std send message_id={m+2} som eom | data 64\n"
		"< ack_cc ack_psn={p+2} cack_psn={p} ooo_count=0|0xffff | response message_id={m+2}\n"
		"> rud_req ar psn={p+3} clear_psn={p+2} | std send message_id={m+3} som eom | data 64\n"
		"< ack_cc ack_psn={p+3} cack_psn={p+3} ooo_count=0|0xffff | response message_id={m+3}\n",
	 .psns = 4, .mids = 4, .flags = SCRIPT_RUD, .weight = 3},
	{.setting = "ack_type=1",
	 .needs = "ack_cc probe",
	 .ids = "UET-CP-06",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack_cc ack_psn={p} | response message_id={m}\n"
		"> cp probe ar probe_opaque=0x77 sack_psn={p-33}\n"
		"< ack_cc p probe_opaque=0x77 cack_psn={p}\n",
	 .psns = 1, .mids = 1, .flags = SCRIPT_RUD, .weight = 2},
	{.setting = "max_bitmaps=1",
	 .needs = "close.target",
	 .ids = "UET-NACK-06",
	 .lines =
		"> {q} syn ar pdc=z psn=$s | std send message_id=0x51 som eom | data 64\n"
		"< nack no_bitmap pdc=z nack_psn=$s spdcid=0 payload=0\n"
		"never < ack pdc=z for 0.2 rto\n"
		"> cp close_command ar pdc=a psn=$close\n"
		"< ack pdc=a ack_psn=$close next_hdr=none|cp_ack  [UET-CP-04]\n"
		"> {q} syn retx ar pdc=z psn=$s psn_offset=0 | same after nack_time\n"
		"< ack pdc=z ack_psn=$s cack_psn=$s spdcid!=0 retx | response message_id=0x51  [UET-ACK-16]\n"
		"delivered pdc=z psn=$s once\n"
		"> cp close_command ar pdc=z psn=$s+1\n"
		"< ack pdc=z ack_psn=$s+1 next_hdr=none|cp_ack  [UET-CP-04]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "max_cccs=1",
	 .needs = "close.target",
	 .ids = "UET-NACK-05",
	 .lines =
		"> {q} syn ar pdc=z psn=$s | std send message_id=0x51 som eom | data 64\n"
		"< nack no_ccc_avail pdc=z nack_psn=$s spdcid=0 payload=0\n"
		"never < ack pdc=z for 0.2 rto\n"
		"> cp close_command ar pdc=a psn=$close\n"
		"< ack pdc=a ack_psn=$close next_hdr=none|cp_ack  [UET-CP-04]\n"
		"> {q} syn retx ar pdc=z psn=$s psn_offset=0 | same after nack_time\n"
		"< ack pdc=z ack_psn=$s cack_psn=$s spdcid!=0 retx | response message_id=0x51  [UET-ACK-16]\n"
		"delivered pdc=z psn=$s once\n"
		"> cp close_command ar pdc=z psn=$s+1\n"
		"< ack pdc=z ack_psn=$s+1 next_hdr=none|cp_ack  [UET-CP-04]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "max_peer_pdcs=1",
	 .needs = "close.target",
	 .ids = "UET-NACK-0A",
	 .lines =
		"> {q} syn ar pdc=z psn=$s | std send message_id=0x51 som eom | data 64\n"
		"< nack no_resource pdc=z nack_psn=$s spdcid=0 payload=0\n"
		"never < ack pdc=z for 0.2 rto\n"
		"> cp close_command ar pdc=a psn=$close\n"
		"< ack pdc=a ack_psn=$close next_hdr=none|cp_ack  [UET-CP-04]\n"
		"> {q} syn retx ar pdc=z psn=$s psn_offset=0 | same after nack_time\n"
		"< ack pdc=z ack_psn=$s cack_psn=$s spdcid!=0 retx | response message_id=0x51  [UET-ACK-16]\n"
		"delivered pdc=z psn=$s once\n"
		"> cp close_command ar pdc=z psn=$s+1\n"
		"< ack pdc=z ack_psn=$s+1 next_hdr=none|cp_ack  [UET-CP-04]\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "close_req_time=200rto max_pdcs=1",
	 .needs = "close.target",
	 .ids = "UET-NACK-04",
	 .lines =
		"> {q} syn ar pdc=z psn=$s | std send message_id=0x51 som eom | data 64\n"
		"any {\n"
		"  < nack no_pdc_avail pdc=z nack_psn=$s spdcid=0 payload=0\n"
		"  < cp close_request pdc=a psn=$q  [UET-CP-05]\n"
		"}\n"
		"> ack pdc=a ack_psn=$q cack_psn=$q\n"
		"never < ack pdc=z for 0.2 rto\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.setting = "max_stored=1",
	 .needs = "response.gtd",
	 .ids = "UET-NACK-08",
	 .lines =
		"respond gtd\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} req=clear spdcid=$b | response message_id={m}\n"
		"> rud_req ar psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 64\n"
		"< nack no_gtd_del_avail nack_psn={p+1} spdcid=$b payload=0\n"
		"> rud_req retx ar psn={p+1} clear_psn={p} | same after nack_time\n"
		"< ack ack_psn={p+1} cack_psn={p} req=clear retx | response message_id={m+1}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "max_pkt_buffers=1",
	 .needs = "response.delay",
	 .ids = "UET-NACK-07",
	 .lines =
		"respond delay=2ack_time times=1\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"> rud_req ar psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 64\n"
		"< nack no_pkt_buffer nack_psn={p+1} spdcid!=0 payload=0\n"
		"< ack ack_psn={p} | response message_id={m} within 4 ack_time\n"
		"> rud_req retx ar psn={p+1} | same after nack_time\n"
		"< ack ack_psn={p+1} retx | response message_id={m+1}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "max_ses_msgs=1",
	 .needs = "multi",
	 .violates = "UET-PDC-09/src UET-SES-10/src",
	 .ids = "UET-NACK-09",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som request_length=mtu+64 | data mtu\n"
		"< ack ack_psn={p} spdcid=$b | response\n"
		"> rud_req ar psn={p+1} | std send message_id={m+1} som request_length=mtu+64 | data mtu\n"
		"< nack no_ses_msg_avail nack_psn={p+1} spdcid=$b payload=0\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "infer_loss=2",
	 .ids = "UET-NACK-1A",
	 .lines =
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64 lost\n"
		"> rud_req ar psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} spdcid=$b | response message_id={m+1}\n"
		"> rud_req ar psn={p+2} | std send message_id={m+2} som eom | data 64\n"
		"any {\n"
		"  < ack ack_psn={p+2} | response message_id={m+2}\n"
		"  < nack rcvr_infer_loss nack_psn={p} spdcid=$b retx=0 payload=0\n"
		"}\n"
		"never < nack for rto\n"
		"> rud_req retx ar psn={p} | same\n"
		"< ack ack_psn={p} retx | response message_id={m}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "keep_read_data=0",
	 .needs = "read ack_data ack_request",
	 .ids = "UET-NACK-17",
	 .lines =
		"> rud_req ar psn={p} | std read message_id={m} som eom request_length=$ack_data | data 0\n"
		"< ack ack_psn={p} req=clear spdcid=$b | response_data read_request_message_id={m} | data $ack_data lost\n"
		"> cp ack_request ar psn={p} after rto\n"
		"< nack ack_with_data nack_psn={p} spdcid=$b payload=0\n"
		"> rud_req retx ar psn={p} | same\n"
		"< ack ack_psn={p} req=clear retx | response_data read_request_message_id={m} | data $ack_data\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "ack_type=1 mpr=1",
	 .violates = "UET-PDC-23/src UET-PDC-37/src",
	 .ids = "UET-ACK-14",
	 .lines =
		"> rud_req ar psn={p+128} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"< nack psn_oor_window nack_psn={p+128} optional\n"
		"never < ack ack_psn={p+128} until next\n"
		"> rud_req ar psn={p} | std send message_id={m+1} som eom | data 64\n"
		"< ack_cc ack_psn={p} cack_psn={p} | response message_id={m+1}\n"
		"> rud_req retx ar psn={p+128} clear_psn={p} | same after rto\n"
		"< ack_cc ack_psn={p+128} cack_psn={p} retx | response message_id={m}\n"
		"delivered psn={p+128} once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	{.setting = "syn_retx_safety=4rto+ack_time",
	 .needs = "close.target",
	 .violates = "UET-PDC-46/src RUD-SEQ-84b/src UET-RTX-16/src UET-RTX-05/src UET-PDC-19/src",
	 .ids = "UET-PDC-32",
	 .lines =
		"configure syn_retx_safety=4rto+ack_time\n"
		"> {q} syn ar psn==1000 spdcid=0x77 clear_psn==999 | std send message_id=1 som eom | data 64\n"
		"< ack ack_psn==1000 dpdcid=0x77 spdcid=$ta | response message_id=1\n"
		"> cp close_command ar psn==1001 spdcid=0x77 dpdcid=$ta\n"
		"< ack ack_psn==1001 next_hdr=none|cp_ack\n"
		"> {q} syn retx ar psn==1000 psn_offset=0 spdcid=0x77 clear_psn==999 | same\n"
		"never < ack for 2 rto\n"
		"delivered psn==1000 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.ids = "UET-PDC-08",
	 .lines =
		"base fwd=333\n"
		"hold > rud_req psn=333 until > rud_req psn=335\n"
		"hold > rud_req psn=334 until > rud_req psn=335\n"
		"> rud_req syn ar psn=333 psn_offset=0 clear_psn=332 | std send message_id=1 som eom | data 64\n"
		"> rud_req syn ar psn=334 psn_offset=1 clear_psn=332 | std send message_id=2 som eom | data 64\n"
		"> rud_req syn ar psn=335 psn_offset=2 clear_psn=332 | std send message_id=3 som eom | data 64\n"
		"any {\n"
		"  < ack ack_psn=335 spdcid=$b | response message_id=3\n"
		"  < ack ack_psn=333 spdcid=$b | response message_id=1\n"
		"  < ack ack_psn=334 spdcid=$b | response message_id=2\n"
		"}\n"
		"> rud_req ar psn=336 clear_psn=335 | std send message_id=4 som eom | data 64\n"
		"< ack ack_psn=336 cack_psn=336 | response message_id=4\n"
		"delivered psn=333 once, psn=334 once, psn=335 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "trim",
	 .ids = "UET-NACK-01",
	 .lines =
		"trim 16 > rud_req psn=333 nth=1\n"
		"base fwd=333\n"
		"> rud_req syn ar psn=333 clear_psn=332 | std send message_id=1 som eom | data mtu\n"
		"< nack trimmed nack_psn=333 spdcid=0 optional\n"
		"never < ack for ack_time\n"
		"> rud_req syn ar retx psn=333 clear_psn=332 | same after rto\n"
		"< ack ack_psn=333 cack_psn=333 retx | response message_id=1\n"
		"delivered psn=333 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "close_req_time=4rto",
	 .needs = "close.ask",
	 .violates = "UET-CP-05/src UET-PDC-48/src UET-RTX-16/src",
	 .ids = "UET-CP-05",
	 .lines =
		"post ask_close by=cp\n"
		"< cp close_request ar psn=$q payload=0 spdcid=$b retx=0 syn=0 lost\n"
		"< cp close_request ar psn=$q payload=0 retx after 0.8 rto within rto\n"
		"> ack ack_psn=$q cack_psn=$q retx\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m}\n"
		"wait 6 rto\n"
		"> rud_req ar psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"< nack closing_in_err nack_psn={p+1}  [UET-NACK-11]\n"
		"delivered psn={p+1} none  [UET-NACK-11]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "ack_on_ecn=1 ack_gen_trigger=16384",
	 .needs = "ecn",
	 .ids = "UET-ACK-02",
	 .lines =
		"mark_ce > rud_req psn={p+1} nth=1\n"
		"> rud_req psn={p} | std send message_id={m} som eom | data 64\n"
		"never < ack for ack_time\n"
		"> rud_req psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} m | response\n",
	 .psns = 2, .mids = 2, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "ack_gen_trigger=4096 ack_gen_min_pkt_add=1024",
	 .ids = "UET-ACK-12",
	 .lines =
		"> rud_req psn={p} | std send message_id={m} som eom | data 64\n"
		"> rud_req psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"> rud_req psn={p+2} | std send message_id={m+2} som eom | data 64\n"
		"never < ack for ack_time\n"
		"> rud_req psn={p+3} | std send message_id={m+3} som eom | data 64\n"
		"< ack ack_psn={p+3} cack_psn={p+3} | response opcode=response|default_response message_id={m+3}|0\n",
	 .psns = 4, .mids = 4, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* messages of many packets: their offsets take more than 16 bits, or 19 */
	{.needs = "multi write",
	 .ids = "UET-SES-36:ses.return_code",
	 .lines =
		"each packet of {1:65537/65537/65537/65537/524289/1048576} {\n"
		"  > {q} ar psn=$p{s} | std {2:write/send} message_id={m} | data $piece\n"
		"  < ack ack_psn=$p{s} | response message_id={m} return_code=ok\n"
		"}\n",
	 .flags = SCRIPT_LONG | SCRIPT_OVER, .weight = 2},
	{.needs = "multi read return_data",
	 .ids = "UET-SES-21",
	 .lines =
		"each packet of {1:65537/65537/65537/65537/524289/1048576} {\n"
		"  > {q} ar psn=$p{s} | std read message_id={m}\n"
		"  any {\n"
		"    < ack ack_psn=$p{s} | response message_id={m}|0 return_code=ok  [UET-SES-36:ses.return_code]\n"
		"    < {q} psn=$q{s} | response_data response_message_id=$r{s} read_request_message_id={m} message_offset=$at | data $piece\n"
		"  }\n"
		"  > ack ack_psn=$q{s} | response message_id=$r{s}\n"
		"}\n",
	 .flags = SCRIPT_LONG | SCRIPT_OVER, .weight = 2},
	{.needs = "noop",
	 .ids = "UET-CP-00 UET-ACK-16",
	 .lines =
		"> cp noop syn ar isrod psn=$start\n"
		"< ack ack_psn=$start cack_psn=$start next_hdr=none|cp_ack\n"
		"> rod_req psn=$start+1 clear_psn=$start ar | std send message_id={m} som eom | data 8\n"
		"< ack ack_psn=$start+1 cack_psn=$start+1 | response message_id={m}  [UET-CP-00]\n"
		"delivered psn=$start+1 once  [MODE-ROD-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=0 cc_policy=1 link_rate=64000 base_rtt=2mtu nscc_qa_gate=16",
	 .needs = "read multi return_data window.return read_time.short mp_range.128 psn_range.2048",
	 .violates = "UET-ACK-02/src",
	 .ids = "RUD-SEQ-79",
	 .lines =
		"each packet of 128mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+1 som eom request_length=mtu\n"
		"}\n"
		"< rud_req | response_data flight $a{s} for 0.3 rto within rto\n"
		"check $a{s} >= 16 else na\n"
		"check $a{s} <= 24 else na\n"
		"> ack_cc m ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $b{s} for 0.3 rto within rto\n"
		"> ack_cc m ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $b{s} for 0.3 rto within rto\n"
		"> ack_cc m ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $b{s} for 0.3 rto within rto\n"
		"check $b{s} < $a{s}  [PDS-SVC-6/src]\n"
		"each packet of 64mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+201 som eom request_length=mtu\n"
		"}\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"each packet of 64mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+501 som eom request_length=mtu\n"
		"}\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"each packet of 64mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+701 som eom request_length=mtu\n"
		"}\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"each packet of 64mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+901 som eom request_length=mtu\n"
		"}\n"
		"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response message_id=$message each\n"
		"< rud_req | response_data flight $c{s} for 0.3 rto within rto\n"
		"check $c{s} > $b{s}  [PDS-SVC-6/src]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "spray=4 path_choice=2 sack_retx=3 path_rest=200rto",
	 .needs = "read multi paths return_data in_flight.8 read_time.short mp_range.128",
	 .ids = "RUD-SEQ-79",
	 .lines =
		"each packet of 8mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+1 som eom request_length=mtu\n"
		"}\n"
		"< rud_req | response_data flight $a{s} for 0.3 rto within rto\n"
		"check $a{s} >= 8 else na\n"
		"check $on_path < $a{s} else na\n"
		"> ack_cc ack_psn=$psn cack_psn={r-1} mpr=8 sack_psn=$psn sack_bitmap=0x1 | response message_id=$message each off path\n"
		"< rud_req retx | response_data flight $b{s} for 0.3 rto within rto + path_time  [RUD-LOSS-2]\n"
		"> ack_cc ack_psn=$psn cack_psn={r+7} mpr=8 sack_psn={r+8} | response message_id=$message each\n"
		"wait path_time\n"
		"each packet of 32mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+201 som eom request_length=mtu\n"
		"}\n"
		"< rud_req retx=0 | response_data flight $c{s} for 0.3 rto within rto\n"
		"check $on_path = 0  [PDS-SVC-6/src]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.target syn_safety.long",
	 .violates = "UET-PDC-46/src RUD-SEQ-84b/src UET-RTX-16/src UET-RTX-05/src UET-PDC-19/src",
	 .ids = "UET-CP-04",
	 .lines =
		"configure syn_retx_safety=syn_safety_time\n"
		"> rud_req syn ar psn==1000 spdcid=0x77 clear_psn==999 | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn==1000 dpdcid=0x77 spdcid=$ta | response message_id={m}  [UET-ACK-16]\n"
		"> cp close_command ar psn==1001 spdcid=0x77 dpdcid=$ta\n"
		"< ack ack_psn==1001 next_hdr=none|cp_ack\n"
		"> rud_req syn retx ar psn==1000 psn_offset=0 spdcid=0x77 clear_psn==999 | same\n"
		"never < ack for 2 rto  [UET-PDC-32]\n"
		"delivered psn==1000 once  [UET-PDC-32 MODE-RUD-1]\n"
		"> rud_req syn ar pdc=b psn==200000 spdcid=0x77 clear_psn==199999 | std send message_id={m+1} som eom | data 64\n"
		"< ack pdc=b ack_psn==200000 cack_psn==200000 dpdcid=0x77 | response message_id={m+1}  [UET-PDC-32 UET-ACK-16]\n"
		"delivered psn==200000 once  [MODE-RUD-1]\n"
		"> cp close_command ar pdc=b psn==200001\n"
		"< ack pdc=b ack_psn==200001 next_hdr=none|cp_ack\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "write",
	 .ids = "MODE-RUDI-4 MODE-RUDI-1:rudi_resp.missing",
	 .lines =
		"> rudi_req pkt_id=$b{s} | std write message_id=0x2b som eom | data 16\n"
		"< rudi_resp pkt_id=$b{s} | response message_id=0x2b\n"
		"> rudi_req pkt_id=$a{s} | std write message_id=0x2a som eom | data 16\n"
		"< rudi_resp pkt_id=$a{s} | response message_id=0x2a  [MODE-RUDI-4]\n"
		"delivered pkt_id=$a{s} once, pkt_id=$b{s} once  [MODE-RUDI-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "ack_type=1 cc=1 cc_policy=2 link_rate=10 credit_init=0 credit_unit=1024 rccc_quantum=1",
	 .needs = "credit rccc",
	 .ids = "PDS-SVC-6",
	 .lines =
		"> cp credit_request ccc_id=7 credit_target=4\n"
		"< cp credit credit=4 within 100ms\n"
		"wait 100ms\n"
		"> cp credit_request ccc_id=7 credit_target=104\n"
		"never < cp credit credit>=54 for 30ms\n"
		"< cp credit credit=104 within 200ms\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.target syn_safety.long",
	 .violates = "MODE-RUD-3/src UET-PDC-46/src RUD-SEQ-84b/src UET-RTX-16/src UET-RTX-05/src UET-PDC-19/src",
	 .ids = "UET-ACK-16",
	 .lines =
		TWO_CLOSED
		"> rud_req syn retx ar pdc=c psn==200000 psn_offset=0 spdcid=0x78 clear_psn==199999 | same\n"
		"never < ack for 2 rto  [UET-PDC-32]\n"
		"delivered pdc=c psn==200000 once  [UET-PDC-32 MODE-RUD-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .ids = "MODE-ROD-1",
	 .lines =
		"> rod_req syn ar psn=$start | std send message_id={m} som request_length=2mtu | data mtu lost\n"
		"> rod_req syn ar psn=$start+1 clear_psn=$start-1 | std send message_id={m} eom request_length=2mtu message_offset=mtu | data mtu\n"
		"< nack rod_ooo nack_psn=$start+1 spdcid=0  [UET-PDC-28 UET-NACK-0D]\n"
		"> rod_req syn retx ar psn=$start clear_psn=$start-1 | same\n"
		"< ack ack_psn=$start cack_psn=$start retx | response  [UET-PDC-28 UET-ACK-16]\n"
		"> rod_req retx ar psn=$start+1 clear_psn=$start | same\n"
		"< ack ack_psn=$start+1 cack_psn=$start+1 retx | response  [MODE-ROD-4]\n"
		"delivered psn=$start once, psn=$start+1 once\n"
		"received message_id={m} len=2mtu once\n",
	 .flags = SCRIPT_BARE | SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "ecn",
	 .ids = "UET-ACK-22",
	 .lines =
		"check $spec_unacked_mtus >= 3mtu else na\n"
		"configure ack_on_ecn=1 ack_gen_trigger=$spec_trigger\n"
		"use open\n"
		"base fwd=100 ret=500\n"
		"mark_ce > rud_req psn={p+1} nth=1\n"
		"> rud_req psn={p} clear_psn={p-1} | std send message_id={m} som eom | data 64\n"
		"never < ack for ack_time\n"
		"> rud_req psn={p+1} clear_psn={p-1} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} cack_psn={p+1} m | response  [UET-ACK-19:ack.missing UET-ACK-02]\n"
		"delivered psn={p} once  [MODE-RUD-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi response.gtd",
	 .ids = "UET-ACK-17:ack.missing,ack.req RUD-SVC-3d",
	 .lines =
		"respond gtd\n"
		"each packet of {8:$stored_mtus/8mtu} {\n"
		"  > rud_req psn=$p{s} clear_psn={p-1} | std send message_id={m} | data $piece\n"
		"  < ack ack_psn=$p{s} cack_psn={p-1} req=clear | response message_id={m}\n"
		"}\n"
		"respond ok\n"
		"> rud_req ar psn=$q{s} clear_psn=$q{s}-1 | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn=$q{s} cack_psn=$q{s} req!=clear | response message_id={m+1}  [RUD-SVC-7 UET-ACK-26]\n"
		"received message_id={m} len={8=$stored_mtus/8mtu} once  [RUD-SVC-2 MODE-RUD-1]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.rendezvous multi",
	 .ids = "RUD-SVC-3 UET-SES-36",
	 .lines =
		"> rud_req psn={p} | std rendezvous_send message_id={m} som request_length={8:3mtu/5mtu/14mtu} | rendezvous eager_length={8=2mtu/4mtu/13mtu}+5 read_offset=0x5000 read_memory_key=0x99 | data mtu\n"
		"each packet of {8=mtu/3mtu/12mtu} {\n"
		"  > rud_req psn=$p{s} | std rendezvous_send message_id={m} som=0 eom=0 request_length={8=3mtu/5mtu/14mtu} message_offset=$at+mtu | data $piece\n"
		"}\n"
		"> rud_req ar psn=$l{s} | std rendezvous_send message_id={m} eom request_length={8=3mtu/5mtu/14mtu} message_offset={8=2mtu/4mtu/13mtu} | data 5\n"
		"any {\n"
		"  < ack pdc=a ack_psn=$l{s} | response message_id={m} return_code=ok\n"
		"  < rud_req syn pdc=b psn=$s{s} | std read message_id=$r{s} som eom buffer_offset=0x5000|{8=2mtu/4mtu/13mtu}+20485 match_bits=0x99 request_length=mtu-5 | data 0  [UET-SES-35/src:req.missing UET-SES-35/src]\n"
		"}\n"
		"> ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response default_response message_id=0\n"
		"> rud_req pdc=b psn=$x{s} ar | response_data response_message_id=3 read_request_message_id=$r{s} message_offset=0 | data mtu-5\n"
		"< ack pdc=b ack_psn=$x{s} cack_psn=$x{s}  [UET-ACK-15/src]\n"
		"received message_id={m} len={8=3mtu/5mtu/14mtu} once  [RUD-SVC-2]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* a third close forgets the first PDC, not the second */
	{.needs = "close.target syn_safety.long",
	 .violates = "MODE-RUD-3/src UET-PDC-46/src RUD-SEQ-84b/src UET-RTX-16/src UET-RTX-05/src UET-PDC-19/src",
	 .ids = "UET-ACK-16",
	 .lines =
		TWO_CLOSED
		"> rud_req syn ar pdc=d psn==400000 spdcid=0x79 clear_psn==399999 | std send message_id={m+2} som eom | data 64\n"
		"< ack pdc=d ack_psn==400000 dpdcid=0x79 | response message_id={m+2}\n"
		"> cp close_command ar pdc=d psn==400001\n"
		"< ack pdc=d ack_psn==400001 next_hdr=none|cp_ack  [UET-CP-04]\n"
		"> rud_req syn retx ar pdc=c psn==200000 psn_offset=0 spdcid=0x78 clear_psn==199999 | std send message_id={m+1} som eom | data 64\n"
		"never < ack for 2 rto  [UET-PDC-32]\n"
		"delivered pdc=c psn==200000 once  [UET-PDC-32 MODE-RUD-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* marks shrink the window of a target to its least */
	{.setting = "cc=0 cc_policy=1 link_rate=64000 base_rtt=2mtu nscc_qa_gate=16",
	 .needs = "read multi return_data window.return read_time.short mp_range.128 psn_range.2048",
	 .violates = "UET-ACK-02/src",
	 .ids = "RUD-SEQ-79",
	 .lines =
		"each packet of 128mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+1 som eom request_length=mtu\n"
		"}\n"
		"< rud_req | response_data flight $a{s} for 0.3 rto within rto\n"
		"check $a{s} >= 16 else na\n"
		"check $a{s} <= 24 else na\n"
		RETURN_MARKED RETURN_MARKED RETURN_MARKED RETURN_MARKED
		RETURN_MARKED RETURN_MARKED RETURN_MARKED RETURN_MARKED
		RETURN_MARKED RETURN_MARKED RETURN_MARKED RETURN_MARKED
		"check $b{s} < $a{s}  [PDS-SVC-6/src]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* the window of a target has a limit */
	{.setting = "cc=0 cc_policy=1 link_rate=64000 base_rtt=2mtu nscc_max_window=150 nscc_qa_gate=16",
	 .needs = "read multi return_data window.return read_time.short mp_range.128 psn_range.2048",
	 .ids = "RUD-SEQ-79",
	 .lines =
		"each packet of 128mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+1 som eom request_length=mtu\n"
		"}\n"
		"< rud_req | response_data flight $b{s} for 0.3 rto within rto\n"
		RETURN_LIMITED
		RETURN_ROUND RETURN_LIMITED
		"each packet of 64mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+301 som eom request_length=mtu\n"
		"}\n"
		RETURN_ROUND RETURN_LIMITED
		RETURN_ROUND RETURN_LIMITED
		"each packet of 64mtu {\n"
		"  > rud_req psn=$p{s} | std read message_id=$index+501 som eom request_length=mtu\n"
		"}\n"
		RETURN_ROUND RETURN_LIMITED
		RETURN_ROUND RETURN_LIMITED,
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* a send that has come is not asked for again */
	{.needs = "send.deferrable control",
	 .ids = "UET-ACK-15",
	 .lines =
		"post post_recv len=64 count=1\n"
		"> rud_req ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m} return_code=ok  [UET-SES-36]\n"
		"respond defer\n"
		"> rud_req ar psn={p+1} | std deferrable_send message_id={m+1} som eom request_length=64 initiator_token=7 | data 64\n"
		"< ack ack_psn={p+1}\n"
		"post post_recv len=64 count=1\n"
		"< rud_req syn pdc=b psn=$s | std deferrable_rtr message_id=$r som eom initiator_token=7 target_token=$t  [UET-SES-35/src UET-PDC-11:req.missing]\n"
		"> ack pdc=b ack_psn=$s cack_psn=$s | response message_id=$r\n"
		"> rud_req pdc=a ar psn={p+2} | std deferrable_send message_id={m+2} som eom request_length=64 initiator_token=7 target_token=$t | data 64\n"
		"< ack pdc=a ack_psn={p+2} | response message_id={m+2} return_code=ok  [UET-SES-36]\n"
		"respond ok\n"
		"post post_recv len=64 count=1\n"
		"never < rud_req pdc=b for 1 rto  [UET-SES-35/src]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* clang-format on */
