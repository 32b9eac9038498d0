/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/export/otlp.h -- the run as OTLP/JSON spans, for tracing systems.
 *
 * The run is a trace, whose id is the id of the run: a root span, and a span
 * for each result.  Findings are events of a span.  A fail, an error and an
 * inconclusive result have the status "error"; a pass has "ok"; na and known
 * failures have none.
 *
 * Spec: opentelemetry-proto 1, trace.proto; OTLP 1, "JSON Protobuf Encoding"
 */
#ifndef REPORTS_EXPORT_OTLP_H
#define REPORTS_EXPORT_OTLP_H

#include "base/text.h"
#include "reports/about.h"
#include "reports/result/summary.h"

/*
 * otlp_report appends the whole file, a body for POST /v1/traces.
 * Errors: ERR_NOMEM.
 */
int otlp_report(struct text *t, const struct summary *s, const struct about *a);

#endif
