/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The printer of cases: every case of the tree, and random rungs, print to text
 * that parses to an equal case; lines print canonically.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "suite/lang/case_print.h"
#include "suite/lang/case_same.h"
#include "suite/lang/case_section.h"
#include "suite/lang/library_test.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

static void check_section(const char *section, const char *path,
			  const char *text, size_t len)
{
	struct library lib = {.root = "cases"};
	struct test_case *c =
		case_test_parse_section(section, path, text, len, &lib);

	assert_string_equal(c->text, text);
	case_test_check_same(c, &lib);
	case_free(c);
	library_free(&lib);
}

static void check_file(const char *path, void *ctx)
{
	struct case_sections sections;
	unsigned *n = ctx;
	size_t len;
	char *text;

	if (strstr(path, "/common/"))
		return;
	text = slurp(path, &len);
	assert_non_null(text);
	check_section(NULL, path, text, len);
	case_sections(&sections, text, len);
	for (size_t i = 0; i < sections.n; i++)
		check_section(sections.names[i], path, text, len);
	free(text);
	++*n;
}

static void every_case_of_the_tree_prints_back_to_itself(void **state)
{
	unsigned n = 0;

	(void)state;
	each_case("cases", 4, check_file, &n);
	assert_true(n >= 24);
}

static const struct header *const all[] = {
	&pds_req_header,
	&pds_req_syn_header,
	&pds_req_cc_header,
	&pds_ack_header,
	&pds_ack_cc_header,
	&pds_nscc_header,
	&pds_ack_ccx_header,
	&pds_nack_header,
	&pds_cp_header,
	&cp_clear_header,
	&cp_credit_header,
	&rudi_req_header,
	&ses_std_som_header,
	&ses_std_header,
	&ses_small_header,
	&ses_medium_hd_header,
	&ses_response_header,
	&ses_response_data_header,
	&ses_response_data_small_header,
};

#define ALL (sizeof(all) / sizeof(all[0]))

static const char *const types[] = {
	"rud_req", "rod_req",  "ack",       "ack_cc",  "ack_ccx",   "nack",
	"cp",      "rudi_req", "rudi_resp", "uud_req", "rud_cc_req"};

static const char *const ses[] = {"std",           "small",
				  "medium",        "response",
				  "response_data", "response_data_small"};

static uint64_t random_value(struct rng *r, const struct field *f)
{
	const uint64_t max =
		f->width == 64 ? UINT64_MAX : ((uint64_t)1 << f->width) - 1;

	if (rng_below(r, 4))
		return rng_next(r) & max;
	return rng_below(r, 2) * max;
}

static void random_number(struct text *t, struct rng *r, const struct field *f)
{
	const uint64_t v = random_value(r, f);
	const char *name = f->names ? value_find(f->names, v) : NULL;

	if (!rng_below(r, 6))
		text_printf(t, "$sym%u%s", (unsigned)rng_below(r, 3),
			    rng_below(r, 2) ? "" : "+7");
	else if (name && rng_below(r, 2))
		text_puts(t, name);
	else if (f->kind == FIELD_SINT)
		text_printf(t, "%d", (int)(int16_t)v);
	else
		text_printf(t, rng_below(r, 2) ? "%llu" : "0x%llx",
			    (unsigned long long)v);
}

static void random_term(struct text *t, struct rng *r, const struct field *f,
			bool expect)
{
	static const char *const ops[] = {"=", "!=", ">=", "<="};
	const unsigned op = expect ? rng_below(r, 4) : 0;

	text_printf(t, " %s", f->name);
	if (f->kind == FIELD_FLAG && rng_below(r, 2))
		return;
	if (expect && !rng_below(r, 8)) {
		text_puts(t, "=*");
		return;
	}
	text_puts(t, ops[op]);
	if (f->kind == FIELD_SEQ && rng_below(r, 2))
		text_puts(t, "=");
	random_number(t, r, f);
	while (expect && op < 2 && !rng_below(r, 3)) {
		text_puts(t, "|");
		random_number(t, r, f);
	}
}

/* Appends up to |n| random terms; a sent rung has no field twice. */
static void random_terms(struct text *t, struct rng *r, const char *type,
			 const char *ses_word, bool expect)
{
	const char *used[8] = {0};
	unsigned n = rng_below(r, 6);

	for (unsigned i = 0; i < 200 && n; i++) {
		const struct header *h = all[rng_below(r, ALL)];
		const char *name =
			h->fields[rng_below(r, (uint32_t)h->nfields)].name;
		const struct field *f = NULL;
		bool again = false;

		for (unsigned j = 0; j < 8; j++)
			again |= used[j] && !strcmp(used[j], name);
		/* not a field of the atomic extension that has the same name */
		again |= ses_word != NULL &&
			 header_field(&ses_atomic_header, name, strlen(name));
		if (again ||
		    !packet_layout_has(type, ses_word, ses_word != NULL, name,
				       strlen(name), &f))
			continue;
		used[--n] = name;
		random_term(t, r,
			    f ? f
			      : &(struct field){.name = name,
						.kind = FIELD_SEQ,
						.width = 32},
			    expect);
	}
}

static void random_rung(struct text *t, struct rng *r, bool expect)
{
	const char *type = types[rng_below(r, sizeof(types) / sizeof(*types))];

	text_puts(t, type);
	random_terms(t, r, type, NULL, expect);
	if (rng_below(r, 3)) {
		const char *s = ses[rng_below(r, 6)];

		text_printf(t, " | %s", s);
		random_terms(t, r, type, s, expect);
		if (s == ses[0] && !rng_below(r, 4))
			text_puts(t, " | atomic amo_opcode=sum datatype=5");
	}
	switch (rng_below(r, 4)) {
	case 0:
		text_printf(t, " | data %u", (unsigned)rng_below(r, 2000));
		break;
	case 1:
		text_puts(t, " | bytes 00 ff 1A");
		break;
	default:
		break;
	}
}

static void case_test_check_rung(const char *s, bool expect)
{
	struct arena arena = {0};
	struct diag d = {0};
	struct text t = {0}, again = {0};
	struct rung a = {0}, b = {0};

	if (rung_parse(&arena, &a, s, expect, &d))
		fail_msg("%s: %s", s, d.text);
	rung_print(&t, &a);
	if (rung_parse(&arena, &b, text_cstr(&t), expect, &d))
		fail_msg("%s: printed as %s: %s", s, text_cstr(&t), d.text);
	if (!rung_same(&a, &b))
		fail_msg("%s: printed as %s", s, text_cstr(&t));
	rung_print(&again, &b);
	assert_string_equal(text_cstr(&t), text_cstr(&again));
	text_free(&t);
	text_free(&again);
	arena_free(&arena);
}

static void random_rungs_print_back_to_themselves(void **state)
{
	struct rng r = {20261121};
	struct text t = {0};

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		text_clear(&t);
		random_rung(&t, &r, i & 1);
		case_test_check_rung(text_cstr(&t), i & 1);
	}
	text_free(&t);
}

/* Parses a line of a chair and compares its canonical form. */
static void case_test_check_line(const char *line, const char *want)
{
	struct arena arena = {0};
	struct diag d = {0};
	struct text t = {0};
	const struct step *s = NULL;

	if (step_parse(&arena, &s, line, CHAIR_TARGET, &d))
		fail_msg("%s: %u: %s", line, d.col, d.text);
	for (; s; s = s->next)
		step_print(&t, s);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
	arena_free(&arena);
}

static void lines_print_canonically(void **state)
{
	(void)state;
	case_test_check_line(
		">  rud_req psn=0x10 ar=1   | std opcode=send | data 4 lost",
		"> rud_req psn=16 ar | std send | data 4 lost\n");
	case_test_check_line("> cp ctl_type=5 psn==0xffffffff # comment",
			     "> cp close_request psn==4294967295\n");
}

static void steps_print_canonically(void **state)
{
	(void)state;
	case_test_check_line(
		"< ack ack_psn=5 x 2..3 within 2ms optional [RUD-SEQ-76]",
		"< ack ack_psn=5 within 2ms optional x 2..3 "
		"[RUD-SEQ-76/dst]\n");
	case_test_check_line("< ack optional", "< ack optional\n");
	case_test_check_line("< srd_send_only | data 6 of 4 at 1mtu optional",
			     "< srd_send_only | data 6 of 4 at mtu optional\n");
	case_test_check_line("< srd_send_only | data 6 of 4 optional",
			     "< srd_send_only | data 6 of 4 at 0 optional\n");
	case_test_check_line("post expose key=$memory_key len=$mtu+8",
			     "post expose key=$memory_key len=$mtu+8\n");
	case_test_check_line("post expose offset=$memory_offset+2mtu",
			     "post expose offset=$memory_offset+2mtu\n");
	case_test_check_line("post expose offset=$memory_offset+mtu-8",
			     "post expose offset=$memory_offset+mtu-8\n");
	case_test_check_line("< acked 333 [RUD-SEQ-77/src]",
			     "< acked 333..333 [RUD-SEQ-77/src]\n");
	case_test_check_line("never < any for rto [MODE-RUD-3]",
			     "never < any for rto [MODE-RUD-3]\n");
	case_test_check_line("drop < ack ack_psn!=3..4|9 nth=2",
			     "drop < ack ack_psn!=3..4|9 nth=2\n");
	case_test_check_line("hold > any nth=1 until < nack",
			     "hold > any nth=1 until < nack\n");
	case_test_check_line("delay 2 rto < any nth=1 until < nack",
			     "delay 2 rto < any nth=1 until < nack\n");
	case_test_check_line("corrupt rsvd_9 > rud_req",
			     "corrupt rsvd_9 > rud_req\n");
	case_test_check_line("corrupt job_id=16 > rud_req | std",
			     "corrupt job_id=0x10 > rud_req | std\n");
	case_test_check_line("corrupt retx=1 > rud_req",
			     "corrupt retx=1 > rud_req\n");
	case_test_check_line("corrupt bits=3..3 > any crc wrong",
			     "corrupt bits=3 > any crc wrong\n");
	case_test_check_line(
		"rewrite ecn=3 psn=$p+1 src=::1 > rud_req nth=2..4",
		"rewrite psn=$p+1 src=::1 ecn=ce > rud_req nth=2..4\n");
	case_test_check_line("mark_ce > any ecn=1 dscp=46 every=7",
			     "mark_ce > any every=7 dscp=46 ecn=ect1\n");
	case_test_check_line(
		"inject > cp noop on < ack dst=10.0.0.2 entropy=7 nth=1",
		"inject > cp noop on < ack nth=1 dst=10.0.0.2 "
		"entropy=7\n");
	case_test_check_line("hold > any dscp=1 nth=1 until < nack",
			     "hold > any nth=1 dscp=1 until < nack\n");
	case_test_check_line("duplicate > rud_req psn=1",
			     "duplicate 1 > rud_req psn=1\n");
	case_test_check_line("post send mode=rudi len=8 refusable",
			     "post send mode=rudi len=8 refusable\n");
	case_test_check_line("post reset", "post reset\n");
	case_test_check_line("delivered pkt_id=0x10 once [MODE-RUDI-1]",
			     "delivered pkt_id=16 once [MODE-RUDI-1]\n");
	case_test_check_line(
		"respond return_code=no_match delay=0.5ms times=2",
		"respond with return_code=no_match delay=500us times=2\n");
	case_test_check_line(
		"delivered message_id=1 once, psn==2 x 1..3,none [MODE-RUD-1]",
		"delivered message_id=1 once [MODE-RUD-1]\n"
		"delivered psn==2 x 1..3 [MODE-RUD-1]\n"
		"delivered none [MODE-RUD-1]\n");
	case_test_check_line("let $x = $p-0x10", "let $x = $p-16\n");
	case_test_check_line("base ret=48 fwd=333", "base fwd=333 ret=48\n");
	case_test_check_line(
		"post ses_pds_tx_req som=1 eom=1 | std send som | data 9",
		"post ses_pds_tx_req som=1 eom=1 | std send som | data 9\n");
	case_test_check_line("post ses_pds_tx_rsp psn=3",
			     "post ses_pds_tx_rsp psn=3\n");
	case_test_check_line("post send_cp cp=noop", "post send_cp cp=noop\n");
	case_test_check_line("paused once [PDS-IF-9]",
			     "paused once [PDS-IF-9/dst]\n");
	case_test_check_line("resumed rudi=1 [PDS-IF-9]",
			     "resumed rudi=1 [PDS-IF-9/dst]\n");
	case_test_check_line("eager eager_id=3 once [PDS-IF-8]",
			     "eager eager_id=3 once [PDS-IF-8]\n");
	case_test_check_line("base pdc=b fwd=5", "base pdc=b fwd=5\n");
	case_test_check_line(
		"> rud_req syn pdc=b2 psn=5 | std send | data 1",
		"> rud_req pdc=b2 syn psn=5 | std send | data 1\n");
	case_test_check_line("never < ack pdc=b for rto [MODE-RUD-1]",
			     "never < ack pdc=b for rto [MODE-RUD-1]\n");
	case_test_check_line("delivered pdc=b psn=5 once [MODE-RUD-1]",
			     "delivered pdc=b psn=5 once [MODE-RUD-1]\n");
	case_test_check_line("> raw 11 8f", "> raw 11 8f\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_case_of_the_tree_prints_back_to_itself),
		cmocka_unit_test(random_rungs_print_back_to_themselves),
		cmocka_unit_test(lines_print_canonically),
		cmocka_unit_test(steps_print_canonically),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
