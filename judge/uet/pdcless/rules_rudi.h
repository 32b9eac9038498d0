/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/rules_rudi.h -- RUDI requests, their answers, and
 * datagrams.
 */
#ifndef JUDGE_UET_PDCLESS_RULES_RUDI_H
#define JUDGE_UET_PDCLESS_RULES_RUDI_H

#include "judge/findings.h"

/*
 * rules_uet_rudi_end reports the missing answer or the missing retransmission
 * of a RUDI request.
 */
void rules_uet_rudi_end(struct absence *a, struct judge_rudi_pkt *p);

/*
 * rules_uet_pdcless_answer judges an ACK or NACK without a PDC: it may name a
 * RUDI request, or only follow a datagram's path.
 */
void rules_uet_pdcless_answer(struct pkt_ctx *l);

#endif
