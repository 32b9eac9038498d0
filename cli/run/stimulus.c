/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/stimulus.c -- reads the options of "rung gen" and "rung send", and
 * loads the packets of cases or of a capture.
 *
 * Cases run one after another against the reference in virtual time, a
 * millisecond apart.  Their packets are sorted by the time at which they
 * crossed the device's link.
 */
#include "cli/run/stimulus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/file/source.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/dut_setup.h"
#include "cli/select.h"
#include "suite/lang/sweep_parse.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_state.h"

#define CASE_GAP VSPAN_MS /* from the end of one case to the next one */

void stimulus_begin(struct stimulus *s, const char *who)
{
	*s = (struct stimulus){.who = who};
	s->conf.sweeps = s->sweeps;
	s->conf.packet_set = &s->packet_set;
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

static int stimulus_take_sweep(const char *who, void *target, const char *text)
{
	struct stimulus *s = target;
	struct diag diag = {0};
	int err;

	if (s->conf.nsweeps == STIMULUS_SWEEPS)
		return cli_usage(who, "--set is given more than %d times",
				 STIMULUS_SWEEPS);
	err = sweep_parse(&s->sweeps[s->conf.nsweeps], "--set", text, &diag);
	if (err)
		return cli_bad_text(who, err, &diag);
	s->conf.nsweeps++;
	return 0;
}

static int stimulus_take_rate(const char *who, void *target, const char *value)
{
	struct stimulus *s = target;

	s->rate.max = s->sends && strcmp(value, "max") == 0;
	if (s->rate.max || read_rate(value, &s->rate))
		return 0;
	return cli_usage(who,
			 "--rate is 10000, 10k or 1.5M packets, or 1.5Gbit, "
			 "a second, not '%s'",
			 value);
}

const struct option_row stimulus_rows[] = {
	{0, "CASE", NULL, "an id, a pattern of ids or a .lad file",
	 .kind = OPTION_KIND_CASES},
	{0, "FILE", NULL, "a capture; - is standard input",
	 .kind = OPTION_KIND_OPERAND},
	{0, "side", "WHO",
	 "take the packets of the tester (default), the dut or both",
	 OPTION_CHOICE(struct stimulus, side, "tester dut both")},
	{0, "set", "FIELD=HOW",
	 "set a field, anew each time the packets repeat: 7, +1, 0..100, "
	 "0..100/10, a|b or rand (docs/cli.md); "
	 "may be repeated for other fields",
	 OPTION_CALL(stimulus_take_sweep)},
	{0, "pdcs", "N", "turn each PDC into N of them, side by side",
	 OPTION_NUMBER(struct stimulus, conf.pdcs, 1, UINT16_MAX)},
	{0, "loop", "N", "repeat all packets N times; 0: without end",
	 OPTION_NUMBER(struct stimulus, conf.passes, 0, UINT64_MAX / 2),
	 OPTION_GIVEN(struct stimulus, looped)},
	{0, "count", "N", "stop after N packets",
	 OPTION_NUMBER(struct stimulus, conf.count, 1, UINT64_MAX / 2)},
	{0, "rate", "R", "10000 or 10k packets a second, 1.5Gbit a second",
	 OPTION_CALL(stimulus_take_rate)},
	OPTION_ROW_SEED(struct stimulus, conf.seed),
	{0, "decl", "FILE", "the declaration of the device of a case",
	 OPTION_FILE(struct stimulus, decl)},
	OPTION_ROW_CASES(struct stimulus, cases),
	{0, "udp-port", "N", "the UDP port of UET in a capture (default 4793)",
	 OPTION_NUMBER(struct stimulus, packet_set.conf.udp_port, 1,
		       UINT16_MAX)},
	{0, "ip-proto", "N", "the IP protocol of the native form (default 253)",
	 OPTION_NUMBER(struct stimulus, packet_set.conf.ip_proto, 1,
		       UINT8_MAX)},
	OPTION_END};

/* ---- Captures ---- */

static int load_packets(struct stimulus *s, struct source *src,
			const char *path)
{
	struct capture_packet p;
	int n;

	while ((n = source_next(src, &p)) > 0) {
		/* Packets that rung's own impairments dropped never crossed. */
		if (source_info(src)->ours && p.iface)
			continue;
		if (packet_set_add(&s->packet_set, p.link, p.p, p.len, p.at))
			return cli_nomem(s->who);
	}
	if (n < 0) {
		fprintf(stderr, "%s: %s: %s\n", s->who, path,
			source_error(src));
		if (n == ERR_SYNTAX || n == ERR_SHORT)
			return EXIT_USAGE;
		return EXIT_HARNESS;
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

/*
 * Returns true for a packet of a run that crossed the device's link in a wanted
 * direction.
 */
static bool stimulus_is_wanted(const struct stimulus *s, const struct rec *r)
{
	if (r->fate == FATE_DROPPED)
		return false;
	return (r->kind == REC_TX && s->side != SIDE_DUT) ||
	       (r->kind == REC_RX && s->side != SIDE_TESTER);
}

static int stimulus_by_time(const void *a, const void *b)
{
	const struct rec *x = *(const struct rec *const *)a;
	const struct rec *y = *(const struct rec *const *)b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x < y)
		return -1;
	return x > y;
}

static int take_packets(struct stimulus *s, const struct record *r,
			const struct rec **sorted, vtime begin)
{
	struct dgram d;
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < r->nrecs; i++)
		if (stimulus_is_wanted(s, &r->recs[i]))
			sorted[n++] = &r->recs[i];
	qsort(sorted, n, sizeof(*sorted), stimulus_by_time);
	for (size_t i = 0; i < n && !err; i++) {
		record_dgram(r, sorted[i], &d);
		err = packet_set_add_dgram(&s->packet_set, &d, r->crc_order,
					   begin + sorted[i]->at);
	}
	if (err)
		return cli_nomem(s->who);
	return 0;
}

static int take_run(struct stimulus *s, const struct record *r, vtime *begin)
{
	const struct rec **sorted;
	int code;

	if (r->verdict == VERDICT_NA || r->verdict == VERDICT_ERROR) {
		fprintf(stderr, "%s: %s: %s: %s\n", s->who, r->id,
			verdict_name(r->verdict), r->reason);
		if (r->verdict == VERDICT_NA)
			return EXIT_NOTHING;
		return EXIT_HARNESS;
	}
	sorted = memory_calloc(r->nrecs + 1, sizeof(struct rec *));
	if (!sorted)
		return cli_nomem(s->who);
	code = take_packets(s, r, sorted, *begin);
	*begin += r->virtual_ns + CASE_GAP;
	free(sorted);
	return code;
}

/* A reference of a family, and the runner of cases against it. */
struct gen_dut_setup {
	const struct dut_setup_conf *conf;
	enum family family;
	struct dut *dut;
	struct runner *runner;
};

static void stimulus_unseat(struct gen_dut_setup *b)
{
	runner_free(b->runner);
	dut_setup_free(b->dut);
	b->runner = NULL;
	b->dut = NULL;
}

static int stimulus_take_dut_setup(struct gen_dut_setup *b,
				   const struct test_case *test_case)
{
	const enum family family = dut_setup_family(b->conf->decl, test_case);
	int code;

	if (b->dut && b->family == family)
		return 0;
	stimulus_unseat(b);
	b->family = family;
	code = dut_setup_new(b->conf, 0, family, &b->dut);
	if (code)
		return code;
	if (runner_new(&b->runner, b->dut, b->conf->decl))
		return cli_nomem(b->conf->who);
	return 0;
}

static int stimulus_run_selection(struct stimulus *s,
				  const struct selection *selection,
				  const struct run_conf *conf,
				  struct gen_dut_setup *dut_setup)
{
	struct record *record = memory_calloc(1, sizeof(*record));
	vtime begin = 0;
	int code = record ? 0 : cli_nomem(s->who);

	for (size_t i = 0; i < selection->n && !code; i++) {
		const struct pick *p = &selection->at[i];

		code = stimulus_take_dut_setup(dut_setup, p->test_case);
		if (code)
			break;
		if (run_case(dut_setup->runner, p->test_case, p->chair, conf,
			     record) ||
		    memory_shortages())
			code = cli_nomem(s->who);
		else
			code = take_run(s, record, &begin);
	}
	if (record)
		record_free(record);
	free(record);
	return code;
}

static int set_up_and_run(struct stimulus *s, const struct selection *selection,
			  const struct decl *decl)
{
	const struct dut_setup_conf conf = {.who = s->who,
					    .keeps = PRIVILEGE_ALL,
					    .dut.virtual = true,
					    .variants = &variants_none,
					    .decl = decl};
	const struct run_conf run = {.decl = decl, .seed = s->conf.seed};
	struct gen_dut_setup dut_setup = {.conf = &conf};
	int code = stimulus_run_selection(s, selection, &run, &dut_setup);

	stimulus_unseat(&dut_setup);
	return code;
}

static int load_selection(struct stimulus *s, const struct selection *selection)
{
	struct decl *decl;
	int code = endpoint_decl(s->who, s->decl, NULL, false, &decl);

	if (code)
		return code;
	code = set_up_and_run(s, selection, decl);
	decl_free(decl);
	return code;
}

static int load_cases(struct stimulus *s, char *const *names, size_t n)
{
	const struct select_conf select = {.selectors = names, .n = n};
	struct corpus *corpus = NULL;
	struct selection selection = {0};
	struct diag diag = {0};
	const struct corpus_want want = {.selectors = names, .n = n};
	int code, err = corpus_new(&corpus, s->cases, &want, &diag);

	if (err)
		code = cli_bad_text(s->who, err, &diag);
	else
		code = select_cases(s->who, corpus, &select, &selection);
	if (!code)
		code = load_selection(s, &selection);
	selection_free(&selection);
	corpus_free(corpus);
	return code;
}

/* ---- Loading ---- */

static bool stimulus_ends_in(const char *name, const char *end)
{
	const size_t len = strlen(name), n = strlen(end);

	return len > n && strcmp(name + len - n, end) == 0;
}

static bool is_capture(const char *name)
{
	if (strcmp(name, "-") == 0 || stimulus_ends_in(name, ".pcap") ||
	    stimulus_ends_in(name, ".pcapng"))
		return true;
	return !stimulus_ends_in(name, ".lad") && access(name, F_OK) == 0;
}

int stimulus_load(struct stimulus *s, char *const *names, size_t n)
{
	int code;

	if (!n)
		return cli_usage(s->who, "a case or a capture is missing");
	if (n > 1 && (is_capture(names[0]) || is_capture(names[1])))
		return cli_usage(s->who, "one capture, or cases");
	if (is_capture(names[0]))
		code = load_capture(s, names[0]);
	else
		code = load_cases(s, names, n);
	if (code || s->packet_set.n)
		return code;
	fprintf(stderr, "%s: %s: there are no packets in it\n", s->who,
		names[0]);
	return EXIT_NOTHING;
}

void stimulus_free(struct stimulus *s)
{
	packet_set_free(&s->packet_set);
}

bool stimulus_endless(const struct stimulus *s)
{
	return s->looped && !s->conf.passes && !s->conf.count;
}

int stimulus_series(struct stimulus *s, struct series **ret)
{
	size_t bad = 0;
	int err;

	/* Without --loop, only --count limits the number of packets. */
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
	if (err)
		return cli_nomem(s->who);
	return 0;
}
