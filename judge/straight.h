/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/straight.h -- the short way of a packet that is the next of its flow.
 *
 * Of nearly all packets everything is known before: what monitors say of them
 * (judge/usual.h) and what they change.  TCP stacks go such a way by header
 * prediction.  A packet goes it from its bytes to the state of its flow without
 * a struct look in between; what it changes is what judge_push would, and where
 * the least thing is otherwise it goes that way.
 */
#ifndef JUDGE_STRAIGHT_H
#define JUDGE_STRAIGHT_H

#include <stdbool.h>

#include "judge/judge.h"

/* straight_is_open says whether a judge has that way: it knows what is usual,
 * and nobody asks it for more facts or counts of a packet than those. */
bool straight_is_open(const struct judge_conf *conf);

#endif
