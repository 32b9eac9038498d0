/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/glob.h -- patterns over the ids of cases.
 */
#ifndef SUITE_LANG_GLOB_H
#define SUITE_LANG_GLOB_H

#include <stdbool.h>

/*
 * glob_match returns whether |s| matches |pat|: '*' matches any characters,
 * including '/', '?' matches one, any other character matches itself.
 */
bool glob_match(const char *pat, const char *s);

/*
 * glob_selects returns whether a selector selects a case in a chair.  A
 * selector is a pattern of the id or of "ID@CHAIR", or a folder, with a chair
 * or without: "uet/rud", "uet/rud/", "uet/rud@target".  |chair| NULL: in any
 * chair.
 */
bool glob_selects(const char *selector, const char *id, const char *chair);

/*
 * glob_may_select returns whether a selector may select a case whose id has
 * that prefix.
 */
bool glob_may_select(const char *selector, const char *begin);

#endif
