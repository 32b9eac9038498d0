/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/summary.c -- what is kept of a run after its records are reused.
 */
#include "reports/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "reports/ladder.h"
#include "reports/ladder_pen.h"
#include "reports/ladder_svg.h"

/* The page: all of it, what a result takes, and the least for drawings. */
#define PAGE_MAX   (9u << 20)
#define RESULT     600
#define ROOM_LEAST (1u << 20)

/* Requirements of one case while they are gathered. */
struct gather {
	bool of[REQ_COUNT][2];
};

int summary_new(struct summary **ret, bool strict)
{
	struct summary *s = calloc(1, sizeof(*s));

	if (!s)
		return ERR_NOMEM;
	s->strict = strict;
	*ret = s;
	return 0;
}

void summary_free(struct summary *s)
{
	if (!s)
		return;
	arena_free(&s->arena);
	pack_free(&s->pack);
	free(s->cases);
	free(s);
}

void summary_draw(struct summary *s, size_t planned)
{
	const size_t taken =
		planned < PAGE_MAX / RESULT ? planned * RESULT : PAGE_MAX;

	s->room = PAGE_MAX - taken > ROOM_LEAST ? PAGE_MAX - taken : ROOM_LEAST;
}

static bool is_req(enum req_id id)
{
	return (int)id >= 0 && id < REQ_COUNT;
}

/* ---- Which requirements a case is about ---- */

static void gather(struct gather *g, enum req_id id, enum req_role role)
{
	if (!is_req(id))
		return;
	g->of[id][0] |= (role & REQ_SRC) != 0;
	g->of[id][1] |= (role & REQ_DST) != 0;
}

/*
 * A head covers what both of its chairs test: of these the target's requests
 * are received, the initiator's are sent.  A case with one chair has all.
 */
static void gather_cover(struct gather *g, const struct record *r,
			 const struct req_ref *ref)
{
	const struct chair_steps *chairs = r->kase->chairs;
	enum req_role seat = r->chair == CHAIR_TARGET ? REQ_DST : REQ_SRC;
	bool one = !chairs[CHAIR_TARGET].present ||
		   !chairs[CHAIR_INITIATOR].present;

	if (ref->role == REQ_BOTH || ref->role == seat)
		gather(g, ref->id, seat);
	else if (one)
		gather(g, ref->id, ref->role);
}

static void gather_all(struct gather *g, const struct record *r)
{
	memset(g, 0, sizeof(*g));
	for (size_t i = 0; r->kase && i < r->kase->ncovers; i++)
		gather_cover(g, r, &r->kase->covers[i]);
	for (size_t i = 0; i < r->nreqs; i++)
		gather(g, r->reqs[i].req, r->reqs[i].role);
	for (size_t i = 0; i < r->nfindings; i++)
		gather(g, r->findings[i].req, r->findings[i].role);
}

/* What a deviation of another row has hidden. */
static void gather_hidden(struct gather *g, const struct record *r)
{
	memset(g, 0, sizeof(*g));
	for (size_t i = 0; i < r->nreqs; i++)
		if (r->reqs[i].not_reached)
			gather(g, r->reqs[i].req, r->reqs[i].role);
}

static const struct req_ref *refs_of(struct arena *a, const struct gather *g,
				     size_t *ret_n)
{
	struct req_ref *refs;
	size_t n = 0;

	for (int id = 0; id < REQ_COUNT; id++)
		n += (size_t)g->of[id][0] + g->of[id][1];
	refs = arena_alloc(a, (n ? n : 1) * sizeof(*refs));
	*ret_n = n;
	if (!refs)
		return NULL;
	n = 0;
	for (int id = 0; id < REQ_COUNT; id++)
		for (int dst = 0; dst < 2; dst++)
			if (g->of[id][dst])
				refs[n++] = (struct req_ref){
					.id = (enum req_id)id,
					.role = dst ? REQ_DST : REQ_SRC};
	return refs;
}

/* ---- Copies ---- */

static const char *keep(struct arena *a, const char *s, bool *ok)
{
	char *copy = arena_strndup(a, s ? s : "", s ? strlen(s) : 0);

	*ok &= copy != NULL;
	return copy;
}

static const struct rec_finding *keep_findings(struct arena *a,
					       const struct record *r, bool *ok)
{
	struct rec_finding *f;

	f = arena_alloc(a, (r->nfindings ? r->nfindings : 1) * sizeof(*f));
	*ok &= f != NULL;
	for (size_t i = 0; f && i < r->nfindings; i++) {
		f[i] = r->findings[i];
		f[i].file = NULL; /* lent to the record only */
	}
	return f;
}

static const char *source_in(const struct step *s, const struct rec_finding *f)
{
	for (; s; s = s->next) {
		if (s->line == f->line && f->file && s->file &&
		    strcmp(s->file, f->file) == 0)
			return s->source;
		for (size_t i = 0; i < s->ngroups; i++) {
			const char *in = source_in(s->groups[i], f);

			if (in)
				return in;
		}
	}
	return NULL;
}

static const struct summary_place *keep_places(struct arena *a,
					       const struct record *r, bool *ok)
{
	struct summary_place *p;

	p = arena_alloc(a, (r->nfindings ? r->nfindings : 1) * sizeof(*p));
	*ok &= p != NULL;
	for (size_t i = 0; p && i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];
		const char *source = NULL;

		if (r->kase && f->line)
			source = source_in(r->kase->chairs[r->chair].first, f);
		p[i] = (struct summary_place){.source = keep(a, source, ok)};
		for (size_t j = 0; f->frame && j < r->nrecs; j++)
			if (r->recs[j].frame == f->frame) {
				p[i].at = ladder_when(&r->recs[j]) -
					  ladder_origin(r);
				p[i].timed = true;
			}
	}
	return p;
}

/* A pass is a pass: its first repetition is enough. */
static bool has_room(const struct summary *s, const struct record *r)
{
	const size_t packed = s->room / 5 * 3;

	if (r->verdict != VERDICT_PASS)
		return pack_size(&s->pack) < packed;
	return !r->repeat && pack_size(&s->pack) < packed / 5 * 4;
}

/* Frames have ids, so that a finding can point to its packet. */
static void keep_drawing(struct summary *s, const struct record *r,
			 struct summary_case *c, bool *ok)
{
	char prefix[32];
	struct svg_opts opts = {
		.form = SVG_INLINE,
		.prefix = r->verdict == VERDICT_PASS ? NULL : prefix,
		.ladder = {.bare = true},
	};
	struct text t = {0};

	if (!s->room || !r->nrecs || !has_room(s, r))
		return;
	snprintf(prefix, sizeof(prefix), "c%zu", s->ncases);
	ladder_svg(&t, r, &opts);
	if (r->verdict != VERDICT_PASS && s->drawn + t.len <= s->room / 5 * 2) {
		c->drawing = keep(&s->arena, text_cstr(&t), ok);
		s->drawn += t.len;
	} else {
		c->packed = pack_add(&s->pack, text_cstr(&t));
		*ok &= c->packed != 0;
	}
	*ok &= !text_err(&t);
	text_free(&t);
}

static const char *keep_ladder(struct arena *a, const struct record *r,
			       bool *ok)
{
	struct text t = {0};
	const char *ladder;

	if (r->verdict == VERDICT_PASS)
		return NULL;
	ladder_print(&t, r, NULL);
	*ok &= !text_err(&t);
	ladder = keep(a, text_cstr(&t), ok);
	text_free(&t);
	return ladder;
}

static size_t count_packets(const struct record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nrecs; i++)
		n += r->recs[i].frame != 0;
	return n;
}

static bool keep_case(struct summary *s, const struct record *r,
		      const char *capture, struct summary_case *ret)
{
	const struct kase *k = r->kase;
	struct gather *g = malloc(sizeof(*g));
	bool ok = g != NULL;

	*ret = (struct summary_case){
		.id = keep(&s->arena, r->id, &ok),
		.title = keep(&s->arena, k ? k->title : "", &ok),
		.ref = keep(&s->arena, k ? k->ref : "", &ok),
		.reason = keep(&s->arena, r->reason, &ok),
		.capture = capture ? keep(&s->arena, capture, &ok) : NULL,
		.ladder = keep_ladder(&s->arena, r, &ok),
		.chair = r->chair,
		.verdict = r->verdict,
		.kind = r->kind,
		.reason_id = r->reason_id,
		.teardown = r->teardown,
		.teardown_reason = keep(&s->arena, r->teardown_reason, &ok),
		.seed = r->seed,
		.repeat = r->repeat,
		.rungs_expected = r->rungs_expected,
		.rungs_matched = r->rungs_matched,
		.packets = count_packets(r),
		.wall_ns = r->wall_ns,
		.virtual_ns = r->virtual_ns,
		.findings = keep_findings(&s->arena, r, &ok),
		.places = keep_places(&s->arena, r, &ok),
		.nfindings = r->nfindings,
	};
	ret->number = s->ncases;
	ret->state =
		baseline_judge(s->baseline, r->id, r->verdict, &ret->entry);
	keep_drawing(s, r, ret, &ok);
	if (g) {
		gather_all(g, r);
		ret->reqs = refs_of(&s->arena, g, &ret->nreqs);
		gather_hidden(g, r);
		ret->not_reached = refs_of(&s->arena, g, &ret->nnot_reached);
		ok &= ret->reqs && ret->not_reached;
	}
	free(g);
	return ok;
}

/* ---- The account of the requirements ---- */

static bool is_remark_level(enum req_id id)
{
	enum req_level level = req_get(id)->level;

	return level == REQ_S || level == REQ_N || level == REQ_I;
}

static void count_seen(struct summary *s, const struct rec_req *q)
{
	for (int dst = 0; dst < 2; dst++) {
		struct summary_req *to = &s->reqs[q->req][dst];

		if (!(q->role & (dst ? REQ_DST : REQ_SRC)))
			continue;
		to->wire |= q->wire;
		to->control |= q->control;
		to->not_reached |= q->not_reached;
		to->failed |=
			q->failed && (s->strict || !is_remark_level(q->req));
	}
}

static void count_finding(struct summary *s, const struct rec_finding *f)
{
	for (int dst = 0; dst < 2; dst++) {
		struct summary_req *to = &s->reqs[f->req][dst];

		if (!(f->role & (dst ? REQ_DST : REQ_SRC)))
			continue;
		if (f->consequence)
			continue;
		if (f->remark && !s->strict)
			to->remarks++;
		else if (!f->doubtful)
			to->failed = true;
	}
}

static void account(struct summary *s, const struct summary_case *c,
		    const struct record *r)
{
	for (size_t i = 0; i < c->nreqs; i++)
		s->reqs[c->reqs[i].id][c->reqs[i].role == REQ_DST].listed =
			true;
	for (size_t i = 0; i < r->nreqs; i++)
		if (is_req(r->reqs[i].req))
			count_seen(s, &r->reqs[i]);
	for (size_t i = 0; i < r->nfindings; i++)
		if (is_req(r->findings[i].req))
			count_finding(s, &r->findings[i]);
	s->known += c->state == BASELINE_KNOWN;
	s->fixed += c->state == BASELINE_FIXED;
	s->wall_ns += r->wall_ns;
	if (r->verdict < VERDICT_COUNT)
		s->totals[r->verdict]++;
}

static bool room_for_case(struct summary *s)
{
	size_t size = s->cases_size ? 2 * s->cases_size : 64;
	struct summary_case *cases;

	if (s->ncases < s->cases_size)
		return true;
	cases = realloc(s->cases, size * sizeof(*cases));
	if (!cases)
		return false;
	s->cases = cases;
	s->cases_size = size;
	return true;
}

int summary_add(struct summary *s, const struct record *r, const char *capture)
{
	struct summary_case c;

	if (!room_for_case(s) || !keep_case(s, r, capture, &c))
		return ERR_NOMEM;
	s->cases[s->ncases++] = c;
	account(s, &c, r);
	return 0;
}

/* As the cases are picked: by the id without the chair, the target first. */
static int by_id(const void *a, const void *b)
{
	const struct summary_case *x = a, *y = b;
	size_t n = strcspn(x->id, "@"), m = strcspn(y->id, "@");
	int order = memcmp(x->id, y->id, n < m ? n : m);

	if (!order)
		order = (n > m) - (n < m);
	if (!order)
		order = (int)x->chair - (int)y->chair;
	return order ? order
		     : (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

void summary_sort(struct summary *s)
{
	if (s->ncases)
		qsort(s->cases, s->ncases, sizeof(*s->cases), by_id);
}

/* ---- Questions ---- */

size_t summary_fails(const struct summary *s)
{
	size_t n = s->fixed;

	for (size_t i = 0; i < s->ncases; i++)
		n += (s->cases[i].verdict == VERDICT_FAIL ||
		      s->cases[i].teardown == VERDICT_FAIL) &&
		     s->cases[i].state != BASELINE_KNOWN;
	for (size_t i = 0; s->baseline && i < s->baseline->n; i++)
		n += s->baseline->entries[i].expired;
	return n;
}

size_t summary_repeats(const struct summary *s, size_t at)
{
	size_t n = 1;

	while (at + n < s->ncases &&
	       strcmp(s->cases[at].id, s->cases[at + n].id) == 0)
		n++;
	return n;
}

struct summary_flake summary_flake(const struct summary *s, size_t at)
{
	struct summary_flake f = {{0}, 0};
	const size_t n = summary_repeats(s, at);
	size_t most = 0, ran = 0;

	for (size_t i = 0; i < n; i++)
		f.of[s->cases[at + i].verdict]++;
	for (int v = 0; v < VERDICT_COUNT; v++) {
		if (v == VERDICT_NA)
			continue;
		ran += f.of[v];
		most = f.of[v] > most ? f.of[v] : most;
	}
	if (ran > 1)
		f.score = 2 * (double)(ran - most) / (double)ran;
	if (f.score > 1)
		f.score = 1;
	return f;
}

static const struct summary_req *req_of(const struct summary *s, enum req_id id,
					enum req_role role)
{
	return &s->reqs[id][role == REQ_DST];
}

enum req_verdict summary_verdict(const struct summary *s, enum req_id id,
				 enum req_role role)
{
	const struct summary_req *q = req_of(s, id, role);
	enum req_seen need = req_get(id)->seen;

	if (q->failed)
		return REQ_VERDICT_FAIL;
	if (!q->wire && !q->control)
		return q->not_reached ? REQ_VERDICT_NOT_REACHED
				      : REQ_VERDICT_NA;
	if ((need == REQ_CONTROL || q->wire) &&
	    (need == REQ_WIRE || q->control))
		return REQ_VERDICT_PASS;
	return REQ_VERDICT_PARTIAL;
}

bool summary_listed(const struct summary *s, enum req_id id, enum req_role role)
{
	return req_of(s, id, role)->listed;
}

bool summary_has(const struct summary_case *c, enum req_id id,
		 enum req_role role)
{
	for (size_t i = 0; i < c->nreqs; i++)
		if (c->reqs[i].id == id && c->reqs[i].role == role)
			return true;
	return false;
}

const char *req_verdict_name(enum req_verdict v)
{
	static const char *const names[REQ_VERDICT_COUNT] = {
		[REQ_VERDICT_PASS] = "pass",
		[REQ_VERDICT_FAIL] = "fail",
		[REQ_VERDICT_PARTIAL] = "partial",
		[REQ_VERDICT_NOT_REACHED] = "not reached",
		[REQ_VERDICT_NA] = "na",
	};

	return v < REQ_VERDICT_COUNT ? names[v] : "unknown";
}
