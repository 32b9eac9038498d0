/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/text.h -- any bytes as a text: what the fuzzers of parsers begin with.
 */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <string.h>

#include "fuzz/target.h"

/*
 * text_of copies an input behind which a 0 stands.
 * Owner: the caller, who frees it.  NULL: no memory.
 */
static inline char *text_of(const uint8_t *data, size_t size)
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
