/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/file.c -- reads and creates whole files.
 *
 * Reading is bounded in size and time: a pipe whose writer sends nothing for
 * five seconds is an error.  Creating a FIFO that has no reader fails at once.
 */
#include "cli/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

#define PATIENCE 5000 /* ms to wait for a pipe */

/* Waits for data in a pipe; its writer may stop, or never start. */
static bool is_ready(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	const int got = poll(&p, 1, PATIENCE);

	if (!got)
		errno = ETIMEDOUT;
	return got > 0;
}

static int file_read_all(struct arena *a, int fd, size_t most, const char **ret,
			 size_t *ret_len)
{
	struct text t = {0};
	char buf[65536];
	ssize_t n = 1;

	while (n > 0 && t.len <= most) {
		n = -1;
		if (is_ready(fd))
			n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno == EAGAIN)
			n = 1; /* another reader took the bytes */
		else if (n > 0)
			text_add(&t, buf, (size_t)n);
	}
	if (n >= 0 && t.len > most)
		errno = EFBIG;
	if (n < 0 || t.len > most) {
		text_free(&t);
		return ERR_SYS;
	}
	if (t.failed)
		*ret = NULL;
	else
		*ret = arena_strndup(a, text_cstr(&t), t.len);
	*ret_len = t.len;
	text_free(&t);
	if (*ret)
		return 0;
	return ERR_NOMEM;
}

int file_read(struct arena *a, const char *path, const char **ret,
	      size_t *ret_len)
{
	return file_read_most(a, path, FILE_MAX, ret, ret_len);
}

int file_read_most(struct arena *a, const char *path, size_t most,
		   const char **ret, size_t *ret_len)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int err, kept;

	if (fd < 0)
		return ERR_SYS;
	err = file_read_all(a, fd, most, ret, ret_len);
	kept = errno;
	close(fd);
	errno = kept;
	return err;
}

int file_create(const char *path)
{
	const int fd = open(
		path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK,
		0666);

	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

int file_close(FILE *f)
{
	int bad;

	if (!f)
		return 0;
	bad = fflush(f) || ferror(f);
	if (f != stdout && fclose(f))
		bad = 1;
	if (bad)
		return ERR_SYS;
	return 0;
}
