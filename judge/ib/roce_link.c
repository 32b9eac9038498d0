/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/roce_link.c -- looks up the state of a PSN of a RoCEv2 connection.
 */
#include "judge/ib/roce_link.h"

#include "base/serial.h"

struct roce_psn *roce_known(const struct roce_item *x, uint32_t psn)
{
	struct roce_psn *k = &x->psns[psn & (ROCE_WINDOW - 1)];

	if (k->owner == x->c->owner && k->psn == psn)
		return k;
	return NULL;
}

const struct roce_span *roce_read_of(const struct roce_link *c, uint32_t psn)
{
	for (unsigned i = 0; i < ROCE_READS; i++)
		if (psn - c->reads[i].psn < c->reads[i].n)
			return &c->reads[i];
	return NULL;
}

bool roce_may_be_read(const struct roce_link *c, uint32_t psn)
{
	for (unsigned i = 0; i < ROCE_READS; i++)
		if (psn - c->reads[i].psn < c->reads[i].most)
			return true;
	return false;
}

uint32_t roce_arrived_to(const struct roce_item *x, uint32_t psn, uint32_t end)
{
	while (serial_before(psn, end)) {
		const struct roce_psn *k = roce_known(x, psn);
		const struct roce_span *r = k ? NULL : roce_read_of(x->c, psn);

		if (!k && !r && !roce_may_be_read(x->c, psn))
			return psn;
		psn = k ? psn + k->n : r ? r->psn + r->n : psn + 1;
	}
	return end;
}
