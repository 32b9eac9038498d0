/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/paths.h -- the choice of a path for each packet of a source:
 * in turn, at random, or in turn without the paths that rest.
 *
 * A path rests after an ECN mark for one to two base RTTs ("a marked EV rests
 * at least 1 RTT") and after a loss for path_rest to twice that.  If more than
 * half of the paths rest, the congestion is not that of some paths, so that
 * none is left out.
 *
 * Spec: UET 3.6.16 (uet.md 8.5); srd_wqe.md A.4.5 ("Path from the spray
 * policy")
 */
#ifndef ORACLE_UET_CC_PATHS_H
#define ORACLE_UET_CC_PATHS_H

#include <stdint.h>

#include "base/rng.h"
#include "base/vtime.h"
#include "oracle/oracle.h"

#define PATHS_MAX 256

/* Why a path rests. */
enum paths_why { PATHS_MARKED, PATHS_LOST, PATHS_WHYS };

/*
 * Paths that rest: a bit for each of 64; those of the last period and of this
 * one.
 */
struct paths_resting {
	uint64_t last, now;
};

/* The bits of the first 64 paths stand together, since few sources use more. */
struct paths {
	uint32_t next;           /* the path whose turn is next */
	uint32_t words;          /* those of |rests| that were used */
	vtime until[PATHS_WHYS]; /* end of this period */
	struct paths_resting rests[PATHS_MAX / 64][PATHS_WHYS];
};

/* paths_start forgets what rests. */
void paths_start(struct paths *p);

/* paths_choose returns the path of the next packet: one of |n|. */
uint8_t paths_choose(struct paths *p, const struct orc_conf *conf, uint32_t n,
		     struct rng *rng, vtime now);

/* paths_marked and paths_lost record what befell a packet on |path|. */
void paths_marked(struct paths *p, const struct orc_conf *conf, uint8_t path,
		  vtime now);
void paths_lost(struct paths *p, const struct orc_conf *conf, uint8_t path,
		vtime now);

#endif
