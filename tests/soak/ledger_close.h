/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/ledger_close.h -- the checks at the end of a run.
 */
#ifndef SOAK_LEDGER_CLOSE_H
#define SOAK_LEDGER_CLOSE_H

#include "tests/soak/ledger.h"

/* ledger_close checks what can only be checked at the end of a run. */
void ledger_close(struct ledger *l, const struct orc_api *const *api,
		  struct orc *const *end);

#endif
