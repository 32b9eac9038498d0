/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/resolve.c -- resolves host names in a thread of the C
 * library.  After a time-out the thread continues alone.
 */
#define _GNU_SOURCE
#include "gen/port/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define PATIENCE 5 /* seconds */

/* The memory that the resolver's thread reads until it ends. */
struct lookup {
	struct gaicb cb;
	struct addrinfo hints;
	char host[NI_MAXHOST], service[NI_MAXSERV];
};

int resolve_host(struct addrinfo **ret, const char *host, const char *service,
		 const struct addrinfo *hints)
{
	const struct timespec patience = {.tv_sec = PATIENCE};
	struct lookup *l;
	struct gaicb *list[1];
	int err;

	if (strlen(host) >= NI_MAXHOST ||
	    (service && strlen(service) >= NI_MAXSERV))
		return EAI_NONAME;
	l = memory_calloc(1, sizeof(*l));
	if (!l)
		return EAI_MEMORY;
	strcpy(l->host, host);
	if (service)
		strcpy(l->service, service);
	if (hints)
		l->hints = *hints;
	l->cb.ar_name = l->host;
	if (service)
		l->cb.ar_service = l->service;
	else
		l->cb.ar_service = NULL;
	l->cb.ar_request = &l->hints;
	list[0] = &l->cb;
	err = getaddrinfo_a(GAI_NOWAIT, list, 1, NULL);
	if (!err) {
		const struct gaicb *const waited[1] = {&l->cb};

		err = gai_suspend(waited, 1, &patience);
		if (!err || err == EAI_ALLDONE)
			err = gai_error(&l->cb);
		else if (gai_cancel(&l->cb) == EAI_NOTCANCELED)
			/*
			 * the thread still reads |l|, so it must not be freed
			 */
			return err;
	}
	if (!err)
		*ret = l->cb.ar_result;
	free(l);
	return err;
}
