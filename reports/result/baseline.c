/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/baseline.c -- reads the list of a device's known failures and
 * compares results with it.
 */
#include "reports/result/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "reports/safe.h"
#include "suite/lang/glob.h"

/* ---- Reading ---- */

struct lines {
	const char *path, *today;
	struct diag *diag;
	struct baseline *b;
	size_t size;
	unsigned line;
	const char *at;   /* start of the line */
	const char *word; /* its first word */
	size_t len;       /* length of the word */
	const char *rest; /* the rest of the line */
	size_t rest_len;
};

static int baseline_wrong(struct lines *l, const char *where, const char *what)
{
	return diag_set(l->diag, l->path, l->line,
			(unsigned)(where - l->at) + 1, l->at, "%s", what);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Splits the line at |s|; a comment is a line of its own. */
static const char *baseline_next_line(struct lines *l, const char *s,
				      const char *end)
{
	const char *stop = memchr(s, '\n', (size_t)(end - s));
	const char *last = stop ? stop : end;

	l->line++;
	l->at = s;
	while (s < last && blank(*s))
		s++;
	while (last > s && blank(last[-1]))
		last--;
	l->word = s;
	while (s < last && !blank(*s))
		s++;
	l->len = (size_t)(s - l->word);
	while (s < last && blank(*s))
		s++;
	l->rest = s;
	l->rest_len = (size_t)(last - s);
	if (stop)
		return stop + 1;
	return end;
}

static bool baseline_is_word(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(s, word, len) == 0;
}

static struct baseline_entry *baseline_grow(struct lines *l)
{
	struct baseline *b = l->b;

	if (b->n == l->size) {
		size_t size = l->size ? 2 * l->size : 16;
		void *p =
			memory_realloc(b->entries, size * sizeof(*b->entries));

		if (!p)
			return NULL;
		b->entries = p;
		l->size = size;
	}
	b->entries[b->n] = (struct baseline_entry){.line = l->line};
	return &b->entries[b->n++];
}

/* Reads the word after "expect". */
static bool read_verdict(const char *s, size_t len, struct baseline_entry *e)
{
	e->flaky = baseline_is_word(s, len, "flaky");
	e->gone = baseline_is_word(s, len, "gone");
	if (e->flaky || e->gone)
		return true;
	for (int v = 0; v < VERDICT_COUNT; v++)
		if (v != VERDICT_PASS &&
		    baseline_is_word(s, len, verdict_name((enum verdict)v))) {
			e->verdict = (enum verdict)v;
			return true;
		}
	return false;
}

static int read_expect(struct lines *l)
{
	struct baseline_entry *e = baseline_grow(l);
	const char *pattern;
	size_t len = 0;

	if (!e)
		return ERR_NOMEM;
	while (len < l->rest_len && !blank(l->rest[len]))
		len++;
	if (!read_verdict(l->rest, len, e))
		return baseline_wrong(
			l, l->rest,
			"'expect' wants fail, flaky, inconclusive, na, "
			"error or gone, then a case or a glob over cases");
	pattern = l->rest + len;
	while (pattern < l->rest + l->rest_len && blank(*pattern))
		pattern++;
	len = (size_t)(l->rest + l->rest_len - pattern);
	if (!len || memchr(pattern, ' ', len))
		return baseline_wrong(l, pattern,
				      "one case or glob is wanted here");
	e->pattern = arena_strndup(&l->b->arena, pattern, len);
	if (e->pattern)
		return 0;
	return ERR_NOMEM;
}

/* Returns true for a date such as "2027-01-31". */
static bool is_date(const char *s, size_t len)
{
	static const char shape[] = "dddd-dd-dd";

	if (len != sizeof(shape) - 1)
		return false;
	for (size_t i = 0; i < len; i++)
		if (shape[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != '-')
			return false;
	return memcmp(s + 5, "00", 2) > 0 && memcmp(s + 5, "12", 2) <= 0 &&
	       memcmp(s + 8, "00", 2) > 0 && memcmp(s + 8, "31", 2) <= 0;
}

static int baseline_keep(struct lines *l, const char **to)
{
	if (*to)
		return baseline_wrong(l, l->word, "this is said twice");
	if (!l->rest_len)
		return baseline_wrong(l, l->rest, "a text is missing");
	*to = arena_strndup(&l->b->arena, l->rest, l->rest_len);
	if (*to)
		return 0;
	return ERR_NOMEM;
}

static int read_until(struct lines *l, struct baseline_entry *e)
{
	if (!is_date(l->rest, l->rest_len))
		return baseline_wrong(l, l->rest,
				      "a date is wanted: 2027-01-31");
	e->expired = memcmp(l->rest, l->today, l->rest_len) < 0;
	return baseline_keep(l, &e->until);
}

/* Counts the words of the rest of the line. */
static size_t baseline_count_words(const struct lines *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->rest_len; i++)
		n += !blank(l->rest[i]) && (!i || blank(l->rest[i - 1]));
	return n;
}

/* Reads the rows under which a failure is expected. */
static int read_under(struct lines *l, struct baseline_entry *e)
{
	const size_t n = baseline_count_words(l);
	const char *s = l->rest, *end = l->rest + l->rest_len;
	struct req_ref *rows;

	if (e->nunder)
		return baseline_wrong(l, l->word, "this is said twice");
	if (e->gone || (!e->flaky && e->verdict != VERDICT_FAIL))
		return baseline_wrong(
			l, l->word,
			"only 'expect fail' and 'expect flaky' name rows");
	if (!n)
		return baseline_wrong(l, l->rest, "a requirement is missing");
	rows = arena_alloc(&l->b->arena, n * sizeof(*rows));
	if (!rows)
		return ERR_NOMEM;
	e->under = rows;
	while (s < end) {
		const char *w = s;

		while (s < end && !blank(*s))
			s++;
		rows[e->nunder].id =
			req_find(w, (size_t)(s - w), &rows[e->nunder].role);
		if (rows[e->nunder++].id == REQ_NONE)
			return baseline_wrong(
				l, w,
				"no requirement is called so; 'rung list "
				"--reqs' has them all");
		while (s < end && blank(*s))
			s++;
	}
	return 0;
}

static int read_key(struct lines *l)
{
	struct baseline_entry *e = l->b->n ? &l->b->entries[l->b->n - 1] : NULL;

	if (!e)
		return baseline_wrong(l, l->word,
				      "the list begins with 'expect'");
	if (baseline_is_word(l->word, l->len, "because"))
		return baseline_keep(l, &e->because);
	if (baseline_is_word(l->word, l->len, "link"))
		return baseline_keep(l, &e->link);
	if (baseline_is_word(l->word, l->len, "owner"))
		return baseline_keep(l, &e->owner);
	if (baseline_is_word(l->word, l->len, "until"))
		return read_until(l, e);
	if (baseline_is_word(l->word, l->len, "under"))
		return read_under(l, e);
	return baseline_wrong(
		l, l->word,
		"expect, because, link, owner, until or under is wanted");
}

/* Every entry needs a reason. */
static int baseline_check_last(struct lines *l)
{
	const struct baseline_entry *e =
		l->b->n ? &l->b->entries[l->b->n - 1] : NULL;

	if (!e || e->because)
		return 0;
	return diag_set(l->diag, l->path, e->line, 1, NULL,
			"this entry has no 'because': say why it is expected");
}

static int read_lines(struct lines *l, const char *s, const char *end)
{
	int err = 0;

	while (!err && s < end) {
		s = baseline_next_line(l, s, end);
		if (!l->len || l->word[0] == '#')
			continue;
		if (!baseline_is_word(l->word, l->len, "expect")) {
			err = read_key(l);
			continue;
		}
		err = baseline_check_last(l);
		if (!err)
			err = read_expect(l);
	}
	if (err)
		return err;
	return baseline_check_last(l);
}

int baseline_parse(struct baseline **ret, const char *path, const char *text,
		   size_t len, const char *today, struct diag *diag)
{
	struct lines l = {.path = path, .today = today, .diag = diag};
	int err;

	l.b = memory_calloc(1, sizeof(*l.b));
	if (!l.b)
		return ERR_NOMEM;
	l.b->path = arena_strndup(&l.b->arena, path, strlen(path));
	if (l.b->path)
		err = read_lines(&l, text, text + len);
	else
		err = ERR_NOMEM;
	if (err)
		baseline_free(l.b);
	else
		*ret = l.b;
	return err;
}

void baseline_free(struct baseline *b)
{
	if (!b)
		return;
	arena_free(&b->arena);
	free(b->entries);
	free(b);
}

/* ---- Comparing ---- */

/* A pattern without a chair matches both chairs. */
static bool matches(const struct baseline_entry *e, const char *id)
{
	const char *at = strrchr(id, '@');
	char bare[256];
	size_t n = at ? (size_t)(at - id) : 0;

	if (glob_match(e->pattern, id))
		return true;
	if (!n || n >= sizeof(bare))
		return false;
	memcpy(bare, id, n);
	bare[n] = 0;
	return glob_match(e->pattern, bare);
}

/* Returns true for a finding that makes a result fail. */
static bool baseline_counts(const struct baseline *b,
			    const struct rec_finding *f)
{
	if (f->known || f->consequence || f->doubtful)
		return false;
	return b->strict || !f->remark;
}

static bool baseline_names(const struct baseline_entry *e,
			   const struct rec_finding *f)
{
	for (size_t i = 0; i < e->nunder; i++)
		if (e->under[i].id == f->req &&
		    (e->under[i].role & f->role) == f->role)
			return true;
	return false;
}

/* Returns the valid entry that names the row of a finding, or NULL. */
static const struct baseline_entry *baseline_excuse(const struct baseline *b,
						    const char *id,
						    const struct rec_finding *f)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct baseline_entry *e = &b->entries[i];

		if (!e->expired && baseline_names(e, f) && matches(e, id))
			return e;
	}
	return NULL;
}

/* Judges a fail that is expected under certain rows only. */
static enum baseline_state
baseline_judge_rows(const struct baseline *b, const struct record *r,
		    const struct baseline_entry **entry)
{
	const struct baseline_entry *first = NULL;

	for (size_t i = 0; i < r->nfindings; i++) {
		const struct baseline_entry *e;

		if (!baseline_counts(b, &r->findings[i]))
			continue;
		e = baseline_excuse(b, r->id, &r->findings[i]);
		if (!e)
			return BASELINE_OTHER;
		if (!first)
			first = e;
	}
	/* a fail without a finding has no row that could be expected */
	if (!first)
		return BASELINE_OTHER;
	*entry = first;
	return BASELINE_KNOWN;
}

static const struct baseline_entry *baseline_find(const struct baseline *b,
						  const char *id)
{
	for (size_t i = 0; b && i < b->n; i++)
		if (!b->entries[i].gone && matches(&b->entries[i], id))
			return &b->entries[i];
	return NULL;
}

enum baseline_state baseline_judge(const struct baseline *b,
				   const struct record *r,
				   const struct baseline_entry **ret_entry)
{
	const struct baseline_entry *e = baseline_find(b, r->id);
	const enum verdict v = r->verdict;

	*ret_entry = e;
	if (!e)
		return BASELINE_NONE;
	if (e->expired)
		return BASELINE_EXPIRED;
	if (v == VERDICT_FAIL && e->nunder)
		return baseline_judge_rows(b, r, ret_entry);
	if (e->flaky)
		return v == VERDICT_PASS || v == VERDICT_FAIL ? BASELINE_KNOWN
							      : BASELINE_OTHER;
	if (v == e->verdict)
		return BASELINE_KNOWN;
	if (v == VERDICT_PASS)
		return BASELINE_FIXED;
	return BASELINE_OTHER;
}

const struct baseline_entry *baseline_gone(const struct baseline *b,
					   const char *id)
{
	for (size_t i = 0; b && i < b->n; i++) {
		const struct baseline_entry *e = &b->entries[i];

		if (e->gone && !e->expired && matches(e, id))
			return e;
	}
	return NULL;
}

const char *baseline_state_name(enum baseline_state s)
{
	static const char *const names[] = {
		[BASELINE_NONE] = "none",       [BASELINE_KNOWN] = "known",
		[BASELINE_FIXED] = "fixed",     [BASELINE_OTHER] = "other",
		[BASELINE_EXPIRED] = "expired",
	};

	return names[s];
}

static void say_more(struct text *t, bool *some, const char *before,
		     const char *s)
{
	if (!s)
		return;
	text_puts(t, *some ? ", " : " (");
	text_puts(t, before);
	safe_puts(t, s);
	*some = true;
}

/* Appends " (under RUD-SEQ-76/dst)" or the like. */
static void baseline_say_rows(struct text *t, bool *some,
			      const struct baseline_entry *e)
{
	for (size_t i = 0; i < e->nunder; i++) {
		text_puts(t, i ? " " : *some ? ", under " : " (under ");
		text_printf(t, "%s/%s", req_get(e->under[i].id)->id,
			    req_role_name(e->under[i].role));
	}
	*some |= e->nunder > 0;
}

void baseline_say(struct text *t, enum baseline_state s,
		  const struct baseline_entry *e)
{
	bool some = false;

	if (!e)
		return;
	if (s == BASELINE_FIXED)
		text_puts(t, "unexpected pass: ");
	else if (s == BASELINE_OTHER && e->nunder)
		text_puts(t, "not the expected failure: ");
	else
		text_printf(t, "%s: ", baseline_state_name(s));
	safe_puts(t, e->because);
	if (s == BASELINE_OTHER || s == BASELINE_EXPIRED)
		baseline_say_rows(t, &some, e);
	say_more(t, &some, "", e->owner);
	say_more(t, &some, "until ", e->until);
	say_more(t, &some, "", e->link);
	text_puts(t, some ? ")" : "");
}
