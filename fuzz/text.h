/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/text.h -- makes any bytes a text, for the fuzzers of parsers.
 */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <string.h>

#include "fuzz/target.h"

/*
 * fuzz_text_of copies an input and appends a NUL.
 *
 * Owner: the caller, who frees it.  NULL if there is no memory.
 */
static inline char *fuzz_text_of(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		return NULL;
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	return text;
}

#endif
