/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/variants.h -- other devices than the reference: one mutant, variants, or
 * several of them at once.
 *
 * A variant (cases/variants/NAME.var) has settings of the reference, lines of
 * its declaration, and perhaps one file of the oracle that differs, which is a
 * shared object like that of a mutant.  docs/mutants.md has the format.
 */
#ifndef CLI_VARIANTS_H
#define CLI_VARIANTS_H

#include "base/text.h"
#include "oracle/oracle.h"

#define VARIANTS_TEXT 8192

struct variants {
	const struct orc_api *api;    /* the reference, or a shared object's */
	char sets[VARIANTS_TEXT];     /* lines "NAME VALUE" (setting.h) */
	char declares[VARIANTS_TEXT]; /* lines of a declaration */
};

/* The plain reference. */
extern const struct variants variants_none;

/*
 * variants_load reads "NAME+NAME...", each a variant, a mutant, the path of a
 * .var file, or the path of a shared object; NULL is the plain reference.  At
 * most one of them may have a shared object.  What is wrong is printed after
 * |who|.
 * Return: 0; EXIT_USAGE there is no such variant or mutant, or two of them do
 *         not go together; EXIT_HARNESS.
 */
int variants_load(const char *who, const char *names, struct variants *ret);

/*
 * variants_conf sets what the variants set.
 * Return: 0; EXIT_USAGE after a message: a setting has no such value.
 */
int variants_conf(const char *who, const struct variants *v,
		  struct orc_conf *conf);

/*
 * variants_decl appends the declaration |base| to |t|, with the variants' lines
 * in the place of those that say the same.
 */
void variants_decl(const struct variants *v, const char *base, struct text *t);

#endif
