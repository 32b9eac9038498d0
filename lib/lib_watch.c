/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_watch.c -- judges the frames of a capture, for rung.h.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"
#include "judge/transport.h"
#include "lib/lib_finding.h"
#include "lib/lib_inside.h"
#include "wire/frame/unread.h"

enum {
	LIB_AT_ONCE = 32, /* most findings of a frame */
	LIB_AT_END = 4096,
};

_Static_assert(RUNG_BATCH == WATCH_PREFETCH,
	       "a batch of rung.h is one of the judge");
_Static_assert(sizeof(struct rung_frame) == sizeof(struct watch_frame) &&
		       offsetof(struct rung_frame, len) ==
			       offsetof(struct watch_frame, len) &&
		       offsetof(struct rung_frame, link) ==
			       offsetof(struct watch_frame, link) &&
		       offsetof(struct rung_frame, at_ns) ==
			       offsetof(struct watch_frame, at) &&
		       offsetof(struct rung_frame, doubtful) ==
			       offsetof(struct watch_frame, doubtful),
	       "a frame of rung.h has the layout of one of the judge");
_Static_assert(RUNG_CONNECTION == (int)JUDGE_PDC &&
		       RUNG_RUDI == (int)JUDGE_RUDI &&
		       RUNG_UUD == (int)JUDGE_UUD,
	       "the kinds of rung.h are those of judge/types.h");
_Static_assert(sizeof(struct rung_address) == sizeof(struct ip_addr) &&
		       offsetof(struct rung_address, bytes) ==
			       offsetof(struct ip_addr, b),
	       "an address of rung.h is a struct ip_addr");
_Static_assert(sizeof(struct rung_side_stats) ==
		       sizeof(struct judge_side_stats),
	       "the statistics of rung.h are those of judge/types.h");
_Static_assert(sizeof(((struct rung_counts *)0)->unread) >=
		       sizeof(((struct watch_counts *)0)->unread),
	       "rung_counts has room for each reason");

struct lib_see {
	void (*see)(void *arg, const struct rung_flow *f);
	void *arg;
};

struct rung_watch {
	struct watch *watch;
	struct lib_see over;
	struct finding found[LIB_AT_ONCE];
};

/* ---- Flows ---- */

static void lib_flow(struct rung_flow *ret, const struct judge_flow *f)
{
	const struct judge_flow_stats *n = f->stats;

	*ret = (struct rung_flow){
		.family = (enum rung_family)f->family,
		.kind = (enum rung_kind)f->pdcless,
		.mode = judge_flow_mode(f),
		.pdcid = {f->pdcid[0], f->pdcid[1]},
		.initiator = (int8_t)f->initiator,
		.complete = f->complete,
		.began = f->began,
		.closed = f->closed,
		.first_frame = f->first_frame,
		.first_ns = (uint64_t)f->first_at,
		.last_ns = (uint64_t)n->last_at,
	};
	memcpy(ret->ends, f->addr, sizeof(ret->ends));
	memcpy(ret->sides, n->side, sizeof(ret->sides));
	memcpy(ret->rtt, n->rtt, sizeof(ret->rtt));
}

static void lib_see_flow(void *arg, const struct judge_flow *f)
{
	const struct lib_see *s = arg;
	struct rung_flow flow;

	if (!s->see)
		return;
	lib_flow(&flow, f);
	s->see(s->arg, &flow);
}

void rung_watch_flows(const struct rung_watch *w,
		      void (*see)(void *arg, const struct rung_flow *f),
		      void *arg)
{
	struct lib_see s = {see, arg};

	watch_flows(w->watch, lib_see_flow, &s);
}

void rung_watch_over(struct rung_watch *w,
		     void (*see)(void *arg, const struct rung_flow *f),
		     void *arg)
{
	w->over = (struct lib_see){see, arg};
}

int64_t rung_flow_rtt(const struct rung_flow *f, unsigned permille)
{
	struct judge_flow_stats n;

	memcpy(n.rtt, f->rtt, sizeof(n.rtt));
	return judge_flow_rtt(&n, permille);
}

/* ---- A watch ---- */

int lib_watch_new(struct rung_watch **ret, const struct watch_conf *conf)
{
	struct rung_watch *w = memory_calloc(1, sizeof(*w));
	struct watch_conf mine = *conf;

	if (!w)
		return ERR_NOMEM;
	mine.judge.over = lib_see_flow;
	mine.judge.arg = &w->over;
	if (watch_new(&w->watch, &mine)) {
		free(w);
		return ERR_NOMEM;
	}
	*ret = w;
	return 0;
}

int rung_watch_new(struct rung_watch **ret, const struct rung_conf *conf)
{
	struct watch_conf w = {
		.max_flows = conf->max_flows,
		.part = conf->part,
		.parts = conf->parts,
		.copies = true,
		.frame = {.udp_port = conf->udp_port, .tunnels = true}};

	if (conf->parts && conf->part >= conf->parts)
		return RUNG_VALUE;
	if (lib_conf(&w.judge, conf))
		return RUNG_VALUE;
	w.judge.shared_counters = true;
	w.judge.minimal_facts = !conf->facts;
	return lib_watch_new(ret, &w);
}

void rung_watch_free(struct rung_watch *w)
{
	if (!w)
		return;
	watch_free(w->watch);
	free(w);
}

/* ---- Frames ---- */

/* Where findings go. */
struct lib_out {
	void (*found)(void *arg, const struct rung_finding *f);
	void *arg;
};

static void lib_watch_found(const struct lib_out *out, const struct finding *f,
			    size_t n, size_t max)
{
	struct rung_finding told;

	for (size_t i = 0; i < n && i < max; i++) {
		lib_finding_judged(&told, &f[i]);
		out->found(out->arg, &told);
	}
}

/* Judges the frames that were prefetched.  Return: 0 or RUNG_NOMEM. */
static inline __attribute__((always_inline)) int
lib_watch_drain(struct rung_watch *w, const struct lib_out *out)
{
	size_t told;

	while (watch_waiting(w->watch)) {
		told = watch_next(w->watch, w->found, LIB_AT_ONCE);
		if (unlikely(told))
			lib_watch_found(out, w->found, told, LIB_AT_ONCE);
	}
	if (watch_failed(w->watch))
		return RUNG_NOMEM;
	return 0;
}

HOT int rung_watch_push(struct rung_watch *w, const struct rung_frame *frames,
			size_t n, uint64_t first,
			void (*found)(void *arg, const struct rung_finding *f),
			void *arg)
{
	const struct watch_frame *f = (const void *)frames;
	const struct lib_out out = {found, arg};
	size_t told;

	if (n > RUNG_BATCH)
		return RUNG_VALUE;
	if (n != 1) {
		watch_prefetch(w->watch, f, (unsigned)n, first);
		return lib_watch_drain(w, &out);
	}
	told = watch_push(w->watch, f, first, w->found, LIB_AT_ONCE);
	lib_watch_found(&out, w->found, told, LIB_AT_ONCE);
	return watch_failed(w->watch) ? RUNG_NOMEM : 0;
}

void lib_watch_peek(const struct frame_conf *conf,
		    const struct rung_frame *frames, size_t n,
		    struct watch_peek *ret)
{
	watch_peek(conf, (const void *)frames, (unsigned)n, ret);
}

HOT int
lib_watch_push_peeked(struct rung_watch *w, const struct rung_frame *frames,
		      const struct watch_peek *peeks, size_t n, uint64_t first,
		      void (*found)(void *arg, const struct rung_finding *f),
		      void *arg)
{
	const struct lib_out out = {found, arg};

	if (n > RUNG_BATCH)
		return RUNG_VALUE;
	watch_prefetch_peeked(w->watch, (const void *)frames, peeks,
			      (unsigned)n, first);
	return lib_watch_drain(w, &out);
}

int rung_watch_facts(const struct rung_watch *w, struct rung_facts *ret)
{
	unsigned shard;
	const struct judge *j = watch_judge(w->watch, &shard);

	if (!j)
		return RUNG_VALUE;
	lib_facts(ret, judge_facts(j), shard);
	return 0;
}

int rung_watch_end(struct rung_watch *w, uint64_t until_ns,
		   void (*found)(void *arg, const struct rung_finding *f),
		   void *arg)
{
	struct finding *f = memory_calloc(LIB_AT_END, sizeof(*f));
	const struct lib_out out = {found, arg};

	if (!f)
		return RUNG_NOMEM;
	if (until_ns)
		watch_until(w->watch, (vtime)until_ns);
	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		lib_watch_found(&out, f, watch_end(w->watch, i, f, LIB_AT_END),
				LIB_AT_END);
	free(f);
	return watch_failed(w->watch) ? RUNG_NOMEM : 0;
}

/* ---- Counts ---- */

static void lib_add_totals(struct rung_counts *ret, const struct watch *w)
{
	struct judge_totals t = {0};

	watch_totals(w, &t);
	ret->flows += t.flows;
	ret->forgotten += t.forgotten;
	ret->idle_evicted += t.idle_evicted;
	ret->unmatched += t.unmatched;
	for (unsigned i = 0; i < 256; i++)
		ret->nacks[i] += t.nacks[i];
	for (unsigned i = 0; i < JUDGE_RTT_ALL; i++)
		ret->rtt[i] += t.rtt[i];
}

void rung_watch_counts(const struct rung_watch *w, struct rung_counts *ret)
{
	const struct watch_counts *c = watch_counts(w->watch);

	ret->frames = c->frames;
	ret->backward = c->backward;
	ret->same_time = c->same_time;
	ret->first_ns = (uint64_t)c->first_at;
	ret->last_ns = (uint64_t)c->last_at;
	ret->packets += c->packets;
	ret->tunnels += c->tunnels;
	for (unsigned i = 0; i < UNREADS; i++)
		ret->unread[i] += c->unread[i];
	ret->broken += c->broken;
	ret->encrypted += c->encrypted;
	ret->cut += c->cut;
	ret->copies += c->copies;
	ret->repeats += c->repeats;
	ret->doubtful += c->doubtful;
	ret->skipped += c->skipped;
	lib_add_totals(ret, w->watch);
}

void rung_watch_seen(const struct rung_watch *w, uint64_t (*ret)[2])
{
	watch_seen_add(w->watch, ret);
}

int64_t rung_counts_rtt(const struct rung_counts *c, unsigned permille)
{
	struct judge_totals t;

	_Static_assert(sizeof(t.rtt) == sizeof(c->rtt),
		       "rung_counts has the buckets of judge/types.h");
	memcpy(t.rtt, c->rtt, sizeof(t.rtt));
	return judge_rtt(&t, permille);
}

const char *rung_unread(unsigned reason)
{
	if (reason >= UNREADS)
		return NULL;
	return unread_text((enum unread)reason);
}
