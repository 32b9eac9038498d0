/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/space.h -- finds the PSN space of a serial number, and maps
 * live numbers to the figure's.
 *
 * A PDC has two spaces: forward (requests of the initiator) and return (return
 * data of the target).  Numbers in a request are in its sender's space, those
 * in an ACK or NACK in its receiver's.
 *
 * Spec: UET 3.5.8.2, 3.5.10 (uet.md 3, 6.2)
 */
#ifndef SUITE_VERDICT_SPACE_H
#define SUITE_VERDICT_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

/* Maps live PSNs to the numbers of the figure. */
struct psn_base {
	bool narrow; /* PSNs have 24 bits */
	bool fwd_set, ret_set;
	uint32_t fwd_live,
		fwd_figure; /* the live number that is shown as the figure's */
	uint32_t ret_live, ret_figure;
};

enum psn_space {
	SPACE_NONE, /* not a PSN, or one that is shown unchanged */
	SPACE_FORWARD,
	SPACE_RETURN,
};

/*
 * psn_space_of returns the space of a field (or derived value) of a packet;
 * |initiator| tells whether the PDC's initiator sent the packet.
 */
enum psn_space psn_space_of(const struct packet *pkt, const char *field,
			    bool initiator);

/*
 * psn_to_figure maps a live number to the figure's, psn_to_live back;
 * without a base the number is unchanged.
 */
uint32_t psn_to_figure(const struct psn_base *base, enum psn_space space,
		       uint32_t psn);
uint32_t psn_to_live(const struct psn_base *base, enum psn_space space,
		     uint32_t figure);

/*
 * psn_shown returns the number that ladders and texts show for a live one: the
 * figure's.  Both directions of a UET PDC have one Start_PSN, so a return
 * direction without a base uses that of the forward direction.
 */
uint32_t psn_shown(const struct psn_base *base, enum psn_space space,
		   uint32_t psn);

/*
 * psn_figure_text copies a monitor's text and replaces the live PSNs in it by
 * the numbers shown: those after "psn=", "PSN ", "up to ", "from " and "to "
 * that are near the base of the space.  With |wire| the live number follows in
 * brackets if it differs.
 *
 * Shape:  |ret| holds |size| bytes; the text is cut to fit.
 */
void psn_figure_text(const struct psn_base *base, enum psn_space space,
		     const char *text, bool wire, char *ret, size_t size);

#endif
