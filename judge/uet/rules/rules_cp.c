/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/rules/rules_cp.c -- control packets: a row for each ctl_type.
 *
 * Spec: UET 3.5.10.8, 3.5.16.8 (uet.md 3.10)
 */
#include "judge/uet/rule.h"

enum set { ZERO, ONE, FREE };

static const struct cp_row {
	enum req_id req;
	const char *name;
	enum set psn, ar, payload; /* |payload|: never ONE */
	bool isrod;                /* 1 exactly on a ROD PDC */
} cp_rows[] = {
	[PDS_CP_NOOP] = {REQ_UET_CP_00, "NOOP", FREE, ONE, ZERO, true},
	[PDS_CP_ACK_REQUEST] = {REQ_UET_CP_01, "ACK Request", FREE, FREE, FREE,
				false},
	[PDS_CP_CLEAR_COMMAND] = {REQ_UET_CP_02, "Clear Command", ZERO, ZERO,
				  FREE, false},
	[PDS_CP_CLEAR_REQUEST] = {REQ_UET_CP_03, "Clear Request", ZERO, ZERO,
				  FREE, false},
	[PDS_CP_CLOSE_COMMAND] = {REQ_UET_CP_04, "Close Command", FREE, ONE,
				  ZERO, false},
	[PDS_CP_CLOSE_REQUEST] = {REQ_UET_CP_05, "Close Request", FREE, ONE,
				  ZERO, false},
	[PDS_CP_PROBE] = {REQ_UET_CP_06, "Probe", FREE, ONE, FREE, false},
	[PDS_CP_CREDIT] = {REQ_UET_CP_07, "Credit", ZERO, ZERO, FREE, false},
	[PDS_CP_CREDIT_REQUEST] = {REQ_UET_CP_08, "Credit Request", ZERO, ZERO,
				   FREE, false},
	[PDS_CP_NEGOTIATION] = {REQ_UET_CP_09, "Negotiation", FREE, ONE, FREE,
				true},
};

static const struct cp_row *cp_rules_row_of(const struct pkt_ctx *l)
{
	if (l->cp.ctl_type <= PDS_CP_NEGOTIATION)
		return &cp_rows[l->cp.ctl_type];
	return NULL;
}

/*
 * Figure 3-76 also writes CLEAR_PSN into the psn of a Clear Command, and some
 * devices send it so; "its receiver ignores the psn field".
 */
static bool as_drawn(const struct pkt_ctx *l)
{
	return l->cp.ctl_type == PDS_CP_CLEAR_COMMAND && l->psn == l->payload;
}

/* "psn 0": Clear Command, Clear Request, Credit, Credit Request */
static void psn_zero(struct pkt_ctx *l)
{
	const struct cp_row *row = cp_rules_row_of(l);

	if (!row || row->psn != ZERO)
		return;
	if (holds(l, row->req, pkt_role(l), !l->psn || as_drawn(l)))
		return;
	expected(l->j, "psn=0");
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j, "A %s uses no PSN and must have psn 0.", row->name);
}

/* "ar = 1" for those that an ACK answers, "ar = 0" for the others */
static void ar_as_due(struct pkt_ctx *l)
{
	const struct cp_row *row = cp_rules_row_of(l);

	if (!row || row->ar == FREE)
		return;
	if (holds(l, row->req, pkt_role(l), l->ar == (row->ar == ONE)))
		return;
	expected(l->j, "ar=%d", row->ar == ONE);
	actual(l->j, "ar=%d", l->ar);
	because(l->j, "A %s must have ar = %d.", row->name, row->ar == ONE);
}

/* "payload 0": NOOP, Close Command and Close Request */
static void cp_rules_payload_zero(struct pkt_ctx *l)
{
	const struct cp_row *row = cp_rules_row_of(l);

	if (!row || row->payload != ZERO)
		return;
	if (holds(l, row->req, pkt_role(l), !l->payload))
		return;
	expected(l->j, "payload=0");
	actual(l->j, "payload=0x%08" PRIx32, l->payload);
	because(l->j, "A %s must have payload 0.", row->name);
}

/* "isrod exactly on a ROD PDC"; other CPs may have it set or not */
static void isrod(struct pkt_ctx *l)
{
	const struct cp_row *row = cp_rules_row_of(l);

	if (!row || !row->isrod)
		return;
	if (holds(l, row->req, pkt_role(l), l->cp.isrod == l->f->rod))
		return;
	expected(l->j, "isrod=%d", l->f->rod);
	actual(l->j, "isrod=%d", l->cp.isrod);
	because(l->j, "isrod must match the mode of the PDC, which is %s.",
		l->f->rod ? "ROD" : "RUD");
}

/* "probe_opaque (0 in all but a Probe)" */
static void opaque_zero(struct pkt_ctx *l)
{
	if (l->cp.ctl_type == PDS_CP_PROBE)
		return;
	if (holds(l, REQ_UET_ENC_49, pkt_role(l), !l->cp.probe_opaque))
		return;
	expected(l->j, "probe_opaque=0");
	actual(l->j, "probe_opaque=0x%04x", l->cp.probe_opaque);
	because(l->j, "Only a Probe has a probe_opaque.");
}

/* "A Close Command, initiator to target"; "A Close Request, target to
 * initiator" */
static void close_by_whom(struct pkt_ctx *l)
{
	const bool command = l->cp.ctl_type == PDS_CP_CLOSE_COMMAND;

	if (!command && l->cp.ctl_type != PDS_CP_CLOSE_REQUEST)
		return;
	if (l->f->initiator < 0)
		return;
	if (holds(l, cp_rules_row_of(l)->req, pkt_role(l),
		  command == (l->f->initiator == (int)l->from)))
		return;
	because(l->j, "The %s must not send a %s.",
		command ? "target" : "initiator", cp_rules_row_of(l)->name);
}

/*
 * "An ACK Request has as psn the one whose ACK is wanted": a PSN that was sent.
 */
static void wanted_was_sent(struct pkt_ctx *l)
{
	const struct dir *d = l->own;

	if (l->cp.ctl_type != PDS_CP_ACK_REQUEST || !d->start_known)
		return;
	if (holds(l, REQ_UET_CP_01, REQ_SRC, !serial_after(l->psn, d->high)))
		return;
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j,
		"The ACK Request is for PSN %" PRIu32 ", which has not "
		"been sent.",
		l->psn);
}

const struct monitor rules_uet_cp[] = {
	{PKT_CP | PKT_GAPS, psn_zero, ON(ASKS_ACK)},
	{PKT_CP | PKT_GAPS, ar_as_due, ON(ASKS_ACK)},
	{PKT_CP | PKT_GAPS, cp_rules_payload_zero, ON(ASKS_ACK)},
	{PKT_CP, isrod, ON(ASKS_ACK)},
	{PKT_CP | PKT_GAPS, opaque_zero, ON(ASKS_ACK)},
	{PKT_CP, close_by_whom, ON(ASKS_ACK)},
	{PKT_CP | PKT_HERE, wanted_was_sent, ALWAYS},
	{0, NULL, ALWAYS},
};
