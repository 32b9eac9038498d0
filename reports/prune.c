/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/prune.c -- copies a JSON document without the members that its reader
 * does not need.
 *
 * The functions return false for every text that they are not sure of, so that
 * a complete parser decides, and reports the error.
 */
#include "reports/prune.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

enum {
	PRUNE_DEPTH = 64,
	PRUNE_DIGITS = 18, /* of a number that fits an int64_t for certain */
};

/* The text that is not read yet. */
struct prune_scan {
	const char *p, *end;
};

static bool prune_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Returns the next character that is no space, or 0 at the end. */
static char prune_peek(struct prune_scan *s)
{
	while (s->p < s->end && prune_is_space(*s->p))
		s->p++;
	if (s->p < s->end)
		return *s->p;
	return 0;
}

/* Takes |c|, after spaces.  Return: false if another character is there. */
static bool prune_take(struct prune_scan *s, char c)
{
	if (prune_peek(s) != c)
		return false;
	s->p++;
	return true;
}

/* ---- Values without parts ---- */

/* Takes \uXXXX, but not the end of a string or a half of a character. */
static bool prune_unicode(struct prune_scan *s)
{
	unsigned c = 0;

	if (s->end - s->p < 6)
		return false;
	for (int i = 2; i < 6; i++) {
		const int digit = text_hex_digit(s->p[i]);

		if (digit < 0)
			return false;
		c = c << 4 | (unsigned)digit;
	}
	s->p += 6;
	return c && (c < 0xd800 || c > 0xdfff);
}

static bool prune_escape(struct prune_scan *s)
{
	if (s->end - s->p < 2)
		return false;
	if (s->p[1] == 'u')
		return prune_unicode(s);
	if (!s->p[1] || !strchr("\"\\/bfnrt", s->p[1]))
		return false;
	s->p += 2;
	return true;
}

/* Takes a character of a string that is not a plain one. */
static bool prune_odd(struct prune_scan *s)
{
	uint32_t c;
	size_t n;

	if (*s->p == '\\')
		return prune_escape(s);
	if ((unsigned char)*s->p < 0x80)
		return false; /* a control character */
	n = utf8_decode(s->p, (size_t)(s->end - s->p), &c);
	s->p += n;
	return n;
}

static bool prune_is_plain(char c)
{
	return (unsigned char)c >= ' ' && (unsigned char)c < 0x80 && c != '"' &&
	       c != '\\';
}

static bool prune_string(struct prune_scan *s)
{
	if (!prune_take(s, '"'))
		return false;
	for (;;) {
		while (s->p < s->end && prune_is_plain(*s->p))
			s->p++;
		if (s->p == s->end)
			return false;
		if (*s->p == '"')
			break;
		if (!prune_odd(s))
			return false;
	}
	s->p++;
	return true;
}

/* Takes digits.  Return: their number. */
static size_t prune_digits(struct prune_scan *s)
{
	const char *from = s->p;

	while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return (size_t)(s->p - from);
}

/* Takes a number without an exponent. */
static bool prune_number(struct prune_scan *s)
{
	bool zero;
	size_t n;

	if (s->p < s->end && *s->p == '-')
		s->p++;
	zero = s->p < s->end && *s->p == '0';
	n = prune_digits(s);
	if (!n || n > PRUNE_DIGITS || (zero && n > 1))
		return false;
	if (s->p == s->end || *s->p != '.')
		return true;
	s->p++;
	n = prune_digits(s);
	return n && n <= PRUNE_DIGITS;
}

static bool prune_word(struct prune_scan *s, const char *word)
{
	const size_t n = strlen(word);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return false;
	s->p += n;
	return true;
}

static bool prune_plain(struct prune_scan *s)
{
	switch (prune_peek(s)) {
	case '"':
		return prune_string(s);
	case 't':
		return prune_word(s, "true");
	case 'f':
		return prune_word(s, "false");
	case 'n':
		return prune_word(s, "null");
	default:
		return prune_number(s);
	}
}

/* ---- Objects and lists ---- */

/* The open objects and lists; bit |i| is set if that at depth |i| is a list. */
struct prune_nest {
	uint64_t is_list;
	unsigned depth;
};

static bool prune_in_list(const struct prune_nest *n)
{
	return n->is_list >> (n->depth - 1) & 1;
}

/* Takes the name of a member and the colon, if an object is open. */
static bool prune_name(struct prune_scan *s, const struct prune_nest *n)
{
	if (prune_in_list(n))
		return true;
	return prune_string(s) && prune_take(s, ':');
}

/*
 * Opens an object or list.  An empty one stays open, and *ret_empty is true:
 * its end follows.
 */
static bool prune_open(struct prune_scan *s, struct prune_nest *n,
		       bool *ret_empty)
{
	const bool list = *s->p++ == '[';

	if (n->depth == PRUNE_DEPTH)
		return false;
	n->is_list &= ~((uint64_t)1 << n->depth);
	n->is_list |= (uint64_t)list << n->depth;
	n->depth++;
	*ret_empty = prune_peek(s) == (list ? ']' : '}');
	return *ret_empty || prune_name(s, n);
}

/*
 * Takes what follows a value: the ends of objects and lists, and a comma if
 * one of them is still open.
 */
static bool prune_after(struct prune_scan *s, struct prune_nest *n)
{
	while (n->depth) {
		if (prune_take(s, ','))
			return prune_name(s, n);
		if (!prune_take(s, prune_in_list(n) ? ']' : '}'))
			return false;
		n->depth--;
	}
	return true;
}

/* Takes any value. */
static bool prune_value(struct prune_scan *s)
{
	struct prune_nest n = {0};
	bool empty;

	do {
		const char c = prune_peek(s);

		empty = true;
		if (c != '{' && c != '[') {
			if (!prune_plain(s))
				return false;
		} else if (!prune_open(s, &n, &empty)) {
			return false;
		}
		if (empty && !prune_after(s, &n))
			return false;
	} while (n.depth);
	return true;
}

/* ---- The copy ---- */

/* A member of an object; |name| has no quotes. */
struct prune_member {
	const char *from, *name;
	size_t name_len;
};

/*
 * Takes the name of a member and the colon.  Return: false also for a name with
 * an escape, which could equal any other.
 */
static bool prune_member(struct prune_scan *s, struct prune_member *ret)
{
	prune_peek(s);
	ret->from = s->p;
	ret->name = s->p + 1;
	if (!prune_string(s))
		return false;
	ret->name_len = (size_t)(s->p - ret->name) - 1;
	return !memchr(ret->name, '\\', ret->name_len) && prune_take(s, ':');
}

static bool prune_is(const struct prune_member *m, const char *name)
{
	return strlen(name) == m->name_len &&
	       memcmp(name, m->name, m->name_len) == 0;
}

static bool prune_keeps(const struct prune_rule *r,
			const struct prune_member *m)
{
	for (size_t i = 0; r->keep[i]; i++)
		if (prune_is(m, r->keep[i]))
			return true;
	return false;
}

/* Takes a member of an object, and copies it if |r| keeps it. */
static bool prune_one(struct text *t, struct prune_scan *s,
		      const struct prune_rule *r, unsigned *kept)
{
	struct prune_member m;

	if (!prune_member(s, &m) || !prune_value(s))
		return false;
	if (!prune_keeps(r, &m))
		return true;
	text_puts(t, text_between((*kept)++, ","));
	text_add(t, m.from, (size_t)(s->p - m.from));
	return true;
}

static bool prune_object(struct text *t, struct prune_scan *s,
			 const struct prune_rule *r)
{
	unsigned kept = 0;
	bool good;

	text_puts(t, "{");
	prune_take(s, '{');
	if (!prune_take(s, '}')) {
		do
			good = prune_one(t, s, r, &kept);
		while (good && prune_take(s, ','));
		if (!good || !prune_take(s, '}'))
			return false;
	}
	text_puts(t, "}");
	return true;
}

/* Copies a value that no rule names. */
static bool prune_copy(struct text *t, struct prune_scan *s)
{
	const char *from;

	prune_peek(s);
	from = s->p;
	if (!prune_value(s))
		return false;
	text_add(t, from, (size_t)(s->p - from));
	return true;
}

static bool prune_list(struct text *t, struct prune_scan *s,
		       const struct prune_rule *r)
{
	unsigned n = 0;
	bool good;

	text_puts(t, "[");
	prune_take(s, '[');
	if (!prune_take(s, ']')) {
		do {
			text_puts(t, text_between(n++, ","));
			good = prune_peek(s) == '{' ? prune_object(t, s, r)
						    : prune_copy(t, s);
		} while (good && prune_take(s, ','));
		if (!good || !prune_take(s, ']'))
			return false;
	}
	text_puts(t, "]");
	return true;
}

static bool prune_root_member(struct text *t, struct prune_scan *s,
			      const struct prune_rule *r)
{
	struct prune_member m;

	if (!prune_member(s, &m))
		return false;
	text_add(t, m.from, (size_t)(s->p - m.from));
	while (r->list && !prune_is(&m, r->list))
		r++;
	if (r->list && prune_peek(s) == '[')
		return prune_list(t, s, r);
	return prune_copy(t, s);
}

bool prune_json(struct text *ret, const char *s, size_t len,
		const struct prune_rule *rules)
{
	struct prune_scan scan = {s, s + len};
	bool good;

	if (!prune_take(&scan, '{'))
		return false;
	text_puts(ret, "{");
	if (!prune_take(&scan, '}')) {
		while ((good = prune_root_member(ret, &scan, rules)) &&
		       prune_take(&scan, ','))
			text_puts(ret, ",");
		if (!good || !prune_take(&scan, '}'))
			return false;
	}
	text_puts(ret, "}");
	prune_peek(&scan);
	return scan.p == scan.end;
}
