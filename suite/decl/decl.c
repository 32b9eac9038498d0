/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl.c -- frees a declaration, and computes the values that derive
 * from its numbers.
 */
#include "suite/decl/decl.h"

#include <stdlib.h>

#include "suite/decl/decl_setting.h"

void decl_free(struct decl *d)
{
	if (!d)
		return;
	arena_free(&d->arena);
	free(d);
}

struct decl_time decl_rto_total(const struct decl *d)
{
	struct decl_time ret = {0, 0};
	vspan rto = d->rto.value;

	for (unsigned i = 0; i <= d->max_rto_retx; i++) {
		ret.value += rto;
		ret.tolerance += d->rto.tolerance;
		rto *= 2;
		if (rto > d->rto_max.value)
			rto = d->rto_max.value;
	}
	return ret;
}

static const char *const packets_words[] = {
	[CAUSE_ALL] = "all",
	[CAUSE_FIRST] = "first",
	[CAUSE_ANY] = "any",
	[CAUSE_SINGLE] = "single",
};

const char *decl_cause_packets(enum cause_packets p)
{
	return packets_words[p];
}

static const char *const icrc_modes[] = {
	[ICRC_SOCK] = "sock",
	[ICRC_STRICT] = "strict",
	[ICRC_OFF] = "off",
};

const char *decl_icrc_name(enum icrc_mode mode)
{
	return icrc_modes[mode];
}

struct decl_time decl_ses_time(const struct decl *d)
{
	if (d->ses_time.value)
		return d->ses_time;
	return (struct decl_time){
		4 * d->rto.value + 2 * d->ack_time.value,
		d->ack_time.tolerance,
	};
}

vspan decl_wqe_miss(const struct decl *d)
{
	uint64_t v;

	return decl_setting_find(d, SETTING_wqe_miss, &v) ? (vspan)v
							  : d->ack_time.value;
}

vspan decl_wqe_tail(const struct decl *d)
{
	uint64_t v;

	return decl_setting_find(d, SETTING_wqe_tail, &v)
		       ? (vspan)v
		       : 8 * d->rto.value + d->ack_time.value;
}
