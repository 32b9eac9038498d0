/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/case_lex.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/word.h"

#define SPAN_MAX       (3600 * VSPAN_S)
#define SPAN_UNITS_MAX 1000000 /* thousandths: a thousand RTOs */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

void lex_open(struct lex *l, struct arena *arena, struct diag *diag,
	      const char *file, const char *text, size_t len)
{
	*l = (struct lex){
		.arena = arena,
		.diag = diag,
		.file = file,
		.at = text,
		.end = text + len,
		.source = text,
		.p = text,
		.eol = text,
	};
}

int lex_error(struct lex *l, const char *at, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (!at) {
		struct word w;

		at = lex_peek(l, &w) ? w.s : l->eol;
	}
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return diag_set(l->diag, l->file, l->line,
			(unsigned)(at - l->source) + 1, l->source, "%s", text);
}

/* Where the comment of the line starts, or its end. */
static const char *comment_start(const char *s, const char *end)
{
	for (const char *p = s; p < end; p++)
		if (*p == '#' && (p == s || is_blank(p[-1])))
			return p;
	return end;
}

static int check_control(struct lex *l)
{
	for (const char *p = l->p; p < l->eol; p++) {
		unsigned char c = (unsigned char)*p;

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return lex_error(l, p,
					 "control character 0x%02x in the text",
					 c);
	}
	return 0;
}

int lex_line(struct lex *l)
{
	while (l->at < l->end) {
		const char *nl = memchr(l->at, '\n', (size_t)(l->end - l->at));

		l->line++;
		l->source = l->p = l->at;
		l->eol = comment_start(l->p, nl ? nl : l->end);
		l->at = nl ? nl + 1 : l->end;
		while (l->eol > l->p &&
		       (is_blank(l->eol[-1]) || l->eol[-1] == '\r'))
			l->eol--;
		if (check_control(l))
			return ERR_SYNTAX;
		while (l->p < l->eol && is_blank(*l->p))
			l->p++;
		if (l->p < l->eol)
			return 1;
	}
	return 0;
}

bool lex_indented(const struct lex *l)
{
	return is_blank(*l->source);
}

bool lex_peek(struct lex *l, struct word *ret)
{
	const char *s = l->p, *e;

	while (s < l->eol && is_blank(*s))
		s++;
	for (e = s; e < l->eol && !is_blank(*e);)
		e++;
	*ret = (struct word){s, (size_t)(e - s)};
	return e > s;
}

bool lex_word(struct lex *l, struct word *ret)
{
	bool found = lex_peek(l, ret);

	l->p = ret->s + ret->len;
	return found;
}

bool lex_take(struct lex *l, const char *s)
{
	struct word w;

	if (!lex_peek(l, &w) || !word_is(w, s))
		return false;
	l->p = w.s + w.len;
	return true;
}

struct word lex_rest(struct lex *l)
{
	struct word w;

	while (l->p < l->eol && is_blank(*l->p))
		l->p++;
	w = (struct word){l->p, (size_t)(l->eol - l->p)};
	l->p = l->eol;
	return w;
}

bool word_is(struct word w, const char *s)
{
	return word_equal(s, w.s, w.len);
}

bool word_is_number(struct word w)
{
	return w.len && is_digit(w.s[0]);
}

int lex_done(struct lex *l)
{
	struct word w;

	if (!lex_peek(l, &w))
		return 0;
	return lex_error(l, w.s, "'%.*s' is not expected here", WORD(w));
}

char *lex_copy(struct lex *l, struct word w)
{
	return arena_strndup(l->arena, w.s, w.len);
}

static int digit_value(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

int lex_u64(struct word w, uint64_t max, uint64_t *ret)
{
	const bool hex = w.len > 2 && w.s[0] == '0' && w.s[1] == 'x';
	const unsigned base = hex ? 16 : 10;
	uint64_t v = 0;
	bool over = false;

	if (!w.len)
		return ERR_VALUE;
	for (size_t i = hex ? 2 : 0; i < w.len; i++) {
		unsigned d = (unsigned)digit_value(w.s[i]);

		if (d >= base)
			return ERR_VALUE;
		over |= v > (UINT64_MAX - d) / base;
		v = v * base + d;
	}
	if (over || v > max)
		return ERR_SPACE;
	*ret = v;
	return 0;
}

int lex_count(struct lex *l, const char *what, uint32_t min, uint32_t max,
	      uint32_t *ret)
{
	struct word w;
	uint64_t v = 0;

	if (!lex_word(l, &w))
		return lex_error(l, w.s, "expected %s, a number", what);
	if (lex_u64(w, max, &v) || v < min)
		return lex_error(l, w.s,
				 "expected %s, a number %" PRIu32 "..%" PRIu32
				 ", not '%.*s'",
				 what, min, max, WORD(w));
	*ret = (uint32_t)v;
	return 0;
}

/* ---- Spans ---- */

static const struct span_word {
	const char *name;
	enum span_unit unit;
	vspan ns; /* of one */
} span_words[] = {
	{"s", SPAN_NS, VSPAN_S},
	{"ms", SPAN_NS, VSPAN_MS},
	{"us", SPAN_NS, VSPAN_US},
	{"ns", SPAN_NS, 1},
	{"rto", SPAN_RTO, 0},
	{"nack_time", SPAN_NACK_TIME, 0},
	{"ack_time", SPAN_ACK_TIME, 0},
	{"unresponsive_time", SPAN_UNRESPONSIVE, 0},
};

#define SPAN_WORDS (sizeof(span_words) / sizeof(span_words[0]))

static const struct span_word *span_word(struct word w)
{
	for (size_t i = 0; i < SPAN_WORDS; i++)
		if (word_is(w, span_words[i].name))
			return &span_words[i];
	return NULL;
}

/* "1.5" in thousandths; the digits' length, 0: no such number. */
static size_t read_milli(struct word w, uint64_t *ret)
{
	uint64_t v = 0, scale = 1000;
	size_t i = 0;

	for (; i < w.len && is_digit(w.s[i]) && i < 10; i++)
		v = v * 10 + (uint64_t)(w.s[i] - '0');
	if (!i)
		return 0;
	v *= 1000;
	if (i + 1 < w.len && w.s[i] == '.' && is_digit(w.s[i + 1]))
		for (i++; i < w.len && is_digit(w.s[i]) && scale > 1; i++) {
			scale /= 10;
			v += scale * (uint64_t)(w.s[i] - '0');
		}
	*ret = v;
	return i;
}

static bool make_span(const struct span_word *u, uint64_t milli,
		      struct span *ret)
{
	if (!u)
		return false;
	if (u->unit != SPAN_NS) {
		if (milli > SPAN_UNITS_MAX)
			return false;
		*ret = (struct span){
			.set = true, .unit = u->unit, .milli = (uint32_t)milli};
		return true;
	}
	if (milli / 1000 > (uint64_t)(SPAN_MAX / u->ns))
		return false;
	if (milli * (uint64_t)u->ns % 1000)
		return false;
	*ret = (struct span){.set = true,
			     .ns = (vspan)(milli * (uint64_t)u->ns / 1000)};
	return true;
}

bool word_span(struct word w, struct span *ret)
{
	uint64_t milli = 1000;
	size_t n = read_milli(w, &milli);
	const struct span_word *u =
		span_word((struct word){w.s + n, w.len - n});

	if (!n && u && u->unit == SPAN_NS)
		return false;
	return make_span(u, milli, ret);
}

static int span_error(struct lex *l, struct word w)
{
	return lex_error(l, w.s,
			 "expected a span up to an hour or 1000 units: 10ms, "
			 "200us, 3 rto, 1.5 nack_time, ack_time");
}

int lex_span(struct lex *l, struct span *ret)
{
	struct word w, unit;
	uint64_t milli;

	if (!lex_word(l, &w))
		return span_error(l, w);
	if (word_span(w, ret))
		return 0;
	if (read_milli(w, &milli) != w.len || !lex_word(l, &unit) ||
	    !make_span(span_word(unit), milli, ret))
		return span_error(l, w);
	return 0;
}

static void milli_print(struct text *t, uint32_t milli)
{
	text_printf(t, "%" PRIu32, milli / 1000);
	if (milli % 1000 % 100)
		text_printf(t, milli % 10 ? ".%03" PRIu32 : ".%02" PRIu32,
			    milli % 10 ? milli % 1000 : milli % 1000 / 10);
	else if (milli % 1000)
		text_printf(t, ".%" PRIu32, milli % 1000 / 100);
}

/* The unit to print in: for ns the longest that divides it. */
static const struct span_word *span_unit_of(const struct span *s)
{
	const struct span_word *u = span_words;

	while (u->unit != s->unit || (u->unit == SPAN_NS && s->ns % u->ns))
		u++;
	return u;
}

static void span_print_with(struct text *t, const struct span *s,
			    const char *blank)
{
	const struct span_word *u = span_unit_of(s);

	if (u->unit == SPAN_NS)
		text_printf(t, "%" PRId64, s->ns / u->ns);
	else if (s->milli != 1000) {
		milli_print(t, s->milli);
		text_puts(t, blank);
	}
	text_puts(t, u->name);
}

void span_print(struct text *t, const struct span *s)
{
	span_print_with(t, s, " ");
}

void span_print_word(struct text *t, const struct span *s)
{
	span_print_with(t, s, "");
}

/* ---- What a misspelt word may have meant ---- */

#define NEAR_MAX 31

void near_init(struct near *n, struct word w)
{
	*n = (struct near){.word = w, .distance = 3};
	if (w.len <= 4)
		n->distance = 2;
}

/* Edits between two short words: insert, delete, change, swap. */
static unsigned edit_distance(struct word a, const char *b, size_t blen)
{
	unsigned rows[3][NEAR_MAX + 2] = {{0}};

	for (size_t j = 0; j <= blen; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a.len; i++) {
		unsigned *row = rows[i % 3];
		const unsigned *up = rows[(i + 2) % 3];
		const unsigned *upper = rows[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= blen; j++) {
			unsigned d = up[j - 1] + (a.s[i - 1] != b[j - 1]);

			if (up[j] + 1 < d)
				d = up[j] + 1;
			if (row[j - 1] + 1 < d)
				d = row[j - 1] + 1;
			if (i > 1 && j > 1 && a.s[i - 1] == b[j - 2] &&
			    a.s[i - 2] == b[j - 1] && upper[j - 2] + 1 < d)
				d = upper[j - 2] + 1;
			row[j] = d;
		}
	}
	return rows[a.len % 3][blen];
}

/* A word that is the tail or head of another is near, too: mid, cack. */
static bool part_of(struct word w, const char *s, size_t len)
{
	return w.len >= 3 && w.len < len &&
	       (!memcmp(w.s, s, w.len) || !memcmp(w.s, s + len - w.len, w.len));
}

void near_offer(struct near *n, const char *candidate)
{
	const size_t len = strlen(candidate);
	unsigned d;

	if (n->word.len > NEAR_MAX || len > NEAR_MAX || !n->word.len)
		return;
	d = edit_distance(n->word, candidate, len);
	if (part_of(n->word, candidate, len) && d > 2)
		d = n->word.len <= 4 ? 1 : 2;
	if (d < n->distance && d < len) {
		n->distance = d;
		n->best = candidate;
	}
}

const char *near_hint(struct near *n)
{
	if (n->best)
		snprintf(n->hint, sizeof(n->hint), "; did you mean '%s'?",
			 n->best);
	return n->hint;
}

const char *near_list(struct near *n, struct word w, const char *const *list)
{
	near_init(n, w);
	for (; *list; list++)
		near_offer(n, *list);
	return near_hint(n);
}
