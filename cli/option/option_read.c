/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/option_read.c -- reads a command line by the rows of a command.
 *
 * getopt_long() splits the command line, with abbreviations, operands between
 * options and "--".  It prints the messages about unknown, ambiguous and
 * incomplete options; this file prints those about arguments.
 */
#include "cli/option/option_read.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/option/option_help.h"

#define OPTIONS_MAX 96   /* of a command, other spellings included */
#define FIRST       1000 /* getopt's number of the first option */

/* Options in the form of getopt_long(), each with its row. */
struct option_table {
	struct option longs[OPTIONS_MAX + 1];
	const struct option_row *rows[OPTIONS_MAX];
	size_t base[OPTIONS_MAX];
	int n;
	char letters[2 * OPTIONS_MAX + 2];
};

static int option_has_argument(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	if (row->optional)
		return optional_argument;
	return required_argument;
}

static void option_add_name(struct option_table *t,
			    const struct option_row *row, const char *name,
			    int val)
{
	t->longs[t->n++] = (struct option){
		.name = name,
		.has_arg = option_has_argument(row),
		.val = val,
	};
}

static void option_add(struct option_table *t, const struct option_row *row,
		       size_t base)
{
	char *letters = t->letters + strlen(t->letters);
	const int val = FIRST + t->n;

	if (t->n + 2 > OPTIONS_MAX)
		return;
	if (row->letter) {
		*letters++ = row->letter;
		if (row->argument)
			*letters = ':';
	}
	t->rows[t->n] = row;
	t->base[t->n] = base;
	option_add_name(t, row, row->name, val);
	/*
	 * Both names have the same number, so that a common abbreviation is not
	 * ambiguous.
	 */
	if (row->also)
		option_add_name(t, row, row->also, val);
}

static void option_table_fill(struct option_table *t, const struct command *c)
{
	for (const struct option_group *g = c->groups; g->rows; g++)
		for (const struct option_row *r = g->rows; r->kind; r++)
			if (r->kind > OPTION_KIND_CASES)
				option_add(t, r, g->base);
	option_add(t, &option_help_row, 0);
}

/* Finds what getopt_long() returned: a letter, or the number of a name. */
static int option_find(const struct option_table *t, int o)
{
	if (o >= FIRST)
		return o - FIRST;
	for (int i = 0; i < t->n; i++)
		if (t->rows[i] && t->rows[i]->letter == o)
			return i;
	return -1;
}

/* ---- Arguments ---- */

static void option_store(void *to, size_t size, uint64_t n)
{
	const uint8_t n8 = (uint8_t)n;
	const uint16_t n16 = (uint16_t)n;
	const uint32_t n32 = (uint32_t)n;

	switch (size) {
	case 1:
		memcpy(to, &n8, size);
		return;
	case 2:
		memcpy(to, &n16, size);
		return;
	case 4:
		memcpy(to, &n32, size);
		return;
	default:
		memcpy(to, &n, sizeof(n));
	}
}

static int option_number(const char *who, const struct option_row *row,
			 void *to, const char *value)
{
	uint64_t n;

	if (cli_number(value, row->max, &n) && n >= row->min) {
		option_store(to, row->size, n);
		return 0;
	}
	if (row->max == UINT64_MAX)
		return cli_usage(who, "--%s is a number%s, not '%s'", row->name,
				 row->min ? " from 1" : "", value);
	return cli_usage(who,
			 "--%s is a number from %" PRIu64 " to %" PRIu64
			 ", not '%s'",
			 row->name, row->min, row->max, value);
}

static int option_time(const char *who, const struct option_row *row, vspan *to,
		       const char *value)
{
	if (cli_span(value, to))
		return 0;
	return cli_usage(who,
			 "--%s is a time such as 10, 10s, 500ms or 20us, not "
			 "'%s'",
			 row->name, value);
}

/* Writes "auto, always or never". */
static void option_print_words(struct text *t, const char *words)
{
	while (*words) {
		const size_t len = strcspn(words, " ");
		const char *rest = words + len + strspn(words + len, " ");
		const char *comma = strchr(rest, ' ') ? ", " : " or ";

		text_printf(t, "%.*s%s", (int)len, words, *rest ? comma : "");
		words = rest;
	}
}

static int option_choice(const char *who, const struct option_row *row,
			 void *to, const char *value)
{
	const char *word = row->words;
	struct text t = {0};
	int code;

	for (uint64_t i = 0; *word; i++) {
		const size_t len = strcspn(word, " ");

		if (len == strlen(value) && memcmp(word, value, len) == 0) {
			option_store(to, row->size, i);
			return 0;
		}
		word += len + strspn(word + len, " ");
	}
	option_print_words(&t, row->words);
	code = cli_usage(who, "--%s is %s, not '%s'", row->name, text_cstr(&t),
			 value);
	text_free(&t);
	return code;
}

/* Stores a text.  One that must not replace another one is refused. */
static int option_text(const char *who, const struct option_row *row,
		       const char **to, const char *value)
{
	if (row->once && *to)
		return cli_usage(who, "--%s %s after %s: %s", row->name, value,
				 *to, row->once);
	*to = value;
	return 0;
}

static int option_take(const char *who, const struct option_row *row,
		       char *target, const char *value)
{
	void *to = target + row->at;

	if (row->given)
		*(bool *)(void *)(target + row->given) = true;
	switch (row->kind) {
	case OPTION_KIND_SET:
	case OPTION_KIND_CLEAR:
		*(bool *)to = row->kind == OPTION_KIND_SET;
		return 0;
	case OPTION_KIND_TEXT:
	case OPTION_KIND_FILE:
		return option_text(who, row, to, value);
	case OPTION_KIND_NUMBER:
		return option_number(who, row, to, value);
	case OPTION_KIND_TIME:
		return option_time(who, row, to, value);
	case OPTION_KIND_CHOICE:
		return option_choice(who, row, to, value);
	default:
		return row->take(who, target, value);
	}
}

/* ---- The command line ---- */

static int option_print_help(const struct command *c)
{
	struct text t = {0};

	option_help(&t, c);
	return cli_put_text(c->name, &t);
}

int option_read(const struct command *c, int argc, char **argv, void *target,
		struct operands *ret)
{
	struct option_table t = {.n = 0};
	int o;

	option_table_fill(&t, c);
	optind = 0; /* GNU: starts again, also after another command line */
	while ((o = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1) {
		const int i = option_find(&t, o);
		int code;

		if (i < 0)
			return cli_try(argv[0]);
		if (t.rows[i] == &option_help_row)
			return option_print_help(c);
		code = option_take(argv[0], t.rows[i],
				   (char *)target + t.base[i], optarg);
		if (code)
			return code;
	}
	if (c->no_operands && optind < argc)
		return cli_usage(argv[0], "unexpected argument '%s'",
				 argv[optind]);
	*ret = (struct operands){.at = argv + optind,
				 .n = (size_t)(argc - optind)};
	return -1;
}

int operands_folder(const char *who, const struct operands *o, const char **ret)
{
	if (!o->n)
		return cli_usage(who, "a folder is missing");
	if (o->n > 1)
		return cli_usage(who, "only one folder");
	*ret = o->at[0];
	return -1;
}
