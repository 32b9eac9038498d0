/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/about.h -- the properties of the whole run that a report shows.
 *
 * Every report of this floor is a function of this struct, of records and of a
 * summary of them, and appends to a struct text; the caller handles files,
 * streams and terminals.
 */
#ifndef REPORTS_ABOUT_H
#define REPORTS_ABOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/decl/decl.h"

/* The bench of a run.  Texts are NULL if they are not known. */
struct about_bench {
	const char *name;              /* NULL: the run had no bench */
	const char *firmware, *driver; /* as its commands tell them */
	const char *clock, *cabling, *path, *tags; /* as bench.yaml says */
};

/* Owner: everything is lent for the call; strings may be NULL. */
struct about {
	const char *version; /* version of rung */
	const char *commit;
	const char *run; /* id of the run, 32 hexadecimal digits; or NULL */
	uint64_t seed;
	const char *dut; /* the device, as --dut names it */
	/*
	 * The device's own name: by its hello, else by its declaration; NULL:
	 * neither named it.
	 */
	const char *name;
	const char *date;     /* begin of the run, "2026-12-01T08:00:00Z" */
	const char *host;     /* the machine that ran rung */
	const char *operator; /* the person who ran it */
	struct about_bench bench;
	const char *mutant;  /* mutant that plays the device; or NULL */
	vspan timeout;       /* time-out of a case; 0: the default */
	const char *control; /* its control channel, as --control names it */
	const struct decl *decl;
	bool strict;       /* remarks fail */
	bool step_over;    /* cases continue after deviations where possible */
	vspan elapsed;     /* duration of the run; 0: the sum of the cases */
	bool interrupted;  /* the run ended before all results were complete */
	size_t planned;    /* number of planned results */
	const char *out;   /* folder of the reports, as given; or NULL */
	const char *rerun; /* options that repeat the run, for the hints */
};

/* about_device returns the name of the device, or what --dut names. */
static inline const char *about_device(const struct about *a)
{
	if (a->name)
		return a->name;
	if (a->dut)
		return a->dut;
	return "device";
}

#endif
