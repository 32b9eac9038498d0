/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/select.c -- matches selectors against the ids of cases, filters by
 * profile and requirement, and sorts the selection by id and chair.
 */
#include "cli/select.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "suite/lang/case_section.h"
#include "suite/lang/chair.h"
#include "suite/lang/glob.h"

static int select_take_exclude(const char *who, void *target, const char *value)
{
	struct select_conf *conf = target;

	if (conf->nexcludes == SELECT_EXCLUDES)
		return cli_usage(who, "--exclude %s: at most %d are possible",
				 value, SELECT_EXCLUDES);
	conf->excludes[conf->nexcludes++] = value;
	return 0;
}

const struct option_row select_rows[] = {
	{0, "SELECTOR", NULL,
	 "the id of a case, uet/rud/send-gtd, or with the part that the device "
	 "plays (its chair), uet/rud/send-gtd@target; a folder of cases, "
	 "uet/rud; a pattern of ids, in which * also stands for /; or the path "
	 "of a .lad file, or PATH.lad:drop for its section \"impaired drop\"; "
	 "a case with a \"for\" line has an id for each value, "
	 "uet/lengths/send[len=1]",
	 .kind = OPTION_KIND_CASES},
	{0, "req", "ID",
	 "only cases that cover this requirement: RUD-SEQ-76, or "
	 "RUD-SEQ-76/dst for one role",
	 OPTION_TEXT(struct select_conf, req)},
	{0, "clause", "N",
	 "only cases that cite this clause of the specification or a part of "
	 "it: 3.5.20",
	 OPTION_TEXT(struct select_conf, clause)},
	{'k', "keyword", "TEXT", "only cases whose id contains TEXT",
	 OPTION_TEXT(struct select_conf, keyword)},
	{0, "exclude", "SELECTOR",
	 "leave out the cases that SELECTOR, an id, a folder or a pattern, "
	 "means; may be repeated",
	 OPTION_CALL(select_take_exclude)},
	{0, "profile", "NAME", "smoke: the quick cases; full: all (default)",
	 OPTION_CHOICE(struct select_conf, smoke, "full smoke")},
	OPTION_END};

#define GROUP_DEPTH 8 /* most nested groups; the language has fewer */

enum req_role chair_role(enum chair chair)
{
	if (chair == CHAIR_TARGET)
		return REQ_DST;
	return REQ_SRC;
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

bool step_reqs_each(const struct test_case *k, enum chair chair,
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

bool chair_covers(const struct test_case *k, enum chair chair, enum req_id id,
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

static bool note_roles(void *ctx, const struct req_ref *ref)
{
	uint8_t *roles = ctx;

	roles[ref->id] |= (uint8_t)ref->role;
	return false;
}

void chair_roles(const struct test_case *k, enum chair chair,
		 uint8_t ret[static REQ_COUNT])
{
	memset(ret, 0, REQ_COUNT);
	if (!k->chairs[chair].present)
		return;
	for (size_t i = 0; i < k->ncovers; i++)
		ret[k->covers[i].id] |=
			(uint8_t)(k->covers[i].role & chair_role(chair));
	step_reqs_each(k, chair, note_roles, ret);
}

void pick_id(const struct pick *p, char *buf, size_t size)
{
	snprintf(buf, size, "%s@%s", p->test_case->id, chair_name(p->chair));
}

void selection_free(struct selection *p)
{
	free(p->at);
	*p = (struct selection){0};
}

/* One selector picks nothing twice, so only earlier picks are compared. */
static bool picked(const struct selection *p, const struct test_case *k,
		   enum chair c)
{
	for (size_t i = 0; i < p->before; i++)
		if (p->at[i].test_case == k && p->at[i].chair == c)
			return true;
	return false;
}

static int pick_add(struct selection *p, const struct test_case *k,
		    enum chair chair)
{
	if (picked(p, k, chair))
		return 0;
	if (p->n == p->size) {
		size_t size = p->size ? 2 * p->size : 64;
		struct pick *at = memory_realloc(p->at, size * sizeof(*at));

		if (!at)
			return ERR_NOMEM;
		p->at = at;
		p->size = size;
	}
	p->at[p->n++] = (struct pick){k, chair};
	return 0;
}

/* Adds the chairs of a case that |pat| matches, and counts them. */
static int match_case(struct selection *p, const struct test_case *k,
		      const char *pat, size_t *count)
{
	for (int c = 0; c < CHAIR_COUNT; c++) {
		struct pick pick = {k, (enum chair)c};

		if (!k->chairs[c].present ||
		    !glob_selects(pat, k->id, chair_name(pick.chair)))
			continue;
		++*count;
		if (pick_add(p, k, pick.chair))
			return ERR_NOMEM;
	}
	return 0;
}

/* A selector that is a path: "PATH.lad", ":SECTION", "@CHAIR". */
struct select_path {
	int len; /* length of the path; 0: it is no path */
	/* |section_len| bytes; NULL: all cases of the file */
	const char *section;
	int section_len;
	const char *chair; /* "@target", or "" */
};

static struct select_path select_path(const char *selector)
{
	const char *chair = strrchr(selector, '@'), *end, *colon;
	struct select_path none = {0}, ret = {0};

	if (chair)
		ret.chair = chair;
	else
		ret.chair = selector + strlen(selector);
	end = ret.chair;
	colon = strrchr(selector, ':');
	if (colon && colon < end) {
		ret.section = colon + 1;
		ret.section_len = (int)(end - colon) - 1;
		end = colon;
	}
	ret.len = (int)(end - selector);
	if (ret.len > 4 && !strncmp(end - 4, ".lad", 4))
		return ret;
	return none;
}

static bool select_section(const struct select_path *path,
			   const struct test_case *k)
{
	const char *name = k->section ? k->section : CASE_SECTION_PLAIN;
	const char *value = strchr(k->id, '[');
	const size_t n = strlen(name);
	size_t more;

	if (!path->section)
		return true;
	if ((size_t)path->section_len < n ||
	    strncmp(name, path->section, n) != 0)
		return false;
	more = (size_t)path->section_len - n; /* "[len=1]" may follow */
	return !more || (value && strlen(value) == more &&
			 !strncmp(value, path->section + n, more));
}

static int match_file(const char *who, struct corpus *c, const char *selector,
		      const struct select_path *at, const char *as,
		      struct selection *p, size_t *count)
{
	struct diag diag = {0};
	char path[4096], pat[640];
	size_t first, n;
	int err;

	snprintf(path, sizeof(path), "%.*s", at->len, selector);
	err = corpus_add_file(c, path, as, &diag, &first, &n);
	if (err)
		return cli_bad_text(who, err, &diag);
	for (size_t i = first; i < first + n; i++) {
		const struct test_case *k = corpus_at(c, i);

		if (!select_section(at, k))
			continue;
		snprintf(pat, sizeof(pat), "%s%s", k->id, at->chair);
		if (match_case(p, k, pat, count))
			return cli_nomem(who);
	}
	return 0;
}

static int select_match(const char *who, struct corpus *c, const char *selector,
			const char *as, struct selection *p, size_t *count)
{
	const struct select_path path = select_path(selector);
	size_t n = corpus_count(c);

	if (path.len)
		return match_file(who, c, selector, &path, as, p, count);
	for (size_t i = 0; i < n; i++)
		if (match_case(p, corpus_at(c, i), selector, count))
			return cli_nomem(who);
	return 0;
}

/* Says how to name what exists as a file or folder. */
static const char *select_path_hint(const char *selector)
{
	struct stat st;

	if (stat(selector, &st))
		return "";
	if (S_ISDIR(st.st_mode))
		return "; --cases DIR reads the cases below a folder";
	return "; the name of a case file ends in .lad";
}

/* Refuses --as unless one .lad file is named.  Return: 0 or an exit code. */
static int select_check_as(const char *who, const struct select_conf *conf)
{
	size_t files = 0;

	for (size_t i = 0; i < conf->n; i++)
		files += select_path(conf->selectors[i]).len > 0;
	if (!conf->as || files == 1)
		return 0;
	return cli_usage(who, "--as %s: name one .lad file, which gets this id",
			 conf->as);
}

/* Says that a selector matches no case, and which id is similar. */
static void select_say_missed(const char *who, const struct corpus *c,
			      const char *option, const char *selector,
			      const char *hint)
{
	struct near near;

	near_init(&near, (struct word){selector, strcspn(selector, "@")});
	corpus_offer(c, &near);
	fprintf(stderr, "%s: no case matches %s'%s'%s%s\n", who, option,
		selector, near_hint(&near), hint);
}

/*
 * Refuses an --exclude that matches no case of the tree: a typing error would
 * run the cases that the user leaves out.
 */
static int select_check_excludes(const char *who, const struct corpus *c,
				 const struct select_conf *conf)
{
	int code = 0;

	for (size_t i = 0; i < conf->nexcludes; i++) {
		const char *hint = "";

		if (corpus_has(c, conf->excludes[i]))
			continue;
		if (select_path(conf->excludes[i]).len)
			hint = "; it takes no path of a file";
		select_say_missed(who, c, "--exclude ", conf->excludes[i],
				  hint);
		code = EXIT_USAGE;
	}
	return code;
}

static int match_all(const char *who, struct corpus *c,
		     const struct select_conf *conf, struct selection *p)
{
	const char *missed = NULL;

	for (size_t i = 0; i < conf->n; i++) {
		size_t count = 0;
		int code;

		p->before = p->n;
		code = select_match(who, c, conf->selectors[i], conf->as, p,
				    &count);
		if (code)
			return code;
		if (count)
			continue;
		missed = conf->selectors[i];
		select_say_missed(who, c, "", missed, select_path_hint(missed));
	}
	if (missed && p->n)
		return EXIT_USAGE;
	return 0;
}

static int select_by_id(const void *a, const void *b)
{
	const struct pick *x = a, *y = b;
	int order = strcmp(x->test_case->id, y->test_case->id);

	if (order)
		return order;
	return (int)x->chair - (int)y->chair;
}

/*
 * Returns true if a reference cites a clause: "3.5.20" is in "UET 3.5.20.2.2".
 */
static bool select_cites(const char *ref, const char *clause)
{
	const size_t len = strlen(clause);

	for (const char *p = strstr(ref, clause); p; p = strstr(p + 1, clause))
		if ((p == ref || p[-1] == ' ') &&
		    (!p[len] || strchr(". ,", p[len])))
			return true;
	return false;
}

static bool select_excludes(const struct select_conf *conf, const char *id,
			    enum chair chair)
{
	for (size_t i = 0; i < conf->nexcludes; i++)
		if (glob_selects(conf->excludes[i], id, chair_name(chair)))
			return true;
	return false;
}

/*
 * Returns true if the filters accept a chair of a case; |id| and |role| are
 * those of conf->req.
 */
static bool select_passes(const struct select_conf *conf,
			  const struct test_case *k, enum chair chair,
			  enum req_id id, enum req_role role)
{
	if (conf->smoke && !k->smoke)
		return false;
	if (conf->keyword && !strstr(k->id, conf->keyword))
		return false;
	if (conf->clause && !select_cites(k->ref, conf->clause))
		return false;
	if (select_excludes(conf, k->id, chair))
		return false;
	return !conf->req || chair_covers(k, chair, id, role);
}

bool select_keeps(void *ctx, const struct test_case *k)
{
	const struct select_conf *conf = ctx;
	enum req_role role = REQ_BOTH;
	enum req_id id = REQ_NONE;

	if (conf->req)
		id = req_find(conf->req, strlen(conf->req), &role);
	for (int c = 0; c < CHAIR_COUNT; c++)
		if (select_passes(conf, k, (enum chair)c, id, role))
			return true;
	return false;
}

/* Returns the id that a name has but for its case; NULL: none. */
static const char *select_req_id(const char *name, size_t len)
{
	for (int id = REQ_NONE + 1; id < REQ_COUNT; id++) {
		const char *known = req_get((enum req_id)id)->id;

		if (strlen(known) == len && !strncasecmp(known, name, len))
			return known;
	}
	return NULL;
}

int select_no_req(const char *who, const char *name)
{
	const size_t len = strcspn(name, "/");
	const char *id = select_req_id(name, len);
	char upper[64] = "";
	struct near near;

	if (id && name[len]) {
		fprintf(stderr, "%s: '%s': a role of %s is src, dst or both\n",
			who, name, id);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < len && i + 1 < sizeof(upper); i++)
		upper[i] = (char)toupper((unsigned char)name[i]);
	near_init(&near, (struct word){upper, strlen(upper)});
	if (id)
		near.best = id;
	for (int i = REQ_NONE + 1; i < REQ_COUNT && !id; i++)
		near_offer(&near, req_get((enum req_id)i)->id);
	fprintf(stderr,
		"%s: no requirement is called '%s'%s\n"
		"'rung list --reqs' has them all.\n",
		who, name, near_hint(&near));
	return EXIT_USAGE;
}

/* Names a filter that is set. */
static void select_say_filter(const char **before, const char *name,
			      const char *value)
{
	if (!value)
		return;
	fprintf(stderr, "%s%s %s", *before, name, value);
	*before = " and ";
}

/* Names the filters that are set: they leave no case. */
static void select_say_filters(const struct select_conf *conf)
{
	const char *before = ": no case passes ";

	select_say_filter(&before, "--req", conf->req);
	select_say_filter(&before, "--clause", conf->clause);
	select_say_filter(&before, "--keyword", conf->keyword);
	for (size_t i = 0; i < conf->nexcludes; i++)
		select_say_filter(&before, "--exclude", conf->excludes[i]);
	select_say_filter(&before, "--profile", conf->smoke ? "smoke" : NULL);
}

/* Removes the picks that the filters reject. */
static int filter(const char *who, const struct select_conf *conf,
		  struct selection *p)
{
	enum req_role role = REQ_BOTH;
	enum req_id id = REQ_NONE;
	size_t kept = 0;

	if (conf->req) {
		id = req_find(conf->req, strlen(conf->req), &role);
		if (id == REQ_NONE)
			return select_no_req(who, conf->req);
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct pick *k = &p->at[i];

		if (select_passes(conf, k->test_case, k->chair, id, role))
			p->at[kept++] = *k;
	}
	p->n = kept;
	return 0;
}

int select_cases(const char *who, struct corpus *c,
		 const struct select_conf *conf, struct selection *ret)
{
	static char all[] = "*";
	char *const every[] = {all};
	struct select_conf want = *conf;
	bool matched;
	int code;

	if (!want.n && corpus_count(c)) {
		want.selectors = every;
		want.n = 1;
	}
	code = select_check_as(who, &want);
	if (!code)
		code = match_all(who, c, &want, ret);
	matched = !conf->n || ret->n;
	if (!code && ret->n)
		code = select_check_excludes(who, c, &want);
	if (!code)
		code = filter(who, &want, ret);
	if (code)
		return code;
	if (!ret->n) {
		fprintf(stderr, "%s: nothing is selected", who);
		if (matched)
			select_say_filters(&want);
		fputc('\n', stderr);
		return EXIT_NOTHING;
	}
	qsort(ret->at, ret->n, sizeof(*ret->at), select_by_id);
	return 0;
}
