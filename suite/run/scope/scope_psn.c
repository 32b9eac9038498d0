/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_psn.c -- the PSNs and pkt_ids that a case has seen,
 * and the base of the figure's PSNs.
 *
 * Spec: UET 3.5.8.2 (uet.md 3)
 */
#include "suite/run/scope/scope_psn.h"

#include <string.h>

#include "base/serial.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

bool scope_initiator(const struct scope *s, bool to_dut)
{
	return to_dut == (s->chair == CHAIR_TARGET);
}

static void bind_forward(struct psn_base *b, uint32_t figure, uint32_t live)
{
	b->fwd_set = true;
	b->fwd_figure = figure;
	b->fwd_live = live;
}

static void bind_return(struct psn_base *b, uint32_t figure, uint32_t live)
{
	b->ret_set = true;
	b->ret_figure = figure;
	b->ret_live = live;
}

/*
 * A base in the tester's own space starts at its next PSN, one in the DUT's
 * space at the DUT's next PSN.
 */
void scope_base(struct scope *s, const struct step *base)
{
	struct psn_base *b = &s->record->base[scope_at(s)];
	bool fwd_is_mine = s->chair == CHAIR_TARGET;

	b->narrow = wire_families[s->family]->psn_mask != UINT32_MAX;
	if (base->base_fwd_set && (fwd_is_mine || s->pdc->rx_any)) {
		bind_forward(b, base->base_fwd,
			     fwd_is_mine ? s->pdc->tx_next : s->pdc->rx_next);
	} else if (base->base_fwd_set) {
		s->pdc->fwd_pending = true;
		s->pdc->fwd_figure = base->base_fwd;
	}
	if (base->base_ret_set && (!fwd_is_mine || s->pdc->rx_any)) {
		bind_return(b, base->base_ret,
			    fwd_is_mine ? s->pdc->rx_next : s->pdc->tx_next);
	} else if (base->base_ret_set) {
		s->pdc->ret_pending = true;
		s->pdc->ret_figure = base->base_ret;
	}
}

/* Differs for PSNs that follow one another, and for the two directions. */
static uint8_t scope_psn_hash(bool to_dut, uint8_t pdc, uint32_t psn)
{
	return (uint8_t)(2 * psn + to_dut + 37u * pdc + (psn >> 7));
}

/* An entry is the only one with its direction, PDC and PSN. */
const struct scope_psn *scope_look_up(const struct scope *s, bool to_dut,
				      uint8_t pdc, uint32_t psn)
{
	const uint8_t hash = scope_psn_hash(to_dut, pdc, psn);
	const uint8_t *at = s->psn_hash, *end = at + s->npsns;

	while ((at = memchr(at, hash, (size_t)(end - at)))) {
		const struct scope_psn *p = &s->psns[at++ - s->psn_hash];

		if (p->psn == psn && p->to_dut == to_dut && p->pdc == pdc)
			return p;
	}
	return NULL;
}

static struct scope_psn *scope_psn_at(struct scope *s, bool to_dut, uint8_t pdc,
				      uint32_t psn)
{
	const struct scope_psn *p = scope_look_up(s, to_dut, pdc, psn);

	if (p)
		return &s->psns[p - s->psns];
	return NULL;
}

/* Returns the request that entry |index|, a response of the DUT, answers. */
static const struct scope_psn *answered_by(const struct scope *s, size_t index)
{
	const struct rec *rec = &s->record->recs[index];
	struct packet pkt;
	uint64_t v;

	if (!s->causes || rec->kind != REC_RX)
		return NULL;
	record_packet(s->record, rec, &pkt);
	if (packet_value(&pkt, "ack_psn", &v))
		return scope_look_up(s, true, rec->pdc, (uint32_t)v);
	if (packet_value(&pkt, "pkt_id", &v))
		return scope_look_up(s, true, SCOPE_RUDI, (uint32_t)v);
	return NULL;
}

const struct decl_cause *scope_cause(const struct scope *s, size_t index)
{
	const struct scope_psn *p = answered_by(s, index);

	if (p)
		return p->cause;
	return NULL;
}

bool scope_divided(const struct scope *s, size_t index, uint64_t *ret)
{
	const struct scope_psn *p = answered_by(s, index);
	struct packet pkt;

	if (!p || !p->divided)
		return false;
	record_packet(s->record, &s->record->recs[p->first], &pkt);
	return packet_value(&pkt, "message_id", ret);
}

bool scope_trimmed(const struct scope *s, size_t index)
{
	const struct rec *rec = &s->record->recs[index];
	const struct scope_psn *p = NULL;
	struct packet pkt;
	uint64_t v;

	if (rec->kind != REC_RX || !s->any_trimmed)
		return false;
	record_packet(s->record, rec, &pkt);
	if (packet_value(&pkt, "nack_psn", &v))
		p = scope_look_up(s, true, rec->pdc, (uint32_t)v);
	else if (packet_value(&pkt, "nack_pkt_id", &v))
		p = scope_look_up(s, true, SCOPE_RUDI, (uint32_t)v);
	return p && p->trimmed;
}

struct scope_psn *scope_psn_find(struct scope *s, bool to_dut, uint32_t psn)
{
	return scope_psn_at(s, to_dut, scope_at(s), psn);
}

struct scope_psn *scope_pkt_find(struct scope *s, bool to_dut, uint32_t pkt_id)
{
	return scope_psn_at(s, to_dut, SCOPE_RUDI, pkt_id);
}

struct scope_psn *scope_known(struct scope *s, bool to_dut,
			      const struct packet *pkt)
{
	uint64_t v;

	if (packet_value(pkt, "psn", &v))
		return scope_psn_find(s, to_dut, (uint32_t)v);
	if (packet_value(pkt, "pkt_id", &v))
		return scope_pkt_find(s, to_dut, (uint32_t)v);
	return NULL;
}

/*
 * Marks all PSNs up to |psn| as received, and those that follow without a gap.
 * Bit i of |beyond| is cum + 2 + i, because cum + 1 is missing.
 */
void scope_mark_to(uint32_t *cum, uint64_t *beyond, uint32_t psn)
{
	int32_t ahead = serial_diff(psn, *cum);
	uint64_t bits = *beyond << 1;

	if (ahead <= 0)
		return;
	*cum = psn;
	if (ahead < 64)
		bits = bits >> ahead;
	else
		bits = 0;
	for (; bits & 1; bits >>= 1)
		++*cum;
	*beyond = bits >> 1;
}

/* Marks |psn| as received: moves |cum|, or sets a bit of |beyond|. */
void scope_mark(uint32_t *cum, uint64_t *beyond, uint32_t psn)
{
	int32_t ahead = serial_diff(psn, *cum);

	if (ahead == 1)
		scope_mark_to(cum, beyond, psn);
	else if (ahead > 1 && ahead - 2 < 64)
		*beyond |= (uint64_t)1 << (ahead - 2);
}

void scope_psn_seen(struct scope *s, bool to_dut, uint8_t pdc, uint32_t psn,
		    size_t index)
{
	struct scope_psn *p = scope_psn_at(s, to_dut, pdc, psn);

	if (!p) { /* replace the oldest */
		const size_t at = s->psns_seen++ % SCOPE_PSNS;

		p = &s->psns[at];
		s->psn_hash[at] = scope_psn_hash(to_dut, pdc, psn);
		s->npsns += s->npsns < SCOPE_PSNS;
		*p = (struct scope_psn){
			.to_dut = to_dut,
			.pdc = pdc,
			.psn = psn,
			.first = index,
			.cause = to_dut ? s->crafted : NULL,
			.divided = to_dut && s->divided,
			.message_id = s->divided_id,
		};
	}
	s->pdc->tx_any |= to_dut;
	if (to_dut || p->first == index)
		p->newest = index;
	p->last = s->record->recs[index].at;
}

/* The DUT's first packet in a space resolves a pending base. */
void scope_bind_pending(struct scope *s, uint32_t psn)
{
	struct psn_base *b = &s->record->base[scope_at(s)];

	if (s->chair == CHAIR_TARGET && s->pdc->ret_pending) {
		bind_return(b, s->pdc->ret_figure, psn);
		s->pdc->ret_pending = false;
	} else if (s->chair == CHAIR_INITIATOR && s->pdc->fwd_pending) {
		bind_forward(b, s->pdc->fwd_figure, psn);
		s->pdc->fwd_pending = false;
	}
}
