/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/select.h -- which cases, in which chair of the device.
 *
 * A selector is an id ("uet/rud/send-gtd", both chairs of it; with "@target"
 * one), a folder ("uet/rud"), a glob over ids ('*' crosses '/', '?' is one
 * character), or the path of a .lad file, again with or without a chair: all
 * cases of that file, with
 * ":drop" its section of that name, with ":plain" its plain case.
 */
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cases.h"
#include "cli/option/option.h"

/* A case in a chair: one test. */
struct pick {
	const struct test_case *test_case;
	enum chair chair;
};

struct selection {
	struct pick *at; /* in the order of ids, target first */
	size_t n, size;
	size_t before; /* those that earlier selectors picked */
};

struct select_conf {
	char *const *selectors; /* none: all */
	size_t n;
	const char *as;  /* id of the .lad file that is named; or NULL */
	const char *req; /* only those that cover "RUD-SEQ-76" or ".../dst" */
	const char *clause;  /* only those that cite it or a part of it */
	const char *keyword; /* only those whose id contains it */
	const char *exclude; /* without those that this selector means */
	bool smoke;          /* only those that say so */
};

/* The rows of SELECTOR and of the filters, for a struct select_conf. */
extern const struct option_row select_rows[];

/*
 * select_keeps says whether the filters of a struct select_conf, |ctx|, let a
 * chair of the case through; as corpus_want.runs.
 */
bool select_keeps(void *ctx, const struct test_case *k);

/*
 * select_cases fills *ret; it reads .lad files that are named into |c|.  What
 * is wrong is printed on stderr, after |who| ("rung run").
 * Return: 0; EXIT_USAGE, EXIT_NOTHING (nothing matches at all), EXIT_HARNESS.
 * Owner:  selection_free, also after a failure.
 */
int select_cases(const char *who, struct corpus *c,
		 const struct select_conf *conf, struct selection *ret);
void selection_free(struct selection *p);

/* pick_id writes "uet/rud/send-gtd@target". */
void pick_id(const struct pick *p, char *buf, size_t size);

/*
 * step_reqs_each calls |fn| for every requirement that a line of the chair
 * names; stops and returns true once |fn| does.
 */
bool step_reqs_each(const struct test_case *k, enum chair chair,
		    bool (*fn)(void *ctx, const struct req_ref *ref),
		    void *ctx);

/*
 * chair_covers says whether a case in a chair tests a requirement in a role: a
 * line of the chair names it, or the head covers it and the chair's role is
 * obliged.  REQ_BOTH asks for either role.
 */
bool chair_covers(const struct test_case *k, enum chair chair, enum req_id id,
		  enum req_role role);

/* chair_role is the role of the DUT: the target is the destination. */
enum req_role chair_role(enum chair chair);

#endif
