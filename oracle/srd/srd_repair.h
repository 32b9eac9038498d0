/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_repair.h -- finds requests that their path has lost before
 * their RTO expires (setting srd_fast).
 *
 * An answer tells the RTT of one transmission, since it echoes Try.  A request
 * is lost if it left no later than one that is answered, and has waited longer
 * than any path takes: the smoothed RTT and four mean deviations.
 *
 *    1. srd_repair_sample for each ACK, before it resolves PSNs
 *    2. srd_repair_due after it, and at ah->repair_at; repeat each PSN that it
 *       returns
 *
 * Spec: srd_wqe.md A.4.2 (Try), A.4.5; the estimate is that of RFC 6298
 */
#ifndef ORACLE_SRD_SRD_REPAIR_H
#define ORACLE_SRD_SRD_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/srd/srd_state.h"

/* srd_repair_sample takes the RTT of transmission |try| of a request. */
void srd_repair_sample(const struct srd *s, struct srd_ah *ah, uint32_t psn,
		       uint8_t try);

/*
 * srd_repair_due returns true if a PSN in flight is lost, and writes it; it
 * sets ah->repair_at.
 */
bool srd_repair_due(const struct srd *s, struct srd_ah *ah, uint32_t *ret);

#endif
