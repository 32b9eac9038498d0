/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/transport.c -- looks up rows of the registry of the judge's families.
 */
#include "judge/transport.h"

#include <ctype.h>
#include <string.h>

const char *judge_flow_mode(const struct judge_flow *f)
{
	const struct judge_family *family = judge_families[f->family];

	return family->mode ? family->mode(f) : family_name(f->family);
}

bool judge_req_is_invariant(enum req_id req)
{
	const char *id = req_get(req)->id;

	return id[0] == 'I' && isdigit((unsigned char)id[1]);
}

static bool judge_family_has(const struct judge_family *family, const char *id)
{
	for (unsigned i = 0; i < JUDGE_PREFIXES && family->prefixes[i]; i++)
		if (strncmp(id, family->prefixes[i],
			    strlen(family->prefixes[i])) == 0)
			return true;
	return false;
}

enum family judge_req_family(enum req_id req)
{
	const char *id = req_get(req)->id;

	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (judge_family_has(judge_families[f], id))
			return (enum family)f;
	return MAIN_FAMILY;
}
