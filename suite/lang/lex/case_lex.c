/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/case_lex.c -- the lexer: lines, words, numbers, spans of time,
 * errors with their place, and suggestions for misspelt words.
 *
 * A span has a unit of time or is a multiple of a declared time.  A suggestion
 * is the known word with the smallest edit distance.
 */
#include "suite/lang/lex/case_lex.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/word.h"
#include "suite/lang/case.h"

#define SPAN_MAX       (3600 * VSPAN_S)
#define SPAN_UNITS_MAX 1000000 /* thousandths: at most a thousand RTOs */

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

/* Returns the line of the file that contains |at| of a joined line. */
static const struct lex_piece *lex_piece_of(const struct lex *l, const char *at)
{
	const struct lex_piece *found = l->pieces;

	for (unsigned i = 1; i < l->npieces; i++)
		if (at >= l->pieces[i].at)
			found = &l->pieces[i];
	return found;
}

int lex_error(struct lex *l, const char *at, const char *fmt, ...)
{
	const struct lex_piece *piece;
	char text[256];
	va_list ap;

	if (!at) {
		struct word w;

		if (lex_peek(l, &w))
			at = w.s;
		else
			at = l->eol;
	}
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!l->npieces)
		return diag_set(l->diag, l->file, l->line,
				(unsigned)(at - l->source) + 1, l->source, "%s",
				text);
	piece = lex_piece_of(l, at);
	return diag_set(l->diag, l->file, piece->line,
			(unsigned)((at - piece->at) +
				   (piece->written - piece->source)) +
				1,
			piece->source, "%s", text);
}

/* Returns the start of the line's comment, or the end of the line. */
static const char *comment_start(const char *s, const char *end)
{
	const char *p = s;

	while ((p = memchr(p, '#', (size_t)(end - p)))) {
		if (p == s || is_blank(p[-1]))
			return p;
		p++;
	}
	return end;
}

/* Returns true if no byte of eight may be a control character. */
static bool is_plain(const char *p)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
	uint64_t v, del;

	memcpy(&v, p, sizeof(v));
	del = v ^ ones * 0x7f;
	return !((((v - ones * 0x20) & ~v) | ((del - ones) & ~del)) & high);
}

static int check_control(struct lex *l)
{
	const char *from = l->p;

	while (l->eol - from >= 8 && is_plain(from))
		from += 8;
	for (const char *p = from; p < l->eol; p++) {
		unsigned char c = (unsigned char)*p;

		if ((c >= 0x20 && c != 0x7f) || c == '\t')
			continue;
		l->npieces = 0;
		l->line = l->last_line;
		return lex_error(l, p, "control character 0x%02x in the text",
				 c);
	}
	return 0;
}

/* Takes the next line of the file, blank or not; false at the end. */
static bool lex_take_line(struct lex *l)
{
	const char *nl;

	if (l->at >= l->end)
		return false;
	nl = memchr(l->at, '\n', (size_t)(l->end - l->at));
	l->last_line++;
	l->source = l->p = l->at;
	l->eol = comment_start(l->p, nl ? nl : l->end);
	if (nl)
		l->at = nl + 1;
	else
		l->at = l->end;
	while (l->eol > l->p && (is_blank(l->eol[-1]) || l->eol[-1] == '\r'))
		l->eol--;
	return true;
}

static void lex_skip_blanks(struct lex *l)
{
	while (l->p < l->eol && is_blank(*l->p))
		l->p++;
}

/* Returns true if a line that begins at |s| continues the one before it. */
static bool lex_continues(const char *s, const char *end)
{
	while (s < end && is_blank(*s))
		s++;
	return s < end &&
	       (*s == '|' || *s == '[' ||
		(end - s > 3 && !memcmp(s, "...", 3) && is_blank(s[3])));
}

/* Returns true if the next line of the file continues the current one. */
static bool lex_goes_on(const struct lex *l)
{
	return lex_continues(l->at, l->end);
}

/* Skips the dots that mark a continued line. */
static void lex_skip_dots(struct lex *l)
{
	lex_skip_blanks(l);
	if (l->eol - l->p >= 3 && !memcmp(l->p, "...", 3))
		l->p += 3;
	lex_skip_blanks(l);
}

/* The text of all pieces, the indentation of the first one included. */
static char *lex_join(struct lex *l)
{
	size_t n = 0;
	char *joined, *to;

	for (unsigned i = 0; i < l->npieces; i++)
		n += strlen(l->pieces[i].at) + 1;
	joined = to = arena_alloc(l->arena, n);
	for (unsigned i = 0; joined && i < l->npieces; i++) {
		const size_t len = strlen(l->pieces[i].at);

		memcpy(to, l->pieces[i].at, len);
		l->pieces[i].at = to;
		to += len;
		*to++ = i + 1 < l->npieces ? ' ' : 0;
	}
	return joined;
}

/* Records the current line of the file, from |written| on, as a piece. */
static int lex_add_piece(struct lex *l, const char *written)
{
	struct lex_piece *p = &l->pieces[l->npieces];

	if (l->npieces == LEX_PIECES_MAX) {
		l->npieces = 0;
		l->line = l->last_line;
		return lex_error(l, l->p, "a line is at most %d lines long",
				 LEX_PIECES_MAX);
	}
	*p = (struct lex_piece){
		.written = written,
		.source = l->source,
		.line = l->last_line,
		.at = arena_strndup(l->arena, written,
				    (size_t)(l->eol - written)),
	};
	l->npieces += p->at != NULL;
	if (p->at)
		return 0;
	return ERR_NOMEM;
}

/* Joins the current line with those that continue it. */
static int lex_continue(struct lex *l)
{
	const char *joined;
	int err = lex_add_piece(l, l->source);

	while (!err && lex_goes_on(l)) {
		lex_take_line(l);
		err = check_control(l);
		lex_skip_dots(l);
		if (!err)
			err = lex_add_piece(l, l->p);
	}
	if (err)
		return err;
	joined = lex_join(l);
	if (!joined)
		return ERR_NOMEM;
	l->source = l->p = joined;
	l->eol = joined + strlen(joined);
	while (l->eol > l->p &&
	       is_blank(l->eol[-1])) /* trims dots without a text */
		l->eol--;
	return 0;
}

bool lex_plain_line(const struct lex *l, struct word *ret)
{
	const char *nl;

	if (l->at == l->end || !is_blank(*l->at))
		return false;
	nl = memchr(l->at, '\n', (size_t)(l->end - l->at));
	if (!nl || lex_continues(nl + 1, l->end))
		return false;
	ret->s = l->at;
	while (ret->s < nl && is_blank(*ret->s))
		ret->s++;
	ret->len = (size_t)(nl - ret->s);
	return ret->len != 0;
}

void lex_pass_line(struct lex *l, struct word text)
{
	l->npieces = 0;
	l->line = ++l->last_line;
	l->source = l->at;
	l->p = text.s;
	l->eol = text.s + text.len;
	l->at = l->eol + 1;
}

int lex_line(struct lex *l)
{
	l->npieces = 0;
	while (lex_take_line(l)) {
		int err;

		l->line = l->last_line;
		err = check_control(l);
		lex_skip_blanks(l);
		if (!err && l->p < l->eol && lex_goes_on(l))
			err = lex_continue(l);
		if (err)
			return err;
		lex_skip_blanks(l);
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

void lex_range(struct word w, struct word *lo, struct word *hi)
{
	*lo = *hi = w;
	for (size_t i = 0; i + 1 < w.len; i++) {
		if (memcmp(w.s + i, "..", 2) != 0)
			continue;
		lo->len = i;
		*hi = (struct word){w.s + i + 2, w.len - i - 2};
		return;
	}
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
	vspan ns; /* length of one unit */
} span_words[] = {
	{"s", SPAN_NS, VSPAN_S},
	{"ms", SPAN_NS, VSPAN_MS},
	{"us", SPAN_NS, VSPAN_US},
	{"ns", SPAN_NS, 1},
	{"rto", SPAN_RTO, 0},
	{"nack_time", SPAN_NACK_TIME, 0},
	{"ack_time", SPAN_ACK_TIME, 0},
	{"clear_time", SPAN_CLEAR_TIME, 0},
	{"rto_total", SPAN_RTO_TOTAL, 0},
	{"unresponsive_time", SPAN_UNRESPONSIVE, 0},
	{"path_time", SPAN_PATH_TIME, 0},
	{"miss_time", SPAN_MISS_TIME, 0},
	{"tail_time", SPAN_TAIL_TIME, 0},
	{"ses_time", SPAN_SES_TIME, 0},
	{"idle_time", SPAN_CLOSE_IDLE, 0},
	{"close_req_time", SPAN_CLOSE_REQ, 0},
	{"syn_safety_time", SPAN_SYN_SAFETY, 0},
};

#define SPAN_WORDS (sizeof(span_words) / sizeof(span_words[0]))

const char *lex_span_word(size_t n)
{
	if (n < SPAN_WORDS)
		return span_words[n].name;
	return NULL;
}

static const struct span_word *span_word(struct word w)
{
	for (size_t i = 0; i < SPAN_WORDS; i++)
		if (word_is(w, span_words[i].name))
			return &span_words[i];
	return NULL;
}

/*
 * Parses "1.5" to thousandths.  Returns the length of the digits; 0 if there is
 * no such number.
 */
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

static bool word_span_term(struct word w, struct span *ret)
{
	uint64_t milli = 1000;
	size_t n = read_milli(w, &milli);
	const struct span_word *u =
		span_word((struct word){w.s + n, w.len - n});

	if (!n && u && u->unit == SPAN_NS)
		return false;
	return make_span(u, milli, ret);
}

/* Adds a declared timer; false if the span is a plain time. */
static bool span_plus(struct span *s, const struct span *more)
{
	if (more->unit == SPAN_NS)
		return false;
	s->plus = more->unit;
	s->plus_milli = more->milli;
	return true;
}

bool word_span(struct word w, struct span *ret)
{
	const char *plus = memchr(w.s, '+', w.len);
	struct word rest;
	struct span first, more;

	if (!plus)
		return word_span_term(w, ret);
	rest = (struct word){plus + 1, (size_t)(w.s + w.len - plus) - 1};
	w.len = (size_t)(plus - w.s);
	if (!word_span_term(w, &first) || !word_span_term(rest, &more) ||
	    !span_plus(&first, &more))
		return false;
	*ret = first;
	return true;
}

static int span_error(struct lex *l, struct word w)
{
	return lex_error(l, w.s,
			 "expected a span up to an hour or 1000 units: 10ms, "
			 "200us, 3 rto, 1.5 nack_time, ack_time");
}

static int lex_span_term(struct lex *l, struct span *ret)
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

int lex_span(struct lex *l, struct span *ret)
{
	struct span more;
	struct word w;
	int err = lex_span_term(l, ret);

	if (err || !lex_peek(l, &w) || !word_is(w, "+"))
		return err;
	lex_word(l, &w);
	err = lex_span_term(l, &more);
	if (err)
		return err;
	if (!span_plus(ret, &more))
		return lex_error(l, w.s, "only a declared timer is added");
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

/* Returns the unit to print in: for ns the longest that divides the span. */
static const struct span_word *span_unit_of(const struct span *s)
{
	const struct span_word *u = span_words;

	while (u->unit != s->unit || (u->unit == SPAN_NS && s->ns % u->ns))
		u++;
	return u;
}

static void span_print_timer(struct text *t, const struct span_word *u,
			     uint32_t milli, const char *blank)
{
	if (milli != 1000) {
		milli_print(t, milli);
		text_puts(t, blank);
	}
	text_puts(t, u->name);
}

static void span_print_with(struct text *t, const struct span *s,
			    const char *blank)
{
	const struct span_word *u = span_unit_of(s);

	if (u->unit == SPAN_NS) {
		text_printf(t, "%" PRId64 "%s", s->ns / u->ns, u->name);
	} else {
		span_print_timer(t, u, s->milli, blank);
	}
	if (!s->plus_milli)
		return;
	text_puts(t, *blank ? " + " : "+");
	u = span_unit_of(&(struct span){.unit = s->plus});
	span_print_timer(t, u, s->plus_milli, blank);
}

void span_print(struct text *t, const struct span *s)
{
	span_print_with(t, s, " ");
}

void span_print_word(struct text *t, const struct span *s)
{
	span_print_with(t, s, "");
}

/* ---- Suggestions for misspelt words ---- */

#define NEAR_MAX 63

void near_init(struct near *n, struct word w)
{
	*n = (struct near){.word = w, .distance = 3};
	if (w.len <= 4)
		n->distance = 2;
}

/*
 * Returns the number of edits between two short words: insert, delete, change,
 * swap.
 */
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

/*
 * Returns whether one word is the head or tail of the other, which also counts
 * as similar: mid, cack.
 */
static bool case_lex_part_of(struct word w, const char *s, size_t len)
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
	if (case_lex_part_of(n->word, candidate, len) && d > 2)
		d = n->word.len <= 4 ? 1 : 2;
	if (d < n->distance && d < len) {
		n->distance = d;
		n->best = candidate;
	}
}

void near_offer_copy(struct near *n, const char *candidate)
{
	const char *before = n->best;

	near_offer(n, candidate);
	if (n->best == before)
		return;
	snprintf(n->kept, sizeof(n->kept), "%s", candidate);
	n->best = n->kept;
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
