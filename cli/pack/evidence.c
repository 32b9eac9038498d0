/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/evidence.c -- checks run.json against the conditions of evidence.
 *
 * 'rung run' refuses options that break these conditions.  A package may have
 * been written by another program, so 'rung verify' checks them again.
 */
#include "cli/pack/evidence.h"

#include <string.h>

#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/select.h"

static const json_t *evidence_option(const struct manifest *m, const char *key)
{
	return json_object_get(json_object_get(m->root, "options"), key);
}

bool evidence_claimed(const struct manifest *m)
{
	return json_is_true(evidence_option(m, "evidence"));
}

/* Returns the reason that run.json alone shows, or NULL. */
static const char *evidence_excuse(const struct manifest *m)
{
	const json_t *device = json_object_get(m->root, "device");

	if (m->baseline.text)
		return "a baseline excuses failures";
	if (m->decl->deviations)
		return "the declaration excuses deviations";
	if (m->about.step_over)
		return "--step-over continues behind deviations";
	if (m->repeat != 1 || m->from || m->rounds)
		return "cases were repeated";
	if (json_is_true(evidence_option(m, "fail_fast")))
		return "the run may end at the first fail";
	if (json_is_string(json_object_get(device, "without")))
		return "--without leaves control verbs out";
	if (json_object_get(m->root, "shard"))
		return "it is one shard of a run";
	return NULL;
}

/* Compares the selection of the run with all cases of this program. */
static void evidence_compare(const struct manifest *m,
			     const struct selection *all, struct text *why)
{
	if (m->total != all->n) {
		text_printf(why, "the run has %zu cases, and rung %s has %zu",
			    m->total, m->about.version, all->n);
		return;
	}
	for (size_t i = 0; i < all->n; i++) {
		char id[320];
		uint32_t repeat;
		bool same;

		pick_id(&all->at[i], id, sizeof(id));
		same = strcmp(id, manifest_id(m, i, &repeat)) == 0;
		if (same && manifest_has(m, i, &all->at[i]))
			continue;
		text_printf(why,
			    same ? "the case %s is not the one of rung"
				 : "the run lacks the case %s",
			    id);
		return;
	}
}

int evidence_unfit(const char *who, const struct manifest *m, struct text *why)
{
	const char *excuse = evidence_excuse(m);
	struct select_conf conf = {0};
	struct selection all = {0};
	struct corpus *corpus = NULL;
	struct diag diag = {0};
	int err, code;

	if (excuse) {
		text_puts(why, excuse);
		return 0;
	}
	err = corpus_new(&corpus, NULL, NULL, &diag);
	if (err)
		return cli_bad_text(who, err, &diag);
	code = select_cases(who, corpus, &conf, &all);
	if (!code)
		evidence_compare(m, &all, why);
	selection_free(&all);
	corpus_free(corpus);
	return code;
}
