/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/text.h -- a string that grows.
 *
 * Running out of memory is remembered and told once, at the end, by text_err:
 * the writers in between need no checks.
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

/* text_fill appends |n| times the character |c|. */
void text_fill(struct text *t, char c, size_t n);

/* text_u64 appends a number in decimal, text_x64 as "0x1f". */
void text_u64(struct text *t, uint64_t v);
void text_x64(struct text *t, uint64_t v);

/* text_hex appends "01 02 0a": |len| bytes of |p| in hexadecimal. */
void text_hex(struct text *t, const uint8_t *p, size_t len);

/* text_cstr is the string so far, never NULL; lent until the next append. */
const char *text_cstr(const struct text *t);

/* text_err is 0, or ERR_NOMEM if anything was lost. */
int text_err(const struct text *t);

/* text_clear empties and keeps the memory; text_free gives it back. */
void text_clear(struct text *t);
void text_free(struct text *t);

#endif
