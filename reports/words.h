/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/words.h -- shortens lines of the control channel to a few words, and
 * quotes words for the shell.
 */
#ifndef REPORTS_WORDS_H
#define REPORTS_WORDS_H

#include <stdbool.h>

#include "base/text.h"

/*
 * words_control appends {"id":7,"verb":"send","len":64} as "send len=64": first
 * the verb, the event, "ok" or the error, then the other members without id and
 * peer.  With |brief| an event keeps only the members that distinguish it. Text
 * that is no JSON object is appended as it is, made printable.
 *
 * Return: true if more than "ok" was written.
 */
bool words_control(struct text *t, const char *line, bool brief);

/*
 * words_shell appends a string as one word of the shell, in quotes if it needs
 * them.
 */
void words_shell(struct text *t, const char *s);

#endif
