/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_explore.c -- rung explore: explores a device with sequences that
 * no one wrote, and writes each finding as a case.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/endpoint.h"
#include "cli/explore/choices_file.h"
#include "cli/explore/explore_boundary.h"
#include "cli/explore/explore_budget.h"
#include "cli/explore/explore_device.h"
#include "cli/explore/explore_found.h"
#include "cli/explore/explore_json.h"
#include "cli/explore/explore_pool.h"
#include "cli/explore/explore_print.h"
#include "cli/explore/explore_schedules.h"
#include "cli/explore/explore_sequences.h"
#include "cli/explore/explore_tuples.h"
#include "cli/explore/exploring.h"
#include "cli/explore/schedules_json.h"
#include "cli/file/atomic_file.h"
#include "cli/file/file.h"
#include "cli/file/folder.h"
#include "cli/isolated/run_isolated.h"
#include "cli/option/dut_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/dut_setup.h"
#include "cli/run/shard.h"
#include "cli/variants.h"
#include "judge/transport.h"
#include "reports/about.h"
#include "reports/format/json.h"
#include "rung_version.h"
#include "suite/decl/capability.h"
#include "suite/dut/chan/dut_spawn.h"
#include "suite/explore/boundary/boundary.h"
#include "suite/explore/cover/across.h"
#include "suite/explore/cover/learn.h"
#include "suite/explore/cover/tuples.h"
#include "suite/explore/explore.h"
#include "suite/explore/schedule.h"
#include "suite/explore/schedule_draw.h"
#include "suite/lang/chair.h"

#define DEFAULT_BUDGET (10 * VSPAN_S)
#define EXPLORE_FAULTS 1  /* of --all */
#define EXPLORE_JOBS   16 /* sequences at a time on "--dut ref" */

static const struct option_row explore_rows[] = {
	{0, "budget", "T", "how long to explore: 60s, 5000ms (default 10s)",
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

/* ---- The device and the reference ---- */

/* The ids of a virtual device use their highest bits, as in "rung run". */
static void explore_virtual(struct decl *decl)
{
	if (decl)
		endpoint_fill_ids(decl);
}

/* ---- The subjects ---- */

/* Returns the mask of a list of subjects; 0: a word is not one. */
static unsigned explore_subjects(const char *list)
{
	unsigned all = 0;

	for (const char *s = list; *s; s += *s == ',') {
		const size_t len = strcspn(s, ",");
		unsigned bit = 0;

		for (int i = 0; i < DRAFT_SUBJECTS; i++) {
			const char *name =
				draft_subject_name((enum draft_subject)i);

			if (strlen(name) == len && !strncmp(name, s, len))
				bit = 1u << i;
		}
		if (!bit)
			return 0;
		all |= bit;
		s += len;
	}
	return all;
}

/* Returns the mask of the subjects that the device claims. */
static unsigned explore_claimed(const struct decl *decl)
{
	unsigned all = 0;

	for (int i = 0; i < DRAFT_SUBJECTS; i++)
		if (decl_claims(decl,
				draft_subject_name((enum draft_subject)i)))
			all |= 1u << i;
	return all;
}

/* ---- Every schedule ---- */

/* Makes the folder of --out.  Errors: ERR_SYS. */
static int explore_make(const char *path)
{
	int dir;

	if (folder_make(path))
		return ERR_SYS;
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return ERR_SYS;
	close(dir);
	return 0;
}

/* Chooses the transports and the chairs.  Return: 0 or an exit code. */
static int cmd_explore_choose(struct exploring *e)
{
	if (e->family)
		e->conf.subjects = explore_subjects(e->family);
	else
		e->conf.subjects = explore_claimed(e->decl);
	if (!e->conf.subjects && e->family)
		return cli_usage(e->who,
				 "--only takes rud, rod, rudi, uud, srd, wqe "
				 "and roce, separated by commas, not '%s'",
				 e->family);
	if (!e->conf.subjects)
		return cli_usage(e->who,
				 "the declaration claims none of rud, rod, "
				 "rudi, uud, srd, wqe and roce: there is "
				 "nothing to explore");
	if (e->chair)
		e->conf.chairs = 1u << (e->chair - 1);
	else
		e->conf.chairs = (1u << CHAIR_COUNT) - 1;
	if (e->replay) { /* the log says which */
		e->conf.subjects = (1u << DRAFT_SUBJECTS) - 1;
		e->conf.chairs = (1u << CHAIR_COUNT) - 1;
	}
	return 0;
}

static int explore_start(struct exploring *e)
{
	int code = variants_load(e->who, e->dut_setup.mutant, &e->variants);

	e->dut_setup.variants = &e->variants;
	e->dut_setup.stop = cli_interrupts();
	if (!code)
		code = endpoint_decl(e->who, e->dut_setup.decl_path,
				     &e->variants, !e->dut_setup.dut.virtual,
				     &e->decl);
	if (!code)
		code = explore_reference_new(e);
	if (code)
		return code;
	if (e->dut_setup.dut.virtual && !e->dut_setup.decl_path) {
		explore_virtual(e->decl);
		explore_virtual(e->reference_decl);
	}
	e->dut_setup.decl = e->decl;
	e->reference.decl = e->reference_decl;
	e->conf.decl = e->decl;
	e->conf.reference = e->reference_decl;
	e->conf.seed = e->seed;
	code = cmd_explore_choose(e);
	if (code)
		return code;
	e->conf.stop = e->dut_setup.stop;
	e->conf.live = !e->dut_setup.dut.virtual;
	e->conf.exposes_asked =
		!e->dut_setup.dut.linked &&
		(e->dut_setup.dut.virtual || e->dut_setup.dut.ref);
	e->conf.single = !e->dut_setup.dut.virtual &&
			 !dut_setup_many(&e->dut_setup.dut);
	if (e->revive)
		e->conf.revive = explore_revive;
	if (e->out && explore_make(e->out))
		return cli_sys(e->who, e->out);
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
		       e->dut_setup.dut.command || e->dut_setup.control_text))
		return cli_usage(e->who,
				 "--all runs two references in virtual time: "
				 "it takes no --dut and no --control");
	if (e->draw && !e->all)
		return cli_usage(e->who, "--draw goes with --all");
	if (e->anew && !e->all)
		return cli_usage(e->who, "--anew goes with --all");
	if (e->shard.of && (!e->all || e->draw))
		return cli_usage(e->who,
				 "--shard goes with --all, without --draw");
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
