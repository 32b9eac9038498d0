/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_state.h -- the state of a packet delivery context (PDC): a
 * short connection between one initiator FEP and one target FEP, made on
 * demand.
 *
 * A PDC has two directions with a PSN space each.  At the initiator its source
 * half sends forward requests and its destination half receives return data; at
 * the target it is the other way round.  The halves are the same machines
 * (source/, destination/).
 *
 *    initiator                       target
 *    CREATING    first SYN sent
 *    ESTABLISHED TPDCID known        ESTABLISHED at the first SYN
 *    QUIESCE     a close is wanted; open messages and locks end
 *    ACK_WAIT    no open message; waits for its ACKs
 *    CLOSE_ACK_WAIT Close Command    CLOSING: Close Command received; return
 *                sent                data ends, then the closing ACK
 *    CLOSED      free
 *
 * Spec: UET 3.5.8 (uet.md 6)
 */
#ifndef ORACLE_UET_PDC_PDC_STATE_H
#define ORACLE_UET_PDC_PDC_STATE_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/core/env.h"
#include "oracle/core/inflight.h"
#include "oracle/core/rcvd.h"
#include "oracle/uet/cc/nscc.h"
#include "oracle/uet/cc/paths.h"
#include "oracle/uet/pds_ses.h"
#include "oracle/uet/ses/ses_hdr.h"
#include "wire/dgram.h"
#include "wire/uet/uet_pds.h"

struct pds;
struct pdc;

/* "close the PDC before PSN reaches Start_PSN + 2^31" (uet.md 6.2) */
#define PDC_PSN_RANGE ((uint32_t)1 << 31)

#define MPR_UNIT 128 /* PSNs; pds.mpr counts these (uet.md 6.6) */

enum pdc_state {
	PDC_CLOSED,
	PDC_CREATING,
	PDC_ESTABLISHED,
	PDC_QUIESCE,
	PDC_ACK_WAIT,
	PDC_CLOSE_ACK_WAIT,
	PDC_CLOSING,
	PDC_STATES,
};

enum pdc_role {
	PDC_INITIATOR,
	PDC_TARGET,
};

/* Congestion control of the destination half (cc.h). */
struct cc_dst {
	uint64_t rcvd_bytes; /* sum of nominal sizes of new packets */
	uint32_t credit;     /* credit granted in total, units modulo 2^24 */
	uint32_t wanted;     /* newest credit_target of the source */
	uint32_t turn;       /* RCCC: units of the next grant */
	uint32_t sack_next;  /* ORC_SACK_STEP: first PSN of the next bitmap */
	bool asked;          /* the source counts credit: it asked for some */
	bool requested;      /* RCCC: a Credit Request came since a turn */
	vtime turn_at;       /* RCCC: when it is due; VTIME_NEVER: none */
};

/* Congestion control of the source half (cc.h). */
struct cc_src {
	uint32_t inflight; /* nominal bytes in flight */
	uint32_t cwnd;     /* bytes; 0: the whole window */
	/* value before the destination's penalties; 0: none */
	uint32_t cwnd_saved;
	uint32_t rcvd_bytes; /* last received value */
	uint32_t credit;     /* credit granted in total, units modulo 2^24 */
	uint32_t spent;      /* credit spent in total, units modulo 2^24 */
	uint32_t asked;      /* credit requests since the last grant */
	bool heard;          /* an ACK or NACK has come */
	bool probed;         /* the one Probe of this PDC was sent */
	bool probe_waits;    /* the Probe is unanswered */
	vspan rtt;           /* sample of the current ACK, or NSCC_NO_RTT */
	struct nscc nscc;
	struct paths paths;
	/* rare */
	vtime asked_at; /* when to request credit (again) */
	vtime probe_at; /* when the Probe was sent */
	uint16_t probe_opaque;
};

/* A received request, or a control packet with a PSN, decoded. */
struct pds_rx {
	const struct ip_addr *src; /* lent, like |ses| */
	uint16_t entropy;
	uint8_t native;
	bool ce;    /* ECN says congestion experienced */
	size_t len; /* length without the CRC */
	uint8_t type;
	uint8_t next_hdr; /* next_hdr of a request; NONE: a control packet */
	uint8_t ctl_type;
	bool rod;
	bool retx, ar, syn;
	uint32_t psn;
	uint32_t clear_psn; /* CLEAR_PSN of a request */
	uint16_t spdcid, dpdcid;
	uint16_t psn_offset; /* psn_offset of a SYN */
	uint16_t probe_opaque;
	uint32_t payload; /* payload of a control packet */
	uint8_t trimmed;  /* NACK code of a trimmed packet; 0: not trimmed */
	bool has_target;  /* a CC section set |credit_target| */
	uint32_t credit_target;
	const uint8_t *ses; /* SES header and payload of a request */
	size_t ses_len;
};

/* An ACK, ACK_CC or ACK_CCX, decoded. */
struct pds_ack_rx {
	uint32_t cack_psn;
	uint32_t ack_psn;
	bool p; /* it answers a Probe: there is no ack_psn */
	uint16_t probe_opaque;
	bool m; /* the packet arrived with ECN CE */
	bool retx;
	uint8_t req;
	bool has_cc; /* it has mpr and SACK */
	uint8_t mpr;
	uint32_t sack_psn;
	uint64_t sack_bitmap;
	bool has_nscc, has_credit;
	struct pds_nscc nscc;
	uint32_t credit;
	uint8_t next_hdr;
	const uint8_t *rsp; /* SES response; lent */
	size_t rsp_len;
};

struct pdc_src {
	struct inflight fl;
	uint32_t tx_psn;    /* the next PSN to send for the first time */
	uint32_t cack_psn;  /* newest CACK_PSN received */
	uint32_t mp_range;  /* MP_RANGE of the destination */
	bool clear_due : 1; /* the destination requested a clear */
	bool paused : 1;    /* the SES was paused */
	bool abandoned : 1; /* the PDC has failed: nothing is cleared */
	bool went_back : 1; /* ROD: a go-back to |back_psn| is not complete */
	uint16_t stalls;    /* number of unanswered requests for CACK_PSN */
	struct cc_src cc;

	/* rare */
	/* when a Clear Command is due if the PDC is idle */
	vtime clear_at;
	/* the clear is wanted up to this PSN, if |clear_due| */
	uint32_t clear_asked;
	/* the go-back ends at |back_top|, the last PSN sent then */
	uint32_t back_psn;
	uint32_t back_top;
	vtime back_at;
	vtime stalled_at; /* when to request CACK_PSN; see src_stalled */
};

enum dst_state {
	DST_WITH_SES, /* the SES has not answered yet */
	DST_IN_LINE,  /* ROD: answered; waits for earlier answers */
	DST_STORED,   /* answered; the response is guaranteed and stored */
	DST_SETTLED,  /* answered; nothing is stored */
};

/* A received PSN above CACK_PSN. */
struct dst_pkt {
	vtime arrived;
	uint8_t *rsp; /* stored response; owned by the slot */
	size_t rsp_cap;
	uint16_t rsp_len;
	uint8_t rsp_hdr; /* next_hdr of the response */
	bool rsp_gtd;    /* in line: the response is guaranteed */
	bool rsp_again;  /* stored without its data: the read can run again */
	uint8_t state;   /* enum dst_state */
	bool cp;         /* a control packet: no SES header in the ACK */
	bool retx, m;    /* fields that the ACK echoes */
	bool at_once;    /* the ACK is sent at once */
	bool waits;      /* the ACK waits to be coalesced */
	bool eom;        /* the last packet of its message */
	uint8_t native;
	uint16_t entropy;
	uint16_t len;     /* PDS payload, bytes */
	uint16_t nominal; /* nominal size (cc.h); 0: a control packet */
	struct ses_ids ids;
};

struct dst_ring {
	struct mem_block block;
	size_t cap; /* a power of two */
	bool heap;  /* a slot may have a buffer that mem_bytes_free frees */
	struct dst_pkt pkt[]; /* indexed by PSN */
};

struct pdc_dst {
	uint32_t expected_psn; /* ROD: the next PSN in order */
	uint32_t answer_psn;   /* ROD: the next PSN to answer */
	bool ooo_told;         /* ROD: a NACK was sent for this gap */
	bool took_cp;       /* the last control packet with a PSN is |cp_psn| */
	bool waiting;       /* an ACK waits, even if a later one left */
	uint32_t cp_psn;    /* PSN of that packet */
	uint32_t nwith_ses; /* requests that the SES has not answered */
	uint32_t inferred;  /* the highest PSN inferred to be lost */
	uint32_t clear_psn; /* the highest CLEAR_PSN received */
	uint32_t ack_gen_count; /* bytes since the last ACK */
	uint32_t unacked;       /* packets since the last ACK */
	uint32_t nstored;       /* stored guaranteed responses */
	struct cc_dst cc;
	/* pdc_update reads |turn_at|, and these */
	vtime ask_clear_at;    /* when to ask for a clear; VTIME_NEVER: not */
	struct dst_ring *ring; /* NULL: nothing is received beyond CACK_PSN */
	struct rcvd rcvd;
};

/* The calls that a PDC makes of the PDS that owns it. */
struct pdc_owner {
	/*
	 * bind makes the PDC findable by {source IP, the peer's PDCID}.
	 * Return: false if there is no memory.
	 */
	bool (*bind)(struct pds *pds, struct pdc *pdc);

	/* release frees the PDC; its memory is kept for the next one. */
	void (*release)(struct pds *pds, struct pdc *pdc);

	/*
	 * short_for_req returns the NACK code for a request that exceeds a
	 * resource limit; 0 if there is room.
	 */
	uint8_t (*short_for_req)(const struct pds *pds);
};

/*
 * With many PDCs a packet costs what the cache lines of its PDC cost, which no
 * packet before it has fetched.  So the members stand by their use: those that
 * only a request that arrives needs, those that every packet needs, those that
 * sending and ACKs need, and the rare ones.  pdc_expect_rx prefetches the first
 * two of these, pdc_expect_tx the second and the third.
 */
struct pdc {
	alignas(CACHE_LINE) struct pdc_dst dst;

	struct env *env;
	const struct pds_ses *ses;
	struct timer timer;
	enum pdc_state state;
	enum pdc_role role;
	vtime idle_at;    /* when it has been idle too long */
	vtime give_up_at; /* target: end of Close_REQ_Time */
	uint32_t start_psn;
	uint32_t fep;    /* number of the peer, pds_fep */
	uint16_t spdcid; /* our PDCID, sent as spdcid */
	uint16_t dpdcid; /* the peer's PDCID; 0: not known yet */
	struct ip_addr peer;
	uint8_t native;
	uint16_t entropy;
	bool rod; /* mode, constant for the PDC; else RUD */
	/* initiator: the target wants a close, or idle for too long */
	bool close_wanted;
	bool close_asked; /* target: ACKs carry REQ_CLOSE */
	bool gave_up;     /* target: no reaction; close in error */
	bool msg_open;    /* a message is between som and eom */
	bool is_ready;
	uint16_t open_msg_id; /* message while |msg_open| */
	struct pdc **ring;    /* the PDCs that are ready to send (pdc_ring.h) */
	struct pdc *ready_prev, *ready_next; /* neighbours in |ring| */
	struct pds *pds; /* the owner, for the calls of |owner| */
	const struct pdc_owner *owner;
	struct ses_context context; /* context of its packets (table 3-26) */
	/* calls of lock_pdc minus those of ses_pds_unlock */
	unsigned locks;
	uint32_t path; /* packets sent by paths in turn */

	struct pdc_src src;

	/* rare */
	/* next initiator PDC to the same peer; or next in the free list */
	struct pdc *fep_next;
	uint32_t close_psn;  /* PSN of the Close Command */
	unsigned renumbered; /* number of renumberings */
	/* last PSN of the PDC that had this PDCID before */
	uint32_t last_psn;
};

#define PDC_TX_AT  offsetof(struct pdc, dst.cc.turn_at)
#define PDC_RX_END offsetof(struct pdc, src.cc)
#define PDC_TX_END offsetof(struct pdc, src.cc.paths.rests[1])

static_assert(PDC_TX_AT / CACHE_LINE == 1 && PDC_RX_END <= 5 * CACHE_LINE &&
		      PDC_TX_END <= 8 * CACHE_LINE,
	      "five cache lines for a request, seven to send or for an ACK");

/* pdc_expect_rx prefetches a PDC for a request that arrives. */
FETCHES pdc_expect_rx(const struct pdc *pdc)
{
	mem_expect(pdc, PDC_RX_END);
}

/* pdc_expect_tx prefetches a PDC that sends, or for an ACK that arrives. */
FETCHES pdc_expect_tx(const struct pdc *pdc)
{
	mem_expect((const char *)pdc + PDC_TX_AT, PDC_TX_END - PDC_TX_AT);
}

/* pdc_state_name returns the name of a state for EV_PDC.  Static storage. */
const char *pdc_state_name(enum pdc_state state);

/* pdc_enter changes the state and reports it with EV_PDC. */
void pdc_enter(struct pdc *pdc, enum pdc_state state);

/* pdc_mode returns the delivery mode, as the SES names it. */
enum op_mode pdc_mode(const struct pdc *pdc);

/*
 * pdc_tells_mode returns true for control packets that carry isrod (uet.md
 * 2.3).
 */
bool pdc_tells_mode(uint8_t ctl_type);

/* pdc_want_close begins a regular close at the initiator. */
void pdc_want_close(struct pdc *pdc);

/* pdc_bind, pdc_release and pdc_short_for_req are the calls of the owner. */
bool pdc_bind(struct pdc *pdc);
void pdc_release(struct pdc *pdc);
uint8_t pdc_short_for_req(const struct pdc *pdc);

#endif
