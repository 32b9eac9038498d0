/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/state.h -- shows the flow state of a packet as generated fields.
 *
 * The subtree "State" has the number of the flow, links to other frames, and
 * the times between them, with the same words for every family: "wqe.retx_of".
 */
#ifndef DISSECTOR_STATE_H
#define DISSECTOR_STATE_H

#include "dissector/compat.h"
#include "dissector/track.h"
#include "wire/family.h"

/* state_register registers the fields of a family; called once, at start-up. */
void state_register(int proto, enum family family);

/* state_show adds the subtree; |s| NULL: the packet has no state. */
void state_show(enum family family, proto_tree *tree, tvbuff_t *tvb,
		const struct seen *s);

#endif
