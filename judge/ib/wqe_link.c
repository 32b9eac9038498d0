/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/wqe_link.c -- connections of the WQE extension and their PSNs.
 */
#include "judge/ib/wqe_link.h"

#include "base/err.h"
#include "base/memory.h"
#include "wire/ib/ib.h"

#define MTU_LEAST 256 /* the smallest MTU of InfiniBand */

/* ---- Connections ---- */

int wqe_seen_new(void **ret, enum family family)
{
	struct wqe_seen *s = memory_calloc(1, sizeof(*s));

	if (!s)
		return ERR_NOMEM;
	ib_flows_init(&s->flows, family, WQE_LINKS, WQE_FLOW);
	*ret = s;
	return 0;
}

/* A connection begins with SN 0; a packet before it may have been lost. */
static struct ib_flow *wqe_link_begin(struct wqe_seen *s,
				      const struct wqe_item *x)
{
	struct ib_flow *f = ib_flow_begin(&s->flows, &x->ib, x->bth.dest_qp,
					  ib_begins(x->bth.opcode));

	s->link[f - s->flows.v] = (struct wqe_link){
		.low = x->bth.psn,
		.next = x->bth.psn,
		.una = x->bth.psn,
	};
	return f;
}

bool wqe_link_find(struct wqe_seen *s, struct wqe_item *x)
{
	struct ib_flow *f =
		x->ib.answer ? ib_flow_of_answer(&s->flows, &x->ib,
						 x->bth.dest_qp, NULL, NULL)
			     : ib_flow_find(&s->flows, &x->ib, x->bth.dest_qp);

	if (!f && !x->ib.answer && !x->misses)
		f = wqe_link_begin(s, x);
	if (!f)
		return false;
	ib_flow_heard(&s->flows, &x->ib, f);
	x->c = &s->link[f - s->flows.v];
	x->psns = s->psns[f - s->flows.v];
	return true;
}

void wqe_link_learn_mtu(const struct wqe_item *x)
{
	if (x->len && !ib_ends(x->bth.opcode))
		x->c->mtu = x->len;
}

void wqe_link_midstream(struct wqe_item *x)
{
	struct wqe_link *c = x->c;

	x->ib.f->complete = false;
	c->low = x->psn;
	if (!c->acked)
		c->una = x->psn;
}

/* ---- PSNs ---- */

uint32_t wqe_link_takes(const struct wqe_item *x)
{
	const uint32_t len = x->x.wqe_length - x->x.wqe_offset;
	const uint32_t mtu = x->c->mtu;
	uint32_t n;

	if (!x->read || !len)
		return 1;
	if (!mtu)
		return len <= MTU_LEAST ? 1 : 0;
	n = (len - 1) / mtu + 1;
	if (n < WQE_WINDOW / 2)
		return n;
	return 0;
}

void wqe_link_add(const struct wqe_item *x, uint32_t n)
{
	for (uint32_t i = 0; i < (n ? n : 1); i++) {
		struct wqe_psn k = {
			.number = x->ib.f->number,
			.psn = x->psn + i,
			.frame = x->ib.in->frame,
			.last = x->ib.in->frame,
			.x = x->x,
			.len = x->len,
			.opcode = x->bth.opcode,
			.ends = ib_ends(x->bth.opcode),
			.read = x->read,
			.open = !n,
		};

		k.x.wqe_offset += i * x->c->mtu;
		x->psns[k.psn & (WQE_WINDOW - 1)] = k;
	}
}

void wqe_link_again(const struct wqe_item *x, struct wqe_psn *k)
{
	x->c->listed -= k->due;
	k->listed = k->due = false;
	k->again = true;
	k->again_at = x->ib.in->at;
	k->last = x->ib.in->frame;
}

uint32_t wqe_seen_frame(const void *state, uint32_t psn)
{
	const struct wqe_seen *s = state;
	const struct ib_flow *f = s->flows.last;
	const struct wqe_psn *k;
	size_t i;

	if (!f)
		return 0;
	i = (size_t)(f - s->flows.v);
	psn = serial24_near(psn, s->link[i].next);
	k = &s->psns[i][psn & (WQE_WINDOW - 1)];
	if (k->number == f->number && k->psn == psn)
		return k->last;
	return 0;
}
