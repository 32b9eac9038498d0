/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/flows.c -- the flows of a workload, and their figures.
 */
#include "fabric/flows.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "fabric/net.h"

/* ---- Making ---- */

static void flows_add(struct fabric_flows *f, uint32_t src, uint32_t dst,
		      uint64_t bytes)
{
	f->v[f->n++] = (struct fabric_flow){.src = src,
					    .dst = dst,
					    .bytes = bytes,
					    .began = VTIME_NEVER,
					    .ended = VTIME_NEVER};
}

/* Each endpoint sends to another one, and each receives from one. */
static int flows_permute(struct fabric_flows *f, uint32_t n, uint64_t bytes,
			 uint64_t seed)
{
	struct rng rng = {rng_mix(seed, "permutation")};
	uint32_t *to = memory_alloc(n * sizeof(*to));

	if (!to)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	/* Sattolo's shuffle: one cycle, so no endpoint sends to itself */
	for (uint32_t i = n - 1; i; i--) {
		const uint32_t j = rng_below(&rng, i);
		const uint32_t old = to[i];

		to[i] = to[j];
		to[j] = old;
	}
	for (uint32_t i = 0; i < n; i++)
		flows_add(f, i, to[i], bytes);
	free(to);
	return 0;
}

static uint32_t flows_fan(const struct fabric_conf *conf)
{
	const uint32_t others = fabric_endpoints(&conf->topology) - 1;

	return conf->load.fan ? conf->load.fan : others;
}

static size_t flows_count(const struct fabric_conf *conf)
{
	const size_t n = fabric_endpoints(&conf->topology);

	switch (conf->load.kind) {
	case FABRIC_INCAST:
		return flows_fan(conf);
	case FABRIC_PERMUTATION:
		return n;
	case FABRIC_ALL_TO_ALL:
		return n * flows_fan(conf);
	case FABRIC_ALL_REDUCE:
		return 2 * (n - 1) * n;
	}
	return 0;
}

int flows_make(struct fabric_flows *f, const struct fabric_conf *conf)
{
	const uint32_t n = fabric_endpoints(&conf->topology);
	const uint32_t fan = flows_fan(conf);
	const uint64_t bytes = conf->load.bytes;
	int err = 0;

	*f = (struct fabric_flows){0};
	f->v = memory_aligned_alloc(CACHE_LINE,
				    flows_count(conf) * sizeof(*f->v));
	if (!f->v)
		return ERR_NOMEM;
	switch (conf->load.kind) {
	case FABRIC_INCAST:
		for (uint32_t i = 1; i <= fan; i++)
			flows_add(f, i, 0, bytes);
		break;
	case FABRIC_PERMUTATION:
		err = flows_permute(f, n, bytes, conf->seed);
		break;
	case FABRIC_ALL_TO_ALL: /* all to the next one, then the one after */
		for (uint32_t k = 1; k <= fan; k++)
			for (uint32_t i = 0; i < n; i++)
				flows_add(f, i, (i + k) % n, bytes);
		break;
	case FABRIC_ALL_REDUCE: /* step after step; endpoint i to i + 1 */
		for (uint32_t step = 0; step < 2 * (n - 1); step++)
			for (uint32_t i = 0; i < n; i++)
				flows_add(f, i, (i + 1) % n,
					  (bytes + n - 1) / n);
		break;
	}
	f->first = conf->load.kind == FABRIC_ALL_REDUCE ? n : f->n;
	return err;
}

void flows_free(struct fabric_flows *f)
{
	free(f->v);
}

/* In a ring the receiver of a chunk sends it on in the next step. */
size_t flows_next(const struct fabric_flows *f, const struct fabric_conf *conf,
		  size_t flow)
{
	const size_t n = f->first;
	size_t next;

	if (conf->load.kind != FABRIC_ALL_REDUCE)
		return FLOW_NONE;
	next = (flow / n + 1) * n + (flow + 1) % n;
	return next < f->n ? next : FLOW_NONE;
}

/* ---- The ideal ---- */

/* The time of a way through |links| links, for a packet of |bytes|. */
static vspan flows_way(const struct fabric_topology *t, unsigned links,
		       uint64_t bytes)
{
	const uint64_t wire = bytes + NET_OVERHEAD;
	vspan way = links * t->delay + 2 * net_span(t->rate, wire);

	if (links > 2)
		way += (links - 2) * net_span(t->uplink, wire);
	return way;
}

/* Links of the longest way. */
static unsigned flows_links(const struct fabric_topology *t)
{
	if (t->leaves == 1)
		return 2;
	return t->kind == FABRIC_DUMBBELL ? 3 : 4;
}

#define HEADERS 64 /* of PDS and SES, about */

vspan flows_base_rtt(const struct fabric_conf *conf)
{
	const struct fabric_topology *t = &conf->topology;
	const unsigned links = flows_links(t);

	return flows_way(t, links, conf->endpoint.mtu + HEADERS) +
	       flows_way(t, links, HEADERS);
}

/* Bytes that cross each kind of link; [0] out of, [1] into. */
struct link_load {
	uint64_t *endpoint[2], *leaf[2];
};

static void load_count(struct link_load *l, const struct fabric_topology *t,
		       const struct fabric_flow *f)
{
	const uint32_t from = net_leaf_of(t, f->src);
	const uint32_t to = net_leaf_of(t, f->dst);

	l->endpoint[0][f->src] += f->bytes;
	l->endpoint[1][f->dst] += f->bytes;
	if (from == to)
		return;
	l->leaf[0][from] += f->bytes;
	l->leaf[1][to] += f->bytes;
}

static vspan load_time(const struct link_load *l,
		       const struct fabric_topology *t)
{
	vspan most = 0;

	for (unsigned way = 0; way < 2; way++) {
		for (uint32_t i = 0; i < fabric_endpoints(t); i++)
			most = vtime_max(
				most, net_span(t->rate, l->endpoint[way][i]));
		for (uint32_t i = 0; i < t->leaves; i++)
			most = vtime_max(most,
					 net_span(t->uplink, l->leaf[way][i]) /
						 (t->spines ? t->spines : 1));
	}
	return most;
}

vspan flows_ideal(const struct fabric_flows *f, const struct fabric_conf *conf)
{
	const struct fabric_topology *t = &conf->topology;
	const uint32_t n = fabric_endpoints(t);
	const size_t len = 2 * ((size_t)n + t->leaves);
	const size_t steps = f->n / f->first;
	uint64_t *v = memory_calloc(len, sizeof(*v));
	struct link_load l;
	vspan step;

	if (!v)
		return 0;
	l = (struct link_load){.endpoint = {v, v + n},
			       .leaf = {v + 2 * n, v + 2 * n + t->leaves}};
	for (size_t i = 0; i < f->first; i++)
		load_count(&l, t, &f->v[i]);
	step = load_time(&l, t) + flows_way(t, flows_links(t), HEADERS);
	free(v);
	return (vspan)steps * step;
}

/* ---- Figures ---- */

static int span_order(const void *a, const void *b)
{
	const vspan x = *(const vspan *)a, y = *(const vspan *)b;

	return (x > y) - (x < y);
}

/* |v| is sorted; |percent| from 0 to 100. */
static vspan percentile(const vspan *v, size_t n, unsigned percent)
{
	const size_t rank = (n * percent + 99) / 100;

	return v[rank ? rank - 1 : 0];
}

static void flows_times(vspan *v, size_t n, struct fabric_times *ret)
{
	double sum = 0;

	qsort(v, n, sizeof(*v), span_order);
	for (size_t i = 0; i < n; i++)
		sum += (double)v[i];
	*ret = (struct fabric_times){.mean = (vspan)(sum / (double)n),
				     .p50 = percentile(v, n, 50),
				     .p99 = percentile(v, n, 99),
				     .max = v[n - 1]};
}

int flows_measure(const struct fabric_flows *f, struct fabric_result *ret)
{
	vspan *v = memory_alloc((f->n + 1) * sizeof(*v));
	double sum = 0, squares = 0;
	size_t n = 0;

	if (!v)
		return ERR_NOMEM;
	ret->flows = f->n;
	for (size_t i = 0; i < f->n; i++) {
		const struct fabric_flow *flow = &f->v[i];
		double rate;

		ret->failed += flow->failed;
		if (flow->ended == VTIME_NEVER)
			continue;
		v[n] = flow->ended - flow->began;
		rate = (double)flow->bytes / (double)(v[n] ? v[n] : 1);
		sum += rate;
		squares += rate * rate;
		ret->payload += flow->bytes;
		ret->took = vtime_max(ret->took, flow->ended);
		n++;
	}
	ret->complete = n;
	if (n) {
		flows_times(v, n, &ret->completion);
		for (unsigned i = 0; i < FABRIC_PERCENTILES; i++)
			ret->percentiles[i] = percentile(v, n, i);
		/* a flow that is not complete has the rate 0 */
		ret->fairness = sum * sum / ((double)f->n * squares);
	}
	if (n == f->n && ret->took)
		ret->goodput = (double)ret->ideal / (double)ret->took;
	free(v);
	return 0;
}
