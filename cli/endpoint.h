/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/endpoint.h -- the reference endpoint, configured by a declaration.
 */
#ifndef CLI_ENDPOINT_H
#define CLI_ENDPOINT_H

#include <stdbool.h>

#include "cli/variants.h"
#include "oracle/oracle.h"
#include "suite/decl/decl.h"

/*
 * endpoint_conf fills a configuration with the ids, sizes and timers of a
 * declaration, so that the endpoint behaves as |d| declares.
 */
void endpoint_conf(struct orc_conf *ret, const struct decl *d,
		   enum family family, struct ip_addr addr);

/*
 * endpoint_decl reads a declaration from a file, or the reference's own if
 * |path| is NULL, and changes what |variants| (NULL: none) declare.  The
 * reference's own gets slow timers if it will run |live|, on a real clock and a
 * shared machine.  Error messages begin with |who|.
 * Return: 0 or an exit code.
 * Owner:  the caller frees *ret with decl_free.
 */
int endpoint_decl(const char *who, const char *path,
		  const struct variants *variants, bool live,
		  struct decl **ret);

/*
 * endpoint_fill_ids sets ids, keys and offsets that use their fields to the
 * highest bit.  It is meant for runs in virtual time, where both ends are ours:
 * an endpoint that cuts one short is found.
 */
void endpoint_fill_ids(struct decl *d);

#endif
