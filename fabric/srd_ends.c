/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/srd_ends.c -- the verbs of a fabric's endpoints of SRD.
 */
#include "fabric/srd_ends.h"

#define QKEY 0x11223344u

int srd_end_open(const struct orc_api *api, struct orc *o, uint32_t depth,
		 uint32_t *ret_qpn)
{
	struct op_result made = {0};
	struct orc_op op = {.kind = OP_CREATE_QP,
			    .vb = {.type = QP_SRD, .depth = depth},
			    .ret = &made};
	int err = api->post(o, &op, 0);

	for (int state = QP_INIT; state <= QP_RTS && !err; state++) {
		op = (struct orc_op){.kind = OP_MODIFY_QP,
				     .vb = {.qpn = made.qpn,
					    .state = (enum qp_state)state,
					    .qkey = QKEY}};
		err = api->post(o, &op, 0);
	}
	*ret_qpn = made.qpn;
	return err;
}

int srd_end_refill(const struct orc_api *api, struct orc *o, uint32_t qpn,
		   uint32_t count, uint32_t len, vtime now)
{
	const struct orc_op op = {.kind = OP_POST_RECV,
				  .count = count,
				  .len = len,
				  .vb.qpn = qpn};

	return api->post(o, &op, now);
}

int srd_end_handle(const struct orc_api *api, struct orc *o,
		   const struct ip_addr *peer, vtime now, uint32_t *ret_ah)
{
	struct op_result made = {0};
	const struct orc_op op = {
		.kind = OP_CREATE_AH, .peer = *peer, .ret = &made};
	const int err = api->post(o, &op, now);

	*ret_ah = made.ah;
	return err;
}

void srd_end_send(struct orc_op *op, uint32_t qpn, uint32_t ah,
		  uint32_t dest_qp)
{
	op->kind = OP_POST_SEND;
	op->count = 1;
	op->vb = (struct verbs_op){.qpn = qpn,
				   .ah = ah,
				   .dest_qp = dest_qp,
				   .qkey = QKEY,
				   .opcode = WR_SEND};
}
