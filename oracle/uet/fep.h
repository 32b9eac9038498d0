/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/fep.h -- the known peers (FEPs), by number and by address.
 */
#ifndef ORACLE_UET_FEP_H
#define ORACLE_UET_FEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/core/idmap.h"
#include "oracle/core/mem.h"
#include "wire/dgram.h"

struct feps {
	struct ip_addr *addrs; /* by number */
	size_t cap;
	uint32_t n;
	struct idmap by_addr;
};

/* feps_find finds the number of a peer.  Return: false if it is unknown. */
bool feps_find(const struct feps *feps, const struct ip_addr *addr,
	       uint32_t *ret);

/*
 * feps_add gives an unknown peer the next number.
 *
 * Return: 0 and *ret; ERR_NOMEM.
 */
int feps_add(struct feps *feps, struct mem *m, const struct ip_addr *addr,
	     uint32_t *ret);

/* feps_expect prefetches the slot of a peer's number. */
void feps_expect(const struct feps *feps, const struct ip_addr *addr);

/* feps_clear forgets all and keeps memory; feps_free frees it. */
void feps_clear(struct feps *feps);
void feps_free(struct feps *feps);

#endif
