/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/flow.c -- keeps the state of each flow, in arrays by the number of
 * the flow; Wireshark frees them when the file is closed.
 */
#include "dissector/flow.h"

#include <string.h>

#include "wire/family.h"

static struct dissect_flows {
	struct dissect_flow *at;
	uint32_t size, n; /* allocated; the highest number and 1 */
} flows[FAMILIES];

void flow_reset(void)
{
	memset(flows, 0, sizeof(flows));
}

/* Returns the flow of a packet; a new one is zeroed. */
static struct dissect_flow *flow_get(const struct seen *s)
{
	struct dissect_flows *f = &flows[s->family];
	const uint32_t number = seen_stream(s);
	uint32_t size = f->size ? f->size : 64;

	f->n = MAX(f->n, number + 1);
	if (number < f->size)
		return &f->at[number];
	while (size <= number)
		size *= 2;
	f->at = wmem_realloc(wmem_file_scope(), f->at, size * sizeof(*f->at));
	memset(f->at + f->size, 0, (size - f->size) * sizeof(*f->at));
	f->size = size;
	return &f->at[number];
}

const struct dissect_flow *flow_of(const struct seen *s)
{
	if (s->stream == SEEN_NO_STREAM ||
	    seen_stream(s) >= flows[s->family].size)
		return NULL;
	return &flows[s->family].at[seen_stream(s)];
}

/* Compares PSNs that are less than half their space apart. */
static bool flow_is_before(const struct seen *s, uint32_t a, uint32_t b)
{
	const uint32_t mask = wire_families[s->family]->psn_mask;

	return ((a - b) & mask) > mask / 2;
}

static void flow_send(struct dissect_flow *f, struct seen *s,
		      const struct rung_facts *x, const struct packet *pkt)
{
	const unsigned from = s->from;

	if (!f->has_base[from]) {
		f->has_base[from] = true;
		f->base[from] = f->low[from] = x->psn;
	}
	if (flow_is_before(s, x->psn, f->low[from]))
		f->low[from] = x->psn;
	s->bytes = (uint16_t)(pkt->len - pkt->payload);
	if (!x->frame) {
		f->psns[from]++;
		f->bytes[from] += s->bytes;
	}
	s->flight_psns = f->psns[from];
	s->flight_bytes = f->bytes[from];
}

void flow_add(struct seen *s, const struct rung_facts *x,
	      const struct packet *pkt)
{
	struct dissect_flow *f = flow_get(s);
	uint64_t id;

	s->from = (uint8_t)(x->from & 1);
	if (f->last) {
		s->since = s->at - f->last;
		s->flags |= SEEN_NEXT;
	} else {
		f->first_from = s->from;
		if (packet_value(pkt, "spdcid", &id))
			f->first_id = (uint32_t)id;
	}
	f->last = s->at;
	if (x->takes_psn) {
		s->psn = x->psn;
		flow_send(f, s, x, pkt);
	} else if (x->about) {
		s->psn = x->psn;
	}
	s->has_psn = x->takes_psn || x->about;
	for (unsigned i = 0; i < 2; i++)
		s->base[i] = f->base[i ? !s->from : s->from];
}

uint32_t flow_seen_from(const struct seen *s, uint32_t from, uint32_t to)
{
	struct dissect_flow *f = flow_get(s);
	const unsigned end = !s->from;

	if (f->answered[end])
		return from;
	f->answered[end] = true;
	if (!f->has_base[end] || flow_is_before(s, to, f->low[end]))
		return to;
	if (flow_is_before(s, from, f->low[end]))
		return f->low[end] - 1;
	return from;
}

void flow_acked(const struct seen *s)
{
	struct dissect_flow *f = flow_get(s);

	if (f->psns[s->from])
		f->psns[s->from]--;
	f->bytes[s->from] -= MIN(f->bytes[s->from], s->bytes);
}

uint32_t flow_count(enum family family)
{
	return flows[family].n;
}
