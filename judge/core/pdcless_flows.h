/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/pdcless_flows.h -- statistics of the PDC-less packets between two
 * addresses.
 */
#ifndef JUDGE_CORE_PDCLESS_FLOWS_H
#define JUDGE_CORE_PDCLESS_FLOWS_H

#include "judge/types.h"

struct pkt_ctx;

/*
 * tally_pdcless counts a PDC-less packet before it changes the state.  The
 * first one allocates the table.
 */
void tally_pdcless(struct pkt_ctx *l);

void pdcless_flows_free(struct judge *j);
void pdcless_flows_reset(struct judge *j);

/* pdcless_flows_each calls |see| for each flow without a PDC. */
void pdcless_flows_each(const struct judge *j,
			void (*see)(void *arg, const struct judge_flow *f),
			void *arg);

#endif
