/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_time.c -- the time-outs of a device: how early and how late
 * its timers may fire.
 */
#include "suite/run/run_time.h"

#include "suite/run/run_state.h"

static vspan run_least(vspan a, vspan b)
{
	if (a < b)
		return a;
	return b;
}

vspan run_most(vspan a, vspan b)
{
	if (a > b)
		return a;
	return b;
}

/* Returns how much earlier than an RTO is still right. */
vspan run_rto_tolerance(const struct decl *decl, vspan rto)
{
	return run_least(decl->rto.tolerance, rto);
}

const char run_timer_repeat[] = "repeat that the timer permits";
const char run_inferred_repeat[] = "repeat of what an ACK left out";
