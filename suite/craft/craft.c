/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft.c -- builds the datagram of a sending line: terms, payload,
 * the defaults of UET, changes and injected packets.
 *
 * Enumerated fields are evaluated first, because they select the PSN space of
 * the other numbers.  A default is set only if the line leaves the field out
 * and the packet has it.  An injected packet takes the defaults from the packet
 * that caused it.
 */
#include "suite/craft/craft.h"

#include <string.h>

#include "base/err.h"
#include "base/pattern.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/craft/craft_set.h"
#include "suite/craft/craft_state.h"
#include "suite/craft/craft_uet.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

#define ENTROPY_MIN   0xc000
#define ENTROPY_COUNT 0x4000
#define PATH_STRIDE   61

/*
 * Builds a stub of the packet from the enumerated fields that select the PSN
 * spaces of its terms, once they are set.  Return: false: UET has no such type.
 */
static bool craft_stub(struct craft *c)
{
	uint64_t type = 0;
	uint16_t w;

	if (c->has_stub)
		return true;
	if (!c->rung->type ||
	    value_parse(pds_types, c->rung->type, strlen(c->rung->type), &type))
		return false;
	memset(c->stub, 0, sizeof(c->stub));
	w = (uint16_t)(type << 11);
	if (type == PDS_CP)
		w |= (uint16_t)((craft_value(c, "ctl_type", false) & 15) << 7);
	else if (type == PDS_NACK)
		c->stub[2] = (uint8_t)craft_value(c, "nack_code", false);
	c->stub[0] = (uint8_t)(w >> 8);
	c->stub[1] = (uint8_t)w;
	uet_packet_parse(&c->stub_pkt, c->stub, sizeof(c->stub));
	c->has_stub = true;
	return true;
}

/* Returns the PSN space of a term before the packet exists. */
static enum psn_space term_space(struct craft *c, const char *name)
{
	const struct suite_family *row = suite_families[c->s->family];

	if (row->space)
		return c->rung->type ? row->space(c) : SPACE_NONE;
	if (!craft_stub(c))
		return SPACE_NONE;
	return psn_space_of(&c->stub_pkt, name, scope_initiator(c->s, true));
}

static bool craft_is_serial(const struct term *t)
{
	return !t->field || t->field->kind == FIELD_SEQ;
}

/* Evaluates a term.  An unbound symbol is bound to the next PSN or pkt_id. */
static int craft_term(struct craft *c, const struct term *t, bool ses)
{
	enum psn_space space = SPACE_NONE;
	const struct number *n;
	uint64_t v;

	if (t->op != TERM_EQ || t->nranges != 1 || !t->ranges[0].single)
		return craft_refuse(
			c, "%s: a packet to send needs one plain value",
			t->name);
	n = &t->ranges[0].lo;
	if (craft_is_serial(t))
		space = term_space(c, t->name);
	if (!scope_number(c->s, n, space, &v)) {
		const bool psn = strcmp(t->name, "psn") == 0;

		if ((!psn && strcmp(t->name, "pkt_id") != 0) || n->value)
			return craft_refuse(c, "%s: $%s is not bound yet",
					    t->name, n->symbol);
		if (psn)
			v = c->s->pdc->tx_next;
		else
			v = c->s->tx_pkt_id;
		if (scope_bind(c->s, n->symbol, v))
			return craft_refuse(c, "too many symbols");
	}
	if (craft_is_serial(t))
		v = (uint32_t)v &
		    (t->field && t->field->width < 32 ? SERIAL24_MASK
						      : UINT32_MAX);
	else
		v = scope_wrap(t->field, n, v);
	craft_put(c, t->name, ses, v);
	return 0;
}

/* A field of RESPONSE_DATA that RESPONSE_DATA_SMALL lacks. */
static bool craft_is_dropped(const struct craft *c, const struct term *t)
{
	return c->by_psn &&
	       !packet_layout_has(c->rung->type, c->rung->ses, true, t->name,
				  strlen(t->name), NULL);
}

/*
 * Enumerated fields first: they select the PSN space of the numbers that
 * follow.
 */
static int craft_terms(struct craft *c, const struct term *terms, size_t n,
		       bool ses)
{
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < n; i++) {
			bool first = terms[i].field &&
				     terms[i].field->kind == FIELD_ENUM;
			int err;

			if (first != (round == 0) ||
			    (ses && craft_is_dropped(c, &terms[i])))
				continue;
			err = craft_term(c, &terms[i], ses);
			if (err)
				return err;
		}
	}
	return 0;
}

/*
 * Returns the id that selects the byte pattern: the message id, or without one
 * the PSN or pkt_id of the packet.  Read data takes the id of the read request.
 */
static uint64_t craft_message(struct craft *c)
{
	static const struct {
		const char *field;
		bool ses;
	} names[] = {
		{"read_request_message_id", true},
		{"original_request_psn", true},
		{"message_id", true},
		{"psn", false},
		{"pkt_id", false},
	};
	uint64_t v;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		v = craft_value(c, names[i].field, names[i].ses);
		if (v)
			return (uint64_t)(i + 1) << 32 | v;
	}
	return 0;
}

/* Fills the payload.  The PSN and the message id must be set before. */
static void craft_fill(struct craft *c)
{
	if (c->rung->body != BODY_DATA)
		return;
	pattern_fill(c->payload, c->s->data_seed, craft_message(c),
		     craft_value(c, "message_offset", true), c->payload_len);
}

static int craft_payload(struct craft *c)
{
	const struct rung *r = c->rung;
	uint64_t n;

	if (r->body == BODY_BYTES) {
		if (r->nbytes > sizeof(c->payload))
			return craft_refuse(c,
					    "more bytes than a datagram holds");
		memcpy(c->payload, r->bytes, r->nbytes);
		c->payload_len = r->nbytes;
	} else if (r->body == BODY_DATA) {
		if (!scope_number(c->s, &r->data_len, SPACE_NONE, &n))
			return craft_refuse(c, "data: $%s is not bound yet",
					    r->data_len.symbol);
		if (n > sizeof(c->payload))
			return craft_refuse(
				c, "data: more bytes than a datagram holds");
		if (n > c->s->decl->mtu &&
		    suite_families[c->s->family]->mtu_is_bound)
			return craft_refuse(
				c, "data: more than the MTU of %u bytes",
				c->s->decl->mtu);
		c->payload_len = (size_t)n;
	}
	return 0;
}

/* Parses the first transmission as it was sent, delivered or not. */
static void craft_first_packet(const struct craft *c, struct packet *ret)
{
	struct rec whole = *c->first;

	whole.len = whole.whole;
	record_packet(c->s->record, &whole, ret);
}

/* "same": what follows the PDS header is copied from the first transmission. */
static int find_same(struct craft *c)
{
	const bool rudi = craft_is_set(c, "pkt_id", false);
	const char *name = rudi ? "pkt_id" : "psn";
	uint32_t psn = (uint32_t)craft_value(c, name, false);
	const struct scope_psn *p = rudi ? scope_pkt_find(c->s, true, psn)
					 : scope_psn_find(c->s, true, psn);
	struct packet pkt;
	uint64_t next;

	if (!p)
		return craft_refuse(c, "same: %s %u was not sent before",
				    rudi ? "pkt_id" : "PSN", psn);
	c->first = &c->s->record->recs[p->first];
	craft_first_packet(c, &pkt);
	if (packet_value(&pkt, "next_hdr", &next))
		craft_default(c, "next_hdr", false, next);
	return 0;
}

static size_t append_same(struct craft *c, uint8_t *p, size_t len, size_t size)
{
	struct packet pkt;
	size_t at, n;

	craft_first_packet(c, &pkt);
	if (pkt.nses < pkt.nsec)
		at = pkt.sec[pkt.nses].at;
	else
		at = pkt.payload;
	n = pkt.len - at;
	if (n > size - len)
		n = size - len;
	memcpy(p + len, pkt.p + at, n);
	return len + n;
}

/*
 * Returns the entropy value of a path.  The stride spreads the values over the
 * dynamic ports; it has no common divisor with their number, so that paths
 * differ.
 */
static uint16_t entropy_of(const struct craft *c, uint32_t path)
{
	const uint32_t base = c->s->entropy - ENTROPY_MIN;

	return (uint16_t)(ENTROPY_MIN +
			  (base + path * PATH_STRIDE) % ENTROPY_COUNT);
}

/*
 * Returns the entropy value of a packet that answers none: that of the path
 * that the line names; or of the next path in turn, but for ROD, which keeps
 * to one path (001 3.5.7.2), and for control packets.
 */
static uint16_t own_entropy(struct craft *c, bool request)
{
	uint32_t path;

	if (c->step->via)
		return entropy_of(c, c->step->via - 1);
	if (!c->s->paths || !request || c->s->pdc->rod ||
	    craft_type_is(c, "rod_req", "rod_cc_req", NULL))
		return c->s->entropy;
	path = c->s->path;
	c->s->path = (path + 1) % c->s->paths;
	return entropy_of(c, path);
}

/*
 * A response has the entropy value of the packet that it answers (uet.md 1.3).
 */
static void craft_head(struct craft *c, struct dgram *d)
{
	bool request = c->rung->type &&
		       (craft_is_request(c) ||
			craft_type_is(c, "rudi_req", "uud_req", NULL));

	d->family = (uint8_t)c->s->family;
	if (c->answered && c->answered->entropy && !c->step->via)
		d->entropy = c->answered->entropy;
	else
		d->entropy = own_entropy(c, request);
	if (request) {
		d->dscp = c->s->decl->dscp_data;
		d->ecn = ECN_ECT0;
	} else {
		d->dscp = c->s->decl->dscp_control;
		d->ecn = ECN_NOT_ECT;
	}
	if (suite_families[d->family]->head && c->rung->type)
		suite_families[d->family]->head(c, d);
}

static int craft_bytes(struct craft *c, struct dgram *d)
{
	const struct rung *r = c->rung;
	struct packet_spec spec = {
		.type = r->type,
		.ses = r->ses,
		.ext = {r->ext[0], r->ext[1]},
		.set = c->set,
		.nset = c->nset,
		.payload = c->payload,
		.payload_len = c->payload_len,
		.plans = c->s->plans,
	};
	int bad = -1, len = packet_build(d->data, DGRAM_MAX, &spec, &bad);

	if (len < 0 && bad >= 0)
		return craft_refuse(
			c, "%s: %llu does not fit, or is not in this packet",
			c->set[bad].name,
			(unsigned long long)c->set[bad].value);
	if (len < 0)
		return craft_refuse(c, "no such packet: %s", err_name(len));
	d->len = (size_t)len;
	if (c->first)
		d->len = append_same(c, d->data, d->len, DGRAM_MAX);
	return 0;
}

/*
 * A read without a message id: the device identifies its data by the PSN of the
 * request (uet.md 7.5).  The line then becomes one with RESPONSE_DATA_SMALL.
 */
static void answer_by_psn(struct craft *c)
{
	const struct rung *r = c->rung;
	const char *symbol = NULL;
	uint32_t psn;

	if (!r->ses || strcmp(r->ses, "response_data") != 0)
		return;
	for (size_t i = 0; i < r->nses; i++)
		if (strcmp(r->ses_terms[i].name, "read_request_message_id") ==
			    0 &&
		    r->ses_terms[i].nranges)
			symbol = r->ses_terms[i].ranges[0].lo.symbol;
	if (!symbol || !scope_unnamed(c->s, symbol, &psn))
		return;
	c->own = *r;
	c->own.ses = "response_data_small";
	c->rung = &c->own;
	c->by_psn = true;
	craft_put(c, "original_request_psn", true, psn);
}

static int craft_fields(struct craft *c, struct dgram *d)
{
	const struct suite_family *row = suite_families[c->s->family];
	int err;

	answer_by_psn(c);
	err = craft_terms(c, c->rung->pds, c->rung->npds, false);

	if (!err)
		err = craft_terms(c, c->rung->ses_terms, c->rung->nses, true);
	if (!err)
		err = craft_payload(c);
	if (err)
		return err;
	if (row->craft) {
		err = row->craft(c);
		if (!row->connected)
			craft_fill(c);
		craft_head(c, d);
		if (err)
			return err;
		return craft_bytes(c, d);
	}
	craft_pds_defaults(c);
	if (c->rung->body == BODY_SAME) {
		err = find_same(c);
		if (err)
			return err;
	}
	err = craft_ses_defaults(c);
	craft_fill(c);
	craft_head(c, d);
	if (err)
		return err;
	return craft_bytes(c, d);
}

/* In "each" some words get their type from the place of the packet. */
static void craft_place(struct craft *c)
{
	const char *type = scope_type(c->s, c->rung->type);

	c->placed = type != c->rung->type;
	if (!c->placed)
		return;
	c->own = *c->rung;
	c->own.type = type;
	c->rung = &c->own;
}

int craft_rung(struct scope *s, const struct step *step, struct dgram *ret,
	       char *why, size_t size)
{
	struct craft c;
	int err = 0;

	/* All fields except the payload, which carries its own length. */
	c.s = s;
	c.step = step;
	c.rung = &step->rung;
	c.by_psn = c.has_stub = false;
	c.nset = 0;
	memset(c.set_newest, 0, sizeof(c.set_newest));
	c.payload_len = 0;
	c.answered = NULL;
	c.first = NULL;
	s->crafted = NULL;
	s->divided = false;
	c.why = why;
	c.why_size = size;
	craft_place(&c);
	if (step->rung.raw) {
		if (step->rung.nbytes > DGRAM_MAX)
			return craft_refuse(&c,
					    "more bytes than a datagram holds");
		craft_head(&c, ret);
		memcpy(ret->data, step->rung.bytes, step->rung.nbytes);
		ret->len = step->rung.nbytes;
	} else {
		err = craft_fields(&c, ret);
	}
	if (!err && step->cut && step->cut < ret->len)
		ret->len = step->cut;
	return err;
}
