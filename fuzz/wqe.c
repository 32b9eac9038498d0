/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/wqe.c -- libFuzzer target: two endpoints with the WQE extension, or of
 * plain RoCEv2, under any input (fuzz/world.h).
 *
 * The last byte of the input selects the transport.  dress_as() gives a
 * datagram a valid BTH, so that it passes the first checks of the receiver.
 */
#include "fuzz/world.h"
#include "wire/ib/ib.h"

#define QPS       3 /* QPs of each end, numbered from FIRST_QPN */
#define FIRST_QPN 0x21
#define FIRST_PSN 0xfffff8
#define RKEY      0x77
#define REGION    512

/* Makes writable memory, and QPs in RTS with a few buffers. */
static void fuzz_wqe_equip(struct world *w, unsigned i)
{
	struct orc_op op = {.kind = OP_EXPOSE, .key = RKEY, .len = REGION};

	fuzz_world_ask(w, i, &op);
	for (uint32_t qpn = FIRST_QPN; qpn < FIRST_QPN + QPS; qpn++) {
		op = (struct orc_op){.kind = OP_CREATE_QP,
				     .vb = {.depth = 16, .type = QP_RC}};
		fuzz_world_ask(w, i, &op);
		op.kind = OP_MODIFY_QP;
		op.peer = fuzz_world_addr(!i);
		op.vb.qpn = op.vb.dest_qp = qpn;
		op.vb.rq_psn = op.vb.sq_psn = FIRST_PSN;
		for (int state = QP_INIT; state <= QP_RTS; state++) {
			op.vb.state = (enum qp_state)state;
			fuzz_world_ask(w, i, &op);
		}
		op.kind = OP_POST_RECV;
		op.count = 4;
		op.len = 600;
		fuzz_world_ask(w, i, &op);
	}
}

static void fuzz_wqe_post(struct world *w, struct input *in)
{
	static const enum op_kind kinds[] = {
		OP_POST_SEND, OP_POST_SEND,  OP_POST_SEND, OP_POST_RECV,
		OP_MODIFY_QP, OP_DESTROY_QP, OP_CREATE_QP, OP_QUERY_QP,
	};
	const unsigned i = byte(in) & 1;
	const uint8_t kind = byte(in), which = byte(in), more = byte(in);
	const struct orc_op op = {
		.kind = kinds[kind % (sizeof(kinds) / sizeof(kinds[0]))],
		.handle = w->frame,
		.peer = fuzz_world_addr(!i),
		.len = more * 3u,
		.count = more >> 6,
		.key = which > 0xf0 ? 0 : RKEY,
		.offset = which,
		.vb = {.qpn = FIRST_QPN + which % 4,
		       .dest_qp = FIRST_QPN + which % 4,
		       .rq_psn = FIRST_PSN,
		       .sq_psn = FIRST_PSN,
		       .type = QP_RC,
		       .state = (enum qp_state)(more % (QP_STATES + 1)),
		       .opcode = (enum wr_opcode)((which >> 2) % 3),
		       .with_imm = more & 1,
		       .depth = 16},
	};

	fuzz_world_ask(w, i, &op);
}

static void dress_as(struct dgram *d, struct input *in, uint8_t class)
{
	/* a header that passes the checks */
	if (d->len >= 12 && byte(in) & 1) {
		d->data[0] = (uint8_t)(class | (d->data[0] & 0x1f));
		d->data[1] &= 0x30;
		memset(d->data + 2, 0xff, 2);
		d->data[4] = d->data[5] = d->data[6] = 0;
		d->data[7] = (uint8_t)(FIRST_QPN + d->data[7] % QPS);
	}
}

static void dress(struct dgram *d, struct input *in)
{
	dress_as(d, in, IB_WQE_SEND_FIRST);
}

static void dress_plain(struct dgram *d, struct input *in)
{
	dress_as(d, in, IB_RC_SEND_FIRST);
}

static void fuzz_wqe_conf_of(struct orc_conf *conf, unsigned i)
{
	conf->mtu = 64;
	conf->wqe_window = 16;
	conf->wqe_max_len = 1024;
	conf->wqe_cache_max = 1024;
	conf->wqe_max_ooo = 4;
	conf->wqe_bitmap = i;
}

static void conf_plain(struct orc_conf *conf, unsigned i)
{
	fuzz_wqe_conf_of(conf, i);
	conf->wqe_gbn = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/*
	 * The last byte selects the transport, so that older inputs keep their
	 * first bytes.
	 */
	const bool plain = size && data[size - 1] & 1;
	const struct world_form form = {
		.family = plain ? FAMILY_ROCE : FAMILY_WQE,
		.conf = plain ? conf_plain : fuzz_wqe_conf_of,
		.equip = fuzz_wqe_equip,
		.post = fuzz_wqe_post,
		.dress = plain ? dress_plain : dress,
	};

	return fuzz_world_run(&form, data, size);
}
