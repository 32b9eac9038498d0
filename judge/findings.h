/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/findings.h -- how a monitor reports a finding.
 *
 * A monitor calls holds().  If the requirement is not met, it fills in the
 * finding with expected(), actual() and because().
 */
#ifndef JUDGE_FINDINGS_H
#define JUDGE_FINDINGS_H

#include "judge/uet/pkt_ctx.h"

/* judge_found adds a zeroed finding to the output of the current call. */
struct finding *judge_found(struct judge *j);

/* A PSN for which something may be missing when the capture ends. */
struct absence {
	struct judge *j;
	const struct judge_conf *conf;
	struct flow *f;
	unsigned source; /* the end that assigned the PSN */
	struct dir *d;
	vtime now;
};

/* pkt_blame begins a finding against the sender of the packet. */
void pkt_blame(struct pkt_ctx *l, enum req_id req, enum req_role role);

/* shows counts a check of |req| that found no violation. */
static inline void shows(struct pkt_ctx *l, enum req_id req, enum req_role role)
{
	l->seen[req][role == REQ_DST]++;
}

/*
 * pkt_owed begins a finding against the receiver, which did not answer |frame|.
 */
void pkt_owed(struct pkt_ctx *l, enum req_id req, uint32_t frame);

/*
 * holds counts a check of |req| for the sender of the packet, and returns
 * |met|.  If |met| is false, it begins a finding, which the three functions
 * below fill in.
 */
static inline bool holds(struct pkt_ctx *l, enum req_id req, enum req_role role,
			 bool met)
{
	shows(l, req, role);
	if (!met)
		pkt_blame(l, req, role);
	return met;
}

/* lacks is holds() for an absence: |end| is to blame, |frame| shows it. */
bool lacks(struct absence *a, enum req_id req, enum req_role role, unsigned end,
	   uint32_t frame, bool missing);

/*
 * These functions set the texts of the finding that was begun last, l->j->ret.
 * They truncate long texts.
 */
__attribute__((format(printf, 2, 3))) void expected(struct judge *j,
						    const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void actual(struct judge *j,
						  const char *fmt, ...);
/* too_early marks the finding as a violation of time only. */
void too_early(struct judge *j);
/*
 * unless_unread says that a device which left the packet unread for |span|, in
 * ns, explains the finding.
 */
void unless_unread(struct judge *j, vspan span);

__attribute__((format(printf, 2, 3))) void because(struct judge *j,
						   const char *fmt, ...);

#endif
