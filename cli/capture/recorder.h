/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/recorder.h -- a flight recorder: keeps the frames around findings
 * only, so that rung can judge a port for weeks.
 *
 * The last frames stay in memory.  When a device fails, a capture in a folder
 * begins with them, and goes on until a while after the last finding.  A frame
 * that shows a finding has it as a comment.  The folder's files are those of
 * cli/capture/kept_captures.h.
 */
#ifndef CLI_CAPTURE_RECORDER_H
#define CLI_CAPTURE_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "lib/rung.h"

#define RECORDER_SIZE_MIN 64 /* MiB of the smallest folder */

struct recorder_conf {
	const char *who;  /* begins messages */
	const char *dir;  /* the folder; it is made if it is missing */
	const char *file; /* the name of the source, for the findings */
	vspan keep;       /* age of the oldest capture */
	vspan around; /* kept before the first finding, and after the last */
	uint64_t mib; /* most MiB of the folder, at least RECORDER_SIZE_MIN */
	bool strict;  /* as for req_fails() */
};

struct recorder;

/*
 * recorder_new opens the folder and locks it for this process.  |conf| is lent
 * until recorder_end.
 *
 * Return: 0 or an exit code after a message.
 */
int recorder_new(struct recorder **ret, const struct recorder_conf *conf);

/*
 * recorder_frames takes the next |n| frames, before they are judged; their
 * bytes are copied.  |first| is the number of the first one.
 *
 * Shape:  |n| is at most RUNG_BATCH.
 */
void recorder_frames(struct recorder *r, const struct rung_frame *f, size_t n,
		     uint64_t first);

/* recorder_finding takes a finding about the frames so far. */
void recorder_finding(struct recorder *r, const struct rung_finding *f);

/*
 * recorder_end completes the capture that is open, and frees |r|; NULL:
 * nothing. *ret_captures is the number of captures that were written.
 *
 * Return: 0, or EXIT_HARNESS if a capture could not be written; the message
 *         came when it happened.
 */
int recorder_end(struct recorder *r, uint64_t *ret_captures);

#endif
