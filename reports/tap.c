/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/tap.c -- the run as TAP 14, with YAML diagnostics.
 *
 * Spec: TAP 14; YAML 1.2, 7.3.1 (double-quoted scalars)
 */
#include "reports/tap.h"

#include <inttypes.h>
#include <string.h>

#include "reports/safe.h"

/* A '#' would start a directive. */
static void put_description(struct text *t, const char *s)
{
	struct text safe = {0};

	safe_puts(&safe, s);
	for (const char *c = text_cstr(&safe); *c; c++)
		text_printf(t, "%s%c", strchr("#\\", *c) ? "\\" : "", *c);
	t->failed |= safe.failed;
	text_free(&safe);
}

/* Double quotes know backslashes, so both are escaped. */
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

static void put_diagnostics(struct text *t, const struct record *r)
{
	text_puts(t, "  ---\n");
	put_scalar(t, "verdict", verdict_name(r->verdict));
	if (*fail_kind_name(r->kind))
		put_scalar(t, "kind", fail_kind_name(r->kind));
	put_scalar(t, "message", r->reason);
	text_printf(t, "  seed: %" PRIu64 "\n", r->seed);
	if (r->nfindings)
		text_puts(t, "  findings:\n");
	for (size_t i = 0; i < r->nfindings; i++)
		put_finding(t, &r->findings[i]);
	text_puts(t, "  ...\n");
}

void tap_begin(struct text *t, const struct about *a)
{
	text_puts(t, "TAP version 14\n# rung ");
	safe_puts(t, a->version ? a->version : "");
	text_printf(t, ", seed %" PRIu64 "\n", a->seed);
}

void tap_case(struct text *t, const struct record *r, size_t number)
{
	bool ok = r->verdict == VERDICT_PASS || r->verdict == VERDICT_NA;

	text_printf(t, "%sok %zu - ", ok ? "" : "not ", number);
	put_description(t, r->id);
	if (r->verdict == VERDICT_NA) {
		text_puts(t, " # SKIP ");
		put_description(t, r->reason);
	}
	text_puts(t, "\n");
	if (!ok)
		put_diagnostics(t, r);
}

void tap_end(struct text *t, size_t n)
{
	text_printf(t, "1..%zu\n", n);
}
