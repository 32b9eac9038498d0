/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_explore.c -- rung explore: explores a device with sequences that
 * no one wrote, and writes each finding as a case.
 */
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "base/vtime.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/explore/explore_budget.h"
#include "cli/explore/explore_device.h"
#include "cli/explore/explore_found.h"
#include "cli/explore/explore_pool.h"
#include "cli/explore/explore_schedules.h"
#include "cli/explore/explore_sequences.h"
#include "cli/explore/explore_setup.h"
#include "cli/explore/exploring.h"
#include "cli/option/dut_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/dut_setup.h"
#include "cli/run/shard.h"
#include "suite/explore/schedule.h"

#define DEFAULT_BUDGET (10 * VSPAN_S)
#define EXPLORE_FAULTS 1  /* of --all */
#define EXPLORE_JOBS   16 /* sequences at a time on "--dut ref" */

static const struct option_row explore_rows[] = {
	{0, "budget", "T",
	 "how long to explore: 60s, 5000ms (default 10s); the reduction of a "
	 "finding may go on for a quarter of it, 10s at least",
	 OPTION_TIME(struct exploring, budget),
	 OPTION_GIVEN(struct exploring, budgeted)},
	{0, "runs", "N",
	 "stop after N sequences; without --budget, however long that takes",
	 OPTION_NUMBER(struct exploring, runs, 1, UINT64_MAX)},
	{0, "seed", "N",
	 "the seed of everything that is drawn at random (default 1; with a "
	 "port a new one each time)",
	 OPTION_NUMBER(struct exploring, seed, 0, UINT64_MAX),
	 OPTION_GIVEN(struct exploring, seeded)},
	{0, "only", "LIST",
	 "explore these alone: rud,rod,rudi,uud,srd,wqe,roce (default: what "
	 "the device claims)",
	 OPTION_TEXT(struct exploring, family)},
	{0, "chair", "CHAIR",
	 "the part that the device plays: both (default), target or initiator",
	 OPTION_CHOICE(struct exploring, chair, "both target initiator")},
	{0, "strict", NULL,
	 "remarks are findings as well: rows of level S, of plain RoCEv2 all",
	 OPTION_FLAG(struct exploring, conf.strict)},
	{0, "first", NULL, "stop at the first finding",
	 OPTION_FLAG(struct exploring, first)},
	{0, "out", "DIR",
	 "write each finding into a folder: the case, which 'rung run' reads, "
	 "and its choices, which 'rung replay' reads",
	 OPTION_FILE(struct exploring, out)},
	{0, "revive", "COMMAND",
	 "start this shell command, and wait for its end, when the device is "
	 "gone or silent: it restarts the device",
	 OPTION_TEXT(struct exploring, revive)},
	{0, "choices", "FILE", "run the one sequence of this log of choices",
	 OPTION_FILE(struct exploring, replay)},
	{'j', "jobs", "N",
	 "explore N sequences at a time, each on a device of its own, if "
	 "rung starts the devices (default 16 with --dut ref, else 1)",
	 OPTION_NUMBER(struct exploring, jobs, 1, EXPLORE_POOL_MAX)},
	{0, "all", NULL,
	 "run two references against each other, by every schedule of "
	 "--requests and --faults, with a judge at each end",
	 OPTION_FLAG(struct exploring, all)},
	{0, "requests", "N", "requests of each schedule of --all (default 2)",
	 OPTION_NUMBER(struct exploring, requests, 1, SCHEDULE_REQUESTS)},
	{0, "faults", "N",
	 "packets that are lost, doubled, reordered, delayed or trimmed in a "
	 "schedule of --all, at most (default 1)",
	 OPTION_NUMBER(struct exploring, faults, 0, 8)},
	{0, "draw", NULL,
	 "with --all: draw the schedules at random until --budget or --runs "
	 "ends, for scopes that are too large to run whole",
	 OPTION_FLAG(struct exploring, draw)},
	{0, "anew", NULL,
	 "with --all: run each schedule from its start, and share no packets "
	 "with the one before; the figures are the same",
	 OPTION_FLAG(struct exploring, anew)},
	{0, "strength", "N",
	 "run every pair (2) or triple (3) of openings and moves (docs/"
	 "explore.md), in their "
	 "order, and of the values that they draw, and say which were left "
	 "out; without --budget and --runs until none is left",
	 OPTION_NUMBER(struct exploring, strength, 2, 3)},
	{0, "across", NULL,
	 "with --strength 2: run every pair of values of two moves as well, "
	 "which takes three times as long",
	 OPTION_FLAG(struct exploring, across)},
	{0, "boundary", NULL,
	 "try every boundary value of the headers, one after another, and say "
	 "which were not tried; without --budget and --runs all of them",
	 OPTION_FLAG(struct exploring, boundary)},
	{0, "unreached", NULL,
	 "list the transitions that no sequence reached, the requirements that "
	 "none observed, with --strength the tuples that none ran, and with "
	 "--boundary the values that none tried",
	 OPTION_FLAG(struct exploring, list)},
	{0, "json", "FILE",
	 "write what was reached and tried, and what never was, or with --all "
	 "the figures of its schedules, to FILE, as JSON",
	 OPTION_FILE(struct exploring, json)},
	OPTION_ROW_QUIET(struct exploring, quiet),
	OPTION_END};

static const struct option_row explore_shard_rows[] = {
	{0, "shard", "I/N",
	 "with --all: run only the I-th of N shares of the schedules; "
	 "tools/add_schedules.py adds the files of --json",
	 OPTION_CALL(shard_take)},
	OPTION_END};

static const struct option_group explore_groups[] = {
	{"The device", dut_rows, offsetof(struct exploring, dut_setup)},
	{"The exploration", explore_rows, 0},
	{NULL, explore_shard_rows, offsetof(struct exploring, shard)},
	OPTION_GROUPS_END};

/* Explores, and returns the exit code. */
static int explore_start(struct exploring *e)
{
	int code = explore_setup(e);

	if (!code)
		code = cli_can_write(e->who, e->json);
	if (code)
		return code;
	clock_gettime(CLOCK_MONOTONIC, &e->began);
	if (e->all)
		return explore_all_apart(e);
	if (explore_new(&e->explore, &e->conf))
		return cli_nomem(e->who);
	return e->replay ? explore_one(e) : explore_many(e);
}

/* Refuses several sequences at a time on one device.  Return: -1 none. */
static int explore_jobs(struct exploring *e)
{
	const bool many = dut_setup_many(&e->dut_setup.dut) &&
			  !e->dut_setup.control.kind && !e->revive;

	if (e->jobs > 1 && !many)
		return cli_usage(e->who,
				 "one device at one address, or with --revive, "
				 "cannot run more than one sequence at a time: "
				 "-j 1");
	if (e->jobs > 1 && (e->all || e->strength || e->boundary || e->replay))
		return cli_usage(e->who,
				 "-j is for sequences that are drawn, without "
				 "--all, --strength, --boundary and --choices");
	if (!e->jobs)
		e->jobs = e->dut_setup.dut.ref && many && !e->all ? EXPLORE_JOBS
								  : 1;
	if (e->strength || e->boundary || e->replay)
		e->jobs = 1;
	if (e->jobs > 1)
		e->conf.lock = explore_pool_lock;
	return -1;
}

/* Refuses options of one kind of exploration with another.  Return: -1 none. */
static int explore_all_options(const struct exploring *e)
{
	if (!e->all && (e->requests || e->faults != EXPLORE_FAULTS))
		return cli_usage(e->who,
				 "--requests and --faults go with --all");
	if (e->all && (e->dut_setup.dut.ref || e->dut_setup.dut.linked ||
		       e->dut_setup.dut.command || e->dut_setup.control_text ||
		       e->revive))
		return cli_usage(e->who,
				 "--all runs two references in virtual time: "
				 "it takes no --dut, --control and --revive");
	if (e->all && (e->out || (e->runs && !e->draw)))
		return cli_usage(e->who,
				 "--all writes no case and runs all schedules: "
				 "it takes no --out, and --runs with --draw "
				 "alone");
	if (e->draw && !e->all)
		return cli_usage(e->who, "--draw goes with --all");
	if (e->anew && !e->all)
		return cli_usage(e->who, "--anew goes with --all");
	if (e->shard.of && (!e->all || e->draw))
		return cli_usage(e->who,
				 "--shard goes with --all, without --draw");
	if (e->replay && (e->all || e->strength || e->boundary || e->out))
		return cli_usage(e->who,
				 "--choices runs one sequence and writes no "
				 "file: it takes no --all, --strength, "
				 "--boundary and --out");
	if (e->json && (e->draw || e->replay))
		return cli_usage(e->who,
				 "--json is not for --draw and --choices");
	if (e->across && e->strength != 2)
		return cli_usage(e->who, "--across goes with --strength 2");
	if ((int)e->all + (e->strength != 0) + (int)e->boundary > 1)
		return cli_usage(e->who,
				 "--all, --strength and --boundary exclude "
				 "each other");
	return -1;
}

static void explore_defaults(struct exploring *e)
{
	const char *unused;

	if (!e->dut_setup.dut.text[0])
		spec_dut(&e->dut_setup.dut, "virtual", &unused);
	if (!e->seeded)
		e->seed = e->dut_setup.dut.linked ? dut_options_clock() : 1;
	if (!e->requests)
		e->requests = 2;
	if (!e->budgeted && !e->runs && !e->strength && !e->boundary)
		e->budget = DEFAULT_BUDGET;
}

static int cmd_explore(int argc, char **argv)
{
	struct exploring *e = memory_calloc(1, sizeof(*e));
	struct operands none;
	int code;

	if (!e)
		return cli_nomem(argv[0]);
	e->who = e->dut_setup.who = argv[0];
	e->faults = EXPLORE_FAULTS;
	e->dut_setup.keeps = PRIVILEGE_FILES | PRIVILEGE_AGAIN;
	e->conf.device = explore_device;
	e->conf.device_free = dut_setup_free;
	e->conf.fragment = cases_builtin;
	e->conf.found = explore_found;
	e->conf.gone = explore_gone_folder;
	e->conf.late = explore_late;
	e->conf.ctx = e;
	code = option_read(&command_explore, argc, argv, e, &none);
	if (code < 0)
		code = explore_all_options(e);
	if (code < 0) {
		explore_defaults(e);
		code = dut_options_check(e->who, &e->dut_setup);
	}
	if (code < 0)
		code = explore_jobs(e);
	if (code < 0) {
		if (!e->dut_setup.privileged)
			privilege_confine();
		memory_keep();
		code = explore_start(e);
	}
	explore_free(e->explore);
	free(e->seen);
	decl_free(e->decl);
	decl_free(e->reference_decl);
	free(e);
	return code;
}

const struct command command_explore = {
	.name = "explore",
	.what = "test a device with random sequences of packets",
	.usage = "[OPTION...]",
	.about =
		"Draws sequences of requests, answers, losses and malformed "
		"packets, runs them against a device, by default the reference "
		"in virtual time, and judges what it does. A finding is "
		"reduced to the shortest sequence with the same requirement "
		"and role, and counts only if the reference passes it.",
	.groups = explore_groups,
	.no_operands = true,
	.exits =
		"Exit codes: 0 no finding, 1 at least one finding, or a mutant "
		"crashed, 2 usage or configuration, 3 every sequence was "
		"inconclusive, 4 nothing was applicable, 5 harness error, "
		"130 interrupted.",
	.run = cmd_explore,
};
