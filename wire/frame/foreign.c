/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/foreign.c -- converts packets with headers of other sizes to the
 * sizes of the tables, and back.
 */
#include "wire/frame/foreign.h"

#include <string.h>

#include "wire/packet.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

#define ACK_CCX_FOREIGN  32 /* bytes, including the ACK */
#define NACK_CCX_FOREIGN 24

#define PAYLOAD_LENGTH "payload_length"
#define LENGTH_MASK    0xfffu

static bool foreign_read_word(struct foreign *f, const char *word, size_t len)
{
	static const struct {
		const char *word;
		bool ack_ccx, nack_ccx, payload_length;
	} words[] = {
		{"ack_ccx=32", true, false, false},
		{"nack_ccx=24", false, true, false},
		{"payload_length=12", false, false, true},
		{"ack_ccx=40", false, false, false},
		{"nack_ccx=32", false, false, false},
		{"payload_length=14", false, false, false},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) != len ||
		    memcmp(words[i].word, word, len) != 0)
			continue;
		f->ack_ccx |= words[i].ack_ccx;
		f->nack_ccx |= words[i].nack_ccx;
		f->payload_length |= words[i].payload_length;
		return true;
	}
	return false;
}

bool foreign_read(struct foreign *ret, const char *text)
{
	struct foreign f = {0};

	for (;;) {
		const size_t len = strcspn(text, ",");

		if (!foreign_read_word(&f, text, len))
			return false;
		if (!text[len])
			break;
		text += len + 1;
	}
	*ret = f;
	return true;
}

/* Returns the offset of the bytes that the foreign header lacks; 0: none. */
static size_t gap_of(const struct foreign *f, const uint8_t *p, size_t len)
{
	size_t at = 0;

	if (len < 2)
		return 0;
	if (f->ack_ccx && pds_type_of(p) == PDS_ACK_CCX)
		at = ACK_CCX_FOREIGN;
	else if (f->nack_ccx && pds_type_of(p) == PDS_NACK_CCX)
		at = NACK_CCX_FOREIGN;
	if (at <= len)
		return at;
	return 0;
}

/*
 * Cuts payload_length of return data to 12 bits.  Return: false if the packet
 * has no such field.
 */
static bool cut_length(uint8_t *p, size_t len)
{
	struct packet pkt;
	struct packet_ref ref;

	uet_packet_parse(&pkt, p, len);
	if (pkt.nses == pkt.nsec ||
	    strncmp(pkt.sec[pkt.nses].h->name, "response_data", 13) != 0 ||
	    !packet_find(&pkt, pkt.nses, pkt.nsec, PAYLOAD_LENGTH,
			 strlen(PAYLOAD_LENGTH), &ref) ||
	    !ref.field)
		return false;
	bits_put(p + pkt.sec[ref.sec].at, ref.field->at, ref.field->width,
		 packet_get(&pkt, &ref) & LENGTH_MASK);
	return true;
}

size_t foreign_open(const struct foreign *f, const uint8_t *p, size_t len,
		    uint8_t *out)
{
	const size_t gap = gap_of(f, p, len);
	size_t n = len;

	if (!gap && !f->payload_length)
		return 0;
	if (gap) {
		memcpy(out, p, gap);
		memset(out + gap, 0, FOREIGN_MORE);
		memcpy(out + gap + FOREIGN_MORE, p + gap, len - gap);
		n += FOREIGN_MORE;
	} else {
		memcpy(out, p, len);
	}
	if (f->payload_length && cut_length(out, n))
		return n;
	if (gap)
		return n;
	return 0;
}

size_t foreign_close(const struct foreign *f, uint8_t *p, size_t len)
{
	const size_t gap = gap_of(f, p, len);

	if (!gap || len < gap + FOREIGN_MORE)
		return len;
	memmove(p + gap, p + gap + FOREIGN_MORE, len - gap - FOREIGN_MORE);
	return len - FOREIGN_MORE;
}
