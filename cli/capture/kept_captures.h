/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/kept_captures.h -- the folder of --ring: captures around
 *findings, of bounded age and size.
 *
 *	DIR/20261126T134000Z-000000012345.pcapng  the frames; the name is the
 *	                                  time and the number of the first one
 *	DIR/20261126T134000Z-000000012345.jsonl   the findings, as
 *	                                  rung check --json prints them
 *
 * Files with other names are neither counted nor removed.
 */
#ifndef CLI_CAPTURE_KEPT_CAPTURES_H
#define CLI_CAPTURE_KEPT_CAPTURES_H

#include <stdint.h>

#include "base/vtime.h"

#define KEPT_NAME 48 /* bytes of the longest name, the NUL counted */

/*
 * kept_captures_name writes the name of a capture, without its ending, whose
 * first frame is |number|, at |at_ns| since 1970.
 */
void kept_captures_name(char ret[KEPT_NAME], uint64_t at_ns, uint64_t number);

/*
 * kept_captures_prune removes the captures in the open folder |dir| that began
 * more than |keep| before |now_ns|, and then the oldest ones until at most
 * |size| bytes are left.
 *
 * Return: when the oldest capture left must be removed, in ns since 1970;
 *         UINT64_MAX: none is left, or the folder could not be read.
 */
uint64_t kept_captures_prune(int dir, uint64_t now_ns, vspan keep,
			     uint64_t size);

#endif
