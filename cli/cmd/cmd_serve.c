/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_serve.c -- rung serve: runs the reference endpoint as a process,
 * reached by UDP or by frames and controlled by a control channel.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/endpoint.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/spec.h"
#include "cli/variants.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/serve.h"
#include "suite/transport.h"

#define WHO "rung serve"

struct serve_options {
	const char *udp, *port, *control_text, *decl, *mutant;
	struct control_spec control;
	struct port_spec at;
	enum family family;
	bool anywhere;
	uint64_t seed;
};

static int serve_take_family(const char *who, void *target, const char *value)
{
	struct serve_options *so = target;

	if (family_find(value, strlen(value), &so->family))
		return cli_usage(who,
				 "--family is uet, srd, wqe or roce, not '%s'",
				 value);
	return 0;
}

static const struct option_row serve_rows[] = {
	{0, "port", "PORT",
	 "where to listen: udp:ADDR[:PORT] (port 4793 unless the declaration "
	 "has another one), raw:IFACE,ip=ADDR or ring:IFACE,ip=ADDR",
	 OPTION_TEXT(struct serve_options, port), .words = "udp: raw: ring:"},
	{0, "udp", "ADDR[:PORT]", "the same as --port udp:ADDR[:PORT]",
	 OPTION_TEXT(struct serve_options, udp)},
	{0, "family", "NAME",
	 "uet (default), srd (port 61792), wqe (61791) or roce (4791)",
	 OPTION_CALL(serve_take_family), .words = "uet srd wqe roce"},
	{0, "control", "SPEC",
	 "the control channel: stdio, unix:PATH or tcp:HOST:PORT,token=T; "
	 ",token-file=PATH or ,token-fd=N hides the token from 'ps'; without "
	 "--control the endpoint cannot be asked to send",
	 OPTION_TEXT(struct serve_options, control_text),
	 .words = "stdio unix: tcp:"},
	{0, "anywhere", NULL,
	 "let tcp: also listen on addresses that are not loopback",
	 OPTION_FLAG(struct serve_options, anywhere)},
	{0, "decl", "FILE", "configure the endpoint by this declaration",
	 OPTION_FILE(struct serve_options, decl)},
	OPTION_ROW_MUTANT(struct serve_options, mutant),
	{0, "seed", "N", "the seed of PDCIDs and PSNs (default 1)",
	 OPTION_NUMBER(struct serve_options, seed, 0, UINT64_MAX)},
	OPTION_END};

static const struct option_group serve_groups[] = {{NULL, serve_rows, 0},
						   OPTION_GROUPS_END};

/*
 * Parses addresses and the control channel.  Return: -1: continue; else an exit
 * code.
 */
static int options_check(struct serve_options *so)
{
	const char *why;

	if (!so->udp && !so->port)
		return cli_usage(WHO, "--port is missing: it says where the "
				      "endpoint listens");
	if (so->udp && so->port)
		return cli_usage(WHO, "--udp and --port are the same");
	if (so->udp && !spec_endpoint(&so->at.conf.addr, &so->at.conf.udp_port,
				      so->udp, strlen(so->udp)))
		return cli_usage(WHO, "--udp %s: expected ADDR[:PORT]",
				 so->udp);
	if (so->port && spec_port(&so->at, so->port, &why))
		return cli_usage(WHO, "--port %s: %s", so->port, why);
	if (!so->at.conf.addr.len)
		return cli_usage(WHO, "--port %s: expected ,ip=ADDR", so->port);
	if (so->control_text &&
	    spec_control(&so->control, so->control_text, &why))
		return cli_usage(WHO, "--control %s: %s", so->control_text,
				 why);
	if (so->control.kind == CONTROL_TCP && !spec_token(&so->control))
		return cli_usage(WHO, "--control tcp: add ,token=T, "
				      ",token-file=PATH or ,token-fd=N");
	return -1;
}

static void cmd_serve_ready(void *ctx, const char *line)
{
	const struct serve_options *so = ctx;

	privilege_settle(PRIVILEGE_PORT(so->at.conf.kind),
			 so->control.kind == CONTROL_UNIX ? PRIVILEGE_UNIX : 0);
	/* On stdio the peer learns this from the answer to its hello. */
	if (so->control.kind != CONTROL_STDIO)
		fprintf(stderr, "%s: listening: %s\n", WHO, line);
}

static void cmd_serve_ends(void *ctx)
{
	(void)ctx;
	privilege_raise();
}

static void cmd_serve_control(struct serve_options *so, struct serve_conf *ret)
{
	static const enum serve_control kinds[] = {
		[CONTROL_NONE] = SERVE_NONE,
		[CONTROL_STDIO] = SERVE_FDS,
		[CONTROL_UNIX] = SERVE_UNIX,
		[CONTROL_TCP] = SERVE_TCP,
	};

	ret->control = kinds[so->control.kind];
	ret->in = STDIN_FILENO;
	ret->out = STDOUT_FILENO;
	ret->path = so->control.path;
	ret->host = so->control.host;
	ret->tcp_port = so->control.port;
	ret->token = spec_token(&so->control);
	ret->anywhere = so->anywhere;
	ret->ready = cmd_serve_ready;
	ret->ends = cmd_serve_ends;
	ret->ready_ctx = so;
}

static int serve_endpoint(struct serve_options *so,
			  const struct variants *variants,
			  const struct decl *decl)
{
	struct serve_conf conf = {
		.api = variants->api,
		.port = so->at.conf,
		.memory_key = suite_families[so->family]->connected
				      ? decl->rkey
				      : decl->memory_key,
		.memory_offset = decl->memory_offset,
		.memory_len = decl->memory_len,
		.interrupted = cli_interrupts(),
	};
	char why[CHAN_WHY] = "";
	int err, code;

	if (!conf.port.udp_port && so->family == MAIN_FAMILY)
		conf.port.udp_port = decl->udp_port;
	conf.port.family = so->family;
	endpoint_conf(&conf.orc, decl, so->family, so->at.conf.addr);
	code = variants_conf(WHO, variants, &conf.orc);
	if (code)
		return code;
	conf.orc.native = so->at.native;
	conf.orc.seed = so->seed;
	cmd_serve_control(so, &conf);
	err = serve_run(&conf, why);
	if (err == ERR_NOMEM)
		return cli_nomem(WHO);
	if (err)
		fprintf(stderr, "%s: %s\n", WHO, why);
	if (err == ERR_VALUE)
		return EXIT_USAGE;
	if (err)
		return EXIT_HARNESS;
	return EXIT_PASSED;
}

static int cmd_serve(int argc, char **argv)
{
	struct serve_options so = {.seed = 1};
	struct operands none;
	struct variants variants;
	struct decl *decl;
	int code = option_read(&command_serve, argc, argv, &so, &none);

	if (code < 0)
		code = options_check(&so);
	if (code >= 0)
		return code;
	privilege_confine();
	code = variants_load(WHO, so.mutant, &variants);
	if (!code)
		code = endpoint_decl(WHO, so.decl, &variants, true, &decl);
	if (code)
		return code;
	code = serve_endpoint(&so, &variants, decl);
	decl_free(decl);
	return code;
}

const struct command command_serve = {
	.name = "serve",
	.what = "run the reference endpoint as a process",
	.usage = "--port PORT [OPTION...]",
	.about = "Plays the reference endpoint until its control channel ends "
		 "or a signal interrupts it.",
	.groups = serve_groups,
	.exits = "Exit codes: 0 the control channel ended, or a signal came, "
		 "2 usage or configuration, 5 the port or the control "
		 "channel cannot be opened, or the endpoint failed.",
	.no_operands = true,
	.run = cmd_serve,
};
