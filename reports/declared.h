/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/declared.h -- the comment of a run's capture that says what "rung
 * check" has to know to judge as the run did.
 */
#ifndef REPORTS_DECLARED_H
#define REPORTS_DECLARED_H

#include "base/text.h"
#include "judge/judge.h"
#include "wire/crc.h"

struct declared {
	struct judge_conf judge; /* what a side declares, configured included */
	bool crc;                /* packets end in one */
	enum crc_order crc_order;
	vtime end;       /* when the run ended, ns since 1970 */
	uint32_t frames; /* packets of the capture */
};

/* declared_print appends it, one line without a newline. */
void declared_print(struct text *t, const struct declared *d);

/*
 * declared_parse reads it; what an older version did not write keeps the value
 * that it has in |ret|.
 */
void declared_parse(struct declared *ret, const char *s);

#endif
