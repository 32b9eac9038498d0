/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_parse.h -- what the parts of the case parser share.
 *
 *	case_lex.c    lines, words, numbers, spans
 *	case_number.c numbers and symbols
 *	case_rung.c   a packet: words and terms
 *	case_param.c  post, respond and report lines
 *	case_words.c  their words
 *	case_impair.c impairments
 *	case_step.c   a line below a chair, and groups of them
 *	case_parse.c  the head, chairs, fragments, lint
 */
#ifndef SUITE_LANG_CASE_PARSE_H
#define SUITE_LANG_CASE_PARSE_H

#include "suite/lang/case.h"
#include "suite/lang/case_lex.h"

#define USE_DEPTH   4 /* fragments in fragments */
#define GROUP_DEPTH 4 /* groups in groups */

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
	const char *need; /* of the fragment's chair: a capability, or NULL */
};

/* Steps in a row, under construction. */
struct step_list {
	struct step *first, *last;
};

/* The use of a rung, which decides what it may contain. */
enum rung_use {
	RUNG_SEND,   /* plain values; psn=$x binds */
	RUNG_EXPECT, /* patterns; the first use of a symbol binds it */
	RUNG_MATCH,  /* patterns over many packets; nothing is bound */
};

/*
 * parse_rung reads a rung up to the first modifier or the line's end.
 * Errors: ERR_SYNTAX, ERR_NOMEM.
 */
int parse_rung(struct parse *p, enum rung_use use, struct rung *ret);

/*
 * parse_ses reads the SES side of a packet to send, "| std ... | data 64", as
 * the PDS profile hands it over; |ret->type| says what carries it.
 */
int parse_ses(struct parse *p, struct rung *ret);

#define PDC_NAME_MAX 15

/* parse_is_pdc says whether a word is "pdc=...", parse_pdc reads its name. */
bool parse_is_pdc(struct word w);
int parse_pdc(struct parse *p, struct word w, const char **ret);

/* parse_modifier says whether a word begins the modifiers of a line. */
bool parse_modifier(struct word w);

/*
 * parse_corrupt reads "field=value" or "field" of a packet like |r|, for the
 * corrupt impairment; the bare name comes out as TERM_ANY.
 */
int parse_corrupt(struct parse *p, const struct rung *r, struct word w,
		  struct term *ret);

/* parse_impair reads an impairment behind its first word. */
int parse_impair(struct parse *p, struct step *s);

/* parse_is_which says whether a word tells which packets one means: nth=2. */
bool parse_is_which(struct word w);

/* outer_any says whether anything is set; outer_print writes it. */
bool outer_any(const struct outer *o);
void outer_print(struct text *t, const struct outer *o);

/*
 * parse_number reads 333, 0x1f, $p, $p+1; with |f| also the names of an
 * enumerated field.  |f| NULL: 64 bits, |psn|: 32 bits.
 * |binds|: a symbol that is not bound yet is bound by this.
 */
int parse_number(struct parse *p, struct word w, const struct field *f,
		 bool psn, bool binds, struct number *ret);

/* parse_is_declared returns whether a symbol is a number of the declaration. */
bool parse_is_declared(const char *name);

/* parse_bind gives a symbol a value; |name| lives on the arena. */
int parse_bind(struct parse *p, const char *name);

/* parse_line reads the current line, groups and fragments with all of theirs.
 */
int parse_line(struct parse *p, struct step_list *list);

/*
 * parse_use reads the fragment |name| and appends its steps of this chair.
 * (case_parse.c; parse_line calls it.)
 */
int parse_use(struct parse *p, struct word name, struct step_list *list);

/* parse_req reads "RUD-SEQ-76" or "RUD-SEQ-76/dst"; |chair|: whose role is
 * meant when none is written, CHAIR_COUNT: the row's own. */
int parse_req(struct parse *p, struct word w, enum chair chair,
	      struct req_ref *ret);

/* parse_grow makes room for one more in an array of |n|; NULL: no memory. */
void *parse_grow(struct parse *p, void *old, size_t n, size_t size);

/* parse_copy copies an array to the arena; NULL: no memory. */
void *parse_copy(struct parse *p, const void *from, size_t n, size_t size);

/* A key of post, respond and report lines. */
struct param_key {
	const char *name;
	enum {
		KEY_NUMBER,
		KEY_PSN,
		KEY_NAME,
		KEY_WORD,
		KEY_SPAN,
		KEY_SETTING, /* a number, or a span for a time in ns */
		KEY_RESULT
	} kind;
	const struct value_name *names; /* KEY_NAME */
	const char *const *words;       /* KEY_WORD */
};

/*
 * Lines of the SES side (case_param.c): a verb and its parameters.
 */
int parse_post(struct parse *p, struct step *s);
int parse_configure(struct parse *p, struct step *s);
int parse_respond(struct parse *p, struct step *s);
int parse_report(struct parse *p, struct step *s);

/* parse_times reads "3" or "1..4" after an x; the upper end is not below
 * |least|. */
int parse_times(struct parse *p, uint32_t least, struct step *s);

/* Tables of case_words.c: verbs and keys; arrays end with a NULL name. */
extern const char *const post_verbs[];
extern const char *const respond_verbs[];
extern const struct param_key post_keys[];
extern const struct param_key configure_keys[];
extern const struct param_key respond_keys[];
extern const struct param_key report_keys[];

/* Tables of case_rung.c, with a NULL behind the last. */
extern const char *const ses_words[];
extern const char *const body_words[];
extern const char *const modifier_words[];

/* parse_line_word returns the word of the n-th kind of line, NULL at the end.
 */
const char *parse_line_word(size_t n);

/* parse_which_word likewise returns a word on which packets: "nth=". */
const char *parse_which_word(size_t n);

/* parse_head_word likewise returns the word of a head line. */
const char *parse_head_word(size_t n);

/* report_words[kind] is the word of a report line. */
extern const char *const report_words[];

#endif
