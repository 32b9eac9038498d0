/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/text/text.c -- writes the run as text, case by case, and its
 * summary.
 */
#include "reports/text/text.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "reports/fold.h"
#include "reports/ladder/ladder.h"
#include "reports/safe.h"
#include "reports/text/text_causes.h"
#include "reports/text/text_line.h"
#include "reports/text/text_na.h"
#include "reports/text/text_slowest.h"
#include "reports/triage/triage.h"
#include "reports/triage/triage_words.h"
#include "reports/words.h"
#include "suite/decl/profile.h"

#define ID_COLUMNS      44
#define VERDICT_COLUMNS 14
#define HINT_COLUMNS    52
#define OVER_QUIET      10

static void put_span(struct text *t, vspan ns)
{
	uint64_t us = ns > 0 ? (uint64_t)ns / 1000 : 0;

	if (us >= 1000000)
		text_printf(t, "%" PRIu64 ".%" PRIu64 " s", us / 1000000,
			    us / 100000 % 10);
	else
		text_printf(t, "%" PRIu64 ".%" PRIu64 " ms", us / 1000,
			    us / 100 % 10);
}

/* ---- Begin and cases ---- */

/* Says what the declared profile makes mandatory and the device lacks. */
static void text_put_profile(struct text *t, const struct decl *d)
{
	struct text lacks = {0};

	if (!d || !d->profile)
		return;
	profile_lacks(&lacks, d);
	text_printf(t, "profile %s: ", d->profile->name);
	if (lacks.len)
		text_printf(t, "not claimed: %s\n\n", text_cstr(&lacks));
	else
		text_puts(t, "all that it makes mandatory is claimed\n\n");
	text_free(&lacks);
}

void text_begin(struct text *t, const struct about *a,
		const struct text_opts *o)
{
	(void)o;
	text_puts(t, "rung ");
	safe_puts(t, text_or(a->version, ""));
	text_puts(t, "   device ");
	safe_puts(t, text_or(a->dut, "?"));
	if (a->name && strcmp(a->name, text_or(a->dut, ""))) {
		text_puts(t, " (");
		safe_puts(t, a->name);
		text_puts(t, ")");
	}
	text_printf(t, "   seed %" PRIu64 "%s\n\n", a->seed,
		    a->strict ? "   strict" : "");
	text_put_profile(t, a->decl);
}

static void pad_to(struct text *t, size_t start, size_t columns)
{
	size_t used = t->len - start;

	text_fill(t, ' ', used < columns ? columns - used : 1);
}

/* Writes the reason behind the line if it fits there, else below it. */
static void text_report_put_reason(struct text *t, const struct record *r,
				   const struct text_opts *o, size_t used)
{
	const struct baseline_entry *entry;
	const enum baseline_state state =
		baseline_judge(o->baseline, r, &entry);
	struct text say = {0};

	if (state != BASELINE_NONE &&
	    (state != BASELINE_OTHER || entry->nunder)) {
		baseline_say(&say, state, entry);
		text_puts(&say, *r->reason ? "; " : "");
	}
	if (*fail_kind_name(r->kind))
		text_printf(&say, "%s: ", fail_kind_name(r->kind));
	safe_puts(&say, r->reason);
	if (say.len && used + 2 + say.len <= text_width(o)) {
		text_puts(t, "  ");
		used += 2;
	} else if (say.len) {
		text_puts(t, "\n");
		text_fill(t, ' ', VERDICT_COLUMNS);
		used = VERDICT_COLUMNS;
	} else {
		text_puts(t, "\n");
	}
	text_wrap(t, o, text_cstr(&say), used, VERDICT_COLUMNS);
	text_free(&say);
}

static void case_line(struct text *t, const struct record *r,
		      const struct text_opts *o)
{
	struct text took = {0};
	size_t start;

	text_printf(t, "%s%-13s%s ", text_color(o, r->verdict),
		    verdict_name(r->verdict), text_plain(o));
	start = t->len;
	safe_puts(t, r->id);
	if (r->repeat)
		text_printf(t, " (%" PRIu32 ")", r->repeat + 1);
	put_span(&took, r->wall_ns ? r->wall_ns : r->virtual_ns);
	pad_to(t, start, ID_COLUMNS + 8 - took.len);
	text_puts(t, text_cstr(&took));
	text_report_put_reason(t, r, o, VERDICT_COLUMNS + (t->len - start));
	text_free(&took);
}

/* Writes the verdict of the closing fragments on a line of its own. */
static void put_teardown(struct text *t, const struct record *r,
			 const struct text_opts *o)
{
	struct text say = {0};

	if (r->teardown == VERDICT_PASS)
		return;
	text_printf(&say, "tear-down %s: ", verdict_name(r->teardown));
	safe_puts(&say, r->teardown_reason);
	text_fill(t, ' ', VERDICT_COLUMNS);
	text_wrap(t, o, text_cstr(&say), VERDICT_COLUMNS, VERDICT_COLUMNS);
	text_free(&say);
}

static bool text_report_is_known(const struct record *r,
				 const struct text_opts *o)
{
	const struct baseline_entry *entry;

	return baseline_judge(o->baseline, r, &entry) == BASELINE_KNOWN;
}

/* Returns false for known failures, which take one line only. */
static bool needs_ladder(const struct record *r, const struct text_opts *o)
{
	if (text_report_is_known(r, o) && !o->ladders)
		return false;
	return o->ladders || r->verdict == VERDICT_FAIL ||
	       r->teardown == VERDICT_FAIL ||
	       (r->nfindings && o->ladder.verbose);
}

void text_case(struct text *t, const struct record *r,
	       const struct text_opts *o)
{
	if (o->quiet && !o->ladders)
		return;
	if (r->verdict == VERDICT_NA && !o->ladder.verbose)
		return; /* text_na counts it */
	case_line(t, r, o);
	put_teardown(t, r, o);
	if (!needs_ladder(r, o) || !r->nrecs)
		return;
	text_puts(t, "\n");
	ladder_print(t, r, &o->ladder);
	text_puts(t, "\n");
}

/* ---- The end ---- */

static void put_totals(struct text *t, const struct summary *s,
		       const struct about *a, const struct text_opts *o)
{
	const size_t n = summary_results(s);

	text_printf(t, "%zu case%s: ", n, text_plural(n));
	for (int v = 0; v < VERDICT_COUNT; v++) {
		bool some = s->totals[v] != 0;

		text_printf(t, "%s%s%zu %s%s", text_between((size_t)v, ", "),
			    some ? text_color(o, (enum verdict)v) : "",
			    s->totals[v], verdict_name((enum verdict)v),
			    some ? text_plain(o) : "");
	}
	text_puts(t, "   (");
	put_span(t, a->elapsed ? a->elapsed : s->wall_ns);
	text_puts(t, ")\n");
}

static void put_expired(struct text *t, const struct baseline *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct baseline_entry *e = &b->entries[i];

		if (!e->expired)
			continue;
		text_printf(t, "  expired: line %u of ", e->line);
		safe_puts(t, b->path);
		text_puts(t, ", ");
		safe_puts(t, e->pattern);
		text_printf(t, ", was good until %s\n", e->until);
	}
}

static void text_report_put_baseline(struct text *t, const struct summary *s)
{
	if (!s->baseline)
		return;
	text_printf(t,
		    "baseline: %zu known, %zu unexpected pass%s; %zu to "
		    "answer for\n",
		    s->known, s->fixed, s->fixed == 1 ? "" : "es",
		    summary_fails(s));
	put_expired(t, s->baseline);
}

/* Lists the cases whose results differ between repetitions. */
static void put_flakes(struct text *t, const struct summary *s)
{
	size_t n;

	for (size_t i = 0; i < s->ncases; i += n) {
		const struct summary_flake f = summary_flake(s, i);

		n = summary_repeats(s, i);
		if (f.score <= 0)
			continue;
		text_printf(t, "  flaky %.2f  ", f.score);
		safe_puts(t, s->cases[i].id);
		text_printf(t, "  %zu of %zu pass\n", f.of[VERDICT_PASS],
			    f.runs);
	}
}

struct text_report_tally {
	size_t of[REQ_VERDICT_COUNT], remarks;
};

static void text_report_count_reqs(const struct summary *s,
				   struct text_report_tally *n)
{
	*n = (struct text_report_tally){0};
	for (int i = 0; i < 2 * REQ_COUNT; i++) {
		enum req_id id = (enum req_id)(i / 2);
		enum req_role role = i % 2 ? REQ_DST : REQ_SRC;

		if (!summary_listed(s, id, role))
			continue;
		n->of[summary_verdict(s, id, role)]++;
		n->remarks += s->reqs[id][i % 2].remarks != 0;
	}
}

/*
 * Says what was compared of the bytes if no run saw all of it: memory and
 * delivered messages need the control channel.
 */
static void text_report_put_contents(struct text *t, const struct summary *s)
{
	static const enum req_role roles[] = {REQ_SRC, REQ_DST};

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		const enum req_verdict v = summary_verdict(s, REQ_I2, roles[i]);
		const bool partial = v == REQ_VERDICT_PARTIAL;

		if (!summary_listed(s, REQ_I2, roles[i]) ||
		    (!partial && v != REQ_VERDICT_NA))
			continue;
		text_printf(t, "contents (I2/%s): %s\n",
			    req_role_name(roles[i]),
			    partial ? "bytes on the wire were compared, not "
				      "those delivered"
				    : "no bytes were compared");
	}
}

static void text_report_put_requirements(struct text *t,
					 const struct summary *s)
{
	struct text_report_tally n;

	text_report_count_reqs(s, &n);
	text_printf(t,
		    "requirements by role: %zu pass, %zu fail, "
		    "%zu partial, %zu not reached, %zu na\n",
		    n.of[REQ_VERDICT_PASS], n.of[REQ_VERDICT_FAIL],
		    n.of[REQ_VERDICT_PARTIAL], n.of[REQ_VERDICT_NOT_REACHED],
		    n.of[REQ_VERDICT_NA]);
	text_report_put_contents(t, s);
}

/* Writes a command, and why it is worth a look, beside it or below. */
static void text_report_hint(struct text *t, const struct text_opts *o,
			     const char *command, const char *why)
{
	const size_t width = text_width(o);
	struct text safe = {0};

	safe_puts(&safe, command);
	if (2 + safe.len < HINT_COLUMNS &&
	    HINT_COLUMNS + strlen(why) <= width) {
		text_printf(t, "  %-*s%s\n", HINT_COLUMNS - 2, text_cstr(&safe),
			    why);
	} else {
		fold_command(t, text_cstr(&safe), 2, width);
		text_printf(t, "      %s\n", why);
	}
	t->failed |= text_err(&safe) != 0;
	text_free(&safe);
}

static void hint_case(struct text *t, const struct text_opts *o,
		      const struct about *a, const struct summary_case *sc)
{
	struct text c = {0};

	triage_command(&c, a, sc);
	text_report_hint(t, o, text_cstr(&c), "the same run, every packet");
	text_clear(&c);
	text_puts(&c, "rung show ");
	triage_selector(&c, sc, false);
	text_report_hint(t, o, text_cstr(&c), "the case, and how it should go");
	text_free(&c);
}

/* Suggests to replay the first result that failed, from its folder. */
static void hint_replay(struct text *t, const struct summary *s,
			const struct text_opts *o)
{
	struct text c = {0}, folder = {0};

	for (size_t i = 0; o->out && i < s->ncases; i++) {
		const char *capture = s->cases[i].capture;
		const char *slash = capture ? strrchr(capture, '/') : NULL;

		if (s->cases[i].verdict != VERDICT_FAIL || !slash ||
		    s->cases[i].state == BASELINE_KNOWN)
			continue;
		text_printf(&folder, "%s/%.*s", o->out, (int)(slash - capture),
			    capture);
		text_puts(&c, "rung replay ");
		words_shell(&c, text_cstr(&folder));
		text_report_hint(t, o, text_cstr(&c),
				 "that result again, from its folder");
		break;
	}
	t->failed |= text_err(&folder) != 0;
	text_free(&folder);
	text_free(&c);
}

static void hint_files(struct text *t, const struct text_opts *o)
{
	struct text c = {0};

	if (!o->out)
		return;
	text_printf(&c, "%s/report.html", o->out);
	text_report_hint(t, o, text_cstr(&c), "the whole report, in a browser");
	text_free(&c);
}

static bool is_failed(const struct summary_case *c)
{
	return (c->verdict == VERDICT_FAIL || c->verdict == VERDICT_ERROR) &&
	       c->state != BASELINE_KNOWN;
}

/*
 * Returns the shortest case of the first cause, or else the first case that did
 * not pass.
 */
static const struct summary_case *worth_a_look(const struct summary *s,
					       const struct triage *tr)
{
	if (tr->nfails)
		return &s->cases[tr->causes[0].shortest.c];
	for (size_t i = 0; i < s->ncases; i++)
		if (is_failed(&s->cases[i]))
			return &s->cases[i];
	return NULL;
}

/* Suggests to run the first inconclusive case again; |quiet| lists them. */
static void hint_open(struct text *t, const struct summary *s,
		      const struct about *a, const struct text_opts *o)
{
	struct text c = {0};
	size_t i = 0;

	while (i < s->ncases && s->cases[i].verdict != VERDICT_INCONCLUSIVE)
		i++;
	if (o->quiet || i == s->ncases)
		return;
	triage_again(&c, a, &s->cases[i]);
	text_report_hint(t, o, text_cstr(&c), "an inconclusive case again");
	text_free(&c);
}

static void put_hints(struct text *t, const struct triage *tr,
		      const struct summary *s, const struct about *a,
		      const struct text_opts *o)
{
	const struct summary_case *c = worth_a_look(s, tr);

	text_puts(t, "\ntry next:\n");
	if (c)
		hint_case(t, o, a, c);
	hint_replay(t, s, o);
	hint_files(t, o);
	hint_open(t, s, a, o);
	if (s->totals[VERDICT_NA])
		text_report_hint(t, o, "rung list",
				 "what each case needs of a device");
	if (!c)
		text_report_hint(t, o, "rung cover",
				 "which requirements nothing has tested");
}

/*
 * Writes the ladders of the failed cases when so few failed that they say more
 * than a summary.  What stayed inconclusive is named there, with its reason.
 */
static void put_few(struct text *t, const struct summary *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ncases; i++)
		n += is_failed(&s->cases[i]);
	for (size_t i = 0; n <= TEXT_LADDERS && i < s->ncases; i++) {
		const struct summary_case *c = &s->cases[i];

		if (!is_failed(c) || !c->ladder)
			continue;
		text_puts(t, "\n");
		text_puts(t, c->shown ? c->shown : c->ladder);
	}
}

static void text_report_put_claims(struct text *t, const struct summary *s,
				   const struct text_opts *o)
{
	for (size_t i = 0; i < s->nclaims; i++) {
		struct text line = {0};

		summary_claim_say(&line, s, i);
		text_wrap(t, o, text_cstr(&line), 0, 4);
		t->failed |= line.failed;
		text_free(&line);
	}
}

/* Lists known deviations, and those after which cases continued. */
static void text_report_put_over(struct text *t, const struct triage *tr,
				 const struct about *a,
				 const struct text_opts *o)
{
	struct text line = {0}, safe = {0};
	size_t n = 0;

	for (; triage_over(&line, tr, a, n); n++) {
		if (!o->quiet || n < OVER_QUIET) {
			safe_puts(&safe, text_cstr(&line));
			text_wrap(t, o, text_cstr(&safe), 0, 4);
		}
		text_clear(&line);
		text_clear(&safe);
	}
	if (o->quiet && n > OVER_QUIET)
		text_printf(t, "and %zu more\n", n - OVER_QUIET);
	text_free(&line);
	text_free(&safe);
}

void text_end(struct text *t, const struct summary *s, const struct about *a,
	      const struct text_opts *o)
{
	struct triage *tr;

	if (triage_new(&tr, s)) {
		t->failed = true;
		return;
	}
	if (o->quiet && !o->ladders)
		put_few(t, s);
	text_puts(t, o->quiet && !o->ladders ? "" : "\n");
	text_report_put_claims(t, s, o);
	text_report_put_over(t, tr, a, o);
	put_totals(t, s, a, o);
	if (a->interrupted)
		text_printf(t, "interrupted: %zu results of %zu\n",
			    summary_results(s), a->planned);
	if (s->nfolded)
		text_printf(t,
			    "folded: %zu results like earlier ones of their "
			    "case have no row of their own\n",
			    s->nfolded);
	text_report_put_baseline(t, s);
	put_flakes(t, s);
	text_report_put_requirements(t, s);
	text_causes(t, tr, s, a, o);
	if (o->quiet)
		text_open(t, s, a, o);
	text_na(t, s, o);
	text_slowest(t, s, o->slowest);
	put_hints(t, tr, s, a, o);
	triage_free(tr);
}
