/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A transcript: a replayed device gives every result of the recorded one, and
 * names the first call and the first line that do not fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/dut/dut_replayed.h"
#include "suite/dut/dut_virtual.h"
#include "suite/dut/fake_test.h"
#include "suite/dut/transcript.h"

/* The results of a sequence of calls. */
struct outcome {
	vtime now;
	struct dut_event ev[4];
	uint64_t crc_bad;
};

static struct outcome was, is;

static struct dgram packet(const struct dut *d, uint8_t first)
{
	struct dgram out = {.src = d->tester, .dst = d->peer, .len = 20};

	out.data[0] = first;
	return out;
}

/* Makes the calls of a small case. */
static void make_calls(struct dut *d, uint8_t first, struct outcome *ret)
{
	struct ctl_req req = {.id = 9, .verb = CTL_OP};
	struct dgram out = packet(d, first);

	memset(ret, 0, sizeof(*ret));
	assert_int_equal(d->ops->begin(d, 7), 0);
	ret->now = d->ops->now(d);
	assert_int_equal(d->ops->send(d, &out), 0);
	req.op.kind = OP_SEND;
	req.op.peer = d->tester;
	req.op.len = 8;
	assert_int_equal(d->ops->control(d, &req), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(d->ops->next(d, VSPAN_MS, &ret->ev[i]), 0);
	d->ops->tally(d);
	ret->crc_bad = d->counts.crc_bad;
}

/* Records these calls to a device in virtual time. */
static void record_calls(struct text *ret)
{
	struct orc_conf conf;
	struct dut *d = NULL;

	orc_conf_default(&conf);
	conf.addr = ip_addr_v4(0x7f000102);
	assert_int_equal(dut_virtual_new(&d, &fake_api, &conf,
					 ip_addr_v4(0x7f000101), VSPAN_US),
			 0);
	assert_int_equal(transcript_begin(d), 0);
	make_calls(d, 1, &was);
	assert_int_equal(transcript_take(d, ret), 0);
	d->ops->free(d);
}

static struct dut *load(const char *text, size_t len)
{
	struct dut *d = NULL;
	struct diag diag = {0};
	bool same = true;

	assert_int_equal(dut_replayed_new(&d), 0);
	assert_int_equal(dut_replayed_load(d, "t", text, len, &same, &diag), 0);
	assert_false(same);
	return d;
}

static void assert_event(const struct dut_event *a, const struct dut_event *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->at, b->at);
	if (a->kind == DUT_ANSWER) {
		assert_int_equal(a->ans.id, b->ans.id);
		assert_int_equal(a->ans.ok, b->ans.ok);
	}
	if (a->kind == DUT_EVENT)
		assert_int_equal(a->ev.kind, b->ev.kind);
	if (a->kind == DUT_DGRAM)
		assert_memory_equal(&a->d, &b->d,
				    offsetof(struct dgram, data) + a->d.len);
}

static void a_replay_gives_the_same_results(void **state)
{
	struct text t = {0};
	struct diag diag = {0};
	struct dut *d;

	(void)state;
	record_calls(&t);
	d = load(text_cstr(&t), t.len);
	assert_true(d->virtual && d->control);
	make_calls(d, 1, &is);
	assert_int_equal(is.now, was.now);
	assert_int_equal(is.crc_bad, was.crc_bad);
	for (size_t i = 0; i < 4; i++)
		assert_event(&was.ev[i], &is.ev[i]);
	assert_int_equal(dut_replayed_end(d, &diag), 0);
	d->ops->free(d);
	text_free(&t);
}

static void another_packet_is_a_mismatch(void **state)
{
	struct text t = {0};
	struct diag diag = {0};
	struct dut *d;

	(void)state;
	record_calls(&t);
	d = load(text_cstr(&t), t.len);
	make_calls(d, 2, &is);
	assert_int_equal(dut_replayed_end(d, &diag), ERR_SYNTAX);
	assert_int_equal(diag.line, 4);
	assert_non_null(strstr(diag.text, "another packet"));
	assert_int_equal(is.ev[0].kind, DUT_GONE);
	d->ops->free(d);
	text_free(&t);
}

static void a_missing_line_is_a_mismatch(void **state)
{
	struct text t = {0};
	struct diag diag = {0};
	struct dut *d;
	const char *cut;

	(void)state;
	record_calls(&t);
	cut = strstr(text_cstr(&t), "[\"tally\"]");
	assert_non_null(cut);
	d = load(text_cstr(&t), (size_t)(cut - text_cstr(&t)));
	make_calls(d, 1, &is);
	assert_int_equal(dut_replayed_end(d, &diag), ERR_SYNTAX);
	assert_non_null(strstr(diag.text, "the tester calls tally"));
	d->ops->free(d);
	text_free(&t);
}

static void lines_that_are_left_are_a_mismatch(void **state)
{
	struct text t = {0};
	struct diag diag = {0};
	struct dut *d;

	(void)state;
	record_calls(&t);
	text_puts(&t, "[\"tally\"]\n");
	d = load(text_cstr(&t), t.len);
	make_calls(d, 1, &is);
	assert_int_equal(dut_replayed_end(d, &diag), ERR_SYNTAX);
	assert_non_null(strstr(diag.text, "ended before this line"));
	d->ops->free(d);
	text_free(&t);
}

static void bad_lines_end_the_case(void **state)
{
	static const char *const lines[] = {
		"",
		"[\n",
		"{}\n",
		"[\"begin\"]\n[\"now\"]\n[\"send\",0,20,7]\n",
		"[\"begin\",0,[]]\n[\"now\",\"x\"]\n[\"counts\",[1]]\n",
	};
	static const char head[] = "{\"schema\":\"rung.transcript/1\","
				   "\"tester\":\"::1\",\"peer\":\"::2\","
				   "\"verbs\":\"\"}\n";

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct text t = {0};
		struct diag diag = {0};
		struct dut *d;

		text_printf(&t, "%s%s", head, lines[i]);
		d = load(text_cstr(&t), t.len);
		make_calls(d, 1, &is);
		assert_int_equal(dut_replayed_end(d, &diag), ERR_SYNTAX);
		assert_true(diag.line > 1);
		d->ops->free(d);
		text_free(&t);
	}
}

static void another_first_line_is_refused(void **state)
{
	static const char bad_address[] =
		"{\"schema\":\"rung.transcript/1\",\"tester\":\"x\","
		"\"peer\":\"::1\",\"verbs\":\"\"}\n";
	const char *const heads[] = {"", "[]\n",
				     "{\"schema\":\"rung.transcript/2\"}\n",
				     bad_address};
	struct dut *d = NULL;
	bool same;

	(void)state;
	assert_int_equal(dut_replayed_new(&d), 0);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct diag diag = {0};

		assert_int_equal(dut_replayed_load(d, "t", heads[i],
						   strlen(heads[i]), &same,
						   &diag),
				 ERR_SYNTAX);
		assert_true(*diag.text);
	}
	d->ops->free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_replay_gives_the_same_results),
		cmocka_unit_test(another_packet_is_a_mismatch),
		cmocka_unit_test(a_missing_line_is_a_mismatch),
		cmocka_unit_test(lines_that_are_left_are_a_mismatch),
		cmocka_unit_test(bad_lines_end_the_case),
		cmocka_unit_test(another_first_line_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
