/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_req.c -- the requester: address handles and their contexts.
 *
 * A WR waits in its handle's queue until the window has room for a PSN; then it
 * is in flight until its outcome is known.  Every packet carries LUP, the
 * lowest PSN in flight: the responder may forget all PSNs below it.
 *
 * Spec: srd_wqe.md A.4.5
 */
#include "oracle/srd/srd_req.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/pattern.h"
#include "oracle/srd/srd_ah.h"
#include "oracle/srd/srd_qp.h"
#include "oracle/srd/srd_repair.h"
#include "oracle/srd/srd_state.h"
#include "oracle/srd/srd_wr.h"

/* ---- WRs ---- */

/* Removes the WRs of a QP from a queue; |flush| completes them. */
static void remove_wrs(struct srd *s, struct srd_queue *q, uint32_t qpn,
		       bool flush)
{
	struct srd_queue old = *q;
	struct srd_wr wr;

	*q = (struct srd_queue){0};
	while (srd_wr_take(s, &old, &wr)) {
		if (wr.qpn != qpn)
			srd_wr_add(s, q, &wr);
		else if (flush)
			srd_qp_done(s, qpn, wr.handle, STATUS_FLUSHED);
	}
}

/* ---- Packets ---- */

static uint32_t data_at(const struct srd_wr *wr)
{
	return SRD_HEAD + deth_len + (wr->with_imm ? imm_eth_len : 0);
}

/* Writes the parts that all transmissions of a request have in common. */
static void write_request(uint8_t *p, const struct srd_wr *wr, uint32_t psn,
			  uint64_t data_seed)
{
	const struct bth bth = {
		.opcode =
			wr->with_imm ? IB_SRD_SEND_ONLY_IMM : IB_SRD_SEND_ONLY,
		.pad = (uint8_t)(-wr->len & 3),
		.pkey = SRD_PKEY,
		.dest_qp = wr->dest_qp,
		.ackreq = 1,
		.psn = psn & SERIAL24_MASK,
	};
	const struct deth deth = {.qkey = wr->qkey, .src_qp = wr->qpn};
	const struct imm_eth imm = {.imm = wr->imm};
	const uint32_t at = data_at(wr);

	memset(p, 0, at); /* each transmission writes its own SETH */
	bth_put(&bth, p);
	deth_put(&deth, p + SRD_HEAD);
	if (wr->with_imm)
		imm_eth_put(&imm, p + SRD_HEAD + deth_len);
	pattern_fill(p + at, data_seed, wr->handle, 0, wr->len);
	memset(p + at + wr->len, 0, bth.pad);
}

static uint8_t *new_packet(struct srd *s, const struct ip_addr *peer,
			   uint8_t path, uint32_t len)
{
	const struct outq_head head = {
		.dst = *peer,
		.entropy = (uint16_t)(SRD_ENTROPY + path),
		.dscp = s->env.conf.dscp_data,
		.ecn = ECN_ECT0,
		.len = len,
	};

	return outq_add(&s->env.out, &s->env.mem, &head);
}

/* Returns the context's part of a packet, with the current LUP. */
static struct seth context_of(const struct srd_ah *ah)
{
	return (struct seth){
		.ver = SRD_VERSION,
		.syn = !ah->rcid,
		.path = ah->path,
		.scid = ah->scid,
		.rcid = ah->rcid,
		.lup = ah->fl.base & SERIAL24_MASK,
	};
}

static void next_path(struct srd *s, struct srd_ah *ah)
{
	ah->path = paths_choose(&ah->paths, &s->env.conf, s->env.conf.srd_paths,
				&s->env.rng, s->env.now);
}

/* "retransmission SHOULD change Path" */
static void repeat_path(struct srd *s, struct srd_ah *ah, uint8_t last)
{
	next_path(s, ah);
	if (ah->path == last)
		ah->path = (uint8_t)((last + 1u) % s->env.conf.srd_paths);
}

static void srd_req_transmit(struct srd *s, struct srd_ah *ah, uint32_t psn,
			     struct inflight_pkt *pkt)
{
	struct seth seth;
	uint8_t *p;

	if (pkt->repeats)
		repeat_path(s, ah, pkt->path);
	else
		next_path(s, ah);
	pkt->path = ah->path;
	seth = context_of(ah);
	seth.try = pkt->repeats;
	p = new_packet(s, &ah->peer, ah->path, pkt->len);
	if (p) {
		memcpy(p, pkt->bytes, pkt->len);
		seth_put(&seth, p + bth_len);
	}
	pkt->sent_at = s->env.now;
	inflight_wait(&ah->fl, psn, pkt->rto_count,
		      s->env.now + env_rto(&s->env, pkt->rto_count));
}

/* "SYNC: PSN field: next unused PSN (not consumed)" */
static void send_sync(struct srd *s, struct srd_ah *ah, bool fin)
{
	const struct bth bth = {
		.opcode = IB_SRD_SYNC,
		.pkey = SRD_PKEY,
		.psn = ah->fl.next & SERIAL24_MASK,
	};
	struct seth seth;
	uint8_t *p;

	next_path(s, ah);
	seth = context_of(ah);
	seth.syn = 0; /* a SYNC does not make a context */
	seth.fin = fin;
	p = new_packet(s, &ah->peer, ah->path, SRD_HEAD);
	if (!p)
		return;
	bth_put(&bth, p);
	seth_put(&seth, p + bth_len);
}

/* ---- Sending ---- */

static vtime unresponsive_at(const struct srd *s, const struct srd_ah *ah)
{
	if (!ah->fl.busy || ah->told)
		return VTIME_NEVER;
	return ah->heard_at + s->env.conf.srd_unresponsive;
}

static void srd_req_set_timer(struct srd *s, struct srd_ah *ah)
{
	vtime at = vtime_min(inflight_deadline(&ah->fl), ah->repair_at);

	at = vtime_min(at, unresponsive_at(s, ah));
	timers_set(&s->env.timers, &ah->timer, at);
}

static bool give_psn(struct srd *s, struct srd_ah *ah, const struct srd_wr *wr)
{
	const uint16_t len = (uint16_t)(data_at(wr) + wr->len + (-wr->len & 3));
	struct inflight_pkt *pkt = inflight_add(&ah->fl, &s->env.mem, len);
	const uint32_t psn = ah->fl.next - 1;

	if (!pkt)
		return false;
	write_request(pkt->bytes, wr, psn, s->env.data_seed);
	pkt->tx_pkt_handle = wr->handle;
	pkt->owner = wr->qpn;
	if (ah->fl.busy == 1)
		ah->heard_at = s->env.now;
	srd_req_transmit(s, ah, psn, pkt);
	return true;
}

/* "while queued and next < LUP + W" */
static void srd_req_pump(struct srd *s, struct srd_ah *ah)
{
	struct srd_wr wr;

	while (ah->queue.first &&
	       ah->fl.next - ah->fl.base < s->env.conf.srd_window) {
		if (!give_psn(s, ah, ah->queue.first))
			break;
		srd_wr_take(s, &ah->queue, &wr);
	}
	if (!ah->fl.busy)
		ah->rest_at = s->env.now;
	inflight_rest(&ah->fl, &s->env.mem);
	srd_req_set_timer(s, ah);
}

static uint32_t srd_req_place_of(struct srd *s, const struct srd_ah *ah)
{
	uint32_t place = 0;

	idmap_get(&s->by_ah, ah->number, &place);
	return place;
}

bool srd_ah_post(struct srd *s, struct srd_ah *ah, const struct srd_wr *wr)
{
	const bool stale = ah->rcid && !ah->fl.busy &&
			   s->env.now - ah->rest_at >= s->env.conf.srd_idle;

	if (stale && !srd_ah_renew(s, ah, srd_req_place_of(s, ah)))
		return false;
	if (!srd_wr_add(s, &ah->queue, wr))
		return false;
	srd_req_pump(s, ah);
	return true;
}

/* ---- Outcomes ---- */

static void srd_req_resolve(struct srd *s, struct srd_ah *ah, uint32_t psn,
			    enum orc_status status)
{
	const struct inflight_pkt *pkt = inflight_at(&ah->fl, psn);

	if (!pkt || pkt->done)
		return;
	srd_qp_done(s, pkt->owner, pkt->tx_pkt_handle, status);
	inflight_done(&ah->fl, psn);
}

/* Ends all PSNs in flight, and, if |queued|, the queued WRs. */
static void resolve_all(struct srd *s, struct srd_ah *ah,
			enum orc_status status, bool queued)
{
	struct srd_wr wr;

	while (ah->fl.base != ah->fl.next)
		srd_req_resolve(s, ah, ah->fl.base, status);
	while (queued && srd_wr_take(s, &ah->queue, &wr))
		srd_qp_done(s, wr.qpn, wr.handle, status);
}

static void cancel_in(struct srd *s, struct srd_ah *ah, uint32_t qpn,
		      bool flush)
{
	const uint32_t end = ah->fl.next;

	for (uint32_t psn = ah->fl.base; psn != end; psn++) {
		const struct inflight_pkt *pkt = inflight_at(&ah->fl, psn);

		if (!pkt || pkt->done || pkt->owner != qpn)
			continue;
		if (flush)
			srd_req_resolve(s, ah, psn, STATUS_FLUSHED);
		else
			inflight_done(&ah->fl, psn);
	}
	remove_wrs(s, &ah->queue, qpn, flush);
	srd_req_pump(s, ah);
}

void srd_cancel(struct srd *s, uint32_t qpn, bool flush)
{
	struct srd_qp *qp = srd_qp_find(s, qpn);

	if (!qp || !qp->outstanding)
		return;
	for (size_t i = 0; i < s->ahs_cap; i++)
		if (s->ahs[i])
			cancel_in(s, s->ahs[i], qpn, flush);
	remove_wrs(s, &s->held, qpn, flush);
	qp->outstanding = 0;
}

/* Ends the WRs that wait for a QP in SQD when their handle is destroyed. */
static void flush_held(struct srd *s, uint32_t number)
{
	struct srd_queue old = s->held;
	struct srd_wr wr;

	s->held = (struct srd_queue){0};
	while (srd_wr_take(s, &old, &wr)) {
		if (wr.ah == number)
			srd_qp_done(s, wr.qpn, wr.handle, STATUS_FLUSHED);
		else
			srd_wr_add(s, &s->held, &wr);
	}
}

/* "any outstanding WRs using that AH are completed in error" */
int srd_ah_destroy(struct srd *s, const struct orc_op *op)
{
	struct srd_ah *ah = srd_ah_find(s, op->vb.ah);
	uint32_t place;

	if (!ah)
		return ERR_VALUE;
	place = srd_req_place_of(s, ah);
	resolve_all(s, ah, STATUS_FLUSHED, true);
	flush_held(s, ah->number);
	if (ah->rcid)
		send_sync(s, ah, true);
	idmap_del(&s->by_scid, ah->scid);
	idmap_del(&s->by_ah, ah->number);
	srd_ah_free(s, ah);
	s->ahs[place] = NULL;
	s->nahs--;
	return 0;
}

/* ---- Time ---- */

static void tell_unresponsive(struct srd *s, struct srd_ah *ah)
{
	struct orc_event *ev = env_event(&s->env, EV_UNRESPONSIVE);

	ev->ah = ah->number;
	ah->told = true;
	s->env.stats.unresponsive++;
	if (s->env.conf.srd_give_up)
		resolve_all(s, ah, STATUS_TIMEOUT, false);
}

/* Repeats what a path has lost; the RTO of the PSN begins again. */
static void srd_req_repair(struct srd *s, struct srd_ah *ah)
{
	uint32_t psn;

	while (srd_repair_due(s, ah, &psn)) {
		struct inflight_pkt *pkt = inflight_at(&ah->fl, psn);

		paths_lost(&ah->paths, &s->env.conf, pkt->path, s->env.now);
		if (pkt->repeats < UINT8_MAX)
			pkt->repeats++;
		s->env.stats.tx_retx++;
		srd_req_transmit(s, ah, psn, pkt);
	}
}

void srd_ah_tick(struct srd *s, struct srd_ah *ah)
{
	uint32_t psn;

	while (inflight_due(&ah->fl, s->env.now, &psn)) {
		struct inflight_pkt *pkt = inflight_at(&ah->fl, psn);

		if (pkt->rto_count < INFLIGHT_RTO_LEVELS - 1)
			pkt->rto_count++;
		paths_lost(&ah->paths, &s->env.conf, pkt->path, s->env.now);
		if (pkt->repeats < UINT8_MAX)
			pkt->repeats++;
		s->env.stats.tx_retx++;
		srd_req_transmit(s, ah, psn, pkt);
	}
	if (ah->repair_at <= s->env.now)
		srd_req_repair(s, ah);
	if (unresponsive_at(s, ah) <= s->env.now)
		tell_unresponsive(s, ah);
	srd_req_pump(s, ah);
}

/* ---- Answers ---- */

static enum orc_status status_of(uint8_t syndrome)
{
	switch (syndrome) {
	case IB_SYNDROME_ACK:
		return STATUS_OK;
	case IB_SYNDROME_INVALID_REQ:
		return STATUS_REMOTE_INVALID;
	case IB_SYNDROME_REMOTE_ACCESS:
		return STATUS_REMOTE_ACCESS;
	case IB_SYNDROME_REMOTE_OP:
		return STATUS_REMOTE_OP;
	case IB_SYNDROME_BAD_DEST_QP:
		return STATUS_BAD_DEST_QP;
	default:
		return (syndrome & 0xe0) == IB_SYNDROME_RNR
			       ? STATUS_RNR
			       : STATUS_BAD_RESPONSE;
	}
}

/* A parsed answer, with PSNs extended to 32 bits. */
struct srd_req_answer {
	uint8_t syndrome;
	uint32_t psn, cack;
	uint64_t sack;
};

static bool in_flight(const struct srd_ah *ah, uint32_t psn)
{
	const struct inflight_pkt *pkt = inflight_at(&ah->fl, psn);

	return pkt && !pkt->done;
}

/* "CACK/SACK beyond next: ignore the ACK" */
static bool is_possible(const struct srd_ah *ah, const struct srd_req_answer *a)
{
	const unsigned last =
		a->sack ? 64u - (unsigned)__builtin_ctzll(a->sack) : 0;

	return serial_before(a->cack + last, ah->fl.next);
}

/* Processes "primary first", then what CACK and SACK cover. */
static void srd_req_take_answer(struct srd *s, struct srd_ah *ah,
				const struct srd_req_answer *a)
{
	srd_req_resolve(s, ah, a->psn, status_of(a->syndrome));
	while (ah->fl.base != ah->fl.next &&
	       !serial_after(ah->fl.base, a->cack))
		srd_req_resolve(s, ah, ah->fl.base, STATUS_OK);
	for (unsigned k = 0; k < 64; k++)
		if (a->sack >> (63 - k) & 1)
			srd_req_resolve(s, ah, a->cack + 1 + k, STATUS_OK);
}

static void srd_req_heard(struct srd *s, struct srd_ah *ah,
			  const struct seth *seth)
{
	ah->rcid = seth->rcid;
	ah->known = true;
	ah->heard_at = s->env.now;
	ah->told = false;
}

/*
 * "0x65 ... requester honours it only if RCID equals its current non-zero
 * RCID": no earlier WR moves to the next context.
 */
static void context_reset(struct srd *s, struct srd_ah *ah)
{
	resolve_all(s, ah, STATUS_REMOTE_ABORT, true);
	srd_ah_renew(s, ah, srd_req_place_of(s, ah));
	srd_req_pump(s, ah);
}

static struct srd_ah *srd_req_answered(struct srd *s, const struct dgram *d,
				       const struct seth *seth)
{
	struct srd_ah *ah;
	uint32_t at;

	if (!idmap_get(&s->by_scid, seth->scid, &at))
		return NULL;
	ah = s->ahs[at];
	if (!ip_addr_equal(&ah->peer, &d->src) || !seth->rcid)
		return NULL;
	return !ah->rcid || ah->rcid == seth->rcid ? ah : NULL;
}

/* Handles a response with an undefined opcode to a PSN in flight. */
static void bad_response(struct srd *s, struct srd_ah *ah, uint32_t psn)
{
	if (!in_flight(ah, psn)) {
		env_drop(&s->env, DROP_TYPE);
		return;
	}
	srd_req_resolve(s, ah, psn, STATUS_BAD_RESPONSE);
	srd_req_pump(s, ah);
}

static void srd_req_read_answer(const struct srd_ah *ah, const struct dgram *d,
				const struct bth *bth,
				struct srd_req_answer *ret)
{
	struct srd_aeth aeth;
	struct srd_sack sack;

	srd_aeth_get(&aeth, d->data + SRD_HEAD);
	srd_sack_get(&sack, d->data + SRD_HEAD + srd_aeth_len);
	ret->syndrome = aeth.syndrome;
	ret->psn = serial24_near(bth->psn, ah->fl.base);
	ret->cack = serial24_near(aeth.cack, ah->fl.base);
	ret->sack = sack.sack_bitmap;
}

void srd_ack_expect(const struct srd *s, uint32_t scid, uint32_t psn)
{
	uint32_t at;

	if (!idmap_get(&s->by_scid, scid, &at))
		return;
	mem_expect(s->ahs[at], sizeof(*s->ahs[at]));
	inflight_expect(&s->ahs[at]->fl, psn);
}

void srd_ack(struct srd *s, const struct dgram *d, const struct bth *bth,
	     const struct seth *seth)
{
	struct srd_ah *ah = srd_req_answered(s, d, seth);
	struct srd_req_answer a;

	if (!ah) {
		env_drop(&s->env, DROP_UNKNOWN_PDC);
		return;
	}
	if (bth->opcode != IB_SRD_ACK) {
		bad_response(s, ah, serial24_near(bth->psn, ah->fl.base));
		return;
	}
	srd_req_read_answer(ah, d, bth, &a);
	s->env.stats.rx_ack++;
	if (a.syndrome == IB_SYNDROME_CTX_RESET) {
		if (ah->rcid)
			context_reset(s, ah);
		return;
	}
	if (!is_possible(ah, &a)) {
		env_drop(&s->env, DROP_BAD_ACK);
		return;
	}
	srd_req_heard(s, ah, seth);
	srd_repair_sample(s, ah, a.psn, seth->try);
	srd_req_take_answer(s, ah, &a);
	srd_req_repair(s, ah);
	srd_req_pump(s, ah);
}
