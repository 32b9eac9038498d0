/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/pack.h -- many drawings in little room, for a page that unpacks them
 * when they are asked for.
 *
 * Drawings are joined, 32 to a block, each ended by a NUL; a block is deflated
 * (RFC 1951, without a head) and written in base64.  Ladders are much alike, so
 * that one takes a tenth of its size or less.
 */
#ifndef REPORTS_PACK_H
#define REPORTS_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define PACK_BLOCK 32 /* drawings in a block */

/* Zero is empty. */
struct pack {
	struct text open;   /* the block that is not full */
	struct text closed; /* blocks in base64, each ended by a newline */
	size_t n;
};

/*
 * pack_add takes a text.
 * Return: its number, from 1: entry (number - 1) % PACK_BLOCK of block
 *         (number - 1) / PACK_BLOCK; 0 for lack of memory.
 */
size_t pack_add(struct pack *p, const char *s);

/* pack_size says how many bytes the closed blocks take. */
size_t pack_size(const struct pack *p);

/*
 * pack_close closes the last block and gives all of them, a line each; lent.
 * Errors are told by text_err of p->closed.
 */
const char *pack_close(struct pack *p);

void pack_free(struct pack *p);

#endif
