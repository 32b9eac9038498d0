/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/line_cache.h -- keeps the steps of lines, for a caller that
 * parses the same lines in many cases.
 */
#ifndef SUITE_LANG_LINE_LINE_CACHE_H
#define SUITE_LANG_LINE_LINE_CACHE_H

#include "suite/lang/line/line_template.h"
#include "suite/lang/parse_state.h"

/* A line that is being parsed into the cache. */
struct line_entry;

/*
 * line_cache_take appends the steps of a line that the cache has, with the
 * place of the current line, and binds the symbols that the line binds.
 *
 * Return: 1: appended; 0: the line has to be parsed; ERR_NOMEM.
 */
int line_cache_take(struct parse *p, struct word text, struct step_list *list);

/*
 * line_cache_take_next does the same for the next line of the text, which the
 * lexer then passes without reading its words.
 *
 * Return: as line_cache_take; 0: the lexer is where it was.
 */
int line_cache_take_next(struct parse *p, struct step_list *list);

/*
 * line_cache_prefetch loads what the cache has of the lines from |from| to
 * |end|, so that line_cache_take() does not wait for memory.  Every case with
 * kept lines calls it before its lines are taken: the cache remembers the
 * hashes of this text.
 */
void line_cache_prefetch(struct line_cache *c, const char *from,
			 const char *end, enum chair chair);

/*
 * line_cache_begin directs what the parser allocates for the current line into
 * the cache.  line_cache_end undoes that, and keeps the steps behind |before|
 * (NULL: all of |list|) if |err| is 0.
 *
 * Return of line_cache_begin: NULL: this line is not kept.
 */
struct line_entry *line_cache_begin(struct parse *p, struct word text);
int line_cache_end(struct parse *p, struct line_entry *e, int err,
		   const struct step *before, const struct step_list *list);

/* line_cache_templates returns the templates that the cache owns. */
struct line_templates *line_cache_templates(struct line_cache *c);

#endif
