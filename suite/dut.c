/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut.c -- what devices of any kind have in common.
 */
#include "suite/dut.h"

static const struct {
	const char *name, *text;
} doubts[] = {
#define ROW(id, name, text) [DOUBT_##id] = {name, text},
	DUT_DOUBTS(ROW)
#undef ROW
};

const char *dut_doubt_name(enum dut_doubt d)
{
	return doubts[d].name;
}

const char *dut_doubt_text(enum dut_doubt d)
{
	return doubts[d].text;
}
