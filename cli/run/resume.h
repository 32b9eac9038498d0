/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/resume.h -- the results that an earlier run left in the folder of
 * --out, for 'rung run --resume'.
 */
#ifndef CLI_RUN_RESUME_H
#define CLI_RUN_RESUME_H

#include "cli/file/manifest.h"
#include "suite/verdict/record.h"

struct resume {
	const char *who;
	bool on; /* there is a run to go on with */
	int dir; /* its folder, open and locked; -1: the output has it */
	const char *out;
	struct manifest manifest;
};

/*
 * resume_open looks for a run in the folder |out|.  Without one, ret->on is
 * false after a message: the run starts from the beginning.
 * Return: 0 or an exit code after a message.  resume_free in any case.
 */
int resume_open(struct resume *ret, const char *who, const char *out);
void resume_free(struct resume *r);

/*
 * resume_check refuses to go on with a run that was asked for something else.
 * Return: 0 or an exit code after a message.
 */
int resume_check(const struct resume *r, const struct manifest_conf *now);

/*
 * resume_recall reads the result of a case.  False: there is none that is
 * complete; a message says what is wrong with it.  Threads may call it
 * at the same time.
 */
bool resume_recall(const struct resume *r, int dir, const char *id,
		   uint32_t repeat, struct record *ret);

#endif
