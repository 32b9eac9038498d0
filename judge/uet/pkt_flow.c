/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_flow.c -- finds the flow that a packet belongs to.
 *
 * Spec: UET 3.5.8.1 (uet.md 6.1)
 */
#include "judge/uet/pkt_flow.h"

#include "base/hot.h"
#include "judge/conf.h"
#include "judge/core/state.h"
#include "judge/fast/prefetch.h"
#include "judge/seen.h"
#include "judge/uet/flow/ring.h"
#include "judge/uet/flow_key.h"
#include "judge/uet/pdcless/pdcless.h"
#include "judge/uet/pkt_read.h"

static struct flow *pkt_find(struct pkt_ctx *l, bool sender, uint16_t pdcid,
			     unsigned *ret_end)
{
	const struct table_key key = flow_key(l->in->d, sender, pdcid);

	if (!pdcid)
		return NULL;
	return table_find(&l->j->table, &key, table_hash(&key), ret_end);
}

/* Finds the flow by the key that judge_prefetch() used as well. */
static HOT struct flow *
find_first(struct pkt_ctx *l, const struct table_key *key, unsigned *ret_end)
{
	const struct judge_prefetch *a = l->in->ahead;
	uint32_t hash;

	if (unlikely(!key->pdcid))
		return NULL;
	if (likely(a && a->hashed))
		hash = a->hash;
	else
		hash = table_hash(key);
	return table_find(&l->j->table, key, hash, ret_end);
}

/* The mode of a midstream flow is unknown until such a packet comes. */
static void learn_mode(struct pkt_ctx *l)
{
	if (likely(l->f->mode_known) || !pkt_tells_mode(l))
		return;
	l->f->mode_known = true;
	l->f->rod = pkt_is_rod(l);
}

static struct flow *pkt_begin(struct pkt_ctx *l)
{
	struct judge *j = l->j;
	struct flow *f = table_add(&j->table, &l->in->d->src, &l->in->d->dst);

	if (!f)
		return NULL;
	j->totals.flows++;
	for (unsigned i = 0; i < 2; i++) {
		f->side[i] = judge_side_number(j, &f->end[i].addr);
		f->end[i].here =
			!j->conf.remote_vantage &&
			(!j->conf.here.len ||
			 ip_addr_equal(&j->conf.here, &f->end[i].addr));
	}
	f->mode_known = pkt_tells_mode(l);
	f->rod = f->mode_known && pkt_is_rod(l);
	/* The states of its first PSN and message are in new memory, too. */
	__builtin_prefetch(&f->hot->ring[l->psn & (FLOW_LEAST - 1)], 1, 3);
	__builtin_prefetch(f->hot->messages, 1, 3);
	f->native = l->in->d->native;
	f->entropy = l->in->d->entropy;
	return f;
}

/* In a capture that starts midstream, only the SES header shows return data. */
static bool is_return_data(const struct pkt_ctx *l)
{
	return l->kind == PKT_REQ && l->next_hdr > PDS_NEXT_RESPONSE;
}

static enum req_role chair_of(const struct pkt_ctx *l)
{
	const struct flow *f = l->f;

	if (likely(l->kind < PKT_RUDI && f->initiator >= 0))
		return f->initiator == (int)l->from ? REQ_SRC : REQ_DST;
	return is_return_data(l) ? REQ_DST : l->role;
}

/* Allocates the ROD state before it is used. */
static void need_rod(struct pkt_ctx *l)
{
	const struct dir_rare *own = dir_rare(l->j, l->own);
	const struct dir_rare *peer = dir_rare(l->j, l->peer);

	if (own != l->own->rare || peer != l->peer->rare)
		l->f->complete = false; /* memory ran out */
}

static HOT enum pkt_found pkt_belongs(struct pkt_ctx *l, struct flow *f,
				      unsigned from, bool fits)
{
	l->f = f;
	l->from = from;
	l->own = &f->hot->dir[from];
	l->peer = &f->hot->dir[!from];
	l->seen = flow_side(l->j, f, from)->seen;
	l->chair = chair_of(l);
	learn_mode(l);
	if (unlikely(f->rod))
		need_rod(l);
	return fits ? PKT_FLOW : PKT_FOREIGN;
}

static enum pkt_found unmatched(struct pkt_ctx *l)
{
	struct flow *f = l->j->unmatched;

	f->complete = false;
	f->initiator = -1;
	f->end[0].addr = l->in->d->src;
	f->end[1].addr = l->in->d->dst;
	for (unsigned i = 0; i < 2; i++) {
		f->side[i] = judge_side_number(l->j, &f->end[i].addr);
		f->end[i].here =
			!l->conf->remote_vantage &&
			(!l->conf->here.len ||
			 ip_addr_equal(&l->conf->here, &f->end[i].addr));
	}
	pkt_belongs(l, f, 0, false);
	return PKT_UNMATCHED;
}

/*
 * Packets without a PDC have no start to be seen: the judge saw all of them, or
 * may have missed some.
 */
static enum pkt_found pdcless(struct pkt_ctx *l)
{
	unmatched(l);
	l->f->complete = judge_saw_all(l->conf);
	pdcless_find(l);
	return PKT_PDCLESS;
}

/*
 * A restarted device may begin with the same PDCID and Start_PSN: this is
 * another first packet on a PDC that was established before.
 */
static bool is_restart(struct pkt_ctx *l, struct flow *f)
{
	const struct psn_state *s = psn_find(f, &f->hot->dir[0], l->psn);

	if (l->mangled || (s && s->flags & PSN_MANGLED))
		return false;
	return f->known_at && s && !l->retx && l->kind == PKT_REQ &&
	       (s->hash != l->hash || pkt_is_rod(l) != f->rod);
}

/*
 * The PDCID of a closed or failed PDC may be reused; the new Start_PSN is then
 * at least 2^16 away from the earlier PSNs (uet.md 6.2).  A smaller distance
 * means the same PDC with a wrong psn_offset.
 */
static bool is_new_pdc(struct pkt_ctx *l, struct flow *f)
{
	const int32_t d = serial_diff(l->start, f->syn_start);

	if (!f->syn_start_known)
		return !f->complete; /* a SYN on a midstream flow */
	if (d && !f->complete)
		return true;
	if (d == 0)
		return is_restart(l, f);
	return f->moved || f->closed || f->rare->fatal_at || d >= 65536 ||
	       d <= -65536;
}

/*
 * Returns true for the first transmission of the first PSN, which no packet
 * precedes.
 */
static bool pkt_is_first(const struct pkt_ctx *l)
{
	return l->psn == l->start && !l->retx;
}

static enum pkt_found pkt_find_syn(struct pkt_ctx *l, uint16_t spdcid)
{
	const struct table_key key = flow_key_request(l->in->d, spdcid);
	unsigned from = 0;
	struct flow *f = find_first(l, &key, &from);
	bool moved = false;

	if (!spdcid)
		return unmatched(l);
	if (f && from == 0 && is_new_pdc(l, f)) {
		moved = f->moved;
		l->reuses = f->complete && !moved;
		l->reused_psn = f->hot->dir[from].high;
		table_forget(&l->j->table, f);
		f = NULL;
	}
	/* The PDC that had this target PDCID has ended. */
	if (f && from == 1 &&
	    (f->closed || f->rare->fatal_at || (f->closing && !f->complete))) {
		table_forget(&l->j->table, f);
		f = NULL;
	}
	/*
	 * It may have, if the closing ACK was lost: its initiator goes on.  The
	 * table finds the new flow first.
	 */
	if (f && from == 1 && f->closing)
		f = NULL;
	if (!f) {
		f = pkt_begin(l);
		if (!f)
			return unmatched(l);
		f->began = pkt_is_first(l);
		f->complete =
			l->conf->complete && (f->began || !l->conf->midstream);
		f->renumbered = moved;
		f->initiator = 0;
		f->syn_start_known = true;
		f->syn_start = l->start;
		table_learn(&l->j->table, f, 0, spdcid);
		table_expect(&l->j->table, f);
		from = 0;
	}
	return pkt_belongs(l, f, from, true);
}

/* Begins a midstream flow. */
static enum pkt_found find_middle(struct pkt_ctx *l, uint16_t spdcid,
				  uint16_t dpdcid)
{
	struct flow *f;

	if (!spdcid || !dpdcid)
		return unmatched(l);
	f = pkt_begin(l);
	if (!f)
		return unmatched(l);
	table_learn(&l->j->table, f, 0, spdcid);
	table_learn(&l->j->table, f, 1, dpdcid);
	return pkt_belongs(l, f, 0, true);
}

/* In a capture with gaps, a PDCID may belong to another PDC by now. */
static bool may_be_another(const struct flow *f)
{
	return !f->complete;
}

/*
 * Return data may reach the initiator before any ACK that carries the TPDCID.
 */
static bool first_of_target(const struct flow *f, unsigned from)
{
	return from == 1 && f->syn_start_known && !f->end[1].pdcid;
}

/*
 * The target of a PDC may use the PDCID of one that has ended, and send a
 * packet before its first ACK.  Returns the flow of that packet, or NULL if it
 * belongs to the ended PDC, |f|.
 */
static struct flow *find_successor(struct pkt_ctx *l, const struct flow *f,
				   uint16_t dpdcid, unsigned *ret_end)
{
	struct flow *next;

	if (!f->closed && !f->rare->fatal_at)
		return NULL;
	if (l->kind == PKT_REQ && !is_return_data(l))
		return NULL; /* a target sends no other requests */
	next = pkt_find(l, false, dpdcid, ret_end);
	return next && next != f && first_of_target(next, !*ret_end) ? next
								     : NULL;
}

static enum pkt_found find_plain(struct pkt_ctx *l, uint16_t spdcid,
				 uint16_t dpdcid)
{
	const struct table_key key = flow_key_request(l->in->d, spdcid);
	unsigned end = 0;
	struct flow *f = find_first(l, &key, &end), *next;
	unsigned next_end = 0;
	bool fits;

	if (likely(f)) {
		fits = f->end[!end].pdcid == dpdcid;
		next = likely(fits) ? NULL
				    : find_successor(l, f, dpdcid, &next_end);
		if (unlikely(next)) {
			table_learn(&l->j->table, next, !next_end, spdcid);
			return pkt_belongs(l, next, !next_end, true);
		}
		if (unlikely(!fits) && may_be_another(f) &&
		    !f->end[!end].pdcid) {
			table_learn(&l->j->table, f, !end, dpdcid);
			fits = true;
		}
		if (likely(fits) || !may_be_another(f))
			return pkt_belongs(l, f, end, fits);
		table_forget(&l->j->table, f);
		return find_middle(l, spdcid, dpdcid);
	}
	f = pkt_find(l, false, dpdcid, &end);
	if (f && spdcid && first_of_target(f, !end)) {
		table_learn(&l->j->table, f, !end, spdcid);
		return pkt_belongs(l, f, !end, true);
	}
	if (f && f->end[!end].pdcid && !may_be_another(f))
		return pkt_belongs(l, f, !end, false);
	if (f)
		table_forget(&l->j->table, f);
	return find_middle(l, spdcid, dpdcid);
}

/* The first answer carries the target's PDCID. */
static bool answer_fits(struct pkt_ctx *l, struct flow *f, unsigned from,
			uint16_t spdcid)
{
	if (unlikely(!f->end[from].pdcid))
		table_learn(&l->j->table, f, from, spdcid);
	return f->end[from].pdcid == spdcid;
}

/* Finds, by its addresses, the PDC of a first answer of a target. */
static struct flow *find_expecting(struct pkt_ctx *l)
{
	struct flow *f = table_find_expecting(&l->j->table, &l->in->d->dst,
					      &l->in->d->src);

	return f && f->complete && !f->end[1].pdcid ? f : NULL;
}

/*
 * Finds the flow of an answer that repeats the PDCIDs instead of exchanging
 * them.
 */
static struct flow *find_unexchanged(struct pkt_ctx *l, uint16_t spdcid,
				     uint16_t dpdcid, unsigned *ret_end)
{
	struct flow *f = pkt_find(l, true, dpdcid, ret_end);

	return f && f->complete && f->end[!*ret_end].pdcid == spdcid ? f : NULL;
}

static enum pkt_found find_ack(struct pkt_ctx *l)
{
	const uint16_t spdcid = l->ack.spdcid, dpdcid = l->ack.dpdcid;
	const struct table_key key = flow_key_answer(l->in->d, dpdcid);
	unsigned end = 0;
	struct flow *f = find_first(l, &key, &end);

	if (likely(f && spdcid && answer_fits(l, f, !end, spdcid)))
		return pkt_belongs(l, f, !end, true);
	if (f && f->complete)
		return pkt_belongs(l, f, !end, false);
	if (f)
		table_forget(&l->j->table, f);
	f = pkt_find(l, true, spdcid, &end);
	if (f && f->complete)
		return pkt_belongs(l, f, end, false);
	if (f)
		table_forget(&l->j->table, f);
	f = find_expecting(l);
	if (f)
		return pkt_belongs(l, f, 1, false);
	f = find_unexchanged(l, spdcid, dpdcid, &end);
	if (f)
		return pkt_belongs(l, f, end, false);
	return find_middle(l, spdcid, dpdcid);
}

/*
 * A SYN under the PDCID of a target began |f|.  Does the initiator of the PDC
 * of that target refuse it, with the PDCIDs of that PDC?
 */
static bool refuses_target(struct pkt_ctx *l, const struct flow *f,
			   unsigned from)
{
	unsigned end = 0;
	const struct flow *old;

	if (l->nack.nack_code != NACK_INVALID_SYN || f->end[from].pdcid)
		return false;
	old = pkt_find(l, true, l->nack.spdcid, &end);
	return old && old != f && old->closing &&
	       old->end[!end].pdcid == l->nack.dpdcid;
}

/* spdcid is 0 if the target has no PDC; such a NACK carries no PDCID. */
static enum pkt_found find_nack(struct pkt_ctx *l)
{
	const uint16_t spdcid = l->nack.spdcid, dpdcid = l->nack.dpdcid;
	const struct table_key key = flow_key_answer(l->in->d, dpdcid);
	unsigned end = 0;
	struct flow *f = find_first(l, &key, &end);

	if (f && spdcid && !refuses_target(l, f, !end) &&
	    !answer_fits(l, f, !end, spdcid))
		return pkt_belongs(l, f, !end, false);
	if (f)
		return pkt_belongs(l, f, !end, true);
	f = pkt_find(l, true, spdcid, &end);
	if (f && f->complete)
		return pkt_belongs(l, f, end, false);
	return unmatched(l);
}

HOT enum pkt_found pkt_find_flow(struct pkt_ctx *l)
{
	const uint16_t spdcid =
		l->kind == PKT_REQ ? l->req.spdcid : l->cp.spdcid;
	const uint16_t dpdcid =
		l->kind == PKT_REQ ? l->req.dpdcid : l->cp.dpdcid;

	if (l->kind == PKT_ACK)
		return find_ack(l);
	if (unlikely(l->kind >= PKT_RUDI))
		return pdcless(l);
	if (unlikely(l->kind == PKT_NACK))
		return find_nack(l);
	return unlikely(l->syn) ? pkt_find_syn(l, spdcid)
				: find_plain(l, spdcid, dpdcid);
}

static bool pkt_is_answer(enum pds_type type)
{
	return type >= PDS_RUDI_RESP && type <= PDS_NACK_CCX &&
	       type != PDS_UUD_REQ && type != PDS_CP;
}

void pkt_unread(struct pkt_ctx *l)
{
	const unsigned spdcid = 8; /* offset of spdcid in most headers */
	struct flow *f = NULL;
	unsigned end = 0;
	int8_t initiator = -1;

	if (l->len >= spdcid + 2)
		f = pkt_find(l, true, (uint16_t)bits_get(l->p, spdcid * 8, 16),
			     &end);
	if (f && f->initiator >= 0)
		initiator = f->initiator == (int)end ? 0 : 1;
	l->role = pkt_pds_len(l->type) && pkt_is_answer(l->type) ? REQ_DST
								 : REQ_SRC;
	unmatched(l);
	l->f->initiator = initiator;
	l->chair = chair_of(l);
}
