/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/conditions.c -- the names and reasons of the table of conditions.
 */
#include "judge/fast/conditions.h"

#define BOTH(kinds, stage, name, test, why)             ROW(name, why)
#define EACH(kinds, stage, name, fast, full, why)       ROW(name, why)
#define FAST(kinds, stage, name, test, why)             ROW(name, why)
#define FULL(kinds, stage, name, test, why)             ROW(name, why)
#define LINK(kinds, name, where, test, why)             ROW(name, why)
#define KEY(kinds, name, bits, value, what)             ROW(name, what)
#define LINK_KEY(kinds, name, bits, where, value, what) ROW(name, what)
#define ROW(name, why)                                  [COND_##name] = {#name, why},

static const struct {
	const char *name, *why;
} condition_rows[COND_COUNT] = {
	[COND_NONE] = {"NONE", "The packet meets all conditions."},
#include "judge/fast/conditions.def"
};

const char *condition_name(enum condition c)
{
	return condition_rows[c].name;
}

const char *condition_reason(enum condition c)
{
	return condition_rows[c].why;
}
