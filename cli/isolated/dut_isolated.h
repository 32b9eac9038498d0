/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/isolated/dut_isolated.h -- an endpoint in virtual time, in a process of
 * its own: a mutant that crashes or loops ends that process, and not the run.
 */
#ifndef CLI_ISOLATED_DUT_ISOLATED_H
#define CLI_ISOLATED_DUT_ISOLATED_H

#include "cli/isolated/run_isolated.h"
#include "oracle/oracle.h"
#include "suite/dut/dut.h"
#include "wire/addr.h"

/* Characters that say how the process ended. */
#define DUT_ISOLATED_WHY RUN_ISOLATED_WHY

/*
 * dut_isolated_new starts a process that makes the endpoint, and is a
 * dut_virtual (suite/dut/dut_virtual.h) to its caller.  If the process ends,
 * or takes more than a second of processor time for one call, the device is
 * GONE, as a live one whose program ended; begin starts another process.
 *
 * |api| and |conf| are copied or must outlive the device; |why| says how the
 * process ended in case of ERR_CLOSED.
 *
 * Owner:  the caller frees *ret by ops->free, on the thread that made it: the
 * process ends with that thread.
 *
 * Errors: those of dut_virtual_new; ERR_SYS there can be no process;
 * ERR_CLOSED it ended.
 */
int dut_isolated_new(struct dut **ret, const struct orc_api *api,
		     const struct orc_conf *conf, struct ip_addr tester,
		     vspan delay, char why[DUT_ISOLATED_WHY]);

#endif
