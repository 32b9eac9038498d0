/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_gen.c -- rung gen: writes the packets of cases or of a capture,
 * repeated and varied, to a capture file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/atomic_file.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/run/meter.h"
#include "cli/run/stimulus.h"
#include "gen/port/port_clock.h"
#include "reports/format/pcapng_writer.h"
#include "rung_version.h"

#define WHO "rung gen"

#define CHUNK ((size_t)1 << 20) /* bytes that are written at once */

struct gen {
	struct stimulus stimulus;
	const char *out;
	bool quiet;
	bool pcap;
	struct atomic_file file;
	struct text t;
	struct meter meter;
	const volatile bool *stop;
};

static const struct option_row gen_rows[] = {
	{'o', "output", "OUT", "the capture file; - is standard output",
	 OPTION_FILE(struct gen, out)},
	OPTION_ROW_QUIET(struct gen, quiet),
	OPTION_END};

static const struct option_group gen_groups[] = {
	{NULL, stimulus_rows, offsetof(struct gen, stimulus)},
	{NULL, gen_rows, 0},
	OPTION_GROUPS_END};

/* ---- Writing ---- */

static int cmd_gen_spill(struct gen *g)
{
	const bool lost = text_err(&g->t);
	const size_t n = fwrite(text_cstr(&g->t), 1, g->t.len, g->file.f);

	if (lost)
		return cli_nomem(WHO);
	if (n < g->t.len)
		return cli_sys(WHO, g->out);
	text_clear(&g->t);
	return 0;
}

static void cmd_gen_put_head(struct gen *g, enum frame_link link)
{
	static const char *const none[] = {NULL};
	struct pcapng_writer writer = {.t = &g->t};

	if (g->pcap) {
		pcap_head(&g->t, link);
		return;
	}
	pcapng_section(&writer, none, "rung-gen " RUNG_VERSION);
	pcapng_interface(&writer, link, "gen", "made by rung gen");
}

static void cmd_gen_put_frame(struct gen *g, const struct series_frame *f,
			      vtime at)
{
	struct pcapng_writer writer = {.t = &g->t};
	const struct pcapng_packet p = {
		.at = (uint64_t)at, .p = f->p, .len = f->len};

	if (g->pcap) {
		pcap_packet(&g->t, p.at, f->p, f->len);
		return;
	}
	pcapng_packet_open(&writer, &p);
	pcapng_packet_close(&writer, &p);
}

/* The capture file has one link type, which most programs expect. */
static int one_link(const struct packet_set *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->frames[i].link != s->frames[0].link)
			return cli_usage(WHO,
					 "packets of several link types in one "
					 "file");
	return 0;
}

static int write_series(struct gen *g, struct series *s)
{
	const struct stimulus_rate *rate = &g->stimulus.rate;
	struct series_frame f;
	double due = 0;
	uint64_t n = 0;
	int code = 0;

	cmd_gen_put_head(g, g->stimulus.packet_set.frames[0].link);
	while (!code && !*g->stop && series_next(s, &f)) {
		cmd_gen_put_frame(g, &f, rate->set ? (vtime)due : f.at);
		if (rate->set)
			due += rate_span(rate, f.len);
		n++;
		if (g->t.len >= CHUNK)
			code = cmd_gen_spill(g);
		if (n % 1024 == 0)
			meter_show(&g->meter, n, port_now());
	}
	if (!code)
		code = cmd_gen_spill(g);
	meter_hide(&g->meter);
	if (!code && *g->stop) {
		if (!g->file.direct)
			fprintf(stderr, "%s: interrupted: %s is not written\n",
				WHO, g->out);
		return EXIT_INTERRUPTED;
	}
	if (!code && !g->quiet)
		fprintf(stderr, "%s: %" PRIu64 " packets\n", WHO, n);
	return code;
}

static int open_out(struct gen *g)
{
	const size_t len = strlen(g->out);

	if (strcmp(g->out, "-") == 0 && isatty(STDOUT_FILENO))
		return cli_usage(WHO, "a terminal is no place for a capture");
	g->pcap = len > 5 && strcmp(g->out + len - 5, ".pcap") == 0;
	if (atomic_open(&g->file, g->out))
		return cli_sys(WHO, g->out);
	return 0;
}

static int write_out(struct gen *g, struct series *s)
{
	int code = open_out(g);

	if (code)
		return code;
	meter_begin(&g->meter, WHO, g->quiet, series_total(s), port_now());
	code = write_series(g, s);
	if (code)
		atomic_drop(&g->file);
	else if (atomic_close(&g->file))
		code = cli_sys(WHO, g->out);
	return code;
}

static int cmd_gen_generate(struct gen *g, char *const *names, size_t n)
{
	struct series *s = NULL;
	int code = stimulus_load(&g->stimulus, names, n);

	if (!code)
		code = one_link(&g->stimulus.packet_set);
	if (!code)
		code = stimulus_series(&g->stimulus, &s);
	g->stop = cli_interrupts();
	if (!code)
		code = write_out(g, s);
	series_free(s);
	stimulus_free(&g->stimulus);
	text_free(&g->t);
	return code;
}

static int cmd_gen(int argc, char **argv)
{
	struct operands names;
	struct gen g = {0};
	int code;

	stimulus_begin(&g.stimulus, WHO);
	code = option_read(&command_gen, argc, argv, &g, &names);
	if (code >= 0)
		return code;
	if (!g.out)
		return cli_usage(WHO,
				 "-o is missing: it names the capture file");
	if (stimulus_endless(&g.stimulus))
		return cli_usage(WHO, "--loop 0 never ends: say --count");
	return cmd_gen_generate(&g, names.at, names.n);
}

const struct command command_gen = {
	.name = "gen",
	.what = "write the packets of a case as a capture",
	.usage = "[OPTION...] CASE...|FILE -o OUT",
	.about =
		"Writes the packets of cases, as they cross between tester and "
		"reference, or those of a capture, as a capture file: pcap if "
		"the name of OUT ends in .pcap, else pcapng.",
	.groups = gen_groups,
	.exits = "Exit codes: 0 written, 2 usage, or a file that is no "
		 "capture or is damaged, 4 nothing is selected, or there is "
		 "no packet, 5 OUT cannot be written, or harness error, 130 "
		 "interrupted.",
	.run = cmd_gen,
};
