/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/rccc_test.c -- tests credit in turns between two endpoints.
 */
#include "oracle/core/pair_test.h"
#include "oracle/uet/cc/cc_conf.h"
#include "oracle/uet/pds/pds_table.h"
#include "wire/uet/uet_pds.h"

static void rccc_test_open(struct pair *p)
{
	pair_conf(p);
	for (unsigned i = 0; i < 2; i++) {
		p->conf[i].cc = ORC_CC_CREDIT;
		p->conf[i].cc_policy = ORC_POLICY_RCCC;
		p->conf[i].credit_init = 10;
		p->conf[i].link_rate = 1000;
	}
	core_pair_test_pair_open(p);
}

/* Turns follow each other at the rate of the link. */
static void turns_are_paced(void **state)
{
	struct rccc r = {0};
	struct orc_conf conf;

	(void)state;
	orc_conf_default(&conf);
	conf.link_rate = 8000; /* a byte each ns */
	assert_int_equal(rccc_turn(&r, &conf, 100, 1000), 100);
	assert_int_equal(rccc_turn(&r, &conf, 100, 1000), 1100);
	assert_int_equal(rccc_turn(&r, &conf, 200, 500), 2100);
	assert_int_equal(rccc_turn(&r, &conf, 5000, 500), 5000);
}

/* A message of 40 packets arrives, not faster than the link allows. */
static void credit_is_paced(void **state)
{
	struct pair p;
	const struct pdc *pdc;

	(void)state;
	rccc_test_open(&p);
	pair_idle(&p);
	pair_send(&p, 1, 40 * 1024);
	/* 40 x 1160 bytes at 1 Gbit/s are 371 us; some credit was there */
	pair_run(&p, 300 * VSPAN_US);
	assert_int_equal(pair_count(&p, A, EV_COMPLETION), 0);
	pair_run(&p, 300 * VSPAN_US);
	assert_int_equal(pair_count(&p, A, EV_COMPLETION), 1);
	pdc = pds_at(&p.end[A]->pds, 0);
	assert_true(pdc->src.cc.spent <= pdc->src.cc.credit);
	core_pair_test_pair_close(&p);
}

/* A unit of credit takes the link 34 s, and a turn grants one unit. */
static void rccc_test_open_long_units(struct pair *p)
{
	pair_conf(p);
	for (unsigned i = 0; i < 2; i++) {
		p->conf[i].cc = ORC_CC_CREDIT;
		p->conf[i].cc_policy = ORC_POLICY_RCCC;
		p->conf[i].credit_init = 1;
		p->conf[i].credit_unit = UINT32_MAX;
		p->conf[i].rccc_quantum = 1;
		p->conf[i].link_rate = 1000;
	}
	core_pair_test_pair_open(p);
}

/*
 * A unit of credit may be longer than any packet: one turn lets a packet out,
 * and the next turn waits until the link has carried the whole unit.
 */
static void a_unit_may_be_long(void **state)
{
	struct pair p;

	(void)state;
	rccc_test_open_long_units(&p);
	pair_send(&p, 1, 4 * 1024);
	pair_run(&p, VSPAN_S);
	assert_int_equal(pds_at(&p.end[B]->pds, 0)->dst.cc.credit, 2);
	core_pair_test_pair_close(&p);
}

/*
 * A source repeats its Credit Request many times before a turn comes.  The
 * destination answers with the credit so far, so that the source does not give
 * up.
 */
static void a_far_turn_is_awaited(void **state)
{
	struct pair p;

	(void)state;
	rccc_test_open_long_units(&p);
	pair_send(&p, 1, 3 * 1024);
	pair_run(&p, 30 * VSPAN_S);
	assert_int_equal(pair_count(&p, A, EV_COMPLETION), 0);
	pair_run(&p, 50 * VSPAN_S); /* two turns */
	assert_int_equal(pair_count(&p, A, EV_COMPLETION), 1);
	assert_int_equal(pair_event(&p, A, EV_COMPLETION, 0)->status,
			 STATUS_OK);
	core_pair_test_pair_close(&p);
}

/* Loses each Credit of the first 2 ms: the source must request it again. */
static struct fate rccc_test_lose_credit(struct pair *p, unsigned from,
					 const struct dgram *d)
{
	struct pds_cp h;

	(void)p;
	if (from == B && pds_type_of(d->data) == PDS_CP) {
		pds_cp_get(&h, d->data);
		if (h.ctl_type == PDS_CP_CREDIT && p->now < 2 * VSPAN_MS)
			return (struct fate){.copies = 0};
	}
	return (struct fate){.copies = 1};
}

static void lost_credit_is_asked_for(void **state)
{
	struct pair p;

	(void)state;
	rccc_test_open(&p);
	p.fate = rccc_test_lose_credit;
	pair_send(&p, 1, 40 * 1024);
	pair_run(&p, VSPAN_MS);
	assert_int_equal(pair_count(&p, A, EV_COMPLETION), 0);
	pair_run(&p, 20 * VSPAN_MS);
	assert_int_equal(pair_count(&p, A, EV_COMPLETION), 1);
	core_pair_test_pair_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turns_are_paced),
		cmocka_unit_test(credit_is_paced),
		cmocka_unit_test(a_unit_may_be_long),
		cmocka_unit_test(a_far_turn_is_awaited),
		cmocka_unit_test(lost_credit_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
