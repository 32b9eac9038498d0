/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/srd.c -- libFuzzer target: two SRD endpoints under any input
 * (fuzz/world.h).
 *
 * Each end has three QPs in RTS with a few receive buffers, and an address
 * handle for the other end.
 */
#include "fuzz/world.h"

#define QPS       3 /* QPs of each end, numbered from FIRST_QPN */
#define FIRST_QPN 0x11

/* Makes QPs in RTS with a few buffers, and a handle for the other end. */
static void fuzz_srd_equip(struct world *w, unsigned i)
{
	struct orc_op op = {.kind = OP_CREATE_AH, .peer = fuzz_world_addr(!i)};

	fuzz_world_ask(w, i, &op);
	for (uint32_t qpn = FIRST_QPN; qpn < FIRST_QPN + QPS; qpn++) {
		op = (struct orc_op){.kind = OP_CREATE_QP, .vb.depth = 16};
		fuzz_world_ask(w, i, &op);
		op.kind = OP_MODIFY_QP;
		op.vb.qpn = qpn;
		for (int state = QP_INIT; state <= QP_RTS; state++) {
			op.vb.state = (enum qp_state)state;
			fuzz_world_ask(w, i, &op);
		}
		op.kind = OP_POST_RECV;
		op.count = 4;
		op.len = 64;
		fuzz_world_ask(w, i, &op);
	}
}

static void fuzz_srd_post(struct world *w, struct input *in)
{
	static const enum op_kind kinds[] = {
		OP_POST_SEND,  OP_POST_SEND,  OP_POST_RECV, OP_MODIFY_QP,
		OP_QUERY_QP,   OP_DESTROY_QP, OP_CREATE_QP, OP_CREATE_AH,
		OP_DESTROY_AH, OP_POST_SEND,
	};
	const unsigned i = byte(in) & 1;
	const uint8_t kind = byte(in), which = byte(in), more = byte(in);
	const struct orc_op op = {
		.kind = kinds[kind % (sizeof(kinds) / sizeof(kinds[0]))],
		.handle = w->frame,
		.peer = fuzz_world_addr(!i),
		.len = more * 5u,
		.count = more >> 5,
		.vb = {.qpn = FIRST_QPN + which % 4,
		       .ah = 1 + (which >> 2) % 3,
		       .dest_qp = FIRST_QPN + (which >> 4) % 4,
		       .state = (enum qp_state)(more % (QP_STATES + 1)),
		       .lkey = which > 0xf8,
		       .with_imm = more & 1,
		       .depth = 16},
	};

	fuzz_world_ask(w, i, &op);
}

static void fuzz_srd_conf_of(struct orc_conf *conf, unsigned i)
{
	(void)i;
	conf->srd_window = 64;
	conf->srd_max_ctx = 4;
	conf->rto_max = 80 * VSPAN_MS;
	conf->start_psn_fixed = true;
	conf->start_psn = 0xfffff8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct world_form form = {
		.family = FAMILY_SRD,
		.conf = fuzz_srd_conf_of,
		.equip = fuzz_srd_equip,
		.post = fuzz_srd_post,
	};

	return fuzz_world_run(&form, data, size);
}
