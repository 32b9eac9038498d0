/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/series.h -- repeats a packet set with varied fields.
 *
 * A pass sends each frame of the packet set once.  A sweep defines the value of
 * a field in each pass.  |pdcs| is the number of copies of each PDC, which run
 * in parallel.  The CRC (if the packet had one) and the checksums of IP and UDP
 * are computed again.  The same configuration gives the same frames.
 */
#ifndef GEN_SERIES_H
#define GEN_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/packet_set.h"

#define SWEEP_NAME   40
#define SWEEP_VALUES 32

enum sweep_kind {
	/* values[0], values[1], ... in turn, or a single value */
	SWEEP_VALUES_OF,
	SWEEP_STEP,   /* the original value plus |step| in each pass */
	SWEEP_RANGE,  /* from values[0] to values[1] by |step|, repeatedly */
	SWEEP_RANDOM, /* random in each pass, for each PDC */
};

/*
 * A field of the packet (UET first, then the headers around it), a derived
 * value, or "entropy" in either encapsulation.  Numbers are truncated to the
 * field's width.
 */
struct sweep {
	char name[SWEEP_NAME];
	enum sweep_kind kind;
	/* values of signed fields are sign-extended */
	uint64_t values[SWEEP_VALUES];
	size_t n;
	uint64_t step;
};

struct series_conf {
	const struct packet_set *packet_set; /* lent */
	const struct sweep *sweeps;          /* lent */
	size_t nsweeps;
	uint32_t pdcs;   /* 0: only the PDCs of the packet set */
	uint64_t passes; /* 0: no limit */
	uint64_t count;  /* frames; 0: no limit */
	uint64_t seed;
	vspan interval; /* between two frames; 0: as captured */
};

struct series_frame {
	const uint8_t *p; /* lent until the next call */
	uint32_t len;
	enum frame_link link;
	vtime at;    /* starts at 0; strictly increasing */
	size_t from; /* index in the packet set */
};

struct series;

/*
 * series_new begins a series.
 *
 * Errors:
 * - ERR_NOMEM
 * - ERR_SUPPORT: no packet of the set has the name of sweep *ret_bad
 * - ERR_VALUE: sweep *ret_bad has a value that does not fit
 */
int series_new(struct series **ret, const struct series_conf *conf,
	       size_t *ret_bad);
void series_free(struct series *s);

/*
 * series_next makes the next frame.
 * Return: false after the last one.
 */
bool series_next(struct series *s, struct series_frame *ret);

/* series_total returns the number of frames; UINT64_MAX: unlimited. */
uint64_t series_total(const struct series *s);

#endif
