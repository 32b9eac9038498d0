/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/space.h -- which PSN space a serial number of a packet belongs to, and
 * how the figure's numbers stand for live ones.
 *
 * A PDC has two spaces: forward (requests of the initiator) and return (return
 * data of the target).  A request speaks of its sender's space, an ACK or NACK
 * of its receiver's.
 *
 * Spec: UET 3.5.8.2, 3.5.10 (uet.md 3, 6.2)
 */
#ifndef SUITE_SPACE_H
#define SUITE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/record.h"
#include "wire/packet.h"

enum psn_space {
	SPACE_NONE, /* no PSN, or one that must be taken as it is */
	SPACE_FORWARD,
	SPACE_RETURN,
};

/*
 * psn_space_of says which space a field (or derived value) of a packet lies in;
 * |initiator| tells whether the PDC's initiator sent the packet.
 */
enum psn_space psn_space_of(const struct packet *pkt, const char *field,
			    bool initiator);

/* Live number to the figure's and back; without a base the number itself. */
uint32_t psn_to_figure(const struct psn_base *base, enum psn_space space,
		       uint32_t psn);
uint32_t psn_to_live(const struct psn_base *base, enum psn_space space,
		     uint32_t figure);

/*
 * psn_figure_text copies a monitor's text and writes the live PSNs in it as the
 * figure's numbers: those behind "psn=", "PSN ", "up to ", "from " and "to "
 * that are near the base of the space.
 *
 * Shape:  |ret| holds |size| bytes; the text is cut to fit.
 */
void psn_figure_text(const struct psn_base *base, enum psn_space space,
		     const char *text, char *ret, size_t size);

#endif
