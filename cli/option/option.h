/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/option.h -- the options of a command as a table.
 *
 * One row describes one option.  The parser, --help, the man page and the
 * completions of the shells all read the rows.  Rows that several commands
 * share form a group; the command gives the offset of the group's target in its
 * own struct:
 *
 *	static const struct option_row rows[] = {
 *              {'q', "quiet", NULL, "print no progress",
 *               OPTION_FLAG(struct gen, quiet)},
 *              OPTION_END};
 *	static const struct option_group groups[] = {
 *              {NULL, select_options, offsetof(struct gen, select)},
 *              {NULL, rows, 0},
 *              OPTION_GROUPS_END};
 *
 * Every command has -h, --help without a row.
 */
#ifndef CLI_OPTION_OPTION_H
#define CLI_OPTION_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"

enum option_kind {
	OPTION_KIND_END,     /* ends the rows */
	OPTION_KIND_OPERAND, /* an operand: the name of a file */
	OPTION_KIND_CASES,   /* an operand: the id or the .lad file of a case */
	OPTION_KIND_SET,     /* a bool becomes true */
	OPTION_KIND_CLEAR,   /* a bool becomes false */
	OPTION_KIND_TEXT,    /* the argument as it is; lent by argv */
	OPTION_KIND_FILE,    /* a text that names a file or folder */
	OPTION_KIND_NUMBER,  /* a number between two limits */
	OPTION_KIND_TIME,    /* "10", "10s", "500ms" */
	OPTION_KIND_CHOICE,  /* the index of one of |words| */
	OPTION_KIND_CALL,    /* |take| reads the argument */
};

/*
 * option_take_fn reads an argument into the target of the group.
 * Return: 0, or an exit code after a message that begins with |who|.
 */
typedef int option_take_fn(const char *who, void *target, const char *value);

struct option_row {
	char letter;          /* the short form; 0: none */
	const char *name;     /* without the two hyphens */
	const char *argument; /* its name in --help; NULL: no argument */
	/*
	 * The text of --help.  A line break is kept.  If a line has two
	 * adjacent blanks, the text after them is a separate column.
	 */
	const char *help;
	enum option_kind kind;
	bool files;    /* of a call: the argument is a file name */
	bool optional; /* the argument may be missing: --name[=ARGUMENT] */
	/*
	 * why a second value of the member is refused, of this option or of
	 * another one; NULL: the last one counts
	 */
	const char *once;
	size_t at;   /* offset of the member in the target of the group */
	size_t size; /* size of the member in bytes, for numbers and choices */
	/* offset of a bool that is set if the option is given; 0: none */
	size_t given;
	uint64_t min, max; /* of a number */
	/* the choices; for other kinds, words that a shell offers */
	const char *words;
	const char *also; /* another spelling of the name, not in --help */
	option_take_fn *take;
};

/* These fill in the rest of a row and check the type of the member. */
#define OPTION_MEMBER(type, member, expected) \
	.at = _Generic(((type *)0)->member, expected : offsetof(type, member))
#define OPTION_SIZE(type, member)                                    \
	.at = offsetof(type, member),                                \
	.size = _Generic(((type *)0)->member, bool : 1, uint8_t : 1, \
			 uint16_t : 2, uint32_t : 4, uint64_t : 8)
#define OPTION_FLAG(type, member) \
	.kind = OPTION_KIND_SET, OPTION_MEMBER(type, member, bool)
#define OPTION_CLEAR(type, member) \
	.kind = OPTION_KIND_CLEAR, OPTION_MEMBER(type, member, bool)
#define OPTION_TEXT(type, member) \
	.kind = OPTION_KIND_TEXT, OPTION_MEMBER(type, member, const char *)
#define OPTION_FILE(type, member) \
	.kind = OPTION_KIND_FILE, OPTION_MEMBER(type, member, const char *)
#define OPTION_TIME(type, member) \
	.kind = OPTION_KIND_TIME, OPTION_MEMBER(type, member, vspan)
#define OPTION_NUMBER(type, member, least, most)                   \
	.kind = OPTION_KIND_NUMBER, .min = (least), .max = (most), \
	OPTION_SIZE(type, member)
#define OPTION_CHOICE(type, member, choices)            \
	.kind = OPTION_KIND_CHOICE, .words = (choices), \
	OPTION_SIZE(type, member)
#define OPTION_CALL(fn) .kind = OPTION_KIND_CALL, .take = (fn)
#define OPTION_GIVEN(type, member) \
	.given = _Generic(((type *)0)->member, bool : offsetof(type, member))
#define OPTION_END \
	{          \
		0  \
	}

struct option_group {
	const char *title; /* printed above the rows in --help; NULL: none */
	const struct option_row *rows;
	/* offset of the rows' target in the target of the command */
	size_t base;
};

#define OPTION_GROUPS_END     \
	{                     \
		NULL, NULL, 0 \
	}

/* A sub-command. */
struct command {
	const char *name;
	const char *what;  /* its line in 'rung --help'; NULL: not listed */
	const char *usage; /* its arguments; one line for each form */
	const char *about; /* paragraphs of --help, separated by blank lines */
	const struct option_group *groups; /* the last group has no rows */
	/* its exit codes, if they need an explanation; or NULL */
	const char *exits;
	bool no_operands; /* arguments that are no options are an error */
	int (*run)(int argc, char **argv); /* argv[0] is "rung NAME" */
};

#endif
