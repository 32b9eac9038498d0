/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "suite/glob.h"

#define GROUP_DEPTH 8 /* groups within groups; the language has fewer */

enum req_role chair_role(enum chair chair)
{
	return chair == CHAIR_TARGET ? REQ_DST : REQ_SRC;
}

static bool steps_each(const struct step *s, unsigned depth,
		       bool (*fn)(void *ctx, const struct req_ref *ref),
		       void *ctx)
{
	for (; s && depth < GROUP_DEPTH; s = s->next) {
		for (size_t i = 0; i < s->nreqs; i++)
			if (fn(ctx, &s->reqs[i]))
				return true;
		for (size_t i = 0; i < s->ngroups; i++)
			if (steps_each(s->groups[i], depth + 1, fn, ctx))
				return true;
	}
	return false;
}

bool step_reqs_each(const struct kase *k, enum chair chair,
		    bool (*fn)(void *ctx, const struct req_ref *ref), void *ctx)
{
	return k->chairs[chair].present &&
	       steps_each(k->chairs[chair].first, 0, fn, ctx);
}

static bool same_req(void *ctx, const struct req_ref *ref)
{
	const struct req_ref *want = ctx;

	return ref->id == want->id && (ref->role & want->role);
}

bool chair_covers(const struct kase *k, enum chair chair, enum req_id id,
		  enum req_role role)
{
	struct req_ref want = {.id = id, .role = role};
	enum req_role obliged = chair_role(chair);

	for (size_t i = 0; i < k->ncovers; i++)
		if (k->covers[i].id == id &&
		    (k->covers[i].role & role & obliged))
			return k->chairs[chair].present;
	return step_reqs_each(k, chair, same_req, &want);
}

void pick_id(const struct pick *p, char *buf, size_t size)
{
	snprintf(buf, size, "%s@%s", p->kase->id, chair_name(p->chair));
}

void picks_free(struct picks *p)
{
	free(p->at);
	*p = (struct picks){0};
}

/* One selector picks nothing twice, so only earlier ones are compared. */
static bool picked(const struct picks *p, const struct kase *k, enum chair c)
{
	for (size_t i = 0; i < p->before; i++)
		if (p->at[i].kase == k && p->at[i].chair == c)
			return true;
	return false;
}

static int pick_add(struct picks *p, const struct kase *k, enum chair chair)
{
	if (picked(p, k, chair))
		return 0;
	if (p->n == p->size) {
		size_t size = p->size ? 2 * p->size : 64;
		struct pick *at = realloc(p->at, size * sizeof(*at));

		if (!at)
			return ERR_NOMEM;
		p->at = at;
		p->size = size;
	}
	p->at[p->n++] = (struct pick){k, chair};
	return 0;
}

/* Adds the chairs of a case that |pat| means; counts them. */
static int match_case(struct picks *p, const struct kase *k, const char *pat,
		      size_t *count)
{
	for (int c = 0; c < CHAIR_COUNT; c++) {
		struct pick pick = {k, (enum chair)c};
		char id[320];

		if (!k->chairs[c].present)
			continue;
		pick_id(&pick, id, sizeof(id));
		if (!glob_match(pat, k->id) && !glob_match(pat, id))
			continue;
		++*count;
		if (pick_add(p, k, pick.chair))
			return ERR_NOMEM;
	}
	return 0;
}

/* "PATH.lad" or "PATH.lad@CHAIR": the length of the path, or 0. */
static size_t path_len(const char *selector)
{
	const char *at = strrchr(selector, '@');
	size_t len = at ? (size_t)(at - selector) : strlen(selector);

	return len > 4 && strncmp(selector + len - 4, ".lad", 4) == 0 ? len : 0;
}

static int match_file(const char *who, struct corpus *c, const char *selector,
		      size_t len, const char *as, struct picks *p,
		      size_t *count)
{
	const struct kase *k;
	struct diag diag = {0};
	char path[4096], pat[640];
	int err;

	snprintf(path, sizeof(path), "%.*s", (int)len, selector);
	err = as ? corpus_add_named(c, path, as, &diag, &k)
		 : corpus_add_file(c, path, &diag, &k);
	if (err)
		return cli_bad_text(who, err, &diag);
	snprintf(pat, sizeof(pat), "%s%s", k->id, selector + len);
	return match_case(p, k, pat, count) ? cli_nomem(who) : 0;
}

static int match(const char *who, struct corpus *c, const char *selector,
		 const char *as, struct picks *p, size_t *count)
{
	size_t len = path_len(selector), n = corpus_count(c);

	if (len)
		return match_file(who, c, selector, len, as, p, count);
	for (size_t i = 0; i < n; i++)
		if (match_case(p, corpus_at(c, i), selector, count))
			return cli_nomem(who);
	return 0;
}

static int match_all(const char *who, struct corpus *c,
		     const struct select_conf *conf, struct picks *p)
{
	const char *missed = NULL;

	for (size_t i = 0; i < conf->n; i++) {
		size_t count = 0;
		int code;

		p->before = p->n;
		code = match(who, c, conf->selectors[i], conf->as, p, &count);
		if (code)
			return code;
		if (count)
			continue;
		missed = conf->selectors[i];
		fprintf(stderr, "%s: no case matches '%s'\n", who, missed);
	}
	if (missed && p->n)
		return EXIT_USAGE;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct pick *x = a, *y = b;
	int order = strcmp(x->kase->id, y->kase->id);

	return order ? order : (int)x->chair - (int)y->chair;
}

/* Drops what the filters do not let through. */
static int filter(const char *who, const struct select_conf *conf,
		  struct picks *p)
{
	enum req_role role = REQ_BOTH;
	enum req_id id = REQ_NONE;
	size_t kept = 0;

	if (conf->req) {
		id = req_find(conf->req, strlen(conf->req), &role);
		if (id == REQ_NONE) {
			fprintf(stderr,
				"%s: no requirement is called '%s'; 'rung list "
				"--reqs' has them all\n",
				who, conf->req);
			return EXIT_USAGE;
		}
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct pick *k = &p->at[i];

		if (conf->smoke && !k->kase->smoke)
			continue;
		if (conf->req && !chair_covers(k->kase, k->chair, id, role))
			continue;
		p->at[kept++] = *k;
	}
	p->n = kept;
	return 0;
}

int select_cases(const char *who, struct corpus *c,
		 const struct select_conf *conf, struct picks *ret)
{
	static char all[] = "*";
	char *const every[] = {all};
	struct select_conf want = *conf;
	int code;

	if (!want.n && corpus_count(c)) {
		want.selectors = every;
		want.n = 1;
	}
	code = match_all(who, c, &want, ret);
	if (!code)
		code = filter(who, &want, ret);
	if (code)
		return code;
	if (!ret->n) {
		fprintf(stderr, "%s: nothing is selected\n", who);
		return EXIT_NOTHING;
	}
	qsort(ret->at, ret->n, sizeof(*ret->at), by_id);
	return 0;
}
