/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/seen.c -- counts how often a side was in a situation to which a
 * requirement applies.
 */
#include "judge/seen.h"

#include "base/err.h"
#include "base/memory.h"
#include "judge/core/state.h"
#include "judge/fast/predicted.h"

void judge_count_predicted(struct judge_common *c)
{
	for (size_t i = 0; i < sizeof(c->predicted) / sizeof(c->predicted[0]);
	     i++)
		predicted_count(&c->predicted[i], c->all.seen);
}

static struct side *side_slot(const struct judge *j, const struct ip_addr *addr)
{
	uint32_t i = addr->len;

	for (unsigned k = 0; k < addr->len; k++)
		i = i * 31 + addr->b[k];
	for (;; i++) {
		struct side *s = &j->sides[i & j->side_mask];

		if (!s->used || ip_addr_equal(&s->addr, addr))
			return s;
	}
}

struct side *judge_side(struct judge *j, const struct ip_addr *addr)
{
	struct side *s;

	if (j->conf.shared_counters)
		return &j->common->all;
	s = side_slot(j, addr);
	if (s->used)
		return s;
	/* one slot stays free, so that a search ends */
	if (j->nsides == j->side_mask)
		return &j->common->all;
	j->nsides++;
	s->used = true;
	s->addr = *addr;
	return s;
}

uint16_t judge_side_number(struct judge *j, const struct ip_addr *addr)
{
	const struct side *s = judge_side(j, addr);

	if (s == &j->common->all)
		return 0;
	return (uint16_t)(s - j->sides + 1);
}

uint32_t judge_seen(const struct judge *j, const struct ip_addr *side,
		    enum req_id req, enum req_role role)
{
	const struct side *s = side_slot(j, side);
	uint32_t n = 0;

	if (!s->used || req < 0 || req >= REQ_COUNT)
		return 0;
	if (role & REQ_SRC)
		n += s->seen[req][0];
	if (role & REQ_DST)
		n += s->seen[req][1];
	return n;
}

const uint32_t (*judge_seen_by(const struct judge *j,
			       const struct ip_addr *side))[2]
{
	const struct side *s = side_slot(j, side);

	return s->used ? s->seen : NULL;
}

static void side_seen_add(const struct side *s, uint64_t (*ret)[2])
{
	for (int q = 0; q < REQ_COUNT; q++)
		for (unsigned role = 0; role < 2; role++)
			ret[q][role] += s->seen[q][role];
}

void judge_seen_add_side(const struct judge *j, const struct ip_addr *side,
			 uint64_t (*ret)[2])
{
	const struct side *s = side_slot(j, side);

	if (s->used)
		side_seen_add(s, ret);
}

int judge_common_new(struct judge_common **ret)
{
	*ret = memory_calloc(1, sizeof(**ret));
	return *ret ? 0 : ERR_NOMEM;
}

void judge_common_free(struct judge_common *c)
{
	memory_free(c);
}

void judge_common_seen_add(struct judge_common *c, uint64_t (*ret)[2])
{
	judge_count_predicted(c);
	side_seen_add(&c->all, ret);
}

void judge_seen_add(const struct judge *j, uint64_t (*ret)[2])
{
	if (j->own)
		side_seen_add(&j->own->all, ret);
	for (uint32_t i = 0; j->nsides && i <= j->side_mask; i++)
		if (j->sides[i].used)
			side_seen_add(&j->sides[i], ret);
}
