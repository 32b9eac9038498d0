/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/text.h -- a string that grows.
 *
 * A failed allocation is remembered, and text_err() reports it at the end, so
 * the calls before it need no checks.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *s; /* NUL-terminated; NULL while empty */
	size_t len, size;
	bool failed;
};

/* text_printf appends. */
__attribute__((format(printf, 2, 3))) void text_printf(struct text *t,
						       const char *fmt, ...);

/* text_add appends |len| bytes. */
void text_add(struct text *t, const char *s, size_t len);

/* text_puts appends a string. */
void text_puts(struct text *t, const char *s);

/* text_fill appends the character |c| |n| times. */
void text_fill(struct text *t, char c, size_t n);

/* text_u64 appends a number in decimal, text_x64 as "0x1f". */
void text_u64(struct text *t, uint64_t v);
void text_x64(struct text *t, uint64_t v);

/* text_hex appends |len| bytes of |p| in hexadecimal: "01 02 0a". */
void text_hex(struct text *t, const uint8_t *p, size_t len);

/*
 * text_cstr returns the string so far, never NULL; lent until the next append.
 */
const char *text_cstr(const struct text *t);

/* text_err returns 0, or ERR_NOMEM if any text was lost. */
int text_err(const struct text *t);

/*
 * text_clear empties the text and keeps its memory; text_free frees the memory.
 */
void text_clear(struct text *t);
void text_free(struct text *t);

/* ---- Strings as arguments ---- */

/* text_or returns |s|, or |other| if |s| is NULL. */
static inline const char *text_or(const char *s, const char *other)
{
	if (s)
		return s;
	return other;
}

/* text_some returns |s|, or |other| if |s| is empty. */
static inline const char *text_some(const char *s, const char *other)
{
	if (*s)
		return s;
	return other;
}

/* text_plural returns "s" unless |n| is 1: "1 case", "2 cases". */
static inline const char *text_plural(size_t n)
{
	if (n == 1)
		return "";
	return "s";
}

/* text_between returns |separator| if |n| items precede it, else "". */
static inline const char *text_between(size_t n, const char *separator)
{
	if (n)
		return separator;
	return "";
}

/* text_hex_digit returns the value of a hexadecimal digit, or -1. */
int text_hex_digit(char c);

#endif
