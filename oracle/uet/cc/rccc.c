/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/rccc.c -- RCCC: the turns in which a destination grants credit.
 */
#include "oracle/uet/cc/rccc.h"

#include "oracle/uet/cc/cc_conf.h"

vtime rccc_turn(struct rccc *r, const struct orc_conf *conf, vtime now,
		uint32_t bytes)
{
	const vtime due = vtime_max(r->free_at, now);

	r->free_at = due + cc_conf_span(conf, bytes);
	return due;
}
