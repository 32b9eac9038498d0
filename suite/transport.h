/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/transport.h -- the functions of a transport that the suite calls.
 *
 * If one is NULL, the caller does the work for UET: PDCs, PSNs of 32 bits, and
 * the fields of the PDS and SES headers.
 */
#ifndef SUITE_TRANSPORT_H
#define SUITE_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "suite/verdict/space.h"
#include "wire/family.h"

struct craft;
struct decl;
struct dgram;
struct orc_conf;
struct runner;
struct scope;
struct scope_pdc;

/* A transport, as the suite sees it. */
struct suite_family {
	/* flows are PDCs: the first answer carries the peer's id */
	bool has_pdcs;
	bool connected;    /* QPs are connected to each other, for verbs */
	bool plain_rc;     /* packets have the opcodes of plain RoCEv2 */
	bool mtu_is_bound; /* no line may send more payload than the MTU */

	/* A device may claim this word in place of the family's name, and is
	 * tested by cases that meet no packets.  NULL: no such word. */
	const char *verbs_claim;

	/* Returns the PSN space of the number that a line names. */
	enum psn_space (*space)(const struct craft *c);

	/* Sets the fields that the line omits.  Errors: ERR_VALUE. */
	int (*craft)(struct craft *c);

	/* Sets path and entropy of a datagram that is not raw. */
	void (*head)(struct craft *c, struct dgram *d);

	/* Gives a flow its ids and first PSNs. */
	void (*make)(struct scope *s, struct scope_pdc *pdc);

	/* As scope_turn_packet, scope_sent, scope_arrived and scope_taken. */
	void (*turn)(struct scope *s, size_t index);
	void (*sent)(struct scope *s, size_t index);
	void (*arrived)(struct scope *s, size_t index);
	void (*taken)(struct scope *s, size_t index);

	/* Returns why a packet of the device needs no line, or NULL. */
	const char *(*allowance)(struct runner *r, size_t index);

	/* Sets the configuration of a reference endpoint from a declaration. */
	void (*endpoint)(struct orc_conf *ret, const struct decl *d);
};

/* The rows, by enum family; suite/families.c. */
extern const struct suite_family *const suite_families[];

#endif
