/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_data.c -- return data: the data of reads that no ACK
 * carries, in packets of its own.
 *
 * Spec: UET 3.5.12.1 (uet.md 7.5)
 */
#include "oracle/uet/ses/target/rx_data.h"

#include <string.h>

#include "base/err.h"
#include "oracle/uet/ses/initiator/tx_post.h"

/*
 * |p| has room for SES_HDR_MAX and the data.  Return: false if the data is
 * gone.
 */
bool rx_write_data(const struct ses *ses, const struct ret *ret, uint8_t *p,
		   uint16_t *ret_len)
{
	const size_t len = ret->rsp.payload_length;
	const uint8_t *data;
	size_t at;

	if (ret->fetched) {
		at = ses_rsp_put(&ret->rsp, p);
		memcpy(p + at, ret->old, len);
		*ret_len = (uint16_t)(at + len);
		return true;
	}
	data = bufs_at(&ses->bufs, ret->key, ret->at, len);
	if (!data)
		return false;
	at = ses_rsp_put(&ret->rsp, p);
	memcpy(p + at, data, len);
	*ret_len = (uint16_t)(at + len);
	return true;
}

/* Return: as ses_pds_tx_ret. */
static int send_return(struct ses *ses, const struct ret *ret)
{
	struct ses_tx tx = {
		.next_hdr = ret->rsp.next_hdr,
		.som = ret->som,
		.eom = ret->eom,
		.return_data = true,
		.orig_pdcid = ret->pdcid,
		.msg_id = ret->rsp.message_id,
		.pkt = ses->scratch,
	};

	if (!rx_write_data(ses, ret, ses->scratch, &tx.pkt_len))
		return ERR_VALUE;
	return tx_return(ses, &tx, ret->rx_pkt_handle);
}

static uint32_t take_queue(struct ses *ses)
{
	const uint32_t i = ses->free_queue;
	struct ret_queue *queues;

	if (i != SES_NONE) {
		ses->free_queue = ses->queues[i].next;
		return i;
	}
	queues = mem_grow(&ses->env->mem, ses->queues, &ses->queue_cap,
			  ses->nqueues + (size_t)1, sizeof(*queues));
	if (!queues)
		return SES_NONE;
	ses->queues = queues;
	return ses->nqueues++;
}

static struct ret_queue *queue_for(struct ses *ses, uint16_t pdcid)
{
	uint32_t i;

	if (idmap_get(&ses->queue_by_pdc, pdcid, &i))
		return &ses->queues[i];
	i = take_queue(ses);
	if (i == SES_NONE)
		return NULL;
	ses->queues[i].head = SES_NONE;
	if (idmap_put(&ses->queue_by_pdc, &ses->env->mem, pdcid, i))
		return &ses->queues[i];
	ses->queues[i].next = ses->free_queue;
	ses->free_queue = i;
	return NULL;
}

static uint32_t take_ret(struct ses *ses)
{
	const uint32_t i = ses->free_ret;
	struct ret *rets;

	if (i != SES_NONE) {
		ses->free_ret = ses->rets[i].next;
		return i;
	}
	rets = mem_grow(&ses->env->mem, ses->rets, &ses->ret_cap,
			ses->nrets + (size_t)1, sizeof(*rets));
	if (!rets)
		return SES_NONE;
	ses->rets = rets;
	return ses->nrets++;
}

static void enqueue(struct ses *ses, const struct ret *ret)
{
	struct ret_queue *queue = queue_for(ses, ret->pdcid);
	const uint32_t i = queue ? take_ret(ses) : SES_NONE;

	if (i == SES_NONE)
		return;
	ses->rets[i] = *ret;
	ses->rets[i].next = SES_NONE;
	if (queue->head == SES_NONE)
		queue->head = i;
	else
		ses->rets[queue->tail].next = i;
	queue->tail = i;
}

static bool must_queue(const struct ses *ses, uint16_t pdcid)
{
	uint32_t i;

	return idmap_get(&ses->queue_by_pdc, pdcid, &i) &&
	       ses->queues[i].head != SES_NONE;
}

void rx_return_data(struct ses *ses, const struct ret *ret)
{
	if (must_queue(ses, ret->pdcid) || send_return(ses, ret) == ERR_SPACE)
		enqueue(ses, ret);
}

void rx_pump(struct ses *ses, uint16_t pdcid)
{
	uint32_t q;

	if (!idmap_get(&ses->queue_by_pdc, pdcid, &q))
		return;
	while (ses->queues[q].head != SES_NONE) {
		const uint32_t i = ses->queues[q].head;

		if (send_return(ses, &ses->rets[i]) == ERR_SPACE)
			return;
		ses->queues[q].head = ses->rets[i].next;
		ses->rets[i].next = ses->free_ret;
		ses->free_ret = i;
	}
}

void rx_data_closed(struct ses *ses, uint16_t pdcid)
{
	uint32_t queue;

	if (!idmap_get(&ses->queue_by_pdc, pdcid, &queue))
		return;
	idmap_del(&ses->queue_by_pdc, pdcid);
	ses->queues[queue].next = ses->free_queue;
	ses->free_queue = queue;
}
