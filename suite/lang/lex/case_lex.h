/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/lex/case_lex.h -- lines and words of the text files that rung
 * reads: cases, declarations, rules.
 *
 * A line ends at LF or CRLF, '#' at its start or after a blank begins a
 * comment, blank lines do not count, words are separated by blanks.  A line
 * that begins with '|', '[' or "..." continues the line above it, without the
 * dots. case_rung.c, case_step.c and decl_parse.c interpret the words.
 */
#ifndef SUITE_LANG_LEX_CASE_LEX_H
#define SUITE_LANG_LEX_CASE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vtime.h"
#include "base/word.h"
#include "suite/lang/case.h"

#define LEX_PIECES_MAX 8

/* One line of the file in a line that is continued. */
struct lex_piece {
	const char *at;      /* The text lies here in the joined line. */
	const char *written; /* It begins here in the file. */
	const char *source;  /* The line of the file begins here. */
	unsigned line;
};

struct lex {
	struct arena *arena;
	struct diag *diag;
	const char *file;
	const char *at, *end; /* the text not yet read */
	unsigned line;      /* number of the current line; of its first piece if
			       joined */
	unsigned last_line; /* number of the last line read */
	const char *source; /* start of the current line */
	const char *p, *eol; /* unread rest of it, without the comment */
	struct lex_piece
		pieces[LEX_PIECES_MAX]; /* the pieces of a joined line */
	unsigned npieces;               /* 0: a single line of the file */
};

/* A word, lent from the text and not NUL-terminated. */
struct word {
	const char *s;
	size_t len;
};

/* Arguments for "%.*s": a word in a message is truncated to 40 bytes. */
#define WORD(w) (int)((w).len > 40 ? 40 : (w).len), (w).s

/*
 * lex_open starts at the beginning of a text.
 *
 * Shape:  text[len] is 0; any bytes before it are allowed.
 */
void lex_open(struct lex *l, struct arena *arena, struct diag *diag,
	      const char *file, const char *text, size_t len);

/*
 * lex_line moves to the next line that is not blank, and joins it with its
 * continuation lines: the current line is then a copy, with a blank between two
 * pieces.
 * Return: 1, 0 at the end; ERR_SYNTAX for a control character and for a line
 *         that is continued too often; ERR_NOMEM.
 */
int lex_line(struct lex *l);

/*
 * lex_plain_line finds the text of the next line of the file, from its first
 * word to its end, without moving to it.
 * Return: false: it is not indented, blank, continued, or the last one.
 */
bool lex_plain_line(const struct lex *l, struct word *ret);

/* lex_pass_line moves behind the line whose text lex_plain_line() found. */
void lex_pass_line(struct lex *l, struct word text);

/* lex_indented returns whether the current line begins with a blank. */
bool lex_indented(const struct lex *l);

/* lex_word takes the next word of the line; false if there is none. */
bool lex_word(struct lex *l, struct word *ret);

/* lex_peek returns the next word without taking it. */
bool lex_peek(struct lex *l, struct word *ret);

/* lex_take takes the next word if it is |s|. */
bool lex_take(struct lex *l, const char *s);

/* lex_rest takes the rest of the line, blanks trimmed. */
struct word lex_rest(struct lex *l);

static inline bool word_is(struct word w, const char *s)
{
	return word_equal(s, w.s, w.len);
}

/* word_is_number returns true if the word begins with a digit. */
bool word_is_number(struct word w);

/*
 * lex_error fills the diag; |at| points into the current line and gives the
 * column, NULL means where the next word would be.
 * Return: ERR_SYNTAX.
 */
__attribute__((format(printf, 3, 4))) int
lex_error(struct lex *l, const char *at, const char *fmt, ...);

/* lex_done reports an error unless the line is at its end. */
int lex_done(struct lex *l);

/* lex_copy returns the word as a string on the arena; NULL without memory. */
char *lex_copy(struct lex *l, struct word w);

/*
 * lex_range splits a word LO..HI in two; both halves of another word are the
 * word itself.
 */
void lex_range(struct word w, struct word *lo, struct word *hi);

/*
 * lex_u64 reads a decimal or 0x number, all of the word.
 * Return: 0, ERR_VALUE if it is no number, ERR_SPACE if it is above |max|.
 */
int lex_u64(struct word w, uint64_t max, uint64_t *ret);

/*
 * lex_count takes the next word as a number min..max; messages call it |what|.
 * Errors: ERR_SYNTAX.
 */
int lex_count(struct lex *l, const char *what, uint32_t min, uint32_t max,
	      uint32_t *ret);

/*
 * lex_span takes a span: "10ms", "rto", "1.5 rto".
 * Errors: ERR_SYNTAX.
 */
int lex_span(struct lex *l, struct span *ret);

/* lex_span_word returns the n-th declared time, "rto"; NULL at the end. */
const char *lex_span_word(size_t n);

/* word_span reads a span that is one word: "2ms", "3rto", "rto+ack_time". */
bool word_span(struct word w, struct span *ret);

/* span_print appends a span as lex_span reads it. */
void span_print(struct text *t, const struct span *s);

/* span_print_word appends it as word_span reads it: without a blank. */
void span_print_word(struct text *t, const struct span *s);

/*
 * Suggestions for a misspelt word.  Start with near_init, offer candidates,
 * print near_hint: "; did you mean 'psn'?", or "" if no candidate is similar.
 */
struct near {
	struct word word;
	const char *best;
	unsigned distance;
	char kept[64]; /* copy made by near_offer_copy */
	char hint[96];
};

void near_init(struct near *n, struct word w);
void near_offer(struct near *n, const char *candidate);
/* near_offer_copy offers a candidate that the caller may free. */
void near_offer_copy(struct near *n, const char *candidate);
const char *near_hint(struct near *n);

/* near_list returns the hint for a NULL-terminated list. */
const char *near_list(struct near *n, struct word w, const char *const *list);

#endif
