/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/diff.c -- two rungs, one above the other, every difference marked.
 *
 * A rung is cut into fields, each with the part it stands in (PDS, SES,
 * payload, fault) and a name; fields with equal parts and names are a pair.
 * The pairs are laid out in the order of the expectation, and what only the
 * actual rung has follows the field that it follows there.
 */
#include "reports/diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/serial.h"
#include "wire/packet.h"

#define FIELDS_MAX 96 /* of one rung; the last one swallows the rest */
#define NONE       FIELDS_MAX

enum part { PART_PDS, PART_SES, PART_MORE, PART_PAYLOAD, PART_FAULT };

struct word {
	const char *s;
	size_t len;
};

struct token {
	struct word text, name, value; /* name of a bare word: empty */
	char op; /* '=', '!', '>', '<', or 0: a bare word or a flag */
	enum part part;
	unsigned pair; /* index in the other rung, or NONE */
};

struct fields {
	struct token t[FIELDS_MAX];
	unsigned n;
	char type[32], ses[32]; /* words that the layout is known by */
};

/* One column of the picture. */
struct cell {
	const struct token *expected, *actual;
	bool differs;
};

struct board {
	struct fields e, a;
	struct cell cell[2 * FIELDS_MAX];
	unsigned n, ndiffer;
};

static bool word_is(struct word w, const char *s)
{
	return w.len == strlen(s) && !memcmp(w.s, s, w.len);
}

static bool word_equal(struct word a, struct word b)
{
	return a.len == b.len && (!a.len || !memcmp(a.s, b.s, a.len));
}

static const struct field *field_of(const struct fields *f,
				    const struct token *t)
{
	const struct field *ret = NULL;
	const char *ses = *f->ses ? f->ses : NULL;

	if (*f->type && t->part <= PART_MORE)
		packet_layout_has(f->type, ses, t->part != PART_PDS, t->name.s,
				  t->name.len, &ret);
	return ret;
}

/* ---- Text to fields ---- */

static bool starts_payload(const char *s, size_t len)
{
	static const char *const words[] = {"data", "bytes", "same", "raw"};
	struct word w = {s, 0};

	while (w.len < len && s[w.len] != ' ')
		w.len++;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (word_is(w, words[i]))
			return true;
	return false;
}

static void split_value(struct token *t)
{
	const char *eq = memchr(t->text.s, '=', t->text.len);
	size_t at = eq ? (size_t)(eq - t->text.s) : t->text.len;

	t->name = t->text;
	if (!eq || !at)
		return;
	t->op = '=';
	t->value.s = eq + 1;
	t->value.len = t->text.len - at - 1;
	if (t->value.len && *t->value.s == '=') {
		t->value.s++; /* psn==333 is an absolute number */
		t->value.len--;
	}
	if (strchr("!<>", eq[-1]) && at > 1)
		t->op = t->text.s[--at];
	t->name.len = at;
}

static void copy_word(char *to, size_t size, struct word w)
{
	if (w.len < size) {
		memcpy(to, w.s, w.len);
		to[w.len] = 0;
	}
}

/* A word without a value is a flag, or names a field's value by itself. */
static void name_bare(struct fields *f, struct token *t, bool first)
{
	if (first && t->part == PART_PDS)
		copy_word(f->type, sizeof(f->type), t->text);
	else if (first && t->part == PART_SES)
		copy_word(f->ses, sizeof(f->ses), t->text);
	if (first) {
		t->name = (struct word){"type", 4};
	} else if (!packet_layout_has(f->type, *f->ses ? f->ses : NULL,
				      t->part != PART_PDS, t->text.s,
				      t->text.len, NULL)) {
		t->name.len = 0;
	}
}

static void add_token(struct fields *f, const char *s, size_t len,
		      enum part part, bool first)
{
	struct token *t;

	if (f->n == FIELDS_MAX) {
		t = &f->t[FIELDS_MAX - 1];
		t->text.len = (size_t)(s + len - t->text.s);
		return;
	}
	t = &f->t[f->n++];
	*t = (struct token){.text = {s, len}, .part = part, .pair = NONE};
	if (part >= PART_PAYLOAD)
		return;
	split_value(t);
	if (!t->op)
		name_bare(f, t, first);
}

static size_t until(const char *s, size_t len, const char *stop)
{
	size_t n = strlen(stop);

	for (size_t i = 0; i + n <= len; i++)
		if (!memcmp(s + i, stop, n))
			return i;
	return len;
}

static void read_part(struct fields *f, const char *s, size_t len,
		      enum part part)
{
	bool first = true;

	if (part >= PART_PAYLOAD) {
		add_token(f, s, len, part, true);
		return;
	}
	while (len) {
		size_t n = until(s, len, " ");

		if (n) {
			add_token(f, s, n, part, first);
			first = false;
		}
		n += n < len;
		s += n;
		len -= n;
	}
}

static void read_rung(struct fields *f, const char *s)
{
	size_t len = strlen(s), at = 0;
	size_t end = until(s, len, " ! "); /* " ! short ack" ends it */
	unsigned part = PART_PDS;

	*f = (struct fields){0};
	while (at < end) {
		size_t n = until(s + at, end - at, " | ");
		bool payload = starts_payload(s + at, n);

		read_part(f, s + at, n, payload ? PART_PAYLOAD : part);
		if (!payload && part < PART_MORE)
			part++;
		at += n + 3;
	}
	if (end < len)
		add_token(f, s + end + 1, len - end - 1, PART_FAULT, true);
}

/* ---- Does it differ? ---- */

/* A number, or the number of a field's word. */
static bool number_of(struct word w, const struct field *f, uint64_t *ret)
{
	char buf[40], *end;

	if (!w.len || w.len >= sizeof(buf))
		return false;
	memcpy(buf, w.s, w.len);
	buf[w.len] = 0;
	*ret = *buf == '-' ? (uint64_t)strtoll(buf, &end, 0)
			   : strtoull(buf, &end, 0);
	if (end != buf && !*end)
		return true;
	return f && f->names && !value_parse(f->names, w.s, w.len, ret);
}

/* Order of two values: serial numbers go round. */
static int order(const struct token *t, uint64_t a, uint64_t b)
{
	bool serial = t->name.len >= 3 &&
		      !memcmp(t->name.s + t->name.len - 3, "psn", 3);

	if (serial)
		return serial_diff((uint32_t)a, (uint32_t)b);
	return (a > b) - (a < b);
}

/* One alternative of an expectation: "333", "ok", "333..336". */
static bool one_holds(const struct token *e, struct word alt,
		      const struct field *f, struct word got)
{
	size_t dots = until(alt.s, alt.len, "..");
	uint64_t lo, hi, v;

	if (word_equal(alt, got))
		return true;
	if (!number_of(got, f, &v))
		return false;
	if (dots < alt.len) {
		struct word last = {alt.s + dots + 2, alt.len - dots - 2};

		alt.len = dots;
		return number_of(alt, f, &lo) && number_of(last, f, &hi) &&
		       order(e, v, lo) >= 0 && order(e, v, hi) <= 0;
	}
	if (!number_of(alt, f, &lo))
		return false;
	if (e->op == '>')
		return order(e, v, lo) >= 0;
	if (e->op == '<')
		return order(e, v, lo) <= 0;
	return v == lo;
}

static bool value_holds(const struct token *e, const struct field *f,
			struct word got)
{
	struct word rest = e->value;
	/* A symbol that nothing has bound yet takes any value. */
	bool any = word_is(e->value, "*") ||
		   (e->value.len && e->value.s[0] == '$');

	while (!any && rest.len) {
		size_t n = until(rest.s, rest.len, "|");

		any = one_holds(e, (struct word){rest.s, n}, f, got);
		n += n < rest.len;
		rest.s += n;
		rest.len -= n;
	}
	return e->op == '!' ? !any : any;
}

/* What a field is that the rung does not write. */
static struct word unwritten(const struct token *e)
{
	if (word_is(e->name, "return_code"))
		return (struct word){"ok", 2};
	return (struct word){"0", 1};
}

static bool holds(const struct fields *f, const struct token *e,
		  const struct token *a)
{
	static const struct word one = {"1", 1};
	const struct field *field = e->op ? field_of(f, e) : NULL;

	if (e->part == PART_PAYLOAD && word_is(e->text, "same"))
		return a && !word_is(a->text, "different");
	if (!e->op)
		return a && (word_equal(e->text, a->text) ||
			     (e->name.len && word_equal(e->name, a->name) &&
			      word_is(a->value, "1")));
	if (!a)
		return value_holds(e, field, unwritten(e));
	return value_holds(e, field, a->op ? a->value : one);
}

/* ---- Pairs and their places ---- */

static void pair_up(struct fields *e, struct fields *a)
{
	for (unsigned i = 0; i < e->n; i++) {
		for (unsigned j = 0; j < a->n; j++) {
			if (a->t[j].pair != NONE ||
			    e->t[i].part != a->t[j].part ||
			    !word_equal(e->t[i].name, a->t[j].name))
				continue;
			e->t[i].pair = j;
			a->t[j].pair = i;
			break;
		}
	}
}

static void add_cell(struct board *b, const struct token *e,
		     const struct token *a)
{
	struct cell *c = &b->cell[b->n++];

	c->expected = e;
	c->actual = a;
	c->differs = e && !holds(&b->e, e, a);
	b->ndiffer += c->differs;
}

/* Lays the actual fields from |j| on that nobody expected, in one part. */
static void lay_extra(struct board *b, unsigned j, enum part part)
{
	while (j < b->a.n && b->a.t[j].pair == NONE && b->a.t[j].part == part)
		add_cell(b, NULL, &b->a.t[j++]);
}

static void lay_part(struct board *b, enum part part)
{
	unsigned first = 0;

	while (first < b->a.n && b->a.t[first].part != part)
		first++;
	lay_extra(b, first, part);
	for (unsigned i = 0; i < b->e.n; i++) {
		const struct token *e = &b->e.t[i];

		if (e->part != part)
			continue;
		add_cell(b, e, e->pair == NONE ? NULL : &b->a.t[e->pair]);
		if (e->pair != NONE)
			lay_extra(b, e->pair + 1, part);
	}
}

static void blame_extra(struct board *b)
{
	for (unsigned i = 0; i < b->n; i++) {
		b->cell[i].differs = !b->cell[i].expected;
		b->ndiffer += b->cell[i].differs;
	}
}

static void lay_out(struct board *b, const char *expected, const char *actual)
{
	b->n = b->ndiffer = 0;
	read_rung(&b->e, expected);
	read_rung(&b->a, actual);
	pair_up(&b->e, &b->a);
	for (unsigned part = PART_PDS; part <= PART_FAULT; part++)
		lay_part(b, part);
	if (!b->ndiffer)
		blame_extra(b);
}

/* ---- The picture ---- */

static bool has_part(const struct fields *f, enum part part)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->t[i].part == part)
			return true;
	return false;
}

static size_t token_len(const struct token *t)
{
	return t ? t->text.len : 0;
}

static void put(struct text *t, const struct token *token, size_t width)
{
	if (token)
		text_add(t, token->text.s, token->text.len);
	text_fill(t, ' ', width - token_len(token));
}

static enum part part_of(const struct cell *c)
{
	return c->expected ? c->expected->part : c->actual->part;
}

static void put_bar(struct text *t, const struct fields *f, enum part part)
{
	text_puts(t, has_part(f, part) && part != PART_FAULT ? "| " : "  ");
}

static void trim(struct text *t, size_t from)
{
	while (t->s && t->len > from && t->s[t->len - 1] == ' ')
		t->s[--t->len] = 0;
}

unsigned rung_diff(struct text *ret_expected, struct text *ret_actual,
		   struct text *ret_marks, const char *expected,
		   const char *actual)
{
	size_t from[] = {ret_expected->len, ret_actual->len, ret_marks->len};
	struct board b;

	lay_out(&b, expected, actual);
	for (unsigned i = 0; i < b.n; i++) {
		const struct cell *c = &b.cell[i];
		size_t e = token_len(c->expected), a = token_len(c->actual);
		size_t width = e > a ? e : a;

		if (i && part_of(c) != part_of(c - 1)) {
			put_bar(ret_expected, &b.e, part_of(c));
			put_bar(ret_actual, &b.a, part_of(c));
			text_puts(ret_marks, "  ");
		}
		put(ret_expected, c->expected, width + 1);
		put(ret_actual, c->actual, width + 1);
		text_fill(ret_marks, c->differs ? '^' : ' ', width);
		text_fill(ret_marks, ' ', 1);
	}
	trim(ret_expected, from[0]);
	trim(ret_actual, from[1]);
	trim(ret_marks, from[2]);
	return b.ndiffer;
}

static void put_word(struct text *t, struct word w)
{
	text_add(t, w.s, w.len);
}

void rung_diff_words(struct text *t, const char *expected, const char *actual)
{
	struct board b;
	bool more = false;

	lay_out(&b, expected, actual);
	for (unsigned i = 0; i < b.n; i++) {
		const struct cell *c = &b.cell[i];

		if (!c->differs)
			continue;
		text_puts(t, more ? "; " : "");
		more = true;
		if (!c->expected) {
			text_puts(t, "not expected: ");
			put_word(t, c->actual->text);
			continue;
		}
		text_puts(t, "expected ");
		put_word(t, c->expected->text);
		text_puts(t, ", got ");
		if (!c->actual)
			text_puts(t, c->expected->op ? "none" : "it not");
		else if (c->actual->op && c->expected->op)
			put_word(t, c->actual->value);
		else
			put_word(t, c->actual->text);
	}
}

/* ---- The form that several runs share ---- */

static struct word name_of(const struct cell *c)
{
	const struct token *t = c->expected ? c->expected : c->actual;

	if (t->part == PART_PAYLOAD)
		return (struct word){"payload", 7};
	return t->name.len ? t->name : t->text;
}

static bool is_type(const struct cell *c)
{
	return c->expected && c->expected->part == PART_PDS &&
	       !c->expected->op && word_is(c->expected->name, "type");
}

/* A value with a meaning of its own, not a number of the run. */
static bool is_literal(const struct fields *f, const struct token *t)
{
	const struct field *field = t->op ? field_of(f, t) : NULL;
	uint64_t v;

	if (!t->op)
		return true;
	if (field)
		return field->names || field->width <= 4;
	return !number_of(t->value, NULL, &v) &&
	       !memchr(t->value.s, '.', t->value.len);
}

static void form_expected(struct text *t, const struct fields *f,
			  const struct token *e)
{
	if (e->part == PART_PAYLOAD || !e->op || is_literal(f, e)) {
		put_word(t, e->part == PART_PAYLOAD
				    ? (struct word){"payload", 7}
				    : e->text);
		return;
	}
	put_word(t, e->name);
	text_puts(t, e->op == '>'   ? ">=N"
		     : e->op == '<' ? "<=N"
		     : e->op == '!' ? "!=N"
				    : "=N");
}

/* How an actual number lies to the first of those that were expected. */
static const char *relation(const struct token *e, const struct field *field,
			    const struct token *a)
{
	const size_t one = strcspn(e->value.s, "|. ");
	struct word first = {e->value.s,
			     one < e->value.len ? one : e->value.len};
	uint64_t want, got;
	int d;

	if (!number_of(first, field, &want) ||
	    !number_of(a->value, field, &got))
		return "!=N";
	if (field && field->kind == FIELD_ID)
		return "!=N";
	d = order(e, got, want);
	return d > 0 ? ">N" : d < 0 ? "<N" : "=N";
}

static void form_actual(struct text *t, const struct board *b,
			const struct cell *c)
{
	const struct token *e = c->expected, *a = c->actual;

	if (!a) {
		text_puts(t, "without ");
		put_word(t, name_of(c));
	} else if (a->part == PART_PAYLOAD) {
		text_puts(t, "other payload");
	} else if (!a->op || !e || !e->op || is_literal(&b->e, e)) {
		put_word(t, is_literal(&b->a, a) ? a->text : a->name);
	} else {
		put_word(t, a->name);
		text_puts(t, relation(e, field_of(&b->e, e), a));
	}
}

static void put_form(struct text *t, bool *more)
{
	if (*more)
		text_puts(t, " ");
	*more = true;
}

static bool is_wanted(const struct board *b, const char *field)
{
	for (unsigned i = 0; field && i < b->n; i++)
		if (b->cell[i].differs && word_is(name_of(&b->cell[i]), field))
			return true;
	return false;
}

unsigned rung_diff_form(struct text *ret_expected, struct text *ret_actual,
			const char *expected, const char *actual,
			const char *field)
{
	bool more_e = false, more_a = false, one;
	struct board b;

	lay_out(&b, expected, actual);
	one = is_wanted(&b, field);
	for (unsigned i = 0; i < b.n; i++) {
		const struct cell *c = &b.cell[i];

		if (!c->differs || (one && !word_is(name_of(c), field)))
			continue;
		if (c->expected) {
			put_form(ret_expected, &more_e);
			form_expected(ret_expected, &b.e, c->expected);
		}
		put_form(ret_actual, &more_a);
		form_actual(ret_actual, &b, c);
		if (is_type(c))
			break;
	}
	return b.ndiffer;
}

void rung_diff_field(char *ret, size_t size, const char *expected,
		     const char *actual)
{
	struct board b;

	*ret = 0;
	lay_out(&b, expected, actual);
	for (unsigned i = 0; i < b.n; i++)
		if (b.cell[i].differs) {
			copy_word(ret, size, name_of(&b.cell[i]));
			return;
		}
}
