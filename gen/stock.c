/* SPDX-License-Identifier: BSD-2-Clause */
#include "gen/stock.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

#define FRAME_ROOM (DGRAM_MAX + 128) /* the longest frame with its headers */

/* Room for one more frame of |len| bytes. */
static int make_room(struct stock *s, size_t len)
{
	if (s->n == s->size) {
		const size_t size = s->size ? 2 * s->size : 64;
		struct stock_frame *p = realloc(s->frames, size * sizeof(*p));

		if (!p)
			return ERR_NOMEM;
		s->frames = p;
		s->size = size;
	}
	if (s->bytes_size - s->nbytes < len) {
		const size_t size = 2 * s->bytes_size + len + 4096;
		uint8_t *p = realloc(s->bytes, size);

		if (!p)
			return ERR_NOMEM;
		s->bytes = p;
		s->bytes_size = size;
	}
	return 0;
}

/* Whether the packet ends in a CRC, and in which order. */
static void look_for_crc(struct stock_frame *f, const struct dgram *d,
			 const uint8_t *p)
{
	enum dgram_crc crc = DGRAM_CRC_WRONG;

	if (f->info.fault == FRAME_OK && !f->info.ip_cut)
		crc = crc_look(d, p + f->info.at, f->info.len, CRC_LE);
	f->crc = crc != DGRAM_CRC_WRONG;
	f->order = crc == DGRAM_CRC_SWAPPED ? CRC_BE : CRC_LE;
}

int stock_add(struct stock *s, enum frame_link link, const uint8_t *p,
	      size_t len, vtime when)
{
	struct stock_frame *f;
	struct dgram d;
	int err = make_room(s, len);

	if (err)
		return err;
	f = &s->frames[s->n++];
	*f = (struct stock_frame){.at = s->nbytes,
				  .len = (uint32_t)len,
				  .when = when,
				  .link = link};
	frame_find(&s->conf, link, p, len, &d, &f->info);
	f->head = (struct dgram_head){d.src, d.dst, d.entropy, d.native};
	look_for_crc(f, &d, p);
	if (len)
		memcpy(s->bytes + s->nbytes, p, len);
	s->nbytes += len;
	return 0;
}

int stock_add_dgram(struct stock *s, const struct dgram *d,
		    enum crc_order order, vtime when)
{
	uint8_t frame[FRAME_ROOM];
	struct dgram sealed;
	int n;

	dgram_copy(&sealed, d);
	n = crc_seal(&sealed, order);
	if (!n)
		n = frame_build(&s->conf, FRAME_ETHERNET, &sealed, frame,
				sizeof(frame));
	return n < 0 ? n : stock_add(s, FRAME_ETHERNET, frame, (size_t)n, when);
}

void stock_free(struct stock *s)
{
	free(s->frames);
	free(s->bytes);
	*s = (struct stock){.conf = s->conf};
}

size_t stock_packet_len(const struct stock_frame *f)
{
	if (f->info.fault != FRAME_OK)
		return 0;
	return f->info.len - (f->crc ? CRC_LEN : 0);
}
