/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/fake_test.h -- a stand-in for an endpoint, for tests of the code
 * that drives an endpoint.
 *
 * It echoes every datagram and reports it.  A "send" is sent at once as a
 * datagram of its length, and completes a millisecond later; nothing else is
 * supported.  A datagram of FAKE_FATAL bytes makes it fail, and one of
 * FAKE_STOP sets fake_stop.
 */
#ifndef SUITE_DUT_FAKE_TEST_H
#define SUITE_DUT_FAKE_TEST_H

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "oracle/oracle.h"

#define FAKE_ENTROPY 30001
#define FAKE_FATAL   666
#define FAKE_STOP    667

static volatile bool fake_stop;

struct orc {
	struct orc_conf conf;
	bool out, told, pending;
	struct dgram d;
	struct orc_event ev;
	vtime due;
	uint32_t handle;
	struct orc_stats stats;
	uint8_t seed[8];
};

static inline int fake_make(struct orc **ret, const struct orc_conf *conf)
{
	if (conf->mtu == 1)
		return ERR_VALUE;
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return ERR_NOMEM;
	(*ret)->conf = *conf;
	return 0;
}

static inline void fake_test_fake_free(struct orc *o)
{
	free(o);
}

static inline void fake_test_fake_reset(struct orc *o, uint64_t seed)
{
	o->out = o->told = o->pending = false;
	memcpy(o->seed, &seed, sizeof(seed));
}

static inline int fake_feed(struct orc *o, const struct dgram *d, vtime now)
{
	(void)now;
	if (d->len == FAKE_FATAL)
		return ERR_NOMEM;
	fake_stop = d->len == FAKE_STOP;
	o->stats.rx++;
	dgram_copy(&o->d, d);
	o->d.dst = d->src;
	o->d.src = o->conf.addr;
	if (o->conf.crc) {
		o->d.len -= CRC_LEN;
		crc_append(&o->d, o->conf.crc_order);
	}
	o->ev = (struct orc_event){
		.kind = EV_RECV, .len = (uint32_t)d->len, .reason = "echo"};
	o->out = o->told = true;
	return 0;
}

static inline int fake_test_fake_post(struct orc *o, const struct orc_op *op,
				      vtime now)
{
	if (op->kind != OP_SEND)
		return ERR_SUPPORT;
	o->d.dst = op->peer;
	o->d.src = o->conf.addr;
	o->d.entropy = FAKE_ENTROPY;
	o->d.len = op->len;
	memset(o->d.data, 0x5a, op->len);
	o->out = o->pending = true;
	o->due = now + VSPAN_MS;
	o->handle = op->handle;
	return 0;
}

static inline void fake_tick(struct orc *o, vtime now)
{
	if (!o->pending || now < o->due)
		return;
	o->pending = false;
	o->ev = (struct orc_event){.kind = EV_COMPLETION, .handle = o->handle};
	o->told = true;
}

static inline vtime fake_deadline(const struct orc *o)
{
	if (o->pending)
		return o->due;
	return VTIME_NEVER;
}

static inline bool fake_poll_tx(struct orc *o, struct dgram *ret)
{
	bool out = o->out;

	if (out)
		dgram_copy(ret, &o->d);
	o->out = false;
	return out;
}

static inline bool fake_poll_event(struct orc *o, struct orc_event *ret)
{
	bool told = o->told;

	*ret = o->ev;
	o->told = false;
	return told;
}

static inline void fake_test_fake_stats(const struct orc *o,
					struct orc_stats *ret)
{
	*ret = o->stats;
}

static inline int fake_test_fake_memory(const struct orc *o, uint64_t key,
					const uint8_t **ret, size_t *ret_len)
{
	if (key)
		return ERR_VALUE;
	*ret = o->seed; /* the seed of the last reset */
	*ret_len = sizeof(o->seed);
	return 0;
}

static const struct orc_api fake_api = {
	.make = fake_make,
	.free = fake_test_fake_free,
	.reset = fake_test_fake_reset,
	.feed = fake_feed,
	.post = fake_test_fake_post,
	.tick = fake_tick,
	.deadline = fake_deadline,
	.poll_tx = fake_poll_tx,
	.poll_event = fake_poll_event,
	.stats = fake_test_fake_stats,
	.memory = fake_test_fake_memory,
};

#endif
