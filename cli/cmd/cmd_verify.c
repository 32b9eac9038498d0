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
#include "cli/pack/evidence.h"
#include "cli/pack/package.h"
#include "cli/run/output.h"
#include "cli/run/rejudge.h"
#include "rung_version.h"

#define WHO "rung verify"

struct verify_options {
	const char *key;
	bool quiet;
};

static const struct option_row verify_rows[] = {
	{0, "DIR", NULL,
	 "the folder that 'rung run --transcript --out DIR' wrote, or a "
	 "package of 'rung pack'",
	 .kind = OPTION_KIND_OPERAND},
	{0, "key", "FILE",
	 "the public key that the package must be signed with: a PEM file",
	 OPTION_FILE(struct verify_options, key)},
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

/* Prints a line of a result with its new verdict. */
static void verify_print(const struct rejudge *j, enum rejudged result,
			 const char *id, const struct text *why)
{
	printf("%-13s  %-12s  %s%s%s\n", verify_words[result],
	       j->judged ? verdict_name(j->verdict) : "-", id,
	       text_between(why->len, ": "), text_cstr(why));
}

/*
 * Judges all results.  |n| counts them by outcome, |results| has the new
 * verdicts.
 */
static int verify_results(struct rejudge *j, bool quiet,
			  size_t n[REJUDGED_COUNT],
			  struct statement_results *results)
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
		if (j->judged &&
		    statement_take(results, id, repeat, j->verdict))
			code = cli_nomem(WHO);
		if (!quiet || result != REJUDGED_SAME)
			verify_print(j, result, id, &why);
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

/* Says what the package is, and who signed it. */
static void verify_report_package(const struct package *p)
{
	printf("the package has %zu fault%s\n", p->faults,
	       text_plural(p->faults));
	if (*p->signer && p->key)
		printf("signed with your key %s\n", p->signer);
	else if (*p->signer)
		printf("signed with key %s, which the package brings itself: "
		       "compare it, or give --key\n",
		       p->signer);
	else
		puts("no valid signature");
	puts(evidence_claimed(p->run) ? EVIDENCE_SAYS : EVIDENCE_LESS);
}

static int verify_exit(const size_t n[REJUDGED_COUNT], size_t faults,
		       bool stopped)
{
	if (stopped)
		return EXIT_INTERRUPTED;
	if (n[REJUDGED_DAMAGED] || faults)
		return EXIT_HARNESS;
	if (n[REJUDGED_DIFFERENT])
		return EXIT_FAILED;
	if (n[REJUDGED_BARE])
		return EXIT_INCONCLUSIVE;
	return n[REJUDGED_SAME] ? EXIT_PASSED : EXIT_NOTHING;
}

static int verify_run(const struct verify_options *vo, struct rejudge *j)
{
	struct package p = {.who = WHO,
			    .out = j->out,
			    .dir = j->dir,
			    .run = j->manifest,
			    .key = vo->key};
	const bool packed = vo->key || package_is(j->dir);
	struct statement_results results = {.passed = NULL};
	size_t n[REJUDGED_COUNT] = {0};
	int code = 0;

	verify_version(&j->manifest->about);
	if (packed)
		code = package_check_files(&p);
	if (!code)
		code = verify_results(j, vo->quiet, n, &results);
	if (!code && packed && !*j->stop)
		code = package_check_statement(&p, &results);
	if (!code) {
		printf("%zu verified, %zu differ, %zu without a transcript, "
		       "%zu damaged\n",
		       n[REJUDGED_SAME], n[REJUDGED_DIFFERENT],
		       n[REJUDGED_BARE], n[REJUDGED_DAMAGED]);
		if (packed)
			verify_report_package(&p);
		code = verify_exit(n, p.faults, *j->stop);
	}
	statement_results_free(&results);
	package_free(&p);
	return code;
}

static int cmd_verify(int argc, char **argv)
{
	struct verify_options vo = {0};
	struct rejudge j = {.who = WHO, .dir = -1};
	struct manifest m = {0};
	struct operands dirs;
	bool none = false;
	int code = option_read(&command_verify, argc, argv, &vo, &dirs);

	if (code < 0)
		code = operands_folder(WHO, &dirs, &j.out);
	if (code >= 0)
		return code;
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
		 "stored.\n\n"
		 "In a package of 'rung pack', every file must have the digest "
		 "of the manifest, and the statement and its signature must "
		 "follow from the files and the new verdicts.",
	.groups = verify_groups,
	.exits = "Exit codes: 0 all verified, 1 a result differs, 2 usage, 3 a "
		 "result has no transcript, 4 no results, 5 a result is "
		 "damaged, or a "
		 "package is not what its manifest or signature says, 130 "
		 "interrupted.",
	.run = cmd_verify,
};
