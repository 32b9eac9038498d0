/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_facts.c -- the facts of a packet and the configuration of a judge,
 * for rung.h.
 */
#include <string.h>

#include "base/err.h"
#include "lib/lib_inside.h"

_Static_assert(RUNG_TIMER == (int)CAUSE_TIMER && RUNG_NACK == (int)CAUSE_NACK &&
		       RUNG_GAP == (int)CAUSE_GAP,
	       "the causes of rung.h are those of judge/types.h");

void lib_facts(struct rung_facts *ret, const struct judge_facts *x,
	       unsigned shard)
{
	*ret = (struct rung_facts){
		.flow = x->flow == JUDGE_NO_FLOW
				? RUNG_NO_FLOW
				: (uint64_t)shard << 32 | x->flow,
		.first_ns = (uint64_t)x->first_at,
		.sent_ns = (uint64_t)x->sent_at,
		.psn = x->psn,
		.frame = x->frame,
		.copies = x->copies,
		.skipped = x->skipped,
		.asked = x->asked_frame,
		.read = x->read_frame,
		.acks_from = x->acks_from,
		.acks_to = x->acks_to,
		.clears_from = x->clears_from,
		.clears_to = x->clears_to,
		.initiator = x->initiator,
		.cause = (enum rung_cause)x->cause,
		.from = (uint8_t)x->from,
		.foreign = x->foreign,
		.takes_psn = x->takes_psn,
		.about = x->about,
		.acked = x->acked,
		.net_dup = x->net_dup,
		.late = x->late,
		.acks = x->acks,
		.clears = x->clears,
	};
}

static void lib_conf_begin(struct judge_conf *ret, int complete)
{
	if (complete)
		judge_conf_default(ret);
	else
		judge_conf_capture(ret);
	ret->complete = complete;
}

void rung_conf_default(struct rung_conf *ret, int complete)
{
	struct judge_conf c;

	lib_conf_begin(&c, complete);
	*ret = (struct rung_conf){
		.complete = complete,
		.max_flows = 65536,
		.max_ack_data = c.max_ack_data,
		.mp_range = c.mp_range,
		.mtu = c.mtu,
	};
}

int lib_conf(struct judge_conf *ret, const struct rung_conf *conf)
{
	lib_conf_begin(ret, conf->complete);
	ret->rto_init = (vspan)conf->rto_ns;
	ret->rto_tolerance = (vspan)conf->rto_tolerance_ns;
	ret->nack_retx_time = (vspan)conf->nack_time_ns;
	ret->nack_tolerance = (vspan)conf->nack_tolerance_ns;
	ret->max_ack_data = conf->max_ack_data;
	ret->mp_range = conf->mp_range;
	ret->mtu = conf->mtu;
	ret->dscp_trimmed = conf->dscp_trimmed;
	ret->dscp_trimmed_lasthop = conf->dscp_trimmed_lasthop;
	if (!conf->at)
		return 0;
	return ip_addr_parse(&ret->here, conf->at, strlen(conf->at));
}
