/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_words.c -- the words of post, configure, respond, report
 * and check lines.
 *
 * The verbs of post lines and the words of their values are those of the
 * control channel (suite/dut/ctl).
 */
#include "suite/lang/line/case_words.h"

#include "oracle/op.h"
#include "suite/dut/ctl/ctl_words.h"
#include "suite/lang/case.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* clang-format off */
const char *const respond_verbs[] = {
	"gtd", "ok", "default", "manual", "defer", "with",
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

const char *const check_words[] = {
	[CHECK_LT] = "<",
	[CHECK_LE] = "<=",
	[CHECK_EQ] = "=",
	[CHECK_NE] = "!=",
	[CHECK_GE] = ">=",
	[CHECK_GT] = ">",
	NULL,
};

/* The destination of an address handle. */
static const struct value_name ah_peers[] = {
	{0, "tester"}, {1, "self"}, {0, NULL},
};

const struct param_key post_keys[] = {
	{"len",        KEY_NUMBER, NULL},
	{"count",      KEY_NUMBER, NULL},
	{"offset",     KEY_NUMBER, NULL},
	{"key",        KEY_NUMBER, NULL},
	{"message_id", KEY_NUMBER, NULL},
	{"header",     KEY_WORD,   ctl_headers},
	{"mode",       KEY_WORD,   ctl_modes},
	{"amo",        KEY_NAME,   amo_opcodes},
	{"datatype",   KEY_NAME,   amo_datatypes},
	{"operand",    KEY_NUMBER, NULL},
	{"compare",    KEY_NUMBER, NULL},
	{"fetch",      KEY_NUMBER, NULL},
	{"tagged",     KEY_NUMBER, NULL},
	{"tag",        KEY_NUMBER, NULL},
	{"deferrable", KEY_NUMBER, NULL},
	{"rendezvous", KEY_NUMBER, NULL},
	{"eager",      KEY_NUMBER, NULL},
	{"by",         KEY_WORD,   ctl_closes},
	{"cp",         KEY_NAME,   pds_ctl_types},
	{"psn",        KEY_PSN,    NULL},
	{"payload",    KEY_NUMBER, NULL},
	{"som",        KEY_NUMBER, NULL},
	{"eom",        KEY_NUMBER, NULL},
	{"lock_pdc",   KEY_NUMBER, NULL},
	{"rsv_pdc",    KEY_NUMBER, NULL},
	{"tc",         KEY_NUMBER, NULL},
	{"gtd_del",    KEY_NUMBER, NULL},
	{"ses_nack",   KEY_NAME,   pds_nack_codes},
	{"eager_id",   KEY_NUMBER, NULL},
	{"rod_context",     KEY_NUMBER, NULL},
	{"tss_context",     KEY_NUMBER, NULL},
	{"rsv_pdc_context", KEY_NUMBER, NULL},
	{"rsv_ccc_context", KEY_NUMBER, NULL},
	{"qpn",        KEY_RESULT, NULL},
	{"ah",         KEY_RESULT, NULL},
	{"peer",       KEY_NAME,   ah_peers},
	{"type",       KEY_NAME,   ctl_qp_types},
	{"state",      KEY_NAME,   ctl_qp_states},
	{"opcode",     KEY_NAME,   ctl_wr_opcodes},
	{"depth",      KEY_NUMBER, NULL},
	{"dest_qp",    KEY_NUMBER, NULL},
	{"qkey",       KEY_NUMBER, NULL},
	{"imm",        KEY_NUMBER, NULL},
	{"lkey",       KEY_NUMBER, NULL},
	{"len2",       KEY_NUMBER, NULL},
	{"rq_psn",     KEY_NUMBER, NULL},
	{"sq_psn",     KEY_NUMBER, NULL},
	{"first",      KEY_NUMBER, NULL},
	{"last",       KEY_NUMBER, NULL},
	{"cache_bytes", KEY_NUMBER, NULL},
	{"cache_peak", KEY_NUMBER, NULL},
	{"bitmaps",    KEY_NUMBER, NULL},
	{"bitmap_bits", KEY_NUMBER, NULL},
	{"bitmap_set", KEY_NUMBER, NULL},
	{"bitmap_first", KEY_NUMBER, NULL},
	{NULL,         KEY_NUMBER, NULL},
};

#define SETTING_KEY(name) {#name, KEY_SETTING, NULL},
const struct param_key configure_keys[] = {
	ORC_SETTINGS(SETTING_KEY)
	{NULL, KEY_NUMBER, NULL},
};

const struct param_key respond_keys[] = {
	{"return_code", KEY_NAME,   ses_return_codes},
	{"nack",        KEY_NAME,   pds_nack_codes},
	{"delay",       KEY_SPAN,   NULL},
	{"times",       KEY_NUMBER, NULL},
	{NULL,          KEY_NUMBER, NULL},
};

const struct param_key report_keys[] = {
	{"op",          KEY_NUMBER, NULL},
	{"message_id",  KEY_NUMBER, NULL},
	{"psn",         KEY_PSN,    NULL},
	{"pkt_id",      KEY_NUMBER, NULL},
	{"len",         KEY_NUMBER, NULL},
	{"return_code", KEY_NAME,   ses_return_codes},
	{"nack_code",   KEY_NAME,   pds_nack_codes},
	{"rudi",        KEY_NUMBER, NULL},
	{"eager_id",    KEY_NUMBER, NULL},
	{"eager_size",  KEY_NUMBER, NULL},
	{"status",      KEY_NAME,   ctl_statuses},
	{"qpn",         KEY_NUMBER, NULL},
	{"src_qp",      KEY_NUMBER, NULL},
	{"imm",         KEY_NUMBER, NULL},
	{"ah",          KEY_NUMBER, NULL},
	{NULL,          KEY_NUMBER, NULL},
};
/* clang-format on */
