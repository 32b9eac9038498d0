/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/case_rung.c -- parses a rung: sections between '|', each a
 * word, flags and field=value terms.
 *
 * The names come from the tables of the wire; wire/packet.h says which packet
 * has which header.
 */
#include "suite/lang/rung/case_rung.h"

#include "base/err.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/parse_array.h"
#include "suite/lang/parse_state.h"
#include "suite/lang/rung/rung_body.h"
#include "suite/lang/rung/rung_scope.h"
#include "suite/lang/rung/rung_term.h"
#include "suite/lang/rung/rung_word.h"
#include "wire/packet.h"

const char *const ses_words[] = {
	"std",      "small",         "medium",
	"response", "response_data", "response_data_small",
	NULL};

static int no_section(struct parse *p, struct word w, const struct rung *r)
{
	struct near n;

	near_init(&n, w);
	for (size_t i = 0; ses_words[i] && !r->ses; i++)
		near_offer(&n, ses_words[i]);
	for (size_t i = 0; ext_headers[i] && r->ses; i++)
		near_offer(&n, ext_headers[i]->name);
	for (size_t i = 0; body_words[i]; i++)
		near_offer(&n, body_words[i]);
	return lex_error(p->lex, w.s, "expected %s after '|', not '%.*s'%s",
			 r->ses ? "an extension, data, bytes or same"
				: "a SES header (std, small, medium, "
				  "response, response_data, "
				  "response_data_small), data, bytes or same",
			 WORD(w), near_hint(&n));
}

/*
 * Parses one section after a '|'; *done is set after the payload, which is the
 * last.
 */
static int parse_section(struct parse *p, struct case_rung_scope *sc,
			 struct rung *ret, struct term *t, size_t *n,
			 bool *done)
{
	struct word w;

	if (!lex_word(p->lex, &w) || parse_modifier(w))
		return lex_error(p->lex, w.s, "expected a section after '|'");
	*done = list_find(body_words, w) != NULL;
	if (*done)
		return parse_body(p, sc->use, w, ret);
	sc->ses_side = true;
	if (!ret->ses && list_find(ses_words, w)) {
		sc->ses = ret->ses = list_find(ses_words, w);
		return parse_terms(p, sc, t, n);
	}
	sc->ext = ret->ses && !ret->ext[1] ? ext_named(w) : NULL;
	if (!sc->ext)
		return no_section(p, w, ret);
	ret->ext[ret->ext[0] ? 1 : 0] = sc->ext->name;
	return parse_terms(p, sc, t, n);
}

static int parse_sections(struct parse *p, struct case_rung_scope *sc,
			  struct rung *ret)
{
	struct term t[TERMS_MAX];
	size_t n = 0;
	bool done = false;
	int err = 0;

	while (!err && !done && lex_take(p->lex, "|"))
		err = parse_section(p, sc, ret, t, &n, &done);
	if (err)
		return err;
	if (n) {
		ret->ses_terms = parse_copy(p, t, n, sizeof(t[0]));
		ret->nses = n;
		if (ret->ses_terms)
			return 0;
		return ERR_NOMEM;
	}
	return 0;
}

/*
 * Returns the packet names of a family; none if the previous family shares
 * them.
 */
static const struct value_name *types_of(unsigned family)
{
	static const struct value_name none[] = {{0, NULL}};
	const struct packet_format *format = wire_families[family]->format;

	if (family && format == wire_families[family - 1]->format)
		return none;
	return format->types;
}

static const char *type_named(struct word w)
{
	uint64_t v;

	for (unsigned i = 0; i < wire_nfamilies; i++)
		if (!value_parse(types_of(i), w.s, w.len, &v))
			return value_find(types_of(i), v);
	return NULL;
}

static int no_type(struct parse *p, struct word w)
{
	struct near n;

	if (!w.len)
		return lex_error(p->lex, w.s,
				 "expected a packet: rud_req, ack, nack, cp, "
				 "..., or raw and bytes");
	near_init(&n, w);
	for (unsigned i = 0; i < wire_nfamilies; i++)
		for (const struct value_name *v = types_of(i); v->name; v++)
			near_offer(&n, v->name);
	near_offer(&n, "raw");
	return lex_error(p->lex, w.s, "no packet is called '%.*s'%s", WORD(w),
			 near_hint(&n));
}

static int parse_packet(struct parse *p, enum rung_use use, struct rung *ret)
{
	struct case_rung_scope sc = {
		.type = rung_type_at(ret->type, false, false), .use = use};
	struct term t[TERMS_MAX];
	int err;

	err = parse_terms(p, &sc, t, &ret->npds);
	if (err)
		return err;
	ret->pdc = sc.pdc;
	if (ret->npds) {
		ret->pds = parse_copy(p, t, ret->npds, sizeof(t[0]));
		if (!ret->pds)
			return ERR_NOMEM;
	}
	return parse_sections(p, &sc, ret);
}

int parse_ses(struct parse *p, struct rung *ret)
{
	struct case_rung_scope sc = {.type = ret->type, .use = RUNG_SEND};

	return parse_sections(p, &sc, ret);
}

int parse_rung(struct parse *p, enum rung_use use, struct rung *ret)
{
	struct word w;

	*ret = (struct rung){0};
	lex_word(p->lex, &w);
	if (word_is(w, "raw")) {
		ret->raw = true;
		return parse_bytes(p, ret);
	}
	if (word_is(w, "any") && use != RUNG_SEND)
		return 0;
	ret->type = type_named(w);
	if (!ret->type && p->each)
		ret->type = rung_place_word(w);
	if (!ret->type)
		return no_type(p, w);
	return parse_packet(p, use, ret);
}
