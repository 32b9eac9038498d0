/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/craft.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/craft_priv.h"
#include "wire/packet.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

#define ENTROPY_MIN 0xc000

#define OOO_COUNT_NONE 0xffff

int craft_refuse(struct craft *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->why, c->why_size, fmt, ap);
	va_end(ap);
	return ERR_VALUE;
}

static struct packet_set *set_find(struct craft *c, const char *name, bool ses)
{
	for (size_t i = 0; i < c->nset; i++)
		if (c->set[i].ses == ses && strcmp(c->set[i].name, name) == 0)
			return &c->set[i];
	return NULL;
}

void craft_put(struct craft *c, const char *name, bool ses, uint64_t value)
{
	struct packet_set *p = set_find(c, name, ses);

	if (!p && c->nset < CRAFT_SETS)
		p = &c->set[c->nset++];
	if (p)
		*p = (struct packet_set){name, value, ses};
}

bool craft_is_set(struct craft *c, const char *name, bool ses)
{
	return set_find(c, name, ses) != NULL;
}

uint64_t craft_value(struct craft *c, const char *name, bool ses)
{
	const struct packet_set *p = set_find(c, name, ses);

	return p ? p->value : 0;
}

/* A default gives way to what the line says, and to the field behind it. */
void craft_default(struct craft *c, const char *name, bool ses, uint64_t value)
{
	if (!craft_is_set(c, name, ses) &&
	    packet_layout_has(c->rung->type, c->rung->ses, ses, name,
			      strlen(name), NULL))
		craft_put(c, name, ses, value);
}

/*
 * The space of a term, before there is a packet: a stub with the discriminators
 * that decide it.
 */
static enum psn_space term_space(struct craft *c, const char *name)
{
	uint8_t stub[16] = {0};
	struct packet pkt;
	uint64_t type = 0;

	if (c->s->family == FAMILY_SRD)
		return c->rung->type ? craft_srd_space(c) : SPACE_NONE;
	if (family_is_rc(c->s->family))
		return c->rung->type ? craft_wqe_space(c) : SPACE_NONE;
	if (!c->rung->type ||
	    value_parse(pds_types, c->rung->type, strlen(c->rung->type), &type))
		return SPACE_NONE;
	stub[0] = (uint8_t)(type << 3);
	if (type == PDS_CP) {
		uint16_t w = (uint16_t)(type << 11 |
					(craft_value(c, "ctl_type", false) & 15)
						<< 7);

		stub[0] = (uint8_t)(w >> 8);
		stub[1] = (uint8_t)w;
	} else if (type == PDS_NACK) {
		stub[2] = (uint8_t)craft_value(c, "nack_code", false);
	}
	packet_parse(&pkt, stub, sizeof(stub));
	return psn_space_of(&pkt, name, scope_initiator(c->s, true));
}

static bool is_serial(const struct term *t)
{
	return !t->field || t->field->kind == FIELD_SEQ;
}

/* A symbol that nobody has bound takes the next PSN or pkt_id, and holds it. */
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
	if (is_serial(t))
		space = term_space(c, t->name);
	if (!scope_number(c->s, n, space, &v)) {
		const bool psn = strcmp(t->name, "psn") == 0;

		if ((!psn && strcmp(t->name, "pkt_id") != 0) || n->value)
			return craft_refuse(c, "%s: $%s is not bound yet",
					    t->name, n->symbol);
		v = psn ? c->s->pdc->tx_next : c->s->tx_pkt_id;
		if (scope_bind(c->s, n->symbol, v))
			return craft_refuse(c, "too many symbols");
	}
	if (is_serial(t))
		v = (uint32_t)v &
		    (t->field && t->field->width < 32 ? SERIAL24_MASK
						      : UINT32_MAX);
	else
		v = scope_wrap(t->field, n, v);
	craft_put(c, t->name, ses, v);
	return 0;
}

/* A field of RESPONSE_DATA that RESPONSE_DATA_SMALL lacks. */
static bool is_dropped(const struct craft *c, const struct term *t)
{
	return c->by_psn &&
	       !packet_layout_has(c->rung->type, c->rung->ses, true, t->name,
				  strlen(t->name), NULL);
}

/* Discriminators first: they decide the space of the numbers that follow. */
static int craft_terms(struct craft *c, const struct term *terms, size_t n,
		       bool ses)
{
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < n; i++) {
			bool first = terms[i].field &&
				     terms[i].field->kind == FIELD_ENUM;
			int err;

			if (first != (round == 0) ||
			    (ses && is_dropped(c, &terms[i])))
				continue;
			err = craft_term(c, &terms[i], ses);
			if (err)
				return err;
		}
	}
	return 0;
}

static bool type_is(const struct craft *c, const char *a, const char *b,
		    const char *d)
{
	const char *t = c->rung->type;

	return strcmp(t, a) == 0 || (b && strcmp(t, b) == 0) ||
	       (d && strcmp(t, d) == 0);
}

static bool is_request(const struct craft *c)
{
	return type_is(c, "rud_req", "rod_req", "rud_cc_req") ||
	       type_is(c, "rod_cc_req", NULL, NULL);
}

static bool is_ack(const struct craft *c)
{
	return type_is(c, "ack", "ack_cc", "ack_ccx");
}

static bool is_nack(const struct craft *c)
{
	return type_is(c, "nack", "nack_ccx", NULL);
}

/* The request of the DUT that this answer is about: its newest copy. */
static void answers(struct craft *c, const struct scope_psn *p)
{
	if (p)
		c->answered = &c->s->record->recs[p->newest];
}

static void find_answered(struct craft *c, uint32_t psn)
{
	answers(c, scope_psn_find(c->s, false, psn));
}

/* "flags.retx [...] echoes that of the packet it answers" (uet.md 2.3) */
static void echo_retx(struct craft *c)
{
	struct packet pkt;
	uint64_t retx = 0;

	if (!c->answered)
		return;
	record_packet(c->s->record, c->answered, &pkt);
	if (packet_value(&pkt, "retx", &retx))
		craft_default(c, "retx", false, retx);
}

/* The first packet that the tester sends starts its space, wherever it is. */
static bool starts_space(const struct craft *c)
{
	return !c->s->pdc->tx_any;
}

static void ids(struct craft *c)
{
	craft_default(c, "spdcid", false, c->s->pdc->spdcid);
	if (craft_value(c, "syn", false)) {
		uint32_t psn = (uint32_t)craft_value(c, "psn", false);

		if (!craft_is_set(c, "start_psn", false))
			craft_default(c, "psn_offset", false,
				      starts_space(c)
					      ? 0
					      : (psn - c->s->pdc->tx_start) &
							0xfff);
	} else {
		craft_default(c, "dpdcid", false, c->s->pdc->dpdcid);
	}
}

static void request_defaults(struct craft *c)
{
	craft_default(c, "psn", false, c->s->pdc->tx_next);
	ids(c);
	if (!craft_is_set(c, "clear_psn_offset", false))
		craft_default(c, "clear_psn", false,
			      craft_value(c, "syn", false) && starts_space(c)
				      ? (uint32_t)craft_value(c, "psn", false) -
						1
				      : c->s->pdc->tx_acked);
}

static void ack_defaults(struct craft *c)
{
	uint32_t ack;

	craft_default(c, "cack_psn", false, c->s->pdc->rx_cum);
	if (craft_value(c, "cc_type", false) == PDS_CC_NSCC)
		craft_default(c, "rcvd_bytes", false,
			      (c->s->pdc->rx_bytes + 255) >> 8 & 0xffffff);
	craft_default(c, "ooo_count", false, OOO_COUNT_NONE);
	if (!craft_is_set(c, "ack_psn_offset", false) &&
	    !craft_value(c, "p", false))
		craft_default(c, "ack_psn", false, c->s->pdc->rx_last);
	ids(c);
	ack = craft_is_set(c, "ack_psn", false)
		      ? (uint32_t)craft_value(c, "ack_psn", false)
		      : c->s->pdc->rx_last;
	find_answered(c, ack);
	if (!craft_value(c, "p", false))
		echo_retx(c);
}

/* Names the RUDI request that is answered, and finds its newest copy. */
static void rudi_defaults(struct craft *c, const char *field)
{
	craft_default(c, field, false, c->s->rx_pkt_id);
	answers(c, scope_pkt_find(c->s, false,
				  (uint32_t)craft_value(c, field, false)));
	echo_retx(c);
}

static void nack_defaults(struct craft *c)
{
	if (craft_value(c, "nt", false)) {
		rudi_defaults(c, "nack_pkt_id");
		return;
	}
	craft_default(c, "nack_psn", false, c->s->pdc->rx_last);
	ids(c);
	find_answered(c, (uint32_t)craft_value(c, "nack_psn", false));
	echo_retx(c);
}

static bool tells_mode(struct craft *c)
{
	const uint64_t ctl_type = craft_value(c, "ctl_type", false);

	return ctl_type == PDS_CP_NOOP || ctl_type == PDS_CP_NEGOTIATION;
}

/* Table 3-38: NOOP, both closes and Negotiation use up a PSN. */
static void cp_defaults(struct craft *c)
{
	switch (craft_value(c, "ctl_type", false)) {
	case PDS_CP_NOOP:
	case PDS_CP_CLOSE_COMMAND:
	case PDS_CP_CLOSE_REQUEST:
	case PDS_CP_NEGOTIATION:
		craft_default(c, "psn", false, c->s->pdc->tx_next);
		break;
	case PDS_CP_CLEAR_COMMAND:
		craft_default(c, "clear_psn", false, c->s->pdc->tx_acked);
		break;
	case PDS_CP_CLEAR_REQUEST:
		craft_default(c, "clear_psn", false, c->s->pdc->rx_cum);
		break;
	case PDS_CP_PROBE:
		craft_default(c, "sack_psn", false, c->s->pdc->tx_acked + 1);
		break;
	default:
		break;
	}
	if (tells_mode(c))
		craft_default(c, "isrod", false, c->s->pdc->rod);
	ids(c);
}

static void ses_request_defaults(struct craft *c)
{
	const struct decl *d = c->s->decl;
	uint64_t opcode = craft_value(c, "opcode", true);
	bool rma = opcode >= SES_WRITE && opcode <= SES_FETCHING_ATOMIC;

	craft_default(c, "job_id", true, d->job_id);
	craft_default(c, "pid_on_fep", true, d->pid_on_fep);
	craft_default(c, "resource_index", true, d->resource_index);
	craft_default(c, "ri_generation", true, d->ri_generation);
	craft_default(c, "initiator", true, d->initiator);
	if (rma) {
		craft_default(c, "match_bits", true, d->memory_key);
		craft_default(c, "buffer_offset", true, d->memory_offset);
	}
	craft_default(c, "request_length", true, c->payload_len);
	if (!craft_value(c, "som", true) && strcmp(c->rung->ses, "std") == 0)
		craft_default(c, "payload_length", true, c->payload_len);
}

/* Bytes of payload of the request that is answered, for modified_length. */
static uint64_t answered_length(const struct craft *c)
{
	struct packet pkt;

	if (!c->answered)
		return 0;
	record_packet(c->s->record, c->answered, &pkt);
	return pkt.len - pkt.payload;
}

static void ses_response_defaults(struct craft *c)
{
	bool data = strcmp(c->rung->ses, "response") != 0;
	bool own;

	craft_default(c, "opcode", true,
		      data ? SES_RESPONSE_W_DATA : SES_RESPONSE);
	own = craft_value(c, "opcode", true) != SES_DEFAULT_RESPONSE;
	craft_default(c, "return_code", true, own ? RC_OK : RC_NULL);
	craft_default(c, "job_id", true, c->s->decl->job_id);
	craft_default(c, "payload_length", true, c->payload_len);
	if (own)
		craft_default(c, "modified_length", true,
			      data ? c->payload_len : answered_length(c));
}

static int craft_payload(struct craft *c)
{
	const struct rung *r = c->rung;
	uint64_t n;
	uint16_t id = (uint16_t)craft_value(c, "message_id", true);
	uint32_t offset = (uint32_t)craft_value(c, "message_offset", true);

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
		if (n > c->s->decl->mtu && c->s->family == FAMILY_UET)
			return craft_refuse(
				c, "data: more than the MTU of %u bytes",
				c->s->decl->mtu);
		for (uint32_t i = 0; i < n; i++)
			c->payload[i] = ses_pattern(id, offset + i);
		c->payload_len = (size_t)n;
	}
	return 0;
}

/* The first transmission as it was sent, whatever became of it on the way. */
static void first_packet(const struct craft *c, struct packet *ret)
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
	first_packet(c, &pkt);
	if (packet_value(&pkt, "next_hdr", &next))
		craft_default(c, "next_hdr", false, next);
	return 0;
}

static size_t append_same(struct craft *c, uint8_t *p, size_t len, size_t size)
{
	struct packet pkt;
	size_t at, n;

	first_packet(c, &pkt);
	at = pkt.nses < pkt.nsec ? pkt.sec[pkt.nses].at : pkt.payload;
	n = pkt.len - at;
	if (n > size - len)
		n = size - len;
	memcpy(p + len, pkt.p + at, n);
	return len + n;
}

static void pds_defaults(struct craft *c)
{
	if (is_request(c))
		request_defaults(c);
	else if (is_ack(c))
		ack_defaults(c);
	else if (is_nack(c))
		nack_defaults(c);
	else if (type_is(c, "cp", NULL, NULL))
		cp_defaults(c);
	else if (type_is(c, "rudi_req", NULL, NULL))
		craft_default(c, "pkt_id", false, c->s->tx_pkt_id);
	else if (type_is(c, "rudi_resp", NULL, NULL))
		rudi_defaults(c, "pkt_id");
}

static int ses_defaults(struct craft *c)
{
	if (c->rung->body == BODY_SAME)
		return craft_cause(c);
	if (!c->rung->ses)
		return 0;
	if (strncmp(c->rung->ses, "response", 8) == 0) {
		ses_response_defaults(c);
		return 0;
	}
	ses_request_defaults(c);
	return craft_cause(c);
}

/* Answers go back with the entropy of what they answer (uet.md 1.3). */
static void craft_head(struct craft *c, struct dgram *d)
{
	bool request =
		c->rung->type &&
		(is_request(c) || type_is(c, "rudi_req", "uud_req", NULL));

	d->family = (uint8_t)c->s->family;
	d->entropy = c->s->entropy;
	if (c->answered && c->answered->entropy)
		d->entropy = c->answered->entropy;
	d->dscp = request ? c->s->decl->dscp_data : c->s->decl->dscp_control;
	d->ecn = request ? ECN_ECT0 : ECN_NOT_ECT;
	if (d->family == FAMILY_SRD && c->rung->type)
		craft_srd_head(c, d);
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
 * A read whose header has no message id gets its data under the PSN of its
 * request (uet.md 7.5): the line becomes one with RESPONSE_DATA_SMALL.
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
	int err;

	answer_by_psn(c);
	err = craft_terms(c, c->rung->pds, c->rung->npds, false);

	if (!err)
		err = craft_terms(c, c->rung->ses_terms, c->rung->nses, true);
	if (!err)
		err = craft_payload(c);
	if (err)
		return err;
	if (c->s->family != FAMILY_UET) {
		err = c->s->family == FAMILY_SRD ? craft_srd(c) : craft_wqe(c);
		craft_head(c, d);
		return err ? err : craft_bytes(c, d);
	}
	pds_defaults(c);
	if (c->rung->body == BODY_SAME) {
		err = find_same(c);
		if (err)
			return err;
	}
	err = ses_defaults(c);
	craft_head(c, d);
	return err ? err : craft_bytes(c, d);
}

int craft_rung(struct scope *s, const struct step *step, struct dgram *ret,
	       char *why, size_t size)
{
	struct craft c;
	int err = 0;

	/* All but the payload, which has its length. */
	c.s = s;
	c.step = step;
	c.rung = &step->rung;
	c.by_psn = false;
	c.nset = 0;
	c.payload_len = 0;
	c.answered = NULL;
	c.first = NULL;
	s->crafted = NULL;
	c.why = why;
	c.why_size = size;
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

/* A number without a case is what it says. */
static bool plain_number(const struct scope *s, const struct decl *decl,
			 const struct number *n, uint64_t *ret)
{
	if (s)
		return scope_number(s, n, SPACE_NONE, ret);
	*ret = n->value + (uint64_t)n->mtus * decl->mtu;
	return !n->symbol;
}

static void change_field(const struct scope *s, const struct decl *decl,
			 const struct term *t, struct dgram *d)
{
	struct packet pkt;
	struct packet_ref ref;
	uint64_t v;

	family_parse(d->family, &pkt, d->data, d->len);
	if (!packet_find(&pkt, 0, pkt.nsec, t->name, strlen(t->name), &ref))
		return;
	v = packet_get(&pkt, &ref) ^ 1;
	if (t->nranges)
		plain_number(s, decl, &t->ranges[0].lo, &v);
	if (ref.field)
		field_set(ref.field, d->data + pkt.sec[ref.sec].at, v);
	else
		derived_set(pkt.sec[ref.sec].h, ref.derived,
			    d->data + pkt.sec[ref.sec].at, (uint32_t)v);
}

static void change_outer(const struct outer *o, struct dgram *d)
{
	if (o->src.len == d->src.len)
		d->src = o->src;
	if (o->dst.len == d->dst.len)
		d->dst = o->dst;
	if (o->entropy_set)
		d->entropy = o->entropy;
	if (o->dscp_set)
		d->dscp = o->dscp;
	if (o->ecn_set)
		d->ecn = o->ecn;
	if (o->checksum)
		d->udp_checksum = o->checksum;
	if (o->padding)
		d->padding = o->padding;
}

void craft_change(const struct scope *s, const struct decl *decl,
		  const struct step *step, struct dgram *d)
{
	for (uint32_t i = step->bit; i < step->bit + step->nbits; i++)
		if (i / 8 < d->len)
			d->data[i / 8] ^= (uint8_t)(0x80 >> i % 8);
	for (size_t i = 0; i < step->ncorrupt; i++)
		change_field(s, decl, &step->corrupt[i], d);
	change_outer(&step->rewrite, d);
	if (step->trailer && d->crc != DGRAM_CRC_NONE)
		d->crc = craft_trailer(step->trailer);
}

uint8_t craft_trailer(enum trailer t)
{
	static const uint8_t crcs[] = {
		[TRAILER_LINK] = DGRAM_CRC_RIGHT,
		[TRAILER_NONE] = DGRAM_CRC_NONE,
		[TRAILER_WRONG] = DGRAM_CRC_WRONG,
		[TRAILER_SWAPPED] = DGRAM_CRC_SWAPPED,
	};

	return crcs[t];
}

/* ---- Injected packets ---- */

/* What a packet of the network's own is made from. */
struct forgery {
	const struct rung *rung;
	const struct packet *cause;
	struct packet_set set[CRAFT_SETS];
	size_t nset;
};

/* What the line leaves out, from the field |from| of the cause. */
static void forge_default(struct forgery *f, const char *name, const char *from)
{
	uint64_t v;

	for (size_t i = 0; i < f->nset; i++)
		if (strcmp(f->set[i].name, name) == 0)
			return;
	if (f->nset < CRAFT_SETS && packet_value(f->cause, from, &v) &&
	    packet_layout_has(f->rung->type, f->rung->ses, false, name,
			      strlen(name), NULL))
		f->set[f->nset++] = (struct packet_set){name, v, false};
}

static void forge_defaults(struct forgery *f, bool back)
{
	forge_default(f, "spdcid", back ? "dpdcid" : "spdcid");
	forge_default(f, "dpdcid", back ? "spdcid" : "dpdcid");
	forge_default(f, "psn", "psn");
	forge_default(f, "cack_psn", back ? "clear_psn" : "cack_psn");
	forge_default(f, "ack_psn", back ? "psn" : "ack_psn");
	forge_default(f, "nack_psn", back ? "psn" : "nack_psn");
	forge_default(f, "pkt_id", "pkt_id");
	forge_default(f, "nack_pkt_id", "pkt_id");
}

static int forge_terms(struct forgery *f, const struct scope *s,
		       const struct decl *decl, const struct term *t, size_t n,
		       bool ses)
{
	for (size_t i = 0; i < n; i++) {
		struct packet_set *set = &f->set[f->nset];

		*set = (struct packet_set){t[i].name, 0, ses};
		if (f->nset == CRAFT_SETS ||
		    !plain_number(s, decl, &t[i].ranges[0].lo, &set->value))
			return ERR_VALUE;
		f->nset++;
	}
	return 0;
}

static int forge_packet(struct forgery *f, const struct scope *s,
			const struct decl *decl, struct dgram *d)
{
	const struct rung *r = f->rung;
	struct packet_spec spec = {
		.type = r->type,
		.ses = r->ses,
		.ext = {r->ext[0], r->ext[1]},
		.set = f->set,
		.nset = f->nset,
		.payload = r->body == BODY_BYTES ? r->bytes : NULL,
		.payload_len = r->body == BODY_BYTES ? r->nbytes : 0,
	};
	uint64_t n = 0;
	int len;

	if (r->body == BODY_DATA && !plain_number(s, decl, &r->data_len, &n))
		return ERR_VALUE;
	if (r->body == BODY_DATA)
		spec.payload_len = (size_t)n;
	len = packet_build(d->data, DGRAM_MAX, &spec, NULL);
	if (len >= 0)
		d->len = (size_t)len;
	return len < 0 ? len : 0;
}

static int forge(const struct scope *s, const struct decl *decl,
		 const struct step *step, const struct packet *cause,
		 struct dgram *d)
{
	struct forgery f = {.rung = &step->until, .cause = cause};
	const bool back = step->to_dut != step->until_to_dut;
	int err = forge_terms(&f, s, decl, f.rung->pds, f.rung->npds, false);

	if (!err)
		err = forge_terms(&f, s, decl, f.rung->ses_terms, f.rung->nses,
				  true);
	if (err)
		return err;
	forge_defaults(&f, back);
	return forge_packet(&f, s, decl, d);
}

int craft_inject(const struct scope *s, const struct decl *decl,
		 const struct step *step, const struct dgram *cause,
		 struct dgram *ret)
{
	const struct rung *r = &step->until;
	struct packet pkt;

	memcpy(ret, cause, offsetof(struct dgram, data));
	if (step->to_dut != step->until_to_dut) {
		ret->src = cause->dst;
		ret->dst = cause->src;
	}
	ret->dscp = decl->dscp_control;
	ret->ecn = ECN_NOT_ECT;
	dgram_plain(ret);
	if (r->raw) {
		ret->len = r->nbytes < DGRAM_MAX ? r->nbytes : DGRAM_MAX;
		memcpy(ret->data, r->bytes, ret->len);
		return 0;
	}
	family_parse(cause->family, &pkt, cause->data, cause->len);
	return forge(s, decl, step, &pkt, ret);
}
