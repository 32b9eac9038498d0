/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/controls.c -- how a control packet changes its flow.
 *
 * Spec: UET 3.5.8.2 (uet.md 5, 6)
 */
#include "judge/uet/flow/controls.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/cc.h"
#include "judge/uet/flow/clears.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/pkt_ctx.h"

/*
 * Returns true for a PSN that is MP_RANGE or more below the highest one: it
 * need not be answered.
 */
static bool may_be_behind(const struct judge_conf *conf, const struct dir *d,
			  uint32_t psn)
{
	return d->any &&
	       serial_diff(d->high, psn) >= (int32_t)dir_range(d, conf);
}

static void take_probe(struct pkt_ctx *l)
{
	struct dir_rare *r = dir_rare(l->j, l->own);

	r->probe_known = true;
	r->probe = l->cp.probe_opaque;
	r->probes_lost |= r->probes_open >> r->probes_next & 1;
	r->probes_open |= (uint8_t)(1u << r->probes_next);
	r->probes[r->probes_next] = r->probe;
	r->probes_next = (uint8_t)((r->probes_next + 1) % 4);
	r->probe_psn = l->psn;
	r->probed_at = sent_may_be_trimmed(l) ? 0 : l->at;
	r->probed_frame = l->in->frame;
}

/* Returns true if the previous ACK Request has no answer and is overdue. */
static bool is_passed_over(const struct judge_conf *conf,
			   const struct dir_rare *r, vtime at)
{
	return r->wanted_at && !r->passed_frame &&
	       at - r->wanted_at > pkt_overdue(conf);
}

void control_ask_ack(struct judge *j, struct flow *f, struct dir *d,
		     uint32_t psn, const struct judge_packet *in, bool trimmed)
{
	struct psn_state *s = psn_find(f, d, psn);
	struct dir_rare *r = dir_rare(j, d);

	if (s)
		s->flags |= PSN_WANTED | (in->d->ecn == ECN_CE ? PSN_CE : 0);
	if (is_passed_over(&j->conf, r, in->at)) {
		r->passed_frame = r->wanted_frame;
		r->passed_psn = r->wanted_psn;
	}
	r->requests++;
	if (r->requests >= sent_retries(&j->conf, j->conf.max_rto_retx))
		d->retries_exhausted = true;
	r->wanted_known = true;
	r->wanted_psn = psn;
	r->wanted_at = trimmed || may_be_behind(&j->conf, d, psn) ? 0 : in->at;
	r->wanted_frame = in->frame;
}

/*
 * Returns the PSN to be cleared, limited to responses that the source has
 * received.
 */
static uint32_t asked_psn(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	if (d->start_known && serial_after(l->payload, d->acked_to))
		return d->acked_to;
	return l->payload;
}

/*
 * If several Clear Requests wait for the same answer, the time of the first
 * counts.
 */
static void take_clear_request(struct pkt_ctx *l)
{
	struct dir_rare *r = dir_rare(l->j, l->peer);
	const uint32_t psn = asked_psn(l);

	if (r->asked_at && !serial_after(psn, r->asked_psn))
		return;
	r->asked_at = l->at;
	r->asked_psn = psn;
	r->asked_frame = l->in->frame;
}

/* Records a correct NOOP, which its receiver has to acknowledge. */
static void take_noop(struct pkt_ctx *l)
{
	struct dir_rare *r = dir_rare(l->j, l->own);

	if (!l->ar || l->payload || l->cp.isrod != l->f->rod || l->mangled)
		return;
	r->noop_frame = l->in->frame;
	r->noop_psn = l->psn;
}

/* A later packet has the PSN of the NOOP: a NACK may answer that packet. */
void control_forget_noop(struct pkt_ctx *l)
{
	if (unlikely(l->own->rare->noop_frame) &&
	    l->own->rare->noop_psn == l->psn)
		dir_rare(l->j, l->own)->noop_frame = 0;
}

/*
 * A NACK for PSN 0 may answer any CP with PSN 0, so record which types were
 * sent.
 */
static void take_cp_at_zero(struct pkt_ctx *l)
{
	const unsigned end = 1u << l->from;

	if (l->psn)
		return;
	if (l->cp.ctl_type == PDS_CP_CLEAR_REQUEST)
		l->f->clear_requests = (l->f->clear_requests | end) & 3;
	else
		l->f->others_at_zero = (l->f->others_at_zero | end) & 3;
}

void control_take(struct pkt_ctx *l)
{
	struct flow *f = l->f;

	take_cp_at_zero(l);
	switch (l->cp.ctl_type) {
	case PDS_CP_NOOP:
		take_noop(l);
		break;
	case PDS_CP_ACK_REQUEST:
		control_ask_ack(l->j, f, l->own, l->psn, l->in,
				sent_may_be_trimmed(l));
		break;
	case PDS_CP_CLEAR_REQUEST:
		if (f->closing) /* a close clears every response */
			break;
		take_clear_request(l);
		break;
	case PDS_CP_CLOSE_COMMAND:
		clear_forget_request(l, l->own);
		clear_forget_request(l, l->peer);
		f->closing = true;
		f->close_psn = l->psn;
		clear_release(f, l->own, l->psn);
		break;
	case PDS_CP_CLOSE_REQUEST:
		step_ask_close(l->j, f, l->own, l->at);
		break;
	case PDS_CP_CREDIT:
		flow_cc_credit(l, l->payload >> 8);
		break;
	case PDS_CP_PROBE:
		take_probe(l);
		break;
	}
}
