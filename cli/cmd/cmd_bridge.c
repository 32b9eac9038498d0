/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_bridge.c -- rung bridge: forwards between two real endpoints,
 * with impairments.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/bridge.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/endpoint.h"
#include "cli/file/file.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/spec_port.h"
#include "reports/result/verdicts.h"
#include "reports/safe.h"
#include "rung_version.h"

#define WHO "rung bridge"

struct cmd_bridge_options {
	struct bridge_conf bridge;
	const char *rules, *decl;
	enum cli_colour_when colour;
	bool color, json;
};

static const struct option_row bridge_rows[] = {
	{0, "rules", "FILE", "impair packets by the rules in FILE",
	 OPTION_FILE(struct cmd_bridge_options, rules)},
	{'o', "output", "FILE", "write a capture of both sides, pcapng",
	 OPTION_FILE(struct cmd_bridge_options, bridge.capture)},
	{0, "for", "T", "stop after this time",
	 OPTION_TIME(struct cmd_bridge_options, bridge.duration)},
	{0, "silence", "T", "stop when no packet has come for this time",
	 OPTION_TIME(struct cmd_bridge_options, bridge.silence)},
	{0, "decl", "FILE",
	 "the declaration that gives the timers and sizes of the devices; "
	 "'ref': that of the reference",
	 OPTION_FILE(struct cmd_bridge_options, decl)},
	{0, "no-judge", NULL, "forward, but do not judge",
	 OPTION_CLEAR(struct cmd_bridge_options, bridge.judge)},
	OPTION_ROW_STRICT(struct cmd_bridge_options, bridge.strict),
	{0, "json", NULL, "print the result as one JSON object",
	 OPTION_FLAG(struct cmd_bridge_options, json)},
	OPTION_ROW_COLOUR(struct cmd_bridge_options, colour),
	OPTION_ROW_QUIET(struct cmd_bridge_options, bridge.quiet),
	OPTION_END};

static const struct option_group bridge_groups[] = {{NULL, bridge_rows, 0},
						    OPTION_GROUPS_END};

/* ---- Results ---- */

static void print_sides(const struct cmd_bridge_options *o,
			const struct bridge_result *r)
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

static void print_rules(const struct cmd_bridge_options *o,
			const struct bridge_result *r)
{
	for (size_t i = 0; i < rules_count(o->bridge.rules); i++) {
		const struct step *s = rules_at(o->bridge.rules, i);
		uint32_t hits = 0;

		imp_rule_at(r->imp, i, &hits);
		printf("line %-4u %8" PRIu32 " x  %s\n", s->line, hits,
		       s->source);
	}
}

static void print_findings(const struct cmd_bridge_options *o,
			   const struct bridge_result *r)
{
	const struct verdict_opts opts = {
		.file = text_or(o->bridge.capture, "bridge"),
		.color = o->color,
		.strict = o->bridge.strict,
	};
	struct text t = {0};

	for (size_t i = 0; i < r->nfindings; i++)
		verdict_finding(&t, &opts, &r->findings[i]);
	fputs(text_cstr(&t), stdout);
	text_free(&t);
}

/* Returns how many rules never fired. */
static size_t never_fired(const struct bridge_result *r)
{
	size_t never = 0;
	uint32_t hits;

	for (size_t i = 0; imp_rule_at(r->imp, i, &hits); i++)
		never += !hits;
	return never;
}

static int cmd_bridge_verdict_of(const struct bridge_result *r)
{
	if (r->fails)
		return EXIT_FAILED;
	if (!(r->side[0].in + r->side[1].in))
		return EXIT_NOTHING;
	if (never_fired(r))
		return EXIT_INCONCLUSIVE;
	return EXIT_PASSED;
}

static void print_verdict(const struct bridge_result *r)
{
	switch (cmd_bridge_verdict_of(r)) {
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
	if (r->code)
		return r->code;
	return cmd_bridge_verdict_of(r);
}

/* ---- The same as JSON ---- */

/* Makes a string from untrusted text, or null. */
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

static json_t *sides_json(const struct cmd_bridge_options *o,
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

static json_t *rules_json(const struct cmd_bridge_options *o,
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
static int cmd_bridge_print_json(const struct cmd_bridge_options *o,
				 const struct bridge_result *r)
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
		verdicts[cmd_bridge_verdict_of(r)], "interrupted",
		r->interrupted, "error", text_json(r->code ? r->error : NULL),
		"capture", text_json(o->bridge.capture), "sides",
		sides_json(o, r), "dropped", (json_int_t)r->dropped, "rules",
		rules_json(o, r), "fails", (json_int_t)r->fails, "remarks",
		(json_int_t)r->remarks, "findings", findings_json(r));
	const bool bad = !j || json_dumpf(j, stdout, JSON_INDENT(2));

	json_decref(j);
	if (bad)
		return cli_nomem(WHO);
	puts("");
	return 0;
}

static void cmd_bridge_print_text(const struct cmd_bridge_options *o,
				  const struct bridge_result *r)
{
	print_findings(o, r);
	print_sides(o, r);
	print_rules(o, r);
	print_verdict(r);
}

/* ---- The command ---- */

static int read_rules(struct cmd_bridge_options *o)
{
	struct diag diag = {0};
	struct arena a = {0};
	const char *text = "";
	size_t len = 0;
	int err = o->rules ? file_read(&a, o->rules, &text, &len) : 0;

	if (err == ERR_SYS)
		diag_set(&diag, o->rules, 0, 0, NULL, "%s", strerror(errno));
	if (!err)
		err = rules_parse(&o->bridge.rules, text_or(o->rules, ""), text,
				  len, &diag);
	arena_free(&a);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	return 0;
}

/* Reports rules that a socket cannot apply, before forwarding starts. */
static int check_rules(const struct cmd_bridge_options *o)
{
	const bool sockets = o->bridge.at[0].conf.kind == PORT_UDP;

	for (size_t i = 0; i < rules_count(o->bridge.rules); i++) {
		const struct step *s = rules_at(o->bridge.rules, i);

		if (sockets && rule_beyond_sockets(s))
			return cli_usage(
				WHO,
				"%s:%u: on a udp: port the kernel sets "
				"addresses, UDP length and checksum, "
				"and padding",
				o->rules, s->line);
		if (s->rewrite.ext)
			return cli_usage(WHO,
					 "%s:%u: the bridge adds no extension "
					 "headers: 'ext=' is for cases",
					 o->rules, s->line);
	}
	return 0;
}

static int bridge(struct cmd_bridge_options *o)
{
	struct bridge_result r;
	int code = read_rules(o);

	if (!code)
		code = check_rules(o);
	if (code)
		return code;
	code = bridge_run(&o->bridge, &r);
	if (!code && o->json)
		code = cmd_bridge_print_json(o, &r);
	else if (!code)
		cmd_bridge_print_text(o, &r);
	if (!code)
		code = conclude(&r);
	bridge_free(&r);
	return code;
}

static int with_declaration(struct cmd_bridge_options *o)
{
	const bool ref = o->decl && strcmp(o->decl, "ref") == 0;
	struct decl *decl;
	int code = endpoint_decl(WHO, ref ? NULL : o->decl, NULL, true, &decl);

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

static int cmd_bridge_read_port(struct cmd_bridge_options *o, unsigned s,
				const char *arg)
{
	struct port_spec *at = &o->bridge.at[s];
	const char *why;

	o->bridge.names[s] = arg;
	if (!spec_is_port(arg))
		return cli_usage(WHO,
				 "%s: expected udp:ADDR,peer=HOST, raw:IFACE, "
				 "ring:IFACE or xdp:IFACE[:QUEUE]",
				 arg);
	if (spec_port(at, arg, &why))
		return cli_usage(WHO, "%s: %s", arg, why);
	if (at->conf.kind == PORT_UDP && (!at->conf.addr.len || !at->peer.len))
		return cli_usage(WHO, "%s: expected udp:ADDR,peer=HOST", arg);
	if (at->conf.kind != PORT_UDP && (at->conf.addr.len || at->peer.len))
		return cli_usage(
			WHO,
			"%s: the bridge has no address of its own on this port",
			arg);
	return -1;
}

static int read_ports(struct cmd_bridge_options *o, char **argv, size_t n)
{
	int code;

	if (n != 2)
		return cli_usage(WHO, "two ports are needed");
	for (unsigned s = 0; s < 2; s++) {
		code = cmd_bridge_read_port(o, s, argv[s]);
		if (code >= 0)
			return code;
	}
	if ((o->bridge.at[0].conf.kind == PORT_UDP) !=
	    (o->bridge.at[1].conf.kind == PORT_UDP))
		return cli_usage(WHO, "both ports must be udp:, or neither");
	return -1;
}

static int cmd_bridge(int argc, char **argv)
{
	struct cmd_bridge_options o = {.bridge = {.who = WHO, .judge = true}};
	struct operands ports;
	int code = option_read(&command_bridge, argc, argv, &o, &ports);

	if (code < 0)
		code = read_ports(&o, ports.at, ports.n);
	if (code >= 0)
		return code;
	o.color = cli_use_colour(stdout, o.colour);
	o.bridge.stop = cli_interrupts();
	return with_declaration(&o);
}

const struct command command_bridge = {
	.name = "bridge",
	.what = "forward between two endpoints, and impair by rule",
	.usage = "[OPTION...] PORT PORT",
	.about =
		"Stands between two real endpoints: forwards, impairs by rule, "
		"captures both sides, and judges both.\n\n"
		"PORT is raw:, ring: or xdp:IFACE, or udp:ADDR,peer=HOST: the "
		"endpoint at HOST talks to ADDR as if that were the other "
		"endpoint. Rules are impairments as in cases: '>' is from the "
		"first port to the second.",
	.groups = bridge_groups,
	.exits = "Exit codes: 0 no finding of level M, and every rule fired, "
		 "1 an endpoint broke a requirement, 2 usage or "
		 "configuration, 3 a rule never fired, 4 no packet came, 5 a "
		 "port failed, 130 interrupted.",
	.run = cmd_bridge,
};
