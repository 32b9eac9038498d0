/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/family.c -- one table for the endpoints of all families: make chooses
 * by the configuration, every other call goes to the one that was made.
 */
#include "base/err.h"
#include "oracle/orc.h"

/* What an endpoint of any family begins with. */
struct any {
	const struct orc_api *as;
};

static const struct orc_api *as(const struct orc *o)
{
	return ((const struct any *)o)->as;
}

static int make(struct orc **ret, const struct orc_conf *conf)
{
	switch (conf->family) {
	case FAMILY_UET:
		return orc_uet.make(ret, conf);
	case FAMILY_SRD:
		return orc_srd.make(ret, conf);
	case FAMILY_WQE:
		return orc_wqe.make(ret, conf);
	default:
		return ERR_VALUE;
	}
}

static void release(struct orc *o)
{
	if (o)
		as(o)->free(o);
}

static void reset(struct orc *o, uint64_t seed)
{
	as(o)->reset(o, seed);
}

static int feed(struct orc *o, const struct dgram *d, vtime now)
{
	return as(o)->feed(o, d, now);
}

static int post(struct orc *o, const struct orc_op *op, vtime now)
{
	return as(o)->post(o, op, now);
}

static void expect_feed(const struct orc *o, const struct dgram *d)
{
	as(o)->expect_feed(o, d);
}

static void expect_post(const struct orc *o, const struct orc_op *ops, size_t n)
{
	as(o)->expect_post(o, ops, n);
}

static void tick(struct orc *o, vtime now)
{
	as(o)->tick(o, now);
}

static vtime deadline(const struct orc *o)
{
	return as(o)->deadline(o);
}

static bool poll_tx(struct orc *o, struct dgram *ret)
{
	return as(o)->poll_tx(o, ret);
}

static bool poll_event(struct orc *o, struct orc_event *ret)
{
	return as(o)->poll_event(o, ret);
}

static void stats(const struct orc *o, struct orc_stats *ret)
{
	as(o)->stats(o, ret);
}

static int memory(const struct orc *o, uint64_t key, const uint8_t **ret,
		  size_t *ret_len)
{
	return as(o)->memory(o, key, ret, ret_len);
}

const struct orc_api orc_reference = {
	.make = make,
	.free = release,
	.reset = reset,
	.feed = feed,
	.post = post,
	.expect_feed = expect_feed,
	.expect_post = expect_post,
	.tick = tick,
	.deadline = deadline,
	.poll_tx = poll_tx,
	.poll_event = poll_event,
	.stats = stats,
	.memory = memory,
};
