/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/glob.h -- patterns over the ids of cases.
 */
#ifndef SUITE_LANG_GLOB_H
#define SUITE_LANG_GLOB_H

#include <stdbool.h>

/*
 * glob_match says whether |pat| means |s|: '*' stands for any characters, '/'
 * among them, '?' for one, everything else for itself.
 */
bool glob_match(const char *pat, const char *s);

/* glob_may_begin says whether |pat| may match a text that begins so. */
bool glob_may_begin(const char *pat, const char *begin);

#endif
