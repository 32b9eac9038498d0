/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests of the control channel carried out on a stand-in for an endpoint.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "oracle/oracle.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/ctl/ctl_serve.h"

/* The stand-in records its last call. */
struct orc {
	uint64_t seed;
	struct orc_op op;
	vtime now;
	int err;
};

static void ctl_serve_test_fake_reset(struct orc *o, uint64_t seed)
{
	o->seed = seed;
}

static int ctl_serve_test_fake_post(struct orc *o, const struct orc_op *op,
				    vtime now)
{
	o->op = *op;
	o->now = now;
	return o->err;
}

static void ctl_serve_test_fake_stats(const struct orc *o,
				      struct orc_stats *ret)
{
	(void)o;
	*ret = (struct orc_stats){.tx = INT64_MAX, .pdcs = 3};
}

static int ctl_serve_test_fake_memory(const struct orc *o, uint64_t key,
				      const uint8_t **ret, size_t *ret_len)
{
	static const uint8_t bytes[] = "123456789";

	(void)o;
	if (key != 17)
		return ERR_VALUE;
	*ret = bytes;
	*ret_len = 9;
	return 0;
}

static const struct orc_api fake = {
	.reset = ctl_serve_test_fake_reset,
	.post = ctl_serve_test_fake_post,
	.stats = ctl_serve_test_fake_stats,
	.memory = ctl_serve_test_fake_memory,
};

/* Serves a line and compares the answer. */
static void ctl_serve_test_ask(struct orc *o, const char *line,
			       const char *answer)
{
	static struct ctl_req r;
	struct diag diag = {0};
	struct text t = {0};
	struct ctl_ans a;

	assert_int_equal(ctl_parse_req(&r, line, strlen(line), &diag), 0);
	ctl_serve(&fake, o, &r, 99, &a);
	ctl_ans_print(&t, &a);
	assert_string_equal(text_cstr(&t), answer);
	text_free(&t);
}

static void hello_lists_verbs(void **state)
{
	struct orc o = {0};

	(void)state;
	ctl_serve_test_ask(
		&o, "{\"id\":1,\"verb\":\"hello\",\"version\":2}",
		"{\"id\":1,\"ok\":true,\"name\":\"rung serve\",\"version\":2,"
		"\"verbs\":[\"hello\",\"reset\",\"stats\",\"mem_digest\","
		"\"completions\",\"send\",\"write\",\"read\",\"post_recv\","
		"\"expose\",\"atomic\",\"ses_policy\",\"ses_pds_tx_req\","
		"\"ses_pds_tx_rsp\",\"ses_pds_tx_ret\",\"ses_pds_unlock\","
		"\"ses_pds_eager_req\",\"ask_close\",\"send_cp\","
		"\"create_qp\",\"modify_qp\",\"query_qp\",\"destroy_qp\","
		"\"create_ah\",\"destroy_ah\",\"post_send\",\"poll_cq\","
		"\"configure\"]}\n");
}

static void another_version_is_named(void **state)
{
	struct orc o = {0};

	(void)state;
	ctl_serve_test_ask(
		&o, "{\"id\":1,\"verb\":\"hello\",\"version\":3}",
		"{\"id\":1,\"error\":\"version 3 asked for, version 2 spoken "
		"here\"}\n");
}

static void unknown_verbs_are_unsupported(void **state)
{
	struct orc o = {0};

	(void)state;
	ctl_serve_test_ask(&o, "{\"id\":2,\"verb\":\"tagged\",\"len\":8}",
			   "{\"id\":2,\"error\":\"unsupported\"}\n");
	ctl_serve_test_ask(&o,
			   "{\"id\":3,\"verb\":\"create_cq\",\"type\":\"rc\"}",
			   "{\"id\":3,\"error\":\"unsupported\"}\n");
	o.err = ERR_SUPPORT;
	ctl_serve_test_ask(
		&o, "{\"id\":4,\"verb\":\"ses_pds_unlock\",\"msg_id\":1}",
		"{\"id\":4,\"error\":\"unsupported\"}\n");
}

static void operations_are_posted(void **state)
{
	struct orc o = {0};

	(void)state;
	ctl_serve_test_ask(
		&o,
		"{\"id\":5,\"verb\":\"send\",\"peer\":\"10.0.0.1\",\"len\":9}",
		"{\"id\":5,\"ok\":true}\n");
	assert_int_equal(o.op.kind, OP_SEND);
	assert_int_equal(o.op.len, 9);
	assert_int_equal(o.now, 99);
	o.err = ERR_STATE;
	ctl_serve_test_ask(
		&o,
		"{\"id\":6,\"verb\":\"send\",\"peer\":\"10.0.0.1\",\"len\":9}",
		"{\"id\":6,\"error\":\"state\"}\n");
}

static int ctl_serve_test_make_qp(struct orc *o, const struct orc_op *op,
				  vtime now)
{
	(void)now;
	o->op = *op;
	op->ret->qpn = 17;
	op->ret->state = QP_RTS;
	return 0;
}

static void verbs_give_something_back(void **state)
{
	static const char line[] =
		"{\"id\":9,\"verb\":\"create_qp\",\"type\":\"ud\"}";
	static const struct orc_api api = {.post = ctl_serve_test_make_qp};
	static struct ctl_req r;
	struct orc o = {0};
	struct diag diag = {0};
	struct text t = {0};
	struct ctl_ans a;

	(void)state;
	assert_int_equal(ctl_parse_req(&r, line, strlen(line), &diag), 0);
	ctl_serve(&api, &o, &r, 99, &a);
	ctl_ans_print(&t, &a);
	assert_string_equal(text_cstr(&t), "{\"id\":9,\"ok\":true,\"qpn\":17,"
					   "\"state\":\"rts\"}\n");
	assert_int_equal(o.op.vb.type, QP_UD);
	text_free(&t);
}

static void reset_stats_and_memory(void **state)
{
	struct orc o = {0};

	(void)state;
	ctl_serve_test_ask(&o, "{\"id\":7,\"verb\":\"reset\",\"seed\":5}",
			   "{\"id\":7,\"ok\":true}\n");
	assert_int_equal(o.seed, 5);
	ctl_serve_test_ask(
		&o, "{\"id\":8,\"verb\":\"stats\"}",
		"{\"id\":8,\"ok\":true,\"stats\":{\"tx\":9223372036854775807,"
		"\"rx\":0,\"tx_retx\":0,\"rx_duplicate\":0,\"rx_dropped\":0,"
		"\"tx_nack\":0,\"rx_nack\":0,\"delivered\":0,\"tx_ack\":0,"
		"\"rx_ack\":0,\"pdcs\":3,"
		"\"rtt_samples\":0,\"rtt_refused\":0,\"rtt_last\":0,"
		"\"contexts\":0,\"unresponsive\":0,"
		"\"cache_bytes\":0,\"cache_peak\":0,\"bitmaps\":0,"
		"\"bitmap_bits\":0,\"bitmap_set\":0,\"bitmap_first\":0}}\n");
	ctl_serve_test_ask(&o, "{\"id\":9,\"verb\":\"mem_digest\",\"key\":17}",
			   "{\"id\":9,\"ok\":true,\"digest\":3808858755,"
			   "\"digest_len\":9}\n");
	ctl_serve_test_ask(&o, "{\"id\":9,\"verb\":\"mem_digest\"}",
			   "{\"id\":9,\"error\":\"value\"}\n");
	ctl_serve_test_ask(&o, "{\"id\":10,\"verb\":\"completions\"}",
			   "{\"id\":10,\"ok\":true}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hello_lists_verbs),
		cmocka_unit_test(another_version_is_named),
		cmocka_unit_test(unknown_verbs_are_unsupported),
		cmocka_unit_test(operations_are_posted),
		cmocka_unit_test(verbs_give_something_back),
		cmocka_unit_test(reset_stats_and_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
