/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/conf_test.c -- tests which configurations an endpoint has: each
 * limit of each member, and the defaults.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "oracle/oracle.h"
#include "oracle/setting.h"
#include "wire/family.h"
#include "wire/ib/icrc.h"

/* The default, with the choices that give each member its widest range. */
static void conf_test_begin(struct orc_conf *ret, enum family family)
{
	orc_conf_default(ret);
	ret->family = family;
	ret->version = UET_1_0_3;
	ret->wqe_gbn = true;
}

static int made(const struct orc_conf *conf)
{
	struct orc *o;
	const int err = orc_reference.make(&o, conf);

	if (!err)
		orc_reference.free(o);
	return err;
}

/* A member that may be |first| to |last|, by |step|. */
struct limit {
	const char *name;
	enum family family;
	size_t at, size;
	uint64_t first, last, step;
};

/* clang-format off */
#define LIMIT(family, member, first, last, step) \
	{#member, FAMILY_##family, offsetof(struct orc_conf, member), \
	 sizeof(((struct orc_conf *)NULL)->member), (uint64_t)(first), \
	 (uint64_t)(last), step}
/* A time that may be |first| or more. */
#define SPAN(family, member, first) \
	LIMIT(family, member, first, INT64_MAX, 1)
/* clang-format on */

static const struct limit limits[] = {
	LIMIT(UET, max_pdcs, 1, UINT16_MAX, 1),
	LIMIT(UET, max_rudi, 1, UINT32_MAX, 1),
	LIMIT(UET, psn_range, 16, 1u << 31, 1),
	LIMIT(UET, version, UET_1_0_1, UET_1_0_3, 1),
	LIMIT(UET, crc_order, CRC_LE, CRC_BE, 1),
	LIMIT(UET, max_ack_data, 0, 8192, 1),
	LIMIT(UET, ack_type, ORC_ACK, ORC_ACK_CCX, 1),
	LIMIT(UET, default_mpr, 1, UINT8_MAX, 1),
	LIMIT(UET, mpr, 1, UINT8_MAX, 1),
	LIMIT(UET, override_mpr_zero, 0, INT16_MAX, 1),
	LIMIT(UET, cc, ORC_CC_NSCC, ORC_CC_CREDIT, 1),
	LIMIT(UET, sack_base, ORC_SACK_CACK, ORC_SACK_STEP, 1),
	LIMIT(UET, rcv_cwnd_pend, 0, 127, 1),
	LIMIT(UET, credit_unit, 1, UINT32_MAX, 1),
	LIMIT(UET, credit_init, 0, 0xffffff, 1),
	LIMIT(UET, sack_retx, 0, INT16_MAX, 1),
	LIMIT(UET, spray, 1, 256, 1),
	LIMIT(UET, path_choice, ORC_PATHS_IN_TURN, ORC_PATHS_BY_FEEDBACK, 1),
	LIMIT(UET, max_rto_retx, 0, 15, 1),
	LIMIT(UET, max_nack_retx, 0, UINT8_MAX, 1),
	LIMIT(UET, default_rc, 0, 63, 1),
	LIMIT(UET, defer_rc, 0, 63, 1),
	LIMIT(UET, job_id, 0, 0xffffff, 1),
	LIMIT(UET, pid_on_fep, 0, 0xfff, 1),
	LIMIT(UET, resource_index, 0, 0xfff, 1),
	LIMIT(UET, slow_index, 0, 0xfff, 1),
	LIMIT(UET, dscp_data, 0, 63, 1),
	LIMIT(UET, dscp_control, 0, 63, 1),
	LIMIT(UET, dscp_bulk, 0, 63, 1),
	LIMIT(UET, dscp_trimmed, 1, 63, 1),
	LIMIT(UET, dscp_trimmed_lasthop, 1, 63, 1),
	LIMIT(UET, link_rate, 1, 10000000, 1),
	LIMIT(UET, base_rtt, 1, VSPAN_S, 1),
	LIMIT(UET, nscc_max_window, 0, 100000, 1),
	LIMIT(UET, nscc_target, 1, 100000, 1),
	LIMIT(UET, nscc_alpha, 0, 100000, 1),
	LIMIT(UET, nscc_fair, 0, 100000, 1),
	LIMIT(UET, nscc_fast, 0, 100000, 1),
	LIMIT(UET, nscc_eta, 0, 100000, 1),
	LIMIT(UET, nscc_gamma, 0, 100, 1),
	LIMIT(UET, nscc_max_decrease, 0, 100, 1),
	LIMIT(UET, nscc_qa_gate, 0, 16, 1),
	LIMIT(UET, nscc_qa_delay, 0, 100000, 1),
	LIMIT(UET, nscc_delay_gain, 0, 10000, 1),
	LIMIT(UET, nscc_adjust, 0, 1024, 1),
	LIMIT(UET, rccc_quantum, 1, 256, 1),
	SPAN(UET, nscc_fast_delay, 0),
	SPAN(UET, path_rest, 0),
	SPAN(UET, rto_max, 5 * VSPAN_MS), /* rto_init */
	SPAN(UET, syn_retx_safety, 0),
	SPAN(UET, ask_close_idle, 0),
	SPAN(UET, ask_clear_time, 0),
	SPAN(UET, nack_retx_time, 0),
	SPAN(UET, pds_clear_time, 0),
	SPAN(UET, read_time, 0),
	SPAN(UET, slow_time, 0),
	SPAN(UET, close_idle, 0),
	SPAN(UET, close_req_time, 0),
	LIMIT(UET, rto_init, 1, 8 * VSPAN_S, 1), /* rto_max */
	LIMIT(SRD, mtu, 64, 9000, 1),
	LIMIT(SRD, rto_init, 1, 8 * VSPAN_S, 1),
	SPAN(SRD, rto_max, 5 * VSPAN_MS),
	LIMIT(SRD, icrc, ICRC_SOCK, ICRC_OFF, 1),
	LIMIT(SRD, srd_window, 64, 1u << 22, 1),
	LIMIT(SRD, srd_paths, 1, 256, 1),
	LIMIT(SRD, srd_max_ctx, 1, UINT32_MAX, 1),
	LIMIT(SRD, srd_rtt_weight, 1, 1024, 1),
	LIMIT(SRD, srd_dev_weight, 1, 1024, 1),
	LIMIT(SRD, srd_dev_factor, 0, 1024, 1),
	SPAN(SRD, srd_unresponsive, 1),
	SPAN(SRD, srd_idle, 1),
	SPAN(SRD, srd_gc, 0),
	LIMIT(WQE, mtu, 64, 9000, 4),
	SPAN(WQE, rto_init, 1),
	LIMIT(WQE, icrc, ICRC_SOCK, ICRC_OFF, 1),
	LIMIT(WQE, wqe_window, 1, 1u << 20, 1),
	LIMIT(WQE, wqe_max_ooo, 1, UINT32_MAX, 1),
	LIMIT(WQE, wqe_rnr_code, 0, 31, 1),
	LIMIT(WQE, wqe_max_len, 1, 1u << 31, 1),
	SPAN(WQE, wqe_miss, 0),
	SPAN(WQE, wqe_again, 1),
	SPAN(WQE, wqe_tail, 1),
};

/* Returns what make returns for a value of one member. */
static int with(const struct limit *l, uint64_t value)
{
	struct orc_conf conf;

	conf_test_begin(&conf, l->family);
	memcpy((char *)&conf + l->at, &value, l->size);
	return made(&conf);
}

/* Returns the largest number of the member's size. */
static uint64_t most(const struct limit *l)
{
	return UINT64_MAX >> (64 - 8 * l->size);
}

static void each_member_has_its_limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct limit *l = &limits[i];
		const bool time = l->last == INT64_MAX;

		assert_int_equal(with(l, l->first), 0);
		assert_int_equal(with(l, l->last), 0);
		if (l->first || time)
			assert_int_equal(with(l, l->first - l->step),
					 ERR_VALUE);
		if (!time && l->last < most(l))
			assert_int_equal(with(l, l->last + l->step), ERR_VALUE);
	}
}

static bool is_setting(const char *name)
{
	for (unsigned n = 0; setting_name(n); n++)
		if (strcmp(setting_name(n), name) == 0)
			return true;
	return false;
}

/* A setting names the limit of its member, unless it takes any number. */
static void settings_end_where_their_members_do(void **state)
{
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct limit *l = &limits[i];
		struct text said = {0}, want = {0};

		if (!is_setting(l->name))
			continue;
		setting_expects(&said, l->name);
		text_printf(&want, "0 to %" PRIu64, l->last);
		if (strncmp(text_cstr(&said), "0 to ", 5) == 0 &&
		    strcmp(text_cstr(&said), "0 to 4294967295") != 0) {
			assert_string_equal(text_cstr(&said), text_cstr(&want));
			n++;
		}
		text_free(&said);
		text_free(&want);
	}
	assert_in_range(n, 20, 60);
}

static void path_mtus_are_those_of_the_family(void **state)
{
	static const struct {
		enum family family;
		uint16_t mtu;
		int err;
	} mtus[] = {
		{FAMILY_UET, 1024, 0},          {FAMILY_UET, 2048, 0},
		{FAMILY_UET, 4096, 0},          {FAMILY_UET, 8192, 0},
		{FAMILY_UET, 512, ERR_VALUE},   {FAMILY_UET, 1025, ERR_VALUE},
		{FAMILY_UET, 1023, ERR_VALUE},  {FAMILY_UET, 16384, ERR_VALUE},
		{FAMILY_WQE, 66, ERR_VALUE},    {FAMILY_WQE, 68, 0},
		{FAMILY_ROCE, 128, ERR_VALUE},  {FAMILY_ROCE, 256, 0},
		{FAMILY_ROCE, 512, 0},          {FAMILY_ROCE, 768, ERR_VALUE},
		{FAMILY_ROCE, 1024, 0},         {FAMILY_ROCE, 2048, 0},
		{FAMILY_ROCE, 4096, 0},         {FAMILY_ROCE, 4100, ERR_VALUE},
		{FAMILY_ROCE, 8192, ERR_VALUE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(mtus) / sizeof(mtus[0]); i++) {
		struct orc_conf conf;

		conf_test_begin(&conf, mtus[i].family);
		conf.mtu = mtus[i].mtu;
		assert_int_equal(made(&conf), mtus[i].err);
	}
}

/* MP_RANGE 0 has a meaning under 1.0.3 alone, if it is declared. */
static void mpr_zero_needs_its_value(void **state)
{
	struct orc_conf conf;

	(void)state;
	conf_test_begin(&conf, FAMILY_UET);
	conf.mpr = 0;
	conf.override_mpr_zero = 1;
	assert_int_equal(made(&conf), 0);
	conf.version = UET_1_0_2;
	assert_int_equal(made(&conf), ERR_VALUE);
	conf.override_mpr_zero = 0;
	assert_int_equal(made(&conf), ERR_VALUE);
}

static void a_policy_needs_its_header_sections(void **state)
{
	static const bool right[ORC_POLICY_RCCC + 2][ORC_CC_CREDIT + 1] = {
		[ORC_POLICY_NONE] = {true, true},
		[ORC_POLICY_NSCC] = {[ORC_CC_NSCC] = true},
		[ORC_POLICY_RCCC] = {[ORC_CC_CREDIT] = true},
	};

	(void)state;
	for (unsigned policy = 0; policy <= ORC_POLICY_RCCC + 1; policy++)
		for (unsigned cc = 0; cc <= ORC_CC_CREDIT; cc++) {
			struct orc_conf conf;

			conf_test_begin(&conf, FAMILY_UET);
			conf.cc = (enum orc_cc)cc;
			conf.cc_policy = (enum orc_cc_policy)policy;
			assert_int_equal(made(&conf),
					 right[policy][cc] ? 0 : ERR_VALUE);
		}
}

/* RoCEv2 without the extension has go-back-N and nothing else. */
static void plain_roce_goes_back(void **state)
{
	struct orc_conf conf;

	(void)state;
	conf_test_begin(&conf, FAMILY_ROCE);
	assert_int_equal(made(&conf), 0);
	conf.wqe_gbn = false;
	assert_int_equal(made(&conf), ERR_VALUE);
	conf.family = FAMILY_WQE;
	assert_int_equal(made(&conf), 0);
}

static void a_family_is_one_of_the_registry(void **state)
{
	struct orc_conf conf;

	(void)state;
	for (unsigned f = 0; f < wire_nfamilies; f++) {
		conf_test_begin(&conf, (enum family)f);
		assert_int_equal(made(&conf), 0);
	}
	conf_test_begin(&conf, (enum family)wire_nfamilies);
	assert_int_equal(made(&conf), ERR_VALUE);
}

/* The column "judged" of uet.md 9. */
static void defaults_are_those_of_the_parameters(void **state)
{
	struct orc_conf conf;

	(void)state;
	orc_conf_default(&conf);
	assert_int_equal(conf.mtu, 1024);
	assert_int_equal(conf.mpr, 8);
	assert_int_equal(conf.default_mpr, 8);
	assert_int_equal(conf.max_ack_data, 16);
	assert_int_equal(conf.trimmable_ack, 10240);
	assert_true(conf.ack_on_ecn);
	assert_false(conf.ack_per_pkt);
	assert_int_equal(conf.ack_gen_trigger, 16384);
	assert_int_equal(conf.ack_gen_min_pkt_add, 1024);
	assert_int_equal(conf.rto_max, 8 * VSPAN_S);
	assert_int_equal(conf.max_rto_retx, 5);
	assert_int_equal(conf.max_nack_retx, 5);
	assert_int_equal(conf.dscp_data, 0);
	assert_int_equal(conf.dscp_control, 46);
}

/* The table of oracle/uet/cc/README.md, which names the source of each. */
static void defaults_of_nscc_are_those_of_its_sources(void **state)
{
	struct orc_conf conf;

	(void)state;
	orc_conf_default(&conf);
	assert_int_equal(conf.nscc_max_window, 150);
	assert_int_equal(conf.nscc_target, 75);
	assert_int_equal(conf.nscc_alpha, 400);
	assert_int_equal(conf.nscc_fair, 500);
	assert_int_equal(conf.nscc_fast, 25);
	assert_int_equal(conf.nscc_fast_delay, VSPAN_US);
	assert_int_equal(conf.nscc_eta, 15);
	assert_int_equal(conf.nscc_gamma, 80);
	assert_int_equal(conf.nscc_max_decrease, 50);
	assert_int_equal(conf.nscc_qa_gate, 3);
	assert_int_equal(conf.nscc_qa_delay, 400);
	assert_int_equal(conf.nscc_delay_gain, 125);
	assert_int_equal(conf.nscc_adjust, 8);
	assert_int_equal(conf.rccc_quantum, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_member_has_its_limits),
		cmocka_unit_test(settings_end_where_their_members_do),
		cmocka_unit_test(path_mtus_are_those_of_the_family),
		cmocka_unit_test(mpr_zero_needs_its_value),
		cmocka_unit_test(a_policy_needs_its_header_sections),
		cmocka_unit_test(plain_roce_goes_back),
		cmocka_unit_test(a_family_is_one_of_the_registry),
		cmocka_unit_test(defaults_are_those_of_the_parameters),
		cmocka_unit_test(defaults_of_nscc_are_those_of_its_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
