/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_run.c -- rung run: cases against a device, and the verdict.
 *
 * It reads options, the declaration and the cases, seats a device for each
 * worker and lets them run; results arrive in the order of the cases and go to
 * the reports.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/crew.h"
#include "cli/endpoint.h"
#include "cli/file.h"
#include "cli/mutants.h"
#include "cli/output.h"
#include "cli/privilege.h"
#include "cli/seat.h"
#include "cli/select.h"
#include "reports/baseline.h"
#include "reports/results.h"
#include "rung_version.h"
#include "suite/starts.h"

#define WHO        "rung run"
#define REPEAT_MAX 100000
#define UNTIL_FAIL 1000 /* rounds, if nothing else is said */

struct run_options {
	struct select_conf select;
	struct seat_conf seat;
	struct output_conf output;
	struct run_conf run;
	const char *cases, *control, *colour;
	const char *bridge; /* as given */
	unsigned workers;
	uint32_t repeat, from; /* so often, and the number of the first */
	const char *baseline;
	const char *before; /* results.json of --failed-first */
	bool fail_fast, seeded, until_fail, failed_first, repeated;
};

/* What a result needs to know when it arrives. */
struct run_ctx {
	const struct seat_conf *seat;
	struct starts *starts;
	struct output *output;
	bool fail_fast;
};

static void help_dut(void)
{
	puts("Usage: rung run [OPTION...] [SELECTOR...]\n\n"
	     "Runs cases against a device; without a selector all that "
	     "apply.\n\n"
	     "  SELECTOR            an id (uet/rud/send-gtd, or ...@target), a "
	     "glob over ids\n"
	     "                      in which * crosses /, or the path of a "
	     ".lad "
	     "file\n"
	     "      --req ID        only cases that cover a requirement, as "
	     "RUD-SEQ-76 or\n"
	     "                      RUD-SEQ-76/dst\n"
	     "      --profile NAME  smoke: the quick ones; full: all "
	     "(default)\n"
	     "      --cases DIR     read the cases below DIR, not the built-in "
	     "ones\n\n"
	     "The device:\n"
	     "      --dut SPEC      what is tested:\n"
	     "                      ref       starts 'rung serve', UDP on "
	     "loopback (default)\n"
	     "                      virtual   the reference in this process, "
	     "virtual time\n"
	     "                      udp:ADDR[:PORT],peer=HOST\n"
	     "                                a device at HOST, reached from "
	     "our "
	     "ADDR\n"
	     "                      raw:IFACE,ip=ADDR[:PORT],peer=HOST\n"
	     "                      ring:IFACE,ip=ADDR[:PORT],peer=HOST\n"
	     "                                whole frames on an Ethernet, by "
	     "libnet and\n"
	     "                                libpcap or by a packet ring; "
	     "also "
	     "mac=, vlan=,\n"
	     "                                via=, peer-mac=, proto=, native\n"
	     "                      exec:COMMAND\n"
	     "                                starts COMMAND; {dut} and "
	     "{tester} in it are\n"
	     "                                addresses, control is on its "
	     "stdin and stdout;\n"
	     "                                with a port as well, it is the "
	     "device at HOST\n"
	     "      --control SPEC  unix:PATH or tcp:HOST:PORT[,token=T] "
	     "(or\n"
	     "                      ,token-file=PATH, ,token-fd=N); stdio with "
	     "exec:\n"
	     "      --trigger CMD   starts an operation on a device without a "
	     "control channel:\n"
	     "                      a shell command with {op} {len} {peer} and "
	     "perhaps {mode}\n"
	     "                      {key} {offset}\n"
	     "      --without LIST  control verbs to take from the device, "
	     "VERB,VERB; control:\n"
	     "                      the whole channel\n"
	     "      --bridge PORT   udp:ADDR,peer=HOST or the like: HOST is "
	     "another endpoint,\n"
	     "                      which plays the tester's part; we stand "
	     "between\n"
	     "      --decl FILE     what the device declares (default: the "
	     "reference's own)\n"
	     "      --mutant NAME   the reference with a bug in it; for ref "
	     "and virtual\n"
	     "      --variant NAME  another correct device, likewise\n");
}

static void help(void)
{
	help_dut();
	puts("The run:\n"
	     "      --seed N        of all that is drawn by chance (default "
	     "1;\n"
	     "                      with a port a new one each time)\n"
	     "  -j, --jobs N        so many cases at a time (default 1)\n"
	     "      --repeat N      each case so often\n"
	     "      --from N        the number of the first repetition "
	     "(default 1)\n"
	     "      --until-fail    all cases again and again, up to --repeat "
	     "N times\n"
	     "                      (default 1000), until one fails\n"
	     "      --failed-first[=FILE]\n"
	     "                      what failed before comes first; FILE is a "
	     "results.json\n"
	     "                      (default: the one in the folder of "
	     "--out)\n"
	     "      --baseline FILE\n                      what is known to "
	     "fail does not fail the "
	     "run\n"
	     "      --as ID         the id of the one .lad file that is "
	     "named\n"
	     "      --timeout T     of one case: 10, 10s, 500ms (default 10s)\n"
	     "      --fail-fast     stop at the first fail\n"
	     "      --strict        remarks fail as well\n"
	     "      --step-over     go on behind a deviation that leaves the "
	     "state of both\n"
	     "                      ends certain; the row and the run fail all "
	     "the same\n\n"
	     "Results:\n"
	     "      --out DIR       a folder with all reports, and per case "
	     "the "
	     "ladder, the\n"
	     "                      capture and what the control channel said\n"
	     "      --json FILE     results as JSON; - is standard output\n"
	     "      --junit FILE    results as JUnit XML; - is standard "
	     "output\n"
	     "      --jsonl FILE    a line of JSON per result, while the run "
	     "goes on\n"
	     "      --markdown FILE\n                      a summary for a CI "
	     "step\n"
	     "      --map FILE      a checklist (CSV) to fill in; into "
	     "checklist.csv of --out\n"
	     "      --map-out FILE  where the filled checklist goes\n"
	     "      --html FILE     the report as one HTML page; - is standard "
	     "output\n"
	     "      --tap           results as TAP on standard output\n"
	     "  -q, --quiet         what is wrong, in short; no line for each "
	     "case\n"
	     "      --ladders       a ladder for every case, not for failed "
	     "ones "
	     "only\n"
	     "  -v, --verbose       likewise, with nothing left out\n"
	     "      --color WHEN    auto (default), always or never\n"
	     "  -h, --help          this text\n\n"
	     "Exit codes: 0 passed, 1 fail, 2 usage or configuration, 3 "
	     "inconclusive, 4\n"
	     "nothing run, 5 harness error, 130 interrupted.");
}

enum {
	OPT_REQ = 256,
	OPT_PROFILE,
	OPT_CASES,
	OPT_DUT,
	OPT_CONTROL,
	OPT_DECL,
	OPT_TRIGGER,
	OPT_WITHOUT,
	OPT_BRIDGE,
	OPT_MUTANT,
	OPT_SEED,
	OPT_REPEAT,
	OPT_TIMEOUT,
	OPT_FAIL_FAST,
	OPT_STRICT,
	OPT_STEP_OVER,
	OPT_OUT,
	OPT_JSON,
	OPT_JUNIT,
	OPT_HTML,
	OPT_JSONL,
	OPT_MARKDOWN,
	OPT_MAP,
	OPT_MAP_OUT,
	OPT_BASELINE,
	OPT_FROM,
	OPT_UNTIL_FAIL,
	OPT_FAILED_FIRST,
	OPT_AS,
	OPT_TAP,
	OPT_LADDERS,
	OPT_COLOR,
};

static const struct option longs[] = {
	{"req", required_argument, NULL, OPT_REQ},
	{"profile", required_argument, NULL, OPT_PROFILE},
	{"cases", required_argument, NULL, OPT_CASES},
	{"dut", required_argument, NULL, OPT_DUT},
	{"control", required_argument, NULL, OPT_CONTROL},
	{"decl", required_argument, NULL, OPT_DECL},
	{"trigger", required_argument, NULL, OPT_TRIGGER},
	{"without", required_argument, NULL, OPT_WITHOUT},
	{"bridge", required_argument, NULL, OPT_BRIDGE},
	{"mutant", required_argument, NULL, OPT_MUTANT},
	{"variant", required_argument, NULL, OPT_MUTANT},
	{"seed", required_argument, NULL, OPT_SEED},
	{"jobs", required_argument, NULL, 'j'},
	{"repeat", required_argument, NULL, OPT_REPEAT},
	{"timeout", required_argument, NULL, OPT_TIMEOUT},
	{"fail-fast", no_argument, NULL, OPT_FAIL_FAST},
	{"strict", no_argument, NULL, OPT_STRICT},
	{"step-over", no_argument, NULL, OPT_STEP_OVER},
	{"out", required_argument, NULL, OPT_OUT},
	{"json", required_argument, NULL, OPT_JSON},
	{"junit", required_argument, NULL, OPT_JUNIT},
	{"html", required_argument, NULL, OPT_HTML},
	{"jsonl", required_argument, NULL, OPT_JSONL},
	{"markdown", required_argument, NULL, OPT_MARKDOWN},
	{"map", required_argument, NULL, OPT_MAP},
	{"map-out", required_argument, NULL, OPT_MAP_OUT},
	{"baseline", required_argument, NULL, OPT_BASELINE},
	{"from", required_argument, NULL, OPT_FROM},
	{"until-fail", no_argument, NULL, OPT_UNTIL_FAIL},
	{"failed-first", optional_argument, NULL, OPT_FAILED_FIRST},
	{"as", required_argument, NULL, OPT_AS},
	{"tap", no_argument, NULL, OPT_TAP},
	{"ladders", no_argument, NULL, OPT_LADDERS},
	{"quiet", no_argument, NULL, 'q'},
	{"verbose", no_argument, NULL, 'v'},
	{"color", required_argument, NULL, OPT_COLOR},
	{"colour", required_argument, NULL, OPT_COLOR},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Options with a number or a word to check.  Return: 0 or EXIT_USAGE. */
static int option_checked(int o, const char *arg, struct run_options *ro)
{
	uint64_t n = 0;

	switch (o) {
	case OPT_PROFILE:
		if (cli_profile(arg, &ro->select.smoke))
			return 0;
		return cli_usage(WHO, "--profile is smoke or full");
	case OPT_SEED:
		ro->seeded = true;
		if (cli_number(arg, UINT64_MAX, &ro->run.seed))
			return 0;
		return cli_usage(WHO, "--seed is a number");
	case 'j':
		if (!cli_number(arg, CREW_MAX, &n) || !n)
			return cli_usage(WHO, "-j is a number from 1 to %d",
					 CREW_MAX);
		ro->workers = (unsigned)n;
		return 0;
	case OPT_REPEAT:
		if (!cli_number(arg, REPEAT_MAX, &n) || !n)
			return cli_usage(WHO,
					 "--repeat is a number from 1 to "
					 "%d",
					 REPEAT_MAX);
		ro->repeat = (uint32_t)n;
		ro->repeated = true;
		return 0;
	case OPT_FROM:
		if (!cli_number(arg, UINT32_MAX, &n) || !n)
			return cli_usage(WHO, "--from is a number from 1 on");
		ro->from = (uint32_t)n - 1;
		return 0;
	case OPT_TIMEOUT:
		if (cli_span(arg, &ro->run.timeout))
			return 0;
		return cli_usage(WHO, "--timeout is a time: 10, 10s, 500ms");
	default:
		ro->colour = arg;
		if (cli_colour_word(arg))
			return 0;
		return cli_usage(WHO, "--color is auto, always or never");
	}
}

static int option_dut(const char *arg, struct run_options *ro)
{
	const char *why;

	if (!spec_dut(&ro->seat.dut, arg, &why))
		return 0;
	return cli_usage(WHO, "--dut %s: %s", arg, why);
}

static int option_control(const char *arg, struct run_options *ro)
{
	const char *why;

	ro->control = arg;
	if (!spec_control(&ro->seat.control, arg, &why))
		return 0;
	return cli_usage(WHO, "--control %s: %s", arg, why);
}

static int option_bridge(const char *arg, struct run_options *ro)
{
	struct port_spec *at = &ro->seat.behind;
	const char *why;

	ro->bridge = arg;
	ro->seat.bridged = true;
	if (spec_port(at, arg, &why))
		return cli_usage(WHO, "--bridge %s: %s", arg, why);
	if (!at->conf.addr.len || !at->peer.len)
		return cli_usage(WHO,
				 "--bridge %s: expected our address there "
				 "and peer=HOST",
				 arg);
	return 0;
}

/* Options that name a file for a report.  Return: whether |o| is one. */
static bool option_file(int o, const char *arg, struct run_options *ro)
{
	static const struct {
		int option;
		enum output_kind kind;
	} kinds[] = {
		{OPT_JSON, OUTPUT_JSON},
		{OPT_JSONL, OUTPUT_STREAM},
		{OPT_JUNIT, OUTPUT_JUNIT},
		{OPT_HTML, OUTPUT_HTML},
		{OPT_MARKDOWN, OUTPUT_MARKDOWN},
		{OPT_MAP_OUT, OUTPUT_CHECKLIST},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].option == o) {
			ro->output.file[kinds[i].kind] = arg;
			return true;
		}
	return false;
}

static int option(int o, const char *arg, struct run_options *ro)
{
	if (option_file(o, arg, ro))
		return 0;
	switch (o) {
	case OPT_REQ:
		ro->select.req = arg;
		return 0;
	case OPT_CASES:
		ro->cases = arg;
		return 0;
	case OPT_DUT:
		return option_dut(arg, ro);
	case OPT_CONTROL:
		return option_control(arg, ro);
	case OPT_DECL:
		ro->seat.decl_path = arg;
		return 0;
	case OPT_MUTANT:
		ro->seat.mutant = arg;
		return 0;
	case OPT_TRIGGER:
		ro->seat.trigger = arg;
		return 0;
	case OPT_WITHOUT:
		ro->seat.without = arg;
		return 0;
	case OPT_BRIDGE:
		return option_bridge(arg, ro);
	case OPT_FAIL_FAST:
		ro->fail_fast = true;
		return 0;
	case OPT_STRICT:
		ro->run.strict = true;
		return 0;
	case OPT_STEP_OVER:
		ro->run.step_over = true;
		return 0;
	case OPT_OUT:
		ro->output.out = arg;
		return 0;
	case OPT_UNTIL_FAIL:
		ro->until_fail = ro->fail_fast = true;
		return 0;
	case OPT_FAILED_FIRST:
		ro->failed_first = true;
		ro->before = arg;
		return 0;
	case OPT_BASELINE:
		ro->baseline = arg;
		return 0;
	case OPT_AS:
		ro->select.as = arg;
		return 0;
	case OPT_MAP:
		ro->output.map = arg;
		return 0;
	case OPT_TAP:
		ro->output.tap = true;
		return 0;
	case OPT_LADDERS:
		ro->output.ladders = true;
		return 0;
	case 'q':
		ro->output.quiet = true;
		return 0;
	case 'v':
		ro->output.verbose = true;
		return 0;
	default:
		return option_checked(o, arg, ro);
	}
}

/* What does not go together. */
static int agree(struct run_options *ro)
{
	const struct dut_spec *dut = &ro->seat.dut;
	const struct output_conf *out = &ro->output;
	bool own = dut->ref || dut->virtual;

	if (output_on_stdout(out) > 1)
		return cli_usage(WHO,
				 "only one of the reports can go to standard "
				 "output");
	if (out->map && !out->out && !out->file[OUTPUT_CHECKLIST])
		return cli_usage(WHO, "--map needs --map-out or --out");
	if (out->file[OUTPUT_CHECKLIST] && !out->map)
		return cli_usage(WHO, "--map-out needs --map");
	if (ro->failed_first && !ro->before && !out->out)
		return cli_usage(WHO, "--failed-first needs a file, or --out");
	if (ro->seat.mutant && !own)
		return cli_usage(WHO, "--mutant is for --dut ref and virtual");
	if (ro->seat.control.kind && own)
		return cli_usage(WHO, "--control is for other devices than "
				      "our own");
	if (ro->seat.control.kind == CONTROL_STDIO && !dut->command)
		return cli_usage(WHO, "--control stdio needs --dut exec:");
	if (ro->seat.trigger &&
	    (!dut->linked || dut->command || ro->seat.control.kind))
		return cli_usage(WHO, "--trigger is for a device at a port, "
				      "without a control channel");
	if (ro->seat.bridged && (!dut->linked || dut->command))
		return cli_usage(WHO, "--bridge needs a device at a port");
	if (ro->workers > 1 && ro->seat.bridged)
		return cli_usage(WHO, "--bridge: -j 1");
	if (ro->workers > 1 && (!seat_many(dut) || ro->seat.control.kind))
		return cli_usage(WHO, "one device at one address cannot run "
				      "more than one case at a time: -j 1");
	return 0;
}

/*
 * A device that stays up from run to run must not see PDCIDs and Start_PSNs
 * again: "at least 2^16 away from the last PSN" (UET 3.5.8.2).  One that we
 * start ourselves may as well see the same each time.
 */
static uint64_t default_seed(const struct dut_spec *dut)
{
	struct timespec ts;

	if (!dut->linked)
		return 1;
	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec % 1000000 * 1000 +
	       (uint64_t)ts.tv_nsec / 1000000;
}

static void defaults(struct run_options *ro)
{
	const char *unused;

	if (!ro->seat.dut.text[0])
		spec_dut(&ro->seat.dut, "ref", &unused);
	if (!ro->seeded)
		ro->run.seed = default_seed(&ro->seat.dut);
	ro->seat.who = WHO;
	ro->output.colour = cli_colour(stdout, ro->colour);
	ro->output.virtual = ro->seat.dut.virtual;
	ro->output.about = (struct about){
		.version = RUNG_VERSION,
		.commit = RUNG_COMMIT,
		.seed = ro->run.seed,
		.dut = ro->seat.dut.text,
		.control = ro->control,
		.mutant = ro->seat.mutant,
		.timeout = ro->run.timeout,
		.out = ro->output.out,
		.strict = ro->run.strict,
		.step_over = ro->run.step_over,
	};
	if (ro->until_fail && !ro->repeated)
		ro->repeat = UNTIL_FAIL;
}

/* Return: -1 go on, else an exit code. */
static int options(int argc, char **argv, struct run_options *ro)
{
	int o, code;

	while ((o = getopt_long(argc, argv, "hj:qv", longs, NULL)) != -1) {
		if (o == 'h') {
			help();
			return EXIT_PASSED;
		}
		if (o == '?')
			return cli_try(WHO);
		code = option(o, optarg, ro);
		if (code)
			return code;
	}
	ro->select.selectors = argv + optind;
	ro->select.n = (size_t)(argc - optind);
	defaults(ro);
	code = agree(ro);
	return code ? code : -1;
}

static int run_seat(void *ctx, unsigned worker, enum family family,
		    struct dut **ret)
{
	const struct run_ctx *c = ctx;

	return seat_new(c->seat, worker, family, ret);
}

static bool run_arrived(void *ctx, struct record *r, size_t done)
{
	const struct run_ctx *c = ctx;

	if (starts_take(c->starts, r))
		return false;
	output_case(c->output, r, done);
	return !c->fail_fast || r->verdict != VERDICT_FAIL;
}

static void run_waits(void *ctx, const struct pick *p)
{
	const struct run_ctx *c = ctx;

	output_waits(c->output, p->kase->id);
}

/* Appends an option with its value, quoted where the shell needs it. */
static void again(struct text *t, const char *option, const char *value)
{
	const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789:,.=/@_-";
	const char *quote = value[strspn(value, plain)] ? "'" : "";

	text_printf(t, "%s%s %s%s%s", t->len ? " " : "", option, quote, value,
		    quote);
}

/* The options that repeat this run, for the hints of the report. */
static void rerun(const struct run_options *ro, struct text *t)
{
	if (!ro->seat.dut.ref)
		again(t, "--dut", ro->seat.dut.text);
	if (ro->control)
		again(t, "--control", ro->control);
	if (ro->seat.trigger)
		again(t, "--trigger", ro->seat.trigger);
	if (ro->seat.without)
		again(t, "--without", ro->seat.without);
	if (ro->seat.bridged)
		again(t, "--bridge", ro->bridge);
	if (ro->seat.decl_path)
		again(t, "--decl", ro->seat.decl_path);
	if (ro->seat.mutant)
		again(t, "--mutant", ro->seat.mutant);
	if (ro->cases)
		again(t, "--cases", ro->cases);
	if (ro->run.step_over)
		text_printf(t, "%s--step-over", t->len ? " " : "");
}

/* The workers open the ports. */
static void run_started(void *ctx)
{
	(void)ctx;
	privilege_drop_raw();
}

/* Draws an id that no other run has, 32 hexadecimal digits. */
static int run_id(char ret[33])
{
	uint8_t id[16];

	if (getrandom(id, sizeof(id), 0) != sizeof(id))
		return cli_sys(WHO, "getrandom");
	for (size_t i = 0; i < sizeof(id); i++)
		snprintf(ret + 2 * i, 3, "%02x", id[i]);
	return 0;
}

/* Whether the device keeps its state between two cases. */
static bool stays_up(const struct seat_conf *seat)
{
	return seat->dut.linked && !seat->dut.command && !seat->control.kind;
}

static int run_picks(struct run_options *ro, const struct picks *picks)
{
	struct run_ctx ctx = {.seat = &ro->seat, .fail_fast = ro->fail_fast};
	struct crew_conf crew = {
		.picks = picks,
		.repeat = ro->repeat,
		.from = ro->from,
		.rounds = ro->until_fail,
		.workers = ro->workers,
		.run = ro->run,
		.seat = run_seat,
		.reseat = ro->seat.dut.ref || ro->seat.dut.command,
		.started = run_started,
		.arrived = run_arrived,
		.waits = run_waits,
		.ctx = &ctx,
	};
	struct text options = {0};
	int code, verdict;
	char id[33];

	code = run_id(id);
	if (code)
		return code;
	ctx.starts = calloc(1, sizeof(*ctx.starts));
	if (!ctx.starts)
		return cli_nomem(WHO);
	ctx.starts->decl = ro->seat.decl;
	ctx.starts->lasting = stays_up(&ro->seat);
	ro->output.about.run = id;
	rerun(ro, &options);
	ro->output.about.rerun = text_cstr(&options);
	ro->output.total = picks->n * ro->repeat;
	code = output_new(&ctx.output, &ro->output);
	if (!code) {
		crew.run.interrupted = cli_interrupts();
		code = picks->n ? crew_run(&crew) : 0;
		verdict = output_end(ctx.output, *crew.run.interrupted);
		if (!code || verdict == EXIT_INTERRUPTED)
			code = verdict;
		output_free(ctx.output);
	}
	text_free(&options);
	free(ctx.starts);
	return code;
}

/* "2026-12-01" */
static void today(char buf[16])
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, 16, "%Y-%m-%d", &tm);
}

/* Reads what is known to fail, and runs. */
static int run_baseline(struct run_options *ro, const struct picks *picks)
{
	struct arena a = {0};
	struct diag diag = {0};
	struct baseline *b = NULL;
	const char *text;
	char date[16];
	size_t len;
	int err = 0, code;

	if (ro->baseline) {
		err = file_read(&a, ro->baseline, &text, &len);
		if (err == ERR_SYS) {
			cli_sys(WHO, ro->baseline);
			return EXIT_USAGE;
		}
		today(date);
		if (!err)
			err = baseline_parse(&b, ro->baseline, text, len, date,
					     &diag);
		arena_free(&a);
	}
	if (err)
		return cli_bad_text(WHO, err, &diag);
	ro->output.baseline = b;
	code = run_picks(ro, picks);
	baseline_free(b);
	return code;
}

static int run_decl(struct run_options *ro, const struct picks *picks)
{
	struct decl *decl;
	int code = endpoint_decl(WHO, ro->seat.decl_path, !ro->seat.dut.virtual,
				 &decl);

	if (code)
		return code;
	ro->seat.decl = ro->run.decl = ro->output.about.decl = decl;
	code = run_baseline(ro, picks);
	decl_free(decl);
	return code;
}

static int run_mutant(struct run_options *ro)
{
	ro->seat.api = &orc_reference;
	if (!ro->seat.mutant)
		return 0;
	return mutant_load(WHO, ro->seat.mutant, &ro->seat.api);
}

/* Puts what failed in the results of |r| before the rest. */
static int reorder(struct picks *picks, const struct results *r)
{
	struct pick *rest = calloc(picks->n + 1, sizeof(*rest));
	size_t first = 0, n = 0;

	if (!rest)
		return cli_nomem(WHO);
	for (size_t i = 0; i < picks->n; i++) {
		char id[320];

		pick_id(&picks->at[i], id, sizeof(id));
		if (results_failed(r, id))
			picks->at[first++] = picks->at[i];
		else
			rest[n++] = picks->at[i];
	}
	memcpy(picks->at + first, rest, n * sizeof(*rest));
	free(rest);
	fprintf(stderr, "%s: %zu that failed before come first\n", WHO, first);
	return 0;
}

/* In the folder of --out there may be no run yet: then nothing failed. */
static int run_first(const struct run_options *ro, struct picks *picks)
{
	struct arena a = {0};
	struct diag diag = {0};
	struct results *r = NULL;
	char path[4096];
	const char *text;
	size_t len;
	int err, code = 0;

	if (!ro->failed_first || !picks->n)
		return 0;
	if (ro->before)
		snprintf(path, sizeof(path), "%s", ro->before);
	else
		snprintf(path, sizeof(path), "%s/results.json", ro->output.out);
	err = file_read_most(&a, path, FILE_RESULTS, &text, &len);
	if (err == ERR_SYS && errno == ENOENT && !ro->before)
		return 0;
	if (err == ERR_SYS) {
		cli_sys(WHO, path);
		return EXIT_USAGE;
	}
	if (!err)
		err = results_parse(&r, path, text, len, &diag);
	code = err ? cli_bad_text(WHO, err, &diag) : reorder(picks, r);
	results_free(r);
	arena_free(&a);
	return code;
}

int cmd_run(int argc, char **argv)
{
	struct run_options ro = {
		.workers = 1,
		.repeat = 1,
		.colour = "auto",
	};
	struct corpus *corpus = NULL;
	struct picks picks = {0};
	struct diag diag = {0};
	struct corpus_want want;
	int code, err;

	code = options(argc, argv, &ro);
	if (code >= 0)
		return code;
	want = (struct corpus_want){ro.select.selectors, ro.select.n};
	err = corpus_new(&corpus, ro.cases, &want, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	/* Reports of nothing are reports, too. */
	code = select_cases(WHO, corpus, &ro.select, &picks);
	if (!code || code == EXIT_NOTHING)
		code = run_first(&ro, &picks);
	if (!code)
		code = run_mutant(&ro);
	if (!code)
		code = run_decl(&ro, &picks);
	picks_free(&picks);
	corpus_free(corpus);
	return code;
}
