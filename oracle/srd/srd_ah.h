/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_ah.h -- address handles and the requester's context of each.
 */
#ifndef ORACLE_SRD_SRD_AH_H
#define ORACLE_SRD_SRD_AH_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/op.h"
#include "oracle/srd/srd_state.h"

/*
 * srd_ah_renew gives the context of a handle fresh ids and PSNs, so that no
 * earlier packet can be taken for a new one.  Return: false if there is no
 * memory.
 */
bool srd_ah_renew(struct srd *s, struct srd_ah *ah, uint32_t place);

/* srd_ah_free frees an address handle and its context. */
void srd_ah_free(struct srd *s, struct srd_ah *ah);

void srd_ahs_free(struct srd *s);
int srd_ah_create(struct srd *s, const struct orc_op *op);

/* srd_ah_expect prefetches for a later use of a handle. */
void srd_ah_expect(const struct srd *s, uint32_t number);

/* srd_ah_find returns an address handle by number, or NULL. */
struct srd_ah *srd_ah_find(struct srd *s, uint32_t number);

#endif
