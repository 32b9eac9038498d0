/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/table.h -- the flows at hand, found by address and PDCID.
 *
 * An end of a PDC is known by {its address, its PDCID, the peer's address}: a
 * FEP uses a PDCID once at a time toward a peer (uet.md 6.1).  A PDC whose
 * target has not told its PDCID is found by the pair of addresses as well.
 * Flows are allocated at the start; what they remember of PSNs and messages
 * is in the pool.
 */
#ifndef JUDGE_TABLE_H
#define JUDGE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "judge/flow.h"
#include "judge/pool.h"

/* Its neighbours in the list by last use, as index + 1; 0: none. */
struct rank {
	uint32_t newer, older;
};

/* An entry of the index: an end of a flow, under the hash of its key.  It
 * stands in the place of that hash, or behind it with none free between. */
struct table_entry {
	uint32_t hash;
	uint32_t node; /* 0: free */
};

/*
 * The list begins with the oldest.  Its newer end, from |fresh| on, is in order
 * only when somebody has to know: a flow that is used again stays where it is
 * there and notes the number of that use, and one from the older end moves over
 * to it.  So most packets leave the list alone.  When none of the older end is
 * left to sleep or to give way, the fresh ones are sorted and become it; as
 * each is moved or taken once before they are sorted again, that is rare.
 */
struct table {
	struct flow *flows;
	struct rank *ranks; /* one each, apart: close together */
	struct pool pool;
	size_t max, n;             /* n: flows that were ever used */
	struct table_entry *index; /* by either end, */
	uint32_t mask;
	uint32_t *pairs; /* and by the pair: chains, the newest first */
	uint32_t pair_mask;
	uint32_t newest, oldest;  /* flow index + 1 */
	uint32_t awake;           /* the oldest one that has its memory, or 0 */
	uint32_t fresh;           /* the first that is not in order, or 0; */
	uint32_t uses;            /* the last number given to a use of those */
	vtime fresh_at;           /* no later than any use of those */
	vtime now;                /* of the packet at hand */
	uint32_t changes;         /* of the index, so far */
	uint32_t numbers, owners; /* the next to give */
	uint64_t forgotten;       /* for want of room */
	uint64_t slept;
	void (*over)(void *arg, const struct judge_flow *f);
	void *arg;
};

/* Errors: ERR_NOMEM. */
int table_new(struct table *t, size_t max, const struct pool_source *memory);
void table_free(struct table *t);
void table_reset(struct table *t);

/* A key: whose PDCID it is, toward whom. */
struct table_key {
	const struct ip_addr *owner, *peer;
	uint16_t pdcid;
};

/*
 * table_find finds the flow of a key and its table_hash, and notes that it is
 * used now, whether the packet turns out to be its own or not.
 * Return: the flow and in *ret_end the end that owns the PDCID, or NULL.  One
 *         that slept is not whole any more.
 */
struct flow *table_find(struct table *t, const struct table_key *key,
			uint32_t hash, unsigned *ret_end);

/* table_order puts the fresh end of the list in order. */
void table_order(struct table *t);

/* table_find_expecting is the flow that table_expect was called for last, of
 * those whose addresses, initiator first, are these; as table_find, or NULL. */
struct flow *table_find_expecting(struct table *t, const struct ip_addr *a,
				  const struct ip_addr *b);

/* table_use notes that a flow of the list is used now. */
static inline void table_use(struct table *t, struct flow *f)
{
	f->used_at = t->now;
	f->use = ++t->uses;
	if (unlikely(t->uses == UINT32_MAX))
		table_order(t);
}

/*
 * table_add starts a flow between two addresses; the one that was silent
 * longest gives way if there is no room.  PDCIDs are not known yet.
 * Return: NULL if there is no memory.
 */
struct flow *table_add(struct table *t, const struct ip_addr *a,
		       const struct ip_addr *b);

/* table_learn notes the PDCID of an end, and finds the flow by it. */
void table_learn(struct table *t, struct flow *f, unsigned end, uint16_t pdcid);

/* table_expect makes the pair of addresses, initiator first, find the flow. */
void table_expect(struct table *t, struct flow *f);

/*
 * table_now tells the time of the packet to come, and takes their memory from
 * the flows that were silent for longer than |idle|; 0: from none.  Where time
 * goes back, one that is not silent keeps awake all that were used after it.
 */
void table_now(struct table *t, vtime now, vspan idle);

/* home_give_ring and home_give_messages take their slots from a direction; the
 * home's own stay where they are. */
void home_give_ring(struct pool *p, const struct flow_home *h, struct dir *d);
void home_give_messages(struct pool *p, const struct flow_home *h,
			struct dir *d);

/* home_begin makes a home of zeroes ready. */
void home_begin(struct flow_home *h);

/* table_forget drops a flow. */
void table_forget(struct table *t, struct flow *f);

/* table_hash is what the index knows a key by. */
static inline uint32_t table_hash(const struct table_key *k)
{
	return ip_addr_hash(ip_addr_hash(k->pdcid + 1u, k->owner), k->peer);
}

/* table_is says whether a key is that of an end of a flow. */
static inline bool table_is(const struct table_key *k, const struct flow *f,
			    unsigned end)
{
	return likely(f->end[end].pdcid == k->pdcid &&
		      ip_addr_equal(&f->end[end].addr, k->owner) &&
		      ip_addr_equal(&f->end[!end].addr, k->peer));
}

/* table_place is where the search for a hash begins. */
static inline struct table_entry *table_place(const struct table *t,
					      uint32_t hash)
{
	return &t->index[hash & t->mask];
}

/* table_flow is the flow that a node names, and which end of it. */
static inline struct flow *table_flow(const struct table *t, uint32_t node,
				      unsigned *ret_end)
{
	*ret_end = node & 1;
	return &t->flows[(node >> 1) - 1];
}

/* table_pair is what a pair is known by, initiator first, and table_chain where
 * the chain of those begins. */
static inline uint32_t table_pair(const struct ip_addr *a,
				  const struct ip_addr *b)
{
	return ip_addr_hash(ip_addr_hash(0, a), b);
}

static inline uint32_t *table_chain(const struct table *t, uint32_t pair)
{
	return &t->pairs[pair & t->pair_mask];
}

/* table_next goes on from |*i|, first the hash itself, to the next entry of
 * that hash.  Return: its node, or 0. */
static inline uint32_t table_next(const struct table *t, uint32_t hash,
				  uint32_t *i)
{
	const struct table_entry *e;

	do
		e = table_place(t, (*i)++);
	while (unlikely(e->node && e->hash != hash));
	return e->node;
}

#endif
