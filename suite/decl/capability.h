/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/capability.h -- what a device claims, and what follows from its
 * numbers.
 */
#ifndef SUITE_DECL_CAPABILITY_H
#define SUITE_DECL_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/req.h"

struct decl;

/* Every word that "claims" and "needs" know; ends with a NULL word. */
struct capability {
	const char *word;
	const char *text; /* what the device can do, a sentence */
};
extern const struct capability decl_capabilities[];

/* decl_claims says whether the device claims a capability. */
bool decl_claims(const struct decl *d, const char *capability);

/*
 * decl_promises says whether the monitors may judge the device by a row: not by
 * one that it has to claim and does not.
 */
bool decl_promises(const struct decl *d, enum req_id id);

/*
 * decl_derived says whether a capability is none to be claimed: "mtu.1024"
 * follows from the MTU.
 */
bool decl_derived(const char *word);

/* decl_capability says whether such a word exists at all (for "needs"). */
bool decl_capability(const char *word, size_t len);

#endif
