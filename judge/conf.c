/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/conf.c -- the default declaration of a side, and the times that follow
 * from it.
 *
 * Spec: UET 3.5.12 (uet.md 7, 9)
 */
#include "judge/conf.h"

void judge_conf_default(struct judge_conf *ret)
{
	*ret = (struct judge_conf){
		.max_rto_retx = 5,
		.max_nack_retx = 5,
		.max_ack_data = JUDGE_ANY_ACK_DATA,
		.mp_range = 1024,
		.mtu = 8192,
		.version = UET_1_0_1,
	};
}

void judge_conf_capture(struct judge_conf *ret)
{
	judge_conf_default(ret);
	/* The rules do not judge limits that are not declared. */
	ret->max_rto_retx = ret->max_nack_retx = 0;
	ret->grace = VSPAN_S;
	ret->midstream = ret->remote_vantage = true;
}

vspan pkt_overdue(const struct judge_conf *conf)
{
	return conf->rto_init ? 2 * conf->rto_init : 10 * VSPAN_MS;
}

vspan pkt_rto(const struct judge_conf *conf, unsigned n)
{
	const vspan limit = conf->rto_max ? conf->rto_max : 8 * VSPAN_S;
	vspan rto = conf->rto_init;

	while (n-- && rto < limit)
		rto *= 2;
	if (rto > limit)
		rto = limit;
	return rto > conf->rto_tolerance ? rto - conf->rto_tolerance : 0;
}

vspan pkt_repair(const struct judge_conf *conf, unsigned copies)
{
	const unsigned n = copies ? copies - 1 : 0;

	return 2 * (pkt_rto(conf, n) + conf->rto_tolerance) +
	       conf->rto_tolerance + conf->nack_retx_time;
}

vspan pkt_grace(const struct judge_conf *conf)
{
	return conf->grace ? conf->grace : VSPAN_MS;
}
