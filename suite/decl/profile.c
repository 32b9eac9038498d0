/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/profile.c -- the profiles of UET and their capabilities.
 *
 * "Each UET profile defines the packet delivery modes and congestion management
 * that it has" (3.5.3).
 */
#include "suite/decl/profile.h"

#include <string.h>

#include "suite/decl/capability.h"
#include "suite/decl/decl.h"

#define BASE_CLAIMS "rud", "rod", "uud", "send", "write", "read"

static const struct profile profiles[] = {
	{"ai_base", {BASE_CLAIMS}},
	{"ai_full", {BASE_CLAIMS, "send.tagged", "send.deferrable", "atomic"}},
	{"hpc", {BASE_CLAIMS, "send.tagged", "send.deferrable", "atomic"}},
};

#define PROFILES (sizeof(profiles) / sizeof(profiles[0]))

const struct profile *profile_find(const char *name, size_t len)
{
	for (size_t i = 0; i < PROFILES; i++)
		if (strlen(profiles[i].name) == len &&
		    !memcmp(profiles[i].name, name, len))
			return &profiles[i];
	return NULL;
}

void profile_list(struct text *t)
{
	for (size_t i = 0; i < PROFILES; i++)
		text_printf(t, "%s%s", i ? ", " : "", profiles[i].name);
}

void profile_lacks(struct text *t, const struct decl *d)
{
	const char *blank = "";

	if (!d->profile)
		return;
	for (const char *const *c = d->profile->claims; *c; c++) {
		if (decl_claims(d, *c))
			continue;
		text_printf(t, "%s%s", blank, *c);
		blank = " ";
	}
}
