/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_req.c -- the requester: turns WQEs into packets, processes
 * answers, and retransmits only missing packets.
 *
 * No packet is kept: SN, OFF, LEN and payload follow from its PSN and the WQE,
 * so that a retransmission has the same bytes.
 *
 * "After receiving the missing-PSN response the sender stops transmitting
 * subsequent packets and retransmits the packets of the missing PSNs" (S48): no
 * new packet leaves before every listed PSN is retransmitted.
 *
 * Spec: seed 004 S11, S12, S41 to S43, S48; srd_wqe.md B.7, B.10, B.11
 */
#include "oracle/wqe/wqe_req.h"

#include <string.h>

#include "base/pattern.h"
#include "oracle/wqe/wqe_out.h"
#include "oracle/wqe/wqe_qp.h"
#include "oracle/wqe/wqe_read.h"
#include "oracle/wqe/wqe_state.h"

/*
 * Converts the 5 bits of an RNR NAK timer (IBTA), in units of 10 us; code 0 is
 * the longest.
 */
static vspan rnr_wait(uint8_t code)
{
	static const uint32_t tens_of_us[32] = {
		65536, 1,    2,    3,     4,     6,     8,     12,
		16,    24,   32,   48,    64,    96,    128,   192,
		256,   384,  512,  768,   1024,  1536,  2048,  3072,
		4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152,
	};

	return tens_of_us[code & 31] * (10 * VSPAN_US);
}

/* ---- PSNs ---- */

/* Returns the WQE of a PSN in [una, end). */
static struct wqe_wr *wr_of(const struct wqe_qp *qp, uint32_t psn)
{
	uint32_t lo = 0, hi = qp->sq_n;

	while (hi - lo > 1) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (serial_after(wqe_wr_at(qp, mid)->base, psn))
			hi = mid;
		else
			lo = mid;
	}
	return wqe_wr_at(qp, lo);
}

static void arm(struct wqe_qp *qp)
{
	struct env *env = &qp->w->env;
	vtime at = VTIME_NEVER;

	if (qp->rnr_until)
		at = qp->rnr_until;
	else if (qp->una != qp->sent_to)
		at = vtime_min(env->now + env->conf.rto_init, qp->gap_at);
	timers_set(&env->timers, &qp->rto, at);
}

/* ---- Packets ---- */

/*
 * Returns how many PSNs a packet takes: one, or those of a read's whole answer.
 */
static uint32_t wqe_req_psns_of(const struct wqe_wr *wr, uint32_t psn)
{
	return wr->kind == WQE_READ ? wr->base + wr->n - psn : 1;
}

static uint8_t wqe_req_opcode_of(const struct wqe_qp *qp,
				 const struct wqe_wr *wr, uint32_t i)
{
	static const uint8_t kinds[] = {
		[WQE_SEND] = IB_RC_SEND_FIRST,
		[WQE_WRITE] = IB_RC_WRITE_FIRST,
		[WQE_READ] = IB_RC_READ_REQ,
	};
	const uint8_t class = wqe_opcode(qp->w, kinds[wr->kind]);
	const uint8_t imm = wr->with_imm;

	if (wr->kind == WQE_READ)
		return class;
	if (wr->n == 1)
		return (uint8_t)(class + 4 + imm);
	if (i == 0)
		return class;
	return (uint8_t)(i + 1 < wr->n ? class + 1 : class + 2 + imm);
}

static bool with_reth(const struct wqe_wr *wr, uint32_t i)
{
	return wr->kind == WQE_READ || (wr->kind == WQE_WRITE && i == 0);
}

/*
 * Writes the extension headers; |offset| is not 0 if a read requests the rest
 * of its data.
 */
static uint8_t *put_eths(const struct wqe_wr *wr, uint32_t i, uint32_t offset,
			 uint8_t *p)
{
	if (with_reth(wr, i)) {
		const struct reth reth = {
			.va = wr->va + offset,
			.rkey = wr->rkey,
			.dmalen = wr->len - offset,
		};

		reth_put(&reth, p);
		p += reth_len;
	}
	if (wr->with_imm && i + 1 == wr->n) {
		const struct imm_eth imm = {.imm = wr->imm};

		imm_eth_put(&imm, p);
		p += imm_eth_len;
	}
	return p;
}

static uint32_t eths_len(const struct wqe_wr *wr, uint32_t i)
{
	uint32_t len = 0;

	if (with_reth(wr, i))
		len += reth_len;
	if (wr->with_imm && i + 1 == wr->n)
		len += imm_eth_len;
	return len;
}

/* "A=1 on last packet of a WQE and every AckInterval" */
static bool asks(const struct orc_conf *conf, const struct wqe_wr *wr,
		 uint32_t i)
{
	return wr->kind != WQE_READ &&
	       (i + 1 == wr->n ||
		(conf->wqe_ack_every && (i + 1) % conf->wqe_ack_every == 0));
}

/* Sends a packet; |probe| requests an ACK in any packet. */
static void wqe_req_transmit(struct wqe_qp *qp, uint32_t psn, bool probe)
{
	const struct orc_conf *conf = &qp->w->env.conf;
	const struct wqe_wr *wr = wr_of(qp, psn);
	const uint32_t i = psn - wr->base, offset = i * conf->mtu;
	const uint32_t left = wr->kind == WQE_READ ? 0 : wr->len - offset;
	const uint32_t len = left < conf->mtu ? left : conf->mtu;
	const uint8_t pad = -len & 3;
	const struct bth bth = {
		.opcode = wqe_req_opcode_of(qp, wr, i),
		.pad = pad,
		.pkey = WQE_PKEY,
		.dest_qp = qp->dest_qp,
		.ackreq = probe || asks(conf, wr, i),
		.psn = psn & SERIAL24_MASK,
	};
	const struct wqeth x = {
		.wqe_sn = wr->sn,
		.wqe_offset = offset,
		.wqe_length = wr->len,
	};
	const uint32_t ext = wqe_is_plain(qp->w) ? 0 : wqeth_len;
	uint8_t *p = wqe_out(qp, &bth, eths_len(wr, i) + ext + len + pad,
			     conf->dscp_data);

	if (!p)
		return;
	p = put_eths(wr, i, offset, p);
	if (ext)
		wqeth_put(&x, p);
	p += ext;
	pattern_fill(p, qp->w->env.data_seed, wr->handle, offset, len);
	memset(p + len, 0, pad);
}

static void transmit_again(struct wqe_qp *qp, uint32_t psn, bool probe)
{
	qp->sent[wqe_slot(qp, psn)].repeated = qp->w->env.now;
	qp->w->env.stats.tx_retx++;
	wqe_req_transmit(qp, psn, probe);
}

/* Marks a PSN for retransmission, unless it has just been retransmitted. */
static void wqe_req_list(struct wqe_qp *qp, uint32_t psn)
{
	const struct env *env = &qp->w->env;
	struct wqe_sent *s = &qp->sent[wqe_slot(qp, psn)];

	if (s->again || (s->repeated != VTIME_NEVER &&
			 env->now < s->repeated + env->conf.wqe_hold))
		return;
	s->again = true;
	qp->listed++;
}

static void wqe_req_unlist(struct wqe_qp *qp, uint32_t psn)
{
	struct wqe_sent *s = &qp->sent[wqe_slot(qp, psn)];

	qp->listed -= s->again;
	s->again = false;
}

static void send_listed(struct wqe_qp *qp)
{
	for (uint32_t psn = qp->una; qp->listed && psn != qp->sent_to; psn++) {
		if (!qp->sent[wqe_slot(qp, psn)].again)
			continue;
		wqe_req_unlist(qp, psn);
		transmit_again(qp, psn, false);
	}
}

/* Returns true if the peer remembers enough reads for one more. */
static bool may_read(const struct wqe_qp *qp)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < qp->sq_n; i++) {
		const struct wqe_wr *wr = wqe_wr_at(qp, i);

		if (!serial_before(wr->base, qp->sent_to))
			break;
		n += wr->kind == WQE_READ;
	}
	return n < WQE_READS;
}

static bool wqe_req_may_send(const struct wqe_qp *qp, const struct wqe_wr *wr,
			     uint32_t n)
{
	if (qp->next + n - qp->una > qp->w->env.conf.wqe_window)
		return false;
	return wr->kind != WQE_READ || qp->next != qp->sent_to || may_read(qp);
}

/* Skips acknowledged packets in a go-back, but not missing data of a read. */
static uint32_t pass_done(const struct wqe_qp *qp, const struct wqe_wr *wr,
			  uint32_t psn)
{
	if (!serial_before(psn, qp->acked))
		return psn;
	return wr->kind == WQE_READ ? serial_max(psn, wr->base + wr->upto)
				    : psn + 1;
}

static void wqe_req_send_new(struct wqe_qp *qp)
{
	while (qp->next != qp->end) {
		const uint32_t psn = qp->next;
		const struct wqe_wr *wr = wr_of(qp, psn);
		const uint32_t n = wqe_req_psns_of(wr, psn);
		const uint32_t open = pass_done(qp, wr, psn);

		if (open != psn) {
			qp->next = open;
			continue;
		}
		if (!wqe_req_may_send(qp, wr, n))
			return;
		qp->next += n;
		if (psn != qp->sent_to) { /* go-back-N */
			transmit_again(qp, psn, false);
			continue;
		}
		for (; qp->sent_to != qp->next; qp->sent_to++)
			qp->sent[wqe_slot(qp, qp->sent_to)] =
				(struct wqe_sent){.repeated = VTIME_NEVER};
		wqe_req_transmit(qp, psn, false);
	}
}

void wqe_req_pump(struct wqe_qp *qp)
{
	const bool idle = qp->una == qp->sent_to;

	if (qp->state != QP_RTS || qp->rnr_until)
		return;
	send_listed(qp);
	wqe_req_send_new(qp);
	if (idle)
		arm(qp);
}

/* ---- Answers ---- */

/* Completes everything before |psn|; WQEs that end there complete in order. */
static void wqe_req_advance(struct wqe_qp *qp, uint32_t psn)
{
	if (psn == qp->una)
		return;
	for (; qp->una != psn; qp->una++)
		wqe_req_unlist(qp, qp->una);
	if (serial_before(qp->next, psn))
		qp->next = psn;
	while (qp->sq_n) {
		const struct wqe_wr *wr = wqe_wr_at(qp, 0);

		if (serial_after(wr->base + wr->n, psn))
			break;
		wqe_qp_done(qp, STATUS_OK);
	}
	qp->retries = 0;
	qp->rnr_retries = 0;
	arm(qp);
}

/* "failed normally means: not received within a preset period" */
static void wqe_req_note_gap(struct wqe_qp *qp)
{
	struct env *env = &qp->w->env;

	if (qp->gap_at == VTIME_NEVER)
		qp->gap_at = env->now + env->conf.wqe_miss;
	if (!qp->rnr_until && qp->gap_at < qp->rto.at)
		timers_set(&env->timers, &qp->rto, qp->gap_at);
}

/*
 * Handles an ACK: all packets before |psn| were executed, but data of a read
 * may be missing.
 */
static void acknowledged(struct wqe_qp *qp, uint32_t psn)
{
	const bool further = serial_after(psn, qp->acked);
	uint32_t arrived;

	for (; serial_before(qp->acked, psn); qp->acked++)
		wqe_req_unlist(qp, qp->acked);
	arrived = wqe_read_arrived(qp);
	if (arrived == qp->acked)
		qp->gap_at = VTIME_NEVER;
	wqe_req_advance(qp, arrived);
	if (further && arrived != qp->acked)
		wqe_req_note_gap(qp);
}

static void wqe_req_go_back(struct wqe_qp *qp, uint32_t psn)
{
	for (uint32_t p = psn; p != qp->sent_to; p++)
		wqe_req_unlist(qp, p);
	qp->next = psn;
}

static void wqe_req_fail(struct wqe_qp *qp, enum orc_status status)
{
	if (qp->sq_n)
		wqe_qp_done(qp, status);
	wqe_qp_fail(qp);
}

static void wqe_req_not_ready(struct wqe_qp *qp, uint32_t psn, uint8_t code)
{
	const struct env *env = &qp->w->env;

	if (psn == qp->sent_to)
		return;
	if (qp->rnr_retries++ >= env->conf.wqe_rnr_retry) {
		wqe_req_fail(qp, STATUS_RNR);
		return;
	}
	qp->sent[wqe_slot(qp, psn)].repeated = VTIME_NEVER;
	if (env->conf.wqe_gbn)
		wqe_req_go_back(qp, psn);
	else
		wqe_req_list(qp, psn);
	qp->rnr_until = env->now + rnr_wait(code);
	arm(qp);
}

/* Missing data of an earlier read will not arrive any more. */
static void wqe_req_refused(struct wqe_qp *qp, uint32_t psn, uint8_t syndrome)
{
	static const enum orc_status status[] = {
		[IB_SYNDROME_INVALID_REQ & 3] = STATUS_REMOTE_INVALID,
		[IB_SYNDROME_REMOTE_ACCESS & 3] = STATUS_REMOTE_ACCESS,
		[IB_SYNDROME_REMOTE_OP & 3] = STATUS_REMOTE_OP,
	};

	if (psn == qp->sent_to)
		return;
	while (serial_before(wqe_wr_at(qp, 0)->base, wr_of(qp, psn)->base))
		wqe_qp_done(qp, STATUS_FLUSHED);
	wqe_req_fail(qp, status[syndrome & 3]);
}

/*
 * Returns false for a pure responder, which has no PSN that can be
 * acknowledged.
 */
static bool wqe_req_sends(struct wqe_qp *qp)
{
	if (qp->state == QP_RTS)
		return true;
	env_drop(&qp->w->env, DROP_UNKNOWN_QP);
	return false;
}

/*
 * Returns true if an answer is about a sent PSN; *ret is the PSN with 32 bits.
 */
static bool wqe_req_known(struct wqe_qp *qp, uint32_t psn24, bool positive,
			  uint32_t *ret)
{
	const uint32_t psn = serial24_near(psn24, qp->una);
	const uint32_t from = positive ? qp->una - 1 : qp->acked;

	*ret = psn;
	if (!serial_before(psn, from) &&
	    serial_before(psn, qp->sent_to + !positive))
		return true;
	env_drop(&qp->w->env, DROP_BAD_ACK);
	return false;
}

static void wqe_req_taken_ack(struct wqe_qp *qp, const struct bth *bth,
			      const struct aeth *aeth)
{
	const uint8_t class = aeth->syndrome >> 5 & 3;
	uint32_t psn;

	if (!wqe_req_known(qp, bth->psn, class == 0, &psn))
		return;
	acknowledged(qp, class ? psn : psn + 1);
	if (class == 1)
		wqe_req_not_ready(qp, psn, aeth->syndrome & 31);
	else if (aeth->syndrome == IB_SYNDROME_PSN_SEQ)
		wqe_req_go_back(qp, psn);
	else if (aeth->syndrome >= IB_SYNDROME_INVALID_REQ &&
		 aeth->syndrome <= IB_SYNDROME_REMOTE_OP)
		wqe_req_refused(qp, psn, aeth->syndrome);
}

/* Ignores listed PSNs that were never sent or are acknowledged. */
static void list_known(struct wqe_qp *qp, uint32_t psn24)
{
	const uint32_t psn = serial24_near(psn24, qp->acked);
	const struct wqe_wr *wr;

	if (serial_before(psn, qp->acked) || !serial_before(psn, qp->next))
		return;
	wr = wr_of(qp, psn);
	if (wr->kind != WQE_READ)
		wqe_req_list(qp, psn);
	else if (!serial_before(wr->base, qp->acked))
		wqe_req_list(qp, wr->base); /* one packet has all its PSNs */
}

static void list_one(struct wqe_qp *qp, const struct rieth *h, uint32_t psn24)
{
	if (h->d)
		wqe_read_listed(qp, h, psn24);
	else
		list_known(qp, psn24);
}

static void list_entries(struct wqe_qp *qp, const struct rieth *h,
			 const uint8_t *p, uint32_t n)
{
	for (; n; n--, p += rieth_entry_len) {
		struct rieth_entry e;

		rieth_entry_get(&e, p);
		list_one(qp, h, e.missing_psn);
	}
}

/*
 * Reads a bitmap: a base, and a bit for each PSN from there, the first is the
 * highest bit.
 */
static void list_bitmap(struct wqe_qp *qp, const struct rieth *h,
			const uint8_t *p)
{
	struct rieth_entry base;

	rieth_entry_get(&base, p);
	p += rieth_entry_len;
	for (uint32_t k = 0; k < 32u * h->count; k++)
		if (p[k / 8] >> (7 - k % 8) & 1)
			list_one(qp, h, base.missing_psn + k);
}

/* "never read out of bounds": count and length must agree. */
static bool sound(const struct rieth *h, size_t len)
{
	const size_t words = h->count + (h->fmt == RIETH_BITMAP ? 1u : 0u);

	return !h->ver && h->fmt <= RIETH_BITMAP && h->count &&
	       h->count <= WQE_LIST && len == words * rieth_entry_len;
}

static void indicated(struct wqe_qp *qp, const struct bth *bth,
		      const uint8_t *p, size_t len)
{
	struct rieth h;
	uint32_t psn;

	if (len < rieth_len) {
		env_drop(&qp->w->env, DROP_SHORT);
		return;
	}
	rieth_get(&h, p);
	if (!sound(&h, len - rieth_len)) {
		env_drop(&qp->w->env, DROP_BAD_NACK);
		return;
	}
	if (!h.d) {
		if (!wqe_req_sends(qp) ||
		    !wqe_req_known(qp, bth->psn, false, &psn))
			return;
		acknowledged(qp, psn);
	}
	qp->w->env.stats.rx_nack++;
	if (h.fmt == RIETH_LIST)
		list_entries(qp, &h, p + rieth_len, h.count);
	else
		list_bitmap(qp, &h, p + rieth_len);
}

void wqe_req_answer(struct wqe_qp *qp, const struct bth *bth, const uint8_t *p,
		    size_t len)
{
	struct aeth aeth;

	if (len < aeth_len) {
		env_drop(&qp->w->env, DROP_SHORT);
		return;
	}
	aeth_get(&aeth, p);
	if (bth->opcode == IB_WQE_RTX_IND)
		indicated(qp, bth, p + aeth_len, len - aeth_len);
	else if (wqe_req_sends(qp))
		wqe_req_taken_ack(qp, bth, &aeth);
	wqe_req_pump(qp);
}

void wqe_req_data(struct wqe_qp *qp, const struct bth *bth, const uint8_t *p,
		  size_t len)
{
	struct wqe *w = qp->w;
	struct wqe_pkt pkt;

	if (!wqe_read_take_apart(&pkt, bth, p, len, wqe_is_plain(w))) {
		env_drop(&w->env, DROP_SHORT);
		return;
	}
	if (!wqe_req_sends(qp) || !wqe_req_known(qp, bth->psn, true, &pkt.psn))
		return;
	if (serial_before(pkt.psn, qp->una)) {
		w->env.stats.rx_duplicate++;
		return;
	}
	if (!wqe_read_put(w, wr_of(qp, pkt.psn), &pkt))
		return;
	acknowledged(qp, pkt.psn + 1);
	wqe_req_pump(qp);
}

/* ---- Time ---- */

/*
 * Requests only the missing packets of a read; without the extension,
 * everything from the first.
 */
static void wqe_req_ask_for_data(struct wqe_qp *qp)
{
	qp->gap_at = VTIME_NEVER;
	if (qp->w->env.conf.wqe_gbn) {
		wqe_req_go_back(qp, qp->una);
		wqe_req_pump(qp);
	} else {
		wqe_read_ask(qp);
	}
	arm(qp);
}

/*
 * Retransmits the oldest packet with an ACK request: the answer lists the
 * missing PSNs.  For a partly answered read the first time-out requests the
 * rest.
 */
static void wqe_req_probe(struct wqe_qp *qp)
{
	const struct orc_conf *conf = &qp->w->env.conf;
	const struct wqe_wr *wr = wr_of(qp, qp->una);

	if (qp->retries++ >= conf->max_rto_retx) {
		wqe_req_fail(qp, STATUS_TIMEOUT);
		return;
	}
	if (conf->wqe_gbn) {
		wqe_req_go_back(qp, qp->una);
		wqe_req_pump(qp);
	} else if (wr->kind == WQE_READ && qp->retries == 1 &&
		   serial_after(qp->acked, wr->base)) {
		wqe_read_ask_again(qp, wr);
	} else {
		wqe_req_unlist(qp, qp->una);
		transmit_again(qp, qp->una, true);
	}
	arm(qp);
}

void wqe_req_tick(struct wqe_qp *qp)
{
	if (qp->rnr_until) {
		qp->rnr_until = 0;
		wqe_req_pump(qp);
		arm(qp);
	} else if (qp->gap_at <= qp->w->env.now) {
		wqe_req_ask_for_data(qp);
	} else if (qp->una != qp->sent_to) {
		wqe_req_probe(qp);
	}
}
