/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_message.h -- compares messages and reads.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_MESSAGE_H
#define SUITE_RUN_CONTENT_CONTENT_MESSAGE_H

#include "suite/run/content/content_state.h"

/* content_messages checks the checksums of messages that were delivered. */
void content_messages(struct content *c);

/*
 * content_completed checks that the device sent every byte of the sends and
 * writes that it completed; content_requests comes first.
 */
void content_completed(struct content *c);

/* content_reads checks the checksums of data that posted reads returned. */
void content_reads(struct content *c);

/*
 * content_bodies checks what the tester has read of rendezvous sends that were
 * posted; content_requests comes first.
 */
void content_bodies(struct content *c);

#endif
