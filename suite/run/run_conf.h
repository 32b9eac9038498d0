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
	uint64_t seed;    /* seed of the run; each case derives its own */
	uint32_t repeat;  /* number of the repetition, from 0 */
	vspan timeout;    /* for the whole case; 0: 10 s, or the time for four
			     packets that are never acknowledged */
	bool strict;      /* remarks fail the case */
	bool step_over;   /* continue after a deviation that leaves the state of
			     both ends certain */
	bool fields_only; /* step_over: only after differing fields, not after a
			     missing packet or report */
	bool untold;      /* leave the texts of control messages empty in the
			     record */
	bool trusts_tester;               /* do not judge what the case sends */
	const volatile bool *interrupted; /* stops the run when true; or NULL */
};

#endif
