/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules, from their text to the packets that leave the chain in each direction.
 *
 * The main test draws 1,000 sets of rules and traffic in both directions, and
 * compares the chain's output with a model that shares no code with it
 * (suite/craft/rules_model_test.h).
 */
#include "suite/craft/rules_model_test.h"

/* ---- Both ends ---- */

/* Compares the packets that leave now with the model's, in order. */
static void rules_test_leave(struct imp *imp, struct model *m, vtime now)
{
	static struct imp_out out;

	while (imp_poll(imp, now, &out)) {
		const struct item *want;

		if (out.fate == IMP_DROPPED)
			continue;
		want = model_poll(m, now);
		assert_non_null(want);
		assert_int_equal(out.dir == IMP_TO_DUT, want->to_dut);
		same_dgram(&out.d, &want->d);
	}
	assert_null(model_poll(m, now));
}

static void rules_test_run_set(struct model *m, struct rng *rng, uint32_t *hits)
{
	struct model_rule model[RULES];
	const size_t n = 1 + rng_below(rng, RULES);
	struct decl *decl = NULL;
	struct imp *imp = NULL;
	struct rules *rules;
	static struct sent p;
	vtime now = 0;

	m->n = 0;
	for (size_t i = 0; i < n; i++)
		draw_rule(&model[i], rng);
	rules = parse_twice(model, n);
	assert_int_equal(imp_new(&imp), 0);
	assert_int_equal(
		rules_load(rules, rules_model_test_declare(&decl), imp), 0);
	for (size_t i = 0; i < PACKETS; i++) {
		draw_packet(&p, rng);
		rules_test_leave(imp, m, now);
		assert_int_equal(imp_push(imp,
					  p.to_dut ? IMP_TO_DUT : IMP_FROM_DUT,
					  &p.d, now, 0, false),
				 0);
		model_push(m, model, n, &p, now);
		rules_test_leave(imp, m, now);
		now += (vtime)rng_below(rng, 4) * VSPAN_MS;
	}
	rules_test_leave(imp, m, now + 10 * VSPAN_S);
	assert_int_equal(imp_deadline(imp), VTIME_NEVER);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(imp_hits(imp, (unsigned)i + 1), model[i].hits);
		hits[model[i].kind] += model[i].hits;
	}
	imp_free(imp);
	rules_free(rules);
	decl_free(decl);
}

static void a_thousand_sets_do_what_they_say(void **state)
{
	struct model m = {.items = malloc(FLIGHT * sizeof(*m.items))};
	struct rng rng = {1};
	uint32_t hits[KINDS] = {0};

	(void)state;
	assert_non_null(m.items);
	for (size_t i = 0; i < SETS; i++)
		rules_test_run_set(&m, &rng, hits);
	for (size_t k = 0; k < KINDS; k++)
		assert_true(hits[k] > 100);
	free(m.items);
}

/* ---- Mistakes ---- */

static void rules_test_mistakes_have_their_place(void **state)
{
	static const struct {
		const char *text;
		unsigned line, col;
		const char *why;
	} bad[] = {
		{"drop > ack\ndorp > ack\n", 2, 1, "did you mean 'drop'"},
		{"> rud_req psn=1", 1, 1, "only impairments"},
		{"use open", 1, 1, "only impairments"},
		{"any {\n< ack\n}", 1, 1, "only impairments"},
		{"drop > rud_req psn=$p", 1, 20, "no symbols"},
		{"drop > rud_req pdc=b", 1, 1, "no names for PDCs"},
		{"hold > ack until < rud_req | same", 1, 1, "'same'"},
		{"drop > rud_req pns=1", 1, 16, "did you mean 'psn'"},
		{"drop > ack nth=0", 1, 16, "expected nth"},
		{"drop > ack nth=3..3", 1, 16, "expected nth"},
		{"drop > ack nth=3.4", 1, 17, "behind the dots"},
		{"drop > ack nth=3..", 1, 17, "behind the dots"},
		{"drop > ack every=1", 1, 18, "expected every"},
		{"drop > ack nth=1 every=2", 1, 25, "exclude each other"},
		{"drop > ack nth=1 nth=2", 1, 18, "'nth' is given twice"},
		{"drop > ack src=10.0.0", 1, 16, "an IP address"},
		{"drop > ack dscp=64", 1, 17, "0 to 63"},
		{"drop > ack ecn=maybe", 1, 16, "not_ect"},
		{"drop > ack crc wrong", 1, 12, "no meaning"},
		{"corrupt > ack", 1, 9, "expected field=value"},
		{"corrupt bits=4..3 > ack", 1, 14, "bits to flip"},
		{"corrupt bits=1.3 > ack", 1, 14, "bits to flip"},
		{"corrupt bits=0..64 > ack", 1, 14, "bits to flip"},
		{"rewrite > ack", 1, 9, "expected field=value to rewrite"},
		{"rewrite psn > rud_req", 1, 9, "expected field=value"},
		{"rewrite nth=3 > rud_req", 1, 9, "expected field=value"},
		{"rewrite psn=1 > any", 1, 9, "name the packet"},
		{"rewrite udp_checksum=0 > ack", 1, 9, "1 to 65535"},
		{"rewrite padding=256 > ack", 1, 9, "1 to 255"},
		{"rewrite ext=routing > ack", 1, 13, "dest_options"},
		{"drop > ack padding=4", 1, 12, "padding"},
		{"inject < nack > rud_req", 1, 15, "no field '>'"},
		{"inject < nack on rud_req", 1, 18, "expected '>' or '<'"},
		{"inject < ack cack_psn=1..2 on > any", 1, 23, "one value"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag d = {0};
		struct rules *r = NULL;

		assert_int_equal(rules_parse(&r, "x.rules", bad[i].text,
					     strlen(bad[i].text), &d),
				 ERR_SYNTAX);
		if (d.line != bad[i].line || d.col != bad[i].col ||
		    !strstr(d.text, bad[i].why))
			fail_msg("'%s': %u:%u: %s", bad[i].text, d.line, d.col,
				 d.text);
	}
}

static void a_field_that_is_not_there_is_left_alone(void **state)
{
	struct rules *rules =
		rules_model_test_parse("corrupt message_id=9 > rud_req | std\n"
				       "inject < ack | response on < ack\n");
	static struct sent p = {.type = REQ, .to_dut = true, .psn = 3};
	static struct imp_out out;
	struct decl *decl = NULL;
	struct imp *imp = NULL;
	struct rng rng = {3};

	(void)state;
	assert_int_equal(imp_new(&imp), 0);
	assert_int_equal(
		rules_load(rules, rules_model_test_declare(&decl), imp), 0);
	make_packet(&p, &rng);
	p.d.len = 12; /* a packet of the PDS header alone does not exist */
	assert_int_equal(imp_push(imp, IMP_TO_DUT, &p.d, 0, 0, false), 0);
	assert_true(imp_poll(imp, 0, &out));
	assert_int_equal(out.fate, IMP_PASSED);
	same_dgram(&out.d, &p.d);
	imp_free(imp);
	rules_free(rules);
	decl_free(decl);
}

/* "ACK/NACK/RUDI_RESP: echo of the retx bit of the packet answered" */
static void an_injected_answer_echoes_retx(void **state)
{
	const uint64_t sent[] = {0, 1};

	(void)state;
	for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		const struct field_value set = {"retx", sent[i], false};
		const struct packet_spec spec = {
			.type = "rud_req", .set = &set, .nset = 1};
		struct rules *rules = rules_model_test_parse(
			"inject < nack no_pkt_buffer on > rud_req");
		struct dgram d = {.src = ip_addr_v4(1), .dst = ip_addr_v4(2)};
		static struct imp_out out;
		struct decl *decl = NULL;
		struct imp *imp = NULL;
		struct packet pkt;
		uint64_t retx;

		d.len = (size_t)packet_build(d.data, DGRAM_MAX, &spec, NULL);
		assert_int_equal(imp_new(&imp), 0);
		assert_int_equal(
			rules_load(rules, rules_model_test_declare(&decl), imp),
			0);
		assert_int_equal(imp_push(imp, IMP_TO_DUT, &d, 0, 0, false), 0);
		do
			assert_true(imp_poll(imp, 0, &out));
		while (out.dir == IMP_TO_DUT);
		packet_parse(FAMILY_UET, &pkt, out.d.data, out.d.len);
		assert_string_equal(packet_word(&pkt), "nack");
		assert_true(packet_value(&pkt, "retx", &retx));
		assert_int_equal(retx, sent[i]);
		imp_free(imp);
		rules_free(rules);
		decl_free(decl);
	}
}

/* A delay that spans a timer of the device exceeds the timer's tolerance. */
static void delays_outlast_the_device(void **state)
{
	static const struct {
		const char *text;
		vspan delay;
	} rules[] = {
		{"delay 2 rto < rud_req psn=1", 13},
		{"delay 2 rto > ack_cc", 13},
		{"delay 2 rto > nack", 13},
		{"delay 2 rto > rudi_resp", 13},
		{"delay 2 rto > wqe_rtx_ind", 13},
		{"delay 2 rto > rud_req psn=1", 10},
		{"delay 10ms < rud_req psn=1", 10},
	};
	struct decl *decl = NULL;

	(void)state;
	rules_model_test_declare(&decl);
	decl->rto = (struct decl_time){5 * VSPAN_MS, 3 * VSPAN_MS};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct rules *r = rules_model_test_parse(rules[i].text);
		struct imp *imp = NULL;
		uint32_t hits;

		assert_int_equal(imp_new(&imp), 0);
		assert_int_equal(rules_load(r, decl, imp), 0);
		assert_int_equal(imp_rule_at(imp, 0, &hits)->delay,
				 rules[i].delay * VSPAN_MS);
		imp_free(imp);
		rules_free(r);
	}
	decl_free(decl);
}

/* A case may wait for answers or a time-out while a packet is held. */
static void a_hold_outlasts_answers(void **state)
{
	struct rules *r =
		rules_model_test_parse("hold > rud_req until < ack ack_psn=1");
	struct decl *decl = NULL;
	struct imp *imp = NULL;
	uint32_t hits;

	(void)state;
	rules_model_test_declare(&decl);
	decl->ack_time = (struct decl_time){2 * VSPAN_S, VSPAN_S};
	assert_int_equal(imp_new(&imp), 0);
	assert_int_equal(rules_load(r, decl, imp), 0);
	assert_int_equal(imp_rule_at(imp, 0, &hits)->hold_max, 12 * VSPAN_S);
	imp_free(imp);
	decl->rto = (struct decl_time){20 * VSPAN_S, 2 * VSPAN_S};
	assert_int_equal(imp_new(&imp), 0);
	assert_int_equal(rules_load(r, decl, imp), 0);
	assert_int_equal(imp_rule_at(imp, 0, &hits)->hold_max, 22 * VSPAN_S);
	imp_free(imp);
	rules_free(r);
	decl_free(decl);
}

static void an_empty_file_has_no_rules(void **state)
{
	struct rules *r = rules_model_test_parse("# nothing\n\n");

	(void)state;
	assert_int_equal(rules_count(r), 0);
	rules_free(r);
	rules_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_sets_do_what_they_say),
		cmocka_unit_test(rules_test_mistakes_have_their_place),
		cmocka_unit_test(a_field_that_is_not_there_is_left_alone),
		cmocka_unit_test(an_injected_answer_echoes_retx),
		cmocka_unit_test(delays_outlast_the_device),
		cmocka_unit_test(a_hold_outlasts_answers),
		cmocka_unit_test(an_empty_file_has_no_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
