/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/links.h -- links between the frames of a capture.
 */
#ifndef DISSECTOR_LINKS_H
#define DISSECTOR_LINKS_H

#include <stdbool.h>

#include "dissector/seen.h"
#include "lib/rung.h"
#include "wire/dgram.h"
#include "wire/packet.h"

/* links_open forgets the links of another capture. */
void links_open(void);

/*
 * links_judged links a packet, which |judge| judged last with the facts |x|, to
 * earlier frames.
 */
void links_judged(struct seen *s, const struct rung_judge *judge,
		  const struct rung_facts *x, const struct packet *pkt);

/* links_is_rudi returns true for a RUDI packet, which has no flow. */
bool links_is_rudi(const struct packet *pkt);

/* links_rudi links a RUDI request or answer to earlier frames. */
void links_rudi(struct seen *s, const struct packet *pkt,
		const struct dgram *d);

#endif
