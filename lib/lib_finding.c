/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_finding.c -- findings and requirements, for rung.h.
 */
#include "lib/lib_finding.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "judge/req.h"
#include "wire/addr.h"

_Static_assert(RUNG_SRC == (int)REQ_SRC && RUNG_DST == (int)REQ_DST,
	       "the roles of rung.h are those of judge/req.h");

int rung_requirement(unsigned row, struct rung_requirement *ret)
{
	const struct req *q;

	if (row >= REQ_COUNT)
		return RUNG_VALUE;
	q = req_get((enum req_id)row);
	*ret = (struct rung_requirement){.id = q->id,
					 .statement = q->statement,
					 .level = *req_level_name(q->level),
					 .roles = q->role};
	return REQ_COUNT;
}

void lib_finding(struct rung_finding *ret, enum req_id req, enum req_role role,
		 uint32_t frame)
{
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->requirement, sizeof(ret->requirement), "%s/%s",
		 req_get(req)->id, req_role_name(role));
	ret->row = (uint32_t)req;
	ret->role = (enum rung_role)role;
	ret->frame = frame;
	ret->flow = RUNG_NO_FLOW;
}

void lib_finding_judged(struct rung_finding *ret, const struct finding *f)
{
	lib_finding(ret, f->req, f->role, f->frame);
	ip_addr_print(&f->side, ret->side);
	snprintf(ret->text, sizeof(ret->text), "%s", f->text);
	snprintf(ret->expected, sizeof(ret->expected), "%s", f->expected);
	snprintf(ret->actual, sizeof(ret->actual), "%s", f->actual);
	ret->timing = f->timing;
	if (f->flow == JUDGE_NO_FLOW)
		return;
	ret->flow = f->flow;
	for (unsigned i = 0; i < 2; i++) {
		ip_addr_print(&f->ends[i], ret->ends[i]);
		ret->pdcid[i] = f->pdcid[i];
	}
}
