/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/pdc_src.h -- the half of a PDC that sends requests: forward requests
 * at the initiator, return data at the target.
 *
 * It gives each packet its PSN, keeps it until its response is there, sends it
 * again when the RTO or a NACK says so, and tells the destination with every
 * request which responses it has: CLEAR_PSN, the highest PSN such that the SES
 * has the responses of all PSNs up to it.  A PSN that only a SACK bit covers is
 * not cleared: its response may be guaranteed and still on the way; the RTO
 * then asks for it with an ACK Request instead of sending the data again.
 *
 * In RUD each packet is on its own.  In ROD the destination takes packets in
 * order alone, so that a loss is repaired by Go-Back-N: the first missing one
 * and all that were sent after it go once more, in order, and nothing new goes
 * before them.  Only the oldest packet waits for its RTO then.
 *
 * Spec: UET 3.5.11, 3.5.15, 3.5.16.3 (uet.md 6.6, 7.2, 7.3, 8)
 */
#ifndef ORACLE_PDC_SRC_H
#define ORACLE_PDC_SRC_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/cc.h"
#include "oracle/inflight.h"
#include "oracle/pds_ses.h"
#include "wire/dgram.h"
#include "wire/uet_pds.h"

struct pdc;

/* An ACK, ACK_CC or ACK_CCX, decoded. */
struct pds_ack_rx {
	uint32_t cack_psn;
	uint32_t ack_psn;
	bool p; /* answers a Probe: there is no ack_psn */
	uint16_t probe_opaque;
	bool retx;
	uint8_t req;
	bool has_cc; /* there are mpr and SACK */
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
	uint32_t tx_psn;   /* the next to be sent for the first time */
	uint32_t cack_psn; /* the newest heard */
	uint32_t mp_range; /* of the destination */
	struct cc_src cc;

	bool clear_due;       /* the destination asked for a clear */
	uint32_t clear_asked; /* up to here */
	vtime clear_at;       /* when a Clear Command is due if all is idle */
	bool paused;          /* the SES was told to wait */
	bool abandoned;       /* the PDC has failed: nothing is cleared */
	bool went_back;       /* ROD: to |back_psn|; not all is back yet that */
	uint32_t back_psn;    /* had been sent then, up to |back_top| */
	uint32_t back_top;
	vtime back_at;
	vtime stalled_at; /* when to ask for CACK_PSN; see src_stalled */
	unsigned stalls;  /* how often that was done in vain */
};

/* src_init starts the PSN space: the first request is |start_psn|. */
void src_init(struct pdc *pdc, uint32_t start_psn);

/* src_clear_psn is CLEAR_PSN now. */
uint32_t src_clear_psn(const struct pdc *pdc);

/* src_has_room says whether the window takes one more packet. */
bool src_has_room(const struct pdc *pdc);

/*
 * src_add takes a packet of the SES.
 * Return: 0 and *ret_psn; ERR_NOMEM.
 */
int src_add(struct pdc *pdc, const struct ses_tx *tx, uint32_t *ret_psn);

/*
 * src_add_cp takes a control packet that uses a PSN.
 * Return: 0 and *ret_psn; ERR_NOMEM.
 */
int src_add_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t *ret_psn);

/*
 * src_add_negotiation takes a Negotiation; |features| not 0: with the payload
 * of 1.0.3.
 * Return: 0; ERR_NOMEM.
 */
int src_add_negotiation(struct pdc *pdc, uint32_t features);

/* src_ask_ack sends an ACK Request for a PSN of this direction. */
void src_ask_ack(struct pdc *pdc, uint32_t psn);

/* src_ready says whether src_poll would send something. */
bool src_ready(const struct pdc *pdc);

/* src_idle says whether nothing waits to be sent or to be acknowledged. */
bool src_idle(const struct pdc *pdc);

/* src_waits says whether there is a packet that the window would let go. */
bool src_waits(const struct pdc *pdc);

/* src_poll writes the next packet; false: there is none. */
bool src_poll(struct pdc *pdc, struct dgram *ret);

/* src_rx_ack takes an ACK of this direction. */
void src_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack);

/* src_rx_nack takes a NACK of this direction. */
void src_rx_nack(struct pdc *pdc, const struct pds_nack *nack);

/* src_want_clear notes that the destination wants a Clear at once. */
void src_want_clear(struct pdc *pdc);

/* src_tick lets what is due happen; false: the PDC has ended. */
bool src_tick(struct pdc *pdc);

vtime src_deadline(const struct pdc *pdc);

/* src_abandon ends all packets with an error to the SES. */
void src_abandon(struct pdc *pdc, struct pds_error err);

#endif
