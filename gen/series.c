/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/series.c -- makes the frames of all passes, with the fields of the sweeps
 * replaced.
 *
 * The position of each swept field is found once for each frame of the set, so
 * that making a frame takes only a copy and a few stores.  Plain fields are
 * written before derived values, which depend on them.
 */
#include "gen/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/rng.h"
#include "wire/frame/frame_build.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"

/* gap between the last frame of a pass and the next pass */
#define PASS_GAP VSPAN_US

/* The fields that |pdcs| changes: it adds the number of the PDC to both ids. */
static const char *const pdc_ids[] = {"spdcid", "dpdcid"};

#define PDC_IDS (sizeof(pdc_ids) / sizeof(pdc_ids[0]))

/* A value that is written into one frame. */
struct edit {
	const struct header *h;
	const struct field *field;     /* a plain field, or NULL */
	const struct derived *derived; /* a derived value, or NULL */
	size_t at;                     /* offset of the header in the frame */
	uint64_t own;              /* the original value in the packet set */
	const struct sweep *sweep; /* NULL: a PDCID */
	uint64_t salt;             /* SWEEP_RANDOM: the index of the sweep */
};

struct series {
	struct series_conf conf;
	struct edit *edits; /* sorted by frame */
	size_t nedits, edits_size;
	size_t *first; /* edits of frame i: first[i] .. first[i + 1] */
	vspan pass_time;
	uint64_t pass, made;
	size_t frame;
	uint32_t pdc;
	vtime last;
	uint8_t *scratch;
};

/* ---- The fields that sweeps write ---- */

static int edit_add(struct series *s, const struct edit *e)
{
	if (s->nedits == s->edits_size) {
		const size_t size = s->edits_size ? 2 * s->edits_size : 64;
		struct edit *p = memory_realloc(s->edits, size * sizeof(*p));

		if (!p)
			return ERR_NOMEM;
		s->edits = p;
		s->edits_size = size;
	}
	s->edits[s->nedits++] = *e;
	return 0;
}

/* Finds a name in the packet, as case files spell it. */
static bool find_inside(const struct packet_set *packet_set,
			const struct packet_set_frame *f, const char *name,
			struct edit *ret)
{
	struct packet pkt;
	struct packet_ref ref;

	uet_packet_parse(&pkt, packet_set->bytes + f->at + f->info.at,
			 packet_set_packet_len(f));
	if (!packet_find(&pkt, 0, pkt.nsec, name, strlen(name), &ref))
		return false;
	ret->h = pkt.sec[ref.sec].h;
	if (ref.derived &&
	    !header_field(ret->h, ref.derived->base, strlen(ref.derived->base)))
		return false; /* its base field is in another header */
	ret->field = ref.field;
	ret->derived = ref.derived;
	ret->at = f->info.at + pkt.sec[ref.sec].at;
	ret->own = packet_get(&pkt, &ref);
	return true;
}

/*
 * Finds a name in the headers around the packet, starting with the innermost.
 */
static bool find_outside(const struct packet_set *packet_set,
			 const struct packet_set_frame *f, const char *name,
			 struct edit *ret)
{
	if (strcmp(name, "entropy") == 0 && !f->head.native)
		name = "sport";
	for (unsigned i = f->info.nsec; i-- > 0;) {
		const struct header *h = f->info.sec_h[i];
		const struct field *field = header_field(h, name, strlen(name));

		if (!field)
			continue;
		ret->h = h;
		ret->field = field;
		ret->derived = NULL;
		ret->at = f->info.sec_at[i];
		ret->own =
			field_get(field, packet_set->bytes + f->at + ret->at);
		return true;
	}
	return false;
}

static bool series_find(const struct packet_set *packet_set,
			const struct packet_set_frame *f, const char *name,
			struct edit *ret)
{
	return f->info.fault == FRAME_OK &&
	       (find_inside(packet_set, f, name, ret) ||
		find_outside(packet_set, f, name, ret));
}

static bool series_fits(const struct edit *e)
{
	const struct sweep *w = e->sweep;

	if (w->kind == SWEEP_STEP || w->kind == SWEEP_RANDOM)
		return true;
	for (size_t i = 0; i < w->n; i++)
		if (e->field ? !field_fits(e->field, w->values[i])
			     : w->values[i] > UINT32_MAX)
			return false;
	return true;
}

/* Finds the plain fields, or the derived values, of one frame. */
static int series_look_up(struct series *s, const struct packet_set_frame *f,
			  bool derived, bool *met, size_t *ret_bad)
{
	const struct series_conf *c = &s->conf;
	struct edit e;
	int err = 0;

	for (size_t i = 0; i < c->nsweeps && !err; i++) {
		if (!series_find(c->packet_set, f, c->sweeps[i].name, &e))
			continue;
		met[i] = true;
		e.sweep = &c->sweeps[i];
		e.salt = i + 1;
		if (!series_fits(&e)) {
			*ret_bad = i;
			return ERR_VALUE;
		}
		if (!e.derived != derived)
			err = edit_add(s, &e);
	}
	for (size_t i = 0; c->pdcs && !derived && i < PDC_IDS && !err; i++)
		if (f->info.fault == FRAME_OK &&
		    find_inside(c->packet_set, f, pdc_ids[i], &e)) {
			e.sweep = NULL;
			err = edit_add(s, &e);
		}
	return err;
}

static int look_up_all(struct series *s, size_t *ret_bad)
{
	const struct series_conf *c = &s->conf;
	bool *met = memory_calloc(c->nsweeps + 1, sizeof(*met));
	int err = met ? 0 : ERR_NOMEM;

	for (size_t i = 0; i < c->packet_set->n && !err; i++) {
		s->first[i] = s->nedits;
		err = series_look_up(s, &c->packet_set->frames[i], false, met,
				     ret_bad);
		if (!err)
			err = series_look_up(s, &c->packet_set->frames[i], true,
					     met, ret_bad);
		s->first[i + 1] = s->nedits;
	}
	for (size_t i = 0; i < c->nsweeps && !err; i++)
		if (!met[i]) {
			*ret_bad = i;
			err = ERR_SUPPORT;
		}
	free(met);
	return err;
}

/* ---- Beginning and end ---- */

/* Returns the time between the first frames of two passes. */
static vspan series_pass_time(const struct packet_set *packet_set)
{
	vtime first = VTIME_NEVER, last = 0;

	for (size_t i = 0; i < packet_set->n; i++) {
		first = vtime_min(first, packet_set->frames[i].when);
		last = vtime_max(last, packet_set->frames[i].when);
	}
	if (packet_set->n)
		return last - first + PASS_GAP;
	return PASS_GAP;
}

static size_t series_longest(const struct packet_set *packet_set)
{
	size_t most = 1;

	for (size_t i = 0; i < packet_set->n; i++)
		if (packet_set->frames[i].len > most)
			most = packet_set->frames[i].len;
	return most;
}

int series_new(struct series **ret, const struct series_conf *conf,
	       size_t *ret_bad)
{
	struct series *s = memory_calloc(1, sizeof(*s));
	int err = ERR_NOMEM;

	if (!s)
		return ERR_NOMEM;
	s->conf = *conf;
	s->last = -1;
	s->pass_time = series_pass_time(conf->packet_set);
	s->scratch = memory_alloc(series_longest(conf->packet_set));
	s->first = memory_calloc(conf->packet_set->n + 1, sizeof(*s->first));
	if (s->scratch && s->first)
		err = look_up_all(s, ret_bad);
	if (err)
		series_free(s);
	else
		*ret = s;
	return err;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	free(s->edits);
	free(s->first);
	free(s->scratch);
	free(s);
}

/*
 * Returns how often a frame is sent in one pass; frames without a PDC are sent
 * once.
 */
static uint32_t copies_of(const struct series *s, size_t frame)
{
	if (!s->conf.pdcs)
		return 1;
	for (size_t i = s->first[frame]; i < s->first[frame + 1]; i++)
		if (!s->edits[i].sweep)
			return s->conf.pdcs;
	return 1;
}

uint64_t series_total(const struct series *s)
{
	uint64_t pass = 0, all = UINT64_MAX;

	for (size_t i = 0; i < s->conf.packet_set->n; i++)
		pass += copies_of(s, i);
	if (!pass)
		return 0;
	if (s->conf.passes && s->conf.passes < UINT64_MAX / pass)
		all = pass * s->conf.passes;
	if (s->conf.count && s->conf.count < all)
		return s->conf.count;
	return all;
}

/* ---- Frames ---- */

static uint64_t series_draw(const struct series *s, const struct edit *e)
{
	struct rng r = {s->conf.seed};

	r.state = rng_next(&r) ^ s->pass;
	r.state = rng_next(&r) ^ s->pdc;
	r.state = rng_next(&r) ^ e->salt;
	return rng_next(&r);
}

/*
 * Counts from values[0] to values[1] by the step, up or down, then starts
 * again.
 */
static uint64_t series_in_range(const struct sweep *w, uint64_t pass)
{
	const int64_t a = (int64_t)w->values[0], b = (int64_t)w->values[1];
	const uint64_t step = w->step ? w->step : 1;
	const uint64_t span =
		a <= b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
	const uint64_t way = pass % (span / step + 1) * step;

	if (a <= b)
		return (uint64_t)a + way;
	return (uint64_t)a - way;
}

static uint64_t series_value_of(const struct series *s, const struct edit *e)
{
	const struct sweep *w = e->sweep;

	if (!w)
		return e->own + s->pdc;
	switch (w->kind) {
	case SWEEP_STEP:
		return e->own + s->pass * w->step;
	case SWEEP_RANGE:
		return series_in_range(w, s->pass);
	case SWEEP_RANDOM:
		return series_draw(s, e);
	case SWEEP_VALUES_OF:
		break;
	}
	return w->values[s->pass % w->n];
}

/* A derived value whose offset does not fit is truncated like a field. */
static void write_edit(const struct series *s, const struct edit *e, uint8_t *p)
{
	const uint64_t v = series_value_of(s, e);

	if (e->field)
		field_set(e->field, p + e->at, v);
	else
		derived_set(e->h, e->derived, p + e->at, (uint32_t)v);
}

static void series_seal(const struct packet_set *packet_set,
			const struct packet_set_frame *f, uint8_t *p)
{
	struct frame_info info;
	struct dgram d;

	frame_mend(&f->info, p);
	if (!f->crc)
		return;
	/*
	 * The CRC is computed last, since it covers the new addresses and
	 * entropy.
	 */
	frame_find(&packet_set->conf, f->link, p, f->len, &d, &info);
	crc_write(&d, p + f->info.at, packet_set_packet_len(f), f->order);
	frame_mend(&f->info, p);
}

static const uint8_t *series_make(struct series *s,
				  const struct packet_set_frame *f)
{
	const uint8_t *p = s->conf.packet_set->bytes + f->at;

	if (s->first[s->frame] == s->first[s->frame + 1])
		return p;
	memcpy(s->scratch, p, f->len);
	for (size_t i = s->first[s->frame]; i < s->first[s->frame + 1]; i++)
		write_edit(s, &s->edits[i], s->scratch);
	series_seal(s->conf.packet_set, f, s->scratch);
	return s->scratch;
}

static vtime series_time_of(struct series *s, const struct packet_set_frame *f)
{
	const vtime first = s->conf.packet_set->frames[0].when;
	vtime at;

	if (s->conf.interval)
		at = (vtime)s->made * s->conf.interval;
	else
		at = (vtime)s->pass * s->pass_time + f->when - first;
	s->last = vtime_max(at, s->last + 1);
	return s->last;
}

static void step_on(struct series *s)
{
	s->made++;
	if (++s->pdc < copies_of(s, s->frame))
		return;
	s->pdc = 0;
	if (++s->frame < s->conf.packet_set->n)
		return;
	s->frame = 0;
	s->pass++;
}

bool series_next(struct series *s, struct series_frame *ret)
{
	const struct packet_set_frame *f;

	if (!s->conf.packet_set->n ||
	    (s->conf.passes && s->pass == s->conf.passes) ||
	    (s->conf.count && s->made == s->conf.count))
		return false;
	f = &s->conf.packet_set->frames[s->frame];
	ret->p = series_make(s, f);
	ret->len = f->len;
	ret->link = f->link;
	ret->at = series_time_of(s, f);
	ret->from = s->frame;
	step_on(s);
	return true;
}
