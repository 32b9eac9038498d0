/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/pack_files.c -- walks the folder of a run and computes the digest of
 * each file.
 */
#include "cli/pack/pack_files.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/file/folder.h"
#include "cli/file/folder_read.h"
#include "cli/pack/crypto.h"

#define BLOCK ((size_t)64 << 10)

static void sha256_print(const uint8_t digest[32], char ret[SHA256_HEX])
{
	for (size_t i = 0; i < 32; i++)
		snprintf(ret + 2 * i, 3, "%02x", digest[i]);
}

int sha256_hex(const void *p, size_t len, char ret[SHA256_HEX])
{
	uint8_t digest[EVP_MAX_MD_SIZE];

	if (!EVP_Digest(p, len, digest, NULL, EVP_sha256(), NULL))
		return ERR_NOMEM;
	sha256_print(digest, ret);
	return 0;
}

struct pack_file *pack_files_add(struct pack_files *f, const char *path)
{
	struct pack_file *file;

	if (f->n == f->room) {
		const size_t room = f->room ? 2 * f->room : 256;

		file = memory_realloc(f->at, room * sizeof(*file));
		if (!file)
			return NULL;
		f->at = file;
		f->room = room;
	}
	file = &f->at[f->n];
	*file = (struct pack_file){
		.path = arena_strndup(&f->names, path, strlen(path))};
	if (!file->path)
		return NULL;
	f->n++;
	return file;
}

/* Reads the file to its end.  Errors: ERR_SYS with errno; ERR_NOMEM. */
static int file_digest_fd(int fd, struct pack_file *f)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	uint8_t digest[EVP_MAX_MD_SIZE], *block = memory_alloc(BLOCK);
	ssize_t n = 0;
	int err = 0;

	if (!md || !block || !EVP_DigestInit_ex(md, EVP_sha256(), NULL))
		err = ERR_NOMEM;
	while (!err && (n = read(fd, block, BLOCK)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			err = ERR_SYS;
		else if (!EVP_DigestUpdate(md, block, (size_t)n))
			err = ERR_NOMEM;
		else
			f->size += (uint64_t)n;
	}
	if (!err && !EVP_DigestFinal_ex(md, digest, NULL))
		err = ERR_NOMEM;
	if (!err)
		sha256_print(digest, f->sha256);
	free(block);
	EVP_MD_CTX_free(md);
	return err;
}

/* Opens a file below |dir| without following a link. */
static int file_open_below(int dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) : 0;
	char above[FOLDER_NAME];
	int at, fd, kept;

	if (len >= sizeof(above)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(above, path, len);
	above[len] = 0;
	at = folder_below(dir, above);
	if (at < 0)
		return -1;
	fd = openat(at, slash ? slash + 1 : path,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	kept = errno;
	close(at);
	errno = kept;
	return fd;
}

/* Computes the digest of a regular file; of others it stays empty. */
static int file_digest(int dir, struct pack_file *f)
{
	struct stat st;
	int fd = file_open_below(dir, f->path), err = 0, kept;

	if (fd < 0 && errno == ELOOP)
		return 0;
	if (fd < 0)
		return ERR_SYS;
	if (fstat(fd, &st))
		err = ERR_SYS;
	else if (S_ISREG(st.st_mode))
		err = file_digest_fd(fd, f);
	kept = errno;
	close(fd);
	errno = kept;
	return err;
}

static bool pack_describes(const char *path)
{
	return strcmp(path, PACK_MANIFEST) == 0 ||
	       strcmp(path, PACK_STATEMENT) == 0 ||
	       strcmp(path, PACK_ENVELOPE) == 0 ||
	       strcmp(path, PACK_SIGNER) == 0;
}

static int pack_file_order(const void *a, const void *b)
{
	const struct pack_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Takes an entry of the walk.  Return: 0 or an exit code after a message. */
static int pack_files_take(const char *who, const FTSENT *e, size_t skip,
			   int dir, struct pack_files *ret)
{
	struct pack_file *f;
	int err = 0;

	if (e->fts_info == FTS_D || e->fts_info == FTS_DP)
		return 0;
	if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR ||
	    e->fts_info == FTS_NS) {
		errno = e->fts_errno;
		return cli_sys(who, e->fts_path);
	}
	if (pack_describes(e->fts_path + skip))
		return 0;
	f = pack_files_add(ret, e->fts_path + skip);
	if (!f)
		return cli_nomem(who);
	if (e->fts_info == FTS_F)
		err = file_digest(dir, f);
	if (err == ERR_SYS)
		return cli_sys(who, e->fts_path);
	if (err)
		return cli_nomem(who);
	return 0;
}

int pack_files_scan(const char *who, const char *out, int dir,
		    struct pack_files *ret)
{
	char top[FOLDER_NAME];
	char *const tops[] = {top, NULL};
	size_t len;
	FTS *fts;
	FTSENT *e;
	int code = 0;

	snprintf(top, sizeof(top), "%s", out);
	len = strlen(top);
	while (len > 1 && top[len - 1] == '/')
		top[--len] = 0;
	fts = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!fts)
		return cli_sys(who, out);
	errno = 0;
	while (!code && (e = fts_read(fts)))
		code = pack_files_take(who, e, len + (strcmp(top, "/") != 0),
				       dir, ret);
	if (!code && errno)
		code = cli_sys(who, out);
	fts_close(fts);
	if (ret->n)
		qsort(ret->at, ret->n, sizeof(*ret->at), pack_file_order);
	return code;
}

const struct pack_file *pack_files_find(const struct pack_files *f,
					const char *path)
{
	const struct pack_file key = {.path = path};

	if (!f->n)
		return NULL;
	return bsearch(&key, f->at, f->n, sizeof(*f->at), pack_file_order);
}

void pack_files_free(struct pack_files *f)
{
	free(f->at);
	arena_free(&f->names);
	*f = (struct pack_files){0};
}
