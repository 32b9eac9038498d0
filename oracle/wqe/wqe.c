/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe.c -- implements an endpoint with the WQE extension for
 * family.h.
 *
 * Spec: srd_wqe.md B.4, B.6
 */
#include "oracle/wqe/wqe_state.h"

#include "base/err.h"
#include "oracle/core/family.h"
#include "oracle/roce/roce.h"
#include "oracle/wqe/wqe_entry.h"
#include "oracle/wqe/wqe_miss.h"
#include "oracle/wqe/wqe_qp.h"
#include "oracle/wqe/wqe_req.h"
#include "oracle/wqe/wqe_rsp.h"
#include "oracle/wqe/wqe_verbs.h"
#include "wire/ib/icrc.h"

#define WINDOW_MAX (1u << 20) /* well below half of the PSNs */
#define FIRST_QPN  0x21       /* 0 and 1 are reserved */

static struct wqe *wqe_self(struct orc *o)
{
	return (struct wqe *)o;
}

static const struct wqe *wqe_self_const(const struct orc *o)
{
	return (const struct wqe *)o;
}

/* ---- Life ---- */

static bool wqe_is_right(const struct orc_conf *c)
{
	if (c->mtu < 64 || c->mtu > 9000 || c->mtu % 4 || c->rto_init <= 0)
		return false;
	if (!c->wqe_window || c->wqe_window > WINDOW_MAX || !c->wqe_max_ooo)
		return false;
	if (c->wqe_miss < 0 || c->wqe_again <= 0 || c->wqe_tail <= 0 ||
	    c->wqe_rnr_code > 31 || c->icrc > ICRC_OFF)
		return false;
	return c->wqe_max_len && c->wqe_max_len <= 1u << 31;
}

/*
 * Without the extension only go-back-N is possible, and the path MTU is one of
 * InfiniBand's: 256, 512, 1024, 2048 or 4096.
 */
static bool is_right_plain(const struct orc_conf *c)
{
	const uint16_t mtu = c->mtu;

	if (mtu < 256 || mtu > 4096 || mtu & (mtu - 1))
		return false;
	return wqe_is_right(c) && c->wqe_gbn;
}

static void wqe_start(struct orc *o)
{
	wqe_self(o)->next_qpn = FIRST_QPN;
}

static void wqe_again(struct orc *o)
{
	wqe_qps_free(wqe_self(o));
	wqe_start(o);
}

static void wqe_end(struct orc *o)
{
	wqe_qps_free(wqe_self(o));
}

/* ---- Packets ---- */

#define OP_OF(opcode) ((opcode)&0x1f)

enum {
	OP_IS_SENDS = 0x06,  /* opcodes below this are sends, then writes */
	OP_IS_WRITES = 0x0c, /* writes are the opcodes below this */
	OP_IS_PLACES = 6,    /* first, middle, last, last_imm, only, only_imm */
};

static bool is_wqe_packet(uint8_t opcode)
{
	return OP_OF(opcode) < OP_IS_WRITES || opcode == IB_WQE_READ_REQ;
}

/* Returns true for opcodes of a read response. */
static bool is_data(uint8_t opcode)
{
	return opcode >= IB_WQE_READ_RESP_FIRST &&
	       opcode <= IB_WQE_READ_RESP_ONLY;
}

static bool wqe_is_answer(uint8_t opcode)
{
	return opcode == IB_WQE_ACK || opcode == IB_WQE_RTX_IND;
}

/*
 * Parses the headers behind the BTH.  Return: false if the packet is truncated.
 */
static bool wqe_take_apart(struct wqe_pkt *ret, const struct bth *bth,
			   const uint8_t *p, size_t len)
{
	const unsigned op = OP_OF(bth->opcode), place = op % OP_IS_PLACES;
	struct imm_eth imm = {0};
	size_t head = wqeth_len;

	*ret = (struct wqe_pkt){.bth = *bth};
	ret->kind = op < OP_IS_SENDS    ? WQE_SEND
		    : op < OP_IS_WRITES ? WQE_WRITE
					: WQE_READ;
	ret->with_reth = ret->kind != WQE_SEND && (place == 0 || place >= 4);
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

static void wqe_take(struct orc *o, const struct dgram *d, size_t len)
{
	const uint8_t *behind = d->data + bth_len;
	struct wqe *w = wqe_self(o);
	struct wqe_qp *qp;
	struct wqe_pkt pkt;
	struct bth bth;

	if (len < bth_len) {
		env_drop(&w->env, DROP_SHORT);
		return;
	}
	bth_get(&bth, d->data);
	if (ib_class_of(bth.opcode) != IB_CLASS_WQE ||
	    (!is_wqe_packet(bth.opcode) && !wqe_is_answer(bth.opcode) &&
	     !is_data(bth.opcode))) {
		env_drop(&w->env, DROP_TYPE);
		return;
	}
	qp = wqe_addressee(w, d, &bth);
	if (!qp)
		return;
	if (wqe_is_answer(bth.opcode))
		wqe_req_answer(qp, &bth, behind, len - bth_len);
	else if (is_data(bth.opcode))
		wqe_req_data(qp, &bth, behind, len - bth_len);
	else if (wqe_take_apart(&pkt, &bth, behind, len - bth_len))
		wqe_rsp_packet(qp, &pkt);
	else
		env_drop(&w->env, DROP_SHORT);
}

static void take_plain(struct orc *o, const struct dgram *d, size_t len)
{
	roce_take(wqe_self(o), d, len);
}

static uint16_t wqe_port_of(const struct orc *o)
{
	return family_port(wqe_self_const(o)->env.conf.family);
}

static bool wqe_unseal(const struct orc *o, const struct dgram *d, size_t *len)
{
	return icrc_unseal(d, wqe_port_of(o), wqe_self_const(o)->env.conf.icrc,
			   len);
}

static void wqe_seal(const struct orc *o, struct dgram *d)
{
	icrc_append(d, wqe_port_of(o), &icrc_socket);
}

/* ---- Operations ---- */

static bool wqe_is_busy(const struct orc *o)
{
	return wqe_self_const(o)->by_qpn.n;
}

static int wqe_post(struct orc *o, const struct orc_op *op)
{
	struct wqe *w = wqe_self(o);

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
	default:
		return ERR_SUPPORT;
	}
}

static void wqe_fire(struct orc *o, struct timer *timer)
{
	const bool rto = timer->kind == TIMER_WQE_RTO;
	const size_t at = rto ? offsetof(struct wqe_qp, rto)
			      : offsetof(struct wqe_qp, miss);
	struct wqe_qp *qp = (struct wqe_qp *)((char *)timer - at);

	(void)o;
	if (rto)
		wqe_req_tick(qp);
	else
		wqe_miss_tick(qp);
}

static void wqe_count(const struct orc *o, struct orc_stats *ret)
{
	const struct wqe *w = wqe_self_const(o);

	for (size_t i = 0; i < w->nqps; i++)
		if (w->qps[i]) {
			ret->cache_bytes += w->qps[i]->cached;
			wqe_entry_count(w->qps[i], ret);
		}
}

static int wqe_memory(const struct orc *o, uint64_t key, const uint8_t **ret,
		      size_t *ret_len)
{
	const struct wqe *w = wqe_self_const(o);

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

/*
 * The two families differ in their configuration check and in the function that
 * takes a packet.
 */
#define FAMILY(is_right_of, take_of)                                        \
	{                                                                   \
		.size = sizeof(struct wqe), .is_right = is_right_of,        \
		.start = wqe_start, .again = wqe_again, .end = wqe_end,     \
		.is_busy = wqe_is_busy, .post = wqe_post,                   \
		.unseal = wqe_unseal, .seal = wqe_seal, .take = take_of,    \
		.fire = wqe_fire, .count = wqe_count, .memory = wqe_memory, \
	}

const struct orc_family family_wqe = FAMILY(wqe_is_right, wqe_take);
const struct orc_family family_roce = FAMILY(is_right_plain, take_plain);
