/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/record_fields.c -- the table of the fields of record.jsonl.
 */
#include "reports/result/record_fields.h"

#include "suite/lang/chair.h"
#include "suite/verdict/record.h"

static const char *verdict_word(unsigned v)
{
	return verdict_name((enum verdict)v);
}

static const char *reason_word(unsigned v)
{
	return reason_id((enum reason)v);
}

static const char *chair_word(unsigned v)
{
	return chair_name((enum chair)v);
}

static const char *family_word(unsigned v)
{
	return family_name((enum family)v);
}

static const char *fate_word(unsigned v)
{
	return fate_name((enum fate)v);
}

static const char *phase_word(unsigned v)
{
	return rec_phase_name((enum rec_phase)v);
}

/* Returns the word of a role: none, src, dst, both. */
static const char *role_word(unsigned v)
{
	if (v)
		return req_role_name((enum req_role)v);
	return "none";
}

static const char *fail_word(unsigned v)
{
	if (v == KIND_NONE)
		return "none";
	return fail_kind_name((enum fail_kind)v);
}

static const char *kind_word(unsigned v)
{
	static const char *const names[] = {
		[REC_TX] = "tx",           [REC_RX] = "rx",
		[REC_CONTROL] = "request", [REC_ANSWER] = "answer",
		[REC_EVENT] = "event",     [REC_NOTE] = "note",
	};

	return names[v];
}

static const char *order_word(unsigned v)
{
	if (v == CRC_LE)
		return "little";
	return "big";
}

#define PLACE(s, m) offsetof(struct s, m), sizeof(((struct s *)0)->m)
#define FLAG(s, m)                                    \
	{                                             \
#m, RECORD_BOOL, PLACE(s, m), 1, NULL \
	}
#define UINT(s, m)                                             \
	{                                                      \
#m, RECORD_UINT, PLACE(s, m), UINT64_MAX, NULL \
	}
#define UPTO(s, m, most)                                 \
	{                                                \
#m, RECORD_UINT, PLACE(s, m), most, NULL \
	}
#define SPAN(s, m, n)                                \
	{                                            \
		n, RECORD_SPAN, PLACE(s, m), 0, NULL \
	}
#define WORD(s, m, n, f)                           \
	{                                          \
#m, RECORD_WORD, PLACE(s, m), n, f \
	}
#define CHARS(s, m)                                    \
	{                                              \
#m, RECORD_CHARS, PLACE(s, m), 0, NULL \
	}
#define ADDR(s, m)                                    \
	{                                             \
#m, RECORD_ADDR, PLACE(s, m), 0, NULL \
	}
#define FIELDS(a)                             \
	{                                     \
		a, sizeof(a) / sizeof((a)[0]) \
	}

static const struct record_field head[] = {
	CHARS(record, id),
	WORD(record, family, FAMILIES, family_word),
	WORD(record, chair, CHAIR_COUNT, chair_word),
	UINT(record, seed),
	UINT(record, repeat),
	WORD(record, verdict, VERDICT_COUNT, verdict_word),
	WORD(record, kind, KIND_TIMING + 1, fail_word),
	WORD(record, reason_id, REASON_COUNT, reason_word),
	CHARS(record, reason),
	CHARS(record, claim),
	CHARS(record, claim_seen),
	WORD(record, teardown, VERDICT_COUNT, verdict_word),
	CHARS(record, teardown_reason),
	UINT(record, rungs_expected),
	UINT(record, rungs_matched),
	UINT(record, rungs_stepped),
	FLAG(record, cut_short),
	SPAN(record, virtual_ns, "virtual_ns"),
	SPAN(record, wall_ns, "wall_ns"),
	SPAN(record, elapsed, "elapsed_ns"),
	SPAN(record, jitter, "jitter_ns"),
	FLAG(record, late),
	SPAN(record, starved, "starved_ns"),
	SPAN(record, starved_most, "starved_most_ns"),
	SPAN(record, overdue, "overdue_ns"),
	SPAN(record, slack, "slack_ns"),
	UINT(record, entropy_lost),
	FLAG(record, crc),
	WORD(record, crc_order, CRC_BE + 1, order_word),
	ADDR(record, tester),
	ADDR(record, dut),
	SPAN(record, ended_at, "ended_ns"),
	UINT(record, findings_left_out),
	FLAG(record, failed_alloc),
};

static const struct record_field entry[] = {
	WORD(rec, kind, REC_NOTE + 1, kind_word),
	SPAN(rec, at, "at_ns"),
	SPAN(rec, left_at, "left_ns"),
	UINT(rec, frame),
	WORD(rec, fate, FATE_INJECTED + 1, fate_word),
	UINT(rec, behind),
	UINT(rec, line),
	FLAG(rec, setup),
	UPTO(rec, pdc, RECORD_PDCS - 1),
	ADDR(rec, src),
	ADDR(rec, dst),
	UINT(rec, entropy),
	WORD(rec, family, FAMILIES, family_word),
	UPTO(rec, dscp, 63),
	UPTO(rec, ecn, 3),
	UPTO(rec, native, 1),
	UPTO(rec, crc, DGRAM_CRC_WRONG),
	UINT(rec, udp_length),
	UINT(rec, udp_checksum),
	UINT(rec, udp_dport),
	UINT(rec, ip_proto),
	UINT(rec, no_df),
	UINT(rec, padding),
	UPTO(rec, ext, DGRAM_EXT_FRAGMENT),
	UINT(rec, whole),
};

static const struct record_field finding[] = {
	{"requirement", RECORD_REQ, PLACE(rec_finding, req), 0, NULL},
	WORD(rec_finding, role, REQ_BOTH + 1, role_word),
	WORD(rec_finding, kind, KIND_TIMING + 1, fail_word),
	FLAG(rec_finding, remark),
	FLAG(rec_finding, seen),
	FLAG(rec_finding, doubtful),
	FLAG(rec_finding, known),
	FLAG(rec_finding, stepped),
	FLAG(rec_finding, shaken),
	FLAG(rec_finding, ended),
	FLAG(rec_finding, consequence),
	UINT(rec_finding, blamed),
	UINT(rec_finding, moment),
	WORD(rec_finding, phase, PHASE_TEARDOWN + 1, phase_word),
	UINT(rec_finding, frame),
	UINT(rec_finding, line),
	CHARS(rec_finding, what),
	CHARS(rec_finding, text),
	CHARS(rec_finding, expected),
	CHARS(rec_finding, actual),
};

static const struct record_field req[] = {
	{"requirement", RECORD_REQ, PLACE(rec_req, req), 0, NULL},
	WORD(rec_req, role, REQ_BOTH + 1, role_word),
	FLAG(rec_req, wire),
	FLAG(rec_req, control),
	FLAG(rec_req, failed),
	FLAG(rec_req, not_reached),
	FLAG(rec_req, masked),
};

static const struct record_field base[] = {
	FLAG(psn_base, narrow),     FLAG(psn_base, fwd_set),
	FLAG(psn_base, ret_set),    UINT(psn_base, fwd_live),
	UINT(psn_base, fwd_figure), UINT(psn_base, ret_live),
	UINT(psn_base, ret_figure),
};

const struct record_fields record_head_fields = FIELDS(head);
const struct record_fields record_entry_fields = FIELDS(entry);
const struct record_fields record_finding_fields = FIELDS(finding);
const struct record_fields record_req_fields = FIELDS(req);
const struct record_fields record_base_fields = FIELDS(base);
