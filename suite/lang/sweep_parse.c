/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/sweep_parse.c -- parses one sweep: the name of a field, and a
 * value, a step, a range, a list or "rand".
 *
 * The field may be in any header.  Value names are those of the first field of
 * that name that has value names.
 */
#include "suite/lang/sweep_parse.h"

#include <string.h>

#include "suite/lang/lex/case_lex.h"
#include "wire/registry.h"

/* A field of that name in any header: the first that has value names. */
struct meaning {
	bool known;
	const struct field *field; /* NULL: a derived value */
};

static struct meaning meaning_of(struct word w)
{
	struct meaning m = {.known = word_is(w, "entropy")};

	for (size_t i = 0; i < wire_nheaders; i++) {
		const struct header *h = wire_headers[i];
		const struct field *f = header_field(h, w.s, w.len);

		if (f && (!m.field || (!m.field->names && f->names)))
			m.field = f;
		m.known |= f || header_derived(h, w.s, w.len);
	}
	return m;
}

static int sweep_parse_no_field(struct lex *l, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (size_t i = 0; i < wire_nheaders; i++) {
		const struct header *h = wire_headers[i];

		for (size_t j = 0; j < h->nfields; j++)
			near_offer(&n, h->fields[j].name);
		for (size_t j = 0; j < h->nderived; j++)
			near_offer(&n, h->derived[j].name);
	}
	return lex_error(l, w.s, "no header has a field '%.*s'%s", WORD(w),
			 near_hint(&n));
}

/* Parses "7", "-7", "0x1f", or a value name of the field. */
static int sweep_parse_value(struct lex *l, const struct field *f,
			     struct word w, uint64_t *ret)
{
	const bool minus = w.len > 1 && w.s[0] == '-';
	const struct word digits = {w.s + minus, w.len - minus};

	if (f && f->names && !value_parse(f->names, w.s, w.len, ret))
		return 0;
	if (lex_u64(digits, UINT64_MAX, ret))
		return lex_error(l, w.s, "'%.*s' is no number%s", WORD(w),
				 f && f->names ? " and no name of a value"
					       : "");
	if (minus)
		*ret = 0 - *ret;
	return 0;
}

/* Returns the offset of |s| in the word, or its length. */
static size_t sweep_parse_find(struct word w, const char *s)
{
	const size_t n = strlen(s);

	for (size_t i = 0; i + n <= w.len; i++)
		if (!memcmp(w.s + i, s, n))
			return i;
	return w.len;
}

static struct word sweep_parse_behind(struct word w, size_t n)
{
	return (struct word){w.s + n, w.len - n};
}

/* "A..B" or "A..B/STEP" */
static int sweep_parse_range(struct lex *l, const struct field *f,
			     struct word w, struct sweep *ret)
{
	const size_t dots = sweep_parse_find(w, "..");
	struct word hi = sweep_parse_behind(w, dots + 2), step = {"1", 1};
	const size_t slash = sweep_parse_find(hi, "/");
	int err;

	if (slash < hi.len) {
		step = sweep_parse_behind(hi, slash + 1);
		hi.len = slash;
	}
	ret->kind = SWEEP_RANGE;
	ret->n = 2;
	err = sweep_parse_value(l, f, (struct word){w.s, dots},
				&ret->values[0]);
	if (!err)
		err = sweep_parse_value(l, f, hi, &ret->values[1]);
	if (!err && (lex_u64(step, UINT32_MAX, &ret->step) || !ret->step))
		err = lex_error(l, step.s,
				"expected a step above 0: 0..100/10");
	return err;
}

/* "A" or "A|B|C" */
static int parse_list(struct lex *l, const struct field *f, struct word w,
		      struct sweep *ret)
{
	ret->kind = SWEEP_VALUES_OF;
	for (;;) {
		const size_t bar = sweep_parse_find(w, "|");
		int err;

		if (ret->n == SWEEP_VALUES)
			return lex_error(l, w.s, "more than %d values",
					 SWEEP_VALUES);
		err = sweep_parse_value(l, f, (struct word){w.s, bar},
					&ret->values[ret->n++]);
		if (err || bar == w.len)
			return err;
		w = sweep_parse_behind(w, bar + 1);
	}
}

static int parse_how(struct lex *l, const struct field *f, struct word w,
		     struct sweep *ret)
{
	if (word_is(w, "rand")) {
		ret->kind = SWEEP_RANDOM;
		return 0;
	}
	if (w.len && w.s[0] == '+') {
		ret->kind = SWEEP_STEP;
		return sweep_parse_value(l, NULL, sweep_parse_behind(w, 1),
					 &ret->step);
	}
	if (sweep_parse_find(w, "..") < w.len)
		return sweep_parse_range(l, f, w, ret);
	return parse_list(l, f, w, ret);
}

static int parse_sweep(struct lex *l, struct sweep *ret)
{
	struct word w, name;
	struct meaning m;
	size_t eq;
	int err;

	if (lex_line(l) <= 0 || !lex_word(l, &w))
		return lex_error(l, NULL, "expected FIELD=VALUE");
	eq = sweep_parse_find(w, "=");
	name = (struct word){w.s, eq};
	if (eq + 1 >= w.len)
		return lex_error(l, w.s + eq,
				 "expected '=' and a value: psn=+1, psn=7, "
				 "psn=0..100, psn=rand");
	m = meaning_of(name);
	if (!m.known || eq >= SWEEP_NAME)
		return sweep_parse_no_field(l, name);
	memcpy(ret->name, name.s, name.len);
	err = parse_how(l, m.field, sweep_parse_behind(w, eq + 1), ret);
	if (err)
		return err;
	return lex_done(l);
}

int sweep_parse(struct sweep *ret, const char *where, const char *text,
		struct diag *diag)
{
	struct arena arena = {0};
	struct sweep sweep = {0};
	struct lex l;
	int err;

	lex_open(&l, &arena, diag, where, text, strlen(text));
	err = parse_sweep(&l, &sweep);
	arena_free(&arena);
	if (!err)
		*ret = sweep;
	return err;
}
