/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_target_refuse.c -- the moves of a target that guarantees
 * its response, refuses a request, or gets a control packet.
 */
#include <stdio.h>

#include "suite/explore/draft_target.h"

/* ---- Guaranteed responses ---- */

/* Clears what is stored: by a command, or by the next request. */
void target_clears(struct draft *d, uint32_t psn)
{
	if (draft_draw(d, 2)) {
		draft_line(d, "> cp clear_command clear_psn=%u", psn);
		draft_line(d, "wait 0.2 ack_time");
	}
	move_target_send(d);
}

void move_target_gtd(struct draft *d)
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
	if (copies)
		draft_violates_told(d);
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
void move_target_gtd_gap(struct draft *d)
{
	const uint32_t psn = d->psn;

	if (target_rod(d)) {
		move_target_gtd(d);
		return;
	}
	draft_need(d, "response.gtd");
	draft_need(d, "stored.2");
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

void move_target_error(struct draft *d)
{
	static const char *const codes[] = {"no_match", "bad_index",
					    "access_denied"};
	const char *code = draft_word(d, codes, 2);
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
		draft_violates_told(d);
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

void move_target_refused(struct draft *d)
{
	static const char *const codes[] = {"no_pkt_buffer", "no_resource",
					    "no_gtd_del_avail",
					    "no_ses_msg_avail"};
	static const char *const ids[] = {"UET-NACK-07", "UET-NACK-0A",
					  "UET-NACK-08", "UET-NACK-09"};
	const unsigned k = draft_draw(d, 2);
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;
	bool mark = false;

	draft_need(d, "response.nack");
	draft_line(d, "respond nack=%s times=1", codes[k]);
	if (draft_draw(d, 3) == 2) {
		draft_need(d, "ecn");
		draft_line(d, "mark_ce > %s psn=%u nth=1", target_req(d), psn);
		mark = true;
	}
	target_sends(d, psn, mid, "ar", "64", "");
	draft_line(d, "< nack %s nack_psn=%u%s  [RUD-SEQ-82 %s%s]", codes[k],
		   psn, mark ? " m" : "", ids[k], mark ? " UET-ACK-02" : "");
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

void move_target_trimmed(struct draft *d)
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

void move_target_marked(struct draft *d)
{
	draft_need(d, "ecn");
	draft_line(d, "mark_ce > %s psn=%u nth=1", target_req(d), d->psn);
	move_target_send(d);
}

/* The SES answers late; a NACK says so to the retransmission. */
void move_target_slow(struct draft *d)
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

void move_target_noop(struct draft *d)
{
	static const char *const types[] = {"noop", "negotiation"};
	const char *type = draft_word(d, types, 2);
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
void move_target_ask(struct draft *d)
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

void move_target_probe(struct draft *d)
{
	draft_need(d, "probe");
	draft_line(d, "> cp probe ar probe_opaque=0x%x",
		   1 + draft_draw(d, 0xffff));
	draft_line(d, "< ack p next_hdr=none|cp_ack  [UET-CP-06 UET-ENC-39]");
}

void move_target_unexpected(struct draft *d)
{
	const uint32_t psn = d->psn++;

	draft_need(d, "close.refuse");
	draft_violates(d, "UET-CP-05/both");
	draft_line(d, "> cp close_request ar psn=%u", psn);
	draft_line(d, "< nack unexp_event nack_psn=%u  [UET-NACK-19]", psn);
	d->over = d->no_close = true;
}

/* Several guaranteed responses; a Clear Command clears some of them. */
void move_target_gtd_many(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 3);
	const uint32_t first = d->psn, some = first + draft_draw(d, n);
	char flags[32];

	snprintf(flags, sizeof(flags), "ar clear_psn=%u", first - 1);
	draft_need(d, "response.gtd");
	draft_need(d, "stored.4");
	draft_line(d, "respond gtd");
	for (unsigned i = 0; i < n; i++) {
		target_sends(d, first + i, d->mid + i, flags, "64", "");
		draft_line(d,
			   "< ack ack_psn=%u req=clear | response"
			   " message_id=%u  [RUD-SVC-3b RUD-SEQ-76]",
			   first + i, d->mid + i);
	}
	draft_line(d, "respond default");
	draft_line(d, "> cp clear_command clear_psn=%u", some);
	if (some != first + n - 1) {
		draft_violates_told(d);
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after rto",
			   target_req(d), first + n - 1, some);
		draft_line(d,
			   "< ack ack_psn=%u cack_psn=%u retx req=clear"
			   " | response message_id=%u"
			   "  [RUD-SVC-3b RUD-SVC-3d]",
			   first + n - 1, some, d->mid + n - 1);
	}
	d->psn += n;
	d->mid += n;
	target_clears(d, first + n - 1);
}

/* The PDC is closed: the target forgets it. */
void move_target_closes(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;
	const bool lost = draft_draw(d, 2);

	draft_need(d, "close.target");
	draft_violates(d, "UET-PDC-42/src");
	draft_violates(d, "UET-PDC-46/src");
	draft_line(d, "> cp close_command ar psn=%u%s", psn,
		   lost ? " lost" : "");
	if (lost)
		draft_line(d, "> cp close_command ar psn=%u retx after rto",
			   psn);
	draft_line(d,
		   "< ack ack_psn=%u next_hdr=none|cp_ack"
		   "  [UET-CP-04:ack.missing]",
		   psn);
	draft_line(d,
		   "> %s ar psn=%u | std send message_id=%u som eom"
		   " | data 64",
		   target_req(d), psn + 1, mid);
	draft_line(d,
		   "< nack inv_dpdcid nack_psn=%u spdcid=0"
		   "  [UET-NACK-0E UET-ENC-45]",
		   psn + 1);
	draft_line(d, "delivered psn=%u none  [UET-NACK-0E]", psn + 1);
	d->over = d->no_close = true;
}

/* The target sends control packets of its own. */
void move_target_control(struct draft *d)
{
	const unsigned sym = d->sym++;

	if (target_rod(d)) {
		move_target_send(d);
		return;
	}
	draft_need(d, "control.pds");
	draft_line(d, "post send_cp cp=noop");
	draft_line(d,
		   "< cp noop ar psn=$q%u syn=0 retx=0 payload=0"
		   "  [UET-CP-00]",
		   sym);
	if (draft_draw(d, 2))
		draft_line(d,
			   "< cp noop ar psn=$q%u retx within 1.5 rto"
			   "  [UET-CP-00 UET-RTX-16:cp.retx]",
			   sym);
	draft_line(d, "> ack ack_psn=$q%u cack_psn=$q%u", sym, sym);
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..2");
	d->ret++;
}
