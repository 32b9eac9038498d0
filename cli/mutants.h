/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/mutants.h -- the mutants of the reference: what each breaks, and loading
 * one into the chair of the device.
 *
 * docs/mutants.md says how one is written.  Their heads are embedded; their
 * code is a shared object in mutants/ beside the folder of the program, or
 * where the package puts it.
 */
#ifndef CLI_MUTANTS_H
#define CLI_MUTANTS_H

#include <stddef.h>

#include "judge/req.h"
#include "reports/format/kills.h"

struct orc_api;

struct mutant {
	char name[64];
	char what[256];
	enum req_id id; /* what it violates, REQ_NONE if the head is wrong */
	enum req_role role;
	char killed_by[512]; /* words */
};

/*
 * mutant_at reads the head of the n-th mutant, in the order of their names.
 * Return: 0; ERR_VALUE there are no more.
 */
int mutant_at(size_t n, struct mutant *ret);

/*
 * mutant_load loads a mutant or a variant (cases/variants/) by its name, or the
 * shared object that a name with a slash is the path of; what is wrong is
 * printed after |who|.  It is never unloaded: one lives as long as the program.
 * Return: 0; EXIT_USAGE there is no such mutant or variant; EXIT_HARNESS.
 */
int mutant_load(const char *who, const char *name, const struct orc_api **ret);

/*
 * kills_load reads the kill matrix beside the mutants; *ret is NULL if there is
 * none.  Errors are printed after |who|.
 *
 * Return: 0 or an exit code.
 *
 * Owner:  the caller frees *ret with kills_free.
 */
int kills_load(const char *who, struct kills **ret);

#endif
