/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_sequences.h -- explores with many sequences, or with the
 * one of a log of choices.
 */
#ifndef CLI_EXPLORE_EXPLORE_SEQUENCES_H
#define CLI_EXPLORE_EXPLORE_SEQUENCES_H

#include "cli/explore/exploring.h"

/*
 * explore_many draws sequences, or covers what --strength and --boundary ask
 * for, until explore_goes_on returns false.  It prints the summary, and writes
 * the file of --json.
 * Return: an exit code, after a message if it is an error.
 */
int explore_many(struct exploring *e);

/*
 * explore_one runs the sequence of the log of choices |e->replay|, and prints
 * its case and whether the device failed.
 * Return: an exit code, after a message if it is an error.
 */
int explore_one(struct exploring *e);

#endif
