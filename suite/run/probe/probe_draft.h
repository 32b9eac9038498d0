/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_draft.h -- drafts the declaration of a device that was
 * probed.
 */
#ifndef SUITE_RUN_PROBE_PROBE_DRAFT_H
#define SUITE_RUN_PROBE_PROBE_DRAFT_H

#include "base/text.h"
#include "suite/dut/dut.h"
#include "suite/run/probe/probe.h"

/*
 * probe_draft appends the declaration, which decl_parse reads, with comments
 * that give the evidence.  |dut| tells whether there is a control channel.
 */
void probe_draft(const struct probe *p, const struct dut *dut, const char *name,
		 struct text *t);

#endif
