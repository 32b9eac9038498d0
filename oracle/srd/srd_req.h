/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_req.h -- the requester: numbers, sends and retransmits
 * requests, and processes answers.
 */
#ifndef ORACLE_SRD_SRD_REQ_H
#define ORACLE_SRD_SRD_REQ_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/op.h"
#include "oracle/srd/srd_state.h"
#include "wire/dgram.h"

int srd_ah_destroy(struct srd *s, const struct orc_op *op);

/*
 * srd_ah_post takes a WR that has passed all local checks.
 *
 * Return: false if there is no memory.
 */
bool srd_ah_post(struct srd *s, struct srd_ah *ah, const struct srd_wr *wr);

/*
 * srd_cancel ends all send WRs of a QP; |flush| gives each its completion.
 * Their PSNs are not sent any more, and LUP passes them.
 */
void srd_cancel(struct srd *s, uint32_t qpn, bool flush);

/* srd_ack processes an answer. */
void srd_ack(struct srd *s, const struct dgram *d, const struct bth *bth,
	     const struct seth *seth);

/* srd_ack_expect prefetches for an answer that will come soon. */
void srd_ack_expect(const struct srd *s, uint32_t scid, uint32_t psn);

void srd_ah_tick(struct srd *s, struct srd_ah *ah);

#endif
