/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/toy/toy_test.c -- the transport of toy_families.c is built, parsed,
 * printed and judged by the functions that serve all transports, and a case of
 * it runs against its reference endpoint in virtual time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "judge/judge.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_parse.h"
#include "suite/dut/dut_virtual.h"
#include "suite/lang/case.h"
#include "suite/lang/case_parse.h"
#include "suite/run/run.h"
#include "suite/verdict/record.h"
#include "tests/toy/toy.h"
#include "wire/packet.h"

static size_t push_toy(struct judge *j, const char *type, uint32_t psn,
		       const char *want, struct finding *ret)
{
	const struct field_value set = {.name = "psn", .value = psn};
	const struct packet_spec spec = {.type = type, .set = &set, .nset = 1};
	struct dgram d = {.len = 0};
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt, .d = &d, .frame = psn};
	struct text t = {0};
	enum family family;

	assert_int_equal(family_find("toy", 3, &family), 0);
	d.family = (uint8_t)family;
	d.len = (size_t)packet_build(d.data, DGRAM_MAX, &spec, NULL);
	packet_parse(family, &pkt, d.data, d.len);
	packet_print(&t, &pkt, PACKET_FULL, NULL);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
	return judge_push(j, &in, ret, 1);
}

static void is_built_printed_and_judged(void **unused)
{
	struct judge_conf conf = {0};
	struct finding f = {0};
	struct judge *j;

	(void)unused;
	assert_int_equal(judge_new(&j, &conf, 4), 0);
	assert_int_equal(push_toy(j, "toy_req", 7, "toy_req psn=7", &f), 0);
	assert_int_equal(push_toy(j, "toy_answer", 7, "toy_answer psn=7", &f),
			 0);
	assert_int_equal(push_toy(j, "toy_answer", 8, "toy_answer psn=8", &f),
			 1);
	assert_int_equal(f.req, REQ_I5);
	judge_free(j);
}

static const char toy_case[] = "title    Each request is answered\n"
			       "family   toy\n"
			       "covers   I5\n"
			       "chair target\n"
			       "  >  toy_req psn=$p\n"
			       "  <  toy_answer psn=$p [I5]\n"
			       "  >  toy_req\n"
			       "  <  toy_answer psn=$p+1 [I5]\n";

static const char toy_decl[] = "name toy\nclaims toy\n";

/* Runs the case against a reference that adds |error| to each PSN. */
static void run_toy(struct record *ret, uint32_t error)
{
	const struct case_source source = {.id = "toy/answered",
					   .path = "answered.lad",
					   .text = toy_case,
					   .len = strlen(toy_case)};
	const struct run_conf conf = {.seed = 7};
	struct orc_conf orc;
	struct test_case *c;
	struct decl *decl = NULL;
	struct dut *dut;
	struct runner *r;
	struct diag diag = {0};

	orc_conf_default(&orc);
	orc.addr = ip_addr_v4(0x7f000002);
	assert_int_equal(family_find("toy", 3, &orc.family), 0);
	toy_error = error;
	if (case_parse(&c, &source, NULL, NULL, &diag) ||
	    decl_parse(&decl, "toy.decl", toy_decl, strlen(toy_decl), &diag))
		fail_msg("%s", diag.text);
	assert_int_equal(dut_virtual_new(&dut, &orc_reference, &orc,
					 ip_addr_v4(0x7f000001), VSPAN_US),
			 0);
	assert_int_equal(runner_new(&r, dut, decl), 0);
	memset(ret, 0, sizeof(*ret));
	assert_int_equal(run_case(r, c, CHAIR_TARGET, &conf, ret), 0);
	runner_free(r);
	dut->ops->free(dut);
	decl_free(decl);
	case_free(c);
}

static void case_passes_on_the_reference(void **unused)
{
	struct record rec;

	(void)unused;
	run_toy(&rec, 0);
	assert_string_equal(rec.reason, "");
	assert_int_equal(rec.verdict, VERDICT_PASS);
	assert_int_equal(rec.nfindings, 0);
	record_free(&rec);
}

static void case_fails_on_a_wrong_reference(void **unused)
{
	struct record rec;

	(void)unused;
	run_toy(&rec, 1);
	assert_int_equal(rec.verdict, VERDICT_FAIL);
	assert_true(rec.nfindings > 0);
	assert_int_equal(rec.findings[0].req, REQ_I5);
	record_free(&rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_built_printed_and_judged),
		cmocka_unit_test(case_passes_on_the_reference),
		cmocka_unit_test(case_fails_on_a_wrong_reference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
