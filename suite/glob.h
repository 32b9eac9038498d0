/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/glob.h -- patterns over the ids of cases.
 */
#ifndef SUITE_GLOB_H
#define SUITE_GLOB_H

#include <stdbool.h>

/*
 * glob_match says whether |pat| means |s|: '*' stands for any characters, '/'
 * among them, '?' for one, everything else for itself.
 */
bool glob_match(const char *pat, const char *s);

#endif
