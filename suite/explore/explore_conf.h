/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/explore_conf.h -- what an exploration is given, and what it
 * reports: a device and a reference, and findings.
 */
#ifndef SUITE_EXPLORE_EXPLORE_CONF_H
#define SUITE_EXPLORE_EXPLORE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "judge/req.h"
#include "suite/decl/decl.h"
#include "suite/dut/dut.h"
#include "suite/explore/choices.h"
#include "suite/lang/case.h"
#include "suite/verdict/record.h"
#include "wire/family.h"

/* A finding, reduced. */
struct explore_finding {
	enum req_id req; /* REQ_NONE: the device is gone */
	enum req_role role;
	/* gone: not again; else interrupted before it was repeated */
	bool once;
	unsigned gone; /* gone: the number that conf->gone returned */
	char text[240];
	struct choices choices;
	struct text file;  /* the case, as "rung run" reads it */
	size_t rungs;      /* packets of its body that a line names */
	uint64_t run;      /* the run that found it */
	unsigned tries;    /* runs that its reduction took */
	bool cut;          /* its reduction ended early: conf->late */
	char members[800]; /* its opening and its moves, by title */
};

struct explore_conf {
	const struct decl *decl;      /* of the device */
	const struct decl *reference; /* NULL: the device is the reference */
	uint64_t seed;
	unsigned subjects, chairs; /* masks */
	bool strict;               /* remarks are findings as well */
	/*
	 * Makes the device of a worker, or its reference, for a family.
	 * Workers call it at the same time.
	 * Return: 0 or an exit code after a message.
	 */
	int (*device)(void *ctx, unsigned worker, bool reference,
		      enum family family, struct dut **ret);
	void (*device_free)(struct dut *dut);
	/* in real time: what fails by chance does not count */
	bool live;
	/*
	 * the endpoint exposes what the tester asks for: memory that a sequence
	 * does not need is not declared to it
	 */
	bool exposes_asked;
	/* the device has one port, for one family at a time */
	bool single;
	/*
	 * Restores a device that is gone or silent, before it is made anew; may
	 * be NULL.
	 * Return: 0 or an exit code after a message.
	 */
	int (*revive)(void *ctx);
	case_fragment_fn *fragment;
	/*
	 * Takes (true) or returns the lock of what workers share; NULL: there
	 * is one worker.
	 */
	void (*lock)(void *ctx, bool take);
	/*
	 * called with the run after which a device was gone, under the lock;
	 * may be NULL.  Return: a number for the finding.
	 */
	unsigned (*gone)(void *ctx, const struct record *r);
	/* called with each finding, under the lock; may be NULL */
	void (*found)(void *ctx, const struct explore_finding *f);
	/*
	 * Returns whether a reduction ends, with what it has; workers call it
	 * at the same time.  NULL: none ends early.
	 */
	bool (*late)(void *ctx);
	void *ctx;
	const volatile bool *stop; /* ends the run in hand; may be NULL */
};

#endif
