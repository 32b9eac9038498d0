/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match.c -- compares a rung with a packet of the record, and
 * describes the difference.
 *
 * The same comparison serves the verdict, the list of items that differ, and
 * the texts of findings.  Unless |exact| is set, a packet may use the freedom
 * that the specification gives: a plain or a CC form of an ACK, NACK or
 * request, a shorter SES header, or RC_NULL for RC_OK in a default response.  A
 * symbol without a value matches any value; match_bind() then assigns it.
 */
#include "suite/run/match/match.h"

#include <string.h>

#include "base/pattern.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/run/match/match_aeth.h"
#include "suite/run/match/match_state.h"
#include "suite/run/match/match_term.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

void match_open(struct match_seen *v, const struct scope *s, const char *pdc,
		size_t index)
{
	v->s = s;
	v->pdc = pdc;
	v->rec = &s->record->recs[index];
	v->cause = scope_cause(s, index);
	v->divided = scope_divided(s, index, &v->message_id);
	v->trimmed = scope_trimmed(s, index);
	v->line_pdc = scope_line_pdc(s, index);
	v->to_dut = v->rec->kind == REC_TX;
	v->pkt = record_packet_of(s->record, v->rec, &v->own);
}

/* ACK, ACK_CC and ACK_CCX mean the same to a source (uet.md 3.6, 11.3). */
static bool same_kind(const char *want, const char *got)
{
	static const struct {
		const char *want, *got;
	} alike[] = {
		{"ack", "ack_cc"},         {"ack", "ack_ccx"},
		{"ack_cc", "ack_ccx"},     {"nack", "nack_ccx"},
		{"rud_req", "rud_cc_req"}, {"rod_req", "rod_cc_req"},
	};

	for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++)
		if (!strcmp(alike[i].want, want) && !strcmp(alike[i].got, got))
			return true;
	return false;
}

bool match_type_fits(const struct match_seen *v, const char *type, bool exact)
{
	const char *got = packet_word(v->pkt);

	if (v->s)
		type = scope_type(v->s, type);
	if (!type || strcmp(type, got) == 0)
		return true;
	return !exact && same_kind(type, got);
}

bool match_ses_fits(const struct match_seen *v, const struct rung *rung,
		    bool exact)
{
	const char *got = match_ses_word(v->pkt);

	if (!rung->ses || (!exact && match_is_shorter(v, rung)))
		return true;
	return got && strcmp(rung->ses, got) == 0;
}

/* Returns the length behind the PDS header: SES headers and payload. */
static size_t match_behind(const struct packet *pkt, const uint8_t **ret)
{
	size_t at =
		pkt->nses < pkt->nsec ? pkt->sec[pkt->nses].at : pkt->payload;

	*ret = pkt->p + at;
	return pkt->len - at;
}

bool match_same_as_first(const struct match_seen *v)
{
	const bool rudi = packet_value(v->pkt, "pkt_id", &(uint64_t){0});
	struct packet first;
	const uint8_t *a, *b;
	uint64_t psn;
	size_t n;

	if (!packet_value(v->pkt, rudi ? "pkt_id" : "psn", &psn) ||
	    !match_first_packet(v, v->to_dut, rudi ? SCOPE_RUDI : v->rec->pdc,
				(uint32_t)psn, &first))
		return false;
	n = match_behind(&first, &a);
	return match_behind(v->pkt, &b) == n && memcmp(a, b, n) == 0;
}

size_t match_payload_len(const struct packet *pkt)
{
	return pkt->len - pkt->payload - packet_pad(pkt);
}

bool match_is_of_post(const struct match_seen *v, const struct rung *r,
		      size_t n)
{
	const uint8_t *p = v->pkt->p + v->pkt->payload;
	uint64_t at;

	if (!v->s || !match_number(v, &r->data_at, SPACE_NONE, &at))
		return false;
	return pattern_is(p, v->s->data_seed, r->data_op, at, n);
}

bool match_body_fits(const struct match_seen *v, const struct rung *r)
{
	size_t n = match_payload_len(v->pkt);
	uint64_t want;

	switch (r->body) {
	case BODY_NONE:
		return true;
	case BODY_DATA:
		if (match_number(v, &r->data_len, SPACE_NONE, &want) &&
		    want != n)
			return false;
		return !r->data_op || match_is_of_post(v, r, n);
	case BODY_BYTES:
		if (n == r->nbytes &&
		    memcmp(v->pkt->p + v->pkt->payload, r->bytes, n) == 0)
			return true;
		return match_same_psns(v->pkt, r);
	case BODY_SAME:
		return match_same_as_first(v);
	}
	return false;
}

static bool pds_terms_match(const struct match_seen *v, const struct rung *rung,
			    bool exact)
{
	for (size_t i = 0; i < rung->npds; i++)
		if (!match_term_fits(v, &rung->pds[i], false, exact))
			return false;
	return true;
}

/*
 * Returns true if the answered packet has no message id, so that the answer has
 * 0 even if the line sets an id: reads with a shorter header, and their data.
 */
static bool answers_unnamed(const struct match_seen *v, const struct term *t)
{
	struct packet answered;
	uint64_t psn, id;

	return strcmp(t->name, "message_id") == 0 &&
	       packet_value(v->pkt, "message_id", &id) && id == 0 &&
	       packet_value(v->pkt, "ack_psn", &psn) &&
	       match_first_packet(v, !v->to_dut, v->rec->pdc, (uint32_t)psn,
				  &answered) &&
	       !packet_value(&answered, "message_id", &id);
}

bool match_ses_term_fits(const struct match_seen *v, const struct rung *rung,
			 const struct term *t, bool exact)
{
	if (match_term_fits(v, t, true, exact))
		return true;
	if (exact)
		return false;
	return (match_is_shorter(v, rung) && match_is_lacking(v, t)) ||
	       answers_unnamed(v, t);
}

static bool ses_terms_match(const struct match_seen *v, const struct rung *rung,
			    bool exact)
{
	for (size_t i = 0; i < rung->nses; i++)
		if (!match_ses_term_fits(v, rung, &rung->ses_terms[i], exact))
			return false;
	return true;
}

static bool rung_matches(const struct match_seen *v, const struct rung *rung,
			 bool exact)
{
	if (rung->raw)
		return v->pkt->len == rung->nbytes &&
		       memcmp(v->pkt->p, rung->bytes, rung->nbytes) == 0;
	return v->pkt->fault == PACKET_OK &&
	       match_type_fits(v, rung->type, exact) &&
	       pds_terms_match(v, rung, exact) &&
	       match_ses_fits(v, rung, exact) &&
	       ses_terms_match(v, rung, exact) && match_body_fits(v, rung);
}

/*
 * Returns true for a Clear Request where the rung is "any".  A target may send
 * one for each response that it stores, at any time.
 */
static bool comes_unasked(const struct match_seen *v, const struct rung *rung)
{
	uint64_t type;

	return !rung->type && !rung->raw && v->pkt->fault == PACKET_OK &&
	       packet_value(v->pkt, "ctl_type", &type) &&
	       type == PDS_CP_CLEAR_REQUEST;
}

bool match_rung(const struct scope *s, const struct rung *rung, size_t index,
		bool exact)
{
	struct match_seen v;

	if (rung->pdc && !scope_is_pdc(s, rung->pdc, index))
		return false;
	match_open(&v, s, rung->pdc, index);
	return !comes_unasked(&v, rung) && rung_matches(&v, rung, exact);
}

static bool is_of_pdc(const struct term *t)
{
	static const char *const fields[] = {
		"syn",       "psn",       "psn_offset",
		"start_psn", "clear_psn", "clear_psn_offset",
		"spdcid",    "dpdcid",
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(t->name, fields[i]) == 0)
			return true;
	return false;
}

bool match_but_for_pdc(const struct scope *s, const struct rung *rung,
		       size_t index)
{
	struct rung rest = *rung;
	struct match_seen v;

	rest.npds = 0;
	match_open(&v, s, NULL, index);
	if (rung->raw || !rung_matches(&v, &rest, false))
		return false;
	for (size_t i = 0; i < rung->npds; i++)
		if (!is_of_pdc(&rung->pds[i]) &&
		    !match_term_fits(&v, &rung->pds[i], false, false))
			return false;
	return true;
}

bool match_type(const char *type, const struct packet *pkt)
{
	struct match_seen v;

	v.pkt = pkt;
	return pkt->fault == PACKET_OK && match_type_fits(&v, type, false);
}

bool match_packet(const struct rung *rung, const struct packet *pkt,
		  uint32_t mtu)
{
	struct match_seen v;

	v.s = NULL;
	v.pdc = NULL;
	v.rec = NULL;
	v.cause = NULL;
	v.divided = false;
	v.trimmed = false;
	v.mtu = mtu;
	v.pkt = pkt;

	return rung_matches(&v, rung, false);
}

/* Binds the symbol of a field that a shorter header lacks. */
static int bind_lacking(struct scope *s, const struct match_seen *v,
			const struct term *t)
{
	const char *symbol = t->ranges[0].lo.symbol;
	uint64_t psn;

	if (strcmp(t->name, "message_id") == 0 &&
	    (packet_value(v->pkt, "psn", &psn) ||
	     packet_value(v->pkt, "pkt_id", &psn)))
		return scope_bind_unnamed(s, symbol, (uint32_t)psn);
	return scope_bind(s, symbol, 0);
}

/* Binds the symbol of a field to its value in the packet. */
static int bind_found(struct scope *s, const struct match_seen *v,
		      const struct term *t, const struct packet_ref *ref)
{
	const struct number *n = &t->ranges[0].lo;
	const uint64_t value = packet_get(v->pkt, ref) - n->value;
	uint64_t psn;

	if (!n->value && strcmp(t->name, "message_id") == 0 &&
	    packet_value(v->pkt, "psn", &psn))
		return scope_bind_message(s, n->symbol, value, (uint32_t)psn);
	return scope_bind(s, n->symbol, value);
}

static int bind_terms(struct scope *s, const struct match_seen *v,
		      const struct term *t, size_t n, bool ses)
{
	for (size_t i = 0; i < n; i++) {
		const struct number *number;
		struct packet_ref ref;
		int err;

		if (t[i].op != TERM_EQ || t[i].nranges != 1 ||
		    !t[i].ranges[0].single)
			continue;
		number = &t[i].ranges[0].lo;
		if (!number->symbol || scope_find(s, number->symbol))
			continue;
		err = 0;
		if (match_find(v, &t[i], ses, &ref))
			err = bind_found(s, v, &t[i], &ref);
		else if (ses && match_is_lacking(v, &t[i]))
			err = bind_lacking(s, v, &t[i]);
		if (err)
			return err;
	}
	return 0;
}

int match_bind(struct scope *s, const struct rung *rung, size_t index)
{
	struct match_seen v;
	int err;

	if (rung->raw)
		return 0;
	if (rung->pdc)
		scope_name(s, rung->pdc, index);
	match_open(&v, s, rung->pdc, index);
	err = bind_terms(s, &v, rung->pds, rung->npds, false);
	if (!err)
		err = bind_terms(s, &v, rung->ses_terms, rung->nses, true);
	return err;
}
