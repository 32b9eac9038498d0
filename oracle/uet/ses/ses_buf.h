/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_buf.h -- the memory that messages are read from and
 * written to: exposed regions, posted receives, and the last whole message.
 */
#ifndef ORACLE_UET_SES_SES_BUF_H
#define ORACLE_UET_SES_SES_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/core/idmap.h"
#include "oracle/core/mem.h"

/* The longest message or region; longer ones are refused. */
#define SES_BUF_MAX (64u << 20)

struct ses_buf {
	uint8_t *bytes;
	size_t cap, len;
	uint64_t start; /* region: the offset by which peers name byte 0 */
	size_t exposed; /* region: bytes that peers may name; it keeps |len| */
};

struct ses_bufs {
	struct ses_buf *regions;
	size_t region_cap;
	uint32_t nregions;
	uint64_t only; /* the key of the region, if there is one */
	struct idmap by_key;
	/*
	 * A region keeps the first |part| of each |every| bytes, and these
	 * parts close together; |part| 0: it keeps all bytes.
	 */
	uint32_t every, part;

	struct posted {
		uint32_t len, count;
		bool tagged;
		uint64_t tag;
	} * posted;
	size_t posted_cap, nposted;
	size_t first; /* those before it are used up */
	/* OP_POST_RECV was used for messages, [1] tagged ones: limits apply */
	bool posts[2];

	struct ses_buf last; /* the last whole message received */
};

/*
 * buf_room makes |buf| at least |len| bytes long.  Return: false if there is no
 * memory.
 */
bool buf_room(struct ses_buf *buf, struct mem *m, size_t len);

/*
 * bufs_expose makes a region of |len| bytes from offset |start| on.  The bytes
 * that are kept hold the pattern of |seed| and |key| (base/pattern.h).
 * Return: 0; ERR_VALUE too long, or beyond the last offset; ERR_NOMEM.
 */
int bufs_expose(struct ses_bufs *b, struct mem *m, uint64_t seed, uint64_t key,
		uint64_t start, uint32_t len);

/* bufs_region finds a region; NULL if none is exposed under |key|. */
const struct ses_buf *bufs_region(const struct ses_bufs *b, uint64_t key);

/* bufs_exposes returns true if |len| bytes at |at| under |key| are exposed. */
bool bufs_exposes(const struct ses_bufs *b, uint64_t key, uint64_t at,
		  uint64_t len);

/*
 * bufs_at returns |len| bytes at offset |at| under |key|; NULL if they are not
 * all exposed, or if only parts are kept.
 */
uint8_t *bufs_at(const struct ses_bufs *b, uint64_t key, uint64_t at,
		 uint64_t len);

/*
 * bufs_part returns where the part of a region is kept that holds the byte
 * |at| bytes behind its start; that byte must be exposed, |b->part| not 0.
 */
uint8_t *bufs_part(const struct ses_bufs *b, const struct ses_buf *region,
		   uint64_t at);

/* bufs_post makes room for |posted.count| messages. */
int bufs_post(struct ses_bufs *b, struct mem *m, struct posted posted);

/*
 * bufs_match takes the oldest posted receive for a message of |len| bytes; of a
 * tagged one, the oldest under its tag.
 * Return: RC_OK, RC_NO_MATCH or RC_TOO_LONG.
 */
uint8_t bufs_match(struct ses_bufs *b, uint32_t len, bool tagged, uint64_t tag);

/* bufs_reset forgets everything and keeps memory; bufs_free frees it. */
void bufs_reset(struct ses_bufs *b);
void bufs_free(struct ses_bufs *b);

#endif
