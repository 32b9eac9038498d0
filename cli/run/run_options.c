/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/run_options.c -- the options of rung run, their defaults, and which
 * of them exclude each other.
 */
#include "cli/run/run_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option/dut_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/option/output_options.h"
#include "cli/run/worker_pool.h"
#include "rung_version.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/lang/lex/case_lex.h"

#define WHO        RUN_WHO
#define UNTIL_FAIL 1000 /* rounds, if --repeat is not given */

static int run_take_bridge(const char *who, void *target, const char *arg)
{
	struct run_options *ro = target;
	struct port_spec *at = &ro->dut_setup.behind;
	const char *why;

	ro->bridge = arg;
	ro->dut_setup.bridged = true;
	if (spec_port(at, arg, &why))
		return cli_usage(who, "--bridge %s: %s", arg, why);
	if (!at->conf.addr.len || !at->peer.len)
		return cli_usage(who,
				 "--bridge %s: expected our address there "
				 "and peer=HOST",
				 arg);
	return 0;
}

static const struct option_row run_case_rows[] = {
	OPTION_ROW_CASES(struct run_options, cases), OPTION_END};

static const struct option_row run_shard_rows[] = {
	{0, "shard", "I/N",
	 "run only the I-th of N shares of the cases; 'rung merge' joins the "
	 "results",
	 OPTION_CALL(shard_take)},
	{0, "balance", "FILE",
	 "divide the cases by the durations in FILE, a results.json, so that "
	 "all shards take about as long",
	 OPTION_FILE(struct shard, balance)},
	OPTION_END};

static const struct option_row run_budget_rows[] = {
	{0, "budget", "T",
	 "run only what takes about T (90, 10m, 1h): the cheapest cases that "
	 "cover the most requirements first",
	 OPTION_TIME(struct budget, most)},
	{0, "budget-from", "FILE",
	 "choose by the durations in FILE, a results.json (default: all cases "
	 "take equally long)",
	 OPTION_FILE(struct budget, durations)},
	OPTION_END};

static const struct option_row run_bench_rows[] = {
	{0, "bench", "NAME",
	 "the device of this bench: reach it, keep it and describe it as "
	 "bench.yaml says (docs/lab.md); NAME,NAME: --shard divides the run "
	 "among several",
	 OPTION_TEXT(struct bench_run, name)},
	{0, "bench-file", "FILE",
	 "the file that describes the benches (default: bench.yaml)",
	 OPTION_FILE(struct bench_run, path)},
	OPTION_END};

static const struct option_row run_device_rows[] = {
	{0, "trigger", "CMD",
	 "a shell command that starts an operation on a device without a "
	 "control channel; {op}, {len}, {peer}, {mode}, {key} and {offset} in "
	 "it are replaced",
	 OPTION_TEXT(struct run_options, dut_setup.trigger)},
	{0, "without", "LIST",
	 "treat the device as if it lacked these control verbs: "
	 "VERB,VERB; control stands for the whole channel",
	 OPTION_TEXT(struct run_options, dut_setup.without)},
	{0, "bridge", "PORT",
	 "stand between the device and another endpoint at HOST, which "
	 "plays the tester: udp:ADDR,peer=HOST, or another port",
	 OPTION_CALL(run_take_bridge)},
	OPTION_END};

static const struct option_row run_rows[] = {
	{0, "each-variant", "FILE",
	 "run the cases on several devices in turn: each line of FILE, "
	 "NAME+NAME..., is one, as for --variant",
	 OPTION_FILE(struct run_options, each)},
	{0, "seed", "N",
	 "the seed of everything that is drawn at random (default 1; with a "
	 "port a new one each time)",
	 OPTION_NUMBER(struct run_options, run.seed, 0, UINT64_MAX),
	 OPTION_GIVEN(struct run_options, seeded)},
	{'j', "jobs", "N", "run N cases at a time (default 1)",
	 OPTION_NUMBER(struct run_options, workers, 1, WORKER_POOL_MAX)},
	{0, "repeat", "N",
	 "run each case N times; 0: all cases again and again, until "
	 "interrupted",
	 OPTION_NUMBER(struct run_options, repeat, 0, UINT32_MAX),
	 OPTION_GIVEN(struct run_options, repeated)},
	{0, "from", "N", "the number of the first repetition (default 1)",
	 OPTION_NUMBER(struct run_options, first, 1, UINT32_MAX)},
	{0, "until-fail", NULL,
	 "run all cases again and again, up to --repeat N times (default "
	 "1000), until one fails",
	 OPTION_FLAG(struct run_options, until_fail)},
	{0, "failed-first", "FILE",
	 "run first what failed in FILE, a results.json (default: the one in "
	 "the folder of --out)",
	 OPTION_FILE(struct run_options, before), .optional = true,
	 OPTION_GIVEN(struct run_options, failed_first)},
	{0, "baseline", "FILE",
	 "known failures, which do not fail the run (docs/baseline.md)",
	 OPTION_FILE(struct run_options, baseline)},
	{0, "as", "ID", "give this id to the only .lad file that is named",
	 OPTION_TEXT(struct run_options, select.as)},
	{0, "timeout", "T",
	 "the time limit of a case: 10, 10s, 500ms (default: 10s, or longer "
	 "where declared retransmissions take longer)",
	 OPTION_TIME(struct run_options, run.timeout)},
	{0, "fail-fast", NULL, "stop at the first fail",
	 OPTION_FLAG(struct run_options, fail_fast)},
	OPTION_ROW_STRICT(struct run_options, run.strict),
	{0, "step-over", NULL,
	 "continue behind a deviation that leaves the state of both ends "
	 "certain; the requirement and the run still fail",
	 OPTION_FLAG(struct run_options, run.step_over)},
	OPTION_END};

static const struct option_row run_result_rows[] = {
	{0, "out", "DIR",
	 "write all reports into a folder, and for each case the ladder, the "
	 "capture and the messages of the control channel",
	 OPTION_FILE(struct run_options, output.out)},
	{0, "transcript", NULL,
	 "keep in the folder of --out what passed between rung and the device, "
	 "so that 'rung verify' can judge it again",
	 OPTION_FLAG(struct run_options, transcript)},
	{0, "evidence", NULL,
	 "make a run for 'rung pack' that leaves out and excuses nothing: all "
	 "cases, once, with --transcript; refuse filters, baselines, declared "
	 "deviations and --step-over",
	 OPTION_FLAG(struct run_options, evidence)},
	{0, "resume", NULL,
	 "keep the results that a killed run left in the folder of --out, and "
	 "run the other cases",
	 OPTION_FLAG(struct run_options, go_on)},
	{0, "jsonl", "FILE",
	 "write a line of JSON for each result as soon as it is there",
	 OPTION_FILE(struct run_options, output.file[OUTPUT_STREAM])},
	{0, "map", "FILE",
	 "fill in this checklist (CSV), as checklist.csv in the folder of "
	 "--out",
	 OPTION_FILE(struct run_options, output.map)},
	{0, "operator", "NAME",
	 "who makes the run, for the reports (default: $LOGNAME)",
	 OPTION_TEXT(struct run_options, operator)},
	{0, "map-out", "FILE", "write the filled checklist to FILE",
	 OPTION_FILE(struct run_options, output.file[OUTPUT_CHECKLIST])},
	OPTION_END};

const struct option_group run_option_groups[] = {
	{NULL, select_rows, offsetof(struct run_options, select)},
	{NULL, run_case_rows, 0},
	{NULL, run_shard_rows, offsetof(struct run_options, shard)},
	{NULL, run_budget_rows, offsetof(struct run_options, budget)},
	{"The device", dut_rows, offsetof(struct run_options, dut_setup)},
	{NULL, run_bench_rows, offsetof(struct run_options, bench)},
	{NULL, run_device_rows, 0},
	{"The run", run_rows, 0},
	{"Results", run_result_rows, 0},
	{NULL, output_rows, offsetof(struct run_options, output)},
	OPTION_GROUPS_END};

/* Rejects options that prevent the shards of a run from being joined. */
static int run_agree_shard(const struct run_options *ro)
{
	if (!ro->shard.of && ro->shard.balance)
		return cli_usage(WHO, "--balance needs --shard");
	if (!ro->shard.of)
		return -1;
	if (!ro->output.out)
		return cli_usage(WHO, "--shard needs --out");
	if (ro->failed_first)
		return cli_usage(WHO, "--shard and --failed-first exclude each "
				      "other: every shard must have the same "
				      "order of cases");
	if (ro->until_fail || ro->fail_fast)
		return cli_usage(WHO, "--shard and --fail-fast exclude each "
				      "other: a shard must run all its cases");
	if (ro->rounds)
		return cli_usage(WHO, "--shard needs an end: --repeat 1 or "
				      "more");
	if (ro->dut_setup.dut.linked && !ro->seeded)
		return cli_usage(WHO, "--shard needs --seed, so that all "
				      "shards have the same seed");
	return -1;
}

static int run_agree_budget(const struct run_options *ro)
{
	if (!ro->budget.most && ro->budget.durations)
		return cli_usage(WHO, "--budget-from needs --budget");
	if (!ro->budget.most)
		return -1;
	if (ro->shard.of)
		return cli_usage(WHO, "--budget and --shard exclude each "
				      "other: every shard must have the same "
				      "cases to divide");
	if (ro->failed_first)
		return cli_usage(WHO, "--budget and --failed-first exclude "
				      "each other: both order the cases");
	if (ro->rounds)
		return cli_usage(WHO, "--budget needs an end: --repeat 1 or "
				      "more");
	return -1;
}

/* Returns the first option that --evidence excludes, or NULL. */
static const char *run_excuse(const struct run_options *ro)
{
	const struct select_conf *s = &ro->select;

	if (s->n)
		return "a selector";
	if (s->req || s->clause || s->keyword || s->nexcludes || s->smoke)
		return "a filter of cases";
	if (ro->budget.most)
		return "--budget";
	if (ro->cases || s->as)
		return "cases of your own";
	if (ro->baseline)
		return "--baseline";
	if (ro->until_fail || ro->repeated || ro->first != 1)
		return "--repeat";
	if (ro->fail_fast)
		return "--fail-fast";
	if (ro->failed_first)
		return "--failed-first"; /* the order is part of the plan */
	if (ro->run.step_over)
		return "--step-over";
	if (ro->dut_setup.without)
		return "--without";
	return NULL;
}

static int run_agree_evidence(struct run_options *ro)
{
	const char *excuse = run_excuse(ro);

	if (!ro->evidence)
		return -1;
	if (!ro->output.out)
		return cli_usage(WHO, "--evidence needs --out");
	if (excuse)
		return cli_usage(WHO,
				 "--evidence and %s exclude each other: "
				 "evidence leaves nothing out and excuses "
				 "nothing",
				 excuse);
	ro->transcript = true;
	return -1;
}

/*
 * Rejects what --each-variant cannot do: each device writes its own results, so
 * that a file would hold those of the last one.
 */
static int run_agree_each(const struct run_options *ro)
{
	const struct output_conf *out = &ro->output;

	if (!ro->each)
		return -1;
	if (!dut_options_own(&ro->dut_setup) || ro->dut_setup.mutant)
		return cli_usage(WHO, "--each-variant is for --dut ref and "
				      "virtual, without --variant");
	for (int k = 0; k < OUTPUT_COUNT; k++)
		if (out->file[k] && strcmp(out->file[k], "-") != 0)
			return cli_usage(WHO, "--each-variant writes no "
					      "files: --json - at most");
	if (out->out)
		return cli_usage(WHO, "--each-variant: without --out");
	return -1;
}

/* Refuses a word that is no verb: nothing would be withheld. */
static int run_agree_without(const char *list)
{
	for (const char *p = list; p && *p;) {
		const size_t len = strcspn(p, ",");
		struct near near;
		char word[64];

		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		p += len + (p[len] == ',');
		if (strcmp(word, "control") == 0 || ctl_verb_find(word))
			continue;
		near_init(&near, (struct word){word, strlen(word)});
		for (const struct ctl_verb_row *v = ctl_verb_rows; v->name; v++)
			near_offer(&near, v->name);
		return cli_usage(WHO,
				 "--without: no verb is called '%s'%s; "
				 "docs/dut-control.md lists them",
				 word, near_hint(&near));
	}
	return -1;
}

/* Rejects options that exclude each other. */
static int run_agree(struct run_options *ro)
{
	const struct dut_spec *dut = &ro->dut_setup.dut;
	const struct output_conf *out = &ro->output;
	int code;

	if (ro->repeat > UINT32_MAX - ro->from)
		return cli_usage(WHO, "--from and --repeat count beyond %u",
				 UINT32_MAX);
	code = output_options_check(WHO, &ro->output);
	if (code >= 0)
		return code;
	if (out->map && !out->out && !out->file[OUTPUT_CHECKLIST])
		return cli_usage(WHO, "--map needs --map-out or --out");
	if (out->file[OUTPUT_CHECKLIST] && !out->map)
		return cli_usage(WHO, "--map-out needs --map");
	if (ro->failed_first && !ro->before && !out->out)
		return cli_usage(WHO, "--failed-first needs a file, or --out");
	code = run_agree_evidence(ro);
	if (code >= 0)
		return code;
	if (ro->transcript && !out->out)
		return cli_usage(WHO, "--transcript needs --out");
	if (ro->go_on && !out->out)
		return cli_usage(WHO, "--resume needs --out");
	code = run_agree_each(ro);
	if (code >= 0)
		return code;
	code = run_agree_shard(ro);
	if (code >= 0)
		return code;
	code = run_agree_budget(ro);
	if (code >= 0)
		return code;
	if (ro->dut_setup.sizes && dut_options_own(&ro->dut_setup))
		return cli_usage(WHO, "--sizes is for other devices than our "
				      "own");
	code = dut_options_check(WHO, &ro->dut_setup);
	if (code >= 0)
		return code;
	code = run_agree_without(ro->dut_setup.without);
	if (code >= 0)
		return code;
	if (ro->dut_setup.trigger &&
	    (!dut->linked || dut->command || ro->dut_setup.control.kind))
		return cli_usage(WHO, "--trigger is for a device at a port, "
				      "without a control channel");
	if (ro->dut_setup.bridged && (!dut->linked || dut->command))
		return cli_usage(WHO, "--bridge needs a device at a port");
	if (ro->workers > 1 && ro->dut_setup.bridged)
		return cli_usage(WHO, "--bridge: -j 1");
	if (ro->workers > 1 &&
	    (!dut_setup_many(dut) || ro->dut_setup.control.kind))
		return cli_usage(WHO, "one device at one address cannot run "
				      "more than one case at a time: -j 1");
	return -1;
}

/*
 * A device that keeps running between runs must not see the same PDCIDs and
 * Start_PSNs again: "at least 2^16 away from the last PSN" (UET 3.5.8.2).  A
 * device that rung starts itself may see the same ones each time.
 */
static uint64_t default_seed(const struct dut_spec *dut)
{
	if (dut->linked)
		return dut_options_clock();
	return 1;
}

static void run_defaults(struct run_options *ro)
{
	const char *unused;

	if (!ro->dut_setup.dut.text[0])
		spec_dut(&ro->dut_setup.dut, "ref", &unused);
	if (!ro->seeded)
		ro->run.seed = default_seed(&ro->dut_setup.dut);
	ro->dut_setup.who = WHO;
	ro->output.who = WHO;
	ro->output.virtual = ro->dut_setup.dut.virtual;
	ro->output.about = (struct about){
		.version = RUNG_VERSION,
		.commit = RUNG_COMMIT,
		.seed = ro->run.seed,
		.dut = ro->dut_setup.dut.text,
		.control = ro->dut_setup.control_text,
		.mutant = ro->dut_setup.mutant,
		.timeout = ro->run.timeout,
		.out = ro->output.out,
		.strict = ro->run.strict,
		.step_over = ro->run.step_over,
	};
	ro->from = ro->first - 1;
	ro->fail_fast |= ro->until_fail;
	if (ro->until_fail && !ro->repeated)
		ro->repeat = UNTIL_FAIL;
	/* Without an end, each case must run once before any case repeats. */
	ro->rounds = ro->until_fail || !ro->repeat;
	if (!ro->repeat)
		ro->repeat = UINT32_MAX - ro->from;
}

/* Appends an option of the canary, if it is given. */
static void run_bench_put(struct text *t, const char *option, const char *value)
{
	if (!value)
		return;
	text_add(t, option, strlen(option) + 1);
	text_add(t, value, strlen(value) + 1);
}

/*
 * Several benches share the shards in turn: shard 1 of 6 over 2 benches is the
 * first of 3 on the first bench, shard 2 the first of 3 on the second.
 * Return: -1: continue; else an exit code.
 */
static int run_pick_bench(struct run_options *ro)
{
	struct shard *s = &ro->shard;
	const char *name = ro->bench.name;
	unsigned benches = 1;

	for (const char *p = name; *p; p++)
		benches += *p == ',';
	if (benches == 1)
		return -1;
	if (!s->of)
		return cli_usage(WHO, "--bench with several benches needs "
				      "--shard");
	if (s->of % benches)
		return cli_usage(WHO,
				 "--shard: %u shards on %u benches: each needs "
				 "as many",
				 s->of, benches);
	for (unsigned i = (s->number - 1) % benches; i > 0; i--)
		name = strchr(name, ',') + 1;
	ro->bench.name =
		arena_strndup(&ro->bench.arena, name, strcspn(name, ","));
	if (!ro->bench.name)
		return cli_nomem(WHO);
	if (!*ro->bench.name)
		return cli_usage(WHO, "--bench: a name is empty");
	s->number = (s->number - 1) / benches + 1;
	s->of /= benches;
	return -1;
}

/* Takes the device of the bench.  Return: -1: continue; else an exit code. */
static int run_take_bench(struct run_options *ro)
{
	struct bench_run *b = &ro->bench;
	struct dut_setup_conf *conf = &ro->dut_setup;
	int code;

	if (!b->name && b->path)
		return cli_usage(WHO, "--bench-file needs --bench");
	if (!b->name)
		return -1;
	code = run_pick_bench(ro);
	if (code >= 0)
		return code;
	if (conf->dut.text[0] || conf->control_text || conf->trigger)
		return cli_usage(WHO, "--bench brings --dut, --control and "
				      "--trigger");
	code = bench_run_read(WHO, b);
	if (!code)
		code = dut_options_take_dut(WHO, conf, b->bench.dut);
	if (!code && b->bench.control)
		code = dut_options_take_control(WHO, conf, b->bench.control);
	if (code)
		return code;
	conf->trigger = b->bench.trigger;
	if (!conf->decl_path)
		conf->decl_path = b->bench.decl;
	run_bench_put(&b->canary, "--dut", b->bench.dut);
	run_bench_put(&b->canary, "--control", b->bench.control);
	run_bench_put(&b->canary, "--trigger", b->bench.trigger);
	run_bench_put(&b->canary, "--decl", conf->decl_path);
	run_bench_put(&b->canary, "--mutant", conf->mutant);
	run_bench_put(&b->canary, "--sizes", conf->sizes);
	run_bench_put(&b->canary, "--without", conf->without);
	return text_err(&b->canary) ? cli_nomem(WHO) : -1;
}

int run_options_read(const struct command *c, int argc, char **argv,
		     struct run_options *ro)
{
	struct operands selectors;
	int code = option_read(c, argc, argv, ro, &selectors);

	if (code >= 0)
		return code;
	ro->select.selectors = selectors.at;
	ro->select.n = selectors.n;
	code = run_take_bench(ro);
	if (code >= 0)
		return code;
	run_defaults(ro);
	return run_agree(ro);
}
