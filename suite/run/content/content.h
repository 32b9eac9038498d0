/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content.h -- compares the bytes that a device sends,
 * delivers and stores in memory with the posted operations and the tester's
 * packets.
 *
 * No line of a case asks for the comparison.  It runs over the record after the
 * steps of the case.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_H
#define SUITE_RUN_CONTENT_CONTENT_H

#include "suite/run/run_state.h"

/* content_posted notes an operation that was posted to the device. */
void content_posted(struct runner *r, const struct orc_op *op);

/*
 * content_exposed notes a memory region of the device that begins at |start|.
 */
void content_exposed(struct runner *r, uint64_t key, uint64_t start,
		     uint32_t len);

/* content_restarted discards both, because the device restarts. */
void content_restarted(struct runner *r);

/*
 * content_check compares, and reports differences:
 *	I2          bytes of requests, of read data, of messages and memory
 *	UET-SES-35  fields of requests
 * It asks the device for checksums of its memory.
 */
void content_check(struct runner *r);

/* content_free frees the notes of the functions above. */
void content_free(struct runner *r);

#endif
