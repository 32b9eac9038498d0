/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/series.h -- figures of a run over its time, in a bounded number of
 * samples: when there is no room, every second one goes, and those to come are
 * twice as far apart.
 */
#ifndef FABRIC_SERIES_H
#define FABRIC_SERIES_H

#include <stdint.h>

#include "base/vtime.h"

#define SERIES_MAX 128 /* even */

/* Counts from the start of the run up to |at|. */
struct series_sample {
	vtime at;
	uint64_t payload; /* bytes of complete writes */
	uint64_t retransmitted, trimmed, dropped;
	uint32_t queue; /* largest queue of data since the sample before */
};

struct fabric_series {
	struct series_sample v[SERIES_MAX];
	uint32_t n;
	vspan step; /* between two samples */
	vtime next; /* when the next one is due */
};

/* series_start empties a series; samples are |step| apart at first. */
void series_start(struct fabric_series *s, vspan step);

/*
 * series_add adds a sample, no earlier than those before; it replaces one of
 * the same time.
 */
void series_add(struct fabric_series *s, const struct series_sample *sample);

#endif
