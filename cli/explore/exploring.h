/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/exploring.h -- one run of "rung explore": what the user asked
 * for, and how far it is.
 */
#ifndef CLI_EXPLORE_EXPLORING_H
#define CLI_EXPLORE_EXPLORING_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <jansson.h>

#include "base/vtime.h"
#include "cli/run/dut_setup.h"
#include "cli/run/shard.h"
#include "cli/variants.h"
#include "judge/req.h"
#include "suite/decl/decl.h"
#include "suite/explore/explore.h"

enum { EXPLORE_BOTH, EXPLORE_TARGET, EXPLORE_INITIATOR }; /* --chair */

struct exploring {
	const char *who; /* "rung explore", or "rung replay" of choices */
	struct dut_setup_conf dut_setup, reference;
	struct variants variants;
	uint64_t seed, runs;
	vspan budget;
	double end; /* of the part that is explored, in seconds; 0: none */
	uint64_t last_run; /* the part has no sequence after this one */
	bool seeded, budgeted, first, quiet, list;
	bool all;                  /* every schedule in a small scope */
	bool draw;                 /* schedules at random instead */
	bool anew;                 /* each schedule from its start */
	uint32_t requests, faults; /* of that scope */
	struct shard shard;        /* of its schedules; .of 0: all of them */
	json_t *json_schedules;    /* the figures of each transport, or NULL */
	bool boundary;             /* every boundary value */
	uint32_t strength;         /* 0: draw at random; or of the tuples */
	bool across;               /* values of two moves as well */
	unsigned jobs;             /* 0: the default of the device */
	const char *out, *replay, *family;
	const char *json;      /* the file of --json, or NULL */
	json_t *json_boundary; /* its classes of boundary values */
	const char *revive;    /* the command of --revive, or NULL */
	uint8_t chair;

	/* how often a row was checked by the schedules of a family, by side */
	uint64_t (*seen)[REQ_COUNT][2];
	struct decl *decl, *reference_decl;
	struct explore_conf conf;
	struct explore *explore;
	struct timespec began;
	double drawn; /* when the progress was shown last */
	size_t found;
	unsigned gone; /* folders of runs after which the device was gone */
	bool lost;     /* a worker's device does not come back */
	_Atomic bool started; /* a device was */
	int failed; /* exit code of a finding that could not be written */
};

/* exploring_elapsed returns the seconds since it began. */
double exploring_elapsed(const struct exploring *e);

/*
 * exploring_write_json writes the file of --json.  It takes |o|; NULL: there
 * was no memory for it.
 * Return: 0, or an exit code after a message.
 */
int exploring_write_json(const struct exploring *e, json_t *o);

#endif
