/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/ktap.c -- writes the run as KTAP.
 *
 * Spec: Documentation/dev-tools/ktap.rst, version 1
 */
#include "reports/export/ktap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "reports/safe.h"

/* Texts on one line; '#' would begin a directive. */
static void ktap_put(struct text *t, const char *s)
{
	const size_t from = t->len;

	safe_puts(t, s);
	for (size_t i = from; i < t->len; i++)
		if (t->s[i] == '#' || t->s[i] == '\n')
			t->s[i] = '_';
}

static bool ktap_ok(const struct summary_case *c)
{
	if (c->state == BASELINE_FIXED)
		return false;
	if (c->verdict == VERDICT_PASS)
		return c->teardown != VERDICT_FAIL;
	return c->verdict == VERDICT_NA || c->state == BASELINE_KNOWN;
}

static void ktap_put_findings(struct text *t, const struct summary_case *c)
{
	for (size_t i = 0; i < c->nfindings; i++) {
		const struct rec_finding *f = &c->findings[i];

		text_puts(t, "  # ");
		if (f->req != REQ_NONE)
			text_printf(t, "%s/%s: ", req_get(f->req)->id,
				    req_role_name(f->role));
		ktap_put(t, f->text);
		text_puts(t, "\n");
	}
}

/* Appends the directive and its text. */
static void ktap_put_directive(struct text *t, const struct summary_case *c)
{
	struct text say = {0};

	baseline_say(&say, c->state, c->entry);
	if (c->verdict == VERDICT_NA) {
		text_puts(t, " # SKIP ");
		ktap_put(t, c->reason);
	} else if (c->state == BASELINE_KNOWN && c->verdict != VERDICT_PASS) {
		text_puts(t, " # XFAIL ");
		ktap_put(t, text_cstr(&say));
	} else if (c->verdict == VERDICT_ERROR ||
		   c->verdict == VERDICT_INCONCLUSIVE) {
		text_printf(t, " # ERROR %s: ", verdict_name(c->verdict));
		ktap_put(t, c->reason);
	} else if (c->state == BASELINE_FIXED) {
		text_puts(t, " # ");
		ktap_put(t, text_cstr(&say));
	} else if (c->verdict == VERDICT_FAIL) {
		text_puts(t, " # ");
		ktap_put(t, c->reason);
	} else if (!ktap_ok(c)) {
		text_puts(t, " # tear-down: ");
		ktap_put(t, c->teardown_reason);
	}
	t->failed |= say.failed;
	text_free(&say);
}

static void ktap_put_case(struct text *t, const struct summary_case *c,
			  size_t number)
{
	const char *slash = strrchr(c->id, '/');

	ktap_put_findings(t, c);
	text_printf(t, "  %sok %zu ", ktap_ok(c) ? "" : "not ", number);
	ktap_put(t, slash ? slash + 1 : c->id);
	if (c->repeat)
		text_printf(t, " (%" PRIu32 ")", c->repeat + 1);
	ktap_put_directive(t, c);
	text_puts(t, "\n");
}

/* Returns the length of "uet/rud" in "uet/rud/send-gtd@target". */
static size_t ktap_folder_len(const char *id)
{
	const char *slash = strrchr(id, '/');

	if (slash)
		return (size_t)(slash - id);
	return 0;
}

static int ktap_folder_order(const struct summary_case *a,
			     const struct summary_case *b)
{
	const size_t n = ktap_folder_len(a->id), m = ktap_folder_len(b->id);
	const int order = memcmp(a->id, b->id, n < m ? n : m);

	if (order)
		return order;
	return (n > m) - (n < m);
}

/* Orders by folder; within a folder the cases keep their order. */
static int ktap_order(const void *a, const void *b)
{
	const struct summary_case *x = *(const struct summary_case *const *)a;
	const struct summary_case *y = *(const struct summary_case *const *)b;
	const int order = ktap_folder_order(x, y);

	if (order)
		return order;
	return (x > y) - (x < y);
}

/* Returns the first place behind the folder of |at[from]|. */
static size_t ktap_folder_end(const struct summary_case **at, size_t n,
			      size_t from)
{
	size_t i = from;

	while (i < n && !ktap_folder_order(at[from], at[i]))
		i++;
	return i;
}

static void ktap_put_folder(struct text *t, const struct summary_case **at,
			    size_t n, size_t number)
{
	const size_t len = ktap_folder_len(at[0]->id);
	struct text name = {0};
	bool ok = true;

	text_printf(t, "  KTAP version 1\n  1..%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		ktap_put_case(t, at[i], i + 1);
		ok &= ktap_ok(at[i]);
	}
	text_add(&name, at[0]->id, len);
	text_printf(t, "%sok %zu ", ok ? "" : "not ", number);
	ktap_put(t, text_some(text_cstr(&name), "rung"));
	text_puts(t, "\n");
	t->failed |= name.failed;
	text_free(&name);
}

static void ktap_put_claims(struct text *t, const struct summary *s,
			    size_t number)
{
	text_printf(t, "  KTAP version 1\n  1..%zu\n", s->nclaims);
	for (size_t i = 0; i < s->nclaims; i++) {
		struct text line = {0};

		summary_claim_say(&line, s, i);
		text_printf(t, "  not ok %zu %s # ", i + 1, s->claims[i].name);
		ktap_put(t, text_cstr(&line));
		text_puts(t, "\n");
		t->failed |= line.failed;
		text_free(&line);
	}
	text_printf(t, "not ok %zu declaration\n", number);
}

static size_t ktap_count_folders(const struct summary_case **at, size_t n)
{
	size_t folders = 0;

	for (size_t i = 0; i < n; i = ktap_folder_end(at, n, i))
		folders++;
	return folders;
}

static void ktap_put_folders(struct text *t, const struct summary_case **at,
			     size_t n)
{
	size_t number = 0;

	for (size_t i = 0, end; i < n; i = end) {
		end = ktap_folder_end(at, n, i);
		ktap_put_folder(t, at + i, end - i, ++number);
	}
}

int ktap_report(struct text *t, const struct summary *s, const struct about *a)
{
	const struct summary_case **at =
		memory_calloc(s->ncases + 1, sizeof(*at));

	if (!at)
		return ERR_NOMEM;
	for (size_t i = 0; i < s->ncases; i++)
		at[i] = &s->cases[i];
	qsort(at, s->ncases, sizeof(*at), ktap_order);
	text_puts(t, "KTAP version 1\n");
	text_printf(t, "1..%zu\n",
		    ktap_count_folders(at, s->ncases) + (s->nclaims > 0));
	text_puts(t, "# rung ");
	ktap_put(t, text_or(a->version, ""));
	text_printf(t, ", seed %" PRIu64 ", device ", a->seed);
	ktap_put(t, about_device(a));
	text_puts(t, "\n");
	ktap_put_folders(t, at, s->ncases);
	if (s->nclaims)
		ktap_put_claims(t, s, ktap_count_folders(at, s->ncases) + 1);
	if (a->interrupted)
		text_printf(t, "Bail out! interrupted after %zu of %zu\n",
			    summary_results(s), a->planned);
	free(at);
	return text_err(t);
}
