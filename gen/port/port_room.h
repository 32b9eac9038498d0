/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_room.h -- bounded waiting for room to send, for
 * gen/port/port_*.c only.
 *
 * A poll wakes up when a full socket drains.  It does not when a full queueing
 * discipline drains: the socket itself has room, and each send fails with
 * ENOBUFS. Either may last for ever.
 */
#ifndef GEN_PORT_PORT_ROOM_H
#define GEN_PORT_PORT_ROOM_H

#include <stdbool.h>

#include "base/vtime.h"

/* The longest wait of a send, and of a send after a refused one. */
#define PORT_ROOM_TIME  (100 * VSPAN_MS)
#define PORT_ROOM_AGAIN (2 * VSPAN_MS)

/* All zero at the start; one for each queue. */
struct port_room {
	vtime until;  /* deadline, if |waits| */
	bool waits;   /* a send was refused and will be retried */
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
