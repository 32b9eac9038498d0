/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/results_file.c -- reads the results of a run, by its folder or by
 * the file itself.
 */
#include "cli/file/results_file.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/file.h"

int results_load(const char *who, const char *name, struct results **ret)
{
	struct arena a = {0};
	struct diag diag = {0};
	struct stat st;
	char path[4096];
	const char *text, *file = "";
	size_t len;
	int err;

	if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		file = "/results.json";
	snprintf(path, sizeof(path), "%s%s", name, file);
	err = file_read_most(&a, path, FILE_RESULTS, &text, &len);
	if (err == ERR_SYS) {
		cli_sys(who, path);
		return EXIT_USAGE;
	}
	if (!err)
		err = results_parse(ret, path, text, len, &diag);
	arena_free(&a);
	if (err)
		return cli_bad_text(who, err, &diag);
	return 0;
}
