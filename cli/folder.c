/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/bundle.h"
#include "cli/file.h"
#include "reports/casefiles.h"
#include "reports/pcapng.h"

int folder_probe(const char *dir)
{
	struct stat st;

	if (stat(dir, &st))
		return ERR_SYS;
	if (!S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return ERR_SYS;
	}
	return access(dir, W_OK | X_OK) ? ERR_SYS : 0;
}

/* Writes |t| as DIR/NAME and empties it. */
static int put(const char *dir, const char *name, struct text *t, int err)
{
	char path[FOLDER_NAME + 32];
	FILE *f;

	if (!err)
		err = text_err(t);
	if (err)
		return err;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	if (!f)
		return ERR_SYS;
	errno = 0;
	fwrite(text_cstr(t), 1, t->len, f);
	text_clear(t);
	return file_close(f);
}

static int put_all(const char *dir, const struct record *r,
		   const struct about *a, uint64_t epoch_ns, struct text *t)
{
	const struct pcapng_opts opts = {
		.frame = {.udp_port = a->decl->udp_port},
		.epoch_ns = epoch_ns,
	};
	int err;

	text_puts(t, r->kase->text);
	err = put(dir, "case.lad", t, 0);
	if (err)
		return err;
	casefile_ladder(t, r);
	err = put(dir, "ladder.txt", t, 0);
	if (err)
		return err;
	err = put(dir, "capture.pcapng", t, pcapng_report(t, r, a, &opts));
	if (err)
		return err;
	err = put(dir, "control.jsonl", t, casefile_control(t, r));
	if (err)
		return err;
	err = put(dir, "dut.json", t, casefile_decl(t, a->decl));
	if (err)
		return err;
	err = put(dir, "integrity.json", t, casefile_integrity(t, r));
	return err ? err : bundle_write(dir, r, a);
}

int folder_case(const char *dir, const struct record *r, const struct about *a,
		uint64_t epoch_ns, char *ret_capture)
{
	char name[256], path[FOLDER_NAME];
	struct text t = {0};
	int err;

	snprintf(name, sizeof(name), "cases/%s", r->id);
	if (r->repeat)
		snprintf(name + strlen(name), sizeof(name) - strlen(name),
			 ".%u", r->repeat + 1);
	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return ERR_SYS;
	}
	err = folder_make(path);
	if (!err)
		err = put_all(path, r, a, epoch_ns, &t);
	text_free(&t);
	if (!err)
		snprintf(ret_capture, FOLDER_NAME, "%s/capture.pcapng", name);
	return err;
}
