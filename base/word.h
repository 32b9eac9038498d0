/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/word.h -- compares words of a table with words of a text.
 */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * word_equal returns true if |word| is the |len| characters at |s|.  Tables are
 * searched with it, so most words differ in their first character.
 */
static inline bool word_equal(const char *word, const char *s, size_t len)
{
	if (!len || *word != *s)
		return !len && !*word;
	return strlen(word) == len && memcmp(word, s, len) == 0;
}

#endif
