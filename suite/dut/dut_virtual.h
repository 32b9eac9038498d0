/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_virtual.h -- an endpoint in virtual time as the device.
 */
#ifndef SUITE_DUT_DUT_VIRTUAL_H
#define SUITE_DUT_DUT_VIRTUAL_H

#include "oracle/oracle.h"
#include "suite/dut/dut.h"
#include "wire/addr.h"

/*
 * dut_virtual_new makes an endpoint the DUT, in virtual time, behind a link
 * with the given one-way delay.  |api| may be a mutant's.  A mutant that loops
 * is stopped: the DUT is GONE after too many steps without progress of time, or
 * too many timers that have no effect.
 * Errors: ERR_NOMEM, ERR_VALUE.
 */
int dut_virtual_new(struct dut **ret, const struct orc_api *api,
		    const struct orc_conf *conf, struct ip_addr tester,
		    vspan delay);

/*
 * dut_virtual_has_event returns true if next would return DUT_EVENT at once.
 */
bool dut_virtual_has_event(struct dut *d);

#endif
