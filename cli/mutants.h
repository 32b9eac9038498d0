/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/mutants.h -- the mutants of the reference: the row that each violates,
 * and how one is loaded as the device.
 *
 * docs/mutants.md describes how to write one.  Their heads are embedded.  Their
 * code is a shared object in mutants/ beside the folder of the program, or in
 * the folder of the package.
 */
#ifndef CLI_MUTANTS_H
#define CLI_MUTANTS_H

#include <stddef.h>

#include "judge/req.h"
#include "reports/format/kills.h"
#include "reports/format/passes.h"

struct orc_api;

struct mutant {
	char name[64];
	char what[256];
	/* the row that it violates; REQ_NONE if the head is wrong */
	enum req_id id;
	enum req_role role;
	char killed_by[512]; /* names of cases, separated by blanks */
};

/*
 * mutant_at reads the head of the n-th mutant, in the order of their names.
 * Return: 0; ERR_VALUE if there are no more.
 */
int mutant_at(size_t n, struct mutant *ret);

/*
 * mutant_load loads a mutant or a variant (cases/variants/) by its name, or a
 * shared object by a path with a slash.  Error messages begin with |who|.  It
 * is never unloaded, since it is used as long as the program runs.
 * Return: 0; EXIT_USAGE if there is no such mutant or variant; EXIT_HARNESS.
 */
int mutant_load(const char *who, const char *name, const struct orc_api **ret);

/*
 * kills_load reads the kill matrix beside the mutants.  Without that file it
 * makes one of the killed-by lines of the embedded mutants, which the test of
 * the matrix holds true; kills->listed says so.  Errors are printed after
 * |who|.
 *
 * Return: 0 or an exit code.
 *
 * Owner:  the caller frees *ret with kills_free.
 */
int kills_load(const char *who, struct kills **ret);

/*
 * passes_load reads the pass matrix beside the variants, or sets *ret to NULL
 * if there is none.  Errors are printed after |who|.
 *
 * Return: 0 or an exit code.
 *
 * Owner:  the caller frees *ret with passes_free.
 */
int passes_load(const char *who, struct passes **ret);

#endif
