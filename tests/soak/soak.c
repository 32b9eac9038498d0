/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/soak.c -- runs the reference against itself, or against a mutant,
 * on a link that loses, duplicates, delays and marks: thousands of random runs.
 *
 *    rung_soak                          10,000 runs
 *    rung_soak --seed 4711 --runs 1 -v  one of them again, with its trace
 *    rung_soak --modes rod              no run has RUD PDCs
 *    rung_soak --family srd             queue pairs and handles of SRD
 *    rung_soak --family wqe             connections with the WQE extension
 *    rung_soak --mutant NAME            one side has a bug, which must be found
 *    rung_soak --variants NAME,NAME     each side is a legal variant, drawn
 *
 * A run depends on its seed alone, byte for byte.
 *
 * Exit status: 0 no finding (with --must-find: a finding); 1 otherwise; 2 usage
 * or no memory.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "oracle/oracle.h"
#include "tests/soak/qps.h"
#include "tests/soak/world.h"

#define VARIANTS 256

struct options {
	uint64_t runs, seed;
	uint64_t failures; /* stop after so many failures */
	unsigned modes;
	enum family family;
	bool json, must_find, trace, honest;
	const char *captures;
	const struct orc_api *api[SIDES];
	/* a side is one of them, drawn for each run */
	const struct orc_api *variants[VARIANTS];
	uint32_t nvariants;
};

static const char usage[] =
	"usage: rung_soak [options]\n"
	"  --runs N        runs (10000)\n"
	"  --seed N        of the first run, the next has N + 1 (1)\n"
	"  --failures N    stop after N runs with findings (10)\n"
	"  --modes LIST    delivery modes of the runs: rud,rod,rudi,uud\n"
	"                  (all)\n"
	"  --family NAME   uet; or srd, wqe, roce, which have no modes (uet)\n"
	"  --mutant NAME   a mutant, or a path to one, as side B\n"
	"  --mutant-a NAME as side A\n"
	"  --variants LIST each side is the reference or one of these "
	"variants,\n"
	"                  drawn for each run; what a setting does is drawn "
	"anyway\n"
	"  --must-find     exit 0 if something is found, 1 if not\n"
	"  --honest        the link forges nothing\n"
	"  --json          the summary as one JSON object\n"
	"  --captures DIR  each run as seen at either side and between them\n"
	"  -v              the trace of the runs, in the syntax of cases\n";

static _Noreturn void misuse(const char *what, const char *value)
{
	if (what)
		fprintf(stderr, "soak: %s '%s'\n", what, value);
	fputs(usage, stderr);
	exit(2);
}

static uint64_t soak_number(const char *s)
{
	char *end;
	const unsigned long long n = strtoull(s, &end, 0);

	if (!*s || *end || *s == '-')
		misuse("not a number:", s);
	return n;
}

static const char *const mode_names[OP_MODES] = {
	[OP_RUD] = "rud",
	[OP_ROD] = "rod",
	[OP_RUDI] = "rudi",
	[OP_UUD] = "uud",
};

static unsigned mode_bit(const char *name, size_t len)
{
	for (unsigned i = 0; i < OP_MODES; i++)
		if (strlen(mode_names[i]) == len &&
		    !strncmp(name, mode_names[i], len))
			return 1u << i & PLAN_MODES_ALL;
	return 0;
}

/* Parses names separated by commas. */
static unsigned modes(const char *list)
{
	unsigned all = 0;

	for (const char *s = list; *s; s += s[0] == ',') {
		const size_t len = strcspn(s, ",");
		const unsigned bit = mode_bit(s, len);

		if (!bit)
			misuse("no such mode in", list);
		all |= bit;
		s += len;
	}
	if (!all)
		misuse("no mode in", list);
	return all;
}

static enum family family(const char *name)
{
	for (int f = 0; f < FAMILIES; f++)
		if (strcmp(name, family_name((enum family)f)) == 0)
			return (enum family)f;
	misuse("no such family:", name);
}

/* A name means "../FOLDER/NAME.so", relative to this program. */
static void soak_path_of(const char *folder, const char *name, char *buf,
			 size_t size)
{
	char self[PATH_MAX];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (strchr(name, '/') || n < 0) {
		snprintf(buf, size, "%s", name);
		return;
	}
	self[n] = 0;
	slash = strrchr(self, '/');
	if (slash)
		*slash = 0;
	snprintf(buf, size, "%s/../%s/%s.so", self, folder, name);
}

static const struct orc_api *soak_load(const char *folder, const char *name)
{
	char path[PATH_MAX + 128];
	orc_api_fn *get;
	void *so, *symbol;

	soak_path_of(folder, name, path, sizeof(path));
	so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (so)
		symbol = dlsym(so, ORC_API_SYMBOL);
	else
		symbol = NULL;
	if (!symbol) {
		fprintf(stderr, "soak: %s\n", dlerror());
		exit(2);
	}
	/* POSIX permits converting a symbol's address to a function pointer. */
	memcpy(&get, &symbol, sizeof(get));
	return get();
}

/* Loads the variants of a list of names; the reference is among them. */
static void soak_load_variants(struct options *o, char *list)
{
	char *rest;

	o->variants[o->nvariants++] = &orc_reference;
	for (char *name = strtok_r(list, ",", &rest);
	     name && o->nvariants < VARIANTS; name = strtok_r(NULL, ",", &rest))
		o->variants[o->nvariants++] = soak_load("variants", name);
}

/* Draws the endpoints of the run |seed|, without a draw from its plan. */
static void soak_draw(const struct options *o, uint64_t seed,
		      const struct orc_api *ret[SIDES])
{
	struct rng rng = {rng_mix(seed, "variants")};

	if (!o->nvariants)
		return;
	for (int i = 0; i < SIDES; i++)
		ret[i] = o->variants[rng_below(&rng, o->nvariants)];
}

static void soak_parse(struct options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{"runs", required_argument, NULL, 'n'},
		{"seed", required_argument, NULL, 's'},
		{"failures", required_argument, NULL, 'f'},
		{"modes", required_argument, NULL, 'd'},
		{"family", required_argument, NULL, 'y'},
		{"mutant", required_argument, NULL, 'b'},
		{"mutant-a", required_argument, NULL, 'a'},
		{"variants", required_argument, NULL, 'v' << 8},
		{"must-find", no_argument, NULL, 'm'},
		{"json", no_argument, NULL, 'j'},
		{"captures", required_argument, NULL, 'c'},
		{"honest", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "v", longs, NULL)) != -1) {
		switch (c) {
		case 'n':
			o->runs = soak_number(optarg);
			break;
		case 's':
			o->seed = soak_number(optarg);
			break;
		case 'f':
			o->failures = soak_number(optarg);
			break;
		case 'd':
			o->modes = modes(optarg);
			break;
		case 'y':
			o->family = family(optarg);
			break;
		case 'a':
			o->api[A] = soak_load("mutants", optarg);
			break;
		case 'b':
			o->api[B] = soak_load("mutants", optarg);
			break;
		case 'v' << 8:
			soak_load_variants(o, optarg);
			break;
		case 'm':
			o->must_find = true;
			break;
		case 'j':
			o->json = true;
			break;
		case 'c':
			o->captures = optarg;
			break;
		case 'h':
			o->honest = true;
			break;
		case 'v':
			o->trace = true;
			break;
		default:
			misuse(NULL, NULL);
		}
	}
	if (optind != argc)
		misuse("unexpected:", argv[optind]);
}

static double soak_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static void soak_run_all(struct world *w, const struct options *o)
{
	for (uint64_t i = 0; i < o->runs && w->tally.failed < o->failures;
	     i++) {
		unsigned n;

		soak_draw(o, o->seed + i, w->api);
		n = world_run(w, o->seed + i);
		if (n)
			fprintf(stderr,
				"seed %" PRIu64 ": %u findings, first: %s\n",
				o->seed + i, n, w->ledger.text);
	}
}

/* clang-format off */
#define TALLY(X)                                                      \
	X(runs) X(failed) X(findings) X(operations) X(refused) X(given_up) X(pdcs) \
	X(packets) X(lost) X(doubled) X(late) X(marked) X(trimmed) X(tricks) \
	X(repeated) X(nacks)
#define QPS_TALLY(X) \
	X(runs) X(failed) X(findings) X(messages) X(dropped) X(destroyed) \
	X(restarts) X(outages) X(packets) X(lost) X(doubled) X(forged)
/* clang-format on */

#define SHOW(member)                                                          \
	printf(json ? "%s\"%s\": %" PRIu64 : "%s%s %" PRIu64, comma, #member, \
	       t->member);                                                    \
	comma = json ? ", " : "  ";

static void begin_summary(bool json)
{
	if (json)
		fputs("{\"soak\": {", stdout);
}

static void end_summary(double took, bool json)
{
	printf(json ? ", \"seconds\": %.2f}}\n" : "  in %.2f s\n", took);
}

static void summary(const struct tally *t, double took, bool json)
{
	const char *comma = "";

	begin_summary(json);
	TALLY(SHOW)
	end_summary(took, json);
}

static void qps_summary(const struct qps_tally *t, double took, bool json)
{
	const char *comma = "";

	begin_summary(json);
	QPS_TALLY(SHOW)
	end_summary(took, json);
}
#undef SHOW

/* Return: 1 if there was a finding, 0 if not; -1: no memory. */
static int soak_qps(const struct qps_kind *kind, const struct options *o)
{
	struct qps *w = qps_new(kind, o->api, o->family);
	double took;
	bool found;

	if (!w)
		return -1;
	if (o->trace)
		w->trace = stdout;
	else
		w->trace = NULL;
	w->honest = o->honest;
	if (o->captures) {
		w->tap = tap_new(o->captures);
		if (!w->tap)
			return -1;
	}
	took = -soak_seconds();
	for (uint64_t i = 0; i < o->runs && w->tally.failed < o->failures;
	     i++) {
		soak_draw(o, o->seed + i, w->api);
		if (qps_run(kind, w, o->seed + i))
			fprintf(stderr, "seed %" PRIu64 ": %s\n", o->seed + i,
				w->text);
	}
	took += soak_seconds();
	qps_summary(&w->tally, took, o->json);
	found = w->tally.failed != 0;
	qps_free(w);
	return found;
}

static int soak_uet(const struct options *o)
{
	struct world *w = calloc(1, sizeof(*w));
	double took;
	bool found;

	if (!w)
		return -1;
	memcpy(w->api, o->api, sizeof(w->api));
	w->modes = o->modes;
	w->honest = o->honest;
	w->ledger.variants = o->nvariants;
	if (o->trace)
		w->trace = stdout;
	else
		w->trace = NULL;
	w->captures = o->captures;
	took = -soak_seconds();
	soak_run_all(w, o);
	took += soak_seconds();
	summary(&w->tally, took, o->json);
	found = w->tally.failed != 0;
	world_free(w);
	free(w);
	return found;
}

int main(int argc, char **argv)
{
	struct options o = {
		.runs = 10000,
		.seed = 1,
		.failures = 10,
		.modes = PLAN_MODES_ALL,
		.api = {&orc_reference, &orc_reference},
	};
	int found;

	soak_parse(&o, argc, argv);
	found = o.family == FAMILY_UET   ? soak_uet(&o)
		: o.family == FAMILY_SRD ? soak_qps(&srd_kind, &o)
					 : soak_qps(&rc_kind, &o);
	if (found < 0) {
		fprintf(stderr, "soak: no memory\n");
		return 2;
	}
	return found != o.must_find;
}
