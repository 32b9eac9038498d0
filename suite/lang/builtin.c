/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/builtin.c -- finds embedded cases and fragments by name.
 */
#include "suite/lang/builtin.h"

#include <isa-l/igzip_lib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/lang/lex/case_lex.h"

static void unpack_files(void)
{
	static struct inflate_state z;

	isal_inflate_init(&z);
	z.next_in = embedded_packed;
	z.avail_in = (uint32_t)embedded_packed_len;
	z.next_out = (uint8_t *)embedded_texts;
	z.avail_out = (uint32_t)embedded_texts_len;
	if (isal_inflate_stateless(&z) != ISAL_DECOMP_OK || z.avail_out)
		abort(); /* the program itself is damaged */
}

const struct case_file *builtin_files(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, unpack_files);
	return embedded_files;
}

const struct case_file *builtin_find(const char *name)
{
	for (const struct case_file *f = builtin_files(); f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

const char *builtin_fragment_file(const char *name, const char **ret_path)
{
	const struct case_file *found = builtin_find(name);
	struct near similar;

	if (found) {
		*ret_path = found->name;
		return found->text;
	}
	near_init(&similar, (struct word){name, strlen(name)});
	for (const struct case_file *f = builtin_files(); f->name; f++)
		if (!strncmp(f->name, "common/", 7))
			near_offer(&similar, f->name);
	*ret_path = similar.best;
	return NULL;
}

const char *cases_builtin(void *ctx, const char *name, const char **ret_path)
{
	char file[256];

	(void)ctx;
	snprintf(file, sizeof(file), "common/%s.lad", name);
	return builtin_fragment_file(file, ret_path);
}
