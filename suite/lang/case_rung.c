/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case_rung.c -- parses a rung: sections between '|', each a word,
 * flags and field=value terms.
 *
 * The names come from the tables of the wire; wire/packet.h says which packet
 * has which header.
 */
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "suite/lang/case_parse.h"
#include "wire/ib/ib.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

#define TERMS_MAX  64
#define RANGES_MAX 16
#define BYTES_MAX  4096
#define DATA_MAX   65535

/* The place where the terms of a section are looked up. */
struct case_rung_scope {
	const char *type, *ses;   /* words; type NULL: nothing to look up */
	const struct header *ext; /* NULL: not in an extension */
	bool ses_side;
	enum rung_use use;
	const char *pdc; /* of a "pdc=NAME" among the terms */
};

/* Every header that a case can name; only for hints and extensions. */
static const struct header *const headers[] = {
	&pds_req_header,
	&pds_req_syn_header,
	&pds_req_cc_header,
	&pds_ack_header,
	&pds_ack_probe_header,
	&pds_ack_cc_header,
	&pds_nscc_header,
	&pds_credit_header,
	&pds_cc_state_header,
	&pds_ack_ccx_header,
	&pds_nack_header,
	&pds_nack_rudi_header,
	&pds_nack_ccx_header,
	&pds_cp_header,
	&pds_cp_syn_header,
	&cp_payload_header,
	&cp_ack_request_header,
	&cp_clear_header,
	&cp_probe_header,
	&cp_credit_header,
	&cp_credit_request_header,
	&cp_negotiation_header,
	&rudi_req_header,
	&rudi_resp_header,
	&uud_req_header,
	&tss_header,
	&tss_ssi_header,
	&ses_std_som_header,
	&ses_std_header,
	&ses_std_deferrable_header,
	&ses_std_rtr_header,
	&ses_small_header,
	&ses_medium_header,
	&ses_medium_hd_header,
	&ses_response_header,
	&ses_response_data_header,
	&ses_response_data_small_header,
	&ses_rendezvous_header,
	&ses_atomic_header,
	&ses_cswap_header,
	&bth_header,
	&seth_header,
	&deth_header,
	&imm_eth_header,
	&srd_aeth_header,
	&srd_sack_header,
	&reth_header,
	&aeth_header,
	&ieth_header,
	&wqeth_header,
	&rieth_header,
	NULL,
};

static const struct header *const ext_headers[] = {
	&ses_atomic_header, &ses_cswap_header, &ses_rendezvous_header, NULL};

const char *const ses_words[] = {
	"std",      "small",         "medium",
	"response", "response_data", "response_data_small",
	NULL};

const char *const body_words[] = {"data", "bytes", "same", NULL};

const char *const modifier_words[] = {"within",   "after", "lost", "exact",
				      "optional", "x",     "cut",  "crc",
				      "until",    "for",   "on",   NULL};

static const char *list_find(const char *const *list, struct word w)
{
	for (; *list; list++)
		if (word_is(w, *list))
			return *list;
	return NULL;
}

bool parse_modifier(struct word w)
{
	return list_find(modifier_words, w) || parse_is_which(w);
}

/* ---- Names ---- */

bool parse_is_pdc(struct word w)
{
	return w.len >= 4 &&
	       (!memcmp(w.s, "pdc=", 4) || !memcmp(w.s, "ctx=", 4));
}

static bool is_pdc_name(struct word w)
{
	for (size_t i = 0; i < w.len; i++) {
		const bool letter = w.s[i] >= 'a' && w.s[i] <= 'z';

		if (!letter && (!i || w.s[i] < '0' || w.s[i] > '9'))
			return false;
	}
	return w.len > 0 && w.len <= PDC_NAME_MAX;
}

int parse_pdc(struct parse *p, struct word w, const char **ret)
{
	const struct word name = {w.s + 4, w.len - 4};

	if (*ret)
		return lex_error(p->lex, w.s, "'pdc' is given twice");
	if (!is_pdc_name(name))
		return lex_error(p->lex, name.s,
				 "expected the name of a PDC: a, b, other2");
	*ret = lex_copy(p->lex, name);
	if (*ret)
		return 0;
	return ERR_NOMEM;
}

static const struct header *ext_named(struct word w)
{
	for (const struct header *const *h = ext_headers; *h; h++)
		if (word_is(w, (*h)->name))
			return *h;
	return NULL;
}

/* The extension that has such a field. */
static const struct header *ext_with(struct word name)
{
	for (const struct header *const *h = ext_headers; *h; h++)
		if (header_field(*h, name.s, name.len))
			return *h;
	return NULL;
}

static bool case_rung_resolve(const struct case_rung_scope *sc,
			      struct word name, const struct field **ret)
{
	*ret = NULL;
	if (sc->ext) {
		*ret = header_field(sc->ext, name.s, name.len);
		return *ret != NULL;
	}
	if (sc->ses_side && ext_with(name))
		return false;
	return packet_layout_has(sc->type, sc->ses, sc->ses_side, name.s,
				 name.len, ret);
}

static const char *case_rung_scope_name(const struct case_rung_scope *sc)
{
	if (sc->ext)
		return sc->ext->name;
	if (sc->ses_side)
		return sc->ses;
	return sc->type;
}

/* The field whose value may stand as a bare word. */
static const struct field *discriminator(const struct case_rung_scope *sc)
{
	static const char *const names[] = {"ctl_type", "nack_code", "opcode"};
	const struct field *f;

	for (size_t i = 0; i < 3 && !sc->ext; i++) {
		struct word w = {names[i], strlen(names[i])};

		if ((i < 2) != sc->ses_side && case_rung_resolve(sc, w, &f) &&
		    f)
			return f;
	}
	return NULL;
}

static void offer_if(struct near *n, const struct case_rung_scope *sc,
		     const char *name)
{
	const struct field *f;

	if (case_rung_resolve(sc, (struct word){name, strlen(name)}, &f))
		near_offer(n, name);
}

static const char *scope_hint(struct near *n, const struct case_rung_scope *sc,
			      struct word name, bool bare)
{
	const struct field *d = discriminator(sc);

	near_init(n, name);
	for (const struct header *const *h = headers; *h; h++) {
		for (size_t i = 0; i < (*h)->nfields; i++)
			offer_if(n, sc, (*h)->fields[i].name);
		for (size_t i = 0; i < (*h)->nderived; i++)
			offer_if(n, sc, (*h)->derived[i].name);
	}
	offer_if(n, sc, "sack_psn");
	for (const struct value_name *v = bare && d ? d->names : NULL;
	     v && v->name; v++)
		near_offer(n, v->name);
	return near_hint(n);
}

static int case_rung_no_field(struct parse *p, const struct case_rung_scope *sc,
			      struct word name, bool bare)
{
	const struct field *f;
	struct case_rung_scope other = *sc;
	struct near n;

	if (sc->ses_side && !sc->ext && ext_with(name))
		return lex_error(p->lex, name.s,
				 "'%.*s' belongs to the extension: write it "
				 "after '| %s'",
				 WORD(name), ext_with(name)->name);
	other.ext = NULL;
	other.ses_side = false;
	if (sc->ses_side && case_rung_resolve(&other, name, &f))
		return lex_error(p->lex, name.s,
				 "'%.*s' is a field of %s: write it before "
				 "'| %s'",
				 WORD(name), sc->type, sc->ses);
	return lex_error(p->lex, name.s, "no field '%.*s' in %s%s", WORD(name),
			 case_rung_scope_name(sc),
			 scope_hint(&n, sc, name, bare));
}

/* ---- Terms ---- */

/* The value side of a term while it is read. */
struct value {
	const struct case_rung_scope *sc;
	const struct field *f;
	struct word name, text;
	enum term_op op;
	bool psn, absolute;
	bool plain; /* one value and nothing else: a symbol may be bound */
};

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (c >= '0' && c <= '9');
}

/* Splits "psn>=333"; false: there is no operator. */
static bool split_term(struct word w, struct value *ret)
{
	static const struct {
		const char *s;
		enum term_op op;
	} ops[] = {{"!=", TERM_NE},
		   {">=", TERM_GE},
		   {"<=", TERM_LE},
		   {"=", TERM_EQ}};
	size_t n = 0;

	while (n < w.len && is_name_char(w.s[n]))
		n++;
	ret->name = (struct word){w.s, n};
	for (size_t i = 0; i < 4; i++) {
		size_t len = strlen(ops[i].s);

		if (w.len - n < len || memcmp(w.s + n, ops[i].s, len))
			continue;
		n += len;
		ret->op = ops[i].op;
		ret->absolute = n < w.len && w.s[n] == '=';
		n += ret->absolute;
		ret->text = (struct word){w.s + n, w.len - n};
		return true;
	}
	return false;
}

static const char *find_dots(struct word w)
{
	for (size_t i = 0; i + 1 < w.len; i++)
		if (w.s[i] == '.' && w.s[i + 1] == '.')
			return w.s + i;
	return NULL;
}

static bool may_bind(const struct value *v)
{
	if (!v->plain || v->op != TERM_EQ)
		return false;
	return v->sc->use == RUNG_EXPECT ||
	       (v->sc->use == RUNG_SEND &&
		(word_is(v->name, "psn") || word_is(v->name, "pkt_id")));
}

static int parse_end(struct parse *p, const struct value *v, struct word w,
		     struct number *ret)
{
	int err = parse_number(p, w, v->f, v->psn, may_bind(v), ret);

	if (!err && !ret->symbol)
		ret->absolute = v->absolute;
	return err;
}

static bool upside_down(const struct value *v, const struct range *r)
{
	if (r->lo.symbol || r->hi.symbol || r->lo.mtus || r->hi.mtus)
		return false;
	if (v->f && v->f->kind == FIELD_SINT)
		return (int64_t)r->lo.value > (int64_t)r->hi.value;
	return r->lo.value > r->hi.value && !v->absolute;
}

static int case_rung_parse_range(struct parse *p, const struct value *v,
				 struct word w, struct range *ret)
{
	const char *dots = find_dots(w);
	struct word lo = w, hi;
	int err;

	*ret = (struct range){.single = !dots};
	if (dots)
		lo.len = (size_t)(dots - w.s);
	err = parse_end(p, v, lo, &ret->lo);
	if (err)
		return err;
	ret->hi = ret->lo;
	if (!dots)
		return 0;
	hi = (struct word){dots + 2, (size_t)(w.s + w.len - dots - 2)};
	err = parse_end(p, v, hi, &ret->hi);
	if (err)
		return err;
	if (upside_down(v, ret))
		return lex_error(p->lex, w.s, "the range '%.*s' is empty",
				 WORD(w));
	return 0;
}

/* "333..336|340" */
static int parse_ranges(struct parse *p, const struct value *v, struct range *r,
			size_t *n)
{
	const char *s = v->text.s, *end = s + v->text.len;

	for (;;) {
		const char *bar = memchr(s, '|', (size_t)(end - s));
		struct word w = {s, (size_t)((bar ? bar : end) - s)};
		int err;

		if (*n == RANGES_MAX)
			return lex_error(p->lex, s, "more than %d alternatives",
					 RANGES_MAX);
		if (!w.len)
			return lex_error(p->lex, s, "expected a value");
		err = case_rung_parse_range(p, v, w, &r[(*n)++]);
		if (err || !bar)
			return err;
		s = bar + 1;
	}
}

static bool case_rung_is_plain(struct word w)
{
	return !memchr(w.s, '|', w.len) && !find_dots(w) && !word_is(w, "*");
}

/* A sent field has one value. */
static int check_plain(struct parse *p, const struct value *v)
{
	if (v->sc->use != RUNG_SEND || (v->plain && v->op == TERM_EQ))
		return 0;
	return lex_error(p->lex, v->text.s,
			 "what is sent has one value: write %.*s=N",
			 WORD(v->name));
}

/* "psn=333| std": the '|' between sections got stuck to the value. */
static int check_bar(struct parse *p, const struct value *v)
{
	const size_t n = v->text.len;

	if (!n || v->text.s[n - 1] != '|')
		return 0;
	return lex_error(p->lex, v->text.s + n - 1,
			 "put blanks around the '|' between sections");
}

static int check_absolute(struct parse *p, const struct value *v)
{
	if (!v->absolute || v->psn)
		return 0;
	return lex_error(p->lex, v->text.s - 1,
			 "'==' is for sequence numbers; '%.*s' is none",
			 WORD(v->name));
}

static int case_rung_parse_value(struct parse *p, struct value *v,
				 struct term *ret)
{
	struct range r[RANGES_MAX];
	size_t n = 0;
	int err;

	v->plain = case_rung_is_plain(v->text);
	err = check_bar(p, v);
	if (!err)
		err = check_plain(p, v);
	if (!err)
		err = check_absolute(p, v);
	if (err)
		return err;
	ret->op = v->op;
	if (word_is(v->text, "*") && v->op == TERM_EQ && !v->absolute) {
		ret->op = TERM_ANY;
		return 0;
	}
	err = parse_ranges(p, v, r, &n);
	if (err)
		return err;
	if (n > 1 && v->op != TERM_EQ && v->op != TERM_NE)
		return lex_error(p->lex, v->text.s,
				 "alternatives need '=' or '!='");
	if ((v->op == TERM_GE || v->op == TERM_LE) && !r[0].single)
		return lex_error(p->lex, v->text.s,
				 "a range needs '=' or "
				 "'!='");
	ret->ranges = parse_copy(p, r, n, sizeof(r[0]));
	ret->nranges = n;
	if (ret->ranges)
		return 0;
	return ERR_NOMEM;
}

static int case_rung_one_value(struct parse *p, struct term *ret,
			       uint64_t value)
{
	struct range r = {
		.lo = {.value = value}, .hi = {.value = value}, .single = true};

	ret->op = TERM_EQ;
	ret->nranges = 1;
	ret->ranges = parse_copy(p, &r, 1, sizeof(r));
	if (ret->ranges)
		return 0;
	return ERR_NOMEM;
}

/* A flag, or a value of the discriminator. */
static int parse_bare(struct parse *p, const struct case_rung_scope *sc,
		      struct word w, struct term *ret)
{
	const struct field *d = discriminator(sc);
	const bool known = case_rung_resolve(sc, w, &ret->field);
	uint64_t v;

	if (known && ret->field && ret->field->kind == FIELD_FLAG) {
		ret->name = ret->field->name;
		return case_rung_one_value(p, ret, 1);
	}
	if (d && !value_parse(d->names, w.s, w.len, &v)) {
		ret->name = d->name;
		ret->field = d;
		return case_rung_one_value(p, ret, v);
	}
	if (known)
		return lex_error(p->lex, w.s, "'%.*s' needs a value: %.*s=N",
				 WORD(w), WORD(w));
	return case_rung_no_field(p, sc, w, true);
}

static int name_term(struct parse *p, const struct case_rung_scope *sc,
		     struct word name, struct term *ret)
{
	if (!name.len)
		return lex_error(p->lex, name.s, "expected field=value");
	if (!case_rung_resolve(sc, name, &ret->field))
		return case_rung_no_field(p, sc, name, false);
	ret->name = ret->field ? ret->field->name : lex_copy(p->lex, name);
	if (ret->name)
		return 0;
	return ERR_NOMEM;
}

static int parse_term(struct parse *p, const struct case_rung_scope *sc,
		      struct word w, struct term *ret)
{
	struct value v = {.sc = sc};
	int err;

	*ret = (struct term){.col = (unsigned)(w.s - p->lex->source) + 1};
	if (!split_term(w, &v))
		return parse_bare(p, sc, w, ret);
	err = name_term(p, sc, v.name, ret);
	if (err)
		return err;
	v.f = ret->field;
	v.psn = !v.f || v.f->kind == FIELD_SEQ;
	return case_rung_parse_value(p, &v, ret);
}

static int check_twice(struct parse *p, const struct case_rung_scope *sc,
		       const struct term *t, size_t n, struct word w)
{
	if (sc->use != RUNG_SEND)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(t[i].name, t[n].name))
			return lex_error(p->lex, w.s, "'%s' is given twice",
					 t[n].name);
	return 0;
}

/* Terms up to '|', a modifier or the end, added to t[*n]. */
static int parse_terms(struct parse *p, struct case_rung_scope *sc,
		       struct term *t, size_t *n)
{
	struct word w;
	int err = 0;

	while (!err && lex_peek(p->lex, &w) && !word_is(w, "|") &&
	       !parse_modifier(w)) {
		lex_word(p->lex, &w);
		if (!sc->ses_side && parse_is_pdc(w)) {
			err = parse_pdc(p, w, &sc->pdc);
			continue;
		}
		if (*n == TERMS_MAX)
			return lex_error(p->lex, w.s, "more than %d terms",
					 TERMS_MAX);
		err = parse_term(p, sc, w, &t[*n]);
		if (!err)
			err = check_twice(p, sc, t, *n, w);
		++*n;
	}
	return err;
}

/* ---- Sections ---- */

static int parse_bytes(struct parse *p, struct rung *ret)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[BYTES_MAX];
	size_t n = 0;
	struct word w;

	while (lex_peek(p->lex, &w) && !parse_modifier(w)) {
		const char *hi = NULL, *lo = NULL;

		lex_word(p->lex, &w);
		if (w.len == 2) {
			hi = memchr(digits, w.s[0] | 0x20, 16);
			lo = memchr(digits, w.s[1] | 0x20, 16);
		}
		if (!hi || !lo)
			return lex_error(p->lex, w.s,
					 "expected bytes as two hex digits "
					 "each, not '%.*s'",
					 WORD(w));
		if (n == BYTES_MAX)
			return lex_error(p->lex, w.s, "more than %d bytes",
					 BYTES_MAX);
		bytes[n++] = (uint8_t)((hi - digits) << 4 | (lo - digits));
	}
	if (!n)
		return lex_error(p->lex, NULL, "expected bytes: 0a 0b ...");
	ret->bytes = parse_copy(p, bytes, n, 1);
	ret->nbytes = n;
	if (ret->bytes)
		return 0;
	return ERR_NOMEM;
}

/* Parses from which post, and from where in it, the payload is: "of 4 at 1mtu".
 */
static int parse_data_source(struct parse *p, struct rung *ret)
{
	struct word w;
	uint64_t op;

	if (!lex_take(p->lex, "of"))
		return 0;
	if (!lex_word(p->lex, &w) || lex_u64(w, UINT16_MAX, &op) || !op)
		return lex_error(p->lex, w.s, "expected which post, of N");
	ret->data_op = (uint16_t)op;
	if (!lex_take(p->lex, "at"))
		return 0;
	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected an offset, at N");
	return parse_number(p, w, NULL, false, false, &ret->data_at);
}

static int parse_data(struct parse *p, enum rung_use use, struct rung *ret)
{
	struct word w;
	int err;

	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected a length after 'data'");
	if (word_is(w, "*")) {
		if (use == RUNG_SEND)
			return lex_error(p->lex, w.s,
					 "what is sent has one length: "
					 "data N");
		return 0;
	}
	err = parse_number(p, w, NULL, false, use == RUNG_EXPECT,
			   &ret->data_len);
	if (err)
		return err;
	if (!ret->data_len.symbol && !ret->data_len.mtus &&
	    ret->data_len.value > DATA_MAX)
		return lex_error(p->lex, w.s, "data is at most %d bytes",
				 DATA_MAX);
	ret->body = BODY_DATA;
	if (use == RUNG_EXPECT)
		return parse_data_source(p, ret);
	return 0;
}

static int parse_body(struct parse *p, enum rung_use use, struct word w,
		      struct rung *ret)
{
	if (word_is(w, "data"))
		return parse_data(p, use, ret);
	if (word_is(w, "bytes")) {
		ret->body = BODY_BYTES;
		return parse_bytes(p, ret);
	}
	if (ret->ses)
		return lex_error(p->lex, w.s,
				 "'same' stands for the SES headers and the "
				 "payload: leave '%s' out",
				 ret->ses);
	ret->body = BODY_SAME;
	return 0;
}

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

/* One section after a '|'; *done: it was the payload, the last. */
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

static const char *type_named(struct word w)
{
	uint64_t v;

	if (!value_parse(pds_types, w.s, w.len, &v))
		return value_find(pds_types, v);
	if (!value_parse(ib_opcodes, w.s, w.len, &v))
		return value_find(ib_opcodes, v);
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
	for (const struct value_name *v = pds_types; v->name; v++)
		near_offer(&n, v->name);
	for (const struct value_name *v = ib_opcodes; v->name; v++)
		near_offer(&n, v->name);
	near_offer(&n, "raw");
	return lex_error(p->lex, w.s, "no packet is called '%.*s'%s", WORD(w),
			 near_hint(&n));
}

static int parse_packet(struct parse *p, enum rung_use use, struct rung *ret)
{
	struct case_rung_scope sc = {.type = ret->type, .use = use};
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
	if (!ret->type)
		return no_type(p, w);
	return parse_packet(p, use, ret);
}

int parse_corrupt(struct parse *p, const struct rung *r, struct word w,
		  struct term *ret)
{
	struct case_rung_scope sc = {
		.type = r->type, .ses = r->ses, .use = RUNG_SEND};
	struct value v = {0};
	const struct field *f;
	bool valued = split_term(w, &v);

	if (!r->type)
		return lex_error(p->lex, w.s,
				 "name the packet whose field is corrupted");
	if (!case_rung_resolve(&sc, v.name, &f) && r->ses) {
		sc.ses_side = true;
		sc.ext = ext_with(v.name);
	}
	if (valued)
		return parse_term(p, &sc, w, ret);
	*ret = (struct term){.op = TERM_ANY,
			     .col = (unsigned)(w.s - p->lex->source) + 1};
	if (!case_rung_resolve(&sc, w, &f) || !f)
		return case_rung_no_field(p, &sc, w, false);
	ret->name = f->name;
	ret->field = f;
	return 0;
}
