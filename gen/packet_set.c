/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/packet_set.c -- stores frames with the headers that were found in them,
 * in two growing arrays.
 *
 * A datagram without a frame first gets its CRC and an Ethernet frame.
 */
#include "gen/packet_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "wire/frame/frame_build.h"

/* length of the longest frame with its headers */
#define FRAME_ROOM (DGRAM_MAX + 128)

/* Makes room for one more frame of |len| bytes. */
static int packet_set_make_room(struct packet_set *s, size_t len)
{
	if (s->n == s->size) {
		const size_t size = s->size ? 2 * s->size : 64;
		struct packet_set_frame *p =
			memory_realloc(s->frames, size * sizeof(*p));

		if (!p)
			return ERR_NOMEM;
		s->frames = p;
		s->size = size;
	}
	if (s->bytes_size - s->nbytes < len) {
		const size_t size = 2 * s->bytes_size + len + 4096;
		uint8_t *p = memory_realloc(s->bytes, size);

		if (!p)
			return ERR_NOMEM;
		s->bytes = p;
		s->bytes_size = size;
	}
	return 0;
}

/* Sets f->crc and its byte order if the packet ends in a correct CRC. */
static void look_for_crc(struct packet_set_frame *f, const struct dgram *d,
			 const uint8_t *p)
{
	enum dgram_crc crc = DGRAM_CRC_WRONG;

	if (f->info.fault == FRAME_OK && !f->info.ip_cut)
		crc = crc_look(d, p + f->info.at, f->info.len, CRC_LE);
	f->crc = crc != DGRAM_CRC_WRONG;
	if (crc == DGRAM_CRC_SWAPPED)
		f->order = CRC_BE;
	else
		f->order = CRC_LE;
}

int packet_set_add(struct packet_set *s, enum frame_link link, const uint8_t *p,
		   size_t len, vtime when)
{
	struct packet_set_frame *f;
	struct dgram d;
	int err = packet_set_make_room(s, len);

	if (err)
		return err;
	f = &s->frames[s->n++];
	*f = (struct packet_set_frame){.at = s->nbytes,
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

int packet_set_add_dgram(struct packet_set *s, const struct dgram *d,
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
	if (n < 0)
		return n;
	return packet_set_add(s, FRAME_ETHERNET, frame, (size_t)n, when);
}

void packet_set_free(struct packet_set *s)
{
	free(s->frames);
	free(s->bytes);
	*s = (struct packet_set){.conf = s->conf};
}

size_t packet_set_packet_len(const struct packet_set_frame *f)
{
	if (f->info.fault != FRAME_OK)
		return 0;
	return f->info.len - (f->crc ? CRC_LEN : 0);
}
