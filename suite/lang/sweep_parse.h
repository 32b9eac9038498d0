/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/sweep_parse.h -- parses how a field varies from pass to pass:
 * "psn=+1".
 *
 *	psn=7                       this value
 *	psn=+1                      the packet's own, one more in each pass
 *	psn=+-1                     one less
 *	clear_psn_offset=-32768..0  from the first to the second, and again
 *	psn=0..1000/10              in steps of 10
 *	nack_code=no_pkt_buffer|4   in turn
 *	dpdcid=rand                 by chance
 */
#ifndef SUITE_LANG_SWEEP_PARSE_H
#define SUITE_LANG_SWEEP_PARSE_H

#include "base/diag.h"
#include "gen/series.h"

/*
 * sweep_parse parses one sweep.
 * Errors: ERR_SYNTAX with |diag| filled; |where| is its file there.
 */
int sweep_parse(struct sweep *ret, const char *where, const char *text,
		struct diag *diag);

#endif
