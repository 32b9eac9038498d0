/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/scope_pdc.c -- the PDCs of a case, and which one a packet belongs to.
 *
 * What the tester sends belongs to the PDC that its line names, or else to that
 * of the line before.  A packet of
 * the DUT is found by the tester's PDCID, which is its dpdcid; a SYN has none
 * and is found by the DUT's own.  A SYN that fits no PDC opens one, and the
 * first line that expects it under a new name gives it that name.
 */
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "suite/scope.h"
#include "wire/uet_pds.h"

/* A PDCID that serves again starts so far away (uet.md 6.2). */
#define START_DISTANCE (1 << 16)

const struct scope_pdc *scope_named(const struct scope *s, const char *pdc)
{
	if (!pdc)
		return &s->pdcs[s->hand];
	for (uint8_t i = 0; i < s->npdcs; i++)
		if (s->pdcs[i].name && strcmp(s->pdcs[i].name, pdc) == 0)
			return &s->pdcs[i];
	return NULL;
}

static bool is_used(const struct scope *s, uint16_t spdcid)
{
	for (uint8_t i = 0; i < s->npdcs; i++)
		if (s->pdcs[i].spdcid == spdcid)
			return true;
	return false;
}

static bool is_taken(const struct scope_taken *t, uint16_t spdcid)
{
	return t && t->bits[spdcid / 8] >> spdcid % 8 & 1;
}

static void take(struct scope_taken *t, uint16_t spdcid)
{
	if (!t)
		return;
	if (++t->n > UINT16_MAX / 2)
		*t = (struct scope_taken){.n = 1};
	t->bits[spdcid / 8] |= (uint8_t)(1u << spdcid % 8);
}

static uint16_t draw(struct scope *s)
{
	uint16_t spdcid;

	do
		spdcid = (uint16_t)(1 + rng_below(&s->rng, 0xffff));
	while (is_used(s, spdcid) || is_taken(s->taken, spdcid));
	take(s->taken, spdcid);
	return spdcid;
}

void scope_avoid(struct scope *s, struct scope_taken *taken)
{
	if (s->family != FAMILY_UET)
		return;
	s->taken = taken;
	if (is_taken(taken, s->pdc->spdcid))
		s->pdc->spdcid = draw(s);
	else
		take(taken, s->pdc->spdcid);
}

struct scope_pdc *scope_make(struct scope *s)
{
	struct scope_pdc *pdc = &s->pdcs[s->npdcs];
	uint16_t spdcid;

	if (s->npdcs == SCOPE_PDCS)
		return NULL;
	spdcid = draw(s);
	*pdc = (struct scope_pdc){.spdcid = spdcid};
	pdc->tx_start = (uint32_t)rng_next(&s->rng);
	pdc->tx_next = pdc->tx_start;
	pdc->tx_acked = pdc->tx_start - 1;
	if (s->family == FAMILY_SRD)
		scope_srd_make(s, pdc);
	s->npdcs++;
	return pdc;
}

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

/* The newest PDC in which the tester has that id; NULL: none. */
static struct scope_pdc *by_tester(struct scope *s, uint16_t spdcid)
{
	for (uint8_t i = s->npdcs; i-- > 0;)
		if (s->pdcs[i].spdcid == spdcid)
			return &s->pdcs[i];
	return NULL;
}

/* Another Start_PSN under the PDCID of a PDC that has ended: a new PDC. */
static bool starts_anew(const struct scope_pdc *pdc, uint32_t start)
{
	const int32_t d = serial_diff(start, pdc->rx_start);

	if (!pdc->rx_syn || d == 0)
		return false;
	return pdc->closed || d >= START_DISTANCE || d <= -START_DISTANCE;
}

/* The PDC that the DUT has just opened; NULL: no room. */
static struct scope_pdc *opened(struct scope *s, uint16_t dpdcid)
{
	struct scope_pdc *pdc = scope_make(s);

	if (pdc)
		pdc->dpdcid = dpdcid;
	return pdc;
}

/* A SYN: a repeated one of a PDC that is there, or the first of a new one. */
static struct scope_pdc *by_syn(struct scope *s, uint16_t dpdcid,
				uint32_t start)
{
	for (uint8_t i = s->npdcs; i-- > 0;) {
		if (s->pdcs[i].dpdcid != dpdcid)
			continue;
		if (starts_anew(&s->pdcs[i], start))
			break;
		return &s->pdcs[i];
	}
	return s->pdcs[0].dpdcid ? opened(s, dpdcid) : &s->pdcs[0];
}

void scope_turn_packet(struct scope *s, size_t index)
{
	struct rec *rec = &s->record->recs[index];
	struct scope_pdc *pdc = NULL;
	uint64_t syn = 0, spdcid = 0, v;
	struct packet pkt;

	if (s->family == FAMILY_SRD) {
		scope_srd_turn(s, index);
		return;
	}
	if (family_is_rc(s->family)) { /* one connection */
		s->pdc = s->pdcs;
		rec->pdc = 0;
		return;
	}
	record_packet(s->record, rec, &pkt);
	packet_value(&pkt, "syn", &syn);
	if (syn && packet_value(&pkt, "spdcid", &spdcid) && spdcid &&
	    packet_value(&pkt, "start_psn", &v))
		pdc = by_syn(s, (uint16_t)spdcid, (uint32_t)v);
	else if (!syn && packet_value(&pkt, "dpdcid", &v))
		pdc = by_tester(s, (uint16_t)v);
	else if (packet_value(&pkt, "pkt_id", &v))
		pdc = &s->pdcs[s->hand]; /* of none: RUDI */
	s->pdc = pdc ? pdc : s->pdcs;
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

	return found ? found == &s->pdcs[at] : !s->pdcs[at].name;
}

void scope_name(struct scope *s, const char *pdc, size_t index)
{
	struct scope_pdc *of = &s->pdcs[s->record->recs[index].pdc];

	if (!of->name)
		of->name = pdc;
}

/* The PDC that a SYN of the other endpoint opens, or has opened. */
static struct scope_pdc *by_peer_syn(struct scope *s, uint16_t spdcid)
{
	struct scope_pdc *pdc = by_tester(s, spdcid);

	if (pdc)
		return pdc;
	return s->pdcs[0].tx_any ? scope_make(s) : &s->pdcs[0];
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
