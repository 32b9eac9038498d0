/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/state.h -- what a packet is part of, as generated fields.
 *
 * The subtree "State": the number of the flow, links to other frames, and the
 * times between them; the same words for every family, "wqe.retx_of".
 */
#ifndef DISSECTOR_STATE_H
#define DISSECTOR_STATE_H

#include "dissector/compat.h"
#include "dissector/track.h"
#include "wire/family.h"

/* state_register registers the fields of a family; once, at the start. */
void state_register(int proto, enum family family);

/* state_show adds the subtree; |s| NULL: nothing is known. */
void state_show(enum family family, proto_tree *tree, tvbuff_t *tvb,
		const struct seen *s);

#endif
