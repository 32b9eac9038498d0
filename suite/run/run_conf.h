/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_conf.h -- how a case is run: the declaration, the seed and the
 * options.
 */
#ifndef SUITE_RUN_RUN_CONF_H
#define SUITE_RUN_RUN_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/decl/decl.h"

struct run_conf {
	const struct decl *decl;
	uint64_t seed;    /* seed of the run; that of the case is derived */
	uint32_t repeat;  /* number of the repetition, from 0 */
	vspan timeout;    /* of the whole case; 0: 10 s, or what four
			     packets take that are never acknowledged */
	bool strict;      /* remarks fail */
	bool step_over;   /* go on behind a deviation that leaves the state of
			     both ends certain */
	bool fields_only; /* step_over: fields that differ, no packet and no
			     report that is missing */
	const volatile bool *interrupted; /* or NULL: stop when it turns true */
};

#endif
