/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/line_kind.h -- the kinds of lines below a chair.
 */
#ifndef SUITE_LANG_LINE_LINE_KIND_H
#define SUITE_LANG_LINE_LINE_KIND_H

#include "suite/lang/parse_state.h"

/* The modifiers of a line. */
enum {
	MOD_WITHIN = 1,
	MOD_AFTER = 2,
	MOD_LOST = 4,
	MOD_EXACT = 8,
	MOD_OPTIONAL = 16,
	MOD_TIMES = 32,
	MOD_CUT = 64,
	MOD_WHICH = 128,
	MOD_UNTIL = 256,
	MOD_FOR = 512,
	MOD_CRC = 1024,
	MOD_VIA = 2048,
	MOD_FLIGHT = 4096,
	MOD_EACH = 8192,
};

#define MOD_SEND                                                          \
	(MOD_AFTER | MOD_LOST | MOD_TIMES | MOD_CUT | MOD_CRC | MOD_VIA | \
	 MOD_EACH)

#define MOD_EXPECT                                                      \
	(MOD_WITHIN | MOD_AFTER | MOD_LOST | MOD_EXACT | MOD_OPTIONAL | \
	 MOD_TIMES | MOD_FOR | MOD_FLIGHT)

/* A kind of line: its first word, and the parts it may have. */
struct line_kind {
	const char *word;
	int (*parse)(struct parse *p, struct step *s);
	enum step_kind kind;
	unsigned mods;  /* the modifiers allowed on it */
	bool expecting; /* it can fail, so it needs ids */
	int which;      /* enum impair_action or report_kind */
};

#endif
