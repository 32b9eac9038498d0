/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/json.h -- results.json, "rung.results/2".
 *
 * docs/results.schema.json describes it.  Members keep their order, so that
 * equal runs give equal files but for wall_ns.  Each case has a line.
 */
#ifndef REPORTS_FORMAT_JSON_H
#define REPORTS_FORMAT_JSON_H

#include <jansson.h>

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * json_report appends the whole file.
 * Errors: ERR_NOMEM.
 */
int json_report(struct text *t, const struct summary *s, const struct about *a);

/* json_case returns the object of one result; NULL if there is no memory. */
json_t *json_case(const struct summary_case *c);

/* json_totals returns the object of the totals; NULL if there is no memory. */
json_t *json_totals(const struct summary *s);

/*
 * Helpers of other writers of JSON.  json_any_string makes a string of any
 * bytes, json_u64 a number (a decimal string if it exceeds 63 bits).  json_text
 * appends an object as text with a newline and takes |o|; NULL is ERR_NOMEM.
 */
json_t *json_any_string(const char *s);
json_t *json_maybe_string(const char *s); /* NULL gives null */
json_t *json_u64(uint64_t n);
json_t *json_bench(const struct about_bench *b); /* null without a bench */
/* json_push appends |o| to |array|; frees both if one of them is NULL. */
json_t *json_push(json_t *array, json_t *o);
int json_text(struct text *t, json_t *o, size_t flags);

#endif
