/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_verify.c -- rung verify: judges the results of a run again, on
 * any machine, without the device.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/folder.h"
#include "cli/file/manifest.h"
#include "cli/option/option_read.h"
#include "cli/run/output.h"
#include "cli/run/rejudge.h"
#include "rung_version.h"

#define WHO "rung verify"

struct verify_options {
	bool quiet;
};

static const struct option_row verify_rows[] = {
	{0, "DIR", NULL,
	 "the folder that 'rung run --transcript --out DIR' wrote",
	 .kind = OPTION_KIND_OPERAND},
	{'q', "quiet", NULL, "print only the results that differ",
	 OPTION_FLAG(struct verify_options, quiet)},
	OPTION_END};

static const struct option_group verify_groups[] = {{NULL, verify_rows, 0},
						    OPTION_GROUPS_END};

static const char *const verify_words[REJUDGED_COUNT] = {
	[REJUDGED_SAME] = "verified",
	[REJUDGED_DIFFERENT] = "DIFFERS",
	[REJUDGED_BARE] = "no transcript",
	[REJUDGED_DAMAGED] = "DAMAGED",
};

/* Judges all results.  |n| counts them by outcome. */
static int verify_results(struct rejudge *j, bool quiet,
			  size_t n[REJUDGED_COUNT])
{
	struct text why = {0};
	uint32_t repeat;
	int code = 0;

	for (size_t at = 0; at < j->manifest->total && !code && !*j->stop;
	     at++) {
		enum rejudged result;
		const char *id = manifest_id(j->manifest, at, &repeat);

		text_clear(&why);
		code = rejudge_case(j, at, &result, &why);
		if (code)
			break;
		n[result]++;
		if (quiet && result == REJUDGED_SAME)
			continue;
		printf("%-13s  %s%s%s\n", verify_words[result], id,
		       why.len ? ": " : "", text_cstr(&why));
	}
	text_free(&why);
	return code;
}

/* Names a run that another version made; its verdicts may differ for that. */
static void verify_version(const struct about *a)
{
	if (strcmp(a->commit, RUNG_COMMIT) != 0)
		fprintf(stderr,
			"%s: the run was made by rung %s (%s), this is %s "
			"(%s)\n",
			WHO, a->version, a->commit, RUNG_VERSION, RUNG_COMMIT);
}

static int verify_exit(const size_t n[REJUDGED_COUNT], bool stopped)
{
	if (stopped)
		return EXIT_INTERRUPTED;
	if (n[REJUDGED_DAMAGED])
		return EXIT_HARNESS;
	if (n[REJUDGED_DIFFERENT])
		return EXIT_FAILED;
	if (n[REJUDGED_BARE])
		return EXIT_INCONCLUSIVE;
	return n[REJUDGED_SAME] ? EXIT_PASSED : EXIT_NOTHING;
}

static int verify_run(const struct verify_options *vo, struct rejudge *j)
{
	size_t n[REJUDGED_COUNT] = {0};
	int code;

	verify_version(&j->manifest->about);
	code = verify_results(j, vo->quiet, n);
	if (code)
		return code;
	printf("%zu verified, %zu differ, %zu without a transcript, %zu "
	       "damaged\n",
	       n[REJUDGED_SAME], n[REJUDGED_DIFFERENT], n[REJUDGED_BARE],
	       n[REJUDGED_DAMAGED]);
	return verify_exit(n, *j->stop);
}

static int cmd_verify(int argc, char **argv)
{
	struct verify_options vo = {0};
	struct rejudge j = {.who = WHO, .dir = -1};
	struct manifest m = {0};
	struct operands dirs;
	bool none = false;
	int code = option_read(&command_verify, argc, argv, &vo, &dirs);

	if (code >= 0)
		return code;
	if (!dirs.n)
		return cli_usage(WHO, "a folder is missing");
	if (dirs.n > 1)
		return cli_usage(WHO, "only one folder");
	j.out = dirs.at[0];
	j.stop = cli_interrupts();
	if (folder_open(j.out, &j.dir)) {
		output_folder_error(WHO, j.out);
		return EXIT_USAGE;
	}
	code = manifest_read(WHO, j.dir, j.out, &m, &none);
	if (!code && none)
		code = cli_usage(
			WHO, "%s: no run has begun here: there is no " MANIFEST,
			j.out);
	j.manifest = &m;
	if (!code)
		code = verify_run(&vo, &j);
	rejudge_free(&j);
	manifest_free(&m);
	folder_close(j.dir);
	return code;
}

const struct command command_verify = {
	.name = "verify",
	.what = "judge the results of a run again, without the device",
	.usage = "[OPTION...] DIR",
	.about = "Judges each result of a run again from what its folder "
		 "holds: the case, the declaration, the seed, and the "
		 "transcript of all that passed between rung and the device "
		 "('rung run --transcript'). Verdict, findings, capture, "
		 "ladder and control channel must come out as they are "
		 "stored.",
	.groups = verify_groups,
	.exits = "Exit codes: 0 all verified, 1 a result differs, 3 a result "
		 "has no transcript, 4 no results, 5 a result is damaged.",
	.run = cmd_verify,
};
