/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/profile.h -- the profiles of UET, and the capabilities that each
 * makes mandatory.
 *
 * The overview that defines the profiles is not among the sources of this tree.
 * The capabilities are those that public texts name (docs/declaration.md).
 */
#ifndef SUITE_DECL_PROFILE_H
#define SUITE_DECL_PROFILE_H

#include <stddef.h>

#include "base/text.h"

struct decl;

#define PROFILE_CLAIMS 12

struct profile {
	const char *name;
	/* words of "claims", up to NULL */
	const char *claims[PROFILE_CLAIMS];
};

/* profile_find returns the profile of that name, or NULL. */
const struct profile *profile_find(const char *name, size_t len);

/* profile_list appends the names, separated by commas. */
void profile_list(struct text *t);

/*
 * profile_lacks appends the capabilities that the declared profile makes
 * mandatory and the device does not claim, separated by blanks.  It appends
 * nothing without a profile.
 */
void profile_lacks(struct text *t, const struct decl *d);

#endif
