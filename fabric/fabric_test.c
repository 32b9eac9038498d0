/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/fabric_test.c -- tests whole runs: all flows end without a finding,
 * the same seed repeats them, and the congestion control works.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "fabric/fabric.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

static void fabric_test_run(struct fabric_conf *conf, struct fabric_result *r)
{
	assert_null(fabric_check(conf));
	fabric_complete(conf);
	assert_int_equal(fabric_run(conf, r), 0);
	if (r->findings)
		print_error("%s: %s\n", req_get(r->first[0].req)->id,
			    r->first[0].text);
	assert_int_equal(r->findings, 0);
	assert_int_equal(r->failed, 0);
	assert_int_equal(r->complete, r->flows);
}

static void every_workload_ends(void **state)
{
	static const enum fabric_workload kinds[] = {
		FABRIC_INCAST, FABRIC_PERMUTATION, FABRIC_ALL_TO_ALL,
		FABRIC_ALL_REDUCE};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct fabric_conf conf;
		struct fabric_result r;

		fabric_default(&conf);
		conf.topology.hosts = 2;
		conf.load.kind = kinds[i];
		conf.load.bytes = 100000; /* not a multiple of the packets */
		fabric_test_run(&conf, &r);
		assert_true(r.goodput > 0.2 && r.goodput <= 1);
		assert_int_equal(r.judged_packets > 2 * r.packets - 8, 1);
	}
}

static void the_same_seed_repeats(void **state)
{
	struct fabric_result one, two, other;
	struct fabric_conf conf;

	(void)state;
	fabric_default(&conf);
	conf.load.kind = FABRIC_INCAST;
	conf.load.bytes = 128 << 10;
	fabric_test_run(&conf, &one);
	fabric_test_run(&conf, &two);
	assert_memory_equal(&one, &two, sizeof(one));
	conf.seed = 2;
	fabric_test_run(&conf, &other);
	assert_int_not_equal(one.took, other.took);
}

/* Without trimming the losses are repaired by SACK and time-outs. */
static void losses_are_repaired(void **state)
{
	struct fabric_conf conf;
	struct fabric_result r;

	(void)state;
	fabric_default(&conf);
	conf.topology.trim = false;
	conf.topology.queue = 40000;
	conf.topology.hosts = 4;
	conf.load.kind = FABRIC_INCAST;
	conf.load.bytes = 256 << 10;
	fabric_test_run(&conf, &r);
	assert_true(r.dropped > 0);
	assert_int_equal(r.trimmed, 0);
	assert_true(r.retransmitted >= r.dropped);
}

/* ROD on one path: Go-Back-N after each trimmed packet. */
static void rod_is_in_order(void **state)
{
	struct fabric_conf conf;
	struct fabric_result r;

	(void)state;
	fabric_default(&conf);
	conf.load.kind = FABRIC_INCAST;
	conf.load.fan = 4;
	conf.load.mode = OP_ROD;
	conf.load.bytes = 128 << 10;
	fabric_test_run(&conf, &r);
}

/*
 * NACKs of several trimmed packets arrive while a source waits for its port:
 * it skips no packet when it goes back.
 */
static void rod_skips_no_trimmed_packet(void **state)
{
	struct fabric_conf conf;
	struct fabric_result r;

	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		fabric_default(&conf);
		conf.seed = seed;
		conf.load.kind = FABRIC_INCAST;
		conf.load.fan = 8;
		conf.load.mode = OP_ROD;
		conf.load.bytes = 256 << 10;
		conf.endpoint.cc = ORC_CC_CREDIT;
		conf.endpoint.cc_policy = ORC_POLICY_RCCC;
		conf.endpoint.credit_init = 576; /* 36 packets */
		fabric_test_run(&conf, &r);
		assert_true(r.trimmed > 0);
	}
}

static void rccc_shares_the_link(void **state)
{
	struct fabric_conf conf;
	struct fabric_result r;

	(void)state;
	fabric_default(&conf);
	conf.load.kind = FABRIC_INCAST;
	conf.endpoint.cc = ORC_CC_CREDIT;
	conf.endpoint.cc_policy = ORC_POLICY_RCCC;
	conf.endpoint.credit_init = 32; /* two packets */
	conf.strict = true;             /* credit is of level S */
	fabric_test_run(&conf, &r);
	assert_true(r.goodput > 0.9);
	assert_true(r.fairness > 0.95);
	assert_int_equal(r.trimmed, 0);
}

/*
 * Feedback leaves the spine that loses everything; turns do not.  ACKs are lost
 * on the way back all the while: they are not repaired.
 */
static void a_dead_spine_is_left(void **state)
{
	struct fabric_result feedback, turn;
	struct fabric_conf conf;

	(void)state;
	fabric_default(&conf);
	for (uint32_t leaf = 0; leaf < 4; leaf++)
		conf.topology.failures[leaf] =
			(struct fabric_failure){.leaf = leaf,
						.spine = 3,
						.at = 20 * VSPAN_US,
						.until = VTIME_NEVER};
	conf.topology.nfailures = 4;
	conf.topology.hosts = 2;
	conf.load.bytes = 4 << 20;
	conf.endpoint.sack_retx = 32;
	fabric_test_run(&conf, &feedback);
	conf.endpoint.path_choice = ORC_PATHS_IN_TURN;
	fabric_test_run(&conf, &turn);
	assert_true(feedback.cut > 0);
	assert_true(feedback.retransmitted > 0);
	assert_true(turn.retransmitted > 4 * feedback.retransmitted);
}

static void wrong_configurations(void **state)
{
	struct fabric_conf conf;
	struct fabric_result r;

	(void)state;
	fabric_default(&conf);
	conf.topology.kind = FABRIC_DUMBBELL;
	assert_non_null(fabric_check(&conf));
	fabric_default(&conf);
	conf.load.fan = 32;
	assert_non_null(fabric_check(&conf));
	fabric_default(&conf);
	conf.topology.leaves = 70000;
	assert_non_null(fabric_check(&conf));
	fabric_default(&conf);
	conf.topology.nfailures = 1;
	conf.topology.failures[0].leaf = 4;
	assert_non_null(fabric_check(&conf));
	fabric_default(&conf);
	conf.endpoint.mtu = 1000;
	fabric_complete(&conf);
	assert_int_equal(fabric_run(&conf, &r), ERR_VALUE);
}

static vtime has_passed(const struct orc *o)
{
	(void)o;
	return 0;
}

static bool always_says(struct orc *o, struct orc_event *ret)
{
	(void)o;
	*ret = (struct orc_event){.kind = EV_RECV};
	return true;
}

/* An endpoint whose deadline does not pass, and one without a last event. */
static void endpoints_that_loop(void **state)
{
	const volatile bool stop = true;
	struct orc_api api = orc_reference;
	struct fabric_conf conf;
	struct fabric_result r;

	(void)state;
	fabric_default(&conf);
	conf.topology.hosts = 2;
	conf.api = &api;
	fabric_complete(&conf);
	api.deadline = has_passed;
	assert_int_equal(fabric_run(&conf, &r), ERR_STATE);
	api.deadline = orc_reference.deadline;
	api.poll_event = always_says;
	conf.stop = &stop;
	assert_int_equal(fabric_run(&conf, &r), 0);
	assert_int_equal(r.complete, 0);
}

/* Changes the first byte of the payload of each repeated request. */
static bool changes_repeats(struct orc *o, struct dgram *ret)
{
	const size_t at = pds_req_len + ses_std_som_len;
	struct pds_req h;

	if (!orc_reference.poll_tx(o, ret))
		return false;
	if (ret->len <= at || pds_type_of(ret->data) != PDS_RUD_REQ)
		return true;
	pds_req_get(&h, ret->data);
	if (h.retx)
		ret->data[at] ^= 1;
	return true;
}

/* Most bytes of a payload are not there, but the first ones are compared. */
static void changed_payloads_are_found(void **state)
{
	struct orc_api api = orc_reference;
	struct fabric_conf conf;
	struct fabric_result r;

	(void)state;
	fabric_default(&conf);
	conf.topology.hosts = 2;
	conf.topology.loss = 10000;
	conf.load.bytes = 256 << 10;
	conf.api = &api;
	fabric_complete(&conf);
	api.poll_tx = changes_repeats;
	assert_int_equal(fabric_run(&conf, &r), 0);
	assert_true(r.retransmitted > 0);
	assert_true(r.findings > 0);
	assert_int_equal(r.first[0].req, REQ_UET_RTX_15);
}

/* SRD: a repair before the RTO of 10 ms is faster. */
static void srd_repairs_early(void **state)
{
	struct fabric_result slow, fast;
	struct fabric_conf conf;

	(void)state;
	fabric_default(&conf);
	conf.load.family = FAMILY_SRD;
	conf.load.bytes = 256 << 10;
	conf.topology.loss = 5000;
	fabric_test_run(&conf, &slow);
	assert_true(slow.retransmitted > 0);
	conf.endpoint.srd_fast = true;
	fabric_test_run(&conf, &fast);
	assert_true(fast.retransmitted > 0);
	assert_true(slow.completion.p50 > 2 * fast.completion.p50 ||
		    slow.completion.mean > 2 * fast.completion.mean);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_workload_ends),
		cmocka_unit_test(the_same_seed_repeats),
		cmocka_unit_test(losses_are_repaired),
		cmocka_unit_test(rod_is_in_order),
		cmocka_unit_test(rod_skips_no_trimmed_packet),
		cmocka_unit_test(rccc_shares_the_link),
		cmocka_unit_test(a_dead_spine_is_left),
		cmocka_unit_test(wrong_configurations),
		cmocka_unit_test(endpoints_that_loop),
		cmocka_unit_test(changed_payloads_are_found),
		cmocka_unit_test(srd_repairs_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
