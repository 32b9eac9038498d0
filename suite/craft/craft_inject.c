/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_inject.c -- changes a packet in flight, and builds the
 * packet that an impairment injects.
 */
#include "suite/craft/craft_inject.h"

#include <string.h>

#include "base/err.h"
#include "base/word.h"
#include "suite/craft/craft_state.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/space.h"
#include "wire/packet.h"

/* Returns the value of a term outside a case: a plain number. */
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

	packet_parse(d->family, &pkt, d->data, d->len);
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
	if (o->ext && d->src.len == 16)
		d->ext = o->ext;
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

/* An injected packet in the making, and the packet that caused it. */
struct forgery {
	const struct rung *rung;
	const struct packet *cause;
	struct field_value set[CRAFT_SETS];
	size_t nset;
};

/* Sets an omitted field from the field |from| of the cause. */
static void forge_default(struct forgery *f, const char *name, const char *from)
{
	uint64_t v;

	for (size_t i = 0; i < f->nset; i++)
		if (strcmp(f->set[i].name, name) == 0)
			return;
	if (f->nset < CRAFT_SETS && packet_value(f->cause, from, &v) &&
	    packet_layout_has(f->rung->type, f->rung->ses, false, name,
			      strlen(name), NULL))
		f->set[f->nset++] = (struct field_value){name, v, false};
}

/* Returns true for the packets that echo the retx bit of what they answer. */
static bool forge_is_answer(const struct forgery *f)
{
	static const char *const words[] = {"ack",  "ack_cc",   "ack_ccx",
					    "nack", "nack_ccx", "rudi_resp"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (word_same(f->rung->type, words[i]))
			return true;
	return false;
}

static void forge_defaults(struct forgery *f, bool back)
{
	if (back && forge_is_answer(f))
		forge_default(f, "retx", "retx");
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
		struct field_value *set = &f->set[f->nset];

		*set = (struct field_value){t[i].name, 0, ses};
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
	if (len < 0)
		return len;
	return 0;
}

static int craft_forge(const struct scope *s, const struct decl *decl,
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
		if (r->nbytes < DGRAM_MAX)
			ret->len = r->nbytes;
		else
			ret->len = DGRAM_MAX;
		memcpy(ret->data, r->bytes, ret->len);
		return 0;
	}
	packet_parse(cause->family, &pkt, cause->data, cause->len);
	return craft_forge(s, decl, step, &pkt, ret);
}
