/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/choices_file.c -- a log of choices as a file.
 */
#include "cli/explore/choices_file.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/file.h"

#define CHOICES_HEAD "# rung explore: a log of choices\n"

void choices_file_print(const struct choices *c, uint64_t seed, uint64_t run,
			struct text *ret)
{
	text_puts(ret, CHOICES_HEAD);
	text_printf(ret, "# seed %" PRIu64 ", sequence %" PRIu64 "\n", seed,
		    run);
	choices_print(c, ret);
	text_puts(ret, "\n");
}

/* Returns the bytes of the comments at the beginning of a text. */
static size_t choices_file_comments(const char *text)
{
	const char *s = text, *end;

	while (*s == '#' && (end = strchr(s, '\n')))
		s = end + 1;
	return (size_t)(s - text);
}

/*
 * Reads the line of numbers behind the comments.  A shorter log is the log of
 * another sequence, so a file that lacks its end is refused.
 */
static int choices_file_line(const char *who, const char *path, struct arena *a,
			     const char *text, size_t len, struct choices *ret)
{
	const char *end = strchr(text, '\n');
	char *line;

	if (!end)
		return cli_usage(who,
				 "%s is truncated: its last line does not "
				 "end",
				 path);
	if ((size_t)(end + 1 - text) != len)
		return cli_usage(who, "%s: one line of numbers is expected",
				 path);
	line = arena_strndup(a, text, (size_t)(end - text));
	if (!line)
		return cli_nomem(who);
	if (choices_parse(ret, line))
		return cli_usage(who,
				 "%s: 1 to %d numbers below 2^32 are expected, "
				 "with commas between them",
				 path, CHOICES_MAX);
	return 0;
}

int choices_file_read(const char *who, const char *path, struct choices *ret)
{
	struct arena a = {0};
	const char *text;
	size_t len, head = strlen(CHOICES_HEAD);
	int code, err = file_read(&a, path, &text, &len);

	if (err == ERR_SYS) {
		cli_sys(who, path);
		code = EXIT_USAGE;
	} else if (err) {
		code = cli_nomem(who);
	} else if (strncmp(text, CHOICES_HEAD, head) != 0) {
		code = cli_usage(who, "%s is not a log of choices", path);
	} else {
		head += choices_file_comments(text + head);
		code = choices_file_line(who, path, &a, text + head, len - head,
					 ret);
	}
	arena_free(&a);
	return code;
}
