/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_which.c -- the words that say which of the matching
 * packets an impairment changes.
 */
#include "suite/lang/line/case_which.h"

#include <string.h>

#include "suite/lang/lex/case_lex.h"

static const char *const which_words[] = {
	"nth=", "every=", "src=", "dst=", "entropy=", "dscp=", "ecn=",
};

const char *parse_which_word(size_t n)
{
	if (n < sizeof(which_words) / sizeof(which_words[0]))
		return which_words[n];
	return NULL;
}

enum which which_of(struct word w, struct word *ret_value)
{
	for (unsigned i = 0; i < WHICH_COUNT; i++) {
		size_t n;

		if (!w.len || w.s[0] != which_words[i][0])
			continue;
		n = strlen(which_words[i]);
		if (w.len < n || memcmp(w.s, which_words[i], n))
			continue;
		*ret_value = (struct word){w.s + n, w.len - n};
		return (enum which)i;
	}
	return WHICH_COUNT;
}

bool parse_is_which(struct word w)
{
	struct word value;

	return which_of(w, &value) != WHICH_COUNT;
}
