/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_uet_initiator.c -- the moves of RUD and ROD that
 * are written as lines, for a device that is the initiator.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* A PDC is open. */
const struct draft_script script_uet_initiator[] = {
	{.needs = "multi write",
	 .ids = "RUD-SVC-1",
	 .lines =
		"post {2:send/write} len={1:0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1}{mode}\n"
		"each packet of {1=0/1/2/3/5/31/63/65/255/mtu-1/mtu/mtu+1/2mtu-1/2mtu/2mtu+1/3mtu+5/4mtu/5mtu/7mtu/8mtu-1/8mtu/8mtu+1/16mtu/24mtu+1} {\n"
		"  < {q} psn=$p | std {2=send/write} message_id=$m{s} som=$som eom=$eom | data $piece\n"
		"  > ack ack_psn=$p | response message_id=$m{s}\n"
		"}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .ops = 1, .flags = SCRIPT_OVER, .weight = 3},
	{.needs = "atomic",
	 .ids = "UET-SES-35",
	 .lines =
		"post atomic amo={2:sum/prod/diff/min/max/land/lor/lxor/band/bor/bxor/write} datatype={1:int8/uint8/int16/uint16/int32/uint32/int64/uint64} operand={1=0x4d/0x63/0x3039/0x10e1/0x713fb307/0x11e1a309/0x112210f47de98115/0xddcb9f1ccd763b3} offset={:1000/8/1024}{mode}\n"
		"< {q} psn={p} | std atomic message_id=$m{s} som eom | atomic amo_opcode={2=sum/prod/diff/min/max/land/lor/lxor/band/bor/bxor/write} datatype={1=int8/uint8/int16/uint16/int32/uint32/int64/uint64}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 4},
	{.needs = "atomic",
	 .ids = "UET-SES-35",
	 .lines =
		"post atomic amo={2:cswap/cswap_ne/cswap_le/cswap_lt/cswap_ge/cswap_gt} datatype={1:int8/uint16/uint64} operand={1=0x4d/0x10e1/0xddcb9f1ccd763b3} compare={1=0x9c/0xea61/0xebec21ee1da40003} offset=1032{mode}\n"
		"< {q} psn={p} | std atomic message_id=$m{s} som eom | atomic amo_opcode={2=cswap/cswap_ne/cswap_le/cswap_lt/cswap_ge/cswap_gt} datatype={1=int8/uint16/uint64} | cswap\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "atomic",
	 .ids = "UET-SES-31",
	 .lines =
		"post atomic amo=cswap datatype=uint64 compare=5 operand=9 fetch=1{mode}\n"
		"< {q} psn={p} | std fetching_atomic message_id=$m{s} som eom | atomic amo_opcode=cswap datatype=uint64 rsvd_24=0 | cswap | data 0\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response_data response_message_id=0 read_request_message_id=$m{s} | bytes 05 00 00 00 00 00 00 00\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"wait clear_time\n"
		"< any optional x 0..2\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "multi write",
	 .ids = "UET-SES-35",
	 .lines =
		"post {1:send/write} len=2mtu+{2:1..255}{mode}\n"
		"< {q} psn={p} retx=0 | std {1=send/write} message_id=$m{s} som request_length=2mtu+{2} | data mtu\n"
		"< {q} psn={p+1} retx=0 | std {1=send/write} message_id=$m{s} request_length=2mtu+{2} message_offset=mtu payload_length=mtu | data mtu\n"
		"< {q} psn={p+2} retx=0 | std {1=send/write} message_id=$m{s} eom request_length=2mtu+{2} message_offset=2mtu payload_length={2} | data {2}\n"
		"> ack ack_psn={p+2} cack_psn={p+2} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 3, .ops = 1, .weight = 4},
	{.needs = "read multi",
	 .ids = "RUD-SEQ-81",
	 .lines =
		"post read len=2mtu+{2:1..200} offset={:0/8/3}{mode}\n"
		"< {q} psn={p} | std read message_id=$m{s} som | data 0\n"
		"< {q} psn={p+1} | std read message_id=$m{s} message_offset=mtu payload_length=mtu | data 0\n"
		"< {q} psn={p+2} | std read message_id=$m{s} eom message_offset=2mtu payload_length={2} | data 0\n"
		"> ack ack_psn={p+2} cack_psn={p+2} | response message_id=$m{s}\n"
		"wait ack_time\n"
		"> {q} psn={r} clear_psn={r-1} ar | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"> {q} psn={r+1} clear_psn={r-1} ar | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=mtu | data mtu\n"
		"> {q} psn={r+2} clear_psn={r-1} ar | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=2mtu | data {2}\n"
		"any {\n"
		"  < ack ack_psn={r} | response\n"
		"  < ack ack_psn={r+1} | response\n"
		"  < ack ack_psn={r+2} | response\n"
		"}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 3, .ops = 1, .rets = 3, .weight = 4},
	{.needs = "read multi",
	 .ids = "RUD-SEQ-81",
	 .lines =
		"post read len=2mtu offset=0\n"
		"< rud_req psn={p} | std read message_id=$m{s} som | data 0\n"
		"< rud_req psn={p+1} | std read message_id=$m{s} eom message_offset=mtu payload_length=mtu | data 0\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$m{s}\n"
		"wait ack_time\n"
		"> rud_req psn={r+1} clear_psn={r-1} ar | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=mtu | data mtu\n"
		"< ack ack_psn={r+1} cack_psn={r-1} | response\n"
		"wait ack_time\n"
		"> rud_req psn={r} clear_psn={r-1} ar | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"< ack ack_psn={r} cack_psn={r+1} | response\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 2, .ops = 1, .rets = 2, .flags = SCRIPT_RUD, .weight = 2},
	{.needs = "read",
	 .ids = "RUD-SEQ-80o",
	 .lines =
		"post read len={1:1/3/7/17} offset={:0/5/64}{mode}\n"
		"< {q} psn={p} | std read message_id=$m{s} request_length={1=1/3/7/17} | data 0\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response_data read_request_message_id=$m{s} response_message_id=0 | data {1=1/3/7/17}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"wait 2 clear_time\n"
		"< any optional x 0..4\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "write",
	 .ids = "UET-SES-35",
	 .lines =
		"post write len=64 key=0x123456789abcdef0 offset=0x1234567890{mode}\n"
		"< {q} psn={p} | std write message_id=$m{s} som eom buffer_offset=0x1234567890 | data 64\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 2},
	/* an ACK that is truncated inside its response */
	{.violates = "RUD-SVC-3/dst UET-ENC-01/dst",
	 .ids = "I13:req.resend",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} retx=0 | std send message_id=$m{s} som eom | data 64  [RUD-SVC-1]\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response message_id=$m{s} return_code={:no_match/ok} cut {:12..23}\n"
		"< {q} psn={p} retx | same within 1.5 rto\n"
		"> ack ack_psn={p} cack_psn={p} retx | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4 I13]\n",
	 .psns = 1, .ops = 1, .weight = 3},
	{.violates = "UET-ENC-47/dst UET-NACK-12/dst UET-NACK-1A/dst UET-NACK-17/dst UET-ENC-45/dst",
	 .ids = "UET-RTX-03",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64 {:lost/lost}\n"
		"> nack {:exp_nack_normal/rcvr_infer_loss/pkt_not_rcvd} nack_psn={p}\n"
		"< {q} psn={p} retx | same within nack_time\n"
		"> ack ack_psn={p} cack_psn={p} retx | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"failed op={o+1} none\n",
	 .psns = 1, .ops = 1, .weight = 3},
	{.violates = "UET-ENC-47/dst",
	 .ids = "UET-NACK-17",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"post send len=64\n"
		"< rud_req psn={p+1} | std send message_id=$n{s} som eom | data 64\n"
		"> nack {:psn_oor_window/rcvd_ses_procg} nack_psn={p+1}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"< rud_req psn={p+1} retx | same within rto + nack_time\n"
		"> ack ack_psn={p+1} cack_psn={p+1} retx | response message_id=$n{s}\n"
		"completed op={o+1} once, op={o+2} once  [RUD-SVC-4]\n"
		"failed op={o+2} none\n",
	 .psns = 2, .ops = 2, .flags = SCRIPT_RUD, .weight = 2},
	{.ids = "RUD-SVC-4",
	 .lines =
		"post send len=64\n"
		"post send len=64\n"
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$a{s} som eom | data 64\n"
		"< rud_req psn={p+1} | std send message_id=$b{s} som eom | data 64\n"
		"< rud_req psn={p+2} | std send message_id=$c{s} som eom | data 64\n"
		"> ack_cc ack_psn={p+1} cack_psn={p-1} req=clear mpr=8 sack_psn={p} sack_bitmap=0x7 | response message_id=$b{s}\n"
		"completed op={o+2} once\n"
		"post send len=64\n"
		"< rud_req psn={p+3} clear_psn={p-1} | std send message_id=$d{s} som eom | data 64  [RUD-SVC-6]\n"
		"> ack_cc ack_psn={p} cack_psn={p-1} mpr=8 req=clear sack_psn={p} sack_bitmap=0xf | response message_id=$a{s} return_code=no_match\n"
		"failed op={o+1} return_code=no_match once\n"
		"completed op={o+1} none\n"
		"> ack_cc ack_psn={p+2} cack_psn={p-1} mpr=8 req=clear sack_psn={p} sack_bitmap=0xf | response message_id=$c{s}\n"
		"> ack_cc ack_psn={p+3} cack_psn={p-1} mpr=8 req=clear sack_psn={p} sack_bitmap=0xf | response message_id=$d{s}\n"
		"< cp clear_command clear_psn={p+3} within clear_time  [RUD-SVC-6]\n"
		"completed op={o+4} once\n",
	 .psns = 4, .ops = 4, .flags = SCRIPT_RUD, .weight = 3},
	{.needs = "multi",
	 .ids = "RUD-SVC-4",
	 .lines =
		"post send len=2mtu\n"
		"< rud_req psn={p} | std send message_id=$m{s} som | data mtu\n"
		"< rud_req psn={p+1} | std send message_id=$m{s} eom | data mtu\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"wait ack_time\n"
		"> ack ack_psn={p+1} cack_psn={p} req=clear | response message_id=$m{s} return_code=no_match\n"
		"failed op={o+1} return_code=no_match once\n"
		"completed op={o+1} none\n"
		"wait clear_time\n"
		"< any optional x 0..3\n",
	 .psns = 2, .ops = 1, .flags = SCRIPT_RUD, .weight = 3},
	{.violates = "UET-ACK-04/dst RUD-SEQ-76/dst UET-ENC-34/both",
	 .ids = "RUD-SVC-4",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"> ack ack_psn={p} cack_psn={p} {:req=3/rsvd_9=1/rsvd_15=1} | response message_id=$m{s}\n"
		"< rud_req psn={p} retx | same within 1.5 rto optional\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once\n"
		"post send len=64\n"
		"< rud_req psn={p+1} | std send message_id=$n{s} som eom | data 64\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$n{s}\n"
		"completed op={o+2} once\n",
	 .psns = 2, .ops = 2, .flags = SCRIPT_RUD, .weight = 2},
	/* the ends of MPR, and a SACK that reports no PSN around its base */
	{.ids = "RUD-SVC-4",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-1]\n"
		"> ack_cc ack_psn={p} cack_psn={p} mpr={:8/0/1/127/255} sack_psn_offset={:0/1/-1/63/64/-63/-64} sack_bitmap=0 | response message_id=$m{s}\n"
		"completed op={o+1} once\n"
		"post send len=64{mode}\n"
		"< {q} psn={p+1} | std send message_id=$n{s} som eom | data 64  [RUD-SVC-1]\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$n{s}\n"
		"completed op={o+2} once\n",
	 .psns = 2, .ops = 2, .weight = 2},
	/* tagged, rendezvous and deferrable sends */
	{.needs = "send.tagged",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len={1:1/64/mtu} tagged=1 tag={2:0x9/0xfedcba9876543210}{mode}\n"
		"< {q} psn={p} | std tagged_send message_id=$m{s} som eom request_length={1=1/64/mtu} match_bits={2=0x9/0xfedcba9876543210} | data {1=1/64/mtu}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "send.rendezvous",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len={1:1/64/mtu} rendezvous=1 eager={2:mtu/2mtu}{mode}\n"
		"< {q} psn={p} | std rendezvous_send message_id=$m{s} som eom request_length={1=1/64/mtu} | rendezvous eager_length={1=1/64/mtu} | data {1=1/64/mtu}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "send.rendezvous return_data",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len=mtu rendezvous=1 eager=0\n"
		"< rud_req psn={p} | std rendezvous_send message_id=$m{s} som eom request_length=mtu | rendezvous eager_length=0 read_offset=$o{s} read_memory_key=$k{s} | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_req syn ar pdc=w psn=$u{s} | std read message_id=9 som eom buffer_offset=$o{s} match_bits=$k{s} request_length=mtu | data 0\n"
		"any {\n"
		"  < ack pdc=w ack_psn=$u{s} | response message_id=9 return_code=ok  [UET-SES-36]\n"
		"  < rud_req pdc=w psn=$x{s} | response_data response_message_id=$z{s} read_request_message_id=9 | data mtu  [UET-SES-21]\n"
		"}\n"
		"> ack pdc=w ack_psn=$x{s} cack_psn=$x{s} | response message_id=$z{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .ops = 1, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* two deferrable sends at once have different tokens */
	{.needs = "send.deferrable in_flight.3",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len={1:8/64/1} deferrable=1{mode}\n"
		"< {q} psn={p} | std deferrable_send message_id=$m{s} som eom initiator_token=$t{s} target_token=0 | data {1=8/64/1}\n"
		"post send len=9 deferrable=1{mode}\n"
		"< {q} psn={p+1} | std deferrable_send message_id=$n{s} som eom initiator_token!=$t{s} target_token=0 | data 9\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s} modified_length={1=8/64/1}\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$n{s} modified_length=9\n"
		"completed op={o+1} once, op={o+2} once  [RUD-SVC-4]\n",
	 .psns = 2, .ops = 2, .weight = 2},
	/* a short header, or the standard one in its place */
	{.needs = "read.medium read.small write",
	 .ids = "UET-SES-35:req.missing UET-SES-35",
	 .lines =
		"post {2:send/write} len={3:26/28/32} {2=header/offset=8 header}={1:medium/small}{mode}\n"
		"one {\n"
		"  < {q} psn={p} | {1=medium/small} {2=send/write} request_length={3=26/28/32} | data {3=26/28/32}\n"
		"  > ack ack_psn={p} cack_psn={p} | response modified_length={3=26/28/32}\n"
		"or\n"
		"  < {q} psn={p} next_hdr=request_std | std {2=send/write} message_id=$m{s} request_length={3=26/28/32} | data {3=26/28/32}\n"
		"  > ack ack_psn={p} cack_psn={p} | response message_id=$m{s} modified_length={3=26/28/32}\n"
		"}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 3},
	{.needs = "send.deferrable",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len=64{mode} deferrable=1\n"
		"< {q} psn={p} | std deferrable_send message_id=$m{s} som eom initiator_token=$t{s} target_token=0 | data 64\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s} modified_length=64\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "send.deferrable",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len=64 deferrable=1\n"
		"< rud_req psn={p} | std deferrable_send message_id=$m{s} som eom initiator_token=$t{s} target_token=0 | data 64\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response message_id=$m{s} list=overflow return_code=ok modified_length=0\n"
		"> rud_req syn ar pdc=w psn=$u{s} | std deferrable_rtr message_id=9 som eom initiator_token=$t{s} target_token=0x77\n"
		"any {\n"
		"  < ack pdc=w ack_psn=$u{s} | response message_id=9 return_code=ok  [UET-SES-36]\n"
		"  < rud_req pdc=a psn={p+1} | std deferrable_send message_id=$n{s} som eom initiator_token=$t{s} target_token=0x77 | data 64\n"
		"}\n"
		"> ack pdc=a ack_psn={p+1} cack_psn={p+1} | response message_id=$n{s} modified_length=64\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .ops = 1, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "control.pds",
	 .ids = "UET-PDC-07",
	 .lines =
		"post ses_pds_tx_req message_id=0x41 som=1 eom=1 {1:rsv_ccc_context=3/tc=10/rsv_pdc=1 rsv_pdc_context=4/tss_context=7} | std send message_id=0x41 som eom | data 64\n"
		"< rud_req syn pdc=w psn=$u{s} psn_offset=0 | std send message_id=0x41 | data 64\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s} | response message_id=0x41\n"
		"wait ack_time\n"
		"post ses_pds_tx_req message_id=0x42 som=1 eom=1 | std send message_id=0x42 som eom | data 64\n"
		"< rud_req syn=0 pdc=a | std send message_id=0x42 | data 64\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	{.needs = "rod",
	 .ids = "UET-PDC-07",
	 .lines =
		"post send len=64 mode=rod\n"
		"< rod_req syn pdc=w psn=$u{s} psn_offset=0 | std send message_id=$m{s} som eom | data 64\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"wait ack_time\n"
		"post send len=64\n"
		"< rud_req syn=0 pdc=a psn={p} | std send message_id=$n{s} som eom | data 64\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi control.pds",
	 .ids = "UET-PDC-08",
	 .lines =
		"post ses_pds_tx_req message_id=0x61 som=1 | std send message_id=0x61 som request_length=2mtu | data mtu\n"
		"post ses_pds_tx_req message_id=0x62 som=1 | std send message_id=0x62 som request_length=2mtu | data mtu\n"
		"post ses_pds_tx_req message_id=0x61 eom=1 | std send message_id=0x61 eom request_length=2mtu message_offset=mtu payload_length=mtu | data mtu\n"
		"post ses_pds_tx_req message_id=0x62 eom=1 | std send message_id=0x62 eom request_length=2mtu message_offset=mtu payload_length=mtu | data mtu\n"
		"any {\n"
		"  < rud_req pdc=a psn={p} | std send message_id=0x61 som eom=0\n"
		"  < rud_req pdc=a psn={p+1} | std send message_id=0x61 som=0 eom\n"
		"  < rud_req syn pdc=w psn=$u{s} psn_offset=0 | std send message_id=0x62 som eom=0\n"
		"  < rud_req syn pdc=w psn=$u{s}+1 psn_offset=1 | std send message_id=0x62 som=0 eom\n"
		"}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read",
	 .violates = "UET-PDC-17/src UET-PDC-23/src RUD-SEQ-84b/src UET-PDC-17/dst",
	 .ids = "UET-PDC-17",
	 .lines =
		"post read len=512 offset=0\n"
		"< rud_req psn={p} dpdcid=$b{s} | std read message_id=$m{s} som eom request_length=512 | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_req psn={r} clear_psn={r-1} ar spdcid=$b{s}+1 | response_data response_message_id=9 read_request_message_id=$m{s} | data 512\n"
		"< nack pdc_hdr_mismatch nack_psn={r} spdcid=0\n"
		"never < ack ack_psn={r} for 0.5 rto\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read trim",
	 .ids = "UET-NACK-01",
	 .lines =
		"trim 16 > {q} psn={r} nth=1\n"
		"post read len=mtu offset=0{mode}\n"
		"< {q} psn={p} | std read message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> {q} ar psn={r} clear_psn={r-1} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"< nack trimmed nack_psn={r}\n"
		"> {q} ar retx psn={r} clear_psn={r-1} | same\n"
		"< ack ack_psn={r} cack_psn={r} retx | response message_id=9\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .rets = 1, .weight = 3},
	{.needs = "read.medium",
	 .ids = "UET-SES-21",
	 .lines =
		"post read len={1:8/16/1} offset={:0/64} header={:medium/medium}{mode}\n"
		"< {q} psn={p} | medium read som eom request_length={1=8/16/1} | data 0\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response_data_small original_request_psn={p} | data {1=8/16/1}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"wait 2 clear_time\n"
		"< any optional x 0..3\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "read.small",
	 .ids = "UET-SES-21",
	 .lines =
		"post read len=512 header=small{mode}\n"
		"< {q} psn={p} | small read request_length=512 | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response\n"
		"> {q} ar psn={r} clear_psn={r-1} | response_data_small original_request_psn={p} | data 512\n"
		"< ack ack_psn={r} cack_psn={r} | response\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .rets = 1, .weight = 2},
	{.needs = "close.initiator",
	 .violates = "UET-NACK-0E/dst",
	 .ids = "UET-CP-04",
	 .lines =
		"> cp close_request ar psn={r}\n"
		"any {\n"
		"  < ack ack_psn={r} next_hdr=none|cp_ack within rto  [UET-CP-05]\n"
		"  < cp close_command ar psn={p} retx=0 within rto\n"
		"}\n"
		"< cp close_command ar psn={p} retx payload=0 after 0.8 rto within rto\n"
		"> nack inv_dpdcid nack_psn={p} spdcid=0 retx\n"
		"never < any for 5 rto\n"
		"post send len=64{mode}\n"
		"< {q} syn pdc=w psn=$u{s} | std send som eom | data 64\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "close.initiator",
	 .ids = "UET-CP-04",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"> ack ack_psn={p} cack_psn={p} req=close | response message_id=$m{s}\n"
		"< cp close_command ar pdc=a psn={p+1} payload=0\n"
		"post send len=64\n"
		"< rud_req syn pdc=w psn=$u{s} psn_offset=0 | std send message_id=$n{s} som eom | data 64\n"
		"> ack pdc=a ack_psn={p+1} cack_psn={p+1}\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s} | response message_id=$n{s}\n"
		"completed op={o+1} once, op={o+2} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.violates = "PDS-IF-11/dst UET-PDC-24/src UET-PDC-49/dst",
	 .ids = "UET-PDC-49",
	 .lines =
		"> rud_req syn ar psn=$q{s} psn_offset=0 | std send message_id=9 som eom | data 64\n"
		"< nack invalid_syn nack_psn=$q{s} spdcid!=0  [UET-NACK-15]\n"
		"never < ack ack_psn=$q{s} for rto  [UET-NACK-15]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 1},
	{.ids = "RUD-SVC-4",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"rewrite udp_checksum=0x1234 > ack ack_psn={p}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once\n"
		"never < {q} psn={p} for 1.5 rto\n",
	 .psns = 1, .ops = 1, .weight = 1},
	{.ids = "RUD-SVC-4",
	 .lines =
		"post send len=0{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once\n",
	 .psns = 1, .ops = 1, .weight = 2},
	{.needs = "multi",
	 .ids = "RUD-SEQ-82c",
	 .lines =
		"post send len=3mtu\n"
		"< rud_req psn={p} | std send message_id=$m{s} | data mtu\n"
		"< rud_req psn={p+1} | std send message_id=$m{s} | data mtu\n"
		"< rud_req psn={p+2} | std send message_id=$m{s} eom | data mtu\n"
		"> nack no_pkt_buffer nack_psn={p+1}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> ack ack_psn={p+2} cack_psn={p} | response message_id=$m{s}\n"
		"< rud_req psn={p+1} retx | same within nack_time  [RUD-SEQ-82c UET-NACK-07]\n"
		"> ack ack_psn={p+1} cack_psn={p+2} retx | response message_id=$m{s}\n"
		"completed op={o+1} once\n",
	 .psns = 3, .ops = 1, .flags = SCRIPT_RUD, .weight = 2},
	{.needs = "multi control.pds",
	 .ids = "UET-CP-01",
	 .lines =
		"post send len=2mtu\n"
		"< rud_req psn={p} | std send message_id=$m{s} som | data mtu\n"
		"< rud_req psn={p+1} | std send message_id=$m{s} eom | data mtu\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"post send_cp cp=ack_request psn={p+1}\n"
		"< rud_req psn={p+1} retx | same exact optional\n"
		"< cp ack_request psn={p+1} syn=0 retx=0 exact\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$m{s}\n"
		"completed op={o+1} once\n",
	 .psns = 2, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "nack_ccx nack_retx.2",
	 .violates = "UET-NACK-01/dst",
	 .ids = "UET-NACK-01",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"> nack_ccx {:trimmed/no_pkt_buffer} nccx_type={:14/15} nack_psn={p} nack_ccx_state_lo=0x55aa\n"
		"< rud_req psn={p} retx | same within nack_time\n"
		"> ack ack_psn={p} cack_psn={p} retx | response message_id=$m{s}\n"
		"completed op={o+1} once\n",
	 .psns = 1, .ops = 1, .flags = SCRIPT_RUD, .weight = 2},
	{.needs = "send.tagged multi",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len=mtu+{1:1..255} tagged=1 tag={2:7/0xfedcba9876543210/0x8000000000000000}{mode}\n"
		"< {q} psn={p} | std tagged_send message_id=$m{s} som match_bits={2=7/0xfedcba9876543210/0x8000000000000000} | data mtu\n"
		"< {q} psn={p+1} | std tagged_send message_id=$m{s} eom match_bits={2=7/0xfedcba9876543210/0x8000000000000000} | data {1}\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 2, .ops = 1, .weight = 2},
	/* messages of many packets: their offsets take more than 16 bits, or 19 */
	{.needs = "multi write",
	 .ids = "RUD-SVC-1",
	 .lines =
		"post {2:write/send} len={1:65537/65537/65537/65537/524289/1048576}{mode}\n"
		"each packet of {1=65537/65537/65537/65537/524289/1048576} {\n"
		"  < {q} psn=$p{s} | std {2=write/send} message_id=$m{s} som=$som eom=$eom | data $piece\n"
		"  > ack ack_psn=$p{s} cack_psn=$p{s} | response message_id=$m{s}\n"
		"}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	{.needs = "multi read mp_range.1024",
	 .ids = "UET-SES-10",
	 .lines =
		"post read len={1:65537/65537/65537/65537/524289/1048576}{mode}\n"
		"each packet of {1=65537/65537/65537/65537/524289/1048576} {\n"
		"  < {q} psn=$p{s} | std read message_id=$m{s} som=$som eom=$eom message_offset=$at | data 0\n"
		"  > ack ack_psn=$p{s} | response message_id=$m{s}\n"
		"  > {q} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=$at | data $piece\n"
		"}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	{.needs = "control.pds close.initiator",
	 .ids = "UET-PDC-23",
	 .lines =
		"post ses_pds_tx_req message_id={m} som=1 eom=1 lock_pdc=1 | std send message_id={m} som eom | data 64\n"
		"post ses_pds_tx_req message_id={m+1} som=1 eom=1 lock_pdc=1 | std send message_id={m+1} som eom | data 64\n"
		"< rud_req psn={p} | std send message_id={m} | data 64\n"
		"< rud_req psn={p+1} | std send message_id={m+1} | data 64\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id={m+1}\n"
		"> cp close_request ar psn=$q{s}\n"
		"< ack ack_psn=$q{s} next_hdr=none|cp_ack within rto  [UET-CP-05]\n"
		"never < cp close_command for rto  [PDS-IF-7]\n"
		"post ses_pds_unlock message_id={m}\n"
		"never < cp close_command for rto  [PDS-IF-7]\n"
		"post ses_pds_unlock message_id={m+1}\n"
		"< cp close_command ar psn={p+2}  [PDS-IF-7 UET-CP-04]\n"
		"> ack ack_psn={p+2} cack_psn={p+2}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read multi return_data",
	 .ids = "UET-SES-35",
	 .lines =
		"post read message_id=0x8107 len=mtu offset=0\n"
		"post read message_id=0x8207 len=mtu offset=mtu\n"
		"< rud_req psn={p} | std read message_id=0x8107 som eom request_length=mtu | data 0\n"
		"< rud_req psn={p+1} | std read message_id=0x8207 som eom request_length=mtu | data 0\n"
		"> ack ack_psn={p} | response message_id=0x8107\n"
		"> ack ack_psn={p+1} | response message_id=0x8207\n"
		"> rud_req psn={r} ar | response_data response_message_id=0xff09 read_request_message_id=0x8207 | data mtu\n"
		"< ack ack_psn={r} | response message_id=0xff09  [RUD-SEQ-79b]\n"
		"completed op={o+2} once  [RUD-SVC-4]\n"
		"> rud_req psn={r+1} ar | response_data response_message_id=0xfe09 read_request_message_id=0x8107 | data mtu\n"
		"< ack ack_psn={r+1} | response message_id=0xfe09  [RUD-SEQ-79b]\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .violates = "UET-NACK-01/dst",
	 .ids = "MODE-ROD-2",
	 .lines =
		"post send len=2mtu mode=rod\n"
		"< rod_req psn={p} retx=0 | std send message_id=$m{s} som | data mtu\n"
		"< rod_req psn={p+1} retx=0 | std send message_id=$m{s} eom | data mtu\n"
		"> nack no_pkt_buffer nack_psn={p}\n"
		"> nack trimmed nack_psn={p+1}\n"
		"< rod_req psn={p} retx | same after nack_time within 1.5 nack_time  [RUD-SEQ-82 UET-RTX-03:req.late]\n"
		"< rod_req psn={p+1} retx | same  [MODE-ROD-3s]\n"
		"> ack ack_psn={p+1} cack_psn={p+1} retx | response default_response message_id=$m{s}\n"
		"completed op={o+1} once  [MODE-ROD-3s]\n",
	 .flags = SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi in_flight.128 message.64",
	 .ids = "UET-PDC-23",
	 .lines =
		"delay ack_time > ack_cc ack_psn={p} nth=1\n"
		"post send len=2mtu\n"
		"< rud_req psn={p} | std send message_id=$m{s} som | data mtu\n"
		"< rud_req psn={p+1} | std send message_id=$m{s} eom | data mtu\n"
		"> ack_cc ack_psn={p} cack_psn={p} mpr=255 sack_psn={p+1} | response message_id=$m{s}\n"
		"> ack_cc ack_psn={p+1} cack_psn={p+1} mpr=1 sack_psn={p+2} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"wait 2 ack_time\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req psn={p+2}..{p+129} retx=0 | std send x 128 within rto  [UET-PDC-37 UET-PDC-23]\n"
		"never < rud_req psn={p+130} for 0.2 rto  [UET-PDC-39:req.forbidden UET-PDC-37:req.forbidden]\n"
		"> ack_cc ack_psn={p+129} cack_psn={p+129} mpr=1 sack_psn={p+130} | response default_response message_id=0\n"
		"< rud_req psn={p+130}..{p+193} retx=0 | std send x 64 within rto  [UET-PDC-37]\n"
		"> ack_cc ack_psn={p+193} cack_psn={p+193} mpr=8 sack_psn={p+194} | response default_response message_id=0\n"
		"completed op={o+4} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read",
	 .ids = "RUD-SEQ-79",
	 .lines =
		"post read len=3mtu\n"
		"< rud_req psn={p} clear_psn={p-1} | std read message_id=$m{s}\n"
		"< rud_req psn={p+1} clear_psn={p-1} | std read message_id=$m{s}\n"
		"< rud_req psn={p+2} clear_psn={p-1} | std read message_id=$m{s}\n"
		"> ack ack_psn={p+2} cack_psn={p+2} | response message_id=$m{s}\n"
		"> rud_req psn={r} clear_psn={r-1} ar | response_data response_message_id=9 read_request_message_id=$m{s} | data mtu\n"
		"< ack ack_psn={r} cack_psn={r} | response message_id=9  [RUD-SEQ-79 UET-ACK-15:ack.missing]\n"
		"spray 3\n"
		"> rud_req psn={r+1} clear_psn={r} ar | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=mtu | data mtu\n"
		"< ack ack_psn={r+1} cack_psn={r+1} | response message_id=9  [RUD-SEQ-79 UET-PDC-51:ack.missing]\n"
		"> rud_req psn={r+2} clear_psn={r+1} ar | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=2mtu | data mtu\n"
		"< ack ack_psn={r+2} cack_psn={r+2} | response message_id=9  [RUD-SEQ-79 UET-PDC-51:ack.missing]\n"
		"returned psn={r} once, psn={r+1} once, psn={r+2} once  [PDS-IF-4 MODE-RUD-1]\n"
		"completed op={o+1} once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.ids = "RUD-SVC-4",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} clear_psn={p-1} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-5]\n"
		"> nack exp_nack_err nack_psn={p}\n"
		"< rud_req psn={p} clear_psn={p-1} retx | same within nack_time  [UET-NACK-FE:req.type UET-RTX-15]\n"
		"> ack ack_psn={p} cack_psn={p} retx | response message_id=$m{s}\n"
		"completed op={o+1} once\n"
		"failed op={o+1} none  [UET-NACK-FE]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.rendezvous return_data",
	 .ids = "UET-SES-35 UET-SES-13",
	 .lines =
		"post send len=mtu rendezvous=1 eager=0\n"
		"< rud_req psn={p} | std rendezvous_send message_id=$m{s} som eom request_length=mtu | rendezvous eager_length=0 read_offset=$o{s} read_memory_key=$k{s} | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"let $wrong = $k{s}+1\n"
		"> rud_req syn ar pdc=b psn=$s{s} | std read message_id={m+8} som eom buffer_offset=$o{s} match_bits=$wrong request_length=mtu | data 0\n"
		"< ack pdc=b ack_psn=$s{s} | response message_id={m+8} return_code!=ok  [I12/dst:ses.return_code]\n"
		"never < rud_req pdc=b for 2 rto  [I12/dst]\n"
		"completed op={o+1} none  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.deferrable",
	 .ids = "RUD-SVC-4",
	 .lines =
		"post send len=65 deferrable=1\n"
		"< rud_req psn={p} | std deferrable_send message_id=$m{s} som eom initiator_token=$t{s} target_token=0 | data 65  [UET-SES-35]\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response message_id=$m{s} list=overflow return_code=ok modified_length=0\n"
		"> rud_req syn ar pdc=b psn=$s{s} | std deferrable_rtr message_id={m+8} som eom initiator_token=$t{s}+1 target_token=0x77\n"
		"< ack pdc=b ack_psn=$s{s} | response return_code!=ok  [RUD-SVC-4:ses.return_code]\n"
		"post send len=8\n"
		"< rud_req pdc=a psn={p+1} | std send message_id=$n{s} som eom | data 8  [UET-SES-35]\n"
		"> ack pdc=a ack_psn={p+1} cack_psn={p+1} | response message_id=$n{s}\n"
		"completed op={o+2} once\n"
		"never < rud_req pdc=a for 3 rto\n"
		"completed op={o+1} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.rendezvous multi",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len={8:3mtu/5mtu/14mtu} rendezvous=1 eager={8=2mtu/4mtu/13mtu}+5\n"
		"< rud_req psn={p} | std rendezvous_send message_id=$m{s} som eom=0 request_length={8=3mtu/5mtu/14mtu} | rendezvous eager_length={8=2mtu/4mtu/13mtu}+5 read_memory_key=$k{s} | data mtu  [UET-SES-35 UET-SES-13]\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"each packet of {8=mtu/3mtu/12mtu} {\n"
		"  < rud_req psn=$p{s} | std rendezvous_send message_id=$m{s} som=0 eom=0 request_length={8=3mtu/5mtu/14mtu} message_offset=$at+mtu | data $piece\n"
		"  > ack ack_psn=$p{s} cack_psn=$p{s} | response message_id=$m{s}\n"
		"}\n"
		"< rud_req psn=$l{s} | std rendezvous_send message_id=$m{s} som=0 eom request_length={8=3mtu/5mtu/14mtu} message_offset={8=2mtu/4mtu/13mtu} | data 5\n"
		"> ack ack_psn=$l{s} cack_psn=$l{s} | response message_id=$m{s}\n"
		"never < rud_req for 2 rto  [RUD-SVC-4]\n"
		"completed op={o+1} none  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read ack_request",
	 .ids = "RUD-SVC-5",
	 .lines =
		"post read len=8 offset=0\n"
		"< rud_req psn={p} clear_psn={p-1} | std read message_id=$m{s} som eom request_length=8 | data 0\n"
		"> nack ack_with_data nack_psn={p}\n"
		"< rud_req psn={p} clear_psn={p-1} retx | same within nack_time  [UET-NACK-14:req.late UET-RTX-15]\n"
		"> ack ack_psn={p} cack_psn={p-1} retx req=clear | response_data read_request_message_id=$m{s} | data 8\n"
		"completed op={o+1} once  [RUD-SVC-4 UET-NACK-14]\n"
		"< cp clear_command clear_psn={p} within clear_time  [RUD-SVC-6]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi control.pds close.initiator",
	 .ids = "UET-PDC-42",
	 .lines =
		"post ses_pds_tx_req message_id={m} som=1 | std send message_id={m} som request_length=2mtu | data mtu\n"
		"< rud_req pdc=a psn={p} | std send message_id={m} som eom=0 | data mtu\n"
		"> cp close_request ar psn=$q{s}\n"
		"< ack ack_psn=$q{s} next_hdr=none|cp_ack within rto  [UET-CP-05]\n"
		"post ses_pds_tx_req message_id={m+1} som=1 eom=1 | std send message_id={m+1} som eom | data 64\n"
		"< rud_req syn pdc=b psn=$u{s} psn_offset=0 | std send message_id={m+1} som eom | data 64\n"
		"post ses_pds_tx_req message_id={m} eom=1 | std send message_id={m} eom request_length=2mtu message_offset=mtu payload_length=mtu | data mtu\n"
		"< rud_req pdc=a psn={p+1} | std send message_id={m} som=0 eom | data mtu  [RUD-SVC-0m UET-PDC-42:req.psn]\n"
		"> ack pdc=b ack_psn=$u{s} cack_psn=$u{s} | response message_id={m+1}\n"
		"never < cp close_command for 0.5 rto  [UET-PDC-43]\n"
		"> ack pdc=a ack_psn={p+1} cack_psn={p+1} | response message_id={m}\n"
		"< cp close_command ar pdc=a psn={p+2} payload=0  [UET-CP-04 UET-CP-05]\n"
		"> ack pdc=a ack_psn={p+2} cack_psn={p+2}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.ids = "RUD-SVC-5",
	 .lines =
		"post send len=64\n"
		"post send len=64\n"
		"post send len=64\n"
		"< rud_req psn={p} clear_psn={p-1} | std send message_id=$a{s} som eom | data 64 lost\n"
		"< rud_req psn={p+1} clear_psn={p-1} | std send message_id=$b{s} som eom | data 64\n"
		"< rud_req psn={p+2} clear_psn={p-1} | std send message_id=$c{s} som eom | data 64\n"
		"> ack_ccx ccx_type=14 ack_psn={p+2} cack_psn={p-1} mpr=8 sack_psn={p} sack_bitmap=0x6 | response message_id=$c{s}\n"
		"completed op={o+3} once  [RUD-SVC-4]\n"
		"< rud_req psn={p} retx | same within 2 rto  [RUD-LOSS-1]\n"
		"never < rud_req psn={p+1} for 0.5 rto  [UET-ACK-11 MODE-RUD-3]\n"
		"> ack ack_psn={p} cack_psn={p+2} | response message_id=$a{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"completed op={o+2} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "atomic",
	 .ids = "UET-SES-35:ses.request_length",
	 .lines =
		"post atomic amo=sum datatype=fp16 operand=0x3c00 offset=1000 refusable\n"
		"< rud_req psn={p} | std atomic request_length=2 som eom | atomic amo_opcode=sum datatype=fp16 | data 2 optional\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.tagged send.deferrable control",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len=64 deferrable=1 tagged=1 tag=$tag+1\n"
		"post send len=63 deferrable=1 tagged=1 tag=$tag\n"
		"< rud_req psn={p} | std deferrable_tsend message_id=$m1{s} initiator_token=$t1{s} target_token=0 match_bits=$tag+1 | data 64\n"
		"< rud_req psn={p+1} | std deferrable_tsend message_id=$m2{s} initiator_token=$t2{s} target_token=0 match_bits=$tag | data 63\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response message_id=$m1{s} list=overflow return_code=ok modified_length=0\n"
		"> ack ack_psn={p+1} cack_psn={p-1} req=clear | response message_id=$m2{s} list=overflow return_code=ok modified_length=0\n"
		"> rud_req syn ar pdc=b psn=$s{s} | std deferrable_rtr message_id={m+8} som eom initiator_token=$t2{s} target_token=0x77\n"
		"any {\n"
		"  < ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response message_id={m+8} return_code=ok  [UET-SES-36/dst:ses.return_code]\n"
		"  < rud_req pdc=a psn={p+2} | std deferrable_tsend message_id=$n2{s} initiator_token=$t2{s} target_token=0x77 match_bits=$tag | data 63  [UET-SES-35:req.missing UET-SES-35]\n"
		"}\n"
		"> ack pdc=a ack_psn={p+2} cack_psn={p+2} | response message_id=$n2{s} modified_length=63\n"
		"completed op={o+2} once  [RUD-SVC-4]\n"
		"> rud_req ar pdc=b psn=$s{s}+1 clear_psn=$s{s} | std deferrable_rtr message_id={m+9} som eom initiator_token=$t1{s} target_token=0x78\n"
		"any {\n"
		"  < ack pdc=b ack_psn=$s{s}+1 cack_psn=$s{s}+1 | response message_id={m+9} return_code=ok  [UET-SES-36/dst:ses.return_code]\n"
		"  < rud_req pdc=a psn={p+3} | std deferrable_tsend message_id=$n1{s} initiator_token=$t1{s} target_token=0x78 match_bits=$tag+1 | data 64  [UET-SES-35:req.missing UET-SES-35]\n"
		"}\n"
		"> ack pdc=a ack_psn={p+3} cack_psn={p+3} | response message_id=$n1{s} modified_length=64\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.violates = "UET-NACK-15/dst",
	 .ids = "UET-NACK-15",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} clear_psn={p-1} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-5]\n"
		"post send len=64\n"
		"< rud_req psn={p+1} clear_psn={p-1} | std send message_id=$n{s} som eom | data 64  [RUD-SVC-5]\n"
		"> nack invalid_syn nack_psn={p}\n"
		"never < rud_req psn={p}..{p+1} for 3 rto  [UET-PDC-48:req.forbidden UET-NACK-15:req.forbidden]\n"
		"error x 2  [PDS-IF-10]\n"
		"completed op={o+1} none\n"
		"completed op={o+2} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.ids = "RUD-SVC-4",
	 .lines =
		"duplicate < rud_req psn={p} nth=1\n"
		"post send len=64\n"
		"post send len=64\n"
		"< rud_req psn={p} clear_psn={p-1} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-5]\n"
		"< rud_req psn={p+1} clear_psn={p-1} | std send message_id=$n{s} som eom | data 64  [RUD-SVC-5]\n"
		"> nack no_pkt_buffer nack_psn={p}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$n{s}\n"
		"never < rud_req psn={p} retx for 2 rto  [UET-RTX-19:req.forbidden MODE-RUD-3]\n"
		"completed op={o+1} once\n"
		"completed op={o+2} once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.ids = "RUD-SVC-4",
	 .lines =
		"post send len=64\n"
		"post send len=80\n"
		"< rud_req psn={p} clear_psn={p-1} | std send message_id=$a{s} som eom | data 64  [RUD-SVC-5]\n"
		"< rud_req psn={p+1} clear_psn={p-1} | std send message_id=$b{s} som eom | data 80  [RUD-SVC-5]\n"
		"> ack ack_psn={p+1} cack_psn={p-1} req=clear | response message_id=$b{s}\n"
		"completed op={o+2} once\n"
		"post send len=96\n"
		"< rud_req psn={p+2} clear_psn={p-1} | std send message_id=$c{s} som eom | data 96  [RUD-SVC-5 UET-ACK-31]\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$a{s}\n"
		"> ack ack_psn={p+2} cack_psn={p} | response message_id=$c{s}\n"
		"completed op={o+1} once\n"
		"completed op={o+3} once\n"
		"< cp clear_command clear_psn={p+2} within 2 rto + 2 clear_time  [RUD-SEQ-78 UET-CP-02]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.violates = "UET-NACK-0F/dst",
	 .ids = "UET-NACK-0F",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} clear_psn={p-1} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-5]\n"
		"post send len=64\n"
		"< rud_req psn={p+1} clear_psn={p-1} | std send message_id=$n{s} som eom | data 64  [RUD-SVC-5]\n"
		"> nack pdc_hdr_mismatch nack_psn={p} spdcid=0\n"
		"never < rud_req psn={p}..{p+1} for 3 rto  [UET-PDC-48:req.forbidden UET-NACK-0F:req.forbidden]\n"
		"error x 2  [PDS-IF-10]\n"
		"completed op={o+1} none\n"
		"completed op={o+2} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read ecn",
	 .ids = "RUD-SVC-5",
	 .lines =
		"mark_ce > rud_req psn={r+1} nth=1\n"
		"post read len=3mtu offset=0\n"
		"< rud_req psn={p} | std read message_id=$m{s} som | data 0\n"
		"< rud_req psn={p+1} | std read message_id=$m{s} | data 0\n"
		"< rud_req psn={p+2} | std read message_id=$m{s} eom | data 0\n"
		"> ack ack_psn={p+2} cack_psn={p+2} | response message_id=$m{s}\n"
		"> rud_req ar psn={r} clear_psn={r-1} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"< ack ack_psn={r} cack_psn={r} m=0 | response message_id=9  [UET-ACK-02/dst]\n"
		"> rud_req ar psn={r+1} clear_psn={r} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=mtu | data mtu\n"
		"< ack ack_psn={r+1} cack_psn={r+1} m | response message_id=9  [UET-ACK-02/dst:ack.m]\n"
		"> rud_req ar psn={r+2} clear_psn={r+1} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=2mtu | data mtu\n"
		"< ack ack_psn={r+2} cack_psn={r+2} m=0 | response message_id=9  [UET-ACK-02/dst]\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .ids = "MODE-ROD-2",
	 .lines =
		"drop < rod_req psn={p+2} nth=1\n"
		"post send len=4mtu mode=rod\n"
		"< rod_req psn={p} | std send message_id=$m{s} som | data mtu\n"
		"< rod_req psn={p+1} | std send message_id=$m{s} | data mtu\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"< rod_req psn={p+3} retx=0 | std send message_id=$m{s} eom | data mtu\n"
		"> nack rod_ooo nack_psn={p+3} payload==0\n"
		"< rod_req psn={p+1} retx | same within 0.5 rto  [MODE-ROD-3s UET-NACK-0D:req.late]\n"
		"< rod_req psn={p+2} retx | std send message_id=$m{s} | data mtu  [MODE-ROD-3s]\n"
		"< rod_req psn={p+3} retx | same  [MODE-ROD-3s]\n"
		"> ack ack_psn={p+3} cack_psn={p+3} retx | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.tagged send.rendezvous",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len=64 rendezvous=1 eager=64 tagged=1 tag=$tag\n"
		"< rud_req psn={p} | std rendezvous_tsend message_id=$m{s} som eom request_length=64 match_bits=$tag | rendezvous eager_length=64 | data 64\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.ids = "UET-PDC-23",
	 .lines =
		"post send len=64\n"
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$a{s} som eom | data 64\n"
		"< rud_req psn={p+1} | std send message_id=$b{s} som eom | data 64\n"
		"> ack_cc ack_psn={p} cack_psn={p} mpr=8 sack_psn={p+1} sack_bitmap=0x1 | response message_id=$a{s}\n"
		"never < rud_req psn={p+1} retx  [MODE-RUD-3]\n"
		"< cp ack_request psn={p+1} within 2 rto  [UET-CP-01 MODE-RUD-3]\n"
		"completed op={o+2} none  [UET-ACK-28]\n"
		"> ack_cc ack_psn={p+1} cack_psn={p} mpr=8 req=clear sack_psn={p+1} sack_bitmap=0x1 | response message_id=$b{s} return_code=no_match\n"
		"failed op={o+2} return_code=no_match once  [UET-ACK-28 RUD-SVC-4]\n"
		"< cp clear_command clear_psn={p+1} within clear_time  [RUD-SVC-6]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.violates = "UET-NACK-16/dst",
	 .ids = "UET-NACK-16",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} clear_psn={p-1} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-5]\n"
		"post send len=64\n"
		"< rud_req psn={p+1} clear_psn={p-1} | std send message_id=$n{s} som eom | data 64  [RUD-SVC-5]\n"
		"> nack pdc_mode_mismatch nack_psn={p}\n"
		"never < rud_req psn={p}..{p+1} for 3 rto  [UET-PDC-48:req.forbidden UET-NACK-16:req.forbidden]\n"
		"error x 2  [PDS-IF-10]\n"
		"completed op={o+1} none\n"
		"completed op={o+2} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.rendezvous return_data",
	 .ids = "RUD-SVC-4",
	 .lines =
		"post send len=2mtu rendezvous=1 eager=0\n"
		"< rud_req psn={p} | std rendezvous_send message_id=$m{s} som eom request_length=2mtu | rendezvous eager_length=0 read_offset=$o{s} read_memory_key=$k{s} | data 0  [UET-SES-35 UET-SES-13]\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_req syn ar pdc=b psn=$s{s} | std read message_id={m+8} som eom buffer_offset=$o{s} match_bits=$k{s} request_length=mtu | data 0\n"
		"any {\n"
		"  < ack pdc=b ack_psn=$s{s} | response message_id={m+8} return_code=ok  [UET-SES-36/dst]\n"
		"  < rud_req pdc=b psn=$x{s} | response_data response_message_id=$z{s} read_request_message_id={m+8} | data mtu  [UET-SES-21/dst]\n"
		"}\n"
		"> ack pdc=b ack_psn=$x{s} cack_psn=$x{s} | response message_id=$z{s}\n"
		"never < rud_req for 2 rto\n"
		"completed op={o+1} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read",
	 .violates = "RUD-SEQ-79/dst UET-SES-21/dst",
	 .ids = "RUD-SEQ-79",
	 .lines =
		"post read len=mtu\n"
		"< rud_req psn={p} | std read message_id=$m{s} som eom request_length=mtu | data 0\n"
		"> ack ack_psn={p} | response message_id=$m{s}\n"
		"> rud_req psn={r} ar | response_data response_message_id=9 read_request_message_id=$m{s}+1 | data mtu\n"
		"< ack ack_psn={r} | response  [PDS-IF-5 UET-ACK-15/dst]\n"
		"> rud_req psn={r+1} ar | response_data response_message_id=9 read_request_message_id=$m{s} | data mtu\n"
		"< ack ack_psn={r+1} | response message_id=9\n"
		"returned psn={r+1} len=mtu once  [PDS-IF-5 PDS-IF-4]\n"
		"completed op={o+1} once  [RUD-SVC-4 PDS-IF-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.deferrable multi",
	 .ids = "UET-SES-35",
	 .lines =
		"post send len=mtu+5 deferrable=1\n"
		"< rud_req psn={p} | std deferrable_send message_id=$m{s} som eom=0 initiator_token=$t{s} target_token=0 | data mtu\n"
		"< rud_req psn={p+1} | std deferrable_send message_id=$m{s} som=0 eom | data 5\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response message_id=$m{s} list=overflow return_code=ok modified_length=0\n"
		"> ack ack_psn={p+1} cack_psn={p-1} | response message_id=$m{s} return_code=null\n"
		"> rud_req syn ar pdc=b psn=$s{s} | std deferrable_rtr message_id={m+8} som eom initiator_token=$t{s} target_token=0x77\n"
		"any {\n"
		"  < ack pdc=b ack_psn=$s{s} cack_psn=$s{s} | response message_id={m+8} return_code=ok  [UET-SES-36/dst:ses.return_code]\n"
		"  < rud_req pdc=a psn={p+2} | std deferrable_send message_id=$n{s} som eom=0 initiator_token=$t{s} target_token=0x77 | data mtu  [UET-SES-35:req.missing UET-SES-35]\n"
		"  < rud_req pdc=a psn={p+3} | std deferrable_send message_id=$n{s} som=0 eom | data 5\n"
		"}\n"
		"> ack pdc=a ack_psn={p+3} cack_psn={p+3} | response message_id=$n{s} modified_length=mtu+5\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "send.rendezvous",
	 .ids = "RUD-SVC-4",
	 .lines =
		"post send len=$eager-1 rendezvous=1 eager=$eager\n"
		"< rud_req psn={p} | std rendezvous_send message_id=$a{s} som eom request_length=$eager-1 | rendezvous eager_length=$eager-1 | data $eager-1  [UET-SES-35 UET-SES-13]\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$a{s}\n"
		"completed op={o+1} once\n"
		"post send len=$eager rendezvous=1 eager=$eager\n"
		"< rud_req psn={p+1} | std rendezvous_send message_id=$b{s} som eom request_length=$eager | rendezvous eager_length=$eager | data $eager  [UET-SES-35 UET-SES-13]\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$b{s}\n"
		"completed op={o+2} once\n"
		"post send len=$eager+1 rendezvous=1 eager=$eager\n"
		"< rud_req psn={p+2} | std rendezvous_send message_id=$c{s} som eom request_length=$eager+1 | rendezvous eager_length=$eager | data $eager  [UET-SES-35 UET-SES-13]\n"
		"> ack ack_psn={p+2} cack_psn={p+2} | response message_id=$c{s}\n"
		"never < rud_req for 2 rto\n"
		"completed op={o+3} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* an atomic with a short header, or the standard one in its place */
	{.needs = "atomic read.medium read.small",
	 .ids = "UET-SES-35:req.missing UET-SES-35 UET-SES-31",
	 .lines =
		"post atomic amo={2:sum/max/bor/min/band} datatype={3:uint32/uint64} operand={:1..65535} offset={:8/16/24} header={1:medium/small}{mode}\n"
		"one {\n"
		"  < {q} psn={p} | {1=medium/small} atomic request_length={3=4/8} | atomic amo_opcode={2=sum/max/bor/min/band} datatype={3=uint32/uint64}\n"
		"  > ack ack_psn={p} cack_psn={p} | response modified_length={3=4/8}\n"
		"or\n"
		"  < {q} psn={p} next_hdr=request_std | std atomic message_id=$m{s} request_length={3=4/8} | atomic amo_opcode={2=sum/max/bor/min/band} datatype={3=uint32/uint64}\n"
		"  > ack ack_psn={p} cack_psn={p} | response message_id=$m{s} modified_length={3=4/8}\n"
		"}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 4},
	/* messages of both modes are open at the same time */
	{.needs = "rod",
	 .ids = "RUD-SEQ-79c",
	 .lines =
		"post send len=8\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 8  [UET-PDC-23]\n"
		"post send len=9 mode=rod\n"
		"< rod_req syn pdc=w psn=$u{s} psn_offset=0 | std send message_id=$n{s} message_id!=$m{s} | data 9  [RUD-SEQ-79c:ses.message_id MODE-ROD-2 UET-PDC-07]\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s} | response message_id=$n{s}\n"
		"> ack pdc=a ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once, op={o+2} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* a NACK for a PSN that is acknowledged: the PDC goes on */
	{.ids = "UET-RTX-02",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-1]\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"> nack {:closing_in_err/no_pkt_buffer/trimmed} nack_psn={p}\n"
		"post send len=64{mode}\n"
		"< {q} psn={p+1} syn=0 | std send message_id=$n{s} som eom | data 64\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$n{s}\n"
		"completed op={o+2} once  [RUD-SVC-4]\n",
	 .psns = 2, .ops = 2, .weight = 4},
	/* the same; a device with a PDC for each message shows it by an ACK */
	{.needs = "noop",
	 .ids = "UET-RTX-02",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64  [RUD-SVC-1]\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"> nack closing_in_err nack_psn={p}\n"
		"never < nack  [UET-RTX-02:nack.forbidden]\n"
		"> cp noop ar psn={r}\n"
		"< ack ack_psn={r} next_hdr=none|cp_ack  [UET-CP-00/dst]\n",
	 .flags = SCRIPT_OVER, .weight = 4},
	/* the next PDC, which may have the PDCID of the one before */
	{.needs = "close.initiator start_psn.random",
	 .ids = "UET-PDC-24",
	 .lines =
		"> cp close_request ar psn={r}\n"
		"any {\n"
		"  < ack ack_psn={r} next_hdr=none|cp_ack within rto  [UET-CP-05]\n"
		"  < cp close_command ar psn={p} within rto  [UET-CP-05]\n"
		"}\n"
		"> ack ack_psn={p} cack_psn={p}\n"
		"post send len=64{mode}\n"
		"< {q} syn pdc=w psn=$u{s} psn_offset=0 | std send message_id=$m{s} som eom | data 64\n"
		"> ack pdc=w ack_psn=$u{s} cack_psn=$u{s} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_OVER, .weight = 4},
	{.weight = 0}};
/* clang-format on */
