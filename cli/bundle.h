/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/bundle.h -- what is needed to repeat one result: replay.json in the
 * folder of a case, the declaration and the fragments beside it.
 *
 * docs/replay.schema.json says what it holds.
 */
#ifndef CLI_BUNDLE_H
#define CLI_BUNDLE_H

#include "base/arena.h"
#include "base/text.h"
#include "reports/about.h"
#include "suite/record.h"

/* How a run was started: what its options said, or NULL. */
struct bundle {
	const char *dut, *control, *mutant;
	vspan timeout; /* 0: the default */
	bool strict, step_over;
	uint64_t seed; /* of the whole run */
	uint32_t repeat;
	const char *id; /* "uet/rud/send-gtd@target" */
	/* what it came to */
	const char *verdict, *reason;
};

/*
 * bundle_write writes into the open folder of a case replay.json, device.decl,
 * and the fragments that the case uses below common/. Errors: ERR_NOMEM,
 * ERR_SYS with errno.
 */
int bundle_write(int dir, const struct record *r, const struct about *a);

/*
 * bundle_read reads DIR/replay.json; what is wrong is told after |who|.
 * Owner:  texts lie on |arena|.
 * Return: 0 or an exit code.
 */
int bundle_read(const char *who, const char *dir, struct arena *arena,
		struct bundle *ret);

#endif
