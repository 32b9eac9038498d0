/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_table.c -- a hash index with open addressing, and a list by
 * last use.
 */
#include "judge/core/flow_table.h"

#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "judge/core/flow_summary.h"

enum { PLACES = 3 }; /* slots of the index for each flow, at least */

/* Returns the smallest power of 2 that is not below |n|. */
static uint32_t power_from(size_t n)
{
	uint32_t p = 16;

	while (p < n)
		p *= 2;
	return p;
}

static size_t places(uint32_t mask)
{
	return (size_t)mask + 1;
}

/* Returns the slots of the index for |max| flows. */
static uint32_t index_size(size_t max)
{
	const size_t n = PLACES * max;

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/*
 * Each flow has two entries in the index, and at least a third of the slots
 * stays free.  Each pair of addresses has one chain, mostly shared by several
 * flows.
 */
int table_new(struct table *t, size_t max, const struct pool_source *memory)
{
	memset(t, 0, sizeof(*t));
	t->pool.source = memory;
	t->max = max;
	t->slots = index_size(max);
	t->pair_mask = power_from(max / 2) - 1;
	t->flows = pool_large(memory, max * sizeof(*t->flows));
	t->ranks = pool_large(memory, max * sizeof(*t->ranks));
	t->index = pool_large(memory, t->slots * sizeof(*t->index));
	t->pairs = pool_large(memory, places(t->pair_mask) * sizeof(*t->pairs));
	if (!t->flows || !t->ranks || !t->index || !t->pairs) {
		table_free(t);
		return ERR_NOMEM;
	}
	return 0;
}

/* The size of the chains is rounded up to a power of 2. */
size_t table_flow_bytes(void)
{
	return sizeof(struct flow) + sizeof(struct rank) +
	       PLACES * sizeof(struct table_entry) + sizeof(uint32_t);
}

void table_free(struct table *t)
{
	const struct pool_source *memory = t->pool.source;

	pool_free(&t->pool);
	pool_large_free(memory, t->flows, t->max * sizeof(*t->flows));
	pool_large_free(memory, t->ranks, t->max * sizeof(*t->ranks));
	pool_large_free(memory, t->index, t->slots * sizeof(*t->index));
	pool_large_free(memory, t->pairs,
			places(t->pair_mask) * sizeof(*t->pairs));
	memset(t, 0, sizeof(*t));
}

void hot_give_ring(struct pool *p, const struct flow_hot *h, struct dir *d)
{
	if (d->ring != h->ring)
		pool_give(p, d->ring, d->slots * sizeof(*d->ring));
	d->ring = NULL;
	d->slots = 0;
}

void hot_give_messages(struct pool *p, const struct flow_hot *h, struct dir *d)
{
	if (d->messages != h->messages)
		pool_give(p, d->messages,
			  d->message_slots * sizeof(*d->messages));
	d->messages = NULL;
	d->message_slots = 0;
}

const struct flow_rare flow_nothing;

/* The flow_rare that a flow has taken from the pool. */
static struct flow_rare *own_rare(const struct flow *f)
{
	if (f->rare && f->rare != &flow_nothing)
		return (struct flow_rare *)(uintptr_t)f->rare;
	return NULL;
}

static void give_rare(struct table *t, struct flow *f)
{
	pool_give(&t->pool, own_rare(f), sizeof(struct flow_rare));
	f->rare = &flow_nothing;
}

void hot_begin(struct flow_hot *h)
{
	h->dir[0].rare = h->dir[1].rare = &dir_nothing;
}

/* Returns the hot memory of a flow to the pool. */
static void flow_table_give_back(struct table *t, struct flow *f)
{
	struct flow_hot *h = f->hot;

	for (unsigned i = 0; h && i < 2; i++) {
		struct dir *d = &h->dir[i];

		dir_stats_add(&f->stats[i], &d->stats);
		if (d->rare != &dir_nothing)
			pool_give(&t->pool, (void *)(uintptr_t)d->rare,
				  sizeof(*d->rare));
		hot_give_ring(&t->pool, h, d);
		hot_give_messages(&t->pool, h, d);
	}
	pool_give(&t->pool, h, sizeof(*h));
	f->hot = NULL;
}

/* Return: false if there is no memory. */
static bool take_hot(struct table *t, struct flow *f)
{
	f->hot = pool_take(&t->pool, sizeof(*f->hot));
	if (!f->hot)
		return false;
	hot_begin(f->hot);
	return true;
}

static void say_over(struct table *t, struct flow *f)
{
	struct judge_flow_stats stats;
	struct judge_flow view;

	if (!t->over || !f->used)
		return;
	flow_stats_show(f, &view, &stats);
	t->over(t->arg, &view);
}

void table_reset(struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		flow_table_give_back(t, &t->flows[i]);
		give_rare(t, &t->flows[i]);
	}
	memset(t->flows, 0, t->n * sizeof(*t->flows));
	memset(t->index, 0, t->slots * sizeof(*t->index));
	memset(t->pairs, 0, places(t->pair_mask) * sizeof(*t->pairs));
	t->n = 0;
	t->changes++;
	t->newest = t->oldest = t->awake = t->fresh = t->spared = 0;
	t->nspared = 0;
	t->uses = 0;
	t->forgotten = t->idle_evicted = 0;
	t->numbers = 0;
}

/* ---- The list by last use ---- */

static struct flow *flow_table_flow_at(const struct table *t, uint32_t place)
{
	return &t->flows[place - 1];
}

static struct rank *rank_at(const struct table *t, uint32_t place)
{
	return &t->ranks[place - 1];
}

static uint32_t flow_table_place_of(const struct table *t, const struct flow *f)
{
	return (uint32_t)(f - t->flows) + 1;
}

/* Links two neighbours of the list; 0: the end of the list. */
static void flow_table_join(struct table *t, uint32_t older, uint32_t newer)
{
	if (older)
		rank_at(t, older)->newer = newer;
	else
		t->oldest = newer;
	if (newer)
		rank_at(t, newer)->older = older;
	else
		t->newest = older;
}

static void flow_table_unlist(struct table *t, struct flow *f)
{
	const uint32_t me = flow_table_place_of(t, f);
	const struct rank r = *rank_at(t, me);

	t->nspared -= f->spared;
	f->spared = false;
	if (t->spared == me)
		t->spared = r.older;
	if (t->awake == me)
		t->awake = r.newer;
	if (t->fresh == me)
		t->fresh = r.newer;
	flow_table_join(t, r.older, r.newer);
}

static void flow_table_list_first(struct table *t, struct flow *f)
{
	const uint32_t me = flow_table_place_of(t, f);

	flow_table_join(t, t->newest, me);
	flow_table_join(t, me, 0);
	if (!t->awake)
		t->awake = me;
	if (!t->fresh) {
		t->fresh = me;
		t->fresh_at = t->now;
	}
}

static void list_last(struct table *t, const struct flow *f)
{
	const uint32_t me = flow_table_place_of(t, f);

	flow_table_join(t, me, t->oldest);
	flow_table_join(t, 0, me);
}

/* Merges two sorted chains that end with 0 into a third one. */
static uint32_t flow_table_merge(struct table *t, uint32_t a, uint32_t b)
{
	uint32_t first = 0, *end = &first;

	while (a && b) {
		uint32_t *low = flow_table_flow_at(t, a)->use <
						flow_table_flow_at(t, b)->use
					? &a
					: &b;

		*end = *low;
		end = &rank_at(t, *low)->newer;
		*low = *end;
	}
	*end = a ? a : b;
	return first;
}

/*
 * Sorts a chain by last use with a bottom-up merge sort: part |k| is empty or a
 * sorted chain of 2^k flows.
 */
static uint32_t flow_table_sort(struct table *t, uint32_t chain)
{
	uint32_t part[32] = {0}, all = 0;

	while (chain) {
		uint32_t sorted = chain;
		unsigned k = 0;

		chain = rank_at(t, sorted)->newer;
		rank_at(t, sorted)->newer = 0;
		for (; part[k]; k++) {
			sorted = flow_table_merge(t, part[k], sorted);
			part[k] = 0;
		}
		part[k] = sorted;
	}
	for (unsigned k = 0; k < 32; k++)
		all = flow_table_merge(t, part[k], all);
	return all;
}

/*
 * Sorts the fresh part and appends it to the old part; no flow is fresh then.
 */
void table_order(struct table *t)
{
	const bool awake = t->awake == t->fresh;
	uint32_t before, next;

	if (t->fresh) {
		before = rank_at(t, t->fresh)->older;
		next = flow_table_sort(t, t->fresh);
		if (awake)
			t->awake = next;
		for (; next; next = rank_at(t, next)->newer) {
			flow_table_join(t, before, next);
			flow_table_flow_at(t, next)->use = 0;
			before = next;
		}
		flow_table_join(t, before, 0);
	}
	t->fresh = 0;
	t->uses = 0;
}

/* ---- The index ---- */

/*
 * Adds a node before others of the same hash, so that the newest is found
 * first.
 */
static void index_add(struct table *t, uint32_t hash, uint32_t node)
{
	struct table_entry new = {hash, node};

	t->changes++;
	for (uint32_t i = table_home(t, hash);; i = table_after(t, i)) {
		struct table_entry *e = &t->index[i];
		const struct table_entry old = *e;

		if (old.node && old.hash != hash)
			continue;
		*e = new;
		if (!old.node)
			return;
		new = old;
	}
}

/* Returns how many slots |i| comes after |from|. */
static uint32_t slots_after(const struct table *t, uint32_t from, uint32_t i)
{
	return i >= from ? i - from : i - from + t->slots;
}

/*
 * The node must exist.  Later entries move up, but not before their own slots.
 */
static void index_drop(struct table *t, uint32_t hash, uint32_t node)
{
	uint32_t free = table_home(t, hash), i;

	t->changes++;
	while (t->index[free].node != node)
		free = table_after(t, free);
	for (i = table_after(t, free); t->index[i].node;
	     i = table_after(t, i)) {
		const struct table_entry *e = &t->index[i];

		if (slots_after(t, table_home(t, e->hash), i) <
		    slots_after(t, free, i))
			continue;
		t->index[free] = *e;
		free = i;
	}
	t->index[free] = (struct table_entry){0};
}

static uint32_t flow_table_hash_of(const struct flow *f, unsigned end)
{
	const struct table_key key = {&f->end[end].addr, &f->end[!end].addr,
				      f->end[end].pdcid};

	return table_hash(&key);
}

static uint32_t node_of(const struct table *t, const struct flow *f,
			unsigned end)
{
	return flow_table_place_of(t, f) << 1 | end;
}

static void link_out(struct table *t, const struct flow *f, unsigned end)
{
	if (f->used && f->end[end].pdcid)
		index_drop(t, flow_table_hash_of(f, end), node_of(t, f, end));
}

static void link_in(struct table *t, const struct flow *f, unsigned end)
{
	if (f->end[end].pdcid)
		index_add(t, flow_table_hash_of(f, end), node_of(t, f, end));
}

/* Links two neighbours of the chain of a hash; 0: the end of the chain. */
static void join_pair(struct table *t, uint32_t hash, uint32_t newer,
		      uint32_t older)
{
	if (newer)
		flow_table_flow_at(t, newer)->pair_older = older;
	else
		*table_chain(t, hash) = older;
	if (older)
		flow_table_flow_at(t, older)->pair_newer = newer;
}

static void unpair(struct table *t, struct flow *f)
{
	if (!f->paired)
		return;
	join_pair(t, f->pair_hash, f->pair_newer, f->pair_older);
	f->paired = false;
}

static void unlink_all(struct table *t, struct flow *f)
{
	link_out(t, f, 0);
	link_out(t, f, 1);
	unpair(t, f);
}

/*
 * Restores an evicted flow: its state is lost, so it continues like a midstream
 * flow.
 */
static void wake(struct table *t, struct flow *f)
{
	if (!take_hot(t, f))
		return;
	f->idle_evicted = true;
	f->complete = f->syn_start_known = f->syn_done = false;
	f->closing = f->close_asked = f->maybe_failed = f->closed = false;
	f->known_at = 0;
	if (own_rare(f))
		own_rare(f)->fatal_at = 0;
}

/*
 * Moves a flow that is not fresh to the fresh part; restores it if it was
 * evicted.
 */
static void move_over(struct table *t, struct flow *f)
{
	flow_table_unlist(t, f);
	flow_table_list_first(t, f);
	if (!f->hot)
		wake(t, f);
}

/* Returns true if the next flows to check are fresh; it reads none of them. */
static bool fresh_are_next(struct table *t, vtime since)
{
	if (t->awake != t->fresh)
		return false;
	if (t->fresh_at < since)
		table_order(t);
	return t->fresh;
}

void table_evict(struct table *t, vtime since)
{
	while (t->awake && !fresh_are_next(t, since)) {
		struct flow *f = flow_table_flow_at(t, t->awake);

		if (f->used_at >= since)
			return;
		flow_table_give_back(t, f);
		t->idle_evicted++;
		t->awake = rank_at(t, t->awake)->newer;
	}
}

/* Return: NULL if there is no memory. */
static inline HOT struct flow *flow_table_use(struct table *t, struct flow *f)
{
	if (unlikely(!f->use || !f->hot))
		move_over(t, f);
	table_use(t, f);
	if (likely(f->hot))
		return f;
	return NULL;
}

HOT struct flow *table_find(struct table *t, const struct table_key *key,
			    uint32_t hash, unsigned *ret_end)
{
	uint32_t i = table_home(t, hash), node;

	while ((node = table_next(t, hash, &i)) != 0) {
		struct flow *f = table_flow(t, node, ret_end);

		if (table_is(key, f, *ret_end))
			return flow_table_use(t, f);
	}
	return NULL;
}

struct flow *table_find_expecting(struct table *t, const struct ip_addr *a,
				  const struct ip_addr *b)
{
	const uint32_t hash = table_pair(a, b);
	uint32_t place = *table_chain(t, hash);

	for (; place; place = flow_table_flow_at(t, place)->pair_older) {
		struct flow *f = flow_table_flow_at(t, place);

		if (f->pair_hash == hash && ip_addr_equal(&f->end[0].addr, a) &&
		    ip_addr_equal(&f->end[1].addr, b))
			return flow_table_use(t, f);
	}
	return NULL;
}

void table_forget(struct table *t, struct flow *f)
{
	unlink_all(t, f);
	flow_table_unlist(t, f);
	say_over(t, f);
	flow_table_give_back(t, f);
	give_rare(t, f);
	f->used = false;
	f->use = 0;
	list_last(t, f); /* this flow is the first to be reused */
}

/* Returns the oldest flow that was not spared; it is in the old part. */
static struct flow *oldest_not_spared(struct table *t)
{
	uint32_t place = t->spared ? rank_at(t, t->spared)->newer : t->oldest;

	if (place == t->fresh) {
		table_order(t);
		place = t->spared ? rank_at(t, t->spared)->newer : t->oldest;
	}
	return flow_table_flow_at(t, place);
}

/*
 * Returns the flow to replace: the one that was silent longest.  Flows with
 * findings are spared, up to half of the table.
 */
static struct flow *flow_to_replace(struct table *t)
{
	struct flow *f;

	if (t->oldest == t->fresh)
		table_order(t);
	f = flow_table_flow_at(t, t->oldest);
	if (!f->used)
		return f;
	while (t->nspared < t->max / 2) {
		f = oldest_not_spared(t);
		if (!f->found)
			return f;
		f->spared = true;
		t->spared = flow_table_place_of(t, f);
		t->nspared++;
	}
	return flow_table_flow_at(t, t->oldest);
}

/* Returns a zeroed flow. */
static struct flow *flow_table_take_room(struct table *t)
{
	struct flow *f;

	if (t->n < t->max)
		return &t->flows[t->n++];
	f = flow_to_replace(t);
	unlink_all(t, f);
	flow_table_unlist(t, f);
	t->forgotten += f->used;
	say_over(t, f);
	flow_table_give_back(t, f);
	give_rare(t, f);
	return memset(f, 0, sizeof(*f));
}

/* Fetches memory that the flow after this one will be the first to touch. */
static void fetch_next_flow(const struct table *t)
{
	const char *hot = pool_next(&t->pool, sizeof(struct flow_hot));

	for (size_t at = 0; t->n < t->max && at < sizeof(struct flow);
	     at += FLOW_LINE)
		__builtin_prefetch((const char *)&t->flows[t->n] + at, 1, 3);
	for (size_t at = 0; hot && at < sizeof(struct dir[2]); at += FLOW_LINE)
		__builtin_prefetch(hot + at, 1, 3);
}

struct flow *table_add(struct table *t, const struct ip_addr *a,
		       const struct ip_addr *b)
{
	struct flow *f = flow_table_take_room(t);

	flow_table_list_first(t, f);
	table_use(t, f);
	f->rare = &flow_nothing;
	if (!take_hot(t, f))
		return NULL;
	f->used = true;
	f->number = t->numbers++;
	f->owner = ++t->owners;
	f->initiator = -1;
	f->end[0].addr = *a;
	f->end[1].addr = *b;
	fetch_next_flow(t);
	return f;
}

void table_learn(struct table *t, struct flow *f, unsigned end, uint16_t pdcid)
{
	link_out(t, f, end);
	f->end[end].pdcid = pdcid;
	link_in(t, f, end);
}

void table_expect(struct table *t, struct flow *f)
{
	const uint32_t hash = table_pair(&f->end[0].addr, &f->end[1].addr);
	const uint32_t me = flow_table_place_of(t, f);

	unpair(t, f);
	f->pair_hash = hash;
	join_pair(t, hash, me, *table_chain(t, hash));
	join_pair(t, hash, 0, me);
	f->paired = true;
}
