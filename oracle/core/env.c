/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/env.c -- the state that all machines of one endpoint share.
 */
#include "oracle/core/env.h"

#include "base/memory.h"

static const char *const drop_names[DROP_REASONS] = {
	[DROP_SHORT] = "shorter than its header",
	[DROP_TYPE] = "reserved type",
	[DROP_CRC] = "wrong crc",
	[DROP_MODE] = "delivery mode not offered",
	[DROP_DUPLICATE] = "duplicate",
	[DROP_OUT_OF_ORDER] = "out of order",
	[DROP_BEHIND] = "older than the previous window",
	[DROP_WINDOW] = "beyond the window",
	[DROP_REFUSED] = "refused by the ses",
	[DROP_UNKNOWN_PDC] = "unknown pdc",
	[DROP_MISMATCH] = "does not match its pdc",
	[DROP_INVALID_SYN] = "invalid syn",
	[DROP_NO_PDC] = "no pdc available",
	[DROP_CLOSING] = "pdc is closing",
	[DROP_BAD_ACK] = "acknowledges what was not sent",
	[DROP_BAD_NACK] = "nacks what is not in flight",
	[DROP_BAD_CP] = "control packet without effect",
	[DROP_UNEXPECTED] = "unexpected event",
	[DROP_SHORTAGE] = "a resource is short",
	[DROP_LATE] = "late syn of a closed pdc",
	[DROP_NO_REQUEST] = "answers no outstanding request",
	[DROP_TRIMMED] = "trimmed by a switch",
	[DROP_VERSION] = "another version",
	[DROP_PKEY] = "another partition",
	[DROP_CONTEXT] = "impossible context ids",
	[DROP_LUP] = "lup is ahead of its psn",
	[DROP_LENGTH] = "impossible length",
	[DROP_STALE] = "below lup",
	[DROP_NO_MEMORY] = "no memory",
	[DROP_UNKNOWN_QP] = "not of a queue pair that is connected",
	[DROP_CONTRADICTION] = "contradicts itself or its wqe",
};

static bool env_wants(const struct env *env, enum orc_event_kind kind)
{
	return !env->conf.events || env->conf.events >> kind & 1;
}

struct orc_event *env_event(struct env *env, enum orc_event_kind kind)
{
	struct event_queue *q = &env->events;
	struct orc_event *v;

	if (!env_wants(env, kind))
		return &env->nowhere;
	v = mem_grow(&env->mem, q->v, &q->cap, q->tail + 1, sizeof(*v));
	if (!v)
		return &env->nowhere;
	q->v = v;
	v[q->tail] = (struct orc_event){.kind = kind};
	return &v[q->tail++];
}

bool env_poll_event(struct env *env, struct orc_event *ret)
{
	struct event_queue *q = &env->events;

	if (q->head == q->tail)
		return false;
	*ret = q->v[q->head++];
	if (q->head == q->tail) {
		q->head = 0;
		q->tail = 0;
	}
	return true;
}

const char *drop_reason_name(enum drop_reason why)
{
	return drop_names[why];
}

void env_drop(struct env *env, enum drop_reason why)
{
	env->stats.rx_dropped++;
	env_event(env, EV_DROP)->reason = drop_names[why];
}

vspan env_rto(const struct env *env, unsigned n)
{
	const vspan max = env->conf.rto_max;
	vspan span = env->conf.rto_init;

	while (n-- > 0 && span < max)
		span *= 2;
	return span < max ? span : max;
}

#define FIRST_DYNAMIC_PORT 0xc000
#define DYNAMIC_PORTS      0x4000

uint16_t env_entropy(struct env *env)
{
	return (uint16_t)(FIRST_DYNAMIC_PORT |
			  rng_next(&env->rng) % DYNAMIC_PORTS);
}

uint16_t env_entropy_of_path(uint16_t entropy, uint32_t path)
{
	return (uint16_t)(FIRST_DYNAMIC_PORT |
			  (entropy + path) % DYNAMIC_PORTS);
}

void env_clear(struct env *env)
{
	env->stats = (struct orc_stats){0};
	env->events.head = 0;
	env->events.tail = 0;
	env->now = 0;
	env->rccc = (struct rccc){0};
	outq_clear(&env->out);
}

void env_free(struct env *env)
{
	memory_free(env->events.v);
	outq_free(&env->out);
	timers_free(&env->timers);
}
