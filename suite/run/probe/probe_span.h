/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_span.h -- the times that a probe measured.
 */
#ifndef SUITE_RUN_PROBE_PROBE_SPAN_H
#define SUITE_RUN_PROBE_PROBE_SPAN_H

#include "base/text.h"
#include "base/vtime.h"

/*
 * probe_round_span rounds to two digits, the precision of one measurement:
 * 40.13 ms is 40 ms.
 */
vspan probe_round_span(vspan ns);

/* probe_whole_us rounds times below 1 us up to 1 us, the unit of the draft. */
vspan probe_whole_us(vspan ns);

/* probe_longer returns the longer of two spans. */
vspan probe_longer(vspan a, vspan b);

/* probe_span_print appends a span as a declaration writes it. */
void probe_span_print(struct text *t, vspan span);

#endif
