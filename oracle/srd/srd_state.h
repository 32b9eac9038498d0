/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_state.h -- the state of an SRD endpoint: queue pairs above,
 * reliable contexts below.
 *
 * A context is one PSN space from one node to another, which all QPs of both
 * share.  The requester keeps a request until it knows its outcome; the
 * responder remembers each outcome until LUP shows that the requester does not
 * need it any more.  The wire format is this project's own: SRD's is not
 * public.
 *
 * PSNs have 32 bits in this state, so that no code here meets the wrap at 2^24.
 *
 * Spec: seed 003; srd_wqe.md A.4
 */
#ifndef ORACLE_SRD_SRD_STATE_H
#define ORACLE_SRD_SRD_STATE_H

#include "base/serial.h"
#include "oracle/core/env.h"
#include "oracle/core/idmap.h"
#include "oracle/core/inflight.h"
#include "oracle/core/qp.h"
#include "oracle/core/rcvd.h"
#include "oracle/oracle.h"
#include "oracle/uet/cc/paths.h"
#include "wire/ib/ib.h"

#define SRD_ENTROPY 0xc000 /* UDP source port of path 0 (A.4.2) */
#define SRD_PKEY    0xffff
#define SRD_VERSION 1
#define SRD_HEAD    (bth_len + seth_len)

struct srd_qp {
	bool used;
	uint32_t qpn;
	enum qp_type type;
	enum qp_state state;
	uint32_t qkey;
	uint32_t depth;       /* WRs of each queue */
	uint32_t outstanding; /* send WRs without a completion */
	struct recv_queue rq;
};

/* A send without a PSN. */
struct srd_wr {
	struct srd_wr *next;
	uint32_t handle, qpn, ah, dest_qp, qkey, imm;
	uint16_t len;
	bool with_imm;
};

struct srd_queue {
	struct srd_wr *first, *last;
};

/* A requester's context and its address handle. */
struct srd_ah {
	uint32_t number; /* number of the handle */
	struct ip_addr peer;
	uint32_t scid;
	uint32_t rcid;      /* 0: unknown */
	bool known;         /* some SCID of this handle has had an RCID */
	struct inflight fl; /* fl.base is LUP */
	struct srd_queue queue;
	struct timer timer;
	/* time of the last ACK, or of the first unanswered packet */
	vtime heard_at;
	vtime rest_at; /* time since which nothing has been in flight */
	bool told;     /* EV_UNRESPONSIVE was sent */
	uint8_t path;  /* path of the last transmission */
	struct paths paths;
	/* srd_repair.c */
	vspan srtt, rttvar; /* smoothed RTT, 0: none yet, and its deviation */
	vtime answered_at;  /* departure of the last transmission answered */
	vtime repair_at;    /* when a request will count as lost */
};

/* A responder's context. */
struct srd_ctx {
	uint32_t number; /* number of the context, never used twice */
	struct ip_addr peer;
	uint32_t scid, rcid;
	struct rcvd rcvd; /* cack_psn is base - 1 */
	uint32_t lup;     /* the highest LUP seen */
	uint32_t drops;   /* kept drop outcomes */
	uint32_t held;    /* accepted requests since the last answer */
	vtime used_at;
	struct srd_ctx *older, *newer; /* neighbours by last use */
	struct srd_ctx *chain;         /* next with the same hash */
};

struct srd {
	struct env env;

	struct srd_qp *qps;
	size_t qps_cap, nqps;
	struct idmap by_qpn; /* maps a QPN to an index of qps */
	uint32_t next_qpn;

	struct srd_ah **ahs; /* NULL: a free slot */
	size_t ahs_cap, nahs;
	struct idmap by_ah, by_scid; /* map to an index of ahs */
	uint32_t next_ah, next_scid;
	struct srd_queue held; /* WRs of QPs in SQD */
	struct srd_wr *spare;

	struct srd_ctx **ctxs; /* hash table, a power of two of slots */
	size_t ctxs_cap;
	struct srd_ctx *oldest, *newest;
	uint32_t nctxs, next_ctx;
	struct idmap outcomes; /* maps (number, PSN) to the syndrome */

	uint8_t *last; /* the last message received */
	size_t last_cap, last_len;
};

/* A request for a QP; |data| is lent. */
struct srd_msg {
	struct ip_addr src;
	uint32_t dest_qp, src_qp, qkey, psn, imm;
	bool with_imm;
	const uint8_t *data;
	uint32_t len;
};

#endif
