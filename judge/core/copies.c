/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/copies.c -- stores recent frames by checksum, with statistics of
 * their senders.
 */
#include "judge/core/copies.h"

#include "base/hot.h"

/*
 * Longest time between a frame and its copy.  COPY_LATE holds if the IP
 * identification is equal and changes from frame to frame: such a copy may have
 * taken another path.
 */
#define COPY_TIME VSPAN_MS
#define COPY_LATE (100 * VSPAN_MS)

enum {
	ENOUGH = 4, /* fewest frames from which a direction is classified */
};

void copies_way_halve(struct copies_way *w)
{
	w->changed >>= 1;
	w->stood >>= 1;
	w->frames >>= 1;
	w->doubled >>= 1;
	w->elsewhen >>= 1;
}

/* ---- One sender ---- */

/*
 * Two offsets are equal if within a factor of 2, or within the resolution of a
 * clock.
 */
static bool copies_is_about(uint32_t a, uint32_t b)
{
	const uint32_t slack = 5000; /* ns */

	return a <= 2 * b + slack && b <= 2 * a + slack;
}

static void way_doubled(struct copies_way *w, uint32_t offset)
{
	if (w->doubled && !copies_is_about(w->offset, offset)) {
		w->elsewhen++;
		/* The offset counted so far was the exception. */
		if (w->elsewhen <= w->doubled)
			return;
		w->elsewhen = w->doubled;
		w->doubled = 0;
	}
	w->offset = offset;
	w->doubled++;
}

/* Returns true if the IP identification distinguishes the sender's frames. */
static bool way_counts_up(const struct copies_way *w)
{
	return w->changed > 8 * w->stood;
}

static bool way_is_doubled(const struct copies_way *w)
{
	return w->doubled >= ENOUGH && 10 * w->doubled >= 9 * w->frames &&
	       10 * w->elsewhen <= w->doubled;
}

/* ---- Frames ---- */

static bool is_equal(const struct copies_kept *k, const struct copies_frame *f,
		     vspan time)
{
	return k->tail == copies_tail_of(f) && k->bytes == copies_bytes_of(f) &&
	       k->at <= f->at && f->at - k->at < time;
}

/*
 * Returns true if |k| is recent.  An older |k| is a copy only if both frames
 * have the same IP identification.
 */
static bool copies_is_near(const struct copies_kept *k,
			   const struct copies_frame *f,
			   const struct copies_way *w)
{
	if (f->at - k->at < COPY_TIME)
		return true;
	return f->has_id && f->id == k->id && way_counts_up(w);
}

/*
 * Return: the most recent frame with these bytes, preferably one with this IP
 * identification, or NULL.
 */
static struct copies_kept *find_kept(struct copies *c,
				     const struct copies_frame *f,
				     const struct copies_way *w)
{
	const unsigned set = f->sum & (COPIES_SETS - 1);
	const uint32_t *sums = c->sums[set];
	struct copies_kept *found = NULL;

	for (unsigned way = 0; way < COPIES_WAYS; way++) {
		struct copies_kept *k = &c->kept[set][way];

		if (likely(sums[way] != f->sum) || !is_equal(k, f, COPY_LATE) ||
		    !copies_is_near(k, f, w))
			continue;
		if (f->has_id && f->id == k->id)
			return k;
		if (!found || k->at > found->at)
			found = k;
	}
	return found;
}

static void see_again(struct copies_way *w, struct copies_kept *k,
		      const struct copies_frame *f, struct copies_item *ret)
{
	ret->equal = true;
	ret->same_id = f->has_id && f->id == k->id;
	if (!ret->same_id && f->has_id)
		copies_way_new(w, f);
	else if (k->times == 1)
		way_doubled(w, (uint32_t)(f->at - k->at));
	else
		w->elsewhen++;
	if (k->times < 3)
		k->times++;
	k->at = f->at;
	k->id = f->id;
}

void copies_see_equal(struct copies *c, const struct copies_frame *f,
		      struct copies_item *ret)
{
	struct copies_way *w = &copies_pair_for(c, f->pair)->way[f->way];
	struct copies_kept *k = find_kept(c, f, w);

	if (likely(!k))
		copies_see_new(c, f, w);
	else
		see_again(w, k, f, ret);
}

enum copies_what copies_decide(struct copies *c, const struct copies_frame *f,
			       const struct copies_item *s)
{
	const struct copies_pair *p = copies_pair_for(c, f->pair);
	const struct copies_way *w = &p->way[f->way];

	if (!s->equal)
		return COPIES_NONE;
	if (f->has_id && !s->same_id)
		return COPIES_REPEAT;
	if (f->has_id && way_counts_up(w)) {
		c->by_id = true;
		return COPIES_COPY;
	}
	/*
	 * Too few frames to classify this sender, so treat it like the others.
	 */
	if (f->has_id && w->frames < 2 && c->by_id)
		return COPIES_COPY;
	if (way_is_doubled(w) && way_is_doubled(&p->way[!f->way])) {
		c->by_offset = true;
		return COPIES_COPY;
	}
	if (w->frames < ENOUGH && c->by_offset)
		return COPIES_COPY;
	return COPIES_REPEAT;
}
