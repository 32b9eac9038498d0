/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/builtin.h -- the cases that the build embeds.
 */
#ifndef SUITE_LANG_BUILTIN_H
#define SUITE_LANG_BUILTIN_H

#include <stddef.h>
#include <stdint.h>

/* A file of cases/ with its path below that folder. */
struct case_file {
	const char *name; /* "uet/rud/send-gtd.lad"; NULL ends the list */
	const char *text; /* |len| bytes, and a NUL */
	size_t len;
};

/*
 * builtin_files returns all files, sorted by name.  The first call unpacks
 * their texts, which takes a few milliseconds.  Several threads may call it.
 */
const struct case_file *builtin_files(void);

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

/* generated/embedded.c, which builtin_files reads */
extern const struct case_file embedded_files[];
extern uint8_t embedded_packed[]; /* raw deflate, RFC 1951 */
extern const size_t embedded_packed_len;
extern char embedded_texts[]; /* unpacked */
extern const size_t embedded_texts_len;

#endif
