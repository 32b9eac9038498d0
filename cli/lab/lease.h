/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/lease.h -- keeps a bench while a run uses it.
 *
 * acquire runs before the run, release after it.  If the bench has a lease
 * time, acquire runs again each time that half of it has passed, with
 * RUNG_HOOK=renew.  A renewal that fails, or that takes until the lease is
 * over, has lost the bench: the run is interrupted.
 */
#ifndef CLI_LAB_LEASE_H
#define CLI_LAB_LEASE_H

#include <stdbool.h>

#include "cli/lab/bench_file.h"

struct lease;

/*
 * lease_begin acquires the bench, which is lent.
 * Return: 0; EXIT_HARNESS after a message that begins with |who|.
 * Owner:  lease_end, which also releases the bench.
 */
int lease_begin(struct lease **ret, const char *who, const struct bench *b);
void lease_end(struct lease *l);

/*
 * lease_confirm renews the lease at once, if it has a time, and returns whether
 * the run still has the bench.  lease_lost returns what is known.
 */
bool lease_confirm(struct lease *l);
bool lease_lost(struct lease *l);

#endif
