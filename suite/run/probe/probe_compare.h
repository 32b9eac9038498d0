/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_compare.h -- compares a device that was probed with its
 * declaration.
 */
#ifndef SUITE_RUN_PROBE_PROBE_COMPARE_H
#define SUITE_RUN_PROBE_PROBE_COMPARE_H

#include "base/text.h"
#include "suite/dut/dut.h"
#include "suite/run/probe/probe.h"

/*
 * probe_compare appends a line for each point on which the device did not show
 * what the declaration that probe_new was given says: a claim too many, one
 * that is missing, another size, a time outside its tolerance.  What was not
 * tried, or not measured, is passed over.
 * Return: the number of lines.
 */
size_t probe_compare(const struct probe *p, const struct dut *dut,
		     struct text *t);

#endif
