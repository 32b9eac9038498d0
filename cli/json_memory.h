/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/json_memory.h -- memory for jansson, in which no allocation may fail.
 *
 * After a failed allocation inside a string, jansson's parser continues and
 * reads past the end of its buffer.  So if the system has no memory, the
 * allocation comes from a reserve of the program.  When the reserve is used up,
 * the program ends with a message and EXIT_HARNESS.
 */
#ifndef CLI_JSON_MEMORY_H
#define CLI_JSON_MEMORY_H

/* json_memory_use makes jansson use this memory.  Call it first. */
void json_memory_use(void);

#endif
