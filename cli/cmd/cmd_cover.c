/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_cover.c -- rung cover: the numbers of cases and mutants for each
 * requirement in each role, and the requirements that no case tests.
 *
 * A row that obliges both roles counts twice, because a device is judged in
 * each.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/mutants.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/select.h"

#define WHO "rung cover"

/* A requirement in a role. */
struct cover_row {
	enum req_id id;
	enum req_role role;
	size_t ncases, nmutants;
};

struct cmd_cover {
	struct selection selection;
	/* [pick * REQ_COUNT + id]: the roles in which the pick tests the row */
	uint8_t *roles;
	struct mutant *mutants;
	size_t nmutants;
	struct cover_row *rows;
	size_t nrows;
};

struct cover_options {
	const char *cases;
	bool all, json;
};

static const struct option_row cover_option_rows[] = {
	{0, "all", NULL,
	 "every row, not only level M and those that are tested",
	 OPTION_FLAG(struct cover_options, all)},
	{0, "json", NULL, "print JSON, with the names of cases and mutants",
	 OPTION_FLAG(struct cover_options, json)},
	OPTION_ROW_CASES(struct cover_options, cases),
	OPTION_END};

static const struct option_group cover_groups[] = {{NULL, cover_option_rows, 0},
						   OPTION_GROUPS_END};

static bool row_case(const struct cmd_cover *c, const struct cover_row *row,
		     size_t pick)
{
	return c->roles[pick * REQ_COUNT + (size_t)row->id] & row->role;
}

static bool row_mutant(const struct cover_row *row, const struct mutant *m)
{
	return m->id == row->id && (m->role & row->role);
}

static void row_count(const struct cmd_cover *c, struct cover_row *row)
{
	for (size_t i = 0; i < c->selection.n; i++)
		row->ncases += row_case(c, row, i);
	for (size_t i = 0; i < c->nmutants; i++)
		row->nmutants += row_mutant(row, &c->mutants[i]);
}

static int cover_rows(struct cmd_cover *c)
{
	static const enum req_role roles[] = {REQ_SRC, REQ_DST};

	c->rows = memory_calloc(2 * REQ_COUNT, sizeof(*c->rows));
	if (!c->rows)
		return cli_nomem(WHO);
	for (int r = 0; r < REQ_COUNT; r++)
		for (size_t i = 0; i < 2; i++) {
			struct cover_row *row = &c->rows[c->nrows];

			if (!(req_get((enum req_id)r)->role & roles[i]))
				continue;
			row->id = (enum req_id)r;
			row->role = roles[i];
			row_count(c, row);
			c->nrows++;
		}
	return 0;
}

static int cover_cases(struct cmd_cover *c)
{
	const size_t n = c->selection.n;

	c->roles = memory_calloc(n ? n : 1, REQ_COUNT);
	if (!c->roles)
		return cli_nomem(WHO);
	for (size_t i = 0; i < n; i++) {
		const struct pick *p = &c->selection.at[i];

		chair_roles(p->test_case, p->chair, &c->roles[i * REQ_COUNT]);
	}
	return 0;
}

static int cover_mutants(struct cmd_cover *c)
{
	struct mutant m;
	size_t n = 0;

	while (mutant_at(n, &m) == 0)
		n++;
	c->mutants = memory_calloc(n ? n : 1, sizeof(*c->mutants));
	if (!c->mutants)
		return cli_nomem(WHO);
	c->nmutants = n;
	for (size_t i = 0; i < n; i++)
		mutant_at(i, &c->mutants[i]);
	return 0;
}

static void row_text(const struct cover_row *row)
{
	const struct req *q = req_get(row->id);

	printf("%-20s %-5s %-4s %-8s %5zu %7zu\n", q->id,
	       req_level_name(q->level), req_role_name(row->role),
	       req_seen_name(q->seen), row->ncases, row->nmutants);
}

static void untested_text(const struct cmd_cover *c)
{
	size_t must = 0, tested = 0, proved = 0;

	for (size_t i = 0; i < c->nrows; i++) {
		if (req_get(c->rows[i].id)->level != REQ_M)
			continue;
		must++;
		tested += c->rows[i].ncases > 0;
		proved += c->rows[i].nmutants > 0;
	}
	printf("\n%zu M rows (requirement and role): %zu have a case, %zu have "
	       "a mutant.\n",
	       must, tested, proved);
	if (tested < must)
		printf("Nothing tests these M rows:\n");
	for (size_t i = 0; i < c->nrows; i++) {
		const struct cover_row *row = &c->rows[i];
		const struct req *q = req_get(row->id);

		if (q->level == REQ_M && !row->ncases)
			printf("  %s/%s  %s\n", q->id, req_role_name(row->role),
			       q->statement);
	}
}

static void cover_text(const struct cmd_cover *c, bool all)
{
	printf("%-20s %-5s %-4s %-8s %5s %7s\n", "requirement", "level", "role",
	       "seen", "cases", "mutants");
	for (size_t i = 0; i < c->nrows; i++) {
		const struct cover_row *row = &c->rows[i];

		if (all || row->ncases || row->nmutants ||
		    req_get(row->id)->level == REQ_M)
			row_text(row);
	}
	untested_text(c);
}

static json_t *row_json(const struct cmd_cover *c, const struct cover_row *row)
{
	json_t *cases = json_array(), *mutants = json_array();
	const struct req *q = req_get(row->id);

	for (size_t i = 0; i < c->selection.n; i++) {
		char id[320];

		if (!row_case(c, row, i))
			continue;
		pick_id(&c->selection.at[i], id, sizeof(id));
		json_array_append_new(cases, json_string(id));
	}
	for (size_t i = 0; i < c->nmutants; i++)
		if (row_mutant(row, &c->mutants[i]))
			json_array_append_new(mutants,
					      json_string(c->mutants[i].name));
	return json_pack("{s:s, s:s, s:s, s:s, s:b, s:o, s:o}", "id", q->id,
			 "role", req_role_name(row->role), "level",
			 req_level_name(q->level), "seen",
			 req_seen_name(q->seen), "tested", row->ncases > 0,
			 "cases", cases, "mutants", mutants);
}

static int cover_json(const struct cmd_cover *c)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < c->nrows; i++)
		json_array_append_new(rows, row_json(c, &c->rows[i]));
	return cli_put_json(WHO,
			    json_pack("{s:s, s:o}", "schema", "rung.cover/1",
				      "requirements", rows));
}

static int cover_report(struct corpus *corpus,
			const struct cover_options *options)
{
	struct cmd_cover c = {0};
	struct select_conf every = {0};
	int code = select_cases(WHO, corpus, &every, &c.selection);

	if (!code)
		code = cover_cases(&c);
	if (!code)
		code = cover_mutants(&c);
	if (!code)
		code = cover_rows(&c);
	if (!code && options->json)
		code = cover_json(&c);
	else if (!code)
		cover_text(&c, options->all);
	free(c.rows);
	free(c.roles);
	free(c.mutants);
	selection_free(&c.selection);
	return code;
}

static int cmd_cover(int argc, char **argv)
{
	struct cover_options options = {0};
	struct corpus *corpus = NULL;
	struct operands none;
	struct diag diag = {0};
	int err, code;

	code = option_read(&command_cover, argc, argv, &options, &none);
	if (code >= 0)
		return code;
	err = corpus_new(&corpus, options.cases, NULL, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	code = cover_report(corpus, &options);
	corpus_free(corpus);
	return code;
}

const struct command command_cover = {
	.name = "cover",
	.what = "say which requirements are tested, and by what",
	.usage = "[OPTION...]",
	.about = "Shows each requirement in each role with the number of cases "
		 "that test it and of mutants that break it, and names the M "
		 "requirements that no case tests.",
	.groups = cover_groups,
	.exits = "Exit codes: 0 shown, 2 usage or a case that cannot be "
		 "read, 4 there are no cases, 5 harness error.",
	.no_operands = true,
	.run = cmd_cover,
};
