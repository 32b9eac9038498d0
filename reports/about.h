/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/about.h -- what a report says about the run as a whole.
 *
 * Every report of this floor is a function of this, of records and of a
 * summary of them, and appends to a struct text: files, streams and terminals
 * are the caller's.
 */
#ifndef REPORTS_ABOUT_H
#define REPORTS_ABOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/decl.h"

/* Owner: everything is lent for the call; strings may be NULL. */
struct about {
	const char *version; /* of rung */
	const char *commit;
	const char *run; /* an id of its own, 32 hexadecimal digits; or NULL */
	uint64_t seed;
	const char *dut;     /* the device as --dut named it */
	const char *mutant;  /* in the chair of the device; or NULL */
	vspan timeout;       /* of a case; 0: the default */
	const char *control; /* its control channel as --control named it */
	const struct decl *decl;
	bool strict;       /* remarks fail */
	bool step_over;    /* cases go on behind deviations, where they can */
	vspan elapsed;     /* of the whole run; 0: the sum of the cases */
	bool interrupted;  /* the run was, before all results were there */
	size_t planned;    /* results that were to come */
	const char *out;   /* folder of the reports as it was named; or NULL */
	const char *rerun; /* options to repeat the run with, for the hints */
};

#endif
