/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/flow_stats_test.c -- tests midstream captures, idle flows, and the
 * statistics of flows.
 */
#include "judge/core/lab_test.h"
#include "wire/uet/uet_packet.h"

struct views {
	struct judge_flow flow[8];
	struct judge_flow_stats stats[8];
	unsigned n;
};

static void flow_stats_test_keep(void *arg, const struct judge_flow *f)
{
	struct views *v = arg;

	assert_true(v->n < 8);
	v->flow[v->n] = *f;
	v->stats[v->n++] = *f->stats;
}

static const struct judge_side_stats *
flow_stats_test_side(const struct views *v, unsigned end)
{
	return &v->stats[0].side[end];
}

static void a_flow_in_numbers(void **state)
{
	struct lab *lab = *state;
	struct views v = {0};

	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	lab->now += 98 * US;
	answer(lab, B, .psn = 334, .cack = 334);
	request(lab, A, .psn = 335, .clear = 334);
	request(lab, A, .psn = 336, .clear = 334);
	lab->now += 2 * RTO;
	request(lab, A, .psn = 335, .clear = 334, .retx = 1);
	answer(lab, B, .psn = 335, .cack = 336, .retx = 1);
	nack(lab, B, .psn = 336, .code = NACK_NO_PKT_BUFFER);
	judge_flows(lab->j, flow_stats_test_keep, &v);
	assert_int_equal(v.n, 1);
	assert_int_equal(v.flow[0].initiator, 0);
	assert_int_equal(v.flow[0].first_frame, 1);
	assert_int_equal(v.flow[0].pdcid[1], ID_B);
	assert_int_equal(flow_stats_test_side(&v, A)->requests, 5);
	assert_int_equal(flow_stats_test_side(&v, A)->again[CAUSE_TIMER], 1);
	assert_int_equal(flow_stats_test_side(&v, B)->acks, 3);
	assert_int_equal(flow_stats_test_side(&v, B)->covered, 4);
	assert_int_equal(flow_stats_test_side(&v, B)->nacks, 1);
	assert_int_equal(judge_totals(lab->j)->nacks[NACK_NO_PKT_BUFFER], 1);
	/* Two round trips: 1 us and 99 us. */
	assert_int_equal(judge_rtt(judge_totals(lab->j), 500),
			 1125 * US / 1000);
	assert_in_range(judge_rtt(judge_totals(lab->j), 1000), 99 * US,
			99 * US * 9 / 8);
	assert_in_range(judge_flow_rtt(&v.stats[0], 1000), 99 * US,
			99 * US * 3 / 2);
	assert_int_equal(judge_flow_rtt(&(struct judge_flow_stats){0}, 500),
			 -1);
}

static void round_trips_are_left_out(void **state)
{
	struct lab *lab = *state;
	struct judge_conf conf = lab->conf;
	struct views v = {0};

	conf.no_rtt = true;
	judge_declare(lab->j, &conf);
	established(lab);
	request(lab, A, .psn = 334, .clear = 333);
	answer(lab, B, .psn = 334, .cack = 334);
	judge_flows(lab->j, flow_stats_test_keep, &v);
	assert_int_equal(flow_stats_test_side(&v, B)->acks, 2);
	assert_int_equal(judge_rtt(judge_totals(lab->j), 500), -1);
	assert_int_equal(judge_flow_rtt(&v.stats[0], 500), -1);
}

/* Every round trip is counted at once. */
static void every_time_to_an_answer_is_counted(void **state)
{
	struct lab *lab = *state;

	established(lab); /* this counts the first one */
	for (uint32_t n = 2; n < 30; n++) {
		const uint32_t psn = 332 + n;
		struct views v = {0};
		unsigned counted = 0;

		request(lab, A, .psn = psn, .clear = psn - 1);
		lab->now += n * US;
		answer(lab, B, .psn = psn, .cack = psn);
		judge_flows(lab->j, flow_stats_test_keep, &v);
		for (unsigned k = 0; k < JUDGE_RTT; k++)
			counted += v.stats[0].rtt[k];
		assert_int_equal(counted, n);
		assert_in_range(judge_flow_rtt(&v.stats[0], 1000), n * US,
				n * US * 2);
	}
}

static void who_joins_wants_the_first_packet(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.midstream = true;
	lab_test_lab_open(&lab, &conf);
	request(&lab, A, .psn = 334, .clear = 332, .syn = 1, .offset = 0);
	answer(&lab, B, .psn = 334, .cack = 350);
	none(&lab);
	judge_reset(lab.j);
	established(&lab);
	answer(&lab, B, .psn = 333, .cack = 350);
	breaks(&lab, UET_ACK_26, DST, B);
	lab_test_lab_close(&lab);
}

static void a_sleeper_is_not_whole(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct views v = {0};
	struct lab lab;

	(void)state;
	conf.idle = VSPAN_S;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	lab.now += VSPAN_S / 2;
	request(&lab, A, .psn = 334, .clear = 333);
	lab.now += 2 * VSPAN_S;
	lab.ids[A]++, lab.ids[B]++;
	established(&lab);
	lab.ids[A]--, lab.ids[B]--;
	assert_int_equal(judge_totals(lab.j)->idle_evicted, 1);
	/* never sent; the evicted state would have shown it */
	answer(&lab, B, .psn = 350, .cack = 350);
	none(&lab);
	request(&lab, A, .psn = 351, .clear = 350);
	judge_flows(lab.j, flow_stats_test_keep, &v);
	assert_int_equal(v.n, 2);
	assert_true(v.flow[0].idle_evicted && !v.flow[0].complete);
	assert_true(!v.flow[1].idle_evicted && v.flow[1].complete);
	assert_int_equal(v.stats[0].side[A].requests, 3);
	assert_int_equal(v.stats[0].side[A].packets, 3);
	assert_int_equal(v.stats[0].side[B].acks, 2);
	lab_test_lab_close(&lab);
}

static void a_copy_is_not_judged(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct judge_packet in = {.copy = true, .at = VSPAN_S, .frame = 99};
	struct finding found[4];
	struct views v = {0};
	struct packet pkt;
	struct lab lab;

	(void)state;
	lab_test_lab_open(&lab, &conf);
	established(&lab);
	request(&lab, A, .psn = 334, .clear = 333);
	uet_packet_parse(&pkt, lab.d.data, lab.d.len);
	in.pkt = &pkt;
	in.d = &lab.d;
	assert_int_equal(judge_push(lab.j, &in, found, 4), 0);
	judge_flows(lab.j, flow_stats_test_keep, &v);
	assert_false(v.flow[0].complete);
	lab_test_lab_close(&lab);
}

static void the_forgotten_are_shown(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct views v = {0};
	struct lab lab;

	(void)state;
	conf.over = flow_stats_test_keep;
	conf.arg = &v;
	lab_test_lab_open(&lab, &conf); /* a table for 8 flows */
	for (unsigned i = 0; i < 9; i++) {
		lab.ids[A]++, lab.ids[B]++;
		established(&lab);
	}
	assert_int_equal(v.n, 1);
	assert_int_equal(v.flow[0].number, 0);
	assert_int_equal(judge_totals(lab.j)->forgotten, 1);
	lab_test_lab_close(&lab);
}

/* A datagram between two of many hosts. */
static void flow_stats_test_datagram(struct judge *j, uint32_t host,
				     uint32_t frame)
{
	const struct uud_req h = {.type = PDS_UUD_REQ,
				  .next_hdr = PDS_NEXT_REQUEST_STD};
	const struct ses_std_som ses = {.opcode = SES_DATAGRAM_SEND,
					.som = 1,
					.eom = 1,
					.message_id = 1};
	struct dgram d = {.len = uud_req_len + ses_std_som_len};
	struct judge_packet in = {.d = &d, .at = VSPAN_S, .frame = frame};
	struct packet pkt;

	d.src = ip_addr_v4(0x0a000000 + host);
	d.dst = ip_addr_v4(0x0a800000 + host);
	d.ecn = ECN_ECT0;
	uud_req_put(&h, d.data);
	ses_std_som_put(&ses, d.data + uud_req_len);
	uet_packet_parse(&pkt, d.data, d.len);
	in.pkt = &pkt;
	assert_int_equal(judge_push(j, &in, NULL, 0), 0);
}

struct sum {
	uint32_t flows, packets;
};

static void flow_stats_test_add(void *arg, const struct judge_flow *f)
{
	struct sum *sum = arg;

	assert_int_equal(f->pdcless, JUDGE_UUD);
	sum->flows++;
	sum->packets += f->stats->side[0].packets;
}

/*
 * With room for all pairs, each pair is reported once.  Otherwise some are
 * reported early.
 */
static void every_pair_without_a_pdc_is_shown(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct sum all = {0}, early = {0};
	struct judge *j;

	(void)state;
	conf.midstream = true;
	assert_int_equal(judge_new(&j, &conf, 1000), 0);
	for (uint32_t i = 0; i < 3000; i++)
		flow_stats_test_datagram(j, i % 1000, i + 1);
	judge_flows(j, flow_stats_test_add, &all);
	assert_int_equal(all.flows, 1000);
	assert_int_equal(all.packets, 3000);
	assert_int_equal(judge_totals(j)->forgotten, 0);
	judge_free(j);

	conf.over = flow_stats_test_add;
	conf.arg = &early;
	assert_int_equal(judge_new(&j, &conf, 100), 0);
	for (uint32_t i = 0; i < 1050; i++)
		flow_stats_test_datagram(j, i, i + 1);
	assert_int_equal(early.flows, 1000);
	assert_int_equal(judge_totals(j)->forgotten, 1000);
	judge_flows(j, flow_stats_test_add, &early);
	assert_int_equal(early.packets, 1050);
	judge_free(j);
}

static vspan flow_time(unsigned bucket, unsigned permille)
{
	struct judge_flow_stats t = {0};

	t.rtt[bucket] = 3;
	return judge_flow_rtt(&t, permille);
}

static vspan total_time(unsigned bucket, unsigned permille)
{
	struct judge_totals t = {0};

	t.rtt[bucket] = 3;
	return judge_rtt(&t, permille);
}

static void times_grow(vspan (*time_of)(unsigned bucket, unsigned permille),
		       unsigned buckets)
{
	vspan last = 0;

	assert_true(time_of(0, 1000) == US);
	for (unsigned k = 0; k < buckets; k++) {
		const vspan time = time_of(k, 1000);

		assert_true(time > last);
		assert_true(time_of(k, 1) == time);
		last = time;
	}
}

/* The time of a bucket grows with its number, from a microsecond on. */
static void each_bucket_has_its_time(void **state)
{
	(void)state;
	times_grow(flow_time, JUDGE_RTT);
	times_grow(total_time, JUDGE_RTT_ALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(a_flow_in_numbers),
		BOTH_WAYS(round_trips_are_left_out),
		BOTH_WAYS(every_time_to_an_answer_is_counted),
		cmocka_unit_test(who_joins_wants_the_first_packet),
		cmocka_unit_test(a_sleeper_is_not_whole),
		cmocka_unit_test(a_copy_is_not_judged),
		cmocka_unit_test(the_forgotten_are_shown),
		cmocka_unit_test(every_pair_without_a_pdc_is_shown),
		cmocka_unit_test(each_bucket_has_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
