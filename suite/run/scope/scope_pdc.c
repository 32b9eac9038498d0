/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_pdc.c -- the PDCs of a case, and the PDC that a packet
 * belongs to.
 *
 * A packet of the tester belongs to the PDC that its line names, or to that of
 * the previous line.  A packet of the DUT is assigned by its dpdcid, the
 * tester's PDCID; a SYN has no dpdcid and is assigned by the DUT's PDCID.  A
 * SYN that fits no PDC opens one, and the first line that expects it under a
 * new name gives it that name.
 *
 * A case whose lines name no PDC was written for a DUT that sends all messages
 * on one.  Another DUT may open one for each: then the figure's numbers go on
 * from PDC to PDC, as far as that makes sense (scope.split).  They make none
 * for a message that begins on an older PDC.
 */
#include "suite/run/scope/scope_pdc.h"

#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

/* minimum distance of Start_PSN when a PDCID is used again (uet.md 6.2) */
#define START_DISTANCE (1 << 16)

int scope_turn(struct scope *s, const char *pdc)
{
	const struct scope_pdc *known = scope_named(s, pdc);
	struct scope_pdc *found =
		known ? &s->pdcs[known - s->pdcs] : scope_make(s);

	if (!found)
		return ERR_SPACE;
	if (!found->name)
		found->name = pdc;
	s->pdc = found;
	s->hand = scope_at(s);
	return 0;
}

/* Returns the newest PDC with that PDCID of the tester, or NULL. */
static struct scope_pdc *by_tester(struct scope *s, uint16_t spdcid)
{
	for (uint8_t i = s->npdcs; i-- > 0;)
		if (s->pdcs[i].spdcid == spdcid)
			return &s->pdcs[i];
	return NULL;
}

/*
 * Returns true for a SYN of the DUT that opens a new PDC under the PDCID of
 * |pdc|: that one is closed, or its Start_PSN is far away.
 */
static bool starts_anew(const struct scope_pdc *pdc, uint32_t start)
{
	const int32_t d = serial_diff(start, pdc->rx_start);

	if (!pdc->rx_syn)
		return pdc->closed;
	if (d == 0)
		return false;
	return pdc->closed || d >= START_DISTANCE || d <= -START_DISTANCE;
}

/*
 * Returns a new entry for a PDC that the DUT opened; NULL if there is no room.
 */
static struct scope_pdc *scope_pdc_opened(struct scope *s, uint16_t dpdcid)
{
	struct scope_pdc *pdc = scope_make(s);

	if (pdc)
		pdc->dpdcid = dpdcid;
	return pdc;
}

/*
 * Returns the figure's number of the tester's next packet: behind those that
 * the tester has sent on any PDC, since a line may have used an older one.
 */
static uint32_t next_return(const struct scope *s)
{
	const struct psn_base *base = s->record->base;
	uint32_t next = psn_to_figure(&base[s->newest], SPACE_RETURN,
				      s->pdcs[s->newest].tx_next);

	for (uint8_t i = 0; i < s->npdcs; i++)
		if (base[i].ret_set)
			next = serial_max(next,
					  psn_to_figure(&base[i], SPACE_RETURN,
							s->pdcs[i].tx_next));
	return next;
}

/* Continues the figure's numbers where those of the previous PDCs end. */
static void scope_pdc_go_on(struct scope *s, struct scope_pdc *pdc,
			    uint32_t start)
{
	struct scope_pdc *old = &s->pdcs[s->newest];
	const struct psn_base *from = &s->record->base[s->newest];
	struct psn_base *to = &s->record->base[pdc - s->pdcs];

	to->fwd_set = true;
	to->fwd_live = start;
	to->fwd_figure = psn_to_figure(from, SPACE_FORWARD, old->rx_next);
	to->ret_figure = next_return(s);
	to->ret_set = true;
	to->ret_live = start;
	/* without a base the case numbers the packets of a single PDC */
	s->split |= old->own || !from->fwd_set;
	s->newest = (uint8_t)(pdc - s->pdcs);
}

/*
 * only the first packet may open another, or a control packet outside any
 * message
 */
static bool begins_message(const struct packet *pkt)
{
	uint64_t som;

	return !packet_value(pkt, "som", &som) || som;
}

/*
 * Returns the PDC of a SYN: an existing one if the SYN is repeated, or a new
 * one.
 */
static struct scope_pdc *by_syn(struct scope *s, uint16_t dpdcid,
				uint32_t start, const struct packet *pkt)
{
	struct scope_pdc *pdc;
	bool renumbered = false;

	for (uint8_t i = s->npdcs; i-- > 0;) {
		if (s->pdcs[i].dpdcid != dpdcid)
			continue;
		renumbered = !s->pdcs[i].closed;
		if (starts_anew(&s->pdcs[i], start))
			break;
		return &s->pdcs[i];
	}
	if (!s->pdcs[0].dpdcid)
		return &s->pdcs[0];
	pdc = scope_pdc_opened(s, dpdcid);
	if (pdc)
		pdc->renumbered = renumbered;
	if (pdc && s->follow && !renumbered && begins_message(pkt))
		scope_pdc_go_on(s, pdc, start);
	return pdc;
}

void scope_turn_packet(struct scope *s, size_t index)
{
	struct rec *rec = &s->record->recs[index];
	struct scope_pdc *pdc = NULL;
	uint64_t syn = 0, spdcid = 0, v;
	struct packet pkt;

	if (suite_families[s->family]->turn) {
		suite_families[s->family]->turn(s, index);
		return;
	}
	record_packet(s->record, rec, &pkt);
	packet_value(&pkt, "syn", &syn);
	if (syn && packet_value(&pkt, "spdcid", &spdcid) && spdcid &&
	    packet_value(&pkt, "start_psn", &v))
		pdc = by_syn(s, (uint16_t)spdcid, (uint32_t)v, &pkt);
	else if (!syn && packet_value(&pkt, "dpdcid", &v))
		pdc = by_tester(s, (uint16_t)v);
	else if (packet_value(&pkt, "pkt_id", &v))
		pdc = &s->pdcs[s->hand]; /* RUDI, which has no PDC */
	if (pdc)
		s->pdc = pdc;
	else if (s->newest) /* it answers what the tester sent last */
		s->pdc = &s->pdcs[s->hand];
	else
		s->pdc = s->pdcs;
	rec->pdc = scope_at(s);
}

void scope_turn_rec(struct scope *s, size_t index)
{
	s->pdc = &s->pdcs[s->record->recs[index].pdc];
}

void scope_met(struct scope *s, size_t index)
{
	s->hand = s->record->recs[index].pdc;
}

bool scope_is_pdc(const struct scope *s, const char *pdc, size_t index)
{
	const uint8_t at = s->record->recs[index].pdc;
	const struct scope_pdc *found = scope_named(s, pdc);

	if (found)
		return found == &s->pdcs[at];
	return !s->pdcs[at].name;
}

uint8_t scope_line_pdc(const struct scope *s, size_t index)
{
	if (s->newest)
		return s->record->recs[index].pdc;
	return s->hand;
}

/*
 * Returns the PDC whose part of the figure's forward numbers contains that
 * number.
 */
static uint8_t by_figure(const struct scope *s, uint32_t figure)
{
	uint8_t i = s->newest;

	while (i && serial_before(figure, s->record->base[i].fwd_figure))
		i--;
	return i;
}

/* Returns the PDC of the DUT's newest request with that PSN. */
static uint8_t by_request(const struct scope *s, uint32_t psn)
{
	for (size_t i = s->npsns; i-- > 0;)
		if (!s->psns[i].to_dut && s->psns[i].psn == psn &&
		    s->psns[i].pdc != SCOPE_RUDI)
			return s->psns[i].pdc;
	return s->hand;
}

/* Returns the PSN of the request that an ACK or NACK line names, or NULL. */
static const struct number *answered_psn(const struct rung *rung)
{
	for (size_t i = 0; i < rung->npds; i++) {
		const struct term *t = &rung->pds[i];

		if ((strcmp(t->name, "ack_psn") == 0 ||
		     strcmp(t->name, "nack_psn") == 0) &&
		    t->op == TERM_EQ && t->nranges == 1)
			return &t->ranges[0].lo;
	}
	return NULL;
}

void scope_turn_answer(struct scope *s, const struct rung *rung)
{
	const struct number *n = answered_psn(rung);
	uint64_t psn;

	if (!s->newest || rung->pdc || !n)
		return;
	if (!n->symbol && !n->absolute)
		s->hand = by_figure(s, (uint32_t)n->value);
	else if (scope_number(s, n, SPACE_NONE, &psn))
		s->hand = by_request(s, (uint32_t)psn);
	s->pdc = &s->pdcs[s->hand];
}

void scope_name(struct scope *s, const char *pdc, size_t index)
{
	struct scope_pdc *of = &s->pdcs[s->record->recs[index].pdc];

	if (!of->name)
		of->name = pdc;
}

/* Returns the PDC that a SYN of the other endpoint opens or has opened. */
static struct scope_pdc *by_peer_syn(struct scope *s, uint16_t spdcid)
{
	struct scope_pdc *pdc = by_tester(s, spdcid);

	if (pdc)
		return pdc;
	if (s->pdcs[0].tx_any)
		return scope_make(s);
	return &s->pdcs[0];
}

static struct scope_pdc *by_dut(struct scope *s, uint16_t dpdcid)
{
	for (uint8_t i = s->npdcs; i-- > 0;)
		if (s->pdcs[i].dpdcid == dpdcid)
			return &s->pdcs[i];
	return NULL;
}

void scope_turn_peer(struct scope *s, size_t index)
{
	struct scope_pdc *pdc = NULL;
	uint64_t spdcid, id, syn = 0;
	struct packet pkt;

	record_packet(s->record, &s->record->recs[index], &pkt);
	if (!packet_value(&pkt, "spdcid", &spdcid))
		return;
	packet_value(&pkt, "syn", &syn);
	if (syn)
		pdc = by_peer_syn(s, (uint16_t)spdcid);
	else if (packet_value(&pkt, "dpdcid", &id))
		pdc = by_dut(s, (uint16_t)id);
	if (!pdc)
		return;
	s->pdc = pdc;
	pdc->spdcid = (uint16_t)spdcid;
}
