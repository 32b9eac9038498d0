/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_layout.c -- the places of names, by the headers of a packet.
 */
#include "wire/packet_layout.h"

#include <assert.h>
#include <string.h>

static bool layout_is_of(const struct packet_layout *l,
			 const struct packet *pkt)
{
	if (l->format != pkt->format || l->nsec != pkt->nsec)
		return false;
	for (unsigned i = 0; i < pkt->nsec; i++)
		if (l->h[i] != pkt->sec[i].h)
			return false;
	return true;
}

static void layout_make(struct packet_layout *l, const char *const *names,
			unsigned n, const struct packet *pkt)
{
	*l = (struct packet_layout){.format = pkt->format, .nsec = pkt->nsec};
	for (unsigned i = 0; i < pkt->nsec; i++)
		l->h[i] = pkt->sec[i].h;
	for (unsigned i = 0; i < n; i++) {
		struct packet_place *to = &l->at[l->n];
		const struct field *f;

		if (!packet_find(pkt, 0, pkt->nsec, names[i], strlen(names[i]),
				 &to->ref))
			continue;
		f = to->ref.field;
		to->name = (uint8_t)i;
		to->plain = f && f->kind != FIELD_SINT;
		to->at = f ? f->at : 0;
		to->width = f ? f->width : 0;
		l->has |= (uint64_t)1 << i;
		l->n++;
	}
}

static uint64_t place_get(const struct packet_place *place,
			  const struct packet *pkt)
{
	const uint8_t *p = pkt->p + pkt->sec[place->ref.sec].at;

	if (!place->plain)
		return packet_get(pkt, &place->ref);
	if (place->width == 1) /* the most frequent widths */
		return p[place->at / 8] >> (7 - place->at % 8) & 1;
	if (place->width == 32 && place->at % 8 == 0)
		return get_be32(p + place->at / 8);
	return bits_get(p, place->at, place->width);
}

/* Returns a number from 0 to PACKET_LAYOUTS - 1, by the headers. */
static unsigned layout_hash(const struct packet *pkt)
{
	uint64_t sum = pkt->nsec;

	for (unsigned i = 0; i < pkt->nsec; i++)
		sum = (sum + (uintptr_t)pkt->sec[i].h) * 0x9e3779b97f4a7c15u;
	return (unsigned)(sum >> 32) % PACKET_LAYOUTS;
}

/*
 * When all entries are taken, the first that was tried is made anew for other
 * headers.
 */
static const struct packet_layout *layout_of(struct packet_layouts *known,
					     const char *const *names,
					     unsigned n,
					     const struct packet *pkt)
{
	const unsigned first = layout_hash(pkt);
	struct packet_layout *l = &known->v[first];

	for (unsigned i = 1; l->format && i <= PACKET_LAYOUTS; i++) {
		if (layout_is_of(l, pkt))
			return l;
		l = &known->v[(first + i) % PACKET_LAYOUTS];
	}
	layout_make(l, names, n, pkt);
	return l;
}

uint64_t packet_values(struct packet_layouts *known, const char *const *names,
		       unsigned n, const struct packet *pkt, uint64_t *ret)
{
	const struct packet_layout *l;

	assert(n <= PACKET_NAMES);
	l = layout_of(known, names, n, pkt);
	memset(ret, 0, n * sizeof(*ret));
	for (unsigned i = 0; i < l->n; i++)
		ret[l->at[i].name] = place_get(&l->at[i], pkt);
	return l->has;
}
