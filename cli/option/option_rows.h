/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/option_rows.h -- single rows that several commands share; each
 * takes the struct and the member that it fills in.
 */
#ifndef CLI_OPTION_OPTION_ROWS_H
#define CLI_OPTION_OPTION_ROWS_H

#include "cli/option/option.h"

/* clang-format off */
#define OPTION_ROW_COLOUR(type, member)                              \
	{0, "color", "WHEN",                                         \
	 "colour the output: auto (default), always or never",       \
	 OPTION_CHOICE(type, member, "auto always never"),           \
	 .also = "colour"}
#define OPTION_ROW_CASES(type, member)                               \
	{0, "cases", "DIR",                                          \
	 "read the cases below DIR, not the built-in ones",          \
	 OPTION_FILE(type, member)}
#define OPTION_ROW_SEED(type, member)                                \
	{0, "seed", "N",                                             \
	 "the seed of everything that is drawn at random (default 1)", \
	 OPTION_NUMBER(type, member, 0, UINT64_MAX)}
#define OPTION_ONE_DEVICE                                            \
	"one device plays; join the names with '+', as in --variant "    \
	"NAME+NAME"
#define OPTION_ROW_MUTANT(type, member)                              \
	{0, "mutant", "NAME",                                        \
	 "use this mutant or these variants (NAME+NAME) of the "         \
	 "reference (docs/mutants.md)", \
	 OPTION_TEXT(type, member), .also = "variant",               \
	 .once = OPTION_ONE_DEVICE}
#define OPTION_ROW_JSON(type, member)                                \
	{0, "json", NULL, "print JSON", OPTION_FLAG(type, member)}
#define OPTION_ROW_QUIET(type, member)                               \
	{'q', "quiet", NULL, "show no progress", OPTION_FLAG(type, member)}
#define OPTION_ROW_STRICT(type, member)                              \
	{0, "strict", NULL, "count remarks as failures",             \
	 OPTION_FLAG(type, member)}
/* clang-format on */

#endif
