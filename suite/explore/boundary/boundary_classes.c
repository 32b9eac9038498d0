/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/boundary/boundary_classes.c -- which boundary values exist, and
 * the lines of their cases.
 *
 * A correct device may refuse or ignore many of these packets.  The monitors
 * judge its answers, and the lines demand only what each device does: it goes
 * on.
 */
#include "suite/explore/boundary/boundary_classes.h"

#define OF(subject) (1u << DRAFT_##subject)
#define PDC         (OF(RUD) | OF(ROD))
#define RC          (OF(WQE) | OF(ROCE))

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The device may answer the line before it, or not. */
#define ANYTHING "wait ack_time\n< any optional x 0..16\n"

/* A request that the device has to acknowledge. */
#define GOES_ON                                                               \
	"> {q} ar retx psn={p} | std send message_id={m} som eom | data 64\n" \
	"< ack ack_psn={p} | response message_id={m}\n"

#define POSTS                      \
	"post send len=64{mode}\n" \
	"< {q} psn={p} retx=0 | std send message_id=$m som eom | data 64\n"

/* A read whose data come as a return packet. */
#define RETURNS                                                   \
	"> {q} ar psn={p} | std read message_id={m} som eom "     \
	"request_length=mtu\n"                                    \
	"any {\n"                                                 \
	"  < ack ack_psn={p} | response message_id={m}\n"         \
	"  < {q} psn={r} | response_data response_message_id=$r " \
	"read_request_message_id={m} | data mtu\n"                \
	"}\n"

/* A read that the device posts, and its response before the data. */
#define READS                                                         \
	"post read len=512 offset=0{mode}\n"                          \
	"< {q} psn={p} | std read message_id=$m request_length=512\n" \
	"> ack ack_psn={p} cack_psn={p} | response message_id=$m\n"

#define ENDS "completed op={o+1} once  [RUD-SVC-4]\n"

/*
 * The device goes on: it answers the next request, and may answer $x late.  The
 * answer to $y is named first, since $x is no number if its packet was cut.
 */
#define NEXT_RUDI                                                           \
	"> rudi_req pkt_id=$y | std write message_id={m+1} som eom | data " \
	"64\n"                                                              \
	"any {\n"                                                           \
	"  < rudi_resp pkt_id=$y | response message_id={m+1}\n"             \
	"  < rudi_resp pkt_id=$x optional\n"                                \
	"  < nack nt nack_pkt_id=$x optional\n"                             \
	"}\n"

/* The device goes on: it answers on another connection. */
#define OTHER_GOES_ON                                                  \
	"post create_qp qpn=$other type=rc\n"                          \
	"post modify_qp qpn=$other state=init\n"                       \
	"post modify_qp qpn=$other state=rtr rq_psn=9 dest_qp=0x45\n"  \
	"> wqe_write_only psn=9 dest_qp=$other wqe_sn=0 wqe_length=0 " \
	"dmalen=0 | data 0\n"                                          \
	"< wqe_ack psn=9 syndrome=ack msn=1\n"

/* The rules that a tester breaks when it cuts its request. */
#define CUTS "UET-RTX-15/src UET-ENC-36/src UET-SES-08/src UET-ENC-01/src"

/* clang-format off */
const struct boundary_class boundary_classes[] = {
	/* ---- A target of RUD or ROD ---- */
	{.name = "first PSN", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "0x7fffffff", "0x80000000", "0xfffffffe", "0xffffffff"),
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .flags = SCRIPT_BARE, .lines =
		"let $start = {v}\n"
		"> {q} syn ar psn=$start | std send message_id=0xff01 som eom | data 8\n"
		"< ack ack_psn=$start spdcid=$b dpdcid=$a | response  [PDS-SVC-2 UET-ACK-16]\n"
		"base fwd=100 ret=500\n"
		"> {q} ar psn={p} | std send message_id={m} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={m}\n"
		"> {q} ar psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} | response message_id={m+1}\n"}},
	{.name = "psn_offset of a SYN", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "4094", "4095"),
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .lines =
		"> {q} syn ar pdc=x psn=$s psn_offset={v} | std send message_id={m} som eom | data 64\n"
		ANYTHING}},
	{.name = "clear_psn_offset", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("-32768", "-32767", "-256", "-129", "-128", "-127", "-64", "-2", "-1", "0", "1", "127", "128", "32767"),
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .lines =
		"> {q} ar psn={p} clear_psn_offset={v} | std send message_id={m} som eom | data 64\n"
		ANYTHING}},
	{.name = "spdcid of a SYN", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "0x7fff", "0x8000", "0xfffe", "0xffff"),
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .violates = "UET-PDC-15/src", .lines =
		"> {q} syn ar pdc=x psn=$s spdcid={v} | std send message_id={m} som eom | data 64\n"
		ANYTHING}},
	{.name = "dpdcid", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "0x7fff", "0x8000", "0xfffe", "0xffff"),
	 .script = {.needs = "send", .ids = "RUD-SVC-3",
	 .violates = "RUD-SEQ-84b/src UET-PDC-15/src UET-PDC-25/src", .lines =
		"> {q} ar psn={p} dpdcid={v} | std send message_id={m} som eom | data 64\n"
		ANYTHING}},
	{.name = "reserved bit of a request", .subjects = PDC, .chair = CHAIR_TARGET,
	 .source = BOUNDARY_BITS, .word = "rud_req", .ses = "std",
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .violates = "UET-ENC-34/both", .lines =
		"> {q} psn={p} {v} | std send message_id={m} som eom | data 64\n"
		"> {q} psn={p} retx ar | same after rto\n"
		"< ack ack_psn={p} | response message_id={m}\n"}},
	{.name = "reserved bit of a message", .subjects = PDC, .chair = CHAIR_TARGET,
	 .source = BOUNDARY_SES_BITS, .word = "rud_req", .ses = "std",
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .violates = "UET-ENC-34/both", .lines =
		"> {q} ar psn={p} | std send message_id={m} som eom {v} | data 64\n"
		ANYTHING}},
	{.name = "reserved bit of a control packet", .subjects = PDC, .chair = CHAIR_TARGET,
	 .source = BOUNDARY_BITS, .word = "cp",
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .violates = "UET-ENC-34/both", .lines =
		"> cp noop ar psn={p} {v}\n"
		ANYTHING}},
	{.name = "request cut to", .subjects = PDC, .chair = CHAIR_TARGET,
	 .source = BOUNDARY_CUTS, .word = "rud_req", .ses = "std",
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .violates = CUTS, .lines =
		"> {q} ar psn={p} | std send message_id={m} som eom | data 64 cut {v}\n"
		ANYTHING
		"wait rto\n"
		GOES_ON}},
	{.name = "control packet cut to", .subjects = PDC, .chair = CHAIR_TARGET,
	 .source = BOUNDARY_CUTS, .word = "cp",
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .violates = CUTS, .lines =
		"> cp noop ar psn={p} cut {v}\n"
		ANYTHING}},
	{.name = "length of a message", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .lines =
		"> {q} ar psn={p} | std send message_id={m} som eom | data {v}\n"
		"< ack ack_psn={p} | response message_id={m}\n"
		"received message_id={m} len={v} once  [RUD-SVC-2]\n"}},
	/* around each usual Max_ACK_Data_Size */
	{.name = "length of a read", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("1", "7", "8", "9", "15", "16", "17", "31", "32", "33", "63", "64", "65", "mtu-1", "mtu"),
	 .script = {.needs = "read return_data", .ids = "RUD-SVC-3", .lines =
		"> {q} ar psn={p} | std read message_id={m} som eom request_length={v}\n"
		ANYTHING}},

	{.name = "length of a write", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.needs = "write", .ids = "RUD-SVC-3", .lines =
		"> {q} ar psn={p} | std write message_id={m} som eom | data {v}\n"
		"< ack ack_psn={p} | response message_id={m}\n"}},
	{.name = "offset of a write", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "3", "mtu-1", "mtu", "mtu+1"),
	 .script = {.needs = "write", .ids = "RUD-SVC-3", .lines =
		"> {q} ar psn={p} | std write message_id={m} som eom buffer_offset=$memory_offset+{v} | data 64\n"
		"< ack ack_psn={p} | response message_id={m}\n"}},
	/* 0 is of no message */
	{.name = "message id", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("1", "0x7fff", "0x8000", "0xfffe", "0xffff"),
	 .script = {.needs = "send", .ids = "RUD-SVC-3", .lines =
		"> {q} ar psn={p} | std send message_id={v} som eom | data 64\n"
		"< ack ack_psn={p} | response message_id={v}\n"}},
	{.name = "NACK of return data", .subjects = PDC, .chair = CHAIR_TARGET,
	 .source = BOUNDARY_CODES, .word = "nack", .field = "nack_code",
	 .script = {.needs = "read return_data", .ids = "RUD-SEQ-79", .lines =
		RETURNS
		"> nack {v} nack_psn={r}\n"
		ANYTHING}},
	{.name = "SACK base of return data", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("-32768", "-65", "-64", "-63", "-1", "0", "1", "63", "64", "65", "32767"),
	 .script = {.needs = "send read return_data", .ids = "RUD-SEQ-79", .lines =
		RETURNS
		"> ack_cc ack_psn={r} cack_psn={r} mpr=8 sack_psn_offset={v} sack_bitmap=0 | response message_id=$r\n"
		ANYTHING
		"> {q} ar psn={p+1} | std send message_id={m+1} som eom | data 64\n"
		"< ack ack_psn={p+1} | response message_id={m+1}\n"}},
	{.name = "mpr of return data", .subjects = PDC, .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "127", "128", "254", "255"),
	 .script = {.needs = "read return_data", .ids = "RUD-SEQ-79", .lines =
		RETURNS
		"> ack_cc ack_psn={r} cack_psn={r} mpr={v} sack_psn={r+1} | response message_id=$r\n"
		ANYTHING}},

	/* ---- An initiator of RUD or ROD ---- */
	{.name = "first PSN", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "0x7fffffff", "0x80000000", "0xfffffffe", "0xffffffff"),
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .flags = SCRIPT_BARE, .lines =
		"configure start_psn={v}\n"
		"use open{open}\n"
		"base fwd=100 ret=500\n"
		POSTS
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m\n"
		ENDS}},
	{.name = "mpr", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "127", "128", "254", "255"),
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> ack_cc ack_psn={p} cack_psn={p} mpr={v} sack_psn={p+1} | response message_id=$m\n"
		ENDS}},
	{.name = "SACK base", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("-32768", "-65", "-64", "-63", "-1", "0", "1", "63", "64", "65", "32767"),
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> ack_cc ack_psn={p} cack_psn={p} mpr=8 sack_psn_offset={v} sack_bitmap=0 | response message_id=$m\n"
		ENDS}},
	{.name = "NACK of an open request", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "nack", .field = "nack_code",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> nack {v} nack_psn={p}\n"
		ANYTHING}},
	{.name = "NACK while a PDC opens", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "nack", .field = "nack_code",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .flags = SCRIPT_BARE, .lines =
		"post send len=64{mode}\n"
		"< {q} syn psn=$s | std send message_id=$m som eom | data 64\n"
		"> nack {v} nack_psn=$s\n"
		ANYTHING}},
	{.name = "NACK of an answered request", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "nack", .field = "nack_code",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m\n"
		ENDS
		"> nack {v} nack_psn={p}\n"
		ANYTHING}},
	{.name = "NACK of a refused request", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "nack", .field = "nack_code",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> nack no_resource nack_psn={p}\n"
		"> nack {v} nack_psn={p}\n"
		ANYTHING}},
	{.name = "NACK of a close", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "nack", .field = "nack_code",
	 .script = {.needs = "send close.initiator", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> ack ack_psn={p} cack_psn={p} req=close | response message_id=$m\n"
		ENDS
		"< cp close_command ar psn={p+1} within rto  [UET-CP-04 UET-PDC-42:cp.missing]\n"
		"> nack {v} nack_psn={p+1}\n"
		ANYTHING}},
	{.name = "reserved bit of an ACK", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_BITS, .word = "ack", .ses = "response",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .violates = "UET-ENC-34/both", .ops = 1, .lines =
		POSTS
		"> ack ack_psn={p} cack_psn={p} {v} | response message_id=$m\n"
		ANYTHING}},
	{.name = "reserved bit of a response", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_SES_BITS, .word = "ack", .ses = "response",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .violates = "UET-ENC-34/both", .ops = 1, .lines =
		POSTS
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m {v}\n"
		ANYTHING}},
	{.name = "reserved bit of a NACK", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_BITS, .word = "nack",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .violates = "UET-ENC-34/both", .ops = 1, .lines =
		POSTS
		"> nack no_resource nack_psn={p} {v}\n"
		ANYTHING}},
	{.name = "ACK cut to", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CUTS, .word = "ack", .ses = "response",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m cut {v}\n"
		ANYTHING}},
	{.name = "NACK cut to", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CUTS, .word = "nack",
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		POSTS
		"> nack no_resource nack_psn={p} cut {v}\n"
		ANYTHING}},
	{.name = "length of a message", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.needs = "send", .ids = "RUD-SVC-5", .ops = 1, .lines =
		"post send len={v}{mode}\n"
		"< {q} psn={p} retx=0 | std send message_id=$m som eom | data {v}\n"
		"> ack ack_psn={p} cack_psn={p} | response message_id=$m\n"
		ENDS}},
	{.name = "length of two packets", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("mtu+1", "mtu+2", "mtu+3", "mtu+4", "2mtu-1", "2mtu"),
	 .script = {.needs = "send multi", .ids = "RUD-SVC-5", .ops = 1, .lines =
		"post send len={v}{mode}\n"
		"< {q} psn={p} retx=0 | std send message_id=$m som\n"
		"< {q} psn={p+1} retx=0 | std send message_id=$m eom\n"
		"> ack ack_psn={p+1} cack_psn={p+1} | response message_id=$m\n"
		ENDS}},

	{.name = "PSN of return data", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("-4096", "-64", "-1", "+0", "+1", "+63", "+64", "+127", "+128", "+4096"),
	 .script = {.needs = "read", .ids = "RUD-SEQ-79", .ops = 1, .lines =
		READS
		"> {q} psn={r{v}} clear_psn={r-1} ar | response_data response_message_id=2000 read_request_message_id=$m | data 512\n"
		ANYTHING}},
	{.name = "length of return data", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "511", "512", "513", "mtu-1", "mtu"),
	 .script = {.needs = "read", .ids = "RUD-SEQ-79", .ops = 1, .lines =
		READS
		"> {q} psn={r} clear_psn={r-1} ar | response_data response_message_id=2000 read_request_message_id=$m | data {v}\n"
		ANYTHING}},
	{.name = "message id of return data", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "0x7fff", "0x8000", "0xffff"),
	 .script = {.needs = "read", .ids = "RUD-SEQ-79", .ops = 1, .lines =
		READS
		"> {q} psn={r} clear_psn={r-1} ar | response_data response_message_id={v} read_request_message_id=$m | data 512\n"
		ANYTHING}},
	{.name = "read of return data", .subjects = PDC, .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "$m-1", "$m", "$m+1", "0xffff"),
	 .script = {.needs = "read", .ids = "RUD-SEQ-79", .ops = 1, .lines =
		READS
		"> {q} psn={r} clear_psn={r-1} ar | response_data response_message_id=2000 read_request_message_id={v} | data 512\n"
		ANYTHING}},

	/* ---- RUDI ---- */
	{.name = "pkt_id", .subjects = OF(RUDI), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "0x7fffffff", "0x80000000", "0xfffffffe", "0xffffffff"),
	 .script = {.ids = "MODE-RUDI-4", .lines =
		"> rudi_req pkt_id={v} | std write message_id={m} som eom | data 64\n"
		"< rudi_resp pkt_id={v} | response message_id={m}\n"}},
	{.name = "reserved bit of a request", .subjects = OF(RUDI), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_BITS, .word = "rudi_req", .ses = "std",
	 .script = {.ids = "MODE-RUDI-4", .violates = "UET-ENC-34/both", .lines =
		"> rudi_req pkt_id=$x {v} | std write message_id={m} som eom | data 64\n"
		NEXT_RUDI}},
	{.name = "request cut to", .subjects = OF(RUDI), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_CUTS, .word = "rudi_req", .ses = "std",
	 .script = {.ids = "MODE-RUDI-4", .violates = CUTS, .lines =
		"> rudi_req pkt_id=$x | std write message_id={m} som eom | data 64 cut {v}\n"
		NEXT_RUDI}},
	{.name = "NACK of a request", .subjects = OF(RUDI), .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "nack", .field = "nack_code",
	 .script = {.ids = "MODE-RUDI-4", .ops = 1, .lines =
		"post write len=64 mode=rudi\n"
		"< rudi_req pkt_id=$x | std write message_id=$m som eom\n"
		"> nack {v} nt nack_pkt_id=$x\n"
		ANYTHING}},

	/* ---- SRD ---- */
	{.name = "first PSN", .subjects = OF(SRD), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "0x7fffff", "0x800000", "0xfffffe", "0xffffff"),
	 .script = {.needs = "srd.verbs", .ids = "SRD-03", .flags = SCRIPT_BARE, .lines =
		"use srd-qp\n"
		"> srd_send_only psn=={v} lup=={v} | data 40\n"
		"< srd_ack psn=={v} syndrome=ack cack=={v}\n"
		"base fwd=100\n"
		"> srd_send_only psn={p} lup={p} | data 64\n"
		"< srd_ack psn={p} syndrome=ack cack={p}\n"}},
	{.name = "reserved bit of a request", .subjects = OF(SRD), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_BITS, .word = "srd_send_only",
	 .script = {.ids = "I13", .lines =
		"> srd_send_only psn={p} lup={p} {v} | data 64\n"
		"< srd_ack psn={p} syndrome=ack cack={p}  [I13:srd_ack.missing]\n"}},
	{.name = "request cut to", .subjects = OF(SRD), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_CUTS, .word = "srd_send_only",
	 .script = {.ids = "SRD-03", .lines =
		"> srd_send_only psn={p} lup={p} | data 64 cut {v}\n"
		ANYTHING
		"> srd_send_only psn={p} lup={p} | data 64 after rto\n"
		"< srd_ack psn={p} syndrome=ack cack={p}\n"}},
	{.name = "length of a message", .subjects = OF(SRD), .chair = CHAIR_TARGET,
	 .words = WORDS("1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.ids = "SRD-03", .lines =
		"> srd_send_only psn={p} lup={p} | data {v}\n"
		"< srd_ack psn={p} syndrome=ack cack={p}\n"}},
	{.name = "first PSN", .subjects = OF(SRD), .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "0x7fffff", "0x800000", "0xfffffe", "0xffffff"),
	 .script = {.needs = "srd.verbs", .ids = "SRD-03", .ops = 1, .flags = SCRIPT_BARE, .lines =
		"configure start_psn={v}\n"
		"use srd-qp\n"
		"base fwd=100\n"
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn={p} | data 64\n"
		"> srd_ack psn={p} syndrome=ack cack={p}\n"
		"completed op={o+1} once  [SRD-41]\n"}},
	{.name = "syndrome", .subjects = OF(SRD), .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "srd_ack", .field = "syndrome",
	 .script = {.ids = "SRD-03", .ops = 1, .lines =
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn={p} | data 64\n"
		"> srd_ack psn={p} syndrome={v}\n"
		ANYTHING}},

	{.name = "CACK", .subjects = OF(SRD), .chair = CHAIR_INITIATOR,
	 .words = WORDS("-64", "-1", "+0", "+1", "+64"),
	 .script = {.ids = "SRD-03", .ops = 1, .lines =
		"post post_send qpn=$qp ah=$ah len=64\n"
		"< srd_send_only psn={p} | data 64\n"
		"> srd_ack psn={p} syndrome=ack cack={p{v}}\n"
		ANYTHING}},

	/* ---- Connections: the WQE extension and plain RoCEv2 ---- */
	{.name = "first PSN", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "0x7fffff", "0x800000", "0xfffffe", "0xffffff"),
	 .script = {.needs = "wqe.verbs", .ids = "WQE-21", .flags = SCRIPT_BARE, .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr rq_psn={v}\n"
		"post modify_qp qpn=$qp state=rts sq_psn={v}\n"
		"post post_recv qpn=$qp len=4mtu count=4\n"
		"> wqe_send_only psn={v} wqe_sn=0 wqe_length=64 | data 64\n"
		"< wqe_ack psn={v} syndrome=ack msn=1\n"}},
	{.name = "first PSN", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "0x7fffff", "0x800000", "0xfffffe", "0xffffff"),
	 .script = {.needs = "roce.verbs", .ids = "ROCE-09", .flags = SCRIPT_BARE, .lines =
		"post create_qp qpn=$qp type=rc\n"
		"post modify_qp qpn=$qp state=init\n"
		"post modify_qp qpn=$qp state=rtr rq_psn={v}\n"
		"post modify_qp qpn=$qp state=rts sq_psn={v}\n"
		"post post_recv qpn=$qp len=4mtu count=4\n"
		"> rc_send_only psn={v} | data 64\n"
		"< rc_ack psn={v} syndrome=ack msn=1\n"}},
	{.name = "reserved bit of a request", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_BITS, .word = "wqe_send_only",
	 .script = {.ids = "WQE-21", .lines =
		"> wqe_send_only psn={p} wqe_sn={m} wqe_length=64 {v} | data 64\n"
		ANYTHING
		"> wqe_send_only psn={p} wqe_sn={m} wqe_length=64 | data 64 after rto\n"
		"< wqe_ack psn={p} syndrome=ack msn=1\n"}},
	{.name = "reserved bit of a request", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_BITS, .word = "rc_send_only",
	 .script = {.ids = "ROCE-09", .lines =
		"> rc_send_only psn={p} {v} | data 64\n"
		ANYTHING
		"> rc_send_only psn={p} | data 64 after rto\n"
		"< rc_ack psn={p} syndrome=ack msn=1\n"}},
	{.name = "request cut to", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_CUTS, .word = "wqe_send_only",
	 .script = {.ids = "WQE-21", .lines =
		"> wqe_send_only psn={p} wqe_sn={m} wqe_length=64 | data 64 cut {v}\n"
		ANYTHING
		"> wqe_send_only psn={p} wqe_sn={m} wqe_length=64 | data 64 after rto\n"
		"< wqe_ack psn={p} syndrome=ack msn=1\n"}},
	{.name = "request cut to", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .source = BOUNDARY_CUTS, .word = "rc_send_only",
	 .script = {.ids = "ROCE-09", .lines =
		"> rc_send_only psn={p} | data 64 cut {v}\n"
		ANYTHING
		"> rc_send_only psn={p} | data 64 after rto\n"
		"< rc_ack psn={p} syndrome=ack msn=1\n"}},
	{.name = "length of a write", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.ids = "WQE-21", .lines =
		"> wqe_write_only psn={p} wqe_sn={m} wqe_length={v} | data {v}\n"
		"< wqe_ack psn={p} syndrome=ack msn=1\n"}},
	{.name = "length of a write", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.ids = "ROCE-09", .lines =
		"> rc_write_only psn={p} dmalen={v} | data {v}\n"
		"< rc_ack psn={p} syndrome=ack msn=1\n"}},
	{.name = "length of a read", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.needs = "wqe.read", .ids = "WQE-41", .lines =
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length={v}\n"
		"< wqe_read_resp_only psn={p} | data {v}\n"}},
	{.name = "length of a read", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "2", "3", "4", "5", "mtu-1", "mtu"),
	 .script = {.ids = "ROCE-08", .lines =
		"> rc_read_req psn={p} dmalen={v}\n"
		"< rc_read_resp_only psn={p} | data {v}\n"}},
	{.name = "length of a read of two packets", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .words = WORDS("mtu+1", "mtu+2", "mtu+3", "mtu+4", "2mtu-1", "2mtu"),
	 .script = {.needs = "wqe.read", .ids = "WQE-41", .lines =
		"> wqe_read_req psn={p} wqe_sn={m} wqe_length={v}\n"
		"< wqe_read_resp_first psn={p} | data mtu\n"
		"< wqe_read_resp_last psn={p+1}\n"}},
	{.name = "length of a read of two packets", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .words = WORDS("mtu+1", "mtu+2", "mtu+3", "mtu+4", "2mtu-1", "2mtu"),
	 .script = {.ids = "ROCE-08", .lines =
		"> rc_read_req psn={p} dmalen={v}\n"
		"< rc_read_resp_first psn={p} | data mtu\n"
		"< rc_read_resp_last psn={p+1}\n"}},
	{.name = "PSN of a write", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .words = WORDS("-8388608", "-128", "-1", "+0", "+1", "+127", "+128", "+8388607"),
	 .script = {.ids = "WQE-21", .lines =
		"> wqe_write_only psn={p{v}} wqe_sn={m} wqe_length=64 | data 64\n"
		ANYTHING
		OTHER_GOES_ON}},
	{.name = "PSN of a read", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .words = WORDS("-8388608", "-128", "-1", "+0", "+1", "+127", "+128", "+8388607"),
	 .script = {.needs = "wqe.read", .ids = "WQE-41", .lines =
		"> wqe_read_req psn={p{v}} wqe_sn={m} wqe_length=64\n"
		ANYTHING
		OTHER_GOES_ON}},
	{.name = "PSN of a write", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .words = WORDS("-8388608", "-128", "-1", "+0", "+1", "+127", "+128", "+8388607"),
	 .script = {.ids = "ROCE-09", .lines =
		"> rc_write_only psn={p{v}} dmalen=64 | data 64\n"
		ANYTHING}},
	{.name = "PSN of a read", .subjects = OF(ROCE), .chair = CHAIR_TARGET,
	 .words = WORDS("-8388608", "-128", "-1", "+0", "+1", "+127", "+128", "+8388607"),
	 .script = {.ids = "ROCE-08", .lines =
		"> rc_read_req psn={p{v}} dmalen=64\n"
		ANYTHING}},
	{.name = "offset of a write", .subjects = OF(WQE), .chair = CHAIR_TARGET,
	 .words = WORDS("0", "1", "mtu-1", "mtu", "0x7fffffff", "0xffffffff"),
	 .script = {.ids = "WQE-21", .lines =
		"> wqe_write_only psn={p} wqe_sn={m} wqe_offset={v} wqe_length=64 | data 64\n"
		ANYTHING}},
	{.name = "PSN of return data", .subjects = OF(WQE), .chair = CHAIR_INITIATOR,
	 .words = WORDS("-8388608", "-128", "-1", "+0", "+1", "+127", "+128", "+8388607"),
	 .script = {.needs = "wqe.read", .ids = "WQE-41", .ops = 1, .lines =
		"post post_send qpn=$qp opcode=read len=512\n"
		"< wqe_read_req psn={p} wqe_sn=$sn\n"
		"> wqe_read_resp_only psn={p{v}} wqe_sn=$sn wqe_length=512 | data 512\n"
		ANYTHING}},
	{.name = "PSN of return data", .subjects = OF(ROCE), .chair = CHAIR_INITIATOR,
	 .words = WORDS("-8388608", "-128", "-1", "+0", "+1", "+127", "+128", "+8388607"),
	 .script = {.ids = "ROCE-08", .ops = 1, .lines =
		"post post_send qpn=$qp opcode=read len=512\n"
		"< rc_read_req psn={p}\n"
		"> rc_read_resp_only psn={p{v}} | data 512\n"
		ANYTHING}},
	{.name = "length of return data", .subjects = OF(WQE), .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "511", "512", "513", "mtu-1", "mtu"),
	 .script = {.needs = "wqe.read", .ids = "WQE-41", .ops = 1, .lines =
		"post post_send qpn=$qp opcode=read len=512\n"
		"< wqe_read_req psn={p} wqe_sn=$sn\n"
		"> wqe_read_resp_only psn={p} wqe_sn=$sn wqe_length=512 | data {v}\n"
		ANYTHING}},
	{.name = "length of return data", .subjects = OF(ROCE), .chair = CHAIR_INITIATOR,
	 .words = WORDS("0", "1", "511", "512", "513", "mtu-1", "mtu"),
	 .script = {.ids = "ROCE-08", .ops = 1, .lines =
		"post post_send qpn=$qp opcode=read len=512\n"
		"< rc_read_req psn={p}\n"
		"> rc_read_resp_only psn={p} | data {v}\n"
		ANYTHING}},
	{.name = "syndrome", .subjects = OF(WQE), .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "wqe_ack", .field = "syndrome",
	 .script = {.ids = "WQE-01", .ops = 1, .lines =
		"post post_send qpn=$qp len=1mtu\n"
		"< wqe_send_only psn={p} | data mtu\n"
		"> wqe_ack psn={p} syndrome={v}\n"
		ANYTHING}},
	{.name = "syndrome", .subjects = OF(ROCE), .chair = CHAIR_INITIATOR,
	 .source = BOUNDARY_CODES, .word = "rc_ack", .field = "syndrome",
	 .script = {.ids = "ROCE-01", .ops = 1, .lines =
		"post post_send qpn=$qp len=1mtu\n"
		"< rc_send_only psn={p} | data mtu\n"
		"> rc_ack psn={p} syndrome={v}\n"
		ANYTHING}},
	{.name = NULL},
};
