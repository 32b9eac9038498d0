/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/pairing.h -- two endpoints with a link between them: runs an
 * exchange, impairs by its rules, judges both ends, and compares what each end
 * told with what was asked of it.
 *
 * Both ends are in virtual time or both on real links.  Neither sees the other:
 * each has the tester's address of its own link as its peer.
 */
#ifndef CLI_MATRIX_PAIRING_H
#define CLI_MATRIX_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/matrix/exchange.h"
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

struct pairing;

/*
 * pairing_new makes a link between two ends, which are lent.
 * Errors: ERR_NOMEM.
 */
int pairing_new(struct pairing **ret, const struct pairing_conf *conf);
void pairing_free(struct pairing *p);

/*
 * pairing_run resets both ends and runs an exchange.  |capture| is the path of
 * a capture of both links, or NULL.
 * Return: 0 or an exit code after a message that begins with |who|.
 */
int pairing_run(struct pairing *p, const char *who, const struct exchange *e,
		const char *capture, struct pairing_result *ret);

#endif
