/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_device.h -- makes the device that is explored, its
 * reference, and restores a device that is gone.
 */
#ifndef CLI_EXPLORE_EXPLORE_DEVICE_H
#define CLI_EXPLORE_EXPLORE_DEVICE_H

#include "cli/explore/exploring.h"

/*
 * explore_device makes the device of a worker, or its reference, for a family.
 * It is the |device| of struct explore_conf; |ctx| is the struct exploring.
 * Return: 0 or an exit code after a message.
 * Owner:  dut_setup_free.
 */
int explore_device(void *ctx, unsigned worker, bool reference,
		   enum family family, struct dut **ret);

/*
 * explore_revive starts the command of --revive, and waits for its end.  It is
 * the |revive| of struct explore_conf.
 * Return: 0, or EXIT_HARNESS after a message: the command failed.
 */
int explore_revive(void *ctx);

/*
 * explore_reference_new fills in the plain reference in virtual time, beside
 * the device.  It has a declaration, e->reference_decl, unless the device is
 * the reference itself.
 * Return: 0 or an exit code after a message.
 * Owner:  decl_free of e->reference_decl.
 */
int explore_reference_new(struct exploring *e);

#endif
