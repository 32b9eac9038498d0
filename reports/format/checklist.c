/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/checklist.c -- fills another party's checklist in from a run.
 */
#include "reports/format/checklist.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "reports/export/export.h"
#include "reports/safe.h"
#include "suite/lang/glob.h"

#define FIELDS_MAX   64
#define EVIDENCE_MAX 3 /* cases that are evidence of one requirement */

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

/* The outcome of what a row names. */
struct checklist_tally {
	size_t all, pass, fail, partial, na, untested;
	struct text observed, evidence;
};

/* A filled list in progress. */
struct checklist_fill {
	const struct summary *s;
	const struct about *a;
	size_t requirements, cases; /* columns; FIELDS_MAX: none */
	struct text *ret;           /* NULL: the list is only checked */
	size_t rows[CHECKLIST_VERDICTS];
};

static const char *const checklist_names[CHECKLIST_VERDICTS] = {
	"unmapped", "fail", "pass", "partial", "na", "untested"};

const char *checklist_verdict_name(enum checklist_verdict v)
{
	return checklist_names[v];
}

/* Adds a word to a list, once. */
static void checklist_add_word(struct text *list, const char *word)
{
	const char *at = text_cstr(list);
	const size_t len = strlen(word);

	for (; (at = strstr(at, word)); at += len)
		if ((at == list->s || at[-1] == ' ') &&
		    (at[len] == ' ' || !at[len]))
			return;
	text_puts(list, text_between(list->len, " "));
	text_puts(list, word);
}

/* The evidence of a case is its capture, or its id if nothing was kept. */
static void add_evidence(struct checklist_tally *y,
			 const struct checklist_fill *f,
			 const struct summary_case *c)
{
	struct text file = {0};

	export_beside(&file, f->a, c, "capture.pcapng");
	checklist_add_word(&y->evidence, text_some(text_cstr(&file), c->id));
	y->evidence.failed |= file.failed;
	text_free(&file);
}

static bool checklist_found(const struct summary_case *c, enum req_id id,
			    enum req_role role)
{
	for (size_t i = 0; i < c->nfindings; i++)
		if (c->findings[i].req == id && (c->findings[i].role & role))
			return true;
	return false;
}

/* Adds the cases that show that a requirement fails, or is fulfilled. */
static void add_cases(struct checklist_tally *y, const struct checklist_fill *f,
		      enum req_id id, enum req_role role, bool fails)
{
	size_t n = 0;

	for (size_t i = 0; i < f->s->ncases && n < EVIDENCE_MAX; i++) {
		const struct summary_case *c = &f->s->cases[i];
		const bool shows = fails ? checklist_found(c, id, role)
					 : c->verdict == VERDICT_PASS &&
						   summary_has(c, id, role);

		if (!shows)
			continue;
		add_evidence(y, f, c);
		n++;
	}
}

static void checklist_count(struct checklist_tally *y,
			    const struct checklist_fill *f, enum req_id id,
			    enum req_role role)
{
	const enum req_verdict v = summary_verdict(f->s, id, role);
	const bool listed = summary_listed(f->s, id, role);

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
	if (listed)
		add_cases(y, f, id, role, v == REQ_VERDICT_FAIL);
}

/* Counts a case that a row names. */
static void checklist_count_case(struct checklist_tally *y,
				 const struct checklist_fill *f,
				 const struct summary_case *c)
{
	y->all++;
	y->pass += c->verdict == VERDICT_PASS;
	y->fail += c->verdict == VERDICT_FAIL;
	y->na += c->verdict == VERDICT_NA;
	y->partial += c->verdict == VERDICT_INCONCLUSIVE ||
		      c->verdict == VERDICT_ERROR;
	text_printf(&y->observed, "%s%s=%s", text_between(y->observed.len, " "),
		    c->id, verdict_name(c->verdict));
	add_evidence(y, f, c);
}

/* A pattern without a chair matches both chairs. */
static bool checklist_matches(const char *pattern, const char *id)
{
	const char *at = strrchr(id, '@');
	struct text bare = {0};
	bool yes = glob_match(pattern, id);

	if (!yes && at) {
		text_add(&bare, id, (size_t)(at - id));
		yes = glob_match(pattern, text_cstr(&bare));
		text_free(&bare);
	}
	return yes;
}

static void checklist_count_cases(struct checklist_tally *y,
				  const struct checklist_fill *f,
				  const char *pattern)
{
	bool any = false;

	for (size_t i = 0; i < f->s->ncases; i++) {
		if (!checklist_matches(pattern, f->s->cases[i].id))
			continue;
		checklist_count_case(y, f, &f->s->cases[i]);
		any = true;
	}
	if (any)
		return;
	y->all++;
	y->untested++;
	text_printf(&y->observed, "%s%s=untested",
		    text_between(y->observed.len, " "), pattern);
}

static enum checklist_verdict checklist_verdict(const struct checklist_tally *y)
{
	if (!y->all)
		return CHECKLIST_UNMAPPED;
	if (y->fail)
		return CHECKLIST_FAIL;
	if (y->pass == y->all)
		return CHECKLIST_PASS;
	if (y->pass || y->partial)
		return CHECKLIST_PARTIAL;
	if (y->na)
		return CHECKLIST_NA;
	return CHECKLIST_UNTESTED;
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
			  struct checklist_tally *y,
			  const struct checklist_fill *f)
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
				checklist_count(y, f, id, roles[i]);
	}
	return 0;
}

/* Walks the cases of a row. */
static void checklist_each_case(const char *list, struct checklist_tally *y,
				const struct checklist_fill *f)
{
	struct text pattern = {0};
	const char *w;
	size_t len;

	while ((w = checklist_word(&list, &len))) {
		text_clear(&pattern);
		text_add(&pattern, w, len);
		checklist_count_cases(y, f, text_cstr(&pattern));
	}
	y->observed.failed |= pattern.failed;
	text_free(&pattern);
}

/* Returns the field of a column, or "" if there is no such column. */
static const char *checklist_at(const struct checklist_reader *r, size_t column)
{
	return column < r->n ? text_cstr(&r->fields[column]) : "";
}

static int fill_row(struct checklist_reader *r, struct checklist_fill *f)
{
	struct checklist_tally y = {0};
	int err = checklist_each(r, checklist_at(r, f->requirements),
				 f->ret ? &y : NULL, f);

	if (!err && f->ret) {
		checklist_each_case(checklist_at(r, f->cases), &y, f);
		f->rows[checklist_verdict(&y)]++;
		put_row(f->ret, r);
		put_field(f->ret, checklist_names[checklist_verdict(&y)],
			  false);
		put_field(f->ret, text_cstr(&y.observed), false);
		put_field(f->ret, text_cstr(&y.evidence), false);
		text_puts(f->ret, "\n");
		f->ret->failed |= y.observed.failed || y.evidence.failed;
	}
	text_free(&y.observed);
	text_free(&y.evidence);
	return err;
}

static size_t find_column(const struct checklist_reader *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(text_cstr(&r->fields[i]), name) == 0)
			return i;
	return FIELDS_MAX;
}

/* Reads the head line. */
static int checklist_head(struct checklist_reader *r, struct checklist_fill *f)
{
	const int err = checklist_row(r);

	if (err == 0)
		return checklist_wrong(
			r, "the list is empty: a head line is wanted");
	if (err < 0)
		return err;
	f->requirements = find_column(r, "requirements");
	f->cases = find_column(r, "cases");
	if (f->requirements == FIELDS_MAX && f->cases == FIELDS_MAX)
		return checklist_wrong(
			r, "no column is called 'requirements' or 'cases'");
	if (f->ret) {
		put_row(f->ret, r);
		text_puts(f->ret, ",verdict,observed,evidence\n");
	}
	return 0;
}

/* Returns 1 for a row that fits the head, 0 at the end, or an error. */
static int checklist_next(struct checklist_reader *r, size_t columns)
{
	int err;

	do
		err = checklist_row(r);
	while (err > 0 && r->n == 1 && !r->fields[0].len);
	if (err > 0 && r->n != columns)
		return diag_set(r->diag, r->path, r->line, 1, r->row,
				"%zu fields, and the head has %zu", r->n,
				columns);
	return err;
}

static int rows(struct checklist_reader *r, struct checklist_fill *f)
{
	int err = checklist_head(r, f);
	const size_t columns = r->n;

	while (!err) {
		const int more = checklist_next(r, columns);

		if (more <= 0)
			return more;
		err = fill_row(r, f);
	}
	return err;
}

static struct checklist_reader checklist_open(const char *path,
					      const char *text, size_t len,
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

	if (len >= 3 && memcmp(text, mark, 3) == 0)
		r.s += 3;
	return r;
}

static void checklist_close(struct checklist_reader *r)
{
	for (size_t i = 0; i < FIELDS_MAX; i++)
		text_free(&r->fields[i]);
}

int checklist_fill(struct text *ret, const char *path, const char *text,
		   size_t len, const struct summary *s, const struct about *a,
		   size_t ret_rows[CHECKLIST_VERDICTS], struct diag *diag)
{
	struct checklist_reader r = checklist_open(path, text, len, diag);
	struct checklist_fill f = {.s = s, .a = a, .ret = ret};
	int err = rows(&r, &f);

	checklist_close(&r);
	if (ret_rows)
		memcpy(ret_rows, f.rows, sizeof(f.rows));
	return err ? err : text_err(ret);
}

int checklist_check(const char *path, const char *text, size_t len,
		    struct diag *diag)
{
	struct checklist_reader r = checklist_open(path, text, len, diag);
	struct checklist_fill f = {.ret = NULL};
	const int err = rows(&r, &f);

	checklist_close(&r);
	return err;
}

/* ---- HTML ---- */

static void checklist_link(struct text *t, const char *w, size_t len)
{
	struct text word = {0};

	text_add(&word, w, len);
	text_puts(t, " <a href=\"");
	safe_xml(t, text_cstr(&word));
	text_puts(t, "\">");
	safe_xml(t, text_cstr(&word));
	text_puts(t, "</a>");
	t->failed |= word.failed;
	text_free(&word);
}

static void checklist_html_row(struct text *t, const struct checklist_reader *r,
			       const char *cell, bool links)
{
	text_puts(t, "<tr>");
	for (size_t i = 0; i < r->n; i++) {
		const char *list = text_cstr(&r->fields[i]), *w;
		size_t len;

		text_printf(t, "<%s>", cell);
		if (!links || i + 1 < r->n) {
			safe_xml(t, list);
			continue;
		}
		while ((w = checklist_word(&list, &len)))
			checklist_link(t, w, len);
	}
	text_puts(t, "\n");
}

int checklist_html(struct text *ret, const char *filled, size_t len)
{
	struct diag diag = {0};
	struct checklist_reader r = checklist_open("", filled, len, &diag);
	int err = checklist_row(&r);

	text_puts(ret, "<table><thead>");
	if (err > 0)
		checklist_html_row(ret, &r, "th", false);
	text_puts(ret, "</thead>\n<tbody>\n");
	while (err > 0 && (err = checklist_row(&r)) > 0)
		checklist_html_row(ret, &r, "td", true);
	text_puts(ret, "</tbody></table>\n");
	checklist_close(&r);
	return err ? err : text_err(ret);
}
