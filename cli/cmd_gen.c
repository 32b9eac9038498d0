/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_gen.c -- rung gen: the packets of cases or of a capture, repeated and
 * varied, as a capture file.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/meter.h"
#include "cli/stimulus.h"
#include "cli/whole.h"
#include "gen/port.h"
#include "reports/pcapng_pen.h"
#include "rung_version.h"

#define WHO "rung gen"

#define CHUNK ((size_t)1 << 20) /* bytes that are written at a time */

struct gen {
	struct stimulus stimulus;
	const char *out;
	bool quiet;
	bool pcap;
	struct whole file;
	struct text t;
	struct meter meter;
	const volatile bool *stop;
};

static void help(void)
{
	printf("Usage: rung gen [OPTION...] CASE...|FILE -o OUT\n\n"
	       "Writes the packets of cases, as they cross between tester and "
	       "reference, or\n"
	       "those of a capture, as a capture file: OUT is pcapng, or pcap "
	       "if it is called\n"
	       "so; - is standard output.\n\n"
	       "  -o, --output OUT     where to\n"
	       "%s"
	       "  -q, --quiet          no progress\n"
	       "  -h, --help           this text\n",
	       stimulus_help);
}

/* ---- Writing ---- */

static int spill(struct gen *g)
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

static void put_head(struct gen *g, enum frame_link link)
{
	static const char *const none[] = {NULL};
	struct pcapng_pen pen = {.t = &g->t};

	if (g->pcap) {
		pcap_head(&g->t, link);
		return;
	}
	pcapng_section(&pen, none, "rung-gen " RUNG_VERSION);
	pcapng_interface(&pen, link, "gen", "made by rung gen");
}

static void put_frame(struct gen *g, const struct series_frame *f, vtime at)
{
	struct pcapng_pen pen = {.t = &g->t};
	const struct pcapng_packet p = {
		.at = (uint64_t)at, .p = f->p, .len = f->len};

	if (g->pcap) {
		pcap_packet(&g->t, p.at, f->p, f->len);
		return;
	}
	pcapng_packet_open(&pen, &p);
	pcapng_packet_close(&pen, &p);
}

/* A file has one link type, here as in most programs that read it. */
static int one_link(const struct stock *s)
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

	put_head(g, g->stimulus.stock.frames[0].link);
	while (!code && !*g->stop && series_next(s, &f)) {
		put_frame(g, &f, rate->set ? (vtime)due : f.at);
		if (rate->set)
			due += rate_span(rate, f.len);
		n++;
		if (g->t.len >= CHUNK)
			code = spill(g);
		if (n % 1024 == 0)
			meter_show(&g->meter, n, port_now());
	}
	if (!code)
		code = spill(g);
	meter_hide(&g->meter);
	if (!code && !g->quiet)
		fprintf(stderr, "%s: %" PRIu64 " packets\n", WHO, n);
	return code ? code : *g->stop ? EXIT_INTERRUPTED : EXIT_PASSED;
}

static int open_out(struct gen *g)
{
	const size_t len = strlen(g->out);

	if (strcmp(g->out, "-") == 0 && isatty(STDOUT_FILENO))
		return cli_usage(WHO, "a terminal is no place for a capture");
	g->pcap = len > 5 && strcmp(g->out + len - 5, ".pcap") == 0;
	return whole_open(&g->file, g->out) ? cli_sys(WHO, g->out) : 0;
}

static int write_out(struct gen *g, struct series *s)
{
	int code = open_out(g);

	if (code)
		return code;
	meter_begin(&g->meter, WHO, g->quiet, series_total(s), port_now());
	code = write_series(g, s);
	if (code)
		whole_drop(&g->file);
	else if (whole_close(&g->file))
		code = cli_sys(WHO, g->out);
	return code;
}

static int generate(struct gen *g, char *const *names, size_t n)
{
	struct series *s = NULL;
	int code = stimulus_load(&g->stimulus, names, n);

	if (!code)
		code = one_link(&g->stimulus.stock);
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

/* ---- Options ---- */

static const struct option longs[] = {
	STIMULUS_OPTIONS,
	{"output", required_argument, NULL, 'o'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Return: -1 go on, else an exit code. */
static int options(int argc, char **argv, struct gen *g)
{
	int o, code;

	while ((o = getopt_long(argc, argv, "o:qh", longs, NULL)) != -1)
		switch (o) {
		case 'o':
			g->out = optarg;
			break;
		case 'q':
			g->quiet = true;
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		case '?':
			return cli_try(WHO);
		default:
			code = stimulus_option(&g->stimulus, o);
			if (code)
				return code;
		}
	if (!g->out)
		return cli_usage(WHO, "-o is missing: where to write");
	return -1;
}

int cmd_gen(int argc, char **argv)
{
	struct gen g = {0};
	int code;

	stimulus_begin(&g.stimulus, WHO);
	code = options(argc, argv, &g);
	if (code >= 0)
		return code;
	if (stimulus_endless(&g.stimulus))
		return cli_usage(WHO, "--loop 0 never ends: say --count");
	return generate(&g, argv + optind, (size_t)(argc - optind));
}
