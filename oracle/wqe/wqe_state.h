/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_state.h -- the state of an endpoint of RoCEv2 with the WQE
 * extension.  Every packet of a WQE carries the number of its WQE (SN), its
 * place in that WQE (OFF) and the length of the WQE (LEN).  The receiver can
 * therefore place packets that arrive out of order, and request only the
 * missing packets.
 *
 * The patent gives neither a wire format nor timers: those are this project's
 * own, and every number is a parameter (struct orc_conf).
 *
 * PSNs have 32 bits in this state, so that no code here meets the wrap at 2^24.
 *
 * Spec: seed 004; srd_wqe.md B
 */
#ifndef ORACLE_WQE_WQE_STATE_H
#define ORACLE_WQE_WQE_STATE_H

#include "base/serial.h"
#include "oracle/core/env.h"
#include "oracle/core/family.h"
#include "oracle/core/idmap.h"
#include "oracle/core/qp.h"
#include "oracle/oracle.h"
#include "wire/ib/ib.h"

#define WQE_ENTROPY 0xc000 /* UDP source port: one path */
#define WQE_PKEY    0xffff
#define WQE_LIST    64 /* entries of an indication */
#define WQE_READS   16 /* reads in flight, and remembered by the responder */

enum wqe_kind {
	WQE_SEND,
	WQE_WRITE,
	WQE_READ,
};

/* A memory region that peers may write: |len| bytes from address |start| on. */
struct wqe_mr {
	uint64_t rkey, start;
	uint8_t *p;
	size_t len;
};

/* A WQE of the requester, with the PSNs [base, base + n). */
struct wqe_wr {
	uint32_t handle, len, rkey, imm;
	uint64_t va;
	uint32_t sn, base, n;
	enum wqe_kind kind;
	bool with_imm;
	uint8_t *into;  /* reads: LEN bytes of data */
	uint64_t *here; /* reads: bit i: packet i of the answer has arrived */
	uint32_t upto;  /* reads: all packets before this one have arrived */
};

/* The requester's state of a PSN in flight. */
struct wqe_sent {
	/*
	 * last retransmission, or request of a read's data; VTIME_NEVER: none
	 */
	vtime repeated;
	bool again; /* listed, and not retransmitted yet */
};

/*
 * A WQE with received packets at the responder, with the PSNs [base, base + n).
 */
struct wqe_entry {
	struct wqe_entry *next; /* next by PSN */
	uint32_t sn, base, n, len;
	enum wqe_kind kind;
	uint32_t got; /* bits of |map| that are set */
	bool bad_key; /* the peer may not write to the address of this WQE */
	bool with_imm;
	bool taken; /* |recv| belongs to this WQE */
	uint32_t imm;
	struct recv_wr recv;
	uint8_t *host;  /* destination of the data; NULL: not known yet */
	uint8_t *own;   /* receive buffer, to which |host| points; or NULL */
	uint8_t *cache; /* LEN bytes while |host| is NULL; or NULL */
	uint64_t map[]; /* bit i: packet i has arrived */
};

/* A read that the responder has answered, with the PSNs [base, base + n). */
struct wqe_read {
	uint32_t sn, base, n, len;
	const uint8_t *from;
	vtime again_at; /* when packets were last retransmitted */
	/*
	 * bit i: packet i was retransmitted since; NULL: none was, or no memory
	 */
	uint64_t *again;
};

/* Missing PSNs of one WQE, or of an unknown one, to be requested. */
struct wqe_missing {
	bool k; /* |sn| is known */
	bool d; /* PSNs of a read's answer */
	uint32_t sn;
	uint32_t expected; /* the first of all missing PSNs */
	uint32_t n;
	uint32_t psn[WQE_LIST];
};

/* The responder's state of a missing PSN. */
struct wqe_gap {
	/* time of the gap and of the last request; VTIME_NEVER: none */
	vtime since, asked;
};

/* Plain RoCEv2: the message that is being received. */
struct roce_msg {
	bool open; /* its last packet has not arrived */
	enum wqe_kind kind;
	uint32_t first;     /* first PSN of the message */
	uint32_t room, got; /* bytes expected and received */
	uint8_t *at;        /* destination of the data; NULL: none */
	uint8_t *own;       /* receive buffer, to which |at| points; or NULL */
	bool taken;         /* |recv| belongs to this message */
	struct recv_wr recv;
};

struct wqe;

struct wqe_qp {
	struct wqe *w;
	uint32_t qpn, dest_qp;
	struct ip_addr peer;
	enum qp_state state;
	uint32_t depth; /* WRs of each queue */

	struct recv_queue rq;

	/* requester; all counts of packets are PSNs */
	struct wqe_wr *sq; /* a ring of WQEs, in order */
	uint32_t sq_first, sq_n;
	uint32_t sq_sn;
	/* oldest PSN not acknowledged, or without its read data */
	uint32_t una;
	uint32_t acked;        /* the PSN behind the acknowledged ones */
	uint32_t next;         /* the next PSN to send */
	uint32_t sent_to;      /* the PSN behind all that were ever sent */
	uint32_t end;          /* the PSN behind the last WQE */
	uint32_t listed;       /* number of PSNs to retransmit */
	struct wqe_sent *sent; /* a ring of one window */
	unsigned retries, rnr_retries;
	vtime rnr_until; /* the peer has no receive before this time; 0: it has
			    one */
	vtime gap_at;    /* when to request missing read data; or VTIME_NEVER */
	struct timer rto;

	/* responder */
	uint32_t epsn; /* the next expected PSN */
	uint32_t msn;  /* SN of the next WQE to complete */
	uint32_t high; /* the PSN behind the highest received one */
	struct wqe_entry *entries;
	uint32_t nentries;
	size_t cached; /* bytes of all caches */
	uint32_t owed; /* the PSN after the highest one that requested an ACK */
	bool rnr;      /* waits until a receive is posted */
	bool nak_sent; /* go-back-N: the NAK of this gap was sent */
	vtime heard_at, evicted_at;
	struct wqe_gap *gaps; /* a ring of one window */
	uint32_t gaps_end;    /* the PSN behind the last one with a gap there */
	struct timer miss;
	struct roce_msg msg;
	struct wqe_read reads[WQE_READS];
	unsigned nreads; /* reads answered so far */
};

struct wqe {
	struct env env;

	struct wqe_qp **qps; /* NULL: a free slot */
	size_t qps_cap, nqps;
	struct idmap by_qpn; /* maps a QPN to an index of qps */
	uint32_t next_qpn;

	struct wqe_mr *mrs;
	size_t mrs_cap, nmrs;

	uint8_t *last; /* the last message received */
	size_t last_len;
};

/* A parsed packet of a WQE; |data| is lent. */
struct wqe_pkt {
	struct bth bth;
	struct reth reth;
	struct wqeth x;
	uint32_t psn;  /* extended to 32 bits */
	uint32_t base; /* first PSN of its WQE, by OFF */
	uint32_t i, n; /* index of the packet, and number of packets */
	enum wqe_kind kind;
	bool with_reth, with_imm;
	uint32_t imm;
	const uint8_t *data;
	uint32_t len;
};

/* wqe_packets returns how many packets carry |len| bytes: at least one. */
static inline uint32_t wqe_packets(uint32_t len, uint32_t mtu)
{
	return len ? (len - 1) / mtu + 1 : 1;
}

/* wqe_map_words returns how many words have a bit for each of |n| packets. */
static inline size_t wqe_map_words(uint32_t n)
{
	return ((size_t)n + 63) / 64;
}

/* wqe_map_has returns bit |i|; wqe_map_set sets it. */
static inline bool wqe_map_has(const uint64_t *map, uint32_t i)
{
	return map[i / 64] >> (i % 64) & 1;
}

static inline void wqe_map_set(uint64_t *map, uint32_t i)
{
	map[i / 64] |= (uint64_t)1 << (i % 64);
}

/* wqe_wr_at returns WQE |i| of the requester, 0 is the oldest. */
static inline struct wqe_wr *wqe_wr_at(const struct wqe_qp *qp, uint32_t i)
{
	return &qp->sq[(qp->sq_first + i) % qp->depth];
}

/* wqe_slot returns the slot of a PSN in the rings of a window. */
static inline size_t wqe_slot(const struct wqe_qp *qp, uint32_t psn)
{
	return psn % qp->w->env.conf.wqe_window;
}

/* wqe_is_plain returns true for endpoints of plain RoCEv2. */
static inline bool wqe_is_plain(const struct wqe *w)
{
	return w->env.family == &family_roce;
}

/* wqe_opcode converts an opcode of class RC to the class of this endpoint. */
static inline uint8_t wqe_opcode(const struct wqe *w, uint8_t rc)
{
	return wqe_is_plain(w) ? rc : (uint8_t)(rc + IB_WQE_SEND_FIRST);
}

#endif
