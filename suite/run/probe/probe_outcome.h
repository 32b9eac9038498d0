/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_outcome.h -- the outcome of a stimulus.
 */
#ifndef SUITE_RUN_PROBE_PROBE_OUTCOME_H
#define SUITE_RUN_PROBE_PROBE_OUTCOME_H

enum probe_outcome {
	PROBE_SHOWN,   /* the device did what the stimulus tests */
	PROBE_NOT,     /* the device did something else, or nothing */
	PROBE_UNTRIED, /* not tried, because a control verb is missing */
};

#endif
