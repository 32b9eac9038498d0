/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/decode.c -- libFuzzer target: hostile bytes to frames, packets, text,
 * and back to bytes.
 *
 * Every input is read four ways: as an Ethernet frame, as an IP packet, as the
 * bytes behind UDP, as a packet that begins with a BTH.  A parsed packet is
 * printed in both styles and built again; where the words are complete, the
 * same bytes must result.
 */
#include <string.h>

#include "fuzz/target.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame.h"
#include "wire/frame/frame_build.h"
#include "wire/ib/ib_packet.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

#define SETS 128

static void fuzz_decode_print(const struct packet *pkt)
{
	struct text t = {0};

	packet_print(&t, pkt, PACKET_FULL, NULL);
	CHECK(t.len > 0 && !memchr(t.s, '\n', t.len));
	packet_print(&t, pkt, PACKET_BRIEF, NULL);
	text_free(&t);
}

static size_t fuzz_decode_collect(const struct packet *pkt,
				  struct field_value *set)
{
	size_t n = 0;

	for (unsigned i = 0; i < pkt->nsec; i++) {
		const struct section *s = &pkt->sec[i];

		for (size_t k = 0; k < s->h->nfields; k++) {
			const struct field *f = &s->h->fields[k];
			uint64_t v = field_get(f, pkt->p + s->at);

			if (v && strcmp(f->name, "type"))
				set[n++] = (struct field_value){f->name, v,
								i >= pkt->nses};
			CHECK(n < SETS);
		}
	}
	return n;
}

/* Words cannot describe a truncated header; they can describe a missing one. */
static int fuzz_decode_is_restorable(const struct packet *pkt)
{
	if (pkt->fault == PACKET_TYPE)
		return 0;
	if (pkt->fault != PACKET_SHORT)
		return 1;
	return pkt->nsec && pkt->nsec == pkt->nses &&
	       strstr(pkt->fault_header->spec, "3.4.2");
}

static void fuzz_decode_rebuild(const struct packet *pkt)
{
	static uint8_t bytes[DGRAM_MAX];
	struct field_value set[SETS];
	struct packet_spec spec = {
		.type = packet_word(pkt),
		.ses = pkt->nses < pkt->nsec ? pkt->sec[pkt->nses].h->name
					     : NULL,
		.set = set,
		.nset = fuzz_decode_collect(pkt, set),
		.payload = pkt->p + pkt->payload,
		.payload_len = pkt->len - pkt->payload,
	};

	CHECK(packet_build(bytes, sizeof(bytes), &spec, NULL) == (int)pkt->len);
	CHECK(memcmp(bytes, pkt->p, pkt->len) == 0);
}

static void fuzz_decode(const uint8_t *p, size_t len)
{
	struct packet pkt;
	uint64_t value;

	uet_packet_parse(&pkt, p, len);
	CHECK(pkt.nses <= pkt.nsec && pkt.payload <= len);
	CHECK((pkt.fault == PACKET_SHORT) == (pkt.fault_header != NULL));
	packet_value(&pkt, "clear_psn", &value);
	packet_value(&pkt, "sack_psn", &value);
	fuzz_decode_print(&pkt);
	if (len <= DGRAM_MAX && fuzz_decode_is_restorable(&pkt))
		fuzz_decode_rebuild(&pkt);
}

/* Decodes the same bytes as RoCEv2, SRD or the WQE extension. */
static void decode_ib(const uint8_t *p, size_t len)
{
	struct packet pkt;

	ib_packet_parse(&pkt, p, len);
	CHECK(pkt.nses == pkt.nsec && pkt.payload <= len);
	CHECK((pkt.fault == PACKET_SHORT) == (pkt.fault_header != NULL));
	CHECK(ib_packet_pad(&pkt) <= len - pkt.payload);
	fuzz_decode_print(&pkt);
}

static void unframe(const struct frame_conf *conf, enum frame_link link,
		    const uint8_t *p, size_t len)
{
	static uint8_t bytes[DGRAM_MAX + 128];
	static struct dgram d, again;
	struct frame_info info;
	int n;

	if (frame_parse(conf, link, p, len, &d, &info) != FRAME_OK)
		return;
	CHECK(info.tunnels <= FRAME_TUNNELS_MAX);
	CHECK(d.len == info.len && info.at + info.len <= len);
	crc_check(&d, CRC_LE);
	fuzz_decode(d.data, d.len);
	n = frame_build(NULL, link, &d, bytes, sizeof(bytes));
	CHECK(n > 0);
	CHECK(frame_parse(NULL, link, bytes, (size_t)n, &again, &info) ==
	      FRAME_OK);
	CHECK(again.len == d.len && again.entropy == d.entropy);
	CHECK(memcmp(again.data, d.data, d.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	static const struct frame_conf tunnels = {.tunnels = true};

	unframe(NULL, FRAME_ETHERNET, p, len);
	unframe(NULL, FRAME_RAW_IP, p, len);
	unframe(&tunnels, FRAME_ETHERNET, p, len);
	unframe(&tunnels, FRAME_RAW_IP, p, len);
	fuzz_decode(p, len);
	decode_ib(p, len);
	return 0;
}
