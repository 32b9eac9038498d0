/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/atomic_file.h -- writes files that appear only when complete.
 *
 * The bytes go to a hidden file beside the destination, which is renamed to the
 * destination when all of them are on the disk.  After a full disk, a signal or
 * a power cut, the earlier file is unchanged.
 */
#ifndef CLI_FILE_ATOMIC_FILE_H
#define CLI_FILE_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ATOMIC_NAME 256 /* bytes of the last part of a path */
#define ATOMIC_HIDDEN                                          \
	".rung-*.part" /* pattern of the names of hidden files \
			*/

struct atomic_file {
	FILE *f;
	int dir;                /* the folder of the destination, or -1 */
	bool direct;            /* |f| is the destination itself */
	char name[ATOMIC_NAME]; /* name of the destination in |dir| */
	char temp[ATOMIC_NAME]; /* name of the hidden file in |dir| */
};

/*
 * atomic_open begins to write a file that the user named.  It follows a link.
 * "-" is standard output.  A destination that is no regular file, such as a
 * terminal or a pipe, is written directly.
 *
 * Errors: ERR_SYS with errno (ENXIO: the pipe has no reader).
 */
int atomic_open(struct atomic_file *ret, const char *path);

/*
 * atomic_open_at begins to write |name| in the folder |dir|.  An existing file
 * of that name is replaced; a link is not followed.
 *
 * Shape:  |name| has no slash.  |dir| is lent until atomic_close.
 *
 * Errors: ERR_SYS with errno.
 */
int atomic_open_at(struct atomic_file *ret, int dir, const char *name);

/*
 * atomic_close completes the file and gives it its name.  After an error the
 * earlier file stays.
 *
 * Errors: ERR_SYS with errno: not everything was written.
 */
int atomic_close(struct atomic_file *w);

/*
 * atomic_publish gives the file its name while writing continues; everything
 * written so far is on the disk.  The caller closes *ret.
 *
 * Errors: ERR_SYS with errno: the earlier file stays, and |w| is unchanged.
 */
int atomic_publish(struct atomic_file *w, FILE **ret);

/* atomic_drop discards the file; the earlier one stays. */
void atomic_drop(struct atomic_file *w);

/*
 * atomic_write and atomic_write_at write a file of |len| bytes at once.
 * Errors: ERR_SYS with errno.
 */
int atomic_write(const char *path, const char *s, size_t len);
int atomic_write_at(int dir, const char *name, const char *s, size_t len);

/*
 * atomic_probe checks that a file can be written, and changes nothing.
 * Errors: ERR_SYS with errno.
 */
int atomic_probe(const char *path);

#endif
