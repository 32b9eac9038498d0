/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_measure.h -- measures the numbers of a device.
 */
#ifndef SUITE_RUN_PROBE_PROBE_MEASURE_H
#define SUITE_RUN_PROBE_PROBE_MEASURE_H

#include "suite/run/probe/probe_state.h"

/*
 * probe_measure measures numbers in the record of the stimulus |word|:
 * "measure/rto".  Any record shows modes, the delay of ACKs and the range of
 * PSNs.
 */
void probe_measure(struct probe *p, const char *word, const struct record *r);

#endif
