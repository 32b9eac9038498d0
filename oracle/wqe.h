/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe.h -- an endpoint of RoCEv2 with the WQE extension: every packet of
 * a WQE says which WQE it belongs to (SN), where in it (OFF) and how long that
 * is (LEN), so that the receiver can place what comes out of order, and ask for
 * what is missing alone.
 *
 *	wqe.c      what family.h asks for: life, packets in and out
 *	wqe_qp.c   queue pairs: states, verbs, memory regions, completions
 *	wqe_req.c  the requester: WQEs to packets, answers, selective repeats
 *	wqe_rsp.c  the responder: checks, placement, order
 *	wqe_miss.c what the responder misses, and when it says so
 *	wqe_read.c reads, of both sides
 *	roce.c     the responder of plain RoCEv2, for FAMILY_ROCE
 *
 * The patent gives neither a wire form nor timers: those are this project's
 * own, and every number is a parameter (struct orc_conf).
 *
 * Inside, PSNs have 32 bits, so that nothing here meets the wrap at 2^24.
 *
 * Spec: seed 004; srd_wqe.md B
 */
#ifndef ORACLE_WQE_H
#define ORACLE_WQE_H

#include "base/serial.h"
#include "oracle/env.h"
#include "oracle/idmap.h"
#include "oracle/oracle.h"
#include "oracle/qp.h"
#include "wire/ib.h"

#define WQE_ENTROPY 0xc000 /* UDP source port: one path */
#define WQE_PKEY    0xffff
#define WQE_LIST    64 /* entries of an indication */
#define WQE_READS   16 /* under way at a time, and remembered */

enum wqe_kind {
	WQE_SEND,
	WQE_WRITE,
	WQE_READ,
};

/* A memory region that peers may write: addresses 0 to |len|. */
struct wqe_mr {
	uint64_t rkey;
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
	uint8_t *into;  /* of a read: LEN bytes, */
	uint64_t *here; /* bit i: packet i of the answer is here, */
	uint32_t upto;  /* and all before this one are */
};

/* What the requester knows of a PSN under way. */
struct wqe_sent {
	vtime repeated; /* or asked for, of a read; VTIME_NEVER: not yet */
	bool again;     /* listed, and not on the wire again yet */
};

/* A WQE that the responder has packets of, with the PSNs [base, base + n). */
struct wqe_entry {
	struct wqe_entry *next; /* by PSN */
	uint32_t sn, base, n, len;
	enum wqe_kind kind;
	uint32_t got; /* bits of |map| that are set */
	bool bad_key; /* its address is one that the peer may not write */
	bool with_imm;
	bool taken; /* |recv| is its own */
	uint32_t imm;
	struct recv_wr recv;
	uint8_t *host;  /* where it goes; NULL: not known yet */
	uint8_t *own;   /* a receive buffer, then |host| is that */
	uint8_t *cache; /* LEN bytes until then; or NULL */
	uint64_t map[]; /* bit i: packet i is here */
};

/* A read that the responder has answered, with the PSNs [base, base + n). */
struct wqe_read {
	uint32_t sn, base, n, len;
	const uint8_t *from;
	vtime again_at;  /* since then these packets were brought again: */
	uint64_t *again; /* a bit for each; NULL: no memory, none is */
};

/* PSNs of one WQE, or of none that is known, to be asked for. */
struct wqe_missing {
	bool k; /* |sn| is known */
	bool d; /* they are of a read's answer */
	uint32_t sn;
	uint32_t expected; /* the first that is missing of all */
	uint32_t n;
	uint32_t psn[WQE_LIST];
};

/* What the responder knows of a PSN that is missing. */
struct wqe_gap {
	uint32_t psn;
	vtime since, asked; /* VTIME_NEVER: not yet */
};

/* Plain RoCEv2: the message that is arriving. */
struct roce_msg {
	bool open; /* its last packet is not here */
	enum wqe_kind kind;
	uint32_t first;     /* its first PSN */
	uint32_t room, got; /* bytes */
	uint8_t *at;        /* where it goes; NULL: it has none */
	uint8_t *own;       /* a receive buffer, then |at| is that */
	bool taken;         /* |recv| is its own */
	struct recv_wr recv;
};

struct wqe;

struct wqe_qp {
	struct wqe *w;
	uint32_t qpn, dest_qp;
	struct ip_addr peer;
	enum qp_state state;
	uint32_t depth; /* of each queue */

	struct recv_queue rq;

	/* requester; all that counts packets is a PSN */
	struct wqe_wr *sq; /* likewise a ring, in order */
	uint32_t sq_first, sq_n;
	uint32_t sq_sn;
	uint32_t una;          /* the oldest without an acknowledgement, or
				  without what it reads */
	uint32_t acked;        /* behind what is acknowledged */
	uint32_t next;         /* the next to be sent */
	uint32_t sent_to;      /* and what has been sent at all, up to here */
	uint32_t end;          /* of the last WQE */
	uint32_t listed;       /* PSNs to be sent again */
	struct wqe_sent *sent; /* a ring of a window */
	unsigned retries, rnr_retries;
	vtime rnr_until; /* the peer has no receive before; 0: it has */
	vtime gap_at;    /* when to ask for what a read misses; or NEVER */
	struct timer rto;

	/* responder */
	uint32_t epsn; /* the next that is expected */
	uint32_t msn;  /* SN of the next WQE to complete */
	uint32_t high; /* behind the highest that was received */
	struct wqe_entry *entries;
	uint32_t nentries;
	size_t cached; /* bytes of all caches */
	uint32_t owed; /* behind the highest that asked for an ACK */
	bool rnr;      /* it waits for a receive to be posted */
	bool nak_sent; /* go-back-N: once for a gap */
	vtime heard_at, evicted_at;
	struct wqe_gap *gaps; /* a ring of a window */
	struct timer miss;
	struct roce_msg msg;
	struct wqe_read reads[WQE_READS];
	unsigned nreads; /* all there were */
};

struct wqe {
	struct env env;

	struct wqe_qp **qps; /* NULL: a free place */
	size_t qps_cap, nqps;
	struct idmap by_qpn; /* to an index of qps */
	uint32_t next_qpn;

	struct wqe_mr *mrs;
	size_t mrs_cap, nmrs;

	uint8_t *last; /* the last message received */
	size_t last_len;
};

/* A packet of a WQE, taken apart; |data| is lent. */
struct wqe_pkt {
	struct bth bth;
	struct reth reth;
	struct wqeth x;
	uint32_t psn;  /* 32 bits */
	uint32_t base; /* of its WQE, by OFF */
	uint32_t i, n; /* which of how many packets */
	enum wqe_kind kind;
	bool with_reth, with_imm;
	uint32_t imm;
	const uint8_t *data;
	uint32_t len;
};

/* wqe_packets is how many packets carry |len| bytes: at least one. */
static inline uint32_t wqe_packets(uint32_t len, uint32_t mtu)
{
	return len ? (len - 1) / mtu + 1 : 1;
}

/* wqe_map_words is how many words have a bit for each of |n| packets. */
static inline size_t wqe_map_words(uint32_t n)
{
	return ((size_t)n + 63) / 64;
}

/* wqe_map_has: bit |i| is set; wqe_map_set sets it. */
static inline bool wqe_map_has(const uint64_t *map, uint32_t i)
{
	return map[i / 64] >> (i % 64) & 1;
}

static inline void wqe_map_set(uint64_t *map, uint32_t i)
{
	map[i / 64] |= (uint64_t)1 << (i % 64);
}

/* wqe_wr_at is WQE |i| of the requester, 0 the oldest. */
static inline struct wqe_wr *wqe_wr_at(const struct wqe_qp *qp, uint32_t i)
{
	return &qp->sq[(qp->sq_first + i) % qp->depth];
}

/* wqe_slot is the place of a PSN in the rings of a window. */
static inline size_t wqe_slot(const struct wqe_qp *qp, uint32_t psn)
{
	return psn % qp->w->env.conf.wqe_window;
}

/*
 * wqe_out appends a datagram to a QP's peer and writes its BTH.
 * Return: behind the BTH, |len| bytes to be written; NULL: no memory.
 */
uint8_t *wqe_out(struct wqe_qp *qp, const struct bth *bth, uint32_t len,
		 uint8_t dscp);

/* wqe_addressee is the QP that a packet is for (V1), or NULL after the drop. */
struct wqe_qp *wqe_addressee(struct wqe *w, const struct dgram *d,
			     const struct bth *bth);

/* wqe_is_plain says whether packets are those of plain RoCEv2. */
static inline bool wqe_is_plain(const struct wqe *w)
{
	return w->env.conf.family == FAMILY_ROCE;
}

/* wqe_opcode is an opcode of class RC in the class that is spoken. */
static inline uint8_t wqe_opcode(const struct wqe *w, uint8_t rc)
{
	return wqe_is_plain(w) ? rc : (uint8_t)(rc + IB_WQE_SEND_FIRST);
}

/* ---- wqe_qp.c ---- */

void wqe_qps_free(struct wqe *w);

/* wqe_qp_find is a QP by number, or NULL. */
struct wqe_qp *wqe_qp_find(struct wqe *w, uint32_t qpn);

/* wqe_qp_done ends the oldest WQE of the requester with a completion. */
void wqe_qp_done(struct wqe_qp *qp, enum orc_status status);

/* wqe_qp_fail takes a QP to ERR: all that is posted is flushed. */
void wqe_qp_fail(struct wqe_qp *qp);

/* wqe_mr_at is |len| bytes at |va|; NULL: the peer may not write there. */
uint8_t *wqe_mr_at(struct wqe *w, uint64_t rkey, uint64_t va, uint32_t len);

/* The verbs, as post has them. */
int wqe_qp_create(struct wqe *w, const struct orc_op *op);
int wqe_qp_modify(struct wqe *w, const struct orc_op *op);
int wqe_qp_query(struct wqe *w, const struct orc_op *op);
int wqe_qp_destroy(struct wqe *w, const struct orc_op *op);
int wqe_qp_send(struct wqe *w, const struct orc_op *op);
int wqe_qp_recv(struct wqe *w, const struct orc_op *op);
int wqe_expose(struct wqe *w, const struct orc_op *op);

/* ---- wqe_req.c ---- */

/* wqe_req_pump sends what may be sent now, what was listed first. */
void wqe_req_pump(struct wqe_qp *qp);

/* wqe_req_answer takes an ACK, NAK or indication, |len| bytes at |p|. */
void wqe_req_answer(struct wqe_qp *qp, const struct bth *bth, const uint8_t *p,
		    size_t len);

/* wqe_req_data takes a packet of a read's answer, |len| bytes at |p|. */
void wqe_req_data(struct wqe_qp *qp, const struct bth *bth, const uint8_t *p,
		  size_t len);

void wqe_req_tick(struct wqe_qp *qp);

/* ---- wqe_rsp.c ---- */

/* wqe_rsp_packet takes a packet of a WQE that came from the QP's peer. */
void wqe_rsp_packet(struct wqe_qp *qp, struct wqe_pkt *pkt);

/* wqe_rsp_forget frees all entries and their caches. */
void wqe_rsp_forget(struct wqe_qp *qp);

/* wqe_rsp_count adds the bitmaps of what has begun. */
void wqe_rsp_count(const struct wqe_qp *qp, struct orc_stats *ret);

/* wqe_rsp_has says whether a PSN, not behind |epsn|, was received. */
bool wqe_rsp_has(const struct wqe_qp *qp, uint32_t psn);

/*
 * wqe_rsp_evict gives up the youngest WQE that is cached and of which nothing
 * is acknowledged: its PSNs are missing.  False: there is none.
 */
bool wqe_rsp_evict(struct wqe_qp *qp, uint32_t *ret_base, uint32_t *ret_n);

/* wqe_rsp_entry is the WQE of a PSN, NULL: no packet of it is here. */
struct wqe_entry *wqe_rsp_entry(const struct wqe_qp *qp, uint32_t psn);

/* ---- wqe_miss.c ---- */

/* wqe_miss_note sees to it that PSNs up to |psn| are asked for in time. */
void wqe_miss_note(struct wqe_qp *qp, uint32_t psn);

/* wqe_miss_arm sets the timer anew after something has changed. */
void wqe_miss_arm(struct wqe_qp *qp);

void wqe_miss_tick(struct wqe_qp *qp);

/* wqe_indicate sends an indication; |more| says that others follow. */
void wqe_indicate(struct wqe_qp *qp, const struct wqe_missing *m, bool more);

/* ---- wqe_read.c ---- */

/* wqe_read_opcode is that of packet |i| of the |n| of an answer. */
uint8_t wqe_read_opcode(const struct wqe *w, uint32_t i, uint32_t n);

/* wqe_read_bring answers a read whose turn has come, and remembers it. */
void wqe_read_bring(struct wqe_qp *qp, const struct wqe_entry *e);

/* wqe_read_again answers a copy of one, or of its rest. */
void wqe_read_again(struct wqe_qp *qp, const struct wqe_pkt *pkt);

/* wqe_read_listed brings a packet again that an indication lists. */
void wqe_read_listed(struct wqe_qp *qp, const struct rieth *h, uint32_t psn24);

/* wqe_read_forget frees what is remembered. */
void wqe_read_forget(struct wqe_qp *qp);

/* wqe_read_begin makes room for what will come; false: no memory. */
bool wqe_read_begin(struct wqe *w, struct wqe_wr *wr);

/* wqe_read_end makes it the last message received; wqe_read_drop frees it. */
void wqe_read_end(struct wqe *w, struct wqe_wr *wr);
void wqe_read_drop(struct wqe_wr *wr);

/* wqe_read_take_apart reads the headers of an answer; false: too short. */
bool wqe_read_take_apart(struct wqe_pkt *ret, const struct bth *bth,
			 const uint8_t *p, size_t len, bool plain);

/* wqe_read_put takes a packet that has a PSN of |wr|; false: it is none of its
 * answer, or a copy. */
bool wqe_read_put(struct wqe *w, struct wqe_wr *wr, const struct wqe_pkt *pkt);

/* wqe_read_arrived is behind what is acknowledged and not missing. */
uint32_t wqe_read_arrived(const struct wqe_qp *qp);

/*
 * wqe_read_ask asks for what was passed over and not asked for yet, in all
 * reads; wqe_read_ask_again for all that is missing of one.
 */
void wqe_read_ask(struct wqe_qp *qp);
void wqe_read_ask_again(struct wqe_qp *qp, const struct wqe_wr *wr);

/* ---- roce.c ---- */

/* roce_take takes a packet of plain RoCEv2, |len| bytes without its ICRC. */
void roce_take(struct wqe *w, const struct dgram *d, size_t len);

/* roce_forget frees what there is of a message that has not ended. */
void roce_forget(struct wqe_qp *qp);

#endif
