/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/builtin.c -- finds embedded cases and fragments by name.
 */
#include "suite/lang/builtin.h"

#include <stdio.h>
#include <string.h>

#include "suite/lang/lex/case_lex.h"

const struct case_file *builtin_find(const char *name)
{
	for (const struct case_file *f = embedded_cases; f->name; f++)
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
	for (const struct case_file *f = embedded_cases; f->name; f++)
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
