/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_repair.c -- estimates the RTT of a context, and finds requests
 * that their path has lost.
 */
#include "oracle/srd/srd_repair.h"

#define REPAIR_AT_LEAST 1 /* ns: a repeat must not be due at once again */

static void repair_estimate(const struct orc_conf *c, struct srd_ah *ah,
			    vspan rtt)
{
	const vspan off = rtt < ah->srtt ? ah->srtt - rtt : rtt - ah->srtt;

	if (!ah->srtt) {
		ah->srtt = rtt;
		ah->rttvar = rtt / 2;
		return;
	}
	ah->rttvar += (off - ah->rttvar) / (vspan)c->srd_dev_weight;
	ah->srtt += (rtt - ah->srtt) / (vspan)c->srd_rtt_weight;
}

void srd_repair_sample(const struct srd *s, struct srd_ah *ah, uint32_t psn,
		       uint8_t try)
{
	const struct inflight_pkt *pkt = inflight_at(&ah->fl, psn);

	if (!s->env.conf.srd_fast || !pkt || pkt->done || pkt->repeats != try)
		return;
	repair_estimate(&s->env.conf, ah, s->env.now - pkt->sent_at);
	ah->answered_at = vtime_max(ah->answered_at, pkt->sent_at);
}

bool srd_repair_due(const struct srd *s, struct srd_ah *ah, uint32_t *ret)
{
	const vspan limit = ah->srtt +
			    (vspan)s->env.conf.srd_dev_factor * ah->rttvar +
			    REPAIR_AT_LEAST;

	ah->repair_at = VTIME_NEVER;
	if (!s->env.conf.srd_fast)
		return false;
	/* the first of each queue is the one that was sent first */
	for (unsigned q = 0; q < INFLIGHT_RTO_LEVELS; q++) {
		const struct inflight_pkt *pkt;

		if (!inflight_first(&ah->fl, q, ret))
			continue;
		pkt = inflight_at(&ah->fl, *ret);
		if (pkt->sent_at > ah->answered_at)
			continue;
		if (pkt->sent_at + limit <= s->env.now)
			return true;
		ah->repair_at = vtime_min(ah->repair_at, pkt->sent_at + limit);
	}
	return false;
}
