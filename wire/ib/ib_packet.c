/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib/ib_packet.c -- finds the extension headers after a BTH, and builds
 * packets from words and values.
 *
 * Spec: srd_wqe.md A.4.2, B.3, B.4.2
 */
#include "wire/ib/ib_packet.h"

#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "base/word.h"
#include "wire/dgram.h"
#include "wire/ib/ib.h"

#define EXTS_MAX    4
#define WORDS_FOUND 64
#define HEAD_MAX    96 /* bytes; the longest sequence of headers has 64 */

/* The headers after the BTH; NULL ends the list. */
struct ib_shape {
	bool known;
	const struct header *exts[EXTS_MAX];
};

/* clang-format off */
#define EXTS(...) {true, {__VA_ARGS__}}
#define R &reth_header
#define A &aeth_header
#define I &imm_eth_header
#define V &ieth_header
#define W &wqeth_header
#define S &seth_header
#define D &deth_header

/*
 * Sends and writes have the same headers in all classes, except for the WQE
 * header.
 */
#define SENDS_AND_WRITES(class, ...)					\
	[(class) | 0x00] = EXTS(__VA_ARGS__),				\
	[(class) | 0x01] = EXTS(__VA_ARGS__),				\
	[(class) | 0x02] = EXTS(__VA_ARGS__),				\
	[(class) | 0x03] = EXTS(I, __VA_ARGS__),			\
	[(class) | 0x04] = EXTS(__VA_ARGS__),				\
	[(class) | 0x05] = EXTS(I, __VA_ARGS__),			\
	[(class) | 0x06] = EXTS(R, __VA_ARGS__),			\
	[(class) | 0x07] = EXTS(__VA_ARGS__),				\
	[(class) | 0x08] = EXTS(__VA_ARGS__),				\
	[(class) | 0x09] = EXTS(I, __VA_ARGS__),			\
	[(class) | 0x0a] = EXTS(R, __VA_ARGS__),			\
	[(class) | 0x0b] = EXTS(R, I, __VA_ARGS__)

#define READS(class, ...)						\
	[(class) | 0x0c] = EXTS(R, __VA_ARGS__),			\
	[(class) | 0x0d] = EXTS(A, __VA_ARGS__),			\
	[(class) | 0x0e] = EXTS(__VA_ARGS__),				\
	[(class) | 0x0f] = EXTS(A, __VA_ARGS__),			\
	[(class) | 0x10] = EXTS(A, __VA_ARGS__)

#define INVALIDATES(class, ...)						\
	[(class) | 0x16] = EXTS(V, __VA_ARGS__),			\
	[(class) | 0x17] = EXTS(V, __VA_ARGS__)

static const struct ib_shape shapes[256] = {
	SENDS_AND_WRITES(0x00, NULL),
	READS(0x00, NULL),
	INVALIDATES(0x00, NULL),
	[IB_RC_ACK] =        EXTS(A),
	[IB_RC_ATOMIC_ACK] = EXTS(A, &atomic_ack_eth_header),
	[IB_RC_CMP_SWAP] =   EXTS(&atomic_eth_header),
	[IB_RC_FETCH_ADD] =  EXTS(&atomic_eth_header),
	SENDS_AND_WRITES(0x20, NULL),
	[IB_UD_SEND_ONLY] =     EXTS(D),
	[IB_UD_SEND_ONLY_IMM] = EXTS(D, I),
	[IB_CNP] =           EXTS(&cnp_payload_header),
	SENDS_AND_WRITES(0xc0, W),
	READS(0xc0, W),
	INVALIDATES(0xc0, W),
	[IB_WQE_ACK] =       EXTS(A),
	[IB_WQE_RTX_IND] =   EXTS(A, &rieth_header),
	[IB_SRD_SEND_ONLY] = EXTS(S, D),
	[IB_SRD_SEND_ONLY_IMM] = EXTS(S, D, I),
	[IB_SRD_SYNC] =      EXTS(S),
	[IB_SRD_ACK] =       EXTS(S, &srd_aeth_header, &srd_sack_header),
};
/* clang-format on */

/* ---- Bytes to sections ---- */

static void lay(struct packet *pkt, const struct ib_shape *shape)
{
	if (!packet_take(pkt, &bth_header))
		return;
	for (unsigned i = 0; i < EXTS_MAX && shape->exts[i]; i++)
		if (!packet_take(pkt, shape->exts[i]))
			return;
}

void ib_packet_parse(struct packet *ret, const uint8_t *p, size_t len)
{
	static const struct ib_shape none;
	const struct ib_shape *shape = len ? &shapes[p[0]] : &none;

	*ret = (struct packet){.p = p, .len = len, .format = &ib_format};
	lay(ret, shape);
	if (ret->fault == PACKET_OK && !shape->known)
		ret->fault = PACKET_TYPE;
	ret->nses = ret->nsec;
}

size_t ib_packet_pad(const struct packet *pkt)
{
	const size_t left = pkt->len - pkt->payload;
	struct bth h;

	if (!pkt->nsec)
		return 0;
	bth_get(&h, pkt->p);
	if (h.pad < left)
		return h.pad;
	return left;
}

static void each_bit(const uint8_t *p, size_t words,
		     void (*see)(void *arg, uint32_t psn), void *arg)
{
	struct rieth_entry base;

	rieth_entry_get(&base, p);
	p += rieth_entry_len;
	for (uint32_t k = 0; k < 32 * words; k++)
		if (p[k / 8] >> (7 - k % 8) & 1)
			see(arg, (base.missing_psn + k) & SERIAL24_MASK);
}

void ib_packet_listed(const struct packet *pkt,
		      void (*see)(void *arg, uint32_t psn), void *arg)
{
	const uint8_t *p = pkt->p + pkt->payload;
	size_t n = (pkt->len - pkt->payload) / rieth_entry_len;
	struct rieth_entry e;
	struct rieth h;

	if (pkt->fault != PACKET_OK || !n || pkt->p[0] != IB_WQE_RTX_IND)
		return;
	rieth_get(&h, pkt->p + bth_len + aeth_len);
	if (h.fmt == RIETH_BITMAP)
		each_bit(p, n - 1 < h.count ? n - 1 : h.count, see, arg);
	if (h.fmt != RIETH_LIST)
		return;
	for (n = n < h.count ? n : h.count; n; n--, p += rieth_entry_len) {
		rieth_entry_get(&e, p);
		see(arg, e.missing_psn);
	}
}

const char *ib_packet_word(const struct packet *pkt)
{
	const char *word = pkt->len ? ib_words[pkt->p[0]] : NULL;

	if (word)
		return word;
	return "unknown";
}

/* ---- Words to bytes ---- */

static bool word_opcode(const char *word, uint64_t *ret)
{
	/* a cache: the opcode last found for a word, by the word's address */
	static _Thread_local uint8_t found[WORDS_FOUND];
	uint8_t *opcode = &found[(uintptr_t)word / 4 % WORDS_FOUND];

	if (!word)
		return false;
	if (!ib_words[*opcode] || !word_same(ib_words[*opcode], word)) {
		if (value_parse(ib_opcodes, word, strlen(word), ret))
			return false;
		*opcode = (uint8_t)*ret;
	}
	*ret = *opcode;
	return true;
}

bool ib_packet_has(const char *word, const char *ses_word, bool ses,
		   const char *name, size_t len, const struct field **ret)
{
	const struct ib_shape *shape;
	const struct field *f;
	uint64_t opcode;

	(void)ses_word;
	if (ses || !word_opcode(word, &opcode))
		return false;
	shape = &shapes[opcode];
	f = header_field(&bth_header, name, len);
	for (unsigned i = 0; !f && i < EXTS_MAX && shape->exts[i]; i++)
		f = header_field(shape->exts[i], name, len);
	if (f && ret)
		*ret = f;
	return f != NULL;
}

bool ib_packet_is_word(const char *word)
{
	uint64_t opcode;

	return word_opcode(word, &opcode);
}

int ib_packet_opcode(const char *word)
{
	uint64_t opcode;

	return word_opcode(word, &opcode) ? (int)opcode : -1;
}

static bool names_pad(const struct packet_spec *spec)
{
	for (size_t i = 0; i < spec->nset; i++)
		if (!spec->set[i].ses && word_same(spec->set[i].name, "pad"))
			return true;
	return false;
}

/* Writes the named fields; *ret_bad is the index of the one that failed. */
static int ib_packet_fill(const struct packet_spec *spec,
			  const struct packet *pkt, uint8_t *head, int *ret_bad)
{
	for (size_t i = 0; i < spec->nset; i++) {
		const struct field_value *set = &spec->set[i];
		struct packet_ref ref;

		if (set->ses ||
		    !packet_find(pkt, 0, pkt->nsec, set->name,
				 strlen(set->name), &ref) ||
		    !field_fits(ref.field, set->value)) {
			*ret_bad = (int)i;
			return ERR_VALUE;
		}
		field_set(ref.field, head + pkt->sec[ref.sec].at, set->value);
	}
	return 0;
}

static int ib_packet_emit(const struct packet_spec *spec, const uint8_t *head,
			  size_t head_len, uint8_t *p, size_t size)
{
	const size_t data = spec->payload_len;
	struct bth h;

	bth_get(&h, head);
	if (data > DGRAM_MAX || head_len + data + h.pad > size)
		return ERR_SPACE;
	memcpy(p, head, head_len);
	memset(p + head_len, 0, data + h.pad);
	if (spec->payload && data)
		memcpy(p + head_len, spec->payload, data);
	return (int)(head_len + data + h.pad);
}

int ib_packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		    int *ret_bad)
{
	uint8_t head[HEAD_MAX] = {0};
	struct bth h = {.pad = (uint8_t)(-spec->payload_len & 3)};
	struct packet pkt;
	uint64_t opcode;
	int err, ignored;

	if (!ret_bad)
		ret_bad = &ignored;
	*ret_bad = -1;
	if (!word_opcode(spec->type, &opcode) || spec->ses)
		return ERR_SUPPORT;
	h.opcode = (uint8_t)opcode;
	bth_put(&h, head);
	pkt = (struct packet){
		.p = head, .len = sizeof(head), .format = &ib_format};
	lay(&pkt, &shapes[opcode]);
	if (names_pad(spec))
		bits_put(head, 10, 2, 0);
	err = ib_packet_fill(spec, &pkt, head, ret_bad);
	if (err)
		return err;
	return ib_packet_emit(spec, head, pkt.payload, p, size);
}

const struct packet_format ib_format = {
	.parse = ib_packet_parse,
	.word = ib_packet_word,
	.is_word = ib_packet_is_word,
	.types = ib_opcodes,
	.has = ib_packet_has,
	.build = ib_packet_build,
	.pad = ib_packet_pad,
};
