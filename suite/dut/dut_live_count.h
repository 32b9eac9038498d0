/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_live_count.h -- counts what makes the observations of a live
 * device doubtful.
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
 * The decision may need later information: |open| frames wait for it.
 */
void look_for_doubles(struct dut_live *l, const struct dgram *d, vtime at);

/* count_quickly reads the counts that need no system call, for each datagram.
 */
void count_quickly(struct dut_live *l);

/* dut_live_count reads all counts but DOUBT_UNSEEN. */
void dut_live_count(struct dut_live *l);

/*
 * await_departures waits until the packets of the tester have left, at most
 * 50 ms.  It drops what arrives meanwhile, which is too late for the case.
 */
void await_departures(struct dut_live *l);

/* dut_live_unseen returns how many packets have not been seen to leave. */
uint64_t dut_live_unseen(const struct dut_live *l);

/* set_doubt sets a count, less what was counted before the case. */
void set_doubt(struct dut_live *l, enum dut_doubt what, uint64_t n);

/* dut_live_count_anew starts all counts at 0. */
void dut_live_count_anew(struct dut_live *l);

#endif
