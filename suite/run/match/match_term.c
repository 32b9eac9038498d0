/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_term.c -- compares one term of a line with a packet.
 */
#include "suite/run/match/match_term.h"

#include <string.h>

#include "base/serial.h"
#include "base/word.h"
#include "suite/run/match/match_aeth.h"
#include "suite/run/match/match_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/run/scope/scope_work.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

enum psn_space match_field_space(const struct match_seen *v, const char *name)
{
	if (!v->s)
		return SPACE_NONE;
	return psn_space_of(v->pkt, name, scope_initiator(v->s, v->to_dut));
}

bool match_number(const struct match_seen *v, const struct number *n,
		  enum psn_space space, uint64_t *ret)
{
	if (v->s && v->pdc)
		return scope_number_of(v->s, v->pdc, n, space, ret);
	if (v->s)
		return scope_number_at(v->s, v->line_pdc, n, space, ret);
	*ret = n->value + (uint64_t)n->mtus * v->mtu;
	return !n->symbol;
}

bool match_find(const struct match_seen *v, const struct term *t, bool ses,
		struct packet_ref *ref)
{
	unsigned from = ses ? v->pkt->nses : 0;
	unsigned to = ses ? v->pkt->nsec : v->pkt->nses;

	return packet_find(v->pkt, from, to, t->name, strlen(t->name), ref);
}

bool match_is_serial(const struct packet_ref *ref)
{
	return !ref->field || ref->field->kind == FIELD_SEQ;
}

/* Serial numbers of 24 bits are compared by their upper 24 of 32. */
static uint32_t aligned(const struct packet_ref *ref, uint64_t v)
{
	return (uint32_t)v << (ref->field ? 32 - ref->field->width : 0);
}

int match_compare(const struct packet_ref *ref, uint64_t a, uint64_t b)
{
	if (match_is_serial(ref)) {
		int32_t d = serial_diff(aligned(ref, a), aligned(ref, b));

		return (d > 0) - (d < 0);
	}
	if (ref->field->kind == FIELD_SINT)
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	return (a > b) - (a < b);
}

static bool match_in_range(const struct packet_ref *ref, uint64_t v,
			   uint64_t lo, uint64_t hi)
{
	if (match_is_serial(ref))
		return aligned(ref, v) - aligned(ref, lo) <=
		       aligned(ref, hi) - aligned(ref, lo);
	if (ref->field->kind != FIELD_SINT &&
	    lo > hi) /* the interval has wrapped */
		return v >= lo || v <= hi;
	return match_compare(ref, v, lo) >= 0 && match_compare(ref, v, hi) <= 0;
}

/* An unbound symbol matches any value; match_bind() binds it. */
static bool range_has(const struct match_seen *v, const struct term *t,
		      const struct packet_ref *ref, const struct range *r,
		      uint64_t actual)
{
	enum psn_space space = match_is_serial(ref)
				       ? match_field_space(v, t->name)
				       : SPACE_NONE;
	uint64_t lo, hi;

	if (!match_number(v, &r->lo, space, &lo) ||
	    !match_number(v, &r->hi, space, &hi))
		return true;
	return match_in_range(ref, actual, scope_wrap(ref->field, &r->lo, lo),
			      scope_wrap(ref->field, &r->hi, hi));
}

static bool one_of(const struct match_seen *v, const struct term *t,
		   const struct packet_ref *ref, uint64_t actual)
{
	for (size_t i = 0; i < t->nranges; i++)
		if (range_has(v, t, ref, &t->ranges[i], actual))
			return true;
	return false;
}

/* Compares with >= or <=, which take one value. */
static bool bounded(const struct match_seen *v, const struct term *t,
		    const struct packet_ref *ref, uint64_t actual)
{
	enum psn_space space = match_is_serial(ref)
				       ? match_field_space(v, t->name)
				       : SPACE_NONE;
	uint64_t limit;
	int order;

	if (!match_number(v, &t->ranges[0].lo, space, &limit))
		return false;
	limit = scope_wrap(ref->field, &t->ranges[0].lo, limit);
	order = match_compare(ref, actual, limit);
	if (t->op == TERM_GE)
		return order >= 0;
	return order <= 0;
}

bool match_first_packet(const struct match_seen *v, bool to_dut, uint8_t pdc,
			uint32_t psn, struct packet *ret)
{
	if (!v->s)
		return false;
	for (size_t i = 0; i < v->s->npsns; i++) {
		const struct scope_psn *p = &v->s->psns[i];

		if (p->psn != psn || p->to_dut != to_dut || p->pdc != pdc)
			continue;
		record_packet(v->s->record, &v->s->record->recs[p->first], ret);
		return true;
	}
	return false;
}

/*
 * A default response is a success with RC_NULL or with RC_OK: readers of the
 * specification disagree (uet.md 11.1).
 */
static bool match_default_response(const struct match_seen *v,
				   const struct term *t)
{
	uint64_t opcode = 0, rc = 0, want;

	if (strcmp(t->name, "return_code") != 0 || t->nranges != 1 ||
	    t->ranges[0].lo.symbol)
		return false;
	want = t->ranges[0].lo.value;
	packet_value(v->pkt, "opcode", &opcode);
	packet_value(v->pkt, "return_code", &rc);
	return opcode == SES_DEFAULT_RESPONSE && rc <= RC_OK && want <= RC_OK;
}

/*
 * Returns true for a field that the device chooses in the answer to a declared
 * cause: the return code and the modified length.
 */
static bool caused(const struct match_seen *v, const struct term *t,
		   uint64_t actual)
{
	uint64_t code = 0;

	if (!v->cause || !v->cause->codes ||
	    !packet_value(v->pkt, "return_code", &code))
		return false;
	if (strcmp(t->name, "return_code") == 0)
		return v->cause->codes >> actual & 1;
	return strcmp(t->name, "modified_length") == 0 && code > RC_OK;
}

/*
 * Returns true for the message id in the answer to a packet that became a
 * message of its own: it is that of this message.
 */
static bool match_divided(const struct match_seen *v, const struct term *t,
			  uint64_t actual)
{
	return v->divided && strcmp(t->name, "message_id") == 0 &&
	       actual == v->message_id;
}

/*
 * Returns true for the code of a NACK that the tester provoked by trimming the
 * request, because the device has no verb for the code that the line has.
 */
static bool match_trimmed(const struct match_seen *v, const struct term *t,
			  uint64_t actual)
{
	return v->trimmed && strcmp(t->name, "nack_code") == 0 &&
	       (actual == NACK_TRIMMED || actual == NACK_TRIMMED_LASTHOP);
}

/* Returns whether an answer with an AETH says the written value otherwise. */
static bool match_aeth_term(const struct match_seen *v, const struct term *t,
			    uint64_t actual)
{
	return t->nranges == 1 && t->ranges[0].single &&
	       !t->ranges[0].lo.symbol &&
	       match_aeth_fits(v->pkt, t->name, t->ranges[0].lo.value, actual);
}

/* No SES header follows the ACK of a CP, whether its next_hdr says NONE or, as
 * one source has it for 1.0.3, CP_ACK (uet.md 2.2). */
static bool cp_ack(const struct term *t, uint64_t actual)
{
	return actual == PDS_NEXT_CP_ACK && strcmp(t->name, "next_hdr") == 0 &&
	       t->nranges == 1 && !t->ranges[0].lo.symbol &&
	       t->ranges[0].lo.value == PDS_NEXT_NONE;
}

/*
 * Returns whether CACK_PSN stops before a request that asked for an ACK and has
 * none yet: the answers of RUD have no order, so that the ACK of a later
 * request may be the first (uet.md 7.2, 7.6).
 */
static bool match_cack_waits(const struct match_seen *v, const struct term *t,
			     const struct packet_ref *ref, uint64_t actual)
{
	struct scope_work next;
	uint64_t want;

	if (!v->s || v->to_dut || strcmp(t->name, "cack_psn") != 0 ||
	    v->s->pdcs[v->rec->pdc].rod ||
	    !match_number(v, &t->ranges[0].lo, match_field_space(v, t->name),
			  &want) ||
	    match_compare(ref, want, actual) <= 0)
		return false;
	next = scope_work_of(v->s, (uint32_t)actual + 1,
			     (size_t)(v->rec - v->s->record->recs));
	return next.open && next.asked;
}

/* Returns whether an ACK of the tester before |v->rec| covers |psn|. */
static bool match_acked_before(const struct match_seen *v, uint32_t psn)
{
	const struct record *record = v->s->record;
	struct packet pkt;
	uint64_t ack, cack;

	for (const struct rec *r = record->recs; r < v->rec; r++) {
		if (r->kind != REC_TX || r->pdc != v->rec->pdc ||
		    r->fate == FATE_DROPPED)
			continue;
		record_packet(record, r, &pkt);
		if (!packet_value(&pkt, "ack_psn", &ack) ||
		    !packet_value(&pkt, "cack_psn", &cack))
			continue;
		if (ack == psn || !serial_after(psn, (uint32_t)cack))
			return true;
	}
	return false;
}

/*
 * Returns whether a request of the device clears more than the line says, and
 * the tester had acknowledged it: a device may read ACKs between two packets of
 * a message, or after the last one.
 */
static bool match_clears_more(const struct match_seen *v, const struct term *t,
			      const struct packet_ref *ref, uint64_t actual)
{
	uint64_t want, offset;

	if (!v->s || v->to_dut || strcmp(t->name, "clear_psn") != 0 ||
	    !packet_value(v->pkt, "clear_psn_offset", &offset) ||
	    !match_number(v, &t->ranges[0].lo, match_field_space(v, t->name),
			  &want) ||
	    match_compare(ref, want, actual) >= 0 ||
	    (uint32_t)(actual - want) > SCOPE_PSNS)
		return false;
	for (uint32_t psn = (uint32_t)want + 1; psn != (uint32_t)actual + 1;
	     psn++)
		if (!match_acked_before(v, psn))
			return false;
	return true;
}

const char *match_ses_word(const struct packet *pkt)
{
	if (pkt->nses < pkt->nsec)
		return pkt->sec[pkt->nses].h->name;
	return NULL;
}

static bool writes(const struct rung *rung, const char *field)
{
	for (size_t i = 0; i < rung->nses; i++)
		if (strcmp(rung->ses_terms[i].name, field) == 0)
			return true;
	return false;
}

/* Returns whether the packet is a whole message. */
static bool match_is_whole(const struct packet *pkt)
{
	uint64_t som = 0, eom = 0;

	packet_value(pkt, "som", &som);
	packet_value(pkt, "eom", &eom);
	return som && eom;
}

bool match_is_shorter(const struct match_seen *v, const struct rung *rung)
{
	const char *got = match_ses_word(v->pkt);

	return rung->ses && got && word_same(rung->ses, "std") &&
	       (word_same(got, "medium") || word_same(got, "small")) &&
	       writes(rung, "som") == writes(rung, "eom") &&
	       match_is_whole(v->pkt);
}

bool match_is_lacking(const struct match_seen *v, const struct term *t)
{
	static const char *const fields[] = {
		"message_id", "buffer_offset", "initiator",
		"match_bits", "header_data",
	};
	struct packet_ref ref;

	if (match_find(v, t, true, &ref))
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(t->name, fields[i]) == 0)
			return true;
	return false;
}

/*
 * Returns true for message_offset=0 and the first packet of a message, whose
 * standard header has no such field.
 */
static bool match_begins(const struct match_seen *v, const struct term *t)
{
	const char *word = match_ses_word(v->pkt);
	uint64_t som = 0, want;

	if (t->op != TERM_EQ || strcmp(t->name, "message_offset") != 0 ||
	    !word || strcmp(word, "std") != 0)
		return false;
	packet_value(v->pkt, "som", &som);
	return som &&
	       match_number(v, &t->ranges[0].lo, match_field_space(v, t->name),
			    &want) &&
	       !want;
}

bool match_term_fits(const struct match_seen *v, const struct term *t, bool ses,
		     bool exact)
{
	struct packet_ref ref;
	uint64_t actual;

	if (t->op == TERM_ANY)
		return true;
	if (!match_find(v, t, ses, &ref))
		return ses && match_begins(v, t);
	actual = packet_get(v->pkt, &ref);
	switch (t->op) {
	case TERM_EQ:
		return one_of(v, t, &ref, actual) ||
		       (!exact && ses && match_default_response(v, t)) ||
		       (ses && caused(v, t, actual)) ||
		       (ses && match_divided(v, t, actual)) ||
		       (!ses && match_trimmed(v, t, actual)) ||
		       (!exact && !ses && cp_ack(t, actual)) ||
		       (!exact && !ses &&
			(match_cack_waits(v, t, &ref, actual) ||
			 match_clears_more(v, t, &ref, actual))) ||
		       match_aeth_term(v, t, actual);
	case TERM_NE:
		return !one_of(v, t, &ref, actual);
	default:
		return bounded(v, t, &ref, actual);
	}
}
