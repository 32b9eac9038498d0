/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe.c -- an endpoint with the WQE extension as oracle.h has it.
 *
 * Spec: srd_wqe.md B.4, B.6
 */
#include "oracle/wqe.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "oracle/orc.h"
#include "wire/icrc.h"

#define WINDOW_MAX (1u << 20) /* well below half of the PSNs */
#define FIRST_QPN  0x21       /* 0 and 1 have a meaning of their own */

static struct wqe *self(struct orc *o)
{
	return (struct wqe *)o;
}

static const struct wqe *self_const(const struct orc *o)
{
	return (const struct wqe *)o;
}

/* ---- Life ---- */

static bool is_right(const struct orc_conf *c)
{
	if (c->mtu < 64 || c->mtu > 8192 || c->mtu % 4 || c->rto_init <= 0)
		return false;
	if (!c->wqe_window || c->wqe_window > WINDOW_MAX || !c->wqe_max_ooo)
		return false;
	if (c->wqe_miss < 0 || c->wqe_again <= 0 || c->wqe_tail <= 0 ||
	    c->wqe_rnr_code > 31)
		return false;
	return c->wqe_max_len && c->wqe_max_len <= 1u << 31;
}

static void begin(struct wqe *w, uint64_t seed)
{
	w->env.conf = w->made;
	w->env.conf.seed = seed;
	w->env.rng.state = seed;
	w->env.mem.failed = false;
	w->next_qpn = FIRST_QPN;
}

static int make(struct orc **ret, const struct orc_conf *conf)
{
	struct wqe *w;

	if (!is_right(conf))
		return ERR_VALUE;
	w = calloc(1, sizeof(*w));
	if (!w)
		return ERR_NOMEM;
	w->as = &orc_wqe;
	w->made = *conf;
	begin(w, conf->seed);
	*ret = (struct orc *)w;
	return 0;
}

static void release(struct orc *o)
{
	struct wqe *w = self(o);

	if (!w)
		return;
	wqe_qps_free(w);
	env_free(&w->env);
	free(w);
}

static void reset(struct orc *o, uint64_t seed)
{
	struct wqe *w = self(o);

	wqe_qps_free(w);
	env_clear(&w->env);
	begin(w, seed);
}

static void set_time(struct wqe *w, vtime now)
{
	w->env.now = vtime_max(w->env.now, now);
}

static int told_nomem(struct wqe *w)
{
	const bool failed = w->env.mem.failed;

	w->env.mem.failed = false;
	return failed ? ERR_NOMEM : 0;
}

/* ---- Packets ---- */

#define OP_OF(opcode) ((opcode)&0x1f)

enum {
	OP_IS_SENDS = 0x06,  /* below: sends, then writes */
	OP_IS_WRITES = 0x0c, /* below */
	OP_IS_PLACES = 6,    /* first, middle, last, last_imm, only, only_imm */
};

static bool is_wqe_packet(uint8_t opcode)
{
	return OP_OF(opcode) < OP_IS_WRITES;
}

static bool is_answer(uint8_t opcode)
{
	return opcode == IB_WQE_ACK || opcode == IB_WQE_RTX_IND;
}

/* The headers behind the BTH; false: the packet is too short. */
static bool take_apart(struct wqe_pkt *ret, const struct bth *bth,
		       const uint8_t *p, size_t len)
{
	const unsigned op = OP_OF(bth->opcode), place = op % OP_IS_PLACES;
	struct imm_eth imm = {0};
	size_t head = wqeth_len;

	*ret = (struct wqe_pkt){.bth = *bth};
	ret->kind = op < OP_IS_SENDS ? WQE_SEND : WQE_WRITE;
	ret->with_reth = ret->kind == WQE_WRITE && (place == 0 || place >= 4);
	ret->with_imm = place == 3 || place == 5;
	if (ret->with_reth)
		head += reth_len;
	if (ret->with_imm)
		head += imm_eth_len;
	if (len < head || len - head < bth->pad)
		return false;
	if (ret->with_reth) {
		reth_get(&ret->reth, p);
		p += reth_len;
	}
	if (ret->with_imm) {
		imm_eth_get(&imm, p);
		p += imm_eth_len;
	}
	wqeth_get(&ret->x, p);
	ret->imm = imm.imm;
	ret->data = p + wqeth_len;
	ret->len = (uint32_t)(len - head - bth->pad);
	return true;
}

/* The QP that a packet is for (V1), or NULL after the drop. */
static struct wqe_qp *addressee(struct wqe *w, const struct dgram *d,
				const struct bth *bth)
{
	struct wqe_qp *qp = wqe_qp_find(w, bth->dest_qp);

	if (bth->tver) {
		env_drop(&w->env, DROP_VERSION);
	} else if (bth->pkey != WQE_PKEY) {
		env_drop(&w->env, DROP_PKEY);
	} else if (!qp || qp->state < QP_RTR || qp->state == QP_ERR ||
		   !ip_addr_equal(&qp->peer, &d->src)) {
		env_drop(&w->env, DROP_UNKNOWN_QP);
	} else {
		return qp;
	}
	return NULL;
}

static void dispatch(struct wqe *w, const struct dgram *d, size_t len)
{
	const uint8_t *behind = d->data + bth_len;
	struct wqe_qp *qp;
	struct wqe_pkt pkt;
	struct bth bth;

	if (len < bth_len) {
		env_drop(&w->env, DROP_SHORT);
		return;
	}
	bth_get(&bth, d->data);
	if (ib_class_of(bth.opcode) != IB_CLASS_WQE ||
	    (!is_wqe_packet(bth.opcode) && !is_answer(bth.opcode))) {
		env_drop(&w->env, DROP_TYPE);
		return;
	}
	qp = addressee(w, d, &bth);
	if (!qp)
		return;
	if (is_answer(bth.opcode))
		wqe_req_answer(qp, &bth, behind, len - bth_len);
	else if (take_apart(&pkt, &bth, behind, len - bth_len))
		wqe_rsp_packet(qp, &pkt);
	else
		env_drop(&w->env, DROP_SHORT);
}

static int feed(struct orc *o, const struct dgram *d, vtime now)
{
	struct wqe *w = self(o);
	size_t len = d->len;

	set_time(w, now);
	w->env.stats.rx++;
	if (w->env.conf.crc) {
		if (!icrc_check(d, WQE_UDP_PORT, &icrc_socket)) {
			env_drop(&w->env, DROP_CRC);
			return told_nomem(w);
		}
		len -= ICRC_LEN;
	}
	dispatch(w, d, len);
	return told_nomem(w);
}

uint8_t *wqe_out(struct wqe_qp *qp, const struct bth *bth, uint32_t len,
		 uint8_t dscp)
{
	const struct outq_head head = {
		.dst = qp->peer,
		.entropy = WQE_ENTROPY,
		.dscp = dscp,
		.len = bth_len + len,
	};
	uint8_t *p = outq_add(&qp->w->env.out, &qp->w->env.mem, &head);

	if (!p)
		return NULL;
	bth_put(bth, p);
	return p + bth_len;
}

static bool poll_tx(struct orc *o, struct dgram *ret)
{
	struct wqe *w = self(o);

	if (!outq_take(&w->env.out, ret))
		return false;
	ret->src = w->env.conf.addr;
	ret->family = FAMILY_WQE;
	ret->crc = DGRAM_CRC_NONE;
	ret->udp_length = 0;
	if (w->env.conf.crc)
		icrc_append(ret, WQE_UDP_PORT, &icrc_socket);
	w->env.stats.tx++;
	return true;
}

/* ---- Operations ---- */

#define SET(name)                                             \
	case SETTING_##name:                                  \
		conf.name = (__typeof__(conf.name))op->value; \
		fits = (uint64_t)conf.name == op->value;      \
		break;

static int configure(struct wqe *w, const struct orc_op *op)
{
	struct orc_conf conf = w->env.conf;
	bool fits = false;

	if (w->by_qpn.n)
		return ERR_STATE;
	switch (op->setting) {
		ORC_SETTINGS(SET)
	case SETTING_COUNT:
		break;
	}
	if (!fits || !is_right(&conf))
		return ERR_VALUE;
	w->env.conf = conf;
	return 0;
}
#undef SET

static int carry_out(struct wqe *w, const struct orc_op *op)
{
	switch (op->kind) {
	case OP_CREATE_QP:
		return wqe_qp_create(w, op);
	case OP_MODIFY_QP:
		return wqe_qp_modify(w, op);
	case OP_QUERY_QP:
		return wqe_qp_query(w, op);
	case OP_DESTROY_QP:
		return wqe_qp_destroy(w, op);
	case OP_POST_SEND:
		return wqe_qp_send(w, op);
	case OP_POST_RECV:
		return wqe_qp_recv(w, op);
	case OP_EXPOSE:
		return wqe_expose(w, op);
	case OP_CONFIGURE:
		return configure(w, op);
	default:
		return ERR_SUPPORT;
	}
}

static int post(struct orc *o, const struct orc_op *op, vtime now)
{
	struct wqe *w = self(o);
	int err;

	set_time(w, now);
	err = carry_out(w, op);
	return told_nomem(w) ? ERR_NOMEM : err;
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
	struct wqe *w = self(o);
	struct timer *timer;

	set_time(w, now);
	while ((timer = timers_due(&w->env.timers, now))) {
		const size_t at = timer->kind == TIMER_WQE_RTO
					  ? offsetof(struct wqe_qp, rto)
					  : offsetof(struct wqe_qp, miss);
		struct wqe_qp *qp = (struct wqe_qp *)((char *)timer - at);

		if (timer->kind == TIMER_WQE_RTO)
			wqe_req_tick(qp);
		else
			wqe_miss_tick(qp);
	}
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
	const struct wqe *w = self_const(o);

	*ret = w->env.stats;
	for (size_t i = 0; i < w->nqps; i++)
		if (w->qps[i])
			ret->cache_bytes += w->qps[i]->cached;
}

static int memory(const struct orc *o, uint64_t key, const uint8_t **ret,
		  size_t *ret_len)
{
	const struct wqe *w = self_const(o);

	if (!key && w->last) {
		*ret = w->last;
		*ret_len = w->last_len;
		return 0;
	}
	for (size_t i = 0; i < w->nmrs; i++)
		if (key && w->mrs[i].rkey == key) {
			*ret = w->mrs[i].p;
			*ret_len = w->mrs[i].len;
			return 0;
		}
	return ERR_VALUE;
}

const struct orc_api orc_wqe = {
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
