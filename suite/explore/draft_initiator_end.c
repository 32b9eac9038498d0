/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_initiator_end.c -- the moves in which a PDC of the DUT
 * begins with a refusal, or ends.
 */
#include "suite/explore/draft_initiator.h"

/* The codes that delay the first SYN. */
void initiator_refused(struct draft *d)
{
	static const struct {
		const char *code, *id;
	} codes[] = {{"no_pdc_avail", "UET-NACK-04"},
		     {"no_ccc_avail", "UET-NACK-05"},
		     {"no_bitmap", "UET-NACK-06"},
		     {"no_resource", "UET-NACK-0A"}};
	const unsigned k = draft_draw(d, 4);

	d->op++;
	draft_line(d, "post send len=8%s", initiator_mode(d));
	draft_line(d,
		   "< %s syn psn=$start psn_offset=0 | std send"
		   " message_id=$first som eom | data 8"
		   "  [PDS-SVC-3 UET-PDC-24]",
		   initiator_req(d));
	draft_line(d, "> nack %s nack_psn=$start spdcid=0", codes[k].code);
	draft_line(d,
		   "< %s syn psn=$start psn_offset=0 retx | same after"
		   " nack_time within rto + nack_time"
		   "  [%s:req.resend UET-PDC-24 UET-RTX-15]",
		   initiator_req(d), codes[k].id);
	draft_line(d, "> ack ack_psn=$start cack_psn=$start retx | response"
		      " message_id=$first");
	draft_line(d, "completed op=1 once  [RUD-SVC-4 %s]", codes[k].id);
	draft_line(d, "wait ack_time");
}

/* A NACK ends the PDC: nothing is sent on it again. */
void move_initiator_fatal(struct draft *d)
{
	static const struct {
		const char *code, *id;
	} codes[] = {{"exp_nack_fatal", "UET-NACK-FF"},
		     {"closing", "UET-NACK-10"},
		     {"closing_in_err", "UET-NACK-11"},
		     {"gtd_resp_unavail", "UET-NACK-13"},
		     {"unexp_event", "UET-NACK-19"}};
	const unsigned k = draft_draw(d, 5);
	const uint32_t psn = d->psn;

	initiator_posts(d, "64", "");
	draft_line(d, "> nack %s nack_psn=%u", codes[k].code, psn);
	draft_line(d, "never < %s psn=%u for 3 rto  [UET-PDC-48 %s]",
		   initiator_req(d), psn, codes[k].id);
	draft_line(d, "error once  [PDS-IF-10]");
	draft_line(d, "completed op=%u none  [%s]", d->op, codes[k].id);
	d->over = d->no_close = true;
}

/* No ACK comes: the operation fails after the last retry. */
void move_initiator_silence(struct draft *d)
{
	draft_violates(d, "RUD-SVC-3/dst");
	initiator_posts(d, "64", "");
	draft_line(d,
		   "failed op=%u once within rto_total"
		   "  [UET-RTX-13 RUD-SVC-1]",
		   d->op);
	draft_line(d, "completed op=%u none  [UET-RTX-13]", d->op);
	d->over = d->no_close = true;
}

/* NACKs without end: the operation fails behind Max_NACK_Retx_Cnt. */
void move_initiator_nack_limit(struct draft *d)
{
	const uint32_t psn = d->psn;

	draft_need(d, "nack_time.short");
	initiator_posts(d, "64", "");
	draft_line(d, "inject > nack no_pkt_buffer on < %s psn=%u",
		   initiator_req(d), psn);
	draft_line(d, "> nack no_pkt_buffer nack_psn=%u", psn);
	draft_line(d, "failed op=%u once within rto_total  [RUD-SEQ-82a]",
		   d->op);
	draft_line(d, "error once  [PDS-IF-10]");
	draft_line(d, "completed op=%u none  [RUD-SEQ-82a]", d->op);
	d->over = d->no_close = true;
}

/* The target asks for a close, by a Close Request or in an ACK. */
void move_initiator_asked_to_close(struct draft *d)
{
	const bool by_ack = draft_draw(d, 2);
	const unsigned sym = initiator_posts(d, "64", "");

	draft_need(d, "close.initiator");
	draft_line(d,
		   "> ack ack_psn=%u cack_psn=%u%s | response"
		   " message_id=$m%u",
		   d->psn - 1, d->psn - 1, by_ack ? " req=close" : "", sym);
	draft_line(d, "completed op=%u once  [RUD-SVC-4]", d->op);
	if (by_ack) {
		draft_line(d,
			   "< cp close_command ar psn=%u payload=0 within"
			   " rto  [UET-CP-04 UET-PDC-42:cp.missing]",
			   d->psn);
	} else {
		draft_line(d, "> cp close_request ar psn=%u", d->ret);
		draft_line(d, "any {");
		draft_line(d,
			   "  < ack ack_psn=%u next_hdr=none|cp_ack within"
			   " rto  [UET-CP-05]",
			   d->ret);
		draft_line(d,
			   "  < cp close_command ar psn=%u within rto"
			   "  [UET-CP-05 UET-CP-04]",
			   d->psn);
		draft_line(d, "}");
	}
	if (draft_draw(d, 2))
		draft_line(d,
			   "< cp close_command ar psn=%u retx within"
			   " 1.5 rto  [UET-CP-04 UET-RTX-16]",
			   d->psn);
	draft_line(d, "> ack ack_psn=%u cack_psn=%u", d->psn, d->psn);
	draft_line(d, "never < any for 3 rto  [UET-PDC-46]");
	d->over = d->no_close = true;
}

/* The target asks for a clear: the initiator answers with a command. */
void move_initiator_asked_to_clear(struct draft *d)
{
	const unsigned sym = initiator_posts(d, "64", "");
	const uint32_t psn = d->psn - 1;

	draft_line(d,
		   "> ack ack_psn=%u cack_psn=%u req=clear | response"
		   " message_id=$m%u",
		   psn, psn - 1, sym);
	draft_line(d, "completed op=%u once  [RUD-SVC-4]", d->op);
	draft_line(d,
		   "< cp clear_command psn==0 ar=0 clear_psn=%u within"
		   " clear_time lost  [RUD-SVC-6 UET-CP-02]",
		   psn);
	draft_line(d, "> cp clear_request psn==0 clear_psn=%u", psn);
	draft_line(d,
		   "< cp clear_command psn==0 ar=0 clear_psn=%u"
		   "  [RUD-SVC-6 UET-CP-03:cp.missing UET-RTX-21]",
		   psn);
	draft_line(d, "wait clear_time");
	draft_line(d, "< any optional x 0..4");
}
