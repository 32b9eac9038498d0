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

#include "judge/flow.h"
#include "judge/pool.h"

/* A flow's place in the list by last use: its neighbours' index + 1. */
struct rank {
	uint32_t newer, older;
};

struct table {
	struct flow *flows;
	struct rank *ranks; /* one each, apart: close together */
	struct pool pool;
	size_t max, n; /* n: flows that were ever used */
	uint32_t *heads;
	uint32_t mask;
	uint32_t newest, oldest;  /* flow index + 1 */
	uint32_t awake;           /* the oldest one that has its memory, or 0 */
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

/* A key: whose PDCID it is, toward whom.  PDCID 0: the pair alone. */
struct table_key {
	const struct ip_addr *owner, *peer;
	uint16_t pdcid;
};

/*
 * table_find finds the flow of a key and its table_hash, and moves it to the
 * front.
 * Return: the flow and in *ret_end the end that owns the PDCID, or NULL.  One
 *         that slept is not whole any more.
 */
struct flow *table_find(struct table *t, const struct table_key *key,
			uint32_t hash, unsigned *ret_end);

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

/* table_sleep takes their memory from flows that were not used since |since|.
 */
void table_sleep(struct table *t, vtime since);

/* table_forget drops a flow. */
void table_forget(struct table *t, struct flow *f);

/* table_hash is what the index knows a key by. */
static inline uint32_t table_hash(const struct table_key *k)
{
	return ip_addr_hash(ip_addr_hash(k->pdcid + 1u, k->owner), k->peer);
}

/* A node of the index is a link of a flow, numbered from 1. */
static inline struct flow *table_flow(const struct table *t, uint32_t node,
				      unsigned *ret_which)
{
	*ret_which = (node - 1) % FLOW_LINKS;
	return &t->flows[(node - 1) / FLOW_LINKS];
}

#endif
