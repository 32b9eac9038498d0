/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/trim_test.c -- tests packets that a switch has trimmed between
 * two endpoints.
 */
#include "oracle/core/pair_test.h"

/* The switch's change to the first packet that the test selects. */
struct cut {
	unsigned from;
	uint8_t type;
	size_t keep;
	uint8_t dscp;
	bool done;
};

static struct fate trim_test_cut(struct pair *p, unsigned from,
				 const struct dgram *d)
{
	struct cut *c = p->ctx;
	struct dgram *copy;

	if (c->done || from != c->from || pds_type_of(d->data) != c->type)
		return (struct fate){.copies = 1};
	c->done = true;
	copy = malloc(sizeof(*copy));
	assert_non_null(copy);
	dgram_copy(copy, d);
	copy->dscp = c->dscp;
	if (c->keep < copy->len)
		copy->len = c->keep;
	pair_inject(p, !from, copy, p->hop);
	free(copy);
	return (struct fate){.copies = 0};
}

static int trim_test_setup(void **state)
{
	struct pair *p = malloc(sizeof(*p));

	assert_non_null(p);
	pair_conf(p);
	*state = p;
	return 0;
}

static int trim_test_teardown(void **state)
{
	core_pair_test_pair_close(*state);
	free(*state);
	return 0;
}

static void run_cut(struct pair *p, struct cut *c, uint32_t len)
{
	p->fate = trim_test_cut;
	p->ctx = c;
	pair_send(p, 1, len);
	pair_run(p, 30 * VSPAN_MS);
	assert_true(c->done);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
}

static void nacked_and_sent_again(void **state)
{
	struct cut c = {A, PDS_RUD_REQ, 16, 26, false};
	struct pair *p = *state;
	struct pds_nack h;

	core_pair_test_pair_open(p);
	pair_idle(p);
	run_cut(p, &c, 1000);
	rung_req(p, 0, A, 333, 332);
	h = rung_nack(p, 1, B, NACK_TRIMMED, 333);
	assert_true(h.spdcid != 0);
	assert_true(rung_req(p, 2, A, 333, 332).retx);
	assert_int_equal(p->seen[2].at - p->seen[1].at, p->hop);
	rung_ack(p, 3, B, 333, 333);
	assert_int_equal(p->nseen, 4);
}

static void last_hop_is_told(void **state)
{
	struct cut c = {A, PDS_RUD_REQ, 16, 28, false};
	struct pair *p = *state;

	p->conf[B].crc = true;
	p->conf[A].crc = true;
	core_pair_test_pair_open(p);
	pair_idle(p);
	run_cut(p, &c, 1000);
	rung_nack(p, 1, B, NACK_TRIMMED_LASTHOP, 333);
}

static void syn_without_a_pdc(void **state)
{
	struct cut c = {A, PDS_RUD_REQ, 16, 26, false};
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	run_cut(p, &c, 1000);
	assert_int_equal(rung_nack(p, 1, B, NACK_TRIMMED, 332).spdcid, 0);
	rung_ack(p, 3, B, 332, 332);
}

static void syn_dropped(void **state)
{
	struct cut c = {A, PDS_RUD_REQ, 16, 26, false};
	struct pair *p = *state;

	p->conf[B].trim_syn = false;
	core_pair_test_pair_open(p);
	run_cut(p, &c, 1000);
	assert_int_equal(p->seen[1].from, A); /* the RTO repairs the loss */
	rung_ack(p, 2, B, 332, 332);
}

/* A trimmed ACK is not reported: the RTO of the request repairs the loss. */
static void ack_is_dropped(void **state)
{
	struct cut c = {B, PDS_ACK, 64, 26, false};
	struct pair *p = *state;

	core_pair_test_pair_open(p);
	pair_idle(p);
	run_cut(p, &c, 64);
	rung_req(p, 0, A, 333, 332);
	rung_ack(p, 1, B, 333, 333);
	assert_true(rung_req(p, 2, A, 333, 332).retx);
	assert_int_equal(p->nseen, 4);
}

/* "ACKs that carry more read data than Trimmable_ACK_Size" */
static void data_in_ack_is_trimmable(void **state)
{
	const struct orc_op expose = {.kind = OP_EXPOSE, .key = 7, .len = 64};
	const struct orc_op get = {
		.kind = OP_READ, .key = 7, .len = 16, .handle = 1};
	struct cut c = {B, PDS_ACK, 12, 26, false};
	struct pair *p = *state;

	p->conf[B].trimmable_ack = 8;
	p->conf[B].dscp_data = 5;
	core_pair_test_pair_open(p);
	pair_idle(p);
	pair_post(p, B, &expose);
	p->fate = trim_test_cut;
	p->ctx = &c;
	pair_post(p, A, &get);
	pair_run(p, 30 * VSPAN_MS);
	assert_true(c.done);
	assert_int_equal(pair_count(p, A, EV_COMPLETION), 1);
	assert_int_equal(p->seen[1].dscp, 5);
}

#define TRIM(f) \
	cmocka_unit_test_setup_teardown(f, trim_test_setup, trim_test_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TRIM(nacked_and_sent_again), TRIM(last_hop_is_told),
		TRIM(syn_without_a_pdc),     TRIM(syn_dropped),
		TRIM(ack_is_dropped),        TRIM(data_in_ack_is_trimmable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
