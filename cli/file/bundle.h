/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/bundle.h -- the files that repeat one result: replay.json in the
 * folder of a case, and the declaration and the fragments beside it.
 *
 * docs/replay.schema.json describes replay.json.
 */
#ifndef CLI_FILE_BUNDLE_H
#define CLI_FILE_BUNDLE_H

#include "base/arena.h"
#include "base/text.h"
#include "reports/about.h"
#include "suite/verdict/record.h"

/* The options with which a run was started; NULL: not given. */
struct bundle {
	const char *dut, *control, *mutant;
	vspan timeout; /* 0: the default */
	bool strict, step_over;
	uint64_t seed; /* seed of the whole run */
	uint32_t repeat;
	const char *id;      /* "uet/rud/send-gtd-drop@target" */
	const char *section; /* "drop"; NULL: the plain case of case.lad */
	/* outcome of the case */
	const char *verdict, *reason;
};

/*
 * bundle_write writes into the open folder of a case replay.json, device.decl,
 * and the fragments that the case uses below common/. Errors: ERR_NOMEM,
 * ERR_SYS with errno.
 */
int bundle_write(int dir, const struct record *r, const struct about *a);

/*
 * bundle_id writes the id of the plain case of case.lad, without chair and
 * section; |ret| holds 256 bytes.
 */
void bundle_id(const struct bundle *b, char ret[256]);

/*
 * bundle_selector writes the selector of the case: DIR/case.lad:SECTION@CHAIR;
 * |ret| holds |size| bytes.
 */
void bundle_selector(const struct bundle *b, const char *dir, char *ret,
		     size_t size);

/*
 * bundle_read reads DIR/replay.json and prints errors after |who|.
 *
 * Owner:  texts lie on |arena|.
 *
 * Return: 0 or an exit code.
 */
int bundle_read(const char *who, const char *dir, struct arena *arena,
		struct bundle *ret);

#endif
