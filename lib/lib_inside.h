/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_inside.h -- what the program and the Wireshark plugin pass to the
 * library beyond rung.h: things that they have already and that no other caller
 * has.  lib/README.md says why each is here.
 */
#ifndef LIB_LIB_INSIDE_H
#define LIB_LIB_INSIDE_H

#include "judge/core/watch.h"
#include "lib/rung.h"

/*
 * lib_watch_new does the same as rung_watch_new, with the configuration of a
 * watch.  Its judge.over and judge.arg are not used: see rung_watch_over().
 * Errors: ERR_NOMEM.
 */
int lib_watch_new(struct rung_watch **ret, const struct watch_conf *conf);

/*
 * lib_watch_peek reads the first fields of |n| frames once for several watches
 * of one capture; |conf| is their watch_conf.frame.  lib_watch_push_peeked does
 * the same as rung_watch_push, with what lib_watch_peek returned.
 */
void lib_watch_peek(const struct frame_conf *conf,
		    const struct rung_frame *frames, size_t n,
		    struct watch_peek *ret);
int lib_watch_push_peeked(
	struct rung_watch *w, const struct rung_frame *frames,
	const struct watch_peek *peeks, size_t n, uint64_t first,
	void (*found)(void *arg, const struct rung_finding *f), void *arg);

/*
 * lib_judge_push does the same as rung_judge_packet, with a packet that the
 * caller has parsed.
 */
int lib_judge_push(struct rung_judge *j, const struct judge_packet *p,
		   struct rung_finding *ret, size_t max);

/* lib_facts writes the facts of |x|, of a judge whose number is |shard|. */
void lib_facts(struct rung_facts *ret, const struct judge_facts *x,
	       unsigned shard);

/*
 * lib_conf sets what a configuration says of devices and capture.
 * Errors: ERR_VALUE: |at| is no address.
 */
int lib_conf(struct judge_conf *ret, const struct rung_conf *conf);

#endif
