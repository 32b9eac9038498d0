/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ahead.c -- memory that a packet will need, asked for before it is
 * judged.
 *
 * With many flows each packet goes through the index to a flow, its directions
 * and the state of a PSN, none of them in the cache, and each tells where the
 * next one is.  Taken a step at a time for a handful of packets to come, those
 * waits lie beside each other.
 */
#include "judge/state.h"

enum { FEW = 16 }; /* flows that stay in the cache by themselves */

/* Part of its callers, all of them: a function that does nothing but fetch has
 * no effect in the eyes of a compiler, and is left out. */
#define FETCHES static inline __attribute__((always_inline)) void

FETCHES fetch(const void *p, size_t len)
{
	for (size_t at = 0; at < len; at += FLOW_LINE)
		__builtin_prefetch((const char *)p + at, 1);
}

/* Requests and CPs are found by their sender's PDCID, answers by that of whom
 * they answer. */
static bool key_of(const struct dgram *d, const uint8_t *p, size_t len,
		   struct table_key *ret, uint32_t *ret_psn)
{
	struct pds_req req; /* a CP has them in the same place */
	struct pds_ack ack; /* and a NACK its PDCIDs */
	int32_t offset;

	if (len < pds_ack_len)
		return false;
	pds_ack_get(&ack, p);
	pds_req_get(&req, p);
	*ret_psn = req.psn;
	switch (pds_type_of(p)) {
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
	case PDS_CP:
		*ret = (struct table_key){&d->src, &d->dst, req.spdcid};
		return true;
	case PDS_ACK:
	case PDS_ACK_CC:
	case PDS_ACK_CCX:
		offset = ack.ack_psn_offset;
		*ret_psn = ack.cack_psn + (uint32_t)offset;
		break;
	case PDS_NACK:
	case PDS_NACK_CCX:
		break;
	default:
		return false;
	}
	*ret = (struct table_key){&d->dst, &d->src, ack.dpdcid};
	return true;
}

FETCHES fetch_dirs(const struct flow *f)
{
	fetch(f->dir, 2 * sizeof(*f->dir));
}

/* Where the search begins; and the flow that table_sleep looks at. */
FETCHES fetch_index(const struct table *t, uint32_t hash)
{
	fetch(&t->heads[hash & t->mask], sizeof(*t->heads));
	if (t->awake)
		fetch(&t->flows[t->awake - 1].used_at, sizeof(vtime));
}

FETCHES fetch_ranks(const struct table *t, const struct flow *f)
{
	const struct rank *r = &t->ranks[f - t->flows];

	if (r->newer)
		fetch(&t->ranks[r->newer - 1], sizeof(*r));
	if (r->older)
		fetch(&t->ranks[r->older - 1], sizeof(*r));
}

FETCHES fetch_slots(const struct dir *d, uint32_t psn)
{
	if (d->slots)
		fetch(psn_slot(d, psn), 2 * sizeof(*d->ring));
	if (d->message_slots)
		fetch(d->messages, d->message_slots * sizeof(*d->messages));
}

/* The flow at which the search begins; it may be another's. */
static void first_node(const struct table *t, struct judge_ahead *a)
{
	const struct flow *f;
	unsigned which;

	a->node = t->heads[a->hash & t->mask];
	if (!a->node)
		return;
	f = table_flow(t, a->node, &which);
	fetch(f, FLOW_HOT);
	fetch(&t->ranks[f - t->flows], sizeof(*t->ranks));
}

static void second_node(const struct table *t, struct judge_ahead *a)
{
	const struct flow *f;
	unsigned which;

	if (!a->node)
		return;
	f = table_flow(t, a->node, &which);
	if (f->link[which].hash != a->hash) {
		a->node = f->link[which].next;
		if (a->node)
			fetch(table_flow(t, a->node, &which), FLOW_HOT);
		return;
	}
	fetch_ranks(t, f);
	if (f->dir)
		fetch_dirs(f);
}

FETCHES last_step(const struct table *t, const struct judge_ahead *a)
{
	const struct flow *f;
	unsigned which;

	if (!a->node)
		return;
	f = table_flow(t, a->node, &which);
	if (!f->dir)
		return;
	fetch_slots(&f->dir[which == 1], a->psn);
	if (f->rod)
		for (unsigned i = 0; i < 2; i++)
			fetch(f->dir[i].rare, sizeof(*f->dir[i].rare));
}

void judge_ahead(const struct judge *j, struct judge_ahead *a,
		 const struct dgram *d, const uint8_t *p, size_t len)
{
	const struct table *t = &j->table;
	struct table_key key;

	switch (a->steps++) {
	case 0:
		a->hashed = d->family == FAMILY_UET &&
			    key_of(d, p, len, &key, &a->psn);
		if (a->hashed)
			a->hash = table_hash(&key);
		if (t->n < FEW || !a->hashed)
			a->steps = JUDGE_STEPS;
		else
			fetch_index(t, a->hash);
		break;
	case 1:
		first_node(t, a);
		break;
	case 2:
		second_node(t, a);
		break;
	case 3:
		last_step(t, a);
		break;
	}
}
