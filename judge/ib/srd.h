/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/srd.h -- SRD contexts, as packets show them, and the rules about
 * them.
 *
 * A context is one direction: a requester, a responder, a SCID.  Its state: the
 * PSNs that were sent, with a hash of their bytes, their outcomes in the
 * answers, LUP and CACK.  PSNs have 32 bits here.
 *
 * The packet format is this project's own reference format; it is judged only
 * where packets use it.  The rules that packets alone decide:
 *
 *	I6     a retransmission has the same bytes       requester
 *	I7     no retransmission after the outcome       requester
 *	I8     LUP is not above the PSN of its packet    requester
 *	DER-4  LUP does not decrease                     requester
 *	DER-5  a context is not used after its FIN       requester
 *	DER-6  nor after the responder has lost it       requester
 *	SRD-52 no retransmission after RNR               requester
 *	I5     a covered packet has arrived              responder
 *	DER-1  the outcome of a PSN does not change      responder
 *	DER-2  a dropped packet is not covered           responder
 *	DER-3  CACK does not decrease                    responder
 *
 * Spec: srd_wqe.md A.4, C.4
 */
#ifndef JUDGE_IB_SRD_H
#define JUDGE_IB_SRD_H

#include "judge/ib/ib.h"

enum {
	SRD_CONTEXTS = 128, /* most contexts at a time */
	SRD_WINDOW = 2048,  /* PSNs remembered for each context; a power of 2 */
};

/* This bit is set in the numbers of contexts, which are flows as well. */
#define SRD_FLOW 0x80000000u

/*
 * srd_seen_new allocates the contexts; memory_free() frees them.  Errors:
 * ERR_NOMEM.
 */
int srd_seen_new(void **ret, enum family family);

/*
 * srd_seen_frame returns the last transmission of a PSN, of 24 bits or more, in
 * the context of the packet judged last; 0 if none is remembered.
 */
uint32_t srd_seen_frame(const void *state, uint32_t psn);

/* rules_srd judges a packet, and then updates its context. */
void rules_srd(struct judge *j, void *state, const struct judge_packet *p);

#endif
