/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_wqe.c -- the tester's side of a connection of the WQE
 * extension, or of plain RoCEv2.
 *
 * The tester names the first PSN of both directions when it connects the QP
 * ("modify_qp"), so the numbers of the figures are used unchanged: both begin
 * at 10.  PSNs are extended to 32 bits.
 *
 * Spec: srd_wqe.md B.7
 */
#include "suite/run/scope/scope_wqe.h"

#include "base/serial.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "wire/ib/ib.h"

/* Reads the BTH of an entry; false if it has none. */
static bool scope_wqe_look(const struct scope *s, size_t index, struct bth *ret)
{
	struct packet pkt;

	record_packet(s->record, &s->record->recs[index], &pkt);
	if (pkt.len < bth_len)
		return false;
	bth_get(ret, pkt.p);
	return true;
}

/*
 * Returns true for packets without a PSN of their own: ACKs, indications,
 * responses to reads and atomics.
 */
static bool scope_wqe_is_answer(const struct bth *bth)
{
	const uint8_t op = bth->opcode & 0x1f;

	return bth->opcode == IB_WQE_RTX_IND ||
	       (op >= IB_RC_READ_RESP_FIRST && op <= IB_RC_ATOMIC_ACK);
}

/*
 * Returns the PSNs that a packet consumes; a read consumes those of its
 * response.
 */
static uint32_t scope_wqe_psns_of(const struct scope *s, size_t index,
				  const struct bth *bth)
{
	const uint32_t mtu = s->decl->mtu;
	struct packet pkt;
	uint64_t len = 0;

	if ((bth->opcode & 0x1f) != IB_RC_READ_REQ)
		return 1;
	record_packet(s->record, &s->record->recs[index], &pkt);
	packet_value(&pkt, "dmalen", &len);
	if (len)
		return (uint32_t)((len - 1) / mtu + 1);
	return 1;
}

static void passed(uint32_t *next, uint32_t psn24, uint32_t n)
{
	const uint32_t psn = serial24_near(psn24, *next);

	if (serial_diff(psn, *next) >= 0)
		*next = psn + n;
}

void scope_wqe_turn(struct scope *s, size_t index)
{
	s->pdc = s->pdcs;
	s->record->recs[index].pdc = 0;
}

void scope_wqe_sent(struct scope *s, size_t index)
{
	struct bth bth;

	if (!scope_wqe_look(s, index, &bth) || scope_wqe_is_answer(&bth))
		return;
	scope_psn_seen(s, true, scope_at(s), bth.psn, index);
	passed(&s->pdc->tx_next, bth.psn, scope_wqe_psns_of(s, index, &bth));
}

void scope_wqe_arrived(struct scope *s, size_t index)
{
	struct bth bth;

	if (!scope_wqe_look(s, index, &bth) || scope_wqe_is_answer(&bth))
		return;
	scope_psn_seen(s, false, scope_at(s), bth.psn, index);
	passed(&s->pdc->rx_next, bth.psn, scope_wqe_psns_of(s, index, &bth));
}

void scope_wqe_taken(struct scope *s, size_t index)
{
	struct scope_psn *p;
	struct bth bth;

	if (!scope_wqe_look(s, index, &bth) || scope_wqe_is_answer(&bth))
		return;
	p = scope_psn_find(s, false, bth.psn);
	if (p)
		p->newest = index;
	s->pdc->rx_last = bth.psn;
}

bool scope_wqe_was_sent(const struct scope *s, uint32_t psn)
{
	for (size_t i = s->npsns; i-- > 0;) {
		const struct scope_psn *p = &s->psns[i];
		const uint32_t at = (psn - p->psn) & SERIAL24_MASK;
		struct bth bth;

		if (p->to_dut && scope_wqe_look(s, p->first, &bth) &&
		    at < scope_wqe_psns_of(s, p->first, &bth))
			return true;
	}
	return false;
}
