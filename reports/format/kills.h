/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/kills.h -- the kill matrix: which mutant fails which case,
 * under which requirements.
 *
 * tests/mutants/matrix.py measures it and writes it as JSON ("rung.kills/1"). A
 * device that fails is compared with its rows: a mutant that fails the same
 * cases for the same requirements has a bug of the same kind.
 */
#ifndef REPORTS_FORMAT_KILLS_H
#define REPORTS_FORMAT_KILLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "reports/result/summary.h"

/* A case that a mutant fails, and the rows that its findings name. */
struct kills_fail {
	unsigned test_case; /* index into cases */
	const unsigned *rows;
	size_t nrows;
	bool killed; /* the mutant's own row is among them */
};

struct kills_mutant {
	const char *name, *what;
	const char *violates; /* "RUD-SEQ-76/dst" */
	const struct kills_fail *fails;
	size_t nfails, nkills;
};

struct kills {
	struct arena arena;
	/* made of the killed-by lines: other kills and fails are not known */
	bool listed;
	const char **cases; /* sorted; cases that the reference passes */
	size_t ncases;
	const char **rows; /* "RUD-SEQ-76/dst" */
	size_t nrows;
	struct kills_mutant *mutants;
	size_t nmutants;
};

/*
 * kills_parse reads a matrix.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 * Owner:  kills_free.
 */
int kills_parse(struct kills **ret, const char *path, const char *text,
		size_t len, struct diag *diag);
void kills_free(struct kills *k);

/* The likeness of a mutant and a device. */
struct kills_like {
	const struct kills_mutant *mutant;
	double score;   /* Jaccard index: failed by both / failed by either */
	size_t both;    /* cases that both fail */
	size_t mine;    /* cases that the device fails */
	size_t mutants; /* cases that the mutant fails, of those that ran */
};

/*
 * kills_nearest ranks the mutants by likeness to the device of a run.  It
 * compares pairs of a case and a requirement that a finding names, without
 * remarks, among cases that ran here and are in the matrix.  The best come
 * first; mutants without a common pair are left out.
 *
 * Shape:  |ret| holds |size| entries.
 *
 * Return: the number filled, or ERR_NOMEM.
 */
int kills_nearest(const struct kills *k, const struct summary *s,
		  struct kills_like *ret, size_t size);

#endif
