/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/graph/graph_svg.h"

#include "reports/golden_test.h"

static const struct graph_names names = {.title = "a <b>.pcap",
					 .side = {"10.0.0.1", "10.0.0.2"}};

static size_t graph_svg_count(const struct text *t, const char *what)
{
	const char *s = text_cstr(t);
	size_t n = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		n++;
	return n;
}

/* PSNs of 24 bits that wrap; each kind of mark; a side that sent nothing. */
static void a_graph_looks_so(void **state)
{
	struct graph_mark marks[] = {
		{1000000, 1, 0xfffffe, 0xfffffe, 0, GRAPH_SENT},
		{1100000, 2, 0xffffff, 0xffffff, 0, GRAPH_SENT},
		{1100000, 2, 0xffffff, 0xffffff, 0, GRAPH_REMOVED},
		{1200000, 3, 0, 0, 0, GRAPH_SENT},
		{1300000, 4, 1, 1, 0, GRAPH_SENT},
		{1400000, 5, 0xfffffe, 0xfffffe, 0, GRAPH_ACK},
		{1400000, 5, 0, 1, 0, GRAPH_SACK},
		{1400000, 5, 0xffffff, 0xffffff, 0, GRAPH_NACK},
		{1500000, 6, 0xffffff, 0xffffff, 0, GRAPH_REPEAT},
		{1600000, 7, 0xffffff, 0xffffff, 0, GRAPH_DUPLICATE},
		{1700000, 8, 1, 1, 0, GRAPH_ACK},
		{1700000, 8, 9, 9, 0, GRAPH_ACK}, /* beyond what was sent */
		{1600000, 7, 0xffffff, 0xffffff, 0, GRAPH_FINDING},
		{1700000, 9, 5, 5, 1, GRAPH_ACK},
	};
	const struct graph g = {.marks = marks,
				.n = sizeof(marks) / sizeof(marks[0]),
				.psn_mask = 0xffffff,
				.left_out = 2};
	struct text t = {0};

	(void)state;
	graph_svg(&t, &g, &names);
	assert_int_equal(text_err(&t), 0);
	golden_check(&t, "reports/golden/graph.svg");
	text_free(&t);
}

static void without_a_psn_it_says_so(void **state)
{
	const struct graph g = {.psn_mask = UINT32_MAX};
	struct text t = {0};

	(void)state;
	graph_svg(&t, &g, &names);
	assert_int_equal(graph_svg_count(&t, "no packet of this flow"), 1);
	text_free(&t);
}

enum { MANY = 50000 };

/* A large graph has one path for each kind, and no mark upon the other. */
static void a_large_one_is_small(void **state)
{
	struct graph_mark *marks = calloc(MANY, sizeof(*marks));
	const struct graph g = {
		.marks = marks, .n = MANY, .psn_mask = UINT32_MAX};
	struct text t = {0};

	(void)state;
	assert_non_null(marks);
	for (uint32_t i = 0; i < MANY; i++)
		marks[i] = (struct graph_mark){.at = i * 1000,
					       .frame = i + 1,
					       .psn = i / 2,
					       .to = i / 2,
					       .side = i & 1};
	graph_svg(&t, &g, &names);
	assert_int_equal(graph_svg_count(&t, "<title>"), 0);
	assert_true(t.len < 100000);
	text_free(&t);
	free(marks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_graph_looks_so),
		cmocka_unit_test(without_a_psn_it_says_so),
		cmocka_unit_test(a_large_one_is_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
