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

/* span_of is scope_span for those who have no scope. */
vspan span_of(const struct decl *decl, const struct span *span,
	      vspan *ret_tolerance);

/*
 * span_sure is how long a packet is held back for the device to have acted
 * before: as late as it may, if the span is a timer of its own.
 */
vspan span_sure(const struct decl *decl, const struct span *span);

/*
 * scope_span is a span in ns; *ret_tolerance is how late is still right.
 */
vspan scope_span(const struct scope *s, const struct span *span,
		 vspan *ret_tolerance);

/* scope_span_early is a lower limit: the span less the declared tolerance, or
 * less a fifth if it is a time and no declared timer. */
vspan scope_span_early(const struct scope *s, const struct span *span);

/* scope_span_late is an upper limit without its tolerance: the span, or what
 * is left of ack_time if even an answer that is due at once may take longer. */
vspan scope_span_late(const struct scope *s, const struct span *span,
		      vspan *ret_tolerance);

#endif
