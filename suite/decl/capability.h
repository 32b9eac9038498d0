/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/capability.h -- the capabilities that a device claims, and those
 * derived from its numbers.
 */
#ifndef SUITE_DECL_CAPABILITY_H
#define SUITE_DECL_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/req.h"

struct decl;

/* A word of "claims" and "needs".  The table ends with a NULL word. */
struct capability {
	const char *word;
	const char *text; /* a sentence: what the device can do */
};
extern const struct capability decl_capabilities[];

/* decl_claims returns whether the device claims a capability. */
bool decl_claims(const struct decl *d, const char *capability);

/*
 * decl_promises returns whether monitors may judge the device by a row.  They
 * may not if the row belongs to a capability that the device does not claim.
 */
bool decl_promises(const struct decl *d, enum req_id id);

/*
 * decl_derived returns whether a capability follows from a number ("mtu.1024")
 * and therefore cannot be claimed.
 */
bool decl_derived(const char *word);

/*
 * decl_capability returns whether |word| is a capability, claimed or derived
 * (for "needs").
 */
bool decl_capability(const char *word, size_t len);

#endif
