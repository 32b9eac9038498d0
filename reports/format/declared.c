/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/declared.c -- prints and parses the "declared" comment with
 * one format for printf() and scanf().
 *
 * Values missing at the end of the comment keep what the caller set, so that
 * older captures are readable.
 */
#include "reports/format/declared.h"

#include <inttypes.h>
#include <stdio.h>

/* The same words and types for printf and scanf; times in ns. */
#define LINE(i64, u32)                                                    \
	"declared rto=%" i64 " tolerance=%" i64 " max_rto_retx=%u"        \
	" nack_time=%" i64 " tolerance=%" i64 " max_nack_retx=%u"         \
	" max_ack_data=%" u32 " mp_range=%" u32 " mtu=%" u32 " end=%" i64 \
	" frames=%" u32 " version=%u trimmed=%u lasthop=%u crc=%u"        \
	" grace=%" i64 " rto_max=%" i64

/* crc=0: none, else 1 + its byte order. */
void declared_print(struct text *t, const struct declared *d)
{
	const struct judge_conf *j = &d->judge;

	text_printf(
		t, LINE(PRId64, PRIu32), j->rto_init, j->rto_tolerance,
		j->max_rto_retx, j->nack_retx_time, j->nack_tolerance,
		j->max_nack_retx, j->max_ack_data, j->mp_range, j->mtu, d->end,
		d->frames, (unsigned)j->version, (unsigned)j->dscp_trimmed,
		(unsigned)j->dscp_trimmed_lasthop,
		d->crc ? 1 + (unsigned)d->crc_order : 0, j->grace, j->rto_max);
}

void declared_parse(struct declared *ret, const char *s)
{
	struct judge_conf *j = &ret->judge;
	unsigned version = (unsigned)j->version, crc = 0;
	unsigned trimmed = j->dscp_trimmed, lasthop = j->dscp_trimmed_lasthop;

	sscanf(s, LINE(SCNd64, SCNu32), &j->rto_init, &j->rto_tolerance,
	       &j->max_rto_retx, &j->nack_retx_time, &j->nack_tolerance,
	       &j->max_nack_retx, &j->max_ack_data, &j->mp_range, &j->mtu,
	       &ret->end, &ret->frames, &version, &trimmed, &lasthop, &crc,
	       &j->grace, &j->rto_max);
	j->version = (enum uet_version)version;
	j->dscp_trimmed = (uint8_t)trimmed;
	j->dscp_trimmed_lasthop = (uint8_t)lasthop;
	ret->crc = crc > 0;
	if (crc > 1)
		ret->crc_order = CRC_BE;
	else
		ret->crc_order = CRC_LE;
}
