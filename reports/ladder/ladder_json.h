/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_json.h -- the rows of a ladder as JSON, for programs
 * that draw their own.
 */
#ifndef REPORTS_LADDER_LADDER_JSON_H
#define REPORTS_LADDER_LADDER_JSON_H

#include "base/text.h"
#include "reports/ladder/ladder.h"
#include "suite/verdict/record.h"

/*
 * ladder_json appends one object, "rung.ladder/1": the names of the two sides
 * and all packets and notes in order, folded or not, with their findings.
 */
void ladder_json(struct text *t, const struct record *r,
		 const struct ladder_opts *opts);

#endif
