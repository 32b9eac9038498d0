/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/op.h -- the operations of a UET endpoint: the verbs of the control
 * channel as data.
 *
 * The minimum profile works with messages.  The PDS profile is table 3-27 by
 * name: it hands single SES packets to the PDS.  The verbs profile is that of
 * SRD: queue pairs, address handles, work requests.
 *
 * Spec: UET 3.5.4 table 3-27 (uet.md 7.9); seed 003 (srd_wqe.md A.1.4, C.5)
 */
#ifndef ORACLE_OP_H
#define ORACLE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/addr.h"

enum op_kind {
	/* minimum profile */
	OP_SEND,
	OP_WRITE,
	OP_READ,
	/* make room for |count| messages of |len| bytes, or tagged ones */
	OP_POST_RECV,
	/* make |len| bytes from |offset| on readable and writable under |key|
	 */
	OP_EXPOSE,
	OP_ATOMIC, /* execute |amo| on the memory at |offset| under |key| */
	/* PDS profile */
	OP_SES_POLICY,
	OP_SES_PDS_TX_REQ,
	OP_SES_PDS_TX_RSP,
	OP_SES_PDS_TX_RET,
	OP_SES_PDS_UNLOCK,
	OP_SES_PDS_EAGER_REQ,
	OP_ASK_CLOSE, /* as a target: request |peer| to close its PDCs */
	OP_SEND_CP,   /* send one control packet to |peer| */
	/* verbs profile; includes OP_POST_RECV with a |vb.qpn| */
	OP_CREATE_QP,
	OP_MODIFY_QP,
	OP_QUERY_QP,
	OP_DESTROY_QP,
	OP_CREATE_AH,
	OP_DESTROY_AH,
	OP_POST_SEND, /* post |count| WRs of |len| bytes each */
	/* reference only: choices that the specification leaves open */
	OP_CONFIGURE,
};

/* Settings of an SRD endpoint (srd_wqe.md A.4.4, A.4.5). */
#define SRD_SETTINGS(X)     \
	X(rto_max)          \
	X(srd_window)       \
	X(srd_paths)        \
	X(srd_unresponsive) \
	X(srd_give_up)      \
	X(srd_idle)         \
	X(srd_gc)           \
	X(srd_max_ctx)      \
	X(srd_sqe)          \
	X(srd_fast)         \
	X(srd_rtt_weight)   \
	X(srd_dev_weight)   \
	X(srd_dev_factor)   \
	X(srd_coalesce)

/* Settings of an endpoint of the WQE extension (srd_wqe.md B.7, B.8). */
#define WQE_SETTINGS(X)     \
	X(wqe_window)       \
	X(wqe_max_len)      \
	X(wqe_cache_max)    \
	X(wqe_max_ooo)      \
	X(wqe_miss)         \
	X(wqe_again)        \
	X(wqe_tail)         \
	X(wqe_hold)         \
	X(wqe_rnr_code)     \
	X(wqe_rnr_retry)    \
	X(wqe_bitmap)       \
	X(wqe_ind_psns)     \
	X(wqe_gbn)          \
	X(wqe_in_order)     \
	X(wqe_ack_every)    \
	X(wqe_cache_device) \
	X(wqe_cache_time)

/* Settings of the congestion control policies (oracle/uet/cc/README.md). */
#define CC_SETTINGS(X)       \
	X(cc_policy)         \
	X(path_choice)       \
	X(path_rest)         \
	X(link_rate)         \
	X(base_rtt)          \
	X(nscc_max_window)   \
	X(nscc_target)       \
	X(nscc_alpha)        \
	X(nscc_fair)         \
	X(nscc_fast)         \
	X(nscc_fast_delay)   \
	X(nscc_eta)          \
	X(nscc_gamma)        \
	X(nscc_max_decrease) \
	X(nscc_qa_gate)      \
	X(nscc_qa_delay)     \
	X(nscc_delay_gain)   \
	X(nscc_adjust)       \
	X(rccc_quantum)

/*
 * The members of struct orc_conf that OP_CONFIGURE can set, by name; spans in
 * ns. A setting holds until the next reset, and is refused while there is a
 * PDC.
 */
#define ORC_SETTINGS(X)        \
	X(start_psn)           \
	X(first_pdcid)         \
	X(rto_init)            \
	X(max_rto_retx)        \
	X(nack_retx_time)      \
	X(max_nack_retx)       \
	X(ack_type)            \
	X(ack_gen_trigger)     \
	X(ack_gen_min_pkt_add) \
	X(ack_per_pkt)         \
	X(ar_on_eom)           \
	X(ack_on_ecn)          \
	X(max_ack_data)        \
	X(keep_read_data)      \
	X(read_time)           \
	X(slow_index)          \
	X(slow_time)           \
	X(infer_loss)          \
	X(max_pdcs)            \
	X(max_peer_pdcs)       \
	X(max_cccs)            \
	X(max_bitmaps)         \
	X(max_pkt_buffers)     \
	X(max_stored)          \
	X(max_ses_msgs)        \
	X(psn_range)           \
	X(syn_retx_safety)     \
	X(fatal_retries)       \
	X(error_rx)            \
	X(default_rc)          \
	X(defer_rc)            \
	X(read_offset_of_rest) \
	X(rod_nack_each)       \
	X(rod_nack_payload)    \
	X(nack_ccx)            \
	X(mpr)                 \
	X(default_mpr)         \
	X(version)             \
	X(native)              \
	X(crc)                 \
	X(crc_order)           \
	X(icrc)                \
	X(trim_syn)            \
	X(trimmable_ack)       \
	X(override_mpr_zero)   \
	X(cc)                  \
	X(sack_base)           \
	X(cwnd)                \
	X(sack_retx)           \
	X(spray)               \
	X(probe)               \
	X(rcv_cwnd_pend)       \
	X(restore_cwnd)        \
	X(ccc_id)              \
	X(credit_unit)         \
	X(credit_init)         \
	X(pds_clear_time)      \
	X(close_idle)          \
	X(close_req_time)      \
	X(ask_close_idle)      \
	X(ask_close_ack)       \
	X(ask_clear_time)      \
	X(max_rudi)            \
	X(dscp_bulk)           \
	CC_SETTINGS(X)         \
	SRD_SETTINGS(X)        \
	WQE_SETTINGS(X)

enum orc_setting {
#define X(name) SETTING_##name,
	ORC_SETTINGS(X)
#undef X
		SETTING_COUNT,
};

/* The SES request header of a message. */
enum op_header {
	OP_HEADER_STD,
	OP_HEADER_MEDIUM,
	OP_HEADER_SMALL,
};

enum op_mode {
	OP_RUD,
	OP_ROD,
	OP_RUDI,
	OP_UUD,
	OP_MODES,
};

enum op_gtd {
	OP_GTD_AUTO, /* by the SES rules: errors are guaranteed */
	OP_GTD_NO,
	OP_GTD_YES,
};

/* How the responder's SES answers the next request packets. */
struct ses_policy {
	uint32_t count; /* number of packets; 0: until the next policy */
	enum op_gtd gtd;
	/* enum ses_return_code; RC_NULL and RC_OK: the correct one */
	uint8_t return_code;
	/* not 0: refuse the packet with this PDS NACK (ses_nack) */
	uint8_t nack_code;
	vspan delay; /* time from delivery to the response */
	bool manual; /* no automatic answer: ses_pds_tx_rsp gives it */
};

/* Parameters of the PDS profile that messages do not have. */
struct pds_op {
	uint16_t rod_context, tss_context;
	uint16_t rsv_pdc_context, rsv_ccc_context;
	uint8_t tc, next_hdr;
	bool som, eom, lock_pdc, rsv_pdc, return_data;
	bool gtd_del;
	uint8_t ses_nack;    /* a NACK code, 0: none */
	uint16_t orig_pdcid; /* tx_ret: orig_pdcid of the read request */
	uint32_t orig_psn;
	uint32_t rx_pkt_handle; /* tx_rsp: the request that it answers */
	uint16_t eager_id;
	const uint8_t *pkt; /* SES header and payload; lent for the call */
	uint16_t pkt_len;
};

/* An atomic operation on one element. */
struct op_amo {
	uint8_t opcode, datatype; /* tables 3-21 and 3-22 */
	bool fetch;
	uint64_t operand; /* compare and swap: the new value */
	uint64_t compare;
};

/* The ways in which a target requests a close (3.5.8.3). */
enum op_close {
	OP_CLOSE_BOTH, /* with a Close Request, and in its ACKs */
	OP_CLOSE_CP,
	OP_CLOSE_ACK,
};

/* A control packet to be sent (table 3-38). */
struct op_cp {
	uint8_t ctl_type;
	uint32_t psn; /* ACK Request: the PSN to be acknowledged */
	/*
	 * Clear Request: the last PSN to clear; Negotiation: the feature_mask
	 * of 1.0.3, 0: no such payload
	 */
	uint32_t payload;
};

/* States of a QP, as for UD; their order has no other meaning. */
enum qp_state {
	QP_RESET,
	QP_INIT,
	QP_RTR,
	QP_RTS,
	QP_SQD,
	QP_SQE,
	QP_ERR,
	QP_STATES,
};

enum qp_type {
	QP_SRD,
	QP_UD,
	QP_RC,
	QP_TYPES,
};

/* The operation of a WR; SRD's base profile has sends only. */
enum wr_opcode {
	WR_SEND,
	WR_WRITE,
	WR_READ,
	WR_ATOMIC,
	WR_OPCODES,
};

/* Parameters of the verbs profile. */
struct verbs_op {
	uint32_t qpn;     /* local QP; create_qp: 0, the endpoint chooses */
	uint32_t ah;      /* address handle, for destroy_ah and post_send */
	uint32_t dest_qp; /* post_send; RC: modify_qp to RTR */
	uint32_t rq_psn;  /* RC, modify_qp to RTR: first PSN of the peer */
	uint32_t sq_psn;  /* RC, modify_qp to RTS: first PSN of this endpoint */
	uint32_t qkey;    /* Q_Key of modify_qp to INIT, post_send */
	uint32_t imm;     /* immediate data, if |with_imm| */
	uint32_t lkey;    /* 0: a valid key */
	uint32_t len2;    /* bytes of a second SGE */
	uint32_t depth;   /* create_qp: WRs of each queue; 0: the default */
	enum qp_type type;   /* create_qp: transport */
	enum qp_state state; /* modify_qp: new state */
	enum wr_opcode opcode;
	bool with_imm;
};

/* The result of a verb, beside its error. */
struct op_result {
	uint32_t qpn, ah;
	enum qp_state state; /* query_qp: current state */
};

struct orc_op {
	enum op_kind kind;
	uint32_t handle; /* the caller's handle; events carry it */
	struct ip_addr peer;
	enum op_mode mode; /* delivery mode of a message, tx_req or eager_req */
	enum op_header header;
	uint16_t message_id; /* 0: the endpoint chooses */
	uint32_t len;        /* bytes of the message */
	uint32_t count;
	uint64_t offset, key;
	bool tagged; /* OP_SEND, OP_POST_RECV: |key| is the tag */
	/* OP_SEND: the target reads all but the first |eager| bytes */
	bool rendezvous;
	uint32_t eager;
	bool deferrable; /* OP_SEND: the target may ask for it later */
	struct ses_policy policy;
	struct op_amo amo;   /* OP_ATOMIC */
	enum op_close close; /* OP_ASK_CLOSE */
	struct op_cp cp;     /* OP_SEND_CP */
	struct pds_op pds;
	struct verbs_op vb;
	struct op_result *ret;    /* lent for the call; NULL: not wanted */
	enum orc_setting setting; /* OP_CONFIGURE */
	uint64_t value;
};

#endif
