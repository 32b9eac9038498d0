/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pdc.h -- a packet delivery context: a short connection between
 * one initiator FEP and one target FEP, made on demand.
 *
 * A PDC has two directions with a PSN space each.  At the initiator its source
 * half sends forward requests and its destination half receives return data; at
 * the target it is the other way round.  The halves are the same machines
 * (pdc_src.c, pdc_dst.c); this file holds their common part: identity and
 * states.
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
#ifndef ORACLE_UET_PDS_PDC_H
#define ORACLE_UET_PDS_PDC_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/core/env.h"
#include "oracle/uet/pds/pdc_dst.h"
#include "oracle/uet/pds/pdc_src.h"
#include "oracle/uet/ses/pds_ses.h"

struct pds;

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

struct pdc {
	struct pds *pds;
	struct env *env;
	struct timer timer;

	enum pdc_state state;
	enum pdc_role role;
	bool rod;        /* mode, constant for the PDC; else RUD */
	uint16_t spdcid; /* our PDCID, sent as spdcid */
	uint16_t dpdcid; /* the peer's PDCID; 0: not known yet */
	uint32_t fep;    /* number of the peer, pds_fep */
	struct ip_addr peer;
	uint16_t entropy;
	uint8_t native;
	uint32_t start_psn;
	unsigned renumbered; /* number of renumberings */
	/* last PSN of the PDC that had this PDCID before */
	uint32_t last_psn;

	struct ses_context context; /* context of its packets (table 3-26) */
	bool msg_open;              /* a message is between som and eom */
	uint16_t open_msg_id;       /* message while |msg_open| */
	/* calls of lock_pdc minus those of ses_pds_unlock */
	unsigned locks;
	/* initiator: the target wants a close, or idle for too long */
	bool close_wanted;
	bool close_asked;   /* target: ACKs carry REQ_CLOSE */
	bool gave_up;       /* target: no reaction; close in error */
	uint32_t close_psn; /* PSN of the Close Command */
	vtime idle_at;      /* initiator: when it has been idle too long */
	vtime give_up_at;   /* target: end of Close_REQ_Time */

	struct pdc *ready_prev, *ready_next; /* neighbours in pds->ready */
	bool is_ready;
	/* next initiator PDC to the same peer; or next in the free list */
	struct pdc *fep_next;

	struct pdc_src src;
	struct pdc_dst dst;
};

/* pdc_start initialises a PDC. */
void pdc_start(struct pdc *pdc, enum pdc_role role, uint32_t start_psn);

/* pdc_learn takes the peer's PDCID from the first packet that carries it. */
void pdc_learn(struct pdc *pdc, uint16_t dpdcid);

/* pdc_rx_cp processes a control packet of this PDC. */
void pdc_rx_cp(struct pdc *pdc, const struct pds_rx *rx);

/*
 * pdc_rx_cp_delivered processes a control packet with a PSN after the
 * destination half took it.
 */
void pdc_rx_cp_delivered(struct pdc *pdc, const struct pds_rx *rx);

/*
 * pdc_is_idle returns true for an initiator's PDC with nothing in flight and no
 * open message.
 */
bool pdc_is_idle(const struct pdc *pdc);

/* pdc_want_close begins a regular close at the initiator. */
void pdc_want_close(struct pdc *pdc);

/*
 * pdc_ask_close requests a close at the target: with a Close Request, in its
 * ACKs, or both.
 */
void pdc_ask_close(struct pdc *pdc, enum op_close how);

/* pdc_mode returns the delivery mode, as the SES names it. */
enum op_mode pdc_mode(const struct pdc *pdc);

/*
 * pdc_tells_mode returns true for control packets that carry isrod (uet.md
 * 2.3).
 */
bool pdc_tells_mode(uint8_t ctl_type);

/* pdc_state_name returns the name of a state for EV_PDC.  Static storage. */
const char *pdc_state_name(enum pdc_state state);

/* pdc_enter changes the state and reports it to the driver. */
void pdc_enter(struct pdc *pdc, enum pdc_state state);

/* pdc_takes returns true if a new packet of |msg_id| may use this PDC. */
bool pdc_takes(const struct pdc *pdc, bool som, uint16_t msg_id);

/*
 * pdc_fail ends a PDC in error: every packet without a response fails.  If
 * |tell|, and the peer is known, it sends a Close Command last.
 */
void pdc_fail(struct pdc *pdc, struct pds_error err, bool tell);

/* pdc_renumber handles a NACK NEW_START_PSN (pdc_renumber.c). */
void pdc_renumber(struct pdc *pdc, const struct pds_nack *nack);

/* pdc_tick does everything that is due. */
void pdc_tick(struct pdc *pdc);

/*
 * pdc_update follows every call that may have changed the PDC: it takes the
 * next step of a close, joins or leaves the ready list and sets the timer.
 */
void pdc_update(struct pdc *pdc);

/*
 * pdc_put_cp sends a control packet without a PSN: |h| with type and PDCIDs
 * filled in, and a payload.
 */
void pdc_put_cp(struct pdc *pdc, const struct pds_cp *h, uint32_t payload);

/* pdc_send_cp sends a control packet without a PSN. */
void pdc_send_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t psn,
		 uint32_t payload);

#endif
