/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/pack_manifest.h -- pack.json, "rung.pack/1": what a package holds
 * and how it came about.  docs/pack.schema.json describes it.
 *
 * It follows from the files of the run alone, without a date of its own, so
 * that 'rung verify' can write it again and compare.
 */
#ifndef CLI_PACK_PACK_MANIFEST_H
#define CLI_PACK_PACK_MANIFEST_H

#include "base/diag.h"
#include "cli/file/manifest.h"
#include "cli/pack/pack_files.h"
#include "cli/pack/statement.h"

/*
 * pack_manifest_print appends pack.json: the commit, the declaration, the
 * selection, the environment, the bench, the clock, the number of results by
 * verdict, and the files.
 * Errors: ERR_NOMEM.
 */
int pack_manifest_print(struct text *t, const struct manifest *run,
			const struct pack_files *files,
			const struct statement_results *results);

/*
 * pack_manifest_parse reads the list of files back.
 *
 * Owner:  pack_files_free, also after an error.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 */
int pack_manifest_parse(struct pack_files *ret, const char *path,
			const char *text, size_t len, struct diag *diag);

#endif
