/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_json.c -- the messages of the control channel as JSON
 * lines, both ways.
 *
 * Each kind of message has one table: key, type, member, range, and the verbs
 * or events that carry it.  Printer and parser both walk the table, so each
 * printed line can be read back, and docs/dut-control.md has one place to agree
 * with.
 */
#include "suite/dut/ctl/ctl_json.h"

#include "suite/dut/ctl/ctl.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/err.h"

enum key_type {
	KEY_UINT, /* |size| bytes wide, up to |max| */
	KEY_BOOL,
	KEY_ENUM,   /* one of |names|, kept as its index */
	KEY_ADDR,   /* struct ip_addr */
	KEY_TEXT,   /* char[size], cut to fit */
	KEY_WORDS,  /* char[size]: a list of strings, joined by spaces */
	KEY_OBJECT, /* char[size]: an object, as text */
	KEY_PKT,    /* op.pds.pkt of a request, as hexadecimal digits */
	KEY_REASON, /* reason of an event */
};

struct ctl_json_key {
	const char *name;
	enum key_type type;
	size_t at, size;
	uint64_t max;
	const char *const *names;
	uint32_t in;   /* verbs or events that carry it, a bit each */
	uint32_t must; /* of them, those that cannot do without */
};

/* clang-format off */
#define VERBS(X)                                                            \
	X(HELLO,       "hello",             CTL_HELLO,       OP_SEND)       \
	X(RESET,       "reset",             CTL_RESET,       OP_SEND)       \
	X(STATS,       "stats",             CTL_STATS,       OP_SEND)       \
	X(MEM_DIGEST,  "mem_digest",        CTL_MEM_DIGEST,  OP_SEND)       \
	X(COMPLETIONS, "completions",       CTL_COMPLETIONS, OP_SEND)       \
	X(SEND,        "send",              CTL_OP, OP_SEND)                \
	X(WRITE,       "write",             CTL_OP, OP_WRITE)               \
	X(READ,        "read",              CTL_OP, OP_READ)                \
	X(POST_RECV,   "post_recv",         CTL_OP, OP_POST_RECV)           \
	X(EXPOSE,      "expose",            CTL_OP, OP_EXPOSE)              \
	X(ATOMIC,      "atomic",            CTL_OP, OP_ATOMIC)              \
	X(SES_POLICY,  "ses_policy",        CTL_OP, OP_SES_POLICY)          \
	X(TX_REQ,      "ses_pds_tx_req",    CTL_OP, OP_SES_PDS_TX_REQ)      \
	X(TX_RSP,      "ses_pds_tx_rsp",    CTL_OP, OP_SES_PDS_TX_RSP)      \
	X(TX_RET,      "ses_pds_tx_ret",    CTL_OP, OP_SES_PDS_TX_RET)      \
	X(UNLOCK,      "ses_pds_unlock",    CTL_OP, OP_SES_PDS_UNLOCK)      \
	X(EAGER_REQ,   "ses_pds_eager_req", CTL_OP, OP_SES_PDS_EAGER_REQ)   \
	X(ASK_CLOSE,   "ask_close",         CTL_OP, OP_ASK_CLOSE)           \
	X(SEND_CP,     "send_cp",           CTL_OP, OP_SEND_CP)             \
	X(CREATE_QP,   "create_qp",         CTL_OP, OP_CREATE_QP)           \
	X(MODIFY_QP,   "modify_qp",         CTL_OP, OP_MODIFY_QP)           \
	X(QUERY_QP,    "query_qp",          CTL_OP, OP_QUERY_QP)            \
	X(DESTROY_QP,  "destroy_qp",        CTL_OP, OP_DESTROY_QP)          \
	X(CREATE_AH,   "create_ah",         CTL_OP, OP_CREATE_AH)           \
	X(DESTROY_AH,  "destroy_ah",        CTL_OP, OP_DESTROY_AH)          \
	X(POST_SEND,   "post_send",         CTL_OP, OP_POST_SEND)           \
	X(POLL_CQ,     "poll_cq",           CTL_COMPLETIONS, OP_SEND)       \
	X(CONFIGURE,   "configure",         CTL_OP, OP_CONFIGURE)

#define VERB_BIT(word, text, verb, op) IN_##word = 1u << V_##word,
#define VERB_INDEX(word, text, verb, op) V_##word,
#define VERB_ROW(word, text, verb, op) {text, verb, op},
#define VERB_TEXT(word, text, verb, op) " " text

enum { VERBS(VERB_INDEX) V_COUNT };
enum { VERBS(VERB_BIT) };

static const struct verb {
	const char *name;
	enum ctl_verb verb;
	enum op_kind op;
} verbs[] = {VERBS(VERB_ROW)};

static const char *const header_names[] = {"std", "medium", "small", NULL};
static const char *const mode_names[] = {"rud", "rod", "rudi", "uud", NULL};
static const char *const gtd_names[] = {"auto", "no", "yes", NULL};
static const char *const qp_types[] = {"srd", "ud", "rc", NULL};
static const char *const qp_states[] = {
	"reset", "init", "rtr", "rts", "sqd", "sqe", "err", NULL};
static const char *const wr_opcodes[] = {
	"send", "write", "read", "atomic", NULL};
static const char *const close_names[] = {"both", "cp", "ack", NULL};
/* By number, as in table 3-38. */
static const char *const cp_names[] = {
	"noop", "ack_request", "clear_command", "clear_request",
	"close_command", "close_request", "probe", "credit", "credit_request",
	"negotiation", NULL};
/* By number, as in tables 3-21 and 3-22. */
static const char *const amo_names[] = {
	"min", "max", "sum", "diff", "prod", "lor", "land", "bor", "band",
	"lxor", "bxor", "read", "write", "cswap", "cswap_ne", "cswap_le",
	"cswap_lt", "cswap_ge", "cswap_gt", "mswap", "inval", NULL};
static const char *const datatype_names[] = {
	"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
	"uint64", "int128", "uint128", "float", "double", "float_complex",
	"double_complex", "long_double", "long_double_complex", "bf16", "fp16",
	NULL};
#define SETTING_NAME(name) #name,
static const char *const setting_names[] = {ORC_SETTINGS(SETTING_NAME) NULL};

#define IN_MESSAGE (IN_SEND | IN_WRITE | IN_READ)
#define IN_REQUEST (IN_MESSAGE | IN_ATOMIC)
#define IN_PACKET (IN_TX_REQ | IN_TX_RET)
#define IN_QP (IN_MODIFY_QP | IN_QUERY_QP | IN_DESTROY_QP | IN_POST_SEND)

#define SIZE_OF(type, member) sizeof(((type *)NULL)->member)
#define ROW(type, kind, key, member, max, names, in, must)                  \
	{key, kind, offsetof(type, member), SIZE_OF(type, member), max,     \
	 names, in, must}
#define REQ(kind, key, member, max, names, in, must)                        \
	ROW(struct ctl_req, kind, key, member, max, names, in, must)
#define REQ_UINT(key, member, max, in, must)                                \
	REQ(KEY_UINT, key, member, max, NULL, in, must)
#define REQ_BOOL(key, member, in)                                           \
	REQ(KEY_BOOL, key, member, 1, NULL, in, 0)
#define REQ_ENUM(key, member, names, in)                                    \
	REQ(KEY_ENUM, key, member, 0, names, in, 0)

static const struct ctl_json_key req_keys[] = {
	REQ_UINT("version", version, UINT32_MAX, IN_HELLO, IN_HELLO),
	REQ_UINT("seed", seed, UINT64_MAX, IN_RESET, 0),
	REQ_UINT("key", key, UINT64_MAX, IN_MEM_DIGEST, 0),
	REQ_UINT("handle", op.handle, UINT32_MAX,
		 IN_REQUEST | IN_POST_RECV | IN_EXPOSE | IN_POST_SEND, 0),
	REQ_UINT("tx_pkt_handle", op.handle, UINT32_MAX, IN_PACKET, 0),
	REQ_UINT("rx_pkt_handle", op.pds.rx_pkt_handle, UINT32_MAX, IN_TX_RSP,
		 IN_TX_RSP),
	REQ(KEY_ADDR, "peer", op.peer, 0, NULL,
	    IN_REQUEST | IN_PACKET | IN_EAGER_REQ | IN_UNLOCK | IN_ASK_CLOSE |
		    IN_SEND_CP | IN_CREATE_AH | IN_MODIFY_QP,
	    IN_REQUEST | IN_TX_REQ | IN_ASK_CLOSE | IN_SEND_CP |
		    IN_CREATE_AH),
	REQ_ENUM("mode", op.mode, mode_names,
		 IN_REQUEST | IN_PACKET | IN_EAGER_REQ | IN_SEND_CP),
	REQ_ENUM("header", op.header, header_names, IN_REQUEST),
	REQ_UINT("msg_id", op.message_id, UINT16_MAX,
		 IN_REQUEST | IN_PACKET | IN_UNLOCK, IN_UNLOCK),
	REQ_UINT("len", op.len, UINT32_MAX,
		 IN_MESSAGE | IN_POST_RECV | IN_EXPOSE | IN_POST_SEND,
		 IN_MESSAGE | IN_POST_RECV | IN_EXPOSE | IN_POST_SEND),
	REQ_UINT("count", op.count, UINT32_MAX, IN_POST_RECV | IN_POST_SEND,
		 0),
	REQ_UINT("key", op.key, UINT64_MAX,
		 IN_WRITE | IN_READ | IN_ATOMIC | IN_EXPOSE | IN_POST_SEND,
		 IN_EXPOSE),
	REQ_UINT("offset", op.offset, UINT64_MAX,
		 IN_WRITE | IN_READ | IN_ATOMIC | IN_EXPOSE | IN_POST_SEND,
		 0),
	REQ(KEY_ENUM, "amo", op.amo.opcode, 0, amo_names, IN_ATOMIC, IN_ATOMIC),
	REQ(KEY_ENUM, "datatype", op.amo.datatype, 0, datatype_names,
	    IN_ATOMIC, IN_ATOMIC),
	REQ_UINT("operand", op.amo.operand, UINT64_MAX, IN_ATOMIC, 0),
	REQ_UINT("compare", op.amo.compare, UINT64_MAX, IN_ATOMIC, 0),
	REQ_BOOL("fetch", op.amo.fetch, IN_ATOMIC),
	REQ_ENUM("by", op.close, close_names, IN_ASK_CLOSE),
	REQ(KEY_ENUM, "cp", op.cp.ctl_type, 0, cp_names, IN_SEND_CP,
	    IN_SEND_CP),
	REQ_UINT("psn", op.cp.psn, UINT32_MAX, IN_SEND_CP, 0),
	REQ_UINT("payload", op.cp.payload, UINT32_MAX, IN_SEND_CP, 0),

	REQ_UINT("count", op.policy.count, UINT32_MAX, IN_SES_POLICY, 0),
	REQ_ENUM("gtd", op.policy.gtd, gtd_names, IN_SES_POLICY),
	REQ_UINT("return_code", op.policy.return_code, 63, IN_SES_POLICY, 0),
	REQ_UINT("nack_code", op.policy.nack_code, 255, IN_SES_POLICY, 0),
	REQ_UINT("delay_ns", op.policy.delay, INT64_MAX, IN_SES_POLICY, 0),
	REQ_BOOL("manual", op.policy.manual, IN_SES_POLICY),

	REQ_UINT("rod_context", op.pds.rod_context, UINT16_MAX, IN_PACKET, 0),
	REQ_UINT("tss_context", op.pds.tss_context, UINT16_MAX, IN_PACKET, 0),
	REQ_BOOL("rsv_pdc", op.pds.rsv_pdc, IN_PACKET),
	REQ_UINT("rsv_pdc_context", op.pds.rsv_pdc_context, UINT16_MAX,
		 IN_PACKET, 0),
	REQ_UINT("rsv_ccc_context", op.pds.rsv_ccc_context, UINT16_MAX,
		 IN_PACKET, 0),
	REQ_UINT("tc", op.pds.tc, 255, IN_PACKET | IN_EAGER_REQ, 0),
	REQ_UINT("next_hdr", op.pds.next_hdr, 15, IN_PACKET | IN_TX_RSP, 0),
	REQ_BOOL("som", op.pds.som, IN_PACKET),
	REQ_BOOL("eom", op.pds.eom, IN_PACKET),
	REQ_BOOL("lock_pdc", op.pds.lock_pdc, IN_PACKET),
	REQ_BOOL("return_data", op.pds.return_data, IN_TX_RET),
	REQ_UINT("orig_pdcid", op.pds.orig_pdcid, UINT16_MAX, IN_TX_RET, 0),
	REQ_UINT("orig_psn", op.pds.orig_psn, UINT32_MAX, IN_TX_RET, 0),
	REQ_BOOL("gtd_del", op.pds.gtd_del, IN_TX_RSP),
	REQ_UINT("ses_nack", op.pds.ses_nack, 255, IN_TX_RSP, 0),
	REQ_UINT("eager_id", op.pds.eager_id, UINT16_MAX, IN_EAGER_REQ, 0),
	REQ_UINT("qpn", op.vb.qpn, 0xffffff, IN_QP | IN_POST_RECV, IN_QP),
	REQ_ENUM("type", op.vb.type, qp_types, IN_CREATE_QP),
	REQ_UINT("depth", op.vb.depth, UINT32_MAX, IN_CREATE_QP, 0),
	REQ(KEY_ENUM, "state", op.vb.state, 0, qp_states, IN_MODIFY_QP,
	    IN_MODIFY_QP),
	REQ_UINT("ah", op.vb.ah, UINT32_MAX, IN_DESTROY_AH | IN_POST_SEND,
		 IN_DESTROY_AH | IN_POST_SEND),
	REQ_UINT("dest_qp", op.vb.dest_qp, 0xffffff,
		 IN_POST_SEND | IN_MODIFY_QP, 0),
	REQ_UINT("rq_psn", op.vb.rq_psn, 0xffffff, IN_MODIFY_QP, 0),
	REQ_UINT("sq_psn", op.vb.sq_psn, 0xffffff, IN_MODIFY_QP, 0),
	REQ_UINT("qkey", op.vb.qkey, UINT32_MAX, IN_POST_SEND | IN_MODIFY_QP,
		 0),
	REQ_ENUM("opcode", op.vb.opcode, wr_opcodes, IN_POST_SEND),
	REQ_UINT("len2", op.vb.len2, UINT32_MAX, IN_POST_SEND, 0),
	REQ_UINT("lkey", op.vb.lkey, UINT32_MAX, IN_POST_SEND | IN_POST_RECV,
		 0),
	REQ_BOOL("with_imm", op.vb.with_imm, IN_POST_SEND),
	REQ_UINT("imm", op.vb.imm, UINT32_MAX, IN_POST_SEND, 0),

	REQ(KEY_ENUM, "setting", op.setting, 0, setting_names, IN_CONFIGURE,
	    IN_CONFIGURE),
	REQ_UINT("value", op.value, UINT64_MAX, IN_CONFIGURE, IN_CONFIGURE),
	REQ(KEY_PKT, "pkt", pkt, 0, NULL, IN_PACKET | IN_TX_RSP, 0),
};

#define ANS(kind, key, member, max)                                         \
	ROW(struct ctl_ans, kind, key, member, max, NULL, 1, 0)

static const struct ctl_json_key ans_keys[] = {
	ANS(KEY_BOOL, "ok", ok, 1),
	ANS(KEY_TEXT, "error", error, 0),
	ANS(KEY_TEXT, "name", name, 0),
	ANS(KEY_UINT, "version", version, UINT32_MAX),
	ANS(KEY_WORDS, "verbs", verbs, 0),
	ANS(KEY_UINT, "digest", digest, UINT32_MAX),
	ANS(KEY_UINT, "digest_len", digest_len, UINT64_MAX),
	ANS(KEY_OBJECT, "stats", stats, 0),
	ANS(KEY_UINT, "qpn", result.qpn, 0xffffff),
	ANS(KEY_UINT, "ah", result.ah, UINT32_MAX),
	ROW(struct ctl_ans, KEY_ENUM, "state", result.state, 0, qp_states, 1,
	    0),
};

static const char *const event_names[] = {
	[EV_PDS_SES_RX_REQ] = "pds_ses_rx_req",
	[EV_PDS_SES_RX_RSP] = "pds_ses_rx_rsp",
	[EV_PDS_SES_RX_RET] = "pds_ses_rx_ret",
	[EV_PDS_SES_EAGER_SIZE] = "pds_ses_eager_size",
	[EV_PDS_PAUSE] = "pds_pause",
	[EV_PDS_SES_ERROR] = "pds_ses_error",
	[EV_COMPLETION] = "completion",
	[EV_RECV] = "recv",
	[EV_DROP] = "drop",
	[EV_PDC] = "pdc",
	[EV_UNRESPONSIVE] = "unresponsive",
	NULL,
};

static const char *const status_names[] = {
	[STATUS_OK] = "ok",
	[STATUS_REFUSED] = "refused",
	[STATUS_RETRIES] = "retries",
	[STATUS_FATAL] = "fatal",
	[STATUS_CLOSED] = "closed",
	[STATUS_LOCAL_LENGTH] = "local_length",
	[STATUS_LOCAL_QP_OP] = "local_qp_operation",
	[STATUS_LOCAL_PROTECTION] = "local_protection",
	[STATUS_FLUSHED] = "flushed",
	[STATUS_BAD_RESPONSE] = "bad_response",
	[STATUS_REMOTE_INVALID] = "remote_invalid_request",
	[STATUS_REMOTE_ACCESS] = "remote_access",
	[STATUS_REMOTE_OP] = "remote_operation",
	[STATUS_BAD_DEST_QP] = "bad_dest_qp",
	[STATUS_RNR] = "rnr",
	[STATUS_REMOTE_ABORT] = "remote_abort",
	[STATUS_TIMEOUT] = "timeout",
	NULL,
};

#define IS(event) (1u << EV_##event)
#define IS_RX_PKT (IS(PDS_SES_RX_REQ) | IS(PDS_SES_RX_RET))
#define IS_ANY UINT32_MAX

#define EVENT(kind, key, member, max, names, in, must)                      \
	ROW(struct orc_event, kind, key, member, max, names, in, must)
#define EVENT_UINT(key, member, max)                                        \
	EVENT(KEY_UINT, key, member, max, NULL, IS_ANY, 0)
#define EVENT_BOOL(key, member)                                             \
	EVENT(KEY_BOOL, key, member, 1, NULL, IS_ANY, 0)

static const struct ctl_json_key event_keys[] = {
	EVENT(KEY_UINT, "rx_pkt_handle", handle, UINT32_MAX, NULL, IS_RX_PKT,
	      IS_RX_PKT),
	EVENT(KEY_UINT, "tx_pkt_handle", handle, UINT32_MAX, NULL,
	      IS(PDS_SES_RX_RSP), IS(PDS_SES_RX_RSP)),
	EVENT(KEY_UINT, "handle", handle, UINT32_MAX, NULL,
	      ~(IS_RX_PKT | IS(PDS_SES_RX_RSP)), IS(COMPLETION)),
	EVENT(KEY_ENUM, "status", status, 0, status_names, IS_ANY,
	      IS(COMPLETION)),
	EVENT_UINT("msg_id", message_id, UINT16_MAX),
	EVENT_UINT("orig_pdcid", orig_pdcid, UINT16_MAX),
	EVENT_UINT("orig_psn", orig_psn, UINT32_MAX),
	EVENT_UINT("next_hdr", next_hdr, 15),
	EVENT_UINT("opcode", opcode, 63),
	EVENT_UINT("return_code", return_code, 63),
	EVENT_UINT("nack_code", nack_code, 255),
	EVENT_BOOL("som", som),
	EVENT_BOOL("eom", eom),
	EVENT_UINT("len", len, UINT32_MAX),
	EVENT_UINT("eager_id", eager_id, UINT16_MAX),
	EVENT_UINT("eager_size", eager_size, UINT32_MAX),
	EVENT_BOOL("pdc_pause", pdc_pause),
	EVENT_BOOL("rudi_pause", rudi_pause),
	EVENT_UINT("qpn", qpn, 0xffffff),
	EVENT_UINT("src_qp", src_qp, 0xffffff),
	EVENT_BOOL("with_imm", with_imm),
	EVENT_UINT("imm", imm, UINT32_MAX),
	EVENT_UINT("ah", ah, UINT32_MAX),
	EVENT(KEY_REASON, "reason", reason, 0, NULL, IS_ANY, 0),
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static_assert(V_COUNT <= 32, "a verb is a bit of 32");
static_assert(sizeof(enum op_mode) == sizeof(uint32_t), "enums are 32 bits");
static_assert(offsetof(struct orc_op, kind) == 0, "offsetof reaches inside");

const char *ctl_verbs(void)
{
	static const char all[] = VERBS(VERB_TEXT);

	return all + 1;
}

const char *ctl_verb_name(enum op_kind kind)
{
	for (size_t i = 0; i < COUNT(verbs); i++)
		if (verbs[i].verb == CTL_OP && verbs[i].op == kind)
			return verbs[i].name;
	return "unknown";
}

const char *ctl_status_name(enum orc_status status)
{
	if ((size_t)status < COUNT(status_names) - 1)
		return status_names[status];
	return "unknown";
}

const char *ctl_qp_state_name(enum qp_state state)
{
	if (state < QP_STATES)
		return qp_states[state];
	return "unknown";
}

const char *ctl_setting_name(enum orc_setting setting)
{
	if (setting < SETTING_COUNT)
		return setting_names[setting];
	return "unknown";
}

const char *ctl_event_name(enum orc_event_kind kind)
{
	if ((size_t)kind < COUNT(event_names) - 1)
		return event_names[kind];
	return "unknown";
}

/* ---- Members of any width ---- */

static uint64_t ctl_json_load(const struct ctl_json_key *k, const void *base)
{
	const uint8_t *p = (const uint8_t *)base + k->at;
	uint8_t b1;
	uint16_t b2;
	uint32_t b4;
	uint64_t b8;

	switch (k->size) {
	case sizeof(b1):
		memcpy(&b1, p, sizeof(b1));
		return b1;
	case sizeof(b2):
		memcpy(&b2, p, sizeof(b2));
		return b2;
	case sizeof(b4):
		memcpy(&b4, p, sizeof(b4));
		return b4;
	default:
		memcpy(&b8, p, sizeof(b8));
		return b8;
	}
}

static void ctl_json_store(const struct ctl_json_key *k, void *base,
			   uint64_t value)
{
	uint8_t *p = (uint8_t *)base + k->at;
	uint8_t b1 = (uint8_t)value;
	uint16_t b2 = (uint16_t)value;
	uint32_t b4 = (uint32_t)value;

	switch (k->size) {
	case sizeof(b1):
		memcpy(p, &b1, sizeof(b1));
		break;
	case sizeof(b2):
		memcpy(p, &b2, sizeof(b2));
		break;
	case sizeof(b4):
		memcpy(p, &b4, sizeof(b4));
		break;
	default:
		memcpy(p, &value, sizeof(value));
		break;
	}
}

/* Printing */
static int ctl_json_append(const char *s, size_t len, void *ctx)
{
	text_add(ctx, s, len);
	return 0;
}

/* Bytes that are no UTF-8 become question marks: a line stays a line. */
static void print_string(struct text *t, const char *s)
{
	size_t len = strlen(s);
	json_t *j = json_stringn(s, len);

	if (j) {
		json_dump_callback(j, ctl_json_append, t, JSON_ENCODE_ANY);
		json_decref(j);
		return;
	}
	text_puts(t, "\"");
	for (size_t i = 0; i < len; i++)
		if (s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\')
			text_add(t, &s[i], 1);
		else
			text_puts(t, "?");
	text_puts(t, "\"");
}

static void print_words(struct text *t, const char *words)
{
	const char *comma = "";

	text_puts(t, "[");
	for (const char *w = words; *w;) {
		size_t n = strcspn(w, " ");

		text_printf(t, "%s\"%.*s\"", comma, (int)n, w);
		comma = ",";
		w += n + strspn(w + n, " ");
	}
	text_puts(t, "]");
}

static void print_pkt(struct text *t, const struct ctl_req *r)
{
	static const char digit[] = "0123456789abcdef";

	text_puts(t, "\"");
	for (size_t i = 0; i < r->op.pds.pkt_len; i++) {
		uint8_t b = r->op.pds.pkt[i];
		const char pair[2] = {digit[b >> 4], digit[b & 15]};

		text_add(t, pair, sizeof(pair));
	}
	text_puts(t, "\"");
}

static void print_uint(struct text *t, uint64_t value)
{
	if (value > INT64_MAX)
		text_printf(t, "\"0x%llx\"", (unsigned long long)value);
	else
		text_printf(t, "%llu", (unsigned long long)value);
}

static void print_addr(struct text *t, const struct ip_addr *a)
{
	char s[IP_ADDR_TEXT];

	ip_addr_print(a, s);
	text_printf(t, "\"%s\"", s);
}

/* The reason member of an event, by its row. */
static const char *reason_of(const struct ctl_json_key *k, const void *base)
{
	const char *s;

	memcpy(&s, (const uint8_t *)base + k->at, sizeof(s));
	return s;
}

/* A member that is zero, empty or none need not be told. */
static bool is_empty(const struct ctl_json_key *k, const void *base)
{
	const uint8_t *p = (const uint8_t *)base + k->at;

	switch (k->type) {
	case KEY_UINT:
	case KEY_BOOL:
	case KEY_ENUM:
		return ctl_json_load(k, base) == 0;
	case KEY_PKT:
		return ((const struct ctl_req *)base)->op.pds.pkt_len == 0;
	case KEY_REASON:
		return !reason_of(k, base);
	default: /* the length of an address, the first character of a text */
		return *p == 0;
	}
}

static const char *enum_name(const struct ctl_json_key *k, uint64_t value)
{
	for (uint64_t i = 0; k->names[i]; i++)
		if (i == value)
			return k->names[i];
	return "unknown";
}

static void ctl_json_print_value(struct text *t, const struct ctl_json_key *k,
				 const void *base)
{
	const void *member = (const uint8_t *)base + k->at;

	switch (k->type) {
	case KEY_UINT:
		print_uint(t, ctl_json_load(k, base));
		break;
	case KEY_BOOL:
		text_puts(t, ctl_json_load(k, base) ? "true" : "false");
		break;
	case KEY_ENUM:
		text_printf(t, "\"%s\"", enum_name(k, ctl_json_load(k, base)));
		break;
	case KEY_ADDR:
		print_addr(t, member);
		break;
	case KEY_TEXT:
		print_string(t, member);
		break;
	case KEY_WORDS:
		print_words(t, member);
		break;
	case KEY_OBJECT:
		text_puts(t, member);
		break;
	case KEY_PKT:
		print_pkt(t, base);
		break;
	case KEY_REASON:
		print_string(t, reason_of(k, base));
		break;
	}
}

static void print_keys(struct text *t, const struct ctl_json_key *keys,
		       size_t n, const void *base, uint32_t bit)
{
	for (const struct ctl_json_key *k = keys; k < keys + n; k++) {
		if (!(k->in & bit))
			continue;
		if (!(k->must & bit) && is_empty(k, base))
			continue;
		text_printf(t, ",\"%s\":", k->name);
		ctl_json_print_value(t, k, base);
	}
}

/* The row of a request's verb, or NULL. */
static const struct verb *req_verb(const struct ctl_req *r)
{
	for (size_t i = 0; i < COUNT(verbs); i++) {
		if (verbs[i].verb != r->verb)
			continue;
		if (r->verb != CTL_OP || verbs[i].op == r->op.kind)
			return &verbs[i];
	}
	return NULL;
}

static void print_version(struct text *t, const struct ctl_req *r)
{
	uint32_t version = r->version ? r->version : CTL_VERSION;

	text_printf(t, ",\"version\":%u", version);
}

void ctl_req_print(struct text *t, const struct ctl_req *r)
{
	const struct verb *v = req_verb(r);

	text_puts(t, "{\"id\":");
	print_uint(t, r->id);
	text_puts(t, ",\"verb\":");
	print_string(t, v ? v->name : r->name);
	if (v && v->verb == CTL_HELLO)
		print_version(t, r);
	else if (v)
		print_keys(t, req_keys, COUNT(req_keys), r, 1u << (v - verbs));
	text_puts(t, "}\n");
}

void ctl_ans_print(struct text *t, const struct ctl_ans *a)
{
	text_puts(t, "{\"id\":");
	print_uint(t, a->id);
	if (a->ok) {
		print_keys(t, ans_keys, COUNT(ans_keys), a, 1);
	} else {
		text_puts(t, ",\"error\":");
		print_string(t, a->error[0] ? a->error : "failed");
	}
	text_puts(t, "}\n");
}

void ctl_event_print(struct text *t, const struct orc_event *ev)
{
	text_printf(t, "{\"event\":\"%s\"", ctl_event_name(ev->kind));
	print_keys(t, event_keys, COUNT(event_keys), ev, 1u << ev->kind);
	text_puts(t, "}\n");
}

void ctl_token_print(struct text *t, const char *token)
{
	text_puts(t, "{\"token\":");
	print_string(t, token);
	text_puts(t, "}\n");
}

/* Parsing */
struct ctl_json_reader {
	const char *line;
	size_t len;
	struct diag *diag;
	char *reason; /* where the reason of an event is kept */
	size_t reason_size;
};

/* Column of "key" in the line, or 1. */
static unsigned column_of(const struct ctl_json_reader *r, const char *key)
{
	size_t n = strlen(key);

	for (size_t i = 0; i + n + 2 <= r->len; i++)
		if (r->line[i] == '"' && !memcmp(r->line + i + 1, key, n) &&
		    r->line[i + 1 + n] == '"')
			return (unsigned)i + 1;
	return 1;
}

static int ctl_json_say(const struct ctl_json_reader *r, unsigned col,
			const char *text)
{
	char head[sizeof(r->diag->source)];
	size_t n = r->len < sizeof(head) - 1 ? r->len : sizeof(head) - 1;

	for (size_t i = 0; i < n; i++)
		head[i] = r->line[i] ? r->line[i] : '?';
	head[n] = 0;
	return diag_set(r->diag, "control", 0, col, head, "%s", text);
}

__attribute__((format(printf, 3, 4))) static int
refuse(const struct ctl_json_reader *r, const char *key, const char *fmt, ...)
{
	char text[sizeof(r->diag->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return ctl_json_say(r, column_of(r, key), text);
}

static void list_names(struct text *t, const struct ctl_json_key *k)
{
	text_puts(t, "one of");
	for (size_t i = 0; k->names[i]; i++)
		text_printf(t, "%s \"%s\"", i ? "," : "", k->names[i]);
}

/* Describes the expected type of a value. */
static void ctl_json_describe(struct text *t, const struct ctl_json_key *k)
{
	switch (k->type) {
	case KEY_UINT:
		text_printf(t, "an integer from 0 to %llu",
			    (unsigned long long)k->max);
		if (k->max > INT64_MAX)
			text_puts(t, ", or a string \"0x...\"");
		break;
	case KEY_BOOL:
		text_puts(t, "true or false");
		break;
	case KEY_ENUM:
		list_names(t, k);
		break;
	case KEY_ADDR:
		text_puts(t, "an IPv4 or IPv6 address as a string");
		break;
	case KEY_TEXT:
	case KEY_REASON:
		text_puts(t, "a string");
		break;
	case KEY_WORDS:
		text_printf(t, "a list of words, %zu characters at most in all",
			    k->size - 1);
		break;
	case KEY_OBJECT:
		text_printf(t, "an object of at most %zu characters",
			    k->size - 1);
		break;
	case KEY_PKT:
		text_printf(t, "pairs of hexadecimal digits, %zu at most",
			    k->size);
		break;
	}
}

static int refuse_value(const struct ctl_json_reader *r,
			const struct ctl_json_key *k)
{
	struct text t = {0};
	int err;

	ctl_json_describe(&t, k);
	err = refuse(r, k->name, "\"%s\": expected %s", k->name, text_cstr(&t));
	text_free(&t);
	return err;
}

static int ctl_json_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* "0x1f" of at most 16 digits. */
static bool parse_hex(const char *s, uint64_t *ret)
{
	size_t n = strlen(s);
	uint64_t v = 0;

	if (n < 3 || n > 18 || s[0] != '0' || s[1] != 'x')
		return false;
	for (s += 2; *s; s++) {
		if (ctl_json_hex_digit(*s) < 0)
			return false;
		v = v << 4 | (uint64_t)ctl_json_hex_digit(*s);
	}
	*ret = v;
	return true;
}

/* An unsigned integer of at most |max|. */
static bool parse_uint(const json_t *v, uint64_t max, uint64_t *ret)
{
	uint64_t value;

	if (json_is_integer(v) && json_integer_value(v) >= 0)
		value = (uint64_t)json_integer_value(v);
	else if (!json_is_string(v) || max <= INT64_MAX ||
		 !parse_hex(json_string_value(v), &value))
		return false;
	if (value > max)
		return false;
	*ret = value;
	return true;
}

static bool parse_enum(const struct ctl_json_key *k, const json_t *v,
		       uint64_t *ret)
{
	const char *s = json_string_value(v);

	for (uint64_t i = 0; s && k->names[i]; i++)
		if (!strcmp(s, k->names[i])) {
			*ret = i;
			return true;
		}
	return false;
}

/* Cuts between characters, so that what is printed again is UTF-8. */
static void ctl_json_copy_text(char *dst, size_t size, const char *src)
{
	size_t n = strlen(src);

	if (n >= size)
		for (n = size - 1; n && ((uint8_t)src[n] & 0xc0) == 0x80; n--)
			;
	memcpy(dst, src, n);
	dst[n] = 0;
}

/* A word prints as it is: nothing that JSON would escape. */
static bool ctl_json_is_word(const char *s)
{
	for (const char *c = s; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == '"' || *c == '\\')
			return false;
	return *s != 0;
}

static bool parse_words(char *dst, size_t size, const json_t *list)
{
	size_t used = 0;

	if (!json_is_array(list))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *w = json_string_value(json_array_get(list, i));
		size_t n = w ? strlen(w) : 0;

		if (!w || !ctl_json_is_word(w) || used + n + 2 > size)
			return false;
		if (i)
			dst[used++] = ' ';
		memcpy(dst + used, w, n);
		used += n;
	}
	dst[used] = 0;
	return true;
}

static bool parse_object(char *dst, size_t size, const json_t *v)
{
	size_t n;

	if (!json_is_object(v))
		return false;
	n = json_dumpb(v, dst, size - 1, JSON_COMPACT);
	if (n == 0 || n > size - 1)
		n = 0;
	dst[n] = 0;
	return n != 0;
}

static bool parse_pkt(struct ctl_req *r, const json_t *v)
{
	const char *s = json_string_value(v);
	size_t n = s ? strlen(s) / 2 : 0;

	if (!s || s[2 * n] || n > sizeof(r->pkt))
		return false;
	for (size_t i = 0; i < n; i++) {
		int hi = ctl_json_hex_digit(s[2 * i]),
		    lo = ctl_json_hex_digit(s[2 * i + 1]);

		if (hi < 0 || lo < 0)
			return false;
		r->pkt[i] = (uint8_t)(hi << 4 | lo);
	}
	r->op.pds.pkt = r->pkt;
	r->op.pds.pkt_len = (uint16_t)n;
	return true;
}

static bool ctl_json_parse_addr(struct ip_addr *ret, const json_t *v)
{
	const char *s = json_string_value(v);

	return s && !ip_addr_parse(ret, s, strlen(s));
}

static bool parse_reason(const struct ctl_json_reader *r,
			 const struct ctl_json_key *k, void *base,
			 const json_t *v)
{
	const char *kept = r->reason;

	if (!json_is_string(v))
		return false;
	ctl_json_copy_text(r->reason, r->reason_size, json_string_value(v));
	memcpy((uint8_t *)base + k->at, &kept, sizeof(kept));
	return true;
}

static bool ctl_json_parse_number(const struct ctl_json_key *k, void *base,
				  const json_t *v)
{
	uint64_t value;

	if (k->type == KEY_ENUM) {
		if (!parse_enum(k, v, &value))
			return false;
	} else if (k->type == KEY_BOOL) {
		if (!json_is_boolean(v))
			return false;
		value = json_is_true(v);
	} else if (!parse_uint(v, k->max, &value)) {
		return false;
	}
	ctl_json_store(k, base, value);
	return true;
}

static bool ctl_json_parse_text(char *dst, size_t size, const json_t *v)
{
	if (!json_is_string(v))
		return false;
	ctl_json_copy_text(dst, size, json_string_value(v));
	return true;
}

static bool ctl_json_parse_value(const struct ctl_json_reader *r,
				 const struct ctl_json_key *k, void *base,
				 const json_t *v)
{
	void *member = (uint8_t *)base + k->at;

	switch (k->type) {
	case KEY_UINT:
	case KEY_BOOL:
	case KEY_ENUM:
		return ctl_json_parse_number(k, base, v);
	case KEY_ADDR:
		return ctl_json_parse_addr(member, v);
	case KEY_TEXT:
		return ctl_json_parse_text(member, k->size, v);
	case KEY_WORDS:
		return parse_words(member, k->size, v);
	case KEY_OBJECT:
		return parse_object(member, k->size, v);
	case KEY_PKT:
		return parse_pkt(base, v);
	case KEY_REASON:
		return parse_reason(r, k, base, v);
	}
	return false;
}

/* All keys of the table that the object has. */
static int parse_keys(const struct ctl_json_reader *r,
		      const struct ctl_json_key *keys, size_t n, void *base,
		      uint32_t bit, const json_t *o)
{
	for (const struct ctl_json_key *k = keys; k < keys + n; k++) {
		const json_t *v;

		if (!(k->in & bit))
			continue;
		v = json_object_get(o, k->name);
		if (!v && !(k->must & bit))
			continue;
		if (!v || !ctl_json_parse_value(r, k, base, v))
			return refuse_value(r, k);
	}
	return 0;
}

static int refuse_key(const struct ctl_json_reader *r, const char *name,
		      const struct verb *v)
{
	struct text t = {0};
	uint32_t bit = 1u << (v - verbs);
	int err;

	text_puts(&t, "id, verb");
	for (size_t i = 0; i < COUNT(req_keys); i++)
		if (req_keys[i].in & bit)
			text_printf(&t, ", %s", req_keys[i].name);
	err = refuse(r, name, "\"%.40s\" is no key of \"%s\"; expected %s",
		     name, v->name, text_cstr(&t));
	text_free(&t);
	return err;
}

static bool ctl_json_takes(const struct verb *v, const char *name)
{
	uint32_t bit = 1u << (v - verbs);

	if (!strcmp(name, "id") || !strcmp(name, "verb"))
		return true;
	for (size_t i = 0; i < COUNT(req_keys); i++)
		if (req_keys[i].in & bit && !strcmp(name, req_keys[i].name))
			return true;
	return false;
}

static int check_keys(const struct ctl_json_reader *r, const struct verb *v,
		      json_t *o)
{
	for (void *it = json_object_iter(o); it;
	     it = json_object_iter_next(o, it))
		if (!ctl_json_takes(v, json_object_iter_key(it)))
			return refuse_key(r, json_object_iter_key(it), v);
	return 0;
}

static const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; i < COUNT(verbs); i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

/* The line as an object, or NULL with the diag filled. */
static json_t *load_object(const struct ctl_json_reader *r, size_t flags,
			   int *ret_err)
{
	json_error_t e;
	json_t *o;

	*ret_err = ERR_SYNTAX;
	if (r->len > CTL_LINE_MAX) {
		refuse(r, "", "a line of %zu bytes; expected %d at most",
		       r->len, CTL_LINE_MAX);
		return NULL;
	}
	o = json_loadb(r->line, r->len, flags, &e);
	if (o && json_is_object(o))
		return o;
	if (!o && json_error_code(&e) == json_error_out_of_memory)
		*ret_err = ERR_NOMEM;
	if (o)
		ctl_json_say(r, 1, "expected a JSON object, {...}");
	else
		ctl_json_say(r, e.position > 0 ? (unsigned)e.position : 1,
			     e.text);
	json_decref(o);
	return NULL;
}

static int parse_id(const struct ctl_json_reader *r, const json_t *o,
		    uint64_t *ret)
{
	const json_t *v = json_object_get(o, "id");

	if (!v || !parse_uint(v, UINT64_MAX, ret))
		return refuse(r, "id", "\"id\": expected an integer from 0 on");
	return 0;
}

static int ctl_json_parse_req(const struct ctl_json_reader *r,
			      struct ctl_req *ret, json_t *o)
{
	const char *name = json_string_value(json_object_get(o, "verb"));
	const struct verb *v;
	int err;

	err = parse_id(r, o, &ret->id);
	if (err)
		return err;
	if (!name)
		return refuse(r, "verb", "\"verb\": expected a string");
	ctl_json_copy_text(ret->name, sizeof(ret->name), name);
	ret->verb = CTL_UNKNOWN;
	v = verb_find(name);
	if (!v)
		return 0;
	ret->verb = v->verb;
	ret->op.kind = v->op;
	err = check_keys(r, v, o);
	if (err)
		return err;
	return parse_keys(r, req_keys, COUNT(req_keys), ret, 1u << (v - verbs),
			  o);
}

int ctl_parse_req(struct ctl_req *ret, const char *line, size_t len,
		  struct diag *diag)
{
	struct ctl_json_reader r = {line, len, diag, NULL, 0};
	json_t *o;
	int err;

	memset(ret, 0, sizeof(*ret));
	o = load_object(&r, JSON_REJECT_DUPLICATES, &err);
	if (!o)
		return err;
	err = ctl_json_parse_req(&r, ret, o);
	json_decref(o);
	return err;
}

static int parse_event(const struct ctl_json_reader *r, struct orc_event *ret,
		       const json_t *o, const char *name)
{
	for (size_t i = 0; event_names[i]; i++) {
		if (strcmp(event_names[i], name))
			continue;
		ret->kind = (enum orc_event_kind)i;
		return parse_keys(r, event_keys, COUNT(event_keys), ret,
				  1u << i, o);
	}
	refuse(r, "event", "\"event\": \"%.40s\" is not known here", name);
	return ERR_SUPPORT;
}

static int parse_ans(const struct ctl_json_reader *r, struct ctl_ans *ret,
		     const json_t *o)
{
	int err = parse_id(r, o, &ret->id);

	if (!err)
		err = parse_keys(r, ans_keys, COUNT(ans_keys), ret, 1, o);
	if (err)
		return err;
	if (!ret->ok && !json_object_get(o, "error"))
		return refuse(r, "ok",
			      "expected \"ok\":true or \"error\":\"...\"");
	if (ret->error[0])
		ret->ok = false;
	return 0;
}

int ctl_parse_reply(enum ctl_kind *ret_kind, struct ctl_ans *ret_ans,
		    struct orc_event *ret_event, const char *line, size_t len,
		    struct diag *diag)
{
	struct ctl_json_reader r = {line, len, diag, ret_ans->error,
				    sizeof(ret_ans->error)};
	const json_t *name;
	json_t *o;
	int err;

	memset(ret_ans, 0, sizeof(*ret_ans));
	memset(ret_event, 0, sizeof(*ret_event));
	o = load_object(&r, 0, &err);
	if (!o)
		return err;
	name = json_object_get(o, "event");
	*ret_kind = name ? CTL_EVENT : CTL_ANSWER;
	if (!name)
		err = parse_ans(&r, ret_ans, o);
	else if (json_is_string(name))
		err = parse_event(&r, ret_event, o, json_string_value(name));
	else
		err = refuse(&r, "event", "\"event\": expected a string");
	json_decref(o);
	return err;
}

/*
 * Compares every character in constant time, so that the time reveals nothing.
 */
static bool same_token(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned differ = na != nb;

	for (size_t i = 0; i < na && nb; i++)
		differ |= (unsigned)(a[i] != b[i % nb]);
	return !differ;
}

bool ctl_token_ok(const char *line, size_t len, const char *token)
{
	struct diag diag = {0};
	struct ctl_json_reader r = {line, len, &diag, NULL, 0};
	const char *said;
	json_t *o;
	bool ok;
	int err;

	o = load_object(&r, JSON_REJECT_DUPLICATES, &err);
	if (!o)
		return false;
	said = json_string_value(json_object_get(o, "token"));
	ok = said && same_token(said, token);
	json_decref(o);
	return ok;
}
