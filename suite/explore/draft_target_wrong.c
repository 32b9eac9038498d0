/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_target_wrong.c -- the moves in which a target gets
 * packets that are wrong, or has other PDCs.
 */
#include <stdio.h>

#include "suite/explore/draft_target.h"

/* ---- Packets that are wrong ---- */

void move_target_foreign(struct draft *d)
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

void move_target_mode(struct draft *d)
{
	const uint32_t psn = d->psn;

	draft_violates(d, "UET-PDC-07/src");
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
void move_target_outside(struct draft *d)
{
	static const char *const psns[] = {"$start-33000", "$start-2147483000",
					   "$start+100000",
					   "$start+2000000000"};
	const char *psn = draft_word(d, psns, 4);
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

void move_target_reserved(struct draft *d)
{
	static const char *const bits[] = {"rsvd_9=1",  "rsvd_9=2",
					   "rsvd_14=1", "rsvd_14=3",
					   "rsvd_14=2", "rsvd_9=3"};
	const uint32_t psn = d->psn++;
	const unsigned mid = d->mid++;

	draft_violates(d, "UET-ENC-34/both");
	target_sends(d, psn, mid, draft_word(d, bits, 6), "64", "");
	draft_line(d, "> %s psn=%u retx ar | same after rto", target_req(d),
		   psn);
	draft_line(d, "< ack ack_psn=%u | response  [UET-ACK-15 RUD-SVC-3]",
		   psn);
	target_delivered(d, psn);
	draft_line(d, "wait ack_time");
	draft_line(d, "< any optional x 0..3");
}

/*
 * Nothing answers what was sent.  A Clear Command for earlier data is no
 * answer.
 */
static void target_unanswered(struct draft *d)
{
	draft_line(d, "never < ack for 0.5 ack_time  [I13]");
	draft_line(d, "never < nack for ack_time  [I13]");
}

/* Only the first bytes of a request arrive: there is no such packet. */
void move_target_cut(struct draft *d)
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
	target_unanswered(d);
	move_target_send(d);
}

void move_target_raw(struct draft *d)
{
	static const char *const raws[] = {
		"00", "01 88 ff ff 00 00 01 4d 00 01 00 02",
		"79 88 ff ff 00 00 01 4d 00 01 00 02",
		"f9 88 ff ff 00 00 01 4d 00 01 00 02 00 00 00 00",
		"ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff"};

	draft_violates(d, "UET-ENC-29/src");
	draft_line(d, "> raw %s", draft_word(d, raws, 5));
	target_unanswered(d);
	move_target_send(d);
}

/* ---- Another PDC beside it ---- */

void move_target_other(struct draft *d)
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

void move_target_idle(struct draft *d)
{
	static const char *const spans[] = {"rto", "clear_time", "3 rto"};

	draft_line(d, "wait %s", draft_word(d, spans, 3));
	draft_line(d, "< any optional x 0..3");
}
