/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_row.c -- the key, type and struct member of each number.  The
 * parser and the printer both use these rows.
 */
#include "suite/decl/decl_row.h"

#include <string.h>

#include "base/word.h"
#include "oracle/oracle.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_setting.h"

#define AT(member) offsetof(struct decl, member)

/* clang-format off */
const struct decl_row decl_rows[DECL_ROWS] = {
	{"id", "job_id",         ROW_U32, AT(job_id),         0, 0xffffff, true},
	{"id", "pid_on_fep",     ROW_U16, AT(pid_on_fep),     0, 0xfff, true},
	{"id", "resource_index", ROW_U16, AT(resource_index), 0, 0xfff, true},
	{"id", "ri_generation",  ROW_U8,  AT(ri_generation),  0, 0xff, true},
	{"id", "initiator",      ROW_U32, AT(initiator), 0, UINT32_MAX, true},
	{"id", "memory_key",     ROW_U64, AT(memory_key), 0, UINT64_MAX, true},
	{"id", "tag",            ROW_U64, AT(tag), 0, UINT64_MAX - 1, true},
	{"id", "rkey",           ROW_U32, AT(rkey), 0, UINT32_MAX, true},
	{"id", "memory_offset",  ROW_U64, AT(memory_offset), 0, UINT64_MAX, true},
	{"id", "srd_qpn",        ROW_U32, AT(srd_qpn), 2, 0xffffff, true},
	{"id", "srd_qkey",       ROW_U32, AT(srd_qkey), 0, UINT32_MAX, true},
	{"id", "wqe_qpn",        ROW_U32, AT(wqe_qpn), 2, 0xffffff, true},
	{"size", "memory_len",   ROW_U32, AT(memory_len), 0, UINT32_MAX, false},
	{"size", "max_message",  ROW_U32, AT(max_message), 1, 0xfffffffe, false},
	{"size", "mtu",          ROW_U32, AT(mtu), 256, 9000, false},
	{"size", "max_ack_data", ROW_U32, AT(max_ack_data), 0, 8192, false},
	{"size", "mp_range",     ROW_U32, AT(mp_range), 64, 32640, false},
	{"size", "in_flight",    ROW_U32, AT(in_flight), 1, DECL_IN_FLIGHT_MAX, false},
	{"size", "stored",       ROW_U32, AT(stored), 1, DECL_IN_FLIGHT_MAX, false},
	{"size", "eager",        ROW_U32, AT(eager), 1, 1024, false},
	{"size", "wqe_ooo",      ROW_U32, AT(wqe_ooo), 1, UINT32_MAX, false},
	{"size", "wqe_cache",    ROW_U32, AT(wqe_cache), 0, UINT32_MAX, false},
	{"dscp", "data",         ROW_U8, AT(dscp_data), 0, 63, false},
	{"dscp", "control",      ROW_U8, AT(dscp_control), 0, 63, false},
	{"dscp", "bulk",         ROW_U8, AT(dscp_bulk), 0, 63, false},
	{"dscp", "trimmed",      ROW_U8, AT(dscp_trimmed), 1, 63, false},
	{"dscp", "trimmed_lasthop", ROW_U8, AT(dscp_trimmed_lasthop), 1, 63,
	 false},
	{"limit", "max_rto_retx",  ROW_UINT, AT(max_rto_retx), 1, DECL_RTO_RETX_MAX, false},
	{"limit", "max_nack_retx", ROW_UINT, AT(max_nack_retx), 1, DECL_NACK_RETX_MAX, false},
	{"timer", "rto",        ROW_TIME, AT(rto), 1, 8 * VSPAN_S, false},
	{"timer", "nack_time",  ROW_TIME, AT(nack_time), 0, 8 * VSPAN_S, false},
	{"timer", "ack_time",   ROW_TIME, AT(ack_time), 1, 1 * VSPAN_S, false},
	{"timer", "clear_time", ROW_TIME, AT(clear_time), 0, 100 * VSPAN_MS,
	 false},
	{"timer", "unresponsive", ROW_TIME, AT(unresponsive), 1, 3600 * VSPAN_S,
	 false},
	{"timer", "rto_max",    ROW_TIME, AT(rto_max), 1, 8 * VSPAN_S, false},
	{"timer", "close_idle", ROW_TIME, AT(close_idle), 0, 3600 * VSPAN_S,
	 false},
	{"timer", "path_time",  ROW_TIME, AT(path_time), 0, 3600 * VSPAN_S,
	 false},
	{"timer", "ses_time",   ROW_TIME, AT(ses_time), 0, 8 * VSPAN_S, false},
};
/* clang-format on */

size_t decl_row_index(const char *name)
{
	size_t i = 0;

	while (i < DECL_ROWS - 1 && strcmp(decl_rows[i].name, name))
		i++;
	return i;
}

void *row_at(struct decl *d, const struct decl_row *r)
{
	return (char *)d + r->at;
}

bool decl_given(const struct decl *d, const char *name)
{
	return d->given >> decl_row_index(name) & 1;
}

void row_set(struct decl *d, const struct decl_row *r, uint64_t v)
{
	void *at = row_at(d, r);

	switch (r->kind) {
	case ROW_U8:
		*(uint8_t *)at = (uint8_t)v;
		break;
	case ROW_U16:
		*(uint16_t *)at = (uint16_t)v;
		break;
	case ROW_U32:
		*(uint32_t *)at = (uint32_t)v;
		break;
	case ROW_U64:
		*(uint64_t *)at = v;
		break;
	case ROW_UINT:
		*(unsigned *)at = (unsigned)v;
		break;
	case ROW_TIME:
		break;
	}
}

uint64_t row_get(const struct decl *d, const struct decl_row *r)
{
	const void *at = (const char *)d + r->at;

	switch (r->kind) {
	case ROW_U8:
		return *(const uint8_t *)at;
	case ROW_U16:
		return *(const uint16_t *)at;
	case ROW_U32:
		return *(const uint32_t *)at;
	case ROW_U64:
		return *(const uint64_t *)at;
	case ROW_UINT:
		return *(const unsigned *)at;
	case ROW_TIME:
		break;
	}
	return 0;
}

static bool row_is_default(const struct decl *d, const struct decl_row *r)
{
	const struct decl_time *time = (const void *)((const char *)d + r->at);
	const struct decl_time *other =
		(const void *)((const char *)&decl_defaults + r->at);

	if (r->kind != ROW_TIME)
		return row_get(d, r) == row_get(&decl_defaults, r);
	return time->value == other->value &&
	       time->tolerance == other->tolerance;
}

bool row_is_given(const struct decl *d, const struct decl_row *r)
{
	return d->given >> (r - decl_rows) & 1 || !row_is_default(d, r);
}

static bool row_is_number(const struct decl_row *r)
{
	return word_same(r->group, "id") || word_same(r->group, "size") ||
	       word_same(r->group, "limit");
}

/*
 * Returns the bytes of the longest message whose responses the device can all
 * keep: one packet more must fit into MP_RANGE, since CACK_PSN stays.
 */
static uint64_t stored_mtus(const struct decl *d)
{
	const uint32_t room = d->mp_range - 1;

	return (uint64_t)(d->stored < room ? d->stored : room) * d->mtu;
}

static uint64_t ack_data(const struct decl *d)
{
	return d->max_ack_data < d->mtu ? d->max_ack_data : d->mtu;
}

/* Requests without an answer of the SES that a target keeps; unless said, 1. */
static uint64_t pkt_buffers(const struct decl *d)
{
	uint64_t n;

	return decl_setting_find(d, SETTING_max_pkt_buffers, &n) && n ? n : 1;
}

static uint64_t pkt_buffers_mtus(const struct decl *d)
{
	return pkt_buffers(d) * d->mtu;
}

/* Messages of several packets that a target tracks at once; unless said, 1. */
static uint64_t ses_msgs(const struct decl *d)
{
	uint64_t n;

	return decl_setting_find(d, SETTING_max_ses_msgs, &n) && n ? n : 1;
}

static uint64_t ses_msgs_mtus(const struct decl *d)
{
	return ses_msgs(d) * d->mtu;
}

/* Bytes after which an ACK is due; unless said, two packets of ack_min(). */
static uint64_t ack_trigger(const struct decl *d)
{
	uint64_t n;

	return decl_setting_find(d, SETTING_ack_gen_trigger, &n) ? n : 2048;
}

static uint64_t ack_min(const struct decl *d)
{
	uint64_t n;

	return decl_setting_find(d, SETTING_ack_gen_min_pkt_add, &n) ? n : 1024;
}

#define HEADERS 128 /* bytes of a packet that a target may count at most */
#define UNKNOWN UINT32_MAX

/*
 * Returns the bytes of a message of as many packets as may come, with 64 bytes
 * each, before the one that reaches the trigger.  UNKNOWN, more than any case
 * sends, if headers decide which one that is.
 */
static uint64_t mtus_below(const struct decl *d, uint64_t trigger)
{
	const uint64_t least = ack_min(d);

	if (trigger && least < 64 + HEADERS)
		return UNKNOWN;
	if (!trigger)
		return 0;
	return (trigger + least - 1) / least * d->mtu - d->mtu;
}

static uint64_t unacked_mtus(const struct decl *d)
{
	return mtus_below(d, ack_trigger(d));
}

/* The trigger of the specification, unless the declaration says another. */
static uint64_t spec_trigger(const struct decl *d)
{
	uint64_t n;

	return decl_setting_find(d, SETTING_ack_gen_trigger, &n) ? n : 16384;
}

static uint64_t spec_unacked_mtus(const struct decl *d)
{
	return mtus_below(d, spec_trigger(d));
}

/* The same setting, for cases that count bytes; unless said, 1. */
static uint64_t ack_least(const struct decl *d)
{
	uint64_t n;

	return decl_setting_find(d, SETTING_ack_gen_min_pkt_add, &n) ? n : 1;
}

/*
 * Returns the bytes of a message of as many packets of an MTU as may come
 * before the one that reaches the trigger; 0 if one of 64 bytes more may not,
 * or if headers decide.
 */
static uint64_t trigger_mtus(const struct decl *d)
{
	const uint64_t small = ack_least(d) > 64 ? ack_least(d) : 64;
	const uint64_t trigger = ack_trigger(d);
	const uint64_t most =
		trigger && d->mtu ? (trigger - 1) / d->mtu * d->mtu : 0;

	if (most + small >= trigger || small >= d->mtu ||
	    most / d->mtu * (d->mtu + HEADERS) >= trigger)
		return 0;
	return most;
}

static uint64_t memory_end(const struct decl *d)
{
	return d->memory_offset + d->memory_len;
}

/* Numbers that follow from lines of the declaration. */
static const struct {
	const char *name;
	uint64_t (*of)(const struct decl *d);
} computed[] = {
	{"ack_data", ack_data},
	{"stored_mtus", stored_mtus},
	{"pkt_buffers", pkt_buffers},
	{"pkt_buffers_mtus", pkt_buffers_mtus},
	{"ses_msgs", ses_msgs},
	{"ses_msgs_mtus", ses_msgs_mtus},
	{"ack_trigger", ack_trigger},
	{"ack_min", ack_min},
	{"ack_least", ack_least},
	{"trigger_mtus", trigger_mtus},
	{"spec_trigger", spec_trigger},
	{"spec_unacked_mtus", spec_unacked_mtus},
	{"unacked_mtus", unacked_mtus},
	{"memory_end", memory_end},
};

#define COMPUTED (sizeof(computed) / sizeof(computed[0]))

bool decl_has_number(const char *name)
{
	for (size_t row = 0; row < DECL_ROWS; row++)
		if (word_same(decl_rows[row].name, name) &&
		    row_is_number(&decl_rows[row]))
			return true;
	for (size_t i = 0; i < COMPUTED; i++)
		if (word_same(name, computed[i].name))
			return true;
	return false;
}

const char *decl_number(const struct decl *d, size_t *at, uint64_t *ret)
{
	size_t i;

	while (*at < DECL_ROWS && !row_is_number(&decl_rows[*at]))
		++*at;
	i = (*at)++;
	if (i < DECL_ROWS) {
		if (ret)
			*ret = row_get(d, &decl_rows[i]);
		return decl_rows[i].name;
	}
	i -= DECL_ROWS;
	if (i >= COMPUTED)
		return NULL;
	if (ret)
		*ret = computed[i].of(d);
	return computed[i].name;
}
