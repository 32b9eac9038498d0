/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pdc_src.h -- the half of a PDC that sends requests: forward
 * requests at the initiator, return data at the target.
 *
 * It gives each packet its PSN, keeps it until its response arrives, and
 * retransmits it after an RTO or a NACK.  Every request carries CLEAR_PSN, the
 * highest PSN such that the SES has the responses of all PSNs up to it.  A PSN
 * that only a SACK bit covers is not cleared: its response may be guaranteed
 * and still on the way; the RTO then requests the response with an ACK Request
 * instead of retransmitting the data.
 *
 * In RUD packets are independent.  In ROD the destination accepts packets only
 * in order, so that a loss is repaired by Go-Back-N: the first missing packet
 * and all later ones are retransmitted in order, before any new packet.  Only
 * the oldest packet waits for its RTO then.
 *
 * Spec: UET 3.5.11, 3.5.15, 3.5.16.3 (uet.md 6.6, 7.2, 7.3, 8)
 */
#ifndef ORACLE_UET_PDS_PDC_SRC_H
#define ORACLE_UET_PDS_PDC_SRC_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/core/inflight.h"
#include "oracle/uet/pds/cc.h"
#include "oracle/uet/ses/pds_ses.h"
#include "wire/dgram.h"
#include "wire/uet/uet_pds.h"

struct pdc;

/* An ACK, ACK_CC or ACK_CCX, decoded. */
struct pds_ack_rx {
	uint32_t cack_psn;
	uint32_t ack_psn;
	bool p; /* it answers a Probe: there is no ack_psn */
	uint16_t probe_opaque;
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
	uint32_t tx_psn;   /* the next PSN to send for the first time */
	uint32_t cack_psn; /* newest CACK_PSN received */
	uint32_t mp_range; /* MP_RANGE of the destination */
	struct cc_src cc;

	bool clear_due;       /* the destination requested a clear */
	uint32_t clear_asked; /* up to this PSN */
	/* when a Clear Command is due if the PDC is idle */
	vtime clear_at;
	bool paused;    /* the SES was paused */
	bool abandoned; /* the PDC has failed: nothing is cleared */
	bool went_back; /* ROD: a go-back to |back_psn| is not complete */
	/* it ends at |back_top|, the last PSN sent then */
	uint32_t back_psn;
	uint32_t back_top;
	vtime back_at;
	vtime stalled_at; /* when to request CACK_PSN; see src_stalled */
	unsigned stalls;  /* number of unanswered requests for CACK_PSN */
};

/* src_init starts the PSN space: the first request is |start_psn|. */
void src_init(struct pdc *pdc, uint32_t start_psn);

/* src_clear_psn returns the current CLEAR_PSN. */
uint32_t src_clear_psn(const struct pdc *pdc);

/* src_has_room returns true if the window has room for one more packet. */
bool src_has_room(const struct pdc *pdc);

/*
 * src_add takes a packet of the SES.
 *
 * Return: 0 and *ret_psn; ERR_NOMEM.
 */
int src_add(struct pdc *pdc, const struct ses_tx *tx, uint32_t *ret_psn);

/*
 * src_add_cp takes a control packet with a PSN.
 *
 * Return: 0 and *ret_psn; ERR_NOMEM.
 */
int src_add_cp(struct pdc *pdc, uint8_t ctl_type, uint32_t *ret_psn);

/*
 * src_add_negotiation takes a Negotiation, with the payload of 1.0.3 if
 * |features| is not 0.
 *
 * Return: 0; ERR_NOMEM.
 */
int src_add_negotiation(struct pdc *pdc, uint32_t features);

/* src_ask_ack sends an ACK Request for a PSN of this direction. */
void src_ask_ack(struct pdc *pdc, uint32_t psn);

/* src_ready returns true if src_poll would send a packet. */
bool src_ready(const struct pdc *pdc);

/* src_idle returns true if no packet is waiting to be sent or acknowledged. */
bool src_idle(const struct pdc *pdc);

/* src_waits returns true if a packet is waiting that the window permits. */
bool src_waits(const struct pdc *pdc);

/* src_poll writes the next packet.  Return: false if there is none. */
bool src_poll(struct pdc *pdc, struct dgram *ret);

/* src_rx_ack processes an ACK of this direction. */
void src_rx_ack(struct pdc *pdc, const struct pds_ack_rx *ack);

/* src_rx_nack processes a NACK of this direction. */
void src_rx_nack(struct pdc *pdc, const struct pds_nack *nack);

/* src_want_clear records that the destination wants a Clear at once. */
void src_want_clear(struct pdc *pdc);

/* src_tick does everything that is due.  Return: false if the PDC has ended. */
bool src_tick(struct pdc *pdc);

vtime src_deadline(const struct pdc *pdc);

/* src_abandon ends all packets with an error to the SES. */
void src_abandon(struct pdc *pdc, struct pds_error err);

#endif
