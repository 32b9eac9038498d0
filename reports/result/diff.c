/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/diff.c -- aligns two rungs and marks every difference.
 *
 * A rung is cut into fields, each with its part (PDS, SES, payload, fault) and
 * a name; fields with equal parts and names are a pair.  The pairs are laid out
 * in the order of the expectation; a field that only the actual rung has
 * follows the field that it follows there.
 */
#include "reports/result/diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/serial.h"
#include "wire/packet.h"

#define FIELDS_MAX 96 /* fields of one rung; the last one takes the rest */
#define NONE       FIELDS_MAX

enum part { PART_PDS, PART_SES, PART_MORE, PART_PAYLOAD, PART_FAULT };

struct diff_word {
	const char *s;
	size_t len;
};

struct token {
	/* the name of a bare word is empty */
	struct diff_word text, name, value;
	char op; /* '=', '!', '>', '<', or 0: a bare word or a flag */
	enum part part;
	unsigned pair; /* index in the other rung, or NONE */
};

struct diff_fields {
	struct token t[FIELDS_MAX];
	unsigned n;
	char type[32], ses[32]; /* words that select the layout */
};

/* One column of the output. */
struct cell {
	const struct token *expected, *actual;
	bool differs;
};

struct board {
	struct diff_fields e, a;
	struct cell cell[2 * FIELDS_MAX];
	unsigned n, ndiffer;
};

static bool diff_word_is(struct diff_word w, const char *s)
{
	return w.len == strlen(s) && !memcmp(w.s, s, w.len);
}

static bool diff_word_equal(struct diff_word a, struct diff_word b)
{
	return a.len == b.len && (!a.len || !memcmp(a.s, b.s, a.len));
}

static const struct field *diff_field_of(const struct diff_fields *f,
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
	struct diff_word w = {s, 0};

	while (w.len < len && s[w.len] != ' ')
		w.len++;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (diff_word_is(w, words[i]))
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

static void copy_word(char *to, size_t size, struct diff_word w)
{
	if (w.len < size) {
		memcpy(to, w.s, w.len);
		to[w.len] = 0;
	}
}

/* A word without a value is a flag, or the name of a field's value. */
static void name_bare(struct diff_fields *f, struct token *t, bool first)
{
	if (first && t->part == PART_PDS)
		copy_word(f->type, sizeof(f->type), t->text);
	else if (first && t->part == PART_SES)
		copy_word(f->ses, sizeof(f->ses), t->text);
	if (first) {
		t->name = (struct diff_word){"type", 4};
	} else if (!packet_layout_has(f->type, *f->ses ? f->ses : NULL,
				      t->part != PART_PDS, t->text.s,
				      t->text.len, NULL)) {
		t->name.len = 0;
	}
}

static void add_token(struct diff_fields *f, const char *s, size_t len,
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

static size_t diff_until(const char *s, size_t len, const char *stop)
{
	size_t n = strlen(stop);

	for (size_t i = 0; i + n <= len; i++)
		if (!memcmp(s + i, stop, n))
			return i;
	return len;
}

static void read_part(struct diff_fields *f, const char *s, size_t len,
		      enum part part)
{
	bool first = true;

	if (part >= PART_PAYLOAD) {
		add_token(f, s, len, part, true);
		return;
	}
	while (len) {
		size_t n = diff_until(s, len, " ");

		if (n) {
			add_token(f, s, n, part, first);
			first = false;
		}
		n += n < len;
		s += n;
		len -= n;
	}
}

static void read_rung(struct diff_fields *f, const char *s)
{
	size_t len = strlen(s), at = 0;
	/* " ! short ack" ends the payload */
	size_t end = diff_until(s, len, " ! ");
	unsigned part = PART_PDS;

	*f = (struct diff_fields){0};
	while (at < end) {
		size_t n = diff_until(s + at, end - at, " | ");
		bool payload = starts_payload(s + at, n);

		read_part(f, s + at, n, payload ? PART_PAYLOAD : part);
		if (!payload && part < PART_MORE)
			part++;
		at += n + 3;
	}
	if (end < len)
		add_token(f, s + end + 1, len - end - 1, PART_FAULT, true);
}

/* ---- Comparing fields ---- */

/* Parses a number, or the word of a field's value. */
static bool diff_number_of(struct diff_word w, const struct field *f,
			   uint64_t *ret)
{
	char buf[40], *end;

	if (!w.len || w.len >= sizeof(buf))
		return false;
	memcpy(buf, w.s, w.len);
	buf[w.len] = 0;
	if (*buf == '-')
		*ret = (uint64_t)strtoll(buf, &end, 0);
	else
		*ret = strtoull(buf, &end, 0);
	if (end != buf && !*end)
		return true;
	return f && f->names && !value_parse(f->names, w.s, w.len, ret);
}

/* Compares two values; serial numbers wrap. */
static int diff_order(const struct token *t, uint64_t a, uint64_t b)
{
	bool serial = t->name.len >= 3 &&
		      !memcmp(t->name.s + t->name.len - 3, "psn", 3);

	if (serial)
		return serial_diff((uint32_t)a, (uint32_t)b);
	return (a > b) - (a < b);
}

/* Matches one alternative of an expectation: "333", "ok", "333..336". */
static bool one_holds(const struct token *e, struct diff_word alt,
		      const struct field *f, struct diff_word got)
{
	size_t dots = diff_until(alt.s, alt.len, "..");
	uint64_t lo, hi, v;

	if (diff_word_equal(alt, got))
		return true;
	if (!diff_number_of(got, f, &v))
		return false;
	if (dots < alt.len) {
		struct diff_word last = {alt.s + dots + 2, alt.len - dots - 2};

		alt.len = dots;
		return diff_number_of(alt, f, &lo) &&
		       diff_number_of(last, f, &hi) &&
		       diff_order(e, v, lo) >= 0 && diff_order(e, v, hi) <= 0;
	}
	if (!diff_number_of(alt, f, &lo))
		return false;
	if (e->op == '>')
		return diff_order(e, v, lo) >= 0;
	if (e->op == '<')
		return diff_order(e, v, lo) <= 0;
	return v == lo;
}

static bool value_holds(const struct token *e, const struct field *f,
			struct diff_word got)
{
	struct diff_word rest = e->value;
	/* An unbound symbol matches any value. */
	bool any = diff_word_is(e->value, "*") ||
		   (e->value.len && e->value.s[0] == '$');

	while (!any && rest.len) {
		size_t n = diff_until(rest.s, rest.len, "|");

		any = one_holds(e, (struct diff_word){rest.s, n}, f, got);
		n += n < rest.len;
		rest.s += n;
		rest.len -= n;
	}
	if (e->op == '!')
		return !any;
	return any;
}

/* Returns the value of a field that the rung omits. */
static struct diff_word unwritten(const struct token *e)
{
	if (diff_word_is(e->name, "return_code"))
		return (struct diff_word){"ok", 2};
	return (struct diff_word){"0", 1};
}

static bool diff_holds(const struct diff_fields *f, const struct token *e,
		       const struct token *a)
{
	static const struct diff_word one = {"1", 1};
	const struct field *field = e->op ? diff_field_of(f, e) : NULL;

	if (e->part == PART_PAYLOAD && diff_word_is(e->text, "same"))
		return a && !diff_word_is(a->text, "different");
	if (!e->op)
		return a &&
		       (diff_word_equal(e->text, a->text) ||
			(e->name.len && diff_word_equal(e->name, a->name) &&
			 diff_word_is(a->value, "1")));
	if (!a)
		return value_holds(e, field, unwritten(e));
	return value_holds(e, field, a->op ? a->value : one);
}

/* ---- Pairs and their order ---- */

static void pair_up(struct diff_fields *e, struct diff_fields *a)
{
	for (unsigned i = 0; i < e->n; i++) {
		for (unsigned j = 0; j < a->n; j++) {
			if (a->t[j].pair != NONE ||
			    e->t[i].part != a->t[j].part ||
			    !diff_word_equal(e->t[i].name, a->t[j].name))
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
	c->differs = e && !diff_holds(&b->e, e, a);
	b->ndiffer += c->differs;
}

/*
 * Lays out the unexpected fields of the actual rung from |j| on, in one part.
 */
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

/* ---- The output ---- */

static bool has_part(const struct diff_fields *f, enum part part)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->t[i].part == part)
			return true;
	return false;
}

static size_t token_len(const struct token *t)
{
	if (t)
		return t->text.len;
	return 0;
}

static void diff_put(struct text *t, const struct token *token, size_t width)
{
	if (token)
		text_add(t, token->text.s, token->text.len);
	text_fill(t, ' ', width - token_len(token));
}

static enum part diff_part_of(const struct cell *c)
{
	if (c->expected)
		return c->expected->part;
	return c->actual->part;
}

static void diff_put_bar(struct text *t, const struct diff_fields *f,
			 enum part part)
{
	text_puts(t, has_part(f, part) && part != PART_FAULT ? "| " : "  ");
}

static void diff_trim(struct text *t, size_t from)
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

		if (i && diff_part_of(c) != diff_part_of(c - 1)) {
			diff_put_bar(ret_expected, &b.e, diff_part_of(c));
			diff_put_bar(ret_actual, &b.a, diff_part_of(c));
			text_puts(ret_marks, "  ");
		}
		diff_put(ret_expected, c->expected, width + 1);
		diff_put(ret_actual, c->actual, width + 1);
		text_fill(ret_marks, c->differs ? '^' : ' ', width);
		text_fill(ret_marks, ' ', 1);
	}
	diff_trim(ret_expected, from[0]);
	diff_trim(ret_actual, from[1]);
	diff_trim(ret_marks, from[2]);
	return b.ndiffer;
}

static void diff_put_word(struct text *t, struct diff_word w)
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
			diff_put_word(t, c->actual->text);
			continue;
		}
		text_puts(t, "expected ");
		diff_put_word(t, c->expected->text);
		text_puts(t, ", got ");
		if (!c->actual)
			text_puts(t, c->expected->op ? "none" : "it not");
		else if (c->actual->op && c->expected->op)
			diff_put_word(t, c->actual->value);
		else
			diff_put_word(t, c->actual->text);
	}
}

/* ---- The form that several runs have in common ---- */

static struct diff_word diff_name_of(const struct cell *c)
{
	const struct token *t = c->expected ? c->expected : c->actual;

	if (t->part == PART_PAYLOAD)
		return (struct diff_word){"payload", 7};
	if (t->name.len)
		return t->name;
	return t->text;
}

static bool is_type(const struct cell *c)
{
	return c->expected && c->expected->part == PART_PDS &&
	       !c->expected->op && diff_word_is(c->expected->name, "type");
}

/*
 * Returns true for a value with a fixed meaning, which does not vary from run
 * to run.
 */
static bool is_literal(const struct diff_fields *f, const struct token *t)
{
	const struct field *field = t->op ? diff_field_of(f, t) : NULL;
	uint64_t v;

	if (!t->op)
		return true;
	if (field)
		return field->names || field->width <= 4;
	return !diff_number_of(t->value, NULL, &v) &&
	       !memchr(t->value.s, '.', t->value.len);
}

static void form_expected(struct text *t, const struct diff_fields *f,
			  const struct token *e)
{
	if (e->part == PART_PAYLOAD || !e->op || is_literal(f, e)) {
		diff_put_word(t, e->part == PART_PAYLOAD
					 ? (struct diff_word){"payload", 7}
					 : e->text);
		return;
	}
	diff_put_word(t, e->name);
	text_puts(t, e->op == '>'   ? ">=N"
		     : e->op == '<' ? "<=N"
		     : e->op == '!' ? "!=N"
				    : "=N");
}

/* Returns the relation of an actual number to the first expected one. */
static const char *relation(const struct token *e, const struct field *field,
			    const struct token *a)
{
	const size_t one = strcspn(e->value.s, "|. ");
	struct diff_word first = {e->value.s,
				  one < e->value.len ? one : e->value.len};
	uint64_t want, got;
	int d;

	if (!diff_number_of(first, field, &want) ||
	    !diff_number_of(a->value, field, &got))
		return "!=N";
	if (field && field->kind == FIELD_ID)
		return "!=N";
	d = diff_order(e, got, want);
	return d > 0 ? ">N" : d < 0 ? "<N" : "=N";
}

static void form_actual(struct text *t, const struct board *b,
			const struct cell *c)
{
	const struct token *e = c->expected, *a = c->actual;

	if (!a) {
		text_puts(t, "without ");
		diff_put_word(t, diff_name_of(c));
	} else if (a->part == PART_PAYLOAD) {
		text_puts(t, "other payload");
	} else if (!a->op || !e || !e->op || is_literal(&b->e, e)) {
		diff_put_word(t, is_literal(&b->a, a) ? a->text : a->name);
	} else {
		diff_put_word(t, a->name);
		text_puts(t, relation(e, diff_field_of(&b->e, e), a));
	}
}

static void diff_put_form(struct text *t, bool *more)
{
	if (*more)
		text_puts(t, " ");
	*more = true;
}

static bool diff_is_wanted(const struct board *b, const char *field)
{
	for (unsigned i = 0; field && i < b->n; i++)
		if (b->cell[i].differs &&
		    diff_word_is(diff_name_of(&b->cell[i]), field))
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
	one = diff_is_wanted(&b, field);
	for (unsigned i = 0; i < b.n; i++) {
		const struct cell *c = &b.cell[i];

		if (!c->differs ||
		    (one && !diff_word_is(diff_name_of(c), field)))
			continue;
		if (c->expected) {
			diff_put_form(ret_expected, &more_e);
			form_expected(ret_expected, &b.e, c->expected);
		}
		diff_put_form(ret_actual, &more_a);
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
			copy_word(ret, size, diff_name_of(&b.cell[i]));
			return;
		}
}
