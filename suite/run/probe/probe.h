/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe.h -- what a device can do, learnt by trying: the draft
 * of a declaration.
 *
 * The stimuli are cases, cases/probe/: the name of one is the capability that
 * it shows ("read.medium"), those in measure/ show a number.  They are run like
 * any case, one after another, under probe_decl, and each record is given to
 * probe_take.  Nothing here is a verdict: what a device does not answer it may
 * still be able to do, and the draft says what it rests on.
 */
#ifndef SUITE_RUN_PROBE_PROBE_H
#define SUITE_RUN_PROBE_PROBE_H

#include "suite/decl/decl.h"
#include "suite/verdict/record.h"

struct probe;

/*
 * probe_new begins with what is known before: the ids that the device accepts,
 * the port and the CRC, from |base|, which is lent until probe_free.
 * Errors: ERR_NOMEM.
 */
int probe_new(struct probe **ret, const struct decl *base);
void probe_free(struct probe *p);

/*
 * probe_decl is the declaration to run the stimuli under: it claims everything,
 * so that everything is tried, and holds the device to no time.
 */
const struct decl *probe_decl(const struct probe *p);

/* The outcome of a stimulus. */
enum probe_outcome {
	PROBE_SHOWN,   /* the device did as the stimulus asked */
	PROBE_NOT,     /* it did something else, or nothing */
	PROBE_UNTRIED, /* it could not be tried: no control verb */
};

/*
 * probe_take learns from the run of one stimulus.
 * Return: what became of it.  PROBE_NOT when there is no memory for more.
 */
enum probe_outcome probe_take(struct probe *p, const struct record *r);

/* probe_strays tells how many datagrams came to the tester's source port rather
 * than to the UET port. */
void probe_strays(struct probe *p, uint64_t strays);

/* probe_answered says whether the device has sent anything at all so far. */
bool probe_answered(const struct probe *p);

#endif
