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
 * word_equal returns true if |word| is equal to the |len| characters at
 * |s|.  It tests the first two characters inline, because most words of a
 * table differ there.
 */
static inline bool word_equal(const char *word, const char *s, size_t len)
{
	if (!len || *word != *s)
		return !len && !*word;
	if (len > 1 && word[1] != s[1])
		return false;
	return strncmp(word, s, len) == 0 && !word[len];
}

/*
 * word_same returns true if two words are equal.  Most words differ in their
 * first two characters, which it compares inline.
 */
static inline bool word_same(const char *a, const char *b)
{
	if (a == b)
		return true;
	if (*a != *b || (*a && a[1] != b[1]))
		return false;
	return strcmp(a, b) == 0;
}

#endif
