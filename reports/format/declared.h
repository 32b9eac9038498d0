/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/declared.h -- the comment in a run's capture with the run's
 * judge configuration, which "rung check" reads.
 */
#ifndef REPORTS_FORMAT_DECLARED_H
#define REPORTS_FORMAT_DECLARED_H

#include "base/text.h"
#include "judge/judge.h"
#include "wire/frame/crc.h"

struct declared {
	/* a side's declaration, |configured| included */
	struct judge_conf judge;
	bool crc; /* packets end in a CRC */
	enum crc_order crc_order;
	vtime end;       /* when the run ended, ns since 1970 */
	uint32_t frames; /* packets of the capture */
};

/* declared_print appends the comment as one line without a newline. */
void declared_print(struct text *t, const struct declared *d);

/*
 * declared_parse reads the comment; members that an older version did not write
 * keep their value in |ret|.
 */
void declared_parse(struct declared *ret, const char *s);

#endif
