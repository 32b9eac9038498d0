/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_ah.c -- address handles and the requester's context of each.
 *
 * Spec: srd_wqe.md A.4
 */
#include "oracle/srd/srd_ah.h"

#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "oracle/srd/srd_state.h"

/* odd: all 2^32 numbers come before one repeats */
#define SCID_STEP 0x9e3779b1u

/* ---- Handles ---- */

struct srd_ah *srd_ah_find(struct srd *s, uint32_t number)
{
	uint32_t at;

	return idmap_get(&s->by_ah, number, &at) ? s->ahs[at] : NULL;
}

void srd_ah_expect(const struct srd *s, uint32_t number)
{
	uint32_t at;

	if (idmap_get(&s->by_ah, number, &at))
		mem_expect(s->ahs[at], sizeof(*s->ahs[at]));
}

bool srd_ah_renew(struct srd *s, struct srd_ah *ah, uint32_t place)
{
	const struct orc_conf *conf = &s->env.conf;
	uint32_t isn = (uint32_t)rng_next(&s->env.rng) & SERIAL24_MASK;

	if (ah->scid)
		idmap_del(&s->by_scid, ah->scid);
	do
		ah->scid = s->next_scid += SCID_STEP;
	while (!ah->scid);
	ah->rcid = 0;
	if (conf->start_psn_fixed)
		isn = conf->start_psn & SERIAL24_MASK;
	inflight_init(&ah->fl, isn);
	return idmap_put(&s->by_scid, &s->env.mem, ah->scid, place);
}

/* Returns the first free place after the number of handles, or a new one. */
static bool srd_ah_place(struct srd *s, uint32_t *ret)
{
	struct srd_ah **v;

	for (size_t i = 0; s->nahs < s->ahs_cap; i++) {
		*ret = (uint32_t)((s->nahs + i) % s->ahs_cap);
		if (!s->ahs[*ret])
			return true;
	}
	*ret = (uint32_t)s->ahs_cap;
	v = mem_grow(&s->env.mem, s->ahs, &s->ahs_cap, s->nahs + 1, sizeof(*v));
	if (!v)
		return false;
	s->ahs = v;
	return true;
}

void srd_ah_free(struct srd *s, struct srd_ah *ah)
{
	inflight_free(&ah->fl, &s->env.mem);
	timers_set(&s->env.timers, &ah->timer, VTIME_NEVER);
	timers_release(&s->env.timers);
	memory_free(ah);
}

int srd_ah_create(struct srd *s, const struct orc_op *op)
{
	struct srd_ah *ah;
	uint32_t place;

	if (!op->peer.len || !srd_ah_place(s, &place) ||
	    !timers_reserve(&s->env.timers, &s->env.mem))
		return op->peer.len ? ERR_NOMEM : ERR_VALUE;
	ah = mem_new(&s->env.mem, sizeof(*ah));
	if (!ah) {
		timers_release(&s->env.timers);
		return ERR_NOMEM;
	}
	ah->number = s->next_ah++;
	ah->peer = op->peer;
	ah->timer.kind = TIMER_AH;
	ah->timer.at = VTIME_NEVER;
	ah->paths.next = rng_below(&s->env.rng, s->env.conf.srd_paths) + 1;
	ah->repair_at = VTIME_NEVER;
	if (!srd_ah_renew(s, ah, place) ||
	    !idmap_put(&s->by_ah, &s->env.mem, ah->number, place)) {
		idmap_del(&s->by_scid, ah->scid);
		srd_ah_free(s, ah);
		return ERR_NOMEM;
	}
	s->ahs[place] = ah;
	s->nahs++;
	if (op->ret)
		op->ret->ah = ah->number;
	return 0;
}

static void srd_ah_drop_queue(struct srd_queue *q)
{
	while (q->first) {
		struct srd_wr *next = q->first->next;

		memory_free(q->first);
		q->first = next;
	}
	q->last = NULL;
}

void srd_ahs_free(struct srd *s)
{
	struct srd_queue spare = {s->spare, NULL};

	for (size_t i = 0; i < s->ahs_cap; i++) {
		if (!s->ahs[i])
			continue;
		srd_ah_drop_queue(&s->ahs[i]->queue);
		srd_ah_free(s, s->ahs[i]);
	}
	srd_ah_drop_queue(&s->held);
	srd_ah_drop_queue(&spare);
	memory_free(s->ahs);
	idmap_free(&s->by_ah);
	idmap_free(&s->by_scid);
	s->by_ah = s->by_scid = (struct idmap){0};
	s->ahs = NULL;
	s->ahs_cap = s->nahs = 0;
	s->spare = NULL;
}
