/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/run_id.h -- the id that all files of a run name.
 */
#ifndef CLI_FILE_RUN_ID_H
#define CLI_FILE_RUN_ID_H

/*
 * run_id_draw draws an id that no other run has: 32 hexadecimal digits and a
 * NUL.
 * Return: 0, or EXIT_HARNESS after a message that begins with |who|.
 */
int run_id_draw(const char *who, char ret[33]);

#endif
