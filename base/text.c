/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/text.c -- a growing string: append, print, hexadecimal and decimal
 * numbers.
 *
 * The buffer doubles when it is full and always ends in a NUL.  After a failed
 * allocation, only text_clear() and text_free() change the text, and text_err()
 * returns the error.
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"

/* Makes room for |more| bytes and the NUL. */
static bool text_room(struct text *t, size_t more)
{
	size_t size = t->size ? t->size : 64;
	char *s;

	if (t->failed)
		return false;
	if (t->len + more < t->size)
		return true;
	while (size <= t->len + more)
		size *= 2;
	s = memory_realloc(t->s, size);
	if (!s) {
		t->failed = true;
		return false;
	}
	t->s = s;
	t->size = size;
	return true;
}

void text_add(struct text *t, const char *s, size_t len)
{
	if (!text_room(t, len))
		return;
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = 0;
}

void text_puts(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void text_fill(struct text *t, char c, size_t n)
{
	if (!text_room(t, n))
		return;
	memset(t->s + t->len, c, n);
	t->len += n;
	t->s[t->len] = 0;
}

/*
 * Most texts fit into the free space, so print first, and grow by the length
 * that vsnprintf returned if necessary.
 */
void text_printf(struct text *t, const char *fmt, ...)
{
	const size_t room = t->size - t->len;
	va_list ap, again;
	int n;

	if (t->failed)
		return;
	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(t->s ? t->s + t->len : NULL, room, fmt, ap);
	va_end(ap);
	if (n < 0)
		t->failed = true;
	else if ((size_t)n < room)
		t->len += (size_t)n;
	else if (text_room(t, (size_t)n)) {
		vsnprintf(t->s + t->len, (size_t)n + 1, fmt, again);
		t->len += (size_t)n;
	} else if (t->s)
		t->s[t->len] = 0;
	va_end(again);
}

static void text_digits(struct text *t, uint64_t v, unsigned base)
{
	char digits[20], *p = digits + sizeof(digits);

	do {
		*--p = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	text_add(t, p, (size_t)(digits + sizeof(digits) - p));
}

void text_u64(struct text *t, uint64_t v)
{
	text_digits(t, v, 10);
}

void text_x64(struct text *t, uint64_t v)
{
	text_add(t, "0x", 2);
	text_digits(t, v, 16);
}

void text_hex(struct text *t, const uint8_t *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text_printf(t, "%s%02x", i ? " " : "", p[i]);
}

const char *text_cstr(const struct text *t)
{
	return t->s ? t->s : "";
}

int text_err(const struct text *t)
{
	return t->failed ? ERR_NOMEM : 0;
}

void text_clear(struct text *t)
{
	t->len = 0;
	t->failed = false;
	if (t->s)
		t->s[0] = 0;
}

void text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){0};
}

int text_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}
