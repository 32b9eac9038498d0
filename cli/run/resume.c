/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/resume.c -- opens the folder of an earlier run, compares its manifest
 * with the new run, and recalls its results.
 *
 * A result that cannot be read, or that an interrupt ended, is not recalled,
 * and its case runs again.
 */
#include "cli/run/resume.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/folder.h"
#include "cli/file/folder_read.h"
#include "cli/run/output.h"

int resume_open(struct resume *ret, const char *who, const char *out)
{
	bool none = true;
	int code;

	*ret = (struct resume){.who = who, .out = out, .dir = -1};
	if (folder_make(out) || folder_open(out, &ret->dir)) {
		ret->dir = -1;
		return output_folder_error(who, out);
	}
	code = manifest_read(who, ret->dir, out, &ret->manifest, &none);
	if (code)
		return code;
	ret->on = !none;
	if (none) {
		fprintf(stderr,
			"%s: --resume: %s: no run has begun there; this one "
			"starts from the beginning\n",
			who, out);
		folder_close(ret->dir);
		ret->dir = -1;
	}
	return 0;
}

void resume_free(struct resume *r)
{
	folder_close(r->dir);
	r->dir = -1;
	manifest_free(&r->manifest);
}

int resume_check(const struct resume *r, const struct manifest_conf *now)
{
	struct text t = {0};
	int code = 0;

	if (manifest_differs(&t, &r->manifest, now)) {
		fprintf(stderr,
			"%s: --resume: %s: this is not the same run: %s\n",
			r->who, r->out, text_cstr(&t));
		code = EXIT_USAGE;
	}
	text_free(&t);
	return code;
}

bool resume_recall(const struct resume *r, int dir, const char *id,
		   uint32_t repeat, struct record *ret)
{
	struct diag diag = {0};
	int err = folder_recall(dir, r->manifest.about.run, id, repeat, ret,
				&diag);

	if (!err && reason_unfinished(ret->reason_id)) {
		record_free(ret);
		return false;
	}
	if (!err && !*diag.text)
		return true;
	if (err == ERR_NOMEM)
		cli_nomem(r->who);
	else if (err != ERR_SYS)
		fprintf(stderr,
			"%s: --resume: %s/%s:%u: %s; the case runs again\n",
			r->who, r->out, diag.file, diag.line, diag.text);
	record_free(ret);
	return false;
}
