/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_ack.c -- the PSNs of an ACK, and the fields that it
 * echoes.
 *
 * ACK_PSN is the PSN of the packet that triggered the ACK; entropy, m and retx
 * come from that packet.  CACK_PSN covers all PSNs that were received without a
 * gap and need no more state; the SACK bitmap adds single PSNs.
 *
 * Spec: UET 3.5.11, 3.5.12.2 (uet.md 7.1, 7.2)
 */
#include "judge/uet/rules/rules_ack.h"

#include "base/hot.h"
#include "judge/uet/rule.h"

/* ---- Echoes, of ACKs and NACKs ---- */

/*
 * After the first answer, the next one answers the retransmission, unless the
 * network duplicated the first.
 */
static bool answers_repeat(const struct pkt_ctx *l, const struct psn_state *s)
{
	return at_link(l, l->from) && s->flags & PSN_OWN_ACK &&
	       s->flags & PSN_AGAIN && s->flags & PSN_LAST_RETX;
}

/* "carries the entropy value of the packet it answers" */
static void ack_rules_echo_entropy(struct pkt_ctx *l, const struct psn_state *s)
{
	const uint16_t entropy = l->in->d->entropy;

	if (s->copies > 2 || s->flags & PSN_WANTED)
		/*
		 * it may answer a copy with another entropy, or an ACK Request
		 */
		return;
	if (holds(l, REQ_UET_ACK_01, pkt_chair(l),
		  entropy == s->entropy_last ||
			  (entropy == s->entropy && !answers_repeat(l, s))))
		return;
	expected(l->j, "entropy=0x%04x", s->entropy_last);
	actual(l->j, "entropy=0x%04x", entropy);
	because(l->j,
		"The answer to PSN %" PRIu32 " does not carry that "
		"packet's entropy value.",
		s->psn);
}

/* "flags.retx [...] echoes that of the packet it answers" */
static void ack_rules_echo_retx(struct pkt_ctx *l, const struct psn_state *s)
{
	bool may_be_set = s->flags & PSN_REPEATED;
	bool may_be_clear = s->flags & PSN_WANTED ||
			    (s->flags & PSN_FRESH && !answers_repeat(l, s));

	if (holds(l, REQ_UET_ACK_03, pkt_chair(l),
		  l->retx ? may_be_set : may_be_clear))
		return;
	expected(l->j, "retx=%d", !l->retx);
	actual(l->j, "retx=%d", l->retx);
	because(l->j,
		"The answer to PSN %" PRIu32 " does not echo that "
		"packet's retx.",
		s->psn);
}

/* "flags.m [...] is 1 exactly if the packet it answers arrived CE-marked; in a
 * coalesced ACK a mark of another packet that it covers is tolerated." */
static void ack_rules_echo_mark(struct pkt_ctx *l, const struct psn_state *s)
{
	const bool m = l->kind == PKT_ACK ? l->ack.m : l->nack.m;
	const bool may_be_set = s->flags & PSN_CE || l->peer->ce_unsaid;
	/* The ACK may answer an ACK Request. */
	const bool may_be_clear = s->flags & (PSN_NO_CE | PSN_WANTED);

	if (!at_link(l, l->from))
		return; /* a switch may have marked it after the capture */
	if (holds(l, REQ_UET_ACK_02, pkt_chair(l),
		  m ? may_be_set : may_be_clear))
		return;
	expected(l->j, "m=%d", !m);
	actual(l->j, "m=%d", m);
	because(l->j, "PSN %" PRIu32 " %s, but m does not show it.", s->psn,
		m ? "arrived without a CE mark" : "arrived CE-marked");
}

/* The ACK may answer another packet with that PSN, which has no slot. */
static bool may_answer_out_of_window(const struct pkt_ctx *l)
{
	return unlikely(l->peer->rare->nstrays) &&
	       (dir_out_of_windows_lost(l->peer) ||
		dir_out_of_window(l->peer, l->old->psn, NULL));
}

void pkt_echoes(struct pkt_ctx *l)
{
	if (!l->old || !seen_all(l) || may_answer_out_of_window(l))
		return;
	ack_rules_echo_entropy(l, l->old);
	ack_rules_echo_retx(l, l->old);
	ack_rules_echo_mark(l, l->old);
}

/* ---- CACK_PSN and ACK_PSN ---- */

/* Returns true if the highest PSN and every PSN since the start are known. */
static bool counted(const struct pkt_ctx *l)
{
	return seen_all(l) && l->peer->start_known;
}

static bool cack_is_right(const struct pkt_ctx *l)
{
	return !serial_after(l->ack.cack_psn, l->peer->seen_to);
}

/*
 * Returns true if the ACK is for a packet with a PDCID of another PDC, or of
 * none.
 */
static bool acks_foreign(const struct pkt_ctx *l)
{
	const struct out_of_window *s = NULL;
	bool any = false;

	if (!l->has_ack_psn || l->old)
		return false;
	while ((s = dir_out_of_window(l->peer, l->ack_psn, s))) {
		if (!s->foreign)
			return false;
		any = true;
	}
	return any;
}

/* "looked up by dpdcid and processed only if source IP address and spdcid are
 * those of the PDC" */
static void foreign_acked(struct pkt_ctx *l)
{
	if (!l->has_ack_psn)
		return;
	if (holds(l, REQ_UET_PDC_14, REQ_DST, !acks_foreign(l)))
		return;
	actual(l->j, "ack_psn=%" PRIu32, l->ack_psn);
	because(l->j,
		"PSN %" PRIu32 " has a PDCID that is not the PDC's "
		"but is acknowledged.",
		l->ack_psn);
}

/*
 * "every psn at or below it was received": a PSN that was never sent was not
 * received. If later ones were sent, CACK_PSN advanced over a hole in the
 * bitmap.
 */
static void cack_not_received(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;
	const uint32_t cack = l->ack.cack_psn;
	enum req_id req;

	if (!counted(l) || acks_foreign(l))
		return;
	req = serial_after(cack, d->high) ? REQ_UET_ACK_26 : REQ_RUD_SEQ_77;
	if (l->f->rod && !serial_after(cack, d->high))
		return; /* rules_rod.c judges it */
	if (holds(l, req, req == REQ_UET_ACK_26 ? pkt_chair(l) : REQ_DST,
		  cack_is_right(l))) {
		shows(l, REQ_UET_ACK_26, pkt_chair(l));
		if (d->high != d->seen_to)
			shows(l, REQ_MODE_RUD_4, REQ_DST);
		return;
	}
	expected(l->j, "cack_psn=%" PRIu32, d->seen_to);
	actual(l->j, "cack_psn=%" PRIu32, cack);
	because(l->j, "CACK_PSN covers PSN %" PRIu32 ", which was never %s.",
		d->seen_to + 1,
		serial_after(cack, d->high) ? "sent" : "seen to arrive");
}

/* The highest PSN with that property never decreases. */
static void ack_rules_cack_goes_back(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	if (!d->cack_known)
		return;
	if (holds(l, REQ_UET_ACK_26, pkt_chair(l),
		  !serial_before(l->ack.cack_psn, d->cack))) {
		if (l->ack.cack_psn < d->cack)
			shows(l, REQ_UET_PDC_18, REQ_DST);
		return;
	}
	expected(l->j, "cack_psn=%" PRIu32, d->cack);
	actual(l->j, "cack_psn=%" PRIu32, l->ack.cack_psn);
	because(l->j, "CACK_PSN decreased from %" PRIu32 " to %" PRIu32 ".",
		d->cack, l->ack.cack_psn);
}

/*
 * The destination receives nothing before the first packet.  At the link of the
 * ACK's sender, the rule on a CACK_PSN that decreases reports it.
 */
static void cack_below_start(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;
	const uint32_t cack = l->ack.cack_psn;

	if (!counted(l) || at_link(l, l->from) || l->from == 0 ||
	    !serial_before(cack, d->start - 1))
		return;
	pkt_blame(l, REQ_UET_ACK_26, pkt_chair(l));
	expected(l->j, "cack_psn=%" PRIu32, d->start - 1);
	actual(l->j, "cack_psn=%" PRIu32, cack);
	because(l->j,
		"CACK_PSN is below PSN %" PRIu32 ", the first of the PDC.",
		d->start);
}

/* A PSN that is too old to be remembered may have been received. */
static bool ack_rules_forgotten(const struct dir *d, uint32_t psn)
{
	return psn_forgotten(d, psn) && !serial_before(psn, d->start);
}

/* "ACK_PSN: a psn that was received" */
static void ack_psn_not_received(struct pkt_ctx *l)
{
	const struct dir *d = l->peer;
	bool known;

	if (!l->has_ack_psn || !counted(l))
		return;
	if (!cack_is_right(l) && serial_after(l->ack_psn, d->seen_to))
		return; /* cack_not_received() has reported it */
	known = (l->old && !psn_trimmed(l->old)) ||
		ack_rules_forgotten(d, l->ack_psn) ||
		dir_out_of_window(d, l->ack_psn, NULL) ||
		dir_out_of_windows_lost(d);
	if (holds(l, REQ_UET_ACK_05, pkt_chair(l), known))
		return;
	actual(l->j, "ack_psn=%" PRIu32, l->ack_psn);
	because(l->j,
		"The ACK is for PSN %" PRIu32 ", which was never seen to "
		"arrive.",
		l->ack_psn);
}

/* ---- Flags ---- */

static void ack_rules_echoes(struct pkt_ctx *l)
{
	pkt_echoes(l);
}

/* "Only the target asks with flags.req [...]: it is 0 in an ACK of the
 * initiator, and never 3." */
static void req_code(struct pkt_ctx *l)
{
	const bool initiator =
		l->f->complete && l->f->initiator == (int)l->from;

	if (holds(l, REQ_UET_ACK_04, pkt_chair(l),
		  l->ack.req <= PDS_REQ_CLOSE && !(initiator && l->ack.req)))
		return;
	actual(l->j, "req=%u", l->ack.req);
	because(l->j, initiator ? "The initiator sets flags.req in an ACK."
				: "flags.req 3 is reserved.");
}

/*
 * Returns true if the value is that of an outstanding Probe; there may be
 * several.
 */
static bool is_of_a_probe(const struct dir_rare *r, uint16_t opaque)
{
	for (unsigned i = 0; i < 4; i++)
		if (r->probes_open >> i & 1 && r->probes[i] == opaque)
			return true;
	return r->probes_lost;
}

/* "exactly its ACK has p = 1, with the Probe's probe_opaque in the place of
 * ack_psn_offset" */
static void probe_echo(struct pkt_ctx *l)
{
	const uint16_t opaque = (uint16_t)l->ack.ack_psn_offset;
	const struct dir_rare *r = l->peer->rare;

	if (l->has_ack_psn)
		return;
	if (holds(l, REQ_UET_CP_06, REQ_DST, is_of_a_probe(r, opaque)))
		return;
	if (r->probe_known)
		expected(l->j, "p=1 probe_opaque=0x%04x", r->probe);
	actual(l->j, "p=1 probe_opaque=0x%04x", opaque);
	because(l->j, r->probe_known
			      ? "probe_opaque is not that of the Probe."
			      : "p = 1, but the peer has sent no Probe.");
}

/* ---- The fields of ACK_CC and ACK_CCX ---- */

/*
 * Returns true if a NACK refused each copy that came: the PSN counts as not
 * received. If the judge is not at the target's link, the network may have
 * duplicated the NACK, or the packet later.
 */
static bool ack_rules_refused(const struct pkt_ctx *l,
			      const struct psn_state *s)
{
	return at_link(l, l->from) && psn_refused(s) && !(s->flags & PSN_ACKED);
}

static bool ack_rules_received(struct pkt_ctx *l, uint32_t psn)
{
	const struct psn_state *s = psn_find(l->f, l->peer, psn);

	if (s)
		return !ack_rules_refused(l, s) && !psn_trimmed(s);
	return psn_seen(l->f, l->peer, psn) ||
	       (!serial_after(psn, l->peer->seen_to) &&
		!serial_before(psn, l->peer->start));
}

/*
 * Returns true if the ACK answers a packet that came with a PSN before the
 * first one of the peer, and |psn| lies from that PSN on and before the first
 * one.  The destination takes that packet for a duplicate, and so all PSNs from
 * there to the first one for received.
 */
static bool is_before_start(const struct pkt_ctx *l, uint32_t psn)
{
	return l->has_ack_psn && psn_find(l->f, l->peer, l->ack_psn) &&
	       serial_before(l->ack_psn, l->peer->start) &&
	       !serial_before(psn, l->ack_psn) &&
	       serial_before(psn, l->peer->start);
}

/*
 * Finds the first PSN that the bitmap reports but that was never seen to
 * arrive.
 */
static bool sack_wrong(struct pkt_ctx *l, uint32_t *ret)
{
	uint64_t bits = l->sack_bitmap & ~dir_sacked(l->peer, l->sack_psn);

	for (; bits; bits &= bits - 1) {
		*ret = l->sack_psn + (uint32_t)__builtin_ctzll(bits);
		if (!ack_rules_received(l, *ret) && !is_before_start(l, *ret))
			return true;
	}
	return false;
}

/* "Bit i of sack_bitmap [...] is 1 only if that psn was received." */
static void sack_not_received(struct pkt_ctx *l)
{
	uint32_t psn;

	if (!counted(l))
		return;
	if (holds(l, REQ_UET_ACK_06, pkt_chair(l), !sack_wrong(l, &psn)))
		return;
	actual(l->j, "sack_psn=%" PRIu32, l->sack_psn);
	because(l->j,
		"The SACK bitmap reports PSN %" PRIu32 ", which was "
		"never %s.",
		psn,
		psn_find(l->f, l->peer, psn) ? "accepted, only NACKed"
					     : "seen to arrive");
}

const struct monitor rules_uet_ack[] = {
	{PKT_ACK, foreign_acked, ON(OWN_PSN) | ON(ACKS_KNOWN)},
	{PKT_ACK, cack_not_received,
	 ON(CACK_SEEN) | ON(ACKS_KNOWN) | ON(KEY_GAP) | ON(KEY_ROD)},
	{PKT_ACK | PKT_HERE, ack_rules_cack_goes_back, ON(LINKED)},
	{PKT_ACK, cack_below_start, ON(CACK_FORWARD)},
	{PKT_ACK, ack_psn_not_received,
	 ON(OWN_PSN) | ON(ACKS_KNOWN) | ON(ANSWER) | ON(CACK_SEEN)},
	{PKT_ACK | PKT_AGAIN, ack_rules_echoes,
	 ON(LINKED) | ON(NO_STRAYS) | ON(ANSWER) | ON(KEY_PDS)},
	{PKT_ACK | PKT_GAPS, req_code,
	 ON(KEY_PDS) | ON(KEY_COMPLETE) | ON(KEY_INITIATOR) | ON(KEY_FROM)},
	{PKT_ACK, probe_echo, ON(OWN_PSN)},
	{PKT_ACK | PKT_CC, sack_not_received, ON(LINKED)},
	{0, NULL, ALWAYS},
};
