/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_pds.c -- the tables of the PDS headers: value names, fields and
 * derived values.
 */
#include "wire/uet/uet_pds.h"

/* clang-format off */
const struct value_name pds_types[] = {
	{PDS_TSS,        "tss"},
	{PDS_RUD_REQ,    "rud_req"},
	{PDS_ROD_REQ,    "rod_req"},
	{PDS_RUDI_REQ,   "rudi_req"},
	{PDS_RUDI_RESP,  "rudi_resp"},
	{PDS_UUD_REQ,    "uud_req"},
	{PDS_ACK,        "ack"},
	{PDS_ACK_CC,     "ack_cc"},
	{PDS_ACK_CCX,    "ack_ccx"},
	{PDS_NACK,       "nack"},
	{PDS_CP,         "cp"},
	{PDS_NACK_CCX,   "nack_ccx"},
	{PDS_RUD_CC_REQ, "rud_cc_req"},
	{PDS_ROD_CC_REQ, "rod_cc_req"},
	{0, NULL},
};

const struct value_name pds_next_hdrs[] = {
	{PDS_NEXT_NONE,                "none"},
	{PDS_NEXT_REQUEST_SMALL,       "request_small"},
	{PDS_NEXT_REQUEST_MEDIUM,      "request_medium"},
	{PDS_NEXT_REQUEST_STD,         "request_std"},
	{PDS_NEXT_RESPONSE,            "response"},
	{PDS_NEXT_RESPONSE_DATA,       "response_data"},
	{PDS_NEXT_RESPONSE_DATA_SMALL, "response_data_small"},
	{PDS_NEXT_CP_ACK,              "cp_ack"},
	{0, NULL},
};

const struct value_name pds_req_codes[] = {
	{PDS_REQ_NONE,  "none"},
	{PDS_REQ_CLEAR, "clear"},
	{PDS_REQ_CLOSE, "close"},
	{0, NULL},
};

const struct value_name pds_ctl_types[] = {
	{PDS_CP_NOOP,           "noop"},
	{PDS_CP_ACK_REQUEST,    "ack_request"},
	{PDS_CP_CLEAR_COMMAND,  "clear_command"},
	{PDS_CP_CLEAR_REQUEST,  "clear_request"},
	{PDS_CP_CLOSE_COMMAND,  "close_command"},
	{PDS_CP_CLOSE_REQUEST,  "close_request"},
	{PDS_CP_PROBE,          "probe"},
	{PDS_CP_CREDIT,         "credit"},
	{PDS_CP_CREDIT_REQUEST, "credit_request"},
	{PDS_CP_NEGOTIATION,    "negotiation"},
	{0, NULL},
};

const struct value_name pds_cc_types[] = {
	{PDS_CC_NSCC,   "nscc"},
	{PDS_CC_CREDIT, "credit"},
	{0, NULL},
};

const struct value_name pds_nack_codes[] = {
	{NACK_TRIMMED,           "trimmed"},
	{NACK_TRIMMED_LASTHOP,   "trimmed_lasthop"},
	{NACK_TRIMMED_ACK,       "trimmed_ack"},
	{NACK_NO_PDC_AVAIL,      "no_pdc_avail"},
	{NACK_NO_CCC_AVAIL,      "no_ccc_avail"},
	{NACK_NO_BITMAP,         "no_bitmap"},
	{NACK_NO_PKT_BUFFER,     "no_pkt_buffer"},
	{NACK_NO_GTD_DEL_AVAIL,  "no_gtd_del_avail"},
	{NACK_NO_SES_MSG_AVAIL,  "no_ses_msg_avail"},
	{NACK_NO_RESOURCE,       "no_resource"},
	{NACK_PSN_OOR_WINDOW,    "psn_oor_window"},
	{NACK_ROD_OOO,           "rod_ooo"},
	{NACK_INV_DPDCID,        "inv_dpdcid"},
	{NACK_PDC_HDR_MISMATCH,  "pdc_hdr_mismatch"},
	{NACK_CLOSING,           "closing"},
	{NACK_CLOSING_IN_ERR,    "closing_in_err"},
	{NACK_PKT_NOT_RCVD,      "pkt_not_rcvd"},
	{NACK_GTD_RESP_UNAVAIL,  "gtd_resp_unavail"},
	{NACK_ACK_WITH_DATA,     "ack_with_data"},
	{NACK_INVALID_SYN,       "invalid_syn"},
	{NACK_PDC_MODE_MISMATCH, "pdc_mode_mismatch"},
	{NACK_NEW_START_PSN,     "new_start_psn"},
	{NACK_RCVD_SES_PROCG,    "rcvd_ses_procg"},
	{NACK_UNEXP_EVENT,       "unexp_event"},
	{NACK_RCVR_INFER_LOSS,   "rcvr_infer_loss"},
	{NACK_EXP_NACK_NORMAL,   "exp_nack_normal"},
	{NACK_EXP_NACK_ERR,      "exp_nack_err"},
	{NACK_EXP_NACK_FATAL,    "exp_nack_fatal"},
	{0, NULL},
};
/* clang-format on */

static const struct derived req_derived[] = {
	DERIVED_ROW("clear_psn", "psn", "clear_psn_offset", +1),
};

static const struct derived req_syn_derived[] = {
	DERIVED_ROW("clear_psn", "psn", "clear_psn_offset", +1),
	DERIVED_ROW("start_psn", "psn", "psn_offset", -1),
};

static const struct derived cp_syn_derived[] = {
	DERIVED_ROW("start_psn", "psn", "psn_offset", -1),
};

static const struct derived ack_derived[] = {
	DERIVED_ROW("ack_psn", "cack_psn", "ack_psn_offset", +1),
};

HEADER_DEFINE(pds_prologue, PDS_PROLOGUE, "pds", "UET 3.5.10.2 table 3-32");
HEADER_DEFINE_DERIVED(pds_req, PDS_REQ, "req", "UET 3.5.10.3 table 3-33",
		      req_derived);
HEADER_DEFINE_DERIVED(pds_req_syn, PDS_REQ_SYN, "req_syn",
		      "UET 3.5.8.2, 3.5.10.3 table 3-33", req_syn_derived);
HEADER_DEFINE(pds_req_cc, PDS_REQ_CC, "req_cc", "UET 3.5.10.4 table 3-34");
HEADER_DEFINE_DERIVED(pds_ack, PDS_ACK, "ack", "UET 3.5.10.5 table 3-35",
		      ack_derived);
HEADER_DEFINE(pds_ack_probe, PDS_ACK_PROBE, "ack_probe",
	      "UET 3.5.10.5 table 3-35");
HEADER_DEFINE(pds_ack_cc, PDS_ACK_CC_SECTION, "ack_cc",
	      "UET 3.5.10.6 table 3-36");
HEADER_DEFINE(pds_nscc, PDS_NSCC, "nscc", "UET 3.6.9.2 table 3-74");
HEADER_DEFINE(pds_credit, PDS_CREDIT, "credit", "UET 3.6.9.3 table 3-75");
HEADER_DEFINE(pds_cc_state, PDS_CC_STATE, "cc_state",
	      "UET 3.5.10.6 table 3-36");
HEADER_DEFINE(pds_ack_ccx, PDS_ACK_CCX_SECTION, "ack_ccx",
	      "UET 3.5.10.7 table 3-37");
HEADER_DEFINE(pds_nack, PDS_NACK_PSN, "nack", "UET 3.5.10.10 table 3-40");
HEADER_DEFINE(pds_nack_rudi, PDS_NACK_RUDI, "nack_rudi",
	      "UET 3.5.10.10 table 3-40");
HEADER_DEFINE(pds_nack_ccx, PDS_NACK_CCX_SECTION, "nack_ccx",
	      "UET 3.5.10.11 table 3-41");
HEADER_DEFINE(pds_cp, PDS_CP_PLAIN, "cp", "UET 3.5.10.8 table 3-38");
HEADER_DEFINE_DERIVED(pds_cp_syn, PDS_CP_SYN, "cp_syn",
		      "UET 3.5.8.2, 3.5.10.8 table 3-38", cp_syn_derived);
HEADER_DEFINE(cp_payload, CP_PAYLOAD, "payload", "UET 3.5.16.8");
HEADER_DEFINE(cp_ack_request, CP_ACK_REQUEST, "ack_request", "UET 3.5.16.8");
HEADER_DEFINE(cp_clear, CP_CLEAR, "clear", "UET 3.5.16.3, 3.5.16.8");
HEADER_DEFINE(cp_probe, CP_PROBE, "probe", "UET 3.5.16.8");
HEADER_DEFINE(cp_credit, CP_CREDIT, "credit", "UET 3.5.16.8");
HEADER_DEFINE(cp_credit_request, CP_CREDIT_REQUEST, "credit_request",
	      "UET 3.5.16.8");
HEADER_DEFINE(cp_negotiation, CP_NEGOTIATION, "negotiation",
	      "UET 1.0.3 3.5.16.7.1 table 3-69");
HEADER_DEFINE(rudi_req, RUDI_REQ, "rudi_req", "UET 3.5.10.9 table 3-39");
HEADER_DEFINE(rudi_resp, RUDI_RESP, "rudi_resp", "UET 3.5.10.9 table 3-39");
HEADER_DEFINE(uud_req, UUD_REQ, "uud_req", "UET 3.5.10.12 table 3-42");
HEADER_DEFINE(entropy, ENTROPY, "entropy", "UET 3.5.10.1 table 3-31");
HEADER_DEFINE(tss, TSS, "tss", "UET 3.7.11 table 3-90");
HEADER_DEFINE(tss_ssi, TSS_SSI, "tss_ssi", "UET 3.7.11 table 3-90");
