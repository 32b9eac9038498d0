/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/net_test.c -- tests links and switches: times, queues, marks, trims,
 * ECMP and failures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric/net.h"

#define LEN  1000 /* bytes of a datagram; 1066 on the wire */
#define SEEN 256

struct net_test {
	struct fabric_conf conf;
	struct net net;
	struct {
		vtime at;
		uint32_t src, dst;
		size_t len;
		uint16_t entropy;
		uint8_t dscp, ecn;
	} seen[SEEN];
	size_t n;
	vtime now; /* of the last arrival */
};

static void net_test_arrived(struct net_test *t, vtime at, struct net_packet *p)
{
	assert_true(t->n < SEEN);
	net_land(p);
	t->now = vtime_max(t->now, at);
	t->seen[t->n].at = at;
	t->seen[t->n].src = p->src;
	t->seen[t->n].dst = p->dst;
	t->seen[t->n].len = p->d->len;
	t->seen[t->n].entropy = p->d->entropy;
	t->seen[t->n].dscp = p->d->dscp;
	t->seen[t->n++].ecn = p->d->ecn;
	net_unused(&t->net, p);
}

/* Four leaves, four spines, four hosts; 8 Gbit/s: a byte in each ns. */
static struct net_test *net_test_new(void)
{
	struct net_test *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	fabric_default(&t->conf);
	t->conf.topology.spines = 4;
	t->conf.topology.hosts = 4;
	t->conf.topology.rate = 8000;
	t->conf.topology.delay = 100;
	t->conf.topology.jitter = 0;
	t->conf.topology.queue = 2200;
	t->conf.topology.no_ecn = true;
	return t;
}

static void net_test_open(struct net_test *t)
{
	fabric_complete(&t->conf);
	assert_null(fabric_check(&t->conf));
	assert_int_equal(net_init(&t->net, &t->conf, 2048), 0);
}

static void net_test_close(struct net_test *t)
{
	net_free(&t->net);
	free(t);
}

static void net_test_send(struct net_test *t, uint32_t src, uint32_t dst,
			  uint16_t entropy, uint8_t dscp)
{
	struct net_packet *p = net_packet(&t->net);

	assert_non_null(p);
	p->d->len = LEN;
	p->d->entropy = entropy;
	p->d->dscp = dscp;
	p->d->ecn = ECN_ECT0;
	t->now = vtime_max(t->now, t->net.ports[src].free_at);
	net_port_passed(&t->net, src);
	assert_int_equal(net_send(&t->net, src, dst, p, t->now), 0);
}

static void net_test_run(struct net_test *t)
{
	const struct net_arrival *in;

	assert_int_equal(net_run(&t->net, VTIME_NEVER), 0);
	assert_int_equal(net_next(&t->net), VTIME_NEVER);
	for (uint32_t i = 0; i < t->net.endpoints; i++)
		while ((in = net_arrival(&t->net, i, 0))) {
			const vtime at = in->at;

			assert_true(agenda_next(&t->net.due) <= at);
			net_test_arrived(t, at, net_take(&t->net, i));
		}
}

static void times_of_a_way(void **state)
{
	struct net_test *t = net_test_new();

	(void)state;
	net_test_open(t);
	net_test_send(t, 0, 1, 5, 0); /* by one leaf */
	assert_false(net_port_idle(&t->net, 0, 1066));
	assert_int_equal(net_port_due(&t->net, 0), 1066);
	net_port_passed(&t->net, 0);
	assert_false(net_port_idle(&t->net, 0, 1065));
	assert_true(net_port_idle(&t->net, 0, 1066));
	assert_int_equal(net_port_due(&t->net, 0), VTIME_NEVER);
	assert_true(net_lookahead(&t->net) <= 1066 + 100);
	net_test_run(t);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->seen[0].at, 2 * (1066 + 100));
	net_test_send(t, 0, 15, 5, 0); /* by two leaves and a spine */
	net_test_run(t);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->seen[1].at - t->seen[0].at, 4 * (1066 + 100));
	assert_int_equal(t->seen[1].len, LEN);
	assert_int_equal(t->net.in_flight, 0);
	net_test_close(t);
}

/* Twelve packets arrive at once; two fit into the queue of the last port. */
static void what_does_not_fit_is_trimmed(void **state)
{
	struct net_test *t = net_test_new();
	size_t whole = 0, last_hop = 0;

	(void)state;
	net_test_open(t);
	for (uint32_t i = 4; i < 16; i++)
		net_test_send(t, i, 0, (uint16_t)(7 * i), 0);
	net_test_run(t);
	assert_int_equal(t->n, 12);
	for (size_t i = 0; i < t->n; i++) {
		whole += t->seen[i].len == LEN;
		last_hop += t->seen[i].dscp ==
			    t->conf.endpoint.dscp_trimmed_lasthop;
	}
	assert_int_equal(whole + t->net.trimmed, 12);
	assert_true(t->net.trimmed > 0);
	assert_in_range(last_hop, 1, t->net.trimmed);
	assert_int_equal(t->net.dropped, 0);
	assert_int_equal(t->net.queue_max, 2 * 1066);
	net_test_close(t);
}

static void without_trimming_it_is_dropped(void **state)
{
	struct net_test *t = net_test_new();

	(void)state;
	t->conf.topology.trim = false;
	net_test_open(t);
	for (uint32_t i = 4; i < 16; i++)
		net_test_send(t, i, 0, (uint16_t)(7 * i), 0);
	net_test_run(t);
	assert_true(t->net.dropped > 0);
	assert_int_equal(t->n + t->net.dropped, 12);
	assert_int_equal(t->net.trimmed, 0);
	net_test_close(t);
}

/* Control overtakes data in a queue. */
static void control_goes_first(void **state)
{
	struct net_test *t = net_test_new();
	const uint8_t control = t->conf.endpoint.dscp_control;

	(void)state;
	net_test_open(t);
	net_test_send(t, 1, 0, 1, 0);
	net_test_send(t, 2, 0, 1, 0);
	net_test_send(t, 3, 0, 1, control);
	net_test_run(t);
	assert_int_equal(t->n, 3);
	assert_int_equal(t->seen[1].src, 3);
	assert_int_equal(t->seen[2].src, 2);
	net_test_close(t);
}

static void long_queues_mark(void **state)
{
	struct net_test *t = net_test_new();
	size_t marked = 0;

	(void)state;
	t->conf.topology.queue = 10000;
	t->conf.topology.no_ecn = false;
	t->conf.topology.ecn_min = 1066;
	t->conf.topology.ecn_max = 1067;
	net_test_open(t);
	for (uint32_t i = 4; i < 9; i++)
		net_test_send(t, i, 0, (uint16_t)(7 * i), 0);
	net_test_run(t);
	for (size_t i = 0; i < t->n; i++)
		marked += t->seen[i].ecn == ECN_CE;
	assert_int_equal(t->n, 5);
	/* the first two met no queue, the third one exactly ecn_min */
	assert_int_equal(marked, 2);
	assert_int_equal(t->net.marked, 2);
	net_test_close(t);
}

/* A path is a matter of the entropy value; many values use all paths. */
static void entropy_chooses_the_path(void **state)
{
	struct net_test *t = net_test_new();

	(void)state;
	t->conf.topology.failures[0] = (struct fabric_failure){
		.leaf = 0, .spine = 2, .until = 1 << 30};
	t->conf.topology.nfailures = 1;
	net_test_open(t);
	assert_int_equal(net_run(&t->net, 1), 0);
	for (uint32_t i = 0; i < 200; i++) {
		net_test_send(t, 0, 15, (uint16_t)(i / 2), 0);
		assert_int_equal(net_run(&t->net, net_port_due(&t->net, 0) + 1),
				 0);
	}
	net_test_run(t);
	assert_int_equal(t->n + t->net.cut, 200);
	assert_in_range(t->net.cut, 20, 80); /* a path of four */
	for (size_t i = 0; i < t->n; i += 2)
		assert_int_equal(t->seen[i].entropy, t->seen[i + 1].entropy);
	net_test_close(t);
}

/* ECMP avoids the link once the failure is known, and uses it after its end. */
static void failures_are_avoided(void **state)
{
	struct net_test *t = net_test_new();

	(void)state;
	t->conf.topology.failures[0] = (struct fabric_failure){
		.leaf = 0, .spine = 2, .until = VTIME_NEVER};
	t->conf.topology.nfailures = 1;
	t->conf.topology.reroute = 0;
	net_test_open(t);
	assert_int_equal(net_run(&t->net, 1), 0);
	for (uint32_t i = 0; i < 100; i++) {
		net_test_send(t, 0, 15, (uint16_t)i, 0);
		assert_int_equal(net_run(&t->net, net_port_due(&t->net, 0) + 1),
				 0);
	}
	net_test_run(t);
	assert_int_equal(t->net.cut, 0);
	assert_int_equal(t->n, 100);
	net_test_close(t);
}

/* Fills |t| with what arrives of 60 packets if switches run in |steps|. */
static void net_test_steps(struct net_test *t, vspan steps)
{
	t->conf.topology.no_ecn = false;
	t->conf.topology.queue = 10000;
	t->conf.topology.ecn_min = 1000;
	t->conf.topology.ecn_max = 9000;
	t->conf.topology.loss = 100000;
	net_test_open(t);
	for (uint32_t i = 0; i < 60; i++)
		net_test_send(t, 4 + i % 12, i % 4, (uint16_t)i, 0);
	for (vtime at = 0; steps && at < 50000; at += steps)
		assert_int_equal(net_run(&t->net, at), 0);
	net_test_run(t);
}

/* Marks and losses do not depend on how far the switches run at once. */
static void steps_change_nothing(void **state)
{
	struct net_test *whole = net_test_new(), *steps = net_test_new();

	(void)state;
	net_test_steps(whole, 0);
	net_test_steps(steps, 7);
	assert_true(whole->net.marked && whole->net.dropped);
	assert_int_equal(whole->net.marked, steps->net.marked);
	assert_int_equal(whole->net.dropped, steps->net.dropped);
	assert_int_equal(whole->n, steps->n);
	for (size_t i = 0; i < whole->n; i++) {
		assert_int_equal(whole->seen[i].at, steps->seen[i].at);
		assert_int_equal(whole->seen[i].src, steps->seen[i].src);
		assert_int_equal(whole->seen[i].ecn, steps->seen[i].ecn);
	}
	net_test_close(whole);
	net_test_close(steps);
}

static void other_topologies(void **state)
{
	struct net_test *t = net_test_new();

	(void)state;
	t->conf.topology.kind = FABRIC_RAIL;
	net_test_open(t);
	net_test_send(t, 0, 8, 1, 0); /* the same rail: one switch */
	net_test_run(t);
	assert_int_equal(t->seen[0].at, 2 * (1066 + 100));
	net_test_close(t);

	t = net_test_new();
	t->conf.topology.kind = FABRIC_DUMBBELL;
	t->conf.topology.leaves = 2;
	t->conf.topology.spines = 1;
	t->conf.topology.uplink = 4000;
	net_test_open(t);
	net_test_send(t, 0, 7, 1, 0); /* three links, the middle one slow */
	net_test_run(t);
	assert_int_equal(t->seen[0].at, 4 * 1066 + 3 * 100);
	net_test_send(t, 7, 0, 1, 0);
	net_test_run(t);
	assert_int_equal(t->seen[1].at, 2 * (4 * 1066 + 3 * 100));
	assert_int_equal(t->seen[1].dst, 0);
	net_test_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_of_a_way),
		cmocka_unit_test(what_does_not_fit_is_trimmed),
		cmocka_unit_test(without_trimming_it_is_dropped),
		cmocka_unit_test(control_goes_first),
		cmocka_unit_test(long_queues_mark),
		cmocka_unit_test(entropy_chooses_the_path),
		cmocka_unit_test(failures_are_avoided),
		cmocka_unit_test(steps_change_nothing),
		cmocka_unit_test(other_topologies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
