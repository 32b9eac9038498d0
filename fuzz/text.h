/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/text.h -- any bytes as a text: what the fuzzers of parsers begin with.
 */
#ifndef FUZZ_TEXT_H
#define FUZZ_TEXT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                   \
	do {                                                               \
		if (!(condition)) {                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
				#condition);                               \
			abort();                                           \
		}                                                          \
	} while (0)

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
