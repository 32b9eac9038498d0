/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/cc_conf.c -- the settings of the congestion control policies.
 */
#include "oracle/uet/cc/cc_conf.h"

void cc_conf_default(struct orc_conf *conf)
{
	conf->path_rest = 10 * VSPAN_MS;
	conf->link_rate = 100000;
	conf->base_rtt = 12 * VSPAN_US;
	conf->nscc_max_window = 150;
	conf->nscc_target = 75;
	conf->nscc_alpha = 400;
	conf->nscc_fair = 500;
	conf->nscc_fast = 25;
	conf->nscc_fast_delay = VSPAN_US;
	conf->nscc_eta = 15;
	conf->nscc_gamma = 80;
	conf->nscc_max_decrease = 50;
	conf->nscc_qa_gate = 3;
	conf->nscc_qa_delay = 400;
	conf->nscc_delay_gain = 125;
	conf->nscc_adjust = 8;
	conf->rccc_quantum = 4;
}

static bool nscc_is_right(const struct orc_conf *conf)
{
	return conf->nscc_max_window <= CC_HUNDREDTHS_MAX &&
	       conf->nscc_target && conf->nscc_target <= CC_HUNDREDTHS_MAX &&
	       conf->nscc_alpha <= CC_HUNDREDTHS_MAX &&
	       conf->nscc_fair <= CC_HUNDREDTHS_MAX &&
	       conf->nscc_fast <= CC_HUNDREDTHS_MAX &&
	       conf->nscc_fast_delay >= 0 &&
	       conf->nscc_eta <= CC_HUNDREDTHS_MAX && conf->nscc_gamma <= 100 &&
	       conf->nscc_max_decrease <= 100 && conf->nscc_qa_gate <= 16 &&
	       conf->nscc_qa_delay <= CC_HUNDREDTHS_MAX &&
	       conf->nscc_delay_gain <= 10000 && conf->nscc_adjust <= 1024;
}

bool cc_conf_is_right(const struct orc_conf *conf)
{
	/* the policies need the header sections of their kind */
	if (conf->cc_policy > ORC_POLICY_RCCC ||
	    (conf->cc_policy == ORC_POLICY_NSCC && conf->cc != ORC_CC_NSCC) ||
	    (conf->cc_policy == ORC_POLICY_RCCC && conf->cc != ORC_CC_CREDIT))
		return false;
	if (!conf->link_rate || conf->link_rate > CC_LINK_RATE_MAX ||
	    conf->base_rtt <= 0 || conf->base_rtt > CC_BASE_RTT_MAX)
		return false;
	if (conf->path_choice > ORC_PATHS_BY_FEEDBACK || conf->path_rest < 0)
		return false;
	if (!conf->rccc_quantum || conf->rccc_quantum > 256)
		return false;
	return nscc_is_right(conf);
}

uint32_t cc_conf_bytes(const struct orc_conf *conf, vspan span)
{
	/* Mbit/s x ns / 8000 = bytes; 10^7 x 10^9 fits */
	const uint64_t bytes =
		(uint64_t)conf->link_rate * (uint64_t)span / 8000;

	return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

vspan cc_conf_span(const struct orc_conf *conf, uint32_t bytes)
{
	return (vspan)((uint64_t)bytes * 8000 / conf->link_rate);
}
