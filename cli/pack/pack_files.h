/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/pack_files.h -- the files of an evidence package: their names, sizes
 * and SHA-256 digests, in the order of their names.
 */
#ifndef CLI_PACK_PACK_FILES_H
#define CLI_PACK_PACK_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/* The files that describe the package; they are not in its list. */
#define PACK_MANIFEST  "pack.json"
#define PACK_STATEMENT "statement.json"
#define PACK_ENVELOPE  "statement.dsse.json"
#define PACK_SIGNER    "signer.pem"

#define SHA256_HEX 65 /* bytes of a digest in hexadecimal, with its NUL */

struct pack_file {
	const char *path; /* below the folder, "cases/uet/.../case.lad" */
	uint64_t size;
	char sha256[SHA256_HEX]; /* "" if it is no regular file */
};

struct pack_files {
	struct pack_file *at; /* in the order of their paths, by strcmp() */
	size_t n, room;
	struct arena names;
};

/*
 * pack_files_scan lists all files below the folder |out|, which is open as
 * |dir|.  Links are listed and not followed.
 *
 * Return: 0; EXIT_HARNESS after a message that begins with |who|.
 * Owner:  pack_files_free, also after an error.
 */
int pack_files_scan(const char *who, const char *out, int dir,
		    struct pack_files *ret);

/*
 * pack_files_add appends a file; its path is copied.
 * Return: the new file, or NULL without memory.
 */
struct pack_file *pack_files_add(struct pack_files *f, const char *path);

/* pack_files_find returns the file |path|, or NULL. */
const struct pack_file *pack_files_find(const struct pack_files *f,
					const char *path);
void pack_files_free(struct pack_files *f);

/*
 * sha256_hex writes the digest of |len| bytes.
 * Errors: ERR_NOMEM.
 */
int sha256_hex(const void *p, size_t len, char ret[SHA256_HEX]);

#endif
