/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_ses.h -- Ultra Ethernet semantic sublayer headers.
 *
 * An SES header does not name its own type; pds.next_hdr does.  In a standard
 * request, som and the opcode select the meaning of its middle. Extensions and
 * payload follow.
 *
 * Spec: UET 3.4.2, tables 3-8 to 3-23 (uet.md 5)
 */
#ifndef WIRE_UET_UET_SES_H
#define WIRE_UET_UET_SES_H

#include "wire/field.h"

enum ses_opcode {
	SES_NO_OP = 0x00,
	SES_WRITE = 0x01,
	SES_READ = 0x02,
	SES_ATOMIC = 0x03,
	SES_FETCHING_ATOMIC = 0x04,
	SES_SEND = 0x05,
	SES_RENDEZVOUS_SEND = 0x06,
	SES_DATAGRAM_SEND = 0x07,
	SES_DEFERRABLE_SEND = 0x08,
	SES_TAGGED_SEND = 0x09,
	SES_RENDEZVOUS_TSEND = 0x0a,
	SES_DEFERRABLE_TSEND = 0x0b,
	SES_DEFERRABLE_RTR = 0x0c,
	SES_TSEND_ATOMIC = 0x0d,
	SES_TSEND_FETCH_ATOMIC = 0x0e,
	SES_MSG_ERROR = 0x0f,
	SES_EXTENDED = 0x3f,
};

enum ses_response_opcode {
	SES_DEFAULT_RESPONSE = 0,
	SES_RESPONSE = 1,
	SES_RESPONSE_W_DATA = 2,
	SES_NO_RESPONSE = 3,
};

enum ses_list {
	SES_LIST_EXPECTED = 0,
	SES_LIST_OVERFLOW = 1,
};

enum ses_return_code {
	RC_NULL = 0x00,
	RC_OK = 0x01,
	RC_NO_MATCH = 0x05,
	RC_UNSUPPORTED_OP = 0x06,
	RC_UNSUPPORTED_SIZE = 0x07,
	RC_PERM_VIOLATION = 0x17,
	RC_BAD_INDEX = 0x19,
	RC_BAD_PID = 0x1a,
	RC_BAD_JOB_ID = 0x1b,
	RC_BAD_MKEY = 0x1c,
	RC_BAD_ADDR = 0x1d,
	RC_TOO_LONG = 0x22,
	RC_INITIATOR_ERROR = 0x23,
	RC_DROPPED = 0x24,
};

enum amo_opcode {
	AMO_SUM = 0x02,
	AMO_CSWAP = 0x0d,
	AMO_CSWAP_GT = 0x12,
	AMO_MSWAP = 0x13,
};

extern const struct value_name ses_opcodes[];
extern const struct value_name ses_response_opcodes[];
extern const struct value_name ses_lists[];
extern const struct value_name ses_return_codes[];
extern const struct value_name amo_opcodes[];
extern const struct value_name amo_datatypes[];

/* clang-format off */

/* Common first 12 bytes of every request; bytes 2-3 differ. */
#define SES_HEAD(F, h)							\
	/*   type member          kind   at width names */		\
	F(h, u8,  rsvd_0,         RSVD,   0,  2, NULL)			\
	F(h, u8,  opcode,         ENUM,   2,  6, ses_opcodes)		\
	F(h, u8,  version,        UINT,   8,  2, NULL)			\
	F(h, u8,  dc,             FLAG,  10,  1, NULL)			\
	F(h, u8,  ie,             FLAG,  11,  1, NULL)			\
	F(h, u8,  rel,            FLAG,  12,  1, NULL)			\
	F(h, u8,  hd,             FLAG,  13,  1, NULL)			\
	F(h, u8,  eom,            FLAG,  14,  1, NULL)			\
	F(h, u8,  som,            FLAG,  15,  1, NULL)

#define SES_HEAD_ID(F, h)						\
	F(h, u16, message_id,     UINT,  16, 16, NULL)

#define SES_HEAD_LENGTH(F, h)						\
	F(h, u8,  rsvd_16,        RSVD,  16,  2, NULL)			\
	F(h, u16, request_length, UINT,  18, 14, NULL)

#define SES_TARGET(F, h)						\
	F(h, u8,  ri_generation,  ID,    32,  8, NULL)			\
	F(h, u32, job_id,         ID,    40, 24, NULL)			\
	F(h, u8,  rsvd_64,        RSVD,  64,  4, NULL)			\
	F(h, u16, pid_on_fep,     ID,    68, 12, NULL)			\
	F(h, u8,  rsvd_80,        RSVD,  80,  4, NULL)			\
	F(h, u16, resource_index, ID,    84, 12, NULL)

/*
 * Standard request, 44 bytes (tables 3-8, 3-9).  match_bits is the memory_key
 * of opcodes WRITE, READ, ATOMIC and FETCHING_ATOMIC: one field, two names.
 */
#define SES_STD_HEAD(F, h)						\
	SES_HEAD(F, h)							\
	SES_HEAD_ID(F, h)						\
	SES_TARGET(F, h)

#define SES_STD_OFFSET(F, h)						\
	F(h, u64, buffer_offset,   ID,   96, 64, NULL)			\
	F(h, u32, initiator,       ID,  160, 32, NULL)

#define SES_STD_MATCH(F, h)						\
	F(h, u64, match_bits,      ID,  192, 64, NULL)

#define SES_STD_SOM_TAIL(F, h)						\
	F(h, u64, header_data,     ID,  256, 64, NULL)			\
	F(h, u32, request_length,  UINT, 320, 32, NULL)

#define SES_STD_SOM(F)							\
	SES_STD_HEAD(F, ses_std_som)					\
	SES_STD_OFFSET(F, ses_std_som)					\
	SES_STD_MATCH(F, ses_std_som)					\
	SES_STD_SOM_TAIL(F, ses_std_som)

#define SES_STD(F)							\
	SES_STD_HEAD(F, ses_std)					\
	SES_STD_OFFSET(F, ses_std)					\
	SES_STD_MATCH(F, ses_std)					\
	F(ses_std, u32, rsvd_256,       RSVD, 256, 18, NULL)		\
	F(ses_std, u16, payload_length, UINT, 274, 14, NULL)		\
	F(ses_std, u32, message_offset, UINT, 288, 32, NULL)		\
	F(ses_std, u32, request_length, UINT, 320, 32, NULL)

/* DEFERRABLE_SEND, _TSEND: bytes 12-19 are the restart token pair. */
#define SES_STD_DEFERRABLE(F)						\
	SES_STD_HEAD(F, ses_std_deferrable)				\
	F(ses_std_deferrable, u32, initiator_token, ID,  96, 32, NULL)	\
	F(ses_std_deferrable, u32, target_token,    ID, 128, 32, NULL)	\
	F(ses_std_deferrable, u32, initiator,       ID, 160, 32, NULL)	\
	SES_STD_MATCH(F, ses_std_deferrable)				\
	SES_STD_SOM_TAIL(F, ses_std_deferrable)

/* DEFERRABLE_RTR: bytes 24-31 are the token pair. */
#define SES_STD_RTR(F)							\
	SES_STD_HEAD(F, ses_std_rtr)					\
	SES_STD_OFFSET(F, ses_std_rtr)					\
	F(ses_std_rtr, u32, initiator_token, ID, 192, 32, NULL)		\
	F(ses_std_rtr, u32, target_token,    ID, 224, 32, NULL)		\
	SES_STD_SOM_TAIL(F, ses_std_rtr)

/* Small request, 20 bytes (table 3-10). */
#define SES_SMALL(F)							\
	SES_HEAD(F, ses_small)						\
	SES_HEAD_LENGTH(F, ses_small)					\
	SES_TARGET(F, ses_small)					\
	F(ses_small, u64, buffer_offset, ID, 96, 64, NULL)

/* Medium request, 32 bytes (figure 3-14); hd = 1 turns 12-19 into data. */
#define SES_MEDIUM(F)							\
	SES_HEAD(F, ses_medium)						\
	SES_HEAD_LENGTH(F, ses_medium)					\
	SES_TARGET(F, ses_medium)					\
	F(ses_medium, u64, buffer_offset, ID,  96, 64, NULL)		\
	F(ses_medium, u32, initiator,     ID, 160, 32, NULL)		\
	SES_STD_MATCH(F, ses_medium)

#define SES_MEDIUM_HD(F)						\
	SES_HEAD(F, ses_medium_hd)					\
	SES_HEAD_LENGTH(F, ses_medium_hd)				\
	SES_TARGET(F, ses_medium_hd)					\
	F(ses_medium_hd, u64, header_data, ID,  96, 64, NULL)		\
	F(ses_medium_hd, u32, initiator,   ID, 160, 32, NULL)		\
	SES_STD_MATCH(F, ses_medium_hd)

/* Rendezvous extension, 24 bytes (figure 3-15). */
#define SES_RENDEZVOUS(F)						\
	F(ses_rendezvous, u32, eager_length,        UINT,  0, 32, NULL)	\
	F(ses_rendezvous, u8,  read_ri_generation,  ID,   32,  8, NULL)	\
	F(ses_rendezvous, u16, read_pid_on_fep,     ID,   40, 12, NULL)	\
	F(ses_rendezvous, u16, read_resource_index, ID,   52, 12, NULL)	\
	F(ses_rendezvous, u64, read_offset,         ID,   64, 64, NULL)	\
	F(ses_rendezvous, u64, read_memory_key,     ID,  128, 64, NULL)

/* Atomic extension, 4 bytes (figure 3-16). */
#define SES_ATOMIC_EXT(F)						\
	F(ses_atomic, u8, amo_opcode,       ENUM,  0, 8, amo_opcodes)	\
	F(ses_atomic, u8, datatype,         ENUM,  8, 8, amo_datatypes)	\
	F(ses_atomic, u8, semantic_control, ID,   16, 8, NULL)		\
	F(ses_atomic, u8, rsvd_24,          RSVD, 24, 8, NULL)

/*
 * Compare and swap values, 32 bytes after the atomic extension (figure 3-17).
 */
#define SES_CSWAP(F)							\
	F(ses_cswap, u64, compare_value_hi, ID,   0, 64, NULL)		\
	F(ses_cswap, u64, compare_value_lo, ID,  64, 64, NULL)		\
	F(ses_cswap, u64, swap_value_hi,    ID, 128, 64, NULL)		\
	F(ses_cswap, u64, swap_value_lo,    ID, 192, 64, NULL)

/* Responses. */
#define SES_RESPONSE_HEAD(F, h)						\
	F(h, u8,  list,           ENUM,   0,  2, ses_lists)		\
	F(h, u8,  opcode,         ENUM,   2,  6, ses_response_opcodes)	\
	F(h, u8,  version,        UINT,   8,  2, NULL)			\
	F(h, u8,  return_code,    ENUM,  10,  6, ses_return_codes)

/* 12 bytes (table 3-11). */
#define SES_RESPONSE_PLAIN(F)						\
	SES_RESPONSE_HEAD(F, ses_response)				\
	F(ses_response, u16, message_id,      UINT, 16, 16, NULL)	\
	F(ses_response, u8,  ri_generation,   ID,   32,  8, NULL)	\
	F(ses_response, u32, job_id,          ID,   40, 24, NULL)	\
	F(ses_response, u32, modified_length, UINT, 64, 32, NULL)

/* 20 bytes and data (table 3-12). */
#define SES_RESPONSE_DATA(F)						\
	SES_RESPONSE_HEAD(F, ses_response_data)				\
	F(ses_response_data, u16, response_message_id, UINT, 16, 16, NULL) \
	F(ses_response_data, u8,  rsvd_32,         RSVD,  32,  8, NULL)	\
	F(ses_response_data, u32, job_id,          ID,    40, 24, NULL)	\
	F(ses_response_data, u16, read_request_message_id, UINT, 64, 16, NULL) \
	F(ses_response_data, u8,  rsvd_80,         RSVD,  80,  2, NULL)	\
	F(ses_response_data, u16, payload_length,  UINT,  82, 14, NULL)	\
	F(ses_response_data, u32, modified_length, UINT,  96, 32, NULL)	\
	F(ses_response_data, u32, message_offset,  UINT, 128, 32, NULL)

/* 12 bytes and data (table 3-13). */
#define SES_RESPONSE_DATA_SMALL(F)					\
	SES_RESPONSE_HEAD(F, ses_response_data_small)			\
	F(ses_response_data_small, u8,  rsvd_16, RSVD, 16, 2, NULL)	\
	F(ses_response_data_small, u16, payload_length, UINT, 18, 14, NULL) \
	F(ses_response_data_small, u8,  rsvd_32, RSVD, 32, 8, NULL)	\
	F(ses_response_data_small, u32, job_id, ID, 40, 24, NULL)	\
	F(ses_response_data_small, u32, original_request_psn, SEQ, 64, 32, NULL)
/* clang-format on */

HEADER_DECLARE(ses_std_som, SES_STD_SOM, 44)
HEADER_DECLARE(ses_std, SES_STD, 44)
HEADER_DECLARE(ses_std_deferrable, SES_STD_DEFERRABLE, 44)
HEADER_DECLARE(ses_std_rtr, SES_STD_RTR, 44)
HEADER_DECLARE(ses_small, SES_SMALL, 20)
HEADER_DECLARE(ses_medium, SES_MEDIUM, 32)
HEADER_DECLARE(ses_medium_hd, SES_MEDIUM_HD, 32)
HEADER_DECLARE(ses_rendezvous, SES_RENDEZVOUS, 24)
HEADER_DECLARE(ses_atomic, SES_ATOMIC_EXT, 4)
HEADER_DECLARE(ses_cswap, SES_CSWAP, 32)
HEADER_DECLARE(ses_response, SES_RESPONSE_PLAIN, 12)
HEADER_DECLARE(ses_response_data, SES_RESPONSE_DATA, 20)
HEADER_DECLARE(ses_response_data_small, SES_RESPONSE_DATA_SMALL, 12)

#endif
