/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses.c -- a small semantic sublayer: the operations of the
 * driver, and the calls of the PDS.
 */
#include "oracle/uet/ses/ses.h"

#include "base/err.h"
#include "base/memory.h"
#include "oracle/uet/pds/pds.h"
#include "oracle/uet/pds/pds_cp.h"
#include "oracle/uet/pds/pds_table.h"
#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/initiator/tx_done.h"
#include "oracle/uet/ses/initiator/tx_flow.h"
#include "oracle/uet/ses/initiator/tx_moved.h"
#include "oracle/uet/ses/initiator/tx_post.h"
#include "oracle/uet/ses/initiator/tx_rendezvous.h"
#include "oracle/uet/ses/target/rx_answer.h"
#include "oracle/uet/ses/target/rx_data.h"
#include "oracle/uet/ses/target/rx_defer.h"
#include "oracle/uet/ses/target/rx_request.h"

static void ses_start(struct ses *ses)
{
	tx_init(ses);
	rx_init(ses);
}

void ses_init(struct ses *ses, struct env *env, struct pds *pds)
{
	ses->env = env;
	ses->pds = pds;
	ses->bufs.every = env->conf.mtu;
	ses->bufs.part = env->conf.short_payload;
	ses_start(ses);
}

static void drop_held(struct ses *ses, struct held *held)
{
	if (held->prev)
		held->prev->next = held->next;
	else
		ses->held = held->next;
	if (held->next)
		held->next->prev = held->prev;
	timers_set(&ses->env->timers, &held->timer, VTIME_NEVER);
	timers_release(&ses->env->timers);
	memory_free(held);
}

static void drop_all_held(struct ses *ses)
{
	while (ses->held)
		drop_held(ses, ses->held);
}

void ses_reset(struct ses *ses)
{
	drop_all_held(ses);
	tx_drop_bodies(ses);
	bufs_reset(&ses->bufs);
	ses_start(ses);
}

void ses_free(struct ses *ses)
{
	drop_all_held(ses);
	tx_drop_bodies(ses);
	for (size_t i = 0; i < ses->msg_cap; i++)
		memory_free(ses->msgs[i].data.bytes);
	for (size_t i = 0; i < ses->rx_msg_cap; i++)
		memory_free(ses->rx_msgs[i].data.bytes);
	memory_free(ses->msgs);
	memory_free(ses->rx_msgs);
	memory_free(ses->flows);
	memory_free(ses->rets);
	memory_free(ses->queues);
	memory_free(ses->deferred);
	bufs_free(&ses->bufs);
	idmap_free(&ses->reads);
	idmap_free(&ses->locks);
	idmap_free(&ses->rx_by_key);
	idmap_free(&ses->queue_by_pdc);
}

static int ses_post_recv(struct ses *ses, const struct orc_op *op)
{
	const struct posted posted = {op->len, op->count, op->tagged, op->key};
	const int err = bufs_post(&ses->bufs, &ses->env->mem, posted);

	if (!err)
		rx_match_deferred(ses);
	return err;
}

static int ses_expose(struct ses *ses, const struct orc_op *op)
{
	return bufs_expose(&ses->bufs, &ses->env->mem, ses->env->data_seed,
			   op->key, op->offset, op->len);
}

static int eager_req(struct ses *ses, const struct orc_op *op)
{
	uint32_t fep;

	if (pds_fep(ses->pds, &op->peer, &fep))
		return ERR_NOMEM;
	ses_pds_eager_req(ses->pds, fep, op->mode, op->pds.tc,
			  op->pds.eager_id);
	return 0;
}

static int ses_ask_close(struct ses *ses, const struct orc_op *op)
{
	return pds_ask_close(ses->pds, &op->peer, op->close);
}

static int send_cp(struct ses *ses, const struct orc_op *op)
{
	return pds_send_cp(ses->pds, &op->peer, op->mode == OP_ROD, &op->cp);
}

typedef int post_fn(struct ses *ses, const struct orc_op *op);

static post_fn *const posts[] = {
	[OP_SEND] = tx_message,
	[OP_WRITE] = tx_message,
	[OP_READ] = tx_message,
	[OP_POST_RECV] = ses_post_recv,
	[OP_EXPOSE] = ses_expose,
	[OP_ATOMIC] = tx_message,
	[OP_SES_POLICY] = rx_policy,
	[OP_SES_PDS_TX_REQ] = tx_raw,
	[OP_SES_PDS_TX_RSP] = rx_raw_response,
	[OP_SES_PDS_TX_RET] = tx_raw_return,
	[OP_SES_PDS_UNLOCK] = tx_unlock,
	[OP_SES_PDS_EAGER_REQ] = eager_req,
	[OP_ASK_CLOSE] = ses_ask_close,
	[OP_SEND_CP] = send_cp,
};

int ses_post(struct ses *ses, const struct orc_op *op)
{
	const size_t kind = (size_t)op->kind;

	if (kind >= sizeof(posts) / sizeof(posts[0]))
		return ERR_SUPPORT;
	return posts[kind](ses, op);
}

#define MESSAGES 2 /* so many of each table are prefetched */

void ses_expect_tables(const struct ses *ses)
{
	mem_expect(ses->msgs, MESSAGES * sizeof(*ses->msgs));
	mem_expect(ses->rx_msgs, MESSAGES * sizeof(*ses->rx_msgs));
	mem_expect(ses->flows, CACHE_LINE);
	mem_expect(ses->bufs.regions, CACHE_LINE);
	idmap_expect_few(&ses->bufs.by_key);
	idmap_expect_few(&ses->rx_by_key);
}

static bool has_request(enum pds_type type)
{
	return type == PDS_RUD_REQ || type == PDS_ROD_REQ ||
	       pds_req_has_cc(type);
}

void ses_expect_write(const struct ses *ses, const struct dgram *d)
{
	const struct ses_bufs *bufs = &ses->bufs;
	const struct ses_buf *region = bufs->regions;
	struct pds_req req;
	struct ses_std ses_std;
	size_t at;

	if (bufs->nregions != 1 || d->len < pds_req_len)
		return;
	pds_req_get(&req, d->data);
	at = pds_req_ses_at(req.type);
	if (!has_request(req.type) || req.next_hdr != PDS_NEXT_REQUEST_STD ||
	    d->len < at + ses_std_len)
		return;
	ses_std_get(&ses_std, d->data + at);
	if (ses_std.som || ses_std.message_offset >= region->exposed)
		return;
	__builtin_prefetch(
		bufs->part ? bufs_part(bufs, region, ses_std.message_offset)
			   : region->bytes + ses_std.message_offset,
		1);
}

void ses_expect_answer(const struct ses *ses, uint32_t tx_pkt_handle)
{
	if (tx_pkt_handle < ses->nmsgs)
		mem_expect(&ses->msgs[tx_pkt_handle], sizeof(*ses->msgs));
}

void ses_expect(const struct ses *ses, const struct ip_addr *peer)
{
	uint32_t fep;

	if (pds_expect_fep(ses->pds, peer, &fep) &&
	    ses_flow(fep, OP_RUD) < ses->flow_cap)
		__builtin_prefetch(&ses->flows[ses_flow(fep, OP_RUD)], 1);
}

void ses_fire(struct ses *ses, struct timer *timer)
{
	struct held *held =
		(struct held *)((char *)timer - offsetof(struct held, timer));

	rx_release(ses, held);
	drop_held(ses, held);
}

static void ses_eager_size(struct ses *ses, uint16_t eager_id, uint32_t size)
{
	struct orc_event *ev = env_event(ses->env, EV_PDS_SES_EAGER_SIZE);

	ev->eager_id = eager_id;
	ev->eager_size = size;
}

static void ses_pause(struct ses *ses, uint32_t dst_fep, enum op_mode mode,
		      uint16_t pdcid, bool pause)
{
	struct orc_event *ev = env_event(ses->env, EV_PDS_PAUSE);
	const uint32_t flow = ses_flow(dst_fep, mode);

	ev->orig_pdcid = pdcid;
	ev->pdc_pause = pause;
	if (dst_fep == PDS_ALL)
		return; /* tx_pdc_closed handles all of them */
	if (flow < ses->flow_cap)
		ses->flows[flow].paused = pause;
	if (pause)
		return;
	rx_pump(ses, pdcid);
	tx_pump(ses, flow);
}

static void ses_pause_rudi(struct ses *ses, bool pause)
{
	env_event(ses->env, EV_PDS_PAUSE)->rudi_pause = pause;
	ses->rudi.paused = pause;
	if (!pause)
		tx_pump_rudi(ses);
}

static void ses_closed(struct ses *ses, uint32_t dst_fep, uint16_t pdcid,
		       struct pds_error err)
{
	rx_pdc_closed(ses, pdcid);
	tx_pdc_closed(ses, dst_fep, pdcid, err);
}

const struct pds_ses_calls ses_calls = {
	.rx_req = rx_take_request,
	.rx_ret = tx_take_return,
	.rx_rsp = tx_take_response,
	.eager_size = ses_eager_size,
	.pause = ses_pause,
	.pause_rudi = ses_pause_rudi,
	.renumbered = tx_renumbered,
	.error = tx_fail_packet,
	.error_rx = rx_fail_packet,
	.closed = ses_closed,
};
