/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/rules.h -- converts impairment lines into rules of the chain
 * (gen/impair.h), for a case and for the rule files of "rung bridge".
 *
 * A rule file is text in the case language, one impairment a line. '>' is a
 * packet that arrives at the first port, '<' one that arrives at the second.
 * There are no symbols, and numbers are taken literally.
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
 * rule_make fills in the chain's description of an IMPAIR step; the caller adds
 * the callbacks.
 */
void rule_make(const struct step *step, const struct decl *decl,
	       struct imp_rule *ret);

/*
 * rule_outer returns whether the outer headers of a datagram match those that a
 * step requires.
 */
bool rule_outer(const struct outer *o, const struct dgram *d);

/*
 * rule_beyond_sockets returns whether a step changes what a socket cannot set:
 * addresses, UDP length and checksum, padding, IPv6 extension headers.
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

/*
 * rules_count and rules_at give access to the rules; each step is independent
 * of the others.
 */
size_t rules_count(const struct rules *r);
const struct step *rules_at(const struct rules *r, size_t n);

/*
 * rules_load adds all rules to a chain, in their order.  Rules that require one
 * value of a sequence number or an id are looked up by it, so that many such
 * rules cost no more than one.  |r| and |decl| are lent to the chain.
 * Errors: ERR_NOMEM.
 */
int rules_load(struct rules *r, const struct decl *decl, struct imp *imp);

#endif
