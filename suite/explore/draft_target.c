/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_target.c -- the moves in which the tester requests on
 * a PDC, and the DUT is the target of RUD or ROD.
 *
 * Each move repairs its losses, because the next move needs a PDC on which all
 * requests are acknowledged.
 */
#include <stdio.h>

#include "suite/explore/draft.h"

static bool target_rod(const struct draft *d)
{
	return d->subject == DRAFT_ROD;
}

static const char *target_req(const struct draft *d)
{
	return target_rod(d) ? "rod_req" : "rud_req";
}

static const char *target_once(const struct draft *d)
{
	return target_rod(d) ? "MODE-ROD-1" : "MODE-RUD-1";
}

static void target_delivered(struct draft *d, uint32_t psn)
{
	draft_line(d, "delivered psn=%u once  [%s RUD-SVC-2]", psn,
		   target_once(d));
}

/* Sends a message of one packet; |how| stands behind its PDS fields. */
static void target_sends(struct draft *d, uint32_t psn, unsigned mid,
			 const char *flags, const char *size, const char *how)
{
	draft_line(d,
		   "> %s psn=%u %s | std send message_id=%u som eom"
		   " | data %s%s",
		   target_req(d), psn, flags, mid, size, how);
}

/* ---- Requests that are accepted ---- */

static void move_target_send(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	target_sends(d, psn, mid, "ar", draft_size(d), "");
	draft_line(d, "< ack ack_psn=%u | response message_id=%u  [RUD-SVC-3]",
		   psn, mid);
	target_delivered(d, psn);
	draft_line(d, "received message_id=%u once  [RUD-SVC-2]", mid);
	draft_keep(d, psn, mid);
}

static void move_target_write(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	draft_need(d, "write");
	draft_line(d,
		   "> %s psn=%u ar | std write message_id=%u som eom"
		   " | data %s",
		   target_req(d), psn, mid, draft_size(d));
	draft_line(d,
		   "< ack ack_psn=%u | response message_id=%u"
		   " return_code=ok  [RUD-SVC-3]",
		   psn, mid);
	target_delivered(d, psn);
	draft_keep(d, psn, mid);
}

/* Sends packet |at| of a message of |n| packets. */
static void target_piece(struct draft *d, uint32_t psn, unsigned mid,
			 unsigned at, unsigned n)
{
	if (at == 0)
		draft_line(d,
			   "> %s psn=%u ar | std send message_id=%u som"
			   " request_length=%umtu | data mtu",
			   target_req(d), psn, mid, n);
	else
		draft_line(d,
			   "> %s psn=%u ar | std send message_id=%u%s"
			   " request_length=%umtu message_offset=%umtu"
			   " | data mtu",
			   target_req(d), psn, mid, at == n - 1 ? " eom" : "",
			   n, at);
}

/* The packets of one message, in an order that is drawn. */
static void move_target_multi(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 3);
	const uint32_t first = d->psn;
	const unsigned mid = d->mid++;
	unsigned left = (1u << n) - 1;

	draft_need(d, "multi");
	for (unsigned i = 0; i < n; i++) {
		unsigned k = draft_draw(d, target_rod(d) ? 1 : n - i), at = 0;

		for (; !(left >> at & 1) || k; at++)
			k -= left >> at & 1;
		left &= ~(1u << at);
		target_piece(d, first + at, mid, at, n);
	}
	draft_line(d, "< acked %u..%u  [RUD-SVC-3 RUD-SEQ-77]", first,
		   first + n - 1);
	for (unsigned i = 0; i < n; i++)
		target_delivered(d, first + i);
	draft_line(d, "received message_id=%u len=%umtu once  [RUD-SVC-2]", mid,
		   n);
	d->psn += n;
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..8");
}

/* Requests that ask for no ACK, and one that does. */
static void move_target_train(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 8);
	const uint32_t first = d->psn;

	for (unsigned i = 0; i < n; i++)
		target_sends(d, first + i, d->mid + i, i == n - 1 ? "ar" : "",
			     "64", "");
	draft_line(d, "< acked %u..%u  [RUD-SVC-3 RUD-SEQ-77]", first,
		   first + n - 1);
	for (unsigned i = 0; i < n; i += n - 1)
		target_delivered(d, first + i);
	for (unsigned i = 0; i < n; i++)
		draft_keep(d, first + i, d->mid + i);
	d->psn += n;
	d->mid += n;
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..16");
}

/* An acknowledged request again: answered, not delivered. */
static void move_target_again(struct draft *d)
{
	struct draft_sent s;

	if (!d->nsent) {
		move_target_send(d);
		return;
	}
	s = d->sent[draft_draw(d, (uint32_t)d->nsent)];
	draft_line(d, "> %s psn=%u clear_psn=%u retx ar | same%s",
		   target_req(d), s.psn, s.psn - 1,
		   draft_draw(d, 2) ? " after rto" : "");
	draft_line(d,
		   "< ack ack_psn=%u retx | response"
		   "  [RUD-SVC-3c RUD-SEQ-84b]",
		   s.psn);
	target_delivered(d, s.psn);
}

/* A request is lost, later ones arrive, and it comes again. */
static void move_target_gap(struct draft *d)
{
	const unsigned n = 1 + draft_draw(d, 3);
	const uint32_t psn = d->psn;

	target_sends(d, psn, d->mid, "ar", "64", " lost");
	for (unsigned i = 1; i <= n; i++) {
		target_sends(d, psn + i, d->mid + i, "ar", draft_size(d), "");
		if (!target_rod(d))
			draft_line(d,
				   "< ack ack_psn=%u | response"
				   " message_id=%u  [RUD-SVC-3]",
				   psn + i, d->mid + i);
	}
	if (target_rod(d))
		draft_line(d,
			   "< nack rod_ooo nack_psn=%u"
			   "  [MODE-ROD-3d UET-NACK-0D]",
			   psn + 1);
	draft_line(d, "> %s psn=%u retx ar | same%s", target_req(d), psn,
		   target_rod(d) ? "" : " after rto");
	for (unsigned i = 1; i <= n && target_rod(d); i++)
		draft_line(d, "> %s psn=%u retx ar | same", target_req(d),
			   psn + i);
	draft_line(d, "< acked %u..%u  [RUD-SVC-3 RUD-SEQ-84b RUD-SEQ-84c]",
		   psn, psn + n);
	for (unsigned i = 0; i <= n; i++) {
		target_delivered(d, psn + i);
		draft_keep(d, psn + i, d->mid + i);
	}
	d->psn += n + 1;
	d->mid += n + 1;
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..8");
}

/* A copy that the network makes. */
static void move_target_doubled(struct draft *d)
{
	draft_line(d, "duplicate %u > %s psn=%u nth=1", 1 + draft_draw(d, 2),
		   target_req(d), d->psn);
	move_target_send(d);
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..4");
}

/* The ACK is lost, so the request comes again. */
static void move_target_ack_lost(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;
	const unsigned n = 1 + draft_draw(d, 2);

	target_sends(d, psn, mid, "ar", draft_size(d), "");
	draft_line(d,
		   "< ack ack_psn=%u | response message_id=%u lost"
		   "  [RUD-SVC-3]",
		   psn, mid);
	for (unsigned i = 0; i < n; i++) {
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after %u rto",
			   target_req(d), psn, psn - 1, 1 + i);
		draft_line(d,
			   "< ack ack_psn=%u retx | response%s"
			   "  [RUD-SVC-3c RUD-SEQ-84]",
			   psn, i == n - 1 ? "" : " lost");
	}
	target_delivered(d, psn);
	draft_keep(d, psn, mid);
}

/* ---- Guaranteed responses ---- */

/* Clears what is stored: by a command, or by the next request. */
static void target_clears(struct draft *d, uint32_t psn)
{
	if (draft_draw(d, 2)) {
		draft_line(d, "> cp clear_command clear_psn=%u", psn);
		draft_line(d, "wait 0.2 ack_time");
	}
	move_target_send(d);
}

static void move_target_gtd(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;
	const unsigned copies = draft_draw(d, 3);

	draft_need(d, "response.gtd");
	draft_line(d, "respond gtd");
	target_sends(d, psn, mid, "ar", draft_size(d), "");
	draft_line(d,
		   "< ack ack_psn=%u req=clear | response message_id=%u"
		   "  [RUD-SVC-3b RUD-SEQ-76]",
		   psn, mid);
	for (unsigned i = 0; i < copies; i++) {
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after rto",
			   target_req(d), psn, psn - 1);
		draft_line(d,
			   "< ack ack_psn=%u retx req=clear | response"
			   " message_id=%u  [RUD-SVC-3b RUD-SVC-3d]",
			   psn, mid);
	}
	draft_line(d, "respond default");
	target_delivered(d, psn);
	target_clears(d, psn);
}

/* Two guaranteed responses; the second request arrives first. */
static void move_target_gtd_gap(struct draft *d)
{
	const uint32_t psn = d->psn;

	if (target_rod(d)) {
		move_target_gtd(d);
		return;
	}
	draft_need(d, "response.gtd");
	draft_line(d, "respond gtd");
	target_sends(d, psn, d->mid, "ar", "64", " lost");
	target_sends(d, psn + 1, d->mid + 1, "ar", "64", "");
	draft_line(d,
		   "< ack ack_psn=%u req=clear | response message_id=%u"
		   "  [RUD-SVC-3b RUD-SEQ-78]",
		   psn + 1, d->mid + 1);
	draft_line(d, "> rud_req psn=%u retx ar | same after rto", psn);
	draft_line(d,
		   "< ack ack_psn=%u req=clear | response message_id=%u"
		   "  [RUD-SVC-3b RUD-SEQ-84c]",
		   psn, d->mid);
	draft_line(d, "respond default");
	d->psn += 2;
	d->mid += 2;
	target_delivered(d, psn);
	target_delivered(d, psn + 1);
	target_clears(d, psn + 1);
}

static void move_target_error(struct draft *d)
{
	static const char *const codes[] = {"no_match", "bad_index",
					    "access_denied"};
	const char *code = codes[draft_draw(d, 2)];
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	draft_need(d, "response.code");
	draft_line(d, "respond return_code=%s times=1", code);
	target_sends(d, psn, mid, "ar", "64", "");
	draft_line(d,
		   "< ack ack_psn=%u req=clear | response message_id=%u"
		   " return_code=%s  [RUD-SVC-3b]",
		   psn, mid, code);
	if (draft_draw(d, 2)) {
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after rto",
			   target_req(d), psn, psn - 1);
		draft_line(d,
			   "< ack ack_psn=%u retx req=clear | response"
			   " message_id=%u return_code=%s"
			   "  [RUD-SVC-3b RUD-SEQ-84]",
			   psn, mid, code);
	}
	target_delivered(d, psn);
	target_clears(d, psn);
}

/* ---- Refusals ---- */

static void move_target_refused(struct draft *d)
{
	static const char *const codes[] = {"no_pkt_buffer", "no_resource",
					    "no_gtd_del_avail",
					    "no_ses_msg_avail"};
	static const char *const ids[] = {"UET-NACK-07", "UET-NACK-0A",
					  "UET-NACK-08", "UET-NACK-09"};
	const unsigned k = draft_draw(d, 2);
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	draft_need(d, "response.nack");
	draft_line(d, "respond nack=%s times=1", codes[k]);
	target_sends(d, psn, mid, "ar", "64", "");
	draft_line(d, "< nack %s nack_psn=%u  [RUD-SEQ-82 %s]", codes[k], psn,
		   ids[k]);
	draft_line(d, "never < ack ack_psn=%u for nack_time  [RUD-SEQ-82]",
		   psn);
	draft_line(d, "> %s psn=%u retx ar | same", target_req(d), psn);
	draft_line(d,
		   "< ack ack_psn=%u retx | response message_id=%u"
		   "  [RUD-SEQ-84c RUD-SEQ-82]",
		   psn, mid);
	target_delivered(d, psn);
	draft_keep(d, psn, mid);
}

static void move_target_trimmed(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;
	const unsigned last = draft_draw(d, 2);

	draft_need(d, "trim");
	draft_line(d, "trim 16%s > %s psn=%u nth=1", last ? " last_hop" : "",
		   target_req(d), psn);
	target_sends(d, psn, mid, "ar", "mtu", "");
	draft_line(d, "< nack %s nack_psn=%u  [%s]",
		   last ? "trimmed_lasthop" : "trimmed", psn,
		   last ? "UET-NACK-02" : "UET-NACK-01");
	draft_line(d, "> %s psn=%u retx ar | same", target_req(d), psn);
	draft_line(d,
		   "< ack ack_psn=%u retx | response message_id=%u"
		   "  [UET-ACK-18 RUD-SEQ-84c]",
		   psn, mid);
	target_delivered(d, psn);
	draft_keep(d, psn, mid);
}

static void move_target_marked(struct draft *d)
{
	draft_need(d, "ecn");
	draft_line(d, "mark_ce > %s psn=%u nth=1", target_req(d), d->psn);
	move_target_send(d);
}

/* The SES answers late; a NACK says so to the retransmission. */
static void move_target_slow(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	draft_need(d, "response.delay");
	draft_violates(d, "RUD-SEQ-83/src");
	draft_line(d, "respond delay=2rto+2ack_time times=1");
	target_sends(d, psn, mid, "ar", "64", "");
	if (draft_draw(d, 2)) {
		draft_need(d, "ack_request");
		draft_line(d, "> cp ack_request ar psn=%u after rto", psn);
		draft_line(d,
			   "< nack rcvd_ses_procg nack_psn=%u"
			   "  [UET-NACK-18 UET-CP-01]",
			   psn);
	} else {
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after rto",
			   target_req(d), psn, psn - 1);
		draft_line(d,
			   "< nack rcvd_ses_procg nack_psn=%u retx"
			   "  [UET-NACK-18 UET-ACK-18]",
			   psn);
	}
	draft_line(d,
		   "< ack ack_psn=%u | response message_id=%u"
		   " within 2 rto + 3 ack_time  [UET-NACK-18 UET-ACK-15]",
		   psn, mid);
	target_delivered(d, psn);
	draft_keep(d, psn, mid);
}

/* ---- Control packets ---- */

static void move_target_noop(struct draft *d)
{
	static const char *const types[] = {"noop", "negotiation"};
	const char *type = types[draft_draw(d, 2)];
	const uint32_t psn = d->psn++;

	draft_need(d, type);
	draft_line(d, "> cp %s ar psn=%u", type, psn);
	draft_line(d,
		   "< ack ack_psn=%u next_hdr=none|cp_ack"
		   "  [UET-ACK-20:ack.missing UET-CP-00]",
		   psn);
	if (draft_draw(d, 2)) {
		draft_line(d, "> cp %s ar psn=%u retx after rto", type, psn);
		draft_line(d,
			   "< ack ack_psn=%u next_hdr=none|cp_ack retx"
			   "  [UET-ACK-20 UET-CP-00]",
			   psn);
	}
	draft_line(d, "delivered psn=%u none  [UET-CP-00]", psn);
}

/* Asks about a request: acknowledged, lost, or not yet sent. */
static void move_target_ask(struct draft *d)
{
	const uint32_t psn = d->psn;

	draft_need(d, "ack_request");
	if (d->nsent && draft_draw(d, 2)) {
		const struct draft_sent s =
			d->sent[draft_draw(d, (uint32_t)d->nsent)];

		draft_line(d, "> cp ack_request ar psn=%u", s.psn);
		draft_line(d, "< ack ack_psn=%u  [UET-CP-01:ack.missing]",
			   s.psn);
		return;
	}
	target_sends(d, psn, d->mid, "ar", "64", " lost");
	draft_line(d, "> cp ack_request ar psn=%u after rto", psn);
	draft_line(d,
		   "< nack pkt_not_rcvd nack_psn=%u"
		   "  [UET-NACK-12 UET-CP-01]",
		   psn);
	draft_line(d, "> %s psn=%u retx ar | same", target_req(d), psn);
	draft_line(d,
		   "< ack ack_psn=%u | response message_id=%u"
		   "  [RUD-SEQ-84b RUD-SVC-3]",
		   psn, d->mid);
	target_delivered(d, psn);
	draft_keep(d, psn, d->mid);
	d->psn++;
	d->mid++;
}

static void move_target_probe(struct draft *d)
{
	draft_need(d, "probe");
	draft_line(d, "> cp probe ar probe_opaque=0x%x",
		   1 + draft_draw(d, 0xffff));
	draft_line(d, "< ack p next_hdr=none|cp_ack  [UET-CP-06 UET-ENC-39]");
}

static void move_target_unexpected(struct draft *d)
{
	const uint32_t psn = d->psn++;

	draft_need(d, "close.refuse");
	draft_violates(d, "UET-CP-05/src");
	draft_line(d, "> cp close_request ar psn=%u", psn);
	draft_line(d, "< nack unexp_event nack_psn=%u  [UET-NACK-19]", psn);
	d->over = d->no_close = true;
}

/* ---- Reads and atomics ---- */

static void move_target_read_small(struct draft *d)
{
	static const char *const sizes[] = {"$ack_data", "1", "8"};
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;
	const char *size = sizes[draft_draw(d, 2)];

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
	if (draft_draw(d, 2)) {
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after rto",
			   target_req(d), psn, psn - 1);
		draft_line(d,
			   "< ack ack_psn=%u retx req=clear | response_data"
			   " read_request_message_id=%u | data %s"
			   "  [RUD-SEQ-80o RUD-SVC-3d]",
			   psn, mid, size);
	}
	target_delivered(d, psn);
	target_clears(d, psn);
}

/* A read whose data comes in packets of the return direction. */
static void move_target_read(struct draft *d)
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

static void move_target_atomic(struct draft *d)
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

/* ---- Packets that are wrong ---- */

static void move_target_foreign(struct draft *d)
{
	static const struct {
		const char *field, *nack, *id;
	} kinds[] = {
		{"dpdcid=$b+8193", "inv_dpdcid", "UET-NACK-0E"},
		{"dpdcid=$b-12289", "inv_dpdcid", "UET-NACK-0E"},
		{"spdcid=$a+1", "pdc_hdr_mismatch", "UET-NACK-0F"},
		{"spdcid=$a-1", "pdc_hdr_mismatch", "UET-NACK-0F"},
	};
	const unsigned k = draft_draw(d, 4), what = draft_draw(d, 3);
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	draft_violates(d, "RUD-SEQ-84b/src");
	draft_violates(d, k < 2 ? "UET-PDC-15/src" : "UET-PDC-17/src");
	draft_violates(d, "UET-PDC-25/src");
	if (what == 0)
		draft_line(d,
			   "> %s psn=%u ar %s | std send message_id=%u"
			   " som eom | data 64",
			   target_req(d), psn, kinds[k].field, mid);
	else
		draft_line(d, "> cp %s ar psn=%u %s",
			   what == 1 ? "noop" : "close_command", psn,
			   kinds[k].field);
	draft_line(d, "< nack %s nack_psn=%u spdcid=0  [%s UET-ENC-45]",
		   kinds[k].nack, psn, kinds[k].id);
	target_sends(d, psn, mid, "ar retx", "64", "");
	draft_line(d,
		   "< ack ack_psn=%u | response message_id=%u"
		   "  [UET-PDC-14 RUD-SEQ-84c]",
		   psn, mid);
	target_delivered(d, psn);
}

static void move_target_mode(struct draft *d)
{
	const uint32_t psn = d->psn;

	draft_line(d,
		   "> %s psn=%u ar | std send message_id=%u som eom"
		   " | data 64",
		   target_rod(d) ? "rud_req" : "rod_req", psn, d->mid);
	draft_line(d, "< nack pdc_mode_mismatch nack_psn=%u  [UET-NACK-16]",
		   psn);
	draft_line(d, "delivered psn=%u none  [UET-NACK-16]", psn);
	d->over = d->no_close = true;
}

/* A PSN far outside of the window, then the next one. */
static void move_target_outside(struct draft *d)
{
	static const char *const psns[] = {"$start-33000", "$start-2147483000",
					   "$start+100000",
					   "$start+2000000000"};
	const char *psn = psns[draft_draw(d, 4)];
	const unsigned mid = d->mid++;

	draft_violates(d, "RUD-SEQ-84b/src");
	draft_violates(d, "UET-PDC-23/src");
	draft_violates(d, "UET-PDC-37/src");
	draft_violates(d, "UET-ACK-32/src");
	draft_violates(d, "RUD-SVC-5/src");
	draft_line(d,
		   "> %s retx ar psn=%s clear_psn_offset=-1 | std send"
		   " message_id=%u som eom | data 64",
		   target_req(d), psn, mid);
	draft_line(d, "< nack psn_oor_window optional");
	draft_line(d, "never < ack for rto  [RUD-SEQ-84a:ack.forbidden]");
	draft_line(d, "delivered message_id=%u none  [RUD-SEQ-84a]", mid);
	move_target_send(d);
}

static void move_target_reserved(struct draft *d)
{
	static const char *const bits[] = {"rsvd_9=1", "rsvd_9=2", "rsvd_14=1",
					   "rsvd_14=3"};
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	draft_violates(d, "UET-ENC-34/both");
	target_sends(d, psn, mid, bits[draft_draw(d, 4)], "64", "");
	draft_line(d, "> %s psn=%u retx ar | same after rto", target_req(d),
		   psn);
	draft_line(d, "< ack ack_psn=%u | response  [UET-ACK-15 RUD-SVC-3]",
		   psn);
	target_delivered(d, psn);
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..3");
}

/* Only the first bytes of a request arrive: there is no such packet. */
static void move_target_cut(struct draft *d)
{
	const uint32_t psn = d->psn;

	draft_violates(d, "UET-RTX-15/src");
	draft_violates(d, "UET-ENC-36/src");
	draft_violates(d, "UET-SES-08/src");
	draft_violates(d, "UET-ENC-01/src");
	draft_line(d,
		   "> %s ar psn=%u | std send message_id=%u som eom"
		   " | data 64 cut %u",
		   target_req(d), psn, d->mid, 1 + draft_draw(d, 11));
	draft_line(d, "never < any for ack_time  [I13]");
	move_target_send(d);
}

static void move_target_raw(struct draft *d)
{
	static const char *const raws[] = {
		"00", "01 88 ff ff 00 00 01 4d 00 01 00 02",
		"79 88 ff ff 00 00 01 4d 00 01 00 02",
		"f9 88 ff ff 00 00 01 4d 00 01 00 02 00 00 00 00",
		"ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff"};

	draft_violates(d, "UET-ENC-29/src");
	draft_line(d, "> raw %s", raws[draft_draw(d, 5)]);
	draft_line(d, "never < any for ack_time  [I13]");
	move_target_send(d);
}

/* ---- Another PDC beside it ---- */

static void move_target_other(struct draft *d)
{
	const unsigned sym = d->sym++, mid = d->mid++;

	draft_need(d, "close.target");
	draft_line(d,
		   "> %s syn ar pdc=x%u psn=$s%u | std send message_id=%u"
		   " som eom | data 64",
		   target_req(d), sym, sym, mid);
	draft_line(d,
		   "< ack pdc=x%u ack_psn=$s%u cack_psn=$s%u | response"
		   " message_id=%u  [UET-PDC-08 UET-ACK-16]",
		   sym, sym, sym, mid);
	if (draft_draw(d, 2)) {
		draft_line(d,
			   "> %s syn retx ar pdc=x%u psn=$s%u psn_offset=0"
			   " | same",
			   target_req(d), sym, sym);
		draft_line(d,
			   "< ack pdc=x%u ack_psn=$s%u retx | response"
			   "  [UET-PDC-29]",
			   sym, sym);
	}
	draft_line(d, "delivered pdc=x%u psn=$s%u once  [%s]", sym, sym,
		   target_once(d));
	draft_line(d, "> cp close_command ar pdc=x%u psn=$s%u+1", sym, sym);
	draft_line(d,
		   "< ack pdc=x%u ack_psn=$s%u+1 next_hdr=none|cp_ack"
		   "  [UET-CP-04]",
		   sym, sym);
	draft_line(d,
		   "> %s ar pdc=a psn=%u | std send message_id=%u som eom"
		   " | data 64",
		   target_req(d), d->psn, d->mid);
	draft_line(d,
		   "< ack pdc=a ack_psn=%u | response message_id=%u"
		   "  [UET-PDC-08 RUD-SVC-3]",
		   d->psn, d->mid);
	d->psn++;
	d->mid++;
}

static void move_target_idle(struct draft *d)
{
	static const char *const spans[] = {"rto", "clear_time", "3 rto"};

	draft_line(d, "wait %s", spans[draft_draw(d, 3)]);
	draft_line(d, "< any optional x 0..3");
}

/* ---- The frame of a case ---- */

/* Sets a choice that the specification leaves open. */
static void draft_target_settings(struct draft *d)
{
	static const char *const settings[] = {NULL,
					       NULL,
					       NULL,
					       NULL,
					       NULL,
					       NULL,
					       "ack_type=1",
					       "ack_type=2",
					       "ack_gen_trigger=1",
					       "nack_ccx=1",
					       "version=103",
					       "rod_nack_each=1",
					       "sack_base=1",
					       "pds_clear_time=0"};
	const char *s =
		settings[draft_draw(d, sizeof(settings) / sizeof(settings[0]))];

	if (s)
		draft_line(d, "configure %s", s);
}

static void target_open(struct draft *d)
{
	static const char *const starts[] = {NULL,         NULL,         NULL,
					     "0xfffffffd", "0x7ffffffe", "0",
					     "0xffffffff"};
	const char *start = starts[draft_draw(d, 7)];
	const unsigned mode = target_rod(d);

	draft_need(d, mode ? "rod" : "rud");
	draft_need(d, "send");
	draft_target_settings(d);
	if (start)
		draft_line(d, "let $start = %s", start);
	draft_line(d,
		   "> %s syn ar psn=$start | std send message_id=0xff01"
		   " som eom | data 8",
		   target_req(d));
	draft_line(d, "< ack ack_psn=$start spdcid=$b dpdcid=$a | response"
		      "  [PDS-SVC-2 UET-ACK-16]");
	draft_line(d, "base fwd=%u ret=%u", DRAFT_FWD, DRAFT_RET);
}

static void target_close(struct draft *d)
{
	draft_line(d, "wait 2 rto");
	draft_line(d, "< any optional x 0..32");
	draft_line(d, "use close");
}

static const struct draft_move target_moves[] = {{move_target_send, 6},
						 {move_target_write, 2},
						 {move_target_multi, 4},
						 {move_target_train, 4},
						 {move_target_again, 5},
						 {move_target_gap, 6},
						 {move_target_doubled, 3},
						 {move_target_ack_lost, 4},
						 {move_target_gtd, 6},
						 {move_target_gtd_gap, 3},
						 {move_target_error, 4},
						 {move_target_refused, 4},
						 {move_target_trimmed, 3},
						 {move_target_marked, 3},
						 {move_target_slow, 2},
						 {move_target_noop, 3},
						 {move_target_ask, 4},
						 {move_target_probe, 2},
						 {move_target_unexpected, 1},
						 {move_target_read_small, 4},
						 {move_target_read, 5},
						 {move_target_atomic, 3},
						 {move_target_foreign, 3},
						 {move_target_mode, 1},
						 {move_target_outside, 3},
						 {move_target_reserved, 2},
						 {move_target_cut, 2},
						 {move_target_raw, 1},
						 {move_target_other, 3},
						 {move_target_idle, 2},
						 {NULL, 0}};

const struct draft_kind draft_target = {
	.open = target_open, .close = target_close, .moves = target_moves};
