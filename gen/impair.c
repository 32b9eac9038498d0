/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/impair.c -- the impairment chain: rules, and a heap of the datagrams in
 * flight.
 *
 * Every datagram passes through the heap.  The heap is ordered by due time,
 * then by the order of the decisions, so that the same calls give the same
 * result.  A datagram that waits for another one (HOLD, REORDER, DELAY with
 * |until|) is in the heap at its latest time and moves up when the other one
 * comes.  Entries are reused, so that the chain stops allocating when it has
 * reached its largest size.
 */
#include "gen/impair.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame_tables.h"

#define HOLD_MAX (1 * VSPAN_S)

struct impair_slot {
	struct imp_rule rule;
	uint32_t seen, hits;
	/*
	 * index + 1 of the next rule with the same key hash, or of the next
	 * without a key
	 */
	size_t next;
};

/*
 * The part of struct imp_out that is stored beside the bytes of the datagram.
 */
struct impair_head {
	enum imp_dir dir;
	enum imp_fate fate;
	unsigned line;
	vtime pushed;
	uint32_t tag;
};

struct entry {
	struct entry *next; /* next in the free list or in the held list */
	vtime due;
	uint64_t order; /* order among entries due at the same time */
	size_t at;      /* index in the heap */
	size_t rule;    /* held: the rule whose |until| releases it */
	vtime least;    /* held: not released before */
	struct imp_out out;
};

struct imp {
	struct impair_slot *rules;
	size_t nrules, rules_size;
	size_t plain; /* the first rule without a key, index + 1 */
	/* the first rule of each hash, index + 1; rules_size entries */
	size_t *buckets;
	const uint8_t *head; /* headers attached to the datagram being pushed */
	size_t nhead;
	imp_look_fn *look;
	void *look_ctx;
	struct entry **heap;
	size_t nheap, heap_size;
	struct entry *unused;
	struct entry *held; /* held entries in order of arrival */
	size_t nheld;
	/* REORDER, by direction: the entry that waits for the next packet */
	struct entry *swap[2];
	uint64_t order;
};

int imp_new(struct imp **ret)
{
	struct imp *i = memory_calloc(1, sizeof(*i));

	if (!i)
		return ERR_NOMEM;
	*ret = i;
	return 0;
}

void imp_free(struct imp *i)
{
	if (!i)
		return;
	imp_reset(i);
	while (i->unused) {
		struct entry *e = i->unused;

		i->unused = e->next;
		free(e);
	}
	free(i->heap);
	free(i->buckets);
	free(i->rules);
	free(i);
}

static void entry_put_back(struct imp *i, struct entry *e)
{
	e->next = i->unused;
	i->unused = e;
}

void imp_reset(struct imp *i)
{
	for (size_t n = 0; n < i->nheap; n++)
		entry_put_back(i, i->heap[n]);
	i->nheap = 0;
	i->nrules = 0;
	i->plain = 0;
	if (i->buckets)
		memset(i->buckets, 0, i->rules_size * sizeof(*i->buckets));
	i->held = NULL;
	i->nheld = 0;
	i->swap[IMP_TO_DUT] = NULL;
	i->swap[IMP_FROM_DUT] = NULL;
	i->order = 0;
}

/* ---- Rules ---- */

static size_t *impair_bucket_of(struct imp *i, const struct imp_key *key)
{
	struct rng r = {key->value * 31 + key->what};

	return &i->buckets[rng_next(&r) & (i->rules_size - 1)];
}

/* Puts a rule at the front of its list. */
static void rule_link(struct imp *i, size_t n)
{
	struct impair_slot *s = &i->rules[n];
	size_t *first =
		s->rule.keyed ? impair_bucket_of(i, &s->rule.key) : &i->plain;

	s->next = *first;
	*first = n + 1;
}

/* Makes room for one more rule; rules_size stays a power of two. */
static int rule_room(struct imp *i)
{
	const size_t size = i->rules_size ? 2 * i->rules_size : 8;
	struct impair_slot *rules;
	size_t *buckets;

	if (i->nrules < i->rules_size)
		return 0;
	buckets = memory_calloc(size, sizeof(*buckets));
	if (!buckets)
		return ERR_NOMEM;
	rules = memory_realloc(i->rules, size * sizeof(*rules));
	if (!rules) {
		free(buckets);
		return ERR_NOMEM;
	}
	free(i->buckets);
	i->rules = rules;
	i->buckets = buckets;
	i->rules_size = size;
	i->plain = 0;
	for (size_t n = 0; n < i->nrules; n++)
		rule_link(i, n);
	return 0;
}

int imp_rule_add(struct imp *i, const struct imp_rule *rule)
{
	int err = rule_room(i);

	if (err)
		return err;
	i->rules[i->nrules] = (struct impair_slot){.rule = *rule};
	rule_link(i, i->nrules++);
	return 0;
}

void imp_look(struct imp *i, imp_look_fn *look, void *ctx)
{
	i->look = look;
	i->look_ctx = ctx;
}

uint32_t imp_hits(const struct imp *i, unsigned line)
{
	uint32_t hits = 0;

	for (size_t n = 0; n < i->nrules; n++)
		if (i->rules[n].rule.line == line)
			hits += i->rules[n].hits;
	return hits;
}

size_t imp_nrules(const struct imp *i)
{
	return i->nrules;
}

const struct imp_rule *imp_rule_at(const struct imp *i, size_t n,
				   uint32_t *ret_hits)
{
	if (n >= i->nrules)
		return NULL;
	*ret_hits = i->rules[n].hits;
	return &i->rules[n].rule;
}

/* Returns true if the rule acts on the packet that it has just counted. */
static bool fires(const struct impair_slot *s)
{
	const struct imp_rule *r = &s->rule;
	const uint32_t last = r->nth_to ? r->nth_to : r->nth;

	if (r->every && s->seen % r->every)
		return false;
	return !r->nth || (s->seen >= r->nth && s->seen <= last);
}

/*
 * The packet that is matched with the rules, and the index + 1 of the rule that
 * acts on it.
 */
struct impair_asked {
	enum imp_dir dir;
	const struct dgram *d;
	size_t winner;
};

/* Counts the packet for the matching rules of a list. */
static void impair_ask(struct imp *i, struct impair_asked *a, size_t n,
		       const struct imp_key *key)
{
	for (; n; n = i->rules[n - 1].next) {
		struct impair_slot *s = &i->rules[n - 1];
		const struct imp_rule *r = &s->rule;

		if (r->dir != a->dir ||
		    (key && (r->key.what != key->what ||
			     r->key.value != key->value)) ||
		    (r->match && !r->match(r->ctx, a->d)))
			continue;
		s->seen++;
		if (fires(s) && (!a->winner || n < a->winner))
			a->winner = n;
	}
}

/*
 * Counts the packet for every rule that matches it, and returns the first rule
 * that fires, or NULL.  A packet that will be lost is counted as well: the
 * number of a transmission does not depend on its arrival.
 */
static struct impair_slot *rule_for(struct imp *i, enum imp_dir dir,
				    const struct dgram *d)
{
	struct impair_asked a = {dir, d, 0};
	struct imp_key keys[IMP_KEYS];
	size_t n = 0;

	if (!i->nrules)
		return NULL;
	if (i->look)
		n = i->look(i->look_ctx, dir, d, keys);
	impair_ask(i, &a, i->plain, NULL);
	while (n--)
		impair_ask(i, &a, *impair_bucket_of(i, &keys[n]), &keys[n]);
	if (a.winner)
		return &i->rules[a.winner - 1];
	return NULL;
}

/* ---- The heap: a parent is never later than its children ---- */

static bool earlier(const struct entry *a, const struct entry *b)
{
	if (a->due != b->due)
		return a->due < b->due;
	return a->order < b->order;
}

static void heap_set(struct imp *i, size_t at, struct entry *e)
{
	i->heap[at] = e;
	e->at = at;
}

static void impair_sift_up(struct imp *i, struct entry *e)
{
	size_t at = e->at;

	while (at && earlier(e, i->heap[(at - 1) / 2])) {
		heap_set(i, at, i->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	heap_set(i, at, e);
}

static void impair_sift_down(struct imp *i, struct entry *e)
{
	size_t at = e->at;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < i->nheap &&
		    earlier(i->heap[child + 1], i->heap[child]))
			child++;
		if (child >= i->nheap || !earlier(i->heap[child], e))
			break;
		heap_set(i, at, i->heap[child]);
		at = child;
	}
	heap_set(i, at, e);
}

static int heap_room(struct imp *i)
{
	size_t size = i->heap_size ? 2 * i->heap_size : 16;
	struct entry **heap;

	if (i->nheap < i->heap_size)
		return 0;
	heap = memory_realloc(i->heap, size * sizeof(struct entry *));
	if (!heap)
		return ERR_NOMEM;
	i->heap = heap;
	i->heap_size = size;
	return 0;
}

/* Puts a copy of |d| into the heap; NULL if there is no memory. */
static struct entry *impair_enter(struct imp *i, const struct impair_head *head,
				  const struct dgram *d, vtime due)
{
	struct entry *e = i->unused;

	if (heap_room(i))
		return NULL;
	if (e)
		i->unused = e->next;
	else
		e = memory_alloc(sizeof(*e));
	if (!e)
		return NULL;
	e->out.dir = head->dir;
	e->out.fate = head->fate;
	e->out.line = head->line;
	e->out.pushed = head->pushed;
	e->out.tag = head->tag;
	e->out.nhead = i->nhead;
	if (i->nhead)
		memcpy(e->out.head, i->head, i->nhead);
	dgram_copy(&e->out.d, d);
	e->next = NULL;
	e->due = due;
	e->order = i->order++;
	heap_set(i, i->nheap++, e);
	impair_sift_up(i, e);
	return e;
}

/* Removes an entry from the heap. */
static void impair_heap_take(struct imp *i, struct entry *e)
{
	struct entry *last = i->heap[--i->nheap];

	if (last == e)
		return;
	heap_set(i, e->at, last);
	impair_sift_up(i, last);
	impair_sift_down(i, last);
}

/* Drops an entry without delivering it. */
static void cancel(struct imp *i, struct entry *e)
{
	impair_heap_take(i, e);
	entry_put_back(i, e);
}

/* Moves a waiting entry up, after all entries that are due at |due| so far. */
static void hasten(struct imp *i, struct entry *e, vtime due)
{
	if (due >= e->due)
		return;
	e->due = due;
	e->order = i->order++;
	impair_sift_up(i, e);
}

/* Removes the entry from the lists of waiting entries. */
static void impair_forget(struct imp *i, struct entry *e)
{
	for (struct entry **p = &i->held; *p; p = &(*p)->next)
		if (*p == e) {
			*p = e->next;
			i->nheld--;
			break;
		}
	if (i->swap[e->out.dir] == e)
		i->swap[e->out.dir] = NULL;
}

/* Releases those of the first |n| held entries that waited for this packet. */
static void impair_release_held(struct imp *i, size_t n, enum imp_dir dir,
				const struct dgram *d, vtime now)
{
	struct entry **p = &i->held;

	for (; n; n--) {
		struct entry *e = *p;
		const struct imp_rule *r = &i->rules[e->rule].rule;

		if (r->until && r->until(r->ctx, d, dir)) {
			*p = e->next;
			i->nheld--;
			hasten(i, e, vtime_max(now, e->least));
		} else {
			p = &e->next;
		}
	}
}

/*
 * A packet of this direction is due at |due|: releases the waiting entry after
 * it.
 */
static void swap_in(struct imp *i, enum imp_dir dir, vtime due)
{
	struct entry *waiting = i->swap[dir];

	i->swap[dir] = NULL;
	if (waiting)
		hasten(i, waiting, due);
}

static int impair_pass(struct imp *i, const struct impair_head *head,
		       const struct dgram *d, vtime due)
{
	if (!impair_enter(i, head, d, due))
		return ERR_NOMEM;
	swap_in(i, head->dir, due);
	return 0;
}

static int impair_drop(struct imp *i, struct impair_head *head,
		       const struct dgram *d)
{
	head->fate = IMP_DROPPED;
	if (impair_enter(i, head, d, head->pushed))
		return 0;
	return ERR_NOMEM;
}

static int impair_duplicate(struct imp *i, struct impair_head *head,
			    const struct dgram *d, uint32_t copies)
{
	struct impair_head first = *head;

	first.line = 0; /* no rule acted on it */
	if (!impair_enter(i, &first, d, head->pushed))
		return ERR_NOMEM;
	head->fate = IMP_COPY;
	for (uint32_t n = copies ? copies : 1; n; n--)
		if (!impair_enter(i, head, d, head->pushed))
			return ERR_NOMEM;
	swap_in(i, head->dir, head->pushed);
	return 0;
}

void imp_trim(struct dgram *d, size_t keep, uint8_t dscp, bool udp_kept)
{
	const size_t trailer = d->crc == DGRAM_CRC_NONE ? 0 : CRC_LEN;

	if (udp_kept && !d->native)
		d->udp_length = (uint16_t)(frame_udp_len + d->len + trailer);
	if (keep < d->len)
		d->len = keep;
	d->crc = DGRAM_CRC_NONE;
	d->dscp = dscp;
}

static void edit(const struct imp_rule *r, struct dgram *d)
{
	switch (r->action) {
	case IMP_CORRUPT:
		if (r->corrupt)
			r->corrupt(r->ctx, d);
		break;
	case IMP_MARK_CE:
		d->ecn = ECN_CE;
		break;
	case IMP_TRIM:
		imp_trim(d, r->count, r->dscp, r->udp_kept);
		break;
	default:
		break;
	}
}

static int impair_change(struct imp *i, struct impair_head *head,
			 const struct dgram *d, const struct imp_rule *r)
{
	struct entry *e;

	head->fate = IMP_CHANGED;
	e = impair_enter(i, head, d, head->pushed);
	if (!e)
		return ERR_NOMEM;
	edit(r, &e->out.d);
	swap_in(i, head->dir, head->pushed);
	return 0;
}

/*
 * Holds a packet until another one comes, or for the longest time that the rule
 * allows.  A delay comes before that time.
 */
static struct entry *impair_keep(struct imp *i, struct impair_head *head,
				 const struct dgram *d,
				 const struct imp_rule *r)
{
	vspan longest = r->hold_max ? r->hold_max : HOLD_MAX;

	if (r->action == IMP_DELAY)
		longest += r->delay;
	head->fate = IMP_LATE;
	return impair_enter(i, head, d, head->pushed + longest);
}

static int impair_reorder(struct imp *i, struct impair_head *head,
			  const struct dgram *d, const struct imp_rule *r)
{
	struct entry *e = impair_keep(i, head, d, r);

	if (!e)
		return ERR_NOMEM;
	i->swap[head->dir] = e;
	return 0;
}

static int impair_hold(struct imp *i, struct impair_head *head,
		       const struct dgram *d, const struct impair_slot *s)
{
	struct entry *e = impair_keep(i, head, d, &s->rule);
	struct entry **last = &i->held;

	if (!e)
		return ERR_NOMEM;
	while (*last)
		last = &(*last)->next;
	e->rule = (size_t)(s - i->rules);
	e->least = head->pushed;
	if (s->rule.action == IMP_DELAY)
		e->least += s->rule.delay;
	*last = e;
	i->nheld++;
	return 0;
}

static int impair_delay(struct imp *i, struct impair_head *head,
			const struct dgram *d, const struct impair_slot *s)
{
	head->fate = IMP_LATE;
	if (s->rule.until)
		return impair_hold(i, head, d, s);
	return impair_pass(i, head, d, head->pushed + s->rule.delay);
}

/* Passes the packet on, directly followed by the injected one. */
static int impair_inject(struct imp *i, struct impair_head *head,
			 const struct dgram *d, const struct imp_rule *r)
{
	struct impair_head own = *head;
	struct entry *e;
	int err;

	head->line = 0; /* no rule acted on it */
	err = impair_pass(i, head, d, head->pushed);
	if (err)
		return err;
	own.dir = r->inject_dir;
	own.fate = IMP_INJECTED;
	e = impair_enter(i, &own, d, head->pushed);
	if (!e)
		return ERR_NOMEM;
	if (r->inject(r->ctx, d, &e->out.d))
		swap_in(i, own.dir, head->pushed);
	else
		cancel(i, e);
	return 0;
}

static int act(struct imp *i, struct impair_head *head, const struct dgram *d,
	       const struct impair_slot *s)
{
	const struct imp_rule *r = &s->rule;

	switch (r->action) {
	case IMP_DROP:
		return impair_drop(i, head, d);
	case IMP_DUPLICATE:
		return impair_duplicate(i, head, d, r->count);
	case IMP_DELAY:
		return impair_delay(i, head, d, s);
	case IMP_HOLD:
		return impair_hold(i, head, d, s);
	case IMP_REORDER:
		return impair_reorder(i, head, d, r);
	case IMP_CORRUPT:
	case IMP_MARK_CE:
	case IMP_TRIM:
		return impair_change(i, head, d, r);
	case IMP_INJECT:
		return impair_inject(i, head, d, r);
	}
	return ERR_VALUE;
}

int imp_push(struct imp *i, enum imp_dir dir, const struct dgram *d, vtime now,
	     uint32_t tag, bool force_drop)
{
	struct impair_head head;
	struct impair_slot *s = rule_for(i, dir, d);
	/* the number before this packet, which cannot release itself */
	size_t nheld = i->nheld;
	int err;

	/* The packet that a reordered one waits for is not reordered itself. */
	if (s && s->rule.action == IMP_REORDER && i->swap[dir])
		s = NULL;
	head.dir = dir;
	head.fate = IMP_PASSED;
	head.line = 0;
	head.pushed = now;
	head.tag = tag;
	if (force_drop) {
		err = impair_drop(i, &head, d);
	} else if (s) {
		s->hits++;
		head.line = s->rule.line;
		err = act(i, &head, d, s);
	} else {
		err = impair_pass(i, &head, d, now);
	}
	impair_release_held(i, nheld, dir, d, now);
	return err;
}

void imp_attach(struct imp *i, const uint8_t *head, size_t len)
{
	i->head = head;
	if (len < IMP_HEAD)
		i->nhead = len;
	else
		i->nhead = IMP_HEAD;
}

bool imp_poll(struct imp *i, vtime now, struct imp_out *ret)
{
	struct entry *e;

	if (!i->nheap || i->heap[0]->due > now)
		return false;
	e = i->heap[0];
	impair_heap_take(i, e);
	impair_forget(i, e);
	memcpy(ret, &e->out, offsetof(struct imp_out, head));
	ret->nhead = e->out.nhead;
	memcpy(ret->head, e->out.head, ret->nhead);
	dgram_copy(&ret->d, &e->out.d);
	entry_put_back(i, e);
	return true;
}

vtime imp_deadline(const struct imp *i)
{
	if (i->nheap)
		return i->heap[0]->due;
	return VTIME_NEVER;
}
