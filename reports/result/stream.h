/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/stream.h -- JSON Lines during the run, "rung.stream/1".
 *
 *    stream_begin   {"type":"begin","schema":"rung.stream/1",...}
 *    stream_case    {"type":"case",...}, as in results.json
 *    stream_end     {"type":"end","totals":{...},"interrupted":false}
 *
 * A stream without an "end" belongs to a run that was killed.
 */
#ifndef REPORTS_RESULT_STREAM_H
#define REPORTS_RESULT_STREAM_H

#include <stddef.h>

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/* Each appends a line.  Errors: ERR_NOMEM. */
int stream_begin(struct text *t, const struct about *a, size_t planned);
int stream_case(struct text *t, const struct summary_case *c, size_t number);
int stream_end(struct text *t, const struct summary *s, const struct about *a);

#endif
