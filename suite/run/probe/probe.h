/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe.h -- probes what a device can do, and drafts its
 * declaration.
 *
 * The stimuli are the cases of cases/probe/.  The name of a stimulus is the
 * capability that it shows ("read.medium"); those in measure/ measure a number.
 * The caller runs them one after another with probe_decl, and passes each
 * record to probe_take.  The outcome is no verdict: a device may have a
 * capability that the stimulus did not show.  The draft gives the evidence for
 * each of its lines.
 */
#ifndef SUITE_RUN_PROBE_PROBE_H
#define SUITE_RUN_PROBE_PROBE_H

#include "suite/decl/decl.h"
#include "suite/run/probe/probe_outcome.h"
#include "suite/verdict/record.h"

struct probe;

/*
 * probe_new starts with the known values of |base|: the ids that the device
 * accepts, the port and the CRC.  |base| must outlive the probe.
 * Errors: ERR_NOMEM.
 */
int probe_new(struct probe **ret, const struct decl *base);
void probe_free(struct probe *p);

/*
 * probe_decl returns the declaration for the stimuli: it claims everything, so
 * that everything is tried, and sets no time limits.
 */
const struct decl *probe_decl(const struct probe *p);

/*
 * probe_take evaluates the run of one stimulus.
 * Return: its outcome; PROBE_NOT without memory.
 */
enum probe_outcome probe_take(struct probe *p, const struct record *r);

/*
 * probe_strays notes how many datagrams arrived at the tester's source port
 * instead of the UET port.
 */
void probe_strays(struct probe *p, uint64_t strays);

/* probe_answered returns whether the device has sent anything so far. */
bool probe_answered(const struct probe *p);

#endif
