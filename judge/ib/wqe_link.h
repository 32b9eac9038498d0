/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/wqe_link.h -- the state of a connection of the WQE extension and of
 * its PSNs.
 */
#ifndef JUDGE_IB_WQE_LINK_H
#define JUDGE_IB_WQE_LINK_H

#include "judge/ib/ib.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"

enum {
	WQE_LINKS = 64, /* most connections at a time */
	/* PSNs remembered for each connection; a power of 2 */
	WQE_WINDOW = 4096,
};

/* This bit is set in the numbers of connections, which are flows as well. */
#define WQE_FLOW 0x40000000u

/* The state of a PSN: the packet that was first sent with it. */
struct wqe_psn {
	/* |number| of the connection; if it differs, the slot holds no state */
	uint32_t number;
	uint32_t psn, frame;
	uint32_t last;  /* frame of the last transmission */
	uint32_t asked; /* frame of the last answer that requested it */
	struct wqeth x;
	uint32_t len; /* payload length */
	uint8_t opcode;
	bool ends;    /* last packet of its WQE */
	bool read;    /* a packet of the answer to a read */
	bool brought; /* the responder sent that packet */
	bool torn;    /* two transmissions of it differ */
	bool open;    /* a read with an unknown number of PSNs */
	bool listed;  /* requested, and not retransmitted since */
	/* requested, and the sender has no excuse for not sending it */
	bool due;
	bool again; /* it was retransmitted */
	vtime again_at;
	vtime acked_at; /* time of the ACK, valid if una is above it */
};

struct wqe_link {
	bool acked;          /* |una| comes from an answer */
	uint32_t low;        /* the first PSN that was seen */
	uint32_t next;       /* the highest PSN sent + 1 */
	uint32_t una;        /* the oldest unacknowledged PSN */
	uint32_t listed;     /* number of PSNs that are |due| */
	uint32_t mtu;        /* 0: unknown */
	bool back;           /* a NAK requires the sender to go back */
	uint32_t back_psn;   /* PSN to go back to */
	uint32_t back_frame; /* frame of the NAK */
	bool back_gap;       /* the NAK reports exactly that PSN as missing */
};

struct wqe_seen {
	struct ib_flows flows;
	struct wqe_link link[WQE_LINKS];
	struct wqe_psn psns[WQE_LINKS][WQE_WINDOW];
};

/* A packet and its parsed headers. */
struct wqe_item {
	struct ib_item ib;
	struct wqe_link *c;
	struct wqe_psn *psns; /* the PSNs of the connection */
	struct bth bth;
	struct wqeth x;
	struct aeth aeth;
	struct rieth rieth;
	bool read;    /* the packet is a read request */
	bool data;    /* the packet carries read data */
	bool misses;  /* the packet lists missing read data */
	uint32_t len; /* payload length */
	uint32_t psn; /* extended to 32 bits */
};

/*
 * wqe_seen_new allocates the connections; memory_free() frees them.  Errors:
 * ERR_NOMEM.
 */
int wqe_seen_new(void **ret, enum family family);

/*
 * wqe_seen_frame returns the last transmission of a PSN, of 24 bits or more, in
 * the connection of the packet judged last; 0 if none is remembered.
 */
uint32_t wqe_seen_frame(const void *state, uint32_t psn);

/*
 * wqe_link_find finds the connection of a packet, or begins one for a request,
 * and fills |x|.  Return: false if there is none.
 */
bool wqe_link_find(struct wqe_seen *s, struct wqe_item *x);

/*
 * wqe_link_learn_mtu learns the MTU from a packet: every packet of a message
 * except the last has the full MTU.
 */
void wqe_link_learn_mtu(const struct wqe_item *x);

/*
 * wqe_link_midstream marks a flow as midstream: its assumed beginning was
 * wrong.
 */
void wqe_link_midstream(struct wqe_item *x);

/* wqe_link_psn returns the state of a PSN; NULL if it is unknown. */
static inline struct wqe_psn *wqe_link_psn(const struct wqe_item *x,
					   uint32_t psn)
{
	struct wqe_psn *k = &x->psns[psn & (WQE_WINDOW - 1)];

	if (k->number == x->ib.f->number && k->psn == psn)
		return k;
	return NULL;
}

/*
 * wqe_link_takes returns the number of PSNs that a packet uses; a read may use
 * many. 0: the number is unknown.
 */
uint32_t wqe_link_takes(const struct wqe_item *x);

/* wqe_link_add adds the |n| PSNs that a packet uses; 0: unknown, at least 1. */
void wqe_link_add(const struct wqe_item *x, uint32_t n);

/* wqe_link_again records that a PSN was retransmitted. */
void wqe_link_again(const struct wqe_item *x, struct wqe_psn *k);

#endif
