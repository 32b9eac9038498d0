/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_span.h -- the spans of a case in nanoseconds, with
 * their tolerances.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_SPAN_H
#define SUITE_RUN_SCOPE_SCOPE_SPAN_H

#include "suite/decl/decl.h"
#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"

/* span_of converts a span like scope_span, for callers without a scope. */
vspan span_of(const struct decl *decl, const struct span *span,
	      vspan *ret_tolerance);

/*
 * span_sure returns how long to hold a packet so that the device has surely
 * acted before: a timer of the device counts with its tolerance.
 */
vspan span_sure(const struct decl *decl, const struct span *span);

/* scope_span converts a span to ns; *ret_tolerance is the tolerated delay. */
vspan scope_span(const struct scope *s, const struct span *span,
		 vspan *ret_tolerance);

/*
 * scope_span_early returns a lower limit: the span less the declared tolerance,
 * or less a fifth if it is a plain time.
 */
vspan scope_span_early(const struct scope *s, const struct span *span);

/*
 * scope_span_late returns an upper limit without its tolerance: the span, or
 * the rest of ack_time if that is longer, which any answer may take.
 */
vspan scope_span_late(const struct scope *s, const struct span *span,
		      vspan *ret_tolerance);

#endif
