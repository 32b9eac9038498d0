/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/json_memory.h -- memory for jansson, which cannot do without.
 *
 * Its reader passes over a failed allocation inside a string and then reads
 * past the end of what it has.  So no allocation of it fails: what the system
 * does not give comes from a reserve of the program, and once that is used up
 * the program ends with a message and EXIT_HARNESS.
 */
#ifndef CLI_JSON_MEMORY_H
#define CLI_JSON_MEMORY_H

/* json_memory_use makes jansson allocate so.  It is called before all else. */
void json_memory_use(void);

#endif
