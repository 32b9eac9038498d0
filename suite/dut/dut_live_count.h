/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_live_count.h -- counts problems that make observations of a
 * live device unreliable.
 */
#ifndef SUITE_DUT_DUT_LIVE_COUNT_H
#define SUITE_DUT_DUT_LIVE_COUNT_H

#include <stdint.h>

#include "base/vtime.h"
#include "suite/dut/dut.h"
#include "wire/dgram.h"

struct dut_live;

/*
 * look_for_doubles finds packets of the device that the network duplicated.
 * |open| frames wait for a decision that needs later frames.
 */
void look_for_doubles(struct dut_live *l, const struct dgram *d, vtime at);

/*
 * count_quickly updates the counts that need no system call.  Called for each
 * datagram.
 */
void count_quickly(struct dut_live *l);

/* dut_live_count updates all counts except DOUBT_UNSEEN. */
void dut_live_count(struct dut_live *l);

/*
 * await_departures waits until the packets of the tester have left, at most 50
 * ms.  It drops packets that arrive meanwhile, which are too late for the case.
 */
void await_departures(struct dut_live *l);

/*
 * dut_live_unseen returns the number of packets that have not been seen to
 * leave.
 */
uint64_t dut_live_unseen(const struct dut_live *l);

/* set_doubt sets a count, relative to its value before the case. */
void set_doubt(struct dut_live *l, enum dut_doubt what, uint64_t n);

/* dut_live_count_anew resets all counts to 0. */
void dut_live_count_anew(struct dut_live *l);

#endif
