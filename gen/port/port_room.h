/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_room.h -- bounded waiting for room to send, for
 * gen/port/port_*.c only.
 *
 * A full socket wakes a poll when it drains.  A full queueing discipline does
 * not: the socket has room all the while, and each send is refused with
 * ENOBUFS.  Either may last for ever.
 */
#ifndef GEN_PORT_PORT_ROOM_H
#define GEN_PORT_PORT_ROOM_H

#include <stdbool.h>

#include "base/vtime.h"

/* The longest that one send waits, and the one behind a refused send. */
#define PORT_ROOM_TIME  (100 * VSPAN_MS)
#define PORT_ROOM_AGAIN (2 * VSPAN_MS)

/* All zero at the start; one for each queue. */
struct port_room {
	vtime until;  /* (waits) deadline */
	bool waits;   /* a send was refused and is tried again */
	bool refused; /* the last send was given up */
};

/* port_room_none returns true if an errno means that there is no room. */
bool port_room_none(int error);

/*
 * port_room_wait waits for room after a send on |fd| has failed with errno.
 *
 * Return: true: retry; false: give up, errno unchanged.
 */
bool port_room_wait(struct port_room *r, int fd);

/* port_room_found records that a send succeeded. */
static inline void port_room_found(struct port_room *r)
{
	r->waits = r->refused = false;
}

#endif
