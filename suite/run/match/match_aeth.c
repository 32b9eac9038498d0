/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_aeth.c -- the freedom of answers with an AETH: credits,
 * timer codes, and the two forms of a retransmission indication.
 */
#include "suite/run/match/match_aeth.h"

#include <string.h>

#include "base/serial.h"
#include "wire/field.h"
#include "wire/ib/ib.h"

#define ENTRY     4u  /* bytes of an entry, or of a word of the bitmap */
#define WORD_BITS 32u /* PSNs of a word */

/* Bits 6 and 5 of a syndrome: ACK, RNR NAK or NAK. */
static uint64_t class_of(uint64_t syndrome)
{
	return syndrome >> 5;
}

static bool syndrome_fits(const struct packet *pkt, uint64_t want,
			  uint64_t actual)
{
	if (class_of(want) != class_of(actual))
		return false;
	if (want == IB_SYNDROME_ACK)
		return strncmp(packet_word(pkt), "srd_", 4) != 0;
	return want == IB_SYNDROME_RNR;
}

/*
 * Returns the bitmap's first word, and the number of words; NULL: the packet is
 * no complete indication with a bitmap.
 */
static const uint8_t *bitmap_of(const struct packet *pkt, size_t *words)
{
	uint64_t fmt, count;

	if (strcmp(packet_word(pkt), "wqe_rtx_ind") != 0 ||
	    !packet_value(pkt, "fmt", &fmt) || fmt != RIETH_BITMAP ||
	    !packet_value(pkt, "count", &count) || !count ||
	    pkt->len - pkt->payload < (1 + count) * ENTRY)
		return NULL;
	*words = count;
	return pkt->p + pkt->payload + ENTRY;
}

static bool bit_is_set(const uint8_t *words, size_t bit)
{
	return words[bit / 8] >> (7 - bit % 8) & 1;
}

static uint64_t bits_set(const uint8_t *words, size_t n)
{
	uint64_t set = 0;

	for (size_t bit = 0; bit < n * WORD_BITS; bit++)
		set += bit_is_set(words, bit);
	return set;
}

bool match_aeth_fits(const struct packet *pkt, const char *field, uint64_t want,
		     uint64_t actual)
{
	const uint8_t *words;
	size_t n;

	if (strcmp(field, "syndrome") == 0)
		return syndrome_fits(pkt, want, actual);
	if (strcmp(field, "count") != 0)
		return false;
	words = bitmap_of(pkt, &n);
	return words && bits_set(words, n) == want;
}

static bool names_form(const struct rung *rung)
{
	for (size_t i = 0; i < rung->npds; i++)
		if (strcmp(rung->pds[i].name, "fmt") == 0)
			return true;
	return false;
}

bool match_same_psns(const struct packet *pkt, const struct rung *rung)
{
	size_t n, at = 0;
	const uint8_t *words = bitmap_of(pkt, &n);
	uint32_t base;

	if (!words || names_form(rung))
		return false;
	base = (uint32_t)get_be32(words - ENTRY);
	for (size_t bit = 0; bit < n * WORD_BITS; bit++) {
		const uint32_t psn = (base + (uint32_t)bit) & SERIAL24_MASK;

		if (!bit_is_set(words, bit))
			continue;
		if (at + ENTRY > rung->nbytes ||
		    get_be32(rung->bytes + at) != psn)
			return false;
		at += ENTRY;
	}
	return at == rung->nbytes;
}
