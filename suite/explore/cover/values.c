/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/cover/values.c -- covers tuples of values greedily.
 *
 * The values are sorted: openings, the network, moves; within them by part and
 * place.  The members of a tuple ascend.  Those that may follow a value are
 * the rest of its part, and behind an opening all values of moves, so that an
 * index of a tuple comes from sums over the values before its members.
 */
#include "suite/explore/cover/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

#define VALUES_LOOK 4000 /* tuples from which a sequence is made */
#define VALUES_SLOT 80   /* values of an opening and a move */

enum { VALUES_LEFT, VALUES_COVERED, VALUES_REFUSED, VALUES_NEVER };

/* A tuple: its members, and its index. */
struct values_at {
	size_t m[TUPLES_SIZE];
	size_t index;
};

struct values {
	unsigned strength;
	struct cover_value *all;
	size_t n, room;
	/* of each value: where its place and its part end, and whether the part
	 * ends its sequence */
	size_t *place_end, *part_end;
	bool *ends;
	size_t *sum;   /* pairs that begin with a value before this one */
	size_t *first; /* the first tuple that begins with this one */
	size_t moves;  /* the first value of a move */
	uint8_t *state;
	size_t ntuples;
	struct values_at at; /* no tuple before it is left */
	bool alone;          /* that tuple is tried without others */
};

int values_new(struct values **ret, unsigned strength)
{
	struct values *v = memory_calloc(1, sizeof(*v));

	if (!v)
		return ERR_NOMEM;
	v->strength = strength;
	*ret = v;
	return 0;
}

void values_free(struct values *v)
{
	if (!v)
		return;
	free(v->all);
	free(v->place_end);
	free(v->part_end);
	free(v->ends);
	free(v->sum);
	free(v->first);
	free(v->state);
	free(v);
}

/* ---- Values ---- */

static bool values_same_part(const struct cover_value *a,
			     const struct cover_value *b)
{
	return a->move == b->move && a->part == b->part;
}

static int values_compare(const void *a, const void *b)
{
	const struct cover_value *x = a, *y = b;

	if (x->move != y->move)
		return x->move ? 1 : -1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->drawn.place != y->drawn.place)
		return x->drawn.place < y->drawn.place ? -1 : 1;
	return (int)x->drawn.class - (int)y->drawn.class;
}

int values_add(struct values *v, const struct cover_value *x)
{
	for (size_t i = v->n; i-- > 0;)
		if (values_compare(&v->all[i], x) == 0)
			return 0;
	if (v->n == v->room) {
		const size_t room = v->room ? 2 * v->room : 256;
		struct cover_value *all =
			memory_realloc(v->all, room * sizeof(*all));

		if (!all)
			return ERR_NOMEM;
		v->all = all;
		v->room = room;
	}
	v->all[v->n++] = *x;
	return 0;
}

size_t values_number(const struct values *v, const struct cover_value *x)
{
	const struct cover_value *at =
		bsearch(x, v->all, v->n, sizeof(*v->all), values_compare);

	return at ? (size_t)(at - v->all) : v->n;
}

void values_ends(struct values *v, bool move, unsigned part)
{
	const struct cover_value x = {.move = move, .part = part};

	for (size_t i = 0; i < v->n; i++)
		if (values_same_part(&v->all[i], &x))
			v->ends[i] = true;
}

/* ---- Tuples ---- */

/* Returns how many values may follow value |i| in a tuple. */
static size_t values_followers(const struct values *v, size_t i)
{
	return v->part_end[i] - v->place_end[i] +
	       (i < v->moves ? v->n - v->moves : 0);
}

/* Returns how many followers of value |a| stand before |b|. */
static size_t values_rank(const struct values *v, size_t a, size_t b)
{
	if (b < v->part_end[a])
		return b - v->place_end[a];
	return v->part_end[a] - v->place_end[a] + b - v->moves;
}

/* Returns how many pairs begin with a follower of |a| before |b|. */
static size_t values_before(const struct values *v, size_t a, size_t b)
{
	if (b < v->part_end[a])
		return v->sum[b] - v->sum[v->place_end[a]];
	return v->sum[v->part_end[a]] - v->sum[v->place_end[a]] + v->sum[b] -
	       v->sum[v->moves];
}

static size_t values_index(const struct values *v, const size_t m[TUPLES_SIZE])
{
	if (v->strength == 2)
		return v->first[m[0]] + values_rank(v, m[0], m[1]);
	return v->first[m[0]] + values_before(v, m[0], m[1]) +
	       values_rank(v, m[1], m[2]);
}

/* Returns the first follower of value |a|, or v->n. */
static size_t values_follows(const struct values *v, size_t a)
{
	if (v->place_end[a] < v->part_end[a])
		return v->place_end[a];
	return a < v->moves ? v->moves : v->n;
}

/* Returns the follower of |a| behind |b|, or v->n. */
static size_t values_after(const struct values *v, size_t a, size_t b)
{
	if (b + 1 != v->part_end[a])
		return b + 1;
	return a < v->moves ? v->moves : v->n;
}

/* Fills the members behind |k|; if there are none, an earlier one goes on. */
static void values_settle(const struct values *v, struct values_at *at,
			  unsigned k)
{
	for (;;) {
		while (at->m[k] < v->n && k + 1 < v->strength) {
			at->m[k + 1] = values_follows(v, at->m[k]);
			k++;
		}
		if (at->m[k] < v->n || !k)
			return;
		k--;
		at->m[k] = k ? values_after(v, at->m[k - 1], at->m[k])
			     : at->m[0] + 1;
	}
}

static struct values_at values_start(const struct values *v)
{
	struct values_at at = {.index = 0};

	values_settle(v, &at, 0);
	return at;
}

/* Goes to the next tuple; the index behind the last one is v->ntuples. */
static void values_step(const struct values *v, struct values_at *at)
{
	const unsigned k = v->strength - 1;

	at->index++;
	at->m[k] = values_after(v, at->m[k - 1], at->m[k]);
	values_settle(v, at, k);
}

/* A tuple does not exist if its opening is the end of the sequence. */
static bool values_exists(const struct values *v, const struct values_at *at)
{
	return v->state[at->index] != VALUES_NEVER &&
	       !(at->m[0] < v->moves && v->ends[at->m[0]] &&
		 at->m[v->strength - 1] >= v->moves);
}

static bool values_is_left(const struct values *v, const struct values_at *at)
{
	return v->state[at->index] == VALUES_LEFT && values_exists(v, at);
}

/* Finds the ends of places and parts, from the last value to the first. */
static void values_ranges(struct values *v)
{
	v->moves = v->n;
	for (size_t i = v->n; i-- > 0;) {
		const struct cover_value *x = &v->all[i], *next = x + 1;
		const bool part = i + 1 < v->n && values_same_part(x, next);
		const bool place = part && x->drawn.place == next->drawn.place;

		v->part_end[i] = part ? v->part_end[i + 1] : i + 1;
		v->place_end[i] = place ? v->place_end[i + 1] : i + 1;
		if (x->move)
			v->moves = i;
	}
}

/* Sums the pairs, and counts the tuples before each first member. */
static void values_sums(struct values *v)
{
	for (size_t i = 0; i < v->n; i++)
		v->sum[i + 1] = v->sum[i] + values_followers(v, i);
	for (size_t i = 0; i < v->n; i++) {
		const size_t end = v->part_end[i];
		size_t n = values_followers(v, i);

		if (v->strength == 3) {
			n = v->sum[end] - v->sum[v->place_end[i]];
			if (i < v->moves)
				n += v->sum[v->n] - v->sum[v->moves];
		}
		v->first[i + 1] = v->first[i] + n;
	}
	v->ntuples = v->first[v->n];
}

int values_begin(struct values *v)
{
	const size_t n = v->n + 1;

	v->place_end = memory_calloc(n, sizeof(*v->place_end));
	v->part_end = memory_calloc(n, sizeof(*v->part_end));
	v->sum = memory_calloc(n, sizeof(*v->sum));
	v->first = memory_calloc(n, sizeof(*v->first));
	v->ends = memory_calloc(n, sizeof(*v->ends));
	if (!v->place_end || !v->part_end || !v->sum || !v->first || !v->ends)
		return ERR_NOMEM;
	if (v->n)
		qsort(v->all, v->n, sizeof(*v->all), values_compare);
	values_ranges(v);
	values_sums(v);
	v->state = memory_calloc(v->ntuples + 1, 1);
	if (!v->state)
		return ERR_NOMEM;
	v->at = values_start(v);
	return 0;
}

/* ---- Sequences ---- */

/* Wants a class; false: another one is wanted, or there is no room. */
static bool values_want(struct draft_plan *p, unsigned slot,
			const struct draft_value *x)
{
	if (x->place == VALUES_NO_PLACE)
		return true;
	for (unsigned i = 0; i < p->nwants; i++)
		if (p->wants[i].slot == slot && p->wants[i].place == x->place)
			return p->wants[i].class == x->class;
	if (p->nwants == DRAFT_WANTS)
		return false;
	p->wants[p->nwants++] = (struct draft_want){
		.slot = (uint8_t)slot, .place = x->place, .class = x->class};
	return true;
}

/* A sequence under way. */
struct values_plan {
	struct draft_plan p;
	bool opened;    /* its opening is chosen */
	unsigned ender; /* the slot of the move that ends it; 0: none */
};

/* Adds the values of a tuple to slot |slot| and the opening. */
static bool values_puts(const struct values *v, const struct values_at *at,
			unsigned slot, struct values_plan *ret)
{
	struct values_plan w = *ret;

	for (unsigned k = 0; k < v->strength; k++) {
		const struct cover_value *x = &v->all[at->m[k]];

		if (!values_want(&w.p, x->move ? slot : 0, &x->drawn))
			return false;
		if (x->move || x->part == VALUES_NETWORK)
			continue;
		if (w.opened && w.p.open != x->part)
			return false;
		w.opened = true;
		w.p.open = x->part;
	}
	*ret = w;
	return true;
}

/* Adds a slot for a move.  Return: its number; 0: there is no room. */
static unsigned values_slot(struct values_plan *w, unsigned part, bool ends)
{
	if (w->p.n == TUPLES_MOVES || (ends && w->ender))
		return 0;
	w->p.moves[w->p.n++] = part;
	if (ends)
		w->ender = w->p.n;
	return w->p.n;
}

/* Adds a tuple to a sequence, if it fits. */
static void values_pack(const struct values *v, const struct values_at *at,
			struct values_plan *ret)
{
	const size_t last = at->m[v->strength - 1];
	const struct cover_value *x = &v->all[last];
	struct values_plan w = *ret;
	unsigned slot;

	if (!x->move) {
		values_puts(v, at, 0, ret);
		return;
	}
	for (slot = 1; slot <= ret->p.n; slot++)
		if (ret->p.moves[slot - 1] == x->part &&
		    values_puts(v, at, slot, ret))
			return;
	slot = values_slot(&w, x->part, v->ends[last]);
	if (slot && values_puts(v, at, slot, &w))
		*ret = w;
}

/* Puts the move that ends the sequence behind the others. */
static void values_ender_last(struct values_plan *w)
{
	const unsigned slot = w->ender, last = w->p.n;
	unsigned part;

	if (!slot || slot == last)
		return;
	for (unsigned i = 0; i < w->p.nwants; i++) {
		uint8_t *at = &w->p.wants[i].slot;

		*at = (uint8_t)(*at == slot ? last : *at == last ? slot : *at);
	}
	part = w->p.moves[slot - 1];
	w->p.moves[slot - 1] = w->p.moves[last - 1];
	w->p.moves[last - 1] = part;
}

unsigned values_opening(const struct values *v, struct rng *rng)
{
	const size_t i = v->moves ? rng_below(rng, (uint32_t)v->moves) : 0;

	if (i == v->moves || v->ends[i] || v->all[i].part == VALUES_NETWORK)
		return 0;
	return v->all[i].part;
}

bool values_next(struct values *v, struct rng *rng, struct draft_plan *ret)
{
	struct values_plan w = {.p = *ret};
	struct values_at look;
	unsigned open;

	while (v->at.index < v->ntuples && !values_is_left(v, &v->at))
		values_step(v, &v->at);
	if (v->at.index == v->ntuples)
		return false;
	values_pack(v, &v->at, &w);
	look = v->at;
	for (unsigned i = 0; i < VALUES_LOOK && !v->alone; i++) {
		values_step(v, &look);
		if (look.index == v->ntuples || w.p.n == TUPLES_MOVES)
			break;
		if (values_is_left(v, &look))
			values_pack(v, &look, &w);
	}
	if (!w.opened) {
		open = values_opening(v, rng);
		w.p.open = v->alone ? 0 : open;
	}
	values_ender_last(&w);
	*ret = w.p;
	return true;
}

/* ---- Runs ---- */

/* Returns whether value |a| and a later one may be in one tuple. */
static bool values_pair(const struct values *v, size_t a, size_t b)
{
	const struct cover_value *x = &v->all[a], *y = &v->all[b];

	if (a < v->moves && b >= v->moves)
		return true;
	return values_same_part(x, y) && x->drawn.place != y->drawn.place;
}

/* Sets a tuple unless |to| is VALUES_LEFT.  Return: it is tuple |seek|. */
static bool values_set(struct values *v, const size_t m[TUPLES_SIZE],
		       uint8_t to, size_t seek)
{
	const size_t i = values_index(v, m);

	if (to != VALUES_LEFT && v->state[i] != VALUES_COVERED)
		v->state[i] = to;
	return i == seek;
}

/*
 * Sets the tuples of an opening and a move, whose values ascend.  Return: one
 * of them is tuple |seek|.
 */
static bool values_visit_slot(struct values *v, const size_t *m, size_t n,
			      uint8_t to, size_t seek)
{
	bool found = false;

	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b < n; b++) {
			size_t t[TUPLES_SIZE] = {m[a], m[b]};

			if (!values_pair(v, m[a], m[b]))
				continue;
			if (v->strength == 2)
				found |= values_set(v, t, to, seek);
			for (size_t c = b + 1; c < n && v->strength == 3; c++) {
				t[2] = m[c];
				if (values_pair(v, m[a], m[c]) &&
				    values_pair(v, m[b], m[c]))
					found |= values_set(v, t, to, seek);
			}
		}
	return found;
}

/* Writes the values of the opening and of a slot, in their order. */
static size_t values_of_slot(const struct values *v,
			     const struct cover_value *drawn, size_t n,
			     unsigned slot, size_t ret[VALUES_SLOT])
{
	size_t len = 0;

	for (size_t i = 0; i < n && len < VALUES_SLOT; i++) {
		size_t x, k = len;

		if (drawn[i].drawn.slot && drawn[i].drawn.slot != slot)
			continue;
		x = values_number(v, &drawn[i]);
		if (x == v->n)
			continue;
		for (; k && ret[k - 1] > x; k--)
			ret[k] = ret[k - 1];
		ret[k] = x;
		len++;
	}
	return len;
}

/* Sets all tuples of a sequence.  Return: one of them is tuple |seek|. */
static bool values_visit(struct values *v, const struct cover_value *drawn,
			 size_t n, uint8_t to, size_t seek)
{
	size_t m[VALUES_SLOT];
	unsigned slots = 0;
	bool found = false;

	for (size_t i = 0; i < n; i++)
		if (drawn[i].drawn.slot > slots)
			slots = drawn[i].drawn.slot;
	for (unsigned slot = slots != 0; slot <= slots; slot++)
		found |= values_visit_slot(
			v, m, values_of_slot(v, drawn, n, slot, m), to, seek);
	return found;
}

bool values_has(struct values *v, const struct cover_value *drawn, size_t n)
{
	return values_visit(v, drawn, n, VALUES_LEFT, v->at.index);
}

/* Settles a tuple that was tried without others, or has it tried so. */
static void values_fails(struct values *v, uint8_t to)
{
	if (v->alone)
		v->state[v->at.index] = to;
	v->alone = !v->alone;
}

void values_lacks(struct values *v)
{
	values_fails(v, VALUES_NEVER);
}

void values_done(struct values *v, const struct cover_value *drawn, size_t n,
		 bool covers)
{
	if (!covers) {
		values_fails(v, VALUES_REFUSED);
		return;
	}
	values_also(v, drawn, n);
	if (values_is_left(v, &v->at))
		values_fails(v, VALUES_REFUSED);
	else
		v->alone = false;
}

void values_also(struct values *v, const struct cover_value *drawn, size_t n)
{
	values_visit(v, drawn, n, VALUES_COVERED, SIZE_MAX);
}

/* ---- Counts ---- */

size_t values_size(const struct values *v)
{
	return v->n;
}

size_t values_moves(const struct values *v)
{
	return v->moves;
}

const struct cover_value *values_get(const struct values *v, size_t i)
{
	return &v->all[i];
}

bool values_is_end(const struct values *v, size_t i)
{
	return v->ends[i];
}

void values_count(const struct values *v, struct tuples_counts *ret)
{
	*ret = (struct tuples_counts){0};
	for (struct values_at at = values_start(v); at.index < v->ntuples;
	     values_step(v, &at)) {
		if (!values_exists(v, &at))
			continue;
		ret->all++;
		ret->covered += v->state[at.index] == VALUES_COVERED;
		ret->refused += v->state[at.index] == VALUES_REFUSED;
	}
}

void values_left(const struct values *v,
		 void (*fn)(void *ctx, const struct cover_value *const *tuple,
			    unsigned n),
		 void *ctx)
{
	for (struct values_at at = values_start(v); at.index < v->ntuples;
	     values_step(v, &at)) {
		const struct cover_value *t[TUPLES_SIZE];

		if (!values_exists(v, &at) ||
		    v->state[at.index] == VALUES_COVERED)
			continue;
		for (unsigned k = 0; k < v->strength; k++)
			t[k] = &v->all[at.m[k]];
		fn(ctx, t, v->strength);
	}
}
