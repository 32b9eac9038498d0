/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/tap.h -- captures of a run: SEED@ADDRESS.pcapng as the link of
 * that end saw it, and SEED@middle.pcapng as a point between the ends did.
 *
 * An end's capture holds what the end sent, before the link touched it, and
 * what arrived.  Whether a packet is lost, copied, delayed or changed before
 * the middle or behind it is drawn for each packet, by a generator of the tap's
 * own: a run is the same with captures and without.
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

/* tap_new makes one for runs whose captures go to the folder |dir|; NULL: no
 * memory. */
struct tap *tap_new(const char *dir);
void tap_free(struct tap *t);

/*
 * tap_open begins the captures of a run.  |hop| is the shortest time from end
 * to end; a packet spends a part of it, drawn for the run, before the middle.
 * |icrc|: the packets lack the ICRC that real ones end in, and get it.
 */
void tap_open(struct tap *t, uint64_t seed, const struct ip_addr *a,
	      const struct ip_addr *b, vspan hop, bool icrc);

/* tap_close writes the files.  Exits if they cannot be written. */
void tap_close(struct tap *t);

/* tap_arrives adds a packet to the capture of |side|; |mark| is a comment or
 * NULL.  Nothing is added to captures that are not open, or if |t| is NULL. */
void tap_arrives(struct tap *t, unsigned side, vtime at, const struct dgram *d,
		 const char *mark);

/* tap_draw draws for the next packet whether what befalls it happens behind the
 * middle. */
void tap_draw(struct tap *t);

/* tap_sent: |from| sends the packet at |at|.  The middle sees it so if what
 * befalls it happens behind. */
void tap_sent(struct tap *t, unsigned from, vtime at, const struct dgram *d,
	      const char *mark);

/* tap_flies: what the link made of the packet that was drawn last reaches |to|
 * at |arrival|.  The middle sees it if all that befell it happened before. */
void tap_flies(struct tap *t, unsigned to, vtime arrival, const struct dgram *d,
	       const char *mark);

#endif
