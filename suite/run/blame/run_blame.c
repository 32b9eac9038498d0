/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_blame.c -- records findings, and the result of each
 * requirement.
 *
 * A line of a case names several requirements; a deviation fails the one that
 * governs the differing item.  If a monitor reports the same deviation on the
 * same packet, its finding replaces that of the line.  The other ids of the
 * line are settled by their own fields.
 */
#include "suite/run/blame/run_blame.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "suite/run/blame/run_other.h"
#include "suite/run/blame/run_over.h"
#include "suite/run/link/run_figure.h"
#include "suite/run/match/match_differs.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"

static struct rec_req *req_room(struct record *rec)
{
	if (rec->nreqs == rec->reqs_size) {
		size_t n = rec->reqs_size ? rec->reqs_size * 2 : 64;
		struct rec_req *q = memory_realloc(rec->reqs, n * sizeof(*q));

		if (!q) {
			rec->failed_alloc = true;
			return NULL;
		}
		rec->reqs = q;
		rec->reqs_size = n;
	}
	return &rec->reqs[rec->nreqs++];
}

/* Returns the result of a requirement in this case; makes it on first use. */
static struct rec_req *run_blame_req_of(struct runner *r, enum req_id id,
					enum req_role role)
{
	struct record *rec = r->rec;
	uint16_t *const at = &r->req_at[id][role];
	struct rec_req *q;

	if (*at < rec->nreqs && rec->reqs[*at].req == id &&
	    rec->reqs[*at].role == role)
		return &rec->reqs[*at];
	*at = (uint16_t)rec->nreqs; /* each has one result: it has none yet */
	q = req_room(rec);
	if (q)
		*q = (struct rec_req){.req = id, .role = role};
	return q;
}

void run_req(struct runner *r, enum req_id id, enum req_role role, bool wire,
	     bool control, bool failed)
{
	struct rec_req *q = run_blame_req_of(r, id, role);

	if (!q)
		return;
	q->wire |= wire;
	q->control |= control;
	q->failed |= failed;
}

void run_observed(struct runner *r, const struct step *step, bool wire,
		  bool control)
{
	for (size_t i = 0; i < step->nreqs; i++)
		run_req(r, step->reqs[i].id, step->reqs[i].role, wire, control,
			false);
}

void run_observed_refusal(struct runner *r, const struct step *step)
{
	static const char codes[] = "UET-NACK-";

	for (size_t i = 0; i < step->nreqs; i++)
		if (strncmp(req_get(step->reqs[i].id)->id, codes,
			    sizeof(codes) - 1) != 0)
			run_req(r, step->reqs[i].id, step->reqs[i].role, true,
				false, false);
}

static void not_reached(struct runner *r, enum req_id id, enum req_role role)
{
	struct rec_req *q = run_blame_req_of(r, id, role);

	if (q)
		q->not_reached = true;
}

/*
 * Marks a requirement as masked: a deviation of another row hides its result.
 */
static void masked(struct runner *r, enum req_id id, enum req_role role)
{
	struct rec_req *q = run_blame_req_of(r, id, role);

	if (q)
		q->masked = true;
}

static struct rec_finding *finding_room(struct record *rec)
{
	if (rec->nfindings == RECORD_FINDINGS) {
		rec->findings_left_out++;
		return NULL;
	}
	if (rec->nfindings == rec->findings_size) {
		size_t n = rec->findings_size ? rec->findings_size * 2 : 8;
		struct rec_finding *f =
			memory_realloc(rec->findings, n * sizeof(*f));

		if (!f) {
			rec->failed_alloc = true;
			return NULL;
		}
		rec->findings = f;
		rec->findings_size = n;
	}
	return &rec->findings[rec->nfindings++];
}

/* Adds the finding to the note of its packet, for the capture. */
static void note_finding(struct runner *r, const struct rec_finding *found)
{
	struct rec_finding shown = *found;
	const struct rec_finding *f = &shown;
	char note[360];
	int n;

	if (shown.live)
		link_figure(r, &shown);
	if (f->expected[0] && f->actual[0])
		n = snprintf(note, sizeof(note),
			     "expected %.120s, got %.120s [", f->expected,
			     f->actual);
	else
		n = snprintf(note, sizeof(note), "%.240s [", f->text);
	snprintf(note + n, sizeof(note) - (size_t)n, "%s/%s]",
		 req_get(f->req)->id, req_role_name(f->role));
	for (size_t i = 0; f->frame && i < r->rec->nrecs; i++)
		if (r->rec->recs[i].frame == f->frame)
			record_note(r->rec, i, note);
}

static bool is_remark(const struct runner *r, enum req_id id)
{
	const enum req_level level = req_get(id)->level;

	return level != REQ_M && !(r->conf->strict && level != REQ_N);
}

static enum req_role seat_of(const struct runner *r)
{
	if (r->rec->chair == CHAIR_TARGET)
		return REQ_DST;
	return REQ_SRC;
}

/* Returns the row under which the declaration lists the deviation. */
static struct blame_row row_known(const struct runner *r,
				  const struct deviation *d)
{
	return (struct blame_row){d->req,
				  d->role == REQ_BOTH ? seat_of(r) : d->role,
				  BLAME_BY_LINE};
}

/* Reports a known or stepped-over deviation, once in a case. */
static bool run_blame_is_told(const struct runner *r,
			      const struct rec_finding *f)
{
	if (!f->known && !f->stepped)
		return false;
	for (size_t i = 0; i < r->rec->nfindings; i++) {
		const struct rec_finding *old = &r->rec->findings[i];

		if (old != f && old->req == f->req && old->role == f->role &&
		    (old->known || old->stepped) &&
		    strcmp(old->what, f->what) == 0)
			return true;
	}
	return false;
}

/* Removes a finding; |from| is an index behind it. */
static void take_away(struct record *rec, struct rec_finding *f, size_t *from)
{
	const size_t behind =
		(size_t)(rec->findings + rec->nfindings - (f + 1));

	memmove(f, f + 1, behind * sizeof(*f));
	rec->nfindings--;
	--*from;
}

/* Adds a finding of a row; |what| is the item, "" if unknown. */
static void run_blame_add(struct runner *r, const struct flaw *flaw,
			  const struct blame_row *row, const char *what,
			  const char *text)
{
	const struct deviation *known = over_known(r, what, flaw->frame);
	const struct blame_row own = known ? row_known(r, known) : *row;
	const struct step *step = flaw->step;
	struct rec_finding *f = finding_room(r->rec);

	if (!f) {
		run_req(r, own.req, own.role, false, false,
			!is_remark(r, own.req));
		return;
	}
	memset(f, 0, sizeof(*f));
	f->req = own.req;
	f->role = own.role;
	f->known = known != NULL;
	f->stepped = flaw->over != OVER_NOT;
	f->shaken = flaw->over == OVER_SHAKEN;
	r->shaken |= f->shaken;
	f->ended = r->gone && !flaw->frame;
	f->live = flaw->live;
	f->kind = flaw->kind;
	f->unread = flaw->unread;
	f->remark = is_remark(r, own.req);
	f->phase = r->phase;
	f->frame = flaw->frame;
	f->blamed = (uint8_t)(flaw->content ? BLAME_BY_CONTENT : row->by);
	/* a missing packet counts as missing after the last packet */
	f->moment = 2 * (flaw->frame ? flaw->frame : r->frame) + !flaw->frame;
	f->seen = step && step->kind == STEP_NEVER;
	f->line = step ? step->line : 0;
	f->file = step ? step->file : NULL;
	snprintf(f->what, sizeof(f->what), "%s", what);
	snprintf(f->text, sizeof(f->text), "%s", text);
	snprintf(f->expected, sizeof(f->expected), "%s", flaw->expected);
	snprintf(f->actual, sizeof(f->actual), "%s", flaw->actual);
	run_req(r, f->req, f->role, false, false, !f->remark);
	note_finding(r, f);
	if (run_blame_is_told(r, f))
		r->rec->nfindings--;
}

/*
 * Between two endpoints a line proves something only while the other endpoint
 * sends exactly the packets that the lines name.  Returns the other endpoint's
 * first frame that no line names, or 0.
 */
static uint32_t peer_strayed(const struct runner *r)
{
	for (size_t i = 0; i < r->outbox_n; i++) {
		const struct rec *rec = &r->rec->recs[r->outbox[i].index];

		if (!rec->line)
			return rec->frame;
	}
	return 0;
}

/* ---- Lines ---- */

static bool run_blame_ends_in(const char *item, const char *word)
{
	const char *dot = strchr(item, '.');

	return dot && strcmp(dot + 1, word) == 0;
}

/* Returns true if such a packet shows nothing of what the line tests. */
static bool hides_all(const char *item)
{
	static const char *const words[] = {"type",      "missing", "resend",
					    "malformed", "psn",     "ack_psn",
					    "nack_psn",  "pkt_id",  "msg_id"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (run_blame_ends_in(item, words[i]))
			return true;
	return false;
}

/* Returns true if a monitor's finding is about that item. */
static bool concerns(const struct rec_finding *f, const char *item)
{
	if (strcmp(f->what, item) == 0)
		return true;
	if (run_blame_ends_in(item, "type") ||
	    run_blame_ends_in(item, "malformed"))
		return true;
	return !f->what[0] && blame_names(blame_governed(f->req), item);
}

/*
 * Returns the monitor's finding for the same item of the same packet, or NULL.
 * A finding of a remark does not replace that of a must.
 */
static struct rec_finding *monitor_said(const struct runner *r, uint32_t frame,
					const char *item,
					const struct blame_row *row)
{
	const bool known =
		row->by <= BLAME_BY_TABLE || run_blame_ends_in(item, "type");
	const bool must = known && !is_remark(r, row->req);

	for (size_t i = 0; frame && i < r->rec->nfindings; i++) {
		struct rec_finding *f = &r->rec->findings[i];

		if (!f->line && f->frame == frame && concerns(f, item) &&
		    !(f->remark && must))
			return f;
	}
	return NULL;
}

static bool differs_in(const struct blame *what, const char *items)
{
	for (size_t i = 0; i < what->n; i++)
		if (blame_names(items, what->item[i]))
			return true;
	return false;
}

bool run_hides_all(const struct blame *what)
{
	for (size_t i = 0; i < what->n; i++)
		if (hides_all(what->item[i]))
			return true;
	return false;
}

/* Settles the ids of the line without a finding by their own fields. */
static void count_others(struct runner *r, const struct flaw *flaw)
{
	const struct step *step = flaw->step;
	const bool hidden = run_hides_all(flaw->what);
	struct blame looks = {.n = 0};

	if (step->kind == STEP_EXPECT)
		match_looks(&step->rung, &looks);
	for (size_t i = 0; i < step->nreqs; i++) {
		const struct req_ref *ref = &step->reqs[i];
		const char *items = blame_items(ref);

		if (differs_in(flaw->what, items))
			masked(r, ref->id, ref->role);
		else if (!hidden && differs_in(&looks, items))
			run_req(r, ref->id, ref->role, true, false, false);
		else
			not_reached(r, ref->id, ref->role);
	}
}

/*
 * Removes a monitor's finding, because a line has a narrower row for the item.
 */
static void run_blame_drop(struct runner *r, struct rec_finding *f)
{
	struct record *rec = r->rec;
	const enum req_id id = f->req;
	const enum req_role role = f->role;
	struct rec_req *q = run_blame_req_of(r, id, role);
	bool failed = false;

	memmove(f, f + 1,
		(size_t)(rec->findings + rec->nfindings - (f + 1)) *
			sizeof(*f));
	rec->nfindings--;
	for (size_t i = 0; i < rec->nfindings; i++)
		failed |= rec->findings[i].req == id &&
			  rec->findings[i].role == role &&
			  !rec->findings[i].remark;
	if (q)
		q->failed = failed;
	masked(r, id, role);
}

/* Adds the line's rungs to the finding of a monitor that shows no fields. */
static void run_blame_show(struct runner *r, struct rec_finding *f,
			   const struct flaw *flaw)
{
	if (f->expected[0] || f->actual[0])
		return;
	if (f->live)
		link_figure(r, f);
	snprintf(f->expected, sizeof(f->expected), "%s", flaw->expected);
	snprintf(f->actual, sizeof(f->actual), "%s", flaw->actual);
}

/* Returns whether the line's row for the item is preferred to the monitor's. */
static bool run_blame_is_better(const struct runner *r,
				const struct blame_row *row,
				const struct rec_finding *said)
{
	return row->by == BLAME_BY_LINE &&
	       (said->remark || !is_remark(r, row->req));
}

static bool is_among(const struct blame_row *rows, size_t n, enum req_id id)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].req == id)
			return true;
	return false;
}

/*
 * Returns true if the line already has a finding of that row, from |from| on.
 */
static bool run_blame_is_named(const struct record *rec, size_t from,
			       const struct blame_row *row)
{
	for (size_t i = from; i < rec->nfindings; i++)
		if (rec->findings[i].req == row->req &&
		    rec->findings[i].role == row->role)
			return true;
	return false;
}

/*
 * Chooses the rows of an item.  If the tester provoked a NACK by a trimmed
 * request (run_refuse.c), the row is UET-NACK-01, and not one of the line.
 */
static size_t run_blame_rows(const struct runner *r, const struct step *step,
			     const char *item, struct blame_row *ret)
{
	static const char *const items[] = {"nack.missing", "nack.type",
					    "nack.nack_code"};
	const struct blame_of of = {step->reqs, step->nreqs, r->rec->family,
				    seat_of(r)};

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
		if (r->scope.trimmed && strcmp(item, items[i]) == 0) {
			ret[0] = (struct blame_row){.req = REQ_UET_NACK_01,
						    .role = REQ_DST};
			return 1;
		}
	return blame_choose(&of, item, ret);
}

/* Return: true if the finding violates a must. */
static bool blame_item(struct runner *r, const struct flaw *flaw,
		       const char *item, const char *text, size_t *from)
{
	struct blame_row rows[BLAME_ROWS];
	const size_t n = run_blame_rows(r, flaw->step, item, rows);
	struct rec_finding *said = monitor_said(r, flaw->frame, item, rows);
	bool must = said && !said->remark;

	if (said && flaw->content) /* the line or a monitor knows the row */
		return must;
	if (said && !run_blame_is_better(r, rows, said)) {
		run_blame_show(r, said, flaw);
		said->stepped |= flaw->over != OVER_NOT;
		said->shaken |= flaw->over == OVER_SHAKEN;
		r->shaken |= said->shaken;
		if (run_blame_is_told(r, said))
			take_away(r->rec, said, from);
		return must;
	}
	if (said && strcmp(said->what, item) == 0 &&
	    !is_among(rows, n, said->req)) {
		run_blame_drop(r, said);
		--*from;
	}
	for (size_t i = 0; i < n; i++) {
		if (!run_blame_is_named(r->rec, *from, &rows[i]))
			run_blame_add(r, flaw, &rows[i], item, text);
		must |= !is_remark(r, rows[i].req);
	}
	return must;
}

/* Returns true for fields that follow from the error of a response. */
static bool run_blame_follows(const struct flaw *flaw, const char *item)
{
	return flaw->refused && strcmp(item, "ses.return_code") != 0 &&
	       (strncmp(item, "ses.", 4) == 0 ||
		strcmp(item, "ack.cack_psn") == 0 ||
		strcmp(item, "ack.req") == 0 || strcmp(item, "ack.data") == 0);
}

/* Assigns each item to its row; a row with several items gets one finding. */
static bool blame_line(struct runner *r, const struct flaw *flaw,
		       const char *text)
{
	size_t from = r->rec->nfindings;
	bool must = false;

	for (size_t i = 0; i < flaw->what->n; i++)
		if (!run_blame_follows(flaw, flaw->what->item[i]))
			must |= blame_item(r, flaw, flaw->what->item[i], text,
					   &from);
	return must;
}

bool run_finding(struct runner *r, const struct flaw *flaw, const char *fmt,
		 ...)
{
	char text[sizeof(((struct rec_finding *)0)->text)];
	bool must;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (flaw->step->line && peer_strayed(r)) {
		run_settle(r, REASON_PEER_STRAYED,
			   "the other endpoint sent frame %u, which no line "
			   "says: %.160s",
			   peer_strayed(r), text);
		return true;
	}
	if (flaw->step->line &&
	    run_is_other(r, flaw->step, flaw->what, flaw->frame, text))
		return true;
	if (!flaw->step->nreqs) /* an optional line may have no ids */
		return false;
	must = blame_line(r, flaw, text);
	count_others(r, flaw);
	return must;
}

bool run_only_remarks(const struct runner *r, const struct step *step,
		      const struct blame *what)
{
	const struct blame_of of = {step->reqs, step->nreqs, r->rec->family,
				    seat_of(r)};
	struct blame_row rows[BLAME_ROWS];

	for (size_t i = 0; step->nreqs && i < what->n; i++) {
		const size_t n = blame_choose(&of, what->item[i], rows);

		if (hides_all(what->item[i]))
			return false;
		for (size_t j = 0; j < n; j++)
			if (!is_remark(r, rows[j].req))
				return false;
	}
	return step->nreqs && what->n;
}

bool run_event(struct runner *r, const struct flaw *flaw, const char *class,
	       const char *word, const char *text)
{
	struct blame what = {.n = 0};
	struct flaw one = *flaw;

	blame_add(&what, class, word);
	one.what = &what;
	return run_finding(r, &one, "%s", text);
}

/* ---- Monitors ---- */

/* Returns the first field of |said| that differs in |other|. */
static bool run_blame_field_in(const struct record *rec, size_t index,
			       const char *said, const char *other,
			       char ret[static BLAME_ITEM])
{
	for (const char *s = said; *s; s += strcspn(s, " ")) {
		char word[64];
		size_t n;

		s += strspn(s, " ");
		n = strcspn(s, " ");
		snprintf(word, sizeof(word), "%.*s", (int)n, s);
		if (n && !strstr(other, word) &&
		    match_item(rec, index, s, strcspn(word, "=!<>"), ret))
			return true;
	}
	return false;
}

/*
 * Finds the item of the packet's class that the row governs, if there is only
 * one.
 */
static void only_item(const struct record *rec, size_t index, enum req_id id,
		      char ret[static BLAME_ITEM])
{
	const char *items = blame_governed(id);
	struct packet pkt;
	const char *class;
	size_t n;

	ret[0] = 0;
	record_packet(rec, &rec->recs[index], &pkt);
	class = blame_class(packet_word(&pkt));
	for (const char *s = text_or(items, ""); *s; s += n) {
		s += strspn(s, " ,");
		n = strcspn(s, " ,");
		if (n <= strlen(class) ||
		    strncmp(s, class, strlen(class)) != 0 ||
		    s[strlen(class)] != '.')
			continue;
		if (ret[0]) {
			ret[0] = 0;
			return;
		}
		snprintf(ret, BLAME_ITEM, "%.*s", (int)n, s);
	}
}

/* Returns the item of a monitor's finding; "" if it is unknown. */
static void monitor_item(const struct record *rec, const struct finding *f,
			 char ret[static BLAME_ITEM])
{
	const size_t index = record_entry_of(rec, f->frame);

	ret[0] = 0;
	if (index == SIZE_MAX ||
	    run_blame_field_in(rec, index, f->actual, f->expected, ret) ||
	    run_blame_field_in(rec, index, f->expected, f->actual, ret))
		return;
	only_item(rec, index, f->req, ret);
}

/* Orders rows: musts first, then the row that governs fewer items. */
static bool run_blame_is_narrower(enum req_id a, enum req_id b)
{
	const bool must = req_get(a)->level == REQ_M;

	if (must != (req_get(b)->level == REQ_M))
		return must;
	return blame_width(blame_governed(a)) < blame_width(blame_governed(b));
}

/*
 * Returns true if two monitors report the same field of the same packet, so
 * that one finding is enough.
 */
static bool is_same_cause(const struct finding *f, const char *what,
			  const struct finding *other, const char *others)
{
	return what[0] && other->req != f->req && other->frame == f->frame &&
	       other->role == f->role && strcmp(what, others) == 0;
}

static bool another_says(const struct finding *f, size_t n, size_t self,
			 char (*what)[BLAME_ITEM])
{
	for (size_t i = 0; i < n; i++) {
		if (i == self ||
		    !is_same_cause(&f[self], what[self], &f[i], what[i]))
			continue;
		if (run_blame_is_narrower(f[i].req, f[self].req) ||
		    (i < self && !run_blame_is_narrower(f[self].req, f[i].req)))
			return true;
	}
	return false;
}

void run_judged(struct runner *r, const struct finding *f, size_t n)
{
	char what[RUN_FINDINGS][BLAME_ITEM];

	for (size_t i = 0; i < n; i++)
		monitor_item(r->rec, &f[i], what[i]);
	for (size_t i = 0; i < n; i++) {
		const struct blame_row row = {f[i].req, f[i].role,
					      BLAME_BY_MONITOR};

		if (another_says(f, n, i, what)) {
			masked(r, f[i].req, f[i].role);
			continue;
		}
		run_blame_add(r,
			      &(struct flaw){.kind = f[i].timing
							     ? KIND_TIMING
							     : KIND_PROTOCOL,
					     .unread = f[i].unread,
					     .frame = f[i].frame,
					     .expected = f[i].expected,
					     .actual = f[i].actual,
					     .live = true},
			      &row, what[i], f[i].text);
	}
}

/* ---- Requirements that the deviation hid ---- */

static void hide_steps(struct runner *r, const struct step *s)
{
	for (; s; s = s->next) {
		for (size_t i = 0; i < s->nreqs; i++)
			not_reached(r, s->reqs[i].id, s->reqs[i].role);
		for (size_t i = 0; i < s->ngroups; i++)
			hide_steps(r, s->groups[i]);
	}
}

static void hide_covered(struct runner *r)
{
	const enum req_role seat = seat_of(r);

	for (size_t i = 0; i < r->test_case->ncovers; i++)
		if (r->test_case->covers[i].role & seat)
			not_reached(r, r->test_case->covers[i].id, seat);
}

void run_hidden(struct runner *r)
{
	hide_steps(r, r->test_case->chairs[r->rec->chair].first);
	hide_covered(r);
}

void run_account(struct record *rec)
{
	for (size_t i = 0; i < rec->nreqs; i++) {
		struct rec_req *q = &rec->reqs[i];

		if (q->masked && !q->failed) {
			q->wire = q->control = false;
			q->not_reached = true;
		}
		if (q->wire || q->control || q->failed)
			q->not_reached = false;
	}
}
