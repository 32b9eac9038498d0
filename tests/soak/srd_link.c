/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/srd_link.c -- the link between two SRD endpoints, and the checks
 * of what they send and report.
 *
 * Spec: srd_wqe.md C.4, D
 */
#include "tests/soak/srd_link.h"

#include "base/pattern.h"
#include "wire/ib/ib.h"
#include "wire/ib/icrc.h"

/* Bytes before the payload of a message. */
#define PAYLOAD (bth_len + seth_len + deth_len + imm_eth_len)

/* ---- The packets ---- */

/*
 * No packet is sent for a destroyed QP (SRD-14), and a handle keeps its context
 * (SRD-38), unless the other side has lost it.
 */
static void look_at_request(struct world *w, const struct packet *pkt)
{
	uint64_t src_qp, scid;

	if (packet_value(pkt, "src_qp", &src_qp) && src_qp != w->qp[0] &&
	    src_qp != w->qp[1])
		qps_wrong(&w->q, "a packet leaves for QP %u, which is no more",
			  (unsigned)src_qp);
	if (!packet_value(pkt, "scid", &scid) || pkt->p[0] >= IB_SRD_ACK)
		return;
	if (scid != w->scid && w->ah == w->scid_ah && !w->restarts)
		qps_wrong(&w->q, "handle %u has another context", w->ah);
	w->scid = (uint32_t)scid;
	w->scid_ah = w->ah;
}

void srd_look(struct world *w, unsigned side, const struct dgram *d)
{
	struct packet pkt;

	packet_parse(FAMILY_SRD, &pkt, d->data,
		     d->len - (w->q.conf[0].crc ? ICRC_LEN : 0));
	if (side == w->req && ip_addr_equal(&d->src, &w->q.conf[side].addr))
		look_at_request(w, &pkt);
	qps_look(&w->q, side, d, &pkt, NULL);
}

/* ---- The link ---- */

static void srd_fly(struct world *w, unsigned to, const struct dgram *d)
{
	struct qps_flight *f = NULL;

	if (!w->cut && !srd_chance(w, w->loss))
		f = qps_fly(&w->q, to, d,
			    VSPAN_US * (1 + rng_below(&w->rng, w->spread)));
	if (!f) {
		w->q.tally.lost++;
		return;
	}
	f->unjudged = w->q.conf[0].crc && srd_chance(w, 10);
	if (f->unjudged) /* the payload, or the fields of an answer */
		f->d->data[d->len > PAYLOAD + ICRC_LEN ? PAYLOAD : bth_len] ^=
			1;
	qps_flies(&w->q, f);
}

/* ---- Events ---- */

static void srd_check_bytes(struct world *w, uint32_t id, uint32_t len)
{
	const uint8_t *p = NULL;
	size_t n = 0;

	if (w->q.api[w->rsp]->memory(w->q.end[w->rsp], 0, &p, &n) || n != len) {
		qps_wrong(&w->q, "message %u has %zu bytes, not %u", id, n,
			  len);
		return;
	}
	for (uint32_t i = 0; i < len; i++)
		if (p[i] != pattern_byte(0, id, i)) {
			qps_wrong(&w->q, "message %u: byte %u is another", id,
				  i);
			return;
		}
}

/* A receive queue is used from its front, even if the message fails. */
static void check_receive(struct world *w, const struct orc_event *ev)
{
	for (unsigned i = 0; i < DESTS; i++)
		if (w->dest[i] == ev->qpn && ev->handle != w->used_rq[i]++)
			qps_wrong(&w->q, "receive %u of QP %u is used, not %u",
				  ev->handle, ev->qpn, w->used_rq[i] - 1);
}

static void srd_received(struct world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->imm % MESSAGES];

	check_receive(w, ev);
	if (ev->status != STATUS_OK)
		return;
	if (!ev->with_imm || ev->imm >= MESSAGES || !m->posted) {
		qps_wrong(&w->q, "message %u was not sent", ev->imm);
		return;
	}
	if (ev->len != m->len || ev->qpn != w->dest[m->dest])
		qps_wrong(&w->q, "message %u: %u bytes to QP %u", ev->imm,
			  ev->len, ev->qpn);
	if (m->local || m->delivered)
		qps_wrong(&w->q, "message %u is delivered %s", ev->imm,
			  m->local ? "in spite of a local error" : "twice");
	if (ev->src_qp != m->src_qp)
		qps_wrong(&w->q, "message %u comes from QP %u", ev->imm,
			  ev->src_qp);
	m->delivered = m->ever = true;
	srd_check_bytes(w, ev->imm, m->len);
}

bool srd_is_drop(enum orc_status s)
{
	return s >= STATUS_REMOTE_INVALID && s <= STATUS_RNR;
}

/* Returns true if a WR to this destination may end with that status. */
static bool srd_may_end(const struct world *w, const struct message *m,
			enum orc_status status)
{
	if (status == STATUS_FLUSHED)
		return m->flushable;
	if (status == STATUS_REMOTE_ABORT)
		return w->restarts;
	switch (m->dest) {
	case ABSENT:
	case BROKEN:
	case OTHER_KEY:
		return status == STATUS_BAD_DEST_QP;
	case UD:
		return status == STATUS_REMOTE_INVALID;
	case BAD:
		return status == STATUS_REMOTE_OP || status == STATUS_RNR;
	case TINY:
		return status == (m->len > SHORT ? STATUS_REMOTE_INVALID
						 : STATUS_OK) ||
		       status == STATUS_RNR;
	case DRY:
		return status == STATUS_OK || status == STATUS_RNR;
	default:
		return status == STATUS_OK;
	}
}

static void srd_completed(struct world *w, const struct orc_event *ev)
{
	struct message *m = &w->m[ev->handle % MESSAGES];

	if (ev->handle >= MESSAGES || !m->posted || m->done || m->cancelled) {
		qps_wrong(&w->q, "message %u completes again, or unasked",
			  ev->handle);
		return;
	}
	if (m->local ? ev->status != m->status : !srd_may_end(w, m, ev->status))
		qps_wrong(&w->q, "message %u ends in %d", ev->handle,
			  (int)ev->status);
	m->done = true;
	m->status = ev->status;
	w->q.tally.dropped += srd_is_drop(ev->status);
	if (ev->status == STATUS_OK && !m->ever)
		qps_wrong(&w->q, "message %u: Success, not delivered",
			  ev->handle);
}

static void srd_told(struct world *w, const struct orc_event *ev)
{
	switch (ev->kind) {
	case EV_RECV:
		srd_received(w, ev);
		break;
	case EV_COMPLETION:
		srd_completed(w, ev);
		break;
	case EV_UNRESPONSIVE:
		w->outages++;
		if (ev->ah != w->ah)
			qps_wrong(&w->q, "handle %u is unresponsive, not %u",
				  ev->ah, w->ah);
		break;
	default:
		break;
	}
}

void srd_drain(struct world *w, unsigned side)
{
	static struct dgram d;
	struct orc_event ev;

	while (w->q.api[side]->poll_event(w->q.end[side], &ev))
		srd_told(w, &ev);
	while (w->q.api[side]->poll_tx(w->q.end[side], &d)) {
		w->q.tally.packets++;
		if (++w->steps > STEPS)
			return;
		srd_look(w, side, &d);
		qps_leaves(&w->q, side, &d);
		srd_fly(w, !side, &d);
		if (srd_chance(w, w->dup)) {
			w->q.tally.doubled++;
			srd_fly(w, !side, &d);
		}
	}
}
