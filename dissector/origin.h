/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/origin.h -- captures that rung itself has written.
 *
 * They say by interface and first comment what the tester's impairments did to
 * a packet, by its direction who the device is, and in more comments what the
 * case found (docs/reports.md).
 */
#ifndef DISSECTOR_ORIGIN_H
#define DISSECTOR_ORIGIN_H

#include <stdbool.h>

#include "dissector/compat.h"
#include "judge/req.h"

enum origin {
	ORIGIN_UNKNOWN,
	ORIGIN_OTHER, /* not rung's */
	ORIGIN_LINK,
	ORIGIN_REMOVED,
	ORIGIN_ADDED,
	ORIGIN_DELAYED,
};

/* origin_reset forgets the interfaces of a file. */
void origin_reset(void);

/*
 * origin_of says what became of a packet.  *ret_behind is the frame after which
 * a delayed one crossed, among those of the same time; 0: not told.
 */
enum origin origin_of(const packet_info *pinfo, uint32_t *ret_behind);

/* origin_to_device: it was sent by the tester. */
bool origin_to_device(const packet_info *pinfo);

/* A finding in a comment: "expected ..., got ... [RUD-SEQ-76/dst]". */
struct origin_finding {
	enum req_id req;
	enum req_role role;
	const char *text; /* lent; |len| characters, without the brackets */
	int len;
};

/* origin_findings calls back for each finding in a packet's comments. */
void origin_findings(const packet_info *pinfo,
		     void (*found)(void *arg, const struct origin_finding *f),
		     void *arg);

#endif
