/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The words of post, respond and report lines.  A verb of the control channel
 * that cases may use needs a row here.
 */
#include "oracle/op.h"
#include "suite/case_parse.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

/* clang-format off */
const char *const post_verbs[] = {
	"send", "write", "read", "atomic", "post_recv", "expose", "ask_close",
	NULL,
};

const char *const respond_verbs[] = {
	"gtd", "ok", "default", "with",
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
	NULL,
};

static const char *const header_words[] = {"std", "medium", "small", NULL};
static const char *const mode_words[] = {"rud", "rod", "rudi", "uud", NULL};
static const char *const close_words[] = {"both", "cp", "ack", NULL};

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
	{NULL,         KEY_NUMBER, NULL, NULL},
};

#define SETTING_KEY(name) {#name, KEY_NUMBER, NULL, NULL},
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
	{"len",         KEY_NUMBER, NULL, NULL},
	{"return_code", KEY_NAME,   ses_return_codes, NULL},
	{"nack_code",   KEY_NAME,   pds_nack_codes, NULL},
	{NULL,          KEY_NUMBER, NULL, NULL},
};
/* clang-format on */
