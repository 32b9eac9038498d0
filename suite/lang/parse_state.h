/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/parse_state.h -- the state of the parser of one case.
 */
#ifndef SUITE_LANG_PARSE_STATE_H
#define SUITE_LANG_PARSE_STATE_H

#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"

#define USE_DEPTH   4 /* fragments in fragments */
#define GROUP_DEPTH 4 /* groups in groups */

/* Steps in a row, under construction. */
struct step_list {
	struct step *first, *last;
};

struct symbol {
	const char *name;
	const struct symbol *next;
};

struct parse {
	struct lex *lex; /* of the file that is being read */
	struct arena *arena;
	enum chair chair;
	const struct symbol *symbols; /* bound so far */
	bool loose;         /* a rung on its own: symbols come from elsewhere */
	unsigned groups;    /* open now */
	unsigned expecting; /* lines so far that can fail */
	case_fragment_fn *fragment;
	void *fragment_ctx;
	const char *used[USE_DEPTH]; /* open fragments */
	unsigned uses;
	/* Reads the fragment |name| and appends its steps of this chair. */
	int (*use)(struct parse *p, struct word name, struct step_list *list);
	const char *need; /* of the fragment's chair: a capability, or NULL */
};

/* The use of a rung, which decides what it may contain. */
enum rung_use {
	RUNG_SEND,   /* plain values; psn=$x binds */
	RUNG_EXPECT, /* patterns; the first use of a symbol binds it */
	RUNG_MATCH,  /* patterns over many packets; nothing is bound */
};

#endif
