/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/rejudge.h -- judges the results of a run again, without the device,
 * from the files of each case.
 */
#ifndef CLI_RUN_REJUDGE_H
#define CLI_RUN_REJUDGE_H

#include "base/text.h"
#include "cli/file/manifest.h"
#include "suite/dut/dut.h"
#include "suite/run/run.h"
#include "suite/verdict/record.h"
#include "suite/verdict/starts.h"

enum rejudged {
	REJUDGED_SAME,      /* the case, judged again, gives the same result */
	REJUDGED_DIFFERENT, /* it does not; the text says where it differs */
	REJUDGED_BARE,      /* the run kept no transcript of it */
	REJUDGED_DAMAGED,   /* a file is missing or cannot be read; the same */
	REJUDGED_COUNT,
};

struct rejudge {
	const char *who; /* prefix of messages */
	const char *out; /* the folder of the run, as the user named it */
	int dir;         /* the open folder */
	const struct manifest *manifest;
	const volatile bool *stop; /* ends a case when true */
	/* filled in by rejudge_case */
	struct dut *dut;
	struct runner *runner;
	enum family family; /* of |runner| */
	struct starts *starts;
	/* the new verdict, if the transcript held all that the case needs */
	bool judged;
	enum verdict verdict;
};

/*
 * rejudge_case judges result |at| of the run again: it runs the case in the
 * folder against the transcript, with the declaration, seed and options of the
 * run, and compares the new record with the stored one, and the files that are
 * made of it: capture, ladder, control channel, integrity.  Call it in the
 * order of the results.
 *
 * |why| becomes one line without its end: the first difference, or what is
 * damaged.
 *
 * Return: 0 and *ret; EXIT_HARNESS: no memory, after a message.
 * Owner:  rejudge_free, also after an error.
 */
int rejudge_case(struct rejudge *j, size_t at, enum rejudged *ret,
		 struct text *why);
void rejudge_free(struct rejudge *j);

#endif
