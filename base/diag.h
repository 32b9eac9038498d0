/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/diag.h -- the error that a parser reports: position, text and source
 * line, and the later errors of the same text.
 *
 * The struct has a fixed size and needs no allocation; it can be on the
 * caller's stack.  The first error fills it; diag_append adds later ones.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stddef.h>

struct diag {
	char file[256];
	unsigned line, col; /* from 1; 0: unknown */
	char text[256];     /* what is wrong, and what the parser expected */
	char source[160];   /* the line with the error, truncated; "" if none */
	char more[1536];    /* later errors, as diag_format writes them */
};

/*
 * diag_set fills a diag.  Bytes that are not printable become '?'.  |source| is
 * the start of the offending line, which ends at a newline or a NUL, or NULL. A
 * diag that is already set is kept, because the first error matters.
 *
 * Return: ERR_SYNTAX, so that a parser can write "return diag_set(...)".
 */
__attribute__((format(printf, 6, 7))) int
diag_set(struct diag *d, const char *file, unsigned line, unsigned col,
	 const char *source, const char *fmt, ...);

/*
 * diag_append adds the error |later| to |d|, which holds an earlier one of the
 * same text.  An error that does not fit whole is left out.
 */
void diag_append(struct diag *d, const struct diag *later);

/*
 * diag_format writes "file:line:col: text", the source line and a caret below
 * the column, each line ended by a newline; then the later errors likewise.
 *
 * Shape:  |buf| holds |size| bytes; the text is truncated to fit, and
 *         NUL-terminated.
 */
void diag_format(const struct diag *d, char *buf, size_t size);

#endif
