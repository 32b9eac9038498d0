/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_options.c -- rung options: prints the commands and their options
 * as JSON, from which tools/manual.py makes man pages and completions.
 *
 * 'rung --help' does not list this command.
 */
#include <jansson.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/option_help.h"
#include "cli/option/option_read.h"

#define WHO "rung options"

/*
 * Returns the words that a shell offers for an argument; NULL if the option has
 * none.
 */
static const char *options_offer(const struct option_row *row)
{
	if (row->kind == OPTION_KIND_CASES)
		return "cases";
	if (row->kind == OPTION_KIND_OPERAND)
		return "file";
	if (!row->argument)
		return NULL;
	if (row->words)
		return "words";
	if (row->kind == OPTION_KIND_FILE || row->files)
		return "file";
	return "text";
}

static json_t *options_text(const char *s)
{
	if (s)
		return json_string(s);
	return json_null();
}

static json_t *options_row(const struct option_row *row)
{
	const char letter[2] = {row->letter, 0};

	return json_pack("{s:o,s:s,s:b,s:o,s:b,s:o,s:o,s:o,s:s}", "letter",
			 options_text(*letter ? letter : NULL), "name",
			 row->name, "operand", row->kind <= OPTION_KIND_CASES,
			 "argument", options_text(row->argument), "optional",
			 row->optional, "offer",
			 options_text(options_offer(row)), "words",
			 options_text(row->words), "also",
			 options_text(row->also), "help", row->help);
}

static json_t *options_groups(const struct command *c)
{
	json_t *groups = json_array();

	for (const struct option_group *g = c->groups; g->rows; g++) {
		json_t *rows = json_array();

		for (const struct option_row *r = g->rows; r->kind; r++)
			json_array_append_new(rows, options_row(r));
		json_array_append_new(groups, json_pack("{s:o,s:o}", "title",
							options_text(g->title),
							"rows", rows));
	}
	return groups;
}

static json_t *options_command(const struct command *c)
{
	return json_pack("{s:s,s:s,s:s,s:s,s:o,s:o}", "name", c->name, "what",
			 c->what, "usage", c->usage, "about", c->about, "exits",
			 options_text(c->exits), "groups", options_groups(c));
}

static int cmd_options(int argc, char **argv)
{
	struct operands none;
	json_t *all;
	int code;

	code = option_read(&command_options, argc, argv, NULL, &none);
	if (code >= 0)
		return code;
	all = json_array();
	for (const struct command *const *c = commands; *c; c++)
		if ((*c)->what)
			json_array_append_new(all, options_command(*c));
	return cli_put_json(WHO, json_pack("{s:s,s:o,s:o}", "schema",
					   "rung.options/1", "help",
					   options_row(&option_help_row),
					   "commands", all));
}

static const struct option_group options_no_groups[] = {OPTION_GROUPS_END};

const struct command command_options = {
	.name = "options",
	.usage = "",
	.about = "Prints the commands and their options as JSON. Man pages and "
		 "completions are made from it.",
	.groups = options_no_groups,
	.no_operands = true,
	.run = cmd_options,
};
