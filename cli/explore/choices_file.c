/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/choices_file.c -- a log of choices as a file.
 */
#include "cli/explore/choices_file.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/file.h"

#define CHOICES_HEAD "# rung explore: a log of choices\n"

void choices_file_print(const struct choices *c, struct text *ret)
{
	text_puts(ret, CHOICES_HEAD);
	choices_print(c, ret);
	text_puts(ret, "\n");
}

int choices_file_read(const char *who, const char *path, struct choices *ret)
{
	struct arena a = {0};
	const char *text;
	char *line;
	size_t len;
	int code = 0, err = file_read(&a, path, &text, &len);

	if (err == ERR_SYS) {
		cli_sys(who, path);
		code = EXIT_USAGE;
	} else if (err) {
		code = cli_nomem(who);
	} else if (strncmp(text, CHOICES_HEAD, strlen(CHOICES_HEAD)) != 0) {
		code = cli_usage(who, "%s is not a log of choices", path);
	} else {
		text += strlen(CHOICES_HEAD);
		line = arena_strndup(&a, text, strcspn(text, "\n"));
		if (!line)
			code = cli_nomem(who);
		else if (choices_parse(ret, line))
			code = cli_usage(who, "%s: numbers are expected", path);
	}
	arena_free(&a);
	return code;
}
