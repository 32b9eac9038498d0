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
 * probe_unclaimed appends the capabilities that the device showed and the
 * declaration |base| of probe_new does not claim, separated by blanks.
 */
void probe_unclaimed(const struct probe *p, const struct dut *dut,
		     struct text *t);

/*
 * probe_compare appends a line for each point of that declaration which the
 * device does not keep: a claim that was not shown, another size, a time
 * outside its tolerance.  Capabilities not tried and numbers not measured are
 * skipped.
 * Return: the number of lines.
 */
size_t probe_compare(const struct probe *p, const struct dut *dut,
		     struct text *t);

#endif
