/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet.c -- sections, words and values of a packet of any format.
 *
 * struct packet_format holds what differs between formats; wire/families.c
 * lists the formats.
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#include "wire/packet.h"

#include <assert.h>
#include <string.h>

#include "base/word.h"

void packet_parse(enum family family, struct packet *ret, const uint8_t *p,
		  size_t len)
{
	wire_families[family]->format->parse(ret, p, len);
}

bool packet_take(struct packet *pkt, const struct header *h)
{
	if (pkt->len - pkt->payload < h->len) {
		pkt->fault = PACKET_SHORT;
		pkt->fault_header = h;
		return false;
	}
	assert(pkt->nsec < PACKET_SECTIONS);
	pkt->sec[pkt->nsec].h = h;
	pkt->sec[pkt->nsec].at = (uint16_t)pkt->payload;
	pkt->nsec++;
	pkt->payload += h->len;
	return true;
}

const char *packet_fault_name(enum packet_fault fault)
{
	switch (fault) {
	case PACKET_OK:
		return "ok";
	case PACKET_SHORT:
		return "short";
	case PACKET_TYPE:
		return "type";
	case PACKET_NEXT_HDR:
		return "next_hdr";
	case PACKET_ENCRYPTED:
		return "encrypted";
	}
	return "unknown";
}

const char *packet_word(const struct packet *pkt)
{
	return pkt->format->word(pkt);
}

size_t packet_pad(const struct packet *pkt)
{
	if (pkt->format->pad)
		return pkt->format->pad(pkt);
	return 0;
}

const struct packet_format *packet_format_of(const char *word)
{
	const struct packet_format *asked = NULL;

	if (!word || wire_families[0]->format->is_word(word))
		return wire_families[0]->format;
	for (unsigned i = 1; i < wire_nfamilies; i++) {
		const struct packet_format *format = wire_families[i]->format;

		if (format == asked) /* several families have one format */
			continue;
		if (format->is_word(word))
			return format;
		asked = format;
	}
	return wire_families[0]->format;
}

/* ---- Values by name ---- */

/* Returns true if |d| has the name; |hash| is the hash of the name. */
static bool derived_has_name(const struct derived *d, const char *name,
			     size_t len, unsigned hash)
{
	return d->name_hash == hash && word_equal(d->name, name, len);
}

/* Finds a derived value; |across|: the name is that of format->across. */
static const struct derived *section_derived(const struct packet *pkt,
					     const struct header *h,
					     const char *name, size_t len,
					     unsigned hash, bool across)
{
	if (across && pkt->format->has_across(h))
		return pkt->format->across;
	for (size_t i = 0; i < h->nderived; i++)
		if (derived_has_name(&h->derived[i], name, len, hash))
			return &h->derived[i];
	return NULL;
}

/* A field of any section precedes a derived value. */
static inline bool packet_find_hashed(const struct packet *pkt, unsigned from,
				      unsigned to, const char *name, size_t len,
				      unsigned hash, struct packet_ref *ret)
{
	const struct derived *named, *derived = NULL;
	bool across;

	if (from >= to || !len) /* a packet that was not parsed has no format */
		return false;
	named = pkt->format->across;
	across = named && derived_has_name(named, name, len, hash);
	for (unsigned i = from; i < to; i++) {
		const struct header *h = pkt->sec[i].h;
		const struct field *f = header_field_hashed(h, name, len, hash);

		if (f) {
			*ret = (struct packet_ref){.sec = i, .field = f};
			return true;
		}
		if (derived || !(across || h->nderived))
			continue;
		derived = section_derived(pkt, h, name, len, hash, across);
		if (derived)
			*ret = (struct packet_ref){.sec = i,
						   .derived = derived};
	}
	return derived != NULL;
}

bool packet_find(const struct packet *pkt, unsigned from, unsigned to,
		 const char *name, size_t len, struct packet_ref *ret)
{
	return packet_find_hashed(pkt, from, to, name, len,
				  len ? field_name_hash(name, len) : 0, ret);
}

uint64_t packet_section_value(const struct packet *pkt, unsigned sec,
			      const char *name)
{
	const struct section *s = &pkt->sec[sec];
	const struct field *f = header_field(s->h, name, strlen(name));

	return field_get(f, pkt->p + s->at);
}

uint64_t packet_get(const struct packet *pkt, const struct packet_ref *ref)
{
	const struct section *s = &pkt->sec[ref->sec];

	if (ref->field)
		return field_get(ref->field, pkt->p + s->at);
	if (ref->derived == pkt->format->across)
		return pkt->format->across_get(pkt, ref->sec);
	return derived_get(s->h, ref->derived, pkt->p + s->at);
}

bool packet_value_hashed(const struct packet *pkt, const char *name, size_t len,
			 unsigned hash, uint64_t *ret)
{
	struct packet_ref ref;

	if (!packet_find_hashed(pkt, 0, pkt->nsec, name, len, hash, &ref))
		return false;
	*ret = packet_get(pkt, &ref);
	return true;
}

bool packet_layout_has(const char *type, const char *ses_word, bool ses,
		       const char *name, size_t len, const struct field **ret)
{
	return packet_format_of(type)->has(type, ses_word, ses, name, len, ret);
}

int packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		 int *ret_bad)
{
	return packet_format_of(spec->type)->build(p, size, spec, ret_bad);
}
