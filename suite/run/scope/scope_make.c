/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_make.c -- makes flows with new ids: PDCs, pairs of SRD
 * contexts and connections of the WQE extension.
 */
#include "suite/run/scope/scope_make.h"

#include <string.h>

#include "base/serial.h"
#include "suite/run/scope/scope_state.h"
#include "suite/transport.h"

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

static void scope_pdc_take(struct scope_taken *t, uint16_t spdcid)
{
	if (!t)
		return;
	if (++t->n > UINT16_MAX / 2) {
		memset(t->bits, 0, sizeof(t->bits));
		t->n = 1;
	}
	t->bits[spdcid / 8] |= (uint8_t)(1u << spdcid % 8);
}

static uint16_t scope_pdc_draw(struct scope *s)
{
	uint16_t spdcid;

	do
		spdcid = (uint16_t)(1 + rng_below(&s->rng, 0xffff));
	while (is_used(s, spdcid) || is_taken(s->taken, spdcid));
	scope_pdc_take(s->taken, spdcid);
	return spdcid;
}

void scope_avoid(struct scope *s, struct scope_taken *taken)
{
	if (!suite_families[s->family]->has_pdcs)
		return;
	s->taken = taken;
	taken->cases++;
	if (is_taken(taken, s->pdc->spdcid))
		s->pdc->spdcid = scope_pdc_draw(s);
	else
		scope_pdc_take(taken, s->pdc->spdcid);
}

bool scope_is_earlier(const struct scope *s, uint16_t spdcid)
{
	return is_taken(s->taken, spdcid) && !is_used(s, spdcid);
}

bool scope_note_syn(struct scope *s, uint16_t dpdcid, uint32_t start, bool retx)
{
	struct scope_taken *t = s->taken;

	for (size_t i = 0; i < SCOPE_OPENED; i++) {
		struct scope_opened *o = &t->opened[i];

		if (!o->in_case || o->dpdcid != dpdcid || o->start != start)
			continue;
		if (!retx) /* a device may begin again with the same numbers */
			o->in_case = t->cases;
		return o->in_case != t->cases;
	}
	t->opened[t->nopened++ % SCOPE_OPENED] = (struct scope_opened){
		.dpdcid = dpdcid, .start = start, .in_case = t->cases};
	return false;
}

struct scope_pdc *scope_make(struct scope *s)
{
	struct scope_pdc *pdc = &s->pdcs[s->npdcs];
	uint16_t spdcid;

	if (s->npdcs == SCOPE_PDCS)
		return NULL;
	spdcid = scope_pdc_draw(s);
	*pdc = (struct scope_pdc){.spdcid = spdcid};
	pdc->tx_start = (uint32_t)rng_next(&s->rng);
	pdc->tx_next = pdc->tx_start;
	pdc->tx_acked = pdc->tx_start - 1;
	if (suite_families[s->family]->make)
		suite_families[s->family]->make(s, pdc);
	s->npdcs++;
	return pdc;
}

/* Returns a random id other than 0. */
static uint32_t new_id(struct scope *s)
{
	return (uint32_t)rng_next(&s->rng) | 1;
}

void scope_srd_make(struct scope *s, struct scope_pdc *pdc)
{
	pdc->scid = new_id(s);
	pdc->own_rcid = new_id(s);
	pdc->tx_start &= SERIAL24_MASK;
	pdc->tx_next = pdc->tx_start;
	pdc->tx_acked = pdc->tx_start - 1;
	s->entropy = 0xc000;
}

#define FIRST_PSN 10

void scope_wqe_make(struct scope *s, struct scope_pdc *pdc)
{
	pdc->tx_start = pdc->tx_next = FIRST_PSN;
	pdc->tx_acked = FIRST_PSN - 1;
	pdc->rx_any = true;
	pdc->rx_start = pdc->rx_next = FIRST_PSN;
	pdc->rx_cum = FIRST_PSN - 1;
	s->entropy = 0xc000;
}
