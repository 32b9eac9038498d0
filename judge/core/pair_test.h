/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/pair_test.h -- two judges that see the same packets.  One predicts
 * and uses the fast path, the other does neither.  Both must report the same
 * findings and counts, and keep the same state of each flow.
 */
#ifndef JUDGE_CORE_PAIR_TEST_H
#define JUDGE_CORE_PAIR_TEST_H

#include "base/rng.h"
#include "judge/core/flow_summary.h"
#include "judge/core/lab_test.h"
#include "judge/core/state.h"
#include "wire/uet/uet_packet.h"

/* Faults of the capture of a packet, as a bit mask. */
enum { PAIR_CUT = 1, PAIR_COPY = 2 };

/*
 * pair_around changes one of PAIR_AROUND values in the headers around a packet.
 */
enum { PAIR_AROUND = 4 };

static inline void pair_around(struct rng *rng, unsigned what, struct dgram *d)
{
	switch (what) {
	case 0:
		d->entropy ^= 1;
		break;
	case 1:
		d->native ^= 1;
		break;
	case 2:
		d->crc = rng_below(rng, 4) & 3;
		break;
	default:
		d->ecn = ECN_CE;
	}
}

/* A judge with prediction, and one without. */
struct pair {
	struct judge_common *common[2];
	struct judge *j[2];
	uint64_t packets, spared, fast_path;
	/* packets, by the condition that they do not meet */
	uint64_t failed[COND_COUNT];
};

static inline void pair_new(struct pair *p)
{
	memset(p, 0, sizeof(*p));
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(judge_common_new(&p->common[i]), 0);
}

/* pair_open_at makes new judges, which keep the earlier predictions. */
static inline void pair_open_at(struct pair *p, const struct judge_conf *like)
{
	struct judge_conf conf = *like;

	conf.shared_counters = conf.minimal_facts = true;
	conf.window = 16;
	conf.ack_on_ecn = true;
	for (unsigned i = 0; i < 2; i++) {
		conf.common = p->common[i];
		conf.no_prediction = i == 1;
		assert_int_equal(judge_new(&p->j[i], &conf, 8), 0);
	}
}

/* pair_test_pair_open does the same, at the link of neither end. */
static inline void pair_test_pair_open(struct pair *p,
				       const struct judge_conf *like)
{
	struct judge_conf conf = *like;

	conf.remote_vantage = true;
	pair_open_at(p, &conf);
}

/* Compares the values that do not depend on memory addresses. */
static inline void same_dirs(const struct dir *x, const struct dir *y)
{
	struct dir a = *x, b = *y;

	assert_int_equal(a.slots, b.slots);
	assert_int_equal(a.message_slots, b.message_slots);
	for (uint32_t i = 0; i < a.slots; i++)
		if (a.ring[i].owner || b.ring[i].owner)
			assert_memory_equal(&a.ring[i], &b.ring[i],
					    sizeof(a.ring[i]));
	assert_memory_equal(a.messages, b.messages,
			    a.message_slots * sizeof(*a.messages));
	assert_int_equal(a.rare == &dir_nothing, b.rare == &dir_nothing);
	assert_memory_equal(a.rare, b.rare, sizeof(*a.rare));
	a.ring = b.ring = NULL;
	a.messages = b.messages = NULL;
	a.rare = b.rare = NULL;
	assert_memory_equal(&a, &b, sizeof(a));
}

static inline void same_flows(const struct flow *x, const struct flow *y)
{
	struct flow a = *x, b = *y;

	for (unsigned i = 0; a.hot && b.hot && i < 2; i++)
		same_dirs(&a.hot->dir[i], &b.hot->dir[i]);
	assert_int_equal(a.hot == NULL, b.hot == NULL);
	assert_int_equal(a.rare == &flow_nothing, b.rare == &flow_nothing);
	assert_memory_equal(a.rare, b.rare, sizeof(*a.rare));
	a.hot = b.hot = NULL;
	a.rare = b.rare = NULL;
	assert_memory_equal(&a, &b, sizeof(a));
}

static inline void same_judges(struct judge *a, struct judge *b)
{
	assert_int_equal(a->table.n, b->table.n);
	for (size_t i = 0; i < a->table.n; i++)
		same_flows(&a->table.flows[i], &b->table.flows[i]);
	assert_int_equal(a->facts.flow, b->facts.flow);
	assert_int_equal(a->facts.late, b->facts.late);
	assert_int_equal(a->facts.skipped, b->facts.skipped);
	assert_memory_equal(judge_totals(a), judge_totals(b),
			    sizeof(a->totals));
}

static inline void pair_push(struct pair *p, const struct dgram *d, vtime at,
			     unsigned how)
{
	struct finding found[2][8];
	struct packet pkt;
	const struct judge_packet in = {.pkt = &pkt,
					.d = d,
					.at = at,
					.frame = (uint32_t)++p->packets,
					.cut = how & PAIR_CUT,
					.copy = how & PAIR_COPY};
	size_t n[2] = {0};
	unsigned failed;

	uet_packet_parse(&pkt, d->data, d->len);
	failed = fast_path_push(p->j[0], &in);
	p->failed[failed]++;
	if (failed == COND_NONE)
		p->fast_path++;
	else
		n[0] = judge_push(p->j[0], &in, found[0], 8);
	assert_false(judge_fast_path(p->j[1], &in));
	n[1] = judge_push(p->j[1], &in, found[1], 8);
	assert_int_equal(n[0], n[1]);
	for (size_t k = 0; k < n[0] && k < 8; k++) {
		assert_int_equal(found[0][k].req, found[1][k].req);
		assert_string_equal(found[0][k].actual, found[1][k].actual);
	}
	same_judges(p->j[0], p->j[1]);
}

static inline uint64_t owed(const struct judge_common *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < sizeof(c->predicted) / sizeof(c->predicted[0]);
	     i++)
		n += c->predicted[i].times;
	return n;
}

static inline void pair_test_pair_close(struct pair *p)
{
	uint64_t seen[2][REQ_COUNT][2] = {0};

	p->spared += owed(p->common[0]);
	assert_int_equal(owed(p->common[1]), 0);
	for (unsigned i = 0; i < 2; i++)
		judge_common_seen_add(p->common[i], seen[i]);
	for (int q = 0; q < REQ_COUNT; q++)
		for (unsigned r = 0; r < 2; r++)
			assert_int_equal(seen[0][q][r], seen[1][q][r]);
	for (unsigned i = 0; i < 2; i++)
		judge_free(p->j[i]);
}

static inline void pair_free(struct pair *p)
{
	for (unsigned i = 0; i < 2; i++)
		judge_common_free(p->common[i]);
}

#endif
