/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib/ib.c -- the tables of the InfiniBand headers, of the WQE extension
 * and of SRD.
 */
#include "wire/ib/ib.h"

const struct value_name ib_opcodes[] = {
#define X(name, value, word) {value, word},
	IB_OPCODES(X)
#undef X
		{0, NULL},
};

const char *const ib_words[256] = {
#define X(name, value, word) [value] = (word),
	IB_OPCODES(X)
#undef X
};

const struct value_name ib_syndromes[] = {
	{IB_SYNDROME_ACK, "ack"},
	{IB_SYNDROME_RNR, "rnr"},
	{IB_SYNDROME_PSN_SEQ, "psn_seq_err"},
	{IB_SYNDROME_INVALID_REQ, "invalid_req"},
	{IB_SYNDROME_REMOTE_ACCESS, "remote_access"},
	{IB_SYNDROME_REMOTE_OP, "remote_op"},
	{IB_SYNDROME_BAD_DEST_QP, "bad_dest_qp"},
	{IB_SYNDROME_CTX_RESET, "ctx_reset"},
	{0, NULL},
};

const struct value_name rieth_fmts[] = {
	{RIETH_LIST, "list"},
	{RIETH_BITMAP, "bitmap"},
	{0, NULL},
};

#define IB1  "InfiniBand 1, 9.2"
#define WQE4 "srd_wqe.md B.4 (reference)"
#define SRD4 "srd_wqe.md A.4.2 (reference)"

HEADER_DEFINE(bth, BTH, "bth", IB1);
HEADER_DEFINE(reth, RETH, "reth", IB1);
HEADER_DEFINE(atomic_eth, ATOMIC_ETH, "atomic_eth", IB1);
HEADER_DEFINE(atomic_ack_eth, ATOMIC_ACK_ETH, "atomic_ack_eth", IB1);
HEADER_DEFINE(aeth, AETH, "aeth", IB1);
HEADER_DEFINE(imm_eth, IMM_ETH, "imm_eth", IB1);
HEADER_DEFINE(ieth, IETH, "ieth", IB1);
HEADER_DEFINE(deth, DETH, "deth", IB1);
HEADER_DEFINE(cnp_payload, CNP_PAYLOAD, "cnp_payload", "RoCEv2 17.9.3");
HEADER_DEFINE(wqeth, WQETH, "wqeth", WQE4);
HEADER_DEFINE(rieth, RIETH, "rieth", WQE4);
HEADER_DEFINE(rieth_entry, RIETH_ENTRY, "rieth_entry", WQE4);
HEADER_DEFINE(seth, SETH, "seth", SRD4);
HEADER_DEFINE(srd_aeth, SRD_AETH, "srd_aeth", SRD4);
HEADER_DEFINE(srd_sack, SRD_SACK, "srd_sack", SRD4);
