/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/run_capture.h -- captures that "rung run" wrote, from the device's
 * point of view.
 *
 * Such a capture holds every packet of the run, also those that the tester's
 * impairments dropped, delayed, duplicated or changed; docs/reports.md says how
 * each is marked.  Device and tester are each judged by the packets at their
 * own end of the link, in the order of arrival there.
 */
#ifndef CLI_RUN_RUN_CAPTURE_H
#define CLI_RUN_RUN_CAPTURE_H

#include <stddef.h>

#include "cli/file/source.h"
#include "judge/core/watch.h"
#include "lib/rung.h"

enum own_view { OWN_DEVICE, OWN_TESTER };

struct own;

/*
 * own_load reads a capture that can be read again (source_repeats), if rung
 * wrote it; *ret is NULL if it did not.
 * Return: 0 or an exit code after a message.
 */
int own_load(const char *who, const struct source *s, struct own **ret);
void own_free(struct own *o);

/*
 * own_count and own_at return the packets that a side saw, and their numbers in
 * the capture.
 */
size_t own_count(const struct own *o, enum own_view view);
const struct rung_frame *own_at(const struct own *o, enum own_view view,
				size_t i, uint32_t *ret_number);

/* own_side returns the address of a side. */
const struct ip_addr *own_side(const struct own *o, enum own_view view);

/* own_error returns why reading ended, as source_next does, or 0. */
int own_error(const struct own *o, char *ret, size_t size);

/* own_end returns the time at which the run ended, or 0. */
vtime own_end(const struct own *o);

/*
 * own_conf sets the properties of such a capture: whether any packet was
 * removed from it, the vantage point, and the device's declaration.
 */
void own_conf(const struct own *o, enum own_view view, struct watch_conf *conf);

#endif
