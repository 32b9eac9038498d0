/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/stimulus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/seat.h"
#include "cli/select.h"
#include "cli/source.h"
#include "suite/run.h"
#include "suite/sweep_parse.h"

#define CASE_GAP VSPAN_MS /* from the end of one case to the next one */

const char stimulus_help[] =
	"      --side WHO       of a case: tester (default), dut or both\n"
	"      --set FIELD=HOW  in each pass: 7, +1, 0..100, 0..100/10, a|b or "
	"rand;\n"
	"                       again for other fields\n"
	"      --pdcs N         every PDC as N of them, side by side\n"
	"      --loop N         all of it N times; 0: for ever\n"
	"      --count N        no more than N packets\n"
	"      --rate R         10000 or 10k packets, 1.5Gbit bits a second\n"
	"      --seed N         of all that is drawn by chance (default 1)\n"
	"      --decl FILE      the device that a case is written for\n"
	"      --cases DIR      read the cases below DIR, not the built-in "
	"ones\n"
	"      --udp-port N     UET's UDP port in a capture (default 4793)\n"
	"      --ip-proto N     and protocol of the native form (253)\n";

void stimulus_begin(struct stimulus *s, const char *who)
{
	*s = (struct stimulus){.who = who};
	s->conf.sweeps = s->sweeps;
	s->conf.stock = &s->stock;
	s->conf.seed = 1;
}

/* ---- Options ---- */

static bool read_rate(const char *s, struct stimulus_rate *ret)
{
	static const struct {
		const char *unit;
		double factor;
		bool bits;
	} units[] = {
		{"", 1, false},      {"k", 1e3, false},   {"M", 1e6, false},
		{"bit", 1, true},    {"kbit", 1e3, true}, {"Mbit", 1e6, true},
		{"Gbit", 1e9, true},
	};
	const size_t digits = strspn(s, "0123456789.");
	char number[24], *end;

	if (!digits || digits >= sizeof(number))
		return false;
	memcpy(number, s, digits);
	number[digits] = 0;
	ret->each_second = strtod(number, &end);
	if (*end || !(ret->each_second > 0))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(s + digits, units[i].unit) == 0) {
			ret->each_second *= units[i].factor;
			ret->bits = units[i].bits;
			ret->set = true;
			return ret->each_second >= 0.001;
		}
	return false;
}

double rate_span(const struct stimulus_rate *r, size_t len)
{
	return (r->bits ? (double)len * 8 : 1) * 1e9 / r->each_second;
}

static int read_side(struct stimulus *s, const char *word)
{
	static const char *const words[] = {"tester", "dut", "both"};

	for (unsigned i = 0; i < 3; i++)
		if (strcmp(word, words[i]) == 0) {
			s->side = (enum stimulus_side)i;
			return 0;
		}
	return cli_usage(s->who, "--side is tester, dut or both, not '%s'",
			 word);
}

static int read_sweep(struct stimulus *s, const char *text)
{
	struct diag diag = {0};
	int err;

	if (s->conf.nsweeps == STIMULUS_SWEEPS)
		return cli_usage(s->who, "--set is given more than %d times",
				 STIMULUS_SWEEPS);
	err = sweep_parse(&s->sweeps[s->conf.nsweeps], "--set", text, &diag);
	if (err)
		return cli_bad_text(s->who, err, &diag);
	s->conf.nsweeps++;
	return 0;
}

static int read_count(struct stimulus *s, int o)
{
	const uint64_t max = o == OPT_UDP_PORT || o == OPT_PDCS ? UINT16_MAX
			     : o == OPT_IP_PROTO                ? UINT8_MAX
			     : o == OPT_SEED                    ? UINT64_MAX
					     : UINT64_MAX / 2;
	const bool zero = o == OPT_SEED || o == OPT_LOOP;
	uint64_t n;

	if (!cli_number(optarg, max, &n) || (!n && !zero))
		return cli_usage(s->who, "'%s' is no number from %d to %llu",
				 optarg, !zero, (unsigned long long)max);
	if (o == OPT_COUNT)
		s->conf.count = n;
	else if (o == OPT_LOOP) {
		s->conf.passes = n;
		s->looped = true;
	} else if (o == OPT_PDCS)
		s->conf.pdcs = (uint32_t)n;
	else if (o == OPT_SEED)
		s->conf.seed = n;
	else if (o == OPT_UDP_PORT)
		s->stock.conf.udp_port = (uint16_t)n;
	else
		s->stock.conf.ip_proto = (uint8_t)n;
	return 0;
}

int stimulus_option(struct stimulus *s, int o)
{
	switch (o) {
	case OPT_SIDE:
		return read_side(s, optarg);
	case OPT_SET:
		return read_sweep(s, optarg);
	case OPT_RATE:
		if (read_rate(optarg, &s->rate))
			return 0;
		return cli_usage(s->who,
				 "--rate is 10000, 10k or 1.5M packets, or "
				 "1.5Gbit, a second");
	case OPT_DECL:
		s->decl = optarg;
		return 0;
	case OPT_CASES:
		s->cases = optarg;
		return 0;
	default:
		return read_count(s, o);
	}
}

/* ---- Captures ---- */

static int load_packets(struct stimulus *s, struct source *src,
			const char *path)
{
	struct capture_packet p;
	int n;

	while ((n = source_next(src, &p)) > 0) {
		/* What rung's own impairments removed never crossed. */
		if (source_info(src)->ours && p.iface)
			continue;
		if (stock_add(&s->stock, p.link, p.p, p.len, p.at))
			return cli_nomem(s->who);
	}
	if (n < 0) {
		fprintf(stderr, "%s: %s: %s\n", s->who, path,
			source_error(src));
		return n == ERR_SYNTAX || n == ERR_SHORT ? EXIT_USAGE
							 : EXIT_HARNESS;
	}
	return 0;
}

static int load_capture(struct stimulus *s, const char *path)
{
	struct source *src;
	int code = source_open(s->who, path, &src);

	if (code)
		return code;
	code = load_packets(s, src, path);
	source_close(src);
	return code;
}

/* ---- Cases ---- */

/* A packet of a run, and when it crossed the device's link. */
static bool is_wanted(const struct stimulus *s, const struct rec *r)
{
	if (r->fate == FATE_DROPPED)
		return false;
	return (r->kind == REC_TX && s->side != SIDE_DUT) ||
	       (r->kind == REC_RX && s->side != SIDE_TESTER);
}

static int by_time(const void *a, const void *b)
{
	const struct rec *x = *(const struct rec *const *)a;
	const struct rec *y = *(const struct rec *const *)b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int take_packets(struct stimulus *s, const struct record *r,
			const struct rec **sorted, vtime begin)
{
	struct dgram d;
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < r->nrecs; i++)
		if (is_wanted(s, &r->recs[i]))
			sorted[n++] = &r->recs[i];
	qsort(sorted, n, sizeof(*sorted), by_time);
	for (size_t i = 0; i < n && !err; i++) {
		record_dgram(r, sorted[i], &d);
		err = stock_add_dgram(&s->stock, &d, r->crc_order,
				      begin + sorted[i]->at);
	}
	return err ? cli_nomem(s->who) : 0;
}

static int take_run(struct stimulus *s, const struct record *r, vtime *begin)
{
	const struct rec **sorted;
	int code;

	if (r->verdict == VERDICT_NA || r->verdict == VERDICT_ERROR) {
		fprintf(stderr, "%s: %s: %s: %s\n", s->who, r->id,
			verdict_name(r->verdict), r->reason);
		return r->verdict == VERDICT_NA ? EXIT_NOTHING : EXIT_HARNESS;
	}
	sorted = calloc(r->nrecs + 1, sizeof(struct rec *));
	if (!sorted)
		return cli_nomem(s->who);
	code = take_packets(s, r, sorted, *begin);
	*begin += r->virtual_ns + CASE_GAP;
	free(sorted);
	return code;
}

/* A reference of a family, and who runs cases against it. */
struct gen_seat {
	const struct seat_conf *conf;
	enum family family;
	struct dut *dut;
	struct runner *runner;
};

static void unseat(struct gen_seat *b)
{
	runner_free(b->runner);
	if (b->dut)
		b->dut->ops->free(b->dut);
	b->runner = NULL;
	b->dut = NULL;
}

static int take_seat(struct gen_seat *b, const struct kase *kase)
{
	const enum family family = seat_family(b->conf->decl, kase);
	int code;

	if (b->dut && b->family == family)
		return 0;
	unseat(b);
	b->family = family;
	code = seat_new(b->conf, 0, family, &b->dut);
	if (code)
		return code;
	return runner_new(&b->runner, b->dut, b->conf->decl)
		       ? cli_nomem(b->conf->who)
		       : 0;
}

static int run_picks(struct stimulus *s, const struct picks *picks,
		     const struct run_conf *conf, struct gen_seat *seat)
{
	struct record *record = calloc(1, sizeof(*record));
	vtime begin = 0;
	int code = record ? 0 : cli_nomem(s->who);

	for (size_t i = 0; i < picks->n && !code; i++) {
		const struct pick *p = &picks->at[i];

		code = take_seat(seat, p->kase);
		if (code)
			break;
		code = run_case(seat->runner, p->kase, p->chair, conf, record)
			       ? cli_nomem(s->who)
			       : take_run(s, record, &begin);
	}
	if (record)
		record_free(record);
	free(record);
	return code;
}

static int seat_and_run(struct stimulus *s, const struct picks *picks,
			const struct decl *decl)
{
	const struct seat_conf conf = {.who = s->who,
				       .dut.virtual = true,
				       .api = &orc_reference,
				       .decl = decl};
	const struct run_conf run = {.decl = decl, .seed = s->conf.seed};
	struct gen_seat seat = {.conf = &conf};
	int code = run_picks(s, picks, &run, &seat);

	unseat(&seat);
	return code;
}

static int load_picks(struct stimulus *s, const struct picks *picks)
{
	struct decl *decl;
	int code = endpoint_decl(s->who, s->decl, false, &decl);

	if (code)
		return code;
	code = seat_and_run(s, picks, decl);
	decl_free(decl);
	return code;
}

static int load_cases(struct stimulus *s, char *const *names, size_t n)
{
	const struct select_conf select = {.selectors = names, .n = n};
	struct corpus *corpus = NULL;
	struct picks picks = {0};
	struct diag diag = {0};
	const struct corpus_want want = {names, n};
	int code, err = corpus_new(&corpus, s->cases, &want, &diag);

	code = err ? cli_bad_text(s->who, err, &diag)
		   : select_cases(s->who, corpus, &select, &picks);
	if (!code)
		code = load_picks(s, &picks);
	picks_free(&picks);
	corpus_free(corpus);
	return code;
}

/* ---- The whole ---- */

static bool is_capture(const char *name)
{
	const size_t len = strlen(name);

	if (strcmp(name, "-") == 0)
		return true;
	if (len > 4 && strcmp(name + len - 4, ".lad") == 0)
		return false;
	return access(name, F_OK) == 0;
}

int stimulus_load(struct stimulus *s, char *const *names, size_t n)
{
	int code;

	if (!n)
		return cli_usage(s->who, "a case or a capture is missing");
	if (n > 1 && (is_capture(names[0]) || is_capture(names[1])))
		return cli_usage(s->who, "one capture, or cases");
	code = is_capture(names[0]) ? load_capture(s, names[0])
				    : load_cases(s, names, n);
	if (code || s->stock.n)
		return code;
	fprintf(stderr, "%s: %s: there are no packets in it\n", s->who,
		names[0]);
	return EXIT_NOTHING;
}

void stimulus_free(struct stimulus *s)
{
	stock_free(&s->stock);
}

bool stimulus_endless(const struct stimulus *s)
{
	return s->looped && !s->conf.passes && !s->conf.count;
}

int stimulus_series(struct stimulus *s, struct series **ret)
{
	size_t bad = 0;
	int err;

	/* Without --loop, --count alone says how much there is. */
	if (!s->looped)
		s->conf.passes = s->conf.count ? 0 : 1;
	err = series_new(ret, &s->conf, &bad);
	if (err == ERR_SUPPORT)
		return cli_usage(s->who, "--set %s: no packet has it",
				 s->sweeps[bad].name);
	if (err == ERR_VALUE)
		return cli_usage(s->who,
				 "--set %s: a value does not fit the field",
				 s->sweeps[bad].name);
	return err ? cli_nomem(s->who) : 0;
}
