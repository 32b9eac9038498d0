/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd.h -- an SRD endpoint: queue pairs above, reliable contexts below.
 *
 *	srd.c      what family.h asks for: life, packets in and out
 *	srd_qp.c   queue pairs: states, receive queues, completions
 *	srd_req.c  the requester's contexts, one for each address handle
 *	srd_rsp.c  the responder's, one for each (peer, SCID)
 *
 * A context is one PSN space from one node to another, which all QPs of both
 * share.  The requester keeps a request until it knows its outcome; the
 * responder remembers each outcome until LUP says that the requester does not
 * need it any more.  The wire form is this project's own: SRD's is not public.
 *
 * Inside, PSNs have 32 bits, so that nothing here meets the wrap at 2^24.
 *
 * Spec: seed 003; srd_wqe.md A.4
 */
#ifndef ORACLE_SRD_H
#define ORACLE_SRD_H

#include "base/serial.h"
#include "oracle/env.h"
#include "oracle/idmap.h"
#include "oracle/inflight.h"
#include "oracle/oracle.h"
#include "oracle/qp.h"
#include "oracle/rcvd.h"
#include "wire/ib.h"

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
	uint32_t depth;       /* of each queue */
	uint32_t outstanding; /* send WRs without a completion */
	struct recv_queue rq;
};

/* A send that has no PSN yet. */
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
	uint32_t number; /* the handle */
	struct ip_addr peer;
	uint32_t scid;
	uint32_t rcid;      /* 0: not known */
	bool known;         /* it was, under some SCID of this handle */
	struct inflight fl; /* fl.base is LUP */
	struct srd_queue queue;
	struct timer timer;
	vtime heard_at; /* the last ACK, or the first packet it waits for */
	vtime rest_at;  /* nothing has been in flight since then */
	bool told;      /* the event has been given */
	uint8_t path;   /* of the last transmission */
};

/* A responder's context. */
struct srd_ctx {
	uint32_t number; /* never used twice */
	struct ip_addr peer;
	uint32_t scid, rcid;
	struct rcvd rcvd; /* cack_psn is base - 1 */
	uint32_t lup;     /* the highest seen */
	uint32_t drops;   /* outcomes that are kept */
	uint32_t held;    /* accepts since the last answer */
	vtime used_at;
	struct srd_ctx *older, *newer; /* by last use */
	struct srd_ctx *chain;         /* of those with the same hash */
};

struct srd {
	struct env env;

	struct srd_qp *qps;
	size_t qps_cap, nqps;
	struct idmap by_qpn; /* to an index of qps */
	uint32_t next_qpn;

	struct srd_ah **ahs; /* NULL: a free place */
	size_t ahs_cap, nahs;
	struct idmap by_ah, by_scid; /* to an index of ahs */
	uint32_t next_ah, next_scid;
	struct srd_queue held; /* of QPs in SQD */
	struct srd_wr *spare;

	struct srd_ctx **ctxs; /* by hash, a power of two of places */
	size_t ctxs_cap;
	struct srd_ctx *oldest, *newest;
	uint32_t nctxs, next_ctx;
	struct idmap outcomes; /* (number, PSN) to the syndrome */

	uint8_t *last; /* the last message received */
	size_t last_cap, last_len;
};

/* A request on its way to a QP; |data| is lent. */
struct srd_msg {
	struct ip_addr src;
	uint32_t dest_qp, src_qp, qkey, psn, imm;
	bool with_imm;
	const uint8_t *data;
	uint32_t len;
};

/* ---- srd_qp.c ---- */

void srd_qps_free(struct srd *s);

/* srd_qp_find is a QP by number, or NULL. */
struct srd_qp *srd_qp_find(struct srd *s, uint32_t qpn);

/*
 * srd_qp_deliver hands a request to its QP.
 * Return: the syndrome that answers it.
 */
uint8_t srd_qp_deliver(struct srd *s, const struct srd_msg *m);

/* srd_qp_done ends a send WR: one completion, unless its QP is no more. */
void srd_qp_done(struct srd *s, uint32_t qpn, uint32_t handle,
		 enum orc_status status);

/* The verbs, as post has them. */
int srd_qp_create(struct srd *s, const struct orc_op *op);
int srd_qp_modify(struct srd *s, const struct orc_op *op);
int srd_qp_query(struct srd *s, const struct orc_op *op);
int srd_qp_destroy(struct srd *s, const struct orc_op *op);
int srd_qp_send(struct srd *s, const struct orc_op *op);
int srd_qp_recv(struct srd *s, const struct orc_op *op);

/* ---- srd_req.c ---- */

void srd_ahs_free(struct srd *s);
int srd_ah_create(struct srd *s, const struct orc_op *op);
int srd_ah_destroy(struct srd *s, const struct orc_op *op);

/*
 * srd_wr_add appends a copy of a WR to a queue; false: no memory.
 * srd_wr_take takes the first one off, or returns false.
 */
bool srd_wr_add(struct srd *s, struct srd_queue *q, const struct srd_wr *wr);
bool srd_wr_take(struct srd *s, struct srd_queue *q, struct srd_wr *ret);

/* srd_ah_expect says that a handle will be asked for soon. */
void srd_ah_expect(const struct srd *s, uint32_t number);

/* srd_ah_find is an address handle by number, or NULL. */
struct srd_ah *srd_ah_find(struct srd *s, uint32_t number);

/*
 * srd_ah_post takes a WR that has passed all local checks.
 * Return: false: no memory.
 */
bool srd_ah_post(struct srd *s, struct srd_ah *ah, const struct srd_wr *wr);

/*
 * srd_cancel ends all send WRs of a QP: |flush| gives each its completion.
 * Their PSNs are not sent any more, and LUP passes them.
 */
void srd_cancel(struct srd *s, uint32_t qpn, bool flush);

/* srd_ack takes an answer of the opcode classes of responses. */
void srd_ack(struct srd *s, const struct dgram *d, const struct bth *bth,
	     const struct seth *seth);

/* srd_ack_expect says that an answer will come soon. */
void srd_ack_expect(const struct srd *s, uint32_t scid, uint32_t psn);

void srd_ah_tick(struct srd *s, struct srd_ah *ah);

/* ---- srd_rsp.c ---- */

void srd_ctxs_free(struct srd *s);

/* srd_request_expect says that a request will come soon. */
void srd_request_expect(const struct srd *s, const struct ip_addr *peer,
			uint32_t scid);

/* srd_request takes a request or a SYNC; |len| without the ICRC. */
void srd_request(struct srd *s, const struct dgram *d, size_t len,
		 const struct bth *bth, const struct seth *seth);

#endif
