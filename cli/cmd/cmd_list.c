/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_list.c -- rung list: cases with their titles and requirements, or
 * requirements with the cases that cover them.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/select.h"
#include "suite/lang/chair.h"

#define WHO "rung list"

struct list_conf {
	const char *cases;
	bool json, reqs;
	struct select_conf select;
};

static const struct option_row list_rows[] = {
	{0, "reqs", NULL, "list requirements and the cases that cover them",
	 OPTION_FLAG(struct list_conf, reqs)},
	OPTION_ROW_JSON(struct list_conf, json),
	OPTION_ROW_CASES(struct list_conf, cases),
	OPTION_END};

static const struct option_group list_groups[] = {
	{NULL, select_rows, offsetof(struct list_conf, select)},
	{NULL, list_rows, 0},
	OPTION_GROUPS_END};

/* Collects the requirements of a pick, each once. */
struct cmd_list_gather {
	unsigned char roles[REQ_COUNT];
};

static bool gather_ref(void *ctx, const struct req_ref *ref)
{
	struct cmd_list_gather *g = ctx;

	g->roles[ref->id] |= (unsigned char)ref->role;
	return false;
}

static void cmd_list_gather(struct cmd_list_gather *g, const struct pick *p)
{
	enum req_role obliged = chair_role(p->chair);

	memset(g, 0, sizeof(*g));
	for (size_t i = 0; i < p->test_case->ncovers; i++) {
		const struct req_ref *r = &p->test_case->covers[i];

		g->roles[r->id] |= (unsigned char)(r->role & obliged);
	}
	step_reqs_each(p->test_case, p->chair, gather_ref, g);
}

/* Writes "RUD-SEQ-76/dst" for each role in |roles|. */
static void ref_each(enum req_id id, unsigned roles, struct text *t,
		     json_t *array)
{
	static const enum req_role both[] = {REQ_SRC, REQ_DST};

	for (size_t i = 0; i < 2; i++) {
		char name[64];

		if (!(roles & both[i]))
			continue;
		snprintf(name, sizeof(name), "%s/%s", req_get(id)->id,
			 req_role_name(both[i]));
		if (t)
			text_printf(t, "%s%s", text_between(t->len, " "), name);
		if (array)
			json_array_append_new(array, json_string(name));
	}
}

static void text_needs(struct text *t, const struct needs *needs)
{
	for (size_t i = 0; i < needs->n; i++)
		text_printf(t, " %s", needs->words[i]);
}

static void cases_text(const struct selection *selection)
{
	struct text t = {0};
	struct cmd_list_gather g;

	for (size_t i = 0; i < selection->n; i++) {
		const struct pick *p = &selection->at[i];
		char id[320];

		pick_id(p, id, sizeof(id));
		cmd_list_gather(&g, p);
		text_clear(&t);
		for (int r = 0; r < REQ_COUNT; r++)
			ref_each((enum req_id)r, g.roles[r], &t, NULL);
		printf("%-44s %s\n", id, p->test_case->title);
		if (t.len)
			printf("    %s\n", text_cstr(&t));
		text_clear(&t);
		text_needs(&t, &p->test_case->needs);
		text_needs(&t, &p->test_case->chairs[p->chair].needs);
		if (t.len)
			printf("    needs%s\n", text_cstr(&t));
	}
	text_free(&t);
}

static void list_needs(json_t *array, const struct needs *needs)
{
	for (size_t i = 0; i < needs->n; i++)
		json_array_append_new(array, json_string(needs->words[i]));
}

static json_t *case_json(const struct pick *p)
{
	json_t *reqs = json_array(), *needs = json_array();
	struct cmd_list_gather g;
	char id[320];

	pick_id(p, id, sizeof(id));
	cmd_list_gather(&g, p);
	for (int r = 0; r < REQ_COUNT; r++)
		ref_each((enum req_id)r, g.roles[r], NULL, reqs);
	list_needs(needs, &p->test_case->needs);
	list_needs(needs, &p->test_case->chairs[p->chair].needs);
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:o, s:o}", "id", id,
			 "chair", chair_name(p->chair), "title",
			 p->test_case->title, "ref", p->test_case->ref, "file",
			 p->test_case->path, "smoke", p->test_case->smoke,
			 "requirements", reqs, "needs", needs);
}

static int cases_json(const struct selection *selection)
{
	json_t *array = json_array();

	for (size_t i = 0; i < selection->n; i++)
		json_array_append_new(array, case_json(&selection->at[i]));
	return cli_put_json(WHO, json_pack("{s:s, s:o}", "schema",
					   "rung.list/1", "cases", array));
}

static void reqs_text(const struct selection *selection)
{
	for (int r = 0; r < REQ_COUNT; r++) {
		const struct req *q = req_get((enum req_id)r);

		printf("%-18s %s  %-4s  %-7s  %s\n", q->id,
		       req_level_name(q->level), req_role_name(q->role),
		       req_seen_name(q->seen), q->statement);
		for (size_t i = 0; i < selection->n; i++) {
			const struct pick *p = &selection->at[i];

			if (chair_covers(p->test_case, p->chair, (enum req_id)r,
					 REQ_BOTH))
				printf("    %s@%s\n", p->test_case->id,
				       chair_name(p->chair));
		}
	}
}

static json_t *req_json(enum req_id r, const struct selection *selection)
{
	const struct req *q = req_get(r);
	json_t *cases = json_array();
	char citation[REQ_CITATION_MAX];

	for (size_t i = 0; i < selection->n; i++) {
		const struct pick *p = &selection->at[i];
		char id[320];

		if (!chair_covers(p->test_case, p->chair, r, REQ_BOTH))
			continue;
		pick_id(p, id, sizeof(id));
		json_array_append_new(cases, json_string(id));
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "id", q->id,
			 "level", req_level_name(q->level), "role",
			 req_role_name(q->role), "seen", req_seen_name(q->seen),
			 "statement", q->statement, "source",
			 req_citation(r, citation), "cases", cases);
}

static int reqs_json(const struct selection *selection)
{
	json_t *array = json_array();

	for (int r = 0; r < REQ_COUNT; r++)
		json_array_append_new(array,
				      req_json((enum req_id)r, selection));
	return cli_put_json(WHO,
			    json_pack("{s:s, s:o}", "schema", "rung.reqs/1",
				      "requirements", array));
}

static int list_selection(const struct list_conf *conf,
			  const struct selection *selection)
{
	if (conf->json)
		return conf->reqs ? reqs_json(selection)
				  : cases_json(selection);
	if (conf->reqs)
		reqs_text(selection);
	else
		cases_text(selection);
	return EXIT_PASSED;
}

static int cmd_list(int argc, char **argv)
{
	struct list_conf conf = {0};
	struct corpus *corpus = NULL;
	struct selection selection = {0};
	struct diag diag = {0};
	struct corpus_want want;
	struct operands cases;
	int code, err;

	code = option_read(&command_list, argc, argv, &conf, &cases);
	if (code >= 0)
		return code;
	conf.select.selectors = cases.at;
	conf.select.n = cases.n;
	want = (struct corpus_want){.selectors = conf.select.selectors,
				    .n = conf.select.n,
				    .brief = true};
	err = corpus_new(&corpus, conf.cases, &want, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	code = select_cases(WHO, corpus, &conf.select, &selection);
	if (!code)
		code = list_selection(&conf, &selection);
	selection_free(&selection);
	corpus_free(corpus);
	return code;
}

const struct command command_list = {
	.name = "list",
	.what = "list cases, or requirements and the cases that cover them",
	.usage = "[OPTION...] [SELECTOR...]",
	.about = "Lists cases with their titles and requirements; without a "
		 "selector all cases.",
	.groups = list_groups,
	.exits = "Exit codes: 0 listed, 2 usage or configuration, 4 nothing "
		 "is selected, 5 harness error.",
	.run = cmd_list,
};
