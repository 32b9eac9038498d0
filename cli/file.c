/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/file.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

static int read_all(struct arena *a, FILE *f, size_t most, const char **ret,
		    size_t *ret_len)
{
	struct text t = {0};
	char buf[65536];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), f)) > 0 && t.len <= most)
		text_add(&t, buf, n);
	if (!ferror(f) && t.len > most)
		errno = EFBIG;
	if (ferror(f) || t.len > most) {
		text_free(&t);
		return ERR_SYS;
	}
	*ret = t.failed ? NULL : arena_strndup(a, text_cstr(&t), t.len);
	*ret_len = t.len;
	text_free(&t);
	return *ret ? 0 : ERR_NOMEM;
}

int file_read(struct arena *a, const char *path, const char **ret,
	      size_t *ret_len)
{
	return file_read_most(a, path, FILE_MAX, ret, ret_len);
}

int file_read_most(struct arena *a, const char *path, size_t most,
		   const char **ret, size_t *ret_len)
{
	FILE *f = fopen(path, "re");
	int err, kept;

	if (!f)
		return ERR_SYS;
	err = read_all(a, f, most, ret, ret_len);
	kept = errno;
	fclose(f);
	errno = kept;
	return err;
}

int file_close(FILE *f)
{
	int bad;

	if (!f)
		return 0;
	bad = fflush(f) || ferror(f);
	if (f != stdout && fclose(f))
		bad = 1;
	return bad ? ERR_SYS : 0;
}
