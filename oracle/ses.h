/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/ses.h -- a small semantic sublayer: enough to drive the PDS.
 *
 * As an initiator (ses_tx.c) it cuts sends, writes and reads into packets, one
 * message after the other for each peer, and puts read data together.  As a
 * target (ses_rx.c) it puts messages together, answers each packet as the rules
 * or a struct ses_policy say, and returns read data: in the ACK if the message
 * fits Max_ACK_Data_Size, else as packets in the return direction.
 *
 * By RUDI and UUD every packet stands for itself: the target puts no messages
 * together, a RUDI response carries all data that its packet asked for, and a
 * datagram gets no response.  Only operations that are idempotent go by RUDI;
 * the PDS cannot tell them apart.
 *
 * Both live in one struct, because an endpoint is both at once.
 *
 * Spec: UET 3.4.2, 3.4.4 (uet.md 5, 7.5)
 */
#ifndef ORACLE_SES_H
#define ORACLE_SES_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/amo.h"
#include "oracle/env.h"
#include "oracle/idmap.h"
#include "oracle/pds_ses.h"
#include "oracle/ses_buf.h"
#include "oracle/ses_hdr.h"

#define SES_NONE    UINT32_MAX /* no index */
#define SES_MTU_MAX 8192

/* A message, or one raw packet, on its way out. */
struct tx_msg {
	enum op_kind kind; /* OP_SES_PDS_TX_REQ and _RET: raw */
	bool live;
	uint32_t handle; /* of the operation */
	uint32_t fep;
	enum op_mode mode;
	struct ses_req req; /* what all of its packets have in common */
	struct op_amo amo;  /* an atomic */
	uint32_t len;
	uint32_t npackets;
	uint32_t handed;   /* to the PDS */
	uint32_t answered; /* responses or errors */
	uint32_t psn;      /* of the last packet handed over */
	uint16_t pdcid;
	bool completed; /* EV_COMPLETION was given */
	bool locked;    /* a read: the PDC must stay until its data is here */
	bool heard;     /* a packet of it was answered */
	bool retry;     /* its PDC failed it: to be tried on another */
	unsigned tries; /* how often that was done */
	uint32_t got;   /* a read: bytes that are here (or fetching atomic) */
	enum orc_status status;
	uint8_t return_code, nack_code;
	struct ses_buf data; /* read data; bytes of a raw packet */
	struct ses_tx raw;
	uint32_t next; /* in its flow, or in the free list */
};

/* Messages to one peer in one mode, in order. */
struct flow {
	uint32_t head, tail; /* tx_msg */
	bool paused;         /* by the PDS */
	bool pumping;        /* being handed over right now */
};

/* A message that arrives in several packets. */
struct rx_msg {
	uint64_t key;                 /* pdcid << 16 | message_id */
	uint32_t got;                 /* bytes */
	uint8_t return_code;          /* not RC_OK: the message is in error */
	uint16_t response_message_id; /* of read data */
	struct ses_buf data;
	uint32_t next; /* free list */
};

/* One packet of return data to be sent. */
struct ret {
	struct ses_rsp rsp; /* its header */
	uint16_t pdcid;
	uint32_t rx_pkt_handle; /* of the read request */
	uint64_t key, at;       /* where the data lies */
	bool som, eom;
	bool fetched; /* by an atomic: what was there then is in |old| */
	uint8_t old[AMO_FETCH_MAX];
	uint32_t next; /* same PDC; or free list */
};

struct ret_queue {
	uint32_t head, tail;
	uint32_t next; /* free list */
};

/* A response held back by a policy. */
struct held {
	struct timer timer;
	struct held *prev, *next; /* ses->held */
	uint32_t rx_pkt_handle;
	struct ses_tx_rsp rsp;
	bool has_ret; /* then return data follows */
	struct ret ret;
	uint8_t bytes[];
};

struct ses {
	struct env *env;
	struct pds *pds;
	struct ses_bufs bufs;

	struct tx_msg *msgs;
	size_t msg_cap;
	uint32_t nmsgs, free_msg;
	struct flow *flows; /* by ses_flow */
	size_t flow_cap;
	struct flow rudi;         /* requests without a PDC, to any peer */
	struct idmap reads;       /* message_id, or pdcid and psn -> msg */
	uint64_t ids[65536 / 64]; /* message ids in use */
	uint16_t last_id;
	struct idmap locks; /* raw lock_pdc: message_id -> pdcid */
	bool raw_used;      /* the driver is an SES of its own */

	struct rx_msg *rx_msgs;
	size_t rx_msg_cap;
	uint32_t nrx_msgs, free_rx_msg;
	struct idmap rx_by_key;
	uint16_t last_response_id;

	struct ret *rets;
	size_t ret_cap;
	uint32_t nrets, free_ret;
	struct ret_queue *queues;
	size_t queue_cap;
	uint32_t nqueues, free_queue;
	struct idmap queue_by_pdc;

	struct ses_policy policy;
	uint32_t policy_left; /* packets; 0: for ever */
	bool has_policy;
	struct held *held;
	uint8_t old[AMO_FETCH_MAX]; /* what the atomic under way found */

	uint8_t scratch[SES_HDR_MAX + SES_MTU_MAX];
};

void ses_init(struct ses *ses, struct env *env, struct pds *pds);

/* ses_reset forgets everything and keeps memory; ses_free gives it back. */
void ses_reset(struct ses *ses);
void ses_free(struct ses *ses);

/* ses_post does an operation; the errors are those of orc_api.post. */
int ses_post(struct ses *ses, const struct orc_op *op);

/* ses_expect says that an operation to that peer comes soon. */
void ses_expect(const struct ses *ses, const struct ip_addr *peer);

/*
 * ses_idempotent says whether an operation done twice has the result of one
 * done once; |amo| is that of an atomic (3.5.7.3).
 */
bool ses_idempotent(uint8_t opcode, uint8_t amo);

/* ses_fire sends a response that was held back. */
void ses_fire(struct ses *ses, struct timer *timer);

/* ses_flow is where the messages to a peer wait, by mode. */
static inline uint32_t ses_flow(uint32_t fep, enum op_mode mode)
{
	return fep * OP_MODES + (uint32_t)mode;
}

/* What ses_tx.c offers to ses.c. */
int tx_message(struct ses *ses, const struct orc_op *op);
int tx_raw(struct ses *ses, const struct orc_op *op);
int tx_raw_return(struct ses *ses, const struct orc_op *op);
int tx_return(struct ses *ses, struct ses_tx *tx, uint32_t handle);
int tx_unlock(struct ses *ses, const struct orc_op *op);
void tx_pump(struct ses *ses, uint32_t flow);
void tx_pump_rudi(struct ses *ses);
void tx_pdc_closed(struct ses *ses, uint32_t fep, uint16_t pdcid,
		   struct pds_error err);
void tx_init(struct ses *ses);
uint64_t tx_read_key(const struct tx_msg *msg);
bool tx_is_raw(const struct tx_msg *msg);

/*
 * What ses_moved.c offers to ses_tx.c: tx_may_retry says whether a message may
 * be tried on another PDC, and tx_retry does that with those of a PDC that has
 * ended.
 */
bool tx_may_retry(const struct ses *ses, const struct tx_msg *msg,
		  struct pds_error err);
void tx_retry(struct ses *ses, uint16_t pdcid);

/* What ses_rx.c offers to ses.c. */
int rx_policy(struct ses *ses, const struct orc_op *op);
int rx_raw_response(struct ses *ses, const struct orc_op *op);
void rx_pump(struct ses *ses, uint16_t pdcid);
void ses_release(struct ses *ses, const struct held *held);
void rx_pdc_closed(struct ses *ses, uint16_t pdcid);
void rx_init(struct ses *ses);

#endif
