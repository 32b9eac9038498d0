/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/rules.h -- impairments as the chain takes them (gen/impair.h):
 *those of a case, and those of a file of rules for "rung bridge".
 *
 * A file of rules is text in the language of cases, an impairment on each line.
 * What comes in at the first port goes '>', what comes in at the second '<'.
 * There are no symbols, and a number is what it says.
 *
 *	drop    > rud_req psn=333 nth=1
 *	inject  < nack rod_ooo on > rod_req psn=5 nth=1
 *	mark_ce > any every=10 src=10.0.0.1
 */
#ifndef SUITE_CRAFT_RULES_H
#define SUITE_CRAFT_RULES_H

#include "base/diag.h"
#include "gen/impair.h"
#include "suite/decl/decl.h"
#include "suite/lang/case.h"

/*
 * rule_make fills in what the chain needs to know of an IMPAIR step; who runs
 * it adds the callbacks.
 */
void rule_make(const struct step *step, const struct decl *decl,
	       struct imp_rule *ret);

/* rule_outer says whether a datagram has around it what a step asks for. */
bool rule_outer(const struct outer *o, const struct dgram *d);

/*
 * rule_beyond_sockets says whether a step changes what the operating system
 * writes into the packets of a socket: addresses, the UDP length and checksum,
 * padding.
 */
bool rule_beyond_sockets(const struct step *step);

struct rules;

/*
 * rules_parse reads a file of rules.
 *
 * Shape:  |text| is |len| bytes; any bytes are allowed.
 * Owner:  the caller frees *ret with rules_free; it keeps copies.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 */
int rules_parse(struct rules **ret, const char *path, const char *text,
		size_t len, struct diag *diag);
void rules_free(struct rules *r);

/* rules_count and rules_at walk them; each step stands alone. */
size_t rules_count(const struct rules *r);
const struct step *rules_at(const struct rules *r, size_t n);

/*
 * rules_load puts all of them into a chain, in their order.  Rules that ask for
 * one value of a sequence number or an id are found by it, so that many cost no
 * more than one.  |r| and |decl| are lent to the chain.
 * Errors: ERR_NOMEM.
 */
int rules_load(struct rules *r, const struct decl *decl, struct imp *imp);

#endif
