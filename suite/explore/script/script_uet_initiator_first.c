/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_uet_initiator_first.c -- the openings of a case
 * with a UET target as the tester, written as lines.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* Eight messages that fill several windows. */
#define EIGHT_MESSAGES \
	"post send len=64mtu\npost send len=64mtu\n" \
	"post send len=64mtu\npost send len=64mtu\n" \
	"post send len=64mtu\npost send len=64mtu\n" \
	"post send len=64mtu\npost send len=64mtu\n"
/* Acknowledge a whole window, with marks or without, and await the next one. */
#define WINDOW_AWAIT \
	"< rud_req | std send flight $c for 0.3 rto within rto  [RUD-SVC-1]\n"
#define WINDOW_ROUND \
	"> ack_cc ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response default_response message_id=0 each\n" \
	WINDOW_AWAIT
#define WINDOW_LIMITED "check $c <= 48  [PDS-SVC-6]\n"
#define WINDOW_MARKED \
	"> ack_cc m ack_psn=$psn cack_psn=$newest mpr=8 sack_psn=$newest+1 | response default_response message_id=0 each\n" \
	WINDOW_AWAIT

/* How a case may begin. */
const struct draft_script script_uet_initiator_first[] = {
	{.setting = "nack_retx_time=0.9rto",
	 .needs = "multi",
	 .violates = "UET-NACK-01/dst UET-NACK-02/dst",
	 .ids = "UET-NACK-01",
	 .lines =
		"post send len=2mtu\n"
		"< rud_req psn={p} | std send message_id=$m{s} som | data mtu  [RUD-SVC-1]\n"
		"< rud_req psn={p+1} | std send message_id=$m{s} eom | data mtu  [RUD-SVC-1]\n"
		"> nack trimmed nack_psn={p}\n"
		"< rud_req psn={p} retx | same within ack_time  [UET-NACK-01 UET-RTX-03:req.late]\n"
		"> nack trimmed_lasthop nack_psn={p+1}\n"
		"< rud_req psn={p+1} retx | same within ack_time  [UET-NACK-02:req.resend UET-RTX-03]\n"
		"> ack ack_psn={p+1} cack_psn={p+1} retx | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* a false ACK of packets that wait to be sent */
	{.needs = "multi",
	 .violates = "UET-ACK-05/dst UET-ACK-26/dst",
	 .ids = "RUD-SVC-1",
	 .lines =
		"configure cwnd=2mtu+504\n"
		"use open\n"
		"base fwd=100 ret=500\n"
		"post send len=4mtu\n"
		"< rud_req psn=100..101 retx=0 | std send message_id=$m{s} x 2\n"
		"> ack ack_psn={1:103/102} cack_psn={1=103/102} | response message_id=$m{s}\n"
		"any {\n"
		"  < rud_req psn=100 retx | std send message_id=$m{s} within 1.5 rto optional  [RUD-SEQ-83]\n"
		"  < rud_req psn=101 retx | std send message_id=$m{s} within 1.5 rto optional  [RUD-SEQ-83]\n"
		"}\n"
		"> ack ack_psn=101 cack_psn=101 | response message_id=$m{s}\n"
		"< rud_req psn=102..103 retx=0 | std send message_id=$m{s} x 2\n"
		"> ack ack_psn=103 cack_psn=103 | response message_id=$m{s}\n"
		"completed op=1 once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* an eager size is that of a mode and a traffic class */
	{.needs = "rod control.pds",
	 .ids = "PDS-IF-8",
	 .lines =
		"configure default_mpr=2\n"
		"use open\n"
		"base fwd=100 ret=500\n"
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 64  [UET-PDC-23]\n"
		"> ack_cc ack_psn={p} cack_psn={p} mpr=1 sack_psn={p+1} | response message_id=$m{s}\n"
		"wait ack_time\n"
		"post ses_pds_eager_req eager_id=3{2:/ mode=rod/ tc=1/ tc=2}\n"
		"eager eager_id=3 eager_size={2=128mtu/256mtu/256mtu/256mtu} once\n"
		"post ses_pds_eager_req eager_id=4{3:/ mode=rod/ tc=1/ tc=2}\n"
		"eager eager_id=4 eager_size={3=128mtu/256mtu/256mtu/256mtu} once\n",
	 .psns = 1, .ops = 1, .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "rudi write control.pds",
	 .ids = "PDS-IF-9",
	 .lines =
		"configure max_rudi=1\n"
		"post ses_pds_tx_req mode=rudi message_id=1 som=1 eom=1 | std write message_id=1 som eom | data 64\n"
		"< rudi_req pkt_id=$p | std write message_id=1 | data 64  [MODE-RUDI-2]\n"
		"post ses_pds_tx_req mode=rudi message_id=2 som=1 eom=1 | std write message_id=2 som eom | data 32\n"
		"paused rudi=1 once  [PDS-IF-9]\n"
		"never < rudi_req pkt_id!=$p for 0.5 rto\n"
		"> rudi_resp pkt_id=$p | response message_id=1\n"
		"resumed rudi=1 once  [PDS-IF-9]\n"
		"< rudi_req pkt_id=$q pkt_id!=$p | std write message_id=2 | data 32\n"
		"> rudi_resp pkt_id=$q | response message_id=2\n"
		"responded op=1 once, op=2 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "max_pdcs=1",
	 .needs = "control.pds close.initiator",
	 .ids = "PDS-IF-9",
	 .lines =
		"post ses_pds_tx_req message_id=0x21 som=1 eom=1 | std send message_id=0x21 som eom | data 64\n"
		"< rud_req pdc=a psn={p} | std send message_id=0x21 | data 64  [UET-PDC-43]\n"
		"post ses_pds_tx_req message_id=0x22 som=1 eom=1 rsv_pdc_context=2 | std send message_id=0x22 som eom | data 64\n"
		"paused once  [PDS-IF-9]\n"
		"never < rud_req syn for 0.5 rto\n"
		"> ack pdc=a ack_psn={p} cack_psn={p} | response message_id=0x21\n"
		"< cp close_command ar pdc=a psn={p+1}  [UET-CP-04 UET-PDC-43]\n"
		"> ack pdc=a ack_psn={p+1} cack_psn={p+1}\n"
		"< rud_req syn pdc=w psn=$u psn_offset=0 | std send message_id=0x22 | data 64\n"
		"resumed once  [PDS-IF-9]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "crc=1",
	 .ids = "UET-ENC-20",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s} crc wrong\n"
		"> nack unexp_event nack_psn={p} crc none\n"
		"< {q} psn={p} retx | same within 1.5 rto\n"
		"> ack ack_psn={p} cack_psn={p} retx | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .weight = 3},
	{.setting = "crc=1",
	 .needs = "read",
	 .ids = "UET-ENC-20",
	 .lines =
		"post read len=100 offset=0{mode}\n"
		"< {q} psn={p} | std read message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> {q} ar psn={r} clear_psn={r-1} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data 100\n"
		"< ack ack_psn={r} cack_psn={r} | response message_id=9 modified_length=100\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .rets = 1, .weight = 2},
	{.setting = "crc=1",
	 .ids = "UET-ENC-20",
	 .lines =
		"rewrite padding=18 > ack ack_psn={p}\n"
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"never < {q} psn={p} for 1.5 rto\n",
	 .psns = 1, .ops = 1, .weight = 1},
	{.setting = "native=1",
	 .ids = "RUD-SVC-4",
	 .lines =
		"post send len=64{mode}\n"
		"< {q} psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"completed op={o+1} once\n",
	 .psns = 1, .ops = 1, .weight = 3},
	{.setting = "probe=1",
	 .ids = "UET-CP-06",
	 .lines =
		"configure probe=1\n"
		"post send len=8\n"
		"never < cp probe until next\n"
		"< rud_req syn psn=$start start_psn=$start | std send message_id=$first som eom | data 8\n"
		"> ack ack_psn=$start cack_psn=$start | response message_id=$first\n"
		"< cp probe ar probe_opaque=$o\n"
		"base fwd=100\n"
		"> ack p probe_opaque=$o cack_psn=$start\n"
		"post send len=64\n"
		"< rud_req psn=100 clear_psn=99 | std send message_id=$m som eom | data 64\n"
		"> ack ack_psn=100 cack_psn=100 | response message_id=$m\n"
		"completed op=2 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read",
	 .ids = "UET-PDC-05",
	 .lines =
		"configure probe=1\n"
		"post read len=100 offset=0\n"
		"< rud_req syn psn=$start start_psn=$start | std read message_id=$m som eom | data 0\n"
		"> rud_req ar psn=$start clear_psn=$start-1 | response_data response_message_id=9 read_request_message_id=$m message_offset=0 | data 100\n"
		"< ack ack_psn=$start | response message_id=9\n"
		"never < cp probe for ack_time\n"
		"> ack ack_psn=$start cack_psn=$start | response message_id=$m\n"
		"< cp probe ar probe_opaque=$o\n"
		"> ack p probe_opaque=$o cack_psn=$start\n"
		"completed op=1 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "sack_retx=2",
	 .needs = "multi",
	 .ids = "UET-RTX-20",
	 .lines =
		"post send len=3mtu\n"
		"< rud_req psn={p} retx=0 | std send message_id=$m{s}\n"
		"< rud_req psn={p+1} retx=0 | std send message_id=$m{s}\n"
		"< rud_req psn={p+2} retx=0 | std send message_id=$m{s}\n"
		"> ack_cc ack_psn={p+2} cack_psn={p-1} mpr=8 sack_psn={p} sack_bitmap=0x6 | response message_id=$m{s}\n"
		"< rud_req psn={p} retx | same within 0.3 rto lost\n"
		"> ack_cc ack_psn={p+1} cack_psn={p-1} mpr=8 sack_psn={p} sack_bitmap=0x6 | response message_id=$m{s}\n"
		"never < rud_req psn={p} retx for 0.3 rto\n"
		"post send len=64\n"
		"< rud_req psn={p+3} retx=0 | std send message_id=$n{s}\n"
		"> ack_cc ack_psn={p+3} cack_psn={p-1} mpr=8 sack_psn={p} sack_bitmap=0xe | response message_id=$n{s}\n"
		"< rud_req psn={p} retx | same within 0.3 rto\n"
		"> ack_cc ack_psn={p} cack_psn={p+3} mpr=8 sack_psn={p+4} retx | response message_id=$m{s}\n"
		"completed op={o+1} once, op={o+2} once\n",
	 .psns = 4, .ops = 2, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cwnd=4mtu+504",
	 .needs = "multi nscc nack_time.short",
	 .ids = "UET-RTX-20",
	 .lines =
		"post send len=8mtu\n"
		"< rud_req psn={p} retx=0 | std send message_id=$m{s}\n"
		"< rud_req psn={p+1} retx=0 | std send message_id=$m{s}\n"
		"< rud_req psn={p+2} retx=0 | std send message_id=$m{s}\n"
		"< rud_req psn={p+3} retx=0 | std send message_id=$m{s}\n"
		"never < rud_req psn={p+4} for 0.3 rto\n"
		"> ack_cc ack_psn={p} cack_psn={p} mpr=8 sack_psn={p+1} | response message_id=$m{s}\n"
		"< rud_req psn={p+4} retx=0 | std send message_id=$m{s}\n"
		"> nack no_pkt_buffer nack_psn={p+1}\n"
		"< rud_req psn={p+5} retx=0 | std send message_id=$m{s}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cwnd=4mtu+504",
	 .needs = "multi nscc",
	 .ids = "UET-RTX-20",
	 .lines =
		"post send len=12mtu\n"
		"< rud_req psn={p}..{p+3} retx=0 | std send message_id=$m x 4\n"
		"> ack_cc ack_psn={p+3} cack_psn={p+3} mpr=8 sack_psn={p+4} rcv_cwnd_pend=64 | response message_id=$m\n"
		"< rud_req psn={p+4} retx=0 | std send message_id=$m\n"
		"< rud_req psn={p+5} retx=0 | std send message_id=$m\n"
		"never < rud_req psn={p+6} for 0.3 rto\n"
		"> ack_cc ack_psn={p+5} cack_psn={p+5} mpr=8 sack_psn={p+6} rc | response message_id=$m\n"
		"< rud_req psn={p+6}..{p+9} retx=0 | std send message_id=$m x 4\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=1 ccc_id=9 credit_init=100",
	 .needs = "credit multi",
	 .ids = "UET-ENC-38",
	 .lines =
		"post send len=2mtu\n"
		"< rud_cc_req psn={p} ccc_id=9 credit_target!=0 | std send message_id=$m{s} som | data mtu\n"
		"< rud_cc_req psn={p+1} ccc_id=9 credit_target!=0 | std send message_id=$m{s} eom | data mtu\n"
		"> ack_cc cc_type=credit ack_psn={p+1} cack_psn={p+1} mpr=8 credit=200 | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=1 ccc_id=9 credit_unit=1 credit_init=2mtu+440",
	 .needs = "credit multi",
	 .ids = "UET-ACK-38",
	 .lines =
		"post send len=4mtu\n"
		"< rud_cc_req psn={p} | std send message_id=$m{s} som | data mtu\n"
		"< rud_cc_req psn={p+1} | std send message_id=$m{s} | data mtu\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"< cp credit_request psn=0 ar=0 ccc_id=9 credit_target=$t\n"
		"never < rud_cc_req psn={p+2} for 0.3 rto\n"
		"> cp credit credit=$t\n"
		"< rud_cc_req psn={p+2} | std send message_id=$m{s} | data mtu\n"
		"< rud_cc_req psn={p+3} | std send message_id=$m{s} eom | data mtu\n"
		"> ack_cc cc_type=credit ack_psn={p+3} cack_psn={p+3} mpr=8 credit=$t | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=1 ccc_id=9 credit_unit=mtu credit_init=3",
	 .needs = "credit close.initiator",
	 .ids = "UET-ACK-38",
	 .lines =
		"post send len=mtu\n"
		"< rud_cc_req psn={p} | std send message_id=$m{s} som eom | data mtu\n"
		"> ack_cc cc_type=credit ack_psn={p} cack_psn={p} mpr=8 credit=3 | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"never < cp credit_request until next\n"
		"> cp close_request ar psn=$ask\n"
		"any {\n"
		"  < ack ack_psn=$ask next_hdr=none|cp_ack within rto  [UET-CP-05]\n"
		"  < cp close_command ar psn=$close within rto  [UET-CP-04]\n"
		"}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "ack_type=2 nack_ccx=1 mpr=8",
	 .needs = "read trim",
	 .ids = "UET-ENC-48",
	 .lines =
		"trim 16 > {q} psn={r} nth=1\n"
		"post read len=mtu offset=0{mode}\n"
		"< {q} psn={p} | std read message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> {q} ar psn={r} clear_psn={r-1} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"< nack_ccx trimmed nccx_type=14|15 nack_psn={r}\n"
		"> {q} ar retx psn={r} clear_psn={r-1} | same\n"
		"< ack_ccx ccx_type=14|15 ack_psn={r} cack_psn={r} mpr=8 retx | response message_id=9\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .rets = 1, .weight = 2},
	{.setting = "ack_type=1 mpr=8 sack_base=1 rcv_cwnd_pend=0 restore_cwnd=0",
	 .needs = "read ack_cc nscc",
	 .ids = "UET-ACK-34",
	 .lines =
		"post read len=mtu offset=0\n"
		"< rud_req psn={p} | std read message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_req ar psn={r} clear_psn={r-1} | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"< ack_cc ack_psn={r} cack_psn={r} cc_type=nscc cc_flags=0 mpr=8 sack_psn={r} service_time>=1 rc=0 rcv_cwnd_pend=0 ooo_count=0 | response message_id=9\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 1, .ops = 1, .rets = 1, .flags = SCRIPT_RUD, .weight = 2},
	{.setting = "ack_type=1 cc=1 ccc_id=9 credit_init=100",
	 .needs = "read ack_cc credit",
	 .ids = "UET-ACK-38",
	 .lines =
		"post read len=mtu offset=0\n"
		"< rud_cc_req psn={p} ccc_id=9 credit_target=1..100 | std read message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_cc_req ar psn={r} clear_psn={r-1} ccc_id=1 credit_target=500 | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"< ack_cc ack_psn={r} cack_psn={r} cc_type=credit cc_flags=0 credit=500 ooo_count=0 | response message_id=9\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "close_idle=2rto+ack_time",
	 .needs = "close.initiator",
	 .ids = "UET-CP-04",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"never < cp close_command for 0.5 rto\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"< cp close_command ar psn={p+1} payload=0 syn=0 retx=0 within 4 rto + 2 ack_time\n"
		"> ack ack_psn={p+1} cack_psn={p+1}\n"
		"never < any for 3 rto\n"
		"post send len=64\n"
		"< rud_req syn pdc=w psn=$u psn_offset=0 | std send message_id=$n som eom | data 64\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "psn_range=16",
	 .needs = "multi close.initiator",
	 .ids = "UET-PDC-30",
	 .lines =
		"post send len=4mtu\n"
		"post send len=4mtu\n"
		"post send len=3mtu\n"
		"post send len=64\n"
		"< rud_req pdc=a psn={p}..{p+10} | std send x 11\n"
		"< rud_req syn pdc=w psn=$u psn_offset=0 | std send message_id=$n som eom | data 64\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "fatal_retries=1",
	 .violates = "UET-NACK-10/dst UET-NACK-0E/dst UET-NACK-19/dst",
	 .ids = "UET-NACK-10",
	 .lines =
		"post send len=64\n"
		"post send len=100\n"
		"< rud_req pdc=a psn={p} | std send message_id=$m som eom | data 64\n"
		"< rud_req pdc=a psn={p+1} | std send message_id=$n som eom | data 100\n"
		"> nack {1:closing/inv_dpdcid/unexp_event} nack_psn={p} {1=vendor_code=0/spdcid=0/vendor_code=0}\n"
		"< rud_req syn pdc=w psn=$u psn_offset=0 retx=0 | std send message_id=$m som eom | data 64\n"
		"< rud_req syn pdc=w psn=$u+1 psn_offset=1 retx=0 | std send message_id=$n som eom | data 100\n"
		"never < rud_req pdc=a for 0.5 rto\n"
		"> ack pdc=w ack_psn=$u+1 cack_psn=$u | response message_id=$n\n"
		"completed op={o+1} once, op={o+2} once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	{.setting = "max_nack_retx=2",
	 .needs = "nack_time.short",
	 .ids = "UET-NACK-07",
	 .lines =
		"duplicate 3 > nack\n"
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m som eom | data 64\n"
		"> nack no_pkt_buffer nack_psn={p}\n"
		"< rud_req psn={p} retx | same after nack_time within nack_time\n"
		"> nack no_pkt_buffer nack_psn={p} retx\n"
		"< rud_req psn={p} retx | same after nack_time within nack_time\n"
		"> ack ack_psn={p} cack_psn={p} retx | response message_id=$m\n"
		"completed op={o+1} once\n"
		"error none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "max_nack_retx=2",
	 .needs = "nack_time.short",
	 .violates = "UET-NACK-01/dst",
	 .ids = "RUD-SEQ-82a",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m som eom | data 64\n"
		"> nack {1:no_pkt_buffer/trimmed} nack_psn={p}\n"
		"< rud_req psn={p} retx | same within nack_time\n"
		"> nack {1=no_pkt_buffer/trimmed} nack_psn={p} retx\n"
		"< rud_req psn={p} retx | same within nack_time\n"
		"> nack {1=no_pkt_buffer/trimmed} nack_psn={p} retx\n"
		"failed op={o+1} once\n"
		"never < rud_req psn={p} for 2 rto\n"
		"completed op={o+1} none\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "default_mpr=1",
	 .needs = "multi",
	 .ids = "UET-ACK-14",
	 .lines =
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req psn={p}..{p+127} retx=0 | std send x 128 within rto\n"
		"never < rud_req psn={p+128} for 0.5 rto\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "default_mpr=1",
	 .needs = "multi control.pds",
	 .ids = "PDS-IF-9",
	 .lines =
		"post send len=136mtu{mode}\n"
		"< {q} psn={p}..{p+127} retx=0 | std send x 128 within rto  [UET-PDC-23]\n"
		"paused once\n"
		"never < {q} psn={p+128} for 0.2 rto\n"
		"> ack ack_psn={p+127} cack_psn={p+127} | response default_response message_id=0\n"
		"< {q} psn={p+128}..{p+135} retx=0 | std send x 8 within rto  [UET-PDC-23]\n"
		"resumed once\n"
		"> ack ack_psn={p+135} cack_psn={p+135} | response default_response message_id=0\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 136, .ops = 1, .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "rod control.pds close.initiator",
	 .ids = "PDS-CTX-2",
	 .lines =
		"configure max_pdcs=1\n"
		"post ses_pds_tx_req mode=rod rod_context=7 message_id=1 som=1 eom=1 | std send message_id=1 som eom | data 64\n"
		"< rod_req syn pdc=a psn=$s psn_offset=0 | std send message_id=1 | data 64  [UET-PDC-24]\n"
		"> ack pdc=a ack_psn=$s cack_psn=$s | response message_id=1\n"
		"responded message_id=1 once\n"
		"wait ack_time\n"
		"> cp close_request ar pdc=a psn=$ask\n"
		"any {\n"
		"  < ack pdc=a ack_psn=$ask next_hdr=none|cp_ack within rto  [UET-CP-05]\n"
		"  < cp close_command ar pdc=a psn=$s+1 within rto  [UET-CP-05 UET-CP-04]\n"
		"}\n"
		"> ack pdc=a ack_psn=$s+1 cack_psn=$s+1\n"
		"> {:rud_req/rod_req} syn ar pdc=b psn=$t | std send message_id=9 som eom | data 64\n"
		"< ack pdc=b ack_psn=$t | response message_id=9  [UET-PDC-13]\n"
		"post ses_pds_tx_req mode=rod rod_context=7 message_id=2 som=1 eom=1 | std send message_id=2 som eom | data 64\n"
		"never < rud_req for 0.5 rto  [PDS-IF-11/dst]\n"
		"never < rod_req for 0.5 rto\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "spray=4",
	 .needs = "multi",
	 .ids = "MODE-ROD-2",
	 .lines =
		"post send len=4mtu mode=rod\n"
		"< rod_req psn={p} | std send message_id=$m | data mtu\n"
		"< rod_req psn={p+1} | std send message_id=$m | data mtu\n"
		"< rod_req psn={p+2} | std send message_id=$m | data mtu\n"
		"< rod_req psn={p+3} | std send message_id=$m eom | data mtu\n"
		"> ack ack_psn={p+3} cack_psn={p+3} | response message_id=$m\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 4, .ops = 1, .flags = SCRIPT_ROD, .weight = 2},
	{.setting = "nack_retx_time=0.01rto",
	 .needs = "multi",
	 .ids = "MODE-ROD-3s",
	 .lines =
		"post send len=4mtu mode=rod\n"
		"< rod_req psn={p} retx=0 | std send message_id=$m som | data mtu lost  [MODE-ROD-2]\n"
		"< rod_req psn={p+1} retx=0 | std send message_id=$m | data mtu  [MODE-ROD-2]\n"
		"< rod_req psn={p+2} retx=0 | std send message_id=$m | data mtu  [MODE-ROD-2]\n"
		"< rod_req psn={p+3} retx=0 | std send message_id=$m eom | data mtu  [MODE-ROD-2]\n"
		"> nack rod_ooo nack_psn={p+1} payload={p}\n"
		"< rod_req psn={p} retx | same  [MODE-ROD-3s UET-NACK-0D]\n"
		"< rod_req psn={p+1} retx | same\n"
		"< rod_req psn={p+2} retx | same lost\n"
		"< rod_req psn={p+3} retx | same\n"
		"wait 0.05rto\n"
		"> nack rod_ooo nack_psn={p+3} payload={p+2}\n"
		"< rod_req psn={p+2} retx | same within 0.5 rto  [MODE-ROD-3s:req.resend,req.late]\n"
		"< rod_req psn={p+3} retx | same\n"
		"> ack ack_psn={p+3} cack_psn={p+3} retx | response message_id=$m\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .psns = 4, .ops = 1, .flags = SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.setting = "start_psn=0xfffffff0",
	 .needs = "multi in_flight.128 message.64",
	 .ids = "UET-ACK-14",
	 .lines =
		"post send len=8\n"
		"< rud_req psn={p} | std send message_id=$m som eom | data 8\n"
		"> ack_cc ack_psn={p} cack_psn={p} mpr=1 sack_psn={p+1} | response message_id=$m\n"
		"completed op={o+1} once\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req psn={p+1}..{p+128} retx=0 | std send x 128 within rto\n"
		"never < rud_req psn={p+129} for 0.2 rto\n"
		"> ack_cc ack_psn={p+1} cack_psn={p+1} mpr=1 sack_psn={p+2} | response default_response message_id=0\n"
		"< rud_req psn={p+129} retx=0 | std send within rto\n"
		"never < rud_req psn={p+130} for 0.2 rto\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "close.initiator",
	 .ids = "UET-PDC-31",
	 .lines =
		"configure max_pdcs=1\n"
		"post send len=64\n"
		"< rud_req syn psn=$s psn_offset=0 spdcid=$ia | std send message_id=$m som eom | data 64\n"
		"> ack ack_psn=$s cack_psn=$s | response message_id=$m\n"
		"wait ack_time\n"
		"use close\n"
		"post send len=64\n"
		"< rud_req syn pdc=w psn=$u psn_offset=0 spdcid=$ia start_psn!=$s-65534..$s+65536 | std send message_id=$n som eom | data 64\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 1},
	{.needs = "close.initiator",
	 .ids = "UET-PDC-24",
	 .lines =
		"post send len=64\n"
		"< rud_req syn psn=$s start_psn=$s clear_psn=$s-1 spdcid=$a | std send message_id=$m1 som eom | data 64\n"
		"post send len=32\n"
		"< rud_req syn psn=$s+1 start_psn=$s clear_psn=$s-1 spdcid=$a | std send message_id=$m2 som eom | data 32\n"
		"> ack ack_psn=$s cack_psn=$s+1 | response message_id=$m1\n"
		"completed op=1 once, op=2 once  [RUD-SVC-4]\n"
		"wait ack_time\n"
		"post send len=16\n"
		"let $t = $s+1\n"
		"< rud_req syn=0 psn=$t+1 clear_psn=$s+1 spdcid=$a | std send message_id=$m3 som eom | data 16\n"
		"> ack ack_psn=$t+1 cack_psn=$t+1 | response message_id=$m3\n"
		"completed op=3 once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	{.needs = "new_start_psn",
	 .violates = "UET-ENC-45/dst",
	 .ids = "UET-NACK-14",
	 .lines =
		"post send len=64\n"
		"post send len=100\n"
		"< rud_req syn psn=$s psn_offset=0 retx=0 | std send message_id=$m som eom | data 64\n"
		"< rud_req syn psn=$s+1 psn_offset=1 retx=0 | std send message_id=$n som eom | data 100\n"
		"> nack new_start_psn nack_psn=$s payload==0x40000000 spdcid=0x1234\n"
		"< rud_req syn psn==0x40000000 psn_offset=0 clear_psn==0x3fffffff | std send message_id=$m som eom | data 64 within rto\n"
		"< rud_req syn psn==0x40000001 psn_offset=1 clear_psn==0x3fffffff | std send message_id=$n som eom | data 100\n"
		"> ack ack_psn==0x40000001 cack_psn==0x40000001 spdcid=0x1234 | response message_id=$n\n"
		"wait ack_time\n"
		"completed op=1 once, op=2 once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* read_offset names the first byte of the message, not of the rest */
	{.setting = "read_offset_of_rest=0",
	 .needs = "send.rendezvous return_data",
	 .ids = "UET-SES-36",
	 .lines =
		"post send len=mtu+{1:64/1} rendezvous=1 eager={1=64/1}\n"
		"< rud_req psn={p} | std rendezvous_send message_id=$m{s} som eom request_length=mtu+{1=64/1} | rendezvous eager_length={1=64/1} read_offset=$o{s} read_memory_key=$k{s} | data {1=64/1}  [UET-SES-35]\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_req syn ar pdc=w psn=$u{s} | std read message_id=9 som eom buffer_offset=$o{s}+{1=64/1} match_bits=$k{s} request_length=mtu | data 0\n"
		"any {\n"
		"  < ack pdc=w ack_psn=$u{s} | response message_id=9 return_code=ok\n"
		"  < rud_req pdc=w psn=$x{s} | response_data response_message_id=$z{s} read_request_message_id=9 | data mtu of 1 at {1=64/1}  [UET-SES-21]\n"
		"}\n"
		"> ack pdc=w ack_psn=$x{s} cack_psn=$x{s} | response message_id=$z{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .ops = 1, .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* a window that is lost makes the next one smaller */
	{.needs = "multi window message.64 in_flight.8",
	 .ids = "PDS-SVC-6",
	 .lines =
		"configure cc=0 cc_policy=1 link_rate=128000 base_rtt=2mtu nscc_qa_gate=16\n"
		"use open\n"
		EIGHT_MESSAGES
		"< rud_req | std send flight $a for 0.3 rto within rto  [RUD-SVC-1]\n"
		"check $a <= 50 else na\n"
		"< rud_req | std send flight $b for 0.3 rto within 2 rto  [RUD-SVC-1]\n"
		"check $b < $a  [PDS-SVC-6]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 3},
	/* so does a loss that SACK shows; the window grows again after it */
	{.needs = "multi window message.64 in_flight.8",
	 .ids = "PDS-SVC-6",
	 .lines =
		"configure cc=0 cc_policy=1 link_rate=128000 base_rtt=2mtu nscc_qa_gate=16 sack_retx=3 spray=4\n"
		"use open\n"
		EIGHT_MESSAGES
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req | std send flight $a for 0.3 rto within rto  [RUD-SVC-1]\n"
		"check $a <= 50 else na\n"
		"check $on_path > 2 else na\n"
		"check $on_path < $a else na\n"
		"> ack_cc ack_psn=$psn cack_psn=$gapless mpr=8 sack_psn=$psn sack_bitmap=1 | response default_response message_id=0 each off path\n"
		"< rud_req | std send flight $b for 0.3 rto within rto  [RUD-LOSS-2]\n"
		"check $b < $a  [PDS-SVC-6]\n"
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		"check $c > $b+1  [PDS-SVC-6]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* the window keeps to its limit */
	{.needs = "multi window message.64 in_flight.8",
	 .ids = "PDS-SVC-6",
	 .lines =
		"configure cc=0 cc_policy=1 link_rate=128000 base_rtt=2mtu nscc_max_window=150 nscc_qa_gate=16\n"
		"use open\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req | std send flight $c for 0.3 rto within rto  [RUD-SVC-1]\n"
		"check $c <= 48  [PDS-SVC-6]\n"
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		"check $c <= 48  [PDS-SVC-6]\n"
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		"check $c <= 48  [PDS-SVC-6]\n"
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		"check $c <= 48  [PDS-SVC-6]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* marks make it smaller */
	{.needs = "multi window message.64 in_flight.8",
	 .violates = "UET-ACK-02/dst",
	 .ids = "PDS-SVC-6",
	 .lines =
		"configure cc=0 cc_policy=1 link_rate=128000 base_rtt=2mtu nscc_qa_gate=16\n"
		"use open\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req | std send flight $a for 0.3 rto within rto  [RUD-SVC-1]\n"
		"check $a <= 50 else na\n"
		WINDOW_MARKED WINDOW_MARKED WINDOW_MARKED WINDOW_MARKED
		"check $c < $a  [PDS-SVC-6]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc_policy=0 ack_type=1 cc=1 ccc_id=9 credit_unit=256 credit_init=100",
	 .needs = "read ack_cc credit",
	 .ids = "UET-ENC-38",
	 .lines =
		"post read len=mtu offset=0\n"
		"< rud_cc_req psn={p} clear_psn={p-1} ccc_id=9 credit_target=1..100 | std read message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_cc_req ar psn={r} clear_psn={r-1} ccc_id=1 credit_target=500 | response_data response_message_id=9 read_request_message_id=$m{s} message_offset=0 | data mtu\n"
		"< ack_cc ack_psn={r} cack_psn={r} cc_type=credit cc_flags=0 credit=500 ooo_count=0 | response message_id=9  [UET-ENC-40/src UET-ENC-42/src]\n"
		"completed op={o+1} once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .ids = "MODE-ROD-2",
	 .lines =
		"configure spray=4\n"
		"post send len=8 mode=rod\n"
		"< rod_req syn psn=$s{s} | std send message_id=$f{s} som eom | data 8\n"
		"> ack ack_psn=$s{s} cack_psn=$s{s} | response message_id=$f{s}\n"
		"wait ack_time\n"
		"post send len=3mtu mode=rod\n"
		"< rod_req psn=$s{s}+1 | std send message_id=$m{s} som eom=0 | data mtu lost\n"
		"< rod_req psn=$s{s}+2 | std send message_id=$m{s} som=0 eom=0 | data mtu\n"
		"< rod_req psn=$s{s}+3 | std send message_id=$m{s} som=0 eom | data mtu\n"
		"> nack rod_ooo nack_psn=$s{s}+2 payload=$s{s}+1\n"
		"< rod_req psn=$s{s}+1 retx | same  [MODE-ROD-2 MODE-ROD-3s]\n"
		"< rod_req psn=$s{s}+2 retx | same  [MODE-ROD-2 MODE-ROD-3s]\n"
		"< rod_req psn=$s{s}+3 retx | same  [MODE-ROD-2 MODE-ROD-3s]\n"
		"> ack ack_psn=$s{s}+3 cack_psn=$s{s}+3 | response message_id=$m{s}\n"
		"completed op={o+2} once  [MODE-ROD-1]\n",
	 .flags = SCRIPT_BARE | SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.setting = "default_mpr=1",
	 .needs = "multi in_flight.128",
	 .ids = "UET-RTX-13",
	 .lines =
		"post send len=192mtu\n"
		"< rud_req psn={p}..{p+127} retx=0 | std send x 128 within rto  [RUD-SVC-1]\n"
		"> nack exp_nack_fatal nack_psn={p}\n"
		"error x 128..192  [PDS-IF-10]\n"
		"failed op={o+1} once\n"
		"completed op={o+1} none\n"
		"never < rud_req for 3 rto  [UET-PDC-48 UET-NACK-FF]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc_policy=0 cc=1 ccc_id=9 credit_unit=mtu credit_init=2",
	 .needs = "write credit",
	 .ids = "MODE-RUDI-7",
	 .lines =
		"post write len=64 mode=rudi\n"
		"< rudi_req pkt_id=$p{s} retx=0 | std write message_id=$m{s} | data 64 within 0.5 rto\n"
		"> rudi_resp pkt_id=$p{s} | response message_id=$m{s}\n"
		"completed op={o+1} once  [UET-RTX-08]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read.small",
	 .ids = "UET-SES-35:req.missing UET-SES-35 MODE-RUDI-2",
	 .lines =
		"post read len=41 offset=24 mode=rudi header=small\n"
		"< rudi_req pkt_id=$p{s} | small read som eom request_length=41\n"
		"> rudi_resp pkt_id=$p{s} | response_data_small | data 41\n"
		"completed op={o+1} once  [UET-RTX-08]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc_policy=0 cc=1 ccc_id=9 credit_unit=mtu credit_init=2",
	 .needs = "credit",
	 .ids = "MODE-UUD-2",
	 .lines =
		"post send len=64 mode=uud\n"
		"< uud_req | std datagram_send | data 64 within 0.5 rto\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=0 cc_policy=0 cwnd=1200",
	 .needs = "multi write rudi.3",
	 .ids = "MODE-RUDI-7",
	 .lines =
		"post send len=2mtu\n"
		"< rud_req psn={p} | std send som  [RUD-SVC-1]\n"
		"post write len=64 mode=rudi\n"
		"post write len=64 mode=rudi\n"
		"post write len=64 mode=rudi\n"
		"any {\n"
		"  < rudi_req pkt_id=$p{s} retx=0 | std write message_id=$ip | data 64 within 0.5 rto\n"
		"  < rudi_req pkt_id=$q{s} retx=0 | std write message_id=$iq | data 64 within 0.5 rto\n"
		"  < rudi_req pkt_id=$r{s} retx=0 | std write message_id=$ir | data 64 within 0.5 rto\n"
		"}\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc_policy=0 cc=1 ccc_id=9 credit_unit=1 credit_init=2mtu+440",
	 .needs = "multi credit",
	 .violates = "UET-NACK-01/dst",
	 .ids = "RUD-SVC-1",
	 .lines =
		"post send len=2mtu\n"
		"< rud_cc_req psn={p} | std send message_id=$m{s} som | data mtu\n"
		"< rud_cc_req psn={p+1} | std send message_id=$m{s} eom | data mtu\n"
		"> ack_cc cc_type=credit ack_psn={p+1} cack_psn={p-1} mpr=8 credit=2mtu+440 sack_psn={p+1} sack_bitmap=1 | response default_response message_id=0\n"
		"> nack trimmed nack_psn={p}\n"
		"never < rud_cc_req psn={p} until next  [PDS-SVC-6:req.resend,req.forbidden]\n"
		"< cp credit_request psn=0 ar=0 ccc_id=9 credit_target=$t{s} within rto  [UET-CP-08:cp.missing]\n"
		"never < rud_cc_req psn={p} for 0.3 rto  [PDS-SVC-6:req.resend,req.forbidden]\n"
		"> cp credit credit=3mtu+600\n"
		"< rud_cc_req psn={p} retx | same within ack_time  [PDS-SVC-6:req.resend,req.missing]\n"
		"> ack_cc cc_type=credit ack_psn={p} cack_psn={p+1} mpr=8 credit=3mtu+600 retx | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"post send len=mtu\n"
		"never < rud_cc_req psn={p+2} until next  [PDS-SVC-6:req.forbidden]\n"
		"< cp credit_request psn=0 ar=0 ccc_id=9 credit_target=$u{s} within rto  [UET-CP-08:cp.missing]\n"
		"never < rud_cc_req psn={p+2} for 0.3 rto  [PDS-SVC-6:req.forbidden]\n"
		"> cp credit credit=4mtu+760\n"
		"< rud_cc_req psn={p+2} | std send message_id=$n{s} som eom | data mtu\n"
		"> ack_cc cc_type=credit ack_psn={p+2} cack_psn={p+2} mpr=8 credit=4mtu+760 | response message_id=$n{s}\n"
		"completed op={o+2} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "control.pds",
	 .violates = "UET-PDC-12/src",
	 .ids = "UET-PDC-15",
	 .lines =
		"configure first_pdcid=65534\n"
		"post ses_pds_tx_req message_id={m} som=1 eom=1 rsv_pdc_context=1 | std send message_id={m} som eom | data 64\n"
		"post ses_pds_tx_req message_id={m+1} som=1 eom=1 rsv_pdc_context=2 | std send message_id={m+1} som eom | data 65\n"
		"post ses_pds_tx_req message_id={m+2} som=1 eom=1 rsv_pdc_context=3 | std send message_id={m+2} som eom | data 66\n"
		"any {\n"
		"  < rud_req syn pdc=a psn=$s{s} spdcid!=0 | std send message_id={m} | data 64\n"
		"  < rud_req syn pdc=b psn=$t{s} spdcid!=0 | std send message_id={m+1} | data 65\n"
		"  < rud_req syn pdc=c psn=$u{s} spdcid!=0 | std send message_id={m+2} | data 66\n"
		"}\n"
		"> ack pdc=a ack_psn=$s{s} cack_psn=$s{s} | response message_id={m}\n"
		"> ack pdc=b ack_psn=$t{s} cack_psn=$t{s} | response message_id={m+1}\n"
		"> ack pdc=c ack_psn=$u{s} cack_psn=$u{s} | response message_id={m+2}\n"
		"responded op={o+1} once, op={o+2} once, op={o+3} once  [UET-PDC-08]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "read_offset_of_rest=1",
	 .needs = "send.rendezvous return_data",
	 .ids = "UET-SES-35 UET-SES-13",
	 .lines =
		"post send len=$eager+mtu rendezvous=1 eager=$eager\n"
		"< rud_req psn={p} | std rendezvous_send message_id=$m{s} som eom request_length=$eager+mtu | rendezvous eager_length=$eager read_offset=$o{s} read_memory_key=$k{s} | data $eager\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> rud_req syn ar pdc=b psn=$s{s} | std read message_id={m+8} som eom buffer_offset=$o{s} match_bits=$k{s} request_length=mtu | data 0\n"
		"any {\n"
		"  < ack pdc=b ack_psn=$s{s} | response message_id={m+8} return_code=ok  [UET-SES-36/dst]\n"
		"  < rud_req pdc=b psn=$x{s} | response_data response_message_id=$z{s} read_request_message_id={m+8} | data mtu of 1 at $eager  [UET-SES-21/dst]\n"
		"}\n"
		"> ack pdc=b ack_psn=$x{s} cack_psn=$x{s} | response message_id=$z{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "write multi rudi.3",
	 .ids = "MODE-RUDI-2",
	 .lines =
		"configure dscp_bulk=10\n"
		"post write len=3mtu mode=rudi\n"
		"any {\n"
		"  < rudi_req pkt_id=$p{s} retx=0 | std write message_id=$m{s} som eom=0\n"
		"  < rudi_req pkt_id=$q{s} retx=0 | std write som=0 eom=0\n"
		"  < rudi_req pkt_id=$r{s} retx=0 | std write som=0 eom\n"
		"}\n"
		"> rudi_resp pkt_id=$p{s} | response message_id=$m{s}\n"
		"> rudi_resp pkt_id=$q{s} | response message_id=$m{s}\n"
		"> rudi_resp pkt_id=$r{s} | response message_id=$m{s}\n"
		"completed op={o+1} once  [UET-RTX-08]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "version=103 override_mpr_zero=64",
	 .needs = "multi",
	 .violates = "UET-ACK-14/dst UET-PDC-23/src UET-PDC-37/src",
	 .ids = "UET-PDC-37",
	 .lines =
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$m{s} som eom | data 64\n"
		"> {1:ack_cc/ack_ccx ccx_type=14} ack_psn={p} cack_psn={p} mpr=0 sack_psn={p+1} | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req psn={p+1}..{p+64} retx=0 | std send x 64 within rto\n"
		"never < rud_req psn={p+65} for 0.3 rto  [UET-PDC-37:req.forbidden]\n"
		"> ack_cc ack_psn={p+64} cack_psn={p+64} mpr=8 sack_psn={p+65} | response default_response message_id=0\n"
		"< rud_req psn={p+65}..{p+128} retx=0 | std send x 64 within rto\n"
		"> ack_cc ack_psn={p+128} cack_psn={p+128} mpr=8 sack_psn={p+129} | response default_response message_id=0\n"
		"completed op={o+3} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "default_mpr=1",
	 .needs = "read multi control.pds",
	 .ids = "UET-PDC-23",
	 .lines =
		"post read len=mtu\n"
		"< rud_req psn={p} | std read message_id=$m{s} som eom | data 0\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"wait ack_time\n"
		"post send len=129mtu\n"
		"< rud_req psn={p+1}..{p+128} retx=0 | std send x 128 within rto\n"
		"paused once  [PDS-IF-9]\n"
		"> rud_req psn={r} ar | response_data response_message_id=9 read_request_message_id=$m{s} | data mtu\n"
		"> ack ack_psn={p+128} cack_psn={p+128} | response default_response message_id=0\n"
		"any {\n"
		"  < ack ack_psn={r} cack_psn={r} | response message_id=9  [UET-ACK-15:ack.missing]\n"
		"  < rud_req psn={p+129} retx=0 | std send\n"
		"}\n"
		"resumed once  [PDS-IF-9]\n"
		"> ack ack_psn={p+129} cack_psn={p+129} | response default_response message_id=0\n"
		"returned psn={r} len=mtu once  [PDS-IF-4]\n"
		"completed op={o+1} once, op={o+2} once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "spray=4 path_choice=2 sack_retx=3 path_rest=200rto",
	 .needs = "multi paths message.64 in_flight.8",
	 .ids = "RUD-SVC-1",
	 .lines =
		"post send len=8mtu\n"
		"< rud_req | std send flight $a{s} for 0.3 rto within rto\n"
		"> ack_cc ack_psn=$psn cack_psn={p-1} mpr=8 sack_psn=$psn sack_bitmap=0x1 | response default_response message_id=0 each off path\n"
		"< rud_req retx | std send flight $b{s} for 0.3 rto within rto + path_time  [RUD-LOSS-2]\n"
		"> ack_cc ack_psn=$psn cack_psn={p+7} mpr=8 sack_psn={p+8} | response default_response message_id=0 each\n"
		"wait path_time\n"
		"post send len=32mtu\n"
		"< rud_req retx=0 | std send flight $c{s} for 0.3 rto within rto\n"
		"check $on_path = 0  [PDS-SVC-6]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "crc=1",
	 .ids = "RUD-SVC-5",
	 .lines =
		"rewrite padding=18 > ack ack_psn={p+1}\n"
		"post send len=64\n"
		"< rud_req psn={p} | std send message_id=$l{s} som eom | data 64\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$l{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"post send len=64\n"
		"< rud_req psn={p+1} | std send message_id=$m{s} som eom | data 64\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$m{s}\n"
		"completed op={o+2} once  [RUD-SVC-4 UET-ENC-24:completed.missing]\n"
		"never < rud_req psn={p+1} for 1.5 rto  [UET-ENC-24]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=0 cc_policy=0 cwnd=1200",
	 .needs = "multi",
	 .ids = "MODE-UUD-2",
	 .lines =
		"post send len=2mtu\n"
		"< rud_req psn={p} | std send som  [RUD-SVC-1]\n"
		"post send len=64 mode=uud\n"
		"< uud_req | std datagram_send | data 64 within 0.5 rto\n"
		"post send len=64 mode=uud\n"
		"< uud_req | std datagram_send | data 64 within 0.5 rto\n"
		"post send len=64 mode=uud\n"
		"< uud_req | std datagram_send | data 64 within 0.5 rto\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=0 cc_policy=1 link_rate=128000 base_rtt=2mtu nscc_qa_gate=16",
	 .needs = "multi window message.64 in_flight.8 nack_retx.2",
	 .violates = "UET-NACK-01/dst",
	 .ids = "RUD-SVC-1",
	 .lines =
		"post send len=64mtu\n"
		"post send len=64mtu\n"
		"< rud_req | std send flight $a{s} for 0.3 rto within rto\n"
		"check $a{s} <= 50 else na\n"
		"> nack trimmed nack_psn=$psn each\n"
		"< rud_req | std send flight $b{s} for 0.3 rto within ack_time  [UET-NACK-01:req.missing]\n"
		"check $b{s} < $a{s}  [PDS-SVC-6]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc_policy=0 cc=1 ccc_id=9 credit_unit=mtu credit_init=3",
	 .needs = "credit close.initiator",
	 .ids = "UET-CP-08",
	 .lines =
		"post send len=mtu\n"
		"< rud_cc_req psn={p} | std send message_id=$m{s} som eom | data mtu\n"
		"> ack_cc cc_type=credit ack_psn={p} cack_psn={p} mpr=8 credit=3 | response message_id=$m{s}\n"
		"completed op={o+1} once  [RUD-SVC-4]\n"
		"never < cp credit_request until next\n"
		"> cp close_request ar psn=$ask\n"
		"any {\n"
		"  < ack ack_psn=$ask next_hdr=none|cp_ack within rto  [UET-CP-05]\n"
		"  < cp close_command ar psn=$close within rto  [UET-CP-05 UET-CP-04:cp.missing]\n"
		"}\n"
		"> ack ack_psn=$close cack_psn=$close\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "max_pdcs=1",
	 .needs = "control.pds start_psn.random",
	 .ids = "PDS-IF-9",
	 .lines =
		"post ses_pds_tx_req message_id={m} som=1 eom=1 | std send message_id={m} som eom | data 64\n"
		"< rud_req pdc=a psn={p} | std send message_id={m} | data 64  [UET-PDC-43]\n"
		"post ses_pds_tx_req mode=rod message_id={m+1} som=1 eom=1 | std send message_id={m+1} som eom | data 64\n"
		"never < rod_req for 0.5 rto\n"
		"> ack pdc=a ack_psn={p} cack_psn={p} | response message_id={m}\n"
		"< cp close_command ar pdc=a psn={p+1}  [UET-CP-04 UET-PDC-43]\n"
		"> ack pdc=a ack_psn={p+1} cack_psn={p+1}\n"
		"< rod_req syn pdc=b psn=$u{s} psn_offset=0 | std send message_id={m+1} | data 64  [PDS-IF-9:req.missing UET-PDC-24]\n"
		"> ack pdc=b ack_psn=$u{s} cack_psn=$u{s} | response message_id={m+1}\n"
		"responded op={o+2} once\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc_policy=0 cc=1 ccc_id=9 credit_unit=256 credit_init=100",
	 .needs = "multi credit message.64",
	 .ids = "RUD-SVC-1",
	 .lines =
		"post send len=64mtu\n"
		"< rud_cc_req | std send flight $a{s} for 0.3 rto within rto\n"
		"> ack_cc cc_type=credit ack_psn=$psn cack_psn=$newest mpr=8 credit=100 sack_psn=$newest+1 | response default_response message_id=0 each\n"
		"> cp credit credit=150\n"
		"< rud_cc_req | std send flight $b{s} for 0.3 rto within rto\n"
		"check $b{s} < $a{s}  [PDS-SVC-6]\n"
		"> ack_cc cc_type=credit ack_psn=$psn cack_psn=$newest mpr=8 credit=150 sack_psn=$newest+1 | response default_response message_id=0 each\n"
		"> cp credit credit=250\n"
		"< rud_cc_req | std send flight $c{s} for 0.3 rto within rto\n"
		"check $c{s} > $b{s}  [PDS-SVC-6]\n"
		"> ack_cc cc_type=credit ack_psn=$psn cack_psn=$newest mpr=8 credit=250 sack_psn=$newest+1 | response default_response message_id=0 each\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "read.small new_start_psn",
	 .ids = "UET-PDC-24",
	 .lines =
		"post read len=512 header=small\n"
		"post read len=256 header=small\n"
		"< rud_req syn psn=$s{s} psn_offset=0 | small read request_length=512\n"
		"< rud_req syn psn=$s{s}+1 psn_offset=1 | small read request_length=256\n"
		"> nack new_start_psn nack_psn=$s{s} payload==0x50000000 spdcid=0x1234\n"
		"< rud_req syn psn==0x50000000 psn_offset=0 | small read request_length=512 within rto  [UET-NACK-17:req.psn]\n"
		"< rud_req syn psn==0x50000001 psn_offset=1 | small read request_length=256  [UET-NACK-17:req.psn]\n"
		"> ack ack_psn==0x50000001 cack_psn==0x50000001 spdcid=0x1234 | response\n"
		"> rud_req ar psn==0x50000000 clear_psn==0x4fffffff spdcid=0x1234 | response_data_small original_request_psn==0x50000001 | data 256\n"
		"< ack ack_psn==0x50000000 | response return_code=ok|null  [UET-NACK-17:ses.return_code RUD-SEQ-80]\n"
		"completed op={o+2} once  [RUD-SEQ-80 UET-NACK-17]\n"
		"> rud_req ar psn==0x50000001 clear_psn==0x50000000 spdcid=0x1234 | response_data_small original_request_psn==0x50000000 | data 512\n"
		"< ack ack_psn==0x50000001 cack_psn==0x50000001 | response return_code=ok|null  [UET-NACK-17:ses.return_code RUD-SEQ-80]\n"
		"completed op={o+1} once  [RUD-SEQ-80 UET-NACK-17]\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* a window has a limit, and grows again behind trimmed packets */
	{.needs = "multi window message.64 in_flight.8",
	 .ids = "RUD-SVC-1",
	 .lines =
		"configure cc=0 cc_policy=1 link_rate=128000 base_rtt=2mtu nscc_max_window=150 nscc_qa_gate=16\n"
		EIGHT_MESSAGES
		WINDOW_AWAIT WINDOW_LIMITED
		WINDOW_ROUND WINDOW_LIMITED WINDOW_ROUND WINDOW_LIMITED
		WINDOW_ROUND WINDOW_LIMITED WINDOW_ROUND WINDOW_LIMITED
		WINDOW_ROUND WINDOW_LIMITED WINDOW_ROUND WINDOW_LIMITED,
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.setting = "cc=0 cc_policy=1 link_rate=64000 base_rtt=2mtu nscc_qa_gate=16",
	 .needs = "multi window message.64 in_flight.8 nack_retx.2",
	 .violates = "UET-NACK-01/dst RUD-SEQ-82/dst",
	 .ids = "RUD-SVC-1",
	 .lines =
		EIGHT_MESSAGES
		"post send len=64mtu\npost send len=64mtu\npost send len=64mtu\n"
		"< rud_req | std send flight $a for 0.3 rto within rto\n"
		"check $a <= 24 else na\n"
		"> nack trimmed nack_psn=$psn each\n"
		"< rud_req | std send flight $b for 0.3 rto within ack_time  [UET-NACK-01:req.missing]\n"
		"check $b < $a  [PDS-SVC-6]\n"
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		WINDOW_ROUND WINDOW_ROUND WINDOW_ROUND
		"check $c > $b  [PDS-SVC-6]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .ids = "MODE-ROD-3s",
	 .lines =
		"use open-rod\n"
		"base fwd=100 ret=500\n"
		"drop < rod_req psn={p} nth=1\n"
		"post send len=3mtu mode=rod\n"
		"< rod_req psn={p+1} | std send message_id=$m{s} som=0 | data mtu  [MODE-ROD-2]\n"
		"> nack rod_ooo nack_psn={p+1} payload={p}\n"
		"< rod_req psn={p+2} retx=0 | std send message_id=$m{s} eom | data mtu optional  [MODE-ROD-2]\n"
		"< rod_req psn={p} retx | std send message_id=$m{s} som | data mtu within 0.5 rto  [MODE-ROD-3s UET-NACK-0D:req.late]\n"
		"< rod_req psn={p+1} retx | same within 0.5 rto  [MODE-ROD-3s:req.resend]\n"
		"< rod_req psn={p+2} | std send message_id=$m{s} eom | data mtu within 0.5 rto\n"
		"> ack ack_psn={p+2} cack_psn={p+2} retx | response message_id=$m{s}\n"
		"completed op=1 once  [RUD-SVC-4]\n"
		"never < rod_req psn={p}..{p+2} for 2 rto\n",
	 .psns = 3, .ops = 1, .flags = SCRIPT_BARE | SCRIPT_ROD, .weight = 3},
	{.needs = "multi nack_time.third",
	 .ids = "MODE-ROD-2",
	 .lines =
		"use open-rod\n"
		"base fwd=100 ret=500\n"
		"post send len=4mtu mode=rod\n"
		"< rod_req psn={p} retx=0 | std send message_id=$m{s} som | data mtu lost\n"
		"< rod_req psn={p+1} retx=0 | std send message_id=$m{s} | data mtu\n"
		"< rod_req psn={p+2} retx=0 | std send message_id=$m{s} | data mtu\n"
		"< rod_req psn={p+3} retx=0 | std send message_id=$m{s} eom | data mtu\n"
		"> nack rod_ooo nack_psn={p+1} payload={p}\n"
		"< rod_req psn={p} retx | same  [MODE-ROD-3s UET-NACK-0D]\n"
		"< rod_req psn={p+1} retx | same  [MODE-ROD-3s]\n"
		"< rod_req psn={p+2} retx | same lost  [MODE-ROD-3s]\n"
		"< rod_req psn={p+3} retx | same  [MODE-ROD-3s]\n"
		"wait 1.5 nack_time\n"
		"> nack rod_ooo nack_psn={p+3} payload={p+2}\n"
		"< rod_req psn={p+2} retx | same within nack_time  [MODE-ROD-3s:req.resend,req.late]\n"
		"< rod_req psn={p+3} retx | same  [MODE-ROD-3s]\n"
		"> ack ack_psn={p+3} cack_psn={p+3} retx | response message_id=$m{s}\n"
		"completed op=1 once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_BARE | SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	{.needs = "multi",
	 .ids = "MODE-ROD-2",
	 .lines =
		"use open-rod\n"
		"base fwd=100 ret=500\n"
		"drop < rod_req psn={p+2} nth=1\n"
		"post send len=4mtu mode=rod\n"
		"< rod_req psn={p} | std send message_id=$m{s} som | data mtu\n"
		"< rod_req psn={p+1} | std send message_id=$m{s} | data mtu\n"
		"< rod_req psn={p+3} retx=0 | std send message_id=$m{s} eom | data mtu\n"
		"> nack rod_ooo nack_psn={p+3} payload={p+2}\n"
		"< rod_req psn={p+2} retx | std send message_id=$m{s} | data mtu within 0.5 rto  [MODE-ROD-3s UET-NACK-0D:req.psn]\n"
		"< rod_req psn={p+3} retx | same  [MODE-ROD-3s]\n"
		"never < rod_req psn={p}..{p+1} for 0.2 rto  [UET-NACK-0D]\n"
		"> ack ack_psn={p+3} cack_psn={p+3} retx | response message_id=$m{s}\n"
		"completed op=1 once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_BARE | SCRIPT_ROD | SCRIPT_OVER, .weight = 2},
	/* the Clear Commands of a source are lost while its window is shut */
	{.setting = "default_mpr=1 max_rto_retx=5",
	 .needs = "multi in_flight.128",
	 .ids = "UET-PDC-23",
	 .lines =
		"post send len=64\n"
		"post send len=135mtu\n"
		"< rud_req psn={p} retx=0 | std send message_id=$a{s} som eom | data 64\n"
		"< rud_req retx=0 | std send flight $n{s} for 0.2 rto within rto\n"
		"check $n{s} = 127 else na\n"
		"> ack ack_psn={p} cack_psn={p-1} req=clear | response message_id=$a{s} return_code=no_match\n"
		"> ack ack_psn=$psn cack_psn={p-1} | response default_response message_id=0 each\n"
		"failed op=1 return_code=no_match once  [RUD-SVC-4]\n"
		"never < rud_req psn={p+128} for 3.5 rto  [UET-PDC-37]\n"
		"> cp clear_request clear_psn={p+127}\n"
		"< cp clear_command clear_psn={p+127}  [RUD-SVC-6]\n"
		"> ack ack_psn={p+127} cack_psn={p+127} | response default_response message_id=0\n"
		"< rud_req psn={p+128}..{p+135} retx=0 | std send x 8 within rto\n"
		"> ack ack_psn={p+135} cack_psn={p+135} | response default_response message_id=0\n"
		"completed op=2 once  [RUD-SVC-4]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* a message whose first packet has its answer stays on its PDC */
	{.setting = "fatal_retries=1",
	 .needs = "multi",
	 .violates = "UET-NACK-10/dst UET-NACK-0E/dst UET-NACK-19/dst",
	 .ids = "UET-PDC-48",
	 .lines =
		"post send len=2mtu\n"
		"< rud_req pdc=a psn={p} | std send message_id=$m{s} som | data 1mtu\n"
		"< rud_req pdc=a psn={p+1} | std send message_id=$m{s} eom\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m{s}\n"
		"> nack {1:closing/inv_dpdcid/unexp_event} nack_psn={p+1} {1=vendor_code=0/spdcid=0/vendor_code=0}\n"
		"never < rud_req syn | std send message_id=$m{s} som for 2 rto  [MODE-RUD-3]\n",
	 .flags = SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	/* the only congestion context is free again */
	{.needs = "close.initiator",
	 .ids = "RUD-SVC-4",
	 .lines =
		"configure max_cccs={:1/2}\n"
		"use open\n"
		"use close\n"
		"post send len=32\n"
		"< rud_req syn pdc=b psn=$s psn_offset=0 | std send message_id=$b som eom | data 32  [UET-PDC-24]\n"
		"> ack pdc=b ack_psn=$s cack_psn=$s | response message_id=$b\n"
		"completed op=1 once\n",
	 .flags = SCRIPT_BARE | SCRIPT_RUD | SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* clang-format on */
