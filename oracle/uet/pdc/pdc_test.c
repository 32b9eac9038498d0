/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/pdc_test.c -- tests the states of a PDC, and a source under
 * faults: closes from both sides, exhausted retries, fatal NACKs, SACK, full
 * windows.
 */
#include "oracle/core/pair_test.h"
#include "oracle/uet/pdc/pdc.h"
#include "oracle/uet/pdc/source/pdc_src.h"
#include "oracle/uet/pds/pds.h"
#include "oracle/uet/pds/pds_table.h"

static int pdc_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	*state = p;
	return 0;
}

static int pdc_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static bool has_state(const struct pair *p, unsigned side, enum pdc_state s)
{
	for (size_t i = 0; i < p->nevents[side]; i++) {
		const struct orc_event *ev = &p->events[side][i];

		if (ev->kind == EV_PDC &&
		    !strcmp(ev->reason, pdc_state_name(s)))
			return true;
	}
	return false;
}

static void assert_no_pdc(struct pair *p)
{
	assert_true(pair_next(p) == VTIME_NEVER);
	assert_true(has_state(p, A, PDC_CLOSED));
	assert_true(has_state(p, B, PDC_CLOSED));
}

static void closes_when_idle(void **state)
{
	struct pair *p = *state;
	struct pds_cp cp;
	struct pds_ack ack;

	p->conf[A].close_idle = 20 * VSPAN_MS;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 2);
	cp = rung_cp(p, 0, A, PDS_CP_CLOSE_COMMAND, 0);
	assert_int_equal(cp.psn, 333);
	assert_int_equal(cp.ar, 1);
	ack = rung_ack(p, 1, B, 333, 333);
	assert_int_equal(ack.next_hdr, PDS_NEXT_NONE);
	assert_no_pdc(p);

	pair_forget(p);
	pair_send(p, 9, 64); /* a new PDC with another PDCID */
	pair_run(p, VSPAN_MS);
	assert_int_equal(rung_req(p, 0, A, 332, 331).syn, 1);
	assert_int_not_equal(rung_req(p, 0, A, 332, 331).spdcid, cp.spdcid);
}

/* The retransmitted Close Command meets no PDC: closed nevertheless (6.7). */
static void closing_ack_lost(void **state)
{
	struct pair *p = *state;
	int lose[] = {1000, -1};

	p->conf[A].close_idle = 20 * VSPAN_MS;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_run(p, 200 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_cp(p, 0, A, PDS_CP_CLOSE_COMMAND, 0);
	assert_int_equal(rung_cp(p, 2, A, PDS_CP_CLOSE_COMMAND, 0).retx, 1);
	rung_nack(p, 3, B, NACK_INV_DPDCID, 333);
	assert_no_pdc(p);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_ERROR), 0);
}

static struct pdc *only_pdc(struct pair *p, unsigned side)
{
	return pds_at(&p->end[side]->pds, 0);
}

/* A target asks once, 20 ms after the last request. */
static void idle_target_asks_for_close(void **state)
{
	struct pair *p = *state;

	p->conf[B].ask_close_idle = 20 * VSPAN_MS;
	p->conf[B].close_req_time = VSPAN_S;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_run(p, 10 * VSPAN_MS);
	pair_send(p, 9, 64);
	pair_run(p, 15 * VSPAN_MS);
	assert_int_equal(p->nseen, 2);
	pair_forget(p);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_cp(p, 0, B, PDS_CP_CLOSE_REQUEST, 0);
	assert_no_pdc(p);
}

/* A target that asks in its ACKs as well does so until the Close Command. */
static void idle_target_asks_in_acks(void **state)
{
	struct pair *p = *state;

	p->conf[B].ask_close_idle = 20 * VSPAN_MS;
	p->conf[B].ask_close_ack = true;
	p->conf[B].close_req_time = VSPAN_S;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_cp(p, 0, B, PDS_CP_CLOSE_REQUEST, 0);
	assert_int_equal(rung_ack(p, 3, B, 333, 333).req, PDS_REQ_CLOSE);
	assert_no_pdc(p);
}

/* The target stores a response, and asks for a clear after 20 ms without. */
static void store_a_response(struct pair *p)
{
	const struct ses_policy gtd = {.count = 1, .gtd = OP_GTD_YES};

	p->conf[A].pds_clear_time = VSPAN_S;
	p->conf[B].ask_clear_time = 20 * VSPAN_MS;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_policy(p, gtd);
	pair_send(p, 9, 64);
	pair_run(p, 10 * VSPAN_MS);
}

/* A stored response waits 20 ms for a clear, then its target asks for it. */
static void target_asks_for_clear(void **state)
{
	struct pair *p = *state;

	store_a_response(p);
	assert_int_equal(only_pdc(p, B)->dst.nstored, 1);
	pair_forget(p);
	pair_run(p, 15 * VSPAN_MS);
	rung_cp(p, 0, B, PDS_CP_CLEAR_REQUEST, 333);
	pair_run(p, 2 * VSPAN_S);
	assert_int_equal(only_pdc(p, B)->dst.nstored, 0);
	assert_true(only_pdc(p, B)->dst.ask_clear_at == VTIME_NEVER);
}

/* The target asks again as long as no clear comes. */
static void target_asks_for_clear_again(void **state)
{
	struct pair *p = *state;

	store_a_response(p);
	pair_forget(p);
	p->fate = pair_nothing_passes;
	pair_run(p, 60 * VSPAN_MS);
	assert_int_equal(p->nseen, 3);
	for (size_t i = 0; i < 3; i++) {
		rung_cp(p, i, B, PDS_CP_CLEAR_REQUEST, 333);
		assert_int_equal(p->seen[i].at - p->seen[0].at,
				 (vspan)i * p->conf[B].ask_clear_time);
	}
}

static void target_asks_for_close(void **state)
{
	struct pair *p = *state;

	p->conf[B].close_req_time = VSPAN_S;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pdc_ask_close(only_pdc(p, B), OP_CLOSE_BOTH);
	pdc_update(only_pdc(p, B));
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(p->nseen, 4);
	rung_cp(p, 0, B, PDS_CP_CLOSE_REQUEST, 0);
	rung_ack(p, 1, A, 332, 332); /* ACK of the return direction */
	rung_cp(p, 2, A, PDS_CP_CLOSE_COMMAND, 0);
	rung_ack(p, 3, B, 333, 333);
	assert_no_pdc(p);
}

/*
 * The initiator does not react to the Close Request: later packets get
 * CLOSING_IN_ERR.
 */
static void target_gives_up(void **state)
{
	struct pair *p = *state;
	int lose[] = {1000, -1};

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pdc_ask_close(only_pdc(p, B), OP_CLOSE_BOTH);
	pdc_update(only_pdc(p, B));
	pair_run(p, 2 * VSPAN_MS);
	pair_send(p, 1, 64);
	pair_run(p, 100 * VSPAN_MS);
	rung_req(p, 1, A, 333, 332);
	rung_nack(p, 2, B, NACK_CLOSING_IN_ERR, 333);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_FATAL);
	assert_no_pdc(p);
}

/* RTO_Init_Time * 2^n, Max_RTO_Retx_Cnt times, then an error per packet. */
static void retries_run_out(void **state)
{
	struct pair *p = *state;
	const vspan rto = p->conf[A].rto_init;
	vspan gap = rto;

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 64);
	pair_run(p, 63 * rto - 1);
	assert_int_equal(p->nseen, 6);
	for (size_t i = 1; i < 6; i++, gap *= 2)
		assert_int_equal(p->seen[i].at - p->seen[i - 1].at, gap);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 0);
	pair_run(p, 1);
	pair_drain(p);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_ERROR), 1);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_RETRIES);
	rung_cp(p, 6, A, PDS_CP_CLOSE_COMMAND, 0);
	pair_run(p, 10 * VSPAN_S);
	assert_true(has_state(p, A, PDC_CLOSED));
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

/* Queued packets that were never sent leave no hole below the Close Command. */
static void unsent_psns_are_given_back(void **state)
{
	struct pair *p = *state;
	size_t sent = 0;

	p->conf[A].cwnd = 2048;
	p->conf[A].max_rto_retx = 1;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 8192);
	pair_run(p, VSPAN_MS);
	sent = p->nseen;
	assert_in_range(sent, 1, 7);
	pair_run(p, 50 * VSPAN_MS);
	for (size_t i = 0; i < p->nseen; i++)
		if (pds_type_of(p->seen[i].data) == PDS_CP) {
			assert_int_equal(
				rung_cp(p, i, A, PDS_CP_CLOSE_COMMAND, 0).psn,
				333 + sent);
			return;
		}
	fail_msg("no Close Command");
}

static void rto_has_a_ceiling(void **state)
{
	struct pair *p = *state;

	p->conf[A].rto_max = 2 * p->conf[A].rto_init;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 64);
	pair_run(p, VSPAN_S);
	assert_int_equal(p->seen[2].at - p->seen[1].at, p->conf[A].rto_max);
	assert_int_equal(p->seen[3].at - p->seen[2].at, p->conf[A].rto_max);
}

static void nack_budget_runs_out(void **state)
{
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_policy(p, (struct ses_policy){.nack_code = NACK_NO_PKT_BUFFER});
	pair_send(p, 1, 64);
	pair_run(p, 50 * VSPAN_MS);
	for (size_t i = 0; i < 12; i += 2) {
		rung_req(p, i, A, 333, 332);
		rung_nack(p, i + 1, B, NACK_NO_PKT_BUFFER, 333);
	}
	rung_cp(p, 12, A, PDS_CP_CLOSE_COMMAND, 0);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_ERROR), 1);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_RETRIES);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 0);
	assert_no_pdc(p);
}

static void fatal_nack_fails_all(void **state)
{
	struct pair *p = *state;
	int lose[] = {0, -1};

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pds_close(&p->end[B]->pds, only_pdc(p, B)); /* B loses its state */
	pair_send(p, 1, 64);
	pair_send(p, 2, 64);
	pair_run(p, 100 * VSPAN_MS);
	rung_nack(p, 2, B, NACK_INV_DPDCID, 334);
	assert_int_equal(p->nseen, 3);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_ERROR), 2);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->nack_code,
			 NACK_INV_DPDCID);
	assert_true(has_state(p, A, PDC_CLOSED));
}

/* A late ACK cancels the retransmission that a NACK requested. */
static struct fate slow_ack(struct pair *p, unsigned from,
			    const struct dgram *d)
{
	(void)p;
	if (from == B && pds_type_of(d->data) == PDS_ACK)
		return (struct fate){.copies = 1, .delay = 6 * VSPAN_MS};
	return (struct fate){.copies = 1};
}

static void late_ack_cancels(void **state)
{
	struct pair *p = *state;

	p->conf[A].nack_retx_time = 20 * VSPAN_MS;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = slow_ack;
	/*
	 * the retransmission after the RTO is NACKed, as the SES is still busy
	 */
	pair_policy(p,
		    (struct ses_policy){.count = 1,
					.delay = 5 * VSPAN_MS + 50 * VSPAN_US});
	pair_send(p, 1, 64);
	pair_run(p, 100 * VSPAN_MS);
	rung_req(p, 0, A, 333, 332);
	rung_req(p, 1, A, 333, 332);
	rung_nack(p, 2, B, NACK_RCVD_SES_PROCG, 333);
	rung_ack(p, 3, B, 333, 333);
	assert_int_equal(p->nseen, 4);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

/*
 * A PSN that a SACK bit covers is neither retransmitted nor cleared; the RTO
 * requests its response.
 */
static void sacked_is_asked_for(void **state)
{
	struct pair *p = *state;
	int lose[] = {1000, -1}; /* the guaranteed ACK of 333 */

	p->conf[B].ack_type = ORC_ACK_CC;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_policy(p, (struct ses_policy){.count = 1, .gtd = OP_GTD_YES});
	pair_send(p, 1, 64);
	pair_send(p, 2, 64);
	pair_run(p, 4 * p->hop);
	/* the ACK of 334 */
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	pair_run(p, 100 * VSPAN_MS);
	rung_req(p, 0, A, 333, 332);
	rung_req(p, 1, A, 334, 332);
	rung(p, 2, B, PDS_ACK_CC);
	rung(p, 3, B, PDS_ACK_CC);
	assert_int_equal(rung_cp(p, 4, A, PDS_CP_ACK_REQUEST, 1).psn, 333);
	rung(p, 5, B, PDS_ACK_CC);
	rung_cp(p, 6, A, PDS_CP_CLEAR_COMMAND, 334);
	assert_int_equal(p->nseen, 7);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
}

static void ack_cc_fields(void **state)
{
	struct pair *p = *state;
	int lose[] = {0, -1};
	struct pds_ack_cc cc;
	struct pds_nscc nscc;
	const uint8_t *bytes;

	p->conf[B].ack_type = ORC_ACK_CC;
	p->conf[B].mpr = 3;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_send(p, 1, 64);
	pair_send(p, 2, 64);
	pair_run(p, 4 * p->hop);
	bytes = rung(p, 2, B, PDS_ACK_CC)->data;
	pds_ack_cc_get(&cc, bytes + pds_ack_len);
	pds_nscc_get(&nscc, bytes + pds_ack_len + pds_ack_cc_len);
	assert_int_equal(cc.mpr, 3);
	assert_int_equal(cc.sack_psn_offset, 1); /* 333 = CACK_PSN + 1 */
	assert_true(cc.sack_bitmap == 2);
	assert_true(nscc.service_time >= 1);
	assert_int_equal(only_pdc(p, A)->src.mp_range, 3 * 128);
}

/* The window: not more than MP_RANGE beyond CACK_PSN, clears included. */
static void window_holds(void **state)
{
	struct pair *p = *state;
	uint32_t last = 0;

	for (unsigned i = 0; i < 2; i++) {
		p->conf[i].mpr = 1;
		p->conf[i].default_mpr = 1;
	}
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_policy(p, (struct ses_policy){.gtd = OP_GTD_YES});
	pair_send(p, 1, 300 * 1024);
	pair_drain(p);
	assert_int_equal(p->nseen, 128);
	pair_run(p, VSPAN_S);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
	for (size_t i = 0; i < p->nseen; i++) {
		struct pds_req req;

		if (pds_type_of(p->seen[i].data) != PDS_RUD_REQ)
			continue;
		pds_req_get(&req, p->seen[i].data);
		assert_int_equal(req.retx, 0);
		last = req.psn;
	}
	assert_int_equal(last, 332 + 300);
	assert_true(pair_count(p, A, EV_PDS_PAUSE) > 0);
}

static struct fate lose_control(struct pair *p, unsigned from,
				const struct dgram *d)
{
	(void)p;
	(void)from;
	return (struct fate){.copies = pds_type_of(d->data) != PDS_CP};
}

/*
 * Stored responses shut the window, and no request for CACK_PSN arrives: the
 * source asks as often as it retransmits a packet, and then fails the PDC.
 */
static void a_shut_window_ends_the_pdc(void **state)
{
	struct pair *p = *state;
	unsigned asked = 0;
	vtime at = 0;

	p->conf[A].default_mpr = 1;
	p->conf[A].max_rto_retx = 3;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = lose_control;
	pair_policy(p, (struct ses_policy){.gtd = OP_GTD_YES});
	pair_send(p, 1, 300 * 1024);
	pair_run(p, VSPAN_S);
	for (size_t i = 0; i < p->nseen; i++) {
		struct pds_cp cp;

		if (pds_type_of(p->seen[i].data) != PDS_CP)
			continue;
		pds_cp_get(&cp, p->seen[i].data);
		if (cp.ctl_type != PDS_CP_ACK_REQUEST)
			continue;
		if (asked)
			assert_int_equal(p->seen[i].at - at,
					 p->conf[A].rto_init << (asked - 1));
		at = p->seen[i].at;
		asked++;
	}
	assert_int_equal(asked, 4);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_RETRIES);
	assert_true(has_state(p, A, PDC_CLOSED));
}

/* Posts the response to packet |psn| at B. */
static int respond(struct pair *p, uint32_t psn)
{
	const struct orc_op op = {
		.kind = OP_SES_PDS_TX_RSP,
		.peer = p->conf[A].addr,
		.pds = {.rx_pkt_handle = (uint32_t)only_pdc(p, B)->spdcid
						 << 16 |
					 (psn & 0xffff)},
	};

	return orc_reference.post(p->end[B], &op, p->now);
}

/* The SES answers each packet that was received, once, and no other. */
static void answers_what_was_received(void **state)
{
	struct pair *p = *state;
	int lose[] = {1, -1};

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_policy(p, (struct ses_policy){.count = 3, .manual = true});
	for (uint16_t id = 1; id <= 3; id++)
		pair_send(p, id, 8);
	pair_run(p, 2 * p->hop);
	assert_int_equal(respond(p, 332), ERR_STATE);
	assert_int_equal(respond(p, 334), ERR_STATE);
	assert_int_equal(respond(p, 336), ERR_STATE);
	assert_int_equal(respond(p, 332 + 8 * 128 + 1), ERR_STATE);
	assert_int_equal(respond(p, 335), 0);
	assert_int_equal(respond(p, 335), ERR_STATE);
	assert_int_equal(respond(p, 333), 0);
	pair_run(p, 20 * VSPAN_MS);
	assert_int_equal(respond(p, 333), ERR_STATE);
	assert_int_equal(respond(p, 334), 0);
	assert_int_equal(respond(p, 334), ERR_STATE);
	pair_run(p, VSPAN_S);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 3);
}

/* A source gives a datagram only if one is due. */
static void polls_what_is_due(void **state)
{
	struct dgram *d = calloc(1, sizeof(*d));
	struct pair *p = *state;
	struct pdc *pdc;

	assert_non_null(d);
	core_pair_test_pair_open(p);
	pair_idle(p);
	pdc = only_pdc(p, A);
	assert_false(src_poll(pdc, d));
	pair_send(p, 1, 2 * 1024);
	assert_true(src_poll(pdc, d));
	assert_true(src_poll(pdc, d));
	assert_false(src_poll(pdc, d)); /* both wait for their ACK */
	assert_int_equal(pdc->src.tx_psn, 335);
	free(d);
}

static void syn_offset_is_bounded(void **state)
{
	struct pair *p = *state;

	p->conf[A].default_mpr = 255;
	core_pair_test_pair_open(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 5000 * 1024);
	pair_drain(p);
	assert_int_equal(p->nseen, 4096);
}

static void ecn_is_echoed(void **state)
{
	struct pair *p = *state;
	struct dgram *d = malloc(sizeof(*d));
	const struct orc_op op = {
		.kind = OP_SEND, .peer = p->conf[B].addr, .len = 3 * 1024};

	assert_non_null(d);
	core_pair_test_pair_open(p);
	pair_idle(p);
	assert_int_equal(orc_reference.post(p->end[A], &op, p->now), 0);
	assert_true(orc_reference.poll_tx(p->end[A], d));
	assert_int_equal(d->ecn, ECN_ECT0);
	d->ecn = ECN_CE; /* no ar: the ECN mark alone requests an ACK */
	pair_inject(p, B, d, 0);
	free(d);
	pair_run(p, VSPAN_US);
	assert_int_equal(rung_ack(p, p->nseen - 1, B, 333, 333).m, 1);
}

static void messages_keep_their_pdc(void **state)
{
	struct pair *p = *state;
	uint16_t spdcid;

	core_pair_test_pair_open(p);
	pair_idle(p);
	for (unsigned i = 0; i < 2; i++)
		p->conf[i].mpr = 1;
	pair_send(p, 1, 2000 * 1024); /* beyond the window */
	pair_drain(p);
	spdcid = rung_req(p, 0, A, 333, 332).spdcid;
	pdc_want_close(only_pdc(p, A));
	pair_send(p, 2, 64);
	pair_run(p, VSPAN_S);
	assert_int_equal(pair_count(p, B, EV_RECV), 2);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	for (size_t i = 0; i < p->nseen; i++) {
		struct pds_req req;

		pds_req_get(&req, p->seen[i].data);
		if (req.type == PDS_RUD_REQ && req.spdcid != spdcid)
			assert_true(p->seen[i].len < 200); /* of message 2 */
	}
	assert_true(has_state(p, A, PDC_CLOSED));
}

/*
 * No Close Command is sent before the data of the read has arrived, even if it
 * is lost.
 */
static void read_locks_its_pdc(void **state)
{
	struct pair *p = *state;
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 5, .len = 999};
	const struct orc_op read = {.kind = OP_READ, .key = 5, .len = 999};
	int lose[] = {1001, -1}; /* loses the data */

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_post(p, B, &expose);
	pair_post(p, A, &read);
	pdc_want_close(only_pdc(p, A));
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status, STATUS_OK);
	rung_req(p, 0, A, 333, 332);
	rung_ack(p, 1, B, 333, 333);
	rung_req(p, 2, B, 332, 331);
	rung_req(p, 3, B, 332, 331);
	rung_ack(p, 4, A, 332, 332);
	rung_cp(p, 5, A, PDS_CP_CLOSE_COMMAND, 0);
	assert_no_pdc(p);
}

/*
 * A retransmission in the middle of a message has retx, ar, and its own bytes.
 */
static void repetition_asks_for_ack(void **state)
{
	struct pair *p = *state;
	int lose[] = {1, -1};
	struct pds_req req;

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_send(p, 1, 3 * 1024);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(rung_req(p, 1, A, 334, 332).ar, 0);
	rung_ack(p, 3, B, 335, 333);
	req = rung_req(p, 4, A, 334, 333); /* with the current CLEAR_PSN */
	assert_int_equal(req.retx, 1);
	assert_int_equal(req.ar, 1);
	assert_memory_equal(p->seen[1].data + pds_req_len,
			    p->seen[4].data + pds_req_len,
			    SEEN_BYTES - pds_req_len);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

#define LIFE(f) \
	cmocka_unit_test_setup_teardown(f, pdc_test_setup, pdc_test_teardown)

/* How often 333 and 483 are lost. */
struct losses {
	unsigned low, high;
};

static struct fate lose_two(struct losses *left, const struct dgram *d)
{
	struct pds_req req;
	unsigned *n;

	pds_req_get(&req, d->data);
	n = req.psn == 333 ? &left->low : &left->high;
	if (pds_type_of(d->data) != PDS_RUD_REQ ||
	    (req.psn != 333 && req.psn != 483) || !*n)
		return (struct fate){.copies = 1};
	--*n;
	return (struct fate){.copies = 0};
}

/* Halves the window that B advertises. */
static struct fate narrow(struct pair *p, unsigned from, const struct dgram *d)
{
	struct pds_ack_cc cc;
	struct dgram *told;

	if (pds_type_of(d->data) != PDS_ACK_CC)
		return lose_two(p->ctx, d);
	told = malloc(sizeof(*told));
	assert_non_null(told);
	dgram_copy(told, d);
	pds_ack_cc_get(&cc, told->data + pds_ack_len);
	cc.mpr = 1;
	pds_ack_cc_put(&cc, told->data + pds_ack_len);
	pair_inject(p, !from, told, p->hop);
	free(told);
	return (struct fate){.copies = 0};
}

static void open_narrow(struct pair *p, struct losses *lose)
{
	for (unsigned i = 0; i < 2; i++) {
		p->conf[i].ack_type = ORC_ACK_CC;
		p->conf[i].mpr = 2;
		p->conf[i].default_mpr = 2;
	}
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = narrow;
	p->ctx = lose;
}

/* A retransmission outside the window does not block others. */
static void window_grows_narrow(void **state)
{
	struct pair *p = *state;
	struct losses lose = {2, 1};

	open_narrow(p, &lose);
	pair_send(p, 1, 200 * 1024);
	pair_run(p, VSPAN_S);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(pair_count(p, B, EV_RECV), 1);
}

/* The clear that opens a window again may cover less than was requested. */
static void clears_what_was_asked(void **state)
{
	struct pair *p = *state;
	struct losses lose = {0, 1};
	const struct ses_policy gtd = {.count = 199, .gtd = OP_GTD_YES};
	const struct pdc_dst *dst;

	open_narrow(p, &lose);
	pair_policy(p, gtd);
	pair_send(p, 1, 200 * 1024);
	pair_run(p, VSPAN_S);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	dst = &only_pdc(p, B)->dst;
	assert_int_equal(dst->nstored, 0);
	assert_int_equal(dst->rcvd.cack_psn, 332 + 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIFE(closes_when_idle),
		LIFE(closing_ack_lost),
		LIFE(target_asks_for_close),
		LIFE(idle_target_asks_for_close),
		LIFE(idle_target_asks_in_acks),
		LIFE(target_asks_for_clear),
		LIFE(target_asks_for_clear_again),
		LIFE(target_gives_up),
		LIFE(retries_run_out),
		LIFE(rto_has_a_ceiling),
		LIFE(unsent_psns_are_given_back),
		LIFE(nack_budget_runs_out),
		LIFE(fatal_nack_fails_all),
		LIFE(late_ack_cancels),
		LIFE(sacked_is_asked_for),
		LIFE(ack_cc_fields),
		LIFE(window_holds),
		LIFE(a_shut_window_ends_the_pdc),
		LIFE(answers_what_was_received),
		LIFE(polls_what_is_due),
		LIFE(syn_offset_is_bounded),
		LIFE(ecn_is_echoed),
		LIFE(messages_keep_their_pdc),
		LIFE(read_locks_its_pdc),
		LIFE(repetition_asks_for_ack),
		LIFE(window_grows_narrow),
		LIFE(clears_what_was_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
