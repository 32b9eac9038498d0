/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/glob.c -- patterns over the ids of cases.
 */
#include "suite/lang/glob.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SELECTED_MAX 320 /* bytes of an id with its chair */

bool glob_match(const char *pat, const char *s)
{
	const char *star = NULL, *again = NULL;

	while (*s) {
		if (*pat == '*') {
			star = pat++;
			again = s;
		} else if (*pat == *s || *pat == '?') {
			pat++;
			s++;
		} else if (star) {
			pat = star + 1;
			s = ++again;
		} else {
			return false;
		}
	}
	while (*pat == '*')
		pat++;
	return *pat == 0;
}

/* Returns whether |pat| may match a text with that prefix. */
static bool glob_may_begin(const char *pat, const char *begin)
{
	while (*begin && *pat != '*') {
		if (*pat != *begin && *pat != '?')
			return false;
		pat++;
		begin++;
	}
	return true;
}

/*
 * Returns whether |id| is below the folder in the first |len| bytes of
 * |folder|.
 */
static bool glob_below(const char *folder, size_t len, const char *id)
{
	if (len && folder[len - 1] == '/')
		len--;
	return len && !strncmp(id, folder, len) && id[len] == '/';
}

/* Compares a selector with an id, and with the id and its chair. */
static bool glob_selects_id(const char *selector, const char *id,
			    const char *chair)
{
	char whole[SELECTED_MAX];

	if (glob_match(selector, id))
		return true;
	if (chair) {
		snprintf(whole, sizeof(whole), "%s@%s", id, chair);
		if (glob_match(selector, whole))
			return true;
	}
	return false;
}

bool glob_selects(const char *selector, const char *id, const char *chair)
{
	const char *at = strchr(selector, '@'), *value = strchr(id, '[');
	const size_t len = at ? (size_t)(at - selector) : strlen(selector);
	char plain[SELECTED_MAX];

	if (glob_selects_id(selector, id, chair))
		return true;
	if (value) { /* the case, with each of its values */
		snprintf(plain, sizeof(plain), "%.*s", (int)(value - id), id);
		if (glob_selects_id(selector, plain, chair))
			return true;
	}
	if (at && chair && strcmp(at + 1, chair) != 0)
		return false;
	return glob_below(selector, len, id);
}

bool glob_may_select(const char *selector, const char *begin)
{
	return glob_may_begin(selector, begin) ||
	       glob_below(selector, strcspn(selector, "@"), begin);
}
