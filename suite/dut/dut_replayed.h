/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_replayed.h -- a device whose answers come from a transcript.
 *
 * It gives a runner the results that the device gave, so that the case ends
 * with the verdict that follows from them.  It also compares what the runner
 * asks: a runner that sends something else than the transcript says is a
 * mismatch, after which the device is gone.
 */
#ifndef SUITE_DUT_DUT_REPLAYED_H
#define SUITE_DUT_DUT_REPLAYED_H

#include <stddef.h>

#include "base/diag.h"
#include "suite/dut/dut.h"

/*
 * dut_replayed_new makes a device without a transcript.
 * Errors: ERR_NOMEM.
 */
int dut_replayed_new(struct dut **ret);

/*
 * dut_replayed_load gives the device the transcript |text| of the next case;
 * errors name the file |path|.  Both must outlive the case.  *ret_same becomes
 * true if it describes the device that the transcript before described, so that
 * the runner of that case may go on.
 *
 * Errors: ERR_SYNTAX with |diag| filled: the first line describes no device.
 */
int dut_replayed_load(struct dut *d, const char *path, const char *text,
		      size_t len, bool *ret_same, struct diag *diag);

/*
 * dut_replayed_end returns 0 if the runner made exactly the calls of the
 * transcript.
 *
 * Errors: ERR_SYNTAX: |diag| names the first line that does not fit.
 */
int dut_replayed_end(const struct dut *d, struct diag *diag);

#endif
