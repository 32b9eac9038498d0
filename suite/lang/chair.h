/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/chair.h -- the words of the chairs.
 */
#ifndef SUITE_LANG_CHAIR_H
#define SUITE_LANG_CHAIR_H

#include "suite/lang/case.h"

/* chair_name returns "target" or "initiator". */
const char *chair_name(enum chair chair);

#endif
