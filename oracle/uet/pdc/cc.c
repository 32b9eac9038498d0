/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/cc.c -- the congestion control fields of a PDC.
 *
 * The unit of credit and the initial credit of a source are not specified: they
 * are settings.  Without a policy a destination grants every request.
 *
 * Spec: UET 3.6.9, 3.6.13 (uet.md 3.3, 3.5, 3.10, 8)
 */
#include "oracle/uet/pdc/cc.h"

#include "base/serial.h"
#include "oracle/uet/cc/nscc.h"
#include "oracle/uet/cc/paths.h"
#include "oracle/uet/cc/rccc.h"
#include "oracle/uet/pdc/pdc_fail.h"
#include "oracle/uet/pdc/pdc_out.h"
#include "oracle/uet/pdc/source/src_clear.h"
#include "oracle/uet/pdc/source/src_window.h"
#include "oracle/uet/ses/ses_hdr.h"

/* "nominal_pktsize = transport size + 40" (uet.md 8.5) */
#define NOMINAL_ADD 40

#define SERVICE_TIME_UNIT 128 /* ns */
#define SERVICE_TIME_MAX  0xffff
#define RCVD_BYTES_UNIT   256
#define OOO_COUNT_MAX     0xfffe /* 0xffff: not provided */

#define CREDIT_MASK 0xffffffu /* counts modulo 2^24 */
#define REPAIRS_MAX 64        /* counted in a credit_target */

/* Returns the nominal size of a full packet. */
static uint32_t full_size(const struct pdc *pdc)
{
	return cc_nominal(pdc, pds_req_len + pds_req_cc_len + ses_std_som_len +
				       pdc->env->conf.mtu);
}

static bool is_nscc(const struct pdc *pdc)
{
	return pdc->env->conf.cc_policy == ORC_POLICY_NSCC;
}

void cc_start(struct pdc *pdc, uint32_t start_psn)
{
	const struct orc_conf *conf = &pdc->env->conf;

	pdc->dst.cc = (struct cc_dst){
		.credit = conf->credit_init,
		.wanted = conf->credit_init,
		.turn_at = VTIME_NEVER,
		.sack_next = start_psn,
	};
	pdc->src.cc = (struct cc_src){
		.cwnd = conf->cwnd,
		.credit = conf->credit_init,
		.rtt = NSCC_NO_RTT,
	};
	paths_start(&pdc->src.cc.paths);
	if (is_nscc(pdc))
		pdc->src.cc.cwnd =
			nscc_start(&pdc->src.cc.nscc, conf, full_size(pdc));
}

uint32_t cc_mp_range(const struct pdc *pdc, uint8_t mpr)
{
	const struct orc_conf *conf = &pdc->env->conf;

	return mpr ? mpr * (uint32_t)MPR_UNIT : conf->override_mpr_zero;
}

/* A destination answers each source by that source's congestion control. */
static bool cc_grants(const struct pdc *pdc)
{
	return pdc->env->conf.cc == ORC_CC_CREDIT || pdc->dst.cc.asked;
}

uint8_t cc_type(const struct pdc *pdc)
{
	return cc_grants(pdc) ? PDS_CC_CREDIT : PDS_CC_NSCC;
}

bool cc_is_credit(const struct pdc *pdc)
{
	return pdc->env->conf.cc == ORC_CC_CREDIT;
}

/* "the UDP length (or entropy header...trailer for native IP)" */
uint16_t cc_nominal(const struct pdc *pdc, size_t len)
{
	const size_t shim = pdc->native ? entropy_len : 8;
	const size_t crc = pdc->env->conf.crc ? CRC_LEN : 0;

	return (uint16_t)(shim + len + crc + NOMINAL_ADD);
}

/* ---- The receiving half ---- */

void cc_took(struct pdc *pdc, uint16_t nominal)
{
	pdc->dst.cc.rcvd_bytes += nominal;
}

/* rcvd_bytes counts units of 256 bytes, rounded up (table 3-74). */
static uint32_t rcvd_bytes_field(const struct cc_dst *cc)
{
	const uint64_t up = cc->rcvd_bytes + RCVD_BYTES_UNIT - 1;

	return (uint32_t)(up / RCVD_BYTES_UNIT) & 0xffffff;
}

/* "128 ns units; 0 = not valid; 0xFFFF = >= 8.38848 ms" */
static uint16_t service_time_field(const struct pdc *pdc, vtime arrived)
{
	const vspan units = (pdc->env->now - arrived) / SERVICE_TIME_UNIT;

	if (units < 1)
		return 1;
	return units < SERVICE_TIME_MAX ? (uint16_t)units : SERVICE_TIME_MAX;
}

/* "instantaneous out-of-order count": the PSNs received above the first gap. */
static uint16_t ooo_count_field(const struct pdc *pdc)
{
	const uint32_t n = rcvd_ooo(&pdc->dst.rcvd);

	return n < OOO_COUNT_MAX ? (uint16_t)n : OOO_COUNT_MAX;
}

static void put_nscc(const struct pdc *pdc, vtime arrived, uint8_t *p)
{
	const struct orc_conf *conf = &pdc->env->conf;
	const struct pds_nscc h = {
		.service_time = service_time_field(pdc, arrived),
		.rc = conf->restore_cwnd,
		.rcv_cwnd_pend = conf->rcv_cwnd_pend,
		.rcvd_bytes = rcvd_bytes_field(&pdc->dst.cc),
		.ooo_count = ooo_count_field(pdc),
	};

	pds_nscc_put(&h, p);
}

static void put_credit(const struct pdc *pdc, uint8_t *p)
{
	const struct pds_credit h = {
		.credit = pdc->dst.cc.credit,
		.ooo_count = ooo_count_field(pdc),
	};

	pds_credit_put(&h, p);
}

void cc_put_state(const struct pdc *pdc, vtime arrived, uint8_t *p)
{
	if (cc_grants(pdc))
		put_credit(pdc, p);
	else
		put_nscc(pdc, arrived, p);
}

/* Uses the PSN behind CACK_PSN, unless ACK_PSN would not be in the bitmap. */
static uint32_t base_cack(struct pdc *pdc, uint32_t ack_psn)
{
	return serial_max(pdc->dst.rcvd.cack_psn + 1, ack_psn - 63);
}

static uint32_t base_ack_psn(struct pdc *pdc, uint32_t ack_psn)
{
	(void)pdc;
	return ack_psn;
}

/* Uses the multiple of 64 at or below ACK_PSN, from Start_PSN on. */
static uint32_t base_aligned(struct pdc *pdc, uint32_t ack_psn)
{
	const uint32_t base = ack_psn & ~(uint32_t)63;

	return serial_before(base, pdc->start_psn) ? pdc->start_psn : base;
}

/* Advances by 64 through everything received, with each ACK. */
static uint32_t base_step(struct pdc *pdc, uint32_t ack_psn)
{
	const struct rcvd *rcvd = &pdc->dst.rcvd;
	uint32_t *next = &pdc->dst.cc.sack_next;
	uint32_t base = *next;

	(void)ack_psn;
	if (serial_before(base + 63, rcvd->cack_psn + 1) ||
	    serial_after(base, rcvd->max_psn))
		base = rcvd->cack_psn + 1;
	*next = base + 64;
	return base;
}

static uint32_t (*const bases[])(struct pdc *pdc, uint32_t ack_psn) = {
	[ORC_SACK_CACK] = base_cack,
	[ORC_SACK_ACK_PSN] = base_ack_psn,
	[ORC_SACK_ALIGNED] = base_aligned,
	[ORC_SACK_STEP] = base_step,
};

uint32_t cc_sack_base(struct pdc *pdc, uint32_t ack_psn)
{
	return bases[pdc->env->conf.sack_base](pdc, ack_psn);
}

static uint32_t credit_units(const struct pdc *pdc, uint32_t bytes)
{
	const uint32_t unit = pdc->env->conf.credit_unit;

	return bytes / unit + (bytes % unit > 0);
}

/* Returns the later of two counts modulo 2^24. */
static uint32_t credit_max(uint32_t a, uint32_t b)
{
	return ((b - a) & CREDIT_MASK) < (CREDIT_MASK + 1) / 2 ? b : a;
}

/* RCCC: takes a turn if the source wants credit and has none. */
static void take_turn(struct pdc *pdc)
{
	const struct orc_conf *conf = &pdc->env->conf;
	struct cc_dst *cc = &pdc->dst.cc;
	const uint32_t most =
		conf->rccc_quantum * credit_units(pdc, full_size(pdc));
	const uint32_t left = (cc->wanted - cc->credit) & CREDIT_MASK;
	uint64_t bytes;

	if (cc->turn_at != VTIME_NEVER || !left)
		return;
	cc->turn = left < most ? left : most;
	bytes = (uint64_t)cc->turn * conf->credit_unit;
	cc->turn_at =
		rccc_turn(&pdc->env->rccc, conf, pdc->env->now,
			  bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX);
}

/* RCCC: grants the credit of a turn that has come. */
static void end_turn(struct pdc *pdc)
{
	struct cc_dst *cc = &pdc->dst.cc;

	cc->requested = false;
	cc->credit = (cc->credit + cc->turn) & CREDIT_MASK;
	cc->turn_at = VTIME_NEVER;
	pdc_send_cp(pdc, PDS_CP_CREDIT, 0, cc->credit << 8);
	take_turn(pdc);
}

void cc_rx_target(struct pdc *pdc, uint32_t credit_target)
{
	pdc->dst.cc.asked = true;
	if (pdc->env->conf.cc_policy == ORC_POLICY_RCCC) {
		pdc->dst.cc.wanted =
			credit_max(pdc->dst.cc.wanted, credit_target);
		take_turn(pdc);
		return;
	}
	pdc->dst.cc.credit = credit_max(pdc->dst.cc.credit, credit_target);
}

void cc_rx_credit_request(struct pdc *pdc, const struct pds_rx *rx)
{
	const bool again = pdc->dst.cc.requested;

	cc_rx_target(pdc, rx->payload & CREDIT_MASK);
	pdc->dst.cc.requested = true;
	if (pdc->dst.cc.turn_at != VTIME_NEVER && !again)
		return; /* the Credit of the turn answers */
	pdc_send_cp(pdc, PDS_CP_CREDIT, 0, pdc->dst.cc.credit << 8);
}

/* ---- The sending half: permission to send ---- */

static bool has_credit(const struct pdc *pdc)
{
	const struct cc_src *cc = &pdc->src.cc;
	const uint32_t left = (cc->credit - cc->spent) & CREDIT_MASK;
	const uint32_t most = credit_units(pdc, full_size(pdc));

	return left < (CREDIT_MASK + 1) / 2 && left >= most;
}

/* "NSCC CanSend: inflight + MTU <= cwnd"; one packet may always be under way.
 */
static bool fits_cwnd(const struct pdc *pdc)
{
	const struct cc_src *cc = &pdc->src.cc;

	return !cc->cwnd || !cc->inflight ||
	       cc->inflight + pdc->env->conf.mtu <= cc->cwnd;
}

bool cc_can_send(const struct pdc *pdc)
{
	return cc_is_credit(pdc) ? has_credit(pdc) : fits_cwnd(pdc);
}

/* "ar when (cwnd - inflight) < MTU or cwnd < ACK_Gen_Trigger" */
bool cc_wants_ack(const struct pdc *pdc)
{
	const struct orc_conf *conf = &pdc->env->conf;
	const struct cc_src *cc = &pdc->src.cc;

	if (!cc->cwnd || cc_is_credit(pdc))
		return false;
	return cc->cwnd < conf->ack_gen_trigger ||
	       cc->inflight + 2u * conf->mtu > cc->cwnd;
}

bool cc_is_waiting(const struct pdc *pdc)
{
	return pdc->env->conf.cc_policy == ORC_POLICY_RCCC &&
	       pdc->src.cc.inflight;
}

/* RCCC: returns the packets to be retransmitted, at most REPAIRS_MAX. */
static uint32_t retx_waiting(const struct pdc *pdc)
{
	const struct inflight *fl = &pdc->src.fl;
	uint32_t psn, n = 0;
	bool more;

	if (pdc->env->conf.cc_policy != ORC_POLICY_RCCC)
		return 0;
	more = inflight_first(fl, INFLIGHT_RETX, &psn);
	while (more && n++ < REPAIRS_MAX)
		more = inflight_after(fl, psn, &psn);
	return n;
}

/*
 * Returns the credit that the source has spent, plus what it would like to send
 * now.
 */
static uint32_t credit_target(const struct pdc *pdc)
{
	const struct pdc_src *src = &pdc->src;
	const uint32_t waiting = src->fl.next - src->tx_psn + 1;
	const uint32_t packets = waiting + retx_waiting(pdc);

	return (src->cc.spent + packets * credit_units(pdc, full_size(pdc))) &
	       CREDIT_MASK;
}

size_t cc_put_req(const struct pdc *pdc, uint8_t *p)
{
	const struct pds_req_cc h = {
		.ccc_id = pdc->env->conf.ccc_id,
		.credit_target = credit_target(pdc),
	};

	pds_req_cc_put(&h, p);
	return pds_req_cc_len;
}

void cc_sent(struct pdc *pdc, struct inflight_pkt *pkt, size_t len)
{
	struct cc_src *cc = &pdc->src.cc;
	const uint16_t nominal = cc_nominal(pdc, len);

	pkt->sent_at = pdc->env->now;
	if (pkt->sent && pkt->repeats < UINT8_MAX)
		pkt->repeats++;
	cc->spent += credit_units(pdc, nominal);
	if (pkt->nominal)
		return;
	pkt->nominal = nominal;
	cc->inflight += nominal;
}

void cc_landed(struct pdc *pdc, struct inflight_pkt *pkt)
{
	pdc->src.cc.inflight -= pkt->nominal;
	pkt->nominal = 0;
}

/* ---- The sending half: processing ACKs ---- */

/*
 * "sample only if (never retransmitted and ACK.retx = 0) or (retransmitted
 * exactly once and ACK.retx = 1)" (3.6.13.1)
 */
static bool may_sample(const struct inflight_pkt *pkt, bool retx)
{
	return retx ? pkt->repeats == 1 : pkt->repeats == 0;
}

static vspan service_of(const struct pds_ack_rx *ack)
{
	if (!ack->has_nscc || ack->nscc.service_time == SERVICE_TIME_MAX)
		return 0;
	return ack->nscc.service_time * (vspan)SERVICE_TIME_UNIT;
}

static void cc_sample(struct pdc *pdc, vtime sent_at,
		      const struct pds_ack_rx *ack)
{
	const vspan rtt = pdc->env->now - (sent_at + service_of(ack));

	pdc->env->stats.rtt_samples++;
	pdc->env->stats.rtt_last = (uint64_t)(rtt > 0 ? rtt : 0);
	pdc->src.cc.rtt = rtt > 0 ? rtt : 0;
}

static void sample_packet(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	const struct inflight_pkt *pkt =
		inflight_at(&pdc->src.fl, ack->ack_psn);

	if (!pkt || pkt->done || !pkt->sent)
		return;
	if (ack->m)
		paths_marked(&pdc->src.cc.paths, &pdc->env->conf, pkt->path,
			     pdc->env->now);
	if (may_sample(pkt, ack->retx))
		cc_sample(pdc, pkt->sent_at, ack);
	else
		pdc->env->stats.rtt_refused++;
}

static void sample_probe(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	struct cc_src *cc = &pdc->src.cc;

	if (!cc->probe_waits || ack->probe_opaque != cc->probe_opaque)
		return;
	cc->probe_waits = false;
	cc_sample(pdc, cc->probe_at, ack);
}

/*
 * "cwnd penalty = (rcv_cwnd_pend x newly_rcvd_bytes) >> 7; rc restores the
 * saved cwnd" (uet.md 8.5)
 */
static void take_penalty(struct pdc *pdc, const struct pds_nscc *nscc)
{
	struct cc_src *cc = &pdc->src.cc;
	const uint32_t mtu = pdc->env->conf.mtu;
	const uint32_t units = (nscc->rcvd_bytes - cc->rcvd_bytes) & 0xffffff;
	const uint64_t penalty =
		(uint64_t)units * RCVD_BYTES_UNIT * nscc->rcv_cwnd_pend >> 7;

	cc->rcvd_bytes = nscc->rcvd_bytes;
	if (!cc->cwnd)
		return;
	if (nscc->rcv_cwnd_pend && !cc->cwnd_saved)
		cc->cwnd_saved = cc->cwnd;
	if (nscc->rcv_cwnd_pend)
		cc->cwnd = cc->cwnd > penalty + mtu
				   ? cc->cwnd - (uint32_t)penalty
				   : mtu;
	if (nscc->rc && cc->cwnd_saved) {
		cc->cwnd = cc->cwnd_saved;
		cc->cwnd_saved = 0;
	}
}

void cc_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	struct cc_src *cc = &pdc->src.cc;

	cc->rtt = NSCC_NO_RTT;
	if (ack->p)
		sample_probe(pdc, ack);
	else
		sample_packet(pdc, ack);
	if (serial_before(ack->cack_psn, pdc->src.cack_psn))
		return; /* a newer ACK overtook it */
	if (ack->has_cc && cc_mp_range(pdc, ack->mpr))
		pdc->src.mp_range = cc_mp_range(pdc, ack->mpr);
	if (ack->has_nscc)
		take_penalty(pdc, &ack->nscc);
	if (!ack->has_credit)
		return;
	cc->credit = credit_max(cc->credit, ack->credit);
	cc->asked = 0;
}

void cc_acked(struct pdc *pdc, const struct pds_ack_rx *ack, uint32_t bytes)
{
	struct cc_src *cc = &pdc->src.cc;
	const struct nscc_ack in = {
		.now = pdc->env->now,
		.rtt = cc->rtt,
		.bytes = bytes,
		.inflight = cc->inflight,
		.ce = ack->m,
	};

	if (is_nscc(pdc))
		cc->cwnd =
			nscc_acked(&cc->nscc, &pdc->env->conf, cc->cwnd, &in);
}

void cc_lost(struct pdc *pdc, const struct inflight_pkt *pkt, bool quick)
{
	struct cc_src *cc = &pdc->src.cc;
	const uint32_t left = cc->inflight - pkt->nominal;

	/* a second NACK of the same transmission is not a second loss */
	if (!pkt->nominal)
		return;
	paths_lost(&cc->paths, &pdc->env->conf, pkt->path, pdc->env->now);
	if (is_nscc(pdc))
		cc->cwnd = nscc_lost(&cc->nscc, &pdc->env->conf, cc->cwnd,
				     pdc->env->now, pkt->nominal, left, quick);
}

uint16_t cc_path(struct pdc *pdc, struct inflight_pkt *pkt)
{
	const struct env *env = pdc->env;

	pkt->path = paths_choose(&pdc->src.cc.paths, &env->conf,
				 env->conf.spray, &pdc->env->rng, env->now);
	return env_entropy_of_path(pdc->entropy, pkt->path);
}

/* Returns the highest PSN that this ACK shows to have arrived. */
static uint32_t highest(const struct pds_ack_rx *ack)
{
	const uint32_t last = ack->p ? ack->cack_psn : ack->ack_psn;
	uint32_t top;

	if (!ack->sack_bitmap)
		return last;
	top = 63 - (uint32_t)__builtin_clzll(ack->sack_bitmap);
	return serial_max(last, ack->sack_psn + top);
}

/*
 * Returns true if the ACK is about the last transmission of |later|: one
 * without retx answers the first (uet.md 8-8), which may have left before the
 * retransmission of a lower PSN.
 */
static bool is_of_newest(const struct pds_ack_rx *ack,
			 const struct inflight_pkt *later)
{
	return !later->repeats || ack->retx;
}

static bool is_missing(const struct inflight_pkt *pkt, vtime later)
{
	return pkt->sent && !pkt->done && !pkt->sacked &&
	       pkt->queue < INFLIGHT_NACK && pkt->sent_at <= later;
}

void cc_infer_loss(struct pdc *pdc, const struct pds_ack_rx *ack)
{
	struct inflight *fl = &pdc->src.fl;
	const uint32_t threshold = pdc->env->conf.sack_retx;
	const uint32_t top = highest(ack);
	const struct inflight_pkt *later = inflight_at(fl, top);

	if (!threshold || !later || pdc->rod || !is_of_newest(ack, later))
		return;
	for (uint32_t psn = fl->base;
	     serial_diff(top, psn) >= (int32_t)threshold; psn++) {
		struct inflight_pkt *pkt = inflight_at(fl, psn);

		if (!is_missing(pkt, later->sent_at))
			continue;
		cc_lost(pdc, pkt, false);
		cc_landed(pdc, pkt);
		inflight_wait(fl, psn, INFLIGHT_RETX, 0);
	}
}

void cc_rx_credit(struct pdc *pdc, const struct pds_rx *rx)
{
	struct cc_src *cc = &pdc->src.cc;

	if (!cc_is_credit(pdc)) {
		env_drop(pdc->env, DROP_BAD_CP);
		return;
	}
	cc->credit = credit_max(cc->credit, rx->payload >> 8);
	cc->asked = 0;
}

/* ---- The sending half: requests ---- */

/*
 * "New CCC should send a Probe ... after first ACK/NACK"; it cannot open a PDC
 * (3.6.13.7).
 */
static bool probe_is_due(const struct pdc *pdc)
{
	return pdc->env->conf.probe && !pdc->src.cc.probed &&
	       pdc->src.cc.heard && pdc->role == PDC_INITIATOR &&
	       pdc->state == PDC_ESTABLISHED;
}

static void send_probe(struct pdc *pdc)
{
	struct cc_src *cc = &pdc->src.cc;
	const struct pds_cp h = {
		.ctl_type = PDS_CP_PROBE,
		.ar = true,
		.probe_opaque = (uint16_t)rng_next(&pdc->env->rng),
		.psn = src_clear_psn(pdc),
	};

	cc->probed = true;
	cc->probe_waits = true;
	cc->probe_opaque = h.probe_opaque;
	cc->probe_at = pdc->env->now;
	pdc_put_cp(pdc, &h, src_clear_psn(pdc) + 1);
}

static bool waits_for_credit(const struct pdc *pdc)
{
	return cc_is_credit(pdc) && pdc->dpdcid && !has_credit(pdc) &&
	       src_waits(pdc);
}

/*
 * Requests for credit back off like retransmissions: a source that gave up
 * earlier would not survive a failure that its packets do.
 */
static void ask_for_credit(struct pdc *pdc)
{
	const uint32_t ccc_id = pdc->env->conf.ccc_id;
	struct cc_src *cc = &pdc->src.cc;

	cc->asked_at = pdc->env->now + env_rto(pdc->env, cc->asked - 1u);
	pdc_send_cp(pdc, PDS_CP_CREDIT_REQUEST, 0,
		    ccc_id << 24 | credit_target(pdc));
}

bool cc_tick(struct pdc *pdc)
{
	const struct pds_error spent = {.status = STATUS_RETRIES};
	struct cc_src *cc = &pdc->src.cc;

	if (probe_is_due(pdc))
		send_probe(pdc);
	if (pdc->dst.cc.turn_at <= pdc->env->now)
		end_turn(pdc);
	if (!waits_for_credit(pdc) || cc->asked_at > pdc->env->now)
		return true;
	if (cc->asked++ > pdc->env->conf.max_rto_retx) {
		pdc_fail(pdc, spent, true);
		return false;
	}
	ask_for_credit(pdc);
	return true;
}

vtime cc_deadline(const struct pdc *pdc)
{
	if (probe_is_due(pdc))
		return 0; /* at once */
	return vtime_min(pdc->dst.cc.turn_at, waits_for_credit(pdc)
						      ? pdc->src.cc.asked_at
						      : VTIME_NEVER);
}
