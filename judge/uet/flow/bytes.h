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

/*
 * bytes_are_within returns true if |units|, modulo 2^24, lies within the
 * bounds.
 */
static inline bool bytes_are_within(struct bytes_bounds b, uint32_t units)
{
	return ((units - b.low) & BYTES_MASK) <= b.high - b.low;
}

/* bytes_sent_fit returns true if |units| do not exceed what was sent. */
static inline bool bytes_sent_fit(const struct dir *d, uint32_t units)
{
	return units <= bytes_sent(d) || units > BYTES_MASK / 2;
}

/* ---- ooo_count ---- */

/* An ACK with ooo_count, as far as it reports what has arrived. */
struct ooo_ack {
	const struct psn_state *s; /* the PSN that it answers, or NULL */
	uint32_t cack, ack_psn;
	uint32_t sack_psn;
	uint64_t sack_bitmap;
};

/* ooo_highest returns the highest PSN that the ACK itself reports as arrived.
 */
static inline uint32_t ooo_highest(const struct ooo_ack *a)
{
	uint32_t top = a->cack;

	if (a->s)
		top = serial_max(top, a->ack_psn);
	if (!a->sack_bitmap)
		return top;
	return serial_max(top,
			  a->sack_psn + 63 -
				  (uint32_t)__builtin_clzll(a->sack_bitmap));
}

/*
 * ooo_refused returns true if a PSN above CACK_PSN was NACKed, or arrived
 * mangled.  A refused packet leaves a gap that the judge does not see.
 */
static inline bool ooo_refused(struct flow *f, struct dir *d,
			       const struct ooo_ack *a)
{
	const struct psn_state *s;

	for (uint32_t psn = a->cack + 1; !serial_after(psn, d->high); psn++) {
		s = psn_find(f, d, psn);
		if (s && s->flags & (PSN_NACKED | PSN_MANGLED))
			return true;
	}
	return false;
}

/*
 * ooo_none returns true if all lower PSNs had arrived before the packet that
 * the ACK answers.
 */
static inline bool ooo_none(struct flow *f, struct dir *d,
			    const struct ooo_ack *a)
{
	return a->s && !d->gap && !d->rare->nstrays &&
	       psn_behind_gap(d, a->s) && !ooo_refused(f, d, a);
}

/* ooo_some returns true if a PSN above a gap had surely arrived. */
static inline bool ooo_some(const struct dir *d, const struct ooo_ack *a)
{
	return d->gap && serial_after(ooo_highest(a), d->seen_to + 1);
}

/*
 * ooo_most returns the most PSNs that the destination may have counted.  A
 * packet that closed a gap may have come after the ACK was composed: CACK_PSN
 * says what the destination had taken by then.
 */
static inline uint32_t ooo_most(const struct dir *d, const struct ooo_ack *a)
{
	return d->high -
	       (serial_before(a->cack, d->seen_to) ? a->cack : d->seen_to);
}

#endif
