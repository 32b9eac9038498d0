/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port_room.h -- bounded waiting for room to send, for gen/port_*.c only.
 *
 * A full socket wakes a poll when it drains.  A full queueing discipline does
 * not: the socket has room all the while, and each send is refused with
 * ENOBUFS.  Either may last for ever.
 */
#ifndef GEN_PORT_ROOM_H
#define GEN_PORT_ROOM_H

#include <stdbool.h>

#include "base/vtime.h"

/* The most that one send waits, and one behind it that was refused. */
#define PORT_ROOM_TIME  (100 * VSPAN_MS)
#define PORT_ROOM_AGAIN (2 * VSPAN_MS)

/* Zero at the start; one for each queue. */
struct port_room {
	vtime until;  /* (waits) */
	bool waits;   /* a send was refused and is tried again */
	bool refused; /* the last send was given up */
};

/* port_room_none says whether an errno tells that there is no room. */
bool port_room_none(int error);

/*
 * port_room_wait waits for room after a send on |fd| has failed, errno saying
 * why.
 * Return: true: try again; false: give the send up, errno as it was.
 */
bool port_room_wait(struct port_room *r, int fd);

/* port_room_found: a send succeeded. */
static inline void port_room_found(struct port_room *r)
{
	r->waits = r->refused = false;
}

#endif
