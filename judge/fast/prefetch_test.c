/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/prefetch_test.c -- tests what is prefetched for a packet before it
 * is judged.
 *
 * A prefetch has no effect that a program sees, so this test compiles the
 * source with a replacement that records the prefetched bytes.  Each test
 * judges packets of many flows and checks what the next packet would need.
 */
#include <stdbool.h>
#include <stddef.h>

static const char *fetched[64];
static size_t nfetched;

static void note_fetch(const char *p)
{
	if (nfetched < sizeof(fetched) / sizeof(fetched[0]))
		fetched[nfetched++] = p;
}

#define __builtin_prefetch(p, write, locality) note_fetch(p)
#include "judge/fast/prefetch.c"
#undef __builtin_prefetch

#include "judge/core/lab_test.h"
#include "wire/uet/uet_packet.h"

enum { MANY = 32 };

/* Returns true if the cache line of |p| was prefetched. */
static bool prefetch_test_got(const void *p)
{
	const size_t line = FLOW_LINE;

	for (size_t i = 0; i < nfetched; i++)
		if ((size_t)fetched[i] / line == (size_t)p / line)
			return true;
	return false;
}

static void at_flow(struct lab *lab, unsigned n)
{
	lab->ids[A] = (uint16_t)(0x0a00 + n);
	lab->ids[B] = (uint16_t)(0x0b00 + n);
}

static void open_flows(struct lab *lab, unsigned n)
{
	judge_free(lab->j);
	assert_int_equal(judge_new(&lab->j, &lab->conf, 2 * MANY), 0);
	for (unsigned i = 0; i < n; i++) {
		at_flow(lab, i);
		established(lab);
	}
	none(lab);
	at_flow(lab, n / 2);
	lab->muted = true; /* from here on packets are built, but not judged */
}

static struct flow *prefetch_test_flow_at(struct lab *lab, unsigned *ret_end)
{
	const struct table_key key = {&lab->addr[A], &lab->addr[B],
				      lab->ids[A]};
	struct flow *f =
		table_find(&lab->j->table, &key, table_hash(&key), ret_end);

	assert_non_null(f);
	return f;
}

static struct judge_prefetch prefetch_test_ahead_of(struct lab *lab)
{
	struct judge_prefetch a;

	nfetched = 0;
	judge_prefetch_begin(lab->j, &a, &lab->d, lab->d.data, lab->d.len);
	judge_prefetch_index(&a, 1);
	judge_prefetch(&a, 1);
	return a;
}

/* The flow of the packet is found, and what every packet needs is fetched. */
static struct flow *prefetch_test_found(struct lab *lab,
					const struct judge_prefetch *a)
{
	unsigned end;
	struct flow *f = prefetch_test_flow_at(lab, &end);
	const struct dir *d = &f->hot->dir[end];

	assert_true(a->hashed);
	assert_true(a->wanted);
	assert_ptr_equal(a->flow, f);
	assert_int_equal(a->end, end);
	assert_int_equal(a->changes, lab->j->table.changes);
	assert_true(prefetch_test_got(table_place(&lab->j->table, a->hash)));
	assert_true(prefetch_test_got(f));
	assert_true(prefetch_test_got((const char *)f + FLOW_HOT - 1));
	assert_true(prefetch_test_got(d));
	assert_true(prefetch_test_got((const char *)d + sizeof(*d) - 1));
	assert_true(prefetch_test_got(psn_slot(d, a->psn)));
	return f;
}

static void for_a_request(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a;
	struct flow *f;

	open_flows(lab, MANY);
	request(lab, A, .psn = 334, .clear = 333, .mid = 77);
	a = prefetch_test_ahead_of(lab);
	f = prefetch_test_found(lab, &a);
	assert_int_equal(a.psn, 334 + lab->start);
	assert_false(a.is_ack || a.begins);
	assert_true(a.has_message);
	assert_int_equal(a.message, 77);
	assert_true(prefetch_test_got(message_place(&f->hot->dir[0], 77)));
	assert_false(prefetch_test_got(f->rtt));
	request(lab, A, .psn = 335, .clear = 333,
		.next = PDS_NEXT_REQUEST_SMALL);
	a = prefetch_test_ahead_of(lab);
	prefetch_test_found(lab, &a);
	assert_false(a.has_message);
}

static void for_answers(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a;
	struct flow *f;

	open_flows(lab, MANY);
	answer(lab, B, .psn = 335, .cack = 333);
	a = prefetch_test_ahead_of(lab);
	f = prefetch_test_found(lab, &a);
	assert_int_equal(a.psn, 335 + lab->start);
	assert_true(a.is_ack);
	assert_int_equal(a.spdcid, lab->ids[B]);
	assert_false(prefetch_test_got(f->rtt));
	f->nlate = FLOW_LATE; /* the next one empties the list */
	a = prefetch_test_ahead_of(lab);
	assert_true(prefetch_test_got(f->rtt));
	nack(lab, B, .psn = 336, .code = NACK_NO_RESOURCE);
	a = prefetch_test_ahead_of(lab);
	prefetch_test_found(lab, &a);
	assert_int_equal(a.psn, 336 + lab->start);
	assert_false(a.is_ack);
}

static void for_a_control_packet(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a;
	struct flow *f;

	open_flows(lab, MANY);
	control(lab, A, .ctl = PDS_CP_ACK_REQUEST, .psn = 333, .ar = 1);
	a = prefetch_test_ahead_of(lab);
	f = prefetch_test_found(lab, &a);
	assert_true(prefetch_test_got(&f->rare));
	lab->muted = false;
	lab_push(lab, A); /* the flow and the direction now have rare state */
	lab->muted = true;
	a = prefetch_test_ahead_of(lab);
	f = prefetch_test_found(lab, &a);
	assert_ptr_not_equal(f->hot->dir[0].rare, &dir_nothing);
	assert_true(prefetch_test_got(f->hot->dir[0].rare));
	assert_true(prefetch_test_got(f->rare));
}

/*
 * With rare state, a request needs one cache line of it, an ACK in order two,
 * and an ACK of a PSN above CACK_PSN the gaps as well.
 */
static void for_the_rare_state(void **state)
{
	struct lab *lab = *state;
	static struct dir_rare rare;
	const char *second = (const char *)&rare + FLOW_LINE;
	struct judge_prefetch a;
	struct flow *f;
	unsigned end;

	open_flows(lab, MANY);
	request(lab, A, .psn = 334, .clear = 333);
	a = prefetch_test_ahead_of(lab);
	f = prefetch_test_flow_at(lab, &end);
	f->hot->dir[0].rare = &rare;
	a = prefetch_test_ahead_of(lab);
	assert_true(prefetch_test_got(&rare));
	assert_false(prefetch_test_got(second));
	answer(lab, B, .psn = 334, .cack = 334, .type = PDS_ACK_CC);
	a = prefetch_test_ahead_of(lab);
	assert_int_equal(a.behind, 0);
	assert_true(prefetch_test_got(&rare) && prefetch_test_got(second));
	assert_false(prefetch_test_got(rare.gaps));
	answer(lab, B, .psn = 335, .cack = 333, .type = PDS_ACK_CC);
	a = prefetch_test_ahead_of(lab);
	assert_int_not_equal(a.behind, 0);
	assert_true(prefetch_test_got(rare.gaps));
	f->hot->dir[0].rare = &dir_nothing;
}

/* A ROD flow needs both directions. */
static void for_rod(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a;
	struct flow *f;

	open_flows(lab, MANY);
	request(lab, A, .psn = 334, .clear = 333);
	a = prefetch_test_ahead_of(lab);
	f = prefetch_test_found(lab, &a);
	assert_false(prefetch_test_got(&f->hot->dir[1]));
	f->rod = true;
	a = prefetch_test_ahead_of(lab);
	assert_true(prefetch_test_got(&f->hot->dir[1]));
}

static void for_a_flow_that_begins(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a;
	struct table *t;
	uint32_t last;

	open_flows(lab, MANY);
	t = &lab->j->table;
	at_flow(lab, MANY);
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	a = prefetch_test_ahead_of(lab);
	assert_true(a.hashed && a.begins);
	assert_null(a.flow);
	last = *table_chain(t, table_pair(&lab->addr[A], &lab->addr[B]));
	assert_int_not_equal(last, 0);
	assert_true(prefetch_test_got(table_place(t, a.hash)));
	assert_true(prefetch_test_got(table_chain(t, a.pair)));
	assert_true(prefetch_test_got(&t->flows[last - 1].pair_newer));
}

/*
 * The PDCID of the target needs a slot of the index; the full path needs the
 * rest of the flow.
 */
static void for_the_first_answer(void **state)
{
	struct lab *lab = *state;
	struct table_key key = {&lab->addr[B], &lab->addr[A], 0};
	struct judge_prefetch a;
	struct flow *f;

	open_flows(lab, MANY);
	at_flow(lab, MANY);
	lab->muted = false;
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	lab->muted = true;
	answer(lab, B, .psn = 333, .cack = 333);
	a = prefetch_test_ahead_of(lab);
	f = prefetch_test_found(lab, &a);
	assert_true(prefetch_test_got(&f->rare));
	assert_true(prefetch_test_got(&f->hot->dir[1]));
	key.pdcid = lab->ids[B];
	assert_true(prefetch_test_got(
		table_place(&lab->j->table, table_hash(&key))));
}

/*
 * Few flows stay in the cache without a prefetch; the hash is reported anyway.
 */
static void for_few_flows(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a;

	open_flows(lab, FEW - 1);
	request(lab, A, .psn = 334, .clear = 333);
	a = prefetch_test_ahead_of(lab);
	assert_true(a.hashed);
	assert_false(a.wanted);
	assert_null(a.flow);
	assert_int_equal(nfetched, 0);
}

/* Packets without a PDC, truncated, or of another family. */
static void for_nobody(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a;

	open_flows(lab, MANY);
	request(lab, A, .psn = 334, .clear = 333, .type = PDS_RUDI_REQ);
	a = prefetch_test_ahead_of(lab);
	assert_false(a.hashed);
	assert_int_equal(nfetched, 0);
	request(lab, A, .psn = 334, .clear = 333, .cut = pds_ack_len - 1);
	a = prefetch_test_ahead_of(lab);
	assert_false(a.hashed);
	request(lab, A, .psn = 334, .clear = 333, .cut = pds_req_len);
	a = prefetch_test_ahead_of(lab);
	assert_true(a.hashed);
	assert_false(a.has_message);
	lab->d.family = FAMILY_SRD;
	a = prefetch_test_ahead_of(lab);
	assert_false(a.hashed);
	lab->d.family = FAMILY_UET;
}

/* The cache misses of several packets overlap. */
static void for_several(void **state)
{
	struct lab *lab = *state;
	struct judge_prefetch a[3];

	open_flows(lab, MANY);
	for (unsigned i = 0; i < 3; i++) {
		at_flow(lab, 5 * i);
		request(lab, A, .psn = 334, .clear = 333);
		judge_prefetch_begin(lab->j, &a[i], &lab->d, lab->d.data,
				     lab->d.len);
	}
	nfetched = 0;
	judge_prefetch_index(a, 3);
	judge_prefetch(a, 3);
	for (unsigned i = 0; i < 3; i++) {
		at_flow(lab, 5 * i);
		prefetch_test_found(lab, &a[i]);
	}
}

/* The reported hash finds the flow, and no other flow. */
static void hash_is_used(void **state)
{
	struct lab *lab = *state;
	struct packet pkt;
	struct judge_prefetch a;
	struct judge_packet in = {.pkt = &pkt, .d = &lab->d, .ahead = &a};
	struct finding x[4];

	open_flows(lab, MANY);
	request(lab, A, .psn = 334, .clear = 333);
	a = prefetch_test_ahead_of(lab);
	in.at = lab->now;
	in.frame = 1000;
	uet_packet_parse(&pkt, lab->d.data, lab->d.len);
	assert_int_equal(judge_push(lab->j, &in, x, 4), 0);
	assert_int_equal(judge_facts(lab->j)->flow, a.flow->number);
	assert_int_equal(a.flow->hot->dir[0].high, 334 + lab->start);
	assert_int_equal(lab->j->totals.flows, MANY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH_WAYS(for_a_request),
		BOTH_WAYS(for_answers),
		BOTH_WAYS(for_a_control_packet),
		BOTH_WAYS(for_the_rare_state),
		BOTH_WAYS(for_rod),
		BOTH_WAYS(for_a_flow_that_begins),
		BOTH_WAYS(for_the_first_answer),
		BOTH_WAYS(for_few_flows),
		BOTH_WAYS(for_nobody),
		BOTH_WAYS(for_several),
		BOTH_WAYS(hash_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
