/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/word.h -- words of a table against words of a text.
 */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * word_equal says whether |word| is the |len| characters at |s|.  Tables are
 * searched with it, so most words differ in their first character.
 */
static inline bool word_equal(const char *word, const char *s, size_t len)
{
	if (!len || *word != *s)
		return !len && !*word;
	return strlen(word) == len && memcmp(word, s, len) == 0;
}

#endif
