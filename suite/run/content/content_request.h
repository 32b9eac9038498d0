/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_request.h -- finds the posted operation to which a
 * device's request belongs, and compares the two.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_REQUEST_H
#define SUITE_RUN_CONTENT_CONTENT_REQUEST_H

#include "suite/run/content/content_state.h"

/* content_post_of returns the posted operation with that handle, or NULL. */
const struct orc_op *content_post_of(const struct content *c, uint32_t handle);

/*
 * content_op_len returns the length of an operation in bytes; for an atomic
 * that of an element.
 */
uint32_t content_op_len(const struct orc_op *op);

/* content_requests compares a device's requests with the posted operations. */
void content_requests(struct content *c);

#endif
