/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/summary.c -- keeps the data of a run that reports need after
 * its records are reused.
 */
#include "reports/result/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/ladder/ladder.h"
#include "reports/ladder/ladder_entry.h"
#include "reports/ladder/ladder_svg.h"

/*
 * The size limits of the page: in total, per result, and the least for
 * drawings.
 */
#define PAGE_MAX   (9u << 20)
#define RESULT     600
#define ROOM_LEAST (1u << 20)

/* Collects the requirements of one case. */
struct summary_gather {
	bool of[REQ_COUNT][2];
};

int summary_new(struct summary **ret, bool strict)
{
	struct summary *s = memory_calloc(1, sizeof(*s));

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
	free(s->folds);
	free(s);
}

void summary_draw(struct summary *s, size_t planned)
{
	const size_t taken =
		planned < PAGE_MAX / RESULT ? planned * RESULT : PAGE_MAX;

	if (PAGE_MAX - taken > ROOM_LEAST)
		s->room = PAGE_MAX - taken;
	else
		s->room = ROOM_LEAST;
}

void summary_show(struct summary *s, const struct ladder_opts *screen,
		  size_t most)
{
	s->screen = *screen;
	s->to_show = most;
}

static bool is_req(enum req_id id)
{
	return (int)id >= 0 && id < REQ_COUNT;
}

/* ---- The requirements that a case covers ---- */

static void summary_gather(struct summary_gather *g, enum req_id id,
			   enum req_role role)
{
	if (!is_req(id))
		return;
	g->of[id][0] |= (role & REQ_SRC) != 0;
	g->of[id][1] |= (role & REQ_DST) != 0;
}

/*
 * Collects what a head covers.  A head covers what its two chairs test: the
 * target's requests are received, the initiator's are sent.  A case with one
 * chair covers all.
 */
static void gather_cover(struct summary_gather *g, const struct record *r,
			 const struct req_ref *ref)
{
	const struct chair_steps *chairs = r->test_case->chairs;
	enum req_role seat = r->chair == CHAIR_TARGET ? REQ_DST : REQ_SRC;
	bool one = !chairs[CHAIR_TARGET].present ||
		   !chairs[CHAIR_INITIATOR].present;

	if (ref->role == REQ_BOTH || ref->role == seat)
		summary_gather(g, ref->id, seat);
	else if (one)
		summary_gather(g, ref->id, ref->role);
}

static void gather_all(struct summary_gather *g, const struct record *r)
{
	memset(g, 0, sizeof(*g));
	for (size_t i = 0; r->test_case && i < r->test_case->ncovers; i++)
		gather_cover(g, r, &r->test_case->covers[i]);
	for (size_t i = 0; i < r->nreqs; i++)
		summary_gather(g, r->reqs[i].req, r->reqs[i].role);
	for (size_t i = 0; i < r->nfindings; i++)
		summary_gather(g, r->findings[i].req, r->findings[i].role);
}

/* Collects the requirements that a deviation of another row has hidden. */
static void gather_hidden(struct summary_gather *g, const struct record *r)
{
	memset(g, 0, sizeof(*g));
	for (size_t i = 0; i < r->nreqs; i++)
		if (r->reqs[i].not_reached)
			summary_gather(g, r->reqs[i].req, r->reqs[i].role);
}

static const struct req_ref *
refs_of(struct arena *a, const struct summary_gather *g, size_t *ret_n)
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

static const char *summary_keep(struct arena *a, const char *s, bool *ok)
{
	char *copy = arena_strndup(a, text_or(s, ""), s ? strlen(s) : 0);

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

static const struct summary_place *keep_places(struct arena *a,
					       const struct record *r, bool *ok)
{
	const vtime origin = ladder_origin(r);
	size_t *rows = record_rows(r);
	struct summary_place *p;

	p = arena_alloc(a, (r->nfindings ? r->nfindings : 1) * sizeof(*p));
	*ok &= p && (rows || !r->nfindings);
	for (size_t i = 0; *ok && i < r->nfindings; i++) {
		const char *source = record_source(r, &r->findings[i]);

		p[i] = (struct summary_place){
			.source = summary_keep(a, source, ok)};
		if (!rows[i])
			continue;
		p[i].at = ladder_when(&r->recs[rows[i] - 1]) - origin;
		p[i].timed = true;
	}
	free(rows);
	return p;
}

/*
 * Returns true if a drawing of the case is needed and fits; of cases that pass
 * the first repetition is enough.
 */
static bool summary_has_room(const struct summary *s, const struct record *r)
{
	const size_t packed = s->room / 5 * 3;

	if (r->verdict != VERDICT_PASS)
		return pack_size(&s->pack) < packed;
	return !r->repeat && pack_size(&s->pack) < packed / 5 * 4;
}

/* Keeps the drawing, with ids of frames to which findings link. */
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

	if (!s->room || !r->nrecs || !summary_has_room(s, r))
		return;
	snprintf(prefix, sizeof(prefix), "c%zu", s->ncases);
	ladder_svg(&t, r, &opts);
	if (r->verdict != VERDICT_PASS && s->drawn + t.len <= s->room / 5 * 2) {
		c->drawing = summary_keep(&s->arena, text_cstr(&t), ok);
		s->drawn += t.len;
	} else {
		c->packed = pack_add(&s->pack, text_cstr(&t));
		*ok &= c->packed != 0;
	}
	*ok &= !text_err(&t);
	text_free(&t);
}

static const char *keep_ladder(struct arena *a, const struct record *r,
			       const struct ladder_opts *opts, bool *ok)
{
	struct text t = {0};
	const char *ladder;

	if (r->verdict == VERDICT_PASS)
		return NULL;
	ladder_print(&t, r, opts);
	*ok &= !text_err(&t);
	ladder = summary_keep(a, text_cstr(&t), ok);
	text_free(&t);
	return ladder;
}

static size_t summary_count_packets(const struct record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nrecs; i++)
		n += r->recs[i].frame != 0;
	return n;
}

static bool keep_case(struct summary *s, const struct record *r,
		      const char *capture, struct summary_case *ret)
{
	const struct test_case *k = r->test_case;
	struct summary_gather *g = memory_alloc(sizeof(*g));
	bool ok = g != NULL;

	*ret = (struct summary_case){
		.id = summary_keep(&s->arena, r->id, &ok),
		.title = summary_keep(&s->arena, k ? k->title : "", &ok),
		.ref = summary_keep(&s->arena, k ? k->ref : "", &ok),
		.reason = summary_keep(&s->arena, r->reason, &ok),
		.path = summary_keep(&s->arena, k ? text_or(k->path, "") : "",
				     &ok),
		.capture =
			capture ? summary_keep(&s->arena, capture, &ok) : NULL,
		.ladder = keep_ladder(&s->arena, r, NULL, &ok),
		.chair = r->chair,
		.verdict = r->verdict,
		.kind = r->kind,
		.reason_id = r->reason_id,
		.teardown = r->teardown,
		.teardown_reason =
			summary_keep(&s->arena, r->teardown_reason, &ok),
		.seed = r->seed,
		.repeat = r->repeat,
		.rungs_expected = r->rungs_expected,
		.rungs_matched = r->rungs_matched,
		.packets = summary_count_packets(r),
		.wall_ns = r->wall_ns,
		.virtual_ns = r->virtual_ns,
		.ended = r->elapsed,
		.findings = keep_findings(&s->arena, r, &ok),
		.places = keep_places(&s->arena, r, &ok),
		.nfindings = r->nfindings,
	};
	ret->number = s->ncases;
	ret->state = baseline_judge(s->baseline, r, &ret->entry);
	if (s->to_show && r->verdict != VERDICT_PASS &&
	    r->verdict != VERDICT_NA && ret->state != BASELINE_KNOWN) {
		ret->shown = keep_ladder(&s->arena, r, &s->screen, &ok);
		s->to_show--;
	}
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

/* ---- The verdicts of the requirements ---- */

static bool is_remark_level(enum req_id id)
{
	enum req_level level = req_get(id)->level;

	return level == REQ_S || level == REQ_N || level == REQ_I;
}

static void summary_count_seen(struct summary *s, const struct rec_req *q)
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

static struct summary_claim *claim_of(struct summary *s, const struct record *r)
{
	for (size_t i = 0; i < s->nclaims; i++)
		if (strcmp(s->claims[i].name, r->claim) == 0)
			return &s->claims[i];
	if (s->nclaims < SUMMARY_CLAIMS)
		return &s->claims[s->nclaims++];
	return NULL;
}

static void count_claim(struct summary *s, const struct summary_case *c,
			const struct record *r)
{
	struct summary_claim *claim = r->claim[0] ? claim_of(s, r) : NULL;

	if (!claim)
		return;
	if (!claim->ncases++ || strcmp(c->id, claim->first) < 0)
		claim->first = c->id;
	memcpy(claim->name, r->claim, sizeof(claim->name));
	memcpy(claim->seen, r->claim_seen, sizeof(claim->seen));
}

static void summary_account(struct summary *s, const struct summary_case *c,
			    const struct record *r)
{
	count_claim(s, c, r);
	for (size_t i = 0; i < c->nreqs; i++)
		s->reqs[c->reqs[i].id][c->reqs[i].role == REQ_DST].listed =
			true;
	for (size_t i = 0; i < r->nreqs; i++)
		if (is_req(r->reqs[i].req))
			summary_count_seen(s, &r->reqs[i]);
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
	cases = memory_realloc(s->cases, size * sizeof(*cases));
	if (!cases)
		return false;
	s->cases = cases;
	s->cases_size = size;
	return true;
}

int summary_add(struct summary *s, const struct record *r, const char *capture)
{
	struct summary_case c;

	s->before = s->arena;
	if (!room_for_case(s) || !keep_case(s, r, capture, &c))
		return ERR_NOMEM;
	s->cases[s->ncases++] = c;
	summary_account(s, &c, r);
	return 0;
}

/*
 * Orders cases like the selection does: by id without the chair, the target
 * first.
 */
static int summary_by_id(const void *a, const void *b)
{
	const struct summary_case *x = a, *y = b;
	size_t n = strcspn(x->id, "@"), m = strcspn(y->id, "@");
	int order = memcmp(x->id, y->id, n < m ? n : m);

	if (!order)
		order = (n > m) - (n < m);
	if (!order)
		order = (int)x->chair - (int)y->chair;
	if (order)
		return order;
	return (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

void summary_sort(struct summary *s)
{
	if (s->ncases)
		qsort(s->cases, s->ncases, sizeof(*s->cases), summary_by_id);
}

/* ---- Queries ---- */

void summary_claim_say(struct text *t, const struct summary *s, size_t i)
{
	const struct summary_claim *c = &s->claims[i];

	text_printf(t,
		    "declaration not kept: the device claims \"%s\" and sends "
		    "%s; %zu case%s not reached, the first is %s",
		    c->name, c->seen, c->ncases, text_plural(c->ncases),
		    c->first);
}

size_t summary_fails(const struct summary *s)
{
	size_t n = s->fixed + s->nclaims;

	for (size_t i = 0; i < s->ncases; i++)
		if ((s->cases[i].verdict == VERDICT_FAIL ||
		     s->cases[i].teardown == VERDICT_FAIL) &&
		    s->cases[i].state != BASELINE_KNOWN)
			n += 1 + (s->cases[i].verdict == VERDICT_FAIL
					  ? s->cases[i].folded
					  : 0);
	for (size_t i = 0; s->baseline && i < s->baseline->n; i++)
		n += s->baseline->entries[i].expired;
	return n;
}

size_t summary_results(const struct summary *s)
{
	return s->ncases + s->nfolded;
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
	struct summary_flake f = {.runs = 0};
	const size_t n = summary_repeats(s, at);
	size_t most = 0, ran = 0;

	for (size_t i = 0; i < n; i++)
		f.of[s->cases[at + i].verdict] += 1 + s->cases[at + i].folded;
	for (int v = 0; v < VERDICT_COUNT; v++)
		f.runs += f.of[v];
	for (int v = 0; v < VERDICT_COUNT; v++) {
		if (v == VERDICT_NA)
			continue;
		ran += f.of[v];
		if (f.of[v] > most)
			most = f.of[v];
	}
	if (ran > 1)
		f.score = 2 * (double)(ran - most) / (double)ran;
	if (f.score > 1)
		f.score = 1;
	return f;
}

static const struct summary_req *
summary_req_of(const struct summary *s, enum req_id id, enum req_role role)
{
	return &s->reqs[id][role == REQ_DST];
}

/* Returns whether a line counts on a choice that the device made otherwise. */
static bool reason_is_choice(enum reason reason)
{
	return reason == REASON_SEVERAL_PDCS || reason == REASON_SMALL_WINDOW ||
	       reason == REASON_CLOSED_IDLE || reason == REASON_PSNS_USED_UP ||
	       reason == REASON_NO_CREDIT;
}

const char *summary_na_reason(const struct summary_case *c)
{
	const char *s = c->reason;

	if (reason_is_choice(c->reason_id))
		return reason_text(c->reason_id);
	if (strncmp(s, "line ", 5))
		return s;
	s += 5;
	s += strspn(s, "0123456789");
	if (strncmp(s, ": ", 2))
		return c->reason;
	return s + 2;
}

enum req_verdict summary_verdict(const struct summary *s, enum req_id id,
				 enum req_role role)
{
	const struct summary_req *q = summary_req_of(s, id, role);
	const enum req_seen need = req_seen_of(id, role);

	if (q->failed && s->explained[id][role == REQ_DST].role)
		return REQ_VERDICT_NOT_REACHED;
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
	return summary_req_of(s, id, role)->listed;
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

	if (v < REQ_VERDICT_COUNT)
		return names[v];
	return "unknown";
}
