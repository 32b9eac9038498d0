/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/checklist.c -- fills another party's checklist in from a run.
 */
#include "reports/format/checklist.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"

#define FIELDS_MAX   64
#define EVIDENCE_MAX 3 /* captures that a failed row names */

struct checklist_reader {
	const char *path;
	struct diag *diag;
	const char *s, *end;
	const char *row;    /* start of the current line */
	unsigned line;      /* number of the current line */
	unsigned next_line; /* line number of |s| */
	struct text fields[FIELDS_MAX];
	size_t n;
};

static int checklist_wrong(struct checklist_reader *r, const char *what)
{
	return diag_set(r->diag, r->path, r->line, 1, r->row, "%s", what);
}

/* ---- CSV ---- */

/* Reads a field in quotes; |s| is behind the first quote, "" is one quote. */
static int quoted(struct checklist_reader *r, struct text *to)
{
	while (r->s < r->end) {
		if (*r->s == '\n')
			r->next_line++;
		if (*r->s != '"') {
			text_add(to, r->s++, 1);
			continue;
		}
		if (r->s + 1 < r->end && r->s[1] == '"') {
			text_add(to, r->s, 1);
			r->s += 2;
			continue;
		}
		r->s++;
		return 0;
	}
	return checklist_wrong(r, "a quote is not closed");
}

static int checklist_field(struct checklist_reader *r, struct text *to)
{
	text_clear(to);
	if (r->s < r->end && *r->s == '"') {
		int err;

		r->s++;
		err = quoted(r, to);
		if (err)
			return err;
		if (r->s < r->end && !strchr(",\r\n", *r->s))
			return checklist_wrong(
				r, "a comma is wanted after a quote");
		return text_err(to);
	}
	while (r->s < r->end && !strchr(",\r\n", *r->s))
		text_add(to, r->s++, 1);
	return text_err(to);
}

/* Reads a row into fields.  Return: 1 a row, 0 the end, or an error. */
static int checklist_row(struct checklist_reader *r)
{
	int err;

	if (r->s == r->end)
		return 0;
	r->row = r->s;
	r->line = r->next_line;
	for (r->n = 0;;) {
		if (r->n == FIELDS_MAX)
			return checklist_wrong(
				r, "there are more than 64 columns");
		err = checklist_field(r, &r->fields[r->n++]);
		if (err)
			return err;
		if (r->s == r->end || *r->s != ',')
			break;
		r->s++;
	}
	if (r->s < r->end && *r->s == 0)
		return checklist_wrong(r, "a NUL has no place in a list");
	if (r->s < r->end && *r->s == '\r')
		r->s++;
	if (r->s < r->end && *r->s != '\n')
		return checklist_wrong(r, "a line ends with a newline");
	if (r->s < r->end) {
		r->s++;
		r->next_line++;
	}
	return 1;
}

static void put_field(struct text *t, const char *s, bool first)
{
	const bool quote = strpbrk(s, ",\"\r\n") != NULL;

	text_puts(t, first ? "" : ",");
	text_puts(t, quote ? "\"" : "");
	for (; *s; s++) {
		text_puts(t, *s == '"' ? "\"" : "");
		text_add(t, s, 1);
	}
	text_puts(t, quote ? "\"" : "");
}

static void put_row(struct text *t, const struct checklist_reader *r)
{
	for (size_t i = 0; i < r->n; i++)
		put_field(t, text_cstr(&r->fields[i]), i == 0);
}

/* ---- Verdicts ---- */

/* The outcome of the requirements of a row. */
struct checklist_tally {
	size_t all, pass, fail, partial, na, untested;
	struct text observed, evidence;
	size_t captures;
};

static void add_evidence(struct checklist_tally *y, const struct about *a,
			 const char *file)
{
	text_puts(&y->evidence, text_between(y->evidence.len, " "));
	if (a->out)
		text_printf(&y->evidence, "%s/", a->out);
	text_puts(&y->evidence, file);
}

static void add_captures(struct checklist_tally *y, const struct summary *s,
			 const struct about *a, enum req_id id,
			 enum req_role role)
{
	for (size_t i = 0; i < s->ncases; i++) {
		const struct summary_case *c = &s->cases[i];
		bool found = false;

		for (size_t j = 0; j < c->nfindings; j++)
			found |= c->findings[j].req == id &&
				 (c->findings[j].role & role);
		if (!found || y->captures == EVIDENCE_MAX)
			continue;
		y->captures++;
		add_evidence(y, a, c->capture ? c->capture : c->id);
	}
}

static void checklist_count(struct checklist_tally *y, const struct summary *s,
			    const struct about *a, enum req_id id,
			    enum req_role role)
{
	const enum req_verdict v = summary_verdict(s, id, role);
	const bool listed = summary_listed(s, id, role);

	y->all++;
	y->untested += !listed;
	y->pass += listed && v == REQ_VERDICT_PASS;
	y->fail += listed && v == REQ_VERDICT_FAIL;
	y->partial += listed && v == REQ_VERDICT_PARTIAL;
	y->na +=
		listed && (v == REQ_VERDICT_NA || v == REQ_VERDICT_NOT_REACHED);
	text_printf(&y->observed, "%s%s/%s=%s",
		    text_between(y->observed.len, " "), req_get(id)->id,
		    req_role_name(role),
		    listed ? req_verdict_name(v) : "untested");
	if (listed && v == REQ_VERDICT_FAIL)
		add_captures(y, s, a, id, role);
}

static const char *checklist_verdict_of(const struct checklist_tally *y)
{
	if (!y->all)
		return "unmapped";
	if (y->fail)
		return "fail";
	if (y->pass == y->all)
		return "pass";
	if (y->pass || y->partial)
		return "partial";
	if (y->na)
		return "na";
	return "untested";
}

/* Returns the next word of a list, or NULL; |s| moves behind it. */
static const char *checklist_word(const char **s, size_t *ret_len)
{
	const char *start = *s + strspn(*s, " ,;\t\r\n");

	*ret_len = strcspn(start, " ,;\t\r\n");
	*s = start + *ret_len;
	if (*ret_len)
		return start;
	return NULL;
}

/* Walks the requirements of a row; |y| NULL: only checks that they exist. */
static int checklist_each(struct checklist_reader *r, const char *list,
			  struct checklist_tally *y, const struct summary *s,
			  const struct about *a)
{
	static const enum req_role roles[] = {REQ_SRC, REQ_DST};
	const char *w;
	size_t len;

	while ((w = checklist_word(&list, &len))) {
		enum req_role role;
		const enum req_id id = req_find(w, len, &role);

		if (id == REQ_NONE)
			return diag_set(r->diag, r->path, r->line, 1, r->row,
					"no requirement is called '%.*s'; "
					"'rung list --reqs' has them all",
					(int)len, w);
		for (size_t i = 0; y && i < 2; i++)
			if (role & roles[i])
				checklist_count(y, s, a, id, roles[i]);
	}
	return 0;
}

static int fill_row(struct checklist_reader *r, size_t column, struct text *ret,
		    const struct summary *s, const struct about *a)
{
	struct checklist_tally y = {0};
	int err = checklist_each(r, text_cstr(&r->fields[column]),
				 ret ? &y : NULL, s, a);

	if (!err && ret) {
		put_row(ret, r);
		put_field(ret, checklist_verdict_of(&y), false);
		put_field(ret, text_cstr(&y.observed), false);
		if (!y.evidence.len && y.all > y.untested)
			add_evidence(&y, a, "report.html");
		put_field(ret, text_cstr(&y.evidence), false);
		text_puts(ret, "\n");
		ret->failed |= y.observed.failed || y.evidence.failed;
	}
	text_free(&y.observed);
	text_free(&y.evidence);
	return err;
}

static int find_column(struct checklist_reader *r, size_t *ret)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(text_cstr(&r->fields[i]), "requirements") == 0) {
			*ret = i;
			return 0;
		}
	return checklist_wrong(r, "no column is called 'requirements'");
}

static int rows(struct checklist_reader *r, struct text *ret,
		const struct summary *s, const struct about *a)
{
	size_t columns, column = 0;
	int err = checklist_row(r);

	if (err == 0)
		return checklist_wrong(
			r, "the list is empty: a head line is wanted");
	if (err > 0)
		err = find_column(r, &column);
	if (err)
		return err;
	columns = r->n;
	if (ret) {
		put_row(ret, r);
		text_puts(ret, ",verdict,observed,evidence\n");
	}
	while ((err = checklist_row(r)) > 0) {
		if (r->n == 1 && !r->fields[0].len)
			continue; /* an empty line */
		if (r->n != columns)
			return diag_set(r->diag, r->path, r->line, 1, r->row,
					"%zu fields, and the head has %zu",
					r->n, columns);
		err = fill_row(r, column, ret, s, a);
		if (err)
			return err;
	}
	return err;
}

static int read_list(struct text *ret, const char *path, const char *text,
		     size_t len, const struct summary *s, const struct about *a,
		     struct diag *diag)
{
	/* the byte order mark that spreadsheets write */
	static const char mark[] = "\xef\xbb\xbf";
	struct checklist_reader r = {
		.path = path,
		.diag = diag,
		.s = text,
		.end = text + len,
		.row = text,
		.line = 1,
		.next_line = 1,
	};
	int err;

	if (len >= 3 && memcmp(text, mark, 3) == 0)
		r.s += 3;
	err = rows(&r, ret, s, a);
	for (size_t i = 0; i < FIELDS_MAX; i++)
		text_free(&r.fields[i]);
	return err ? err : ret ? text_err(ret) : 0;
}

int checklist_fill(struct text *ret, const char *path, const char *text,
		   size_t len, const struct summary *s, const struct about *a,
		   struct diag *diag)
{
	return read_list(ret, path, text, len, s, a, diag);
}

int checklist_check(const char *path, const char *text, size_t len,
		    struct diag *diag)
{
	return read_list(NULL, path, text, len, NULL, NULL, diag);
}
