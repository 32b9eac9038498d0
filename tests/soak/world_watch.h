/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world_watch.h -- what is recorded of a world: the trace, the
 * captures, and the findings of the judges.
 */
#ifndef SOAK_WORLD_WATCH_H
#define SOAK_WORLD_WATCH_H

#include "tests/soak/world_state.h"

/* world_must returns |p|, and exits if it is NULL: there is no memory. */
void *world_must(void *p);

/* world_trimmed returns true for a packet that a switch has trimmed. */
bool world_trimmed(const struct world *w, const struct dgram *d);

/* world_plain_len returns the length of a packet without its CRC. */
size_t world_plain_len(const struct world *w, const struct dgram *d);

/* world_trace prints a packet that |from| sends; |what| follows it. */
void world_trace(struct world *w, unsigned from, const struct dgram *d,
		 const char *what);

/* world_note prints a comment in the trace. */
__attribute__((format(printf, 2, 3))) void world_note(struct world *w,
						      const char *fmt, ...);

/* world_capture begins the captures of a run, if there are any. */
void world_capture(struct world *w, uint64_t seed);

/*
 * world_mark marks the current packet in captures as forged; the comment names
 * the PDC of |d|, which is tampered with.
 */
void world_mark(struct world *w, const struct dgram *d);

/* world_open prepares the judge at |side| for a run. */
void world_open(struct world *w, unsigned side);

/* world_look passes a packet, without its CRC, to the judge at |side|. */
void world_look(struct world *w, unsigned side, const struct dgram *d);

/* world_end asks the judge at |side| for what is missing at the end. */
void world_end(struct world *w, unsigned side);

#endif
