/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/graph/graph_marks.h"

#include "reports/golden_test.h"
#include "wire/dgram.h"
#include "wire/family.h"

/* The graph of a family, and a packet that is given to it. */
struct graph_marks_lab {
	struct graph g;
	uint8_t bytes[DGRAM_MAX];
	struct packet pkt;
	struct rung_facts facts;
	uint32_t frame;
	bool removed;
};

static void graph_marks_lab_open(struct graph_marks_lab *lab,
				 enum family family)
{
	*lab = (struct graph_marks_lab){
		.g.psn_mask = wire_families[family]->psn_mask};
}

/* Gives a packet with the lab's facts to the graph. */
static void graph_marks_lab_take(struct graph_marks_lab *lab,
				 enum family family, const char *type,
				 const struct field_value *set, size_t nset)
{
	const struct packet_spec spec = {
		.type = type, .set = set, .nset = nset};
	const struct graph_packet p = {.pkt = &lab->pkt,
				       .facts = &lab->facts,
				       .at = ++lab->frame * 1000,
				       .frame = lab->frame,
				       .removed = lab->removed};
	const int n = packet_build(lab->bytes, sizeof(lab->bytes), &spec, NULL);

	assert_true(n > 0);
	packet_parse(family, &lab->pkt, lab->bytes, (size_t)n);
	assert_int_equal(lab->pkt.fault, PACKET_OK);
	graph_take(&lab->g, &p);
	assert_false(lab->g.failed_alloc);
}

static void is_mark(const struct graph_marks_lab *lab, size_t i,
		    enum graph_kind kind, unsigned side, uint32_t psn,
		    uint32_t to)
{
	const struct graph_mark *m = &lab->g.marks[i];

	assert_true(i < lab->g.n);
	assert_int_equal(m->kind, kind);
	assert_int_equal(m->side, side);
	assert_int_equal(m->psn, psn);
	assert_int_equal(m->to, to);
}

static void a_request_is_sent_or_repeated(void **state)
{
	struct graph_marks_lab lab;

	(void)state;
	graph_marks_lab_open(&lab, FAMILY_UET);
	lab.facts = (struct rung_facts){
		.from = 1, .takes_psn = true, .about = true, .psn = 7};
	graph_marks_lab_take(&lab, FAMILY_UET, "rud_req", NULL, 0);
	lab.facts.frame = 1;
	lab.removed = true;
	graph_marks_lab_take(&lab, FAMILY_UET, "rud_req", NULL, 0);
	lab.removed = false;
	lab.facts.net_dup = true;
	graph_marks_lab_take(&lab, FAMILY_UET, "rud_req", NULL, 0);
	is_mark(&lab, 0, GRAPH_SENT, 1, 7, 7);
	is_mark(&lab, 1, GRAPH_REPEAT, 1, 7, 7);
	is_mark(&lab, 2, GRAPH_REMOVED, 1, 7, 7);
	is_mark(&lab, 3, GRAPH_DUPLICATE, 1, 7, 7);
	assert_int_equal(lab.g.n, 4);
	graph_free(&lab.g);
}

static void an_ack_acknowledges_the_other_side(void **state)
{
	const struct field_value set[] = {{"cack_psn", 9, false},
					  {"sack_psn", 11, false},
					  {"sack_bitmap", 0x13, false}};
	struct graph_marks_lab lab;

	(void)state;
	graph_marks_lab_open(&lab, FAMILY_UET);
	lab.facts = (struct rung_facts){.from = 1,
					.about = true,
					.psn = 15,
					.acks = true,
					.acks_from = 8,
					.acks_to = 9};
	graph_marks_lab_take(&lab, FAMILY_UET, "ack_cc", set, 3);
	is_mark(&lab, 0, GRAPH_ACK, 0, 9, 9);
	is_mark(&lab, 1, GRAPH_SACK, 0, 11, 12);
	is_mark(&lab, 2, GRAPH_SACK, 0, 15, 15);
	assert_int_equal(lab.g.n, 3);
	assert_int_equal(graph_count(&lab.g, 0, GRAPH_SACK), 3);
	assert_int_equal(graph_count(&lab.g, 1, GRAPH_SACK), 0);
	graph_free(&lab.g);
}

static void a_nack_is_about_its_psn(void **state)
{
	const struct field_value set[] = {{"nack_code", 7, false}};
	struct graph_marks_lab lab;

	(void)state;
	graph_marks_lab_open(&lab, FAMILY_UET);
	lab.facts = (struct rung_facts){.from = 1, .about = true, .psn = 20};
	graph_marks_lab_take(&lab, FAMILY_UET, "nack", set, 1);
	is_mark(&lab, 0, GRAPH_NACK, 0, 20, 20);
	/* of another PDC */
	lab.facts.foreign = true;
	graph_marks_lab_take(&lab, FAMILY_UET, "nack", set, 1);
	assert_int_equal(lab.g.n, 1);
	graph_free(&lab.g);
}

/* Bit 63 of SRD's bitmap is CACK + 1; its PSNs have 24 bits. */
static void srd_counts_from_the_other_end(void **state)
{
	const struct field_value set[] = {
		{"cack", 0xfffffe, false},
		{"sack_bitmap", 0x7000000000000000, false}};
	struct graph_marks_lab lab;

	(void)state;
	graph_marks_lab_open(&lab, FAMILY_SRD);
	lab.facts = (struct rung_facts){.from = 1, .about = true, .psn = 2};
	graph_marks_lab_take(&lab, FAMILY_SRD, "srd_ack", set, 2);
	is_mark(&lab, 0, GRAPH_SACK, 0, 0, 2);
	assert_int_equal(lab.g.n, 1);
	assert_int_equal(graph_count(&lab.g, 0, GRAPH_SACK), 3);
	graph_free(&lab.g);
}

static void a_finding_stands_at_its_packet(void **state)
{
	struct graph_marks_lab lab;

	(void)state;
	graph_marks_lab_open(&lab, FAMILY_UET);
	graph_find(&lab.g, 1);
	assert_int_equal(lab.g.n, 0);
	for (uint32_t i = 0; i < 3; i++) {
		lab.facts = (struct rung_facts){
			.takes_psn = true, .about = true, .psn = 40 + i};
		graph_marks_lab_take(&lab, FAMILY_UET, "rud_req", NULL, 0);
	}
	graph_find(&lab.g, 3);
	graph_find(&lab.g, 2);
	graph_find(&lab.g, 4); /* it left no mark */
	assert_int_equal(lab.g.n, 5);
	is_mark(&lab, 3, GRAPH_FINDING, 0, 42, 42);
	is_mark(&lab, 4, GRAPH_FINDING, 0, 41, 41);
	graph_free(&lab.g);
}

static void the_last_marks_are_counted(void **state)
{
	struct graph_marks_lab lab;

	(void)state;
	graph_marks_lab_open(&lab, FAMILY_UET);
	lab.facts = (struct rung_facts){.takes_psn = true, .about = true};
	for (uint32_t i = 0; i < GRAPH_MARKS + 3; i++)
		graph_marks_lab_take(&lab, FAMILY_UET, "rud_req", NULL, 0);
	assert_int_equal(lab.g.n, GRAPH_MARKS);
	assert_int_equal(lab.g.left_out, 3);
	graph_free(&lab.g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_sent_or_repeated),
		cmocka_unit_test(an_ack_acknowledges_the_other_side),
		cmocka_unit_test(a_nack_is_about_its_psn),
		cmocka_unit_test(srd_counts_from_the_other_end),
		cmocka_unit_test(a_finding_stands_at_its_packet),
		cmocka_unit_test(the_last_marks_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
