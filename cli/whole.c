/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/whole.c -- files that get their name only when they are whole: a hidden
 * file, fsync, rename.
 */
#include "cli/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

#define TRIES 100 /* names for the hidden file */

/* Splits a path into its folder, which is opened, and its last part. */
static int open_folder(const char *path, int *ret, char name[WHOLE_NAME])
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	char folder[PATH_MAX];
	size_t n = slash ? (size_t)(last - path) : 0;

	if (!*last) {
		errno = EISDIR;
		return ERR_SYS;
	}
	if (strlen(last) >= WHOLE_NAME || n >= sizeof(folder)) {
		errno = ENAMETOOLONG;
		return ERR_SYS;
	}
	memcpy(folder, path, n);
	folder[n] = 0;
	*ret = open(n ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret < 0)
		return ERR_SYS;
	strcpy(name, last);
	return 0;
}

/* Makes the hidden file; its descriptor, or -1 with errno. */
static int open_temp(int dir, char temp[WHOLE_NAME])
{
	int fd = -1;

	for (unsigned i = 0; i < TRIES && fd < 0; i++) {
		snprintf(temp, WHOLE_NAME, ".rung-%ld-%u.part", (long)getpid(),
			 i);
		fd = openat(dir, temp,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC,
			    0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static int open_hidden(struct whole *w)
{
	int fd = open_temp(w->dir, w->temp);
	int kept;

	if (fd < 0)
		return ERR_SYS;
	w->f = fdopen(fd, "w");
	if (w->f)
		return 0;
	kept = errno;
	close(fd);
	unlinkat(w->dir, w->temp, 0);
	errno = kept;
	return ERR_SYS;
}

/* Opens a pipe or a device.  A pipe without a reader is an error. */
static int open_direct(struct whole *w, const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	int kept;

	if (fd < 0)
		return ERR_SYS;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	w->direct = true;
	w->f = fdopen(fd, "w");
	if (w->f)
		return 0;
	kept = errno;
	close(fd);
	errno = kept;
	return ERR_SYS;
}

static void close_folder(struct whole *w)
{
	const int kept = errno;

	if (w->dir >= 0)
		close(w->dir);
	w->dir = -1;
	errno = kept;
}

/* Opens the hidden file beside |path|, in a folder of its own handle. */
static int open_beside(struct whole *w, const char *path)
{
	if (open_folder(path, &w->dir, w->name))
		return ERR_SYS;
	if (!open_hidden(w))
		return 0;
	close_folder(w);
	return ERR_SYS;
}

int whole_open(struct whole *ret, const char *path)
{
	char target[PATH_MAX];
	struct stat st;

	*ret = (struct whole){.dir = -1};
	if (strcmp(path, "-") == 0) {
		ret->direct = true;
		ret->f = stdout;
		return 0;
	}
	if (stat(path, &st))
		return errno == ENOENT ? open_beside(ret, path) : ERR_SYS;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return ERR_SYS;
	}
	if (!S_ISREG(st.st_mode))
		return open_direct(ret, path);
	if (!realpath(path, target))
		return ERR_SYS;
	return open_beside(ret, target);
}

int whole_open_at(struct whole *ret, int dir, const char *name)
{
	*ret = (struct whole){.dir = -1};
	if (strlen(name) >= WHOLE_NAME) {
		errno = ENAMETOOLONG;
		return ERR_SYS;
	}
	strcpy(ret->name, name);
	ret->dir = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	if (ret->dir < 0)
		return ERR_SYS;
	if (!open_hidden(ret))
		return 0;
	close_folder(ret);
	return ERR_SYS;
}

/* Keeps the permissions of the file that is replaced. */
static void keep_mode(const struct whole *w)
{
	struct stat st;

	if (!fstatat(w->dir, w->name, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(st.st_mode))
		(void)!fchmod(fileno(w->f), st.st_mode & 07777);
}

static int close_direct(struct whole *w)
{
	bool bad = fflush(w->f) || ferror(w->f);

	if (w->f != stdout && fclose(w->f))
		bad = true;
	w->f = NULL;
	return bad ? ERR_SYS : 0;
}

int whole_close(struct whole *w)
{
	bool bad;
	int kept;

	if (!w->f)
		return 0;
	if (w->direct)
		return close_direct(w);
	keep_mode(w);
	errno = 0;
	bad = fflush(w->f) || ferror(w->f) || fsync(fileno(w->f));
	kept = errno;
	if (fclose(w->f) && !bad) {
		kept = errno;
		bad = true;
	}
	w->f = NULL;
	if (!bad && renameat(w->dir, w->temp, w->dir, w->name)) {
		kept = errno;
		bad = true;
	}
	if (bad)
		unlinkat(w->dir, w->temp, 0);
	close_folder(w);
	errno = kept;
	return bad ? ERR_SYS : 0;
}

void whole_drop(struct whole *w)
{
	const int kept = errno;

	if (w->f && w->f != stdout)
		fclose(w->f);
	if (w->f && !w->direct)
		unlinkat(w->dir, w->temp, 0);
	w->f = NULL;
	close_folder(w);
	errno = kept;
}

static int put(struct whole *w, const char *s, size_t len)
{
	errno = 0;
	if (fwrite(s, 1, len, w->f) == len)
		return whole_close(w);
	whole_drop(w);
	return ERR_SYS;
}

int whole_write(const char *path, const char *s, size_t len)
{
	struct whole w;

	return whole_open(&w, path) ? ERR_SYS : put(&w, s, len);
}

int whole_write_at(int dir, const char *name, const char *s, size_t len)
{
	struct whole w;

	return whole_open_at(&w, dir, name) ? ERR_SYS : put(&w, s, len);
}

int whole_probe(const char *path)
{
	struct stat st;
	struct whole w;

	/* A pipe is opened once, when there is something to write. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	if (whole_open(&w, path))
		return ERR_SYS;
	whole_drop(&w);
	return 0;
}
