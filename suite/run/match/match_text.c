/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_text.c -- formats the expected rung of a line, and the
 * actual packet.
 */
#include "suite/run/match/match_text.h"

#include <string.h>

#include "base/text.h"
#include "suite/lang/case_print.h"
#include "suite/run/match/match.h"
#include "suite/run/match/match_state.h"
#include "suite/run/match/match_term.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/packet.h"
#include "wire/uet/uet_ses.h"

/* Printing. */
static const char *const op_text[] = {
	[TERM_EQ] = "=",  [TERM_NE] = "!=", [TERM_GE] = ">=",
	[TERM_LE] = "<=", [TERM_ANY] = "=",
};

static void match_print_value(struct text *t, const struct field *f, uint64_t v)
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

/* Prints literals as written, and bound symbols as their values. */
static void print_number(struct text *t, const struct scope *s,
			 const struct term *term, const struct number *n)
{
	const uint64_t *v = n->symbol ? scope_find(s, n->symbol) : NULL;

	if (n->symbol && !v)
		text_printf(t, "$%s", n->symbol);
	else
		match_print_value(
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
	if (r->data_op && scope_number(s, &r->data_at, SPACE_NONE, &n))
		text_printf(t, " of %u at %llu", r->data_op,
			    (unsigned long long)n);
}

#define CODES_SHOWN 8 /* return codes of a cause listed at most */

/*
 * Prints the return codes that the device's cause permits:
 * "return_code=no_match|bad_index", or "return_code!=ok" if there are many.
 */
static void print_codes(struct text *t, uint64_t codes)
{
	const size_t start = t->len;
	unsigned n = 0;

	for (unsigned i = 0; i < 64; i++) {
		const char *name = value_find(ses_return_codes, i);

		if (!(codes >> i & 1))
			continue;
		text_puts(t, n++ ? "|" : " return_code=");
		if (name)
			text_puts(t, name);
		else
			text_printf(t, "%u", i);
	}
	if (n <= CODES_SHOWN || t->failed)
		return;
	t->len = start;
	text_puts(t, " return_code!=ok");
}

static bool is_caused_code(const struct decl_cause *cause, const struct term *t)
{
	return cause && cause->codes && t->op == TERM_EQ &&
	       strcmp(t->name, "return_code") == 0;
}

static void print_expected(const struct scope *s, const struct rung *rung,
			   const struct decl_cause *cause, bool trimmed,
			   struct text *expected)
{
	if (rung->raw) {
		text_puts(expected, "raw ");
		text_hex(expected, rung->bytes, rung->nbytes);
		return;
	}
	text_puts(expected, text_or(rung->type, "any"));
	if (rung->pdc)
		text_printf(expected, " %s=%s", rung_flow_word(rung),
			    rung->pdc);
	for (size_t i = 0; i < rung->npds; i++)
		if (trimmed && strcmp(rung->pds[i].name, "nack_code") == 0)
			text_puts(expected, " trimmed");
		else
			print_expected_term(expected, s, &rung->pds[i]);
	if (rung->ses)
		text_printf(expected, " | %s", rung->ses);
	for (size_t i = 0; i < rung->nses; i++)
		if (is_caused_code(cause, &rung->ses_terms[i]))
			print_codes(expected, cause->codes);
		else
			print_expected_term(expected, s, &rung->ses_terms[i]);
	print_expected_body(expected, s, rung);
}

/*
 * Prints the packet's value for a term, as a figure number or with the symbol.
 */
static void print_actual_term(struct text *t, const struct match_seen *v,
			      const struct term *term, bool ses)
{
	struct packet_ref ref;
	uint64_t value;

	if (!match_find(v, term, ses, &ref))
		return;
	value = packet_get(v->pkt, &ref);
	if (match_is_serial(&ref) && term->nranges &&
	    !term->ranges[0].lo.symbol && !term->ranges[0].lo.absolute)
		value = psn_to_figure(&v->s->record->base[v->rec->pdc],
				      match_field_space(v, term->name),
				      (uint32_t)value);
	text_printf(t, " %s=", term->name);
	match_print_value(t, ref.field, value);
}

static void print_actual_body(struct text *t, const struct match_seen *v,
			      const struct rung *rung)
{
	size_t n = match_payload_len(v->pkt);

	switch (rung->body) {
	case BODY_NONE:
		break;
	case BODY_DATA:
		text_printf(t, " | data %zu", n);
		if (rung->data_op)
			text_printf(t, "%s",
				    match_is_of_post(v, rung, n)
					    ? " of that"
					    : " of other bytes");
		break;
	case BODY_SAME:
		text_puts(t,
			  match_same_as_first(v) ? " | same" : " | different");
		break;
	case BODY_BYTES:
		text_puts(t, " | bytes ");
		text_hex(t, v->pkt->p + v->pkt->payload, n < 48 ? n : 48);
		break;
	}
}

static void print_actual(struct text *t, const struct match_seen *v,
			 const struct rung *rung)
{
	const char *ses = match_ses_word(v->pkt);
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

void match_expected(const struct scope *s, const struct rung *rung,
		    struct text *expected)
{
	print_expected(s, rung, NULL, false, expected);
}

void match_explain(const struct scope *s, const struct rung *rung, size_t index,
		   struct text *expected, struct text *actual)
{
	struct match_seen v;

	match_open(&v, s, rung->pdc, index);
	print_expected(s, rung, v.cause, v.trimmed, expected);
	if (!rung->raw && match_type_fits(&v, rung->type, false)) {
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
