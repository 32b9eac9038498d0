/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder_read.c -- reads results back from the folder of --out. Other
 * programs may have changed it: no link is followed and no pipe is waited for.
 */
#include "cli/file/folder_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/file/file.h"
#include "cli/file/folder.h"
#include "reports/result/record_file.h"
#include "reports/result/record_read.h"

#define RECORD "record.jsonl"

/* Opens a regular file.  Return: its descriptor, or -1 with errno. */
static int open_regular(int dir, const char *name, struct stat *ret)
{
	int fd = openat(dir, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int kept;

	if (fd < 0)
		return -1;
	if (!fstat(fd, ret) && S_ISREG(ret->st_mode) &&
	    (uint64_t)ret->st_size <= FILE_RESULTS)
		return fd;
	if (S_ISREG(ret->st_mode))
		kept = EFBIG;
	else
		kept = EINVAL;
	close(fd);
	errno = kept;
	return -1;
}

/* Reads up to |size| bytes, fewer where the file ends.  Return: -1 on errors.
 */
static ssize_t read_whole(int fd, char *to, size_t size)
{
	size_t n = 0;

	while (n < size) {
		const ssize_t got = read(fd, to + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

int folder_read(struct arena *a, int dir, const char *name, const char **ret,
		size_t *ret_len)
{
	struct stat st = {0};
	int fd = open_regular(dir, name, &st), kept;
	ssize_t n;
	char *s;

	if (fd < 0)
		return ERR_SYS;
	s = arena_alloc(a, (size_t)st.st_size + 1);
	n = -1;
	if (s)
		n = read_whole(fd, s, (size_t)st.st_size);
	kept = errno;
	close(fd);
	errno = kept;
	if (!s)
		return ERR_NOMEM;
	if (n < 0)
		return ERR_SYS;
	*ret = s;
	*ret_len = (size_t)n;
	return 0;
}

int folder_below(int dir, const char *path)
{
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0), next, kept;
	char part[256];

	while (at >= 0 && *path) {
		const size_t n = strcspn(path, "/");

		if (n == 0 || n >= sizeof(part)) {
			close(at);
			errno = ENOENT;
			return -1;
		}
		memcpy(part, path, n);
		part[n] = 0;
		next = openat(at, part,
			      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		kept = errno;
		close(at);
		errno = kept;
		at = next;
		path += n + (path[n] == '/');
	}
	return at;
}

/* Reports the other files of the result that are missing or changed. */
static void recall_parts(int at, const char *place,
			 const struct record_about *about, struct diag *diag)
{
	for (size_t i = 0; i < about->nparts; i++) {
		const struct record_part *p = &about->parts[i];
		char path[FOLDER_NAME];
		struct stat st;

		if (strchr(p->name, '/') || strcmp(p->name, RECORD) == 0)
			continue;
		snprintf(path, sizeof(path), "%.300s/%.60s", place, p->name);
		if (fstatat(at, p->name, &st, AT_SYMLINK_NOFOLLOW))
			diag_set(diag, path, 0, 0, NULL, "%s", strerror(errno));
		else if ((uint64_t)st.st_size != p->size)
			diag_set(diag, path, 0, 0, NULL,
				 "it has %llu bytes and was written with %llu",
				 (unsigned long long)st.st_size,
				 (unsigned long long)p->size);
	}
}

/* Returns an error unless the record is the expected one for this place. */
static int recall_check(const struct record *r,
			const struct record_about *about, const char *run,
			const char *id, uint32_t repeat, const char *path,
			struct diag *diag)
{
	if (strcmp(about->run, run) != 0)
		return diag_set(diag, path, 1, 0, NULL,
				"it is of another run, %.40s", about->run);
	if (strcmp(r->id, id) != 0 || r->repeat != repeat)
		return diag_set(diag, path, 1, 0, NULL,
				"it is of another case, %.100s", r->id);
	return 0;
}

int folder_recall(int dir, const char *run, const char *id, uint32_t repeat,
		  struct record *ret, struct diag *diag)
{
	struct record_about about = {0};
	struct arena a = {0};
	char place[FOLDER_NAME], path[FOLDER_NAME];
	const char *text;
	size_t len;
	int at, err;

	folder_place(id, repeat, place);
	snprintf(path, sizeof(path), "%.300s/" RECORD, place);
	at = folder_below(dir, place);
	if (at < 0 && errno == ENOENT)
		return ERR_SYS;
	if (at < 0)
		return diag_set(diag, place, 0, 0, NULL, "%s", strerror(errno));
	err = folder_read(&a, at, RECORD, &text, &len);
	if (err == ERR_SYS)
		err = diag_set(diag, path, 0, 0, NULL, "%s",
			       errno == EINVAL ? "it is no regular file"
					       : strerror(errno));
	if (!err)
		err = record_file_parse(ret, &about, path, text, len, diag);
	if (!err)
		err = recall_check(ret, &about, run, id, repeat, path, diag);
	if (!err)
		recall_parts(at, place, &about, diag);
	close(at);
	arena_free(&a);
	return err;
}
