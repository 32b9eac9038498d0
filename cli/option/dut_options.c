/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/dut_options.c -- reads the options that choose the device, the way
 * to reach it, and its declaration.
 */
#include "cli/option/dut_options.h"

#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "cli/option/option_rows.h"
#include "reports/words.h"

int dut_options_take_dut(const char *who, void *target, const char *value)
{
	struct dut_setup_conf *conf = target;
	const char *why;

	if (!spec_dut(&conf->dut, value, &why))
		return 0;
	return cli_usage(who, "--dut %s: %s", value, why);
}

int dut_options_take_control(const char *who, void *target, const char *value)
{
	struct dut_setup_conf *conf = target;
	const char *why;

	conf->control_text = value;
	if (!spec_control(&conf->control, value, &why))
		return 0;
	return cli_usage(who, "--control %s: %s", value, why);
}

static int dut_take_sizes(const char *who, void *target, const char *value)
{
	struct dut_setup_conf *conf = target;

	conf->sizes = value;
	return cli_sizes(who, value, &conf->foreign);
}

const struct option_row dut_rows[] = {
	{0, "dut", "SPEC",
	 "what is tested:\n"
	 "ref       start 'rung serve', UDP on loopback (default of 'rung "
	 "run')\n"
	 "virtual   the reference in this process, in virtual time\n"
	 "udp:ADDR[:PORT],peer=HOST\n"
	 "          a device at HOST, reached from our ADDR\n"
	 "raw:IFACE,ip=ADDR[:PORT],peer=HOST\n"
	 "ring:IFACE,ip=ADDR[:PORT],peer=HOST\n"
	 "          whole frames on an Ethernet, by libnet and libpcap or by a "
	 "packet ring; also mac=, vlan=, via=, peer-mac=, proto=, native\n"
	 "xdp:IFACE[:QUEUE],ip=ADDR[:PORT],peer=HOST\n"
	 "          the same by AF_XDP\n"
	 "exec:COMMAND\n"
	 "          start COMMAND, with the control channel on its stdin and "
	 "stdout; {dut} and {tester} in it are addresses; with a port as well "
	 "it is the device at HOST",
	 OPTION_CALL(dut_options_take_dut),
	 .words = "ref virtual udp: raw: ring: xdp: exec:"},
	{0, "control", "SPEC",
	 "the control channel: unix:PATH or tcp:HOST:PORT[,token=T] (or "
	 ",token-file=PATH, ,token-fd=N); stdio with exec:",
	 OPTION_CALL(dut_options_take_control), .words = "stdio unix: tcp:"},
	{0, "keep-privileges", NULL,
	 "let the commands of exec: and --trigger keep the rights of the user, "
	 "so that sudo works in them; without it they have none",
	 OPTION_FLAG(struct dut_setup_conf, privileged)},
	{0, "sizes", "LIST",
	 "headers of the device that have other sizes than usual, in bits: "
	 "ack_ccx=32, nack_ccx=24, payload_length=12, or some of them",
	 OPTION_CALL(dut_take_sizes)},
	{0, "decl", "FILE",
	 "the declaration of the device (default: that of the reference)",
	 OPTION_FILE(struct dut_setup_conf, decl_path)},
	{0, "mutant", "NAME",
	 "put a bug into the reference; for --dut ref and virtual",
	 OPTION_TEXT(struct dut_setup_conf, mutant), .once = OPTION_ONE_DEVICE},
	{0, "variant", "NAME[+NAME...]",
	 "play another correct device; for --dut ref and virtual; a mutant may "
	 "be among the names",
	 OPTION_TEXT(struct dut_setup_conf, mutant), .once = OPTION_ONE_DEVICE},
	OPTION_END};

bool dut_options_own(const struct dut_setup_conf *conf)
{
	return conf->dut.ref || conf->dut.virtual;
}

int dut_options_check(const char *who, const struct dut_setup_conf *conf)
{
	const bool own = dut_options_own(conf);

	if (conf->mutant && !own)
		return cli_usage(who, "--mutant is for --dut ref and virtual");
	if (conf->control.kind && own)
		return cli_usage(who, "--control is for other devices than "
				      "our own");
	if (conf->control.kind == CONTROL_STDIO && !conf->dut.command)
		return cli_usage(who, "--control stdio needs --dut exec:");
	return -1;
}

void dut_options_word(struct text *t, const char *option, const char *value)
{
	text_printf(t, "%s%s%s", text_between(t->len, " "), option,
		    value ? " " : "");
	if (value)
		words_shell(t, value);
}

/* Appends an option whose value was given. */
static void dut_options_given(struct text *t, const char *option,
			      const char *value)
{
	if (value)
		dut_options_word(t, option, value);
}

void dut_options_again(const struct dut_setup_conf *conf, const char *standard,
		       struct text *t)
{
	if (strcmp(conf->dut.text, standard) != 0)
		dut_options_word(t, "--dut", conf->dut.text);
	dut_options_given(t, "--control", conf->control_text);
	dut_options_given(t, "--trigger", conf->trigger);
	if (conf->privileged)
		dut_options_word(t, "--keep-privileges", NULL);
	dut_options_given(t, "--without", conf->without);
	dut_options_given(t, "--sizes", conf->sizes);
	dut_options_given(t, "--decl", conf->decl_path);
	dut_options_given(t, "--mutant", conf->mutant);
}

uint64_t dut_options_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec % 1000000 * 1000 +
	       (uint64_t)ts.tv_nsec / 1000000;
}
