/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/uet_spoil_test.h -- writes over what a UET endpoint does not use:
 * closed PDCs, and the free slots of packets and messages.
 */
#ifndef ORACLE_UET_UET_SPOIL_TEST_H
#define ORACLE_UET_UET_SPOIL_TEST_H

#include "oracle/core/orc.h"
#include "oracle/record_spoil_test.h"
#include "oracle/uet/pdc/destination/dst_ring.h"
#include "oracle/uet/pds/pds_table.h"
#include "oracle/uet/ses/ses_state.h"

/* Writes over all that a closed PDC does not keep for the next one. */
static inline void uet_spoil_closed(struct pdc *pdc)
{
	const struct pdc was = *pdc;

	memset(pdc, RECORD_DIRT, sizeof(*pdc));
	pdc->dst.ring = was.dst.ring;
	pdc->dst.rcvd = was.dst.rcvd;
	pdc->src.fl = was.src.fl;
	pdc->env = was.env;
	pdc->ses = was.ses;
	pdc->pds = was.pds;
	pdc->owner = was.owner;
	pdc->timer = was.timer;
	pdc->state = was.state;
	pdc->spdcid = was.spdcid;
	pdc->is_ready = was.is_ready;
	pdc->ring = was.ring;
	pdc->fep_next = was.fep_next;
	pdc->last_psn = was.last_psn;
}

/* The slots of packets that a destination has not received. */
static inline void uet_spoil_dst(const struct pdc_dst *dst)
{
	const uint32_t first = dst->rcvd.cack_psn + 1;

	for (uint32_t i = 0; dst->ring && i < dst->ring->cap; i++) {
		struct dst_pkt *pkt = dst_slot(dst, first + i);
		const struct dst_pkt was = *pkt;

		if (!rcvd_ahead(&dst->rcvd, first + i) &&
		    rcvd_has(&dst->rcvd, first + i))
			continue;
		memset(pkt, RECORD_DIRT, sizeof(*pkt));
		pkt->rsp = was.rsp;
		pkt->rsp_cap = was.rsp_cap;
	}
}

static inline void uet_spoil_pds(const struct pds *pds)
{
	for (uint32_t i = 0; i < pds->nmade; i++) {
		struct pdc *pdc = pds_at(pds, i);

		if (pdc->state == PDC_CLOSED) {
			uet_spoil_closed(pdc);
			continue;
		}
		record_spoil_inflight(&pdc->src.fl);
		uet_spoil_dst(&pdc->dst);
	}
}

static inline void uet_spoil_rudi(const struct rudi *rudi)
{
	for (uint32_t i = rudi->free_pkt; i != RUDI_NONE;) {
		struct rudi_pkt *pkt = &rudi->pkts[i];
		const struct rudi_pkt was = *pkt;

		memset(pkt, RECORD_DIRT, sizeof(*pkt));
		pkt->bytes = was.bytes;
		pkt->cap = was.cap;
		pkt->next = i = was.next;
	}
	for (uint32_t i = rudi->free_asked; i != RUDI_NONE;) {
		struct rudi_asked *asked = &rudi->asked[i];

		i = asked->next;
		memset(asked, RECORD_DIRT, sizeof(*asked));
		asked->used = false;
		asked->next = i;
	}
}

/* The free messages of both sides. */
static inline void uet_spoil_messages(const struct ses *ses)
{
	for (uint32_t i = ses->free_msg; i != SES_NONE;) {
		struct tx_msg *msg = &ses->msgs[i];
		const struct tx_msg was = *msg;

		memset(msg, RECORD_DIRT, sizeof(*msg));
		msg->live = false;
		msg->data = was.data;
		msg->next = i = was.next;
	}
	for (uint32_t i = ses->free_rx_msg; i != SES_NONE;) {
		struct rx_msg *msg = &ses->rx_msgs[i];
		const struct rx_msg was = *msg;

		memset(msg, RECORD_DIRT, sizeof(*msg));
		msg->data = was.data;
		msg->next = i = was.next;
	}
}

/* The free places of return data. */
static inline void uet_spoil_rets(const struct ses *ses)
{
	for (uint32_t i = ses->free_ret; i != SES_NONE;) {
		struct ret *ret = &ses->rets[i];

		i = ret->next;
		memset(ret, RECORD_DIRT, sizeof(*ret));
		ret->next = i;
	}
	for (uint32_t i = ses->free_queue; i != SES_NONE;) {
		struct ret_queue *queue = &ses->queues[i];

		i = queue->next;
		memset(queue, RECORD_DIRT, sizeof(*queue));
		queue->next = i;
	}
}

static inline void uet_spoil(struct record_run *r)
{
	for (unsigned side = 0; side < RECORD_ENDS; side++) {
		const struct orc *o = r->end[side];

		uet_spoil_pds(&o->pds);
		record_spoil_rings(&o->env.mem);
		uet_spoil_rudi(&o->pds.rudi);
		uet_spoil_messages(&o->ses);
		uet_spoil_rets(&o->ses);
	}
}

#endif
