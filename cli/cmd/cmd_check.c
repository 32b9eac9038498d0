/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_check.c -- rung check: judges any capture passively.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/capture/netcap_xdp.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/check_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/check_run.h"
#include "cli/select.h"
#include "reports/fold.h"
#include "reports/result/verdicts.h"
#include "reports/safe.h"
#include "suite/lang/chair.h"

#define WHO "rung check"

/* Defaults of the recorder. */
#define RING_KEEP   (3600 * VSPAN_S)
#define RING_AROUND VSPAN_S
#define RING_MIB    1024

struct cmd_check {
	struct check_run_conf check_run;
	struct verdict_opts say;
	bool requirements;
	enum cli_colour_when colour;
	const char *port, *filter, *explain;
	struct recorder_conf recorder; /* |dir| NULL: no recorder */
	int worst;                     /* exit code so far */
};

/* A second port would replace the first, which then is not judged. */
static int check_take_port(const char *who, void *target, const char *value)
{
	struct cmd_check *c = target;

	if (c->port)
		return cli_usage(who,
				 "--port %s: --port %s is given already; start "
				 "one check for each interface",
				 value, c->port);
	c->port = value;
	return 0;
}

static const struct option_row check_rows[] = {
	{0, "ip-proto", "N", "the IP protocol of the native form (default 253)",
	 OPTION_NUMBER(struct cmd_check, check_run.watch.frame.ip_proto, 1,
		       UINT8_MAX)},
	{0, "flows", NULL, "print a summary of each flow",
	 OPTION_FLAG(struct cmd_check, check_run.flows)},
	{0, "requirements", NULL,
	 "print a line for each requirement that was looked at",
	 OPTION_FLAG(struct cmd_check, requirements)},
	{0, "json", NULL, "print one JSON object a line",
	 OPTION_FLAG(struct cmd_check, say.json)},
	OPTION_ROW_STRICT(struct cmd_check, check_run.strict),
	{0, "max-findings", "N", "print at most N findings (default 1000)",
	 OPTION_NUMBER(struct cmd_check, check_run.max_findings, 1,
		       UINT32_MAX / 4)},
	{0, "max-flows", "N",
	 "follow at most N flows at a time (default 65536)",
	 OPTION_NUMBER(struct cmd_check, check_run.watch.max_flows, 1,
		       UINT32_MAX / 4)},
	{0, "idle", "T",
	 "evict a flow that is silent for this time (default 60s)",
	 OPTION_TIME(struct cmd_check, check_run.watch.judge.idle)},
	{'j', "jobs", "N", "use N threads (default 1)",
	 OPTION_NUMBER(struct cmd_check, check_run.check_workers, 1,
		       CHECK_WORKERS_MAX)},
	{0, "port", "IFACE",
	 "judge a live interface until interrupted; xdp:IFACE[:QUEUE]: by "
	 "AF_XDP, which takes the frames of this queue, or of all, away from "
	 "the operating system",
	 OPTION_CALL(check_take_port)},
	{0, "filter", "EXPR", "a filter of libpcap, for a live interface",
	 OPTION_TEXT(struct cmd_check, filter)},
	{0, "ring", "DIR",
	 "keep the packets around findings in this folder, as captures; "
	 "uses one thread",
	 OPTION_FILE(struct cmd_check, recorder.dir)},
	{0, "keep", "T",
	 "with --ring: remove captures of this age (default 1h)",
	 OPTION_TIME(struct cmd_check, recorder.keep)},
	{0, "ring-size", "MIB",
	 "with --ring: remove the oldest captures, so that the folder has at "
	 "most this size (64 or more; default 1024)",
	 OPTION_NUMBER(struct cmd_check, recorder.mib, RECORDER_SIZE_MIN,
		       UINT32_MAX)},
	{0, "around", "T",
	 "with --ring: keep packets from this time before a finding until this "
	 "time after the last one (default 1s)",
	 OPTION_TIME(struct cmd_check, recorder.around)},
	{0, "explain", "ID", "print what a requirement says, and its cases",
	 OPTION_TEXT(struct cmd_check, explain)},
	OPTION_ROW_COLOUR(struct cmd_check, colour),
	OPTION_END};

static const struct option_group check_groups[] = {
	{NULL, check_option_rows, offsetof(struct cmd_check, check_run)},
	{NULL, check_rows, 0},
	OPTION_GROUPS_END};

/* ---- Explaining ---- */

static void wrapped(const char *s)
{
	while (*s) {
		const char *next;
		const size_t n = safe_wrap(s, 76, &next);

		printf("  %.*s\n", (int)n, s);
		s = next;
	}
}

static void explain_case(const struct test_case *k, enum chair chair)
{
	const unsigned width = cli_width();
	struct text t = {0}, folded = {0};

	text_printf(&t, "  %s@%s  %s\n", k->id, chair_name(chair), k->title);
	fold_text(&folded, text_cstr(&t), width ? width : FOLD_WIDTH);
	fputs(text_cstr(&folded), stdout);
	text_free(&t);
	text_free(&folded);
}

static void explain_cases(const struct corpus *c, enum req_id id,
			  enum req_role role)
{
	for (size_t i = 0; i < corpus_count(c); i++) {
		const struct test_case *k = corpus_at(c, i);

		for (int chair = 0; chair < CHAIR_COUNT; chair++)
			if (k->chairs[chair].present &&
			    chair_covers(k, (enum chair)chair, id, role))
				explain_case(k, (enum chair)chair);
	}
}

static const char *check_seen_on(enum req_seen seen)
{
	if (seen == REQ_HALVES)
		return "wire and by the control channel";
	if (seen == REQ_WIRE)
		return "wire";
	if (seen == REQ_BY_ROLE)
		return "wire, of a source by the control channel";
	return "control channel";
}

static int explain(const char *name)
{
	struct corpus *corpus = NULL;
	struct diag diag = {0};
	enum req_role role;
	const enum req_id id = req_find(name, strlen(name), &role);
	const struct req *q;
	char citation[REQ_CITATION_MAX];
	int err;

	if (id == REQ_NONE)
		return select_no_req(WHO, name);
	q = req_get(id);
	printf("%s/%s (%s, seen on the %s)\n", q->id, req_role_name(role),
	       req_level_name(q->level), check_seen_on(q->seen));
	wrapped(q->statement);
	printf("\nFrom:\n  %s\n  (catalogue: %s)\n\nCases:\n",
	       req_citation(id, citation), q->source);
	err = corpus_new(&corpus, NULL, NULL, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	explain_cases(corpus, id, role);
	corpus_free(corpus);
	return EXIT_PASSED;
}

/* ---- Judging ---- */

/* Writes text to standard output, folded to the width of a terminal. */
static bool cmd_check_print(const struct cmd_check *c, struct text *t)
{
	const unsigned width = c->say.json ? 0 : cli_width();
	struct text folded = {0};
	bool ok = !text_err(t);

	if (width)
		fold_text(&folded, text_cstr(t), width);
	else
		text_add(&folded, text_cstr(t), t->len);
	ok &= !text_err(&folded);
	fwrite(text_cstr(&folded), 1, folded.len, stdout);
	text_free(&folded);
	text_clear(t);
	return ok;
}

/* Prints a finding of a live port when it is found. */
static void say_at_once(void *arg, const struct rung_finding *f)
{
	struct cmd_check *c = arg;
	struct text t = {0};

	verdict_finding(&t, &c->say, f);
	cmd_check_print(c, &t);
	fflush(stdout);
	text_free(&t);
}

static int cmd_check_say(struct cmd_check *c, const struct check_run_result *r)
{
	struct text t = {0};
	bool ok = true;

	for (size_t i = 0; i < r->nfindings; i++) {
		verdict_finding(&t, &c->say, &r->findings[i]);
		ok &= cmd_check_print(c, &t);
	}
	for (size_t i = 0; i < r->nflows; i++) {
		verdict_flow(&t, &c->say, &r->flows[i]);
		ok &= cmd_check_print(c, &t);
	}
	for (size_t i = 0; c->requirements && i < r->nreqs; i++) {
		verdict_requirement(&t, &c->say, &r->reqs[i]);
		ok &= cmd_check_print(c, &t);
	}
	/* of a file that is no capture, the message says all */
	if (c->say.json || !r->err || r->counts.frames)
		verdict_summary(&t, &c->say, &r->sum);
	ok &= cmd_check_print(c, &t);
	fflush(stdout);
	text_free(&t);
	if (ok)
		return 0;
	return cli_nomem(WHO);
}

/* Input that is no capture, or contradicts itself, is a usage error. */
static int code_of(const struct cmd_check *c, const struct check_run_result *r)
{
	if (*c->check_run.stop)
		return EXIT_INTERRUPTED;
	if (r->err == ERR_SYNTAX)
		return EXIT_USAGE;
	if (r->err && r->err != ERR_SHORT)
		return EXIT_HARNESS;
	if (r->sum.fails)
		return EXIT_FAILED;
	if (r->err)
		return EXIT_INCONCLUSIVE;
	if (r->counts.packets)
		return EXIT_PASSED;
	return EXIT_NOTHING;
}

static int cmd_check_rank(int code)
{
	static const int order[] = {
		EXIT_PASSED,  EXIT_NOTHING, EXIT_INCONCLUSIVE, EXIT_FAILED,
		EXIT_HARNESS, EXIT_USAGE,   EXIT_INTERRUPTED};
	int i = 0;

	while (order[i] != code)
		i++;
	return i;
}

static void cmd_check_note(struct cmd_check *c, int code)
{
	if (c->worst < 0 || cmd_check_rank(code) > cmd_check_rank(c->worst))
		c->worst = code;
}

/* Return: 0 or an exit code after a message. */
static int begin_recorder(struct cmd_check *c)
{
	if (!c->recorder.dir)
		return 0;
	c->recorder.who = WHO;
	c->recorder.file = c->say.file;
	c->recorder.strict = c->check_run.strict;
	return recorder_new(&c->check_run.recorder, &c->recorder);
}

static void end_recorder(struct cmd_check *c)
{
	uint64_t captures;
	int code;

	if (!c->check_run.recorder)
		return;
	code = recorder_end(c->check_run.recorder, &captures);
	c->check_run.recorder = NULL;
	if (code)
		cmd_check_note(c, code);
	cli_remark(WHO, c->recorder.dir, "%" PRIu64 " capture%s written",
		   captures, text_plural(captures));
}

static void judge_source(struct cmd_check *c, const char *name,
			 struct source *s)
{
	struct check_run_result *r = memory_calloc(1, sizeof(*r));
	int code;

	c->say.file = name;
	if (!r) {
		cmd_check_note(c, cli_nomem(WHO));
		return;
	}
	code = begin_recorder(c);
	if (!code)
		code = check_run_begin(&c->check_run, s, r);
	if (!code)
		code = cmd_check_say(c, r);
	end_recorder(c);
	if (!code && r->err)
		cli_remark(WHO, name, "%s", r->error);
	if (!code)
		check_run_remarks(&c->check_run, name, r);
	cmd_check_note(c, code ? code : code_of(c, r));
	check_run_free(r);
	free(r);
}

static void judge_file(struct cmd_check *c, const char *path)
{
	struct source *s;
	const int code = source_open(WHO, path, &s);

	if (code) {
		cmd_check_note(c, code);
		return;
	}
	judge_source(c, path, s);
	source_close(s);
}

static int judge_port(struct cmd_check *c)
{
	const struct netcap_conf live = {
		.port = c->port,
		.filter = c->filter,
		.stop = c->check_run.stop,
		/* A recorder needs all frames in one order. */
		.queues = c->recorder.dir ? 1 : c->check_run.check_workers,
	};
	enum port_kind kind;
	struct source *s;
	int code;

	privilege_confine();
	privilege_raise();
	code = source_live(WHO, &live, &s);
	kind = netcap_is_xdp(c->port) ? PORT_XDP : PORT_RAW;
	privilege_settle(PRIVILEGE_PORT(kind), PRIVILEGE_FILES);
	if (code)
		return code;
	c->check_run.found = say_at_once;
	c->check_run.found_arg = c;
	judge_source(c, c->port, s);
	privilege_raise(); /* to remove the program of AF_XDP */
	source_close(s);
	return c->worst;
}

/* Tells if an option differs that is for a recorder. */
static bool ring_options(const struct recorder_conf *conf)
{
	return conf->keep != RING_KEEP || conf->around != RING_AROUND ||
	       conf->mib != RING_MIB;
}

static int check_inputs(struct cmd_check *c, const struct operands *files)
{
	if (c->explain)
		return explain(c->explain);
	if (c->port && files->n)
		return cli_usage(WHO, "--port judges an interface: it takes no "
				      "capture");
	if (!c->port && !files->n)
		return cli_usage(WHO, "a capture is missing");
	if (!c->recorder.dir && ring_options(&c->recorder))
		return cli_usage(WHO, "--keep, --ring-size and --around go "
				      "with --ring");
	if (c->recorder.dir && files->n > 1)
		return cli_usage(WHO, "--ring goes with one port or file");
	c->say.color = cli_use_colour(stdout, c->colour);
	c->say.strict = c->check_run.strict;
	c->check_run.stop = cli_interrupts();
	if (c->port)
		return judge_port(c);
	for (size_t i = 0; i < files->n && !*c->check_run.stop; i++)
		judge_file(c, files->at[i]);
	return c->worst;
}

static int cmd_check(int argc, char **argv)
{
	struct cmd_check c = {
		.worst = -1,
		.recorder = {.keep = RING_KEEP,
			     .around = RING_AROUND,
			     .mib = RING_MIB},
	};
	struct operands files;
	int code;

	check_run_conf_default(&c.check_run, WHO);
	code = option_read(&command_check, argc, argv, &c, &files);
	if (code < 0)
		return check_inputs(&c, &files);
	return code;
}

const struct command command_check = {
	.name = "check",
	.what = "judge captures of any devices",
	.usage = "[OPTION...] FILE...\n"
		 "[OPTION...] --port IFACE\n"
		 "--explain ID",
	.about = "Judges captures (pcap, pcapng; gzip and zstd; - is standard "
		 "input) by the monitors alone, and prints what is wrong, "
		 "which device is at fault, and what could not be decided.",
	.groups = check_groups,
	.exits = "Exit codes: 0 nothing was found, 1 at least one finding of "
		 "level M, 2 usage, or a file that is no capture or is "
		 "damaged, 3 a file ends too early, 4 no packet to judge, 5 "
		 "harness error, 130 interrupted.",
	.run = cmd_check,
};
