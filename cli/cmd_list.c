/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_list.c -- rung list: cases with their titles and requirements, or
 * requirements with the cases that cover them.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/select.h"

#define WHO "rung list"

struct list_conf {
	const char *cases;
	bool json, reqs;
	struct select_conf select;
};

static void help(void)
{
	puts("Usage: rung list [OPTION...] [SELECTOR...]\n\n"
	     "Lists cases with their titles and requirements.\n\n"
	     "  SELECTOR        an id (uet/rud/send-gtd, or ...@target), a "
	     "glob "
	     "over ids in\n"
	     "                  which * crosses /, or the path of a .lad file\n"
	     "  --req ID        only cases that cover a requirement, as "
	     "RUD-SEQ-76 or\n"
	     "                  RUD-SEQ-76/dst\n"
	     "  --profile NAME  smoke: the quick ones; full: all (default)\n"
	     "  --reqs          list requirements and the cases that cover "
	     "them\n"
	     "  --json          as JSON\n"
	     "  --cases DIR     read the cases below DIR, not the built-in "
	     "ones\n"
	     "  -h, --help      this text");
}

/* Gathers the requirements that a pick names, each once. */
struct gather {
	unsigned char roles[REQ_COUNT];
};

static bool gather_ref(void *ctx, const struct req_ref *ref)
{
	struct gather *g = ctx;

	g->roles[ref->id] |= (unsigned char)ref->role;
	return false;
}

static void gather(struct gather *g, const struct pick *p)
{
	enum req_role obliged = chair_role(p->chair);

	memset(g, 0, sizeof(*g));
	for (size_t i = 0; i < p->kase->ncovers; i++) {
		const struct req_ref *r = &p->kase->covers[i];

		g->roles[r->id] |= (unsigned char)(r->role & obliged);
	}
	step_reqs_each(p->kase, p->chair, gather_ref, g);
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
			text_printf(t, "%s%s", t->len ? " " : "", name);
		if (array)
			json_array_append_new(array, json_string(name));
	}
}

static void cases_text(const struct picks *picks)
{
	struct text t = {0};
	struct gather g;

	for (size_t i = 0; i < picks->n; i++) {
		const struct pick *p = &picks->at[i];
		char id[320];

		pick_id(p, id, sizeof(id));
		gather(&g, p);
		text_clear(&t);
		for (int r = 0; r < REQ_COUNT; r++)
			ref_each((enum req_id)r, g.roles[r], &t, NULL);
		printf("%-44s %s\n", id, p->kase->title);
		if (t.len)
			printf("    %s\n", text_cstr(&t));
	}
	text_free(&t);
}

static json_t *case_json(const struct pick *p)
{
	json_t *reqs = json_array(), *needs = json_array();
	struct gather g;
	char id[320];

	pick_id(p, id, sizeof(id));
	gather(&g, p);
	for (int r = 0; r < REQ_COUNT; r++)
		ref_each((enum req_id)r, g.roles[r], NULL, reqs);
	for (size_t i = 0; i < p->kase->nneeds; i++)
		json_array_append_new(needs, json_string(p->kase->needs[i]));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:o, s:o}", "id", id,
			 "chair", chair_name(p->chair), "title", p->kase->title,
			 "ref", p->kase->ref, "file", p->kase->path, "smoke",
			 p->kase->smoke, "requirements", reqs, "needs", needs);
}

/* Prints and frees. */
static int print_json(json_t *root)
{
	int bad = !root || json_dumpf(root, stdout, JSON_INDENT(2));

	json_decref(root);
	putchar('\n');
	return bad && !ferror(stdout) ? cli_nomem(WHO) : EXIT_PASSED;
}

static int cases_json(const struct picks *picks)
{
	json_t *array = json_array();

	for (size_t i = 0; i < picks->n; i++)
		json_array_append_new(array, case_json(&picks->at[i]));
	return print_json(json_pack("{s:s, s:o}", "schema", "rung.list/1",
				    "cases", array));
}

static void reqs_text(const struct picks *picks)
{
	for (int r = 0; r < REQ_COUNT; r++) {
		const struct req *q = req_get((enum req_id)r);

		printf("%-18s %s  %-4s  %-7s  %s\n", q->id,
		       req_level_name(q->level), req_role_name(q->role),
		       req_seen_name(q->seen), q->statement);
		for (size_t i = 0; i < picks->n; i++) {
			const struct pick *p = &picks->at[i];

			if (chair_covers(p->kase, p->chair, (enum req_id)r,
					 REQ_BOTH))
				printf("    %s@%s\n", p->kase->id,
				       chair_name(p->chair));
		}
	}
}

static json_t *req_json(enum req_id r, const struct picks *picks)
{
	const struct req *q = req_get(r);
	json_t *cases = json_array();

	for (size_t i = 0; i < picks->n; i++) {
		const struct pick *p = &picks->at[i];
		char id[320];

		if (!chair_covers(p->kase, p->chair, r, REQ_BOTH))
			continue;
		pick_id(p, id, sizeof(id));
		json_array_append_new(cases, json_string(id));
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "id", q->id,
			 "level", req_level_name(q->level), "role",
			 req_role_name(q->role), "seen", req_seen_name(q->seen),
			 "statement", q->statement, "source", q->source,
			 "cases", cases);
}

static int reqs_json(const struct picks *picks)
{
	json_t *array = json_array();

	for (int r = 0; r < REQ_COUNT; r++)
		json_array_append_new(array, req_json((enum req_id)r, picks));
	return print_json(json_pack("{s:s, s:o}", "schema", "rung.reqs/1",
				    "requirements", array));
}

static int list(const struct list_conf *conf, const struct picks *picks)
{
	if (conf->json)
		return conf->reqs ? reqs_json(picks) : cases_json(picks);
	if (conf->reqs)
		reqs_text(picks);
	else
		cases_text(picks);
	return EXIT_PASSED;
}

enum {
	OPT_REQ = 256,
	OPT_PROFILE,
	OPT_REQS,
	OPT_JSON,
	OPT_CASES,
};

/* Return: -1 go on, else an exit code. */
static int options(int argc, char **argv, struct list_conf *conf)
{
	static const struct option longs[] = {
		{"req", required_argument, NULL, OPT_REQ},
		{"profile", required_argument, NULL, OPT_PROFILE},
		{"reqs", no_argument, NULL, OPT_REQS},
		{"json", no_argument, NULL, OPT_JSON},
		{"cases", required_argument, NULL, OPT_CASES},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int o;

	while ((o = getopt_long(argc, argv, "h", longs, NULL)) != -1)
		switch (o) {
		case OPT_REQ:
			conf->select.req = optarg;
			break;
		case OPT_PROFILE:
			if (!cli_profile(optarg, &conf->select.smoke))
				return cli_usage(WHO, "--profile is smoke or "
						      "full");
			break;
		case OPT_REQS:
			conf->reqs = true;
			break;
		case OPT_JSON:
			conf->json = true;
			break;
		case OPT_CASES:
			conf->cases = optarg;
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		default:
			return cli_try(WHO);
		}
	conf->select.selectors = argv + optind;
	conf->select.n = (size_t)(argc - optind);
	return -1;
}

int cmd_list(int argc, char **argv)
{
	struct list_conf conf = {0};
	struct corpus *corpus = NULL;
	struct picks picks = {0};
	struct diag diag = {0};
	struct corpus_want want;
	int code, err;

	code = options(argc, argv, &conf);
	if (code >= 0)
		return code;
	want = (struct corpus_want){conf.select.selectors, conf.select.n};
	err = corpus_new(&corpus, conf.cases, &want, &diag);
	if (err)
		return cli_bad_text(WHO, err, &diag);
	code = select_cases(WHO, corpus, &conf.select, &picks);
	if (!code)
		code = list(&conf, &picks);
	picks_free(&picks);
	corpus_free(corpus);
	return code;
}
