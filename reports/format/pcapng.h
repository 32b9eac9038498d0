/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/pcapng.h -- a record as a capture file with comments.
 *
 * Interface 0, "link", has the packets that crossed; interface 1, "removed by
 * impairments", those that did not.  Each packet has a comment with its rung
 * and rung's notes, and one more comment for each finding.  Addresses have
 * names: tester and DUT.
 */
#ifndef REPORTS_FORMAT_PCAPNG_H
#define REPORTS_FORMAT_PCAPNG_H

#include <stdint.h>

#include "base/text.h"
#include "reports/about.h"
#include "suite/verdict/record.h"
#include "wire/frame/frame.h"

struct pcapng_opts {
	enum frame_link link; /* 0: FRAME_ETHERNET */
	struct frame_conf frame;
	/* wall-clock time of the record's time 0, since 1970 */
	uint64_t epoch_ns;
};

/*
 * pcapng_report appends the bytes of the whole file; |o| may be NULL.
 *
 * Errors:
 * - ERR_NOMEM
 * - ERR_VALUE the addresses of a packet are of different families
 */
int pcapng_report(struct text *t, const struct record *r, const struct about *a,
		  const struct pcapng_opts *o);

#endif
