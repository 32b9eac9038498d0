/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_found.h -- tells a finding as text, as files in the
 * folder of --out, and as the folder of a run without a device.
 */
#ifndef CLI_EXPLORE_EXPLORE_FOUND_H
#define CLI_EXPLORE_EXPLORE_FOUND_H

#include "cli/explore/exploring.h"

/*
 * explore_put_file writes |t| as the file NAME and END into the folder of
 * --out.
 * Return: 0, or EXIT_HARNESS after a message.
 */
int explore_put_file(const struct exploring *e, const char *name,
		     const char *end, const struct text *t);

/*
 * explore_gone_folder counts a run after which the device was gone, and writes
 * its folder into that of --out.  It is the |gone| of struct explore_conf;
 * |ctx| is the struct exploring.  After an error e->failed is an exit code.
 * Return: the number of the run among these.
 */
unsigned explore_gone_folder(void *ctx, const struct record *r);

/*
 * explore_found prints a finding, and writes its case and its log of choices
 * into the folder of --out.  It is the |found| of struct explore_conf.  After
 * an error e->failed is an exit code, and the case was printed.
 */
void explore_found(void *ctx, const struct explore_finding *f);

#endif
