/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/pairing_result.h -- what a run between two endpoints is given, and
 * what it finds.
 */
#ifndef CLI_MATRIX_PAIRING_RESULT_H
#define CLI_MATRIX_PAIRING_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/judge.h"
#include "suite/decl/decl.h"
#include "suite/dut/dut.h"

#define PAIRING_FAULTS 16

enum pairing_side { PAIRING_INITIATOR, PAIRING_TARGET };

/* A violated requirement, or an operation that did not end as it must. */
struct pairing_fault {
	enum pairing_side side;
	/* REQ_NONE: the endpoint ended, or its channel is out of order */
	enum req_id req;
	enum req_role role;
	bool unsure; /* the other side may be the cause */
	char text[200];
};

struct pairing_conf {
	struct dut *dut[2];
	const struct decl *decl[2];
	enum family family;
	uint64_t seed;
	const volatile bool *stop; /* may be NULL */
};

struct pairing_result {
	/* one for each side, requirement and role */
	struct pairing_fault faults[PAIRING_FAULTS];
	size_t n;
	uint64_t packets; /* that left either end */
	size_t posted;    /* operations that the initiator took */
	bool doubtful; /* the tester lost packets or was late: faults are none
			  of the ends' */
	bool gone;     /* an end is out of order, and must be made again */
};

#endif
