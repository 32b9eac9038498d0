/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/chair.c -- the words of the chairs.
 */
#include "suite/lang/chair.h"

#include "suite/lang/case.h"

static const char *const chair_names[] = {
	[CHAIR_TARGET] = "target",
	[CHAIR_INITIATOR] = "initiator",
};

const char *chair_name(enum chair chair)
{
	if (chair < CHAIR_COUNT)
		return chair_names[chair];
	return "unknown";
}
