/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/rules_roce.c -- the rules that a packet of plain RoCEv2 can violate.
 *
 * Rules about one packet apply to every packet.  Rules about the order at an
 * end apply only if the judge saw every packet at the link of that end.
 */
#include "judge/ib/rules_roce.h"

#include "base/serial.h"
#include "judge/core/flow_stats.h"
#include "judge/findings.h"
#include "judge/ib/roce_link.h"
#include "judge/seen.h"

/* ---- The requester ---- */

/*
 * A retransmitted read may request only the rest of its data, with another
 * RETH.
 */
static void rule_same_bytes(struct roce_item *x)
{
	const struct roce_psn *k = x->old;
	const bool read = x->bth.opcode == IB_RC_READ_REQ;

	if (ib_asks(&x->ib, REQ_I6,
		    k->opcode != x->bth.opcode ||
			    (!read && k->hash != x->hash)))
		because(x->ib.j, "psn=%u has other bytes than in frame %u",
			ib_wire(x->psn), k->frame);
}

static void rule_acked(struct roce_item *x)
{
	const struct roce_psn *k = x->old;
	const vspan grace = pkt_grace(&x->ib.j->conf);

	if (x->bth.opcode == IB_RC_READ_REQ)
		/* its data may be lost even if its PSN is acknowledged */
		return;
	if (ib_asks(&x->ib, REQ_I7,
		    serial_before(x->psn, x->c->una) &&
			    x->ib.in->at - k->acked_at > grace)) {
		ib_mark_soon(&x->ib, k->acked_at);
		because(x->ib.j,
			"psn=%u is retransmitted after it was acknowledged",
			ib_wire(x->psn));
	}
}

static void rule_waits(struct roce_item *x)
{
	const struct roce_link *c = x->c;

	if (!c->wait || x->psn != c->wait_psn)
		return;
	if (!ib_asks(&x->ib, REQ_ROCE_05, x->ib.in->at < c->wait_until))
		return;
	too_early(x->ib.j);
	because(x->ib.j,
		"psn=%u is retransmitted before the time of the RNR NAK",
		ib_wire(x->psn));
	expected(x->ib.j, "%lld us",
		 (long long)((c->wait_until - c->wait_from) / VSPAN_US));
	actual(x->ib.j, "%lld us",
	       (long long)((x->ib.in->at - c->wait_from) / VSPAN_US));
}

static void rule_mtu(struct roce_item *x)
{
	const uint32_t mtu = x->c->mtu;

	if (!mtu || x->bth.opcode > IB_RC_WRITE_ONLY_IMM)
		return;
	if (ib_asks(&x->ib, REQ_ROCE_03,
		    ib_ends(x->bth.opcode) ? x->len > mtu : x->len != mtu))
		because(x->ib.j,
			"the packet has %u bytes, but the path MTU is %u",
			x->len, mtu);
}

/* Checks a packet against the one with the previous PSN. */
static void roce_rules_rule_follows(struct roce_item *x)
{
	const struct roce_psn *k = roce_known(x, x->psn - 1);
	const uint8_t op = x->bth.opcode;
	bool open;

	if (!k || k->n != 1)
		return;
	open = !ib_ends(k->opcode);
	if (ib_asks(&x->ib, REQ_ROCE_02, open == ib_begins(op)))
		because(x->ib.j,
			open ? "psn=%u begins a message inside another one"
			     : "psn=%u continues a message that has ended",
			ib_wire(x->psn));
	else if (open && ib_asks(&x->ib, REQ_ROCE_02,
				 (k->opcode < IB_RC_WRITE_FIRST) !=
					 (op < IB_RC_WRITE_FIRST ||
					  op >= IB_RC_SEND_LAST_INV)))
		because(x->ib.j,
			"psn=%u continues a message with another operation",
			ib_wire(x->psn));
}

static void roce_rules_rule_new(struct roce_item *x)
{
	const struct roce_link *c = x->c;
	const vspan grace = pkt_grace(&x->ib.j->conf);

	rule_mtu(x);
	roce_rules_rule_follows(x);
	if (!ib_saw_all(&x->ib) || serial_before(x->psn, c->next) || c->unsure)
		return;
	if (ib_asks(&x->ib, REQ_ROCE_01, x->psn != c->next))
		because(x->ib.j, "psn=%u is new, but the next PSN is %u",
			ib_wire(x->psn), ib_wire(c->next));
	if (c->back &&
	    ib_asks(&x->ib, REQ_ROCE_04, x->ib.in->at - c->back_at > grace))
		because(x->ib.j,
			"psn=%u is new, but psn=%u, which a NAK requested, "
			"was not retransmitted",
			ib_wire(x->psn), ib_wire(c->back_psn));
}

void rules_roce_request(struct roce_item *x)
{
	if (!x->old) {
		roce_rules_rule_new(x);
		return;
	}
	rule_same_bytes(x);
	if (!ib_saw_all(&x->ib))
		return;
	rule_acked(x);
	rule_waits(x);
}

/* ---- The responder ---- */

static void roce_rules_rule_covers(struct roce_item *x)
{
	const uint32_t end = roce_is_nak(x) ? x->psn : x->psn + 1;
	uint32_t psn;

	if (!serial_after(end, x->c->una) || end - x->c->una > ROCE_WINDOW)
		return;
	psn = roce_arrived_to(x, x->c->una, end);
	if (ib_asks(&x->ib, REQ_I5, psn != end))
		because(x->ib.j, "psn=%u is acknowledged but did not arrive",
			ib_wire(psn));
}

/*
 * The PSN of the NAK must be missing: it did not arrive, or the responder,
 * which accepts nothing early, still expects it.  A later PSN must have
 * arrived.
 */
static void rule_sequence(struct roce_item *x)
{
	const struct roce_link *c = x->c;
	const bool here = x->psn == c->expected || !roce_known(x, x->psn);

	if (x->aeth.syndrome != IB_SYNDROME_PSN_SEQ)
		return;
	if (ib_asks(&x->ib, REQ_ROCE_06, !here))
		because(x->ib.j,
			"psn=%u is reported missing, but it had arrived",
			ib_wire(x->psn));
	else if (ib_asks(&x->ib, REQ_ROCE_06,
			 !serial_before(x->psn + 1, c->next)))
		because(x->ib.j,
			"psn=%u is reported missing, but no later PSN "
			"had arrived",
			ib_wire(x->psn));
	if (ib_asks(&x->ib, REQ_ROCE_07, c->back && c->back_psn == x->psn))
		because(x->ib.j,
			"psn=%u is reported missing again, but was not "
			"sent since",
			ib_wire(x->psn));
}

static void rule_msn(struct roce_item *x)
{
	const struct roce_link *c = x->c;

	if (!c->msn_known || x->bth.opcode == IB_RC_READ_RESP_MIDDLE)
		return;
	if (ib_asks(&x->ib, REQ_ROCE_09,
		    serial24_diff(x->aeth.msn, c->msn) < 0))
		because(x->ib.j, "msn=%u after msn=%u", x->aeth.msn, c->msn);
}

static void rule_answers(struct roce_item *x)
{
	const struct roce_psn *k = roce_known(x, x->psn);

	if (ib_is_read_data(x->bth.opcode) &&
	    ib_asks(&x->ib, REQ_ROCE_10,
		    !roce_read_of(x->c, x->psn) &&
			    !roce_may_be_read(x->c, x->psn)))
		because(x->ib.j,
			"psn=%u carries read data, but no read requested it",
			ib_wire(x->psn));
	if (x->bth.opcode == IB_RC_ATOMIC_ACK &&
	    ib_asks(&x->ib, REQ_ROCE_10, !k || !roce_is_atomic(k->opcode)))
		because(x->ib.j,
			"psn=%u answers an atomic, but no atomic has this PSN",
			ib_wire(x->psn));
}

void rules_roce_answer(struct roce_item *x)
{
	if (!ib_saw_all(&x->ib) || x->c->unsure)
		return;
	rule_answers(x);
	rule_sequence(x);
	rule_msn(x);
	roce_rules_rule_covers(x);
}
