/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_pdc.c -- the life of a PDC: identities, SYN, the PSN
 * spaces and their window, close.
 *
 * Spec: UET 3.5.8.1 to 3.5.8.3 (uet.md 6)
 */
#include "judge/uet/rules/rules_pdc.h"

#include "judge/core/state.h"
#include "judge/uet/form/rules_wire.h"
#include "judge/uet/rule.h"

static bool pdc_rules_by_initiator(const struct pkt_ctx *l)
{
	return l->f->initiator == (int)l->from;
}

/* ---- Identities ---- */

/* A packet with syn = 0 whose dpdcid is not the peer's. */
static void pdc_rules_wrong_dpdcid(struct pkt_ctx *l, uint16_t dpdcid)
{
	const uint16_t right = l->f->end[!l->from].pdcid;

	if (!right) {
		holds(l, REQ_UET_PDC_24, REQ_SRC, false);
		expected(l->j, "syn=1");
		actual(l->j, "syn=0 dpdcid=0x%04x", dpdcid);
		because(l->j, "No ACK has told the target's PDCID yet, so the "
			      "packet needs syn = 1.");
		return;
	}
	holds(l, pdc_rules_by_initiator(l) ? REQ_UET_PDC_25 : REQ_UET_PDC_17,
	      REQ_SRC, false);
	expected(l->j, "dpdcid=0x%04x", right);
	actual(l->j, "dpdcid=0x%04x", dpdcid);
	because(l->j, "dpdcid is not the PDCID that the receiver allocated.");
}

static void wrong_spdcid(struct pkt_ctx *l, uint16_t spdcid)
{
	holds(l, REQ_UET_PDC_17, pkt_role(l), false);
	expected(l->j, "spdcid=0x%04x", l->f->end[l->from].pdcid);
	actual(l->j, "spdcid=0x%04x", spdcid);
	because(l->j, "spdcid is not the PDCID that the sender allocated.");
}

/* "A SYN of a known PDC [...] never allocates a second one." */
static void second_pdcid(struct pkt_ctx *l)
{
	holds(l, REQ_UET_PDC_29, REQ_DST, false);
	expected(l->j, "spdcid=0x%04x", l->f->end[l->from].pdcid);
	actual(l->j, "spdcid=0x%04x", l->ack.spdcid);
	because(l->j, "A repeated SYN was given a second PDC; a PDC has one "
		      "target PDCID.");
}

/* The dpdcid is the spdcid of the packet that is answered. */
static void wrong_answer(struct pkt_ctx *l, enum req_id req, uint16_t dpdcid)
{
	holds(l, req, req == REQ_UET_ENC_45 ? pkt_chair(l) : REQ_DST, false);
	expected(l->j, "dpdcid=0x%04x", l->f->end[!l->from].pdcid);
	actual(l->j, "dpdcid=0x%04x", dpdcid);
	because(l->j,
		"The dpdcid of an answer must be the spdcid of the packet it "
		"answers.");
}

/*
 * Returns whether the target may have ended the PDC, after a close or because
 * its retries are exhausted.  A late SYN then opens the PDC again, with another
 * PDCID (uet.md 6.3).
 */
static bool may_be_opened_again(const struct pkt_ctx *l)
{
	return !pdc_rules_by_initiator(l) &&
	       (l->f->closing || l->own->retries_exhausted);
}

static void foreign_source(struct pkt_ctx *l)
{
	const uint16_t mine = l->f->end[l->from].pdcid;
	struct pds_req h; /* a CP has these fields in the same place */

	pds_req_get(&h, l->p);
	if (h.spdcid == mine)
		pdc_rules_wrong_dpdcid(l, h.dpdcid);
	else if (h.dpdcid != l->f->end[!l->from].pdcid ||
		 !may_be_opened_again(l))
		wrong_spdcid(l, h.spdcid);
}

static void foreign_ack(struct pkt_ctx *l)
{
	if (l->ack.dpdcid != l->f->end[!l->from].pdcid)
		wrong_answer(l, REQ_UET_PDC_17, l->ack.dpdcid);
	else if (l->f->closing || may_be_opened_again(l))
		return;
	else if (l->old && l->old->flags & PSN_SYN && l->ack.spdcid)
		second_pdcid(l);
	else
		wrong_spdcid(l, l->ack.spdcid);
}

/* PDCID 0 is invalid: the wire rules report it. */
static bool has_pdcid_zero(const struct pkt_ctx *l)
{
	struct pds_req h;

	if (l->kind == PKT_NACK)
		return false;
	pds_req_get(&h, l->p);
	return !h.spdcid || (!l->syn && !h.dpdcid);
}

/*
 * The dpdcid of a NACK is the spdcid of the packet that it refuses, even a
 * wrong one, and of any packet with that PSN, not only the first.
 */
static bool answers_out_of_window(const struct pkt_ctx *l)
{
	const struct out_of_window *s = NULL;

	if (dir_out_of_windows_lost(l->peer))
		return true;
	while ((s = dir_out_of_window(l->peer, l->nack.nack_psn, s)))
		if (s->foreign && s->spdcid == l->nack.dpdcid)
			return true;
	return false;
}

void rules_uet_foreign(struct pkt_ctx *l)
{
	rules_uet_unmatched(l);
	if (!l->f->complete || has_pdcid_zero(l))
		return;
	if (l->kind == PKT_ACK)
		foreign_ack(l);
	else if (l->kind == PKT_REQ || l->kind == PKT_CP)
		foreign_source(l);
	else if (answers_out_of_window(l))
		return;
	else if (l->nack.dpdcid != l->f->end[!l->from].pdcid)
		wrong_answer(l, REQ_UET_ENC_45, l->nack.dpdcid);
	else if (!l->f->closing) /* as in foreign_ack */
		wrong_spdcid(l, l->nack.spdcid);
}

/*
 * The PDCIDs are right, since the packet belongs to the flow: counts that the
 * rules above were met.
 */
static void identities(struct pkt_ctx *l)
{
	shows(l, REQ_UET_PDC_17, pkt_role(l));
	if (!l->syn && l->from == 0 && l->f->known_at)
		shows(l, REQ_UET_PDC_25, REQ_SRC);
	if (l->kind == PKT_ACK && l->old && l->old->flags & PSN_SYN)
		shows(l, REQ_UET_PDC_29, REQ_DST);
	if (l->kind == PKT_REQ && l->syn && l->ses && !l->old)
		shows(l, REQ_PDS_SVC_3, REQ_SRC);
}

/* ---- SYN ---- */

/* "Return-direction requests have syn = 0: the PDC of the read exists." */
static void syn_of_target(struct pkt_ctx *l)
{
	if (l->f->initiator < 0 || pdc_rules_by_initiator(l) ||
	    l->kind != PKT_REQ)
		return;
	if (holds(l, REQ_UET_PDC_49, REQ_DST, !l->syn))
		return;
	expected(l->j, "syn=0");
	actual(l->j, "syn=1");
	because(l->j, "The target sends a SYN on an existing PDC.");
}

/*
 * "At most 4096 consecutive PSNs [...] are sent before the first ACK"; all SYNs
 * of a PDC have one Start_PSN.
 */
static void syn_start(struct pkt_ctx *l)
{
	const struct flow *f = l->f;

	if (l->from != 0 || !f->syn_start_known)
		return;
	if (!holds(l, REQ_UET_PDC_04, REQ_SRC,
		   serial_diff(l->psn, f->syn_start) < 4096)) {
		actual(l->j, "psn=%" PRIu32, l->psn);
		because(l->j,
			"PSN %" PRIu32 " is more than 4095 after "
			"Start_PSN %" PRIu32 " and no ACK has come.",
			l->psn, f->syn_start);
		return;
	}
	if (holds(l, REQ_UET_PDC_24, REQ_SRC, l->start == f->syn_start))
		return;
	expected(l->j, "psn_offset=%" PRIu32, (l->psn - f->syn_start) & 0xfff);
	actual(l->j, "psn_offset=%" PRIu32, l->psn - l->start);
	because(l->j,
		"psn - psn_offset gives another Start_PSN than the "
		"SYNs before: %" PRIu32 ", not %" PRIu32 ".",
		l->start, f->syn_start);
}

/* The first ACK must have had time to reach the initiator's send queue, unless
 * the initiator has already shown that it knows the target's PDCID. */
static bool syn_is_late(const struct pkt_ctx *l)
{
	const struct flow *f = l->f;

	if (knows_all(l, 0) && f->known_at &&
	    l->at - f->known_at > pkt_grace(l->conf))
		return true;
	return f->syn_done && at_link(l, 0) &&
	       serial_after(l->psn, f->syn_done_psn);
}

/* "Once an ACK with dpdcid = IPDCID has arrived, packets have syn = 0"; the
 * same for "a retransmission made after". */
static void syn_too_long(struct pkt_ctx *l)
{
	const bool again = l->retx || l->old;

	if (l->from != 0 || !syn_is_late(l))
		return;
	if (holds(l, again ? REQ_UET_RTX_05 : REQ_UET_PDC_25, REQ_SRC, !l->syn))
		return;
	expected(l->j, "syn=0 dpdcid=0x%04x", l->f->end[1].pdcid);
	actual(l->j, "syn=1");
	because(l->j, "The target's PDCID is known since an ACK; syn must be 0 "
		      "from then on.");
}

/* "A Probe never opens a PDC: it has syn = 0 and is sent only after the first
 * ACK or NACK of the PDC arrived." */
static void probe_opens(struct pkt_ctx *l)
{
	const bool told = l->f->known_at || l->own->rare->nack_at;

	if (l->cp.ctl_type != PDS_CP_PROBE || l->from != 0 || !l->f->complete)
		return;
	if (holds(l, REQ_UET_PDC_05, REQ_SRC, !l->syn && told))
		return;
	because(l->j, "A Probe cannot open a PDC, and the target has not "
		      "answered yet.");
}

/* "at least 2^16 away from the last PSN that was used before on the same
 * PDCID" */
static void start_distance(struct pkt_ctx *l)
{
	int32_t d;

	if (!l->reuses)
		return;
	d = serial_diff(l->start, l->reused_psn);
	if (holds(l, REQ_UET_PDC_19, REQ_SRC, d >= 65536 || d <= -65536))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"Start_PSN %" PRIu32 " is less than 2^16 away from the "
		"last PSN of this PDCID, %" PRIu32 ".",
		l->start, l->reused_psn);
}

/* ---- PSN spaces ---- */

/* "RUD and ROD never share a PDC" */
static void one_mode(struct pkt_ctx *l)
{
	const bool other = pkt_other_mode(l);

	if (holds(l, REQ_UET_PDC_07, pkt_chair(l), !other))
		return;
	because(l->j, "A %s request on a %s PDC.", l->f->rod ? "RUD" : "ROD",
		l->f->rod ? "ROD" : "RUD");
}

/* "The return direction starts from the same Start_PSN as the forward
 * direction." */
static void pdc_rules_return_start(struct pkt_ctx *l)
{
	if (l->from != 1 || !l->takes_psn || l->own->any)
		return;
	if (holds(l, REQ_UET_PDC_20, REQ_DST, l->psn == l->f->syn_start))
		return;
	expected(l->j, "psn=%" PRIu32, l->f->syn_start);
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j, "The return direction does not start from the PDC's "
		      "Start_PSN.");
}

/* Returns true if a new packet uses the next PSN of the other direction. */
static bool from_other_space(const struct pkt_ctx *l)
{
	return l->peer->any && l->psn == l->peer->high + 1;
}

/* Finds the PSN of the next new packet of a source. */
static bool next_psn(const struct pkt_ctx *l, uint32_t *ret)
{
	if (l->own->any)
		*ret = l->own->high + 1;
	else if (l->from == 0)
		*ret = l->f->syn_start;
	else
		return false;
	return true;
}

/*
 * Returns the row on the PSN of a new packet.  A Close Command has its own: it
 * "takes a new forward psn".
 */
static enum req_id psn_row(const struct pkt_ctx *l)
{
	if (l->kind == PKT_CP && l->cp.ctl_type == PDS_CP_CLOSE_COMMAND)
		return REQ_UET_CP_04;
	return REQ_UET_PDC_23;
}

/*
 * "A new request takes the next psn of its direction: none is left out".  A PSN
 * below the highest one fills a gap that was already reported.
 */
static void next_of_space(struct pkt_ctx *l)
{
	uint32_t next;

	if (!l->takes_psn || !next_psn(l, &next))
		return;
	if (l->own->any && serial_before(l->psn, next))
		return;
	if (l->psn != next && from_other_space(l)) {
		holds(l, REQ_MODE_PSN_1, REQ_SRC, false);
	} else {
		if (l->peer->any)
			shows(l, REQ_MODE_PSN_1, REQ_SRC);
		if (holds(l, psn_row(l), REQ_SRC, l->psn == next)) {
			if (!l->psn)
				shows(l, REQ_UET_PDC_18, REQ_SRC);
			return;
		}
	}
	expected(l->j, "psn=%" PRIu32, next);
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j, "A new packet does not take the next PSN of its "
		      "direction.");
}

/* "... and none is given to two packets" */
static void psn_twice(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (!l->takes_psn || l->retx || l->mangled || s->flags & PSN_MANGLED ||
	    pkt_may_be_cut(l))
		return;
	if (holds(l, psn_row(l), REQ_SRC, l->hash == s->hash))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"PSN %" PRIu32 " was used by another packet before, and this "
		"one is no retransmission.",
		l->psn);
}

/*
 * Returns true for a Close Command that does not take the next PSN.  Its own
 * row judges its PSN, whichever side of the window that PSN is on.
 */
static bool close_leaves_order(const struct pkt_ctx *l)
{
	uint32_t next;

	return psn_row(l) == REQ_UET_CP_04 && next_psn(l, &next) &&
	       l->psn != next;
}

/* "A psn is sent, for the first time or again, only while it is at most
 * CACK_PSN + MP_RANGE." */
static void pdc_rules_window(struct pkt_ctx *l)
{
	const struct dir *d = l->own;
	const uint32_t range = dir_range(d, l->conf);

	if (!l->takes_psn || !d->cack_known || !range || close_leaves_order(l))
		return;
	if (!d->rare->mp_range && !l->conf->rto_init)
		return; /* MP_RANGE is unknown */
	if (holds(l, REQ_UET_PDC_37, REQ_SRC,
		  serial_diff(l->psn, d->cack) <= (int32_t)range)) {
		if (!d->rare->mp_range)
			shows(l, REQ_UET_PDC_38, REQ_SRC);
		return;
	}
	expected(l->j, "psn=%" PRIu32, d->cack + range);
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"PSN %" PRIu32 " is more than MP_RANGE = %" PRIu32
		" above CACK_PSN %" PRIu32 ".",
		l->psn, range, d->cack);
}

/* ---- The end ---- */

/* "Once a close is decided [...] no new message begins on the PDC" */
static void new_after_close(struct pkt_ctx *l)
{
	if (!l->f->closing || !pdc_rules_by_initiator(l))
		return;
	if (holds(l, REQ_UET_PDC_42, REQ_SRC,
		  !serial_after(l->psn, l->f->close_psn)))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"A new request follows the Close Command, PSN %" PRIu32 ".",
		l->f->close_psn);
}

/*
 * Returns true if the source requested an ACK, perhaps more than once, and none
 * has come.
 */
static bool may_have_given_up(struct pkt_ctx *l)
{
	const struct psn_state *s =
		psn_find(l->f, l->own, l->own->acked_to + 1);

	return s && s->flags & PSN_WANTED;
}

/* "The Close Command is sent only when no request is outstanding" */
static void close_early(struct pkt_ctx *l)
{
	const struct dir *d = l->own;

	if (l->cp.ctl_type != PDS_CP_CLOSE_COMMAND)
		return;
	if (!d->start_known || l->f->maybe_failed)
		return; /* after an error the source need not wait for ACKs */
	if (d->retries_exhausted || may_have_given_up(l))
		return;
	if (holds(l, REQ_UET_PDC_43, REQ_SRC, d->acked_to == d->high))
		return;
	because(l->j,
		"Close Command while PSN %" PRIu32 " is not "
		"acknowledged.",
		d->acked_to + 1);
}

/* "repeats the Close Command no more, when cack_psn or ACK_PSN reaches [it]" */
static void close_again(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (l->cp.ctl_type != PDS_CP_CLOSE_COMMAND || !l->f->closed)
		return;
	if (holds(l, REQ_UET_PDC_46, REQ_SRC,
		  l->at - s->acked_at <= pkt_grace(l->conf)))
		return;
	because(l->j, "The Close Command is retransmitted although its ACK had "
		      "arrived.");
}

/* "The target has its return-direction requests acknowledged before it sends
 * the closing ACK." */
static void closing_ack_early(struct pkt_ctx *l)
{
	const struct flow *f = l->f;
	const struct dir *d = l->own;

	if (!f->closing || f->closed || pdc_rules_by_initiator(l) ||
	    !d->start_known || !l->has_ack_psn || l->ack_psn != f->close_psn)
		return;
	shows(l, REQ_UET_PDC_44, REQ_DST);
	if (holds(l, REQ_UET_PDC_45, REQ_DST, d->acked_to == d->high))
		return;
	actual(l->j, "ack_psn=%" PRIu32, l->ack_psn);
	because(l->j,
		"The target sends the closing ACK while return PSN %" PRIu32
		" is not "
		"acknowledged.",
		d->acked_to + 1);
}

/* "After a PDC_FATAL NACK [...] no request is sent on the PDC any more; if
 * possible, a Close Command is." */
static void after_fatal(struct pkt_ctx *l)
{
	const struct flow *f = l->f;

	if (!f->rare->fatal_at || f->rare->fatal_end != l->from)
		return;
	if (l->at - f->rare->fatal_at <= pkt_grace(l->conf))
		return;
	if (holds(l, REQ_UET_PDC_48, REQ_SRC, false))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"The request follows the fatal NACK 0x%02x in frame %" PRIu32
		", which ended the PDC.",
		f->rare->fatal_code, f->rare->fatal_frame);
}

const struct monitor rules_uet_pdc[] = {
	{PKT_REQ | PKT_ACK | PKT_CP, identities,
	 ON(KEY_PDS) | ON(KEY_FROM) | ON(KEY_KNOWN) | ON(KEY_SYN) |
		 ON(KEY_AGAIN)},
	{PKT_REQ, syn_of_target,
	 ON(SYN) | ON(KEY_PDS) | ON(KEY_INITIATOR) | ON(KEY_FROM)},
	{PKT_REQ | PKT_CP | PKT_SYN, syn_start, ON(SYN) | ON(ASKS_ACK)},
	{PKT_REQ | PKT_CP, syn_too_long,
	 ON(SYN) | ON(ASKS_ACK) | ON(LINKED) | ON(REMOTE)},
	{PKT_CP, probe_opens, ON(ASKS_ACK)},
	{PKT_REQ | PKT_CP | PKT_SYN, start_distance, ON(SYN) | ON(ASKS_ACK)},
	{PKT_REQ, one_mode, ON(MODE)},
	{PKT_REQ | PKT_CP | PKT_HERE, pdc_rules_return_start,
	 ON(BEGUN) | ON(REMOTE)},
	{PKT_REQ | PKT_CP | PKT_HERE | PKT_NEW, next_of_space,
	 ON(LINKED) | ON(BEGUN) | ON(REMOTE)},
	{PKT_REQ | PKT_CP | PKT_GAPS | PKT_AGAIN, psn_twice,
	 ON(REPEAT) | ON(ASKS_ACK)},
	{PKT_REQ | PKT_CP | PKT_HERE, pdc_rules_window,
	 ON(LINKED) | ON(REMOTE)},
	{PKT_REQ | PKT_NEW, new_after_close, ON(REQ_OPEN)},
	{PKT_CP | PKT_HERE | PKT_NEW, close_early, ALWAYS},
	{PKT_CP | PKT_HERE | PKT_AGAIN, close_again, ALWAYS},
	{PKT_ACK | PKT_HERE, closing_ack_early, ON(LINKED)},
	{PKT_REQ | PKT_HERE, after_fatal, ON(LINKED)},
	{0, NULL, ALWAYS},
};
