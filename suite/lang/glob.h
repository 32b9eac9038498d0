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

/*
 * glob_selects says whether a selector means a case in a chair: it matches the
 * id or "ID@CHAIR", or it is the folder of the case, with a chair or without:
 * "uet/rud", "uet/rud/", "uet/rud@target".  |chair| NULL: in any chair.
 */
bool glob_selects(const char *selector, const char *id, const char *chair);

/*
 * glob_may_select says whether a selector may mean a case whose id begins so.
 */
bool glob_may_select(const char *selector, const char *begin);

#endif
