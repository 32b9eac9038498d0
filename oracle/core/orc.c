/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/orc.c -- implements a UET endpoint for family.h, based on the PDS
 * and the SES.
 */
#include "oracle/core/orc.h"

#include <stdlib.h>

#include "base/err.h"
#include "oracle/uet/cc/cc_conf.h"
#include "oracle/uet/pdc/pdc.h"
#include "oracle/uet/pds/pds.h"
#include "oracle/uet/pds/pds_rx.h"
#include "oracle/uet/pds/pds_table.h"

#define ACK_DATA_MAX SES_MTU_MAX
#define MPR_MAX      255

void orc_conf_default(struct orc_conf *ret)
{
	*ret = (struct orc_conf){
		.mtu = 1024,
		.rto_init = 5 * VSPAN_MS,
		.rto_max = 8 * VSPAN_S,
		.max_rto_retx = 5,
		.nack_retx_time = VSPAN_MS,
		.max_nack_retx = 5,
		.ack_type = ORC_ACK,
		.ack_gen_trigger = 16 * 1024,
		.ack_gen_min_pkt_add = 1024,
		.ar_on_eom = true,
		.ack_on_ecn = true,
		.max_ack_data = 16,
		.keep_read_data = true,
		.error_rx = true,
		.default_rc = RC_NULL,
		.rod_nack_each = true,
		.rod_nack_payload = true,
		.version = UET_1_0_1,
		.dscp_trimmed = 26,
		.dscp_trimmed_lasthop = 28,
		.trim_syn = true,
		.trimmable_ack = 10 * 1024,
		.credit_unit = 256,
		.mpr = 8,
		.default_mpr = 8,
		.pds_clear_time = VSPAN_MS,
		.close_req_time = VSPAN_MS,
		.max_pdcs = PDS_MAX_PDC,
		.psn_range = PDC_PSN_RANGE,
		.max_rudi = 1024,
		.job_id = 1,
		.pid_on_fep = 1,
		.resource_index = 1,
		.dscp_control = 46,
		.spray = 1,
		.srd_window = 8192,
		.srd_paths = 16,
		.srd_unresponsive = VSPAN_S,
		.srd_idle = 30 * VSPAN_S,
		.srd_gc = 120 * VSPAN_S,
		.srd_max_ctx = 1 << 16,
		.srd_rtt_weight = 8,
		.srd_dev_weight = 4,
		.srd_dev_factor = 4,
		.wqe_window = 4096,
		.wqe_max_len = 1 << 20,
		.wqe_cache_max = 1 << 22,
		.wqe_max_ooo = 64,
		.wqe_miss = 2 * VSPAN_MS,
		.wqe_again = 20 * VSPAN_MS,
		.wqe_tail = 40 * VSPAN_MS,
		.wqe_hold = 10 * VSPAN_MS,
		.wqe_rnr_code = 12, /* 0.64 ms */
		.wqe_rnr_retry = 7,
		.wqe_cache_device = 1 << 24,
		.wqe_cache_time = VSPAN_S,
	};
	cc_conf_default(ret);
}

static bool is_mtu(uint16_t mtu)
{
	return mtu == 1024 || mtu == 2048 || mtu == 4096 || mtu == 8192;
}

#define PDC_PSN_RANGE_MIN 16

static bool times_are_right(const struct orc_conf *conf)
{
	if (conf->rto_init <= 0 || conf->rto_max < conf->rto_init)
		return false;
	if (conf->syn_retx_safety < 0 || conf->ask_close_idle < 0 ||
	    conf->ask_clear_time < 0)
		return false;
	return conf->nack_retx_time >= 0 && conf->pds_clear_time >= 0 &&
	       conf->read_time >= 0 && conf->slow_time >= 0 &&
	       conf->close_idle >= 0 && conf->close_req_time >= 0;
}

static bool ids_are_right(const struct orc_conf *conf)
{
	return conf->job_id < 1u << 24 && conf->pid_on_fep < 1u << 12 &&
	       conf->resource_index < 1u << 12 && conf->slow_index < 1u << 12 &&
	       conf->dscp_data < 64 && conf->dscp_control < 64 &&
	       conf->dscp_bulk < 64 && conf->dscp_trimmed &&
	       conf->dscp_trimmed < 64 && conf->dscp_trimmed_lasthop &&
	       conf->dscp_trimmed_lasthop < 64;
}

static bool cc_is_right(const struct orc_conf *conf)
{
	if (conf->override_mpr_zero && conf->version < UET_1_0_3)
		return false;
	return conf->cc <= ORC_CC_CREDIT && conf->sack_base <= ORC_SACK_STEP &&
	       conf->rcv_cwnd_pend < 128 && conf->credit_unit &&
	       conf->credit_init <= 0xffffff &&
	       conf->override_mpr_zero <= INT16_MAX &&
	       conf->sack_retx <= INT16_MAX && conf->spray &&
	       conf->spray <= ENV_PATHS && cc_conf_is_right(conf);
}

static bool orc_is_right(const struct orc_conf *conf)
{
	if (!conf->max_pdcs || conf->max_pdcs > UINT16_MAX || !conf->max_rudi)
		return false;
	if (conf->psn_range < PDC_PSN_RANGE_MIN ||
	    conf->psn_range > PDC_PSN_RANGE)
		return false;
	if (conf->version < UET_1_0_1 || conf->version > UET_1_0_3 ||
	    conf->crc_order > CRC_BE)
		return false;
	if (!is_mtu(conf->mtu) || conf->max_ack_data > ACK_DATA_MAX)
		return false;
	if (conf->ack_type > ORC_ACK_CCX || !conf->default_mpr ||
	    !(conf->mpr || conf->override_mpr_zero))
		return false;
	if (!cc_is_right(conf))
		return false;
	if (conf->max_rto_retx >= INFLIGHT_RTO_LEVELS ||
	    conf->max_nack_retx > UINT8_MAX)
		return false;
	return conf->default_rc < 64 && conf->defer_rc < 64 &&
	       times_are_right(conf) && ids_are_right(conf);
}

static void orc_start(struct orc *o)
{
	o->up = (struct pds_ses){.calls = &ses_calls, .ses = &o->ses};
	pds_init(&o->pds, &o->env, &o->up);
	ses_init(&o->ses, &o->env, &o->pds);
}

static void orc_again(struct orc *o)
{
	pds_reset(&o->pds);
	ses_reset(&o->ses);
}

static void orc_end(struct orc *o)
{
	ses_free(&o->ses);
	pds_free(&o->pds);
}

/* A trimming switch removes the CRC as well. */
static bool orc_unseal(const struct orc *o, const struct dgram *d, size_t *len)
{
	if (pds_trimmed(&o->pds, d))
		return true;
	if (*len < CRC_LEN || !crc_check(d, o->env.conf.crc_order))
		return false;
	*len -= CRC_LEN;
	return true;
}

static void orc_seal(const struct orc *o, struct dgram *d)
{
	crc_append(d, o->env.conf.crc_order);
}

static void orc_take(struct orc *o, const struct dgram *d, size_t len)
{
	pds_rx(&o->pds, d, len);
}

static bool orc_more(struct orc *o, struct dgram *ret)
{
	return pds_poll(&o->pds, ret);
}

static bool orc_is_busy(const struct orc *o)
{
	return o->pds.npdcs || o->pds.rudi.busy;
}

static int orc_post(struct orc *o, const struct orc_op *op)
{
	return ses_post(&o->ses, op);
}

static void orc_expect_tables(const struct orc *o)
{
	ses_expect_tables(&o->ses);
	mem_expect(o->pds.slabs, CACHE_LINE);
	pds_expect_turn(&o->pds);
}

static void orc_expect_send(const struct orc *o)
{
	pds_expect_next_turn(&o->pds);
}

/* An ACK may complete an operation, so that another one to its sender comes. */
static void orc_expect_feed(const struct orc *o, const struct dgram *d)
{
	pds_expect_rx(&o->pds, d);
	if (pds_carries_ack(d))
		feps_expect(&o->pds.feps, &d->src);
}

static void orc_expect_state(const struct orc *o, const struct dgram *d)
{
	pds_expect_state(&o->pds, d);
	if (pds_carries_ack(d))
		ses_expect(&o->ses, &d->src);
	else
		ses_expect_write(&o->ses, d);
}

static void orc_expect_rest(const struct orc *o, const struct dgram *d)
{
	uint32_t handle;

	if (pds_carries_ack(d) && pds_expect_answer(&o->pds, d, &handle))
		ses_expect_answer(&o->ses, handle);
}

/*
 * Prefetches in steps: each step loads what the next one needs, for all
 * operations.
 */
static void orc_expect_post(const struct orc *o, const struct orc_op *ops,
			    size_t n)
{
	for (size_t i = 0; i < n; i++)
		feps_expect(&o->pds.feps, &ops[i].peer);
	for (size_t i = 0; i < n; i++)
		ses_expect(&o->ses, &ops[i].peer);
	for (size_t i = 0; i < n; i++)
		pds_expect_tx(&o->pds, &ops[i].peer);
}

static void fire_pdc(struct orc *o, struct timer *timer)
{
	(void)o;
	pdc_tick((struct pdc *)((char *)timer - offsetof(struct pdc, timer)));
}

static void fire_rsp(struct orc *o, struct timer *timer)
{
	ses_fire(&o->ses, timer);
}

static void fire_rudi(struct orc *o, struct timer *timer)
{
	(void)timer;
	rudi_tick(&o->pds.rudi);
}

typedef void fire_fn(struct orc *o, struct timer *timer);

static fire_fn *const fires[TIMER_KINDS] = {
	[TIMER_PDC] = fire_pdc,
	[TIMER_RSP] = fire_rsp,
	[TIMER_RUDI] = fire_rudi,
};

static void orc_fire(struct orc *o, struct timer *timer)
{
	fires[timer->kind](o, timer);
}

static int orc_memory(const struct orc *o, uint64_t key, const uint8_t **ret,
		      size_t *ret_len)
{
	const struct ses_bufs *bufs = &o->ses.bufs;
	const struct ses_buf *buf = key ? bufs_region(bufs, key) : &bufs->last;

	if (!buf || !buf->bytes)
		return ERR_VALUE;
	*ret = buf->bytes;
	*ret_len = buf->len;
	return 0;
}

const struct orc_family family_uet = {
	.size = sizeof(struct orc),
	.is_right = orc_is_right,
	.start = orc_start,
	.again = orc_again,
	.end = orc_end,
	.is_busy = orc_is_busy,
	.post = orc_post,
	.unseal = orc_unseal,
	.seal = orc_seal,
	.take = orc_take,
	.more = orc_more,
	.fire = orc_fire,
	.expect_tables = orc_expect_tables,
	.expect_send = orc_expect_send,
	.expect_feed = orc_expect_feed,
	.expect_state = orc_expect_state,
	.expect_rest = orc_expect_rest,
	.expect_post = orc_expect_post,
	.memory = orc_memory,
};
