/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/adapter/adapter_check.h -- tests the control channel of an adapter.
 */
#ifndef CLI_ADAPTER_ADAPTER_CHECK_H
#define CLI_ADAPTER_ADAPTER_CHECK_H

#include "cli/adapter/adapter_talk.h"

/*
 * adapter_check prints a line for each property of the channel and each verb to
 * standard output: "ok", "FAIL" (rung cannot work with it), "note" (rung does
 * not depend on it) or "lacks" (cases are na).
 *
 * Return: EXIT_PASSED, EXIT_FAILED if a line says FAIL, EXIT_HARNESS after lack
 *         of memory.
 */
int adapter_check(const struct adapter_check_conf *conf);

#endif
