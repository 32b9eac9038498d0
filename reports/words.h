/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/words.h -- lines of the control channel in a few words.
 */
#ifndef REPORTS_WORDS_H
#define REPORTS_WORDS_H

#include <stdbool.h>

#include "base/text.h"

/*
 * words_control appends {"id":7,"verb":"send","len":64} as "send len=64":
 * first the verb, the event, "ok" or the error, then the other members without
 * id and peer.  With |brief| an event keeps only what tells it from its like.
 * What is no JSON object is appended as it is, made printable.
 *
 * Return: whether more than "ok" was said.
 */
bool words_control(struct text *t, const char *line, bool brief);

#endif
