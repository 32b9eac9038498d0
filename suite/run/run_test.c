/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The runner against a device that is a few lines of C: lawful unless a knob
 * says otherwise.  Each row of the table names the misbehaviour and the verdict
 * that design asks for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/decl/decl_parse.h"
#include "suite/lang/case_parse.h"
#include "suite/run/run.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

#define FAKE_PDCID 0x2b01
#define QUEUE      64

enum knob {
	LAWFUL,
	SILENT,        /* never answers */
	SILENT_SECOND, /* answers the first request only */
	LATE,          /* answers after the limit */
	/* answers late, without a processor for some of the time */
	LATE_HUNGRY,
	LATE_STARVED,   /* answers late, without a processor all the time */
	LATE_STOPPED,   /* stopped by a signal */
	SILENT_STOPPED, /* stopped by a signal, and silent */
	STOPPED_SECOND, /* stopped at the second request */
	STOPPED_WRONG,  /* stopped, and the CACK is one behind */
	WRONG_CACK,     /* CACK one behind */
	WRONG_MESSAGE,  /* another message id in the response */
	WRONG_REQ,      /* asks for a clear without a reason */
	SHORT_ACK,      /* an ACK of 11 bytes */
	FORBIDDEN,      /* a NACK of its own accord behind the ACK */
	DIES,           /* the control channel ends at the second request */
	DIES_SILENT,    /* dies, and answered nothing before */
	REPEATS_ACK,    /* every ACK twice: allowed */
	CLEAR_REQUEST,  /* a Clear Request before the ACK: allowed */
	ASKS,           /* begins itself, repeats after its timers */
	ASKS_LATE,      /* so late that another timer expires */
	ASKS_AGAIN,     /* repeats in time what is refused */
};

struct fake {
	struct dut dut;
	enum knob knob;
	vtime now;
	unsigned requests;
	struct dgram out[QUEUE];
	vtime due[QUEUE];
	size_t head, n;
	enum dut_doubt doubt; /* the doubt that is counted */
	uint64_t doubts;      /* number of doubts */
	bool dead, asked;
	unsigned looks;   /* at the clock, by the tester */
	unsigned dozes;   /* the look at which it has no processor */
	vspan nap;        /* for so long */
	bool dozed, hurt; /* it did, and before the second packet came */
};

static struct fake *run_test_self(struct dut *d)
{
	return (struct fake *)d;
}

static vtime fake_now(struct dut *d)
{
	struct fake *f = run_test_self(d);

	if (++f->looks == f->dozes) {
		f->now += f->nap;
		f->dozed = true;
		f->hurt = f->n && f->head < 2;
	}
	return f->now;
}

static void run_test_say(struct fake *f, const uint8_t *p, size_t len,
			 vspan delay, uint16_t entropy)
{
	struct dgram *d = &f->out[f->n];

	assert_true(f->n < QUEUE);
	memset(d, 0, offsetof(struct dgram, data));
	d->src = f->dut.peer;
	d->dst = f->dut.tester;
	d->entropy = entropy;
	d->len = len;
	memcpy(d->data, p, len);
	f->due[f->n++] = f->now + delay;
}

static size_t make_ack(struct fake *f, const struct pds_req *req,
		       uint16_t message_id, uint8_t *p)
{
	bool behind = f->knob == WRONG_CACK || f->knob == STOPPED_WRONG;
	struct pds_ack ack = {
		.type = PDS_ACK,
		.next_hdr = PDS_NEXT_RESPONSE,
		.retx = req->retx,
		.req = f->knob == WRONG_REQ ? PDS_REQ_CLEAR : PDS_REQ_NONE,
		.ack_psn_offset = behind,
		.cack_psn = req->psn - behind,
		.spdcid = FAKE_PDCID,
		.dpdcid = req->spdcid,
	};
	struct ses_response rsp = {
		.opcode = SES_RESPONSE,
		.return_code = RC_OK,
		.message_id =
			(uint16_t)(message_id + (f->knob == WRONG_MESSAGE)),
		.job_id = 1,
		.modified_length = 8,
	};

	memset(p, 0, 24);
	pds_ack_put(&ack, p);
	ses_response_put(&rsp, p + 12);
	return 24;
}

static void run_test_ask(struct fake *f, uint32_t psn, bool retx, vspan delay)
{
	const struct pds_req_syn req = {.type = PDS_RUD_REQ,
					.next_hdr = PDS_NEXT_REQUEST_STD,
					.syn = true,
					.retx = retx,
					.ar = true,
					.psn = psn,
					.clear_psn_offset =
						(int16_t)(332 - psn),
					.spdcid = FAKE_PDCID,
					.psn_offset = (uint16_t)(psn - 333)};
	const struct ses_std_som ses = {.opcode = SES_SEND,
					.som = true,
					.eom = true,
					.message_id = (uint16_t)psn,
					.request_length = 8};
	uint8_t p[12 + 44 + 8] = {0};

	pds_req_syn_put(&req, p);
	ses_std_som_put(&ses, p + 12);
	run_test_say(f, p, sizeof(p), delay, 0xc000);
	f->out[f->n - 1].ecn = ECN_ECT0;
}

/* The second request is refused, the first one never answered. */
static void run_test_ask_all(struct fake *f)
{
	const vspan late = f->knob == ASKS_LATE ? 4 * VSPAN_MS : 0;

	f->asked = true;
	run_test_ask(f, 333, false, 10 * VSPAN_US);
	run_test_ask(f, 334, false, 20 * VSPAN_US);
	if (f->knob == ASKS_AGAIN)
		return;
	run_test_ask(f, 334, true, 1 * VSPAN_MS + late);
	run_test_ask(f, 333, true, 5 * VSPAN_MS + VSPAN_MS / 2);
}

static void ask_again(struct fake *f, const struct dgram *refusal)
{
	struct pds_nack nack;

	pds_nack_get(&nack, refusal->data);
	run_test_ask(f, nack.nack_psn, true, 1 * VSPAN_MS);
}

static int run_test_fake_send(struct dut *d, struct dgram *dg)
{
	struct fake *f = run_test_self(d);
	vspan delay = f->knob >= LATE && f->knob <= LATE_STOPPED
			      ? 8 * VSPAN_MS
			      : 10 * VSPAN_US;
	struct pds_req req;
	struct ses_std_som ses;
	uint8_t p[64];
	size_t n;

	if (f->asked && f->knob == ASKS_AGAIN)
		ask_again(f, dg);
	if (f->asked)
		return 0;
	assert_int_equal(pds_type_of(dg->data), PDS_RUD_REQ);
	pds_req_get(&req, dg->data);
	ses_std_som_get(&ses, dg->data + 12);
	f->requests++;
	if ((f->knob == DIES || f->knob == DIES_SILENT) && f->requests == 2)
		f->dead = true;
	if (f->knob == SILENT || f->knob == SILENT_STOPPED ||
	    f->knob == DIES_SILENT || f->dead ||
	    ((f->knob == SILENT_SECOND || f->knob == STOPPED_SECOND) &&
	     f->requests > 1))
		return 0;
	if (f->knob == CLEAR_REQUEST) {
		struct pds_cp cp = {.type = PDS_CP,
				    .ctl_type = PDS_CP_CLEAR_REQUEST,
				    .spdcid = FAKE_PDCID,
				    .dpdcid = req.spdcid};
		struct cp_clear clear = {req.psn - 1};

		memset(p, 0, 16);
		pds_cp_put(&cp, p);
		cp_clear_put(&clear, p + 12);
		run_test_say(f, p, 16, delay, dg->entropy);
	}
	n = make_ack(f, &req, ses.message_id, p);
	run_test_say(f, p, f->knob == SHORT_ACK ? 11 : n, delay, dg->entropy);
	if (f->knob == REPEATS_ACK)
		run_test_say(f, p, n, delay, dg->entropy);
	if (f->knob == FORBIDDEN) {
		struct pds_nack nack = {.type = PDS_NACK,
					.nack_code = NACK_NO_RESOURCE,
					.nack_psn = req.psn,
					.spdcid = FAKE_PDCID,
					.dpdcid = req.spdcid};

		memset(p, 0, 16);
		pds_nack_put(&nack, p);
		run_test_say(f, p, 16, delay, dg->entropy);
	}
	return 0;
}

static int fake_control(struct dut *d, const struct ctl_req *req)
{
	(void)d;
	(void)req;
	return ERR_SUPPORT;
}

static int fake_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct fake *f = run_test_self(d);

	if (f->dead) {
		ret->kind = DUT_GONE;
		ret->at = f->now;
		snprintf(ret->text, sizeof(ret->text), "exit status 1");
		return 0;
	}
	if (f->knob >= ASKS && !f->asked)
		run_test_ask_all(f);
	if (f->head < f->n && f->due[f->head] <= until) {
		f->now = vtime_max(f->now, f->due[f->head]);
		ret->kind = DUT_DGRAM;
		ret->at = f->due[f->head];
		dgram_copy(&ret->d, &f->out[f->head++]);
		return 0;
	}
	f->now = vtime_max(f->now, until);
	ret->kind = DUT_TIMEOUT;
	ret->at = f->now;
	return 0;
}

static void fake_tally(struct dut *d)
{
	d->counts.doubt[run_test_self(d)->doubt] = run_test_self(d)->doubts;
	if (run_test_self(d)->knob == LATE_HUNGRY)
		d->counts.starved = 2 * VSPAN_MS;
	if (run_test_self(d)->knob == LATE_STARVED)
		d->counts.starved = 7 * VSPAN_MS;
	d->counts.stopped = run_test_self(d)->knob >= LATE_STOPPED &&
			    run_test_self(d)->knob <= STOPPED_WRONG;
}

static int fake_begin(struct dut *d, uint64_t seed)
{
	(void)d;
	(void)seed;
	return 0;
}

static void run_test_fake_free(struct dut *d)
{
	(void)d;
}

static const struct dut_ops fake_ops = {
	.now = fake_now,
	.send = run_test_fake_send,
	.control = fake_control,
	.next = fake_next,
	.tally = fake_tally,
	.begin = fake_begin,
	.free = run_test_fake_free,
};

static const char declaration[] = "name fake\n"
				  "claims rud send ack_cc\n"
				  "timer rto 5ms tolerance 1ms\n"
				  "timer ack_time 2ms tolerance 1ms\n"
				  "timer nack_time 1ms tolerance 5ms\n";

static const char two_sends[] =
	"title Two sends\n"
	"covers RUD-SEQ-75\n"
	"needs rud\n"
	"chair target\n"
	"base fwd=333\n"
	">  rud_req psn=333 clear_psn=332 syn ar | std send message_id=1 som "
	"eom | data 8\n"
	"<  ack ack_psn=333 cack_psn=333 req=none | response message_id=1 "
	"[RUD-SEQ-75]\n"
	">  rud_req psn=334 clear_psn=333 ar | std send message_id=2 som eom "
	"| data 8\n"
	"<  ack ack_psn=334 cack_psn=334 | response message_id=2 "
	"[RUD-SEQ-75]\n"
	"never < nack for 10ms [RUD-SEQ-82]\n";

static const char refusal[] =
	"title A refusal\n"
	"covers RUD-SEQ-82\n"
	"needs rud\n"
	"chair initiator\n"
	"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
	"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
	">  nack no_pkt_buffer nack_psn=$q\n"
	"<  rud_req psn=$q retx | same within nack_time [RUD-SEQ-82]\n"
	"never < rud_req psn=$p for 10ms [RUD-SEQ-83]\n";

static const char patience[] =
	"title Two refusals, and patience\n"
	"covers RUD-SEQ-82\n"
	"needs rud\n"
	"chair initiator\n"
	"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
	"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
	">  nack no_pkt_buffer nack_psn=$p\n"
	">  nack no_pkt_buffer nack_psn=$q\n"
	"any {\n"
	"<  rud_req psn=$p retx | same after nack_time within nack_time "
	"[RUD-SEQ-82]\n"
	"<  rud_req psn=$q retx | same after nack_time within nack_time "
	"[RUD-SEQ-82]\n"
	"}\n";

/* Every packet breaks a rule, for there is no PDC; only one is named. */
static const char crash[] =
	"title A crash behind an opening that nobody answers\n"
	"covers I13\n"
	"needs rud\n"
	"violates UET-ENC-45/src\n"
	"chair target\n"
	">  rud_req syn ar psn=$s spdcid=0 | std send message_id=1 som eom "
	"| data 8\n"
	"<  any optional\n"
	">  rud_req ar psn=$s+9 | std send message_id=2 som eom | data 8\n"
	"<  ack [I13]\n";

static const char echo[] =
	"title An answer to the first copy, and to the second\n"
	"covers RUD-SEQ-82\n"
	"needs rud\n"
	"violates UET-SES-19/dst\n"
	"chair initiator\n"
	"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
	"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
	">  nack no_pkt_buffer nack_psn=$q\n"
	"<  rud_req psn=$q retx | same within nack_time [RUD-SEQ-82]\n"
	">  ack ack_psn=$q cack_psn=$p-1 | response\n";

struct setting {
	struct test_case *test_case;
	struct decl *decl;
	struct fake fake;
	struct runner *runner;
	struct record rec;
};

/* |more|: lines that the declaration has as well. */
/* A fragment that asks for what the device never sends. */
static const char *run_test_fragment(void *ctx, const char *name,
				     const char **ret_path)
{
	(void)ctx;
	*ret_path = "common/fragment.lad";
	if (strcmp(name, "open") == 0)
		return "chair target\n"
		       "> rud_req psn=333 clear_psn=332 syn ar | std send "
		       "message_id=7 som eom | data 8\n"
		       "< nack no_resource [RUD-SEQ-82]\n";
	if (strcmp(name, "close") == 0)
		return "chair target\n"
		       "< nack no_resource [RUD-SEQ-82]\n";
	if (strcmp(name, "unclaimed") == 0)
		return "chair target\n"
		       "needs rod\n"
		       "< nack no_resource [RUD-SEQ-82]\n";
	return NULL;
}

static void prepare_declared(struct setting *s, const char *text,
			     enum knob knob, const char *more)
{
	const struct case_source source = {.id = "uet/rud/two-sends",
					   .path = "two.lad",
					   .text = text,
					   .len = strlen(text)};
	struct diag diag = {0};
	char message[1024], all[512];
	int err;

	snprintf(all, sizeof(all), "%s%s", declaration, more);

	memset(s, 0, sizeof(*s));
	err = case_parse(&s->test_case, &source, run_test_fragment, NULL,
			 &diag);
	diag_format(&diag, message, sizeof(message));
	if (err)
		fail_msg("%s", message);
	err = decl_parse(&s->decl, "fake.decl", all, strlen(all), &diag);
	diag_format(&diag, message, sizeof(message));
	if (err)
		fail_msg("%s", message);
	s->fake.dut = (struct dut){.ops = &fake_ops,
				   .tester = ip_addr_v4(0x7f000101),
				   .peer = ip_addr_v4(0x7f000102),
				   .virtual = true};
	s->fake.knob = knob;
	assert_int_equal(runner_new(&s->runner, &s->fake.dut, s->decl), 0);
}

static void run_test_prepare(struct setting *s, const char *text,
			     enum knob knob)
{
	prepare_declared(s, text, knob, "");
}

static void run_test_run(struct setting *s)
{
	const struct run_conf conf = {.decl = NULL, .seed = 7};

	assert_int_equal(
		run_case(s->runner, s->test_case,
			 s->fake.knob < ASKS ? CHAIR_TARGET : CHAIR_INITIATOR,
			 &conf, &s->rec),
		0);
}

static void run_lossy(struct setting *s, const char *text, enum knob knob,
		      enum dut_doubt doubt, uint64_t doubts)
{
	run_test_prepare(s, text, knob);
	s->fake.doubt = doubt;
	s->fake.doubts = doubts;
	run_test_run(s);
}

static void run_text(struct setting *s, const char *text, enum knob knob)
{
	run_lossy(s, text, knob, 0, 0);
}

static void run_test_put_away(struct setting *s)
{
	runner_free(s->runner);
	case_free(s->test_case);
	decl_free(s->decl);
	record_free(&s->rec);
}

static void misbehaviour_gets_its_verdict(void **state)
{
	static const struct {
		const char *what;
		enum knob knob;
		enum verdict verdict;
		enum fail_kind kind;
		const char *id;     /* of a finding, NULL: none */
		const char *reason; /* a part of it */
	} rows[] = {
		{"lawful", LAWFUL, VERDICT_PASS, KIND_NONE, NULL, ""},
		{"silent", SILENT, VERDICT_INCONCLUSIVE, KIND_NONE, NULL,
		 "never answered"},
		{"silent at the second", SILENT_SECOND, VERDICT_FAIL,
		 KIND_PROTOCOL, "RUD-SVC-3",
		 "nothing came after \">  rud_req psn=334"},
		{"late", LATE, VERDICT_FAIL, KIND_TIMING, "UET-ACK-15", "late"},
		{"hungry", LATE_HUNGRY, VERDICT_FAIL, KIND_TIMING, "UET-ACK-15",
		 "late"},
		{"starved", LATE_STARVED, VERDICT_INCONCLUSIVE, KIND_NONE,
		 "UET-ACK-15", "without a processor for longer"},
		{"late, stopped", LATE_STOPPED, VERDICT_INCONCLUSIVE, KIND_NONE,
		 "UET-ACK-15", "a signal stopped the device"},
		{"silent, stopped", SILENT_STOPPED, VERDICT_INCONCLUSIVE,
		 KIND_NONE, NULL, "a signal stopped the device"},
		{"stopped at the second", STOPPED_SECOND, VERDICT_INCONCLUSIVE,
		 KIND_NONE, "RUD-SVC-3", "a signal stopped the device"},
		{"wrong cack, stopped", STOPPED_WRONG, VERDICT_FAIL,
		 KIND_PROTOCOL, "RUD-SEQ-75", "CACK_PSN does not move"},
		{"wrong cack", WRONG_CACK, VERDICT_FAIL, KIND_PROTOCOL,
		 "RUD-SEQ-75", "CACK_PSN does not move"},
		{"wrong message", WRONG_MESSAGE, VERDICT_FAIL, KIND_PROTOCOL,
		 "UET-SES-19", "message id"},
		{"short ack", SHORT_ACK, VERDICT_FAIL, KIND_PROTOCOL,
		 "UET-ENC-39", "ends inside its ack header"},
		{"forbidden", FORBIDDEN, VERDICT_FAIL, KIND_PROTOCOL,
		 "RUD-SVC-3", "frame 4"},
		{"dies", DIES, VERDICT_FAIL, KIND_PROTOCOL, "RUD-SVC-3",
		 "exit status 1"},
		{"repeats acks", REPEATS_ACK, VERDICT_PASS, KIND_NONE, NULL,
		 ""},
		{"clear request", CLEAR_REQUEST, VERDICT_PASS, KIND_NONE, NULL,
		 ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct setting s;
		bool found = rows[i].id == NULL;

		run_text(&s, two_sends, rows[i].knob);
		for (size_t n = 0; n < s.rec.nfindings; n++)
			found |= rows[i].id &&
				 strcmp(req_get(s.rec.findings[n].req)->id,
					rows[i].id) == 0;
		if (s.rec.verdict != rows[i].verdict ||
		    s.rec.kind != rows[i].kind || !found ||
		    !strstr(s.rec.reason, rows[i].reason))
			fail_msg("%s: %s %s, \"%s\"", rows[i].what,
				 verdict_name(s.rec.verdict),
				 fail_kind_name(s.rec.kind), s.rec.reason);
		run_test_put_away(&s);
	}
}

static void expected_and_actual_have_the_same_fields(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, two_sends, WRONG_REQ);
	assert_true(s.rec.nfindings > 0);
	for (size_t i = 0; i < s.rec.nfindings; i++) {
		const struct rec_finding *f = &s.rec.findings[i];

		if (!f->line)
			continue;
		assert_string_equal(f->expected,
				    "ack ack_psn=333 cack_psn=333 req=none | "
				    "response message_id=1");
		assert_string_equal(f->actual,
				    "ack ack_psn=333 cack_psn=333 req=clear | "
				    "response message_id=1");
		run_test_put_away(&s);
		return;
	}
	fail_msg("no finding of a line");
}

/* A timer that the case does not wait for runs out before it is known. */
static void a_late_device_is_not_blamed_for_its_other_timer(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, refusal, ASKS);
	if (s.rec.verdict != VERDICT_FAIL ||
	    !strstr(s.rec.reason, "must not come"))
		fail_msg("%s: %s", verdict_name(s.rec.verdict), s.rec.reason);
	run_test_put_away(&s);
	run_text(&s, refusal, ASKS_LATE);
	if (s.rec.verdict != VERDICT_INCONCLUSIVE ||
	    !strstr(s.rec.reason, "the device was 4.0 ms late"))
		fail_msg("%s: %s", verdict_name(s.rec.verdict), s.rec.reason);
	run_test_put_away(&s);
}

/* A run whose tester naps at a look at the clock; false: it looked less often.
 */
static bool doze(struct setting *s, const char *text, enum knob knob,
		 unsigned look, vspan nap)
{
	run_test_prepare(s, text, knob);
	s->fake.dut.virtual = false;
	s->fake.dozes = look;
	s->fake.nap = nap;
	run_test_run(s);
	return s->fake.dozed;
}

/* Wherever the tester is held up, what comes of it is not the device's fault:
 * it may have been late to look, to go on or to send. */
static void a_tester_that_dozes_blames_nobody(void **state)
{
	unsigned hurt = 0, look = 0;
	struct setting s;

	(void)state;
	while (doze(&s, two_sends, FORBIDDEN, ++look, 3 * VSPAN_MS)) {
		hurt += s.fake.hurt;
		if (s.fake.hurt && (s.rec.verdict != VERDICT_INCONCLUSIVE ||
				    !strstr(s.rec.reason, "the tester was 3")))
			fail_msg("look %u: %s %s", look,
				 verdict_name(s.rec.verdict), s.rec.reason);
		run_test_put_away(&s);
	}
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_true(hurt > 3);
	run_test_put_away(&s);
}

static void a_tester_that_sleeps_misses_nothing(void **state)
{
	unsigned in_doubt = 0, look = 0;
	struct setting s;

	(void)state;
	while (doze(&s, two_sends, LAWFUL, ++look, 600 * VSPAN_MS)) {
		in_doubt += s.rec.verdict == VERDICT_INCONCLUSIVE;
		if (s.rec.verdict == VERDICT_FAIL)
			fail_msg("look %u: %s", look, s.rec.reason);
		run_test_put_away(&s);
	}
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_true(in_doubt > 0);
	run_test_put_away(&s);
}

/* The device answered in time what left late. */
static void a_nap_makes_no_answer_too_early(void **state)
{
	unsigned look = 0;
	struct setting s;

	(void)state;
	while (doze(&s, patience, ASKS_AGAIN, ++look, 300 * VSPAN_US)) {
		if (s.rec.verdict != VERDICT_PASS)
			fail_msg("look %u: %s %s", look,
				 verdict_name(s.rec.verdict), s.rec.reason);
		run_test_put_away(&s);
	}
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	run_test_put_away(&s);
}

/* The lines have the tester break a rule.  With the reference as the device
 * that is the case's mistake; what another device does is no error. */
static void a_device_never_ends_a_case_as_error(void **state)
{
	static const char slip[] =
		"title The second request clears what was not acknowledged\n"
		"covers RUD-SEQ-75\n"
		"needs rud\n"
		"chair target\n"
		"base fwd=333\n"
		">  rud_req psn=333 clear_psn=332 syn ar | std send "
		"message_id=1 som eom | data 8\n"
		"<  ack ack_psn=333 cack_psn=333 [RUD-SEQ-75]\n"
		">  rud_req psn=334 clear_psn=334 ar | std send message_id=2 "
		"som eom | data 8\n"
		"<  ack ack_psn=334 [RUD-SEQ-75]\n";
	struct setting s = {0};

	(void)state;
	run_test_prepare(&s, slip, LAWFUL);
	s.fake.dut.reference = true;
	run_test_run(&s);
	assert_int_equal(s.rec.verdict, VERDICT_ERROR);
	assert_int_equal(s.rec.reason_id, REASON_TESTER_BROKE);
	run_test_put_away(&s);

	s = (struct setting){0};
	run_text(&s, slip, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(s.rec.reason_id, REASON_LED_ASTRAY);
	run_test_put_away(&s);
}

static void a_crash_needs_no_opening(void **state)
{
	struct setting s;

	(void)state;
	run_text(&s, crash, DIES_SILENT);
	if (s.rec.verdict != VERDICT_FAIL ||
	    !strstr(s.rec.reason, "the device ended after \">  rud_req ar"))
		fail_msg("%s: %s", verdict_name(s.rec.verdict), s.rec.reason);
	run_test_put_away(&s);
	run_text(&s, crash, SILENT);
	if (s.rec.verdict != VERDICT_INCONCLUSIVE)
		fail_msg("%s: %s", verdict_name(s.rec.verdict), s.rec.reason);
	run_test_put_away(&s);
}

/* If a line leaves fields open, the answer matches the last copy. */
static void an_answer_echoes_retx(void **state)
{
	static const uint8_t want[] = {0, 1}; /* of the NACK, of the ACK */
	struct setting s;
	size_t sent = 0;

	(void)state;
	run_text(&s, echo, ASKS);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	for (size_t i = 0; i < s.rec.nrecs; i++) {
		struct packet pkt;
		uint64_t retx = 0;

		if (s.rec.recs[i].kind != REC_TX)
			continue;
		record_packet(&s.rec, &s.rec.recs[i], &pkt);
		assert_true(packet_value(&pkt, "retx", &retx));
		assert_true(sent < 2);
		assert_int_equal(retx, want[sent++]);
	}
	assert_int_equal(sent, 2);
	run_test_put_away(&s);
}

static void what_is_not_claimed_is_not_applicable(void **state)
{
	static const char text[] = "title Needs more\n"
				   "covers RUD-SEQ-75\n"
				   "needs rod\n"
				   "chair target\n"
				   "<  ack [RUD-SEQ-75]\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_NA);
	assert_non_null(strstr(s.rec.reason, "rod"));
	run_test_put_away(&s);
}

static void an_impairment_that_never_fired_is_inconclusive(void **state)
{
	char text[1024];
	struct setting s;

	(void)state;
	snprintf(text, sizeof(text), "%s%s", two_sends,
		 "drop > rud_req psn=999 nth=1\n");
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(s.rec.reason, "never fired"));
	run_test_put_away(&s);
}

/* The device was not sent what the case says, or the network doubled it. */
static bool run_test_explains(enum dut_doubt d)
{
	return d == DOUBT_UNSEEN || d == DOUBT_UNSENT || d == DOUBT_HELD ||
	       d == DOUBT_DOUBLED || d == DOUBT_TOO_LONG ||
	       d == DOUBT_UNREACHABLE;
}

/* Nothing is sure where the tester may not have seen all, except what came. */
static void what_is_in_doubt_is_inconclusive(void **state)
{
	static const char one_send[] =
		"title One send\n"
		"covers RUD-SEQ-75\n"
		"needs rud\n"
		"chair target\n"
		"base fwd=333\n"
		">  rud_req psn=333 clear_psn=332 syn ar | std send "
		"message_id=1 som eom | data 8\n"
		"never < nack for 10ms [RUD-SEQ-82]\n";
	static const struct {
		const char *text;
		enum knob knob;
		enum verdict verdict;
	} rows[] = {
		{two_sends, LAWFUL, VERDICT_INCONCLUSIVE},
		{two_sends, SILENT_SECOND, VERDICT_INCONCLUSIVE},
		{two_sends, WRONG_CACK, VERDICT_INCONCLUSIVE},
		{one_send, FORBIDDEN, VERDICT_FAIL},
	};

	(void)state;
	for (size_t i = 0; i < 4 * DOUBT_COUNT; i++) {
		const size_t row = i % 4;
		const enum dut_doubt doubt = (enum dut_doubt)(i / 4);
		const bool sure = rows[row].verdict == VERDICT_FAIL &&
				  !run_test_explains(doubt);
		struct setting s;

		run_lossy(&s, rows[row].text, rows[row].knob, doubt, 3);
		assert_int_equal(s.rec.verdict,
				 sure ? VERDICT_FAIL : VERDICT_INCONCLUSIVE);
		assert_int_equal(s.rec.doubts[doubt].n, 3);
		assert_int_not_equal(s.rec.doubts[doubt].frame, 0);
		assert_int_equal(strstr(s.rec.reason, dut_doubt_text(doubt)) ==
					 NULL,
				 sure);
		for (size_t n = 0; n < s.rec.nfindings; n++)
			assert_int_equal(s.rec.findings[n].doubtful, !sure);
		for (size_t n = 0; n < s.rec.nreqs && !sure; n++)
			assert_false(s.rec.reqs[n].wire ||
				     s.rec.reqs[n].failed);
		run_test_put_away(&s);
	}
}

static void the_same_seed_gives_the_same_packets(void **state)
{
	struct setting a, b;

	(void)state;
	run_text(&a, two_sends, LAWFUL);
	run_text(&b, two_sends, LAWFUL);
	assert_int_equal(a.rec.nrecs, b.rec.nrecs);
	assert_int_equal(a.rec.nbytes, b.rec.nbytes);
	assert_memory_equal(a.rec.bytes, b.rec.bytes, a.rec.nbytes);
	run_test_put_away(&a);
	run_test_put_away(&b);
}

/* Runs "two_sends" with deviations that are known, or to be gone over. */
static void run_over(struct setting *s, enum knob knob, const char *known,
		     bool step_over)
{
	const struct run_conf conf = {.seed = 7, .step_over = step_over};

	prepare_declared(s, two_sends, knob, known);
	assert_int_equal(
		run_case(s->runner, s->test_case, CHAIR_TARGET, &conf, &s->rec),
		0);
}

static size_t count_findings(const struct record *r, enum req_id id,
			     const char *what)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nfindings; i++)
		n += r->findings[i].req == id &&
		     strcmp(r->findings[i].what, what) == 0;
	return n;
}

static const struct rec_finding *run_test_finding_of(const struct record *r,
						     enum req_id id)
{
	for (size_t i = 0; i < r->nfindings; i++)
		if (r->findings[i].req == id)
			return &r->findings[i];
	fail();
	return NULL;
}

static void a_known_deviation_is_told_once(void **state)
{
	const struct rec_finding *f;
	struct setting s;

	(void)state;
	run_over(&s, WRONG_MESSAGE,
		 "deviates UET-SES-19 ses.message_id \"ticket 17\"\n", false);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(
		count_findings(&s.rec, REQ_UET_SES_19, "ses.message_id"), 1);
	f = run_test_finding_of(&s.rec, REQ_UET_SES_19);
	assert_int_equal(f->role, REQ_DST);
	assert_true(f->known);
	assert_int_equal(s.rec.rungs_expected, 3);
	assert_int_equal(s.rec.rungs_matched, 1);
	assert_int_equal(s.rec.rungs_stepped, 2);
	assert_non_null(strstr(s.rec.reason, "known deviation: UET-SES-19"));
	run_test_put_away(&s);

	/* Another value of the field is not known. */
	run_over(&s, WRONG_MESSAGE, "deviates UET-SES-19 message_id=9\n",
		 false);
	assert_false(run_test_finding_of(&s.rec, REQ_UET_SES_19)->known);
	assert_int_equal(s.rec.rungs_expected, 1);
	run_test_put_away(&s);
}

static void a_known_deviation_may_change_the_state(void **state)
{
	struct setting s;

	(void)state;
	run_over(&s, WRONG_REQ, "deviates RUD-SEQ-76 ack.req=clear\n", false);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(count_findings(&s.rec, REQ_RUD_SEQ_76, "ack.req"), 1);
	assert_int_equal(s.rec.rungs_expected, 3);
	run_test_put_away(&s);
}

static void stepping_over_goes_on_where_the_state_is_certain(void **state)
{
	static const struct {
		enum knob knob;
		unsigned expected; /* lines that were reached */
	} rows[] = {
		{WRONG_MESSAGE, 3}, /* the SES header alone */
		{WRONG_REQ, 1},     /* the responses to clear */
		{WRONG_CACK, 3},    /* what was received: as far as it gets */
		{SHORT_ACK, 1},     /* no packet at all */
		{SILENT_SECOND, 2}, /* something is missing, more depends */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct setting s;

		run_over(&s, rows[i].knob, "", true);
		assert_int_equal(s.rec.verdict, VERDICT_FAIL);
		if (s.rec.rungs_expected < rows[i].expected)
			fail_msg("row %zu: %u lines reached", i,
				 s.rec.rungs_expected);
		if (rows[i].expected < 2)
			assert_int_equal(s.rec.rungs_stepped, 0);
		run_test_put_away(&s);
	}
}

/* Behind a wrong CACK_PSN a line that is met counts, and silence does not. */
static void nothing_is_certain_behind_a_wrong_number(void **state)
{
	struct setting s;
	size_t n = 0;

	(void)state;
	run_over(&s, WRONG_CACK, "", true);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	while (n < s.rec.nfindings && !s.rec.findings[n].shaken)
		n++;
	assert_in_range(n, 0, s.rec.nfindings - 1);
	assert_string_equal(s.rec.findings[n].what, "ack.cack_psn");
	assert_true(s.rec.findings[n].stepped);
	for (size_t i = n + 1; i < s.rec.nfindings; i++)
		assert_true(s.rec.findings[i].consequence);
	for (size_t i = 0; i < s.rec.nreqs; i++)
		if (s.rec.reqs[i].req == REQ_RUD_SEQ_82)
			assert_false(s.rec.reqs[i].wire);
	run_test_put_away(&s);
}

static void what_is_stepped_over_still_fails(void **state)
{
	const struct rec_finding *f;
	struct setting s;

	(void)state;
	run_over(&s, WRONG_MESSAGE, "", true);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(
		count_findings(&s.rec, REQ_UET_SES_19, "ses.message_id"), 1);
	f = run_test_finding_of(&s.rec, REQ_UET_SES_19);
	assert_true(f->stepped);
	assert_false(f->known);
	for (size_t i = 0; i < s.rec.nreqs; i++)
		assert_false(s.rec.reqs[i].not_reached);
	run_test_put_away(&s);
}

#define FIRST(acks)                                                            \
	">  rud_req psn=333 clear_psn=332 syn ar | std send message_id=1 som " \
	"eom | data 8\n"                                                       \
	"<  " acks " ack_psn=333 cack_psn=333 req=none | response "            \
	"message_id=1 "
#define SECOND                                                                 \
	">  rud_req psn=334 clear_psn=333 ar | std send message_id=2 som eom " \
	"| data 8\n"                                                           \
	"<  ack ack_psn=334 cack_psn=334 req=none | response message_id=2 "
#define BEGIN                 \
	"title Some sends\n"  \
	"covers RUD-SEQ-75\n" \
	"needs rud\n"         \
	"chair target\n"      \
	"base fwd=333\n"

static const struct rec_req *run_test_account(const struct setting *s,
					      enum req_id id)
{
	for (size_t i = 0; i < s->rec.nreqs; i++)
		if (s->rec.reqs[i].req == id)
			return &s->rec.reqs[i];
	fail_msg("%s is not in the record", req_get(id)->id);
	return NULL;
}

/* The finding that fails a row, if there is just one. */
static const struct rec_finding *only_failure(const struct setting *s)
{
	const struct rec_finding *ret = NULL;

	for (size_t i = 0; i < s->rec.nfindings; i++) {
		const struct rec_finding *f = &s->rec.findings[i];

		if (f->remark || f->consequence)
			continue;
		assert_null(ret);
		ret = f;
	}
	return ret;
}

/* A field fails its row; the others of the line count by their own. */
static void one_field_fails_one_row(void **state)
{
	static const char text[] = BEGIN FIRST(
		"ack") "[RUD-SEQ-75:ack.cack_psn RUD-SVC-3:ack.missing "
		       "UET-ACK-04:ack.req UET-ACK-02:ack.m]\n" SECOND
		       "[RUD-NACK-1]\n";
	const struct rec_finding *f;
	struct setting s;

	(void)state;
	run_text(&s, text, WRONG_REQ);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(s.rec.reason_id, REASON_FINDING);
	f = only_failure(&s);
	assert_int_equal(f->req, REQ_UET_ACK_04);
	assert_string_equal(f->what, "ack.req");
	assert_true(run_test_account(&s, REQ_UET_ACK_04)->failed);
	assert_true(run_test_account(&s, REQ_RUD_SEQ_75)->wire);
	assert_true(run_test_account(&s, REQ_RUD_SVC_3)->wire);
	assert_false(run_test_account(&s, REQ_RUD_SVC_3)->failed);
	assert_false(run_test_account(&s, REQ_RUD_NACK_1)->wire);
	assert_true(run_test_account(&s, REQ_RUD_NACK_1)->not_reached);
	run_test_put_away(&s);
}

/* Level S: the case goes on behind it. */
static void a_remark_does_not_end_the_case(void **state)
{
	static const char text[] =
		BEGIN ">  rud_req psn=333 clear_psn=332 syn ar | std send "
		      "message_id=1 som eom | data 8\n"
		      "<  ack ack_psn=333 | response modified_length=9 "
		      "[UET-ACK-32:ses.modified_length RUD-SEQ-75]\n" SECOND
		      "[RUD-SEQ-75]\n";
	struct setting s;

	(void)state;
	assert_int_equal(req_get(REQ_UET_ACK_32)->level, REQ_S);
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_null(only_failure(&s));
	assert_int_equal(s.rec.rungs_expected, 2);
	assert_int_equal(s.rec.rungs_matched, 1);
	run_test_put_away(&s);
}

/* A retransmission with an old CLEAR_PSN is one row's matter, a remark. */
static void a_stale_clear_psn_is_a_remark(void **state)
{
	static const char text[] =
		"title A refusal\n"
		"covers RUD-SEQ-82\n"
		"needs rud\n"
		"chair initiator\n"
		"<  rud_req syn psn=$p | std send [RUD-SEQ-75]\n"
		"<  rud_req syn psn=$q | std send [RUD-SEQ-75]\n"
		">  nack no_pkt_buffer nack_psn=$q\n"
		"<  rud_req psn=$q retx clear_psn==333 | same within nack_time "
		"[RUD-SEQ-82]\n";
	bool told = false;
	struct setting s;

	(void)state;
	run_text(&s, text, ASKS);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	for (size_t i = 0; i < s.rec.nfindings; i++)
		told |= strcmp(s.rec.findings[i].what, "req.stale") == 0 &&
			s.rec.findings[i].req == REQ_UET_RTX_17 &&
			s.rec.findings[i].remark;
	assert_true(told);
	run_test_put_away(&s);
}

/* A finding behind the first deviation proves nothing. */
static void the_first_deviation_fails_the_case(void **state)
{
	struct setting s;
	size_t proved = 0;

	(void)state;
	run_text(&s, two_sends, WRONG_CACK);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	for (size_t i = 0; i < s.rec.nreqs; i++)
		proved += s.rec.reqs[i].failed;
	assert_int_equal(proved, 1);
	run_test_put_away(&s);
}

static void closing_is_judged_by_itself(void **state)
{
	static const char text[] = BEGIN FIRST("ack") "[RUD-SEQ-75]\n"
						      "use close\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_int_equal(s.rec.teardown, VERDICT_FAIL);
	assert_int_equal(only_failure(&s)->phase, PHASE_TEARDOWN);
	run_test_put_away(&s);
}

static void opening_fails_the_case_once(void **state)
{
	static const char text[] =
		BEGIN "use open\n" FIRST("ack") "[RUD-NACK-1]\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_FAIL);
	assert_int_equal(s.rec.reason_id, REASON_SETUP);
	assert_int_equal(only_failure(&s)->phase, PHASE_SETUP);
	assert_true(run_test_account(&s, REQ_RUD_NACK_1)->not_reached);
	run_test_put_away(&s);
}

static void a_fragment_may_need_a_claim(void **state)
{
	static const char text[] = BEGIN FIRST("ack") "[RUD-SEQ-75]\n"
						      "use unclaimed\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_PASS);
	assert_int_equal(s.rec.teardown, VERDICT_PASS);
	run_test_put_away(&s);
}

/* The device claims ack_cc and sends plain ACKs. */
static void a_claim_that_is_not_kept_fails_no_row(void **state)
{
	static const char text[] = BEGIN FIRST("ack_cc") "[RUD-NACK-1]\n";
	struct setting s;

	(void)state;
	run_text(&s, text, LAWFUL);
	assert_int_equal(s.rec.verdict, VERDICT_NA);
	assert_int_equal(s.rec.reason_id, REASON_UNDECLARED);
	assert_string_equal(s.rec.claim, "ack_cc");
	assert_string_equal(s.rec.claim_seen, "ack");
	assert_null(only_failure(&s));
	assert_true(run_test_account(&s, REQ_RUD_NACK_1)->not_reached);
	run_test_put_away(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(misbehaviour_gets_its_verdict),
		cmocka_unit_test(expected_and_actual_have_the_same_fields),
		cmocka_unit_test(
			a_late_device_is_not_blamed_for_its_other_timer),
		cmocka_unit_test(a_tester_that_dozes_blames_nobody),
		cmocka_unit_test(a_tester_that_sleeps_misses_nothing),
		cmocka_unit_test(a_nap_makes_no_answer_too_early),
		cmocka_unit_test(a_device_never_ends_a_case_as_error),
		cmocka_unit_test(a_crash_needs_no_opening),
		cmocka_unit_test(an_answer_echoes_retx),
		cmocka_unit_test(what_is_not_claimed_is_not_applicable),
		cmocka_unit_test(
			an_impairment_that_never_fired_is_inconclusive),
		cmocka_unit_test(what_is_in_doubt_is_inconclusive),
		cmocka_unit_test(the_same_seed_gives_the_same_packets),
		cmocka_unit_test(one_field_fails_one_row),
		cmocka_unit_test(a_remark_does_not_end_the_case),
		cmocka_unit_test(a_stale_clear_psn_is_a_remark),
		cmocka_unit_test(the_first_deviation_fails_the_case),
		cmocka_unit_test(closing_is_judged_by_itself),
		cmocka_unit_test(opening_fails_the_case_once),
		cmocka_unit_test(a_fragment_may_need_a_claim),
		cmocka_unit_test(a_claim_that_is_not_kept_fails_no_row),
		cmocka_unit_test(a_known_deviation_is_told_once),
		cmocka_unit_test(a_known_deviation_may_change_the_state),
		cmocka_unit_test(
			stepping_over_goes_on_where_the_state_is_certain),
		cmocka_unit_test(nothing_is_certain_behind_a_wrong_number),
		cmocka_unit_test(what_is_stepped_over_still_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
