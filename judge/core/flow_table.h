/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_table.h -- the known flows, found by address and PDCID.
 *
 * An end of a PDC is identified by {its address, its PDCID, the peer's
 * address}: a FEP uses a PDCID once at a time toward a peer (uet.md 6.1).  A
 * PDC whose target PDCID is unknown is found by the pair of addresses as well.
 * Flows are allocated at the start; their state of PSNs and messages is in the
 * pool.
 */
#ifndef JUDGE_CORE_FLOW_TABLE_H
#define JUDGE_CORE_FLOW_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "judge/core/pool.h"
#include "judge/uet/flow.h"

/* Neighbours in the list by last use, as index + 1; 0: none. */
struct rank {
	uint32_t newer, older;
};

/*
 * An entry of the index: an end of a flow, with the hash of its key.  It is in
 * the slot of that hash, or in a later slot with no free slot in between.
 */
struct table_entry {
	uint32_t hash;
	uint32_t node; /* 0: free */
};

/*
 * The list has an old part, sorted by last use, and a fresh part from |fresh|
 * on, unsorted.  A flow of the old part that is used moves to the fresh part; a
 * flow of the fresh part only stores the number of its last use.  So most
 * packets do not change the list.  When the old part is empty, the fresh part
 * is sorted and becomes the old part; each flow moves once before the next
 * sort, so that sorting is rare.
 */
struct table {
	struct flow *flows;
	struct rank *ranks; /* the ranks of all flows, stored together */
	struct pool pool;
	size_t max, n;             /* n: flows ever used */
	struct table_entry *index; /* hash index of flows by either end */
	uint32_t slots;            /* of the index */
	/* chains of flows by pair of addresses, newest first */
	uint32_t *pairs;
	uint32_t pair_mask;
	uint32_t newest, oldest; /* flow index + 1 */
	/* the oldest flow that is not evicted, or 0 */
	uint32_t awake;
	/* the newest flow that was spared, or 0; all older ones were spared */
	uint32_t spared;
	size_t nspared;
	uint32_t fresh;   /* the first unsorted entry, or 0 */
	uint32_t uses;    /* the number of the last use of a fresh flow */
	vtime fresh_at;   /* a time not later than any use of a fresh flow */
	vtime now;        /* time of the current packet */
	uint32_t changes; /* changes of the index so far */
	uint32_t numbers, owners; /* the next numbers to assign */
	uint64_t forgotten;       /* flows forgotten for lack of room */
	uint64_t idle_evicted;
	void (*over)(void *arg, const struct judge_flow *f);
	void *arg;
};

/* table_new makes a table for |max| flows.  Errors: ERR_NOMEM. */
int table_new(struct table *t, size_t max, const struct pool_source *memory);
void table_free(struct table *t);
void table_reset(struct table *t);

/* A key: the owner of the PDCID, the PDCID, and its peer. */
struct table_key {
	const struct ip_addr *owner, *peer;
	uint16_t pdcid;
};

/*
 * table_find finds the flow of a key and its table_hash, and records the use,
 * even if the packet does not belong to the flow.
 *
 * Return: the flow, and in *ret_end the end that owns the PDCID, or NULL.  A
 * flow that was evicted while idle is no longer complete.
 */
struct flow *table_find(struct table *t, const struct table_key *key,
			uint32_t hash, unsigned *ret_end);

/* table_order sorts the fresh part of the list. */
void table_order(struct table *t);

/*
 * table_find_expecting returns the flow for which table_expect was last called
 * with these addresses, initiator first, like table_find; or NULL.
 */
struct flow *table_find_expecting(struct table *t, const struct ip_addr *a,
				  const struct ip_addr *b);

/* table_use records that a flow of the list is used now. */
static inline void table_use(struct table *t, struct flow *f)
{
	f->used_at = t->now;
	f->use = ++t->uses;
	if (unlikely(t->uses == UINT32_MAX))
		table_order(t);
}

/*
 * table_add starts a flow between two addresses, with unknown PDCIDs.  If there
 * is no room, it replaces the flow that was silent longest, or, where that one
 * had a finding, the next one that had none: up to half of the table is spared
 * in this way.
 *
 * Return: NULL if there is no memory.
 */
struct flow *table_add(struct table *t, const struct ip_addr *a,
		       const struct ip_addr *b);

/*
 * table_learn records the PDCID of an end, so that table_find finds the flow by
 * it.
 */
void table_learn(struct table *t, struct flow *f, unsigned end, uint16_t pdcid);

/*
 * table_expect makes the flow findable by its pair of addresses, initiator
 * first.
 */
void table_expect(struct table *t, struct flow *f);

/* table_evict evicts flows that were not used since |since|. */
void table_evict(struct table *t, vtime since);

/*
 * table_now sets the time of the next packet, and evicts flows that were silent
 * for longer than |idle|; with 0 it evicts none.  If time goes backward, a flow
 * that is not silent protects all flows used after it.
 */
static inline void table_now(struct table *t, vtime now, vspan idle)
{
	t->now = now;
	if (unlikely(t->fresh_at > now))
		t->fresh_at = now;
	if (!idle || !t->awake)
		return;
	if (unlikely(t->awake != t->fresh || t->fresh_at < now - idle))
		table_evict(t, now - idle);
}

/*
 * hot_give_ring and hot_give_messages return the slots of a direction to the
 * pool; the slots inside the hot block stay.
 */
void hot_give_ring(struct pool *p, const struct flow_hot *h, struct dir *d);
void hot_give_messages(struct pool *p, const struct flow_hot *h, struct dir *d);

/* hot_begin initialises a zeroed hot block. */
void hot_begin(struct flow_hot *h);

/* table_forget drops a flow. */
void table_forget(struct table *t, struct flow *f);

/* table_hash returns the hash of a key in the index. */
static inline uint32_t table_hash(const struct table_key *k)
{
	return ip_addr_hash(ip_addr_hash(k->pdcid + 1u, k->owner), k->peer);
}

/* table_is returns true if a key identifies this end of the flow. */
static inline bool table_is(const struct table_key *k, const struct flow *f,
			    unsigned end)
{
	return likely(f->end[end].pdcid == k->pdcid &&
		      ip_addr_equal(&f->end[end].addr, k->owner) &&
		      ip_addr_equal(&f->end[!end].addr, k->peer));
}

/*
 * table_home returns the number of the slot where the search for a hash begins,
 * table_after that of the slot after |i|, and table_place the first slot
 * itself.
 */
static inline uint32_t table_home(const struct table *t, uint32_t hash)
{
	return (uint32_t)((uint64_t)hash * t->slots >> 32);
}

static inline uint32_t table_after(const struct table *t, uint32_t i)
{
	return likely(i + 1 < t->slots) ? i + 1 : 0;
}

static inline struct table_entry *table_place(const struct table *t,
					      uint32_t hash)
{
	return &t->index[table_home(t, hash)];
}

/* table_flow returns the flow of a node, and the end that it means. */
static inline struct flow *table_flow(const struct table *t, uint32_t node,
				      unsigned *ret_end)
{
	*ret_end = node & 1;
	return &t->flows[(node >> 1) - 1];
}

/*
 * table_pair hashes a pair of addresses, initiator first; table_chain returns
 * the head of the chain of that hash.
 */
static inline uint32_t table_pair(const struct ip_addr *a,
				  const struct ip_addr *b)
{
	return ip_addr_hash(ip_addr_hash(0, a), b);
}

static inline uint32_t *table_chain(const struct table *t, uint32_t pair)
{
	return &t->pairs[pair & t->pair_mask];
}

/*
 * table_next continues from the slot |*i|, at first table_home(), to the next
 * entry of that hash.  Return: its node, or 0.
 */
static inline uint32_t table_next(const struct table *t, uint32_t hash,
				  uint32_t *i)
{
	const struct table_entry *e;

	do {
		e = &t->index[*i];
		*i = table_after(t, *i);
	} while (unlikely(e->node && e->hash != hash));
	return e->node;
}

/*
 * table_flow_bytes returns the size of a flow without its hot block and its
 * flow_rare, its entries in the index included.
 */
size_t table_flow_bytes(void);

#endif
