/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/control.c -- libFuzzer target: any bytes as a line of the control
 * channel, parsed as a request and as a reply.
 *
 * A message that parses is printed and parsed again, and both prints must be
 * equal.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/target.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"

static void control_request(const char *line, size_t len)
{
	static struct ctl_req r;
	struct text once = {0}, twice = {0};
	struct diag diag = {0};

	if (ctl_parse_req(&r, line, len, &diag) == 0) {
		ctl_req_print(&once, &r);
		assert(ctl_parse_req(&r, once.s, once.len, &diag) == 0);
		ctl_req_print(&twice, &r);
		assert(strcmp(once.s, twice.s) == 0);
	}
	text_free(&once);
	text_free(&twice);
}

static int reprint(const char *line, size_t len, struct text *t)
{
	enum ctl_kind kind;
	struct diag diag = {0};
	struct orc_event ev;
	struct ctl_ans ans;
	int err = ctl_parse_reply(&kind, &ans, &ev, line, len, &diag);

	if (err)
		return err;
	if (kind == CTL_ANSWER)
		ctl_ans_print(t, &ans);
	else
		ctl_event_print(t, &ev);
	return 0;
}

static void control_reply(const char *line, size_t len)
{
	struct text once = {0}, twice = {0};

	if (reprint(line, len, &once) == 0) {
		assert(reprint(once.s, once.len, &twice) == 0);
		assert(strcmp(once.s, twice.s) == 0);
	}
	text_free(&once);
	text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *line = (const char *)data;

	control_request(line, size);
	control_reply(line, size);
	ctl_token_ok(line, size, "token");
	return 0;
}
