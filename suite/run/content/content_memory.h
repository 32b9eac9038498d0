/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_memory.h -- compares the memory of a target.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_MEMORY_H
#define SUITE_RUN_CONTENT_CONTENT_MEMORY_H

#include "suite/run/content/content_state.h"

/* content_memory follows the memory of a target, and checks read data. */
void content_memory(struct content *c);

/* content_look asks the device for checksums of the memory around writes. */
void content_look(struct content *c);

#endif
