/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port_out.h -- what became of the packets that a port sent, for
 * gen/port_*.c only: they left at once, they waited in the machine's own queue,
 * or they left twice.
 */
#ifndef GEN_PORT_OUT_H
#define GEN_PORT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"

enum { PORT_OUT_KEPT = 64 }; /* packets whose time of departure is kept */

/* What leaves so much later than its send returned has waited in a queue. */
#define PORT_OUT_HELD (5 * VSPAN_MS)

struct port_out_packet {
	uint32_t key;
	vtime at;
	bool used, left;
};

/* Zero at the start. */
struct port_out {
	struct port_out_packet kept[PORT_OUT_KEPT];
	unsigned next;
};

enum port_out_what {
	PORT_OUT_UNKNOWN, /* it was not sent, or too long ago */
	PORT_OUT_LEFT,
	PORT_OUT_WAITED,
	PORT_OUT_TWICE, /* it had left already */
};

/* port_out_sent: a packet was given to the machine; |key| tells it from most
 * others. */
void port_out_sent(struct port_out *o, uint32_t key, vtime now);

/* port_out_left: one with this key was seen leaving. */
enum port_out_what port_out_left(struct port_out *o, uint32_t key, vtime at);

#endif
