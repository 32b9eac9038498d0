/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cases.h -- where cases come from: the program itself, a folder, a file.
 *
 * The build embeds every file of cases/, so that the program needs nothing
 * beside it.  "--cases DIR" reads another tree in its place, and a path that
 * ends in ".lad" reads one file more.  A file holds a plain case, and may hold
 * sections for impaired networks, which are cases of their own.
 */
#ifndef CLI_CASES_H
#define CLI_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"

/* A file of cases/ with its path below that folder. */
struct case_file {
	const char *name; /* "uet/rud/send-gtd.lad"; NULL ends the list */
	const char *text; /* |len| bytes and a NUL */
	size_t len;
};

/* generated/embedded.c, sorted by name */
extern const struct case_file embedded_cases[];

struct corpus;

/*
 * Which cases are wanted: those whose id a selector matches; none: all.  Of
 * those that |runs| refuses, and of all if |brief|, only what case_brief()
 * keeps is held in memory.
 */
struct corpus_want {
	char *const *selectors; /* ids and globs, with a chair or without */
	size_t n;
	bool brief;
	bool (*runs)(void *ctx, const struct test_case *k); /* NULL: all may */
	void *ctx;
};

/*
 * corpus_new reads and parses the cases that are wanted, in the order of their
 * ids: the embedded ones, or those below |dir| if it is not NULL.  |want| NULL
 * is all of them; selectors that are paths match none.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_SYS with errno and diag->file;
 *         ERR_NOMEM.
 */
int corpus_new(struct corpus **ret, const char *dir,
	       const struct corpus_want *want, struct diag *diag);

/*
 * corpus_new_probes likewise reads the stimuli of "rung probe", which are
 * written as cases: those of cases/probe/.
 */
int corpus_new_probes(struct corpus **ret, const char *dir, struct diag *diag);
void corpus_free(struct corpus *c);

/*
 * corpus_offer offers the id of every case file of the tree that the corpus
 * was made from, wanted or not, to a search for the most similar word.
 */
void corpus_offer(const struct corpus *c, struct near *near);

/* corpus_count and corpus_at walk the cases. */
size_t corpus_count(const struct corpus *c);
const struct test_case *corpus_at(const struct corpus *c, size_t n);

/*
 * corpus_add_file reads one file and appends its cases, the plain one first; a
 * file that is there already is not read again.  The id of the plain case is
 * |as|; if that is NULL, its path below the last folder "cases" on the way,
 * else its name.  Fragments are looked for in common/ beside it, in the folders
 * above, and among the embedded ones.  *ret_n cases from *ret_first on are
 * those of the file. Errors: as corpus_new.
 */
int corpus_add_file(struct corpus *c, const char *path, const char *as,
		    struct diag *diag, size_t *ret_first, size_t *ret_n);

#endif
