/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/glob.c -- patterns over the ids of cases.
 */
#include "suite/lang/glob.h"

#include <stddef.h>

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

bool glob_may_begin(const char *pat, const char *begin)
{
	while (*begin && *pat != '*') {
		if (*pat != *begin && *pat != '?')
			return false;
		pat++;
		begin++;
	}
	return true;
}
