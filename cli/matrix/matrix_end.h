/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix_end.h -- the endpoints of a matrix, and two of them made
 * ready for an exchange.
 */
#ifndef CLI_MATRIX_MATRIX_END_H
#define CLI_MATRIX_MATRIX_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/lab/bench_run.h"
#include "cli/matrix/pairing.h"
#include "cli/run/dut_setup.h"
#include "cli/variants.h"

/* An endpoint: a bench, or the reference with variants or a mutant. */
struct matrix_end {
	const char *name;       /* as given by the user */
	const char *names;      /* of variants or a mutant; NULL: none */
	struct bench_run bench; /* bench.name is NULL if it is no bench */
	bool begun;             /* the bench is acquired */
	struct dut_setup_conf setup;
	struct variants variants;
	struct decl *decl; /* its own declaration */
};

/*
 * matrix_end_read reads "reference", "NAME+NAME..." (variants or a mutant) or
 * "bench:NAME" of the bench file |benches| (NULL: bench.yaml).  matrix_end_free
 * frees *ret also after a failure.
 * Return: 0 or an exit code after a message.
 */
int matrix_end_read(const char *who, const char *name, const char *benches,
		    bool live, struct matrix_end *ret);
void matrix_end_free(struct matrix_end *e);

/* matrix_end_live returns true if the end cannot be in virtual time. */
bool matrix_end_live(const struct matrix_end *e);

/* Two ends that are ready. */
struct matrix_pair {
	struct decl *decl[2];
	struct dut *dut[2];
	struct pairing *pairing;
	char why[160]; /* the ends do not fit together; "" otherwise */
};

struct matrix_pair_conf {
	const char *who;
	const struct matrix_end *end[2]; /* the initiator and the target */
	enum family family;
	bool live; /* over UDP, not in virtual time */
	uint64_t seed;
	const volatile bool *stop;
};

/*
 * matrix_pair_open makes both ends.  The reference and its variants take the
 * ids and sizes of the other end, where they declare none of their own.
 * matrix_pair_close frees *ret also after a failure.
 * Return: 0 or an exit code after a message; 0 with ret->why if the two ends
 *         are configured so that they cannot exchange anything.
 */
int matrix_pair_open(const struct matrix_pair_conf *conf,
		     struct matrix_pair *ret);
void matrix_pair_close(struct matrix_pair *p);

#endif
