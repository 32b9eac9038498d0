/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/seen.c -- the table of the frames of a capture; Wireshark frees its
 * memory when the file is closed.
 */
#include "dissector/seen.h"

#include <string.h>

#include "judge/transport.h"

static struct {
	struct seen **frames; /* by frame number */
	uint32_t nframes;
} state;

void seen_reset(void)
{
	memset(&state, 0, sizeof(state));
}

struct seen *seen_at(uint32_t frame)
{
	if (frame < state.nframes)
		return state.frames[frame];
	return NULL;
}

static void seen_make_room(uint32_t frame)
{
	uint32_t n = state.nframes ? state.nframes : 1024;

	if (frame < state.nframes)
		return;
	while (n <= frame)
		n *= 2;
	state.frames = wmem_realloc(wmem_file_scope(), state.frames,
				    n * sizeof(*state.frames));
	memset(state.frames + state.nframes, 0,
	       (n - state.nframes) * sizeof(*state.frames));
	state.nframes = n;
}

struct seen *seen_new(uint32_t frame, vtime at)
{
	struct seen *s = wmem_new0(wmem_file_scope(), struct seen);

	seen_make_room(frame);
	state.frames[frame] = s;
	s->frame = frame;
	s->at = at;
	s->stream = SEEN_NO_STREAM;
	return s;
}

uint32_t seen_stream(const struct seen *s)
{
	return s->stream & ~judge_families[s->family]->flow_bit;
}
