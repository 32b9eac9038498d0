/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/cc_test.c -- tests the count of bytes in flight, RTT samples,
 * and the fields of ACK_CC, between two endpoints.
 */
#include "oracle/core/pair_test.h"
#include "oracle/uet/pds/pds_table.h"

static int cc_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	*state = p;
	return 0;
}

static int cc_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static struct orc_stats cc_test_stats_of(const struct pair *p, unsigned side)
{
	struct orc_stats s;

	orc_reference.stats(p->end[side], &s);
	return s;
}

static const struct pdc *first_pdc(const struct pair *p, unsigned side)
{
	return pds_at(&p->end[side]->pds, 0);
}

static struct pds_nscc nscc_of(const struct pair *p, size_t i)
{
	const uint8_t *bytes = rung(p, i, B, PDS_ACK_CC)->data;
	struct pds_nscc nscc;

	pds_nscc_get(&nscc, bytes + pds_ack_len + pds_ack_cc_len);
	return nscc;
}

/* "RTT = ack arrival - (tx time + service_time)" */
static void rtt_leaves_the_service_out(void **state)
{
	struct pair *p = *state;

	p->conf[B].ack_type = ORC_ACK_CC;
	core_pair_test_pair_open(p);
	pair_idle(p);
	assert_int_equal(cc_test_stats_of(p, A).rtt_samples, 1);
	pair_policy(p, (struct ses_policy){.delay = 3 * VSPAN_MS});
	pair_send(p, 1, 64);
	pair_run(p, 4 * VSPAN_MS);
	assert_int_equal(cc_test_stats_of(p, A).rtt_samples, 2);
	assert_in_range(cc_test_stats_of(p, A).rtt_last, 2 * p->hop,
			2 * p->hop + 128);
	assert_int_equal(nscc_of(p, 1).service_time, 3 * VSPAN_MS / 128);
}

/*
 * The ACK of a retransmission echoes retx, so it gives a sample of that copy.
 */
static void rtt_of_the_repeated_copy(void **state)
{
	struct pair *p = *state;
	int lose[] = {A * 1000, -1};

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_send(p, 1, 64);
	pair_run(p, 8 * VSPAN_MS);
	assert_int_equal(cc_test_stats_of(p, A).rtt_samples, 2);
	assert_int_equal(cc_test_stats_of(p, A).rtt_refused, 0);
	assert_true(cc_test_stats_of(p, A).rtt_last == (uint64_t)(2 * p->hop));
}

/* The answer to the Probe is a sample, too. */
static void rtt_of_a_probe(void **state)
{
	struct pair *p = *state;

	p->conf[A].probe = true;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_run(p, VSPAN_MS);
	assert_int_equal(cc_test_stats_of(p, A).rtt_samples, 2);
	assert_true(cc_test_stats_of(p, A).rtt_last == (uint64_t)(2 * p->hop));
}

/* The ACK of the first copy comes after the second was sent: no sample. */
static struct fate late_first_ack(struct pair *p, unsigned from,
				  const struct dgram *d)
{
	(void)d;
	return (struct fate){
		.copies = 1,
		.delay = from == B && p->sent[B] == 0 ? 6 * VSPAN_MS : 0,
	};
}

static struct fate late_and_lost(struct pair *p, unsigned from,
				 const struct dgram *d)
{
	if (from == B && p->sent[B] == 1)
		return (struct fate){.copies = 0};
	return late_first_ack(p, from, d);
}

static void rtt_of_nobody_knows_which(void **state)
{
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = late_and_lost;
	pair_send(p, 1, 64);
	pair_run(p, 9 * VSPAN_MS);
	assert_int_equal(cc_test_stats_of(p, A).rtt_samples, 1);
	assert_int_equal(cc_test_stats_of(p, A).rtt_refused, 1);
}

static void inflight_comes_to_nothing(void **state)
{
	struct pair *p = *state;
	int lose[] = {A * 1000 + 1, A * 1000 + 3, B * 1000, -1};

	p->conf[A].cwnd = 8192;
	p->conf[B].ack_type = ORC_ACK_CC;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_send(p, 1, 30000);
	pair_run(p, 10 * p->hop);
	assert_in_range(first_pdc(p, A)->src.cc.inflight, 1, 8192);
	pair_run(p, 100 * VSPAN_MS);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(first_pdc(p, A)->src.cc.inflight, 0);
}

/*
 * Counts every packet once: 44 + 12 + 1024 + 8 + 40 bytes, rounded up to 256.
 */
static void bytes_are_nominal(void **state)
{
	struct pair *p = *state;
	struct pds_nscc before, after;

	p->conf[B].ack_type = ORC_ACK_CC;
	p->conf[A].ack_per_pkt = true;
	core_pair_test_pair_open(p);
	pair_send(p, 0xfff0, 8);
	pair_run(p, 4 * p->hop);
	before = nscc_of(p, 1);
	assert_int_equal(before.rcvd_bytes, (112 + 255) / 256);
	pair_forget(p);
	pair_send(p, 1, 5 * 1024);
	pair_run(p, 20 * p->hop);
	after = nscc_of(p, p->nseen - 1);
	assert_int_equal(after.rcvd_bytes, (112 + 5 * 1128 + 255) / 256);
	assert_int_equal(after.ooo_count, 0);
}

static void out_of_order_is_counted(void **state)
{
	struct pair *p = *state;
	int lose[] = {A * 1000 + 1, -1};

	p->conf[B].ack_type = ORC_ACK_CC;
	p->conf[A].ack_per_pkt = true;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = pair_lose;
	p->ctx = lose;
	pair_send(p, 1, 4 * 1024);
	pair_run(p, 4 * p->hop);
	assert_int_equal(p->nseen, 7);
	assert_int_equal(nscc_of(p, 4).ooo_count, 0);
	assert_int_equal(nscc_of(p, 5).ooo_count, 1);
	assert_int_equal(nscc_of(p, 6).ooo_count, 2);
}

/*
 * Credit lasts until it is spent; then the source requests more and receives
 * it.
 */
static void credit_is_asked_for(void **state)
{
	struct pair *p = *state;

	for (unsigned i = 0; i < 2; i++) {
		p->conf[i].cc = ORC_CC_CREDIT;
		p->conf[i].credit_init = 10;
		p->conf[i].ccc_id = 3;
	}
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_send(p, 1, 20 * 1024);
	pair_run(p, 40 * p->hop);
	rung(p, 0, A, PDS_RUD_CC_REQ);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_true(first_pdc(p, A)->src.cc.spent <=
		    first_pdc(p, A)->src.cc.credit);
}

/* ---- Policies ---- */

static void cc_test_open_nscc(struct pair *p)
{
	p->conf[A].cc_policy = ORC_POLICY_NSCC;
	p->conf[A].base_rtt = 2 * p->hop;
	p->conf[A].link_rate = 10000;
	p->conf[A].ack_per_pkt = true;
	p->conf[B].ack_type = ORC_ACK_CC;
	core_pair_test_pair_open(p);
	pair_idle(p);
}

/* Marks and delays everything that A sends until 2 ms. */
static struct fate cc_test_congested(struct pair *p, unsigned from,
				     const struct dgram *d)
{
	const bool busy = from == A && p->now < 2 * VSPAN_MS;

	(void)d;
	return (struct fate){
		.copies = 1, .delay = busy ? 100 * VSPAN_US : 0, .ce = busy};
}

/* The window falls to one packet, all data arrives, and it grows again. */
static void nscc_moves_the_window(void **state)
{
	struct pair *p = *state;
	uint32_t most;

	cc_test_open_nscc(p);
	most = first_pdc(p, A)->src.cc.cwnd;
	assert_in_range(most, 3 * 12400, 3 * 12600); /* 1.5 x 25000 bytes */
	p->fate = cc_test_congested;
	pair_send(p, 1, 400 * 1024);
	pair_run(p, 2 * VSPAN_MS - p->now);
	assert_in_range(first_pdc(p, A)->src.cc.cwnd, 1024, 2 * 1160);
	assert_true(first_pdc(p, A)->src.cc.inflight <=
		    first_pdc(p, A)->src.cc.cwnd);
	pair_send(p, 2, 400 * 1024);
	pair_run(p, 20 * VSPAN_MS);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 2);
	assert_in_range(first_pdc(p, A)->src.cc.cwnd, most / 2, most);
}

/* Retransmitted SYNs stay in the window, even if the target answers none. */
static struct fate cc_test_deaf(struct pair *p, unsigned from,
				const struct dgram *d)
{
	(void)p;
	(void)d;
	return (struct fate){.copies = from == B};
}

static void nscc_holds_syns_back(void **state)
{
	struct pair *p = *state;

	p->conf[A].cc_policy = ORC_POLICY_NSCC;
	p->conf[A].base_rtt = 2 * p->hop;
	p->conf[A].link_rate = 10000;
	core_pair_test_pair_open(p);
	p->fate = cc_test_deaf;
	pair_send(p, 1, 400 * 1024);
	pair_run(p, 12 * VSPAN_MS); /* two time-outs */
	assert_in_range(p->sent[A], 30, 50);
	assert_in_range(first_pdc(p, A)->src.cc.inflight, 1024, 1200);
}

/* The packets of one path are lost: feedback leaves it. */
static struct fate cc_test_dead_path(struct pair *p, unsigned from,
				     const struct dgram *d)
{
	const uint16_t dead = env_entropy_of_path(first_pdc(p, A)->entropy, 2);

	(void)from;
	return (struct fate){.copies = d->entropy != dead};
}

static size_t cc_test_losses(struct pair *p, enum orc_path_choice choice)
{
	size_t lost = 0;

	p->conf[A].spray = 4;
	p->conf[A].path_choice = choice;
	p->conf[A].sack_retx = 4;
	p->conf[A].max_rto_retx = 15;
	cc_test_open_nscc(p);
	p->fate = cc_test_dead_path;
	pair_send(p, 1, 400 * 1024);
	pair_run(p, 200 * VSPAN_MS);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	for (size_t i = 0; i < p->nseen; i++)
		lost += p->seen[i].lost;
	return lost;
}

static void feedback_leaves_a_dead_path(void **state)
{
	/* at most the packets of a window; all in turn lose a quarter */
	assert_in_range(cc_test_losses(*state, ORC_PATHS_BY_FEEDBACK), 1, 12);
}

static void turns_lose_on_a_dead_path(void **state)
{
	assert_in_range(cc_test_losses(*state, ORC_PATHS_IN_TURN), 100, 400);
}

/* The first packets of the initiator are lost: its ACKs are written here. */
static struct fate cc_test_unheard(struct pair *p, unsigned from,
				   const struct dgram *d)
{
	(void)p;
	(void)d;
	return (struct fate){.copies = from != A};
}

static void cc_test_throw_ack(struct pair *p, uint32_t psn, bool retx)
{
	const struct pds_ack ack = {
		.type = PDS_ACK,
		.retx = retx,
		.cack_psn = 332,
		.ack_psn_offset = (int16_t)(psn - 332),
		.spdcid = first_pdc(p, A)->dpdcid,
		.dpdcid = first_pdc(p, B)->dpdcid,
	};
	struct dgram *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	d->src = p->conf[B].addr;
	d->dst = p->conf[A].addr;
	d->entropy = 0xc123;
	pds_ack_put(&ack, d->data);
	d->len = pds_ack_len;
	pair_inject(p, A, d, 0);
	free(d);
	pair_run(p, 2 * VSPAN_US);
}

/*
 * An ACK without retx is about the first transmission, and so it does not show
 * that a packet of the second round was lost.
 */
static void old_ack_shows_no_second_loss(void **state)
{
	struct pair *p = *state;
	size_t seen;

	p->conf[A].sack_retx = 1;
	core_pair_test_pair_open(p);
	pair_idle(p);
	p->fate = cc_test_unheard;
	pair_send(p, 1, 3 * 1024);
	pair_drain(p);
	cc_test_throw_ack(p, 335, false);
	seen = p->nseen;
	assert_int_equal(rung_req(p, seen - 2, A, 333, 332).retx, 1);
	assert_int_equal(rung_req(p, seen - 1, A, 334, 332).retx, 1);
	cc_test_throw_ack(p, 334, false);
	assert_int_equal(p->nseen, seen);
	cc_test_throw_ack(p, 334, true);
	assert_int_equal(rung_req(p, seen, A, 333, 332).retx, 1);
}

static void wrong_settings_are_refused(void **state)
{
	struct pair *p = *state;
	struct orc *o;

	core_pair_test_pair_open(p);
	p->conf[A].credit_unit = 0;
	assert_int_equal(orc_reference.make(&o, &p->conf[A]), ERR_VALUE);
	p->conf[A].credit_unit = 256;
	p->conf[A].mpr = 0;
	assert_int_equal(orc_reference.make(&o, &p->conf[A]), ERR_VALUE);
	p->conf[A].override_mpr_zero = 64;
	assert_int_equal(orc_reference.make(&o, &p->conf[A]), ERR_VALUE);
	p->conf[A].version = UET_1_0_3;
	assert_int_equal(orc_reference.make(&o, &p->conf[A]), 0);
	orc_reference.free(o);
}

#define CC(f) \
	cmocka_unit_test_setup_teardown(f, cc_test_setup, cc_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CC(rtt_leaves_the_service_out),
		CC(rtt_of_the_repeated_copy),
		CC(rtt_of_a_probe),
		CC(rtt_of_nobody_knows_which),
		CC(inflight_comes_to_nothing),
		CC(bytes_are_nominal),
		CC(out_of_order_is_counted),
		CC(credit_is_asked_for),
		CC(wrong_settings_are_refused),
		CC(old_ack_shows_no_second_loss),
		CC(nscc_moves_the_window),
		CC(feedback_leaves_a_dead_path),
		CC(turns_lose_on_a_dead_path),
		CC(nscc_holds_syns_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
