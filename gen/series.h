/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/series.h -- frames one after another: a stock, again and again, its
 * fields varied.
 *
 * A pass is the stock once through.  Sweeps say what a field is in each pass;
 * |pdcs| multiplies every packet of a PDC, so that as many of them run side by
 * side.  What depends on the bytes follows: the CRC if the packet had one, the
 * checksums of IP and UDP.  The same configuration gives the same frames.
 */
#ifndef GEN_SERIES_H
#define GEN_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/stock.h"

#define SWEEP_NAME   40
#define SWEEP_VALUES 32

enum sweep_kind {
	SWEEP_VALUES_OF, /* values[0], values[1], ... in turn; or one */
	SWEEP_STEP,      /* the packet's own value, |step| more in each pass */
	SWEEP_RANGE,     /* from values[0] to values[1] by |step|, and again */
	SWEEP_RANDOM,    /* drawn for each pass and PDC */
};

/*
 * A field of the packet (UET first, then the headers around it), a derived
 * value, or "entropy", wherever that is.  Numbers are cut at the field's width.
 */
struct sweep {
	char name[SWEEP_NAME];
	enum sweep_kind kind;
	uint64_t values[SWEEP_VALUES]; /* signed ones: sign-extended */
	size_t n;
	uint64_t step;
};

struct series_conf {
	const struct stock *stock;  /* lent */
	const struct sweep *sweeps; /* lent */
	size_t nsweeps;
	uint32_t pdcs;   /* 0: as the stock has it */
	uint64_t passes; /* 0: for ever */
	uint64_t count;  /* frames; 0: as many as there are */
	uint64_t seed;
	vspan interval; /* between two frames; 0: as they were seen */
};

struct series_frame {
	const uint8_t *p; /* lent until the next call */
	uint32_t len;
	enum frame_link link;
	vtime at;    /* from 0; never twice the same */
	size_t from; /* its place in the stock */
};

struct series;

/*
 * series_new begins one.
 * Errors: ERR_NOMEM; ERR_SUPPORT: sweep *ret_bad names what no packet of the
 *         stock has; ERR_VALUE: it has a value that does not fit.
 */
int series_new(struct series **ret, const struct series_conf *conf,
	       size_t *ret_bad);
void series_free(struct series *s);

/* series_next gives the next frame; false: that was all. */
bool series_next(struct series *s, struct series_frame *ret);

/* series_total is how many there are in all; UINT64_MAX: no end. */
uint64_t series_total(const struct series *s);

#endif
