/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_rsp.h -- the responder: takes requests and remembers their
 * outcomes.
 */
#ifndef ORACLE_SRD_SRD_RSP_H
#define ORACLE_SRD_SRD_RSP_H

#include <stddef.h>
#include <stdint.h>

#include "oracle/srd/srd_state.h"
#include "wire/addr.h"
#include "wire/dgram.h"

void srd_ctxs_free(struct srd *s);

/* srd_request_expect prefetches for a request that will come soon. */
void srd_request_expect(const struct srd *s, const struct ip_addr *peer,
			uint32_t scid);

/* srd_request processes a request or a SYNC; |len| without the ICRC. */
void srd_request(struct srd *s, const struct dgram *d, size_t len,
		 const struct bth *bth, const struct seth *seth);

#endif
