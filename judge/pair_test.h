/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/pair_test.h -- two judges that are shown the same: one spares its
 * monitors what is usual and lets packets go straight, the other does neither.
 * Both find the same, count the same, and remember the same of each flow.
 */
#ifndef JUDGE_PAIR_TEST_H
#define JUDGE_PAIR_TEST_H

#include "base/rng.h"
#include "judge/lab_test.h"
#include "judge/state.h"

/* How a packet was captured, bits. */
enum { PAIR_CUT = 1, PAIR_COPY = 2 };

/* pair_around changes one of the PAIR_AROUND things around a packet. */
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

/* A judge that spares its monitors, and one that does not. */
struct pair {
	struct judge_common *common[2];
	struct judge *j[2];
	uint64_t packets, spared, straight;
};

static inline void pair_new(struct pair *p)
{
	memset(p, 0, sizeof(*p));
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(judge_common_new(&p->common[i]), 0);
}

/* pair_open: new judges, which know what was usual before. */
static inline void pair_open(struct pair *p, const struct judge_conf *like)
{
	struct judge_conf conf = *like;

	conf.afar = conf.together = conf.brief = true;
	conf.window = 16;
	conf.ack_on_ecn = true;
	for (unsigned i = 0; i < 2; i++) {
		conf.common = p->common[i];
		conf.every = i == 1;
		assert_int_equal(judge_new(&p->j[i], &conf, 8), 0);
	}
}

/* What is the same wherever it lies. */
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

	for (unsigned i = 0; a.home && b.home && i < 2; i++)
		same_dirs(&a.home->dir[i], &b.home->dir[i]);
	assert_int_equal(a.home == NULL, b.home == NULL);
	a.home = b.home = NULL;
	memset(a.side, 0, sizeof(a.side));
	memset(b.side, 0, sizeof(b.side));
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

	packet_parse(&pkt, d->data, d->len);
	if (judge_straight(p->j[0], &in))
		p->straight++;
	else
		n[0] = judge_push(p->j[0], &in, found[0], 8);
	assert_false(judge_straight(p->j[1], &in));
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

	for (size_t i = 0; i < sizeof(c->usual) / sizeof(c->usual[0]); i++)
		n += c->usual[i].times;
	return n;
}

static inline void pair_close(struct pair *p)
{
	p->spared += owed(p->common[0]);
	assert_int_equal(owed(p->common[1]), 0);
	for (int q = 0; q < REQ_COUNT; q++)
		for (enum req_role r = REQ_SRC; r <= REQ_DST; r++)
			assert_int_equal(judge_common_seen(p->common[0], q, r),
					 judge_common_seen(p->common[1], q, r));
	for (unsigned i = 0; i < 2; i++)
		judge_free(p->j[i]);
}

static inline void pair_free(struct pair *p)
{
	for (unsigned i = 0; i < 2; i++)
		judge_common_free(p->common[i]);
}

#endif
