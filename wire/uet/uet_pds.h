/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_pds.h -- Ultra Ethernet packet delivery sublayer headers.
 *
 * A packet is a sequence of sections.  A header whose middle has several
 * meanings (SYN overlay, probe reply, control payloads) is one list with a
 * shared head and a tail for each meaning.  An ACK_CC is an ACK section
 * followed by a CC section and a CC state section.  wire/uet/uet_packet.c
 * selects the sections.
 *
 * Offsets like clear_psn_offset are added, signed: CLEAR_PSN = psn + offset.
 *
 * Spec: UET 3.5.10, tables 3-31 to 3-42 and 3-74, 3-75 (uet.md 1.3, 1.7, 2, 3)
 */
#ifndef WIRE_UET_UET_PDS_H
#define WIRE_UET_UET_PDS_H

#include "wire/field.h"

/* Versions of the specification that differ on the wire. */
enum uet_version {
	UET_1_0_1 = 101,
	UET_1_0_2 = 102,
	UET_1_0_3 = 103,
};

enum pds_type {
	PDS_TSS = 1,
	PDS_RUD_REQ = 2,
	PDS_ROD_REQ = 3,
	PDS_RUDI_REQ = 4,
	PDS_RUDI_RESP = 5,
	PDS_UUD_REQ = 6,
	PDS_ACK = 7,
	PDS_ACK_CC = 8,
	PDS_ACK_CCX = 9,
	PDS_NACK = 10,
	PDS_CP = 11,
	PDS_NACK_CCX = 12,
	PDS_RUD_CC_REQ = 13,
	PDS_ROD_CC_REQ = 14,
};

enum pds_next_hdr {
	PDS_NEXT_NONE = 0,
	PDS_NEXT_REQUEST_SMALL = 1,
	PDS_NEXT_REQUEST_MEDIUM = 2,
	PDS_NEXT_REQUEST_STD = 3,
	PDS_NEXT_RESPONSE = 4,
	PDS_NEXT_RESPONSE_DATA = 5,
	PDS_NEXT_RESPONSE_DATA_SMALL = 6,
	PDS_NEXT_CP_ACK = 9, /* only in 1.0.3; accepted, never sent */
};

/* pds.flags.req of an ACK (table 3-44). */
enum pds_req_code {
	PDS_REQ_NONE = 0,
	PDS_REQ_CLEAR = 1,
	PDS_REQ_CLOSE = 2,
};

enum pds_ctl_type {
	PDS_CP_NOOP = 0,
	PDS_CP_ACK_REQUEST = 1,
	PDS_CP_CLEAR_COMMAND = 2,
	PDS_CP_CLEAR_REQUEST = 3,
	PDS_CP_CLOSE_COMMAND = 4,
	PDS_CP_CLOSE_REQUEST = 5,
	PDS_CP_PROBE = 6,
	PDS_CP_CREDIT = 7,
	PDS_CP_CREDIT_REQUEST = 8,
	PDS_CP_NEGOTIATION = 9,
};

enum pds_cc_type {
	PDS_CC_NSCC = 0,
	PDS_CC_CREDIT = 1,
};

/* ccx_type of an ACK_CCX: 14 and 15 are proprietary, no other is defined. */
enum { PDS_CCX_LEAST = 14 };

/* NACK codes (table 3-59 of 1.0.1; uet.md 4). */
enum pds_nack_code {
	NACK_TRIMMED = 0x01,
	NACK_TRIMMED_LASTHOP = 0x02,
	NACK_TRIMMED_ACK = 0x03,
	NACK_NO_PDC_AVAIL = 0x04,
	NACK_NO_CCC_AVAIL = 0x05,
	NACK_NO_BITMAP = 0x06,
	NACK_NO_PKT_BUFFER = 0x07,
	NACK_NO_GTD_DEL_AVAIL = 0x08,
	NACK_NO_SES_MSG_AVAIL = 0x09,
	NACK_NO_RESOURCE = 0x0a,
	NACK_PSN_OOR_WINDOW = 0x0b,
	NACK_ROD_OOO = 0x0d,
	NACK_INV_DPDCID = 0x0e,
	NACK_PDC_HDR_MISMATCH = 0x0f,
	NACK_CLOSING = 0x10,
	NACK_CLOSING_IN_ERR = 0x11,
	NACK_PKT_NOT_RCVD = 0x12,
	NACK_GTD_RESP_UNAVAIL = 0x13,
	NACK_ACK_WITH_DATA = 0x14,
	NACK_INVALID_SYN = 0x15,
	NACK_PDC_MODE_MISMATCH = 0x16,
	NACK_NEW_START_PSN = 0x17,
	NACK_RCVD_SES_PROCG = 0x18,
	NACK_UNEXP_EVENT = 0x19,
	NACK_RCVR_INFER_LOSS = 0x1a,
	NACK_EXP_NACK_NORMAL = 0xfd,
	NACK_EXP_NACK_ERR = 0xfe,
	NACK_EXP_NACK_FATAL = 0xff,
};

extern const struct value_name pds_types[];
extern const struct value_name pds_next_hdrs[];
extern const struct value_name pds_req_codes[];
extern const struct value_name pds_ctl_types[];
extern const struct value_name pds_cc_types[];
extern const struct value_name pds_nack_codes[];

/* clang-format off */

/*
 * Prologue, the first 16 bits of every PDS header (table 3-32).
 *
 *  15      11 10       7 6            0
 * +----------+----------+--------------+
 * | type (5) | next_hdr | flags (7)    |    CP: next_hdr is ctl_type
 * +----------+----------+--------------+
 *
 * flags by type, 0x40 first:
 *	requests   .  .  retx ar  syn  .  .
 *	ACKs       .  m  retx p   req req .
 *	NACKs      .  m  retx nt  .   .   .
 *	CP         .  isrod retx ar syn . .
 *	RUDI       .  m  retx .   .   .   .    (m in responses only)
 *	UUD        all reserved
 */
#define PDS_PROLOGUE(F)							\
	/*             type member    kind   at width names */		\
	F(pds_prologue, u8, type,     ENUM,   0,  5, pds_types)		\
	F(pds_prologue, u8, next_hdr, ENUM,   5,  4, pds_next_hdrs)	\
	F(pds_prologue, u8, flags,    ID,     9,  7, NULL)

/* The section that RUD_CC and ROD_CC requests add, 4 bytes (table 3-34). */
#define PDS_REQ_HEAD(F, h)						\
	F(h, u8,  type,             ENUM,   0,  5, pds_types)		\
	F(h, u8,  next_hdr,         ENUM,   5,  4, pds_next_hdrs)	\
	F(h, u8,  rsvd_9,           RSVD,   9,  2, NULL)		\
	F(h, u8,  retx,             FLAG,  11,  1, NULL)		\
	F(h, u8,  ar,               FLAG,  12,  1, NULL)		\
	F(h, u8,  syn,              FLAG,  13,  1, NULL)		\
	F(h, u8,  rsvd_14,          RSVD,  14,  2, NULL)		\
	F(h, s16, clear_psn_offset, SINT,  16, 16, NULL)		\
	F(h, u32, psn,              SEQ,   32, 32, NULL)		\
	F(h, u16, spdcid,           ID,    64, 16, NULL)

#define PDS_REQ(F)							\
	PDS_REQ_HEAD(F, pds_req)					\
	F(pds_req, u16, dpdcid,     ID,    80, 16, NULL)

#define PDC_INFO_RESERVED 6u /* bits of pdc_info that are sent as 0 */

#define PDS_SYN_TAIL(F, h)						\
	F(h, u8,  pdc_info,         ID,    80,  4, NULL)		\
	F(h, u16, psn_offset,       UINT,  84, 12, NULL)

#define PDS_REQ_SYN(F)							\
	PDS_REQ_HEAD(F, pds_req_syn)					\
	PDS_SYN_TAIL(F, pds_req_syn)

/* The section that ACK_CC adds, 12 bytes and an 8-byte state (table 3-36). */
#define PDS_REQ_CC(F)							\
	F(pds_req_cc, u8,  ccc_id,        ID,   0,  8, NULL)		\
	F(pds_req_cc, u32, credit_target, UINT, 8, 24, NULL)

/* The section that ACK_CC adds, 12 bytes and an 8-byte state (table 3-36). */
#define PDS_ACK_HEAD(F, h)						\
	F(h, u8,  type,             ENUM,   0,  5, pds_types)		\
	F(h, u8,  next_hdr,         ENUM,   5,  4, pds_next_hdrs)	\
	F(h, u8,  rsvd_9,           RSVD,   9,  1, NULL)		\
	F(h, u8,  m,                FLAG,  10,  1, NULL)		\
	F(h, u8,  retx,             FLAG,  11,  1, NULL)		\
	F(h, u8,  p,                FLAG,  12,  1, NULL)		\
	F(h, u8,  req,              ENUM,  13,  2, pds_req_codes)	\
	F(h, u8,  rsvd_15,          RSVD,  15,  1, NULL)

#define PDS_ACK_TAIL(F, h)						\
	F(h, u32, cack_psn,         SEQ,   32, 32, NULL)		\
	F(h, u16, spdcid,           ID,    64, 16, NULL)		\
	F(h, u16, dpdcid,           ID,    80, 16, NULL)

#define PDS_ACK(F)							\
	PDS_ACK_HEAD(F, pds_ack)					\
	F(pds_ack, s16, ack_psn_offset, SINT, 16, 16, NULL)		\
	PDS_ACK_TAIL(F, pds_ack)

#define PDS_ACK_PROBE(F)						\
	PDS_ACK_HEAD(F, pds_ack_probe)					\
	F(pds_ack_probe, u16, probe_opaque, ID, 16, 16, NULL)		\
	PDS_ACK_TAIL(F, pds_ack_probe)

/* The section that ACK_CC adds, 12 bytes and an 8-byte state (table 3-36). */
#define PDS_ACK_CC_SECTION(F)						\
	F(pds_ack_cc, u8,  cc_type,         ENUM,  0,  4, pds_cc_types)	\
	F(pds_ack_cc, u8,  cc_flags,        ID,    4,  4, NULL)		\
	F(pds_ack_cc, u8,  mpr,             UINT,  8,  8, NULL)		\
	F(pds_ack_cc, s16, sack_psn_offset, SINT, 16, 16, NULL)		\
	F(pds_ack_cc, u64, sack_bitmap,     ID,   32, 64, NULL)

/* NSCC state (table 3-74). */
#define PDS_NSCC(F)							\
	F(pds_nscc, u16, service_time,  UINT,  0, 16, NULL)		\
	F(pds_nscc, u8,  rc,            FLAG, 16,  1, NULL)		\
	F(pds_nscc, u8,  rcv_cwnd_pend, UINT, 17,  7, NULL)		\
	F(pds_nscc, u32, rcvd_bytes,    UINT, 24, 24, NULL)		\
	F(pds_nscc, u16, ooo_count,     UINT, 48, 16, NULL)

/* The state of cc_type CREDIT. */
#define PDS_CREDIT(F)							\
	F(pds_credit, u32, credit,      UINT,  0, 24, NULL)		\
	F(pds_credit, u32, rsvd_24,     RSVD, 24, 24, NULL)		\
	F(pds_credit, u16, ooo_count,   UINT, 48, 16, NULL)

/* The state of an undefined cc_type. */
#define PDS_CC_STATE(F)							\
	F(pds_cc_state, u64, ack_cc_state, ID, 0, 64, NULL)

/* The section that ACK_CCX adds, 28 bytes (table 3-37). */
#define PDS_ACK_CCX_SECTION(F)						\
	F(pds_ack_ccx, u8,  ccx_type,         ID,     0,  4, NULL)	\
	F(pds_ack_ccx, u8,  cc_flags,         ID,     4,  4, NULL)	\
	F(pds_ack_ccx, u8,  mpr,              UINT,   8,  8, NULL)	\
	F(pds_ack_ccx, s16, sack_psn_offset,  SINT,  16, 16, NULL)	\
	F(pds_ack_ccx, u64, sack_bitmap,      ID,    32, 64, NULL)	\
	F(pds_ack_ccx, u64, ack_ccx_state_hi, ID,    96, 64, NULL)	\
	F(pds_ack_ccx, u64, ack_ccx_state_lo, ID,   160, 64, NULL)

/* NACK, 16 bytes (table 3-40); with nt = 1 it carries a RUDI pkt_id. */
#define PDS_NACK_HEAD(F, h)						\
	F(h, u8,  type,        ENUM,   0,  5, pds_types)		\
	F(h, u8,  next_hdr,    ENUM,   5,  4, pds_next_hdrs)		\
	F(h, u8,  rsvd_9,      RSVD,   9,  1, NULL)			\
	F(h, u8,  m,           FLAG,  10,  1, NULL)			\
	F(h, u8,  retx,        FLAG,  11,  1, NULL)			\
	F(h, u8,  nt,          FLAG,  12,  1, NULL)			\
	F(h, u8,  rsvd_13,     RSVD,  13,  3, NULL)			\
	F(h, u8,  nack_code,   ENUM,  16,  8, pds_nack_codes)		\
	F(h, u8,  vendor_code, ID,    24,  8, NULL)

#define PDS_NACK_TAIL(F, h)						\
	F(h, u16, spdcid,      ID,    64, 16, NULL)			\
	F(h, u16, dpdcid,      ID,    80, 16, NULL)			\
	F(h, u32, payload,     SEQ,   96, 32, NULL)

#define PDS_NACK_PSN(F)							\
	PDS_NACK_HEAD(F, pds_nack)					\
	F(pds_nack, u32, nack_psn, SEQ, 32, 32, NULL)			\
	PDS_NACK_TAIL(F, pds_nack)

#define PDS_NACK_RUDI(F)						\
	PDS_NACK_HEAD(F, pds_nack_rudi)					\
	F(pds_nack_rudi, u32, nack_pkt_id, ID, 32, 32, NULL)		\
	PDS_NACK_TAIL(F, pds_nack_rudi)

/* The section that NACK_CCX adds, 16 bytes (table 3-41). */
#define PDS_NACK_CCX_SECTION(F)						\
	F(pds_nack_ccx, u8,  nccx_type,         ID,  0,  4, NULL)	\
	F(pds_nack_ccx, u64, nack_ccx_state_hi, ID,  4, 60, NULL)	\
	F(pds_nack_ccx, u64, nack_ccx_state_lo, ID, 64, 64, NULL)

/* Control packet, 12 bytes and a payload section (table 3-38). */
#define PDS_CP_HEAD(F, h)						\
	F(h, u8,  type,         ENUM,   0,  5, pds_types)		\
	F(h, u8,  ctl_type,     ENUM,   5,  4, pds_ctl_types)		\
	F(h, u8,  rsvd_9,       RSVD,   9,  1, NULL)			\
	F(h, u8,  isrod,        FLAG,  10,  1, NULL)			\
	F(h, u8,  retx,         FLAG,  11,  1, NULL)			\
	F(h, u8,  ar,           FLAG,  12,  1, NULL)			\
	F(h, u8,  syn,          FLAG,  13,  1, NULL)			\
	F(h, u8,  rsvd_14,      RSVD,  14,  2, NULL)			\
	F(h, u16, probe_opaque, ID,    16, 16, NULL)			\
	F(h, u32, psn,          SEQ,   32, 32, NULL)			\
	F(h, u16, spdcid,       ID,    64, 16, NULL)

#define PDS_CP_PLAIN(F)							\
	PDS_CP_HEAD(F, pds_cp)						\
	F(pds_cp, u16, dpdcid,  ID,    80, 16, NULL)

#define PDS_CP_SYN(F)							\
	PDS_CP_HEAD(F, pds_cp_syn)					\
	PDS_SYN_TAIL(F, pds_cp_syn)

/* Control payloads, 4 bytes (3.5.16.8). */
#define CP_PAYLOAD(F)							\
	F(cp_payload, u32, payload,           ID,    0, 32, NULL)

#define CP_ACK_REQUEST(F)						\
	F(cp_ack_request, u16, rsvd_0,        RSVD,  0, 16, NULL)	\
	F(cp_ack_request, u16, message_id,    UINT, 16, 16, NULL)

#define CP_CLEAR(F)							\
	F(cp_clear, u32, clear_psn,           SEQ,   0, 32, NULL)

#define CP_PROBE(F)							\
	F(cp_probe, u32, sack_psn,            SEQ,   0, 32, NULL)

#define CP_CREDIT(F)							\
	F(cp_credit, u32, credit,             UINT,  0, 24, NULL)	\
	F(cp_credit, u8,  rsvd_24,            RSVD, 24,  8, NULL)

#define CP_CREDIT_REQUEST(F)						\
	F(cp_credit_request, u8,  ccc_id,        ID,   0,  8, NULL)	\
	F(cp_credit_request, u32, credit_target, UINT, 8, 24, NULL)

/* PDS_NEG_ON_OFF of 1.0.3, 8 bytes; older Negotiation CPs have 4 zero bytes. */
#define CP_NEGOTIATION(F)						\
	F(cp_negotiation, u8,  neg_type,      ID,    0,  8, NULL)	\
	F(cp_negotiation, u8,  neg_length,    UINT,  8,  8, NULL)	\
	F(cp_negotiation, u16, rsvd_16,       RSVD, 16, 16, NULL)	\
	F(cp_negotiation, u32, feature_mask,  ID,   32, 32, NULL)

/* RUDI request and response, 8 bytes (table 3-39). */
#define RUDI_HEAD(F, h)							\
	F(h, u8,  type,        ENUM,   0,  5, pds_types)		\
	F(h, u8,  next_hdr,    ENUM,   5,  4, pds_next_hdrs)

#define RUDI_TAIL(F, h)							\
	F(h, u16, rsvd_16,     RSVD,  16, 16, NULL)			\
	F(h, u32, pkt_id,      ID,    32, 32, NULL)

#define RUDI_REQ(F)							\
	RUDI_HEAD(F, rudi_req)						\
	F(rudi_req, u8,  rsvd_9,  RSVD,  9, 2, NULL)			\
	F(rudi_req, u8,  retx,    FLAG, 11, 1, NULL)			\
	F(rudi_req, u8,  rsvd_12, RSVD, 12, 4, NULL)			\
	RUDI_TAIL(F, rudi_req)

#define RUDI_RESP(F)							\
	RUDI_HEAD(F, rudi_resp)						\
	F(rudi_resp, u8, rsvd_9,  RSVD,  9, 1, NULL)			\
	F(rudi_resp, u8, m,       FLAG, 10, 1, NULL)			\
	F(rudi_resp, u8, retx,    FLAG, 11, 1, NULL)			\
	F(rudi_resp, u8, rsvd_12, RSVD, 12, 4, NULL)			\
	RUDI_TAIL(F, rudi_resp)

/* UUD request, 4 bytes (table 3-42). */
#define UUD_REQ(F)							\
	RUDI_HEAD(F, uud_req)						\
	F(uud_req, u8,  rsvd_9,   RSVD,  9,  7, NULL)			\
	F(uud_req, u16, rsvd_16,  RSVD, 16, 16, NULL)

/* Entropy header of the native IP form, 4 bytes (table 3-31). */
#define ENTROPY(F)							\
	F(entropy, u16, entropy,  ID,    0, 16, NULL)			\
	F(entropy, u16, rsvd_16,  RSVD, 16, 16, NULL)

#define TSS_HEAD(F, h)							\
	F(h, u8,  type,    ENUM,  0,  5, pds_types)			\
	F(h, u8,  sp,      FLAG,  5,  1, NULL)				\
	F(h, u8,  rsvd_6,  RSVD,  6,  1, NULL)				\
	F(h, u8,  an,      FLAG,  7,  1, NULL)				\
	F(h, u32, sdi,     ID,    8, 24, NULL)

#define TSS(F)								\
	TSS_HEAD(F, tss)						\
	F(tss, u16, epoch,   UINT, 32, 16, NULL)			\
	F(tss, u64, counter, UINT, 48, 48, NULL)

#define TSS_SSI(F)							\
	TSS_HEAD(F, tss_ssi)						\
	F(tss_ssi, u32, ssi,     ID,   32, 32, NULL)			\
	F(tss_ssi, u16, epoch,   UINT, 64, 16, NULL)			\
	F(tss_ssi, u64, counter, UINT, 80, 48, NULL)
/* clang-format on */

HEADER_DECLARE(pds_prologue, PDS_PROLOGUE, 2)
HEADER_DECLARE(pds_req, PDS_REQ, 12)
HEADER_DECLARE(pds_req_syn, PDS_REQ_SYN, 12)
HEADER_DECLARE(pds_req_cc, PDS_REQ_CC, 4)
HEADER_DECLARE(pds_ack, PDS_ACK, 12)
HEADER_DECLARE(pds_ack_probe, PDS_ACK_PROBE, 12)
HEADER_DECLARE(pds_ack_cc, PDS_ACK_CC_SECTION, 12)
HEADER_DECLARE(pds_nscc, PDS_NSCC, 8)
HEADER_DECLARE(pds_credit, PDS_CREDIT, 8)
HEADER_DECLARE(pds_cc_state, PDS_CC_STATE, 8)
HEADER_DECLARE(pds_ack_ccx, PDS_ACK_CCX_SECTION, 28)
HEADER_DECLARE(pds_nack, PDS_NACK_PSN, 16)
HEADER_DECLARE(pds_nack_rudi, PDS_NACK_RUDI, 16)
HEADER_DECLARE(pds_nack_ccx, PDS_NACK_CCX_SECTION, 16)
HEADER_DECLARE(pds_cp, PDS_CP_PLAIN, 12)
HEADER_DECLARE(pds_cp_syn, PDS_CP_SYN, 12)
HEADER_DECLARE(cp_payload, CP_PAYLOAD, 4)
HEADER_DECLARE(cp_ack_request, CP_ACK_REQUEST, 4)
HEADER_DECLARE(cp_clear, CP_CLEAR, 4)
HEADER_DECLARE(cp_probe, CP_PROBE, 4)
HEADER_DECLARE(cp_credit, CP_CREDIT, 4)
HEADER_DECLARE(cp_credit_request, CP_CREDIT_REQUEST, 4)
HEADER_DECLARE(cp_negotiation, CP_NEGOTIATION, 8)
HEADER_DECLARE(rudi_req, RUDI_REQ, 8)
HEADER_DECLARE(rudi_resp, RUDI_RESP, 8)
HEADER_DECLARE(uud_req, UUD_REQ, 4)
HEADER_DECLARE(entropy, ENTROPY, 4)
HEADER_DECLARE(tss, TSS, 12)
HEADER_DECLARE(tss_ssi, TSS_SSI, 16)

/*
 * pds_type_of returns the type of the PDS header at |p|, which has at least 2
 * bytes.
 */
static inline enum pds_type pds_type_of(const uint8_t *p)
{
	return (enum pds_type)(p[0] >> 3);
}

/* pds_type_in is pds_type_of for |len| bytes; 0: they are too few. */
static inline enum pds_type pds_type_in(const uint8_t *p, size_t len)
{
	return len >= pds_prologue_len ? pds_type_of(p) : (enum pds_type)0;
}

/* pds_is_ack returns true for ACK, ACK_CC and ACK_CCX. */
static inline bool pds_is_ack(enum pds_type type)
{
	return type >= PDS_ACK && type <= PDS_ACK_CCX;
}

/* pds_is_nack returns true for NACK and NACK_CCX. */
static inline bool pds_is_nack(enum pds_type type)
{
	return type == PDS_NACK || type == PDS_NACK_CCX;
}

/*
 * pds_is_request returns true for a request of RUD or ROD, with a CC header or
 * without.
 */
static inline bool pds_is_request(enum pds_type type)
{
	return type == PDS_RUD_REQ || type == PDS_ROD_REQ ||
	       type == PDS_RUD_CC_REQ || type == PDS_ROD_CC_REQ;
}

/* pds_req_has_cc returns true if a request of |type| has a CC header. */
static inline bool pds_req_has_cc(enum pds_type type)
{
	return type == PDS_RUD_CC_REQ || type == PDS_ROD_CC_REQ;
}

/* pds_req_ses_at returns the offset of the SES header in a request. */
static inline size_t pds_req_ses_at(enum pds_type type)
{
	return pds_req_has_cc(type) ? pds_req_len + pds_req_cc_len
				    : pds_req_len;
}

#endif
