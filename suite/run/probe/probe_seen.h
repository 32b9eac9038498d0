/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_seen.h -- the capabilities that the stimuli have shown.
 */
#ifndef SUITE_RUN_PROBE_PROBE_SEEN_H
#define SUITE_RUN_PROBE_PROBE_SEEN_H

#include "suite/dut/dut.h"
#include "suite/run/probe/probe_state.h"

/*
 * probe_has_outcome returns whether a stimulus had that outcome; *ret_chair,
 * unless NULL, is its chair.
 */
bool probe_has_outcome(const struct probe *p, const char *word,
		       enum probe_outcome outcome, enum chair *ret_chair);

/*
 * probe_is_shown returns whether a capability was shown in one chair and not
 * refuted in the other.
 */
bool probe_is_shown(const struct probe *p, const char *word);

/*
 * probe_was_seen returns whether a capability was seen on the wire, with any
 * outcome of its own stimulus.
 */
bool probe_was_seen(const struct probe *p, const char *word);

/*
 * probe_is_seen returns whether a capability was seen that has no stimulus of
 * its own.
 */
bool probe_is_seen(const struct probe *p, const struct dut *dut,
		   const char *word);

#endif
