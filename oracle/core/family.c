/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/family.c -- the shell of an endpoint, the same for all families:
 * it implements oracle.h with the hooks of family.h.
 */
#include "oracle/core/family.h"

#include "base/err.h"
#include "base/memory.h"
#include "oracle/setting.h"
#include "wire/ib/icrc.h"

/* Bytes behind struct env that each call may use, and of each table. */
#define EXPECTED 1280
#define TABLE    192

/* Bytes of the heap of timers, near its top. */
#define TIMERS 128

static struct env *env_of(struct orc *o)
{
	return (struct env *)o;
}

static const struct env *env_at(const struct orc *o)
{
	return (const struct env *)o;
}

static const struct orc_family *as(const struct orc *o)
{
	return env_at(o)->family;
}

/* ---- Life ---- */

static const struct orc_family *family_of(const struct orc_conf *conf)
{
	if ((size_t)conf->family >= wire_nfamilies)
		return NULL;
	return orc_families[conf->family];
}

int orc_make(struct orc **ret, const struct orc_conf *conf, struct mem mem)
{
	const struct orc_family *family = family_of(conf);
	struct env *env;

	if (!family || !family->is_right(conf))
		return ERR_VALUE;
	env = mem_new(&mem, family->size);
	if (!env)
		return ERR_NOMEM;
	env->family = family;
	env->made = *conf;
	env->conf = *conf;
	env->mem = mem;
	env->rng.state = conf->seed;
	family->start((struct orc *)env);
	*ret = (struct orc *)env;
	return 0;
}

static int orc_family_make(struct orc **ret, const struct orc_conf *conf)
{
	return orc_make(ret, conf, (struct mem){0});
}

static void orc_family_release(struct orc *o)
{
	if (!o)
		return;
	as(o)->end(o);
	mem_free(&env_of(o)->mem);
	env_free(env_of(o));
	memory_free(o);
}

static void reset(struct orc *o, uint64_t seed)
{
	struct env *env = env_of(o);

	env->conf = env->made;
	env->conf.seed = seed;
	env->rng.state = seed;
	env->data_seed = seed;
	env->mem.failed = false;
	env_clear(env);
	as(o)->again(o);
}

static void orc_family_set_time(struct env *env, vtime now)
{
	env->now = vtime_max(env->now, now);
}

/* Returns ERR_NOMEM if an allocation failed since the last call. */
static int told_nomem(struct env *env)
{
	const bool failed = env->mem.failed;

	env->mem.failed = false;
	return failed ? ERR_NOMEM : 0;
}

/* ---- Packets ---- */

bool icrc_unseal(const struct dgram *d, uint16_t port, enum icrc_mode mode,
		 size_t *len)
{
	const struct icrc_ip ip = icrc_seen(d, mode);

	if (*len < ICRC_LEN ||
	    (mode != ICRC_OFF && !icrc_check(d, d->data, d->len, port, &ip)))
		return false;
	*len -= ICRC_LEN;
	return true;
}

static int orc_family_feed(struct orc *o, const struct dgram *d, vtime now)
{
	struct env *env = env_of(o);
	size_t len = d->len;

	orc_family_set_time(env, now);
	env->stats.rx++;
	if (env->conf.crc && !as(o)->unseal(o, d, &len))
		env_drop(env, DROP_CRC);
	else
		as(o)->take(o, d, len);
	return told_nomem(env);
}

static bool has_more(struct orc *o, struct dgram *ret)
{
	return as(o)->more && as(o)->more(o, ret);
}

static bool poll_tx(struct orc *o, struct dgram *ret)
{
	struct env *env = env_of(o);

	if (!outq_take(&env->out, ret) && !has_more(o, ret))
		return false;
	ret->src = env->conf.addr;
	ret->family = (uint8_t)env->conf.family;
	ret->crc = DGRAM_CRC_NONE;
	dgram_plain(ret);
	if (env->conf.crc)
		as(o)->seal(o, ret);
	env->stats.tx++;
	return true;
}

_Static_assert(offsetof(struct env, now) < offsetof(struct env, nowhere),
	       "orc_family_expect prefetches from |now| to |nowhere|");

/* The members of env that each call uses, and the beginning of the family's. */
static void orc_family_expect(const struct orc *o)
{
	const struct env *env = env_at(o);

	mem_expect(env, offsetof(struct env, mem));
	mem_expect(&env->now,
		   offsetof(struct env, nowhere) - offsetof(struct env, now));
	mem_expect_kinds(&env->mem);
	mem_expect(env + 1, EXPECTED);
}

static void orc_family_expect_tables(const struct orc *o)
{
	const struct env *env = env_at(o);

	mem_expect(env->timers.heap, TIMERS);
	mem_expect(env->out.bytes, TABLE);
	mem_expect(env->events.v, TABLE);
	mem_expect_pools(&env->mem);
	if (as(o)->expect_tables)
		as(o)->expect_tables(o);
}

static void orc_family_expect_send(const struct orc *o)
{
	if (as(o)->expect_send)
		as(o)->expect_send(o);
}

static void orc_family_expect_feed(const struct orc *o, const struct dgram *d)
{
	if (as(o)->expect_feed)
		as(o)->expect_feed(o, d);
}

static void orc_family_expect_state(const struct orc *o, const struct dgram *d)
{
	if (as(o)->expect_state)
		as(o)->expect_state(o, d);
}

static void orc_family_expect_rest(const struct orc *o, const struct dgram *d)
{
	if (as(o)->expect_rest)
		as(o)->expect_rest(o, d);
}

/* ---- Operations ---- */

static int orc_family_configure(struct orc *o, const struct orc_op *op)
{
	struct orc_conf conf = env_of(o)->conf;

	if (as(o)->is_busy(o))
		return ERR_STATE;
	if (setting_set(&conf, op->setting, op->value))
		return ERR_VALUE;
	/* a policy needs the header sections of its kind */
	if (conf.cc != env_of(o)->conf.cc)
		conf.cc_policy = ORC_POLICY_NONE;
	if (!as(o)->is_right(&conf))
		return ERR_VALUE;
	env_of(o)->conf = conf;
	return 0;
}

static int orc_family_post(struct orc *o, const struct orc_op *op, vtime now)
{
	int err;

	orc_family_set_time(env_of(o), now);
	if (op->kind == OP_CONFIGURE)
		return orc_family_configure(o, op);
	err = as(o)->post(o, op);
	return told_nomem(env_of(o)) ? ERR_NOMEM : err;
}

static void orc_family_expect_post(const struct orc *o,
				   const struct orc_op *ops, size_t n)
{
	if (as(o)->expect_post)
		as(o)->expect_post(o, ops, n);
}

/* ---- Time and what is to be had ---- */

static void orc_family_tick(struct orc *o, vtime now)
{
	struct env *env = env_of(o);
	struct timer *timer;

	orc_family_set_time(env, now);
	while ((timer = timers_due(&env->timers, now)))
		as(o)->fire(o, timer);
}

static vtime deadline(const struct orc *o)
{
	return timers_next(&env_at(o)->timers);
}

static bool poll_event(struct orc *o, struct orc_event *ret)
{
	return env_poll_event(env_of(o), ret);
}

static void orc_family_stats(const struct orc *o, struct orc_stats *ret)
{
	*ret = env_at(o)->stats;
	if (as(o)->count)
		as(o)->count(o, ret);
}

static int orc_family_memory(const struct orc *o, uint64_t key,
			     const uint8_t **ret, size_t *ret_len)
{
	return as(o)->memory(o, key, ret, ret_len);
}

const struct orc_api orc_reference = {
	.make = orc_family_make,
	.free = orc_family_release,
	.reset = reset,
	.feed = orc_family_feed,
	.post = orc_family_post,
	.expect = orc_family_expect,
	.expect_tables = orc_family_expect_tables,
	.expect_send = orc_family_expect_send,
	.expect_feed = orc_family_expect_feed,
	.expect_state = orc_family_expect_state,
	.expect_rest = orc_family_expect_rest,
	.expect_post = orc_family_expect_post,
	.tick = orc_family_tick,
	.deadline = deadline,
	.poll_tx = poll_tx,
	.poll_event = poll_event,
	.stats = orc_family_stats,
	.memory = orc_family_memory,
};
