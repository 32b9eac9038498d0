/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/bytes.h -- what the fields of an ACK_CC with NSCC may be: the
 * bounds that rules and the fast path compare.
 *
 * Spec: UET 3.5.10.6, 3.6.9 (uet.md 3.5, 8.5)
 */
#ifndef JUDGE_UET_FLOW_BYTES_H
#define JUDGE_UET_FLOW_BYTES_H

#include "judge/uet/flow.h"

#define BYTES_MASK    0xffffffu /* rcvd_bytes and credit have 24 bits */
#define BYTES_UNIT    256
#define SERVICE_UNIT  128 /* ns */
#define SERVICE_MAX   0xffff
#define OOO_NONE      0xffff
#define NOMINAL_LEAST ((uint64_t)4 + 40)     /* entropy header + 40, no CRC */
#define NOMINAL_MOST  ((uint64_t)8 + 4 + 40) /* UDP header, CRC, 40 */

/* Units by which rcvd_bytes has grown, from |low| to |high|. */
struct bytes_bounds {
	uint64_t low, high;
};

/* bytes_grown returns the units from |since| to |told|. */
static inline uint32_t bytes_grown(uint32_t since, uint32_t told)
{
	return (told - since) & BYTES_MASK;
}

/* bytes_rise returns true if |told| is not below |since|. */
static inline bool bytes_rise(uint32_t since, uint32_t told)
{
	return bytes_grown(since, told) < (BYTES_MASK + 1) / 2;
}

/*
 * bytes_at_least returns the fewest units between two sums; rounding may add or
 * hide one unit.
 */
static inline uint64_t bytes_at_least(uint64_t now, uint64_t then)
{
	const uint64_t units = now > then ? (now - then) / BYTES_UNIT : 0;

	if (units)
		return units - 1;
	return 0;
}

static inline uint64_t bytes_at_most(uint64_t now, uint64_t then)
{
	return (now - then) / BYTES_UNIT + 2;
}

/*
 * bytes_of_arrived returns bounds by what was received for the first time: from
 * the acknowledged payload to all bytes that arrived.
 */
static inline struct bytes_bounds bytes_of_arrived(const struct dir *d)
{
	const struct cc_sums *now = &d->sums, *then = &d->rare->cc.base;

	return (struct bytes_bounds){
		bytes_at_least(now->acked_payload, then->sent),
		bytes_at_most(now->sent + now->npkts * NOMINAL_MOST,
			      then->acked_payload)};
}

/* bytes_of_nominal returns bounds by the nominal sizes of packets. */
static inline struct bytes_bounds bytes_of_nominal(const struct dir *d)
{
	const struct cc_sums *now = &d->sums, *then = &d->rare->cc.base;

	return (struct bytes_bounds){
		bytes_at_least(now->acked + now->acked_npkts * NOMINAL_LEAST,
			       then->sent + then->npkts * NOMINAL_MOST),
		bytes_at_most(now->sent + now->npkts * NOMINAL_MOST,
			      then->acked + then->acked_npkts * NOMINAL_LEAST)};
}

/* bytes_sent returns the most units that packets since the start can make. */
static inline uint64_t bytes_sent(const struct dir *d)
{
	return bytes_at_most(d->sums.sent + d->sums.npkts * NOMINAL_MOST, 0);
}

/* bytes_are_within returns true if |units|, modulo 2^24, lies within the
 * bounds. */
static inline bool bytes_are_within(struct bytes_bounds b, uint32_t units)
{
	return ((units - b.low) & BYTES_MASK) <= b.high - b.low;
}

/* bytes_sent_fit returns true if |units| do not exceed what was sent. */
static inline bool bytes_sent_fit(const struct dir *d, uint32_t units)
{
	return units <= bytes_sent(d) || units > BYTES_MASK / 2;
}

#endif
