/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/registry.h -- all header tables of wire/, in two lists.
 *
 * Code that works on all headers (Wireshark fields, the reference in docs/, the
 * tests) iterates over wire_headers.  Code that needs code for each header
 * expands WIRE_HEADERS: X(symbol, LIST) for a header that HEADER_DECLARE made
 * of LIST.
 */
#ifndef WIRE_REGISTRY_H
#define WIRE_REGISTRY_H

#include <stddef.h>

#include "wire/field.h"
#include "wire/frame/frame_tables.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* clang-format off */
#define WIRE_HEADERS(X)							\
	X(frame_eth, FRAME_ETH)						\
	X(frame_vlan, FRAME_VLAN)					\
	X(frame_ipv4, FRAME_IPV4)					\
	X(frame_ipv6, FRAME_IPV6)					\
	X(frame_ipv6_ext, FRAME_IPV6_EXT)				\
	X(frame_ipv6_fragment, FRAME_IPV6_FRAGMENT)			\
	X(frame_udp, FRAME_UDP)						\
	X(entropy, ENTROPY)						\
	X(tss, TSS)							\
	X(tss_ssi, TSS_SSI)						\
	X(pds_prologue, PDS_PROLOGUE)					\
	X(pds_req, PDS_REQ)						\
	X(pds_req_syn, PDS_REQ_SYN)					\
	X(pds_req_cc, PDS_REQ_CC)					\
	X(pds_ack, PDS_ACK)						\
	X(pds_ack_probe, PDS_ACK_PROBE)					\
	X(pds_ack_cc, PDS_ACK_CC_SECTION)				\
	X(pds_nscc, PDS_NSCC)						\
	X(pds_credit, PDS_CREDIT)					\
	X(pds_cc_state, PDS_CC_STATE)					\
	X(pds_ack_ccx, PDS_ACK_CCX_SECTION)				\
	X(pds_nack, PDS_NACK_PSN)					\
	X(pds_nack_rudi, PDS_NACK_RUDI)					\
	X(pds_nack_ccx, PDS_NACK_CCX_SECTION)				\
	X(pds_cp, PDS_CP_PLAIN)						\
	X(pds_cp_syn, PDS_CP_SYN)					\
	X(cp_payload, CP_PAYLOAD)					\
	X(cp_ack_request, CP_ACK_REQUEST)				\
	X(cp_clear, CP_CLEAR)						\
	X(cp_probe, CP_PROBE)						\
	X(cp_credit, CP_CREDIT)						\
	X(cp_credit_request, CP_CREDIT_REQUEST)				\
	X(cp_negotiation, CP_NEGOTIATION)				\
	X(rudi_req, RUDI_REQ)						\
	X(rudi_resp, RUDI_RESP)						\
	X(uud_req, UUD_REQ)						\
	X(ses_std_som, SES_STD_SOM)					\
	X(ses_std, SES_STD)						\
	X(ses_std_deferrable, SES_STD_DEFERRABLE)			\
	X(ses_std_rtr, SES_STD_RTR)					\
	X(ses_small, SES_SMALL)						\
	X(ses_medium, SES_MEDIUM)					\
	X(ses_medium_hd, SES_MEDIUM_HD)					\
	X(ses_rendezvous, SES_RENDEZVOUS)				\
	X(ses_atomic, SES_ATOMIC_EXT)					\
	X(ses_cswap, SES_CSWAP)						\
	X(ses_response, SES_RESPONSE_PLAIN)				\
	X(ses_response_data, SES_RESPONSE_DATA)				\
	X(ses_response_data_small, SES_RESPONSE_DATA_SMALL)
/* clang-format on */

extern const struct header *const wire_headers[];
extern const size_t wire_nheaders;

/* The headers of the families that begin with a BTH. */
/* clang-format off */
#define WIRE_IB_HEADERS(X)						\
	X(bth, BTH)							\
	X(reth, RETH)							\
	X(atomic_eth, ATOMIC_ETH)					\
	X(atomic_ack_eth, ATOMIC_ACK_ETH)				\
	X(aeth, AETH)							\
	X(imm_eth, IMM_ETH)						\
	X(ieth, IETH)							\
	X(deth, DETH)							\
	X(cnp_payload, CNP_PAYLOAD)					\
	X(wqeth, WQETH)							\
	X(rieth, RIETH)							\
	X(rieth_entry, RIETH_ENTRY)					\
	X(seth, SETH)							\
	X(srd_aeth, SRD_AETH)						\
	X(srd_sack, SRD_SACK)
/* clang-format on */

extern const struct header *const wire_ib_headers[];
extern const size_t wire_nib_headers;

#endif
