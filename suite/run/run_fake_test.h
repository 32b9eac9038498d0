/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_fake_test.h -- a small device for tests of the runner: correct
 * unless a flag selects a fault.
 */
#ifndef SUITE_RUN_RUN_FAKE_TEST_H
#define SUITE_RUN_RUN_FAKE_TEST_H

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
	/* answers late, and had no processor for part of the time */
	LATE_HUNGRY,
	LATE_STARVED,   /* answers late, and had no processor all the time */
	LATE_STOPPED,   /* stopped by a signal */
	SILENT_STOPPED, /* stopped by a signal, and silent */
	STOPPED_SECOND, /* stopped at the second request */
	STOPPED_WRONG,  /* stopped, and the CACK is one too low */
	WRONG_CACK,     /* CACK one too low */
	WRONG_MESSAGE,  /* another message id in the response */
	WRONG_REQ,      /* requests a clear without a reason */
	SHORT_ACK,      /* an ACK of 11 bytes */
	FORBIDDEN,      /* an unprovoked NACK after the ACK */
	DIES,           /* the control channel ends at the second request */
	DIES_SILENT,    /* the control channel ends, and the device answered
			   nothing before */
	DIES_AT_POST,   /* the device ends when it is asked to post */
	/* reads a request late, and counts service_time from then */
	READS_LATE,
	READS_STARVED, /* so does this one, which had no processor */
	REPEATS_ACK,   /* every ACK twice: allowed */
	/* reports a message 9 ms late, and repeats its ACK until then, or not
	 */
	WORKS,
	RESTS,
	GIVES_UP,      /* as WORKS does, but reports that operation 1 failed */
	CLEAR_REQUEST, /* a Clear Request before the ACK: allowed */
	/* the second case: a request on the PDC of the first one, and the ACK
	 */
	USES_OLD_PDC,
	USES_OLD_PDC_ONLY, /* only that request */
	LACKS_PDC,         /* the second case: NACK no_pdc_avail */
	LACKS_STORAGE,     /* the second case: NACK no_gtd_del_avail */
	ASKS,              /* sends requests, and retransmits on its timers */
	ASKS_LATE,  /* sends requests so late that another timer expires */
	ASKS_AGAIN, /* retransmits a refused request in time */
	/* sends three messages, the second one of two packets on a PDC of its
	 * own, and the third one between those packets: on the first PDC, or
	 * on the second
	 */
	ASKS_IN_TURN,
	ASKS_INTERLEAVED,
	ASKS_PACED,  /* sends three messages, 2.5 ms apart */
	ASKS_PAUSES, /* so does this one, and waits longer before the third */
	/* retransmits the first request before it sends the second */
	ASKS_BETWEEN,
	ASKS_SLOWLY,   /* so does this one, and both are one message */
	ASKS_STARVED,  /* so does this one, which had no processor */
	ASKS_TARDY,    /* retransmits its request 3 ms after it had to */
	TARDY_STARVED, /* so does this one, which had no processor */
};

struct fake {
	struct dut dut;
	enum knob knob;
	vtime now;
	unsigned requests;
	struct dgram out[QUEUE];
	vtime due[QUEUE];
	size_t head, n;
	enum dut_doubt doubt; /* the doubt to report */
	uint64_t doubts;      /* its count */
	uint64_t drops;       /* packets that the kernel dropped besides */
	vspan starved_most;   /* the count to report */
	vtime told_at;        /* when it reports a message; 0: never */
	bool dead, asked;
	unsigned cases, clears, closes, refusals; /* the last: INV_DPDCID */
	uint16_t old_pdcid; /* of the tester, in the first case */
	unsigned looks;     /* readings of the clock by the tester */
	unsigned
		dozes; /* the reading at which the tester loses the processor */
	vspan nap;     /* for this long */
	vspan farewell; /* the port takes so long to say how the device ended */
	bool dozed, hurt; /* the tester lost the processor, and before the
			     second packet */
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

/* Makes it an ACK_CC, in the same place, whose service_time is 128 ns. */
static size_t run_test_add_cc(uint8_t *p, size_t n)
{
	const struct pds_ack_cc cc = {.cc_type = PDS_CC_NSCC, .mpr = 8};
	const struct pds_nscc nscc = {.service_time = 1};
	struct pds_ack ack;

	pds_ack_get(&ack, p);
	ack.type = PDS_ACK_CC;
	memmove(p + 32, p + 12, n - 12);
	memset(p, 0, 32);
	pds_ack_put(&ack, p);
	pds_ack_cc_put(&cc, p + 12);
	pds_nscc_put(&nscc, p + 24);
	return n + 20;
}

/* Writes the SES header of half |n| of a message of two packets. */
static void run_test_put_half(uint8_t *p, uint32_t n)
{
	const struct ses_std_som first = {.opcode = SES_SEND,
					  .som = true,
					  .message_id = 7,
					  .request_length = 16};
	const struct ses_std second = {.opcode = SES_SEND,
				       .eom = true,
				       .message_id = 7,
				       .payload_length = 8,
				       .message_offset = 8,
				       .request_length = 16};

	if (n)
		ses_std_put(&second, p);
	else
		ses_std_som_put(&first, p);
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
	if (f->knob == ASKS_SLOWLY)
		run_test_put_half(p + 12, psn - 333);
	else
		ses_std_som_put(&ses, p + 12);
	run_test_say(f, p, sizeof(p), delay, 0xc000);
	f->out[f->n - 1].ecn = ECN_ECT0;
}

/* Sends the last request on a second PDC. */
static void run_test_move(struct fake *f)
{
	uint8_t *p = f->out[f->n - 1].data;
	struct pds_req_syn req;

	pds_req_syn_get(&req, p);
	req.spdcid++;
	pds_req_syn_put(&req, p);
}

static void run_test_ask_in_turn(struct fake *f)
{
	const bool apart = f->knob == ASKS_IN_TURN;

	run_test_ask(f, 333, false, 20 * VSPAN_US);
	run_test_move(f);
	run_test_put_half(f->out[f->n - 1].data + 12, 0);
	run_test_ask(f, 334, false, 30 * VSPAN_US);
	if (!apart)
		run_test_move(f);
	run_test_ask(f, apart ? 334 : 335, false, 40 * VSPAN_US);
	run_test_move(f);
	run_test_put_half(f->out[f->n - 1].data + 12, 1);
}

static void run_test_ask_paced(struct fake *f)
{
	const bool even = f->knob == ASKS_PACED;

	run_test_ask(f, 334, false, even ? 2500 * VSPAN_US : VSPAN_MS);
	run_test_ask(f, 335, false, 5 * VSPAN_MS);
}

/* The second request is refused, and the first never answered. */
static void run_test_ask_all(struct fake *f)
{
	const vspan late = f->knob == ASKS_LATE ? 4 * VSPAN_MS : 0;

	f->asked = true;
	run_test_ask(f, 333, false, 10 * VSPAN_US);
	if (f->knob == ASKS_IN_TURN || f->knob == ASKS_INTERLEAVED) {
		run_test_ask_in_turn(f);
		return;
	}
	if (f->knob == ASKS_PACED || f->knob == ASKS_PAUSES) {
		run_test_ask_paced(f);
		return;
	}
	if (f->knob >= ASKS_TARDY) {
		run_test_ask(f, 333, true, 14 * VSPAN_MS);
		return;
	}
	if (f->knob >= ASKS_BETWEEN) {
		run_test_ask(f, 333, true, 5 * VSPAN_MS + VSPAN_MS / 2);
		run_test_ask(f, 334, false, 6 * VSPAN_MS);
		return;
	}
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

static vspan run_test_delay(enum knob knob)
{
	if (knob >= LATE && knob <= LATE_STOPPED)
		return 8 * VSPAN_MS;
	if (knob == READS_LATE || knob == READS_STARVED)
		return 7 * VSPAN_MS;
	return 10 * VSPAN_US;
}

/* A packet with neither message nor data, 12 bytes and what follows them. */
static void run_test_say_nack(struct fake *f, const struct pds_req *req,
			      uint8_t code)
{
	const struct pds_nack nack = {.type = PDS_NACK,
				      .nack_code = code,
				      .nack_psn = req->psn,
				      .spdcid = FAKE_PDCID,
				      .dpdcid = req->spdcid};
	uint8_t p[16] = {0};

	pds_nack_put(&nack, p);
	run_test_say(f, p, sizeof(p), 10 * VSPAN_US, 0xc000);
}

/* Takes what the tester sends outside the lines of a case. */
static bool run_test_is_aside(struct fake *f, const struct dgram *dg)
{
	struct pds_ack ack = {.type = PDS_ACK, .spdcid = FAKE_PDCID};
	struct pds_nack nack;
	uint8_t p[12] = {0};
	struct pds_cp cp;

	if (pds_type_of(dg->data) == PDS_NACK) {
		pds_nack_get(&nack, dg->data);
		f->refusals += nack.nack_code == NACK_INV_DPDCID;
		return nack.nack_code == NACK_INV_DPDCID;
	}
	if (pds_type_of(dg->data) != PDS_CP)
		return false;
	pds_cp_get(&cp, dg->data);
	f->clears += cp.ctl_type == PDS_CP_CLEAR_COMMAND;
	if (cp.ctl_type != PDS_CP_CLOSE_COMMAND)
		return true;
	f->closes++;
	ack.cack_psn = cp.psn;
	ack.dpdcid = cp.spdcid;
	pds_ack_put(&ack, p);
	run_test_say(f, p, sizeof(p), 10 * VSPAN_US, dg->entropy);
	return true;
}

/* Sends a request on the PDC of the first case. */
static void run_test_use_old_pdc(struct fake *f)
{
	const struct pds_req req = {.type = PDS_RUD_REQ,
				    .next_hdr = PDS_NEXT_REQUEST_STD,
				    .psn = 900,
				    .spdcid = FAKE_PDCID,
				    .dpdcid = f->old_pdcid};
	const struct ses_std_som ses = {
		.opcode = SES_SEND, .som = true, .eom = true};
	uint8_t p[12 + 44] = {0};

	pds_req_put(&req, p);
	ses_std_som_put(&ses, p + 12);
	run_test_say(f, p, sizeof(p), 5 * VSPAN_US, 0xc000);
}

/* Return: whether the device does no more. */
static bool run_test_second_case(struct fake *f, const struct pds_req *req)
{
	if (f->knob != USES_OLD_PDC && f->knob != USES_OLD_PDC_ONLY &&
	    f->knob != LACKS_PDC && f->knob != LACKS_STORAGE)
		return false;
	if (f->cases == 1)
		f->old_pdcid = req->spdcid;
	if (f->cases == 1 || !req->syn)
		return false;
	if (f->knob == LACKS_PDC)
		run_test_say_nack(f, req, NACK_NO_PDC_AVAIL);
	else if (f->knob == LACKS_STORAGE)
		run_test_say_nack(f, req, NACK_NO_GTD_DEL_AVAIL);
	else
		run_test_use_old_pdc(f);
	return f->knob != USES_OLD_PDC;
}

static int run_test_fake_send(struct dut *d, struct dgram *dg)
{
	struct fake *f = run_test_self(d);
	vspan delay = run_test_delay(f->knob);
	struct pds_req req;
	struct ses_std_som ses;
	uint8_t p[64];
	size_t n;

	if (!d->virtual && run_test_is_aside(f, dg))
		return 0;
	if (f->asked && f->knob == ASKS_AGAIN)
		ask_again(f, dg);
	if (f->asked)
		return 0;
	assert_int_equal(pds_type_of(dg->data), PDS_RUD_REQ);
	pds_req_get(&req, dg->data);
	ses_std_som_get(&ses, dg->data + 12);
	f->requests++;
	if (run_test_second_case(f, &req))
		return 0;
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
	if (f->knob == READS_LATE || f->knob == READS_STARVED)
		n = run_test_add_cc(p, n);
	run_test_say(f, p, f->knob == SHORT_ACK ? 11 : n, delay, dg->entropy);
	if (f->knob == REPEATS_ACK)
		run_test_say(f, p, n, delay, dg->entropy);
	for (vspan later = 2;
	     (f->knob == WORKS || f->knob == GIVES_UP) && later < 12;
	     later += 2)
		run_test_say(f, p, n, later * VSPAN_MS, dg->entropy);
	if (f->knob >= WORKS && f->knob <= GIVES_UP)
		f->told_at = f->now + 12 * VSPAN_MS;
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
	struct fake *f = run_test_self(d);

	(void)req;
	f->dead = f->knob == DIES_AT_POST;
	return f->dead ? ERR_CLOSED : ERR_SUPPORT;
}

static int fake_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct fake *f = run_test_self(d);

	if (f->dead) {
		f->now += f->farewell;
		ret->kind = DUT_GONE;
		ret->at = f->now;
		snprintf(ret->text, sizeof(ret->text), "exited with status 1");
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
	if (f->told_at && f->told_at <= until) {
		f->now = vtime_max(f->now, f->told_at);
		ret->kind = DUT_EVENT;
		ret->at = f->told_at;
		ret->ev = (struct orc_event){
			.kind = EV_RECV, .message_id = 1, .len = 8};
		if (f->knob == GIVES_UP)
			ret->ev = (struct orc_event){.kind = EV_COMPLETION,
						     .handle = 1,
						     .status = STATUS_TIMEOUT};
		f->told_at = 0;
		return 0;
	}
	f->now = vtime_max(f->now, until);
	ret->kind = DUT_TIMEOUT;
	ret->at = f->now;
	return 0;
}

static void fake_tally(struct dut *d)
{
	d->counts.doubt[DOUBT_KERNEL_DROPS] = run_test_self(d)->drops;
	d->counts.doubt[run_test_self(d)->doubt] = run_test_self(d)->doubts;
	if (run_test_self(d)->knob == LATE_HUNGRY)
		d->counts.starved = 2 * VSPAN_MS;
	if (run_test_self(d)->knob == LATE_STARVED ||
	    run_test_self(d)->knob == READS_STARVED ||
	    run_test_self(d)->knob == ASKS_STARVED ||
	    run_test_self(d)->knob == TARDY_STARVED)
		d->counts.starved = 7 * VSPAN_MS;
	d->counts.starved_most = run_test_self(d)->starved_most;
	d->counts.stopped = run_test_self(d)->knob >= LATE_STOPPED &&
			    run_test_self(d)->knob <= STOPPED_WRONG;
}

static int fake_begin(struct dut *d, uint64_t seed)
{
	run_test_self(d)->cases++;
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

struct setting {
	struct test_case *test_case;
	struct decl *decl;
	struct fake fake;
	struct runner *runner;
	struct record rec;
};

/*
 * Returns a fragment; "open", "close" and "unclaimed" expect a packet which the
 * device never sends.
 */
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
	if (strcmp(name, "in-time") == 0)
		return "chair target\n"
		       "> rud_req psn=333 clear_psn=332 syn ar | std send "
		       "message_id=7 som eom | data 8\n"
		       "< ack [UET-ACK-15:ack.late]\n";
	if (strcmp(name, "answered") == 0)
		return "chair target\n"
		       "> rud_req psn=333 clear_psn=332 syn ar | std send "
		       "message_id=7 som eom | data 8\n"
		       "< ack [UET-ACK-15]\n";
	if (strcmp(name, "first") == 0)
		return "chair initiator\n"
		       "< rud_req syn | std send som eom [RUD-SVC-1]\n";
	if (strcmp(name, "close") == 0)
		return "chair target\n"
		       "< nack no_resource [RUD-SEQ-82]\n";
	if (strcmp(name, "unclaimed") == 0)
		return "chair target\n"
		       "needs rod\n"
		       "< nack no_resource [RUD-SEQ-82]\n";
	return NULL;
}

/* Prepares a case; |more| is appended to the declaration. */
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

#endif
