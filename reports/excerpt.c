/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/excerpt.c -- shortens a long text at the ends of lines.
 */
#include "reports/excerpt.h"

#include <string.h>

/* Returns the length of the whole lines in the first |room| bytes of |s|. */
static size_t excerpt_head(const char *s, size_t room)
{
	while (room && s[room - 1] != '\n')
		room--;
	return room;
}

/* Returns the first byte of the whole lines in the last |room| bytes. */
static size_t excerpt_tail(const char *s, size_t len, size_t room)
{
	size_t at = len - room;

	while (at && at < len && s[at - 1] != '\n')
		at++;
	return at;
}

void excerpt_add(struct text *t, const char *s, size_t most, const char *whole)
{
	const size_t len = strlen(s);
	size_t head, tail;

	if (len <= most) {
		text_add(t, s, len);
		return;
	}
	head = excerpt_head(s, most / 4);
	tail = excerpt_tail(s, len, most - most / 4);
	text_add(t, s, head);
	text_printf(t, "[rung left out %zu of %zu bytes here; %s]\n",
		    tail - head, len, whole);
	text_add(t, s + tail, len - tail);
}
