/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/pcapng.h -- a record as a capture file with comments.
 *
 * Interface 0, "link", holds what crossed; interface 1, "removed by
 * impairments", what did not.  Each packet carries as a comment the rung it is
 * and what rung saw, and one more comment for each finding.  Addresses have
 * names: tester and DUT.
 */
#ifndef REPORTS_PCAPNG_H
#define REPORTS_PCAPNG_H

#include <stdint.h>

#include "base/text.h"
#include "reports/about.h"
#include "suite/record.h"
#include "wire/frame.h"

struct pcapng_opts {
	enum frame_link link; /* 0: FRAME_ETHERNET */
	struct frame_conf frame;
	uint64_t epoch_ns; /* when the record's time 0 was, since 1970 */
};

/*
 * pcapng_report appends the bytes of the whole file; |o| may be NULL.
 * Errors: ERR_NOMEM; ERR_VALUE the addresses of a packet do not go together.
 */
int pcapng_report(struct text *t, const struct record *r, const struct about *a,
		  const struct pcapng_opts *o);

#endif
