/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/event.h -- the events of an endpoint: table 3-27 upwards, completions,
 * and drop reasons.
 *
 * Spec: UET 3.5.4 table 3-27 (uet.md 7.9); seed 003 3.3 (srd_wqe.md A.1.5)
 */
#ifndef ORACLE_EVENT_H
#define ORACLE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

enum orc_event_kind {
	EV_PDS_SES_RX_REQ, /* a request packet reached the target SES */
	EV_PDS_SES_RX_RSP, /* a response reached the requesting SES */
	EV_PDS_SES_RX_RET, /* return data reached the initiator SES */
	EV_PDS_SES_EAGER_SIZE,
	EV_PDS_PAUSE,
	EV_PDS_SES_ERROR, /* for each unacknowledged request of a failed PDC */
	EV_COMPLETION,    /* an operation of the minimum profile ended */
	EV_RECV,          /* a whole message arrived at the target */
	EV_DROP,          /* a packet was dropped, with the reason */
	EV_PDC,           /* a PDC changed its state */
	EV_UNRESPONSIVE,  /* unaffiliated: the destination of |ah| */
};

enum orc_status {
	STATUS_OK,
	STATUS_REFUSED, /* the target's SES returned an error: return_code */
	STATUS_RETRIES, /* Max_RTO_Retx_Cnt or Max_NACK_Retx_Cnt exceeded */
	STATUS_FATAL,   /* the peer sent a PDC_FATAL NACK: nack_code */
	STATUS_CLOSED,  /* the PDC was closed before the end */
	/* statuses of a WR, by the names of seed 003 */
	STATUS_LOCAL_LENGTH,
	STATUS_LOCAL_QP_OP,
	STATUS_LOCAL_PROTECTION,
	STATUS_FLUSHED,
	STATUS_BAD_RESPONSE,
	STATUS_REMOTE_INVALID,
	STATUS_REMOTE_ACCESS,
	STATUS_REMOTE_OP,
	STATUS_BAD_DEST_QP,
	STATUS_RNR,
	/* statuses of a WR that devices report in addition */
	STATUS_REMOTE_ABORT, /* the responder lost its context */
	STATUS_TIMEOUT,      /* the destination did not answer */
};

struct orc_event {
	enum orc_event_kind kind;
	/* handle of the operation, tx_pkt_handle or rx_pkt_handle */
	uint32_t handle;
	/* EV_PDS_SES_ERROR: the received request without an answer; or 0 */
	uint32_t rx_pkt_handle;
	uint16_t message_id; /* as on the wire; 0: the header has none */
	uint16_t orig_pdcid; /* this endpoint's PDCID */
	uint32_t orig_psn;
	uint8_t next_hdr;
	uint8_t opcode; /* SES request opcode or response opcode */
	uint8_t return_code;
	uint8_t nack_code;
	bool som, eom;
	uint32_t len; /* payload bytes, or bytes of the message */
	/*
	 * CRC-32C of the message of EV_RECV, or of the data that a read or
	 * fetching atomic returned; 0: unknown
	 */
	uint32_t digest;
	uint32_t eager_size;
	uint16_t eager_id;
	bool pdc_pause, rudi_pause;
	enum orc_status status;
	uint32_t qpn;    /* local QP of a WR */
	uint32_t src_qp; /* EV_RECV of SRD: the sender's QP */
	uint32_t imm;    /* EV_RECV: immediate data, if |with_imm| */
	uint32_t ah;     /* EV_UNRESPONSIVE: the address handle */
	bool with_imm;
	const char *reason; /* EV_DROP, EV_PDC: static text; else NULL */
};

#endif
