/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_watch.h -- watches for packets that a "never" line
 * forbids.
 */
#ifndef SUITE_RUN_LINK_RUN_WATCH_H
#define SUITE_RUN_LINK_RUN_WATCH_H

#include <stddef.h>

#include "suite/run/run_state.h"

/* run_watch_class_of returns the class of a packet of the record. */
const char *run_watch_class_of(const struct runner *r, size_t index);

void run_watch(struct runner *r, const struct inbox *in);

#endif
