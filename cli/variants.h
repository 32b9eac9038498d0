/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/variants.h -- devices other than the reference: one mutant, one variant,
 * or several of them combined.
 *
 * A variant (cases/variants/NAME.var) has settings of the reference, lines of
 * its declaration, and perhaps one different file of the oracle, which is a
 * shared object like that of a mutant.  docs/mutants.md describes the format.
 */
#ifndef CLI_VARIANTS_H
#define CLI_VARIANTS_H

#include "base/text.h"
#include "oracle/oracle.h"

#define VARIANTS_TEXT 8192

struct variants {
	/* functions of the reference, or of a shared object */
	const struct orc_api *api;
	bool mutant; /* |api| may crash or loop: a mutant's, or unknown */
	char sets[VARIANTS_TEXT];     /* lines "NAME VALUE" (oracle settings) */
	char declares[VARIANTS_TEXT]; /* lines of a declaration */
	char without[VARIANTS_TEXT];  /* claims that it lacks, a line each */
};

/* The plain reference. */
extern const struct variants variants_none;

/*
 * variants_load loads "NAME+NAME...": each NAME is a variant, a mutant, the
 * path of a .var file, or the path of a shared object; NULL is the plain
 * reference.  At most one of them may have a shared object.  Error messages
 * begin with |who|.
 * Return: 0; EXIT_USAGE if there is no such variant or mutant, or if two of
 *         them
 *         exclude each other; EXIT_HARNESS.
 */
int variants_load(const char *who, const char *names, struct variants *ret);

/*
 * variants_conf applies the settings of the variants.
 * Return: 0; EXIT_USAGE after a message: a setting does not have such a value.
 */
int variants_conf(const char *who, const struct variants *v,
		  struct orc_conf *conf);

/*
 * variants_decl appends the declaration |base| to |t|; the variants' lines
 * replace lines with the same subject, and claims that they lack are left out.
 */
void variants_decl(const struct variants *v, const char *base, struct text *t);

#endif
