/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/conf.c -- the defaults and limits of a fabric.
 */
#include "fabric/fabric.h"

#include "fabric/flows.h"

void fabric_default(struct fabric_conf *conf)
{
	*conf = (struct fabric_conf){
		.topology = {.kind = FABRIC_LEAF_SPINE,
			     .leaves = 4,
			     .spines = 8,
			     .hosts = 8,
			     .rate = 100000,
			     .delay = 1300,
			     .jitter = 200,
			     .trim = true,
			     .reroute = VTIME_NEVER},
		.load = {.kind = FABRIC_PERMUTATION,
			 .bytes = 1 << 20,
			 .message = 64 << 10,
			 .writes = 4},
		.seed = 1,
		.judged = UINT32_MAX,
		.until = 10 * VSPAN_S,
	};
	orc_conf_default(&conf->endpoint);
	conf->endpoint.mtu = 4096;
	conf->endpoint.base_rtt = 0;
	conf->endpoint.rto_init = VSPAN_MS;
	conf->endpoint.max_rto_retx = 15;
	conf->endpoint.max_nack_retx = 255;
	conf->endpoint.ack_type = ORC_ACK_CC;
	conf->endpoint.ack_per_pkt = true;
	conf->endpoint.close_idle = 0;
	conf->endpoint.cc_policy = ORC_POLICY_NSCC;
	conf->endpoint.spray = 64;
	conf->endpoint.path_choice = ORC_PATHS_BY_FEEDBACK;
}

uint32_t fabric_endpoints(const struct fabric_topology *t)
{
	return t->leaves * t->hosts;
}

static const char *check_failures(const struct fabric_topology *t)
{
	for (uint32_t i = 0; i < t->nfailures; i++) {
		const struct fabric_failure *f = &t->failures[i];

		if (f->leaf >= t->leaves || f->spine >= t->spines)
			return "a failure names a link that does not exist";
		if (f->at < 0 || f->until <= f->at)
			return "a failure must end after it begins";
	}
	return NULL;
}

static const char *check_topology(const struct fabric_topology *t)
{
	if (!t->leaves || !t->hosts || t->leaves > FABRIC_ENDPOINTS_MAX ||
	    t->hosts > FABRIC_ENDPOINTS_MAX / t->leaves)
		return "a fabric has 2 to 65536 endpoints";
	if (t->leaves * t->hosts < 2)
		return "a fabric has 2 to 65536 endpoints";
	if (t->kind == FABRIC_DUMBBELL && t->leaves != 2)
		return "a dumbbell has two leaves";
	if (t->leaves > 1 && (!t->spines || t->spines > 1024))
		return "several leaves need 1 to 1024 spines";
	if (!t->rate)
		return "the rate of a link must not be 0";
	if (t->delay < 0 || t->delay > VSPAN_S || t->jitter < 0 ||
	    t->jitter > VSPAN_S)
		return "delay and jitter of a link are at most 1 s";
	if (t->ecn_min > t->ecn_max)
		return "ecn_min must not exceed ecn_max";
	return check_failures(t);
}

const char *fabric_check(const struct fabric_conf *conf)
{
	const struct fabric_load *load = &conf->load;
	const char *why = check_topology(&conf->topology);

	if (why)
		return why;
	if (load->fan >= fabric_endpoints(&conf->topology))
		return "there are fewer endpoints than that";
	if (!load->bytes || !load->message || !load->writes)
		return "flows, messages and their number must not be 0";
	if (load->message > 64u << 20)
		return "a message has at most 64 MiB";
	if (load->mode > OP_ROD)
		return "the mode is rud or rod";
	return NULL;
}

/* Recommended switch settings (uet.md 8.5): parts of rate x base RTT. */
void fabric_complete(struct fabric_conf *conf)
{
	struct fabric_topology *t = &conf->topology;
	uint64_t product;

	if (!t->uplink)
		t->uplink = t->rate;
	if (!conf->endpoint.base_rtt)
		conf->endpoint.base_rtt = flows_base_rtt(conf);
	product = (uint64_t)conf->endpoint.base_rtt * t->rate / 8000;
	if (!t->queue)
		t->queue = (uint32_t)(t->trim ? product : 5 * product);
	if (!t->ecn_max)
		t->ecn_max = (uint32_t)(product * 8 / 10);
	if (!t->ecn_min)
		t->ecn_min = (uint32_t)(product * 2 / 10);
	if (t->ecn_min > t->ecn_max)
		t->ecn_min = t->ecn_max;
}
