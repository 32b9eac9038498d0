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
	if (t->loss > 1000000)
		return "the loss is at most 1000000 of a million";
	if (t->ecn_max && t->ecn_min > t->ecn_max)
		return "ecn_min must not exceed ecn_max";
	return check_failures(t);
}

#define CONF_BYTES_MAX ((uint64_t)1 << 50)

/* Returns the flows that have |load->bytes| each, at least. */
static uint64_t conf_flows(const struct fabric_load *load, uint32_t n)
{
	const uint64_t fan = load->fan ? load->fan : n - 1;

	switch (load->kind) {
	case FABRIC_INCAST:
		return fan;
	case FABRIC_PERMUTATION:
		return n;
	case FABRIC_ALL_TO_ALL:
		return n * fan;
	case FABRIC_ALL_REDUCE:
		break;
	}
	return 2 * ((uint64_t)n - 1); /* each step moves the vector once */
}

static const char *check_load(const struct fabric_load *load, uint32_t n)
{
	if (load->fan >= n)
		return "the fan must be smaller than the number of endpoints";
	if (!load->bytes || !load->message || !load->writes)
		return "flows, messages and their number must not be 0";
	if (load->message > FABRIC_MESSAGE_MAX)
		return "a message has at most 64 MiB";
	if (load->mode > OP_ROD)
		return "the mode is rud or rod";
	/* times are computed as bytes x 8000 in 64 bits */
	if (load->bytes > CONF_BYTES_MAX / conf_flows(load, n))
		return "all flows together carry at most 1 PiB";
	return NULL;
}

const char *fabric_check(const struct fabric_conf *conf)
{
	const char *why = check_topology(&conf->topology);

	return why ? why
		   : check_load(&conf->load, fabric_endpoints(&conf->topology));
}

/* Bounds a size: that of a file is below 2 GiB, too. */
static uint32_t conf_bytes(uint64_t n)
{
	return (uint32_t)(n < INT32_MAX ? n : INT32_MAX);
}

/* No switch knows a packet of SRD that it may trim. */
static void conf_srd(struct fabric_conf *conf)
{
	struct fabric_load *l = &conf->load;

	conf->topology.trim = false;
	conf->endpoint.cc_policy = ORC_POLICY_NONE;
	if (l->message <= conf->endpoint.mtu)
		return;
	l->writes *= l->message / conf->endpoint.mtu;
	l->message = conf->endpoint.mtu;
}

/* Recommended switch settings (uet.md 8.5): parts of rate x base RTT. */
void fabric_complete(struct fabric_conf *conf)
{
	struct fabric_topology *t = &conf->topology;
	const uint32_t given = t->ecn_min;
	uint64_t product;

	if (conf->load.family == FAMILY_SRD)
		conf_srd(conf);
	if (!t->uplink)
		t->uplink = t->rate;
	conf->endpoint.link_rate = t->rate;
	if (!conf->endpoint.base_rtt)
		conf->endpoint.base_rtt = flows_base_rtt(conf);
	product = (uint64_t)conf->endpoint.base_rtt * t->rate / 8000;
	if (!t->queue)
		t->queue = conf_bytes(t->trim ? product : 5 * product);
	if (!t->ecn_max)
		t->ecn_max = conf_bytes(product * 8 / 10);
	if (t->ecn_max < given)
		t->ecn_max = given;
	if (!t->ecn_min)
		t->ecn_min = conf_bytes(product * 2 / 10);
	if (t->ecn_min > t->ecn_max)
		t->ecn_min = t->ecn_max;
}
