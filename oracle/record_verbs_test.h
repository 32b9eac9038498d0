/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/record_verbs_test.h -- drawn runs of the verbs profile: the
 * operations that SRD, the WQE extension and RoCEv2 have in common.
 *
 * Each end has two QPs.  Those of RC are connected: the first QP of end 0 to
 * that of end 1, and so on.
 */
#ifndef ORACLE_RECORD_VERBS_TEST_H
#define ORACLE_RECORD_VERBS_TEST_H

#include "oracle/record_test.h"

#define RECORD_QPS  2
#define RECORD_QKEY 0x55

struct record_verbs {
	enum qp_type type;
	uint32_t qpn[RECORD_ENDS][RECORD_QPS];
	uint32_t ah[RECORD_ENDS][RECORD_ENDS];
	uint32_t psn; /* the first one of all QPs */
};

static inline struct record_verbs *record_verbs_of(struct record_run *r)
{
	return r->more;
}

/* A QP of RC and its peer: (0, 0) to (1, 0), (0, 1) to (2, 0), and so on. */
static inline unsigned record_peer(unsigned side, unsigned qp)
{
	static const unsigned peers[RECORD_ENDS][RECORD_QPS] = {
		{1, 2}, {0, 2}, {0, 1}};

	return peers[side][qp];
}

static inline unsigned record_peer_qp(unsigned side, unsigned qp)
{
	static const unsigned qps[RECORD_ENDS][RECORD_QPS] = {
		{0, 0}, {0, 1}, {1, 1}};

	return qps[side][qp];
}

static inline uint32_t record_size(struct record_run *r)
{
	const uint32_t mtu = r->conf[0].mtu;
	const uint32_t edges[] = {0,       1,       3,           4,
				  64,      mtu - 1, mtu,         mtu + 1,
				  mtu * 2, mtu * 3, mtu * 4 + 1, 8192};

	if (record_below(r, 8) == 0)
		return record_below(r, 9000);
	return RECORD_PICK(r, edges);
}

static inline void record_create(struct record_run *r, unsigned side,
				 unsigned qp)
{
	struct record_verbs *v = record_verbs_of(r);
	struct op_result made = {0};
	const struct orc_op op = {
		.kind = OP_CREATE_QP,
		.vb = {.type = record_chance(r, 20) ? QP_UD : v->type,
		       .depth = record_chance(r, 200) ? record_below(r, 6) : 0},
		.ret = &made,
	};

	record_post(r, side, &op);
	record_say(r, "qp %u", made.qpn);
	v->qpn[side][qp] = made.qpn;
}

static inline void record_modify(struct record_run *r, unsigned side,
				 unsigned qp, enum qp_state state)
{
	const struct record_verbs *v = record_verbs_of(r);
	const unsigned to = record_peer(side, qp);
	const struct orc_op op = {
		.kind = OP_MODIFY_QP,
		.peer = r->conf[to].addr,
		.vb = {.qpn = v->qpn[side][qp],
		       .state = state,
		       .qkey = RECORD_QKEY,
		       .dest_qp = v->qpn[to][record_peer_qp(side, qp)],
		       .rq_psn = v->psn,
		       .sq_psn = v->psn},
	};

	record_post(r, side, &op);
}

static inline void record_up(struct record_run *r, unsigned side, unsigned qp)
{
	record_modify(r, side, qp, QP_INIT);
	record_modify(r, side, qp, QP_RTR);
	record_modify(r, side, qp, QP_RTS);
	if (r->age)
		r->age(r, side);
}

static inline void record_handles(struct record_run *r, unsigned side)
{
	struct record_verbs *v = record_verbs_of(r);

	for (unsigned to = 0; to < RECORD_ENDS; to++) {
		struct op_result made = {0};
		const struct orc_op op = {.kind = OP_CREATE_AH,
					  .peer = r->conf[to].addr,
					  .ret = &made};

		record_post(r, side, &op);
		record_say(r, "ah %u", made.ah);
		v->ah[side][to] = made.ah;
	}
}

static inline void record_expose(struct record_run *r, unsigned side)
{
	for (uint64_t key = 5; key < 7; key++) {
		const struct orc_op op = {.kind = OP_EXPOSE,
					  .key = key,
					  .len = 16384,
					  .offset = (key - 5) * 4096};

		record_post(r, side, &op);
	}
}

static inline void record_receive(struct record_run *r, unsigned side)
{
	const struct record_verbs *v = record_verbs_of(r);
	const struct orc_op op = {
		.kind = OP_POST_RECV,
		.handle = 5000 + record_below(r, 1000),
		.len = record_below(r, 3) ? 20000 : record_size(r),
		.count = record_below(r, 5),
		.vb = {.qpn = v->qpn[side][record_below(r, RECORD_QPS)]},
	};

	record_post(r, side, &op);
}

/* Now and then something about a WR is wrong. */
static inline void record_spoil(struct record_run *r, struct orc_op *op)
{
	switch (record_below(r, 8)) {
	case 0:
		op->vb.lkey = 1;
		break;
	case 1:
		op->key = 9;
		break;
	case 2:
		op->vb.qkey++;
		break;
	case 3:
		op->vb.dest_qp = (uint32_t)record_value(r);
		break;
	case 4:
		op->vb.ah += 7;
		break;
	case 5:
		op->offset = record_value(r);
		break;
	case 6:
		op->vb.opcode = (enum wr_opcode)record_below(r, WR_OPCODES);
		break;
	default:
		op->count = record_below(r, 20);
		break;
	}
}

static inline void record_send(struct record_run *r, unsigned side)
{
	static const enum wr_opcode opcodes[] = {WR_SEND, WR_SEND, WR_WRITE,
						 WR_WRITE, WR_READ};
	static const uint64_t offsets[] = {0, 0, 4, 4096, 8192, 8191, 16383};
	const struct record_verbs *v = record_verbs_of(r);
	const unsigned qp = record_below(r, RECORD_QPS);
	const unsigned to = v->type == QP_RC ? record_peer(side, qp)
					     : record_below(r, RECORD_ENDS);
	struct orc_op op = {
		.kind = OP_POST_SEND,
		.handle = 1 + record_below(r, 1000),
		.len = record_size(r),
		.count = record_below(r, 4) ? 1 : record_below(r, 6),
		.key = 5 + record_below(r, 2),
		.offset = RECORD_PICK(r, offsets),
		.vb = {.qpn = v->qpn[side][qp],
		       .ah = v->ah[side][to],
		       .dest_qp = v->qpn[to][record_below(r, RECORD_QPS)],
		       .qkey = RECORD_QKEY,
		       .imm = record_below(r, 2) * 0x01020304u,
		       .len2 = record_chance(r, 100) * record_below(r, 100),
		       .opcode = v->type == QP_RC ? RECORD_PICK(r, opcodes)
						  : WR_SEND,
		       .with_imm = record_chance(r, 300)},
	};

	if (v->type == QP_SRD && op.len > r->conf[0].mtu)
		op.len %= r->conf[0].mtu + 1u;
	if (record_chance(r, 80))
		record_spoil(r, &op);
	record_post(r, side, &op);
}

/* A change of state that is not always allowed; most often back to work. */
static inline void record_alter(struct record_run *r, unsigned side)
{
	const struct record_verbs *v = record_verbs_of(r);
	const unsigned qp = record_below(r, RECORD_QPS);
	const enum qp_state state = (enum qp_state)record_below(r, QP_STATES);
	const unsigned to = record_peer(side, qp);
	struct op_result is = {0};
	const struct orc_op query = {.kind = OP_QUERY_QP,
				     .vb = {.qpn = v->qpn[side][qp]},
				     .ret = &is};

	record_modify(r, side, qp, state);
	record_post(r, side, &query);
	record_say(r, "state %d", (int)is.state);
	if (record_below(r, 4) == 0)
		return;
	record_modify(r, side, qp, QP_RESET);
	record_up(r, side, qp);
	if (v->type != QP_RC || record_below(r, 4) == 0)
		return;
	record_modify(r, to, record_peer_qp(side, qp), QP_RESET);
	record_up(r, to, record_peer_qp(side, qp));
}

static inline void record_destroy(struct record_run *r, unsigned side)
{
	const struct record_verbs *v = record_verbs_of(r);
	const unsigned qp = record_below(r, RECORD_QPS);
	const struct orc_op ops[] = {
		{.kind = OP_DESTROY_QP, .vb = {.qpn = v->qpn[side][qp]}},
		{.kind = OP_DESTROY_AH,
		 .vb = {.ah = v->ah[side][record_below(r, RECORD_ENDS)]}},
	};

	record_post(r, side, &RECORD_PICK(r, ops));
	if (record_below(r, 3) == 0)
		return;
	record_create(r, side, qp);
	record_up(r, side, qp);
	record_handles(r, side);
}

/* The ends talk to each other only if these members are the same. */
static inline void record_settle_verbs(struct record_run *r)
{
	for (unsigned i = 0; i < RECORD_ENDS; i++) {
		r->conf[i].crc = true;
		r->conf[i].mtu = r->conf[0].mtu;
	}
	/* the usual choice is that a bent packet counts */
	if (r->conf[0].icrc == ICRC_SOCK && r->luck.bent)
		r->conf[0].icrc = ICRC_OFF;
}

static inline void record_set_up(struct record_run *r, unsigned side)
{
	for (unsigned qp = 0; qp < RECORD_QPS; qp++)
		record_create(r, side, qp);
	record_handles(r, side);
	record_expose(r, side);
}

static inline void record_reset(struct record_run *r, unsigned side)
{
	record_renew(r, side);
	record_set_up(r, side);
	for (unsigned qp = 0; qp < RECORD_QPS; qp++)
		record_up(r, side, qp);
}

static inline void record_verb(struct record_run *r)
{
	const unsigned side = record_below(r, 8) < 6 ? 0 : 1;
	const uint32_t what = record_below(r, 1000);

	if (what < 10)
		record_reset(r, record_below(r, RECORD_ENDS));
	else if (what < 40)
		record_alter(r, record_below(r, RECORD_ENDS));
	else if (what < 60)
		record_destroy(r, record_below(r, RECORD_ENDS));
	else if (what < 70)
		record_configure(r, side);
	else if (what < 350)
		record_receive(r, record_below(r, RECORD_ENDS));
	else
		record_send(r, side);
}

static inline void record_play_verbs(struct record_run *r, enum qp_type type)
{
	static const vspan waits[] = {0,
				      0,
				      1,
				      5 * VSPAN_US,
				      40 * VSPAN_US,
				      300 * VSPAN_US,
				      2 * VSPAN_MS,
				      12 * VSPAN_MS,
				      50 * VSPAN_MS};
	static const uint32_t psns[] = {0, 10, 0xfffffe, 0xfffff0, 0x7ffffe};
	struct record_verbs v = {.type = type, .psn = RECORD_PICK(r, psns)};

	r->more = &v;
	for (unsigned side = 0; side < RECORD_ENDS; side++)
		record_set_up(r, side);
	for (unsigned side = 0; side < RECORD_ENDS; side++)
		for (unsigned qp = 0; qp < RECORD_QPS; qp++)
			record_up(r, side, qp);
	for (unsigned n = 0; n < 60; n++) {
		record_verb(r);
		record_pass(r, RECORD_PICK(r, waits));
	}
	record_pass(r, VSPAN_S);
	record_pass(r, 200 * VSPAN_S);
}

#endif
