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
#define CASE_VALUES_MAX       64
#define CASE_VALUE_NAME_MAX   40
#define CASE_VALUE_MAX        47
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

/* The values of the "for" line of one case of a file. */
struct case_values {
	char name[CASE_VALUE_NAME_MAX + 1]; /* "len" */
	size_t n;
	char words[CASE_VALUES_MAX][CASE_VALUE_MAX + 1];
};

/*
 * case_values lists the values of a section's "for" line, of the plain case if
 * |section| is NULL, as ids have them; none if it has no such line.  The parser
 * reports what is wrong with a value.
 */
void case_values(struct case_values *ret, const char *text, size_t len,
		 const char *section);

/*
 * case_section_text appends the lines of the file that belong to the case: the
 * head of the file and the section, or for the plain case all lines up to the
 * first section.
 */
void case_section_text(struct text *t, const struct test_case *c);

#endif
