/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_ses.c -- the tables of the SES headers: value names and fields.
 */
#include "wire/uet/uet_ses.h"

/* clang-format off */
const struct value_name ses_opcodes[] = {
	{SES_NO_OP,              "no_op"},
	{SES_WRITE,              "write"},
	{SES_READ,               "read"},
	{SES_ATOMIC,             "atomic"},
	{SES_FETCHING_ATOMIC,    "fetching_atomic"},
	{SES_SEND,               "send"},
	{SES_RENDEZVOUS_SEND,    "rendezvous_send"},
	{SES_DATAGRAM_SEND,      "datagram_send"},
	{SES_DEFERRABLE_SEND,    "deferrable_send"},
	{SES_TAGGED_SEND,        "tagged_send"},
	{SES_RENDEZVOUS_TSEND,   "rendezvous_tsend"},
	{SES_DEFERRABLE_TSEND,   "deferrable_tsend"},
	{SES_DEFERRABLE_RTR,     "deferrable_rtr"},
	{SES_TSEND_ATOMIC,       "tsend_atomic"},
	{SES_TSEND_FETCH_ATOMIC, "tsend_fetch_atomic"},
	{SES_MSG_ERROR,          "msg_error"},
	{0x3f,                   "extended"},
	{0, NULL},
};

const struct value_name ses_response_opcodes[] = {
	{SES_DEFAULT_RESPONSE, "default_response"},
	{SES_RESPONSE,         "response"},
	{SES_RESPONSE_W_DATA,  "response_w_data"},
	{SES_NO_RESPONSE,      "no_response"},
	{0, NULL},
};

const struct value_name ses_lists[] = {
	{SES_LIST_EXPECTED, "expected"},
	{SES_LIST_OVERFLOW, "overflow"},
	{0, NULL},
};

const struct value_name ses_return_codes[] = {
	{0x00, "null"},
	{0x01, "ok"},
	{0x02, "bad_generation"},
	{0x03, "disabled"},
	{0x04, "disabled_gen"},
	{0x05, "no_match"},
	{0x06, "unsupported_op"},
	{0x07, "unsupported_size"},
	{0x08, "at_invalid"},
	{0x09, "at_perm"},
	{0x0a, "at_ats_error"},
	{0x0b, "at_no_trans"},
	{0x0c, "at_out_of_range"},
	{0x0d, "host_poisoned"},
	{0x0e, "host_unsuccess_cmpl"},
	{0x0f, "amo_unsupported_op"},
	{0x10, "amo_unsupported_dt"},
	{0x11, "amo_unsupported_size"},
	{0x12, "amo_unaligned"},
	{0x13, "amo_fp_nan"},
	{0x14, "amo_fp_underflow"},
	{0x15, "amo_fp_overflow"},
	{0x16, "amo_fp_inexact"},
	{0x17, "perm_violation"},
	{0x18, "op_violation"},
	{0x19, "bad_index"},
	{0x1a, "bad_pid"},
	{0x1b, "bad_job_id"},
	{0x1c, "bad_mkey"},
	{0x1d, "bad_addr"},
	{0x1e, "cancelled"},
	{0x1f, "undeliverable"},
	{0x20, "uncor"},
	{0x21, "uncor_trnsnt"},
	{0x22, "too_long"},
	{0x23, "initiator_error"},
	{0x24, "dropped"},
	{0x3e, "extended"},
	{0, NULL},
};

const struct value_name amo_opcodes[] = {
	{0x00, "min"},
	{0x01, "max"},
	{0x02, "sum"},
	{0x03, "diff"},
	{0x04, "prod"},
	{0x05, "lor"},
	{0x06, "land"},
	{0x07, "bor"},
	{0x08, "band"},
	{0x09, "lxor"},
	{0x0a, "bxor"},
	{0x0b, "read"},
	{0x0c, "write"},
	{0x0d, "cswap"},
	{0x0e, "cswap_ne"},
	{0x0f, "cswap_le"},
	{0x10, "cswap_lt"},
	{0x11, "cswap_ge"},
	{0x12, "cswap_gt"},
	{0x13, "mswap"},
	{0x14, "inval"},
	{0, NULL},
};

const struct value_name amo_datatypes[] = {
	{0x00, "int8"},
	{0x01, "uint8"},
	{0x02, "int16"},
	{0x03, "uint16"},
	{0x04, "int32"},
	{0x05, "uint32"},
	{0x06, "int64"},
	{0x07, "uint64"},
	{0x08, "int128"},
	{0x09, "uint128"},
	{0x0a, "float"},
	{0x0b, "double"},
	{0x0c, "float_complex"},
	{0x0d, "double_complex"},
	{0x0e, "long_double"},
	{0x0f, "long_double_complex"},
	{0x10, "bf16"},
	{0x11, "fp16"},
	{0, NULL},
};
/* clang-format on */

HEADER_DEFINE(ses_std_som, SES_STD_SOM, "std", "UET 3.4.2.1 table 3-8");
HEADER_DEFINE(ses_std, SES_STD, "std", "UET 3.4.2.1 table 3-9");
HEADER_DEFINE(ses_std_deferrable, SES_STD_DEFERRABLE, "std",
	      "UET 3.4.2.1 table 3-8");
HEADER_DEFINE(ses_std_rtr, SES_STD_RTR, "std", "UET 3.4.2.1 table 3-8");
HEADER_DEFINE(ses_small, SES_SMALL, "small", "UET 3.4.2 table 3-10");
HEADER_DEFINE(ses_medium, SES_MEDIUM, "medium", "UET 3.4.2.2 figure 3-14");
HEADER_DEFINE(ses_medium_hd, SES_MEDIUM_HD, "medium",
	      "UET 3.4.2.2 figure 3-14");
HEADER_DEFINE(ses_rendezvous, SES_RENDEZVOUS, "rendezvous",
	      "UET 3.4.2 figure 3-15");
HEADER_DEFINE(ses_atomic, SES_ATOMIC_EXT, "atomic", "UET 3.4.2.3 figure 3-16");
HEADER_DEFINE(ses_cswap, SES_CSWAP, "cswap", "UET 3.4.2.3 figure 3-17");
HEADER_DEFINE(ses_response, SES_RESPONSE_PLAIN, "response",
	      "UET 3.4.2.5 table 3-11");
HEADER_DEFINE(ses_response_data, SES_RESPONSE_DATA, "response_data",
	      "UET 3.4.2.5 table 3-12");
HEADER_DEFINE(ses_response_data_small, SES_RESPONSE_DATA_SMALL,
	      "response_data_small", "UET 3.4.2.5 table 3-13");
