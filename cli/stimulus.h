/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/stimulus.h -- what "rung gen" writes and "rung send" sends: the packets
 * of cases or of a capture, repeated and varied.
 *
 * A case is run in virtual time against the reference, and its packets are
 * taken as they crossed: those of one side, or of both.
 */
#ifndef CLI_STIMULUS_H
#define CLI_STIMULUS_H

#include <getopt.h>
#include <stdbool.h>

#include "base/text.h"
#include "gen/series.h"

#define STIMULUS_SWEEPS 16

enum stimulus_side { SIDE_TESTER, SIDE_DUT, SIDE_BOTH };

/* "10000", "10k", "1.5M": packets a second; with "bit": bits a second. */
struct stimulus_rate {
	bool set, bits; /* of whole frames, without FCS, preamble and gap */
	double each_second;
};

struct stimulus {
	const char *who;
	enum stimulus_side side;
	const char *decl, *cases;
	struct stimulus_rate rate;
	struct sweep sweeps[STIMULUS_SWEEPS];
	struct series_conf conf;
	bool looped; /* --loop was given */
	struct stock stock;
};

/* The options that both commands have; --help prints the same. */
enum {
	OPT_STIMULUS = 512,
	OPT_SIDE = OPT_STIMULUS,
	OPT_SET,
	OPT_COUNT,
	OPT_LOOP,
	OPT_PDCS,
	OPT_RATE,
	OPT_SEED,
	OPT_DECL,
	OPT_CASES,
	OPT_UDP_PORT,
	OPT_IP_PROTO,
};

#define STIMULUS_OPTIONS                                             \
	{"side", required_argument, NULL, OPT_SIDE},                 \
		{"set", required_argument, NULL, OPT_SET},           \
		{"count", required_argument, NULL, OPT_COUNT},       \
		{"loop", required_argument, NULL, OPT_LOOP},         \
		{"pdcs", required_argument, NULL, OPT_PDCS},         \
		{"rate", required_argument, NULL, OPT_RATE},         \
		{"seed", required_argument, NULL, OPT_SEED},         \
		{"decl", required_argument, NULL, OPT_DECL},         \
		{"cases", required_argument, NULL, OPT_CASES},       \
		{"udp-port", required_argument, NULL, OPT_UDP_PORT}, \
	{                                                            \
		"ip-proto", required_argument, NULL, OPT_IP_PROTO    \
	}

extern const char stimulus_help[];

/* stimulus_begin fills in what is not asked for. */
void stimulus_begin(struct stimulus *s, const char *who);

/*
 * stimulus_option takes one of these, its value in optarg.
 * Return: 0 or an exit code after a message.
 */
int stimulus_option(struct stimulus *s, int o);

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
