/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/atomic_file.c -- writes files that appear only when complete: a
 * hidden file, fsync, rename.
 */
#include "cli/file/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

#define TRIES 100 /* names tried for the hidden file */

/* Splits a path into its folder, which is opened, and its last part. */
static int atomic_open_folder(const char *path, int *ret,
			      char name[ATOMIC_NAME])
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	char folder[PATH_MAX];
	size_t n = slash ? (size_t)(last - path) : 0;

	if (!*last) {
		errno = EISDIR;
		return ERR_SYS;
	}
	if (strlen(last) >= ATOMIC_NAME || n >= sizeof(folder)) {
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

/* Makes the hidden file.  Return: its descriptor, or -1 with errno. */
static int open_temp(int dir, char temp[ATOMIC_NAME])
{
	int fd = -1;

	for (unsigned i = 0; i < TRIES && fd < 0; i++) {
		snprintf(temp, ATOMIC_NAME, ".rung-%ld-%u.part", (long)getpid(),
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

static int open_hidden(struct atomic_file *w)
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
static int open_direct(struct atomic_file *w, const char *path)
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

static void close_folder(struct atomic_file *w)
{
	const int kept = errno;

	if (w->dir >= 0)
		close(w->dir);
	w->dir = -1;
	errno = kept;
}

/* Opens the hidden file beside |path|, and its folder. */
static int open_beside(struct atomic_file *w, const char *path)
{
	if (atomic_open_folder(path, &w->dir, w->name))
		return ERR_SYS;
	if (!open_hidden(w))
		return 0;
	close_folder(w);
	return ERR_SYS;
}

int atomic_open(struct atomic_file *ret, const char *path)
{
	char target[PATH_MAX];
	struct stat st;

	*ret = (struct atomic_file){.dir = -1};
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

int atomic_open_at(struct atomic_file *ret, int dir, const char *name)
{
	*ret = (struct atomic_file){.dir = -1};
	if (strlen(name) >= ATOMIC_NAME) {
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
static void keep_mode(const struct atomic_file *w)
{
	struct stat st;

	if (!fstatat(w->dir, w->name, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(st.st_mode))
		(void)!fchmod(fileno(w->f), st.st_mode & 07777);
}

static int close_direct(struct atomic_file *w)
{
	bool bad = fflush(w->f) || ferror(w->f);

	if (w->f != stdout && fclose(w->f))
		bad = true;
	w->f = NULL;
	if (bad)
		return ERR_SYS;
	return 0;
}

int atomic_close(struct atomic_file *w)
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
	if (bad)
		return ERR_SYS;
	return 0;
}

int atomic_publish(struct atomic_file *w, FILE **ret)
{
	errno = 0;
	if (fflush(w->f) || ferror(w->f) || fsync(fileno(w->f)) ||
	    renameat(w->dir, w->temp, w->dir, w->name))
		return ERR_SYS;
	*ret = w->f;
	w->f = NULL;
	close_folder(w);
	return 0;
}

void atomic_drop(struct atomic_file *w)
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

static int atomic_put(struct atomic_file *w, const char *s, size_t len)
{
	errno = 0;
	if (fwrite(s, 1, len, w->f) == len)
		return atomic_close(w);
	atomic_drop(w);
	return ERR_SYS;
}

int atomic_write(const char *path, const char *s, size_t len)
{
	struct atomic_file w;

	if (atomic_open(&w, path))
		return ERR_SYS;
	return atomic_put(&w, s, len);
}

int atomic_write_at(int dir, const char *name, const char *s, size_t len)
{
	struct atomic_file w;

	if (atomic_open_at(&w, dir, name))
		return ERR_SYS;
	return atomic_put(&w, s, len);
}

int atomic_probe(const char *path)
{
	struct stat st;
	struct atomic_file w;

	/* A pipe is opened only once, when there is data to write. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	if (atomic_open(&w, path))
		return ERR_SYS;
	atomic_drop(&w);
	return 0;
}
