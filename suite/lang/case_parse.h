/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_parse.h -- parses a case file, or a single line of one.
 */
#ifndef SUITE_LANG_CASE_PARSE_H
#define SUITE_LANG_CASE_PARSE_H

#include "base/arena.h"
#include "base/diag.h"
#include "suite/lang/case.h"

/*
 * case_parse parses one case of a text.  Of the file's other cases it reads
 * only the "impaired" lines.
 *
 * Owner:  the caller frees *ret with case_free; it keeps copies of everything.
 * Errors: ERR_SYNTAX with |diag| filled: file, line, column, the line, and what
 *         was expected, and likewise for up to seven later errors; ERR_NOMEM.
 */
int case_parse(struct test_case **ret, const struct case_source *source,
	       case_fragment_fn *fragment, void *fragment_ctx,
	       struct diag *diag);

void case_free(struct test_case *c);

/*
 * line_cache_new makes an empty cache of parsed lines.  case_parse_cached
 * parses as case_parse does, but takes lines from the cache, and adds new ones:
 * a caller that makes many cases of the same lines saves time.
 *
 * Owner:  the caller frees the cache, after all cases that were parsed with it.
 *         They lend their lines from it.  One thread uses it at a time.
 * Errors: as case_parse.
 */
struct line_cache;
int line_cache_new(struct line_cache **ret);
void line_cache_free(struct line_cache *c);

/*
 * line_cache_full returns true if the cache takes no more lines;
 * line_cache_clear removes all.  No case that was parsed with the cache may be
 * left then.
 */
bool line_cache_full(const struct line_cache *c);
void line_cache_clear(struct line_cache *c);

int case_parse_cached(struct test_case **ret, const struct case_source *source,
		      case_fragment_fn *fragment, void *fragment_ctx,
		      struct line_cache *lines, struct diag *diag);

/*
 * rung_parse reads one rung ("rud_req psn=333 | std send | data 64"), as
 * written after the arrow; step_parse parses a whole line.  For tests, for
 * --rules and for pasting captured ladders.
 */
int rung_parse(struct arena *arena, struct rung *ret, const char *text,
	       bool expect, struct diag *diag);

/*
 * step_parse reads one line below a chair (an impairment rule, a captured rung
 * with its arrow); symbols count as bound.  A report line with commas gives a
 * list of steps; *ret is the first.
 */
int step_parse(struct arena *arena, const struct step **ret, const char *text,
	       enum chair chair, struct diag *diag);

#endif
