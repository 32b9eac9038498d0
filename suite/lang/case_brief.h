/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_brief.h -- a case without its lines.
 *
 * A parsed case takes about 50 KB; its head and the requirements of its lines
 * take less than 1 KB, so that thousands of cases can be selected and listed.
 */
#ifndef SUITE_LANG_CASE_BRIEF_H
#define SUITE_LANG_CASE_BRIEF_H

#include "base/arena.h"
#include "suite/lang/case.h"

/*
 * case_brief copies the head of |c| and gives each chair one line, which names
 * all requirements that the lines of that chair name.  The result cannot be
 * run.
 *
 * Owner:  the caller calls case_free(); texts and lists live in |a|.
 * Return: NULL if there is no memory.
 */
struct test_case *case_brief(struct arena *a, const struct test_case *c);

#endif
