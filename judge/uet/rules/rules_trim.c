/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_trim.c -- packets that a switch trimmed: a NACK that
 * reports it must answer them, and no other answer may.
 *
 * A packet is trimmed if its DSCP has a trimmed codepoint.  rules_ack.c judges
 * ACKs of packets that never arrived whole.
 *
 * Spec: UET 3.5.12.7, 3.5.15, table 3-61 (uet.md 1.4, 4, 8)
 */
#include "judge/uet/rules/rules_trim.h"

#include "judge/uet/rule.h"

static bool says_trimmed(uint8_t code)
{
	return code == NACK_TRIMMED || code == NACK_TRIMMED_LASTHOP;
}

static enum req_id trim_rules_row_of(uint8_t code)
{
	if (code == NACK_TRIMMED_LASTHOP)
		return REQ_UET_NACK_02;
	return REQ_UET_NACK_01;
}

static const char *trim_rules_name_of(uint8_t code)
{
	if (code == NACK_TRIMMED_LASTHOP)
		return "trimmed_lasthop";
	return "trimmed";
}

/* "TRIMMED answers a request that was trimmed before the last hop" */
static void trimmed_truly(struct pkt_ctx *l)
{
	const uint8_t code = l->nack.nack_code;
	uint32_t any, said;

	if (!says_trimmed(code) || !l->conf->dscp_trimmed)
		return;
	any = l->old->flags & (PSN_CUT | PSN_CUT_LAST);
	said = code == NACK_TRIMMED ? PSN_CUT : PSN_CUT_LAST;
	if (holds(l, trim_rules_row_of(code), REQ_DST, any & said)) {
		shows(l, REQ_UET_ENC_14, REQ_DST);
		shows(l, REQ_UET_ENC_15, REQ_DST);
		return;
	}
	if (any)
		expected(l->j, "nack %s",
			 any == PSN_CUT ? "trimmed" : "trimmed_lasthop");
	actual(l->j, "nack %s", trim_rules_name_of(code));
	because(l->j,
		any ? "PSN %" PRIu32 " was trimmed at another hop."
		    : "No copy of PSN %" PRIu32 " was trimmed.",
		l->psn);
}

/* A target may not know the PDC that a trimmed SYN opens (UET-PDC-26). */
static bool may_be_unknown(const struct absence *a, const struct psn_state *s)
{
	return !a->f->known_at || s->flags & PSN_SYN;
}

/*
 * ROD: the packet came out of order, which the destination reports once per
 * gap.  A later repeat of the packet before it may have closed the gap since.
 */
static bool is_out_of_order(const struct absence *a, const struct psn_state *s)
{
	const struct psn_state *before;

	if (!a->f->rod)
		return false;
	before = psn_find(a->f, a->d, s->psn - 1);
	return serial_after(s->psn, a->d->rare->rod.taken_to + 1) ||
	       rod_in_doubt(a->d, s->psn) ||
	       (before && before->sent_at > s->sent_at);
}

void rules_uet_trim_end(struct absence *a, struct psn_state *s)
{
	const unsigned target = !a->source;
	const uint8_t code =
		s->flags & PSN_CUT ? NACK_TRIMMED : NACK_TRIMMED_LASTHOP;

	if (!psn_trimmed(s) || s->flags & (PSN_NACKED | PSN_TOLD | PSN_CP) ||
	    may_be_unknown(a, s) || is_out_of_order(a, s) ||
	    !a->f->end[target].here)
		return;
	if (a->now - s->sent_at <= pkt_overdue(a->conf))
		return;
	s->flags |= PSN_TOLD;
	lacks(a, trim_rules_row_of(code), REQ_DST, target, s->frame, true);
	expected(a->j, "nack %s nack_psn=%" PRIu32, trim_rules_name_of(code),
		 s->psn);
	because(a->j, "PSN %" PRIu32 " came trimmed but was not NACKed.",
		s->psn);
}

const struct monitor rules_uet_trim[] = {
	{PKT_NACK | PKT_HERE | PKT_AGAIN, trimmed_truly, ALWAYS},
	{0, NULL, ALWAYS},
};
