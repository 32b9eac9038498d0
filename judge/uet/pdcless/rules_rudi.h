/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rules_rudi.h -- RUDI requests, their answers, and
 * datagrams.
 */
#ifndef JUDGE_UET_PDCLESS_RULES_RUDI_H
#define JUDGE_UET_PDCLESS_RULES_RUDI_H

#include "judge/findings.h"

/* rules_uet_rudi_end reports the answer or retransmission that a RUDI request
 * never got. */
void rules_uet_rudi_end(struct absence *a, struct judge_rudi_pkt *p);

/*
 * rules_uet_pdcless_answer looks at an ACK or NACK without a PDC: what it names
 * may be a RUDI request, or nothing but a datagram's path.
 */
void rules_uet_pdcless_answer(struct pkt_ctx *l);

#endif
