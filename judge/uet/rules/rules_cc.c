/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_cc.c -- the congestion control fields of ACK_CC, of
 * requests with a CC section, and of Credit, compared with the captured
 * packets.
 *
 * A device chooses its own congestion control.  But the values that it reports
 * must be true: bytes received, packets out of order, service time, credit.
 *
 * Spec: UET 3.5.10.6, 3.6.9 (uet.md 3.5, 3.10, 6.6, 8.5)
 */
#include "judge/uet/rule.h"

#include "judge/uet/flow/bytes.h"
#include "judge/uet/flow/cc.h"

/* "mpr = 0 is not sent (before 1.0.3)" */
static void cc_rules_mpr_zero(struct pkt_ctx *l)
{
	if (l->conf->version >= UET_1_0_3)
		return;
	if (holds(l, REQ_UET_ACK_14, REQ_DST, l->mpr))
		return;
	actual(l->j, "mpr=0");
	because(l->j, "mpr = 0 would allow no PSN to be sent.");
}

/* ---- rcvd_bytes ---- */

/* "rcvd_bytes grows [...] modulo 2^24" */
static void bytes_go_back(struct pkt_ctx *l)
{
	if (!l->has_nscc || !l->peer->rare->bytes_known)
		return;
	if (holds(l, REQ_UET_ACK_09, REQ_DST,
		  bytes_rise(l->peer->rare->rcvd_bytes, l->nscc.rcvd_bytes)))
		return;
	expected(l->j, "rcvd_bytes=%" PRIu32, l->peer->rare->rcvd_bytes);
	actual(l->j, "rcvd_bytes=%" PRIu32, l->nscc.rcvd_bytes);
	because(l->j, "rcvd_bytes decreased from %" PRIu32 " to %" PRIu32 ".",
		l->peer->rare->rcvd_bytes, l->nscc.rcvd_bytes);
}

static bool bytes_judged(const struct pkt_ctx *l)
{
	return l->has_nscc && l->peer->rare->cc.base_known &&
	       l->peer->start_known;
}

/*
 * Checks that the growth of rcvd_bytes lies within |b|; |what| explains these
 * bounds.
 */
static void bytes_within(struct pkt_ctx *l, enum req_id req,
			 struct bytes_bounds b, const char *what)
{
	const uint32_t base = l->peer->rare->cc.base_bytes;
	uint32_t units;

	if (!bytes_judged(l))
		return;
	units = bytes_grown(base, l->nscc.rcvd_bytes);
	if (holds(l, req, REQ_DST, bytes_are_within(b, units)))
		return;
	expected(l->j, "rcvd_bytes=%" PRIu64 "..%" PRIu64,
		 (base + b.low) & BYTES_MASK, (base + b.high) & BYTES_MASK);
	actual(l->j, "rcvd_bytes=%" PRIu32, l->nscc.rcvd_bytes);
	because(l->j,
		"rcvd_bytes has grown by %" PRIu32 " units of 256; %s %" PRIu64
		" to %" PRIu64 ".",
		units, what, b.low, b.high);
}

/*
 * The growth lies between the acknowledged payload and all bytes that arrived,
 * each PSN once: "duplicates add nothing".
 */
static void bytes_of_new(struct pkt_ctx *l)
{
	bytes_within(l, REQ_UET_ACK_09, bytes_of_arrived(l->peer),
		     "what was received for the first time is");
}

/*
 * If the judge is not at the sender's link, the growth is at most what was sent
 * since the PDC began.  An ACK may be older than the one from which growth is
 * counted.
 */
static void bytes_never_sent(struct pkt_ctx *l)
{
	uint32_t units;

	if (at_link(l, l->from) || !bytes_judged(l))
		return;
	units = bytes_grown(l->peer->rare->cc.base_bytes, l->nscc.rcvd_bytes);
	if (holds(l, REQ_UET_ACK_09, REQ_DST, bytes_sent_fit(l->peer, units)))
		return;
	actual(l->j, "rcvd_bytes=%" PRIu32, l->nscc.rcvd_bytes);
	because(l->j,
		"rcvd_bytes has grown by %" PRIu32 " units of 256; no more "
		"than %" PRIu64 " were sent.",
		units, bytes_sent(l->peer));
}

/* "rcvd_bytes counts nominal sizes [...] of untrimmed data packets only." */
static void bytes_nominal(struct pkt_ctx *l)
{
	bytes_within(l, REQ_UET_ACK_37, bytes_of_nominal(l->peer),
		     "nominal sizes make it");
}

/* ---- service_time ---- */

/*
 * Returns when the judge saw the request that triggered the ACK, or an earlier
 * copy of it.  retx = 1 names the retransmission if there was only one.
 */
static vtime cc_rules_trigger_at(const struct pkt_ctx *l)
{
	const uint32_t both = PSN_FRESH | PSN_REPEATED | PSN_LAST_RETX;
	const struct psn_state *s = l->old;

	if (l->retx && s->copies == 2 && (s->flags & both) == both)
		return s->sent_at;
	return s->first_at;
}

/*
 * "how long the request at ACK_PSN was at the destination": at most the time
 * since the judge saw the request.
 */
static void service_too_long(struct pkt_ctx *l)
{
	const vspan accuracy = 1 * VSPAN_US + l->conf->time_error;
	vspan claimed, seen;

	if (!l->has_nscc || !l->nscc.service_time)
		return;
	claimed = l->nscc.service_time * (vspan)SERVICE_UNIT;
	seen = l->at - cc_rules_trigger_at(l);
	if (holds(l, REQ_UET_ACK_08, REQ_DST, claimed <= seen + accuracy))
		return;
	expected(l->j, "service_time=%" PRId64, seen / SERVICE_UNIT);
	actual(l->j, "service_time=%u", l->nscc.service_time);
	because(l->j,
		"service_time claims %" PRId64 " ns, but PSN %" PRIu32
		" was seen only %" PRId64 " ns ago.",
		claimed, l->ack_psn, seen);
}

/*
 * service_time is not much shorter than the time since the request, minus the
 * travel time of both packets.  A device counts from when it reads a request,
 * so a busy machine explains a difference.
 */
static void service_too_short(struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;
	vspan claimed, seen;

	if (!l->has_nscc || !l->nscc.service_time ||
	    l->nscc.service_time == SERVICE_MAX)
		return;
	if (!l->conf->answer_time || s->flags & PSN_WANTED)
		return;
	claimed = l->nscc.service_time * (vspan)SERVICE_UNIT;
	seen = l->at - s->sent_at;
	if (holds(l, REQ_UET_ACK_08, REQ_DST,
		  claimed + l->conf->answer_time >= seen))
		return;
	expected(l->j, "service_time=%" PRId64, seen / SERVICE_UNIT);
	actual(l->j, "service_time=%u", l->nscc.service_time);
	unless_unread(l->j, seen - claimed - l->conf->answer_time);
	because(l->j,
		"service_time claims %" PRId64 " ns, but PSN %" PRIu32
		" came %" PRId64 " ns ago.",
		claimed, l->ack_psn, seen);
}

/* ---- ooo_count ---- */

static bool has_ooo(const struct pkt_ctx *l)
{
	return l->has_nscc || l->has_credit;
}

static uint16_t ooo_of(const struct pkt_ctx *l)
{
	if (l->has_nscc)
		return l->nscc.ooo_count;
	return l->credit.ooo_count;
}

/* "ooo_count is 0xffff where it is not provided, and otherwise 0 exactly while
 * nothing is out of order" */
static void cc_rules_ooo_count(struct pkt_ctx *l)
{
	const uint16_t ooo = ooo_of(l);
	struct dir *d = l->peer;
	const struct ooo_ack a = {l->old, l->ack.cack_psn, l->ack_psn,
				  l->sack_psn, l->sack_bitmap};
	const uint32_t most = ooo_most(d, &a);

	if (!has_ooo(l) || !d->start_known || ooo == OOO_NONE)
		return;
	if (ooo_none(l->f, d, &a)) {
		if (holds(l, REQ_UET_ACK_10, REQ_DST, !ooo))
			return;
		expected(l->j, "ooo_count=0");
		because(l->j, "Nothing is out of order up to PSN %" PRIu32 ".",
			d->high);
	} else if (ooo_some(d, &a)) {
		if (holds(l, REQ_UET_ACK_10, REQ_DST,
			  ooo && (ooo <= most || ooo_refused(l->f, d, &a))))
			return;
		expected(l->j, "ooo_count=1..%" PRIu32, most);
		because(l->j,
			"PSN %" PRIu32 " arrived, but %" PRIu32 " did not.",
			ooo_highest(&a), d->seen_to + 1);
	} else {
		return;
	}
	actual(l->j, "ooo_count=%u", ooo);
}

/* ---- Credit ---- */

static void credit_from(struct pkt_ctx *l, uint32_t credit)
{
	const struct dir_cc *cc = &l->peer->rare->cc;
	const uint32_t more = (credit - cc->credit) & BYTES_MASK;

	if (!cc->credit_known || !at_link(l, l->from))
		return;
	if (holds(l, REQ_UET_ACK_38, REQ_DST, more < (BYTES_MASK + 1) / 2))
		return;
	expected(l->j, "credit=%" PRIu32, cc->credit);
	actual(l->j, "credit=%" PRIu32, credit);
	because(l->j, "credit decreased from %" PRIu32 " to %" PRIu32 ".",
		cc->credit, credit);
}

static void credit_of_ack(struct pkt_ctx *l)
{
	if (l->has_credit)
		credit_from(l, l->credit.credit);
}

/* "as payload the credit in bits 31-8 and 0 in bits 7-0" */
static void cc_rules_credit_of_cp(struct pkt_ctx *l)
{
	if (l->cp.ctl_type != PDS_CP_CREDIT)
		return;
	credit_from(l, l->payload >> 8);
	if (holds(l, REQ_UET_CP_07, REQ_DST, !(l->payload & 0xff)))
		return;
	expected(l->j, "rsvd_24=0x00");
	actual(l->j, "rsvd_24=0x%02" PRIx32, l->payload & 0xff);
	because(l->j, "The low 8 bits of a Credit's payload are reserved.");
}

/* Returns the units that the source of a direction may have spent by now. */
static uint64_t units_granted(const struct judge_conf *conf,
			      const struct dir_cc *cc)
{
	if (!cc->credit_known)
		return conf->credit_init;
	return conf->credit_init +
	       flow_cc_forward(conf->credit_init, cc->first_credit) +
	       cc->granted;
}

/*
 * "credit_target", credit: a source sends nothing beyond what was granted.
 * Only first copies count, and only their own bytes, so that a source passes
 * that repeats without credit, or rounds in another way.
 */
static void credit_exceeded(struct pkt_ctx *l)
{
	const uint64_t sent = l->own->sums.sent + l->len;
	uint64_t units;

	if (!judge_knows_credit(l->conf) || !l->own->start_known)
		return;
	units = units_granted(l->conf, &l->own->rare->cc);
	if (holds(l, REQ_PDS_SVC_6, REQ_SRC,
		  sent <= units * l->conf->credit_unit))
		return;
	expected(l->j, "sent=0..%" PRIu64, units * l->conf->credit_unit);
	actual(l->j, "sent=%" PRIu64, sent);
	because(l->j,
		"The source has sent %" PRIu64
		" bytes, and was granted %" PRIu64 " units of %" PRIu32
		" bytes.",
		sent, units, l->conf->credit_unit);
}

/* ---- SACK and NACK ---- */

/*
 * A source does not retransmit as lost a PSN that a SACK bit reported as
 * received.
 */
static void nack_after_sack(struct pkt_ctx *l)
{
	const uint8_t code = l->nack.nack_code;

	if (!(l->old->flags & PSN_SACKED))
		return;
	if (code != NACK_PKT_NOT_RCVD && code != NACK_RCVR_INFER_LOSS)
		return;
	if (holds(l,
		  code == NACK_PKT_NOT_RCVD ? REQ_UET_NACK_12 : REQ_UET_NACK_1A,
		  REQ_DST, false))
		return;
	actual(l->j, "nack_code=0x%02x nack_psn=%" PRIu32, code, l->psn);
	because(l->j, "A SACK bit had reported the PSN as received.");
}

const struct monitor rules_uet_cc[] = {
	{PKT_ACK | PKT_GAPS | PKT_CC, cc_rules_mpr_zero, ON(CC_MPR)},
	{PKT_ACK | PKT_CC | PKT_HERE, bytes_go_back, ON(LINKED)},
	{PKT_ACK | PKT_CC | PKT_HERE, bytes_of_new, ON(LINKED)},
	{PKT_ACK | PKT_CC | PKT_HERE, bytes_nominal, ON(LINKED)},
	{PKT_ACK | PKT_CC, bytes_never_sent, ON(LINKED)},
	{PKT_ACK | PKT_CC | PKT_AGAIN, service_too_long,
	 ON(LINKED) | ON(ANSWER)},
	{PKT_ACK | PKT_CC | PKT_HERE | PKT_AGAIN, service_too_short,
	 ON(LINKED)},
	{PKT_ACK | PKT_CC | PKT_HERE, cc_rules_ooo_count,
	 ON(LINKED) | ON(CC_NSCC)},
	{PKT_ACK | PKT_CC, credit_of_ack, ON(CC_NSCC)},
	{PKT_CP, cc_rules_credit_of_cp, ON(ASKS_ACK)},
	{PKT_REQ | PKT_NEW, credit_exceeded, ON(NO_CREDIT)},
	{PKT_NACK | PKT_HERE | PKT_AGAIN, nack_after_sack, ALWAYS},
	{0, NULL, ALWAYS},
};
