/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/derived.c -- the capabilities that follow from a number of the
 * declaration, each with the declaration line that implies it.
 */
#include "suite/decl/derived.h"

#include <string.h>

#include "base/word.h"
#include "oracle/oracle.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_setting.h"

#define AT(member) offsetof(struct decl, member)
#define ANY        UINT32_MAX

_Static_assert(sizeof(((struct decl *)0)->max_rto_retx) == sizeof(uint32_t) &&
		       sizeof(((struct decl *)0)->max_nack_retx) ==
			       sizeof(uint32_t),
	       "derived_has reads uint32_t");

/*
 * The RTO must be long enough that a retransmission after a NACK comes first.
 */
static bool nack_time_is_short(const struct decl *d)
{
	return d->nack_time.value < d->rto.value;
}

/*
 * Two NACKs and a retransmission after each must fit into an RTO.
 */
static bool nack_time_is_third(const struct decl *d)
{
	return 3 * d->nack_time.value < d->rto.value;
}

/* The window must let one request more in than the device can answer. */
static bool stored_is_in_window(const struct decl *d)
{
	return d->stored < d->mp_range;
}

/*
 * The RTO must be able to double four times before the destination counts as
 * unresponsive.
 */
static bool unresponsive_is_long(const struct decl *d)
{
	return d->unresponsive.value - d->unresponsive.tolerance >
	       16 * d->rto.value;
}

/* Returns a time or number of a "setting" line; |none| if there is no line. */
static uint64_t setting_or(const struct decl *d, enum orc_setting setting,
			   uint64_t none)
{
	uint64_t v;

	return decl_setting_find(d, setting, &v) ? v : none;
}

#define CACHED_MTUS 8

/* Both caches must hold eight MTUs: that of a QP and that of all QPs. */
static bool wqe_cache_is_large(const struct decl *d)
{
	const uint64_t all =
		setting_or(d, SETTING_wqe_cache_device, UINT64_MAX);

	return d->wqe_cache / d->mtu >= CACHED_MTUS &&
	       all / d->mtu >= CACHED_MTUS;
}

#define READS_AT_ONCE 136

/* The data of 136 reads must leave before the RTO of the first expires. */
static bool read_time_is_short(const struct decl *d)
{
	return READS_AT_ONCE * setting_or(d, SETTING_read_time, 0) <
	       (uint64_t)d->rto.value;
}

/* An answer must come before a timer that began with its cause has half run. */
static bool ack_time_is_short(const struct decl *d)
{
	return 2 * d->ack_time.value <= d->rto.value;
}

#define LONG_MISS VSPAN_MS

/* The tester needs a fifth of T_miss for disorder, and time for its packets. */
static bool wqe_miss_is_long(const struct decl *d)
{
	return decl_wqe_miss(d) >= LONG_MISS;
}

#define RTOS_OF_SILENCE 4

/* A context must outlive the waits of the cases, which are up to 3 RTO. */
static bool srd_idle_is_long(const struct decl *d)
{
	return setting_or(d, SETTING_srd_idle, UINT64_MAX) >=
	       RTOS_OF_SILENCE * (uint64_t)d->rto.value;
}

#define CREDIT_ENOUGH 65536 /* bytes */

/* The first bytes must not wait for credit. */
static bool credit_is_spared(const struct decl *d)
{
	return setting_or(d, SETTING_cc, ORC_CC_NSCC) != ORC_CC_CREDIT ||
	       setting_or(d, SETTING_credit_init, 0) *
			       setting_or(d, SETTING_credit_unit, 1) >=
		       CREDIT_ENOUGH;
}

#define RTOS_OF_CLOSE 8

/* A target that asks for a close must ask for it a second time. */
static bool close_req_time_is_long(const struct decl *d)
{
	return setting_or(d, SETTING_close_req_time, UINT64_MAX) >=
	       RTOS_OF_CLOSE * (uint64_t)d->rto.value;
}

/* A retransmission must come while the SES delays its answer. */
static bool ses_time_is_long(const struct decl *d)
{
	const struct decl_time t = decl_ses_time(d);

	return t.value - t.tolerance >= d->rto.value;
}

#define RTOS_OF_SYN 3

static bool syn_safety_is_long(const struct decl *d)
{
	return setting_or(d, SETTING_syn_retx_safety, UINT64_MAX) >=
	       RTOS_OF_SYN * (uint64_t)d->rto.value;
}

static bool start_psn_is_random(const struct decl *d)
{
	uint64_t fixed;

	return !decl_setting_find(d, SETTING_start_psn, &fixed);
}

static bool leaves_paths(const struct decl *d)
{
	return d->path_time.value > 0;
}

/* With a control channel rung exposes the memory, and no byte more. */
static bool memory_end_is_known(const struct decl *d)
{
	return decl_claims(d, "control") || decl_claims(d, "memory.exact");
}

/* clang-format off */
#define ATLEAST(claim, key, name, n) \
	{.word = claim, .line = key " " #name, .at = AT(name), .least = n, \
	 .most = ANY}
#define LIMIT(claim, name, n) \
	{.word = claim, .line = "setting " #name, .setting = SETTING_##name, \
	 .least = n, .most = ANY, .zero_is_no_limit = true}

static const struct derived_claim rows[] = {
	{.word = "mtu.1024", .line = "size mtu", .at = AT(mtu), .least = 1024, .most = 1024},
	ATLEAST("ack_data", "size", max_ack_data, 1),
	ATLEAST("ack_data.8", "size", max_ack_data, 8),
	{.word = "return_data", .line = "size max_ack_data", .at = AT(max_ack_data), .least = 0, .most = ANY, .below_mtu = true},
	ATLEAST("rto_retx.2", "limit", max_rto_retx, 2),
	ATLEAST("rto_retx.3", "limit", max_rto_retx, 3),
	ATLEAST("nack_retx.2", "limit", max_nack_retx, 2),
	ATLEAST("in_flight.3", "size", in_flight, 3),
	ATLEAST("in_flight.8", "size", in_flight, 8),
	ATLEAST("in_flight.128", "size", in_flight, 128),
	ATLEAST("stored.2", "size", stored, 2),
	ATLEAST("stored.4", "size", stored, 4),
	ATLEAST("stored.20", "size", stored, 20),
	{.word = "stored.window", .line = "size stored",
	 .has = stored_is_in_window},
	ATLEAST("wqe_ooo.2", "size", wqe_ooo, 2),
	ATLEAST("wqe_ooo.3", "size", wqe_ooo, 3),
	{.word = "wqe_cache.8",
	 .line = "size wqe_cache, setting wqe_cache_device",
	 .has = wqe_cache_is_large},
	{.word = "message.64", .line = "size max_message", .at = AT(max_message), .least = 64, .most = ANY, .in_mtus = true},
	{.word = "message.8", .line = "size max_message", .at = AT(max_message), .least = 8, .most = ANY, .in_mtus = true},
	ATLEAST("mp_range.128", "size", mp_range, 128),
	ATLEAST("mp_range.1024", "size", mp_range, 1024),
	{.word = "ack_time.short", .line = "timer ack_time",
	 .has = ack_time_is_short},
	{.word = "wqe_miss.long", .line = "setting wqe_miss, timer ack_time",
	 .has = wqe_miss_is_long},
	{.word = "nack_time.short", .line = "timer nack_time",
	 .has = nack_time_is_short},
	{.word = "nack_time.third", .line = "timer nack_time",
	 .has = nack_time_is_third},
	{.word = "close_req.long", .line = "setting close_req_time",
	 .has = close_req_time_is_long},
	{.word = "ses_time.long", .line = "timer ses_time",
	 .has = ses_time_is_long},
	{.word = "syn_safety.long", .line = "setting syn_retx_safety",
	 .has = syn_safety_is_long},
	{.word = "paths", .line = "timer path_time", .has = leaves_paths},
	{.word = "unresponsive.long", .line = "timer unresponsive",
	 .has = unresponsive_is_long},
	LIMIT("pkt_buffers.2", max_pkt_buffers, 2),
	LIMIT("pkt_buffers.4", max_pkt_buffers, 4),
	LIMIT("ses_msgs.2", max_ses_msgs, 2),
	LIMIT("rudi.2", max_rudi, 2),
	LIMIT("rudi.3", max_rudi, 3),
	LIMIT("psn_range.2048", psn_range, 2048),
	LIMIT("srd_paths.2", srd_paths, 2),
	LIMIT("srd_ctx.2", srd_max_ctx, 2),
	{.word = "rnr_retry.1", .line = "setting wqe_rnr_retry",
	 .setting = SETTING_wqe_rnr_retry, .least = 1, .most = ANY},
	{.word = "wqe.selective", .line = "setting wqe_gbn",
	 .setting = SETTING_wqe_gbn, .most = 0},
	LIMIT("wqe_ind.2", wqe_ind_psns, 2),
	LIMIT("wqe_ind.3", wqe_ind_psns, 3),
	{.word = "read_time.short", .line = "setting read_time",
	 .has = read_time_is_short},
	{.word = "credit.spared", .line = "setting cc",
	 .has = credit_is_spared},
	{.word = "credit.at_once", .line = "setting cc_policy",
	 .setting = SETTING_cc_policy, .most = ORC_POLICY_NSCC},
	{.word = "memory.end", .line = "claims", .has = memory_end_is_known},
	{.word = "start_psn.random", .line = "setting start_psn",
	 .has = start_psn_is_random},
	{.word = "srd_idle.long", .line = "setting srd_idle",
	 .has = srd_idle_is_long},
};
/* clang-format on */

const struct derived_claim *derived_find(const char *word)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (word_same(word, rows[i].word))
			return &rows[i];
	return NULL;
}

static bool setting_has(const struct derived_claim *c, const struct decl *d)
{
	uint64_t v;

	if (!decl_setting_find(d, c->setting, &v))
		return true;
	if (!v && c->zero_is_no_limit)
		return true;
	return v >= c->least && v <= c->most;
}

bool derived_has(const struct derived_claim *c, const struct decl *d)
{
	uint32_t v;

	if (c->has)
		return c->has(d);
	if (c->setting)
		return setting_has(c, d);
	memcpy(&v, (const char *)d + c->at, sizeof(v));
	if (c->below_mtu && v >= d->mtu)
		return false;
	if (c->in_mtus)
		v /= d->mtu;
	return v >= c->least && v <= c->most;
}
