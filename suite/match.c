/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/match.h"

#include <stdio.h>
#include <string.h>

#include "base/serial.h"
#include "wire/ib_packet.h"
#include "wire/packet.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

/* A packet ready to be looked at. */
struct seen {
	const struct scope *s; /* NULL: of no case, a number is what it says */
	uint32_t mtu;          /* then */
	const char *pdc;       /* that the line names, or NULL */
	uint8_t line_pdc;      /* then: whose numbers the line uses */
	const struct rec *rec;
	const struct decl_cause *cause; /* of what it answers, or NULL */
	const struct packet *pkt;
	struct packet own; /* of an entry of the record */
	bool to_dut;
};

static void seen_open(struct seen *v, const struct scope *s, const char *pdc,
		      size_t index)
{
	v->s = s;
	v->pdc = pdc;
	v->rec = &s->record->recs[index];
	v->cause = scope_cause(s, index);
	v->line_pdc = scope_line_pdc(s, index);
	v->to_dut = v->rec->kind == REC_TX;
	record_packet(s->record, v->rec, &v->own);
	v->pkt = &v->own;
}

static enum psn_space field_space(const struct seen *v, const char *name)
{
	if (!v->s)
		return SPACE_NONE;
	return psn_space_of(v->pkt, name, scope_initiator(v->s, v->to_dut));
}

static bool number(const struct seen *v, const struct number *n,
		   enum psn_space space, uint64_t *ret)
{
	if (v->s && v->pdc)
		return scope_number_of(v->s, v->pdc, n, space, ret);
	if (v->s)
		return scope_number_at(v->s, v->line_pdc, n, space, ret);
	*ret = n->value + (uint64_t)n->mtus * v->mtu;
	return !n->symbol;
}

static bool find(const struct seen *v, const struct term *t, bool ses,
		 struct packet_ref *ref)
{
	unsigned from = ses ? v->pkt->nses : 0;
	unsigned to = ses ? v->pkt->nsec : v->pkt->nses;

	return packet_find(v->pkt, from, to, t->name, strlen(t->name), ref);
}

static bool is_serial(const struct packet_ref *ref)
{
	return !ref->field || ref->field->kind == FIELD_SEQ;
}

/* Serial numbers of 24 bits are compared by their upper 24 of 32. */
static uint32_t aligned(const struct packet_ref *ref, uint64_t v)
{
	return (uint32_t)v << (ref->field ? 32 - ref->field->width : 0);
}

/* Signed distance of two values of a field: serial, signed or plain. */
static int compare(const struct packet_ref *ref, uint64_t a, uint64_t b)
{
	if (is_serial(ref)) {
		int32_t d = serial_diff(aligned(ref, a), aligned(ref, b));

		return (d > 0) - (d < 0);
	}
	if (ref->field->kind == FIELD_SINT)
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	return (a > b) - (a < b);
}

static bool in_range(const struct packet_ref *ref, uint64_t v, uint64_t lo,
		     uint64_t hi)
{
	if (is_serial(ref))
		return aligned(ref, v) - aligned(ref, lo) <=
		       aligned(ref, hi) - aligned(ref, lo);
	if (ref->field->kind != FIELD_SINT && lo > hi) /* it has wrapped */
		return v >= lo || v <= hi;
	return compare(ref, v, lo) >= 0 && compare(ref, v, hi) <= 0;
}

/* An unbound symbol takes any value: match_bind will hold it. */
static bool range_has(const struct seen *v, const struct term *t,
		      const struct packet_ref *ref, const struct range *r,
		      uint64_t actual)
{
	enum psn_space space =
		is_serial(ref) ? field_space(v, t->name) : SPACE_NONE;
	uint64_t lo, hi;

	if (!number(v, &r->lo, space, &lo) || !number(v, &r->hi, space, &hi))
		return true;
	return in_range(ref, actual, scope_wrap(ref->field, &r->lo, lo),
			scope_wrap(ref->field, &r->hi, hi));
}

static bool one_of(const struct seen *v, const struct term *t,
		   const struct packet_ref *ref, uint64_t actual)
{
	for (size_t i = 0; i < t->nranges; i++)
		if (range_has(v, t, ref, &t->ranges[i], actual))
			return true;
	return false;
}

/* >= and <=, against the one value that is written. */
static bool bounded(const struct seen *v, const struct term *t,
		    const struct packet_ref *ref, uint64_t actual)
{
	enum psn_space space =
		is_serial(ref) ? field_space(v, t->name) : SPACE_NONE;
	uint64_t limit;
	int order;

	if (!number(v, &t->ranges[0].lo, space, &limit))
		return false;
	limit = scope_wrap(ref->field, &t->ranges[0].lo, limit);
	order = compare(ref, actual, limit);
	return t->op == TERM_GE ? order >= 0 : order <= 0;
}

/* Finds the first transmission of a PSN, or of a pkt_id (SCOPE_RUDI). */
static bool first_packet(const struct seen *v, bool to_dut, uint8_t pdc,
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
 * A default response is a success whether it says RC_NULL or RC_OK: the
 * specification's readers disagree (uet.md 11.1).
 */
static bool default_response(const struct seen *v, const struct term *t)
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
 * The answer to a request that carries a declared cause: which code it has, and
 * how much it moved, is the device's.
 */
static bool caused(const struct seen *v, const struct term *t, uint64_t actual)
{
	uint64_t code = 0;

	if (!v->cause || !packet_value(v->pkt, "return_code", &code))
		return false;
	if (strcmp(t->name, "return_code") == 0)
		return v->cause->codes >> actual & 1;
	return strcmp(t->name, "modified_length") == 0 && code > RC_OK;
}

/* No SES header follows the ACK of a CP, whether its next_hdr says NONE or, as
 * one source has it for 1.0.3, CP_ACK (uet.md 2.2). */
static bool cp_ack(const struct term *t, uint64_t actual)
{
	return actual == PDS_NEXT_CP_ACK && strcmp(t->name, "next_hdr") == 0 &&
	       t->nranges == 1 && !t->ranges[0].lo.symbol &&
	       t->ranges[0].lo.value == PDS_NEXT_NONE;
}

static const char *ses_word(const struct packet *pkt)
{
	return pkt->nses < pkt->nsec ? pkt->sec[pkt->nses].h->name : NULL;
}

static bool writes(const struct rung *rung, const char *field)
{
	for (size_t i = 0; i < rung->nses; i++)
		if (strcmp(rung->ses_terms[i].name, field) == 0)
			return true;
	return false;
}

/* Returns whether the packet is a message of its own. */
static bool is_whole(const struct packet *pkt)
{
	uint64_t som = 0, eom = 0;

	packet_value(pkt, "som", &som);
	packet_value(pkt, "eom", &eom);
	return som && eom;
}

/*
 * Returns whether the packet has a MEDIUM or SMALL header where the line writes
 * the standard one: which of them an operation of one packet has is the
 * source's choice (uet.md 5.3, 5.4).
 */
static bool is_shorter(const struct seen *v, const struct rung *rung)
{
	const char *got = ses_word(v->pkt);

	return rung->ses && got && strcmp(rung->ses, "std") == 0 &&
	       (strcmp(got, "medium") == 0 || strcmp(got, "small") == 0) &&
	       writes(rung, "som") == writes(rung, "eom") && is_whole(v->pkt);
}

/*
 * Returns whether a term names a field of the standard header that the shorter
 * headers lack.  The fields of a packet in the middle of a message are not
 * among them: such a packet needs the standard header.
 */
static bool is_lacking(const struct seen *v, const struct term *t)
{
	static const char *const fields[] = {
		"message_id", "buffer_offset", "initiator",
		"match_bits", "header_data",
	};
	struct packet_ref ref;

	if (find(v, t, true, &ref))
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strcmp(t->name, fields[i]) == 0)
			return true;
	return false;
}

static bool term_matches(const struct seen *v, const struct term *t, bool ses,
			 bool exact)
{
	struct packet_ref ref;
	uint64_t actual;

	if (t->op == TERM_ANY)
		return true;
	if (!find(v, t, ses, &ref))
		return false;
	actual = packet_get(v->pkt, &ref);
	switch (t->op) {
	case TERM_EQ:
		return one_of(v, t, &ref, actual) ||
		       (!exact && ses && default_response(v, t)) ||
		       (ses && caused(v, t, actual)) ||
		       (!exact && !ses && cp_ack(t, actual));
	case TERM_NE:
		return !one_of(v, t, &ref, actual);
	default:
		return bounded(v, t, &ref, actual);
	}
}

/* ACK, ACK_CC and ACK_CCX mean the same to a source (uet.md 3.6, 11.3). */
static bool same_kind(const char *want, const char *got)
{
	static const struct {
		const char *want, *got;
	} alike[] = {
		{"ack", "ack_cc"},         {"ack", "ack_ccx"},
		{"nack", "nack_ccx"},      {"rud_req", "rud_cc_req"},
		{"rod_req", "rod_cc_req"},
	};

	for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++)
		if (!strcmp(alike[i].want, want) && !strcmp(alike[i].got, got))
			return true;
	return false;
}

static bool type_matches(const struct seen *v, const char *type, bool exact)
{
	const char *got = packet_word(v->pkt);

	if (!type || strcmp(type, got) == 0)
		return true;
	return !exact && same_kind(type, got);
}

static bool ses_matches(const struct seen *v, const struct rung *rung,
			bool exact)
{
	const char *got = ses_word(v->pkt);

	if (!rung->ses || (!exact && is_shorter(v, rung)))
		return true;
	return got && strcmp(rung->ses, got) == 0;
}

/* What lies behind the PDS header: SES headers and payload. */
static size_t behind(const struct packet *pkt, const uint8_t **ret)
{
	size_t at =
		pkt->nses < pkt->nsec ? pkt->sec[pkt->nses].at : pkt->payload;

	*ret = pkt->p + at;
	return pkt->len - at;
}

static bool same_as_first(const struct seen *v)
{
	const bool rudi = packet_value(v->pkt, "pkt_id", &(uint64_t){0});
	struct packet first;
	const uint8_t *a, *b;
	uint64_t psn;
	size_t n;

	if (!packet_value(v->pkt, rudi ? "pkt_id" : "psn", &psn) ||
	    !first_packet(v, v->to_dut, rudi ? SCOPE_RUDI : v->rec->pdc,
			  (uint32_t)psn, &first))
		return false;
	n = behind(&first, &a);
	return behind(v->pkt, &b) == n && memcmp(a, b, n) == 0;
}

/* Without what fills it up to four bytes. */
static size_t payload_len(const struct packet *pkt)
{
	return pkt->len - pkt->payload -
	       (pkt->family == PACKET_IB ? ib_packet_pad(pkt) : 0);
}

static bool body_matches(const struct seen *v, const struct rung *r)
{
	size_t n = payload_len(v->pkt);
	uint64_t want;

	switch (r->body) {
	case BODY_NONE:
		return true;
	case BODY_DATA:
		return !number(v, &r->data_len, SPACE_NONE, &want) || want == n;
	case BODY_BYTES:
		return n == r->nbytes &&
		       memcmp(v->pkt->p + v->pkt->payload, r->bytes, n) == 0;
	case BODY_SAME:
		return same_as_first(v);
	}
	return false;
}

static bool pds_terms_match(const struct seen *v, const struct rung *rung,
			    bool exact)
{
	for (size_t i = 0; i < rung->npds; i++)
		if (!term_matches(v, &rung->pds[i], false, exact))
			return false;
	return true;
}

/*
 * The answer to a packet that has no message id has 0 in its place, whatever
 * the line says: such are reads by a shorter header, and their data.
 */
static bool answers_unnamed(const struct seen *v, const struct term *t)
{
	struct packet answered;
	uint64_t psn, id;

	return strcmp(t->name, "message_id") == 0 &&
	       packet_value(v->pkt, "message_id", &id) && id == 0 &&
	       packet_value(v->pkt, "ack_psn", &psn) &&
	       first_packet(v, !v->to_dut, v->rec->pdc, (uint32_t)psn,
			    &answered) &&
	       !packet_value(&answered, "message_id", &id);
}

static bool ses_term_matches(const struct seen *v, const struct rung *rung,
			     const struct term *t, bool exact)
{
	if (term_matches(v, t, true, exact))
		return true;
	if (exact)
		return false;
	return (is_shorter(v, rung) && is_lacking(v, t)) ||
	       answers_unnamed(v, t);
}

static bool ses_terms_match(const struct seen *v, const struct rung *rung,
			    bool exact)
{
	for (size_t i = 0; i < rung->nses; i++)
		if (!ses_term_matches(v, rung, &rung->ses_terms[i], exact))
			return false;
	return true;
}

static bool rung_matches(const struct seen *v, const struct rung *rung,
			 bool exact)
{
	if (rung->raw)
		return v->pkt->len == rung->nbytes &&
		       memcmp(v->pkt->p, rung->bytes, rung->nbytes) == 0;
	return v->pkt->fault == PACKET_OK &&
	       type_matches(v, rung->type, exact) &&
	       pds_terms_match(v, rung, exact) && ses_matches(v, rung, exact) &&
	       ses_terms_match(v, rung, exact) && body_matches(v, rung);
}

bool match_rung(const struct scope *s, const struct rung *rung, size_t index,
		bool exact)
{
	struct seen v;

	if (rung->pdc && !scope_is_pdc(s, rung->pdc, index))
		return false;
	seen_open(&v, s, rung->pdc, index);
	return rung_matches(&v, rung, exact);
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
	struct seen v;

	rest.npds = 0;
	seen_open(&v, s, NULL, index);
	if (rung->raw || !rung_matches(&v, &rest, false))
		return false;
	for (size_t i = 0; i < rung->npds; i++)
		if (!is_of_pdc(&rung->pds[i]) &&
		    !term_matches(&v, &rung->pds[i], false, false))
			return false;
	return true;
}

bool match_type(const char *type, const struct packet *pkt)
{
	struct seen v;

	v.pkt = pkt;
	return pkt->fault == PACKET_OK && type_matches(&v, type, false);
}

bool match_packet(const struct rung *rung, const struct packet *pkt,
		  uint32_t mtu)
{
	struct seen v;

	v.s = NULL;
	v.pdc = NULL;
	v.rec = NULL;
	v.cause = NULL;
	v.mtu = mtu;
	v.pkt = pkt;

	return rung_matches(&v, rung, false);
}

/* What a rung is about: with another value it is about another packet. */
static bool is_identity(const char *name)
{
	static const char *const names[] = {"psn", "ack_psn", "nack_psn",
					    "pkt_id", "msg_id"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static const struct term *other_packet(const struct seen *v,
				       const struct rung *rung, bool exact)
{
	for (size_t i = 0; i < rung->npds; i++)
		if (is_identity(rung->pds[i].name) &&
		    !term_matches(v, &rung->pds[i], false, exact))
			return &rung->pds[i];
	return NULL;
}

/* The SES part; another kind of header or operation explains all the rest. */
static bool ses_differs(const struct seen *v, const struct rung *rung,
			bool exact, struct blame *ret)
{
	if (!ses_matches(v, rung, exact)) {
		blame_add(ret, "ses", "header");
		return true;
	}
	for (size_t i = 0; i < rung->nses; i++) {
		const struct term *t = &rung->ses_terms[i];

		if (ses_term_matches(v, rung, t, exact))
			continue;
		blame_add(ret, "ses", t->name);
		if (strcmp(t->name, "opcode") == 0)
			return true;
	}
	return false;
}

static const char *class_of(const struct rung *rung)
{
	return blame_class(rung->type);
}

/*
 * A retransmission with the CLEAR_PSN of its first transmission, or of any time
 * between: an older value than the line asks for.
 */
static bool is_stale(const struct seen *v, const struct term *t)
{
	enum psn_space space = field_space(v, t->name);
	struct packet_ref ref;
	uint64_t retx, want;

	if (strcmp(t->name, "clear_psn") != 0 || t->op != TERM_EQ ||
	    !packet_value(v->pkt, "retx", &retx) || !retx ||
	    !find(v, t, false, &ref) ||
	    !number(v, &t->ranges[0].lo, space, &want))
		return false;
	return compare(&ref, packet_get(v->pkt, &ref), want) < 0;
}

static void pds_differs(const struct seen *v, const struct rung *rung,
			bool exact, struct blame *ret)
{
	for (size_t i = 0; i < rung->npds; i++) {
		const struct term *t = &rung->pds[i];

		if (!term_matches(v, t, false, exact))
			blame_add(ret, class_of(rung),
				  is_stale(v, t) ? "stale" : t->name);
	}
}

static void fields_differ(const struct seen *v, const struct rung *rung,
			  bool exact, struct blame *ret)
{
	const struct term *other = other_packet(v, rung, exact);

	if (other) {
		blame_add(ret, class_of(rung), other->name);
		return;
	}
	pds_differs(v, rung, exact, ret);
	if (blame_has(ret, "ack.next_hdr") || blame_has(ret, "req.next_hdr") ||
	    ses_differs(v, rung, exact, ret) || body_matches(v, rung))
		return;
	blame_add(ret, class_of(rung),
		  rung->body == BODY_SAME ? "same" : "data");
}

void match_differs(const struct scope *s, const struct rung *rung, size_t index,
		   bool exact, struct blame *ret)
{
	struct seen v;

	ret->n = 0;
	seen_open(&v, s, rung->pdc, index);
	if (v.pkt->fault != PACKET_OK)
		blame_add(ret, class_of(rung), "malformed");
	else if (rung->raw || !type_matches(&v, rung->type, exact))
		blame_add(ret, class_of(rung), "type");
	else
		fields_differ(&v, rung, exact, ret);
	if (!ret->n) /* of another PDC */
		blame_add(ret, class_of(rung), "type");
}

const char *match_absence(const struct rung *rung)
{
	if (rung->body == BODY_SAME)
		return "resend";
	for (size_t i = 0; i < rung->npds; i++)
		if (strcmp(rung->pds[i].name, "retx") == 0 &&
		    rung->pds[i].op == TERM_EQ &&
		    rung->pds[i].ranges[0].lo.value)
			return "resend";
	return "missing";
}

void match_looks(const struct rung *rung, struct blame *ret)
{
	ret->n = 0;
	for (size_t i = 0; i < rung->npds; i++)
		if (rung->pds[i].op != TERM_ANY)
			blame_add(ret, class_of(rung), rung->pds[i].name);
	if (rung->ses)
		blame_add(ret, "ses", "header");
	for (size_t i = 0; i < rung->nses; i++)
		if (rung->ses_terms[i].op != TERM_ANY)
			blame_add(ret, "ses", rung->ses_terms[i].name);
	if (rung->body != BODY_NONE)
		blame_add(ret, class_of(rung),
			  rung->body == BODY_SAME ? "same" : "data");
	blame_add(ret, class_of(rung), "type");
	blame_add(ret, class_of(rung), match_absence(rung));
}

bool match_item(const struct record *r, size_t index, const char *field,
		size_t len, char ret[static BLAME_ITEM])
{
	struct packet_ref ref;
	struct packet pkt;
	const char *class;

	record_packet(r, &r->recs[index], &pkt);
	class = blame_class(packet_word(&pkt));
	if (packet_find(&pkt, pkt.nses, pkt.nsec, field, len, &ref))
		class = "ses";
	if (packet_find(&pkt, 0, pkt.nses, field, len, &ref))
		class = blame_class(packet_word(&pkt));
	else if (strcmp(class, "ses") != 0)
		return false;
	snprintf(ret, BLAME_ITEM, "%s.%.*s", class, (int)len, field);
	return true;
}

/* Binds the symbol of a field that a shorter header lacks. */
static int bind_lacking(struct scope *s, const struct seen *v,
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

static int bind_terms(struct scope *s, const struct seen *v,
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
		if (find(v, &t[i], ses, &ref))
			err = scope_bind(s, number->symbol,
					 packet_get(v->pkt, &ref) -
						 number->value);
		else if (ses && is_lacking(v, &t[i]))
			err = bind_lacking(s, v, &t[i]);
		if (err)
			return err;
	}
	return 0;
}

int match_bind(struct scope *s, const struct rung *rung, size_t index)
{
	struct seen v;
	int err;

	if (rung->raw)
		return 0;
	if (rung->pdc)
		scope_name(s, rung->pdc, index);
	seen_open(&v, s, rung->pdc, index);
	err = bind_terms(s, &v, rung->pds, rung->npds, false);
	if (!err)
		err = bind_terms(s, &v, rung->ses_terms, rung->nses, true);
	return err;
}

/* Printing. */

static const char *const op_text[] = {
	[TERM_EQ] = "=",  [TERM_NE] = "!=", [TERM_GE] = ">=",
	[TERM_LE] = "<=", [TERM_ANY] = "=",
};

static void print_value(struct text *t, const struct field *f, uint64_t v)
{
	const char *name;

	switch (f ? f->kind : FIELD_SEQ) {
	case FIELD_ENUM:
		name = value_find(f->names, v);
		if (name) {
			text_puts(t, name);
			return;
		}
		text_printf(t, "%llu", (unsigned long long)v);
		return;
	case FIELD_ID:
	case FIELD_RSVD:
		text_printf(t, "0x%llx", (unsigned long long)v);
		return;
	case FIELD_SINT:
		text_printf(t, "%lld", (long long)v);
		return;
	case FIELD_SEQ:
		text_printf(t, "%lu", (unsigned long)(uint32_t)v);
		return;
	default:
		text_printf(t, "%llu", (unsigned long long)v);
	}
}

/* Literals as they are written; symbols as what they stand for, if bound. */
static void print_number(struct text *t, const struct scope *s,
			 const struct term *term, const struct number *n)
{
	const uint64_t *v = n->symbol ? scope_find(s, n->symbol) : NULL;

	if (n->symbol && !v)
		text_printf(t, "$%s", n->symbol);
	else
		print_value(
			t, term->field,
			scope_wrap(term->field, n,
				   (v ? *v : 0) + n->value +
					   (uint64_t)n->mtus * s->decl->mtu));
}

static void print_expected_term(struct text *t, const struct scope *s,
				const struct term *term)
{
	text_printf(t, " %s%s", term->name, op_text[term->op]);
	if (term->op == TERM_ANY) {
		text_puts(t, "*");
		return;
	}
	for (size_t i = 0; i < term->nranges; i++) {
		const struct range *r = &term->ranges[i];

		if (i)
			text_puts(t, "|");
		print_number(t, s, term, &r->lo);
		if (!r->single) {
			text_puts(t, "..");
			print_number(t, s, term, &r->hi);
		}
	}
}

static void print_expected_body(struct text *t, const struct scope *s,
				const struct rung *r)
{
	uint64_t n;

	if (r->body == BODY_SAME)
		text_puts(t, " | same");
	if (r->body == BODY_BYTES) {
		text_puts(t, " | bytes ");
		text_hex(t, r->bytes, r->nbytes);
	}
	if (r->body == BODY_DATA &&
	    scope_number(s, &r->data_len, SPACE_NONE, &n))
		text_printf(t, " | data %llu", (unsigned long long)n);
}

void match_expected(const struct scope *s, const struct rung *rung,
		    struct text *expected)
{
	if (rung->raw) {
		text_puts(expected, "raw ");
		text_hex(expected, rung->bytes, rung->nbytes);
		return;
	}
	text_puts(expected, rung->type ? rung->type : "any");
	if (rung->pdc)
		text_printf(expected, " %s=%s", rung_flow_word(rung),
			    rung->pdc);
	for (size_t i = 0; i < rung->npds; i++)
		print_expected_term(expected, s, &rung->pds[i]);
	if (rung->ses)
		text_printf(expected, " | %s", rung->ses);
	for (size_t i = 0; i < rung->nses; i++)
		print_expected_term(expected, s, &rung->ses_terms[i]);
	print_expected_body(expected, s, rung);
}

/* The packet's value under a term: as the figure counts, or as the symbol. */
static void print_actual_term(struct text *t, const struct seen *v,
			      const struct term *term, bool ses)
{
	struct packet_ref ref;
	uint64_t value;

	if (!find(v, term, ses, &ref))
		return;
	value = packet_get(v->pkt, &ref);
	if (is_serial(&ref) && term->nranges && !term->ranges[0].lo.symbol &&
	    !term->ranges[0].lo.absolute)
		value = psn_to_figure(&v->s->record->base[v->rec->pdc],
				      field_space(v, term->name),
				      (uint32_t)value);
	text_printf(t, " %s=", term->name);
	print_value(t, ref.field, value);
}

static void print_actual_body(struct text *t, const struct seen *v,
			      const struct rung *rung)
{
	size_t n = payload_len(v->pkt);

	switch (rung->body) {
	case BODY_NONE:
		break;
	case BODY_DATA:
		text_printf(t, " | data %zu", n);
		break;
	case BODY_SAME:
		text_puts(t, same_as_first(v) ? " | same" : " | different");
		break;
	case BODY_BYTES:
		text_puts(t, " | bytes ");
		text_hex(t, v->pkt->p + v->pkt->payload, n < 48 ? n : 48);
		break;
	}
}

static void print_actual(struct text *t, const struct seen *v,
			 const struct rung *rung)
{
	const char *ses = ses_word(v->pkt);
	const struct scope_pdc *pdc = &v->s->pdcs[v->rec->pdc];

	text_puts(t, packet_word(v->pkt));
	if (rung->pdc)
		text_printf(t, " %s=%s", rung_flow_word(rung),
			    pdc->name ? pdc->name : "?");
	for (size_t i = 0; i < rung->npds; i++)
		print_actual_term(t, v, &rung->pds[i], false);
	if (rung->ses && ses)
		text_printf(t, " | %s", ses);
	for (size_t i = 0; i < rung->nses; i++)
		print_actual_term(t, v, &rung->ses_terms[i], true);
	print_actual_body(t, v, rung);
	if (v->pkt->fault != PACKET_OK)
		text_printf(t, " ! %s", packet_fault_name(v->pkt->fault));
}

void match_explain(const struct scope *s, const struct rung *rung, size_t index,
		   struct text *expected, struct text *actual)
{
	struct seen v;

	seen_open(&v, s, rung->pdc, index);
	match_expected(s, rung, expected);
	if (!rung->raw && type_matches(&v, rung->type, false)) {
		print_actual(actual, &v, rung);
		return;
	}
	packet_print(actual, v.pkt, PACKET_BRIEF,
		     &(struct packet_psn_names){
			     .show = record_psn_show,
			     .ctx = &(struct record_psn){s->record, v.to_dut,
							 v.rec->pdc},
		     });
}
