/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/space.h -- which PSN space a serial number of a packet belongs
 * to, and how the figure's numbers stand for live ones.
 *
 * A PDC has two spaces: forward (requests of the initiator) and return (return
 * data of the target).  A request speaks of its sender's space, an ACK or NACK
 * of its receiver's.
 *
 * Spec: UET 3.5.8.2, 3.5.10 (uet.md 3, 6.2)
 */
#ifndef SUITE_VERDICT_SPACE_H
#define SUITE_VERDICT_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

/* How live PSNs become the numbers of the figure. */
struct psn_base {
	bool narrow; /* PSNs have 24 bits */
	bool fwd_set, ret_set;
	uint32_t fwd_live,
		fwd_figure; /* live number that shows as the figure's */
	uint32_t ret_live, ret_figure;
};

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
 * psn_shown is the number by which ladders and texts show a live one: the
 * figure's.  Both directions of a UET PDC have one Start_PSN, so that a return
 * direction without a base of its own takes that of the forward one.
 */
uint32_t psn_shown(const struct psn_base *base, enum psn_space space,
		   uint32_t psn);

/*
 * psn_figure_text copies a monitor's text and writes the live PSNs in it as
 * they are shown: those behind "psn=", "PSN ", "up to ", "from " and "to "
 * that are near the base of the space.  With |wire| the live number stands
 * behind in brackets where it differs, as is right in a sentence.
 *
 * Shape:  |ret| holds |size| bytes; the text is cut to fit.
 */
void psn_figure_text(const struct psn_base *base, enum psn_space space,
		     const char *text, bool wire, char *ret, size_t size);

#endif
