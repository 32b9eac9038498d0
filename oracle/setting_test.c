/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/setting_test.c -- tests of setting.h.
 */
#include "oracle/setting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void numbers_times_and_words(void **state)
{
	struct orc_conf conf;

	(void)state;
	orc_conf_default(&conf);
	assert_int_equal(setting_put(&conf, "ack_type", "ack_ccx"), 0);
	assert_int_equal(conf.ack_type, ORC_ACK_CCX);
	assert_int_equal(setting_put(&conf, "wqe_miss", "30us"), 0);
	assert_int_equal(conf.wqe_miss, 30 * VSPAN_US);
	assert_int_equal(setting_put(&conf, "close_idle", "2s"), 0);
	assert_int_equal(conf.close_idle, 2 * VSPAN_S);
	assert_int_equal(setting_put(&conf, "start_psn", "0xfffffffe"), 0);
	assert_int_equal(conf.start_psn, 0xfffffffe);
	assert_int_equal(setting_put(&conf, "default_rc", "1"), 0);
	assert_int_equal(conf.default_rc, 1);
	assert_int_equal(setting_put(&conf, "ar_on_eom", "0"), 0);
	assert_false(conf.ar_on_eom);
}

static void a_time_has_one_of_four_units(void **state)
{
	static const struct {
		const char *value;
		vspan want;
	} times[] = {
		{"7ns", 7},
		{"7us", 7 * VSPAN_US},
		{"7ms", 7 * VSPAN_MS},
		{"7s", 7 * VSPAN_S},
		{"0s", 0},
		{"9223372036854775807ns", INT64_MAX},
	};
	struct orc_conf conf;

	(void)state;
	orc_conf_default(&conf);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		conf.rto_max = -1;
		assert_int_equal(setting_put(&conf, "rto_max", times[i].value),
				 0);
		assert_true(conf.rto_max == times[i].want);
	}
}

/* A member of each size keeps the largest value, and no neighbour changes. */
static void the_largest_value_fits_its_member(void **state)
{
	struct orc_conf conf, before;

	(void)state;
	orc_conf_default(&before);
	for (unsigned n = 0; setting_name(n); n++) {
		const char *const name = setting_name(n);
		struct text t = {0};
		size_t changed = 0;

		conf = before;
		setting_expects(&t, name);
		if (strncmp(text_cstr(&t), "0 to ", 5) == 0)
			assert_int_equal(
				setting_put(&conf, name, text_cstr(&t) + 5), 0);
		for (size_t i = 0; i < sizeof(conf); i++)
			changed += ((uint8_t *)&conf)[i] !=
				   ((uint8_t *)&before)[i];
		assert_in_range(changed, 0, 4);
		text_free(&t);
	}
}

/* A refused value changes neither the member nor its neighbours. */
static void wrong_values_are_refused(void **state)
{
	static const char *const wrong[][2] = {
		{"ack_type", "nack"},
		{"ack_type", "ack_"},
		{"wqe_miss", "30"},
		{"wqe_miss", "30h"},
		{"default_rc", "64"},
		{"default_rc", "1x"},
		{"default_rc", "x"},
		{"ccc_id", "256"},
		{"ar_on_eom", "2"},
		{"start_psn", "-1"},
		{"start_psn", "4294967296"},
		{"start_psn", ""},
		{"wqe_tail", "9223372036854775807s"},
		{"wqe_tail", "9223372036854775808ns"},
	};
	struct orc_conf conf, before;

	(void)state;
	orc_conf_default(&conf);
	before = conf;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(setting_put(&conf, wrong[i][0], wrong[i][1]),
				 ERR_VALUE);
	assert_int_equal(setting_put(&conf, "mtu", "1024"), ERR_SUPPORT);
	assert_memory_equal(&conf, &before, sizeof(conf));
}

static void values_are_described(void **state)
{
	struct text t = {0};

	(void)state;
	setting_expects(&t, "ack_type");
	text_puts(&t, "; ");
	setting_expects(&t, "wqe_miss");
	text_puts(&t, "; ");
	setting_expects(&t, "default_rc");
	assert_string_equal(text_cstr(&t), "one of: ack ack_cc ack_ccx; "
					   "a time, such as 5ms; 0 to 63");
	text_free(&t);
}

static void names_end(void **state)
{
	unsigned n = 0;

	(void)state;
	while (setting_name(n))
		n++;
	assert_in_range(n, 40, 200);
	assert_string_equal(setting_name(0), "rto_max");
	assert_null(setting_name(n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_times_and_words),
		cmocka_unit_test(a_time_has_one_of_four_units),
		cmocka_unit_test(the_largest_value_fits_its_member),
		cmocka_unit_test(wrong_values_are_refused),
		cmocka_unit_test(values_are_described),
		cmocka_unit_test(names_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
