/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/json.h -- results.json, "rung.results/2".
 *
 * docs/results.schema.json says what it holds; members keep their order, so
 * that equal runs give equal files but for wall_ns.  Each case has a line.
 */
#ifndef REPORTS_JSON_H
#define REPORTS_JSON_H

#include <jansson.h>

#include "base/text.h"
#include "reports/about.h"
#include "reports/summary.h"

/*
 * json_report appends the whole file.
 * Errors: ERR_NOMEM.
 */
int json_report(struct text *t, const struct summary *s, const struct about *a);

/* json_case makes the object of one result; NULL for lack of memory. */
json_t *json_case(const struct summary_case *c);

/* json_totals makes the object of the totals; likewise. */
json_t *json_totals(const struct summary *s);

/*
 * Small pieces that other writers of JSON use: a string of any bytes, a number
 * that may not fit into 63 bits (then a decimal string), and the object as text
 * with a newline behind it.  json_text takes |o| away; NULL is ERR_NOMEM.
 */
json_t *json_any_string(const char *s);
json_t *json_u64(uint64_t n);
int json_text(struct text *t, json_t *o, size_t flags);

#endif
