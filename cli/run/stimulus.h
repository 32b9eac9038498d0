/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/stimulus.h -- the packets that "rung gen" writes and "rung send"
 * sends: those of cases or of a capture, repeated and varied.
 *
 * A case runs in virtual time against the reference, and its packets are taken
 * as they crossed the link: those of one side, or of both.
 */
#ifndef CLI_RUN_STIMULUS_H
#define CLI_RUN_STIMULUS_H

#include <stdbool.h>

#include "base/text.h"
#include "cli/option/option.h"
#include "gen/series.h"

#define STIMULUS_SWEEPS 16

enum stimulus_side { SIDE_TESTER, SIDE_DUT, SIDE_BOTH };

/* "10000", "10k", "1.5M": packets per second; with "bit": bits per second. */
struct stimulus_rate {
	/* |bits|: of whole frames, without FCS, preamble and gap */
	bool set, bits;
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

/* The rows of a struct stimulus, which both commands have. */
extern const struct option_row stimulus_rows[];

/* stimulus_begin sets the defaults. */
void stimulus_begin(struct stimulus *s, const char *who);

/* stimulus_endless returns true if the packets repeat without end. */
bool stimulus_endless(const struct stimulus *s);

/*
 * stimulus_load reads the packet set: from a capture, if |names| is a file
 * other than .lad, or "-"; else from cases, selected like in rung run.
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

/* rate_span returns the time of a frame of |len| bytes at that rate, in ns. */
double rate_span(const struct stimulus_rate *r, size_t len);

#endif
