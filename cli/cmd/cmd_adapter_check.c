/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_adapter_check.c -- rung adapter-check: tests the control
 * channel of an adapter, without packets.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/adapter/adapter_check.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/option_read.h"
#include "cli/spec.h"
#include "suite/dut/chan/chan_connect.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/dut_chan.h"
#include "suite/dut/ctl/ctl_print.h"

#define WHO "rung adapter-check"

struct adapter_options {
	const char *dut, *control_text, *device, *tester;
	struct dut_spec spec;
	struct control_spec control;
	vspan patience;
};

static const struct option_row adapter_rows[] = {
	{0, "dut", "exec:COMMAND",
	 "the adapter: a shell command with the channel on its standard input "
	 "and output; {dut}, {tester} and {family} in it are replaced",
	 OPTION_TEXT(struct adapter_options, dut), .words = "exec:"},
	{0, "control", "SPEC",
	 "or where it listens: unix:PATH or tcp:HOST:PORT,token=T; "
	 ",token-file=PATH or ,token-fd=N hides the token from 'ps'",
	 OPTION_TEXT(struct adapter_options, control_text),
	 .words = "unix: tcp:"},
	{0, "device", "ADDR", "what {dut} stands for (default 127.0.0.2)",
	 OPTION_TEXT(struct adapter_options, device)},
	{0, "tester", "ADDR",
	 "the peer of operations; no endpoint need answer there (default "
	 "127.0.0.1)",
	 OPTION_TEXT(struct adapter_options, tester)},
	{0, "timeout", "T", "how long to wait for an answer (default 5s)",
	 OPTION_TIME(struct adapter_options, patience)},
	OPTION_END};

static const struct option_group adapter_groups[] = {{NULL, adapter_rows, 0},
						     OPTION_GROUPS_END};

/* Return: -1: continue; else an exit code. */
static int adapter_options_check(struct adapter_options *o)
{
	const char *why;

	if (!o->dut == !o->control_text)
		return cli_usage(WHO, "expected --dut exec:COMMAND or "
				      "--control SPEC");
	if (o->dut && (spec_dut(&o->spec, o->dut, &why) || !o->spec.command))
		return cli_usage(WHO, "--dut %s: expected exec:COMMAND",
				 o->dut);
	if (o->control_text && strncmp(o->control_text, "unix:", 5) != 0 &&
	    strncmp(o->control_text, "tcp:", 4) != 0)
		return cli_usage(WHO,
				 "--control %s: expected unix:PATH or "
				 "tcp:HOST:PORT; --dut exec:COMMAND has the "
				 "channel on its standard input and output",
				 o->control_text);
	if (o->control_text && spec_control(&o->control, o->control_text, &why))
		return cli_usage(WHO, "--control %s: %s", o->control_text, why);
	return -1;
}

/* Replaces {dut}, {tester} and {family}. */
static void adapter_command(struct text *t, const struct adapter_options *o)
{
	const struct {
		const char *name, *value;
	} words[] = {{"{dut}", o->device},
		     {"{tester}", o->tester},
		     {"{family}", "uet"}};
	const char *p = o->spec.command;

	while (*p) {
		size_t i = 0;

		while (i < 3 &&
		       strncmp(p, words[i].name, strlen(words[i].name)) != 0)
			i++;
		if (i < 3) {
			text_puts(t, words[i].value);
			p += strlen(words[i].name);
		} else {
			text_add(t, p++, 1);
		}
	}
}

static int adapter_start(const struct adapter_options *o, struct chan **ret,
			 char why[CHAN_WHY])
{
	struct text command = {0};
	int err = ERR_NOMEM;

	text_puts(&command, "exec ");
	adapter_command(&command, o);
	if (!command.failed) {
		const char *const argv[] = {"sh", "-c", text_cstr(&command),
					    NULL};

		err = chan_spawn(ret, argv, 0, why);
	}
	text_free(&command);
	return err;
}

static int adapter_connect(const struct adapter_options *o, struct chan **ret,
			   char why[CHAN_WHY])
{
	const char *token = spec_token(&o->control);
	struct text line = {0};
	int err;

	if (o->control.kind == CONTROL_UNIX)
		return chan_unix(ret, o->control.path, why);
	err = chan_tcp(ret, o->control.host, o->control.port, why);
	if (err || !token)
		return err;
	ctl_token_print(&line, token);
	err = chan_write(*ret, text_cstr(&line), line.len);
	text_free(&line);
	return err;
}

static int adapter_main(int argc, char **argv)
{
	struct adapter_options o = {.device = "127.0.0.2",
				    .tester = "127.0.0.1",
				    .patience = 5 * VSPAN_S};
	struct adapter_check_conf conf = {0};
	char why[CHAN_WHY] = "";
	struct operands operands;
	int code, err;

	code = option_read(&command_adapter_check, argc, argv, &o, &operands);
	if (code < 0)
		code = adapter_options_check(&o);
	if (code >= 0)
		return code;
	if (o.dut)
		err = adapter_start(&o, &conf.chan, why);
	else
		err = adapter_connect(&o, &conf.chan, why);
	if (err == ERR_NOMEM)
		return cli_nomem(WHO);
	if (err) {
		fprintf(stderr, "%s: %s\n", WHO, why);
		return EXIT_HARNESS;
	}
	conf.peer = o.tester;
	conf.patience = o.patience;
	code = adapter_check(&conf);
	chan_free(conf.chan);
	return code;
}

const struct command command_adapter_check = {
	.name = "adapter-check",
	.what = "test the control channel of an adapter",
	.usage = "[OPTION...] --dut exec:COMMAND\n"
		 "[OPTION...] --control SPEC",
	.about = "Talks to an adapter of the control channel "
		 "(docs/dut-control.md) and prints a line for each property of "
		 "the channel and for each verb: ok, FAIL (rung cannot work "
		 "with it), note (rung does not depend on it) or lacks (cases "
		 "are na). It looks at no packet; the device may send some to "
		 "the address of --tester.",
	.groups = adapter_groups,
	.exits = "Exit codes: 0 no FAIL, 1 a FAIL, 2 usage, 5 the adapter "
		 "could not be reached.",
	.no_operands = true,
	.run = adapter_main,
};
