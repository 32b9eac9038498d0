/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope.c -- the symbols, PSN bases and live numbers of a case
 * while it runs.
 *
 * scope_sent() and scope_arrived() update the state of the PDC with each
 * packet.
 */
#include "suite/run/scope/scope.h"

#include "suite/decl/decl_row.h"
#include "suite/run/scope/scope_state.h"
#include "suite/transport.h"

#include <string.h>

#include "base/rng.h"
#include "base/serial.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_pds.h"

#define NOMINAL_ADD (8 + 40) /* UDP header and 40: nominal_pktsize */

/*
 * Binds the numbers of the declaration: $memory_key, $mtu, ...  No symbol is
 * bound before them, and their names differ.
 */
static void bind_declared(struct scope *s)
{
	const char *name;
	uint64_t v;

	for (size_t at = 0; (name = decl_number(s->decl, &at, &v));)
		scope_symbol_add(
			s, &(struct scope_symbol){.name = name, .value = v});
}

void scope_start(struct scope *s, const struct decl *decl, struct record *r,
		 enum chair chair, uint64_t seed)
{
	/* Everything but the two arrays, whose counts say what is valid. */
	memset(s, 0, offsetof(struct scope, symbols));
	s->nsymbols = 0;
	s->npsns = 0;
	s->psns_seen = 0;
	s->decl = decl;
	s->record = r;
	s->family = r->family;
	s->chair = chair;
	s->rng.state = seed;
	s->data_seed = seed;
	s->pdc = s->pdcs;
	s->npdcs = 1;
	s->pdc->name = "a";
	s->pdc->spdcid = (uint16_t)(1 + rng_below(&s->rng, 0xffff));
	s->entropy = (uint16_t)(0xc000 + rng_below(&s->rng, 0x3fff));
	s->pdc->tx_start = (uint32_t)rng_next(&s->rng);
	s->pdc->tx_next = s->pdc->tx_start;
	s->pdc->tx_acked = s->pdc->tx_start - 1;
	s->tx_pkt_id = (uint32_t)rng_next(&s->rng);
	if (suite_families[s->family]->make)
		suite_families[s->family]->make(s, s->pdc);
	bind_declared(s);
}

/* Returns true for a PSN that scope_mark() has not recorded. */
static bool is_new(uint32_t cum, uint64_t beyond, uint32_t psn)
{
	int32_t ahead = serial_diff(psn, cum);

	if (ahead <= 1 || ahead - 2 >= 64)
		return ahead > 0;
	return !(beyond >> (ahead - 2) & 1);
}

bool scope_psn_used(const struct packet *pkt, uint32_t *ret)
{
	const enum pds_type type = pds_type_in(pkt->p, pkt->len);
	uint64_t v;

	if (!pds_is_request(type) && type != PDS_CP)
		return false;
	if (type == PDS_CP &&
	    (!packet_value(pkt, "ctl_type", &v) ||
	     (v != PDS_CP_NOOP && v != PDS_CP_CLOSE_COMMAND &&
	      v != PDS_CP_CLOSE_REQUEST && v != PDS_CP_NEGOTIATION)))
		return false;
	if (!packet_value(pkt, "psn", &v))
		return false;
	*ret = (uint32_t)v;
	return true;
}

/* Only control packets have a ctl_type, and only NACKs name a refused one. */
static bool scope_is_control(const struct packet *pkt)
{
	return pds_type_in(pkt->p, pkt->len) == PDS_CP;
}

static bool scope_is_nack(const struct packet *pkt)
{
	return pds_is_nack(pds_type_in(pkt->p, pkt->len));
}

/* Only ACKs have a cack_psn. */
static bool scope_is_ack(const struct packet *pkt)
{
	return pds_is_ack(pds_type_in(pkt->p, pkt->len));
}

/* "One PDC has one delivery mode for its whole life" (uet.md 6.1). */
static void note_mode(struct scope *s, const struct packet *pkt)
{
	const enum pds_type type = pds_type_of(pkt->p);

	s->pdc->rod |= type == PDS_ROD_REQ || type == PDS_ROD_CC_REQ;
}

static bool scope_is_rudi(const struct packet *pkt, enum pds_type type,
			  uint32_t *ret_id)
{
	uint64_t v;

	if (pkt->len < 2 || pds_type_of(pkt->p) != type ||
	    !packet_value(pkt, "pkt_id", &v))
		return false;
	*ret_id = (uint32_t)v;
	return true;
}

/* A SYN with a Start_PSN of the line's choice moves its whole space. */
static void scope_restart(struct scope *s, uint32_t start_psn)
{
	s->pdc->tx_start = start_psn;
	s->pdc->tx_next = start_psn;
	s->pdc->tx_acked = start_psn - 1;
	s->pdc->tx_beyond = 0;
}

/* Takes over the PDCID of a PDC that a line opens with its own number. */
static void take_spdcid(struct scope *s, const struct packet *pkt)
{
	uint64_t syn = 0, v;

	if (scope_at(s) && packet_value(pkt, "syn", &syn) && syn &&
	    packet_value(pkt, "spdcid", &v))
		s->pdc->spdcid = (uint16_t)v;
}

/* Either end has sent a close: the PDCID may be used again. */
static void note_close(struct scope *s, const struct packet *pkt)
{
	uint64_t v;

	if (scope_is_control(pkt) && packet_value(pkt, "ctl_type", &v) &&
	    v == PDS_CP_CLOSE_COMMAND)
		s->pdc->closed = true;
}

/* ROD_OOO requests Expected_PSN, or the first unacknowledged PSN. */
static void note_missing(struct scope *s, const struct packet *pkt,
			 uint32_t psn)
{
	uint64_t code = 0, payload = 0;

	packet_value(pkt, "nack_code", &code);
	packet_value(pkt, "payload", &payload);
	if (code != NACK_ROD_OOO)
		return;
	for (size_t i = 0; i < s->npsns; i++) {
		struct scope_psn *p = &s->psns[i];

		if (p->to_dut || p->pdc != scope_at(s))
			continue;
		if (payload)
			p->nacked |= p->psn == payload;
		else
			p->nacked |= !serial_after(p->psn, psn);
	}
}

/* The tester's ids do not increase, because nothing may depend on that. */
#define PKT_ID_STEP 0x9e3779b1u

/* Returns the request that a NACK names. */
static struct scope_psn *scope_nacked(struct scope *s, bool to_dut,
				      const struct packet *pkt)
{
	uint64_t v;

	if (!scope_is_nack(pkt))
		return NULL;
	if (packet_value(pkt, "nack_psn", &v))
		return scope_psn_find(s, to_dut, (uint32_t)v);
	if (packet_value(pkt, "nack_pkt_id", &v))
		return scope_pkt_find(s, to_dut, (uint32_t)v);
	return NULL;
}

/* The requests of the DUT that an ACK of the tester covers. */
struct scope_ack {
	uint32_t cack, ack, sack;
	uint64_t bitmap;
	uint32_t top; /* the highest PSN that it covers */
};

static bool scope_ack_read(const struct packet *pkt, struct scope_ack *ret)
{
	uint64_t cack, ack, sack = 0;

	*ret = (struct scope_ack){0};
	if (!scope_is_ack(pkt) || !packet_value(pkt, "cack_psn", &cack))
		return false;
	if (!packet_value(pkt, "ack_psn", &ack))
		ack = cack;
	packet_value(pkt, "sack_bitmap", &ret->bitmap);
	packet_value(pkt, "sack_psn", &sack);
	ret->cack = (uint32_t)cack;
	ret->ack = (uint32_t)ack;
	ret->sack = (uint32_t)sack;
	ret->top = ret->ack;
	for (unsigned i = 0; i < 64 && ret->bitmap >> i; i++)
		if (ret->bitmap >> i & 1 &&
		    serial_after(ret->sack + i, ret->top))
			ret->top = ret->sack + i;
	return true;
}

static bool scope_ack_covers(const struct scope_ack *a, uint32_t psn)
{
	const uint32_t bit = psn - a->sack;

	if (psn == a->ack || !serial_after(psn, a->cack))
		return true;
	return bit < 64 && a->bitmap >> bit & 1;
}

bool scope_acknowledges(const struct packet *pkt, uint32_t psn)
{
	struct scope_ack ack;

	return scope_ack_read(pkt, &ack) && scope_ack_covers(&ack, psn);
}

/*
 * "Besides the time-out, NACK and SACK bitmap may show a loss" (3.5.20.3.2,
 * 5a): the DUT may retransmit a PSN that an ACK omits before a later one.
 */
static void note_overtaken(struct scope *s, const struct packet *pkt)
{
	const uint8_t pdc = scope_at(s);
	struct scope_ack ack;

	if (!scope_ack_read(pkt, &ack) || ack.top == ack.cack)
		return;
	for (size_t i = 0; i < s->npsns; i++) {
		struct scope_psn *p = &s->psns[i];

		if (!p->to_dut && p->pdc == pdc &&
		    serial_after(ack.top, p->psn) &&
		    !scope_ack_covers(&ack, p->psn))
			p->overtaken = true;
	}
}

void scope_sent(struct scope *s, size_t index)
{
	struct packet pkt;
	struct scope_psn *p;
	uint64_t v;
	uint32_t psn;

	s->record->recs[index].pdc = scope_at(s);
	if (suite_families[s->family]->sent) {
		suite_families[s->family]->sent(s, index);
		return;
	}
	record_packet(s->record, &s->record->recs[index], &pkt);
	take_spdcid(s, &pkt);
	note_close(s, &pkt);
	if (packet_value(&pkt, "start_psn", &v) && v != s->pdc->tx_start)
		scope_restart(s, (uint32_t)v);
	if (scope_psn_used(&pkt, &psn)) {
		note_mode(s, &pkt);
		scope_psn_seen(s, true, scope_at(s), psn, index);
		if (serial_diff(psn, s->pdc->tx_next) >= 0)
			s->pdc->tx_next = psn + 1;
	} else if (scope_is_rudi(&pkt, PDS_RUDI_REQ, &psn)) {
		scope_psn_seen(s, true, SCOPE_RUDI, psn, index);
		if (psn == s->tx_pkt_id)
			s->tx_pkt_id = psn * PKT_ID_STEP + 1;
	}
	p = scope_nacked(s, false, &pkt);
	if (p)
		p->nacked = true;
	if (scope_is_nack(&pkt) && packet_value(&pkt, "nack_psn", &v))
		note_missing(s, &pkt, (uint32_t)v);
	note_overtaken(s, &pkt);
}

/* Returns true for the answer to a SYN, which carries the DUT's new PDCID. */
static bool tells_pdcid(const struct scope *s, const struct packet *pkt)
{
	const struct scope_psn *p;
	uint64_t psn, syn = 0;
	struct packet asked;

	if (!s->pdc->dpdcid)
		return true;
	if (!(scope_is_ack(pkt) && packet_value(pkt, "ack_psn", &psn)) &&
	    !(scope_is_nack(pkt) && packet_value(pkt, "nack_psn", &psn)))
		return false;
	p = scope_look_up(s, true, scope_at(s), (uint32_t)psn);
	if (!p)
		return false;
	record_packet(s->record, &s->record->recs[p->newest], &asked);
	return packet_value(&asked, "syn", &syn) && syn;
}

/*
 * Notes a message that begins on an older PDC.  The figure has no numbers for
 * it: they go on at the newest one.
 */
static void note_older(struct scope *s, const struct packet *pkt, uint32_t psn)
{
	uint64_t som = 0;

	if (s->chair != CHAIR_INITIATOR || !s->newest ||
	    scope_at(s) == s->newest || s->pdc->closed || !s->pdc->rx_any)
		return;
	packet_value(pkt, "som", &som);
	s->split |= som && serial_diff(psn, s->pdc->rx_next) >= 0;
}

void scope_arrived(struct scope *s, size_t index)
{
	struct packet pkt;
	uint64_t v, syn = 0;
	uint32_t psn;

	if (suite_families[s->family]->arrived) {
		suite_families[s->family]->arrived(s, index);
		return;
	}
	record_packet(s->record, &s->record->recs[index], &pkt);
	if (packet_value(&pkt, "spdcid", &v) && v && tells_pdcid(s, &pkt))
		s->pdc->dpdcid = (uint16_t)v;
	if (scope_is_rudi(&pkt, PDS_RUDI_REQ, &psn))
		scope_psn_seen(s, false, SCOPE_RUDI, psn, index);
	if (!scope_psn_used(&pkt, &psn))
		return;
	scope_bind_pending(s, psn);
	note_mode(s, &pkt);
	note_older(s, &pkt, psn);
	scope_psn_seen(s, false, scope_at(s), psn, index);
	s->pdc->rx_sent = psn;
	s->pdc->own |= !s->record->recs[index].setup;
	if (s->pdc->rx_any) {
		if (serial_diff(psn, s->pdc->rx_next) >= 0)
			s->pdc->rx_next = psn + 1;
		return;
	}
	s->pdc->rx_any = true;
	s->pdc->clears = false;
	s->pdc->rx_next = psn + 1;
	s->pdc->rx_cum = psn - 1;
	if (packet_value(&pkt, "syn", &syn) && syn &&
	    packet_value(&pkt, "start_psn", &v)) {
		s->pdc->rx_syn = true;
		s->pdc->rx_start = (uint32_t)v;
		/*
		 * the return direction starts where the forward direction did
		 */
		s->pdc->rx_cum = (uint32_t)v - 1;
		scope_restart(s, (uint32_t)v);
	}
}

/* Records which of the tester's requests an ACK acknowledges. */
static void scope_taken_ack(struct scope *s, const struct packet *pkt)
{
	uint64_t cack, ack;

	if (!scope_is_ack(pkt) || !packet_value(pkt, "cack_psn", &cack))
		return;
	/* a faulty device may acknowledge PSNs that were never sent */
	if (serial_before((uint32_t)cack, s->pdc->tx_next))
		scope_mark_to(&s->pdc->tx_acked, &s->pdc->tx_beyond,
			      (uint32_t)cack);
	else
		scope_mark_to(&s->pdc->tx_acked, &s->pdc->tx_beyond,
			      s->pdc->tx_next - 1);
	if (packet_value(pkt, "ack_psn", &ack))
		scope_mark(&s->pdc->tx_acked, &s->pdc->tx_beyond,
			   (uint32_t)ack);
}

static void scope_take_clear(struct scope_pdc *pdc, const struct packet *pkt)
{
	uint64_t clear, offset, type = 0;

	if (scope_is_ack(pkt) || scope_is_nack(pkt))
		return;
	if (scope_is_control(pkt))
		packet_value(pkt, "ctl_type", &type);
	if (!packet_value(pkt, "clear_psn", &clear) ||
	    (!packet_value(pkt, "clear_psn_offset", &offset) &&
	     type != PDS_CP_CLEAR_COMMAND) ||
	    (pdc->clears && serial_before((uint32_t)clear, pdc->rx_clear)))
		return;
	pdc->clears = true;
	pdc->rx_clear = (uint32_t)clear;
}

static void take_new(struct scope *s, const struct packet *pkt, uint32_t psn)
{
	struct scope_pdc *pdc = s->pdc;

	if (pds_type_of(pkt->p) != PDS_CP &&
	    is_new(pdc->rx_cum, pdc->rx_beyond, psn))
		pdc->rx_bytes += pkt->len + NOMINAL_ADD;
	scope_mark(&pdc->rx_cum, &pdc->rx_beyond, psn);
}

void scope_taken(struct scope *s, size_t index)
{
	struct packet pkt;
	struct scope_psn *p;
	uint32_t psn;

	record_packet(s->record, &s->record->recs[index], &pkt);
	scope_turn_rec(s, index);
	if (suite_families[s->family]->taken) {
		suite_families[s->family]->taken(s, index);
		return;
	}
	note_close(s, &pkt);
	scope_taken_ack(s, &pkt);
	scope_take_clear(s->pdc, &pkt);
	if (scope_psn_used(&pkt, &psn)) {
		s->pdc->rx_last = psn;
		if (!s->pdc->rod || psn == s->pdc->rx_cum + 1)
			take_new(s, &pkt, psn);
	} else if (scope_is_rudi(&pkt, PDS_RUDI_REQ, &psn)) {
		s->rx_pkt_id = psn;
	}
	p = scope_known(s, false, &pkt);
	if (p)
		p->newest = index; /* the copy that an answer refers to */
	p = scope_nacked(s, true, &pkt);
	if (p)
		p->nacked = true;
}
