/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/jury.h -- a capture judged by several threads, and what they found.
 *
 * Each juror reads the whole file by itself and judges the pairs of
 * addresses that are his, so nothing is handed from thread to thread.  What
 * comes out is in the order of the frames and the same for any number of them.
 *
 * A capture that "rung run" wrote is vouched for: it is judged at the device's
 * link, in the order of time, as far as it says what became of each packet.
 */
#ifndef CLI_JURY_H
#define CLI_JURY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/source.h"
#include "judge/watch.h"
#include "reports/verdicts.h"

#define JURY_MAX 64 /* threads */

struct jury_conf {
	const char *who;
	struct watch_conf watch; /* |part| and |parts| are filled in */
	unsigned jurors;
	size_t max_findings; /* kept; more are counted */
	bool flows;          /* keep their summaries */
	bool strict;
	const volatile bool *stop;
};

struct jury_flow {
	struct judge_flow flow; /* flow.tally is below */
	struct judge_tally tally;
};

struct jury_result {
	struct finding *findings; /* by frame; absences behind them */
	size_t nfindings;
	struct jury_flow *flows; /* by first frame */
	size_t nflows;
	struct verdict_req reqs[2 * REQ_COUNT]; /* seen or broken */
	size_t nreqs;
	struct watch_counts counts;
	struct judge_totals totals;
	struct verdict_sum sum; /* its pointers point into this struct */
	char error[200];
	int err; /* what ended the reading: 0, or as source_next */
};

/*
 * jury_conf_default is one juror somewhere on the way of the packets, who knows
 * nothing of the devices and may have come late.
 */
void jury_conf_default(struct jury_conf *ret, const char *who);

/*
 * jury_at places the jurors at the link of an address, jury_decl has them know
 * what a device declares: a file, or "ref" for the reference.  jury_trimmed
 * tells them the codepoints of trimmed packets: "26", or "26,28", the second
 * at the last hop.
 * Return: 0 or an exit code after a message.
 */
int jury_at(struct jury_conf *conf, const char *addr);
int jury_decl(struct jury_conf *conf, const char *path);
int jury_trimmed(struct jury_conf *conf, const char *points);

/*
 * jury_sit judges a source to its end.
 * Return: 0 or an exit code after a message; jury_free in either case.
 */
int jury_sit(const struct jury_conf *conf, struct source *s,
	     struct jury_result *ret);
void jury_free(struct jury_result *r);

#endif
