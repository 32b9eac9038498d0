/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/rudi.c -- reliable delivery of idempotent operations, without a
 * PDC.
 *
 * States of a request: added (it has its pkt_id), sent (it waits for its RTO),
 * answered.  A time-out or a NACK leads to a retransmission.
 *
 * Spec: UET 3.5.7.3, 3.5.10.9 (uet.md 3.11, 4, 7.7, 8)
 */
#include "oracle/uet/rudi.h"

#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "oracle/uet/pdc/nack.h"
#include "oracle/uet/ses/ses_hdr.h"

static void rudi_forget(struct rudi *rudi)
{
	for (unsigned q = 0; q < INFLIGHT_QUEUES; q++) {
		rudi->queue[q].head = RUDI_NONE;
		rudi->queue[q].tail = RUDI_NONE;
	}
	rudi->npkts = 0;
	rudi->free_pkt = RUDI_NONE;
	rudi->busy = 0;
	rudi->paused = false;
	rudi->nasked = 0;
	rudi->free_asked = RUDI_NONE;
}

void rudi_init(struct rudi *rudi, struct env *env, const struct pds_ses *ses,
	       const struct feps *feps)
{
	*rudi = (struct rudi){.env = env,
			      .ses = ses,
			      .feps = feps,
			      .timer = {.kind = TIMER_RUDI}};
	rudi_forget(rudi);
}

void rudi_reset(struct rudi *rudi)
{
	timers_set(&rudi->env->timers, &rudi->timer, VTIME_NEVER);
	idmap_clear(&rudi->by_id);
	rudi_forget(rudi);
}

void rudi_free(struct rudi *rudi)
{
	for (size_t i = 0; i < rudi->pkt_cap; i++)
		memory_free(rudi->pkts[i].bytes);
	memory_free(rudi->pkts);
	memory_free(rudi->asked);
	idmap_free(&rudi->by_id);
}

/* ---- Queues ---- */

static struct rudi_pkt *first(const struct rudi *rudi, unsigned q)
{
	const uint32_t head = rudi->queue[q].head;

	return head == RUDI_NONE ? NULL : &rudi->pkts[head];
}

static void rudi_leave(struct rudi *rudi, struct rudi_pkt *pkt)
{
	const unsigned q = pkt->queue;

	if (q == INFLIGHT_NONE)
		return;
	if (pkt->prev == RUDI_NONE)
		rudi->queue[q].head = pkt->next;
	else
		rudi->pkts[pkt->prev].next = pkt->next;
	if (pkt->next == RUDI_NONE)
		rudi->queue[q].tail = pkt->prev;
	else
		rudi->pkts[pkt->next].prev = pkt->prev;
	pkt->queue = INFLIGHT_NONE;
}

/* Moves a packet to the end of a queue. */
static void rudi_enter(struct rudi *rudi, struct rudi_pkt *pkt, unsigned q,
		       vtime due)
{
	const uint32_t index = (uint32_t)(pkt - rudi->pkts);

	rudi_leave(rudi, pkt);
	pkt->queue = (uint8_t)q;
	pkt->due = due;
	pkt->prev = rudi->queue[q].tail;
	pkt->next = RUDI_NONE;
	if (pkt->prev == RUDI_NONE)
		rudi->queue[q].head = index;
	else
		rudi->pkts[pkt->prev].next = index;
	rudi->queue[q].tail = index;
}

/*
 * Returns the queue whose first packet is due next; packets to be sent are not
 * timed.
 */
static struct rudi_pkt *rudi_earliest(const struct rudi *rudi)
{
	struct rudi_pkt *ret = NULL;

	for (unsigned q = 0; q < INFLIGHT_RETX; q++) {
		struct rudi_pkt *pkt = first(rudi, q);

		if (pkt && (!ret || pkt->due < ret->due))
			ret = pkt;
	}
	return ret;
}

static void rudi_set_timer(struct rudi *rudi)
{
	const struct rudi_pkt *pkt = rudi_earliest(rudi);

	if (rudi->has_timer)
		timers_set(&rudi->env->timers, &rudi->timer,
			   pkt ? pkt->due : VTIME_NEVER);
}

static void await_response(struct rudi *rudi, struct rudi_pkt *pkt)
{
	const unsigned last = INFLIGHT_RTO_LEVELS - 1;
	const unsigned n = pkt->rto_count;

	rudi_enter(rudi, pkt, n < last ? n : last,
		   rudi->env->now + env_rto(rudi->env, n));
}

/* ---- Requests to send ---- */

static bool make_timer(struct rudi *rudi)
{
	if (!rudi->has_timer)
		rudi->has_timer =
			timers_reserve(&rudi->env->timers, &rudi->env->mem);
	return rudi->has_timer;
}

static struct rudi_pkt *take_pkt(struct rudi *rudi)
{
	const uint32_t i = rudi->free_pkt;
	struct rudi_pkt *pkts;

	if (i != RUDI_NONE) {
		rudi->free_pkt = rudi->pkts[i].next;
		return &rudi->pkts[i];
	}
	pkts = mem_grow(&rudi->env->mem, rudi->pkts, &rudi->pkt_cap,
			rudi->npkts + (size_t)1, sizeof(*pkts));
	if (!pkts)
		return NULL;
	rudi->pkts = pkts;
	return &pkts[rudi->npkts++];
}

static void rudi_give_back(struct rudi *rudi, struct rudi_pkt *pkt)
{
	pkt->next = rudi->free_pkt;
	rudi->free_pkt = (uint32_t)(pkt - rudi->pkts);
}

/* "Unique among those outstanding; need not be related or increasing." */
static uint32_t rudi_free_id(const struct rudi *rudi)
{
	uint32_t id = (uint32_t)rng_next(&rudi->env->rng);
	uint32_t index;

	while (idmap_get(&rudi->by_id, id, &index))
		id++;
	return id;
}

/* Returns a cleared slot that keeps its buffer. */
static struct rudi_pkt *make_pkt(struct rudi *rudi, const struct ses_tx *tx)
{
	struct rudi_pkt *pkt = take_pkt(rudi);
	uint8_t *bytes;

	if (!pkt)
		return NULL;
	bytes = mem_grow(&rudi->env->mem, pkt->bytes, &pkt->cap,
			 tx->pkt_len + (size_t)1, 1);
	if (!bytes) {
		rudi_give_back(rudi, pkt);
		return NULL;
	}
	memcpy(bytes, tx->pkt, tx->pkt_len);
	*pkt = (struct rudi_pkt){.bytes = bytes, .cap = pkt->cap};
	pkt->queue = INFLIGHT_NONE;
	return pkt;
}

static int rudi_pause(struct rudi *rudi)
{
	if (!rudi->paused)
		pds_pause_rudi(rudi->ses, true);
	rudi->paused = true;
	return ERR_SPACE;
}

int rudi_add(struct rudi *rudi, const struct ses_tx *tx, uint32_t *ret_id)
{
	struct env *env = rudi->env;
	const uint32_t id = rudi_free_id(rudi);
	struct rudi_pkt *pkt;

	if (rudi->busy >= env->conf.max_rudi)
		return rudi_pause(rudi);
	pkt = make_timer(rudi) ? make_pkt(rudi, tx) : NULL;
	if (!pkt)
		return ERR_NOMEM;
	if (!idmap_put(&rudi->by_id, &env->mem, id,
		       (uint32_t)(pkt - rudi->pkts))) {
		rudi_give_back(rudi, pkt);
		return ERR_NOMEM;
	}
	pkt->pkt_id = id;
	pkt->tx_pkt_handle = tx->tx_pkt_handle;
	pkt->fep = tx->dst_fep;
	pkt->entropy = env_entropy(env);
	pkt->len = tx->pkt_len;
	pkt->next_hdr = tx->next_hdr;
	rudi->busy++;
	rudi_enter(rudi, pkt, INFLIGHT_RETX, 0);
	*ret_id = id;
	return 0;
}

bool rudi_ready(const struct rudi *rudi)
{
	return first(rudi, INFLIGHT_RETX);
}

bool rudi_poll(struct rudi *rudi, struct dgram *ret)
{
	struct env *env = rudi->env;
	struct rudi_pkt *pkt = first(rudi, INFLIGHT_RETX);
	struct rudi_req h;

	if (!pkt)
		return false;
	h = (struct rudi_req){
		.type = PDS_RUDI_REQ,
		.next_hdr = pkt->next_hdr,
		.retx = pkt->sent,
		.pkt_id = pkt->pkt_id,
	};
	ret->dst = rudi->feps->addrs[pkt->fep];
	ret->entropy = pkt->entropy;
	ret->native = rudi->env->conf.native;
	ret->dscp = env_dscp_bulk(env);
	ret->ecn = ECN_ECT0;
	ret->len = rudi_req_len + (size_t)pkt->len;
	rudi_req_put(&h, ret->data);
	memcpy(ret->data + rudi_req_len, pkt->bytes, pkt->len);
	env->stats.tx_retx += pkt->sent;
	pkt->sent = true;
	pkt->nacked = false;
	await_response(rudi, pkt);
	rudi_set_timer(rudi);
	return true;
}

/* ---- The end of a request ---- */

/* Frees the slot of a completed request. */
static void rudi_finish(struct rudi *rudi, struct rudi_pkt *pkt)
{
	rudi_leave(rudi, pkt);
	idmap_del(&rudi->by_id, pkt->pkt_id);
	rudi_give_back(rudi, pkt);
	rudi->busy--;
	rudi_set_timer(rudi);
}

static void rudi_resume(struct rudi *rudi)
{
	if (!rudi->paused)
		return;
	rudi->paused = false;
	pds_pause_rudi(rudi->ses, false);
}

static void rudi_give_up(struct rudi *rudi, struct rudi_pkt *pkt,
			 struct pds_error err)
{
	const uint32_t handle = pkt->tx_pkt_handle;

	err.psn = pkt->pkt_id;
	rudi_finish(rudi, pkt);
	pds_ses_error(rudi->ses, handle, err);
	rudi_resume(rudi);
}

/* Returns the request |pkt_id|, if it was sent to |from|; or NULL. */
static struct rudi_pkt *uet_rudi_find(const struct rudi *rudi,
				      const struct ip_addr *from,
				      uint32_t pkt_id)
{
	struct rudi_pkt *pkt;
	uint32_t index;

	if (!idmap_get(&rudi->by_id, pkt_id, &index))
		return NULL;
	pkt = &rudi->pkts[index];
	if (!pkt->sent || !ip_addr_equal(&rudi->feps->addrs[pkt->fep], from))
		return NULL;
	return pkt;
}

/* A truncated response must not be taken for a success. */
static bool rsp_is_whole(const struct ses_rx_rsp *rx)
{
	struct ses_rsp rsp;

	return ses_rsp_get(&rsp, rx->next_hdr, rx->rsp, rx->rsp_len) > 0;
}

void rudi_rx_rsp(struct rudi *rudi, const struct rudi_rx *in)
{
	struct ses_rx_rsp rx;
	struct rudi_pkt *pkt;
	struct rudi_resp h;

	if (in->len < rudi_resp_len) {
		env_drop(rudi->env, DROP_SHORT);
		return;
	}
	rudi_resp_get(&h, in->d->data);
	rx = (struct ses_rx_rsp){
		.next_hdr = h.next_hdr,
		.rsp = in->d->data + rudi_resp_len,
		.rsp_len = in->len - rudi_resp_len,
		.psn = h.pkt_id,
	};
	pkt = uet_rudi_find(rudi, &in->d->src, h.pkt_id);
	if (!pkt || !rsp_is_whole(&rx)) {
		env_drop(rudi->env, pkt ? DROP_SHORT : DROP_NO_REQUEST);
		return;
	}
	rx.tx_pkt_handle = pkt->tx_pkt_handle;
	rudi->env->stats.rx_ack++;
	rudi_finish(rudi, pkt);
	pds_ses_rx_rsp(rudi->ses, &rx);
	rudi_resume(rudi);
}

/* ---- Repair ---- */

/*
 * NACKs have a budget of their own, Max_NACK_Retx_Cnt (uet.md 4.5); a second
 * NACK before the retransmission does not count.
 */
static void again_by_nack(struct rudi *rudi, struct rudi_pkt *pkt, unsigned q,
			  vspan wait)
{
	const struct pds_error retries_exhausted = {.status = STATUS_RETRIES};

	if (!pkt->nacked && pkt->nack_count >= rudi->env->conf.max_nack_retx) {
		rudi_give_up(rudi, pkt, retries_exhausted);
		return;
	}
	pkt->nack_count += !pkt->nacked;
	pkt->nacked = true;
	rudi_enter(rudi, pkt, q, rudi->env->now + wait);
	rudi_set_timer(rudi);
}

/*
 * Reacts to a NACK code at the source of a RUDI request.  There is no PDC to
 * close: where a PDC would end, the request does.  Codes about PSNs have no
 * meaning here.
 */
static void react(struct rudi *rudi, struct rudi_pkt *pkt, uint8_t code)
{
	const struct pds_error fatal = {.status = STATUS_FATAL,
					.nack_code = code};

	switch (nack_rule_of(code)->react) {
	case REACT_RETX:
		again_by_nack(rudi, pkt, INFLIGHT_RETX, 0);
		break;
	case REACT_RETX_WAIT:
		again_by_nack(rudi, pkt, INFLIGHT_NACK,
			      rudi->env->conf.nack_retx_time);
		break;
	case REACT_CLOSE:
	case REACT_FREE:
		rudi_give_up(rudi, pkt, fatal);
		break;
	case REACT_AWAIT:
		break;
	default:
		env_drop(rudi->env, DROP_BAD_NACK);
		break;
	}
}

void rudi_rx_nack(struct rudi *rudi, const struct rudi_rx *in)
{
	struct pds_nack_rudi h;
	struct rudi_pkt *pkt;

	pds_nack_rudi_get(&h, in->d->data);
	pkt = uet_rudi_find(rudi, &in->d->src, h.nack_pkt_id);
	if (!pkt) {
		env_drop(rudi->env, DROP_BAD_NACK);
		return;
	}
	rudi->env->stats.rx_nack++;
	react(rudi, pkt, h.nack_code);
}

static void rudi_timed_out(struct rudi *rudi, struct rudi_pkt *pkt)
{
	const struct pds_error retries_exhausted = {.status = STATUS_RETRIES};

	if (pkt->rto_count >= rudi->env->conf.max_rto_retx) {
		rudi_give_up(rudi, pkt, retries_exhausted);
		return;
	}
	pkt->rto_count++;
	rudi_enter(rudi, pkt, INFLIGHT_RETX, 0);
}

void rudi_tick(struct rudi *rudi)
{
	struct rudi_pkt *pkt;

	while ((pkt = rudi_earliest(rudi)) && pkt->due <= rudi->env->now) {
		if (pkt->queue == INFLIGHT_NACK)
			rudi_enter(rudi, pkt, INFLIGHT_RETX, 0);
		else
			rudi_timed_out(rudi, pkt);
	}
	rudi_set_timer(rudi);
}

/* ---- The target ---- */

static struct rudi_asked *rudi_take_asked(struct rudi *rudi)
{
	const uint32_t i = rudi->free_asked;
	struct rudi_asked *asked;

	if (i != RUDI_NONE) {
		rudi->free_asked = rudi->asked[i].next;
		return &rudi->asked[i];
	}
	if (rudi->nasked == RUDI_ASKED_MAX)
		return NULL;
	asked = mem_grow(&rudi->env->mem, rudi->asked, &rudi->asked_cap,
			 rudi->nasked + (size_t)1, sizeof(*asked));
	if (!asked)
		return NULL;
	rudi->asked = asked;
	return &asked[rudi->nasked++];
}

static void rudi_let_go(struct rudi *rudi, uint32_t handle)
{
	rudi->asked[handle].used = false;
	rudi->asked[handle].next = rudi->free_asked;
	rudi->free_asked = handle;
}

/* Makes room for an answer, which takes the path of its request. */
static uint8_t *answer_room(struct rudi *rudi, const struct rudi_asked *to,
			    size_t len)
{
	const struct outq_head head = {
		.dst = to->src,
		.entropy = to->entropy,
		.dscp = rudi->env->conf.dscp_control,
		.native = to->native,
		.len = (uint32_t)len,
	};

	return outq_add(&rudi->env->out, &rudi->env->mem, &head);
}

static int send_nack(struct rudi *rudi, const struct rudi_asked *to,
		     uint8_t code)
{
	const struct pds_nack_rudi h = {
		.type = PDS_NACK,
		.next_hdr = PDS_NEXT_NONE,
		.m = to->ce,
		.retx = to->retx,
		.nt = true,
		.nack_code = code,
		.nack_pkt_id = to->pkt_id,
	};
	uint8_t *p = answer_room(rudi, to, pds_nack_rudi_len);

	if (!p)
		return ERR_NOMEM;
	pds_nack_rudi_put(&h, p);
	rudi->env->stats.tx_nack++;
	return 0;
}

static int send_response(struct rudi *rudi, const struct rudi_asked *to,
			 const struct ses_tx_rsp *rsp)
{
	const struct rudi_resp h = {
		.type = PDS_RUDI_RESP,
		.next_hdr = rsp->next_hdr,
		.m = to->ce,
		.retx = to->retx,
		.pkt_id = to->pkt_id,
	};
	uint8_t *p = answer_room(rudi, to, rudi_resp_len + rsp->rsp_len);

	if (!p)
		return ERR_NOMEM;
	rudi_resp_put(&h, p);
	memcpy(p + rudi_resp_len, rsp->rsp, rsp->rsp_len);
	rudi->env->stats.tx_ack++;
	return 0;
}

int rudi_respond(struct rudi *rudi, uint32_t handle,
		 const struct ses_tx_rsp *rsp)
{
	struct rudi_asked to;

	if (handle >= rudi->nasked || !rudi->asked[handle].used)
		return ERR_STATE;
	if (!rsp->ses_nack && !rsp->rsp)
		/* the PDS makes no response of its own here */
		return ERR_STATE;
	to = rudi->asked[handle];
	rudi_let_go(rudi, handle);
	if (rsp->ses_nack)
		env_drop(rudi->env, DROP_REFUSED);
	return rsp->ses_nack ? send_nack(rudi, &to, rsp->ses_nack)
			     : send_response(rudi, &to, rsp);
}

/* Delivers every copy, since nothing shows whether it is the first. */
static void rudi_deliver(struct rudi *rudi, const struct rudi_rx *in,
			 const struct rudi_req *h, uint32_t handle)
{
	const struct ses_rx rx = {
		.mode = OP_RUDI,
		.rx_pkt_handle = handle,
		.next_hdr = h->next_hdr,
		.pkt = in->d->data + rudi_req_len,
		.pkt_len = in->len - rudi_req_len,
		.orig_psn = h->pkt_id,
	};

	rudi->env->stats.delivered++;
	pds_ses_rx_req(rudi->ses, &rx);
}

static struct rudi_asked rudi_asked_by(const struct rudi_rx *in,
				       const struct rudi_req *h)
{
	return (struct rudi_asked){
		.src = in->d->src,
		.pkt_id = h->pkt_id,
		.entropy = in->d->entropy,
		.native = in->d->native,
		.used = true,
		.ce = in->d->ecn == ECN_CE,
		.retx = h->retx,
	};
}

void rudi_rx_trimmed(struct rudi *rudi, const struct rudi_rx *in, uint8_t code)
{
	struct rudi_asked to;
	struct rudi_req h;

	env_drop(rudi->env, DROP_TRIMMED);
	if (in->len < rudi_req_len)
		return;
	rudi_req_get(&h, in->d->data);
	to = rudi_asked_by(in, &h);
	send_nack(rudi, &to, code);
}

void rudi_rx_req(struct rudi *rudi, const struct rudi_rx *in)
{
	struct rudi_asked *slot, to;
	struct rudi_req h;

	if (in->len < rudi_req_len) {
		env_drop(rudi->env, DROP_SHORT);
		return;
	}
	rudi_req_get(&h, in->d->data);
	if (!ses_req_len(h.next_hdr)) {
		env_drop(rudi->env, DROP_MISMATCH);
		return;
	}
	to = rudi_asked_by(in, &h);
	slot = rudi_take_asked(rudi);
	if (!slot) {
		env_drop(rudi->env, DROP_NO_MEMORY);
		send_nack(rudi, &to, NACK_NO_RESOURCE);
		return;
	}
	*slot = to;
	rudi_deliver(rudi, in, &h, (uint32_t)(slot - rudi->asked));
}
