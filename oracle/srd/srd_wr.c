/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_wr.c -- queues of send WRs without a PSN.
 */
#include "oracle/srd/srd_wr.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/srd/srd_state.h"

bool srd_wr_add(struct srd *s, struct srd_queue *q, const struct srd_wr *wr)
{
	struct srd_wr *copy = s->spare;

	if (copy)
		s->spare = copy->next;
	else
		copy = mem_new(&s->env.mem, sizeof(*copy));
	if (!copy)
		return false;
	*copy = *wr;
	copy->next = NULL;
	if (q->first)
		q->last->next = copy;
	else
		q->first = copy;
	q->last = copy;
	return true;
}

bool srd_wr_take(struct srd *s, struct srd_queue *q, struct srd_wr *ret)
{
	struct srd_wr *wr = q->first;

	if (!wr)
		return false;
	*ret = *wr;
	q->first = wr->next;
	wr->next = s->spare;
	s->spare = wr;
	return true;
}
