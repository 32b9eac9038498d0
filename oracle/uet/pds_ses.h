/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds_ses.h -- the interface between the two sublayers, by the
 * names of table 3-27.
 *
 *    SES (ses/)                               PDS (pds/pds_tx.c)
 *    ses_pds_tx_req, ses_pds_tx_ret    -->    a packet to deliver
 *    pds_ses_rx_rsp                    <--    the response to it
 *    pds_ses_rx_req, pds_ses_rx_ret    <--    a packet was delivered
 *    ses_pds_tx_rsp                    -->    the response to it
 *    ses_pds_unlock, ses_pds_eager_req -->
 *    pds_pause, pds_ses_error,
 *    pds_ses_eager_size                <--
 *
 * The PDS knows packets, not messages or operations.  Each packet that it
 * delivers gets exactly one ses_pds_tx_rsp, at once or later.  Each packet that
 * it is given gets exactly one pds_ses_rx_rsp or pds_ses_error.  A UUD packet
 * gets neither.
 *
 * The functions that the SES calls are those of pds/pds_tx.h.  The PDS is below
 * the SES and does not know it: it calls the SES through struct pds_ses.
 *
 * Two things are added to the table, which is informative.  ses_pds_tx_req
 * returns the PDC and PSN of the packet: a read with a small or medium header
 * is matched to its data by PSN.  pds_ses_closed reports that a PDC has ended:
 * responses and data still expected on it will not come.
 *
 * Spec: UET 3.5.4, table 3-27 (uet.md 7.9)
 */
#ifndef ORACLE_UET_PDS_SES_H
#define ORACLE_UET_PDS_SES_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/event.h"
#include "oracle/op.h"

struct ses;

/*
 * The properties that all packets of one PDC share, besides peer and mode
 * (table 3-26).  rsv_ccc_context is that of the CCC that the PDC joins.
 */
struct ses_context {
	uint8_t tc;
	bool rsv_pdc; /* a PDC of the reserved pool */
	uint16_t tss, rsv_pdc_context, rsv_ccc;
};

/* Payload as its place in the pattern of the endpoint (base/pattern.h). */
struct ses_late {
	uint32_t id, offset;
	uint16_t len; /* 0: there is none */
};

/* Parameters of ses_pds_tx_req and ses_pds_tx_ret. */
struct ses_tx {
	uint32_t dst_fep;  /* pds_fep; unused with return_data */
	enum op_mode mode; /* with return_data: the mode of its PDC */
	uint16_t rod_context;
	struct ses_context context;
	uint8_t next_hdr;
	bool som, eom, lock_pdc;
	bool return_data; /* sent on the PDC of the request: orig_pdcid */
	uint16_t orig_pdcid;
	uint16_t msg_id;
	uint32_t tx_pkt_handle;
	const uint8_t *pkt; /* SES header and payload; lent for the call */
	uint16_t pkt_len;
	struct ses_late late; /* follows |pkt| in the packet (RUD, ROD) */
};

/* The PDC and PSN of a sent packet. */
struct ses_txd {
	uint16_t pdcid;
	uint32_t psn;
};

/* Parameters of ses_pds_tx_rsp. */
struct ses_tx_rsp {
	bool gtd_del;
	bool again;         /* read data: the read may be repeated */
	uint8_t ses_nack;   /* not 0: refuse the packet with this NACK code */
	uint8_t next_hdr;   /* enum pds_next_hdr of |rsp| */
	const uint8_t *rsp; /* NULL: the PDS sends a default response */
	uint16_t rsp_len;
};

/* Parameters of pds_ses_rx_req and pds_ses_rx_ret. */
struct ses_rx {
	uint32_t src_fep;  /* pds_fep; 0 without a PDC */
	enum op_mode mode; /* OP_UUD: no response is needed */
	uint32_t rx_pkt_handle;
	uint8_t next_hdr;
	const uint8_t *pkt; /* lent for the call */
	size_t pkt_len;
	uint16_t orig_pdcid; /* 0 without a PDC */
	uint32_t orig_psn;   /* RUDI: the pkt_id */
	bool ordered; /* ROD: answers must leave in the order of the packets */
};

/* Parameters of pds_ses_rx_rsp. */
struct ses_rx_rsp {
	uint32_t tx_pkt_handle;
	uint8_t next_hdr;
	const uint8_t *rsp; /* NULL: the default response, a success */
	size_t rsp_len;
	uint16_t pdcid; /* PDC of the answered packet; 0 without one */
	uint32_t psn;   /* RUDI: the pkt_id */
};

/* The reason why a PDC or a packet on it failed. */
struct pds_error {
	bool retry; /* the target accepted no packet: a new PDC may succeed */
	enum orc_status status;
	uint8_t nack_code; /* STATUS_FATAL: the NACK code */
	uint32_t psn;      /* PSN of the abandoned request; or pkt_id */
};

#define PDS_ALL UINT32_MAX

/* The SES's side of the functions below, which describe them. */
struct pds_ses_calls {
	void (*rx_req)(struct ses *ses, const struct ses_rx *rx);
	void (*rx_ret)(struct ses *ses, const struct ses_rx *rx);
	void (*rx_rsp)(struct ses *ses, const struct ses_rx_rsp *rx);
	void (*eager_size)(struct ses *ses, uint16_t eager_id, uint32_t size);
	void (*pause)(struct ses *ses, uint32_t dst_fep, enum op_mode mode,
		      uint16_t pdcid, bool pause);
	void (*pause_rudi)(struct ses *ses, bool pause);
	void (*renumbered)(struct ses *ses, uint16_t pdcid, uint32_t shift);
	void (*error)(struct ses *ses, uint32_t tx_pkt_handle,
		      struct pds_error err);
	void (*error_rx)(struct ses *ses, uint32_t rx_pkt_handle,
			 uint16_t pdcid, struct pds_error err);
	void (*closed)(struct ses *ses, uint32_t dst_fep, uint16_t pdcid,
		       struct pds_error err);
};

/* The SES above a PDS. */
struct pds_ses {
	const struct pds_ses_calls *calls;
	struct ses *ses;
};

/*
 * pds_ses_rx_req and pds_ses_rx_ret deliver a packet; pds_ses_rx_rsp delivers
 * the response to one.
 */
void pds_ses_rx_req(const struct pds_ses *up, const struct ses_rx *rx);
void pds_ses_rx_ret(const struct pds_ses *up, const struct ses_rx *rx);
void pds_ses_rx_rsp(const struct pds_ses *up, const struct ses_rx_rsp *rx);

/* pds_ses_eager_size answers ses_pds_eager_req: |size| bytes. */
void pds_ses_eager_size(const struct pds_ses *up, uint16_t eager_id,
			uint32_t size);

/*
 * pds_pause starts or ends a pause.  Without a free PDC it pauses all
 * (PDS_ALL), as the table has it.  Otherwise it names the PDC, so that a slow
 * peer does not stop the others.
 */
void pds_pause(const struct pds_ses *up, uint32_t dst_fep, enum op_mode mode,
	       uint16_t pdcid, bool pause);

/* pds_pause_rudi starts or ends the pause of all RUDI requests. */
void pds_pause_rudi(const struct pds_ses *up, bool pause);

/*
 * pds_ses_renumbered reports that the PSNs of a PDC's packets, all unanswered,
 * have increased by |shift| (NEW_START_PSN).
 */
void pds_ses_renumbered(const struct pds_ses *up, uint16_t pdcid,
			uint32_t shift);

/* pds_ses_error reports that a packet will not be delivered or answered. */
void pds_ses_error(const struct pds_ses *up, uint32_t tx_pkt_handle,
		   struct pds_error err);

/*
 * pds_ses_error_rx is pds_ses_error by rx_pkt_handle: the SES's response to a
 * packet that was delivered will not be sent.
 */
void pds_ses_error_rx(const struct pds_ses *up, uint32_t rx_pkt_handle,
		      uint16_t pdcid, struct pds_error err);

/* pds_ses_closed reports that a PDC has ended, after all its pds_ses_error. */
void pds_ses_closed(const struct pds_ses *up, uint32_t dst_fep, uint16_t pdcid,
		    struct pds_error err);

#endif
