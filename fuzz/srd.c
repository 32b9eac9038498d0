/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two SRD endpoints under any input (fuzz/world.h).
 */
#include "fuzz/world.h"

#define QPS       3 /* of each end, numbered from FIRST_QPN */
#define FIRST_QPN 0x11

/* QPs in RTS with a few buffers, and a handle for the other end. */
static void equip(struct world *w, unsigned i)
{
	struct orc_op op = {.kind = OP_CREATE_AH, .peer = addr(!i)};

	ask(w, i, &op);
	for (uint32_t qpn = FIRST_QPN; qpn < FIRST_QPN + QPS; qpn++) {
		op = (struct orc_op){.kind = OP_CREATE_QP, .vb.depth = 16};
		ask(w, i, &op);
		op.kind = OP_MODIFY_QP;
		op.vb.qpn = qpn;
		for (int state = QP_INIT; state <= QP_RTS; state++) {
			op.vb.state = (enum qp_state)state;
			ask(w, i, &op);
		}
		op.kind = OP_POST_RECV;
		op.count = 4;
		op.len = 64;
		ask(w, i, &op);
	}
}

static void post(struct world *w, struct input *in)
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
		.peer = addr(!i),
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

	ask(w, i, &op);
}

static void conf_of(struct orc_conf *conf, unsigned i)
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
		.conf = conf_of,
		.equip = equip,
		.post = post,
	};

	return world_run(&form, data, size);
}
