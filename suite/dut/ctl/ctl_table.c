/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_table.c -- the verbs and keys of the control channel.
 *
 * Each kind of message has one table: key, type, member, range, and the verbs
 * or events that carry it.  The printer and the parser of JSON lines and the
 * post lines of cases all use it, and a test compares it with
 * docs/dut-control.md.
 */
#include "suite/dut/ctl/ctl_table.h"

#include <assert.h>
#include <string.h>

#include "base/word.h"
#include "oracle/event.h"
#include "oracle/op.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_words.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

/* clang-format off */
/* The last column: a post line of a case may have the verb. */
#define VERBS(X)                                                              \
	X(HELLO, "hello", CTL_HELLO, OP_SEND, false)                          \
	X(RESET, "reset", CTL_RESET, OP_SEND, true)                           \
	X(STATS, "stats", CTL_STATS, OP_SEND, true)                           \
	X(MEM_DIGEST, "mem_digest", CTL_MEM_DIGEST, OP_SEND, true)            \
	X(COMPLETIONS, "completions", CTL_COMPLETIONS, OP_SEND, false)        \
	X(SEND, "send", CTL_OP, OP_SEND, true)                                \
	X(WRITE, "write", CTL_OP, OP_WRITE, true)                             \
	X(READ, "read", CTL_OP, OP_READ, true)                                \
	X(POST_RECV, "post_recv", CTL_OP, OP_POST_RECV, true)                 \
	X(EXPOSE, "expose", CTL_OP, OP_EXPOSE, true)                          \
	X(ATOMIC, "atomic", CTL_OP, OP_ATOMIC, true)                          \
	X(SES_POLICY, "ses_policy", CTL_OP, OP_SES_POLICY, false)             \
	X(TX_REQ, "ses_pds_tx_req", CTL_OP, OP_SES_PDS_TX_REQ, true)          \
	X(TX_RSP, "ses_pds_tx_rsp", CTL_OP, OP_SES_PDS_TX_RSP, true)          \
	X(TX_RET, "ses_pds_tx_ret", CTL_OP, OP_SES_PDS_TX_RET, true)          \
	X(UNLOCK, "ses_pds_unlock", CTL_OP, OP_SES_PDS_UNLOCK, true)          \
	X(EAGER_REQ, "ses_pds_eager_req", CTL_OP, OP_SES_PDS_EAGER_REQ, true) \
	X(ASK_CLOSE, "ask_close", CTL_OP, OP_ASK_CLOSE, true)                 \
	X(SEND_CP, "send_cp", CTL_OP, OP_SEND_CP, true)                       \
	X(CREATE_QP, "create_qp", CTL_OP, OP_CREATE_QP, true)                 \
	X(MODIFY_QP, "modify_qp", CTL_OP, OP_MODIFY_QP, true)                 \
	X(QUERY_QP, "query_qp", CTL_OP, OP_QUERY_QP, true)                    \
	X(DESTROY_QP, "destroy_qp", CTL_OP, OP_DESTROY_QP, true)              \
	X(CREATE_AH, "create_ah", CTL_OP, OP_CREATE_AH, true)                 \
	X(DESTROY_AH, "destroy_ah", CTL_OP, OP_DESTROY_AH, true)              \
	X(POST_SEND, "post_send", CTL_OP, OP_POST_SEND, true)                 \
	X(POLL_CQ, "poll_cq", CTL_COMPLETIONS, OP_SEND, false)                \
	X(CONFIGURE, "configure", CTL_OP, OP_CONFIGURE, false)

#define VERB_BIT(word, text, verb, op, posted) IN_##word = 1u << V_##word,
#define VERB_INDEX(word, text, verb, op, posted) V_##word,
#define VERB_ROW(word, text, verb, op, posted) {text, verb, op},
#define VERB_TEXT(word, text, verb, op, posted) " " text
#define VERB_POSTED(word, text, verb, op, posted) POSTED_##posted(text)
#define POSTED_true(text) text,
#define POSTED_false(text)

enum { VERBS(VERB_INDEX) V_COUNT };
enum { VERBS(VERB_BIT) };

const struct ctl_verb_row ctl_verb_rows[] = {
	VERBS(VERB_ROW)
	{NULL, CTL_UNKNOWN, OP_SEND},
};

const char *const ctl_posted_verbs[] = {VERBS(VERB_POSTED) NULL};

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

const struct ctl_key ctl_req_keys[] = {
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
	REQ_ENUM("mode", op.mode, ctl_modes,
		 IN_REQUEST | IN_PACKET | IN_EAGER_REQ | IN_SEND_CP),
	REQ_ENUM("header", op.header, ctl_headers, IN_REQUEST),
	REQ_UINT("msg_id", op.message_id, UINT16_MAX,
		 IN_REQUEST | IN_PACKET | IN_UNLOCK, IN_UNLOCK),
	REQ_UINT("len", op.len, UINT32_MAX,
		 IN_MESSAGE | IN_POST_RECV | IN_EXPOSE | IN_POST_SEND |
			 IN_MEM_DIGEST,
		 IN_MESSAGE | IN_POST_RECV | IN_EXPOSE | IN_POST_SEND),
	REQ_UINT("count", op.count, UINT32_MAX, IN_POST_RECV | IN_POST_SEND,
		 0),
	REQ_UINT("key", op.key, UINT64_MAX,
		 IN_WRITE | IN_READ | IN_ATOMIC | IN_EXPOSE | IN_POST_SEND,
		 IN_EXPOSE),
	REQ_BOOL("tagged", op.tagged, IN_SEND | IN_POST_RECV),
	REQ_BOOL("rendezvous", op.rendezvous, IN_SEND),
	REQ_UINT("eager", op.eager, UINT32_MAX, IN_SEND, 0),
	REQ_BOOL("deferrable", op.deferrable, IN_SEND),
	REQ_UINT("tag", op.key, UINT64_MAX, IN_SEND | IN_POST_RECV, 0),
	REQ_UINT("offset", op.offset, UINT64_MAX,
		 IN_WRITE | IN_READ | IN_ATOMIC | IN_EXPOSE | IN_POST_SEND |
			 IN_MEM_DIGEST,
		 0),
	REQ(KEY_ENUM, "amo", op.amo.opcode, 0, amo_opcodes, IN_ATOMIC, IN_ATOMIC),
	REQ(KEY_ENUM, "datatype", op.amo.datatype, 0, amo_datatypes,
	    IN_ATOMIC, IN_ATOMIC),
	REQ_UINT("operand", op.amo.operand, UINT64_MAX, IN_ATOMIC, 0),
	REQ_UINT("compare", op.amo.compare, UINT64_MAX, IN_ATOMIC, 0),
	REQ_BOOL("fetch", op.amo.fetch, IN_ATOMIC),
	REQ_ENUM("by", op.close, ctl_closes, IN_ASK_CLOSE),
	REQ(KEY_ENUM, "cp", op.cp.ctl_type, 0, pds_ctl_types, IN_SEND_CP,
	    IN_SEND_CP),
	REQ_UINT("psn", op.cp.psn, UINT32_MAX, IN_SEND_CP, 0),
	REQ_UINT("payload", op.cp.payload, UINT32_MAX, IN_SEND_CP, 0),

	REQ_UINT("count", op.policy.count, UINT32_MAX, IN_SES_POLICY, 0),
	REQ_ENUM("gtd", op.policy.gtd, ctl_gtd, IN_SES_POLICY),
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
	REQ_ENUM("type", op.vb.type, ctl_qp_types, IN_CREATE_QP),
	REQ_UINT("depth", op.vb.depth, UINT32_MAX, IN_CREATE_QP, 0),
	REQ(KEY_ENUM, "state", op.vb.state, 0, ctl_qp_states, IN_MODIFY_QP,
	    IN_MODIFY_QP),
	REQ_UINT("ah", op.vb.ah, UINT32_MAX, IN_DESTROY_AH | IN_POST_SEND,
		 IN_DESTROY_AH | IN_POST_SEND),
	REQ_UINT("dest_qp", op.vb.dest_qp, 0xffffff,
		 IN_POST_SEND | IN_MODIFY_QP, 0),
	REQ_UINT("rq_psn", op.vb.rq_psn, 0xffffff, IN_MODIFY_QP, 0),
	REQ_UINT("sq_psn", op.vb.sq_psn, 0xffffff, IN_MODIFY_QP, 0),
	REQ_UINT("qkey", op.vb.qkey, UINT32_MAX, IN_POST_SEND | IN_MODIFY_QP,
		 0),
	REQ_ENUM("opcode", op.vb.opcode, ctl_wr_opcodes, IN_POST_SEND),
	REQ_UINT("len2", op.vb.len2, UINT32_MAX, IN_POST_SEND, 0),
	REQ_UINT("lkey", op.vb.lkey, UINT32_MAX, IN_POST_SEND | IN_POST_RECV,
		 0),
	REQ_BOOL("with_imm", op.vb.with_imm, IN_POST_SEND),
	REQ_UINT("imm", op.vb.imm, UINT32_MAX, IN_POST_SEND, 0),

	REQ(KEY_ENUM, "setting", op.setting, 0, ctl_settings, IN_CONFIGURE,
	    IN_CONFIGURE),
	REQ_UINT("value", op.value, UINT64_MAX, IN_CONFIGURE, IN_CONFIGURE),
	REQ(KEY_PKT, "pkt", pkt, 0, NULL, IN_PACKET | IN_TX_RSP, 0),
	{NULL, KEY_UINT, 0, 0, 0, NULL, 0, 0},
};

#define ANS(kind, key, member, max)                                         \
	ROW(struct ctl_ans, kind, key, member, max, NULL, 1, 0)

const struct ctl_key ctl_ans_keys[] = {
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
	ROW(struct ctl_ans, KEY_ENUM, "state", result.state, 0, ctl_qp_states, 1,
	    0),
	{NULL, KEY_UINT, 0, 0, 0, NULL, 0, 0},
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

const struct ctl_key ctl_event_keys[] = {
	EVENT(KEY_UINT, "rx_pkt_handle", handle, UINT32_MAX, NULL, IS_RX_PKT,
	      IS_RX_PKT),
	EVENT(KEY_UINT, "rx_pkt_handle", rx_pkt_handle, UINT32_MAX, NULL,
	      IS(PDS_SES_ERROR), 0),
	EVENT(KEY_UINT, "tx_pkt_handle", handle, UINT32_MAX, NULL,
	      IS(PDS_SES_RX_RSP), IS(PDS_SES_RX_RSP)),
	EVENT(KEY_UINT, "handle", handle, UINT32_MAX, NULL,
	      ~(IS_RX_PKT | IS(PDS_SES_RX_RSP)), IS(COMPLETION)),
	EVENT(KEY_ENUM, "status", status, 0, ctl_statuses, IS_ANY,
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
	EVENT_UINT("digest", digest, UINT32_MAX),
	EVENT_UINT("ah", ah, UINT32_MAX),
	EVENT(KEY_REASON, "reason", reason, 0, NULL, IS_ANY, 0),
	{NULL, KEY_UINT, 0, 0, 0, NULL, 0, 0},
};

/* clang-format on */

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
	for (const struct ctl_verb_row *v = ctl_verb_rows; v->name; v++)
		if (v->verb == CTL_OP && v->op == kind)
			return v->name;
	return "unknown";
}

const struct ctl_verb_row *ctl_verb_find(const char *name)
{
	for (const struct ctl_verb_row *v = ctl_verb_rows; v->name; v++)
		if (word_same(v->name, name))
			return v;
	return NULL;
}

uint32_t ctl_verb_bit(const struct ctl_verb_row *v)
{
	return 1u << (v - ctl_verb_rows);
}

const struct ctl_verb_row *ctl_req_verb(const struct ctl_req *r)
{
	for (const struct ctl_verb_row *v = ctl_verb_rows; v->name; v++) {
		if (v->verb != r->verb)
			continue;
		if (r->verb != CTL_OP || v->op == r->op.kind)
			return v;
	}
	return NULL;
}

const struct ctl_key *ctl_req_key(const struct ctl_verb_row *v,
				  const char *name)
{
	const uint32_t bit = ctl_verb_bit(v);

	for (const struct ctl_key *k = ctl_req_keys; k->name; k++)
		if (k->in & bit && word_same(k->name, name))
			return k;
	return NULL;
}
