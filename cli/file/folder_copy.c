/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder_copy.c -- copies the files of a result, and enters the id of
 * the new run in those that name their run.
 *
 * An id is replaced by one of the same length: the record lists the sizes of
 * the files beside it.
 */
#include "cli/file/folder_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "cli/file/folder.h"
#include "cli/file/folder_put.h"
#include "cli/file/folder_read.h"

#define OPEN_DIR (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define COMMON   "common" /* fragments of the case, cli/file/bundle.h */

/* The result to copy. */
struct folder_source {
	int dir;         /* its open folder */
	const char *was; /* the id of its run, 32 digits */
	const char *run; /* the id of the run that the copy belongs to */
};

/* Enters the new id in the text of a file that names its run. */
static void copy_rename(char *s, const char *name,
			const struct folder_source *from)
{
	char *at = NULL;

	if (!strcmp(name, "record.jsonl") || !strcmp(name, "replay.json"))
		at = strstr(s, from->was);
	if (at && strlen(from->was) == strlen(from->run))
		memcpy(at, from->run, strlen(from->run));
}

/* Copies the file |name| from the folder |at| to the folder |to|. */
static int copy_file(int at, int to, const char *name,
		     const struct folder_source *from)
{
	struct arena a = {0};
	const char *text;
	char *copy = NULL;
	size_t len;
	int err = folder_read(&a, at, name, &text, &len);

	if (!err) {
		copy = arena_strndup(&a, text, len);
		err = copy ? 0 : ERR_NOMEM;
	}
	if (!err) {
		copy_rename(copy, name, from);
		err = folder_put(to, name, copy, len);
	}
	arena_free(&a);
	return err;
}

/* Copies one entry of the folder |at|; the folder COMMON comes later. */
static int copy_entry(int at, int to, const char *name,
		      const struct folder_source *from)
{
	struct stat st;

	if (!strcmp(name, ".") || !strcmp(name, "..") || !strcmp(name, COMMON))
		return 0;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW))
		return ERR_SYS;
	if (S_ISREG(st.st_mode))
		return copy_file(at, to, name, from);
	errno = ENOTSUP;
	return ERR_SYS;
}

static int copy_entries(int at, int to, const struct folder_source *from)
{
	const int fd = openat(at, ".", OPEN_DIR);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;
	int err = 0, kept;

	if (fd >= 0 && !d)
		close(fd);
	if (!d)
		return ERR_SYS;
	while (!err && (e = readdir(d)))
		err = copy_entry(at, to, e->d_name, from);
	kept = errno;
	closedir(d);
	errno = kept;
	return err;
}

/* Fills the folder |dir| with the files of a result. */
static int copy_result(int dir, void *ctx)
{
	const struct folder_source *from = ctx;
	int err = copy_entries(from->dir, dir, from), at, to, kept;

	if (err)
		return err;
	at = openat(from->dir, COMMON, OPEN_DIR);
	if (at < 0)
		return errno == ENOENT ? 0 : ERR_SYS;
	err = folder_sub(dir, COMMON, &to);
	if (!err) {
		err = copy_entries(at, to, from);
		kept = errno;
		close(to);
		errno = kept;
	}
	kept = errno;
	close(at);
	errno = kept;
	return err;
}

int folder_copy(int from, int to, const char *id, uint32_t repeat,
		const char *was, const char *run)
{
	struct folder_source source = {.was = was, .run = run};
	char path[FOLDER_NAME];
	int err, kept;

	folder_place(id, repeat, path);
	source.dir = folder_below(from, path);
	if (source.dir < 0)
		return ERR_SYS;
	err = folder_result(to, path, copy_result, &source);
	kept = errno;
	close(source.dir);
	errno = kept;
	return err;
}
