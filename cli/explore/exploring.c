/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/exploring.c -- tells the time of an exploration, and writes its
 * JSON file.
 */
#include "cli/explore/exploring.h"

#include "base/text.h"
#include "cli/cli.h"
#include "cli/file/atomic_file.h"
#include "reports/format/json.h"

double exploring_elapsed(const struct exploring *e)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - e->began.tv_sec) +
	       (double)(now.tv_nsec - e->began.tv_nsec) * 1e-9;
}

int exploring_write_json(const struct exploring *e, json_t *o)
{
	struct text t = {0};
	int code = 0;

	if (json_text(&t, o, 0))
		code = cli_nomem(e->who);
	else if (atomic_write(e->json, text_cstr(&t), t.len))
		code = cli_sys(e->who, e->json);
	text_free(&t);
	return code;
}
