/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/rules_roce.c -- what a packet of plain RoCEv2 breaks.
 *
 * What shows by itself is asked of every packet, and order at an end only where
 * every packet was seen at the link of that end.
 */
#include "base/serial.h"
#include "judge/roce_link.h"

static const struct ip_addr *side_of(const struct roce_sight *x)
{
	return x->answer ? &x->c->responder : &x->c->requester;
}

/* Every packet was seen, in the order in which that side saw them. */
static bool is_here(const struct roce_sight *x)
{
	const struct judge_conf *conf = &x->j->conf;

	return x->c->whole && !conf->afar &&
	       (!conf->here.len || ip_addr_equal(&conf->here, side_of(x)));
}

/*
 * asks counts that somebody was in a position to break a rule, and begins a
 * finding if it was broken.
 */
static bool asks(struct roce_sight *x, enum req_id req, bool broken)
{
	const enum req_role role = x->answer ? REQ_DST : REQ_SRC;
	struct finding *f;

	judge_side(x->j, side_of(x))->seen[req][role == REQ_DST]++;
	if (!broken)
		return false;
	f = judge_found(x->j);
	f->req = req;
	f->role = role;
	f->side = *side_of(x);
	f->frame = x->in->frame;
	f->flow = x->c->number;
	f->ends[0] = x->c->requester;
	f->ends[1] = x->c->responder;
	return true;
}

/* ---- The requester ---- */

/* A read may ask for the rest alone, and its RETH is another then. */
static void rule_same_bytes(struct roce_sight *x)
{
	const struct roce_psn *k = x->old;
	const bool read = x->bth.opcode == IB_RC_READ_REQ;

	if (asks(x, REQ_I6,
		 k->opcode != x->bth.opcode || (!read && k->hash != x->hash)))
		because(x->j, "psn=%u has other bytes than in frame %u",
			roce_wire(x->psn), k->frame);
}

static void rule_acked(struct roce_sight *x)
{
	const struct roce_psn *k = x->old;
	const vspan grace = look_grace(&x->j->conf);

	if (asks(x, REQ_I7,
		 serial_before(x->psn, x->c->una) &&
			 x->in->at - k->acked_at > grace))
		because(x->j, "psn=%u is sent again after it was acknowledged",
			roce_wire(x->psn));
}

static void rule_waits(struct roce_sight *x)
{
	const struct roce_link *c = x->c;

	if (!c->wait || x->psn != c->wait_psn)
		return;
	if (!asks(x, REQ_ROCE_05, x->in->at < c->wait_until))
		return;
	too_early(x->j);
	because(x->j, "psn=%u is sent again before the time of the RNR NAK",
		roce_wire(x->psn));
	expected(x->j, "%lld us",
		 (long long)((c->wait_until - c->wait_from) / VSPAN_US));
	actual(x->j, "%lld us",
	       (long long)((x->in->at - c->wait_from) / VSPAN_US));
}

static void rule_mtu(struct roce_sight *x)
{
	const uint32_t mtu = x->c->mtu;

	if (!mtu || x->bth.opcode > IB_RC_WRITE_ONLY_IMM)
		return;
	if (asks(x, REQ_ROCE_03, x->ends ? x->len > mtu : x->len != mtu))
		because(x->j, "%u bytes in a packet, the path MTU being %u",
			x->len, mtu);
}

/* What the request before says of this one.  SENDs and WRITEs alone have more
 * than one packet: a middle one begins a new six. */
static void rule_follows(struct roce_sight *x)
{
	const struct roce_psn *k = roce_known(x, x->psn - 1);
	const uint8_t op = x->bth.opcode;
	bool open;

	if (!k || k->n != 1)
		return;
	open = k->opcode == IB_RC_SEND_FIRST ||
	       k->opcode == IB_RC_SEND_MIDDLE ||
	       k->opcode == IB_RC_WRITE_FIRST ||
	       k->opcode == IB_RC_WRITE_MIDDLE;
	if (asks(x, REQ_ROCE_02, open == x->begins))
		because(x->j,
			open ? "psn=%u begins a message inside another one"
			     : "psn=%u goes on with a message that has ended",
			roce_wire(x->psn));
	else if (open && asks(x, REQ_ROCE_02,
			      (k->opcode < IB_RC_WRITE_FIRST) !=
				      (op < IB_RC_WRITE_FIRST ||
				       op >= IB_RC_SEND_LAST_INV)))
		because(x->j, "psn=%u goes on with a message as another kind",
			roce_wire(x->psn));
}

static void rule_new(struct roce_sight *x)
{
	const struct roce_link *c = x->c;
	const vspan grace = look_grace(&x->j->conf);

	rule_mtu(x);
	rule_follows(x);
	if (!is_here(x) || serial_before(x->psn, c->next) || c->unsure)
		return;
	if (asks(x, REQ_ROCE_01, x->psn != c->next))
		because(x->j, "psn=%u is new, psn=%u was to be the next",
			roce_wire(x->psn), roce_wire(c->next));
	if (c->back && asks(x, REQ_ROCE_04, x->in->at - c->back_at > grace))
		because(x->j,
			"psn=%u is new, and psn=%u, which a NAK asked for, "
			"was not sent again",
			roce_wire(x->psn), roce_wire(c->back_psn));
}

void rules_roce_request(struct roce_sight *x)
{
	if (!x->old) {
		rule_new(x);
		return;
	}
	rule_same_bytes(x);
	if (!is_here(x))
		return;
	rule_acked(x);
	rule_waits(x);
}

/* ---- The responder ---- */

static void rule_covers(struct roce_sight *x)
{
	const uint32_t end = roce_is_nak(x) ? x->psn : x->psn + 1;
	uint32_t psn;

	if (!serial_after(end, x->c->una) || end - x->c->una > ROCE_WINDOW)
		return;
	psn = roce_arrived_to(x, x->c->una, end);
	if (asks(x, REQ_I5, psn != end))
		because(x->j, "psn=%u is acknowledged and did not arrive",
			roce_wire(psn));
}

/*
 * The PSN of the NAK is the one that is missing: it did not arrive, or what
 * takes nothing early waits for it; and something behind it has arrived.
 */
static void rule_sequence(struct roce_sight *x)
{
	const struct roce_link *c = x->c;
	const bool here = x->psn == c->expected || !roce_known(x, x->psn);

	if (x->aeth.syndrome != IB_SYNDROME_PSN_SEQ)
		return;
	if (asks(x, REQ_ROCE_06, !here))
		because(x->j, "psn=%u is called missing, and it had arrived",
			roce_wire(x->psn));
	else if (asks(x, REQ_ROCE_06, !serial_before(x->psn + 1, c->next)))
		because(x->j,
			"psn=%u is called missing, and nothing behind it "
			"had arrived",
			roce_wire(x->psn));
	if (asks(x, REQ_ROCE_07, c->back && c->back_psn == x->psn))
		because(x->j,
			"psn=%u is called missing once more, and was not "
			"sent since",
			roce_wire(x->psn));
}

static void rule_msn(struct roce_sight *x)
{
	const struct roce_link *c = x->c;

	if (!c->msn_known || x->bth.opcode == IB_RC_READ_RESP_MIDDLE)
		return;
	if (asks(x, REQ_ROCE_09, serial24_diff(x->aeth.msn, c->msn) < 0))
		because(x->j, "msn=%u behind msn=%u", x->aeth.msn, c->msn);
}

static void rule_answers(struct roce_sight *x)
{
	const struct roce_psn *k = roce_known(x, x->psn);

	if (roce_is_read_data(x->bth.opcode) &&
	    asks(x, REQ_ROCE_10, !roce_read_of(x->c, x->psn)))
		because(x->j, "psn=%u brings data, and no read asked for it",
			roce_wire(x->psn));
	if (x->bth.opcode == IB_RC_ATOMIC_ACK &&
	    asks(x, REQ_ROCE_10, !k || !roce_is_atomic(k->opcode)))
		because(x->j, "psn=%u answers an atomic, and none has it",
			roce_wire(x->psn));
}

void rules_roce_answer(struct roce_sight *x)
{
	if (!is_here(x) || x->c->unsure)
		return;
	rule_answers(x);
	rule_sequence(x);
	rule_msn(x);
	rule_covers(x);
}
