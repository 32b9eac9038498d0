/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/whole.h -- files that get their name only when they are whole.
 *
 * The bytes go to a hidden file beside the destination, which takes the name of
 * the destination when all of them are on the disk.  A full disk, a signal or a
 * power cut leaves the earlier file as it was.
 */
#ifndef CLI_WHOLE_H
#define CLI_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WHOLE_NAME   256            /* bytes of the last part of a path */
#define WHOLE_HIDDEN ".rung-*.part" /* the names of hidden files */

struct whole {
	FILE *f;
	int dir;               /* the folder of the destination, or -1 */
	bool direct;           /* |f| is the destination itself */
	char name[WHOLE_NAME]; /* of the destination, in |dir| */
	char temp[WHOLE_NAME]; /* of the hidden file, in |dir| */
};

/*
 * whole_open begins to write a file that the user named.  A link is followed.
 * "-" is standard output.  A destination that is no regular file, such as a
 * terminal or a pipe, is written directly.
 *
 * Errors: ERR_SYS with errno (ENXIO: the pipe has no reader).
 */
int whole_open(struct whole *ret, const char *path);

/*
 * whole_open_at begins to write |name| in the folder |dir|.  Whatever has that
 * name is replaced, not followed.
 *
 * Shape:  |name| has no slash.  |dir| is lent until whole_close.
 * Errors: ERR_SYS with errno.
 */
int whole_open_at(struct whole *ret, int dir, const char *name);

/*
 * whole_close ends the file and gives it its name.  On an error the earlier
 * file stays.
 *
 * Errors: ERR_SYS with errno: not everything was written.
 */
int whole_close(struct whole *w);

/* whole_drop forgets the file; the earlier one stays. */
void whole_drop(struct whole *w);

/*
 * whole_write and whole_write_at write a file of |len| bytes at once.
 * Errors: ERR_SYS with errno.
 */
int whole_write(const char *path, const char *s, size_t len);
int whole_write_at(int dir, const char *name, const char *s, size_t len);

/*
 * whole_probe checks that a file can be written, and changes nothing.
 * Errors: ERR_SYS with errno.
 */
int whole_probe(const char *path);

#endif
