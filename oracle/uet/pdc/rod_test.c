/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/rod_test.c -- tests reliable ordered delivery: Go-Back-N at
 * the source, order at the destination, and separation from RUD.
 */
#include "oracle/core/pair_test.h"
#include "oracle/uet/pdc/nack.h"

/* Makes a ROD PDC that is idle behind PSN 332. */
static struct pair *rod_test_opened(const struct orc_conf *conf)
{
	const struct orc_op op = {
		.kind = OP_SEND, .mode = OP_ROD, .message_id = 0xfff0};
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	p->conf[B].close_req_time = VSPAN_S;
	for (unsigned i = 0; conf && i < 2; i++) {
		p->conf[i].rod_nack_each = conf->rod_nack_each;
		p->conf[i].rod_nack_payload = conf->rod_nack_payload;
		p->conf[i].start_psn = conf->start_psn;
	}
	core_pair_test_pair_open(p);
	pair_post(p, A, &op);
	pair_run(p, 4 * p->hop);
	pair_forget(p);
	return p;
}

static int rod_test_setup(void **state)
{
	*state = rod_test_opened(NULL);
	return 0;
}

static int rod_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static void send_rod(struct pair *p, uint16_t message_id, uint32_t len)
{
	const struct orc_op op = {
		.kind = OP_SEND,
		.mode = OP_ROD,
		.handle = message_id,
		.message_id = message_id,
		.len = len,
	};

	pair_post(p, A, &op);
}

static void read_rod(struct pair *p, uint16_t message_id, uint32_t len)
{
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 5, .len = 9000};
	const struct orc_op op = {
		.kind = OP_READ,
		.mode = OP_ROD,
		.handle = message_id,
		.message_id = message_id,
		.key = 5,
		.len = len,
	};

	pair_post(p, B, &expose);
	pair_post(p, A, &op);
}

/* Asserts the PSNs of the requests that |from| sent, in order of sending. */
static void assert_sent(const struct pair *p, unsigned from,
			const uint32_t *psns, size_t n)
{
	size_t found = 0;

	for (size_t i = 0; i < p->nseen; i++) {
		const struct pair_test_seen *s = &p->seen[i];
		struct pds_req h;

		if (s->from != from || pds_type_of(s->data) != PDS_ROD_REQ)
			continue;
		pds_req_get(&h, s->data);
		assert_true(found < n);
		assert_int_equal(h.psn, psns[found++]);
	}
	assert_int_equal(found, n);
}

/* Asserts the PSNs that reached the SES of |side|, each once and in order. */
static void assert_delivered(const struct pair *p, unsigned side,
			     enum orc_event_kind kind, uint32_t first,
			     unsigned n)
{
	assert_int_equal(pair_count(p, side, kind), n);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(pair_event(p, side, kind, i)->orig_psn,
				 first + i);
}

static unsigned nacks(const struct pair *p, unsigned from, uint32_t payload)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->nseen; i++) {
		struct pds_nack h;

		if (p->seen[i].from != from ||
		    pds_type_of(p->seen[i].data) != PDS_NACK)
			continue;
		pds_nack_get(&h, p->seen[i].data);
		assert_int_equal(h.nack_code, NACK_ROD_OOO);
		assert_int_equal(h.payload, payload);
		n++;
	}
	return n;
}

#define SENT(p, from, ...)                                    \
	assert_sent(p, from, (const uint32_t[]){__VA_ARGS__}, \
		    sizeof((const uint32_t[]){__VA_ARGS__}) / \
			    sizeof(uint32_t))

static void a_gap_is_told_and_repaired(void **state)
{
	struct pair *p = *state;
	int lose[] = {1, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 4096);
	pair_run(p, 2 * VSPAN_MS); /* before the RTO */
	SENT(p, A, 333, 334, 335, 336, 334, 335, 336);
	assert_int_equal(nacks(p, B, 334), 2);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 333, 4);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

static void one_nack_for_a_gap_is_enough(void **state)
{
	const struct orc_conf conf = {.rod_nack_payload = true,
				      .start_psn = 332};
	struct pair *p = rod_test_opened(&conf);
	int lose[] = {1, -1};

	(void)state;
	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 4096);
	pair_run(p, 2 * VSPAN_MS);
	SENT(p, A, 333, 334, 335, 336, 334, 335, 336);
	assert_int_equal(nacks(p, B, 334), 1);
	rod_test_teardown((void **)&p);
}

static void a_nack_without_payload_means_the_oldest(void **state)
{
	const struct orc_conf conf = {.rod_nack_each = true, .start_psn = 332};
	struct pair *p = rod_test_opened(&conf);
	int lose[] = {0, -1};

	(void)state;
	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 3072);
	pair_run(p, 2 * VSPAN_MS);
	SENT(p, A, 333, 334, 335, 333, 334, 335);
	assert_int_equal(nacks(p, B, 0), 2);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 333, 3);
	rod_test_teardown((void **)&p);
}

static void a_time_out_goes_back(void **state)
{
	struct pair *p = *state;
	int lose[] = {0, 1, 2, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 3072);
	pair_run(p, 6 * VSPAN_MS);
	SENT(p, A, 333, 334, 335, 333, 334, 335);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 333, 3);
}

/* A NACK reaches A, which sends nothing yet. */
static void rod_test_nack(struct pair *p, enum pds_nack_code code, uint32_t psn,
			  uint32_t payload)
{
	const struct pds_nack h = {
		.type = PDS_NACK,
		.nack_code = (uint8_t)code,
		.nack_psn = psn,
		.dpdcid = (uint16_t)bits_get(rung(p, 0, A, PDS_ROD_REQ)->data,
					     64, 16),
		.payload = payload};
	struct dgram *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->src = p->conf[B].addr;
	d->dst = p->conf[A].addr;
	d->len = pds_nack_len;
	pds_nack_put(&h, d->data);
	assert_int_equal(orc_reference.feed(p->end[A], d, p->now), 0);
	free(d);
}

/* The go-back after the time-out of a SYN does not outlive its PSNs. */
static void a_renumbering_ends_a_go_back(void **state)
{
	struct pair *p = malloc(sizeof(*p));
	int lose[] = {0, 1, -1}, lose_next[] = {0, -1};

	(void)state;
	assert_non_null(p);
	pair_conf(p);
	p->conf[B].rod_nack_payload = false;
	core_pair_test_pair_open(p);
	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 1024);
	pair_run(p, 6 * VSPAN_MS);
	rod_test_nack(p, NACK_NEW_START_PSN, 332, 100);
	pair_run(p, VSPAN_MS);
	SENT(p, A, 332, 332, 100);
	pair_forget(p);
	p->ctx = lose_next;
	send_rod(p, 2, 3072);
	pair_run(p, 2 * VSPAN_MS); /* before the RTO */
	assert_int_equal(nacks(p, B, 0), 2);
	SENT(p, A, 101, 102, 103, 101, 102, 103);
	rod_test_teardown((void **)&p);
}

/* A second NACK arrives before the packet of the first is retransmitted. */
static void a_later_trim_does_not_cancel_a_repeat(void **state)
{
	struct pair *p = *state;
	int lose[] = {0, 1, 2, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 3072);
	pair_run(p, p->hop);
	rod_test_nack(p, NACK_TRIMMED, 333, 0);
	rod_test_nack(p, NACK_TRIMMED, 334, 0);
	pair_run(p, VSPAN_MS); /* before the RTO */
	SENT(p, A, 333, 334, 335, 333, 334, 335);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 333, 3);
}

static void an_expected_psn_cancels_earlier_repeats(void **state)
{
	struct pair *p = *state;
	int lose[] = {1, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 3072);
	pair_run(p, p->hop / 2);
	rod_test_nack(p, NACK_TRIMMED, 333, 0); /* of an earlier copy */
	p->now += p->conf[A].nack_retx_time;
	rod_test_nack(p, NACK_ROD_OOO, 335, 334);
	pair_run(p, VSPAN_MS);
	SENT(p, A, 333, 334, 335, 334, 335);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 333, 3);
}

static void nothing_new_overtakes_a_repeat(void **state)
{
	struct pair *p = *state;
	int lose[] = {0, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 2048);
	pair_run(p, 2 * p->hop); /* the NACK arrives now */
	send_rod(p, 2, 8);
	pair_run(p, VSPAN_MS);
	SENT(p, A, 333, 334, 333, 334, 335);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 333, 3);
}

static void return_data_goes_back_too(void **state)
{
	struct pair *p = *state;
	int lose[] = {1001, -1}; /* loses the data with return PSN 333 */

	p->fate = pair_lose;
	p->ctx = lose;
	read_rod(p, 1, 3072);
	pair_run(p, 2 * VSPAN_MS);
	assert_delivered(p, A, EV_PDS_SES_RX_RET, 332, 3);
	assert_int_equal(nacks(p, A, 333), 1);
	SENT(p, B, 332, 333, 334, 333, 334);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

/* Returns the read whose data B sends in its n-th packet of the kind. */
static unsigned read_of(const struct pair *p, size_t n)
{
	struct ses_response_data h = {0};

	for (size_t i = 0; i < p->nseen; i++) {
		if (p->seen[i].from != B ||
		    pds_type_of(p->seen[i].data) != PDS_ROD_REQ || n--)
			continue;
		ses_response_data_get(&h, p->seen[i].data + pds_req_len);
		break;
	}
	return h.read_request_message_id;
}

/* The driver is late: the first read is overdue when the second comes. */
static void overdue_data_is_not_overtaken(void **state)
{
	struct pair *p = *state;
	int lose[] = {1, -1};
	struct dgram second;

	p->fate = pair_lose;
	p->ctx = lose;
	pair_policy(p, (struct ses_policy){.count = 1, .delay = VSPAN_MS});
	read_rod(p, 1, 1024);
	read_rod(p, 2, 1024);
	pair_run(p, VSPAN_MS / 2);
	assert_int_equal(p->nseen, 2);
	second = (struct dgram){.src = p->seen[1].src,
				.dst = p->seen[1].dst,
				.entropy = p->seen[1].entropy,
				.len = p->seen[1].len};
	memcpy(second.data, p->seen[1].data, second.len);
	p->now += VSPAN_MS;
	pair_inject(p, B, &second, 0);
	pair_run(p, VSPAN_MS / 2);
	assert_int_equal(read_of(p, 0), 1);
	assert_int_equal(read_of(p, 1), 2);
}

/* The first read is slow: those behind it are answered after it, in turn. */
static void data_of_many_reads_keeps_its_order(void **state)
{
	struct pair *p = *state;

	pair_policy(p, (struct ses_policy){.count = 1, .delay = VSPAN_MS});
	for (uint16_t id = 1; id <= 6; id++)
		read_rod(p, id, 1024);
	pair_run(p, 3 * VSPAN_MS);
	for (uint16_t id = 1; id <= 6; id++)
		assert_int_equal(read_of(p, id - 1u), id);
}

static void acks_keep_the_order_of_the_packets(void **state)
{
	struct pair *p = *state;
	size_t acks = 0;

	pair_policy(p, (struct ses_policy){.count = 1,
					   .gtd = OP_GTD_YES,
					   .delay = VSPAN_MS});
	send_rod(p, 1, 8);
	send_rod(p, 2, 8);
	send_rod(p, 3, 8);
	pair_run(p, 2 * VSPAN_MS);
	for (size_t i = 0; i < p->nseen; i++)
		if (p->seen[i].from == B)
			rung_ack(p, i, B, 333 + (uint32_t)acks++, 332);
	assert_int_equal(acks, 3);
}

/* Copies the second packet of the message. */
static struct fate rod_test_copy(struct pair *p, unsigned from,
				 const struct dgram *d)
{
	(void)d;
	return (struct fate){.copies = from == A && p->sent[A] == 2 ? 2 : 1};
}

/*
 * A stored response holds CACK_PSN back, two ACKs wait, and the ACK of a copy
 * leaves: those that wait still leave before the ACK of the last packet.
 */
static void acks_that_wait_keep_their_order(void **state)
{
	struct pair *p = *state;

	p->fate = rod_test_copy;
	pair_policy(p, (struct ses_policy){.count = 1, .gtd = OP_GTD_YES});
	send_rod(p, 1, 8);
	pair_run(p, p->hop + VSPAN_US);
	send_rod(p, 2, 3 * 1024);
	pair_run(p, 2 * p->hop);
	rung_ack(p, 1, B, 333, 332);
	rung_ack(p, 5, B, 335, 332); /* of the copy */
	rung_ack(p, 6, B, 334, 332);
	rung_ack(p, 7, B, 335, 332);
	rung_ack(p, 8, B, 336, 332);
}

/* The driver's own SES answers the second packet first. */
static void an_early_answer_waits_in_line(void **state)
{
	struct pair *p = *state;
	struct orc_op rsp = {.kind = OP_SES_PDS_TX_RSP};

	pair_policy(p, (struct ses_policy){.count = 2, .manual = true});
	send_rod(p, 1, 8);
	send_rod(p, 2, 8);
	pair_run(p, VSPAN_MS);
	rsp.pds.rx_pkt_handle = pair_event(p, B, EV_PDS_SES_RX_REQ, 1)->handle;
	rsp.pds.gtd_del = true;
	pair_post(p, B, &rsp);
	pair_run(p, VSPAN_MS);
	assert_int_equal(p->nseen, 2);
	rsp.pds.rx_pkt_handle = pair_event(p, B, EV_PDS_SES_RX_REQ, 0)->handle;
	rsp.pds.gtd_del = false;
	pair_post(p, B, &rsp);
	pair_run(p, VSPAN_MS);
	rung_ack(p, 2, B, 333, 333);
	rung_ack(p, 3, B, 334, 333);
}

/* Returns the PDCID of the n-th request that |from| sent. */
static uint16_t rod_test_pdcid_of(const struct pair *p, size_t i)
{
	return (uint16_t)bits_get(rung(p, i, A, PDS_ROD_REQ)->data, 64, 16);
}

/*
 * The initiator no longer waits for the answer, and neither does the closing
 * ACK.
 */
static void a_close_does_not_wait_in_line(void **state)
{
	struct pair *p = *state;
	struct dgram *d = calloc(1, sizeof(*d));
	struct pds_cp h;

	assert_non_null(d);
	pair_policy(p, (struct ses_policy){.count = 1, .manual = true});
	send_rod(p, 1, 8);
	pair_run(p, VSPAN_MS);
	h = (struct pds_cp){
		.type = PDS_CP,
		.ctl_type = PDS_CP_CLOSE_COMMAND,
		.ar = true,
		.psn = 334,
		.spdcid = rod_test_pdcid_of(p, 0),
		.dpdcid = pair_event(p, B, EV_PDS_SES_RX_REQ, 0)->orig_pdcid};
	d->src = p->conf[A].addr;
	d->dst = p->conf[B].addr;
	d->len = pds_cp_len + cp_payload_len;
	pds_cp_put(&h, d->data);
	pair_inject(p, B, d, 0);
	pair_run(p, VSPAN_MS);
	rung_ack(p, 1, B, 334, 332);
	free(d);
}

static void a_refused_packet_holds_up_all_behind_it(void **state)
{
	struct pair *p = *state;

	pair_policy(p, (struct ses_policy){.count = 1,
					   .nack_code = NACK_NO_PKT_BUFFER});
	send_rod(p, 1, 3072);
	pair_run(p, VSPAN_MS / 2);
	SENT(p, A, 333, 334, 335);
	pair_run(p, VSPAN_MS);
	SENT(p, A, 333, 334, 335, 333, 334, 335);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 333, 3);
}

static void the_modes_do_not_share_a_pdc(void **state)
{
	struct pair *p = *state;

	pair_send(p, 1, 8);
	send_rod(p, 2, 8);
	pair_run(p, VSPAN_MS);
	assert_int_equal(pds_type_of(p->seen[0].data), PDS_RUD_REQ);
	assert_int_equal(pds_type_of(p->seen[1].data), PDS_ROD_REQ);
	assert_int_not_equal(bits_get(p->seen[0].data, 64, 16),
			     bits_get(p->seen[1].data, 64, 16));
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
}

static struct orc_op context_op(uint16_t context, uint16_t message_id, bool som,
				bool eom, const uint8_t *bytes)
{
	return (struct orc_op){
		.kind = OP_SES_PDS_TX_REQ,
		.mode = OP_ROD,
		.message_id = message_id,
		.pds =
			{
				.rod_context = context,
				.next_hdr = PDS_NEXT_REQUEST_SMALL,
				.som = som,
				.eom = eom,
				.pkt = bytes,
				.pkt_len = ses_small_len,
			},
	};
}

/* Message 1 of context 1 is open when context 2 comes: a PDC of its own. */
static void contexts_stay_on_their_pdc(void **state)
{
	struct pair *p = *state;
	const uint8_t bytes[ses_small_len] = {0};
	const struct orc_op ops[] = {
		context_op(1, 1, true, false, bytes),
		context_op(2, 2, true, true, bytes),
		context_op(1, 1, false, true, bytes),
		context_op(2, 3, true, true, bytes),
		context_op(3, 4, true, true, bytes),
	};

	p->fate = pair_lose; /* loses all but the first transmissions */
	p->ctx = (int[]){0, 1, 2, 3, 4, -1};
	for (size_t i = 0; i < 5; i++) {
		pair_post(p, A, &ops[i]);
		pair_run(p, VSPAN_US);
	}
	assert_int_not_equal(rod_test_pdcid_of(p, 0), rod_test_pdcid_of(p, 1));
	assert_int_equal(rod_test_pdcid_of(p, 2), rod_test_pdcid_of(p, 0));
	assert_int_equal(rod_test_pdcid_of(p, 3), rod_test_pdcid_of(p, 1));
	/* the third shares one of their PDCs */
	assert_true(rod_test_pdcid_of(p, 4) == rod_test_pdcid_of(p, 0) ||
		    rod_test_pdcid_of(p, 4) == rod_test_pdcid_of(p, 1));
}

/* Messages of one context may alternate: none of their packets waits. */
static void a_context_has_several_messages(void **state)
{
	struct pair *p = *state;
	const uint8_t bytes[ses_small_len] = {0};

	p->fate = pair_nothing_passes;
	for (unsigned i = 0; i < 6; i++) {
		const struct orc_op op = context_op(1, (uint16_t)(1 + i % 2),
						    i < 2, i >= 4, bytes);

		pair_post(p, A, &op);
	}
	pair_drain(p);
	SENT(p, A, 333, 334, 335, 336, 337, 338);
	for (size_t i = 1; i < 6; i++)
		assert_int_equal(rod_test_pdcid_of(p, i),
				 rod_test_pdcid_of(p, 0));
}

/*
 * The PDC ends while its last packet is unacknowledged: the next packet waits.
 */
static void order_holds_from_pdc_to_pdc(void **state)
{
	struct pair *p = *state;
	const struct orc_op ask = {.kind = OP_ASK_CLOSE};
	int lose[] = {0, -1};

	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 8);
	pair_run(p, VSPAN_US);
	pair_post(p, B, &ask);
	pair_run(p, 4 * p->hop);
	send_rod(p, 2, 8);
	pair_run(p, 20 * VSPAN_MS);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	assert_int_equal(pair_count(p, B, EV_RECV), 2);
	assert_int_equal(pair_event(p, B, EV_RECV, 0)->message_id, 1);
	assert_int_equal(pair_event(p, B, EV_RECV, 1)->message_id, 2);
	assert_int_not_equal(pair_event(p, B, EV_RECV, 0)->orig_pdcid,
			     pair_event(p, B, EV_RECV, 1)->orig_pdcid);
}

static void the_first_packet_must_be_at_start_psn(void **state)
{
	struct pair *p = malloc(sizeof(*p));
	int lose[] = {0, -1};
	struct pds_nack nack;

	(void)state;
	assert_non_null(p);
	pair_conf(p);
	core_pair_test_pair_open(p);
	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 2048);
	pair_run(p, VSPAN_MS);
	nack = rung_nack(p, 2, B, NACK_ROD_OOO, 333);
	assert_int_equal(nack.spdcid, 0);
	assert_int_equal(nack.payload, 332);
	SENT(p, A, 332, 333, 332, 333);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 332, 2);
	rod_test_teardown((void **)&p);
}

static void order_holds_at_the_wrap(void **state)
{
	const struct orc_conf conf = {.rod_nack_each = true,
				      .rod_nack_payload = true,
				      .start_psn = 0xfffffffdu};
	struct pair *p = rod_test_opened(&conf);
	int lose[] = {1, -1};

	(void)state;
	p->fate = pair_lose;
	p->ctx = lose;
	send_rod(p, 1, 4096);
	pair_run(p, 2 * VSPAN_MS);
	SENT(p, A, 0xfffffffeu, 0xffffffffu, 0, 1, 0xffffffffu, 0, 1);
	assert_delivered(p, B, EV_PDS_SES_RX_REQ, 0xfffffffeu, 4);
	rod_test_teardown((void **)&p);
}

int main(void)
{
#define T(name) \
	cmocka_unit_test_setup_teardown(name, rod_test_setup, rod_test_teardown)
	const struct CMUnitTest tests[] = {
		T(a_gap_is_told_and_repaired),
		cmocka_unit_test(one_nack_for_a_gap_is_enough),
		cmocka_unit_test(a_nack_without_payload_means_the_oldest),
		T(a_time_out_goes_back),
		cmocka_unit_test(a_renumbering_ends_a_go_back),
		T(a_later_trim_does_not_cancel_a_repeat),
		T(an_expected_psn_cancels_earlier_repeats),
		T(nothing_new_overtakes_a_repeat),
		T(return_data_goes_back_too),
		T(overdue_data_is_not_overtaken),
		T(data_of_many_reads_keeps_its_order),
		T(acks_keep_the_order_of_the_packets),
		T(acks_that_wait_keep_their_order),
		T(an_early_answer_waits_in_line),
		T(a_close_does_not_wait_in_line),
		T(a_refused_packet_holds_up_all_behind_it),
		T(the_modes_do_not_share_a_pdc),
		T(contexts_stay_on_their_pdc),
		T(a_context_has_several_messages),
		T(order_holds_from_pdc_to_pdc),
		cmocka_unit_test(the_first_packet_must_be_at_start_psn),
		cmocka_unit_test(order_holds_at_the_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
