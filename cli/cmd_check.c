/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_check.c -- rung check: the passive judge on anybody's capture.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/jury.h"
#include "cli/select.h"
#include "reports/safe.h"
#include "reports/verdicts.h"

#define WHO "rung check"

struct check {
	struct jury_conf jury;
	struct verdict_opts say;
	bool requirements;
	const char *port, *filter, *explain;
	int worst; /* exit code so far */
};

static void help(void)
{
	puts("Usage: rung check [OPTION...] FILE...\n"
	     "       rung check [OPTION...] --port IFACE\n"
	     "       rung check --explain ID\n\n"
	     "Judges captures (pcap, pcapng; gzip and zstd; - is standard "
	     "input) by the\n"
	     "monitors alone and prints what is wrong, whose fault it is, and "
	     "what could\n"
	     "not be known.\n\n"
	     "      --whole          I vouch: no packet of the flows is "
	     "missing\n"
	     "      --at ADDR        captured at the link of this address\n"
	     "      --decl FILE      timers and sizes of the devices; 'ref': "
	     "the reference's\n"
	     "      --trimmed N[,N]  DSCP of trimmed packets, and at the last "
	     "hop\n"
	     "      --udp-port N     UET's UDP port (default 4793)\n"
	     "      --ip-proto N     and protocol of the native form (253)\n"
	     "      --sizes LIST     headers of other sizes than usual: "
	     "ack_ccx=32,\n"
	     "                       nack_ccx=24, payload_length=12 (bits), "
	     "or some of them\n"
	     "      --flows          a summary of each flow\n"
	     "      --requirements   and of each requirement that was looked "
	     "at\n"
	     "      --json           one JSON object a line\n"
	     "      --strict         remarks fail as well\n"
	     "      --max-findings N print so many (default 1000)\n"
	     "      --max-flows N    followed at a time (default 65536)\n"
	     "      --idle T         put a flow aside after that silence "
	     "(default 60s)\n"
	     "  -j, --jobs N         threads (default 1)\n"
	     "      --port IFACE     judge a live port until interrupted\n"
	     "      --filter EXPR    of libpcap, for a live port\n"
	     "      --explain ID     what a requirement says, and its cases\n"
	     "      --color WHEN     auto (default), always or never\n"
	     "  -h, --help           this text");
}

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

static void explain_cases(const struct corpus *c, enum req_id id,
			  enum req_role role)
{
	for (size_t i = 0; i < corpus_count(c); i++) {
		const struct kase *k = corpus_at(c, i);

		for (int chair = 0; chair < CHAIR_COUNT; chair++)
			if (k->chairs[chair].present &&
			    chair_covers(k, (enum chair)chair, id, role))
				printf("  %s@%s  %s\n", k->id,
				       chair_name((enum chair)chair), k->title);
	}
}

static int explain(const char *name)
{
	struct corpus *corpus = NULL;
	struct diag diag = {0};
	enum req_role role;
	const enum req_id id = req_find(name, strlen(name), &role);
	const struct req *q;
	int err;

	if (id == REQ_NONE)
		return cli_usage(WHO, "there is no requirement '%s'", name);
	q = req_get(id);
	printf("%s/%s (%s, seen on the %s)\n", q->id, req_role_name(role),
	       req_level_name(q->level),
	       q->seen == REQ_HALVES ? "wire and by the control channel"
	       : q->seen == REQ_WIRE ? "wire"
				     : "control channel");
	wrapped(q->statement);
	printf("\nFrom:\n  %s\n\nCases:\n", q->source);
	err = corpus_new(&corpus, NULL, NULL, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	explain_cases(corpus, id, role);
	corpus_free(corpus);
	return EXIT_PASSED;
}

/* ---- Judging ---- */

static bool print(struct text *t)
{
	const bool ok = !text_err(t);

	fwrite(text_cstr(t), 1, t->len, stdout);
	text_clear(t);
	return ok;
}

static int say(struct check *c, const struct jury_result *r)
{
	struct text t = {0};
	bool ok = true;

	for (size_t i = 0; i < r->nfindings; i++) {
		verdict_finding(&t, &c->say, &r->findings[i]);
		ok &= print(&t);
	}
	for (size_t i = 0; i < r->nflows; i++) {
		verdict_flow(&t, &c->say, &r->flows[i].flow);
		ok &= print(&t);
	}
	for (size_t i = 0; c->requirements && i < r->nreqs; i++) {
		verdict_requirement(&t, &c->say, &r->reqs[i]);
		ok &= print(&t);
	}
	verdict_summary(&t, &c->say, &r->sum);
	ok &= print(&t);
	fflush(stdout);
	text_free(&t);
	return ok ? 0 : cli_nomem(WHO);
}

/* What is no capture, or lies, is a matter of what we were given. */
static int code_of(const struct check *c, const struct jury_result *r)
{
	if (*c->jury.stop)
		return EXIT_INTERRUPTED;
	if (r->err == ERR_SYNTAX)
		return EXIT_USAGE;
	if (r->err && r->err != ERR_SHORT)
		return EXIT_HARNESS;
	if (r->sum.fails)
		return EXIT_FAILED;
	if (r->err)
		return EXIT_INCONCLUSIVE;
	return r->counts.packets ? EXIT_PASSED : EXIT_NOTHING;
}

static int rank(int code)
{
	static const int order[] = {
		EXIT_PASSED,  EXIT_NOTHING, EXIT_INCONCLUSIVE, EXIT_FAILED,
		EXIT_HARNESS, EXIT_USAGE,   EXIT_INTERRUPTED};
	int i = 0;

	while (order[i] != code)
		i++;
	return i;
}

static void note(struct check *c, int code)
{
	if (c->worst < 0 || rank(code) > rank(c->worst))
		c->worst = code;
}

static void judge_source(struct check *c, const char *name, struct source *s)
{
	struct jury_result *r = calloc(1, sizeof(*r));
	int code;

	c->say.file = name;
	if (!r) {
		note(c, cli_nomem(WHO));
		return;
	}
	code = jury_sit(&c->jury, s, r);
	if (!code)
		code = say(c, r);
	if (!code && r->err)
		fprintf(stderr, "%s: %s: %s\n", WHO, name, r->error);
	note(c, code ? code : code_of(c, r));
	jury_free(r);
	free(r);
}

static void judge_file(struct check *c, const char *path)
{
	struct source *s;
	const int code = source_open(WHO, path, &s);

	if (code) {
		note(c, code);
		return;
	}
	judge_source(c, path, s);
	source_close(s);
}

static int judge_port(struct check *c)
{
	struct source *s;
	const int code = source_live(WHO, c->port, c->filter, c->jury.stop, &s);

	if (code)
		return code;
	judge_source(c, c->port, s);
	source_close(s);
	return c->worst;
}

/* ---- Options ---- */

enum {
	OPT_WHOLE = 256,
	OPT_AT,
	OPT_DECL,
	OPT_TRIMMED,
	OPT_UDP_PORT,
	OPT_IP_PROTO,
	OPT_SIZES,
	OPT_FLOWS,
	OPT_REQUIREMENTS,
	OPT_JSON,
	OPT_STRICT,
	OPT_MAX_FINDINGS,
	OPT_MAX_FLOWS,
	OPT_IDLE,
	OPT_PORT,
	OPT_FILTER,
	OPT_EXPLAIN,
	OPT_COLOR,
};

static const struct option longs[] = {
	{"whole", no_argument, NULL, OPT_WHOLE},
	{"at", required_argument, NULL, OPT_AT},
	{"decl", required_argument, NULL, OPT_DECL},
	{"trimmed", required_argument, NULL, OPT_TRIMMED},
	{"udp-port", required_argument, NULL, OPT_UDP_PORT},
	{"ip-proto", required_argument, NULL, OPT_IP_PROTO},
	{"sizes", required_argument, NULL, OPT_SIZES},
	{"flows", no_argument, NULL, OPT_FLOWS},
	{"requirements", no_argument, NULL, OPT_REQUIREMENTS},
	{"json", no_argument, NULL, OPT_JSON},
	{"strict", no_argument, NULL, OPT_STRICT},
	{"max-findings", required_argument, NULL, OPT_MAX_FINDINGS},
	{"max-flows", required_argument, NULL, OPT_MAX_FLOWS},
	{"idle", required_argument, NULL, OPT_IDLE},
	{"jobs", required_argument, NULL, 'j'},
	{"port", required_argument, NULL, OPT_PORT},
	{"filter", required_argument, NULL, OPT_FILTER},
	{"explain", required_argument, NULL, OPT_EXPLAIN},
	{"color", required_argument, NULL, OPT_COLOR},
	{"colour", required_argument, NULL, OPT_COLOR},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Return: 0, or an exit code after a message. */
static int number_option(struct check *c, int o)
{
	const uint64_t max = o == 'j'            ? JURY_MAX
			     : o == OPT_UDP_PORT ? UINT16_MAX
			     : o == OPT_IP_PROTO ? UINT8_MAX
						 : UINT32_MAX / 4;
	uint64_t n;

	if (!cli_number(optarg, max, &n) || !n)
		return cli_usage(WHO, "'%s' is no number from 1 to %llu",
				 optarg, (unsigned long long)max);
	if (o == 'j')
		c->jury.jurors = (unsigned)n;
	else if (o == OPT_UDP_PORT)
		c->jury.watch.frame.udp_port = (uint16_t)n;
	else if (o == OPT_IP_PROTO)
		c->jury.watch.frame.ip_proto = (uint8_t)n;
	else if (o == OPT_MAX_FINDINGS)
		c->jury.max_findings = (size_t)n;
	else
		c->jury.watch.max_flows = (size_t)n;
	return 0;
}

static void word_option(struct check *c, int o)
{
	switch (o) {
	case OPT_WHOLE:
		c->jury.watch.judge.whole = true;
		break;
	case OPT_FLOWS:
		c->jury.flows = true;
		break;
	case OPT_REQUIREMENTS:
		c->requirements = true;
		break;
	case OPT_JSON:
		c->say.json = true;
		break;
	case OPT_STRICT:
		c->jury.strict = c->say.strict = true;
		break;
	case OPT_PORT:
		c->port = optarg;
		break;
	case OPT_FILTER:
		c->filter = optarg;
		break;
	case OPT_EXPLAIN:
		c->explain = optarg;
		break;
	}
}

/* Return: -1 go on, else an exit code. */
static int options(int argc, char **argv, struct check *c)
{
	const char *colour = "auto";
	int o, code = 0;

	while (!code && (o = getopt_long(argc, argv, "hj:", longs, NULL)) != -1)
		switch (o) {
		case 'j':
		case OPT_UDP_PORT:
		case OPT_IP_PROTO:
		case OPT_MAX_FINDINGS:
		case OPT_MAX_FLOWS:
			code = number_option(c, o);
			break;
		case OPT_SIZES:
			if (!foreign_read(&c->jury.watch.foreign, optarg))
				code = cli_usage(WHO,
						 "--sizes %s: expected "
						 "ack_ccx=32, nack_ccx=24 or "
						 "payload_length=12",
						 optarg);
			break;
		case OPT_AT:
			code = jury_at(&c->jury, optarg);
			break;
		case OPT_DECL:
			code = jury_decl(&c->jury, optarg);
			break;
		case OPT_TRIMMED:
			code = jury_trimmed(&c->jury, optarg);
			break;
		case OPT_IDLE:
			if (!cli_span(optarg, &c->jury.watch.judge.idle))
				code = cli_usage(WHO, "--idle is a time");
			break;
		case OPT_COLOR:
			colour = optarg;
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		case '?':
			return cli_try(WHO);
		default:
			word_option(c, o);
		}
	if (code)
		return code;
	if (!cli_colour_word(colour))
		return cli_usage(WHO, "--color is auto, always or never");
	c->say.color = cli_colour(stdout, colour);
	return -1;
}

static int check(struct check *c, int argc, char **argv)
{
	if (c->explain)
		return explain(c->explain);
	if (!c->port == (optind == argc))
		return cli_usage(WHO, c->port ? "a port or files, not both"
					      : "a capture is missing");
	c->jury.stop = cli_interrupts();
	if (c->port)
		return judge_port(c);
	for (int i = optind; i < argc && !*c->jury.stop; i++)
		judge_file(c, argv[i]);
	return c->worst;
}

int cmd_check(int argc, char **argv)
{
	struct check c = {.worst = -1};
	int code;

	jury_conf_default(&c.jury, WHO);
	code = options(argc, argv, &c);
	return code < 0 ? check(&c, argc, argv) : code;
}
