/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/rules_uet_cp.c -- control packets: a row for each ctl_type.
 *
 * Spec: UET 3.5.10.8, 3.5.16.8 (uet.md 3.10)
 */
#include "judge/look.h"

enum set { ZERO, ONE, FREE };

static const struct cp_row {
	enum req_id req;
	const char *name;
	enum set psn, ar, payload; /* payload ONE never occurs */
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

static const struct cp_row *row_of(const struct look *l)
{
	return l->cp.ctl_type <= PDS_CP_NEGOTIATION ? &cp_rows[l->cp.ctl_type]
						    : NULL;
}

/* Figure 3-76 writes CLEAR_PSN into the psn of a Clear Command too, and some
 * send it so; "its receiver ignores the psn field". */
static bool as_drawn(const struct look *l)
{
	return l->cp.ctl_type == PDS_CP_CLEAR_COMMAND && l->psn == l->payload;
}

/* "psn 0": Clear Command, Clear Request, Credit, Credit Request */
static void psn_zero(struct look *l)
{
	const struct cp_row *row = row_of(l);

	if (!row || row->psn != ZERO)
		return;
	if (holds(l, row->req, look_role(l), !l->psn || as_drawn(l)))
		return;
	expected(l->j, "psn=0");
	actual(l->j, "psn=%" PRIu32, l->psn);
	because(l->j, "A %s takes no PSN and has psn 0.", row->name);
}

/* "ar = 1" for those that are answered by an ACK, "ar = 0" for those that are
 * not */
static void ar_as_due(struct look *l)
{
	const struct cp_row *row = row_of(l);

	if (!row || row->ar == FREE)
		return;
	if (holds(l, row->req, look_role(l), l->ar == (row->ar == ONE)))
		return;
	expected(l->j, "ar=%d", row->ar == ONE);
	actual(l->j, "ar=%d", l->ar);
	because(l->j, "A %s has ar = %d.", row->name, row->ar == ONE);
}

/* "payload 0": NOOP and the two that close */
static void payload_zero(struct look *l)
{
	const struct cp_row *row = row_of(l);

	if (!row || row->payload != ZERO)
		return;
	if (holds(l, row->req, look_role(l), !l->payload))
		return;
	expected(l->j, "payload=0");
	actual(l->j, "payload=0x%08" PRIx32, l->payload);
	because(l->j, "A %s has no payload.", row->name);
}

/* "isrod exactly on a ROD PDC"; other CPs may have it or not */
static void isrod(struct look *l)
{
	const struct cp_row *row = row_of(l);

	if (!row || !row->isrod)
		return;
	if (holds(l, row->req, look_role(l), l->cp.isrod == l->f->rod))
		return;
	expected(l->j, "isrod=%d", l->f->rod);
	actual(l->j, "isrod=%d", l->cp.isrod);
	because(l->j, "isrod tells the mode of the PDC, which is %s.",
		l->f->rod ? "ROD" : "RUD");
}

/* "probe_opaque (0 in all but a Probe)" */
static void opaque_zero(struct look *l)
{
	if (l->cp.ctl_type == PDS_CP_PROBE)
		return;
	if (holds(l, REQ_UET_ENC_49, look_role(l), !l->cp.probe_opaque))
		return;
	expected(l->j, "probe_opaque=0");
	actual(l->j, "probe_opaque=0x%04x", l->cp.probe_opaque);
	because(l->j, "Only a Probe has a probe_opaque.");
}

/* "A Close Command, initiator to target"; "A Close Request, target to
 * initiator" */
static void close_by_whom(struct look *l)
{
	const bool command = l->cp.ctl_type == PDS_CP_CLOSE_COMMAND;

	if (!command && l->cp.ctl_type != PDS_CP_CLOSE_REQUEST)
		return;
	if (l->f->initiator < 0)
		return;
	if (holds(l, row_of(l)->req, look_role(l),
		  command == (l->f->initiator == (int)l->from)))
		return;
	because(l->j, "The %s sends a %s.", command ? "target" : "initiator",
		row_of(l)->name);
}

/* "An ACK Request has as psn the one whose ACK is wanted": one that was sent.
 */
static void wanted_was_sent(struct look *l)
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
	{LOOK_CP | LOOK_GAPS, psn_zero},
	{LOOK_CP | LOOK_GAPS, ar_as_due},
	{LOOK_CP | LOOK_GAPS, payload_zero},
	{LOOK_CP, isrod},
	{LOOK_CP | LOOK_GAPS, opaque_zero},
	{LOOK_CP, close_by_whom},
	{LOOK_CP | LOOK_HERE, wanted_was_sent},
	{0, NULL},
};
