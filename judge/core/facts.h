/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/facts.h -- the facts of a packet, for programs that show a
 * capture.
 */
#ifndef JUDGE_CORE_FACTS_H
#define JUDGE_CORE_FACTS_H

#include "judge/types.h"

struct pkt_ctx;

/*
 * judge_facts returns the facts of the packet pushed last; lent until the next.
 */
const struct judge_facts *judge_facts(const struct judge *j);

/*
 * judge_frame returns the last transmission of a PSN in the flow of the packet
 * pushed last, in the PSN space of its sender (|own|) or of the other side; 0
 * if it is not remembered.  Flows of families other than UET have one space,
 * and their PSNs may be given with 24 bits.
 */
uint32_t judge_frame(const struct judge *j, bool own, uint32_t psn);

/* pkt_facts records the facts of a packet before it changes the flow. */
void pkt_facts(struct pkt_ctx *l, bool foreign);

#endif
