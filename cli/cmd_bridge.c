/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_bridge.c -- rung bridge: the man in the middle of two real endpoints.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/err.h"
#include "cli/bridge.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/file.h"
#include "reports/safe.h"
#include "reports/verdicts.h"
#include "rung_version.h"

#define WHO "rung bridge"

struct options {
	struct bridge_conf bridge;
	const char *rules, *decl;
	bool color, json;
};

static void help(void)
{
	puts("Usage: rung bridge [OPTION...] PORT PORT\n\n"
	     "Stands between two real endpoints: forwards, impairs by rule, "
	     "captures both\n"
	     "sides, and judges both.  PORT is raw:, ring: or xdp:IFACE, or\n"
	     "udp:ADDR,peer=HOST: the endpoint at HOST talks to ADDR as if "
	     "that were the\n"
	     "other endpoint.  Rules are impairments as in cases: '>' is from "
	     "the first port\n"
	     "to the second.\n\n"
	     "      --rules FILE    what to do to which packets\n"
	     "  -o, --output FILE   a capture of both sides, pcapng\n"
	     "      --for T         stop after that time\n"
	     "      --silence T     stop when nothing has come for that time\n"
	     "      --decl FILE     timers and sizes of the devices; 'ref': "
	     "the reference's\n"
	     "      --no-judge      forward only\n"
	     "      --strict        remarks fail as well\n"
	     "      --json          the result as one JSON object\n"
	     "      --color WHEN    auto (default), always or never\n"
	     "  -q, --quiet         no progress\n"
	     "  -h, --help          this text");
}

/* ---- What came of it ---- */

static void print_sides(const struct options *o, const struct bridge_result *r)
{
	for (unsigned s = 0; s < 2; s++) {
		const struct bridge_side *side = &r->side[s];

		printf("%s  %s: %" PRIu64 " packets in, %" PRIu64 " out",
		       s ? "<" : ">", o->bridge.names[s], side->in, side->out);
		if (side->other)
			printf(", %" PRIu64 " others %s", side->other,
			       o->bridge.at[s].conf.kind == PORT_UDP
				       ? "ignored"
				       : "passed on");
		if (side->lost)
			printf(", %" PRIu64 " lost by the kernel", side->lost);
		if (side->cut)
			printf(", %" PRIu64 " too long", side->cut);
		if (side->refused)
			printf(", %" PRIu64 " could not leave", side->refused);
		puts("");
	}
}

static void print_rules(const struct options *o, const struct bridge_result *r)
{
	for (size_t i = 0; i < rules_count(o->bridge.rules); i++) {
		const struct step *s = rules_at(o->bridge.rules, i);
		uint32_t hits = 0;

		imp_rule_at(r->imp, i, &hits);
		printf("line %-4u %8" PRIu32 " x  %s\n", s->line, hits,
		       s->source);
	}
}

static void print_findings(const struct options *o,
			   const struct bridge_result *r)
{
	const struct verdict_opts opts = {
		.file = o->bridge.capture ? o->bridge.capture : "bridge",
		.color = o->color,
		.strict = o->bridge.strict,
	};
	struct text t = {0};

	for (size_t i = 0; i < r->nfindings; i++)
		verdict_finding(&t, &opts, &r->findings[i]);
	fputs(text_cstr(&t), stdout);
	text_free(&t);
}

/* How many rules never fired. */
static size_t never_fired(const struct bridge_result *r)
{
	size_t never = 0;
	uint32_t hits;

	for (size_t i = 0; imp_rule_at(r->imp, i, &hits); i++)
		never += !hits;
	return never;
}

static int verdict_of(const struct bridge_result *r)
{
	if (r->fails)
		return EXIT_FAILED;
	if (!(r->side[0].in + r->side[1].in))
		return EXIT_NOTHING;
	return never_fired(r) ? EXIT_INCONCLUSIVE : EXIT_PASSED;
}

static void print_verdict(const struct bridge_result *r)
{
	switch (verdict_of(r)) {
	case EXIT_FAILED:
		printf("fail: %" PRIu64 " findings\n", r->fails);
		break;
	case EXIT_NOTHING:
		puts("nothing came");
		break;
	case EXIT_INCONCLUSIVE:
		printf("inconclusive: %zu rules never fired\n", never_fired(r));
		break;
	default:
		puts("pass");
	}
}

static int conclude(const struct bridge_result *r)
{
	if (r->code)
		fprintf(stderr, "%s: %s\n", WHO, r->error);
	if (r->interrupted)
		return EXIT_INTERRUPTED;
	return r->code ? r->code : verdict_of(r);
}

/* ---- The same as JSON ---- */

/* A text of anybody's, or null. */
static json_t *text_json(const char *s)
{
	struct text t = {0};
	json_t *j;

	if (!s)
		return json_null();
	safe_puts(&t, s);
	j = json_string(text_cstr(&t));
	text_free(&t);
	return j;
}

static json_t *sides_json(const struct options *o,
			  const struct bridge_result *r)
{
	json_t *all = json_array();

	for (unsigned s = 0; s < 2; s++) {
		const struct bridge_side *side = &r->side[s];

		json_array_append_new(
			all, json_pack("{s:o,s:I,s:I,s:I,s:I,s:I,s:I}", "port",
				       text_json(o->bridge.names[s]), "in",
				       (json_int_t)side->in, "out",
				       (json_int_t)side->out, "other",
				       (json_int_t)side->other, "lost",
				       (json_int_t)side->lost, "cut",
				       (json_int_t)side->cut, "refused",
				       (json_int_t)side->refused));
	}
	return all;
}

static json_t *rules_json(const struct options *o,
			  const struct bridge_result *r)
{
	json_t *all = json_array();

	for (size_t i = 0; i < rules_count(o->bridge.rules); i++) {
		const struct step *s = rules_at(o->bridge.rules, i);
		uint32_t hits = 0;

		imp_rule_at(r->imp, i, &hits);
		json_array_append_new(all, json_pack("{s:i,s:o,s:I}", "line",
						     (int)s->line, "text",
						     text_json(s->source),
						     "hits", (json_int_t)hits));
	}
	return all;
}

static json_t *findings_json(const struct bridge_result *r)
{
	json_t *all = json_array();

	for (size_t i = 0; i < r->nfindings; i++) {
		json_t *j = json_object();

		verdict_finding_members(j, &r->findings[i]);
		json_array_append_new(all, j);
	}
	return all;
}

/* docs/bridge.schema.json */
static int print_json(const struct options *o, const struct bridge_result *r)
{
	static const char *const verdicts[] = {
		[EXIT_PASSED] = "pass",
		[EXIT_FAILED] = "fail",
		[EXIT_INCONCLUSIVE] = "inconclusive",
		[EXIT_NOTHING] = "nothing",
	};
	json_t *j = json_pack(
		"{s:s,s:{s:s,s:s,s:s},s:s,s:b,s:o,s:o,s:o,s:I,s:o,s:I,s:I,s:o}",
		"schema", "rung.bridge/1", "tool", "name", "rung", "version",
		RUNG_VERSION, "commit", RUNG_COMMIT, "verdict",
		verdicts[verdict_of(r)], "interrupted", r->interrupted, "error",
		text_json(r->code ? r->error : NULL), "capture",
		text_json(o->bridge.capture), "sides", sides_json(o, r),
		"dropped", (json_int_t)r->dropped, "rules", rules_json(o, r),
		"fails", (json_int_t)r->fails, "remarks",
		(json_int_t)r->remarks, "findings", findings_json(r));
	const bool bad = !j || json_dumpf(j, stdout, JSON_INDENT(2));

	json_decref(j);
	if (bad)
		return cli_nomem(WHO);
	puts("");
	return 0;
}

static void print_text(const struct options *o, const struct bridge_result *r)
{
	print_findings(o, r);
	print_sides(o, r);
	print_rules(o, r);
	print_verdict(r);
}

/* ---- The whole ---- */

static int read_rules(struct options *o)
{
	struct diag diag = {0};
	struct arena a = {0};
	const char *text = "";
	size_t len = 0;
	int err = o->rules ? file_read(&a, o->rules, &text, &len) : 0;

	if (err == ERR_SYS)
		diag_set(&diag, o->rules, 0, 0, NULL, "%s", strerror(errno));
	if (!err)
		err = rules_parse(&o->bridge.rules, o->rules ? o->rules : "",
				  text, len, &diag);
	arena_free(&a);
	return err ? cli_bad_text(WHO, err, &diag) : 0;
}

/* What a socket cannot do is told before anything is forwarded. */
static int check_rules(const struct options *o)
{
	const bool sockets = o->bridge.at[0].conf.kind == PORT_UDP;

	for (size_t i = 0; i < rules_count(o->bridge.rules); i++) {
		const struct step *s = rules_at(o->bridge.rules, i);

		if (sockets && rule_beyond_sockets(s))
			return cli_usage(WHO,
					 "%s:%u: addresses, UDP length and "
					 "checksum, and padding are the "
					 "kernel's on a udp: port",
					 o->rules, s->line);
	}
	return 0;
}

static int bridge(struct options *o)
{
	struct bridge_result r;
	int code = read_rules(o);

	if (!code)
		code = check_rules(o);
	if (code)
		return code;
	code = bridge_run(&o->bridge, &r);
	if (!code && o->json)
		code = print_json(o, &r);
	else if (!code)
		print_text(o, &r);
	if (!code)
		code = conclude(&r);
	bridge_free(&r);
	return code;
}

static int with_declaration(struct options *o)
{
	const bool ref = o->decl && strcmp(o->decl, "ref") == 0;
	struct decl *decl;
	int code = endpoint_decl(WHO, ref ? NULL : o->decl, true, &decl);

	if (code)
		return code;
	o->bridge.decl = decl;
	o->bridge.declared = o->decl;
	code = bridge(o);
	rules_free(o->bridge.rules);
	decl_free(decl);
	return code;
}

/* ---- Options ---- */

enum {
	OPT_RULES = 256,
	OPT_FOR,
	OPT_SILENCE,
	OPT_DECL,
	OPT_NO_JUDGE,
	OPT_STRICT,
	OPT_JSON,
	OPT_COLOR,
};

static const struct option longs[] = {
	{"rules", required_argument, NULL, OPT_RULES},
	{"output", required_argument, NULL, 'o'},
	{"for", required_argument, NULL, OPT_FOR},
	{"silence", required_argument, NULL, OPT_SILENCE},
	{"decl", required_argument, NULL, OPT_DECL},
	{"no-judge", no_argument, NULL, OPT_NO_JUDGE},
	{"strict", no_argument, NULL, OPT_STRICT},
	{"json", no_argument, NULL, OPT_JSON},
	{"color", required_argument, NULL, OPT_COLOR},
	{"colour", required_argument, NULL, OPT_COLOR},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static int read_port(struct options *o, unsigned s, const char *arg)
{
	struct port_spec *at = &o->bridge.at[s];
	const char *why;

	o->bridge.names[s] = arg;
	if (spec_port(at, arg, &why))
		return cli_usage(WHO, "%s: %s", arg, why);
	if (at->conf.kind == PORT_UDP && (!at->conf.addr.len || !at->peer.len))
		return cli_usage(WHO, "%s: expected udp:ADDR,peer=HOST", arg);
	if (at->conf.kind != PORT_UDP && (at->conf.addr.len || at->peer.len))
		return cli_usage(WHO,
				 "%s: a bridge has no address of its own there",
				 arg);
	return -1;
}

static int read_ports(struct options *o, char **argv, int n)
{
	int code;

	if (n != 2)
		return cli_usage(WHO, "two ports are needed");
	for (unsigned s = 0; s < 2; s++) {
		code = read_port(o, s, argv[s]);
		if (code >= 0)
			return code;
	}
	if ((o->bridge.at[0].conf.kind == PORT_UDP) !=
	    (o->bridge.at[1].conf.kind == PORT_UDP))
		return cli_usage(WHO, "udp: stands on both sides or on none");
	return -1;
}

/* Return: 0 or an exit code. */
static int one_option(struct options *o, int opt, const char **colour)
{
	struct bridge_conf *b = &o->bridge;

	switch (opt) {
	case OPT_RULES:
		o->rules = optarg;
		return 0;
	case 'o':
		b->capture = optarg;
		return 0;
	case OPT_FOR:
	case OPT_SILENCE:
		if (cli_span(optarg,
			     opt == OPT_FOR ? &b->duration : &b->silence))
			return 0;
		return cli_usage(WHO, "'%s' is no time: 10s, 500ms", optarg);
	case OPT_DECL:
		o->decl = optarg;
		return 0;
	case OPT_NO_JUDGE:
		b->judge = false;
		return 0;
	case OPT_STRICT:
		b->strict = true;
		return 0;
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_COLOR:
		*colour = optarg;
		return 0;
	case 'q':
		b->quiet = true;
		return 0;
	default:
		return cli_try(WHO);
	}
}

/* Return: -1 go on, else an exit code. */
static int options(int argc, char **argv, struct options *o)
{
	const char *colour = "auto";
	int opt, code = 0;

	while (!code &&
	       (opt = getopt_long(argc, argv, "o:qh", longs, NULL)) != -1) {
		if (opt == 'h') {
			help();
			return EXIT_PASSED;
		}
		code = one_option(o, opt, &colour);
	}
	if (code)
		return code;
	if (!cli_colour_word(colour))
		return cli_usage(WHO, "--color is auto, always or never");
	o->color = cli_colour(stdout, colour);
	return read_ports(o, argv + optind, argc - optind);
}

int cmd_bridge(int argc, char **argv)
{
	struct options o = {.bridge = {.who = WHO, .judge = true}};
	int code = options(argc, argv, &o);

	if (code >= 0)
		return code;
	o.bridge.stop = cli_interrupts();
	return with_declaration(&o);
}
