/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/scope.h"

#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/serial.h"
#include "wire/uet_pds.h"

#define NOMINAL_ADD (8 + 40) /* UDP header and 40: nominal_pktsize */

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
	s->pdc = s->pdcs;
	s->npdcs = 1;
	s->pdc->name = "a";
	s->pdc->spdcid = (uint16_t)(1 + rng_below(&s->rng, 0xffff));
	s->entropy = (uint16_t)(0xc000 + rng_below(&s->rng, 0x3fff));
	s->pdc->tx_start = (uint32_t)rng_next(&s->rng);
	s->pdc->tx_next = s->pdc->tx_start;
	s->pdc->tx_acked = s->pdc->tx_start - 1;
	s->tx_pkt_id = (uint32_t)rng_next(&s->rng);
	if (s->family == FAMILY_SRD)
		scope_srd_make(s, s->pdc);
	if (family_is_rc(s->family))
		scope_wqe_make(s, s->pdc);
}

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

/* The tester's own space binds to its next PSN, the DUT's to the DUT's next. */
void scope_base(struct scope *s, const struct step *base)
{
	struct psn_base *b = &s->record->base[scope_at(s)];
	bool fwd_is_mine = s->chair == CHAIR_TARGET;

	b->narrow = s->family != FAMILY_UET;
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

static const struct scope_symbol *find_symbol(const struct scope *s,
					      const char *symbol)
{
	for (size_t i = 0; i < s->nsymbols; i++)
		if (strcmp(s->symbols[i].name, symbol) == 0)
			return &s->symbols[i];
	return NULL;
}

const uint64_t *scope_find(const struct scope *s, const char *symbol)
{
	const struct scope_symbol *found = find_symbol(s, symbol);

	return found ? &found->value : NULL;
}

static int bind(struct scope *s, const struct scope_symbol *symbol)
{
	const struct scope_symbol *found = find_symbol(s, symbol->name);

	if (!found && s->nsymbols == SCOPE_SYMBOLS)
		return ERR_SPACE;
	s->symbols[found ? (size_t)(found - s->symbols) : s->nsymbols++] =
		*symbol;
	return 0;
}

int scope_bind(struct scope *s, const char *symbol, uint64_t value)
{
	return bind(s, &(struct scope_symbol){.name = symbol, .value = value});
}

int scope_bind_unnamed(struct scope *s, const char *symbol, uint32_t psn)
{
	return bind(s, &(struct scope_symbol){
			       .name = symbol, .unnamed = true, .psn = psn});
}

bool scope_unnamed(const struct scope *s, const char *symbol, uint32_t *ret_psn)
{
	const struct scope_symbol *found = find_symbol(s, symbol);

	if (!found || !found->unnamed)
		return false;
	*ret_psn = found->psn;
	return true;
}

static bool number_at(const struct scope *s, const struct psn_base *base,
		      const struct number *n, enum psn_space space,
		      uint64_t *ret)
{
	const uint64_t *v;

	if (n->mtus) {
		*ret = n->value + (uint64_t)n->mtus * s->decl->mtu;
		return true;
	}
	if (!n->symbol) {
		*ret = n->absolute || space == SPACE_NONE
			       ? n->value
			       : psn_to_live(base, space, (uint32_t)n->value);
		return true;
	}
	v = scope_find(s, n->symbol);
	if (!v)
		return false;
	*ret = *v + n->value;
	return true;
}

bool scope_number(const struct scope *s, const struct number *n,
		  enum psn_space space, uint64_t *ret)
{
	return number_at(s, &s->record->base[scope_at(s)], n, space, ret);
}

bool scope_number_of(const struct scope *s, const char *pdc,
		     const struct number *n, enum psn_space space,
		     uint64_t *ret)
{
	static const struct psn_base none;
	const struct scope_pdc *of = scope_named(s, pdc);
	const struct psn_base *base =
		of ? &s->record->base[of - s->pdcs] : &none;

	return number_at(s, base, n, space, ret);
}

bool scope_number_at(const struct scope *s, uint8_t pdc, const struct number *n,
		     enum psn_space space, uint64_t *ret)
{
	return number_at(s, &s->record->base[pdc], n, space, ret);
}

uint64_t scope_wrap(const struct field *f, const struct number *n, uint64_t v)
{
	bool pdcid;

	if (!n->symbol || !f || f->width >= 64 || f->kind == FIELD_SINT)
		return v;
	v &= ((uint64_t)1 << f->width) - 1;
	pdcid = strcmp(f->name, "spdcid") == 0 ||
		strcmp(f->name, "dpdcid") == 0;
	if (pdcid && !v && n->value)
		return (int64_t)n->value > 0 ? 1 : UINT16_MAX;
	return v;
}

static const struct scope_psn *look_up(const struct scope *s, bool to_dut,
				       uint8_t pdc, uint32_t psn)
{
	for (size_t i = s->npsns; i-- > 0;)
		if (s->psns[i].psn == psn && s->psns[i].to_dut == to_dut &&
		    s->psns[i].pdc == pdc)
			return &s->psns[i];
	return NULL;
}

static struct scope_psn *find(struct scope *s, bool to_dut, uint8_t pdc,
			      uint32_t psn)
{
	const struct scope_psn *p = look_up(s, to_dut, pdc, psn);

	return p ? &s->psns[p - s->psns] : NULL;
}

const struct decl_cause *scope_cause(const struct scope *s, size_t index)
{
	const struct rec *rec = &s->record->recs[index];
	const struct scope_psn *p = NULL;
	struct packet pkt;
	uint64_t v;

	if (!s->causes || rec->kind != REC_RX)
		return NULL;
	record_packet(s->record, rec, &pkt);
	if (packet_value(&pkt, "ack_psn", &v))
		p = look_up(s, true, rec->pdc, (uint32_t)v);
	else if (packet_value(&pkt, "pkt_id", &v))
		p = look_up(s, true, SCOPE_RUDI, (uint32_t)v);
	return p ? p->cause : NULL;
}

struct scope_psn *scope_psn_find(struct scope *s, bool to_dut, uint32_t psn)
{
	return find(s, to_dut, scope_at(s), psn);
}

struct scope_psn *scope_pkt_find(struct scope *s, bool to_dut, uint32_t pkt_id)
{
	return find(s, to_dut, SCOPE_RUDI, pkt_id);
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
 * Everything up to |psn| is there, and what lies right behind it as well.
 * Bit i of |beyond| stands for cum + 2 + i, since cum + 1 is missing.
 */
void scope_mark_to(uint32_t *cum, uint64_t *beyond, uint32_t psn)
{
	int32_t ahead = serial_diff(psn, *cum);
	uint64_t bits = *beyond << 1;

	if (ahead <= 0)
		return;
	*cum = psn;
	bits = ahead < 64 ? bits >> ahead : 0;
	for (; bits & 1; bits >>= 1)
		++*cum;
	*beyond = bits >> 1;
}

/* |psn| is there: the mark moves, or a bit beyond it is set. */
void scope_mark(uint32_t *cum, uint64_t *beyond, uint32_t psn)
{
	int32_t ahead = serial_diff(psn, *cum);

	if (ahead == 1)
		scope_mark_to(cum, beyond, psn);
	else if (ahead > 1 && ahead - 2 < 64)
		*beyond |= (uint64_t)1 << (ahead - 2);
}

/* What mark has not seen yet, as far as it remembers. */
static bool is_new(uint32_t cum, uint64_t beyond, uint32_t psn)
{
	int32_t ahead = serial_diff(psn, cum);

	if (ahead <= 1 || ahead - 2 >= 64)
		return ahead > 0;
	return !(beyond >> (ahead - 2) & 1);
}

/* The PSN that a packet uses up, if it does: requests and four CPs. */
static bool psn_used(const struct packet *pkt, uint32_t *ret)
{
	uint64_t v;

	switch (pkt->len >= 2 ? pds_type_of(pkt->p) : 0) {
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
		break;
	case PDS_CP:
		if (!packet_value(pkt, "ctl_type", &v) ||
		    (v != PDS_CP_NOOP && v != PDS_CP_CLOSE_COMMAND &&
		     v != PDS_CP_CLOSE_REQUEST && v != PDS_CP_NEGOTIATION))
			return false;
		break;
	default:
		return false;
	}
	if (!packet_value(pkt, "psn", &v))
		return false;
	*ret = (uint32_t)v;
	return true;
}

/* "One PDC has one delivery mode for its whole life" (uet.md 6.1). */
static void note_mode(struct scope *s, const struct packet *pkt)
{
	const enum pds_type type = pds_type_of(pkt->p);

	s->pdc->rod |= type == PDS_ROD_REQ || type == PDS_ROD_CC_REQ;
}

static bool is_rudi(const struct packet *pkt, enum pds_type type,
		    uint32_t *ret_id)
{
	uint64_t v;

	if (pkt->len < 2 || pds_type_of(pkt->p) != type ||
	    !packet_value(pkt, "pkt_id", &v))
		return false;
	*ret_id = (uint32_t)v;
	return true;
}

void scope_psn_seen(struct scope *s, bool to_dut, uint8_t pdc, uint32_t psn,
		    size_t index)
{
	struct scope_psn *p = find(s, to_dut, pdc, psn);

	if (!p) { /* the oldest gives way */
		p = &s->psns[s->psns_seen++ % SCOPE_PSNS];
		s->npsns += s->npsns < SCOPE_PSNS;
		*p = (struct scope_psn){
			.to_dut = to_dut,
			.pdc = pdc,
			.psn = psn,
			.first = index,
			.cause = to_dut ? s->crafted : NULL,
		};
	}
	s->pdc->tx_any |= to_dut;
	if (to_dut || p->first == index)
		p->newest = index;
	p->last = s->record->recs[index].at;
}

/* A SYN of the tester's own choosing moves its whole space. */
static void restart(struct scope *s, uint32_t start_psn)
{
	s->pdc->tx_start = start_psn;
	s->pdc->tx_next = start_psn;
	s->pdc->tx_acked = start_psn - 1;
	s->pdc->tx_beyond = 0;
}

/* A PDC that a line opens under another PDCID than the one drawn for it. */
static void take_spdcid(struct scope *s, const struct packet *pkt)
{
	uint64_t syn = 0, v;

	if (scope_at(s) && packet_value(pkt, "syn", &syn) && syn &&
	    packet_value(pkt, "spdcid", &v))
		s->pdc->spdcid = (uint16_t)v;
}

/* Either end has said that the PDC ends: its PDCID may serve again. */
static void note_close(struct scope *s, const struct packet *pkt)
{
	uint64_t v;

	if (packet_value(pkt, "ctl_type", &v) && v == PDS_CP_CLOSE_COMMAND)
		s->pdc->closed = true;
}

/* ROD_OOO asks for Expected_PSN, or for the first that is not acknowledged. */
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
		p->nacked |= payload ? p->psn == payload
				     : !serial_after(p->psn, psn);
	}
}

/* Ids of the tester's do not increase: nothing may depend on it. */
#define PKT_ID_STEP 0x9e3779b1u

/* The request that a NACK names. */
static struct scope_psn *nacked(struct scope *s, bool to_dut,
				const struct packet *pkt)
{
	uint64_t v;

	if (packet_value(pkt, "nack_psn", &v))
		return scope_psn_find(s, to_dut, (uint32_t)v);
	if (packet_value(pkt, "nack_pkt_id", &v))
		return scope_pkt_find(s, to_dut, (uint32_t)v);
	return NULL;
}

void scope_sent(struct scope *s, size_t index)
{
	struct packet pkt;
	struct scope_psn *p;
	uint64_t v;
	uint32_t psn;

	s->record->recs[index].pdc = scope_at(s);
	if (s->family == FAMILY_SRD) {
		scope_srd_sent(s, index);
		return;
	}
	if (family_is_rc(s->family)) {
		scope_wqe_sent(s, index);
		return;
	}
	record_packet(s->record, &s->record->recs[index], &pkt);
	take_spdcid(s, &pkt);
	note_close(s, &pkt);
	if (packet_value(&pkt, "start_psn", &v) && v != s->pdc->tx_start)
		restart(s, (uint32_t)v);
	if (psn_used(&pkt, &psn)) {
		note_mode(s, &pkt);
		scope_psn_seen(s, true, scope_at(s), psn, index);
		if (serial_diff(psn, s->pdc->tx_next) >= 0)
			s->pdc->tx_next = psn + 1;
	} else if (is_rudi(&pkt, PDS_RUDI_REQ, &psn)) {
		scope_psn_seen(s, true, SCOPE_RUDI, psn, index);
		if (psn == s->tx_pkt_id)
			s->tx_pkt_id = psn * PKT_ID_STEP + 1;
	}
	p = nacked(s, false, &pkt);
	if (p)
		p->nacked = true;
	if (packet_value(&pkt, "nack_psn", &v))
		note_missing(s, &pkt, (uint32_t)v);
}

/* The DUT's first packet of a space gives a pending base its live number. */
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

void scope_arrived(struct scope *s, size_t index)
{
	struct packet pkt;
	uint64_t v, syn = 0;
	uint32_t psn;

	if (s->family == FAMILY_SRD) {
		scope_srd_arrived(s, index);
		return;
	}
	if (family_is_rc(s->family)) {
		scope_wqe_arrived(s, index);
		return;
	}
	record_packet(s->record, &s->record->recs[index], &pkt);
	if (packet_value(&pkt, "spdcid", &v) && v)
		s->pdc->dpdcid = (uint16_t)v;
	if (is_rudi(&pkt, PDS_RUDI_REQ, &psn))
		scope_psn_seen(s, false, SCOPE_RUDI, psn, index);
	if (!psn_used(&pkt, &psn))
		return;
	scope_bind_pending(s, psn);
	note_mode(s, &pkt);
	scope_psn_seen(s, false, scope_at(s), psn, index);
	s->pdc->rx_sent = psn;
	s->pdc->own |= !s->record->recs[index].setup;
	if (s->pdc->rx_any) {
		if (serial_diff(psn, s->pdc->rx_next) >= 0)
			s->pdc->rx_next = psn + 1;
		return;
	}
	s->pdc->rx_any = true;
	s->pdc->rx_next = psn + 1;
	s->pdc->rx_cum = psn - 1;
	if (packet_value(&pkt, "syn", &syn) && syn &&
	    packet_value(&pkt, "start_psn", &v)) {
		s->pdc->rx_syn = true;
		s->pdc->rx_start = (uint32_t)v;
		/* The return direction starts where the forward one did. */
		s->pdc->rx_cum = (uint32_t)v - 1;
		restart(s, (uint32_t)v);
	}
}

/* An ACK tells what the tester's own requests came to. */
static void taken_ack(struct scope *s, const struct packet *pkt)
{
	uint64_t cack, ack;

	if (!packet_value(pkt, "cack_psn", &cack))
		return;
	/* A liar acknowledges what was never sent. */
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
	if (s->family == FAMILY_SRD) {
		scope_srd_taken(s, index);
		return;
	}
	if (family_is_rc(s->family)) {
		scope_wqe_taken(s, index);
		return;
	}
	note_close(s, &pkt);
	taken_ack(s, &pkt);
	if (psn_used(&pkt, &psn)) {
		s->pdc->rx_last = psn;
		if (!s->pdc->rod || psn == s->pdc->rx_cum + 1)
			take_new(s, &pkt, psn);
	} else if (is_rudi(&pkt, PDS_RUDI_REQ, &psn)) {
		s->rx_pkt_id = psn;
	}
	p = scope_known(s, false, &pkt);
	if (p)
		p->newest = index; /* the copy to answer */
	p = nacked(s, true, &pkt);
	if (p)
		p->nacked = true;
}

static struct decl_time unit_time(const struct decl *d, const struct span *sp)
{
	switch (sp->unit) {
	case SPAN_RTO:
		return d->rto;
	case SPAN_NACK_TIME:
		return d->nack_time;
	case SPAN_ACK_TIME:
		return d->ack_time;
	case SPAN_UNRESPONSIVE:
		return d->unresponsive;
	case SPAN_NS:
		break;
	}
	return (struct decl_time){sp->ns, d->ack_time.tolerance};
}

vspan scope_span(const struct scope *s, const struct span *span,
		 vspan *ret_tolerance)
{
	return span_of(s->decl, span, ret_tolerance);
}

vspan span_of(const struct decl *decl, const struct span *span,
	      vspan *ret_tolerance)
{
	struct decl_time t = unit_time(decl, span);

	if (ret_tolerance)
		*ret_tolerance = t.tolerance;
	if (span->unit == SPAN_NS)
		return span->ns;
	return t.value / 1000 * span->milli +
	       t.value % 1000 * span->milli / 1000;
}

vspan span_sure(const struct decl *decl, const struct span *span)
{
	vspan tolerance, value = span_of(decl, span, &tolerance);

	return span->unit == SPAN_NS ? value : value + tolerance;
}

/* A time that is written out is no device's: clocks differ by less. */
vspan scope_span_early(const struct scope *s, const struct span *span)
{
	vspan tolerance, value = scope_span(s, span, &tolerance);

	if (span->unit == SPAN_NS && tolerance > value / 5)
		tolerance = value / 5;
	return value > tolerance ? value - tolerance : 0;
}

/* On its way there and back a packet takes what any answer takes. */
vspan scope_span_late(const struct scope *s, const struct span *span,
		      vspan *ret_tolerance)
{
	const vspan value = scope_span(s, span, ret_tolerance);
	const vspan least = s->decl->ack_time.value;

	if (span->unit == SPAN_NS || value + *ret_tolerance >= least)
		return value;
	return least - *ret_tolerance;
}
