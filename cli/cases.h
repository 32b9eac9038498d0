/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cases.h -- where cases come from: the program itself, a folder, or a
 * file.
 *
 * The build embeds every file of cases/, so that the program needs no other
 * files. "--cases DIR" reads another tree instead, and a path that ends in
 * ".lad" adds one file.  A file holds a plain case.  It may also hold sections
 * for impaired networks, which are cases of their own.
 */
#ifndef CLI_CASES_H
#define CLI_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "suite/lang/builtin.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"

struct corpus;

/*
 * The wanted cases: those whose id a selector matches; without selectors, all.
 * For cases that |runs| rejects, and for all if |brief|, only the data that
 * case_brief() keeps is stored.
 */
struct corpus_want {
	char *const *selectors; /* ids and globs, with or without a chair */
	size_t n;
	bool brief;
	/* returns true for cases that will run; NULL: all */
	bool (*runs)(void *ctx, const struct test_case *k);
	void *ctx;
};

/*
 * corpus_new reads and parses the cases that are wanted, in the order of their
 * ids: the embedded ones, or those below |dir| if it is not NULL.  |want| NULL:
 * all cases; selectors that are paths match none.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_SYS with errno and diag->file;
 *         ERR_NOMEM.
 */
int corpus_new(struct corpus **ret, const char *dir,
	       const struct corpus_want *want, struct diag *diag);

/*
 * corpus_new_probes does the same for the stimuli of "rung probe", which are
 * written as cases: those of cases/probe/.
 */
int corpus_new_probes(struct corpus **ret, const char *dir, struct diag *diag);
void corpus_free(struct corpus *c);

/*
 * corpus_offer offers the id of every case file of the tree that the corpus
 * was made from, wanted or not, to a search for the most similar word.
 */
void corpus_offer(const struct corpus *c, struct near *near);

/*
 * corpus_has returns true if a selector that is no path selects a case of that
 * tree, wanted or not, or of an added file.  A tree that cannot be read again
 * counts as one that has it.
 */
bool corpus_has(const struct corpus *c, const char *selector);

/* corpus_count and corpus_at iterate over the cases. */
size_t corpus_count(const struct corpus *c);
const struct test_case *corpus_at(const struct corpus *c, size_t n);

/*
 * corpus_add_file reads one file and appends its cases, the plain one first; a
 * file that was added before is not read again.  The id of the plain case is
 * |as|.  If that is NULL, it is the path below the last folder named "cases",
 * or the file's name.  Fragments are searched in common/ beside the file, in
 * the folders above, and among the embedded ones.  The cases of the file are
 * the *ret_n ones from index *ret_first. Errors: as corpus_new.
 */
int corpus_add_file(struct corpus *c, const char *path, const char *as,
		    struct diag *diag, size_t *ret_first, size_t *ret_n);

#endif
