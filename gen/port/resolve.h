/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/resolve.h -- resolves host names in bounded time.
 *
 * getaddrinfo() waits for name servers for as long as the resolver's
 * configuration says, and no signal ends it.
 */
#ifndef GEN_PORT_RESOLVE_H
#define GEN_PORT_RESOLVE_H

#include <netdb.h>

/*
 * resolve_host resolves a name, within at most five seconds.  |service| and
 * |hints| are as for getaddrinfo(), either may be NULL.
 *
 * Return: 0, or an EAI_* code: EAI_AGAIN if no server answered in time,
 *         EAI_INTR if a signal ended the wait.
 *
 * Owner:  freeaddrinfo() for *ret, which is set only on success.
 */
int resolve_host(struct addrinfo **ret, const char *host, const char *service,
		 const struct addrinfo *hints);

#endif
