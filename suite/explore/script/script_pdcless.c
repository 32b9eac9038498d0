/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script_pdcless.c -- the moves of RUDI and UUD that are
 * written as lines.
 */
#include "suite/explore/script/script.h"

/* clang-format off */
/* RUDI, the DUT is the target. */
const struct draft_script script_rudi_target[] = {
	{.needs = "multi",
	 .ids = "MODE-RUDI-4",
	 .lines =
		"> rudi_req pkt_id=$c{s} | std write message_id={m} eom request_length=2mtu+52 message_offset=2mtu | data 52\n"
		"< rudi_resp pkt_id=$c{s} | response message_id={m} return_code=ok\n"
		"> rudi_req pkt_id=$a{s} | std write message_id={m} som request_length=2mtu+52 | data mtu\n"
		"< rudi_resp pkt_id=$a{s} | response message_id={m} return_code=ok\n"
		"> rudi_req pkt_id=$b{s} | std write message_id={m} request_length=2mtu+52 message_offset=mtu | data mtu\n"
		"< rudi_resp pkt_id=$b{s} | response message_id={m} return_code=ok\n"
		"delivered pkt_id=$a{s} once, pkt_id=$b{s} once, pkt_id=$c{s} once\n",
	 .mids = 1, .weight = 3},
	{.needs = "multi",
	 .ids = "MODE-RUDI-4",
	 .lines =
		"> rudi_req pkt_id=$a{s} | std write message_id={m} som request_length=mtu+76 | data mtu\n"
		"< rudi_resp pkt_id=$a{s} | response message_id={m} return_code=ok\n"
		"post reset\n"
		"> rudi_req pkt_id=$b{s} | std write message_id={m} eom request_length=mtu+76 message_offset=mtu | data 76\n"
		"< rudi_resp pkt_id=$b{s} | response message_id={m} return_code=ok\n"
		"delivered pkt_id=$b{s} once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.ids = "MODE-RUDI-4",
	 .lines =
		"> rudi_req pkt_id=0x1234 | std write message_id={m} som eom | data 64\n"
		"< rudi_resp pkt_id=0x1234 | response message_id={m}\n"
		"post reset\n"
		"> rudi_req pkt_id=0x1234 retx | same\n"
		"< rudi_resp pkt_id=0x1234 retx | response message_id={m}\n",
	 .flags = SCRIPT_OVER, .weight = 1},
	{.ids = "MODE-RUDI-4",
	 .lines =
		"> rudi_req pkt_id=$p{s} | std write message_id={m} som eom | data 64\n"
		"< rudi_resp pkt_id=$p{s} | response message_id={m}\n"
		"> rudi_req pkt_id=$p{s} | std write message_id={m+1} som eom | data 100\n"
		"< rudi_resp pkt_id=$p{s} | response message_id={m+1} return_code=ok\n"
		"delivered message_id={m+1} len=100 once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.needs = "atomic",
	 .ids = "MODE-RUDI-4",
	 .lines =
		"> rudi_req pkt_id=$p{s} | std atomic message_id={m} som eom request_length=4 | atomic amo_opcode={:max/min/band/bor} datatype=uint32 | bytes 05 00 00 00\n"
		"< rudi_resp pkt_id=$p{s} | response message_id={m}\n"
		"> rudi_req pkt_id=$p{s} retx | same\n"
		"< rudi_resp pkt_id=$p{s} retx | response message_id={m}\n",
	 .mids = 1, .weight = 2},
	{.needs = "read.medium",
	 .ids = "MODE-RUDI-4",
	 .lines =
		"> rudi_req pkt_id=$p{s} | medium read som eom request_length=40\n"
		"< rudi_resp pkt_id=$p{s} | response_data_small response_w_data payload_length=40 return_code=ok | data 40\n",
	 .weight = 2},
	/* offsets take more than 16 bits, or 19 */
	{.needs = "multi",
	 .ids = "MODE-RUDI-4 UET-SES-36:ses.return_code",
	 .lines =
		"each packet of {1:65537/65537/65537/65537/524289/1048576} {\n"
		"  > rudi_req pkt_id=$p{s} | std write message_id={m} | data $piece\n"
		"  < rudi_resp pkt_id=$p{s} | response message_id={m} return_code=ok\n"
		"}\n",
	 .flags = SCRIPT_LONG | SCRIPT_OVER, .weight = 1},
	{.needs = "multi read",
	 .ids = "MODE-RUDI-4 UET-SES-21 UET-SES-36:ses.return_code",
	 .lines =
		"each packet of {1:65537/65537/65537/65537/524289/1048576} {\n"
		"  > rudi_req pkt_id=$p{s} | std read message_id={m}\n"
		"  < rudi_resp pkt_id=$p{s} | response_data read_request_message_id={m} message_offset=$at return_code=ok | data $piece\n"
		"}\n",
	 .flags = SCRIPT_LONG | SCRIPT_OVER, .weight = 1},
	{.ids = "MODE-RUDI-4 UET-SES-36:ses.return_code",
	 .lines =
		"> rudi_req pkt_id=$p{s} | std write message_id={m} som eom | data {:0/1/2/3/31/33/mtu-1/mtu}\n"
		"< rudi_resp pkt_id=$p{s} | response message_id={m} return_code=ok\n",
	 .mids = 1, .weight = 2},
	{.weight = 0}};

/* How such a case may begin. */
const struct draft_script script_rudi_target_first[] = {
	{.needs = "trim",
	 .ids = "MODE-RUDI-4",
	 .lines =
		"trim 16 > rudi_req nth=1\n"
		"trim 16 last_hop > rudi_req nth=2\n"
		"> rudi_req pkt_id=$p | std write message_id=0x27 som eom | data 64\n"
		"< nack trimmed nt nack_pkt_id=$p retx=0 m=0  [UET-NACK-01]\n"
		"> rudi_req pkt_id=$p retx | same\n"
		"< nack trimmed_lasthop nt nack_pkt_id=$p retx  [UET-NACK-02]\n"
		"> rudi_req pkt_id=$p retx | same\n"
		"< rudi_resp pkt_id=$p retx | response message_id=0x27\n",
	 .flags = SCRIPT_BARE | SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* RUDI, the DUT is the initiator. */
const struct draft_script script_rudi_initiator[] = {
	/* a short header, or the standard one in its place */
	{.needs = "read.medium read.small write",
	 .ids = "UET-SES-35:req.missing UET-SES-35 MODE-RUDI-2",
	 .lines =
		"post write len={2:26/28/32} offset={:8/16} mode=rudi header={1:medium/small}\n"
		"one {\n"
		"  < rudi_req pkt_id=$p{s} | {1=medium/small} write som eom request_length={2=26/28/32} | data {2=26/28/32}\n"
		"  > rudi_resp pkt_id=$p{s} | response modified_length={2=26/28/32}\n"
		"or\n"
		"  < rudi_req pkt_id=$p{s} next_hdr=request_std | std write message_id=$m{s} request_length={2=26/28/32} | data {2=26/28/32}\n"
		"  > rudi_resp pkt_id=$p{s} | response message_id=$m{s} modified_length={2=26/28/32}\n"
		"}\n"
		"completed op={o+1} once  [UET-RTX-08]\n",
	 .ops = 1, .weight = 2},
	{.needs = "multi",
	 .ids = "MODE-RUDI-2",
	 .lines =
		"post write len=2mtu+52 mode=rudi\n"
		"any {\n"
		"  < rudi_req pkt_id=$a{s} retx=0 | std write message_id=$m{s} som eom=0 | data mtu\n"
		"  < rudi_req pkt_id=$b{s} retx=0 | std write message_id=$m{s} som=0 message_offset=mtu | data mtu\n"
		"  < rudi_req pkt_id=$c{s} retx=0 | std write message_id=$m{s} eom message_offset=2mtu | data 52\n"
		"}\n"
		"> rudi_resp pkt_id=$c{s} | response message_id=$m{s}\n"
		"> rudi_resp pkt_id=$b{s} | response message_id=$m{s}\n"
		"> rudi_resp pkt_id=$a{s} | response message_id=$m{s}\n"
		"completed op={o+1} once  [UET-RTX-08]\n",
	 .ops = 1, .weight = 3},
	{.ids = "MODE-RUDI-2",
	 .lines =
		"post send len=8 mode=rudi refusable\n"
		"never < rudi_req for 2 rto\n",
	 .ops = 1, .weight = 2},
	{.needs = "atomic",
	 .ids = "MODE-RUDI-2",
	 .lines =
		"post atomic amo={1:max/min} datatype=uint32 operand=5 mode=rudi\n"
		"< rudi_req pkt_id=$p{s} | std atomic message_id=$m{s} som eom | atomic amo_opcode={1=max/min} datatype=uint32\n"
		"> rudi_resp pkt_id=$p{s} | response message_id=$m{s}\n"
		"completed op={o+1} once  [UET-RTX-08]\n"
		"post atomic amo=max datatype=uint32 operand=1 fetch=1 mode=rudi refusable\n"
		"never < rudi_req for rto\n",
	 .ops = 2, .weight = 2},
	{.needs = "nack_retx.2",
	 .violates = "UET-NACK-01/dst UET-NACK-02/dst",
	 .ids = "UET-RTX-07",
	 .lines =
		"post write len=64 mode=rudi\n"
		"< rudi_req pkt_id=$p{s} retx=0 | std write message_id=$m{s} | data 64\n"
		"> nack trimmed nt nack_pkt_id=$p{s}\n"
		"< rudi_req pkt_id=$p{s} retx | same within nack_time\n"
		"> nack trimmed_lasthop nt nack_pkt_id=$p{s} retx\n"
		"< rudi_req pkt_id=$p{s} retx | same within nack_time\n"
		"> rudi_resp pkt_id=$p{s} retx | response message_id=$m{s}\n"
		"completed op={o+1} once  [UET-RTX-08]\n",
	 .ops = 1, .weight = 2},
	{.needs = "rto_retx.3 rudi.2",
	 .ids = "UET-RTX-07",
	 .lines =
		"post write len=64 mode=rudi\n"
		"< rudi_req pkt_id=$p{s} retx=0 | std write message_id=$m{s} | data 64 lost\n"
		"< rudi_req pkt_id=$p{s} retx | same within 1.5 rto lost\n"
		"< rudi_req pkt_id=$p{s} retx | same within 2.5 rto lost\n"
		"post write len=32 mode=rudi\n"
		"< rudi_req pkt_id=$q{s} pkt_id!=$p{s} | std write message_id=$n{s} | data 32 lost\n"
		"< rudi_req pkt_id=$q{s} retx | same within 1.5 rto\n"
		"> rudi_resp pkt_id=$q{s} retx | response message_id=$n{s}\n"
		"< rudi_req pkt_id=$p{s} retx | same within 4.5 rto\n"
		"> rudi_resp pkt_id=$p{s} retx | response message_id=$m{s}\n"
		"completed op={o+1} once, op={o+2} once  [UET-RTX-08]\n",
	 .ops = 2, .weight = 2},
	{.needs = "read.medium",
	 .ids = "UET-SES-21",
	 .lines =
		"post read len=40 mode=rudi header=medium\n"
		"< rudi_req pkt_id=$p{s} | medium read som eom request_length=40\n"
		"> rudi_resp pkt_id=$p{s} | response_data_small | data 40\n"
		"completed op={o+1} once  [UET-RTX-08]\n",
	 .ops = 1, .weight = 2},
	{.weight = 0}};

/* How such a case may begin. */
const struct draft_script script_rudi_initiator_first[] = {
	{.ids = "UET-RTX-07",
	 .lines =
		"configure max_nack_retx=2\n"
		"duplicate 3 > nack\n"
		"post write len=64 mode=rudi\n"
		"< rudi_req pkt_id=$p retx=0 | std write message_id=$m\n"
		"> nack no_resource nt nack_pkt_id=$p\n"
		"< rudi_req pkt_id=$p retx | same within 3 nack_time\n"
		"> nack no_resource nt nack_pkt_id=$p retx\n"
		"< rudi_req pkt_id=$p retx | same within 3 nack_time\n"
		"> rudi_resp pkt_id=$p retx | response message_id=$m\n"
		"completed op=1 once\n"
		"error none\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	/* a request waits for the place of one that is given up */
	{.ids = "UET-RTX-08",
	 .lines =
		"configure max_rudi=1 max_rto_retx=1\n"
		"post write len=64 mode=rudi\n"
		"post write len=32 mode=rudi\n"
		"< rudi_req pkt_id=$p retx=0 | std write message_id=$m | data 64\n"
		"< rudi_req pkt_id=$p retx | same after rto within 1.5 rto  [UET-RTX-07 UET-RTX-08]\n"
		"failed op=1 once within 6 rto\n"
		"< rudi_req retx=0 pkt_id=$q pkt_id!=$p | std write message_id=$n | data 32 within 6 rto\n"
		"> rudi_resp pkt_id=$q | response message_id=$n\n"
		"completed op=2 once\n",
	 .flags = SCRIPT_OVER, .weight = 2},
	{.weight = 0}};

/* UUD, the DUT is the target. */
const struct draft_script script_uud_target[] = {
	{.ids = "MODE-UUD-1",
	 .lines =
		"> uud_req | std datagram_send som eom | data mtu\n"
		"never < any for ack_time\n",
	 .weight = 1},
	/* other messages, whose payload a datagram does not carry */
	{.violates = "UET-SES-34/src",
	 .ids = "MODE-UUD-1:received.count",
	 .lines =
		"> uud_req | std {:send/tagged_send/rendezvous_send/deferrable_send} message_id={:0/7} som eom | data {l}\n"
		"never < any for ack_time  [MODE-UUD-1]\n"
		"received len={l} none\n"
		"> uud_req | std datagram_send som eom | data {l+1}\n"
		"received len={l+1} once  [MODE-UUD-1]\n",
	 .mids = 2, .weight = 2},
	{.violates = "UET-SES-34/src UET-ENC-30/src UET-SES-12/src",
	 .ids = "MODE-UUD-1:received.count",
	 .lines =
		"> uud_req | std datagram_send {:som/eom payload_length=16} | data 16\n"
		"> uud_req | response message_id=5\n"
		"> uud_req next_hdr=none\n"
		"never < any for ack_time  [MODE-UUD-1]\n"
		"received len=16 none\n",
	 .weight = 1},
	{.weight = 0}};

/* How such a case may begin. */
const struct draft_script script_uud_target_first[] = {
	{.needs = "trim",
	 .ids = "MODE-UUD-1",
	 .lines =
		"trim 16 > uud_req nth=1\n"
		"> uud_req | std datagram_send som eom | data 16\n"
		"never < any for 2 rto\n",
	 .weight = 2},
	/* a write that comes as a datagram leaves memory as it was */
	{.needs = "rud read write ack_data.8",
	 .violates = "UET-SES-34/src",
	 .ids = "MODE-UUD-1",
	 .lines =
		"use open\n"
		"base fwd=333\n"
		"> rud_req psn=333 ar | std write message_id=101 som eom | data 8\n"
		"< ack ack_psn=333 | response message_id=101 return_code=ok  [UET-SES-36:ses.return_code]\n"
		"> uud_req | std write message_id=105 som eom | bytes 11 22 33 44 55 66 77 88\n"
		"never < any for ack_time\n"
		"> rud_req psn=334 ar | std read message_id=102 som eom request_length=8\n"
		"< ack ack_psn=334 | response_data read_request_message_id=102 return_code=ok | data 8  [UET-SES-36:ses.header,ses.return_code]\n"
		"use close\n",
	 .weight = 2},
	{.weight = 0}};

/* UUD, the DUT is the initiator. */
const struct draft_script script_uud_initiator[] = {
	{.ids = "UET-SES-34",
	 .lines =
		"post send len=mtu mode=uud\n"
		"< uud_req | std datagram_send som eom request_length=mtu | data mtu\n"
		"post send len=mtu+1 mode=uud refusable\n"
		"never < any for 2 rto\n",
	 .ops = 2, .weight = 2},
	{.weight = 0}};

/* How such a case may begin. */
const struct draft_script script_uud_initiator_first[] = {
	{.ids = "UET-SES-34",
	 .lines =
		"configure version=103\n"
		"post send len=64 mode=uud\n"
		"< uud_req | std datagram_send message_id=0 som eom | data 64\n"
		"completed op=1 once  [MODE-UUD-1]\n",
	 .ops = 1, .weight = 2},
	{.weight = 0}};

/* clang-format on */
