/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_pack.c -- rung pack: makes the folder of a run an evidence
 * package.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/file/folder.h"
#include "cli/file/folder_read.h"
#include "cli/file/manifest.h"
#include "cli/option/option_read.h"
#include "cli/pack/evidence.h"
#include "cli/pack/package.h"
#include "cli/run/output.h"

#define WHO "rung pack"

struct pack_options {
	const char *key;
};

static const struct option_row pack_rows[] = {
	{0, "DIR", NULL,
	 "the folder that 'rung run --transcript --out DIR' wrote",
	 .kind = OPTION_KIND_OPERAND},
	{0, "key", "FILE",
	 "sign the statement with this private key: a PEM file, Ed25519 or "
	 "ECDSA",
	 OPTION_FILE(struct pack_options, key)},
	OPTION_END};

static const struct option_group pack_groups[] = {{NULL, pack_rows, 0},
						  OPTION_GROUPS_END};

/* Returns true if the result has a transcript. */
static bool pack_has_transcript(int dir, const char *id, uint32_t repeat)
{
	char place[FOLDER_NAME];
	int at, missing;

	folder_place(id, repeat, place);
	at = folder_below(dir, place);
	if (at < 0)
		return false;
	missing = faccessat(at, FOLDER_TRANSCRIPT, F_OK, 0);
	close(at);
	return !missing;
}

/* Enters one result.  Return: 0 or an exit code after a message. */
static int pack_take(const struct package *p, size_t at,
		     struct statement_results *results)
{
	uint32_t repeat;
	const char *id = manifest_id(p->run, at, &repeat), *why = NULL;
	struct record r = {0};
	struct diag diag = {0};
	int err =
		folder_recall(p->dir, p->run->about.run, id, repeat, &r, &diag);

	if (!err && *diag.text)
		err = ERR_SYNTAX;
	if (err == ERR_SYS || (!err && reason_unfinished(r.reason_id)))
		why = "the run is incomplete: this result is missing; 'rung "
		      "run --resume' completes it";
	else if (err == ERR_SYNTAX)
		why = diag.text;
	else if (!err && !pack_has_transcript(p->dir, id, repeat))
		why = "it has no transcript to judge it again from: run "
		      "with --transcript";
	if (why)
		fprintf(stderr, "%s: %s: %s: %s\n", WHO, p->out, id, why);
	else if (!err)
		err = statement_take(results, id, repeat, r.verdict);
	record_free(&r);
	if (why)
		return EXIT_USAGE;
	return err ? cli_nomem(WHO) : 0;
}

/* Refuses a run that calls itself evidence and is unfit. */
static int pack_check_evidence(const struct package *p)
{
	struct text why = {0};
	int code = 0;

	if (evidence_claimed(p->run))
		code = evidence_unfit(WHO, p->run, &why);
	if (!code && why.len) {
		fprintf(stderr, "%s: %s is no evidence: %s\n", WHO, p->out,
			text_cstr(&why));
		code = EXIT_USAGE;
	}
	text_free(&why);
	return code;
}

static void pack_report(const struct package *p)
{
	printf("%s: %zu files, %zu results\n", p->out, p->listed.n,
	       p->run->total);
	if (*p->signer)
		printf("signed with key %s\n", p->signer);
	else
		puts("not signed; --key FILE signs");
	puts(evidence_claimed(p->run) ? EVIDENCE_SAYS : EVIDENCE_LESS);
}

static int pack_run(struct package *p)
{
	struct statement_results results = {.passed = NULL};
	int code = pack_check_evidence(p);

	if (!code && !p->run->total) {
		fprintf(stderr, "%s: %s has no results\n", WHO, p->out);
		code = EXIT_USAGE;
	}
	for (size_t at = 0; at < p->run->total && !code; at++)
		code = pack_take(p, at, &results);
	if (!code)
		code = package_write(p, &results);
	if (!code)
		pack_report(p);
	statement_results_free(&results);
	return code;
}

static int cmd_pack(int argc, char **argv)
{
	struct pack_options po = {0};
	struct package p = {.who = WHO, .dir = -1};
	struct manifest m = {0};
	struct operands dirs;
	bool none = false;
	int code = option_read(&command_pack, argc, argv, &po, &dirs);

	if (code < 0)
		code = operands_folder(WHO, &dirs, &p.out);
	if (code >= 0)
		return code;
	p.key = po.key;
	if (folder_open(p.out, &p.dir)) {
		output_folder_error(WHO, p.out);
		return EXIT_USAGE;
	}
	code = manifest_read(WHO, p.dir, p.out, &m, &none);
	if (!code && none)
		code = cli_usage(
			WHO, "%s: no run has begun here: there is no " MANIFEST,
			p.out);
	p.run = &m;
	if (!code)
		code = pack_run(&p);
	package_free(&p);
	manifest_free(&m);
	folder_close(p.dir);
	return code;
}

const struct command command_pack = {
	.name = "pack",
	.what = "make the folder of a run an evidence package",
	.usage = "[OPTION...] DIR",
	.about = "Writes into the folder of a run a manifest with the SHA-256 "
		 "digest of every file, and an in-toto test-result statement, "
		 "signed if a key is given. 'rung verify DIR' checks both on "
		 "any machine, and computes every verdict again from the "
		 "package alone.\n\n"
		 "A package of a run with --evidence is evidence for a "
		 "self-attestation. No package is a certificate.",
	.groups = pack_groups,
	.exits = "Exit codes: 0 written, 2 the run is incomplete, lacks "
		 "transcripts or cannot be evidence, or the key cannot be "
		 "used, 5 a file cannot be read or written.",
	.run = cmd_pack,
};
