/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/derived.c -- the capabilities that follow from a number of the
 * declaration, each with the declaration line that implies it.
 */
#include "suite/decl/derived.h"

#include <string.h>

#include "suite/decl/decl.h"

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
 * The RTO must be able to double four times before the destination counts as
 * unresponsive.
 */
static bool unresponsive_is_long(const struct decl *d)
{
	return d->unresponsive.value - d->unresponsive.tolerance >
	       16 * d->rto.value;
}

/* clang-format off */
static const struct derived_claim rows[] = {
	{"mtu.1024", "size mtu", AT(mtu), 1024, 1024, false, false, NULL},
	{"ack_data", "size max_ack_data", AT(max_ack_data), 1, ANY, false, false, NULL},
	{"ack_data.8", "size max_ack_data", AT(max_ack_data), 8, ANY, false, false, NULL},
	{"return_data", "size max_ack_data", AT(max_ack_data), 0, ANY, true, false, NULL},
	{"rto_retx.2", "limit max_rto_retx", AT(max_rto_retx), 2, ANY, false, false, NULL},
	{"rto_retx.3", "limit max_rto_retx", AT(max_rto_retx), 3, ANY, false, false, NULL},
	{"nack_retx.2", "limit max_nack_retx", AT(max_nack_retx), 2, ANY, false, false, NULL},
	{"in_flight.128", "size in_flight", AT(in_flight), 128, ANY, false, false, NULL},
	{"stored.2", "size stored", AT(stored), 2, ANY, false, false, NULL},
	{"stored.4", "size stored", AT(stored), 4, ANY, false, false, NULL},
	{"stored.20", "size stored", AT(stored), 20, ANY, false, false, NULL},
	{"wqe_ooo.2", "size wqe_ooo", AT(wqe_ooo), 2, ANY, false, false, NULL},
	{"wqe_ooo.3", "size wqe_ooo", AT(wqe_ooo), 3, ANY, false, false, NULL},
	{"wqe_cache.8", "size wqe_cache", AT(wqe_cache), 8, ANY, false, true, NULL},
	{"message.64", "size max_message", AT(max_message), 64, ANY, false, true, NULL},
	{"mp_range.128", "size mp_range", AT(mp_range), 128, ANY, false, false, NULL},
	{.word = "nack_time.short", .line = "timer nack_time",
	 .has = nack_time_is_short},
	{.word = "unresponsive.long", .line = "timer unresponsive",
	 .has = unresponsive_is_long},
};
/* clang-format on */

const struct derived_claim *derived_find(const char *word)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(word, rows[i].word))
			return &rows[i];
	return NULL;
}

bool derived_has(const struct derived_claim *c, const struct decl *d)
{
	uint32_t v;

	if (c->has)
		return c->has(d);
	memcpy(&v, (const char *)d + c->at, sizeof(v));
	if (c->below_mtu && v >= d->mtu)
		return false;
	if (c->in_mtus)
		v /= d->mtu;
	return v >= c->least && v <= c->most;
}
