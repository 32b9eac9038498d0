/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/origin.h -- recognises captures that rung has written.
 *
 * Interface and first comment show what the tester's impairments did to a
 * packet, its direction shows which end is the device, and further comments
 * hold the findings of the case (docs/reports.md).
 */
#ifndef DISSECTOR_ORIGIN_H
#define DISSECTOR_ORIGIN_H

#include <stdbool.h>

#include "dissector/compat.h"
#include "judge/req.h"

enum origin {
	ORIGIN_UNKNOWN,
	ORIGIN_OTHER, /* not written by rung */
	ORIGIN_LINK,
	ORIGIN_REMOVED,
	ORIGIN_ADDED,
	ORIGIN_DELAYED,
};

/* origin_reset forgets the interfaces of a file. */
void origin_reset(void);

/*
 * origin_of returns the fate of a packet.  *ret_behind is the frame, among
 * those of the same time, after which a delayed one crossed; 0: unknown.
 */
enum origin origin_of(const packet_info *pinfo, uint32_t *ret_behind);

/* origin_to_device returns true if the tester sent the packet. */
bool origin_to_device(const packet_info *pinfo);

/* A finding in a comment: "expected ..., got ... [RUD-SEQ-76/dst]". */
struct origin_finding {
	enum req_id req;
	enum req_role role;
	const char *text; /* lent; |len| characters, without the brackets */
	int len;
};

/* origin_findings calls |found| for each finding in a packet's comments. */
void origin_findings(const packet_info *pinfo,
		     void (*found)(void *arg, const struct origin_finding *f),
		     void *arg);

#endif
