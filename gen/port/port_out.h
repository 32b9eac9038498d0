/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_out.h -- the fate of the packets that a port sent, for
 * gen/port/port_*.c only: they left at once, they waited in the machine's own
 * queue, or they left twice.
 */
#ifndef GEN_PORT_PORT_OUT_H
#define GEN_PORT_PORT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

enum { PORT_OUT_KEPT = 64 }; /* packets whose send time is kept */

/* A packet that leaves so much later than its send returned was queued. */
#define PORT_OUT_HELD (5 * VSPAN_MS)

struct port_out_packet {
	uint32_t key;
	vtime at;
	bool used, left;
};

/* All zero at the start. */
struct port_out {
	struct port_out_packet kept[PORT_OUT_KEPT];
	unsigned next;
};

enum port_out_what {
	PORT_OUT_UNKNOWN, /* not sent, or sent too long ago */
	PORT_OUT_LEFT,
	PORT_OUT_WAITED,
	PORT_OUT_TWICE, /* already seen leaving */
};

/*
 * port_out_sent records a packet that was sent; |key| differs for most packets.
 */
void port_out_sent(struct port_out *o, uint32_t key, vtime now);

/*
 * port_out_left records that the capture showed a packet with this key leaving.
 */
enum port_out_what port_out_left(struct port_out *o, uint32_t key, vtime at);

#endif
