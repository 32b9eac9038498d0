/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/fast_path.c -- the fast path of a predicted packet of a known
 * flow.
 *
 * It updates the state of the flow from the bytes of the packet, without a
 * struct pkt_ctx.  All conditions are rows of conditions.def; the first one
 * that fails sends the packet to the full path.  All tests run before any state
 * changes, except table_now(), which may evict idle flows.  The changes are the
 * steps of judge/uet/flow/steps.h, which the full path takes as well;
 * judge/fast/fast_path_test.c compares the state that both paths leave behind.
 *
 * Spec: UET 3.5.8.2, 3.5.11, 3.5.12 (uet.md 6, 7)
 */
#include "judge/fast/fast_path.h"

#include "base/hot.h"
#include "judge/core/flow_stats.h"
#include "judge/core/state.h"
#include "judge/fast/conditions.h"
#include "judge/fast/predicted.h"
#include "judge/fast/prefetch.h"
#include "judge/judge.h"
#include "judge/uet/flow/controls.h"
#include "judge/uet/flow/messages.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/flow/steps.h"
#include "judge/uet/flow_key.h"
#include "judge/uet/pkt_place.h"

/* Bytes of the PDS headers of ACKs with a CC section. */
enum {
	FAST_ACK_CC_LEN = pds_ack_len + pds_ack_cc_len + pds_nscc_len,
	FAST_ACK_CCX_LEN = pds_ack_len + pds_ack_ccx_len,
};

bool fast_path_is_open(const struct judge_conf *conf)
{
	const struct fast_pkt x = {.conf = conf};

	return predicted_is_told(conf) &&
	       condition_failed(&x, COND_ANY, PATH_FAST, STAGE_JUDGE) ==
		       COND_NONE;
}

/* ---- The flow ---- */

/*
 * Returns the first flow of that hash, from judge_prefetch() if it is still
 * valid.
 */
static struct flow *candidate(const struct table *t,
			      const struct judge_prefetch *a,
			      const struct table_key *key, unsigned *ret_end)
{
	uint32_t hash, at, node;

	if (likely(a && a->flow && a->changes == t->changes)) {
		*ret_end = a->end;
		return a->flow;
	}
	hash = table_hash(key);
	at = table_home(t, hash);
	node = table_next(t, hash, &at);
	return node ? table_flow(t, node, ret_end) : NULL;
}

/* Returns the flow of |key| and in *ret_end the end that owns the PDCID, or
 * NULL. */
static inline __attribute__((always_inline)) struct flow *
fast_path_find(struct judge *j, const struct judge_packet *in,
	       const struct table_key *key, unsigned *ret_end)
{
	struct table *t = &j->table;
	struct flow *f;

	table_now(t, in->at, j->conf.idle);
	f = candidate(t, in->ahead, key, ret_end);
	return likely(f && table_is(key, f, *ret_end)) ? f : NULL;
}

/*
 * Returns a fast_pkt with the members that are known before the header is read.
 */
static inline struct fast_pkt fast_path_begin(const struct judge *j,
					      const struct judge_packet *in)
{
	return (struct fast_pkt){.conf = &j->conf,
				 .in = in,
				 .p = in->pkt->p,
				 .len = in->pkt->len};
}

/* Notes which end sent the packet, and at whose links the judge is. */
static inline void fast_path_from(struct fast_pkt *x, unsigned from)
{
	x->from = from;
	x->here = x->f->end[from].here;
	x->there = x->f->end[!from].here;
}

/* Finds the prediction for the key of this packet. */
static inline void fast_path_predict(struct judge *j, struct fast_pkt *x,
				     unsigned kind)
{
	x->u = predicted_known(j->common->predicted, condition_key(x, kind));
}

/* Makes the changes that every packet of a flow makes. */
static void fast_path_note(struct judge *j, const struct fast_pkt *x)
{
	x->u->times++;
	table_use(&j->table, x->f);
	x->f->last_at = x->in->at;
	judge_note_flow(j, x->f, x->from);
	j->family = MAIN_FAMILY;
	j->facts.late = false;
	j->facts.skipped = 0;
}

/* ---- Requests ---- */

static void fast_path_read_request(struct fast_pkt *x, struct pds_req *h)
{
	pds_req_get(h, x->p);
	x->ses = x->p + pds_req_len;
	x->payload = x->len - condition_req_headers(x->p);
	x->next_hdr = h->next_hdr;
	x->retx = h->retx;
	x->syn = h->syn;
	x->pdcid = h->dpdcid;
	x->psn = h->psn;
	x->clear = serial_add(h->psn, h->clear_psn_offset);
	if (likely(h->next_hdr == PDS_NEXT_REQUEST_STD))
		pkt_std_get(&x->std, x->ses);
}

/*
 * Returns the slot that message_room() would return for a message, or NULL if
 * it would make more slots first.
 */
static struct message *fast_path_message_of(const struct dir *d, uint16_t id)
{
	struct message *m;

	if (unlikely(!d->message_slots))
		return NULL;
	m = message_place(d, id);
	if (!m->used || m->id == id)
		return m;
	if (d->message_slots != d->nmessages || message_keeps_place(d, id))
		return NULL;
	return m;
}

/* Records whether a PSN is late, or beyond the next one. */
static void fast_path_facts(struct judge *j, const struct dir *d, uint32_t psn)
{
	const int32_t ahead = serial_diff(psn, d->high);

	if (unlikely(ahead < 0))
		j->facts.late = true;
	else if (unlikely(ahead > 1))
		j->facts.skipped = (uint32_t)ahead - 1;
}

/* Records that a PSN arrived; its state is complete. */
static void fast_path_go_on(struct judge *j, const struct fast_pkt *x)
{
	struct dir *d = x->d;

	if (likely(serial_after(x->psn, d->high)))
		d->high = x->psn;
	if (likely(d->start_known))
		step_seen(x->f, d);
	step_closed(j, d, x->psn, x->in->at);
}

/* Returns the flags of the SES header of a request, and its message id. */
static inline uint32_t fast_path_ses_flags(const struct fast_pkt *x,
					   uint16_t *ret_id)
{
	struct ses_response_data data;

	if (likely(x->next_hdr == PDS_NEXT_REQUEST_STD)) {
		*ret_id = x->std.message_id;
		return PSN_STD | step_ses_flags(x->ses);
	}
	ses_response_data_get(&data, x->ses);
	*ret_id = data.response_message_id;
	return PSN_DATA;
}

/* Records the message of a standard request, or the read of return data. */
static inline void fast_path_take_message(const struct fast_pkt *x,
					  uint32_t flags)
{
	struct ses_response_data data;
	struct message *m;

	if (likely(flags & PSN_STD)) {
		step_message(x->d, x->m, &x->std, flags & PSN_READ, x->psn);
		return;
	}
	ses_response_data_get(&data, x->ses);
	m = message_find(&x->f->hot->dir[!x->end],
			 data.read_request_message_id);
	if (m)
		m->via_return = true;
}

/* Records a new PSN. */
static inline void fast_path_take_new(struct judge *j, const struct fast_pkt *x,
				      const struct pds_req *h)
{
	const struct judge_packet *in = x->in;
	struct psn_state *s = x->s;
	struct dir *d = x->d;
	uint32_t flags = step_copy_flags(in, false, h->ar, h->syn), ses_flags;
	uint16_t id;

	if (step_asks_ack(x->conf, in, true, h->ar || h->syn))
		flags |= PSN_DUE;
	fast_path_facts(j, d, x->psn);
	if (s->owner == x->f->owner)
		psn_lose(d, s);
	ses_flags = fast_path_ses_flags(x, &id);
	step_new_psn(s, x->f, x->psn, in, pkt_tail_crc(in, pds_req_len),
		     h->clear_psn_offset, ses_flags, id);
	step_copy(d, s, in, flags);
	fast_path_go_on(j, x);
	step_sent(d, s, x->len);
	fast_path_take_message(x, ses_flags);
}

/* Returns true for a duplicate that the network made. */
static bool fast_path_is_net_dup(const struct psn_state *s,
				 const struct judge_packet *in,
				 const struct pds_req *h)
{
	return !h->retx &&
	       pkt_may_be_copied(s, serial_add(h->psn, h->clear_psn_offset),
				 in->d->entropy);
}

/*
 * Records a further copy of a PSN.  It takes no fast_pkt, so that its caller
 * keeps one in registers.
 */
static __attribute__((noinline)) void
fast_path_take_repeat(struct judge *j, struct flow *f, unsigned from,
		      struct psn_state *s, const struct judge_packet *in)
{
	struct end_rare *counts = &flow_rare(j, f)->end[from];
	struct dir *d = &f->hot->dir[from];
	enum pkt_cause cause;
	struct pds_req h;
	bool dup;

	pds_req_get(&h, in->pkt->p);
	dup = fast_path_is_net_dup(s, in, &h);
	if (dup) {
		counts->net_dups++;
	} else {
		cause = sent_cause(&j->conf, false, d, s, in->at);
		counts->again[cause]++;
		sent_count_repeat(s, cause);
	}
	step_copy(d, s, in, step_copy_flags(in, h.retx, h.ar, h.syn));
	sent_note_retries(&j->conf, d, s);
	if (!dup && step_asks_ack(&j->conf, in, true, h.ar || h.syn || h.retx))
		step_due(j, f, d, s, h.retx);
}

/* The initiator may show that it knows the TPDCID. */
static inline void fast_path_syn_done(const struct fast_pkt *x)
{
	if (unlikely(!x->f->syn_done) && !x->syn && x->from == 0 &&
	    x->f->syn_start_known)
		step_syn_done(x->f, x->psn);
}

static void fast_path_take_request(struct judge *j, const struct fast_pkt *x,
				   const struct pds_req *h)
{
	struct dir *d = x->d;

	d->stats.requests++;
	if (unlikely(x->again))
		fast_path_take_repeat(j, x->f, x->from, x->s, x->in);
	else
		fast_path_take_new(j, x, h);
	step_release(d, x->clear);
	step_clear(d, x->clear);
	fast_path_syn_done(x);
}

static enum condition fast_path_request(struct judge *j,
					const struct judge_packet *in)
{
	struct table_key key;
	struct fast_pkt x = fast_path_begin(j, in);
	enum condition failed;
	unsigned end = 0;
	struct pds_req h;

	failed = condition_failed(&x, PKT_REQ, PATH_FAST, STAGE_BYTES);
	if (unlikely(failed))
		return failed;
	fast_path_read_request(&x, &h);
	failed = condition_failed(&x, PKT_REQ, PATH_FAST, STAGE_HEADERS);
	if (unlikely(failed))
		return failed;
	key = flow_key_request(in->d, h.spdcid);
	x.f = fast_path_find(j, in, &key, &end);
	x.end = end;
	failed = condition_failed(&x, PKT_REQ, PATH_FAST, STAGE_FLOW);
	if (unlikely(failed))
		return failed;
	fast_path_from(&x, x.end);
	x.d = &x.f->hot->dir[x.end];
	x.whole = x.d->start_known;
	failed = condition_failed(&x, PKT_REQ, PATH_FAST, STAGE_DIR);
	if (unlikely(failed))
		return failed;
	x.s = psn_slot(x.d, x.psn);
	x.again = x.s->owner == x.f->owner && x.s->psn == x.psn;
	if (likely(x.next_hdr == PDS_NEXT_REQUEST_STD))
		x.m = fast_path_message_of(x.d, x.std.message_id);
	failed = condition_failed(&x, PKT_REQ, PATH_FAST, STAGE_PSN);
	if (unlikely(failed))
		return failed;
	fast_path_predict(j, &x, PKT_REQ);
	failed = condition_failed(&x, PKT_REQ, PATH_FAST, STAGE_KEY);
	if (unlikely(failed))
		return failed;
	fast_path_note(j, &x);
	fast_path_take_request(j, &x, &h);
	return COND_NONE;
}

/* ---- ACKs ---- */

static void fast_path_read_ack(struct fast_pkt *x, struct pds_ack *h)
{
	pds_ack_get(h, x->p);
	x->ses = x->p + x->pds_len;
	x->next_hdr = h->next_hdr;
	x->ack_req = h->req;
	x->m_flag = h->m;
	x->pdcid = h->spdcid;
	x->cack = h->cack_psn;
	x->ack_psn = serial_add(h->cack_psn, h->ack_psn_offset);
}

/* Reads the CC section of an ACK_CC or ACK_CCX: both begin alike. */
static void fast_path_read_cc(struct fast_pkt *x)
{
	struct pds_ack_cc cc;

	x->has_cc = x->pds_len > pds_ack_len;
	if (!x->has_cc)
		return;
	pds_ack_cc_get(&cc, x->p + pds_ack_len);
	x->mpr = cc.mpr;
	x->sack_psn = serial_add(x->cack, cc.sack_psn_offset);
	x->sack_bitmap = cc.sack_bitmap;
	if (x->pds_len != FAST_ACK_CC_LEN)
		return;
	x->has_nscc = cc.cc_type == PDS_CC_NSCC;
	x->has_credit = cc.cc_type == PDS_CC_CREDIT;
	if (x->has_nscc)
		pds_nscc_get(&x->nscc, x->p + pds_ack_len + pds_ack_cc_len);
}

static void fast_path_take_cc(struct judge *j, const struct fast_pkt *x)
{
	step_sack(j, x->f, x->d, x->cack, x->sack_psn, x->sack_bitmap,
		  x->in->at);
	if (x->has_nscc)
		step_rcvd_bytes(j, x->d, x->nscc.rcvd_bytes);
	step_range(j, x->d, x->mpr * (uint32_t)JUDGE_MPR_UNIT);
}

/* Records what the first ACK of a flow tells. */
static void fast_path_take_first(struct judge *j, const struct fast_pkt *x)
{
	if (unlikely(!x->f->end[x->from].pdcid))
		table_learn(&j->table, x->f, x->from, x->pdcid);
	step_dscp(x->f, x->in);
	step_known(x->f, x->from, x->in->at);
}

static void fast_path_take_ack(struct judge *j, const struct fast_pkt *x)
{
	const vtime at = x->in->at;
	struct psn_state *s = x->s;
	struct dir *d = x->d;

	fast_path_take_first(j, x);
	step_count_ack(d, x->cack);
	if (likely(step_has_rtt(s)))
		flow_stats_rtt_of(j, x->f, at - s->sent_at);
	if (serial_after(x->cack, d->cack)) {
		step_cover_to(x->f, d, d->cack, x->cack, at);
		step_no_requests(j, d);
	}
	if (x->here && !(s->flags & PSN_OWN_ACK))
		s->answer = crc32c(0, x->ses, x->len - x->pds_len);
	step_own_ack(d, s, x->ses, at);
	step_answer_again(x->f, d, x->cack);
	step_gap(j, d, x->cack, x->ack_psn, at);
	if (x->has_cc)
		fast_path_take_cc(j, x);
	step_wanted(j, d, x->ack_psn);
	if (likely(d->start_known))
		step_acked_to(x->f, d);
	d->ce_unsaid = false;
	if (x->has_nscc)
		step_bytes_base(j, d, x->nscc.rcvd_bytes);
}

static enum condition
fast_path_ack(struct judge *j, const struct judge_packet *in, size_t pds_len)
{
	struct table_key key;
	struct fast_pkt x = fast_path_begin(j, in);
	enum condition failed;
	unsigned end = 0;
	struct pds_ack h;

	x.pds_len = pds_len;
	failed = condition_failed(&x, PKT_ACK, PATH_FAST, STAGE_BYTES);
	if (unlikely(failed))
		return failed;
	fast_path_read_ack(&x, &h);
	fast_path_read_cc(&x);
	failed = condition_failed(&x, PKT_ACK, PATH_FAST, STAGE_HEADERS);
	if (unlikely(failed))
		return failed;
	key = flow_key_answer(in->d, h.dpdcid);
	x.f = fast_path_find(j, in, &key, &end);
	x.end = end;
	failed = condition_failed(&x, PKT_ACK, PATH_FAST, STAGE_FLOW);
	if (unlikely(failed))
		return failed;
	fast_path_from(&x, !x.end);
	x.d = &x.f->hot->dir[x.end];
	x.whole = x.d->start_known;
	failed = condition_failed(&x, PKT_ACK, PATH_FAST, STAGE_DIR);
	if (unlikely(failed))
		return failed;
	x.s = psn_find(x.f, x.d, x.ack_psn);
	if (unlikely(x.here))
		x.order = link_order(&x);
	failed = condition_failed(&x, PKT_ACK, PATH_FAST, STAGE_PSN);
	if (unlikely(failed))
		return failed;
	fast_path_predict(j, &x, PKT_ACK);
	failed = condition_failed(&x, PKT_ACK, PATH_FAST, STAGE_KEY);
	if (unlikely(failed))
		return failed;
	fast_path_note(j, &x);
	fast_path_take_ack(j, &x);
	return COND_NONE;
}

/* ---- ACK Requests ---- */

static void fast_path_take_ask(struct judge *j, const struct fast_pkt *x)
{
	flow_rare(j, x->f)->end[x->from].cps++;
	control_ask_ack(j, x->f, x->d, x->psn, x->in, false);
	fast_path_syn_done(x);
}

static enum condition fast_path_control(struct judge *j,
					const struct judge_packet *in)
{
	struct table_key key;
	struct fast_pkt x = fast_path_begin(j, in);
	enum condition failed;
	unsigned end = 0;
	struct pds_cp h;

	failed = condition_failed(&x, PKT_CP, PATH_FAST, STAGE_BYTES);
	if (unlikely(failed))
		return failed;
	pds_cp_get(&h, x.p);
	x.pdcid = h.dpdcid;
	x.psn = h.psn;
	failed = condition_failed(&x, PKT_CP, PATH_FAST, STAGE_HEADERS);
	if (unlikely(failed))
		return failed;
	key = flow_key_request(in->d, h.spdcid);
	x.f = fast_path_find(j, in, &key, &end);
	x.end = x.from = end;
	failed = condition_failed(&x, PKT_CP, PATH_FAST, STAGE_FLOW);
	if (unlikely(failed))
		return failed;
	x.d = &x.f->hot->dir[x.end];
	failed = condition_failed(&x, PKT_CP, PATH_FAST, STAGE_DIR);
	if (unlikely(failed))
		return failed;
	fast_path_predict(j, &x, PKT_CP);
	failed = condition_failed(&x, PKT_CP, PATH_FAST, STAGE_KEY);
	if (unlikely(failed))
		return failed;
	fast_path_note(j, &x);
	fast_path_take_ask(j, &x);
	return COND_NONE;
}

/* ---- All ---- */

HOT unsigned fast_path_push(struct judge *j, const struct judge_packet *in)
{
	const struct packet *pkt = in->pkt;

	if (unlikely(!j->takes_fast_path))
		return COND_PREDICTION;
	if (unlikely(pkt->len < pds_ack_len))
		return COND_REQ_HEADERS;
	switch (pds_type_of(pkt->p)) {
	case PDS_RUD_REQ:
		return fast_path_request(j, in);
	case PDS_ACK:
		return fast_path_ack(j, in, pds_ack_len);
	case PDS_ACK_CC:
		return fast_path_ack(j, in, FAST_ACK_CC_LEN);
	case PDS_ACK_CCX:
		return fast_path_ack(j, in, FAST_ACK_CCX_LEN);
	case PDS_CP:
		return fast_path_control(j, in);
	default:
		return COND_KEY_PDS;
	}
}

HOT bool judge_fast_path(struct judge *j, const struct judge_packet *in)
{
	return fast_path_push(j, in) == COND_NONE;
}
