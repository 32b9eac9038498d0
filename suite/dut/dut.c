/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut.c -- code that all kinds of devices share.
 */
#include "suite/dut/dut.h"
#include "base/err.h"
#include "base/memory.h"
#include "oracle/oracle.h"

#include <string.h>

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

bool dut_has_verb(const struct dut *d, const char *verb)
{
	for (const char *p = d->verbs; *p;) {
		size_t same = 0;

		while (verb[same] && p[same] == verb[same])
			same++;
		p += same;
		if (!verb[same] && (!*p || *p == ' '))
			return true;
		while (*p && *p != ' ')
			p++;
		p += *p == ' ';
	}
	return false;
}
