/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd.c -- implements an SRD endpoint for family.h.
 *
 * Spec: srd_wqe.md A.4
 */
#include "base/memory.h"
#include "oracle/srd/srd_state.h"

#include "base/err.h"
#include "oracle/core/family.h"
#include "oracle/srd/srd_ah.h"
#include "oracle/srd/srd_qp.h"
#include "oracle/srd/srd_req.h"
#include "oracle/srd/srd_rsp.h"
#include "oracle/srd/srd_verbs.h"
#include "wire/ib/icrc.h"

#define WINDOW_MIN 64
#define WINDOW_MAX (1u << 22) /* well below half of the PSNs */
#define WEIGHT_MAX 1024       /* of the constants of an RTT */
#define FIRST_QPN  0x11       /* 0 and 1 are reserved */

static struct srd *srd_self(struct orc *o)
{
	return (struct srd *)o;
}

static const struct srd *srd_self_const(const struct orc *o)
{
	return (const struct srd *)o;
}

/* ---- Life ---- */

static bool srd_is_right(const struct orc_conf *c)
{
	if (c->mtu < 64 || c->mtu > 9000 || c->rto_init <= 0 ||
	    c->rto_max < c->rto_init || c->icrc > ICRC_OFF)
		return false;
	if (c->srd_window < WINDOW_MIN || c->srd_window > WINDOW_MAX ||
	    !c->srd_paths || c->srd_paths > 256 || !c->srd_max_ctx)
		return false;
	if (!c->srd_rtt_weight || c->srd_rtt_weight > WEIGHT_MAX ||
	    !c->srd_dev_weight || c->srd_dev_weight > WEIGHT_MAX ||
	    c->srd_dev_factor > WEIGHT_MAX)
		return false;
	return c->srd_unresponsive > 0 && c->srd_idle > 0 && c->srd_gc >= 0;
}

static void srd_start(struct orc *o)
{
	struct srd *s = srd_self(o);

	s->next_qpn = FIRST_QPN;
	s->next_ah = 1;
	s->next_scid = (uint32_t)rng_next(&s->env.rng);
	s->last_len = 0;
}

static void srd_forget(struct srd *s)
{
	srd_ahs_free(s);
	srd_ctxs_free(s);
	srd_qps_free(s);
}

static void srd_again(struct orc *o)
{
	srd_forget(srd_self(o));
	srd_start(o);
}

static void srd_end(struct orc *o)
{
	struct srd *s = srd_self(o);

	srd_forget(s);
	inflight_drain(&s->env.mem);
	rcvd_drain(&s->env.mem);
	memory_free(s->last);
}

/* ---- Packets ---- */

static bool srd_is_response(uint8_t opcode)
{
	return opcode >= IB_SRD_ACK;
}

static bool srd_is_request(uint8_t opcode)
{
	return opcode == IB_SRD_SEND_ONLY || opcode == IB_SRD_SEND_ONLY_IMM ||
	       opcode == IB_SRD_SYNC;
}

/* Checks what the headers alone show; reserved bits are ignored. */
static bool srd_is_sound(struct srd *s, const struct bth *bth,
			 const struct seth *seth)
{
	if (bth->tver || seth->ver != SRD_VERSION) {
		env_drop(&s->env, DROP_VERSION);
		return false;
	}
	if (bth->pkey != SRD_PKEY) {
		env_drop(&s->env, DROP_PKEY);
		return false;
	}
	if (!seth->scid || (seth->syn && seth->rcid)) {
		env_drop(&s->env, DROP_CONTEXT);
		return false;
	}
	return true;
}

static void srd_take(struct orc *o, const struct dgram *d, size_t len)
{
	struct srd *s = srd_self(o);
	struct bth bth;
	struct seth seth;

	if (len < SRD_HEAD) {
		env_drop(&s->env, DROP_SHORT);
		return;
	}
	bth_get(&bth, d->data);
	seth_get(&seth, d->data + bth_len);
	if (!srd_is_request(bth.opcode) && !srd_is_response(bth.opcode)) {
		env_drop(&s->env, DROP_TYPE);
		return;
	}
	if (!srd_is_sound(s, &bth, &seth))
		return;
	if (srd_is_request(bth.opcode))
		srd_request(s, d, len, &bth, &seth);
	else if (bth.opcode == IB_SRD_ACK &&
		 len < SRD_HEAD + srd_aeth_len + srd_sack_len)
		env_drop(&s->env, DROP_SHORT);
	else
		srd_ack(s, d, &bth, &seth);
}

static void srd_expect_feed(const struct orc *o, const struct dgram *d)
{
	const struct srd *s = srd_self_const(o);
	struct bth bth;
	struct seth seth;

	if (d->len < SRD_HEAD)
		return;
	bth_get(&bth, d->data);
	seth_get(&seth, d->data + bth_len);
	if (srd_is_response(bth.opcode))
		srd_ack_expect(s, seth.scid, bth.psn);
	else
		srd_request_expect(s, &d->src, seth.scid);
}

static bool srd_unseal(const struct orc *o, const struct dgram *d, size_t *len)
{
	return icrc_unseal(d, SRD_UDP_PORT, srd_self_const(o)->env.conf.icrc,
			   len);
}

static void srd_seal(const struct orc *o, struct dgram *d)
{
	(void)o;
	icrc_append(d, SRD_UDP_PORT, &icrc_socket);
}

/* ---- Operations ---- */

static bool srd_is_busy(const struct orc *o)
{
	const struct srd *s = srd_self_const(o);

	return s->nahs || s->nctxs;
}

static int srd_post(struct orc *o, const struct orc_op *op)
{
	struct srd *s = srd_self(o);

	switch (op->kind) {
	case OP_CREATE_QP:
		return srd_qp_create(s, op);
	case OP_MODIFY_QP:
		return srd_qp_modify(s, op);
	case OP_QUERY_QP:
		return srd_qp_query(s, op);
	case OP_DESTROY_QP:
		return srd_qp_destroy(s, op);
	case OP_CREATE_AH:
		return srd_ah_create(s, op);
	case OP_DESTROY_AH:
		return srd_ah_destroy(s, op);
	case OP_POST_SEND:
		return srd_qp_send(s, op);
	case OP_POST_RECV:
		return srd_qp_recv(s, op);
	default:
		return ERR_SUPPORT;
	}
}

/*
 * Prefetches in steps: each step loads what the next one needs, for all
 * operations.
 */
static void srd_expect_post(const struct orc *o, const struct orc_op *ops,
			    size_t n)
{
	const struct srd *s = srd_self_const(o);

	for (size_t i = 0; i < n; i++)
		idmap_expect(&s->by_ah, ops[i].vb.ah);
	for (size_t i = 0; i < n; i++)
		srd_ah_expect(s, ops[i].vb.ah);
}

static void srd_fire(struct orc *o, struct timer *timer)
{
	const size_t at = offsetof(struct srd_ah, timer);

	srd_ah_tick(srd_self(o), (struct srd_ah *)((char *)timer - at));
}

static void srd_count(const struct orc *o, struct orc_stats *ret)
{
	const struct srd *s = srd_self_const(o);

	ret->contexts = s->nahs + s->nctxs;
}

static int srd_memory(const struct orc *o, uint64_t key, const uint8_t **ret,
		      size_t *ret_len)
{
	const struct srd *s = srd_self_const(o);

	if (key || !s->last)
		return ERR_VALUE;
	*ret = s->last;
	*ret_len = s->last_len;
	return 0;
}

const struct orc_family family_srd = {
	.size = sizeof(struct srd),
	.is_right = srd_is_right,
	.start = srd_start,
	.again = srd_again,
	.end = srd_end,
	.is_busy = srd_is_busy,
	.post = srd_post,
	.unseal = srd_unseal,
	.seal = srd_seal,
	.take = srd_take,
	.fire = srd_fire,
	.count = srd_count,
	.expect_feed = srd_expect_feed,
	.expect_post = srd_expect_post,
	.memory = srd_memory,
};
