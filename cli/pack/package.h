/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/package.h -- an evidence package: the folder of a run with pack.json
 * and a statement.  'rung pack' writes them, 'rung verify' checks them.
 */
#ifndef CLI_PACK_PACKAGE_H
#define CLI_PACK_PACKAGE_H

#include "cli/file/manifest.h"
#include "cli/pack/pack_files.h"
#include "cli/pack/statement.h"

struct package {
	const char *who; /* prefix of messages */
	const char *out; /* the folder, as the user named it */
	int dir;         /* the open folder */
	const struct manifest *run;
	const char *key; /* file of a key, or NULL */
	/* filled in */
	struct pack_files listed;
	struct arena arena;
	size_t faults;           /* what package_check_* found */
	char signer[SHA256_HEX]; /* id of the key; "": no valid signature */
};

/*
 * package_write writes pack.json and the statement, which is signed if there is
 * a private key.  Earlier ones are replaced.
 * Return: 0 or an exit code after a message.
 */
int package_write(struct package *p, const struct statement_results *results);

/* package_is returns true if the folder has one of the files of a package. */
bool package_is(int dir);

/*
 * package_check_files compares each file with the list of pack.json, and
 * package_check_statement pack.json itself, the statement and the signature
 * with what the files and the verdicts give; |results| are those that were
 * computed again.  Each prints a line for each fault and counts it.
 * Return: 0 or an exit code after a message.
 */
int package_check_files(struct package *p);
int package_check_statement(struct package *p,
			    const struct statement_results *results);
void package_free(struct package *p);

#endif
