/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/graph/graph_marks.c -- turns packets into marks.
 */
#include "reports/graph/graph_marks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"

static void graph_add(struct graph *g, const struct graph_mark *m)
{
	if (g->n == GRAPH_MARKS) {
		g->left_out++;
		return;
	}
	if (g->n == g->size) {
		const size_t n = g->size ? 2 * g->size : 256;
		void *p = memory_realloc(g->marks, n * sizeof(*g->marks));

		if (!p) {
			g->failed_alloc = true;
			return;
		}
		g->marks = p;
		g->size = n;
	}
	g->marks[g->n++] = *m;
}

static void add_range(struct graph *g, const struct graph_packet *p,
		      enum graph_kind kind, uint32_t psn, uint32_t to)
{
	struct graph_mark m = {.at = p->at,
			       .frame = p->frame,
			       .psn = psn & g->psn_mask,
			       .to = to & g->psn_mask,
			       .kind = (uint8_t)kind};

	m.side = p->facts->from & 1;
	if (!p->facts->takes_psn)
		m.side ^= 1;
	graph_add(g, &m);
}

static void take_request(struct graph *g, const struct graph_packet *p)
{
	const struct rung_facts *x = p->facts;
	enum graph_kind kind = GRAPH_SENT;

	if (x->net_dup)
		kind = GRAPH_DUPLICATE;
	else if (x->frame)
		kind = GRAPH_REPEAT;
	add_range(g, p, kind, x->psn, x->psn);
}

/*
 * Adds the set bits of a bitmap whose first bit stands for |base|, a mark for
 * each run of them.  Bit 0 of |bits| is the first one.
 */
static void take_bitmap(struct graph *g, const struct graph_packet *p,
			uint32_t base, uint64_t bits)
{
	for (unsigned i = 0; i < 64; i++) {
		const unsigned from = i;

		if (!(bits >> i & 1))
			continue;
		while (i < 63 && bits >> (i + 1) & 1)
			i++;
		add_range(g, p, GRAPH_SACK, base + from, base + i);
	}
}

static uint64_t graph_reversed(uint64_t bits)
{
	uint64_t ret = 0;

	for (unsigned i = 0; i < 64; i++)
		ret |= (bits >> i & 1) << (63 - i);
	return ret;
}

static void take_sack(struct graph *g, const struct graph_packet *p)
{
	uint64_t base, bits;

	if (!packet_value(p->pkt, "sack_bitmap", &bits))
		return;
	if (packet_value(p->pkt, "sack_psn", &base))
		take_bitmap(g, p, (uint32_t)base, bits);
	else if (packet_value(p->pkt, "cack", &base)) /* SRD, from bit 63 on */
		take_bitmap(g, p, (uint32_t)base + 1, graph_reversed(bits));
}

/* A retransmission indication lists the PSNs that it asks for. */
struct graph_listed {
	struct graph *g;
	const struct graph_packet *p;
	uint32_t from, to;
	bool any;
};

static void put_listed(struct graph_listed *l)
{
	if (l->any)
		add_range(l->g, l->p, GRAPH_NACK, l->from, l->to);
}

static void see_listed(void *arg, uint32_t psn)
{
	struct graph_listed *l = arg;

	if (l->any && psn == ((l->to + 1) & l->g->psn_mask)) {
		l->to = psn;
		return;
	}
	put_listed(l);
	l->from = l->to = psn;
	l->any = true;
}

static bool is_nack(const struct packet *pkt)
{
	uint64_t v;

	if (packet_value(pkt, "nack_code", &v))
		return true;
	return packet_value(pkt, "syndrome", &v) && ib_is_nak((uint8_t)v);
}

static void take_answer(struct graph *g, const struct graph_packet *p)
{
	const struct rung_facts *x = p->facts;
	struct graph_listed listed = {.g = g, .p = p};

	if (x->acks)
		add_range(g, p, GRAPH_ACK, x->acks_to, x->acks_to);
	take_sack(g, p);
	if (p->pkt->format == &ib_format)
		ib_packet_listed(p->pkt, see_listed, &listed);
	put_listed(&listed);
	if (!listed.any && x->about && is_nack(p->pkt))
		add_range(g, p, GRAPH_NACK, x->psn, x->psn);
}

void graph_take(struct graph *g, const struct graph_packet *p)
{
	if (p->facts->foreign)
		return;
	if (p->facts->takes_psn)
		take_request(g, p);
	else
		take_answer(g, p);
	if (p->removed && (p->facts->takes_psn || p->facts->about))
		add_range(g, p, GRAPH_REMOVED, p->facts->psn, p->facts->psn);
}

static int by_frame(const void *key, const void *mark)
{
	const uint32_t frame = *(const uint32_t *)key;
	const struct graph_mark *m = mark;

	return (frame > m->frame) - (frame < m->frame);
}

void graph_find(struct graph *g, uint32_t frame)
{
	size_t n = g->n;
	const struct graph_mark *m;
	struct graph_mark finding;

	/* Findings that were added stand behind all frames. */
	while (n && g->marks[n - 1].kind == GRAPH_FINDING)
		n--;
	m = n ? bsearch(&frame, g->marks, n, sizeof(*m), by_frame) : NULL;
	if (!m)
		return;
	finding = *m;
	finding.kind = GRAPH_FINDING;
	graph_add(g, &finding);
}

uint64_t graph_count(const struct graph *g, unsigned side, enum graph_kind kind)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct graph_mark *m = &g->marks[i];

		if (m->side == side && m->kind == kind)
			n += 1 + ((m->to - m->psn) & g->psn_mask);
	}
	return n;
}

void graph_free(struct graph *g)
{
	free(g->marks);
	*g = (struct graph){0};
}
