/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The control channel's messages: round trips of every verb and event with all
 * its keys, refused lines and their messages, and hostile lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/dut/ctl/ctl_words.h"

/* Every verb with every key, in the order in which they are printed. */
static const char *const requests[] = {
	"{\"id\":1,\"verb\":\"hello\",\"version\":2}\n",
	"{\"id\":2,\"verb\":\"reset\",\"seed\":\"0xfedcba9876543210\"}\n",
	"{\"id\":3,\"verb\":\"stats\"}\n",
	"{\"id\":4,\"verb\":\"mem_digest\",\"key\":9223372036854775807}\n",
	"{\"id\":5,\"verb\":\"completions\"}\n",
	"{\"id\":6,\"verb\":\"send\",\"handle\":3,\"peer\":\"127.0.0.2\","
	"\"mode\":\"rod\",\"header\":\"small\",\"msg_id\":7,\"len\":0}\n",
	"{\"id\":7,\"verb\":\"write\",\"handle\":4294967295,\"peer\":\"fe80::1"
	"\",\"mode\":\"rudi\",\"header\":\"medium\",\"msg_id\":65535,"
	"\"len\":4294967295,\"key\":17,\"offset\":4096}\n",
	"{\"id\":8,\"verb\":\"read\",\"peer\":\"10.0.0.1\",\"mode\":\"uud\","
	"\"len\":64,\"key\":17}\n",
	"{\"id\":9,\"verb\":\"post_recv\",\"handle\":1,\"len\":64,"
	"\"count\":3}\n",
	"{\"id\":10,\"verb\":\"expose\",\"handle\":2,\"len\":64,"
	"\"key\":\"0xffffffffffffffff\",\"offset\":1}\n",
	"{\"id\":11,\"verb\":\"ses_policy\",\"count\":2,\"gtd\":\"yes\","
	"\"return_code\":63,\"nack_code\":255,\"delay_ns\":1000000,"
	"\"manual\":true}\n",
	"{\"id\":12,\"verb\":\"ses_pds_tx_req\",\"tx_pkt_handle\":5,"
	"\"peer\":\"127.0.0.2\",\"mode\":\"rod\",\"msg_id\":4,"
	"\"rod_context\":1,\"tss_context\":2,\"rsv_pdc\":true,"
	"\"rsv_pdc_context\":3,\"rsv_ccc_context\":4,\"tc\":5,\"next_hdr\":15,"
	"\"som\":true,\"eom\":true,\"lock_pdc\":true,\"pkt\":\"00ff7a\"}\n",
	"{\"id\":13,\"verb\":\"ses_pds_tx_rsp\",\"rx_pkt_handle\":0,"
	"\"next_hdr\":4,\"gtd_del\":true,\"ses_nack\":9,\"pkt\":\"01\"}\n",
	"{\"id\":14,\"verb\":\"ses_pds_tx_ret\",\"tx_pkt_handle\":6,"
	"\"peer\":\"127.0.0.2\",\"som\":true,\"return_data\":true,"
	"\"orig_pdcid\":513,\"orig_psn\":4294967295,\"pkt\":\"01\"}\n",
	"{\"id\":15,\"verb\":\"ses_pds_unlock\",\"peer\":\"127.0.0.2\","
	"\"msg_id\":4}\n",
	"{\"id\":16,\"verb\":\"ses_pds_eager_req\",\"peer\":\"127.0.0.2\","
	"\"mode\":\"rod\",\"tc\":1,\"eager_id\":9}\n",
	"{\"id\":17,\"verb\":\"create_qp\"}\n",
	"{\"id\":18,\"verb\":\"atomic\",\"handle\":3,"
	"\"peer\":\"10.0.0.1\",\"header\":\"small\",\"offset\":8,"
	"\"amo\":\"cswap_ge\",\"datatype\":\"uint64\","
	"\"operand\":\"0xfffffffffffffffe\",\"compare\":5,"
	"\"fetch\":true}\n",
	"{\"id\":19,\"verb\":\"atomic\",\"peer\":\"10.0.0.1\","
	"\"amo\":\"min\",\"datatype\":\"int8\"}\n",
	"{\"id\":22,\"verb\":\"send_cp\",\"peer\":\"10.0.0.1\","
	"\"cp\":\"ack_request\",\"psn\":334,\"payload\":7}\n",
	"{\"id\":20,\"verb\":\"ask_close\",\"peer\":\"10.0.0.1\","
	"\"by\":\"ack\"}\n",
};

#define ALL                                                            \
	"\"msg_id\":1,\"orig_pdcid\":2,\"orig_psn\":3,\"next_hdr\":4," \
	"\"opcode\":5,\"return_code\":6,\"nack_code\":7,\"som\":true," \
	"\"eom\":true,\"len\":8,\"eager_id\":9,\"eager_size\":10,"     \
	"\"pdc_pause\":true,\"rudi_pause\":true,\"reason\":\"a \\\"b\\\"\"}\n"

static const char *const replies[] = {
	"{\"id\":1,\"ok\":true}\n",
	"{\"id\":\"0xffffffffffffffff\",\"error\":\"unsupported\"}\n",
	"{\"id\":2,\"ok\":true,\"name\":\"a NIC\",\"version\":2,"
	"\"verbs\":[\"send\",\"reset\"]}\n",
	"{\"id\":3,\"ok\":true,\"digest\":3808858755,\"digest_len\":9}\n",
	"{\"id\":4,\"ok\":true,\"stats\":{\"tx\":1,\"rx\":{\"pdcs\":[]}}}\n",
	"{\"event\":\"pds_ses_rx_req\",\"rx_pkt_handle\":4," ALL,
	"{\"event\":\"pds_ses_rx_rsp\",\"tx_pkt_handle\":4," ALL,
	"{\"event\":\"pds_ses_rx_ret\",\"rx_pkt_handle\":4," ALL,
	"{\"event\":\"pds_ses_eager_size\",\"handle\":4," ALL,
	"{\"event\":\"pds_pause\",\"handle\":4," ALL,
	"{\"event\":\"pds_ses_error\",\"handle\":4," ALL,
	"{\"event\":\"pds_ses_error\",\"rx_pkt_handle\":4," ALL,
	"{\"event\":\"completion\",\"handle\":4,\"status\":\"refused\"," ALL,
	"{\"event\":\"completion\",\"handle\":0,\"status\":\"ok\"}\n",
	"{\"event\":\"recv\",\"handle\":4," ALL,
	"{\"event\":\"drop\",\"handle\":4," ALL,
	"{\"event\":\"pdc\",\"handle\":4,\"status\":\"closed\"," ALL,
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Parses a line and prints it; NULL if it is refused. */
static int reprint_req(const char *line, size_t len, struct text *t)
{
	struct ctl_req *r = malloc(sizeof(*r));
	struct diag diag = {0};
	int err;

	assert_non_null(r);
	err = ctl_parse_req(r, line, len, &diag);
	assert_int_equal(err < 0, diag.text[0] != 0);
	if (!err)
		ctl_req_print(t, r);
	free(r);
	return err;
}

static int reprint_reply(const char *line, size_t len, struct text *t)
{
	enum ctl_kind kind = CTL_REQUEST;
	struct diag diag = {0};
	struct orc_event ev;
	struct ctl_ans ans;
	int err = ctl_parse_reply(&kind, &ans, &ev, line, len, &diag);

	assert_int_equal(err < 0, diag.text[0] != 0);
	if (err)
		return err;
	if (kind == CTL_ANSWER)
		ctl_ans_print(t, &ans);
	else
		ctl_event_print(t, &ev);
	return 0;
}

typedef int reprint_fn(const char *line, size_t len, struct text *t);

static void ctl_json_test_there_and_back(reprint_fn *reprint,
					 const char *const *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct text t = {0};

		assert_int_equal(reprint(lines[i], strlen(lines[i]), &t), 0);
		assert_string_equal(text_cstr(&t), lines[i]);
		text_free(&t);
	}
}

static void lines_come_back(void **state)
{
	(void)state;
	ctl_json_test_there_and_back(reprint_req, requests, COUNT(requests));
	ctl_json_test_there_and_back(reprint_reply, replies, COUNT(replies));
}

/* A prefix is never a message; the newline may be missing. */
static void cut_lines(reprint_fn *reprint, const char *const *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(lines[i]);
		struct text t = {0};

		for (size_t cut = 0; cut < len - 1; cut++) {
			/*
			 * a buffer of the exact size, so that ASan finds an
			 * overrun
			 */
			char *line = malloc(cut + 1);

			assert_non_null(line);
			memcpy(line, lines[i], cut);
			assert_int_equal(reprint(line, cut, &t), ERR_SYNTAX);
			free(line);
		}
		assert_int_equal(reprint(lines[i], len - 1, &t), 0);
		text_free(&t);
	}
}

static void truncated_lines_are_refused(void **state)
{
	(void)state;
	cut_lines(reprint_req, requests, COUNT(requests));
	cut_lines(reprint_reply, replies, COUNT(replies));
}

/* Damaged lines that can still be read print to lines that read the same. */
static void damage_lines(reprint_fn *reprint, const char *const *lines,
			 size_t n, struct rng *rng)
{
	for (unsigned round = 0; round < 4000; round++) {
		const char *from = lines[rng_below(rng, (uint32_t)n)];
		size_t len = strlen(from);
		char *line = malloc(len);
		struct text once = {0}, twice = {0};

		assert_non_null(line);
		memcpy(line, from, len);
		for (unsigned k = rng_below(rng, 4); k < 4; k++)
			line[rng_below(rng, (uint32_t)len)] =
				(char)rng_below(rng, 256);
		if (!reprint(line, len, &once)) {
			assert_int_equal(reprint(once.s, once.len, &twice), 0);
			assert_string_equal(text_cstr(&once),
					    text_cstr(&twice));
		}
		text_free(&once);
		text_free(&twice);
		free(line);
	}
}

static void damaged_lines_do_no_harm(void **state)
{
	struct rng rng = {42};

	(void)state;
	damage_lines(reprint_req, requests, COUNT(requests), &rng);
	damage_lines(reprint_reply, replies, COUNT(replies), &rng);
}

static void members_are_where_they_belong(void **state)
{
	static struct ctl_req r;
	struct diag diag = {0};

	(void)state;
	assert_int_equal(
		ctl_parse_req(&r, requests[6], strlen(requests[6]), &diag), 0);
	assert_int_equal(r.id, 7);
	assert_int_equal(r.verb, CTL_OP);
	assert_int_equal(r.op.kind, OP_WRITE);
	assert_int_equal(r.op.handle, 4294967295u);
	assert_int_equal(r.op.peer.len, 16);
	assert_int_equal(r.op.mode, OP_RUDI);
	assert_int_equal(r.op.header, OP_HEADER_MEDIUM);
	assert_int_equal(r.op.message_id, 65535);
	assert_int_equal(r.op.key, 17);
	assert_int_equal(r.op.offset, 4096);
	assert_int_equal(
		ctl_parse_req(&r, requests[10], strlen(requests[10]), &diag),
		0);
	assert_int_equal(r.op.kind, OP_SES_POLICY);
	assert_int_equal(r.op.count, 0);
	assert_int_equal(r.op.policy.count, 2);
	assert_int_equal(r.op.policy.gtd, OP_GTD_YES);
	assert_true(r.op.policy.manual);
	assert_int_equal(r.op.policy.delay, VSPAN_MS);
	assert_int_equal(
		ctl_parse_req(&r, requests[11], strlen(requests[11]), &diag),
		0);
	assert_ptr_equal(r.op.pds.pkt, r.pkt);
	assert_int_equal(r.op.pds.pkt_len, 3);
	assert_memory_equal(r.pkt, "\x00\xff\x7a", 3);
	assert_true(r.op.pds.som && r.op.pds.eom && r.op.pds.rsv_pdc);
}

static void reply_members(void **state)
{
	struct diag diag = {0};
	enum ctl_kind kind;
	struct orc_event ev;
	struct ctl_ans a;

	(void)state;
	assert_int_equal(ctl_parse_reply(&kind, &a, &ev, replies[2],
					 strlen(replies[2]), &diag),
			 0);
	assert_int_equal(kind, CTL_ANSWER);
	assert_true(a.ok);
	assert_string_equal(a.verbs, "send reset");
	assert_string_equal(a.name, "a NIC");
	assert_int_equal(ctl_parse_reply(&kind, &a, &ev, replies[12],
					 strlen(replies[12]), &diag),
			 0);
	assert_int_equal(kind, CTL_EVENT);
	assert_int_equal(ev.kind, EV_COMPLETION);
	assert_int_equal(ev.handle, 4);
	assert_int_equal(ev.status, STATUS_REFUSED);
	assert_ptr_equal(ev.reason, a.error);
	assert_string_equal(ev.reason, "a \"b\"");
}

/* A line, its error message, and the column. */
static const struct bad {
	const char *line, *text;
	unsigned col;
} bad_requests[] = {
	{"{\"id\":1}", "\"verb\": expected a string", 1},
	{"{\"verb\":\"stats\"}", "\"id\": expected an integer from 0 on", 1},
	{"{\"verb\":\"stats\",\"id\":-1}",
	 "\"id\": expected an integer from 0 on", 17},
	{"[1]", "expected a JSON object, {...}", 1},
	{"{\"id\":1,\"verb\":\"reset\",\"sead\":1}",
	 "\"sead\" is no key of \"reset\"; expected id, verb, seed", 24},
	{"{\"id\":1,\"verb\":\"hello\"}",
	 "\"version\": expected an integer from 0 to 4294967295", 1},
	{"{\"id\":1,\"verb\":\"send\",\"peer\":\"10.0.0\",\"len\":1}",
	 "\"peer\": expected an IPv4 or IPv6 address as a string", 23},
	{"{\"id\":1,\"verb\":\"send\",\"peer\":\"1.2.3.4\",\"len\":64.0}",
	 "\"len\": expected an integer from 0 to 4294967295", 40},
	{"{\"id\":1,\"verb\":\"ses_policy\",\"return_code\":64}",
	 "\"return_code\": expected an integer from 0 to 63", 29},
	{"{\"id\":1,\"verb\":\"ses_policy\",\"manual\":1}",
	 "\"manual\": expected true or false", 29},
	{"{\"id\":1,\"verb\":\"ses_policy\",\"gtd\":\"maybe\"}",
	 "\"gtd\": expected one of \"auto\", \"no\", \"yes\"", 29},
	{"{\"id\":1,\"verb\":\"mem_digest\",\"key\":\"0x1g\"}",
	 "\"key\": expected an integer from 0 to 18446744073709551615, or a "
	 "string \"0x...\"",
	 29},
	{"{\"id\":1,\"verb\":\"ses_pds_tx_rsp\",\"rx_pkt_handle\":1,"
	 "\"pkt\":\"0ff\"}",
	 "\"pkt\": expected pairs of hexadecimal digits, 16384 at most", 51},
};

static void refusals_name_key_and_expectation(void **state)
{
	static struct ctl_req r;

	(void)state;
	for (size_t i = 0; i < COUNT(bad_requests); i++) {
		const struct bad *b = &bad_requests[i];
		struct diag diag = {0};

		assert_int_equal(
			ctl_parse_req(&r, b->line, strlen(b->line), &diag),
			ERR_SYNTAX);
		assert_string_equal(diag.text, b->text);
		assert_int_equal(diag.col, b->col);
		assert_string_equal(diag.source, b->line);
		assert_int_equal(r.id, strstr(b->line, "\"id\":1") != NULL);
	}
}

static void unknown_keys_of_replies_are_ignored(void **state)
{
	const char ans[] = "{\"id\":1,\"ok\":true,\"colour\":\"red\"}";
	const char ev[] =
		"{\"event\":\"recv\",\"len\":3,\"colour\":{\"a\":1}}\n";
	const char later[] = "{\"event\":\"sunrise\"}";
	struct text t = {0};

	(void)state;
	assert_int_equal(reprint_reply(ans, strlen(ans), &t), 0);
	assert_int_equal(reprint_reply(ev, strlen(ev), &t), 0);
	assert_string_equal(text_cstr(&t), "{\"id\":1,\"ok\":true}\n"
					   "{\"event\":\"recv\",\"len\":3}\n");
	assert_int_equal(reprint_reply(later, strlen(later), &t), ERR_SUPPORT);
	text_free(&t);
}

static void an_answer_says_ok_or_error(void **state)
{
	const char neither[] = "{\"id\":1}",
		   both[] = "{\"id\":1,\"ok\":true,\"error\":\"no\"}";
	struct text t = {0};

	(void)state;
	assert_int_equal(reprint_reply(neither, strlen(neither), &t),
			 ERR_SYNTAX);
	assert_int_equal(reprint_reply(both, strlen(both), &t), 0);
	assert_string_equal(text_cstr(&t), "{\"id\":1,\"error\":\"no\"}\n");
	text_free(&t);
}

static void hostile_lines_are_refused(void **state)
{
	static const char *const lines[] = {
		"",
		"\n",
		"{}",
		"null",
		"\"",
		"{\"id\":1,\"id\":2}",
		"\xff\xfe",
		"{\"id\":1,\"verb\":\"stats\"}{",
		"{\"id\":1e3,\"verb\":\"x\"}",
		"{\"id\":99999999999999999999,\"verb\":\"stats\"}",
		"{\"id\":1,\"verb\":\"a\\u0000b\"}",
	};
	struct text t = {0};

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		size_t len = strlen(lines[i]);

		assert_int_equal(reprint_req(lines[i], len, &t), ERR_SYNTAX);
		assert_int_equal(reprint_reply(lines[i], len, &t), ERR_SYNTAX);
	}
	assert_int_equal(reprint_req("{\0}", 3, &t), ERR_SYNTAX);
	text_free(&t);
}

static void huge_and_deep_lines(void **state)
{
	struct text t = {0}, out = {0};

	(void)state;
	text_fill(&t, '[', CTL_LINE_MAX);
	assert_int_equal(reprint_req(t.s, t.len, &out), ERR_SYNTAX);
	text_puts(&t, "[");
	assert_int_equal(reprint_req(t.s, t.len, &out), ERR_SYNTAX);
	text_clear(&t);
	text_puts(&t, "{\"id\":1,\"ok\":true,\"stats\":{\"a\":\"");
	text_fill(&t, 'x', 1100);
	text_puts(&t, "\"}}");
	assert_int_equal(reprint_reply(t.s, t.len, &out), ERR_SYNTAX);
	text_clear(&t);
	text_puts(&t, "{\"id\":1,\"error\":\"x");
	for (int i = 0; i < 100; i++)
		text_puts(&t, "\xc3\xa9");
	text_puts(&t, "\"}");
	/* cut, and between characters */
	assert_int_equal(reprint_reply(t.s, t.len, &out), 0);
	text_clear(&t);
	text_add(&t, out.s, out.len);
	text_clear(&out);
	assert_int_equal(reprint_reply(t.s, t.len, &out), 0);
	assert_string_equal(text_cstr(&t), text_cstr(&out));
	text_free(&t);
	text_free(&out);
}

/* The longest request: a packet of the size that a request can hold. */
static void the_longest_request_fits_a_line(void **state)
{
	static struct ctl_req r, back;
	struct diag diag = {0};
	struct text t = {0};

	(void)state;
	r.id = UINT64_MAX;
	r.verb = CTL_OP;
	r.op.kind = OP_SES_PDS_TX_REQ;
	r.op.peer = ip_addr_v4(0x7f000001);
	r.op.pds.pkt = r.pkt;
	r.op.pds.pkt_len = sizeof(r.pkt);
	memset(r.pkt, 0xa5, sizeof(r.pkt));
	ctl_req_print(&t, &r);
	assert_true(t.len <= CTL_LINE_MAX);
	assert_int_equal(ctl_parse_req(&back, t.s, t.len, &diag), 0);
	assert_int_equal(back.op.pds.pkt_len, sizeof(r.pkt));
	assert_memory_equal(back.pkt, r.pkt, sizeof(r.pkt));
	text_free(&t);
}

static void texts_that_are_no_utf8_stay_one_line(void **state)
{
	struct ctl_ans a = {.id = 1, .error = "a\xff\n\"b"};
	struct text t = {0};

	(void)state;
	ctl_ans_print(&t, &a);
	assert_string_equal(text_cstr(&t), "{\"id\":1,\"error\":\"a???b\"}\n");
	text_free(&t);
}

static void tokens_are_compared(void **state)
{
	struct text t = {0};

	(void)state;
	ctl_token_print(&t, "s\"3cret");
	assert_true(ctl_token_ok(t.s, t.len, "s\"3cret"));
	assert_false(ctl_token_ok(t.s, t.len, "s\"3creT"));
	assert_false(ctl_token_ok(t.s, t.len, "s\"3cre"));
	assert_false(ctl_token_ok(t.s, t.len, ""));
	assert_false(ctl_token_ok(t.s, t.len - 3, "s\"3cret"));
	assert_false(ctl_token_ok("{}", 2, ""));
	text_free(&t);
}

static void names_are_complete(void **state)
{
	(void)state;
	assert_string_equal(ctl_verb_name(OP_SEND), "send");
	assert_string_equal(ctl_verb_name(OP_SES_PDS_EAGER_REQ),
			    "ses_pds_eager_req");
	for (int k = OP_SEND; k <= OP_CONFIGURE; k++)
		assert_non_null(
			strstr(ctl_verbs(), ctl_verb_name((enum op_kind)k)));
	assert_string_equal(ctl_event_name(EV_PDC), "pdc");
	assert_string_equal(ctl_event_name(EV_UNRESPONSIVE), "unresponsive");
	assert_string_equal(
		ctl_event_name((enum orc_event_kind)(EV_UNRESPONSIVE + 1)),
		"unknown");
	assert_string_equal(ctl_status_name(STATUS_TIMEOUT), "timeout");
	assert_string_equal(ctl_status_name((enum orc_status)99), "unknown");
	assert_string_equal(ctl_qp_state_name(QP_ERR), "err");
	assert_string_equal(ctl_qp_state_name(QP_STATES), "unknown");
	assert_true(strlen(ctl_verbs()) <
		    sizeof(((struct ctl_ans *)NULL)->verbs));
}

/*
 * docs/dut-control.md contains every quoted word of the lines: keys and names.
 */
static void ctl_json_test_look_up(const char *doc, const char *const *lines,
				  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (const char *p = lines[i]; (p = strchr(p, '"')); p++) {
			size_t len = strcspn(++p, "\"\\");
			char ticked[64], quoted[64];

			if (p[len] != '"' || p[len + 1] != ':')
				len = 0; /* a value */
			snprintf(ticked, sizeof(ticked), "`%.*s`", (int)len, p);
			snprintf(quoted, sizeof(quoted), "\"%.*s\"", (int)len,
				 p);
			if (len && !strstr(doc, ticked) && !strstr(doc, quoted))
				fail_msg("%s is not in docs/dut-control.md",
					 ticked);
			p += strcspn(p, "\"");
		}
	}
}

static void the_reference_names_everything(void **state)
{
	static char doc[65536];
	FILE *f = fopen("docs/dut-control.md", "r");
	size_t n;
	char word[64];

	(void)state;
	assert_non_null(f);
	n = fread(doc, 1, sizeof(doc) - 1, f);
	fclose(f);
	assert_true(n > 1000 && n < sizeof(doc) - 1);
	ctl_json_test_look_up(doc, requests, COUNT(requests));
	ctl_json_test_look_up(doc, replies, COUNT(replies));
	for (int k = EV_PDS_SES_RX_REQ; k <= EV_PDC; k++) {
		snprintf(word, sizeof(word), "`%s`",
			 ctl_event_name((enum orc_event_kind)k));
		assert_non_null(strstr(doc, word));
	}
	for (int k = OP_SEND; k <= OP_SES_PDS_EAGER_REQ; k++) {
		snprintf(word, sizeof(word), "`%s`",
			 ctl_verb_name((enum op_kind)k));
		assert_non_null(strstr(doc, word));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_back),
		cmocka_unit_test(truncated_lines_are_refused),
		cmocka_unit_test(damaged_lines_do_no_harm),
		cmocka_unit_test(members_are_where_they_belong),
		cmocka_unit_test(reply_members),
		cmocka_unit_test(refusals_name_key_and_expectation),
		cmocka_unit_test(unknown_keys_of_replies_are_ignored),
		cmocka_unit_test(an_answer_says_ok_or_error),
		cmocka_unit_test(hostile_lines_are_refused),
		cmocka_unit_test(huge_and_deep_lines),
		cmocka_unit_test(the_longest_request_fits_a_line),
		cmocka_unit_test(texts_that_are_no_utf8_stay_one_line),
		cmocka_unit_test(tokens_are_compared),
		cmocka_unit_test(names_are_complete),
		cmocka_unit_test(the_reference_names_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
