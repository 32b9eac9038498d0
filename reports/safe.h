/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/safe.h -- makes untrusted texts fit to print.
 *
 * Notes and control lines may quote any bytes of a device.  In a report they
 * are valid UTF-8 without control characters, so that a device can neither
 * break a file nor steer a terminal.
 */
#ifndef REPORTS_SAFE_H
#define REPORTS_SAFE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * safe_add appends |len| bytes of |s|; bytes that are not part of a printable
 * character of well-formed UTF-8 become \xNN.  safe_puts takes a string.
 */
void safe_add(struct text *t, const char *s, size_t len);
void safe_puts(struct text *t, const char *s);

/* safe_columns counts the characters of |len| bytes of UTF-8. */
size_t safe_columns(const char *s, size_t len);

/*
 * safe_wrap returns how many bytes at the front of |s| fit into |columns|, cut
 * after a word if possible; at least one character unless |s| is empty.
 * *ret_next is the start of the next line, behind the spaces.
 */
size_t safe_wrap(const char *s, size_t columns, const char **ret_next);

/* safe_xml appends a string as XML character data or attribute value. */
void safe_xml(struct text *t, const char *s);

#endif
