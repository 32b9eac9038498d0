/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/prefetch.c -- prefetches the memory that a packet needs before it
 * is judged.
 *
 * With many flows, each packet reads the index, a flow, its directions and the
 * state of a PSN.  None of them is in the cache, and each holds the address of
 * the next.  If each step is done for several packets at a time, their cache
 * misses overlap.
 */
#include "judge/fast/prefetch.h"
#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow_key.h"

enum { FEW = 16 }; /* so few flows stay in the cache without a prefetch */

/*
 * Fetches into the first-level cache: judging a packet takes hardly longer than
 * loading lines from the second level.
 */
FETCHES fetch(const void *p, size_t len)
{
	for (size_t at = 0; at < len; at += FLOW_LINE)
		__builtin_prefetch((const char *)p + at, 1, 3);
}

/*
 * Most PSNs below ACK_PSN that are fetched for the bitmap of an ACK.  In a
 * fabric that trims, a bitmap often reports more, but to fetch them all costs
 * as much as it saves.
 */
#define BEHIND 24

/* Most PSNs that are fetched because CACK_PSN covers them. */
#define COVERED 8

/* Prefetches the message of a standard request. */
static void note_message(struct judge_prefetch *a, const struct pds_req *req,
			 const uint8_t *p, size_t len)
{
	const size_t at = pds_req_ses_at(req->type);
	struct ses_std_som ses;

	if (req->next_hdr != PDS_NEXT_REQUEST_STD || len < at + ses_std_som_len)
		return;
	ses_std_som_get(&ses, p + at);
	a->has_message = true;
	a->message = ses.message_id;
}

/*
 * Reads the key of the flow, and what else a packet shows of the memory that it
 * needs.  Return: false if the packet belongs to no flow.
 */
static bool prefetch_key_of(struct judge_prefetch *a, const struct dgram *d,
			    const uint8_t *p, size_t len, struct table_key *ret)
{
	struct pds_req req; /* a CP has these fields in the same place */
	/* a NACK has PDCIDs and PSN at the places of a request */
	struct pds_ack ack;
	int32_t offset;

	if (len < pds_ack_len)
		return false;
	pds_ack_get(&ack, p);
	pds_req_get(&req, p);
	a->psn = req.psn;
	switch (req.type) {
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
		note_message(a, &req, p, len);
		a->counts = req.retx;
		a->begins = req.syn;
		if (unlikely(req.syn))
			a->pair = table_pair(&d->src, &d->dst);
		*ret = flow_key_request(d, req.spdcid);
		return true;
	case PDS_CP:
		a->counts = true;
		*ret = flow_key_request(d, req.spdcid);
		return true;
	case PDS_ACK:
	case PDS_ACK_CC:
	case PDS_ACK_CCX:
		offset = ack.ack_psn_offset;
		a->psn = ack.cack_psn + (uint32_t)offset;
		a->is_ack = true;
		if (ack.type != PDS_ACK && offset > 0)
			a->behind =
				(uint16_t)(offset < BEHIND ? offset : BEHIND);
		a->spdcid = ack.spdcid;
		a->cack = ack.cack_psn;
		break;
	case PDS_NACK:
	case PDS_NACK_CCX:
		a->counts = true;
		break;
	default:
		return false;
	}
	*ret = flow_key_answer(d, ack.dpdcid);
	return true;
}

/* |counts|: flow.rare counts the packet. */
FETCHES fetch_flow(const struct flow *f, bool counts)
{
	fetch(f, FLOW_HOT);
	if (counts)
		fetch(&f->rare, sizeof(f->rare));
}

/* The direction that the packet is about; ROD asks for the other one too. */
FETCHES fetch_dir(const struct flow *f, const struct judge_prefetch *a)
{
	if (a->is_ack && f->nlate == FLOW_LATE)
		fetch(f->rtt, sizeof(f->rtt));
	fetch(&f->hot->dir[a->end], sizeof(struct dir));
	if (f->rod)
		fetch(&f->hot->dir[!a->end], FLOW_LINE);
	/*
	 * The full path asks what the other end has sent, and the fast path
	 * does at the link of a source.
	 */
	if (a->counts || (!a->is_ack && f->end[a->end].here))
		fetch(&f->hot->dir[!a->end].sums, FLOW_LINE);
}

/*
 * The PSNs that CACK_PSN covers with this ACK, and the next one, at which
 * step_acked_to() looks.
 */
FETCHES fetch_covered(const struct dir *d, uint32_t cack)
{
	const uint32_t n = cack - d->cack;

	if (unlikely(n - 1 >= COVERED))
		return;
	for (uint32_t i = 0; i <= n; i++)
		fetch(psn_slot(d, cack + 1 - i), sizeof(*d->ring));
}

/*
 * The rare state: an ACK of a PSN above CACK_PSN shows a gap, and what the full
 * path reads is not known.
 */
FETCHES fetch_rare(const struct dir_rare *r, const struct judge_prefetch *a,
		   bool rod)
{
	size_t len = FLOW_LINE;

	if (unlikely(rod))
		len = sizeof(*r);
	else if (unlikely(a->counts || a->behind))
		len = DIR_RARE_OFTEN;
	else if (a->is_ack)
		len = DIR_RARE_ACK;
	fetch(r, len);
}

/* Prefetches the state of a PSN, its message, and the rare state. */
FETCHES fetch_states(const struct dir *d, const struct judge_prefetch *a,
		     bool rod)
{
	if (d->slots)
		for (uint32_t i = 0; i <= a->behind; i++)
			fetch(psn_slot(d, a->psn - i), sizeof(*d->ring));
	if (d->slots && a->is_ack)
		fetch_covered(d, a->cack);
	if (a->has_message && d->message_slots)
		fetch(message_place(d, a->message), sizeof(*d->messages));
	if (d->rare != &dir_nothing)
		fetch_rare(d->rare, a, rod);
}

FETCHES find_place(const struct judge_prefetch *a)
{
	if (likely(a->wanted))
		fetch(table_place(&a->j->table, a->hash),
		      sizeof(struct table_entry));
}

FETCHES find_flow(struct judge_prefetch *a)
{
	uint32_t i, node;

	if (unlikely(!a->wanted))
		return;
	i = table_home(&a->j->table, a->hash);
	node = table_next(&a->j->table, a->hash, &i);
	if (unlikely(!node)) {
		if (a->begins)
			fetch(table_chain(&a->j->table, a->pair),
			      sizeof(uint32_t));
		return;
	}
	a->flow = table_flow(&a->j->table, node, &a->end);
	a->changes = a->j->table.changes;
	fetch_flow(a->flow, a->counts);
}

/*
 * The first answer carries a new PDCID, which needs a slot of the index and the
 * rest of the flow; it may take the full path.
 */
FETCHES fetch_answer(const struct flow *f, const struct judge_prefetch *a)
{
	const struct table_key key = {&f->end[!a->end].addr,
				      &f->end[a->end].addr, a->spdcid};

	fetch(table_place(&a->j->table, table_hash(&key)),
	      sizeof(struct table_entry));
	fetch((const char *)f + FLOW_HOT, sizeof(*f) - FLOW_HOT);
	fetch(&f->hot->dir[!a->end], sizeof(struct dir));
}

/* A flow that begins is linked before the newest flow of its pair. */
FETCHES fetch_pair(const struct table *t, uint32_t pair)
{
	const uint32_t last = *table_chain(t, pair);

	if (last)
		fetch(&t->flows[last - 1].pair_newer, sizeof(uint32_t));
}

FETCHES find_dir(const struct judge_prefetch *a)
{
	const struct flow *f = a->flow;

	if (unlikely(!f)) {
		if (a->wanted && a->begins)
			fetch_pair(&a->j->table, a->pair);
		return;
	}
	if (unlikely(!f->hot))
		return;
	fetch_dir(f, a);
	if (unlikely(!f->end[!a->end].pdcid) && a->is_ack)
		fetch_answer(f, a);
}

FETCHES find_states(const struct judge_prefetch *a)
{
	const struct flow *f = a->flow;

	if (unlikely(!f || !f->hot))
		return;
	fetch_states(&f->hot->dir[a->end], a, f->rod);
	if (unlikely(a->counts) && f->rare != &flow_nothing)
		fetch(f->rare, sizeof(*f->rare));
}

HOT void judge_prefetch_begin(const struct judge *j, struct judge_prefetch *a,
			      const struct dgram *d, const uint8_t *p,
			      size_t len)
{
	const struct table *t = &j->table;
	struct table_key key;

	a->j = j;
	a->wanted = a->has_message = a->is_ack = a->begins = false;
	a->counts = false;
	a->behind = 0;
	a->flow = NULL;
	a->hashed =
		d->family == MAIN_FAMILY && prefetch_key_of(a, d, p, len, &key);
	if (!a->hashed)
		return;
	a->hash = table_hash(&key);
	a->wanted = t->n >= FEW;
}

void judge_expect(const struct judge *j)
{
	fetch(j, offsetof(struct judge, totals));
}

/*
 * One loop for each step: the fewer instructions between two fetches, the more
 * of them overlap.
 */
#define EACH(step)                       \
	for (unsigned i = 0; i < n; i++) \
		step(&a[i]);

HOT void judge_prefetch_index(struct judge_prefetch *a,
			      unsigned n){EACH(find_place)}

HOT void judge_prefetch(struct judge_prefetch *a, unsigned n)
{
	EACH(find_flow)
	EACH(find_dir)
	EACH(find_states)
}
