/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/evidence.h -- which runs may be called evidence ('rung run
 * --evidence'): those that leave nothing out and excuse nothing.
 */
#ifndef CLI_PACK_EVIDENCE_H
#define CLI_PACK_EVIDENCE_H

#include <stdbool.h>

#include "base/text.h"
#include "cli/file/manifest.h"

/* Both texts say what a package is: of such a run, and of any other one. */
#define EVIDENCE_SAYS                                                      \
	"Evidence for a self-attestation: its signer ran every case, and " \
	"excused none. It is no certificate, and no third party has "      \
	"confirmed it."
#define EVIDENCE_LESS                                                         \
	"A record of a run. It is no evidence for a self-attestation, since " \
	"the run was not made with --evidence, and it is no certificate."

/* evidence_claimed returns true if the run was made with --evidence. */
bool evidence_claimed(const struct manifest *m);

/*
 * evidence_unfit appends the reason why the run cannot be evidence; nothing if
 * it can: a filter, a baseline, repetitions, deviations that the declaration
 * names, --step-over, an early end, a missing control verb, or a selection that
 * is not all of this program's cases.
 *
 * Return: 0; an exit code after a message that begins with |who|.
 */
int evidence_unfit(const char *who, const struct manifest *m, struct text *why);

#endif
