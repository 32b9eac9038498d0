/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content.h -- compares what a device sends, delivers and
 * keeps in memory with what it was asked for and what the tester sent.
 *
 * The comparison needs no line of a case.  It runs over the record when the
 * steps of the case have ended.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_H
#define SUITE_RUN_CONTENT_CONTENT_H

#include "suite/run/run_state.h"

/* content_posted notes an operation that the device is asked for. */
void content_posted(struct runner *r, const struct orc_op *op);

/* content_exposed notes memory of the device, which begins at |start|. */
void content_exposed(struct runner *r, uint64_t key, uint64_t start,
		     uint32_t len);

/* content_restarted forgets both: the device starts again. */
void content_restarted(struct runner *r);

/*
 * content_check compares, and reports differences:
 *	I2          bytes of requests, of read data, of messages and memory
 *	UET-SES-35  fields of requests
 * It asks the device for checksums of its memory.
 */
void content_check(struct runner *r);

/* content_free frees what the functions above noted. */
void content_free(struct runner *r);

#endif
