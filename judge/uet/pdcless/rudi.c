/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rudi.c -- the table of requests without a PDC: a chained
 * hash over a fixed pool, and a list by last use.
 */
#include "judge/uet/pdcless/rudi.h"

#include <string.h>

#include "base/err.h"
#include "base/memory.h"

int rudi_seen_new(struct rudi_seen *s, size_t max)
{
	uint32_t heads = 16;

	memset(s, 0, sizeof(*s));
	while (heads < 2 * max)
		heads *= 2;
	/* Each entry is cleared when it is first used. */
	s->pkts = memory_alloc(max * sizeof(*s->pkts));
	s->heads = memory_calloc(heads, sizeof(*s->heads));
	if (!s->pkts || !s->heads) {
		rudi_seen_free(s);
		return ERR_NOMEM;
	}
	s->max = max;
	s->mask = heads - 1;
	return 0;
}

void rudi_seen_free(struct rudi_seen *s)
{
	memory_free(s->pkts);
	memory_free(s->heads);
	memset(s, 0, sizeof(*s));
}

void rudi_seen_reset(struct rudi_seen *s)
{
	if (s->n)
		memset(s->heads, 0, (s->mask + 1) * sizeof(*s->heads));
	s->n = 0;
	s->newest = s->oldest = 0;
	s->forgot = false;
	memset(s->datagrams, 0, sizeof(s->datagrams));
	s->ndatagrams = 0;
}

static uint32_t *head_of(const struct rudi_seen *s, const struct ip_addr *src,
			 const struct ip_addr *dst, uint32_t pkt_id)
{
	return &s->heads[ip_addr_hash(ip_addr_hash(pkt_id * 0x9e3779b1u, src),
				      dst) &
			 s->mask];
}

/* ---- The list by last use ---- */

static uint32_t judge_rudi_place(const struct rudi_seen *s,
				 const struct judge_rudi_pkt *p)
{
	return (uint32_t)(p - s->pkts) + 1;
}

static void judge_rudi_unlist(struct rudi_seen *s, struct judge_rudi_pkt *p)
{
	if (p->newer)
		s->pkts[p->newer - 1].older = p->older;
	else
		s->newest = p->older;
	if (p->older)
		s->pkts[p->older - 1].newer = p->newer;
	else
		s->oldest = p->newer;
}

static void judge_rudi_list_first(struct rudi_seen *s, struct judge_rudi_pkt *p)
{
	p->newer = 0;
	p->older = s->newest;
	if (s->newest)
		s->pkts[s->newest - 1].newer = judge_rudi_place(s, p);
	else
		s->oldest = judge_rudi_place(s, p);
	s->newest = judge_rudi_place(s, p);
}

struct judge_rudi_pkt *rudi_find(struct rudi_seen *s, const struct ip_addr *src,
				 const struct ip_addr *dst, uint32_t pkt_id)
{
	uint32_t at = *head_of(s, src, dst, pkt_id);

	for (; at; at = s->pkts[at - 1].next) {
		struct judge_rudi_pkt *p = &s->pkts[at - 1];

		if (p->pkt_id != pkt_id || !ip_addr_equal(&p->src, src) ||
		    !ip_addr_equal(&p->dst, dst))
			continue;
		judge_rudi_unlist(s, p);
		judge_rudi_list_first(s, p);
		return p;
	}
	return NULL;
}

/* ---- Entries ---- */

static void unchain(struct rudi_seen *s, const struct judge_rudi_pkt *p)
{
	uint32_t *at = head_of(s, &p->src, &p->dst, p->pkt_id);

	while (*at != judge_rudi_place(s, p))
		at = &s->pkts[*at - 1].next;
	*at = p->next;
}

static struct judge_rudi_pkt *judge_rudi_take_room(struct rudi_seen *s)
{
	struct judge_rudi_pkt *p;

	if (s->n < s->max)
		return &s->pkts[s->n++];
	p = &s->pkts[s->oldest - 1];
	unchain(s, p);
	judge_rudi_unlist(s, p);
	s->forgot = true;
	return p;
}

static struct judge_rudi_pkt *
judge_rudi_add(struct rudi_seen *s, const struct dgram *d, uint32_t pkt_id)
{
	uint32_t *head = head_of(s, &d->src, &d->dst, pkt_id);
	struct judge_rudi_pkt *p = judge_rudi_take_room(s);

	memset(p, 0, sizeof(*p));
	p->src = d->src;
	p->dst = d->dst;
	p->pkt_id = pkt_id;
	p->next = *head;
	*head = judge_rudi_place(s, p);
	judge_rudi_list_first(s, p);
	return p;
}

struct judge_rudi_pkt *rudi_begin(struct rudi_seen *s,
				  struct judge_rudi_pkt *old,
				  const struct dgram *d, uint32_t pkt_id)
{
	struct judge_rudi_pkt kept;

	if (!old)
		return judge_rudi_add(s, d, pkt_id);
	kept = *old;
	*old = (struct judge_rudi_pkt){
		.src = kept.src,
		.dst = kept.dst,
		.pkt_id = pkt_id,
		.next = kept.next,
		.newer = kept.newer,
		.older = kept.older,
	};
	return old;
}

bool rudi_has_path(const struct judge_rudi_pkt *p, uint16_t entropy)
{
	for (unsigned i = 0; i < RUDI_ENTROPIES && i < p->copies; i++)
		if (p->entropy[i] == entropy)
			return true;
	return p->flags & RUDI_PATHS;
}

/* |copies| counts the earlier copies. */
void rudi_path(struct judge_rudi_pkt *p, uint16_t entropy)
{
	if (p->copies < RUDI_ENTROPIES)
		p->entropy[p->copies] = entropy;
	else if (!rudi_has_path(p, entropy))
		p->flags |= RUDI_PATHS;
}

/* ---- Datagrams ---- */

void rudi_datagram(struct rudi_seen *s, const struct dgram *d)
{
	s->datagrams[s->ndatagrams++ % RUDI_DATAGRAMS] = (struct rudi_datagram){
		.src = d->src,
		.dst = d->dst,
		.entropy = d->entropy,
		.used = true,
	};
}

bool rudi_answers_datagram(const struct rudi_seen *s, const struct dgram *d)
{
	for (unsigned i = 0; i < RUDI_DATAGRAMS; i++) {
		const struct rudi_datagram *u = &s->datagrams[i];

		if (u->used && u->entropy == d->entropy &&
		    ip_addr_equal(&u->src, &d->dst) &&
		    ip_addr_equal(&u->dst, &d->src))
			return true;
	}
	return false;
}
