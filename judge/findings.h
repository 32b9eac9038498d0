/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/findings.h -- how a monitor reports a finding.
 *
 * A monitor asks holds().  If the requirement is not met, it fills in the
 * finding with expected(), actual() and because().
 */
#ifndef JUDGE_FINDINGS_H
#define JUDGE_FINDINGS_H

#include "judge/uet/pkt_ctx.h"

/* judge_found is a new finding of the call that is going on, all of it 0. */
struct finding *judge_found(struct judge *j);

/* At the end of what was seen: one PSN that may lack something. */
struct absence {
	struct judge *j;
	const struct judge_conf *conf;
	struct flow *f;
	unsigned source; /* the end whose PSN space it is */
	struct dir *d;
	vtime now;
};

/* pkt_blame begins a finding against the sender of the packet. */
void pkt_blame(struct pkt_ctx *l, enum req_id req, enum req_role role);

/* shows counts that |req| was looked at and met, and nothing else. */
static inline void shows(struct pkt_ctx *l, enum req_id req, enum req_role role)
{
	l->seen[req][role == REQ_DST]++;
}

/* pkt_owed begins one against the receiver, for want of an answer to |frame|.
 */
void pkt_owed(struct pkt_ctx *l, enum req_id req, uint32_t frame);

/*
 * holds counts that |req| was looked at for the sender of the packet, and says
 * whether it is met.  If not, a finding is begun, and the three functions below
 * fill it in.
 */
static inline bool holds(struct pkt_ctx *l, enum req_id req, enum req_role role,
			 bool met)
{
	shows(l, req, role);
	if (!met)
		pkt_blame(l, req, role);
	return met;
}

/* lacks is the same for an absence: |end| is to blame, |frame| shows it. */
bool lacks(struct absence *a, enum req_id req, enum req_role role, unsigned end,
	   uint32_t frame, bool missing);

/* Texts of the finding just begun; l->j says which.  Long ones are cut. */
__attribute__((format(printf, 2, 3))) void expected(struct judge *j,
						    const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void actual(struct judge *j,
						  const char *fmt, ...);
/* too_early marks the finding as one of time. */
void too_early(struct judge *j);

__attribute__((format(printf, 2, 3))) void because(struct judge *j,
						   const char *fmt, ...);

#endif
