/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_state.h -- the state of the semantic sublayer, of both its
 * sides: an endpoint is initiator and target at once.
 */
#ifndef ORACLE_UET_SES_SES_STATE_H
#define ORACLE_UET_SES_SES_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/core/env.h"
#include "oracle/core/idmap.h"
#include "oracle/uet/pds_ses.h"
#include "oracle/uet/ses/amo.h"
#include "oracle/uet/ses/ses_buf.h"
#include "oracle/uet/ses/ses_hdr.h"

#define SES_NONE    UINT32_MAX /* no index */
#define SES_MTU_MAX 8192

/* A message, or one raw packet, to be sent. */
struct tx_msg {
	enum op_kind kind; /* OP_SES_PDS_TX_REQ and _RET are raw */
	bool live;
	uint32_t handle; /* handle of the operation */
	uint32_t fep;
	enum op_mode mode;
	struct ses_req req; /* header fields that all its packets share */
	struct op_amo amo;  /* parameters of an atomic */
	uint32_t len;
	uint32_t npackets;
	uint32_t handed;   /* packets handed to the PDS */
	uint32_t answered; /* packets with a response or an error */
	uint32_t psn;      /* PSN of the last packet handed over */
	uint16_t pdcid;
	bool completed; /* EV_COMPLETION was sent */
	bool silent;    /* of no operation: the driver hears nothing of it */
	/* a read: the PDC must stay until its data has arrived */
	bool locked;
	bool heard;     /* a packet of it was answered */
	bool retry;     /* its PDC failed: retry on another */
	unsigned tries; /* number of retries */
	uint32_t token; /* initiator's restart token of a deferrable send */
	bool rendezvous;
	uint32_t eager;  /* bytes of a rendezvous that go with its request */
	uint32_t served; /* bytes of its body that the target has read */
	uint64_t body_key;
	struct body *body; /* a read that the body of a rendezvous needs */
	bool deferred;     /* the target asks for it again */
	bool restart;      /* the target has asked, by |target_token| */
	uint32_t target_token;
	uint32_t got; /* bytes received of a read or fetching atomic */
	enum orc_status status;
	uint8_t return_code, nack_code;
	struct ses_buf data; /* read data; bytes of a raw packet */
	struct ses_tx raw;
	uint32_t next; /* next in its flow, or in the free list */
};

/* Messages to one peer in one mode, in order. */
struct ses_flow {
	uint32_t head, tail; /* indexes of tx_msg */
	bool paused;         /* paused by the PDS */
	bool pumping;        /* packets are being handed over now */
};

/* A message that arrives in several packets. */
struct rx_msg {
	uint64_t key;                 /* pdcid << 16 | message_id */
	uint32_t got;                 /* bytes received */
	uint8_t return_code;          /* not RC_OK: the message is in error */
	uint16_t response_message_id; /* id of its read data */
	vtime receive_at; /* deferred: when its receive is posted; 0: unknown */
	bool addressed; /* a rendezvous: |from| arrived with its first packet */
	struct ses_rendezvous from;
	struct ses_buf data;
	uint32_t next; /* next in the free list */
};

/* A rendezvous whose body a target reads; memory of its own. */
struct body {
	uint32_t fep;
	enum op_mode mode;
	struct ses_rendezvous from;
	struct orc_event recv; /* the report when it is whole */
	uint8_t *bytes;        /* the whole message; the eager part is there */
};

/* A deferrable send that a target asks for again. */
struct deferred {
	uint32_t fep;
	enum op_mode mode;
	uint32_t initiator_token, target_token;
	uint32_t len;
	bool tagged;
	uint64_t tag;
	vtime from;          /* no receive before */
	bool matched;        /* a receive is there: the initiator was asked */
	uint8_t return_code; /* of the match */
};

/* One packet of return data to be sent. */
struct ret {
	struct ses_rsp rsp; /* header of the packet */
	uint16_t pdcid;
	uint32_t rx_pkt_handle; /* handle of the read request */
	uint64_t key, at;       /* place of the data */
	bool som, eom;
	bool fetched; /* an atomic: |old| holds the previous value */
	uint8_t old[AMO_FETCH_MAX];
	uint32_t next; /* next of the same PDC, or in the free list */
};

struct ret_queue {
	uint32_t head, tail;
	uint32_t next; /* next in the free list */
};

/* A response that a policy delays. */
struct held {
	struct timer timer;
	struct held *prev, *next; /* neighbours in ses->held */
	uint32_t rx_pkt_handle;
	struct ses_tx_rsp rsp;
	bool data_only; /* the response was sent; |ret| is being read */
	bool recv_only; /* nothing is answered: a receive is posted late */
	bool has_ret;   /* return data follows */
	struct ret ret;
	uint8_t bytes[];
};

struct pds;

struct ses {
	struct env *env;
	struct pds *pds;
	struct ses_bufs bufs;

	struct tx_msg *msgs;
	size_t msg_cap;
	uint32_t nmsgs, free_msg;
	struct ses_flow *flows; /* indexed by ses_flow */
	size_t flow_cap;
	struct ses_flow rudi; /* PDC-less requests, to any peer */
	/* maps message_id, or pdcid and psn, to msg */
	struct idmap reads;
	uint16_t last_id;
	struct idmap locks; /* raw lock_pdc: maps message_id to pdcid */
	bool raw_used;      /* the driver uses the raw interface */

	struct rx_msg *rx_msgs;
	size_t rx_msg_cap;
	uint32_t nrx_msgs, free_rx_msg;
	struct deferred *deferred; /* in the order of their arrival */
	size_t deferred_cap, ndeferred;
	uint32_t last_token; /* restart token, of either side */
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
	uint32_t policy_left; /* packets left; 0: no limit */
	bool has_policy;
	struct held *held;

	/* what follows is too large to be prefetched */
	uint8_t old[AMO_FETCH_MAX]; /* previous value of the current atomic */
	uint64_t ids[65536 / 64];   /* message ids in use */
	uint8_t scratch[SES_HDR_MAX + ses_rendezvous_len + SES_MTU_MAX];
};

/* ses_flow returns the index of the queue of messages to a peer, by mode. */
static inline uint32_t ses_flow(uint32_t fep, enum op_mode mode)
{
	return fep * OP_MODES + (uint32_t)mode;
}

#endif
