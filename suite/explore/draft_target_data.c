/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_target_data.c -- the moves of a target that is read, or
 * executes atomics.
 */
#include <stdio.h>

#include "suite/explore/draft_target.h"

/* ---- Reads and atomics ---- */

void move_target_read_small(struct draft *d)
{
	static const char *const sizes[] = {"$ack_data", "1", "8"};
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;
	const char *size = draft_word(d, sizes, 2);

	draft_need(d, "read");
	draft_need(d, "ack_data");
	draft_line(d,
		   "> %s psn=%u ar | std read message_id=%u som eom"
		   " request_length=%s | data 0",
		   target_req(d), psn, mid, size);
	draft_line(d,
		   "< ack ack_psn=%u req=clear | response_data"
		   " read_request_message_id=%u | data %s  [RUD-SEQ-80o]",
		   psn, mid, size);
	/* a target that did not keep the data runs the read once more */
	if (draft_draw(d, 2)) {
		draft_violates_told(d);
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after rto",
			   target_req(d), psn, psn - 1);
		draft_line(d,
			   "< ack ack_psn=%u retx req=clear | response_data"
			   " read_request_message_id=%u | data %s"
			   "  [RUD-SEQ-80o RUD-SVC-3d]",
			   psn, mid, size);
	} else {
		target_delivered(d, psn);
	}
	target_clears(d, psn);
}

/* A read whose data comes in packets of the return direction. */
void move_target_read(struct draft *d)
{
	const uint32_t psn = d->psn++, ret = d->ret++;
	const unsigned mid = d->mid++, how = draft_draw(d, 4);
	const unsigned sym = d->sym++;

	draft_need(d, "read");
	draft_need(d, "return_data");
	draft_line(d,
		   "> %s psn=%u ar | std read message_id=%u som eom"
		   " request_length=mtu",
		   target_req(d), psn, mid);
	draft_line(d, "any {");
	draft_line(d,
		   "  < ack ack_psn=%u | response message_id=%u"
		   "  [RUD-SEQ-79 RUD-SVC-3]",
		   psn, mid);
	draft_line(d,
		   "  < %s psn=%u | response_data response_message_id=$r%u"
		   " read_request_message_id=%u | data mtu  [RUD-SEQ-79]",
		   target_req(d), ret, sym, mid);
	draft_line(d, "}");
	if (how == 1) {
		draft_line(d,
			   "< %s psn=%u retx | same within 1.5 rto"
			   "  [RUD-SEQ-83 RUD-SEQ-79]",
			   target_req(d), ret);
		draft_line(d,
			   "> ack ack_psn=%u retx | response"
			   " message_id=$r%u",
			   ret, sym);
	} else if (how == 2) {
		draft_line(d, "> nack no_pkt_buffer nack_psn=%u", ret);
		draft_line(d,
			   "< %s psn=%u retx | same within 3 nack_time"
			   "  [RUD-SEQ-82 UET-NACK-07]",
			   target_req(d), ret);
		draft_line(d,
			   "> ack ack_psn=%u retx | response"
			   " message_id=$r%u",
			   ret, sym);
	} else {
		draft_line(d, "> ack ack_psn=%u | response message_id=$r%u",
			   ret, sym);
	}
	draft_line(d, "responded message_id=$r%u once  [RUD-SVC-4 RUD-SEQ-79]",
		   sym);
	target_delivered(d, psn);
}

void move_target_atomic(struct draft *d)
{
	static const char *const ops[] = {"sum", "bor", "band", "bxor",
					  "max", "min", "write"};
	const unsigned op = draft_draw(d, sizeof(ops) / sizeof(ops[0]));
	const unsigned start = draft_draw(d, 256);
	const unsigned with = draft_draw(d, 256);
	const uint32_t psn = d->psn;
	unsigned ends = start;

	switch (op) {
	case 0:
		ends = start + with;
		break;
	case 1:
		ends = start | with;
		break;
	case 2:
		ends = start & with;
		break;
	case 3:
		ends = start ^ with;
		break;
	case 4:
		ends = start > with ? start : with;
		break;
	case 5:
		ends = start < with ? start : with;
		break;
	default:
		ends = with;
		break;
	}
	draft_need(d, "atomic");
	draft_need(d, "ack_data.8");
	draft_line(d,
		   "> %s psn=%u ar | std atomic message_id=%u som eom"
		   " request_length=8 | atomic amo_opcode=write"
		   " datatype=uint64 | bytes %02x 00 00 00 00 00 00 00",
		   target_req(d), psn, d->mid, start);
	draft_line(d,
		   "< ack ack_psn=%u | response message_id=%u"
		   " return_code=ok  [RUD-SEQ-75b]",
		   psn, d->mid);
	draft_line(d,
		   "> %s psn=%u ar | std atomic message_id=%u som eom"
		   " request_length=8 | atomic amo_opcode=%s"
		   " datatype=uint64 | bytes %02x 00 00 00 00 00 00 00",
		   target_req(d), psn + 1, d->mid + 1, ops[op], with);
	draft_line(d,
		   "< ack ack_psn=%u | response message_id=%u"
		   " return_code=ok  [RUD-SEQ-75b UET-SES-36]",
		   psn + 1, d->mid + 1);
	if (draft_draw(d, 2)) {
		draft_line(d, "> %s psn=%u retx ar | same", target_req(d),
			   psn + 1);
		draft_line(d, "< ack ack_psn=%u retx | response  [RUD-SVC-3c]",
			   psn + 1);
	}
	draft_line(d,
		   "> %s psn=%u ar | std fetching_atomic message_id=%u"
		   " som eom request_length=8 | atomic amo_opcode=sum"
		   " datatype=uint64 | bytes 01 00 00 00 00 00 00 00",
		   target_req(d), psn + 2, d->mid + 2);
	draft_line(d,
		   "< ack ack_psn=%u req=clear | response_data"
		   " read_request_message_id=%u return_code=ok"
		   " | bytes %02x %02x 00 00 00 00 00 00"
		   "  [RUD-SEQ-80o UET-SES-36]",
		   psn + 2, d->mid + 2, ends & 255, ends >> 8);
	d->psn += 3;
	d->mid += 3;
	target_clears(d, psn + 2);
}
