/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/resume.h -- the results of an earlier run in the folder of --out, for
 * 'rung run --resume'.
 */
#ifndef CLI_RUN_RESUME_H
#define CLI_RUN_RESUME_H

#include "cli/file/manifest.h"
#include "suite/verdict/record.h"

struct resume {
	const char *who;
	bool on; /* there is a run to resume */
	int dir; /* its folder, open and locked; -1: the output owns it */
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
 * resume_check rejects a run with another configuration.
 * Return: 0 or an exit code after a message.
 */
int resume_check(const struct resume *r, const struct manifest_conf *now);

/*
 * resume_recall reads the result of a case.  Threads may call it at the same
 * time.
 * Return: false if there is no complete result; a message names the error.
 */
bool resume_recall(const struct resume *r, int dir, const char *id,
		   uint32_t repeat, struct record *ret);

#endif
