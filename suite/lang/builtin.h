/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/builtin.h -- the cases that the build embeds.
 */
#ifndef SUITE_LANG_BUILTIN_H
#define SUITE_LANG_BUILTIN_H

#include <stddef.h>

/* A file of cases/ with its path below that folder. */
struct case_file {
	const char *name; /* "uet/rud/send-gtd.lad"; NULL ends the list */
	const char *text; /* |len| bytes, and a NUL */
	size_t len;
};

/* generated/embedded.c, sorted by name */
extern const struct case_file embedded_cases[];

/* builtin_find returns the file with that name, or NULL. */
const struct case_file *builtin_find(const char *name);

/*
 * builtin_fragment_file returns the text of a file; NULL: there is none, and
 * *ret_path is the fragment with the most similar name.
 */
const char *builtin_fragment_file(const char *name, const char **ret_path);

/*
 * cases_builtin is a case_fragment_fn of the embedded fragments; |ctx| is not
 * used.
 */
const char *cases_builtin(void *ctx, const char *name, const char **ret_path);

#endif
