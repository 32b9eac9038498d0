/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/tap.c -- writes the run as TAP 14, with YAML diagnostics.
 *
 * Spec: TAP 14; YAML 1.2, 7.3.1 (double-quoted scalars)
 */
#include "reports/format/tap.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "reports/safe.h"
#include "suite/decl/deviation.h"

/* Escapes '#', which would start a directive. */
static void put_description(struct text *t, const char *s)
{
	struct text safe = {0};

	safe_puts(&safe, s);
	for (const char *c = text_cstr(&safe); *c; c++)
		text_printf(t, "%s%c", strchr("#\\", *c) ? "\\" : "", *c);
	t->failed |= safe.failed;
	text_free(&safe);
}

/* Escapes quotes and backslashes of a double-quoted scalar. */
static void put_scalar(struct text *t, const char *key, const char *s)
{
	struct text safe = {0};

	safe_puts(&safe, s);
	text_printf(t, "  %s: \"", key);
	for (const char *c = text_cstr(&safe); *c; c++)
		text_printf(t, "%s%c", strchr("\"\\", *c) ? "\\" : "", *c);
	text_puts(t, "\"\n");
	t->failed |= safe.failed;
	text_free(&safe);
}

static void put_finding(struct text *t, const struct rec_finding *f)
{
	struct text id = {0};

	if (f->req != REQ_NONE)
		text_printf(&id, "%s/%s", req_get(f->req)->id,
			    req_role_name(f->role));
	text_puts(t, "  -");
	put_scalar(t, "requirement", text_cstr(&id));
	text_puts(t, "   ");
	put_scalar(t, "text", f->text);
	if (*f->expected) {
		text_puts(t, "   ");
		put_scalar(t, "expected", f->expected);
	}
	if (*f->actual) {
		text_puts(t, "   ");
		put_scalar(t, "actual", f->actual);
	}
	t->failed |= id.failed;
	text_free(&id);
}

static void tap_put_baseline(struct text *t, const struct summary_case *c)
{
	struct text say = {0};

	baseline_say(&say, c->state, c->entry);
	put_scalar(t, "baseline", text_cstr(&say));
	t->failed |= say.failed;
	text_free(&say);
}

static void put_diagnostics(struct text *t, const struct summary_case *c)
{
	text_puts(t, "  ---\n");
	put_scalar(t, "verdict", verdict_name(c->verdict));
	if (*fail_kind_name(c->kind))
		put_scalar(t, "kind", fail_kind_name(c->kind));
	put_scalar(t, "message", text_some(c->reason, "it passes"));
	if (c->state != BASELINE_NONE)
		tap_put_baseline(t, c);
	text_printf(t, "  seed: %" PRIu64 "\n", c->seed);
	if (c->nfindings)
		text_puts(t, "  findings:\n");
	for (size_t i = 0; i < c->nfindings; i++)
		put_finding(t, &c->findings[i]);
	text_puts(t, "  ...\n");
}

void tap_begin(struct text *t, const struct about *a)
{
	text_puts(t, "TAP version 14\n# rung ");
	safe_puts(t, text_or(a->version, ""));
	text_printf(t, ", seed %" PRIu64 "\n", a->seed);
	for (const struct deviation *d = a->decl ? a->decl->deviations : NULL;
	     d; d = d->next) {
		struct text line = {0};

		deviation_print(&line, d);
		text_puts(t, "# ");
		safe_add(t, line.s, line.len ? line.len - 1 : 0);
		text_puts(t, "\n");
		t->failed |= line.failed;
		text_free(&line);
	}
}

/* Marks a known failure as "todo": harnesses count it and go on. */
static void put_todo(struct text *t, const struct summary_case *c)
{
	struct text say = {0};

	baseline_say(&say, c->state, c->entry);
	text_puts(t, " # TODO ");
	put_description(t, text_cstr(&say));
	t->failed |= say.failed;
	text_free(&say);
}

void tap_case(struct text *t, const struct summary_case *c, size_t number)
{
	bool ok = (c->verdict == VERDICT_PASS || c->verdict == VERDICT_NA) &&
		  c->state != BASELINE_FIXED;

	text_printf(t, "%sok %zu - ", ok ? "" : "not ", number);
	put_description(t, c->id);
	if (c->verdict == VERDICT_NA) {
		text_puts(t, " # SKIP ");
		put_description(t, c->reason);
	}
	if (!ok && c->state == BASELINE_KNOWN)
		put_todo(t, c);
	text_puts(t, "\n");
	if (!ok)
		put_diagnostics(t, c);
}

static void put_claim(struct text *t, const struct summary *s, size_t i)
{
	struct text line = {0};

	summary_claim_say(&line, s, i);
	text_printf(t, "not ok %zu - declaration %s\n  ---\n",
		    summary_results(s) + i + 1, s->claims[i].name);
	put_scalar(t, "message", text_cstr(&line));
	text_puts(t, "  ...\n");
	t->failed |= line.failed;
	text_free(&line);
}

void tap_end(struct text *t, const struct summary *s, const struct about *a)
{
	const size_t n = summary_results(s) + s->nclaims;

	for (size_t i = 0; i < s->nclaims; i++)
		put_claim(t, s, i);
	if (a->interrupted)
		text_printf(t, "Bail out! Interrupted after %zu of %zu\n", n,
			    a->planned);
	else
		text_printf(t, "1..%zu%s\n", n, n ? "" : " # SKIP nothing ran");
}
