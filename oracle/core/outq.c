/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/outq.c -- queues finished small datagrams for poll_tx.
 */
#include "oracle/core/outq.h"

#include <string.h>

#include "base/memory.h"

uint8_t *outq_add(struct outq *q, struct mem *m, const struct outq_head *head)
{
	const size_t need = sizeof(*head) + head->len;
	uint8_t *bytes =
		mem_grow(m, q->bytes, &q->cap, q->tail + need, sizeof(*bytes));

	if (!bytes)
		return NULL;
	q->bytes = bytes;
	bytes += q->tail;
	memcpy(bytes, head, sizeof(*head));
	q->tail += need;
	return bytes + sizeof(*head);
}

bool outq_take(struct outq *q, struct dgram *ret)
{
	struct outq_head head;

	if (q->head == q->tail)
		return false;
	memcpy(&head, q->bytes + q->head, sizeof(head));
	ret->dst = head.dst;
	ret->entropy = head.entropy;
	ret->dscp = head.dscp;
	ret->ecn = head.ecn;
	ret->native = head.native;
	ret->len = head.len;
	memcpy(ret->data, q->bytes + q->head + sizeof(head), head.len);
	q->head += sizeof(head) + head.len;
	if (q->head == q->tail)
		outq_clear(q);
	return true;
}

void outq_clear(struct outq *q)
{
	q->head = 0;
	q->tail = 0;
}

void outq_free(struct outq *q)
{
	memory_free(q->bytes);
	*q = (struct outq){0};
}
