/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/fixture_test.h -- hand-made records for the tests of this floor.
 *
 * fixture_pass, _fail and _loss are small runs with everything a report shows;
 * the golden files are drawn from them.
 */
#ifndef REPORTS_FIXTURE_TEST_H
#define REPORTS_FIXTURE_TEST_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/about.h"
#include "suite/lang/chair.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

#define FIXTURE_SET(field, number)                 \
	{                                          \
		.name = (field), .value = (number) \
	}
#define FIXTURE_SES(field, number)                              \
	{                                                       \
		.name = (field), .value = (number), .ses = true \
	}
#define FIXTURE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct req_ref fixture_covers[] = {
	{.id = REQ_RUD_SEQ_76, .role = REQ_DST},
	{.id = REQ_RUD_SVC_3b, .role = REQ_DST},
	{.id = REQ_RUD_SVC_7, .role = REQ_DST},
};

static inline const struct test_case *fixture_case(const char *id)
{
	static const struct test_case send = {
		.id = "uet/rud/send-gtd",
		.path = "cases/uet/rud/send-gtd.lad",
		.text = "title ...\n",
		.title = "Single-packet send, guaranteed response",
		.ref = "UET 3.5.20.2.2, figure 3-76",
		.covers = fixture_covers,
		.ncovers = FIXTURE_COUNT(fixture_covers),
		.chairs = {[CHAIR_TARGET] = {.present = true}},
	};
	static const struct test_case lost = {
		.id = "uet/rud/ack-lost",
		.path = "cases/uet/rud/ack-lost.lad",
		.text = "title ...\n",
		.title = "The ACK of a single-packet send is lost",
		.ref = "UET 3.5.20.3.2, figure 3-84",
		.covers = fixture_covers,
		.ncovers = FIXTURE_COUNT(fixture_covers),
		.chairs = {[CHAIR_TARGET] = {.present = true},
			   [CHAIR_INITIATOR] = {.present = true}},
	};

	if (strcmp(id, send.id))
		return &lost;
	return &send;
}

static inline const struct about *fixture_about(void)
{
	static const struct about a = {
		.version = "0.1.0",
		.commit = "0123456789ab",
		.seed = 7,
		.dut = "ref",
	};

	return &a;
}

static inline void fixture_begin(struct record *r, const char *id,
				 enum chair chair)
{
	record_clear(r);
	snprintf(r->id, sizeof(r->id), "%s@%s", id, chair_name(chair));
	r->test_case = fixture_case(id);
	r->chair = chair;
	r->seed = 7;
	r->tester = ip_addr_v4(0x7f010001);
	r->dut = ip_addr_v4(0x7f010002);
	r->virtual_ns = 200 * VSPAN_MS;
	r->wall_ns = 1500 * VSPAN_US;
	r->jitter = 20 * VSPAN_US;
	r->base[0] = (struct psn_base){
		.fwd_set = true, .fwd_live = 0xfffffff0, .fwd_figure = 333};
}

/* Adds a packet to the record; the caller sets the rest of |e|. */
static inline size_t fixture_packet(struct record *r, struct rec e,
				    const struct packet_spec *spec,
				    const char *note)
{
	uint32_t frame = 0;
	struct dgram d = {.entropy = 0x8123};
	int n = packet_build(d.data, sizeof(d.data), spec, NULL);

	assert(n > 0);
	for (size_t i = 0; i < r->nrecs; i++)
		frame += r->recs[i].kind <= REC_RX;
	d.len = (size_t)n;
	if (e.kind == REC_TX) {
		d.src = r->tester;
		d.dst = r->dut;
	} else {
		d.src = r->dut;
		d.dst = r->tester;
	}
	e.frame = frame + 1;
	return record_add(r, &e, &d, note, NULL);
}

/* Adds rud_req psn=|figure|, a 64-byte send in the standard form. */
static inline size_t fixture_req(struct record *r, struct rec e,
				 uint32_t figure, bool retx, const char *note)
{
	const struct field_value set[] = {
		FIXTURE_SET("psn", figure - 333 + 0xfffffff0),
		FIXTURE_SET("clear_psn", 0xffffffef),
		FIXTURE_SET("retx", retx),
		FIXTURE_SET("ar", 1),
		FIXTURE_SES("opcode", SES_SEND),
		FIXTURE_SES("som", 1),
		FIXTURE_SES("eom", 1),
		FIXTURE_SES("message_id", 1),
	};
	const struct packet_spec spec = {
		.type = "rud_req",
		.ses = "std",
		.set = set,
		.nset = FIXTURE_COUNT(set),
		.payload_len = 64,
	};

	e.kind = REC_TX;
	return fixture_packet(r, e, &spec, note);
}

/* Adds ack ack_psn=|figure| cack_psn=|cack| with a response. */
static inline size_t fixture_ack(struct record *r, struct rec e,
				 uint32_t figure, uint32_t cack, unsigned req,
				 const char *note)
{
	const struct field_value set[] = {
		FIXTURE_SET("cack_psn", cack - 333 + 0xfffffff0),
		FIXTURE_SET("ack_psn", figure - 333 + 0xfffffff0),
		FIXTURE_SET("req", req),
		FIXTURE_SES("opcode", SES_RESPONSE),
		FIXTURE_SES("return_code", 1),
		FIXTURE_SES("message_id", 1),
	};
	const struct packet_spec spec = {
		.type = "ack",
		.ses = "response",
		.set = set,
		.nset = FIXTURE_COUNT(set),
	};

	e.kind = REC_RX;
	return fixture_packet(r, e, &spec, note);
}

static inline size_t fixture_cp(struct record *r, struct rec e,
				enum pds_ctl_type ctl, uint32_t figure)
{
	const struct field_value set[] = {
		FIXTURE_SET("ctl_type", ctl),
		FIXTURE_SET("clear_psn", figure - 333 + 0xfffffff0),
	};
	const struct packet_spec spec = {
		.type = "cp",
		.set = set,
		.nset = ctl == PDS_CP_CLEAR_COMMAND ? 2 : 1,
	};

	return fixture_packet(r, e, &spec, NULL);
}

static inline void fixture_line(struct record *r, enum rec_kind kind, vtime at,
				const char *line)
{
	struct rec e = {.kind = kind, .at = at};

	record_add(r, &e, NULL, NULL, line);
}

static inline void fixture_finding(struct record *r, struct rec_finding f)
{
	r->findings =
		realloc(r->findings, (r->nfindings + 1) * sizeof(*r->findings));
	assert(r->findings);
	r->findings[r->nfindings++] = f;
	r->findings_size = r->nfindings;
}

static inline void fixture_seen(struct record *r, struct rec_req q)
{
	r->reqs = realloc(r->reqs, (r->nreqs + 1) * sizeof(*r->reqs));
	assert(r->reqs);
	r->reqs[r->nreqs++] = q;
	r->reqs_size = r->nreqs;
}

#define FIXTURE_US(us) ((us)*VSPAN_US)

static inline void fixture_opening(struct record *r)
{
	fixture_req(r, (struct rec){.at = FIXTURE_US(100), .setup = true}, 332,
		    false, NULL);
	fixture_ack(r, (struct rec){.at = FIXTURE_US(121), .setup = true}, 332,
		    332, PDS_REQ_NONE, NULL);
}

static inline void fixture_closing(struct record *r, vtime at)
{
	fixture_cp(r, (struct rec){.kind = REC_TX, .at = at, .setup = true},
		   PDS_CP_CLOSE_COMMAND, 0);
	fixture_ack(r, (struct rec){.at = at + FIXTURE_US(21), .setup = true},
		    334, 334, PDS_REQ_NONE, NULL);
}

/* A send that is answered correctly. */
static inline void fixture_pass(struct record *r)
{
	fixture_begin(r, "uet/rud/send-gtd", CHAIR_TARGET);
	fixture_opening(r);
	fixture_line(r, REC_CONTROL, FIXTURE_US(190),
		     "{\"id\":7,\"verb\":\"ses_policy\",\"gtd\":true}");
	fixture_line(r, REC_ANSWER, FIXTURE_US(195), "{\"id\":7,\"ok\":true}");
	fixture_req(r, (struct rec){.at = FIXTURE_US(200), .line = 9}, 333,
		    false, NULL);
	fixture_line(r, REC_EVENT, FIXTURE_US(210),
		     "{\"event\":\"pds_ses_rx_req\",\"message_id\":1,"
		     "\"len\":64}");
	fixture_ack(r, (struct rec){.at = FIXTURE_US(221), .line = 10}, 333,
		    332, PDS_REQ_CLEAR, "matches line 10");
	fixture_cp(
		r,
		(struct rec){.kind = REC_TX, .at = FIXTURE_US(240), .line = 11},
		PDS_CP_CLEAR_COMMAND, 333);
	fixture_closing(r, FIXTURE_US(300));
	r->verdict = VERDICT_PASS;
	r->rungs_expected = r->rungs_matched = 1;
	fixture_seen(r, (struct rec_req){.req = REQ_RUD_SEQ_76,
					 .role = REQ_DST,
					 .wire = true,
					 .control = true});
}

/*
 * CACK covers an uncleared guaranteed response, and a completion never comes.
 */
static inline void fixture_fail(struct record *r)
{
	struct rec_finding f = {
		.req = REQ_RUD_SEQ_76,
		.role = REQ_DST,
		.kind = KIND_PROTOCOL,
		.frame = 4,
		.line = 10,
		.file = "cases/uet/rud/send-gtd.lad",
		.text = "CACK_PSN passed a guaranteed response that was not "
			"cleared",
		.expected = "ack ack_psn=333 cack_psn=332 req=clear | "
			    "response message_id=1",
		.actual = "ack ack_psn=333 cack_psn=333 | "
			  "response message_id=1",
	};

	fixture_begin(r, "uet/rud/send-gtd", CHAIR_TARGET);
	fixture_opening(r);
	fixture_req(r, (struct rec){.at = FIXTURE_US(200), .line = 9}, 333,
		    false, NULL);
	fixture_ack(r, (struct rec){.at = FIXTURE_US(221)}, 333, 333,
		    PDS_REQ_NONE, NULL);
	fixture_finding(r, f);
	f = (struct rec_finding){
		.req = REQ_RUD_SVC_7,
		.role = REQ_DST,
		.kind = KIND_TIMING,
		.line = 13,
		.text = "nothing came within 10.000 ms",
		.expected = "ack cack_psn=334 | response message_id=2",
	};
	fixture_finding(r, f);
	f = (struct rec_finding){
		.req = REQ_RUD_SVC_3b,
		.role = REQ_DST,
		.remark = true,
		.frame = 4,
		.text = "the ACK was not marked",
	};
	fixture_finding(r, f);
	r->verdict = VERDICT_FAIL;
	r->kind = KIND_PROTOCOL;
	snprintf(r->reason, sizeof(r->reason),
		 "line 10: expected cack_psn=332, got 333");
	r->rungs_expected = 2;
	r->rungs_matched = 0;
	fixture_seen(r, (struct rec_req){.req = REQ_RUD_SEQ_76,
					 .role = REQ_DST,
					 .wire = true,
					 .failed = true});
}

/* Figure 3-84: the ACK is lost, the request is retransmitted. */
static inline void fixture_loss(struct record *r)
{
	struct rec e = {.at = FIXTURE_US(200), .line = 12};

	fixture_begin(r, "uet/rud/ack-lost", CHAIR_TARGET);
	fixture_opening(r);
	e.fate = FATE_DROPPED;
	fixture_req(r, e, 333, false, NULL);
	e = (struct rec){.at = FIXTURE_US(260), .line = 13};
	fixture_req(r, e, 333, true, NULL);
	e = (struct rec){.at = FIXTURE_US(281), .line = 14};
	e.fate = FATE_DROPPED;
	fixture_ack(r, e, 333, 333, PDS_REQ_NONE, "matches line 14; lost here");
	fixture_line(r, REC_NOTE, FIXTURE_US(290),
		     "waits for one RTO, so that the initiator repeats itself");
	e = (struct rec){.at = FIXTURE_US(100260), .line = 15};
	e.fate = FATE_DELAYED;
	e.left_at = FIXTURE_US(98260);
	fixture_req(r, e, 333, true, NULL);
	e = (struct rec){.at = FIXTURE_US(100270), .fate = FATE_DUPLICATE};
	fixture_req(r, e, 333, true, NULL);
	e = (struct rec){.at = FIXTURE_US(100281), .line = 16};
	fixture_ack(r, e, 333, 333, PDS_REQ_NONE, NULL);
	e = (struct rec){.at = FIXTURE_US(100291), .fate = FATE_CHANGED};
	fixture_ack(r, e, 333, 333, PDS_REQ_NONE, "legal repeat; marked CE");
	fixture_closing(r, FIXTURE_US(100400));
	r->verdict = VERDICT_PASS;
	r->rungs_expected = r->rungs_matched = 2;
}

#endif
