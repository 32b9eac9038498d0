/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_request.h -- which posted operation a request of
 * the device belongs to.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_REQUEST_H
#define SUITE_RUN_CONTENT_CONTENT_REQUEST_H

#include "suite/run/content/content_state.h"

/* content_post_of finds a posted operation by its handle; NULL: none. */
const struct orc_op *content_post_of(const struct content *c, uint32_t handle);

/* content_op_len returns the bytes of an operation; an atomic has an element.
 */
uint32_t content_op_len(const struct orc_op *op);

#endif
