/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_serve.c -- rung serve: the reference endpoint as a process, reached
 * by UDP or by frames and told what to do by a control channel.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/mutants.h"
#include "cli/privilege.h"
#include "cli/spec.h"
#include "suite/serve.h"

#define WHO "rung serve"

struct serve_options {
	const char *udp, *port, *control_text, *decl, *mutant;
	struct control_spec control;
	struct port_spec at;
	enum family family;
	bool anywhere;
	uint64_t seed;
};

static void help(void)
{
	puts("Usage: rung serve --port PORT [OPTION...]\n\n"
	     "Is the reference endpoint until its control channel ends or it "
	     "is interrupted.\n\n"
	     "      --port PORT        where it listens: udp:ADDR[:PORT] (4793 "
	     "unless declared\n"
	     "                         otherwise), raw:IFACE,ip=ADDR or "
	     "ring:IFACE,ip=ADDR\n"
	     "      --udp ADDR[:PORT]  the same as --port udp:ADDR[:PORT]\n"
	     "      --family NAME      uet, srd (port 61792), wqe (61791)\n"
	     "                         or roce (4791)\n"
	     "      --control SPEC     stdio, unix:PATH, or "
	     "tcp:HOST:PORT,token=T; also\n"
	     "                         ,token-file=PATH and ,token-fd=N, which "
	     "hide the token\n"
	     "                         from 'ps'; without --control nobody "
	     "can ask it to send\n"
	     "      --anywhere         tcp: listen on other than loopback "
	     "addresses too\n"
	     "      --decl FILE        be what this declaration says\n"
	     "      --mutant NAME      with a bug in it (docs/mutants.md)\n"
	     "      --seed N           of PDCIDs and PSNs (default 1)\n"
	     "  -h, --help             this text");
}

enum {
	OPT_UDP = 256,
	OPT_PORT,
	OPT_FAMILY,
	OPT_CONTROL,
	OPT_ANYWHERE,
	OPT_DECL,
	OPT_MUTANT,
	OPT_SEED,
};

static const struct option longs[] = {
	{"udp", required_argument, NULL, OPT_UDP},
	{"port", required_argument, NULL, OPT_PORT},
	{"family", required_argument, NULL, OPT_FAMILY},
	{"control", required_argument, NULL, OPT_CONTROL},
	{"anywhere", no_argument, NULL, OPT_ANYWHERE},
	{"decl", required_argument, NULL, OPT_DECL},
	{"mutant", required_argument, NULL, OPT_MUTANT},
	{"variant", required_argument, NULL, OPT_MUTANT},
	{"seed", required_argument, NULL, OPT_SEED},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* What the options say, taken apart.  Return: -1 go on, else an exit code. */
static int options_check(struct serve_options *so)
{
	const char *why;

	if (!so->udp && !so->port)
		return cli_usage(WHO, "--port is missing: where to listen");
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
		return cli_usage(WHO, "--control tcp: needs a token");
	return -1;
}

static int options(int argc, char **argv, struct serve_options *so)
{
	int o;

	while ((o = getopt_long(argc, argv, "h", longs, NULL)) != -1)
		switch (o) {
		case OPT_UDP:
			so->udp = optarg;
			break;
		case OPT_PORT:
			so->port = optarg;
			break;
		case OPT_FAMILY:
			if (family_find(optarg, strlen(optarg), &so->family))
				return cli_usage(
					WHO,
					"--family is uet, srd, wqe or roce");
			break;
		case OPT_CONTROL:
			so->control_text = optarg;
			break;
		case OPT_ANYWHERE:
			so->anywhere = true;
			break;
		case OPT_DECL:
			so->decl = optarg;
			break;
		case OPT_MUTANT:
			so->mutant = optarg;
			break;
		case OPT_SEED:
			if (!cli_number(optarg, UINT64_MAX, &so->seed))
				return cli_usage(WHO, "--seed is a number");
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		default:
			return cli_try(WHO);
		}
	if (optind < argc)
		return cli_usage(WHO, "'%s' is not wanted here", argv[optind]);
	return options_check(so);
}

static void ready(void *ctx, const char *line)
{
	const struct serve_options *so = ctx;

	if (so->at.conf.kind != PORT_UDP)
		privilege_drop(false);
	/* On stdio the other side knows when the hello is answered. */
	if (so->control.kind != CONTROL_STDIO)
		fprintf(stderr, "%s: listening: %s\n", WHO, line);
}

static void control(struct serve_options *so, struct serve_conf *ret)
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
	ret->ready = ready;
	ret->ready_ctx = so;
}

static int serve(struct serve_options *so, const struct decl *decl)
{
	struct serve_conf conf = {
		.api = &orc_reference,
		.port = so->at.conf,
		.memory_key = decl->memory_key,
		.memory_len = decl->memory_len,
		.interrupted = cli_interrupts(),
	};
	char why[CHAN_WHY] = "";
	int err, code;

	if (so->mutant) {
		code = mutant_load(WHO, so->mutant, &conf.api);
		if (code)
			return code;
	}
	if (!conf.port.udp_port && so->family == FAMILY_UET)
		conf.port.udp_port = decl->udp_port;
	conf.port.family = so->family;
	endpoint_conf(&conf.orc, decl, so->family, so->at.conf.addr);
	conf.orc.native = so->at.native;
	conf.orc.seed = so->seed;
	control(so, &conf);
	err = serve_run(&conf, why);
	if (err == ERR_NOMEM)
		return cli_nomem(WHO);
	if (err)
		fprintf(stderr, "%s: %s\n", WHO, why);
	return err == ERR_VALUE ? EXIT_USAGE : err ? EXIT_HARNESS : EXIT_PASSED;
}

int cmd_serve(int argc, char **argv)
{
	struct serve_options so = {.seed = 1};
	struct decl *decl;
	int code = options(argc, argv, &so);

	if (code >= 0)
		return code;
	code = endpoint_decl(WHO, so.decl, true, &decl);
	if (code)
		return code;
	code = serve(&so, decl);
	decl_free(decl);
	return code;
}
