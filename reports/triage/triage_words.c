/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/triage/triage_words.c -- puts the causes of a run into words, which
 * all reports share.
 */
#include "reports/triage/triage_words.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "judge/req.h"
#include "reports/result/diff.h"
#include "reports/triage/explain.h"
#include "reports/words.h"
#include "suite/decl/deviation.h"
#include "suite/lang/case_section.h"
void triage_name(struct text *t, const struct triage_cause *c)
{
	if (c->req != REQ_NONE)
		text_printf(t, "%s/%s", req_get(c->req)->id,
			    req_role_name(c->role));
	else
		text_puts(t, "no requirement");
	if (*c->what)
		text_printf(t, "  %s", c->what);
}

/* Returns true for the first cause with its row. */
static bool triage_is_first(const struct triage *tr,
			    const struct triage_cause *c)
{
	for (const struct triage_cause *o = tr->causes; o != c; o++)
		if (o->req == c->req && (o->role & c->role))
			return false;
	return c->req != REQ_NONE && !c->remark && !c->known;
}

bool triage_row(const struct triage *tr, const struct summary *s,
		const struct triage_cause *c, size_t i, struct req_ref *ret)
{
	if (!triage_is_first(tr, c))
		return false;
	for (int j = 0; j < 2 * REQ_COUNT; j++) {
		const struct req_ref row = {.id = (enum req_id)(j / 2),
					    .role = j % 2 ? REQ_DST : REQ_SRC};
		const struct req_ref *by =
			summary_explained(s, row.id, row.role);

		if (!by || by->id != c->req || !(by->role & c->role) || i-- > 0)
			continue;
		*ret = row;
		return true;
	}
	return false;
}

/* Returns alternative |i| to the row of a cause, of either role, or NULL. */
static const struct req_ref *
triage_other(const struct summary *s, const struct triage_cause *c, size_t i)
{
	const enum req_role roles[] = {REQ_SRC, REQ_DST};

	for (size_t j = 0; j < 2; j++) {
		const struct req_ref *other = NULL;
		size_t k = 0;

		if (!(c->role & roles[j]))
			continue;
		while ((other = summary_alternative(s, c->req, roles[j], k++)))
			if (i-- == 0)
				return other;
	}
	return NULL;
}

/* Returns true if a cause above names the row of |c| as an alternative. */
static bool triage_is_named(const struct triage *tr, const struct summary *s,
			    const struct triage_cause *c)
{
	for (const struct triage_cause *o = tr->causes; o != c; o++) {
		const struct req_ref *other = NULL;

		for (size_t i = 0; (other = triage_other(s, o, i)); i++)
			if (other->id == c->req && (other->role & c->role))
				return true;
	}
	return false;
}

bool triage_alternative(const struct triage *tr, const struct summary *s,
			const struct triage_cause *c, size_t i,
			struct req_ref *ret)
{
	const struct req_ref *other = triage_other(s, c, i);

	if (!other || !triage_is_first(tr, c) || triage_is_named(tr, s, c))
		return false;
	*ret = *other;
	return true;
}

void triage_alternatives(struct text *t, const struct triage *tr,
			 const struct summary *s, const struct triage_cause *c,
			 size_t most)
{
	struct req_ref row;
	size_t n = 0;

	while (n < most && triage_alternative(tr, s, c, n, &row))
		text_printf(t, "%s%s/%s", n++ ? " " : "or ",
			    req_get(row.id)->id, req_role_name(row.role));
	if (n)
		text_printf(t, ", which fail%s by the same difference",
			    n > 1 ? "" : "s");
}

void triage_explained(struct text *t, const struct triage *tr,
		      const struct summary *s, const struct triage_cause *c,
		      size_t most)
{
	struct req_ref row;
	size_t n = 0;

	while (n < most && triage_row(tr, s, c, n, &row))
		text_printf(t, "%s%s/%s", n++ ? " " : "explains ",
			    req_get(row.id)->id, req_role_name(row.role));
	if (n && c->nbehind)
		text_printf(t, ", in %zu further case%s", c->nbehind,
			    text_plural(c->nbehind));
}

/* Replaces the alignment blanks of a case line by single ones. */
static void put_unaligned(struct text *t, const char *s)
{
	for (; *s; s++)
		if (*s != ' ' || s[1] != ' ')
			text_add(t, s, 1);
}

void triage_words(struct text *t, const struct summary *s,
		  const struct triage_at *at)
{
	const struct summary_case *c = &s->cases[at->c];
	const struct rec_finding *f;
	const size_t before = t->len;

	if (at->f == SIZE_MAX) {
		put_unaligned(t, c->reason);
		return;
	}
	f = &c->findings[at->f];
	if (*f->expected && *f->actual && f->kind != KIND_TIMING)
		rung_diff_words(t, f->expected, f->actual);
	if (t->len == before)
		put_unaligned(t, f->text);
}

static bool covers(const struct deviation *d, const struct triage_cause *c)
{
	return c->known && c->req == d->req && (c->role & d->role) &&
	       deviation_is(d, c->what, d->value ? &d->number : NULL);
}

size_t triage_known(const struct triage *tr, const struct deviation *d)
{
	size_t n = 0;

	for (size_t i = 0; i < tr->n; i++)
		if (covers(d, &tr->causes[i]))
			n += tr->causes[i].nfound;
	return n;
}

static void triage_put_count(struct text *t, size_t n)
{
	text_printf(t, ": %zu case%s", n, text_plural(n));
}

bool triage_over(struct text *t, const struct triage *tr, const struct about *a,
		 size_t i)
{
	const struct deviation *d = a->decl ? a->decl->deviations : NULL;

	for (; d; d = d->next) {
		if (i-- > 0)
			continue;
		text_printf(t, "known deviation %s/%s ", req_get(d->req)->id,
			    req_role_name(d->role));
		deviation_item(t, d);
		if (*d->text)
			text_printf(t, " \"%s\"", d->text);
		triage_put_count(t, triage_known(tr, d));
		return true;
	}
	for (size_t j = 0; j < tr->n; j++) {
		const struct triage_cause *c = &tr->causes[j];

		if (c->known || !c->stepped || i-- > 0)
			continue;
		text_puts(t, "stepped over ");
		triage_name(t, c);
		triage_put_count(t, c->nfound);
		return true;
	}
	return false;
}

/*
 * Returns the length of the name, in a path "DIR/NAME.lad", of a case that was
 * given as a file; 0: its id selects it.  Ids of built-in cases have folders.
 */
static size_t own_file(const struct summary_case *c)
{
	const char *path = text_or(c->path, "");
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const size_t len = strlen(name);
	const size_t stem = len > 4 ? len - 4 : 0;

	if (!stem || strcmp(name + stem, ".lad") != 0 || strchr(c->id, '/') ||
	    strncmp(c->id, name, stem) != 0)
		return 0;
	return stem;
}

void triage_selector(struct text *t, const struct summary_case *c, bool chair)
{
	const size_t stem = own_file(c);
	const char *at = strrchr(c->id, '@');
	const size_t n = at ? (size_t)(at - c->id) : strlen(c->id);
	struct text s = {0};

	if (!stem) {
		text_add(&s, c->id, n);
	} else {
		/* NAME-SECTION[VALUE] is PATH:SECTION[VALUE] */
		text_puts(&s, c->path);
		if (c->id[stem] == '-')
			text_puts(&s, ":");
		else if (n > stem)
			text_printf(&s, ":%s", CASE_SECTION_PLAIN);
		if (n > stem)
			text_add(&s, c->id + stem + (c->id[stem] == '-'),
				 n - stem - (c->id[stem] == '-'));
	}
	if (chair && at)
		text_puts(&s, at);
	words_shell(t, text_cstr(&s));
	t->failed |= text_err(&s) != 0;
	text_free(&s);
}

static void put_command(struct text *t, const struct about *a,
			const struct summary_case *c, const char *options)
{
	text_puts(t, "rung run ");
	if (a->rerun && *a->rerun)
		text_printf(t, "%s ", a->rerun);
	text_printf(t, "--seed %" PRIu64 "%s", a->seed,
		    a->strict ? " --strict" : "");
	if (c->repeat)
		text_printf(t, " --from %" PRIu32, c->repeat + 1);
	text_puts(t, options);
	triage_selector(t, c, true);
}

void triage_command(struct text *t, const struct about *a,
		    const struct summary_case *c)
{
	put_command(t, a, c, " -v ");
}

void triage_again(struct text *t, const struct about *a,
		  const struct summary_case *c)
{
	put_command(t, a, c, " ");
}
