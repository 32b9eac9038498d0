/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/nacks.c -- how a NACK changes its flow.
 *
 * Spec: UET 3.5.12 (uet.md 4, 7)
 */
#include "judge/uet/flow/nacks.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/acks.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/rod.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/nack_codes.h"
#include "judge/uet/pkt_ctx.h"

/*
 * Returns true if the source may have reached its retry limit.  It also counts
 * network duplicates of a NACK.
 */
static bool nacks_are_spent(const struct pkt_ctx *l, bool again)
{
	const struct psn_state *s = l->old;
	const unsigned max = sent_retries(l->conf, l->conf->max_nack_retx);
	const bool first = s->drops + s->nack_retx <= 1 && !again;

	if (first && !l->conf->rto_init)
		return false; /* a source acts on at least one NACK */
	return s->drops >= max || s->nack_retx + (again ? 1u : 0u) >= max;
}

/*
 * Returns true if the NACK answers a packet without a slot: one with a wrong
 * PDCID or a PSN too far away.
 */
static bool is_for_out_of_window(const struct pkt_ctx *l)
{
	const uint8_t code = l->nack.nack_code;

	if (!dir_out_of_window(l->peer, l->psn, NULL))
		return false;
	return !l->old || code == NACK_INV_DPDCID ||
	       code == NACK_PDC_HDR_MISMATCH;
}

/*
 * Records a NACKed NOOP if an earlier NACK may have ended the PDC: later
 * packets show whether it did.
 */
static void take_refusal(struct pkt_ctx *l)
{
	struct dir_rare *r;

	if (likely(!pkt_refuses_noop(l)) || !l->f->maybe_failed)
		return;
	r = dir_rare(l->j, l->peer);
	if (r->refused_frame)
		return;
	r->refused_frame = l->in->frame;
	r->refused_psn = l->psn;
}

void nack_maybe_failed(struct flow *f, vtime at)
{
	if (!f->maybe_failed)
		f->maybe_failed_at = at;
	f->maybe_failed = true;
}

/*
 * "unsupported or impossible event": some devices keep the PDC after this code.
 */
static void take_fatal(struct flow *f, unsigned from, uint8_t code, vtime at)
{
	if (!nack_fatal(code))
		return;
	if (code != NACK_UNEXP_EVENT)
		f->unexpected = 0;
	else if (!f->maybe_failed || f->unexpected)
		f->unexpected = (f->unexpected | 1u << from) & 3;
	nack_maybe_failed(f, at);
}

void nack_take(struct pkt_ctx *l)
{
	struct flow *f = l->f;
	struct dir *d = l->peer;
	const uint8_t code = l->nack.nack_code;
	struct psn_state *s = l->old;
	struct flow_rare *r;
	bool again;

	ack_count_anew(l);
	if (d->rare->wanted_at && d->rare->wanted_psn == l->psn)
		dir_rare(l->j, d)->wanted_at = 0;
	if (is_for_out_of_window(l))
		return;
	dir_rare(l->j, d)->nack_at = l->at;
	if (l->nack.spdcid && l->from == 1 && !f->nack_told_at &&
	    code != NACK_NEW_START_PSN)
		f->nack_told_at = l->at;
	take_refusal(l);
	take_fatal(f, l->from, code, l->at);
	if (!s)
		return;
	s->acked_at = l->at;
	again = s->flags & PSN_NACKED;
	/*
	 * The network may have reordered ROD_OOO: it does not replace another
	 * cause.
	 */
	if (!again || code != NACK_ROD_OOO)
		s->nack_code = code;
	s->flags |= again ? PSN_NACKED | PSN_NACKED_TWICE : PSN_NACKED;
	s->flags &= ~(uint32_t)(PSN_DUE | PSN_AGAIN);
	if (nack_drops(code))
		step_count_up(&s->drops);
	if (f->rod)
		rod_take_nack(l);
	if (nacks_are_spent(l, again))
		d->retries_exhausted = true;
	/*
	 * An acknowledged PSN is outside the source's window: the NACK changes
	 * nothing.
	 */
	if (!nack_fatal(code) || f->rare->fatal_at || s->flags & PSN_ACKED ||
	    (d->cack_known && !serial_after(l->psn, d->cack)))
		return;
	r = flow_rare(l->j, f);
	r->fatal_at = l->at;
	r->fatal_frame = l->in->frame;
	r->fatal_code = code;
	r->fatal_end = !l->from;
}
