/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder_put.c -- makes new files and folders in an open folder; no
 * link there is followed.
 */
#include "cli/file/folder_put.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

int folder_sub(int dir, const char *name, int *ret)
{
	if (mkdirat(dir, name, 0777) && errno != EEXIST)
		return ERR_SYS;
	*ret = openat(dir, name,
		      O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (*ret < 0)
		return ERR_SYS;
	return 0;
}

int folder_put(int dir, const char *name, const char *s, size_t len)
{
	int fd = openat(dir, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0666);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	bool bad;
	int kept;

	if (!f) {
		if (fd >= 0)
			close(fd);
		return ERR_SYS;
	}
	/*
	 * A long text bypasses the buffer: fclose does not report its errors.
	 */
	errno = 0;
	bad = fwrite(s, 1, len, f) != len;
	kept = errno;
	if (fclose(f) && !bad)
		return ERR_SYS;
	errno = kept;
	if (bad)
		return ERR_SYS;
	return 0;
}
