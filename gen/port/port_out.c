/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_out.c -- keeps the last packets sent, oldest first.
 */
#include "gen/port/port_out.h"

void port_out_sent(struct port_out *o, uint32_t key, vtime now)
{
	o->kept[o->next] =
		(struct port_out_packet){.key = key, .at = now, .used = true};
	o->next = (o->next + 1) % PORT_OUT_KEPT;
}

enum port_out_what port_out_left(struct port_out *o, uint32_t key, vtime at)
{
	bool twice = false;

	for (unsigned i = 0; i < PORT_OUT_KEPT; i++) {
		struct port_out_packet *p =
			&o->kept[(o->next + i) % PORT_OUT_KEPT];

		if (!p->used || p->key != key)
			continue;
		twice |= p->left;
		if (p->left)
			continue;
		p->left = true;
		if (at - p->at > PORT_OUT_HELD)
			return PORT_OUT_WAITED;
		return PORT_OUT_LEFT;
	}
	if (twice)
		return PORT_OUT_TWICE;
	return PORT_OUT_UNKNOWN;
}
