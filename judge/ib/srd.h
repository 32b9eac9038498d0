/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/srd.h -- SRD contexts, as packets show them, and the rules about
 *them.
 *
 * A context is one direction: a requester, a responder, a SCID.  What is known
 * of it is which PSNs were sent, with which bytes, what was said of them, and
 * how far LUP and CACK have come.  PSNs have 32 bits here.
 *
 * The format is this project's reference: it is judged where packets use
 * it.  What packets alone decide:
 *
 *	I6     a request's bytes never change            requester
 *	I7     nothing is sent after it was resolved     requester
 *	I8     LUP is not ahead of a packet's PSN        requester
 *	DER-4  LUP never goes back                       requester
 *	DER-5  a context that was ended is not used      requester
 *	DER-6  nor one that the responder has lost       requester
 *	SRD-52 nothing is tried again after RNR          requester
 *	I5     nothing is covered that did not arrive    responder
 *	DER-1  an outcome is decided once                responder
 *	DER-2  no drop is covered as accepted            responder
 *	DER-3  what was accepted is not forgotten        responder
 *
 * Spec: srd_wqe.md A.4, C.4
 */
#ifndef JUDGE_IB_SRD_H
#define JUDGE_IB_SRD_H

#include "judge/ib/ib.h"

enum {
	SRD_CONTEXTS = 128, /* most contexts at a time */
	SRD_WINDOW = 2048,  /* PSNs remembered of each; a power of 2 */
};

/* Numbers of contexts, which are flows as well, have this bit. */
#define SRD_FLOW 0x80000000u

/*
 * srd_seen_new allocates the contexts; free() frees them.  Errors: ERR_NOMEM.
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
