/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/statement.c -- writes the in-toto statement.
 */
#include "cli/pack/statement.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/pack/evidence.h"
#include "cli/pack/pack_files.h"
#include "reports/format/json.h"

static int statement_append(json_t **list, const char *id, uint32_t repeat)
{
	char name[400];

	if (!*list)
		*list = json_array();
	if (repeat)
		snprintf(name, sizeof(name), "%.380s.%" PRIu32, id, repeat + 1);
	else
		snprintf(name, sizeof(name), "%.380s", id);
	if (!*list || json_array_append_new(*list, json_any_string(name)))
		return ERR_NOMEM;
	return 0;
}

int statement_take(struct statement_results *r, const char *id, uint32_t repeat,
		   enum verdict verdict)
{
	r->n[verdict]++;
	switch (verdict) {
	case VERDICT_PASS:
		return statement_append(&r->passed, id, repeat);
	case VERDICT_FAIL:
		return statement_append(&r->failed, id, repeat);
	case VERDICT_INCONCLUSIVE:
	case VERDICT_ERROR:
		return statement_append(&r->warned, id, repeat);
	default:
		return 0;
	}
}

void statement_results_free(struct statement_results *r)
{
	json_decref(r->passed);
	json_decref(r->warned);
	json_decref(r->failed);
	*r = (struct statement_results){.passed = NULL};
}

/* Returns a new reference to a list of ids. */
static json_t *statement_ids(json_t *list)
{
	if (!list)
		return json_array();
	return json_incref(list);
}

static const char *statement_result(const struct statement_results *r)
{
	if (r->failed)
		return "FAILED";
	if (r->warned || !r->passed)
		return "WARNED";
	return "PASSED";
}

int statement_print(struct text *t, const struct manifest *run,
		    const struct text *pack, const struct statement_results *r)
{
	const char *decl =
		json_string_value(json_object_get(run->root, "declaration"));
	char pack_sha[SHA256_HEX], decl_sha[SHA256_HEX];
	json_t *predicate;

	if (sha256_hex(text_cstr(pack), pack->len, pack_sha) ||
	    sha256_hex(decl, strlen(decl), decl_sha))
		return ERR_NOMEM;
	predicate = json_pack(
		"{s:s, s:[{s:s, s:{s:s}, s:{s:s}}], s:o, s:o, s:o}", "result",
		statement_result(r), "configuration", "name", "declaration",
		"digest", "sha256", decl_sha, "annotations", "says",
		evidence_claimed(run) ? EVIDENCE_SAYS : EVIDENCE_LESS,
		"passedTests", statement_ids(r->passed), "warnedTests",
		statement_ids(r->warned), "failedTests",
		statement_ids(r->failed));
	return json_text(
		t,
		json_pack("{s:s, s:[{s:s, s:{s:s}}], s:s, s:o}", "_type",
			  "https://in-toto.io/Statement/v1", "subject", "name",
			  PACK_MANIFEST, "digest", "sha256", pack_sha,
			  "predicateType",
			  "https://in-toto.io/attestation/test-result/v0.1",
			  "predicate", predicate),
		JSON_INDENT(1));
}
