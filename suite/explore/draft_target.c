/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_target.c -- the moves in which the tester requests on
 * a PDC, and the DUT is the target of RUD or ROD.
 *
 * Each move repairs its losses, because the next move needs a PDC on which all
 * requests are acknowledged.
 */
#include <stdio.h>

#include "suite/explore/draft_target.h"
#include "suite/explore/script/script.h"

bool target_rod(const struct draft *d)
{
	return d->subject == DRAFT_ROD;
}

const char *target_req(const struct draft *d)
{
	return target_rod(d) ? "rod_req" : "rud_req";
}

const char *target_once(const struct draft *d)
{
	return target_rod(d) ? "MODE-ROD-1" : "MODE-RUD-1";
}

void target_delivered(struct draft *d, uint32_t psn)
{
	draft_line(d, "delivered psn=%u once  [%s RUD-SVC-2]", psn,
		   target_once(d));
}

/* Sends a message of one packet; |how| stands behind its PDS fields. */
void target_sends(struct draft *d, uint32_t psn, unsigned mid,
		  const char *flags, const char *size, const char *how)
{
	draft_line(d,
		   "> %s psn=%u %s | std send message_id=%u som eom"
		   " | data %s%s",
		   target_req(d), psn, flags, mid, size, how);
}

/* ---- Requests that are accepted ---- */

void move_target_send(struct draft *d)
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
		   "< ack ack_psn=%u req!=clear | response message_id=%u"
		   " return_code=ok  [RUD-SVC-3 RUD-SEQ-75b]",
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

/*
 * Records the rules that piece |at| breaks: |left| are the pieces of the
 * message that were not sent before it.
 */
static void target_overtakes(struct draft *d, unsigned at, unsigned left,
			     unsigned n)
{
	if (!(left & ((1u << at) - 1)))
		return;
	draft_violates(d, "UET-PDC-23/src");
	draft_violates(d, "UET-PDC-09/src");
	if (left != (1u << n) - 1)
		return;
	/* the message does not begin with its first packet */
	draft_violates(d, "RUD-SVC-0m/src");
	draft_violates(d, "RUD-SEQ-79a/src");
	draft_violates(d, "UET-SES-04/src");
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
		target_overtakes(d, at, left, n);
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

/*
 * Requests that ask for no ACK, and one that does.  Its ACK may overtake the
 * answers before it, and no rule makes the DUT acknowledge those on its own.
 * The ACK of one more request, sent after ack_time, covers them all.
 */
static void move_target_train(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 8);
	const uint32_t first = d->psn, last = first + n;

	for (unsigned i = 0; i < n; i++)
		target_sends(d, first + i, d->mid + i, i == n - 1 ? "ar" : "",
			     "64", "");
	draft_line(d, "< acked %u  [RUD-SVC-3]", last - 1);
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..16");
	target_sends(d, last, d->mid + n, "ar", "64", "");
	draft_line(d,
		   "< ack ack_psn=%u cack_psn=%u | response"
		   "  [RUD-SVC-3 UET-ACK-26:ack.cack_psn]",
		   last, last);
	for (unsigned i = 0; i <= n; i += n)
		target_delivered(d, first + i);
	for (unsigned i = 0; i <= n; i++)
		draft_keep(d, first + i, d->mid + i);
	d->psn += n + 1;
	d->mid += n + 1;
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
	draft_violates_told(d);
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
	const char *s = draft_setting(d, settings,
				      sizeof(settings) / sizeof(settings[0]));

	if (s)
		draft_line(d, "configure %s", s);
}

static void target_open(struct draft *d)
{
	static const char *const starts[] = {NULL,         NULL,         NULL,
					     "0xfffffffd", "0x7ffffffe", "0",
					     "0xffffffff"};
	const char *start = draft_word(d, starts, 7);
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

static const struct draft_move target_moves[] = {
	{"The device acknowledges a send of one packet and delivers it once", 6,
	 move_target_send},
	{"The device acknowledges a write with OK, asks for no clear, and "
	 "delivers it once",
	 2, move_target_write},
	{"The packets of one send (on RUD in any order) are acknowledged, and "
	 "it is delivered once",
	 4, move_target_multi},
	{"Only the last of several sends asks for an ACK; the ACK of the next "
	 "one covers them all",
	 4, move_target_train},
	{"The tester repeats an acknowledged request: it is answered and not "
	 "delivered again",
	 5, move_target_again},
	{"A request is lost and retransmitted after later ones: all are "
	 "acknowledged and delivered",
	 6, move_target_gap},
	{"The network duplicates a send, and the device acknowledges it and "
	 "delivers it once",
	 3, move_target_doubled},
	{"An ACK is lost and the send is repeated: the device answers again "
	 "and delivers it once",
	 4, move_target_ack_lost},
	{"The device stores a guaranteed response, repeats it as asked, and "
	 "the tester clears it",
	 6, move_target_gtd},
	{"On RUD, requests arrive in reverse order, and each gets its "
	 "guaranteed response",
	 3, move_target_gtd_gap},
	{"The device answers an SES error as a guaranteed response, and the "
	 "tester clears it",
	 4, move_target_error},
	{"The device refuses a request once by a NACK, and accepts its "
	 "retransmission",
	 4, move_target_refused},
	{"The network trims a request: the device sends a NACK and accepts the "
	 "retransmission",
	 3, move_target_trimmed},
	{"The network marks a send with CE, and the device acknowledges it and "
	 "delivers it once",
	 3, move_target_marked},
	{"SES is late: a repeat or an ACK Request gets a NACK RCVD_SES_PROCG, "
	 "and an ACK later",
	 2, move_target_slow},
	{"The device acknowledges a NOOP or a Negotiation and delivers nothing",
	 3, move_target_noop},
	{"An ACK Request gets the ACK of a received request, or a NACK "
	 "PKT_NOT_RCVD of a lost one",
	 4, move_target_ask},
	{"The tester sends a Probe, and the device answers it with an ACK", 2,
	 move_target_probe},
	{"The initiator sends a Close Request, and the device answers with a "
	 "NACK UNEXP_EVENT",
	 1, move_target_unexpected},
	{"The device answers a small read, and any repeat, by an ACK with the "
	 "data",
	 4, move_target_read_small},
	{"The device sends read data as a request of its own, again after a "
	 "loss or a NACK",
	 5, move_target_read},
	{"The device executes atomics once each, and a fetching atomic returns "
	 "their result",
	 3, move_target_atomic},
	{"A packet has a wrong PDCID: the device refuses it, and accepts the "
	 "request that follows",
	 3, move_target_foreign},
	{"A request has the other mode than its PDC, and the device refuses it "
	 "by a NACK",
	 1, move_target_mode},
	{"A PSN far outside of the window gets no ACK and no delivery; the "
	 "next request gets both",
	 3, move_target_outside},
	{"A request has reserved bits set, and the device acknowledges it and "
	 "delivers it once",
	 2, move_target_reserved},
	{"The tester cuts a request within its PDS header; the device drops it "
	 "and takes the next",
	 2, move_target_cut},
	{"The tester sends bytes that are no packet; the device drops them and "
	 "takes a request",
	 1, move_target_raw},
	{"A second PDC opens, delivers once and closes, and the first PDC goes "
	 "on",
	 3, move_target_other},
	{"The tester sends nothing for a timer's span, and the device sends "
	 "three packets at most",
	 2, move_target_idle},
	{"A Clear Command clears some guaranteed responses, and the device "
	 "keeps the others",
	 4, move_target_gtd_many},
	{"The tester closes the PDC, and the device refuses a later request "
	 "with INV_DPDCID",
	 2, move_target_closes},
	{"On RUD, the device as target sends a NOOP, and retransmits it if no "
	 "ACK comes",
	 3, move_target_control},
	{NULL, 0, NULL}};

const struct draft_kind draft_target = {.open = target_open,
					.close = target_close,
					.moves = target_moves,
					.scripts = script_uet_target,
					.firsts = script_uet_target_first};
