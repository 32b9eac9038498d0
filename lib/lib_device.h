/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_device.h -- a device of callbacks (rung.h) as the runner's device.
 */
#ifndef LIB_LIB_DEVICE_H
#define LIB_LIB_DEVICE_H

#include "lib/rung.h"
#include "suite/dut/dut.h"

/*
 * lib_device_new makes a device of callbacks, which are lent, in virtual time.
 * Errors: ERR_NOMEM.
 */
int lib_device_new(struct dut **ret, const struct rung_device *device,
		   enum family family);

#endif
