/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/baseline_file.c -- reads a baseline, whose entries end on a day.
 */
#include "cli/history/baseline_file.h"

#include <time.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/file.h"

int baseline_file_read(const char *who, const char *path, struct baseline **ret)
{
	struct arena a = {0};
	struct diag diag = {0};
	const char *text;
	char today[16];
	size_t len;
	time_t now = time(NULL);
	struct tm tm;
	int err;

	if (!path)
		return 0;
	gmtime_r(&now, &tm);
	strftime(today, sizeof(today), "%Y-%m-%d", &tm);
	err = file_read(&a, path, &text, &len);
	if (err == ERR_SYS) {
		cli_sys(who, path);
		return EXIT_USAGE;
	}
	if (!err)
		err = baseline_parse(ret, path, text, len, today, &diag);
	arena_free(&a);
	return err ? cli_bad_text(who, err, &diag) : 0;
}
