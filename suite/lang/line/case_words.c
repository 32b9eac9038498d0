/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_words.c -- the words of post, configure, respond and
 * report lines.
 *
 * A verb of the control channel that cases may use needs a row here.
 */
#include "suite/lang/line/case_words.h"

#include "oracle/event.h"
#include "oracle/op.h"
#include "suite/lang/case.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* clang-format off */
const char *const post_verbs[] = {
	"send", "write", "read", "atomic", "post_recv", "expose", "ask_close",
	"send_cp", "ses_pds_tx_req", "ses_pds_tx_rsp", "ses_pds_tx_ret",
	"ses_pds_unlock", "ses_pds_eager_req",
	"create_qp", "modify_qp", "query_qp", "destroy_qp", "create_ah",
	"destroy_ah", "post_send",
	"mem_digest", "stats", "reset", NULL,
};

const char *const respond_verbs[] = {
	"gtd", "ok", "default", "manual", "with",
	NULL,
};

const char *const report_words[] = {
	[REPORT_DELIVERED] = "delivered",
	[REPORT_RECEIVED]  = "received",
	[REPORT_RETURNED]  = "returned",
	[REPORT_RESPONDED] = "responded",
	[REPORT_COMPLETED] = "completed",
	[REPORT_FAILED]    = "failed",
	[REPORT_ERROR]     = "error",
	[REPORT_PAUSED]    = "paused",
	[REPORT_RESUMED]   = "resumed",
	[REPORT_EAGER]     = "eager",
	[REPORT_UNRESPONSIVE] = "unresponsive",
	NULL,
};

static const char *const header_words[] = {"std", "medium", "small", NULL};
static const char *const mode_words[] = {"rud", "rod", "rudi", "uud", NULL};
static const char *const close_words[] = {"both", "cp", "ack", NULL};

static const struct value_name qp_types[] = {
	{QP_SRD, "srd"}, {QP_UD, "ud"}, {QP_RC, "rc"}, {0, NULL},
};

/* Whom an address handle leads to. */
static const struct value_name ah_peers[] = {
	{0, "tester"}, {1, "self"}, {0, NULL},
};

static const struct value_name qp_states[] = {
	{QP_RESET, "reset"}, {QP_INIT, "init"}, {QP_RTR, "rtr"},
	{QP_RTS, "rts"}, {QP_SQD, "sqd"}, {QP_SQE, "sqe"}, {QP_ERR, "err"},
	{0, NULL},
};

static const struct value_name wr_opcodes[] = {
	{WR_SEND, "send"}, {WR_WRITE, "write"}, {WR_READ, "read"},
	{WR_ATOMIC, "atomic"}, {0, NULL},
};

static const struct value_name wr_statuses[] = {
	{STATUS_OK, "ok"},
	{STATUS_LOCAL_LENGTH, "local_length"},
	{STATUS_LOCAL_QP_OP, "local_qp_operation"},
	{STATUS_LOCAL_PROTECTION, "local_protection"},
	{STATUS_FLUSHED, "flushed"},
	{STATUS_BAD_RESPONSE, "bad_response"},
	{STATUS_REMOTE_INVALID, "remote_invalid_request"},
	{STATUS_REMOTE_ACCESS, "remote_access"},
	{STATUS_REMOTE_OP, "remote_operation"},
	{STATUS_BAD_DEST_QP, "bad_dest_qp"},
	{STATUS_RNR, "rnr"},
	{STATUS_REMOTE_ABORT, "remote_abort"},
	{STATUS_TIMEOUT, "timeout"},
	{0, NULL},
};

const struct param_key post_keys[] = {
	{"len",        KEY_NUMBER, NULL, NULL},
	{"count",      KEY_NUMBER, NULL, NULL},
	{"offset",     KEY_NUMBER, NULL, NULL},
	{"key",        KEY_NUMBER, NULL, NULL},
	{"message_id", KEY_NUMBER, NULL, NULL},
	{"header",     KEY_WORD,   NULL, header_words},
	{"mode",       KEY_WORD,   NULL, mode_words},
	{"amo",        KEY_NAME,   amo_opcodes, NULL},
	{"datatype",   KEY_NAME,   amo_datatypes, NULL},
	{"operand",    KEY_NUMBER, NULL, NULL},
	{"compare",    KEY_NUMBER, NULL, NULL},
	{"fetch",      KEY_NUMBER, NULL, NULL},
	{"by",         KEY_WORD,   NULL, close_words},
	{"cp",         KEY_NAME,   pds_ctl_types, NULL},
	{"psn",        KEY_PSN,    NULL, NULL},
	{"payload",    KEY_NUMBER, NULL, NULL},
	{"som",        KEY_NUMBER, NULL, NULL},
	{"eom",        KEY_NUMBER, NULL, NULL},
	{"lock_pdc",   KEY_NUMBER, NULL, NULL},
	{"rsv_pdc",    KEY_NUMBER, NULL, NULL},
	{"tc",         KEY_NUMBER, NULL, NULL},
	{"gtd_del",    KEY_NUMBER, NULL, NULL},
	{"ses_nack",   KEY_NAME,   pds_nack_codes, NULL},
	{"eager_id",   KEY_NUMBER, NULL, NULL},
	{"rod_context",     KEY_NUMBER, NULL, NULL},
	{"tss_context",     KEY_NUMBER, NULL, NULL},
	{"rsv_pdc_context", KEY_NUMBER, NULL, NULL},
	{"rsv_ccc_context", KEY_NUMBER, NULL, NULL},
	{"qpn",        KEY_RESULT, NULL, NULL},
	{"ah",         KEY_RESULT, NULL, NULL},
	{"peer",       KEY_NAME,   ah_peers, NULL},
	{"type",       KEY_NAME,   qp_types, NULL},
	{"state",      KEY_NAME,   qp_states, NULL},
	{"opcode",     KEY_NAME,   wr_opcodes, NULL},
	{"depth",      KEY_NUMBER, NULL, NULL},
	{"dest_qp",    KEY_NUMBER, NULL, NULL},
	{"qkey",       KEY_NUMBER, NULL, NULL},
	{"imm",        KEY_NUMBER, NULL, NULL},
	{"lkey",       KEY_NUMBER, NULL, NULL},
	{"len2",       KEY_NUMBER, NULL, NULL},
	{"rq_psn",     KEY_NUMBER, NULL, NULL},
	{"sq_psn",     KEY_NUMBER, NULL, NULL},
	{"first",      KEY_NUMBER, NULL, NULL},
	{"last",       KEY_NUMBER, NULL, NULL},
	{"cache_bytes", KEY_NUMBER, NULL, NULL},
	{"cache_peak", KEY_NUMBER, NULL, NULL},
	{"bitmaps",    KEY_NUMBER, NULL, NULL},
	{"bitmap_bits", KEY_NUMBER, NULL, NULL},
	{"bitmap_set", KEY_NUMBER, NULL, NULL},
	{"bitmap_first", KEY_NUMBER, NULL, NULL},
	{NULL,         KEY_NUMBER, NULL, NULL},
};

#define SETTING_KEY(name) {#name, KEY_SETTING, NULL, NULL},
const struct param_key configure_keys[] = {
	ORC_SETTINGS(SETTING_KEY)
	{NULL, KEY_NUMBER, NULL, NULL},
};

const struct param_key respond_keys[] = {
	{"return_code", KEY_NAME,   ses_return_codes, NULL},
	{"nack",        KEY_NAME,   pds_nack_codes, NULL},
	{"delay",       KEY_SPAN,   NULL, NULL},
	{"times",       KEY_NUMBER, NULL, NULL},
	{NULL,          KEY_NUMBER, NULL, NULL},
};

const struct param_key report_keys[] = {
	{"op",          KEY_NUMBER, NULL, NULL},
	{"message_id",  KEY_NUMBER, NULL, NULL},
	{"psn",         KEY_PSN,    NULL, NULL},
	{"pkt_id",      KEY_NUMBER, NULL, NULL},
	{"len",         KEY_NUMBER, NULL, NULL},
	{"return_code", KEY_NAME,   ses_return_codes, NULL},
	{"nack_code",   KEY_NAME,   pds_nack_codes, NULL},
	{"rudi",        KEY_NUMBER, NULL, NULL},
	{"eager_id",    KEY_NUMBER, NULL, NULL},
	{"eager_size",  KEY_NUMBER, NULL, NULL},
	{"status",      KEY_NAME,   wr_statuses, NULL},
	{"qpn",         KEY_NUMBER, NULL, NULL},
	{"src_qp",      KEY_NUMBER, NULL, NULL},
	{"imm",         KEY_NUMBER, NULL, NULL},
	{"ah",          KEY_NUMBER, NULL, NULL},
	{NULL,          KEY_NUMBER, NULL, NULL},
};
/* clang-format on */
