/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/junit.c -- writes junit.xml, as CI servers read it.
 */
#include "reports/format/junit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "reports/export/export.h"
#include "reports/safe.h"
#include "suite/decl/deviation.h"

/*
 * Importers refuse files of some megabytes, and texts of some hundred
 * kilobytes.  All ladders together get at most JUNIT_LADDERS bytes.
 */
#define JUNIT_LADDER  (64u << 10)
#define JUNIT_LADDERS (2u << 20)

struct count {
	size_t tests, failures, errors, skipped;
	vspan wall_ns;
};

/* "uet/rud" of "uet/rud/send-gtd@target". */
static size_t junit_folder_len(const char *id)
{
	const char *slash = strrchr(id, '/');

	if (slash)
		return (size_t)(slash - id);
	return 0;
}

static bool junit_same_folder(const char *a, const char *b)
{
	size_t n = junit_folder_len(a);

	return n == junit_folder_len(b) && !memcmp(a, b, n);
}

/* Returns true if the case passed and its closing fragments did not. */
static bool only_teardown(const struct summary_case *c)
{
	return c->verdict == VERDICT_PASS && c->teardown == VERDICT_FAIL;
}

static void count_case(struct count *n, const struct summary_case *c)
{
	n->tests++;
	n->wall_ns += c->wall_ns;
	if (c->state == BASELINE_FIXED)
		n->failures++;
	else if (c->verdict == VERDICT_NA ||
		 (c->state == BASELINE_KNOWN && c->verdict != VERDICT_PASS))
		n->skipped++;
	else if (c->verdict == VERDICT_FAIL || only_teardown(c))
		n->failures++;
	else if (c->verdict != VERDICT_PASS)
		n->errors++;
}

static void put_attr(struct text *t, const char *name, const char *value)
{
	text_printf(t, " %s=\"", name);
	safe_xml(t, value);
	text_puts(t, "\"");
}

static void put_time(struct text *t, vspan ns)
{
	uint64_t us = ns > 0 ? (uint64_t)ns / 1000 : 0;

	text_printf(t, " time=\"%" PRIu64 ".%06" PRIu64 "\"", us / 1000000,
		    us % 1000000);
}

/* Writes begin and host of the run; the schema's date has no zone. */
static void junit_put_where(struct text *t, const struct about *a)
{
	struct text date = {0};

	if (a->date) {
		text_add(&date, a->date, strcspn(a->date, "Z"));
		put_attr(t, "timestamp", text_cstr(&date));
	}
	if (a->host)
		put_attr(t, "hostname", a->host);
	t->failed |= date.failed;
	text_free(&date);
}

static void junit_put_counts(struct text *t, const struct count *n)
{
	text_printf(t, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
		    n->tests, n->failures, n->errors);
	put_time(t, n->wall_ns);
}

/* "uet.rud": a class in a package, as the servers group it. */
static void put_folder(struct text *t, const char *attr, const char *id)
{
	struct text name = {0};

	text_add(&name, id, junit_folder_len(id));
	for (size_t i = 0; i < name.len; i++)
		if (name.s[i] == '/')
			name.s[i] = '.';
	put_attr(t, attr, text_cstr(&name));
	t->failed |= name.failed;
	text_free(&name);
}

static void put_property(struct text *t, const char *indent, const char *name,
			 const char *value)
{
	text_printf(t, "%s<property", indent);
	put_attr(t, "name", name);
	put_attr(t, "value", value);
	text_puts(t, "/>\n");
}

/* Writes element text, which keeps its lines. */
static void put_lines(struct text *t, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");
		struct text line = {0};

		text_add(&line, s, n);
		safe_xml(t, text_cstr(&line));
		t->failed |= line.failed;
		text_free(&line);
		text_puts(t, s[n] ? "\n" : "");
		s += n + (s[n] != 0);
	}
}

/*
 * Writes a property as a line of output.  No schema in use allows properties of
 * a test case, and some servers drop the whole file for them; servers read such
 * a line as a property.
 */
static void junit_put_line(struct text *t, const char *name, const char *value)
{
	if (!*value)
		return;
	text_printf(t, "[[PROPERTY|%s=", name);
	safe_xml(t, value);
	text_puts(t, "]]\n");
}

static void junit_put_rows(struct text *t, const char *name,
			   const struct req_ref *refs, size_t n)
{
	struct text list = {0};

	for (size_t i = 0; i < n; i++)
		text_printf(&list, "%s%s/%s", text_between(i, " "),
			    req_get(refs[i].id)->id,
			    req_role_name(refs[i].role));
	junit_put_line(t, name, text_cstr(&list));
	t->failed |= list.failed;
	text_free(&list);
}

static void put_attachment(struct text *t, const struct about *a,
			   const char *file)
{
	text_puts(t, "[[ATTACHMENT|");
	if (a->out) {
		safe_xml(t, a->out);
		text_puts(t, "/");
	}
	safe_xml(t, file);
	text_puts(t, "]]\n");
}

/* Attaches the capture, and the ladder beside it. */
static void put_attachments(struct text *t, const struct about *a,
			    const struct summary_case *c)
{
	const char *slash = c->capture ? strrchr(c->capture, '/') : NULL;
	struct text ladder = {0};

	if (!slash)
		return;
	text_add(&ladder, c->capture, (size_t)(slash - c->capture));
	text_puts(&ladder, "/ladder.txt");
	put_attachment(t, a, c->capture);
	put_attachment(t, a, text_cstr(&ladder));
	t->failed |= ladder.failed;
	text_free(&ladder);
}

static void put_output(struct text *t, const struct about *a,
		       const struct summary_case *c)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, c->seed);
	text_puts(t, "      <system-out>");
	junit_put_line(t, "title", c->title);
	junit_put_line(t, "clause", c->ref);
	junit_put_rows(t, "requirements", c->reqs, c->nreqs);
	junit_put_rows(t, "not-reached", c->not_reached, c->nnot_reached);
	junit_put_line(t, "reason", reason_id(c->reason_id));
	junit_put_line(t, "tear-down", c->teardown_reason);
	junit_put_line(t, "seed", seed);
	put_attachments(t, a, c);
	text_puts(t, "</system-out>\n");
}

/*
 * Writes the baseline's state in place of the verdict.  Return: true if it did.
 */
static bool junit_put_baseline(struct text *t, const struct summary_case *c)
{
	struct text say = {0};
	const bool known =
		c->state == BASELINE_KNOWN && c->verdict != VERDICT_PASS;
	const bool fixed = c->state == BASELINE_FIXED;

	baseline_say(&say, c->state, c->entry);
	if (known || fixed) {
		text_puts(t, known ? "      <skipped"
				   : "      <failure type=\"unexpected-pass\"");
		put_attr(t, "message", text_cstr(&say));
		text_puts(t, "/>\n");
	}
	t->failed |= say.failed;
	text_free(&say);
	return known || fixed;
}

/* Returns the most bytes of one ladder. */
static size_t junit_room(const struct summary *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ncases; i++)
		n += s->cases[i].ladder != NULL;
	if (n * JUNIT_LADDER <= JUNIT_LADDERS)
		return JUNIT_LADDER;
	return JUNIT_LADDERS / n;
}

static void put_outcome(struct text *t, const struct about *a,
			const struct summary_case *c, size_t room)
{
	struct text ladder = {0};
	const char *tag = c->verdict == VERDICT_FAIL ? "failure" : "error";
	const char *type = c->verdict == VERDICT_FAIL
				   ? fail_kind_name(c->kind)
				   : verdict_name(c->verdict);

	if (junit_put_baseline(t, c))
		return;
	if (only_teardown(c)) {
		text_puts(t, "      <failure type=\"tear-down\"");
		put_attr(t, "message", c->teardown_reason);
		text_puts(t, "/>\n");
	}
	if (c->verdict == VERDICT_PASS)
		return;
	if (c->verdict == VERDICT_NA) {
		text_puts(t, "      <skipped");
		put_attr(t, "message", c->reason);
		text_puts(t, "/>\n");
		return;
	}
	text_printf(t, "      <%s", tag);
	put_attr(t, "type", text_some(type, "protocol"));
	put_attr(t, "message", c->reason);
	text_puts(t, ">\n");
	export_ladder(&ladder, a, c, room);
	put_lines(t, text_cstr(&ladder));
	text_printf(t, "</%s>\n", tag);
	t->failed |= ladder.failed;
	text_free(&ladder);
}

static void junit_put_case(struct text *t, const struct about *a,
			   const struct summary_case *c, size_t room)
{
	const char *slash = strrchr(c->id, '/');

	text_puts(t, "    <testcase");
	put_folder(t, "classname", c->id);
	text_puts(t, " name=\"");
	safe_xml(t, slash ? slash + 1 : c->id);
	if (c->repeat)
		text_printf(t, " (%" PRIu32 ")", c->repeat + 1);
	text_puts(t, "\"");
	put_time(t, c->wall_ns);
	text_puts(t, ">\n");
	put_outcome(t, a, c, room);
	put_output(t, a, c);
	text_puts(t, "    </testcase>\n");
}

static void put_about(struct text *t, const struct about *a)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, a->seed);
	text_puts(t, "    <properties>\n");
	put_property(t, "      ", "rung", text_or(a->version, ""));
	put_property(t, "      ", "dut", text_or(a->dut, ""));
	put_property(t, "      ", "device", about_device(a));
	if (a->decl && a->decl->release)
		put_property(t, "      ", "release", a->decl->release);
	if (a->operator)
		put_property(t, "      ", "operator", a->operator);
	if (a->bench.name)
		put_property(t, "      ", "bench", a->bench.name);
	if (a->bench.firmware)
		put_property(t, "      ", "firmware", a->bench.firmware);
	put_property(t, "      ", "seed", seed);
	for (const struct deviation *d = a->decl ? a->decl->deviations : NULL;
	     d; d = d->next) {
		struct text line = {0};

		deviation_item(&line, d);
		text_printf(&line, " (%s/%s)%s%s", req_get(d->req)->id,
			    req_role_name(d->role), *d->text ? ": " : "",
			    d->text);
		put_property(t, "      ", "deviates", text_cstr(&line));
		t->failed |= line.failed;
		text_free(&line);
	}
	text_puts(t, "    </properties>\n");
}

/* Writes the test suite of the folder whose first case is |first|. */
static void put_suite(struct text *t, const struct summary *s, size_t first,
		      const struct about *a, size_t room)
{
	const char *id = s->cases[first].id;
	struct count n = {0};

	for (size_t i = first; i < s->ncases; i++)
		if (junit_same_folder(id, s->cases[i].id))
			count_case(&n, &s->cases[i]);
	text_puts(t, "  <testsuite");
	put_folder(t, "name", id);
	junit_put_counts(t, &n);
	junit_put_where(t, a);
	text_printf(t, " skipped=\"%zu\">\n", n.skipped);
	put_about(t, a);
	for (size_t i = first; i < s->ncases; i++)
		if (junit_same_folder(id, s->cases[i].id))
			junit_put_case(t, a, &s->cases[i], room);
	text_puts(t, "  </testsuite>\n");
}

/*
 * A claim that the device does not keep is one failure, which belongs to no
 * case.
 */
static void junit_put_claims(struct text *t, const struct summary *s,
			     const struct about *a)
{
	const struct count n = {.tests = s->nclaims, .failures = s->nclaims};

	text_puts(t, "  <testsuite name=\"declaration\"");
	junit_put_counts(t, &n);
	junit_put_where(t, a);
	text_puts(t, " skipped=\"0\">\n");
	for (size_t i = 0; i < s->nclaims; i++) {
		struct text line = {0};

		summary_claim_say(&line, s, i);
		text_puts(t, "    <testcase classname=\"declaration\"");
		put_attr(t, "name", s->claims[i].name);
		text_puts(t, " time=\"0.000000\">\n      <failure "
			     "type=\"declaration\"");
		put_attr(t, "message", text_cstr(&line));
		text_puts(t, "/>\n    </testcase>\n");
		t->failed |= line.failed;
		text_free(&line);
	}
	text_puts(t, "  </testsuite>\n");
}

/*
 * Returns the index of the first case of each folder in |*n| numbers, in the
 * order of the cases; the caller frees them.  Return: NULL if there is no
 * memory.
 */
static size_t *junit_folders(const struct summary *s, size_t *n)
{
	size_t *first = memory_calloc(s->ncases + 1, sizeof(*first));
	size_t j;

	*n = 0;
	for (size_t i = 0; first && i < s->ncases; i++) {
		for (j = 0; j < *n; j++)
			if (junit_same_folder(s->cases[first[j]].id,
					      s->cases[i].id))
				break;
		if (j == *n)
			first[(*n)++] = i;
	}
	return first;
}

int junit_report(struct text *t, const struct summary *s, const struct about *a)
{
	const size_t room = junit_room(s);
	struct count n = {0};
	size_t nfolders;
	size_t *first = junit_folders(s, &nfolders);

	if (!first)
		return ERR_NOMEM;
	for (size_t i = 0; i < s->ncases; i++)
		count_case(&n, &s->cases[i]);
	n.tests += s->nclaims;
	n.failures += s->nclaims;
	text_puts(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	text_puts(t, "<testsuites name=\"rung\"");
	junit_put_counts(t, &n);
	text_puts(t, ">\n");
	if (s->nclaims)
		junit_put_claims(t, s, a);
	for (size_t i = 0; i < nfolders; i++)
		put_suite(t, s, first[i], a, room);
	text_puts(t, "</testsuites>\n");
	free(first);
	return text_err(t);
}
