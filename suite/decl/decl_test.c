/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/decl/decl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "oracle/oracle.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_parse.h"
#include "suite/decl/decl_print.h"
#include "suite/decl/decl_row.h"
#include "suite/decl/decl_setting.h"
#include "suite/decl/deviation.h"
#include "suite/decl/profile.h"

static struct decl *decl_test_parse_ok(const char *text)
{
	struct diag diag = {0};
	struct decl *d = NULL;

	if (decl_parse(&d, "test.decl", text, strlen(text), &diag)) {
		char buf[1024];

		diag_format(&diag, buf, sizeof(buf));
		fail_msg("%s", buf);
	}
	return d;
}

static void the_reference_declares_what_the_oracle_does(void **state)
{
	struct decl *d = decl_test_parse_ok(decl_reference);

	(void)state;
	assert_string_equal(d->name, "rung reference endpoint");
	assert_true(decl_claims(d, "rud"));
	assert_true(decl_claims(d, "response.gtd"));
	assert_false(decl_claims(d, "tss"));
	assert_int_equal(d->rto.value, 5 * VSPAN_MS);
	assert_int_equal(d->rto.tolerance, 2 * VSPAN_MS);
	assert_int_equal(d->job_id, 1);
	assert_int_equal(d->memory_key, 0x1000);
	assert_int_equal(d->mp_range, 1024);
	decl_free(d);
}

static void settings_are_said_by_lines(void **state)
{
	struct decl *d = decl_test_parse_ok("name x\nclaims rud ack_cc\n"
					    "setting max_bitmaps=1\n"
					    "setting close_req_time=20ms "
					    "ack_per_pkt=0\n"
					    "limit max_rto_retx 2\n"
					    "size mp_range 256\n"
					    "size wqe_ooo 9\n"
					    "timer nack_time 7ms\n");
	struct text t = {0};
	struct decl *again;
	uint64_t v = 9;

	(void)state;
	assert_true(decl_setting_find(d, SETTING_close_req_time, &v));
	assert_int_equal(v, 20 * VSPAN_MS);
	assert_true(decl_setting_find(d, SETTING_ack_per_pkt, &v));
	assert_int_equal(v, 0);
	assert_true(decl_setting_find(d, SETTING_max_rto_retx, &v));
	assert_int_equal(v, 2);
	assert_true(decl_setting_find(d, SETTING_nack_retx_time, &v));
	assert_int_equal(v, 7 * VSPAN_MS);
	assert_true(decl_setting_find(d, SETTING_default_mpr, &v));
	assert_int_equal(v, 2);
	assert_true(decl_setting_find(d, SETTING_ack_type, &v));
	assert_int_equal(v, ORC_ACK_CC);
	assert_false(decl_setting_find(d, SETTING_max_pdcs, &v));
	/* the default of a size may be less than the device has */
	assert_false(decl_setting_find(d, SETTING_max_stored, &v));
	assert_true(decl_setting_find(d, SETTING_wqe_max_ooo, &v));
	assert_int_equal(v, 9);
	decl_print(&t, d);
	again = decl_test_parse_ok(text_cstr(&t));
	assert_true(decl_setting_find(again, SETTING_max_bitmaps, &v));
	assert_int_equal(v, 1);
	text_free(&t);
	decl_free(again);
	decl_free(d);
}

static void everything_but_the_name_has_a_default(void **state)
{
	struct decl *d = decl_test_parse_ok("name x");

	(void)state;
	assert_int_equal(d->nclaims, 0);
	assert_int_equal(d->udp_port, 4793);
	assert_int_equal(d->max_ack_data, 16);
	assert_int_equal(d->max_rto_retx, 5);
	assert_false(d->crc);
	decl_free(d);
}

static void all_keys_are_read(void **state)
{
	struct decl *d =
		decl_test_parse_ok("name    a NIC  # that we like\n"
				   "version 1.0.3\n"
				   "claims  rud send\r\n"
				   "claims  rud read\n"
				   "id      ri_generation 0xff\n"
				   "id      memory_key 0xffffffffffffffff\n"
				   "size    mtu 4096\n"
				   "dscp    trimmed 11\n"
				   "limit   max_nack_retx 31\n"
				   "timer   nack_time 200us\n"
				   "timer   ack_time 1.5ms tolerance 10us\n"
				   "crc     big\n"
				   "port    49150\n"
				   "cause   gtd resource_index=0x3ff\n"
				   "cause   error opcode=read match_bits=7 "
				   "return_code=no_match|0x30 packets=first\n");
	const struct decl_field *f;

	(void)state;
	assert_string_equal(d->name, "a NIC");
	assert_string_equal(d->version, "1.0.3");
	assert_int_equal(d->uet, UET_1_0_3);
	assert_int_equal(d->dscp_trimmed, 11);
	assert_int_equal(d->nclaims, 3);
	assert_int_equal(d->ri_generation, 0xff);
	assert_true(d->memory_key == UINT64_MAX);
	assert_int_equal(d->mtu, 4096);
	assert_int_equal(d->max_nack_retx, 31);
	assert_int_equal(d->nack_time.value, 200 * VSPAN_US);
	assert_int_equal(d->nack_time.tolerance, 0);
	assert_int_equal(d->ack_time.value, 1500 * VSPAN_US);
	assert_true(d->crc && d->crc_be);
	assert_int_equal(d->udp_port, 49150);
	f = d->gtd_cause.fields;
	assert_string_equal(f->field, "resource_index");
	assert_int_equal(f->value, 0x3ff);
	assert_true(d->gtd_cause.codes == 0x40ff001fffffffff);
	assert_int_equal(d->gtd_cause.packets, CAUSE_ALL);
	f = d->error_cause.fields;
	assert_int_equal(f->value, 2);
	assert_string_equal(f->next->field, "match_bits");
	assert_null(f->next->next);
	assert_true(d->error_cause.codes ==
		    ((uint64_t)1 << 0x05 | (uint64_t)1 << 0x30));
	assert_int_equal(d->error_cause.packets, CAUSE_FIRST);
	decl_free(d);
}

/* The R_Key defaults to the memory key. */
static void a_key_stands_for_the_rkey(void **state)
{
	struct decl *d = decl_test_parse_ok("name x\nid memory_key 7\n");

	(void)state;
	assert_int_equal(d->rkey, 7);
	decl_free(d);
	d = decl_test_parse_ok("name x\nclaims wqe\nid rkey 9\n"
			       "id memory_key 0x100000000\n");
	assert_int_equal(d->rkey, 9);
	assert_true(d->memory_key == 0x100000000);
	decl_free(d);
	/* UET has no R_Key, so the memory key may have 64 bits. */
	d = decl_test_parse_ok("name x\nclaims rud\n"
			       "id memory_key 0x100000000\n");
	decl_free(d);
}

static void what_is_printed_reads_back_as_the_same(void **state)
{
	struct text a = {0}, b = {0};
	struct decl *d =
		decl_test_parse_ok("name x\nclaims rud read\nid job_id 7\n"
				   "timer rto 1ms tolerance 3us\ncrc little\n"
				   "icrc strict\n"
				   "setting max_pdcs=1 ack_gen_trigger=4096\n"
				   "cause gtd job_id=3 initiator=9\n"
				   "cause error job_id=3 packets=single "
				   "return_code=no_match|0x31\n"
				   "cause delay job_id=3 packets=any\n"
				   "cause defer job_id=4\n"
				   "timer ses_time 24ms\nid tag 0x7\n"
				   "deviates UET-ACK-03/dst retx=0 \"a  b\"\n"
				   "deviates RUD-SEQ-76 ack.req=clear\n"
				   "deviates UET-ACK-03 ack.missing\n"
				   "deviates SRD-39 post.state\n");
	struct decl *again;

	(void)state;
	decl_print(&a, d);
	again = decl_test_parse_ok(text_cstr(&a));
	decl_print(&b, again);
	assert_string_equal(text_cstr(&a), text_cstr(&b));
	assert_int_equal(again->job_id, 7);
	assert_int_equal(again->rto.tolerance, 3 * VSPAN_US);
	assert_int_equal(again->gtd_cause.fields->next->value, 9);
	assert_true(again->error_cause.codes == d->error_cause.codes);
	assert_int_equal(again->error_cause.packets, CAUSE_SINGLE);
	assert_true(again->delay_cause.codes == 0);
	assert_int_equal(again->delay_cause.packets, CAUSE_ANY);
	assert_int_equal(again->defer_cause.fields->value, 4);
	assert_int_equal(decl_ses_time(again).value, 24 * VSPAN_MS);
	assert_true(again->tag == 7 && decl_given(again, "tag"));
	assert_false(decl_given(again, "mtu"));
	assert_int_equal(again->icrc, ICRC_STRICT);
	decl_free(d);
	decl_free(again);
	text_free(&a);
	text_free(&b);
}

/* A profile says what the device lacks of it, and no declaration is refused. */
static void a_profile_makes_claims_mandatory(void **state)
{
	static const struct {
		const char *lines, *lacks;
	} rows[] = {
		{"claims rud", ""},
		{"profile ai_base", "rud rod uud send write read"},
		{"profile ai_base\nclaims rud rod uud send write read", ""},
		{"claims rud rod uud send write read\nprofile ai_full",
		 "send.tagged send.deferrable atomic"},
		{"profile hpc\nclaims rud rod send send.tagged send.deferrable "
		 "write read atomic",
		 "uud"},
	};
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text lacks = {0}, printed = {0};
		struct decl *d, *again;

		snprintf(text, sizeof(text), "name x\n%s\n", rows[i].lines);
		d = decl_test_parse_ok(text);
		profile_lacks(&lacks, d);
		assert_string_equal(text_cstr(&lacks), rows[i].lacks);
		decl_print(&printed, d);
		again = decl_test_parse_ok(text_cstr(&printed));
		assert_ptr_equal(again->profile, d->profile);
		text_free(&printed);
		text_free(&lacks);
		decl_free(again);
		decl_free(d);
	}
}

static void every_claim_of_the_table_is_a_capability(void **state)
{
	(void)state;
	for (const struct capability *c = decl_capabilities; c->word; c++) {
		assert_true(decl_capability(c->word, strlen(c->word)));
		assert_true(strlen(c->text) > 10);
	}
	assert_false(decl_capability("rud", 2));
	assert_false(decl_capability("flying", 6));
}

/* Joins the wrapped lines of a list item. */
static void decl_test_join_items(char *list)
{
	char *to = list;

	for (const char *s = list; *s; s++)
		if (s[0] == '\n' && s[1] == ' ' && s[2] == ' ')
			s++;
		else
			*to++ = *s;
	*to = 0;
}

/* docs/declaration.md has one item for each capability, with the same text. */
static void the_manual_has_the_same_list(void **state)
{
	FILE *f = fopen("docs/declaration.md", "rb");
	static char text[1 << 16];
	char row[512];
	size_t n;

	(void)state;
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = 0;
	decl_test_join_items(text);
	for (const struct capability *c = decl_capabilities; c->word; c++) {
		snprintf(row, sizeof(row), "\n* `%s`: %s\n", c->word, c->text);
		if (!strstr(text, row))
			fail_msg("docs/declaration.md lacks%s", row);
	}
}

/* A number implies its capability, which "claims" need not name. */
static void monitors_look_at_what_is_promised(void **state)
{
	struct decl *d = decl_test_parse_ok("name x\nclaims rud ack_cc\n");

	(void)state;
	assert_true(decl_promises(d, REQ_UET_ACK_06));
	assert_false(decl_promises(d, REQ_UET_ACK_09));
	assert_false(decl_promises(d, REQ_UET_ACK_10));
	decl_free(d);
	d = decl_test_parse_ok("name x\nclaims nscc\n");
	assert_true(decl_promises(d, REQ_UET_ACK_09));
	assert_true(decl_promises(d, REQ_UET_ACK_10));
	assert_true(decl_promises(d, REQ_UET_PDC_19));
	decl_free(d);
	d = decl_test_parse_ok("name x\nsetting start_psn=5\n");
	assert_false(decl_promises(d, REQ_UET_PDC_19));
	decl_free(d);
}

static void tail_time_is_declared(void **state)
{
	struct decl *d;

	(void)state;
	d = decl_test_parse_ok("name x\ntimer rto 5ms\ntimer ack_time 2ms\n");
	assert_int_equal(decl_wqe_tail(d), 42 * VSPAN_MS);
	decl_free(d);
	d = decl_test_parse_ok("name x\nsetting wqe_tail=200ms\n");
	assert_int_equal(decl_wqe_tail(d), 200 * VSPAN_MS);
	decl_free(d);
}

static void numbers_give_capabilities(void **state)
{
	static const struct {
		const char *word, *line;
		bool has;
	} rows[] = {
		{"ack_data", "size max_ack_data 0", false},
		{"ack_data", "size max_ack_data 1", true},
		{"ack_time.short", "timer ack_time 2ms", true},
		{"ack_time.short", "timer ack_time 3ms", false},
		{"wqe_miss.long", "timer ack_time 2ms", true},
		{"wqe_miss.long", "timer ack_time 200us", false},
		{"wqe_miss.long", "setting wqe_miss=1ms", true},
		{"wqe_miss.long", "setting wqe_miss=0ms", false},
		{"nack_time.third", "timer nack_time 1ms", true},
		{"nack_time.third", "timer nack_time 2ms", false},
		{"close_req.long", "port 4793", true},
		{"close_req.long", "setting close_req_time=40ms", true},
		{"close_req.long", "setting close_req_time=39ms", false},
		{"ses_time.long", "port 4793", true},
		{"ses_time.long", "timer ses_time 7ms tolerance 2ms", true},
		{"ses_time.long", "timer ses_time 6ms tolerance 2ms", false},
		{"syn_safety.long", "setting syn_retx_safety=15ms", true},
		{"syn_safety.long", "setting syn_retx_safety=14ms", false},
		{"ack_data.8", "size max_ack_data 7", false},
		{"ack_data.8", "size max_ack_data 8", true},
		{"mtu.1024", "size mtu 1025", false},
		{"mp_range.128", "size mp_range 128", true},
		{"nack_time.short", "timer nack_time 1ms", true},
		{"nack_time.short", "timer nack_time 5ms", false},
		{"unresponsive.long", "timer rto 12ms", false},
		{"unresponsive.long", "timer rto 5ms", true},
		{"return_data", "size max_ack_data 1024", false},
		{"return_data", "size max_ack_data 1023", true},
		{"rto_retx.2", "limit max_rto_retx 1", false},
		{"rto_retx.2", "limit max_rto_retx 2", true},
		{"nack_retx.2", "limit max_nack_retx 1", false},
		{"nack_retx.2", "limit max_nack_retx 2", true},
		{"in_flight.128", "size in_flight 127", false},
		{"in_flight.128", "size in_flight 128", true},
		{"stored.2", "size stored 1", false},
		{"stored.2", "size stored 2", true},
		{"stored.4", "size stored 3", false},
		{"stored.4", "size stored 4", true},
		{"stored.20", "size stored 19", false},
		{"stored.20", "size stored 20", true},
		{"stored.window", "size stored 1024", false},
		{"stored.window", "size stored 1023", true},
		{"wqe_ooo.2", "size wqe_ooo 1", false},
		{"wqe_ooo.2", "size wqe_ooo 2", true},
		{"wqe_ooo.3", "size wqe_ooo 2", false},
		{"wqe_ooo.3", "size wqe_ooo 64", true},
		{"wqe_cache.8", "size wqe_cache 8191", false},
		{"wqe_cache.8", "size wqe_cache 8192", true},
		{"message.64", "size max_message 65535", false},
		{"message.64", "size max_message 65536", true},
		{"message.8", "size max_message 8191", false},
		{"in_flight.3", "setting cwnd=3455", false},
		{"in_flight.3", "setting cwnd=3456", true},
		{"in_flight.3", "setting cwnd=1", false},
		{"in_flight.3", "setting cwnd=0", true},
		{"pkt_buffers.2", "setting max_pkt_buffers=1", false},
		{"pkt_buffers.2", "setting max_pkt_buffers=0", true},
		{"pkt_buffers.4", "setting max_pkt_buffers=3", false},
		{"memory.end", "claims rud", false},
		{"memory.end", "claims memory.exact", true},
		{"memory.end", "claims control", true},
		{"ses_msgs.2", "setting max_ses_msgs=1", false},
		{"ses_msgs.2", "setting max_pdcs=1", true},
		{"rudi.2", "setting max_rudi=1", false},
		{"rudi.3", "setting max_rudi=3", true},
		{"psn_range.2048", "setting psn_range=64", false},
		{"psn_range.2048", "port 4793", true},
		{"srd_paths.2", "setting srd_paths=1", false},
		{"srd_ctx.2", "setting srd_max_ctx=1", false},
		{"srd_idle.long", "setting srd_idle=19ms", false},
		{"srd_idle.long", "setting srd_idle=20ms", true},
		{"rnr_retry.1", "setting wqe_rnr_retry=0", false},
		{"rnr_retry.1", "setting wqe_rnr_retry=1", true},
		{"wqe.selective", "setting wqe_gbn=1", false},
		{"wqe.selective", "setting wqe_gbn=0", true},
		{"wqe_ind.2", "setting wqe_ind_psns=1", false},
		{"wqe_ind.2", "setting wqe_ind_psns=2", true},
		{"wqe_ind.3", "setting wqe_ind_psns=2", false},
		{"wqe_ind.3", "port 4793", true},
		{"wqe_cache.8", "setting wqe_cache_device=8191", false},
		{"read_time.short", "setting read_time=37us", false},
		{"read_time.short", "setting read_time=36us", true},
		{"start_psn.random", "setting start_psn=0", false},
		{"credit.spared", "setting cc=1", false},
		{"credit.spared", "setting cc=1 credit_init=65536", true},
		{"credit.spared", "setting cc=0", true},
		{"credit.at_once", "setting cc_policy=2", false},
		{"credit.at_once", "setting cc_policy=1", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[80];
		struct decl *d;

		snprintf(text, sizeof(text), "name x\n%s\n", rows[i].line);
		d = decl_test_parse_ok(text);
		assert_true(decl_derived(rows[i].word));
		assert_int_equal(decl_claims(d, rows[i].word), rows[i].has);
		decl_free(d);
	}
}

/* $ack_data and others follow from one or two lines each. */
static void some_numbers_follow_from_lines(void **state)
{
	static const struct {
		const char *lines, *name;
		uint64_t value;
	} rows[] = {
		{"size max_ack_data 16", "ack_data", 16},
		{"size max_ack_data 0", "ack_data", 0},
		{"size max_ack_data 8192", "ack_data", 1024},
		{"size stored 4", "stored_mtus", 4096},
		{"size eager 1024", "eager", 1024},
		{"version 1.0.3\nsize mp_range 64", "stored_mtus", 63 * 1024},
		{"port 4793", "pkt_buffers", 1},
		{"setting max_pkt_buffers=0", "pkt_buffers", 1},
		{"setting max_pkt_buffers=4", "pkt_buffers", 4},
		{"setting max_pkt_buffers=4", "pkt_buffers_mtus", 4096},
		{"port 4793", "ses_msgs", 1},
		{"setting max_ses_msgs=4", "ses_msgs", 4},
		{"setting max_ses_msgs=4", "ses_msgs_mtus", 4096},
		{"port 4793", "ack_trigger", 2048},
		{"setting ack_gen_trigger=4096", "ack_trigger", 4096},
		{"port 4793", "ack_min", 1024},
		{"setting ack_gen_min_pkt_add=1", "ack_min", 1},
		{"port 4793", "spec_trigger", 16384},
		{"port 4793", "spec_unacked_mtus", 15360},
		{"setting ack_gen_trigger=4096", "spec_trigger", 4096},
		{"setting ack_gen_trigger=4096", "spec_unacked_mtus", 3072},
		{"port 4793", "ack_least", 1},
		{"setting ack_gen_min_pkt_add=512", "ack_least", 512},
		{"port 4793", "trigger_mtus", 1024},
		{"setting ack_gen_trigger=4096 ack_gen_min_pkt_add=512",
		 "trigger_mtus", 3072},
		{"setting ack_gen_trigger=16384 ack_gen_min_pkt_add=512",
		 "trigger_mtus", 0},
		{"setting ack_gen_trigger=2048 ack_gen_min_pkt_add=1024",
		 "trigger_mtus", 0},
		{"setting ack_gen_trigger=1088", "trigger_mtus", 0},
		{"setting ack_gen_trigger=0", "trigger_mtus", 0},
		{"port 4793", "unacked_mtus", 1024},
		{"setting ack_gen_trigger=0", "unacked_mtus", 0},
		{"setting ack_gen_trigger=2049", "unacked_mtus", 2048},
		{"setting ack_gen_min_pkt_add=1", "unacked_mtus", UINT32_MAX},
		{"id memory_offset 0x100\nsize memory_len 64", "memory_end",
		 320},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t value = 99;
		const char *name;
		char text[80];
		struct decl *d;

		snprintf(text, sizeof(text), "name x\n%s\n", rows[i].lines);
		d = decl_test_parse_ok(text);
		for (size_t at = 0; (name = decl_number(d, &at, &value));)
			if (!strcmp(name, rows[i].name))
				break;
		assert_non_null(name);
		assert_int_equal(value, rows[i].value);
		decl_free(d);
	}
}

static void the_rto_doubles_until_the_limit(void **state)
{
	static const struct {
		const char *line;
		vspan value, tolerance;
	} rows[] = {
		{"limit max_rto_retx 1", 30, 4},
		{"limit max_rto_retx 5", 630, 12},
		{"limit max_rto_retx 15", 10230 + 6 * 8000, 32},
		{"timer rto_max 10ms", 60, 12},
		{"timer rto_max 15ms", 85, 12},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct decl_time total;
		char text[80];
		struct decl *d;

		snprintf(text, sizeof(text),
			 "name x\ntimer rto 10ms tolerance 2ms\n%s\n",
			 rows[i].line);
		d = decl_test_parse_ok(text);
		total = decl_rto_total(d);
		assert_int_equal(total.value, rows[i].value * VSPAN_MS);
		assert_int_equal(total.tolerance, rows[i].tolerance * VSPAN_MS);
		decl_free(d);
	}
}

static void the_mtu_speaks_for_itself(void **state)
{
	static const char small[] = "name x\n",
			  big[] = "name x\nsize mtu 4096\n",
			  wrong[] = "name x\nclaims mtu.1024\n";
	struct diag diag = {0};
	struct decl *d;

	(void)state;
	assert_int_equal(decl_parse(&d, "s", small, strlen(small), &diag), 0);
	assert_true(decl_claims(d, "mtu.1024"));
	decl_free(d);
	assert_int_equal(decl_parse(&d, "b", big, strlen(big), &diag), 0);
	assert_false(decl_claims(d, "mtu.1024"));
	decl_free(d);
	assert_int_equal(decl_parse(&d, "w", wrong, strlen(wrong), &diag),
			 ERR_SYNTAX);
	assert_non_null(strstr(diag.text, "follows from"));
}

static void mistakes_are_named_with_their_place(void **state)
{
	static const struct {
		const char *text;
		unsigned line, col;
		const char *says;
	} bad[] = {
		{"version 1.0.1\n", 1, 1,
		 "the declaration ends without a 'name' line"},
		{"name x\nclaim rud\n", 2, 1, "did you mean 'claims'?"},
		{"name x\nclaims rud respons.gtd\n", 2, 12,
		 "no capability 'respons.gtd'; did you mean 'response.gtd'?"},
		{"name x\nid job 7\n", 2, 4,
		 "no id 'job'; did you mean 'job_id'"},
		{"name x\nid job_id 0x1000000\n", 2, 11,
		 "expected 0x0..0xffffff, not '0x1000000'"},
		{"name x\nversion 1.0\n", 2, 9,
		 "expected 1.0.1, 1.0.2 or 1.0.3"},
		{"name x\nprofile ai\n", 2, 9,
		 "expected a profile: ai_base, ai_full, hpc"},
		{"name x\ndscp trimmed 0\n", 2, 14, "expected 1..63, not '0'"},
		{"name x\nsize mtu 4k\n", 2, 10,
		 "expected 256..9000, not '4k'"},
		{"name x\nid job_id 1\nid job_id 2\n", 3, 4,
		 "'job_id' is given twice"},
		{"name x\nsize mtu 255\n", 2, 10,
		 "expected 256..9000, not '255'"},
		{"name x\nsize mtu 512\nclaims rod\n", 2, 10,
		 "the payload MTU of UET is 1024, 2048, 4096 or 8192"},
		{"name x\nsize mtu 8192\nclaims roce\n", 2, 10,
		 "the path MTU of RoCEv2 is 256, 512, 1024, 2048 or 4096"},
		{"name x\nsize mtu 1026\nclaims wqe\n", 2, 10,
		 "the MTU of the WQE extension is a multiple of 4"},
		{"name x\nsize mp_range 100\n", 2, 15,
		 "MP_RANGE is below 128 since version 1.0.3 only"},
		{"name x\nsize mp_range 200\n", 2, 15,
		 "MP_RANGE is a multiple of 128 PSNs, or below"},
		{"name x\ntimer rto 9ms\ntimer rto_max 8ms\n", 3, 15,
		 "the RTO does not double beyond this: 'timer rto' is at most "
		 "as long"},
		{"name x\nclaims trim\ndscp trimmed 46\n", 3, 14,
		 "a codepoint of packets that no switch trimmed"},
		{"name x\nclaims trim\ndscp data 9\ndscp trimmed_lasthop 9\n",
		 4, 22, "a codepoint of packets that no switch trimmed"},
		{"name x\nclaims wqe\nid memory_key 0x100000000\n", 3, 15,
		 "an R_Key has 32 bits: declare it as 'id rkey'"},
		{"name x\nid memory_offset 0xffffffffffffff00\n", 2, 18,
		 "the memory goes beyond the last offset of 64 bits"},
		{"name x\nclaims rud atomic\nid memory_offset 0x1003\n", 3, 18,
		 "atomics need memory that begins at a multiple of 16"},
		{"name x\nlimit max_rto_retx 0\n", 2, 20,
		 "expected 1..15, not '0'"},
		{"name x\nlimit max_nack_retx 32\n", 2, 21,
		 "expected 1..31, not '32'"},
		{"name x\ntimer rto 9s\n", 2, 11, "expected 1ns..8s"},
		{"name x\ntimer rto 0us\n", 2, 11, "expected 1ns..8s"},
		{"name x\ntimer nack_time 9s\n", 2, 17, "expected 0s..8s"},
		{"name x\ntimer clear_time 101ms\n", 2, 18,
		 "expected 0s..100ms"},
		{"name x\ntimer ack_time 2s\n", 2, 16, "expected 1ns..1s"},
		{"name x\ntimer rto 5\n", 2, 11,
		 "the declared value as a time"},
		{"name x\ntimer rto 2 ms\n", 2, 11, "as a time in one word"},
		{"name x\ntimer rto 5ms about 1ms\n", 2, 15,
		 "'about' is not expected here"},
		{"name x\ncause gtd resource=1\n", 2, 11,
		 "a standard request has no field 'resource'"},
		{"name x\ncause gtd opcode=reed\n", 2, 18,
		 "expected a value of 'opcode'"},
		{"name x\ncause gtd job_id=0x1000000\n", 2, 18,
		 "does not fit 'job_id'"},
		{"name x\ncause gtd packets=first\n", 2, 24,
		 "expected field=value"},
		{"name x\ncause gtd job_id=1 packets=last\n", 2, 28,
		 "expected packets=all, first, any or single"},
		{"name x\ncause delay job_id=1 return_code=ok\n", 2, 22,
		 "no field 'return_code'"},
		{"name x\ncause defer job_id=1 return_code=ok\n", 2, 22,
		 "no field 'return_code'"},
		{"name x\ncause error job_id=1 return_code=ok|nope\n", 2, 37,
		 "expected return codes"},
		{"name x\ncrc maybe\n", 2, 5, "expected none, little or big"},
		{"name x\nname y\n", 2, 6, "'name' is given twice"},
		{"name x\nprofile hpc\nprofile hpc\n", 3, 9,
		 "'profile' is given twice"},
		{"name x\ncause gtd job_id=1\ncause gtd job_id=1\n", 3, 7,
		 "'cause gtd' is given twice"},
		{"name x\nfoo\n", 2, 1,
		 "expected name, release, version, profile, claims, id, size, "
		 "limit, dscp, timer, crc, port, cause, icrc, setting or "
		 "deviates"},
		{"name x\nsetting\n", 2, 8, "expected setting=value"},
		{"name x\nsetting max_pdc=1\n", 2, 9,
		 "no setting 'max_pdc'; did you mean 'max_pdcs'?"},
		{"name x\nsetting max_pdcs=x\n", 2, 18,
		 "expected a number, or a time in one word"},
		{"name x\nsetting max_pdcs=1 max_pdcs=2\n", 2, 20,
		 "'max_pdcs' is given twice"},
		{"name x\nsetting max_rto_retx=2\n", 2, 9,
		 "is said by another line: limit max_rto_retx"},
		{"name x\nsetting max_stored=2\n", 2, 9,
		 "is said by another line: size stored"},
		{"name x\nsetting ack_gen_trigger=32769\n", 2, 25,
		 "ACK_Gen_Trigger is 32 KiB at most (uet.md 9)"},
		{"name x\nsetting max_pdcs=1 srd_window=1023\n", 2, 31,
		 "W is 1024 at least (srd_wqe.md A.4.4)"},
		{"name x\nsetting ccc_id=256\n", 2, 16,
		 "'ccc_id' cannot have this value"},
		{"name x\nclaims nscc\nsetting cc=1\n", 0, 0,
		 "do not claim 'nscc'"},
		{"name x\ndeviates UET-ACK-3 retx=0\n", 2, 10,
		 "no requirement 'UET-ACK-3'"},
		{"name x\ndeviates RUD-SEQ-76/dst\n", 2, 24,
		 "expected what deviates"},
		{"name x\ndeviates RUD-SEQ-76 ack.rtx\n", 2, 25,
		 "no field or event 'rtx': expected retx=0, ack.retx or "
		 "ack.missing; did you mean 'retx'?"},
		{"name x\ndeviates RUD-SEQ-76 retx\n", 2, 21,
		 "expected retx=VALUE, or the kind of packet: ack.retx"},
		{"name x\ndeviates RUD-SEQ-76 req=maybe\n", 2, 25,
		 "'maybe' is no value of 'req'"},
		{"name x\ndeviates RUD-SEQ-76 ack.missing=1\n", 2, 25,
		 "no field or event 'missing'"},
		{"name x\ndeviates RUD-SEQ-76 retx=0 ticket 17\n", 2, 28,
		 "expected one text in quotes"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag diag = {0};
		struct decl *d = NULL;

		assert_int_equal(decl_parse(&d, "f", bad[i].text,
					    strlen(bad[i].text), &diag),
				 ERR_SYNTAX);
		if (!strstr(diag.text, bad[i].says) ||
		    diag.line != bad[i].line || diag.col != bad[i].col)
			fail_msg("%s: got %u:%u: %s", bad[i].text, diag.line,
				 diag.col, diag.text);
		assert_null(d);
	}
}

static void deviations_are_read_in_order(void **state)
{
	struct decl *d =
		decl_test_parse_ok("name x\n"
				   "deviates UET-ACK-03 retx=0 \"ticket 17\"\n"
				   "deviates RUD-SEQ-76/dst ack.req=clear\n"
				   "deviates UET-ACK-03 ack.missing\n");
	const struct deviation *v = d->deviations;
	const uint64_t zero = 0, one = 1, clear = PDS_REQ_CLEAR;

	(void)state;
	assert_int_equal(v->req, REQ_UET_ACK_03);
	assert_int_equal(v->role, REQ_BOTH);
	assert_string_equal(v->text, "ticket 17");
	assert_true(deviation_is(v, "ack.retx", &zero));
	assert_true(deviation_is(v, "nack.retx", &zero));
	assert_false(deviation_is(v, "ack.retx", &one));
	assert_false(deviation_is(v, "ack.retx", NULL));
	assert_false(deviation_is(v, "ack.ecn", &zero));
	v = v->next;
	assert_int_equal(v->role, REQ_DST);
	assert_string_equal(v->text, "");
	assert_true(deviation_is(v, "ack.req", &clear));
	assert_false(deviation_is(v, "req.req", &clear));
	v = v->next;
	assert_true(deviation_is(v, "ack.missing", NULL));
	assert_null(v->next);
	assert_ptr_equal(deviation_find(d->deviations, "ack.missing", NULL), v);
	assert_null(deviation_find(d->deviations, "cp.missing", NULL));
	decl_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reference_declares_what_the_oracle_does),
		cmocka_unit_test(everything_but_the_name_has_a_default),
		cmocka_unit_test(settings_are_said_by_lines),
		cmocka_unit_test(all_keys_are_read),
		cmocka_unit_test(a_key_stands_for_the_rkey),
		cmocka_unit_test(what_is_printed_reads_back_as_the_same),
		cmocka_unit_test(a_profile_makes_claims_mandatory),
		cmocka_unit_test(every_claim_of_the_table_is_a_capability),
		cmocka_unit_test(the_manual_has_the_same_list),
		cmocka_unit_test(monitors_look_at_what_is_promised),
		cmocka_unit_test(tail_time_is_declared),
		cmocka_unit_test(numbers_give_capabilities),
		cmocka_unit_test(some_numbers_follow_from_lines),
		cmocka_unit_test(the_rto_doubles_until_the_limit),
		cmocka_unit_test(the_mtu_speaks_for_itself),
		cmocka_unit_test(mistakes_are_named_with_their_place),
		cmocka_unit_test(deviations_are_read_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
