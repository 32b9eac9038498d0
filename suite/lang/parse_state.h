/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/parse_state.h -- the state of the parser of one case.
 */
#ifndef SUITE_LANG_PARSE_STATE_H
#define SUITE_LANG_PARSE_STATE_H

#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"

#define USE_DEPTH   4 /* nesting limit of fragments */
#define GROUP_DEPTH 4 /* nesting limit of groups */
#define ERRORS_MAX  8 /* errors of one case that are reported */

/* A list of steps under construction. */
struct step_list {
	struct step *first, *last;
};

struct symbol {
	const char *name;
	const struct symbol *next;
};

/* The different symbols that a line names. */
#define NAMED_MAX  6
#define SYMBOL_MAX 40

struct symbol_names {
	unsigned n;
	bool full; /* there were more */
	char name[NAMED_MAX][SYMBOL_MAX + 1];
};

#define PLACES_MAX 24

/* A number that the parser read, and what parse_number() was told about it. */
struct number_place {
	const char *text;
	size_t len;
	const struct field *field;
	bool psn, binds;
};

/* The numbers of a line, in the order in which they are parsed. */
struct number_places {
	struct number_place at[PLACES_MAX];
	unsigned n;
	bool full; /* there were more */
};

struct line_cache;

struct parse {
	struct lex *lex; /* lexer of the current file */
	struct arena *arena;
	enum chair chair;
	const struct symbol *symbols; /* the symbols bound so far */
	bool loose;      /* a rung outside a case: all symbols count as bound */
	unsigned groups; /* groups that are open, or were at an error */
	unsigned expecting; /* lines so far that can fail */
	case_fragment_fn *fragment;
	void *fragment_ctx;
	const char *used[USE_DEPTH]; /* open fragments */
	unsigned uses;
	/* Reads the fragment |name| and appends its steps of this chair. */
	int (*use)(struct parse *p, struct word name, struct step_list *list);
	const char *value; /* of the "for" line, to parse; NULL: the first */
	unsigned each;     /* in a group "each packet of" */
	const char *need;  /* the capability of the fragment's chair, or NULL */
	struct line_cache *lines;     /* parsed before, or NULL */
	struct number_places *places; /* of this line; may be NULL */
	struct symbol_names *names;   /* of this line; may be NULL */
	struct diag *first;           /* the first error; NULL: none so far */
	struct diag later;            /* lex->diag behind the first error */
	unsigned errors;              /* errors of syntax so far */
};

/* The use of a rung, which decides what it may contain. */
enum rung_use {
	RUNG_SEND,   /* plain values; psn=$x binds */
	RUNG_EXPECT, /* patterns; a symbol's first use binds it */
	RUNG_MATCH,  /* patterns over many packets; no symbol is bound */
};

#endif
