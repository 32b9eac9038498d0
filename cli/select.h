/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/select.h -- selects cases, and the chairs of the device in them.
 *
 * A selector is an id ("uet/rud/send-gtd" for both chairs, with "@target" for
 * one), a folder ("uet/rud"), a glob over ids ('*' also matches '/', '?'
 * matches one character), or the path of a .lad file, with or without a
 * chair.  A path selects all cases of the file; with ":drop" only its section
 * of that name, with ":plain" its plain case.
 */
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cases.h"
#include "cli/option/option.h"

/* A case in a chair. */
struct pick {
	const struct test_case *test_case;
	enum chair chair;
};

struct selection {
	struct pick *at; /* in the order of ids, target first */
	size_t n, size;
	size_t before; /* number of picks of earlier selectors */
};

#define SELECT_EXCLUDES 32 /* most --exclude */

struct select_conf {
	char *const *selectors; /* none: all cases */
	size_t n;
	const char *as;  /* id for the .lad file that is named, or NULL */
	const char *req; /* only cases that cover "RUD-SEQ-76" or ".../dst" */
	/* only cases that cite this clause or a part of it */
	const char *clause;
	const char *keyword; /* only cases whose id contains this text */
	/* without the cases that one of these selectors matches */
	const char *excludes[SELECT_EXCLUDES];
	size_t nexcludes;
	bool smoke; /* only cases with the word smoke */
};

/* The rows of SELECTOR and of the filters, for a struct select_conf. */
extern const struct option_row select_rows[];

/*
 * select_keeps returns true if the filters of a struct select_conf, |ctx|,
 * accept a chair of the case; for use as corpus_want.runs.
 */
bool select_keeps(void *ctx, const struct test_case *k);

/*
 * select_cases fills *ret; it reads .lad files that are named into |c|.  Error
 * messages on stderr begin with |who| ("rung run").
 * Return: 0; EXIT_USAGE, EXIT_NOTHING (nothing matches at all), EXIT_HARNESS.
 * Owner:  selection_free, also after a failure.
 */
int select_cases(const char *who, struct corpus *c,
		 const struct select_conf *conf, struct selection *ret);
void selection_free(struct selection *p);

/*
 * select_no_req says that no requirement has the name, and which one has a
 * similar one.  Return: EXIT_USAGE.
 */
int select_no_req(const char *who, const char *name);

/* pick_id writes "uet/rud/send-gtd@target". */
void pick_id(const struct pick *p, char *buf, size_t size);

/*
 * step_reqs_each calls |fn| for every requirement that a line of the chair
 * names.  It stops and returns true when |fn| returns true.
 */
bool step_reqs_each(const struct test_case *k, enum chair chair,
		    bool (*fn)(void *ctx, const struct req_ref *ref),
		    void *ctx);

/*
 * chair_covers returns true if a case in a chair tests a requirement in a role:
 * a line of the chair names it, or the head covers it and it obliges the
 * chair's role. REQ_BOTH: either role.
 */
bool chair_covers(const struct test_case *k, enum chair chair, enum req_id id,
		  enum req_role role);

/*
 * chair_roles stores for each requirement the roles in which chair_covers()
 * returns true.
 */
void chair_roles(const struct test_case *k, enum chair chair,
		 uint8_t ret[static REQ_COUNT]);

/* chair_role returns the role of the device: the target is the destination. */
enum req_role chair_role(enum chair chair);

#endif
