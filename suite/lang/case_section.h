/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_section.h -- the cases of one file: the plain one, and a
 * section for each impairment of the network, "impaired drop".
 */
#ifndef SUITE_LANG_CASE_SECTION_H
#define SUITE_LANG_CASE_SECTION_H

#include <stddef.h>

#include "suite/lang/case.h"

#define CASE_SECTIONS_MAX     8
#define CASE_SECTION_NAME_MAX 31
#define CASE_SECTION_PLAIN    "plain" /* name of the plain case */

/* The names of the sections of a file, in its order. */
struct case_sections {
	size_t n;
	char names[CASE_SECTIONS_MAX][CASE_SECTION_NAME_MAX + 1];
};

/*
 * case_sections lists the sections of a text of |len| bytes without parsing
 * it.  Names that the parser refuses are left out: parsing any case of the file
 * reports them.
 */
void case_sections(struct case_sections *ret, const char *text, size_t len);

/*
 * case_section_text appends the lines of the file that belong to the case: the
 * head of the file and the section, or for the plain case all lines up to the
 * first section.
 */
void case_section_text(struct text *t, const struct test_case *c);

#endif
