/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_life.c -- what a source and a target learn about a PDC,
 * and the range of its PSNs.
 *
 * Spec: UET 3.5.8.2, 3.5.12.7 (uet.md 4, 6.2, 6.3)
 */
#include "judge/uet/rule.h"

#define PSN_RANGE 0x80000000u /* Limit_PSN_Range = 1 */

/* "A NACK whose spdcid is not 0 tells an initiator [...] the target's PDCID."
 */
static void told_by_nack(struct pkt_ctx *l)
{
	const struct flow *f = l->f;

	if (l->from != 0 || !f->nack_told_at || f->known_at)
		return;
	if (l->at - f->nack_told_at <= pkt_grace(l->conf))
		return;
	if (holds(l, REQ_UET_PDC_06, REQ_SRC, !l->syn))
		return;
	expected(l->j, "syn=0 dpdcid=0x%04x", f->end[1].pdcid);
	actual(l->j, "syn=1");
	because(l->j, "A NACK carried the target's PDCID, but the packet is "
		      "still a SYN.");
}

/* "a PDC is closed before its psn reaches Start_PSN + 2^31" */
static void within_range(struct pkt_ctx *l)
{
	const struct flow *f = l->f;

	if (!l->takes_psn || l->from != 0 || !f->syn_start_known ||
	    l->out_of_window)
		return;
	if (holds(l, REQ_UET_PDC_22, REQ_SRC,
		  l->psn - f->syn_start < PSN_RANGE))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"PSN %" PRIu32 " is 2^31 or more after Start_PSN %" PRIu32 ".",
		l->psn, f->syn_start);
}

/* Returns true if the only copy was a SYN with another Start_PSN. */
static bool was_other_start(const struct pkt_ctx *l)
{
	return l->old->flags & PSN_OTHER_START && l->old->copies == 1;
}

/* "A SYN of a known PDC whose psn - psn_offset is not that PDC's Start_PSN is
 * answered by NACK INVALID_SYN." */
static void other_start_taken(struct pkt_ctx *l)
{
	if (l->from != 1 || !was_other_start(l))
		return;
	if (holds(l, REQ_UET_PDC_30, REQ_DST, false))
		return;
	actual(l->j, "ack_psn=%" PRIu32, l->ack_psn);
	because(l->j,
		"PSN %" PRIu32
		" is acknowledged, but it came as a SYN with another "
		"Start_PSN than the PDC's.",
		l->ack_psn);
}

static void other_start_refused(struct pkt_ctx *l)
{
	if (l->from == 1 && was_other_start(l) &&
	    l->nack.nack_code == NACK_INVALID_SYN)
		shows(l, REQ_UET_PDC_30, REQ_DST);
}

const struct monitor rules_uet_life[] = {
	{PKT_REQ | PKT_CP | PKT_HERE, told_by_nack, ON(LINKED) | ON(REMOTE)},
	{PKT_REQ | PKT_CP, within_range,
	 ON(PSN_RANGE) | ON(KEY_FROM) | ON(ASKS_ACK)},
	{PKT_ACK | PKT_HERE | PKT_AGAIN, other_start_taken, ON(LINKED)},
	{PKT_NACK | PKT_AGAIN, other_start_refused, ALWAYS},
	{0, NULL, ALWAYS},
};
