/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/tap.h -- captures of a run: SEED@ADDRESS.pcapng at the link of
 * each end, and SEED@middle.pcapng at a point between the ends.
 *
 * An end's capture holds the packets that the end sent, before the link
 * impaired them, and those that arrived.  A generator of the tap's own draws,
 * for each packet, whether the link loses, copies, delays or changes it before
 * or behind the middle: a run is the same with captures and without.
 *
 * A packet that the link forged or changed on purpose has a comment that begins
 * with "forged".
 */
#ifndef TESTS_SOAK_TAP_H
#define TESTS_SOAK_TAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/dgram.h"

/* Places: the two sides, and the point between them. */
enum { TAP_MIDDLE = 2, TAPS };

struct tap;

/*
 * tap_new makes a tap for runs whose captures go to the folder |dir|; NULL if
 * there is no memory.
 */
struct tap *tap_new(const char *dir);
void tap_free(struct tap *t);

/*
 * tap_open begins the captures of a run.  |hop| is the shortest delay from end
 * to end; a part of it, drawn for the run, lies before the middle. |icrc|: the
 * packets lack their ICRC, which the tap adds.
 */
void tap_open(struct tap *t, uint64_t seed, const struct ip_addr *a,
	      const struct ip_addr *b, vspan hop, bool icrc);

/* tap_close writes the files, and exits if that fails. */
void tap_close(struct tap *t);

/*
 * tap_arrives adds a packet to the capture of |side|; |mark| is a comment or
 * NULL.  It does nothing if no captures are open, or if |t| is NULL.
 */
void tap_arrives(struct tap *t, unsigned side, vtime at, const struct dgram *d,
		 const char *mark);

/*
 * tap_draw draws for the next packet whether it is impaired behind the middle.
 */
void tap_draw(struct tap *t);

/*
 * tap_sent: |from| sends the packet at |at|.  The middle captures it unchanged
 * if it is impaired behind the middle.
 */
void tap_sent(struct tap *t, unsigned from, vtime at, const struct dgram *d,
	      const char *mark);

/*
 * tap_flies: the link delivers the last drawn packet to |to| at |arrival|,
 * after impairing it.  The middle captures it so if it is impaired before the
 * middle.
 */
void tap_flies(struct tap *t, unsigned to, vtime arrival, const struct dgram *d,
	       const char *mark);

#endif
