/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/pdc.h -- a packet delivery context: a short connection between one
 * initiator FEP and one target FEP, made on demand.
 *
 * A PDC has two directions with a PSN space each.  At the initiator its source
 * half sends forward requests and its destination half receives return data; at
 * the target it is the other way round.  The halves are the same machines
 * (pdc_src.c, pdc_dst.c); this file holds what is common: identity and life.
 *
 *	initiator                       target
 *	CREATING    first SYN sent
 *	ESTABLISHED TPDCID known        ESTABLISHED at the first SYN
 *	QUIESCE     a close is wanted; open messages and locks end
 *	ACK_WAIT    no open message; waits for its ACKs
 *	CLOSE_ACK_WAIT Close Command    CLOSING: Close Command received; return
 *	            sent                data ends, then the closing ACK
 *	CLOSED      free
 *
 * Spec: UET 3.5.8 (uet.md 6)
 */
#ifndef ORACLE_PDC_H
#define ORACLE_PDC_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/env.h"
#include "oracle/pdc_dst.h"
#include "oracle/pdc_src.h"
#include "oracle/pds_ses.h"

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
	bool rod;        /* its mode, for life; else RUD */
	uint16_t spdcid; /* ours; what we send as spdcid */
	uint16_t dpdcid; /* the peer's; 0: not known yet */
	uint32_t fep;    /* the peer, pds_fep */
	struct ip_addr peer;
	uint16_t entropy;
	uint8_t native;
	uint32_t start_psn;
	unsigned renumbered; /* how often */
	uint32_t last_psn;   /* of the PDC that had this PDCID before */

	struct ses_context context; /* of its packets (table 3-26) */
	bool msg_open;              /* between som and eom */
	uint16_t open_msg_id;       /* of which message */
	unsigned locks;             /* lock_pdc less ses_pds_unlock */
	bool close_wanted;  /* initiator: by the target, or after idling */
	bool close_asked;   /* target: ACKs say REQ_CLOSE */
	bool gave_up;       /* target: nobody answered; close in error */
	uint32_t close_psn; /* of the Close Command */
	vtime idle_at;      /* initiator: when idling has lasted too long */
	vtime give_up_at;   /* target: end of Close_REQ_Time */

	struct pdc *ready_prev, *ready_next; /* pds->ready */
	bool is_ready;
	struct pdc *fep_next; /* initiator PDCs to one peer; or the free list */

	struct pdc_src src;
	struct pdc_dst dst;
};

/* pdc_start begins a PDC. */
void pdc_start(struct pdc *pdc, enum pdc_role role, uint32_t start_psn);

/* pdc_learn takes the peer's PDCID from the first packet that says it. */
void pdc_learn(struct pdc *pdc, uint16_t dpdcid);

/* pdc_rx_cp takes a control packet that belongs to this PDC. */
void pdc_rx_cp(struct pdc *pdc, const struct pds_rx *rx);

/* pdc_rx_cp_delivered: one that takes a PSN passed the destination half. */
void pdc_rx_cp_delivered(struct pdc *pdc, const struct pds_rx *rx);

/* pdc_is_idle: an initiator's, with nothing under way and no message open. */
bool pdc_is_idle(const struct pdc *pdc);

/* pdc_want_close begins to end a PDC in peace; the initiator's part. */
void pdc_want_close(struct pdc *pdc);

/*
 * pdc_ask_close asks the initiator to do that; the target's part: with a Close
 * Request, in its ACKs, or both.
 */
void pdc_ask_close(struct pdc *pdc, enum op_close how);

/* pdc_mode is the delivery mode, as the SES names it. */
enum op_mode pdc_mode(const struct pdc *pdc);

/* pdc_tells_mode says whether such a control packet has isrod (uet.md 2.3). */
bool pdc_tells_mode(uint8_t ctl_type);

/* pdc_state_name is the name of a state, as EV_PDC gives it.  Static storage.
 */
const char *pdc_state_name(enum pdc_state state);

/* pdc_enter changes the state and tells the driver. */
void pdc_enter(struct pdc *pdc, enum pdc_state state);

/* pdc_takes says whether a new packet of |msg_id| may go on this PDC. */
bool pdc_takes(const struct pdc *pdc, bool som, uint16_t msg_id);

/*
 * pdc_fail ends a PDC in error: every packet without a response fails.  Where
 * |tell| and the peer is known, a Close Command comes last.
 */
void pdc_fail(struct pdc *pdc, struct pds_error err, bool tell);

/* pdc_renumber takes a NACK NEW_START_PSN (pdc_renumber.c). */
void pdc_renumber(struct pdc *pdc, const struct pds_nack *nack);

/* pdc_tick lets what is due happen. */
void pdc_tick(struct pdc *pdc);

/*
 * pdc_update follows every call that may have changed the PDC: it takes the
 * next step of a close, joins or leaves the ready list and sets the timer.
 */
void pdc_update(struct pdc *pdc);

/*
 * pdc_put_cp sends a control packet that takes no PSN: |h| with type and PDCIDs
 * filled in, and a payload.
 */
void pdc_put_cp(struct pdc *pdc, const struct pds_cp *h, uint32_t payload);

/* pdc_send_cp sends a control packet that takes no PSN. */
void pdc_send_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t psn,
		 uint32_t payload);

#endif
