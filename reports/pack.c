/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/pack.c -- compresses many drawings.
 *
 * Spec: RFC 1951 (deflate), RFC 4648 (base64)
 */
#include "reports/pack.h"

#include <isa-l/igzip_lib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LEVEL      3
#define LEVEL_SIZE ISAL_DEF_LVL3_DEFAULT

static void base64(struct text *t, const uint8_t *p, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno"
				     "pqrstuvwxyz0123456789+/";
	char four[4];

	for (size_t i = 0; i < len; i += 3) {
		const size_t left = len - i;
		const uint32_t bits = (uint32_t)p[i] << 16 |
				      (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
				      (left > 2 ? p[i + 2] : 0);

		four[0] = digits[bits >> 18];
		four[1] = digits[bits >> 12 & 63];
		if (left > 1)
			four[2] = digits[bits >> 6 & 63];
		else
			four[2] = '=';
		if (left > 2)
			four[3] = digits[bits & 63];
		else
			four[3] = '=';
		text_add(t, four, sizeof(four));
	}
}

/* Incompressible data is stored, with 5 bytes per 65535. */
static size_t deflated_max(size_t len)
{
	return len + (len / 65535 + 1) * 5 + 64;
}

static bool deflate_to(struct text *t, const struct text *from)
{
	const size_t size = deflated_max(from->len);
	uint8_t *out = memory_alloc(size), *level = memory_alloc(LEVEL_SIZE);
	struct isal_zstream z;
	bool ok = out && level;

	if (ok) {
		isal_deflate_stateless_init(&z);
		z.level = LEVEL;
		z.level_buf = level;
		z.level_buf_size = LEVEL_SIZE;
		z.end_of_stream = 1;
		z.flush = NO_FLUSH;
		z.next_in = (uint8_t *)from->s;
		z.avail_in = (uint32_t)from->len;
		z.next_out = out;
		z.avail_out = (uint32_t)size;
		ok = isal_deflate_stateless(&z) == COMP_OK;
	}
	if (ok) {
		base64(t, out, z.total_out);
		text_puts(t, "\n");
	}
	free(out);
	free(level);
	return ok;
}

static bool pack_close_block(struct pack *p)
{
	bool ok = !text_err(&p->open) && deflate_to(&p->closed, &p->open);

	text_clear(&p->open);
	p->closed.failed |= !ok;
	return ok && !text_err(&p->closed);
}

size_t pack_add(struct pack *p, const char *s)
{
	text_add(&p->open, s, strlen(s) + 1);
	p->n++;
	if (p->n % PACK_BLOCK == 0 && !pack_close_block(p))
		return 0;
	if (text_err(&p->open))
		return 0;
	return p->n;
}

size_t pack_size(const struct pack *p)
{
	return p->closed.len;
}

const char *pack_close(struct pack *p)
{
	if (p->open.len)
		pack_close_block(p);
	return text_cstr(&p->closed);
}

void pack_free(struct pack *p)
{
	text_free(&p->open);
	text_free(&p->closed);
}
