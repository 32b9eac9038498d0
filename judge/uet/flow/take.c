/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/take.c -- updates the flow by a packet of any kind.
 *
 * No rule is checked here.
 *
 * Spec: UET 3.5.8.2, 3.5.11, 3.5.12 (uet.md 6, 7)
 */
#include "judge/uet/flow/take.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/acks.h"
#include "judge/uet/flow/clears.h"
#include "judge/uet/flow/controls.h"
#include "judge/uet/flow/nacks.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/pkt_ctx.h"

static void learn_roles(struct pkt_ctx *l)
{
	struct flow *f = l->f;

	if (likely(f->initiator >= 0))
		return;
	if (l->kind == PKT_CP) {
		if (l->cp.ctl_type == PDS_CP_CLOSE_COMMAND)
			f->initiator = (int8_t)l->from;
		else if (l->cp.ctl_type == PDS_CP_CLOSE_REQUEST)
			f->initiator = !l->from;
	} else if (l->next_hdr >= PDS_NEXT_REQUEST_SMALL &&
		   l->next_hdr <= PDS_NEXT_REQUEST_STD) {
		f->initiator = (int8_t)l->from;
	} else if (l->next_hdr == PDS_NEXT_RESPONSE_DATA ||
		   l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL) {
		f->initiator = !l->from;
	}
}

static void flow_take_source(struct pkt_ctx *l)
{
	struct flow *f = l->f;

	learn_roles(l);
	control_forget_noop(l);
	if (likely(l->takes_psn))
		sent_take(l);
	if (likely(l->has_clear && !l->out_of_window))
		clear_take(l);
	if (unlikely(l->kind == PKT_CP))
		control_take(l);
	if (unlikely(!f->syn_done) && !l->syn && l->from == 0 &&
	    f->syn_start_known)
		step_syn_done(f, l->psn);
}

void flow_take_sent(struct pkt_ctx *l)
{
	sent_take(l);
}

HOT void flow_take(struct pkt_ctx *l)
{
	if (l->kind != PKT_REQ)
		step_dscp(l->f, l->in);
	if (l->kind == PKT_ACK)
		ack_take(l);
	else if (unlikely(l->kind == PKT_NACK))
		nack_take(l);
	else
		flow_take_source(l);
	/*
	 * The source renumbers all its packets.  For the judge this is a new
	 * PDC, which begins with the first of them.
	 */
	if (unlikely(l->kind == PKT_NACK) &&
	    l->nack.nack_code == NACK_NEW_START_PSN) {
		l->f->moved = true;
		nack_maybe_failed(l->f, l->at);
		l->f->unexpected = 0;
	}
}
