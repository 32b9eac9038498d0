/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/life_test.c -- tests resource limits of a PDC and rare events:
 * late SYNs, another Start_PSN, the end of the PSN range, a retry on a new PDC,
 * contexts, control packets on request.
 */
#include "oracle/core/pair_test.h"
#include "oracle/uet/pds/pds_table.h"

static int life_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	*state = p;
	return 0;
}

static int life_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static struct pdc *pdc_at(const struct pair *p, unsigned side, uint32_t i)
{
	return pds_at(&p->end[side]->pds, i);
}

/* Posts a raw packet of one message, in a context. */
static void post_raw(struct pair *p, uint16_t id, const struct pds_op *pds)
{
	static uint8_t bytes[64];
	struct orc_op op = {.kind = OP_SES_PDS_TX_REQ,
			    .handle = id,
			    .message_id = id,
			    .pds = *pds};
	const struct ses_req req = {.next_hdr = PDS_NEXT_REQUEST_STD,
				    .opcode = SES_SEND,
				    .som = pds->som,
				    .eom = pds->eom,
				    .job_id = 1,
				    .pid_on_fep = 1,
				    .resource_index = 1,
				    .message_id = id};

	op.pds.next_hdr = PDS_NEXT_REQUEST_STD;
	op.pds.pkt_len = (uint16_t)ses_req_put(&req, bytes);
	op.pds.pkt = bytes;
	pair_post(p, A, &op);
}

/* The conditions under which a SYN is refused. */
static void refuse_second_pdc(struct pair *p, uint8_t code)
{
	const struct pds_op first = {.som = true, .eom = true};
	const struct pds_op second = {
		.som = true, .eom = true, .rsv_pdc_context = 1};

	core_pair_test_pair_open(p);
	post_raw(p, 1, &first);
	pair_run(p, 4 * p->hop);
	pair_forget(p);
	post_raw(p, 2, &second);
	pair_run(p, 4 * p->hop);
	assert_int_equal(rung_req(p, 0, A, 332, 331).syn, 1);
	assert_int_equal(rung_nack(p, 1, B, code, 332).spdcid, 0);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 0);
	assert_int_equal(pdc_at(p, A, 1)->state, PDC_CREATING);
}

static void no_pdc(void **state)
{
	struct pair *p = *state;

	p->conf[B].max_pdcs = 1;
	p->conf[B].close_req_time = VSPAN_S;
	p->conf[A].start_psn = 332;
	refuse_second_pdc(p, NACK_NO_PDC_AVAIL);
	pair_run(p, 100 * VSPAN_MS); /* the first PDC is asked to close */
	assert_int_equal(pdc_at(p, A, 1)->state, PDC_ESTABLISHED);
}

static void no_ccc(void **state)
{
	struct pair *p = *state;

	p->conf[B].max_cccs = 1;
	refuse_second_pdc(p, NACK_NO_CCC_AVAIL);
}

static void no_bitmap(void **state)
{
	struct pair *p = *state;

	p->conf[B].max_bitmaps = 1;
	refuse_second_pdc(p, NACK_NO_BITMAP);
}

static void no_resource(void **state)
{
	struct pair *p = *state;

	p->conf[B].max_peer_pdcs = 1;
	refuse_second_pdc(p, NACK_NO_RESOURCE);
}

static void no_buffer_and_no_storage(void **state)
{
	struct pair *p = *state;

	p->conf[B].max_pkt_buffers = 1;
	p->conf[B].max_stored = 1;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_policy(p, (struct ses_policy){.count = 1,
					   .gtd = OP_GTD_YES,
					   .delay = 100 * VSPAN_US});
	pair_send(p, 1, 64);
	pair_send(p, 2, 64);
	pair_run(p, 4 * p->hop);
	rung_nack(p, 2, B, NACK_NO_PKT_BUFFER, 334);
	pair_run(p, 200 * VSPAN_US); /* stored by now, but not cleared */
	pair_forget(p);
	pair_send(p, 3, 64);
	pair_run(p, 50 * VSPAN_MS);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 2);
}

/* No refused packet leaves state: each packet reaches the SES once. */
static void no_message_state(void **state)
{
	struct pair *p = *state;

	p->conf[B].max_ses_msgs = 1;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_send(p, 1, 4096);
	pair_send(p, 2, 4096);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	assert_int_equal(pair_count(p, B, EV_RECV), 2);
}

/* Only the first packet of a message arrives, and control packets. */
static struct fate life_test_only_one(struct pair *p, unsigned from,
				      const struct dgram *d)
{
	struct pds_req req;

	(void)p;
	pds_req_get(&req, d->data);
	return (struct fate){.copies = from == B || req.type == PDS_CP ||
				       req.psn == 333};
}

/* A message that its PDC leaves open takes no place after the close. */
static void a_closed_pdc_has_no_message(void **state)
{
	struct pair *p = *state;

	p->conf[A].max_rto_retx = 1;
	p->conf[B].max_ses_msgs = 1;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = life_test_only_one;
	pair_send(p, 1, 4096);
	pair_run(p, 2 * VSPAN_S);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_RETRIES);
	assert_int_equal(pdc_at(p, B, 0)->state, PDC_CLOSED);
	p->fate = NULL;
	pair_forget(p);
	pair_send(p, 2, 4096);
	pair_run(p, 4 * p->hop);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status, STATUS_OK);
}

static void infers_a_loss_once(void **state)
{
	struct pair *p = *state;
	int lose[] = {0, -1};
	unsigned nacks = 0;

	p->conf[B].infer_loss = 2;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	for (uint16_t id = 1; id <= 4; id++)
		pair_send(p, id, 64);
	pair_run(p, VSPAN_MS); /* long before the RTO */
	for (size_t i = 0; i < p->nseen; i++)
		nacks += pds_type_of(p->seen[i].data) == PDS_NACK;
	assert_int_equal(nacks, 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 4);
}

/* B executes a read twice, since the first answer is lost and not kept. */
static void reads_twice(struct pair *p, enum op_mode mode)
{
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 5, .len = 64};
	const struct orc_op read = {
		.kind = OP_READ, .key = 5, .len = 8, .mode = mode};
	int lose[] = {1000, -1};

	p->conf[B].keep_read_data = false;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_post(p, B, &expose);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_post(p, A, &read);
	pair_run(p, 20 * VSPAN_MS);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status, STATUS_OK);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 2);
}

static void read_data_is_read_again(void **state)
{
	reads_twice(*state, OP_RUD);
}

/* The answer of the second execution is not one that comes early. */
static void rod_read_data_is_read_again(void **state)
{
	reads_twice(*state, OP_ROD);
}

/*
 * The second execution of a read has no data: its answer comes at once all the
 * same, since the source asks again.
 */
static void a_repeated_read_is_answered_at_once(void **state)
{
	struct pair *p = *state;
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 5, .len = 64};
	const struct orc_op read = {.kind = OP_READ, .key = 5, .len = 8};
	const struct ses_rsp rsp = {.next_hdr = PDS_NEXT_RESPONSE,
				    .opcode = SES_RESPONSE};
	int lose[] = {1000, -1};
	uint8_t bytes[ses_response_len] = {0};
	struct orc_op op = {.kind = OP_SES_PDS_TX_RSP};

	p->conf[A].ar_on_eom = false;
	p->conf[B].keep_read_data = false;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_post(p, B, &expose);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_post(p, A, &read);
	pair_run(p, 4 * p->hop);
	pair_policy(p, (struct ses_policy){.count = 1, .manual = true});
	pair_await(p, B, EV_PDS_SES_RX_REQ, 2);
	op.pds.rx_pkt_handle = pair_event(p, B, EV_PDS_SES_RX_REQ, 1)->handle;
	pair_forget(p);
	op.pds.next_hdr = PDS_NEXT_RESPONSE;
	op.pds.pkt = bytes;
	op.pds.pkt_len = (uint16_t)ses_rsp_put(&rsp, bytes);
	pair_post(p, B, &op);
	pair_run(p, p->hop);
	rung_ack(p, 0, B, 333, 333);
}

/* Feeds B a copy of a packet that crossed the wire. */
static void feed_again(struct pair *p, size_t i)
{
	struct dgram *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->src = p->seen[i].src;
	d->dst = p->seen[i].dst;
	d->entropy = p->seen[i].entropy;
	d->len = p->seen[i].len;
	memcpy(d->data, p->seen[i].data, d->len);
	assert_int_equal(orc_reference.feed(p->end[B], d, p->now), 0);
	free(d);
	pair_run(p, 4 * p->hop);
}

static void late_syn(struct pair *p, unsigned delivered)
{
	p->conf[A].close_idle = VSPAN_MS;
	core_pair_test_pair_open(p);
	pair_send(p, 1, 8);
	pair_run(p, 10 * VSPAN_MS);
	assert_int_equal(pdc_at(p, B, 0)->state, PDC_CLOSED);
	feed_again(p, 0);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), delivered);
}

static void late_syn_is_dropped(void **state)
{
	struct pair *p = *state;

	p->conf[B].syn_retx_safety = 50 * VSPAN_MS;
	late_syn(p, 1);
	pair_run(p, 50 * VSPAN_MS);
	feed_again(p, 0); /* the state is forgotten by now */
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 2);
}

static void late_syn_before_1_0_3(void **state)
{
	late_syn(*state, 2);
}

/* The PSN of A's last packet; a Close Command has it where a request does. */
static uint32_t last_psn_of(const struct pair *p)
{
	struct pds_req h = {0};

	for (size_t i = 0; i < p->nseen; i++)
		if (p->seen[i].from == A &&
		    (pds_type_of(p->seen[i].data) == PDS_RUD_REQ ||
		     pds_type_of(p->seen[i].data) == PDS_CP))
			pds_req_get(&h, p->seen[i].data);
	return h.psn;
}

/*
 * Opens a PDC at the place of one that is closed.  Return: its Start_PSN.
 *
 * |last|: what the place keeps of the closed PDC; NULL: as it is.
 */
static uint32_t start_psn_after(const uint32_t *last)
{
	struct pair p;
	struct pds_req syn;

	pair_conf(&p);
	p.conf[A].start_psn_fixed = false;
	p.conf[A].max_pdcs = 1;
	p.conf[A].close_idle = VSPAN_MS;
	core_pair_test_pair_open(&p);
	pair_send(&p, 1, 8);
	pair_run(&p, 10 * VSPAN_MS);
	assert_int_equal(pdc_at(&p, A, 0)->state, PDC_CLOSED);
	assert_int_equal(pdc_at(&p, A, 0)->last_psn, last_psn_of(&p));
	if (last)
		pdc_at(&p, A, 0)->last_psn = *last;
	pair_forget(&p);
	pair_send(&p, 2, 8);
	pair_run(&p, 4 * p.hop);
	pds_req_get(&syn, rung(&p, 0, A, PDS_RUD_REQ)->data);
	core_pair_test_pair_close(&p);
	return syn.psn;
}

/* uet.md 6.2: 2^16 PSNs at least are between two PDCs of a PDCID. */
static void a_start_psn_keeps_its_distance(void **state)
{
	static const struct {
		int64_t step; /* from the last PSN to the PSN that is drawn */
		bool moves;
	} draws[] = {{0, true},      {1, true},      {-1, true},
		     {65535, true},  {65536, false}, {-65535, true},
		     {-65536, false}};
	const uint32_t drawn = start_psn_after(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(draws) / sizeof(draws[0]); i++) {
		const uint32_t last = drawn - (uint32_t)draws[i].step;
		const uint32_t psn = start_psn_after(&last);

		assert_true(psn - last >= 1u << 16);
		assert_true(last - psn >= 1u << 16);
		assert_int_equal(psn != drawn, draws[i].moves);
	}
}

/* Answers A's SYN at |i| of the record by NEW_START_PSN. */
static void want_start(struct pair *p, size_t i, uint32_t psn)
{
	struct dgram *d = calloc(1, sizeof(*d));
	struct pds_req syn;
	struct pds_nack nack;

	assert_non_null(d);
	pds_req_get(&syn, p->seen[i].data);
	nack = (struct pds_nack){.type = PDS_NACK,
				 .nack_code = NACK_NEW_START_PSN,
				 .nack_psn = syn.psn,
				 .spdcid = 77,
				 .dpdcid = syn.spdcid,
				 .payload = psn};
	d->src = p->conf[B].addr;
	d->dst = p->conf[A].addr;
	pds_nack_put(&nack, d->data);
	d->len = pds_nack_len;
	assert_int_equal(orc_reference.feed(p->end[A], d, p->now), 0);
	free(d);
}

/* PDCID 0 is no PDC, so that a SYN with it opens none. */
static void opens_no_pdc_zero(void **state)
{
	const struct pds_req_syn syn = {.type = PDS_RUD_REQ,
					.next_hdr = PDS_NEXT_REQUEST_STD,
					.syn = 1,
					.psn = 332};
	struct dgram *d = calloc(1, sizeof(*d));
	struct pair *p = *state;

	assert_non_null(d);
	core_pair_test_pair_open(p);
	d->src = p->conf[A].addr;
	d->dst = p->conf[B].addr;
	pds_req_syn_put(&syn, d->data);
	d->len = pds_req_syn_len + 44;
	assert_int_equal(orc_reference.feed(p->end[B], d, p->now), 0);
	free(d);
	pair_run(p, 4 * p->hop);
	assert_int_equal(rung_nack(p, 0, B, NACK_INVALID_SYN, 332).dpdcid, 0);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 0);
}

static void starts_where_it_is_told(void **state)
{
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 64);
	pair_send(p, 2, 64);
	pair_run(p, p->hop);
	want_start(p, 0, 0xffffffff);
	p->fate = NULL;
	pair_run(p, 10 * p->hop);
	assert_int_equal(rung_req(p, 2, A, 0xffffffff, 0xfffffffe).syn, 1);
	assert_int_equal(rung_req(p, 3, A, 0, 0xfffffffe).syn, 1);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	want_start(p, 0, 5); /* nothing is in flight, and it is established */
	pair_send(p, 3, 64);
	pair_run(p, 10 * p->hop);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 3);
}

static void renumbering_has_a_limit(void **state)
{
	struct pair *p = *state;

	p->conf[A].max_nack_retx = 1;
	core_pair_test_pair_open(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 64);
	pair_run(p, p->hop);
	want_start(p, 0, 1000);
	pair_run(p, p->hop);
	want_start(p, 1, 2000);
	pair_run(p, p->hop);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_RETRIES);
}

static void ends_before_its_range(void **state)
{
	struct pair *p = *state;

	p->conf[A].psn_range = 16;
	p->conf[A].start_psn_fixed = false;
	core_pair_test_pair_open(p);
	for (uint16_t id = 1; id <= 30; id++) {
		pair_send(p, id, 64);
		pair_run(p, VSPAN_MS);
	}
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 30);
	assert_true(p->end[A]->env.stats.pdcs >= 3);
	for (uint32_t i = 0; i < p->end[A]->pds.npdcs; i++) {
		const struct pdc *pdc = pdc_at(p, A, i);

		assert_true(pdc->src.fl.next - pdc->start_psn <= 16);
	}
}

/* A NACK of |code| for the request at |i| of the record. */
static void nack(struct pair *p, size_t i, uint8_t code)
{
	struct dgram *d = calloc(1, sizeof(*d));
	struct pds_req req;
	struct pds_nack h;

	assert_non_null(d);
	pds_req_get(&req, p->seen[i].data);
	h = (struct pds_nack){.type = PDS_NACK,
			      .nack_code = code,
			      .nack_psn = req.psn,
			      .dpdcid = req.spdcid};
	d->src = p->conf[B].addr;
	d->dst = p->conf[A].addr;
	pds_nack_put(&h, d->data);
	d->len = pds_nack_len;
	assert_int_equal(orc_reference.feed(p->end[A], d, p->now), 0);
	free(d);
	pair_run(p, p->hop);
}

static void tries_another_pdc(void **state)
{
	struct pair *p = *state;

	p->conf[A].fatal_retries = 1;
	p->conf[A].start_psn_fixed = false;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 64);
	pair_send(p, 2, 2048);
	pair_run(p, p->hop);
	p->fate = NULL;
	nack(p, 0, NACK_INV_DPDCID);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 0);
	pair_run(p, 20 * p->hop);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_ERROR), 3);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->message_id, 1);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 1)->status, STATUS_OK);
}

/* Max_NACK_Retx_Cnt counts retransmissions, not NACKs. */
static void copies_of_a_nack_are_one(void **state)
{
	struct pair *p = *state;

	p->conf[A].max_nack_retx = 1;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 64);
	pair_run(p, p->hop);
	for (unsigned i = 0; i < 3; i++)
		nack(p, 0, NACK_NO_PKT_BUFFER);
	pair_run(p, p->conf[A].nack_retx_time);
	assert_int_equal(p->nseen, 2);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 0);
	nack(p, 0, NACK_NO_PKT_BUFFER);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_RETRIES);
}

/* An error that a new PDC would not repair, and a retry beyond the limit. */
static void gives_up_all_the_same(void **state)
{
	struct pair *p = *state;

	p->conf[A].fatal_retries = 1;
	p->conf[A].start_psn_fixed = false;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_nothing_passes;
	pair_send(p, 1, 64);
	pair_run(p, p->hop);
	nack(p, 0, NACK_GTD_RESP_UNAVAIL);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_FATAL);
	pair_run(p, p->hop);
	pair_forget(p);
	pair_send(p, 2, 64);
	pair_run(p, p->hop);
	nack(p, 0, NACK_CLOSING);
	pair_run(p, p->hop);
	nack(p, 1, NACK_CLOSING);
	assert_int_equal(pair_event(p, A, EV_COMPLETION, 0)->status,
			 STATUS_FATAL);
}

static void contexts_keep_apart(void **state)
{
	static const struct pds_op ops[] = {
		{.som = true, .eom = true},
		{.som = true, .eom = true, .tss_context = 1},
		{.som = true, .eom = true, .rsv_pdc_context = 1},
		{.som = true, .eom = true, .rsv_ccc_context = 1},
		{.som = true, .eom = true, .tc = 10},
		{.som = true, .eom = true, .rsv_pdc = true},
	};
	struct pair *p = *state;

	p->conf[A].start_psn_fixed = false;
	core_pair_test_pair_open(p);
	for (unsigned round = 0; round < 2; round++)
		for (uint16_t i = 0; i < 6; i++)
			post_raw(p, (uint16_t)(1 + 6 * round + i), &ops[i]);
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->end[A]->pds.npdcs, 6);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RSP), 12);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(pdc_at(p, A, i)->src.fl.next,
				 pdc_at(p, A, i)->start_psn + 2);
}

/*
 * A PDC's context ends with it: a PDC with the same number starts without one.
 */
static void contexts_end_with_their_pdc(void **state)
{
	static const struct pds_op op = {.som = true, .eom = true, .tc = 10};
	const struct orc_op other = {
		.kind = OP_SEND, .handle = 9, .message_id = 9, .len = 64};
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	post_raw(p, 1, &op);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pdc_at(p, A, 0)->context.tc, 10);
	orc_reference.reset(p->end[A], 1);
	pair_post(p, B, &other);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pdc_at(p, A, 0)->role, PDC_TARGET);
	assert_int_equal(pdc_at(p, A, 0)->context.tc, 0);
}

/* The pool has one PDC: pause, close the idle one, resume. */
static void waits_for_a_pdc(void **state)
{
	static const struct pds_op other = {
		.som = true, .eom = true, .rsv_pdc_context = 1};
	struct pair *p = *state;

	p->conf[A].max_pdcs = 1;
	p->conf[A].start_psn_fixed = false;
	core_pair_test_pair_open(p);
	pair_idle(p);
	post_raw(p, 1, &other);
	assert_int_equal(pair_count(p, A, EV_PDS_PAUSE), 0);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pair_count(p, A, EV_PDS_PAUSE), 2);
	assert_true(pair_event(p, A, EV_PDS_PAUSE, 0)->pdc_pause);
	assert_false(pair_event(p, A, EV_PDS_PAUSE, 1)->pdc_pause);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RSP), 1);
}

static int post_cp(struct pair *p, unsigned side, struct op_cp cp)
{
	const struct orc_op op = {
		.kind = OP_SEND_CP, .peer = p->conf[!side].addr, .cp = cp};

	return orc_reference.post(p->end[side], &op, p->now);
}

static void control_packets_on_request(void **state)
{
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	assert_int_equal(
		post_cp(p, A, (struct op_cp){PDS_CP_ACK_REQUEST, 0, 0}),
		ERR_STATE);
	assert_int_equal(
		post_cp(p, A, (struct op_cp){PDS_CP_CLOSE_COMMAND, 0, 0}),
		ERR_STATE);
	assert_int_equal(post_cp(p, A, (struct op_cp){16, 0, 0}), ERR_VALUE);
	assert_int_equal(post_cp(p, A, (struct op_cp){PDS_CP_CREDIT, 0, 0}),
			 ERR_SUPPORT);
	assert_int_equal(
		post_cp(p, A, (struct op_cp){PDS_CP_NEGOTIATION, 0, 1}), 0);
	pair_run(p, 4 * p->hop);
	assert_int_equal(rung(p, 0, A, PDS_CP)->len,
			 pds_cp_len + cp_negotiation_len);
	rung_ack(p, 1, B, 332, 332);
	pair_forget(p);
	assert_int_equal(
		post_cp(p, A, (struct op_cp){PDS_CP_ACK_REQUEST, 332, 0}), 0);
	assert_int_equal(post_cp(p, B, (struct op_cp){PDS_CP_NOOP, 0, 0}), 0);
	pair_run(p, 4 * p->hop);
	assert_int_equal(pair_count(p, A, EV_PDS_SES_RX_RET), 0);
	assert_int_equal(pair_count(p, B, EV_PDS_SES_RX_REQ), 0);
	assert_int_equal(p->nseen, 4);
	assert_int_equal(
		post_cp(p, A, (struct op_cp){PDS_CP_CLOSE_COMMAND, 0, 0}), 0);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pdc_at(p, A, 0)->state, PDC_CLOSED);
	assert_int_equal(pdc_at(p, B, 0)->state, PDC_CLOSED);
}

#define LIFE(f) \
	cmocka_unit_test_setup_teardown(f, life_test_setup, life_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIFE(no_pdc),
		LIFE(no_ccc),
		LIFE(no_bitmap),
		LIFE(no_resource),
		LIFE(no_buffer_and_no_storage),
		LIFE(no_message_state),
		LIFE(a_closed_pdc_has_no_message),
		cmocka_unit_test(a_start_psn_keeps_its_distance),
		LIFE(infers_a_loss_once),
		LIFE(read_data_is_read_again),
		LIFE(rod_read_data_is_read_again),
		LIFE(a_repeated_read_is_answered_at_once),
		LIFE(late_syn_is_dropped),
		LIFE(late_syn_before_1_0_3),
		LIFE(opens_no_pdc_zero),
		LIFE(starts_where_it_is_told),
		LIFE(renumbering_has_a_limit),
		LIFE(ends_before_its_range),
		LIFE(tries_another_pdc),
		LIFE(copies_of_a_nack_are_one),
		LIFE(gives_up_all_the_same),
		LIFE(contexts_keep_apart),
		LIFE(contexts_end_with_their_pdc),
		LIFE(waits_for_a_pdc),
		LIFE(control_packets_on_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
