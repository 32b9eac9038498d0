/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib/ib.h -- headers of the InfiniBand transport, as RoCEv2 carries them,
 * and of the two transports built on them: SRD in our reference encapsulation,
 * and RoCEv2 with the WQE extension header.
 *
 * A packet is BTH | extension headers | payload | pad | ICRC.  The opcode alone
 * determines which extension headers follow, so its name is the word of the
 * packet:
 *
 *  rc_write_only psn=7 ...      RC, UC, UD: plain RoCEv2
 *   wqe_send_first psn=16 ...    0xc0 to 0xdf, WQE extension
 *   srd_ack psn=258 ...          0xf0 to 0xff, SRD
 *
 * SRD's wire format is not public, and the patent of the WQE extension gives no
 * format.  Both layouts are this project's own reference, and never a reason to
 * fail another vendor's device.
 *
 * Spec: InfiniBand 1, 9.2 (srd_wqe.md B.3); srd_wqe.md A.4, B.4
 */
#ifndef WIRE_IB_IB_H
#define WIRE_IB_IB_H

#include <stdbool.h>

#include "wire/field.h"

#define ROCE_UDP_PORT 4791
#define WQE_UDP_PORT  61791
#define SRD_UDP_PORT  61792

/* The named values of bth.opcode: class in bits 7 to 5. */
/* clang-format off */
#define IB_RC_OPCODES(X, class, prefix, PREFIX)				\
	X(PREFIX##_SEND_FIRST,        (class) | 0x00, prefix "_send_first")	\
	X(PREFIX##_SEND_MIDDLE,       (class) | 0x01, prefix "_send_middle")	\
	X(PREFIX##_SEND_LAST,         (class) | 0x02, prefix "_send_last")	\
	X(PREFIX##_SEND_LAST_IMM,     (class) | 0x03, prefix "_send_last_imm")	\
	X(PREFIX##_SEND_ONLY,         (class) | 0x04, prefix "_send_only")	\
	X(PREFIX##_SEND_ONLY_IMM,     (class) | 0x05, prefix "_send_only_imm")	\
	X(PREFIX##_WRITE_FIRST,       (class) | 0x06, prefix "_write_first")	\
	X(PREFIX##_WRITE_MIDDLE,      (class) | 0x07, prefix "_write_middle")	\
	X(PREFIX##_WRITE_LAST,        (class) | 0x08, prefix "_write_last")	\
	X(PREFIX##_WRITE_LAST_IMM,    (class) | 0x09, prefix "_write_last_imm")	\
	X(PREFIX##_WRITE_ONLY,        (class) | 0x0a, prefix "_write_only")	\
	X(PREFIX##_WRITE_ONLY_IMM,    (class) | 0x0b, prefix "_write_only_imm")

#define IB_READ_OPCODES(X, class, prefix, PREFIX)			\
	X(PREFIX##_READ_REQ,          (class) | 0x0c, prefix "_read_req")	\
	X(PREFIX##_READ_RESP_FIRST,   (class) | 0x0d, prefix "_read_resp_first")	\
	X(PREFIX##_READ_RESP_MIDDLE,  (class) | 0x0e, prefix "_read_resp_middle")	\
	X(PREFIX##_READ_RESP_LAST,    (class) | 0x0f, prefix "_read_resp_last")	\
	X(PREFIX##_READ_RESP_ONLY,    (class) | 0x10, prefix "_read_resp_only")	\
	X(PREFIX##_ACK,               (class) | 0x11, prefix "_ack")

#define IB_INV_OPCODES(X, class, prefix, PREFIX)			\
	X(PREFIX##_SEND_LAST_INV,     (class) | 0x16, prefix "_send_last_inv")	\
	X(PREFIX##_SEND_ONLY_INV,     (class) | 0x17, prefix "_send_only_inv")

#define IB_OPCODES(X)							\
	IB_RC_OPCODES(X, 0x00, "rc", RC)				\
	IB_READ_OPCODES(X, 0x00, "rc", RC)				\
	X(RC_ATOMIC_ACK,   0x12, "rc_atomic_ack")			\
	X(RC_CMP_SWAP,     0x13, "rc_cmp_swap")				\
	X(RC_FETCH_ADD,    0x14, "rc_fetch_add")			\
	IB_INV_OPCODES(X, 0x00, "rc", RC)				\
	IB_RC_OPCODES(X, 0x20, "uc", UC)				\
	X(UD_SEND_ONLY,     0x64, "ud_send_only")			\
	X(UD_SEND_ONLY_IMM, 0x65, "ud_send_only_imm")			\
	X(CNP,              0x81, "cnp")				\
	IB_RC_OPCODES(X, 0xc0, "wqe", WQE)				\
	IB_READ_OPCODES(X, 0xc0, "wqe", WQE)				\
	IB_INV_OPCODES(X, 0xc0, "wqe", WQE)				\
	X(WQE_RTX_IND,       0xd8, "wqe_rtx_ind")			\
	X(SRD_SEND_ONLY,     0xf0, "srd_send_only")			\
	X(SRD_SEND_ONLY_IMM, 0xf1, "srd_send_only_imm")			\
	X(SRD_SYNC,          0xf2, "srd_sync")				\
	X(SRD_ACK,           0xf8, "srd_ack")
/* clang-format on */

enum ib_opcode {
#define X(name, value, word) IB_##name = (value),
	IB_OPCODES(X)
#undef X
};

/* The transport of an opcode. */
enum ib_class {
	IB_CLASS_ROCE, /* RC, RD, UC, UD, CNP, XRC and undefined values */
	IB_CLASS_WQE,
	IB_CLASS_SRD,
};

static inline enum ib_class ib_class_of(uint8_t opcode)
{
	if (opcode >= 0xf0)
		return IB_CLASS_SRD;
	return opcode >= 0xc0 && opcode <= 0xdf ? IB_CLASS_WQE : IB_CLASS_ROCE;
}

/*
 * ib_begins and ib_ends return true if a packet is the first or the last of its
 * message, or of a read's data; a single packet is both.
 *
 * Shape:  an opcode of RC, UC or the WQE extension.
 */
static inline bool ib_begins(uint8_t opcode)
{
	switch (opcode & 0x1f) {
	case IB_RC_SEND_MIDDLE:
	case IB_RC_SEND_LAST:
	case IB_RC_SEND_LAST_IMM:
	case IB_RC_SEND_LAST_INV:
	case IB_RC_WRITE_MIDDLE:
	case IB_RC_WRITE_LAST:
	case IB_RC_WRITE_LAST_IMM:
	case IB_RC_READ_RESP_MIDDLE:
	case IB_RC_READ_RESP_LAST:
		return false;
	default:
		return true;
	}
}

static inline bool ib_ends(uint8_t opcode)
{
	switch (opcode & 0x1f) {
	case IB_RC_SEND_FIRST:
	case IB_RC_SEND_MIDDLE:
	case IB_RC_WRITE_FIRST:
	case IB_RC_WRITE_MIDDLE:
	case IB_RC_READ_RESP_FIRST:
	case IB_RC_READ_RESP_MIDDLE:
		return false;
	default:
		return true;
	}
}

/* ib_is_read_data returns true for read responses of class RC. */
static inline bool ib_is_read_data(uint8_t opcode)
{
	return opcode >= IB_RC_READ_RESP_FIRST &&
	       opcode <= IB_RC_READ_RESP_ONLY;
}

/*
 * aeth.syndrome: the class in bits 6 and 5, a value in bits 4 to 0.  0x1f is an
 * ACK whose credit field is not valid.
 */
enum ib_syndrome {
	IB_SYNDROME_ACK = 0x1f,
	IB_SYNDROME_RNR = 0x20, /* bits 4 to 0: timer code */
	IB_SYNDROME_PSN_SEQ = 0x60,
	IB_SYNDROME_INVALID_REQ = 0x61,
	IB_SYNDROME_REMOTE_ACCESS = 0x62,
	IB_SYNDROME_REMOTE_OP = 0x63,
	IB_SYNDROME_BAD_DEST_QP = 0x64, /* InfiniBand: invalid RD request */
	IB_SYNDROME_CTX_RESET = 0x65,   /* SRD only */
};

/* ib_is_ack returns true for the syndromes of an ACK with any credits. */
static inline bool ib_is_ack(uint8_t syndrome)
{
	return syndrome <= IB_SYNDROME_ACK;
}

/* ib_is_nak returns true for the syndromes of an RNR NAK or a NAK. */
static inline bool ib_is_nak(uint8_t syndrome)
{
	return syndrome >> 5 & 3;
}

enum rieth_fmt {
	RIETH_LIST = 0, /* entries: reserved byte, missing PSN */
	/* base PSN in such an entry, then bitmap words; bit 1: missing */
	RIETH_BITMAP = 1,
};

extern const struct value_name ib_opcodes[];
extern const char *const ib_words[256]; /* by opcode; NULL: unknown */
extern const struct value_name ib_syndromes[];
extern const struct value_name rieth_fmts[];

/* clang-format off */

/*
 * Base transport header, 12 bytes (InfiniBand 1, 9.2).
 *
 * +---------------+-+-+---+-------+-------------------------------+
 * |    opcode     |s|m|pad| tver  |             pkey              |
 * +---------------+-+-+---+-------+-------------------------------+
 * |f|b|   rsvd    |               dest_qp (24)                    |
 * +-+-+-----------+-----------------------------------------------+
 * |a|    rsvd     |                 psn (24)                      |
 * +-+-------------+-----------------------------------------------+
 */
#define BTH(F)								\
	F(bth, u8,  opcode,  ENUM,  0,  8, ib_opcodes)			\
	F(bth, u8,  se,      FLAG,  8,  1, NULL)			\
	F(bth, u8,  migreq,  FLAG,  9,  1, NULL)			\
	F(bth, u8,  pad,     UINT, 10,  2, NULL)			\
	F(bth, u8,  tver,    UINT, 12,  4, NULL)			\
	F(bth, u16, pkey,    ID,   16, 16, NULL)			\
	F(bth, u8,  fecn,    FLAG, 32,  1, NULL)			\
	F(bth, u8,  becn,    FLAG, 33,  1, NULL)			\
	F(bth, u8,  rsvd_34, RSVD, 34,  6, NULL)			\
	F(bth, u32, dest_qp, ID,   40, 24, NULL)			\
	F(bth, u8,  ackreq,  FLAG, 64,  1, NULL)			\
	F(bth, u8,  rsvd_65, RSVD, 65,  7, NULL)			\
	F(bth, u32, psn,     SEQ,  72, 24, NULL)

/* RDMA, 16 bytes. */
#define RETH(F)								\
	F(reth, u64, va,     ID,    0, 64, NULL)			\
	F(reth, u32, rkey,   ID,   64, 32, NULL)			\
	F(reth, u32, dmalen, UINT, 96, 32, NULL)

/* Atomic request, 28 bytes, and atomic acknowledgement. */
#define ATOMIC_ETH(F)							\
	F(atomic_eth, u64, va,      ID,     0, 64, NULL)		\
	F(atomic_eth, u32, rkey,    ID,    64, 32, NULL)		\
	F(atomic_eth, u64, swap,    ID,    96, 64, NULL)		\
	F(atomic_eth, u64, compare, ID,   160, 64, NULL)

#define ATOMIC_ACK_ETH(F)						\
	F(atomic_ack_eth, u64, original, ID, 0, 64, NULL)

/* Acknowledgement, 4 bytes. */
#define AETH(F)								\
	F(aeth, u8,  syndrome, ENUM, 0,  8, ib_syndromes)		\
	F(aeth, u32, msn,      UINT, 8, 24, NULL)

/* Immediate data, and the R_Key to invalidate; 4 bytes each. */
#define IMM_ETH(F)							\
	F(imm_eth, u32, imm, ID, 0, 32, NULL)

#define IETH(F)								\
	F(ieth, u32, inv_rkey, ID, 0, 32, NULL)

/* Datagram extended header, 8 bytes. */
#define DETH(F)								\
	F(deth, u32, qkey,    ID,    0, 32, NULL)			\
	F(deth, u8,  rsvd_32, RSVD, 32,  8, NULL)			\
	F(deth, u32, src_qp,  ID,   40, 24, NULL)

/* Payload of a CNP, 16 bytes of zero. */
#define CNP_PAYLOAD(F)							\
	F(cnp_payload, u64, rsvd_0,  RSVD,  0, 64, NULL)		\
	F(cnp_payload, u64, rsvd_64, RSVD, 64, 64, NULL)

/*
 * WQE extension, 12 bytes: in every packet of a WQE, the last header before the
 * payload (srd_wqe.md B.4.2).
 */
#define WQETH(F)							\
	F(wqeth, u8,  ver,        UINT,  0,  2, NULL)			\
	F(wqeth, u8,  rsvd_2,     RSVD,  2,  6, NULL)			\
	F(wqeth, u32, wqe_sn,     UINT,  8, 24, NULL)			\
	F(wqeth, u32, wqe_offset, UINT, 32, 32, NULL)			\
	F(wqeth, u32, wqe_length, UINT, 64, 32, NULL)

/*
 * Retransmission indication, 8 bytes; |count| entries of 32 bits follow as the
 * payload (srd_wqe.md B.4.3).
 */
#define RIETH(F)							\
	F(rieth, u8,  ver,     UINT,  0,  2, NULL)			\
	F(rieth, u8,  fmt,     ENUM,  2,  2, rieth_fmts)		\
	F(rieth, u8,  k,       FLAG,  4,  1, NULL)			\
	F(rieth, u8,  d,       FLAG,  5,  1, NULL)			\
	F(rieth, u8,  more,    FLAG,  6,  1, NULL)			\
	F(rieth, u8,  rsvd_7,  RSVD,  7,  1, NULL)			\
	F(rieth, u32, wqe_sn,  UINT,  8, 24, NULL)			\
	F(rieth, u16, count,   UINT, 32, 16, NULL)			\
	F(rieth, u16, rsvd_48, RSVD, 48, 16, NULL)

/* An entry of the list, and the base of the bitmap. */
#define RIETH_ENTRY(F)							\
	F(rieth_entry, u8,  rsvd_0,      RSVD, 0,  8, NULL)		\
	F(rieth_entry, u32, missing_psn, SEQ,  8, 24, NULL)

/*
 * SRD, 16 bytes (srd_wqe.md A.4.2).
 *
 * +-------+-+-+---+---------------+---------------+---------------+
 * | ver=1 |s|f| r |     path      |      try      |     rsvd      |
 * +-------+-+-+---+---------------+---------------+---------------+
 * |                   scid, the requester's                       |
 * |                   rcid, the responder's                       |
 * +---------------+-----------------------------------------------+
 * |     rsvd      |                   lup (24)                    |
 * +---------------+-----------------------------------------------+
 */
#define SETH(F)								\
	F(seth, u8,  ver,     UINT,   0,  4, NULL)			\
	F(seth, u8,  syn,     FLAG,   4,  1, NULL)			\
	F(seth, u8,  fin,     FLAG,   5,  1, NULL)			\
	F(seth, u8,  rsvd_6,  RSVD,   6,  2, NULL)			\
	F(seth, u8,  path,    UINT,   8,  8, NULL)			\
	F(seth, u8,  try,     UINT,  16,  8, NULL)			\
	F(seth, u8,  rsvd_24, RSVD,  24,  8, NULL)			\
	F(seth, u32, scid,    ID,    32, 32, NULL)			\
	F(seth, u32, rcid,    ID,    64, 32, NULL)			\
	F(seth, u8,  rsvd_96, RSVD,  96,  8, NULL)			\
	F(seth, u32, lup,     SEQ,  104, 24, NULL)

/* SRD's acknowledgement: CACK replaces the MSN. */
#define SRD_AETH(F)							\
	F(srd_aeth, u8,  syndrome, ENUM, 0,  8, ib_syndromes)		\
	F(srd_aeth, u32, cack,     SEQ,  8, 24, NULL)

/* Bit k, counted from the most significant: CACK + 1 + k was accepted. */
#define SRD_SACK(F)							\
	F(srd_sack, u64, sack_bitmap, ID, 0, 64, NULL)
/* clang-format on */

HEADER_DECLARE(bth, BTH, 12)
HEADER_DECLARE(reth, RETH, 16)
HEADER_DECLARE(atomic_eth, ATOMIC_ETH, 28)
HEADER_DECLARE(atomic_ack_eth, ATOMIC_ACK_ETH, 8)
HEADER_DECLARE(aeth, AETH, 4)
HEADER_DECLARE(imm_eth, IMM_ETH, 4)
HEADER_DECLARE(ieth, IETH, 4)
HEADER_DECLARE(deth, DETH, 8)
HEADER_DECLARE(cnp_payload, CNP_PAYLOAD, 16)
HEADER_DECLARE(wqeth, WQETH, 12)
HEADER_DECLARE(rieth, RIETH, 8)
HEADER_DECLARE(rieth_entry, RIETH_ENTRY, 4)
HEADER_DECLARE(seth, SETH, 16)
HEADER_DECLARE(srd_aeth, SRD_AETH, 4)
HEADER_DECLARE(srd_sack, SRD_SACK, 8)

#endif
