/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/line_template.h -- makes the step of a line from that of a
 * line that differs from it in numbers alone.
 *
 * "psn=7 | std send message_id=$m1" and "psn=8 | std send message_id=$m2" have
 * one form.  The step of the first becomes a template, and parse_number() reads
 * each number of the second in its place, so that a value is checked in one
 * way.
 */
#ifndef SUITE_LANG_LINE_LINE_TEMPLATE_H
#define SUITE_LANG_LINE_LINE_TEMPLATE_H

#include "suite/lang/parse_state.h"

#define LINE_NUMBERS   12
#define LINE_TEMPLATES 4096 /* a power of two */

/* A line's text, the numbers in it, and a hash of all but their digits. */
struct line_form {
	struct word text;
	struct word numbers[LINE_NUMBERS];
	char classes[LINE_NUMBERS];
	unsigned n;
	uint32_t hash;
};

struct line_template;

/* The templates of a cache; its arena owns them. */
struct line_templates {
	struct line_template *slots[LINE_TEMPLATES];
};

/*
 * line_form_read finds the numbers of a line.
 * Return: false: it has none, too many, or symbols in other places.
 */
bool line_form_read(struct word text, struct line_form *ret);

/*
 * line_template_take appends the step of a line of a form that is known.
 * Return: 1: appended; 0: the line has to be parsed; ERR_NOMEM.
 */
int line_template_take(const struct line_templates *t, struct parse *p,
		       const struct line_form *form, struct step_list *list);

/*
 * line_template_keep makes |s|, the only step of the current line, a template,
 * if every number of the form is one of |places|, which the parser recorded.
 * |expecting| is what the line added to that of the parser.
 * Errors: ERR_NOMEM.
 */
int line_template_keep(struct line_templates *t, struct parse *p,
		       const struct line_form *form,
		       const struct number_places *places, unsigned expecting,
		       const struct step *s);

#endif
