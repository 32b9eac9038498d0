/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/report.c -- libFuzzer target: the folder of --out as rung report and
 * rung replay read it: run.json, stream.jsonl, and one result.
 *
 * A line "=== NAME" begins a file.  The reports are written for real, in a
 * folder of the target's own, so the program runs with -close_fd_mask=3.
 */
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd/commands.h"
#include "cli/file/bundle.h"
#include "fuzz/text.h"

#define CASE "cases/uet/rud/send-gtd@target"

static char folder[64];

/* The names in the folder of an input's files. */
static const char *const files[] = {
	"run.json",
	"stream.jsonl",
	CASE "/record.jsonl",
	CASE "/replay.json",
};

static int fuzz_report_drop(const char *path, const struct stat *st, int type,
			    struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void drop_all(void)
{
	nftw(folder, fuzz_report_drop, 8, FTW_DEPTH | FTW_PHYS);
}

static void fuzz_report_make(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	CHECK(!mkdir(path, 0777));
}

static void make_folder(void)
{
	const char *at = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

	snprintf(folder, sizeof(folder), "%s/rung-fuzz-XXXXXX", at);
	CHECK(mkdtemp(folder));
	atexit(drop_all);
	fuzz_report_make("cases");
	fuzz_report_make("cases/uet");
	fuzz_report_make("cases/uet/rud");
	fuzz_report_make(CASE);
}

static void fuzz_report_put(const char *name, const char *text, size_t len)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
	if (!text)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	CHECK(fd >= 0 && write(fd, text, len) == (ssize_t)len);
	close(fd);
}

/* Returns the part of the input that is file |name|; NULL if it has none. */
static const char *fuzz_report_part(const char *text, const char *name,
				    size_t *ret_len)
{
	const char *base = strrchr(name, '/'), *at, *end;
	char head[64];

	snprintf(head, sizeof(head), "=== %s\n", base ? base + 1 : name);
	at = strstr(text, head);
	if (!at)
		return NULL;
	at += strlen(head);
	end = strstr(at, "=== ");
	if (end)
		*ret_len = (size_t)(end - at);
	else
		*ret_len = strlen(at);
	return at;
}

static void fuzz_report_replay(void)
{
	struct arena a = {0};
	struct bundle b;
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, CASE);
	bundle_read("fuzz", path, &a, &b);
	arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char command[] = "rung report", quiet[] = "-q";
	char *args[] = {command, quiet, folder, NULL};
	char *text = fuzz_text_of(data, size);
	size_t len = 0;

	if (!text)
		return 0;
	if (!*folder)
		make_folder();
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *p = fuzz_report_part(text, files[i], &len);

		fuzz_report_put(files[i], p, len);
	}
	optind = 0;
	command_report.run(3, args);
	fuzz_report_replay();
	free(text);
	return 0;
}
