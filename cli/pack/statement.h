/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/statement.h -- the statement of a package: an in-toto statement v1
 * with the predicate "test-result" v0.1 (github.com/in-toto/attestation).
 *
 * Its subject is pack.json, which has the digest of every other file.
 */
#ifndef CLI_PACK_STATEMENT_H
#define CLI_PACK_STATEMENT_H

#include <jansson.h>

#include "base/text.h"
#include "cli/file/manifest.h"
#include "suite/verdict/verdict.h"

/* The results by verdict.  Zero-initialise. */
struct statement_results {
	size_t n[VERDICT_COUNT];
	json_t *passed, *warned, *failed; /* ids; n/a is in none of them */
};

/*
 * statement_take enters a result.  A repetition is "ID.2" and so on, as its
 * folder.  Errors: ERR_NOMEM.
 */
int statement_take(struct statement_results *r, const char *id, uint32_t repeat,
		   enum verdict verdict);
void statement_results_free(struct statement_results *r);

/*
 * statement_print appends the statement.  |pack| is the text of pack.json.  A
 * fail makes the result FAILED; else a case without a verdict (inconclusive,
 * error) makes it WARNED.
 * Errors: ERR_NOMEM.
 */
int statement_print(struct text *t, const struct manifest *run,
		    const struct text *pack, const struct statement_results *r);

#endif
