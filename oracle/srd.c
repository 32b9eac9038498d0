/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd.c -- an SRD endpoint as oracle.h has it.
 *
 * Spec: srd_wqe.md A.4
 */
#include "oracle/srd.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "oracle/orc.h"
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
	    c->rto_max < c->rto_init)
		return false;
	if (c->srd_window < WINDOW_MIN || c->srd_window > WINDOW_MAX ||
	    !c->srd_paths || c->srd_paths > 256 || !c->srd_max_ctx)
		return false;
	return c->srd_unresponsive > 0 && c->srd_idle > 0 && c->srd_gc >= 0;
}

static void begin(struct srd *s, uint64_t seed)
{
	s->env.conf = s->made;
	s->env.conf.seed = seed;
	s->env.rng.state = seed;
	s->env.mem.failed = false;
	s->next_qpn = FIRST_QPN;
	s->next_ah = 1;
	s->next_scid = (uint32_t)rng_next(&s->env.rng);
	s->last_len = 0;
}

static int make(struct orc **ret, const struct orc_conf *conf)
{
	struct srd *s;

	if (!is_right(conf))
		return ERR_VALUE;
	s = calloc(1, sizeof(*s));
	if (!s)
		return ERR_NOMEM;
	s->as = &orc_srd;
	s->made = *conf;
	begin(s, conf->seed);
	*ret = (struct orc *)s;
	return 0;
}

static void forget(struct srd *s)
{
	srd_ahs_free(s);
	srd_ctxs_free(s);
	srd_qps_free(s);
}

static void release(struct orc *o)
{
	struct srd *s = self(o);

	if (!s)
		return;
	forget(s);
	inflight_drain(&s->env.mem);
	rcvd_drain(&s->env.mem);
	env_free(&s->env);
	free(s->last);
	free(s);
}

static void reset(struct orc *o, uint64_t seed)
{
	struct srd *s = self(o);

	forget(s);
	env_clear(&s->env);
	begin(s, seed);
}

static void set_time(struct srd *s, vtime now)
{
	s->env.now = vtime_max(s->env.now, now);
}

static int told_nomem(struct srd *s)
{
	const bool failed = s->env.mem.failed;

	s->env.mem.failed = false;
	return failed ? ERR_NOMEM : 0;
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

static void dispatch(struct srd *s, const struct dgram *d, size_t len)
{
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

static int feed(struct orc *o, const struct dgram *d, vtime now)
{
	struct srd *s = self(o);
	size_t len = d->len;

	set_time(s, now);
	s->env.stats.rx++;
	if (s->env.conf.crc) {
		if (!icrc_check(d, SRD_UDP_PORT, &icrc_socket)) {
			env_drop(&s->env, DROP_CRC);
			return told_nomem(s);
		}
		len -= ICRC_LEN;
	}
	dispatch(s, d, len);
	return told_nomem(s);
}

static bool poll_tx(struct orc *o, struct dgram *ret)
{
	struct srd *s = self(o);

	if (!outq_take(&s->env.out, ret))
		return false;
	ret->src = s->env.conf.addr;
	ret->family = FAMILY_SRD;
	ret->crc = DGRAM_CRC_NONE;
	ret->udp_length = 0;
	if (s->env.conf.crc)
		icrc_append(ret, SRD_UDP_PORT, &icrc_socket);
	s->env.stats.tx++;
	return true;
}

/* ---- Operations ---- */

#define SET(name)                                             \
	case SETTING_##name:                                  \
		conf.name = (__typeof__(conf.name))op->value; \
		fits = (uint64_t)conf.name == op->value;      \
		break;

static int configure(struct srd *s, const struct orc_op *op)
{
	struct orc_conf conf = s->env.conf;
	bool fits = false;

	if (s->nahs || s->nctxs)
		return ERR_STATE;
	switch (op->setting) {
		ORC_SETTINGS(SET)
	case SETTING_COUNT:
		break;
	}
	if (op->setting == SETTING_start_psn)
		conf.start_psn_fixed = true;
	if (!fits || !is_right(&conf))
		return ERR_VALUE;
	s->env.conf = conf;
	return 0;
}
#undef SET

static int carry_out(struct srd *s, const struct orc_op *op)
{
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
	case OP_CONFIGURE:
		return configure(s, op);
	default:
		return ERR_SUPPORT;
	}
}

static int post(struct orc *o, const struct orc_op *op, vtime now)
{
	struct srd *s = self(o);
	int err;

	set_time(s, now);
	err = carry_out(s, op);
	return told_nomem(s) ? ERR_NOMEM : err;
}

static void expect_feed(const struct orc *o, const struct dgram *d)
{
	(void)o;
	(void)d;
}

static void expect_post(const struct orc *o, const struct orc_op *ops, size_t n)
{
	(void)o;
	(void)ops;
	(void)n;
}

static void tick(struct orc *o, vtime now)
{
	struct srd *s = self(o);
	struct timer *timer;

	set_time(s, now);
	while ((timer = timers_due(&s->env.timers, now)))
		srd_ah_tick(s,
			    (struct srd_ah *)((char *)timer -
					      offsetof(struct srd_ah, timer)));
}

static vtime deadline(const struct orc *o)
{
	return timers_next(&self_const(o)->env.timers);
}

static bool poll_event(struct orc *o, struct orc_event *ret)
{
	return env_poll_event(&self(o)->env, ret);
}

static void stats(const struct orc *o, struct orc_stats *ret)
{
	const struct srd *s = self_const(o);

	*ret = s->env.stats;
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

const struct orc_api orc_srd = {
	.make = make,
	.free = release,
	.reset = reset,
	.feed = feed,
	.post = post,
	.expect_feed = expect_feed,
	.expect_post = expect_post,
	.tick = tick,
	.deadline = deadline,
	.poll_tx = poll_tx,
	.poll_event = poll_event,
	.stats = stats,
	.memory = memory,
};
