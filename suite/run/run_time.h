/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_time.h -- the time-outs of a device: how early and how late
 * its timers may fire.
 */
#ifndef SUITE_RUN_RUN_TIME_H
#define SUITE_RUN_RUN_TIME_H

#include "suite/decl/decl.h"

/* run_most returns the longer of two times. */
vspan run_most(vspan a, vspan b);

vspan run_rto_tolerance(const struct decl *decl, vspan rto);

/*
 * The reason why a retransmission after a full RTO needs neither a line nor a
 * NACK.
 */
extern const char run_timer_repeat[];

/* The reason why a retransmission of what an ACK left out needs no line. */
extern const char run_inferred_repeat[];

#endif
