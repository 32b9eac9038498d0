/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/pack.h -- compresses many drawings for a page that unpacks them on
 * demand.
 *
 * Drawings are joined, 32 to a block, each ended by a NUL; a block is deflated
 * (RFC 1951, without a head) and written in base64.  Ladders resemble each
 * other, so that one takes a tenth of its size or less.
 */
#ifndef REPORTS_PACK_H
#define REPORTS_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define PACK_BLOCK 32 /* drawings in a block */

/* All zero is empty. */
struct pack {
	struct text open;   /* the block that is not full */
	struct text closed; /* blocks in base64, each ended by a newline */
	size_t n;
};

/*
 * pack_add appends a text.
 *
 * Return: its number, from 1: entry (number - 1) % PACK_BLOCK of block (number
 * - 1) / PACK_BLOCK; 0 if there is no memory.
 */
size_t pack_add(struct pack *p, const char *s);

/* pack_size returns the size of the closed blocks in bytes. */
size_t pack_size(const struct pack *p);

/*
 * pack_close closes the last block and returns all blocks, a line each; lent.
 * text_err of p->closed reports errors.
 */
const char *pack_close(struct pack *p);

void pack_free(struct pack *p);

#endif
