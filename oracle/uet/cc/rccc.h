/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/rccc.h -- RCCC: a destination grants credit at the rate of its
 * link, in fair shares.
 *
 * A PDC that wants credit gets a turn, a time at which its grant is due.  Turns
 * follow each other at the rate of the link.  A PDC has one turn at a time and
 * takes the next one when that is over, so all that want credit get the same
 * share.
 *
 * Spec: UET 3.6.14 (uet.md 3.3, 3.5, 8.5); the algorithm is ours (README.md)
 */
#ifndef ORACLE_UET_CC_RCCC_H
#define ORACLE_UET_CC_RCCC_H

#include <stdint.h>

#include "base/vtime.h"
#include "oracle/oracle.h"

/* The turns of all PDCs of an endpoint. */
struct rccc {
	vtime free_at; /* end of the last turn that was given */
};

/*
 * rccc_turn gives the next turn, for a grant of |bytes|.
 *
 * Return: when the grant is due; not before |now|.
 */
vtime rccc_turn(struct rccc *r, const struct orc_conf *conf, vtime now,
		uint32_t bytes);

#endif
