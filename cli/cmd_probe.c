/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_probe.c -- rung probe: tries out what a device can do, and writes the
 * draft of its declaration.
 *
 * The stimuli are the cases of cases/probe/, one after another on one device.
 * The first of them also finds out whether the device wants a CRC.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/file.h"
#include "cli/mutants.h"
#include "cli/seat.h"
#include "cli/whole.h"
#include "suite/probe.h"
#include "suite/run.h"

#define WHO "rung probe"

/* A device that tries six times, each twice as long as before, takes long. */
#define STIMULUS_TIME (40 * VSPAN_S)

struct probing {
	struct seat_conf seat;
	struct run_conf run;
	const char *cases, *out, *name;
	bool quiet, check;

	struct corpus *corpus;
	struct decl *base; /* what is known of the device before */
	struct probe *probe;
	struct dut *dut;
	struct runner *runner;
	struct record record;
	uint64_t strays; /* datagrams to our source port, in all stimuli */
};

static void help(void)
{
	puts("Usage: rung probe --dut SPEC [OPTION...]\n\n"
	     "Tries out what a device can do, with some thirty stimuli, and "
	     "writes a draft\n"
	     "of its declaration, for you to complete and for 'rung run "
	     "--decl'.\n"
	     "What the device does otherwise in every packet is told once "
	     "and gone over.\n\n"
	     "      --dut SPEC      as for 'rung run': ref, virtual, "
	     "udp:..., exec:...\n"
	     "      --control SPEC  unix:PATH or tcp:HOST:PORT[,token=T]; "
	     "stdio with exec:\n"
	     "      --decl FILE     what is known before: the ids that the "
	     "device accepts,\n"
	     "                      its memory, its port\n"
	     "      --check         no draft: where the device and FILE "
	     "differ, either way\n"
	     "      --name TEXT     the device's name in the draft\n"
	     "  -o, --output FILE   the draft (default: standard output)\n"
	     "      --seed N        of PDCIDs and PSNs (default: a new one "
	     "each time)\n"
	     "      --mutant NAME   the reference with a bug in it; for ref "
	     "and virtual\n"
	     "      --cases DIR     read the stimuli of DIR/probe/, not the "
	     "built-in ones\n"
	     "  -q, --quiet         no word of each stimulus\n"
	     "  -h, --help          this text\n\n"
	     "Exit codes: 0 a draft was written, or nothing differs, 1 "
	     "something differs,\n"
	     "2 usage or configuration, 3 the device answered nothing, 5 "
	     "harness error,\n"
	     "130 interrupted.");
}

/* ---- The device ---- */

static void unseat(struct probing *p)
{
	runner_free(p->runner);
	p->runner = NULL;
	if (p->dut)
		p->dut->ops->free(p->dut);
	p->dut = NULL;
	probe_free(p->probe);
	p->probe = NULL;
}

static int take_seat(struct probing *p)
{
	int code;

	unseat(p);
	code = seat_new(&p->seat, 0, FAMILY_UET, &p->dut);
	if (code)
		return code;
	if (probe_new(&p->probe, p->base))
		return cli_nomem(WHO);
	p->run.decl = probe_decl(p->probe);
	if (runner_new(&p->runner, p->dut, p->run.decl))
		return cli_nomem(WHO);
	return 0;
}

static int stimulus(struct probing *p, const struct kase *k, enum chair chair)
{
	if (run_case(p->runner, k, chair, &p->run, &p->record))
		return cli_nomem(WHO);
	p->strays += p->dut->counts.strays;
	return *p->run.interrupted ? EXIT_INTERRUPTED : 0;
}

/* ---- With a CRC, or without ---- */

static const struct kase *named(const struct corpus *c, const char *id)
{
	for (size_t i = 0; i < corpus_count(c); i++)
		if (strcmp(corpus_at(c, i)->id, id) == 0)
			return corpus_at(c, i);
	return NULL;
}

/* Seats the device with a CRC or without, and asks once. */
static int ask(struct probing *p, bool crc, bool crc_be, bool *ret_answered)
{
	const struct kase *k = named(p->corpus, "probe/rud");
	int code;

	p->base->crc = crc;
	p->base->crc_be = crc_be;
	code = take_seat(p);
	if (code || !k)
		return code;
	code = stimulus(p, k, CHAIR_TARGET);
	probe_take(p->probe, &p->record);
	*ret_answered = probe_answered(p->probe);
	return code;
}

/*
 * Packets as declared; if nothing comes back, with a CRC in either order: a
 * device may drop what lacks one.  Leaves the device seated as it answered, or
 * as declared.
 */
static int find_crc(struct probing *p, bool *ret_answered)
{
	const struct {
		bool crc, be;
	} ways[] = {{p->base->crc, p->base->crc_be},
		    {true, false},
		    {true, true},
		    {false, false}};
	bool answered = false, be;
	int code = 0;

	for (size_t i = 0; i < 4 && !code && !answered; i++)
		code = ask(p, ways[i].crc, ways[i].be, &answered);
	if (!code && answered && !p->base->crc && probe_crc(&p->record, &be)) {
		p->base->crc = true;
		p->base->crc_be = be;
	} else if (!code && !answered) {
		p->base->crc = ways[0].crc;
		p->base->crc_be = ways[0].be;
	}
	*ret_answered = answered;
	return code ? code : take_seat(p);
}

/* ---- All stimuli ---- */

static void tell(const struct probing *p, enum probe_outcome outcome)
{
	static const char *const words[] = {
		[PROBE_SHOWN] = "shown",
		[PROBE_NOT] = "not shown",
		[PROBE_UNTRIED] = "not tried",
	};

	if (!p->quiet)
		fprintf(stderr, "%-10s %s\n", words[outcome],
			p->record.id + strlen("probe/"));
}

static int try_chairs(struct probing *p, const struct kase *k)
{
	for (int c = 0; c < CHAIR_COUNT; c++) {
		int code;

		if (!k->chairs[c].present)
			continue;
		code = stimulus(p, k, (enum chair)c);
		if (code)
			return code;
		tell(p, probe_take(p->probe, &p->record));
	}
	return 0;
}

/* Before a silent device is given up: does it speak another mode? */
static int knock(struct probing *p)
{
	static const char *const ids[] = {"probe/rod", "probe/rudi"};
	int code = 0;

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]) && !code; i++) {
		const struct kase *k = named(p->corpus, ids[i]);

		if (k)
			code = stimulus(p, k, CHAIR_TARGET);
		if (k && !code)
			probe_take(p->probe, &p->record);
	}
	return code;
}

static int try_all(struct probing *p)
{
	int code = 0;

	for (size_t i = 0; i < corpus_count(p->corpus) && !code; i++)
		code = try_chairs(p, corpus_at(p->corpus, i));
	return code;
}

/* ---- The draft ---- */

static int put(const struct text *t, const char *path)
{
	if (whole_write(path ? path : "-", text_cstr(t), t->len))
		return cli_sys(WHO, path ? path : "standard output");
	return 0;
}

static int draft(struct probing *p)
{
	struct text t = {0};
	bool differs = false;
	int code;

	if (!probe_answered(p->probe)) {
		fprintf(stderr,
			"%s: the device answered nothing; is it there, at this "
			"address and port?\n",
			WHO);
		if (p->strays)
			fprintf(stderr,
				"%llu datagrams came back to our source port: "
				"answers go to UDP port %u, from the\nsource "
				"port of what they answer\n",
				(unsigned long long)p->strays,
				(unsigned)p->base->udp_port);
		return EXIT_INCONCLUSIVE;
	}
	probe_strays(p->probe, p->strays);
	if (p->check)
		differs = probe_compare(p->probe, p->dut, &t) > 0;
	else
		probe_draft(p->probe, p->dut,
			    p->name ? p->name : p->seat.dut.text, &t);
	code = text_err(&t) ? cli_nomem(WHO) : put(&t, p->out);
	text_free(&t);
	return !code && differs ? EXIT_FAILED : code;
}

static int probe(struct probing *p)
{
	struct diag diag = {0};
	bool answered = false;
	int code, err = corpus_new_probes(&p->corpus, p->cases, &diag);

	if (err)
		return cli_bad_text(WHO, err, &diag);
	if (!corpus_count(p->corpus)) {
		fprintf(stderr, "%s: %s/probe/ has no stimulus\n", WHO,
			p->cases);
		return EXIT_NOTHING;
	}
	p->seat.api = &orc_reference;
	code = p->seat.mutant ? mutant_load(WHO, p->seat.mutant, &p->seat.api)
			      : 0;
	if (!code)
		code = endpoint_decl(WHO, p->seat.decl_path,
				     !p->seat.dut.virtual, &p->base);
	if (code)
		return code;
	p->seat.decl = p->base;
	p->run.interrupted = cli_interrupts();
	code = find_crc(p, &answered);
	if (!code && !answered) {
		code = knock(p);
		answered = probe_answered(p->probe);
		if (!code)
			code = take_seat(p);
	}
	if (!code && answered)
		code = try_all(p);
	return code ? code : draft(p);
}

/* ---- Options ---- */

enum {
	OPT_DUT = 256,
	OPT_CONTROL,
	OPT_DECL,
	OPT_NAME,
	OPT_SEED,
	OPT_MUTANT,
	OPT_CASES,
	OPT_CHECK,
};

static const struct option longs[] = {
	{"dut", required_argument, NULL, OPT_DUT},
	{"control", required_argument, NULL, OPT_CONTROL},
	{"decl", required_argument, NULL, OPT_DECL},
	{"check", no_argument, NULL, OPT_CHECK},
	{"name", required_argument, NULL, OPT_NAME},
	{"output", required_argument, NULL, 'o'},
	{"seed", required_argument, NULL, OPT_SEED},
	{"mutant", required_argument, NULL, OPT_MUTANT},
	{"variant", required_argument, NULL, OPT_MUTANT},
	{"cases", required_argument, NULL, OPT_CASES},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* What the device is.  Return: -1 go on, else an exit code. */
static int option_device(int o, const char *arg, struct probing *p)
{
	const char *why;

	switch (o) {
	case OPT_DUT:
		if (!spec_dut(&p->seat.dut, arg, &why))
			return -1;
		return cli_usage(WHO, "--dut %s: %s", arg, why);
	case OPT_CONTROL:
		if (!spec_control(&p->seat.control, arg, &why))
			return -1;
		return cli_usage(WHO, "--control %s: %s", arg, why);
	case OPT_DECL:
		p->seat.decl_path = arg;
		return -1;
	default:
		p->seat.mutant = arg;
		return -1;
	}
}

static int option(int o, const char *arg, struct probing *p)
{
	switch (o) {
	case 'o':
		p->out = arg;
		return -1;
	case 'q':
		p->quiet = true;
		return -1;
	case 'h':
		help();
		return EXIT_PASSED;
	case OPT_CHECK:
		p->check = true;
		return -1;
	case OPT_NAME:
		p->name = arg;
		return -1;
	case OPT_CASES:
		p->cases = arg;
		return -1;
	case OPT_SEED:
		if (cli_number(arg, UINT64_MAX, &p->run.seed))
			return -1;
		return cli_usage(WHO, "--seed is a number");
	case '?':
		return cli_try(WHO);
	default:
		return option_device(o, arg, p);
	}
}

static bool one_line(const char *s)
{
	return s[0] && !strpbrk(s, "\n\r#");
}

static int agree(const struct probing *p)
{
	const struct dut_spec *dut = &p->seat.dut;
	bool own = dut->ref || dut->virtual;

	if (!own && !dut->linked && !dut->command)
		return cli_usage(WHO, "--dut is missing");
	if (p->seat.mutant && !own)
		return cli_usage(WHO, "--mutant is for --dut ref and virtual");
	if (p->seat.control.kind && own)
		return cli_usage(WHO, "--control is for other devices than "
				      "our own");
	if (p->seat.control.kind == CONTROL_STDIO && !dut->command)
		return cli_usage(WHO, "--control stdio needs --dut exec:");
	if (p->check && !p->seat.decl_path)
		return cli_usage(WHO, "--check needs --decl");
	if (p->name && !one_line(p->name))
		return cli_usage(WHO, "--name is one line without '#'");
	return -1;
}

static int options(int argc, char **argv, struct probing *p)
{
	int o, code = -1;

	while (code < 0 &&
	       (o = getopt_long(argc, argv, "ho:q", longs, NULL)) != -1)
		code = option(o, optarg, p);
	if (code >= 0)
		return code;
	if (optind < argc)
		return cli_usage(WHO, "'%s' is one argument too many",
				 argv[optind]);
	return agree(p);
}

int cmd_probe(int argc, char **argv)
{
	struct probing *p = calloc(1, sizeof(*p));
	struct timespec ts;
	int code;

	if (!p)
		return cli_nomem(WHO);
	clock_gettime(CLOCK_REALTIME, &ts);
	p->seat.who = WHO;
	p->run.timeout = STIMULUS_TIME;
	p->run.step_over = true;
	p->run.seed = (uint64_t)ts.tv_sec % 1000000 * 1000 +
		      (uint64_t)ts.tv_nsec / 1000000;
	code = options(argc, argv, p);
	if (code < 0)
		code = probe(p);
	unseat(p);
	record_free(&p->record);
	decl_free(p->base);
	corpus_free(p->corpus);
	free(p);
	return code;
}
