/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix.h -- every endpoint against every other one, as initiator
 * and as target.
 *
 * A cell that fails is run again with the reference in the place of each end,
 * which tells the side that is wrong, and each fault gets the shortest exchange
 * that shows it.  docs/matrix.md describes the command.
 */
#ifndef CLI_MATRIX_MATRIX_H
#define CLI_MATRIX_MATRIX_H

#include "cli/matrix/matrix_end.h"

#define MATRIX_ENDS 64

enum matrix_verdict {
	MATRIX_NOT_RUN,
	MATRIX_PASS,
	MATRIX_FAIL,
	MATRIX_NA,
	MATRIX_INCONCLUSIVE,
};

/* Which of the two ends is wrong. */
enum matrix_blame {
	MATRIX_BLAME_INITIATOR,
	MATRIX_BLAME_TARGET,
	MATRIX_BLAME_EITHER, /* both fail with the reference, or neither */
};

struct matrix_fault {
	struct pairing_fault fault;
	enum matrix_blame blame;
	bool alone; /* the blamed end also fails with the reference */
	struct exchange exchange; /* the shortest that shows it */
	uint64_t packets;         /* of that exchange */
	char capture[64];         /* its capture in the folder, or "" */
};

struct matrix_cell {
	enum family family;
	size_t ends[2]; /* numbers of the initiator and the target */
	enum matrix_verdict verdict;
	char why[200]; /* not applicable, inconclusive: the reason */
	size_t exchanges, doubtful, operations;
	uint64_t packets;
	struct matrix_fault *faults;
	size_t n;
};

struct matrix {
	const char *who;
	struct matrix_end *ends;
	size_t nends;
	struct matrix_end reference;
	bool live, quiet;
	uint64_t seed;
	const char *out; /* folder of captures, or NULL */
	const volatile bool *stop;
	unsigned families; /* bits of enum family */
	struct matrix_cell *cells;
	size_t ncells, captures;
};

/*
 * matrix_run runs all cells.
 * Return: 0 or an exit code after a message.
 * Owner:  matrix_free frees the cells, also after a failure.
 */
int matrix_run(struct matrix *m);
void matrix_free(struct matrix *m);

/* matrix_cell_run runs one cell, whose family and ends are set. */
int matrix_cell_run(struct matrix *m, struct matrix_cell *cell);

/* matrix_verdict_name returns "pass", "fail", "na" or "inconclusive". */
const char *matrix_verdict_name(enum matrix_verdict v);

/* matrix_blamed returns the name of the end that a fault blames. */
const char *matrix_blamed(const struct matrix *m, const struct matrix_cell *c,
			  const struct matrix_fault *f);

/* matrix_fault_req appends "RUD-SEQ-84b/src", or "no requirement". */
void matrix_fault_req(struct text *t, const struct matrix_fault *f);

#endif
