/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/stimulus.h -- what "rung gen" writes and "rung send" sends: the
 * packets of cases or of a capture, repeated and varied.
 *
 * A case is run in virtual time against the reference, and its packets are
 * taken as they crossed: those of one side, or of both.
 */
#ifndef CLI_RUN_STIMULUS_H
#define CLI_RUN_STIMULUS_H

#include <stdbool.h>

#include "base/text.h"
#include "cli/option/option.h"
#include "gen/series.h"

#define STIMULUS_SWEEPS 16

enum stimulus_side { SIDE_TESTER, SIDE_DUT, SIDE_BOTH };

/* "10000", "10k", "1.5M": packets a second; with "bit": bits a second. */
struct stimulus_rate {
	bool set, bits; /* of whole frames, without FCS, preamble and gap */
	double each_second;
	bool max; /* "max": as fast as the port can */
};

struct stimulus {
	const char *who;
	enum stimulus_side side;
	const char *decl, *cases;
	struct stimulus_rate rate;
	struct sweep sweeps[STIMULUS_SWEEPS];
	struct series_conf conf;
	bool looped; /* --loop was given */
	bool sends;  /* --rate may be "max" */
	struct packet_set packet_set;
};

/* The rows that both commands have, for a struct stimulus. */
extern const struct option_row stimulus_rows[];

/* stimulus_begin fills in what is not asked for. */
void stimulus_begin(struct stimulus *s, const char *who);

/* stimulus_endless says whether it goes on for ever. */
bool stimulus_endless(const struct stimulus *s);

/*
 * stimulus_load reads the stock: a capture if there is such a file that is no
 * .lad, or "-"; else cases, as rung run selects them.
 * Return: 0 or an exit code after a message.
 * Owner:  stimulus_free, also after a failure.
 */
int stimulus_load(struct stimulus *s, char *const *names, size_t n);
void stimulus_free(struct stimulus *s);

/*
 * stimulus_series begins the series; the caller frees it.
 * Return: 0 or an exit code after a message.
 */
int stimulus_series(struct stimulus *s, struct series **ret);

/* rate_span is how long a frame of |len| bytes takes at that rate, ns. */
double rate_span(const struct stimulus_rate *r, size_t len);

#endif
