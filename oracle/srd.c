/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd.c -- an SRD endpoint as family.h has it.
 *
 * Spec: srd_wqe.md A.4
 */
#include "oracle/srd.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "oracle/family.h"
#include "wire/icrc.h"

#define WINDOW_MIN 64
#define WINDOW_MAX (1u << 22) /* well below half of the PSNs */
#define FIRST_QPN  0x11       /* 0 and 1 have a meaning of their own */

static struct srd *self(struct orc *o)
{
	return (struct srd *)o;
}

static const struct srd *self_const(const struct orc *o)
{
	return (const struct srd *)o;
}

/* ---- Life ---- */

static bool is_right(const struct orc_conf *c)
{
	if (c->mtu < 64 || c->mtu > 8192 || c->rto_init <= 0 ||
	    c->rto_max < c->rto_init || c->icrc > ICRC_OFF)
		return false;
	if (c->srd_window < WINDOW_MIN || c->srd_window > WINDOW_MAX ||
	    !c->srd_paths || c->srd_paths > 256 || !c->srd_max_ctx)
		return false;
	return c->srd_unresponsive > 0 && c->srd_idle > 0 && c->srd_gc >= 0;
}

static void start(struct orc *o)
{
	struct srd *s = self(o);

	s->next_qpn = FIRST_QPN;
	s->next_ah = 1;
	s->next_scid = (uint32_t)rng_next(&s->env.rng);
	s->last_len = 0;
}

static void forget(struct srd *s)
{
	srd_ahs_free(s);
	srd_ctxs_free(s);
	srd_qps_free(s);
}

static void again(struct orc *o)
{
	forget(self(o));
	start(o);
}

static void end(struct orc *o)
{
	struct srd *s = self(o);

	forget(s);
	inflight_drain(&s->env.mem);
	rcvd_drain(&s->env.mem);
	free(s->last);
}

/* ---- Packets ---- */

static bool is_response(uint8_t opcode)
{
	return opcode >= IB_SRD_ACK;
}

static bool is_request(uint8_t opcode)
{
	return opcode == IB_SRD_SEND_ONLY || opcode == IB_SRD_SEND_ONLY_IMM ||
	       opcode == IB_SRD_SYNC;
}

/* What the headers show by themselves; reserved bits are not looked at. */
static bool is_sound(struct srd *s, const struct bth *bth,
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

static void take(struct orc *o, const struct dgram *d, size_t len)
{
	struct srd *s = self(o);
	struct bth bth;
	struct seth seth;

	if (len < SRD_HEAD) {
		env_drop(&s->env, DROP_SHORT);
		return;
	}
	bth_get(&bth, d->data);
	seth_get(&seth, d->data + bth_len);
	if (!is_request(bth.opcode) && !is_response(bth.opcode)) {
		env_drop(&s->env, DROP_TYPE);
		return;
	}
	if (!is_sound(s, &bth, &seth))
		return;
	if (is_request(bth.opcode))
		srd_request(s, d, len, &bth, &seth);
	else if (bth.opcode == IB_SRD_ACK &&
		 len < SRD_HEAD + srd_aeth_len + srd_sack_len)
		env_drop(&s->env, DROP_SHORT);
	else
		srd_ack(s, d, &bth, &seth);
}

static void expect_feed(const struct orc *o, const struct dgram *d)
{
	const struct srd *s = self_const(o);
	struct bth bth;
	struct seth seth;

	if (d->len < SRD_HEAD)
		return;
	bth_get(&bth, d->data);
	seth_get(&seth, d->data + bth_len);
	if (is_response(bth.opcode))
		srd_ack_expect(s, seth.scid, bth.psn);
	else
		srd_request_expect(s, &d->src, seth.scid);
}

static bool unseal(const struct orc *o, const struct dgram *d, size_t *len)
{
	return icrc_unseal(d, SRD_UDP_PORT, self_const(o)->env.conf.icrc, len);
}

static void seal(const struct orc *o, struct dgram *d)
{
	(void)o;
	icrc_append(d, SRD_UDP_PORT, &icrc_socket);
}

/* ---- Operations ---- */

static bool is_busy(const struct orc *o)
{
	const struct srd *s = self_const(o);

	return s->nahs || s->nctxs;
}

static int post(struct orc *o, const struct orc_op *op)
{
	struct srd *s = self(o);

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

/* Each step asks for what the next one needs, for all of them. */
static void expect_post(const struct orc *o, const struct orc_op *ops, size_t n)
{
	const struct srd *s = self_const(o);

	for (size_t i = 0; i < n; i++)
		idmap_expect(&s->by_ah, ops[i].vb.ah);
	for (size_t i = 0; i < n; i++)
		srd_ah_expect(s, ops[i].vb.ah);
}

static void fire(struct orc *o, struct timer *timer)
{
	const size_t at = offsetof(struct srd_ah, timer);

	srd_ah_tick(self(o), (struct srd_ah *)((char *)timer - at));
}

static void count(const struct orc *o, struct orc_stats *ret)
{
	const struct srd *s = self_const(o);

	ret->contexts = s->nahs + s->nctxs;
}

static int memory(const struct orc *o, uint64_t key, const uint8_t **ret,
		  size_t *ret_len)
{
	const struct srd *s = self_const(o);

	if (key || !s->last)
		return ERR_VALUE;
	*ret = s->last;
	*ret_len = s->last_len;
	return 0;
}

const struct orc_family family_srd = {
	.size = sizeof(struct srd),
	.is_right = is_right,
	.start = start,
	.again = again,
	.end = end,
	.is_busy = is_busy,
	.post = post,
	.unseal = unseal,
	.seal = seal,
	.take = take,
	.fire = fire,
	.count = count,
	.expect_feed = expect_feed,
	.expect_post = expect_post,
	.memory = memory,
};
